"""Find a Chromium for tests and pictures: on PATH, among the applications, or from Playwright."""

import shutil
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
