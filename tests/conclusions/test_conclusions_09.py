"""Chapter 9, diffusion: sweeps over training sets, sizes, noise levels, steps, radii and draws."""

import functools

import numpy as np
import pytest
from numpy.lib.stride_tricks import sliding_window_view

from lib import denoising_network
from lib.diffusion import denoise, noise_levels, sample, wiener_filter
from lib.images import blossoms, camera, cat, digits

DRAWS = range(20)


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


def rms(difference):
    return np.sqrt(np.mean(difference**2))


def distance_to(known, picture):
    """Return the root mean square distance to the nearest training image."""
    return np.sqrt(((picture - known) ** 2).mean(axis=(1, 2)).min())


@pytest.mark.conclusion(
    "09:memory",
    tested="the end is nearer to a training image than a hundredth of the smallest distance of an unseen image",
    where="a hundred and a thousand training images, five and thirty steps, last levels of 0.3 and 0.08",
    varies={
        "kind": ["digits", "blossoms"],
        "n": [100, 1000],
        "steps": [5, 30],
        "last": [0.3, 0.08],
        "draw": DRAWS,
    },
    names={"kind": "training digits or blossoms", "steps": "five or more steps", "last": "the last noise level"},
    against="a hundredth of the smallest distance of an unseen image to the training set",
    control="a single step",
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
def test_sampling_by_whole_images_ends_at_a_training_image(kind, n, steps, last, draw, holds):
    known, unseen = pictures_of(kind)
    known = known[:n]
    near = min(distance_to(known, picture) for picture in unseen[:30]) / 100
    ends = sample(known, draw, noise_levels(steps, 10.0, last)), sample(known, draw, [10.0])
    margins = [near - distance_to(known, end) for end in ends]
    holds(margins[0], "rms", control=margins[1])


@pytest.mark.conclusion(
    "09:invention",
    tested="the end is farther from the training set than half the mean distance of an unseen image, and its "
    "pieces are nearer to it than three quarters of the distance for training images that exchange pixels",
    where="ten steps, radius 1 and 4",
    varies={
        "kind": ["digits", "blossoms"],
        "n": [100, 1000],
        "steps": [10],
        "radius": [1, 4],
        "draw": DRAWS,
    },
    names={
        "kind": "digits or blossoms",
        "n": "a hundred or a thousand",
        "radius": "radius 1 to 4",
    },
    against="an unseen image, and the pieces of a trajectory with training images that have exchanged their "
    "pixels, position by position",
    control="whole images",
    fails={
        "three training images": {"kind": "digits", "n": 3, "steps": 30, "radius": 4, "draw": 0},
        "ten training images, radius 6": {"kind": "digits", "n": 10, "steps": 30, "radius": 6, "draw": 0},
    },
)
def test_small_patches_invent_images_from_known_pieces(kind, n, steps, radius, draw, holds):
    known, unseen = pictures_of(kind)
    known, levels = known[:n], noise_levels(steps, 10.0, 0.08)
    half = np.mean([distance_to(known, picture) for picture in unseen[:30]]) / 2
    exchanged = np.random.default_rng(draw).permuted(known.reshape(n, -1), axis=0).reshape(known.shape)
    shuffled = distance_of_pieces(known, sample(exchanged, draw, levels, patch_radius=radius), radius)

    def margin(end):
        return min(distance_to(known, end) - half, 3 / 4 * shuffled - distance_of_pieces(known, end, radius))

    ends = (sample(known, draw, levels, patch_radius=each) for each in (radius, None))
    margins = [margin(end) for end in ends]
    holds(margins[0], "rms", control=margins[1])


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
    where="noise at both ends of this range and between, a hundred and a thousand training digits",
    varies={"kind": ["digits"], "n": [100, 1000], "noise_std": [0.1, 0.5, 1.5], "draw": DRAWS},
    names={"kind": "training digits", "n": "a hundred or a thousand", "noise_std": "σ from 0.1 to 1.5"},
    against="whole images and the Wiener filter, each at the noise it should assume, and no filter",
    control="patches of radius 9",
    fails={
        "photographs": {"kind": "photographs", "n": 1000, "noise_std": 0.5, "draw": 0},
        "digits with hardly any noise": {"kind": "digits", "n": 100, "noise_std": 0.01, "draw": 0},
    },
)
def test_patches_denoise_new_images_best(kind, n, noise_std, draw, holds):
    known, unseen = pictures_of(kind)
    known, unseen = known[:n], np.roll(unseen, -5 * draw, axis=0)[:20]
    radii = (0, 1, 2) if noise_std < 0.3 else (2, 3) if noise_std < 1 else (2, 3, 4, 6)
    patches = [lambda q, r=r: denoise(q, known, noise_std, r) for r in radii]
    whole = [lambda q, s=s: denoise(q, known, s) for s in noise_std * np.array([1, 2, 4, 8, 16, 32])]
    linear = wiener_filter(known)
    linears = [lambda q, s=s: linear(q, s) for s in noise_std * np.array([0.5, 1, 2])]
    large = [lambda q: denoise(q, known, noise_std, 9)]
    rival = min(at_its_best(each, unseen, noise_std, draw) for each in (whole, linears, [lambda q: q]))
    leads = [rival - at_its_best(each, unseen, noise_std, draw) for each in (patches, large)]
    holds(leads[0], "rms", control=leads[1])


