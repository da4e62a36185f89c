"""Chapter 2, the bilateral filter: tests that try to break its measured sentences."""

import functools
import math

import numpy as np
import pytest

from lib import data, images
from lib.filters import bilateral
from lib.regression import nadaraya_watson
from lib.weights import average, softmax

PICTURES = ["photo", "wall", "cat", "brick", "gravel", "coins", "page", "text", "moon", "grass"]
H_X, H_Y = (
    (0.6, 0.8, 1, 1.5, 2, 3, 4),
    (2, 2.5, 3, 3.5, 4, 5, 7, 10, 14),
)  # in pixels, and in standard deviations of the noise
WIDTHS = (0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.1, 1.25, 1.4, 1.6, 2, 2.5, 3, 4)  # of the blur


@functools.cache
def picture_of(name):
    """A picture of the course, or a part of one of scikit-image's, (128, 128) in [0, 1]."""
    if name in ("photo", "wall", "cat"):
        return {"photo": images.camera, "wall": images.brick_wall, "cat": lambda: images.cat().mean(axis=2)}[
            name
        ]()
    return getattr(pytest.importorskip("skimage.data"), name)()[20:148, 20:148] / 255


def noisy(name, noise, draw):
    return images.add_noise(picture_of(name), noise / 255, rng=np.random.default_rng(draw))


@functools.lru_cache(maxsize=4)
def filtered(name, noise, draw, multiples=H_Y):
    """The filter at each pair of bandwidths, (h_x, h_y in σ): the image."""
    image = noisy(name, noise, draw)
    return {(h_x, k): bilateral(image, h_x, k * noise / 255) for h_x in H_X for k in multiples}


def decibels(results, name):
    return {choice: images.psnr(image, picture_of(name)) for choice, image in results.items()}


def best_blur(name, noise, draw):
    image = noisy(name, noise, draw)
    return max((bilateral(image, h, 1e6) for h in WIDTHS), key=lambda blur: images.psnr(blur, picture_of(name)))


def bilateral_signal(positions, values, h_x, h_y):
    near = -(((positions[:, None] - positions) / h_x) ** 2)
    return average(softmax(near - ((values[:, None] - values) / h_y) ** 2), values)


def rms(error):
    return float(np.sqrt(np.mean(error**2)))


@pytest.mark.conclusion(
    "02:step",
    varies={"n": [60, 100, 200], "place": [0.2, 0.5], "noise": [0.02, 0.05, 0.1], "draw": range(8)},
    against="Nadaraya–Watson at its own best bandwidth, found with the clean step as the filter's two are",
)
def test_on_a_large_step_the_filter_has_two_thirds_of_the_error_at_most(n, place, noise, draw, holds):
    positions = np.arange(float(n))
    clean = (positions >= place * n) * 1.0
    signal = clean + noise * np.random.default_rng(draw).standard_normal(n)
    averages = (nadaraya_watson(positions, positions, signal, h) for h in np.arange(0.3, 12.5, 0.1))
    least = min(rms(one - clean) for one in averages)
    pairs = ((h_x, k) for h_x in (4, 6, 8, 16, 24) for k in (3, 4, 5))
    error = min(rms(bilateral_signal(positions, signal, h_x, k * noise) - clean) for h_x, k in pairs)
    holds(2 / 3 - error / least, "of its error")


@pytest.mark.conclusion(
    "02:above-noise",
    varies={"picture": PICTURES, "noise": [10, 20, 40], "draw": [0, 1]},
    against="bandwidths of values from a half to seven quarters of σ, each with its best bandwidth of positions",
)
def test_the_best_bandwidth_of_values_is_at_least_twice_the_noise(picture, noise, draw, holds):
    above = decibels(filtered(picture, noise, draw), picture)
    below = decibels(filtered(picture, noise, draw, (0.5, 1, 1.5, 1.75)), picture)
    holds(max(above.values()) - max(below.values()), "dB")


@pytest.mark.conclusion(
    "02:sure",
    varies={"picture": PICTURES, "noise": [10, 20, 40], "draw": [0, 1]},
    against="the pair of bandwidths with the highest PSNR, found with the clean picture",
)
def test_sure_is_within_a_quarter_of_a_decibel(picture, noise, draw, holds):
    image, sigma, step = noisy(picture, noise, draw), noise / 255, 1e-3
    signs = np.random.default_rng(7).choice([-1, 1], image.shape)
    risks = {}
    for (h_x, k), estimate in filtered(picture, noise, draw).items():
        follows = np.mean(signs * (bilateral(image + step * signs, h_x, k * sigma) - estimate)) / step
        risks[h_x, k] = np.mean((estimate - image) ** 2) + 2 * sigma**2 * follows
    reached = decibels(filtered(picture, noise, draw), picture)
    holds(0.25 - (max(reached.values()) - reached[min(risks, key=risks.get)]), "dB")


