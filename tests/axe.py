"""What axe finds wrong on a page.

The drawn half of a formula stays out: it is hidden from screen readers, and holds no text whose contrast axe could
measure. It is most of the elements of a chapter, at each of which axe would look.
"""

from pathlib import Path

SOURCE = Path(__file__).resolve().parents[1] / "node_modules" / "axe-core" / "axe.min.js"
IS_DRAWN = """() => [...document.querySelectorAll("mjx-math")].every((formula) =>
  formula.ariaHidden === "true" && !formula.textContent && !formula.querySelector("[tabindex]"))"""
RUN = """([where, options]) => axe.run({ include: [[where]], exclude: [["mjx-math"]] },
  { ...options, resultTypes: ["violations"] }).then((found) => found.violations)"""


def run_axe(page, where="html", **options):
    """The violations in the part of a page that a selector names."""
    assert page.evaluate(IS_DRAWN)
    if not page.evaluate("'axe' in window"):
        page.evaluate(SOURCE.read_text("utf8"))  # a tag would break the site's policy
    return page.evaluate(RUN, [where, options])
