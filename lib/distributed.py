"""Averages of arrays distributed over several machines with Dask; install with `pip install ".[distributed]"`.

To merge the results of several parts of an array, only the average of each part and the log of its sum of weights
are needed. The average of all keys is again a weighted average, of the averages of the parts:

    >>> from lib.weights import average, softmax
    >>> log_sums, averages = np.log([3.0, 1.0]), np.array([10.0, 14.0])  # Σ K v / Σ K of two parts, and log Σ K
    >>> float(average(softmax(log_sums), averages))
    11.0

Each function therefore calls `lib` for one chunk of queries and one chunk of keys, and averages the results in any
order. Image filters receive each chunk with a margin of neighbouring pixels, as wide as the dependence of a
pixel's result. Everything is lazy: a result is a Dask array, and `.compute()` evaluates it on the threads of one
machine or the workers of a cluster.

    >>> from dask.array import from_array
    >>> queries = from_array(np.array([1.0, 9.0]), chunks=1)
    >>> keys, values = (from_array(np.array(x), chunks=2) for x in ([0.0, 2.0, 50.0], [10.0, 20.0, 0.0]))
    >>> nadaraya_watson(queries, keys, values, bandwidth=1.0).compute()
    array([15., 20.])
"""

import math
from functools import partial, reduce

import numpy as np

try:
    import dask.array
    from dask import delayed
except ImportError as missing:
    raise ImportError(
        'lib.distributed: expected Dask, got none; install it with pip install "dask[array]"'
    ) from missing

from lib import filters
from lib.checks import (
    bandwidth_per_axis,
    flag,
    float_type,
    floats,
    one_of,
    points,
    positive,
    real_array,
    values_for,
)
from lib.engine.attention import attention_and_log_sums
from lib.engine.regression import regression_and_log_sums
from lib.filters._bilateral import radius_of
from lib.filters._lark import DISK
from lib.kernels import KERNELS, clamp_bandwidth
from lib.random_features import iid_frequencies, merge_sums, orthogonal_frequencies, read_sums, sum_keys
from lib.random_features.feature_maps import PARTS, points_and_frequencies
from lib.weights import average, ratio, softmax

PILOT = 2  # radius of the window of the pilot gradient
PARTS_AT_ONCE = 8  # number of parts merged by one task


def nadaraya_watson(queries, keys, values, bandwidth, kernel="gaussian"):
    """Compute `lib.regression.nadaraya_watson` on Dask arrays.

    Parameters
    ----------
    queries : (n_queries,) or (n_queries, d) Dask array
        Chunked only along the first axis, like the other two arrays.
    keys : (n_keys,) or (n_keys, d) Dask array
    values : (n_keys,) or (n_keys, c) Dask array
        Chunked like the keys.
    bandwidth, kernel : as in that function

    Returns
    -------
    (n_queries,) or (n_queries, c) Dask array, chunked like the queries.

    Raises
    ------
    ValueError, TypeError
        Immediately, if an array is not a numeric Dask array, if shapes or chunks do not match, or if the bandwidth
        is invalid. During computation, if a chunk contains NaN or infinite numbers.

    Notes
    -----
    For queries further away than 10¹⁰ times the sum of bandwidth and extent of the keys, keys whose distances
    differ only by rounding have equal weights.
    """
    _check_points(values, queries=queries, keys=keys)
    part = partial(_kernel_part, **_checked(bandwidth, kernel, keys))
    chunks = list(zip(_blocks(keys), _blocks(values), strict=True))
    rows = [[delayed(part)(some, *chunk) for chunk in chunks] for some in _blocks(queries)]
    return _assembled(rows, queries, values, _float_type(queries, keys, values))


def _checked(bandwidth, kernel, keys):
    return {
        "bandwidth": bandwidth_per_axis(bandwidth, math.prod(keys.shape[1:])),
        "kernel": one_of("kernel", kernel, KERNELS),
    }


def _float_type(*arrays):
    """Return the dtype of `lib`'s results for these arrays."""
    return float_type(*(floats("array", np.zeros(1, array.dtype)) for array in arrays))


