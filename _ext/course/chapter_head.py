"""What keeps the thread in a long chapter: a head that folds, and the minutes that are left.

Without it a chapter would open with half a page of card, letters and set-up. These fold into one row under the
title, so that it opens with its idea. A second fold says in a sentence what each section concludes; these stand in
the metadata of the cells. The row ends with the switch for all code of the page, and has the minutes of the core
path: `thread.js` says how many are left. docutils has no node for a fold, and that of sphinx-design holds what one
directive encloses. These are several cells.

After the first paragraph the chapter's live figure can be moved: `opening.js` brings it there from its place in
the text while that part of the page is on the screen. MyST-NB shows a widget at its cell, and nowhere else.
"""

import json
import re
from pathlib import Path

from docutils import nodes

YEAR = re.compile(r"\d{4}")
ROW = r"\]\({}\.ipynb\) \| (\d{{4}}) \|"  # of the front page's table of chapters
TIME = re.compile(r"core (\d+) minutes, everything (\d+)")
LIVE_PICTURE = re.compile(r"live-(?!prediction-)(.+)\.svg$")
LIGHT = 30_000  # bytes; heavier is one with a photograph, which comes with the figure anyway


class Framed(nodes.General, nodes.Element):
    """Parts of a page between the HTML `before` and `after` them."""


def frame(parent, start, end, before, after):
    parent[start:end] = [Framed("", *parent[start:end], before=before, after=after)]


def fold_head(app, doctree):
    """Fold what stands between a chapter's title and its first section, and put the line beneath."""
    kind = re.match(r"chapters/(\d\d_|gallery)", app.env.docname)
    if not kind:
        return
    html = app.builder.templates.environment.get_template("chapter-head.html").module
    chapter = next(doctree.findall(nodes.section))
    card = chapter[1].astext()
    years = YEAR.findall(card)
    if kind[1] == "gallery":  # it has no figure that moves and no core, and its picture follows the card
        words = f"{years[0]} to {years[1]} · ten minutes per exhibit"
        return frame(chapter, 1, 2, html.start_card(words), html.end_card() + "</div>")
    core, everything = minutes(card)
    words = " · ".join([*(year_on_front(app) or years[:1]), f"{core} min"])
    sentences = list(in_a_sentence(chapter, app.env.doc2path(app.env.docname)))
    first = next(child for child in chapter if isinstance(child, nodes.section))
    add_opening(app, chapter, first, html)
    end = html.end_card() + html.end_head(sentences, core)
    frame(chapter, 1, chapter.index(first), html.start_card(words, everything), end)


def year_on_front(app):
    """The year that the front page's table gives a chapter, in a list. Of a new chapter the list is empty."""
    front = Path(app.srcdir, "intro.ipynb")
    app.env.note_dependency(str(front))
    return re.findall(ROW.format(app.env.docname), front.read_text("utf8"))[:1]


def add_opening(app, chapter, first, html):
    """Room for the live figure: its still picture if it is light, and a link to where the text explains it.

    `heights.json` says how high a figure is with its sliders, wide and on a phone. One that is not named there
    yet, in a new chapter, stays at its place until `make pictures`.
    """
    picture = next((image for image in chapter.findall(nodes.image) if LIVE_PICTURE.search(image["uri"])), None)
    if not picture:
        raise ValueError(f"expected a live figure with its still picture in {chapter[0].astext()!r}")
    figure = LIVE_PICTURE.search(picture["uri"])[1]
    heights = json.loads(Path(app.confdir, "figures", "heights.json").read_text("utf8"))
    if figure not in heights:
        return
    section = picture.parent
    while not isinstance(section, nodes.section):
        section = section.parent
    place = first.index(next(first.findall(nodes.paragraph))) + 1
    if light := Path(app.srcdir, picture["uri"]).stat().st_size < LIGHT:
        first.insert(place, picture.deepcopy())
        first[place]["alt"] = ""  # described where the text explains it
    frame(first, place, place + light, html.start_opening(figure, *heights[figure]), html.end_opening(section))


def in_a_sentence(chapter, path):
    """Each section that has a sentence, whether it stands in another one, and the sentence."""
    cells = json.loads(Path(path).read_text("utf8"))["cells"]
    told = [cell["metadata"].get("sentences", {}) for cell in cells]  # an editor may sort what one holds
    written = {title.replace("$", ""): sentence for each in told for title, sentence in each.items()}
    for section in list(chapter.findall(nodes.section))[1:]:
        title = section[0].astext().replace("’", "'")  # as set by Sphinx, as written
        if title in written:
            yield section, section.parent is not chapter, written.pop(title)
    if written:
        raise ValueError(f"expected the section {min(written)!r}, whose sentence stands in a cell's metadata")


def minutes(card):
    """The minutes that the core and all of a chapter take."""
    if not TIME.search(card):
        raise ValueError(f"expected a chapter's card to say 'core … minutes, everything …', got {card[:80]!r}")
    return TIME.search(card).groups()


def add_nodes(app):
    visit = lambda translator, node: translator.body.append(node["before"])
    depart = lambda translator, node: translator.body.append(node["after"])
    app.add_node(Framed, html=(visit, depart))
