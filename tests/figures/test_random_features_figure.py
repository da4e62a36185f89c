"""The random-features figure in a browser: numbers compared with `lib`, input, appearance."""

import base64
import itertools
import re

import numpy as np
import pytest

from lib.attention import attention_weights, positional_encoding
from lib.data import two_sines
from lib.figures import random_features_figure
from lib.figures.random_features import COUNTS, MAPS
from lib.heads import keys_for_90_percent
from lib.random_features import iid_frequencies, linear_attention, orthogonal_frequencies
from tests.figures.contract import assert_fits
from tests.gestures import after_keys, change, drag, middle, press, said, state
from tests.without_page import states

VALUES = two_sines()[1]
TOKENS = positional_encoding(50, 4, base=100)
DRAWS = {"orthogonal": orthogonal_frequencies, "iid": iid_frequencies}


def example(**changes):
    arguments = {"query": 15, "draw": 2, "token_label": "position"}
    return random_features_figure(**{"tokens": TOKENS, "values": VALUES, **arguments, **changes}).figure


def rows_of_lib(now, tokens):
    directions = tokens / np.linalg.norm(tokens, axis=1, keepdims=True)
    keys = now["norm"] * directions
    query = keys[[int(now["query"])]]
    frequencies = DRAWS[now["coupling"]](256, keys.shape[1], rng=now["draw"])[: now["n_features"]]
    frequencies = frequencies.astype(np.float32).astype(float)  # as on the page
    options = {"feature_map": now["map"], "frequencies": frequencies}
    return attention_weights(query, keys), linear_attention(query, keys, np.eye(len(keys)), **options)


def assert_matches_lib(now, tokens=TOKENS, values=VALUES):
    exact, weights = rows_of_lib(now, tokens)
    tolerance = 1e-9 * max(1, np.abs(weights).max() ** 2)  # a small denominator amplifies rounding
    assert now["estimate"] == pytest.approx((weights @ values)[0], abs=tolerance)
    assert now["exact_estimate"] == pytest.approx((exact @ values)[0], abs=1e-9)
    assert now["error"] == pytest.approx(np.abs(weights - exact).sum() / 2, abs=tolerance)
    alike = np.abs(1 / exact.size - exact).sum() / 2
    assert now["error_of_equal_weights"] == pytest.approx(alike, abs=1e-9)
    assert now["keys_for_90_percent"] == keys_for_90_percent(weights)
    assert now["exact_keys_for_90_percent"] == keys_for_90_percent(exact)


def test_sliders_match_figure_and_frequencies_follow_seed():
    panel = random_features_figure(TOKENS, VALUES, 7, 64, norm=2.0, feature_map="hyperbolic", coupling="iid")
    query, count, norm, feature_map, coupling = panel.children[1].children
    assert [query.max, query.value, count.label, norm.max, norm.value] == [49, 7, "64", 4.0, 2.0]
    assert (feature_map.value, coupling.value) == ("hyperbolic", "iid")
    packed = example().frequencies
    numbers = np.frombuffer(base64.b64decode(packed["data"]), "<f4").reshape(packed["shape"])
    for row, draw in zip(numbers, DRAWS.values(), strict=True):
        for i, frequencies in enumerate(row):
            assert np.array_equal(frequencies, draw(256, 4, rng=i + 1).astype(np.float32))


def test_numbers_match_lib(show):
    page = show()
    for (i, feature_map), (j, coupling) in itertools.product(enumerate(MAPS), enumerate(DRAWS)):
        change(page, map_index=i, coupling_index=j)
        for query, norm, draw, count_index in [
            *[(0, 0.1, 3, 11), (15, 1.0, 2, 7), (25, 1.5, 8, 15), (49, 2.7, 1, 0), (33, 4.0, 7, 11)],
            *[(0, 2.7, 8, 15), (15, 4.0, 1, 0), (49, 0.1, 2, 7)],
        ]:
            now = change(page, query=query, norm=norm, draw=draw, count_index=count_index)
            assert (now["query"], now["norm"], now["draw"]) == (query, norm, draw)
            assert (now["n_features"], now["map"], now["coupling"]) == (COUNTS[count_index], feature_map, coupling)
            assert_matches_lib(now)
    # More dimensions, unequal norms (which the figure ignores), a prime number of tokens.
    tokens, values = (np.random.default_rng(0).normal(size=shape) for shape in ((23, 7), 23))
    page = show(example(tokens=tokens, values=values, query=22, largest_norm=6.0))
    for norm, count_index in [(0.5, 3), (6.0, 15)]:
        assert_matches_lib(change(page, norm=norm, count_index=count_index), tokens, values)


