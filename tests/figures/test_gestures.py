"""What the live figures share: the ghost of the state before, values to read, Play, links that set a figure."""

import json

import numpy as np
import pytest
from hands import SET, drag, middle, state

from lib.data import noisy_sine
from lib.figures import (
    attention_figure,
    pixel_figure,
    prediction_figure,
    random_features_figure,
    regression_figure,
    same_figure,
)

RNG = np.random.default_rng(7)
KEYS, VALUES, TRUTH = noisy_sine(41, np.random.default_rng(3))
TOKENS, WAVE = RNG.normal(size=(24, 4)), np.sin(np.arange(24) / 3)
PHOTO = RNG.random((30, 34))
PLANE = [[1.0, 0.2], [0.4, 0.9], [-0.8, 0.5], [0.1, -1.3]]


def regression():
    return regression_figure(KEYS, VALUES, query=1.5, bandwidth=0.7, truth=TRUTH, key_range=(-1, 6)).figure


def attention():
    steps = np.stack([scale * TOKENS for scale in (0.0, 0.5, 1.0, 2.0)])
    labels = {"frame_labels": ["0", "10", "100", "400"], "frame_name": "step"}
    return attention_figure(steps, steps, WAVE, query=9, **labels).figure


def features():
    return random_features_figure(TOKENS, WAVE, query=9).figure


def same():
    return same_figure(PLANE, [0.0, 1.0, 2.0, 3.0], query=(0.5, 0.8)).figure


def pixel():
    return pixel_figure(PHOTO, "bilateral", (14, 15)).figure


def prediction():
    return prediction_figure(
        ["near", "far"], [0.7, 0.3], question="Who wins?", answer="The near one.", address="who"
    ).figure


# A figure, a change of its traits, and where a mark that can be read lies in its stage, in shares of it.
FIGURES = {
    "regression": (regression, {"bandwidth": 1.4}, (0.5, 0.35)),
    "attention": (attention, {"frame_index": 3}, (0.2, 0.4)),
    "features": (features, {"count_index": 12}, (0.3, 0.8)),
    "same": (same, {"spread": 1}, None),
    "pixel": (pixel, {"bandwidth_value": 1.2}, (0.5, 0.4)),
}
every = pytest.mark.parametrize("name", FIGURES)


def ghosts(page):
    """The visible outlines of the state before, as they are drawn."""
    return page.evaluate("""() => [...document.querySelectorAll(".ghost")]
      .filter((ghost) => getComputedStyle(ghost).visibility === "visible")
      .map((ghost) => `${ghost.getAttribute("d")} ${ghost.getAttribute("transform")}`)""")


# ---- The ghost --------------------------------------------------------------------------------------------


@every
def test_ghost_shows_the_state_before_and_leaves_with_reset(name, show):
    make, change, _ = FIGURES[name]
    page = show(make())
    assert ghosts(page) == [] and page.locator(".legend .was").is_hidden()
    first = page.evaluate(SET, change)
    assert ghosts(page) and page.locator(".legend .was").is_visible()
    kept = json.loads(first)
    page.get_by_role("button", name="Reset").click()
    assert ghosts(page) == [] and page.locator(".legend .was").is_hidden()
    assert state(page) != kept


def test_ghost_stays_through_a_gesture_and_moves_with_the_next(show):
    page = show(regression())
    place = ".query-handle ~ .ghost, .ghost[transform]"
    x, y = middle(page, ".pill")
    page.mouse.move(x, y)
    page.mouse.down()
    seen = set()
    for right in (20, 60, 90):
        page.mouse.move(x + right, y)
        seen.add(page.locator(place).first.get_attribute("transform"))
    page.mouse.up()
    assert len(seen) == 1
    drag(page, ".pill", 30)
    assert page.locator(place).first.get_attribute("transform") not in seen


def test_ghost_is_not_spoken(show):
    page = show(regression())
    page.evaluate(SET, {"bandwidth": 1.4})
    assert page.locator("[aria-live]").count() == 1
    assert "before" not in page.locator("[aria-live]").inner_text()


# ---- Values -----------------------------------------------------------------------------------------------


@every
def test_pointer_reads_a_value_and_escape_takes_it_away(name, show):
    make, _, place = FIGURES[name]
    page = show(make())
    box = page.locator(".stage").bounding_box()
    if place is None:
        page.mouse.move(*middle(page, ".key-handle"))
    else:
        page.mouse.move(box["x"] + place[0] * box["width"], box["y"] + place[1] * box["height"])
    assert any(digit in page.locator(".readout").inner_text() for digit in "0123456789")
    page.keyboard.press("Escape")
    assert page.locator(".readout").is_hidden()
    page.mouse.move(2, 2)
    assert page.locator(".readout").is_hidden()


def listeners(page):
    """The events that the document and the window hear, but for those that Playwright listens to."""
    client = page.context.new_cdp_session(page)
    targets = [client.send("Runtime.evaluate", {"expression": name})["result"] for name in ("document", "window")]
    found = [client.send("DOMDebugger.getEventListeners", {"objectId": each["objectId"]}) for each in targets]
    return {each["type"] for one in found for each in one["listeners"]} & {"keydown", "focusin", "hashchange"}


