"""The language model's figure in a real browser: its numbers beside `lib`'s, hands, keys, writing, loading."""

import json
import re
import threading
from pathlib import Path

import numpy as np
import pytest
from conftest import ROOT
from course_site import collect_widget_runtime
from figure_page import figure_page
from figure_parts import Parts, write_code
from hands import state, swipe
from ipywidgets.embed import dependency_state, embed_data
from pages import until
from serve import make_server

from lib.constants import N_NEXT
from lib.figures import Guesses, language_model_figure
from lib.figures.language_model import (
    FEATURES,
    KERNELS,
    LONGEST_TEXT,
    SAMPLING,
    SCOPES,
    SENTENCE,
    added,
    expected,
    names_of,
    swapped_kernels,
)
from lib.heads import name_heads
from lib.language_model import load
from lib.weights import softmax

SHOWN = 64
UNICODE = "Der Froschkönig said: “naïve ゴ 👑”\n\nand\tthe\u00a0King…"
TEXTS = [SENTENCE, "King", "Once upon a time, there was", UNICODE, 6 * SENTENCE, "a" * 300, " ", "\ufeff1,2"]


def example(**changes):
    return language_model_figure(**changes).figure


@pytest.fixture
def page(new_page):
    """A page on which waiting for the model may take as long as a busy machine needs."""
    page = new_page(viewport={"width": 1000, "height": 900})
    page.set_default_timeout(120_000)
    return page


def change(page, **traits):
    """Set traits as controls would, wait for the model, and read what the figure publishes then."""
    page.evaluate(
        """async (traits) => {
          Object.entries(traits).forEach(([name, value]) => model.set(name, value));
          await null;
        }""",
        traits,
    )
    return settled(page)


def settled(page):
    page.wait_for_selector(".stale", state="detached")
    return state(page)


def awake(page):
    """What the figure publishes when a hand has touched it and the model is there."""
    page.locator("textarea").focus()
    return settled(page)


def shows(page, text):
    """What the figure publishes once it shows this text."""
    shown = "JSON.parse(document.querySelector('.live-figure').dataset.state).text"
    page.wait_for_function(f"(text) => {shown} === text", arg=text)
    return settled(page)


def assert_matches_lib(now):
    """Weights, what the head adds, names, next words and loss are those of `lib`, within 1e-9."""
    model = load()
    tokens = model.encode(now["text"])
    assert now["dropped"] == max(len(tokens) - SHOWN, 0)
    tokens, query = tokens[-SHOWN:], now["query"]
    assert now["tokens"] == tokens.tolist()
    assert now["words"] == [model.decode([token]) for token in tokens]
    kernels, (layer, head) = swapped_kernels(now), (now["layer"], now["head"])
    runs = {"": model.run(tokens, kernels), "_trained": model.run(tokens)}
    for ending, run in runs.items():
        np.testing.assert_allclose(now[f"weights{ending}"], run.weights[layer, head, query], atol=1e-9)
    likely, usual = (softmax(run.logits[query]) for run in runs.values())
    shown = {each["word"]: (each["probability"], each["trained"]) for each in now["next"]}
    found = {each["word"]: (each["probability"], each["trained"]) for each in expected(model, likely, usual)}
    assert list(shown) == list(found)
    np.testing.assert_allclose(list(shown.values()), list(found.values()), atol=1e-9)
    for ending, probabilities in (("", likely), ("_trained", usual)):
        if query + 1 < len(tokens):
            assert now[f"follows{ending}"] == pytest.approx(probabilities[tokens[query + 1]], abs=1e-9)
    for ending, given in (("", kernels), ("_trained", None)):
        loss = model.loss(tokens, given) if len(tokens) > 1 else None
        assert now[f"loss{ending}"] == (loss if loss is None else pytest.approx(loss, abs=1e-9))
    expected_words = added(model, runs[""], layer, head, query)
    assert [each["word"] for each in now["adds"]] == [each["word"] for each in expected_words]
    logits = [[each["logit"] for each in words] for words in (now["adds"], expected_words)]
    np.testing.assert_allclose(*logits, atol=1e-8)
    assert now["names"] == names_of(runs[""], tokens)
    assert now["estimate"] == now["next"][0]["probability"]
    carried = np.cumsum(np.sort(now["weights"])[::-1])
    assert now["keys_for_90_percent"] == np.argmax(carried >= 0.9 - 1e-12) + 1


# ---- The Python half --------------------------------------------------------------------------------------


def test_a_figure_holds_what_it_is_given():
    figure = example(
        layer=2, head=3, kernel="performer", scope="all heads", temperature=0.5, n_features=256, hidden=[4, 19]
    )
    assert (figure.layer, figure.head, figure.kernel_index, figure.scope_index, figure.features_index) == (
        *(2, 3),
        list(KERNELS).index("performer"),
        SCOPES.index("all heads"),
        FEATURES.index(256),
    )
    assert figure.temperature == 0.5 and figure.hidden == [4, 19] and figure.sampling_index == 0
    assert figure.widgets() == []  # all that one can set is beside the text


def test_what_is_shown_before_the_model_is_there_is_lib_s():
    first = example(kernel="place", scope="all heads", temperature=0.4, query=7).first
    model = load()
    tokens = model.encode(SENTENCE)
    run = model.run(tokens, {"all": ("place", 2 * 0.4**0.5)})
    np.testing.assert_array_equal(first["swapped"]["rows"], run.weights[:, :, 7])
    assert first["swapped"]["loss"] == model.loss(tokens, {"all": ("place", 2 * 0.4**0.5)})
    assert first["trained"]["loss"] == model.loss(tokens)
    assert "trained" not in example().first  # said once


