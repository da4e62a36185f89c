"""Put each stored fault into a copy of the code: a test that is marked with its equation must fail.

    .venv/bin/python -m tests.mutations [eq:average …]

Without labels all mutations run. Every core has a copy of the code outside this folder and takes its share of
the faults. What the tests import besides `lib` is imported once. Each label of a fault is a process of its own. It
runs the tests of that label until the first fails. A fault that no test noticed, or that no longer fits the code,
is said in capitals, and then the exit code is 1.
"""

import os
import shutil
import sys
import tempfile
from importlib import import_module
from pathlib import Path

import pytest

from tests.mutations import mutations

ROOT = Path(__file__).resolve().parents[2]
COPIED = ("lib", "tests", "tools", "_ext")  # a fault is put into a copy; everything else is only looked at
COSTLY = "numpy torch cv2 scipy.stats statsmodels.nonparametric.api matplotlib.pyplot hypothesis".split()
OPTIONS = "-p tests.ledger -x -q -p no:cacheprovider --tb=no".split() + ["-W", "ignore:Module already imported"]
NOTICED = 42  # an exit code that pytest does not give


class Failures:
    """Whether a test failed in its call: a file that cannot be imported notices nothing."""

    failed = False

    def pytest_runtest_logreport(self, report):
        self.failed |= report.failed and report.when == "call"


def copy_of_the_tree():
    """The code as files of its own, all else as links."""
    folder = Path(tempfile.mkdtemp(prefix="mutations-"))
    for path in ROOT.iterdir():
        if path.name in COPIED:
            shutil.copytree(path, folder / path.name, ignore=shutil.ignore_patterns("__pycache__"))
        elif path.name not in (".git", "_build"):
            (folder / path.name).symlink_to(path)
    return folder


def begin():
    """What a worker does first: its copy, and silence."""
    global FOLDER
    FOLDER = copy_of_the_tree()
    sys.path[:] = [str(FOLDER), *(place for place in sys.path if Path(place or ".").resolve() != ROOT)]
    os.chdir(FOLDER)
    for stream in (1, 2):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream)


def notices(label):
    """Whether a test of this label fails in the copy; its process imports `lib` anew."""
    failures, child = Failures(), os.fork()
    if child == 0:
        try:
            for name in [name for name in sys.modules if name.split(".")[0] in ("lib", "tests")]:
                del sys.modules[name]
            tests = sorted(FOLDER.glob("tests/**/test_*.py"))
            files = [str(path) for path in tests if f'"{label}"' in path.read_text("utf8")]
            pytest.main([*OPTIONS, f"--equations={label}", *files], plugins=[failures])
        finally:
            os._exit(NOTICED if failures.failed else 0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == NOTICED


def unnoticed(mutation, wanted):
    """The labels of a mutation without a failing test, or the error of one that no longer fits."""
    path = FOLDER / mutation.file
    original = path.read_text("utf8") if path.exists() else ""
    try:
        mutation.apply(FOLDER)
        return [label for label in mutation.labels if (not wanted or label in wanted) and not notices(label)]
    except ValueError as error:
        return str(error)
    finally:
        path.write_text(original, "utf8")


def work(faults, wanted):
    """Try these faults, and say of each what came; whether all were noticed."""
    said, bad = os.dup(1), False
    begin()
    for mutation in faults:
        left = unnoticed(mutation, wanted)
        bad |= bool(left)
        word = f"DOES NOT FIT: {left}" if isinstance(left, str) else f"NOT NOTICED by {', '.join(left)}"
        os.write(said, f"{word if left else 'noticed'}: {mutation.words}\n".encode())
    shutil.rmtree(FOLDER, ignore_errors=True)
    return not bad


def main(wanted):
    os.environ |= {"PYTHONDONTWRITEBYTECODE": "1", "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    sys.dont_write_bytecode = True
    for name in COSTLY:
        import_module(name)
    faults = [m for m in mutations() if not wanted or set(wanted) & set(m.labels)]
    workers, running = os.cpu_count(), []
    for first in range(workers):
        running.append(os.fork())
        if running[-1] == 0:
            os._exit(0 if work(faults[first::workers], wanted) else 1)
    codes = [os.waitstatus_to_exitcode(os.waitpid(worker, 0)[1]) for worker in running]
    print(f"{len(faults)} faults, {'all noticed' if not any(codes) else 'NOT all noticed'}")
    return max(codes, key=abs)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
