"""Thousands of seeded random calls with one argument changed: the correct result, or one error that names it.

A change preserves the meaning (`ALIKE`), is odd but may have a result (`ODD`), or is invalid (`BAD`). The expected
result is the dense formula in long double, which shares no code with `lib`.
"""

import math
import pickle
import sys
import zlib

import numpy as np
import pytest

from lib import filters, images
from lib.attention import attention, attention_weights
from lib.kernels import log_radial_kernel
from lib.random_features import linear_attention
from lib.regression import leave_one_out_estimates, nadaraya_watson, nadaraya_watson_weights
from lib.unified import carry_norms
from lib.weights import average, softmax
from tests import oracles
from tests.oracles import exact

CALLS = 450  # per function
EPS, SINGLE = np.finfo(np.float64).eps, np.finfo(np.float32).eps
pytestmark = [
    pytest.mark.skipif(sys.platform == "emscripten", reason="long double is slow in a browser"),
    pytest.mark.skipif(np.finfo(np.longdouble).eps == EPS, reason="long double is no longer than double here"),
]

ALIKE = {
    "list": lambda x, rng: x.tolist(),
    "column order": lambda x, rng: np.asfortranarray(x),
    "every second": lambda x, rng: np.repeat(x, 2, axis=-1)[..., ::2],
    "backwards": lambda x, rng: x[::-1].copy()[::-1],
    "long double": lambda x, rng: x.astype(np.longdouble),
    "objects": lambda x, rng: x.astype(object),
    "float32": lambda x, rng: x.astype(np.float32),
    "big endian": lambda x, rng: x.astype(">f8"),
}
ODD = {
    "other scale": lambda x, rng: x * 10.0 ** rng.integers(-40, 40),
    "offset": lambda x, rng: x + 10.0 ** rng.integers(0, 12),
    "one far away": lambda x, rng: np.where(np.arange(x.size).reshape(x.shape) == rng.integers(x.size), 1e14, x),
    "the first far away": lambda x, rng: np.concatenate([1e9 * x[:1], x[1:]]),
    "the last far away": lambda x, rng: np.concatenate([x[:-1], 1e7 * x[-1:]]),
    "zeros": lambda x, rng: np.zeros_like(x),
    "one value": lambda x, rng: np.full_like(x, x.flat[0]),
    "twice the same": lambda x, rng: x[np.r_[0, 0 : len(x) - 1]],
    "one less": lambda x, rng: x[1:],
    "one axis more": lambda x, rng: x[None],
    "one column less": lambda x, rng: x[..., 1:],
    "whole numbers": lambda x, rng: np.rint(3 * x).astype(np.int64),
}
BAD = {
    "NaN": lambda x, rng: np.where(np.arange(x.size).reshape(x.shape) == rng.integers(x.size), np.nan, x),
    "infinite": lambda x, rng: np.where(np.arange(x.size).reshape(x.shape) == rng.integers(x.size), np.inf, x),
    "empty": lambda x, rng: x[:0],
    "text": lambda x, rng: x.astype(str),
    "complex": lambda x, rng: x + 1j,
    "ragged": lambda x, rng: [[1.0], [1.0, 2.0]],
    "masked": lambda x, rng: np.ma.masked_equal(x, x.flat[0]),
    "nothing": lambda x, rng: np.array(None),
    "dates": lambda x, rng: np.full(x.shape, np.datetime64("2020-01-01")),
}
ODD_NUMBERS = [lambda x, rng: x * 10.0 ** rng.integers(-300, 300), lambda x, rng: np.float32(x), lambda x, rng: 3]
BAD_NUMBERS = [0, -1.0, np.nan, np.inf, "1.5", [], [[1.0]], True, 1j, 10**400, {}, b"1"]


def changed(value, rng):
    """Return the kind of a change, and the changed value."""
    if isinstance(value, float):
        if rng.random() < 0.5:
            return "odd number", ODD_NUMBERS[rng.integers(len(ODD_NUMBERS))](value, rng)
        return "bad number", BAD_NUMBERS[rng.integers(len(BAD_NUMBERS))]
    changes = rng.choice([ALIKE, ODD, BAD], p=[0.15, 0.6, 0.25])
    name = list(changes)[rng.integers(len(changes))]
    return name, changes[name](value, rng)


def dense_average(weights, values):
    weights, values = exact(weights, values)
    seen = weights.any(axis=-1)
    return np.where(seen if values.ndim == 1 else seen[..., None], weights @ values, np.nan)


