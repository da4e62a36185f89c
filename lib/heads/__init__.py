"""Head metrics: what one head of any transformer does, in numbers of chapters 1 to 7, and what it is worth.

    weights              = softmax(queries · keys/√d)          the head
    distance_to_gaussian = ½ Σ |weights − those of the Gaussian of the same queries and keys|

`measure` gives one number per head and question, and `baselines` what equal weights, a random head and a
shuffled head get for the same question (`metrics`). `name_heads` sums the numbers up in a word (`names`).
`mask_keys` and `fixed_query` are kernels for `lib.language_model`: they take one ability away from a head, and the
loss says what that ability was worth (`interventions`).

Two pairs of projections, (W_q, W_k) and (c W_q, W_k/c), are the same head, since only the inner products count. So
no number here changes when all queries are multiplied by c and all keys divided by it.
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
