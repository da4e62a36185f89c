"""Find a Chromium for tests and pictures: on PATH, from Playwright, or from the distribution.

`--install` installs it if it is missing; `--engines` installs Firefox and WebKit for the long tests.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

SHELL = "chromium-headless-shell"  # headless: less than half the work per page
NAMES = (
    SHELL,
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
    "microsoft-edge",
)
MAC_APPLICATIONS = ("Google Chrome", "Chromium", "Microsoft Edge")
MISSING = (
    "expected a Chromium browser, found none: install chromium or Google Chrome, "
    "or run `.venv/bin/playwright install chromium`"
)
# Drivers of the other engines, and their packages
ENGINES = {"firefox-esr": "firefox-esr", "WebKitWebDriver": "webkit2gtk-driver", "Xvfb": "xvfb"}

# Without background requests, which would distort measurements and the count of requests
ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)


def find_browser():
    """Return the path of a Chromium browser, or None."""
    candidates = [shutil.which(name) for name in NAMES]
    candidates += [f"/Applications/{name}.app/Contents/MacOS/{name}" for name in MAC_APPLICATIONS]
    return next((path for path in candidates if path and Path(path).exists()), None) or playwright_browser()


def playwright_browser():
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        path = playwright.chromium.executable_path
    return path if Path(path).exists() else None


def install(packages):
    """Install packages of the distribution, if the user is root on Debian or a derivative."""
    if shutil.which("apt-get") is None or os.geteuid() != 0:
        return
    print("Missing here: installing", *packages, flush=True)
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for command in (["update"], ["install", "--yes", "--no-install-recommends", *packages]):
        subprocess.run(["apt-get", "--quiet", *command], env=environment, check=False)


if __name__ == "__main__":
    if "--install" in sys.argv and shutil.which(SHELL) is None:
        install([SHELL])
    if "--install" in sys.argv and find_browser() is None:
        install(["chromium"])
    absent = [package for program, package in ENGINES.items() if shutil.which(program) is None]
    if absent and "--engines" in sys.argv:
        install(absent)
    sys.exit(None if find_browser() else MISSING)
