"""The contract that every live figure fulfils; a figure's own test file has what is specific to it.

A new figure needs a line in `FIGURES`.
"""

import functools
import importlib.util
import re
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote

import numpy as np
import pytest

from lib import figures
from lib.attention import encoding_frequencies, positional_encoding
from lib.constants import PALETTE
from lib.data import noisy_sine
from lib.figures import contract
from lib.images import digits
from tests.conftest import ROOT, faults
from tests.figures.test_guesses import assert_the_right_answer_is_right, assert_verdicts_are_in_the_window
from tests.gestures import SET, drag, has_focus, middle, settled, state, swipe, touching
from tests.pages import open_ready, until
from tests.pictures import numbers_and_pixels, pixels_of
from tools.build import bundle_figures
from tools.build.pictures import still_pictures

RNG = np.random.default_rng(7)
KEYS, VALUES, TRUTH = noisy_sine(41, rng=np.random.default_rng(3))
TOKENS, WAVE = RNG.normal(size=(24, 4)), np.sin(np.arange(24) / 3)
PHOTO, DIGITS = RNG.random((30, 34)), digits()[:60]
PLANE = [[1.0, 0.2], [0.4, 0.9], [-0.8, 0.5], [0.1, -1.3]]
STEPS = np.stack([scale * TOKENS for scale in (0.0, 0.5, 1.0, 2.0)])
FRAMES = ["0", "10", "100", "400"]
PAIRS, FREQUENCIES = positional_encoding(50, 4, base=100), encoding_frequencies(4, base=100)
PAIRED = {"frequencies": FREQUENCIES, "address": "attention-pairs"}
PREDICTION = {"question": "Who wins?", "answer": "The near one.", "address": "who"}

SENTENCE = "The [animal|bus] did not [cross] the [street] because [it] was too [tired|wide]."
FEATURES = dict(zip("animal bus cross street it tired wide".split(), np.eye(7), strict=True))
PROJECTIONS = np.random.default_rng(4).normal(size=(2, 2, 7))
SENTENCE_ASKS = {"question": "Which words does a word attend to?", "address": "sentence"}


class Example(NamedTuple):
    """A figure in its panel, a change of its traits, the URL fragment with this change, and gestures."""

    make: Callable
    change: dict
    address: str
    grip: str  # the element to drag
    pull: tuple[int, int]  # the distance, in pixels
    handle: str  # the element with keyboard focus
    key: str
    free: tuple[int, int] | None = None  # where a finger scrolls the page, in pixels of a phone's stage
    read: str | tuple | None = None  # an element whose value the pointer shows, or a position in the stage
    playing: dict | None = None  # the end of Play in `data-state`


@pytest.fixture
def page(new_page):
    """An empty page on which nothing moves by itself, such as the lens among the years."""
    return new_page(viewport={"width": 1280, "height": 800}, reduced_motion="reduce")


@functools.cache
def contributed(name):
    """Import an example of CONTRIBUTING.md, bundled as if its folder were in lib/figures."""
    folder = ROOT / "tests" / "figures" / "example" / name
    with tempfile.TemporaryDirectory() as temporary, pytest.MonkeyPatch.context() as patch:
        sources, bundled = Path(temporary, "lib", "figures"), Path(temporary, "bundled")
        shutil.copytree(folder, sources / name)
        for shared in ("contract", "parts", "methods"):
            (sources / shared).symlink_to(ROOT / "lib" / "figures" / shared)
        bundle_figures.bundle(bundled, sources)
        patch.setattr(contract, "BUNDLED", bundled)
        spec = importlib.util.spec_from_file_location(f"lib.figures.{name}", folder / "__init__.py")
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    return getattr(module, f"{name}_figure")


