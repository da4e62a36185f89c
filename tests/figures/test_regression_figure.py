"""The figure of chapter 1 in a browser: numbers compared with `lib`, input, links, sliders."""

import itertools
import json

import numpy as np
import pytest
from playwright.sync_api import expect

from lib.data import noisy_sine
from lib.figures import regression_figure
from lib.figures.contract.settings import Grid
from lib.kernels import log_radial_kernel
from lib.weights import average, softmax
from tests.figures.contract import ghosts
from tests.gestures import after_keys, change, drag, has_focus, middle, said, state
from tests.pages import open_ready, until
from tests.without_page import states
from tools.build.figure_page import figure_page

KERNEL_NAMES = ["gaussian", "boxcar", "triangular", "epanechnikov", "constant", "softmax-dot"]
KEYS, VALUES, TRUTH = noisy_sine(41, rng=np.random.default_rng(3))


def example(**changes):
    arguments = {"query": 1.5, "bandwidth": 0.7, "truth": TRUTH, "key_range": (-1, 6), "temperature": 2.0}
    return regression_figure(KEYS, VALUES, **{**arguments, **changes}).figure


def log_weights(setting):
    query, keys = np.array([setting["query"]]), np.array(setting["keys"])
    if setting["kernel"] == "softmax-dot":
        return query[:, None] * keys / setting["temperature"]
    return log_radial_kernel(query, keys, setting["bandwidth"], setting["kernel"])


def assert_matches_lib(setting):
    weights = softmax(log_weights(setting))
    expected = average(weights, np.array(setting["values"]))[0]
    shown = np.nan if setting["estimate"] is None else setting["estimate"]
    np.testing.assert_allclose(shown, expected, rtol=1e-9, atol=1e-9)
    carried = np.cumsum(np.sort(weights[0])[::-1])
    assert setting["keys_for_90_percent"] == (np.argmax(carried >= 0.9 - 1e-12) + 1 if carried[-1] else 0)


@pytest.mark.parametrize("low, high", [(-0.13, 5.02), (2.4, 57.6), (1e6, 1e6 + 7), (-3e-4, 2e-4)])
def test_grid_covers_range_in_whole_steps(low, high):
    grid = Grid.over(low, high)
    assert grid.low <= low + 1e-9 and high - 1e-9 <= grid.high
    assert 200 <= (grid.high - grid.low) / grid.step <= 2010
    for value in [grid.low, grid.high, low + (high - low) / 3]:
        steps = (grid.nearest(value) - grid.low) / grid.step
        assert steps == pytest.approx(round(steps), abs=1e-6)
        assert abs(grid.nearest(value) - value) <= grid.step / 2 * (1 + 1e-6)
    assert grid.nearest(high + 100) == grid.high and grid.nearest(low - 100) == grid.low


def test_grid_decimals_and_panel_text_fallback():
    for step, decimals in [(10, 0), (1.5, 1), (0.05, 2), (0.014, 3), (1e-9, 9)]:
        grid, places = Grid(0, 7 * step, step), [i * step for i in range(8)]
        assert grid.decimals == decimals
        assert [grid.nearest(place) for place in places] == pytest.approx(places, rel=1e-12)
    text = regression_figure([2.0], [3.0], question="Why?")._repr_mimebundle_()["text/plain"]
    assert "Why?" in text and "browser" in text


SETTINGS = [(q, h) for q in [-1.0, -0.31, 0.0, 1.5, 2.02, 4.99, 6.0] for h in [0.01, 0.13, 0.7, 3.5]]


def test_numbers_match_lib_and_sentence(show):
    page = show()
    now = state(page)
    number, estimate = f"{now['keys_for_90_percent']} of 41 keys", f"Estimate {now['estimate']:.2f}"
    for words in ("Gaussian kernel, h = 0.70", "Query 1.50", number, estimate):
        assert words in said(page)
    for kernel in KERNEL_NAMES:
        gaps = 0
        for query, bandwidth in SETTINGS:
            setting = change(page, query=query, bandwidth=bandwidth, kernel_index=KERNEL_NAMES.index(kernel))
            assert (setting["query"], setting["bandwidth"], setting["kernel"]) == (query, bandwidth, kernel)
            assert (setting["keys"], setting["values"]) == (KEYS.tolist(), VALUES.tolist())
            assert_matches_lib(setting)
            gaps += setting["estimate"] is None
        assert (gaps > 0) == (kernel in ("boxcar", "triangular", "epanechnikov"))

    now = change(page, query=-1.0, bandwidth=0.1, kernel_index=KERNEL_NAMES.index("boxcar"))
    assert now["estimate"] is None
    assert "no key within h" in said(page)
    assert page.locator(".nothing").get_attribute("visibility") == "visible"
    assert page.locator(".diamond").is_hidden()
    assert page.locator(".curve").get_attribute("d").count("M") > 1
    assert page.locator(".stems").get_attribute("d") == ""
    keys = np.linspace(-3, 3, 13)
    show(regression_figure(keys, np.tanh(keys), query=0.5, kernel="softmax-dot", temperature=1).figure)
    assert "key 3.00" in said(page) and "not the nearest" in said(page)
    assert page.locator(".reach-handle").is_hidden()


