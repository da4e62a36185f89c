"""Steering kernels: the metric bends along the edges of the image.

Takeda, Farsiu & Milanfar, "Kernel regression for image processing and reconstruction", IEEE Transactions on Image
Processing 16 (2), 2007, doi:10.1109/TIP.2006.888330; parameters and details as in the authors' Matlab toolbox. The
name LARK, locally adaptive regression kernel, is that of Seo & Milanfar (2009–10).
"""

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from lib.checks import non_negative, positive, whole_number
from lib.engine.streaming import LOG2E
from lib.filters.arguments import image_planes, pixel_of, whole_radius
from lib.filters.patches import window_around
from lib.filters.window import (
    Strip,
    bounded,
    in_bands,
    local_polynomial,
    raw_weights,
    window_moments,
    window_weights,
)
from lib.weights import blocks

SCALE = 255  # the toolbox's constants are for grey levels from 0 to 255
LUMA = (0.299, 0.587, 0.114)  # brightness from red, green and blue (Rec. 601), as in the toolbox's colour example
PILOT_BANDWIDTH, PILOT_RADIUS = 0.5, 2  # of the pilot gradient; the toolbox's h
LARGEST = 1e90  # beyond this, and below its inverse, a kernel is a single pixel or the whole window


def lark(
    image,
    bandwidth,
    radius=5,
    order=0,
    n_iterations=1,
    analysis_radius=5,
    structure_sensitivity=0.5,
    elongation_regularization=1.0,
    structure_regularization=1e-7,
):
    """Average each pixel with its neighbours, each of which spreads along its own edge and not across.

    Parameters
    ----------
    image : (H, W) or (H, W, C) array in [0, 1], or uint8, which is divided by 255
    bandwidth : float > 0
        The toolbox's h: the weight falls as exp(−dᵀC d/(2h²)), with a 2, so the kernel's half-axes are h/√λ pixels
        for the eigenvalues λ of C. In the convention of the course, exp(−‖·‖²/h²), it is √2 times as much.
    radius : int ≥ 0
        The window is a square of side 2·radius + 1. The toolbox takes 10 to denoise.
    order : {0, 1, 2}
        0 averages; 1 and 2 fit a plane or a parabola to the window by least squares with these weights, and
        take its height in the middle.
    n_iterations : int ≥ 1
        Each further iteration filters the last estimate again, with steering matrices from the estimate's
        gradient.
    analysis_radius, structure_sensitivity, elongation_regularization, structure_regularization
        As `steering_matrices`.

    Returns
    -------
    array of the image's shape; float32 for a float32 or float16 image, else float64

    Raises
    ------
    ValueError, TypeError
        As `steering_matrices`; for a bandwidth that is not a finite number above zero, a radius that is not a
        whole number from `order` to 1000, another order, n_iterations that is not a whole number from 1 to 1000.

    Notes
    -----
    Equations eq:steering_kernel and, for order 2, eq:steering_order2 of chapter 4: the weight of key j for
    pixel i is wᵢⱼ = √det Cⱼ · exp(−dᵀCⱼ d/(2h²)) with d = xⱼ − xᵢ. C is that of the key, so the weights are
    not symmetric. Takeda, Farsiu & Milanfar (2007), doi:10.1109/TIP.2006.888330. All channels of a colour
    image share the weights, as in the toolbox. For order 0 the next gradient is that of `pilot_gradient`, for
    order 1 and 2 that of the fit. Outside, image and steering matrices are mirrored
    (`np.pad(mode="reflect")`).

    Examples
    --------
    A fit of order 2 reproduces a parabola; an average cannot:

    >>> parabola = np.tile(np.linspace(-1, 1, 21) ** 2, (21, 1))
    >>> lark(parabola, bandwidth=2.0, order=2)[10, 10] < 1e-9 < lark(parabola, bandwidth=2.0)[10, 10]
    np.True_
    """
    planes, h, radius, order = _parameters(image, bandwidth, radius, order)
    steering = _steering_parameters(
        analysis_radius, structure_sensitivity, elongation_regularization, structure_regularization
    )
    analysis_radius, n_iterations = steering[0], whole_number("n_iterations", n_iterations, at_most=1000)

    def filtered(planes):
        estimate, gradient = planes if order == 0 else planes.astype(np.float64), None
        for _ in range(n_iterations):
            if gradient is None:
                gradient = _pilot_gradient(_brightness(estimate))
            fields = _fields(*_steering(gradient, *steering), h, estimate.dtype)
            estimate, gradient = _estimate(estimate, fields, radius, order)
        return estimate

    reach = n_iterations * (PILOT_RADIUS + analysis_radius + radius)
    return in_bands(filtered, image, planes, reach)


