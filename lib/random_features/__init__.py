"""Random features: attention in time linear in the number of tokens (Performer, 2020).

A random feature map φ turns a kernel into an inner product, exp(q·k) = E[φ(q)·φ(k)]. The sums over the keys then
no longer depend on the query, and the product can be evaluated in a different order:

    (φ(Q) φ(K)ᵀ) V   costs n² (m + c),   φ(Q) (φ(K)ᵀ V)   costs 2 n m c.

The steps are to draw frequencies (`frequencies`), compute features (`feature_maps`), adapt both to the data
(`variance_reduction`), and evaluate the sums (`attention`). `linear_attention` combines all four.

Rahimi & Recht, "Random features for large-scale kernel machines", NIPS 2007.
Katharopoulos, Vyas, Pappas & Fleuret, "Transformers are RNNs", ICML 2020, doi:10.48550/arXiv.2006.16236.
Choromanski et al., "Rethinking attention with Performers", ICLR 2021, doi:10.48550/arXiv.2009.14794.
"""

from lib.random_features.attention import (
    KeySums,
    feature_average,
    linear_attention,
    merge_sums,
    read_sums,
    sum_keys,
)
from lib.random_features.feature_maps import (
    fourier_features,
    hyperbolic_features,
    positive_features,
    trigonometric_features,
)
from lib.random_features.frequencies import iid_frequencies, orthogonal_frequencies, simplex_frequencies
from lib.random_features.variance_reduction import (
    balance,
    centre_keys,
    dense_exponential_frequencies,
    pair_moment,
)

__all__ = [
    "KeySums",
    "balance",
    "centre_keys",
    "dense_exponential_frequencies",
    "feature_average",
    "fourier_features",
    "hyperbolic_features",
    "iid_frequencies",
    "linear_attention",
    "merge_sums",
    "orthogonal_frequencies",
    "pair_moment",
    "positive_features",
    "read_sums",
    "simplex_frequencies",
    "sum_keys",
    "trigonometric_features",
]
