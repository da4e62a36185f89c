"""The second part of the ledger: what each measured sentence of a chapter was tried against.

A reader who doubts a sentence finds the settings that were varied, the rival, and the case in which the sentence
came nearest to falling. `tools/conclusions.py` gathers this from the tests. A mark beside the sentence
leads to its row.
"""

import json
from pathlib import Path

from page_files import exchange
from sphinx.util import logging

PAGE = "pages/ledger"
PLACE = "<!-- the conclusions -->"
HEADER = "| sentence | varied | against | closest call | cases, time |\n|:--|:--|:--|:--|:--|"
ROW = '| <span id="{anchor}"></span>{sentence} | {varied} | [{against}]({test}) | {closest} | {cost} |'
OLD = "; measured with an earlier version of the code"

logger = logging.getLogger(__name__)


def found(app):
    """What `make` has gathered of all sentences before the build."""
    path = Path(app.outdir).parent / "conclusions.json"
    return json.loads(path.read_text("utf8")) if path.exists() else []


def read_again(app, env, added, changed, removed):
    """The page that shows the conclusions, when they are others than at its last reading."""
    shown, env.conclusions_shown = getattr(env, "conclusions_shown", None), found(app)
    return [] if shown == env.conclusions_shown else [page for page in env.found_docs if page.endswith(PAGE)]


def anchor(name):
    """The place of a conclusion on the page.

    >>> anchor("03:window")
    'conclusion-03-window'
    """
    return "conclusion-" + name.replace(":", "-")


def fill_page(app, docname, source):
    if PLACE in source[0]:
        options = app.config.html_theme_options
        address = f"{options['repository_url']}/blob/{options['repository_branch']}"
        source[0] = exchange(source[0], PLACE, tables(found(app), address), docname)


def tables(rows, address):
    """A heading and a table for each chapter that has measured sentences, in Markdown."""
    text = []
    for chapter in sorted({row["chapter"] for row in rows if row["kind"] == "measured"}):
        text += [f"### Measured in chapter {int(chapter)}", "", HEADER]
        text += [line(row, address) for row in rows if (row["chapter"], row["kind"]) == (chapter, "measured")]
        text += [""]
    return "\n".join(text)


def line(row, address):
    if not row["result"]:
        logger.warning("%s: no result is stored, run `make conclusions`", row["name"])
        return ""
    result = row["result"]
    case = ", ".join(f"{words(name)} {value}" for name, value in result["case"].items())
    return ROW.format(
        anchor=anchor(row["name"]),
        sentence=row["sentence"],
        varied="; ".join(f"{words(name)}: {span(values)}" for name, values in row["varies"].items()),
        against=row["against"],
        test=f"{address}/{row['test'].partition('::')[0]}#L{row['line']}",
        closest=f"{result['margin']:.2g} {result['unit']} ({case})" + ("" if row["is_current"] else OLD),
        cost=f"{result['cases']}, {duration(result['seconds'])}",
    )


def words(name):
    return name.replace("_", " ")


def span(values):
    """The values of a setting: all of them if they are few, else the ends.

    >>> span(["photo", "brick"]), span(list("0123456"))
    ('photo, brick', '0 to 6, 7 values')
    """
    return ", ".join(values) if len(values) < 6 else f"{values[0]} to {values[-1]}, {len(values)} values"


def duration(seconds):
    return f"{seconds} s" if seconds < 100 else f"{round(seconds / 60)} min"


def setup(app):
    app.connect("env-get-outdated", read_again)
    app.connect("source-read", fill_page)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
