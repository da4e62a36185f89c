"""The JavaScript of the live figures: its bundles, and how pages get it without executing notebooks."""

import os
import re
import subprocess
import time
from types import SimpleNamespace

import pytest

from _ext.course import site_assets, widget_assets
from lib.constants import PALETTE
from lib.figures import contract
from lib.plotting import MUTED
from tests.conftest import ROOT
from tools.build import bundle_figures


def test_missing_bundle_error_names_both_remedies(tmp_path, monkeypatch):
    monkeypatch.setattr(contract, "BUNDLED", tmp_path)
    (tmp_path / "pixel.js").write_text("1;")
    with pytest.raises(FileNotFoundError, match="pixel.css, .*`make bundle`.*branch `notebooks`") as raised:
        contract.bundled("pixel")
    assert raised.value.__suppress_context__, "no chained exception"


def test_bundles_are_built_and_ignored_by_git():
    tracked = subprocess.run(["git", "ls-files", "lib/figures"], cwd=ROOT, capture_output=True, text=True).stdout
    assert "contract" in tracked and "bundled" not in tracked
    for target in ("test-fast", "chapters", "lint", "book"):
        dry = ["make", "--dry-run", "--what-if=lib/figures/contract/figure.js", target]
        done = subprocess.run(dry, cwd=ROOT, capture_output=True, text=True, check=True)
        assert "bundle_figures" in done.stdout, target


def test_comments_of_scripts_are_at_most_120_characters_wide():
    """Biome wraps code, but no comment."""
    scripts = [
        "lib/figures/*.js",
        "tests/figures/example/*.js",
        "_ext/*.js",
        "_ext/*.mjs",
        "tools/*.js",
        "tests/*.mjs",
    ]
    paths = subprocess.check_output(["git", "ls-files", *scripts], cwd=ROOT, text=True).split()
    lines = [(path, line) for path in paths for line in (ROOT / path).read_text("utf8").splitlines()]
    comment = re.compile(r"\s*(/\*\*|\*|//) (?=.*\s)")
    assert [(path, line) for path, line in lines if len(line) > 120 and comment.match(line)] == []


@pytest.fixture
def small_book(tmp_path):
    """A minimal Sphinx application of a book with one figure."""
    root = tmp_path / "book"
    (root / "_build" / "html" / "_static").mkdir(parents=True)
    (root / "lib" / "figures" / "bundled").mkdir(parents=True)
    (root / "lib" / "figures" / "pixel.py").write_text("pass\n", "utf8")
    (root / "package-lock.json").write_text("{}", "utf8")
    (root / "node_modules").symlink_to(ROOT / "node_modules")
    return SimpleNamespace(confdir=root, outdir=root / "_build" / "html", builder=SimpleNamespace(format="html"))


def keys(app):
    """The dependencies of executing notebooks and of reading and writing pages."""
    config = SimpleNamespace()
    site_assets.key_on_sources(app, config)
    return config.nb_execution_cache_path, config.course_site_key, config.figure_code_key


def test_data_edits_execute_notebooks_and_old_caches_expire(small_book):
    folder, before = small_book.confdir / "lib" / "figures", keys(small_book)
    for name in ("pixel.js", "pixel.css", "bundled/pixel.js"):
        (folder / name).write_text("1;", "utf8")
        assert keys(small_book)[:2] == before[:2], "no page is read again"
    assert keys(small_book)[2] != before[2] and keys(small_book) == keys(small_book)
    (folder / "pixel.py").write_text("1\n", "utf8")
    assert keys(small_book)[0] == before[0], "a module executes only the notebooks that import it"
    (folder / "names.json").write_text("1\n", "utf8")
    edited = keys(small_book)[0]
    (folder / "names.json").rename(folder / "renamed.json")
    assert len({before[0], edited, keys(small_book)[0]}) == 3
    fresh, old = (small_book.confdir / "_build" / "executed" / name for name in ("fresh", "old"))
    for cache, age in ((fresh, 6), (old, 8)):
        cache.mkdir(parents=True)
        os.utime(cache, times=(time.time() - age * 24 * 3600,) * 2)
    keys(small_book)
    assert fresh.exists() and not old.exists()


