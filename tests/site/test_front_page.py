"""The front page: its first screen, its chapters, and what a link to a page shows elsewhere."""

import re
from html import unescape

import nbformat
import pytest
from PIL import Image
from playwright.sync_api import expect

from lib.constants import PALETTE
from lib.figures.years import TERMS, WORDS
from lib.years import METHODS
from tests.conftest import ROOT, faults
from tests.gestures import has_focus, middle, scroll, settled, state, swipe, touching
from tests.pages import NUMBERED, PAGES, until, wait_for_files
from tools.build.pictures import CHAPTER
from tools.edition import set_url

ITEM = re.compile(
    r"^- \[!\[([^\]]+)\]\((\S+)\).*\]\((\S+)\.ipynb\) Alike means [^.]+\. \*(\d+) minutes\. Needs ([^.]+)\.\*$",
    re.MULTILINE,
)


def words_of(name):
    cells = nbformat.read(ROOT / f"{name}.ipynb", as_version=4).cells
    return "\n".join(cell.source for cell in cells if cell.cell_type == "markdown")


def chapters_in(text):
    """Return the numbers of the chapters that a text names, such as "chapters 1 to 3"."""
    ranges = [range(int(first), int(last) + 1) for first, last in re.findall(r"(\d) to (\d)", text)]
    return {*map(int, re.findall(r"\d", text)), *(number for each in ranges for number in each)}


def test_grid_lists_each_chapter_with_its_description():
    words = words_of("intro")
    chapters = CHAPTER.findall(words)
    assert (
        [f"chapters/{name}" for *_, name, _ in chapters]
        == NUMBERED
        == [name for _, _, name, *_ in ITEM.findall(words)]
    )
    for (number, year, title, *_), (_, picture, name, minutes, needs) in zip(
        chapters, ITEM.findall(words), strict=True
    ):
        own = words_of(name)
        assert own.startswith(f"# {number}. {title}\n") and picture == f"figures/chapter-{number}.svg"
        assert f"\n| **Time** | core {minutes} minutes," in own, name
        assert re.search(rf"^\| Years? and authors \|.*{year}", own, re.MULTILINE), name
        assert words.count(f"**{title}**") == 1, "listed twice"
        own_needs = re.search(r"^\| \*\*You need\*\* \| ([^;|]+)", own, re.MULTILINE)[1]
        assert chapters_in(needs) == chapters_in(own_needs), name


@pytest.mark.parametrize("name", [name for name in PAGES if name != "genindex"])  # Sphinx writes that one
def test_link_preview_has_title_description_and_image(built_site, name):
    page = (built_site / f"{name}.html").read_text("utf8")
    tags = re.findall(r'<meta (?:property|name)="([\w:]+)" content="([^"]*)"', page)
    found = {name: unescape(content) for name, content in tags}
    owner, repository = set_url.configured_address().removeprefix("https://github.com/").split("/")
    pages = f"https://{owner.lower()}.github.io/{repository}/"
    assert found["og:url"] == f"{pages}{name}.html"
    own = f"card-{name.rpartition('/')[2]}.png" if re.search(r"/\d\d_", name) else "card.png"
    assert found["og:image"] == f"{pages}_static/{own}"
    assert found["og:title"] and "<" not in found["og:title"]
    assert len(found["og:description"]) <= 200
    assert name != "intro" or found["og:description"].endswith("by the same formula."), "cut off"


def test_preview_cards_have_the_size_of_social_networks(built_site):
    paths = list((built_site / "_static").glob("card*.png"))
    assert len(paths) == len(NUMBERED) + 1
    for path in paths:
        with Image.open(path) as picture:
            assert picture.size == (1200, 630)
        assert path.stat().st_size < 300_000


PICTURE = "img[src*='live-years']"