FIGURES = {
    "example": Example(
        lambda: contributed("decay")(),
        {"distance": 2.25, "kernel_index": 1},
        "#decay=distance:2.25,kernel:boxcar",
        *(".handle", (60, 0), ".handle", "ArrowRight"),
        free=(200, 16),
    ),
    "regression": Example(
        lambda: figures.regression_figure(KEYS, VALUES, 1.5, 0.7, truth=TRUTH, key_range=(-1, 6)),
        {"query": 2.25, "bandwidth": 1.4, "kernel_index": 2},
        "#regression=query:2.25,bandwidth:1.4,kernel:triangular",
        *(".pill", (60, 60), ".query-handle", "ArrowRight"),
        free=(310, 230),
        read=(0.5, 0.35),
        playing={"bandwidth": 3.5},
    ),
    "attention": Example(
        lambda: figures.attention_figure(STEPS, STEPS, WAVE, query=9, frame_labels=FRAMES, frame_name="step"),
        {"query": 4, "frame_index": 3, "mask_index": 1},
        "#attention=query:4,step:400,mask:causal",
        *(".query-handle", (0, 60), ".query-handle", "ArrowDown"),
        free=(150, 345),
        read=(0.2, 0.4),
        playing={"step": "400"},
    ),
    "attention pairs": Example(
        lambda: figures.attention_figure(PAIRS, PAIRS, PAIRS[:, 0], **PAIRED),
        {"query_fast": 0.5, "key_slow": -2, "look_back": 7},
        "#attention-pairs=wq1:0.5,wk2:-2,back:7",
        *(".query-handle", (0, 60), ".query-handle", "ArrowDown"),
        read=(0.7, 0.3),
    ),
    "random features": Example(
        lambda: figures.random_features_figure(TOKENS, WAVE, query=9),
        {"query": 20, "count_index": 11, "norm": 2.5, "map_index": 2, "coupling_index": 1, "draw": 5},
        "#random-features=query:20,features:64,norm:2.5,map:hyperbolic,coupling:iid,draw:5",
        *(".pill", (60, 60), ".query-handle", "ArrowRight"),
        free=(310, 250),
        read=(0.3, 0.8),
        playing={"n_features": 256},
    ),
    "attention vs gaussian": Example(
        lambda: figures.attention_vs_gaussian_figure(PLANE, [0.0, 1.0, 2.0, 3.0], query=(0.5, 0.8)),
        {"spread": 1, "rotation": -40, "query_angle": 7},
        "#attention-vs-gaussian=angle:7,spread:1,rotation:-40",
        *(".query-handle", (-10, 40), ".query-handle", "ArrowLeft"),
        free=(150, 480),
        read=".key-handle",
        playing={"spread": 1},
    ),
    "pixel": Example(
        lambda: figures.pixel_figure(PHOTO, "bilateral", (14, 15)),
        {"query": [3, 4], "bandwidth_value": 1.2, "noise_level": 12, "view_index": 1},
        "#pixel-bilateral=query:3/4,bandwidth_value:1.2,noise:12,view:clean",
        *(".query-handle", (40, 60), ".query-handle", "ArrowRight"),
        free=(6, 235),
        read=(0.5, 0.4),
        playing={"bandwidth_value": 1.5},
    ),
    "inpainting": Example(
        lambda: figures.inpainting_figure(PHOTO, (14, 15)),
        {"query": [3, 4], "missing": 60, "kernel_index": 1, "bandwidth_ellipses": 2.5, "view_index": 1},
        "#inpainting=query:3/4,missing:60,kernel:ellipses,ellipses:2.5,view:photograph",
        *(".query-handle", (40, 60), ".query-handle", "ArrowRight"),
        free=(250, 260),
    ),
    "years": Example(
        lambda: figures.years_figure(),
        {"query": [3, 4], "year_index": 2, "clean_index": 1},
        "#years=query:3/4,year:2005,clean:everything",
        *(".query-handle", (40, 40), ".query-handle", "ArrowRight"),
        free=(200, 240),
        playing={"year": "words"},
    ),
    "ring": Example(
        lambda: figures.ring_figure(DIGITS),
        {"seed": 7, "pixel": [3, 4], "strokes": [14, 42]},
        "#ring=start:7,pixel:3/4,brush:14.42",
        *(".brush-grip", (20, 40), ".pixel-handle", "ArrowRight"),
        free=(300, 330),
    ),
    "prediction": Example(
        lambda: figures.prediction_figure(["near", "far"], [0.7, 0.3], **PREDICTION),
        {"sketch": [0.5, 0.4]},
        "#who=sketch:1/0.4",
        *(".column-handle:nth-child(2)", (0, -40), ".column-handle[tabindex='0']", "ArrowUp"),
        free=(120, 60),
        read=(0.3, 0.6),
    ),
    "winner": Example(
        lambda: figures.prediction_figure(["near", "far"], [0.7, 0.3], **PREDICTION, kind="winner"),
        {"chosen": 1, "shown_index": 1},
        "#who=choice:1,shown:yes",
        *(".column-handle:nth-child(2)", (0, 0), ".column-handle[tabindex='0']", "ArrowRight"),
    ),
    "diffusion": Example(
        lambda: figures.diffusion_figure(DIGITS),
        {"noise_index": 3, "compare_index": 4, "seed": 7, "pixel": [3, 4], "strokes": [4714, 4742]},
        "#diffusion=noise:0.13,compare:3,start:7,pixel:3/4,brush:4714.4742",
        *(".brush-grip", (20, 40), ".pixel-handle", "ArrowRight"),
        free=(300, 345),
        playing={"step": 29},
    ),
    "head map": Example(
        lambda: figures.head_map_figure(),
        {"dot": 12, "query": 3},
        "#head-map=dot:12,query:3",
        *(".dot-handle", (60, 40), ".dot-handle", "ArrowRight"),
        free=(60, 200),
        read=".dot-handle",
    ),
    "your photo": Example(
        lambda: figures.your_photo_figure(),
        {"query": [3, 4], "year_index": 1, "strength": 1.4, "noise_index": 2, "line": 80},
        "#your-photo=query:3/4,year:1998,strength:1.4,noise:25,line:80",
        *(".query-handle", (40, 40), ".query-handle", "ArrowRight"),
        free=(200, 200),
    ),
    "one head": Example(
        lambda: figures.one_head_figure(),
        {"text": "A fox & a king", "query": 3},
        "#one-head=text:A%20fox%20%26%20a%20king,query:3",
        *(".query-handle", (0, -40), ".query-handle", "ArrowLeft"),
        free=(90, 10),
    ),
    "sentence": Example(
        lambda: figures.sentence_figure(SENTENCE, FEATURES, *PROJECTIONS, query=3, **SENTENCE_ASKS),
        {"query": 1, "words": ["bus", "cross", "street", "it", "wide"]},
        "#sentence=query:1,words:bus.wide",
        *(".token-handle[aria-checked='true']", (-120, 0), ".token-handle[tabindex='0']", "ArrowLeft"),
        free=(120, 40),
    ),
    "your points": Example(
        lambda: figures.your_points_figure(),
        {"query": 1900, "method_index": 3, "bandwidth": 12.5, "by_index": 2},
        "#your-points=query:1900,method:epanechnikov,bandwidth:12.5,by:hand",
        *(".pill", (60, 0), ".query-handle", "ArrowRight"),
        free=(200, 160),
    ),
    "your pictures": Example(
        lambda: figures.your_pictures_figure(),
        {"task_index": 3, "compare_index": 4, "noise_index": 12, "seed": 7, "picture": 12, "removed": [3, 8]},
        "#your-pictures=task:denoise,compare:3,noise:0.59,start:7,picture:12,removed:3.8",
        *(".sheet", (60, 0), ".picture-handle", "ArrowRight"),
        free=(60, 240),
        read=".picture-handle",
        playing={"step": 29},
    ),
    "your text": Example(
        lambda: figures.your_text_figure(),
        {"text": "A fox & a", "block": 3, "head": 2, "shade_index": 1},
        "#your-text=text:A%20fox%20%26%20a,block:3,head:2,shade:losses",
        *(".query-handle", (60, -40), ".query-handle", "ArrowLeft"),
        free=(90, 84),
        read=(0.2, 0.15),
    ),
    "language model": Example(
        lambda: figures.language_model_figure(),
        {"text": "A fox & a", "kernel_index": 4, "scope_index": 2, "temperature": 0.4, "features_index": 0},
        "#language-model=text:A%20fox%20%26%20a,kernel:performer,scope:all heads,temperature:0.4,features:16",
        *(".query-handle", (-80, 0), ".query-handle", "ArrowLeft"),
        free=(90, 84),
    ),
}
FIGURES["published model"] = Example(
    lambda: figures.published_model_figure(),
    {"query": 9, "block": 2, "head": 1, "kernel_index": 6, "scope_index": 1, "hidden": [3, 7]},
    "#published-model=query:9,block:2,head:1,kernel:mask,scope:its block,hidden:3.7",
    *(".query-handle", (-80, 0), ".query-handle", "ArrowLeft"),
    free=(20, 10),
    read=".query-handle",
)
MOVED = ("regression", "attention", "attention pairs", "random features", "attention vs gaussian")
MOVED += ("pixel", "inpainting")  # with a ghost