@pytest.mark.parametrize(
    "arguments, message",
    [
        ({"text": ""}, "text: expected"),
        ({"text": "a" * (LONGEST_TEXT + 1)}, "text: expected"),
        ({"query": 99}, "query: expected"),
        ({"layer": 4}, "layer: expected"),
        ({"head": -1}, "head: expected"),
        ({"kernel": "boxcar"}, "kernel: expected"),
        ({"scope": "some heads"}, "scope: expected"),
        ({"temperature": 0}, "temperature: expected"),
        ({"n_features": 17}, "n_features: expected"),
        ({"hidden": [36]}, "hidden: expected"),
        ({"address": "Two words"}, "address: expected"),
    ],
)
def test_bad_arguments_are_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        language_model_figure(**arguments)


# ---- The numbers ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kernel", ["dot product", "gaussian"])
def test_the_stored_answer_and_the_model_agree(kernel, show, page):
    show(example(query=12, kernel=kernel))
    stored = settled(page)
    assert_matches_lib(stored)
    page.locator(".sentence").dispatch_event("pointerdown")
    page.wait_for_selector(".stale")
    assert settled(page) == stored


@pytest.mark.parametrize("text", TEXTS, ids=range(len(TEXTS)))
def test_texts_equal_lib(text, show, page):
    show(example())
    now = change(page, text=text)
    assert now["text"] == text and now["query"] == min(len(load().encode(text)), SHOWN) - 1
    assert_matches_lib(now)
    middle_token = len(now["tokens"]) // 2
    now = change(page, query=middle_token, kernel_index=1, scope_index=2, temperature=0.7)
    assert (now["query"], now["kernel"], now["scope"]) == (middle_token, "gaussian", "all heads")
    assert_matches_lib(now)


@pytest.mark.parametrize("kernel", KERNELS)
def test_kernels_and_scopes_equal_lib(kernel, show, page):
    show(example(text="The King’s daughter\nwept, and the King said to his daughter, "))
    for scope in SCOPES:
        for temperature, features, layer, head in [(1.0, 16, 0, 0), (0.1, 256, 3, 2), (2.5, 64, 1, 3)]:
            now = change(
                page,
                hidden=[1, 5],
                kernel_index=list(KERNELS).index(kernel),
                scope_index=SCOPES.index(scope),
                temperature=temperature,
                features_index=FEATURES.index(features),
                layer=layer,
                head=head,
            )
            assert (now["kernel"], now["scope"], now["temperature"]) == (kernel, scope, temperature)
            assert (now["features"], now["layer"], now["head"]) == (features, layer, head)
            assert_matches_lib(now)


def test_performer_stays_exact_where_a_later_key_is_far_larger(show, page):
    """At the smallest temperature the features of early keys vanish beside a later key's: no row may be empty."""
    show(example(text=TEXTS[4], kernel="performer", scope="all heads", temperature=0.1, n_features=16))
    for query in (0, 20, 63):
        now = change(page, query=query)
        assert sum(now["weights"]) == pytest.approx(1, abs=1e-9)
        assert_matches_lib(now)


def test_empty_text_is_no_error(show, page):
    show(example())
    page.locator("textarea").fill("")
    now = shows(page, "")
    assert (now["tokens"], now["weights"], now["next"], now["loss"]) == ([], [], [], None)
    assert page.locator(".empty").is_visible()
    page.keyboard.type("The King")
    assert_matches_lib(shows(page, "The King"))


def test_sentence_says_what_the_state_holds(show, page):
    show(example())
    now = change(page, kernel_index=3, query=10)
    sentence = page.locator(".sentence").inner_text().replace("\u00a0", " ")
    heaviest = int(np.argmax(now["weights"]))
    name = now["names"][1][0]
    assert "Now equal weights in this head. From “.”, head 1, 0 looks nearly everywhere, most at" in sentence
    assert f"“{now['words'][heaviest].strip()}” ({100 * now['weights'][heaviest]:.1f} %" in sentence
    assert name == "wide" and "On the whole text it spreads its weight nearly evenly. Next comes" in sentence
    assert f"as trained with {100 * now['next'][0]['trained']:.0f} %" in sentence
    loss = f"Loss {now['loss']:.2f} nats, as trained {now['loss_trained']:.2f}"
    assert page.locator(".loss").text_content() == loss
    title = "From “.”, head 1, 0 looks at (in % of its weight)"
    assert page.locator(".weight-title").text_content().replace("\u00a0", " ") == title
    assert "its last 64 tokens" not in sentence
    change(page, text=TEXTS[4])
    assert "its last 64 tokens" in page.locator(".sentence").inner_text()


def test_sentence_says_how_far_back_a_head_looks(show, page):
    show(example(layer=0, head=1))
    told = page.locator(".sentence").inner_text().replace("\u00a0", " ")
    assert told.startswith(
        "From “the”, head 0, 1 looks most at “King” (60 %, 31 back) and “King” (39 %, 20 back). "
    )
    assert "On the whole text it spreads its weight nearly evenly, but not here. " in told
    change(page, layer=2, head=2)
    told = page.locator(".sentence").inner_text().replace("\u00a0", " ")
    assert told.startswith("From “the”, head 2, 2 looks most at “to” (98 %, 1 back). ")
    assert "On the whole text it looks one word back. " in told


