"""Every page and live figure in Firefox and WebKit: no errors, and the same state after the same gestures.

Chromium, which runs all other tests, is the reference.
"""

import math
import threading
from collections import Counter
from contextlib import contextmanager
from functools import cache, partial

import pytest

from lib.figures import published_model_figure
from lib.published_model import load
from tests import gguf
from tests.figures.opened_model import IS_OPEN, PART, assert_equals_lib
from tests.pages import CHAPTERS, PAGES
from tests.site.engines import Chromium, Firefox, ProbedHandler, WebKit, wait
from tools.build.bundle_figures import define_products
from tools.build.figure_page import figure_page
from tools.build.published_model import FOLDER, split
from tools.build.serve import PatientServer

pytestmark = pytest.mark.long

HANDLE = ':is([role="slider"], [role="radio"])[tabindex="0"]:not(.noUi-handle)'


@contextmanager
def served(folder):
    """Serve a folder, with the probe as the first script of each page; the URL."""
    with PatientServer(("127.0.0.1", 0), partial(ProbedHandler, directory=str(folder))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.fixture(scope="session")
def probed(built_site):
    """The URL of the built site."""
    with served(built_site.parent) as address:
        yield f"{address}/{built_site.name}"


PAGES_EACH = 20  # after some forty pages WebKit's small browser exits


@pytest.fixture(scope="session")
def browsers(tmp_path_factory):
    """Return a running engine of this kind, restarted from time to time."""
    running, counted = {}, Counter()

    def browser_of(kind):
        if missing := kind.missing():
            pytest.skip(missing)
        if counted[kind] % PAGES_EACH == 0:
            if kind in running:
                running.pop(kind).close()
            running[kind] = kind(tmp_path_factory.mktemp("engine"))
        counted[kind] += 1
        return running[kind]

    yield browser_of
    for engine in running.values():
        engine.close()


@pytest.fixture(params=[Firefox, WebKit])
def engine(request, browsers):
    return browsers(request.param)


@pytest.fixture(scope="session")
def reference(browser):
    engine = Chromium(browser)
    yield cache(lambda answer, *about: answer(engine, *about))
    engine.close()


def opened(engine, address, mode="light"):
    """Open a page in a mode, wait until all its figures are drawn, and return their names in the URL."""
    engine.go(address)

    def is_in_mode():  # engines store values asynchronously and may lose them when the page unloads
        engine.run(f"void (window.isLeft = localStorage.mode = localStorage.theme = '{mode}')")
        engine.go(address)
        engine.wait_for("!window.isLeft")  # Firefox sometimes answers from the page before
        return engine.run("document.documentElement.dataset.theme") == mode

    wait(is_in_mode, f"in {engine.name}, the mode {mode}")
    engine.wait_for("document.documentElement.matches('.all-laid-out')")  # after the last figure
    return engine.run("[...document.querySelectorAll('.live-figure')].map((one) => one.dataset.address)")


def state(engine, figure):
    """Return the figure's published state after two frames without a pending computation."""
    engine.run("void (window.frames = 0, requestAnimationFrame(() => requestAnimationFrame(() => (frames = 2))))")
    engine.wait_for(f"window.frames === 2 && !document.querySelector('{figure}[data-pending]')")
    return engine.run(f"JSON.parse(document.querySelector('{figure}').dataset.state)")


ON_WHOLE_PIXELS = """void ((figure) => {
  const top = figure.querySelector("svg").getBoundingClientRect().top + scrollY;
  figure.style.marginTop = `${Math.ceil(top) - top}px`;
})(document.querySelector('%s'))"""


def reset(engine, figure):
    """Reset a figure; a touch first stops the animation with which some figures start."""
    engine.run("void dispatchEvent(new PointerEvent('pointerdown'))")
    engine.run(
        f"[...document.querySelectorAll('{figure} button')].find((one) => one.textContent === 'Reset').click()"
    )


def gestures(engine, figure, panel):
    """Drag the first handle and a slider, move both and all sliders by keyboard; return the states."""
    # Engines differ by a fraction of a pixel in the height of the text above a figure.
    engine.run(ON_WHOLE_PIXELS % figure)
    # Some figures load their data lazily.
    engine.run(f"void document.querySelector('{figure}').scrollIntoView()")
    reset(engine, figure)
    yield state(engine, figure)
    to_the_left = "language-model" in figure or "one-head" in figure  # their query is the last word
    way = (-60, 0) if to_the_left else (37, 11)
    engine.drag(*engine.middle(f"{figure} {HANDLE}"), *way)
    yield state(engine, figure)
    engine.run(f"document.querySelector('{figure} {HANDLE}').focus()")
    engine.press("ArrowRight", "ArrowDown", "Shift+ArrowLeft")
    yield state(engine, figure)
    n_sliders = engine.run(f"document.querySelectorAll('{panel} .noUi-handle').length")
    if n_sliders:
        engine.drag(*engine.middle(f"{panel} .noUi-handle"), 29)
        yield state(engine, figure)
    for i in range(n_sliders):
        engine.run(f"document.querySelectorAll('{panel} .noUi-handle')[{i}].focus()")
        engine.press("ArrowRight", "ArrowRight", "ArrowLeft")
        yield state(engine, figure)


def played(engine, address, mode):
    figures = opened(engine, address, mode)
    states = {
        name: list(gestures(engine, f'[data-address="{name}"]', f'.live-panel:has([data-address="{name}"])'))
        for name in figures
    }
    return states, engine.findings()


def differences(found, expected, where=""):
    """Return the differences between two states that exceed 1e-6 of their size."""
    if isinstance(expected, dict) and isinstance(found, dict) and found.keys() == expected.keys():
        return [one for key in expected for one in differences(found[key], expected[key], f"{where}.{key}")]
    if isinstance(expected, list) and isinstance(found, list) and len(found) == len(expected):
        pairs = enumerate(zip(found, expected, strict=True))
        return [one for i, pair in pairs for one in differences(*pair, f"{where}[{i}]")]
    if isinstance(expected, int | float) and isinstance(found, int | float):
        same = math.isclose(found, expected, rel_tol=1e-6, abs_tol=1e-6)
    else:
        same = found == expected
    return [] if same else [f"{where}: {found} instead of {expected}"]


def formulas(engine, address):
    """Return the position of each glyph of each visible formula within its formula, in em."""
    opened(engine, address)
    engine.run("void document.fonts.ready.then(() => (window.fontsReady = true))")
    engine.wait_for("window.fontsReady")
    return engine.run("""(() => [...document.querySelectorAll("mjx-container")]
      .filter((one) => one.getBoundingClientRect().height > 0)
      .map((one) => {
        const { left, top } = one.firstElementChild.getBoundingClientRect();
        const em = parseFloat(getComputedStyle(one).fontSize);
        return [...one.querySelectorAll("mjx-c")].map((letter) => letter.getBoundingClientRect())
          .flatMap((box) => [(box.left - left) / em, (box.top - top) / em]);
      }))()""")


@pytest.mark.parametrize("name", PAGES)
def test_page_loads_with_identical_formulas(engine, reference, probed, name):
    expected = reference(formulas, f"{probed}/{name}.html")
    found = formulas(engine, f"{probed}/{name}.html")
    assert engine.findings() == []
    assert len(found) == len(expected)
    assert [i for i, pair in enumerate(zip(found, expected, strict=True)) if apart(*pair) > 0.25] == []
    engine.resize(375, 700)
    try:  # a figure is redrawn in the next frames
        engine.wait_for("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    finally:
        engine.resize(1280, 800)


def apart(found, expected):
    return max((abs(a - b) for a, b in zip(found, expected, strict=True)), default=0)


@pytest.mark.parametrize("mode", ["light", "dark"])
@pytest.mark.parametrize("name", [name for name in PAGES if name == "intro" or name in CHAPTERS])
def test_figures_agree_after_the_same_gestures(engine, reference, probed, name, mode):
    expected, _ = reference(played, f"{probed}/{name}.html", mode)
    found, findings = played(engine, f"{probed}/{name}.html", mode)
    assert findings == []
    assert differences(found, expected) == []
    for figure, states in found.items():
        assert states[1] != states[0], f"{figure}: the drag moved nothing"


YEARS = '[data-address="years"]'
LOOKS = f"""["canvas.loupe", ".eye", ".sentence-words", ".squares"].map((part) => {{
  const {{ opacity, visibility, display }} = getComputedStyle(document.querySelector(`{YEARS} ${{part}}`));
  return visibility === "visible" && display !== "none" && Number(opacity) > 0;
}})"""


def stops(engine):
    """Click every stop of the years, move to both ends by keyboard and back from the words, and drag the ring."""
    reset(engine, YEARS)
    for i in range(1, 7):
        engine.drag(*engine.middle(f"{YEARS} .stops button:nth-child({i})"), 0)
        yield state(engine, YEARS), engine.run(LOOKS)
    engine.run(f"document.querySelector('.live-panel:has({YEARS}) .noUi-handle').focus()")
    for key in ("Home", "End", "ArrowLeft"):
        engine.press(key)
        yield state(engine, YEARS), engine.run(LOOKS)
    engine.drag(*engine.middle(f"{YEARS} .query-handle"), 40, 16)
    yield state(engine, YEARS), engine.run(LOOKS)


def front_page(engine, address):
    opened(engine, address)
    return list(stops(engine)), engine.findings()


def test_front_page_agrees_at_every_year(engine, reference, probed):
    expected, _ = reference(front_page, f"{probed}/intro.html")
    found, findings = front_page(engine, f"{probed}/intro.html")
    assert findings == []
    assert [looks for _, looks in found] == [looks for _, looks in expected]
    for (now, _), (then, _) in zip(found, expected, strict=True):
        assert differences(now, then) == []
    seen = [then["year"] for then, _ in expected]
    assert seen == [1964, 1998, 2005, 2007, 2017, "words", 1964, "words", 2017, 2017]


def test_published_model_equals_lib(engine, tmp_path):
    """The parts of a small model arrive, the engine compiles the products, and a text and a kernel are changed."""
    path, figure = tmp_path / "tiny.gguf", ".live-figure"
    path.write_bytes(gguf.tiny_model())
    split(path, tmp_path / FOLDER, PART)
    (tmp_path / "index.html").write_text(figure_page(published_model_figure().figure), "utf8")
    model = load(path)
    with served(tmp_path) as address:
        engine.go(f"{address}/index.html")
        engine.wait_for(f"document.querySelector('{figure}[data-state]')")
        compiled = define_products().split('"')[1]
        assert engine.run(f"WebAssembly.validate(Uint8Array.from(atob('{compiled}'), (one) => one.charCodeAt(0)))")
        engine.run("void document.querySelector('.opener .open').click()")
        engine.wait_for(f"({IS_OPEN})()")
        assert_equals_lib(before := state(engine, figure), model)
        engine.run("void document.querySelector('textarea').focus()")
        engine.press("f", "r", "o", "g")
        assert_equals_lib(now := state(engine, figure), model)
        assert len(now["text"]) == len(before["text"]) + 4
        engine.run("""void ((menu) => {
          menu.value = "uniform";
          menu.dispatchEvent(new Event("change"));
        })(document.querySelector(".tools select"))""")
        assert_equals_lib(now := state(engine, figure), model)
        assert now["kernel"] == "uniform" and now["loss"] != now["loss_trained"]
        assert engine.findings() == []
