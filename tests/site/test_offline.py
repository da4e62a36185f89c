"""The offline zip, unpacked and opened as a reader would."""

import re
import subprocess
import sys
import zipfile

import pytest

from tests.notebook_page import COMPLAINTS, move_a_slider, open_in_browser, run_until_a_slider
from tools.build import offline


@pytest.fixture(scope="module")
def folder(built_site, tmp_path_factory):
    """The unpacked zip, in a folder whose name has a space."""
    target = tmp_path_factory.mktemp("offline") / "my course"
    archive = target.parent / "course.zip"
    offline.pack(built_site, archive)
    with zipfile.ZipFile(archive) as packed:
        packed.extractall(target)
    note = (target / offline.NAME / "README.txt").read_text("utf8")
    assert "index.html" in note and "serve.py" in note
    return target / offline.NAME


@pytest.fixture(scope="module")
def address(folder):
    """The URL printed by the zip's own server, which runs with only Python's standard library."""
    command = (sys.executable, "-I", folder / "serve.py")
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=folder.parent) as server:
        lines = (re.search(r"http://localhost:\d+", line) for line in server.stdout)
        yield next(filter(None, lines))[0].replace("localhost", "127.0.0.1")
        server.terminate()


def test_pages_and_figures_work_from_disk(folder, page):
    page.goto((folder / "index.html").as_uri())
    page.wait_for_url(re.compile(r"intro\.html"))
    page.locator("article a[href*='01_nadaraya_watson']").first.click()
    page.locator(".live-figure[data-state]").first.wait_for()
    before, after = move_a_slider(page)
    assert before != after
    page.locator("mjx-container:visible").first.wait_for()
    said = []
    page.on("dialog", lambda dialog: (said.append(dialog.message), dialog.accept()))
    page.locator("a[href*='lite/notebooks/']").first.evaluate("(link) => link.click()")
    assert "serve.py" in said[0], "the button explains how to start Python"


def test_search_works_from_disk(folder, browser):
    """Only titles: from disk, a browser may not read other pages for excerpts, and the page says so."""
    page = browser.new_page()
    page.goto((folder / "search.html").as_uri() + "?q=bandwidth")
    page.locator("ul.search li a", has_text="Glossary").first.wait_for()
    page.close()


def test_offline_server_serves_pages_and_files_of_python(address, page, folder):
    page.goto(f"{address}/index.html")
    page.wait_for_url(re.compile(r"intro\.html"))
    files = [next(folder.rglob(name)) for name in ("pyodide.asm.wasm", "python_stdlib.zip", "numpy-*.whl")]
    for file in files:
        response = page.request.get(f"{address}/{file.relative_to(folder).as_posix()}")
        assert response.ok and len(response.body()) == file.stat().st_size
        assert file.suffix != ".wasm" or response.headers["content-type"] == "application/wasm"


@pytest.mark.long  # the same server runs it in test_lite
def test_offline_server_runs_python(address, page):
    open_in_browser(page, address, "01_nadaraya_watson")
    run_until_a_slider(page)
    assert page.evaluate(COMPLAINTS) == []
    before, after = move_a_slider(page)
    assert before != after
