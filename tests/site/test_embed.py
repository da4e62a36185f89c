"""Pages with one figure: live, light, in a frame of any host, and the same numbers as on the figure's own page."""

import gzip
import json
import re
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from tests.axe import run_axe
from tests.conftest import ROOT
from tests.headers import VIOLATIONS, policy, text_of
from tests.pages import WCAG, is_narrow, mark_variants, until, wait_for_files

LIMIT = 0.35e6  # bytes over the network, gzipped
FRAME = '<iframe src="{}" width="640" height="700" title="Figure" {}></iframe>'
HEAR = "window.heard = []; addEventListener('message', ({ data }) => heard.push(data));"
NAMES = sorted(path.stem.removeprefix("live-") for path in (ROOT / "figures").glob("live-*.svg"))
OTHERS = {"attention-periodic", "prediction-far"}  # another figure has the same files
OTHERS |= {name for name in NAMES if re.match(r"pixel-(?!bilateral)|prediction-(?!edge)", name)}
EACH_CONTROL = (
    "regression",
    "attention-pairs",
    "random-features",
)  # sliders, menus, stops, and the folded settings


SHARED_FROM = {  # a figure with a chapter, in which its panel is wider than its own page
    "regression": "01_nadaraya_watson",
    "prediction-far": "01_nadaraya_watson",
    "pixel-bilateral": "02_bilateral",
    "attention-pairs": "06_attention",
}
REMEMBER = "navigator.clipboard.writeText = async (text) => { window.copied = text; };"
FORBID = "Object.defineProperty(navigator, 'clipboard', { value: undefined });"


def share(figure, name):
    """Choose from the menu of a figure."""
    figure.get_by_role("button", name="Share").click()
    figure.get_by_role("menuitem", name=name).click()


def offers(figure):
    figure.get_by_role("button", name="Share").click()
    return figure.get_by_role("menuitem").all_inner_texts()


def opened(page, location):
    page.goto(location)
    page.locator(".live-figure[data-state]").wait_for()
    return page.locator(".live-figure")


def state_of(figure):
    return json.loads(figure.get_attribute("data-state"))


def test_every_figure_has_page(built_site):
    assert sorted(path.stem for path in (built_site / "embed").glob("*.html")) == NAMES


@mark_variants(OTHERS, NAMES)
def test_embed_page_is_light_and_follows_policy(site, name, page):
    page.add_init_script(VIOLATIONS)
    sizes = []
    page.on("response", lambda response: sizes.append(len(gzip.compress(response.body()))))
    opened(page, f"{site}/embed/{name}.html")
    wait_for_files(page)
    assert page.evaluate("violations") == [] and page.locator(".live-figure").count() == 1
    assert 10e3 < sum(sizes) < LIMIT


@pytest.mark.parametrize("name", EACH_CONTROL)
def test_embed_page_is_accessible_on_phone(name, site, new_page):
    page = new_page(viewport={"width": 375, "height": 700})
    opened(page, f"{site}/embed/{name}.html")
    assert is_narrow(page)
    assert run_axe(page, runOnly=WCAG) == []


def test_embed_page_shows_state_in_url(built_site, site, new_page):
    setting = "#regression=query:2,bandwidth:1.2,kernel:boxcar"
    states = [
        state_of(opened(new_page(), where))
        for where in (
            f"{site}/embed/regression.html{setting}",
            f"{(built_site / 'embed' / 'regression.html').as_uri()}{setting}",
        )
    ]
    page = new_page(viewport={"width": 1280, "height": 800})
    page.goto(f"{site}/chapters/01_nadaraya_watson.html{setting}")
    chapter = page.locator(".live-figure[data-address=regression][data-state*='boxcar']")
    assert states == [state_of(chapter)] * 2 and states[0]["query"] == 2


def test_native_controls_set_figure(site, page):
    figure = opened(page, f"{site}/embed/regression.html")
    page.get_by_role("slider", name="bandwidth h").press("ArrowRight")
    page.get_by_role("combobox", name="kernel").select_option("boxcar")
    assert state_of(figure)["bandwidth"] == 0.71 and state_of(figure)["kernel"] == "boxcar"
    page.get_by_role("button", name="Reset").click()
    assert page.get_by_role("slider", name="bandwidth h").input_value() == "0.7"
    assert page.get_by_role("combobox", name="kernel").input_value() == "gaussian"


