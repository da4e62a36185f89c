"""From the mouse's event to the changed page: the regression figure with 100 keys, in Chromium.

The clock starts at the event's own time stamp, so waiting in the browser's queue counts too, and stops when the
figure has published its new state. Run it with `python benchmarks/figure_latency.py`.
"""

import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1] / "tools"))
from figure_page import figure_page  # noqa: E402
from find_browser import ARGUMENTS, find_browser  # noqa: E402
from playwright.sync_api import sync_playwright  # noqa: E402

from lib.figures import regression_figure  # noqa: E402

WATCH = """() => {
  const figure = document.querySelector(".live-figure");
  window.latencies = [];
  let begun;
  figure.addEventListener("pointermove", (event) => (begun = event.timeStamp), { capture: true });
  new MutationObserver(() => begun && latencies.push(performance.now() - begun))
    .observe(figure, { attributeFilter: ["data-state"] });
}"""


def drag_latencies(page, handle, steps=300):
    """Milliseconds from each event of a long drag of this element to the new state."""
    box = page.locator(handle).first.bounding_box()
    left, height = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.evaluate("() => { latencies.length = 0; }")
    page.mouse.move(left, height)
    page.mouse.down()
    for step in range(1, steps):
        page.mouse.move(left + (step * 7) % 400, height + step % 11)
    page.mouse.up()
    return np.array(page.evaluate("latencies"))


def main():
    rng = np.random.default_rng(0)
    keys = np.sort(rng.uniform(0, 5, 100))
    values = 2 * np.sin(keys) + keys + rng.normal(0, 0.5, 100)
    panel = regression_figure(keys, values, bandwidth=0.4)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_browser(), args=ARGUMENTS)
        page = browser.new_page(viewport={"width": 800, "height": 900})
        page.set_content(figure_page(panel.figure))
        page.wait_for_selector("[data-state]")
        page.evaluate(WATCH)
        for name, handle in [("query", ".pill"), ("point", ".hits circle"), ("bandwidth", ".reach-handle")]:
            times = drag_latencies(page, handle)
            median, high = np.percentile(times, [50, 95])
            print(f"drag the {name}: median {median:.1f} ms, 95th percentile {high:.1f} ms, {len(times)} events")


if __name__ == "__main__":
    main()
