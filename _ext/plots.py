"""What cells draw, and the still pictures of live figures, as images that wait until a reader comes near.

Without it plots would be white by night, too small on a phone, and three times as heavy. A plot becomes four SVG
files, by day and by night, wide and narrow (`narrow`). A reader loads the one that fits. Each image states its
size: no text moves when it arrives.
"""

import os
import re
from base64 import b64decode, b64encode
from html import escape
from io import BytesIO
from pathlib import Path

import matplotlib
import numpy as np
from docutils import nodes
from matplotlib.colors import LinearSegmentedColormap
from PIL import Image
from sphinx.transforms.post_transforms import SphinxPostTransform

from lib.plotting import COLORS, DARK_COLORS, DIFFERENCE_MAP, MUTED, WEIGHT_MAP

FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', 'Liberation Sans', sans-serif"
# What lib/course.mplstyle draws in, and what stands for it in each mode; grey as in course.css.
MODES = {
    "light": {MUTED: "#5B6472"},
    "dark": {COLORS[role]: DARK_COLORS[role] for role in COLORS} | {MUTED: "#A3ADBB"},
}
# Nothing has the colour of the paper, by day and by night, as in live figures. What is much shines by night.
NIGHT = [
    (WEIGHT_MAP, [DARK_COLORS["paper"], "#805F89", DARK_COLORS["weight"], "#F6E2F8"]),
    (matplotlib.colormaps[DIFFERENCE_MAP], ["#FFD9A0", "#E08A1E", DARK_COLORS["paper"], "#8B6FD0", "#E3DAFF"]),
    (matplotlib.colormaps["Reds"], [DARK_COLORS["paper"], "#8C2F26", "#F0694E", "#FFE0D6"]),  # of d2l
]
PHONE = "screen and (max-width: 640px)"
PICTURE = re.compile(r"data:image/png;base64,([\w+/=\s]+)")
COORDINATES = re.compile(r'(?<= [dxy]=")[^"]*')
LONG_NUMBER = re.compile(r"-?\d+\.\d{3,}")


class PlotFiles(SphinxPostTransform):
    """Show what a cell drew in the colours of the page's mode, and every drawing at a stated size."""

    default_priority = 800
    formats = ("html",)

    def run(self, **kwargs):
        drawn_by_cells = (Path(self.app.outdir).parent / "jupyter_execute").resolve()
        for number, image in enumerate(list(self.document.findall(nodes.image))):
            path = Path(self.app.srcdir, image["uri"])
            if path.suffix == ".svg" and path.resolve().is_relative_to(drawn_by_cells):
                name = f"{self.env.docname.replace('/', '-')}-plot{number}"
                parts = re.split(r"(?=<\?xml)", path.read_text("utf8").strip())[1:]
                drawings = {
                    f"{name}-{mode}{width}.svg": in_mode(slim(part), mode)
                    for width, part in zip(("", "-narrow"), parts, strict=False)
                    for mode in MODES
                }
            elif path.match("figures/chapter-*.svg"):
                svg = path.read_text("utf8")
                drawings = {f"{path.stem}-plot0-{mode}.svg": in_mode(svg, mode) for mode in MODES}
            elif path.match("figures/live-*.svg"):
                drawings = {path.name: path.read_text("utf8")}
            else:
                continue
            image.replace_self(nodes.raw("", self.shown(drawings, image.get("alt", "")), format="html"))

    def shown(self, drawings, description):
        """Write drawings into `_images`, and return the page's images of them."""
        folder = Path(self.app.outdir) / "_images"
        folder.mkdir(parents=True, exist_ok=True)
        for name, svg in drawings.items():
            (folder / name).write_text(svg, "utf8")
        address = "../" * self.env.docname.count("/") + "_images"
        addressed = {f"{address}/{name}": svg for name, svg in drawings.items()}
        return "".join(
            element(name, svg, description, addressed.get(name.replace(".svg", "-narrow.svg")) or "")
            for name, svg in addressed.items()
            if not name.endswith("-narrow.svg")
        )


def element(address, svg, description, narrow=""):
    """The image of a drawing. The front page begins with its figure; all others can wait."""
    mode = re.search(rf"-plot\d+-({'|'.join(MODES)})\.svg$", address)
    style = f'class="plot only-{mode[1]}" ' if mode else ""
    patience = "" if address.endswith("/live-one-query.svg") else ' loading="lazy" decoding="async"'
    image = f'<img {style}src="{address}" {size_of(svg)} alt="{escape(description)}"{patience}>'
    if not narrow:
        return image
    source = f'srcset="{address.replace(".svg", "-narrow.svg")}" media="{PHONE}" {size_of(narrow)}'
    return f"<picture><source {source}>{image}</picture>"


def size_of(svg):
    """The width and height of a drawing in CSS pixels, as attributes of its image."""
    sides = (re.search(rf'<svg[^>]*?\s{side}="([\d.]+)(pt)?"', svg) for side in ("width", "height"))
    width, height = (float(side[1]) * (4 / 3 if side[2] else 1) for side in sides)
    return f'width="{width:.0f}" height="{height:.0f}"'


def slim(svg):
    """Return a Matplotlib SVG without what no reader sees, in the font of the page's labels."""
    svg = svg[svg.index("<svg") :]
    svg = re.sub(r"<metadata>.*?</metadata>|<style.*?</style>|<!--.*?-->", "", svg, flags=re.DOTALL)
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


def draw_twice(app, config):
    """Let the kernels that execute notebooks draw each plot a second time."""
    profile = Path(app.outdir).parent.resolve() / "ipython"
    startup = profile / "profile_default" / "startup" / "00-narrow.py"
    startup.parent.mkdir(parents=True, exist_ok=True)
    startup.write_text(f"import sys\n\nsys.path.append({str(Path(__file__).parent)!r})\nimport narrow\n", "utf8")
    os.environ["IPYTHONDIR"] = str(profile)


def setup(app):
    app.connect("config-inited", draw_twice)
    app.add_post_transform(PlotFiles)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
