"""Attention on image patches: from non-local means to learned projections.

A token consists of a pixel's patch, its squared norm, a constant 1, and its position relative to the query:

    t̃ = [patch, ‖patch‖², 1, −‖Δx‖²/R², Δx = 0]

One head scores t̃ᵢᵀ W_qᵀ W_k t̃ⱼ and averages the pixels of the window. With the factors of `nonlocal_means_matrix`
as W_q and W_k this *is* non-local means; `trained_maps` contains the result of gradient descent from that start.

Wang, Girshick, Gupta & He, "Non-local neural networks", CVPR 2018, doi:10.1109/CVPR.2018.00813, took the same step
inside a network.
"""

from pathlib import Path

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from lib.checks import image_of_shape, pixel_within, positive, real_array
from lib.weights import average, softmax

TRAINED_MAPS = Path(__file__).parent / "datasets" / "patch_attention.npz"
PATCH_RADIUS, RADIUS = 2, 7
SIDE = 2 * RADIUS + 1
N_PATCH = (2 * PATCH_RADIUS + 1) ** 2
N_FEATURES = N_PATCH + 4
NORM, ONE, NEAR, SELF = range(N_PATCH, N_FEATURES)  # indices of the features after the patch
MIDDLE = SIDE**2 // 2  # index of the query among the keys of its window


