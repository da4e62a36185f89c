"""The inpainting figure: the known pixels of a photograph, a local plane at the query, and the filled-in image."""

from inspect import signature

import numpy as np

from lib.checks import image_planes, number_within, one_of, pixel_within, random_generator
from lib.figures.contract import LiveFigure, LivePanel, bundled, bundled_worker
from lib.figures.contract.packing import as_text, packed
from lib.figures.contract.settings import Grid, choice, constant, custom, number
from lib.filters import disk, local_plane
from lib.images import camera

KERNEL_NAMES, VIEWS = ("circles", "ellipses"), ("known", "photograph")
BANDWIDTH = Grid(0.8, 4.0, 0.1)
LEAST, MOST = 50, 95  # percent missing
DEFAULTS = {name: parameter.default for name, parameter in signature(local_plane).parameters.items()}
LARGEST_SIDE = 128


class InpaintingFigure(LiveFigure):
    """A photograph with most pixels missing, filled in with circles or ellipses; `inpainting_figure` builds it."""

    _esm, _css = bundled("inpainting")

    query = custom()  # row, column
    missing = number("missing, %")
    kernel_index = choice("kernels", list(KERNEL_NAMES), name="kernel")
    bandwidth_circles = number("h, circles", BANDWIDTH, name="circles")
    bandwidth_ellipses = number("h, ellipses", BANDWIDTH, name="ellipses")
    view_index = choice("left image", list(VIEWS), name="view")

    worker_code = constant()
    picture = constant()
    steps = constant()  # for each pixel, the largest percentage missing at which it is known, as text
    fit = constant()


def inpainting_figure(
    image=None,
    pixel=None,
    *,
    missing=85,
    kernel="circles",
    bandwidth_circles=1.3,
    bandwidth_ellipses=1.7,
    rng=None,
    question="Most of the photograph is missing. What do ellipses recover that circles lose?",
    guesses=None,
    caption="",
    address="inpainting",
):
    """Show `lib.filters.local_plane` live: few pixels are known, and the others are filled in.

    Parameters
    ----------
    image : (H, W) array in [0, 1], or uint8, which is divided by 255; None for `lib.images.camera()`
        The complete image, without noise, of at most 128 × 128 pixels.
    pixel : (row, column), optional
        The initial query; by default the centre.
    missing : integer from 50 to 95
        The percentage of missing pixels, limited so that each window has enough known pixels for a plane.
    kernel : {"circles", "ellipses"}
        The kernels that fill in the right image. The ellipses are computed from the slopes of the circles.
    bandwidth_circles, bandwidth_ellipses : float from 0.8 to 4
        h of eq:steering_kernel for each, in pixels if C is the identity.
    rng : numpy.random.Generator, or None for `default_rng(1)`
        A pixel is known where `rng.random(image.shape) > missing / 100`.
    question, guesses, caption, address
        The same as in `pixel_figure`.

    Returns
    -------
    LivePanel; its `figure` is the `InpaintingFigure`.

    Raises
    ------
    ValueError, TypeError
        For a colour image or one of more than 128 × 128 pixels, and settings out of range.

    Notes
    -----
    Equations eq:steering_kernel and, of order 1, eq:steering_order2 of chapter 4, with the defaults of
    `local_plane`. The plane at the query is computed in the main thread, the whole image in a web worker.

    Examples
    --------
    >>> figure = inpainting_figure(np.eye(32), missing=70, kernel="ellipses").figure
    >>> figure.query, figure.missing, KERNEL_NAMES[figure.kernel_index]
    ([16, 16], 70.0, 'ellipses')
    """
    planes = image_planes(camera() if image is None else image).astype(np.float64)
    if len(planes) != 1 or max(planes.shape) > LARGEST_SIDE:
        raise ValueError(f"image: expected (H, W) of at most 128 × 128 pixels, got {np.shape(image)}")
    steps = _steps(planes.shape[1:], random_generator("rng", 1 if rng is None else rng))
    grid = Grid(LEAST, _most(planes[0], steps), 1)
    missing = min(number_within("missing", missing, LEAST, MOST), grid.high)
    height, width = planes.shape[1:]
    figure = InpaintingFigure(
        {"missing": grid},
        guesses,
        query=list(pixel_within((height, width), (height // 2, width // 2) if pixel is None else pixel)),
        missing=missing,
        kernel_index=KERNEL_NAMES.index(one_of("kernel", kernel, KERNEL_NAMES)),
        bandwidth_circles=bandwidth_circles,
        bandwidth_ellipses=bandwidth_ellipses,
        worker_code=bundled_worker("inpainting"),
        picture=packed(planes),
        steps=as_text(steps, "u1"),
        fit={
            "radius": DEFAULTS["radius"],
            "sensitivity": DEFAULTS["structure_sensitivity"],
            "disk": disk(DEFAULTS["analysis_radius"]).tolist(),
        },
        question=question,
        address=address,
    )
    return LivePanel(figure, caption)


def _steps(shape, rng):
    """For each pixel, the largest integer percentage missing at which it is still known."""
    shares = np.arange(MOST + 1) / 100
    return np.searchsorted(shares, rng.random(shape), side="left") - 1


def _most(image, steps):
    """The largest percentage of missing pixels at which the plane is defined in every window."""
    can_fill = lambda missing: np.isfinite(local_plane(image, steps >= missing, 1.0)[0]).all()
    return next(missing for missing in range(MOST, LEAST, -1) if can_fill(missing))
