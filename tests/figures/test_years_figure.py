"""The front page's figure in a browser: five years and a sentence equal `lib`; pointer, keys and layout."""

import json
import re
import subprocess

import numpy as np
import pytest
from PIL import Image

from lib.figures import years_figure
from lib.figures.contract.packing import SENTENCE
from lib.figures.years import TERMS
from lib.heads import keys_for_90_percent
from lib.images import DATASETS, cat_face, psnr
from lib.language_model import load
from lib.patch_attention import N_FEATURES, RADIUS
from lib.weights import average
from lib.years import (
    METHODS,
    NOISE_STD,
    attention,
    bandwidth,
    cleaned,
    noisy,
    performer,
    random_frequencies,
    weights,
)
from tests.conftest import ROOT
from tests.gestures import choose, drag, middle, press, said, scroll, settled, state, swipe
from tests.pictures import as_bytes, pixels_of
from tests.without_page import states

STILL = {"viewport": {"width": 1280, "height": 800}, "reduced_motion": "reduce"}  # no cross-fade
HEIGHT, WIDTH = 210, 250
PAPER = np.array([250, 250, 247])
PIXELS = [(71, 37), (0, 0), (0, 249), (209, 0), (209, 249), (3, 120), (130, 246), (90, 180)]


@pytest.fixture(scope="module")
def photograph():
    return noisy(cat_face())


@pytest.fixture(scope="module")
def figure():
    return years_figure().figure


def windows(image, pixels):
    """The colours around pixels, `(n, 225, 3)`."""
    padded = np.pad(image, ((RADIUS, RADIUS), (RADIUS, RADIUS), (0, 0)), mode="reflect")
    side = 2 * RADIUS + 1
    return np.array([padded[row : row + side, column : column + side].reshape(-1, 3) for row, column in pixels])


def estimate(image, year, pixel):
    return average(weights(image, pixel, year).reshape(1, -1), windows(image, [pixel])[0])[0]


def assert_matches_lib(image, now):
    expected = weights(image, now["query"], now["year"])
    np.testing.assert_allclose(now["estimate"], estimate(image, now["year"], now["query"]), rtol=0, atol=1e-9)
    assert now["keys_for_90_percent"] == keys_for_90_percent(expected.reshape(1, -1))


def assert_loupe_shows(page, image, now):
    """Each pixel of the window is faded to paper by its weight, and the heaviest are outlined."""
    row = weights(image, now["query"], now["year"]).ravel()
    seen = np.minimum(0.16 + 0.84 * row / row.max() * 1.5, 1)[:, None]
    colors = np.clip(windows(image, [now["query"]])[0], 0, 1)
    expected = PAPER + seen * (255 * colors - PAPER)
    np.testing.assert_allclose(pixels_of(page, "canvas.loupe").reshape(-1, 3), expected, atol=0.51)
    if len(np.unique(row.round(12))) < row.size and now["year"] != 1964:
        return  # a mirrored border has equal weights, of which any may be outlined
    heaviest = np.pad(row.reshape(15, 15) >= np.sort(row)[-now["keys_for_90_percent"]], 1).astype(int)
    edges = sum(np.abs(np.diff(heaviest, axis=axis)).sum() for axis in (0, 1))
    assert page.locator(".most").get_attribute("d").count("M") == edges


@pytest.mark.parametrize("year", TERMS)
def test_each_year_matches_lib_at_borders_and_inside(year, figure, photograph, show, new_page):
    page = show(figure, page=new_page(**STILL), address=f"#years=year:{year}")
    for row, column in PIXELS:
        now = choose(page, query=[row, column])
        assert (now["query"], now["year"]) == ([row, column], year)
        assert_matches_lib(photograph, now)
        assert_loupe_shows(page, photograph, now)


def test_page_noise_matches_python(figure, photograph, show, new_page):
    page = show(figure, page=new_page(**STILL))
    np.testing.assert_array_equal(pixels_of(page, "canvas.photo"), as_bytes(photograph))


