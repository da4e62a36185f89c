"""The browser edition: its downloads, `lib` in its Python, and every chapter run to its end."""

import hashlib
import json
import re
import shutil
import subprocess
import zipfile
from base64 import b64decode

import pytest
from playwright.sync_api import expect

import lib
from tests.conftest import ROOT
from tests.needs import PACKAGE
from tests.notebook_page import COMPLAINTS, move_a_slider, open_in_browser, run_all
from tools.edition import lite

CHAPTERS = sorted((ROOT / "chapters").glob("*.ipynb"))


@pytest.fixture(scope="module")
def runtime(built_site):
    return built_site / "lite" / "static" / "pyodide"


def test_lock_lists_exactly_the_wheels(runtime):
    packages = json.loads((runtime / "pyodide-lock.json").read_text("utf8"))["packages"]
    stated = {entry["file_name"]: entry["sha256"] for entry in packages.values()}
    found = {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in runtime.glob("*.whl")}
    assert stated == found
    assert {"numpy", "matplotlib", "ipywidgets", "anywidget", "kernel-regression-to-attention"} <= set(packages)


def test_chapters_match_edition_and_embed_images(built_site):
    folders = [built_site / "lite" / "files" / "chapters", built_site.parent / "notebooks" / "chapters"]
    for path in CHAPTERS:
        text, edition = ((folder / path.name).read_text("utf8") for folder in folders)
        pictures = [b64decode(data) for data in re.findall(r"\]\(data:image/svg\+xml;base64,([\w+/=]+)\)", text)]
        names = re.findall(r"/figures/([\w-]+\.svg)\)", edition)
        assert pictures == [(ROOT / "figures" / name).read_bytes() for name in names]
        assert re.sub(r"\(data:[^)]+\)", "()", text) == re.sub(r"\(https://raw[^)]+\)", "()", edition)


def test_startup_modules_are_compiled_and_unused_files_removed(runtime):
    """Compiling takes half of an import's time; the source stays beside it, for error messages."""
    for pattern, wanted in {
        lite.STDLIB: {"inspect.py", "inspect.pyc"},
        "matplotlib-*.whl": {"matplotlib/pyplot.py", "matplotlib/__pycache__/pyplot.cpython-314.pyc"},
        "jedi-*.whl": {"jedi/third_party/typeshed/stdlib/3/typing.pyi"},
    }.items():
        found = zipfile.ZipFile(next(runtime.glob(pattern))).namelist()
        assert wanted <= set(found) and len(found) == len(set(found)), pattern
        assert not any(lite.UNUSED.match(name) for name in found)


def test_notebook_from_disk_explains_failure(built_site, browser):
    page = browser.new_page()
    address = (built_site / "lite" / "notebooks" / "index.html").as_uri()
    page.goto(f"{address}?path=chapters/{CHAPTERS[0].name}", wait_until="commit")  # its script stops loading
    expect(page.locator("p").first).to_contain_text("Python cannot start in a page opened from disk")
    page.close()


@pytest.fixture
def store(tmp_path, monkeypatch, built_site):
    copy = shutil.copytree(lite.WHEELS, lite.BUILD / tmp_path.name)
    monkeypatch.setattr(lite, "WHEELS", copy)
    yield copy
    shutil.rmtree(copy)


@pytest.mark.parametrize("name", ["numpy", "anywidget"])  # one package from each lock file
def test_damaged_wheel_stops_the_build(store, name):
    wheel = next(store.glob(f"{name}-*.whl"))
    for damage, words in [(lambda: wheel.write_bytes(b"PK"), "as it is pinned"), (wheel.unlink, "found none")]:
        damage()
        with pytest.raises(lite.BuildError, match=f"expected the wheel {name}-.*{words}.*make lite"):
            lite.checked_wheels()


