"""Serve all assets from the site itself, and rebuild pages when their dependencies change.

A default Jupyter Book page fetches the widget runtime and MathJax from other hosts, and 80 kB of icons. Here the
runtime comes from `_static`, icons and fonts are part of style sheets, and `formulas` typesets the formulas at
build time. `templates` changes the theme's pages.
"""

import re
import shutil
import subprocess
import time
from pathlib import Path

import pydata_sphinx_theme

from _ext.course.private_api.anywidget import patient_script
from _ext.course.private_api.myst_nb import runs_widgets
from tools.build import sources
from tools.build.bundle_figures import write_code
from tools.build.bundle_pages import bundle, bundle_embed, bundle_runtime

WEEK = 7 * 24 * 3600  # seconds that an unused execution cache is kept, in case an edit is reverted
ASSETS = Path(__file__).parent / "assets"
THEME = Path(pydata_sphinx_theme.__file__).parent / "theme" / "pydata_sphinx_theme" / "static"
RARE_FONTS = ("latin-ext", "greek")  # fetched only by pages with such a character outside their formulas
# Scripts, and the class of the element that each needs
PARTS = {"converter.js": "converter", "opening.js": "opening", "progress.js": "thread"}
GLYPH = re.compile(r"""(?:\.fa-[\w-]+:before,?)+\{content:"[^"]*"\}""")  # 1,900 rules of a font that is not served


def key_on_sources(app, config):
    """Record dependencies that Sphinx and MyST-NB do not track.

    An edit of data or of the requirements executes all notebooks again, that of a module those that import it
    (`execute_ahead`). An edit of the site's look or of an extension reads every page again. An edit of a figure's
    script writes every page again, because the script's URL contains its version.
    """
    caches = Path(app.outdir).parent / "executed"
    current = caches / sources.fingerprint("executed", app.confdir)
    for cache in caches.glob("*"):
        if cache != current and time.time() - cache.stat().st_mtime > WEEK:
            shutil.rmtree(cache)
    config.nb_execution_cache_path = str(current)
    config.course_site_key = sources.fingerprint("pages", app.confdir)
    config.figure_code_key = sources.fingerprint("code", app.confdir)


def collect_assets(app):
    """Gather the pages' assets in one folder, unless it exists, and let Sphinx copy it to `_static`."""
    if app.builder.format != "html":
        return
    packages = Path(app.confdir) / "node_modules"
    if not packages.exists():
        raise FileNotFoundError("expected the site's JavaScript packages in node_modules/: run `make book`")
    collected = Path(app.outdir).parent / "assets"
    # not in _config.yml: Jupyter Book adds every script below a configured path to every page
    app.config.html_static_path.append(str(collected))
    made, key = collected.with_suffix(".made"), sources.fingerprint("assets", app.confdir)
    if collected.exists() and made.exists() and made.read_text("utf8") == key:
        return
    shutil.rmtree(collected, ignore_errors=True)
    shutil.copytree(ASSETS, collected, ignore=shutil.ignore_patterns("*.js", "shared", "private_api"))
    bundle(ASSETS, collected)
    (collected / "fonts").mkdir()
    for name in RARE_FONTS:
        font = f"source-serif-4-{name}-400-normal.woff2"
        shutil.copy(packages / "@fontsource" / "source-serif-4" / "files" / font, collected / "fonts")
    shutil.copytree(packages / "mathjax/es5/output/chtml/fonts/woff-v2", collected / "mathjax")
    (collected / "reveal").mkdir()
    for name in ("reset.css", "reveal.css", "reveal.js"):
        shutil.copy(packages / "reveal.js" / "dist" / name, collected / "reveal")
    bundle_runtime(ASSETS.with_name("widgets"), collected / "widgets", patient_script())
    write_code(Path(app.confdir), collected)
    bundle_embed(ASSETS.with_name("embed"), collected)
    drawings = THEME / "scripts" / "fontawesome.js"
    subprocess.run(["node", Path(__file__).with_name("icons.mjs"), drawings, collected / "icons.css"], check=True)
    made.write_text(key, "utf8")


def finish_parts(app, pagename, templatename, context, doctree):
    """Defer all scripts except the options, and correct the accessible names of collapsed sections and sources."""
    for script in context["script_files"]:
        if script.filename and "documentation_options" not in str(script.filename):
            script.attributes["defer"] = "defer"
    body = context.get("body", "").replace('<summary aria-label="Toggle hidden content">', "<summary>")
    context["body"] = body.replace('role="doc-biblioentry"', 'role="listitem"')


def load_parts(app, pagename, templatename, context, doctree):
    """Load the scripts for the elements that a page has, and the style sheets of widgets and of the front page."""
    if context.get("has_widgets") or runs_widgets(app.env, pagename):
        app.add_css_file("widgets/widgets.css")
    if pagename == "intro":
        app.add_css_file("front.css", priority=910)
    for script, place in PARTS.items():
        if f'class="{place}"' in context.get("body", ""):
            app.add_js_file(script, loading_method="defer")


def drop_unused(app, exception):
    """Remove unused files: the theme's icons (fonts, script and style rules) and source maps."""
    static = Path(app.outdir) / "_static"
    shutil.rmtree(static / "vendor", ignore_errors=True)
    for unused in [*static.rglob("*.map"), *static.glob("scripts/fontawesome.js*")]:
        unused.unlink(missing_ok=True)
    for sheet in static.glob("styles/pydata-sphinx-theme.css"):
        sheet.write_text(GLYPH.sub("", sheet.read_text("utf8")), "utf8")


def add_files(app):
    """Add the assets that every page loads, and a page's other dependencies."""
    app.add_config_value("course_site_key", "", "env")
    app.add_config_value("figure_code_key", "", "html")
    app.add_css_file("icons.css", priority=890)
    app.add_css_file("course.css", priority=900)
    for script in ("course.js", "thread.js", "previews.js"):
        app.add_js_file(script, loading_method="defer")
