"""Fixtures that open the built site in a real browser."""

import fcntl
import os
import pickle
import subprocess
import threading
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.axe import run_axe
from tests.headers import ObedientHandler
from tools.build.figure_page import figure_page
from tools.build.find_browser import ARGUMENTS, MISSING, find_browser
from tools.build.serve import make_server

ROOT = Path(__file__).resolve().parents[1]
CHAPTERS = sorted((ROOT / "chapters").glob("[0-9]*.ipynb"))
each_chapter = pytest.mark.parametrize("path", CHAPTERS, ids=lambda path: path.stem)
ASSERTING = ("figures.contract", "figures.on_page", "figures.opened_model", "site.both_modes")
pytest.register_assert_rewrite(*(f"tests.{name}" for name in ASSERTING))  # as in files with tests
pytest_plugins = ["tests.conclusion", "tests.needs", "tests.result", "tests.variants"]


def pytest_addoption(parser):
    parser.addoption("--gestures", type=int, default=60, help="random gestures per figure")


@pytest.hookimpl(optionalhook=True)  # xdist is not installed for the oldest versions and the browser edition
def pytest_xdist_auto_num_workers(config):
    """Use twice as many workers as cores, up to 8: half of the time, a test waits for a browser."""
    return min(2 * os.cpu_count(), 8)


collect_ignore = ["figures/example"]  # it is tested as part of lib/figures, which has the bundles
FOLDERS = ["teaching", "chapters", "figures", "site", "tools", "equations", "lib"]


def pytest_collection_modifyitems(items):
    """Run tests with expensive fixtures first: idle workers steal from the end, and would set these up again."""
    items.sort(key=lambda item: next((i for i, name in enumerate(FOLDERS) if name in item.path.parts), 9))


def locked_make(target):
    """Make a target unless it is up to date, in one test process at a time."""
    (ROOT / "_build").mkdir(exist_ok=True)
    with open(ROOT / "_build" / "lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        subprocess.run(["make", target], cwd=ROOT, check=True, stdin=subprocess.DEVNULL)


@pytest.fixture(scope="session")
def made_once(tmp_path_factory):
    """Return `made_once(path, make)`: one test process creates a file with `make(path)` for all of them."""
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
def computed_once(made_once):
    """Return `computed_once(name, compute)`: one test process computes the result, and the others read it."""

    def result(name, compute):
        path = made_once(f"computed/{name}.pickle", lambda target: target.write_bytes(pickle.dumps(compute())))
        return pickle.loads(path.read_bytes())

    return result


@pytest.fixture(scope="session")
def built_site():
    """The folder of the built site, rebuilt if it is missing or older than its sources."""
    locked_make("book")
    return ROOT / "_build" / "html"


@pytest.fixture(scope="session")
def site(built_site):
    """The URL of the built site, without a trailing slash, under a subpath as on GitHub Pages, with its headers.

    What the headers forbid is an error in the console, so it fails every test with `new_page`.
    """
    with make_server(built_site.parent, handler=ObedientHandler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/{built_site.name}"
        server.shutdown()


@pytest.fixture(scope="session")
def other_host(tmp_path_factory):
    """The URL of an empty page on another host, without headers: a different port is a different host."""
    folder = tmp_path_factory.mktemp("other_host")
    (folder / "index.html").write_text("<!doctype html><title>Another host</title>")
    with make_server(folder) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/index.html"
        server.shutdown()


TIMEOUT = 5 * 60 * 1000  # milliseconds; generous, because the machine may be busy


class BrowserWithTimeout:
    """A browser whose pages have a long timeout, because the machine may be busy."""

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

    executable = find_browser() or pytest.skip(MISSING)
    expect.set_options(timeout=TIMEOUT)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable, args=ARGUMENTS)
        yield BrowserWithTimeout(browser)
        browser.close()


class PageErrors:
    """Errors on a page: requests to other hosts, failed requests, console errors, uncaught exceptions."""

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
        if request.failure != "net::ERR_ABORTED":  # the page was closed while loading
            self.add("failed", request.url)

    def on_request(self, request):
        address = urlsplit(request.url)
        if address.scheme in ("http", "https") and address.hostname != "127.0.0.1":
            self.add("other host", request.url)


@pytest.fixture
def new_page(browser):
    """Open pages with the given Playwright context options; fail the test at its end if a page had errors."""
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
    """Open a page with figures, by default the test module's `example()`; `#…` is appended to the URL."""

    def open_page(*figures, address="", page=page, theme="light"):
        path = tmp_path / "figure.html"
        path.write_text(figure_page(*(figures or [request.module.example()]), theme=theme), "utf8")
        if page.url.startswith(path.as_uri()):
            page.goto("about:blank")  # else, only the fragment would change
        page.goto(path.as_uri() + address)
        page.wait_for_selector("[data-state]")
        page.wait_for_selector("[data-pending]", state="detached")  # no computation is pending
        return page

    return open_page


@pytest.fixture
def page(new_page):
    """An empty page of 1280 × 800 pixels; console errors and requests to other hosts fail the test at its end."""
    return new_page(viewport={"width": 1280, "height": 800})


@pytest.fixture
def unwatched(browser):
    """A page whose errors do not fail the test."""
    page = browser.new_page()
    yield page
    page.close()


@pytest.fixture
def phone(new_page):
    """An empty page on an emulated phone with touch input."""
    return new_page(viewport={"width": 375, "height": 500}, has_touch=True, is_mobile=True)