NEXT_FRAME = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"


def test_hidden_figure_is_drawn_without_layout_shift(show):
    page = show()
    place = lambda: page.locator(".lf-foot").bounding_box()["y"]
    page.locator(".lf-sentence").evaluate("(one) => (one.textContent = 'Many words. '.repeat(60))")
    page.evaluate(NEXT_FRAME)
    low = place()
    change(page, query=2.25)
    assert "Many" not in page.locator(".lf-sentence").inner_text()
    page.evaluate(NEXT_FRAME)
    assert place() == low
    page.set_viewport_size({"width": 700, "height": 800})  # a different width and height
    page.evaluate(NEXT_FRAME)
    assert place() < low
    hide = "(hidden) => { document.querySelector('main').hidden = hidden; }"
    page.evaluate(hide, True)
    page.evaluate(NEXT_FRAME)
    page.evaluate("model.set('query', 3)")
    page.evaluate(NEXT_FRAME)
    assert state(page)["query"] == 2.25
    page.evaluate(hide, False)
    page.wait_for_function("JSON.parse(document.querySelector('.live-figure').dataset.state).query === 3")
    page.evaluate("""() => {
      for (const name of ["live-regression", "live-other"]) {
        const image = new Image(5, 5);
        image.src = `data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg'/>#_images/${name}.svg`;
        document.body.append(image);
      }
    }""")
    assert [image.is_visible() for image in page.locator("img").all()] == [False, True]  # still, other


def test_near_touch_presses_button_ignoring_second_finger(new_page, show):
    page = show(example(), page=new_page(viewport={"width": 700, "height": 800}, has_touch=True))
    box = page.locator(".lf-actions button").first.bounding_box()
    assert box["height"] >= 24
    for y in (box["y"] - 7, box["y"] + box["height"] + 7):
        at = [box["x"] + box["width"] / 2, y]
        assert page.evaluate("([x, y]) => document.elementFromPoint(x, y).textContent", at) == "Play"
    x, y = middle(page, ".pill")
    touches = page.context.new_cdp_session(page)

    def touch(kind, *points):
        at = [{"x": x, "y": y, "id": i} for i, (x, y) in enumerate(points)]
        touches.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": at})
        page.evaluate(NEXT_FRAME)

    touch("touchStart", (x, y))
    touch("touchMove", (x + 60, y))
    held = state(page)["query"]
    assert held > 1.6
    touch("touchStart", (x + 60, y), (x + 200, y + 2))
    touch("touchMove", (x + 60, y), (x + 240, y + 2))
    assert state(page)["query"] == held
    touch("touchMove", (x + 60, y))  # the second finger is lifted
    touch("touchMove", (x + 75, y))
    touch("touchMove", (x + 90, y))
    assert state(page)["query"] > held
    touch("touchEnd")


def test_drag_without_pointerup_ends(show):
    page = show()
    page.evaluate("""document.addEventListener("pointerdown", ({ pointerId, target }) => {
      const canvas = target.closest(".canvas");
      setTimeout(() => canvas.releasePointerCapture(pointerId));
    }, { once: true })""")
    x, y = middle(page, ".pill")
    page.mouse.move(x, y)
    page.mouse.down()
    page.wait_for_function("![1, 2, 3].some((id) => document.querySelector('.canvas').hasPointerCapture(id))")
    page.mouse.move(2, 2)
    page.mouse.up()  # outside the figure, which receives no event
    before = state(page)
    page.mouse.move(x + 200, y)
    assert state(page) == before and page.locator(".lf-dragging").count() == 0
    drag(page, ".pill", 100)
    assert state(page)["query"] > before["query"]