@functools.cache
def made(name):
    """A page with the figure, shared by tests that do not change it."""
    return FIGURES[name].make().figure


def every(*without, having="make"):
    return pytest.mark.parametrize(
        "name", [name for name, each in FIGURES.items() if name not in without and getattr(each, having)]
    )


def press(page, name):
    page.get_by_role("button", name=name).evaluate("button => button.click()")  # also when it is off-screen


def at_rest(page):
    """Wait until the URL is stable after a gesture, and return it."""
    page.wait_for_selector(".lf-sentence[aria-busy]", state="detached")
    return page.evaluate("location.hash")


def ghosts(page):
    return page.evaluate("""() => [...document.querySelectorAll(".ghost")]
      .filter((ghost) => getComputedStyle(ghost).visibility === "visible")
      .map((ghost) => `${ghost.getAttribute("d")} ${ghost.getAttribute("transform")}`)""")


def listeners(page):
    """Return the events with listeners on the document and the window, except Playwright's."""
    client = page.context.new_cdp_session(page)
    targets = [client.send("Runtime.evaluate", {"expression": name})["result"] for name in ("document", "window")]
    found = [client.send("DOMDebugger.getEventListeners", {"objectId": each["objectId"]}) for each in targets]
    return {each["type"] for one in found for each in one["listeners"]} & {"keydown", "focusin", "hashchange"}


LOOK = """() => [...document.querySelectorAll(".lf-stage *")].map((one) => getComputedStyle(one))
  .map(({ stroke, strokeWidth, outlineStyle }) => [stroke, strokeWidth, outlineStyle])"""


def assert_key_moves_what_is_seen_to_hold_it(page, handle, key):
    before, held = settled(page), page.locator(handle)
    for _ in range(20):
        page.keyboard.press("Tab")
        if has_focus(page, handle):
            break
    assert held.get_attribute("role") in ("slider", "radio") and held.get_attribute("aria-label")
    focused = page.evaluate(LOOK)
    held.evaluate("element => element.blur()")
    assert page.evaluate(LOOK) != focused, "the focus is not visible"
    held.focus()
    now = held.get_attribute("aria-valuenow")
    page.keyboard.press(key)
    assert settled(page) != before
    if now is not None:
        assert held.get_attribute("aria-valuenow") != now and held.get_attribute("aria-valuemin") is not None


