"""Chapter 7, the Performer: sweeps of its measured conclusions."""

import functools
import tracemalloc

import numpy as np
import pytest

from lib import images, patch_attention
from lib.attention import attention, attention_weights
from lib.filters import bilateral
from lib.random_features import (
    feature_average,
    fourier_features,
    iid_frequencies,
    linear_attention,
    orthogonal_frequencies,
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
    """Return keys, then 64 queries, with zero mean and mean square 1 per component."""
    x = rng.normal(size=(n + 64, d))
    if form == "sphere":
        x *= np.sqrt(d) / np.linalg.norm(x, axis=1, keepdims=True)
    if form == "uniform":
        x = rng.uniform(-(3**0.5), 3**0.5, size=x.shape)
    if form == "uneven axes":
        axes = np.linspace(1.5, 0.5, d)
        x *= axes / np.sqrt(np.mean(axes**2))
    return x


@functools.lru_cache(maxsize=2)
def errors(d, size, n, form, frequencies, seed, m=256):
    """Squared error of the output, over that of the plain mean, of three estimates and for each kind of values."""
    rng = np.random.default_rng([seed, d])
    x = tokens(d, form, n, rng)
    values = [kind(x[:n], rng) for kind in KINDS.values()]
    ends = np.cumsum([0, *(each.shape[1] for each in values)])
    columns = np.hstack(values)
    q, k = np.sqrt(size / 2 / d) * x[n:], np.sqrt(size / 2 / d) * x[:n]
    exact, found = attention(q, k, columns, temperature=1), []
    lazy = (columns.mean(axis=0) - exact) ** 2
    for draw in range(3):
        drawn = DRAWS[frequencies](m, d, rng=100 * seed + draw)
        q_features, k_features = positive_features(q, drawn), positive_features(k, drawn)
        some = np.random.default_rng(draw).choice(n, min(m, n // 2), replace=False)
        estimates = [
            feature_average(q_features, k_features, columns),
            feature_average(q_features, k_features / k_features.sum(axis=1, keepdims=True), columns),
            attention(q, k[some], columns[some], temperature=1),
        ]
        found.append([(each - exact) ** 2 for each in estimates])
    parts = list(zip(ends, ends[1:], strict=False))
    ratio = [[np.mean(s[:, a:b]) / np.mean(lazy[:, a:b]) for a, b in parts] for draw in found for s in draw]
    middle = np.median(np.reshape(ratio, (3, 3, len(parts))), axis=0)
    names = ("positive", "shares", "random keys")
    return {name: dict(zip(KINDS, row, strict=True)) for name, row in zip(names, middle, strict=True)}


@pytest.mark.conclusion(
    "07:trusted",
    varies={
        "d": [4, 8, 16, 32, 64, 128],
        "size": [0.05, 0.3, 1],
        "n": [1024, 2048],
        "form": ["normal", "sphere", "uniform", "uneven axes"],
        "frequencies": ["orthogonal", "iid"],
        "kind": list(KINDS),
    },
    against="the plain mean of all values, and exact attention over 256 keys, drawn at random",
)
def test_features_with_shares_win_where_sums_are_short(d, size, n, form, frequencies, kind, holds):
    found = errors(d, size, n, form, frequencies, 0)
    holds(min(1, found["random keys"][kind]) / found["shares"][kind] - 1, "of the error of features")


@pytest.mark.conclusion(
    "07:rivals",
    varies={
        "d": [32, 64, 128],
        "size": [16, 32, 64],
        "n": [1024, 4096],
        "form": ["normal", "sphere", "uniform", "uneven axes"],
        "frequencies": ["orthogonal", "iid"],
        "seed": [0, 1],
    },
    against="positive features, as they are and with shares, whichever are better",
)
def test_the_plain_mean_wins_for_noise_where_sums_are_long(d, size, n, form, frequencies, seed, holds):
    found = errors(d, size, n, form, frequencies, seed)
    holds(min(found["positive"]["noise"], found["shares"]["noise"]) - 1, "of the error of the plain mean")


def misplaced(norm, m, d, frequencies, seed):
    """Return the share of weight on wrong keys, averaged over 100 draws."""
    x = np.random.default_rng(seed).normal(size=(51, d))
    x *= norm / np.linalg.norm(x, axis=1, keepdims=True)
    exact = attention_weights(x[:1], x[1:], temperature=1)
    draws = [DRAWS[frequencies](m, d, rng=draw) for draw in range(100)]
    found = [linear_attention(x[:1], x[1:], np.eye(50), temperature=1, frequencies=each) for each in draws]
    return np.mean([np.abs(each - exact).sum() / 2 for each in found])


@pytest.mark.conclusion(
    "07:twice",
    varies={
        "norm": [0.1, 0.3, 0.5],
        "m": [16, 64, 256],
        "d": [2, 4, 16],
        "frequencies": ["orthogonal", "iid"],
        "seed": [0, 1, 2],
    },
    against="a half, by a tenth of the error before",
)
def test_four_times_the_features_leave_half_of_the_error(norm, m, d, frequencies, seed, holds):
    left = misplaced(norm, 4 * m, d, frequencies, seed) / misplaced(norm, m, d, frequencies, seed)
    holds(0.1 - abs(left - 0.5), "of the error")


def picture_of(name):
    if name in ("photo", "cat"):
        return images.camera() if name == "photo" else images.cat().mean(axis=2)
    skimage = pytest.importorskip("skimage.data")
    picture = getattr(skimage, name)().astype(float) / 255
    return picture[:128, :128]


def with_shares(q, k, values, places):
    given = np.swapaxes(softmax(k @ places.T), -1, -2)
    got = given @ np.concatenate([values, np.ones_like(values[..., :1])], axis=-1)
    return average(softmax(q @ places.T + np.log(got[..., -1])[..., None, :]), got[..., :-1] / got[..., -1:])


@pytest.mark.conclusion(
    "07:head",
    varies={"picture": ["photo", "cat", "coins"], "noise": [20, 25, 30], "seed": [0, 1, 2, 3]},
    against="positive features from the same frequencies, and exact attention",
)
def test_shares_help_a_trained_head_and_do_not_save_it(picture, noise, seed, holds):
    clean, rng = picture_of(picture), np.random.default_rng(seed)
    query_map, key_map = patch_attention.trained_maps()
    d = len(query_map)
    noisy = images.add_noise(clean, noise / 255, rng=rng).astype(np.float32)
    asked = rng.integers(0, min(clean.shape), size=(2, 120))
    windows, pixels = patch_attention.window_tokens(noisy)(*asked)
    q = windows[:, None, patch_attention.MIDDLE] @ query_map.T / d**0.25
    k = windows @ key_map.T / d**0.25
    exact = attention(q, k, pixels, temperature=1)
    away = lambda estimate: float(np.sqrt(np.mean((estimate - exact) ** 2)))
    drawn = [orthogonal_frequencies(256, d, rng=10 * seed + draw) for draw in range(3)]
    plain = [away(linear_attention(q, k, pixels, temperature=1, frequencies=each)) for each in drawn]
    mended = [away(with_shares(q, k, pixels, each)) for each in drawn]
    holds(np.median(plain) / np.median(mended) - 1, "of the distance from exact attention")


@pytest.mark.conclusion(
    "07:memory",
    varies={"d": [16, 64], "m": [64, 256], "n": [2048, 4096]},
    against="linear attention from random features",
)
def test_exact_attention_in_blocks_needs_memory_like_features(d, m, n, holds):
    def grown(method):
        peaks = []
        for size in (n, 2 * n):
            q, k, v = np.random.default_rng(0).normal(size=(3, size, d)).astype(np.float32)
            tracemalloc.start()
            method(q, k, v)
            peaks.append(tracemalloc.get_traced_memory()[1])
            tracemalloc.stop()
        return peaks[1] / peaks[0]

    by_features = grown(lambda q, k, v: linear_attention(q, k, v, m, rng=0))
    holds(1.1 * max(by_features, 2) - grown(attention), "times")


def bilateral_by_features(image, frequencies, h_y, scale=1.0):
    taps = np.exp(-((np.arange(-4, 5) / 1.75) ** 2))

    def blurred(planes):
        height, width = planes.shape[:2]
        planes = np.pad(planes, [(4, 4), (4, 4), (0, 0)], mode="reflect")
        planes = sum(tap * planes[i : i + height] for i, tap in enumerate(taps))
        return sum(tap * planes[:, i : i + width] for i, tap in enumerate(taps))

    phi = scale * fourier_features(image[..., None], frequencies, h_y)
    return np.sum(phi * blurred(phi * image[..., None]), axis=-1) / np.sum(phi * blurred(phi), axis=-1)


@pytest.mark.conclusion(
    "07:quadrature",
    varies={
        "picture": ["photo", "cat", "coins", "brick", "text"],
        "noise": [0, 15, 25],
        "h_y": [0.35, 0.5, 1.0],
        "draw": [0, 1],
    },
    against="64 random frequencies, independent ones",
)
def test_ten_nodes_are_nearer_than_random_frequencies(picture, noise, h_y, draw, holds):
    image = images.add_noise(
        picture_of(picture)[:64, :64], max(noise, 1e-9) / 255, rng=np.random.default_rng(draw)
    )
    exact = bilateral(image, 1.75, h_y, 4)
    nodes, weights = np.polynomial.hermite_e.hermegauss(10)
    scale = np.tile(np.sqrt(10 * weights / weights.sum()), 2)
    away = lambda estimate: float(np.sqrt(np.mean((estimate - exact) ** 2)))
    fixed = away(bilateral_by_features(image, nodes[:, None], h_y, scale))
    random = away(bilateral_by_features(image, iid_frequencies(64, 1, rng=draw), h_y))
    holds(random / fixed - 1, "of its error")


@pytest.mark.conclusion(
    "07:recall",
    varies={"d": [16, 32, 64, 128], "pairs": [0.125, 0.25, 0.5, 1, 2, 4], "seed": [0, 1, 2]},
    against="a sum and the delta rule, each with a state of as many numbers",
)
def test_a_list_recalls_better_than_a_state(d, pairs, seed, holds):
    n = int(pairs * d)
    keys, values = np.random.default_rng(seed).normal(size=(2, n, d))
    keys /= np.linalg.norm(keys, axis=1, keepdims=True)
    total, delta = keys.T @ values, np.zeros((d, d))
    for k, v in zip(keys, values, strict=True):
        delta += np.outer(k, v - delta.T @ k)
    kept = np.where(np.arange(n)[:, None] < d // 2, values, 0)
    error = lambda answers: np.mean((answers - values) ** 2) / np.mean(values**2)
    holds(min(error(keys @ total), error(keys @ delta)) - error(kept), "of the values' mean square")
