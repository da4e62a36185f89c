"""The weighted average of the pixels around every pixel, for all pixels at once.

`lib.filters.window_average` takes the definition. This room turns its loops inside out: for every offset of the
window it takes the *plane* of log-weights of all pixels at that offset, exponentiates it and adds it to a
numerator and a denominator. It saves the log-weights of image × window, which nothing here ever holds, and time:

- The padded image is laid out as one line, a `Strip`, so that a shift in the plane is one shift along the line and
  every operation runs over contiguous memory.
- Where a weight is the same seen from both ends, `average_difference` computes each pair of pixels once.
- Log-weights are in base 2, since 2ˣ often costs less than eˣ (`exp2_in_place`; `in_base_two` converts the
  bandwidth), and are kept from underflowing, which would be slower still.
- Long lines are cut into blocks, so that what is at work stays in the cache.
- A large photograph is filtered in bands of rows (`in_bands`), so that it needs little memory beside itself.
"""

from dataclasses import dataclass

import numpy as np

from lib.engine.streaming import exp2_in_place
from lib.weights import blocks, ratio

BLOCK_BYTES = 2**21
BAND_PIXELS = 2**20


def in_bands(filtered, image, planes, reach):
    """An image filtered in bands of rows, in its own shape.

    Parameters
    ----------
    filtered : function (channels, height, width) array → array of the same shape
        The filter, of which no pixel depends on rows further away than `reach`.
    image : (H, W) or (H, W, C) array
        For its shape alone.
    planes : (C, H, W) array
    reach : int ≥ 0
        Each band is filtered with so many rows more above and below it, whose own results are dropped.
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
    """2 to the log-weights, not divided by their sum and kept from underflow, as in `window_moments`."""
    weights = log2_weights.copy()
    _exp2(weights, clipped=True)
    return weights


@dataclass(frozen=True)
class Strip:
    """A padded image laid out as one line of pixels: a shift in the plane is a shift along the line."""

    height: int
    width: int
    padding: int

    def shift(self, row, column):
        """How far along the line a pixel `row` lower and `column` further right lies."""
        return row * (self.width + 2 * self.padding) + column

    @property
    def first(self):
        """The position of the image's first pixel."""
        return self.shift(self.padding, self.padding)

    @property
    def stop(self):
        """One past the position of the image's last pixel."""
        return self.first + self.shift(self.height - 1, self.width)

    def flatten(self, planes):
        """Planes `(…, height, width)`, mirrored at the borders, as lines `(…, n_positions)`."""
        border = [(0, 0)] * (planes.ndim - 2) + [(self.padding, self.padding)] * 2
        return np.pad(planes, border, mode="reflect").reshape(*planes.shape[:-2], -1)

    def crop(self, lines):
        """Lines `(…, stop − first)` that begin at `first`, as planes `(…, height, width)`."""
        rows = np.empty((*lines.shape[:-1], self.height, self.shift(1, 0)), lines.dtype)
        flat = rows.reshape(*lines.shape[:-1], -1)
        flat[..., : lines.shape[-1]] = lines
        return rows[..., : self.width]


