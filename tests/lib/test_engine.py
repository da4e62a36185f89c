"""The optimised implementations, each compared with the plain definition that it replaces."""

import numpy as np
import pytest

from lib.engine import streaming
from lib.engine.streaming import LOG2E, LogWeights, exp2_in_place, streamed_average
from lib.weights import average, softmax


class Matrix(LogWeights):
    """Return given log-weights."""

    def __init__(self, log_weights, dtype):
        self.matrix, self.dtype = log_weights * LOG2E, dtype

    def prepare(self, columns, dtype):
        return dtype

    def block(self, rows, columns, prepared):
        return self.matrix[rows, columns].astype(prepared)


def streamed(log_weights, values, dtype, visible=None):
    return streamed_average(Matrix(log_weights, dtype), values, len(log_weights), visible)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_streaming_is_accurate_for_rows_of_every_magnitude(dtype):
    """Rows far below the bound, partly −inf and entirely −inf do not affect each other."""
    values = np.array([[1.0], [2.0], [4.0]])
    log_weights = np.array([[0, 0, 0], [-1e7, -1e7, -np.inf], [-np.inf, 0, -np.inf], [-np.inf] * 3])
    result = streamed(log_weights, values, dtype)
    np.testing.assert_allclose(result[:, 0], [7 / 3, 1.5, 2, np.nan], rtol=1e-6)


@pytest.mark.parametrize("dtype, tolerance", [(np.float64, 1e-13), (np.float32, 1e-5)])
def test_streaming_masks_keys_completely(monkeypatch, dtype, tolerance):
    """A masked key's value, however large, changes no bit; a row without a visible key is NaN."""
    monkeypatch.setattr(streaming, "BLOCK_QUERIES", 5)
    monkeypatch.setattr(streaming, "BLOCK_KEYS", 7)
    rng = np.random.default_rng(5)
    matrix, values = -rng.random((13, 29)) * 20, rng.normal(size=(29, 3))
    visible = np.tril(rng.random((13, 29)) < 0.7, k=10)
    visible[3] = False
    visible[4, 0], matrix[4, 1:] = True, -1e4  # this row attends to keys far below the bound as well
    visible[5], matrix[5], visible[5, :20] = True, -1e5, False
    hidden_from_all = np.arange(29) >= 23
    visible[:, hidden_from_all] = False
    expected = average(softmax(np.where(visible, matrix, -np.inf)), values)

    result = streamed(matrix, values, dtype, visible)
    np.testing.assert_allclose(result, expected, atol=tolerance)
    assert np.isnan(result[3]).all() and not np.isnan(np.delete(result, 3, axis=0)).any()
    huge = np.where(hidden_from_all[:, None], 1e30, values)
    np.testing.assert_array_equal(result, streamed(matrix, huge, dtype, visible))


@pytest.mark.parametrize("dtype, huge", [(np.float32, 3e38), (np.float64, 1.5e308)])
def test_zero_weight_ignores_overflowing_values(dtype, huge):
    log_weights, values = np.array([[0.0, 0.0, -np.inf]]), np.array([[1.0], [3.0], [huge / 10]], dtype)
    np.testing.assert_array_equal(streamed(log_weights, values, dtype), [[2]])
    result = streamed(np.zeros((2, 10)), np.full((10, 1), huge, dtype), dtype)
    np.testing.assert_allclose(result, huge, rtol=1e-6)


@pytest.mark.parametrize("exp_is_cheaper", [True, False])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_both_power_of_two_implementations_agree(exp_is_cheaper, dtype, monkeypatch):
    monkeypatch.setattr(streaming, "EXP_IS_CHEAPER", exp_is_cheaper)
    exponents = np.random.default_rng(3).uniform(-100, 100, size=1000).astype(dtype)
    expected = [2.0 ** float(exponent) for exponent in exponents]
    exp2_in_place(exponents)
    np.testing.assert_allclose(exponents, expected, rtol=100 * np.finfo(dtype).eps)
