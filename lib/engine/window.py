"""Weighted averages over the window around every pixel, for all pixels at once.

`lib.filters.window_average` implements the definition. This module swaps the loop order: for every offset of the
window it computes the *plane* of log-weights of all pixels at that offset, exponentiates it and adds it to a
numerator and a denominator. The log-weights of image × window are never stored. Further optimisations:

- The padded image is stored as one line, a `Strip`, so that a 2-D shift is a single shift along the line and every
  operation runs over contiguous memory.
- If weights are symmetric, `average_difference` computes each pair of pixels once.
- Log-weights are in base 2, because 2ˣ is often cheaper than eˣ (`exp2_in_place`; `in_base_two` converts the
  bandwidth). They are clipped to avoid subnormal numbers, which are slow.
- Long lines are processed in blocks that fit into the cache.
- Large photographs are filtered in bands of rows (`in_bands`), which limits the additional memory.
"""

from dataclasses import dataclass

import numpy as np

from lib.engine.streaming import exp2_in_place
from lib.weights import blocks, ratio

BLOCK_BYTES = 2**21
BAND_PIXELS = 2**20


def in_bands(filtered, image, planes, reach):
    """Filter an image in bands of rows and return it in its original shape.

    Parameters
    ----------
    filtered : function (channels, height, width) array → array of the same shape
        The filter. A pixel of its result may only depend on rows at a distance of at most `reach`.
    image : (H, W) or (H, W, C) array
        Only its shape is used.
    planes : (C, H, W) array
    reach : int ≥ 0
        Number of additional rows above and below each band, whose results are discarded.
    """
    height, width = planes.shape[1:]
    n_rows = max(BAND_PIXELS // width, 8 * reach, 1)
    result = np.empty(np.shape(image), planes.dtype)
    for rows in blocks(height, n_rows):
        top = max(rows.start - reach, 0)
        band = filtered(np.ascontiguousarray(planes[:, top : rows.stop + reach]))
        band = np.moveaxis(band[:, rows.start - top : rows.stop - top], 0, -1)
        result[rows] = band.reshape(result[rows].shape)
    return result


def raw_weights(log2_weights):
    """Return 2 to the power of the log-weights, unnormalised and clipped from below, as in `window_moments`."""
    weights = log2_weights.copy()
    _exp2(weights, clipped=True)
    return weights


@dataclass(frozen=True)
class Strip:
    """A padded image stored as one line of pixels: a 2-D shift is a shift along the line."""

    height: int
    width: int
    padding: int

    def shift(self, row, column):
        """Return the offset along the line of a pixel `row` rows below and `column` columns to the right."""
        return row * (self.width + 2 * self.padding) + column

    @property
    def first(self):
        """Return the position of the image's first pixel."""
        return self.shift(self.padding, self.padding)

    @property
    def stop(self):
        """Return the position after the image's last pixel."""
        return self.first + self.shift(self.height - 1, self.width)

    def flatten(self, planes):
        """Convert planes `(…, height, width)` to lines `(…, n_positions)`, mirrored at the borders."""
        border = [(0, 0)] * (planes.ndim - 2) + [(self.padding, self.padding)] * 2
        return np.pad(planes, border, mode="reflect").reshape(*planes.shape[:-2], -1)

    def crop(self, lines):
        """Convert lines `(…, stop − first)` that begin at `first` to planes `(…, height, width)`."""
        rows = np.empty((*lines.shape[:-1], self.height, self.shift(1, 0)), lines.dtype)
        flat = rows.reshape(*lines.shape[:-1], -1)
        flat[..., : lines.shape[-1]] = lines
        return rows[..., : self.width]


@np.errstate(over="ignore")  # if a squared difference overflows, its weight is 0
def average_difference(planes, log2_weights, radius, margin=0):
    """Compute Σⱼ wᵢⱼ (yⱼ − yᵢ) / Σⱼ wᵢⱼ over the square window around every pixel i, for weights with wᵢⱼ = wⱼᵢ.

    The weighted average is yᵢ plus this result. Differences keep a constant image exactly constant, lose fewer
    digits in float32, and are needed for the weights anyway.

    Parameters
    ----------
    planes : (channels, height, width) float array
    log2_weights : function ((row, column), (channels, n + 2·reach) array, (3, n + 2·reach) array) → (n,) array
        Base-2 log-weights at one offset, from the differences yⱼ − yᵢ. They are at most 0, decrease as offset and
        differences grow, and are 0 for zero offset and differences. The last argument is a scratch buffer, also
        for the result.
    radius : int
        The window has side 2·radius + 1.
    margin : int
        The radius of the patch on which a log-weight depends; differences then include `margin` more rows and
        columns on each side (reach = `Strip.shift(margin, margin)`).

    Returns
    -------
    (channels, height, width) array
    """
    strip = Strip(*planes.shape[1:], padding=radius + margin)
    values = strip.flatten(planes)
    weight_sum, difference_sum = np.ones_like(values[0]), np.zeros_like(values)  # each pixel's own weight is 1
    for here, there, weights, difference in _pairs(strip, values, log2_weights, radius, margin):
        difference *= weights
        _add_at(weight_sum, here, weights)
        _add_at(weight_sum, there, weights)
        _add_at(difference_sum, here, difference)
        _add_at(difference_sum, there, difference, np.subtract)
    image = slice(strip.first, strip.stop)
    return strip.crop(ratio(difference_sum[:, image], weight_sum[image]))


def _pairs(strip, values, log2_weights, radius, margin):
    """Yield the positions of both pixels of each pair, their weights and differences, for half of the offsets."""
    reach, first, stop = strip.shift(margin, margin), strip.first, strip.stop
    begin, size = first - strip.shift(radius, radius), BLOCK_BYTES // values.itemsize
    memory = np.empty((len(values) + 3, min(size, stop - begin) + 2 * reach), values.dtype)
    clipped = _needs_clipping(log2_weights, radius, reach, values, memory)
    shifts = [(offset, strip.shift(*offset)) for offset in half_window(radius)]
    for block in blocks(stop - begin, size):
        for offset, shift in shifts:
            start, end = max(begin + block.start, first - shift), begin + block.stop
            if start >= end:
                continue  # both pixels of these pairs are outside the image
            difference, scratch = _workspace(memory, end - start + 2 * reach)
            low, high = start - reach, end + reach
            np.subtract(values[:, low + shift : high + shift], values[:, low:high], out=difference)
            weights = log2_weights(offset, difference, scratch)
            _exp2(weights, clipped)
            core = difference[:, reach : reach + end - start]
            yield slice(start, end), slice(start + shift, end + shift), weights, core


def _workspace(memory, n):
    """Return buffers for n positions: one line per channel for the differences, and three scratch lines."""
    return memory[:-3, :n], memory[-3:, :n]


def _add_at(total, where, part, add=np.add):
    part_of_total = total[..., where]  # a view, so that `out` adds in place
    add(part_of_total, part, out=part_of_total)


def _needs_clipping(log2_weights, radius, reach, values, memory):
    """Return whether the smallest possible weight, at a corner with the largest difference, is too small."""
    difference, scratch = _workspace(memory, 2 * reach + 1)
    difference[:] = np.ptp(values, axis=1, keepdims=True)
    return log2_weights((radius, radius), difference, scratch)[0] < _lowest_exponent(values.dtype)


def _lowest_exponent(dtype):
    """Return an exponent at which products with differences stay normal; subnormal arithmetic is far slower."""
    return 0.8 * np.finfo(dtype).minexp


def _exp2(log2_weights, clipped):
    """Exponentiate base-2 log-weights in place; if `clipped`, limit them first to avoid subnormal numbers."""
    if clipped:
        lowest = _lowest_exponent(log2_weights.dtype)
        np.clip(log2_weights, lowest, -lowest, out=log2_weights)  # clipping on both sides is faster than on one
    exp2_in_place(log2_weights)


def half_window(radius):
    """Return one offset (row, column) of each pair ±offset in the square window.

    >>> half_window(1)
    [(0, 1), (1, -1), (1, 0), (1, 1)]
    """
    side = range(-radius, radius + 1)
    return [(row, column) for row in side for column in side if (row, column) > (0, 0)]


def window_moments(strip, planes, fields, log2_weights, radius, degree, known=None):
    """Compute moments of the window around every pixel, for weights that depend only on the key.

    With (row, column) the offset from pixel i to pixel j, the moments (a, b) are Σⱼ wⱼ rowᵃ columnᵇ up to
    a + b = 2·degree, and Σⱼ wⱼ rowᵃ columnᵇ yⱼ up to a + b = degree. Degree 0 gives denominator and numerator
    of the weighted average; `local_polynomial` solves for degrees 1 and 2.

    Parameters
    ----------
    strip : Strip, with a padding of `radius`
    planes : (channels, height, width) array, the values
    fields : (n_fields, height, width) array, the inputs to the weight of a key
    log2_weights : function ((row, column), (n_fields, n) array) → (n,) array
        Base-2 log-weights of n keys at one offset.
    radius, degree : int
    known : (height, width) bool array, or None
        True for pixels that are keys; None for all.

    Yields
    ------
    The moments of consecutive blocks of pixels along the strip, starting at its first pixel:

    weight_moments : dict (a, b) → (n,) array
    value_moments : dict (a, b) → (channels, n) array
    """
    values, fields = strip.flatten(planes), strip.flatten(fields)
    is_key = None if known is None else strip.flatten(known)
    offsets = np.arange(-radius, radius + 1)
    powers = np.vander(offsets, 2 * degree + 1, increasing=True).T.astype(values.dtype)
    size = 2 * BLOCK_BYTES // (values.itemsize * len(offsets))
    buffer = np.empty((1 + len(values), len(offsets), min(size, strip.stop - strip.first)), values.dtype)
    for block in blocks(strip.stop - strip.first, size):
        n = block.stop - block.start
        weights, weighted = buffer[0, :, :n], buffer[1:, :, :n]  # for the keys in one row of the window
        weight_moments, value_moments = {}, {}
        for row in offsets.tolist():
            for index, column in enumerate(offsets.tolist()):
                start = strip.first + block.start + strip.shift(row, column)
                key = slice(start, start + n)
                weights[index] = log2_weights((row, column), fields[:, key])
                _exp2(weights[index], clipped=True)
                if is_key is not None:
                    weights[index] *= is_key[key]
                np.multiply(weights[index], values[:, key], out=weighted[:, index])
            _add_powers(weight_moments, row, powers @ weights, 2 * degree)
            _add_powers(value_moments, row, np.moveaxis(powers[: degree + 1] @ weighted, 1, 0), degree)
        yield weight_moments, value_moments


def _add_powers(moments, row, sums, degree):
    """Add rowᵃ × (the sums with columnᵇ) to the moments (a, b)."""
    for a in range(degree + 1):
        for b in range(degree + 1 - a):
            moments[a, b] = moments.get((a, b), 0) + row**a * sums[b]


def local_polynomial(weight_moments, value_moments, degree):
    """Return the value and, for degree ≥ 1, the gradient of the weighted least-squares polynomial at every pixel.

    Gaussian elimination on all pixels at once. The matrix of moments is positive definite, so no pivoting is
    needed. The constant is eliminated last and therefore found first. Multiplying the other diagonal elements by
    1 + 10⁻¹⁰ regularises the case that all weight is on too few keys; a constant image stays constant.

    Returns
    -------
    value : (channels, n) array
    gradient : (2, channels, n) array: by row, by column; None for degree 0
    """
    monomials = [(total - b, b) for total in range(degree, -1, -1) for b in range(total, -1, -1)]
    size = len(monomials)
    matrix = np.array([[weight_moments[a + c, b + d] for c, d in monomials] for a, b in monomials])
    right = np.array([value_moments[monomial] for monomial in monomials])
    matrix[range(size - 1), range(size - 1)] *= 1 + 1e-10
    for k in range(size):
        factors = matrix[k + 1 :, k] / matrix[k, k]
        matrix[k + 1 :, k + 1 :] -= factors[:, None] * matrix[k, k + 1 :]
        right[k + 1 :] -= factors[:, None] * right[k]
    solution = {}
    for k in range(size - 1, max(size - 4, -1), -1):
        known = sum(matrix[k, j] * solution[j] for j in range(k + 1, size))
        solution[k] = (right[k] - known) / matrix[k, k]
    gradient = np.array([solution[size - 2], solution[size - 3]]) if degree else None
    return solution[size - 1], gradient
