"""The front page's figure in a real browser: six years beside `lib`'s methods, hands, keys, looks."""

import re

import numpy as np
import pytest
from PIL import Image

from lib.figures import years_figure
from lib.heads import keys_for_90_percent
from lib.images import DATASETS, cat_face, psnr
from lib.patch_attention import RADIUS
from lib.weights import average
from lib.years import (
    METHODS,
    NOISE_STD,
    attention,
    cleaned,
    noisy,
    performer,
    random_frequencies,
    weights,
)
from tests.gestures import choose, drag, middle, press, said, settled, state, swipe
from tests.pictures import assert_map_shows, pixels_of

STILL = {"viewport": {"width": 1280, "height": 800}, "reduced_motion": "reduce"}  # no cross-fade
HEIGHT, WIDTH = 210, 250
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


@pytest.mark.parametrize("year", METHODS)
def test_each_year_equals_lib_at_borders_and_inside(year, figure, photograph, show, new_page):
    page = show(figure, page=new_page(**STILL), address=f"#years=year:{year}")
    for row, column in PIXELS:
        now = choose(page, query=[row, column])
        assert (now["query"], now["year"]) == ([row, column], year)
        assert_matches_lib(photograph, now)
    assert_map_shows(page, ".loupe", weights(photograph, PIXELS[-1], year), now["keys_for_90_percent"])


def test_page_noise_matches_python(figure, photograph, show, new_page):
    page = show(figure, page=new_page(**STILL), address=f"#years=line:{WIDTH}")
    expected = np.floor(255 * np.clip(photograph, 0, 1) + 0.5)
    np.testing.assert_array_equal(pixels_of(page, "canvas.photo"), expected)


def test_noise_is_normal_independent_with_given_sigma(photograph):
    noise = (photograph - cat_face()) / NOISE_STD
    quantiles = np.quantile(noise, [0.0228, 0.1587, 0.5, 0.8413, 0.9772])
    np.testing.assert_allclose(quantiles, [-2, -1, 0, 1, 2], atol=0.03)
    right, down, across = noise[:, 1:] * noise[:, :-1], noise[1:] * noise[:-1], noise[..., 1:] * noise[..., :-1]
    assert max(abs(products.mean()) for products in (right, down, across)) < 0.01
    frequencies = random_frequencies()
    assert abs(np.corrcoef(frequencies.T) - np.eye(frequencies.shape[1])).max() < 0.2


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


def test_denoised_copy_is_right_of_divider(figure, show, new_page):
    page = show(figure, page=new_page(**STILL))
    for year in (1964, 2017):
        choose(page, year_index=list(METHODS).index(year), line=40)
        shown = pixels_of(page, "canvas.photo") / 255
        np.testing.assert_allclose(shown[:, 40:], copy(year)[:, 40:], atol=3 / 255)
        assert np.abs(shown[:, :40] - copy(year)[:, :40]).mean() > 10 / 255


def test_years_crossfade_while_state_changes_immediately(figure, photograph, show, new_page):
    page = show(figure, page=new_page(viewport={"width": 760, "height": 800}))
    before = page.locator(".loupe .shades").inner_html()
    page.get_by_role("button", name=re.compile("2017")).click()
    assert_matches_lib(photograph, state(page))
    halfway = page.locator(".loupe .shades").inner_html()
    assert state(page)["year"] == 2017
    assert page.locator(".years [aria-pressed=true]").inner_text().startswith("2017")
    settled(page)
    page.wait_for_function(
        "([one, other]) => ![one, other].includes(document.querySelector('.loupe .shades').innerHTML)",
        arg=[before, halfway],
    )
    assert_map_shows(page, ".loupe", weights(photograph, (71, 37), 2017), state(page)["keys_for_90_percent"])


def test_ring_and_divider_follow_pointer_and_keyboard(figure, photograph, show, page):
    show(figure)
    scale = page.locator("canvas.photo").bounding_box()["width"] / WIDTH
    drag(page, ".query-handle", 30 * scale, 20 * scale)
    now = settled(page)
    assert now["query"] == [91, 67] and now["line"] == 100
    assert_matches_lib(photograph, now)
    x, y = middle(page, ".grip")
    page.mouse.click(x + 60 * scale, y - 40 * scale)
    assert np.abs(np.subtract(state(page)["query"], [65, 185])).max() <= 1
    drag(page, ".line-handle", 50 * scale)
    assert state(page)["line"] == 150 and page.locator(".line-handle").get_attribute("aria-valuenow") == "150"
    for key, line in [
        ("ArrowLeft", 149),
        ("Shift+ArrowRight", 159),
        ("Home", 0),
        ("ArrowLeft", 0),
        ("End", WIDTH),
    ]:
        page.keyboard.press(key)
        assert state(page)["line"] == line, key
    assert page.locator(".side:visible").count() == 1, "only noisy"
    assert press(page, "Reset")["query"] == [71, 37]


def test_vertical_swipe_scrolls_and_touch_moves_ring(figure, show, phone):
    show(figure, page=phone)
    phone.evaluate("document.querySelector('main').style.paddingBottom = '900px'")
    before = settled(phone)
    x, y = middle(phone, ".query-handle")
    swipe(phone, x, y, right=0, down=50)
    now = settled(phone)
    assert now["query"][0] > before["query"][0] + 20 and phone.evaluate("scrollY") == 0
    for part in (".grip", ".line-handle"):
        phone.evaluate("scrollTo(0, 0)")
        x, y = middle(phone, part)
        swipe(phone, x + (40 if part == ".grip" else 0), y + 60, right=0, down=-160)
        phone.wait_for_function("scrollY > 20")
        assert settled(phone) == now, part


def test_loupe_never_covers_the_ring(figure, show, new_page):
    page = show(figure, page=new_page(**STILL))
    for query in [(209, 0), (209, 60), (209, 249), (150, 30), (100, 60), (0, 0)]:
        choose(page, query=query)
        ring, loupe = (page.locator(part).first.bounding_box() for part in (".ring", ".loupe .ground"))
        apart = [
            max(ring[axis], loupe[axis]) - min(ring[axis] + ring[size], loupe[axis] + loupe[size])
            for axis, size in (("x", "width"), ("y", "height"))
        ]
        assert max(apart) >= 0, query


def test_sentence_names_method_similarity_and_chapter(figure, show, new_page):
    page = show(figure, page=new_page(**STILL))
    for year, method in METHODS.items():
        now = choose(page, year_index=list(METHODS).index(year))
        words = said(page)
        assert words.startswith(f"{method.name}. {method.alike}")
        assert f"from {now['keys_for_90_percent']} of 225 pixels" in words
        assert page.locator(".lf-sentence a").get_attribute("href") == f"{method.chapter}.html"


def test_links_to_former_figure_work(figure, show, new_page):
    page = show(
        figure, page=new_page(**STILL), address="#one-query=query:60/50,bandwidth:1.4,brush:7.21,guess:lark"
    )
    assert state(page)["query"] == [60, 50]
