"""Formulas are typeset at build time: no script, no layout shift, TeX when copied, MathML for screen readers."""

import re
from types import SimpleNamespace

import pytest
from docutils import nodes
from fontTools.ttLib import TTFont
from playwright.sync_api import expect

from _ext.course import formulas
from tests.conftest import ROOT
from tests.pages import LAYOUT_SHIFT


def test_invalid_formula_is_a_located_warning(built_site, monkeypatch):
    warnings, node, typesetter = [], nodes.math("", r"\wrong < 1"), formulas.Typesetter({})
    builder = SimpleNamespace(app=SimpleNamespace(typesetter=typesetter), env=None)
    page = SimpleNamespace(body=[], builder=builder, starttag=lambda *_, **__: "<span>")
    monkeypatch.setattr(
        formulas.logger, "warning", lambda text, error, location: warnings.append((error, location))
    )
    with pytest.raises(nodes.SkipNode):
        formulas.write_inline(page, node)
    typesetter.close()
    assert r"\wrong &lt; 1</span>" in "".join(page.body), "the TeX stays"
    ((error, place),) = warnings
    assert re.search(r"\\wrong.* in the formula .*wrong", str(error)) and place is node


def test_formulas_need_no_script(site, built_site, browser):
    page = browser.new_context(java_script_enabled=False).new_page()
    page.goto(f"{site}/chapters/06_attention.html")
    shown = page.locator("div.math > mjx-container")
    assert shown.count() > 10
    assert all(shown.nth(number).bounding_box()["height"] > 15 for number in range(3))
    font = shown.first.locator("mjx-c").first.evaluate("(sign) => getComputedStyle(sign).fontFamily")
    assert font.startswith("MJXZERO")
    page.context.close()
    text = (built_site / "chapters/06_attention.html").read_text("utf8")
    assert not re.search(r"<script[^>]*mathjax", text, re.IGNORECASE)


def test_wide_formula_fades_until_scrolled(site, new_page):
    page = new_page(viewport={"width": 375, "height": 700})
    page.goto(f"{site}/chapters/04_lark.html")
    wide = page.locator("div.math > mjx-container[tabindex]").first
    expect(wide).to_have_class(re.compile("more"))
    assert "gradient" in wide.evaluate("(formula) => getComputedStyle(formula).maskImage")
    wide.evaluate("(formula) => (formula.scrollLeft = formula.scrollWidth)")
    expect(wide).not_to_have_class(re.compile("more"))


def test_every_symbol_is_in_the_style_sheet(built_site):
    sheet = (built_site / "_static" / "formulas.css").read_text("utf8")
    pages = [*built_site.glob("*.html"), *built_site.glob("[!_l]*/*.html")]
    used = {sign for path in pages for sign in re.findall(r"\bmjx-c[0-9A-F]+\b", path.read_text("utf8"))}
    assert len(used) > 100 and used <= set(re.findall(r"\bmjx-c[0-9A-F]+\b", sheet))


def test_copied_formulas_are_tex(site, page):
    page.goto(f"{site}/chapters/06_attention.html")
    copied = page.evaluate("""() => {
      getSelection().selectAllChildren(document.querySelector("#the-equation"));
      const clipboardData = new DataTransfer();
      const event = new ClipboardEvent("copy", { clipboardData, bubbles: true, cancelable: true });
      document.dispatchEvent(event);
      return event.clipboardData.getData("text/plain");
    }""")
    assert "the rows of $Q$ be the queries $q_i$ and the rows of $K$ the keys $k_j$" in copied
    assert re.search(r"\$\$w_\{ij\} = .*\\frac.*\$\$", copied, re.DOTALL) and r"\query" not in copied


@pytest.mark.parametrize("name", ["pages/references", "chapters/06_attention"])
def test_late_fonts_cause_no_layout_shift(site, new_page, name):
    page = new_page(viewport={"width": 1280, "height": 800})
    page.route(re.compile(r"\.woff2?$"), lambda route: (page.wait_for_timeout(500), route.continue_()))
    page.goto(f"{site}/{name}.html")
    page.evaluate("document.fonts.ready.then(() => true)")
    page.unroute_all(behavior="wait")
    assert page.evaluate(LAYOUT_SHIFT) < 0.05


@pytest.mark.parametrize("name", formulas.LARGE_FONTS)
def test_large_fonts_are_subset(name, built_site):
    letters = lambda folder: set(TTFont(folder / f"MathJax_{name}.woff").getBestCmap())
    sheet = (built_site / "_static" / "formulas.css").read_text("utf8")
    codes = re.findall(r"\\([0-9A-F]+)", " ".join(re.findall(r'content: "([^"]*)"', sheet)))
    plain = set(re.findall(r'content: "([^"\\])"', sheet))
    whole = letters(ROOT / "node_modules/mathjax/es5/output/chtml/fonts/woff-v2")
    kept = whole & ({int(code, 16) for code in codes} | set(map(ord, plain)))
    assert letters(built_site / "_static" / "mathjax") == kept and len(kept) > 10


WIDER = """() => [...document.querySelectorAll("article span.math")].filter((it) => it.offsetWidth).map((one) => {
  const formula = one.querySelector("mjx-math");
  const em = parseFloat(getComputedStyle(formula).fontSize);
  return (formula.scrollWidth - one.getBoundingClientRect().width) / em;
})"""


def test_formulas_without_web_fonts_are_not_cut(site, unwatched):
    """As with a font blocker, or in a sandboxed frame: signs of another font may be wider than their boxes."""
    unwatched.route(re.compile(r"\.woff2?$"), lambda route: route.abort())
    unwatched.goto(f"{site}/chapters/01_nadaraya_watson.html")
    assert max(unwatched.evaluate(WIDER)) < 1, "the margin within which `overflow: clip` shows them"
    style = """(one) => {
      const { overflowX, overflowClipMargin, fontSize } = getComputedStyle(one);
      return [overflowX, overflowClipMargin, fontSize];
    }"""
    overflow, margin, em = unwatched.locator("article span.math").first.evaluate(style)
    assert (overflow, float(margin[:-2])) == ("clip", pytest.approx(float(em[:-2]), abs=0.51))
