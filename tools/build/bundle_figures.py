"""Bundle the live figures: one JavaScript file per figure for anywidget, and one style sheet.

A figure is a folder of `lib/figures` with a script and a style sheet of the same name: `regression/regression.js`.
A `worker.js` in it is bundled separately, as `regression_worker.js`; a `lazy_worker.js`, which a page fetches only
when the figure needs it, as `regression_lazy_worker.js`. Each style sheet begins with the colours of
`lib/palette.json`. esbuild reports the file and the line of a syntax error. The published model's products are
compiled to WebAssembly, which the bundles contain as text.
"""

import json
import subprocess
from base64 import b64encode
from pathlib import Path
from tempfile import TemporaryDirectory

from lib.constants import PALETTE
from tools.build.page_files import write_whole

ROOT = Path(__file__).resolve().parents[2]

FIGURES = ROOT / "lib" / "figures"
BUNDLED = FIGURES / "bundled"
ESBUILD = ("node", ROOT / "node_modules" / "esbuild" / "bin" / "esbuild")
WAT2WASM = ("node", ROOT / "node_modules" / "wabt" / "bin" / "wat2wasm")
PRODUCTS = FIGURES / "methods" / "products.wat"
ROLES = ("query", "key", "value", "weight", "estimate", "paper", "ink", "muted", "line")
DARK = ':is(html[data-theme="dark"], html[theme="dark"], [data-jp-theme-light="false"], .vscode-dark)'
# the traits that hold a figure's code, and the suffixes of its bundles
CODE = {"_esm": ".js", "_css": ".css", "worker_code": "_worker.js"}
LAZY_CODE = {"worker_lazy": "_lazy_worker.js"}
OPTIONS = ("--bundle", "--format=esm", "--target=es2022", "--charset=utf8", "--log-level=warning")


def entries(figures=FIGURES):
    """Return the script or style sheet at the root of each bundle, by the bundle's name."""
    found = {}
    for script in sorted(figures.glob("*/*.js")):
        name = script.parent.name
        if script.stem == name:
            found |= {f"{name}.js": script, f"{name}.css": script.with_suffix(".css")}
        elif script.stem in ("worker", "lazy_worker"):
            found[f"{name}_{script.stem}.js"] = script
    return found


def palette():
    """Return the colours as CSS variables: the page's own on the course's site, and fallbacks elsewhere."""
    site = {role: f"--{role}" for role in ROLES} | {"ink": "--pst-color-text-base"}
    light, dark = (
        "".join(f" --figure-{role}: var({site[role]}, {PALETTE[mode][role]});" for role in ROLES)
        for mode in PALETTE
    )
    figures = ":is(.live-panel, .live-figure)"
    return f"{figures} {{{light} }}\n{DARK} {figures} {{{dark} color-scheme: dark; }}"


def define_products():
    """Return the option of esbuild that inserts the compiled products, in base64, as `globalThis.PRODUCTS`."""
    with TemporaryDirectory() as folder:
        compiled = Path(folder) / "products.wasm"
        subprocess.run([*WAT2WASM, PRODUCTS, f"--output={compiled}"], check=True)
        return f'--define:globalThis.PRODUCTS="{b64encode(compiled.read_bytes()).decode()}"'


def bundle(folder=BUNDLED, figures=FIGURES):
    """Write the figures' bundles into a folder, and remove everything else from it."""
    found = entries(figures)
    for old in set(folder.glob("*")) - {folder / name for name in found}:
        old.unlink()
    named = [f"{Path(name).stem}={path}" for name, path in found.items()]
    options = (*OPTIONS, define_products(), f"--banner:css={palette()}", f"--outdir={folder}")
    subprocess.run([*ESBUILD, *named, *options], check=True, cwd=ROOT)


def quoted(text):
    """Return a JavaScript string in single quotes, because double ones are more frequent and need escaping."""
    return "'" + json.dumps(text, ensure_ascii=False)[1:-1].replace('\\"', '"').replace("'", "\\'") + "'"


def write_code(root, static):
    """Write the minified code and style of each figure of a course into a file of its site, lazy workers apart."""
    bundled, folder = root / "lib" / "figures" / "bundled", static / "figures"
    folder.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory() as small:
        options = ("--minify", "--charset=utf8", "--log-level=error", f"--outdir={small}")
        subprocess.run([*ESBUILD, *bundled.iterdir(), *options], check=True)
        for style in bundled.glob("*.css"):
            write_parts(
                folder / f"{style.stem}.js", Path(small), [style.stem + ending for ending in CODE.values()]
            )
        for lazy in bundled.glob("*_lazy_worker.js"):
            write_parts(folder / lazy.name, Path(small), [lazy.name])


def write_parts(target, small, names):
    """Write a script that stores the text of these files in the page by name; missing files are skipped."""
    texts = {name: (small / name).read_text("utf8") for name in names if (small / name).exists()}
    parts = ",".join(f"{quoted(name)}:{quoted(text)}" for name, text in texts.items())
    write_whole(target, f"Object.assign(window.figureParts ??= {{}}, {{{parts}}});\n".encode())


if __name__ == "__main__":
    try:
        bundle()
    except subprocess.CalledProcessError as error:  # esbuild has printed the error
        raise SystemExit(error.returncode) from None
