"""Matplotlib panels in the course's colours. They draw precomputed results.

Each function takes an `ax` and returns its artists; it sets no title and does not call `plt.show()`.
"""

from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from IPython.display import Markdown
from matplotlib.collections import EllipseCollection
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.patches import Rectangle

from lib.constants import PALETTE

ROLES = ("query", "key", "value", "weight", "estimate", "paper")
COLORS, DARK_COLORS = ({role: PALETTE[mode][role] for role in ROLES} for mode in ("light", "dark"))
MUTED = "#6B7280"
WEIGHT_MAP = LinearSegmentedColormap.from_list("weight", ["#FFFFFF", "#E7A9DB", COLORS["weight"], "#3B0831"])
DIFFERENCE_MAP = "PuOr"  # orange below zero, purple above
# Box behind text that covers lines. Outlined text would be converted to paths and lose the page's font.
ON_PAPER = {"facecolor": COLORS["paper"], "alpha": 0.8, "linewidth": 0, "pad": 0.5}


def use_style():
    """Set the course's Matplotlib style and, in a notebook, SVG output."""
    plt.style.use(Path(__file__).parent / "course.mplstyle")
    if "inline" in plt.get_backend():
        from matplotlib_inline.backend_inline import set_matplotlib_formats

        set_matplotlib_formats("svg")


def plot_data(ax, keys, values, label="data: keys and values"):
    """Draw a scatter plot of the data: values against keys."""
    return ax.scatter(keys, values, s=22, color=COLORS["value"], alpha=0.55, linewidths=0, label=label)


def plot_curve(ax, queries, estimates, label="estimate", **line):
    """Plot estimates against queries. NaN, where no key has weight, leaves a gap."""
    return ax.plot(queries, estimates, **({"color": COLORS["estimate"], "label": label} | line))[0]


def plot_truth(ax, queries, truth, label="truth"):
    """Plot the function from which the data were generated."""
    return ax.plot(queries, truth, color=MUTED, linestyle=(0, (4, 3)), linewidth=1.2, label=label)[0]


def label_lines(ax, at=None, offset=3):
    """Label each labelled line directly, in the line's colour, and return the texts.

    `at` is the x coordinate of the point that is labelled, one for all lines or one per line; the text is placed
    on the side where it does not cover the line. Without `at`, the text ends where the line ends. `offset` is in
    points, positive above the line and negative below it, one for all lines or one per line.

    >>> ax = plt.figure().subplots()
    >>> lines = [plot_curve(ax, [0, 1, 2], y, name) for name, y in (("rising", [0, 2, 4]), ("level", [3, 3, 3]))]
    >>> [(text.get_text(), text.get_ha(), *map(int, text.xy)) for text in label_lines(ax, at=[1, 2])]
    [('rising', 'right', 1, 2), ('level', 'center', 2, 3)]
    >>> plt.close()
    """
    ax.get_ylim()  # updates the limits
    lines = [line for line in ax.get_lines() if not line.get_label().startswith("_")]
    texts = []
    for line, x, up in zip(lines, *(np.broadcast_to(each, len(lines)) for each in (at, offset)), strict=True):
        points = line.get_xydata()[np.isfinite(line.get_ydata())]
        i = len(points) - 1 if x is None else np.abs(points[:, 0] - x).argmin()
        before, after = line.get_transform().transform(points[max(i - 1, 0) : i + 2])[[0, -1]]
        across, rise = after - before
        side = -1 if x is None else 0 if abs(rise) < across / 10 else -np.sign(rise * up)
        place = {"xycoords": line.get_transform(), "color": line.get_color()}
        texts.append(note(ax, line.get_label(), points[i], (side * abs(up), up), **place))
    return texts


def mark_point(ax, place, text, offset=(0, 10)):
    """Circle a data point and annotate it with `text`, `offset` points away."""
    ring = ax.plot(*place, "o", markersize=9, markerfacecolor="none", color=COLORS["estimate"])[0]
    return ring, note(ax, text, place, offset, arrowprops={"arrowstyle": "-", "color": MUTED, "shrinkB": 5})


def note(ax, text, place, offset, **options):
    """Annotate a data point with `text`, `offset` points away, on a semi-transparent background."""
    x, y = np.sign(offset).astype(int)
    sides = {"ha": ("center", "left", "right")[x], "va": ("center", "bottom", "top")[y]}
    look = {"textcoords": "offset points", "fontsize": "small", "bbox": ON_PAPER}
    return ax.annotate(text, place, offset, **(look | sides | options))


