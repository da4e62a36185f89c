"""Bundle the site's scripts and style sheets, minified, each with the modules that it imports.

`private_api`, a folder beside the style sheets, lists the class names of the theme and ipywidgets: a sheet writes
`:--article`, and a script imports the same file.
"""

import json
import re
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory

from lib.constants import PHONE_WIDTH, style_variables
from tools.build.bundle_figures import ESBUILD, write_parts

# Large libraries of which the widget runtime uses a few lines
REPLACED = {"sanitize-html": "trust.js", "jquery": "element.js", "@lumino/widgets": "lumino.js"}
OPTIONS = ("--bundle", "--minify", "--charset=utf8", "--log-level=warning")


def bundle(assets, target):
    """Bundle the scripts and style sheets of a folder into a different folder.

    Three fonts are embedded in the sheet: if they loaded later, every line of a page would be broken again.
    """
    names, variables = {}, ""
    for path in sorted((assets / "private_api").iterdir()):
        if path.suffix == ".json":
            names |= json.loads(path.read_text("utf8"))
        else:
            variables += path.read_text("utf8")
    for name, more in (("course.css", variables), ("front.css", ""), ("slides.css", "")):
        (target / name).write_text(completed((assets / name).read_text("utf8") + more, names), "utf8")
    fonts = ("--loader:.woff2=dataurl", "--external:fonts/*")  # except the fonts that few pages use
    places = ("--allow-overwrite", "--entry-names=[name]", f"--outdir={target}")
    subprocess.run([*ESBUILD, *assets.glob("*.js"), *target.glob("*.css"), *OPTIONS, *fonts, *places], check=True)


def completed(sheet, names):
    """Return a style sheet with the palette, the width of a phone, and the selectors for `:--name` filled in."""
    sheet = re.sub(r":--([a-z-]+)", lambda found: names[found[1]], sheet)
    sheet = re.sub(r"/\* the palette: (\w+) \*/", lambda found: style_variables(found[1]), sheet)
    return sheet.replace("-width: phone)", f"-width: {PHONE_WIDTH}px)")


def bundle_runtime(source, target, anywidget):
    """Write the widget runtime, followed by anywidget's AMD module."""
    replaced = [f"--alias:{name}={source / file}" for name, file in REPLACED.items()]
    own = ("--global-name=courseWidgets", *replaced, f"--outdir={target}")
    subprocess.run([*ESBUILD, source / "widgets.js", *OPTIONS, *own], check=True)
    with (target / "widgets.js").open("a", encoding="utf8") as script:
        script.write(f"(({{ define }}) => {{\n{anywidget}\n}})(courseWidgets);\n")
        script.write("window.figuresShown = courseWidgets.start().catch(console.error);\n")


def bundle_embed(source, target):
    """Write the runtime of the pages with one figure as text: a saved figure contains a copy of it."""
    with TemporaryDirectory() as small:
        own = ("--format=esm", "--target=es2022", f"--outdir={small}")
        subprocess.run([*ESBUILD, source / "embed.js", *OPTIONS, *own], check=True)
        style, page = (completed((source / name).read_text("utf8"), {}) for name in ("embed.css", "page.html"))
        (Path(small) / "embed.css").write_text(style, "utf8")
        (Path(small) / "embed.html").write_text(page, "utf8")
        write_parts(target / "figures" / "embed.js", Path(small), ["embed.js", "embed.css", "embed.html"])
