"""A pytest plugin for tests that sweep the chapters' observations, one sentence each.

    @pytest.mark.conclusion(
        "03:window",
        tested="a small search window is better by {limit} dB or more",
        where="three images, noise from half to twice that of the chapter",
        varies={"picture": ["photo", "wall", "brick"], "noise_std": [0.05, 0.1, 0.2], "draw": range(20)},
        names={"picture": "On the photograph", "noise_std": "moderate noise"},
        against="the whole image at its own best bandwidth",
        control="the blur, which ignores the patches",
        fails={"in strong noise": {"picture": "cat", "noise_std": 0.5, "draw": 0}},
    )
    def test_small_window_wins(picture, noise_std, draw, holds):
        ...
        holds(small - large, "dB", above=0.1, control=blur - large)

The name consists of the chapter and the observation; the cell's metadata uses it to bind the sentence.

- `holds(value, unit, above=0, below=None, control=None)` asserts that the value is above, or below, the limit. It
  is in the unit of the claim, so the ledger can show the closest call beside the limit.
- `tested` is the proposition that this asserts, if it is not the sentence itself. The ledger prints it under the
  sentence, with the limit of the run in place of `{limit}`.
- `control` describes a stupid rule, and `holds(control=…)` takes its value in the same case. It has to miss the
  limit in more than half of the cases. If it doesn't, the sweep has no power.
- `varies` maps each setting to its values, and the test runs for every combination of them. `where` says the same
  in words. A setting called `draw` or `seed` has at least twenty values.
- `names` maps settings to the words that name them in the sentence. The other settings are left to `where`.
- `fails` lists known failures. `holds` asserts the opposite there. They show where the sentence ends, so it names
  at least one of the settings by which each of them leaves the sweep.
- `against` describes what is tuned for the baselines, such as their best bandwidth.

`faults(row)` lists what a row lacks of this. `tests/conclusions/test_sentences.py` requires that no row lacks
anything, and that the test of each result fails without each hypothesis (`without=`, see `tests/result.py`).

`make test` runs the first and the last case of each sweep and the known failures. Of an expensive sweep it runs
only the closest call of the stored result, and nothing if this result is up to date. `make conclusions` runs every
sweep that has changed and updates `results.json`. The words of a mark do not count as a change.
"""

import ast
import functools
import inspect
import itertools
import json
import math
import platform
from pathlib import Path

import numpy as np
import pytest

from tools.build.imports import digest, imported

ROOT = Path(__file__).resolve().parents[1]
RESULTS = ROOT / "tests" / "conclusions" / "results.json"
EXPENSIVE = 2  # average seconds per case
DRAWS = 20  # fewest values, in a sweep, of a setting named in CHANCE
CHANCE = ("draw", "seed")
WORDS = ("against", "control", "names", "tested", "where")  # of a mark, they change no result


def pytest_addoption(parser):
    group = parser.getgroup("conclusions")
    group.addoption("--measure", action="store_true", help="run and store the sweeps that have changed")
    group.addoption("--list-conclusions", help="write each sweep and its result to this file")


def mark_of(item):
    return item.get_closest_marker("conclusion")


def pytest_generate_tests(metafunc):
    """Parametrize a test with each combination of settings; mark the cases that `make test` skips as long."""
    if mark := mark_of(metafunc.definition):
        varies = mark.kwargs["varies"]
        cases = list(itertools.product(*varies.values()))
        failing = [tuple(case[name] for name in varies) for case in mark.kwargs.get("fails", {}).values()]
        quick = quick_cases(mark, metafunc.function, cases, len(failing))
        cases += failing
        runs_long = "not long" not in metafunc.config.option.markexpr  # else, do not even make thousands of tests
        marks = {i: [] if i in quick else [pytest.mark.long] for i in range(len(cases)) if i in quick or runs_long}
        metafunc.parametrize(list(varies), [pytest.param(*cases[i], marks=mark) for i, mark in marks.items()])


def quick_cases(mark, function, cases, n_failing):
    """Return the numbers of the cases that `make test` runs, where the known failures follow all others."""
    if not is_expensive(mark):
        return {0, len(cases) - 1, *range(len(cases), len(cases) + n_failing)}
    if is_known(mark, function):
        return set()
    closest = tuple(stored()[mark.args[0]]["case"].get(name) for name in mark.kwargs["varies"])
    numbers = [i for i, case in enumerate(cases) if tuple(map(str, case)) == closest]
    return set(numbers or [0])