def dense_norms(tokens, metrics):
    tokens, metrics = exact(tokens, metrics)
    norms = np.einsum("nd,bde,ne->nb", tokens, metrics.reshape(-1, 3, 3), tokens)
    return np.column_stack([tokens, norms, np.ones(len(tokens))])


def dense_psnr(estimate, reference):
    error = ((exact(estimate)[0] - exact(reference)[0]) ** 2).mean()
    return -10 * np.log10(error) if error else np.inf


def drawn(names, rng):
    """Return valid arguments of these names."""
    normal, d = rng.standard_normal, rng.integers(1, 4)
    values = normal(7) if rng.random() < 0.5 else normal((7, 2))
    arguments = {
        **{"queries": normal((5, d)), "keys": normal((7, d)), "values": values, "frequencies": normal((11, d))},
        **{"tokens": normal((5, 3)), "metrics": normal((3, 3)), "bias": normal((5, 7))},
        **{"log_weights": normal((5, 7)), "weights": rng.random((5, 7)), "estimate": rng.random((5, 7))},
        **{"reference": rng.random((5, 7)), "image": rng.random((6, 7) if rng.random() < 0.5 else (6, 7, 3))},
        **{"bandwidth": 10 ** rng.uniform(-1, 1), "temperature": 10 ** rng.uniform(-1, 1)},
        **{"bandwidth_space": rng.uniform(0.5, 3), "bandwidth_value": rng.uniform(0.1, 1)},
        "kernel": rng.choice(list(oracles.LOG_KERNELS), p=[0.4, 0.1, 0.15, 0.15, 0.1, 0.05, 0.05]).item(),
    }
    return {name: arguments[name] for name in names.split()}


FUNCTIONS = {
    nadaraya_watson: ("values queries keys bandwidth kernel", oracles.dense_regression),
    nadaraya_watson_weights: ("queries keys bandwidth kernel", oracles.dense_regression_weights),
    log_radial_kernel: ("queries keys bandwidth kernel", oracles.dense_log_kernel),
    leave_one_out_estimates: ("keys values bandwidth kernel", oracles.dense_leave_one_out),
    attention: ("queries keys values temperature bias", oracles.dense_attention),
    attention_weights: ("queries keys temperature bias", oracles.dense_attention_weights),
    linear_attention: ("queries keys values temperature frequencies", oracles.dense_linear_attention),
    softmax: ("log_weights", lambda log_weights: oracles.dense_softmax(*exact(log_weights))),
    average: ("weights values", dense_average),
    carry_norms: ("tokens metrics", dense_norms),
    filters.bilateral: ("image bandwidth_space bandwidth_value", oracles.dense_bilateral),
    images.psnr: ("estimate reference", dense_psnr),
}
FIXED = {filters.bilateral: {"radius": 2}}
IN_DOUBLE = (log_radial_kernel, nadaraya_watson_weights, carry_norms, images.psnr)  # whatever the input's dtype


def largest(x):
    return float(min(np.abs(exact(x)[0]).max(), 1e300))


def is_single(arguments):
    return all(x.dtype == np.float32 for x in arguments.values() if isinstance(x, np.ndarray))


def rounding(function, arguments):
    """Return the error of a row's log-weights that rounding of their terms can cause."""
    single = is_single(arguments)
    size = {name: largest(x) for name, x in arguments.items() if not isinstance(x, str)}
    if "frequencies" in size:
        points = max(size["queries"], size["keys"]) / math.sqrt(size["temperature"])
        return 64 * (SINGLE if single else EPS) * (1 + points * size["frequencies"] + points**2)
    if "temperature" in size:
        queries, keys, temperature, bias = (exact(x)[0] for n, x in arguments.items() if n != "values")
        scores = queries @ np.swapaxes(keys, -1, -2) / temperature + bias
        terms = np.abs(queries) @ np.swapaxes(np.abs(keys), -1, -2) / temperature + np.abs(bias)
        weighty = scores > scores.max(axis=-1, keepdims=True) - 50
        return 1e-14 + 64 * EPS * np.where(weighty, terms, 0).max(axis=-1)
    if "bandwidth_value" in size:
        return 64 * (SINGLE if single else EPS) * max(1, size["image"] / size["bandwidth_value"])
    if "bandwidth" in size:
        queries = arguments.get("queries", arguments["keys"])
        distances = oracles.squared_distances(queries, arguments["keys"], arguments["bandwidth"])
        if "queries" not in arguments:  # each key attends to all the others
            np.fill_diagonal(distances, np.inf)
        return 1e-8 + 64 * EPS * distances.min(axis=1)
    return 64 * (SINGLE if single else EPS)


