"""Compare attention with torch and a naive NumPy implementation: float32, one thread, ratios of times in one run.

Run by `make bench`. Ratios compare the best times over interleaved repeats; memory is the peak allocated by the
call. Much of the naive implementation's cost is the allocation of three n × n matrices, which is mainly paid by
the first call. "NumPy's parts" are what no implementation in NumPy can avoid, two products and the exponential,
written into arrays that exist already.
"""

import os

os.environ |= {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}

import time

import numpy as np
import torch
from torch.nn.functional import scaled_dot_product_attention

from benchmarks.timing import beside_goal, best_times, megabytes
from lib.attention import attention, causal_mask
from lib.engine.streaming import BLOCK_QUERIES

torch.set_num_threads(1)
GOALS = [
    ("", "NumPy's parts", 1.3),
    ("", "torch", 1.3),
    (", causal", "torch, causal", 2.5),  # torch leaves out half of the products, our blocks fewer
    (", causal", "torch, the same mask", 1.3),
]


def naive(queries, keys, values):
    """Compute attention by its formula, with the whole weight matrix."""
    scores = queries @ keys.T / np.float32(np.sqrt(keys.shape[-1]))
    weights = np.exp(scores - scores.max(axis=1, keepdims=True))
    weights = weights / weights.sum(axis=1, keepdims=True)
    return weights @ values


def parts(queries, keys, values):
    """Return a function that computes only the products and the exponential, block by block."""
    keys, size = np.ascontiguousarray(keys.T), len(queries)
    block, estimate = np.empty((BLOCK_QUERIES, size), np.float32), np.empty_like(values)

    def run():
        for start in range(0, size, BLOCK_QUERIES):
            rows = slice(start, min(start + BLOCK_QUERIES, size))
            scores = np.matmul(queries[rows], keys, out=block[: rows.stop - start])
            np.matmul(np.exp(scores, out=scores), values, out=estimate[rows])

    return run


def compare(n, dimension=64):
    rng = np.random.default_rng(0)
    arrays = [rng.normal(size=(n, dimension)).astype(np.float32) for _ in range(3)]
    tensors = [torch.from_numpy(a)[None, None] for a in arrays]
    mask = causal_mask(n)
    mask_of_torch = torch.from_numpy(mask)
    functions = {
        "lib.attention": lambda: attention(*arrays),
        "torch": lambda: scaled_dot_product_attention(*tensors)[0, 0].numpy(),
        "NumPy's parts": parts(*(array / 8 for array in arrays)),
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