@np.errstate(over="ignore")  # the square of a huge difference: its weight is 0
def average_difference(planes, log2_weights, radius, margin=0):
    """Σⱼ wᵢⱼ (yⱼ − yᵢ) / Σⱼ wᵢⱼ over the square window around every pixel i, for weights with wᵢⱼ = wⱼᵢ.

    The weighted average itself is yᵢ plus this. Differences keep a constant image exactly constant and lose fewer
    digits in float32; and each is needed in the weight anyway.

    Parameters
    ----------
    planes : (channels, height, width) float array
    log2_weights : function ((row, column), (channels, n + 2·reach) array, (3, n + 2·reach) array) → (n,) array
        Base-2 log-weights at one offset, from the differences yⱼ − yᵢ; at most 0, falling as offset and
        differences grow, 0 for offset and differences of zero. The last argument is memory to work in and for
        the result.
    radius : int
        The window has side 2·radius + 1.
    margin : int
        The radius of the patch that a log-weight looks at; differences then reach margin rows and margin columns
        further on both sides (reach = `Strip.shift(margin, margin)`).

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
    """Where both ends of the pairs lie, their weights and their differences, for half of the offsets."""
    reach, first, stop = strip.shift(margin, margin), strip.first, strip.stop
    begin, size = first - strip.shift(radius, radius), BLOCK_BYTES // values.itemsize
    memory = np.empty((len(values) + 3, min(size, stop - begin) + 2 * reach), values.dtype)
    clipped = _needs_clipping(log2_weights, radius, reach, values, memory)
    shifts = [(offset, strip.shift(*offset)) for offset in half_window(radius)]
    for block in blocks(stop - begin, size):
        for offset, shift in shifts:
            start, end = max(begin + block.start, first - shift), begin + block.stop
            if start >= end:
                continue  # both ends of these pairs lie outside the image
            difference, scratch = _workspace(memory, end - start + 2 * reach)
            low, high = start - reach, end + reach
            np.subtract(values[:, low + shift : high + shift], values[:, low:high], out=difference)
            weights = log2_weights(offset, difference, scratch)
            _exp2(weights, clipped)
            core = difference[:, reach : reach + end - start]
            yield slice(start, end), slice(start + shift, end + shift), weights, core


def _workspace(memory, n):
    """Memory for n positions: a line per channel for the differences, and three lines to work in."""
    return memory[:-3, :n], memory[-3:, :n]


def _add_at(total, where, part, add=np.add):
    part_of_total = total[..., where]  # with a name, so that the sum is not assigned to itself once more
    add(part_of_total, part, out=part_of_total)


def _needs_clipping(log2_weights, radius, reach, values, memory):
    """Whether the farthest pixel with the largest difference there can be has too small a weight."""
    difference, scratch = _workspace(memory, 2 * reach + 1)
    difference[:] = np.ptp(values, axis=1, keepdims=True)
    return log2_weights((radius, radius), difference, scratch)[0] < _lowest_exponent(values.dtype)


def _lowest_exponent(dtype):
    """2 to this power times a difference is still a normal number: arithmetic on others is many times slower."""
    return 0.8 * np.finfo(dtype).minexp


def _exp2(log2_weights, clipped):
    """2 to the log-weights, in their own memory; if `clipped`, they are kept from underflow first."""
    if clipped:
        lowest = _lowest_exponent(log2_weights.dtype)
        np.clip(log2_weights, lowest, -lowest, out=log2_weights)  # on both sides: faster than on one
    exp2_in_place(log2_weights)


def half_window(radius):
    """One offset (row, column) of each pair ±offset in the square window.

    >>> half_window(1)
    [(0, 1), (1, -1), (1, 0), (1, 1)]
    """
    side = range(-radius, radius + 1)
    return [(row, column) for row in side for column in side if (row, column) > (0, 0)]


def window_moments(strip, planes, fields, log2_weights, radius, degree, known=None):
    """Moments of the window around every pixel, for weights that belong to the key alone.

    With (row, column) the offset from pixel i to pixel j, the moments (a, b) are Σⱼ wⱼ rowᵃ columnᵇ up to
    a + b = 2·degree, and Σⱼ wⱼ rowᵃ columnᵇ yⱼ up to a + b = degree. Degree 0 gives denominator and numerator
    of the weighted average; `local_polynomial` solves for degree 1 and 2.

    Parameters
    ----------
    strip : Strip, with a padding of `radius`
    planes : (channels, height, width) array, the values
    fields : (n_fields, height, width) array, what the weight of a key depends on
    log2_weights : function ((row, column), (n_fields, n) array) → (n,) array
        Base-2 log-weights of n keys at one offset.
    radius, degree : int
    known : (height, width) bool array, or None
        Which pixels are keys; None for all.

    Yields
    ------
    The moments of one block of pixels after the other, which together run along the strip from its first pixel:

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
        weights, weighted = buffer[0, :, :n], buffer[1:, :, :n]  # of the keys in one row of the window
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
    """Value, and from degree 1 on the gradient, of the weighted least-squares polynomial around every pixel.

    Gaussian elimination without pivots, since the matrix of moments is positive definite, on all pixels at
    once. The constant is eliminated last, and so found first. A diagonal raised by 10⁻¹⁰ of itself, but for
    the constant, holds where all weight sits on too few keys; a constant image stays constant.

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
