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
DRAWS = range(20)
OTHERS = {  # from scikit-image, at half size: the corner of a crop of 64 × 64 pixels
    "brick": (50, 50),
    "page": (10, 50),
    "moon": (100, 100),
    "grass": (50, 50),
}
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
    return np.array([padded[r : r + height, c : c + width] for r, c in corners], np.float32)


def mirrored(array, width):
    return np.pad(array, [(width, width)] * 2 + [(0, 0)] * (array.ndim - 2), mode="reflect")


def steps_of(radius):
    """x_i − x_j for the window's keys."""
    return np.mgrid[-radius : radius + 1, -radius : radius + 1].reshape(2, -1).T.astype(np.float32)


def patch_distances(noisy, feature_map, radius):
    """‖P(y_i − y_j)‖² of 7 × 7 patches."""
    features = patches(mirrored(noisy, radius), 3)
    features = features.reshape(*features.shape[:2], -1) @ feature_map.T
    near, total = np.s_[radius:-radius, radius:-radius], 0
    for feature in np.moveaxis(features, -1, 0):
        total = total + (shifts(feature, radius) - feature[near].astype(np.float32)) ** 2
    return total


def place_distances(radius, matrices=None):
    """‖x_i − x_j‖², or (x_i − x_j)ᵀC_j(x_i − x_j)."""
    x = steps_of(radius)
    if matrices is None:
        return np.sum(x**2, axis=1)[:, None, None]
    return np.einsum("ka,khwab,kb->khw", x, shifts(mirrored(matrices, radius), radius), x)


def averaged(distance, values, floor=0.0, log_prior=0.0):
    weights = softmax(log_prior - np.maximum(distance - floor, 0), axis=0)
    return np.einsum("khw,khw->hw", weights, values)


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


def best_of_features(clean, noisy, sigma, feature_map, radius):
    values = shifts(mirrored(noisy, radius), radius)
    distance = patch_distances(noisy, feature_map, radius)
    floor = 2 * sigma**2 * np.sum(feature_map**2)
    return max(psnr(averaged(distance / h**2, values, floor / h**2), clean) for h in sigma * FEATURE_BANDWIDTHS)


# Move it


@pytest.mark.conclusion(
    "05:along",
    tested="the weights reach farther along the edge than across it at more than {limit} % of the edge pixels",
    where="the steepest two per cent of the pixels",
    varies={
        "picture": ["photograph"],
        "noise": [10, 25, 50],
        "bandwidth": [1.5, 2.5, 4],
        "radius": [4, 6],
        "draw": DRAWS,
    },
    names={"picture": "On the photograph", "noise": "even in noise of σ = 50/255"},
    against="a Gaussian block, whose weights reach as far across as along",
    control="the steering block of the noise alone",
    fails={"on grass in strong noise": {"picture": "grass", "noise": 75, "bandwidth": 4, "radius": 4, "draw": 1}},
)
def test_steering_stretches_the_weights_along_most_strong_edges(picture, noise, bandwidth, radius, draw, holds):
    """The share of edges for which the mean square of the steps, by the weights, is larger along than across."""
    clean, noisy, _ = with_noise(picture, noise, draw)
    gradient = np.stack(np.gradient(clean))
    steepness = np.hypot(*gradient)
    inside = np.zeros(clean.shape, bool)
    inside[8:-8, 8:-8] = True
    asked = np.argwhere(inside & (steepness >= np.quantile(steepness[inside], 0.98)))[::3]

    def share(steering):
        kernel, x = unified.steering_kernel(noisy, steering, bandwidth, radius), steps_of(radius)
        are_along = []
        for row, column in asked:
            weights = unified.window_weights(kernel, (row, column)).ravel()
            across, along = gradient[:, row, column], gradient[::-1, row, column] * [1, -1]
            are_along.append(weights @ (x @ across) ** 2 < weights @ (x @ along) ** 2)
        return 100 * np.mean(are_along)

    of_image, of_noise = steering_matrices(noisy), steering_matrices(0.5 + noisy - clean)
    holds(share(of_image), "% of the edges", above=50, control=share(of_noise))


# Step 1


