"""Faults that the tests of chapter 1's equations must notice."""

from tests.mutations import Mutation

MUTATIONS = [
    Mutation(
        "lib/data.py",
        "return keys, truth(keys) + rng.normal(size=n_keys), truth",
        "return keys, truth(keys) + 2 * rng.normal(size=n_keys), truth",
        "the noise is doubled",
        ("eq:model",),
    ),
    Mutation(
        "lib/metrics.py",
        "query_side = np.column_stack([-2 * queries,",
        "query_side = np.column_stack([-1 * queries,",
        "the product 2 q·k loses its 2",
        ("eq:squared_distance",),
    ),
    Mutation(
        "lib/kernels.py",
        "return -squared_distance",
        "return -2 * squared_distance",
        "the exponent of the Gaussian is doubled",
        (
            "eq:kernels",
            "eq:weights",
            "eq:average",
            "eq:local_constant",
            "eq:bias_variance",
            "eq:local_variance",
            "eq:best_bandwidth",
        ),
    ),
    Mutation(
        "lib/engine/regression.py",
        "self.unit = bandwidth / np.sqrt(LOG2E) if self.kernel is gaussian else bandwidth",
        "self.unit = bandwidth",
        "powers of 2 stand for powers of e",
        (
            "eq:nadaraya_watson",
            "eq:band",
            "eq:density",
            "eq:plug_in",
            "eq:boundary_bias",
            "eq:design_bias",
            "eq:leave_one_out",
            "eq:leave_one_out_error",
            "eq:shortcut",
        ),
    ),
    Mutation(
        "lib/weights.py",
        "weights = np.exp(log_weights - np.where(np.isfinite(largest), largest, 0))",
        "weights = np.exp2(log_weights - np.where(np.isfinite(largest), largest, 0))",
        "softmax takes powers of 2",
        ("eq:softmax", "eq:additive"),
    ),
    Mutation(
        "lib/weights.py",
        "estimate = weights @ values\n",
        "estimate = 1.001 * (weights @ values)\n",
        "the average is a thousandth too large",
        ("eq:average",),
    ),
    Mutation(
        "lib/regression.py",
        "mean_value + slope @ (query - mean_key)",
        "mean_value - slope @ (query - mean_key)",
        "the slope changes its sign",
        ("eq:local_linear",),
    ),
    Mutation(
        "lib/regression.py",
        "return float(fit + 1 + 2 * (freedom + 1) / (n_keys - freedom - 2))",
        "return float(fit + 1 + 2 * freedom / (n_keys - freedom - 2))",
        "df stands above and not df + 1",
        ("eq:corrected_aic",),
    ),
]
