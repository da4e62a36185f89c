"""Chapter 2, the bilateral filter: how far its observations carry."""

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
    if name == "black and white":
        return (picture_of("text") > 0.5) * 1.0
    return getattr(pytest.importorskip("skimage.data"), name)()[20:148, 20:148] / 255


def noisy(name, noise, draw, law="normal"):
    """The picture with noise of this standard deviation in 255ths, independent unless its law is "correlated"."""
    clean, sigma, rng = picture_of(name), noise / 255, np.random.default_rng(draw)
    if law == "normal":
        return images.add_noise(clean, sigma, rng=rng)
    if law == "impulses":
        return np.where(rng.random(clean.shape) < 0.1, rng.integers(0, 2, clean.shape), clean)
    drawn = rng.normal(size=clean.shape)
    alike = drawn + np.roll(drawn, 1, axis=0) + np.roll(drawn, 1, axis=1) + np.roll(drawn, (1, 1), axis=(0, 1))
    return clean + sigma * alike / 2


@functools.lru_cache(maxsize=4)
def filtered(name, noise, draw, multiples=H_Y, law="normal"):
    """The filter at each pair of bandwidths, (h_x, h_y in σ): the image."""
    image = noisy(name, noise, draw, law)
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
    tested="the filter has at most two thirds of the error",
    where="a step of ten to fifty times the noise in 60 to 200 values",
    varies={"n": [60, 100, 200], "place": [0.2, 0.5], "noise": [0.02, 0.05, 0.1], "draw": range(8)},
    against="Nadaraya–Watson at its own best bandwidth, found with the clean step as the filter's two are",
    fails={"a step of three times the noise": {"n": 100, "place": 0.5, "noise": 0.33, "draw": 0}},
)
def test_bilateral_filter_reduces_error_at_large_step(n, place, noise, draw, holds):
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
    tested="the best range bandwidth is above 1.75 σ",
    where="ten images, and noise from a twenty-fifth to a sixth of the range",
    varies={"picture": PICTURES, "noise": [10, 20, 40], "draw": [0, 1]},
    against="bandwidths of values from a half to seven quarters of σ, each with its best bandwidth of positions",
)
def test_best_range_bandwidth_is_above_twice_noise(picture, noise, draw, holds):
    above = decibels(filtered(picture, noise, draw), picture)
    below = decibels(filtered(picture, noise, draw, (0.5, 1, 1.5, 1.75)), picture)
    holds(max(above.values()) - max(below.values()), "dB")


@pytest.mark.conclusion(
    "02:sure",
    tested="it loses at most a quarter of a decibel",
    where="ten images of 128 × 128 pixels, independent normal noise of known σ, from a "
    "twenty-fifth to a sixth of the range",
    varies={"picture": PICTURES, "noise": [10, 20, 40], "draw": [0, 1], "law": ["normal"]},
    against="the pair of bandwidths with the highest PSNR, found with the clean picture",
    fails={
        "impulses": {"picture": "photo", "noise": 20, "draw": 0, "law": "impulses"},
        "correlated noise": {"picture": "photo", "noise": 20, "draw": 0, "law": "correlated"},
    },
)
def test_sure_is_within_a_quarter_of_a_decibel(picture, noise, draw, law, holds):
    image, sigma, step = noisy(picture, noise, draw, law), noise / 255, 1e-3
    signs = np.random.default_rng(7).choice([-1, 1], image.shape)
    risks = {}
    for (h_x, k), estimate in filtered(picture, noise, draw, law=law).items():
        follows = np.mean(signs * (bilateral(image + step * signs, h_x, k * sigma) - estimate)) / step
        risks[h_x, k] = np.mean((estimate - image) ** 2) + 2 * sigma**2 * follows
    reached = decibels(filtered(picture, noise, draw, law=law), picture)
    holds(0.25 - (max(reached.values()) - reached[min(risks, key=risks.get)]), "dB")


@pytest.mark.conclusion(
    "02:whole-step",
    tested="the whole step loses at most an eighth of a decibel",
    where="ten images, and noise from a fiftieth to a sixth of the range",
    varies={"picture": PICTURES, "noise": [5, 10, 20, 40], "draw": [0, 1]},
    against="the filter itself at its own best pair of bandwidths",
)
def test_whole_step_loses_little(picture, noise, draw, holds):
    image, found = noisy(picture, noise, draw), filtered(picture, noise, draw, (1.5, *H_Y))
    whole = {(h_x, k): image + (1 + 2 / k**2) * (estimate - image) for (h_x, k), estimate in found.items()}
    best = max(decibels(found, picture).values())
    holds(0.125 + max(decibels(whole, picture).values()) - best, "dB")