@pytest.mark.conclusion(
    "05:tilt",
    tested="the PSNR is higher by more than {limit} dB",
    where="teeth of two lengths under two windows",
    varies={"noise": [1, 2, 4], "period": [8, 16], "radius": [4, 6], "draw": DRAWS},
    names={"noise": "one to four times their rise per column", "period": "of 8 and 16 columns"},
    against="the upright metric, each metric at the best of 36 pairs of bandwidths",
    control="the metric tilted by the wrong slope",
    fails={"on a slope without jumps": {"noise": 2, "period": 32, "radius": 6, "draw": 0}},
)
def test_tilted_metric_has_lower_error_on_saw_teeth(noise, period, radius, draw, holds):
    """Teeth that rise by 0.02 per column; `noise` in rises. Columns near the border are left out."""
    rise, inside = 0.02, np.s_[:, 6:-6]
    teeth, sigma = np.tile(0.2 + rise * (np.arange(32) % period), (32, 1)), rise * noise
    noisy = images.add_noise(teeth, sigma, rng=np.random.default_rng(draw))
    values, place = shifts(mirrored(noisy, radius), radius), place_distances(radius)

    def best(slope):
        """The distance Δx²/h_x² + (Δy − g·Δx)²/h_y² has the tilted metric."""
        squares = (values - noisy - slope * steps_of(radius)[:, 1, None, None]) ** 2 / sigma**2
        pairs = ((h_x, h_y) for h_x in (1, 1.5, 2, 3, 4, 6) for h_y in (1.5, 2, 3, 4, 6, 1e6))
        return max(psnr(averaged(place / a**2 + squares / b**2, values)[inside], teeth[inside]) for a, b in pairs)

    upright = best(0)
    holds(best(rise) - upright, "dB", above=0.01, control=best(-rise) - upright)


# Step 2


@pytest.mark.conclusion(
    "05:learned",
    where="7 × 7 patches, two windows",
    varies={
        "picture": ["waves", "cat"],
        "noise": [25],
        "radius": [3, 5],
        "n_features": [6],
        "draw": DRAWS,
    },
    names={
        "picture": "on waves of period 8",
        "noise": "At σ = 25/255",
        "radius": "window radius 3 or 5",
        "n_features": "six learned features",
    },
    against="as many cosines of low frequency, each at the best of thirteen bandwidths",
    control="features learned from noise alone, in place of the better ones",
    fails={
        "waves of period 16": {"picture": "waves 16", "noise": 25, "radius": 3, "n_features": 6, "draw": 0},
        "the cat in little noise": {"picture": "cat", "noise": 10, "radius": 3, "n_features": 6, "draw": 0},
    },
)
def test_learned_features_are_better_on_waves_and_worse_on_cat(picture, noise, radius, n_features, draw, holds):
    clean, noisy, sigma = with_noise(picture, noise, draw)
    only_noise = np.random.default_rng(draw).normal(size=noisy.shape)
    learned, fixed, of_noise = (
        best_of_features(clean, noisy, sigma, feature_map, radius)
        for feature_map in (
            learned_map(noisy, n_features),
            cosine_map(n_features),
            learned_map(only_noise, n_features),
        )
    )
    better, worse = (learned, fixed) if picture.startswith("waves") else (fixed, learned)
    holds(better - worse, "dB", control=of_noise - worse)


# Step 5


WHOLE = {"cat": images.cat().mean(axis=-1), "waves": images.texture(128, period=8)}


def averaged_squares(clean, noise, seed, bandwidth, radius):
    """The averages of the nine pixels around each key, by the weights of step 2."""
    sigma = noise / 255
    noisy = images.add_noise(clean, sigma, rng=np.random.default_rng(seed))
    feature_map = learned_map(noisy)
    distance = patch_distances(noisy, feature_map, radius) - 2 * sigma**2 * np.sum(feature_map**2)
    weights = softmax(-np.maximum(distance, 0) / bandwidth**2, axis=0)
    squares = patches(mirrored(noisy, radius), 1)
    nine = np.moveaxis(squares.reshape(*squares.shape[:2], 9), -1, 0)
    return np.stack([np.einsum("khw,khw->hw", weights, shifts(each, radius)) for each in nine], axis=-1)


