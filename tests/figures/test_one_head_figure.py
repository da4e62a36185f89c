"""The figure of one head on the front page: weights and next words equal `lib.language_model`; input."""

import functools

import numpy as np
import pytest

from lib.figures import one_head_figure
from lib.figures.contract.packing import SENTENCE
from lib.figures.one_head import BLOCK, HEAD, LONGEST_TEXT, SHOWN
from lib.language_model import load
from lib.weights import softmax
from tests.gestures import choose, middle, press, said, settled, state
from tests.pages import until

LONG = (6 * SENTENCE)[:LONGEST_TEXT]
UNICODE = "Der Froschkönig said: “naïve ゴ 👑”\n\nand\tthe\u00a0King…"
MARKUP = '<img src=x onerror="alert(1)"> & <b>King</b>'


@functools.cache
def example():
    return one_head_figure().figure


def assert_matches_lib(now, tolerance=1e-9):
    model = load()
    tokens = model.encode(now["text"])[-SHOWN:]
    assert now["words"] == [model.decode([token]) for token in tokens]
    run = model.run(tokens)
    row = run.weights[BLOCK, HEAD, now["query"]][: now["query"] + 1]
    np.testing.assert_allclose(now["weights"], row, atol=tolerance)
    expected = softmax(run.logits[now["query"]])
    whole = [token for token in np.argsort(-expected) if "\ufffd" not in model.decode([token])]
    assert now["next"]["word"] == model.decode([whole[0]])
    np.testing.assert_allclose(now["next"]["probability"], expected[whole[0]], atol=tolerance)


def test_pointed_word_is_query_until_pointer_leaves(show, page):
    show(example())
    before = settled(page)
    assert before["query"] == len(before["words"]) - 1
    assert_matches_lib(before, 1e-6)
    x, y = middle(page, ".words text:nth-child(5)")
    page.mouse.move(x, y)
    until(lambda: state(page)["query"] == 4, page)
    assert_matches_lib(state(page), 1e-6)
    assert said(page).startswith("“King” attends most to")
    page.mouse.move(1, 1)
    until(lambda: state(page) == before, page)
    page.mouse.click(x, y)
    page.mouse.move(1, 1)
    assert settled(page)["query"] == 4
    page.locator(".query-handle").press("ArrowRight")
    assert settled(page)["query"] == 5
    assert page.locator(".query-handle").get_attribute("aria-valuetext") == "“who”, token 5 of 36"


