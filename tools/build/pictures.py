"""Draw the still pictures of the live figures: figures/live-<address>.svg, in their initial state.

A page shows the still picture until its live figure is drawn, and in print, on GitHub or without scripts. Each
file is self-contained, and light or dark according to the reader's system. The front page's is also in the preview
image of links to the course; each chapter has an image of its own. Run by `make pictures`.
"""

import json
import re
import sys
from io import BytesIO
from pathlib import Path

from PIL import Image
from playwright.sync_api import sync_playwright

from tools.build import chapter_pictures
from tools.build.find_browser import ARGUMENTS, MISSING, find_browser
from tools.build.kernel.plots import PICTURE, shrink
from tools.build.notebook_text import words_of

ROOT = Path(__file__).resolve().parents[2]
VIEWPORT, PHONE = {"width": 1280, "height": 900}, {"width": 375, "height": 812}
ASSETS = ROOT / "_ext" / "course" / "assets"

# No chapter opens with these: they come later in their chapters, or belong to other pages.
STAYS = re.compile("signs|inpainting|published-model|ring|years|your-.*|one-head|prediction-.*")

CARD = """
<div style="position: fixed; inset: 0; z-index: 9999; display: flex; align-items: center; gap: 36px;
  padding: 0 44px; background: var(--paper); color: var(--ink); font-family: 'Source Serif 4'">
  <div style="flex: 1">
    <p style="font-size: 26px; line-height: 1.3; margin: 0 0 18px; color: var(--muted)">{above}</p>
    <p style="font-size: 54px; line-height: 1.12; margin: 0 0 26px">{title}</p>
    <p style="font-size: 26px; line-height: 1.3; margin: 0; color: var(--muted)">{below}</p>
  </div>
  <img src="{picture}" alt="" style="width: {width}px; max-width: none; flex: none; display: block !important">
</div>"""
COURSE = "From kernel regression to attention"
CHAPTER = re.compile(
    r"^- \[!\[[^\]]*\]\(\S+\) \*(\d) · (\d{4})\* \*\*([^*]+)\*\*\]\(chapters/(\w+)\.ipynb\) Alike means ([^.]+)\.",
    re.MULTILINE,
)
STILL_PICTURE = Path(__file__).with_name("still_picture.js").read_text("utf8")


def still_pictures(page):
    """Return the pictures of an open page's live figures, as SVG by address, after the figures are drawn."""
    page.wait_for_load_state("networkidle")
    page.wait_for_selector(".live-figure[data-state]")
    for panel in page.locator(".live-panel").all():
        panel.locator("[data-state]").first.wait_for(state="attached")
        panel.scroll_into_view_if_needed()  # some figures load their data lazily
    page.wait_for_selector(".live-figure[data-pending]", state="detached")  # no computation is pending
    figures = page.locator(".live-figure").all()
    return {figure.get_attribute("data-address"): small(figure.evaluate(STILL_PICTURE)) for figure in figures}


def heights(page):
    """Return the heights in pixels of an open page's live figures with their sliders, wide and on a phone."""
    found = {}
    for viewport in (VIEWPORT, PHONE):
        page.set_viewport_size(viewport)
        page.wait_for_timeout(500)
        for panel in page.locator(".live-panel:has(.live-figure)").all():
            address = panel.locator(".live-figure").first.get_attribute("data-address")
            found.setdefault(address, []).append(round(panel.bounding_box()["height"]))
    return found


def small(svg):
    """Return the picture with grey pixels stored as grey, which browsers store as colours."""
    return PICTURE.sub(lambda match: f"data:image/png;base64,{shrink(match[1])}", svg)


def social_cards():
    """Yield the text and the image of every preview card, by file name."""
    rows = CHAPTER.findall(words_of(json.loads((ROOT / "intro.ipynb").read_text("utf8"))))
    first = {"above": "A course that you can move", "title": COURSE, "picture": "live-years.svg", "width": 600}
    cards = {"card.png": first | {"below": "One photograph, six methods, 1964 to 2020"}}
    for number, year, title, name, alike in rows:
        words = {"above": f"{COURSE}, chapter {number}", "title": title, "below": f"{year}: alike means {alike}"}
        cards[f"card-{name}.png"] = words | {"picture": f"chapter-{number}.svg", "width": 440}
    return cards


def social_card(browser, card):
    """Draw text beside an image, 1200 × 630 pixels."""
    page = browser.new_page(viewport={"width": 1200, "height": 630}, color_scheme="light")
    page.goto((ROOT / "_build" / "html" / "intro.html").as_uri())  # for its fonts
    card = card | {"picture": (ROOT / "figures" / card["picture"]).as_uri()}
    page.evaluate("(card) => document.body.insertAdjacentHTML('beforeend', card)", CARD.format(**card))
    page.wait_for_load_state("networkidle")
    page.evaluate("document.fonts.ready")
    screenshot = Image.open(BytesIO(page.screenshot()))
    page.close()
    return screenshot.convert("RGB").quantize(256, Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE)


def main():
    chapter_pictures.main()
    html = ROOT / "_build" / "html"
    folders = ("chapters", "pages")  # not the decks, which hide slides
    built = [html / "intro.html", *(path for name in folders for path in sorted((html / name).glob("*.html")))]
    pages = [path for path in built if "live-panel" in path.read_text("utf8")]
    found = {}
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_browser() or sys.exit(MISSING), args=ARGUMENTS)
        for path in pages:
            page = browser.new_page(viewport=VIEWPORT, reduced_motion="reduce")  # animations do not start
            page.goto(path.as_uri())
            for address, svg in still_pictures(page).items():
                target = ROOT / "figures" / f"live-{address}.svg"
                target.write_text(svg, "utf8")
                print(f"{target.relative_to(ROOT)}: {len(svg) / 1000:.0f} kB")
            found |= heights(page)
            page.close()
        found = {name: found[name] for name in sorted(found) if not STAYS.fullmatch(name)}
        lines = ",\n".join(f'  "{name}": {each}' for name, each in found.items())
        (ROOT / "figures" / "heights.json").write_text(f"{{\n{lines}\n}}\n", "utf8")
        for name, card in social_cards().items():
            target = ASSETS / name
            social_card(browser, card).save(target, optimize=True)
            print(f"{target.relative_to(ROOT)}: {target.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main()
