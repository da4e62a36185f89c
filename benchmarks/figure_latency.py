"""Measure the latency from pointer event to updated page in Chromium, for the regression and front-page figures.

The clock starts at the event's time stamp, so time in the browser's event queue is included, and stops when the
figure has published its new state. Run it with `python benchmarks/figure_latency.py`.
"""

import numpy as np
from playwright.sync_api import sync_playwright

from lib.figures import regression_figure, years_figure
from tools.build.figure_page import figure_page
from tools.build.find_browser import ARGUMENTS, find_browser

WATCH = """() => {
  const figure = document.querySelector(".live-figure");
  window.latencies = [];
  let begun;
  figure.addEventListener("pointermove", (event) => (begun = event.timeStamp), { capture: true });
  new MutationObserver(() => begun && latencies.push(performance.now() - begun))
    .observe(figure, { attributeFilter: ["data-state"] });
}"""


def drag_latencies(page, handle, steps=300):
    """Return the milliseconds from each event of a long drag of this element to the new state."""
    box = page.locator(handle).first.bounding_box()
    left, height = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.evaluate("() => { latencies.length = 0; }")
    page.mouse.move(left, height)
    page.mouse.down()
    for step in range(1, steps):
        page.mouse.move(left + (step * 7) % 400, height + step % 11)
    page.mouse.up()
    return np.array(page.evaluate("latencies"))


def figures():
    """Yield the name of each figure, the figure, and the elements to drag."""
    rng = np.random.default_rng(0)
    keys = np.sort(rng.uniform(0, 5, 100))
    values = 2 * np.sin(keys) + keys + rng.normal(0, 0.5, 100)
    handles = {"query": ".pill", "point": ".hits circle", "bandwidth": ".reach-handle"}
    yield "regression", regression_figure(keys, values, bandwidth=0.4), handles
    yield "front page", years_figure(year=2017), {"query": ".query-handle"}


def main():
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_browser(), args=ARGUMENTS)
        for figure, panel, handles in figures():
            page = browser.new_page(viewport={"width": 800, "height": 900})
            page.set_content(figure_page(panel.figure))
            page.wait_for_selector("[data-state]")
            page.evaluate(WATCH)
            for slower in (1, 4):
                page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": slower})
                for name, handle in handles.items():
                    times = drag_latencies(page, handle)
                    median, high = np.percentile(times, [50, 95])
                    print(
                        f"{figure}, {name}, CPU {slower} times slower: median {median:.0f} ms, "
                        f"95th percentile {high:.0f} ms, {len(times)} states"
                    )
            page.close()  # an open throttled page would slow down the next one


if __name__ == "__main__":
    main()