@pytest.mark.parametrize("text", ["King", "Once upon a time there was a fox", UNICODE, LONG, " ", MARKUP])
def test_weights_of_own_text_match_lib(show, page, text):
    show(example())
    now = choose(page, text=text, query=SHOWN - 1)
    assert now["text"] == text
    assert_matches_lib(now)
    assert_matches_lib(choose(page, query=len(now["words"]) // 2))
    assert page.locator(".live-figure img, .lf-sentence b.King").count() == 0, "text is not parsed as markup"
    assert ("last 64 tokens" in said(page)) == (len(load().encode(text)) > SHOWN)


def test_typed_sentence_replaces_text(show, page):
    show(example())
    before = settled(page)
    field = page.get_by_label("Your own sentence")
    assert field.input_value() == ""
    field.fill("A frog and a king")
    until(lambda: state(page)["words"][-1] == " king", page)
    assert_matches_lib(settled(page))
    field.fill("")
    until(lambda: state(page) == before, page)
    field.fill("A frog")
    settled(page)
    assert press(page, "Reset") == before and field.input_value() == ""


def test_failed_download_is_reported(show, page):
    figure = one_head_figure().figure
    figure.model_lazy = {"lazy": "abc", "script": "data:text/javascript,0"}
    show(figure)
    page.get_by_label("Your own sentence").fill("A frog")
    page.locator(".lf-sentence").get_by_text("could not be loaded").wait_for()
    settled(page)


GHOST = ".next-button"


def greedy(text, count, model):
    """Append the most likely token `count` times."""
    tokens = list(model.encode(text))
    for _ in range(count):
        tokens.append(model.run(np.array(tokens)).logits[-1].argmax())
    return model.decode(tokens)


def test_next_word_follows_the_text(show, page):
    show(example())
    now = settled(page)
    assert_matches_lib(now, 1e-6)
    shown = page.locator(".next-word text").all_text_contents()
    assert [text.replace("\u00a0", " ") for text in shown] == ["", "King", "22 %"]
    assert said(page).endswith("Next comes “King” with 22 %.")
    page.mouse.move(*middle(page, ".words text:nth-child(6)"))
    until(lambda: state(page)["query"] == 5, page)
    assert_matches_lib(state(page), 1e-6)
    assert page.locator(".next-word .after").text_content() == "after “who”: "
    page.mouse.move(*middle(page, GHOST))
    until(lambda: state(page) == now, page)


def test_click_appends_the_next_word_again_and_again(show, page):
    show(example())
    before = settled(page)
    undo = page.get_by_role("button", name="Undo")
    assert undo.is_disabled()
    for count in (1, 2, 3):
        page.mouse.click(*middle(page, GHOST))
        now = settled(page)
        assert now["text"] == greedy(SENTENCE, count, load())
        assert_matches_lib(now)
    page.locator(GHOST).press("Enter")
    now = settled(page)
    assert now["text"] == greedy(SENTENCE, 4, load()) and now["words"][-1] == "I"
    for _ in range(4):
        undo.click()
    assert settled(page) == before and undo.is_disabled()


def test_next_word_of_an_earlier_query_replaces_the_rest(show, page):
    show(example())
    page.mouse.click(*middle(page, ".words text:nth-child(6)"))
    page.mouse.click(*middle(page, GHOST))
    now = settled(page)
    until(lambda: settled(page)["words"][-1] == " was", page)
    assert state(page)["text"] == "There was once a King who was" != now
    assert_matches_lib(settled(page))
    assert press(page, "Reset")["text"] == SENTENCE
    assert page.get_by_role("button", name="Undo").is_disabled()


def test_text_at_its_limit_offers_no_next_word(show, page):
    show(example())
    now = choose(page, text=("King " * LONGEST_TEXT)[: LONGEST_TEXT - 1] + "s")
    assert len(now["text"]) == LONGEST_TEXT and page.locator(GHOST).is_hidden()
    assert said(page).endswith("no room for more words.")


def test_next_word_fits_into_a_phone(show, new_page):
    page = show(example(), page=new_page(viewport={"width": 320, "height": 700}))
    settled(page)
    for query in range(36):
        choose(page, query=query)
        box, stage = (page.locator(part).bounding_box() for part in (GHOST, ".canvas"))
        assert box["x"] >= 0 and box["x"] + box["width"] <= 320, query
        assert box["y"] + box["height"] <= stage["y"] + stage["height"], query


CROSSED = """(figure) => {
  const words = [...figure.querySelectorAll(".chips rect")].map((one) => one.getBBox());
  const isIn = ({ x, y }) => words.some((word) =>
    x > word.x + 1 && x < word.x + word.width - 1 && y > word.y + 1 && y < word.y + word.height - 1);
  const pointsOf = (arc) =>
    Array.from({ length: 200 }, (_, k) => arc.getPointAtLength((arc.getTotalLength() * k) / 199));
  const arcs = [...figure.querySelectorAll(".arcs path")];
  return [arcs.length, arcs.flatMap(pointsOf).filter(isIn).length];
}"""


MERGED = """(figure) => {
  const pointsOf = (arc) =>
    Array.from({ length: 300 }, (_, k) => arc.getPointAtLength((arc.getTotalLength() * k) / 299));
  const arcs = [...figure.querySelectorAll(".arcs path")].map(pointsOf);
  const near = (a, b) => Math.hypot(a.x - b.x, a.y - b.y) < 2;
  const merged = arcs.flatMap((arc, i) => arcs.slice(i + 1).map((other) =>
    arc.filter((point) => other.some((each) => near(point, each))).length / arc.length));
  const labels = [...figure.querySelectorAll(".numbers text")].map((label) => label.getBBox());
  const struck = arcs.flatMap((arc) => labels.filter(({ x, y, width, height }) =>
    Math.abs(x + width / 2 - arc.at(-1).x) > 2 && arc.some((point) =>
      point.x > x && point.x < x + width && point.y > y + 3 && point.y < y + height - 3)));
  return [merged, struck.length];
}"""


@pytest.mark.parametrize("width", [375, 620])
def test_arcs_have_lanes_and_cross_no_word_or_foreign_number(width, show, new_page):
    page = show(one_head_figure().figure, page=new_page(viewport={"width": width, "height": 800}))
    settled(page)
    count, crossed = page.locator(".live-figure").evaluate(CROSSED)
    assert count == 2 and crossed == 0
    merged, struck = page.locator(".live-figure").evaluate(MERGED)
    assert len(merged) == 1 and max(merged) < 0.05 and struck == 0