def test_noise_is_normal_independent_with_given_sigma(photograph):
    noise = (photograph - cat_face()) / NOISE_STD
    quantiles = np.quantile(noise, [0.0228, 0.1587, 0.5, 0.8413, 0.9772])
    np.testing.assert_allclose(quantiles, [-2, -1, 0, 1, 2], atol=0.03)
    right, down, across = noise[:, 1:] * noise[:, :-1], noise[1:] * noise[:-1], noise[..., 1:] * noise[..., :-1]
    assert max(abs(products.mean()) for products in (right, down, across)) < 0.01
    frequencies = random_frequencies()
    assert abs(np.corrcoef(frequencies.T) - np.eye(frequencies.shape[1])).max() < 0.2


@pytest.mark.parametrize("year", METHODS)
def test_bandwidths_of_front_page_are_those_for_its_noise(year):
    kernel, at = METHODS[year].kernel, bandwidth(year, NOISE_STD)
    changed = "bandwidth_space" if year in (1964, 2007) else "bandwidth_value"
    assert at == (kernel[changed] if kernel else round(N_FEATURES**0.5, 3))


def copy(year):
    return np.asarray(Image.open(DATASETS / f"cat_face_{year}.webp").convert("RGB")) / 255


@pytest.mark.parametrize("year", METHODS)
def test_denoised_copies_match_their_methods(year, photograph):
    """Else run tools/train/clean_cat.py."""
    sharp = psnr(copy(year), cat_face())
    assert psnr(photograph, cat_face()) < 19.5 and 27.8 < sharp < 29.2
    rng = np.random.default_rng(0)
    rows, columns = (rng.integers(0, length, 60) for length in (HEIGHT, WIDTH))
    if year in (2017, 2020):
        averages = {2017: attention, 2020: performer}[year](photograph)
        made = averages(rows, columns, windows(photograph, zip(rows, columns, strict=True)))
    else:
        made = cleaned(photograph, year)[rows, columns]
    off = np.abs(np.clip(made, 0, 1) - copy(year)[rows, columns])
    assert np.sqrt((off**2).mean()) < 6 / 255, "the error of the compression"
    np.testing.assert_allclose(made[0], estimate(photograph, year, (rows[0], columns[0])), atol=1e-9)


@pytest.mark.variant
def test_lens_shows_the_copy_of_its_year(figure, show, new_page):
    page = show(figure, page=new_page(**STILL))
    for k, year in enumerate(TERMS):
        choose(page, year_index=k)
        np.testing.assert_allclose(pixels_of(page, "canvas.cleaned") / 255, copy(year), atol=3 / 255)
        clip = page.locator("canvas.cleaned").evaluate("one => one.style.clipPath")
        ring = [float(page.locator(".ring").get_attribute(name)) for name in ("r", "cx", "cy")]
        np.testing.assert_allclose([float(each) for each in re.findall(r"[\d.]+", clip)], ring, atol=0.01)
    press(page, "Clean everything")
    assert page.locator("canvas.cleaned").evaluate("one => one.style.clipPath") == "none"
    assert state(page)["clean"] == "everything" and page.locator(".side").text_content() == "cleaned"
    assert press(page, "Clean everything")["clean"] == "lens"


def test_glint_loses_more_brightness_in_1964_than_in_2005():
    """The statement beside the photograph, in grey levels of 255."""
    glint = {year: 255 * copy(year)[40:52, 58:72].mean(axis=2).max() for year in (1964, 2005)}
    noiseless = 255 * cat_face()[40:52, 58:72].mean(axis=2).max()
    assert noiseless - glint[1964] > 2 * (noiseless - glint[2005]), (noiseless, glint)


