"""Check everything that a release needs in a clean clone, and report the failures at the end.

    make release-check [CHECKS="test audit"]     all checks, or the named ones

The clone contains only the committed state and installs everything itself, so it is independent of this folder.
Every check runs even if previous ones failed, and writes its output into `_build/release/`.
"""

import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).resolve().parents[2]
REPORTS = ROOT / "_build" / "release"
CHECKS = {
    "serve": "make book",  # what `make serve` builds before it starts the server
    "test": "make test",
    "conclusions": "make conclusions && git diff --exit-code tests/conclusions",
    "promises": ".venv/bin/python -m tests.promises && git diff --exit-code tests/promises.json",
    "mutations": "make mutations",
    "oldest": "make test-oldest",
    "browser": "make lite && .venv/bin/python -m pytest tests/site/test_lite.py",
    "offline": "make offline",
    "audit": "make audit",
}


def clone(source, folder):
    """Clone the committed state of `source`."""
    subprocess.run(["git", "clone", "--quiet", source, folder], check=True)


def run(checks, folder, reports):
    """Run commands in a folder, and return the names of those that failed."""
    reports.mkdir(parents=True, exist_ok=True)
    failed = []
    for name, command in checks.items():
        start, report = time.monotonic(), reports / f"{name}.txt"
        with open(report, "w") as said:
            done = subprocess.run(
                ["bash", "-c", command],
                cwd=folder,
                stdin=subprocess.DEVNULL,
                stdout=said,
                stderr=subprocess.STDOUT,
            )
        failed += [name] if done.returncode else []
        word = "FAILED" if done.returncode else "passed"
        print(f"{word}  {name:12} {time.monotonic() - start:6.0f} s   {report}", flush=True)
    return failed


def main(names):
    if unknown := set(names) - CHECKS.keys():
        raise SystemExit(f"checks: expected some of {', '.join(CHECKS)}, got {', '.join(sorted(unknown))}")
    if subprocess.run(["git", "status", "--porcelain"], cwd=ROOT, capture_output=True, text=True).stdout:
        print("This folder has uncommitted changes, which are not checked.")
    with TemporaryDirectory(prefix="release-") as folder:
        clone(ROOT, folder)
        failed = run({name: CHECKS[name] for name in names or CHECKS}, folder, REPORTS)
    print(f"Failed: {', '.join(failed)}" if failed else "Everything passed.")
    return bool(failed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
