"""What keeps the thread in a long chapter: a head that folds, and the minutes that each section takes.

A chapter's card, its letters and its set-up fold into one line under the title, so that it opens with its idea. A
line beneath leads to the first live figure, and has the switch for all code of the page. `thread.js` reads there
how many minutes of the core path each section takes, and says how many are left.
"""

import re
import sys
from pathlib import Path

import nbformat
from docutils import nodes

sys.path.append(str(Path(__file__).resolve().parents[1] / "tools"))
from reading_time import LIVE, core_minutes_of_sections  # noqa: E402

YEAR = re.compile(r"\d{4}")
TIME = re.compile(r"core (\d+) minutes, everything (\d+)")
FOLD = '<details class="chapter-card"><summary>{}</summary>'
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
    chapter.insert(end, raw("</details>" + LINE.format(minutes=minutes, live=live)))
    chapter.insert(1, raw(FOLD.format(summary(chapter[1].astext()))))


def summary(card):
    """What the folded card says of itself."""
    if not TIME.search(card):
        raise ValueError(f"expected a chapter's card to say 'core … minutes, everything …', got {card[:80]!r}")
    core, everything = TIME.search(card).groups()
    time = f"{core} minutes, with all further reading {everything}"
    return f"{YEAR.search(card)[0]} · {time} · what you need, and what you learn"


def has_live_figure(section):
    """Whether a cell of the section calls for a live figure."""
    return any(LIVE.search(block.astext()) for block in section.findall(nodes.literal_block))


def raw(html):
    return nodes.raw("", html, format="html")


def setup(app):
    app.connect("doctree-read", fold_head, priority=600)  # after the letters have their line
    return {"parallel_read_safe": True, "parallel_write_safe": True}
