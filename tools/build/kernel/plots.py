"""Each plot of a chapter four times: by day and by night, as wide as a page and as a phone, and a third as heavy.

Without it plots would be white by night, and too small on a phone. A style sheet of the page does not reach into
an image, and Matplotlib knows one set of colours.

The kernels of the build load this file before the first cell. The SVG of a plot then holds four named drawings,
which `variants` joins here and splits for the page. A warning stops such a kernel. Where readers run a notebook,
nothing of this happens.
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
from tools.build.kernel.variants import join

FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', 'Liberation Sans', sans-serif"
# What lib/course.mplstyle draws in, and what stands for it in each mode; grey as on the page.
MODES = {
    "light": {MUTED: PALETTE["light"]["muted"]},
    "dark": {COLORS[role]: DARK_COLORS[role] for role in COLORS} | {MUTED: PALETTE["dark"]["muted"]},
}
# Nothing has the colour of the paper, by day and by night, as in live figures. What is much shines by night.
NIGHT = [
    (WEIGHT_MAP, [DARK_COLORS["paper"], "#805F89", DARK_COLORS["weight"], "#F6E2F8"]),
    (matplotlib.colormaps[DIFFERENCE_MAP], ["#FFD9A0", "#E08A1E", DARK_COLORS["paper"], "#8B6FD0", "#E3DAFF"]),
    (matplotlib.colormaps["Reds"], [DARK_COLORS["paper"], "#8C2F26", "#F0694E", "#FFE0D6"]),  # of d2l
]
PICTURE = re.compile(r"data:image/png;base64,([\w+/=\s]+)")
COORDINATES = re.compile(r'(?<= [dxy]=")[^"]*')
LONG_NUMBER = re.compile(r"-?\d+\.\d{3,}")


def slim(svg):
    """Return a Matplotlib SVG without what no reader sees, in the font of the page's labels."""
    svg = svg[svg.index("<svg") :]
    svg = re.sub(r"<metadata>.*?</metadata>|<style.*?</style>|<!--.*?-->", "", svg, flags=re.DOTALL)
    svg = re.sub(r"\s*\n\s*", "\n", svg)
    svg = svg.replace("<svg", '<svg stroke-linejoin="round" stroke-linecap="butt"', 1)
    svg = PICTURE.sub(lambda match: f"data:image/png;base64,{shrink(match[1])}", svg)
    svg = COORDINATES.sub(lambda match: LONG_NUMBER.sub(two_decimals, match[0]), svg)
    return re.sub(
        r"font-family: '[^;\"]*,[^;\"]*", f"font-family: {FONT}", svg
    )  # formulas keep theirs: its widths


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
    """The 256 shades of a colour map, as bytes."""
    return (255 * colors(np.arange(256))[:, :3]).round().astype(np.uint8)


SHADES = [(shades_of(day), shades_of(LinearSegmentedColormap.from_list("", night))) for day, night in NIGHT]


def by_night(picture):
    """Return a PNG in base64 with weights and differences on dark paper. A photograph stays as it is."""
    pixels = np.asarray(Image.open(BytesIO(b64decode(picture))).convert("RGB"))
    used, where = np.unique(pixels.reshape(-1, 3), axis=0, return_inverse=True)
    for day, night in SHADES:
        distances = np.abs(used[:, None].astype(int) - day).max(axis=2)
        if distances.min(axis=1).max() <= 3:  # what lies between two shades is rounded
            shown = night[distances.argmin(axis=1)][where.ravel()].reshape(pixels.shape)
            Image.fromarray(shown).save(encoded := BytesIO(), "PNG")
            return shrink(b64encode(encoded.getvalue()).decode())
    return picture


def two_decimals(number):
    """A hundredth of a point is finer than any screen, and a third of a drawing's bytes lie beyond it."""
    return f"{float(number[0]):.2f}".rstrip("0").rstrip(".")


def shrink(picture):
    """Return a PNG in base64 with the same pixels, in as few bits as they need: grey, a palette, or colours."""
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


class FourDrawings(SVGFormatter):
    def __call__(self, shown):
        wide = super().__call__(shown)
        if not isinstance(shown, Figure):
            return wide
        widths = {"": slim(wide), "-narrow": slim(draw_narrow(shown))}
        return join({f"{mode}{width}": in_mode(svg, mode) for width, svg in widths.items() for mode in MODES})


if kernel := get_ipython():
    warnings.simplefilter("error")  # what warns stops the build
    warnings.filterwarnings("ignore", module="tornado|ipykernel")  # but not a kernel that starts or ends
    sys.stdout.flush_interval = 600  # seconds: what a cell prints comes at its end, and no line of it is torn
    formatter = kernel.display_formatter
    formatter.formatters["image/svg+xml"] = FourDrawings(parent=formatter)
