"""What a link stands for is shown beside it: with the mouse, by keys, by touch, and out of the way again."""

import re

import pytest
from pages import is_narrow, open_ready

CHAPTER = "chapters/06_attention.html"


@pytest.fixture
def chapter(site, page):
    open_ready(page, f"{site}/{CHAPTER}")
    return page


def first(page, part):
    return page.locator(f'article a.reference[href*="{part}"]:visible').first


WITH_THE_MOUSE = {
    "glossary.html#term-softmax": "Exponentiate, then divide by the sum",
    "references.html#": r"\d{4}",
    "#equation-": r"\(\d+\)",
}


def test_with_the_mouse(chapter):
    for part, said in WITH_THE_MOUSE.items():
        assert_the_mouse_shows_and_hides(chapter, part, said)


def test_two_words_of_one_thing_bring_its_explanation(site, page):
    open_ready(page, f"{site}/chapters/01_nadaraya_watson.html")
    assert_the_mouse_shows_and_hides(page, "glossary.html#term-log-weight", "The logarithm of a weight")


def test_after_a_failed_fetch_the_next_look_asks_again(site, new_page):
    page = new_page(viewport={"width": 375, "height": 700}, has_touch=True, is_mobile=True)
    page.goto(f"{site}/{CHAPTER}")
    page.evaluate("void (window.asked = fetch, window.fetch = () => Promise.reject(new Error('no net')))")
    link = first(page, "glossary.html#term-softmax")
    link.tap()
    page.locator("article h2").first.tap()
    page.evaluate("void (window.fetch = asked)")
    link.tap()
    page.locator(".preview:not([hidden])").wait_for()


def assert_the_mouse_shows_and_hides(chapter, part, said):
    chapter.clock.install()
    first(chapter, part).hover()
    card = chapter.locator(".preview:not([hidden])")
    card.wait_for()
    assert re.search(said, card.inner_text())
    assert card.locator("a, [id], [tabindex]").count() == 0
    box = card.bounding_box()
    assert box["x"] >= 0 and box["x"] + box["width"] <= chapter.viewport_size["width"]
    card.hover()
    chapter.clock.run_for(5000)
    assert card.is_visible(), "the pointer may move onto the card"
    chapter.mouse.move(5, 5)
    chapter.locator(".preview[hidden]").wait_for(state="attached")


def test_by_keys(chapter):
    chapter.clock.install()
    link = first(chapter, "glossary.html#term-softmax")
    link.evaluate("(link) => link.scrollIntoView({ block: 'center' })")
    previous = link.evaluate_handle("""(link) => {
      const links = [...document.querySelectorAll("article a, article button, article summary")];
      return links[links.indexOf(link) - 1];
    }""")
    previous.as_element().focus()
    chapter.keyboard.press("Tab")
    card = chapter.locator(".preview:not([hidden])")
    card.wait_for()
    assert link.get_attribute("aria-describedby") == card.get_attribute("id")
    chapter.mouse.move(640, 400)
    chapter.mouse.move(5, 5)
    chapter.clock.run_for(5000)
    assert card.is_visible(), "the mouse moved elsewhere"
    chapter.keyboard.press("Escape")
    assert not chapter.locator(".preview").is_visible() and link.get_attribute("aria-describedby") is None
    chapter.keyboard.press("Enter")
    chapter.wait_for_url(re.compile(r"glossary\.html#term-softmax"))


def test_by_touch(site, new_page):
    page = new_page(viewport={"width": 375, "height": 700}, has_touch=True, is_mobile=True)
    page.goto(f"{site}/{CHAPTER}")
    link = first(page, "glossary.html#term-softmax")
    link.tap()
    card = page.locator(".preview:not([hidden])")
    card.wait_for()
    assert is_narrow(page)
    page.locator("article h2").first.tap()
    page.locator(".preview[hidden]").wait_for(state="attached")
    assert CHAPTER in page.url
    link.tap()
    card.wait_for()
    link.tap()
    page.wait_for_url(re.compile(r"glossary\.html#term-softmax"))


def test_from_disk_other_pages_stay_links(built_site, new_page):
    page = new_page(has_touch=True)
    page.goto((built_site / CHAPTER).as_uri())
    first(page, "glossary.html#term-softmax").tap()
    page.wait_for_url(re.compile(r"glossary\.html#term-softmax"))
