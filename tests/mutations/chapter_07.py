"""Faults that the tests of chapter 7's equations must notice."""

from tests.mutations import Mutation

MAPS, FREQUENCIES = "lib/random_features/feature_maps.py", "lib/random_features/frequencies.py"
REDUCTION, ATTENTION = "lib/random_features/variance_reduction.py", "lib/random_features/attention.py"

MUTATIONS = [
    Mutation(
        ATTENTION,
        "denominator = query_features @ key_features.sum(axis=-2)[..., None]",
        "denominator = query_features @ key_features.mean(axis=-2)[..., None]",
        "the denominator is a mean and not a sum",
        ("eq:linear_attention", "eq:ratio_bias"),
    ),
    Mutation(
        ATTENTION,
        "totals = query_features @ earlier + np.tril(query_features @ key_features.mT) @ values_and_one",
        "totals = query_features @ earlier + np.tril(query_features @ key_features.mT, -1) @ values_and_one",
        "a token does not see itself",
        ("eq:causal_prefix",),
    ),
    Mutation(
        FREQUENCIES,
        'return random_generator("rng", rng).standard_normal(',
        'return 1.05 * random_generator("rng", rng).standard_normal(',
        "the frequencies are 5 % too long",
        ("eq:bochner",),
    ),
    Mutation(
        MAPS,
        "angles = math.sqrt(2) / positive(",
        "angles = 1 / positive(",
        "the √2 over h is dropped",
        ("eq:rff_gaussian", "eq:bilateral_features"),
    ),
    Mutation(
        MAPS,
        "return np.exp(half_squared_norms(x)) * fourier_features(x, frequencies, bandwidth=math.sqrt(2))",
        "return np.exp(-half_squared_norms(x)) * fourier_features(x, frequencies, bandwidth=math.sqrt(2))",
        "the norm in the exponent changes its sign",
        ("eq:trig_features", "eq:mse_trig"),
    ),
    Mutation(
        MAPS,
        "return np.exp(x @ frequencies.mT - half_squared_norms(x)) / math.sqrt(len(frequencies))",
        "return np.exp(x @ frequencies.mT - half_squared_norms(x)) / len(frequencies)",
        "√m becomes m",
        ("eq:positive_features", "eq:relative_errors", "eq:mse_positive"),
    ),
    Mutation(
        MAPS,
        "return positive_features(x, np.concatenate([frequencies, -frequencies], axis=0))",
        "return positive_features(x, np.concatenate([frequencies, frequencies], axis=0))",
        "both signs of a frequency are the same",
        ("eq:hyperbolic_features", "eq:mse_hyperbolic"),
    ),
    Mutation(
        FREQUENCIES,
        "return q * np.sign(np.diagonal(r, axis1=-2, axis2=-1))[:, None, :]",
        "return q",
        "the sign fix after QR is dropped",
        ("eq:orthogonal",),
    ),
    Mutation(
        FREQUENCIES,
        "lengths = np.sqrt(rng.chisquare(dimension, size=(n_features, 1)))",
        "lengths = 2 * np.sqrt(rng.chisquare(dimension, size=(n_features, 1)))",
        "orthogonal frequencies are twice as long",
        ("eq:orthogonal", "eq:orthogonal_gap"),
    ),
    Mutation(
        REDUCTION,
        "return keys - centre\n",
        "return keys - centre * np.linspace(1, 2, keys.shape[-2])[:, None]\n",
        "each key loses another vector",
        ("eq:key_centring",),
    ),
    Mutation(
        REDUCTION,
        "centre = centre + queries.mean(axis=-2, keepdims=True)",
        "centre = centre - queries.mean(axis=-2, keepdims=True)",
        "the mean of the queries changes its sign",
        ("eq:best_centre",),
    ),
    Mutation(
        MAPS,
        "return np.exp(x @ frequencies.mT - half_squared_norms(x)) / math.sqrt(len(frequencies))",
        "return np.exp(x @ frequencies.mT + half_squared_norms(x)) / math.sqrt(len(frequencies))",
        "the norm in the exponent of positive features changes its sign",
        ("eq:places",),
    ),
    Mutation(
        MAPS,
        "return np.exp(x @ frequencies.mT - half_squared_norms(x)) / math.sqrt(len(frequencies))",
        "return np.exp(1.02 * x @ frequencies.mT - half_squared_norms(x)) / math.sqrt(len(frequencies))",
        "the projections are 2 % too large",
        ("eq:shares",),
    ),
]
