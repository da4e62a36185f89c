"""The pages of the site, opened in a browser until their figures are drawn, and what axe says of them."""

import re

import yaml
from axe import run_axe
from conftest import ROOT

TOC = yaml.safe_load((ROOT / "_toc.yml").read_text("utf8"))
PAGES = [TOC["root"], *re.findall(r"file: (\S+)", (ROOT / "_toc.yml").read_text("utf8"))]
CHAPTERS = [name for name in PAGES if name.startswith("chapters/")]
WCAG = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
LAYOUT_SHIFT = """() => new Promise((resolve) => {
  new PerformanceObserver((list) => resolve(list.getEntries().reduce((sum, entry) => sum + entry.value, 0)))
    .observe({ type: "layout-shift", buffered: true });
  setTimeout(() => resolve(0), 500);
})"""


def open_ready(page, address):
    """Open a page and wait until its figures are drawn and all of it is laid out."""
    page.goto(address)
    if page.locator('script[type="application/vnd.jupyter.widget-view+json"]').count():
        page.wait_for_selector(".live-figure[data-state]")
    wait_for_layout(page)


def wait_for_layout(page):
    """Until far sections have their true height, and the keyboard reaches all that scrolls.

    The page sees to both when there is nothing else to do.
    """
    page.wait_for_selector("html.all-laid-out", state="attached")


def violations(page, rules=WCAG):
    """What axe finds on the page against these rules."""
    return [
        f"{violation['id']}: {node['html'][:200]} {node['failureSummary']}"
        for violation in run_axe(page, runOnly=rules)
        for node in violation["nodes"]
    ]