def test_mouse_moves_handles_and_ghosts_persist(show):
    page = show()
    per_unit = (page.locator(".canvas").bounding_box()["width"] - 58) / 7
    drag(page, ".pill", 100)
    moved = state(page)
    assert moved["query"] == pytest.approx(1.5 + 100 / per_unit, abs=0.01)
    assert_matches_lib(moved)
    assert moved["keys"] == KEYS.tolist()
    line = float(page.locator(".query-line").get_attribute("x1"))
    assert line == pytest.approx(44 + (moved["query"] + 1) * per_unit, abs=0.01)
    box = page.locator(".canvas").bounding_box()
    for x, query in [(44 + 3 * per_unit, 2.0), (box["width"] - 1, 6.0)]:
        page.mouse.click(box["x"] + x, box["y"] + box["height"] - 80)
        assert state(page)["query"] == pytest.approx(query, abs=0.02)
    before = state(page)
    page.mouse.click(*middle(page, ".hits circle:nth-child(4)"))
    assert page.locator(".key-handle").get_attribute("aria-label").startswith("Point 4 of 41")
    assert state(page) == before, "a click selects a point without moving it"
    drag(page, ".hits circle", 60, -40)
    after = state(page)
    assert after["query"] == before["query"]
    assert after["keys"][1:] == before["keys"][1:] and after["values"][1:] == before["values"][1:]
    assert after["keys"][0] > before["keys"][0] + 0.3 and after["values"][0] > before["values"][0] + 0.3
    assert after["keys"][0] == round(after["keys"][0], 2)
    assert_matches_lib(after)
    page.get_by_role("button", name="Reset").click()
    drag(page, ".reach-handle", per_unit * 0.7)
    now = state(page)
    assert now["bandwidth"] == pytest.approx(1.4, abs=0.02) and now["query"] == 1.5
    assert_matches_lib(now)
    drag(page, ".reach-handle", -500)
    assert state(page)["bandwidth"] > 0
    page.get_by_role("button", name="Reset").click()
    seen = set()  # a ghost stays during a gesture and is replaced by the next
    x, y = middle(page, ".pill")
    page.mouse.move(x, y)
    page.mouse.down()
    for right in (20, 60, 90):
        page.mouse.move(x + right, y)
        seen.add(ghosts(page)[-1])
    page.mouse.up()
    assert len(seen) == 1
    drag(page, ".pill", 30)
    assert ghosts(page)[-1] not in seen


def test_keyboard_moves_query_and_points(show):
    page = show()
    keys = "ArrowRight ArrowUp ArrowLeft ArrowDown Shift+ArrowRight Home ArrowLeft End".split()
    queries = [now["query"] for now in after_keys(page, ".query-handle", *keys)]
    assert queries == [1.51, 1.52, 1.51, 1.5, 1.6, -1.0, -1.0, 6.0]
    assert page.locator(".query-handle").get_attribute("aria-valuenow") == "6"
    page.keyboard.press("Tab")
    handle = page.locator(".key-handle")
    assert has_focus(page, ".key-handle")
    page.keyboard.press("PageDown")
    assert handle.get_attribute("aria-label").startswith("Point 2 of 41")
    *_, now = after_keys(page, ".key-handle", "ArrowRight", "Shift+ArrowUp")
    assert now["keys"][1] == pytest.approx(KEYS[1] + 0.01, abs=0.0051)
    assert now["values"][1] == pytest.approx(VALUES[1] + 0.1, abs=0.0051)
    assert handle.get_attribute("aria-valuenow") == f"{now['keys'][1]:g}"
    after_keys(page, ".key-handle", "PageUp", "PageUp")
    assert handle.get_attribute("aria-label").startswith("Point 41 of 41")
    assert_matches_lib(now)
    now = state(show(address="#regression=query:99,bandwidth:0.333,keys:0/77;500/1;x/y"))
    assert (now["query"], now["bandwidth"], now["keys"][0]) == (6.0, 0.33, 6.0)  # on the grid and in range
    assert page.evaluate("model.get('query')") == 6
    assert_matches_lib(now)


# The figure's timer, which writes the URL, runs between a link and its event.
FOLLOW_BEFORE_TIMER = """async (hash) => {
  const late = [], later = setTimeout;
  window.setTimeout = (act, pause) => (pause > 100 ? late.push(act) : later(act, pause));
  model.set("query", 2);
  window.setTimeout = later;
  location.hash = hash;
  late.forEach((act) => act());
}"""


def test_link_followed_before_url_is_written_is_kept(show):
    page = show()
    page.evaluate(FOLLOW_BEFORE_TIMER, "#regression=query:1")
    until(lambda: state(page)["query"] == 1, page)
    assert state(page)["query"] == 1 and page.evaluate("location.hash") == "#regression=query:1"
    change(page, query=2.5)
    until(lambda: "query:2.5" in page.evaluate("location.hash"), page)
    assert "query:2.5" in page.evaluate("location.hash")


def test_two_figures_are_independent(show):
    page = show(example(), example(address="second", kernel="boxcar"))
    first, second = page.locator(".live-figure").all()
    second.locator(".query-handle").focus()
    page.keyboard.press("End")
    assert json.loads(first.get_attribute("data-state"))["query"] == 1.5
    moved = json.loads(second.get_attribute("data-state"))
    assert (moved["query"], moved["kernel"]) == (6.0, "boxcar")
    first.locator(".query-handle").focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_function("location.hash === '#second=query:6&regression=query:1.51'")


