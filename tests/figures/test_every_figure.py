"""The contract that every live figure fulfils; a figure's own test file has what is specific to it.

`tests/figures/contract.py` lists the figures.
"""

import re
from urllib.parse import unquote

import numpy as np
import pytest

from lib.constants import PALETTE
from tests.conftest import faults
from tests.figures.contract import DRAWN, FIGURES, FOLLOW, PRESSES, WORDS, assert_fits, every, ghosts, made, press
from tests.figures.on_page import EDGES, HEADER, LAPTOP, assert_figures_are_right_on_their_page
from tests.gestures import SET, drag, has_focus, middle, scroll, settled, state, swipe
from tests.pages import open_ready, until
from tests.pictures import pixels_of


@pytest.fixture
def page(new_page):
    """An empty page on which nothing moves by itself, such as the lens among the years."""
    return new_page(viewport={"width": 1280, "height": 800}, reduced_motion="reduce")


MOVED = ("regression", "attention", "attention pairs", "random features", "attention vs gaussian")
MOVED += ("pixel", "inpainting")  # with a ghost


def at_rest(page):
    """Wait until the URL is stable after a gesture, and return it."""
    page.wait_for_selector(".lf-sentence[aria-busy]", state="detached")
    return page.evaluate("location.hash")


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


PICTURE = """() => [...document.querySelectorAll(".lf-stage svg")].map((drawing) => {
  const copy = drawing.cloneNode(true);
  // Neither the mark of the focused point nor the ghost of the previous state is part of the state.
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
  // Compare only settings: a worker's message also changes the state, but not in response to the gesture.
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


HANDLES = """() => [...document.querySelectorAll(".lf-stage :is([role=slider], [role=radio])")]
  .filter((handle) => handle.checkVisibility() && handle.getAttribute("aria-disabled") !== "true")
  .map((handle, i) => handle.setAttribute("data-test", i) ?? handle.getAttribute("aria-label"))"""
# The value of a handle; some handles only select a word or key, and change no setting
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


def assert_finger_drags_the_grip_and_scrolls_elsewhere(page, example):
    page.evaluate("document.querySelector('main').style.paddingBottom = '900px'")
    page.locator(example.grip).first.scroll_into_view_if_needed()
    before, top = settled(page), page.evaluate("scrollY")
    swipe(page, *middle(page, example.grip), *example.pull)
    assert settled(page) != before and page.evaluate("scrollY") == top
    if example.free is None:
        return
    page.evaluate("scrollTo(0, 0)")
    before, stage = settled(page), page.locator(".lf-stage").bounding_box()
    assert scroll(page, stage["x"] + example.free[0], stage["y"] + example.free[1], right=0, down=-150) > 20
    assert settled(page) == before


@every()
def test_finger_and_keys_move_every_handle_and_finger_scrolls_elsewhere(name, show, phone):
    page = show(made(name), page=phone)
    if name != "winner":  # a finger taps there
        assert_finger_drags_the_grip_and_scrolls_elsewhere(page, FIGURES[name])
        press(page, "Reset")
    assert "Keyboard" not in page.locator(".lf-hint").inner_text()
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


@pytest.mark.parametrize("name", ["intro", "pages/published_model", "pages/your_data"])
def test_figures_on_built_page_match_still_pictures_and_are_accessible(name, site, new_page):
    """`test_chapter_is_right_on_desktop` checks those of the chapters."""
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
