"""Previews of links: with the mouse, by keyboard and by touch, and how they close."""

import re

import pytest

from tests.pages import is_narrow, open_ready

CHAPTER = "chapters/06_attention.html"


def first(page, part):
    return page.locator(f'article a.reference[href*="{part}"]:visible').first


def test_preview_opens_and_closes_with_mouse(site, page):
    open_ready(page, f"{site}/{CHAPTER}")
    assert_the_mouse_shows_and_hides(
        page, "glossary.html#term-softmax", "The function that exponentiates its inputs"
    )
    assert_the_mouse_shows_and_hides(page, "references.html#", r"\d{4}")
    assert_the_mouse_shows_and_hides(page, "#equation-", r"\(\d+\.\d+\)")
    page.goto(f"{site}/chapters/01_nadaraya_watson.html")  # a page on which two words share an entry
    assert_the_mouse_shows_and_hides(page, "glossary.html#term-log-weight", "The logarithm of a weight")


def assert_the_mouse_shows_and_hides(page, part, said):
    page.clock.install()
    first(page, part).hover()
    card = page.locator(".preview:not([hidden])")
    card.wait_for()
    assert re.search(said, card.inner_text())
    assert card.locator("a, [id], [tabindex]").count() == 0
    box = card.bounding_box()
    assert box["x"] >= 0 and box["x"] + box["width"] <= page.viewport_size["width"]
    card.hover()
    page.clock.run_for(5000)
    assert card.is_visible(), "the card stays open under the pointer"
    page.mouse.move(5, 5)
    page.locator(".preview[hidden]").wait_for(state="attached")


def test_preview_opens_and_closes_with_keyboard(site, page):
    open_ready(page, f"{site}/{CHAPTER}")
    page.clock.install()
    link = first(page, "glossary.html#term-softmax")
    link.evaluate("(link) => link.scrollIntoView({ block: 'center' })")
    previous = link.evaluate_handle("""(link) => {
      const links = [...document.querySelectorAll("article a, article button, article summary")];
      return links[links.indexOf(link) - 1];
    }""")
    previous.as_element().focus()
    page.keyboard.press("Tab")
    card = page.locator(".preview:not([hidden])")
    card.wait_for()
    assert link.get_attribute("aria-describedby") == card.get_attribute("id")
    page.mouse.move(640, 400)
    page.mouse.move(5, 5)
    page.clock.run_for(5000)
    assert card.is_visible(), "the card stays open while its link has the focus"
    page.keyboard.press("Escape")
    assert not page.locator(".preview").is_visible() and link.get_attribute("aria-describedby") is None
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile(r"glossary\.html#term-softmax"))


@pytest.mark.variant
def test_preview_opens_and_closes_with_touch(site, phone):
    phone.goto(f"{site}/{CHAPTER}")
    link = first(phone, "glossary.html#term-softmax")
    phone.evaluate("void (window.asked = fetch, window.fetch = () => Promise.reject(new Error('no net')))")
    link.tap()
    elsewhere = phone.locator("article h2").first
    elsewhere.tap()
    phone.evaluate("void (window.fetch = asked)")
    link.tap()
    card = phone.locator(".preview:not([hidden])")
    card.wait_for()  # after a failed fetch, the next attempt fetches again
    assert is_narrow(phone)
    elsewhere.tap()
    phone.locator(".preview[hidden]").wait_for(state="attached")
    assert CHAPTER in phone.url
    link.tap()
    card.wait_for()
    link.tap()
    phone.wait_for_url(re.compile(r"glossary\.html#term-softmax"))


def test_previews_are_disabled_from_disk(built_site, new_page):
    page = new_page(has_touch=True)
    page.goto((built_site / CHAPTER).as_uri())
    first(page, "glossary.html#term-softmax").tap()
    page.wait_for_url(re.compile(r"glossary\.html#term-softmax"))
