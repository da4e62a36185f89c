"""Bundle the live figures: the modules of each as one file, which anywidget takes, and its styles as another.

A figure is a JavaScript module of `lib/figures` with a Python module of the same name; a module `…_worker.js` is
bundled alone. Each style sheet begins with the colours of `lib/palette.json`. esbuild names the file and the line
of whatever it does not understand.
"""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.append(str(ROOT))

from lib.constants import PALETTE  # noqa: E402

FIGURES = ROOT / "lib" / "figures"
BUNDLED = FIGURES / "bundled"
ESBUILD = ("node", ROOT / "node_modules" / "esbuild" / "bin" / "esbuild")
ROLES = ("query", "key", "value", "weight", "estimate", "paper", "ink", "muted", "line")
DARK = ':is(html[data-theme="dark"], html[theme="dark"], [data-jp-theme-light="false"], .vscode-dark)'
OPTIONS = ("--bundle", "--format=esm", "--target=es2022", "--charset=utf8", "--log-level=warning")


def entries():
    """The modules and style sheets that begin a bundle."""
    scripts = [path for path in FIGURES.glob("*.js") if path.with_suffix(".py").exists()]
    styles = [path.with_suffix(".css") for path in scripts]
    return sorted([*scripts, *styles, *FIGURES.glob("*_worker.js")])


def palette():
    """The colours as style variables: on the course's site the page's own, elsewhere the fallbacks."""
    site = {role: f"--{role}" for role in ROLES} | {"ink": "--pst-color-text-base"}
    light, dark = (
        "".join(f" --figure-{role}: var({site[role]}, {PALETTE[mode][role]});" for role in ROLES)
        for mode in PALETTE
    )
    figures = ":is(.live-panel, .live-figure)"
    return f"{figures} {{{light} }}\n{DARK} {figures} {{{dark} color-scheme: dark; }}"


def bundle(folder=BUNDLED):
    """Write the bundles into a folder, which then holds nothing else."""
    names = [path.relative_to(ROOT) for path in entries()]
    for old in set(folder.glob("*")) - {folder / name.name for name in names}:
        old.unlink()
    subprocess.run(
        [*ESBUILD, *names, *OPTIONS, f"--banner:css={palette()}", f"--outdir={folder}"], check=True, cwd=ROOT
    )


if __name__ == "__main__":
    try:
        bundle()
    except subprocess.CalledProcessError as error:  # esbuild has said what and where
        raise SystemExit(error.returncode) from None
