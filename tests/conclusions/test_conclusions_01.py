"""Chapter 1, Nadaraya–Watson regression: tests that try to break its measured sentences."""

import functools

import numpy as np
import pytest

from lib.regression import nadaraya_watson_weights
from lib.weights import softmax

STEEPEST_AT_AN_END = {  # each over a range of about 4.5
    "toy": lambda x: 2 * np.sin(x) + x,
    "wave": lambda x: 2 * np.sin(2 * x),
    "line": lambda x: 0.9 * x,
    "root": lambda x: 2 * np.sqrt(x),
    "exponential": lambda x: np.exp(x * np.log(5.5) / 5),
    "fast wave": lambda x: 2.25 * np.sin(6 * x),
}
SLOPING = STEEPEST_AT_AN_END | {"decay": lambda x: 4.5 * np.exp(-2 * x), "square": lambda x: 0.18 * x**2}
CURVES = STEEPEST_AT_AN_END | {
    "peak": lambda x: 4.5 * np.exp(-((x - 2.5) ** 2) / 0.3),
    "step": lambda x: 4.5 * (x > 2.5),
    "sawtooth": lambda x: 4.5 * (0.7 * x % 1),
    "level": lambda x: 0 * x,
}
JUMPS = ("step", "sawtooth")
RANGE = 4.5
QUERIES = np.linspace(0, 5, 51)
WIDTHS = np.geomspace(0.05, 20, 50)


def keys_of(design, n, draw):
    """n sorted keys on [0, 5]."""
    uniform = np.random.default_rng(draw).uniform(size=n)
    places = {
        "even": (np.arange(n) + 0.5) / n,
        "random": uniform,
        "dense left": uniform**2,
        "dense right": 1 - uniform**2,
    }
    return np.sort(5 * places[design])


def expected_error(weights, keys, f, sigma):
    """The mean over the queries of squared bias plus variance, equation eq:bias_variance."""
    return np.mean((weights @ f(keys) - f(QUERIES)) ** 2 + sigma**2 * np.sum(weights**2, axis=1))


def line_weights(keys, bandwidth):
    """The weights of the local line, equation eq:local_linear."""
    constant = nadaraya_watson_weights(QUERIES, keys, bandwidth)
    mean = constant @ keys
    from_mean = keys - mean[:, None]
    spread = np.sum(constant * from_mean**2, axis=1)
    slope = (QUERIES - mean) / np.where(spread > 1e-9, spread, np.inf)
    return constant * (1 + slope[:, None] * from_mean)


def neighbour_weights(keys, number):
    """The mean of the nearest keys."""
    nearest = np.argsort(np.abs(QUERIES[:, None] - keys), axis=1)[:, :number]
    weights = np.zeros((len(QUERIES), len(keys)))
    np.put_along_axis(weights, nearest, 1 / number, axis=1)
    return weights


def best_constant(keys, f, sigma):
    return min(expected_error(nadaraya_watson_weights(QUERIES, keys, h), keys, f, sigma) for h in WIDTHS)


def curve_named(name, n):
    """One of `CURVES`, or as many waves as have eight keys each."""
    return CURVES.get(name) or (lambda x: 2.25 * np.sin(2 * np.pi * n / 8 * x / 5 + 1))


@functools.cache
def choices(curve, design, n, noise, correlation=0.0, draws=300, at="even places"):
    """What leave-one-out and AICc choose: the numbers of bandwidths, and the error of each bandwidth and draw."""
    keys, f = keys_of(design, n, 1), curve_named(curve, n)
    queries = QUERIES if at == "even places" else keys_of(design, 101, 2)
    errors = np.random.default_rng(0).normal(size=(n, draws))
    for i in range(1, n):
        errors[i] = correlation * errors[i - 1] + np.sqrt(1 - correlation**2) * errors[i]
    values = f(keys)[:, None] + noise * RANGE * errors
    squares = (keys[:, None] - keys) ** 2
    left_out, aic, reached = [], [], []
    for h in WIDTHS:
        others = softmax(np.where(np.eye(n, dtype=bool), -np.inf, -squares / h**2))
        left_out += [np.mean((values - others @ values) ** 2, axis=0)]
        weights = softmax(-squares / h**2)
        free = np.trace(weights)
        if free < n - 2:
            residuals = np.mean((values - weights @ values) ** 2, axis=0)
            aic += [np.log(residuals) + 2 * (free + 1) / (n - free - 2)]
        else:
            aic += [np.full(draws, np.inf)]
        estimates = nadaraya_watson_weights(queries, keys, h) @ values
        reached += [np.mean((estimates - f(queries)[:, None]) ** 2, axis=0)]
    return np.argmin(left_out, axis=0), np.argmin(aic, axis=0), np.array(reached)