DRAWN = """() => {
  const figure = document.querySelector(".live-figure");
  const bad = /NaN|Infinity|undefined|null/;
  const wrong = [...figure.querySelectorAll("*")].flatMap((element) => [...element.attributes]
    .filter(({ value }) => bad.test(value)).map(({ name, value }) => `${element.className}: ${name}=${value}`));
  const text = [...figure.querySelectorAll("text, .lf-sentence, .tooltip")].map((element) => element.textContent);
  const { state } = figure.dataset;
  return [...wrong, ...text.filter((words) => bad.test(words)), ...(/NaN|undefined/.test(state) ? [state] : [])];
}"""
PRESSES = "ArrowLeft ArrowRight ArrowUp ArrowDown Home End PageUp PageDown Enter Escape Space".split()
PICTURE = """() => [...document.querySelectorAll(".lf-stage svg")].map((drawing) => {
  const copy = drawing.cloneNode(true);
  // A ring says which point the keyboard holds, and that is no part of the state.
  const passing = copy.querySelectorAll(".key-handle, .ghost, .was, [visibility=hidden]");
  passing.forEach((element) => element.remove());
  return copy.innerHTML.split('<');
})"""


@every()
def test_reset_undoes_keyboard_pointer_and_slider_changes(name, show):
    example, page = FIGURES[name], show(made(name))
    before, picture = settled(page), page.evaluate(PICTURE)
    question = made(name).points["question"] if name == "your points" else made(name).question
    assert page.locator(".lf-question").inner_text() == question
    assert_key_moves_what_is_seen_to_hold_it(page, example.handle, example.key)
    drag(page, example.grip, *example.pull)
    page.evaluate(SET, {"query": example.change["query"]} if "query" in example.change else {})
    page.locator(".lf-hint").click()  # a separate gesture: two queries have different values
    page.evaluate(SET, {setting: value for setting, value in example.change.items() if setting != "query"})
    assert settled(page) != before
    if name in MOVED:
        assert ghosts(page) and page.locator(".legend .was").is_visible()
    press(page, re.compile("Reset"))
    assert settled(page) == before and at_rest(page) == ""
    for key in PRESSES:
        page.locator(example.handle).press(key)
        assert page.evaluate(DRAWN) == [], key
    press(page, re.compile("Reset"))
    assert settled(page) == before
    if name != "language model":
        pairs = zip(sum(page.evaluate(PICTURE), []), sum(picture, []), strict=True)
        assert [pair for pair in pairs if len(set(pair)) > 1] == []
    assert ghosts(page) == [] and page.locator(".legend .was:visible").count() == 0
    assert {"focusin", "hashchange"} <= listeners(page)
    page.evaluate("takeAway()")
    assert listeners(page) == set()


FOLLOW = """(hash) => {
  history.replaceState(null, "", hash);
  dispatchEvent(new HashChangeEvent("hashchange"));
}"""
WORDS = ["NaN", "-Infinity", "1e308", "-1e9", "0", "", "%", "%E0%A4%A", "__proto__", "<script>throw 1</script>"]
WORDS += ["3/4", "0/NaN/1", "0/1e300/1e300", "constructor", "0;1;2", "null", "9".join("/;:,"), "0/Infinity"]
WORDS += ["0/1e999/1", "0/1e308/1e308;1/1e308/1e308", "0/1e-310/0", "1e999/1e999", "9" * 400 + "/1", "99999"]

# Give each word to every setting, and return those that break the figure.
BROKEN_BY = f"""async ([address, words]) => {{
  const follow = {FOLLOW}, wrong = {DRAWN};
  const names = [...Object.keys(model.get("settings")).filter((name) => name !== "text"), "__proto__"];
  const broken = [];
  for (const word of words) {{
    follow(`#${{address}}=${{names.map((name) => `${{name}}:${{word}}`)}}`);
    await new Promise((done) => setTimeout(done)); // it is drawn before the next task
    const {{ estimate }} = JSON.parse(document.querySelector(".live-figure").dataset.state);
    if (estimate === null || wrong().length) broken.push(word);
  }}
  return broken;
}}"""


@every()
def test_url_stores_and_restores_settings(name, show):
    figure, example = made(name), FIGURES[name]
    page = show(figure, address=f"#other=query:2&{figure.address}=colour:red,%2C;:")
    first = settled(page)
    page.evaluate(SET, example.change)
    left = settled(page)
    assert unquote(at_rest(page)) == unquote("#other=query:2&" + example.address[1:])
    press(page, "Reset")
    for hash in ("#other=query:2", "#a-heading", f"#{figure.address}=", "#other=query:3"):
        page.evaluate(FOLLOW, hash)
        assert settled(page) == first, hash
    page.evaluate("hash => { location.hash = hash; }", example.address)
    until(lambda: state(page) == left, page)
    assert state(page) == left == settled(show(figure, address=example.address))
    assert page.evaluate(BROKEN_BY, [figure.address, WORDS]) == []


