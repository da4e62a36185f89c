"""The prediction figure in a browser: sketching, choosing, results compared with `lib`, input, appearance."""

import re

import numpy as np
import pytest

from lib.figures import prediction_figure
from lib.regression import nadaraya_watson_weights
from tests.figures.contract import assert_fits
from tests.gestures import after_keys, middle, press, said, state, touching
from tests.without_page import states

KEYS = np.arange(7.0)
WEIGHTS = nadaraya_watson_weights([2.2], KEYS, 1.7)[0]
NAMES = [f"{key:.0f}" for key in KEYS]
CURVE = [0.1, 0.2, 0.4, 0.8, 1.6]


def example(kind="weights", **changes):
    given = {"weights": (NAMES, WEIGHTS), "winner": (NAMES, WEIGHTS), "curve": ("abcde", CURVE)}
    names, truth = (changes.pop(key, value) for key, value in zip(("names", "truth"), given[kind], strict=True))
    texts = {"question": "How much?", "answer": "Because.", "address": "predict"}
    return prediction_figure(names, truth, kind=kind, **{**texts, **changes}).figure


def at(page, column, height, n, top=1.0):
    box = page.locator(".canvas").bounding_box()
    width = (box["width"] - 52) / n
    return box["x"] + 46 + (column + 0.5) * width, box["y"] + 214 - 180 * height / top


def test_mouse_sweep_draws_and_truth_matches_lib(show):
    page = show()
    assert page.get_by_role("button", name="Show the answer").is_disabled()
    assert "truth" not in state(page) and page.locator(".truths rect").count() == 0
    assert said(page) == "Nothing drawn yet."
    page.mouse.move(*at(page, 0, 0.4, 7))
    page.mouse.down()
    page.mouse.move(*at(page, 6, 0.8, 7))  # in one move: the columns in between are filled in
    page.mouse.up()
    heights = np.linspace(0.4, 0.8, 7)
    np.testing.assert_allclose(state(page)["sketch"], heights / heights.sum(), atol=0.005)
    now = press(page, "Show the answer")
    assert now["truth"] == WEIGHTS.tolist()
    assert now["off"] == pytest.approx(np.abs(np.array(now["sketch"]) - WEIGHTS).sum() / 2, abs=1e-12)
    bars = page.locator(".truths rect").evaluate_all("all => all.map((bar) => +bar.getAttribute('height'))")
    np.testing.assert_allclose(bars, 180 * WEIGHTS, atol=0.01)
    worst = np.argmax(np.abs(now["sketch"] - WEIGHTS))
    assert f"{100 * now['off']:.0f} % of your weight is on wrong columns, most at {worst}" in said(page)
    assert said(page).endswith("Because.")
    for width in (744, 375):
        assert_fits(page, width)
        assert touching(page, ".numbers text") == []


def test_column_is_dragged_until_answer_is_shown(show):
    page = show(example("curve"))
    first = state(page)
    after_keys(
        page,
        ".column-handle >> nth=0",
        "ArrowUp",
        "Shift+ArrowUp",
        "ArrowRight",
        "ArrowDown",
        "End",
        "Shift+ArrowDown",
    )
    np.testing.assert_allclose(state(page)["sketch"], [1.44, 0.96, 1, 1, 0.6], atol=1e-9)
    assert page.locator(":focus-visible").get_attribute("aria-valuetext") == "0.6"
    assert press(page, "Reset") == first
    x, y = middle(page, ".column-handle:nth-child(2)")
    page.mouse.move(x, y + 8)  # dragging it off-centre does not make it jump
    page.mouse.down()
    page.mouse.move(x, y + 9)
    assert state(page)["sketch"] == pytest.approx([1, 1, 1, 1, 1], abs=0.041)
    page.mouse.move(x, y + 8 - 45)
    page.mouse.up()
    assert state(page)["sketch"] == pytest.approx([1, 1.5, 1, 1, 1], abs=0.021)
    now = press(page, "Show the answer")
    assert now["off"] == pytest.approx(np.abs(np.array(now["sketch"]) - CURVE).mean(), abs=1e-12)
    assert "off by 0.7" in said(page)
    page.mouse.click(*at(page, 3, 1.4, 5, 2.0))
    page.locator(".column-handle").first.press("ArrowUp")
    assert state(page) == now
    assert press(page, "Try again") == first
    for largest in (75, 5 / 3):  # pressing without drawing shows no answer
        show(example("curve", largest=largest))
        page.mouse.click(*middle(page, ".column-handle:nth-child(2)"))
        assert page.get_by_role("button", name="Show the answer").is_disabled()
        assert state(page)["sketch"] == pytest.approx([largest / 2] * 5)


def test_choice_by_mouse_touch_and_keyboard(show, page, phone):
    for column, told in [(2, "You were right: 2 is largest"), (5, "You chose 5, but 2 is largest")]:
        show(example("winner"))
        assert state(page)["choice"] is None and page.locator("[aria-checked=true]").count() == 0
        page.mouse.click(*at(page, column, 0.5, 7))
        assert state(page)["choice"] == NAMES[column]
        now = press(page, "Show the answer")
        assert (now["right"], now["truth"]) == (column == 2, WEIGHTS.tolist())
        assert said(page).startswith(told)
    page = show(example("winner"), page=phone)
    page.locator(".column-handle").first.press(" ")
    assert state(page)["choice"] == "0", "Space selects the first"
    page.touchscreen.tap(*at(page, 4, 0.5, 7))
    assert state(page)["choice"] == "4"
    for key in ("ArrowRight", "ArrowRight", "ArrowLeft"):
        page.keyboard.press(key)
    assert state(page)["choice"] == "5" == page.locator("[aria-checked=true]").get_attribute("aria-label")


def test_plane_shows_vectors_with_equal_units(show):
    keys = np.array([[2.0, 0.0], [0.0, 1.0], [-1.0, -1.0]])
    page = show(example("winner", names="abc", truth=[0.6, 0.3, 0.1], vectors=([1.0, 0.0], keys)))
    paths = page.locator(".plane path").evaluate_all(
        "all => all.map((line) => [line.getAttribute('class'), line.getAttribute('d')])"
    )
    ends = [np.array(re.findall(r"[-\d.]+", d)[:4], float).reshape(2, 2) for _, d in paths]
    arrows = np.array([(end - origin) * [1, -1] for origin, end in ends])
    assert [name for name, _ in paths] == ["key"] * 3 + ["query"]
    np.testing.assert_allclose(arrows / np.linalg.norm(arrows[0]) * 2, [*keys, [1, 0]], atol=0.01)


def test_error_of_prediction_is_total_variation():
    sketch = [0.5, 0, 0.2, 1, 0.1, 0.9, 0.3]
    (now,) = states(example(), {"sketch": sketch, "shown_index": 1})
    mine, truth = np.array(sketch) / sum(sketch), WEIGHTS
    np.testing.assert_allclose(now["sketch"], mine, rtol=1e-12)
    assert now["off"] == pytest.approx(np.abs(mine - truth).sum() / 2, abs=1e-12)
