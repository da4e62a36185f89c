"""Invalid arguments of the figures, and errors that name them."""

import inspect
import re

import numpy as np
import pytest

from lib import figures
from lib.images import camera, digits
from tests.figures.contract import contributed

KEYS, PLANE, VALUES = np.linspace(0.2, 4.9, 41), np.random.default_rng(0).normal(size=(41, 2)), np.ones(41)
TOKENS, PAIRS, PHOTO = np.random.default_rng(1).normal(size=(50, 4)), np.ones((3, 50, 5)), camera()[:41, :37]
GUESSES = figures.Guesses(["fewer", "more"], "more", then={"bandwidth": 1.4}, because="")
ASKED = {"question": "?", "answer": "", "address": "a"}
WITH_ZERO = np.vstack([TOKENS[:49], np.zeros(4)])
GOOD = {
    figures.regression_figure: {"keys": KEYS, "values": VALUES},
    figures.attention_vs_gaussian_figure: {"keys": PLANE, "values": VALUES, "query": (0.5, 0.8)},
    figures.attention_figure: {"queries": TOKENS, "keys": TOKENS, "values": np.ones(50)},
    figures.random_features_figure: {"tokens": TOKENS, "values": np.ones(50)},
    figures.pixel_figure: {"image": PHOTO},
    figures.years_figure: {},
    figures.your_points_figure: {"keys": KEYS, "values": VALUES},
    figures.prediction_figure: {"names": "abc", "truth": [0.2, 0.3, 0.5], **ASKED},
    figures.diffusion_figure: {"pictures": digits()[:5]},
    figures.sentence_figure: {
        **{
            "sentence": "A [fox] sees [it].",
            "features": {"fox": [1.0], "it": [2.0]},
            "question": "?",
            "address": "a",
        },
        **{"query_projection": [[1.0]], "key_projection": [[1.0]]},
    },
}
REJECTED = {  # invalid arguments of a figure, and text of the error
    figures.sentence_figure: [
        ({"sentence": "A [fox]."}, "at least two words"),
        ({"sentence": "A [fox] and [dog]."}, r"got \['dog'\]"),
        ({"features": {"fox": [np.nan], "it": [2.0]}}, "features: expected"),
        ({"key_projection": [[1.0], [2.0]]}, r"projections: expected two of shape \(d, 1\)"),
        ({"features": {"fox": 1.0, "it": 2.0}}, "features: expected a vector for each word"),
        ({"query": 2}, "query: expected an integer from 0 to 1, got 2"),
    ],
    figures.regression_figure: [
        ({"values": VALUES[:-1]}, r"shape \(n,\), got \(41,\) and \(40,\)"),
        ({"values": np.full(41, np.nan)}, "finite"),
        ({"kernel": "cosine"}, "softmax-dot"),
        ({"bandwidth": 0}, "bandwidth: expected"),
        ({"temperature": -1}, "temperature: expected"),
        ({"query": 9.0}, "query: expected"),
        ({"bandwidth": 1e-9}, "bandwidth: expected a number from 0.01"),
        ({"truth": np.sum}, "truth: expected a function"),
        ({"key_range": 5}, r"key_range: expected limits \(low, high\), got 5"),
        ({"key_range": (1, 6)}, r"keys: expected all in \[1.0, 6.0\]"),
        ({"value_range": (5, -5)}, "values: expected"),
        ({"address": "two words"}, "address: expected"),
        ({"guesses": GUESSES._replace(right="many")}, "guesses: expected the right one"),
        ({"guesses": GUESSES._replace(then={"width": 1})}, "guesses: expected settings"),
    ],
    figures.attention_vs_gaussian_figure: [
        ({"values": VALUES[1:]}, r"expected shapes \(n, 2\), \(n,\) and \(2,\), got"),
        ({"keys": 0 * PLANE}, "lengths above zero"),
        ({"spread": 1.1}, "spread: expected a number from 0 to 1, got 1.1"),
        ({"rotation": "left"}, "rotation: expected a number from -180 to 180, got 'left'"),
    ],
    figures.attention_figure: [
        ({"values": VALUES}, "queries, keys and values: expected"),
        ({"queries": PAIRS, "keys": PAIRS}, "3 labels, got 1"),
        ({"frame": 1}, "frame 1"),
        ({"query": 50}, "query: expected"),
        ({"mask": "diagonal"}, "mask: expected"),
        ({"queries": TOKENS[:3], "mask": "causal"}, "mask: expected"),
        ({"targets": VALUES}, "targets: expected"),
        ({"reference": np.ones((49, 50))}, "reference: expected"),
        ({"frequencies": [1.0]}, "frequencies: expected"),
        ({"queries": 5.0}, "queries, keys and values: expected"),
    ],
    figures.random_features_figure: [
        ({"tokens": TOKENS[:-1]}, r"tokens and values: expected .*\(49, 4\) and \(50,\)"),
        ({"tokens": WITH_ZERO}, "zeros in row 49"),
        ({"query": 50}, "query: expected a token from 0 to 49, got 50"),
        ({"n_features": 5}, "n_features: expected one of 1, 2, 3, .*256, got 5"),
        ({"norm": 9}, "norm: expected a number up to 4"),
        ({"largest_norm": -1}, "largest_norm: expected"),
        ({"feature_map": "relu"}, "feature_map: expected one of positive"),
        ({"coupling": "simplex"}, "coupling: expected one of orthogonal, iid"),
        ({"draw": 9}, "draw: expected a number from 1 to 8, got 9"),
    ],
    figures.pixel_figure: [
        ({"image": np.zeros((2, 2, 2))}, r"image: expected .*\(2, 2, 2\)"),
        ({"image": np.zeros((2, 300))}, "at most 256"),
        ({"image": np.zeros((3, 3), int)}, "TypeError: image: expected floats"),
        ({"method": "median"}, "method: expected one of gaussian"),
        ({"pixel": (41, 0)}, "pixel: expected"),
        ({"bandwidth": 2.0}, "TypeError: bandwidth: expected, for 'bilateral', one of bandwidth_space"),
        ({"bandwidth_space": 0}, "bandwidth_space: expected a number from 0.3 to 6"),
        ({"bandwidth_value": "wide"}, "TypeError: bandwidth_value: expected a number from"),
        ({"noise_std": 0.5}, "noise_std: expected a number from 0 to 0.196"),
        ({"view": "sharp"}, "view: expected one of noisy"),
        ({"method": "unified", "position_block": "bent"}, "position_block: expected one of none"),
        ({"method": "nonlocal_means", "patch_weights": "round"}, "patch_weights: expected"),
    ],
    figures.inpainting_figure: [
        ({"image": np.zeros((129, 20))}, "image: expected"),
        ({"missing": 40}, "missing: expected a number from 50 to 95, got 40"),
        ({"bandwidth_circles": -1}, "bandwidth_circles: expected a number from 0.8 to 4, got -1"),
        ({"bandwidth_ellipses": np.inf}, "bandwidth_ellipses: expected a number from 0.8 to 4, got inf"),
        ({"kernel": "squares"}, "kernel: expected"),
        ({"pixel": (128, 0)}, "pixel: expected"),
    ],
    figures.years_figure: [
        ({"year": 1999}, "year: expected one of 1964, 1998"),
        ({"year": 2020}, "2017, 'words', got 2020"),
        ({"pixel": (210, 0)}, "pixel: expected"),
        ({"clean": "half"}, "clean: expected one of lens, everything"),
    ],
    figures.prediction_figure: [
        ({"truth": [0.5, 0.5]}, "truth: expected 3 numbers"),
        ({"truth": [1.2, -0.1, -0.1]}, "at least 0"),
        ({"truth": [0.2, 0.3, 0.6]}, "weights that sum to 1"),
        ({"truth": [np.nan] * 3}, "finite"),
        ({"kind": "winner", "truth": [1.0] * 3}, "one winner, got a tie"),
        ({"kind": "curve", "truth": [0, 1, 1.6], "largest": 1}, "at least the largest truth, 1.6"),
        ({"kind": "curve", "largest": 0}, "largest: expected"),
        ({"kind": "guess"}, "kind: expected one of weights, curve, winner, got 'guess'"),
        ({"vectors": ([1, 0], np.eye(2))}, "vectors: expected shapes"),
        ({"vectors": [1, 0, 0]}, "vectors: expected a pair of arrays"),
        ({"names": [1, 2, 3]}, "names: expected a string, got 1"),
    ],
    figures.diffusion_figure: [
        ({"pictures": np.zeros((2, 3, 49))}, "pictures: expected shape"),
        ({"pictures": np.full((2, 3, 3), 1.5)}, "pictures: expected numbers"),
        ({"noise_std": 11}, "noise_std: expected a number from 0.08 to 10, got 11"),
        ({"patch_radius": 5}, "patch_radius: expected"),
        ({"view": "plane"}, "view: expected"),
        ({"seed": 1000}, "seed: expected"),
        ({"pixel": (28, 0)}, "pixel: expected"),
        ({"points": [[0.0, 1.0], [0.0, 2.5]]}, "points: expected"),
    ],
    figures.head_map_figure: [
        ({"head": ("GPT-2", 0, 0)}, "model: expected"),
        ({"head": ("SmolLM2", 30, 0)}, "head: expected"),
        ({"head": ("SmolLM2", 18)}, r"head: expected \(model, block, head\)"),
        ({"query": 23}, "query: expected"),
    ],
    figures.language_model_figure: [
        ({"text": ""}, "text: expected"),
        ({"text": "a" * 2000}, "text: expected"),
        ({"query": 99}, "query: expected"),
        ({"block": 4}, "block: expected"),
        ({"scope": "some heads"}, "scope: expected"),
        ({"n_features": 17}, "n_features: expected one of 16, 64, 256, got 17"),
        ({"temperature": 5}, "temperature: expected a number from 0.1 to 4, got 5"),
        ({"hidden": [36]}, "hidden: expected"),
    ],
    figures.ring_figure: [
        ({"pictures": np.zeros((3, 49, 49))}, r"pictures: expected shape .*\(3, 49, 49\)"),
        ({"pictures": np.full((2, 3, 3), 1.5)}, r"pictures: expected numbers in \[−1, 1\], got 1.5"),
        ({"seed": 1000}, "seed: expected an integer from 0 to 999, got 1000"),
        ({"seed": 1.5}, "seed: expected an integer, got 1.5"),
    ],
    figures.one_head_figure: [
        ({"question": 5}, "TypeError: question: expected a string, got 5"),
        ({"address": "One head"}, "address: expected lower-case letters, digits and hyphens"),
    ],
    figures.your_photo_figure: [
        ({"pixel": (0, 400)}, r"pixel: expected .* got \(0, 400\)"),
        ({"year": 1999}, "year: expected one of 1964, .*, got 1999"),
        ({"strength": 4.1}, "strength: expected a number from 0.25 to 4, got 4.1"),
        ({"strength": "strong"}, "TypeError: strength: expected a number from 0.25 to 4, got 'strong'"),
        ({"line": -1}, "line: expected a number from 0 to 100, got -1"),
    ],
    figures.your_points_figure: [
        ({"values": None}, "values: expected real numbers, got"),
        ({"keys": KEYS[:3], "values": KEYS[:3]}, r"keys and values: expected .* 4 or more, got \(3,\)"),
        ({"keys": VALUES, "values": KEYS}, "keys: expected different numbers, got 1.0"),
        ({"method": "spline"}, "method: expected one of gaussian, .*, got 'spline'"),
        ({"parameter": 0}, "parameter: expected a finite number > 0, got 0"),
        ({"by": "eye"}, "by: expected one of leave-one-out, .*, got 'eye'"),
        ({"reach": -1}, "reach: expected"),
        ({"query": [1900]}, r"query: expected a finite number, got \[1900\]"),
        ({"panel": "bands"}, "panel: expected one of errors, weights, residuals, got 'bands'"),
        ({"robust": "no"}, "robust: expected True or False, got 'no'"),
        ({"key_label": 5}, "key_label: expected a string, got 5"),
    ],
    figures.your_pictures_figure: [
        ({"pictures": np.zeros((20, 9, 9))}, r"pictures: expected shape .* got \(20, 9, 9\)"),
        ({"pictures": np.zeros((9, 28, 28))}, r"n from 10 to 2000, got \(9, 28, 28\)"),
        ({"pictures": np.full((10, 28, 28), 2.0)}, r"pictures: expected numbers in \[−1, 1\], got 2.0"),
        ({"task": "draw"}, "task: expected one of walk, denoise, unknown, got 'draw'"),
        ({"patch_radius": 5}, "patch_radius: expected one of whole, 9, .*, got '5'"),
        ({"n_steps": 20}, "n_steps: expected one of 10, 30, 100, got 20"),
        ({"noise_index": 30}, "noise_index: expected an integer from 0 to 29, got 30"),
        ({"seed": -1}, "seed: expected"),
        ({"picture": 40}, "picture: expected an integer from 0 to 39, got 40"),
        ({"pixel": (28, 0)}, "pixel: expected .* inside 28 × 28 pixels"),
        ({"pictures": np.zeros((10, 16, 16, 3)), "pixel": (16, 0)}, "pixel: expected .* inside 16 × 16 pixels"),
    ],
    figures.your_text_figure: [
        ({"text": " "}, "text: expected 1 to 256 tokens"),
        ({"text": ["a"]}, "TypeError: text: expected a string"),
        ({"block": 4}, "block: expected an integer from 0 to 3, got 4"),
        ({"shade": "colours"}, "shade: expected one of weights, losses, got 'colours'"),
    ],
    figures.published_model_figure: [
        ({"block": 30}, "block: expected an integer from 0 to 29, got 30"),
        ({"head": 9}, "head: expected an integer from 0 to 8, got 9"),
        ({"query": 500}, "query: expected an integer from 0"),
        ({"kernel": "boxcar"}, "kernel: expected one of dot product, .*, got 'boxcar'"),
        ({"scope": "the model"}, "scope: expected one of this head, .*, got 'the model'"),
        ({"guesses": ["more"]}, r"guesses: expected lib.figures.Guesses or None, got \['more'\]"),
        ({"caption": None}, "TypeError: caption: expected a string, got None"),
    ],
}
ARGUMENTS = [
    (make, name)
    for make in (getattr(figures, name) for name in figures.__all__ if name.endswith("_figure"))
    for name, parameter in inspect.signature(make).parameters.items()
    if parameter.kind is not parameter.VAR_KEYWORD
]
CASES = [(make, bad, words) for make, cases in REJECTED.items() for bad, words in cases]


@pytest.mark.parametrize("make, bad, words", CASES)
def test_invalid_arguments_are_rejected(make, bad, words):
    with pytest.raises((TypeError, ValueError)) as rejected:
        make(**GOOD.get(make, {}) | bad)
    assert re.search(words, f"{rejected.typename}: {rejected.value}")


@pytest.mark.parametrize("make, name", ARGUMENTS)
def test_argument_of_the_wrong_type_raises_a_clear_error(make, name):
    with pytest.raises((TypeError, ValueError), match="^[^:]+: expected .*, got"):
        make(**GOOD.get(make, {}) | {name: object()})


def test_example_of_contributing_rejects_arguments_of_the_wrong_type():
    make = contributed("decay")
    for name in inspect.signature(make).parameters:
        with pytest.raises((TypeError, ValueError), match="^[^:]+: expected .*, got"):
            make(**{name: object()})