def window_tokens(image):
    """Return a function that maps (rows, columns) to the tokens of the windows around these pixels.

    Parameters
    ----------
    image : (H, W) array in [0, 1], or uint8, which is divided by 255

    Returns
    -------
    function of two (n,) int arrays that returns

        tokens : (n, 225, 29) array, the keys; a pixel's own token, its query, is `tokens[:, MIDDLE]`
        values : (n, 225, 1) array, the pixels

    Notes
    -----
    Equation eq:patch_tokens of chapter 6. Windows have side 15 and patches side 5; the norm is a fifth of
    ‖patch‖²; 0.5 is subtracted from the patches, which changes no distance. At the borders the image is mirrored
    (`np.pad(mode="reflect")`).

    Examples
    --------
    >>> tokens, values = window_tokens(np.full((9, 9), 0.7))(np.array([0, 4]), np.array([0, 4]))
    >>> tokens.shape, tokens[1, MIDDLE, N_PATCH:].round(3).tolist()
    ((2, 225, 29), [0.2, 1.0, 0.0, 1.0])
    """
    image = image_of_shape("image", image, axes=(2,))
    padded = np.pad(image - image.dtype.type(0.5), RADIUS + PATCH_RADIUS, mode="reflect")
    patches = sliding_window_view(padded, (2 * PATCH_RADIUS + 1,) * 2)
    patches = patches.reshape(*patches.shape[:2], N_PATCH)
    norms = np.einsum("rcp,rcp->rc", patches, patches) / 5
    features = np.concatenate([patches, norms[..., None]], axis=-1)
    steps = np.arange(SIDE)
    squares = np.arange(-RADIUS, RADIUS + 1) ** 2
    near = 0.0 - (squares[:, None] + squares).ravel() / RADIUS**2

    def tokens_of(rows, columns):
        tokens = np.empty((len(rows), SIDE**2, N_FEATURES), image.dtype)
        window = features[rows[:, None, None] + steps[:, None], columns[:, None, None] + steps]
        tokens[..., :ONE] = window.reshape(len(rows), SIDE**2, ONE)
        tokens[..., ONE], tokens[..., NEAR], tokens[..., SELF] = 1, near, near == 0
        return tokens, tokens[..., N_PATCH // 2, None] + image.dtype.type(0.5)

    return tokens_of


def nonlocal_means_matrix(bandwidth):
    """Return M such that t̃ᵢᵀMt̃ⱼ = −(mean squared difference of the two patches)/h².

    Parameters
    ----------
    bandwidth : float > 0
        h, as in `lib.filters.nonlocal_means` with patches of radius 2 and uniform patch weights.

    Returns
    -------
    (29, 29) symmetric array

    Notes
    -----
    Equation eq:norm_carrying: 2Q, with Q = I/(25h²), for the patch, and −5/(25h²) for each pair of norm and
    constant.

    Examples
    --------
    >>> matrix = nonlocal_means_matrix(0.2)
    >>> matrix[[0, NORM], [0, ONE]].round(9).tolist()
    [2.0, -5.0]
    """
    matrix = np.zeros((N_FEATURES, N_FEATURES))
    h = min(max(positive("bandwidth", bandwidth), 1e-100), 1e100)  # else h² would under- or overflow
    scale = 1 / (N_PATCH * h**2)
    matrix[range(N_PATCH), range(N_PATCH)] = 2 * scale
    matrix[NORM, ONE] = matrix[ONE, NORM] = -5 * scale
    return matrix


def patch_attention(image, query_map, key_map):
    """Average every pixel over its window with the weights of an attention head on patches.

    Parameters
    ----------
    image : (H, W) array in [0, 1], or uint8, which is divided by 255
    query_map, key_map : (rank, 29) arrays
        W_q and W_k, as from `trained_maps` or `tools/train/train_patch_attention.py`.

    Returns
    -------
    (H, W) array; float32 if all three arrays are float32 or float16, else float64

    Notes
    -----
    Equation eq:patch_attention of chapter 6, at the default temperature √rank.

    Examples
    --------
    >>> bool(np.allclose(patch_attention(np.full((9, 9), 0.25), *trained_maps()), 0.25))
    True
    """
    image = image_of_shape("image", image, axes=(2,))
    tokens_of = window_tokens(image)
    query_map, key_map = _maps(query_map, key_map)
    height, width = image.shape
    estimate = np.empty((height, width), np.result_type(image, query_map, key_map))
    for row in range(height):  # row by row: the windows of a whole image would not fit into memory
        tokens, values = tokens_of(np.full(width, row), np.arange(width))
        estimate[row] = average(_weights(tokens, query_map, key_map), values)[:, 0, 0]
    return estimate


def patch_attention_weights(image, pixel, query_map, key_map):
    """Return the weights of the average at one pixel.

    Parameters
    ----------
    image, query_map, key_map
        As in `patch_attention`.
    pixel : (row, column)
        Inside the image.

    Returns
    -------
    (15, 15) array that sums to 1; the pixel itself is at the centre

    Examples
    --------
    >>> patch_attention_weights(np.zeros((9, 9)), (4, 4), *trained_maps()).shape
    (15, 15)
    """
    tokens_of = window_tokens(image)
    row, column = pixel_within(np.shape(image), pixel)
    tokens, _ = tokens_of(np.array([row]), np.array([column]))
    return _weights(tokens, *_maps(query_map, key_map)).reshape(SIDE, SIDE)


def _weights(tokens, query_map, key_map):
    """Compute softmax(t̃ᵢᵀ W_qᵀ W_k t̃ⱼ/√rank) for every window: `(n, 1, 225)`."""
    matrix = query_map.T @ key_map / np.sqrt(len(query_map)).astype(query_map.dtype)
    return softmax(tokens[:, None, MIDDLE] @ matrix @ np.swapaxes(tokens, 1, 2))


def _maps(query_map, key_map):
    query_map, key_map = real_array("query_map", query_map), real_array("key_map", key_map)
    for name, array in [("query_map", query_map), ("key_map", key_map)]:
        if array.ndim != 2 or array.shape != (len(query_map), N_FEATURES):
            raise ValueError(f"{name}: expected shape (rank, {N_FEATURES}), one rank, got {array.shape}")
    return query_map, key_map


def trained_maps():
    """Load W_q and W_k trained by `tools/train/train_patch_attention.py` at noise of standard deviation 25/255.

    Returns
    -------
    query_map, key_map : (29, 29) float32 arrays

    Notes
    -----
    Gradient descent started at non-local means. The training set is three photographs, `skimage.data.astronaut()`,
    `coffee()` and `rocket()`, in grey and at half size; `lib.images.camera()` is not among them.

    Examples
    --------
    >>> [each.shape for each in trained_maps()]
    [(29, 29), (29, 29)]
    """
    with np.load(TRAINED_MAPS) as maps:
        return maps["query_map"], maps["key_map"]
