"""Image filters for the window engine: their base-2 log-weights, computed in preallocated memory.

Each function takes the image (for its shape), its planes `(channels, height, width)` and validated parameters.
"""

import math

import numpy as np
from numpy.lib.stride_tricks import as_strided

from lib.engine.streaming import LOG2E
from lib.engine.window import Strip, average_difference, in_bands

N_ROWS = 6  # of a patch sum that one product computes; more rows add more multiplications by 0


def bounded(bandwidth, dtype, spread=1.0):
    """Clamp a bandwidth to a range in which neither d/h nor its square can overflow or underflow for d ≤ spread.

    Outside this range every weight is 0 or 1 up to rounding.
    """
    limit = float(np.finfo(dtype).max)
    return min(max(bandwidth, spread / limit**0.3), spread * limit**0.3, limit / 1e4)


def value_range(planes):
    """Return the difference between the largest and the smallest value, finite, and 1 for a constant image."""
    with np.errstate(over="ignore"):
        return min(float(np.ptp(planes)), float(np.finfo(planes.dtype).max)) or 1.0


def in_base_two(bandwidth):
    """Return h′ = h √ln 2, so that exp(−d²/h²) = 2^(−d²/h′²).

    >>> bool(np.isclose(2 ** -(5.0**2 / in_base_two(3.0) ** 2), np.exp(-(5.0**2) / 3.0**2)))
    True
    """
    return bandwidth / math.sqrt(LOG2E)


def fast_bilateral(image, planes, h_x, h_y, radius):
    """Apply the bilateral filter to an image whose `planes` are its channels, `(channels, height, width)`."""
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
        exponent = patch_sum(scratch, taps, next_row)
        if noise:
            exponent += noise
            np.clip(exponent, -np.inf, 0, out=exponent)
        return exponent

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
    """Compute minus the separable weighted sum over the square patch around every position where it fits.

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
    line, free, other = lines
    columns = _sum_of_rows(line, free, -taps, shift)
    add_columns = _box_sum if (taps == 1).all() else _symmetric_sum
    return add_columns(columns, line, other, taps)


def _sum_of_rows(line, total, taps, shift):
    """Compute Σⱼ taps[j] · line[i + j·shift], for a few rows at a time as the product of a band matrix with them.

    The product runs in BLAS and takes a third of the time of a multiplication and an addition per tap.
    """
    n, extra = len(line) - (len(taps) - 1) * shift, len(taps) - 1
    width = min(shift, n)
    rows = min(N_ROWS, n // width)
    band = np.resize(np.append(taps, np.zeros(rows)), (rows, rows + extra)).astype(line.dtype)
    size, item = rows * width, line.itemsize
    blocks = as_strided(line, (n // size, rows + extra, width), (size * item, shift * item, item))
    np.matmul(band, blocks, out=total[: n // size * size].reshape(-1, rows, width))
    last = as_strided(line[n - size :], (rows + extra, width), (shift * item, item))  # overlaps the last block
    np.matmul(band, last, out=total[n - size : n].reshape(rows, width))
    return total[:n]


def _box_sum(line, free, other, taps):
    """Compute Σⱼ line[i + j] for j < len(taps) by doubling: 7 = 2·(2·1 + 1) + 1 takes four additions."""
    total, width = line, 1
    for bit in f"{len(taps):b}"[1:]:
        for doubling in [True, False] if bit == "1" else [True]:
            shifted = total[width:] if doubling else line[width:]
            n = len(line) - (2 * width - 1 if doubling else width)
            total, free, other = np.add(total[:n], shifted[:n], out=free[:n]), other, free
            width = 2 * width if doubling else width + 1
    return total


def _symmetric_sum(line, total, ends, taps):
    """Compute Σⱼ taps[j] · line[i + j], adding the two elements with equal taps before multiplying."""
    last = len(taps) - 1
    n = len(line) - last
    total, ends, summed = total[:n], ends[:n], line[last // 2 :][:n]
    for j in range(last // 2):
        np.add(line[j:][:n], line[last - j :][:n], out=ends)
        ends *= taps[j].item()
        summed = np.add(summed, ends, out=total)
    return summed
