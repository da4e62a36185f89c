"""Measure a first visit to each chapter: time from navigation to an interactive figure, and bytes transferred.

Run by `make bench` on the built site, served locally, with an empty cache for each visit.
"""

import gzip
import threading
from pathlib import Path
from statistics import median
from urllib.parse import unquote, urlsplit

from playwright.sync_api import sync_playwright

from tools.build.find_browser import ARGUMENTS, find_browser
from tools.build.serve import make_server

ROOT = Path(__file__).resolve().parents[1]
BUILT = ROOT / "_build" / "html"

READY = "() => [...document.querySelectorAll('.live-panel, .live-figure')].some((one) => one.dataset.state)"
VISITS = 7


def visit(browser, url):
    """Return the seconds until the page's figure is interactive, and the gzipped page weight in bytes."""
    page, fetched = browser.new_context().new_page(), set()
    page.on("response", lambda response: fetched.add(unquote(urlsplit(response.url).path)))
    page.goto(url, wait_until="commit")
    page.wait_for_function(READY)
    seconds = page.evaluate("performance.now()") / 1000  # the clock starts with the navigation
    page.wait_for_load_state("networkidle")
    files = [BUILT / name.strip("/") for name in fetched]
    weight = sum(len(gzip.compress(file.read_bytes())) for file in files if file.is_file())
    page.context.close()
    return seconds, weight


def main():
    server = make_server(BUILT)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    executable = find_browser()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable, args=ARGUMENTS)
        for chapter in sorted((BUILT / "chapters").glob("[0-9]*.html")):
            url = f"http://127.0.0.1:{server.server_port}/chapters/{chapter.stem}.html"
            visits = [visit(browser, url) for _ in range(VISITS)]
            times, weight = [seconds for seconds, _ in visits], visits[0][1] / 1e6
            spread = f"best {min(times):.2f} s, worst {max(times):.2f} s"
            print(f"{chapter.stem}: ready after {median(times):.2f} s ({spread}), {weight:.2f} MB")
        browser.close()


if __name__ == "__main__":
    main()
