"""Draw a small picture of each chapter: figures/chapter-N.svg, its method's weights around one pixel.

The pixel is the query of the front page. Chapter 8 shows the weights of sixteen heads on the last words of a
sentence, and chapter 9 the weights of training images. Run by `make pictures`.
"""

from pathlib import Path

import numpy as np

from lib import images, unified
from lib.diffusion import denoise_weights
from lib.figures.contract.packing import SENTENCE
from lib.filters import patch_kernel, steering_matrices
from lib.language_model import load
from lib.plotting import COLORS
from lib.years import NOISE_STD, grey, noisy, weights

FIGURES = Path(__file__).resolve().parents[2] / "figures"
PIXEL, RADIUS, SIDE = (71, 37), 7, 15


def pictures():
    """Yield the weights of every chapter, as square arrays."""
    photograph = noisy(images.cat_face())  # as on the front page
    of = lambda year: weights(photograph, PIXEL, year)
    return [
        *map(of, (1964, 1998, 2005, 2007)),
        unified_weights(grey(photograph)),
        *map(of, (2017, 2020)),
        head_weights(),
        weights_of_digits(),
    ]


def unified_weights(photograph, bandwidth_space=7.0, bandwidth_value=0.15):
    """Combine steering kernels on position and patches on values in one metric."""
    matrices, forgiven = steering_matrices(photograph), 2 * (NOISE_STD / bandwidth_value) ** 2
    kernel = unified.image_kernel(
        photograph,
        matrices / (2 * bandwidth_space**2),
        np.diag(patch_kernel(3).ravel()) / bandwidth_value**2,
        radius=RADIUS,
        patch_radius=3,
        log_prior=np.log(np.linalg.det(matrices)) / 2,
        kernel=lambda squares: -np.maximum(squares - forgiven, 0),
    )
    return unified.window_weights(kernel, PIXEL)


def head_weights():
    """Return one row per head, relative to its largest weight, over the last words before the query."""
    model = load()
    run = model.run(model.encode(SENTENCE))
    rows = run.weights[:, :, -1, -16:].reshape(16, 16)
    return rows / rows.max(axis=1, keepdims=True)


def weights_of_digits():
    """Return the weights of the first 225 training digits for a noisy digit, row by row."""
    known = images.digits()[: SIDE**2]
    noisy = known[38] + 8 * np.random.default_rng(0).standard_normal(known.shape[1:])
    return denoise_weights(noisy, known, 8.0).reshape(SIDE, SIDE)


def drawn(weights, *, query=True):
    """Return the picture as SVG. Shades are opacities: in dark mode the page swaps the colours."""
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
    for number, picture in enumerate(pictures(), start=1):
        target = FIGURES / f"chapter-{number}.svg"
        target.write_text(drawn(picture, query=number < 8), "utf8")
        print(f"figures/{target.name}: {target.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main()
