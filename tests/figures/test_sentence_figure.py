"""The figure of a sentence: scores and weights equal `lib.attention`; words are selected and swapped."""

import itertools

import numpy as np

from lib.attention import attention_weights
from lib.figures import sentence_figure
from tests.gestures import after_keys, change, middle, press, said, settled, state, swipe
from tests.pages import until
from tests.without_page import states

SENTENCE = "The [animal|bus] did not [cross] the [street] because [it] was too [tired|wide]."
OPTIONS = [["animal", "bus"], ["cross"], ["street"], ["it"], ["tired", "wide"]]
RNG = np.random.default_rng(5)
FEATURES = {word: RNG.normal(size=4) for word in sum(OPTIONS, [])}
TO_QUERY, TO_KEY = RNG.normal(size=(2, 3, 4))
ASKED = {"question": "Which words?", "address": "sentence"}
TOKEN = ".token-handle:nth-child({})"


def example(to_query=TO_QUERY):
    return sentence_figure(SENTENCE, FEATURES, to_query, TO_KEY, query=3, **ASKED).figure


def assert_matches_lib(now):
    tokens = np.array([FEATURES[word] for word in now["words"]])
    queries, keys = tokens @ TO_QUERY.T, tokens @ TO_KEY.T
    weights = attention_weights(queries, keys)[now["query"]]
    np.testing.assert_allclose(now["scores"], queries[now["query"]] @ keys.T / np.sqrt(3), atol=1e-12)
    np.testing.assert_allclose(now["weights"], weights, atol=1e-12)


def numbers(page, group):
    texts = page.locator(f"{group} text").all_text_contents()
    return [float(text.replace("−", "-").replace("%", "")) for text in texts]


def test_scores_and_weights_match_lib(show, page):
    show(example())
    for words, query in itertools.product(itertools.product(*OPTIONS), range(5)):
        now = change(page, words=list(words), query=query)
        assert (now["words"], now["query"]) == (list(words), query)
        assert_matches_lib(now)
        np.testing.assert_allclose(numbers(page, ".shares"), 100 * np.array(now["weights"]), atol=0.51)
        drawn = numbers(page, ".bar-numbers")
        np.testing.assert_allclose(drawn[:5], now["scores"], atol=0.051)
        assert drawn[5:] == numbers(page, ".shares")


def test_pointer_previews_and_click_selects(show, page):
    show(example())
    before = settled(page)
    page.mouse.move(*middle(page, TOKEN.format(1)))
    until(lambda: state(page)["query"] == 0, page)
    assert_matches_lib(state(page))
    page.mouse.move(1, 1)
    until(lambda: state(page) == before, page)
    page.mouse.click(*middle(page, TOKEN.format(3)))
    page.mouse.move(1, 1)
    assert settled(page)["query"] == 2 and said(page).startswith("“street” attends most to")


def test_tap_selects_and_stays(show, phone):
    page = show(page=phone)
    for token in (1, 5, 3):
        phone.touchscreen.tap(*middle(page, TOKEN.format(token)))
        assert settled(page)["query"] == token - 1
        assert page.locator(TOKEN.format(token)).get_attribute("aria-checked") == "true"


def test_arrow_keys_move_focus_and_query(show, page):
    show(example())
    keys = ["ArrowLeft", "ArrowUp", "Home", "ArrowLeft", "ArrowRight", "ArrowDown", "End", "ArrowRight"]
    states = after_keys(page, ".token-handle[tabindex='0']", *keys)
    assert [now["query"] for now in states] == [2, 1, 0, 0, 1, 2, 4, 4]
    assert page.locator(".token-handle[tabindex='0']").count() == 1
    assert page.evaluate("document.activeElement.ariaLabel") == "tired"


def test_swapped_word_changes_weights_and_shows_the_previous(show, page):
    show(example())
    before = settled(page)
    now = press(page, "animal → bus")
    assert now["words"][0] == "bus" and now["query"] == 3
    assert_matches_lib(now)
    assert page.locator(".ghost").evaluate("(one) => getComputedStyle(one).visibility") == "visible"
    assert press(page, "tired → wide")["words"] == ["bus", "cross", "street", "it", "wide"]
    assert press(page, "bus → animal")["weights"] != now["weights"]
    assert press(page, "Reset") == before


def test_equal_scores_are_stated(show, page):
    show(example(0 * TO_QUERY))
    assert said(page) == "“it” attends to all words equally: every score is 0.0, and every weight 20 %."


ARC_THROUGH_WORDS = """() => {
  const boxes = [...document.querySelectorAll(".words text")].map((text) => text.getBBox());
  return [...document.querySelectorAll(".arcs path")].flatMap((arc) => {
    const length = arc.getTotalLength(), ends = 16;
    const at = (k) => arc.getPointAtLength(ends + ((length - 2 * ends) * k) / 199);
    const points = Array.from({ length: 200 }, (_, k) => at(k));
    return points.filter(({ x, y }) => boxes.some((box) => x > box.x && x < box.x + box.width
      && y > box.y + 6 && y < box.y + box.height - 6));
  }).length;
}"""


def test_arcs_avoid_words_at_every_width(show, page):
    show(example(3 * TO_QUERY))
    for width in (320, 375, 768, 1366):
        page.set_viewport_size({"width": width, "height": 800})
        page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        for query in range(5):
            change(page, query=query)
            assert page.evaluate(ARC_THROUGH_WORDS) == 0, (width, query)
    assert page.locator(".arcs path").count()


def test_finger_slides_along_the_sentence(show, phone):
    page = show(page=phone)
    swipe(page, *middle(page, ".token-handle[aria-checked='true']"), right=-150, down=0)
    assert settled(page)["query"] == 2


def test_weights_without_a_page_match_lib():
    words = itertools.product(*OPTIONS)
    changes = [{"words": list(chosen), "query": query} for chosen in words for query in (0, 3)]
    for now in states(example(), *changes):
        assert_matches_lib(now)
