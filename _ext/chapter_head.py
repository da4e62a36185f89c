"""What keeps the thread in a long chapter: a head that folds, and the minutes that are left.

Without it a chapter would open with half a page of card, letters and set-up. These fold into one row under the
title, so that it opens with its idea. A second fold says in a sentence what each section concludes; these stand in
the metadata of the cells. The row ends with the switch for all code of the page, and has the minutes of the core
path: `thread.js` says how many are left. A fold of sphinx-design holds what one directive encloses, and these are
several cells.

After the first paragraph the chapter's live figure can be moved: `opening.js` brings it there from its place in
the text while that part of the page is on the screen. MyST-NB shows a widget at its cell, and nowhere else.
"""

import json
import re
from html import escape
from pathlib import Path

import nbformat
from docutils import nodes
from docutils.nodes import make_id
from ledger_page import place_of

YEAR = re.compile(r"\d{4}")
TIME = re.compile(r"core (\d+) minutes, everything (\d+)")
FOLD = '<div class="chapter-head"><details class="chapter-card"><summary>{}</summary>'
SENTENCES = '<details class="chapter-sentences"><summary>In sentences</summary><dl>{}</dl></details>'
SENTENCE = '<dt{}><a href="#{}">{}</a></dt><dd>{}</dd>'
MARK = ' <a class="tried" href="{0}" title="{1}">✓<span class="visually-hidden"> {1}</span></a>'
LEDGER = "../pages/ledger.html"
LINE = """<p class="thread" data-minutes="{minutes}">
<button type="button" class="code-switch pst-js-only">Show code</button></p></div>"""
LIVE_PICTURE = re.compile(r"live-(?!predict-)(.+)\.svg$")
LIGHT = 30_000  # bytes; heavier is one with a photograph, which comes with the figure anyway
OPENING = """<div class="opening" data-figure="{figure}" style="--wide: {wide}px; --narrow: {narrow}px">"""
WORDS = '<p>The section <a href="#{section}">{title}</a> explains this figure.</p></div>'


def fold_head(app, doctree):
    """Fold what stands between a chapter's title and its first section, and put the line beneath."""
    if app.env.docname == "chapters/gallery":
        fold_card(next(doctree.findall(nodes.section)))
    if not re.match(r"chapters/\d\d_", app.env.docname):
        return
    chapter = next(doctree.findall(nodes.section))
    sections = [child for child in chapter if isinstance(child, nodes.section)]
    notebook = nbformat.read(app.env.doc2path(app.env.docname), as_version=4)
    end, card = chapter.index(sections[0]), chapter[1].astext()
    sentences = SENTENCES.format("".join(in_a_sentence(chapter, notebook)))
    core, everything = minutes(card)
    chapter.insert(end, raw("</details>" + sentences + LINE.format(minutes=core)))
    chapter.insert(1, raw(FOLD.format(summary(card, core, everything))))
    heights = json.loads(Path(app.confdir, "figures", "heights.json").read_text("utf8"))
    paragraph = next(sections[0].findall(nodes.paragraph))
    place = sections[0].index(paragraph) + 1
    sections[0][place:place] = opening(app, chapter, heights)


def fold_card(gallery):
    """The gallery has a card, but no figure that moves and no core: its picture follows the card."""
    years = " to ".join(YEAR.findall(gallery[1].astext())[:2])
    gallery.insert(2, raw("</details></div>"))
    gallery.insert(1, raw(FOLD.format(f"{years} · ten minutes per exhibit · what you need and learn")))


def opening(app, chapter, heights):
    """Room for the live figure: its still picture if it is light, and a link to where the text explains it.

    `heights` says how high a figure is with its sliders, wide and on a phone. One that is not named there yet,
    in a new chapter, stays at its place until `make pictures`.
    """
    pictures = [image for image in chapter.findall(nodes.image) if LIVE_PICTURE.search(image["uri"])]
    if not pictures:
        raise ValueError(f"expected a live figure with its still picture in {chapter[0].astext()!r}")
    figure = LIVE_PICTURE.search(pictures[0]["uri"])[1]
    section = pictures[0].parent
    while not isinstance(section, nodes.section):
        section = section.parent
    if figure not in heights:
        return []
    wide, narrow = heights[figure]
    picture = pictures[0].deepcopy()
    picture["alt"] = ""  # described where the text explains it
    file = Path(app.srcdir, pictures[0]["uri"])
    light = [picture] if file.stat().st_size < LIGHT else []
    words = WORDS.format(section=section["ids"][0], title=escape(section[0].astext()))
    return [raw(OPENING.format(figure=figure, wide=wide, narrow=narrow)), *light, raw(words)]


def in_a_sentence(chapter, notebook):
    """A link to each section that has a sentence, and the sentence."""
    cells = [cell.metadata.get("sentences", {}) for cell in notebook.cells]  # an editor may sort what one holds
    written = {title.replace("$", ""): sentence for cell in cells for title, sentence in cell.items()}
    for section in list(chapter.findall(nodes.section))[1:]:
        heading = section[0].astext()
        if told := written.pop(heading.replace("’", "'"), None):  # as set by Sphinx, as written
            level = ' class="inner"' if section.parent is not chapter else ""
            yield SENTENCE.format(level, section["ids"][0], escape(heading), sentence_with_mark(told))
    if written:
        raise ValueError(f"expected the section {min(written)!r}, whose sentence stands in a cell's metadata")


def sentence_with_mark(told):
    """The sentence, and the way to its proof: an equation of the chapter, or a row of the ledger."""
    if isinstance(told, str):
        return escape(told)
    mark = ""
    if told["kind"] == "derived":
        mark = MARK.format(f"#equation-{make_id(told['equation'])}", "The equation of this sentence")
    if told["kind"] == "measured":
        mark = MARK.format(f"{LEDGER}#{place_of(told['conclusion'])}", "How this sentence was tried")
    return escape(told["sentence"]) + mark


def minutes(card):
    """The minutes that the core and all of a chapter take."""
    if not TIME.search(card):
        raise ValueError(f"expected a chapter's card to say 'core … minutes, everything …', got {card[:80]!r}")
    return TIME.search(card).groups()


def summary(card, core, everything):
    """What the folded card says of itself."""
    time = f"{core} minutes, {everything} with the extras"
    return " · ".join([*YEAR.findall(card)[:1], time, "what you need and learn"])


def raw(html):
    return nodes.raw("", html, format="html")


def setup(app):
    app.connect("doctree-read", fold_head, priority=600)  # after the letters have their line
    return {"parallel_read_safe": True, "parallel_write_safe": True}
