"""Patches of an image, windows around a pixel, and the weights inside a patch."""

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from lib.checks import one_of
from lib.filters.arguments import image_planes, whole_radius

PATCH_WEIGHTS = ("gaussian", "uniform")


def patches(image, radius):
    """The square patch around every pixel.

    Parameters
    ----------
    image : (H, W) or (H, W, C) array in [0, 1], or uint8, which is divided by 255
    radius : int ≥ 0
        A patch has side 2·radius + 1.

    Returns
    -------
    (H, W, side, side) or (H, W, side, side, C) array, mirrored at the borders; read-only.

    Raises
    ------
    ValueError, TypeError
        As `bilateral`.

    Examples
    --------
    >>> patches(np.array([[0.1, 0.2, 0.3]]), 1)[0, 0]
    array([[0.2, 0.1, 0.2],
           [0.2, 0.1, 0.2],
           [0.2, 0.1, 0.2]])
    """
    planes, radius = image_planes(image), whole_radius("radius", radius)
    padded = np.pad(planes, ((0, 0), (radius, radius), (radius, radius)), mode="reflect")
    views = sliding_window_view(padded, (2 * radius + 1, 2 * radius + 1), axis=(1, 2))
    return views[0] if np.ndim(image) == 2 else np.moveaxis(views, 0, -1)


def patch_kernel(radius, kind="gaussian"):
    """G, the weight of each pixel in the distance of two patches; it sums to 1.

    Parameters
    ----------
    radius : int ≥ 0
    kind : {"gaussian", "uniform"}
        A Gaussian of standard deviation radius/2, or the same weight everywhere.

    Returns
    -------
    (2·radius + 1, 2·radius + 1) array

    Notes
    -----
    The G of equation eq:nlm_distance. In bandwidths, the Gaussian is exp(−‖offset‖²/h²) with h² = radius²/2.

    Examples
    --------
    >>> patch_kernel(1, "uniform").round(3)
    array([[0.111, 0.111, 0.111],
           [0.111, 0.111, 0.111],
           [0.111, 0.111, 0.111]])
    """
    taps = patch_taps(whole_radius("radius", radius), one_of("kind", kind, PATCH_WEIGHTS))
    return np.outer(taps, taps) / taps.sum() ** 2


def patch_taps(radius, kind):
    """One factor of the separable G, with 1 in the middle."""
    offsets = np.arange(-radius, radius + 1)
    return np.exp(-2 * (offsets / max(radius, 1)) ** 2) if kind == "gaussian" else np.ones(2 * radius + 1)


def window_around(planes, pixel, radius):
    """The square window around one pixel, mirrored at the borders: `(channels, side, side)`."""
    padded = np.pad(planes, ((0, 0), (radius, radius), (radius, radius)), mode="reflect")
    row, column = pixel
    return padded[:, row : row + 2 * radius + 1, column : column + 2 * radius + 1]


def offsets_squared(radius):
    """‖offset‖² in the square window: `(side, side)`."""
    squares = np.arange(-radius, radius + 1) ** 2
    return squares[:, None] + squares


def squared_norm(difference, total, square):
    """The sum over the channels of the squared differences, `(channels, n)`, in `total`; `square` is memory."""
    np.square(difference[0], out=total)
    for channel in difference[1:]:
        total += np.square(channel, out=square)
    return total


def patch_sum(lines, taps, shift):
    """The separable weighted sum over the square patch around every position that has all of it.

    Parameters
    ----------
    lines : three (n,) arrays
        An image laid out as a line, and two lines of memory to work in; all three are overwritten.
    taps : (side,) array, symmetric with 1 in the middle: the weight of a pixel is taps[row] · taps[column]
    shift : int
        How far along the line the pixel one row lower lies.

    Returns
    -------
    (n − (side − 1)·(shift + 1),) array, in one of the lines
    """
    for step in shift, 1:
        lines = _box_sum(*lines, len(taps), step) if (taps == 1).all() else _symmetric_sum(*lines, taps, step)
    return lines[0]


def _box_sum(line, free, other, count, step):
    """Σⱼ line[i + j·step] for j < count, by doubling: 7 = 2·(2·1 + 1) + 1 takes four additions."""
    total, width = line, 1
    for bit in f"{count:b}"[1:]:
        for doubling in [True, False] if bit == "1" else [True]:
            shifted = total[width * step :] if doubling else line[width * step :]
            n = len(line) - (2 * width - 1 if doubling else width) * step
            total, free, other = np.add(total[:n], shifted[:n], out=free[:n]), other, free
            width = 2 * width if doubling else width + 1
    return total, free, line


def _symmetric_sum(line, total, ends, taps, step):
    """Σⱼ taps[j] · line[i + j·step], with the two ends of each pair of equal taps added first."""
    last = len(taps) - 1
    n = len(line) - last * step
    total, ends = total[:n], ends[:n]
    np.copyto(total, line[last // 2 * step :][:n])
    for j in range(last // 2):
        np.add(line[j * step :][:n], line[(last - j) * step :][:n], out=ends)
        ends *= taps[j].item()
        total += ends
    return total, ends, line
