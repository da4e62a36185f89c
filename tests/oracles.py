"""Slow, obviously correct reference implementations shared by several tests, and a measure of peak memory."""

import tracemalloc

import numpy as np

from lib.filters import disk, steering_matrix

# Dense formulas in long double precision


def exact(*arrays):
    return [np.asarray(x, np.longdouble) for x in arrays]


def dense_softmax(log_weights):
    largest = log_weights.max(axis=-1, keepdims=True)
    weights = np.exp(log_weights - np.where(np.isfinite(largest), largest, 0))
    with np.errstate(invalid="ignore"):
        return weights / weights.sum(axis=-1, keepdims=True)


def squared_distances(queries, keys, bandwidth):
    queries, keys, h = exact(queries, keys, bandwidth)
    queries, keys = (x.reshape(len(x), -1) for x in (queries, keys))
    return (((queries[:, None] - keys) / h) ** 2).sum(axis=-1)


LOG_KERNELS = {
    "gaussian": lambda s: -s,
    "boxcar": lambda s: np.where(s < 1, 0.0, -np.inf),
    "triangular": lambda s: np.log(np.maximum(1 - np.sqrt(s), 0)),
    "epanechnikov": lambda s: np.log(np.maximum(1 - s, 0)),
    "constant": lambda s: 0 * s,
    "laplacian": lambda s: -np.sqrt(s),
    "cauchy": lambda s: -np.log(1 + s),
}


def dense_log_kernel(queries, keys, bandwidth, kernel):
    with np.errstate(divide="ignore", over="ignore"):
        return LOG_KERNELS[kernel](squared_distances(queries, keys, bandwidth))


def dense_regression_weights(queries, keys, bandwidth, kernel):
    return np.nan_to_num(dense_softmax(dense_log_kernel(queries, keys, bandwidth, kernel)))


def dense_regression(queries, keys, values, bandwidth, kernel):
    return dense_softmax(dense_log_kernel(queries, keys, bandwidth, kernel)) @ exact(values)[0]


def dense_leave_one_out(keys, values, bandwidth, kernel):
    log_weights = dense_log_kernel(keys, keys, bandwidth, kernel)
    np.fill_diagonal(log_weights, -np.inf)
    return dense_softmax(log_weights) @ exact(values)[0]


def dense_attention_weights(queries, keys, temperature, bias):
    queries, keys, temperature, bias = exact(queries, keys, temperature, bias)
    return dense_softmax(queries @ np.swapaxes(keys, -1, -2) / temperature + bias)


def dense_attention(queries, keys, values, temperature, bias):
    return dense_attention_weights(queries, keys, temperature, bias) @ exact(values)[0]


def dense_linear_attention(queries, keys, values, temperature, frequencies, causal=False):
    """Compute positive random features entirely in the log domain."""
    queries, keys, frequencies, temperature = exact(queries, keys, frequencies, temperature)
    queries, keys = queries / np.sqrt(temperature), keys / np.sqrt(temperature)
    logs = [x @ frequencies.T - (x**2).sum(axis=-1, keepdims=True) / 2 for x in (queries, keys)]
    exponents = logs[0][..., :, None, :] + logs[1][..., None, :, :]
    if causal:
        exponents = np.where(np.tri(len(keys), dtype=bool)[..., None], exponents, -np.inf)
    largest = exponents.max(axis=(-2, -1), keepdims=True)
    weights = np.exp(exponents - largest).sum(axis=-1)
    return weights / weights.sum(axis=-1, keepdims=True) @ exact(values)[0]


def dense_bilateral(image, bandwidth_space, bandwidth_value, radius=2):
    image, h_x, h_y = exact(image, bandwidth_space, bandwidth_value)
    planes = image.reshape(*image.shape[:2], -1)
    padded = np.pad(planes, ((radius, radius), (radius, radius), (0, 0)), mode="reflect")
    numerator, denominator = np.zeros_like(planes), 0
    for row, column in np.ndindex(2 * radius + 1, 2 * radius + 1):
        there = padded[row : row + len(planes), column : column + planes.shape[1]]
        offset = (row - radius) ** 2 + (column - radius) ** 2
        weight = np.exp(-offset / h_x**2 - (((there - planes) / h_y) ** 2).sum(axis=-1, keepdims=True))
        numerator, denominator = numerator + weight * there, denominator + weight
    return (numerator / denominator).reshape(image.shape)


def numerical_gradient(function, array, step=1e-6):
    """Approximate a gradient by central differences, one entry at a time."""
    slope = np.empty_like(array)
    for index in np.ndindex(array.shape):
        up, down = array.copy(), array.copy()
        up[index] += step
        down[index] -= step
        slope[index] = (function(up) - function(down)) / (2 * step)
    return slope


def steering_by_svd(gradient, radius=5, **constants):
    """Compute `lib.filters.steering_matrix` pixel by pixel from the gradient `(2, height, width)`."""
    shares = disk(radius)
    padded = np.pad(gradient, [(0, 0), (radius, radius), (radius, radius)], mode="reflect")
    result = np.empty((*gradient.shape[1:], 2, 2))
    for row, column in np.ndindex(*gradient.shape[1:]):
        window = padded[:, row : row + 2 * radius + 1, column : column + 2 * radius + 1]
        result[row, column] = steering_matrix(window.reshape(2, -1).T, shares.ravel(), **constants)
    return result


def window_by_loops(image, radius, log_weight):
    """Return Σ K yⱼ / Σ K for every pixel over its mirrored window, with `log_weight(pixel, key, offset)`.

    `pixel` is inside the image; `key` may be outside. Index a `mirrored` array to get the value there.
    """
    values, estimate = mirrored(image), np.empty(image.shape)
    for pixel in np.ndindex(image.shape[:2]):
        offsets = [(i - radius, j - radius) for i, j in np.ndindex(2 * radius + 1, 2 * radius + 1)]
        keys = [(pixel[0] + down, pixel[1] + right) for down, right in offsets]
        logs = np.array([log_weight(pixel, *each) for each in zip(keys, np.array(offsets), strict=True)])
        weights = np.exp(logs - logs.max())
        estimate[pixel] = sum(w * values(*key) for w, key in zip(weights, keys, strict=True)) / weights.sum()
    return estimate


def mirrored(array):
    """Return a function of integers (row, column) that indexes the array as np.pad(mode="reflect") extends it."""

    def at(index, length):
        period = max(2 * (length - 1), 1)
        return min(index % period, -index % period)

    height, width = array.shape[:2]
    return lambda row, column: array[at(row, height), at(column, width)].astype(float)


def peak_memory(call):
    """Return the peak memory of a call, in bytes."""
    tracemalloc.start()
    call()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak
