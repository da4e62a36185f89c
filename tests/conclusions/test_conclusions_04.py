"""The observations of chapter 4, swept over settings that the chapter does not use."""

import functools
import itertools

import numpy as np
import pytest

from lib import images
from lib.filters import (
    bilateral,
    lark,
    lark_weights,
    local_plane,
    masked_nonlocal_means,
    steering_matrices,
    structure_tensors,
)
from lib.images import psnr

SIDE = 64
DRAWS = range(20)
OTHERS = {  # from scikit-image, at half size: the corner of a crop of 64 × 64 pixels
    "brick": (50, 50),
    "gravel": (50, 50),
    "coins": (30, 30),
    "page": (10, 50),
    "text": (10, 30),
    "moon": (100, 100),
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
    if name == "step":
        return images.step(SIDE)
    if name.startswith("waves"):
        return images.texture(SIDE, period=int(name.split()[1]))
    from skimage import data

    whole = getattr(data, name)() / 255
    row, column = (2 * x for x in OTHERS[name])
    piece = whole[row : row + 2 * SIDE, column : column + 2 * SIDE]
    return piece.reshape(SIDE, 2, SIDE, 2).mean(axis=(1, 3))


def with_noise(name, noise, seed):
    """Clean, noisy and the standard deviation; `noise` in grey levels of 255, or "impulses"."""
    clean = clean_picture(name)
    if noise == "impulses":  # 3 in a thousand
        rng = np.random.default_rng(seed)
        hit = rng.random(clean.shape) < 0.003
        return clean, np.where(hit, rng.integers(0, 2, clean.shape), clean), None
    sigma = noise / 255
    return clean, images.add_noise(clean, sigma, rng=np.random.default_rng(seed)), sigma


# Before the border


BORDER = {38: 106, 41: 105, 44: 103, 47: 101, 50: 99}  # of the coat on the photograph: the row, by column


def keys_for_90_percent(weights):
    return int(np.sum(np.cumsum(np.sort(weights.ravel())[::-1]) < 0.9)) + 1


@pytest.mark.conclusion(
    "04:border",
    where="five columns of the photograph, with and without noise",
    varies={"column": [*BORDER], "bandwidth": [2.5, 5.0], "noise": [0, 5]},
    names={"noise": "in little or no noise"},
    against="a disk of radius 1, at the same pixels",
    control="the kernels of a disk of radius 1",
    fails={"in strong noise all kernels are small": {"column": 44, "bandwidth": 3.5, "noise": 50}},
)
def test_kernels_shrink_before_the_border(column, bandwidth, noise, holds):
    """Keys for 90 % two rows above the border, as a fraction of those six rows above it, for two disks."""
    clean = images.camera()
    draws = [images.add_noise(clean, noise / 255, rng=np.random.default_rng(seed)) for seed in range(3)]
    left = {}
    for disk in (1, 5):
        n_keys = [
            [
                keys_for_90_percent(
                    lark_weights(image, (BORDER[column] - above, column), bandwidth, 7, analysis_radius=disk)
                )
                for above in (6, 2)
            ]
            for image in (draws if noise else draws[:1])
        ]
        far, near = np.mean(n_keys, axis=0)
        left[disk] = near / far
    value = lambda own: min(1 - own, left[1] - own)
    holds(value(left[5]), "of the keys far away", control=value(left[1]))


# Noise and the size of kernels


@pytest.mark.conclusion(
    "04:noise",
    where="the three pixels of the photograph, σ = 25/255, the mean of twenty draws",
    varies={"sensitivity": [0.25, 1.0], "disk": [2, 5, 8], "first": [0, 20]},
    against="the kernels of edge and corner",
    control="the edge in place of the sky",
)
def test_noise_shrinks_kernel_of_sky_most(sensitivity, disk, first, holds):
    """How much the logarithm of the ellipse's area falls on average, area ∝ 1/√det C."""
    clean = images.camera()
    pixels = (20, 90), (103, 44), (100, 15)
    draws = (images.add_noise(clean, 25 / 255, rng=np.random.default_rng(first + k)) for k in range(20))
    log_areas = [
        [-np.log(np.linalg.det(C[pixel])) / 2 for pixel in pixels]
        for C in (steering_matrices(x, disk, structure_sensitivity=sensitivity) for x in (clean, *draws))
    ]
    sky, edge, corner = log_areas[0] - np.mean(log_areas[1:], axis=0)
    value = lambda most, *others: min(most, *others, most - max(others))
    holds(value(sky, edge, corner), "of log area", control=value(edge, sky, corner))


@pytest.mark.conclusion(
    "04:correlated",
    where="a flat region",
    varies={"average": ["even", "falling"], "noise": [25], "draw": list(range(20))},
    names={"average": "averaged over five pixels"},
    tested="more than {limit} % of the ellipses lie within 15° of a row",
    against="independent noise of the same standard deviation",
    control="independent noise",
    fails={"averaged over two pixels": {"average": "two", "noise": 25, "draw": 0}},
)
def test_correlated_noise_turns_most_ellipses(average, noise, draw, holds):
    """The fraction of the ellipses within 15° of a row, for noise averaged along rows; disk of radius 5."""
    weights = np.array({"even": [1, 1, 1, 1, 1], "falling": [1, 2, 3, 2, 1], "two": [1, 1]}[average])
    independent = np.random.default_rng(draw).standard_normal((SIDE, SIDE + len(weights) - 1))
    views = np.lib.stride_tricks.sliding_window_view(independent, len(weights), axis=1)
    correlated = noise / 255 * views @ weights / np.linalg.norm(weights)

    def share(image):
        along = np.linalg.eigh(steering_matrices(image, 5))[1][..., 0]
        return 100 * np.mean(np.abs(along[..., 0]) < np.sin(np.radians(15)))

    white = 0.5 + noise / 255 * independent[:, :SIDE]
    holds(share(0.5 + correlated), "% of the ellipses", above=50, control=share(white))


# A perfect step


def one_pass(values, metrics, h, radius, form="key", is_key=None):
    """An average with the metric of the "key", of the "query", or of the key without the determinant, "none"."""
    (height, width), border = values.shape, [(radius, radius)] * 2
    mirrored = [np.pad(x, [*border, *[(0, 0)] * (x.ndim - 2)], mode="reflect") for x in (values, metrics)]
    v, C = mirrored
    a, b, c = C[..., 0, 0], 2 * C[..., 0, 1], C[..., 1, 1]
    prior = np.sqrt(np.linalg.det(C)) if form == "key" else np.ones(v.shape)
    prior = prior if is_key is None else prior * np.pad(is_key, border, mode="reflect")
    here = np.s_[radius : radius + height, radius : radius + width]
    numerator, denominator = np.zeros((2, height, width))
    for row, column in np.ndindex(2 * radius + 1, 2 * radius + 1):
        key, d1, d2 = np.s_[row : row + height, column : column + width], row - radius, column - radius
        of = here if form == "query" else key
        weight = prior[key] * np.exp(-(d1**2 * a[of] + d1 * d2 * b[of] + d2**2 * c[of]) / (2 * h**2))
        numerator += weight * v[key]
        denominator += weight
    return numerator / np.where(denominator > 0, denominator, np.nan)


@pytest.mark.conclusion(
    "04:reach",
    where="perfect steps of a third of the range and more, λ″ = 10 and h = 2.4",
    varies={"height": [1 / 3, 0.5, 0.9], "disk": [2, 3, 5], "wider": [4, 6, 8]},
    names={"wider": "λ″ = 10", "height": "step that a narrow window preserves"},
    tested="a narrow window changes less than 1 % of the step, a wider one at least 5 %, without keys of s₁ < 1 "
    "less than 1 % again",
    against="the same window without the keys of s₁ < 1, and the window that holds none of them",
    control="the wide window without those keys",
    fails={
        "a low step is blurred in the narrow window": {"height": 0.1, "disk": 5, "wider": 4},
        "with λ″ = 300, round kernels end before the edge": {"height": 0.5, "disk": 5, "wider": "λ″ = 300"},
    },
)
def test_round_kernels_blur_the_step_in_a_wide_window(height, disk, wider, holds):
    """The error beside the step: at least 5 % in a wide window, below 1 % in a narrow one."""
    regularization, wider = (300.0, 4) if wider == "λ″ = 300" else (10.0, wider)
    step = 0.5 + (images.step(48) - 0.5) * height / 0.5
    C = steering_matrices(step, disk, structure_regularization=regularization)
    sees = np.linalg.norm(structure_tensors(step, disk), axis=(2, 3)) > 1  # s₁²
    assert np.sqrt(np.divide(*np.linalg.eigvalsh(C[~sees]).T[::-1])).max() < 2.1  # nearly round
    step, C, sees = step[:20], C[:20], sees[:20]  # all rows are alike
    blurred = lambda radius, is_key: (
        np.abs(one_pass(step, C, 2.4, radius, is_key=is_key) - step)[10, 23:25].max() / height
    )
    narrow, wide, without = blurred(disk + 1, None), blurred(disk + wider, None), blurred(disk + wider, sees)
    value = lambda blur: 100 * min(blur - 0.05, 0.01 - max(narrow, without))
    holds(value(wide), "% of the step", control=value(without))


# Missing pixels


@pytest.mark.conclusion(
    "04:missing",
    where="a piece of the photograph",
    varies={"share": [0.85], "picture": ["photograph"], "draw": DRAWS},
    names={"share": "85 % of its pixels", "picture": "On the photograph"},
    against="circles with the same local plane at the best of nine bandwidths, which also made the slopes",
    control="ellipses across the slopes' directions, with rows and columns exchanged",
)
def test_ellipses_fill_in_missing_pixels_better_than_circles(share, picture, draw, holds):
    clean = clean_picture(picture)
    known = np.random.default_rng(draw).random(clean.shape) > share
    quality = lambda estimate: psnr(estimate[~known], clean[~known])
    circles = {h: local_plane(clean, known, h) for h in (0.7, 0.8, 0.9, 1, 1.2, 1.4, 1.7, 2, 2.4)}
    best = max(circles, key=lambda h: quality(circles[h][0]))
    slope = circles[best][1]
    ellipses, turned = (
        max(quality(local_plane(clean, known, h, each)[0]) for h in (1.2, 1.4, 1.7, 2, 2.4))
        for each in (slope, slope[..., ::-1])
    )
    gains = np.array([ellipses, turned]) - quality(circles[best][0])
    holds(gains[0], "dB", control=gains[1])


@pytest.mark.conclusion(
    "04:masked",
    where="waves of two periods and a wall, a piece of the photograph and of the cat",
    varies={
        "picture": ["wall", "waves 8", "waves 12", "photograph", "cat"],
        "share": [0.5],
        "draw": DRAWS,
    },
    names={"picture": "on wall and waves", "share": "half of the pixels"},
    against="the other one, each at its best parameters",
    control="patches within two pixels of the query, closer than a repeat, and ellipses across the slopes' "
    "directions on photograph and cat",
    fails={
        "on the wall with 92 % missing, for patches of radius 3 and 4": {
            "picture": "wall",
            "share": 0.92,
            "draw": 0,
        }
    },
)
def test_patches_win_where_the_image_repeats(picture, share, draw, holds):
    clean = images.brick_wall()[100:164, 40:104] if picture == "wall" else clean_picture(picture)
    known = np.random.default_rng(draw).random(clean.shape) > share
    quality = lambda estimate: psnr(np.where(np.isfinite(estimate), estimate, 0.5)[~known], clean[~known])
    circles = {h: local_plane(clean, known, h) for h in (0.7, 0.9, 1.2, 1.7)}
    slope = circles[max(circles, key=lambda h: quality(circles[h][0]))][1]

    def of_ellipses(slope):
        return max(quality(local_plane(clean, known, h, slope)[0]) for h in (0.8, 1, 1.2, 1.4, 1.7, 2.4))

    def of_patches(search):
        settings = itertools.product((0.03, 0.06, 0.12), (3, 4))
        return max(quality(masked_nonlocal_means(clean, known, *each, search)) for each in settings)

    ellipses, patches = of_ellipses(slope), of_patches(10)
    if picture in ("photograph", "cat"):
        holds(ellipses - patches, "dB", control=of_ellipses(slope[..., ::-1]) - patches)
    else:
        holds(patches - ellipses, "dB", control=of_patches(2) - ellipses)


# Beside the other filters


def best_of_steering(clean, noisy, bandwidths, order=0, radius=5, passes=(1, 2, 3, 4, 5), disks=(2, 3, 5)):
    return max(
        psnr(lark(noisy, h, radius, order, n, analysis_radius=disk), clean)
        for h in bandwidths
        for n in passes
        for disk in disks
    )


def best_of_bilateral(clean, noisy, sigma):
    found = []
    for h_x in (0.75, 1, 1.5, 2, 3):
        for h_y in (1, 1.5, 2.5, 3.5, 5, 7):
            image = noisy
            for _ in range(6):
                image = bilateral(image, h_x, h_y * sigma)
                found.append(psnr(image, clean))
    return max(found)


def best_of_blur(clean, noisy):
    return max(psnr(bilateral(noisy, h, 1e6), clean) for h in (0.7, 0.8, 0.9, 1, 1.1, 1.3, 1.5, 1.8))


@pytest.mark.conclusion(
    "04:gain",
    where="a piece of each image",
    varies={"picture": ["photograph", "wall", "cat"], "noise": [25], "draw": DRAWS},
    names={"picture": "On the images photograph, wall and cat", "noise": "at σ = 25/255"},
    against="the bilateral filter at the best of 30 pairs of bandwidths and of 1 to 6 passes",
    control="the Gaussian blur at its best of eight bandwidths",
    fails={
        "on a printed page": {"picture": "page", "noise": 25, "draw": 0},
        "on the cat in little noise": {"picture": "cat", "noise": 5, "draw": 0},
    },
)
def test_steering_has_lower_error_than_bilateral_filter(picture, noise, draw, holds):
    clean, noisy, sigma = with_noise(picture, noise, draw)
    bandwidths = (1, 1.25, 1.5, 2, 2.5) if noise <= 10 else (1.75, 2, 2.5)
    of_bilateral = best_of_bilateral(clean, noisy, sigma)
    gain = best_of_steering(clean, noisy, bandwidths, passes=(2, 4)) - of_bilateral
    holds(gain, "dB", control=best_of_blur(clean, noisy) - of_bilateral)


# Further sections


@pytest.mark.conclusion(
    "04:steady",
    where="edge pixels of six images",
    names={"noise": "in white noise"},
    varies={
        "picture": ["photograph", "cat", "brick", "coins", "text", "moon"],
        "noise": [10, 25],
        "bandwidth": [2.0, 3.5],
        "window": [5, 8],
    },
    against="the next smaller of three disks, of radius 1, 3 and 5",
    control="a wider window in place of a larger disk",
    fails={
        "impulses, 3 in a thousand": {"picture": "photograph", "noise": "impulses", "bandwidth": 3.5, "window": 8}
    },
)
def test_on_edges_a_larger_disk_keeps_the_weights(picture, noise, bandwidth, window, holds):
    """The share of the weight that moves between two draws of the noise, the median over edge pixels."""
    clean = clean_picture(picture)
    steepness = np.hypot(*np.gradient(clean))[9:-9, 9:-9]
    on_edges = np.argwhere(steepness > np.quantile(steepness, 0.9))[::12] + 9
    draws = [with_noise(picture, noise, seed)[1] for seed in range(3)]

    def moved(disk, window):
        of = lambda image, pixel: lark_weights(image, tuple(pixel), bandwidth, window, analysis_radius=disk)
        w = np.array([[of(image, pixel) for pixel in on_edges.tolist()] for image in draws])
        of_pairs = [np.abs(w[a] - w[b]).sum(axis=(-2, -1)) / 2 for a, b in ((0, 1), (0, 2), (1, 2))]
        return 100 * np.median(np.mean(of_pairs, axis=0))

    of_disks, wider = [moved(disk, window) for disk in (1, 3, 5)], moved(3, window + 3)
    holds(-np.diff(of_disks).max(), "% of the weight", control=of_disks[1] - wider)


@pytest.mark.conclusion(
    "04:idle",
    where="flat part, edge and corner of the square, σ = 10/255, a disk of radius 5",
    varies={"constants": ["λ′ = 0.01", "λ″ = 0.1"], "draw": list(range(20))},
    names={"constants": "λ′ up to 1 and λ″ up to 0.1"},
    tested="the half-axes change by less than {limit} %",
    against="the half-axes with the toolbox's constants",
    control="α raised by a tenth",
    fails={"λ′ = 100 is as large as the singular values": {"constants": "λ′ = 100", "draw": 0}},
)
def test_constants_hardly_change_half_axes_on_noisy_square(constants, draw, holds):
    clean = np.full((64, 64), 0.25)
    clean[32:, 32:] = 0.75
    noisy = images.add_noise(clean, 10 / 255, rng=np.random.default_rng(draw))
    name, value = constants.split(" = ")
    name = {"λ′": "elongation_regularization", "λ″": "structure_regularization"}[name]
    pixels = tuple(np.transpose([(16, 16), (50, 31), (32, 32)]))
    half_axes = lambda **options: 1 / np.sqrt(np.linalg.eigvalsh(steering_matrices(noisy, **options)[pixels]))
    change = lambda **options: np.abs(half_axes(**options) / half_axes() - 1).max()
    of_alpha = change(structure_sensitivity=0.55)
    holds(100 * change(**{name: float(value)}), "% of a half-axis", below=2, control=100 * of_alpha)


@pytest.mark.conclusion(
    "04:whose",
    where="a piece of each image",
    varies={"picture": ["photograph", "cat"], "noise": [25], "draw": DRAWS},
    names={"picture": "On photograph and cat image", "noise": "at σ = 25/255"},
    against="the bilateral filter at the best of 30 pairs of bandwidths and of 1 to 6 passes",
    control="the Gaussian blur in place of both, at its best of eight bandwidths",
    fails={"in little noise there is no gain": {"picture": "photograph", "noise": 5, "draw": 0}},
)
def test_metrics_of_key_and_query_have_similar_errors(picture, noise, draw, holds):
    """The results of both metrics, each with its best bandwidth, passes and disk, and the difference."""
    clean, noisy, sigma = with_noise(picture, noise, draw)

    def best(form):
        found = []
        for disk in (2, 3, 5):
            for h in (1, 1.5, 2) if noise <= 10 else (2, 2.5, 3.5):
                image = noisy
                for _ in range(4):
                    image = one_pass(image, steering_matrices(image, disk), h, 5, form)
                    found.append(psnr(image, clean))
        return max(found)

    of_key, of_query = best("key"), best("query")
    rival = best_of_bilateral(clean, noisy, sigma) + abs(of_key - of_query)
    holds(min(of_key, of_query) - rival, "dB", control=best_of_blur(clean, noisy) - rival)


@pytest.mark.conclusion(
    "04:parabola",
    where="waves of period 64, a piece of each image",
    varies={"picture": ["waves 64", "photograph", "wall", "cat"], "noise": [25], "draw": DRAWS},
    names={"picture": "on slow waves", "noise": "At σ = 25/255"},
    against="the other order, each at its best bandwidth, passes and disk",
    control="the better order with the settings that are best for the other",
)
def test_local_parabola_has_lower_error_on_slow_waves(picture, noise, draw, holds):
    clean, noisy, _ = with_noise(picture, noise, draw)
    if picture.startswith("waves"):
        radius, worse, better = 9, (0, (2, 3, 5, 7), (1, 2, 3, 6), (3, 8)), (2, (5, 7, 9), (1, 2), (3,))
    else:
        radius = 5
        worse, better = (2, (1.5, 2, 2.5, 3, 4), (1, 2, 4), (2, 3, 5)), (0, (1.5, 2, 2.5), (2, 4), (2, 3, 5))

    def quality(order, h, n_passes, disk):
        return psnr(lark(noisy, h, radius, order, n_passes, analysis_radius=disk), clean)

    def best(order, *choices):
        return max(itertools.product(*choices), key=lambda settings: quality(order, *settings))

    settings_of_worse = best(*worse)
    rival = quality(worse[0], *settings_of_worse)
    leads = [quality(better[0], *settings) - rival for settings in (best(*better), settings_of_worse)]
    holds(leads[0], "dB", control=leads[1])


@pytest.mark.conclusion(
    "04:passes",
    tested="the best bandwidth of three and six passes is below {limit} times that of one",
    where="a piece of the photograph, disks of radius 2 and 5, three and six passes",
    varies={"picture": ["photograph"], "noise": [25], "disk": [2, 5], "passes": [3, 6], "draw": DRAWS},
    names={"picture": "On the photograph", "noise": "at σ = 25/255"},
    against="the bandwidth that is best for a single pass, of twelve",
    control="a single pass over a different draw of the noise",
)
def test_more_passes_want_a_smaller_bandwidth(picture, noise, disk, passes, draw, holds):
    def best_bandwidth(n, draw):
        clean, noisy, _ = with_noise(picture, noise, draw)
        after = lambda h: psnr(lark(noisy, h, n_iterations=n, analysis_radius=disk), clean)
        return max((0.7, 0.85, 1, 1.25, 1.5, 1.75, 2, 2.5, 3, 4, 5, 7), key=after)

    of_one = best_bandwidth(1, draw)
    ratios = [best_bandwidth(*each) / of_one for each in ((passes, draw), (1, draw + 100))]
    holds(ratios[0], "times the bandwidth of one pass", below=1, control=ratios[1])
