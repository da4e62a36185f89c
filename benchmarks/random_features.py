"""Compare linear attention with performer-pytorch and exact attention (torch): times, growth with n, memory.

Run by `make bench`. float32, one BLAS and one torch thread, so that CPU time equals wall time on an idle machine;
medians over interleaved repeats.
"""

import os

os.environ |= {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}

import contextlib
import time
import tracemalloc
import warnings

import numpy as np
import torch
from torch.nn.functional import scaled_dot_product_attention

from lib.random_features import linear_attention, orthogonal_frequencies

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # the package uses names that are now deprecated in torch and Python
    from performer_pytorch.performer_pytorch import FastAttention, softmax_kernel
    from performer_pytorch.performer_pytorch import linear_attention as peer_average

DIMENSION, N_FEATURES = 64, 256
OURS, EXACT = "ours", "exact (torch)"


def median_times(functions, repeats):
    """Return the median CPU seconds of each function, interleaved so that other load affects all equally."""
    times = {name: [] for name in functions}
    for _ in range(repeats):
        for name, function in functions.items():
            start = time.process_time()
            function()
            times[name].append(time.process_time() - start)
    return {name: float(np.median(values)) for name, values in times.items()}


def inputs(n):
    """Return queries, keys, values and frequencies."""
    rng = np.random.default_rng(0)
    tokens = rng.normal(size=(3, n, DIMENSION)).astype(np.float32)
    return *tokens, orthogonal_frequencies(N_FEATURES, DIMENSION, rng=rng).astype(np.float32)


def methods(n, causal=False):
    """Return three implementations of attention over the same n tokens, as functions without arguments."""
    *tokens, frequencies = inputs(n)
    as_torch = [torch.from_numpy(x)[None, None] for x in tokens]
    with contextlib.redirect_stdout(None):  # it prints a message about its slow path for causal attention
        performer = FastAttention(DIMENSION, nb_features=N_FEATURES, causal=causal)
    performer.projection_matrix.copy_(torch.from_numpy(frequencies))
    return {
        OURS: lambda: linear_attention(*tokens, causal=causal, frequencies=frequencies),
        "performer-pytorch": lambda: performer(*as_torch)[0, 0].numpy(),
        EXACT: lambda: scaled_dot_product_attention(*as_torch, is_causal=causal)[0, 0].numpy(),
    }


def compare(n=4096):
    for causal, goal in [(False, 1.4), (True, 10)]:
        functions = methods(n, causal)
        times = median_times(functions, 7 if causal else 21)
        ratio = times["performer-pytorch"] / times[OURS]
        print(f"\nn = {n}, d = {DIMENSION}, m = {N_FEATURES}, {'causal' if causal else 'bidirectional'}")
        for name, seconds in times.items():
            print(f"  {name:18}{seconds * 1e3:8.1f} ms")
        print(f"  {ratio:.1f}× the speed of performer-pytorch (goal {goal})")


def agreement(n=4096):
    """Check that the same frequencies give the same output if the peer adds nothing to its features."""
    functions = methods(n)
    queries, keys, values, frequencies = (torch.from_numpy(x)[None, None] for x in inputs(n))
    options = {"projection_matrix": frequencies[0, 0], "eps": 0}
    features = softmax_kernel(queries, is_query=True, **options), softmax_kernel(keys, is_query=False, **options)
    ours = functions[OURS]()
    gap = np.abs(ours - peer_average(*features, values)[0, 0].numpy()).max()
    shift = np.abs(ours - functions["performer-pytorch"]()).max()
    assert gap < 1e-3, gap
    print("  largest difference of the outputs: ", end="")
    print(f"{gap:.1g} without the 1e-4 that the package adds to its features, {shift:.2g} with it")


def exponent(times):
    """Return the slope of log time against log n."""
    return np.polyfit(np.log(list(times)), np.log(list(times.values())), 1)[0]


def growth():
    """Print the growth exponents in n, and the n above which linear attention is faster than exact attention."""
    sizes = [256, 512, 1024, 2048, 4096, 8192, 16_384, 32_768, 65_536]
    functions = {(name, n): function for n in sizes for name, function in methods(n).items()}
    wanted = {(name, n): f for (name, n), f in functions.items() if name == OURS or name == EXACT and n <= 16_384}
    seconds = median_times(wanted, 5)
    times = {name: {n: seconds[name, n] for n in sizes if (name, n) in seconds} for name in (OURS, EXACT)}
    print("\n       n     ours   exact (ms)")
    for n in sizes:
        exact = f"{times[EXACT][n] * 1e3:9.2f}" if n in times[EXACT] else "        –"
        print(f"  {n:6}{times[OURS][n] * 1e3:9.2f}{exact}")
    for name, goal in [(OURS, "goal: at most 1.15"), (EXACT, "near 2")]:
        slope = exponent({n: value for n, value in times[name].items() if n >= 2048})
        print(f"  time of {name} grows like n^{slope:.2f} from n = 2048 ({goal})")
    gain = [np.log(value / times[OURS][n]) for n, value in times[EXACT].items()]
    crossover = np.exp(np.interp(0, gain, np.log(list(times[EXACT]))))
    print(f"  faster than exact attention from about n = {crossover:.0f}")


def memory():
    """Print the peak memory allocated by a call, including the result."""
    print()
    for causal in (False, True):
        megabytes = {}
        for n in [4096, 16_384, 65_536]:
            function = methods(n, causal)[OURS]
            tracemalloc.start()
            function()
            megabytes[n] = tracemalloc.get_traced_memory()[1] / 1e6
            tracemalloc.stop()
        listed = ", ".join(f"{peak:.1f} MB at n = {n}" for n, peak in megabytes.items())
        print(f"{'causal' if causal else 'bidirectional'}: {listed}; grows like n^{exponent(megabytes):.2f}")
    print(f"(the matrix of weights alone would take {65_536**2 * 4 / 1e6:.0f} MB at n = 65536)")


if __name__ == "__main__":
    torch.set_num_threads(1)
    with torch.inference_mode():
        compare()
        agreement()
        growth()
        memory()
