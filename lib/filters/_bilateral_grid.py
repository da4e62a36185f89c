"""The bilateral grid: the bilateral filter as a blur in space and value, in time linear in the number of pixels.

Paris & Durand, "A fast approximation of the bilateral filter using a signal processing approach", ECCV 2006,
doi:10.1007/11744085_44; the name is due to Chen, Paris & Durand, "Real-time edge-aware image processing with the
bilateral grid", ACM Transactions on Graphics 26 (3), 2007, doi:10.1145/1276377.1276506.
"""

import itertools
import math

import numpy as np

from lib.checks import image_planes, positive
from lib.filters._bilateral import radius_of
from lib.weights import ratio

LARGEST_CELL = 1.2  # for larger cells the two interpolations alone are wider than the kernel
MOST_NODES = 10**8


def bilateral_grid(image, bandwidth_space, bandwidth_value, cell=0.5):
    """Approximate `bilateral` for grey images, in time that does not grow with the bandwidths.

    There are three steps. *Splat*: each pixel is a point (row, column, value), which is distributed over the eight
    nearest nodes of a coarse grid, once with its value and once with a 1. *Blur*: a Gaussian is applied to both
    grids along their three axes. *Slice*: both grids are interpolated at each pixel's point, and their ratio is
    taken.

    Parameters
    ----------
    image : (H, W) array in [0, 1], or uint8, which is divided by 255
    bandwidth_space : float > 0
        h_x, in pixels, as in `bilateral`.
    bandwidth_value : float > 0
        h_y, in the units of the image, as in `bilateral`.
    cell : float > 0, at most 1.2
        The side of a grid cell, in bandwidths. Smaller cells are more accurate but take more memory.

    Returns
    -------
    (H, W) array; float32 for a float32 or float16 image, else float64

    Raises
    ------
    ValueError
        For bandwidths so small that the grid would have more than 10⁸ nodes.

    Notes
    -----
    Equation eq:bilateral_grid of chapter 2. Each interpolation spreads a value with a variance of 1/6 cell²,
    averaged over the positions in a cell. The blur between them contributes the rest of the kernel's variance
    h²/2. The image is mirrored at its borders (`np.pad(mode="reflect")`).

    Examples
    --------
    >>> step = np.repeat([[0.0, 0.0, 1.0, 1.0]], 4, axis=0)
    >>> bilateral_grid(step, bandwidth_space=3.0, bandwidth_value=0.2)[0].round(3)
    array([0., 0., 1., 1.])
    """
    planes = image_planes(image)
    if np.ndim(image) != 2:
        raise ValueError(f"image: expected a grey image (H, W), got {np.shape(image)}")
    h_x, h_y = positive("bandwidth_space", bandwidth_space), positive("bandwidth_value", bandwidth_value)
    cell = positive("cell", cell)
    if cell > LARGEST_CELL:
        raise ValueError(f"cell: expected at most {LARGEST_CELL}, got {cell}")
    radius = radius_of(h_x)
    padded = np.pad(planes[0].astype(np.float64), radius, mode="reflect")
    points, shape = _points(padded, h_x, h_y, cell)
    value_grid, one_grid = _splat(points, padded.ravel(), shape)
    blurred = [_blur(grid, cell) for grid in (value_grid, one_grid)]
    inside = [axis.reshape(padded.shape)[radius:-radius, radius:-radius].ravel() for axis in points]
    numerator, denominator = _slice(blurred, inside, shape)
    return ratio(numerator, denominator).reshape(planes.shape[1:]).astype(planes.dtype, copy=False)


def _points(image, h_x, h_y, cell):
    """Return row, column and value of each pixel in grid units, starting at 0, and the shape of the grid."""
    axes = [np.mgrid[: image.shape[0], : image.shape[1]][axis].ravel() / (cell * h_x) for axis in (0, 1)]
    with np.errstate(over="ignore", divide="ignore", invalid="ignore"):
        axes += [(image.ravel() - image.min()) / (cell * h_y)]
        shape = [np.floor(axis.max()) + 2 for axis in axes]
    if not math.prod(shape) <= MOST_NODES:
        raise ValueError(
            f"bandwidths and cell: expected a grid of at most {MOST_NODES} nodes, got {math.prod(shape):g}"
        )
    return axes, tuple(map(int, shape))


def _corners(points, shape):
    """Yield the eight corners around each point: indices into the flattened grid, and interpolation weights."""
    lower = [axis.astype(np.intp) for axis in points]
    above = [axis - low for axis, low in zip(points, lower, strict=True)]
    for corner in itertools.product((0, 1), repeat=3):
        share = math.prod(a if up else 1 - a for a, up in zip(above, corner, strict=True))
        node = np.ravel_multi_index([low + up for low, up in zip(lower, corner, strict=True)], shape)
        yield node, share


def _splat(points, values, shape):
    value_grid, one_grid = np.zeros((2, math.prod(shape)))
    for node, share in _corners(points, shape):
        value_grid += np.bincount(node, share * values, value_grid.size)
        one_grid += np.bincount(node, share, one_grid.size)
    return value_grid.reshape(shape), one_grid.reshape(shape)


def _slice(grids, points, shape):
    read = np.zeros((2, len(points[0])))
    for node, share in _corners(points, shape):
        for total, grid in zip(read, grids, strict=True):
            total += share * grid.ravel()[node]
    return read


def _blur(grid, cell):
    """Blur each axis of the grid with a Gaussian of variance 1/(2 cell²) − 1/3, in cells²."""
    variance = 1 / (2 * cell**2) - 1 / 3
    reach = math.ceil(4 * math.sqrt(variance))
    taps = np.exp(-(np.arange(-reach, reach + 1) ** 2) / (2 * variance))
    for axis in range(3):
        padded = np.moveaxis(np.pad(grid, [(reach, reach) if i == axis else (0, 0) for i in range(3)]), axis, 0)
        blurred = sum(tap * padded[i : i + grid.shape[axis]] for i, tap in enumerate(taps))
        grid = np.moveaxis(blurred, 0, axis)
    return grid
