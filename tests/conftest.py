"""Fixtures that give tests the built site in a real browser."""

import fcntl
import os
import subprocess
import threading
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.axe import run_axe
from tools.build.figure_page import figure_page
from tools.build.find_browser import ARGUMENTS, MISSING, find_browser
from tools.build.serve import make_server

ROOT = Path(__file__).resolve().parents[1]
CHAPTERS = sorted((ROOT / "chapters").glob("[0-9]*.ipynb"))
each_chapter = pytest.mark.parametrize("path", CHAPTERS, ids=lambda path: path.stem)
pytest_plugins = ["tests.conclusion"]


@pytest.hookimpl(optionalhook=True)  # the oldest versions and the browser edition run the tests without xdist
def pytest_xdist_auto_num_workers(config):
    """One more than the machine has cores, up to 5: many tests wait for a browser or another process."""
    return min(os.cpu_count() + 1, 5)


collect_ignore = ["figures/example"]  # as if in lib/figures, where its bundle would be
FOLDERS = ["teaching", "chapters", "figures", "site", "equations", "lib"]


def pytest_collection_modifyitems(items):
    """Begin with what shares costly fixtures: idle workers take tests over from the end, and need theirs anew."""
    items.sort(key=lambda item: next((i for i, name in enumerate(FOLDERS) if name in item.path.parts), 9))


def locked_make(target):
    """Make a target unless it is up to date, one process of the tests at a time."""
    (ROOT / "_build").mkdir(exist_ok=True)
    with open(ROOT / "_build" / "lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        subprocess.run(["make", target], cwd=ROOT, check=True, stdin=subprocess.DEVNULL)


@pytest.fixture(scope="session")
def made_once(tmp_path_factory):
    """`made_once(path, make)`: a file that one process of the tests makes, `make(its place)`, for all of them."""
    own = tmp_path_factory.getbasetemp()
    shared = own.parent if "PYTEST_XDIST_WORKER" in os.environ else own

    def place(name, make):
        target = shared / name
        target.parent.mkdir(exist_ok=True)
        with open(target.with_suffix(".lock"), "w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not target.exists():
                make(target)
        return target

    return place


@pytest.fixture(scope="session")
def built_site():
    """The folder of the built site, built first when it is missing or older than its sources."""
    locked_make("book")
    return ROOT / "_build" / "html"


@pytest.fixture(scope="session")
def site(built_site):
    """The address of the built site, without a final slash. It lies under a subpath, as on a project's pages."""
    with make_server(built_site.parent) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/{built_site.name}"
        server.shutdown()


TIMEOUT = 5 * 60 * 1000  # milliseconds, for what comes at once where nothing else is to be done


class BrowserWithTimeout:
    """A browser whose pages have a long timeout, since the machine may have more to do."""

    def __init__(self, browser):
        self.browser = browser

    def new_context(self, **options):
        context = self.browser.new_context(**options)
        context.set_default_timeout(TIMEOUT)
        return context

    def new_page(self, **options):
        return self.new_context(**options).new_page()


@pytest.fixture(scope="session")
def browser():
    from playwright.sync_api import expect, sync_playwright

    executable = find_browser()
    assert executable, MISSING
    expect.set_options(timeout=TIMEOUT)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable, args=ARGUMENTS)
        yield BrowserWithTimeout(browser)
        browser.close()


class PageErrors:
    """What went wrong on a page: requests to other hosts, failed requests, console errors, uncaught exceptions."""

    def __init__(self, page):
        self.findings = []
        page.on("request", self.on_request)
        page.on("requestfailed", self.on_failure)
        page.on(
            "response", lambda response: response.ok or response.status == 304 or self.add("failed", response.url)
        )
        page.on("console", lambda message: message.type == "error" and self.add("console", message.text))
        page.on("pageerror", lambda error: self.add("exception", error))

    def add(self, kind, what):
        self.findings.append(f"{kind}: {what}")

    def on_failure(self, request):
        if request.failure != "net::ERR_ABORTED":  # the page was left while it still loaded
            self.add("failed", request.url)

    def on_request(self, request):
        address = urlsplit(request.url)
        if address.scheme in ("http", "https") and address.hostname != "127.0.0.1":
            self.add("other host", request.url)


@pytest.fixture
def new_page(browser):
    """Open pages with the given options of a Playwright context; one that misbehaved fails the test at its end."""
    opened = []

    def open_page(**options):
        context = browser.new_context(**options)
        page = context.new_page()
        opened.append((context, PageErrors(page)))
        return page

    yield open_page
    for context, _ in opened:
        context.close()
    assert [finding for _, errors in opened for finding in errors.findings] == []


def faults(page, where="main"):
    return [(one["id"], [node["html"] for node in one["nodes"]]) for one in run_axe(page, where)]


@pytest.fixture
def show(page, tmp_path, request):
    """Open a page with figures, else with the `example()` of the test's module; `#…` follows the address."""

    def open_page(*figures, address="", page=page, theme="light"):
        path = tmp_path / "figure.html"
        path.write_text(figure_page(*(figures or [request.module.example()]), theme=theme), "utf8")
        page.goto("about:blank")
        page.goto(path.as_uri() + address)
        page.wait_for_selector("[data-state]")
        page.wait_for_selector("[data-pending]", state="detached")  # no result is still on its way
        return page

    return open_page


@pytest.fixture
def page(new_page):
    """An empty page of 1280 by 800 pixels; the test fails at its end on a console error or an outside request."""
    return new_page(viewport={"width": 1280, "height": 800})


@pytest.fixture
def unwatched(browser):
    """A page on which something may go wrong."""
    page = browser.new_page()
    yield page
    page.close()


@pytest.fixture
def phone(new_page):
    """The same on a phone with a finger."""
    return new_page(viewport={"width": 375, "height": 500}, has_touch=True, is_mobile=True)