def test_widget_packages_match_the_site():
    """Their JavaScript is that of the site's environment."""
    for name in ("ipywidgets", "anywidget"):
        texts = ((ROOT / file).read_text("utf8") for file in ("requirements-dev.txt", "lite/wheels.txt"))
        assert len({re.search(rf"^{name}==(\S+)", text, re.MULTILINE)[1] for text in texts}) == 1


NEED_SOURCES = ("tests/lib/test_architecture.py", "tests/figures/test_former_names.py")
# WebAssembly has no floating-point flags, so NumPy cannot warn of a division by zero
SILENT_DIVISION = "tests/lib/test_random_features.py::test_trigonometric_weights_can_sum_to_zero"


def run_in_pyodide(runtime, tools, *arguments):
    script = ROOT / "tests" / "site" / "run_in_pyodide.mjs"
    command = ["node", script, runtime, ROOT, tools, *arguments]
    return subprocess.run(command, capture_output=True, text=True)


@pytest.fixture(scope="module")
def tools(tmp_path_factory):
    """A folder with pytest and hypothesis for Pyodide's Python."""
    downloads, folder = lite.BUILD / "test-wheels", tmp_path_factory.mktemp("tools")
    lite.download(ROOT / "tests" / "site" / "pyodide.txt", downloads)
    for wheel in downloads.glob("*.whl"):
        zipfile.ZipFile(wheel).extractall(folder)
    return folder


@pytest.mark.long
def test_lib_passes_under_pyodide(runtime, tools):
    options = ["--quiet", "--portable", "-m", "not long", "--doctest-ignore-import-errors"]  # Dask is not there
    options += ["--deselect", SILENT_DIVISION, *(f"--ignore={path}" for path in NEED_SOURCES)]
    done = run_in_pyodide(runtime, tools, *options, *PACKAGE, "--pyargs", "lib")
    assert done.returncode == 0, done.stdout[-5000:] + done.stderr[-1000:]
    assert int(re.search(r"(\d+) passed", done.stdout)[1]) > 500


@pytest.mark.long
@pytest.mark.parametrize("name", [path.stem for path in CHAPTERS])
def test_chapter_runs_in_browser(site, page, name):
    open_in_browser(page, site, name)
    run_all(page)
    assert page.evaluate(COMPLAINTS) == []
    if name[0].isdigit():  # every numbered chapter has a live figure
        before, after = move_a_slider(page)
        assert before != after
    assert not page.locator(".jp-RenderedMarkdown img").evaluate_all(
        "(images) => images.some((image) => image.complete && image.naturalWidth === 0 && image.offsetWidth > 0)"
    )


@pytest.fixture
def without_python(browser):
    """A page that does not start Python, which is slow."""
    page = browser.new_page()
    page.route("**/pyodide*", lambda route: route.abort())
    yield page
    page.close()


@pytest.mark.long
def test_edited_chapter_is_kept_and_resettable(site, without_python):
    page = without_python
    page.goto(f"{site}/lite/notebooks/index.html?path=assignments/{CHAPTERS[0].name}")
    page.locator("#course-bar a").click()
    page.wait_for_url(f"{site}/chapters/{CHAPTERS[0].stem}.html")
    page.goto(f"{site}/lite/notebooks/index.html?path=chapters/{CHAPTERS[0].name}")
    bar = page.locator("#course-bar")
    bar.get_by_text(re.compile(rf"Version {re.escape(lib.__version__)} .*The published copy;")).wait_for()
    page.locator(".jp-CodeCell .cm-content").first.click()
    page.keyboard.type("# mine ")
    page.keyboard.press("Control+s")
    bar.get_by_text("Your own copy").wait_for()
    page.reload()
    bar.get_by_text("Your own copy").wait_for()
    page.on("dialog", lambda dialog: dialog.accept())
    bar.get_by_role("button").click()
    bar.get_by_text("The published copy;").wait_for()
    assert "# mine" not in page.locator(".jp-Notebook").first.text_content()
    page.locator("#course-bar a").click()
    page.wait_for_url(f"{site}/chapters/{CHAPTERS[0].stem}.html")
