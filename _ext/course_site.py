"""The course's site: without it a page would ask other hosts for what it loads, and miss edits in `lib/`.

A default Jupyter Book page fetches the widget runtime and MathJax from other hosts, and 80 kB of icons. Here the
runtime comes from `_static`, icons and fonts stand in style sheets, and `formulas` sets the formulas when the site
is built. `templates` has what the theme's pages lack.
"""

import base64
import gc
import json
import re
import shutil
import subprocess
import time
from pathlib import Path

import pydata_sphinx_theme
import sources
from borrowed.anywidget import patient_script
from borrowed.myst_nb import runs_widgets
from borrowed.sphinx import set_code_with_plain_names
from bundle_figures import write_code
from page_files import exchange

from lib.constants import PHONE_WIDTH, style_variables

WEEK = 7 * 24 * 3600  # seconds that an execution cache is kept for an edit to be taken back
ASSETS = Path(__file__).parent / "assets"
BORROWED = ASSETS / "borrowed"  # what the theme and ipywidgets call things, for style sheets and scripts
THEME = Path(pydata_sphinx_theme.__file__).parent / "theme" / "pydata_sphinx_theme" / "static"

# Three are part of the style sheet: a font that came after it would have every line of the page broken anew.
FONTS_OF_ALL_PAGES = ("latin-400-normal", "latin-400-italic", "latin-600-normal")
FONTS_OF_SOME_PAGES = ("latin-ext-400-normal", "greek-400-normal")
# Scripts, and the class of what a page has for each.
PARTS = {"converter.js": "converter", "words.js": "words", "opening.js": "opening", "progress.js": "thread"}


def key_on_sources(app, config):
    """Note what else results depend on, because Sphinx and MyST-NB would not notice.

    An edit of what chapters import executes them again. One of the site's look or of an extension reads every page
    again, and one of a figure's code writes every page again, whose address of that code holds its version.
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
    """Gather what the pages load into one folder, unless it is there, and let Sphinx copy it to `_static`."""
    if app.builder.format != "html":
        return
    packages = Path(app.confdir) / "node_modules"
    if not packages.exists():
        raise FileNotFoundError("expected the site's JavaScript packages in node_modules/: run `make book`")
    collected = Path(app.outdir).parent / "assets"
    # Here and not in _config.yml: Jupyter Book puts every script below a configured path on every page.
    app.config.html_static_path.append(str(collected))
    made, key = collected.with_suffix(".made"), sources.fingerprint("assets", app.confdir)
    if collected.exists() and made.exists() and made.read_text("utf8") == key:
        return
    shutil.rmtree(collected, ignore_errors=True)
    shutil.copytree(ASSETS, collected, ignore=shutil.ignore_patterns("*.js", "shared", "borrowed"))
    bundle_scripts(packages, collected)
    collect_styles(collected)
    collect_fonts(packages / "@fontsource" / "source-serif-4" / "files", collected)
    shutil.copytree(packages / "mathjax/es5/output/chtml/fonts/woff-v2", collected / "mathjax")
    (collected / "reveal").mkdir()
    for name in ("reset.css", "reveal.css", "reveal.js"):
        shutil.copy(packages / "reveal.js" / "dist" / name, collected / "reveal")
    collect_widget_runtime(packages, collected / "widgets")
    write_code(Path(app.confdir), collected)
    drawings = THEME / "scripts" / "fontawesome.js"
    subprocess.run(["node", Path(__file__).with_name("icons.mjs"), drawings, collected / "icons.css"], check=True)
    made.write_text(key, "utf8")


def bundle_scripts(packages, target):
    """Write the scripts of the pages, small, each with what it shares with others."""
    esbuild = ["node", packages / "esbuild" / "bin" / "esbuild", *ASSETS.glob("*.js")]
    options = ["--bundle", "--minify", "--charset=utf8", "--log-level=warning", f"--outdir={target}"]
    subprocess.run([*esbuild, *options], check=True)


def collect_fonts(source, target):
    """Write the fonts of all pages into the style sheet, and put the others beside it."""
    (target / "fonts").mkdir()
    for font in FONTS_OF_SOME_PAGES:
        shutil.copy(source / f"source-serif-4-{font}.woff2", target / "fonts")
    sheet = (target / "course.css").read_text("utf8")
    for font in FONTS_OF_ALL_PAGES:
        name = f"source-serif-4-{font}.woff2"
        data = base64.b64encode((source / name).read_bytes()).decode()
        sheet = exchange(sheet, f'"fonts/{name}"', f'"data:font/woff2;base64,{data}"', "course.css")
    (target / "course.css").write_text(sheet, "utf8")


def collect_styles(target):
    """Complete the style sheets of the pages and of the decks."""
    names = {}
    for path in sorted(BORROWED.glob("*.json")):
        names |= json.loads(path.read_text("utf8"))
    variables = "".join(path.read_text("utf8") for path in sorted(BORROWED.glob("*.css")))
    for name, more in (("course.css", variables), ("slides.css", "")):
        sheet = completed((ASSETS / name).read_text("utf8") + more, names)
        (target / name).write_text(sheet, "utf8")


def completed(sheet, names):
    """A style sheet with the palette, the width of a phone, and what the theme and ipywidgets call `:--name`."""
    sheet = re.sub(r":--([a-z-]+)", lambda found: names[found[1]], sheet)
    sheet = re.sub(r"/\* the palette: (\w+) \*/", lambda found: style_variables(found[1]), sheet)
    return sheet.replace("-width: phone)", f"-width: {PHONE_WIDTH}px)")


def collect_widget_runtime(packages, target):
    """Bundle the widget runtime, and put anywidget's module behind it."""
    source, runtime = Path(__file__).parent / "widgets", target / "widgets.js"
    esbuild = ["node", packages / "esbuild" / "bin" / "esbuild", source / "widgets.js"]
    options = ["--bundle", "--minify", "--global-name=courseWidgets", "--log-level=warning"]
    stand_in = f"--alias:sanitize-html={source / 'trust.js'}"
    subprocess.run([*esbuild, *options, stand_in, f"--outfile={runtime}"], check=True)
    with runtime.open("a", encoding="utf8") as script:
        script.write(f"(({{ define }}) => {{\n{patient_script()}\n}})(courseWidgets);\n")
        script.write("window.figuresShown = courseWidgets.start().catch(console.error);\n")


