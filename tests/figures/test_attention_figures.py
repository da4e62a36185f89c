"""The two attention figures in a browser: numbers compared with `lib`, pointer and keyboard input, appearance."""

import re

import numpy as np
import pytest

from lib.attention import attention_weights, causal_mask, encoding_frequencies, positional_encoding
from lib.data import two_sines
from lib.figures import Guesses, attention_figure, attention_vs_gaussian_figure
from lib.heads import keys_for_90_percent
from lib.regression import nadaraya_watson_weights
from tests.figures.contract import made
from tests.gestures import after_keys, change, drag, middle, press, said, state
from tests.without_page import states

ANGLES = np.radians(np.arange(7, 367, 24))
KEYS = np.random.default_rng(2).uniform(0.65, 1.35, (15, 1)) * np.column_stack([np.cos(ANGLES), np.sin(ANGLES)])
VALUES = np.sin(2 * ANGLES)
TOKENS, SIGNAL = positional_encoding(50, 4, base=100), two_sines()[1]
MAPS = np.random.default_rng(3).normal(size=(2, 3, 5, 4))
QUERIES, HEAD_KEYS = TOKENS @ np.swapaxes(MAPS[0], 1, 2), TOKENS @ np.swapaxes(MAPS[1], 1, 2)
REFERENCE = nadaraya_watson_weights(np.arange(50), np.arange(50), 5)


def same(**changes):
    return attention_vs_gaussian_figure(KEYS, VALUES, **{"query": (0.5, 0.87), "bandwidth": 0.9, **changes}).figure


def heads(**changes):
    arguments = {"frame_labels": ["a", "b", "c"], "frame_name": "head", "query": 30, "reference": REFERENCE}
    return attention_figure(QUERIES, HEAD_KEYS, SIGNAL, **{**arguments, **changes}).figure


def pairs(**changes):
    arguments = {"frequencies": encoding_frequencies(4, base=100), "query": 30, "address": "attention-pairs"}
    return attention_figure(TOKENS, TOKENS, SIGNAL, **{**arguments, **changes}).figure


def assert_same_matches_lib(now, by_hand=False):
    """Compute query and keys from the settings, unless keys were dragged; weights and estimates from `lib`."""
    angle, turn = np.radians(now["query_angle"]), np.radians(now["rotation"])
    query = now["query_length"] * np.array([[np.cos(angle), np.sin(angle)]])
    norms = np.linalg.norm(KEYS, axis=1, keepdims=True)
    keys = KEYS / norms * (norms.mean() + now["spread"] * (norms - norms.mean()))
    np.testing.assert_allclose(now["query"], query[0], atol=1e-12)
    if by_hand:
        keys = np.array(now["keys"])
    np.testing.assert_allclose(now["keys"], keys, atol=1e-12)
    query_map = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    mapped, tau = query @ query_map.T, now["bandwidth"] ** 2 / 2
    assert now["temperature"] == pytest.approx(tau, rel=1e-12)
    by_attention = attention_weights(mapped, keys, temperature=tau)
    by_gauss = nadaraya_watson_weights(query, keys, now["bandwidth"])
    assert now["total_variation"] == pytest.approx(np.abs(by_attention - by_gauss).sum() / 2, abs=1e-9)
    assert now["estimate"] == pytest.approx((by_attention @ VALUES)[0], abs=1e-9)
    assert now["gaussian_estimate"] == pytest.approx((by_gauss @ VALUES)[0], abs=1e-9)
    assert now["keys_for_90_percent"] == keys_for_90_percent(by_attention)
    assert now["gaussian_keys_for_90_percent"] == keys_for_90_percent(by_gauss)


def assert_weights_match_lib(now, weights):
    assert now["estimate"] == pytest.approx((weights @ SIGNAL)[0], abs=1e-9)
    assert now["keys_for_90_percent"] == keys_for_90_percent(weights)
    assert weights[0, now["heaviest_key"]] == pytest.approx(weights.max(), rel=1e-9)


def assert_row_matches_lib(now):
    head, row = "abc".index(now["head"]), now["query"]
    mask = causal_mask(50)[[row]] if now["mask"] == "causal" else None
    weights = attention_weights(QUERIES[head, [row]], HEAD_KEYS[head], now["temperature"], mask)
    assert_weights_match_lib(now, weights)
    assert now["total_variation"] == pytest.approx(np.abs(weights - REFERENCE[row]).sum() / 2, abs=1e-9)