def test_names_are_what_the_ruler_says():
    n = 12
    numbers = dict.fromkeys(
        ("place_overlap", "place_bandwidth", "place_offset", "equal_overlap", "one_query_overlap", "first_key"),
        0.0,
    ) | {"same_token": 0.0, "place_bandwidth": n}
    cases = {
        "first word": {"first_key": 0.51, "equal_overlap": 0.9},
        "this word": {"place_overlap": 0.61, "place_bandwidth": 0.5},
        "one back": {"place_overlap": 0.61, "place_bandwidth": 1.1, "place_offset": -1},
        "5 back": {"place_overlap": 0.61, "place_bandwidth": 1.1, "place_offset": -5},
        "two ahead": {"place_overlap": 0.61, "place_bandwidth": 1.1, "place_offset": 2},
        "wide": {"equal_overlap": 0.51, "one_query_overlap": 0.9},
        "same word": {"same_token": 0.1},
        "near": {"place_overlap": 0.41, "place_bandwidth": 2.9, "equal_overlap": 0.3},
        "one question": {"one_query_overlap": 0.61, "place_overlap": 0.41, "equal_overlap": 0.4},
        "": {"one_query_overlap": 0.59, "place_overlap": 0.59, "place_bandwidth": 5},
    }
    ruler = {name: [(numbers | case)[name] for case in cases.values()] for name in numbers}
    assert name_heads(ruler, 0.25) == list(cases)
    assert name_heads(ruler) == [{"same word": ""}.get(name, name) for name in cases]


def test_a_text_is_no_markup(show, page):
    show(example())
    now = change(page, text='<img src=x onerror="alert(1)"> & <b>King</b>')
    assert page.locator(".live-figure img, .sentence b.King").count() == 0
    assert_matches_lib(now)


# ---- Hands and keys ---------------------------------------------------------------------------------------


def word_at(page, j):
    box = page.locator(".chips rect").nth(j).bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_click_and_drag_choose_the_query(show, page):
    show(example())
    awake(page)
    page.mouse.click(*word_at(page, 9))
    assert state(page)["query"] == 9
    assert_matches_lib(state(page))
    page.mouse.move(*word_at(page, 9))
    page.mouse.down()
    for j in (8, 15, 4):
        page.mouse.move(*word_at(page, j))
        assert state(page)["query"] == j
    page.mouse.up()
    page.mouse.move(*word_at(page, 20))
    assert state(page)["query"] == 4
    assert_matches_lib(state(page))


def test_click_chooses_the_head_and_the_rows_are_its_own(show, page):
    show(example())
    settled(page)
    for layer, head in [(0, 0), (3, 1), (2, 3)]:
        page.mouse.click(*middle_of_head(page, layer, head))
        now = state(page)
        assert (now["layer"], now["head"]) == (layer, head)
        assert_matches_lib(now)
        assert page.locator(".weight-title").text_content().startswith(f"From “the”, head {layer}, {head} looks")


def middle_of_head(page, layer, head):
    box = page.locator(".grounds rect").nth(4 * layer + head).bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_pointing_tells_the_weight(show, page):
    show(example(kernel="uniform"))
    now = settled(page)
    page.mouse.move(*word_at(page, 4))
    weights = f"weight {100 / 36:.1f} %, as trained {100 * now['weights_trained'][4]:.1f} %"
    assert page.locator(".readout").inner_text().replace("\u00a0", " ") == f"Key “King”, token 4: {weights}"
    page.mouse.move(*middle_of_head(page, 2, 2))
    told = page.locator(".readout").inner_text()
    assert told.startswith("Head 2, 2 looks most from “the” at “to”, ")
    assert told.endswith("on the whole text it looks one word back")
    page.mouse.move(5, 5)
    assert page.locator(".readout").is_hidden()


def test_keys_choose_the_query(show, page):
    show(example())
    awake(page)
    page.locator(".query-handle").focus()
    for key, query in [
        ("ArrowLeft", 34),
        ("ArrowRight", 35),
        ("ArrowRight", 35),
        ("Shift+ArrowLeft", 25),
        ("Home", 0),
        ("ArrowLeft", 0),
        ("End", 35),
    ]:
        page.keyboard.press(key)
        assert state(page)["query"] == query, key
        assert page.locator(".query-handle").get_attribute("aria-valuenow") == str(query)
    page.keyboard.press("ArrowUp")
    above = state(page)["query"]
    assert above < 34 and word_at(page, above)[1] < word_at(page, 35)[1]
    assert_matches_lib(state(page))


def test_keys_choose_the_head_and_read_the_keys(show, page):
    show(example(layer=1, head=1))
    settled(page)
    page.locator(".head-handle").focus()
    for key, layer, head in [
        ("ArrowDown", 2, 1),
        ("ArrowRight", 2, 2),
        ("End", 2, 3),
        ("Home", 2, 0),
        ("ArrowUp", 1, 0),
    ]:
        page.keyboard.press(key)
        assert (state(page)["layer"], state(page)["head"]) == (layer, head), key
    assert page.locator(".head-handle").get_attribute("aria-valuetext").startswith("Head 1, 0 looks most")
    page.locator(".look-handle").focus()
    heaviest = int(np.argmax(state(page)["weights"]))
    until(lambda: f"token {heaviest}" in page.locator(".readout").inner_text(), page)
    page.keyboard.press("Home")
    until(lambda: page.locator(".readout").inner_text().startswith("Key “There”, token 0: weight"), page)
    page.keyboard.press("ArrowRight")
    assert page.locator(".look-handle").get_attribute("aria-valuetext").startswith("Key “was”, token 1: weight")
    assert state(page)["query"] == 35


