"""Chapter 2, the bilateral filter: how far its observations carry."""

import functools
import math

import numpy as np
import pytest

from lib import data, images
from lib.filters import bilateral
from lib.regression import nadaraya_watson
from lib.weights import average, softmax

DRAWS = range(20)
H_X, H_Y = (1, 1.5, 2, 3), (2.5, 3, 3.5, 4, 5, 7)  # in pixels, and in standard deviations of the noise
WIDTHS = (0.6, 0.8, 0.9, 1, 1.1, 1.25, 1.4, 1.6, 2, 2.5, 3)  # of the blur


@functools.cache
def picture_of(name):
    """A picture of the course, or a part of one of scikit-image's, (128, 128) in [0, 1]."""
    if name in ("photo", "wall", "cat"):
        return {"photo": images.camera, "wall": images.brick_wall, "cat": lambda: images.cat().mean(axis=2)}[
            name
        ]()
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


def filtered(image, noise, multiples=H_Y):
    """The filter at each pair of bandwidths, (h_x, h_y in σ): the image."""
    return {(h_x, k): bilateral(image, h_x, k * noise / 255) for h_x in H_X for k in multiples}


def decibels(results, name):
    return {choice: images.psnr(image, picture_of(name)) for choice, image in results.items()}


def highest(results, name):
    return max(decibels(results, name).values())


def bilateral_signal(positions, values, h_x, h_y):
    near = -(((positions[:, None] - positions) / h_x) ** 2)
    return average(softmax(near - ((values[:, None] - values) / h_y) ** 2), values)


def rms(error):
    return float(np.sqrt(np.mean(error**2)))


@pytest.mark.conclusion(
    "02:step",
    tested="the filter has at most {limit} of the error",
    where="a step of ten and of fifty times the noise in 60 to 200 values",
    varies={"n": [60, 200], "place": [0.2, 0.5], "noise": [0.02, 0.1], "draw": DRAWS},
    names={"noise": "a step of ten times the noise"},
    against="Nadaraya–Watson at its own best bandwidth, found with the clean step as the filter's two are",
    control="a range bandwidth as large as the step",
    fails={"a step of three times the noise": {"n": 100, "place": 0.5, "noise": 0.33, "draw": 0}},
)
def test_bilateral_filter_halves_error_at_large_step(n, place, noise, draw, holds):
    positions = np.arange(float(n))
    clean = (positions >= place * n) * 1.0
    signal = clean + noise * np.random.default_rng(draw).standard_normal(n)
    averages = (nadaraya_watson(positions, positions, signal, h) for h in np.arange(0.3, 12.5, 0.1))
    least = min(rms(one - clean) for one in averages)

    def error(range_bandwidths):
        pairs = ((h_x, h_y) for h_x in (4, 6, 8, 16, 24) for h_y in range_bandwidths)
        return min(rms(bilateral_signal(positions, signal, *pair) - clean) for pair in pairs) / least

    holds(error(noise * np.array([3, 4, 5])), "of its error", below=0.5, control=error([1]))


@pytest.mark.conclusion(
    "02:above-noise",
    tested="the best range bandwidth is above 1.75 σ",
    where="photograph, wall and cat, and noise of a twenty-fifth and a tenth of the range",
    varies={"picture": ["photo", "wall", "cat"], "noise": [10, 25], "draw": DRAWS},
    names={"picture": "on our images"},
    against="range bandwidths from one to seven quarters of σ, each with its best spatial bandwidth",
    control="six times the noise in place of twice",
)
def test_best_range_bandwidth_is_above_twice_noise(picture, noise, draw, holds):
    image = noisy(picture, noise, draw)
    below, between, above = (
        highest(filtered(image, noise, multiples), picture) for multiples in ((1, 1.75), (2.5, 4), (6, 8))
    )
    holds(max(between, above) - below, "dB", control=above - max(below, between))


