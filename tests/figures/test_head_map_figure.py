"""The map of all heads: its dots and weights beside `lib`'s and what is stored, hands and keys."""

import json

import numpy as np
import pytest
from hands import choose, drag, middle, settled, state

from lib import data
from lib.figures import head_map_figure
from lib.figures.head_map import MODELS, POSITIONS, measured_models, told_heads
from lib.heads import measure, name_heads, said_again
from lib.language_model import load, rotate

STORED = json.loads((data.DATASETS / "published_model.json").read_text("utf8"))
COUNTS = (16, 270, 72)


def example(*arguments, **changes):
    return head_map_figure(*arguments, **changes).figure


# ---- The Python half --------------------------------------------------------------------------------------


def test_dots_of_this_model_are_where_lib_measures_them():
    model = load()
    passage = model.encode(data.two_tales())[:256]
    run = model.run(passage)
    queries, keys = (each.reshape(16, *each.shape[2:]) for each in (run.queries, run.keys))
    ruler = measure(queries, keys, tokens=passage, turn=rotate)
    this = measured_models()[0]
    for name in POSITIONS:
        np.testing.assert_allclose(this[name], ruler[name], atol=1e-12)
    assert this["names"] == name_heads(ruler, said_again(passage))


def test_dots_of_the_published_models_are_what_is_stored():
    for model, found in zip(measured_models()[1:], (STORED, STORED["encoder"]), strict=True):
        assert model["heads"] == found["heads"]
        for name in POSITIONS:
            assert model[name] == found["ruler"][name]
    assert [len(model["heads"]) for model in measured_models()] == list(COUNTS)


def test_the_heads_with_a_story_do_what_it_says():
    models = measured_models()
    starts = np.cumsum([0, *COUNTS])
    rows = {}
    for story, dot in told_heads(models).items():
        at = int(np.searchsorted(starts, dot, "right")) - 1
        model, i = models[at], dot - starts[at]
        rows[story] = (model, model["weights"][i])
    for story in ("one back (this model)", "one back (MiniLM)"):
        model, weights = rows[story]
        inner = slice(2, model["n"] - 1)
        assert np.mean(np.diagonal(weights, -1)[inner]) > 0.7, story
    model, weights = rows["finds what followed (induction head)"]
    assert model["name"] == "SmolLM2" and model["words"][weights[-1].argmax()] == " Qu"
    model, weights = rows["same word"]
    second = [i for i, word in enumerate(model["words"]) if word == "el"]
    assert weights[second[1]].argmax() == second[0] and model["name"] == "MiniLM"
    model, weights = rows["first word (sink)"]
    assert weights[:, 0].min() > 0.9
    model, i = models[1], told_heads(models)["one question"] - starts[1]
    assert model["names"][i] == "one question" and model["first_key"][i] < 0.1


def test_weights_are_shares_and_come_in_a_part_of_their_own():
    for model in measured_models():
        np.testing.assert_allclose(model["weights"].sum(axis=-1), 1, atol=0.06)
    figure = example()
    state = figure.get_state()
    assert len(json.dumps(state.pop("weights_later"))) < 700_000
    assert sum(len(json.dumps(value, default=str)) for name, value in state.items() if name[0] != "_") < 60_000


@pytest.mark.parametrize(
    "arguments, message",
    [
        ({"head": ("GPT-2", 0, 0)}, "model: expected"),
        ({"head": ("SmolLM2", 30, 0)}, "head: expected"),
        ({"query": 23}, "query: expected"),
    ],
)
def test_bad_arguments_are_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        head_map_figure(**arguments)


# ---- The numbers ------------------------------------------------------------------------------------------


def test_a_dot_shows_its_head_on_the_sentence(show):
    page = show(example())
    models, starts = measured_models(), np.cumsum([0, *COUNTS])
    for dot in (0, 15, 16, 184, 285, 286, 357):
        at = int(np.searchsorted(starts, dot, "right")) - 1
        model, i = models[at], int(dot - starts[at])
        for query in (0, 7, 63):
            now = choose(page, dot=dot, query=query)
            shown = model["last"] if query == 63 else query
            assert (now["model"], [now["block"], now["head"]]) == (MODELS[at], model["heads"][i])
            assert now["query"] == shown
            np.testing.assert_allclose(now["weights"], model["weights"][i, shown], atol=1e-9)
            for name in (*POSITIONS, "place_bandwidth", "first_key"):
                assert now[name] == pytest.approx(model[name][i], abs=1e-9)
            assert now["name"] == model["names"][i] and now["tokens"] == model["words"]
            assert now["estimate"] == max(now["weights"])
    now = choose(page, dot=10, query=5)  # a head of the model of the course: as in its run
    tokens = load().encode("".join(STORED["on the sentence"]["tokens"]))
    np.testing.assert_allclose(now["weights"], load().run(tokens).weights[2, 2, 5], atol=1e-9)


