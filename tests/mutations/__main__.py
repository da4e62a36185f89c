"""Apply each stored fault to a copy of the code; a test marked with its equation must fail.

    .venv/bin/python -m tests.mutations [eq:average …]

Without labels, all mutations run. Each core gets a copy of the code outside the repository, runs this program
there with `--share=first/step`, and tests its share of the faults. The tests' dependencies besides `lib` are
imported once per core. A forked process runs the tests of one label of a fault until the first failure. Faults
that no test detects, or that no longer fit the code, are reported in capitals, and the exit code is then 1.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from importlib import import_module
from pathlib import Path

import pytest

from tests.mutations import mutations

ROOT = Path(__file__).resolve().parents[2]  # in a worker process, this is the worker's own copy of the course
COPIED = ("lib", "tests", "tools", "_ext")  # a fault modifies a copy of these; everything else is linked
COSTLY = "numpy torch cv2 scipy.stats statsmodels.nonparametric.api matplotlib.pyplot hypothesis".split()
OPTIONS = "-p tests.ledger -x -q -p no:cacheprovider --tb=no".split() + ["-W", "ignore:Module already imported"]
DETECTED = 42  # an exit code that pytest does not use


class Failures:
    """Record whether a test failed in its call; an import error does not count as detection."""

    failed = False

    def pytest_runtest_logreport(self, report):
        self.failed |= report.failed and report.when == "call"


def copy_of_the_tree():
    """Copy the code that faults modify, and link everything else."""
    folder = Path(tempfile.mkdtemp(prefix="mutations-"))
    for path in ROOT.iterdir():
        if path.name in COPIED:
            shutil.copytree(path, folder / path.name, ignore=shutil.ignore_patterns("__pycache__"))
        elif path.name not in (".git", "_build"):
            (folder / path.name).symlink_to(path)
    return folder


def silence():
    for stream in (1, 2):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream)


def notices(label):
    """Return whether a test of this label fails in the copy; the process imports `lib` afresh."""
    failures, child = Failures(), os.fork()
    if child == 0:
        try:
            silence()
            for name in [name for name in sys.modules if name.split(".")[0] in ("lib", "tests")]:
                del sys.modules[name]
            tests = sorted(ROOT.glob("tests/**/test_*.py"))
            files = [str(path) for path in tests if f'"{label}"' in path.read_text("utf8")]
            pytest.main([*OPTIONS, f"--equations={label}", *files], plugins=[failures])
        finally:
            os._exit(DETECTED if failures.failed else 0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == DETECTED


def unnoticed(mutation, wanted):
    """Return the mutation's labels without a failing test, or the error if it no longer fits."""
    path = ROOT / mutation.file
    original = path.read_text("utf8") if path.exists() else ""
    try:
        mutation.apply(ROOT)
        return [label for label in mutation.labels if (not wanted or label in wanted) and not notices(label)]
    except ValueError as error:
        return str(error)
    finally:
        path.write_text(original, "utf8")


def try_share(first, step, wanted):
    """Run every `step`-th fault and print its outcome; return whether all were detected."""
    for name in COSTLY:
        import_module(name)
    bad = False
    for mutation in chosen(wanted)[first::step]:
        left = unnoticed(mutation, wanted)
        bad |= bool(left)
        word = f"DOES NOT FIT: {left}" if isinstance(left, str) else f"NOT DETECTED by {', '.join(left)}"
        print(f"{word if left else 'detected'}: {mutation.words}", flush=True)
    return not bad


def chosen(wanted):
    return [m for m in mutations() if not wanted or set(wanted) & set(m.labels)]


def run_all(wanted):
    """Start one worker per core, each in its own copy, and wait for all of them."""
    single = {"PYTHONDONTWRITEBYTECODE": "1", "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    step, running = os.cpu_count(), {}
    for first in range(step):
        folder = copy_of_the_tree()
        command = [sys.executable, "-m", "tests.mutations", f"--share={first}/{step}", *wanted]
        environment = os.environ | single | {"PYTHONPATH": str(folder)}
        running[folder] = subprocess.Popen(command, cwd=folder, env=environment)
    failed = sum(worker.wait() != 0 for worker in running.values())
    for folder in running:
        shutil.rmtree(folder, ignore_errors=True)
    print(f"{len(chosen(wanted))} faults, {'NOT ' if failed else ''}all detected")
    return not failed


def main(arguments):
    if arguments and arguments[0].startswith("--share="):
        first, step = map(int, arguments[0].removeprefix("--share=").split("/"))
        return try_share(first, step, arguments[1:])
    return run_all(arguments)


if __name__ == "__main__":
    sys.exit(not main(sys.argv[1:]))
