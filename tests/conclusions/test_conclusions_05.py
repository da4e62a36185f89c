"""The observations of chapter 5, swept over settings that the chapter does not use."""

import functools

import numpy as np
import pytest

from lib import filters, images, unified
from lib.filters import patch_kernel, patches, steering_matrices
from lib.images import psnr
from lib.unified import augment, block_metric, log_kernel
from lib.weights import softmax

SIDE = 64
OTHERS = {  # from scikit-image, at half size: the corner of a crop of 64 × 64 pixels
    "brick": (50, 50),
    "gravel": (50, 50),
    "coins": (30, 30),
    "page": (10, 50),
    "text": (10, 30),
    "moon": (100, 100),
    "grass": (50, 50),
}
EVERY = ["photograph", "cat", "waves", "wall", *OTHERS]
ROOT = np.sqrt(patch_kernel(3).ravel())


@functools.cache
def clean_picture(name):
    """A greyscale crop of 64 × 64 pixels."""
    if name == "photograph":
        return images.camera()[40:104, 30:94]
    if name == "cat":
        return images.cat().mean(axis=-1)[30:94, 30:94]
    if name.startswith("waves"):
        return images.texture(SIDE, period=int(name.partition(" ")[2] or 8))
    if name == "wall":
        return images.brick_wall(SIDE, SIDE)
    from skimage import data

    whole = getattr(data, name)() / 255
    row, column = (2 * x for x in OTHERS[name])
    piece = whole[row : row + 2 * SIDE, column : column + 2 * SIDE]
    return piece.reshape(SIDE, 2, SIDE, 2).mean(axis=(1, 3))


def with_noise(name, noise, seed=0):
    """Clean, noisy and the standard deviation; `noise` in grey levels of 255."""
    clean, sigma = clean_picture(name), noise / 255
    return clean, images.add_noise(clean, sigma, rng=np.random.default_rng(seed)), sigma


# Weights of all pixels at once, one shift of the window after the other: quick enough for many bandwidths


def shifts(padded, radius):
    """The window's keys for every pixel, (window, H, W, …)."""
    height, width = (n - 2 * radius for n in padded.shape[:2])
    corners = np.ndindex(2 * radius + 1, 2 * radius + 1)
    return np.array([padded[r : r + height, c : c + width] for r, c in corners])


def mirrored(array, width):
    return np.pad(array, [(width, width)] * 2 + [(0, 0)] * (array.ndim - 2), mode="reflect")


def patch_distances(noisy, feature_map, radius):
    """‖P(y_i − y_j)‖² of 7 × 7 patches."""
    features = patches(mirrored(noisy, radius), 3)
    features = features.reshape(*features.shape[:2], -1) @ feature_map.T
    return np.sum((shifts(features, radius) - features[radius:-radius, radius:-radius]) ** 2, axis=-1)


def place_distances(radius, matrices=None):
    """‖x_i − x_j‖², or (x_i − x_j)ᵀC_j(x_i − x_j)."""
    x = np.mgrid[-radius : radius + 1, -radius : radius + 1].reshape(2, -1).T.astype(float)
    if matrices is None:
        return np.sum(x**2, axis=1)[:, None, None]
    return np.einsum("ka,khwab,kb->khw", x, shifts(mirrored(matrices, radius), radius), x)


def averaged(distance, values, floor=0.0, log_prior=0.0):
    weights = softmax(log_prior - np.maximum(distance - floor, 0), axis=0)
    return np.sum(weights * values, axis=0)


def learned_map(noisy, n=6):
    """The directions in which the weighted patches vary most."""
    weighted = patches(noisy, 3).reshape(-1, 49) * ROOT
    return np.linalg.eigh(np.cov(weighted.T))[1][:, ::-1][:, :n].T * ROOT


def cosine_map(n=6):
    """The cosines of the lowest frequencies, orthonormal under the patch weights: they saw no picture."""
    order = sorted(np.ndindex(7, 7), key=lambda f: (f[0] ** 2 + f[1] ** 2, f))[:n]
    wave = np.cos(np.pi * np.outer(np.arange(7), np.arange(7) + 0.5) / 7)
    rows = [np.outer(wave[a], wave[b]).ravel() * ROOT for a, b in order]
    return np.linalg.qr(np.transpose(rows))[0].T * ROOT


FEATURE_BANDWIDTHS = np.array([0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.2, 1.5, 2])