@pytest.mark.conclusion(
    "09:photographs",
    where="noise at both ends of this range and between",
    varies={"pieces_of": [("photograph", "cat")], "noise_std": [0.2, 0.5, 2.0], "draw": DRAWS},
    names={"pieces_of": "pieces of the cat image", "noise_std": "σ from 0.2 to 2"},
    against="patches at the best of five radii",
    control="the Wiener filter from ten pieces",
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
    patches = [lambda q, r=r: denoise(q, train, noise_std, r) for r in (0, 1, 2, 3, 4)]
    rival = at_its_best(patches, test, noise_std, draw)

    def lead(n):
        wiener = wiener_filter(train[:n])
        return rival - at_its_best([lambda q: wiener(q, noise_std)], test, noise_std, draw)

    holds(lead(1000), "rms", control=lead(10))


@pytest.mark.conclusion(
    "09:network",
    where="a different five digits in each draw, under five levels of noise",
    varies={"noise_std": [0.1, 0.5, 1.0, 2.0, 8.0], "draw": DRAWS},
    names={"noise_std": "σ from 0.1 to 8"},
    against="whole images at their best bandwidth for resembling the network",
    control="the mean of the training digits",
)
def test_the_network_is_nearer_to_patches(noise_std, draw, holds):
    known, unseen = pictures_of("digits")
    unseen, network = unseen[5 * draw : 5 * draw + 5], denoising_network.load()
    noisy = unseen + noise_std * np.random.default_rng(draw).standard_normal(unseen.shape)
    by_network = [network(q, noise_std) for q in noisy]
    away = lambda method: rms(np.array([method(q) - x for q, x in zip(noisy, by_network, strict=True)]))
    to_patches = min(away(lambda q, r=r: denoise(q, known, noise_std, r)) for r in (0, 1, 3))
    to_whole = min(away(lambda q, s=s: denoise(q, known, s)) for s in noise_std * np.array([1, 2, 4, 8, 16, 32]))
    holds(to_whole - to_patches, "rms", control=to_whole - away(lambda q: known.mean(axis=0)))


@functools.cache
def ends_of(kind, n, steps, radius):
    """The final images of twenty starts, the same for every number of steps and radius."""
    starts = [10 * np.random.default_rng(draw).standard_normal((28, 28)) for draw in DRAWS]
    known = pictures_of(kind)[0][:n]
    levels = noise_levels(steps, 10.0, 0.08) if steps > 1 else [10.0]
    return [sample(known, None, levels, radius, start) for start in starts]


@pytest.mark.conclusion(
    "09:steps",
    where="digits and blossoms, patches of radius 2, the mean of twenty starts",
    varies={"kind": ["digits", "blossoms"], "n": [10, 100], "radius": [2], "steps": [5, 30]},
    names={
        "kind": "digits or blossoms",
        "n": "ten or a hundred",
        "radius": "radius 2",
        "steps": "five to thirty steps",
    },
    against="patches with the same starts and levels",
    control="whole images with a single step",
)
def test_whole_pictures_need_fewer_steps(kind, n, radius, steps, holds):
    def away(radius, steps):
        """Return the mean distance between the final images of a few steps and those of two hundred."""
        pairs = zip(ends_of(kind, n, steps, radius), ends_of(kind, n, 200, radius), strict=True)
        return np.mean([rms(few - many) for few, many in pairs])

    of_patches = away(radius, steps)
    holds(of_patches - away(None, steps), "rms", control=of_patches - away(None, 1))
