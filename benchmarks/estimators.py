"""Compare the choice of a bandwidth by `KernelRegression` with statsmodels and a scikit-learn grid search.

Run by `make bench`. All three minimise the leave-one-out error over the same candidates. Then a million points are
fitted, once and in processor time, because a run takes long.
"""

import os

os.environ |= {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}

import time
import warnings

import numpy as np
from sklearn.model_selection import GridSearchCV, LeaveOneOut
from statsmodels.nonparametric.kernel_regression import KernelReg

from benchmarks.timing import beside_goal, best_times
from lib.estimators import KernelRegression
from lib.regression import candidate_bandwidths

GOAL = 1  # at least as fast
GOAL_FOR_A_MILLION = 10  # seconds


def sample(n):
    rng = np.random.default_rng(0)
    x = rng.uniform(0, 10, n)
    return x[:, None], np.sin(x) + 0.2 * rng.normal(size=n)


def ours(X, y):
    return KernelRegression().fit(X, y).bandwidth_


def scikit_learn(X, y):
    """Fit the same estimator n times per candidate, as a grid search does."""
    grid = {"bandwidth": candidate_bandwidths(X)}
    search = GridSearchCV(KernelRegression(), grid, cv=LeaveOneOut(), scoring="neg_mean_squared_error")
    return search.fit(X, y).best_params_["bandwidth"]


def statsmodels(X, y):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it announces a change of its seed, and divides by zero for a far query
        model = KernelReg(y, X, "c", reg_type="lc", bw=[1.0])
        candidates = candidate_bandwidths(X)
        errors = [float(model.cv_loo(np.array([h / np.sqrt(2)]), model.est["lc"])[0]) for h in candidates]
    return candidates[np.nanargmin(errors)]


def compare(n):
    X, y = sample(n)
    functions = {"KernelRegression": ours, "statsmodels": statsmodels, "scikit-learn": scikit_learn}
    chosen = {}
    run = lambda name: lambda: chosen.update({name: functions[name](X, y)})
    times = best_times({name: run(name) for name in functions}, 1)
    assert np.allclose(list(chosen.values()), chosen["KernelRegression"]), chosen
    print(f"Bandwidth of {n} points from {len(candidate_bandwidths(X))} candidates")
    for name, seconds in times.items():
        print(f"  {name:16} {seconds * 1e3:8.0f} ms")
    for peer in ("statsmodels", "scikit-learn"):
        print(f"  speed of {peer}: {beside_goal(times[peer] / times['KernelRegression'], at_least=GOAL)}")


def fit_a_million():
    X, y = sample(1_000_000)
    start = time.process_time()
    ours(X, y)
    seconds = time.process_time() - start
    outcome = "reached" if seconds <= GOAL_FOR_A_MILLION else "missed"
    print(f"A million points: {seconds:.0f} s (goal: at most {GOAL_FOR_A_MILLION} s, {outcome})")


if __name__ == "__main__":
    compare(100)
    fit_a_million()