def test_finger_drags_across_the_words_and_scrolls_the_page_elsewhere(show, new_page):
    phone = new_page(viewport={"width": 375, "height": 500}, has_touch=True, is_mobile=True)
    phone.set_default_timeout(120_000)
    show(example(), page=phone)
    settled(phone)
    phone.locator(".chips").scroll_into_view_if_needed()
    (x, y), (to_x, _) = word_at(phone, 0), word_at(phone, 3)
    swipe(phone, x, y, right=to_x - x, down=0)
    assert state(phone)["query"] == 3
    assert_matches_lib(state(phone))
    before = phone.evaluate("scrollY")
    x, y = word_at(phone, 10)
    swipe(phone, x, y, right=0, down=-120)
    phone.wait_for_function("(before) => scrollY > before + 20", arg=before)
    assert state(phone)["query"] == 3


@pytest.mark.parametrize(
    "address",
    [
        "#language-model=text:",
        "#language-model=text:%E0%A4%A",
        "#language-model=%",
        "#language-model=query:x,layer:none,kernel:softmax,scope:no,temperature:,features:17",
        "#language-model=text:" + 2000 * "a",
        "#language-model=__proto__:1,constructor:2",
    ],
)
def test_hostile_addresses_change_nothing(address, show, page):
    show(example())
    before = settled(page)
    show(example(), address=address)
    assert settled(page) == before


def test_addresses_out_of_range_are_brought_back(show, page):
    text = "%3Cscript%3Ealert(1)%3C%2Fscript%3E"
    show(example(), address=f"#language-model=text:{text},query:999,layer:-5,head:77,temperature:1e9")
    now = settled(page)
    assert (now["text"], now["query"]) == ("<script>alert(1)</script>", len(now["tokens"]) - 1)
    assert (now["layer"], now["head"], now["temperature"]) == (1, 0, 4)  # no such layer or head: as at first
    assert_matches_lib(now)


def test_a_press_on_a_next_word_appends_it(show, page):
    show(example())
    second = settled(page)["next"][1]["word"]
    page.get_by_role("button", name=f"Append “{second.strip()}”", exact=True).click()
    now = shows(page, SENTENCE + second)
    assert now["query"] == 36 and now["tokens"][36:] == load().encode(second).tolist()
    assert_matches_lib(now)


def test_two_bars_per_word_only_where_something_is_swapped(show, page):
    show(example(layer=0, head=1))
    before = page.locator(".next .before").first
    assert before.evaluate("bar => bar.getAttribute('visibility')") == "hidden"
    now = change(page, kernel_index=list(KERNELS).index("uniform"), scope_index=2)
    bars = "(group) => ['.before', '.now'].map((name) => Number(group.querySelector(name).getAttribute('width')))"
    drawn = np.array([group.evaluate(bars) for group in page.locator(".next > g").all()])
    shares = np.array([[each["trained"], each["probability"]] for each in now["next"]])
    np.testing.assert_allclose(drawn, np.maximum(shares / shares.max() * drawn.max(), 1), atol=0.02)


def test_all_heads_at_places_is_one_press_and_one_back(show, page):
    show(example(layer=0, head=1))
    before = settled(page)
    page.get_by_role("button", name="Let all heads look only at places").click()
    now = settled(page)
    assert (now["kernel"], now["scope"]) == ("place", "all heads")
    assert_matches_lib(now)
    page.get_by_role("button", name="All heads as trained again").click()
    assert settled(page) == before
    assert page.get_by_role("button", name="Let all heads look only at places").is_visible()


def test_the_kings_hidden_from_one_head(show, page):
    """What the chapter does in code: 22 %, 9 % without the kings in head 0, 1, 19 % without them in the others."""
    show(example(layer=0, head=1))
    assert round(100 * settled(page)["next"][0]["probability"]) == 22
    page.get_by_role("button", name="Hide the dark words from this head").click()
    now = settled(page)
    assert (now["kernel"], now["scope"], now["hidden"]) == ("hide", "this head", [4, 15])
    assert [now["words"][j] for j in now["hidden"]] == [" King", " King"]
    king = next(each for each in now["next"] if each["word"] == " King")
    assert (round(100 * king["probability"]), round(100 * king["trained"])) == (9, 22)
    assert page.locator(".words .struck").count() == 2
    assert_matches_lib(now)
    page.get_by_role("combobox", name="used by").select_option("the other heads")
    now = settled(page)
    assert round(100 * now["estimate"]) == 19
    assert_matches_lib(now)
    page.get_by_role("button", name="Show the words again").click()
    assert settled(page)["kernel"] == "dot product"


def test_single_words_are_hidden_by_shift_and_by_keys(show, page):
    show(example(layer=0, head=1))
    page.keyboard.down("Shift")
    page.mouse.click(*word_at(page, 15))
    page.keyboard.up("Shift")
    assert settled(page)["hidden"] == [15]
    page.locator(".look-handle").focus()
    page.keyboard.press("Home")
    page.keyboard.press("Enter")
    now = settled(page)
    assert (now["kernel"], now["hidden"], now["query"]) == ("hide", [0, 15], 35)
    assert now["weights"][0] == now["weights"][15] == 0
    assert_matches_lib(now)
    page.keyboard.press("Enter")
    assert settled(page)["hidden"] == [15]
    page.locator("textarea").press("Control+End")
    page.keyboard.type(" frog")
    assert shows(page, SENTENCE + " frog")["hidden"] == [15]
    page.locator("textarea").fill("The King")
    assert shows(page, "The King")["hidden"] == []  # places of other words


