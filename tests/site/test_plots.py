"""Plots: small, lossless SVG files for light and dark mode."""

import re
from base64 import b64decode, b64encode
from io import BytesIO
from xml.etree import ElementTree

import numpy as np
import pytest
from IPython.core.pylabtools import print_figure
from matplotlib import pyplot as plt
from matplotlib.figure import Figure
from PIL import Image

from _ext.course.drawings import WINDOWS, element, size_of
from lib import plotting
from lib.plotting import DARK_COLORS
from tools.build.kernel.narrow import POINTS, WIDTH, draw_narrow
from tools.build.kernel.plots import MODES, SixDrawings, in_mode, shrink, slim
from tools.build.kernel.variants import PAGE, join, split

PLOT = """<?xml version="1.0"?><!DOCTYPE svg PUBLIC "x" "y">
<svg xmlns:xlink="http://www.w3.org/1999/xlink" width="72pt" height="36pt" viewBox="0 0 72 36"
 xmlns="http://www.w3.org/2000/svg" version="1.1">
 <metadata>made by</metadata><defs><style type="text/css">*{stroke-linejoin: round}</style></defs>
 <defs><path id="m1" d="M0.123456 -1.5 L 10.999 20.5"/></defs>
 <g clip-path="url(#p1)"><use xlink:href="#m1" style="fill: #da350b; stroke: #0a38c2"/></g>
 <text style="font-size: 11px; font-family: 'DejaVu Sans', sans-serif; fill: #111827">x</text></svg>"""


def test_plot_has_mode_colours_size_and_alt_text():
    day, night = (in_mode(slim(PLOT), mode) for mode in ("light", "dark"))
    assert "fill: #da350b; stroke: #0a38c2" in day
    assert f"fill: {DARK_COLORS['query']}; stroke: {DARK_COLORS['key']}" in night
    image = element("../_images/a-plot3-dark.svg", size_of(PLOT), 'a "curve"', "dark")
    assert '<img class="plot only-dark" src="../_images/a-plot3-dark.svg" width="96" height="48"' in image
    assert 'alt="a &quot;curve&quot;" loading="lazy"' in image
    assert "lazy" not in element("_images/live-years.svg", "", "a ring"), "the front page's figure is not lazy"


def test_plot_text_has_colours_of_its_mode(built_site):
    for mode, unfit in (("dark", "#111827"), ("light", DARK_COLORS["estimate"].lower())):
        files = (built_site / "_images").glob(f"*-plot*-{mode}*.svg")
        texts = {path.name: re.findall(r"<text [^>]*>", path.read_text("utf8").lower()) for path in files}
        assert sum(map(len, texts.values())) > 500
        assert [name for name, found in texts.items() if f"fill: {unfit}" in "".join(found)] == []


def encoded(pixels):
    Image.fromarray(pixels.astype(np.uint8)).save(png := BytesIO(), "PNG")
    return b64encode(png.getvalue()).decode()


def decoded(text):
    return Image.open(BytesIO(b64decode(text)))


def test_images_in_plots_shrink_losslessly():
    row, column = np.mgrid[:37, :41]
    grey = np.stack([row * 3 + column] * 3, axis=-1)
    two = np.array([[200, 20, 20], [20, 20, 200]])[(row * column) % 7 % 2]
    many = np.stack([row * 5, column * 5, row + column], axis=-1)
    for mode, picture, alpha in [("L", grey, 255), ("P", two, 255), ("RGB", many, 255), ("RGBA", grey, 120)]:
        before = encoded(np.concatenate([picture, np.full((37, 41, 1), alpha)], axis=-1))
        after = shrink(before)
        assert decoded(after).mode == mode and len(after) <= len(before)
        np.testing.assert_array_equal(np.asarray(decoded(after).convert("RGBA")), np.asarray(decoded(before)))


def by(mode, pixels):
    """Return the pixels of an image in a plot, in light or dark mode."""
    svg = in_mode(f'<image href="data:image/png;base64,{encoded(pixels)}"/>', mode)
    return np.asarray(decoded(re.search(r"base64,([^\"]+)", svg)[1]).convert("RGB"))


def test_dark_mode_recolours_weights_but_not_photographs():
    paper = list(bytes.fromhex(DARK_COLORS["paper"][1:]))
    weights, differences = (
        255 * plt.get_cmap(colors)(np.linspace(0, 1, 256))[None, :, :3].round(6)
        for colors in (plotting.WEIGHT_MAP, plotting.DIFFERENCE_MAP)
    )
    by_night = by("dark", weights.round())
    assert by_night[0, 0].tolist() == paper
    assert (np.diff(by_night[0].sum(axis=1).astype(int)) >= -1).all(), "larger weights are brighter"
    by_night = by("dark", differences.round())
    assert np.abs(by_night[0, 127].astype(int) - paper).max() < 5
    photograph = np.repeat(np.arange(256)[None, :, None], 3, axis=2)
    for mode in MODES:
        assert np.array_equal(by(mode, photograph), photograph)
    assert np.array_equal(by("light", weights.round()), weights.round())


