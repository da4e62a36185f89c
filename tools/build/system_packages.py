"""Install programs of the system that are missing: `system_packages STAMP chromium bubblewrap`.

The distribution's apt-get installs packages one after the other, and waits while another process holds its lock.
Only root installs, and CI with sudo; everyone else is told in one line what to install. The file STAMP is touched
only if nothing is missing. The exit status is 1 if a program is missing on a machine that must have it.
"""

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from tools.build.find_browser import SHELL, find_browser

MINUTES = 15  # to wait for a lock


class Program(NamedTuple):
    is_here: Callable
    packages: tuple  # alternatives, of which the first that can be installed is enough
    used_by: str
    otherwise: str = ""  # how to get it without a distribution's package


def on_path(name):
    return lambda: shutil.which(name) is not None


def has_sandbox():
    """Return whether a program is here that can isolate submissions."""
    names = ("bwrap",) if sys.platform == "linux" else ("podman", "docker")
    return any(map(shutil.which, names))


PROGRAMS = {
    "chromium": Program(
        lambda: find_browser() is not None,
        (SHELL, "chromium"),
        "the tests in a browser, pictures and the PDF",
        "install Google Chrome, or run `.venv/bin/playwright install chromium`",
    ),
    "bubblewrap": Program(has_sandbox, ("bubblewrap",), "grading", "elsewhere than on Linux, podman or docker"),
    "firefox": Program(on_path("firefox-esr"), ("firefox-esr",), "the tests in Firefox"),
    "webkit": Program(on_path("WebKitWebDriver"), ("webkit2gtk-driver",), "the tests in WebKit"),
    "xvfb": Program(on_path("Xvfb"), ("xvfb",), "the tests in WebKit"),
}


def must_be_here():
    """Return whether this machine has to have every program: in CI, and where root may install them."""
    return bool(os.environ.get("CI")) or (sys.platform == "linux" and os.geteuid() == 0)


def apt_get(*arguments):
    """Run apt-get and return whether it succeeded, once no other process holds its lock."""
    command = ["sudo", "--non-interactive"] * (os.geteuid() != 0) + ["apt-get", "--quiet", *arguments]
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive", "LC_ALL": "C"}
    until = time.monotonic() + 60 * MINUTES
    while True:
        done = subprocess.run(command, env=environment, capture_output=True, text=True)
        if not done.returncode or "Could not get lock" not in done.stderr or time.monotonic() > until:
            print(done.stderr, end="", file=sys.stderr)
            return not done.returncode
        time.sleep(1)


def install(name):
    """Install a program if it is missing and this machine lets us; return whether it is here."""
    program = PROGRAMS[name]
    if not program.is_here() and shutil.which("apt-get") and must_be_here():
        print(f"Installing {name}, for {program.used_by}", flush=True)
        apt_get("update")
        any(apt_get("install", "--yes", "--no-install-recommends", package) for package in program.packages)
    return program.is_here()


def advice(name):
    """Return one line that says what is missing, why it is needed, and how to install it."""
    program = PROGRAMS[name]
    ways = ", or ".join(filter(None, [f"run `sudo apt-get install {program.packages[-1]}`", program.otherwise]))
    return f"{name} is missing, for {program.used_by}: {ways}"


def main(stamp, *names):
    missing = [name for name in names if not install(name)]
    print(*map(advice, missing), sep="\n", end="\n" if missing else "", file=sys.stderr)
    if not missing:
        Path(stamp).touch()
    return bool(missing) and must_be_here()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
