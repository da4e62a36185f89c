"""Formulas are set when the site is built: no script, no jump, the TeX for who copies, MathML for who listens."""

import re
from io import StringIO
from pathlib import Path
from types import SimpleNamespace

import formulas
import pytest
from conftest import ROOT
from docutils import nodes
from fontTools.ttLib import TTFont
from playwright.sync_api import expect

MACROS = {"query": [r"\class{query}{#1}", 1]}


@pytest.fixture(scope="module")
def typesetter(request):
    if not (ROOT / "node_modules" / "mathjax").exists():
        request.getfixturevalue("built_site")
    typesetter = formulas.Typesetter(MACROS)
    yield typesetter
    typesetter.close()


def written(typesetter, node):
    """What a page gets for a formula."""
    app = SimpleNamespace(typesetter=typesetter)
    page = SimpleNamespace(
        body=[], builder=SimpleNamespace(app=app, env=None, config=SimpleNamespace(numfig=False))
    )
    page.starttag = lambda node, name, *rest, CLASS: f'<{name} class="{CLASS}">'
    page.add_permalink_ref = lambda node, words: page.body.append("<a>#</a>")
    visit = formulas.write_display if isinstance(node, nodes.math_block) else formulas.write_inline
    with pytest.raises(nodes.SkipNode):
        visit(page, node)
    return "".join(page.body)


def test_a_formula_is_set_with_its_tex_as_the_source_has_it(typesetter):
    inline = written(typesetter, nodes.math("", r"\query{q} < 1", tex="q < 1"))
    assert inline.startswith('<span class="math notranslate nohighlight" data-tex="q &lt; 1"><mjx-container')
    assert re.search(r'<mjx-mi class="mjx-i query"', inline) and inline.endswith("</mjx-container></span>")
    display = written(typesetter, nodes.math_block("", r"x = \frac{1}{2} \\ y", number=None))
    assert "<mfrac>" in display and display.count("<mtr>") == 2 and display.endswith("</mjx-container></div>\n")
    assert display.count("<mjx-container") == display.count("<math ") == 1


def test_the_sheet_has_the_signs_of_the_pages_and_no_other(typesetter):
    sheet = formulas.sheet_of([typesetter.typeset("q", False)], typesetter.sheet())
    assert "mjx-c1D45E" in sheet, "the sign q"
    assert "mjx-c1D44E" not in sheet, "the sign a, which the page lacks"


def test_a_formula_is_set_once(typesetter):
    once = typesetter.typeset("q^2", False)
    typesetter.ask = None
    assert typesetter.typeset("q^2", False) is once
    del typesetter.ask


def test_a_wrong_formula_is_a_warning_at_its_place(typesetter, monkeypatch):
    warnings, node = [], nodes.math("", r"\wrong < 1")
    monkeypatch.setattr(
        "formulas.logger.warning", lambda text, error, location: warnings.append((error, location))
    )
    assert r"\wrong &lt; 1</span>" in written(typesetter, node), "the TeX stays"
    ((error, place),) = warnings
    assert re.search(r"\\wrong.* in the formula .*wrong", str(error)) and place is node


def test_a_node_that_has_ended_stops_the_build():
    typesetter = formulas.Typesetter({"wrong": 1})
    typesetter.close()
    typesetter.node = SimpleNamespace(stdin=StringIO(), stdout=StringIO())
    with pytest.raises(RuntimeError, match="expected MathJax to answer .* but node ended"):
        typesetter.typeset("q", False)


def test_pages_need_no_script_for_formulas(site, built_site, browser):
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


def test_a_wide_formula_fades_until_its_end_is_seen(site, new_page):
    page = new_page(viewport={"width": 375, "height": 700})
    page.goto(f"{site}/chapters/04_lark.html")
    wide = page.locator("div.math > mjx-container[tabindex]").first
    expect(wide).to_have_class(re.compile("more"))
    assert "gradient" in wide.evaluate("(formula) => getComputedStyle(formula).maskImage")
    wide.evaluate("(formula) => (formula.scrollLeft = formula.scrollWidth)")
    expect(wide).not_to_have_class(re.compile("more"))


def test_every_sign_has_its_rule(built_site):
    sheet = (built_site / "_static" / "formulas.css").read_text("utf8")
    pages = [*built_site.glob("*.html"), *built_site.glob("[!_l]*/*.html")]
    used = {sign for path in pages for sign in re.findall(r"\bmjx-c[0-9A-F]+\b", path.read_text("utf8"))}
    assert len(used) > 100 and used <= set(re.findall(r"\bmjx-c[0-9A-F]+\b", sheet))


def test_what_is_copied_is_tex(site, page):
    page.goto(f"{site}/chapters/06_attention.html")
    copied = page.evaluate("""() => {
      getSelection().selectAllChildren(document.querySelector("#the-equation"));
      const clipboardData = new DataTransfer();
      const event = new ClipboardEvent("copy", { clipboardData, bubbles: true, cancelable: true });
      document.dispatchEvent(event);
      return event.clipboardData.getData("text/plain");
    }""")
    assert "The rows of $Q$ are queries $q_i$, and the rows of $K$ are keys $k_j$." in copied
    assert re.search(r"\$\$w_\{ij\} = .*\\frac.*\$\$", copied, re.DOTALL) and r"\query" not in copied


@pytest.mark.parametrize(
    "name", ["pages/references", "teaching/assigning", "pages/methods", "chapters/06_attention"]
)
def test_fonts_that_come_late_move_nothing(site, new_page, name):
    page = new_page(viewport={"width": 1280, "height": 800})
    page.route(re.compile(r"\.woff2?$"), lambda route: (page.wait_for_timeout(500), route.continue_()))
    page.goto(f"{site}/{name}.html")
    page.evaluate("document.fonts.ready.then(() => true)")
    page.unroute_all(behavior="wait")
    shift = page.evaluate("""() => new Promise((resolve) => {
      new PerformanceObserver((list) => resolve(list.getEntries().reduce((sum, entry) => sum + entry.value, 0)))
        .observe({ type: "layout-shift", buffered: true });
      setTimeout(() => resolve(0), 500);
    })""")
    assert shift < 0.05


def test_the_style_sheet_names_files_that_are_there(built_site):
    sheet = built_site / "_static" / "formulas.css"
    addresses = re.findall(r'url\("([^"]+)"\)', sheet.read_text("utf8"))
    assert addresses and all((sheet.parent / Path(address)).exists() for address in addresses)


@pytest.mark.parametrize("name", formulas.LARGE_FONTS)
def test_a_large_font_keeps_the_letters_that_are_set_and_no_other(name, built_site):
    letters = lambda folder: set(TTFont(folder / f"MathJax_{name}.woff").getBestCmap())
    sheet = (built_site / "_static" / "formulas.css").read_text("utf8")
    codes = re.findall(r"\\([0-9A-F]+)", " ".join(re.findall(r'content: "([^"]*)"', sheet)))
    plain = set(re.findall(r'content: "([^"\\])"', sheet))
    whole = letters(ROOT / "node_modules/mathjax/es5/output/chtml/fonts/woff-v2")
    kept = whole & ({int(code, 16) for code in codes} | set(map(ord, plain)))
    assert letters(built_site / "_static" / "mathjax") == kept and len(kept) > 10
