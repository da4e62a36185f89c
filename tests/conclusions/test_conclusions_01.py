"""Chapter 1, Nadaraya–Watson regression: how far its observations carry."""

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
ANY = SLOPING | CURVES | {"slow wave": lambda x: 2.25 * np.sin(1.3 * x)}
RANGE = 4.5
QUERIES = np.linspace(0, 5, 51)
WIDTHS = np.geomspace(0.05, 20, 50)


def keys_of(design, n, draw):
    """n sorted keys on [0, 5]."""
    uniform = np.random.default_rng(draw).uniform(size=n)
    places = {
        "even": (np.arange(n) + 0.5) / n,
        "even, with both ends": np.arange(n) / (n - 1),
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
def choices(curve, design, n, noise, correlation=0.0, draws=300, at="even places", key_draw=1):
    """What leave-one-out and AICc choose: the numbers of bandwidths, and the error of each bandwidth and draw."""
    keys, f = keys_of(design, n, key_draw), curve_named(curve, n)
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
    tested="the squared error of the curve at the chosen bandwidth, the mean of 300 draws of the noise, is "
    "below {limit} times the smallest",
    where="five curves, forty random keys, and noise of a tenth and a half of the range",
    varies={
        "curve": ["toy", "wave", "line", "peak", "step"],
        "keys": ["random"],
        "n": [40],
        "noise": [0.1, 0.5],
        "draw": range(1, 21),
    },
    names={"n": "the forty dots", "curve": "for the curve"},
    against="the bandwidth with the smallest mean error, found with the curve",
    control="a bandwidth at random from the fifty candidates",
    fails={
        "a level curve": {"curve": "level", "keys": "random", "n": 40, "noise": 0.5, "draw": 1},
        "a step with eight random keys": {"curve": "step", "keys": "random", "n": 8, "noise": 0.1, "draw": 1},
    },
)
def test_leave_one_out_finds_nearly_best_bandwidth(curve, keys, n, noise, draw, holds):
    picked, _, reached = choices(curve, keys, n, noise, at="places like the keys", key_draw=draw)
    draws, least = np.arange(len(picked)), reached.mean(axis=1).min()
    at_random = np.random.default_rng(0).integers(len(WIDTHS), size=len(picked))
    ratio, control = (reached[choice, draws].mean() / least for choice in (picked, at_random))
    holds(ratio, "times the smallest error", below=2.5, control=control)


@pytest.mark.conclusion(
    "01:steadier",
    tested="it chose less than half of the best bandwidth at most as often (a margin of {limit} for rounding)",
    where="eleven curves, forty to 160 even keys, and noise from a hundredth of the range to twice the range",
    varies=EVERY
    | {"curve": [*CURVES, "eight keys per wave"], "keys": ["even"], "n": [40, 80, 160], "noise": NOISES},
    names={"keys": "of the example"},
    against="leave-one-out on the same draws",
    control="a bandwidth at random from the fifty candidates",
)
def test_aicc_chooses_no_more_small_bandwidths(curve, keys, n, noise, holds):
    left_out, aic, reached = choices(curve, keys, n, noise)
    half = WIDTHS[np.argmin(reached.mean(axis=1))] / 2
    by_aic, by_leaving_out = np.mean(WIDTHS[aic] < half), np.mean(WIDTHS[left_out] < half)
    holds(
        by_aic - by_leaving_out,
        "of the draws more",
        below=1e-9,
        control=np.mean(WIDTHS < half) - by_leaving_out,
    )


@pytest.mark.conclusion(
    "01:correlated",
    tested="with correlated errors the mean logarithm of the chosen bandwidth is no larger (a margin of {limit} "
    "for rounding)",
    where="eight curves without a jump, twenty to 160 keys, and correlations of 0.2 to 0.8 between neighbours",
    varies=EVERY
    | {
        "curve": [name for name in CURVES if name not in JUMPS],
        "keys": ["even", "random"],
        "correlation": [0.2, 0.5, 0.8],
    },
    names={"correlation": "Positively correlated"},
    against="leave-one-out with the same curve, keys and size of the errors, but independent ones",
    control="errors that are negatively correlated by a half",
    fails={
        "negatively correlated errors": {
            "curve": "toy",
            "keys": "even",
            "n": 40,
            "noise": 0.5,
            "correlation": -0.5,
        }
    },
)
def test_positively_correlated_errors_choose_no_larger_bandwidth(curve, keys, n, noise, correlation, holds):
    alike, _, _ = choices(curve, keys, n, noise, correlation)
    independent, _, _ = choices(curve, keys, n, noise)
    opposite, _, _ = choices(curve, keys, n, noise, -0.5)
    means = [np.log(WIDTHS[picked]).mean() for picked in (alike, independent, opposite)]
    holds(means[0] - means[1], "of the mean logarithm of h", below=1e-9, control=means[2] - means[1])


