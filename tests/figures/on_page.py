"""Checks of the figures on a page of the site: still pictures, sliders, answers, and their room in the window."""

import re

import numpy as np
from playwright.sync_api import expect

from tests.conftest import ROOT, faults
from tests.gestures import settled, state
from tests.pictures import numbers_and_pixels
from tools.build.pictures import still_pictures

LAPTOP = {"width": 1366, "height": 641}
HEADER = 56  # its largest height in pixels; it covers the top of the window
EDGES = """(panel) => {
  const parts = [...panel.querySelectorAll(".live-figure, .controls")].filter((part) => part.checkVisibility());
  const edges = parts.map((part) => part.getBoundingClientRect());
  return [edges[0].top, Math.max(...edges.map(({ bottom }) => bottom))];
}"""


def assert_still_picture_is_in_step(page, address, drawn):
    """It is self-contained and equals the figure to a fifth of a pixel. If this fails, run `make pictures`."""
    kept = (ROOT / "figures" / f"live-{address}.svg").read_text("utf8")
    assert len(kept) < 60_000 and "http" not in re.sub(r'xmlns(:\w+)?="[^"]*"', "", kept)
    assert "prefers-color-scheme: dark" in kept and not re.search(r"tabindex|<a[ >]", kept)
    assert not re.search(r'class="truths"(?!\s*/>)', kept), "an answer is given away"
    texts = [re.sub(r"hatch-\w+", "hatch", text) for text in (kept, drawn)]  # random IDs
    (words, numbers, photographs), (other_words, other_numbers, others) = map(numbers_and_pixels, texts)
    assert words == other_words
    np.testing.assert_allclose(numbers, other_numbers, atol=0.2)
    for one, other in zip(photographs, others, strict=True):
        np.testing.assert_allclose(one, other, atol=1.5 / 255)
    assert page.locator(f"img[src*='live-{address}.svg']:not([alt=''])").is_hidden(), "two pictures"


def assert_sliders_move_the_figure(page, panel):
    now = lambda: panel.locator(".live-figure").get_attribute("data-state")
    words = lambda: panel.locator(".widget-readout").all_inner_texts()
    settled(page)
    start, said = now(), words()
    for handle in panel.locator(".noUi-handle:visible").all():
        before, told = now(), words()
        handle.focus()
        page.keyboard.press("ArrowRight")
        if now() == before:
            page.keyboard.press("ArrowLeft")
        assert now() != before and words() != told, handle.get_attribute("aria-label")
    for menu in panel.locator("select:visible").all():
        before, chosen = now(), menu.evaluate("menu => menu.selectedIndex")
        menu.select_option(index=(chosen + 1) % menu.locator("option").count())
        assert now() != before
    panel.get_by_role("button", name="Reset").click()
    settled(page)
    assert (now(), words()) == (start, said)


# Remove all but the figures, their places in the text, and the links to their settings: a change of size would lay
# all of it out again.
LEAVE_FIGURES = """() => {
  const places = "script[type='application/vnd.jupyter.widget-view+json']";
  const kept = `.live-panel:has(.live-figure), ${places}, a[href^='#'][href*='=']`;
  for (const one of document.querySelectorAll("main *, header *")) {
    if (!one.closest(kept) && !one.querySelector(kept)) one.remove();
  }
  document.querySelector("main").style.paddingBlock = "100vh"; // each figure can reach both ends of the window
}"""


def more_keys(was, now):
    return now["keys_for_90_percent"] > was["keys_for_90_percent"]


def farther_from_clean(was, now):
    clean = 0.45  # as the chapter says
    return more_keys(was, now) and abs(now["estimate"] - clean) > abs(was["estimate"] - clean)


def ellipses_are_better(was, now):
    gain = now["ellipses_psnr"] - now["circles_psnr"]
    return (was["kernel"], now["kernel"]) == ("circles", "ellipses") and gain > 0.4


def same_word_half_as_likely(was, now):
    words = {each["next"][0]["word"] for each in (was, now)}
    return words == {" King"} and 0.4 < now["estimate"] / was["estimate"] < 0.6


def both_change(was, now):
    return all(now[name] != was[name] for name in ("estimate", "gaussian_estimate"))