EVERY = {
    "curve": list(CURVES),
    "keys": ["even", "random", "dense left"],
    "n": [20, 40, 160],
    "noise": [0.1, 0.5, 2],  # in ranges of the curve
}
NOISES = [0.01, 0.05, 0.2, 0.5, 2]


@pytest.mark.conclusion(
    "01:leave-one-out",
    varies=EVERY | {"curve": [*CURVES, "eight keys per wave"], "keys": ["even", "random"]},
    against="the bandwidth with the smallest mean error, found with the curve",
)
def test_leave_one_out_predicts_with_less_than_twice_the_smallest_error(curve, keys, n, noise, holds):
    picked, _, reached = choices(curve, keys, n, noise, at="places like the keys")
    error = reached + (noise * RANGE) ** 2  # on a new value
    of_choice = error[picked, np.arange(len(picked))].mean()
    holds(2 - of_choice / error.mean(axis=1).min(), "of the smallest error")


@pytest.mark.conclusion(
    "01:steadier",
    varies=EVERY
    | {"curve": [*CURVES, "eight keys per wave"], "keys": ["even"], "n": [40, 80, 160], "noise": NOISES},
    against="leave-one-out on the same draws",
)
def test_aic_chooses_less_than_half_of_the_best_bandwidth_no_more_often(curve, keys, n, noise, holds):
    left_out, aic, reached = choices(curve, keys, n, noise)
    half = WIDTHS[np.argmin(reached.mean(axis=1))] / 2
    by_aic, by_leaving_out = np.mean(WIDTHS[aic] < half), np.mean(WIDTHS[left_out] < half)
    holds(by_leaving_out - by_aic + 1e-9, "of the draws")


@pytest.mark.conclusion(
    "01:correlated",
    varies=EVERY
    | {
        "curve": [name for name in CURVES if name not in JUMPS],
        "keys": ["even", "random"],
        "correlation": [0.2, 0.5, 0.8],
    },
    against="leave-one-out with the same curve, keys and size of the errors, but independent ones",
)
def test_errors_that_resemble_their_neighbours_do_not_make_it_choose_larger(
    curve, keys, n, noise, correlation, holds
):
    alike, _, _ = choices(curve, keys, n, noise, correlation)
    independent, _, _ = choices(curve, keys, n, noise)
    difference = np.log(WIDTHS[independent]).mean() - np.log(WIDTHS[alike]).mean()
    holds(difference + 1e-9, "of the mean logarithm of h")


@pytest.mark.conclusion(
    "01:line",
    varies={"curve": list(SLOPING), "n": [20, 40, 80, 160], "noise": [0.003, 0.01, 0.03]},
    against="the local constant at its own best bandwidth",
)
def test_the_local_line_wins_where_the_curve_is_steepest_at_an_end(curve, n, noise, holds):
    keys, f, sigma = keys_of("even", n, 0), SLOPING[curve], noise * RANGE
    of_line = min(expected_error(line_weights(keys, h), keys, f, sigma) for h in WIDTHS)
    holds(1 - of_line / best_constant(keys, f, sigma), "of its error")


@pytest.mark.conclusion(
    "01:neighbours",
    varies={"curve": list(SLOPING), "n": [10, 20, 40, 160], "noise": [0.02, 0.1, 0.3]},
    against="the mean of the nearest keys at their own best number",
)
def test_among_even_keys_a_bandwidth_beats_a_number_of_neighbours(curve, n, noise, holds):
    keys, f, sigma = keys_of("even", n, 0), SLOPING[curve], noise * RANGE
    numbers = np.unique(np.geomspace(1, n, 30).astype(int))
    of_number = min(expected_error(neighbour_weights(keys, m), keys, f, sigma) for m in numbers)
    holds(1 - best_constant(keys, f, sigma) / of_number, "of its error")


SPREADS = np.geomspace(0.08, 6, 60)
H_PER_SPREAD = {"gaussian": 2**0.5, "triangular": 6**0.5, "epanechnikov": 5**0.5}