def maps_of(now):
    """Return W_q and W_k as matrices, from the stretches and the number of positions that W_q looks back."""
    turns = np.zeros((4, 4))
    for p, omega in enumerate(encoding_frequencies(4, base=100)):
        c, s = np.cos(omega * now["look_back"]), np.sin(omega * now["look_back"])
        turns[2 * p : 2 * p + 2, 2 * p : 2 * p + 2] = [[c, -s], [s, c]]
    stretch = [np.diag(np.repeat(now[f"{side}_stretches"], 2)) for side in ("query", "key")]
    return stretch[0] @ turns, stretch[1]


def assert_pairs_match_lib(now):
    W_q, W_k = maps_of(now)
    mask = causal_mask(50)[[now["query"]]] if now["mask"] == "causal" else None
    arguments = TOKENS[[now["query"]]] @ W_q.T, TOKENS @ W_k.T
    assert_weights_match_lib(now, attention_weights(*arguments, now["temperature"], mask))


def test_sliders_start_at_the_arguments():
    panel = attention_vs_gaussian_figure(KEYS, VALUES, query=(0, 1.2), bandwidth=0.9, spread=0.3, rotation=-40)
    assert (panel.figure.query_angle, panel.figure.query_length) == (90, 1.2)  # moved in the drawing
    assert [control.value for control in panel.children[1].children] == [0.9, 0.3, -40]
    panel = attention_figure(QUERIES, HEAD_KEYS, SIGNAL, frame=1, frame_labels="abc", mask="causal")
    query, frame, temperature, mask = panel.children[1].children
    assert (query.value, query.max, frame.label, mask.index, temperature.value) == (25, 49, "b", 1, 2.24)  # √5
    one_frame = attention_figure(TOKENS[:3], TOKENS, SIGNAL)
    assert [control.description for control in one_frame.children[1].children] == ["query", "temperature τ"]


def test_attention_vs_gaussian_matches_lib(show):
    page = show(same())
    assert_same_matches_lib(state(page))
    now = change(page, spread=1)  # a column per token, filled by weight
    query, keys, h = np.array([now["query"]]), np.array(now["keys"]), now["bandwidth"]
    gaussian = nadaraya_watson_weights(query, keys, h)[0]
    attended = attention_weights(query, keys, temperature=h**2 / 2)[0]
    filled, outline = (column_heights(page, method) for method in ("gaussian", "attention"))
    unit = outline.max() / attended.max()
    np.testing.assert_allclose(filled, unit * gaussian, atol=0.02)
    np.testing.assert_allclose(outline, unit * attended, atol=0.02)
    for angle, length, bandwidth, spread, rotation in [
        *[(0, 1.0, 0.5, 0, 0), (359, 0.0, 0.9, 1, 0), (120, 1.31, 0.1, 0.5, 30), (240, 0.4, 2.5, 1, -180)],
        (17, 1.4, 0.05, 0.01, 1),
    ]:
        setting = {"query_angle": angle, "query_length": length, "bandwidth": bandwidth}
        setting |= {"spread": spread, "rotation": rotation}
        now = change(page, **setting)
        assert {name: now[name] for name in setting} == setting
        assert_same_matches_lib(now)
    for bandwidth in (0.4, 2.9):
        now = change(page, query_angle=60, query_length=1.0, bandwidth=bandwidth, spread=0, rotation=0)
        assert now["total_variation"] < 1e-12
        assert page.locator(".apart-text").text_content() == "0 %: the same"
        assert page.locator(".apart-bar").get_attribute("width") == "0"
        assert "the same" in said(page)
        for setting in (dict(spread=0.5, rotation=0), dict(spread=0, rotation=20)):
            assert change(page, **setting)["total_variation"] > 0.003
            assert "lies on other keys" in said(page)


