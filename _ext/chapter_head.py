"""What keeps the thread in a long chapter: a head that folds, and the minutes that each section takes.

A chapter's card, its letters and its set-up fold into one line under the title, so that it opens with its idea. A
second fold says in a sentence what each section concludes; these stand in the metadata of the cells. A line
beneath leads to the first live figure, and has the switch for all code of the page. `thread.js` reads there how
many minutes of the core path each section takes, and says how many are left.
"""

import re
import sys
from html import escape
from pathlib import Path

import nbformat
from docutils import nodes

sys.path.append(str(Path(__file__).resolve().parents[1] / "tools"))
from reading_time import LIVE, core_minutes_of_sections  # noqa: E402

YEAR = re.compile(r"\d{4}")
TIME = re.compile(r"core (\d+) minutes, everything (\d+)")
FOLD = '<details class="chapter-card"><summary>{}</summary>'
SENTENCES = '<details class="chapter-sentences"><summary>The chapter in sentences</summary><dl>{}</dl></details>'
SENTENCE = '<dt{}><a href="#{}">{}</a></dt><dd>{}</dd>'
LINE = """<p class="thread" data-minutes="{minutes}"><a href="#{live}">To the live figure</a>
<button type="button" class="code-switch pst-js-only">Show code</button></p>"""


def fold_head(app, doctree):
    """Fold what stands between a chapter's title and its first section, and put the line beneath."""
    if not re.match(r"chapters/\d\d_", app.env.docname):
        return
    chapter = next(doctree.findall(nodes.section))
    sections = [child for child in chapter if isinstance(child, nodes.section)]
    notebook = nbformat.read(app.env.doc2path(app.env.docname), as_version=4)
    minutes = " ".join(f"{each:.2f}" for each in core_minutes_of_sections(notebook))
    live = next((section["ids"][0] for section in sections if has_live_figure(section)), None)
    if live is None:
        raise ValueError(f"{app.env.docname}: expected a section with a live figure")
    end = chapter.index(sections[0])
    sentences = SENTENCES.format("".join(in_a_sentence(chapter, notebook)))
    chapter.insert(end, raw("</details>" + sentences + LINE.format(minutes=minutes, live=live)))
    chapter.insert(1, raw(FOLD.format(summary(chapter[1].astext()))))


def in_a_sentence(chapter, notebook):
    """A link to each section that has a sentence, and the sentence."""
    written = [pair for cell in notebook.cells for pair in cell.metadata.get("sentences", {}).items()]
    for section in list(chapter.findall(nodes.section))[1:]:
        heading = section[0].astext()
        if written and heading.replace("’", "'") == written[0][0].replace("$", ""):  # as set by Sphinx, as written
            level = ' class="inner"' if section.parent is not chapter else ""
            yield SENTENCE.format(level, section["ids"][0], escape(heading), escape(written.pop(0)[1]))
    if written:
        raise ValueError(f"expected the section {written[0][0]!r}, whose sentence stands in a cell's metadata")


def summary(card):
    """What the folded card says of itself."""
    if not TIME.search(card):
        raise ValueError(f"expected a chapter's card to say 'core … minutes, everything …', got {card[:80]!r}")
    core, everything = TIME.search(card).groups()
    time = f"{core} minutes, with all further reading {everything}"
    return " · ".join([*YEAR.findall(card)[:1], time, "what you need, and what you learn"])


def has_live_figure(section):
    """Whether a cell of the section calls for a live figure."""
    return any(LIVE.search(block.astext()) for block in section.findall(nodes.literal_block))


def raw(html):
    return nodes.raw("", html, format="html")


def setup(app):
    app.connect("doctree-read", fold_head, priority=600)  # after the letters have their line
    return {"parallel_read_safe": True, "parallel_write_safe": True}