@pytest.fixture
def drawn():
    plotting.use_style()

    def draw(*shape, panel, **options):
        figure, axes = plt.subplots(*shape, squeeze=False, **options)
        for ax in axes.flat:
            panel(ax)
        figure.canvas.draw()
        return draw_narrow(figure), axes

    yield draw
    plt.close("all")


def size(svg):
    return np.array(re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', svg).groups(), float) * 96 / 72


def test_page_drawing_has_larger_panels_and_the_same_text():
    plotting.use_style()
    plots = [plt.subplots(1, 3, figsize=(7.2, 2.4))[0] for _ in range(2)]
    for plot in plots:
        curve(plot.axes[0])
        plot.draw_without_rendering()
    formatter = SixDrawings()
    formatter.for_type(Figure, lambda shown: print_figure(shown, fmt="svg"))
    drawings = split(formatter(plots[0]))
    text, page, narrow = (drawings[f"light{width}"] for width in ("", "-page", "-narrow"))
    assert 0.97 * PAGE < size(page)[0] <= PAGE and size(page)[1] > 1.4 * size(text)[1]
    text_sizes, page_sizes = (set(re.findall(r"font-size: ([\d.]+)px", svg)) for svg in (text, page))
    assert text_sizes == page_sizes
    np.testing.assert_allclose(size(narrow), size(draw_narrow(plots[1])), rtol=0.01)
    plt.close("all")


def corners(axes):
    return [tuple(np.round(ax.get_position().p0, 2)) for ax in axes.flat]


def curve(ax):
    ax.plot([1, 2], label="a long name of a curve")
    ax.set(xlabel="key", ylabel="value", title="one")
    ax.legend(fontsize=6)


def test_narrow_plots_stack_panels_and_pair_images(drawn):
    svg, axes = drawn(1, 3, panel=curve)
    assert f'width="{72 * WIDTH:g}pt"' in svg
    assert set(re.findall(r"font-size: ([\d.]+)px", svg)) == {str(POINTS)}
    assert len({x for x, _ in corners(axes)}) == 1 and len({y for _, y in corners(axes)}) == 3
    boxes = [ax.get_tightbbox() for ax in axes.flat]
    assert all(upper.y0 >= lower.y1 for upper, lower in zip(boxes, boxes[1:], strict=False)), (
        "a panel covers another"
    )
    assert all(ax.get_legend().get_window_extent().y0 >= ax.bbox.y1 for ax in axes.flat), "a legend covers a curve"
    _, axes = drawn(1, 3, panel=lambda ax: plotting.show_image(ax, np.eye(4)))
    assert len({y for _, y in corners(axes)}) == 1
    _, axes = drawn(2, 4, panel=lambda ax: plotting.show_image(ax, np.eye(4)).axes.set_title("a rather long name"))
    assert len({y for _, y in corners(axes)}) == 4, "two columns of two rows each, twice"
    _, axes = drawn(1, 2, sharey=True, panel=lambda ax: ax.plot([1, 2]))
    assert axes[0, 1].yaxis.get_tick_params()["labelleft"], "the first panel of a row has labels"


def test_narrow_colour_bar_is_horizontal(drawn):
    plotting.use_style()
    figure, ax = plt.subplots()
    figure.colorbar(plotting.plot_heatmap(ax, np.eye(5)), label="weight")
    figure.canvas.draw()
    draw_narrow(figure)
    panel, bar = (ax.get_position() for ax in figure.axes)
    assert bar.width > 5 * bar.height and bar.y1 < panel.y0
    assert figure.axes[1].get_xlabel() == "weight"


def test_drawings_roundtrip_through_one_document():
    """The document is well-formed, for use in a viewer; a missing name is reported."""
    drawings = {f"{mode}{width}": svg(mode + width) for mode in MODES for width in ("", *WINDOWS)}
    document = join(drawings)
    root = ElementTree.fromstring(document)
    assert [part.get("data-drawing") for part in root] == list(drawings)
    assert split(document) == drawings and split(svg("alone")) == {}


def svg(words):
    return f'<svg xmlns="http://www.w3.org/2000/svg" width="3pt" height="4pt"><text>{words}</text></svg>'
