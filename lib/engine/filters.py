"""Image filters for the window engine: their base-2 log-weights, computed in preallocated memory.

Each function takes the image (for its shape), its planes `(channels, height, width)` and validated parameters.
"""

import math

import numpy as np

from lib.engine.streaming import LOG2E
from lib.engine.window import Strip, average_difference, in_bands


def bounded(bandwidth, dtype):
    """Clamp a bandwidth to a range in which neither d/h nor its square can overflow or underflow.

    Outside this range every weight is 0 or 1 up to rounding.
    """
    largest = float(np.finfo(dtype).max) ** 0.3
    return min(max(bandwidth, 1 / largest), largest)


def in_base_two(bandwidth):
    """Return h′ = h √ln 2, so that exp(−d²/h²) = 2^(−d²/h′²).

    >>> bool(np.isclose(2 ** -(5.0**2 / in_base_two(3.0) ** 2), np.exp(-(5.0**2) / 3.0**2)))
    True
    """
    return bandwidth / math.sqrt(LOG2E)


def fast_bilateral(image, planes, h_x, h_y, radius):
    h_x, h_y = in_base_two(h_x), in_base_two(h_y)

    def log_weights(offset, difference, scratch):
        """−‖xᵢ − xⱼ‖²/h_x² − ‖yᵢ − yⱼ‖²/h_y², from the difference yⱼ − yᵢ in units of h_y."""
        row, column = offset
        squares = squared_norm(difference, *scratch[:2])
        return np.subtract(-(row**2 + column**2) / h_x**2, squares, out=squares)

    def filtered(planes):
        return planes + h_y * average_difference(planes / h_y, log_weights, radius)

    return in_bands(filtered, image, planes, reach=radius)


def fast_nonlocal_means(image, planes, h, taps, search_radius, noise):
    """Apply non-local means; `taps` is one factor of the patch weights (sum 1), `noise` is 2σ²/h² in base 2."""
    patch_radius, peak = len(taps) // 2, taps.max().item()
    taps = taps / peak
    unit = in_base_two(h) / peak * math.sqrt(len(planes))  # turns sums over patch and channels into means
    next_row = Strip(*planes.shape[1:], padding=search_radius + patch_radius).shift(1, 0)

    def log_weights(offset, difference, scratch):
        """−max(Σₖ Gₖ (yᵢ₊ₖ − yⱼ₊ₖ)² − 2σ², 0)/h², from the differences yⱼ − yᵢ in units of `unit`."""
        squared_norm(difference, *scratch[:2])
        distance = patch_sum(scratch, taps, next_row)
        np.subtract(noise, distance, out=distance)
        return np.clip(distance, -np.inf, 0, out=distance)

    def filtered(planes):
        return planes + unit * average_difference(planes / unit, log_weights, search_radius, margin=patch_radius)

    return in_bands(filtered, image, planes, reach=search_radius + patch_radius)


def squared_norm(difference, total, square):
    """Sum the squared differences `(channels, n)` over the channels into `total`; `square` is a scratch buffer."""
    np.square(difference[0], out=total)
    for channel in difference[1:]:
        total += np.square(channel, out=square)
    return total


def patch_sum(lines, taps, shift):
    """Compute the separable weighted sum over the square patch around every position where it fits.

    Parameters
    ----------
    lines : three (n,) arrays
        A flattened image and two scratch buffers; all three are overwritten.
    taps : (side,) array, symmetric with 1 at the centre: the weight of a pixel is taps[row] · taps[column]
    shift : int
        Offset along the line of the pixel one row below.

    Returns
    -------
    (n − (side − 1)·(shift + 1),) array, a view of one of the lines
    """
    for step in shift, 1:
        lines = _box_sum(*lines, len(taps), step) if (taps == 1).all() else _symmetric_sum(*lines, taps, step)
    return lines[0]


def _box_sum(line, free, other, count, step):
    """Compute Σⱼ line[i + j·step] for j < count by doubling: 7 = 2·(2·1 + 1) + 1 takes four additions."""
    total, width = line, 1
    for bit in f"{count:b}"[1:]:
        for doubling in [True, False] if bit == "1" else [True]:
            shifted = total[width * step :] if doubling else line[width * step :]
            n = len(line) - (2 * width - 1 if doubling else width) * step
            total, free, other = np.add(total[:n], shifted[:n], out=free[:n]), other, free
            width = 2 * width if doubling else width + 1
    return total, free, line


def _symmetric_sum(line, total, ends, taps, step):
    """Compute Σⱼ taps[j] · line[i + j·step], adding the two elements with equal taps before multiplying."""
    last = len(taps) - 1
    n = len(line) - last * step
    total, ends = total[:n], ends[:n]
    np.copyto(total, line[last // 2 * step :][:n])
    for j in range(last // 2):
        np.add(line[j * step :][:n], line[(last - j) * step :][:n], out=ends)
        ends *= taps[j].item()
        total += ends
    return total, ends, line