@pytest.mark.conclusion(
    "01:line",
    tested="the error of the line is below {limit} times that of the constant",
    where="eight curves that are steepest at a boundary, twenty to 160 even keys, the outermost half a step from "
    "the boundary, and weak noise",
    varies={"curve": list(SLOPING), "n": [20, 40, 80, 160], "noise": [0.003, 0.01, 0.03], "keys": ["even"]},
    names={"curve": "steep boundaries", "noise": "three times their noise", "keys": "the forty keys"},
    against="the local constant at its own best bandwidth",
    control="one straight line for all queries",
    fails={
        "three times the noise of the example": {"curve": "toy", "n": 40, "noise": 2 / 3, "keys": "even"},
        "a level curve": {"curve": "level", "n": 40, "noise": 0.03, "keys": "even"},
        "a peak, which is level at both ends": {"curve": "peak", "n": 40, "noise": 0.03, "keys": "even"},
        "a root, infinitely steep at a key": {
            "curve": "root",
            "n": 40,
            "noise": 0.003,
            "keys": "even, with both ends",
        },
    },
)
def test_local_linear_wins_at_steep_boundary(curve, n, noise, keys, holds):
    keys, f, sigma = keys_of(keys, n, 0), ANY[curve], noise * RANGE
    of_line = min(expected_error(line_weights(keys, h), keys, f, sigma) for h in WIDTHS)
    of_constant, control = best_constant(keys, f, sigma), expected_error(line_weights(keys, 100), keys, f, sigma)
    holds(of_line / of_constant, "times the error of the constant", below=1, control=control / of_constant)


@pytest.mark.conclusion(
    "01:neighbours",
    tested="the error of the best bandwidth is below {limit} times that of the best number of neighbours",
    where="eight curves that are steepest at a boundary, ten to 160 even keys, the outermost half a step from "
    "the boundary, and noise up to a third of the range",
    varies={"curve": list(SLOPING), "keys": ["even"], "n": [10, 20, 40, 160], "noise": [0.02, 0.1, 0.3]},
    names={"keys": "evenly spaced keys", "curve": "On our curve"},
    against="the mean of the nearest keys at their own best number",
    control="a bandwidth of a third of the range of the keys, whatever the noise",
    fails={
        "keys that get denser to the left": {"curve": "toy", "keys": "dense left", "n": 40, "noise": 2 / 9},
        "a slow wave in strong noise": {"curve": "slow wave", "keys": "even", "n": 20, "noise": 0.7},
    },
)
def test_bandwidth_beats_nearest_neighbours_on_even_keys(curve, keys, n, noise, holds):
    keys, f, sigma = keys_of(keys, n, 0), ANY[curve], noise * RANGE
    numbers = np.unique(np.geomspace(1, n, 30).astype(int))
    of_number = min(expected_error(neighbour_weights(keys, m), keys, f, sigma) for m in numbers)
    control = expected_error(nadaraya_watson_weights(QUERIES, keys, 5 / 3), keys, f, sigma)
    ratio = best_constant(keys, f, sigma) / of_number
    holds(ratio, "times the error of the neighbours", below=1, control=control / of_number)


LOG_KERNELS = {
    "gaussian": lambda s: -(s**2),
    "boxcar": lambda s: np.where(s < 1, 0.0, -np.inf),
    "triangular": lambda s: np.log(np.maximum(1 - s, 1e-300)),
    "epanechnikov": lambda s: np.log(np.maximum(1 - s**2, 1e-300)),
    "cauchy": lambda s: -np.log1p(s**2),
}


def errors_by_width(form, keys, f, sigma, widths):
    """The expected error of a kernel at each bandwidth, infinite where a query has no key in reach."""
    errors = []
    for h in widths:
        s = np.abs(QUERIES[:, None] - keys) / h
        reaches = form in ("gaussian", "cauchy") or s.min(axis=1).max() < 1
        errors += [expected_error(softmax(LOG_KERNELS[form](s)), keys, f, sigma) if reaches else np.inf]
    return np.array(errors)


