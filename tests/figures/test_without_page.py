"""The figures without a page, in Node: links repeat their settings, and their numbers equal those of `lib`."""

import itertools
import re

import numpy as np
import pytest

from lib.figures import head_map_figure, years_figure
from lib.figures.random_features import MAPS
from lib.figures.years import TERMS
from lib.heads import keys_for_90_percent
from lib.images import cat_face
from lib.years import noisy
from tests.figures import (
    test_attention_figures,
    test_diffusion_figure,
    test_pixel_figure,
    test_prediction_figure,
    test_random_features_figure,
    test_regression_figure,
    test_sentence_figure,
    test_years_figure,
)
from tests.figures.test_every_figure import FIGURES, made
from tests.without_page import described, opened, states

WITH_CANVAS = ("your photo",)  # reads its example through a canvas, which Node lacks
NAMES = [name for name in FIGURES if name not in ("example", *WITH_CANVAS)]


@pytest.mark.parametrize("name", NAMES)
def test_link_sets_and_repeats_settings(name):
    figure, change, link = made(name), FIGURES[name].change, FIGURES[name].address
    first, changed = described(figure, change)
    assert (first["link"], changed["link"]) == ("#", link)
    assert opened(figure, link) == [figure.defaults | change]
    for said in (first["sentence"], changed["sentence"]):
        assert said and not re.search("NaN|undefined|null|Infinity", said)


def test_regression_matches_lib():
    kernels = range(len(test_regression_figure.KERNEL_NAMES))
    settings = itertools.product(test_regression_figure.SETTINGS[::3], kernels)
    changes = [{"query": query, "bandwidth": h, "kernel_index": index} for (query, h), index in settings]
    for now in states(test_regression_figure.example(), *changes):
        test_regression_figure.assert_matches_lib(now)


def test_attention_vs_gaussian_matches_lib():
    changes = [
        {"query_angle": angle, "query_length": length, "bandwidth": h, "spread": spread, "rotation": turn}
        for angle, length, h, spread, turn in [(0, 1, 0.9, 0, 0), (77, 0.5, 0.3, 1, 40), (-120, 1.5, 2, 0.5, -90)]
    ]
    for now in states(test_attention_figures.same(), *changes):
        test_attention_figures.assert_same_matches_lib(now)


def test_attention_matches_lib():
    changes = [{"query": query, "frame_index": i, "mask_index": m} for query, i, m in [(0, 0, 1), (31, 1, 0)]]
    for now in states(test_attention_figures.heads(), *changes, {"query": 49, "frame_index": 2, "mask_index": 1}):
        test_attention_figures.assert_row_matches_lib(now)
    for now in states(test_attention_figures.pairs(), {"look_back": 7, "query_fast": 0.5, "key_slow": -2}):
        test_attention_figures.assert_pairs_match_lib(now)


def test_random_features_match_lib():
    options = itertools.product(range(len(MAPS)), (0, 1), [(0, 1.5, 3, 11), (33, 2.7, 7, 4)])
    changes = [
        {"map_index": i, "coupling_index": j, "query": query, "norm": norm, "draw": draw, "count_index": count}
        for i, j, (query, norm, draw, count) in options
    ]
    for now in states(test_random_features_figure.example(), *changes):
        test_random_features_figure.assert_matches_lib(now)


@pytest.mark.parametrize("method", test_pixel_figure.SETTINGS)
def test_pixel_matches_lib(method):
    figure = test_pixel_figure.example(method, noise_std=20 / 255)
    settings = itertools.product(test_pixel_figure.SETTINGS[method][:3], test_pixel_figure.BORDERS_AND_INSIDE[::2])
    for now in states(figure, *({**setting, "query": list(query)} for setting, query in settings)):
        test_pixel_figure.assert_matches_lib(figure, now)


def test_years_match_lib():
    pixels, photograph = test_years_figure.PIXELS[:6:2], noisy(cat_face())
    changes = [{"year_index": k, "query": list(pixel)} for k in range(len(TERMS)) for pixel in pixels]
    found = states(years_figure().figure, *changes)
    assert {now["year"] for now in found} == set(TERMS)
    for now in found:
        test_years_figure.assert_matches_lib(photograph, now)


def test_sentence_matches_lib():
    words = itertools.product(*test_sentence_figure.OPTIONS)
    changes = [{"words": list(chosen), "query": query} for chosen in words for query in (0, 3)]
    for now in states(test_sentence_figure.example(), *changes):
        test_sentence_figure.assert_matches_lib(now)


def test_diffusion_matches_lib_before_its_images_are_loaded():
    (first,) = described(test_diffusion_figure.example())
    test_diffusion_figure.assert_matches_lib(first["state"], test_diffusion_figure.PICTURES)


def test_prediction_matches_total_variation():
    sketch = [0.5, 0, 0.2, 1, 0.1, 0.9, 0.3]
    (now,) = states(test_prediction_figure.example(), {"sketch": sketch, "shown_index": 1})
    mine, truth = np.array(sketch) / sum(sketch), test_prediction_figure.WEIGHTS
    np.testing.assert_allclose(now["sketch"], mine, rtol=1e-12)
    assert now["off"] == pytest.approx(np.abs(mine - truth).sum() / 2, abs=1e-12)


def test_head_map_counts_keys_of_its_first_head():
    figure = head_map_figure(("this model", 2, 1)).figure
    for now in states(figure, *({"query": query} for query in (3, 7, 21, 40))):
        weights = np.array([now["weights"]])
        assert weights.sum() == pytest.approx(1) and weights.max() == now["estimate"]
        assert now["keys_for_90_percent"] == keys_for_90_percent(weights)
