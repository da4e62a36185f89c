"""The map of all heads: dots and weights compared with `lib` and stored results, and user input."""

import json

import numpy as np
import pytest

from lib import data
from lib.figures import head_map_figure
from lib.figures.head_map import MODELS, POSITIONS, described_heads, measured_models
from lib.heads import measure, name_heads, repeated_fraction
from lib.language_model import load, rotate
from tests.gestures import after_keys, choose, drag, middle, press, said, settled

STORED = json.loads((data.DATASETS / "published_model.json").read_text("utf8"))
COUNTS = (16, 270, 72)


def example(*arguments, **changes):
    return head_map_figure(*arguments, **changes).figure


def test_dots_match_lib_and_stored_metrics():
    model = load()
    passage = model.encode(data.two_tales())[:256]
    run = model.run(passage)
    queries, keys = (each.reshape(16, *each.shape[2:]) for each in (run.queries, run.keys))
    ruler = measure(queries, keys, tokens=passage, rotate=rotate)
    this = measured_models()[0]
    for name in POSITIONS:
        np.testing.assert_allclose(this[name], ruler[name], atol=1e-12)
    assert this["names"] == name_heads(ruler, repeated_fraction(passage))
    for model, found in zip(measured_models()[1:], (STORED, STORED["encoder"]), strict=True):
        assert model["heads"] == found["heads"]
        for name in POSITIONS:
            assert model[name] == found["ruler"][name]
    assert [len(model["heads"]) for model in measured_models()] == list(COUNTS)


def test_featured_heads_match_their_descriptions():
    models = measured_models()
    starts = np.cumsum([0, *COUNTS])
    rows = {}
    for story, dot in described_heads(models).items():
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
    model, i = models[1], described_heads(models)["fixed query"] - starts[1]
    assert model["names"][i] == "fixed query" and model["first_key"][i] < 0.1


def test_dot_shows_its_head_and_sinks_are_hollow(show):
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
            for name in (*POSITIONS, "position_bandwidth", "first_key"):
                assert now[name] == pytest.approx(model[name][i], abs=1e-9)
            assert now["name"] == model["names"][i] and now["tokens"] == model["words"]
            assert now["estimate"] == max(now["weights"])
    now = choose(page, dot=10, query=5)  # a head of the course's model, compared with its run
    tokens = load().encode("".join(STORED["on the sentence"]["tokens"]))
    np.testing.assert_allclose(now["weights"], load().run(tokens).weights[2, 2, 5], atol=1e-9)
    count = "(path) => (path.getAttribute('d').match(/M/g) ?? []).length"
    sinks = [path.evaluate(count) for path in page.locator(".canvas > .dot.sink").all()]
    whole = [path.evaluate(count) for path in page.locator(".canvas > .dot:not(.sink)").all()]
    expected = [sum(share > 0.5 for share in model["first_key"]) for model in measured_models()]
    assert sinks == expected and sinks[1] == 91
    assert [a + b for a, b in zip(sinks, whole, strict=True)] == list(COUNTS)


def test_click_and_keys_select_dots(show):
    page = show(example())
    for dot in (288, 10, 312):
        choose(page, dot=dot)
        there = middle(page, ".dot-handle")
        choose(page, dot=0)
        page.mouse.click(*there)
        assert settled(page)["dot"] == dot
    before = settled(page)
    box = page.locator(".canvas").bounding_box()
    page.mouse.click(box["x"] + 330, box["y"] + 240)  # lower right, far from every dot
    assert settled(page) == before
    page, this = show(example(("this model", 2, 2))), measured_models()[0]
    by_places = np.argsort(this["position_overlap"], kind="stable").tolist()
    *walked, below = after_keys(page, ".dot-handle", "Home", "ArrowRight", "End", "ArrowDown")
    assert [now["dot"] for now in walked] == [*by_places[:2], by_places[-1]] and by_places[-1] == 10
    assert below["fixed_query_overlap"] < this["fixed_query_overlap"][10]
    for keys, model in [(["PageDown"], "SmolLM2"), (["PageUp", "PageUp"], "MiniLM")]:
        after_keys(page, ".dot-handle", *keys)
        assert settled(page)["model"] == model


def test_words_select_query_and_buttons_select_head(show):
    page = show(example())
    page.mouse.move(*middle(page, ".dot-handle"))
    assert said(page, ".tooltip").startswith("SmolLM2, head 18, 6: position 7.1")
    page.mouse.move(*middle(page, ".chips rect:nth-child(11)"))
    assert said(page, ".tooltip") == "Key “Qu”, token 10: weight 98 %"
    box = page.locator(".chips rect").nth(4).bounding_box()
    page.mouse.click(box["x"] + 4, box["y"] + 4)
    assert settled(page)["query"] == 4
    page.keyboard.press("ArrowRight")
    assert settled(page)["query"] == 5
    drag(page, ".query-handle", 60)
    assert settled(page)["query"] > 5
    now = press(page, "same word")
    assert (now["model"], now["dot"]) == ("MiniLM", 319)
    assert said(page, ".stories [aria-pressed=true]") == "same word"
    text = lambda part: page.locator(part).text_content()
    assert text(".title") == "MiniLM, head 2, 9" and text(".does") == "same word"
    assert press(page, "finds what followed (induction head)")["name"] == "first word"
    assert text(".does") == "finds what followed (induction head)"
    assert text(".meaning") == "on tales it attends to the first word (a sink)"
