"""The language model's figure in a real browser: its numbers beside `lib`'s, hands, keys, writing, loading."""

import functools
import itertools
import re

import numpy as np
import pytest
from figure_page import figure_page
from hands import choose, settled, state
from pages import open_ready, until
from test_every_figure import FOLLOW, assert_fits

from lib.constants import N_NEXT, PALETTE
from lib.figures import Guesses, language_model_figure
from lib.figures.language_model import (
    FEATURES,
    KERNELS,
    LONGEST_TEXT,
    SAMPLING,
    SCOPES,
    SENTENCE,
    SHOWN,
    added,
    expected,
    names_of,
    swapped_kernels,
)
from lib.heads import name_heads
from lib.language_model import load
from lib.weights import softmax

UNICODE = "Der Froschkönig said: “naïve ゴ 👑”\n\nand\tthe\u00a0King…"
LONG = 6 * SENTENCE
MARKUP = '<img src=x onerror="alert(1)"> & <b>King</b>'
TEXTS = [SENTENCE, "King", "Once upon a time, there was", UNICODE, LONG, "a" * 300, " ", "\ufeff1,2", MARKUP]


def fresh(**changes):
    return language_model_figure(**changes).figure


example = functools.cache(fresh)  # of settings that several tests begin with


def awake(page):
    """What the figure publishes when a hand has touched it and the model is there."""
    page.locator("textarea").focus()
    return settled(page)


def shows(page, text):
    """What the figure publishes once it shows this text."""
    shown = "JSON.parse(document.querySelector('.live-figure').dataset.state).text"
    page.wait_for_function(f"(text) => {shown} === text", arg=text)
    return settled(page)


def told(page, part=".sentence"):
    return page.locator(part).inner_text().replace("\u00a0", " ")


def press(page, name):
    page.get_by_role("button", name=name, exact=True).click()
    return settled(page)


@functools.cache
def trained_run(tokens):
    return load().run(np.array(tokens))


def assert_matches_lib(now):
    """Weights, what the head adds, names, next words and loss are those of `lib`, within 1e-9."""
    model = load()
    tokens = model.encode(now["text"])
    assert now["dropped"] == max(len(tokens) - SHOWN, 0)
    tokens, query = tokens[-SHOWN:], now["query"]
    assert now["tokens"] == tokens.tolist()
    assert now["words"] == [model.decode([token]) for token in tokens]
    kernels, (layer, head) = swapped_kernels(now), (now["layer"], now["head"])
    trained = trained_run(tuple(tokens))
    as_trained = (now["kernel"], now["temperature"]) == ("dot product", 1)
    runs = {"": trained if as_trained else model.run(tokens, kernels), "_trained": trained}
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
    for ending, run in runs.items() if len(tokens) > 1 else ():
        came = softmax(run.logits[:-1])[np.arange(len(tokens) - 1), tokens[1:]]
        assert now[f"loss{ending}"] == pytest.approx(-np.log(came).mean(), abs=1e-9)
    expected_words = added(model, runs[""], layer, head, query)
    assert [each["word"] for each in now["adds"]] == [each["word"] for each in expected_words]
    logits = [[each["logit"] for each in words] for words in (now["adds"], expected_words)]
    np.testing.assert_allclose(*logits, atol=1e-8)
    assert now["names"] == names_of(runs[""], tokens)
    assert now["estimate"] == now["next"][0]["probability"]
    carried = np.cumsum(np.sort(now["weights"])[::-1])
    assert now["keys_for_90_percent"] == np.argmax(carried >= 0.9 - 1e-12) + 1


@pytest.mark.parametrize(
    "arguments, message",
    [
        ({"text": ""}, "text: expected"),
        ({"text": "a" * (LONGEST_TEXT + 1)}, "text: expected"),
        ({"query": 99}, "query: expected"),
        ({"layer": 4}, "layer: expected"),
        ({"head": -1}, "head: expected"),
        ({"scope": "some heads"}, "scope: expected"),
        ({"n_features": 17}, "n_features: expected"),
        ({"hidden": [36]}, "hidden: expected"),
    ],
)
def test_bad_arguments_are_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        language_model_figure(**arguments)


