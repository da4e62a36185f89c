"""One kernel for sixty years of methods: an augmented variable t = [x; y] and a metric Q.

    K(tᵢ, tⱼ) = exp(−(tᵢ − tⱼ)ᵀ Q (tᵢ − tⱼ)),   Q = [[Q_x, Q_xy], [Q_xyᵀ, Q_y]]

x is the position of a sample and y its features. A method is a choice of the blocks of Q:

======================  ===================  ===================================  ===============
method                  Q_x                  Q_y                                  in addition
======================  ===================  ===================================  ===============
classical (N–W, 1964)   I/h²                 0
bilateral (1998)        I/h_x²               1/h_y² for the centre pixel, else 0
non-local means (2005)  0                    G/h²                                 the noise floor
steering kernel (2007)  C/2h², C of the key  0                                    a prior, √det C
======================  ===================  ===================================  ===============

Five steps lead to attention: off-diagonal blocks (`block_metric(…, cross_block)`), learned features for t
(`augment`), a projection each for queries and keys, an inner product with M = W_qᵀ W_k instead of the squared
distance (`factor`, `log_bilinear_kernel`; `carry_norms` restores the norms), and values of a different
dimension (`attend`'s `value_map`). Other positive definite kernels can also be used (`log_kernel(…, kernel=)`).

Source of the table and, in a different order, of the steps: Milanfar, "From kernel regression to attention
mechanisms", lecture slides; its filters: Milanfar (2013), "A tour of modern image filtering",
doi:10.1109/MSP.2011.2179329.
"""

from lib import former_names
from lib.kernels import POSITIVE_DEFINITE_KERNELS
from lib.unified.image_kernels import (
    ImageKernel,
    bilateral_kernel,
    classical_kernel,
    image_kernel,
    nonlocal_means_kernel,
    smooth,
    steering_kernel,
    window_weights,
)
from lib.unified.kernel import augment, block_metric, log_kernel
from lib.unified.steps import attend, carry_norms, factor, log_bilinear_kernel, norm_carrying_metric

__all__ = [
    "POSITIVE_DEFINITE_KERNELS",
    "ImageKernel",
    "attend",
    "augment",
    "bilateral_kernel",
    "block_metric",
    "carry_norms",
    "classical_kernel",
    "factor",
    "image_kernel",
    "log_bilinear_kernel",
    "log_kernel",
    "nonlocal_means_kernel",
    "norm_carrying_metric",
    "smooth",
    "steering_kernel",
    "window_weights",
]

__getattr__ = former_names.of(__name__)
