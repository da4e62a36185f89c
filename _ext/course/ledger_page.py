"""The ledger: the measured deviation of each equation, and the settings over which each observation was tested.

It shows how closely each equation and its code agree, which faults the tests detect, and in which case a sentence
is closest to failing. Before the build, Make writes `_build/ledger.json` (pytest with `tests/ledger.py`) and
`_build/conclusions.json` (`tools/build/conclusions.py`); `pages/ledger.md` is the template that shows them. A mark
beside each equation and each such sentence links to its row. An equation without a test and a sentence without a
result are warnings, which fail `make book`.
"""

import json
from pathlib import Path

from docutils import nodes
from jinja2 import Environment
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util import logging

from tools.build.ledger_rows import anchor, chapters

PAGE = "pages/ledger"

logger = logging.getLogger(__name__)


def contents(app):
    """Fill the page's template from Make's files. The page is read again when these files or a chapter change."""
    build, options = Path(app.outdir).parent, app.config.html_theme_options
    files = [build / "ledger.json", build / "conclusions.json"]
    if lacking := [str(path) for path in files if not path.exists()]:
        raise FileNotFoundError(f"expected {' and '.join(lacking)}, which `make book` writes first")
    for path in (*files, *Path(app.confdir).glob("chapters/*.ipynb")):
        app.env.note_dependency(str(path))
    measured, told = (json.loads(path.read_text("utf8")) for path in files)
    shown = list(chapters(Path(app.confdir), measured))
    observed = [row for row in told if row["kind"] == "observation"]
    warn_of_what_is_missing([row for chapter in shown for row in chapter["equations"]], observed)
    return {
        "address": f"{options['repository_url']}/blob/{options['repository_branch']}",
        "chapters": shown,
        "versions": ", ".join(f"{name} {version}" for name, version in measured["versions"].items()),
        "results": [row for row in told if row["kind"] == "result" and "test" in row],
        "conclusions": [row for row in observed if row["result"]],
    }


def warn_of_what_is_missing(equations, conclusions):
    for label in [row["label"] for row in equations if not row["tests"]]:
        logger.warning("%s: no test ran", label, location=PAGE)
    for name in [row["name"] for row in conclusions if not row["result"]]:
        logger.warning("%s: no result is stored, run `make conclusions`", name, location=PAGE)


def fill_page(app, docname, source):
    if docname == PAGE:
        source[0] = filled(source[0], contents(app))


def filled(template, shown):
    """Render the page as Markdown."""
    return Environment(trim_blocks=True).from_string(template).render(shown)


class MarkEquations(SphinxPostTransform):
    """Add a mark beside each numbered equation of a chapter that links to its row of the ledger."""

    formats = ("html",)

    def run(self, **kwargs):
        if PAGE not in self.env.found_docs:
            return
        page, title = self.app.builder.get_relative_uri(self.env.docname, PAGE), "How this equation is tested"
        for math in list(self.document.findall(nodes.math_block)):
            label = math.get("label") or ""
            if label.startswith("eq:"):
                link = nodes.reference("", "", internal=True, refuri=f"{page}#{anchor(label)}", reftitle=title)
                link += [nodes.inline("", "✓ "), nodes.inline("", title, classes=["visually-hidden"])]
                mark = nodes.paragraph("", "", link, classes=["tested"])
                math.parent.replace(math, nodes.container("", math.deepcopy(), mark, classes=["equation"]))
