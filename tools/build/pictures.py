"""Draw the still pictures of the live figures: figures/live-<address>.svg, in their initial state.

A page shows the still picture until its live figure is drawn, and in print, on GitHub or without scripts. Each
file is self-contained, and light or dark according to the reader's system. The preview image of links to the
course shows the front page's figure at 2005; each chapter has an image of its own. Run by `make pictures`; with
`NAME=decay` it draws this figure's picture only.
"""

import hashlib
import json
import re
import sys
from base64 import b64encode
from io import BytesIO
from pathlib import Path

from PIL import Image
from PIL.PngImagePlugin import PngInfo
from playwright.sync_api import sync_playwright

from tools.build import chapter_pictures
from tools.build.find_browser import ARGUMENTS, MISSING, find_browser
from tools.build.kernel.plots import PICTURE, shrink
from tools.build.notebook_text import words_of

ROOT = Path(__file__).resolve().parents[2]
VIEWPORT, PHONE = {"width": 1280, "height": 900}, {"width": 375, "height": 812}
ASSETS = ROOT / "_ext" / "course" / "assets"
HEIGHTS = ROOT / "figures" / "heights.json"

# No page reserves the height of these: they come later in their chapters, or after other text.
STAYS = re.compile("signs|inpainting|published-model|ring|years|one-head|prediction-.*")

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
    r"^- \[!\[[^\]]*\]\(\S+\) \*(\d+) · (\d{4})\* \*\*([^*]+)\*\*\]"
    r"\(chapters/(\w+)\.ipynb\) Alike means ([^.]+)\.",
    re.MULTILINE,
)
STILL_PICTURE, STILL_COLORS = (
    Path(__file__).with_name(f"still_{part}.js").read_text("utf8") for part in ("picture", "colors")
)


def still_pictures(page):
    """Return the pictures of an open page's live figures, as SVG by address, after the figures are drawn."""
    page.wait_for_selector(".live-figure[data-state]")
    for panel in page.locator(".live-panel").all():
        panel.locator("[data-state]").first.wait_for(state="attached")
        panel.scroll_into_view_if_needed()  # some figures load their data lazily
    page.wait_for_selector(".live-figure[data-pending]", state="detached")  # no computation is pending
    figures = page.locator(".live-figure")
    colors = [figures.evaluate_all(STILL_COLORS, theme) for theme in ("light", "dark")]
    return {
        figure.get_attribute("data-address"): small(figure.evaluate(STILL_PICTURE, {"light": light, "dark": dark}))
        for figure, light, dark in zip(figures.all(), *colors, strict=True)
    }


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


def social_cards(lens):
    """Return the text and the image of every preview card, by file name; `lens` is the one of the course's own."""
    words = words_of(json.loads((ROOT / "intro.ipynb").read_text("utf8")))
    rows = CHAPTER.findall(words)
    headline = re.search(r"^# (.+)$", words, re.MULTILINE)[1].replace("\u00a0", " ")
    below = "Drag a ring over a photograph, click a language model’s next words, and draw into noise"
    first = {"above": f"{COURSE}, a course that you can move", "title": headline, "below": below}
    cards = {"card.png": first | {"picture": lens, "width": 600}}
    for number, year, title, name, alike in rows:
        said = {"above": f"{COURSE}, chapter {number}", "title": title, "below": f"{year}: alike means {alike}"}
        picture = (ROOT / "figures" / f"chapter-{number}.svg").read_text("utf8")
        cards[f"card-{name}.png"] = said | {"picture": picture, "width": 440}
    return cards


def lens_at_2005(browser):
    """Return the picture of the front page's figure at a year with the glint in the pupil, as SVG."""
    page = browser.new_page(viewport=VIEWPORT, reduced_motion="reduce")
    page.goto(f"{(ROOT / '_build' / 'html' / 'intro.html').as_uri()}#years=year:2005")
    picture = still_pictures(page)["years"]
    page.close()
    return picture


def social_card(browser, card):
    """Draw text beside an image, 1200 × 630 pixels."""
    page = browser.new_page(viewport={"width": 1200, "height": 630}, color_scheme="light")
    page.goto((ROOT / "_build" / "html" / "intro.html").as_uri())  # for its fonts
    card = card | {"picture": f"data:image/svg+xml;base64,{b64encode(card['picture'].encode()).decode('ascii')}"}
    page.evaluate("(card) => document.body.insertAdjacentHTML('beforeend', card)", CARD.format(**card))
    page.locator("body > div:last-child > img").evaluate("(image) => image.decode()")
    page.evaluate("document.fonts.ready.then(() => true)")
    screenshot = Image.open(BytesIO(page.screenshot()))
    page.close()
    return screenshot.convert("RGB").quantize(256, Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE)


def pages_to_draw(name=""):
    """Return the built pages with live figures, or with this figure; not the decks, which hide slides."""
    sources = [ROOT / "intro.ipynb", *(ROOT / "chapters").iterdir(), *(ROOT / "pages").iterdir()]
    built = [(ROOT / "_build" / "html" / path.relative_to(ROOT)).with_suffix(".html") for path in sorted(sources)]
    shows = f"live-{name}.svg" if name else "live-panel"
    return [path for path in built if path.exists() and shows in path.read_text("utf8")]


def draw_stills(browser, name=""):
    """Write the still pictures of all figures, or of one, and return the heights of the figures."""
    found = {}
    for path in pages_to_draw(name):
        page = browser.new_page(viewport=VIEWPORT, reduced_motion="reduce")  # animations do not start
        page.goto(path.as_uri())
        for address, svg in still_pictures(page).items():
            if name in ("", address):
                write(ROOT / "figures" / f"live-{address}.svg", svg.encode())
        found |= heights(page)
        page.close()
    return found


def write(target, content):
    target.write_bytes(content)
    print(f"{target.relative_to(ROOT)}: {len(content) / 1000:.0f} kB")


def store_heights(found):
    found = {name: found[name] for name in sorted(found) if not STAYS.fullmatch(name)}
    lines = ",\n".join(f'  "{name}": {each}' for name, each in found.items())
    HEIGHTS.write_text(f"{{\n{lines}\n}}\n", "utf8")


def draw_cards(browser):
    """Write the preview cards whose text or image has changed; their pixels depend on the machine's fonts."""
    for name, card in social_cards(lens_at_2005(browser)).items():
        target, source = ASSETS / name, digest_of(card)
        if not target.exists() or Image.open(target).info.get("source") != source:
            info = PngInfo()
            info.add_text("source", source)
            social_card(browser, card).save(stream := BytesIO(), "PNG", optimize=True, pnginfo=info)
            write(target, stream.getvalue())


def digest_of(card):
    return hashlib.sha256("\n".join([CARD, json.dumps(card)]).encode()).hexdigest()[:16]


def main(name=""):
    chapter_pictures.main()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_browser() or sys.exit(MISSING), args=ARGUMENTS)
        found = draw_stills(browser, name)
        if name and name not in found:
            sys.exit(f"name: expected the address of a figure on a page, got {name!r}")
        others = json.loads(HEIGHTS.read_text("utf8")) if name else {}
        store_heights(others | {each: found[each] for each in found if name in ("", each)})
        draw_cards(browser)


if __name__ == "__main__":
    main(*filter(None, sys.argv[1:]))
