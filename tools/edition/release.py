"""Make a release: set its version, tag it, and build and try the package.

    make release VERSION=0.5.0            commit and tag it in this repository
    make release VERSION=0.5.0 DRY=1      the same in a temporary clone only
    python -m tools.edition.release 0.5.0 --notes    print what the changelog says of a version

Everything happens in a clone of the committed state: the version is set in `lib/__init__.py` and CITATION.cff, the
changelog's heading gets its date, and the commit is tagged. The wheel is built from it and installed into an empty
environment, which imports every figure and executes a chapter's plain notebook, as a reader of the branch
`notebooks` does. Only if all of this succeeds are the commit and the tag fetched into this repository. When they
are pushed, the workflow publishes the site and attaches the wheel to a release on GitHub. Every check of
`make release-check` must have passed for the commit.
"""

import argparse
import re
import shutil
import subprocess
import sys
from datetime import date
from pathlib import Path
from tempfile import TemporaryDirectory

from tools.edition.release_check import CHECKS, reports_of_commit

ROOT = Path(__file__).resolve().parents[2]
NOTEBOOK = "chapters/01_nadaraya_watson.ipynb"
UNRELEASED = r"^## \[{version}\] (?:\(unreleased\)|- \S+)$"
IMPORTS = """
import lib, lib.figures
assert "site-packages" in lib.__file__ and lib.__version__ == "{version}", (lib.__file__, lib.__version__)
for name in lib.figures.__all__:
    getattr(lib.figures, name)
"""


def run(*command, cwd):
    """Run a command; if it fails, stop with its last lines."""
    done = subprocess.run(list(map(str, command)), cwd=cwd, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"{' '.join(map(str, command))} failed:\n{(done.stdout + done.stderr)[-2000:]}")
    return done.stdout


def replace(path, pattern, text):
    """Replace the only match of a pattern in a file."""
    found, count = re.subn(pattern, text, path.read_text("utf8"), flags=re.MULTILINE)
    if count != 1:
        raise SystemExit(f"{path.name}: expected one line that matches {pattern!r}, got {count}")
    path.write_text(found, "utf8")


def set_version(folder, version, today):
    """Write the version and the date into the three files that contain them."""
    if not re.fullmatch(r"\d+\.\d+\.\d+", version):
        raise SystemExit(f"version: expected three numbers such as 0.5.0, got {version!r}")
    heading = UNRELEASED.format(version=re.escape(version))
    replace(folder / "CHANGELOG.md", heading, f"## [{version}] - {today}")
    replace(folder / "lib" / "__init__.py", r'^__version__ = ".*"$', f'__version__ = "{version}"')
    replace(folder / "CITATION.cff", r"^version: .*$", f"version: {version}")
    replace(folder / "CITATION.cff", r"^date-released: .*$", f"date-released: {today}")


def notes_of(version, changelog):
    """Return the changelog's text on a version."""
    heading = UNRELEASED.format(version=re.escape(version))
    if not (found := re.search(rf"{heading}(.+?)(?=^## |\Z)", changelog, re.MULTILINE | re.DOTALL)):
        raise SystemExit(f"CHANGELOG.md: expected a section on {version}")
    return found[1].strip()


def commit(folder, version):
    """Commit the version, and tag the commit."""
    if run("git", "tag", "--list", f"v{version}", cwd=folder):
        raise SystemExit(f"version: expected a new one, got {version}, which is tagged")
    for setting in ("user.name", "user.email"):
        known = subprocess.run(["git", "config", setting], cwd=ROOT, capture_output=True, text=True).stdout.strip()
        run("git", "config", setting, known or "release@localhost", cwd=folder)
    run("git", "commit", "--all", "--allow-empty", "--quiet", "-m", f"Release {version}", cwd=folder)
    run("git", "tag", "--annotate", f"v{version}", "-m", f"Version {version}", cwd=folder)


def build_wheel(folder):
    """Bundle the figures' scripts with this folder's packages, and return the path of the wheel."""
    (folder / "node_modules").symlink_to(ROOT / "node_modules")
    run(sys.executable, "-m", "tools.build.bundle_figures", cwd=folder)
    run(sys.executable, "-m", "pip", "wheel", ".", "--no-deps", "--wheel-dir", folder / "dist", cwd=folder)
    return next((folder / "dist").glob("*.whl"))


def try_wheel(wheel, version, folder):
    """Install a wheel into an empty environment, import everything, and execute a notebook there."""
    run(sys.executable, "-m", "venv", folder / "env", cwd=folder)
    python = folder / "env" / "bin" / "python"
    pip = (python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check")
    run(*pip, wheel, "nbclient", "ipykernel", cwd=folder)
    run(python, "-I", "-c", IMPORTS.format(version=version), cwd=folder)
    run(python, "-m", "jupyter", "execute", folder / "notebook.ipynb", cwd=folder)


def assert_checked(reports):
    """Stop unless every check has passed; `reports` is the folder of this commit."""
    missing = [name for name in CHECKS if not (reports / f"{name}.passed").exists()]
    if missing:
        raise SystemExit(f"make release-check: expected no check to be left for this commit, got {missing}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("version")
    parser.add_argument("--dry-run", action="store_true", help="change nothing in this repository")
    parser.add_argument("--notes", action="store_true", help="print the changelog's text on the version")
    options = parser.parse_args()
    if options.notes:
        print(notes_of(options.version, (ROOT / "CHANGELOG.md").read_text("utf8")))
        return
    plain = ROOT / "_build" / "notebooks" / NOTEBOOK
    if not plain.exists():
        raise SystemExit(f"{plain.relative_to(ROOT)}: expected the plain notebook; run `make book`")
    if not options.dry_run:
        assert_checked(reports_of_commit())
    if run("git", "status", "--porcelain", cwd=ROOT):
        print("This folder has uncommitted changes, which are not part of the release.")
    with TemporaryDirectory(prefix="release-") as temporary:
        folder, trial = Path(temporary, "course"), Path(temporary, "trial")
        trial.mkdir()
        run("git", "clone", "--quiet", ROOT, folder, cwd=temporary)
        set_version(folder, options.version, date.today())
        commit(folder, options.version)
        print(f"Building the wheel of {options.version}", flush=True)
        wheel = build_wheel(folder)
        print("Installing it into an empty environment, which downloads what it needs", flush=True)
        shutil.copy(plain, trial / "notebook.ipynb")
        try_wheel(wheel, options.version, trial)
        print(f"{wheel.name} installs, imports and executes {NOTEBOOK}.")
        if options.dry_run:
            print("Nothing was committed or tagged here.")
            return
        run("git", "pull", "--quiet", "--ff-only", "--tags", folder, "HEAD", cwd=ROOT)
        shutil.copy(wheel, ROOT / "_build")
    print(f"Committed and tagged v{options.version}. Publish it: git push --follow-tags")


if __name__ == "__main__":
    main()
