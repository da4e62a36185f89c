"""Faults that the tests of chapter @N@'s equations must notice."""

from tests.mutations import Mutation

MUTATIONS = [
    Mutation(
        "lib/weights.py",
        "weights = np.exp(log_weights - np.where(np.isfinite(largest), largest, 0))",
        "weights = np.exp2(log_weights - np.where(np.isfinite(largest), largest, 0))",
        "softmax takes powers of 2",
        ("eq:@NAME@_log_weight",),
    ),
]
