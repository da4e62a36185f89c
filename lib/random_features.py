"""Random features: attention in time linear in the number of tokens (Performer, 2020).

A random feature map φ turns a kernel into an inner product, exp(q·k) = E[φ(q)·φ(k)]. Then the sums over the
keys no longer depend on the query, and the order of the product may change:

    (φ(Q) φ(K)ᵀ) V   costs n² m,   φ(Q) (φ(K)ᵀ V)   costs n m d.

Frequencies ω are random directions with the distribution of a standard normal vector. Feature maps are plain
functions of `(x, frequencies)`. `linear_attention` puts the two together.

Rahimi & Recht, "Random features for large-scale kernel machines", NIPS 2007.
Katharopoulos, Vyas, Pappas & Fleuret, "Transformers are RNNs", ICML 2020, doi:10.48550/arXiv.2006.16236.
Choromanski et al., "Rethinking attention with Performers", ICLR 2021, doi:10.48550/arXiv.2009.14794.
"""

from functools import reduce
from typing import NamedTuple

import numpy as np

from lib.checks import one_of, positive, real_array, whole_number
from lib.weights import blocks

FEATURE_MAPS = ("positive", "hyperbolic", "trigonometric", "dense_exponential")
BLOCK, CAUSAL_BLOCK = 1024, 128  # tokens at a time; 1024 by 256 features in float32 are 1 MB

# ---------------------------------------------------------------------------------------- frequencies


def iid_frequencies(n_features, dimension, rng=None):
    """Independent standard normal frequencies.

    Parameters
    ----------
    n_features : int ≥ 1
        The paper's m.
    dimension : int ≥ 1
        d, the length of a query or key.
    rng : numpy.random.Generator, int or None
        What `numpy.random.default_rng` accepts.

    Returns
    -------
    (n_features, dimension) array.

    Raises
    ------
    ValueError, TypeError
        If a number is below 1 or not whole.

    Notes
    -----
    Equation eq:rff_gaussian of chapter 7: the frequencies of Rahimi & Recht (2007) for the Gaussian kernel.

    Examples
    --------
    >>> iid_frequencies(256, 64, rng=0).shape
    (256, 64)
    """
    return np.random.default_rng(rng).standard_normal(
        (whole_number("n_features", n_features), whole_number("dimension", dimension))
    )


def orthogonal_frequencies(n_features, dimension, rng=None):
    """Frequencies that are orthogonal in blocks of d; each one alone is standard normal.

    Parameters
    ----------
    n_features, dimension, rng
        As in `iid_frequencies`.

    Returns
    -------
    (n_features, dimension) array. Rows 0 … d−1 are orthogonal, rows d … 2d−1 are, and so on; the blocks are
    independent.

    Raises
    ------
    ValueError, TypeError
        As `iid_frequencies`.

    Notes
    -----
    Equation eq:orthogonal of chapter 7; Choromanski et al. (2021), section 2.4. Directions are the rows of a
    uniformly random rotation, lengths are those of normal vectors (χ with d degrees of freedom). So each
    frequency keeps its distribution and every estimate its mean, while directions no longer repeat each
    other. That lowers the variance of positive features for every d, by their eq. (10).

    Examples
    --------
    >>> frequencies = orthogonal_frequencies(2, 2, rng=0)
    >>> bool(np.isclose(frequencies[0] @ frequencies[1], 0))
    True
    """
    return _blocks_of_directions(n_features, dimension, rng, lambda rotations: rotations)


def simplex_frequencies(n_features, dimension, rng=None):
    """Frequencies that point, in blocks of d, to the corners of a randomly turned simplex.

    Parameters
    ----------
    n_features, dimension, rng
        As in `iid_frequencies`, with dimension ≥ 2.

    Returns
    -------
    (n_features, dimension) array. Each row alone is standard normal; within a block the cosine between any
    two is −1/(d − 1), the most that d directions can avoid each other.

    Raises
    ------
    ValueError, TypeError
        As `iid_frequencies`, and if dimension < 2.

    Notes
    -----
    Reid, Choromanski, Likhosherstov & Weller, "Simplex random features", ICML 2023,
    doi:10.48550/arXiv.2301.13856. The rows of a rotation less their mean, stretched to unit length, are such
    corners. Made for positive features.

    Examples
    --------
    >>> first, second = simplex_frequencies(2, 2, rng=0)
    >>> cosine = first @ second / np.linalg.norm(first) / np.linalg.norm(second)
    >>> round(float(cosine), 12)
    -1.0
    """
    dimension = whole_number("dimension", dimension, at_least=2)
    stretch = np.sqrt(dimension / (dimension - 1))
    return _blocks_of_directions(
        n_features, dimension, rng, lambda rotations: stretch * (rotations - rotations.mean(axis=1, keepdims=True))
    )