def leave_one_out_error(keys, values, bandwidth, kernel="gaussian"):
    """Compute `lib.regression.leave_one_out_error` on Dask arrays and return a zero-dimensional Dask array.

    Parameters and errors are those of `nadaraya_watson`; there must be at least two keys.
    """
    _check_points(values, keys=keys)
    if len(keys) < 2:
        raise ValueError(f"keys: expected at least two, so that one can be left out, got {len(keys)}")
    part = partial(_kernel_part, **_checked(bandwidth, kernel, keys))
    chunks = list(zip(_blocks(keys), _blocks(values), strict=True))
    rows = [
        [delayed(part)(some, *chunk, leave_one_out=i == j) for j, chunk in enumerate(chunks)]
        for i, (some, _) in enumerate(chunks)
    ]
    residuals = values - _assembled(rows, keys, values, _float_type(keys, values))
    return (residuals.astype(np.float64) ** 2).mean()


def attention(queries, keys, values, temperature=None, mask=None):
    """Compute `lib.attention.attention` on Dask arrays of a single sequence.

    Parameters
    ----------
    queries : (n_queries, d) Dask array
        Chunked only along the first axis, like keys and values.
    keys : (n_keys, d) Dask array
    values : (n_keys,) or (n_keys, c) Dask array
        Chunked like the keys.
    temperature : float > 0, or None for √d
    mask : (n_queries, n_keys) boolean Dask array, or None
        Chunked like queries and keys.

    Returns
    -------
    (n_queries,) or (n_queries, c) Dask array, chunked like the queries.
    """
    _check_sequences(queries, keys, values)
    temperature = math.sqrt(keys.shape[1]) if temperature is None else positive("temperature", temperature)
    masks = np.full((queries.numblocks[0], keys.numblocks[0]), None)
    if mask is not None:
        _check_dask("mask", mask, kinds="b")
        if mask.chunks != (queries.chunks[0], keys.chunks[0]):
            expected = f"the chunks of queries and keys, {queries.chunks[0]} and {keys.chunks[0]}"
            raise ValueError(f"mask: expected {expected}, got {mask.chunks}")
        masks = mask.to_delayed()
    part = delayed(partial(_attention_part, temperature=temperature))
    chunks = list(zip(_blocks(keys), _blocks(values), strict=True))
    rows = [
        [part(some, *chunk, seen) for chunk, seen in zip(chunks, row, strict=True)]
        for some, row in zip(_blocks(queries), masks, strict=True)
    ]
    return _assembled(rows, queries, values, _float_type(queries, keys, values))


def _check_sequences(queries, keys, values):
    _check_points(values, queries=queries, keys=keys)
    if keys.ndim != 2:
        raise ValueError(f"queries and keys: expected (n, d), got {queries.shape} and {keys.shape}")


def linear_attention(
    queries,
    keys,
    values,
    n_features=256,
    *,
    feature_map="positive",
    orthogonal=True,
    temperature=None,
    rng=None,
    frequencies=None,
):
    """Compute `lib.random_features.linear_attention` on Dask arrays of a single sequence.

    Parameters
    ----------
    queries, keys, values, temperature : as in `attention`
    feature_map : {"positive", "hyperbolic", "trigonometric"}
    n_features, orthogonal, rng, frequencies : as in that function; frequencies are drawn immediately

    Returns
    -------
    (n_queries,) or (n_queries, c) Dask array, chunked like the queries. Each machine sends Σ φ(k) [v, 1]ᵀ of its
    keys, m × (c + 1) numbers, for any number of keys.
    """
    _check_sequences(queries, keys, values)
    one_of("feature_map", feature_map, PARTS)
    if frequencies is None:
        draw = orthogonal_frequencies if flag("orthogonal", orthogonal) else iid_frequencies
        frequencies = draw(n_features, queries.shape[1], rng=rng)
    temperature = math.sqrt(queries.shape[1]) if temperature is None else positive("temperature", temperature)
    dtype = _float_type(queries, keys, values)
    frequencies = points_and_frequencies(np.zeros((1, queries.shape[1]), dtype), frequencies)[1]
    scaled = delayed(partial(_scaled, scale=temperature**-0.5, dtype=dtype))
    sums = [
        delayed(sum_keys)(scaled("keys", some), delayed(_columns)(of_them, dtype), frequencies, feature_map)
        for some, of_them in zip(_blocks(keys), _blocks(values), strict=True)
    ]
    total = _folded(sums, partial(reduce, merge_sums))
    estimates = [
        delayed(_read_estimate)(scaled("queries", some), total, frequencies, feature_map, values.shape[1:])
        for some in _blocks(queries)
    ]
    return _concatenated(estimates, queries, values, dtype)