@pytest.mark.conclusion(
    "05:read-out",
    tested="the PSNR of the waves falls, and their amplitude becomes larger than without noise",
    where="the chapter’s images and features, in two windows",
    varies={"picture": ["cat"], "noise": [25], "bandwidth": [0.1], "radius": [4, 6], "draw": DRAWS},
    names={
        "picture": "on the cat image",
        "noise": "At σ = 25/255",
        "bandwidth": "h = 0.1",
        "radius": "window radius 4 or 6",
    },
    against="the centre pixel, a read-out that was not learned",
    control="a read-out learned on the waves with different noise",
    fails={
        "a smaller bandwidth": {"picture": "cat", "noise": 25, "bandwidth": 0.07, "radius": 6, "draw": 0},
        "strong noise": {"picture": "cat", "noise": 50, "bandwidth": 0.2, "radius": 6, "draw": 0},
    },
)
def test_read_out_learned_on_cat_harms_the_waves(picture, noise, bandwidth, radius, draw, holds):
    """By how much the PSNR of the waves falls, and their amplitude grows, in dB: the smaller of the two."""
    of = lambda name, seed: averaged_squares(WHOLE[name], noise, seed, bandwidth, radius)
    waves, squares = WHOLE["waves"], of("waves", 2 * draw + 1)

    def harm(name):
        training, true = of(name, 2 * draw), WHOLE[name]
        estimate = squares @ np.linalg.lstsq(training.reshape(-1, 9), true.ravel(), rcond=None)[0]
        amplitude = np.polyfit(waves.ravel(), estimate.ravel(), 1)[0]
        return min(psnr(squares[..., 4], waves) - psnr(estimate, waves), 20 * np.log10(amplitude))

    holds(harm(picture), "dB", control=harm("waves"))


# Which matrix is best?


@functools.cache
def best_of_each(name, noise, seed, radius):
    """PSNR of the chapter's eight matrices, each at the best of its bandwidths."""
    clean, noisy, sigma = with_noise(name, noise, seed)
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
    where="pieces of 64 × 64 pixels, a window of radius 3",
    varies={"pictures": [("waves", "cat")], "noise": [25], "radius": [3], "draw": DRAWS},
    names={
        "pictures": "both the waves and the cat image",
        "noise": "at σ = 25/255",
        "radius": "in windows of radius 3",
    },
    against="for each of the eight, the best of the others on each image",
    control="the waves twice, with different noise",
    fails={
        "learned features on photograph and wall": {
            "pictures": ("photograph", "wall"),
            "noise": 25,
            "radius": 3,
            "draw": 0,
        }
    },
)
def test_no_matrix_is_best_for_both_pictures(pictures, noise, radius, draw, holds):
    """By how much the most modest loser loses on the picture where it loses most."""

    def least_loss(*seeds):
        found = [best_of_each(name, noise, seed, radius) for name, seed in seeds]
        return min(max(max(of.values()) - of[name] for of in found) for name in found[0])

    first, second = pictures
    loss = least_loss((first, draw), (second, draw))
    holds(loss, "dB", control=least_loss((first, draw), (first, draw + 1)))


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


INSIDE = np.s_[8:32, 8:32]


def passes_and_twicings(noisy, h_x, h_y, most=16):
    """The estimates after 1, 2, … passes, and after as many rounds of twicing; weights from a blurred copy."""
    B, y = balanced(filters.bilateral(noisy, 1.0, 1e6)[INSIDE], h_x, h_y), noisy[INSIDE].ravel()
    passes, twicings = [B @ y], [B @ y]
    for _ in range(most - 1):
        passes.append(B @ passes[-1])
        twicings.append(twicings[-1] + B @ (y - twicings[-1]))
    return np.array([passes, twicings])


