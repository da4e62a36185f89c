"""The bilateral grid compared with the exact filter."""

import itertools
import math

import numpy as np
import pytest

from lib.filters import bilateral, bilateral_grid
from lib.images import add_noise, camera, step
from tests.invalid_input import rejects

SIGMA = 25 / 255


def rms(error):
    return float(np.sqrt(np.mean(error**2)))


@pytest.fixture(scope="module")
def noisy():
    return add_noise(camera()[20:73, 30:89], SIGMA, rng=np.random.default_rng(0))


@pytest.mark.parametrize(("h_x", "h_y"), [(1.75, 0.35), (4, 0.3), (9, 0.2)])
def test_grid_converges_to_exact_filter(noisy, h_x, h_y):
    exact = bilateral(noisy, h_x, h_y)
    errors = [rms(bilateral_grid(noisy, h_x, h_y, cell) - exact) / SIGMA for cell in (1, 0.5, 0.25)]
    assert errors[0] < 0.2 and errors[1] < 0.03 and errors[2] < 0.01
    assert errors[0] > 4 * errors[1] and errors[1] > 1.5 * errors[2]


def feature(point, shape):
    """Return φ(t), the weights of a point in all nodes, as the product of three tents."""
    nodes = [
        np.maximum(0, 1 - np.abs(np.arange(n) - coordinate)) for n, coordinate in zip(shape, point, strict=True)
    ]
    return np.einsum("i,j,k->ijk", *nodes).ravel()


def inner_products(points, phi, blur):
    return phi @ blur @ phi.T


def gaussians(points, phi, blur):
    """The kernel that the features approximate."""
    apart = np.array(points)[:, None] - points
    return np.exp(-(0.8**2) * (apart**2).sum(axis=2))


@pytest.mark.equation(
    "eq:bilateral_grid",
    against="dense features and a dense blur of a tiny image",
    says="If a kernel is an inner product of finitely many features, sums shared by all queries give every "
    "estimate, in linear time.",
    given={"kernel_of": inner_products},
    without={"an inner product of finitely many features": {"kernel_of": gaussians}},
)
def test_grid_is_a_product_of_features(kernel_of):
    image = np.random.default_rng(1).random((3, 4))
    h_x, h_y, cell, radius = 0.9, 0.6, 0.8, 2
    padded = np.pad(image, radius, mode="reflect")
    low = padded.min()
    points = [
        (i / (cell * h_x), j / (cell * h_x), (y - low) / (cell * h_y)) for (i, j), y in np.ndenumerate(padded)
    ]
    shape = tuple(int(max(axis)) + 2 for axis in zip(*points, strict=True))
    phi = np.array([feature(point, shape) for point in points])
    variance = 1 / (2 * cell**2) - 1 / 3
    reach = math.ceil(4 * math.sqrt(variance))
    nodes = np.array(list(itertools.product(*map(range, shape))))
    apart = nodes[:, None] - nodes
    blur = np.exp(-(apart**2).sum(axis=2) / (2 * variance)) * (np.abs(apart) <= reach).all(axis=2)
    kernel = kernel_of(points, phi, blur)  # K(i, j), up to a constant
    estimate = (kernel @ padded.ravel() / kernel.sum(axis=1)).reshape(padded.shape)[2:-2, 2:-2]
    np.testing.assert_allclose(bilateral_grid(image, h_x, h_y, cell), estimate, atol=1e-12)


def test_bilateral_grid_agrees_with_limiting_cases():
    np.testing.assert_allclose(bilateral_grid(np.full((7, 5), 0.3), 2.0, 0.1), 0.3, atol=1e-15)
    np.testing.assert_allclose(bilateral_grid(step(16), 3.0, 0.1), step(16), atol=1e-9)
    image = np.random.default_rng(2).random((23, 19))
    assert rms(bilateral_grid(image, 4.0, 1e6) - bilateral(image, 4.0, 1e6)) < 0.003


test_invalid_input_is_rejected = rejects(
    ("image", lambda: bilateral_grid(np.zeros((3, 3, 3)), 2, 0.3)),
    ("bandwidth_space", lambda: bilateral_grid(np.zeros((3, 3)), 500, 0.3)),
    ("bandwidth_value", lambda: bilateral_grid(np.zeros((3, 3)), 2, -1)),
    ("cell", lambda: bilateral_grid(np.zeros((3, 3)), 2, 0.3, 1.3)),
    ("cell", lambda: bilateral_grid(np.eye(9), 0.1, 1e-6)),  # a grid of too many nodes
)