def test_further_settings_unfold(site, page):
    opened(page, f"{site}/embed/attention-pairs.html")
    extra = page.locator(".controls > .extra")
    assert extra.count() and not extra.first.is_visible()
    page.get_by_role("checkbox", name="more settings").check()
    assert extra.first.is_visible()


@pytest.mark.parametrize(
    "stated, system, shown", [("dark", "light", "dark"), ("light", "dark", "light"), ("", "dark", "dark")]
)
def test_theme_follows_url_then_system(stated, system, shown, site, new_page):
    page = new_page(color_scheme=system)
    opened(page, f"{site}/embed/regression.html?theme={stated}")
    assert page.locator("html").get_attribute("data-theme") == shown


@pytest.mark.parametrize("sandbox", ["", 'sandbox="allow-scripts"'], ids=["plain", "sandboxed"])
def test_frame_on_other_host_works_and_announces_height(sandbox, site, page, other_host):
    page.goto(other_host)
    page.evaluate(HEAR)
    code = FRAME.format(f"{site}/embed/regression.html", sandbox)
    page.evaluate("(code) => { document.body.innerHTML = code; }", code)
    figure = page.frame_locator("iframe").locator(".live-figure[data-state]")
    before = state_of(figure)
    figure.locator(".query-handle").press("ArrowRight")
    assert state_of(figure)["query"] > before["query"]
    page.wait_for_function("heard.length > 0")
    *_, last = page.evaluate("heard")
    box = page.frame_locator("iframe").locator("main").bounding_box()
    assert last["figure"] == "regression" and 0 <= last["height"] - box["height"] < 1


def test_frame_out_of_sight_announces_height(site, page, other_host):
    page.goto(other_host)
    page.evaluate(HEAR)
    code = '<div style="height: 20000px"></div>' + FRAME.format(f"{site}/embed/regression.html", "")
    page.evaluate("(code) => { document.body.innerHTML = code; }", code)
    page.wait_for_function("heard.length > 0")
    assert page.evaluate("heard[0].height") > 500 and page.evaluate("scrollY") == 0


def test_only_embed_pages_open_in_any_frame(built_site):
    text = text_of(built_site)
    assert policy(text, "/embed/regression.html")["frame-ancestors"] == "*"
    assert policy(text, "/intro.html")["frame-ancestors"] == "'self'"


def test_link_to_chapter_leads_to_course(built_site, page):
    figure = opened(page, (built_site / "embed" / "years.html").as_uri())
    link = figure.get_by_role("link", name=re.compile("Chapter"))
    with page.expect_popup() as popup:
        link.click()
    assert popup.value.url == (built_site / "chapters" / "01_nadaraya_watson.html").as_uri()
    popup.value.close()


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=() if name in EACH_CONTROL else pytest.mark.long) for name in SHARED_FROM]
)
def test_embed_code_has_height_and_state(name, site, new_page, other_host):
    page = new_page(viewport={"width": 1280, "height": 900}, reduced_motion="reduce")
    page.add_init_script(REMEMBER)
    setting = "#regression=query:2,kernel:boxcar" if name == "regression" else f"#{name}="
    page.goto(f"{site}/chapters/{SHARED_FROM[name]}.html{setting}")
    page.locator(f"p:has(> img[src*='live-{name}.']), .opening").first.scroll_into_view_if_needed()
    figure = page.locator(f".live-figure[data-address='{name}']")
    before = figure.evaluate("figure => figure.closest('.live-panel').getBoundingClientRect().height")
    share(figure, "Copy embed code")
    figure.get_by_role("button", name="Copied").wait_for()
    code = page.evaluate("copied")
    assert figure.evaluate("figure => figure.closest('.live-panel').getBoundingClientRect().height") == before
    question = page.locator(f"[data-address={name}] .lf-question").inner_text()
    assert f'title="{question}"'.replace("\N{NO-BREAK SPACE}", " ") in code
    frame = new_page(viewport={"width": 900, "height": 900}, reduced_motion="reduce")
    frame.goto(other_host)
    frame.set_content(code)
    inside, given = frame.frame_locator("iframe"), int(re.search(r'height="(\d+)"', code)[1])
    until(lambda: state_of(inside.locator(".live-figure[data-state]")) == state_of(figure), frame)
    until(lambda: 0 <= given - inside.locator("main").bounding_box()["height"] <= 2, frame)


