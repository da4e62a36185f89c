"""The pure functions of the live figures in node, beside what `lib` says: cases go there as JSON."""

import json
import os
import re
import subprocess

import numpy as np
from conftest import ROOT

from lib import language_model
from lib.attention import attention_weights, causal_mask, encoding_frequencies, positional_encoding
from lib.figures.base import Grid
from lib.filters import local_plane
from lib.filters.lark import disk
from lib.kernels import KERNELS, log_kernel
from lib.random_features import hyperbolic_features, positive_features, trigonometric_features
from lib.regression import nadaraya_watson
from lib.weights import average, softmax

FEATURE_MAPS = {
    "positive": positive_features,
    "hyperbolic": hyperbolic_features,
    "trigonometric": trigonometric_features,
}


def plain(value):
    """Arrays as lists, and what JSON does not know as words."""
    if isinstance(value, dict):
        return {name: plain(each) for name, each in value.items()}
    if isinstance(value, np.ndarray | list | tuple):
        return [plain(each) for each in value]
    if isinstance(value, float | np.floating) and not np.isfinite(value):
        return {"-inf": "-inf", "nan": "nan"}[str(float(value))]
    return value.item() if isinstance(value, np.generic) else value


def weight_cases(rng):
    rows = [rng.normal(size=10), rng.normal(size=10) * 1e3, *([each] * 10 for each in (-np.inf, -1e308, 0.0))]
    rows += [np.where(rng.random(10) < 0.5, -np.inf, 5.0), np.array([-np.inf] * 9 + [-800.0])]
    rows, values = np.array(rows), rng.normal(size=10)
    weights, others = softmax(rng.normal(size=(2, 9)))
    carried = [np.cumsum(np.sort(row)[::-1]) for row in softmax(rows)]
    n_keys = [int(np.argmax(sums >= 0.9 - 1e-12)) + 1 if sums[-1] else 0 for sums in carried]
    return {
        "softmax": [{"rows": rows, "expected": softmax(rows)}],
        "average": [{"rows": softmax(rows), "values": values, "expected": average(softmax(rows), values)}],
        "keys_for_share": [{"rows": softmax(rows), "share": 0.9, "expected": n_keys}],
        "total_variation": [
            {"weights": weights, "others": others, "expected": np.maximum(weights - others, 0).sum()}
        ],
    }


def grid_cases():
    grids = [Grid.over(-0.13, 5.02), Grid.over(1e6, 1e6 + 7), Grid.over(-3e-4, 2e-4), Grid.up_to(2.5)]
    grids += [Grid(0, 1, 0.25), Grid(0, 75, 1.5), Grid(0, 1, 0.5), Grid(0, 0.7, 0.014), Grid(0, 1 / 3, 1 / 150)]
    at = [np.linspace(grid.low - grid.step, grid.high + grid.step, 37) + grid.step / 7 for grid in grids]
    return {
        "nearest": [
            {"values": values, "grid": grid, "expected": [grid.nearest(value) for value in values]}
            for grid, values in zip(grids, at, strict=True)
        ],
        "decimals": [{"grid": grid, "expected": grid.decimals} for grid in grids],
    }


def regression_cases(rng):
    keys, values, queries = rng.uniform(0, 6, 40), rng.normal(size=40), np.linspace(-2, 8, 23)
    common = {"keys": keys, "values": values, "bandwidth": 0.37}
    return {
        "log_kernel": [
            {"query": 1.3, "keys": keys, "bandwidth": 0.9, "kernel": kernel}
            | {"expected": log_kernel(np.array([1.3]), keys, 0.9, kernel)[0]}
            for kernel in KERNELS
        ],
        "nadaraya_watson": [
            {**common, "queries": queries, "kernel": kernel}
            | {"expected": nadaraya_watson(queries, keys, values, 0.37, kernel)}
            for kernel in KERNELS
        ],
    }


