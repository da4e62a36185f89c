"""Files that pages share: the code and photographs of their figures, and how little a second chapter downloads."""

import gzip
import json
import re
import threading

import pytest

from _ext.course.widget_assets import LONG
from lib import figures
from lib.images import digits
from tests.gestures import SET, settled
from tests.pages import NUMBERED, TOC, open_ready, until, wait_for_files
from tools.build.figure_page import figure_page
from tools.build.serve import QuietHandler, make_server

STATE = re.compile(r'<script type="application/vnd\.jupyter\.widget-state\+json">(.*?)</script>', re.DOTALL)
LOADED = re.compile(r"for \(const name of (\[.*?\])\)")
READING_ORDER = [TOC["root"], *NUMBERED]
SECOND_PAGE_LIMIT = 120e3  # bytes over the network, gzipped; formulas are about a third of a page


def test_pages_with_same_figure_share_files(built_site):
    pages = [(built_site / f"{name}.html").read_text("utf8") for name in READING_ORDER]
    loaded = [json.loads(LOADED.search(page)[1]) for page in pages]
    parts = [{name for name in names if name.startswith("figures/")} for names in loaded]
    assert all(parts)
    assert len(parts[3] & parts[4]) >= 2, "chapters 3 and 4 share a figure and a photograph"
    for page, own, following in zip(pages, parts, [*parts[1:], set()], strict=True):
        assert all(len(text) < LONG for text in re.findall(r'"[^"]*"', STATE.search(page)[0]))
        ahead = " ".join(re.findall(r'<meta name="next-scripts" content="([^"]*)"', page))
        assert set(re.findall(r"figures/\S+", ahead)) == following - own


class Counter(QuietHandler):
    """Count the bytes sent, as if compressed."""

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


# The second chapter is the largest. The front page has no formulas, whose fonts are 150 kB.
TWO, ALL = slice(1, 3), slice(1, None)


@pytest.mark.variant
@pytest.mark.parametrize("chapters", [TWO, pytest.param(ALL, marks=pytest.mark.long)])
def test_second_chapter_downloads_little(chapters, counted, new_page):
    page = new_page(viewport={"width": 1280, "height": 800})
    costs = {}
    for name in READING_ORDER[chapters]:
        Counter.sent.clear()
        open_ready(page, f"{counted}/{name}.html")
        wait_for_files(page)
        costs[name] = sum(Counter.sent.values())
        assert page.locator("link[rel=prefetch]").count() == 0
        page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")  # half of it triggers the prefetch
        if page.locator("meta[name=next-scripts]").count():
            page.locator("link[rel=prefetch]").first.wait_for(state="attached")
        wait_for_files(page)
    first, *others = costs.values()
    assert first < 0.6e6
    assert max(others) < SECOND_PAGE_LIMIT, json.dumps(costs)


@pytest.mark.parametrize(
    "name, address, part, handle, scheme",
    [
        ("chapters/08_language_model", "language-model", "model_lazy", ".query-handle", "file"),
        ("chapters/09_diffusion", "diffusion", "pictures_lazy", ".pixel-handle", "http"),
        ("pages/your_data", "your-text", "model_lazy", ".query-handle", "http"),
    ],
)
def test_large_assets_load_lazily_once(name, address, part, handle, scheme, site, built_site, page):
    source = (built_site / f"{name}.html").read_text("utf8")
    script = re.search(rf'"{part}":\s*\{{[^}}]*"script":\s*"[^"]*/([^"/]+)"', source)[1]
    asked, figure = [], f"[data-address={address}]"
    page.on("request", lambda request: asked.append(request.url.split("/")[-1]))
    open_ready(page, f"{site if scheme == 'http' else built_site.as_uri()}/{name}.html")
    page.locator(figure).scroll_into_view_if_needed()
    page.wait_for_selector(f"{figure}[data-state]")
    page.screenshot()  # a frame is drawn, so visible figures are known
    before = settled(page, figure)
    assert len(before["weights"]) > 0 and script not in asked
    page.locator(f"{figure} {handle}").focus()
    page.keyboard.press("ArrowLeft")
    until(lambda: script in asked, page)
    until(lambda: settled(page, figure) != before, page)
    assert settled(page, figure) != before and asked.count(script) == 1


