"""Image filters as weighted averages: bilateral, non-local means, steering kernels (LARK).

For each filter there are functions that return the filtered image, the weights of one pixel's window, and the
log-weights of that window. All filters share the definition `window_average` and differ only in a log-kernel of
two pixels, which comes first in each file: `bilateral_log_kernel`, `nonlocal_means_log_kernel`,
`steering_log_kernel`.
"""

from lib import former_names
from lib.borders import mirrored
from lib.filters._bilateral import bilateral, bilateral_log_kernel, bilateral_log_weights, bilateral_weights
from lib.filters._bilateral_grid import bilateral_grid
from lib.filters._color import color_steering_matrices, color_structure_tensors
from lib.filters._irregular import local_plane, plane_at
from lib.filters._lark import (
    disk,
    lark,
    lark_log_weights,
    lark_weights,
    pilot_gradient,
    steering_log_kernel,
    steering_matrices,
    steering_matrix,
    structure_tensors,
)
from lib.filters._masked_patches import masked_nonlocal_means
from lib.filters._nonlocal_means import (
    nonlocal_means,
    nonlocal_means_log_kernel,
    nonlocal_means_log_weights,
    nonlocal_means_weights,
)
from lib.filters._patches import PATCH_WEIGHTS, patch_kernel, patches
from lib.filters._window import window_average

__all__ = [
    "PATCH_WEIGHTS",
    "bilateral",
    "bilateral_grid",
    "bilateral_log_kernel",
    "bilateral_log_weights",
    "bilateral_weights",
    "color_steering_matrices",
    "color_structure_tensors",
    "disk",
    "lark",
    "lark_log_weights",
    "lark_weights",
    "local_plane",
    "masked_nonlocal_means",
    "mirrored",
    "nonlocal_means",
    "nonlocal_means_log_kernel",
    "nonlocal_means_log_weights",
    "nonlocal_means_weights",
    "patch_kernel",
    "patches",
    "pilot_gradient",
    "plane_at",
    "steering_log_kernel",
    "steering_matrices",
    "steering_matrix",
    "structure_tensors",
    "window_average",
]

__getattr__ = former_names.of(__name__)
