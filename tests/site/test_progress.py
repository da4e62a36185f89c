"""The reader's progress: stored, listed, exported, imported, erased; never sent."""

import json
import re

import pytest
from playwright.sync_api import expect

from tests.conftest import ROOT
from tests.pages import violations

TEXTS = [path.read_text("utf8") for path in (ROOT / "chapters").glob("[0-9]*.ipynb")]
N_BOXES = len(TEXTS) + sum(text.count("### Exercise ") for text in TEXTS)
FIRST = "chapters/01_nadaraya_watson.html"


@pytest.fixture
def open_page(site, page):
    def open_at(name):
        page.goto(f"{site}/{name}")
        page.locator("input[data-progress]").first.wait_for()
        return page

    return open_at


def stored(page):
    return json.loads(page.evaluate("localStorage.getItem('course-progress')") or "{}")


def test_checked_exercises_are_stored_and_listed(open_page):
    page = open_page(FIRST)
    assert page.locator("input[data-progress]").count() == 4  # three exercises and the chapter
    page.get_by_label("I have done exercise 1.2").check()
    page.get_by_label("I have read chapter 1").focus()
    page.keyboard.press("Space")
    assert stored(page).keys() == {"1", "1.2"}
    assert all(re.fullmatch(r"\d{4}-\d\d-\d\d", day) for day in stored(page).values())
    page.reload()
    page.locator("input[data-progress]:checked").first.wait_for()
    page = open_page("pages/progress.html")
    boxes = page.locator("#progress input[data-progress]")
    assert boxes.count() == N_BOXES
    assert page.locator("#progress input:checked").count() == 2
    for width in (1366, 375):
        page.set_viewport_size({"width": width, "height": 700})
        buttons = page.locator(".progress-buttons > *").all()
        assert len(buttons) == 3 and len({button.bounding_box()["y"] for button in buttons}) == 1, width
    assert page.locator("#progress-count").inner_text() == f"2 of {N_BOXES} done."
    page.locator('[data-progress="1.2"]').uncheck()
    assert stored(page).keys() == {"1"}


def test_progress_is_exported_imported_and_erased(open_page, tmp_path):
    page = open_page("pages/progress.html")
    for key in ("3", "3.1", "7.3"):
        page.locator(f'[data-progress="{key}"]').check()
    before = stored(page)
    with page.expect_download() as download:
        page.get_by_role("button", name="Save as a file").click()
    saved = tmp_path / "saved.json"
    download.value.save_as(saved)
    assert json.loads(saved.read_text()) == before
    for answer, left in [("dismiss", before), ("accept", {})]:
        page.once("dialog", lambda dialog, answer=answer: getattr(dialog, answer)())
        page.get_by_role("button", name="Erase all").click()
        assert stored(page) == left
    assert page.evaluate("localStorage.getItem('course-progress')") is None
    assert page.locator("#progress input:checked").count() == 0
    page.get_by_label("Read a file").set_input_files(saved)
    expect(page.locator("#progress-message")).to_contain_text("3 entries")
    assert stored(page) == before
    assert page.context.cookies() == []


def test_invalid_progress_file_and_storage_are_ignored(open_page):
    page = open_page("pages/progress.html")
    for text in (b"no json", b'["a list"]', b'{"<b>": 1, "9.9.9": "x"}'):
        page.evaluate("document.querySelector('#progress-message').textContent = ''")
        bad = {"name": "bad.json", "mimeType": "application/json", "buffer": text}
        page.get_by_label("Read a file").set_input_files(bad)
        expect(page.locator("#progress-message")).not_to_be_empty()
        assert stored(page) == {}
    page.evaluate("localStorage.setItem('course-progress', '{broken')")
    page.reload()
    expect(page.locator("#progress-count")).to_have_text(f"0 of {N_BOXES} done.")
    assert violations(page) == []


@pytest.mark.parametrize("name", [FIRST, "pages/progress.html"])
def test_blocked_storage_is_reported(name, open_page, page):
    page.add_init_script("""const set = Storage.prototype.setItem;
      Storage.prototype.setItem = function (key, value) {
        if (key === "course-progress") throw new Error("not allowed");
        set.call(this, key, value);
      };""")
    box = open_page(name).locator('[data-progress="1.1"]')
    box.click()
    expect(page.locator("#progress-message")).to_have_text("This browser does not let the page store anything.")
    expect(box).not_to_be_checked()