WATCH = """() => {
  window.answered = [];
  const figure = document.querySelector(".live-figure");
  let frame = 0, begun;
  const count = () => { frame += 1; requestAnimationFrame(count); };
  count();
  // What a worker sends changes the state too, and is no answer to the hand.
  const own = () => JSON.stringify(Object.values(model.get("settings")).map(({ trait }) => model.get(trait)));
  let before = own();
  for (const hand of ["pointerdown", "pointermove"])
    figure.addEventListener(hand, () => (begun = frame), { capture: true });
  const answer = () => {
    if (begun !== undefined && own() !== before) answered.push(frame - begun);
    before = own();
  };
  new MutationObserver(answer).observe(figure, { attributeFilter: ["data-state"] });
}"""


# Note which texts of a drawing are measured: each measurement forces a layout.
NOTE_MEASURED = """() => {
  window.measured = [];
  const style = getComputedStyle, text = SVGTextContentElement.prototype, length = text.getComputedTextLength;
  window.getComputedStyle = (element, ...rest) => {
    if (element.closest("svg")) measured.push(element.outerHTML);
    return style(element, ...rest);
  };
  text.getComputedTextLength = function () {
    measured.push(this.outerHTML);
    return length.call(this);
  };
}"""


@every("winner")
def test_drag_is_synchronous_and_cancellable(name, show):
    grip, (right, down) = FIGURES[name].grip, FIGURES[name].pull
    page = show(made(name))
    before = settled(page)
    page.keyboard.down("Control")  # opens a context menu on macOS
    drag(page, grip, right, down)
    page.keyboard.up("Control")
    assert settled(page) == before and page.locator(".lf-dragging").count() == 0
    page.evaluate("addEventListener('pointerdown', ({ pointerId }) => (window.held = pointerId), { once: true })")
    page.evaluate(WATCH)
    x, y = middle(page, grip)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + right, y + down, steps=3)
    answered = page.evaluate("answered")
    assert answered and set(answered) == {0}
    assert state(page) != before and page.evaluate(DRAWN) == []
    page.evaluate(NOTE_MEASURED)
    page.mouse.move(x + right - 3, y + down - 2)
    assert page.evaluate("measured") == []
    for wild in ((-300, -300), (1500, 1200), (x, 1200)):
        page.mouse.move(*wild)
        assert page.evaluate(DRAWN) == [], wild
    page.set_viewport_size({"width": 375, "height": 800})
    page.mouse.move(200, 200)
    assert page.evaluate(DRAWN) == []
    page.locator(".lf-dragging").evaluate(
        "held => held.dispatchEvent(new PointerEvent('pointercancel', { pointerId: window.held }))"
    )
    page.mouse.up()
    assert settled(page) | {"cleaned": None} == before | {"cleaned": None}


SLIDES = (
    "regression",
    "prediction",
    "attention",
    "attention vs gaussian",
    "random features",
    "pixel",
    "language model",
)


@pytest.mark.parametrize("name", SLIDES)
def test_enlarged_figure_follows_the_pointer(name, show):
    """Slides enlarge figures: a drag that is longer by the same factor has the same effect."""
    example, page, states = FIGURES[name], show(made(name)), []
    for scale in (1, 1.25):
        page.add_style_tag(content=f".live-figure {{ transform: scale({scale}); transform-origin: 0 0 }}")
        before = settled(page)
        drag(page, example.grip, *(scale * pixels for pixels in example.pull))
        states.append(settled(page))
        assert states[-1] != before
        press(page, "Reset")
    assert states[0] == states[1]


@every("winner")
def test_touch_drags_handle_and_scrolls_elsewhere(name, show, phone):
    example, page = FIGURES[name], show(made(name), page=phone)
    page.evaluate("document.querySelector('main').style.paddingBottom = '900px'")
    page.locator(example.grip).first.scroll_into_view_if_needed()
    before, top = settled(page), page.evaluate("scrollY")
    swipe(page, *middle(page, example.grip), *example.pull)
    assert settled(page) != before and page.evaluate("scrollY") == top
    if example.free is None:
        return
    page.evaluate("scrollTo(0, 0)")
    before, stage = settled(page), page.locator(".lf-stage").bounding_box()
    swipe(page, stage["x"] + example.free[0], stage["y"] + example.free[1], right=0, down=-150)
    page.wait_for_function("scrollY > 20")
    assert settled(page) == before


HANDLES = """() => [...document.querySelectorAll(".lf-stage :is([role=slider], [role=radio])")]
  .filter((handle) => handle.checkVisibility() && handle.getAttribute("aria-disabled") !== "true")
  .map((handle, i) => handle.setAttribute("data-test", i) ?? handle.getAttribute("aria-label"))"""
# The value of a handle, which may only choose what is read out
VALUE = """(handle) => ["valuenow", "valuetext", "checked"]
  .map((name) => handle.getAttribute(`aria-${name}`)).join()"""


def moved_by_keys(page, handle):
    """Return whether an arrow key, in either direction, changes the figure's state or the value of the handle."""
    seen = lambda: (settled(page), handle.evaluate(VALUE))
    before = seen()
    for key in ("ArrowRight", "ArrowLeft", "ArrowUp", "ArrowDown"):
        handle.press(key)
        if seen() != before:
            return True
    return False