def lark_log_weights(
    image,
    pixel,
    bandwidth,
    radius=5,
    analysis_radius=5,
    structure_sensitivity=0.5,
    elongation_regularization=1.0,
    structure_regularization=1e-7,
):
    """The log-weights of the window around one pixel: log √det Cⱼ − dᵀCⱼ d/(2h²), with C at the key j.

    Parameters, errors: as `lark_weights`.

    Returns
    -------
    (2·radius + 1, 2·radius + 1) array
    """
    planes, h, radius, _ = _parameters(image, bandwidth, radius, 0)
    pixel = pixel_of(planes, pixel)
    steering = _steering_parameters(
        analysis_radius, structure_sensitivity, elongation_regularization, structure_regularization
    )
    matrices, scale = _steering(_pilot_gradient(_brightness(planes)), *steering)
    a, b, e, log_scale = window_around(_fields(matrices, scale, h, np.float64), pixel, radius)
    row, column = np.mgrid[-radius : radius + 1, -radius : radius + 1]
    return (log_scale - (a * row + b * column) ** 2 - e * column**2) / LOG2E


def lark_weights(
    image,
    pixel,
    bandwidth,
    radius=5,
    order=0,
    analysis_radius=5,
    structure_sensitivity=0.5,
    elongation_regularization=1.0,
    structure_regularization=1e-7,
):
    """The weights with which one pixel is averaged, in the first iteration.

    Parameters
    ----------
    image, bandwidth, radius, order
    analysis_radius, structure_sensitivity, elongation_regularization, structure_regularization
        As `lark`.
    pixel : (row, column)
        Inside the image.

    Returns
    -------
    (2·radius + 1, 2·radius + 1) array that sums to 1; its middle is the pixel itself. For order 1 and 2 these
    are the weights with which the fit averages the values, the *equivalent kernel*, some of them negative.
    Where the window leaves the image it shows the mirrored pixels.

    Raises
    ------
    ValueError, TypeError
        As `lark`, and for a pixel outside the image.

    Notes
    -----
    Equations eq:steering_kernel and eq:steering_order2 of chapter 4.

    Examples
    --------
    Beside a noisy vertical edge the weights lie along it:

    >>> noise = np.random.default_rng(0).normal(scale=0.05, size=(16, 16))
    >>> step = np.repeat([0.0, 1.0], 8) + noise
    >>> lark_weights(step, (8, 7), bandwidth=2.0, radius=1).round(2)
    array([[0. , 0.3, 0. ],
           [0. , 0.4, 0. ],
           [0. , 0.3, 0. ]])
    """
    _, _, radius, order = _parameters(image, bandwidth, radius, order)
    log_weights = lark_log_weights(
        image,
        pixel,
        bandwidth,
        radius,
        analysis_radius,
        structure_sensitivity,
        elongation_regularization,
        structure_regularization,
    )
    if order == 0:
        return window_weights(log_weights)
    return _equivalent_kernel(raw_weights(LOG2E * log_weights), radius, order)


def _equivalent_kernel(weights, radius, order):
    """The fit's height in the middle as a weighted sum: what it is where one key has the value 1, all others 0."""
    row, column = np.mgrid[-radius : radius + 1, -radius : radius + 1]
    powers = {(a, b): weights * row**a * column**b for a in range(2 * order + 1) for b in range(2 * order + 1 - a)}
    weight_moments = {power: weighted.sum(keepdims=True).ravel() for power, weighted in powers.items()}
    value_moments = {power: weighted.reshape(-1, 1) for power, weighted in powers.items()}
    return local_polynomial(weight_moments, value_moments, order)[0].reshape(weights.shape)


