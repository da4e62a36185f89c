"""Measure the latency of weights and filtered images in the pixel figure, 128 × 128 pixels, in Chromium.

The first clock starts at the event's time stamp. The second starts when a parameter changes and includes the
figure's debounce delay. Run it with `python benchmarks/pixel_figure.py`.
"""

import numpy as np
from playwright.sync_api import sync_playwright

from benchmarks.figure_latency import WATCH, drag_latencies
from lib.figures import pixel_figure
from lib.figures.pixel import METHODS
from lib.images import camera, cat
from tools.build.figure_page import figure_page
from tools.build.find_browser import ARGUMENTS, find_browser

SETTLE = """async (noise_level) => {
  const begun = performance.now();
  const filtered = document.querySelector("canvas.filtered");
  const settled = new Promise((resolve) => new MutationObserver(() => filtered.matches(".pending") || resolve())
    .observe(filtered, { attributeFilter: ["class"] }));
  model.set("noise_level", noise_level);
  await settled;
  return performance.now() - begun;
}"""
FIGURES = [(camera(), method, {}) for method in METHODS] + [
    (camera(), "unified", {"position_block": "steering", "value_block": "patch"}),
    (cat(), "bilateral", {}),
    (cat(), "nonlocal_means", {}),
]


def main():
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_browser(), args=ARGUMENTS)
        for image, method, parameters in FIGURES:
            page = browser.new_page(viewport={"width": 800, "height": 900})
            page.set_content(figure_page(pixel_figure(image, method, **parameters).figure))
            page.wait_for_function(
                "document.querySelector('[data-state]') && !document.querySelector('[data-pending]')"
            )
            page.evaluate(WATCH)
            drag = drag_latencies(page, ".query-handle")
            filtered = [page.evaluate(SETTLE, 20 + level % 5) for level in range(9)]
            name = " ".join([method, *parameters.values(), "in colour" if image.ndim == 3 else ""]).strip()
            print(
                f"{name}: weights {np.median(drag):.1f} ms (95th percentile {np.percentile(drag, 95):.1f}), "
                f"filtered image {np.median(filtered):.0f} ms (largest {max(filtered):.0f})"
            )
            page.close()


if __name__ == "__main__":
    main()
