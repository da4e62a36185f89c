"""Argument validation shared by all modules. Every error says what was expected and what was given."""

import math
import numbers
import operator

import numpy as np

FLOATS = np.dtype(np.float32), np.dtype(np.float64)
LARGEST_COUNT = 10**9  # anything larger would not fit into memory


def real_array(name, array):
    """Convert an array to float32 or float64; raise an error if it is empty, not real or not finite.

    float16 and float32 give float32; every other real type gives float64.

    >>> real_array("values", [1, 2]).dtype
    dtype('float64')
    """
    if type(array) is not np.ndarray or array.dtype not in FLOATS:  # most arrays are of this type already
        array = floats(name, array)
    if array.size == 0:
        raise ValueError(f"{name}: expected at least one element, got shape {array.shape}")
    finite = np.isfinite(array)
    if not finite.all():
        count = array.size - np.count_nonzero(finite)
        raise ValueError(f"{name}: expected finite numbers, got {count} NaN or infinite of {array.size}")
    return array


def floats(name, array):
    """Convert an array to float32 or float64; raise an error if it is not real. NaN and infinity are allowed."""
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
    """Return float32 if every array is float32, else float64. (`floats` has converted float16 to float32.)"""
    return np.float32 if all(np.asarray(a).dtype == np.float32 for a in arrays) else np.float64


def as_array(name, array):
    """Convert to an array; raise an error if NumPy cannot read it or would drop a mask.

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
    except (TypeError, RuntimeError) as error:  # a tensor with a gradient, or of a type unknown to NumPy
        raise TypeError(f"{name}: expected an array that NumPy can read, got {type(array)}: {error}") from None


def _hides(array):
    """Return whether a masked array, or one inside nested lists, has masked elements."""
    if isinstance(array, (list, tuple)):
        return any(map(_hides, array))
    return isinstance(array, np.ma.MaskedArray) and np.ma.is_masked(array)


def _from_objects(name, array):
    """Convert an array of Python objects, as from a table with mixed columns, to float64."""
    for element in array.flat:
        if not isinstance(element, numbers.Real):
            raise TypeError(f"{name}: expected real numbers, got dtype object with {element!r}")
    try:
        return array.astype(np.float64)
    except OverflowError:
        raise ValueError(f"{name}: expected numbers within the range of float64, got larger ones") from None


def image(name, array):
    """Convert pixels to float32 or float64. uint8 is divided by 255; other integer types raise an error.

    Their range, and so the value of white, would have to be guessed.

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
MOST_CHANNELS = 4  # RGB and alpha; an array with more is a volume or has its channels first
IMAGE_SHAPES = {2: "(H, W)", 3: f"(H, W, C) with C from 1 to {MOST_CHANNELS}"}


