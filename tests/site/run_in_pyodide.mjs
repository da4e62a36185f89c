// Run pytest in the Python of the browser edition, in Node:
// node run_in_pyodide.mjs <runtime> <course> <folder with pytest> [arguments of pytest]
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [runtime, course, tools, ...args] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(`${runtime}/pyodide.mjs`));
const lock = JSON.parse(readFileSync(`${runtime}/pyodide-lock.json`, "utf8"));
const python = await loadPyodide({
  indexURL: `${runtime}/`,
  packages: Object.keys(lock.packages),
  env: { HOME: "/home/pyodide", MPLBACKEND: "agg", PYTHONPATH: "/pytest" },
});
// Tests the `lib` that was installed from its wheel, not the course's.
const mounts = Object.fromEntries(["tests", "tools", "pages"].map((name) => [`/course/${name}`, `${course}/${name}`]));
for (const [path, folder] of Object.entries({ ...mounts, "/pytest": tools })) {
  python.FS.mkdirTree(path);
  python.mountNodeFS(path, folder);
}
python.FS.writeFile("/course/pyproject.toml", readFileSync(`${course}/pyproject.toml`, "utf8"));
python.globals.set("arguments", python.toPy(args));
process.exitCode = python.runPython(`
import importlib, os
os.chdir("/course")
importlib.invalidate_caches()  # Python has cached that /pytest was empty before the mount
import pytest
int(pytest.main(["-p", "no:cacheprovider", *arguments]))
`);