def best_of_features(clean, noisy, sigma, feature_map, radius, floor=True):
    values = shifts(mirrored(noisy, radius), radius)
    distance = patch_distances(noisy, feature_map, radius)
    forgiven = 2 * floor * sigma**2 * np.sum(feature_map**2)
    return max(psnr(averaged(distance / h**2, values, forgiven / h**2), clean) for h in sigma * FEATURE_BANDWIDTHS)


# Move it


@pytest.mark.conclusion(
    "05:along",
    where="the steepest pixels of eight images",
    varies={
        "picture": ["photograph", "cat", "waves", "wall", "coins", "text", "moon", "brick"],
        "noise": [10, 25, 50],
        "bandwidth": [1.5, 2.5, 4],
        "radius": [4, 6],
        "draw": [0, 1, 2],
    },
    against="a Gaussian block, whose weights reach as far across as along",
    fails={"on grass in strong noise": {"picture": "grass", "noise": 75, "bandwidth": 4, "radius": 4, "draw": 1}},
)
def test_steering_stretches_the_weights_along_most_strong_edges(picture, noise, bandwidth, radius, draw, holds):
    """Pixels of the two per cent steepest, and the mean square of the steps along and across, by the weights."""
    clean, noisy, _ = with_noise(picture, noise, draw)
    gradient = np.stack(np.gradient(clean))
    steepness = np.hypot(*gradient)
    inside = np.zeros(clean.shape, bool)
    inside[8:-8, 8:-8] = True
    asked = np.argwhere(inside & (steepness >= np.quantile(steepness[inside], 0.98)))[::3]
    kernel = unified.steering_kernel(noisy, steering_matrices(noisy), bandwidth, radius)
    steps = np.mgrid[-radius : radius + 1, -radius : radius + 1].reshape(2, -1).T
    ratios = []
    for row, column in asked:
        weights = unified.window_weights(kernel, (row, column)).ravel()
        across = gradient[:, row, column] / steepness[row, column]
        along = np.array([-across[1], across[0]])
        ratios.append((weights @ (steps @ along) ** 2) / (weights @ (steps @ across) ** 2))
    holds(np.median(ratios) - 1, "times as far, squared")


# Step 1


def tilted(image, rise, h_x, h_y, radius):
    g = np.array([[0], [rise]])
    position_block = np.eye(2) / h_x**2 + g @ g.T / h_y**2
    return unified.image_kernel(image, position_block, [[1 / h_y**2]], radius, cross_block=-g / h_y**2)


@pytest.mark.conclusion(
    "05:tilt",
    where="teeth of several slopes",
    names={"noise": "one to four times their rise per column", "period": "longer than the window’s radius"},
    tested="the PSNR is higher by more than 0.01 dB",
    varies={"rise": [0.01, 0.02, 0.04], "noise": [1, 2, 4], "period": [8, 16], "radius": [4, 6], "draw": [0, 1]},
    against="the upright metric and the wrong slope, each at the best of 48 pairs of bandwidths",
    fails={"on a slope without jumps": {"rise": 0.02, "noise": 2, "period": 32, "radius": 6, "draw": 0}},
)
def test_the_right_tilt_gains(rise, noise, period, radius, draw, holds):
    """Teeth that rise by `rise` per column; `noise` in rises. Columns near the border are left out."""
    sigma, inside = rise * noise, np.s_[:, 6:-6]
    teeth = np.tile(0.2 + rise * (np.arange(32) % period), (32, 1))
    noisy = images.add_noise(teeth, sigma, rng=np.random.default_rng(draw))

    def best(slope):
        return max(
            psnr(unified.smooth(tilted(noisy, slope, h_x, h_y * sigma, radius))[inside], teeth[inside])
            for h_x in (1, 1.5, 2, 3, 4, 6)
            for h_y in (1.5, 2, 3, 4, 5, 6, 8, 1e6)
        )

    holds(best(rise) - max(best(0), best(-rise)) - 0.01, "dB above 0.01")


# Step 2


@pytest.mark.conclusion(
    "05:learned",
    where="7 × 7 patches; learned features on waves and a page, fixed ones on cat, brick and moon",
    names={"picture": "on waves and page"},
    varies={
        "picture": ["waves", "page", "cat", "brick", "moon"],
        "noise": [25, 50],
        "radius": [3, 8],
        "n_features": [6, 10],
        "floor": [True, False],
        "draw": [0, 1],
    },
    against="fixed cosines, as many, at their own best bandwidth",
    fails={
        "waves of period 16": {
            "picture": "waves 16",
            "noise": 25,
            "radius": 3,
            "n_features": 6,
            "floor": True,
            "draw": 0,
        }
    },
)
def test_learning_pays_where_the_picture_is_peculiar(picture, noise, radius, n_features, floor, draw, holds):
    clean, noisy, sigma = with_noise(picture, noise, draw)
    learned, fixed = (
        best_of_features(clean, noisy, sigma, feature_map, radius, floor)
        for feature_map in (learned_map(noisy, n_features), cosine_map(n_features))
    )
    for_learned = picture.startswith("waves") or picture == "page"
    holds(learned - fixed if for_learned else fixed - learned, "dB")


