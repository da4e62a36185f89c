"""Argument checks that every room shares: one clear error with what was expected and what came."""

import numbers
import operator

import numpy as np

FLOATS = np.dtype(np.float32), np.dtype(np.float64)
LARGEST_COUNT = 10**9  # of anything: more would not fit into memory


def real_array(name, array):
    """The array as float32 or float64, refused if empty, not real or not finite.

    float16 and float32 give float32; every other real type gives float64.

    >>> real_array("values", [1, 2]).dtype
    dtype('float64')
    """
    if type(array) is not np.ndarray or array.dtype not in FLOATS:  # most calls bring such an array
        array = floats(name, array)
    if array.size == 0:
        raise ValueError(f"{name}: expected at least one element, got shape {array.shape}")
    finite = np.isfinite(array)
    if not finite.all():
        count = array.size - np.count_nonzero(finite)
        raise ValueError(f"{name}: expected finite numbers, got {count} NaN or infinite of {array.size}")
    return array


def floats(name, array):
    """The array as float32 or float64, refused if it is not real; NaN and infinite numbers pass."""
    if type(array) is np.ndarray and array.dtype in FLOATS:
        return array
    array = as_array(name, array)
    if array.dtype.kind == "O":
        array = _from_objects(name, array)
    if array.dtype.kind not in "buif":
        raise TypeError(f"{name}: expected real numbers, got dtype {array.dtype}")
    single = array.dtype.kind == "f" and array.dtype.itemsize <= 4
    with np.errstate(over="ignore"):  # a long double beyond float64 becomes infinite
        return array.astype(np.float32 if single else np.float64, copy=False)


def float_type(*arrays):
    """float32 if every array is, else float64. (`floats` has made float32 of float16.)"""
    return np.float32 if all(np.asarray(a).dtype == np.float32 for a in arrays) else np.float64


def as_array(name, array):
    """The array, refused where NumPy cannot read it or would lose a mask.

    >>> as_array("values", [[1.0], [2.0, 3.0]])
    Traceback (most recent call last):
    ...
    ValueError: values: expected rows of one length, got ragged ones
    """
    if _hides(array):
        raise TypeError(f"{name}: expected an array without a mask, got one that hides elements")
    try:
        return np.asarray(array)
    except ValueError:
        raise ValueError(f"{name}: expected rows of one length, got ragged ones") from None
    except (TypeError, RuntimeError) as error:  # a tensor with a gradient, or of a type that NumPy has not
        raise TypeError(f"{name}: expected an array that NumPy can read, got {type(array)}: {error}") from None


def _hides(array):
    """Whether a masked array hides something, also deep in a list of lists."""
    if isinstance(array, (list, tuple)):
        return any(map(_hides, array))
    return isinstance(array, np.ma.MaskedArray) and np.ma.is_masked(array)


def _from_objects(name, array):
    """An array of Python objects, as from a table with mixed columns, in float64."""
    for element in array.flat:
        if not isinstance(element, numbers.Real):
            raise TypeError(f"{name}: expected real numbers, got dtype object with {element!r}")
    try:
        return array.astype(np.float64)
    except OverflowError:
        raise ValueError(f"{name}: expected numbers within the range of float64, got larger ones") from None


def image(name, array):
    """Pixels as float32 or float64: uint8 is divided by 255, whole numbers of any other type are refused.

    Their range, and so the value of white, would be a guess.

    >>> image("image", np.array([[0, 255]], np.uint8)).tolist()
    [[0.0, 1.0]]
    """
    array = as_array(name, array)
    if array.dtype == np.uint8:
        array = array / 255
    elif array.dtype.kind in "biu":
        raise TypeError(f"{name}: expected floats in [0, 1], or uint8, got dtype {array.dtype}")
    return real_array(name, array)


LARGEST_RADIUS = 1000  # of a window or patch, in pixels
MOST_CHANNELS = 4  # red, green, blue and one more: with more it is a volume, or its channels come first
IMAGE_SHAPES = {2: "(H, W)", 3: f"(H, W, C) with C from 1 to {MOST_CHANNELS}"}


def image_of_shape(name, array, axes=(2, 3)):
    """`image`, rejected unless it has one of these numbers of axes, and channels last.

    >>> image_of_shape("image", np.zeros((3, 48, 64)))
    Traceback (most recent call last):
    ...
    ValueError: image: expected shape (H, W) or (H, W, C) with C from 1 to 4, got (3, 48, 64)
    """
    array = image(name, array)
    if array.ndim not in axes or array.ndim == 3 and array.shape[2] > MOST_CHANNELS:
        expected = " or ".join(IMAGE_SHAPES[n] for n in axes)
        raise ValueError(f"{name}: expected shape {expected}, got {array.shape}")
    return array


def image_planes(array):
    """The image as float32 or float64 planes `(channels, height, width)`; uint8 is divided by 255.

    >>> image_planes(np.full((2, 3), 255, np.uint8)).tolist()
    [[[1.0, 1.0, 1.0], [1.0, 1.0, 1.0]]]
    """
    return np.moveaxis(np.atleast_3d(image_of_shape("image", array)), -1, 0)


def whole_radius(name, radius, at_least=0):
    """The radius of a window or patch as an int, refused unless it is whole and not too large."""
    return whole_number(name, radius, at_least, LARGEST_RADIUS)


def refuse_overflow(scores):
    """Raise an error where inner products over the temperature left the range of float64."""
    if not np.isfinite(scores).all():
        expected = "inner products over the temperature within the range of float64"
        raise ValueError(f"queries, keys and temperature: expected {expected}, got larger ones")


