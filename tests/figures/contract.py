"""The figures that every test of the contract runs with, and what several of these tests do and look for.

A new figure needs a line in `FIGURES`.
"""

import functools
import importlib.util
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

from lib import figures
from lib.attention import encoding_frequencies, positional_encoding
from lib.data import noisy_sine
from lib.figures import contract
from lib.figures.contract.packing import packed_photograph
from lib.images import cat_face, digits
from tests.conftest import ROOT
from tests.gestures import touching
from tools.build import bundle_figures

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


def small_photo(**settings):
    """Build the figure of the reader's photograph with a part of its example, because all of it takes a second."""
    panel = figures.your_photo_figure(pixel=(16, 19), **settings)
    part = packed_photograph(cat_face()[30:62, 40:78])
    panel.figure.example_lazy = panel.figure.example_lazy | {"photograph": part}
    return panel


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
        small_photo,
        {"query": [3, 4], "year_index": 1, "strength": 1.4, "noise_index": 2, "line": 80},
        "#your-photo=query:3/4,year:1998,strength:1.4,noise:25,line:80",
        *(".query-handle", (40, 40), ".query-handle", "ArrowRight"),
        free=(40, 40),
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


def ghosts(page):
    return page.evaluate("""() => [...document.querySelectorAll(".ghost")]
      .filter((ghost) => getComputedStyle(ghost).visibility === "visible")
      .map((ghost) => `${ghost.getAttribute("d")} ${ghost.getAttribute("transform")}`)""")


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
FOLLOW = """(hash) => {
  history.replaceState(null, "", hash);
  dispatchEvent(new HashChangeEvent("hashchange"));
}"""
WORDS = ["NaN", "-Infinity", "1e308", "-1e9", "0", "", "%", "%E0%A4%A", "__proto__", "<script>throw 1</script>"]
WORDS += ["3/4", "0/NaN/1", "0/1e300/1e300", "constructor", "0;1;2", "null", "9".join("/;:,"), "0/Infinity"]
WORDS += ["0/1e999/1", "0/1e308/1e308;1/1e308/1e308", "0/1e-310/0", "1e999/1e999", "9" * 400 + "/1", "99999"]
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
    """Check that the page does not scroll sideways, all text is inside it and legible, and no titles overlap."""
    page.set_viewport_size({"width": width, "height": 800})
    page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    assert page.evaluate("document.documentElement.scrollWidth") == width
    assert page.locator("svg text").count() and page.evaluate(SMALL_OR_BEYOND) == []
    assert touching(page, ".lf-stage .title") == []
    canvas = page.locator(".canvas").first.bounding_box()
    assert canvas["width"] <= page.locator(".lf-stage").bounding_box()["width"] + 0.01
