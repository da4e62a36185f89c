"""The figure of random features in a real browser: its numbers beside `lib`'s, hands, keys, looks."""

import base64
import re

import numpy as np
import pytest
from hands import change, drag, middle, state
from test_every_figure import assert_fits

from lib.attention import attention_weights, positional_encoding
from lib.data import two_sines
from lib.figures import random_features_figure
from lib.figures.features import COUNTS, MAPS
from lib.random_features import iid_frequencies, linear_attention, orthogonal_frequencies

VALUES = two_sines()[1]
TOKENS = positional_encoding(50, 4, base=100)
DRAWS = {"orthogonal": orthogonal_frequencies, "iid": iid_frequencies}


def example(**changes):
    arguments = {"query": 15, "draw": 2, "token_label": "position"}
    return random_features_figure(**{"tokens": TOKENS, "values": VALUES, **arguments, **changes}).figure


def rows_of_lib(now, tokens):
    """Exact and estimated weights of `lib`, for a state that the page has published."""
    directions = tokens / np.linalg.norm(tokens, axis=1, keepdims=True)
    keys = now["norm"] * directions
    query = keys[[int(now["query"])]]
    frequencies = DRAWS[now["coupling"]](256, keys.shape[1], rng=now["draw"])[: now["n_features"]]
    frequencies = frequencies.astype(np.float32).astype(float)  # as the page has them
    options = {"feature_map": now["map"], "frequencies": frequencies}
    return attention_weights(query, keys)[0], linear_attention(query, keys, np.eye(len(keys)), **options)[0]


def keys_for_90_percent(weights):
    return int(np.argmax(np.cumsum(np.sort(weights)[::-1]) >= 0.9 - 1e-12)) + 1


def assert_matches_lib(now, tokens=TOKENS, values=VALUES):
    exact, weights = rows_of_lib(now, tokens)
    tolerance = 1e-9 * max(1, np.abs(weights).max() ** 2)  # a small denominator enlarges rounding
    assert now["estimate"] == pytest.approx(weights @ values, abs=tolerance)
    assert now["exact_estimate"] == pytest.approx(exact @ values, abs=1e-9)
    assert now["error"] == pytest.approx(np.abs(weights - exact).sum() / 2, abs=tolerance)
    alike = np.abs(1 / len(exact) - exact).sum() / 2
    assert now["error_of_equal_weights"] == pytest.approx(alike, abs=1e-9)
    assert now["keys_for_90_percent"] == keys_for_90_percent(weights)
    assert now["exact_keys_for_90_percent"] == keys_for_90_percent(exact)


# ---- The Python half --------------------------------------------------------------------------------------


def test_sliders_and_figure_share_their_values():
    panel = random_features_figure(TOKENS, VALUES, 7, 64, norm=2.0, feature_map="hyperbolic", coupling="iid")
    query, count, norm, feature_map, coupling = panel.children[1].children
    assert [query.min, query.max, query.step, query.value] == [0, 49, 1, 7]
    assert [norm.min, norm.max, norm.step, norm.value] == [0.1, 4.0, 0.1, 2.0]
    assert (count.label, count.value) == ("64", panel.figure.count_index)
    assert (feature_map.value, coupling.value) == ("hyperbolic", "iid")


def test_frequencies_are_those_that_a_reader_draws():
    packed = example().frequencies
    numbers = np.frombuffer(base64.b64decode(packed["data"]), "<f4").reshape(packed["shape"])
    for row, draw in zip(numbers, DRAWS.values(), strict=True):
        for i, frequencies in enumerate(row):
            assert np.array_equal(frequencies, draw(256, 4, rng=i + 1).astype(np.float32))
    assert len(packed["data"]) < 90_000