def compare(function, arguments, result):
    """Check equality with the formula or, where rounding ruins the weights, that the result is an average."""
    with np.errstate(all="ignore"):
        expected = np.asarray(FUNCTIONS[function][1](**arguments))
        error = np.asarray(rounding(function, arguments))
        error = error[..., None] if 0 < error.ndim < expected.ndim else error
        if function is log_radial_kernel:
            result, expected = np.exp(result), np.exp(expected)
    assert np.shape(result) == expected.shape
    averaged = [arguments[name] for name in ("values", "image") if name in arguments]
    scale = largest(averaged[0]) if averaged else 1.0
    if function in (carry_norms, images.psnr):
        scale = largest(expected)
    if function is average:
        scale *= max(1, 7 * largest(arguments["weights"]))
    if np.result_type(result) == np.float32:
        error = np.maximum(error, 64 * SINGLE)
    both_nan = np.isnan(result) & np.isnan(expected)
    equal = both_nan | (np.abs(result - expected) <= error * scale)
    average_of_values = np.isnan(result) | (np.abs(result) <= scale * (1 + 1e-6))
    right = np.where(error < 1e-3, equal, average_of_values)
    assert right.all(), f"expected {expected}, got {result}"


def call(function, arguments):
    """Return the result or a promised error; any other exception or warning fails the test."""
    before = pickle.dumps(arguments)
    try:
        return function(**arguments, **FIXED.get(function, {}))
    except (ValueError, TypeError) as error:
        return error
    finally:
        assert pickle.dumps(arguments) == before, "an argument was modified"


def as_single(x):
    """Convert to single precision, unless squares and products would overflow or underflow."""
    if isinstance(x, float):
        return min(max(x, 1e-18), 1e18)
    fits = isinstance(x, np.ndarray) and x.dtype == float and 1e-15 < np.abs(x).max(initial=0) < 1e15
    return x.astype(np.float32) if fits else x


def check(function, seed, single=False):
    rng = np.random.default_rng(seed)
    arguments = drawn(FUNCTIONS[function][0], rng)
    name = rng.choice([name for name, value in arguments.items() if not isinstance(value, str)])
    kind, arguments[name] = changed(arguments[name], rng)
    if single and kind not in BAD and kind != "bad number":
        kept = "values" if rng.random() < 0.5 else ""  # in double precision, where no digits may be lost
        arguments = {name: x if name == kept else as_single(x) for name, x in arguments.items()}
    result = call(function, arguments)
    if not isinstance(result, Exception):
        assert kind not in BAD and kind != "bad number", f"{name} ({kind}) was accepted"
        if kind not in ALIKE and function not in IN_DOUBLE:
            typed = {name: x for name, x in arguments.items() if name not in ("bias", "frequencies")}
            assert result.dtype == (np.float32 if is_single(typed) else np.float64)
        return compare(function, arguments, result)
    assert kind not in ALIKE, f"{name} ({kind}) was rejected: {result}"
    blamed, _, rest = str(result).partition(": expected ")
    assert rest and ", got " in rest, f"no expected and actual value: {result}"
    named = [name] if kind in BAD or kind == "bad number" else list(arguments)
    assert any(one in blamed.replace(",", "").split() for one in named), f"{name} ({kind}): {result}"


def check_many(function, single=False):
    start = zlib.crc32(function.__name__.encode())
    for seed in range(start, start + CALLS):
        try:
            check(function, seed, single)
        except Exception as error:
            raise AssertionError(f"check({function.__name__}, {seed}, {single}): {error!r}") from error


@pytest.mark.parametrize("single", [False, True], ids=["double", "single"])
@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda function: function.__name__)
def test_random_calls_match_oracle_or_raise(function, single):
    check_many(function, single)


@pytest.mark.parametrize("single", [False, True], ids=["double", "single"])
def test_random_streamed_attention_matches_oracle(single, monkeypatch):
    for limit in ("FEW_QUERIES", "FEW_PAIRS"):
        monkeypatch.setattr(f"lib.engine.attention.{limit}", 0)
    check_many(attention, single)
