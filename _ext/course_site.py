"""The course's site: every page loads from the site itself, plots follow dark mode, edits in `lib/` are noticed.

A default Jupyter Book page fetches require.js, the widget runtime, anywidget and MathJax from other hosts. This
Sphinx extension serves them from `_static`, each cut down to what the pages use.
"""

import hashlib
import re
import shutil
from html import escape
from importlib.resources import files
from pathlib import Path

from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform

ASSETS = Path(__file__).parent / "assets"

FONTS = ("latin-400-normal", "latin-400-italic", "latin-600-normal", "latin-ext-400-normal", "greek-400-normal")

# What MathJax can load while it typesets; the components themselves come in the one file tex-chtml.js.
MATHJAX_PARTS = ("tex-chtml.js", "input/tex/extensions", "output/chtml/fonts/woff-v2")

# ipywidgets 7 modules, which serve notebooks saved before 2022: a quarter of the runtime, and no page uses them.
UNUSED_WIDGET_MODULES = ("@jupyter-widgets/base7", "@jupyter-widgets/controls7")
FONT_FACE = re.compile(r"@font-face\{[^}]*(?:\$\{\w\}[^}]*)*\}")

# The theme's icons: name: [width, height, [aliases], "code point", "path"]. Widgets name theirs without `fa-`.
ICON = re.compile(r'"?(?P<name>[\w-]+)"?:\[\d+,\d+,\[(?P<aliases>[^\]]*)\],"[0-9a-f]+","[^"]*"\],?')
ICON_IN_USE = re.compile(rb'\bfa-([a-z0-9-]+)|"icon": ?"([a-z0-9-]+)"')

# The colours in which lib/course.mplstyle draws, and the page's names for them.
PLOT_COLORS = {
    "#da350b": "--query",
    "#0a38c2": "--key",
    "#218359": "--value",
    "#b31994": "--weight",
    "#111827": "--estimate",
    "#ffffff": "--paper",
    "#6b7280": "--muted",
}


