"""The course's site: everything a page loads is served by the site itself, and the execution cache knows `lib/`.

A default Jupyter Book page fetches require.js, the widget runtime, anywidget and MathJax from other hosts. This
Sphinx extension serves them from `_static`, each cut down to what the pages use.
"""

import hashlib
import re
import shutil
from importlib.resources import files
from pathlib import Path

from sphinx.util import logging

LOGGER = logging.getLogger(__name__)
ASSETS = Path(__file__).parent / "assets"

# ipywidgets 7 modules, which serve notebooks saved before 2022: a quarter of the runtime, and no page uses them.
UNUSED_WIDGET_MODULES = ("@jupyter-widgets/base7", "@jupyter-widgets/controls7")

# What MathJax can load while it typesets; the components themselves come in the one file tex-chtml.js.
MATHJAX_PARTS = ("tex-chtml.js", "input/tex/extensions", "output/chtml/fonts/woff-v2")

# Font Awesome's icon data: name: [width, height, [aliases], "code point", "path"].
ICON = re.compile(r'"?(?P<name>[\w-]+)"?:\[\d+,\d+,\[(?P<aliases>[^\]]*)\],"[0-9a-f]+","[^"]*"\],?')
ICON_IN_USE = re.compile(rb"\bfa-([a-z0-9-]+)")


def key_cache_on_library(app, config):
    """Name the execution cache after what the chapters import, so that an edit there executes them again."""
    root = Path(app.confdir)
    sources = sorted(path for path in (root / "lib").rglob("*") if path.is_file() and "__pycache__" not in path.parts)
    digest = hashlib.sha256()
    for path in [*sources, *sorted(root.glob("requirements*.txt"))]:
        digest.update(path.relative_to(root).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    caches = Path(app.outdir).parent / "executed"
    current = caches / digest.hexdigest()[:16]
    for stale in caches.glob("*") if caches.exists() else ():
        if stale != current:
            shutil.rmtree(stale)
    config.nb_execution_cache_path = str(current)


def collect_assets(app):
    """Gather what the pages load into one folder, and let Sphinx copy that folder to `_static`."""
    if app.builder.format != "html":
        return
    theme_icons(app).unlink(missing_ok=True)  # cut down by the build before; the theme's own is copied afresh
    packages = Path(app.confdir) / "node_modules"
    if not packages.exists():
        raise FileNotFoundError("expected the site's JavaScript packages in node_modules/: run `make book`")
    collected = Path(app.outdir).parent / "assets"
    shutil.rmtree(collected, ignore_errors=True)
    shutil.copytree(ASSETS, collected)
    collect_widget_runtime(packages, collected / "widgets")
    collect_mathjax(packages / "mathjax" / "es5", collected / "mathjax")
    # Here and not in _config.yml: Jupyter Book puts every script below a configured path on every page.
    app.config.html_static_path.append(str(collected))


def collect_widget_runtime(packages, target):
    target.mkdir(exist_ok=True)
    shutil.copy(packages / "requirejs" / "require.js", target)
    shutil.copy(files("anywidget") / "nbextension" / "index.js", target / "anywidget.js")
    runtime = packages / "@jupyter-widgets" / "html-manager" / "dist" / "embed-amd.js"
    (target / "embed-amd.js").write_text(drop_modules(runtime.read_text("utf8")), "utf8")


def drop_modules(runtime):
    """Cut the named AMD modules that no page uses out of the widget runtime."""
    starts = [match.start() for match in re.finditer(r'^define\("', runtime, re.MULTILINE)]
    pieces = [runtime[: starts[0]]]
    for start, end in zip(starts, [*starts[1:], len(runtime)], strict=True):
        name = re.match(r'define\("([^"]+)"', runtime[start:end])[1]
        if name not in UNUSED_WIDGET_MODULES:
            pieces.append(runtime[start:end])
    return "".join(pieces)


def collect_mathjax(source, target):
    for part in MATHJAX_PARTS:
        copy = shutil.copytree if (source / part).is_dir() else shutil.copy
        (target / part).parent.mkdir(parents=True, exist_ok=True)
        copy(source / part, target / part)


def keep_used_icons(app, exception):
    """Cut the theme's 2,000 icons down to those named in a page or in a script."""
    if exception or app.builder.format != "html":
        return
    icons = theme_icons(app)
    readers = [*Path(app.outdir).rglob("*.html"), icons.with_name("pydata-sphinx-theme.js")]
    used = {name.decode() for path in readers for name in ICON_IN_USE.findall(path.read_bytes())}

    def keep(match):
        names = {match["name"], *re.findall(r'"([\w-]+)"', match["aliases"])}
        return match[0] if names & used else ""

    icons.write_text(ICON.sub(keep, icons.read_text("utf8")), "utf8")
    for map_file in icons.parent.glob("*.map"):
        map_file.unlink()


def theme_icons(app):
    return Path(app.outdir) / "_static" / "scripts" / "fontawesome.js"


def setup(app):
    app.connect("config-inited", key_cache_on_library)
    app.connect("builder-inited", collect_assets)
    app.connect("build-finished", keep_used_icons, priority=900)
    app.add_css_file("course.css", priority=900)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