@pytest.fixture
def holds(request):
    """Return `holds(value, unit, above, below, control)`, which asserts the sentence or its known failure."""
    settings, stated = request.node.callspec.params, mark_of(request.node).kwargs
    chosen = {name: settings[name] for name in stated["varies"]}
    case = {name: str(value) for name, value in chosen.items()}
    fails = next((words for words, known in stated.get("fails", {}).items() if known == chosen), None)
    note = {"name": mark_of(request.node).args[0], "case": case, "key": key_of(request.function), "fails": fails}

    def check(value, unit="", above=0.0, below=None, control=None):
        def margin_of(number):
            return float(number - above if below is None else below - number)

        margin, limit = margin_of(value), float(above if below is None else below)
        measured = {"margin": margin, "value": float(value), "limit": limit, "unit": unit}
        caught = None if control is None else margin_of(control) <= 0
        request.node.user_properties.append(("conclusion", note | measured | {"caught": caught}))
        if fails:
            assert margin <= 0, f"known to fail, but holds by {margin:.3g} {unit}, where {case}"
        else:
            assert margin > 0, f"the sentence does not hold, margin {margin:.3g} {unit}, where {case}"

    return check


# What a row lacks


def faults(row):
    """Return what an observation's row lacks: a control, draws, its limit, or the name of a decisive setting."""
    result, varies, names = row["result"] or {}, row["varies"], row["names"]
    found = [f"{key}: expected at least {DRAWS} values" for key in CHANCE if 0 < len(varies.get(key, [])) < DRAWS]
    if not row["control"] or result.get("caught") is None:
        found.append("expected a stupid rule that the test runs as its control")
    elif 2 * result["caught"] <= result["cases"]:
        found.append(f"its control passes in {result['cases'] - result['caught']} of {result['cases']} cases")
    if result.get("limit") and "{limit}" not in row["tested"]:
        found.append(f"expected {{limit}} in the tested sentence, because the limit is {result['limit']:g}")
    for key, words in names.items():
        if key not in varies or words not in row["sentence"]:
            found.append(f"names: expected the words {words!r} in the sentence, for a setting of the sweep")
    for words, case in row["decisive"].items():
        if not set(case) & set(names):
            found.append(f"{words}: expected {' or '.join(case)} among the names, because it decides there")
    return found


def decisive(varies, fails):
    """Return by known failure the settings that leave the sweep there, or all if only their combination does."""
    left = {words: [key for key in varies if case[key] not in varies[key]] for words, case in fails.items()}
    return {words: keys or list(varies) for words, keys in left.items()}


# Dependencies of a result


@functools.cache
def definitions(path):
    """Return what each name at the top of a file stands for, as pairs of its syntax and the names that it uses."""
    found = {}
    for node in ast.parse(path.read_text("utf8")).body:
        names, pair = names_bound(node), (syntax(node), names_used(node))
        for name in names:
            found.setdefault(name, []).append(pair)
    return found


def names_bound(node):
    """Return the names that a statement gives to something; an import gives one only with `as`."""
    if isinstance(node, ast.Import | ast.ImportFrom):
        return [alias.asname for alias in node.names if alias.asname]
    if hasattr(node, "name"):
        return [node.name]
    return [part.id for part in ast.walk(node) if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)]


def names_used(node):
    parts = list(ast.walk(node))
    names = {part.id for part in parts if isinstance(part, ast.Name)}
    names |= {part.arg for part in parts if isinstance(part, ast.arg)}  # fixtures
    names |= {part.attr for part in parts if isinstance(part, ast.Attribute)}
    return names | {part.name.rpartition(".")[2] for part in parts if isinstance(part, ast.alias)}


def syntax(node):
    """Remove docstrings and the modules of imports from a syntax tree, and return it as text."""
    for part in ast.walk(node):
        if isinstance(part, ast.ClassDef | ast.FunctionDef):
            part.body = part.body[ast.get_docstring(part) is not None :]
        elif isinstance(part, ast.ImportFrom):
            part.module = None
    return ast.dump(node)


def test_node(name, path):
    """Return a test without what only describes it: its name and the words of its marks."""
    nodes = ast.parse(path.read_text("utf8")).body
    (node,) = [node for node in nodes if getattr(node, "name", "") == name]
    node.name = ""
    for mark in node.decorator_list:
        if isinstance(mark, ast.Call):
            mark.keywords = [word for word in mark.keywords if word.arg not in WORDS]
    return node