def moved_by_finger(page, handle):
    """Return whether a finger on the handle, in any direction, changes the figure and does not scroll the page."""
    handle.scroll_into_view_if_needed()
    before, top = settled(page), page.evaluate("scrollY")
    for right, down in ((40, 0), (-40, 0), (0, 40), (0, -40)):
        box = handle.bounding_box()
        swipe(page, box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, right, down)
        if settled(page) != before:
            return page.evaluate("scrollY") == top
    return False


@every()
def test_every_handle_answers_keys_and_the_finger(name, show, phone):
    page = show(made(name), page=phone)
    labels = page.evaluate(HANDLES)
    assert labels and all(labels)
    handles = [page.locator(f"[data-test='{i}']") for i in range(len(labels))]
    dragged = [handle.evaluate("one => getComputedStyle(one).touchAction !== 'auto'") for handle in handles]
    named = list(zip(labels, handles, dragged, strict=True))
    assert [label for label, handle, drags in named if drags and not moved_by_finger(page, handle)] == []
    assert [label for label, handle, _ in named if not moved_by_keys(page, handle)] == []


@every()
def test_gesture_is_announced_once_and_updates_url(name, show, page):
    page.clock.install(time=0)
    show(made(name))
    page.clock.pause_at(10_000_000)
    page.evaluate("""() => {
      window.spoken = [];
      const sentence = document.querySelector(".lf-sentence");
      const speak = () => sentence.hasAttribute("aria-busy") || spoken.push(sentence.innerText);
      new MutationObserver(speak).observe(sentence, { attributes: true, childList: true });
    }""")
    assert page.locator("[aria-live]").count() == 1
    drag(page, FIGURES[name].grip, *FIGURES[name].pull)
    page.clock.run_for(20)
    left = 220
    while page.locator("[data-pending]").count() and left:  # a worker answers asynchronously
        page.wait_for_timeout(250)
        page.clock.run_for(4)
        left -= 4
    page.clock.run_for(left)
    assert page.evaluate("[spoken.length, location.hash]") == [0, ""]
    page.clock.run_for(20)
    page.wait_for_selector("[data-pending]", state="detached")
    (spoken,), address = page.evaluate("[spoken, location.hash]")
    assert spoken == page.locator(".lf-sentence").inner_text() and address.startswith("#")
    assert "before" not in spoken and page.locator(".lf-sentence[aria-busy]").count() == 0


@every(having="read")
def test_tooltips_change_nothing(name, show):
    read, page = FIGURES[name].read, show(made(name))
    before, box, reader = settled(page), page.locator(".lf-stage").bounding_box(), page.locator(".value-slider")
    place = middle(page, read) if isinstance(read, str) else None
    page.mouse.move(*(place or (box["x"] + read[0] * box["width"], box["y"] + read[1] * box["height"])))
    assert any(digit in page.locator(".tooltip").inner_text() for digit in "0123456789")
    page.keyboard.press("Escape")
    assert page.locator(".tooltip").is_hidden()
    page.mouse.move(2, 2)
    assert page.locator(".tooltip").is_hidden()
    if name in ("attention", "random features", "pixel"):
        reader.focus()
        page.keyboard.press("End")
        assert reader.get_attribute("aria-valuenow") == reader.get_attribute("aria-valuemax")
        page.keyboard.press("ArrowLeft")
        words = reader.get_attribute("aria-valuetext")
        assert "weight" in words
        page.wait_for_function("words => document.querySelector('.tooltip').innerText === words", arg=words)
    assert state(page) == before


@every(having="playing")
def test_play_takes_eight_seconds_unless_stopped(name, show, page, new_page):
    """With reduced motion, the animation shows its end immediately."""
    end = FIGURES[name].playing
    calm, page = show(made(name), page=page), new_page(viewport={"width": 1280, "height": 800})
    calm.get_by_role("button", name="Play").click()
    assert calm.locator(".lf-play").inner_text() == "Play"
    page.clock.install(time=0)
    show(made(name), page=page)
    page.clock.pause_at(10_000_000)
    traits = "JSON.stringify(Object.values(model.get('settings')).map(({ trait }) => model.get(trait)))"
    button = page.locator(".lf-play")
    for stop in (lambda: page.keyboard.press("x"), lambda: page.mouse.click(5, 5)):
        button.click()
        assert button.inner_text() == "Stop"
        page.clock.run_for(130)
        stop()
        stopped = page.evaluate(traits)
        page.clock.run_for(3000)
        assert page.evaluate(traits) == stopped
        assert button.inner_text() == "Play" and page.locator("[data-playing]").count() == 0
    button.click()
    seen = []
    for _ in range(17):
        seen.append((button.inner_text(), page.locator(".live-figure").get_attribute("data-state")))
        page.clock.run_for(500)
    running = [words for words, _ in seen]
    assert 12 <= running.count("Stop") <= 17 and running == sorted(running, reverse=True)
    assert len({shown for _, shown in seen}) >= 4, "the steps can be watched"
    page.clock.resume()
    page.wait_for_function("document.querySelector('.lf-play').innerText === 'Play'")
    for played in (page, calm):
        assert {key: settled(played)[key] for key in end} == end
    if name not in ("years", "your pictures"):  # their slider is beside the photograph, or beside Play
        assert_scrubber_has_first_and_last_step(page, end)


