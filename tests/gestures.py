"""Simulated pointer and keyboard input for live figures, and the state that a figure publishes afterwards."""

import contextlib
import itertools
import json

SET = """async (traits) => {
  Object.entries(traits).forEach(([name, value]) => model.set(name, value));
  await null;
  return document.querySelector(".live-figure").dataset.state;
}"""


def state(page, figure=".live-figure"):
    return json.loads(page.locator(figure).first.get_attribute("data-state"))


STATE_AT_REST = """(figure) => document.querySelector(`${figure}[data-pending]`)
  ? null : document.querySelector(figure)?.dataset.state"""


def settled(page, figure=".live-figure"):
    """Return the figure's published state once none of its computations is pending."""
    if found := page.evaluate(STATE_AT_REST, figure):
        return json.loads(found)
    page.wait_for_selector(f"{figure}[data-pending]", state="detached")
    return state(page, figure)


def said(page, part=".lf-sentence"):
    """Return an element's text with ordinary spaces."""
    return page.locator(part).first.inner_text().replace("\u00a0", " ")


def press(page, name):
    """Click a button by its name and return the state that the figure then publishes."""
    page.get_by_role("button", name=name, exact=True).click()
    return settled(page)


def saved(page, name):
    """Return the content of a file that the reader saves with this button."""
    if not page.locator(".lf-take-away[open]").count():
        page.locator(".lf-take-away summary").click()
    with page.expect_download() as started:
        page.get_by_role("button", name=name).click()
    return started.value.path().read_bytes()


def run_code(code, folder):
    """Run the code that a page shows, beside the files that it saved, and return the variables."""
    found = {}
    with contextlib.chdir(folder):
        exec(compile(code, "code", "exec"), found)
    return found


def after_keys(page, handle, *keys):
    """Press each key on a handle and return the published state after each."""
    page.locator(handle).focus()
    states = []
    for key in keys:
        page.keyboard.press(key)
        states.append(state(page))
    return states


def has_focus(page, selector):
    return page.evaluate("selector => document.activeElement.matches(selector)", selector)


def change(page, **traits):
    """Set traits as sliders would, and return the published state immediately."""
    return json.loads(page.evaluate(SET, traits))


def choose(page, **traits):
    """Set traits as sliders would, and return the published state once every computation has finished."""
    page.evaluate(SET, traits)
    return settled(page)


BOXES = """(parts) => parts
  .map((part, i) => [i, part.checkVisibility({ visibilityProperty: true }), part.getBoundingClientRect()])
  .filter(([, isVisible, { width, height }]) => isVisible && width && height)
  .map(([i, , { left, top, right, bottom }]) => [i, left, top, right, bottom])"""


def touching(page, *selectors):
    """Return the pairs of elements that overlap, by selector and index."""
    boxes = [
        (f"{selector} {i}", edges)
        for selector in selectors
        for i, *edges in page.locator(selector).evaluate_all(BOXES)
    ]
    return [
        (one, other)
        for (one, (left, top, right, bottom)), (other, (x, y, end, foot)) in itertools.combinations(boxes, 2)
        if min(right, end) - max(left, x) >= 1 and min(bottom, foot) - max(top, y) >= 1
    ]


def middle(page, selector):
    box = page.locator(selector).first.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drag(page, selector, right, down=0):
    x, y = middle(page, selector)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + right / 2, y + down / 2)
    page.mouse.move(x + right, y + down)
    page.mouse.up()


def swipe(page, x, y, right, down):
    """Drag one finger between two points in ten moves."""
    client = page.context.new_cdp_session(page)
    for step in range(11):
        kind = "touchMove" if step else "touchStart"
        finger = {"x": x + right * step / 10, "y": y + down * step / 10}
        client.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [finger]})
    client.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


# Two frames later, because an earlier scroll of a script ends in the next one
SCROLL_END = """() => new Promise((ready) => requestAnimationFrame(() => requestAnimationFrame(() => {
  const top = scrollY;
  window.scrolled = new Promise((end) => {
    addEventListener("scrollend", () => scrollY !== top && end(scrollY - top));
    setTimeout(() => end(scrollY - top), 10_000); // a gesture that scrolls nothing has no event
  });
  ready();
})))"""


def scroll(page, x, y, right, down):
    """Scroll the page with a finger, and return by how many pixels it has moved when it stands still."""
    page.evaluate(SCROLL_END)
    swipe(page, x, y, right, down)
    return page.evaluate("scrolled")


def open_file(page, name, content):
    payload = {"name": name, "mimeType": "text/csv", "buffer": content}
    page.locator("input[type=file]").set_input_files(payload)


PASTE = """([text, type]) => {
  const data = new DataTransfer();
  data.setData("text/plain", text);
  const event = type === "paste" ? new ClipboardEvent("paste", { clipboardData: data, bubbles: true })
    : new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true });
  document.querySelector(".lf-stage").dispatchEvent(event);
}"""
