"""Check everything that a release needs, in a clean clone, and report failures at the end.

    make release-check [CHECKS="test audit"]     all checks, or the named ones

The clone contains only the committed state and installs everything itself, so it is independent of this folder.
Every check runs even if previous ones failed, for ninety minutes at most, and writes its output into
`_build/release/COMMIT/`. Started again, it leaves out what has passed for the same commit.
"""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).resolve().parents[2]
REPORTS = ROOT / "_build" / "release"
LIMIT = 90 * 60  # seconds for one check
CHECKS = {
    "serve": "make book",  # what `make serve` builds before it starts the server
    "test": "make test",
    "variants": "make test-variants",
    "conclusions": "make conclusions && git diff --exit-code tests/conclusions",
    "promises": "make bundle && .venv/bin/python -m tests.promises && git diff --exit-code tests/promises.json",
    "mutations": "make mutations",
    "oldest": "make test-oldest",
    "browser": "make lite && .venv/bin/python -m pytest tests/site/test_lite.py",
    "offline": "make offline",
    "audit": "make audit REQUIRED=yes",
}


def reports_of_commit():
    """Return the folder with the reports on the current commit."""
    commit = subprocess.check_output(["git", "rev-parse", "--short=12", "HEAD"], cwd=ROOT, text=True)
    return REPORTS / commit.strip()


def clone(source, folder):
    """Clone the committed state of `source`."""
    subprocess.run(["git", "clone", "--quiet", source, folder], check=True)


def run(checks, folder, reports):
    """Run commands in a folder, and return the names of those that failed."""
    reports.mkdir(parents=True, exist_ok=True)
    return [name for name, command in checks.items() if not passes(name, command, folder, reports)]


def passes(name, command, folder, reports):
    """Run one command unless it has passed before, and return whether it passed."""
    report, passed = reports / f"{name}.txt", reports / f"{name}.passed"
    if passed.exists():
        print(f"passed  {name:12} before   {report}", flush=True)
        return True
    start = time.monotonic()
    with open(report, "w") as said:
        word = end_of(command, folder, said)
    print(f"{word}  {name:12} {time.monotonic() - start:6.0f} s   {report}", flush=True)
    if word == "passed":
        passed.touch()
    return word == "passed"


def end_of(command, folder, said):
    """Run a command, and stop it with all its processes at the time limit."""
    streams = {"stdin": subprocess.DEVNULL, "stdout": said, "stderr": subprocess.STDOUT}
    process = subprocess.Popen(["bash", "-c", command], cwd=folder, start_new_session=True, **streams)
    try:
        return "FAILED" if process.wait(LIMIT) else "passed"
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        return "LIMIT "


def main(names):
    if unknown := set(names) - CHECKS.keys():
        raise SystemExit(f"checks: expected some of {', '.join(CHECKS)}, got {', '.join(sorted(unknown))}")
    if subprocess.run(["git", "status", "--porcelain"], cwd=ROOT, capture_output=True, text=True).stdout:
        print("This folder has uncommitted changes, which are not checked.")
    with TemporaryDirectory(prefix="release-") as folder:
        clone(ROOT, folder)
        failed = run({name: CHECKS[name] for name in names or CHECKS}, folder, reports_of_commit())
    print(f"Failed: {', '.join(failed)}" if failed else "Everything passed.")
    return bool(failed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