def assert_scrubber_has_first_and_last_step(page, end):
    scrubber = page.get_by_role("slider", name="Frame of Play")
    scrubber.focus()
    page.keyboard.press("Home")
    first = settled(page)
    page.keyboard.press("End")
    last = settled(page)
    assert first != last and {key: last[key] for key in end} == end
    words = scrubber.get_attribute("aria-valuetext").split(" of ")
    assert words[0] == words[1]


SMALL_OR_BEYOND = """() => {
  const stage = document.querySelector(".lf-stage").getBoundingClientRect();
  const right = (part) => part.getBoundingClientRect().right;
  const texts = [...document.querySelectorAll("svg text")].filter((text) => text.textContent
    && text.checkVisibility({ visibilityProperty: true }));
  const scale = ({ a, b } = { a: 1, b: 0 }) => Math.hypot(a, b);
  const size = (text) => scale(text.getScreenCTM?.()) * parseFloat(getComputedStyle(text).fontSize);
  // Half a number may stand at the end of an axis; on the narrowest phone a name, in the page's margin.
  const beyond = innerWidth < 375 ? innerWidth : stage.right + 2;
  const html = ".live-figure :is(p, span, b, sub, button, small, output, label, code)";
  const small = [...document.querySelectorAll(html), ...texts]
    .filter((text) => text.checkVisibility() && size(text) < 11.9); // of 12, and rounding
  const wrong = [...texts.filter((text) => right(text) > beyond), ...small];
  const wide = [...document.querySelectorAll(".lf-stage canvas")].filter((part) => right(part) > stage.right + 8);
  return [...wrong.map((text) => text.textContent), ...wide.map((part) => part.className)];
}"""


def assert_fits(page, width):
    """No text is too small, outside the page, or overlaps a different title."""
    page.set_viewport_size({"width": width, "height": 800})
    page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    assert page.evaluate("document.documentElement.scrollWidth") == width
    assert page.locator("svg text").count() and page.evaluate(SMALL_OR_BEYOND) == []
    assert touching(page, ".lf-stage .title") == []
    canvas = page.locator(".canvas").first.bounding_box()
    assert canvas["width"] <= page.locator(".lf-stage").bounding_box()["width"] + 0.01


SHADES = {"pixel": ".heat .shades"}
ROLES = ["query", "key", "value", "weight", "estimate", "paper", "ink", "muted", "line"]
WEAR = """([theme, names]) => {
  document.documentElement.dataset.theme = theme;
  const style = getComputedStyle(document.querySelector(".live-figure"));
  return Object.fromEntries(names.map((name) => [name, style.getPropertyValue(`--figure-${name}`)]));
}"""


@every()
def test_figure_is_accessible_at_every_width_and_theme(name, show, new_page):
    """On its page, it is accessible in the light theme too."""
    page = new_page(reduced_motion="reduce")  # elements that fade have no contrast meanwhile
    show(made(name), page=page)
    for theme, widths, setting in (("light", (560, 744), {}), ("dark", (375,), FIGURES[name].change)):
        assert page.evaluate(WEAR, [theme, ROLES]) == {role: PALETTE[theme][role] for role in ROLES}
        page.evaluate(SET, setting)
        before = settled(page)
        for width in widths:
            assert_fits(page, width)
        assert settled(page) == before, "the width is not a setting"
    assert faults(page) == []
    if name in SHADES:  # the theme changes the drawing but not the photograph
        seen = []
        for theme in ("dark", "light"):
            page.evaluate(WEAR, [theme, ROLES])
            fill = page.locator(SHADES[name]).evaluate("cells => getComputedStyle(cells).fill")
            seen.append((fill, pixels_of(page, "canvas.photo")))
        assert [fill for fill, _ in seen] == ["rgb(235, 166, 242)", "rgb(179, 25, 148)"]
        np.testing.assert_array_equal(*[photograph for _, photograph in seen])


LAPTOP = {"width": 1366, "height": 641}
HEADER = 56  # of a page, at most; it is always visible
EDGES = """(panel) => {
  const parts = [...panel.querySelectorAll(".live-figure, .controls")].filter((part) => part.checkVisibility());
  const edges = parts.map((part) => part.getBoundingClientRect());
  return [edges[0].top, Math.max(...edges.map(({ bottom }) => bottom))];
}"""


