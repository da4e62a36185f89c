"""Find a Chromium for tests and pictures: one on PATH, else Playwright's, else the distribution's package."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "microsoft-edge")
MAC_APPLICATIONS = ("Google Chrome", "Chromium", "Microsoft Edge")
MISSING = (
    "expected a Chromium browser, found none: install chromium or Google Chrome, "
    "or run `.venv/bin/playwright install chromium`"
)

# Quiet: a browser that looks for updates would spoil both the measurements and the count of requests.
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


def install_browser():
    """Install the distribution's package, which only root on Debian and its children can do in silence."""
    if shutil.which("apt-get") is None or os.geteuid() != 0:
        return
    print("No browser here: installing the package chromium", flush=True)
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for command in (["update"], ["install", "--yes", "--no-install-recommends", "chromium"]):
        subprocess.run(["apt-get", "--quiet", *command], env=environment, check=False)


if __name__ == "__main__":
    if find_browser() is None and "--install" in sys.argv:
        install_browser()
    sys.exit(None if find_browser() else MISSING)