def test_the_kernel_s_numbers_are_there_where_they_count(show, page):
    show(example())
    slider, features = page.locator(".tools input"), page.get_by_role("combobox", name="features")
    shown = lambda: (slider.is_visible(), features.is_visible())
    kernel = page.get_by_role("combobox", name="kernel")
    for name, expected_controls in [
        ("performer", (True, True)),
        ("gaussian", (True, False)),
        ("uniform", (False, False)),
        ("place", (True, False)),
    ]:
        kernel.select_option(name)
        assert settled(page)["kernel"] == name and shown() == expected_controls
    slider.focus()
    page.keyboard.press("ArrowLeft")
    assert settled(page)["temperature"] == 0.9
    assert_matches_lib(settled(page))


def test_the_arcs_lead_to_all_keys_with_five_percent(show, page):
    show(example(layer=1, head=1))
    now = settled(page)
    count = sum(weight >= 0.05 for weight in now["weights"][: now["query"]])
    assert count > 2 and page.locator(".arcs path").count() == count


def test_the_heads_with_the_lowest_entropy_are_marked(show, page):
    show(example())
    now = settled(page)
    rows = load().run(now["tokens"]).weights[:, :, -1].reshape(16, -1)
    entropy = -(rows * np.log(np.where(rows > 0, rows, 1))).sum(axis=1)
    assert now["narrowest"] == np.argsort(entropy)[:3].tolist()
    assert page.locator(".names .marked").count() == page.locator(".marks circle").count() == 3


# ---- A text of one's own ----------------------------------------------------------------------------------

OWN = [
    "My mother went to the market and bought apples. At home my",
    "The cat sat on the mat because it was tired. The cat",
    "Barack Obama was born in",
    "King",
]


def telling_head(text):
    """Of the heads with 90 % of their weight on at most four words: which puts the likeliest next word highest."""
    model = load()
    run = model.run(model.encode(text)[-SHOWN:])
    likeliest, ranked = run.logits[-1].argmax(), []
    for layer, head in np.ndindex(run.weights.shape[:2]):
        carried = np.cumsum(np.sort(run.weights[layer, head, -1])[::-1])
        raised = model.head_logits(run, layer, head)[-1]
        n_keys = int(np.argmax(carried >= 0.9 - 1e-12)) + 1
        ranked.append((np.sum(raised > raised[likeliest]), n_keys, layer, head))
    limit = max(4, min(n_keys for _, n_keys, _, _ in ranked))
    return min(each for each in ranked if each[1] <= limit)[2:]


def writes(page, text):
    """Write a text in place of the one that stands there; what the figure shows when it has chosen a head."""
    page.locator("textarea").fill(text)
    page.clock.run_for(250)
    return shows(page, text)


@pytest.mark.parametrize("text", OWN)
def test_of_a_new_text_the_telling_head_is_shown(text, show, page):
    page.clock.install()
    show(example(layer=0, head=3))
    settled(page)
    now = writes(page, text)
    assert (now["layer"], now["head"]) == telling_head(text)
    assert_matches_lib(now)


def test_a_head_that_its_reader_has_chosen_stays_with_the_text(show, page):
    page.clock.install()
    show(example(layer=0, head=3))
    settled(page)
    writes(page, OWN[0])
    page.mouse.click(*middle_of_head(page, 3, 2))
    now = writes(page, OWN[0] + " mother")
    assert (now["layer"], now["head"]) == (3, 2)
    now = writes(page, OWN[1])
    assert (now["layer"], now["head"]) == telling_head(OWN[1]) != (3, 2)


def test_after_a_press_on_a_next_word_the_head_is_a_telling_one(show, page):
    show(example(layer=0, head=3))
    word = settled(page)["next"][0]["word"]
    page.get_by_role("button", name=f"Append “{word.strip()}”", exact=True).click()
    now = shows(page, SENTENCE + word)
    assert (now["layer"], now["head"]) == telling_head(SENTENCE + word)


def test_a_kernel_in_one_head_stays_there(show, page):
    page.clock.install()
    show(example(layer=0, head=3, kernel="uniform"))
    settled(page)
    now = writes(page, OWN[0])
    assert (now["layer"], now["head"], now["kernel"]) == (0, 3, "uniform")


ANSWERS = ["the same word, less likely", "the same word, more likely", "another word"]
ASKED = Guesses(ANSWERS, ANSWERS[0], then={"kernel": "place", "scope": "all heads"}, because="Kings are likely.")


def fate(text):
    """The answer about the likeliest next word of a text, if all heads look only at places."""
    model = load()
    tokens = model.encode(text)
    trained, places = (softmax(model.run(tokens, each).logits[-1]) for each in (None, {"all": ("place", 2.0)}))
    best = trained.argmax()
    return ANSWERS[2] if places.argmax() != best else ANSWERS[0 if places[best] < trained[best] else 1]


