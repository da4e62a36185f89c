"""Classes of tables by their number of columns, for the style sheet.

`:has(th:nth-child(7))` would need no class, but with it Chromium recomputes the style of the whole page at each
step of a drag in a live figure.
"""

from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform

FEWEST = 5  # columns for which a class is needed


class CountColumns(SphinxPostTransform):
    """Give a table of 7 columns the classes `columns-5` to `columns-7`, and mark a table with an empty head."""

    formats = ("html",)

    def run(self, **kwargs):
        for head in self.document.findall(nodes.thead):
            table, width = head.parent.parent, len(head[0])
            table["classes"] += [f"columns-{k}" for k in range(FEWEST, width + 1)]
            if not any(entry.children for entry in head.findall(nodes.paragraph)):
                table["classes"].append("without-head")