def test_share_menu_works_by_keyboard(site, page):
    figure = opened(page, f"{site}/embed/regression.html")
    button, items = figure.get_by_role("button", name="Share"), figure.get_by_role("menuitem")
    focused = "document.activeElement.textContent"
    button.press("Enter")
    assert button.get_attribute("aria-expanded") == "true" and page.evaluate(focused) == items.first.inner_text()
    page.keyboard.press("ArrowUp")
    assert page.evaluate(focused) == items.last.inner_text()
    page.keyboard.press("ArrowDown")
    assert page.evaluate(focused) == items.first.inner_text()
    page.keyboard.press("Escape")
    assert page.evaluate(focused) == "Share" and button.get_attribute("aria-expanded") == "false"
    button.click()
    page.locator(".lf-question").click()
    assert items.count() == 0


def test_link_is_copied_and_announced(site, page):
    page.add_init_script(REMEMBER)
    figure = opened(page, f"{site}/embed/regression.html")
    figure.locator(".query-handle").press("ArrowRight")
    share(figure, "Copy link")
    assert figure.get_by_role("status").inner_text() == "Copied"
    assert page.evaluate("copied").startswith(f"{site}/embed/regression.html#regression=query:")
    figure.get_by_role("button", name="Share").wait_for()


def test_text_is_selected_where_clipboard_is_forbidden(site, page):
    page.add_init_script(FORBID)
    figure = opened(page, f"{site}/embed/regression.html#regression=query:2")
    share(figure, "Copy link")
    field = figure.get_by_role("textbox")
    assert field.input_value() == page.url and page.evaluate("String(getSelection())") == page.url
    field.press("Escape")
    assert figure.get_by_role("textbox").count() == 0


def test_share_menu_offers_only_what_works(built_site, site, page, other_host):
    everything = ["Copy link", "Copy embed code", "Save picture", "Save animation", "Save as HTML"]
    assert offers(opened(page, f"{site}/embed/regression.html")) == everything
    from_disk = opened(page, (built_site / "embed" / "regression.html").as_uri())
    assert offers(from_disk) == [name for name in everything if name != "Copy embed code"]
    own_data = opened(page, f"{site}/embed/your-points.html")
    assert offers(own_data) == everything[:3]  # it has no Play, and the file would lack the reader's table
    page.goto(other_host)
    code = FRAME.format(f"{site}/embed/regression.html", 'sandbox="allow-scripts"')
    page.evaluate("(code) => { document.body.innerHTML = code; }", code)
    assert offers(page.frame_locator("iframe").locator(".live-figure[data-state]")) == everything[:2]