def steering_matrices(
    image,
    analysis_radius=5,
    structure_sensitivity=0.5,
    elongation_regularization=1.0,
    structure_regularization=1e-7,
):
    """C, the metric of the steering kernel, at every pixel.

    Parameters
    ----------
    image : (H, W) or (H, W, C) array in [0, 1], or uint8, which is divided by 255
    analysis_radius : int ≥ 1
        The gradients of a disk of this radius are looked at together; the toolbox's wsize is
        2·analysis_radius + 1.
    structure_sensitivity : float ≥ 0
        α: how much the kernel shrinks where there is structure; 0 keeps all kernels of the same area.
    elongation_regularization : float > 0
        λ′: the larger, the rounder the kernels, and the less noise can stretch them.
    structure_regularization : float > 0
        λ″, in squared grey levels: keeps the kernel from spreading without end where the gradients vanish or all
        point one way. 10⁻⁷ in the toolbox, where it is written into the code; the larger, the smaller the kernels
        of perfect edges and flat places.

    Returns
    -------
    (H, W, 2, 2) float64 array, symmetric and positive definite; rows and columns stand for (row, column)
    directions

    Raises
    ------
    ValueError, TypeError
        For an image of another shape or type, empty, or with NaN or inf, or with another number of channels than 1
        or 3; for a radius that is not a whole number from 1 to 1000, and numbers out of the ranges above.

    Notes
    -----
    Equation eq:steering_matrix of chapter 4. With s₁ ≥ s₂ and u₁, u₂ the singular values and right singular
    vectors of the gradients in the disk, each times its share a of the disk, one per row (eq:structure_tensor
    holds their squares):

        C = γ (ϱ u₁u₁ᵀ + u₂u₂ᵀ/ϱ),   ϱ = (s₁ + λ′)/(s₂ + λ′),   γ = ((s₁s₂ + λ″)/Σa)^α,   √det C = γ.

    With λ′ = λ″ = 0 and α = 1 this is T/Σa for the tensor T of `structure_tensors`; another α changes the size
    of that matrix and not its shape (eq:compressed_metric).

    Gradients are those of `pilot_gradient`, on a scale of 0 to 255, of the brightness of a colour image. Where the
    disk leaves the image, gradients are mirrored. γ and ϱ are kept between 10⁻⁹⁰ and 10⁹⁰.

    Examples
    --------
    A vertical edge: C is large across it and small along it.

    >>> noise = np.random.default_rng(0).normal(scale=0.05, size=(16, 16))
    >>> step = np.repeat([0.0, 1.0], 8) + noise
    >>> steering_matrices(step)[8, 7].round(2)
    array([[  2.34,  -0.48],
           [ -0.48, 186.17]])
    """
    steering = _steering_parameters(
        analysis_radius, structure_sensitivity, elongation_regularization, structure_regularization
    )
    matrices, _ = _steering(_pilot_gradient(_brightness(image_planes(image))), *steering)
    return np.ascontiguousarray(np.moveaxis(matrices, (0, 1), (-2, -1)))


def structure_tensors(image, analysis_radius=5):
    """The sum of a² g gᵀ over the gradients g in the disk around every pixel, with a the share of g in the disk.

    Parameters, errors: as `steering_matrices`.

    Returns
    -------
    (H, W, 2, 2) float64 array, symmetric and positive semidefinite; gradients are on a scale of 0 to 255

    Notes
    -----
    Equation eq:structure_tensor of chapter 4. Its eigenvalues are the squares of the singular values s₁, s₂ in
    `steering_matrices`, its eigenvectors u₁, u₂.

    Examples
    --------
    >>> ramp = np.tile(np.arange(32) / 255, (32, 1))
    >>> np.abs(structure_tensors(ramp, analysis_radius=1)[16, 16]).round(3)
    array([[0.   , 0.   ],
           [0.   , 1.859]])
    """
    radius = whole_radius("analysis_radius", analysis_radius, at_least=1)
    rows, mixed, columns = _tensors(_pilot_gradient(_brightness(image_planes(image))), disk(radius))
    return np.stack([np.stack([rows, mixed], axis=-1), np.stack([mixed, columns], axis=-1)], axis=-2)


def pilot_gradient(image):
    """The gradient at every pixel, by fitting a parabola to the 5 × 5 pixels around it.

    Parameters
    ----------
    image : (H, W) or (H, W, C) array in [0, 1], or uint8, which is divided by 255

    Returns
    -------
    (H, W, 2) float64 array: by row and by column, in units of the image per pixel; of the brightness, for a
    colour image

    Raises
    ------
    ValueError, TypeError
        As `steering_matrices`.

    Notes
    -----
    Kernel regression of order 2 with weights exp(−‖offset‖²/(2·0.5²)), as in the toolbox. In a symmetric
    window the even terms of the parabola leave the gradient alone, and the fit is separable: along one axis
    Σ w(o) o y / Σ w(o) o², along the other the weighted average.

    Examples
    --------
    >>> pilot_gradient(np.arange(25.0).reshape(5, 5))[2, 2].round(6)
    array([5., 1.])
    """
    return np.moveaxis(_pilot_gradient(_brightness(image_planes(image))), 0, -1) / SCALE


