"""The collapsible chapter header and the estimated reading time remaining.

A chapter's card, legend and set-up would fill half a page, so they collapse into one row under the title. A second
collapsible section lists one summary sentence per section; these sentences are in the metadata of the cells. The
row ends with the switch that shows all code of the page and with the core path's reading time, which `thread.js`
updates. docutils has no node for collapsible sections, and sphinx-design's can enclose only one directive, not
several cells.

A placeholder for the chapter's live figure follows the first paragraph: `opening.js` moves the figure there from
its position in the text while that part of the page is visible, because MyST-NB shows a widget only at its own
cell.

On the page for the reader's own data the figures precede the text. Each has its height reserved, so the text stays
in place when they are drawn.
"""

import json
import re
from pathlib import Path

from docutils import nodes

YEAR = re.compile(r"\d{4}")
CARD = r"(\d{{4}})\* \*\*[^*]+\*\*\]\({}\.ipynb\)"  # a chapter on the front page
TIME = re.compile(r"core (\d+) minutes, everything (\d+)")
LIVE_PICTURE = re.compile(r"live-(?!prediction-)(.+)\.svg$")
LIGHT = 30_000  # bytes; a heavier picture contains a photograph, which the figure loads anyway


class Framed(nodes.General, nodes.Element):
    """Enclose parts of a page between the raw HTML `before` and `after`."""


def frame(parent, start, end, before, after):
    parent[start:end] = [Framed("", *parent[start:end], before=before, after=after)]


def fold_head(app, doctree):
    """Collapse the content between a chapter's title and its first section, and add the summaries below it."""
    if app.env.docname == "pages/your_data":
        reserve_heights(app, doctree)
    kind = re.match(r"chapters/(\d\d_|gallery|further_)", app.env.docname)
    if not kind:
        return
    html = template(app)
    chapter = next(doctree.findall(nodes.section))
    card = chapter[1].astext()
    years = YEAR.findall(card)
    if kind[1] == "gallery":  # its figure is not live, it has no core path, and its image follows the card
        words = f"{years[0]} to {years[1]} · ten minutes per exhibit"
        return frame(chapter, 1, 2, html.start_card(words), html.end_card() + "</div>")
    if kind[1] == "further_":
        return frame(chapter, 1, 2, html.start_card("further sections"), html.end_card() + "</div>")
    core, everything = minutes(card)
    words = " · ".join([*(year_on_front(app) or years[:1]), f"{core} min"])
    sentences = list(in_a_sentence(chapter, app.env.doc2path(app.env.docname)))
    first = next(child for child in chapter if isinstance(child, nodes.section))
    add_opening(app, chapter, first, html)
    here = {block.get("label") for block in chapter.findall(nodes.math_block)}
    end = html.end_card() + html.end_head(sentences, core, here, f"further_{kind[1][:2]}.html")
    frame(chapter, 1, chapter.index(first), html.start_card(words, everything), end)


def year_on_front(app):
    """Return a list with the year that the front page gives a chapter; it is empty for a new chapter."""
    front = Path(app.srcdir, "intro.ipynb")
    app.env.note_dependency(str(front))
    return re.findall(CARD.format(app.env.docname), front.read_text("utf8"))[:1]


def add_opening(app, chapter, first, html):
    """Return a placeholder for the live figure: its still picture if it is small, and a link to its explanation.

    `heights.json` has the height of a figure with its sliders, on a wide page and on a phone. A figure without an
    entry, in a new chapter, stays at its own cell until `make pictures` has been run. A figure that is already in
    the first section stays there too.
    """
    picture = next((image for image in chapter.findall(nodes.image) if LIVE_PICTURE.search(image["uri"])), None)
    if not picture:
        raise ValueError(f"expected a live figure with its still picture in {chapter[0].astext()!r}")
    figure = LIVE_PICTURE.search(picture["uri"])[1]
    heights = heights_of(app)
    if figure not in heights:
        return
    section = picture.parent
    while not isinstance(section, nodes.section):
        section = section.parent
    if section is first:
        return draw_here(html, picture, heights[figure])
    place = first.index(next(first.findall(nodes.paragraph))) + 1
    if light := Path(app.srcdir, picture["uri"]).stat().st_size < LIGHT:
        first.insert(place, picture.deepcopy())
        first[place]["alt"] = ""  # the alt text is where the text explains it
    frame(first, place, place + light, html.start_opening(figure, *heights[figure]), html.end_opening(section))


def template(app):
    return app.builder.templates.environment.get_template("chapter-head.html").module


def heights_of(app):
    return json.loads(Path(app.confdir, "figures", "heights.json").read_text("utf8"))


def draw_here(html, picture, heights):
    """Draw the figure of the next cell over its still picture, in a box of its height."""
    start = picture.parent.parent.index(picture.parent)
    frame(picture.parent.parent, start, start + 2, html.start_drawn_here(*heights), "</div>")


def reserve_heights(app, doctree):
    """Draw each live figure over its still picture."""
    heights = heights_of(app)
    for picture in list(doctree.findall(nodes.image)):
        figure = LIVE_PICTURE.search(picture["uri"])
        if figure and figure[1] in heights:
            draw_here(template(app), picture, heights[figure[1]])


def in_a_sentence(chapter, path):
    """Yield (section, is_nested, summary) for every section with a summary."""
    cells = json.loads(Path(path).read_text("utf8"))["cells"]
    told = [cell["metadata"].get("sentences", {}) for cell in cells]  # an editor may sort the keys of an entry
    written = {title.replace("$", ""): sentence for each in told for title, sentence in each.items()}
    for section in list(chapter.findall(nodes.section))[1:]:
        title = section[0].astext().replace("’", "'")  # undo Sphinx's smart quotes
        if title in written:
            yield section, section.parent is not chapter, written.pop(title)
    if written:
        raise ValueError(f"expected the section {min(written)!r}, whose sentence is in a cell's metadata")


def minutes(card):
    """Return the minutes that the core path and the whole chapter take."""
    if not TIME.search(card):
        raise ValueError(f"expected a chapter's card to say 'core … minutes, everything …', got {card[:80]!r}")
    return TIME.search(card).groups()


def add_nodes(app):
    visit = lambda translator, node: translator.body.append(node["before"])
    depart = lambda translator, node: translator.body.append(node["after"])
    app.add_node(Framed, html=(visit, depart))
