"""What axe finds wrong on a page.

Axe looks at each element, so what it could not judge, or has judged before, is taken out of the page. The drawn
half of a formula is hidden from screen readers and holds no text. Words of code of one class have one colour on
one ground, so the first of each class stays, and the others become plain text. These two are most of a chapter.
The words of a formula that are for the ear alone are heard in `test_walk`, and become one word here; so do the
formulas in the lines of a text, but for the first of each class. The shade that says that something scrolls goes
too: axe does not judge words on a picture, and says so nowhere.
"""

from pathlib import Path

SOURCE = Path(__file__).resolve().parents[1] / "node_modules" / "axe-core" / "axe.min.js"
IS_DRAWN = """() => [...document.querySelectorAll("mjx-math")].every((formula) =>
  formula.ariaHidden === "true" && !formula.textContent && !formula.querySelector("[tabindex]"))"""
PREPARE = """() => {
  const shades = new CSSStyleSheet();
  shades.replaceSync("article * { background-image: none !important; }");
  document.adoptedStyleSheets.push(shades);
  document.querySelectorAll("mjx-assistive-mml > math").forEach((words) => (words.textContent = "formula"));
  document.querySelectorAll("mjx-math").forEach((formula) => formula.replaceWith(formula.cloneNode(false)));
  const kinds = new Set();
  for (const formula of document.querySelectorAll("p mjx-container:not([tabindex], :has([id], [tabindex]))")) {
    if (kinds.has(formula.className)) formula.replaceWith("formula");
    kinds.add(formula.className);
  }
  const seen = new Set();
  for (const code of document.querySelectorAll("pre:has(span)")) {
    const thin = code.cloneNode(true);
    for (const word of thin.querySelectorAll("span[class]:not([id], :has(*))")) {
      if (seen.has(word.className)) word.replaceWith(word.textContent);
      seen.add(word.className);
    }
    code.replaceWith(thin);
  }
}"""
RUN = """([where, options]) => axe.run(where, { ...options, resultTypes: ["violations"] })
  .then((found) => found.violations)"""


def run_axe(page, where="html", **options):
    """The violations in the part of a page that a selector names."""
    assert page.evaluate(IS_DRAWN)
    page.evaluate(PREPARE)
    if not page.evaluate("'axe' in window"):
        page.evaluate(SOURCE.read_text("utf8"))  # a tag would break the site's policy
    return page.evaluate(RUN, [where, options])