DROP_ON_PAGE = """([place, files]) => {
  const data = new DataTransfer(), target = document.querySelector(place);
  for (const [name, type, content] of files) data.items.add(new File([content], name, { type }));
  for (const kind of ["dragover", "drop"]) {
    const event = new DragEvent(kind, { dataTransfer: data, bubbles: true, cancelable: true });
    if (target.dispatchEvent(event)) throw Error(`the browser would take the ${kind} of ${files[0][0]}`);
    if (kind === "dragover") window.overlay = document.querySelector(".lf-drop-page").textContent;
  }
}"""
NUMBERS = ("a.txt", "text/plain", "1,5\n2,6\n3,8\n4,7\n")
PROSE = ("tale.txt", "text/plain", "Once there was a King, who had 2 sons.")
NO_PICTURE = ("a.png", "image/png", "no picture")


def test_file_dropped_anywhere_finds_its_figure(tmp_path, page):
    makers = ("your_points_figure", "your_photo_figure", "your_text_figure", "your_pictures_figure")
    html = figure_page(*(getattr(figures, name)().figure for name in makers))
    (tmp_path / "page.html").write_text(html.replace("<main>", "<h1>Your data</h1><main>"), "utf8")
    page.goto((tmp_path / "page.html").as_uri())
    page.wait_for_function("document.querySelectorAll('[data-takes]').length === 4")
    says = lambda figure, words: page.locator(f"[data-address={figure}] .lf-problem", has_text=words).wait_for()
    for place in ("h1", "[data-address=your-text] .lf-stage"):
        page.evaluate(DROP_ON_PAGE, [place, [NO_PICTURE]])
        assert page.evaluate("overlay") == "Drop a table, a photograph, a text or pictures anywhere"
        assert page.locator(".lf-drop-page").count() == 0
        says("your-photo", "got text")
        page.evaluate(DROP_ON_PAGE, [place, [NO_PICTURE, NO_PICTURE]])
        says("your-pictures", "Expected")
    page.evaluate(DROP_ON_PAGE, ["h1", [NUMBERS]])
    until(lambda: settled(page, "[data-address=your-points]")["values"] == [5, 6, 8, 7], page)
    page.evaluate(DROP_ON_PAGE, ["[data-address=your-photo] .lf-stage", [PROSE]])
    until(lambda: page.locator("[data-address=your-text] textarea").input_value() == PROSE[2], page)
    page.evaluate(DROP_ON_PAGE, ["h1", [("a.xlsx", "", "1,2\n3,4")]])
    says("your-points", "got 2")


def without_part(make, name, *arguments):
    figure = make(*arguments).figure
    setattr(figure, name, {"lazy": "abc", "script": "data:text/javascript,0"})
    return figure


def without_worker(make, *arguments):
    figure = make(*arguments).figure
    figure.worker_code = "self.onmessage = () => { throw new Error('as it may'); };"
    return figure


@pytest.mark.parametrize(
    "make, change, words",
    [
        (lambda: without_part(figures.language_model_figure, "model_lazy"), {"text": "King"}, "not be loaded"),
        (lambda: without_part(figures.head_map_figure, "weights_lazy"), {"dot": 10}, "not be loaded"),
        (
            lambda: without_part(figures.diffusion_figure, "pictures_lazy", digits()[:9]),
            {"noise_index": 1},
            "not be loaded",
        ),
        (lambda: without_worker(figures.diffusion_figure, digits()[:9]), {"compare_index": 3}, "not be compared"),
    ],
)
def test_failed_assets_are_reported(make, change, words, show):
    page = show(make())
    page.evaluate(SET, change)
    page.locator(".live-figure").get_by_text(re.compile(words)).first.wait_for()
    page.wait_for_selector("[data-pending]", state="detached")


COUNT_WORKERS = "window.workers = 0; window.Worker = class { constructor() { workers += 1; } postMessage() {} };"


@pytest.mark.parametrize("leave, workers", [("", 1), ("takeAway();", 0)])
def test_figure_removed_during_loading_starts_no_worker(leave, workers, page, tmp_path):
    figure = figures.language_model_figure().figure
    figure.model_lazy = {"lazy": "abc", "script": "lazy.js"}
    (tmp_path / "lazy.js").write_text(f"{leave} figureParts.abc = {{}};")
    (tmp_path / "figure.html").write_text(figure_page(figure), "utf8")
    page.add_init_script(COUNT_WORKERS)
    page.goto((tmp_path / "figure.html").as_uri())
    page.wait_for_selector("[data-state]")
    page.evaluate("model.set('text', 'The King')")  # not covered by the stored answer
    page.wait_for_function("window.figureParts?.abc")
    page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    assert page.evaluate("workers") == workers