def test_sinks_are_hollow(show):
    page = show(example())
    count = "(path) => (path.getAttribute('d').match(/M/g) ?? []).length"
    sinks = [path.evaluate(count) for path in page.locator(".canvas > .dot.sink").all()]
    whole = [path.evaluate(count) for path in page.locator(".canvas > .dot:not(.sink)").all()]
    expected = [sum(share > 0.5 for share in model["first_key"]) for model in measured_models()]
    assert sinks == expected and sinks[1] == 91
    assert [a + b for a, b in zip(sinks, whole, strict=True)] == list(COUNTS)


# ---- Hands and keys ---------------------------------------------------------------------------------------


def press_on(page, dot):
    """Press where this dot stands."""
    before = page.evaluate("model.get('dot')")
    choose(page, dot=dot)
    there = middle(page, ".dot-handle")
    choose(page, dot=before)
    page.mouse.click(*there)


def test_a_press_chooses_the_nearest_dot_and_none_far_from_all(show):
    page = show(example())
    for dot in (288, 10, 312):
        press_on(page, dot)
        assert settled(page)["dot"] == dot
    before = settled(page)
    handle = page.locator(".canvas").bounding_box()
    page.mouse.click(handle["x"] + 330, handle["y"] + 240)  # lower right: nothing is near
    assert settled(page) == before


def test_keys_walk_along_one_model_and_change_it(show):
    page = show(example(("this model", 2, 2)))
    page.locator(".dot-handle").focus()
    this = measured_models()[0]
    by_places = np.argsort(this["place_overlap"], kind="stable").tolist()
    page.keyboard.press("Home")
    assert state(page)["dot"] == by_places[0]
    page.keyboard.press("ArrowRight")
    assert state(page)["dot"] == by_places[1]
    page.keyboard.press("End")
    assert state(page)["dot"] == by_places[-1] == 10
    page.keyboard.press("ArrowDown")
    assert state(page)["one_query_overlap"] < this["one_query_overlap"][10]
    page.keyboard.press("PageDown")
    assert settled(page)["model"] == "SmolLM2"
    page.keyboard.press("PageUp")
    page.keyboard.press("PageUp")
    assert settled(page)["model"] == "MiniLM"


def test_words_choose_the_query_and_stories_the_head(show):
    page = show(example())
    box = page.locator(".chips rect").nth(4).bounding_box()
    page.mouse.click(box["x"] + 4, box["y"] + 4)
    assert settled(page)["query"] == 4
    page.keyboard.press("ArrowRight")
    assert settled(page)["query"] == 5
    drag(page, ".query-handle", 60)
    assert settled(page)["query"] > 5
    page.get_by_role("button", name="same word").click()
    now = settled(page)
    assert (now["model"], now["dot"]) == ("MiniLM", 319)
    pressed = page.locator(".stories [aria-pressed=true]")
    assert pressed.inner_text() == "same word"
    assert page.locator(".title").text_content() == "MiniLM, head 2, 9"
    assert page.locator(".does").text_content() == "same word"
    page.get_by_role("button", name="finds what followed").click()
    assert settled(page)["name"] == "first word"
    assert page.locator(".does").text_content() == "finds what followed (induction head)"
    assert page.locator(".meaning").text_content() == "on tales it rests on the first word (a sink)"


def test_the_pointer_reads_dots_and_words(show):
    page = show(example())
    page.mouse.move(*middle(page, ".dot-handle"))
    assert page.locator(".readout").inner_text().startswith("SmolLM2, head 18, 6: places 7.1")
    page.mouse.move(*middle(page, ".chips rect:nth-child(11)"))
    assert page.locator(".readout").inner_text().replace("\u00a0", " ") == "Key “Qu”, token 10: weight 98 %"


def test_weights_that_do_not_come_are_told(show):
    figure = example()
    figure.weights_later = {"later": "abc", "script": "data:text/javascript,0"}
    page = show(figure)
    assert state(page)["weights"][10] == 0.98  # of the first head they are here
    page.evaluate("model.set('dot', 10)")
    page.wait_for_function("document.querySelector('.meaning').textContent.includes('could not be loaded')")
    assert page.locator(".stale").count() == 0
