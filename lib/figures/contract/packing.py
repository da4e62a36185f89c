"""Arrays as text that JavaScript decodes (`methods/base64.js`): numbers, images and the language model."""

import base64
import zlib
from functools import cache

import numpy as np

from lib.checks import real_array
from lib.constants import ROTARY_BASE
from lib.images import NOISE_STEPS
from lib.language_model import MODEL, PIECES, load
from lib.random_features import orthogonal_frequencies

LONGEST_SIDE, LEVELS_OF_A_BYTE = 48, 256  # of training images
FEATURES = (16, 64, 256)  # numbers of the Performer's frequencies
SENTENCE = (  # with which the figures of the language model begin
    "There was once a King who had a beautiful daughter. One day the King said to the miller, Bring me your "
    "daughter. Then the miller said to the"
)
BLOCK, HEAD = 0, 1  # of the figures with one head: in block 0 the weights follow from the tokens alone


def as_text(array, kind):
    """Encode an array as base64, converted to this dtype."""
    return base64.b64encode(array.astype(kind).tobytes()).decode("ascii")


def packed(planes):
    """Encode planes `(channels, height, width)` as text, as integers if all are multiples of 1/255 or 1/4096."""
    unit, kind = 1, "<f8"
    for steps, integers in [(255, "<u1"), (NOISE_STEPS, "<i2")]:
        whole, limits = np.rint(steps * planes), np.iinfo(integers)
        if (whole / steps == planes).all() and limits.min <= whole.min() and whole.max() <= limits.max:
            unit, kind, planes = steps, integers, whole
            break
    shape, name = list(planes.shape), np.dtype(kind).name
    return {"shape": shape, "type": name, "unit": unit, "data": as_text(planes, kind)}


def packed_photograph(image, step=4):
    """Encode a colour image `(H, W, 3)` whose grey levels are multiples of `step`, so that it compresses well.

    The planes are green, red − green and blue − green, each less its left neighbour.
    """
    red, green, blue = np.rint(np.moveaxis(image, -1, 0) * 255 / step).astype(int)
    planes = np.stack([green, red - green, blue - green])
    planes = np.diff(planes, axis=2, prepend=0) % 256
    return {"shape": list(planes.shape[1:]), "unit": 255 / step, "data": as_text(planes, "<u1")}


def first_reading():
    """Return the words of `SENTENCE`, and for each of them the weights of the words up to it.

    Examples
    --------
    >>> words, rows = first_reading()
    >>> words[-1], [(words[j], round(rows[-1][j], 2)) for j in (4, 15)]
    (' the', [(' King', 0.6), (' King', 0.39)])
    """
    model = load()
    tokens = model.encode(SENTENCE)
    weights = model.run(tokens).weights[BLOCK, HEAD]
    rows = [row[: i + 1].round(6).tolist() for i, row in enumerate(weights)]
    return [model.decode([token]) for token in tokens], rows


def training_images(pictures):
    """Check images `(n, H, W)` in [−1, 1], and round them to 256 levels if they have more."""
    pictures = real_array("pictures", pictures).astype(np.float32)
    if pictures.ndim != 3 or len(pictures) < 2 or max(pictures.shape[1:]) > LONGEST_SIDE:
        raise ValueError(
            f"pictures: expected shape (n, H, W), n ≥ 2, sides up to {LONGEST_SIDE}, got {pictures.shape}"
        )
    if abs(pictures).max() > 1:
        raise ValueError(f"pictures: expected numbers in [−1, 1], got {abs(pictures).max()}")
    if len(np.unique(pictures)) <= LEVELS_OF_A_BYTE:
        return pictures
    steps = np.float32(LEVELS_OF_A_BYTE - 1) / 2
    return ((pictures + 1) * steps).round() / steps - 1


def packed_pictures(pictures):
    """Encode the distinct values of `training_images`, and the index of the value at each pixel, as text."""
    levels, places = np.unique(pictures, return_inverse=True)
    squeezed = np.frombuffer(zlib.compress(places.astype(np.uint8).tobytes(), 9), np.uint8)
    return {"levels": levels.tolist(), "places": as_text(squeezed, "u1")}


def packed_projection(stored, name, at=()):
    """Encode an array of the language model's file, or the part of it at an index: integers and their scales."""
    return {"data": as_text(stored[name][at], "i1"), "scale": as_text(stored[f"{name}_scale"][at], "<f4")}


@cache
def packed_model():
    """Encode the language model's parameters, its vocabulary and the Performer's frequencies as text."""
    with np.load(MODEL) as stored:
        names = [name for name in stored if f"{name}_scale" in stored]
        maps = {name: packed_projection(stored, name) for name in names}
        merges, (n_blocks, n_heads, d, width) = stored["merges"].tolist(), stored["query_maps"].shape
    return {
        "maps": maps,
        "merges": merges,
        "pieces": PIECES.pattern,
        "n_blocks": n_blocks,
        "n_heads": n_heads,
        "width": width,
        "rotary_base": ROTARY_BASE,
        "frequencies": {str(m): as_text(orthogonal_frequencies(m, d, rng=0), "<f8") for m in FEATURES},
    }