# ---- The numbers ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("setting", [{}, {"kernel": "place", "scope": "all heads", "temperature": 0.4}])
def test_the_stored_answer_and_the_model_agree(setting, show):
    page = show(example(query=12, **setting))
    stored = settled(page)
    assert stored["query"] == 12 and {name: stored[name] for name in setting} == setting
    assert_matches_lib(stored)
    page.locator(".sentence").dispatch_event("pointerdown")
    page.wait_for_selector(".stale")
    assert settled(page) == stored


def test_texts_equal_lib(show):
    page = show(example())
    for text in TEXTS:
        now = choose(page, text=text, kernel_index=0, scope_index=0, query=SHOWN)
        assert now["text"] == text and now["query"] == min(len(load().encode(text)), SHOWN) - 1
        assert_matches_lib(now)
        middle_token = len(now["tokens"]) // 2
        now = choose(page, query=middle_token, kernel_index=1, scope_index=2, temperature=0.7)
        assert (now["query"], now["kernel"], now["scope"]) == (middle_token, "gaussian", "all heads")
        assert_matches_lib(now)
    assert page.locator(".live-figure img, .sentence b.King").count() == 0, "a text is no markup"
    page.locator("textarea").fill("")
    now = shows(page, "")
    assert (now["tokens"], now["weights"], now["next"], now["loss"]) == ([], [], [], None)
    assert page.locator(".empty").is_visible()
    page.keyboard.type("The King")
    assert_matches_lib(shows(page, "The King"))