def test_figure_in_notebook_keeps_url(page, tmp_path):
    """JupyterLab, Colab and VS Code show figures in iframes, whose URLs must not change."""
    path = tmp_path / "output.html"
    path.write_text(figure_page(example()).replace(' data-page="figure"', ""), "utf8")
    page.goto(path.as_uri())
    page.wait_for_selector("[data-state]")
    before = state(page)["query"]
    page.locator(".query-handle").press("ArrowRight")
    page.wait_for_function(
        "(query) => JSON.parse(document.querySelector('[data-state]').dataset.state).query !== query", arg=before
    )
    page.wait_for_selector(".lf-sentence[aria-busy]", state="detached")
    assert page.evaluate("location.hash") == ""
    assert page.get_by_role("button").all_inner_texts() == ["Play", "Reset", "Share"]


LINK = """([place, after]) => {
  const link = document.createElement("a");
  link.href = "#regression=bandwidth:1.4";
  link.textContent = "h doubled";
  link.style.cssText = `position: absolute; top: ${after}px; left: 20px`;
  document.body.append(link);
  document.body.style.minHeight = "6000px";
  link.scrollIntoView({ block: place });
}"""


@pytest.mark.parametrize("place, below, in_view", [("end", 700, "a"), ("center", 5000, ".live-figure")])
def test_link_sets_figure_or_scrolls_to_it(place, below, in_view, show):
    page = show()
    page.evaluate(LINK, [place, below])
    visits = page.evaluate("history.length")
    page.get_by_role("link", name="h doubled").click()
    page.wait_for_function("JSON.parse(document.querySelector('.live-figure').dataset.state).bandwidth === 1.4")
    assert ghosts(page) or below == 5000
    assert page.evaluate("history.length") == visits + (below == 5000)
    expect(page.locator(in_view).last).to_be_in_viewport()


def test_url_and_drags_move_chapter_sliders(site, page):
    open_ready(page, f"{site}/chapters/01_nadaraya_watson.html#regression=query:2.5,bandwidth:0.25,kernel:boxcar")
    panel = page.locator(".live-panel:has(.regression-figure)").first  # the second shows keys of both signs
    figure = page.locator(".regression-figure").first
    now = lambda: state(page, ".regression-figure")
    readout = lambda trait: float(panel.locator(f".{trait} .widget-readout").inner_text().replace("\u2212", "-"))
    until(lambda: readout("query") == 2.5, page)
    assert (readout("bandwidth"), panel.locator("select").input_value()) == (0.25, "boxcar")
    figure.scroll_into_view_if_needed()
    drag(page, ".pill", 90)
    assert now()["query"] == readout("query") > 3
    handle = panel.locator(".bandwidth .noUi-handle")
    handle.scroll_into_view_if_needed()
    x, y = middle(page, ".live-panel .bandwidth .noUi-handle")
    held = "([x, y]) => !!document.elementFromPoint(x, y).closest('.bandwidth .noUi-handle')"
    for right, down in [(0, 0), (20, 0), (-20, 0), (0, 15), (0, -15)]:
        assert page.evaluate(held, [x + right, y + down]), (right, down)
    drag(page, ".live-panel .bandwidth .noUi-handle", 40)
    assert now()["bandwidth"] == readout("bandwidth") > 0.3
    panel.locator("select").select_option("softmax-dot")
    assert panel.locator(".temperature").is_visible() and panel.locator(".bandwidth").is_hidden()
    panel.locator("select").select_option("gaussian")
    border = handle.evaluate("(handle) => getComputedStyle(handle).borderColor")
    handle.hover()
    read = "(handle) => [getComputedStyle(handle).borderColor, getComputedStyle(handle).backgroundColor]"
    until(lambda: handle.evaluate(read) == [border, border], page)
    assert handle.evaluate(read) == [border, border]
    page.emulate_media(forced_colors="active")
    colour = lambda part: page.locator(part).first.evaluate("one => getComputedStyle(one).backgroundColor")
    track, ground = colour(".live-panel .noUi-connects"), colour("body")
    assert track != ground and not track.startswith("rgba"), "an opaque colour"


def test_numbers_without_a_page_match_lib():
    kernels = range(len(KERNEL_NAMES))
    settings = itertools.product(SETTINGS[::3], kernels)
    changes = [{"query": query, "bandwidth": h, "kernel_index": index} for (query, h), index in settings]
    for now in states(example(), *changes):
        assert_matches_lib(now)
