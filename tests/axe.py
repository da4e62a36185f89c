"""Accessibility violations that axe finds on a page.

Axe examines every element, so elements that it cannot judge, or has judged already, are removed first. The visual
half of a formula is hidden from screen readers and has no text; `test_keyboard_navigation` checks the spoken half,
which is reduced to one word here. Texts of one class inside parents of one class have the same colour and
background, so one is kept and the rest become plain text; one copy button is kept. That covers most of a chapter.
Scroll shadows are removed too, because axe silently skips text on a background image.
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
  for (const one of [...document.querySelectorAll(words)].reverse()) { // descendants before their ancestors
    if (!isPlain(one)) continue;
    if (seen.has(place(one))) one.replaceWith(one.textContent);
    else seen.add(place(one));
  }
}"""
RUN = """([where, options]) => axe.run(where, { ...options, resultTypes: ["violations"] })
  .then((found) => found.violations)"""


def run_axe(page, where="html", **options):
    """Return the violations inside the element that a selector matches."""
    assert page.evaluate(IS_DRAWN)
    page.evaluate(PREPARE)
    if not page.evaluate("'axe' in window"):
        page.evaluate(SOURCE.read_text("utf8"))  # a script tag would violate the site's policy
    return page.evaluate(RUN, [where, options])