@pytest.mark.parametrize(
    "name, theme, from_disk", [("regression", "dark", True), ("pixel-bilateral", "light", False)]
)
def test_saved_picture_shows_figure(name, theme, from_disk, built_site, site, new_page):
    page = new_page(viewport={"width": 800, "height": 900}, reduced_motion="reduce")
    figure = opened(page, f"{built_site.as_uri() if from_disk else site}/embed/{name}.html?theme={theme}")
    page.wait_for_selector("[data-pending]", state="detached")
    stage, question = figure.locator(".lf-stage"), figure.locator(".lf-question")
    shown = np.asarray(Image.open(BytesIO(stage.screenshot())).convert("RGB"), float)
    with page.expect_download() as download:
        share(figure, "Save picture")
    assert download.value.suggested_filename == f"{name}.png"
    saved = Image.open(BytesIO(Path(download.value.path()).read_bytes())).convert("RGB")
    saved = np.asarray(saved.resize((saved.width // 2, saved.height // 2), Image.Resampling.BOX), float)
    height, width, _ = shown.shape
    assert question.bounding_box()["height"] < len(saved) - height < 200  # the question and the sentence are there
    shown, saved = shown[:, ::8, 1], saved[:, 12 : 12 + width : 8, 1]
    distances = [np.abs(saved[top : top + height] - shown).mean() for top in range(len(saved) - height)]
    assert min(distances) < 3 < np.median(distances)


@pytest.mark.parametrize("name, from_disk", [("regression", False), ("language-model", True)])
def test_saved_page_needs_nothing_else(site, name, from_disk, built_site, new_page, tmp_path):
    page = new_page(viewport={"width": 1280, "height": 800}, reduced_motion="reduce")
    base = built_site.as_uri() if from_disk else site
    figure = opened(page, f"{base}/embed/{name}.html")
    figure.locator("[tabindex='0']").first.press("ArrowLeft")
    with page.expect_download() as download:
        share(figure, "Save as HTML")
    file = tmp_path / download.value.suggested_filename
    download.value.save_as(file)
    page.wait_for_selector("[data-pending]", state="detached")
    alone = new_page(viewport={"width": 1280, "height": 800})
    requests, errors = [], []
    alone.on("request", lambda request: requests.append(request.url))
    alone.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
    alone.on("pageerror", lambda error: errors.append(str(error)))
    saved = opened(alone, file.as_uri())
    until(lambda: state_of(saved) == state_of(figure), alone)
    saved.locator("[tabindex='0']").first.press("ArrowLeft")
    until(lambda: state_of(saved) != state_of(figure), alone)
    outside = [url for url in requests if not url.startswith(("blob:", "data:"))]
    assert file.name == f"{name}.html" and outside == [file.as_uri()] and errors == []


def test_saved_page_leads_to_course_and_saves_itself(site, new_page, tmp_path):
    page, paths = new_page(reduced_motion="reduce"), []  # the lens does not drift, which rewrites the link
    figure = opened(page, f"{site}/embed/years.html#years=year:2005")
    for round in range(2):
        with page.expect_download() as download:
            share(figure, "Save as HTML")
        paths.append(tmp_path / f"{round}.html")
        download.value.save_as(paths[-1])
        figure = opened(page, paths[-1].as_uri())
    assert paths[0].read_text("utf8") == paths[1].read_text("utf8")
    link = figure.get_by_role("link", name=re.compile("Chapter"))
    with page.expect_popup() as popup:
        link.click()
    popup.value.wait_for_url(f"{site}/chapters/03_nonlocal_means.html")
    popup.value.close()


def images_of(path):
    """Return the images of an animated GIF, and its duration in milliseconds."""
    with Image.open(path) as gif:
        images, duration = [], 0
        for index in range(gif.n_frames):
            gif.seek(index)
            images.append(np.asarray(gif.convert("RGB"), float))
            duration += gif.info["duration"]
    return images, duration


def picture_at(figure, location, like):
    """Return the figure's own picture in a state, in the size of an image."""
    figure = opened(figure.page, location)
    with figure.page.expect_download() as download:
        share(figure, "Save picture")
    height, width, _ = like.shape
    picture = Image.open(BytesIO(Path(download.value.path()).read_bytes())).convert("RGB")
    return np.asarray(picture.resize((width, height), Image.Resampling.BOX), float)


def test_animation_shows_play_from_first_to_last_state(site, new_page, tmp_path):
    page = new_page(viewport={"width": 800, "height": 800}, reduced_motion="reduce")
    figure = opened(page, f"{site}/embed/random-features.html#random-features=features:16")
    before = state_of(figure)
    with page.expect_download() as download:
        share(figure, "Save animation")
    download.value.save_as(tmp_path / "play.gif")
    until(lambda: state_of(figure) == before, page)
    images, duration = images_of(tmp_path / "play.gif")
    assert download.value.suggested_filename == "random-features.gif"
    assert (tmp_path / "play.gif").stat().st_size < 2e6 and len(images) == 16 and abs(duration - 8000) <= 10
    ends = [
        picture_at(figure, f"{site}/embed/random-features.html?{n}#random-features=features:{n}", images[0])
        for n in (1, 256)
    ]
    distances = [[np.abs(image - end).mean() for end in ends] for image in (images[0], images[-1])]
    (first, to_last), (to_first, last) = distances
    assert 2 * first < to_last and 2 * last < to_first and max(first, last) < 4, distances  # a ghost is there too


def test_cancelled_animation_restores_state(site, page):
    figure = opened(page, f"{site}/embed/regression.html#regression=query:2")
    before, saved = state_of(figure), []
    page.on("download", lambda download: saved.append(download))
    share(figure, "Save animation")
    until(lambda: state_of(figure) != before, page)
    assert is_narrow(page)
    figure.get_by_role("button", name="Cancel").click()
    figure.get_by_role("button", name="Cancelled").wait_for()
    assert state_of(figure) == before and saved == [] and figure.get_by_role("progressbar").count() == 0
