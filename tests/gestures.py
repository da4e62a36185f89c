"""What a reader's hands do to a live figure in the browser, and what the figure then says of itself."""

import itertools
import json

SET = """async (traits) => {
  Object.entries(traits).forEach(([name, value]) => model.set(name, value));
  await null;
  return document.querySelector(".live-figure").dataset.state;
}"""


def state(page, figure=".live-figure"):
    return json.loads(page.locator(figure).first.get_attribute("data-state"))


def settled(page, figure=".live-figure"):
    """What the figure publishes when nothing is still on its way."""
    page.wait_for_selector("[data-pending]", state="detached")
    return state(page, figure)


def said(page, part=".lf-sentence"):
    """The words of a part, with plain spaces."""
    return page.locator(part).first.inner_text().replace("\u00a0", " ")


def press(page, name):
    """Press a button by its name, and read what the figure publishes then."""
    page.get_by_role("button", name=name, exact=True).click()
    return settled(page)


def after_keys(page, handle, *keys):
    """What the figure publishes after each of these keys, at a handle."""
    page.locator(handle).focus()
    states = []
    for key in keys:
        page.keyboard.press(key)
        states.append(state(page))
    return states


def has_focus(page, selector):
    return page.evaluate("selector => document.activeElement.matches(selector)", selector)


def change(page, **traits):
    """Set traits as sliders would, and read at once what the figure publishes then."""
    return json.loads(page.evaluate(SET, traits))


def choose(page, **traits):
    """Set traits as sliders would, and read what the figure publishes once all of it is there."""
    page.evaluate(SET, traits)
    return settled(page)


def touching(page, *selectors):
    """The parts of the page, by selector and number, that lie over each other."""
    boxes = [
        (f"{selector} {i}", part.bounding_box())
        for selector in selectors
        for i, part in enumerate(page.locator(selector).all())
        if part.is_visible()
    ]
    return [
        (one, other)
        for (one, a), (other, b) in itertools.combinations(boxes, 2)
        if min(a["x"] + a["width"], b["x"] + b["width"]) - max(a["x"], b["x"]) >= 1
        and min(a["y"] + a["height"], b["y"] + b["height"]) - max(a["y"], b["y"]) >= 1
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
    """One finger from here to there, in ten moves."""
    client = page.context.new_cdp_session(page)
    for step in range(11):
        kind = "touchMove" if step else "touchStart"
        finger = {"x": x + right * step / 10, "y": y + down * step / 10}
        client.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [finger]})
    client.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