def test_attention_rows_match_lib_and_are_selectable(show):
    page = show(heads(mask="causal"))
    now = state(page)
    assert_row_matches_lib(now)
    heaviest, estimate = f"key {now['heaviest_key']}", f"Estimate {now['estimate']:.2f}".replace("-", "−")
    for words in ("Head a, τ = 2.24, causal mask. Query 30", heaviest, estimate):
        assert words in said(page)
    assert f"{now['keys_for_90_percent']} of 31 keys" in said(page)
    keys = {"ArrowDown": (31, "a"), "ArrowRight": (31, "b"), "Shift+ArrowUp": (21, "b"), "ArrowLeft": (21, "a")}
    keys |= {"End": (49, "a"), "Home": (0, "a"), "ArrowUp": (0, "a")}
    states = after_keys(page, ".query-handle", *keys)
    assert [(now["query"], now["head"]) for now in states] == list(keys.values())
    assert page.locator(".query-handle").get_attribute("aria-valuenow") == "0"
    box = page.locator(".attention-figure .frame").bounding_box()
    for row in (0, 7, 49):
        page.mouse.click(box["x"] + 0.7 * box["width"], box["y"] + (row + 0.5) / 50 * box["height"])
        assert state(page)["query"] == row and page.locator(".row-label").text_content() == str(row)
    for query in (0, 1, 24, 49):
        for frame, temperature, mask in [(0, 0.01, 0), (1, 2.24, 1), (2, 8.94, 1)]:
            now = change(page, query=query, frame_index=frame, temperature=temperature, mask_index=mask)
            assert (now["query"], now["head"], now["temperature"]) == (query, "abc"[frame], temperature)
            assert_row_matches_lib(now)
    page = show(made("attention"))  # a cell's value is its weight
    change(page, frame_index=2)
    box = page.locator("svg.matrix").bounding_box()
    page.mouse.move(box["x"] + 4.5 / 24 * box["width"], box["y"] + 9.5 / 24 * box["height"])
    tokens = np.array(made("attention").frames["keys"][2])
    weight = attention_weights(tokens[[9]], tokens)[0, 4]
    words, number = said(page, ".tooltip").removesuffix(" %").rsplit(" ", 1)
    assert words == "query 9, key 4: weight" and float(number) == pytest.approx(100 * weight, abs=0.51)


def test_attention_maps_match_lib(show):
    page = show(pairs())
    first = state(page)
    assert (first["query_stretches"], first["key_stretches"], first["look_back"]) == ([1, 1], [1, 1], 0)
    assert_pairs_match_lib(first)
    for fast, slow, back, mask in [(0, 4, 0, 0), (3.5, 0, 0, 1), (0, -2, 5, 0), (0.3, 6, 8, 1), (-8, 8, -20, 0)]:
        now = change(page, query_fast=fast, query_slow=slow, key_slow=6.7, look_back=back, mask_index=mask)
        assert (now["query_stretches"], now["key_stretches"]) == ([fast, slow], [1, 6.7])
        assert_pairs_match_lib(now)
    change(page, query_fast=1, query_slow=1, key_slow=1, look_back=8, mask_index=0)
    assert "rotated back by 8 positions" in said(page)
    assert change(page, query_fast=0, query_slow=6.7, key_slow=6.7)["heaviest_key"] == 22


def column_heights(page, method):
    paths = page.locator(f".bars.{method} path").evaluate_all("all => all.map((one) => one.getAttribute('d'))")
    return np.array([np.hypot(*map(float, re.search(r"l(\S+) (\S+)l", path).groups())) for path in paths])


def moved_keys(now, before):
    return np.flatnonzero(np.abs(np.subtract(now["keys"], before["keys"])).max(axis=1) > 1e-3).tolist()


