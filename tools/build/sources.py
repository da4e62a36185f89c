"""The sources of each build product, defined once for Make, `make serve` and the build's caches.

    python3 -m tools.build.sources book      print the files, for the Makefile

Only Python is needed: Make runs this before anything is installed.
"""

import hashlib
import sys
from pathlib import Path

LIBRARY = ["lib/**/*", "requirements*.txt"]
# The site's extensions, and what they share with the tools
SHARED = ("addresses", "bundle_figures", "bundle_pages", "imports", "ledger_rows", "notebook_text", "page_files")
SHARED += ("sources",)
EXTENSIONS = ["_ext/**/*", *(f"tools/build/{name}.py" for name in SHARED)]
# A pattern that begins with "!" excludes files that the previous ones match. All notebooks are executed again when
# one of the files `executed` changes. `imports.py` finds the Python files of each notebook, and `widget_assets`
# gives pages the current scripts and styles.
DEPS = {
    "executed": [*LIBRARY, *(f"!lib/**/*.{kind}" for kind in ("py", "js", "css", "wat"))],
    "ledger": [
        *LIBRARY,
        "!lib/figures/**/*",
        *(f"tests/{folder}/*" for folder in ("equations", "lib", "mutations")),
        *(f"tests/{name}.py" for name in ("ledger", "conftest", "standard_errors", "oracles", "published_model")),
    ],
    "conclusion_tests": [
        *LIBRARY,
        "!lib/figures/bundled/*",  # made from the scripts, after this target on a fresh machine
        *("tests/conclusions/*", "tests/conclusion.py", "tests/conftest.py", "tools/build/conclusions.py"),
    ],
    "figures": [
        *("lib/figures/*/*.js", "lib/figures/*/*.css", "lib/figures/*/*.wat", "!lib/figures/bundled/*"),
        *("lib/*.json", "lib/figures/*.json", "tools/build/bundle_figures.py"),
    ],
    "code": ["lib/figures/bundled/*"],
    "assets": [
        *EXTENSIONS,
        "lib/*.json",
        "lib/constants.py",
        "lib/figures/bundled/*",
        "package-lock.json",
        "requirements*.txt",
    ],
    "pages": [*EXTENSIONS, "lib/palette.json", "package-lock.json"],
    "library": ["lib/**/*", "pyproject.toml"],
    "runtime": ["lite/wheels.txt", "tools/edition/lite.py", "tools/edition/compile_modules.mjs"],
    "assignments": [
        *(f"tools/grading/{name}.py" for name in ("make_assignments", "papers", "questions")),
        "teaching/masters/**/*",
    ],
    "oldest": ["requirements-oldest.txt", "pyproject.toml"],
    "lite": ["tools/edition/lite.py", "pyproject.toml", "lite/**/*", "lib/**/*"],
}
TEXT = ["*.md", "*.ipynb", "*.bib", "_config.yml", "_toc.yml"]
TEXT += [f"{folder}/*" for folder in ("chapters", "figures", "assignments", "pages", "pages/api", "teaching")]
DEPS["conclusions"] = [
    "chapters/*.ipynb",
    "tests/**/test_*.py",
    *DEPS["conclusion_tests"],
]  # used to check whether a test is out of date
DEPS["book"] = [*TEXT, *LIBRARY, *EXTENSIONS, "tools/build/kernel/*", "package-lock.json"]


def is_hidden(path):
    """Return whether a file is an editor's or Python's temporary file."""
    return any(part.startswith(".") or part == "__pycache__" for part in path.parts)


def sources(thing, root="."):
    """Return the files below `root` that a build product depends on."""
    found = set()
    for pattern in DEPS[thing]:
        paths = {path for path in Path(root).glob(pattern.removeprefix("!")) if path.is_file()}
        found = found - paths if pattern.startswith("!") else found | paths
    return sorted(path for path in found if not is_hidden(path.relative_to(root)))


def fingerprint(thing, root="."):
    """Return a hash of the content of these files."""
    digest = hashlib.sha256()
    for path in sources(thing, root):
        digest.update(path.relative_to(root).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()[:16]


if __name__ == "__main__":
    print(*sources(sys.argv[1]))
