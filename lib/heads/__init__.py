"""Metrics and ablations for attention heads: what a head does, in the terms of chapters 1 to 7, and its effect.

    weights              = softmax(queries · keys/√d)          the head
    distance_to_gaussian = ½ Σ |weights − weights of the Gaussian of the same queries and keys|

`measure` computes one number per head and metric, and `baselines` the same metrics for uniform attention, a random
head and a shuffled head (`metrics`). `name_heads` summarises the metrics in a word (`names`). `mask_keys` and
`fixed_query` are kernels for `lib.language_model` that ablate one ability of a head; the increase in loss measures
its importance (`interventions`).

The pairs of projections (W_q, W_k) and (c W_q, W_k/c) define the same head, because only the inner products
matter. Therefore no metric changes if all queries are multiplied by c and all keys divided by c.
"""

from lib import former_names
from lib.heads.interventions import balanced_gaussian, fixed_query, mask_keys
from lib.heads.metrics import (
    BANDWIDTHS,
    OFFSETS,
    balanced_gaussian_weights,
    baselines,
    best_position_smoother,
    copying,
    keys_for_90_percent,
    measure,
    total_variation,
    uniform_weights,
)
from lib.heads.names import name_heads, repeated_fraction

__all__ = [
    "BANDWIDTHS",
    "OFFSETS",
    "balanced_gaussian",
    "balanced_gaussian_weights",
    "baselines",
    "best_position_smoother",
    "copying",
    "fixed_query",
    "keys_for_90_percent",
    "mask_keys",
    "measure",
    "name_heads",
    "repeated_fraction",
    "total_variation",
    "uniform_weights",
]

__getattr__ = former_names.of(__name__)