def image_of_shape(name, array, axes=(2, 3)):
    """Validate an image, its number of dimensions and that its channels come last.

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
    """Convert an image to float planes `(channels, height, width)`; uint8 is divided by 255.

    >>> image_planes(np.full((2, 3), 255, np.uint8)).tolist()
    [[[1.0, 1.0, 1.0], [1.0, 1.0, 1.0]]]
    """
    return np.moveaxis(np.atleast_3d(image_of_shape("image", array)), -1, 0)


def whole_radius(name, radius, at_least=0):
    """Validate the radius of a window or patch and return it as an int."""
    return whole_number(name, radius, at_least, LARGEST_RADIUS)


def refuse_overflow(scores):
    """Raise an error if inner products divided by the temperature exceed the range of float64."""
    if not np.isfinite(scores).all():
        expected = "inner products over the temperature within the range of float64"
        raise ValueError(f"queries, keys and temperature: expected {expected}, got larger ones")


def boolean_mask(name, array):
    """Validate that an array is boolean."""
    array = as_array(name, array)
    if array.dtype != bool:
        raise TypeError(f"{name}: expected booleans, True where a query may attend, got dtype {array.dtype}")
    return array


def flag(name, value):
    """Validate a boolean. Other types raise an error, because the string "no" would count as true."""
    if not isinstance(value, (bool, np.bool_)):
        raise TypeError(f"{name}: expected True or False, got {value!r}")
    return bool(value)


def random_generator(name, rng):
    """Return a random generator from a generator, which is used directly, from a seed or from None.

    >>> random_generator("rng", 7).integers(100) == random_generator("rng", np.random.default_rng(7)).integers(100)
    np.True_
    """
    try:
        return np.random.default_rng(rng)
    except (TypeError, ValueError):
        expected = "a numpy.random.Generator, an integer as its seed, or None"
        raise TypeError(f"{name}: expected {expected}, got {rng!r}") from None


def positive(name, value):
    """Validate a finite number above zero and return it as a float."""
    return _number(name, value, lambda number: number > 0, "a finite number > 0")


def non_negative(name, value):
    """Validate a finite number of at least zero and return it as a float."""
    return _number(name, value, lambda number: number >= 0, "a finite number, zero or above")


def _number(name, value, fits, expected):
    if type(value) is float and np.isfinite(value) and fits(value):
        return value  # the common case
    try:
        truth, number = as_array(name, value).dtype == bool, floats(name, value)
    except TypeError:
        truth, number = False, None
    if truth or number is None or number.ndim:
        raise TypeError(f"{name}: expected {expected}, got {value!r}")
    if not (np.isfinite(number) and fits(number)):
        raise ValueError(f"{name}: expected {expected}, got {number}")
    return float(number)


def finite_number(name, value):
    """Validate a finite number and return it as a float."""
    return _number(name, value, lambda number: True, "a finite number")


def number_within(name, value, low, high, tolerance=0.0):
    """Validate a number in [low, high], up to a tolerance at both ends, and return it as a float.

    >>> number_within("strength", 5, 0.25, 4)
    Traceback (most recent call last):
    ...
    ValueError: strength: expected a number from 0.25 to 4, got 5.0
    """
    fits = lambda number: low - tolerance <= number <= high + tolerance
    return _number(name, value, fits, f"a number from {low:g} to {high:g}")


def bandwidth_per_axis(bandwidth, dimension):
    """Return one bandwidth per column of the keys, `(dimension,)`, from a scalar or an array of that shape."""
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
    """Validate an integer within an inclusive range and return it as an int.

    >>> whole_number("radius", np.int64(3), at_least=0, at_most=1000)
    3
    """
    try:
        number = None if isinstance(value, bool) else operator.index(value)
    except TypeError:
        number = None
    if number is None:
        raise TypeError(f"{name}: expected an integer, got {value!r}")
    if at_most is None and number < at_least:
        raise ValueError(f"{name}: expected an integer of at least {at_least}, got {number}")
    limit = LARGEST_COUNT if at_most is None else at_most
    if not at_least <= number <= limit:
        raise ValueError(f"{name}: expected an integer from {at_least} to {limit}, got {number}")
    return number


def pixel_within(size, pixel):
    """Validate a pixel (row, column) of an image of size (height, width) and return it as two ints."""
    height, width = size
    try:
        row, column = (operator.index(coordinate) for coordinate in pixel)
    except (TypeError, ValueError):
        raise TypeError(f"pixel: expected two integers (row, column), got {pixel!r}") from None
    if not (0 <= row < height and 0 <= column < width):
        raise ValueError(f"pixel: expected (row, column) inside {height} × {width} pixels, got ({row}, {column})")
    return row, column


def one_of(name, value, choices):
    """Validate that a string is among the choices."""
    if not isinstance(value, str) or value not in choices:
        raise ValueError(f"{name}: expected one of {', '.join(choices)}, got {value!r}")
    return value


def string_of(name, value):
    """Validate a string and return it."""
    if not isinstance(value, str):
        raise TypeError(f"{name}: expected a string, got {value!r}")
    return value


def listed(name, value, expected="a sequence", count=None):
    """Return the elements of a sequence as a list; raise an error if it is none, or not of this length.

    >>> listed("head", ("MiniLM", 0), "(model, block, head)", 3)
    Traceback (most recent call last):
    ...
    ValueError: head: expected (model, block, head), got ('MiniLM', 0)
    """
    try:
        elements = list(value)
    except TypeError:
        raise TypeError(f"{name}: expected {expected}, got {value!r}") from None
    if count is not None and len(elements) != count:
        raise ValueError(f"{name}: expected {expected}, got {value!r}")
    return elements


def one_of_numbers(name, value, choices):
    """Validate that a whole number is among the choices and return it as an int."""
    if not isinstance(value, (int, np.integer)) or isinstance(value, bool) or value not in choices:
        raise ValueError(f"{name}: expected one of {', '.join(map(str, choices))}, got {value!r}")
    return int(value)


def points(queries, keys, names=("queries", "keys")):
    """Return queries and keys as `(n_queries, d)` and `(n_keys, d)` arrays; `(n,)` means d = 1."""
    queries, keys = (_one_or_two_axes(*each) for each in zip(names, (queries, keys), strict=True))
    if queries.ndim != keys.ndim or queries.shape[1:] != keys.shape[1:]:
        raise ValueError(f"{' and '.join(names)}: expected the same d, got {queries.shape} and {keys.shape}")
    return queries.reshape(len(queries), -1), keys.reshape(len(keys), -1)


def as_points(name, array):
    """Return an array of points as `(n, d)`; `(n,)` means d = 1."""
    array = _one_or_two_axes(name, array)
    return array.reshape(len(array), -1)


def _one_or_two_axes(name, array):
    array = real_array(name, array)
    if array.ndim not in (1, 2):
        raise ValueError(f"{name}: expected shape (n,) or (n, d), got {array.shape}")
    return array


def values_for(keys, values):
    """Validate values of shape `(n_keys,)` or `(n_keys, c)`, one row per key."""
    values = real_array("values", values)
    if values.ndim not in (1, 2) or len(values) != len(keys):
        raise ValueError(
            f"values: expected shape ({len(keys)},) or ({len(keys)}, c), one row per key, got {values.shape}"
        )
    return values


def tokens(name, array):
    """Return queries, keys or values as a float array `(…, n, d)`."""
    array = real_array(name, array)
    if array.ndim < 2:
        raise ValueError(f"{name}: expected shape (…, n, d), got {array.shape}")
    return array


def token_indices(name, array, vocabulary, at_least=1, at_most=math.inf):
    """Validate token numbers, their range and how many there are; return them as an int array `(n,)`.

    >>> token_indices("tokens", [3, 1024], vocabulary=1024)
    Traceback (most recent call last):
    ...
    ValueError: tokens: expected numbers from 0 to 1023, got [   3 1024]
    """
    array = as_array(name, array)
    if array.ndim != 1 or (array.size and array.dtype.kind not in "ui"):
        raise TypeError(f"{name}: expected integers of shape (n,), got {array.dtype} of shape {array.shape}")
    if not at_least <= len(array) <= at_most:
        raise ValueError(f"{name}: expected {at_least} to {at_most} of them, got {len(array)}")
    if array.size and not (0 <= array.min() and array.max() < vocabulary):
        raise ValueError(f"{name}: expected numbers from 0 to {vocabulary - 1}, got {array}")
    return array.astype(int)


def same_width(names, one, other):
    """Raise an error if the last axes of two arrays differ."""
    if one.shape[-1] != other.shape[-1]:
        raise ValueError(f"{names}: expected the same d, got {one.shape} and {other.shape}")


def broadcast_leading_axes(**arrays):
    """Broadcast the leading axes of arrays `(…, n, d)`; raise an error if they do not match."""
    try:
        return np.broadcast_shapes(*(array.shape[:-2] for array in arrays.values()))
    except ValueError:
        shapes = ", ".join(str(array.shape) for array in arrays.values())
        raise ValueError(f"{', '.join(arrays)}: expected leading axes that broadcast, got {shapes}") from None
