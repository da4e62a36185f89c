"""A search whose results are sections: `search.js` reads what this extension writes of each page.

Without it a reader who looks for a word gets a page of 40 minutes, not the place. Sphinx's own search knows which
page has a word, and not where on it, and it quotes code and formulas.
"""

import json
import re
from pathlib import Path

from docutils import nodes
from sphinx import addnodes

OWN = "search_sections.js"
CODE = (nodes.literal_block, nodes.doctest_block)
SILENT = (*CODE, nodes.table, nodes.term, nodes.raw, nodes.system_message, addnodes.desc)


def read_sections(app, doctree):
    """Keep the sections of a page that was read, as Sphinx keeps what it knows of each page."""
    app.env.metadata[app.env.docname]["sections"] = list(parts_of(doctree))


def write_sections(app, env):
    """Write the text of each section, word of the glossary and function, before a page names the file."""
    if app.builder.format == "html":
        pages = sorted(env.found_docs)
        sections = [[f"{page}.html", *part] for page in pages for part in env.metadata[page]["sections"]]
        text = f"window.courseSections = {json.dumps(sections, ensure_ascii=False)};\n"
        (Path(app.outdir) / "_static").mkdir(parents=True, exist_ok=True)
        (Path(app.outdir) / "_static" / OWN).write_text(text, "utf8")


def load_search(app, pagename, templatename, context, doctree):
    """Load what the search and the reader's progress are made of; `templates` leave out Sphinx's own search."""
    if pagename in ("search", "pages/progress"):
        app.add_js_file(OWN, loading_method="defer")
        app.add_js_file(f"{pagename.rpartition('/')[2]}.js", loading_method="defer")


def parts_of(doctree):
    """(anchor, title of the page, title of the part, its text) of the parts of a page."""
    page = next(doctree.findall(nodes.title)).astext()
    for section in doctree.findall(nodes.section):
        own = " ".join(said(child) for child in section[1:] if not isinstance(child, nodes.section))
        text = own.strip() or " ".join(said(child) for child in section[1:])[:300]
        yield section["ids"][0], page, section[0].astext(), text
    for term in doctree.findall(nodes.term):
        yield (term["ids"] or [""])[0], page, term.astext(), said(term.parent[-1])
    for signature in doctree.findall(addnodes.desc_signature):
        yield signature["ids"][0], page, signature["fullname"], said(signature.parent[-1])


def said(node):
    """The words of a part of the text, without tables, glossaries and code; three dots stand for a formula."""
    if isinstance(node, nodes.Text):
        return str(node)
    if isinstance(node, (nodes.math, nodes.math_block)) or node.get("refdomain") == "math":
        return "…"
    if isinstance(node, SILENT):
        return ""
    if node.get("refdomain") == "cite" or {"glossary", "roles"} & set(node.get("classes", [])):
        return ""
    between = "" if isinstance(node, nodes.TextElement) else " "
    words = re.sub(r"\s+", " ", between.join(said(child) for child in node.children))
    return re.sub(r" (?=[.,;:)])", "", words)  # what a citation leaves
