"""A search that returns sections: this extension writes an index of each page, and `search.js` reads it.

Sphinx's search returns whole pages, which take up to 40 minutes to read, and it quotes code and formulas.
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
    """Store the sections of a page with the data that Sphinx extracts from it."""
    app.env.metadata[app.env.docname]["sections"] = list(parts_of(doctree))


def write_sections(app, env):
    """Write the text of each section, glossary entry and function, before a page refers to the file."""
    if app.builder.format == "html":
        pages = sorted(env.found_docs)
        sections = [[f"{page}.html", *part] for page in pages for part in env.metadata[page]["sections"]]
        text = f"window.courseSections = {json.dumps(sections, ensure_ascii=False)};\n"
        (Path(app.outdir) / "_static").mkdir(parents=True, exist_ok=True)
        (Path(app.outdir) / "_static" / OWN).write_text(text, "utf8")


def load_search(app, pagename, templatename, context, doctree):
    """Load the scripts of the search and of the progress page; `templates` omit Sphinx's own search."""
    if pagename in ("search", "pages/progress"):
        app.add_js_file(OWN, loading_method="defer")
        app.add_js_file(f"{pagename.rpartition('/')[2]}.js", loading_method="defer")


def parts_of(doctree):
    """Yield (anchor, page title, section title, text, keys of its sources) for the sections of a page."""
    page = next(doctree.findall(nodes.title)).astext()
    for section in doctree.findall(nodes.section):
        own = " ".join(said(child) for child in section[1:] if not isinstance(child, nodes.section))
        text = own.strip() or " ".join(said(child) for child in section[1:])[:300]
        sources = {key for child in section if not isinstance(child, nodes.section) for key in cited(child)}
        yield section["ids"][0], page, section[0].astext(), text, " ".join(sorted(sources))
    for term in doctree.findall(nodes.term):
        yield (term["ids"] or [""])[0], page, term.astext(), said(term.parent[-1]), ""
    for signature in doctree.findall(addnodes.desc_signature):
        yield signature["ids"][0], page, signature["fullname"], said(signature.parent[-1]), ""


def cited(node):
    """Yield the keys of the sources that a part of a page cites: an author's name and a year."""
    for reference in node.findall(addnodes.pending_xref):
        if reference["refdomain"] == "cite":
            yield from reference["reftarget"].split(",")


def said(node):
    """Return the words of a section without tables, glossaries and code; three dots replace a formula."""
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
    return re.sub(r" (?=[.,;:)])", "", words)  # a removed citation leaves the space