def test_years_crossfade_while_state_changes_immediately(figure, photograph, show, new_page):
    page = show(figure, page=new_page(viewport={"width": 760, "height": 800}))
    settled(page)
    page.clock.install(time=0)
    page.clock.pause_at(1000)
    before = pixels_of(page, "canvas.loupe")
    page.get_by_role("button", name=re.compile("2017")).click()
    page.clock.run_for(200)
    halfway = pixels_of(page, "canvas.loupe")
    assert_matches_lib(photograph, state(page))
    assert state(page)["year"] == 2017
    assert page.locator(".years [aria-pressed=true]").inner_text().startswith("2017")
    page.clock.run_for(500)
    now = settled(page)
    assert_loupe_shows(page, photograph, now)
    assert not np.array_equal(before, pixels_of(page, "canvas.loupe"))
    assert not np.array_equal(halfway, pixels_of(page, "canvas.loupe")), "it fades"


def test_only_first_line_of_code_changes(figure, show, new_page):
    page = show(figure, page=new_page(**STILL))
    for k, (_, term) in enumerate(TERMS.values()):
        choose(page, year_index=k)
        assert page.locator(".code code").all_inner_texts() == [
            f"log_weights = {term}",
            "weights     = softmax(log_weights)",
            "estimate    = average(weights, values)",
        ]


def ring_at(page):
    return float(page.locator(".ring").get_attribute("cx"))


def until_drift_begins(page):
    """Advance the page's clock, frame by frame, until its images are there and the lens has left its place."""
    at_rest = ring_at(page)
    while ring_at(page) == at_rest:
        page.clock.run_for(16)
    return at_rest


@pytest.fixture
def by_clock(figure, show, new_page):
    """The figure on a page with a clock that the test advances."""
    page = new_page(viewport={"width": 760, "height": 800})
    page.clock.install(time=0)
    page.clock.pause_at(1000)
    return lambda: show(figure, page=page)


def test_lens_drifts_once(by_clock, photograph):
    page = by_clock()
    at_rest = until_drift_begins(page)
    page.clock.run_for(734)
    assert ring_at(page) - at_rest > 60, "half of the time has passed"
    page.clock.run_for(800)
    now = settled(page)
    assert ring_at(page) == at_rest and now["query"] == [71, 37]
    assert_loupe_shows(page, photograph, now)
    page.clock.run_for(3000)
    assert ring_at(page) == at_rest


def test_reduced_motion_stops_the_drift(by_clock):
    page = by_clock()
    page.emulate_media(reduced_motion="reduce")
    page.reload()
    page.wait_for_selector("[data-state]")
    settled(page)
    at_rest = ring_at(page)
    for _ in range(20):
        page.clock.run_for(100)
        assert ring_at(page) == at_rest


def test_pointer_stops_the_drift_where_it_is(by_clock, photograph):
    page = by_clock()
    until_drift_begins(page)
    page.clock.run_for(500)
    scale = page.locator("canvas.photo").bounding_box()["width"] / WIDTH
    seen = ring_at(page) / scale - 0.5
    page.mouse.move(2, 2)
    page.mouse.down()
    page.clock.run_for(2000)
    now = settled(page)
    assert now["query"][1] == pytest.approx(seen, abs=0.51) and seen > 45
    assert_loupe_shows(page, photograph, now)


SLOW = """const { prototype } = HTMLImageElement, { decode } = prototype, asked = new WeakSet();
prototype.decode = async function () {
  const go = asked.has(this) && new Promise((done) => addEventListener("go", done)); // the lens waits for it
  asked.add(this);
  await decode.call(this);
  await go;
};"""


def press_the_ring(page):
    x, y = middle(page, ".query-handle")
    page.mouse.move(x + 20, y + 8)
    page.mouse.down()


@pytest.mark.parametrize(
    "act", [press_the_ring, lambda page: page.keyboard.press("Shift")], ids=["pointer", "key"]
)
def test_lens_does_not_drift_after_the_reader_acts(figure, show, new_page, act):
    """The lens begins to drift once the photographs are decoded, and the reader may be faster."""
    page = new_page(viewport={"width": 760, "height": 800})
    page.clock.install(time=0)
    page.clock.pause_at(1000)
    page.add_init_script(SLOW)
    show(figure, page=page)
    at_rest = ring_at(page)
    act(page)
    page.evaluate("dispatchEvent(new Event('go'))")
    for _ in range(8):
        page.clock.run_for(100)
        assert ring_at(page) == at_rest
    if act is press_the_ring:
        page.mouse.up()
        assert ring_at(page) == pytest.approx(at_rest + 20, abs=2)


