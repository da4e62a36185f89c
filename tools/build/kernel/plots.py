"""Draw each plot six times (light and dark; text column, page and phone), at a third of the size in bytes.

A page's style sheet does not apply inside an image, and Matplotlib has only one set of colours, so plots would be
white in dark mode; they would also be too small on a wide page and on a phone.

The build's kernels load this file before the first cell. The SVG of a plot then contains six named drawings,
which `variants` joins here and splits for the page. Warnings are errors in these kernels. Notebooks that readers
run are not affected.
"""

import re
import sys
import warnings
from base64 import b64decode, b64encode
from io import BytesIO

import matplotlib
import numpy as np
from IPython import get_ipython
from IPython.core.formatters import SVGFormatter
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.figure import Figure
from PIL import Image

from lib.constants import PALETTE
from lib.plotting import COLORS, DARK_COLORS, DIFFERENCE_MAP, MUTED, WEIGHT_MAP
from tools.build.kernel.narrow import draw_narrow
from tools.build.kernel.variants import PAGE, join

FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', 'Liberation Sans', sans-serif"
# The colours of lib/course.mplstyle and their replacements in each mode; grey as on the page
MODES = {
    "light": {MUTED: PALETTE["light"]["muted"]},
    "dark": {COLORS[role]: DARK_COLORS[role] for role in COLORS} | {MUTED: PALETTE["dark"]["muted"]},
}
# As in live figures, zero has the background colour in both modes, so large values are bright in dark mode.
NIGHT = [
    (WEIGHT_MAP, [DARK_COLORS["paper"], "#805F89", DARK_COLORS["weight"], "#F6E2F8"]),
    (matplotlib.colormaps[DIFFERENCE_MAP], ["#FFD9A0", "#E08A1E", DARK_COLORS["paper"], "#8B6FD0", "#E3DAFF"]),
    (matplotlib.colormaps["Reds"], [DARK_COLORS["paper"], "#8C2F26", "#F0694E", "#FFE0D6"]),  # a colour map of d2l
]
# Pixels, of which an inch has 96: the page without the margin of a drawing, what a caption leaves, and the height
SPANNING, BESIDE_CAPTION, HIGHEST = PAGE - 12, PAGE - 300, 530
LOW = 0.38  # a plot whose height is less than this part of its width spans the page
PICTURE = re.compile(r"data:image/png;base64,([\w+/=\s]+)")
COORDINATES = re.compile(r'(?<= [dxy]=")[^"]*')
LONG_NUMBER = re.compile(r"-?\d+\.\d{3,}")


def slim(svg):
    """Return a Matplotlib SVG without invisible content, in the font of the page's labels."""
    svg = svg[svg.index("<svg") :]
    svg = re.sub(r"<metadata>.*?</metadata>|<style.*?</style>|<!--.*?-->", "", svg, flags=re.DOTALL)
    svg = re.sub(r"\s*\n\s*", "\n", svg)
    svg = svg.replace("<svg", '<svg stroke-linejoin="round" stroke-linecap="butt"', 1)
    svg = PICTURE.sub(lambda match: f"data:image/png;base64,{shrink(match[1])}", svg)
    svg = COORDINATES.sub(lambda match: LONG_NUMBER.sub(two_decimals, match[0]), svg)
    return re.sub(
        r"font-family: '[^;\"]*,[^;\"]*", f"font-family: {FONT}", svg
    )  # formulas keep their font, which determines their width


def in_mode(svg, mode):
    """Return a drawing in the colours of a mode."""
    if mode == "dark":
        svg = PICTURE.sub(lambda match: f"data:image/png;base64,{by_night(match[1])}", svg)
        shades = {hex_of(day): hex_of(night) for day, night in zip(*map(list, SHADES[0]), strict=True)}
        svg = re.sub(r"(?<=fill: )#\w{6}\b", lambda match: shades.get(match[0].lower(), match[0]), svg)
    for color, shown in MODES[mode].items():
        svg = re.sub(rf"(fill|stroke): {color}\b", rf"\1: {shown}", svg, flags=re.IGNORECASE)
    return svg


def hex_of(color):
    return f"#{bytes(color).hex()}"


def shades_of(colors):
    """Return the 256 shades of a colour map, as bytes."""
    return (255 * colors(np.arange(256))[:, :3]).round().astype(np.uint8)


SHADES = [(shades_of(day), shades_of(LinearSegmentedColormap.from_list("", night))) for day, night in NIGHT]


def by_night(picture):
    """Return a base64 PNG for dark mode: weight and difference maps are recoloured, photographs are not."""
    pixels = np.asarray(Image.open(BytesIO(b64decode(picture))).convert("RGB"))
    used, where = np.unique(pixels.reshape(-1, 3), axis=0, return_inverse=True)
    for day, night in SHADES:
        distances = np.abs(used[:, None].astype(int) - day).max(axis=2)
        if distances.min(axis=1).max() <= 3:  # interpolated values between two shades are rounded
            shown = night[distances.argmin(axis=1)][where.ravel()].reshape(pixels.shape)
            Image.fromarray(shown).save(encoded := BytesIO(), "PNG")
            return shrink(b64encode(encoded.getvalue()).decode())
    return picture


def two_decimals(number):
    """Round to a hundredth of a point, finer than any screen; further digits take a third of a drawing's bytes."""
    return f"{float(number[0]):.2f}".rstrip("0").rstrip(".")


def shrink(picture):
    """Return a base64 PNG with the same pixels in the fewest bits: grey, a palette, or colours."""
    pixels = Image.open(BytesIO(b64decode(picture)))
    if pixels.mode == "RGBA" and pixels.getchannel("A").getextrema() != (255, 255):
        return picture
    pixels = pixels.convert("RGB")
    encodings = []
    for candidate in (pixels.convert("L"), pixels.quantize(256), pixels):
        if candidate.convert("RGB").tobytes() == pixels.tobytes():
            candidate.save(encoded := BytesIO(), "PNG", optimize=True)
            encodings.append(b64encode(encoded.getvalue()).decode())
    return min([picture, *encodings], key=len)


def sized_for_page(width, height):
    """Return the size of a plot on a wide page, in inches: a low one spans it, others leave room for a caption.

    Lengths keep their ratio and text keeps its size. A plot that is already high stays as it is.

    >>> [tuple(round(96 * side) for side in sized_for_page(*size)) for size in [(7.2, 2.4), (5.2, 3), (4.6, 7.2)]]
    [(1108, 369), (820, 473), (442, 691)]
    """
    across = SPANNING if height / width < LOW else BESIDE_CAPTION
    factor = max(1, min(across / width, HIGHEST / height) / 96)
    return factor * width, factor * height


class SixDrawings(SVGFormatter):
    def __call__(self, shown):
        text = super().__call__(shown)
        if not isinstance(shown, Figure):
            return text
        size = shown.get_size_inches()
        shown.set_size_inches(sized_for_page(*size))
        page = super().__call__(shown)
        shown.set_size_inches(size)
        shown.draw_without_rendering()
        widths = {"": slim(text), "-page": slim(page), "-narrow": slim(draw_narrow(shown))}
        return join({f"{mode}{width}": in_mode(svg, mode) for width, svg in widths.items() for mode in MODES})


if kernel := get_ipython():
    warnings.simplefilter("error")  # warnings fail the build
    warnings.filterwarnings("ignore", module="tornado|ipykernel")  # except those of a kernel that starts or ends
    sys.stdout.flush_interval = 600  # seconds: print a cell's output at its end, so that no line is split
    formatter = kernel.display_formatter
    formatter.formatters["image/svg+xml"] = SixDrawings(parent=formatter)
