"""Measure the latency of the language-model figure with 64 tokens in Chromium, and `lib`'s time for these tokens.

The clock starts at the event's time stamp, so time in the browser's event queue is included. For a query or a head
it stops at the next frame after the new state; for a character or a kernel, at the first frame after the model's
output is drawn. "Work" is the time in which the page computes and draws; if it is below 16 ms, the result appears
in the next frame. Run it with `python benchmarks/language_model.py`.
"""

import time

import numpy as np
from playwright.sync_api import sync_playwright

from lib.figures import language_model_figure
from lib.figures.language_model import KERNEL_LABELS, SCOPES, SENTENCE
from lib.language_model import load
from tools.build.figure_page import figure_page
from tools.build.find_browser import ARGUMENTS, find_browser

WATCH = """() => {
  const figure = document.querySelector(".live-figure");
  window.latencies = [];
  window.work = [];
  let begun, taken;
  for (const kind of ["pointermove", "keydown", "input"]) {
    const begin = (event) => {
      begun ??= event.timeStamp;
      taken ??= performance.now();
    };
    figure.addEventListener(kind, begin, { capture: true });
  }
  new MutationObserver(() => {
    if (begun === undefined || document.querySelector("[data-pending]")) return;
    const since = begun;
    work.push(performance.now() - taken);
    begun = taken = undefined;
    requestAnimationFrame(() => latencies.push(performance.now() - since));
  }).observe(figure, { attributeFilter: ["data-state"] });
}"""
SWAP = """async (traits) => {
  const figure = document.querySelector(".live-figure"), begun = performance.now();
  const pending = () => document.querySelector("[data-pending]");
  const drawn = new Promise((resolve) => new MutationObserver(() => pending() || resolve())
    .observe(figure, { attributeFilter: ["data-state"] }));
  Object.entries(traits).forEach(([name, value]) => model.set(name, value));
  await drawn;
  await new Promise(requestAnimationFrame);
  return performance.now() - begun;
}"""


def report(name, times):
    median, high = np.percentile(times, [50, 95])
    print(f"{name}: median {median:.1f} ms, 95th percentile {high:.1f} ms, {len(times)} times")


def latencies(page, act):
    page.evaluate("() => { latencies.length = work.length = 0; }")
    act()
    page.wait_for_timeout(200)
    page.wait_for_selector("[data-pending]", state="detached")
    return page.evaluate("latencies")


def drag(page, selector, steps=200):
    """Drag over all elements that match the selector."""
    boxes = [box.bounding_box() for box in page.locator(selector).all()]
    page.mouse.move(boxes[0]["x"] + 4, boxes[0]["y"] + 4)
    page.mouse.down()
    for step in range(steps):
        box = boxes[(7 * step) % len(boxes)]
        page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.up()


def type_text(page, characters):
    page.locator("textarea").focus()
    page.keyboard.press("Control+End")
    for character in characters:
        page.keyboard.type(character)
        page.wait_for_function("document.querySelector('textarea').value === model.get('text')")
        page.wait_for_selector("[data-pending]", state="detached")


def main():
    text = 2 * f"{SENTENCE}. "
    model = load()
    tokens = model.encode(text)[-64:]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_browser(), args=ARGUMENTS)
        page = browser.new_page(viewport={"width": 1000, "height": 1000})
        page.set_default_timeout(120_000)
        page.set_content(figure_page(language_model_figure(text).figure))
        page.locator("textarea").focus()  # the model loads on first interaction
        page.wait_for_selector("[data-pending]", state="detached")
        page.evaluate(WATCH)
        for what, elements in [("the query", ".chips rect"), ("the head", ".grounds rect")]:
            report(f"choose {what}", latencies(page, lambda elements=elements: drag(page, elements)))
            report(f"choose {what}, work alone", page.evaluate("work"))
        for scope, where in enumerate(SCOPES):
            for index, name in enumerate(KERNEL_LABELS):
                traits = {"kernel_index": index, "scope_index": scope, "features_index": 2}
                times = [page.evaluate(SWAP, {**traits, "temperature": 0.5 + step / 10}) for step in range(9)]
                report(f"swap to {name}, {where}", times)
        report("type, Performer with 256 features", latencies(page, lambda: type_text(page, "Once there was")))
        page.evaluate(SWAP, {"kernel_index": 0, "temperature": 1.0})
        report("type, as trained", latencies(page, lambda: type_text(page, " a poor old man")))
    for name, kernels in [("as trained", None), ("Performer", {"all": ("performer", 256, 0)})]:
        times = []
        for _ in range(9):
            begun = time.perf_counter()
            model.run(tokens, kernels)
            times.append(1000 * (time.perf_counter() - begun))
        report(f"lib's run, {name}", times)


if __name__ == "__main__":
    main()
