"""Compare linear-time regression with all pairs, statsmodels and a binned estimator, and check its cost model.

Run by `make bench`. All times are CPU seconds of one run with one BLAS thread. Times that would take hours are
extrapolated from fewer queries.
"""

import os

os.environ |= {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}

import time

import numpy as np
from statsmodels.nonparametric.kernel_regression import KernelReg

from lib.engine import gauss_transform, linear_time, regression
from lib.kernels import epanechnikov
from lib.regression import leave_one_out_error, nadaraya_watson

rng = np.random.default_rng(0)


def seconds(call, repeats=3):
    """Return the smallest CPU time of a call, and its result."""
    times = []
    for _ in range(repeats):
        start = time.process_time()
        result = call()
        times.append(time.process_time() - start)
    return min(times), result


def sample(n, d):
    keys = rng.normal(size=(n, d))
    return rng.normal(size=(n, d)), keys, np.sin(3 * keys[:, 0]) + rng.normal(size=n)


def by_pairs(queries, keys, values, bandwidth):
    """Run the engine on all pairs, without linear-time sums or grouping."""
    given = linear_time.FEW_PAIRS
    linear_time.FEW_PAIRS = regression.FEW_PAIRS = 10**15
    try:
        return nadaraya_watson(queries, keys, values, bandwidth)
    finally:
        linear_time.FEW_PAIRS = regression.FEW_PAIRS = given


def compare(n, d, bandwidth, n_queries=1000):
    queries, keys, values = sample(n, d)
    ours, estimate = seconds(lambda: nadaraya_watson(queries, keys, values, bandwidth))
    pairs, exact = seconds(lambda: by_pairs(queries[:n_queries], keys, values, bandwidth))
    model = KernelReg(values, keys, "c" * d, reg_type="lc", bw=np.full(d, bandwidth / np.sqrt(2)))
    peer, _ = seconds(lambda: model.fit(queries[:50])[0], 1)
    pairs, peer = pairs * n / n_queries, peer * n / 50
    error = np.abs(estimate[:n_queries] - exact).max() / np.ptp(values)
    print(
        f"{d}-D, {n} keys × {n} queries, h = {bandwidth}: {ours:.3f} s, error {error:.0e} of the range;", end=" "
    )
    print(f"all pairs {pairs:.0f} s, {pairs / ours:.0f}×; statsmodels {peer:.0f} s, {peer / ours:.0f}×")
    return ours


def compare_leave_one_out(n=100_000, n_bandwidths=50):
    _, keys, values = sample(n, 1)
    bandwidths = np.geomspace(0.003, 1, n_bandwidths)
    ours, _ = seconds(lambda: [leave_one_out_error(keys, values, h) for h in bandwidths], 1)
    pairs = seconds(lambda: by_pairs(keys[:1000], keys, values, 0.1))[0] * n / 1000 * n_bandwidths
    print(f"leave-one-out, {n_bandwidths} bandwidths of {n} keys: {ours:.1f} s;", end=" ")
    print(f"all pairs {pairs:.0f} s, {pairs / ours:.0f}×")


def binned(queries, keys, values, bandwidth, n_bins):
    """Compute both sums by linear binning and a fast Fourier transform."""
    low, high = min(keys.min(), queries.min()), max(keys.max(), queries.max())
    step = (high - low) / (n_bins - 1)
    position = (keys - low) / step
    left = np.minimum(position.astype(int), n_bins - 2)
    share = position - left
    offsets = np.arange(2 * n_bins) * step
    kernel = np.fft.rfft(np.exp(-(np.minimum(offsets, offsets[1] * 2 * n_bins - offsets) ** 2) / bandwidth**2))
    sums = []
    for column in (values, np.ones_like(values)):
        bins = np.bincount(left, column * (1 - share), 2 * n_bins)
        bins += np.bincount(left + 1, column * share, 2 * n_bins)
        sums.append(np.interp(queries, low + offsets[:n_bins], np.fft.irfft(np.fft.rfft(bins) * kernel)[:n_bins]))
    return sums[0] / sums[1]


def compare_with_bins(n=1_000_000, bandwidth=0.1):
    """Compare with binning where keys are dense; in the tails the rounding error of the transform dominates."""
    queries, keys, values = (x.ravel() for x in sample(n, 1))
    queries = np.clip(queries, -2.5, 2.5)
    exact = by_pairs(queries[:200], keys, values, bandwidth)
    ways = {"lib": lambda: nadaraya_watson(queries, keys, values, bandwidth)}
    ways |= {f"{2**k} bins": lambda k=k: binned(queries, keys, values, bandwidth, 2**k) for k in (10, 13, 16, 19)}
    print(f"{n} keys × {n} queries, h = {bandwidth}:      s    error of the range")
    for name, way in ways.items():
        spent, estimate = seconds(way)
        print(f"  {name:12} {spent:28.3f}    {np.abs(estimate[:200] - exact).max() / np.ptp(values):.0e}")


def measure_costs(n=200_000):
    """Print the costs assumed by `linear_time` and those measured on this machine."""
    (queries, keys, values), columns = sample(n, 1), [np.ones(n), np.ones(n)]
    moments = lambda width, h: gauss_transform.gaussian_moments(
        queries, keys, columns, np.array([h]), [(0,)], np.array([width])
    )
    term = seconds(lambda: moments(0.125, 0.25))[0] / (2 * 2 * n * gauss_transform.degree(0.5))
    coarse, fine = seconds(lambda: moments(2.0**-6, 2.0**-5))[0], seconds(lambda: moments(2.0**-9, 2.0**-8))[0]
    pair = seconds(lambda: by_pairs(queries[:500], keys, values, 0.1))[0] / (500 * n)
    window_moments = linear_time.window_moments
    of_windows = queries[:, 0], keys[:, 0], columns, 0.1, epanechnikov, [0]
    window = seconds(lambda: window_moments(*of_windows))[0]
    print(f"PAIR {pair:.1e} ({linear_time.PAIR}), TERM {term:.1e} ({linear_time.TERM}),", end=" ")
    print(f"BOX {(fine - coarse) / (2 * 3500):.1e} ({linear_time.BOX}),", end=" ")
    assumed = linear_time.SORT + 2 * linear_time.WINDOW
    print(f"SORT + 2 WINDOW {window / (2 * n):.1e} ({assumed:.1e})")


if __name__ == "__main__":
    measure_costs()
    times = [compare(n, 1, 0.1) for n in (10**5, 10**6)]
    print(f"ten times the points take {times[1] / times[0]:.1f} times as long")
    compare(10**5, 2, 0.1)
    compare(10**5, 2, 0.3)
    compare_leave_one_out()
    compare_with_bins()
