"""The figure for the reader's own pictures, which become the training set of chapter 9's denoiser."""

import numpy as np

from lib.checks import one_of, one_of_numbers, pixel_within, real_array, whole_number
from lib.diffusion import LEVELS, noise_levels
from lib.figures.contract import LiveFigure, LivePanel, bundled, lazy_worker
from lib.figures.contract.packing import as_text
from lib.figures.contract.settings import Grid, choice, constant, custom, number
from lib.images import blossoms, digits

SEED = Grid(0, 999, 1)
NOISE = [f"{level:.2g}" for level in LEVELS[::-1]]  # σ, from small to large
RADII = ("whole", "9", "6", "4", "3", "2", "1")  # of patches
KINDS = {"grey": "28 × 28 grey", "colour": "16 × 16 colour"}
STEPS = (10, 30, 100)  # of a walk
DENOISING = {"denoise": "a noisy image", "unknown": "a noisy image left out"}
TASKS = {f"walk-{n}": f"a walk of {n} steps" for n in STEPS} | DENOISING
COMPARE = {name: "whole images" if name == "whole" else f"patches, side {2 * int(name) + 1}" for name in RADII}
SHAPES = {"grey": (28, 28), "colour": (16, 16, 3)}
FEWEST, MOST = 10, 2000  # pictures
N_EXAMPLES = 40


class YourPicturesFigure(LiveFigure):
    """A training set and what the denoiser makes of it; `your_pictures_figure` builds it."""

    _esm, _css = bundled("your_pictures")

    set_index = choice(names=["digits", "blossoms", "own"], name="set")
    kind_index = choice(names=list(KINDS), name="kind")
    task_index = choice(names=list(TASKS), name="task")
    compare_index = choice(names=list(RADII), name="compare")
    noise_index = choice(names=NOISE, name="noise")
    seed = number(grid=SEED, name="start")
    picture = custom()  # the ringed one, counted from 0 among those that are left
    pixel = custom()  # row, column: centre of the patch whose weights are shown
    removed = custom(start=[])  # counted from 0 among all

    worker_lazy = lazy_worker("your_pictures")
    examples = constant()
    levels = constant({f"walk-{n}": noise_levels(n, LEVELS[0], LEVELS[-1]).tolist() for n in STEPS})
    kind_labels = constant(KINDS)
    task_labels = constant(TASKS)
    compare_labels = constant(COMPARE)


def your_pictures_figure(
    pictures=None,
    task="walk",
    patch_radius=None,
    *,
    n_steps=30,
    noise_index=26,
    seed=5,
    picture=0,
    pixel=None,
    question="From noise: one of your pictures, or a new one?",
    caption="",
    address="your-pictures",
):
    """Let the reader open pictures, and denoise and sample with them as the training set.

    Parameters
    ----------
    pictures : (n, 28, 28) or (n, 16, 16, 3) array in [−1, 1], optional
        The training set to begin with, 10 to 2000 pictures, rounded to 256 levels; by default forty digits of
        `lib.images.digits`. The other example is `lib.images.blossoms`, in colour.
    task : {"walk", "denoise", "unknown"}
        Sample from noise; or add noise to one picture and estimate it from all pictures, or from all but that one.
    patch_radius : {9, 6, 4, 3, 2, 1}, or None
        None compares whole pictures, as in `lib.diffusion.denoise`.
    n_steps : {10, 30, 100}
        The number of levels of the walk, `lib.diffusion.noise_levels(n_steps, 10, 0.08)`.
    noise_index : int from 0 to 29
        The noise level shown, from the smallest of `lib.diffusion.LEVELS` to the largest; of a walk, the nearest.
    seed : int from 0 to 999
        Seed of the noise, `lib.noise.box_muller_noise`.
    picture : int ≥ 0
        Index of the picture that gets noise.
    pixel : (row, column), optional
        Centre of the patch whose weights are shown; by default the centre of the picture.
    question, caption, address : see `lib.figures`

    Returns
    -------
    LivePanel; its `figure` is the `YourPicturesFigure`.

    Raises
    ------
    ValueError, TypeError
        For pictures of other shapes, numbers or ranges, and settings out of range.

    Notes
    -----
    The numbers are those of `lib.diffusion`: eq:denoise, eq:patch_denoise and eq:walk of chapter 9. The browser
    computes everything, long walks in a worker; nothing is uploaded.

    Examples
    --------
    >>> panel = your_pictures_figure(task="denoise", patch_radius=3, picture=7)
    >>> list(RADII)[panel.figure.compare_index], panel.figure.examples["digits"]["n"]
    ('3', 40)
    """
    names = ["digits", "blossoms", "own"]
    examples = {"digits": _packed(digits()[:N_EXAMPLES]), "blossoms": _packed(coloured_blossoms(N_EXAMPLES))}
    if pictures is not None:
        names, examples = ["start", *names], {"start": _packed(_checked(pictures)), **examples}
    first = examples[names[0]]
    one_of("task", task, ("walk", *DENOISING))
    steps = one_of_numbers("n_steps", n_steps, STEPS)
    radius = "whole" if patch_radius is None else str(patch_radius)
    figure = YourPicturesFigure(
        ranges={"set_index": names},
        set_index=0,
        kind_index=list(KINDS).index(first["kind"]),
        task_index=f"walk-{steps}" if task == "walk" else task,
        compare_index=one_of("patch_radius", radius, RADII),
        noise_index=whole_number("noise_index", noise_index, 0, len(NOISE) - 1),
        seed=whole_number("seed", seed, 0, int(SEED.high)),
        picture=whole_number("picture", picture, 0, first["n"] - 1),
        pixel=None if pixel is None else list(pixel_within(SHAPES[first["kind"]][:2], pixel)),
        examples=examples,
        question=question,
        address=address,
    )
    return LivePanel(figure, caption)


def coloured_blossoms(n):
    """Draw closed curves in different colours on black, `(n, 16, 16, 3)` in [−1, 1].

    Examples
    --------
    >>> coloured_blossoms(12).shape
    (12, 16, 16, 3)
    """
    light = (blossoms(n, size=16, rng=0) + 1) / 2
    hue = np.arange(n)[:, None] * 0.618 + np.array([0, 1 / 3, 2 / 3])  # golden ratio: neighbours differ
    colour = 0.6 + 0.4 * np.cos(2 * np.pi * hue)
    return 2 * light[..., None] * colour[:, None, None] - 1


def _checked(pictures):
    pictures = real_array("pictures", pictures)
    if pictures.shape[1:] not in SHAPES.values() or not FEWEST <= len(pictures) <= MOST:
        shapes = " or ".join(f"(n, {', '.join(map(str, shape))})" for shape in SHAPES.values())
        raise ValueError(f"pictures: expected shape {shapes}, n from 10 to 2000, got {pictures.shape}")
    if abs(pictures).max() > 1:
        raise ValueError(f"pictures: expected numbers in [−1, 1], got {abs(pictures).max()}")
    return pictures


def _packed(pictures):
    """Return pictures in the form that JavaScript reads, as bytes: black is 0, white 255."""
    kind = next(name for name, shape in SHAPES.items() if shape == pictures.shape[1:])
    return {"kind": kind, "n": len(pictures), "bytes": as_text(np.rint(127.5 * (pictures + 1)), "u1")}
