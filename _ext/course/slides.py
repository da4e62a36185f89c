"""Two slide decks per chapter, from its cells: `slides/NN.html` (ten minutes), `slides/NN-long.html` (a lesson).

A cell with the tag `slide` becomes a slide. Its metadata `slide` has the `minutes` in the short deck, the minutes
in the `long` one, the speaker's `notes`, `more` notes for the long deck and, for text, which part of its section
to `show`: `paragraph` (the first), `list`, `table`, `guess` (the paragraph that asks for one), or an equation by
its label. A slide without `minutes` is only in the long deck. A code cell shows its result, and its source unless
that is hidden. Reveal.js shows the slides without scaling them; `slides.css` enlarges live figures, whose pointer
positions account for it (`positionIn` in `parts/drag.js`). sphinx-revealjs would build a second site, and
nbconvert does not show live figures.
"""

import json
import re
from pathlib import Path

from docutils import nodes

from _ext.course.drawings import weights_of_chapter, without_page_drawings
from _ext.course.private_api.myst_nb import HideCodeCellNode, cell_of, runs_widgets


def number(pagename):
    """Return `01` for `chapters/01_name`, or None for a page without slides."""
    match = re.fullmatch(r"chapters/(\d\d)_\w+", pagename)
    return match and match[1]


def text_nodes(section, show):
    """Return the parts of a section that a slide shows."""
    heading = nodes.rubric("", "", *[child.deepcopy() for child in section[0].children], classes=["heading"])
    found = [heading]
    for what in show:
        if what.startswith("eq:"):
            found += [node for node in section.findall(nodes.math_block) if node.get("label") == what]
        else:
            kind = {"list": nodes.bullet_list, "table": nodes.table}.get(what, nodes.paragraph)
            asks = lambda node, what=what: what != "guess" or "Guess" in node.astext()
            found += [node for node in section.children if isinstance(node, kind) and asks(node)][:1]
    if len(found) != 1 + len(show):
        raise ValueError(f"slides: expected {', '.join(show)} in the section {section[0].astext()!r}")
    return found


def with_heading(body, cell_id):
    """Return a slide's HTML with its rubric as a heading for screen readers; the deck's title is of level 1."""
    level = 1 if cell_id == "title" else 2
    return re.sub(
        r'<p class="heading rubric">(.*?)</p>', rf'<h{level} class="heading">\1</h{level}>', body, flags=re.S
    )


def without_folded_source(cell):
    """Copy a code cell and replace each collapsed part by its outputs, because slides cannot be expanded."""
    cell = cell.deepcopy()
    for fold in list(cell.findall(HideCodeCellNode)):
        outputs = [child for child in fold if child.get("nb_element") != "cell_code_source"]
        fold.parent.replace(fold, outputs)
    return cell


def add_deck(app, pagename, templatename, context, doctree):
    """Render a chapter's slides while its page is rendered, with the scripts of that page's figures."""
    if doctree is None or not number(pagename):
        return
    slides = list(slides_of(app, pagename, doctree))
    if slides:
        context["deck"] = f"slides/{number(pagename)}.html"  # for a button
        decks_of(app)[pagename] = {
            "chapter": pagename,
            "title": context["title"],
            "slides": slides,
            "scripts": [each for each in context["script_files"] if is_of_figures(each)],
            "figure_scripts": context["figure_scripts"],
            "has_widgets": runs_widgets(app.env, pagename),
        }


def decks_of(app):
    """Return the decks of the chapters in this build, by chapter."""
    return vars(app).setdefault("decks", {})


def pages(app):
    """Give all decks to Sphinx, as pages."""
    for pagename, deck in decks_of(app).items():
        yield f"slides/{number(pagename)}", deck | {"length": "minutes"}, "slides.html"
        if any("long" in slide for slide in deck["slides"]):
            yield f"slides/{number(pagename)}-long", deck | {"length": "long"}, "slides.html"


def is_of_figures(script):
    return "widget" in str(script.filename) + script.attributes.get("type", "")


def slides_of(app, pagename, doctree):
    """Yield the content of each of a chapter's slides, with its settings."""
    notebook = json.loads(Path(app.env.doc2path(pagename)).read_text("utf8"))
    sections = list(doctree.findall(nodes.section))
    code_cells = {node["cell_index"]: node for node in doctree.findall(nodes.container) if "cell_index" in node}
    for index, cell in enumerate(notebook["cells"]):
        if "slide" not in cell["metadata"].get("tags", []):
            continue
        setting = cell["metadata"]["slide"]
        own = [each for each in sections if cell_of(each) == index]
        section = own[0] if own else [each for each in sections if cell_of(each) < index][-1]
        if cell["cell_type"] == "markdown":
            shown = text_nodes(section, setting.get("show", ["paragraph"]))
        else:
            shown = [without_folded_source(code_cells[index])]
        body = with_heading("".join(app.builder.render_partial(node)["fragment"] for node in shown), cell["id"])
        body = without_page_drawings(body)  # their text would be too small
        # no deck contains these sections
        body = body.replace('href="#further-', f'href="../{pagename}.html#further-')
        icon = Path(app.srcdir, "figures", f"chapter-{int(number(pagename))}.svg")
        if cell["id"] == "title" and icon.exists():  # a new chapter has none
            body += f'<div class="kernel-icon" aria-hidden="true">{weights_of_chapter(icon)}</div>'
        yield setting | {"id": cell["id"], "name": section[0].astext(), "body": body}