def test_pointer_and_keyboard_move_query_and_keys(show):
    page = show(same(query=(1.0, 0.0)))
    keys = {"ArrowRight": (359, 1.0), "ArrowLeft": (0, 1.0), "Shift+ArrowLeft": (10, 1.0), "ArrowUp": (10, 1.01)}
    keys |= {"Shift+ArrowDown": (10, 0.91), "End": (359, 0.91), "Home": (0, 0.91)}
    states = after_keys(page, ".query-handle", *keys)
    assert [(now["query_angle"], now["query_length"]) for now in states] == list(keys.values())
    assert_same_matches_lib(state(page))
    before = state(page)
    page.mouse.click(*middle(page, ".query-handle"))
    assert state(page) == before, "a click does not move it"
    x, y = middle(page, ".plane .frame")
    page.mouse.click(x - 30, y)
    assert state(page)["query_angle"] == pytest.approx(180, abs=1)
    page.mouse.click(*middle(page, ".value-dots"))
    assert state(page)["query_angle"] == pytest.approx(180, abs=1)
    before = np.array(state(page)["query"])
    drag(page, ".query-handle", 30, 45)
    now = state(page)
    per_pixel = (np.array(now["query"]) - before) / [30, -45]
    assert per_pixel[0] == pytest.approx(per_pixel[1], rel=0.15) and per_pixel[0] > 0
    assert_same_matches_lib(now)
    press(page, "Reset")
    before = state(page)
    handle = page.locator(".key-handle[aria-hidden]").nth(8)  # the key at 199 degrees
    handle.click()
    assert state(page) == before, "a click moves nothing"
    drag(page, ".key-handle[aria-hidden] >> nth=8", -10, 10)
    now = state(page)
    assert moved_keys(now, before) == [8] and now["spread"] == 1
    assert now["keys"][8][0] < before["keys"][8][0] and now["keys"][8][1] < before["keys"][8][1]
    assert now["values"] == before["values"] and now["total_variation"] > before["total_variation"]
    assert_same_matches_lib(now, by_hand=True)
    again = change(page, spread=0)
    assert np.linalg.norm(again["keys"], axis=1) == pytest.approx(np.full(15, np.linalg.norm(again["keys"][0])))
    assert again["total_variation"] < 1e-12
    page = show(same(spread=1))
    before = state(page)
    *_, now = after_keys(page, ".key-handle[tabindex]", "PageDown", "Shift+ArrowUp", "ArrowLeft")
    assert moved_keys(now, before) == [1]
    old, new = (np.linalg.norm(each["keys"][1]) for each in (before, now))
    assert new == pytest.approx(old + 0.1, abs=2e-3)
    assert "Key 2 of 15" in page.locator(".key-handle[tabindex]").get_attribute("aria-label")
    page.wait_for_function("location.hash !== ''")
    address = page.evaluate("location.hash")
    assert press(page, "Reset")["keys"] == before["keys"]
    assert state(show(same(spread=1), address=address))["keys"] == now["keys"]


def test_guess_plays_through_weights_between_frames(show, page):
    page.clock.install(time=0)
    guesses = Guesses(["few", "many"], "few", then={"head": "c"}, because="Because.")
    show(heads(guesses=guesses))
    page.clock.pause_at(10_000_000)
    page.get_by_role("button", name="many").click()
    estimates = attention_weights(QUERIES, HEAD_KEYS)[:, 30] @ SIGNAL
    shown = []
    for _ in range(29):
        page.clock.run_for(100)
        now = state(page)
        low, high = sorted(estimates[["abc".index(now["head"]), min("abc".index(now["head"]) + 1, 2)]])
        assert low - 1e-9 <= now["estimate"] <= high + 1e-9
        assert page.locator(".lf-right").count() == 0
        shown.append(now["estimate"])
    assert len(set(shown)) > 20
    page.clock.run_for(300)
    assert state(page)["head"] == "c" and page.locator(".lf-right").count() == 1
    assert_row_matches_lib(state(page))


def test_comparison_without_a_page_matches_lib():
    changes = [
        {"query_angle": angle, "query_length": length, "bandwidth": h, "spread": spread, "rotation": turn}
        for angle, length, h, spread, turn in [(0, 1, 0.9, 0, 0), (77, 0.5, 0.3, 1, 40), (-120, 1.5, 2, 0.5, -90)]
    ]
    for now in states(same(), *changes):
        assert_same_matches_lib(now)


def test_weights_without_a_page_match_lib():
    changes = [{"query": query, "frame_index": i, "mask_index": m} for query, i, m in [(0, 0, 1), (31, 1, 0)]]
    for now in states(heads(), *changes, {"query": 49, "frame_index": 2, "mask_index": 1}):
        assert_row_matches_lib(now)
    for now in states(pairs(), {"look_back": 7, "query_fast": 0.5, "key_slow": -2}):
        assert_pairs_match_lib(now)