def disk(radius):
    """The share of every pixel that a disk around the middle pixel covers.

    Parameters
    ----------
    radius : int ≥ 1

    Returns
    -------
    (2·radius + 1, 2·radius + 1) array in [0, 1] whose sum is π·radius²

    Examples
    --------
    >>> disk(1).round(3)
    array([[0.079, 0.457, 0.079],
           [0.457, 1.   , 0.457],
           [0.079, 0.457, 0.079]])
    """
    offsets = np.abs(np.arange(-radius, radius + 1))
    near, far = np.minimum(offsets[:, None], offsets), np.maximum(offsets[:, None], offsets)
    start, stop = np.maximum(near - 0.5, 0), near + 0.5
    # The circle, at height √(R² − t²) over the axis of `near`, leaves the pixel by its top and by its bottom.
    top, bottom = (np.clip(np.sqrt(np.maximum(radius**2 - (far + s) ** 2, 0)), start, stop) for s in (0.5, -0.5))
    below_circle = lambda t: (t * np.sqrt(radius**2 - t**2) + radius**2 * np.arcsin(t / radius)) / 2
    area = top - start + below_circle(bottom) - below_circle(top) - (far - 0.5) * (bottom - top)
    return np.where(near == 0, 2, 1) * area


def _estimate(planes, fields, radius, order):
    """One pass: the estimate, and the gradient of its brightness on a scale of 0 to 255 (None for order 0)."""
    results = []
    strip = Strip(*planes.shape[1:], padding=radius)
    for moments in window_moments(strip, planes, fields, _log2_weights, radius, order):
        results.append(local_polynomial(*moments, order))
    values, gradients = zip(*results, strict=True)
    estimate = strip.crop(np.concatenate(values, axis=-1))
    if order == 0:
        return estimate, None
    gradient = strip.crop(np.concatenate(gradients, axis=-1))
    return estimate, np.stack([_brightness(component) for component in SCALE * gradient])


def _log2_weights(offset, fields):
    """log √det C − dᵀC d/(2h²) in base 2, from the `_fields` of the keys."""
    row, column = offset
    slanted = np.array([row, column], fields.dtype) @ fields[:2]
    log_weights = np.array([-(column**2), 1], fields.dtype) @ fields[2:]
    log_weights -= np.square(slanted, out=slanted)
    return log_weights


def _fields(matrices, scale, h, dtype):
    """What the weight of a key depends on, in base 2: a, b, e and log √det C.

    dᵀC d/(2h²) = (a·row + b·column)² + e·column² is a sum of squares, and cannot lose its sign to rounding, as the
    sum of the three terms of dᵀC d could where the kernel is long and slanted. Kernels that are too small for
    these squares are made a little larger: even then no other pixel has any weight.
    """
    a, unit = np.sqrt(matrices[0, 0]), np.sqrt(2 / LOG2E) * h
    root = np.array([a, matrices[0, 1] / a, scale / a]) / unit
    root *= np.minimum(1, np.sqrt(np.finfo(dtype).max) / 1e4 / np.abs(root).max(axis=0))
    return np.array([*root[:2], root[2] ** 2, LOG2E * np.log(scale)]).astype(dtype)


