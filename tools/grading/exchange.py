"""The plain data that the grader and a submission's process exchange: numbers, text and arrays. No objects.

Both sides use this file. A request is JSON, written by the grader. A reply may hold anything, so it has a fixed
form that costs the grader no more memory than it has bytes: a short head of JSON, then the value as raw bytes.
"""

import base64
import json
import struct

import numpy as np

MOST_BYTES = 32 * 2**20  # of a request
MOST_ARRAY, MOST_HEAD, MOST_TEXT = 16 * 2**20, 4096, 100_000  # bytes of a reply
MOST_REPLY = MOST_ARRAY + MOST_HEAD + 2
HEAD_LENGTH = struct.Struct("!H")
PATIENCE = 10  # seconds by the clock for each second of processor time, because the machine may be busy


def encode(value):
    """Encode a dictionary, tuple, array, number, text or None as bytes."""
    return json.dumps(value, default=_encoded_array).encode()


def _encoded_array(array):
    array = np.asarray(array)
    is_integer = array.dtype.kind in "bui"
    array = np.ascontiguousarray(array, dtype="<i8" if is_integer else "<f8")
    return {"is_integer": is_integer, "shape": array.shape, "array": base64.b64encode(array).decode()}


def decode(data):
    """Decode what `encode` wrote, with lists as tuples. Raises ValueError for anything else."""
    try:
        return _decoded(json.loads(data))
    except (ValueError, TypeError, KeyError, OverflowError, RecursionError, MemoryError) as error:
        raise ValueError(f"expected plain data, got {type(error).__name__}") from None


def _decoded(value):
    if isinstance(value, list):
        return tuple(_decoded(item) for item in value)
    if isinstance(value, dict) and "array" in value:
        numbers = np.frombuffer(base64.b64decode(value["array"]), "<i8" if value["is_integer"] else "<f8")
        return numbers.reshape(value["shape"]).copy()
    if isinstance(value, dict):
        return {name: _decoded(item) for name, item in value.items()}
    return value


def encode_reply(value, **head):
    """Encode a reply as bytes: None, text, or an array of numbers, with further fields."""
    if value is None:
        kind, shape, body = "none", (), b""
    elif isinstance(value, str):
        kind, shape, body = "text", (), value.encode("utf8", "replace")[:MOST_TEXT]
    else:
        kind, shape, body = "array", np.shape(value), np.ascontiguousarray(value, "<f8").tobytes()
    head = json.dumps({"kind": kind, "shape": shape, **head}).encode()
    return HEAD_LENGTH.pack(len(head)) + head + body


def decode_reply(data):
    """The value and the header of a reply. Raises ValueError if the bytes are not a reply."""
    try:
        start = HEAD_LENGTH.size + min(HEAD_LENGTH.unpack_from(data)[0], MOST_HEAD)
        head, body = json.loads(data[HEAD_LENGTH.size : start]), memoryview(data)[start:]
        if head["kind"] == "text":
            return bytes(body[:MOST_TEXT]).decode("utf8", "replace"), head
        value = np.frombuffer(body, "<f8").reshape(tuple(head["shape"])) if head["kind"] == "array" else None
        return value, head
    except (ValueError, TypeError, KeyError, OverflowError, RecursionError, MemoryError, struct.error) as error:
        raise ValueError(f"expected plain data, got {type(error).__name__}") from None


def plain(value):
    """Convert a value to None, text or an array of numbers; raise ValueError if that is impossible."""
    if value is None or isinstance(value, str):
        return value if value is None else str(value)
    if hasattr(value, "detach"):  # a tensor with a computation graph
        value = value.detach()
    try:
        array = np.array(value, dtype=float)
    except Exception:
        raise ValueError(f"expected numbers, got {type(value).__name__}") from None
    if array.nbytes > MOST_ARRAY:
        raise ValueError(f"expected at most {MOST_ARRAY // 8} numbers, got {array.size}")
    return array
