"""Softmax and average compared with loops, and at the limits of floating point."""

import numpy as np
import pytest

from lib.weights import average, by_rows, softmax


@pytest.mark.parametrize(
    "log_weights, expected",
    [
        ([1.5e308, -1.5e308], [1, 0]),
        ([-1e300, -1e300], [0.5, 0.5]),
        ([-np.inf, -np.inf, -np.inf], [0, 0, 0]),
        ([-np.inf, 0, 0], [0, 0.5, 0.5]),
    ],
)
def test_softmax_avoids_overflow_and_zero_division(log_weights, expected):
    np.testing.assert_array_equal(softmax([log_weights]), [expected])


def test_softmax_sums_single_precision_along_any_axis():
    """NumPy adds sequentially down the columns, which would lose the small numbers in float32."""
    log_weights = np.full((10**6, 2), np.log(5.9e-8), np.float32)
    log_weights[0] = 0
    np.testing.assert_allclose(softmax(log_weights, axis=0).sum(axis=0, dtype=float), 1, rtol=1e-6)
    assert softmax(log_weights, axis=0).dtype == np.float32
    rows = np.random.default_rng(2).normal(size=(3, 5))
    np.testing.assert_allclose(softmax(rows, axis=0), softmax(rows.T).T)


def test_average_sums_over_keys_for_every_shape():
    rng = np.random.default_rng(3)
    weight, value, batch = rng.random((2, 3, 5)), rng.random((2, 5, 7)), rng.random((3, 5))
    expected = sum(weight[..., k, None] * value[..., None, k, :] for k in range(5))
    np.testing.assert_allclose(average(weight, value), expected, rtol=1e-14)
    np.testing.assert_allclose(average(batch, value[0, :, 0]), [row @ value[0, :, 0] for row in batch], rtol=1e-14)
    assert average(batch, value[0]).shape == (3, 7)
    assert average(batch, value[0, :, 0]).shape == (3,)


def test_blocks_of_rows_equal_one_call():
    queries = np.random.default_rng(6).normal(size=(500, 3))
    seen = []
    result = by_rows(500, lambda rows: seen.append(rows) or queries[rows] ** 2, rows_at_once=240)
    np.testing.assert_array_equal(result, queries**2)
    assert [rows.stop - rows.start for rows in seen] == [240, 240, 20]