@pytest.mark.parametrize("text", [*OWN[:3], "Once upon a"])
def test_a_guess_is_about_the_text_that_stands_there(text, show, page):
    page.clock.install()
    show(example(layer=0, head=1, guesses=ASKED, question="Whither, King?"))
    settled(page)
    trained = writes(page, text)
    asked = f"“{trained['next'][0]['word'].strip()}” comes next. What if all heads only looked at places?"
    assert page.locator(".question").inner_text() == asked
    assert page.get_by_role("group", name=f"Guess: {asked}").count() == 1
    page.get_by_role("button", name=ANSWERS[0]).click()
    now = settled(page)
    assert (now["text"], now["kernel"], now["guess"]) == (text, "place", ANSWERS[0])
    assert (now["layer"], now["head"]) == (trained["layer"], trained["head"])
    assert_matches_lib(now)
    assert page.locator(".guesses .right").inner_text() == fate(text)
    judged = "You are right:" if fate(text) == ANSWERS[0] else f"You guessed “{ANSWERS[0]}”, and the answer is"
    assert page.locator(".sentence").inner_text().startswith(f"{judged} “{fate(text)}”. “")
    page.get_by_role("button", name="All heads as trained again").click()
    now = settled(page)
    assert now["next"] == trained["next"] and now["guess"] == ANSWERS[0]
    assert page.locator(".guesses .right").inner_text() == fate(text)
    assert not page.locator(".sentence").inner_text().startswith("You")


def test_all_three_answers_can_be_right():
    assert {fate(text) for text in [*OWN[:3], "Once upon a", SENTENCE]} == set(ANSWERS)


def test_after_a_guess_another_text_is_asked_about_anew(show, page):
    page.clock.install()
    show(example(layer=0, head=1, guesses=ASKED, question="Whither, King?"))
    settled(page)
    page.get_by_role("button", name=ANSWERS[2]).click()
    assert settled(page)["kernel"] == "place" and page.locator(".question").inner_text() == "Whither, King?"
    now = writes(page, OWN[0])
    assert (now["guess"], now["kernel"], now["scope"]) == (None, "dot product", "this head")
    assert page.locator(".guesses .right").count() == 0
    writes(page, "")
    assert page.locator(".question").inner_text() == "Write a sentence. What will come next?"
    page.get_by_role("button", name="Reset").click()
    settled(page)
    assert page.locator(".question").inner_text() == "Whither, King?"


def test_a_link_holds_a_guess_about_another_text(show, page):
    link = "#language-model=text:Once upon a,kernel:place,scope:all heads,guess:3"
    show(example(guesses=ASKED), address=link)
    settled(page)
    assert page.locator(".guesses .right").inner_text() == fate("Once upon a")


# ---- What is drawn ----------------------------------------------------------------------------------------


def test_no_text_of_a_menu_is_cut(show, page):
    show(example())
    settled(page)
    cut = """(select) => [...select.options].filter((option) => {
      const style = getComputedStyle(select), canvas = document.createElement("canvas").getContext("2d");
      canvas.font = style.font;
      return canvas.measureText(option.text).width > select.clientWidth - 28;  // the arrow
    }).map((option) => option.text)"""
    for menu in page.locator("select").all():
        assert not menu.is_visible() or menu.evaluate(cut) == []


def test_arcs_leave_the_title_alone(show, page):
    page.clock.install()
    show(example(layer=0, head=1))
    settled(page)
    writes(page, "The King gave the King")
    change(page, layer=0, head=0)
    title = page.locator(".weight-title").bounding_box()
    arcs = [arc.bounding_box() for arc in page.locator(".arcs path").all()]
    assert len(arcs) > 1 and min(arc["y"] for arc in arcs) > title["y"] + title["height"] - 4


def test_tokens_of_one_word_touch_and_words_do_not(show, page):
    show(example())
    words = settled(page)["words"]
    boxes = [one.bounding_box() for one in page.locator(".chips rect").all()]
    for word, left, right in zip(words[1:], boxes, boxes[1:], strict=False):
        if left["y"] == right["y"]:
            gap = right["x"] - left["x"] - left["width"]
            assert gap > 5 if word[0] == " " else gap < 2.5, word
        else:
            assert word[0] == " "  # no word is broken
    assert page.locator(".chips").evaluate("(one) => getComputedStyle(one.firstChild).strokeWidth") == "1px"


def test_the_figure_with_its_controls_fits_a_laptop(show, page):
    page.set_viewport_size({"width": 1366, "height": 768})
    show(example(layer=0, head=1))
    page.add_style_tag(content="main { max-width: 752px !important; }")
    page.wait_for_function("document.querySelector('.stage').clientWidth === 752")
    box = page.locator(".live-figure").bounding_box()
    parts = page.locator(".live-figure :is(button, select, input, textarea, .hint)").all()
    bottoms = [part.bounding_box() for part in parts if part.is_visible()]
    assert max(each["y"] + each["height"] for each in bottoms) <= box["y"] + box["height"] <= box["y"] + 600


# ---- Writing ----------------------------------------------------------------------------------------------


def test_write_on_appends_the_likeliest_until_it_is_stopped(show, page):
    page.clock.install()
    show(example())
    first = settled(page)
    page.get_by_role("button", name="Write on").click()
    page.wait_for_function(
        "(length) => document.querySelector('textarea').value.length > length + 8", arg=len(SENTENCE)
    )
    page.get_by_role("button", name="Stop").click()
    now = settled(page)
    assert now["text"].startswith(SENTENCE + first["next"][0]["word"])
    assert_matches_lib(now)
    page.clock.run_for(5000)
    assert state(page) == now and page.locator("textarea").input_value() == now["text"]
    assert page.get_by_role("button", name="Write on").is_visible()


@pytest.mark.parametrize("touch", ["word", "key", "text"])
def test_a_touch_stops_the_writing(touch, show, page):
    page.clock.install()
    show(example())
    settled(page)
    page.get_by_role("button", name="Write on").click()
    page.wait_for_function("(text) => document.querySelector('textarea').value !== text", arg=SENTENCE)
    if touch == "word":
        page.mouse.click(*word_at(page, 2))
    elif touch == "key":
        page.locator(".query-handle").press("Home")
    else:
        page.locator("textarea").press("End")
    assert page.get_by_role("button", name="Write on").is_visible()
    now = settled(page)
    page.clock.run_for(5000)
    assert page.locator("textarea").input_value() == now["text"]


