"""Faults that the tests of chapter 5's equations must notice."""

from tests.mutations import Mutation

MUTATIONS = [
    Mutation(
        "lib/unified/kernel.py",
        "metric[..., y, x] = cross_block, np",
        "metric[..., y, x] = -cross_block, np",
        "an off-diagonal block changes its sign",
        ("eq:block_metric", "eq:tilted_metric"),
    ),
    Mutation(
        "lib/metrics.py",
        'key_norms = np.einsum("id,id->i", keys @ metric, keys)',
        'key_norms = 2 * np.einsum("id,id->i", keys @ metric, keys)',
        "the keys' own norms count twice",
        (
            "eq:unified_kernel",
            "eq:mahalanobis_factors",
            "eq:symmetric_part",
            "eq:rkhs",
            "eq:filter_matrix",
            "eq:similar_matrix",
            "eq:iterate",
            "eq:sinkhorn",
            "eq:passes",
            "eq:twicing",
            "eq:nlm_metric",
        ),
    ),
    Mutation(
        "lib/unified/image_kernels.py",
        "log_prior=np.log(determinant) / 2)",
        "log_prior=np.log(determinant))",
        "the prior is det C and not its root",
        ("eq:unified_estimate",),
    ),
    Mutation(
        "lib/unified/steps.py",
        "return (queries @ query_map.T) @ (keys @ key_map.T).T",
        "return (queries @ query_map.T) @ (keys @ key_map.T).T / 2",
        "the inner product is halved",
        ("eq:bilinear_kernel", "eq:four_steps"),
    ),
]
