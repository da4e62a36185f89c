"""Feature maps: functions φ of (x, frequencies) with E φ(x)·φ(y) = K(x, y).

The maps for the softmax kernel are split into exponents and waves, φ = exp(exponent) · wave/√m, which are
functions of the projections ω·x and of ‖x‖²/2. `linear_attention` uses the same functions but shifts the exponents
before exponentiating, so that queries and keys of any norm are possible.
"""

import math

import numpy as np

from lib.checks import positive, real_array


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

    Notes
    -----
    Equation eq:rff_gaussian of chapter 7, [cos(√2 ω·x/h), sin(√2 ω·x/h)] / √m. Rahimi & Recht (2007) write
    the kernel exp(−‖x − y‖²/2), which is h = √2. With `feature_average` this is Nadaraya–Watson regression in
    time linear in n.

    Examples
    --------
    >>> from lib.random_features import iid_frequencies
    >>> frequencies = iid_frequencies(100_000, 1, rng=0)
    >>> near, far = fourier_features([[0.0], [1.0]], frequencies, bandwidth=1.0)
    >>> print(f"{near @ far:.2f} {np.exp(-1.0):.2f}")
    0.37 0.37
    """
    x, frequencies = points_and_frequencies(x, frequencies)
    with np.errstate(over="ignore", invalid="ignore"):
        angles = math.sqrt(2) / positive("bandwidth", bandwidth) * (x @ frequencies.mT)
    if not np.isfinite(angles).all():
        raise ValueError(f"bandwidth: expected one with ω·x/h in the range of {x.dtype}, got {bandwidth}")
    return np.concatenate([np.cos(angles), np.sin(angles)], axis=-1) / math.sqrt(len(frequencies))


def positive_parts(projections, half_norms):
    """Exponents of φ = exp(ω·x − ‖x‖²/2)."""
    return projections - half_norms, None


def hyperbolic_parts(projections, half_norms):
    """Exponents of φ = exp(±ω·x − ‖x‖²/2), one feature for each sign."""
    return np.concatenate([projections, -projections], axis=-1) - half_norms, None


def trigonometric_parts(projections, half_norms):
    """Exponents and waves of φ = exp(‖x‖²/2) · cos ω·x and exp(‖x‖²/2) · sin ω·x."""
    waves = np.concatenate([np.cos(projections), np.sin(projections)], axis=-1)
    return np.broadcast_to(half_norms, (*waves.shape[:-1], 1)).astype(waves.dtype), waves


PARTS = {"positive": positive_parts, "hyperbolic": hyperbolic_parts, "trigonometric": trigonometric_parts}


def trigonometric_features(x, frequencies):
    """Fourier features for the softmax kernel: φ(x)·φ(y) estimates exp(x·y), and can be negative.

    Parameters
    ----------
    x : (…, d) array
        Queries or keys, each already divided by the square root of the temperature.
    frequencies : (n_features, d) array

    Returns
    -------
    (…, 2·n_features) array. It overflows where ‖x‖²/2 exceeds about 709 (88 in float32).

    Notes
    -----
    Equation eq:trig_features of chapter 7, exp(‖x‖²/2) [cos(ω·x), sin(ω·x)] / √m, because
    exp(x·y) = exp(‖x‖²/2) exp(−‖x − y‖²/2) exp(‖y‖²/2). Choromanski et al. (2021), section 2.3. For
    independent frequencies the mean squared error is exp(‖x + y‖²) (1 − exp(−‖x − y‖²))² / (2m exp(2x·y)),
    equation eq:mse_trig: the smaller the kernel, the larger the error.

    Examples
    --------
    >>> from lib.random_features import iid_frequencies
    >>> query, key = trigonometric_features([[0.4, 0.0], [0.5, 0.2]], iid_frequencies(100_000, 2, rng=0))
    >>> print(f"{query @ key:.1f} {np.exp(0.2):.1f}")
    1.2 1.2
    """
    x, frequencies = points_and_frequencies(x, frequencies)
    exponents, waves = trigonometric_parts(x @ frequencies.mT, half_squared_norms(x))
    return np.exp(exponents) * (waves / math.sqrt(len(frequencies)))


def positive_features(x, frequencies):
    """Positive features for the softmax kernel: φ(x)·φ(y) estimates exp(x·y).

    Parameters
    ----------
    x : (…, d) array
        Queries or keys, each already divided by the square root of the temperature.
    frequencies : (n_features, d) array

    Returns
    -------
    (…, n_features) array, positive.

    Notes
    -----
    Equation eq:positive_features of chapter 7, exp(ω·x − ‖x‖²/2) / √m. Choromanski et al. (2021), Lemma 1.
    For independent frequencies the mean squared error is exp(2x·y) (exp(‖x + y‖²) − 1) / m, equation
    eq:mse_positive: it vanishes with the kernel, but grows with the norms.

    Examples
    --------
    >>> from lib.random_features import iid_frequencies
    >>> query, key = positive_features([[0.4, 0.0], [0.5, 0.2]], iid_frequencies(100_000, 2, rng=0))
    >>> print(f"{query @ key:.1f} {np.exp(0.2):.1f}")
    1.2 1.2
    """
    x, frequencies = points_and_frequencies(x, frequencies)
    exponents, _ = positive_parts(x @ frequencies.mT, half_squared_norms(x))
    return np.exp(exponents) / math.sqrt(len(frequencies))


def hyperbolic_features(x, frequencies):
    """Positive features of ω and of −ω: φ(x)·φ(y) estimates exp(x·y) with less variance.

    Parameters
    ----------
    x : (…, d) array
        Queries or keys, each already divided by the square root of the temperature.
    frequencies : (n_features, d) array

    Returns
    -------
    (…, 2·n_features) array, positive.

    Notes
    -----
    Equation eq:hyperbolic_features of chapter 7, exp(−‖x‖²/2) [exp(ω·x), exp(−ω·x)] / √(2m): the estimate is
    an average of hyperbolic cosines. Choromanski et al. (2021), Lemma 1; its error is that of
    `positive_features` times (1 − exp(−‖x + y‖²)) / 2, at twice the features.

    Examples
    --------
    >>> from lib.random_features import iid_frequencies
    >>> query, key = hyperbolic_features([[0.4, 0.0], [0.5, 0.2]], iid_frequencies(100_000, 2, rng=0))
    >>> print(f"{query @ key:.1f} {np.exp(0.2):.1f}")
    1.2 1.2
    """
    x, frequencies = points_and_frequencies(x, frequencies)
    x, frequencies = points_and_frequencies(x, frequencies)
    exponents, _ = hyperbolic_parts(x @ frequencies.mT, half_squared_norms(x))
    return np.exp(exponents) / math.sqrt(2 * len(frequencies))


def half_squared_norms(x):
    """Return ‖x‖²/2 as `(…, 1)`; raise an error if it overflows."""
    squares = np.einsum("...d,...d->...", x, x)[..., None]
    if not np.isfinite(squares).all():
        largest = np.abs(x).max()
        raise ValueError(f"expected vectors whose squared norm fits {x.dtype}, got entries up to {largest:g}")
    return squares / 2


def points_and_frequencies(x, frequencies):
    """Validate points `(…, d)` and frequencies `(n_features, d)`; return both in the dtype of the points."""
    x, frequencies = real_array("x", x), real_array("frequencies", frequencies)
    if x.ndim == 0 or frequencies.ndim != 2 or frequencies.shape[1] != x.shape[-1]:
        raise ValueError(
            f"frequencies: expected (n_features, d) for x of (…, d), got {frequencies.shape} for {x.shape}"
        )
    return x, frequencies.astype(x.dtype, copy=False)