def _scaled(name, points, scale, dtype):
    return real_array(name, points).astype(dtype) * dtype(scale)


def _columns(values, dtype):
    return real_array("values", values).astype(dtype).reshape(len(values), -1)


def _read_estimate(queries, total, frequencies, feature_map, columns):
    sums = read_sums(queries, total, frequencies, feature_map)
    return ratio(sums[:, :-1], sums[:, -1:]).reshape(len(queries), *columns)


def bilateral(image, bandwidth_space, bandwidth_value, radius=None):
    """Compute `lib.filters.bilateral` on a Dask image (H, W) or (H, W, C), chunked along H and W.

    A pixel depends on pixels at a distance of at most `radius`.
    """
    given = {"bandwidth_space": bandwidth_space, "bandwidth_value": bandwidth_value, "radius": radius}
    return _filtered(
        filters.bilateral, image, given, lambda: radius_of(bandwidth_space) if radius is None else radius
    )


def nonlocal_means(image, bandwidth, patch_radius=3, search_radius=10, patch_weights="gaussian", noise_std=0.0):
    """Compute `lib.filters.nonlocal_means` on a Dask image, chunked along H and W.

    A pixel depends on the patches around the pixels of its window, which are at a distance of at most
    `search_radius + patch_radius`.
    """
    given = {"bandwidth": bandwidth, "patch_radius": patch_radius, "search_radius": search_radius}
    given |= {"patch_weights": patch_weights, "noise_std": noise_std}
    return _filtered(filters.nonlocal_means, image, given, lambda: search_radius + patch_radius)


def lark(image, bandwidth, radius=5, order=0, n_iterations=1, **steering):
    """Compute `lib.filters.lark` on a Dask image, chunked along H and W.

    In each iteration a pixel depends on the steering matrices in its window, these on gradients within
    `analysis_radius`, and these on the 5 × 5 pixels of the pilot gradient. For order ≥ 1 only the first iteration
    computes a pilot gradient; later iterations use the gradient of the previous fit.
    """
    given = {"bandwidth": bandwidth, "radius": radius, "order": order, "n_iterations": n_iterations, **steering}
    analysis_radius = steering.get("analysis_radius", DISK)
    margin = lambda: n_iterations * (radius + analysis_radius) + PILOT * (1 if order else n_iterations)
    return _filtered(filters.lark, image, given, margin)


def _filtered(image_filter, image, given, margin):
    """Apply the filter to each chunk with a margin; `lib` mirrors at the borders of the whole image."""
    _check_dask("image", image)
    colour = image.shape[2:]
    if image.ndim not in (2, 3) or image.numblocks[2:] not in ((), (1,)):
        raise ValueError(f"image: expected (H, W) or (H, W, C) in chunks along H and W, got {image.chunks}")
    pixel = image_filter(np.zeros((1, 1, *colour), image.dtype), **given)  # validates the parameters
    depth = {axis: margin() if image.shape[axis] > margin() else 0 for axis in (0, 1)}
    image = image.rechunk({axis: -1 for axis in (0, 1) if not depth[axis]})
    on_chunk = partial(image_filter, **given)
    return image.map_overlap(on_chunk, depth=depth, boundary="none", dtype=pixel.dtype, meta=pixel[:0, :0])