# Step 4


@functools.cache
def averaged_squares(picture, noise, seed, bandwidth, radius):
    """Clean, and the averages of the nine pixels around each key, by the weights of step 2."""
    clean, noisy, sigma = with_noise(picture, noise, seed)
    feature_map, h = learned_map(noisy), bandwidth * sigma
    floor = 2 * sigma**2 * np.sum(feature_map**2) / h**2
    weights = softmax(-np.maximum(patch_distances(noisy, feature_map, radius) / h**2 - floor, 0), axis=0)
    squares = patches(mirrored(noisy, radius), 1)
    squares = shifts(squares.reshape(*squares.shape[:2], 9), radius)
    return clean, np.einsum("khw,khwc->hwc", weights, squares)


@pytest.mark.conclusion(
    "05:read-out",
    where="read-outs of six images, under new noise on their own and on five others",
    varies={
        "picture": ["photograph", "cat", "waves", "brick", "moon", "text"],
        "noise": [10, 25, 50],
        "bandwidth": [0.7, 0.9],
        "radius": [4, 6],
        "draw": [0, 1],
    },
    against="the centre pixel, a read-out that was not learned",
)
def test_learned_output_helps_own_image_only(picture, noise, bandwidth, radius, draw, holds):
    """With new noise on the same picture, PSNR may drop by at most 0.1 dB."""
    clean, squares = averaged_squares(picture, noise, 2 * draw, bandwidth, radius)
    read_out = np.linalg.lstsq(squares.reshape(-1, 9), clean.ravel(), rcond=None)[0]

    def gain(other):
        clean, squares = averaged_squares(other, noise, 2 * draw + 1, bandwidth, radius)
        return psnr(squares @ read_out, clean) - psnr(squares[..., 4], clean)

    own = gain(picture)
    holds(min(own + 0.1, -min(gain(other) for other in ("photograph", "waves", "page", "coins", "moon"))), "dB")


# Which matrix is best?


def best_of_each(clean, noisy, sigma, radius):
    """PSNR of the chapter's eight matrices, each at the best of its bandwidths."""
    values, place = shifts(mirrored(noisy, radius), radius), place_distances(radius)
    matrices = steering_matrices(noisy)
    steered = place_distances(radius, matrices) / 2
    log_prior = shifts(mirrored(np.log(np.linalg.det(matrices)) / 2, radius), radius)
    pixel, patch = (values - noisy) ** 2, patch_distances(noisy, np.diag(ROOT), radius)
    wide, floor = (1, 1.5, 2, 3, 5, 8, 1e6), 2 * sigma**2
    look = sigma * np.array([0.7, 0.8, 0.9, 1, 1.2, 1.5, 2])
    score = lambda *arguments: psnr(averaged(*arguments), clean)
    return {
        "Gaussian": max(score(place / h**2, values) for h in (0.5, 0.7, 0.8, 0.9, 1, 1.2, 1.4, 1.8, 2.5, 4)),
        "bilateral": max(
            score(place / a**2 + pixel / b**2, values) for a in wide for b in sigma * np.array([2, 3, 4, 6])
        ),
        "steering": max(score(steered / h**2, values, 0, log_prior) for h in (1.4, 2, 2.6, 3.2, 4, 5, 6)),
        "patch": max(score(patch / h**2, values, floor / h**2) for h in look),
        "Gaussian, patch": max(
            score(place / a**2 + patch / h**2, values, floor / h**2) for a in wide for h in look
        ),
        "steering, patch": max(
            score(steered / a**2 + patch / h**2, values, floor / h**2, log_prior)
            for a in (3, 5, 8, 12, 20, 1e6)
            for h in look
        ),
        "learned": best_of_features(clean, noisy, sigma, learned_map(noisy), radius),
        "fixed": best_of_features(clean, noisy, sigma, cosine_map(), radius),
    }


