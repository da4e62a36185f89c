"""The diffusion figure: an image from noise, the training images that are averaged, and a plane of points."""

import numpy as np
import traitlets

from lib import former_names
from lib.checks import number_within, one_of, pixel_within, real_array, whole_number
from lib.diffusion import LEVELS, denoise, denoise_weights, walk
from lib.figures.contract import LiveFigure, LivePanel, bundled, bundled_worker
from lib.figures.contract.packing import as_text, packed_pictures, training_images
from lib.figures.contract.settings import Grid, choice, constant, custom, label, number, stops
from lib.heads import keys_for_90_percent
from lib.images import digits
from lib.noise import box_muller_noise

NOISE = [f"{level:.2g}" for level in LEVELS[::-1]]  # as on the slider, from left to right
RADII = ("whole", "9", "6", "4", "3", "2", "1")
VIEWS = ("pictures", "points")
SEED = Grid(0, 999, 1)
POINTS = [[-1.0, 0.4], [-0.6, -0.8], [0.3, 0.9], [0.8, -0.3], [1.1, 0.5]]  # of chapter 9
N_SHOWN = 10  # training images with the largest weights


class DiffusionFigure(LiveFigure):
    """A noisy image, its best guess and the training images behind it; `diffusion_figure` builds it."""

    _esm, _css = bundled("diffusion")

    noise_index = choice("noise σ", NOISE, name="noise", widget=stops)
    compare_index = choice("patch radius", list(RADII), name="compare", widget=stops)
    view_index = choice(names=list(VIEWS), name="view")
    seed = number(grid=SEED, name="start")
    pixel = custom()  # row, column: position of the brush, and centre of the patch
    strokes = custom("brush", [])  # brushed pixels, each as step · n_pixels + pixel
    points = custom()  # the training points, one row [first, second] each

    first = constant()  # the view shown until the training images are loaded
    pictures_lazy = traitlets.Dict().tag(sync=True)  # on a static page, fetched on the first interaction
    worker_code = constant()
    levels = constant(LEVELS.tolist())
    shape = constant()
    n_pictures = constant()
    noun = label()


def diffusion_figure(
    pictures=None,
    noise_std=3.7,
    *,
    patch_radius=None,
    view="pictures",
    seed=2,
    pixel=None,
    points=POINTS,
    noun="digit",
    question="Thirty steps from noise, with a thousand training digits: what comes out?",
    guesses=None,
    caption="",
    address="diffusion",
):
    """Show a live sampling trajectory from noise to an image: drag the noise level, or draw into the noise.

    Parameters
    ----------
    pictures : (n, H, W) array in [−1, 1], or None for `lib.images.digits()`
        The training images, at least 2, of at most 48 × 48 pixels. If they have more than 256 different values,
        the values are rounded to 256 levels; the figure's attribute `pictures` has the rounded images.
    noise_std : float from 0.08 to 10
        σ, rounded to the nearest of the thirty `lib.diffusion.LEVELS`.
    patch_radius : {9, 6, 4, 3, 2, 1}, or None
        None compares whole images, as in `lib.diffusion.denoise`.
    view : {"pictures", "points"}
        The images, or a plane with a few points, which are images of two pixels.
    seed : int from 0 to 999
        Seed of the noise: the trajectory begins at `LEVELS[0] * box_muller_noise(seed, (H, W))`.
    pixel : (row, column), optional
        Centre of the patch; by default the centre of the image.
    points : (n, 2) array in [−2, 2]
        The 2 to 8 training points of the plane.
    noun : str
        The noun for one training image.
    guesses : Guesses, optional
        Possible answers. Choosing one plays the trajectory from the noise.
    question, caption, address : see `lib.figures`

    Returns
    -------
    LivePanel; its `figure` is the `DiffusionFigure`.

    Raises
    ------
    ValueError, TypeError
        For images of a different shape or range, and settings out of range.

    Notes
    -----
    The numbers are those of `lib.diffusion`; the trajectory is `lib.diffusion.walk` over `LEVELS`. A stroke makes
    its pixels brighter by 2σ, and those around it darker by σ. Whole images are averaged in the main thread,
    patches in a web worker.

    Examples
    --------
    >>> panel = diffusion_figure(noise_std=1.0, patch_radius=3)
    >>> NOISE[panel.figure.noise_index], RADII[panel.figure.compare_index]
    ('0.97', '3')
    """
    pictures = training_images(digits() if pictures is None else pictures)
    shape = pictures.shape[1:]
    points = real_array("points", points)
    if points.ndim != 2 or points.shape[1] != 2 or not 2 <= len(points) <= 8 or abs(points).max() > 2:
        raise ValueError(f"points: expected 2 to 8 rows of two numbers in [−2, 2], got {points.tolist()}")
    middle = [shape[0] // 2, shape[1] // 2]
    noise_std = number_within("noise_std", noise_std, LEVELS[-1], LEVELS[0], tolerance=1e-9)
    step = int(abs(np.log(LEVELS / noise_std)).argmin())
    seed = whole_number("seed", seed, 0, int(SEED.high))
    figure = DiffusionFigure(
        noise_index=len(LEVELS) - 1 - step,
        compare_index=one_of("patch_radius", "whole" if patch_radius is None else str(patch_radius), RADII),
        view_index=one_of("view", view, VIEWS),
        seed=seed,
        pixel=list(pixel_within(shape, middle if pixel is None else pixel)),
        points=points.round(2).tolist(),
        first=first_view(pictures, step, seed),
        pictures_lazy=packed_pictures(pictures),
        worker_code=bundled_worker("diffusion"),
        shape=list(shape),
        n_pictures=len(pictures),
        noun=noun,
        question=question,
        guesses=guesses,
        address=address,
    )
    figure.pictures = pictures
    return LivePanel(figure, caption)


def first_view(pictures, step, seed):
    """Compute what the figure shows at a step with whole images: numbers, and images in 255 levels each."""
    start = LEVELS[0] * box_muller_noise(seed, pictures.shape[1:])
    guessed = walk(start, LEVELS[: step + 1], lambda noisy, noise_std: denoise(noisy, pictures, noise_std))
    noise_std, noisy, guess = list(guessed)[-1]
    weights = denoise_weights(noisy, pictures, noise_std)
    heaviest = np.argsort(-weights, kind="stable")[:N_SHOWN]
    distances = np.sqrt(np.mean((pictures - guess) ** 2, axis=(1, 2)))
    shown = np.array([noisy, guess, pictures[distances.argmin()], *pictures[heaviest]])
    scales = np.maximum(abs(shown).max(axis=(1, 2)), 1e-9) / 127
    return {
        "step": step,
        "start": seed,
        "scales": scales.tolist(),
        "pixels": as_text((shown / scales[:, None, None]).round(), "i1"),
        "heaviest": heaviest.tolist(),
        "weights": weights[heaviest].tolist(),
        "count": int(keys_for_90_percent(weights[None])),
        "nearest": int(distances.argmin()),
        "distance": float(distances.min()),
    }


__getattr__ = former_names.of(__name__)
