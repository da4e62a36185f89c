"""Further reading looks like it: without the class `further` a hurried reader could not see what may be skipped.

A section gets it whose heading begins with "Further:".
"""

from docutils import nodes


def mark_further(app, doctree):
    for section in doctree.findall(nodes.section):
        if section[0].astext().startswith("Further:"):
            section["classes"].append("further")


def setup(app):
    app.connect("doctree-read", mark_further)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
