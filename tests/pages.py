"""Open the site's pages in a browser, wait until their figures are drawn, and check them with axe."""

import re

import pytest
import yaml

from tests.axe import run_axe
from tests.conftest import ROOT

TOC = yaml.safe_load((ROOT / "_toc.yml").read_text("utf8"))
PAGES = [TOC["root"], *re.findall(r"file: (\S+)", (ROOT / "_toc.yml").read_text("utf8"))]
CHAPTERS = [name for name in PAGES if name.startswith("chapters/")]
NUMBERED = [name for name in CHAPTERS if re.match(r"chapters/\d", name)]
WCAG = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
LAYOUT_SHIFT = """() => new Promise((resolve) => {
  new PerformanceObserver((list) => resolve(list.getEntries().reduce((sum, entry) => sum + entry.value, 0)))
    .observe({ type: "layout-shift", buffered: true });
  setTimeout(() => resolve(0), 500);
})"""


# Sections without a layout, punctuation that begins a line after a formula, and text that is cut off.
FAR = """() => [...document.querySelectorAll(".bd-article > section > section")]
  .filter((section) => getComputedStyle(section).contentVisibility === "auto").length"""
LONE = r"""() => {
  const faults = [];
  for (const formula of document.querySelectorAll("article span.math")) {
    if (!formula.offsetWidth || formula.closest("table")) continue;
    const end = formula.getBoundingClientRect();
    const text = formula.nextSibling;
    if (text?.nodeType !== Node.TEXT_NODE || !/^[^\s]/.test(text.data)) continue;
    const range = document.createRange();
    range.setStart(text, 0);
    range.setEnd(text, 1);
    const sign = range.getBoundingClientRect();
    if (sign.left < end.left && sign.top > end.top) faults.push(formula.dataset.tex + text.data.slice(0, 12));
  }
  return faults;
}"""
CUT = """() => [...document.querySelectorAll("article *")].filter((one) => {
  const style = getComputedStyle(one);
  if (!one.offsetWidth || one.scrollWidth <= one.clientWidth + 2 || one.closest(".live-panel")) return false;
  if (style.display === "inline" || one.matches(".visually-hidden, span.math")) return false;
  if (!/auto|scroll|hidden/.test(style.overflowX) || one.matches("mjx-assistive-mml, .copybtn")) return false;
  return !style.backgroundImage.includes("gradient") && !style.maskImage.includes("gradient");
}).map((one) => `${one.localName}.${one.className}: ${one.textContent.slice(0, 60)}`)"""


def mark_variants(names, pages=PAGES):
    """Parametrize a test with pages or figures; the named ones run with `make test-variants`."""
    marked = [pytest.param(name, marks=pytest.mark.variant if name in names else ()) for name in pages]
    return pytest.mark.parametrize("name", marked)


def open_ready(page, address):
    """Open a page, and wait until its figures are drawn and all of it is laid out."""
    page.goto(address)
    if page.locator('script[type="application/vnd.jupyter.widget-view+json"]').count():
        page.wait_for_selector(".live-figure[data-state]")
    wait_for_layout(page)


def is_narrow(page):
    return page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")


def guide_links(name):
    """Return the page and the setting of each link to a figure in a chapter's teaching guide."""
    guide = (ROOT / "teaching" / f"guide_{name.split('/')[1][:2]}.md").read_text("utf8")
    return re.findall(r'<a href="\.\./(chapters/\w+)\.html(#[^"]+)">', guide)


def wait_for_files(page):
    """Wait until no file has arrived for half a second. On a busy machine "networkidle" may never occur."""
    page.evaluate("""() => new Promise((resolve) => {
      let last;
      const look = () => {
        const now = performance.getEntriesByType("resource").length;
        if (now === last) return resolve();
        last = now;
        setTimeout(look, 500);
      };
      look();
    })""")


def wait_for_layout(page):
    """Wait until the page has laid out the sections off screen and made scrollable elements focusable.

    It does both when the browser is idle, and then sets the class `all-laid-out`.
    """
    page.wait_for_selector("html.all-laid-out", state="attached")


def violations(page, rules=WCAG):
    return [
        f"{violation['id']}: {node['html'][:200]} {node['failureSummary']}"
        for violation in run_axe(page, runOnly=rules)
        for node in violation["nodes"]
    ]


def until(holds, page):
    """Wait up to a minute for something the page does when it is idle."""
    for _ in range(300):
        if holds():
            break
        page.wait_for_timeout(200)