def stretches(page, part):
    """Return the left end of each key's segment and its two heights, in pixels."""
    numbers = re.findall(r"M(-?[\d.]+) (-?[\d.]+)H[\d.]+V(-?[\d.]+)", page.locator(part).get_attribute("d"))
    return np.array(numbers, float)


def test_sentence_and_drawing_show_weights_and_error(show):
    page = show()
    now = state(page)
    for words in (
        "16 orthogonal frequencies, 1 positive feature each, draw 2 of 8, norm 1.5",
        f"Query 15 has {100 * now['error']:.0f} % of its weight on wrong keys",
        f"{now['keys_for_90_percent']} of 50 keys, with exact weights on {now['exact_keys_for_90_percent']}",
        f"Estimate {now['estimate']:.2f}, exact {now['exact_estimate']:.2f}",
    ):
        assert words in said(page)
    assert "negative" not in said(page)
    (exact,), (weights,) = rows_of_lib(now, TOKENS)
    left, zero, top = stretches(page, ".columns").T
    assert np.corrcoef(zero - top, weights)[0, 1] > 0.9999
    outline = page.locator(".exact-weights").get_attribute("d")
    points = np.array(re.findall(r"[ML]([\d.]+) ([\d.]+)", outline), float)
    assert np.corrcoef(points[:, 1], exact)[0, 1] < -0.9999
    np.testing.assert_allclose(points[:, 0], left)
    _, estimated, exactly = stretches(page, ".wrong").T  # hatched: the weight on wrong keys, twice
    share = np.abs(estimated - exactly).sum() / (zero - exactly).sum() / 2
    assert share == pytest.approx(now["error"], abs=0.01)
    curve = np.array(re.findall(r"[ML]([\d.]+) ([\d.]+)", page.locator(".this-draw").get_attribute("d")), float)
    point = [float(page.locator(".count-dot").get_attribute(name)) for name in ("cx", "cy")]
    np.testing.assert_allclose(curve[COUNTS.index(16)], point, atol=0.06)
    assert page.locator(".other-draws").get_attribute("d").count("M") == 7
    now = change(page, map_index=list(MAPS).index("trigonometric"), norm=3.0)
    weights = rows_of_lib(now, TOKENS)[1][0]
    assert f"{(weights < 0).sum()} weights are negative" in said(page)
    _, zero, end = stretches(page, ".columns").T
    np.testing.assert_array_equal(np.sign(zero - end), np.sign(np.round(weights, 3)))
    change(page, norm=4.0, query=49, count_index=2)
    assert_fits(page, 375)


def test_pointer_and_keyboard_move_query_and_features(show):
    page = show()
    first, second = (middle(page, f".dots circle:nth-child({k})")[0] for k in (1, 2))
    drag(page, ".pill", 10 * (second - first))
    now = state(page)
    assert now["query"] == 25 and now["n_features"] == 16
    ends = [float(x) for x in re.findall(r"[ML]([\d.]+) ", page.locator(".this-draw").get_attribute("d"))]
    drag(page, ".count-dot", ends[11] - ends[7])
    now = state(page)
    assert (now["n_features"], now["query"]) == (64, 25)
    assert_matches_lib(now)
    drag(page, ".count-dot", -1000)
    assert state(page)["n_features"] == 1
    x, y = middle(page, ".dots circle:nth-child(41)")
    page.mouse.click(x, y + 150)
    assert state(page)["query"] == 40
    query = {"ArrowRight": 41, "ArrowUp": 42, "Shift+ArrowLeft": 32, "Home": 0, "End": 49}
    count = {"ArrowRight": 2, "Shift+ArrowUp": 64, "ArrowDown": 48, "Home": 1, "End": 256}
    for handle, name, steps in [(".query-handle", "query", query), (".count-handle", "n_features", count)]:
        assert [now[name] for now in after_keys(page, handle, *steps)] == list(steps.values())
        assert page.locator(handle).get_attribute("aria-valuetext").startswith(str(state(page)[name]))
    page.get_by_role("button", name="Reset").click()
    seen = [press(page, "Draw again") for _ in range(8)]
    assert [now["draw"] for now in seen] == [3, 4, 5, 6, 7, 8, 1, 2]
    for now in seen:
        assert_matches_lib(now)


def test_numbers_without_a_page_match_lib():
    options = itertools.product(range(len(MAPS)), (0, 1), [(0, 1.5, 3, 11), (33, 2.7, 7, 4)])
    changes = [
        {"map_index": i, "coupling_index": j, "query": query, "norm": norm, "draw": draw, "count_index": count}
        for i, j, (query, norm, draw, count) in options
    ]
    for now in states(example(), *changes):
        assert_matches_lib(now)