@pytest.mark.parametrize(
    "arguments, error, message",
    [
        ({"tokens": TOKENS[:-1]}, ValueError, r"tokens and values: expected .*\(49, 4\) and \(50,\)"),
        ({"tokens": TOKENS[0]}, ValueError, "tokens and values: expected"),
        ({"tokens": TOKENS[:1], "values": [1.0]}, ValueError, "n ≥ 2"),
        ({"tokens": np.full((50, 4), np.nan)}, ValueError, "finite"),
        ({"tokens": np.vstack([TOKENS[:49], np.zeros(4)])}, ValueError, "zeros in row 49"),
        ({"query": 50}, ValueError, "query: expected a token from 0 to 49, got 50"),
        ({"query": -1}, ValueError, "query: expected"),
        ({"query": 1.5}, TypeError, "query: expected a whole number"),
        ({"n_features": 5}, ValueError, "n_features: expected one of 1, 2, 3, .*256, got 5"),
        ({"norm": 0}, ValueError, "norm: expected"),
        ({"norm": 9}, ValueError, "norm: expected a number up to 4"),
        ({"largest_norm": -1}, ValueError, "largest_norm: expected"),
        ({"feature_map": "relu"}, ValueError, "feature_map: expected one of positive"),
        ({"coupling": "simplex"}, ValueError, "coupling: expected one of orthogonal, iid"),
        ({"draw": 9}, ValueError, "draw: expected a number from 1 to 8, got 9"),
        ({"draw": 0}, ValueError, "draw: expected"),
        ({"address": "two words"}, ValueError, "address: expected"),
    ],
)
def test_bad_arguments_are_refused(arguments, error, message):
    with pytest.raises(error, match=message):
        example(**arguments)


# ---- The numbers ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("coupling", DRAWS)
@pytest.mark.parametrize("feature_map", MAPS)
def test_numbers_equal_those_of_lib(feature_map, coupling, show):
    page = show(example(feature_map=feature_map, coupling=coupling))
    for i, (query, norm) in enumerate([(0, 0.1), (15, 1.0), (25, 1.5), (49, 2.7), (33, 4.0)]):
        for draw, count_index in [(1, 0), (2, 7), (8, 15), (3 + i, 11)]:
            traits = {"query": query, "norm": norm, "draw": draw, "count_index": count_index}
            now = change(page, **traits)
            assert (now["query"], now["norm"], now["draw"]) == (query, norm, draw)
            assert (now["n_features"], now["map"]) == (COUNTS[count_index], feature_map)
            assert now["coupling"] == coupling
            assert_matches_lib(now)


def test_any_tokens_will_do(show):
    """More dimensions, unequal norms (which the figure ignores), a prime number of tokens."""
    rng = np.random.default_rng(0)
    tokens, values = rng.normal(size=(23, 7)), rng.normal(size=23)
    page = show(example(tokens=tokens, values=values, query=22, largest_norm=6.0))
    for norm, count_index in [(0.5, 3), (6.0, 15)]:
        now = change(page, norm=norm, count_index=count_index)
        assert_matches_lib(now, tokens, values)


def test_more_features_come_nearer_and_longer_vectors_stay_away(show):
    page = show()
    error = lambda **traits: change(page, **traits)["error"]
    few, many = error(count_index=7), error(count_index=15)
    assert few > 2 * many
    assert error(norm=3.0) > 4 * many


# ---- What is seen and said --------------------------------------------------------------------------------


def test_sentence_says_what_the_state_holds(show):
    page = show()
    sentence = page.locator("[aria-live=polite]").inner_text().replace("\u00a0", " ")
    now = state(page)
    assert "Positive features of 16 orthogonal frequencies, draw 2 of 8, norm 1.5" in sentence
    assert f"Query 15 has {100 * now['error']:.0f} % of its weight on wrong keys" in sentence
    assert f"{now['keys_for_90_percent']} of 50 keys, exactly on {now['exact_keys_for_90_percent']}" in sentence
    assert f"Estimate {now['estimate']:.2f}, exactly {now['exact_estimate']:.2f}" in sentence
    assert "negative" not in sentence


def test_negative_weights_are_told_and_hang_below_the_line(show):
    page = show(example(feature_map="trigonometric", norm=3.0))
    weights = rows_of_lib(state(page), TOKENS)[1]
    assert f"{(weights < 0).sum()} weights are negative" in page.locator(".sentence").inner_text()
    _, zero, end = stretches(page, ".columns").T
    np.testing.assert_array_equal(np.sign(zero - end), np.sign(np.round(weights, 3)))


def stretches(page, part):
    """Where the stretch of each key begins, from the left, and its two levels, in pixels."""
    numbers = re.findall(r"M(-?[\d.]+) (-?[\d.]+)H[\d.]+V(-?[\d.]+)", page.locator(part).get_attribute("d"))
    return np.array(numbers, float)


