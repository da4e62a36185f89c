"""What cells draw, and the still pictures of live figures, as images that wait until a reader comes near.

A plot becomes two SVG files, by day and by night. Each image states its size: no text moves when it arrives.
"""

import re
from base64 import b64decode, b64encode
from html import escape
from io import BytesIO
from pathlib import Path

from docutils import nodes
from PIL import Image
from sphinx.transforms.post_transforms import SphinxPostTransform

from lib.plotting import COLORS, DARK_COLORS, MUTED

FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', 'Liberation Sans', sans-serif"
# What lib/course.mplstyle draws in, and what stands for it in each mode; grey as in course.css.
MODES = {
    "light": {MUTED: "#5B6472"},
    "dark": {COLORS[role]: DARK_COLORS[role] for role in COLORS} | {MUTED: "#A3ADBB"},
}
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
                svg, name = slim(path.read_text("utf8")), f"{self.env.docname.replace('/', '-')}-plot{number}"
                drawings = {f"{name}-{mode}.svg": in_mode(svg, mode) for mode in MODES}
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
        return "".join(element(f"{address}/{name}", svg, description) for name, svg in drawings.items())


def element(address, svg, description):
    """The image of a drawing. The front page begins with its figure; all others can wait."""
    mode = re.search(rf"-plot\d+-({'|'.join(MODES)})\.svg$", address)
    style = f'class="plot only-{mode[1]}" ' if mode else ""
    patience = "" if address.endswith("/live-one-query.svg") else ' loading="lazy" decoding="async"'
    return f'<img {style}src="{address}" {size_of(svg)} alt="{escape(description)}"{patience}>'


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
    return re.sub(r"font: ([^;\"]*?\d)px [^;\"]*", rf"font: \1px {FONT}", svg)


def in_mode(svg, mode):
    """Return a drawing in the colours of a mode."""
    for color, shown in MODES[mode].items():
        svg = re.sub(rf"(fill|stroke): {color}\b", rf"\1: {shown}", svg, flags=re.IGNORECASE)
    return svg


def two_decimals(number):
    """A hundredth of a point is finer than any screen, and a third of a drawing's bytes lie beyond it."""
    return f"{float(number[0]):.2f}".rstrip("0").rstrip(".")


def shrink(picture):
    """Return a PNG in base64 with the same pixels, in as few bits as they need: grey, a palette, or colours."""
    pixels = Image.open(BytesIO(b64decode(picture)))
    if pixels.mode != "RGBA" or pixels.getchannel("A").getextrema() != (255, 255):
        return picture
    pixels = pixels.convert("RGB")
    encodings = []
    for candidate in (pixels.convert("L"), pixels.quantize(256), pixels):
        if candidate.convert("RGB").tobytes() == pixels.tobytes():
            candidate.save(encoded := BytesIO(), "PNG", optimize=True)
            encodings.append(b64encode(encoded.getvalue()).decode())
    return min([picture, *encodings], key=len)


def setup(app):
    app.add_post_transform(PlotFiles)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
