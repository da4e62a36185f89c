"""Compare Nadaraya–Watson with statsmodels and scikit-learn: ratios of times in one run with one BLAS thread.

Run by `make bench`. Ratios compare the best times over interleaved repeats; memory is the peak allocated by the
call.
"""

import os

os.environ |= {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}

import numpy as np
from sklearn.metrics.pairwise import rbf_kernel
from statsmodels.nonparametric.kernel_regression import KernelReg

from benchmarks.timing import beside_goal, best_times, megabytes
from lib.regression import nadaraya_watson


def scikit_learn(queries, keys, values, bandwidth):
    weights = rbf_kernel(queries, keys, gamma=1 / bandwidth**2)
    return weights @ values / weights.sum(axis=1)


def statsmodels(queries, keys, values, bandwidth):
    dimension = keys.shape[1]
    widths = np.full(dimension, bandwidth / np.sqrt(2))  # its Gaussian is exp(−d²/2σ²)
    model = KernelReg(values, keys, "c" * dimension, reg_type="lc", bw=widths)
    return model.fit(queries)[0]


def compare(dimension, bandwidth, n_keys=100_000, n_queries=1_000):
    rng = np.random.default_rng(0)
    keys, queries = rng.normal(size=(n_keys, dimension)), rng.normal(size=(n_queries, dimension))
    values = np.sin(keys[:, 0]) + rng.normal(size=n_keys)
    double, single = (queries, keys, values), tuple(x.astype(np.float32) for x in (queries, keys, values))
    ours = {
        "float64": lambda: nadaraya_watson(*double, bandwidth),
        "float32": lambda: nadaraya_watson(*single, bandwidth),
    }
    peers = {"scikit-learn": lambda: scikit_learn(*double, bandwidth)}
    times = best_times(ours | peers, 5) | best_times({"statsmodels": lambda: statsmodels(*double, bandwidth)}, 1)
    assert np.allclose(ours["float64"](), peers["scikit-learn"](), rtol=1e-8)
    print(f"\nN–W, {dimension}-D, {n_keys} keys × {n_queries} queries")
    for name, seconds in times.items():
        print(f"  {name:13} {seconds * 1e3:8.0f} ms")
    for name, function in ours.items():
        for peer in ("statsmodels", "scikit-learn"):
            print(f"  {name}, speed of {peer}: {beside_goal(times[peer] / times[name], at_least=1)}")
        print(f"  {name}: {megabytes(function):.1f} MB beyond the inputs")


if __name__ == "__main__":
    compare(dimension=8, bandwidth=1.0)
    compare(dimension=1, bandwidth=0.1)
