"""Writer of small GGUF files with a random model, for tests of the reader and of the published model's figure."""

import struct

import numpy as np

from lib.published_model.tokenizer import ALPHABET

WIDTH, HIDDEN, N_BLOCKS, N_HEADS, N_GROUPS = 192, 64, 3, 3, 1
MERGES = [("Ġ", "t"), ("h", "e"), ("Ġt", "he"), ("Ġ", "a"), ("i", "n"), ("o", "g"), ("Ġ", "f"), ("Ġf", "r")]
TYPES = {"F32": 0, "F16": 1, "Q4_0": 2, "Q4_1": 3, "Q8_0": 8}


def blocks(array):
    return array.reshape(-1, 32).astype(np.float32)


def nibbles(numbers):
    """Pack numbers from 0 to 15, 32 per block: the first half of a block in the low bits."""
    low, high = np.split(numbers.clip(0, 15).astype(np.uint8), 2, axis=1)
    return low | high << 4


def q8_0(array):
    x = blocks(array)
    scale = (np.abs(x).max(axis=1, keepdims=True) / 127).astype(np.float16)
    whole = np.rint(x / np.where(scale > 0, scale, 1)).astype(np.int8)
    return np.concatenate([scale.view(np.uint8), whole.view(np.uint8)], axis=1)


def q4_0(array):
    x = blocks(array)
    scale = (np.abs(x).max(axis=1, keepdims=True) / 8).astype(np.float16)
    return np.concatenate([scale.view(np.uint8), nibbles(np.rint(x / scale) + 8)], axis=1)


def q4_1(array):
    x = blocks(array)
    least = x.min(axis=1, keepdims=True).astype(np.float16)
    scale = ((x.max(axis=1, keepdims=True) - least) / 15).astype(np.float16)
    return np.concatenate(
        [scale.view(np.uint8), least.view(np.uint8), nibbles(np.rint((x - least) / scale))], axis=1
    )


ENCODE = {
    "F32": lambda x: x.astype("<f4"),
    "F16": lambda x: x.astype("<f2"),
    "Q4_0": q4_0,
    "Q4_1": q4_1,
    "Q8_0": q8_0,
}


def text(words):
    encoded = words.encode()
    return struct.pack("<Q", len(encoded)) + encoded


def value(x):
    """Encode a setting with its type."""
    if isinstance(x, str):
        return struct.pack("<I", 8) + text(x)
    if isinstance(x, list):
        if all(isinstance(each, int) for each in x):
            return struct.pack(f"<IIQ{len(x)}i", 9, 5, len(x), *x)
        return struct.pack("<IIQ", 9, 8, len(x)) + b"".join(map(text, x))
    return struct.pack("<If", 6, x) if isinstance(x, float) else struct.pack("<II", 4, x)


def gguf(settings, arrays, encodings):
    """Return the bytes of a file with these settings and arrays, each array in its encoding."""
    head, offset, body = b"", 0, b""
    for name, array in arrays.items():
        shape, kind = array.shape[::-1], TYPES[encodings[name]]
        head += text(name) + struct.pack(f"<I{len(shape)}QIQ", len(shape), *shape, kind, offset)
        own = ENCODE[encodings[name]](array).tobytes()
        body += own + b"\0" * (-len(own) % 32)
        offset = len(body)
    stored = b"".join(text(name) + value(x) for name, x in settings.items())
    start = struct.pack("<4sIQQ", b"GGUF", 3, len(arrays), len(settings)) + stored + head
    return start + b"\0" * (-len(start) % 32) + body