def test_front_page_shows_image_without_javascript(site, browser):
    context = browser.new_context(viewport={"width": 1280, "height": 800}, java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{site}/intro.html")
    words, picture, next_screen = (
        page.locator(part).first.bounding_box() for part in ("article h1", PICTURE, "#point-at-a-word")
    )
    context.close()
    svg = (ROOT / "figures" / "live-years.svg").read_text("utf8")
    width, height = map(float, re.search(r'viewBox="\S+ \S+ (\S+) (\S+)"', svg).groups())
    assert picture["width"] > 400
    assert picture["height"] / picture["width"] == pytest.approx(height / width, rel=0.01), "its own proportions"
    assert words["x"] + words["width"] <= picture["x"]
    assert picture["y"] + picture["height"] <= next_screen["y"]


MOVED = """() => new Promise((resolve) => {
  const ofFigure = (entry) => entry.sources.some(({ node }) => node?.closest?.(".live-panel"));
  const sum = (entries) => entries.filter(ofFigure).reduce((total, entry) => total + entry.value, 0);
  new PerformanceObserver((list) => resolve(sum(list.getEntries())))
    .observe({ type: "layout-shift", buffered: true });
  setTimeout(() => resolve(0), 500);
})"""


def opened(page, site):
    """Open the front page, where nothing moves when the figure takes the place of its picture."""
    page.goto(f"{site}/intro.html")
    page.wait_for_selector(".years-figure[data-state]")
    assert len(page.locator(PICTURE).get_attribute("alt").split()) > 20
    assert page.locator(PICTURE).is_hidden()
    wait_for_files(page)
    settled(page)
    assert page.evaluate(MOVED) < 0.02


START = "a:has-text('Read chapter 1')"
FIRST = [
    "article h1",
    "h1 + p",
    START,
    ".lf-play",
    "canvas.photo",
    ".years",
    ".code",
    ".noUi-handle",
    ".lf-sentence",
]
ON_A_DESK = [
    *FIRST,
    "article li:has-text('Here for attention')",
    "article li:has-text('Teaching')",
    ".lf-foot",
]


@pytest.mark.parametrize(
    "width, height, parts, mode",
    [
        (1366, 641, ON_A_DESK, "light"),
        pytest.param(1440, 900, ON_A_DESK, "dark", marks=pytest.mark.long),
        (375, 667, FIRST, "dark"),
        pytest.param(390, 844, FIRST, "light", marks=pytest.mark.long),
    ],
)
def test_first_screen_is_complete(site, new_page, width, height, parts, mode):
    page = new_page(viewport={"width": width, "height": height}, color_scheme=mode)
    opened(page, site)
    page.wait_for_selector(f"html[data-theme={mode}]", state="attached")
    for part in parts:
        box = page.locator(part).first.bounding_box()
        assert 0 <= box["y"] and box["y"] + box["height"] <= height, part
        assert 0 <= box["x"] and box["x"] + box["width"] <= width, part
    assert page.locator(START).get_attribute("href") == "chapters/01_nadaraya_watson.html"
    assert faults(page) == []


def test_list_of_pages_opens_on_demand(site, new_page):
    page = new_page(viewport={"width": 1366, "height": 641})
    opened(page, site)
    pages = page.locator("#pages")
    assert pages.is_hidden() and page.locator(".site-name").inner_text() == "From kernel regression to attention"
    page.get_by_role("button", name="All pages").click()
    expect(pages).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") == 1366
    page.keyboard.press("Escape")
    expect(pages).to_be_hidden()


LINES = "h1 => h1.offsetHeight / parseFloat(getComputedStyle(h1).lineHeight)"


# On both sides of the widths at which the style sheets change the layout, and the smallest and largest screens
CHANGES = (341, 481, 601, 621, 701, 721, 1100, 1366, 1600, 1700)
EDGES = [320, *(width + step for width in CHANGES for step in (-1, 0)), 1920]
WIDTHS = {"edges": EDGES, "all": range(320, 1921, 32)}


@pytest.mark.variant
@pytest.mark.parametrize("widths", ["edges", pytest.param("all", marks=pytest.mark.long)])
def test_nothing_overlaps_or_scrolls_sideways_at_any_width(site, page, widths):
    opened(page, site)
    parts = (
        "article h1",
        "h1 + p",
        "h1 + p + p",
        START,
        "section > ul > li",
        ".live-panel:has(.years-figure)",
    )
    within = [".stops button", "canvas.photo", ".code", ".lf-sentence", ".live-panel .controls", ".lf-foot"]
    for width in WIDTHS[widths]:
        page.set_viewport_size({"width": width, "height": 800})
        page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        assert page.evaluate("document.documentElement.scrollWidth") == width
        assert page.locator("article h1").evaluate(LINES) < 2.1, width
        assert touching(page, *parts, "#point-at-a-word") == [], width
        assert touching(page, *within, ".lf-play") == [], width


def test_slider_buttons_keyboard_and_touch_change_year(site, new_page):
    page = new_page(viewport={"width": 1366, "height": 641}, reduced_motion="reduce")
    opened(page, site)
    slider = page.get_by_role("slider", name="year")
    assert slider.count() == 1
    box, years = page.locator(".noUi-base").bounding_box(), [*TERMS, WORDS]
    for k, year in enumerate(years):
        button = page.get_by_role("button", name=re.compile(str(year), re.IGNORECASE))
        centre = button.bounding_box()["x"] + button.bounding_box()["width"] / 2
        assert centre == pytest.approx(box["x"] + box["width"] * k / (len(years) - 1), abs=8), "above its stop"
        page.mouse.click(box["x"] + 0.99 * box["width"] * k / (len(years) - 1), box["y"] + box["height"] / 2)
        assert settled(page)["year"] == year
        page.wait_for_selector(".noUi-state-tap", state="detached")  # the slider ignores the mouse while it moves
        foot = page.locator(".lf-foot").first.bounding_box()
        assert foot["y"] + foot["height"] <= 641, f"{year}: the sentence is too long"
    slider.focus()
    page.keyboard.press("ArrowLeft")
    assert state(page)["year"] == years[-2]
    page.get_by_role("button", name=re.compile("2005")).click()
    assert state(page)["year"] == 2005
    page.get_by_role("button", name="Play").click()
    assert state(page)["year"] == years[-1]


def test_tab_order_of_first_screen_is_reading_order(site, new_page):
    page = new_page(viewport={"width": 1366, "height": 641}, reduced_motion="reduce")
    opened(page, site)
    page.locator("article h1").click()
    for part in ("a[href*='01_nadaraya']", ".query-handle", ".lf-play", ".stops button"):
        for _ in range(12):
            page.keyboard.press("Tab")
            if has_focus(page, part):
                break
        else:
            raise AssertionError(part)


def test_touch_drags_ring_and_scrolls_elsewhere(site, phone):
    opened(phone, site)
    before = settled(phone)
    swipe(phone, *middle(phone, ".query-handle"), right=40, down=-20)
    now = settled(phone)
    assert now["query"] != before["query"] and phone.evaluate("scrollY") == 0
    x, y = middle(phone, ".grip")
    assert scroll(phone, x + 60, y, right=0, down=-200) > 20
    assert settled(phone) == now


def fill_of(element):
    return element.evaluate("one => getComputedStyle(one).fill")


def test_chapter_grid_is_three_by_three_and_themed(site, new_page):
    page = new_page(viewport={"width": 1366, "height": 641}, reduced_motion="reduce")
    opened(page, site)
    alts = [alt for alt, *_ in ITEM.findall(words_of("intro"))]
    for mode in ("light", "dark"):
        page.emulate_media(color_scheme=mode)
        page.wait_for_selector(f"html[data-theme={mode}]", state="attached")
        shown = page.locator(".chapters svg[role=img]:visible")
        assert [image.get_attribute("aria-label") for image in shown.all()] == alts and len(set(alts)) == len(alts)
        assert shown.locator("image").count() == 7, "loupes, the same in both modes"
        color = tuple(bytes.fromhex(PALETTE[mode]["weight"].removeprefix("#")))
        squares = shown.locator("path[fill-opacity]")
        assert squares.count() and {fill_of(squares.first), fill_of(squares.last)} == {f"rgb{color}"}
    boxes = [item.bounding_box() for item in page.locator(".chapters li").all()]
    assert len({box["x"] for box in boxes}) == len({box["y"] for box in boxes}) == 3


PHOTOGRAPH = ROOT / "lib" / "datasets" / "cat.png"
DROP = """([root, bytes]) => {
  const data = new DataTransfer();
  data.items.add(new File([Uint8Array.from(bytes)], "mine.png", { type: "image/png" }));
  document.querySelector(root).dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true }));
}"""


@pytest.mark.parametrize("scheme", [pytest.param("http", marks=pytest.mark.long), "file"])
def test_photograph_dropped_on_the_cat_opens_own_data(site, built_site, page, scheme):
    page.goto(f"{site if scheme == 'http' else built_site.as_uri()}/intro.html")
    page.wait_for_selector(".years-figure[data-state]")
    page.evaluate(DROP, [".years-figure", list(PHOTOGRAPH.read_bytes())])
    page.wait_for_url("**/pages/your_data.html#a-photograph")
    with Image.open(PHOTOGRAPH) as picture:
        size = picture.size
    own = ".your-photo-figure"
    page.locator(own).scroll_into_view_if_needed()
    until(lambda: (state(page, own)["width"], state(page, own)["height"]) == size, page)
    page.reload()
    page.locator(own).scroll_into_view_if_needed()
    page.wait_for_selector(f"{own}[data-state]")
    until(lambda: (settled(page, own)["width"], settled(page, own)["height"]) == (250, 210), page)


def test_file_that_is_no_photograph_or_not_kept_is_reported(site, page):
    page.goto(f"{site}/intro.html")
    page.wait_for_selector(".years-figure[data-state]")
    picker = page.locator(".years-figure input[type=file]")
    picker.set_input_files({"name": "a.txt", "mimeType": "text/plain", "buffer": b"King"})
    problem = page.locator(".years-figure .lf-problem")
    expect(problem).to_have_text("Expected a photograph, got something else.")
    page.evaluate("void (indexedDB.open = () => { throw new Error('no storage'); })")
    picker.set_input_files(PHOTOGRAPH)
    expect(problem).to_contain_text("open the page for your own data")
    assert page.url.endswith("/intro.html")


def test_images_of_front_page_stay_below_size_limits(built_site):
    """The benchmarks measure the size of a visit; these parts occur on this page only."""
    sizes = {path.name: path.stat().st_size for path in (ROOT / "lib" / "datasets").glob("cat_face*")}
    assert sizes.pop("cat_face.png") < 100_000 and max(sizes.values()) < 10_000 and len(sizes) == len(METHODS)
    assert (ROOT / "figures" / "live-years.svg").stat().st_size < 60_000


def test_pointed_word_changes_query(site, page):
    page.goto(f"{site}/intro.html")
    figure = ".one-head-figure"
    page.locator(figure).scroll_into_view_if_needed()
    before = settled(page, figure)
    page.mouse.move(*middle(page, f"{figure} .words text:nth-child(5)"))
    now = settled(page, figure)
    assert (before["query"], now["query"], now["words"][4]) == (35, 4, " King")
    assert max(now["weights"]) == now["weights"][4] > 0.5


def test_typed_sentence_fetches_model_once(site, page):
    """The model, which few readers use, is loaded with the first sentence or appended word only."""
    page.goto(f"{site}/intro.html")
    page.wait_for_selector(".one-head-figure[data-state]")
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    page.get_by_label("Your own sentence").fill("A frog and a king")
    page.locator(".one-head-figure .lf-sentence").get_by_text("“king” attends most to").wait_for()
    page.get_by_label("Your own sentence").fill("A frog and a queen")
    parts = [url for url in asked if "/figures/" in url]
    assert len(parts) == len(set(parts)) == 2, "the model and its worker"
    assert sum(len(page.request.get(part).body()) for part in parts) < 1_500_000
