"""Chapter 9, diffusion: sweeps over training sets, sizes, noise levels, steps, radii and draws."""

import numpy as np
import pytest
from numpy.lib.stride_tricks import sliding_window_view

from lib import denoising_network
from lib.diffusion import denoise, noise_levels, sample
from lib.images import blossoms, digits


def pictures_of(kind):
    """Return a thousand training images, and a hundred test images."""
    if kind == "digits":
        return digits(), digits(unseen=True)[:100]
    return blossoms(1000, rng=1), blossoms(100, rng=2)


def many_pictures(kind, n):
    """Return up to ten thousand training images: the digits in ten positions, or as many blossoms."""
    if kind == "blossoms":
        return blossoms(n, rng=1)
    steps = [(0, 0), (1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (1, -1), (-1, 1), (-1, -1), (2, 0)]
    return np.concatenate([np.roll(digits(), step, axis=(1, 2)) for step in steps])[:n]


def rms(difference):
    return np.sqrt(np.mean(difference**2))


def distance_to(known, picture):
    """Return the root mean square distance to the nearest training image."""
    return np.sqrt(((picture - known) ** 2).mean(axis=(1, 2)).min())


@pytest.mark.conclusion(
    "09:memory",
    varies={
        "kind": ["digits", "blossoms"],
        "n": [10, 100, 1000, 10_000],
        "steps": [5, 30],
        "last": [0.3, 0.08, 0.01],
        "draw": [0, 1],
    },
    against="a hundredth of the smallest distance of an unseen picture to the known ones",
)
def test_whole_pictures_end_at_a_known_one(kind, n, steps, last, draw, holds):
    known, (_, unseen) = many_pictures(kind, n), pictures_of(kind)
    end = sample(known, draw, noise_levels(steps, 10.0, last))
    control = min(distance_to(known, picture) for picture in unseen[:30])
    holds(control / 100 - distance_to(known, end), "rms")


@pytest.mark.conclusion(
    "09:invention",
    varies={
        "kind": ["digits", "blossoms"],
        "n": [10, 100, 1000],
        "steps": [10, 30],
        "radius": [1, 2, 4],
        "draw": [0, 1],
    },
    against="half the mean distance of an unseen picture to the known ones; and the pieces of a walk whose known "
    "pictures have exchanged their pixels, place by place",
)
def test_small_patches_end_far_from_all_known_pictures_in_pieces_that_are_known(
    kind, n, steps, radius, draw, holds
):
    known, unseen = pictures_of(kind)
    known, levels = known[:n], noise_levels(steps, 10.0, 0.08)
    end = sample(known, draw, levels, patch_radius=radius)
    control = np.mean([distance_to(known, picture) for picture in unseen[:30]])
    exchanged = np.random.default_rng(draw).permuted(known.reshape(n, -1), axis=0).reshape(known.shape)
    shuffled = sample(exchanged, draw, levels, patch_radius=radius)
    pieces = [distance_of_pieces(known, each, radius) for each in (end, shuffled)]
    holds(min(distance_to(known, end) - control / 2, 3 / 4 * pieces[1] - pieces[0]), "rms")


def distance_of_pieces(known, picture, radius):
    """Return the root mean square distance of an image's patches to the nearest ones at their position."""
    patches = lambda image: sliding_window_view(np.pad(image, radius), (2 * radius + 1,) * 2)
    nearest = np.full(picture.shape, np.inf)
    for each in known:
        nearest = np.minimum(nearest, ((patches(each) - patches(picture)) ** 2).mean(axis=(2, 3)))
    return np.sqrt(nearest.mean())


def errors(method, unseen, noise_std, draw):
    """Return the root mean square error of estimates on the first half of the test images, and on the second."""
    noise = np.random.default_rng(draw).standard_normal(unseen.shape)
    guesses = np.array([method(x + noise_std * e) for x, e in zip(unseen, noise, strict=True)])
    half = len(unseen) // 2
    return np.array([rms((guesses - unseen)[:half]), rms((guesses - unseen)[half:])])


def at_its_best(methods, unseen, noise_std, draw):
    """Return the error on the second half for the setting that is best on the first."""
    return min(tuple(errors(method, unseen, noise_std, draw)) for method in methods)[1]


def linear(known, noise_std):
    """Return the best linear estimate from the mean and the covariance of the training images."""
    flat = known.reshape(len(known), -1).astype(float)
    mean, (variances, directions) = flat.mean(axis=0), np.linalg.eigh(np.cov(flat.T))
    shrink = variances.clip(0) / (variances.clip(0) + noise_std**2)
    smoother = (directions * shrink) @ directions.T
    return lambda noisy: (mean + smoother @ (noisy.ravel() - mean)).reshape(noisy.shape)


@pytest.mark.conclusion(
    "09:unseen",
    varies={
        "kind": ["digits", "blossoms"],
        "n": [100, 300, 1000],
        "noise_std": [0.1, 0.2, 0.5, 1.0, 1.5],
        "draw": [0, 5],
    },
    against="whole pictures and the best linear filter, each at the noise it should assume, and no filter",
)
def test_patches_guess_unseen_pictures_best(kind, n, noise_std, draw, holds):
    known, unseen = pictures_of(kind)
    known, unseen = known[:n], unseen[:20]
    assume = noise_std * np.array([0.5, 1, 2])
    patches = [lambda q, r=r: denoise(q, known, noise_std, r) for r in (0, 1, 2, 3, 4, 6)]
    whole = [lambda q, s=s: denoise(q, known, s) for s in noise_std * np.array([1, 2, 4, 8, 16, 32])]
    linears = [linear(known, s) for s in assume]
    rivals = (at_its_best(each, unseen, noise_std, draw) for each in (whole, linears, [lambda q: q]))
    holds(min(rivals) - at_its_best(patches, unseen, noise_std, draw), "rms")


@pytest.mark.conclusion(
    "09:network",
    varies={"noise_std": [0.1, 0.2, 0.5, 1.0, 2.0, 4.0, 8.0], "part": [0, 3], "draw": [0, 1, 2]},
    against="whole pictures at their best bandwidth for resembling the network",
)
def test_the_network_is_nearer_to_patches(noise_std, part, draw, holds):
    known, unseen = pictures_of("digits")
    unseen, network = unseen[20 * part : 20 * part + 20], denoising_network.load()
    noisy = unseen + noise_std * np.random.default_rng(draw).standard_normal(unseen.shape)
    by_network = [network(q, noise_std) for q in noisy]
    away = lambda method: rms(np.array([method(q) - x for q, x in zip(noisy, by_network, strict=True)]))
    to_patches = min(away(lambda q, r=r: denoise(q, known, noise_std, r)) for r in (0, 1, 2, 3, 4))
    to_whole = min(away(lambda q, s=s: denoise(q, known, s)) for s in noise_std * np.array([1, 2, 4, 8, 16, 32]))
    holds(to_whole - to_patches, "rms")


@pytest.mark.conclusion(
    "09:steps",
    varies={"kind": ["digits", "blossoms"], "n": [10, 100, 300], "radius": [1, 2, 4], "steps": [5, 10, 30]},
    against="patches with the same starts and levels",
)
def test_whole_pictures_need_fewer_steps(kind, n, radius, steps, holds):
    known = pictures_of(kind)[0][:n]

    def away(patch_radius):
        """Return the mean distance between the final images of a few steps and those of two hundred."""
        end = lambda draw, number: sample(known, draw, noise_levels(number, 10.0, 0.08), patch_radius)
        return np.mean([rms(end(draw, steps) - end(draw, 200)) for draw in range(6)])

    holds(away(radius) - away(None), "rms")