FOR_90, POSITION = "keys_for_90_percent", "position_block"
RIGHT = {  # the condition on the numbers before and after for the answer that the chapter calls correct
    "regression": ("22", lambda was, now: now[FOR_90] == 22 and now["bandwidth"] == 2 * was["bandwidth"]),
    "signs": (
        "the far left ones",
        lambda was, now: (was["query"], now["query"]) == (1, -1) and now["estimate"] != was["estimate"],
    ),
    "pixel-bilateral": ("bright ones: it rises", lambda was, now: now["estimate"] > was["estimate"]),
    "pixel-nonlocal-means": ("more, farther", farther_from_clean),
    "pixel-lark": ("to more", more_keys),
    "inpainting": ("smooth outlines", ellipses_are_better),
    "pixel-unified": ("along the edge", lambda was, now: was[POSITION] != now[POSITION] == "steering"),
    "attention-vs-gaussian": (
        "both",
        both_change,
    ),
    "random-features": ("about twice", lambda was, now: 1.5 < was["error"] / now["error"] < 3),
    "attention-pairs": (
        "the fast one shrinks, the slow one grows",
        lambda was, now: now["total_variation"] < 0.02 < 0.5 < was["total_variation"],
    ),
    "language-model": ("the same word, less likely", same_word_half_as_likely),
    "head-map": ("far right", lambda was, now: now["position_overlap"] > 0.95 and now["position_offset"] == -1),
    "diffusion": (
        "a training digit",
        lambda was, now: now["distance_to_nearest"] < 0.01 and now["step"] > was["step"],
    ),
    "attention-periodic": (
        "those with the same phase",
        lambda was, now: now["step"] == "400" and 3 < now[FOR_90] < 15 < was[FOR_90],
    ),
}


def assert_the_right_answer_is_right(page, address):
    """Choose a wrong answer: the numbers before and after agree with the right answer, and the verdict says so."""
    figure = f'.live-figure[data-address="{address}"]'
    page.wait_for_selector(".live-figure[data-pending]", state="detached")
    was, answers = state(page, figure), page.locator(f"{figure} .lf-guesses button")
    assert 2 <= answers.count() <= 4
    right, holds = RIGHT[address]
    wrong = next(one for one in answers.all() if one.inner_text() != right)
    words = wrong.inner_text()
    wrong.click()
    told = re.compile(rf"^You guessed “{re.escape(words)}”, and the answer is “{re.escape(right)}”\.")
    expect(page.locator(f"{figure} .verdict")).to_have_text(told)  # one figure animates the change
    page.wait_for_selector(".live-figure[data-pending]", state="detached")
    now = state(page, figure)
    assert now["guess"] == words
    assert page.locator(f"{figure} .lf-guesses .lf-right").inner_text() == right
    assert holds(was, now), (was, now)


SIZES = [(1366, 641), (375, 667)]  # taller windows of the same width have more room
# Choose each answer at the lower end of the window. Returns those whose verdict is outside the window.
UNSEEN = """async (figure) => {
  const frame = () => new Promise((done) => requestAnimationFrame(done));
  const [verdict, chips] = [figure.querySelector(".verdict"), [...figure.querySelectorAll(".lf-guesses button")]];
  const reset = [...figure.querySelectorAll(".lf-foot button")].find((one) => one.textContent === "Reset");
  const unseen = [];
  for (const chip of chips) {
    reset.click();
    await frame();
    chip.scrollIntoView({ block: "end" });
    chip.click();
    while (!figure.matches(".lf-judged")) await frame();
    const [{ top, bottom }, pressed] = [verdict.getBoundingClientRect(), chip.getBoundingClientRect()];
    if (top < 0 || bottom > innerHeight || bottom - top < 14 || pressed.top < 0) unseen.push(chip.textContent);
  }
  reset.click();
  return unseen;
}"""


def assert_verdicts_are_in_the_window(page):
    """Of all figures on the page, because a change of size lays out the whole page again."""
    size = page.viewport_size
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        for figure in page.locator(".live-figure:has(.lf-guesses button)").all():
            address = figure.get_attribute("data-address")
            assert figure.evaluate(UNSEEN) == [], f"{address} at {width} × {height}"
    page.set_viewport_size(size)


def assert_figures_are_right_on_their_page(page):
    """Pages with figures are slow to open, so everything that concerns a figure on its page is checked at once."""
    for address, drawn in still_pictures(page).items():
        assert_still_picture_is_in_step(page, address, drawn)
    page.set_viewport_size(LAPTOP)
    page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    for panel in page.locator(".live-panel:has(.live-figure[data-state])").all():
        address = panel.locator(".live-figure").get_attribute("data-address")
        if address != "language-model":  # tested separately
            top, bottom = panel.evaluate(EDGES)
            assert bottom - top <= LAPTOP["height"] - HEADER, address
            assert_sliders_move_the_figure(page, panel)
        if panel.locator(".live-figure .lf-guesses").count():
            assert_the_right_answer_is_right(page, address)
            top, bottom = panel.evaluate(EDGES)
            assert bottom - top <= LAPTOP["height"] - HEADER, f"{address} after a guess"
    assert_verdicts_are_in_the_window(page)
    assert faults(page, ".live-panel") == []