def opacity(page, part):
    return float(page.locator(part).evaluate("one => getComputedStyle(one).opacity"))


def test_words_and_weights_match_language_model(figure, show, new_page):
    page = show(figure, page=new_page(**STILL), address="#years=year:words")
    model = load()
    tokens = model.encode(SENTENCE)
    row = model.run(tokens).weights[0, 1, -1]
    now = state(page)
    assert now["year"] == "words" and now["words"] == [model.decode([token]) for token in tokens]
    np.testing.assert_allclose(now["weights"], row, atol=1e-6)
    shown = [f"{100 * weight:.0f}" for weight in sorted(row[row > 0.0095])]
    assert sorted(page.locator(".sentence-words .numbers text").all_text_contents()) == sorted(shown)
    first, second = np.sort(row)[:-3:-1]
    assert said(page) == (
        f"“the” attends to “King” ({100 * first:.0f} %) and “King” ({100 * second:.0f} %). Chapter 8"
    )
    assert page.locator(".sentence-words .words text").count() == len(tokens)
    assert page.locator(".code code").first.inner_text() == f"log_weights = {TERMS[2017][1]}"


def test_loupe_becomes_the_sentence_and_folds_back(by_clock, photograph):
    page = at_2017(by_clock)
    code = page.locator(".code").inner_text()
    press_year(page, "Words")
    for moment in range(6):
        page.clock.run_for(290)
        assert opacity(page, ".squares") > 0 and page.locator(".squares").is_visible(), moment
        assert page.locator(".code").inner_text() == code, "the line of code does not blink"
    page.clock.run_for(100)
    settled(page)
    assert page.locator(".squares").is_hidden() and page.locator("canvas.loupe").is_hidden()
    assert [opacity(page, part) for part in (".sentence-words", ".differs", ".eye")] == [1, 1, 0]
    press_year(page, "2017")
    page.clock.run_for(900)
    assert page.locator(".squares").is_visible() and state(page)["year"] == 2017
    page.clock.run_for(1000)
    assert_loupe_shows(page, photograph, settled(page))
    assert opacity(page, ".eye") == 1 and page.locator(".sentence-words").is_hidden()


@pytest.mark.parametrize("setting", ["year:words", "year:2017"])
def test_link_shows_its_stop_at_once(figure, show, new_page, setting):
    page = new_page(viewport={"width": 760, "height": 800})
    page.clock.install(time=0)
    page.clock.pause_at(1000)
    show(figure, page=page, address=f"#years={setting}")  # waits until nothing is pending, while no time passes
    is_words = setting == "year:words"
    assert state(page)["year"] == ("words" if is_words else 2017)
    assert opacity(page, ".sentence-words") == is_words and page.locator(".squares").is_hidden()
    assert page.locator(".code code").first.inner_text() == f"log_weights = {TERMS[2017][1]}"
    assert page.locator(".lf-hint").inner_text().startswith("Choose a year" if is_words else "Drag the ring")


def at_2017(by_clock):
    page = by_clock()
    until_drift_begins(page)
    page.keyboard.press("Shift")  # ends the drift
    press_year(page, "2017")
    page.clock.run_for(500)
    return page


def press_year(page, name):
    page.get_by_role("button", name=re.compile(name)).dispatch_event("click")


def test_reduced_motion_fades_the_sentence_in(by_clock):
    page = at_2017(by_clock)
    page.emulate_media(reduced_motion="reduce")
    press_year(page, "Words")
    page.clock.run_for(200)
    assert 0.3 < opacity(page, ".sentence-words") < 0.7 and page.locator(".squares").is_hidden()
    page.clock.run_for(300)
    settled(page)
    assert opacity(page, ".sentence-words") == 1


