// Compile the modules that a chapter imports at its start, in the Python of the browser edition:
// node compile_modules.mjs <runtime> <folder> writes the .pyc files into the folder, by their path in site-packages.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [runtime, folder] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(`${runtime}/pyodide.mjs`));
const lock = JSON.parse(readFileSync(`${runtime}/pyodide-lock.json`, "utf8"));
const python = await loadPyodide({
  indexURL: `${runtime}/`,
  packages: Object.keys(lock.packages),
  env: { HOME: "/home/pyodide", MPLBACKEND: "agg" },
});
python.FS.mkdirTree("/compiled");
python.mountNodeFS("/compiled", folder);
python.runPython(`
import sys
import zipfile
from pathlib import Path
from py_compile import PycInvalidationMode, compile
import anywidget, ipywidgets, matplotlib.pyplot, pyodide_kernel

# An archive, in which Python finds compiled modules beside their sources
STDLIB = Path(next(path for path in sys.path if path.endswith(".zip")))

def place_of(file):
    """Return the path of a file's compiled module in site-packages or the archive, or None."""
    if file.is_relative_to(STDLIB):
        return file.relative_to(STDLIB).with_suffix(".pyc")
    if "site-packages" in file.parts:
        below = Path(*file.parts[file.parts.index("site-packages") + 1 :])
        return below.parent / "__pycache__" / f"{below.stem}.{sys.implementation.cache_tag}.pyc"

zipfile.ZipFile(STDLIB).extractall("/sources")
for module in list(sys.modules.values()):
    file = Path(getattr(module, "__file__", None) or "")
    if file.suffix == ".py" and (place := place_of(file)):
        source = Path("/sources", file.relative_to(STDLIB)) if file.is_relative_to(STDLIB) else file
        target = Path("/compiled", place)
        target.parent.mkdir(parents=True, exist_ok=True)
        # Unchecked: both files are always updated together, and a check would read the source again.
        compile(str(source), str(target), str(file), doraise=True, invalidation_mode=PycInvalidationMode.UNCHECKED_HASH)
`);