@every
def test_a_figure_taken_away_hears_nothing_more(name, show):
    make, change, _ = FIGURES[name]
    page = show(make())
    page.evaluate(SET, change)
    page.mouse.move(*middle(page, ".stage"))
    assert listeners(page) == {"keydown", "focusin", "hashchange"}
    page.evaluate("takeAway()")
    assert listeners(page) == set()


@pytest.mark.parametrize("name", ["attention", "features", "pixel"])
def test_arrow_keys_read_every_key_and_change_nothing(name, show):
    page = show(FIGURES[name][0]())
    before = state(page)
    reader = page.locator(".reader")
    reader.focus()
    page.keyboard.press("End")
    assert reader.get_attribute("aria-valuenow") == reader.get_attribute("aria-valuemax")
    page.keyboard.press("ArrowLeft")
    words = reader.get_attribute("aria-valuetext")
    assert "weight" in words
    page.wait_for_function("words => document.querySelector('.readout').innerText === words", arg=words)
    assert state(page) == before


def test_value_of_an_attention_cell_is_the_weight(show):
    page = show(attention())
    page.evaluate(SET, {"frame_index": 2})
    box = page.locator("svg.matrix").bounding_box()
    page.mouse.move(box["x"] + 4.5 / 24 * box["width"], box["y"] + 9.5 / 24 * box["height"])
    scores = TOKENS @ TOKENS[9] / 2
    weight = np.exp(scores - scores.max())[4] / np.exp(scores - scores.max()).sum()
    words = page.locator(".readout").inner_text().replace("\u00a0%", "")
    assert words.startswith("query 9, key 4: weight ")
    assert float(words.split()[-1]) == pytest.approx(100 * weight, abs=0.51)


def test_prediction_numbers_stay_off_the_readers_outline(show):
    page = show(prediction())
    for own in np.arange(0.5, 1.0, 0.02):
        page.evaluate(SET, {"sketch": [own, 1 - own], "shown_index": 1})
        hit = page.evaluate("""() => [...document.querySelectorAll(".numbers text")].some((number, i) => {
          const text = number.getBBox(), top = document.querySelectorAll(".own")[i].getBBox().y;
          return text.y < top && top < text.y + text.height - 3;
        })""")
        assert not hit, own


# ---- Play -------------------------------------------------------------------------------------------------

LAST = {"regression": "bandwidth", "attention": "step", "features": "n_features", "same": "spread"}


@pytest.mark.parametrize("name", LAST)
def test_play_without_motion_shows_the_end(name, show, new_page):
    page = show(FIGURES[name][0](), page=new_page(reduced_motion="reduce"))
    page.get_by_role("button", name="Play").click()
    page.wait_for_function("document.querySelector('.play').innerText === 'Play'")
    ends = {"regression": 3.5, "attention": "400", "features": 256, "same": 1}
    assert state(page)[LAST[name]] == (
        ends[name] if name != "regression" else page.evaluate("model.get('bandwidth_grid')[1]")
    )


@pytest.mark.parametrize("hand", ["key", "pointer"])
def test_a_hand_stops_play(hand, show):
    page = show(features())
    page.get_by_role("button", name="Play").click()
    assert page.locator(".play").inner_text() == "Stop"
    if hand == "key":
        page.keyboard.press("x")
    else:
        page.mouse.click(5, 5)
    assert page.locator(".play").inner_text() == "Play"
    assert not page.locator(".live-figure").evaluate("figure => figure.classList.contains('playing')")


def test_play_runs_to_its_end(show):
    page = show(attention())
    page.get_by_role("button", name="Play").click()
    page.wait_for_function("document.querySelector('.play').innerText === 'Play'")
    assert state(page)["step"] == "400"


# ---- Links ------------------------------------------------------------------------------------------------

LINK = """([place, after]) => {
  const link = document.createElement("a");
  link.href = "#regression=bandwidth:1.4";
  link.textContent = "h doubled";
  link.style.cssText = `position: absolute; top: ${after}px; left: 20px`;
  document.body.append(link);
  document.body.style.minHeight = "6000px";
  link.scrollIntoView({ block: place });
}"""


def test_link_beside_a_figure_sets_it_and_its_reader_stays(show):
    page = show(regression())
    page.evaluate(LINK, ["end", 700])
    visits = page.evaluate("history.length")
    page.get_by_role("link", name="h doubled").click()
    assert state(page)["bandwidth"] == 1.4 and ghosts(page)
    assert page.evaluate("history.length") == visits
    assert page.get_by_role("link", name="h doubled").evaluate(
        "link => { const { top, bottom } = link.getBoundingClientRect(); return top > 0 && bottom < innerHeight; }"
    )


def test_link_far_away_leads_to_the_figure_and_back(show):
    page = show(regression())
    page.evaluate(LINK, ["center", 5000])
    visits = page.evaluate("history.length")
    page.get_by_role("link", name="h doubled").click()
    page.wait_for_function("JSON.parse(document.querySelector('.live-figure').dataset.state).bandwidth === 1.4")
    assert page.evaluate("history.length") == visits + 1
    assert page.locator(".live-figure").evaluate("figure => figure.getBoundingClientRect().bottom > 0")