def test_readers_who_want_calm_get_one_token_per_press(show, new_page):
    page = new_page(viewport={"width": 1000, "height": 900}, reduced_motion="reduce")
    page.set_default_timeout(120_000)
    page.clock.install()
    show(example(kernel="place", scope="all heads", query=4), page=page)
    settled(page)
    text = SENTENCE
    for _ in range(2):
        query = len(load().encode(text)) - 1
        likeliest = load().run(load().encode(text)[-SHOWN:], {"all": ("place", 2.0)}).logits[query].argsort()[::-1]
        words = [load().decode([token]) for token in likeliest[:N_NEXT]]
        text += next(word for word in words if "\ufffd" not in word)
        page.get_by_role("button", name="Write on").click()
        page.wait_for_function("(text) => document.querySelector('textarea').value === text", arg=text)
        shows(page, text)
        page.clock.run_for(5000)
        assert page.locator("textarea").input_value() == settled(page)["text"] == text


@pytest.mark.parametrize("T", SAMPLING[1:])
def test_the_temperature_of_sampling_draws_the_next_word_and_moves_no_head(T, show, new_page):
    page = new_page(viewport={"width": 1000, "height": 900}, reduced_motion="reduce")
    page.set_default_timeout(120_000)
    show(example(), page=page)
    page.locator("textarea").focus()
    weights = settled(page)["weights"]
    page.get_by_role("combobox", name="next word").select_option(T)
    assert settled(page)["weights"] == weights and settled(page)["sampling"] == T
    model, text = load(), SENTENCE
    for share in (0.01, 0.5, 0.97):
        page.evaluate("(share) => { Math.random = () => share; }", share)
        logits = model.run(model.encode(text)).logits[-1]
        whole = ["\ufffd" not in model.decode([token]) for token in range(len(logits))]
        drawn = np.argmax(np.cumsum(softmax(np.where(whole, logits / float(T), -np.inf))) > share)
        text += model.decode([drawn])
        page.get_by_role("button", name="Write on").click()
        shows(page, text)


def test_typing_waits_for_nothing(show, page):
    """Each letter is in the field in the event of its key, however long the model works."""
    show(example(kernel="performer", scope="all heads", n_features=256))
    settled(page)
    page.locator("textarea").focus()
    page.keyboard.press("Control+End")
    page.evaluate(
        """() => document.querySelector("textarea").addEventListener("input", (event) =>
          (window.letters = [...(window.letters ?? []), event.target.value.length]))"""
    )
    written = " miller's daughter, and she wept"
    page.keyboard.type(written)
    assert page.locator("textarea").input_value() == SENTENCE + written
    assert_matches_lib(shows(page, SENTENCE + written))
    lengths = range(len(SENTENCE) + 1, len(SENTENCE) + len(written) + 1)
    assert page.evaluate("letters") == list(lengths)


# ---- Loading ----------------------------------------------------------------------------------------------

SITE_PAGE = """<!doctype html><html lang="en" data-theme="light"><head><meta charset="utf-8"><title>Figure</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="../_static/widgets/widgets.css">
{scripts}<script defer src="../_static/widgets/widgets.js"></script></head>
<body data-page="chapters/page"><main><div style="height: 5000px">far away</div>
<script type="application/vnd.jupyter.widget-state+json">{state}</script>
<script type="application/vnd.jupyter.widget-view+json">{view}</script>
</main></body></html>"""


@pytest.fixture(scope="module")
def small_site(tmp_path_factory):
    """A site of one page with the figure far down, made by the parts of the real one."""
    folder = tmp_path_factory.mktemp("site")
    (folder / "_static").mkdir()
    (folder / "chapters").mkdir()
    collect_widget_runtime(ROOT / "node_modules", folder / "_static" / "widgets")
    panel = language_model_figure()
    state_of_all = dependency_state(panel, drop_defaults=False)
    data = embed_data(views=[panel], drop_defaults=False, state=state_of_all)
    write_code(ROOT, folder / "_static")
    parts = Parts(folder / "_static", "../_static/")
    state = json.dumps(parts.move(data["manager_state"])).replace("</", "<\\/")
    scripts = "".join(f'<script defer src="../_static/{name}"></script>' for name in parts.names)
    page = SITE_PAGE.format(state=state, scripts=scripts, view=json.dumps(data["view_specs"][0]))
    (folder / "chapters" / "page.html").write_text(page, "utf8")
    return folder


def later_script(page):
    """Where the page says that the model is."""
    (later,) = re.findall(r'"model_later": (\{[^}]*\})', page)
    return json.loads(later)["script"]


def test_page_holds_no_model(small_site):
    page = (small_site / "chapters" / "page.html").read_text("utf8")
    assert len(page) < 50_000
    script = later_script(page)
    assert (small_site / "chapters" / script).stat().st_size > 1e6
    assert re.findall(r"<(?:script|link)[^>]*>", page) and not re.findall(rf"<[^>]*{Path(script).name}", page)


def with_policy(route):
    """Answer as a server that lets a page load from its own host alone and evaluate nothing."""
    policy = "default-src 'none'; script-src 'self' blob:; style-src 'self' 'unsafe-inline'; img-src 'self' data:"
    answer = route.fetch()
    route.fulfill(response=answer, headers=answer.headers | {"content-security-policy": policy})