def _check_dask(name, array, kinds="fiub"):
    if not isinstance(array, dask.array.Array):
        raise TypeError(
            f"{name}: expected a Dask array, as from dask.array.from_array, got {type(array).__name__}"
        )
    if array.dtype.kind not in kinds:
        raise TypeError(
            f"{name}: expected {'booleans' if kinds == 'b' else 'real numbers'}, got dtype {array.dtype}"
        )
    if math.isnan(sum(array.shape)) or 0 in array.shape or array.ndim == 0:
        raise ValueError(f"{name}: expected at least one element in chunks of known size, got shape {array.shape}")


def _check_points(values, **points):
    """Validate Dask arrays `(n,)` or `(n, d)` of the same d, chunked along n, and values chunked like the keys."""
    for name, array in (points | {"values": values}).items():
        _check_dask(name, array)
        if array.ndim > 2 or array.numblocks[1:] not in ((), (1,)):
            raise ValueError(f"{name}: expected shape (n,) or (n, d) in chunks along n alone, got {array.chunks}")
    if len({array.shape[1:] for array in points.values()}) > 1:
        shapes = " and ".join(str(array.shape) for array in points.values())
        raise ValueError(f"{' and '.join(points)}: expected the same d, got {shapes}")
    if points["keys"].chunks[0] != values.chunks[0]:
        got = f"{points['keys'].chunks[0]} and {values.chunks[0]}"
        raise ValueError(f"keys and values: expected the same chunks along n_keys, got {got}")


def _blocks(array):
    """Return the chunks along the first axis as delayed objects."""
    return array.to_delayed().ravel().tolist()


def _kernel_part(queries, keys, values, bandwidth, kernel, leave_one_out=False):
    """Return the estimates from one chunk of keys, and log Σ K."""
    queries, keys = points(queries, keys)
    values = values_for(keys, values)
    if leave_one_out and len(keys) == 1:
        return np.full((1, *values.shape[1:]), np.nan), np.full(1, -np.inf)
    bandwidth = bandwidth_per_axis(bandwidth, keys.shape[1])
    if (clamp_bandwidth(bandwidth, queries, keys) != bandwidth).any():
        raise ValueError(f"bandwidth: expected at most 150 powers of ten below the largest point, got {bandwidth}")
    return regression_and_log_sums(queries, keys, values, bandwidth, kernel, leave_one_out)


def _attention_part(queries, keys, values, mask, temperature):
    """Return the attention estimates from one chunk of keys, and the log of the sum of weights."""
    queries, keys, values = real_array("queries", queries), real_array("keys", keys), real_array("values", values)
    columns = values.reshape(len(values), -1)
    estimate, log_sums = attention_and_log_sums(queries, keys, columns, temperature, mask)
    return estimate.reshape(len(queries), *values.shape[1:]), log_sums


def _merged_parts(parts):
    """Merge the estimates of several parts, weighted by their sums of weights, and return log Σ K of all."""
    estimates, log_sums = (np.stack(each, axis=1) for each in zip(*parts, strict=True))
    weights = softmax(log_sums)
    columns = np.where(weights[..., None] > 0, estimates.reshape(*weights.shape, -1), 0)
    estimate = average(weights[:, None], columns)[:, 0]
    return estimate.reshape(len(estimates), *estimates.shape[2:]), np.logaddexp.reduce(log_sums, axis=1)


def _folded(parts, merge):
    """Merge all parts, a few at a time."""
    while len(parts) > 1:
        groups = [parts[i : i + PARTS_AT_ONCE] for i in range(0, len(parts), PARTS_AT_ONCE)]
        parts = [delayed(merge)(group) for group in groups]
    return parts[0]


def _assembled(rows, queries, values, dtype):
    """Assemble a Dask array of estimates from the parts of each chunk of queries."""
    estimates = [delayed(_estimate_of)(_folded(parts, _merged_parts), dtype) for parts in rows]
    return _concatenated(estimates, queries, values, dtype)


def _estimate_of(part, dtype):
    return part[0].astype(dtype)


def _concatenated(estimates, queries, values, dtype):
    shapes = [(n, *values.shape[1:]) for n in queries.chunks[0]]
    made = [dask.array.from_delayed(*each, dtype) for each in zip(estimates, shapes, strict=True)]
    return dask.array.concatenate(made)