def attention_cases(rng):
    queries, keys = rng.normal(size=(2, 6, 5))
    tokens, frequencies = positional_encoding(9, 4, 20.0), encoding_frequencies(4, 20.0)
    vector, plane = rng.normal(size=2), rng.normal(size=(8, 2))
    norms = np.linalg.norm(plane, axis=1, keepdims=True)
    return {
        "attention": [
            {"queries": queries, "keys": keys, "temperature": 1.7, "causal": causal}
            | {"expected": attention_weights(queries, keys, 1.7, causal_mask(6) if causal else None)}
            for causal in (False, True)
        ],
        # W that only turns by three positions takes the code of position 7 to that of position 4.
        "rotation": [
            {"token": tokens[7], "frequencies": frequencies, "stretches": [1, 1], "back": 3, "expected": tokens[4]}
        ],
        "gaussian": [
            {"query": vector, "keys": plane, "bandwidth": 0.8}
            | {"expected": [-np.sum((vector - key) ** 2) / 0.8**2 for key in plane]}
        ],
        "spread": [
            {"spread": s, "keys": plane, "expected": plane / norms * (norms.mean() + s * (norms - norms.mean()))}
            for s in (0, 0.3, 1)
        ],
        "dot": [{"query": vector, "keys": plane, "temperature": 0.3, "expected": plane @ vector / 0.3}],
    }


def feature_cases(rng):
    tokens, frequencies, counts = 0.6 * rng.normal(size=(8, 3)), rng.normal(size=(16, 3)), [2, 5, 16]
    cases = []
    for name, features in FEATURE_MAPS.items():
        products = [(phi := features(tokens, frequencies[:count]))[2] @ phi.T for count in counts]
        expected = [row / row.sum() for row in products]
        cases.append({"tokens": tokens, "frequencies": frequencies, "map": name, "query": 2, "counts": counts})
        cases[-1]["expected"] = expected
    exact = attention_weights(tokens, tokens, 1.0)[2]
    x, mapping = rng.normal(size=(5, 7)), rng.normal(size=(11, 7))
    asked, exponents = rng.normal(size=(3, 6)), 400 * rng.normal(size=(4, 6))  # far beyond what exp can hold
    peaks = exponents.max(axis=0)
    tops = (asked + peaks).max(axis=1, keepdims=True)
    positive = np.exp(asked + peaks - tops) @ np.exp(exponents - peaks).T
    return {
        "features": cases,
        "exact": [{"tokens": tokens, "query": 2, "expected": exact}],
        "product": [{"x": x.ravel(), "map": mapping.ravel(), "d": 7, "expected": x @ mapping.T}],
        "positive_features": [
            {"asked": asked.ravel(), "exponents": exponents.ravel(), "m": 6, "expected": positive}
        ],
    }


def transformer_cases(rng):
    x = rng.normal(size=(6, 8))
    row = rng.normal(size=9)
    return {
        "rms_norm": [{"x": x.ravel(), "width": 8, "expected": language_model.norm(x)}],
        "rotary": [
            {"x": x.ravel(), "d": 8, "base": language_model.ROTARY_BASE, "expected": language_model.rotate(x)}
        ],
        "softmax_row": [{"x": row, "first": 2, "last": 6, "expected": softmax(row[2:7])}],
    }


def plane_cases(rng):
    """Circles, and ellipses made of their slopes, on a noisy edge and a slope, up to the border."""
    image = np.add.outer(np.arange(24) > 9, np.arange(31) / 40) * rng.uniform(0.5, 1, (24, 31))
    cases = []
    for share, circles, ellipses in ((0.5, 0.8, 2.5), (0.7, 1.3, 1.7), (0.85, 1.7, 4.0)):
        known = rng.random(image.shape) > share
        height, slope = local_plane(image, known, circles)
        steered, _ = local_plane(image, known, ellipses, slope=slope)
        samples = {"height": 24, "width": 31, "values": image.ravel(), "known": known.ravel().astype(int)}
        fit = {"radius": 8, "disk": disk(4), "sensitivity": 0.1}
        cases.append({"samples": samples, "fit": fit, "bandwidths": {"circles": circles, "ellipses": ellipses}})
        cases[-1]["expected"] = [height.ravel(), steered.ravel()]
    return {"local_plane": cases}


def test_pure_functions_of_the_figures_equal_those_of_lib(tmp_path):
    rng = np.random.default_rng(0)
    cases = weight_cases(rng) | grid_cases() | regression_cases(rng) | attention_cases(rng)
    cases |= feature_cases(rng) | transformer_cases(rng) | plane_cases(rng)
    path = tmp_path / "numbers.json"
    path.write_text(json.dumps(plain(cases), allow_nan=False), "utf8")
    command = ["node", "--test", "--test-reporter=tap", "tests/figures/figures.test.mjs"]
    environment = {**os.environ, "FIGURE_NUMBERS": str(path)}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert int(re.search(r"^# pass (\d+)", done.stdout, re.MULTILINE)[1]) >= len(cases) + 6
