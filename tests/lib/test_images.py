"""The images, the noise and the PSNR."""

import math
from functools import partial

import numpy as np
import pytest

from lib.images import (
    add_noise,
    blossoms,
    brick_wall,
    camera,
    cat,
    digits,
    estimate_noise_std,
    psnr,
    ramp,
    step,
    texture,
)
from tests.invalid_input import rejects


def test_photographs_match_scikit_image():
    data = pytest.importorskip("skimage.data")
    half = lambda part: part.reshape(128, 2, 128, 2, -1).astype(float).mean(axis=(1, 3)).squeeze()
    assert np.abs(255 * camera() - half(data.camera()[96:352, 176:432])).max() <= 0.5
    assert np.abs(255 * cat() - half(data.chelsea()[30:286, 90:346])).max() <= 0.5


def test_digits_are_split_and_ordered():
    known, unseen = digits(), digits(unseen=True)
    assert known.shape == (1000, 28, 28) and unseen.shape == (200, 28, 28) and known.dtype == np.float32
    every = np.concatenate([known, unseen])
    assert every.min() == -1 and every.max() == 1 and len(np.unique(every)) == 16
    assert len(np.unique(every, axis=0)) == 1200  # no digit occurs in both, or twice
    for pictures in (known, unseen):  # a zero has a hole in the centre, a one has ink there
        middle = pictures[:, 13:15, 13:15].mean(axis=(1, 2))
        assert middle[0::10].mean() < -0.8 and middle[1::10].mean() > 0.7


def test_blossoms_are_distinct_closed_curves():
    pictures = blossoms(40, rng=1)
    assert pictures.shape == (40, 28, 28) and pictures.dtype == np.float32
    assert pictures.min() == -1 and pictures.max() == 1
    assert (pictures[:, [0, -1]] == -1).all() and (pictures[:, :, [0, -1]] == -1).all()  # nothing is cut off
    assert len(np.unique(pictures, axis=0)) == 40
    np.testing.assert_array_equal(blossoms(40, rng=1), pictures)
    ndimage = pytest.importorskip("scipy.ndimage")
    assert ndimage.label(pictures[0] < -0.5)[1] > 1  # the curve has an inside


def test_synthetic_images_have_stated_shape_and_range():
    for make in (step, ramp, texture):
        assert make(7).shape == (7, 7) and (make(7) >= 0).all() and (make(7) <= 1).all()
    assert np.ptp(step(8), axis=1).tolist() == [0.5] * 8
    np.testing.assert_allclose(np.diff(ramp(9), axis=1), 1 / 8)
    np.testing.assert_allclose(texture(20, 5)[:15], texture(20, 5)[5:], atol=1e-12)


def test_brick_wall_has_texture_edges_and_smooth_parts():
    wall = brick_wall()
    assert wall.shape == (256, 256) and wall.dtype == np.float64
    assert 0 <= wall.min() < 0.2 and 0.9 < wall.max() <= 1
    np.testing.assert_array_equal(brick_wall(), wall)
    mortar = wall[180:] > 0.55
    np.testing.assert_array_equal(mortar[8:, 8:], mortar[:-8, :-8])
    assert 0.3 < mortar.mean() < 0.4 and (mortar[8:] != mortar[:-8]).mean() > 0.05
    bricks = wall[180:][~mortar]
    assert len(np.unique(np.round(bricks, 3))) > 40 and np.ptp(bricks) > 0.3
    gradient = np.hypot(*np.gradient(wall))
    assert gradient[:20].max() < 0.002 and gradient.max() > 0.2  # the sky, the roof
    assert 0 < gradient[125:142, 120:137].max() < 0.02  # the window
    assert np.mean(gradient[180:] > 0.05) > 0.3  # the bricks
    for shape in (1, 1), (3, 7), (97, 101):
        wall = brick_wall(*shape)
        assert wall.shape == shape and np.isfinite(wall).all() and 0 <= wall.min() and wall.max() <= 1


def test_noise_has_requested_std_and_follows_rng():
    image = np.full((200, 200), 0.5)
    noise = add_noise(image, 0.1, rng=np.random.default_rng(0)) - image
    assert abs(noise.mean()) < 4 * 0.1 / 200 and abs(noise.std() / 0.1 - 1) < 4 / math.sqrt(2 * 200**2)
    np.testing.assert_array_equal(add_noise(image, 0.1, rng=np.random.default_rng(0)) - image, noise)
    assert (add_noise(image, 0.1, rng=np.random.default_rng(1)) - image != noise).mean() > 0.99
    np.testing.assert_array_equal(add_noise(image, 0, rng=np.random.default_rng(0)), image)
    assert add_noise(image.astype(np.float32), 0.1, rng=np.random.default_rng(0)).dtype == np.float32


@pytest.mark.parametrize("noise_std", [0.02, 0.05, 0.1, 0.3])
@pytest.mark.parametrize("picture", [camera, cat, ramp, lambda: np.zeros((99, 101))])
def test_noise_is_estimated_from_one_image(picture, noise_std):
    """Edges and colour do not matter; the finest texture adds its own, most where there is little noise."""
    estimate = estimate_noise_std(add_noise(picture(), noise_std, rng=3))
    assert 0.95 * noise_std < estimate < 1.05 * noise_std + 0.015


def test_noise_of_smooth_image_is_zero():
    assert estimate_noise_std(ramp()) < 1e-12
    assert estimate_noise_std(np.full((5, 5), 7, np.uint8)) == 0


test_invalid_input_is_rejected = rejects(
    ("image", lambda: estimate_noise_std(np.zeros((1, 9)))),
    ("image", lambda: estimate_noise_std(np.zeros(9))),
    *[("noise_std", partial(add_noise, np.zeros((2, 2)), bad, rng=0)) for bad in (-0.1, np.inf)],
    ("estimate", lambda: psnr(np.zeros((2, 2)), np.zeros((2, 3)))),
    ("reference", lambda: psnr(np.zeros((2, 2)), np.full((2, 2), np.nan))),
    ("image", lambda: add_noise(np.array([["a"]]), 0.1, rng=0)),
    ("unseen", lambda: digits("no")),
)


def test_noise_estimate_leaves_out_constant_channels():
    noisy = add_noise(np.full((64, 64, 3), 0.5), 0.05, rng=0)
    opaque = np.dstack([noisy, np.ones((64, 64))])
    assert estimate_noise_std(opaque) == estimate_noise_std(noisy)
    assert estimate_noise_std(np.ones((4, 4, 3))) == 0
