"""Distances and kernels compared with loops written from their definitions."""

import numpy as np
import pytest

from lib.kernels import KERNELS, log_radial_kernel
from lib.metrics import squared_euclidean
from tests.invalid_input import rejects
from tests.oracles import dense_log_kernel


@pytest.mark.parametrize("dimension", [1, 3])
def test_float32_distances_survive_large_offsets(dimension):
    rng = np.random.default_rng(5)
    queries, keys = rng.normal(size=(7, dimension)), rng.normal(size=(11, dimension))
    far_queries, far_keys = ((x + 1e4).astype(np.float32) for x in (queries, keys))
    expected = squared_euclidean(far_queries.astype(np.float64), far_keys.astype(np.float64))
    np.testing.assert_allclose(squared_euclidean(far_queries, far_keys), expected, atol=1e-5)


@pytest.mark.equation("eq:kernels", against="the formulas, in long double")
@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("bandwidth", [0.3, 1.0, 40.0])
def test_log_kernel_is_log_of_kernel(kernel, bandwidth):
    rng = np.random.default_rng(6)
    queries, keys = rng.normal(size=(5, 2)), rng.normal(size=(13, 2))
    expected = np.exp(dense_log_kernel(queries, keys, bandwidth, kernel))
    np.testing.assert_allclose(np.exp(log_radial_kernel(queries, keys, bandwidth, kernel)), expected, atol=1e-12)


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("spread", [1.0, 1e6])  # by the product, and by differences
def test_bandwidth_per_column_rescales_columns(kernel, spread):
    rng = np.random.default_rng(4)
    queries, keys, bandwidth = rng.normal(size=(5, 3)), rng.normal(size=(7, 3)), np.array([0.5, 2.0, 30.0])
    keys[0] *= spread
    expected = log_radial_kernel(queries / bandwidth, keys / bandwidth, 1.0, kernel)
    np.testing.assert_allclose(log_radial_kernel(queries, keys, bandwidth, kernel), expected, rtol=1e-9, atol=1e-9)


def test_kernels_accept_any_real_numbers():
    np.testing.assert_array_equal(KERNELS["gaussian"](np.uint8([68])), [-68])
    np.testing.assert_array_equal(KERNELS["boxcar"]([0.1, 2]), [0, -np.inf])
    with pytest.raises(TypeError, match="squared_distance: expected real numbers, got"):
        KERNELS["triangular"]("0.5")


POINT = np.zeros((1, 2))
test_invalid_input_is_rejected = rejects(
    ("bandwidth", lambda: log_radial_kernel(POINT, POINT, [1.0, 2.0, 3.0])),
    ("bandwidth", lambda: log_radial_kernel(POINT, POINT, [1.0, -2.0])),
    ("bandwidth", lambda: log_radial_kernel([[0.0, 1.0]], [[0.0, 1.0], [1e300, 2.0]], [1e-300, 1.0])),  # too small
    ("kernel", lambda: log_radial_kernel([0.0], [0.0], 1.0, "epanechikov")),
    ("keys", lambda: log_radial_kernel([0.0], [[0.0]], 1.0)),
    ("queries", lambda: log_radial_kernel(np.zeros((1, 1, 1)), np.zeros((1, 1, 1)), 1.0)),
)
