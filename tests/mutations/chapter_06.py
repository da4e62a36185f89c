"""Faults that the tests of chapter 6's equations must notice."""

from tests.mutations import Mutation

MUTATIONS = [
    Mutation(
        "lib/attention.py",
        "scores = np.matmul(queries, np.swapaxes(keys, -1, -2), dtype=np.float64) / temperature",
        "scores = np.matmul(queries, np.swapaxes(keys, -1, -2), dtype=np.float64) / temperature**2",
        "the temperature is squared",
        (
            "eq:attention_weights",
            "eq:attention",
        ),
    ),
    Mutation(
        "lib/attention.py",
        'return np.tri(whole_number("n", n), dtype=bool)',
        'return np.tri(whole_number("n", n), k=1, dtype=bool)',
        "a query sees one key too many",
        ("eq:causal_mask",),
    ),
    Mutation(
        "lib/attention.py",
        'return positive("base", base) ** (-np.arange(0, dimension, 2) / dimension)',
        'return positive("base", base) ** (-np.arange(0, dimension, 2) / (dimension + 2))',
        "the frequencies fall too slowly",
        ("eq:positional_encoding",),
    ),
    Mutation(
        "lib/learning.py",
        "return float(np.mean(errors**2)), weights * (weight_gradient - pull)",
        "return float(np.mean(errors**2)), weights * weight_gradient",
        "the common pull is dropped",
        ("eq:score_gradient",),
    ),
    Mutation(
        "lib/learning.py",
        "return loss, float(-2 * (score_slope * scores).sum())",
        "return loss, float(-1 * (score_slope * scores).sum())",
        "the 2 of h² is dropped",
        ("eq:bandwidth_gradient",),
    ),
    Mutation(
        "lib/learning.py",
        "velocities = [momentum * v - size * slope",
        "velocities = [momentum * v - 2 * size * slope",
        "each step is twice as long",
        ("eq:momentum",),
    ),
    Mutation(
        "lib/learning.py",
        "weight_gradient = 2 / errors.size * errors @",
        "weight_gradient = 1 / errors.size * errors @",
        "the 2 of the square is dropped",
        ("eq:score_gradient",),
    ),
    Mutation(
        "lib/patch_attention.py",
        "matrix[NORM, ONE] = matrix[ONE, NORM] = -5 * scale",
        "matrix[NORM, ONE] = matrix[ONE, NORM] = -4 * scale",
        "the norms weigh too little",
        ("eq:norm_carrying",),
    ),
    Mutation(
        "lib/patch_attention.py",
        'norms = np.einsum("rcp,rcp->rc", patches, patches) / 5',
        'norms = np.einsum("rcp,rcp->rc", patches, patches) / 4',
        "a token carries a wrong norm",
        ("eq:patch_tokens",),
    ),
    Mutation(
        "lib/patch_attention.py",
        "matrix = query_map.T @ key_map / np.sqrt(len(query_map)).astype(query_map.dtype)",
        "matrix = query_map.T @ key_map / np.float32(len(query_map))",
        "the temperature is the rank and not its root",
        ("eq:patch_attention",),
    ),
]
