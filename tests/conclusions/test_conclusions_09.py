"""Chapter 9, diffusion: sweeps over training sets, sizes, noise levels, steps, radii and draws."""

import numpy as np
import pytest
from numpy.lib.stride_tricks import sliding_window_view

from lib import denoising_network
from lib.diffusion import denoise, noise_levels, sample, wiener_filter
from lib.images import blossoms, camera, cat, digits


def pictures_of(kind):
    """Return a thousand training images, and a hundred test images."""
    if kind == "digits":
        return digits(), digits(unseen=True)[:100]
    if kind == "photographs":
        return pieces("photograph", 1000, 0), pieces("cat", 100, 1)
    return blossoms(1000, rng=1), blossoms(100, rng=2)


def photograph(name):
    """Return 128 × 128 pixels in grey: the course's own images, or a part of scikit-image's at half size."""
    if name in ("photograph", "cat"):
        return camera() if name == "photograph" else cat().mean(axis=-1)
    from skimage import data

    whole = getattr(data, name)()[:256, :256] / 255
    return whole.reshape(128, 2, 128, 2).mean(axis=(1, 3))


def pieces(name, n, rng):
    """Cut random pieces of 28 × 28 pixels, in [−1, 1]."""
    image, corners = photograph(name), np.random.default_rng(rng).integers(0, 101, (n, 2))
    return np.array([2 * image[r : r + 28, c : c + 28] - 1 for r, c in corners], np.float32)


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
    where="digits and blossoms, ten to ten thousand of them, five steps or more",
    varies={
        "kind": ["digits", "blossoms"],
        "n": [10, 100, 1000, 10_000],
        "steps": [5, 30],
        "last": [0.3, 0.08, 0.01],
        "draw": [0, 1],
    },
    against="a hundredth of the smallest distance of an unseen image to the training set",
    fails={
        "two steps, the last at a third of the range": {
            "kind": "blossoms",
            "n": 1000,
            "steps": 2,
            "last": 0.3,
            "draw": 1,
        }
    },
)
def test_whole_pictures_end_at_a_known_one(kind, n, steps, last, draw, holds):
    known, (_, unseen) = many_pictures(kind, n), pictures_of(kind)
    end = sample(known, draw, noise_levels(steps, 10.0, last))
    control = min(distance_to(known, picture) for picture in unseen[:30])
    holds(control / 100 - distance_to(known, end), "rms")


@pytest.mark.conclusion(
    "09:invention",
    where="digits and blossoms, ten to a thousand of them, radius 1 to 4",
    varies={
        "kind": ["digits", "blossoms"],
        "n": [10, 100, 1000],
        "steps": [10, 30],
        "radius": [1, 2, 4],
        "draw": [0, 1],
    },
    against="half the mean distance of an unseen image to the training set; and the pieces of a walk with "
    "training images that have exchanged their pixels, position by position",
    fails={
        "three training images": {"kind": "digits", "n": 3, "steps": 30, "radius": 4, "draw": 0},
        "ten training images, radius 6": {"kind": "digits", "n": 10, "steps": 30, "radius": 6, "draw": 0},
    },
)
def test_small_patches_invent_images_from_known_pieces(kind, n, steps, radius, draw, holds):
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


@pytest.mark.conclusion(
    "09:unseen",
    where="unseen digits and blossoms from σ = 0.1 to 1.5, after a hundred training images or more",
    varies={
        "kind": ["digits", "blossoms"],
        "n": [100, 300, 1000],
        "noise_std": [0.1, 0.2, 0.5, 1.0, 1.5],
        "draw": [0, 5],
    },
    against="whole images and the Wiener filter, each at the noise it should assume, and no filter",
    fails={
        "photographs": {"kind": "photographs", "n": 1000, "noise_std": 0.5, "draw": 0},
        "digits with hardly any noise": {"kind": "digits", "n": 1000, "noise_std": 0.02, "draw": 0},
    },
)
def test_patches_guess_unseen_pictures_best(kind, n, noise_std, draw, holds):
    known, unseen = pictures_of(kind)
    known, unseen = known[:n], unseen[:20]
    assume = noise_std * np.array([0.5, 1, 2])
    patches = [lambda q, r=r: denoise(q, known, noise_std, r) for r in (0, 1, 2, 3, 4, 6)]
    whole = [lambda q, s=s: denoise(q, known, s) for s in noise_std * np.array([1, 2, 4, 8, 16, 32])]
    linear = wiener_filter(known)
    linears = [lambda q, s=s: linear(q, s) for s in assume]
    rivals = (at_its_best(each, unseen, noise_std, draw) for each in (whole, linears, [lambda q: q]))
    holds(min(rivals) - at_its_best(patches, unseen, noise_std, draw), "rms")


@pytest.mark.conclusion(
    "09:photographs",
    where="pieces of the cat and of the photograph, each after pieces of the other",
    varies={
        "pieces_of": [("photograph", "cat"), ("cat", "photograph")],
        "noise_std": [0.2, 0.5, 1.0, 2.0],
        "draw": [0, 1],
    },
    against="patches at the best of five radii",
    fails={
        "pieces of the same photograph": {
            "pieces_of": ("photograph", "photograph"),
            "noise_std": 0.2,
            "draw": 0,
        },
        "pieces of the moon after the photograph": {
            "pieces_of": ("photograph", "moon"),
            "noise_std": 0.5,
            "draw": 1,
        },
        "pieces of the moon after the cat, in strong noise": {
            "pieces_of": ("cat", "moon"),
            "noise_std": 2.0,
            "draw": 0,
        },
        "bricks after bricks of the same wall": {"pieces_of": ("brick", "brick"), "noise_std": 0.5, "draw": 0},
    },
)
def test_wiener_filter_is_best_on_photographs(pieces_of, noise_std, draw, holds):
    known, unseen = pieces_of
    train, test = pieces(known, 1000, 2 * draw), pieces(unseen, 20, 2 * draw + 1)
    wiener = wiener_filter(train)
    patches = [lambda q, r=r: denoise(q, train, noise_std, r) for r in (0, 1, 2, 3, 4)]
    rival = at_its_best(patches, test, noise_std, draw)
    holds(rival - at_its_best([lambda q: wiener(q, noise_std)], test, noise_std, draw), "rms")


@pytest.mark.conclusion(
    "09:network",
    where="unseen digits under seven levels of noise",
    varies={"noise_std": [0.1, 0.2, 0.5, 1.0, 2.0, 4.0, 8.0], "part": [0, 3], "draw": [0, 1, 2]},
    against="whole images at their best bandwidth for resembling the network",
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
    where="digits and blossoms, ten to three hundred of them, radius 1 to 4, the mean of six starts",
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