def _steering(gradient, analysis_radius, sensitivity, elongation_regularization, structure_regularization):
    """C, `(2, 2, height, width)`, and √det C, `(height, width)`, from the gradient `(2, height, width)`."""
    kernel = disk(analysis_radius)
    rows, mixed, columns = _tensors(gradient, kernel)
    middle, half = (rows + columns) / 2, np.hypot((rows - columns) / 2, mixed)
    # Cosine and sine of twice the angle of u₁.
    cosine = np.divide((rows - columns) / 2, half, out=np.ones_like(half), where=half > 0)
    sine = np.divide(mixed, half, out=np.zeros_like(half), where=half > 0)
    s1, s2 = np.sqrt(middle + half), np.sqrt(np.maximum(middle - half, 0))
    s2 = _with_lost_digits(s2, s1, cosine, sine, gradient, kernel)
    log_scale = sensitivity * np.log((s1 * s2 + structure_regularization) / kernel.sum())
    scale = np.exp(np.clip(log_scale, -np.log(LARGEST), np.log(LARGEST)))
    stretch = np.minimum((s1 + elongation_regularization) / (s2 + elongation_regularization), LARGEST)
    # u₁ = (cos θ, sin θ), u₂ = (−sin θ, cos θ); cos² θ = (1 + cos 2θ)/2, cos θ sin θ = sin 2θ/2.
    c11 = scale * (stretch * (1 + cosine) + (1 - cosine) / stretch) / 2
    c12 = scale * (stretch - 1 / stretch) * sine / 2
    c22 = scale * (stretch * (1 - cosine) + (1 + cosine) / stretch) / 2
    return np.array([[c11, c12], [c12, c22]]), scale


def _with_lost_digits(s2, s1, cosine, sine, gradient, kernel):
    """s₂, where its square lost digits beside that of s₁, anew from the gradients: s₂² = Σ a² (u₂·g)²."""
    lost = np.argwhere(s2 < 1e-2 * s1)
    radius = len(kernel) // 2
    padded = np.pad(gradient, ((0, 0), (radius, radius), (radius, radius)), mode="reflect")
    windows = sliding_window_view(padded, kernel.shape, axis=(1, 2))
    for some in blocks(len(lost), 1024):
        pixels = tuple(lost[some].T)
        angle = np.arctan2(sine[pixels], cosine[pixels]) / 2
        u2 = np.array([-np.sin(angle), np.cos(angle)])
        along = np.einsum("dnij,dn->nij", windows[:, *pixels], u2)
        s2[pixels] = np.sqrt(np.einsum("nij,nij,ij->n", along, along, kernel**2))
    return s2


def _tensors(gradient, kernel):
    """Σ a² g₁², Σ a² g₁g₂ and Σ a² g₂² over the window around every pixel: `(3, height, width)`."""
    strip = Strip(*gradient.shape[1:], padding=len(kernel) // 2)
    lines = strip.flatten(gradient[[0, 0, 1]] * gradient[[0, 1, 1]])
    total = np.zeros((3, strip.stop - strip.first))
    for share in np.unique(kernel[kernel > 0]):
        ring = np.zeros_like(total)
        for row, column in np.argwhere(kernel == share) - strip.padding:
            shift = strip.shift(row, column)
            ring += lines[:, strip.first + shift : strip.stop + shift]
        total += share**2 * ring
    return strip.crop(total)


def _pilot_gradient(brightness):
    """The gradient `(2, height, width)` of one plane, on a scale of 0 to 255."""
    offsets = np.arange(-PILOT_RADIUS, PILOT_RADIUS + 1)
    weights = np.exp(-(offsets**2) / (2 * PILOT_BANDWIDTH**2))
    blur, slope = weights / weights.sum(), weights * offsets / (weights * offsets**2).sum()
    padded = SCALE * np.pad(brightness.astype(np.float64), PILOT_RADIUS, mode="reflect")
    along = lambda plane, taps, axis: sliding_window_view(plane, len(taps), axis=axis) @ taps
    return np.array([along(along(padded, slope, 0), blur, 1), along(along(padded, blur, 0), slope, 1)])


def _brightness(planes):
    """One plane of brightness: of colours by `LUMA`, of a single channel that channel."""
    if len(planes) not in (1, 3):
        raise ValueError(f"image: expected 1 or 3 channels, got {len(planes)}")
    return planes[0] if len(planes) == 1 else np.tensordot(LUMA, planes, axes=1)


def _parameters(image, bandwidth, radius, order):
    planes, h = image_planes(image), positive("bandwidth", bandwidth)
    order = whole_number("order", order, at_least=0, at_most=2)
    return planes, bounded(h, planes.dtype), whole_radius("radius", radius, at_least=order), order


def _steering_parameters(
    analysis_radius, structure_sensitivity, elongation_regularization, structure_regularization
):
    return (
        whole_radius("analysis_radius", analysis_radius, at_least=1),
        non_negative("structure_sensitivity", structure_sensitivity),
        positive("elongation_regularization", elongation_regularization),
        positive("structure_regularization", structure_regularization),
    )
