"""Put each stored fault into a copy of the code: a test that is marked with its equation must fail.

    .venv/bin/python tools/mutate.py [eq:average …]

Without labels all mutations of tests/mutations run, one after the other, in a copy outside this folder. The end
says which fault was not noticed, which no longer fits the code, and which labelled equation has no mutation. If
there is any of these, the exit code is 1.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
COPIED = ("lib", "tests", "tools", "_ext")  # a fault is put into a copy; everything else is only looked at

sys.path[:0] = [str(ROOT), str(ROOT / "_ext")]
from notebooks import LABEL, words_of  # noqa: E402

from tests.mutations import mutations  # noqa: E402


def labels_of_the_chapters():
    """Every labelled equation, in order."""
    for path in sorted((ROOT / "chapters").glob("[0-9]*.ipynb")):
        yield from LABEL.findall(words_of(json.loads(path.read_text("utf8"))))


def copy_of_the_tree(folder):
    """The code as files of its own, all else as links."""
    for path in ROOT.iterdir():
        if path.name in COPIED:
            shutil.copytree(path, folder / path.name, ignore=shutil.ignore_patterns("__pycache__"))
        elif path.name not in (".git", "_build"):
            (folder / path.name).symlink_to(path)
    return folder


def marked_files(folder, labels):
    return [
        path
        for path in sorted(folder.glob("tests/**/test_*.py"))
        if any(f'"{x}"' in path.read_text() for x in labels)
    ]


def unnoticed(mutation, folder):
    """The labels of a mutation without a failing test; `folder` is a copy of the tree and stays as it was."""
    path = folder / mutation.file
    original = path.read_text("utf8")
    report = folder / "ledger.json"
    report.unlink(missing_ok=True)
    mutation.apply(folder)
    try:
        options = ["-p", "tests.ledger", f"--ledger={report}", f"--equations={','.join(mutation.labels)}"]
        options += ["-x"] if len(mutation.labels) == 1 else []  # one failing test is enough
        command = [sys.executable, "-m", "pytest", *options, "-q", "-p", "no:cacheprovider", "--tb=no"]
        subprocess.run(
            [*command, *map(str, marked_files(folder, mutation.labels))],
            cwd=folder,
            env=os.environ | {"PYTHONPATH": str(folder), "PYTHONDONTWRITEBYTECODE": "1"},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
    finally:
        path.write_text(original, "utf8")
    rows = json.loads(report.read_text("utf8")) if report.exists() else {}
    return [label for label in mutation.labels if all(test["passed"] for test in rows.get(label, []))]


def main(wanted):
    faults = [m for m in mutations() if not wanted or set(wanted) & set(m.labels)]
    survivors, stale = [], []
    with tempfile.TemporaryDirectory() as folder:
        folder = copy_of_the_tree(Path(folder))
        for number, mutation in enumerate(faults, 1):
            try:
                left = unnoticed(mutation, folder)
            except ValueError as error:
                stale.append(str(error))
                print(f"{number}/{len(faults)} does not fit: {mutation.words}", flush=True)
                continue
            survivors += [f"{label}: {mutation.words}" for label in left]
            print(f"{number}/{len(faults)} {'NOT NOTICED' if left else 'noticed'}: {mutation.words}", flush=True)
    covered = {label for mutation in mutations() for label in mutation.labels}
    missing = [label for label in labels_of_the_chapters() if label not in covered]
    for title, found in {"Not noticed": survivors, "No longer fit": stale, "Without a mutation": missing}.items():
        if found:
            print(f"{title}:", *found, sep="\n  ")
    return 1 if survivors or stale or missing else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