def test_kernels_and_scopes_equal_lib(show):
    page = show(example(text="The King’s daughter\nwept, and the King said to his daughter, "))
    rest = itertools.cycle([(1.0, 16, 0, 0), (0.1, 256, 3, 2), (2.5, 64, 1, 3), (0.4, 16, 2, 1)])
    for kernel, scope in itertools.product(KERNELS, SCOPES):
        temperature, features, layer, head = next(rest)
        now = choose(
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


def test_performer_stays_exact_where_a_later_key_is_far_larger(show):
    """At the smallest temperature the features of early keys vanish beside a later key's: no row may be empty."""
    page = show(example(text=LONG, kernel="performer", scope="all heads", temperature=0.1, n_features=16))
    for query in (0, 20, 63):
        now = choose(page, query=query)
        assert (now["kernel"], now["temperature"], now["features"]) == ("performer", 0.1, 16)
        assert sum(now["weights"]) == pytest.approx(1, abs=1e-9)
        assert_matches_lib(now)


def test_sentence_says_what_the_state_holds(show):
    page = show(example(layer=0, head=1))
    start = "From “the”, head 0, 1 looks most at “King” (60 %, 31 back) and “King” (39 %, 20 back). "
    assert told(page).startswith(start)
    assert "On the whole text it spreads its weight nearly evenly, but not here. " in told(page)
    choose(page, layer=2, head=2)
    assert told(page).startswith("From “the”, head 2, 2 looks most at “to” (98 %, 1 back). ")
    assert "On the whole text it looks one piece back. " in told(page)
    now = choose(page, layer=1, head=0, kernel_index=3, query=10)
    assert "Now equal weights in this head. From “.”, head 1, 0 looks at all 11 pieces alike. " in told(page)
    assert f"as trained with {100 * now['next'][0]['trained']:.0f} %" in told(page)
    loss = f"Loss {now['loss']:.2f} nats, as trained {now['loss_trained']:.2f}"
    said = page.locator(".loss").text_content()
    assert said.startswith(loss) and "−ln" in page.locator(".loss title").text_content()
    assert "its last 64 tokens" not in told(page)
    choose(page, text=LONG)
    assert "its last 64 tokens" in told(page)


def test_sentence_does_not_contradict_itself(show):
    """What the name says of the whole text is not told of a query from which the head does something else."""
    page, here, elsewhere = show(example()), 0, 0
    for text, query in [
        (SENTENCE, 35),
        (SENTENCE, 15),
        ("My neighbour bought a smartphone and showed it to his", 63),
    ]:
        for layer, head in np.ndindex(4, 4):
            now = choose(page, text=text, query=query, layer=layer, head=head)
            name, weights, words = now["names"][layer][head], np.array(now["weights"]), told(page)
            back = now["query"] - int(weights.argmax())
            assert "nearly everywhere" not in words or weights.max() < 0.5
            fits = {
                "near": back <= 4 and weights[max(now["query"] - 4, 0) :].sum() > 0.5,
                "one back": back == 1,
                "wide": "nearly everywhere" in words,
                "first word": back == now["query"],
            }.get(name, True)
            assert fits != ("but not here" in words), (text, layer, head, words)
            here, elsewhere = here + fits, elsewhere + (not fits)
    assert here > 10 and elsewhere > 5


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


# ---- Hands and keys ---------------------------------------------------------------------------------------


def middle_of(page, part, i):
    box = page.locator(part).nth(i).bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def word_at(page, j):
    return middle_of(page, ".chips rect", j)


def middle_of_head(page, layer, head):
    return middle_of(page, ".grounds rect", 4 * layer + head)


def test_hands_and_keys_choose_the_query(show):
    page = show(example(kernel="uniform"))
    now = awake(page)
    page.mouse.move(*word_at(page, 4))
    weights = f"weight {100 / 36:.1f} %, as trained {100 * now['weights_trained'][4]:.1f} %"
    assert told(page, ".readout") == f"Key “King”, token 4: {weights}"
    page.mouse.move(*word_at(page, 9))
    page.mouse.down()
    for j in (9, 8, 15, 4):
        page.mouse.move(*word_at(page, j))
        assert state(page)["query"] == j
    page.mouse.up()
    page.mouse.move(*word_at(page, 20))
    assert state(page)["query"] == 4
    assert_matches_lib(state(page))
    keys = {"ArrowLeft": 3, "ArrowRight": 4, "End": 35, "Shift+ArrowLeft": 25, "Home": 0}
    for key, query in keys.items():
        page.locator(".query-handle").press(key)
        assert state(page)["query"] == query, key
        assert page.locator(".query-handle").get_attribute("aria-valuenow") == str(query)
    page.keyboard.press("End")
    page.keyboard.press("ArrowUp")
    above = state(page)["query"]
    assert above < 34 and word_at(page, above)[1] < word_at(page, 35)[1]


def test_hands_and_keys_choose_the_head_and_read_the_keys(show):
    page = show(example())
    settled(page)
    for layer, head in [(0, 0), (3, 1), (2, 2)]:
        page.mouse.click(*middle_of_head(page, layer, head))
        now = state(page)
        assert (now["layer"], now["head"]) == (layer, head)
        assert_matches_lib(now)
        title = f"Head {layer}, {head} looks from “the” at (% of weight)"
        assert page.locator(".weight-title").text_content().replace("\u00a0", " ") == title
    assert not page.locator(".readout").is_visible(), "the sentence tells of the chosen head"
    page.mouse.move(*middle_of_head(page, 0, 1))
    assert told(page, ".readout").startswith("Head 0, 1 looks most from “the” at “King”, 60 %; ")
    assert told(page, ".readout").endswith("on the whole text it spreads its weight nearly evenly, but not here")
    for key, at in {
        "ArrowDown": (3, 2),
        "End": (3, 3),
        "Home": (3, 0),
        "ArrowUp": (2, 0),
        "ArrowRight": (2, 1),
    }.items():
        page.locator(".head-handle").press(key)
        assert (state(page)["layer"], state(page)["head"]) == at, key
    assert page.locator(".head-handle").get_attribute("aria-valuetext").startswith("Head 2, 1 looks most")
    page.locator(".look-handle").focus()
    heaviest = int(np.argmax(state(page)["weights"]))
    until(lambda: f"token {heaviest}" in told(page, ".readout"), page)
    page.keyboard.press("Home")
    until(lambda: told(page, ".readout").startswith("Key “There”, token 0: weight"), page)
    page.keyboard.press("ArrowRight")
    assert page.locator(".look-handle").get_attribute("aria-valuetext").startswith("Key “was”, token 1: weight")
    assert state(page)["query"] == 35


def test_hostile_addresses_are_brought_back_or_change_nothing(show):
    name, text = "#language-model", "%3Cscript%3Ealert(1)%3C%2Fscript%3E"
    page = show(example(), address=f"{name}=text:{text},query:999,layer:-5,head:77,temperature:1e9")
    now = settled(page)
    assert (now["text"], now["query"]) == ("<script>alert(1)</script>", len(now["tokens"]) - 1)
    assert (now["layer"], now["head"], now["temperature"]) == (1, 0, 4)  # no such layer or head: as at first
    assert_matches_lib(now)
    page = show(example(), address=f"{name}=text:%E0%A4%A")
    before = settled(page)
    assert before["text"] == SENTENCE
    for text in ("", "%E0%A4%A", 2000 * "a"):
        page.evaluate(FOLLOW, f"{name}=text:{text}")
        assert settled(page) == before


def test_buttons_swap_all_heads_and_hide_the_kings_from_one(show):
    """What the chapter does in code: 22 %, 9 % without the kings in head 0, 1, 19 % without them in the others."""
    page = show(example(layer=0, head=1))
    before = settled(page)
    assert round(100 * before["estimate"]) == 22
    now = press(page, "Let all heads look only at places")
    assert (now["kernel"], now["scope"]) == ("place", "all heads")
    assert_matches_lib(now)
    assert press(page, "All heads as trained again") == before
    now = press(page, "Hide the words it looks at most")
    assert (now["kernel"], now["scope"], now["hidden"]) == ("hide", "this head", [4, 15])
    king = next(each for each in now["next"] if each["word"] == " King")
    assert (round(100 * king["probability"]), round(100 * king["trained"])) == (9, 22)
    assert page.locator(".words .struck").count() == 2
    assert_matches_lib(now)
    page.get_by_role("combobox", name="used by").select_option("the other heads")
    now = settled(page)
    assert round(100 * now["estimate"]) == 19
    assert_matches_lib(now)
    assert press(page, "Show the words again")["kernel"] == "dot product"


def test_single_words_are_hidden_by_shift_and_by_keys(show):
    page = show(example(layer=0, head=1))
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


def test_a_word_that_is_hidden_sees_itself(show):
    page = show(fresh(layer=0, head=1, kernel="hide", hidden=[4, 15], query=15))
    assert settled(page)["weights"][15] > 0.3 and page.locator(".words .struck").count() == 1
    assert "hidden from this head; a word always sees itself. " in told(page)


@pytest.mark.parametrize("hand", ["page", "phone"])
def test_presses_on_words_hide_them_where_the_reader_says_so(hand, show, request):
    page = show(example(layer=0, head=1), page=request.getfixturevalue(hand))
    press(page, "Hide the words it looks at most")
    page.get_by_role("checkbox", name="a press on a word hides or shows it").check()
    for j, hidden in [(9, [4, 9, 15]), (15, [4, 9]), (0, [0, 4, 9])]:
        page.locator(".words").scroll_into_view_if_needed()
        (page.touchscreen.tap if hand == "phone" else page.mouse.click)(*word_at(page, j))
        now = settled(page)
        assert (now["hidden"], now["query"]) == (hidden, 35)
    assert_matches_lib(now)
    page.get_by_role("checkbox").uncheck()
    page.locator(".words").scroll_into_view_if_needed()
    page.mouse.click(*word_at(page, 15))
    assert settled(page)["query"] == 15


def test_the_kernel_s_numbers_are_there_where_they_count(show):
    page = show(example())
    slider, features = page.get_by_role("slider", name="in heads"), page.get_by_role("combobox", name="features")
    for name, visible in {
        "performer": (True, True),
        "gaussian": (True, False),
        "uniform": (False, False),
        "place": (True, False),
    }.items():
        page.get_by_role("combobox", name="kernel").select_option(name)
        assert settled(page)["kernel"] == name and (slider.is_visible(), features.is_visible()) == visible
        symbol = "h" if name == "place" else "τ"
        assert page.get_by_role("slider", name=f"{symbol} in heads", include_hidden=True).count() == 1
    slider.press("ArrowLeft")
    assert settled(page)["temperature"] == 0.9
    assert_matches_lib(settled(page))


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


def head_of(now):
    return now["layer"], now["head"]


WHY = "It was chosen: it looks at few words."


def test_of_a_new_text_the_telling_head_is_shown_unless_its_reader_has_chosen(show, page):
    page.clock.install()
    show(example(layer=0, head=3))
    second = settled(page)["next"][1]["word"]
    press(page, f"Append “{second.strip()}”")
    now = shows(page, SENTENCE + second)
    assert now["query"] == 36 and now["tokens"][36:] == load().encode(second).tolist()
    assert head_of(now) == telling_head(SENTENCE + second)
    for text in OWN:
        now = writes(page, text)
        assert head_of(now) == telling_head(text) and WHY in told(page)
        assert_matches_lib(now)
    page.get_by_role("combobox", name="kernel").select_option("gaussian")
    settled(page)
    assert WHY not in told(page), "a head as trained was chosen"
    choose(page, kernel_index=0)
    page.mouse.click(*middle_of_head(page, 3, 2))
    settled(page)
    assert WHY not in told(page)
    assert head_of(writes(page, OWN[-1] + " mother")) == (3, 2)
    assert head_of(writes(page, OWN[1])) == telling_head(OWN[1]) != (3, 2)
    choose(page, layer=0, head=3, kernel_index=list(KERNELS).index("uniform"))
    now = writes(page, OWN[0])
    assert (*head_of(now), now["kernel"]) == (0, 3, "uniform"), "a kernel in one head stays there"


@pytest.mark.parametrize("text, query", [(SENTENCE, 15), (UNICODE, 2), (UNICODE, 7), (LONG, 40)])
def test_a_next_word_comes_after_the_query_and_what_stood_there_is_cut(text, query, show):
    page, model = show(example()), load()
    now = choose(page, text=text, query=query)
    word = next(each["word"] for each in now["next"] if "\ufffd" not in each["word"])
    tokens = model.encode(text)
    before = model.decode(tokens[: now["dropped"] + query + 1]).rstrip("\ufffd")  # no part of a letter stays
    button = page.locator(".next-word:not(:disabled)").first
    assert re.fullmatch("Cut the text after .+ and append “.+”", button.get_attribute("title"))
    button.click()
    now = shows(page, before + word)
    assert now["query"] == len(now["tokens"]) - 1
    assert_matches_lib(now)


ANSWERS = ["the same word, less likely", "the same word, more likely", "another word"]
ASKED = Guesses(ANSWERS, ANSWERS[0], then={"kernel": "place", "scope": "all heads"}, because="Kings are likely.")


@functools.cache
def fate(text):
    """The answer about the likeliest next word of a text, if all heads look only at places."""
    model = load()
    tokens = model.encode(text)
    trained, places = (softmax(model.run(tokens, each).logits[-1]) for each in (None, {"all": ("place", 2.0)}))
    best = trained.argmax()
    return ANSWERS[2] if places.argmax() != best else ANSWERS[0 if places[best] < trained[best] else 1]


def assert_guess_is_judged(page, trained):
    text = trained["text"]
    now = press(page, ANSWERS[0])
    assert (now["text"], now["kernel"], now["guess"]) == (text, "place", ANSWERS[0])
    assert head_of(now) == head_of(trained)
    assert_matches_lib(now)
    assert page.locator(".guesses .right").inner_text() == fate(text)
    judged = "You are right:" if fate(text) == ANSWERS[0] else f"You guessed “{ANSWERS[0]}”, and the answer is"
    assert told(page).startswith(f"{judged} “{fate(text)}”. “")
    now = press(page, "All heads as trained again")
    assert now["next"] == trained["next"] and now["guess"] == ANSWERS[0]
    assert page.locator(".guesses .right").inner_text() == fate(text) and not told(page).startswith("You")


def test_a_guess_is_about_the_text_that_stands_there(show, page):
    page.clock.install()
    show(fresh(layer=0, head=1, guesses=ASKED, question="Whither, King?"))
    settled(page)
    press(page, ANSWERS[2])
    assert page.locator(".question").inner_text() == "Whither, King?"
    texts = [*OWN[:3], "Once upon a"]
    for text in texts:
        now = writes(page, text)
        assert (now["guess"], now["kernel"], now["scope"]) == (None, "dot product", "this head")
        assert page.locator(".guesses .right").count() == 0
        asked = f"“{now['next'][0]['word'].strip()}” comes next. What if all heads only looked at places?"
        assert page.locator(".question").inner_text() == asked
        assert page.get_by_role("group", name=f"Guess: {asked}").count() == 1
        assert_guess_is_judged(page, now)
    assert {fate(text) for text in [*texts, SENTENCE]} == set(ANSWERS)
    writes(page, "")
    assert page.locator(".question").inner_text() == "Write a sentence. What will come next?"
    assert not page.locator(".guesses").is_visible()
    press(page, "Reset")
    assert page.locator(".guesses").is_visible()
    assert page.locator(".question").inner_text() == "Whither, King?"
    link = "#language-model=text:Once upon a,kernel:place,scope:all heads,guess:3"
    settled(show(fresh(guesses=ASKED), address=link))
    assert page.locator(".guesses .right").inner_text() == fate("Once upon a")


# ---- What is drawn ----------------------------------------------------------------------------------------


def test_bars_arcs_and_marks_are_the_numbers(show):
    page = show(example(layer=1, head=1))
    now = settled(page)
    assert page.locator(".next .before").first.get_attribute("visibility") == "hidden", "nothing is swapped"
    count = sum(weight >= 0.05 for weight in now["weights"][: now["query"]])
    assert count > 2 and page.locator(".arcs path").count() == count
    rows = load().run(now["tokens"]).weights[:, :, -1].reshape(16, -1)
    entropy = -(rows * np.log(np.where(rows > 0, rows, 1))).sum(axis=1)
    assert now["narrowest"] == np.argsort(entropy)[:3].tolist()
    assert page.locator(".names .marked").count() == page.locator(".marks circle").count() == 3
    now = choose(page, kernel_index=list(KERNELS).index("uniform"), scope_index=2)
    bars = "(group) => ['.before', '.now'].map((name) => Number(group.querySelector(name).getAttribute('width')))"
    drawn = np.array([group.evaluate(bars) for group in page.locator(".next > g").all()])
    shares = np.array([[each["trained"], each["probability"]] for each in now["next"]])
    np.testing.assert_allclose(drawn, np.maximum(shares / shares.max() * drawn.max(), 1), atol=0.02)


CUT = """(select) => [...select.options].filter((option) => {
  const style = getComputedStyle(select), canvas = document.createElement("canvas").getContext("2d");
  canvas.font = style.font;
  return canvas.measureText(option.text).width > select.clientWidth - 28;  // the arrow
}).map((option) => option.text)"""


def test_words_menus_and_arcs_have_their_room(show, page):
    page.set_viewport_size({"width": 1366, "height": 768})
    show(example(layer=0, head=1))
    words = settled(page)["words"]
    page.add_style_tag(content="main { max-width: 752px !important; }")
    page.wait_for_function("document.querySelector('.stage').clientWidth === 752")
    box = page.locator(".live-figure").bounding_box()
    parts = page.locator(".live-figure :is(button, select, input, textarea, .hint)").all()
    bottoms = [part.bounding_box() for part in parts if part.is_visible()]
    bottom = max(each["y"] + each["height"] for each in bottoms)
    assert bottom <= box["y"] + box["height"] <= box["y"] + 600, "it fits a laptop with its controls"
    assert [menu.evaluate(CUT) for menu in page.locator("select:visible").all() if menu.evaluate(CUT)] == []
    boxes = [one.bounding_box() for one in page.locator(".chips rect").all()]
    for word, left, right in zip(words[1:], boxes, boxes[1:], strict=False):
        gap = right["x"] - left["x"] - left["width"]  # tokens of one word touch
        assert (gap > 5 or left["y"] != right["y"]) if word[0] == " " else gap < 2.5 and left["y"] == right["y"], (
            word
        )
    choose(page, text="The King gave the King", layer=0, head=0)
    title = page.locator(".weight-title").bounding_box()
    arcs = [arc.bounding_box() for arc in page.locator(".arcs path").all()]
    assert len(arcs) > 1 and min(arc["y"] for arc in arcs) > title["y"] + title["height"] - 4
    for text in (LONG, UNICODE):
        choose(page, text=text, query=0)
        assert_fits(page, 375)


STYLE = "(css) => { document.head.appendChild(document.createElement('style')).textContent = css; }"


def test_the_legend_has_its_own_room(show, page, phone):
    """However many rows it has: on a narrow figure, and in a font that is wider."""
    for one in (page, phone):
        show(example(layer=0, head=1), page=one)
        for style in ("", ".language-model-figure .legend text { font-size: 17px !important; }"):
            one.evaluate(STYLE, style)
            for kernel in (1, 0, 5):
                choose(one, kernel_index=kernel, hidden=[4])
                rows = [entry.bounding_box() for entry in one.locator(".legend > g").all()]
                bottom = max(row["y"] + row["height"] for row in rows)
                below = one.locator(".next-title" if one is phone else ".sentence").bounding_box()["y"]
                assert bottom <= below, (style, kernel)


def rgb(color):
    return np.array(list(bytes.fromhex(color[1:]))) / 255


def luminance(color):
    linear = np.where(color <= 0.04045, color / 12.92, ((color + 0.055) / 1.055) ** 2.4)
    return float(linear @ [0.2126, 0.7152, 0.0722])


def test_text_on_the_darkest_weight_keeps_its_contrast(show):
    """A weight of 1 shades a word with 55 % of the colour of weights; its letters keep a contrast of 4.5."""
    page = show(example(text="K"))
    assert settled(page)["weights"] == [1]
    assert float(page.locator(".chips rect").get_attribute("fill-opacity")) == pytest.approx(0.55)
    for theme in ("light", "dark"):
        weight, paper, ink = (rgb(PALETTE[theme][role]) for role in ("weight", "paper", "ink"))
        dark, light = sorted([luminance(0.55 * weight + 0.45 * paper), luminance(ink)])
        assert (light + 0.05) / (dark + 0.05) > 4.5, theme
    page.emulate_media(forced_colors="active")  # in which weights stay visible
    assert page.locator(".chips").evaluate("(chips) => getComputedStyle(chips).fill") == "rgb(179, 25, 148)"


# ---- Writing ----------------------------------------------------------------------------------------------


def test_write_on_appends_the_likeliest_until_a_touch_stops_it(show, page):
    page.clock.install()
    show(example())
    first = settled(page)
    for touch in (
        lambda: page.get_by_role("button", name="Stop").click(),
        lambda: page.mouse.click(*word_at(page, 2)),
        lambda: page.locator(".query-handle").press("Home"),
        lambda: page.locator("textarea").press("End"),
    ):
        text = page.locator("textarea").input_value()
        page.get_by_role("button", name="Write on").click()
        page.wait_for_function("(text) => document.querySelector('textarea').value !== text", arg=text)
        touch()
        assert page.get_by_role("button", name="Write on").is_visible()
        now = settled(page)
        page.clock.run_for(5000)
        assert state(page) == now and page.locator("textarea").input_value() == now["text"] != text
    assert now["text"].startswith(SENTENCE + first["next"][0]["word"])
    assert_matches_lib(now)


@pytest.fixture
def calm(new_page):
    return new_page(reduced_motion="reduce")


def test_readers_who_want_calm_get_one_token_per_press(show, calm):
    calm.clock.install()
    show(example(kernel="place", scope="all heads", query=4), page=calm)
    settled(calm)
    text = SENTENCE
    for _ in range(2):
        query = len(load().encode(text)) - 1
        likeliest = load().run(load().encode(text)[-SHOWN:], {"all": ("place", 2.0)}).logits[query].argsort()[::-1]
        words = [load().decode([token]) for token in likeliest[:N_NEXT]]
        text += next(word for word in words if "\ufffd" not in word)
        calm.get_by_role("button", name="Write on").click()
        shows(calm, text)
        calm.clock.run_for(5000)
        assert calm.locator("textarea").input_value() == settled(calm)["text"] == text


def test_the_temperature_of_sampling_draws_the_next_word_and_moves_no_head(show, calm):
    page, model, text = show(example(), page=calm), load(), SENTENCE
    weights = awake(page)["weights"]
    for T, share in [(SAMPLING[1], 0.5), (SAMPLING[1], 0.97), (SAMPLING[2], 0.01), (SAMPLING[2], 0.5)]:
        page.get_by_role("combobox", name="next word").select_option(T)
        assert settled(page)["sampling"] == T
        assert text != SENTENCE or settled(page)["weights"] == weights
        page.evaluate("(share) => { Math.random = () => share; }", share)
        logits = model.run(model.encode(text)).logits[-1]
        whole = ["\ufffd" not in model.decode([token]) for token in range(len(logits))]
        drawn = np.argmax(np.cumsum(softmax(np.where(whole, logits / float(T), -np.inf))) > share)
        text += model.decode([drawn])
        page.get_by_role("button", name="Write on").click()
        shows(page, text)


def test_typing_waits_for_nothing(show):
    """Each letter is in the field in the event of its key, however long the model works."""
    page = show(example(kernel="performer", scope="all heads", n_features=256))
    awake(page)
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

CHAPTER = "chapters/08_language_model.html"
FIGURE = "[data-address=language-model]"


@pytest.mark.parametrize("scheme", ["http", "file"])
def test_model_is_asked_for_when_the_reader_touches_the_figure(scheme, site, built_site, page):
    page_source = (built_site / CHAPTER).read_text("utf8")
    script = re.search(r'"model_later":\s*\{[^}]*"script":\s*"[^"]*/([^"/]+)"', page_source)
    asked = []
    page.on("request", lambda request: asked.append(request.url.split("/")[-1]))
    open_ready(page, f"{site if scheme == 'http' else built_site.as_uri()}/{CHAPTER}")
    page.locator(FIGURE).scroll_into_view_if_needed()
    page.wait_for_selector(f"{FIGURE}[data-state]")
    page.screenshot()  # a frame is drawn, so the page knows what is near
    first = state(page, FIGURE)
    assert len(first["weights"]) == len(first["tokens"]) and page.locator(f"{FIGURE} .stale").count() == 0
    assert script[1] not in asked
    page.locator(f"{FIGURE} .query-handle").focus()
    until(lambda: script[1] in asked, page)  # a page under this policy evaluates no string
    page.locator(f"{FIGURE} .query-handle").press("Home")
    assert settled(page, FIGURE)["query"] == 0
    assert_matches_lib(state(page, FIGURE))
    assert asked.count(script[1]) == 1


def test_a_model_that_does_not_come_is_told(show):
    figure = fresh()
    figure.model_later = {"later": "abc", "script": "data:text/javascript,0"}
    page = show(figure)
    page.locator("textarea").focus()
    page.wait_for_function("document.querySelector('.note').textContent.includes('could not be loaded')")
    assert state(page)["text"] == SENTENCE and page.locator(".stale").count() == 0


COUNT_WORKERS = """window.workers = 0;
window.Worker = class extends Worker { constructor(address) { super(address); workers += 1; } };"""


@pytest.mark.parametrize("stays, workers", [(True, 1), (False, 0)])
def test_a_figure_taken_away_while_its_model_comes_starts_no_worker(stays, workers, page, tmp_path):
    figure = fresh()
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