def test_pictures_show_the_weights_and_the_error(show):
    page = show()
    exact, weights = rows_of_lib(state(page), TOKENS)
    left, zero, top = stretches(page, ".columns").T
    assert np.corrcoef(zero - top, weights)[0, 1] > 0.9999
    outline = page.locator(".exact-weights").get_attribute("d")
    points = np.array(re.findall(r"[ML]([\d.]+) ([\d.]+)", outline), float)
    assert np.corrcoef(points[:, 1], exact)[0, 1] < -0.9999
    np.testing.assert_allclose(points[:, 0], left)
    _, estimated, exactly = stretches(page, ".wrong").T  # what is hatched is the weight on wrong keys, twice
    share = np.abs(estimated - exactly).sum() / (zero - exactly).sum() / 2
    assert share == pytest.approx(state(page)["error"], abs=0.01)
    curve = np.array(re.findall(r"[ML]([\d.]+) ([\d.]+)", page.locator(".this-draw").get_attribute("d")), float)
    point = [float(page.locator(".count-dot").get_attribute(name)) for name in ("cx", "cy")]
    np.testing.assert_allclose(curve[COUNTS.index(16)], point, atol=0.06)
    assert page.locator(".other-draws").get_attribute("d").count("M") == 7


def test_everything_fits_its_width(show):
    page = show(example(feature_map="trigonometric", norm=4.0, query=49, n_features=3))
    for width in (744, 640, 560, 375):
        assert_fits(page, width)


# ---- Hands ------------------------------------------------------------------------------------------------


def pixels_per_token(page):
    return np.diff([float(t.get_attribute("cx")) for t in page.locator(".dots circle").all()[:2]])[0]


def test_mouse_drags_the_query(show):
    page = show()
    drag(page, ".pill", 10 * pixels_per_token(page))
    now = state(page)
    assert now["query"] == 25 and now["n_features"] == 16
    assert_matches_lib(now)


def test_mouse_anywhere_in_the_left_panels_moves_the_query_there(show):
    page = show()
    x, y = middle(page, ".dots circle:nth-child(41)")
    page.mouse.click(x, y + 150)
    assert state(page)["query"] == 40


def test_mouse_drags_the_number_of_features(show):
    page = show()
    ends = [float(x) for x in re.findall(r"[ML]([\d.]+) ", page.locator(".this-draw").get_attribute("d"))]
    drag(page, ".count-dot", ends[11] - ends[7])
    now = state(page)
    assert (now["n_features"], now["query"]) == (64, 15)
    assert_matches_lib(now)
    drag(page, ".count-dot", -1000)
    assert state(page)["n_features"] == 1


# ---- Keys, buttons, address -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "handle, name, steps",
    [
        (".query-handle", "query", {"ArrowRight": 16, "ArrowUp": 17, "Shift+ArrowLeft": 7, "Home": 0, "End": 49}),
        (".count-handle", "n_features", {"ArrowRight": 24, "ArrowDown": 16, "Shift+ArrowUp": 256, "Home": 1}),
    ],
)
def test_arrow_keys_move_query_and_count(handle, name, steps, show):
    page = show()
    page.locator(handle).focus()
    for key, expected in steps.items():
        page.keyboard.press(key)
        assert state(page)[name] == expected, key
        assert page.locator(handle).get_attribute("aria-valuetext").startswith(str(expected))
    assert_matches_lib(state(page))


def test_draw_again_goes_through_all_draws_and_begins_anew(show):
    page = show()
    button = page.get_by_role("button", name="Draw again")
    seen = []
    for _ in range(8):
        button.click()
        now = state(page)
        assert_matches_lib(now)
        seen.append((now["draw"], now["estimate"]))
    assert [draw for draw, _ in seen] == [3, 4, 5, 6, 7, 8, 1, 2]
    assert len({estimate for _, estimate in seen}) == 8


@pytest.mark.parametrize(
    "address, expected",
    [("query:99", (49, 16)), ("query:3.4,features:64", (3, 64)), ("features:5,map:relu", (15, 16))],
)
def test_address_out_of_range_or_without_sense(address, expected, show):
    now = state(show(address=f"#features={address}"))
    assert (now["query"], now["n_features"]) == expected
