"""The ledger: what the tests measured of each numbered equation, and a mark beside the equation that leads there.

The tests marked `@pytest.mark.equation` run at each build that follows a change of `lib` or of these tests, while
the chapters are executed. `tests/ledger.py` writes down what they measured; `ledger.md` gets a table per chapter.
An equation without a test, or with a failing one, is a warning, and so breaks `make book`. The words of the last
column come from `tests/mutations`; `tools/mutate.py` tries them.
"""

import json
import os
import re
import subprocess
import sys
import time
from pathlib import Path

import yaml
from course_site import WEEK, fingerprint, imported
from docutils import nodes
from notebooks import LABEL, words_of
from page_files import exchange
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util import logging

sys.path.append(str(Path(__file__).resolve().parents[1]))
from tests.mutations import mutations  # noqa: E402

PAGE = "ledger"
PLACE = "<!-- the tables -->"  # in ledger.md
TITLE = re.compile(r"^# (.+)$", re.MULTILINE)
HELPERS = ("lib/data.py", "lib/images.py", "lib/peers.py")  # what they return is measured, not what they compute
SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")

logger = logging.getLogger(__name__)


def start_tests(app):
    """Run the tests of the equations in the background, unless nothing that they read has changed."""
    root = Path(app.confdir)
    marked = [path for path in root.glob("tests/**/test_*.py") if "mark.equation(" in path.read_text("utf8")]
    helpers = [root / "tests" / f"{name}.py" for name in ("ledger", "conftest", "standard_errors", "oracles")]
    key = fingerprint(root, [*imported(root), *marked, *helpers])
    app.ledger_file = Path(app.outdir).parent / "ledger" / f"{key}.json"
    app.ledger_run = None
    if app.ledger_file.exists():
        return
    app.ledger_file.parent.mkdir(parents=True, exist_ok=True)
    for path in app.ledger_file.parent.glob("*.json"):
        if time.time() - path.stat().st_mtime > WEEK:
            path.unlink()
    options = ["-p", "tests.ledger", f"--ledger={app.ledger_file}", "-p", "no:cacheprovider"]
    app.ledger_run = subprocess.Popen(
        [sys.executable, "-m", "pytest", *options, "-q", "-m", "equation", "-n", "2", *sorted(map(str, marked))],
        cwd=root,
        env=os.environ | {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def results(app):
    """What the tests measured, once they are done. A run that failed is not kept: the next build tries again."""
    if app.ledger_run is not None:
        output, _ = app.ledger_run.communicate()
    rows = json.loads(app.ledger_file.read_text("utf8")) if app.ledger_file.exists() else {}
    if app.ledger_run is not None and app.ledger_run.returncode:
        app.ledger_file.unlink(missing_ok=True)
        logger.warning("the tests of the equations fail:\n%s", output[-4000:], location=PAGE)
    return rows


def read_again(app, env, added, changed, removed):
    """The page, when it would say something else than at its last reading, or told of a failure then."""
    same = app.ledger_run is None and getattr(env, "ledger_told", None) == contents(app)
    return [] if same or PAGE not in env.found_docs else [PAGE]


def contents(app):
    """What the page is made of: what was measured, the chapters with their equations, and the faults."""
    root = Path(app.confdir)
    return [app.ledger_file.name, *map(repr, chapters(root)), repr(faults()), repository(app)]


def fill_page(app, docname, source):
    if docname == PAGE:
        rows = results(app)
        filled = tables(Path(app.confdir), rows, repository(app), faults())
        source[0] = exchange(source[0], PLACE, filled, f"{PAGE}.md")
        told = all(holds(rows, label) for _, _, labels in chapters(Path(app.confdir)) for label in labels)
        app.env.ledger_told = contents(app) if told else None


def holds(rows, label):
    """Whether an equation has tests, and all passed."""
    return bool(rows.get(label)) and all(test["passed"] for test in rows[label])


def repository(app):
    options = app.config.html_theme_options
    return f"{options['repository_url']}/blob/{options['repository_branch']}"


def chapters(root):
    """The chapters in their order: file name, title, and the labels of their equations."""
    toc = yaml.safe_load((root / "_toc.yml").read_text("utf8"))
    for entry in (entry for part in toc["parts"] for entry in part["chapters"]):
        path = root / f"{entry['file']}.ipynb"
        if path.exists():
            text = words_of(json.loads(path.read_text("utf8")))
            yield path.relative_to(root), TITLE.search(text)[1], LABEL.findall(text)


def faults():
    """For each label the words of its mutations: what would make a test of it fail."""
    words = {}
    for mutation in mutations():
        for label in mutation.labels:
            words.setdefault(label, []).append(mutation.words)
    return words


def tables(root, rows, address, faults=None):
    """A heading and a table for each chapter that numbers equations, in Markdown."""
    faults = {} if faults is None else faults
    text = []
    for path, title, labels in chapters(root):
        for label in labels:
            if not holds(rows, label):
                logger.warning("%s: %s", label, "a test fails" if label in rows else "no test ran", location=PAGE)
        if labels:
            text += [f"## [{title}]({path.as_posix()})", ""]
            text += [
                "| equation | computed by | checked against | largest deviation | allowed | fails if |",
                "|:--|:--|:--|:--|:--|:--|",
            ]
            text += [row(label, rows.get(label, []), address, faults.get(label, ())) for label in labels] + [""]
    return "\n".join(text)


def row(label, tests, address, faults=()):
    """One line of a table. Of several tests, the one with the largest deviation states it."""
    mark = "" if holds({label: tests}, label) else " **fails**"
    cells = [f'<span id="{anchor(label)}"></span>{{eq}}`{label}` `{label.removeprefix("eq:")}`{mark}']
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
    cells += ["; ".join(found) or "a bound holds", "; ".join(allowed), "; ".join(faults) or "–"]
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
    app.connect("builder-inited", start_tests)
    app.connect("env-get-outdated", read_again)
    app.connect("source-read", fill_page)
    app.add_post_transform(MarkEquations)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
