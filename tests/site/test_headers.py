"""HTTP headers for the site's server: what a page may load, and how long it may be cached."""

import re

import pytest

from _ext.course.site_headers import headers
from tests.conftest import PageErrors
from tests.headers import VIOLATIONS, policy, rules, stated

PAGES = ("intro", "pages/notation", "search", "pages/progress", "chapters/01_nadaraya_watson", "slides/01", "404")


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
def test_webassembly_is_compiled_where_allowed(site, unwatched, name, outcome):
    unwatched.goto(f"{site}/{name}.html")
    assert unwatched.evaluate(COMPILE) == outcome


def test_injected_script_is_error_and_does_not_run(site, unwatched):
    errors = PageErrors(unwatched)
    unwatched.add_init_script(VIOLATIONS)
    assert "sha256-" in unwatched.goto(f"{site}/pages/notation.html").headers["content-security-policy"]
    unwatched.evaluate("document.body.append(Object.assign(document.createElement('script'), {text: 'i = 1'}))")
    unwatched.evaluate("document.body.insertAdjacentHTML('beforeend', '<img src=x onerror=\"i = 2\">')")
    unwatched.wait_for_function("violations.length === 2")
    assert unwatched.evaluate("typeof i") == "undefined"
    assert sum("Content Security Policy" in finding for finding in errors.findings) == 2
