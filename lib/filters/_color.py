"""Metrics of steering kernels from all channels of a color image, not from its brightness alone.

Di Zenzo, "A note on the gradient of a multi-image", Computer Vision, Graphics, and Image Processing 33 (1), 1986,
doi:10.1016/0734-189X(86)90223-9.
"""

import numpy as np

from lib.checks import image_planes
from lib.filters._lark import DISK, _constants, structure_tensors


def color_structure_tensors(image, analysis_radius=DISK):
    """The mean of the channels' structure tensors.

    Parameters: as `structure_tensors`; any number of channels.

    Returns
    -------
    (H, W, 2, 2) float64 array, symmetric and positive semidefinite

    Notes
    -----
    Equation eq:color_tensor of chapter 4. Di Zenzo (1986), doi:10.1016/0734-189X(86)90223-9, sums over the
    channels; the mean leaves a grey image with the tensors that it has as a single channel.

    Examples
    --------
    A gradient of red, and one of blue across it, do not cancel:

    >>> ramp = np.tile(np.arange(32) / 255, (32, 1))
    >>> image = np.stack([ramp, np.zeros_like(ramp), ramp.T], axis=-1)
    >>> np.abs(color_structure_tensors(image, analysis_radius=1)[16, 16]).round(2)
    array([[0.62, 0.  ],
           [0.  , 0.62]])
    """
    return np.mean([structure_tensors(plane, analysis_radius) for plane in image_planes(image)], axis=0)


def color_steering_matrices(image, analysis_radius=DISK, **steering):
    """C of the steering kernel at every pixel, from the gradients of all channels.

    Parameters: as `steering_matrices`; any number of channels.

    Returns
    -------
    (H, W, 2, 2) float64 array, symmetric and positive definite

    Notes
    -----
    Equation eq:steering_matrix of chapter 4, with s₁, s₂, u₁ and u₂ from `color_structure_tensors`.

    Examples
    --------
    >>> image = np.random.default_rng(0).random((16, 16))
    >>> from lib.filters import steering_matrices
    >>> bool(np.allclose(color_steering_matrices(np.stack([image] * 3, axis=-1)), steering_matrices(image)))
    True
    """
    alpha, lambda_1, lambda_2 = _constants(**steering)
    squares, vectors = np.linalg.eigh(color_structure_tensors(image, analysis_radius))  # ascending
    s2, s1 = np.moveaxis(np.sqrt(np.maximum(squares, 0)), -1, 0)
    elongation = (s1 + lambda_1) / (s2 + lambda_1)
    scale = ((s1 * s2 + lambda_2) / (np.pi * analysis_radius**2)) ** alpha
    eigenvalues = scale[..., None] * np.stack([1 / elongation, elongation], axis=-1)
    return np.einsum("...ak,...k,...bk->...ab", vectors, eigenvalues, vectors)