@pytest.mark.conclusion(
    "02:sure",
    tested="it loses less than {limit} dB",
    where="24 pairs of bandwidths",
    varies={"picture": ["photo"], "noise": [25], "draw": DRAWS, "law": ["normal"]},
    names={"picture": "on the photograph", "noise": "σ = 25/255", "law": "independent normal noise"},
    against="the pair of bandwidths with the highest PSNR, found with the clean image",
    control="the squared method noise alone, without the share of its own noise that a pixel keeps",
    fails={
        "impulses": {"picture": "photo", "noise": 25, "draw": 0, "law": "impulses"},
        "correlated noise": {"picture": "photo", "noise": 25, "draw": 0, "law": "correlated"},
    },
)
def test_sure_loses_little_on_photograph(picture, noise, draw, law, holds):
    image, sigma, step = noisy(picture, noise, draw, law), noise / 255, 1e-3
    signs, found = np.random.default_rng(7).choice([-1, 1], image.shape), filtered(image, noise)
    method_noise = {pair: np.mean((estimate - image) ** 2) for pair, estimate in found.items()}
    risks = {}
    for pair, pushed in filtered(image + step * signs, noise).items():
        risks[pair] = method_noise[pair] + 2 * sigma**2 * np.mean(signs * (pushed - found[pair])) / step
    reached = decibels(found, picture)
    losses = [max(reached.values()) - reached[min(each, key=each.get)] for each in (risks, method_noise)]
    holds(losses[0], "dB", below=0.15, control=losses[1])


@pytest.mark.conclusion(
    "02:whole-step",
    tested="the whole step gains more than {limit} dB",
    where="the whole images",
    varies={"picture": ["photo", "wall"], "noise": [25], "draw": DRAWS},
    names={"picture": "on photograph and wall", "noise": "at σ = 25/255"},
    against="the filter itself at its own best pair of bandwidths",
    control="three times the filter's step, whatever its bandwidth",
    fails={"fur": {"picture": "cat", "noise": 25, "draw": 0}},
)
def test_whole_gradient_step_gains_over_the_filter(picture, noise, draw, holds):
    image = noisy(picture, noise, draw)
    found = filtered(image, noise)
    whole = {(h_x, k): image + (1 + 2 / k**2) * (estimate - image) for (h_x, k), estimate in found.items()}
    thrice = {pair: 3 * estimate - 2 * image for pair, estimate in found.items()}
    of_filter, *of_steps = (highest(each, picture) for each in (found, whole, thrice))
    holds(of_steps[0] - of_filter, "dB", above=0.3, control=of_steps[1] - of_filter)


@pytest.mark.conclusion(
    "02:gain-falls",
    tested="it gains at least 0.7 dB on photograph and wall, and at most 0.2 dB on fur",
    where="the whole images",
    varies={"picture": ["photo", "wall", "cat"], "noise": [25], "draw": DRAWS},
    names={"picture": "on photograph and wall", "noise": "At σ = 25/255"},
    against="the blur, each at its own best bandwidths",
    control="the filter with a range bandwidth of σ",
    fails={
        "strong noise": {"picture": "photo", "noise": 100, "draw": 0},
        "gravel": {"picture": "gravel", "noise": 25, "draw": 0},
    },
)
def test_filter_gains_on_photograph_and_wall(picture, noise, draw, holds):
    image = noisy(picture, noise, draw)
    blur = highest({h: bilateral(image, h, 1e6) for h in WIDTHS}, picture)
    gains = [highest(filtered(image, noise, multiples), picture) - blur for multiples in (H_Y, (1,))]
    beyond = [0.2 - gain if picture == "cat" else gain - 0.7 for gain in gains]
    holds(beyond[0], "dB", control=beyond[1])


EDGES = {
    "logistic": lambda x: 1 / (1 + np.exp(-x)),
    "normal": lambda x: 0.5 + 0.5 * np.vectorize(math.erf)(x / 2),
    "ramp": lambda x: np.clip(0.5 + x / 4, 0, 1),
}


@pytest.mark.conclusion(
    "02:fates",
    tested="with one range bandwidth of twelve the edge is more than twice as steep as it was, and with 1.5 times "
    "this bandwidth less than half as steep",
    where="edges of three shapes, one to eight pixels wide, and spatial bandwidths from four to twelve pixels",
    varies={"edge": list(EDGES), "edge_width": [2, 4, 8], "h_x": [4, 8, 12], "passes": [100]},
    names={"passes": "A hundred passes"},
    against="the edge as it was",
    control="a single pass",
    fails={"three passes": {"edge": "logistic", "edge_width": 8, "h_x": 12, "passes": 3}},
)
def test_repeated_filter_steepens_or_flattens_an_edge(edge, edge_width, h_x, passes, holds):
    """The range bandwidths are in units of the largest difference between neighbouring pixels."""
    positions = np.arange(-79.5, 80)
    clean = EDGES[edge](positions / edge_width)
    near, steepest = -(((positions[:, None] - positions) / h_x) ** 2), np.diff(clean).max()

    def growth(n_passes, h_y_in_steps):
        values = clean
        for _ in range(n_passes):
            values = average(softmax(near - ((values[:, None] - values) / (h_y_in_steps * steepest)) ** 2), values)
        return np.diff(values).max() / steepest

    def margin(n_passes):
        times = [growth(n_passes, 1.5 ** (i / 2)) for i in range(14)]
        return max(min(a / 2 - 1, 0.5 / b - 1) for a, b in zip(times[:-2], times[2:], strict=True))

    holds(margin(passes), "beyond the limits, as a share of them", control=margin(1))


