"""Argument checks that every room shares: one clear error with what was expected and what came."""

import operator

import numpy as np


def real_array(name, array):
    """The array as float32 or float64, refused if empty, not real or not finite.

    float16 and float32 give float32; every other real type gives float64.

    >>> real_array("values", [1, 2]).dtype
    dtype('float64')
    """
    array = np.asarray(array)
    if array.dtype.kind not in "buif":
        raise TypeError(f"{name}: expected real numbers, got dtype {array.dtype}")
    if array.size == 0:
        raise ValueError(f"{name}: expected at least one element, got shape {array.shape}")
    if not np.isfinite(array).all():
        count = int((~np.isfinite(array)).sum())
        raise ValueError(f"{name}: expected finite numbers, got {count} NaN or infinite of {array.size}")
    single = array.dtype.kind == "f" and array.dtype.itemsize <= 4
    return array.astype(np.float32 if single else np.float64, copy=False)


def positive(name, value):
    """The number as a float, refused unless it is one finite number above zero."""
    return _number(name, value, lambda number: number > 0, "a finite number > 0")


def non_negative(name, value):
    """The number as a float, refused unless it is one finite number, zero or above."""
    return _number(name, value, lambda number: number >= 0, "a finite number, zero or above")


def _number(name, value, fits, expected):
    try:
        number = float(value)
    except (TypeError, ValueError):
        raise TypeError(f"{name}: expected {expected}, got {value!r}") from None
    if not (np.isfinite(number) and fits(number)):
        raise ValueError(f"{name}: expected {expected}, got {number}")
    return number


def whole_number(name, value, at_least=1, at_most=None):
    """The number as an int, refused unless it is whole and in the range, both ends included.

    >>> whole_number("radius", np.int64(3), at_least=0, at_most=1000)
    3
    """
    try:
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"{name}: expected a whole number, got {value!r}") from None
    if number < at_least or (at_most is not None and number > at_most):
        expected = f"of at least {at_least}" if at_most is None else f"from {at_least} to {at_most}"
        raise ValueError(f"{name}: expected a whole number {expected}, got {number}")
    return number


def pixel_within(size, pixel):
    """(row, column) as two ints, refused unless that pixel lies in an image of this size, (height, width)."""
    height, width = size
    try:
        row, column = (operator.index(coordinate) for coordinate in pixel)
    except (TypeError, ValueError):
        raise TypeError(f"pixel: expected two whole numbers (row, column), got {pixel!r}") from None
    if not (0 <= row < height and 0 <= column < width):
        raise ValueError(f"pixel: expected (row, column) inside {height} × {width} pixels, got ({row}, {column})")
    return row, column


def one_of(name, value, choices):
    """The value, refused unless it is among the choices."""
    if not isinstance(value, str) or value not in choices:
        raise ValueError(f"{name}: expected one of {', '.join(choices)}, got {value!r}")
    return value


def points(queries, keys):
    """Queries and keys as `(n_queries, d)` and `(n_keys, d)`; `(n,)` means d = 1."""
    queries, keys = real_array("queries", queries), real_array("keys", keys)
    for name, array in [("queries", queries), ("keys", keys)]:
        if array.ndim not in (1, 2):
            raise ValueError(f"{name}: expected shape (n,) or (n, d), got {array.shape}")
    if queries.ndim != keys.ndim or queries.shape[1:] != keys.shape[1:]:
        raise ValueError(f"queries and keys: expected the same d, got {queries.shape} and {keys.shape}")
    return queries.reshape(len(queries), -1), keys.reshape(len(keys), -1)


def values_for(keys, values):
    """Values `(n_keys,)` or `(n_keys, c)`, refused unless there is one a key."""
    values = real_array("values", values)
    if values.ndim not in (1, 2) or len(values) != len(keys):
        raise ValueError(
            f"values: expected shape ({len(keys)},) or ({len(keys)}, c), one row a key, got {values.shape}"
        )
    return values
