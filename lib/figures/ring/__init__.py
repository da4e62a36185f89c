"""The ring figure: draw into noise, and see the image that thirty averages of training digits make of it."""

import numpy as np
import traitlets

from lib.checks import whole_number
from lib.diffusion import LEVELS, denoise, walk
from lib.figures.contract import LiveFigure, LivePanel, bundled
from lib.figures.contract.packing import as_text, packed_pictures, training_images
from lib.figures.contract.settings import Grid, constant, custom, number
from lib.images import digits
from lib.noise import box_muller_noise

SEED = Grid(0, 999, 1)
STRIP = [0, 1, 2, 3, 5, 8, 15, len(LEVELS) - 1]  # steps that are shown small; the first ones decide
CAPTION = (
    "<details><summary>How it was computed</summary>"
    "Each of thirty steps averages a thousand handwritten digits, with the largest weights for those most similar "
    "to the noisy image, and removes a part of the noise. Digits: MNIST, CC BY-SA 3.0.</details>"
)


class RingFigure(LiveFigure):
    """Noise to draw into, and the resulting image; `ring_figure` builds it."""

    _esm, _css = bundled("ring")

    seed = number(grid=SEED, name="start")
    pixel = custom()  # row, column: position of the brush
    strokes = custom("brush", [])  # brushed pixels

    first = constant()  # the result before anything is drawn
    pictures_lazy = traitlets.Dict().tag(sync=True)  # on a static page, fetched on the first interaction
    levels = constant(LEVELS.tolist())
    shape = constant()
    n_pictures = constant()
    strip = constant(STRIP)
    has_digits = constant()  # whether the images are `lib.images.digits()`, whose order tells which digit each is


def ring_figure(
    pictures=None, seed=2, *, question="Draw a ring into the noise: which digit comes out?", address="ring"
):
    """Show live how noise with the reader's strokes becomes a training digit, or a mixture of several.

    Parameters
    ----------
    pictures : (n, H, W) array in [−1, 1], or None for `lib.images.digits()`
        The training images, rounded to 256 levels; their sides have at most 48 pixels.
    seed : int from 0 to 999
        Seed of the noise: the trajectory begins at `LEVELS[0] * box_muller_noise(seed, (H, W))`.
    question, address : see `lib.figures`

    Returns
    -------
    LivePanel; its `figure` is the `RingFigure`.

    Raises
    ------
    ValueError, TypeError
        For images of a different shape or range, and a seed out of range.

    Notes
    -----
    The trajectory of chapter 9, `lib.diffusion.walk` over `LEVELS` with whole images. A stroke makes its pixels
    brighter by 2σ, and those around it darker by σ, at the first and largest σ.

    Examples
    --------
    >>> ring_figure(seed=0).figure.first["nearest"]
    956
    """
    has_digits = pictures is None
    pictures = training_images(digits() if has_digits else pictures)
    seed = whole_number("seed", seed, 0, int(SEED.high))
    shape = pictures.shape[1:]
    figure = RingFigure(
        seed=seed,
        pixel=[shape[0] // 2, shape[1] // 2],
        first=_outcome(pictures, seed),
        pictures_lazy=packed_pictures(pictures),
        shape=list(shape),
        n_pictures=len(pictures),
        has_digits=has_digits,
        question=question,
        address=address,
    )
    return LivePanel(figure, CAPTION)


def _outcome(pictures, seed):
    """Return the states of the strip, in 255 levels, and the training image nearest to the last."""
    start = LEVELS[0] * box_muller_noise(seed, pictures.shape[1:])
    steps = walk(start, LEVELS, lambda noisy, noise_std: denoise(noisy, pictures, noise_std))
    guesses = np.array([guess for _, _, guess in steps])
    distances = np.sqrt(np.mean((pictures - guesses[-1]) ** 2, axis=(1, 2)))
    return {
        "start": seed,
        "pixels": as_text((127 * guesses[STRIP]).round(), "i1"),
        "nearest": int(distances.argmin()),
        "distance": distances.min().item(),
    }