def boolean_mask(name, array):
    """The array, refused unless its elements are True and False."""
    array = as_array(name, array)
    if array.dtype != bool:
        raise TypeError(f"{name}: expected booleans, True where a query may attend, got dtype {array.dtype}")
    return array


def flag(name, value):
    """True or False, refused if it is anything else: the text "no" would count as true."""
    if not isinstance(value, (bool, np.bool_)):
        raise TypeError(f"{name}: expected True or False, got {value!r}")
    return bool(value)


def random_generator(name, rng):
    """A generator of random numbers from a generator, which is used as it is, from a seed or from None.

    >>> random_generator("rng", 7).integers(100) == random_generator("rng", np.random.default_rng(7)).integers(100)
    np.True_
    """
    try:
        return np.random.default_rng(rng)
    except (TypeError, ValueError):
        expected = "a numpy.random.Generator, a whole number as its seed, or None"
        raise TypeError(f"{name}: expected {expected}, got {rng!r}") from None


def positive(name, value):
    """The number as a float, refused unless it is one finite number above zero."""
    return _number(name, value, lambda number: number > 0, "a finite number > 0")


def non_negative(name, value):
    """The number as a float, refused unless it is one finite number, zero or above."""
    return _number(name, value, lambda number: number >= 0, "a finite number, zero or above")


def _number(name, value, fits, expected):
    if type(value) is float and np.isfinite(value) and fits(value):
        return value  # what most calls bring
    try:
        truth, number = as_array(name, value).dtype == bool, floats(name, value)
    except TypeError:
        truth, number = False, None
    if truth or number is None or number.ndim:
        raise TypeError(f"{name}: expected {expected}, got {value!r}")
    if not (np.isfinite(number) and fits(number)):
        raise ValueError(f"{name}: expected {expected}, got {number}")
    return float(number)


def bandwidth_per_axis(bandwidth, dimension):
    """One bandwidth per column of the keys, `(dimension,)`, from one number for all or from one per column."""
    if not isinstance(bandwidth, (list, tuple)) and getattr(bandwidth, "ndim", 0) == 0:
        return np.full(dimension, positive("bandwidth", bandwidth))
    bandwidth = real_array("bandwidth", bandwidth).astype(np.float64, copy=False)
    if bandwidth.shape != (dimension,):
        expected = f"one number > 0, or one per column of the keys, ({dimension},)"
        raise ValueError(f"bandwidth: expected {expected}, got shape {bandwidth.shape}")
    if not (bandwidth > 0).all():
        raise ValueError(f"bandwidth: expected numbers > 0, got {bandwidth}")
    return bandwidth


def whole_number(name, value, at_least=1, at_most=None):
    """The number as an int, refused unless it is whole and in the range, both ends included.

    >>> whole_number("radius", np.int64(3), at_least=0, at_most=1000)
    3
    """
    try:
        number = None if isinstance(value, bool) else operator.index(value)
    except TypeError:
        number = None
    if number is None:
        raise TypeError(f"{name}: expected a whole number, got {value!r}")
    if at_most is None and number < at_least:
        raise ValueError(f"{name}: expected a whole number of at least {at_least}, got {number}")
    limit = LARGEST_COUNT if at_most is None else at_most
    if not at_least <= number <= limit:
        raise ValueError(f"{name}: expected a whole number from {at_least} to {limit}, got {number}")
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


def points(queries, keys, names=("queries", "keys")):
    """Queries and keys as `(n_queries, d)` and `(n_keys, d)`; `(n,)` means d = 1."""
    queries, keys = (_one_or_two_axes(*each) for each in zip(names, (queries, keys), strict=True))
    if queries.ndim != keys.ndim or queries.shape[1:] != keys.shape[1:]:
        raise ValueError(f"{' and '.join(names)}: expected the same d, got {queries.shape} and {keys.shape}")
    return queries.reshape(len(queries), -1), keys.reshape(len(keys), -1)


def as_points(name, array):
    """One array of points as `(n, d)`; `(n,)` means d = 1."""
    array = _one_or_two_axes(name, array)
    return array.reshape(len(array), -1)


def _one_or_two_axes(name, array):
    array = real_array(name, array)
    if array.ndim not in (1, 2):
        raise ValueError(f"{name}: expected shape (n,) or (n, d), got {array.shape}")
    return array


def values_for(keys, values):
    """Values `(n_keys,)` or `(n_keys, c)`, refused unless there is one per key."""
    values = real_array("values", values)
    if values.ndim not in (1, 2) or len(values) != len(keys):
        raise ValueError(
            f"values: expected shape ({len(keys)},) or ({len(keys)}, c), one row per key, got {values.shape}"
        )
    return values


def tokens(name, array):
    """Queries, keys or values as floats `(…, n, d)`."""
    array = real_array(name, array)
    if array.ndim < 2:
        raise ValueError(f"{name}: expected shape (…, n, d), got {array.shape}")
    return array


def same_width(names, one, other):
    """Refuse two arrays whose last axes differ."""
    if one.shape[-1] != other.shape[-1]:
        raise ValueError(f"{names}: expected the same d, got {one.shape} and {other.shape}")


def broadcast_leading_axes(**arrays):
    """The leading axes of all arrays `(…, n, d)` together, refused where they do not broadcast."""
    try:
        return np.broadcast_shapes(*(array.shape[:-2] for array in arrays.values()))
    except ValueError:
        shapes = ", ".join(str(array.shape) for array in arrays.values())
        raise ValueError(f"{', '.join(arrays)}: expected leading axes that broadcast, got {shapes}") from None
