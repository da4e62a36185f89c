"""Embed plots and the still pictures of live figures as lazy images.

Sphinx would load every plot immediately and give no size, so that text moves when the image arrives; it also has
no variants for dark mode, wide pages and phones. `plots` draws the variants.
"""

import os
import re
from html import escape
from pathlib import Path

from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform

from lib.constants import PALETTE, PHONE_WIDTH
from tools.build.kernel.variants import PAGE, split

MODES = ("light", "dark")
# The windows in which a plot is drawn for a phone or for the whole page
WINDOWS = {"-narrow": f"(max-width: {PHONE_WIDTH}px)", "-page": f"(min-width: {PAGE + 64}px)"}


class Drawings(SphinxPostTransform):
    formats = ("html",)

    def run(self, **kwargs):
        drawn_by_cells = (Path(self.app.outdir).parent / "jupyter_execute").resolve()
        for number, image in enumerate(list(self.document.findall(nodes.image))):
            path, description = Path(self.app.srcdir, image["uri"]), image.get("alt", "")
            if path.suffix == ".svg" and path.resolve().is_relative_to(drawn_by_cells):
                name = f"{self.env.docname.replace('/', '-')}-plot{number}"
                shown = self.plot(name, split(path.read_text("utf8")), description, windows_of(image))
            elif path.match("figures/chapter-*.svg"):
                said = f'role="img" aria-label="{escape(description)}"' if description else 'aria-hidden="true"'
                shown = weights_of_chapter(path, said)
            elif path.match("figures/live-*.svg") and path.exists():  # else Sphinx warns
                shown = element(*self.written(path.name, path.read_text("utf8")), description)
            else:
                continue
            image.replace_self(nodes.raw("", shown, format="html"))

    def plot(self, name, drawings, description, windows):
        """Return the images of a plot: light and dark, each with its variants for a phone and a wide page."""
        written = {kind: self.written(f"{name}-{kind}.svg", svg) for kind, svg in drawings.items()}
        others = {mode: {window: written[mode + kind] for kind, window in windows.items()} for mode in MODES}
        return "".join(element(*written[mode], description, mode, others[mode]) for mode in MODES)

    def written(self, name, svg):
        """Write a drawing into `_images` and return its URL and size."""
        folder = Path(self.app.outdir) / "_images"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(svg, "utf8")
        return "../" * self.env.docname.count("/") + f"_images/{name}", size_of(svg)


def windows_of(image):
    """Return the windows with a drawing of their own; a plot before its code has none for a wide page."""
    while image.parent:
        image = image.parent
        if "tag_picture-first" in image.get("classes", []):
            return {"-narrow": WINDOWS["-narrow"]}
    return WINDOWS


def element(address, size, description, mode="", others=None):
    """Return the image element of a drawing, lazy except for the front page's figure, which is at the top.

    `others` maps windows to the URL and size of the drawing that replaces it there.
    """
    style = f'class="plot only-{mode}" ' if mode else ""
    loading = "" if address.endswith("/live-years.svg") else ' loading="lazy" decoding="async"'
    image = f'<img {style}src="{address}" {size} alt="{escape(description)}"{loading}>'
    if not others:
        return image
    sources = (
        f'<source srcset="{url}" media="screen and {window}" {size}>' for window, (url, size) in others.items()
    )
    return f"<picture>{''.join(sources)}{image}</picture>"


def without_page_drawings(html):
    """Return HTML whose plots have no drawing of their own for a wide page."""
    return re.sub(rf'<source [^>]*media="screen and {re.escape(WINDOWS["-page"])}"[^>]*>', "", html)


def size_of(svg):
    """Return the width and height of a drawing in CSS pixels, as attributes."""
    sides = (re.search(rf'<svg[^>]*?\s{side}="([\d.]+)(pt)?"', svg) for side in ("width", "height"))
    width, height = (float(side[1]) * (4 / 3 if side[2] else 1) for side in sides)
    return f'width="{width:.0f}" height="{height:.0f}"'


def weights_of_chapter(path, attributes=""):
    """Return a chapter's weight picture as inline SVG, in the page's colours."""
    drawing = path.read_text("utf8").replace("<svg", f'<svg class="weights" {attributes}', 1)
    for role, color in PALETTE["light"].items():
        drawing = drawing.replace(color, f"var(--{role})")
    return drawing


def draw_in_kernels(app, config):
    """Make the kernels that execute notebooks draw with `plots`."""
    profile = Path(app.outdir).parent.resolve() / "ipython"
    startup = profile / "profile_default" / "startup" / "00-plots.py"
    startup.parent.mkdir(parents=True, exist_ok=True)
    startup.write_text("from tools.build.kernel import plots\n", "utf8")
    os.environ["PYTHONPATH"] = os.pathsep.join([str(app.confdir), *filter(None, [os.environ.get("PYTHONPATH")])])
    os.environ["IPYTHONDIR"] = str(profile)