@pytest.mark.conclusion(
    "02:gain-falls",
    tested="with noise of a sixth of the range less than a third of the largest gain over the blur is left",
    where="ten images",
    varies={"picture": PICTURES, "draw": [0, 1, 2]},
    against="the blur, each at its own best bandwidths and at five levels of noise, from 5/255 to 40/255",
    fails={"letters in black and white": {"picture": "black and white", "draw": 0}},
)
def test_gain_over_blur_vanishes_in_strong_noise(picture, draw, holds):
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
    tested="after at most 5,000 passes the edge is more than twice or less than half as steep",
    where="edges of three shapes and one to eight pixels, and range bandwidths of one to six steps between "
    "neighbouring pixels",
    varies={
        "edge": list(EDGES),
        "edge_width": [1, 2, 4, 8],
        "h_x": [2, 4, 8],
        "h_y_in_steps": [1, 1.5, 2, 3, 4, 6],
    },
    against="the edge as it was",
    fails={
        "a range bandwidth below the steps between pixels": {
            "edge": "logistic",
            "edge_width": 8,
            "h_x": 4,
            "h_y_in_steps": 0.3,
        }
    },
)
def test_an_edge_becomes_a_cliff_or_flat(edge, edge_width, h_x, h_y_in_steps, holds):
    """The range bandwidth is in units of the largest difference between neighbouring pixels."""
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
    tested="fewer than two thirds of the guesses are right",
    where="a step of two standard deviations against a fall "
    "over five years, with one, five or twenty passes and several bandwidths",
    varies={
        "h_x": [4, 8, 16],
        "h_y": [100, 150, 250, 400],
        "passes": [1, 5, 20],
        "correlation": [0, 0.2],
        "times": [1],
    },
    against="a guess that sees the largest step of the filtered series, with the best threshold",
    fails={
        "a fall four times as large": {"h_x": 8, "h_y": 150, "passes": 5, "correlation": 0, "times": 4},
    },
)
def test_step_of_two_deviations_resembles_slope(h_x, h_y, passes, correlation, times, holds):
    years, flow = data.nile()
    early = years <= 1898
    low, high = flow[~early].mean(), flow[early].mean()
    levels = np.array([low, low + times * (high - low)])
    fall = np.interp(years, [1896, 1901], levels[::-1])
    step = np.where(early, *levels[::-1])
    likeness = np.linalg.cholesky(float(correlation) ** abs(years[:, None] - years))
    noise = (
        (flow - np.where(early, high, low)).std()
        * np.random.default_rng(0).standard_normal((200, 100))
        @ likeness.T
    )
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
    tested="cutting the sum changes less than a hundredth of the contrast of the image",
    where="ten images, with and without noise, and bandwidths from narrow to wide",
    varies={"picture": PICTURES, "noise": [0, 25, 100], "h_x": [0.8, 1.5, 2, 3, 5], "h_y": [0.05, 0.15, 0.3, 1]},
    against="the same filter with a window of four bandwidths on each side",
)
def test_the_default_window_changes_little(picture, noise, h_x, h_y, holds):
    image = noisy(picture, noise, 0)[:64, :64]
    whole = bilateral(image, h_x, h_y, radius=math.ceil(4 * h_x))
    holds(0.01 - rms(bilateral(image, h_x, h_y) - whole) / rms(image - image.mean()), "of the picture's contrast")


def box_mean(image, radius):
    """The mean of the square window around each pixel, by running sums."""
    side = 2 * radius + 1
    sums = np.pad(np.pad(image, radius, mode="reflect").cumsum(0).cumsum(1), ((1, 0), (1, 0)))
    return (sums[side:, side:] - sums[:-side, side:] - sums[side:, :-side] + sums[:-side, :-side]) / side**2


def guided(image, radius, epsilon):
    """The guided filter of an image by itself, He, Sun & Tang (2013)."""
    mean = box_mean(image, radius)
    variance = box_mean(image**2, radius) - mean**2
    a = variance / (variance + epsilon)
    return box_mean(a, radius) * image + box_mean((1 - a) * mean, radius)


@pytest.mark.conclusion(
    "02:guided",
    tested="it is at most a decibel behind",
    where="ten images with noise of a tenth of the range",
    varies={"picture": PICTURES, "noise": [25], "draw": [0, 1]},
    against="the bilateral filter at its own best pair of bandwidths",
    fails={
        "the wall in weaker noise": {"picture": "wall", "noise": 20, "draw": 0},
        "bricks in stronger noise": {"picture": "brick", "noise": 40, "draw": 0},
    },
)
def test_guided_filter_is_within_a_decibel(picture, noise, draw, holds):
    image, sigma = noisy(picture, noise, draw), noise / 255
    pairs = ((radius, k * sigma**2) for radius in (1, 2, 3, 4) for k in (0.5, 1, 2, 3, 5, 8))
    reached = max(images.psnr(guided(image, *pair), picture_of(picture)) for pair in pairs)
    holds(1 + reached - max(decibels(filtered(picture, noise, draw), picture).values()), "dB")
