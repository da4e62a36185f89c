"""Image filters as weighted averages: bilateral, non-local means, steering kernels (LARK).

Each filter comes as the filtered image, as the weights of one pixel's window, and as that window's log-weights.
`window_average` is the definition that they share; otherwise they are only their log-weights.
"""

from lib.filters.bilateral import bilateral, bilateral_log_weights, bilateral_weights
from lib.filters.bilateral_grid import bilateral_grid
from lib.filters.irregular import local_plane, plane_at
from lib.filters.lark import (
    Steering,
    lark,
    lark_log_weights,
    lark_weights,
    pilot_gradient,
    steering_matrices,
    structure_tensors,
)
from lib.filters.nonlocal_means import nonlocal_means, nonlocal_means_log_weights, nonlocal_means_weights
from lib.filters.patches import patch_kernel, patches
from lib.filters.window import mirrored, window_average

__all__ = [
    "Steering",
    "bilateral",
    "bilateral_grid",
    "bilateral_log_weights",
    "bilateral_weights",
    "lark",
    "lark_log_weights",
    "lark_weights",
    "local_plane",
    "mirrored",
    "nonlocal_means",
    "nonlocal_means_log_weights",
    "nonlocal_means_weights",
    "patch_kernel",
    "patches",
    "pilot_gradient",
    "plane_at",
    "steering_matrices",
    "structure_tensors",
    "window_average",
]