@pytest.mark.conclusion(
    "05:best",
    where="five images",
    tested="none is best for all of photograph, cat, waves, brick and moon",
    varies={"noise": [10, 25, 50], "radius": [3, 6], "draw": [0, 1]},
    against="for each of the eight, the best of the others on photograph, cat, waves, brick and moon",
)
def test_no_matrix_is_best_for_all_pictures(noise, radius, draw, holds):
    """By how much the most modest loser loses on the picture where it loses most."""
    found = [
        best_of_each(*with_noise(name, noise, draw), radius)
        for name in ("photograph", "cat", "waves", "brick", "moon")
    ]
    behind = {name: max(max(of.values()) - of[name] for of in found) for name in found[0]}
    holds(min(behind.values()), "dB")


# Again and again


def balanced(pilot, h_x, h_y):
    """The balanced matrix of a bilateral kernel whose values come from a pilot."""
    places = np.argwhere(np.ones(pilot.shape)).astype(float)
    t = augment(places, pilot.ravel())
    K = np.exp(log_kernel(t, t, block_metric(np.eye(2) / h_x**2, [[1 / h_y**2]])))
    r = np.ones(len(K))
    for _ in range(60):
        r = np.sqrt(r / (K @ r))
    return r[:, None] * K * r


MIDDLE = np.s_[16:48, 16:48]


def passes_and_twicings(noisy, h_x, h_y, most=16):
    """The estimates after 1, 2, … passes, and after 2, 3, … rounds of twicing; weights from a blurred copy."""
    B, y = balanced(filters.bilateral(noisy, 1.0, 1e6)[MIDDLE], h_x, h_y), noisy[MIDDLE].ravel()
    passes = [B @ y]
    twicings = passes[:]
    for _ in range(most - 1):
        passes.append(B @ passes[-1])
        twicings.append(twicings[-1] + B @ (y - twicings[-1]))
    return np.array(passes + twicings[1:])


@pytest.mark.conclusion(
    "05:stop",
    where="eleven images, passes and twicings, white noise",
    tested="the PSNR that Stein's estimate chooses is less than 1.5 dB below the highest",
    varies={"picture": EVERY, "noise": [10, 25, 50], "bandwidth": [0.7, 1.5, 3.0], "draw": [0, 1, 2]},
    against="the best number for the clean picture, at most 1.5 dB ahead",
)
def test_steins_estimate_says_when_to_stop(picture, noise, bandwidth, draw, holds):
    clean, noisy, sigma = with_noise(picture, noise, draw)
    widths = bandwidth, (1.5 if bandwidth < 1 else 1 + bandwidth) * sigma
    push, tiny = np.random.default_rng(9).choice([-1, 1], noisy.shape), sigma / 100
    estimates = passes_and_twicings(noisy, *widths)
    moved = passes_and_twicings(noisy + tiny * push, *widths) - estimates
    own_share = np.mean(push[MIDDLE].ravel() * moved, axis=1) / tiny
    estimated = np.mean((estimates - noisy[MIDDLE].ravel()) ** 2, axis=1) + 2 * sigma**2 * own_share
    quality = -10 * np.log10(np.mean((estimates - clean[MIDDLE].ravel()) ** 2, axis=1))
    holds(1.5 - (quality.max() - quality[estimated.argmin()]), "dB")


# Symmetric or not


@pytest.mark.conclusion(
    "05:pair",
    where="eleven noisy images",
    tested="one metric per key makes at least one eigenvalue complex, and the mean metric of each pair none",
    varies={
        "picture": EVERY,
        "noise": [10, 25],
        "bandwidth": [1.5, 2.4, 4],
        "prior": [True, False],
        "draw": [0, 1],
    },
    against="the mean metric of each pair, which must leave all eigenvalues real",
    fails={"waves without noise": {"picture": "waves", "noise": 0, "bandwidth": 2.4, "prior": True, "draw": 0}},
)
def test_a_metric_per_key_makes_eigenvalues_complex(picture, noise, bandwidth, prior, draw, holds):
    """The share of them that is complex, on 16 × 16 pixels."""
    _, noisy, _ = with_noise(picture, noise, draw)
    C = steering_matrices(noisy)[20:36, 20:36].reshape(-1, 2, 2)
    places = np.argwhere(np.ones((16, 16))).astype(float)
    of_key = log_kernel(places, places, C / (2 * bandwidth**2))
    log_prior = prior * np.log(np.linalg.det(C)) / 2
    of_pair = softmax((of_key + of_key.T) / 2 + log_prior)
    assert np.abs(np.linalg.eigvals(of_pair).imag).max() < 1e-9
    are_complex = np.abs(np.linalg.eigvals(softmax(of_key + log_prior)).imag) > 1e-8
    holds(np.mean(are_complex), "of all")
