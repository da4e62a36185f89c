"""A search whose results are sections: `search.js` reads what this extension writes of each page.

Sphinx's own search knows which page has a word, and not where on it, and it quotes code and formulas.
"""

import json
import re
from pathlib import Path

from docutils import nodes

OWN = ("search_sections.js", "search.js")
THEIRS = re.compile(
    r'(?:\s*<script [^>]*src="(?:_static/(?:searchtools|language_data)|searchindex)\.js"></script>)+'
)


def write_sections(app, exception):
    """Write the title and the text of each section and word of the glossary, and have the search read them."""
    if exception or app.builder.format != "html":
        return
    pages = sorted(app.env.found_docs)
    sections = [[f"{page}.html", *part] for page in pages for part in parts_of(app.env.get_doctree(page))]
    text = json.dumps(sections, ensure_ascii=False)
    (Path(app.outdir) / "_static" / OWN[0]).write_text(f"window.courseSections = {text};\n", "utf8")
    search = Path(app.outdir) / "search.html"
    scripts = "".join(f'\n<script defer src="_static/{name}"></script>' for name in OWN)
    page, found = THEIRS.subn(scripts, search.read_text("utf8"), count=1)
    if not found and OWN[1] not in page:
        raise ValueError("expected search.html to load Sphinx's scripts of the search")
    search.write_text(page, "utf8")


def parts_of(doctree):
    """(anchor, title of the page, title of the part, its text) of the parts of a page."""
    page = next(doctree.findall(nodes.title)).astext()
    for section in doctree.findall(nodes.section):
        own = " ".join(said(child) for child in section[1:] if not isinstance(child, nodes.section))
        text = own.strip() or " ".join(said(child) for child in section[1:])[:300]
        yield section["ids"][0], page, section[0].astext(), text
    for term in doctree.findall(nodes.term):
        yield (term["ids"] or [""])[0], page, term.astext(), said(term.parent[-1])


def said(node):
    """The words of a part of the text, without tables, glossaries, code and formulas."""
    if isinstance(node, nodes.Text):
        return str(node)
    if isinstance(node, (nodes.table, nodes.term, nodes.math, nodes.math_block, nodes.raw, nodes.literal_block)):
        return ""
    if node.get("refdomain") == "cite" or {"glossary", "roles"} & set(node.get("classes", [])):
        return ""
    between = "" if isinstance(node, nodes.TextElement) else " "
    return re.sub(r"\s+", " ", between.join(said(child) for child in node.children))


def setup(app):
    app.connect("build-finished", write_sections, priority=300)  # before pages are finished
    return {"parallel_read_safe": True, "parallel_write_safe": True}