def test_squares_are_assigned_to_words_by_weight():
    """Each square belongs to one word; those with the largest weights go to the word with the largest weight."""
    weights, row, widths = [1, 9, 2, 3, 0, 8, 4, 5, 6], [0.7, 0.1, 0.2], [20, 40, 30]
    script = f"""import {{ assignSquares, squaresPerWord }} from "./lib/figures/years/squares.js";
    const counts = squaresPerWord({widths}, 2, 9);
    console.log(JSON.stringify([counts, assignSquares({weights}, {row}, counts, 2)]));"""
    done = subprocess.run(
        ["node", "--input-type=module", "-e", script], cwd=ROOT, capture_output=True, text=True, check=True
    )
    counts, targets = json.loads(done.stdout)
    assert counts == [3, 5, 1] and targets[4] == {"word": 2, "rank": 0, "of": 1}
    assert [k for k, target in enumerate(targets) if target["word"] == 0] == [1, 5, 8]
    assert sorted(target["rank"] for target in targets if target["word"] == 1) == list(range(5))


def test_ring_follows_pointer_and_keyboard(figure, photograph, show, new_page):
    page = show(figure, page=new_page(**STILL))
    scale = page.locator("canvas.photo").bounding_box()["width"] / WIDTH
    drag(page, ".query-handle", 30 * scale, 20 * scale)
    now = settled(page)
    assert now["query"] == [91, 67]
    assert_matches_lib(photograph, now)
    x, y = middle(page, ".grip")
    page.mouse.click(x + 60 * scale, y - 40 * scale)
    assert np.abs(np.subtract(state(page)["query"], [65, 185])).max() <= 1
    page.keyboard.press("ArrowLeft")
    assert np.abs(np.subtract(state(page)["query"], [65, 184])).max() <= 1
    assert press(page, "Reset")["query"] == [71, 37]


def test_vertical_swipe_scrolls_and_touch_moves_ring(figure, show, phone):
    phone.emulate_media(reduced_motion="reduce")
    show(figure, page=phone)
    phone.evaluate("document.querySelector('main').style.paddingBottom = '900px'")
    before = settled(phone)
    x, y = middle(phone, ".query-handle")
    swipe(phone, x, y, right=0, down=50)
    now = settled(phone)
    assert now["query"][0] > before["query"][0] + 20 and phone.evaluate("scrollY") == 0
    x, y = middle(phone, ".grip")
    assert scroll(phone, x + 60, y + 60, right=0, down=-160) > 20
    assert settled(phone) == now


def test_loupe_never_covers_the_ring(figure, show, new_page):
    page = show(figure, page=new_page(**STILL))
    for query in [(209, 0), (209, 60), (209, 249), (150, 30), (100, 60), (0, 0)]:
        choose(page, query=query)
        ring, loupe = (page.locator(part).first.bounding_box() for part in (".ring", "canvas.loupe"))
        apart = [
            max(ring[axis], loupe[axis]) - min(ring[axis] + ring[size], loupe[axis] + loupe[size])
            for axis, size in (("x", "width"), ("y", "height"))
        ]
        assert max(apart) >= 0, query


def test_sentence_names_method_keys_and_chapter(figure, show, new_page):
    page = show(figure, page=new_page(**STILL))
    for k, year in enumerate(TERMS):
        now, method = choose(page, year_index=k), METHODS[year]
        words = said(page)
        assert words.startswith(
            f"{method.name}. {now['keys_for_90_percent']} of 225 pixels carry 90 % of the weight."
        )
        assert page.locator(".lf-sentence a").get_attribute("href") == f"{method.chapter}.html"


def test_links_to_former_figure_work(figure, show, new_page):
    page = show(
        figure, page=new_page(**STILL), address="#one-query=query:60/50,bandwidth:1.4,brush:7.21,guess:lark"
    )
    assert state(page)["query"] == [60, 50]


def test_weights_without_a_page_match_lib(photograph):
    changes = [{"year_index": k, "query": list(pixel)} for k in range(len(TERMS)) for pixel in PIXELS[:6:2]]
    found = states(years_figure().figure, *changes)
    assert {now["year"] for now in found} == set(TERMS)
    for now in found:
        assert_matches_lib(photograph, now)