def plot_weights(ax, keys, weights, color=COLORS["weight"]):
    """Draw a stem plot of one query's weights against the keys."""
    lines = ax.vlines(keys, 0, weights, color=color, linewidth=2)
    heads = ax.scatter(keys, weights, s=16, color=color, zorder=3)
    ax.set_ylim(bottom=0)
    return lines, heads


def plot_heatmap(ax, weights, largest=None, extent=None):
    """Show weights `(n_queries, n_keys)` as a heat map; larger weights are darker.

    `extent` is (first key, last key, last query, first query) for axes in data units.
    """
    image = ax.imshow(
        weights, cmap=WEIGHT_MAP, vmin=0, vmax=largest, aspect="auto", extent=extent, interpolation="none"
    )
    ax.set_xlabel("key")
    ax.set_ylabel("query")
    return image


def mark_query(ax, query):
    """Mark a query with a dashed vertical line."""
    return ax.axvline(
        np.asarray(query), color=COLORS["query"], linestyle=(0, (5, 3)), linewidth=1.6, label="query"
    )


def show_image(ax, image, **options):
    """Show a grey or colour image with black at 0 and white at 1; options are passed to `imshow`.

    With interpolation "none" an SVG contains the original pixels instead of an upscaled copy.
    """
    ax.set(xticks=[], yticks=[])
    ax.spines[:].set_visible(False)
    return ax.imshow(image, **({"cmap": "gray", "vmin": 0, "vmax": 1, "interpolation": "none"} | options))


def show_difference(ax, difference, largest):
    """Show the difference between two images up to ±largest: purple where positive, orange where negative."""
    return show_image(ax, difference, cmap=DIFFERENCE_MAP, vmin=-largest, vmax=largest)


def plot_ellipses(ax, pixels, metrics, size=1.0, **options):
    """Draw the ellipse dᵀCd = size² around each pixel (row, column), for metrics C `(n_pixels, 2, 2)`.

    >>> ellipses = plot_ellipses(plt.figure().subplots(), [(8, 5)], [np.diag([4.0, 1.0])], size=3)
    >>> ellipses.get_widths(), ellipses.get_heights(), ellipses.get_offsets().tolist()
    (array([6.]), array([3.]), [[5.0, 8.0]])
    >>> plt.close()
    """
    squares, axes = np.linalg.eigh(metrics)  # ascending: the long axis comes first
    widths, heights = 2 * size / np.sqrt(squares).T
    ellipses = EllipseCollection(
        widths,
        heights,
        np.degrees(np.arctan2(axes[:, 0, 0], axes[:, 1, 0])),
        units="xy",
        offsets=np.asarray(pixels)[:, ::-1],
        offset_transform=ax.transData,
        **({"facecolor": "none", "edgecolor": COLORS["key"], "linewidth": 1.2} | options),
    )
    return ax.add_collection(ellipses)


def show_weights(ax, weights, largest=None):
    """Show the weights of one pixel's window, with the pixel itself outlined in the query's colour."""
    middle = np.array(weights.shape[::-1]) // 2
    ax.add_patch(Rectangle(middle - 0.5, 1, 1, fill=False, edgecolor=COLORS["query"], linewidth=1.6))
    return show_image(ax, weights, cmap=WEIGHT_MAP, vmin=0, vmax=largest)


def table(header, rows):
    """Return a Markdown table for cell output; floats have two decimals and are right-aligned.

    >>> print(table(["method", "PSNR"], [["noisy", 20.171], ["bilateral", 28.2]]).data)
    | method | PSNR |
    |:--|--:|
    | noisy | 20.17 |
    | bilateral | 28.20 |
    """

    def line(cells):
        return f"| {' | '.join(f'{cell:.2f}' if isinstance(cell, float) else str(cell) for cell in cells)} |"

    alignment = "|".join("--:" if isinstance(cell, float) else ":--" for cell in rows[0])
    return Markdown("\n".join([line(header), f"|{alignment}|", *map(line, rows)]))


def log_axes(ax, x_ticks, y_ticks=None):
    """Set a logarithmic x axis and, with `y_ticks`, a logarithmic y axis, with plain numbers as tick labels."""
    ax.set_xscale("log")
    ax.set_xticks(x_ticks, [f"{tick:g}" for tick in x_ticks])
    if y_ticks is not None:
        ax.set_yscale("log")
        ax.set_yticks(y_ticks, [f"{tick:g}" for tick in y_ticks])
    ax.minorticks_off()
