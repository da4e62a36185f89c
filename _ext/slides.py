"""A deck a chapter, at `slides/NN.html`, from the chapter's own cells.

A cell with the tag `slide` becomes a slide. Its metadata `slide` says for how many minutes, what the speaker reads
in the notes, and, for text, what to show of it: `paragraph` (the first), `list`, or an equation by its label. A
code cell shows its result, and its source unless that is hidden. Live figures stay live. Reveal.js shows the
slides, without scaling them: under a scaled figure a pointer would be elsewhere than it seems.
"""

import json
import re
import shutil
from html import escape
from pathlib import Path

from docutils import nodes
from myst_nb.sphinx_ import HideCodeCellNode
from notebooks import FENCE
from page_files import exchange

REVEAL = ("dist/reset.css", "dist/reveal.css", "dist/reveal.js")
HEADING = re.compile(r"^#{1,6} ", re.MULTILINE)
PAGE_SCRIPT = "widgets/"  # what a slide needs of the scripts of its chapter's page

PAGE = """<!doctype html>
<html lang="en" data-theme="light">
{head}
<body class="deck">
<div class="reveal" data-chapter="../{pagename}.html"><div class="slides">
{slides}
</div></div>
<script src="../_static/reveal/reveal.js"></script>
<script src="../_static/slides.js"></script>
</body></html>
"""


def number(pagename):
    """`01` of `chapters/01_name`, or nothing for a page without slides."""
    match = re.fullmatch(r"chapters/(\d\d)_\w+", pagename)
    return match and match[1]


def slide_cells(notebook):
    """(cell, which heading of the page, which code cell of the page) of each slide."""
    headings, code_cells = 0, 0
    for cell in notebook["cells"]:
        tags = cell["metadata"].get("tags", [])
        if "slide" in tags:
            yield cell, headings, code_cells
        if cell["cell_type"] == "markdown":
            headings += len(HEADING.findall(FENCE.sub("", "".join(cell["source"]))))
        elif cell["cell_type"] == "code" and "remove-cell" not in tags:
            code_cells += 1


def text_nodes(section, show):
    """The parts of a section that a slide shows."""
    heading = nodes.rubric("", "", *[child.deepcopy() for child in section[0].children], classes=["heading"])
    found = [heading]
    for what in show:
        if what.startswith("eq:"):
            found += [node for node in section.findall(nodes.math_block) if node.get("label") == what]
        else:
            kind = {"paragraph": nodes.paragraph, "list": nodes.bullet_list}[what]
            found += [node for node in section.children if isinstance(node, kind)][:1]
    if len(found) != 1 + len(show):
        raise ValueError(f"slides: expected {', '.join(show)} in the section {section[0].astext()!r}")
    return found


def without_folded_source(cell):
    """A copy of a code cell in which each fold gives way to its outputs: nobody unfolds a slide."""
    cell = cell.deepcopy()
    for fold in list(cell.findall(HideCodeCellNode)):
        outputs = [child for child in fold if child.get("nb_element") != "cell_code_source"]
        fold.parent.replace(fold, outputs)
    return cell


def make_slides(app, pagename, templatename, context, doctree):
    """Render a chapter's slides while its page is rendered."""
    if doctree is None or not number(pagename):
        return
    notebook = json.loads(Path(app.env.doc2path(pagename)).read_text("utf8"))
    sections = list(doctree.findall(nodes.section))
    cells = [node for node in doctree.findall(nodes.container) if "cell" in node["classes"]]
    slides = []
    for cell, heading, code_cell in slide_cells(notebook):
        setting = cell["metadata"]["slide"]
        if cell["cell_type"] == "markdown":
            shown = text_nodes(sections[heading], setting.get("show", ["paragraph"]))
        else:
            shown = [without_folded_source(cells[code_cell])]
        body = "".join(app.builder.render_partial(node)["fragment"] for node in shown)
        slides.append(
            f'<section data-timing="{round(60 * setting["minutes"])}" class="slide-{cell["id"]}">{body}'
            f'<aside class="notes">{escape(setting["notes"])}</aside></section>'
        )
    if slides:
        app.course_slides = getattr(app, "course_slides", {}) | {pagename: slides}
        address = context["pathto"](f"slides/{number(pagename)}.html", 1)
        button = {"type": "link", "url": address, "tooltip": "Slides", "icon": "fas fa-person-chalkboard"}
        context.setdefault("header_buttons", []).append(button | {"label": "slides-button"})


def decks(app, pages):
    """The deck of each of these chapters' pages, by its name: slides that load what the page loads."""
    copy_reveal(Path(app.confdir) / "node_modules" / "reveal.js", Path(app.outdir) / "_static" / "reveal")
    found = {name: slides for name, slides in getattr(app, "course_slides", {}).items() if name in pages}
    return {f"slides/{number(name)}": deck(name, slides, pages[name]) for name, slides in found.items()}


def copy_reveal(package, folder):
    folder.mkdir(parents=True, exist_ok=True)
    for name in REVEAL:
        shutil.copy(package / name, folder)


def deck(pagename, slides, page):
    return PAGE.format(slides="\n".join(slides), pagename=pagename, head=head_of(page))


def head_of(page):
    """The head of a chapter's page: its figures and the styles of slides, no scripts of navigation."""
    head = re.search(r"<head>.*?</head>", page, re.DOTALL)[0]

    def keep(match):
        source = re.search(r'src="([^"]*)"', match[0])
        if source:
            return match[0] if PAGE_SCRIPT in source[1] else ""
        return "" if "DOCUMENTATION_OPTIONS" in match[0] else match[0]

    head = re.sub(r"<script\b.*?</script>", keep, head, flags=re.DOTALL)
    head = re.sub(r'<link [^>]*rel="(?:next|prev|search|index|canonical|preload)"[^>]*>', "", head)
    head = exchange(head, "<title>", "<title>Slides: ", "the head of a chapter's page")
    styles = "".join(
        f'<link rel="stylesheet" href="../_static/{name}">'
        for name in ("reveal/reset.css", "reveal/reveal.css", "slides.css")
    )
    return exchange(head, "</head>", f"{styles}</head>", "the head of a chapter's page")


def setup(app):
    app.connect("html-page-context", make_slides, priority=910)  # after the theme has made its buttons
    return {"parallel_read_safe": True, "parallel_write_safe": False}