@pytest.mark.conclusion(
    "02:nile",
    tested="fewer than {limit} of the guesses are right",
    where="a step of two standard deviations against a fall over five years, and twelve pairs of bandwidths",
    varies={
        "h_x": [4, 8, 16],
        "h_y": [100, 150, 250, 400],
        "passes": [5],
        "correlation": [0, 0.2],
        "times": [1],
    },
    names={"passes": "Five passes", "times": "of the same size"},
    against="a guess that sees the largest step of the filtered series, with the best threshold",
    control="a fall four times as large",
    fails={
        "a fall four times as large": {"h_x": 8, "h_y": 150, "passes": 5, "correlation": 0, "times": 4},
    },
)
def test_step_of_two_deviations_resembles_slope(h_x, h_y, passes, correlation, times, holds):
    years, flow = data.nile()
    early = years <= 1898
    low, high = flow[~early].mean(), flow[early].mean()
    likeness = np.linalg.cholesky(float(correlation) ** abs(years[:, None] - years))
    scatter = (flow - np.where(early, high, low)).std()
    noise = scatter * np.random.default_rng(0).standard_normal((200, 100)) @ likeness.T
    near = -(((years[:, None] - years) / h_x) ** 2)

    def largest_step(values):
        for _ in range(passes):
            values = average(softmax(near - ((values[:, None] - values) / h_y) ** 2), values)
        spans = np.lib.stride_tricks.sliding_window_view(values, 10)
        return (spans[:, :5].min(axis=1) - spans[:, 5:].max(axis=1)).max()

    def right(times):
        levels = low + times * (high - low), low
        truths = np.where(early, *levels), np.interp(years, [1896, 1901], levels)
        of_steps, of_falls = (np.array([largest_step(truth + one) for one in noise]) for truth in truths)
        return max((np.mean(of_steps > at) + np.mean(of_falls <= at)) / 2 for at in (*of_steps, -math.inf))

    holds(right(times), "of the guesses", below=0.66, control=right(4))


@pytest.mark.conclusion(
    "02:window",
    tested="the change is below {limit} of the noise (root mean squares)",
    where="a piece of 64 × 64 pixels, noise from a twenty-fifth to two fifths of the range, and sixteen pairs of "
    "bandwidths",
    varies={"noise": [10, 25, 100], "h_x": [0.8, 1.5, 3, 6], "h_y": [0.1, 0.15, 0.3, 1], "default": [True]},
    names={"default": "For the default window"},
    against="the same filter with a window of four bandwidths on each side",
    control="a window of half the radius",
    fails={"half the radius": {"noise": 25, "h_x": 3, "h_y": 0.3, "default": False}},
)
def test_the_default_window_changes_little(noise, h_x, h_y, default, holds):
    image = noisy("photo", noise, 0)[32:96, 32:96]
    whole = bilateral(image, h_x, h_y, radius=math.ceil(4 * h_x))
    radii = math.ceil(2.2 * h_x), math.ceil(2.2 * h_x) // 2
    changes = [255 / noise * rms(bilateral(image, h_x, h_y, radius) - whole) for radius in radii]
    holds(changes[0 if default else 1], "of the noise", below=0.005, control=changes[1])


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
    tested="it is at most {limit} dB behind",
    where="the whole images",
    varies={"picture": ["photo", "wall", "cat"], "noise": [25], "draw": DRAWS},
    names={"picture": "on photograph, wall and fur", "noise": "at σ = 25/255"},
    against="the bilateral filter at its own best pair of bandwidths",
    control="the mean of the same windows",
    fails={"the wall in weaker noise": {"picture": "wall", "noise": 20, "draw": 0}},
)
def test_guided_filter_is_within_a_decibel(picture, noise, draw, holds):
    image, sigma = noisy(picture, noise, draw), noise / 255
    pairs = ((radius, k * sigma**2) for radius in (1, 2, 3, 4) for k in (0.5, 1, 2, 3, 5, 8))
    of_guided = highest({pair: guided(image, *pair) for pair in pairs}, picture)
    of_means = highest({radius: box_mean(image, radius) for radius in (1, 2, 3, 4)}, picture)
    of_bilateral = highest(filtered(image, noise), picture)
    holds(of_bilateral - of_guided, "dB", below=1, control=of_bilateral - of_means)
