"""Shared by the benchmarks: interleaved timing of functions, peak memory, and ratios compared with goals."""

import time
import tracemalloc


def best_times(functions, repeats):
    """Return the best seconds of each function, interleaved so that other load affects all equally."""
    times = {name: [] for name in functions}
    for _ in range(repeats):
        for name, function in functions.items():
            start = time.perf_counter()
            function()
            times[name].append(time.perf_counter() - start)
    return {name: min(values) for name, values in times.items()}


def megabytes(function):
    tracemalloc.start()
    function()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak / 1e6


def beside_goal(ratio, *, at_least=None, at_most=None):
    """Return the ratio in words, with its one goal and whether it is reached."""
    goal, reached = ("at least", ratio >= at_least) if at_most is None else ("at most", ratio <= at_most)
    limit = at_least if at_most is None else at_most
    return f"{ratio:.2f}× (goal: {goal} {limit}×, {'reached' if reached else 'missed'})"
