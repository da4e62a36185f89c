"""Reader of GGUF files, the format of llama.cpp: settings, and matrices in blocks of 32 quantized numbers."""

import math
import struct
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np

SCALARS = {0: "<B", 1: "<b", 2: "<H", 3: "<h", 4: "<I", 5: "<i", 6: "<f", 7: "<?", 10: "<Q", 11: "<q", 12: "<d"}
STRING, ARRAY = 8, 9
BLOCK = 32  # numbers that share a scale


class Encoding(NamedTuple):
    """How a block of numbers is stored: numbers per block, the block's fields, and its decoder."""

    name: str
    length: int
    fields: np.dtype
    decode: Callable


def _nibbles(blocks):
    """Return the sixteen low, then the sixteen high halves of a block's bytes."""
    return np.concatenate([blocks["bits"] & 15, blocks["bits"] >> 4], axis=-1).astype(np.float32)


def _column(blocks, name):
    return blocks[name].astype(np.float32)[:, None]


ENCODINGS = {
    0: Encoding("F32", 1, np.dtype([("x", "<f4")]), lambda b: _column(b, "x")),
    1: Encoding("F16", 1, np.dtype([("x", "<f2")]), lambda b: _column(b, "x")),
    2: Encoding(
        "Q4_0",
        BLOCK,
        np.dtype([("scale", "<f2"), ("bits", "u1", BLOCK // 2)]),
        lambda b: _column(b, "scale") * (_nibbles(b) - 8),
    ),
    3: Encoding(
        "Q4_1",
        BLOCK,
        np.dtype([("scale", "<f2"), ("least", "<f2"), ("bits", "u1", BLOCK // 2)]),
        lambda b: _column(b, "scale") * _nibbles(b) + _column(b, "least"),
    ),
    8: Encoding(
        "Q8_0",
        BLOCK,
        np.dtype([("scale", "<f2"), ("bits", "i1", BLOCK)]),
        lambda b: _column(b, "scale") * b["bits"].astype(np.float32),
    ),
}


def read_gguf(path):
    """Read the settings and the arrays of a GGUF file.

    Parameters
    ----------
    path : str or Path

    Returns
    -------
    settings : dict
        Numbers, texts and lists by name, such as `"llama.block_count"`.
    arrays : dict
        float32 arrays by name, such as `"blk.0.attn_q.weight"` of shape (outputs, inputs).

    Raises
    ------
    ValueError
        If the file is truncated, is not a GGUF file of version 2 or 3, or uses a different encoding than F32, F16,
        Q4_0, Q4_1 and Q8_0.
    """
    data = memoryview(Path(path).read_bytes())
    try:
        return _read(data)
    except (struct.error, UnicodeDecodeError):
        raise ValueError(f"path: expected a complete GGUF file, got {len(data)} bytes of {path}") from None


class _Reader:
    """Reads numbers, texts and lists one after another."""

    def __init__(self, data):
        self.data, self.at = data, 0

    def number(self, form):
        (value,) = struct.unpack_from(form, self.data, self.at)
        self.at += struct.calcsize(form)
        return value

    def bytes(self, length):
        if length > len(self.data) - self.at:
            raise struct.error
        self.at += length
        return self.data[self.at - length : self.at]

    def text(self):
        return str(self.bytes(self.number("<Q")), "utf-8")

    def value(self, kind):
        if kind == STRING:
            return self.text()
        if kind == ARRAY:
            kind, length = self.number("<I"), self.number("<Q")
            return [self.value(kind) for _ in range(length)]
        if kind not in SCALARS:
            raise ValueError(f"path: expected settings of known types, got type {kind}")
        return self.number(SCALARS[kind])


def _read(data):
    reader = _Reader(data)
    if (magic := bytes(reader.bytes(4))) != b"GGUF" or (version := reader.number("<I")) not in (2, 3):
        found = f"version {version}" if magic == b"GGUF" else "a different file"
        raise ValueError(f"path: expected a GGUF file of version 2 or 3, got {found}")
    n_arrays, n_settings = reader.number("<Q"), reader.number("<Q")
    settings = {reader.text(): reader.value(reader.number("<I")) for _ in range(n_settings)}
    entries = [_entry(reader) for _ in range(n_arrays)]
    alignment = settings.get("general.alignment", 32)
    start = math.ceil(reader.at / alignment) * alignment
    return settings, {name: _array(data, start + offset, *rest) for name, offset, *rest in entries}


def _entry(reader):
    """Return name, offset, shape and encoding of one array; the file lists the last axis first."""
    name = reader.text()
    shape = [reader.number("<Q") for _ in range(reader.number("<I"))][::-1]
    kind, offset = reader.number("<I"), reader.number("<Q")
    if kind not in ENCODINGS:
        names = ", ".join(each.name for each in ENCODINGS.values())
        raise ValueError(f"path: expected arrays encoded as {names}, got type {kind} for {name}")
    return name, offset, shape, ENCODINGS[kind]


def _array(data, start, shape, encoding):
    n_blocks = math.prod(shape) // encoding.length
    if start + n_blocks * encoding.fields.itemsize > len(data):
        raise struct.error
    blocks = np.frombuffer(data, encoding.fields, n_blocks, start)
    return encoding.decode(blocks).reshape(shape)