@pytest.mark.conclusion(
    "01:forms",
    varies={
        "curve": [name for name in CURVES if name not in (*JUMPS, "level")],
        "n": [20, 40, 160],
        "noise": [0.1, 0.2, 0.5],
        "form": ["triangular", "epanechnikov"],
    },
    against="the Gaussian at its own best spread",
)
def test_forms_without_a_jump_reach_the_same_error_on_even_keys(curve, n, noise, form, holds):
    keys, f, least = keys_of("even", n, 0), CURVES[curve], {}
    for kernel in ("gaussian", form):
        tried = (
            nadaraya_watson_weights(QUERIES, keys, H_PER_SPREAD[kernel] * spread, kernel) for spread in SPREADS
        )
        reaching = (weights for weights in tried if weights.any(axis=1).all())
        least[kernel] = min(expected_error(weights, keys, f, noise * RANGE) for weights in reaching)
    holds(0.1 - abs(least[form] / least["gaussian"] - 1), "of its error")


def on_a_curve(n, n_waves, dimensions, seed):
    """Keys on a closed curve, and where each lies along it, from 0 to 1."""
    rng = np.random.default_rng([seed, n])
    along = rng.uniform(size=n)
    waves = [wave(2 * np.pi * m * along) for m in range(1, n_waves + 1) for wave in (np.cos, np.sin)]
    mixing = np.random.default_rng(seed).normal(size=(2 * n_waves, dimensions))
    return np.column_stack(waves) @ mixing, along


def exponent(keys_and_places, f, sigma):
    """p of an error like n^−p at the best bandwidth, from 250 to 4000 keys."""
    counts, reached = (250, 1000, 4000), []
    for n in counts:
        queries, places = keys_and_places(100)
        keys, along = keys_and_places(n)
        squares = np.maximum((queries**2).sum(axis=1)[:, None] - 2 * queries @ keys.T + (keys**2).sum(axis=1), 0)
        errors = []
        for h in np.sqrt(np.median(squares)) * np.geomspace(0.02, 3, 40):
            weights = softmax(-squares / h**2)
            bias = weights @ f(along) - f(places)
            errors += [np.mean(bias**2 + sigma**2 * np.sum(weights**2, axis=1))]
        reached += [min(errors)]
    return -np.polyfit(np.log(counts), np.log(reached), 1)[0]


@pytest.mark.conclusion(
    "01:dimensions",
    varies={
        "f": ["wave", "two waves", "straight", "square"],
        "dimensions": [64, 128],
        "n_waves": [1, 2, 3],
        "sigma": [0.3, 1, 2],
        "seed": [0, 1],
    },
    against="keys that fill the dimensions, with a function of one of their coordinates",
)
def test_keys_on_a_curve_learn_as_in_one_dimension(f, dimensions, n_waves, sigma, seed, holds):
    along = {
        "wave": lambda u: np.sin(2 * np.pi * u),
        "two waves": lambda u: np.sin(4 * np.pi * u),
        "straight": lambda u: np.abs(2 * u - 1),
        "square": lambda u: (2 * u - 1) ** 2,
    }[f]
    across = {
        "wave": np.sin,
        "two waves": lambda x: np.sin(2 * x),
        "straight": lambda x: x,
        "square": lambda x: x**2,
    }[f]

    def filling(n):
        cloud = np.random.default_rng([seed, n]).normal(size=(n, dimensions))
        return cloud, cloud[:, 0]

    on_curve = exponent(lambda n: on_a_curve(n, n_waves, dimensions, seed), along, sigma)
    holds(min(on_curve - 0.6, 0.2 - exponent(filling, across, sigma)), "of the exponent")


@pytest.mark.conclusion(
    "01:hiding",
    varies={
        "n": [100, 200],
        "step": [0, 1, 2, 4],
        "place": [0.1, 0.28, 0.5],
        "correlation": [0.1, 0.16, 0.3, 0.5, 0.8],
    },
    against="leave-one-out on the same draws",
)
def test_hiding_the_neighbours_leaves_a_smaller_error(n, step, place, correlation, holds):
    years, draws = np.arange(float(n)), 400
    level = step * (years < place * n)
    noise = np.random.default_rng(0).normal(size=(n, draws))
    for i in range(1, n):
        noise[i] = correlation * noise[i - 1] + np.sqrt(1 - correlation**2) * noise[i]
    values, apart = level[:, None] + noise, np.abs(years[:, None] - years)
    candidates, errors, reached = np.geomspace(0.5, n, 40), {0: [], 1: []}, []
    for h in candidates:
        for reach, found in errors.items():
            others = softmax(np.where(apart > reach, -((apart / h) ** 2), -np.inf))
            found += [np.mean((values - others @ values) ** 2, axis=0)]
        reached += [np.mean((softmax(-((apart / h) ** 2)) @ values - level[:, None]) ** 2, axis=0)]
    alone, hiding = (np.array(reached)[np.argmin(found, axis=0), np.arange(draws)] for found in errors.values())
    holds(1 - hiding.mean() / alone.mean(), "of its error")
