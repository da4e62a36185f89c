"""Compare attention with torch and a naive NumPy implementation: float32, one thread, ratios of times in one run.

Run by `make bench`. Ratios compare the best times over interleaved repeats; memory is the peak allocated by the
call. Much of the naive implementation's cost is the allocation of three n × n matrices, which is mainly paid by
the first call. "NumPy's parts" are the two products and the exponential alone, block by block: no bound, sum of
weights, mask or check. The difference from them is the price of a result that is right for all inputs.
"""

import os

os.environ |= {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}

import time

import numpy as np
import torch
from torch.nn.functional import scaled_dot_product_attention

from benchmarks.timing import beside_goal, best_times, megabytes
from lib.attention import attention, causal_mask
from lib.engine.streaming import BLOCK_KEYS, BLOCK_QUERIES
from lib.weights import blocks

torch.set_num_threads(1)
GOALS = [
    ("", "NumPy's parts", 1.3),
    ("", "torch", 1.3),
    (", causal", "torch, causal", 2),  # at n = 1024 our blocks leave out 28 % of the products, torch half
    (", causal", "torch, the same mask", 1.3),
]


def naive(queries, keys, values):
    """Compute attention by its formula, with the whole weight matrix."""
    scores = queries @ keys.T / np.float32(np.sqrt(keys.shape[-1]))
    weights = np.exp(scores - scores.max(axis=1, keepdims=True))
    weights = weights / weights.sum(axis=1, keepdims=True)
    return weights @ values


def parts(queries, keys, values):
    """Compute only the products and the exponential, in blocks of the same size as those of `lib`."""
    estimate, keys = np.zeros_like(values), keys / np.float32(np.sqrt(keys.shape[-1]))
    for columns in blocks(len(keys), BLOCK_KEYS):
        prepared = np.ascontiguousarray(keys[columns].T)
        for rows in blocks(len(queries), BLOCK_QUERIES):
            block = queries[rows] @ prepared
            estimate[rows] += np.exp(block, out=block) @ values[columns]
    return estimate


def compare(n, dimension=64):
    rng = np.random.default_rng(0)
    arrays = [rng.normal(size=(n, dimension)).astype(np.float32) for _ in range(3)]
    tensors = [torch.from_numpy(a)[None, None] for a in arrays]
    mask = causal_mask(n)
    mask_of_torch = torch.from_numpy(mask)
    functions = {
        "lib.attention": lambda: attention(*arrays),
        "torch": lambda: scaled_dot_product_attention(*tensors)[0, 0].numpy(),
        "NumPy's parts": lambda: parts(*arrays),
        "naive NumPy": lambda: naive(*arrays),
        "lib.attention, causal": lambda: attention(*arrays, mask=mask),
        "torch, causal": lambda: scaled_dot_product_attention(*tensors, is_causal=True)[0, 0].numpy(),
        "torch, the same mask": lambda: scaled_dot_product_attention(*tensors, mask_of_torch)[0, 0].numpy(),
    }
    start = time.perf_counter()
    functions["naive NumPy"]()
    first = time.perf_counter() - start
    times = best_times(functions, 5)
    ours = functions["lib.attention"]
    error = max(abs(ours() - functions[peer]()).max() for peer in ("torch", "naive NumPy"))
    causal_error = abs(functions["lib.attention, causal"]() - functions["torch, causal"]()).max()
    assert max(error, causal_error) < 1e-5
    times |= {"naive NumPy, first call": first}
    print(f"\nAttention, {n} queries × {n} keys, d = {dimension}")
    for name, seconds in times.items():
        print(f"  {name:24} {seconds * 1e3:8.1f} ms")
    for name, peer, goal in GOALS:
        ratio = times["lib.attention" + name] / times[peer]
        print(f"  lib.attention{name}, time of {peer}: {beside_goal(ratio, at_most=goal)}")
    for peer in ("naive NumPy", "naive NumPy, first call"):
        print(f"  lib.attention: {times[peer] / times['lib.attention']:.1f}× as fast as {peer}")
    print(f"  {megabytes(ours):.1f} MB beyond the inputs, naive {megabytes(functions['naive NumPy']):.0f} MB")
    print(f"  largest difference {error:.1e}")


def compare_one_query(n_keys, dimension=64):
    """Time one query over many keys, as with a KV cache, and the conversion of keys and values to float64."""
    rng = np.random.default_rng(1)
    arrays = [rng.normal(size=(n, dimension)).astype(np.float32) for n in (1, n_keys, n_keys)]
    doubles = [a.astype(np.float64) for a in arrays]
    functions = {
        "float32": lambda: attention(*arrays),
        "float64": lambda: attention(*doubles),
        "keys and values to float64": lambda: [a.astype(np.float64) for a in arrays],
    }
    times = best_times(functions, 5)
    print(f"\nAttention, 1 query × {n_keys} keys, d = {dimension}")
    for name, seconds in times.items():
        print(f"  {name:27} {seconds * 1e3:8.1f} ms")


if __name__ == "__main__":
    for n in (1024, 8192):
        compare(n)
    compare_one_query(400_000)
