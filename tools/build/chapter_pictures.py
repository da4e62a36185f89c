"""Draw a small picture of each chapter, figures/chapter-N.svg: the pixels that its method averages for one pixel.

The pixel is the query of the front page, and the picture is the figure's loupe: the pixels around the query, each
faded towards paper by its weight, with an outline around 90 % of the weight. Chapter 8 shows the weights of
sixteen heads on the last words of a sentence, and chapter 9 those of training images. Run by `make pictures`.
"""

from base64 import b64encode
from io import BytesIO
from pathlib import Path

import numpy as np
from PIL import Image

from lib import images, unified
from lib.diffusion import denoise_weights
from lib.figures.contract.packing import SENTENCE
from lib.filters import patch_kernel, steering_matrices
from lib.heads import keys_for_90_percent
from lib.language_model import load
from lib.plotting import COLORS
from lib.years import NOISE_STD, grey, noisy, weights

FIGURES = Path(__file__).resolve().parents[2] / "figures"
PIXEL, RADIUS, SIDE = (71, 37), 7, 15
PAPER, FAINTEST, FULL = np.array([250, 250, 247]), 0.16, 2 / 3  # as in lib/figures/years/drawing.js


def pictures():
    """Return the picture of every chapter, as SVG."""
    photograph = noisy(images.cat_face())  # as on the front page
    of = lambda year: weights(photograph, PIXEL, year)
    of_pixels = [*map(of, (1964, 1998, 2005, 2007)), unified_weights(grey(photograph)), *map(of, (2017, 2020))]
    loupes = [loupe(window(photograph), np.reshape(each, (SIDE, SIDE))) for each in of_pixels]
    return [*loupes, drawn(head_weights()), drawn(weights_of_digits())]


def window(photograph):
    """Return the colours around the query, `(15, 15, 3)`."""
    row, column = PIXEL
    return photograph[row - RADIUS : row + RADIUS + 1, column - RADIUS : column + RADIUS + 1]


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


def loupe(colors, weights):
    """Return the pixels of a window, each faded towards paper by its weight, as SVG; alike in light and dark."""
    seen = np.minimum(FAINTEST + (1 - FAINTEST) * weights / weights.max() / FULL, 1)[..., None]
    faded = PAPER + seen * (255 * np.clip(colors, 0, 1) - PAPER)
    Image.fromarray(faded.round().astype(np.uint8)).save(stream := BytesIO(), "PNG", optimize=True)
    count = int(keys_for_90_percent(weights.reshape(1, -1)))
    kept = weights >= np.sort(weights.ravel())[-count]
    data = f"data:image/png;base64,{b64encode(stream.getvalue()).decode('ascii')}"
    around = f"fill: none; stroke: {COLORS['query']}; stroke-width: 0.3"
    return svg(
        SIDE,
        f'<image width="{SIDE}" height="{SIDE}" style="image-rendering: pixelated" href="{data}"/>',
        f'<path d="{outline(kept)}" style="fill: none; stroke: #000; stroke-width: .12"/>',
        f'<rect x="{RADIUS}" y="{RADIUS}" width="1" height="1" style="{around}"/>',
    )


def outline(kept):
    """Return the path around the true cells of an array."""
    cells = np.pad(kept, 1)
    across = np.argwhere(cells[1:, 1:-1] != cells[:-1, 1:-1])
    down = np.argwhere(cells[1:-1, 1:] != cells[1:-1, :-1])
    return "".join([*(f"M{x} {y}h1" for y, x in across), *(f"M{x} {y}v1" for y, x in down)])


def drawn(weights):
    """Return weights as squares, as SVG. Shades are opacities: in dark mode the page swaps the colours."""
    levels = np.round(weights / weights.max(), 2)
    squares = [
        f'<path d="M{column} {row}h1v1h-1z" fill-opacity="{min(1.4 * level, 1):.2f}"/>'
        for (row, column), level in np.ndenumerate(levels)
        if level > 0.02
    ]
    return svg(len(weights), *squares)


def svg(side, *parts):
    """Return a square picture with a side of this many units, as SVG."""
    size = f'width="180" height="180" viewBox="-.2 -.2 {side + 0.4} {side + 0.4}"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" {size} style="fill: {COLORS["weight"]}">'
    return "\n".join([head, *parts, "</svg>", ""])


def main():
    for number, picture in enumerate(pictures(), start=1):
        target = FIGURES / f"chapter-{number}.svg"
        target.write_text(picture, "utf8")
        print(f"figures/{target.name}: {target.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main()
