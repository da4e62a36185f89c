"""Faults that the tests of chapter 2's equations must notice."""

from tests.mutations import Mutation

MUTATIONS = [
    Mutation(
        "lib/filters/bilateral.py",
        "return np.subtract(-(row**2 + column**2) / h_x**2, squares, out=squares)",
        "return np.subtract(-(row**2 + column**2) / h_x, squares, out=squares)",
        "the filter's h_x loses its square",
        ("eq:bilateral",),
    ),
    Mutation(
        "lib/filters/bilateral.py",
        "return -offsets_squared(radius) / h_x**2 - (difference**2).sum(axis=0)",
        "return -offsets_squared(radius) / h_x**2 - 2 * (difference**2).sum(axis=0)",
        "the weights' difference of values counts twice",
        ("eq:bilateral_log_weights",),
    ),
    Mutation(
        "lib/images.py",
        "return -10 * math.log10(error) if error else math.inf",
        "return -20 * math.log10(error) if error else math.inf",
        "10 becomes 20",
        ("eq:psnr",),
    ),
]