@pytest.mark.parametrize("scheme", ["http", "file"])
def test_model_is_asked_for_when_the_reader_touches_the_figure(scheme, small_site, page):
    script = Path(later_script((small_site / "chapters" / "page.html").read_text("utf8"))).name
    asked = []
    page.on("request", lambda request: asked.append(request.url.split("/")[-1]))
    if scheme == "http":
        page.route("**/page.html", with_policy)
    with make_server(small_site) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        root = f"http://127.0.0.1:{server.server_port}" if scheme == "http" else small_site.as_uri()
        page.goto(f"{root}/chapters/page.html")
        page.wait_for_selector("[data-state]", state="attached")
        first = state(page)
        page.screenshot()  # a frame is drawn, so the page knows what is near
        assert "widgets.js" in asked and script not in asked
        assert page.locator(".stale").count() == 0 and len(first["weights"]) == len(first["tokens"])
        page.locator(".live-figure").scroll_into_view_if_needed()
        page.screenshot()
        assert script not in asked and page.locator(".stale").count() == 0
        page.locator(".query-handle").focus()
        until(lambda: script in asked, page)  # a page under this policy evaluates no string
        assert asked.count(script) == 1
        page.wait_for_selector(".stale", state="detached")
        page.locator(".query-handle").press("Home")
        page.wait_for_selector(".stale", state="detached")
        assert state(page)["query"] == 0
        assert_matches_lib(state(page))
        page.locator("textarea").fill("A fox")
        assert_matches_lib(shows(page, "A fox"))
        server.shutdown()


def test_a_model_that_does_not_come_is_told(show, new_page):
    figure = example()
    figure.model_later = {"later": "abc", "script": "data:text/javascript,0"}
    page = new_page(viewport={"width": 1000, "height": 900})
    show(figure, page=page)
    page.locator("textarea").focus()
    page.wait_for_function("document.querySelector('.note').textContent.includes('could not be loaded')")
    assert state(page)["text"] == SENTENCE and page.locator(".stale").count() == 0


COUNT_WORKERS = """window.workers = 0;
window.Worker = class extends Worker { constructor(address) { super(address); workers += 1; } };"""


@pytest.mark.parametrize("stays, workers", [(True, 1), (False, 0)])
def test_a_figure_taken_away_while_its_model_comes_starts_no_worker(stays, workers, show, page, tmp_path):
    figure = example()
    figure.model_later = {"later": "abc", "script": "later.js"}
    leave = "" if stays else "takeAway();"
    (tmp_path / "later.js").write_text(f"{leave} figureParts.abc = {{}};")
    (tmp_path / "figure.html").write_text(figure_page(figure), "utf8")
    page.add_init_script(COUNT_WORKERS)
    page.goto((tmp_path / "figure.html").as_uri())
    page.wait_for_selector("[data-state]")
    page.evaluate("model.set('text', 'The King')")  # what the stored answer does not know asks for the model too
    page.wait_for_function("window.figureParts?.abc")
    page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    assert page.evaluate("workers") == workers


# ---- Looks ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", [SENTENCE, TEXTS[4], UNICODE], ids=["sentence", "long", "unicode"])
def test_phone_shows_legible_text_without_sideways_scrolling(text, show, new_page):
    page = new_page(viewport={"width": 375, "height": 800})
    page.set_default_timeout(120_000)
    show(example(text=text), page=page)
    settled(page)
    assert page.evaluate("document.documentElement.scrollWidth") == 375
    sizes = "[...document.querySelectorAll('text')].map(t => parseFloat(getComputedStyle(t).fontSize))"
    assert min(page.evaluate(sizes)) >= 12
    edges = page.evaluate(
        "[...document.querySelectorAll('.words text')].map(t => t.getBoundingClientRect().right)"
    )
    assert max(edges) <= 375


def test_text_on_the_darkest_weight_keeps_its_contrast(show, new_page):
    """A weight of 1 shades a word with 55 % of the colour of weights; its letters keep a contrast of 4.5."""
    for theme in ("light", "dark"):
        page = new_page(viewport={"width": 800, "height": 800})
        page.set_default_timeout(120_000)
        show(example(text="K"), page=page, theme=theme)
        now = settled(page)
        assert now["weights"] == [1]
        assert float(page.locator(".chips rect").get_attribute("fill-opacity")) == pytest.approx(0.55)
        fills = page.evaluate(
            """() => ["weight", "paper", "ink"].map((name) => {
              const probe = document.createElement("i");
              probe.style.color = `var(--figure-${name})`;
              document.querySelector(".live-figure").append(probe);
              return getComputedStyle(probe).color.match(/[0-9]+/g).slice(0, 3).map(Number);
            })"""
        )
        weight, paper, ink = np.array(fills) / 255
        dark, light = sorted([luminance(0.55 * weight + 0.45 * paper), luminance(ink)])
        assert (light + 0.05) / (dark + 0.05) > 4.5, theme


def luminance(color):
    linear = np.where(color <= 0.04045, color / 12.92, ((color + 0.055) / 1.055) ** 2.4)
    return float(linear @ [0.2126, 0.7152, 0.0722])


def test_forced_colours_keep_the_weights_visible(show, new_page):
    page = new_page(viewport={"width": 800, "height": 800}, forced_colors="active")
    page.set_default_timeout(120_000)
    show(example(), page=page)
    settled(page)
    fill = page.locator(".chips").evaluate("(chips) => getComputedStyle(chips).fill")
    assert fill == "rgb(179, 25, 148)"