def _blocks_of_directions(n_features, dimension, rng, arrange):
    n_features, dimension = whole_number("n_features", n_features), whole_number("dimension", dimension)
    rng = np.random.default_rng(rng)
    n_blocks = -(-n_features // dimension)
    directions = arrange(_rotations(n_blocks, dimension, rng)).reshape(-1, dimension)[:n_features]
    lengths = np.sqrt(rng.chisquare(dimension, size=(n_features, 1)))
    return lengths * directions


def _rotations(n, dimension, rng):
    """Orthogonal matrices, uniformly distributed.

    QR alone is not uniform: LAPACK fixes signs by its algorithm, so the directions lean along the axes and
    the estimates are biased there. Making the diagonal of R positive removes the choice (Mezzadri, "How to
    generate random matrices from the classical compact groups", Notices of the AMS 54 (5), 2007).
    """
    q, r = np.linalg.qr(rng.standard_normal((n, dimension, dimension)))
    return q * np.sign(np.diagonal(r, axis1=-2, axis2=-1))[:, None, :]


# --------------------------------------------------------------------------------------- feature maps


def fourier_features(x, frequencies, bandwidth):
    """Random Fourier features: φ(x)·φ(y) estimates the Gaussian kernel exp(−‖x − y‖²/h²).

    Parameters
    ----------
    x : (…, d) array
        Queries or keys.
    frequencies : (n_features, d) array
        From `iid_frequencies` or `orthogonal_frequencies`.
    bandwidth : float > 0
        h, in the units of x.

    Returns
    -------
    (…, 2·n_features) array, in [−1, 1] / √n_features. φ(x)·φ(x) is 1.

    Raises
    ------
    ValueError, TypeError
        If the widths differ, the bandwidth is not positive, or anything is not finite.

    Notes
    -----
    Equation eq:rff_gaussian of chapter 7, [cos(√2 ω·x/h), sin(√2 ω·x/h)] / √m. Rahimi & Recht (2007) write
    the kernel exp(−‖x − y‖²/2), which is h = √2. With `feature_average` this is Nadaraya–Watson regression in
    time linear in n.

    Examples
    --------
    >>> frequencies = iid_frequencies(100_000, 1, rng=0)
    >>> near, far = fourier_features([[0.0], [1.0]], frequencies, bandwidth=1.0)
    >>> print(f"{near @ far:.2f} {np.exp(-1.0):.2f}")
    0.37 0.37
    """
    x, frequencies = _points_and_frequencies(x, frequencies)
    angles = np.sqrt(2) / positive("bandwidth", bandwidth) * (x @ frequencies.mT)
    return np.concatenate([np.cos(angles), np.sin(angles)], axis=-1) / np.sqrt(len(frequencies))


def trigonometric_features(x, frequencies):
    """Fourier features for the softmax kernel: φ(x)·φ(y) estimates exp(x·y), and can be negative.

    Parameters
    ----------
    x : (…, d) array
        Queries or keys, each already divided by the root of the temperature.
    frequencies : (n_features, d) array

    Returns
    -------
    (…, 2·n_features) array. It overflows where ‖x‖²/2 exceeds about 709 (88 in float32).

    Raises
    ------
    ValueError, TypeError
        If the widths differ or anything is not finite.

    Notes
    -----
    Equation eq:trig_features of chapter 7, exp(‖x‖²/2) [cos(ω·x), sin(ω·x)] / √m, because
    exp(x·y) = exp(‖x‖²/2) exp(−‖x − y‖²/2) exp(‖y‖²/2). Choromanski et al. (2021), section 2.3. For
    independent frequencies the mean squared error is exp(‖x + y‖²) (1 − exp(−‖x − y‖²))² / (2m exp(2x·y)),
    eq. (8) there and eq:mse_trig here: the smaller the kernel, the larger the error.

    Examples
    --------
    >>> query, key = trigonometric_features([[0.4, 0.0], [0.5, 0.2]], iid_frequencies(100_000, 2, rng=0))
    >>> print(f"{query @ key:.1f} {np.exp(0.2):.1f}")
    1.2 1.2
    """
    x, frequencies = _points_and_frequencies(x, frequencies)
    return np.exp(_half_squared_norms(x)) * fourier_features(x, frequencies, bandwidth=np.sqrt(2))


def positive_features(x, frequencies):
    """Positive features for the softmax kernel: φ(x)·φ(y) estimates exp(x·y).

    Parameters
    ----------
    x : (…, d) array
        Queries or keys, each already divided by the root of the temperature.
    frequencies : (n_features, d) array

    Returns
    -------
    (…, n_features) array, positive.

    Raises
    ------
    ValueError, TypeError
        If the widths differ or anything is not finite.

    Notes
    -----
    Equation eq:positive_features of chapter 7, exp(ω·x − ‖x‖²/2) / √m. Choromanski et al. (2021), Lemma 1,
    eq. (7). For independent frequencies the mean squared error is exp(2x·y) (exp(‖x + y‖²) − 1) / m, eq. (8)
    there and eq:mse_positive here: it vanishes with the kernel, but grows with the norms.

    Examples
    --------
    >>> query, key = positive_features([[0.4, 0.0], [0.5, 0.2]], iid_frequencies(100_000, 2, rng=0))
    >>> print(f"{query @ key:.1f} {np.exp(0.2):.1f}")
    1.2 1.2
    """
    x, frequencies = _points_and_frequencies(x, frequencies)
    return np.exp(x @ frequencies.mT - _half_squared_norms(x)) / np.sqrt(len(frequencies))


def hyperbolic_features(x, frequencies):
    """Positive features of ω and of −ω: φ(x)·φ(y) estimates exp(x·y) with less variance.

    Parameters
    ----------
    x : (…, d) array
        Queries or keys, each already divided by the root of the temperature.
    frequencies : (n_features, d) array

    Returns
    -------
    (…, 2·n_features) array, positive.

    Raises
    ------
    ValueError, TypeError
        If the widths differ or anything is not finite.

    Notes
    -----
    Equation eq:hyperbolic_features of chapter 7, exp(−‖x‖²/2) [exp(ω·x), exp(−ω·x)] / √(2m): the estimate is
    an average of hyperbolic cosines. Choromanski et al. (2021), Lemma 1; its error, eq. (8) there, is that of
    `positive_features` times (1 − exp(−‖x + y‖²)) / 2, at twice the features.

    Examples
    --------
    >>> query, key = hyperbolic_features([[0.4, 0.0], [0.5, 0.2]], iid_frequencies(100_000, 2, rng=0))
    >>> print(f"{query @ key:.1f} {np.exp(0.2):.1f}")
    1.2 1.2
    """
    x, frequencies = _points_and_frequencies(x, frequencies)
    return positive_features(x, np.concatenate([frequencies, -frequencies], axis=0))


# --------------------------------------------------------------------- the same softmax, better estimated


def centre_keys(keys):
    """The keys less their mean: softmax attention is unchanged, its estimate improves.

    Parameters
    ----------
    keys : (…, n_keys, d) array

    Returns
    -------
    array of the same shape whose mean over the keys is zero.

    Raises
    ------
    ValueError, TypeError
        If the keys are not `(…, n_keys, d)`, or not finite.

    Notes
    -----
    Equation eq:key_centring of chapter 7. exp(q·(k − c)) = exp(q·k) exp(−q·c), and the last factor is the
    same for all keys, so it cancels in the weights. Any c will do; the mean makes the norms smallest, and the
    variance grows with the norms. Causal attention stays exact too, but its *estimate* at one position then
    depends a little on later keys.

    Examples
    --------
    >>> centre_keys([[1.0, 5.0], [3.0, 7.0]])
    array([[-1., -1.],
           [ 1.,  1.]])
    """
    keys = _tokens("keys", keys)
    return keys - keys.mean(axis=-2, keepdims=True)


def balance(queries, keys):
    """Stretch the queries and shrink the keys, or the reverse, so that q·k stays and the norms fall.

    Parameters
    ----------
    queries : (…, n_queries, d) array
    keys : (…, n_keys, d) array

    Returns
    -------
    queries, keys : arrays of the same shapes (leading axes broadcast) with the same inner products. Both now
    have the same second moment, E[qqᵀ] = E[kkᵀ], unless one of them lies in a subspace.

    Raises
    ------
    ValueError, TypeError
        If shapes do not fit or anything is not finite.

    Notes
    -----
    q·k = (Tq)·(T⁻¹k) for every symmetric invertible T. T² = S, the solution of S E[qqᵀ] S = E[kkᵀ], makes
    E‖Tq‖² + E‖T⁻¹k‖² smallest. It is the asymmetric part of Likhosherstov et al., "Dense-exponential random
    features", NeurIPS 2023, doi:10.48550/arXiv.2302.00787.

    Examples
    --------
    >>> queries, keys = balance([[4.0, 0.0], [0.0, 1.0]], [[1.0, 0.0], [0.0, 9.0]])
    >>> queries.round(3)
    array([[2., 0.],
           [0., 3.]])
    >>> keys.round(3)
    array([[2., 0.],
           [0., 3.]])
    """
    queries, keys = _tokens("queries", queries), _tokens("keys", keys)
    _same_width("queries and keys", queries, keys)
    query_moment, key_moment = _invertible(_second_moment(queries)), _invertible(_second_moment(keys))
    root = _power(query_moment, 0.5)
    inverse_root = _power(query_moment, -0.5)
    square = inverse_root @ _power(root @ key_moment @ root, 0.5) @ inverse_root  # S
    return (
        queries @ _power(square, 0.5).astype(queries.dtype),
        keys @ _power(square, -0.5).astype(keys.dtype),
    )


def pair_moment(queries, keys):
    """The mean of (q + k)(q + k)ᵀ over all pairs of a query and a key, in linear time.

    Parameters
    ----------
    queries : (…, n_queries, d) array
    keys : (…, n_keys, d) array

    Returns
    -------
    (…, d, d) float64 array. Its trace is the mean ‖q + k‖², which sets the error of positive features.

    Raises
    ------
    ValueError, TypeError
        If shapes do not fit or anything is not finite.

    Examples
    --------
    >>> pair_moment([[1.0, 0.0]], [[0.0, 1.0], [0.0, 3.0]])
    array([[1., 2.],
           [2., 5.]])
    """
    queries, keys = _tokens("queries", queries), _tokens("keys", keys)
    _same_width("queries and keys", queries, keys)
    query_mean, key_mean = queries.mean(axis=-2), keys.mean(axis=-2)
    cross = (query_mean[..., :, None] * key_mean[..., None, :]).astype(np.float64)
    return _second_moment(queries) + _second_moment(keys) + cross + cross.mT


def dense_exponential_frequencies(frequencies, moment):
    """Spread the frequencies to where the data need them, and the weights that keep the estimate unbiased.

    Parameters
    ----------
    frequencies : (n_features, d) array
        Standard normal, from `orthogonal_frequencies` or another.
    moment : (d, d) or (…, d, d) array
        From `pair_moment`. A multiple of the identity, tr(moment)/d · I, gives the optimal positive random
        features of 2022 instead.

    Returns
    -------
    frequencies : (…, n_features, d) array
        Normal with covariance I − 4A, in the paper's symbols.
    log_weights : (…, n_features) array
        Logarithm of the importance weight of each frequency, density wanted over density drawn:
        exp(q·k) = E[Σ exp(log_weights) φ(q) φ(k)] with φ from `positive_features`.

    Raises
    ------
    ValueError, TypeError
        If shapes do not fit or anything is not finite.

    Notes
    -----
    Equation eq:oprf of chapter 7. For one pair the best frequencies lie around q + k, not around 0; over all
    pairs they should spread as far. Along each axis of the moment, with eigenvalue λ, the mean logarithm of
    the second moment of the estimate is smallest for the variance
    1 − 4A = (3 + 2λ + √((2λ + 1)² + 8λ)) / 4, which is 1 for λ = 0 and about λ + 3/2 for large λ.
    Likhosherstov et al., "Chefs' random tables", NeurIPS 2022, doi:10.48550/arXiv.2205.15317 (one A for all
    axes), and "Dense-exponential random features", NeurIPS 2023, doi:10.48550/arXiv.2302.00787 (one an axis).

    Examples
    --------
    >>> spread, log_weights = dense_exponential_frequencies([[1.0]], [[1.0]])
    >>> print(f"{spread[0, 0] ** 2:.4f} {log_weights[0]:.4f}")
    2.2808 -0.2281
    """
    frequencies, moment = real_array("frequencies", frequencies), real_array("moment", moment)
    if moment.ndim < 2 or frequencies.ndim != 2 or moment.shape[-2:] != (frequencies.shape[1],) * 2:
        raise ValueError(
            f"frequencies and moment: expected (m, d) and (…, d, d), got {frequencies.shape} and {moment.shape}"
        )
    eigenvalues, axes = np.linalg.eigh(moment)
    eigenvalues = np.maximum(eigenvalues, 0)[..., None, :]
    variances = (3 + 2 * eigenvalues + np.sqrt((2 * eigenvalues + 1) ** 2 + 8 * eigenvalues)) / 4
    log_weights = (np.log(variances) - (variances - 1) * frequencies**2).sum(axis=-1) / 2
    return (frequencies * np.sqrt(variances)) @ axes.mT, log_weights


# ------------------------------------------------------------------------------------ linear attention


def feature_average(query_features, key_features, values):
    """The weighted average with weights φ(q)·φ(k), without ever forming them.

    Parameters
    ----------
    query_features : (…, n_queries, m) array
    key_features : (…, n_keys, m) array
    values : (n_keys,) or (…, n_keys, c) array

    Returns
    -------
    (…, n_queries) array for values (n_keys,), else (…, n_queries, c).

    Raises
    ------
    ValueError, TypeError
        If the shapes do not fit or anything is not finite.

    Notes
    -----
    Equation eq:linear_attention of chapter 7, φ(Q)(φ(K)ᵀV) / φ(Q)(φ(K)ᵀ1). Katharopoulos et al. (2020) for
    any φ; Choromanski et al. (2021), eq. (4).

    Examples
    --------
    >>> feature_average([[1.0, 2.0]], [[1.0, 0.0], [0.5, 1.0]], [[7.0], [14.0]])
    array([[12.]])
    """
    query_features, key_features, columns = _attention_inputs(query_features, key_features, values)
    numerator = query_features @ (key_features.mT @ columns)
    denominator = query_features @ key_features.sum(axis=-2)[..., None]
    return _like(values, numerator / denominator)


def linear_attention(
    queries,
    keys,
    values,
    n_features=256,
    feature_map="positive",
    orthogonal=True,
    causal=False,
    temperature=None,
    rng=None,
    frequencies=None,
):
    """Softmax attention, estimated with random features in time and memory linear in the number of tokens.

    Parameters
    ----------
    queries : (…, n_queries, d) array
        Leading axes are batch and broadcast, as in `numpy.matmul`.
    keys : (…, n_keys, d) array
    values : (n_keys,) or (…, n_keys, c) array
    n_features : int ≥ 1
        The number of frequencies, m. The error falls like 1/√m.
    feature_map : {"positive", "hyperbolic", "trigonometric", "dense_exponential"}
        The last fits the spread of the frequencies to the data, see `dense_exponential_frequencies`.
    orthogonal : bool
        Draw orthogonal frequencies rather than independent ones.
    causal : bool
        Let query i see keys 0 … i only.
    temperature : float > 0, optional
        exp(q·k / temperature); √d by default.
    rng : numpy.random.Generator, int or None
        For the draw of the frequencies.
    frequencies : (m, d) array, optional
        Used instead of a random draw; `n_features`, `orthogonal` and `rng` are then ignored.

    Returns
    -------
    (…, n_queries) array for values (n_keys,), else (…, n_queries, c); float32 if all three arrays are, else
    float64. With `values=np.eye(n_keys)` it is the matrix of estimated weights, whose rows sum to 1.

    With positive, hyperbolic and dense-exponential features every estimate is a weighted average with weights
    ≥ 0, however large the queries and keys. With trigonometric features weights can be negative, and so can
    their sum, the denominator: the estimate may then lie far outside the values, and where the denominator is
    exactly 0 it is infinite or NaN, with NumPy's warning. The method is shown as it is.

    Raises
    ------
    ValueError, TypeError
        If shapes do not fit, anything is empty or not finite (also ‖k‖²), a number is not positive, the map is
        unknown, or `causal` comes with a different number of queries and keys or with dense-exponential
        features, whose spread would look ahead.

    Notes
    -----
    Equations eq:linear_attention and, if causal, eq:causal_prefix of chapter 7; Choromanski et al. (2021),
    eq. (4), and Katharopoulos et al. (2020). The estimate of each exp(q·k) is unbiased, their ratio is not.
    Nothing is added to the features. Instead the maximum of each feature over the keys is divided out of the
    keys and given to the queries, and then the maximum of each query out of that query: both cancel exactly,
    and the denominator is at least 1.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> queries, keys = rng.normal(size=(2, 5, 4)) / 2
    >>> weights = linear_attention(queries, keys, np.eye(5), n_features=100_000, rng=rng)
    >>> scores = np.exp(queries @ keys.T / 2)
    >>> bool(np.allclose(weights, scores / scores.sum(axis=1, keepdims=True), atol=0.01))
    True
    """
    queries, keys, columns = _attention_inputs(queries, keys, values, causal)
    one_of("feature_map", feature_map, FEATURE_MAPS)
    if causal and feature_map == "dense_exponential":
        raise ValueError("feature_map: expected one that does not look ahead if causal, got 'dense_exponential'")
    dimension = queries.shape[-1]
    temperature = np.sqrt(dimension) if temperature is None else positive("temperature", temperature)
    queries, keys = (x * float(temperature**-0.5) for x in (queries, keys))
    if frequencies is None:
        draw = orthogonal_frequencies if orthogonal else iid_frequencies
        frequencies = draw(n_features, dimension, rng)
    _, frequencies = _points_and_frequencies(queries, frequencies)
    if causal:
        totals = _causal_totals(queries, keys, columns, frequencies, feature_map)
    elif feature_map == "dense_exponential":
        totals = _dense_exponential_totals(queries, keys, columns, frequencies)
    else:
        key_sums = sum_keys(keys, columns, frequencies, feature_map)
        totals = read_sums(queries, key_sums, frequencies, feature_map)
    return _like(values, totals[..., :-1] / totals[..., -1:])


class KeySums(NamedTuple):
    """All that linear attention remembers of the keys, however many: Σ φ(k) [v, 1]ᵀ, in units of exp(peak).

    peak : (…, 1, m) array
        The largest exponent of each feature over the keys; (…, 1, 1) for trigonometric features.
    sums : (…, m, c + 1) array
        The last column is Σ φ(k).
    """

    peak: np.ndarray
    sums: np.ndarray


def sum_keys(keys, values, frequencies, feature_map="positive"):
    """The sums over the keys, block by block: a map and a reduce.

    The keys may lie in parts on several machines: sum each part there, then `merge_sums` and `read_sums`.
    The three take what `linear_attention` has checked and scaled, and check nothing themselves.

    Parameters
    ----------
    keys : (…, n_keys, d) array
        Already divided by the root of the temperature.
    values : (…, n_keys, c) array
    frequencies : (m, d) array
    feature_map : {"positive", "hyperbolic", "trigonometric"}

    Returns
    -------
    KeySums

    Notes
    -----
    Equation eq:causal_prefix of chapter 7; the state of the recurrence in Katharopoulos et al. (2020).

    Examples
    --------
    >>> keys, values = np.array([[0.1], [0.4], [0.3]]), np.array([[1.0], [2.0], [4.0]])
    >>> frequencies = iid_frequencies(100, 1, rng=0)
    >>> first, second = (sum_keys(keys[part], values[part], frequencies) for part in (slice(1), slice(1, None)))
    >>> numerator, denominator = read_sums(np.array([[0.5]]), merge_sums(first, second), frequencies)[0]
    >>> bool(np.isclose(numerator / denominator, linear_attention([[0.5]], keys, values, frequencies=frequencies)))
    True
    """
    parts = (
        _sum_block(keys[..., rows, :], values[..., rows, :], frequencies, feature_map)
        for rows in blocks(keys.shape[-2], BLOCK)
    )
    return reduce(merge_sums, parts)


def merge_sums(one, other):
    """The sums over two sets of keys from the sums over each, in any order."""
    peak = np.maximum(one.peak, other.peak)
    return KeySums(peak, np.exp(one.peak - peak).mT * one.sums + np.exp(other.peak - peak).mT * other.sums)


def read_sums(queries, key_sums, frequencies, feature_map="positive"):
    """φ(Q)(φ(K)ᵀ[V, 1]): the numerators of linear attention and, in the last column, its denominators.

    Queries `(…, n_queries, d)` already divided by the root of the temperature give `(…, n_queries, c + 1)`.
    Each row comes in units of its own, which the quotient does not feel.
    """
    parts = [
        _query_features(queries[..., rows, :], key_sums.peak, frequencies, feature_map) @ key_sums.sums
        for rows in blocks(queries.shape[-2], BLOCK)
    ]
    return np.concatenate(parts, axis=-2)


def _sum_block(keys, values, frequencies, feature_map):
    exponents, factor = _key_exponents(keys, frequencies, feature_map)
    peak = exponents.max(axis=-2, keepdims=True)
    return KeySums(peak, _exponentiate(exponents, factor, peak).mT @ _with_one(values))


def _dense_exponential_totals(queries, keys, values, frequencies):
    frequencies, log_weights = dense_exponential_frequencies(frequencies, pair_moment(queries, keys))
    frequencies, log_weights = (x.astype(queries.dtype) for x in (frequencies, log_weights))
    peak, sums = sum_keys(keys, values, frequencies)
    return read_sums(queries, KeySums(peak + log_weights[..., None, :], sums), frequencies)


def _causal_totals(queries, keys, values, frequencies, feature_map):
    """Numerators and denominators when query i sees keys 0 … i."""
    n_features = len(frequencies) * (1 if feature_map == "positive" else 2)
    no_keys = KeySums(np.full((1, 1), -np.inf, keys.dtype), np.zeros((n_features, 1), keys.dtype))
    return _causal_blocks(queries, keys, values, frequencies, feature_map, no_keys, CAUSAL_BLOCK)[0]


def _causal_blocks(queries, keys, values, frequencies, feature_map, before, size):
    """Totals of these queries given the sums before them, and the sums after them."""
    totals = []
    for rows in blocks(keys.shape[-2], size):
        block = queries[..., rows, :], keys[..., rows, :], values[..., rows, :]
        block_totals, before = _causal_block(*block, frequencies, feature_map, before)
        totals.append(block_totals)
    return np.concatenate(totals, axis=-2), before


def _causal_block(queries, keys, values, frequencies, feature_map, before):
    """Earlier blocks through their sums, the own block through its lower triangle of weights."""
    exponents, factor = _key_exponents(keys, frequencies, feature_map)
    peak = np.maximum(before.peak, exponents.max(axis=-2, keepdims=True))
    key_features = _exponentiate(exponents, factor, peak)
    query_features = _query_features(queries, peak, frequencies, feature_map)
    earlier, values_and_one = np.exp(before.peak - peak).mT * before.sums, _with_one(values)
    totals = query_features @ earlier + np.tril(query_features @ key_features.mT) @ values_and_one
    length, limits = keys.shape[-2], np.finfo(totals.dtype)
    if length > 1 and np.abs(totals[..., -1]).min() < limits.tiny / limits.eps**2:
        # A later key of this block set the peak and all that an earlier query may see vanished beside it.
        return _causal_blocks(queries, keys, values, frequencies, feature_map, before, length // 2)
    return totals, KeySums(peak, earlier + key_features.mT @ values_and_one)


def _query_features(queries, peak, frequencies, feature_map):
    """φ(q) in units of its own maximum; exp(±‖q‖²/2) is left out, since it cancels."""
    exponents, factor = _exponents(queries, frequencies, feature_map)
    exponents = exponents + peak
    return _exponentiate(exponents, factor, exponents.max(axis=-1, keepdims=True))


def _key_exponents(keys, frequencies, feature_map):
    exponents, factor = _exponents(keys, frequencies, feature_map)
    sign = 1 if feature_map == "trigonometric" else -1
    exponents += sign * _half_squared_norms(keys)
    return exponents, factor


def _exponents(x, frequencies, feature_map):
    """A feature is exp(±‖x‖²/2) · exp(exponent) · factor, up to a constant that cancels."""
    projections = x @ frequencies.mT
    if feature_map == "trigonometric":
        waves = np.concatenate([np.cos(projections), np.sin(projections)], axis=-1)
        return np.zeros_like(projections[..., :1]), waves
    if feature_map == "hyperbolic":
        projections = np.concatenate([projections, -projections], axis=-1)
    return projections, None


def _exponentiate(exponents, factor, shift):
    """exp(exponents − shift) · factor; the exponents are overwritten."""
    exponents -= shift
    np.exp(exponents, out=exponents)
    return exponents if factor is None else exponents * factor


# --------------------------------------------------------------------------------------- small pieces


def _half_squared_norms(x):
    squares = np.einsum("...d,...d->...", x, x)[..., None]
    if not np.isfinite(squares).all():
        largest = np.abs(x).max()
        raise ValueError(f"expected vectors whose squared norm fits {x.dtype}, got entries up to {largest:g}")
    return squares / 2


def _like(values, estimate):
    """Values without columns give an estimate without columns."""
    return estimate[..., 0] if np.ndim(values) == 1 else estimate


def _with_one(values):
    return np.concatenate([values, np.ones_like(values[..., :1])], axis=-1)


def _second_moment(x):
    return (x.mT @ x).astype(np.float64) / x.shape[-2]


def _invertible(moment):
    """The moment with a little added along the diagonal, so that no axis is without extent."""
    extent = np.trace(moment, axis1=-2, axis2=-1)[..., None, None] / moment.shape[-1]
    return moment + (1e-6 * extent + 1e-30) * np.eye(moment.shape[-1])


def _power(matrix, exponent):
    """A power of symmetric positive definite matrices."""
    eigenvalues, axes = np.linalg.eigh(matrix)
    return axes * eigenvalues[..., None, :] ** exponent @ axes.mT


def _tokens(name, array):
    array = real_array(name, array)
    if array.ndim < 2:
        raise ValueError(f"{name}: expected shape (…, n, d), got {array.shape}")
    return array


def _same_width(names, one, other):
    if one.shape[-1] != other.shape[-1]:
        raise ValueError(f"{names}: expected the same d, got {one.shape} and {other.shape}")


def _points_and_frequencies(x, frequencies):
    x, frequencies = real_array("x", x), real_array("frequencies", frequencies)
    if x.ndim == 0 or frequencies.ndim != 2 or frequencies.shape[1] != x.shape[-1]:
        raise ValueError(
            f"frequencies: expected (n_features, d) for x of (…, d), got {frequencies.shape} for {x.shape}"
        )
    return x, frequencies.astype(x.dtype, copy=False)


def _attention_inputs(queries, keys, values, causal=False):
    queries, keys, values = _tokens("queries", queries), _tokens("keys", keys), real_array("values", values)
    values = values[:, None] if values.ndim == 1 else _tokens("values", values)
    _same_width("queries and keys", queries, keys)
    if keys.shape[-2] != values.shape[-2]:
        raise ValueError(f"keys and values: expected the same n_keys, got {keys.shape} and {values.shape}")
    if causal and queries.shape[-2] != keys.shape[-2]:
        raise ValueError(
            f"queries and keys: expected the same number if causal, got {queries.shape} and {keys.shape}"
        )
    try:
        np.broadcast_shapes(queries.shape[:-2], keys.shape[:-2], values.shape[:-2])
    except ValueError:
        raise ValueError(
            "queries, keys, values: expected leading axes that broadcast, "
            f"got {queries.shape}, {keys.shape}, {values.shape}"
        ) from None
    dtype = np.result_type(queries, keys, values)
    return queries.astype(dtype, copy=False), keys.astype(dtype, copy=False), values.astype(dtype, copy=False)