def test_page_gets_current_figure_code(small_book):
    """The notebook was executed before an edit; a widget that is no figure of ours keeps its code."""
    old = {"_esm": "/* old */" + "x;" * 1000, "_css": "a { color: red; }" * 100, "size": 3}
    lazy = {"worker_lazy": "/* old */" + "w;" * 1000}
    widgets = {
        "ours": {"state": {**old, **lazy, "_anywidget_id": "lib.figures.pixel.PixelFigure"}},
        "other": {"state": {**old, "_anywidget_id": "elsewhere.Widget"}},
    }
    static = small_book.outdir / "_static"
    bundled = small_book.confdir / "lib" / "figures" / "bundled"
    (bundled / "pixel.css").write_text(".today { color: blue; }", "utf8")
    (bundled / "pixel_lazy_worker.js").write_text("self.onmessage = () => postMessage(7);", "utf8")
    loaded = []
    for number in (42, 42, 43):
        (bundled / "pixel.js").write_text(f"export default {{ render() {{ return {number}; }} }};", "utf8")
        bundle_figures.write_code(small_book.confdir, static)
        parts = widget_assets.Parts(static, "_static/")
        moved = parts.move({"state": widgets})["state"]
        loaded.append(parts.names)
        code = (static / "figures" / "pixel.js").read_text("utf8")
        assert str(number) in code and ".today" in code and "x;" not in code
    worker = moved["ours"]["state"].pop("worker_lazy")
    file = worker["script"].split("?")[0]
    assert worker["lazy"] == "pixel_lazy_worker.js" and file not in " ".join(parts.names), "fetched on first use"
    assert "postMessage(7)" in (small_book.outdir / file).read_text("utf8")
    assert moved["ours"]["state"] == {
        name: value for name, value in widgets["ours"]["state"].items() if name not in lazy
    } | {
        "_esm": {"part": "pixel.js"},
        "_css": {"part": "pixel.css"},
    }
    other = {name: moved["other"]["state"][name]["part"] for name in ("_esm", "_css")}
    assert "x;" in (static / "figures" / f"{other['_esm']}.js").read_text("utf8")
    assert "red" in (static / "figures" / f"{other['_css']}.js").read_text("utf8")
    assert loaded[0] == loaded[1] and len(set(loaded[1]) - set(loaded[2])) == 1, "a new version has a new URL"


def test_contributing_quotes_the_tested_example():
    page = " ".join((ROOT / "CONTRIBUTING.md").read_text("utf8").split())
    (source,) = re.findall(r"`cp -r (\S+) lib/figures/decay`", page)
    linked = {ROOT / path for path in re.findall(rf"\]\(({source}/[^)]+)\)", page)}
    assert linked == {path for path in (ROOT / source).iterdir() if path.is_file()}


@pytest.mark.parametrize("name", ["figures", "profiles", "programs", "tables", "workbooks"])
def test_javascript_functions_pass_their_node_tests(name):
    done = subprocess.run(
        ["node", "--test", f"tests/figures/{name}.test.mjs"], cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize(
    "name",
    [
        "lib/course.mplstyle",
        "_ext/course/root/404.html",
        "_ext/course/assets/favicon.svg",
        "lib/figures/pixel/pixel.css",
    ],
)
def test_standalone_svg_has_course_colours(name):
    hexadecimal = re.compile(r"(?<![&\w])#?([0-9A-Fa-f]{6})\b")
    of_texts = hexadecimal.findall((ROOT / "_ext" / "course" / "assets" / "course.css").read_text("utf8"))
    known = {color.strip("#").upper() for mode in PALETTE.values() for color in mode.values()}
    used = {color.upper() for color in hexadecimal.findall((ROOT / name).read_text("utf8"))}
    assert used - known - {color.upper() for color in of_texts} - {MUTED.strip("#")} == set()
