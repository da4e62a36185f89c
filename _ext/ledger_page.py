"""The ledger: what the tests measured of each equation, and what each measured sentence was tried against.

Without it a reader could not see how far an equation and its code agree, which fault would be noticed, or in which
case a sentence came nearest to falling. Make has pytest write `_build/ledger.json` first (`tests/ledger.py`), and
`tools/conclusions.py` write `_build/conclusions.json`; `pages/ledger.md` is the template that shows them. Beside
each equation and each such sentence a mark leads to its row. An equation without a test, or a sentence without a
result, is a warning, and so breaks `make book`.
"""

import json
import re
from pathlib import Path

from docutils import nodes
from jinja2 import Environment
from notebook_words import LABEL, words_of
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util import logging

PAGE = "pages/ledger"
TITLE = re.compile(r"^# (.+)$", re.MULTILINE)
HELPERS = ("lib/data.py", "lib/images.py", "lib/peers.py")  # what they return is measured, not what they compute
SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")

logger = logging.getLogger(__name__)


def contents(app):
    """What the page shows of what Make has written. It is read again when that or a chapter changes."""
    build, options = Path(app.outdir).parent, app.config.html_theme_options
    files = [build / "ledger.json", build / "conclusions.json"]
    if lacking := [str(path) for path in files if not path.exists()]:
        raise FileNotFoundError(f"expected {' and '.join(lacking)}, which `make book` writes first")
    for path in (*files, *Path(app.confdir).glob("chapters/*.ipynb")):
        app.env.note_dependency(str(path))
    measured, told = (json.loads(path.read_text("utf8")) for path in files)
    return {
        "address": f"{options['repository_url']}/blob/{options['repository_branch']}",
        "chapters": list(chapters(Path(app.confdir), measured)),
        "versions": ", ".join(f"{name} {version}" for name, version in measured["versions"].items()),
        "conclusions": tried(told),
    }


def fill_page(app, docname, source):
    if docname == PAGE:
        source[0] = filled(source[0], contents(app))


def filled(template, shown):
    """The page in Markdown."""
    return Environment(trim_blocks=True).from_string(template).render(shown, place_of=place_of, span=span)


# ---- Equations -------------------------------------------------------------------------------------------------


def chapters(root, measured):
    """The chapters that number equations, in their order, each with a row per equation."""
    for path in sorted(root.glob("chapters/*.ipynb")):
        text = words_of(json.loads(path.read_text("utf8")))
        if labels := LABEL.findall(text):
            rows = [equation(label, measured.get(label, []), measured["faults"].get(label)) for label in labels]
            yield {"file": f"chapters/{path.name}", "title": TITLE.search(text)[1], "equations": rows}


def equation(label, tests, faults):
    """One row. Of several tests, the one with the largest deviation states it."""
    if not tests:
        logger.warning("%s: no test ran", label, location=PAGE)
    found, allowed = [], []
    if measured := [test for test in tests if test["comparisons"]]:
        worst = max(measured, key=lambda test: test["deviation"])
        found, allowed = [power(worst["deviation"])], [power(worst["allowed"])]
    if draws := [test["draws"] for test in tests if test.get("draws", {}).get("comparisons")]:
        deviation, sigmas, most = (
            max(each[name] for each in draws) for name in ("deviation", "sigmas", "allowed")
        )
        found += [f"over draws {power(deviation)}, which is {sigmas:.1f} standard errors"]
        allowed += [f"{most:.1f} standard errors"]
    found, allowed, faults = ("; ".join(cell) for cell in (found or ["a bound holds"], allowed, faults or ["–"]))
    links = {"functions": functions(tests), "tests": [test | {"words": words(test)} for test in tests]}
    return {"label": label, "anchor": anchor(label), "found": found, "allowed": allowed, "faults": faults, **links}


def anchor(label):
    return "tests-of-" + label.removeprefix("eq:").replace("_", "-")


def functions(tests):
    """The functions that the tests call, without those that only bring data or peers."""
    called = {(path, name): line for test in tests for name, (path, line) in test["functions"].items()}
    methods = {key: line for key, line in called.items() if key[0] not in HELPERS} or called
    return [{"words": f"`{name}`", "file": path, "line": line} for (path, name), line in methods.items()]


def words(test):
    """What a test compares with; where it does not say so, its name."""
    return test["against"] or test["test"].removeprefix("test_").replace("_", " ")


def power(number):
    """A small number as a reader writes it.

    >>> power(2.9e-16), power(1e-13), power(0.02), power(0)
    ('3·10⁻¹⁶', '10⁻¹³', '0.02', '0')
    """
    if number == 0 or number >= 1e-3:
        return f"{number:.1g}"
    digit, exponent = f"{number:.0e}".split("e")
    return ("" if digit == "1" else f"{digit}·") + "10" + str(int(exponent)).translate(SUPERSCRIPTS)


class MarkEquations(SphinxPostTransform):
    """Beside each numbered equation of a chapter, a mark that leads to its row of the ledger."""

    default_priority = 790
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


# ---- Conclusions -----------------------------------------------------------------------------------------------


def tried(told):
    """The measured sentences that have a result."""
    measured = [row for row in told if row["kind"] == "measured"]
    for row in measured:
        if not row["result"]:
            logger.warning("%s: no result is stored, run `make conclusions`", row["name"], location=PAGE)
    return [row for row in measured if row["result"]]


def place_of(name):
    """The place of a conclusion on the page.

    >>> place_of("03:window")
    'conclusion-03-window'
    """
    return "conclusion-" + name.replace(":", "-")


def span(values):
    """The values of a setting: all of them if they are few, else the ends.

    >>> span(["photo", "brick"]), span(list("0123456"))
    ('photo, brick', '0 to 6, 7 values')
    """
    return ", ".join(values) if len(values) < 6 else f"{values[0]} to {values[-1]}, {len(values)} values"


def setup(app):
    app.connect("source-read", fill_page)
    app.add_post_transform(MarkEquations)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