@pytest.mark.conclusion(
    "05:stop",
    tested="the estimate that Stein’s estimate chooses is less than {limit} dB worse than the best, both of 16 "
    "passes and of 16 rounds of twicing",
    where="four pieces of 24 × 24 pixels, three bandwidths",
    varies={
        "kind": ["white"],
        "corner": [(8, 8), (8, 42), (40, 60), (64, 40)],
        "noise": [10, 25],
        "bandwidth": [0.7, 1.5, 3.0],
        "draw": DRAWS,
    },
    names={"corner": "Where the photograph is not flat", "kind": "in white noise", "noise": "σ up to 25/255"},
    against="the best number of passes or rounds for the clean image",
    control="the estimate nearest to the noisy image, without Stein’s term for the noise that is kept",
    fails={
        "a flat piece": {"kind": "white", "corner": (90, 90), "noise": 25, "bandwidth": 3.0, "draw": 16},
        "noise averaged over three pixels of a row": {
            "kind": "correlated",
            "corner": (90, 90),
            "noise": 25,
            "bandwidth": 3.0,
            "draw": 1,
        },
    },
)
def test_steins_estimate_says_when_to_stop(kind, corner, noise, bandwidth, draw, holds):
    (row, column), sigma = corner, noise / 255
    clean = images.camera()[row - 8 : row + 32, column - 8 : column + 32]
    noisy = images.add_noise(clean, sigma, rng=np.random.default_rng(draw))
    if kind == "correlated":
        noisy = clean + sum(np.roll(noisy - clean, shift, axis=1) for shift in (-1, 0, 1)) / np.sqrt(3)
    widths = bandwidth, (1.5 if bandwidth < 1 else 1 + bandwidth) * sigma
    push, tiny = np.random.default_rng(9).choice([-1, 1], noisy.shape), sigma / 100
    estimates = passes_and_twicings(noisy, *widths)
    moved = passes_and_twicings(noisy + tiny * push, *widths) - estimates
    kept = np.mean(push[INSIDE].ravel() * moved, axis=2) / tiny
    changed = np.mean((estimates - noisy[INSIDE].ravel()) ** 2, axis=2)
    quality = -10 * np.log10(np.mean((estimates - clean[INSIDE].ravel()) ** 2, axis=2))

    def loss(criterion):
        chosen = np.take_along_axis(quality, criterion.argmin(axis=1, keepdims=True), axis=1)
        return np.max(quality.max(axis=1) - chosen[:, 0])

    holds(loss(changed + 2 * sigma**2 * kept), "dB", below=1, control=loss(changed))


# Symmetric or not


@pytest.mark.conclusion(
    "05:pair",
    tested="one metric per key makes at least one eigenvalue complex, and the mean metric of each pair none",
    where="16 × 16 pixels of the photograph, with and without the prior",
    varies={
        "picture": ["photograph"],
        "noise": [25],
        "bandwidth": [1.5, 2.4, 4],
        "prior": [True, False],
        "draw": DRAWS,
    },
    names={"picture": "On the photograph", "noise": "at σ = 25/255", "bandwidth": "h from 1.5 to 4"},
    against="the mean metric of each pair, which must leave all eigenvalues real",
    control="the mean metric of each pair",
    fails={
        "waves without noise": {"picture": "waves", "noise": 0, "bandwidth": 2.4, "prior": True, "draw": 0},
        "a narrow kernel in less noise": {
            "picture": "photograph",
            "noise": 10,
            "bandwidth": 1.5,
            "prior": True,
            "draw": 6,
        },
        "a narrower kernel": {"picture": "photograph", "noise": 25, "bandwidth": 1, "prior": True, "draw": 13},
    },
)
def test_a_metric_per_key_makes_eigenvalues_complex(picture, noise, bandwidth, prior, draw, holds):
    """The share of them that is complex, on 16 × 16 pixels."""
    _, noisy, _ = with_noise(picture, noise, draw)
    C = steering_matrices(noisy)[20:36, 20:36].reshape(-1, 2, 2)
    places = np.argwhere(np.ones((16, 16))).astype(float)
    of_key = log_kernel(places, places, C / (2 * bandwidth**2))

    def share(log_weights):
        eigenvalues = np.linalg.eigvals(softmax(log_weights + prior * np.log(np.linalg.det(C)) / 2))
        return np.mean(np.abs(eigenvalues.imag) > 1e-8)

    of_pair = share((of_key + of_key.T) / 2)
    assert of_pair == 0
    holds(share(of_key), "of all", control=of_pair)
