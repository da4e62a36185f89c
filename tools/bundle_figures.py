"""Bundle the live figures: the modules of each as one file, which anywidget takes, and its styles as another.

A figure is a JavaScript module of `lib/figures` with a Python module of the same name; a module `…_worker.js` is
bundled alone. esbuild names the file and the line of whatever it does not understand.
"""

import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FIGURES = ROOT / "lib" / "figures"
BUNDLED = FIGURES / "bundled"
ESBUILD = ("node", ROOT / "node_modules" / "esbuild" / "bin" / "esbuild")
OPTIONS = ("--bundle", "--format=esm", "--target=es2022", "--charset=utf8", "--log-level=warning")


def entries():
    """The modules and style sheets that begin a bundle."""
    scripts = [path for path in FIGURES.glob("*.js") if path.with_suffix(".py").exists()]
    styles = [path.with_suffix(".css") for path in scripts]
    return sorted([*scripts, *styles, *FIGURES.glob("*_worker.js")])


def bundle(folder=BUNDLED):
    """Write the bundles into a folder, which then holds nothing else."""
    names = [path.relative_to(ROOT) for path in entries()]
    for old in set(folder.glob("*")) - {folder / name.name for name in names}:
        old.unlink()
    subprocess.run([*ESBUILD, *names, *OPTIONS, f"--outdir={folder}"], check=True, cwd=ROOT)


if __name__ == "__main__":
    try:
        bundle()
    except subprocess.CalledProcessError as error:  # esbuild has said what and where
        raise SystemExit(error.returncode) from None
