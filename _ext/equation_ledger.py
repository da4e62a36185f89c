"""The ledger: what the tests measured of each numbered equation, and a mark beside the equation that leads there.

Without it a reader could not see how far an equation and its code agree, or which fault would be noticed. Make has
pytest write `_build/ledger.json` first (`tests/ledger.py`); here `ledger.md` gets a table per chapter. An equation
without a test is a warning, and so breaks `make book`.
"""

import json
import re
from pathlib import Path

import yaml
from docutils import nodes
from notebooks import LABEL, words_of
from page_files import exchange
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util import logging

PAGE = "pages/ledger"
PLACE = "<!-- the tables -->"  # in ledger.md
TITLE = re.compile(r"^# (.+)$", re.MULTILINE)
HELPERS = ("lib/data.py", "lib/images.py", "lib/peers.py")  # what they return is measured, not what they compute
SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
HEAD = """| equation | computed by | checked against | largest deviation | allowed | fails if |
|:--|:--|:--|:--|:--|:--|"""

logger = logging.getLogger(__name__)


def filled(app):
    """The tables of today."""
    file = Path(app.outdir).parent / "ledger.json"
    if not file.exists():
        raise FileNotFoundError(f"expected {file}, which `make book` has pytest write")
    options = app.config.html_theme_options
    address = f"{options['repository_url']}/blob/{options['repository_branch']}"
    return tables(Path(app.confdir), json.loads(file.read_text("utf8")), address)


def read_again(app, env, added, changed, removed):
    """The page, when its tables are others than at its last reading."""
    if PAGE not in env.found_docs:
        return []
    shown, env.equations_shown = getattr(env, "equations_shown", None), filled(app)
    return [] if shown == env.equations_shown else [PAGE]


def fill_page(app, docname, source):
    if docname == PAGE:
        source[0] = exchange(source[0], PLACE, app.env.equations_shown, f"{PAGE}.md")


def chapters(root):
    """The chapters in their order: file name, title, and the labels of their equations."""
    toc = yaml.safe_load((root / "_toc.yml").read_text("utf8"))
    for entry in (entry for part in toc["parts"] for entry in part["chapters"]):
        path = root / f"{entry['file']}.ipynb"
        if path.exists():
            text = words_of(json.loads(path.read_text("utf8")))
            yield path.relative_to(root), TITLE.search(text)[1], LABEL.findall(text)


def tables(root, measured, address):
    """A heading and a table for each chapter that numbers equations, in Markdown, and the versions measured."""
    text = []
    for path, title, labels in chapters(root):
        for label in labels:
            if label not in measured:
                logger.warning("%s: no test ran", label, location=PAGE)
        if labels:
            rows = [
                row(label, measured.get(label, []), address, measured["faults"].get(label)) for label in labels
            ]
            text += [f"## [{title}](../{path.as_posix()})", "", HEAD, *rows, ""]
    versions = ", ".join(f"{name} {version}" for name, version in measured["versions"].items())
    return "\n".join([*text, f"Measured with {versions}.", ""])


def row(label, tests, address, faults=()):
    """One line of a table. Of several tests, the one with the largest deviation states it."""
    cells = [f'<span id="{anchor(label)}"></span>{{eq}}`{label}` `{label.removeprefix("eq:")}`']
    cells += [", ".join(f"[`{shown}`]({address}/{path}#L{line})" for shown, path, line in functions(tests))]
    cells += ["; ".join(f"[{words(test)}]({address}/{test['file']}#L{test['line']})" for test in tests)]
    measured = [test for test in tests if test["comparisons"]]
    worst = max(measured, key=lambda test: test["deviation"], default=None)
    found = [power(worst["deviation"])] if worst else []
    allowed = [power(worst["allowed"])] if worst else []
    if draws := [test["draws"] for test in tests if test.get("draws", {}).get("comparisons")]:
        deviation, sigmas, most = (
            max(each[name] for each in draws) for name in ("deviation", "sigmas", "allowed")
        )
        found += [f"over draws {power(deviation)}, which is {sigmas:.1f} standard errors"]
        allowed += [f"{most:.1f} standard errors"]
    cells += ["; ".join(found) or "a bound holds", "; ".join(allowed), "; ".join(faults or ["–"])]
    return f"| {' | '.join(cells)} |"


def anchor(label):
    return "tests-of-" + label.removeprefix("eq:").replace("_", "-")


def functions(tests):
    """(name, file, line) of the functions that the tests call, without those that only bring data or peers."""
    called = {(path, name): line for test in tests for name, (path, line) in test["functions"].items()}
    methods = {key: line for key, line in called.items() if key[0] not in HELPERS} or called
    for (path, name), line in methods.items():
        yield name, path, line


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
        page = self.app.builder.get_relative_uri(self.env.docname, PAGE)
        for equation in list(self.document.findall(nodes.math_block)):
            label = equation.get("label") or ""
            if label.startswith("eq:"):
                title = "How this equation is tested"
                link = nodes.reference("", "", internal=True, refuri=f"{page}#{anchor(label)}", reftitle=title)
                link += [nodes.inline("", "✓ "), nodes.inline("", title, classes=["visually-hidden"])]
                mark = nodes.paragraph("", "", link, classes=["tested"])
                equation.parent.replace(
                    equation, nodes.container("", equation.deepcopy(), mark, classes=["equation"])
                )


def setup(app):
    app.connect("env-get-outdated", read_again)
    app.connect("source-read", fill_page)
    app.add_post_transform(MarkEquations)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
