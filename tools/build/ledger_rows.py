"""The rows of the ledger's first part: the numbered equations of the chapters and the measurements of their tests.

`tools/build/conclusions.py` has the rows of the second. The ledger's page shows both and explains the columns.
"""

import json
import re

from tools.build.notebook_text import LABEL, words_of

TITLE = re.compile(r"^# (.+)$", re.MULTILINE)
HELPERS = ("lib/data.py", "lib/images.py")  # their results are inputs of the comparison
SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def chapters(root, measured):
    """Yield the chapters that number equations, in order, each with one row per equation."""
    for path in sorted(root.glob("chapters/*.ipynb")):
        text = words_of(json.loads(path.read_text("utf8")))
        if labels := LABEL.findall(text):
            rows = [equation(label, measured.get(label, []), measured["faults"].get(label)) for label in labels]
            yield {"file": f"chapters/{path.name}", "title": TITLE.search(text)[1], "equations": rows}


def equation(label, tests, faults):
    """Return one row. Of several tests, it quotes the one with the largest deviation."""
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
    row = {"label": label, "anchor": anchor(label), "found": found, "allowed": allowed, "faults": faults}
    return row | {"functions": functions(tests), "tests": tests}


def anchor(label):
    return "tests-of-" + label.removeprefix("eq:").replace("_", "-")


def functions(tests):
    """Return the functions that the tests call, except providers of data and reference implementations."""
    called = {(path, name): line for test in tests for name, (path, line) in test["functions"].items()}
    methods = {key: line for key, line in called.items() if key[0] not in HELPERS} or called
    return [{"against": f"`{name}`", "file": path, "line": line} for (path, name), line in methods.items()]


def power(number):
    """Format a small number as a power of ten.

    >>> power(2.9e-16), power(1e-13), power(0.02), power(0)
    ('3·10⁻¹⁶', '10⁻¹³', '0.02', '0')
    """
    if number == 0 or number >= 1e-3:
        return f"{number:.1g}"
    digit, exponent = f"{number:.0e}".split("e")
    return ("" if digit == "1" else f"{digit}·") + "10" + str(int(exponent)).translate(SUPERSCRIPTS)
