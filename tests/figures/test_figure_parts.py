"""What pages share: the code and photographs of their figures, and how little a second chapter costs."""

import gzip
import json
import re
import threading

import pytest
from figure_parts import LONG
from pages import CHAPTERS, TOC, open_ready, wait_for_files
from serve import QuietHandler, make_server

STATE = re.compile(r'<script type="application/vnd\.jupyter\.widget-state\+json">(.*?)</script>', re.DOTALL)
LOADED = re.compile(r"for \(const name of (\[.*?\])\)")
READING_ORDER = [TOC["root"], *(name for name in CHAPTERS if "gallery" not in name)]
SECOND_PAGE_LIMIT = 110e3  # bytes over the network, gzipped; about a third of a page are its formulas


def test_pages_with_the_same_figure_name_the_same_files(built_site):
    pages = [(built_site / f"{name}.html").read_text("utf8") for name in READING_ORDER]
    loaded = [json.loads(LOADED.search(page)[1]) for page in pages]
    parts = [{name for name in names if name.startswith("figures/")} for names in loaded]
    assert all(parts)
    assert len(parts[3] & parts[4]) >= 2, "chapters 3 and 4 show one figure, of one photograph"
    for page, own, following in zip(pages, parts, [*parts[1:], set()], strict=True):
        assert all(len(text) < LONG for text in re.findall(r'"[^"]*"', STATE.search(page)[0]))
        ahead = " ".join(re.findall(r'<meta name="next-scripts" content="([^"]*)"', page))
        assert set(re.findall(r"figures/\S+", ahead)) == following - own


class Counter(QuietHandler):
    """Counts what it sends, as if it compressed."""

    sent = {}

    def copyfile(self, source, outputfile):
        content = source.read()
        self.sent[self.path] = len(gzip.compress(content))
        outputfile.write(content)


@pytest.fixture
def counted(built_site):
    with make_server(built_site, handler=Counter) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


# The second chapter weighs most. The front page has no formulas, whose fonts weigh 150 kB.
TWO, ALL = slice(1, 3), slice(1, None)


@pytest.mark.parametrize("chapters", [TWO, pytest.param(ALL, marks=pytest.mark.long)])
def test_the_next_chapter_costs_little(chapters, counted, new_page):
    page = new_page(viewport={"width": 1280, "height": 800})
    costs = {}
    for name in READING_ORDER[chapters]:
        Counter.sent.clear()
        open_ready(page, f"{counted}/{name}.html")
        wait_for_files(page)
        costs[name] = sum(Counter.sent.values())
        assert page.locator("link[rel=prefetch]").count() == 0
        page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")  # to the end, as who turns the page
        if page.locator("meta[name=next-scripts]").count():
            page.locator("link[rel=prefetch]").first.wait_for(state="attached")
        wait_for_files(page)
    first, *others = costs.values()
    assert first < 1.5e6
    assert max(others) < SECOND_PAGE_LIMIT, json.dumps(costs)
