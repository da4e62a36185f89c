"""The observations of chapter 7, swept over settings that the chapter does not use."""

import tracemalloc

import numpy as np
import pytest

from lib import images, patch_attention
from lib.attention import attention, attention_weights
from lib.random_features import (
    balance,
    feature_average,
    iid_frequencies,
    linear_attention,
    orthogonal_frequencies,
    pair_moment,
    positive_features,
)
from lib.weights import average, softmax

DRAWS = {"orthogonal": orthogonal_frequencies, "iid": iid_frequencies}
KINDS = {
    "linear": lambda k, rng: k,
    "bent": lambda k, rng: np.tanh(k),
    "even": lambda k, rng: k**2,
    "smooth": lambda k, rng: np.cos(k @ rng.normal(size=(len(k[0]),) * 2) / np.sqrt(len(k[0]))),
    "product": lambda k, rng: k * np.roll(k, 1, axis=1),
    "noise": lambda k, rng: rng.normal(size=k.shape),
}


def tokens(d, form, n, rng):
    """Return keys, then enough queries for balancing to see all axes; mean 0 and mean square 1 per component."""
    n_queries = max(256, d)
    x = rng.normal(size=(n + n_queries, d))
    if form == "queries are keys":
        x[n:] = x[:n_queries]
    if form == "32 clusters":
        x = rng.normal(size=(32, d))[rng.integers(0, 32, len(x))] + 0.1 * x
    if form == "keys and negatives":
        x[n // 2 : n] = -x[: n // 2]
    if form == "heavy tails":
        x = rng.standard_t(2.1, size=x.shape)
    if form == "uneven axes":
        axes = np.linspace(1.5, 0.5, d)
        x *= axes / np.sqrt(np.mean(axes**2))
    return x


def prepared(q, k):
    """Balanced and centred queries and keys, and the logarithm of each key's factor, relative to the largest."""
    q, k = balance(q, k, about_means=True)
    factor = k @ q.mean(axis=0)
    return q - q.mean(axis=0), k - k.mean(axis=0), factor - factor.max()


def normalised(features):
    return features / features.sum(axis=1, keepdims=True)


def errors(d, size, n, form, frequencies, draw, kinds, ratio=1.0, m=256):
    """Squared error of the output over that of the plain mean, by estimate, for each kind of values.

    Queries are `ratio` times as wide along half of the axes, keys along the others, and both have a mean. The mean
    ‖q + k‖² is `size` after balance and centring.
    """
    rng = np.random.default_rng([draw, d])
    x = tokens(d, form, n, rng)
    columns = np.hstack([KINDS[kind](x[:n], rng) for kind in kinds])
    is_even = np.arange(d) % 2 == 0
    q, k = x[n:] * np.where(is_even, ratio, 1), x[:n] * np.where(is_even, 1, ratio)
    if ratio > 1:
        q, k = q - 0.8, k + 0.5
    scale = np.sqrt(size / np.trace(pair_moment(*prepared(q, k)[:2])))
    q, k = scale * q, scale * k
    exact, drawn = attention(q, k, columns, temperature=1), DRAWS[frequencies](m, d, rng=draw)
    q_features, k_features = positive_features(q, drawn), positive_features(k, drawn)
    short_q, short_k, log_factor = prepared(q, k)
    short_features = normalised(positive_features(short_k, drawn)) * np.exp(log_factor)[:, None]
    some = rng.choice(n, min(m, n // 2), replace=False)
    estimates = {
        "mean": columns.mean(axis=0),
        "positive": feature_average(q_features, k_features, columns),
        "normalised": feature_average(q_features, normalised(k_features), columns),
        "prepared": feature_average(positive_features(short_q, drawn), short_features, columns),
        "random keys": attention(q, k[some], columns[some], temperature=1),
    }
    squares = {name: ((each - exact) ** 2).mean(axis=0) for name, each in estimates.items()}
    by_kind = {name: each.reshape(len(kinds), -1).mean(axis=1) for name, each in squares.items()}
    return {name: each / by_kind["mean"] for name, each in by_kind.items()}


TRUSTED = {"d": 64, "size": 1, "n": 1024, "form": "normal", "ratio": 3, "frequencies": "orthogonal", "draw": 0}


@pytest.mark.conclusion(
    "07:trusted",
    tested="for each of six kinds of values, their squared error is below {limit} times the smaller one of the "
    "baselines",
    where="normal entries of equal and of different variances, and axes three times as wide for one side",
    varies={
        "d": [32, 128],
        "size": [0.1, 1],
        "n": [1024],
        "form": ["normal", "uneven axes"],
        "ratio": [3],
        "frequencies": ["orthogonal"],
        "draw": range(20),
    },
    names={
        "d": "32 to 128 similar axes",
        "size": "mean ‖q + k‖² ≤ 1",
        "n": "1024",
        "form": "independent normal vectors",
        "frequencies": "orthogonal",
    },
    against="the plain mean of all values, and exact attention over 256 keys, drawn at random",
    control="the same frequencies without balancing, centring and normalising",
    fails={
        "32,768 keys in 16 dimensions": TRUSTED | {"d": 16, "n": 32768, "ratio": 1},
        "independent frequencies in 256 dimensions": TRUSTED | {"d": 256, "frequencies": "iid", "ratio": 1},
        "sixteen dimensions with uneven axes": TRUSTED | {"d": 16, "form": "uneven axes", "draw": 306},
        "keys and their negatives": TRUSTED | {"form": "keys and negatives", "ratio": 1},
        "heavy tails": TRUSTED | {"form": "heavy tails", "d": 4},
        "half as many features as dimensions": TRUSTED | {"d": 512, "ratio": 1},
        "one dimension": TRUSTED | {"d": 1, "ratio": 1},
    },
)
def test_prepared_features_have_smaller_error_for_short_vectors(d, size, n, form, ratio, frequencies, draw, holds):
    found = errors(d, size, n, form, frequencies, draw, tuple(KINDS), ratio)
    baseline = np.minimum(1, found["random keys"])
    worst, control = (np.max(found[name] / baseline) for name in ("prepared", "positive"))
    holds(worst, "times the error of the better baseline", below=1, control=control)


RIVALS = {"d": 64, "size": 16, "n": 1024, "form": "normal", "ratio": 1, "frequencies": "orthogonal", "draw": 0}


@pytest.mark.conclusion(
    "07:rivals",
    tested="positive, normalised and prepared features all have more than {limit} times the squared error of the "
    "plain mean",
    where="normal entries, and a mean ‖q + k‖² of 16 and 64",
    varies={
        "d": [64, 128],
        "size": [16, 64],
        "n": [1024],
        "form": ["normal"],
        "ratio": [1],
        "frequencies": ["orthogonal", "iid"],
        "draw": range(20),
    },
    names={
        "d": "64 to 128 equal variances",
        "size": "‖q + k‖² ≥ 16",
        "n": "1024 noise values",
        "form": "independent zero-mean normal vectors of 64 to 128 equal variances",
    },
    against="positive features, as they are, normalised or prepared, whichever are better",
    control="exact attention over 256 random keys in place of the plain mean",
    fails={
        "sixteen keys": RIVALS | {"n": 16},
        "queries that are keys": RIVALS | {"form": "queries are keys"},
        "32 clusters": RIVALS | {"form": "32 clusters"},
    },
)
def test_plain_mean_has_smaller_error_for_long_vectors(d, size, n, form, ratio, frequencies, draw, holds):
    found = errors(d, size, n, form, frequencies, draw, ("noise",), ratio)
    best = min(found[name][0] for name in ("positive", "normalised", "prepared"))
    holds(best, "times the error of the plain mean", above=1, control=best / found["random keys"][0])


def misplaced(norm, m, d, frequencies, draw, first=0, n_draws=400):
    """Return the share of weight on wrong keys, averaged over draws of the frequencies."""
    x = np.random.default_rng(draw).normal(size=(51, d))
    x *= norm / np.linalg.norm(x, axis=1, keepdims=True)
    drawn = DRAWS[frequencies](n_draws * m, d, rng=[draw, first])  # m is a multiple of d, so blocks stay whole
    features = positive_features(x, drawn).reshape(51, n_draws, m)
    kernel = np.einsum("rm,jrm->rj", features[0], features[1:])
    exact = attention_weights(x[:1], x[1:], temperature=1)
    return np.abs(kernel / kernel.sum(axis=1, keepdims=True) - exact).sum(axis=1).mean() / 2


@pytest.mark.conclusion(
    "07:twice",
    tested="the share of weight on wrong keys, averaged over 400 draws, is within {limit} of half of what it was",
    where="norms of 0.1 and 0.5, from 16 to 64 features, 2 and 16 dimensions",
    varies={
        "norm": [0.1, 0.5],
        "m": [16],
        "d": [2, 16],
        "frequencies": ["orthogonal", "iid"],
        "draw": range(20),
    },
    names={"norm": "norm ½ and less"},
    against="a half of the share before",
    control="as many features as before, in other draws",
    fails={"vectors of norm 3": {"norm": 3, "m": 16, "d": 16, "frequencies": "orthogonal", "draw": 0}},
)
def test_four_times_features_halve_error(norm, m, d, frequencies, draw, holds):
    before, after = (misplaced(norm, times * m, d, frequencies, draw) for times in (1, 4))
    again = misplaced(norm, m, d, frequencies, draw, first=1)
    off = lambda share: abs(share / before - 1 / 2)
    holds(off(after), "of the share before", below=0.1, control=off(again))


def image_of(name):
    if name in ("photo", "cat"):
        return images.camera() if name == "photo" else images.cat().mean(axis=2)
    skimage = pytest.importorskip("skimage.data")
    return (getattr(skimage, name)().astype(float) / 255)[:128, :128]


def with_scaled_features(q, k, values, places, power):
    """Return attention with the features of each key times a power of their sum; −1 normalises them."""
    products = k @ places.T
    largest = products.max(axis=-1, keepdims=True)
    log_sums = largest + np.log(np.exp(products - largest).sum(axis=-1, keepdims=True))
    log_features = products + power * log_sums
    given = np.swapaxes(np.exp(log_features - log_features.max(axis=(-2, -1), keepdims=True)), -1, -2)
    got = given @ np.concatenate([values, np.ones_like(values[..., :1])], axis=-1)
    return average(softmax(q @ places.T + np.log(got[..., -1])[..., None, :]), got[..., :-1] / got[..., -1:])


@pytest.mark.conclusion(
    "07:head",
    tested="the distance from exact attention, the median of three draws of the frequencies, is below {limit} "
    "times that of plain features",
    where="forty pixels, and noise of σ = 20/255 and 30/255",
    varies={"picture": ["photo"], "noise": [20, 30], "seed": range(20)},
    names={"picture": "of the photograph", "noise": "noise near that of its training"},
    against="positive features from the same frequencies, and exact attention",
    control="the features of each key multiplied by their sum, not divided by it",
    fails={
        "some pixels of the cat": {"picture": "cat", "noise": 20, "seed": 10},
        "some pixels of the coins": {"picture": "coins", "noise": 20, "seed": 19},
    },
)
def test_normalising_helps_a_trained_head(picture, noise, seed, holds):
    clean, rng = image_of(picture), np.random.default_rng(seed)
    query_map, key_map = patch_attention.trained_maps()
    d = len(query_map)
    noisy = images.add_noise(clean, noise / 255, rng=rng).astype(np.float32)
    asked = rng.integers(0, min(clean.shape), size=(2, 40))
    windows, pixels = patch_attention.window_tokens(noisy)(*asked)
    q = windows[:, None, patch_attention.MIDDLE] @ query_map.T / d**0.25
    k = windows @ key_map.T / d**0.25
    exact = attention(q, k, pixels, temperature=1)
    away = lambda estimate: float(np.sqrt(np.mean((estimate - exact) ** 2)))
    drawn = [orthogonal_frequencies(256, d, rng=10 * seed + draw) for draw in range(3)]
    plain = np.median([away(linear_attention(q, k, pixels, temperature=1, frequencies=each)) for each in drawn])
    ratios = [
        np.median([away(with_scaled_features(q, k, pixels, each, power)) for each in drawn]) / plain
        for power in (-1, 1)
    ]
    holds(ratios[0], "times the distance of plain features", below=1, control=ratios[1])


def peak_memory(method, n, d):
    """Return the largest number of bytes that attention over n tokens allocates."""
    q, k, v = np.random.default_rng(0).normal(size=(3, n, d)).astype(np.float32)
    tracemalloc.start()
    method(q, k, v)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak


@pytest.mark.conclusion(
    "07:memory",
    tested="twice as many tokens need less than {limit} times the memory",
    where="from 2048 to 4096 tokens and from 3072 to 6144",
    varies={"d": [16, 64], "n": [2048, 3072], "method": ["in blocks"]},
    names={"n": "from 2,048 on", "method": "in blocks"},
    against="twice the memory, which is proportional to the number of tokens",
    control="the whole matrix of weights",
    fails={"few tokens, of which one block holds all": {"d": 64, "n": 128, "method": "in blocks"}},
)
def test_memory_of_attention_in_blocks_grows_in_proportion(d, n, method, holds):
    by_matrix = lambda q, k, v: attention_weights(q, k) @ v
    growth, control = (peak_memory(by, 2 * n, d) / peak_memory(by, n, d) for by in (attention, by_matrix))
    holds(growth, "times", below=2.2, control=control)


@pytest.mark.conclusion(
    "07:recall",
    where="keys of 32 to 128 entries with normal entries, scaled to unit length",
    varies={"d": [32, 64, 128], "pairs": [1, 2, 4], "mean": [0], "size": [1], "seed": range(20)},
    names={
        "d": "32 to 128 entries",
        "pairs": "one to four pairs per entry",
        "mean": "standard normal keys",
        "size": "keys and values of 32 to 128 entries",
    },
    against="a list of the first pairs, of as many numbers as the state",
    control="a list of half that size",
    fails={
        "no more pairs than the list holds": {"d": 64, "pairs": 0.5, "mean": 0, "size": 1, "seed": 0},
        "keys with a common mean": {"d": 64, "pairs": 1, "mean": 1, "size": 1, "seed": 0},
        "values of four entries": {"d": 64, "pairs": 1, "mean": 0, "size": 1 / 16, "seed": 0},
    },
)
def test_sum_recalls_more_values(d, pairs, mean, size, seed, holds):
    """`pairs` and `size` of a value are per entry of a key; `mean` is added before the keys get unit length."""
    n, rng = int(pairs * d), np.random.default_rng(seed)
    keys, values = rng.normal(size=(n, d)) + mean, rng.normal(size=(n, int(size * d)))
    keys /= np.linalg.norm(keys, axis=1, keepdims=True)
    by_sum, in_list = keys @ (keys.T @ values), np.arange(n)[:, None]
    by_list, by_half = (np.where(in_list < held, values, 0) for held in (d // 2, d // 4))
    nearest = lambda answers: np.argmin(np.sum(values**2, axis=1) - 2 * answers @ values.T, axis=1)
    accuracy = lambda answers: np.mean(nearest(answers) == np.arange(n))
    more = lambda answers: accuracy(answers) - accuracy(by_list)
    holds(more(by_sum), "of all", control=more(by_half))
