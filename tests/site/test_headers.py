"""The headers that the site asks its server for: what a page may load, and how long it may be kept."""

import re
from http.client import HTTPConnection
from urllib.parse import urlsplit

import pytest
from serve import headers_of

PAGES = ("index.html", "intro.html", "notation.html", "search.html", "chapters/01_nadaraya_watson.html")


def request(address, headers=None):
    parts = urlsplit(address)
    connection = HTTPConnection(parts.netloc, timeout=30)
    connection.request("GET", parts.path, headers=headers or {})
    response = connection.getresponse()
    response.read()
    connection.close()
    return response


def policy(response):
    directives = (part.split(" ", 1) for part in response.headers["Content-Security-Policy"].split("; "))
    return dict(directives)


@pytest.mark.parametrize("name", PAGES)
def test_a_page_may_load_from_its_own_host_only(site, name):
    stated = policy(request(f"{site}/{name}"))
    assert stated["default-src"] == "'self'"
    assert stated["object-src"] == stated["frame-src"] == "'none'"
    for directive, sources in stated.items():
        allowed = r"'(?:self|none|sha256-[\w+/=]+|unsafe-hashes)'|blob:|data:"
        allowed += "|'unsafe-inline'" if directive == "style-src" else ""
        assert re.fullmatch(rf"(?:(?:{allowed}) ?)+", sources), f"{directive} {sources}"


def test_the_notebook_runs_python_and_loads_from_its_own_host_only(site):
    response = request(f"{site}/lite/notebooks/index.html")
    assert not re.search(r"https?:|\*", response.headers["Content-Security-Policy"])
    assert "'unsafe-eval'" in policy(response)["script-src"]


def test_a_script_that_was_not_built_in_does_not_run(site, browser):
    page = browser.new_page()
    page.goto(f"{site}/notation.html")
    assert page.evaluate("typeof DOCUMENTATION_OPTIONS") == "object"  # one that was
    page.evaluate(
        "document.body.append(Object.assign(document.createElement('script'), {text: 'window.intruder = 1'}))"
    )
    page.evaluate("document.body.insertAdjacentHTML('beforeend', '<img src=x onerror=\"window.intruder = 2\">')")
    page.wait_for_timeout(500)
    assert page.evaluate("window.intruder") is None
    page.close()


@pytest.mark.parametrize("name", ["intro.html", "_static/course.css", "lite/static/pyodide/pyodide-lock.json"])
def test_a_kept_file_is_asked_for_again_and_not_sent_twice(site, name):
    first = request(f"{site}/{name}")
    assert first.headers["Cache-Control"] == "no-cache"
    again = request(f"{site}/{name}", {"If-Modified-Since": first.headers["Last-Modified"]})
    assert (first.status, again.status) == (200, 304)


@pytest.mark.parametrize("suffix, kind", [("mjs", "text/javascript"), ("asm.wasm", "application/wasm")])
def test_browsers_are_told_what_python_consists_of(site, suffix, kind):
    assert request(f"{site}/lite/static/pyodide/pyodide.{suffix}").headers["Content-Type"] == kind


def test_rules_hold_below_the_folder_of_their_file(tmp_path):
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "_headers").write_text("/*\n  A: 1\n/page.html\n  B: x: y\n")
    assert headers_of(tmp_path, "/site/page.html") == [["A", "1"], ["B", "x: y"]]
    assert headers_of(tmp_path, "/site/deep/other.html") == [["A", "1"]]
    assert headers_of(tmp_path, "/elsewhere.html") == []
    assert headers_of(tmp_path / "site", "/page.html") == [["A", "1"], ["B", "x: y"]]
