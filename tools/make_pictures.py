"""Draw the still pictures of the live figures: figures/live-<address>.svg, as the built pages show them at first.

A page shows the still picture until its live figure is drawn, and instead of it in print, on GitHub or without
scripts. Each file is self-contained, and light or dark as its reader's system is. Run by `make pictures`.
"""

import sys
from pathlib import Path

from find_browser import ARGUMENTS, MISSING, find_browser
from playwright.sync_api import sync_playwright

ROOT = Path(__file__).resolve().parents[1]
VIEWPORT = {"width": 1280, "height": 900}

STILL_PICTURE = (ROOT / "tools" / "still_picture.js").read_text("utf8")


def still_pictures(page):
    """The pictures of the live figures on an opened page, as SVG by address. Waits for the figures."""
    page.wait_for_load_state("networkidle")
    page.wait_for_selector(".live-figure[data-state]")
    page.wait_for_function(
        "[...document.querySelectorAll('.live-panel')].every((p) => p.querySelector('[data-state]'))"
    )
    page.wait_for_function("!document.querySelector('.live-figure .stale')")  # no result still on its way
    figures = page.locator(".live-figure").all()
    return {figure.get_attribute("data-address"): figure.evaluate(STILL_PICTURE) for figure in figures}


def main():
    built = sorted((ROOT / "_build" / "html").rglob("*.html"))
    pages = [path for path in built if "live-panel" in path.read_text("utf8")]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_browser() or sys.exit(MISSING), args=ARGUMENTS)
        for path in pages:
            page = browser.new_page(viewport=VIEWPORT)
            page.goto(path.as_uri())
            for address, svg in still_pictures(page).items():
                target = ROOT / "figures" / f"live-{address}.svg"
                target.write_text(svg, "utf8")
                print(f"{target.relative_to(ROOT)}: {len(svg) / 1000:.0f} kB")
            page.close()


if __name__ == "__main__":
    main()