def tiny_model(encoding="Q4_1", architecture="llama", pre="smollm", is_tied=True, seed=0, **more):
    """Return the bytes of a file with a random model of the same form as SmolLM2.

    `more` are settings or arrays by name, in place of or besides those of this model.
    """
    words = [*ALPHABET.values(), *("".join(pair) for pair in MERGES)]
    random = np.random.default_rng(seed).normal
    d = WIDTH // N_HEADS
    arrays = {
        "token_embd.weight": random(0, 0.4, (len(words), WIDTH)),
        "output_norm.weight": random(1, 0.1, WIDTH),
    }
    if not is_tied:
        arrays["output.weight"] = random(0, 0.4, (len(words), WIDTH))
    for i in range(N_BLOCKS):
        shapes = {
            "attn_q": (WIDTH, WIDTH),
            "attn_k": (N_GROUPS * d, WIDTH),
            "attn_v": (N_GROUPS * d, WIDTH),
            "attn_output": (WIDTH, WIDTH),
            "ffn_gate": (HIDDEN, WIDTH),
            "ffn_up": (HIDDEN, WIDTH),
            "ffn_down": (WIDTH, HIDDEN),
        }
        arrays |= {f"blk.{i}.{name}.weight": random(0, 0.12, shape) for name, shape in shapes.items()}
        arrays |= {f"blk.{i}.{name}.weight": random(1, 0.1, WIDTH) for name in ("attn_norm", "ffn_norm")}
    arrays |= {name: each for name, each in more.items() if isinstance(each, np.ndarray)}
    encodings = {name: encoding if array.ndim == 2 else "F32" for name, array in arrays.items()}
    encodings["token_embd.weight"] = "Q8_0"
    settings = {
        "general.architecture": architecture,
        "llama.block_count": N_BLOCKS,
        "llama.attention.head_count": N_HEADS,
        "llama.attention.head_count_kv": N_GROUPS,
        "llama.embedding_length": WIDTH,
        "llama.attention.layer_norm_rms_epsilon": 1e-5,
        "llama.rope.freq_base": 100_000.0,
        "llama.context_length": 512,
        "tokenizer.ggml.pre": pre,
        "tokenizer.ggml.tokens": words,
        "tokenizer.ggml.merges": [" ".join(pair) for pair in MERGES],
    }
    settings |= {name: each for name, each in more.items() if name not in arrays}
    return gguf(settings, arrays, encodings)


SPECIAL = "<|end|>"


def with_special_token():
    """Return the bytes of a model whose vocabulary has a special token in place of the byte 4."""
    words = [*ALPHABET.values(), *("".join(pair) for pair in MERGES)]
    kinds = [3 if word == ALPHABET[4] else 1 for word in words]
    words[kinds.index(3)] = SPECIAL
    return tiny_model(**{"tokenizer.ggml.tokens": words, "tokenizer.ggml.token_type": kinds})


SPECIAL_TEXTS = {  # and their tokens
    "a\x04b!\x04!": ["a", "b", "!", "!"],
    f"in{SPECIAL} in": ["in", SPECIAL, " ", "in"],
    "in<|end|": ["in", "<", "|", "e", "n", "d", "|"],
}


def ramp(*shape):
    return np.linspace(-1, 1, np.prod(shape)).reshape(shape)


UNSUPPORTED = {  # what lib and the page do not compute, by a part of the error
    "llama.rope.scaling.type": {"llama.rope.scaling.type": "linear"},
    "llama.rope.scaling.factor": {"llama.rope.scaling.factor": 4.0},
    "rope_freqs.weight": {"rope_freqs.weight": ramp(32)},
    "blk.0.attn_q.bias": {"blk.0.attn_q.bias": ramp(WIDTH)},
    "llama.attention.sliding_window": {"llama.attention.sliding_window": 128},
    "llama.expert_count": {"llama.expert_count": 8},
    "llama.attention.head_count ": {"llama.attention.head_count": 0},
    "llama.attention.head_count_kv": {"llama.attention.head_count_kv": 0},
    "llama.block_count": {"llama.block_count": 0},
    "2 key–value heads": {"llama.attention.head_count_kv": 2},
    "width 200": {"llama.embedding_length": 200},
    "llama.rope.dimension_count": {"llama.rope.dimension_count": 32},
    "llama.attention.key_length": {"llama.attention.key_length": 128},
    "token_embd.weight": {"token_embd.weight": ramp(300, WIDTH)},
    "output.weight": {"output.weight": ramp(300, WIDTH)},
    "blk.1.attn_k.weight": {"blk.1.attn_k.weight": ramp(WIDTH, WIDTH)},
    "blk.2.ffn_down.weight": {"blk.2.ffn_down.weight": ramp(WIDTH, 2 * HIDDEN)},
}
