"""The reader's own progress: boxes to tick, and a page that lists them. All stays in the reader's browser.

Without it who comes back after a week would look for the exercise that is next.
"""

import json
import re
from html import escape
from pathlib import Path

from notebooks import words_of
from page_files import exchange

PAGE = "pages/progress"
PLACE = '<div id="progress"></div>'  # in pages/progress.md
EXERCISE = re.compile(r"^### Exercise (\d\.\d) \((.*?)\)$", re.MULTILINE)
TITLE = re.compile(r"^# (\d)\. (.*)$", re.MULTILINE)


def contents(app):
    """(page, number, title, exercises) of each numbered chapter, read from its notebook."""
    for path in sorted(Path(app.srcdir, "chapters").glob("[0-9]*.ipynb")):
        if f"chapters/{path.stem}" in app.env.found_docs:
            text = words_of(json.loads(path.read_text("utf8")))
            yield f"chapters/{path.stem}", *TITLE.search(text).groups(), EXERCISE.findall(text)


def item(key, words, address):
    words = escape(words)
    box = f'<label><input type="checkbox" data-progress="{key}"> {words}</label>'
    return f'<li>{box} <a href="{address}" aria-label="Open: {words}">open</a></li>'


def list_of_items(app, context):
    lines = []
    for page, number, title, exercises in contents(app):
        address = context["pathto"](page)
        lines.append(f"<h2>{number}. {escape(title)}</h2><ul>{item(number, 'The chapter', address)}")
        lines += [item(n, f"Exercise {n} ({about})", f"{address}#exercises") for n, about in exercises]
        lines.append("</ul>")
    return "".join(lines)


def load(app, pagename, templatename, context, doctree):
    if pagename == PAGE:
        filled = PLACE.replace("></", f">{list_of_items(app, context)}</")
        context["body"] = exchange(context["body"], PLACE, filled, f"{PAGE}.md")
    if pagename == PAGE or re.match(r"chapters/\d\d_", pagename):
        app.add_js_file("progress.js", loading_method="defer")
        app.add_css_file("progress.css")


def setup(app):
    app.connect("html-page-context", load)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
