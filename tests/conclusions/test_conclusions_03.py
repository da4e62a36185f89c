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
DRAWS = range(20)
OTHERS = {  # from scikit-image, at half size: the corner of a crop of 64 × 64 pixels
    "brick": (50, 50),
    "gravel": (50, 50),
    "coins": (30, 30),
    "text": (10, 30),
}


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
    if name == "stripes":
        return 0.3 + 0.4 * (np.indices((SIDE, SIDE))[0] // 4 % 2)
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


def asked_pixels(step, side=SIDE):
    """Every so many pixels in both directions, and their distances from all pixels, the larger of both ways."""
    rows, columns = np.indices((side, side)).reshape(2, -1)
    asked = np.flatnonzero((rows % step == 1) & (columns % step == 1))
    return asked, np.maximum(abs(rows - rows[asked, None]), abs(columns - columns[asked, None]))


def patch_distances(image, asked, patch_radius, form="gaussian", floor=0.0):
    """From each pixel that is asked to all others, less the floor; no mirrored keys."""
    keys = patches(image, patch_radius).reshape(image.size, -1) * np.sqrt(patch_kernel(patch_radius, form)).ravel()
    return np.maximum(squared_euclidean(keys[asked], keys) - floor, 0)


# Near the pole

POLE, WINDOW = (90, 57), np.s_[80:101, 47:68]


@pytest.mark.conclusion(
    "03:edge",
    where="noise of a twenty-fifth and a tenth of the range, patches of 7 × 7 and 9 × 9 pixels, three bandwidths",
    varies={"noise": [10, 25], "bandwidth": [0.5, 0.9, 1.3], "patch_radius": [3, 4], "draw": DRAWS},
    names={"patch_radius": "7 × 7"},
    control="single pixels instead of patches",
    against="the three pixels off the edge whose noisy values are nearest to the query's",
    fails={"patches of 3 × 3 pixels": {"noise": 25, "bandwidth": 0.9, "patch_radius": 1, "draw": 1}},
)
def test_pixel_on_the_edge_gets_more_weight(noise, bandwidth, patch_radius, draw, holds):
    sigma = noise / 255
    noisy = images.add_noise(images.camera(), sigma, rng=np.random.default_rng(draw))
    off_the_edge = np.abs(np.arange(21) - 10) >= 4
    gap = np.where(off_the_edge, np.abs(noisy[WINDOW] - noisy[POLE]), np.inf)
    decoys = np.argsort(gap.ravel())[:3]

    def lead(patch_radius):
        """How much more the pixels two and four rows above, on the edge, get than the decoys, in per cent."""
        weights = nonlocal_means_weights(noisy, POLE, bandwidth * sigma, patch_radius, 10, noise_std=sigma)
        return 100 * (weights[[6, 8], 10].max() - weights.ravel()[decoys].max())

    holds(lead(patch_radius), "% of the weight", control=lead(0))


@pytest.mark.conclusion(
    "03:one-pixel",
    tested="over forty draws of the noise, the distance of the estimate from the noisy value is below {limit} "
    "times its distance from the clean value (root mean squares)",
    where="noise of a twenty-fifth to a fifth of the range, three bandwidths and two windows",
    varies={"noise": [10, 25, 50], "bandwidth": [0.5, 0.9, 1.3], "search_radius": [4, 10]},
    names={"bandwidth": "at usual bandwidths"},
    control="only the keys whose clean values are within 0.03 of the query's",
    against="the clean value of the same pixel",
    fails={"twice the usual bandwidth": {"noise": 50, "bandwidth": 2, "search_radius": 10}},
)
def test_one_pixel_patch_returns_noisy_value(noise, bandwidth, search_radius, holds):
    clean, sigma, s = images.camera(), noise / 255, search_radius
    window = np.s_[POLE[0] - s : POLE[0] + s + 1, POLE[1] - s : POLE[1] + s + 1]
    same_content = np.abs(clean[window] - clean[POLE]) < 0.03

    def ratio(is_key):
        from_noisy, from_clean = [], []
        for draw in range(40):
            noisy = images.add_noise(clean, sigma, rng=np.random.default_rng(draw))
            weights = is_key * nonlocal_means_weights(noisy, POLE, bandwidth * sigma, 0, s, noise_std=sigma)
            estimate = np.average(noisy[window], weights=weights)
            from_noisy += [(estimate - noisy[POLE]) ** 2]
            from_clean += [(estimate - clean[POLE]) ** 2]
        return np.sqrt(np.mean(from_noisy) / np.mean(from_clean))

    holds(ratio(True), "times the distance from the clean value", below=0.5, control=ratio(same_content))


# The search window

RADII = [1, 2, 3, 4, 5, 7, 10, 16, 24, 40, 63]
BANDWIDTHS = np.array([0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.2, 1.5, 2, 3, 5])


def by_search_radius(clean, noisy, sigma, patch_radius, form):
    """PSNR of every fifth pixel each way, for each bandwidth and each of `RADII`."""
    asked, ring = asked_pixels(5)
    distance = patch_distances(noisy, asked, patch_radius, form, 2 * sigma**2)
    ring = (ring + SIDE * np.arange(len(asked))[:, None]).ravel()
    found = []
    for h in BANDWIDTHS * sigma:
        kernel = np.exp(-distance / h**2)
        sums = (np.bincount(ring, x.ravel(), SIDE * len(asked)) for x in (kernel, kernel * noisy.ravel()))
        total, weighted = (x.reshape(-1, SIDE).cumsum(axis=1)[:, RADII] for x in sums)
        found.append(-10 * np.log10(np.mean((weighted / total - clean.ravel()[asked, None]) ** 2, axis=0)))
    return np.array(found)


@pytest.mark.conclusion(
    "03:window",
    tested="a radius of 10 or more was better than any smaller one on the wall, and the whole photograph worse",
    where="crops of 64 × 64 pixels, Gaussian and uniform patches",
    varies={"noise": [25], "form": ["gaussian", "uniform"], "patch_radius": [3], "draw": DRAWS},
    names={"patch_radius": "7 × 7", "noise": "At σ = 25/255"},
    against="every other search radius, each at its own best bandwidth",
    control="a wide search on both images",
    fails={
        "strong noise": {"noise": 50, "form": "gaussian", "patch_radius": 3, "draw": 0},
        "patches of 3 × 3 pixels": {"noise": 25, "form": "gaussian", "patch_radius": 1, "draw": 0},
    },
)
def test_wide_search_helps_wall_and_harms_photograph(noise, form, patch_radius, draw, holds):
    """A radius of at most 7 stays within one brick; from 10 on it reaches the next ones."""
    gains = {}
    for picture in ("photograph", "wall"):
        quality = by_search_radius(*with_noise(picture, noise, draw), patch_radius, form).max(axis=0)
        narrow, wide = np.split(quality, [RADII.index(10)])
        gains[picture] = (wide.max() if picture == "wall" else wide[-1]) - narrow.max()
    holds(min(gains["wall"], -gains["photograph"]), "dB", control=min(gains.values()))


@pytest.mark.conclusion(
    "03:bandwidth-of-window",
    tested="the best bandwidth of the whole image is below {limit} times that of a search radius of 3",
    where="crops of four images, noise of a tenth of the range",
    varies={
        "picture": ["photograph", "wall", "brick", "coins"],
        "noise": [25],
        "patch_radius": [3],
        "draw": DRAWS,
    },
    names={"picture": "On photograph and wall", "patch_radius": "7 × 7"},
    against="twelve bandwidths for each window, found with the clean image",
    control="a search radius of 2 instead of the whole image",
    fails={
        "one straight step": {"picture": "a step", "noise": 25, "patch_radius": 3, "draw": 0},
        "the wall with patches of 3 × 3 pixels": {"picture": "wall", "noise": 25, "patch_radius": 1, "draw": 0},
    },
)
def test_whole_image_requires_smaller_bandwidth(picture, noise, patch_radius, draw, holds):
    quality = by_search_radius(*with_noise(picture, noise, draw), patch_radius, "gaussian")
    narrower, narrow, whole = (BANDWIDTHS[quality[:, RADII.index(s)].argmax()] for s in (2, 3, 63))
    holds(whole / narrow, "times the bandwidth", below=1, control=narrower / narrow)


# Beside the bilateral filter


@pytest.mark.conclusion(
    "03:photograph",
    tested="its PSNR is higher by {limit} dB or more",
    where="the whole photograph",
    varies={"picture": ["photograph"], "noise": [20, 25], "draw": DRAWS},
    names={"picture": "On the photograph", "noise": "noise of 20 and 25/255"},
    against="the bilateral filter at the best of twelve pairs of bandwidths",
    control="non-local means with patches of one pixel",
    fails={
        "weak noise": {"picture": "photograph", "noise": 10, "draw": 0},
        "gravel": {"picture": "gravel", "noise": 25, "draw": 0},
        "fur": {"picture": "cat", "noise": 25, "draw": 0},
    },
)
def test_nonlocal_means_gains_over_bilateral_filter(picture, noise, draw, holds):
    clean = images.camera() if picture == "photograph" else clean_picture(picture)
    sigma = noise / 255
    noisy = images.add_noise(clean, sigma, rng=np.random.default_rng(draw))
    pairs = [(h_x, k) for h_x in (1.5, 1.75, 2) for k in (3, 3.5, 4, 5)]
    of_bilateral = max(psnr(bilateral(noisy, h_x, k * sigma), clean) for h_x, k in pairs)

    def gain(radii, bandwidths):
        tried = [(p, h) for p in radii for h in bandwidths]
        return max(psnr(nonlocal_means(noisy, h * sigma, p, 4, noise_std=sigma), clean) for p, h in tried) - (
            of_bilateral
        )

    holds(gain((2, 3), (1, 1.1, 1.3)), "dB", above=0.8, control=gain((0,), (1, 1.6, 2.5)))


# Alone


@pytest.mark.conclusion(
    "03:alone",
    tested="a square keeps over four fifths of its contrast above 2 h² ln N, and less than half below ½ h² ln N",
    where="contrasts of one to eight σ, patches of 7 × 7 pixels, and three bandwidths; means over twenty draws",
    varies={"bandwidth": [0.6, 0.9, 1.3], "form": ["gaussian", "uniform"], "side": [1, 2, 4, 6]},
    names={"bandwidth": "h = 0.6 to 1.3 σ", "side": "side 1–6"},
    against="the background around the square",
    control="the contrast alone: 4 σ and more is kept, and less is erased",
    fails={"half the smallest bandwidth": {"bandwidth": 0.3, "form": "gaussian", "side": 4}},
)
def test_contrast_of_a_lone_square_decides_its_survival(bandwidth, form, side, holds):
    """The margin is the smaller one of 4/5 and ½, over all squares for which the rule decides."""
    sigma, top, n_rivals = 0.05, 16, 21**2 - 1
    square = np.zeros((32 + side, 32 + side))
    square[top : top + side, top : top + side] = 1
    asked = np.flatnonzero(square)
    rows, columns = np.indices(square.shape).reshape(2, -1)
    outside = np.maximum(abs(rows - rows[asked, None]), abs(columns - columns[asked, None])) > 10
    covered = sliding_window_view(square, (7, 7))[top - 3 : top - 3 + side, top - 3 : top - 3 + side]
    signal = np.mean((covered * patch_kernel(3, form)).sum(axis=(2, 3)))
    margins, by_contrast = [], []
    for contrast in (1, 2, 3, 4, 6, 8):
        kept = []
        for draw in range(20):
            noisy = images.add_noise(contrast * sigma * square, sigma, rng=np.random.default_rng(draw))
            distance = patch_distances(noisy, asked, 3, form, 2 * sigma**2)
            weights = softmax(np.where(outside, -np.inf, -distance / (bandwidth * sigma) ** 2))
            kept.append(np.mean(weights @ noisy.ravel()) / (contrast * sigma))
        ratio = float(signal * contrast**2 / (bandwidth**2 * np.log(n_rivals)))
        strong, faint = np.mean(kept) - 0.8, 0.5 - np.mean(kept)
        margins += [strong] * (ratio > 2) + [faint] * (ratio < 0.5)
        by_contrast += [strong if contrast >= 4 else faint]
    holds(min(margins), "of the contrast", control=min(by_contrast))


# Without the clean picture


@pytest.mark.conclusion(
    "03:blind",
    tested="at the chosen bandwidth the PSNR is at most {limit} dB below the best",
    where="photograph and cat, noise of a twenty-fifth and a tenth of the range, and nine bandwidths",
    varies={
        "picture": ["photograph", "cat"],
        "noise": [10, 25],
        "draw": DRAWS,
        "law": ["normal"],
    },
    names={"law": "independent normal noise", "picture": "photograph"},
    against="the bandwidth that is best for the clean image",
    control="the squared method noise alone, without the share of its own noise that a pixel keeps",
    fails={
        "the wall in weak noise": {"picture": "wall", "noise": 10, "draw": 1, "law": "normal"},
        "Laplace noise": {"picture": "text", "noise": 25, "draw": 0, "law": "Laplace"},
        "correlated noise": {"picture": "text", "noise": 25, "draw": 0, "law": "correlated"},
        "multiplicative noise": {"picture": "wall", "noise": 25, "draw": 0, "law": "multiplicative"},
        "impulses": {"picture": "photograph", "noise": 25, "draw": 0, "law": "impulses"},
    },
)
def test_steins_estimate_chooses_a_bandwidth(picture, noise, draw, law, holds):
    clean, noisy, sigma = with_noise(picture, noise, draw, law)
    push, tiny = np.random.default_rng(10).choice([-1, 1], noisy.shape), sigma / 100
    method_noise, own_shares, true = [], [], []
    for h in (0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.2, 1.5, 2):

        def denoise(y, h=h):
            return nonlocal_means(y, h * sigma, 3, 4, noise_std=sigma)

        estimate = denoise(noisy)
        own_shares.append(np.mean(push * (denoise(noisy + tiny * push) - estimate)) / tiny)
        method_noise.append(np.mean((estimate - noisy) ** 2))
        true.append(psnr(estimate, clean))
    by_stein = np.array(method_noise) + 2 * sigma**2 * np.array(own_shares)
    losses = [max(true) - true[int(np.argmin(each))] for each in (by_stein, method_noise)]
    holds(losses[0], "dB", below=0.15, control=losses[1])


# Further sections


@pytest.mark.conclusion(
    "03:content",
    tested="with a radius of 16 and of the whole image, less noise and more other content than with a radius of 4",
    where="photograph and wall, noise of a twenty-fifth and a fifth of the range, and two bandwidths",
    varies={
        "picture": ["photograph", "wall"],
        "noise": [10, 50],
        "bandwidth": [0.6, 1.4],
        "draw": DRAWS,
    },
    names={"picture": "On the photograph"},
    against="a search radius of 4 at the same settings",
    control="half the bandwidth instead of a wider search",
    fails={"stripes of four pixels": {"picture": "stripes", "noise": 25, "bandwidth": 1, "draw": 0}},
)
def test_wider_search_trades_noise_for_other_content(picture, noise, bandwidth, draw, holds):
    clean, noisy, sigma = with_noise(picture, noise, draw)
    asked, ring = asked_pixels(6)
    distance = patch_distances(noisy, asked, 3, floor=2 * sigma**2)

    def parts(radius, times=1):
        weights = softmax(np.where(ring <= radius, -distance / (times * bandwidth * sigma) ** 2, -np.inf))
        content = weights @ clean.ravel() - clean.ravel()[asked]
        return np.array([np.mean((weights @ (noisy - clean).ravel()) ** 2), -np.mean(content**2)]) / sigma**2

    margins = [min(parts(4) - other) for other in (parts(16), parts(63), parts(4, 0.5))]
    holds(min(margins[:2]), "σ²", control=margins[2])


@pytest.mark.conclusion(
    "03:beats",
    where="five and ten beats of 30 and 40 samples, and noise of a twentieth and a tenth",
    varies={"noise": [0.05, 0.1], "period": [30, 40], "n_beats": [5, 10], "draw": DRAWS},
    names={"noise": "noise of a tenth", "n_beats": "ten beats"},
    against="keys of time, and of time and value, at the best of sixteen pairs of bandwidths",
    control="the same samples as keys, each key in an order of its own",
    fails={"noise of two fifths": {"noise": 0.4, "period": 40, "n_beats": 10, "draw": 1}},
)
def test_neighbouring_samples_find_the_other_beats(noise, period, n_beats, draw, holds):
    phase = np.arange(period * n_beats) % period / period
    beat = sum(
        a * np.exp(-(((phase - m) / w) ** 2))
        for a, m, w in ((1, 0.3, 0.04), (-0.35, 0.4, 0.04), (0.25, 0.65, 0.08))
    )
    rng = np.random.default_rng(draw)
    signal = beat + noise * rng.standard_normal(len(beat))
    time = np.arange(len(beat))
    around = sliding_window_view(np.pad(signal, 12, mode="reflect"), 25) / 5

    def error(keys):
        return np.sqrt(np.mean((nadaraya_watson(keys, keys, signal, 1.0) - beat) ** 2)) / noise

    by_value = min(
        error(np.column_stack([time / h_x, signal / (k * noise)]))
        for h_x in (0.5, 1, 2, 3)
        for k in (2, 4, 8, 1e6)
    )
    multiples, shuffled = (0.6, 0.8, 1, 1.3, 1.7), rng.permuted(around, axis=1)
    by_samples, control = (min(error(keys / (k * noise)) for k in multiples) for keys in (around, shuffled))
    holds(by_value - by_samples, "σ", control=by_value - control)


def patchwise(image, h, radius, search_radius, noise_std):
    """Average whole patches, the central one with the weight of its best match, then overlapping estimates.

    The second image holds one of these estimates of each pixel, from the patch of which it is the corner.
    """
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
    averaged = (summed / count)[radius:-radius, radius:-radius]
    corners = np.pad(estimates[0, 0], radius, mode="edge")[2 * radius :, 2 * radius :]
    return averaged, corners


@pytest.mark.conclusion(
    "03:patchwise",
    where="a crop of 48 × 48 pixels of each image",
    varies={"picture": ["photograph", "wall"], "noise": [25], "patch_radius": [2], "draw": DRAWS},
    names={"picture": "on photograph and wall", "noise": "At σ = 25/255", "patch_radius": "5 × 5"},
    against="the centres of the same patches, Gaussian and uniform, at the best of four bandwidths",
    control="one of the overlapping estimates of each pixel, instead of their average",
    fails={
        "weak noise": {"picture": "photograph", "noise": 10, "patch_radius": 2, "draw": 0},
        "patches of 7 × 7 pixels on the wall": {"picture": "wall", "noise": 25, "patch_radius": 3, "draw": 0},
    },
)
def test_averaging_whole_patches_gains(picture, noise, patch_radius, draw, holds):
    clean, noisy, sigma = with_noise(picture, noise, draw)
    clean, noisy = clean[8:56, 8:56], noisy[8:56, 8:56]
    centres = max(
        psnr(nonlocal_means(noisy, h * sigma, patch_radius, 10, form, sigma), clean)
        for form in ("gaussian", "uniform")
        for h in (0.6, 0.75, 0.9, 1.1)
    )
    both = [patchwise(noisy, h * sigma, patch_radius, 10, sigma) for h in (0.4, 0.6, 0.8)]
    gains = [max(psnr(each, clean) for each in kind) - centres for kind in zip(*both, strict=True)]
    holds(gains[0], "dB", control=gains[1])


@pytest.mark.conclusion(
    "03:small-window",
    tested="in a window of radius 2 it has a higher PSNR than the blur, and in a window of radius 8 a lower one",
    where="a crop of 64 × 64 pixels, noise of a tenth of the range",
    varies={"picture": ["photograph"], "noise": [25], "draw": DRAWS},
    names={"picture": "On the photograph", "noise": "at σ = 25/255"},
    against="the Gaussian blur at its own best bandwidth",
    control="the mean of the small window, whatever the values",
    fails={
        "the wall in strong noise": {"picture": "wall", "noise": 50, "draw": 0},
        "fur": {"picture": "cat", "noise": 25, "draw": 0},
    },
)
def test_range_kernel_beats_blur_in_small_window(picture, noise, draw, holds):
    clean, noisy, sigma = with_noise(picture, noise, draw)
    blur = max(psnr(bilateral(noisy, h, 1e6), clean) for h in (0.6, 0.8, 1, 1.1, 1.2, 1.4, 1.6))
    small, large = (
        max(psnr(nonlocal_means(noisy, h * sigma, 0, s, noise_std=sigma), clean) for h in (1, 1.3, 1.6, 2, 2.5, 3))
        for s in (2, 8)
    )
    mean = psnr(nonlocal_means(noisy, 1e6, 0, 2), clean)
    holds(min(small, 2 * blur - large) - blur, "dB", control=mean - blur)
