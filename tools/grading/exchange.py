"""The plain data that the grader and a submission's process exchange: numbers, text and arrays. No objects.

Both sides use this file. What comes back from a submission may be anything, so `decode` builds nothing but these.
"""

import base64
import json

import numpy as np

MOST_BYTES = 32 * 2**20
PATIENCE = 4  # seconds by the clock for one second of work, on a machine that has more to do


def encode(value):
    """The bytes of a dictionary, tuple, array, number, text or None."""
    return json.dumps(value, default=_encoded_array).encode()


def _encoded_array(array):
    array = np.asarray(array)
    whole = array.dtype.kind in "bui"
    array = np.ascontiguousarray(array, dtype="<i8" if whole else "<f8")
    return {"whole": whole, "shape": array.shape, "array": base64.b64encode(array).decode()}


def decode(data):
    """What was encoded, lists as tuples. Raises ValueError for anything else."""
    try:
        return _decoded(json.loads(data))
    except (ValueError, TypeError, KeyError, OverflowError, RecursionError, MemoryError) as error:
        raise ValueError(f"expected plain data, got {type(error).__name__}") from None


def _decoded(value):
    if isinstance(value, list):
        return tuple(_decoded(item) for item in value)
    if isinstance(value, dict) and "array" in value:
        numbers = np.frombuffer(base64.b64decode(value["array"]), "<i8" if value["whole"] else "<f8")
        return numbers.reshape(value["shape"]).copy()
    if isinstance(value, dict):
        return {name: _decoded(item) for name, item in value.items()}
    return value


def plain(value):
    """None, text, or an array of numbers made of a value; a ValueError for what is none of these."""
    if value is None or isinstance(value, str):
        return value if value is None else str(value)
    if hasattr(value, "detach"):  # a tensor that remembers how it was computed
        value = value.detach()
    try:
        array = np.array(value, dtype=float)
    except Exception:
        raise ValueError(f"expected numbers, got {type(value).__name__}") from None
    if array.nbytes > MOST_BYTES // 2:
        raise ValueError(f"expected at most {MOST_BYTES // 16} numbers, got {array.size}")
    return array


def is_plain(value):
    """Whether a decoded value is one that `plain` can give."""
    return value is None or isinstance(value, str) or type(value) is np.ndarray
