"""Measure every page with figures at 4× CPU throttling: time until its figure is interactive, and frame times.

This corresponds to a slow laptop. The first handle of each figure is dragged, and the intervals between painted
frames are printed. Run by `make bench` on the built site; on a busy machine the numbers are upper bounds.
"""

import threading
from pathlib import Path

import numpy as np
from playwright.sync_api import sync_playwright

from tools.build.find_browser import ARGUMENTS, find_browser
from tools.build.serve import make_server

ROOT = Path(__file__).resolve().parents[1]
BUILT = ROOT / "_build" / "html"

SLOWER = 4
ALIVE = "() => [...document.querySelectorAll('.live-figure')].some((one) => one.dataset.state)"
HANDLE = ':is([role="slider"], [role="radio"])[tabindex="0"]:not(.noUi-handle)'
NAMES = "[...document.querySelectorAll('.live-figure')].map((one) => one.dataset.address)"
COUNT = """() => {
  const mine = (window.moments = []); // the figure before stops counting
  const count = (moment) => mine === moments && mine.push(moment) && requestAnimationFrame(count);
  requestAnimationFrame(count);
}"""


def frames(page, figure):
    """Return the milliseconds between frames while the figure's first handle is dragged."""
    handle = page.locator(f"{figure} {HANDLE}").first
    handle.scroll_into_view_if_needed()
    page.wait_for_timeout(1000)  # figures load when they approach the viewport
    box = handle.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.evaluate(COUNT)
    for step in range(100):
        page.mouse.move(x + (5 * step) % 61 - 30, y + (3 * step) % 41 - 20)
    moments = page.evaluate("moments")
    page.mouse.up()
    return np.diff(np.unique(moments))


def main():
    server = make_server(BUILT)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    pages = [BUILT / "intro.html", *sorted((BUILT / "chapters").glob("[0-9]*.html"))]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_browser(), args=ARGUMENTS)
        for path in pages:
            page = browser.new_context(viewport={"width": 1366, "height": 768}).new_page()
            session = page.context.new_cdp_session(page)
            session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
            url = f"http://127.0.0.1:{server.server_port}/{path.relative_to(BUILT)}"
            page.goto(url, wait_until="commit")
            page.wait_for_function(ALIVE)
            seconds = page.evaluate("performance.now()") / 1000
            print(f"{path.stem}, {SLOWER} times slower: interactive after {seconds:.2f} s")
            page.wait_for_selector("html.all-laid-out", state="attached")
            for name in page.evaluate(
                "[...document.querySelectorAll('.live-figure')].map((o) => o.dataset.address)"
            ):
                times = frames(page, f'[data-address="{name}"]')
                median, high = np.percentile(times, [50, 95])
                print(f"  {name}: frames of median {median:.0f} ms, 95th percentile {high:.0f} ms")
            page.context.close()
        browser.close()


if __name__ == "__main__":
    main()
