"""Answers to a figure's question: the effect and verdict of each, and that the right answer is right."""

import numpy as np
import pytest

from lib.data import noisy_sine
from lib.figures import Guesses, pixel_figure, random_features_figure, regression_figure
from tests.gestures import drag, press, said, state

GUESSES = Guesses(["fewer", "as many", "more"], "more", then={"bandwidth": 1.4}, because="The bell is wide.")


def example(guesses=GUESSES):
    keys, values, _ = noisy_sine(40, rng=np.random.default_rng(0))
    return regression_figure(keys, values, 1.5, 0.7, question="How many?", guesses=guesses).figure


def verdict(page):
    return said(page, ".verdict").strip()


def chip(page, name):
    return page.get_by_role("group", name="Guess: How many?").get_by_role("button", name=name, exact=True)


def test_guess_sets_figure_and_states_answer(show, new_page):
    page = show(page=new_page(reduced_motion="reduce"))
    before, low = state(page), page.locator(".live-figure").bounding_box()["height"]
    assert before["guess"] is None and "guess" not in said(page)
    page.evaluate("model.set('query', 3)")  # a guess starts from the initial setting
    chip(page, "as many").click()
    now = state(page)
    assert (now["guess"], now["bandwidth"], now["query"]) == ("as many", 1.4, 1.5)
    assert now["keys_for_90_percent"] > before["keys_for_90_percent"]
    assert verdict(page) == "You guessed “as many”, and the answer is “more”. The bell is wide."
    assert page.locator(".lf-sentence").is_hidden()  # replaced, so that the figure keeps its height
    assert page.locator(".lf-guesses .lf-right").inner_text() == "more"
    assert page.locator(".lf-guesses [aria-pressed=true]").inner_text() == "as many"
    ghost, height = page.locator(".ghost").first, page.locator(".live-figure").bounding_box()["height"]
    assert abs(height - low) < 30 and ghost.evaluate("(one) => getComputedStyle(one).visibility") == "visible"
    drawn = ghost.get_attribute("d")
    chip(page, "more").click()  # a second answer to the same question
    assert ghost.get_attribute("d") == drawn and verdict(page).startswith("You are right: ")
    assert press(page, "Reset") == before and page.locator(".lf-guesses .lf-right").count() == 0
    chip(page, "more").press("Enter")
    assert verdict(page) == "You are right: “more”. The bell is wide."
    top = page.locator(".lf-stage").bounding_box()["y"]
    drag(page, ".query-handle", 60)
    assert page.locator(".verdict").is_hidden() and said(page)  # the answer may differ for a different query
    assert page.locator(".lf-stage").bounding_box()["y"] == top, "what is being dragged moves"
    assert state(page)["guess"] == "more"
    page = show(
        address="#regression=bandwidth:1.4,guess:1", page=page
    )  # the URL stores the guess of figures with answers
    assert state(page)["guess"] == "fewer"
    assert verdict(page).startswith("You guessed “fewer”")
    assert state(show(address="#regression=guess:7", page=page))["guess"] is None
    page = show(example(None), page=page)
    assert "guess" not in state(page) and page.locator(".lf-guesses").count() == 0
    kicker = page.locator(".lf-question").evaluate("(one) => getComputedStyle(one, '::before').content")
    assert kicker == "none", "nothing to predict"


def test_verdict_is_below_guess_at_every_width(show, new_page):
    for width in (375, 768, 1366):
        page = show(page=new_page(viewport={"width": width, "height": 800}, reduced_motion="reduce"))
        chip(page, "as many").click()
        above, below = chip(page, "more").bounding_box(), page.locator(".lf-stage").bounding_box()
        assert above["y"] + above["height"] <= page.locator(".verdict").bounding_box()["y"] < below["y"]
        assert "guessed" not in said(page)  # not repeated
        press(page, "Reset")
        assert page.locator(".verdict").text_content() == ""


def test_guess_plays_until_its_answer(show, page):
    page.clock.install(time=0)
    show()
    page.clock.pause_at(10_000_000)
    chip(page, "as many").click()
    seen = []
    for _ in range(10):
        page.clock.run_for(100)
        seen.append(state(page)["bandwidth"])
        assert verdict(page) == "" and page.locator(".lf-guesses .lf-right").count() == 0
    assert seen == sorted(seen) and len(set(seen)) > 6 and 0.7 < seen[0] < seen[-1] < 1.4
    page.clock.run_for(400)
    assert state(page)["bandwidth"] == 1.4 and page.locator("[data-playing]").count() == 0
    assert verdict(page).startswith("You guessed “as many”")
    assert page.locator(".lf-guesses .lf-right").inner_text() == "more"
    chip(page, "more").click()  # the answer is shown already
    assert state(page)["bandwidth"] == 1.4 and verdict(page).startswith("You are right")
    press(page, "Reset")
    chip(page, "fewer").click()
    page.clock.run_for(300)
    page.keyboard.press("x")
    assert state(page)["bandwidth"] == 1.4 and verdict(page).startswith("You guessed “fewer”")


def steps_seen(page, answer, name, ends):
    """Choose an answer while the clock stands still, and return the published values on the way to the end."""
    page.clock.pause_at(10_000_000)
    page.get_by_role("button", name=answer, exact=True).click()
    seen = []
    while page.locator(".verdict").inner_text() == "":
        seen.append(state(page)[name])
        page.clock.run_for(100)
    assert state(page)[name] == ends
    return seen


def test_guess_passes_through_choices_in_order(show, page):
    page.clock.install(time=0)
    guesses = Guesses(["a", "b"], right="a", then={"features": "64"}, because="Nested.")
    show(random_features_figure(np.eye(3), [1.0, 2.0, 4.0], question="Which?", guesses=guesses).figure)
    counts = steps_seen(page, "a", "n_features", 64)
    assert counts == sorted(counts) and len(set(counts)) >= 3


@pytest.mark.parametrize("name, end, moves", [("bandwidth_value", 0.6, True), ("view", "noisy", False)])
def test_guess_animates_numbers_but_not_the_view(name, end, moves, show, page):
    photo = np.random.default_rng(0).random((30, 34))
    guesses = Guesses(["a", "b"], right="a", then={name: end}, because="So.")
    page.clock.install(time=0)
    show(pixel_figure(photo, "bilateral", (9, 9), bandwidth_value=0.3, question="Which?", guesses=guesses).figure)
    assert (len(set(steps_seen(page, "a", name, end))) > 4) == moves


def test_verdict_causes_no_layout_shift(show, new_page):
    for width in (768, 1366):
        page = show(page=new_page(viewport={"width": width, "height": 800}, reduced_motion="reduce"))
        top = page.locator(".lf-stage").bounding_box()["y"]
        chip(page, "as many").click()
        assert page.locator(".lf-stage").bounding_box()["y"] == top, width


def test_phone_figure_stays_when_verdict_comes(show, new_page):
    page = new_page(viewport={"width": 375, "height": 667})
    page.clock.install(time=0)
    show(page=page)
    page.clock.pause_at(10_000_000)
    top = page.locator(".lf-stage").evaluate("(one) => one.offsetTop")
    chip(page, "as many").click()
    page.clock.run_for(100)
    during = page.locator(".lf-stage").evaluate("(one) => one.offsetTop")
    assert verdict(page) == "" and during > top  # the click has reserved the verdict's height
    page.clock.run_for(2000)
    assert verdict(page) and page.locator(".lf-stage").evaluate("(one) => one.offsetTop") == during
    press(page, "Reset")
    assert page.locator(".lf-stage").evaluate("(one) => one.offsetTop") == top
