"""Draw a small picture of each chapter: figures/chapter-N.svg, the weights that its method gives around one pixel.

The pixel is the query of the front page. Chapter 8 has words instead: the weights that sixteen heads give the last
words of a sentence, and chapter 9 has known pictures. Run by `make pictures`.
"""

from pathlib import Path

import numpy as np

from lib import filters, images, unified
from lib.diffusion import denoise_weights
from lib.figures.language_model import SENTENCE
from lib.figures.one_query import METHODS, N_FREQUENCIES, NOISE_STD, short_maps
from lib.filters import patch_kernel, steering_matrices
from lib.language_model import load
from lib.patch_attention import MIDDLE, N_FEATURES, patch_attention_weights, trained_maps, window_tokens
from lib.plotting import COLORS
from lib.random_features import (
    centre_keys,
    dense_exponential_frequencies,
    feature_average,
    orthogonal_frequencies,
    positive_features,
)
from lib.regression import nadaraya_watson_weights

FIGURES = Path(__file__).resolve().parents[2] / "figures"
PIXEL, RADIUS, SIDE = (90, 72), 7, 15


def pictures():
    """The weights of every chapter, as squares of numbers."""
    photograph, rng = images.camera()[16:120, :104], np.random.default_rng(0)  # as on the front page
    noisy = photograph + NOISE_STD * images.standard_noise(photograph.shape, rng=rng)
    frequencies = orthogonal_frequencies(N_FREQUENCIES, N_FEATURES, rng=rng)
    kernel = {name: method.kernel for name, method in METHODS.items()}
    offsets = np.indices((SIDE, SIDE)).reshape(2, -1).T - float(RADIUS)
    near, alike = kernel["nadaraya_watson"], kernel["bilateral"]
    maps = [each.astype(float) for each in trained_maps()]
    return [
        nadaraya_watson_weights(np.zeros((1, 2)), offsets, near["bandwidth_space"]).reshape(SIDE, SIDE),
        filters.bilateral_weights(noisy, PIXEL, alike["bandwidth_space"], alike["bandwidth_value"], RADIUS),
        filters.nonlocal_means_weights(
            noisy, PIXEL, kernel["nonlocal_means"]["bandwidth_value"], 3, RADIUS, noise_std=NOISE_STD
        ),
        filters.lark_weights(noisy, PIXEL, kernel["lark"]["bandwidth_space"], RADIUS),
        unified_weights(noisy),
        patch_attention_weights(noisy, PIXEL, *maps),
        performer_weights(noisy, frequencies),
        head_weights(),
        weights_of_digits(),
    ]


def unified_weights(noisy, bandwidth_space=7.0, bandwidth_value=0.15):
    """Steering kernels on the places, patches on the values, in one metric."""
    matrices, forgiven = steering_matrices(noisy), 2 * (NOISE_STD / bandwidth_value) ** 2
    kernel = unified.image_kernel(
        noisy,
        matrices / (2 * bandwidth_space**2),
        np.diag(patch_kernel(3).ravel()) / bandwidth_value**2,
        radius=RADIUS,
        patch_radius=3,
        log_prior=np.log(np.linalg.det(matrices)) / 2,
        kernel=lambda squares: -np.maximum(squares - forgiven, 0),
    )
    return unified.window_weights(kernel, PIXEL)


def performer_weights(noisy, frequencies):
    query_map, key_map, moment = short_maps(noisy)
    tokens, _ = window_tokens(noisy)(*np.array(PIXEL)[:, None])
    spread, log_weights = dense_exponential_frequencies(frequencies, np.diag(moment))
    query_features = positive_features(tokens[0, [MIDDLE]] @ query_map.T, spread) * np.exp(log_weights)
    key_features = positive_features(centre_keys(tokens[0] @ key_map.T), spread)
    return feature_average(query_features, key_features, np.eye(SIDE**2)).reshape(SIDE, SIDE)


def head_weights():
    """One row per head, each as a share of its largest, over the last words before the query's."""
    model = load()
    run = model.run(model.encode(SENTENCE))
    rows = run.weights[:, :, -1, -16:].reshape(16, 16)
    return rows / rows.max(axis=1, keepdims=True)


def weights_of_digits():
    """A noisy digit's weights on the first 225 known ones, line by line."""
    known = images.digits()[: SIDE**2]
    noisy = known[38] + 8 * np.random.default_rng(0).standard_normal(known.shape[1:])
    return denoise_weights(noisy, known, 8.0).reshape(SIDE, SIDE)


def drawn(weights, *, query=True):
    """The picture as SVG. Shades are opacities: the page exchanges the colours for those of the night."""
    height, width = weights.shape
    levels = np.round(weights / weights.max(), 2)
    lines = [
        f'<path d="M{column} {row}h1v1h-1z" fill-opacity="{min(1.4 * level, 1):.2f}"/>'
        for (row, column), level in np.ndenumerate(levels)
        if level > 0.02
    ]
    outlines = [(0, 0, width, "key")] + ([(RADIUS, RADIUS, 1, "query")] if query else [])
    for x, y, side, role in outlines:
        style = f"fill: none; stroke: {COLORS[role]}; stroke-width: {0.2 if role == 'key' else 0.3}"
        lines.append(f'<rect x="{x}" y="{y}" width="{side}" height="{side}" style="{style}"/>')
    size = f'width="180" height="180" viewBox="-.2 -.2 {width + 0.4} {height + 0.4}"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" {size} style="fill: {COLORS["weight"]}">'
    return "\n".join([head, *lines, "</svg>", ""])


def main():
    for number, weights in enumerate(pictures(), start=1):
        target = FIGURES / f"chapter-{number}.svg"
        target.write_text(drawn(weights, query=number < 8), "utf8")
        print(f"figures/{target.name}: {target.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main()
