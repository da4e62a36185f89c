"""The course in one row under the front page's figure: the drawing, number, year and name of each chapter.

The row is made from the table of chapters, which says more of them and stands further down.
"""

import re

from docutils import nodes
from sphinx import addnodes

FIGURE = re.compile(r"figures/live-.+\.svg$")
WORDS = "The course in one picture: the stronger a square's colour, the more it counts in its chapter's average."
CHAPTER = re.compile(r"figures/chapter-.+\.svg$")


def add_row(app, doctree):
    """Put the row after the cell that draws the figure."""
    if app.env.docname != app.config.root_doc:
        return
    chapters = [row for row in doctree.findall(nodes.row) if picture_of(row)]
    items = [nodes.list_item("", nodes.paragraph("", "", link(row))) for row in chapters]
    picture = next(image for image in doctree.findall(nodes.image) if FIGURE.search(image["uri"]))
    section, still = picture.parent.parent, picture.parent
    cell = next(node for node in section[section.index(still) :] if isinstance(node, nodes.container))
    row = nodes.bullet_list("", *items, classes=["row-of-chapters"])
    below = section.index(cell) + 1
    section[below:below] = [nodes.paragraph("", WORDS, classes=["above-row"]), row]


def picture_of(row):
    """The drawing in a row of the table of chapters; None in its head, and in other tables."""
    return next((image for image in row.findall(nodes.image) if CHAPTER.search(image["uri"])), None)


def link(row):
    """A row's link to its chapter: the drawing, which the table describes, number, year and name."""
    number, year = row[0].astext(), row[2].astext()
    picture = picture_of(row).deepcopy()
    picture["alt"] = ""
    made = next(row[1].findall(addnodes.pending_xref)).deepcopy()
    name = nodes.inline("", made.astext(), classes=["name"])
    made[0].children = []
    made[0] += [picture, nodes.inline("", f"{number} · {year}", classes=["when"]), nodes.Text(" "), name]
    return made


def setup(app):
    app.connect("doctree-read", add_row)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