def finish_parts(app, pagename, templatename, context, doctree):
    """No script holds up a page but the options, and screen readers hear of folds and sources what others see."""
    for script in context["script_files"]:
        if script.filename and "documentation_options" not in str(script.filename):
            script.attributes["defer"] = "defer"
    body = context.get("body", "").replace('<summary aria-label="Toggle hidden content">', "<summary>")
    context["body"] = body.replace('role="doc-biblioentry"', 'role="listitem"')


def load_parts(app, pagename, templatename, context, doctree):
    """Load the scripts of what a page has a place for, and the runtime's style sheet where the runtime is."""
    if context.get("has_widgets") or runs_widgets(app.env, pagename):
        app.add_css_file("widgets/widgets.css")
    for script, place in PARTS.items():
        if f'class="{place}"' in context.get("body", ""):
            app.add_js_file(script, loading_method="defer")


def drop_unused(app, exception):
    """Leave out of the site what no page loads: the theme's icons, as fonts and as a script, and source maps."""
    static = Path(app.outdir) / "_static"
    shutil.rmtree(static / "vendor", ignore_errors=True)
    for unused in [*static.rglob("*.map"), *static.glob("scripts/fontawesome.js*")]:
        unused.unlink(missing_ok=True)


def setup(app):
    gc.disable()  # a build keeps nearly all that it makes, and to look through it takes a quarter of the time
    app.add_config_value("course_site_key", "", "env")
    app.add_config_value("figure_code_key", "", "html")
    app.connect("config-inited", key_on_sources)
    app.connect("builder-inited", collect_assets)
    app.connect("html-page-context", load_parts)
    app.connect("html-page-context", finish_parts, priority=900)
    app.connect("build-finished", drop_unused)
    set_code_with_plain_names()
    app.add_css_file("icons.css", priority=890)
    app.add_css_file("course.css", priority=900)
    for script in ("course.js", "thread.js", "previews.js"):
        app.add_js_file(script, loading_method="defer")
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
