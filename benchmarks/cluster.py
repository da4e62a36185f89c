"""Stream a hundred million keys past ten thousand queries on a local cluster of two processes.

Run by `make bench`. No process stores all keys: each chunk is generated, summed and discarded.
"""

import os

os.environ |= {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}

import resource
import time
from functools import partial

import dask.array
import numpy as np
from distributed import Client, LocalCluster

from lib.distributed import nadaraya_watson

N_KEYS, CHUNK, N_QUERIES, N_WORKERS = 10**8, 2 * 10**6, 10**4, 2


def chunk_of(part, seed, block_id):
    """Return a chunk of standard normal keys, or of values around sin(3 · key)."""
    keys = np.random.default_rng([seed, *block_id]).normal(size=CHUNK)
    return keys if part == "keys" else np.sin(3 * keys) + np.random.default_rng(block_id).normal(size=CHUNK)


def measure(client):
    chunks = {"chunks": ((CHUNK,) * (N_KEYS // CHUNK),), "dtype": float}
    keys, values = (dask.array.map_blocks(partial(chunk_of, part, 0), **chunks) for part in ("keys", "values"))
    queries = dask.array.linspace(-3, 3, N_QUERIES, chunks=N_QUERIES)
    start = time.perf_counter()
    estimate = client.compute(nadaraya_watson(queries, keys, values, 0.05)).result()
    seconds = time.perf_counter() - start
    peak = max(client.run(lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss).values()) / 1024
    smoothed = np.exp(-((3 * 0.05) ** 2) / 4) * np.sin(3 * np.linspace(-3, 3, N_QUERIES))
    middle = slice(N_QUERIES // 3, -N_QUERIES // 3)
    print(f"{N_KEYS:.0e} keys × {N_QUERIES} queries on {N_WORKERS} processes: {seconds:.0f} s,", end=" ")
    print(f"{peak:.0f} MB each; keys and values alone are {(keys.nbytes + values.nbytes) / 1e6:.0f} MB")
    error = np.abs(estimate - smoothed)[middle].max()
    print(f"largest error, where keys are dense: {error:.3f}")
    hours = seconds * N_WORKERS / N_KEYS * 1e11 / 100 / 3600
    print(f"at this rate 1e11 keys on 100 such workers take {hours:.1f} h; a chunk sends 2 × {N_QUERIES} numbers")


if __name__ == "__main__":
    options = {"n_workers": N_WORKERS, "threads_per_worker": 1, "host": "127.0.0.1", "dashboard_address": None}
    with LocalCluster(**options) as cluster, Client(cluster) as client:
        measure(client)