def assert_still_picture_is_in_step(page, address, drawn):
    """It is self-contained and equals the figure to a fifth of a pixel. If this fails, run `make pictures`."""
    kept = (ROOT / "figures" / f"live-{address}.svg").read_text("utf8")
    assert len(kept) < 60_000 and "http" not in re.sub(r'xmlns(:\w+)?="[^"]*"', "", kept)
    assert "prefers-color-scheme: dark" in kept and not re.search(r"tabindex|<a[ >]", kept)
    assert not re.search(r'class="truths"(?!\s*/>)', kept), "an answer is given away"
    texts = [re.sub(r"hatch-\w+", "hatch", text) for text in (kept, drawn)]  # random IDs
    (words, numbers, photographs), (other_words, other_numbers, others) = map(numbers_and_pixels, texts)
    assert words == other_words
    np.testing.assert_allclose(numbers, other_numbers, atol=0.2)
    for one, other in zip(photographs, others, strict=True):
        np.testing.assert_allclose(one, other, atol=1.5 / 255)
    assert page.locator(f"img[src*='live-{address}.svg']:not([alt=''])").is_hidden(), "two pictures"


def assert_sliders_move_the_figure(page, panel):
    now = lambda: panel.locator(".live-figure").get_attribute("data-state")
    words = lambda: panel.locator(".widget-readout").all_inner_texts()
    settled(page)
    start, said = now(), words()
    for handle in panel.locator(".noUi-handle:visible").all():
        before, told = now(), words()
        handle.focus()
        page.keyboard.press("ArrowRight")
        if now() == before:
            page.keyboard.press("ArrowLeft")
        assert now() != before and words() != told, handle.get_attribute("aria-label")
    for menu in panel.locator("select:visible").all():
        before, chosen = now(), menu.evaluate("menu => menu.selectedIndex")
        menu.select_option(index=(chosen + 1) % menu.locator("option").count())
        assert now() != before
    panel.get_by_role("button", name="Reset").click()
    settled(page)
    assert (now(), words()) == (start, said)


# Remove all but the figures and the links to their settings: a change of size would lay all of it out again.
LEAVE_FIGURES = """() => {
  const kept = ".live-panel:has(.live-figure), a[href^='#'][href*='=']";
  for (const one of document.querySelectorAll("main *, header *")) {
    if (!one.closest(kept) && !one.querySelector(kept)) one.remove();
  }
  document.querySelector("main").style.paddingBlock = "100vh"; // each figure can reach both ends of the window
}"""


def assert_figures_are_right_on_their_page(page, leave=None):
    """Pages with figures are slow to open, so everything that concerns a figure on its page is checked at once."""
    for address, drawn in still_pictures(page).items():
        assert_still_picture_is_in_step(page, address, drawn)
    if leave:
        page.evaluate(leave)
    page.set_viewport_size(LAPTOP)
    page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    for panel in page.locator(".live-panel:has(.live-figure[data-state])").all():
        address = panel.locator(".live-figure").get_attribute("data-address")
        if address != "language-model":  # tested separately
            top, bottom = panel.evaluate(EDGES)
            assert bottom - top <= LAPTOP["height"] - HEADER, address
            assert_sliders_move_the_figure(page, panel)
        if panel.locator(".live-figure .lf-guesses").count():
            assert_the_right_answer_is_right(page, address)
            top, bottom = panel.evaluate(EDGES)
            assert bottom - top <= LAPTOP["height"] - HEADER, f"{address} after a guess"
    assert_verdicts_are_in_the_window(page)
    assert faults(page, ".live-panel") == []


@pytest.mark.parametrize("name", ["intro", "pages/published_model", "pages/your_data"])
def test_figures_on_built_page(name, site, new_page):
    """`test_chapter_on_desktop` checks those of the chapters."""
    page = new_page(viewport={"width": 1280, "height": 900}, reduced_motion="reduce")
    open_ready(page, f"{site}/{name}.html")
    assert_figures_are_right_on_their_page(page)


def is_whole(page, address):
    top, bottom = page.locator(f".live-panel:has([data-address={address}])").evaluate(EDGES)
    return HEADER <= round(top) and bottom <= LAPTOP["height"]  # the page scrolls by whole pixels


def test_url_and_link_scroll_figure_into_view(site, new_page):
    page = new_page(viewport=LAPTOP, reduced_motion="reduce")
    open_ready(page, f"{site}/chapters/06_attention.html#attention-pairs=query:10")
    until(lambda: is_whole(page, "attention-pairs"), page)
    assert is_whole(page, "attention-pairs") and state(page, "[data-address=attention-pairs]")["query"] == 10
    name = "attention-vs-gaussian"
    link = f"a[href='#{name}=rotation:90']"
    page.locator(f"details:has({link}) > summary").click()
    page.locator(link).click()
    assert is_whole(page, name) and state(page, f"[data-address={name}]")["rotation"] == 90


@every()
def test_figure_declares_shared_settings(name):
    """Sliders, settings and Reset use the same traits, and each slider has its setting's grid."""
    figure = made(name)
    told = {setting["trait"]: setting for setting in figure.settings.values()}
    assert set(told) == set(figure.defaults)
    for widget in figure.widgets():
        (trait,) = set(widget._dom_classes) & set(told)
        if "grid" in told[trait]:
            assert [widget.min, widget.max, widget.step] == told[trait]["grid"]
            assert widget.value == getattr(figure, trait)
        else:
            assert len(widget.options) == len(told[trait]["names"]) and widget.index == getattr(figure, trait)
