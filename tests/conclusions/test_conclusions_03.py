"""Chapter 3, non-local means: how far its observations carry."""

import functools

import numpy as np
import pytest
from numpy.lib.stride_tricks import sliding_window_view

from lib import images
from lib.filters import bilateral, nonlocal_means, nonlocal_means_weights, patch_kernel, patches
from lib.images import psnr
from lib.metrics import squared_euclidean
from lib.regression import nadaraya_watson
from lib.weights import softmax

SIDE = 64
OTHERS = {  # from scikit-image, at half size: the corner of a crop of 64 × 64 pixels
    "brick": (50, 50),
    "gravel": (50, 50),
    "coins": (30, 30),
    "page": (10, 50),
    "text": (10, 30),
    "moon": (100, 100),
}
EVERY = ["photograph", "wall", "cat", *OTHERS]


@functools.cache
def clean_picture(name):
    """A greyscale crop of 64 × 64 pixels."""
    if name == "photograph":
        return images.camera()[40:104, 30:94]
    if name == "wall":
        return images.brick_wall(SIDE, SIDE)
    if name == "cat":
        return images.cat().mean(axis=-1)[30:94, 30:94]
    if name == "a step":
        return 0.25 + 0.5 * (np.indices((SIDE, SIDE))[1] >= SIDE // 2)
    if name == "fine texture":
        return np.random.default_rng(5).uniform(0.2, 0.8, (SIDE, SIDE))
    from skimage import data

    whole = getattr(data, name)() / 255
    row, column = (2 * x for x in OTHERS[name])
    piece = whole[row : row + 2 * SIDE, column : column + 2 * SIDE]
    return piece.reshape(SIDE, 2, SIDE, 2).mean(axis=(1, 3))


def with_noise(name, noise, seed, law="normal"):
    """Clean, noisy and the standard deviation; `noise` in grey levels of 255."""
    clean, sigma, rng = clean_picture(name), noise / 255, np.random.default_rng(seed)
    if law == "normal":
        return clean, images.add_noise(clean, sigma, rng=rng), sigma
    drawn = rng.laplace(scale=np.sqrt(0.5), size=clean.shape) if law == "Laplace" else rng.normal(size=clean.shape)
    if law == "correlated":
        drawn = (drawn + np.roll(drawn, 1, 0) + np.roll(drawn, 1, 1) + np.roll(drawn, (1, 1), (0, 1))) / 2
    if law == "impulses":
        return clean, np.where(rng.random(clean.shape) < 0.1, rng.integers(0, 2, clean.shape), clean), sigma
    return clean, clean + sigma * drawn * (2 * clean if law == "multiplicative" else 1), sigma


# Near the pole


@pytest.mark.conclusion(
    "03:edge",
    where="noise from a twenty-fifth to a tenth of the range, patches of 7 × 7 and 9 × 9 pixels and three "
    "bandwidths, at this pole",
    varies={"noise": [10, 25], "bandwidth": [0.5, 0.9, 1.3], "patch_radius": [3, 4], "draw": range(20)},
    control="single pixels instead of patches",
    against="the heaviest of three pixels beside the edge whose clean or noisy value is the query's own",
)
def test_the_pixel_on_the_edge_gets_more_weight(noise, bandwidth, patch_radius, draw, holds):
    """The decoys are those of the window, off the pole's edge, whose noisy values are nearest to the query's."""
    sigma, clean = noise / 255, images.camera()
    noisy = images.add_noise(clean, sigma, rng=np.random.default_rng(draw))
    window = noisy[80:101, 47:68]
    off_the_edge = np.abs(np.arange(21) - 10) >= 4
    gap = np.where(off_the_edge, np.abs(window - noisy[90, 57]), np.inf)
    decoys = np.argsort(gap.ravel())[:3]

    def lead(patch_radius):
        """How much more the pixels two and four rows above, on the edge, get than the decoys, in per cent."""
        weights = nonlocal_means_weights(noisy, (90, 57), bandwidth * sigma, patch_radius, 10, noise_std=sigma)
        return 100 * (weights[[6, 8], 10].max() - weights.ravel()[decoys].max())

    holds(lead(patch_radius), "% of the weight", control=lead(0))


# One pixel


@pytest.mark.conclusion(
    "03:one-pixel",
    tested="the keys that a single value chooses differ more from the clean value than those of a patch",
    where="nine images, noise up to a tenth of the range, two windows, with and without the floor",
    varies={
        "picture": EVERY,
        "noise": [10, 25],
        "bandwidth": [0.5, 1.0],
        "search_radius": [4, 10],
        "floor": [True, False],
        "draw": [0, 1],
    },
    against="patches of 7 × 7 pixels at the same settings",
    fails={
        "fine random texture": {
            "picture": "fine texture",
            "noise": 25,
            "bandwidth": 1.0,
            "search_radius": 10,
            "floor": True,
            "draw": 0,
        }
    },
)
def test_keys_chosen_by_value_mix_other_content(picture, noise, bandwidth, search_radius, floor, draw, holds):
    clean, noisy, sigma = with_noise(picture, noise, draw)
    rows, columns = np.indices(clean.shape).reshape(2, -1)
    asked = np.flatnonzero((rows % 5 == 1) & (columns % 5 == 1))
    ring = np.maximum(abs(rows - rows[asked, None]), abs(columns - columns[asked, None]))

    def other_content(patch_radius):
        keys = patches(noisy, patch_radius).reshape(clean.size, -1) * np.sqrt(patch_kernel(patch_radius)).ravel()
        distance = np.maximum(squared_euclidean(keys[asked], keys) - 2 * floor * sigma**2, 0)
        weights = softmax(np.where(ring <= search_radius, -distance / (bandwidth * sigma) ** 2, -np.inf))
        return np.sqrt(np.mean((weights @ clean.ravel() - clean.ravel()[asked]) ** 2)) / sigma

    holds(other_content(0) - other_content(3), "σ")


# The search window


RADII = [1, 2, 3, 4, 5, 7, 10, 16, 24, 40, 63]
BANDWIDTHS = np.array([0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.1, 1.2, 1.4, 1.7, 2, 2.5, 3.2, 4, 5, 7])


def by_search_radius(clean, noisy, sigma, patch_radius, form, floor):
    """PSNR of every fifth pixel each way, for each bandwidth and each of `RADII`; no mirrored keys."""
    side = len(clean)
    rows, columns = np.indices(clean.shape).reshape(2, -1)
    asked = np.flatnonzero((rows % 5 == 1) & (columns % 5 == 1))
    keys = patches(noisy, patch_radius).reshape(clean.size, -1) * np.sqrt(patch_kernel(patch_radius, form)).ravel()
    distance = np.maximum(squared_euclidean(keys[asked], keys) - 2 * floor * sigma**2, 0)
    ring = np.maximum(abs(rows - rows[asked, None]), abs(columns - columns[asked, None]))
    ring += side * np.arange(len(asked))[:, None]
    found = []
    for h in BANDWIDTHS * sigma:
        kernel = np.exp(-distance / h**2)
        sums = (np.bincount(ring.ravel(), x.ravel(), side * len(asked)) for x in (kernel, kernel * noisy.ravel()))
        total, weighted = (x.reshape(-1, side).cumsum(axis=1)[:, RADII] for x in sums)
        found.append(-10 * np.log10(np.mean((weighted / total - clean.ravel()[asked, None]) ** 2, axis=0)))
    return np.array(found)


@pytest.mark.conclusion(
    "03:window",
    where="photograph and wall, noise from a twenty-fifth to a tenth of the range, patches of 7 × 7 pixels",
    varies={
        "picture": ["photograph", "wall"],
        "noise": [10, 15, 25],
        "form": ["gaussian", "uniform"],
        "floor": [True, False],
        "draw": [0, 1, 2, 3],
    },
    against="every other search radius, each at its own best bandwidth",
    fails={
        "the wall in strong noise": {"picture": "wall", "noise": 50, "form": "gaussian", "floor": True, "draw": 0},
    },
)
def test_wide_search_helps_wall_and_harms_photograph(picture, noise, form, floor, draw, holds):
    """A radius of at most 7 stays within one brick; from 10 on it reaches the next ones."""
    quality = by_search_radius(*with_noise(picture, noise, draw), 3, form, floor).max(axis=0)
    narrow, wide = np.split(quality, [RADII.index(10)])
    holds(wide.max() - narrow.max() if picture == "wall" else narrow.max() - wide[-1], "dB")


@pytest.mark.conclusion(
    "03:bandwidth-of-window",
    where="nine images, noise from a fiftieth to a fifth of the range, patches of 7 × 7 pixels",
    varies={
        "picture": EVERY,
        "noise": [5, 10, 50],
        "form": ["gaussian", "uniform"],
        "floor": [True, False],
        "draw": [0, 1],
        "patch_radius": [3],
    },
    against="the whole picture with the best bandwidth of a search radius of 3",
    fails={
        "one straight step": {
            "picture": "a step",
            "noise": 25,
            "form": "gaussian",
            "floor": True,
            "draw": 0,
            "patch_radius": 3,
        },
        "the wall with patches of 3 × 3 pixels": {
            "picture": "wall",
            "noise": 25,
            "form": "gaussian",
            "floor": True,
            "draw": 0,
            "patch_radius": 1,
        },
        "the moon in very strong noise": {
            "picture": "moon",
            "noise": 100,
            "form": "gaussian",
            "floor": True,
            "draw": 0,
            "patch_radius": 3,
        },
    },
)
def test_the_whole_picture_wants_a_smaller_bandwidth(picture, noise, form, floor, draw, patch_radius, holds):
    quality = by_search_radius(*with_noise(picture, noise, draw), patch_radius, form, floor)
    of_narrow = quality[:, RADII.index(3)].argmax()
    holds(quality[:, -1].max() - quality[of_narrow, -1], "dB")


# Beside the bilateral filter


@pytest.mark.conclusion(
    "03:photograph",
    tested="it leads on photograph, wall and brick, and by less than a tenth of a decibel on gravel",
    where="noise from a fiftieth to a tenth of the range",
    varies={"picture": ["photograph", "wall", "brick", "gravel"], "noise": [5, 10, 25], "draw": [0, 1]},
    against="the bilateral filter at the best of 25 pairs of bandwidths",
    fails={"the wall in very weak noise": {"picture": "wall", "noise": 1, "draw": 0}},
)
def test_where_non_local_means_is_ahead(picture, noise, draw, holds):
    clean, noisy, sigma = with_noise(picture, noise, draw)
    of_bilateral = max(
        psnr(bilateral(noisy, h_x, h_y * sigma), clean)
        for h_x in (0.75, 1, 1.5, 2, 3)
        for h_y in (1.5, 2.5, 3.5, 5, 7)
    )
    of_means = max(
        psnr(nonlocal_means(noisy, h * sigma, p, s, noise_std=sigma), clean)
        for p in (1, 2, 3)
        for s in (1, 3, 10)
        for h in (0.7, 0.9, 1.1, 1.5, 2.2)
    )
    gain = of_means - of_bilateral
    holds(0.1 - gain if picture == "gravel" else gain, "dB")


# Alone


@pytest.mark.conclusion(
    "03:alone",
    tested="a square keeps over four fifths of its contrast above 2 h² ln N, and less than half below ½ h² ln N",
    where="squares of two to six pixels, with contrasts of one to eight σ, patches of 7 × 7 pixels, and "
    "three bandwidths; means over three draws",
    varies={"bandwidth": [0.6, 0.9, 1.3], "form": ["gaussian", "uniform"], "side": [2, 4, 6]},
    names={"side": "of several pixels", "bandwidth": "h = 0.6 to 1.3 σ"},
    against="the background around the square",
    control="the contrast alone: more than 4 σ is kept, and less than 2 σ is erased",
    fails={"a single pixel": {"bandwidth": 0.6, "form": "gaussian", "side": 1}},
)
def test_signal_decides_fate_of_lone_structure(bandwidth, form, side, holds):
    """The margin is the smaller one of 4/5 and ½, over all squares for which the rule decides."""
    sigma, square, n_rivals = 0.05, np.s_[14 : 14 + side, 14 : 14 + side], 21**2 - 1
    inside = np.pad(np.ones((side, side)), 6)
    covered = sliding_window_view(inside, (7, 7))[3 : 3 + side, 3 : 3 + side]
    signal = np.mean((covered * patch_kernel(3, form)).sum(axis=(2, 3)))
    margins, by_height = [], []
    for height in (1, 2, 3, 4, 6, 8):
        clean = np.full((28 + side, 28 + side), 0.15)
        clean[square] += height * sigma
        kept = []
        for draw in range(3):
            noisy = images.add_noise(clean, sigma, rng=np.random.default_rng(draw))
            estimate = nonlocal_means(noisy, bandwidth * sigma, 3, 10, form, sigma)
            kept.append(np.mean(estimate[square] - 0.15) / (height * sigma))
        ratio = float(signal * height**2 / (bandwidth**2 * np.log(n_rivals)))
        for found, strong, faint in ((margins, ratio > 2, ratio < 0.5), (by_height, height > 4, height < 2)):
            found += [np.mean(kept) - 0.8] * strong + [0.5 - np.mean(kept)] * faint
    holds(min(margins), "of the height", control=min(by_height))


# Without the clean picture


@pytest.mark.conclusion(
    "03:blind",
    where="nine images, independent normal noise of known σ, from a fiftieth to a fifth of the range",
    varies={
        "picture": EVERY,
        "noise": [5, 25, 50],
        "search_radius": [4, 8],
        "draw": [0, 1],
        "law": ["normal"],
    },
    against="the bandwidth that is best for the clean picture, at most 0.25 dB ahead",
    fails={
        f"{law} noise": {"picture": picture, "noise": 25, "search_radius": 8, "draw": 0, "law": law}
        for law, picture in {
            "Laplace": "text",
            "correlated": "text",
            "multiplicative": "wall",
            "impulses": "photograph",
        }.items()
    },
)
def test_steins_estimate_chooses_a_bandwidth(picture, noise, search_radius, draw, law, holds):
    clean, noisy, sigma = with_noise(picture, noise, draw, law)
    push, tiny = np.random.default_rng(10).choice([-1, 1], noisy.shape), sigma / 100
    estimated, true = [], []
    for h in (0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.2, 1.5, 2):

        def denoise(y, h=h):
            return nonlocal_means(y, h * sigma, 3, search_radius, noise_std=sigma)

        estimate = denoise(noisy)
        own_share = np.mean(push * (denoise(noisy + tiny * push) - estimate)) / tiny
        estimated.append(np.mean((estimate - noisy) ** 2) + 2 * sigma**2 * own_share)
        true.append(psnr(estimate, clean))
    holds(0.25 - (max(true) - true[int(np.argmin(estimated))]), "dB")


# Further sections


@pytest.mark.conclusion(
    "03:content",
    where="nine images, noise from a twenty-fifth to a fifth of the range, bandwidths from 0.6 σ on",
    varies={"picture": EVERY, "noise": [10, 50], "bandwidth": [0.6, 1.4], "floor": [True, False], "draw": [0, 1]},
    against="a search radius of 4 at the same settings",
)
def test_wider_search_trades_noise_for_other_content(picture, noise, bandwidth, floor, draw, holds):
    clean, noisy, sigma = with_noise(picture, noise, draw)
    rows, columns = np.indices(clean.shape).reshape(2, -1)
    asked = np.flatnonzero((rows % 4 == 1) & (columns % 4 == 1))
    keys = patches(noisy, 3).reshape(clean.size, -1) * np.sqrt(patch_kernel(3)).ravel()
    distance = np.maximum(squared_euclidean(keys[asked], keys) - 2 * floor * sigma**2, 0)
    ring = np.maximum(abs(rows - rows[asked, None]), abs(columns - columns[asked, None]))
    parts = []
    for radius in (4, 16, 63):
        weights = softmax(np.where(ring <= radius, -distance / (bandwidth * sigma) ** 2, -np.inf))
        content = weights @ clean.ravel() - clean.ravel()[asked]
        parts.append((np.mean((weights @ (noisy - clean).ravel()) ** 2), -np.mean(content**2)))
    narrow, middle, wide = np.array(parts) / sigma**2
    assert np.all(narrow > middle)
    holds(min(narrow - wide), "σ²")


@pytest.mark.conclusion(
    "03:beats",
    where="three to twenty beats of three periods in noise of up to a tenth",
    varies={"noise": [0.05, 0.1], "period": [30, 40, 55], "n_beats": [3, 5, 10, 20], "draw": [0, 1]},
    against="keys of time and value, at the best of 30 pairs of bandwidths",
)
def test_surroundings_find_the_other_beats(noise, period, n_beats, draw, holds):
    phase = np.arange(period * n_beats) % period / period
    beat = sum(
        a * np.exp(-(((phase - m) / w) ** 2))
        for a, m, w in ((1, 0.3, 0.04), (-0.35, 0.4, 0.04), (0.25, 0.65, 0.08))
    )
    signal = beat + noise * np.random.default_rng(draw).standard_normal(len(beat))
    time = np.arange(len(beat))
    around = sliding_window_view(np.pad(signal, 12, mode="reflect"), 25) / 5

    def error(keys):
        return np.sqrt(np.mean((nadaraya_watson(keys, keys, signal, 1.0) - beat) ** 2))

    by_value = min(
        error(np.column_stack([time / h_x, signal / (k * noise)]))
        for h_x in (0.5, 1, 2, 3, 5)
        for k in (1, 2, 4, 6, 8, 12)
    )
    by_surroundings = min(error(around / (k * noise)) for k in (0.5, 0.6, 0.8, 1, 1.2, 1.4, 1.7))
    holds((by_value - by_surroundings) / noise, "σ")


def patchwise(image, h, radius, search_radius, noise_std):
    """Average whole patches, the central one with the weight of its best match, then overlapping estimates."""
    (height, width), side = image.shape, 2 * radius + 1
    views = sliding_window_view(np.pad(image, search_radius + radius, mode="reflect"), image.shape)
    mine = views[search_radius : search_radius + side, search_radius : search_radius + side]
    total, weight, largest = np.zeros(mine.shape), 0, np.finfo(float).tiny
    for down, right in np.ndindex(2 * search_radius + 1, 2 * search_radius + 1):
        if (down, right) != (search_radius, search_radius):
            theirs = views[down : down + side, right : right + side]
            distance = ((theirs - mine) ** 2).mean(axis=(0, 1))
            w = np.exp(-np.maximum(distance - 2 * noise_std**2, 0) / h**2)
            total += w * theirs
            weight, largest = weight + w, np.maximum(largest, w)
    estimates = (total + largest * mine) / (weight + largest)
    summed, count = np.zeros((2, height + 2 * radius, width + 2 * radius))
    for row, column in np.ndindex(side, side):
        summed[row : row + height, column : column + width] += estimates[row, column]
        count[row : row + height, column : column + width] += 1
    return (summed / count)[radius:-radius, radius:-radius]


@pytest.mark.conclusion(
    "03:patchwise",
    tested="whole patches gain from noise of a tenth to a sixth of the range, and lose at a twenty-fifth",
    where="patches of 5 × 5 pixels and two windows",
    varies={
        "picture": ["photograph", "wall"],
        "noise": [10, 25, 40],
        "search_radius": [5, 10],
        "draw": [0, 1],
        "patch_radius": [2],
    },
    against="the centres alone, with Gaussian and uniform patches and the same window",
    fails={
        "patches of 7 × 7 pixels on the wall": {
            "picture": "wall",
            "noise": 25,
            "search_radius": 10,
            "draw": 0,
            "patch_radius": 3,
        }
    },
)
def test_whole_patches_gain_in_noise(picture, noise, search_radius, draw, patch_radius, holds):
    clean, noisy, sigma = with_noise(picture, noise, draw)
    middles = max(
        psnr(nonlocal_means(noisy, h * sigma, patch_radius, search_radius, form, sigma), clean)
        for form in ("gaussian", "uniform")
        for h in (0.4, 0.6, 0.7, 0.8, 0.9, 1, 1.2, 1.5, 2)
    )
    whole = max(
        psnr(patchwise(noisy, h * sigma, patch_radius, search_radius, sigma), clean)
        for h in (0.4, 0.6, 0.8, 1.1, 1.5)
    )
    holds(middles - whole if noise == 10 else whole - middles, "dB")


@pytest.mark.conclusion(
    "03:small-window",
    tested="in a window of radius 1, 2 or 3 a range-only filter beats the blur",
    where="photograph, wall and coins, noise of a twenty-fifth and a tenth of the range",
    varies={"picture": ["photograph", "wall", "coins"], "noise": [10, 25], "draw": [0, 1, 2]},
    against="the Gaussian blur at its own best bandwidth",
    fails={
        "the wall in strong noise": {"picture": "wall", "noise": 50, "draw": 0},
        "fur": {"picture": "cat", "noise": 25, "draw": 0},
    },
)
def test_range_kernel_beats_blur_in_small_window(picture, noise, draw, holds):
    clean, noisy, sigma = with_noise(picture, noise, draw)
    blur = max(psnr(bilateral(noisy, h, 1e6), clean) for h in (0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.1, 1.2, 1.4, 1.6))
    range_only = max(
        psnr(nonlocal_means(noisy, h * sigma, 0, radius, noise_std=sigma), clean)
        for radius in (1, 2, 3)
        for h in (1, 1.3, 1.6, 2, 2.5, 3, 4, 5)
    )
    holds(range_only - blur, "dB")