def key_cache_on_library(app, config):
    """Name the execution cache after what the chapters import, so that an edit there executes them again."""
    root = Path(app.confdir)
    library = (path for path in (root / "lib").rglob("*") if path.is_file() and "__pycache__" not in path.parts)
    digest = hashlib.sha256()
    for path in sorted([*library, *root.glob("requirements*.txt")]):
        digest.update(path.relative_to(root).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    caches = Path(app.outdir).parent / "executed"
    current = caches / digest.hexdigest()[:16]
    for stale in caches.glob("*"):
        if stale != current:
            shutil.rmtree(stale)
    config.nb_execution_cache_path = str(current)


def collect_assets(app):
    """Gather what the pages load into one folder, and let Sphinx copy that folder to `_static`."""
    if app.builder.format != "html":
        return
    packages = Path(app.confdir) / "node_modules"
    if not packages.exists():
        raise FileNotFoundError("expected the site's JavaScript packages in node_modules/: run `make book`")
    theme_icons(app).unlink(missing_ok=True)  # cut down by the build before; the theme's own is copied afresh
    collected = Path(app.outdir).parent / "assets"
    shutil.rmtree(collected, ignore_errors=True)
    shutil.copytree(ASSETS, collected)
    collect_fonts(packages / "@fontsource" / "source-serif-4" / "files", collected / "fonts")
    collect_mathjax(packages / "mathjax" / "es5", collected / "mathjax")
    collect_widget_runtime(packages, collected / "widgets")
    # Here and not in _config.yml: Jupyter Book puts every script below a configured path on every page.
    app.config.html_static_path.append(str(collected))


def collect_fonts(source, target):
    target.mkdir()
    for font in FONTS:
        shutil.copy(source / f"source-serif-4-{font}.woff2", target)


def collect_mathjax(source, target):
    for part in MATHJAX_PARTS:
        (target / part).parent.mkdir(parents=True, exist_ok=True)
        copy = shutil.copytree if (source / part).is_dir() else shutil.copy
        copy(source / part, target / part)


def collect_widget_runtime(packages, target):
    shutil.copy(packages / "requirejs" / "require.js", target)
    shutil.copy(files("anywidget") / "nbextension" / "index.js", target / "anywidget.js")
    runtime = packages / "@jupyter-widgets" / "html-manager" / "dist" / "embed-amd.js"
    (target / "embed-amd.js").write_text(trim_runtime(runtime.read_text("utf8")), "utf8")


def trim_runtime(runtime):
    """Cut the unused modules and the icon fonts, which the theme's icons replace, out of the widget runtime."""
    modules = re.split(r'^(?=define\(")', runtime, flags=re.MULTILINE)
    unused = tuple(f'define("{name}"' for name in UNUSED_WIDGET_MODULES)
    return FONT_FACE.sub("", "".join(module for module in modules if not module.startswith(unused)))


def keep_used_icons(app, exception):
    """Cut the theme's 2,000 icons down to those that a page or the theme's script names."""
    if exception or app.builder.format != "html":
        return
    icons = theme_icons(app)
    readers = [*Path(app.outdir).rglob("*.html"), icons.with_name("pydata-sphinx-theme.js")]
    found = (name for path in readers for names in ICON_IN_USE.findall(path.read_bytes()) for name in names)
    used = {name.decode() for name in found}

    def keep(match):
        names = {match["name"], *re.findall(r'"([\w-]+)"', match["aliases"])}
        return match[0] if names & used else ""

    icons.write_text(ICON.sub(keep, icons.read_text("utf8")), "utf8")
    for source_map in icons.parent.glob("*.map"):
        source_map.unlink()


def theme_icons(app):
    return Path(app.outdir) / "_static" / "scripts" / "fontawesome.js"


class InlinePlots(SphinxPostTransform):
    """Put the SVG that a cell drew into the page itself, so that the page's colours reach it."""

    default_priority = 800
    formats = ("html",)

    def run(self, **kwargs):
        drawn_by_cells = Path(self.app.outdir).parent / "jupyter_execute"
        for number, image in enumerate(list(self.document.findall(nodes.image))):
            path = Path(self.app.srcdir, image["uri"])
            if path.suffix == ".svg" and path.resolve().is_relative_to(drawn_by_cells.resolve()):
                svg = inline_svg(path.read_text("utf8"), image.get("alt", ""), f"plot{number}-")
                image.replace_self(nodes.raw("", svg, format="html"))


def inline_svg(svg, description, prefix):
    """Return a Matplotlib SVG as an element of a page: named, in the page's colours and font, its ids its own."""
    svg = svg[svg.index("<svg") :]
    svg = re.sub(r"<metadata>.*?</metadata>|<style.*?</style>|<!--.*?-->", "", svg, flags=re.DOTALL)
    svg = re.sub(r'\bid="', f'id="{prefix}', svg)
    svg = re.sub(r'(href="|url\()#', rf"\1#{prefix}", svg)
    svg = re.sub(r"font: ([^;\"]*?\d)px [^;\"]*", r"font: \1px var(--sans)", svg)
    for color, name in PLOT_COLORS.items():
        svg = re.sub(rf"(fill|stroke): {color}\b", rf"\1: var({name})", svg)
    height, width = (re.search(rf'{side}="([\d.]+)pt"', svg)[1] for side in ("height", "width"))
    size = f'width="{float(width) * 4 / 3:.0f}" height="{float(height) * 4 / 3:.0f}"'
    svg = re.sub(r' (?:width|height|version|xmlns|xmlns:xlink)="[^"]*"', "", svg, count=5)
    name = f'role="img" aria-label="{escape(description)}"' if description else 'aria-hidden="true"'
    return svg.replace("<svg", f'<svg class="plot" {size} {name} stroke-linejoin="round" stroke-linecap="butt"', 1)


def setup(app):
    app.connect("config-inited", key_cache_on_library)
    app.connect("builder-inited", collect_assets)
    app.connect("build-finished", keep_used_icons, priority=900)
    app.add_post_transform(InlinePlots)
    app.add_css_file("course.css", priority=900)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
