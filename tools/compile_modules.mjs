// Compile what a chapter's start imports, in the Python of the browser edition: node compile_modules.mjs <runtime> <folder>
// The folder gets the .pyc files, by their paths below site-packages.
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
from pathlib import Path
from py_compile import PycInvalidationMode, compile
import anywidget, ipywidgets, matplotlib.pyplot, pyodide_kernel

for module in list(sys.modules.values()):
    source = Path(getattr(module, "__file__", None) or "")
    if source.suffix == ".py" and "site-packages" in source.parts:
        below = Path(*source.parts[source.parts.index("site-packages") + 1 :])
        target = Path("/compiled", below.parent, "__pycache__", f"{below.stem}.{sys.implementation.cache_tag}.pyc")
        target.parent.mkdir(parents=True, exist_ok=True)
        # Unchecked: the wheel that brings the source brings this file, and a check would read the source again.
        compile(str(source), str(target), str(source), doraise=True, invalidation_mode=PycInvalidationMode.UNCHECKED_HASH)
`);
