"""The ground floor, against loops and by its properties."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from lib.checks import float_type
from lib.weights import average, blocks, by_rows, ratio, softmax

finite = st.floats(-1e6, 1e6)
log_weight_rows = arrays(np.float64, st.tuples(st.integers(1, 5), st.integers(1, 7)), elements=finite)


def softmax_by_loops(log_weights):
    """From the definition exp(lᵢ)/Σⱼ exp(lⱼ), in the exact arithmetic of fsum, for moderate log-weights."""
    result = np.zeros_like(log_weights)
    for i, row in enumerate(log_weights):
        total = math.fsum(math.exp(value) for value in row)
        for j, value in enumerate(row):
            result[i, j] = math.exp(value) / total
    return result


def test_softmax_equals_its_definition():
    log_weights = np.random.default_rng(1).normal(size=(5, 7)) * 3
    np.testing.assert_allclose(softmax(log_weights), softmax_by_loops(log_weights), rtol=1e-14)


@given(log_weight_rows, finite)
def test_softmax_is_positive_sums_to_one_and_ignores_a_constant(log_weights, shift):
    result = softmax(log_weights)
    assert (result >= 0).all()
    np.testing.assert_allclose(result.sum(axis=-1), 1, rtol=1e-12)
    np.testing.assert_allclose(softmax(log_weights + shift), result, atol=1e-8)


@given(log_weight_rows)
def test_softmax_keeps_order_and_its_input(log_weights):
    before = log_weights.copy()
    result = softmax(log_weights)
    np.testing.assert_array_equal(log_weights, before)
    assert (result[:, :-1][np.diff(log_weights) >= 0] <= result[:, 1:][np.diff(log_weights) >= 0]).all()


def test_softmax_neither_overflows_nor_divides_zero_by_zero():
    np.testing.assert_array_equal(softmax([1e307, -1e307]), [1, 0])
    np.testing.assert_array_equal(softmax([-1e300, -1e300]), [0.5, 0.5])


def test_softmax_of_the_largest_and_the_smallest_number():
    np.testing.assert_array_equal(softmax([1.5e308, -1.5e308]), [1, 0])


def test_softmax_sums_single_precision_along_any_axis():
    """Down the columns NumPy adds one number after the other, and in float32 the small ones would be lost."""
    log_weights = np.full((10**6, 2), np.log(5.9e-8), np.float32)
    log_weights[0] = 0
    np.testing.assert_allclose(softmax(log_weights, axis=0).sum(axis=0, dtype=float), 1, rtol=1e-6)


def test_softmax_of_minus_infinity():
    result = softmax([[-np.inf, -np.inf, -np.inf], [-np.inf, 0, 0]])
    np.testing.assert_array_equal(result, [[0, 0, 0], [0, 0.5, 0.5]])


def test_softmax_along_another_axis_and_type():
    log_weights = np.random.default_rng(2).normal(size=(2, 3, 5)).astype(np.float32)
    result = softmax(log_weights, axis=1)
    assert result.dtype == np.float32
    np.testing.assert_allclose(result, np.moveaxis(softmax(np.moveaxis(log_weights, 1, -1)), -1, 1))


@pytest.mark.parametrize("bad", [[0.0, np.nan], [0.0, np.inf], 3.0, [], np.zeros((3, 0))])
def test_softmax_refuses(bad):
    with pytest.raises(ValueError, match="log_weights: expected .*, got"):
        softmax(bad)


@given(arrays(np.float64, (3, 5), elements=st.floats(0, 1)), arrays(np.float64, 5, elements=finite))
def test_average_lies_between_the_values(weight, value):
    weight[:, 0] += 0.1
    result = average(weight / weight.sum(axis=1, keepdims=True), value)
    assert (result >= value.min() - 1e-9).all() and (result <= value.max() + 1e-9).all()


def test_average_is_a_sum_over_keys_for_every_shape():
    rng = np.random.default_rng(3)
    weight, value, batch = rng.random((2, 3, 5)), rng.random((2, 5, 7)), rng.random((3, 5))
    expected = sum(weight[..., k, None] * value[..., None, k, :] for k in range(5))
    np.testing.assert_allclose(average(weight, value), expected, rtol=1e-14)
    np.testing.assert_allclose(average(batch, value[0, :, 0]), [row @ value[0, :, 0] for row in batch], rtol=1e-14)
    assert average(batch, value[0]).shape == (3, 7)
    assert average(batch, value[0, :, 0]).shape == (3,)


def test_average_of_no_weight_is_nan():
    result = average([[0.0, 0.0], [0.5, 0.5]], [[1.0, 2.0], [3.0, 4.0]])
    np.testing.assert_array_equal(result, [[np.nan, np.nan], [2, 3]])


@pytest.mark.parametrize(
    "weight, value", [(np.ones((2, 3)), np.ones(2)), (np.ones((2, 3)), np.ones((2, 3))), (1.0, np.ones(3))]
)
def test_average_refuses_shapes_that_do_not_match(weight, value):
    with pytest.raises(ValueError, match=r"expected .* got"):
        average(weight, value)


@pytest.mark.parametrize("bad", [np.nan, np.inf, 1j, "a"])
def test_average_refuses_what_is_no_number(bad):
    with pytest.raises((ValueError, TypeError), match="values: expected .*, got"):
        average([[0.5, 0.5]], [1.0, bad])
    with pytest.raises((ValueError, TypeError), match="weights: expected .*, got"):
        average([[0.5, bad]], [1.0, 2.0])


@pytest.mark.parametrize("bad", [1j, "a"])
def test_softmax_refuses_what_is_not_real(bad):
    with pytest.raises(TypeError, match="log_weights: expected real numbers, got"):
        softmax([0.0, bad])


def test_blocks_cover_everything_once():
    assert blocks(7, 3) == [slice(0, 3), slice(3, 6), slice(6, 7)]
    assert blocks(0, 3) == []


def test_float_type():
    single, double = np.zeros(1, np.float32), np.zeros(1)
    assert float_type(single, single) == np.float32
    assert float_type(single, double) == np.float64


def test_by_rows_is_one_call_in_pieces():
    queries = np.random.default_rng(6).normal(size=(500, 3))
    seen = []
    result = by_rows(500, lambda rows: seen.append(rows) or queries[rows] ** 2, rows_at_once=240)
    np.testing.assert_array_equal(result, queries**2)
    assert [rows.stop - rows.start for rows in seen] == [240, 240, 20]


def test_ratio_of_sums_is_the_average():
    rng = np.random.default_rng(7)
    unnormalised, values = rng.random((3, 5)), rng.normal(size=(5, 2))
    sums = unnormalised.sum(axis=1, keepdims=True)
    expected = average(unnormalised / sums, values)
    np.testing.assert_allclose(ratio(unnormalised @ values, sums), expected, rtol=1e-14)
    assert np.isnan(ratio(np.zeros(1), np.zeros(1)))
