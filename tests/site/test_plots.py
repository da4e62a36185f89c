"""What cells draw: two slim SVG files, by day and by night, with all that was drawn."""

import re
from base64 import b64decode, b64encode
from io import BytesIO

import numpy as np
import pytest
from PIL import Image
from plots import MODES, element, in_mode, shrink, slim

from lib.plotting import DARK_COLORS

PLOT = """<?xml version="1.0"?><!DOCTYPE svg PUBLIC "x" "y">
<svg xmlns:xlink="http://www.w3.org/1999/xlink" width="72pt" height="36pt" viewBox="0 0 72 36"
 xmlns="http://www.w3.org/2000/svg" version="1.1">
 <metadata>made by</metadata><defs><style type="text/css">*{stroke-linejoin: round}</style></defs>
 <defs><path id="m1" d="M0.123456 -1.5 L 10.999 20.5"/></defs>
 <g clip-path="url(#p1)"><use xlink:href="#m1" style="fill: #da350b; stroke: #0a38c2"/></g>
 <text style="font: 11px 'DejaVu Sans', sans-serif; fill: #111827">x</text></svg>"""


def test_a_plot_is_slim():
    svg = slim(PLOT)
    assert svg.startswith('<svg stroke-linejoin="round"')
    assert "font: 11px system-ui, " in svg and "; fill: #111827" in svg
    assert "<style" not in svg and "<metadata" not in svg
    assert ' d="M0.12 -1.5 L 11 20.5"' in svg


def test_a_plot_by_night_has_the_colours_of_the_night():
    day, night = (in_mode(slim(PLOT), mode) for mode in ("light", "dark"))
    assert "fill: #da350b; stroke: #0a38c2" in day
    assert f"fill: {DARK_COLORS['query']}; stroke: {DARK_COLORS['key']}" in night
    assert f"fill: {DARK_COLORS['estimate']}" in night


@pytest.mark.parametrize("mode", MODES)
def test_an_image_states_its_size_mode_and_description(mode):
    image = element(f"../_images/a-plot3-{mode}.svg", PLOT, 'a "curve"')
    assert f'<img class="plot only-{mode}" src="../_images/a-plot3-{mode}.svg" width="96" height="48"' in image
    assert 'alt="a &quot;curve&quot;" loading="lazy"' in image


def test_the_front_page_does_not_wait_for_its_picture():
    assert "lazy" not in element("_images/live-one-query.svg", PLOT, "six maps")
    assert "lazy" in element("../_images/live-same.svg", PLOT, "two panels")


def test_no_plot_of_the_site_has_text_in_a_colour_for_the_other_mode(built_site):
    for mode, unfit in (("dark", "#111827"), ("light", DARK_COLORS["estimate"].lower())):
        files = (built_site / "_images").glob(f"*-plot*-{mode}.svg")
        texts = {path.name: re.findall(r"<text [^>]*>", path.read_text("utf8").lower()) for path in files}
        assert sum(map(len, texts.values())) > 500
        assert [name for name, found in texts.items() if f"fill: {unfit}" in "".join(found)] == []


@pytest.mark.parametrize(
    "kind, mode", [("grey", "L"), ("few colours", "P"), ("colours", "RGB"), ("clear", "RGBA")]
)
def test_pictures_in_plots_shrink_without_loss(kind, mode):
    rows, columns = np.mgrid[:37, :41]
    grey = np.stack([rows * 3 + columns] * 3, axis=-1)
    few = np.array([[200, 20, 20], [20, 20, 200]])[(rows * columns) % 7 % 2]
    many = np.stack([rows * 5, columns * 5, rows + columns], axis=-1)
    pixels = {"grey": grey, "few colours": few, "colours": many, "clear": grey}[kind]
    alpha = np.full((37, 41, 1), 255 if kind != "clear" else 120)
    Image.fromarray(np.concatenate([pixels, alpha], axis=-1).astype(np.uint8)).save(encoded := BytesIO(), "PNG")
    before = b64encode(encoded.getvalue()).decode()
    after = shrink(before)
    shrunk = Image.open(BytesIO(b64decode(after)))
    assert shrunk.mode == mode
    assert len(after) <= len(before)
    np.testing.assert_array_equal(np.asarray(shrunk.convert("RGBA")), np.asarray(Image.open(encoded)))