def code_of(name, path):
    """Return the syntax of a test and of every definition of the course that it can reach by a name.

    Names are compared without their modules, so this may include more than the test uses, but moving a definition
    to another file invalidates no result.
    """
    test = test_node(name, path)
    files = [definitions(file) for file in imported(path) if file.stem != "former_names"]  # it computes nothing
    found, seen, ahead = {syntax(test)}, set(), names_used(test)
    while ahead:
        seen |= ahead
        reached = [pair for name in ahead for named in files for pair in named.get(name, [])]
        found |= {code for code, _ in reached}
        ahead = set().union(*(names for _, names in reached)) - seen
    return sorted(found)


@functools.cache
def key_of(function):
    """Hash everything a result depends on: the code of its test and the package versions."""
    versions = f"{platform.python_version_tuple()[:2]} {np.__version__}"
    return digest("\n".join([versions, *code_of(function.__name__, Path(inspect.getfile(function)).resolve())]))


# Stored results, and what the ledger shows


def stored():
    return json.loads(RESULTS.read_text("utf8")) if RESULTS.exists() else {}


def is_known(mark, function):
    """Return whether all cases of a conclusion passed with the current code and versions."""
    return stored().get(mark.args[0], {}).get("key") == key_of(function)


def is_expensive(mark):
    result = stored().get(mark.args[0])
    return bool(result) and result["seconds"] > EXPENSIVE * result["cases"]


def entry_of(item):
    """Return the description and the result of an observation's test."""
    name, settings = mark_of(item).args[0], mark_of(item).kwargs
    file, line, _ = item.location
    return {
        "test": f"{Path(file).as_posix()}::{item.originalname}",
        "line": line + 1,
        **{part: settings.get(part, "") for part in ("where", "tested", "control")},
        "varies": {setting: [str(value) for value in values] for setting, values in settings["varies"].items()},
        "names": settings.get("names", {}),
        "against": settings["against"],
        "fails": list(settings.get("fails", {})),
        "decisive": decisive(settings["varies"], settings.get("fails", {})),
        "result": stored().get(name),
        "is_current": is_known(mark_of(item), item.function),
    }


def pytest_collection_modifyitems(config, items):
    marked = [item for item in items if mark_of(item)]
    if config.getoption("measure", False):
        chosen = [item for item in marked if not is_known(mark_of(item), item.function)]
        config.hook.pytest_deselected(items=[item for item in items if item not in chosen])
        items[:] = chosen
    if path := config.getoption("list_conclusions", None):
        entries = {mark_of(item).args[0]: entry_of(item) for item in marked}
        Path(path).write_text(json.dumps(entries, indent=1, ensure_ascii=False), "utf8")


class Results:
    """Collect the cases from all worker processes, and store each conclusion that passed in all of them."""

    def __init__(self):
        self.reports, self.notes = {}, {}

    def pytest_runtest_logreport(self, report):
        for kind, note in report.user_properties:
            if kind == "conclusion" and report.when == "call":
                self.reports.setdefault(note["name"], {})[report.nodeid] = report
                self.notes.setdefault(note["name"], []).append(note)

    def pytest_sessionfinish(self):
        results = stored()
        for name, reports in self.reports.items():
            results.pop(name, None)
            if all(report.passed for report in reports.values()):
                swept = [note for note in self.notes[name] if not note["fails"]]
                closest = min(swept, key=lambda note: note["margin"])
                seconds = math.ceil(sum(report.duration for report in reports.values()))
                kept = {part: closest[part] for part in ("margin", "value", "limit", "unit", "case", "key")}
                failing = {note["fails"]: note["value"] for note in self.notes[name] if note["fails"]}
                caught = None if closest["caught"] is None else sum(note["caught"] for note in swept)
                counts = {"cases": len(swept), "caught": caught, "seconds": seconds}
                results[name] = counts | kept | {"fails": failing}
        text = json.dumps(results, indent=1, ensure_ascii=False, sort_keys=True)
        RESULTS.write_text(f"{text}\n", "utf8")


def pytest_configure(config):
    if config.getoption("measure", False) and not hasattr(config, "workerinput"):
        config.pluginmanager.register(Results(), "results-of-conclusions")  # only the main process writes
