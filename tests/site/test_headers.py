"""HTTP headers for the site's server: what a page may load, and how long it may be cached."""

import re
import threading
from fnmatch import fnmatchcase
from functools import partial
from urllib.parse import unquote, urlsplit

import pytest

from _ext.course.site_headers import headers
from tests.pages import wait_for_files
from tools.build.serve import PatientServer, QuietHandler

PAGES = ("intro", "pages/notation", "search", "pages/progress", "chapters/01_nadaraya_watson", "slides/01", "404")
VIOLATIONS = """
window.violations = [];
addEventListener("securitypolicyviolation", (event) => violations.push(event.violatedDirective));
"""


def rules(text):
    """Return the headers in the file, by URL pattern."""
    parts = (part.splitlines() for part in re.split(r"\n(?=\S)", text.strip()))
    return {pattern: dict(line.strip().split(": ", 1) for line in lines) for pattern, *lines in parts}


def stated(text, address):
    """Return the headers of a URL, as a static host interprets the file."""
    found = [rule for pattern, rule in rules(text).items() if fnmatchcase(address, pattern)]
    return {name: value for rule in found for name, value in rule.items()}


def policy(text, address):
    return dict(part.split(" ", 1) for part in stated(text, address)["Content-Security-Policy"].split("; "))


@pytest.fixture(scope="module")
def text(built_site):
    return (built_site / "_headers").read_text("utf8")


@pytest.mark.parametrize("name", PAGES)
def test_page_policy_allows_only_own_host(text, name):
    allowed = policy(text, f"/{name}.html")
    assert allowed["default-src"] == "'self'" and allowed["object-src"] == allowed["frame-src"] == "'none'"
    for directive, sources in allowed.items():
        kinds = r"'(?:self|none|sha256-[\w+/=]+|unsafe-hashes)'|blob:|data:"
        kinds += "|'unsafe-inline'" if directive == "style-src" else ""
        assert re.fullmatch(rf"(?:(?:{kinds}) ?)+", sources), f"{directive} {sources}"


def test_only_published_model_compiles(text):
    allowing = [page for page, stated in rules(text).items() if "wasm-unsafe-eval" in str(stated)]
    assert sorted(allowing) == ["/embed/published-model.html", "/pages/published_model.html"]
    allowed = policy(text, "/pages/published_model.html")["script-src"]
    assert allowed.startswith("'self' blob: 'wasm-unsafe-eval' 'sha256-") and "'unsafe-eval'" not in allowed


def test_notebook_policy_allows_python_and_own_host(text):
    allowed = policy(text, "/lite/notebooks/index.html")
    assert not re.search(r"https?:|\*", str(allowed)) and "'unsafe-eval'" in allowed["script-src"]


def test_every_file_is_revalidated(text):
    for address in ("/intro.html", "/_static/course.css", "/lite/static/pyodide/pyodide-lock.json"):
        assert stated(text, address)["Cache-Control"] == "no-cache"


def test_inline_scripts_and_handlers_are_hashed():
    page = '<script>1 + 1</script><script type="a/json">{}</script><script src="a.js"></script><p onload="2">'
    found = [policy(headers({"one": page, "other": ""}), address) for address in ("/one.html", "/other.html")]
    assert [each["script-src"].count("sha256-") for each in found] == [2, 1]


class ObedientHandler(QuietHandler):
    """A server that sends the site's `_headers`."""

    def end_headers(self):
        for name, value in stated(self.server.stated, unquote(urlsplit(self.path).path)).items():
            self.send_header(name, value)
        super().end_headers()


@pytest.fixture(scope="module")
def address(built_site, text):
    with PatientServer(("127.0.0.1", 0), partial(ObedientHandler, directory=str(built_site))) as server:
        server.stated = text
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.mark.parametrize("name", PAGES)
def test_page_works_under_the_policy(address, page, name):
    """Its scripts run, its figures appear, and it loads nothing that is forbidden."""
    page.add_init_script(VIOLATIONS)
    response = page.goto(f"{address}/{name}.html")
    assert "sha256-" in response.headers["content-security-policy"]
    wait_for_files(page)
    if name.startswith("chapters"):
        page.locator(".live-figure[data-state]").first.wait_for(state="attached")
    assert page.evaluate("violations") == []


COMPILE = """() => new Promise((resolve) => {
  const empty = "new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0])",
    compile = `try { new WebAssembly.Module(${empty}); postMessage("compiled"); }`,
    code = `${compile} catch (error) { postMessage(error.name); }`,
    worker = new Worker(URL.createObjectURL(new Blob([code], { type: "text/javascript" })));
  worker.onmessage = ({ data }) => resolve(data);
})"""


@pytest.mark.parametrize(
    "name, outcome", [("pages/published_model", "compiled"), ("pages/notation", "CompileError")]
)
def test_webassembly_is_compiled_where_allowed(address, unwatched, name, outcome):
    unwatched.goto(f"{address}/{name}.html")
    assert unwatched.evaluate(COMPILE) == outcome


def test_injected_script_does_not_run(address, unwatched):
    unwatched.add_init_script(VIOLATIONS)
    unwatched.goto(f"{address}/pages/notation.html")
    unwatched.evaluate("document.body.append(Object.assign(document.createElement('script'), {text: 'i = 1'}))")
    unwatched.evaluate("document.body.insertAdjacentHTML('beforeend', '<img src=x onerror=\"i = 2\">')")
    unwatched.wait_for_function("violations.length === 2")
    assert unwatched.evaluate("typeof i") == "undefined"
