"""What axe finds wrong on a page.

Axe looks at each element, so what it could not judge, or has judged before, is taken out of the page. The drawn
half of a formula is hidden from screen readers and holds no text. Its words for the ear are heard in `test_walk`,
and become one word here. Words of one class in places of one class have one colour on one ground, so one of them
stays, and the others become plain text; and one button that copies code stays. That is most of a chapter. The
shade that says that something scrolls goes too: axe does not judge words on a picture, and says so nowhere.
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
  [...document.querySelectorAll("button.copybtn")].slice(1).forEach((button) => button.remove());
  const name = (one) => `${one.localName}.${one.className}`;
  const place = (one) => (one.localName === "article" ? "" : `${place(one.parentElement)} ${name(one)}`);
  const isPlain = (one) => one.matches("mjx-container:not([display], [tabindex])")
    || (!one.children.length && [...one.attributes].every(({ name }) => /^(class|data-.*)$/.test(name)));
  const words = "article :is(code, em, mjx-container, span, strong, wbr):not(.live-panel *)";
  const seen = new Set();
  for (const one of [...document.querySelectorAll(words)].reverse()) { // what is inside comes before what holds it
    if (!isPlain(one)) continue;
    if (seen.has(place(one))) one.replaceWith(one.textContent);
    else seen.add(place(one));
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