@pytest.mark.conclusion(
    "01:forms",
    tested="half and twice the best bandwidth raise the error by more than the other shape changes it",
    where="seven curves without a jump, twenty to 160 even keys, and noise of a tenth to a half of the range",
    varies={
        "curve": [name for name in CURVES if name not in (*JUMPS, "level")],
        "keys": ["even"],
        "n": [20, 40, 160],
        "noise": [0.1, 0.2, 0.5],
        "form": ["boxcar", "triangular", "epanechnikov"],
    },
    names={
        "n": "the forty keys",
        "noise": "with noise of 1",
        "form": "Gaussian, boxcar, triangular and Epanechnikov kernels",
    },
    against="the Gaussian at half and at twice its best bandwidth",
    control="the best bandwidth itself, which raises the error by nothing",
    fails={
        "the Cauchy kernel on a peak": {"curve": "peak", "keys": "even", "n": 160, "noise": 0.1, "form": "cauchy"},
        "a boxcar on ten random keys": {
            "curve": "peak",
            "keys": "random",
            "n": 10,
            "noise": 2 / 9,
            "form": "boxcar",
        },
    },
)
def test_doubled_bandwidth_costs_more_than_kernel_choice(curve, keys, n, noise, form, holds):
    keys, f, sigma = keys_of(keys, n, 0), CURVES[curve], noise * RANGE
    widths = np.geomspace(0.05, 20, 90)
    of_gaussian = errors_by_width("gaussian", keys, f, sigma, widths)
    best = widths[of_gaussian.argmin()]
    wrong = errors_by_width("gaussian", keys, f, sigma, [best / 2, 2 * best]).min()
    of_form = errors_by_width(form, keys, f, sigma, widths).min()
    least = of_gaussian.min()
    margins = [(error - least - abs(of_form - least)) / least for error in (wrong, least)]
    holds(margins[0], "of the smallest error", control=margins[1])


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
    tested="the error falls like n^−0.6 or faster along a curve, and like n^−0.2 or slower if the keys fill "
    "the space",
    where="four functions, curves of one or three waves, and moderate noise",
    varies={
        "f": ["wave", "two waves", "straight", "square"],
        "dimensions": [64],
        "n_waves": [1, 3],
        "sigma": [0.3, 2],
        "seed": range(20),
    },
    names={"dimensions": "In 64 dimensions", "sigma": "moderate noise"},
    against="keys that fill the dimensions, with a function of one of their coordinates",
    control="the two kinds of keys exchanged",
    fails={
        "a straight function that fills eight dimensions": {
            "f": "straight",
            "dimensions": 8,
            "n_waves": 2,
            "sigma": 1,
            "seed": 0,
        },
        "strong noise": {"f": "wave", "dimensions": 64, "n_waves": 2, "sigma": 10, "seed": 0},
    },
)
def test_keys_on_curve_learn_like_one_dimension(f, dimensions, n_waves, sigma, seed, holds):
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
    in_space = exponent(filling, across, sigma)
    exchanged = min(in_space - 0.6, 0.2 - on_curve)
    holds(min(on_curve - 0.6, 0.2 - in_space), "from the exponents 0.6 and 0.2", control=exchanged)


@pytest.mark.conclusion(
    "01:hiding",
    tested="the mean squared error of the level is below {limit} times that of leave-one-out",
    where="one or two levels up to four deviations apart, and correlations of 0.1 to 0.8 between neighbours",
    varies={
        "n": [100, 200],
        "step": [0, 1, 2, 4],
        "place": [0.1, 0.28, 0.5],
        "correlation": [0.1, 0.16, 0.3, 0.5, 0.8],
    },
    names={"step": "with the step", "correlation": "the correlation of the Nile"},
    against="leave-one-out on the same draws",
    control="the smallest bandwidth, half a year",
    fails={
        "negatively correlated errors": {"n": 100, "step": 0, "place": 0.28, "correlation": -0.5},
        "levels eight deviations apart": {"n": 100, "step": 8, "place": 0.28, "correlation": 0.16},
    },
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
    control = reached[0].mean() / alone.mean()
    holds(hiding.mean() / alone.mean(), "times the error of leave-one-out", below=1, control=control)