@pytest.mark.conclusion(
    "02:whole-step",
    varies={"picture": PICTURES, "noise": [5, 10, 20, 40], "draw": [0, 1]},
    against="the filter itself at its own best pair of bandwidths",
)
def test_the_whole_step_loses_an_eighth_of_a_decibel_at_most(picture, noise, draw, holds):
    image, found = noisy(picture, noise, draw), filtered(picture, noise, draw, (1.5, *H_Y))
    whole = {(h_x, k): image + (1 + 2 / k**2) * (estimate - image) for (h_x, k), estimate in found.items()}
    best = max(decibels(found, picture).values())
    holds(0.125 + max(decibels(whole, picture).values()) - best, "dB")


@pytest.mark.conclusion(
    "02:gain-falls",
    varies={"picture": PICTURES, "draw": [0, 1, 2]},
    against="the blur, each at its own best bandwidths and at five levels of noise, from 5/255 to 40/255",
)
def test_little_of_the_gain_over_the_blur_is_left_in_strong_noise(picture, draw, holds):
    gains = []
    for noise in (5, 10, 14, 20, 40):
        blur = decibels({"blur": best_blur(picture, noise, draw)}, picture)["blur"]
        gains.append(max(0, max(decibels(filtered(picture, noise, draw), picture).values()) - blur))
    holds(max(gains) / 3 - gains[-1], "dB")


EDGES = {
    "logistic": lambda x: 1 / (1 + np.exp(-x)),
    "normal": lambda x: 0.5 + 0.5 * np.vectorize(math.erf)(x / 2),
    "ramp": lambda x: np.clip(0.5 + x / 4, 0, 1),
}


@pytest.mark.conclusion(
    "02:fates",
    varies={
        "edge": list(EDGES),
        "edge_width": [1, 2, 4, 8],
        "h_x": [2, 4, 8],
        "h_y_in_steps": [1, 1.5, 2, 3, 4, 6],
    },
    against="the edge as it was: after at most 5,000 passes none stays between half and twice as steep",
)
def test_an_edge_becomes_a_cliff_or_flat(edge, edge_width, h_x, h_y_in_steps, holds):
    """The bandwidth of values is in largest steps between two neighbouring pixels."""
    positions = np.arange(-79.5, 80)
    values = clean = EDGES[edge](positions / edge_width)
    near, steepest = -(((positions[:, None] - positions) / h_x) ** 2), np.diff(clean).max()
    for _ in range(100):
        for _ in range(50):
            likeness = ((values[:, None] - values) / (h_y_in_steps * steepest)) ** 2
            values = average(softmax(near - likeness), values)
        times = np.diff(values).max() / steepest
        if not 0.5 < times < 2:
            break
    holds(max(times / 2 - 1, 0.5 / times - 1), "beyond the limit, as a share of it")


@pytest.mark.conclusion(
    "02:nile",
    varies={"h_x": [4, 8, 16], "h_y": [100, 150, 250, 400], "passes": [1, 5, 20], "correlation": [0, 0.2]},
    against="a guess that sees the largest step of the filtered series, with the best threshold",
)
def test_a_step_of_two_deviations_is_not_told_from_a_fall_over_five_years(h_x, h_y, passes, correlation, holds):
    years, flow = data.nile()
    early = years <= 1898
    levels = np.array([flow[~early].mean(), flow[early].mean()])
    fall = np.interp(years, [1896, 1901], levels[::-1])
    step = np.where(early, *levels[::-1])
    likeness = np.linalg.cholesky(float(correlation) ** abs(years[:, None] - years))
    noise = (flow - step).std() * np.random.default_rng(0).standard_normal((200, 100)) @ likeness.T
    near = -(((years[:, None] - years) / h_x) ** 2)

    def largest_step(values):
        for _ in range(passes):
            values = average(softmax(near - ((values[:, None] - values) / h_y) ** 2), values)
        spans = np.lib.stride_tricks.sliding_window_view(values, 10)
        return (spans[:, :5].min(axis=1) - spans[:, 5:].max(axis=1)).max()

    of_steps, of_falls = (np.array([largest_step(truth + one) for one in noise]) for truth in (step, fall))
    right = max((np.mean(of_steps > at) + np.mean(of_falls <= at)) / 2 for at in (*of_steps, -math.inf))
    holds(2 / 3 - right, "of the guesses")


@pytest.mark.conclusion(
    "02:window",
    varies={"picture": PICTURES, "noise": [0, 25, 100], "h_x": [0.8, 1.5, 2, 3, 5], "h_y": [0.05, 0.15, 0.3, 1]},
    against="the same filter with a window of four bandwidths on each side",
)
def test_the_default_window_changes_little(picture, noise, h_x, h_y, holds):
    image = noisy(picture, noise, 0)[:64, :64]
    whole = bilateral(image, h_x, h_y, radius=math.ceil(4 * h_x))
    holds(0.01 - rms(bilateral(image, h_x, h_y) - whole) / rms(image - image.mean()), "of the picture's contrast")
