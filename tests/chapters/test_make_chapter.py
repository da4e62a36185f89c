"""`make chapter` creates a chapter that is registered everywhere and passes the tests."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tools.build.notebook_text import LABEL
from tools.edition import new_chapter, set_url


@pytest.fixture
def copy_of_course(tmp_path):
    for path in set_url.course_files():
        target = tmp_path / path.relative_to(ROOT)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, target)
    shutil.copytree(ROOT / "lib/figures/bundled", tmp_path / "lib/figures/bundled")  # built, not committed
    return tmp_path


def run(command, folder):
    """Use the copy's own `lib`, also in notebook kernels."""
    own = os.environ | {"PYTHONPATH": str(folder)}
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, env=own)


def test_new_chapter_is_registered_and_passes(copy_of_course):
    notebook = new_chapter.make_chapter("laplace_kernel", copy_of_course)
    stem = notebook.stem
    assert stem.endswith("_laplace_kernel") and "@" not in re.sub("@( |notebooks)", "", notebook.read_text("utf8"))
    for name, words in {
        "_toc.yml": [f"      - file: chapters/{stem}\n", f"          - file: teaching/guide_{stem[:2]}\n"],
        "intro.ipynb": [f"**Laplace kernel**](chapters/{stem}.ipynb)"],
        "pages/methods.md": [f"| {int(stem[:2])}. Laplace kernel"],
        "teaching/index.md": [f"(guide_{stem[:2]}.md)"],
    }.items():
        text = (copy_of_course / name).read_text("utf8")
        assert all(text.count(word) == 1 for word in words), name
    files = ["chapters/test_chapters", "chapters/test_exercises", "chapters/test_book", "teaching/test_slides"]
    files += ["teaching/test_teaching", f"equations/test_equations_{stem[:2]}"]
    tests = [f"tests/{name}.py" for name in files]
    skipped = ("built", "timing_and_link", "overflow", "open", "link_to", "source")  # these need the site
    selected = " and not ".join([f"({stem} or equations_{stem[:2]} or every)", *skipped])
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-k", selected, *tests]
    done = run(command, copy_of_course)
    assert done.returncode == 0, done.stdout[-3000:]
    assert int(re.search(r"(\d+) passed", done.stdout)[1]) > 15
    written = [f"tests/equations/test_equations_{stem[:2]}.py", f"tests/chapters/answers/chapter_{stem[:2]}.py"]
    ruff = [sys.executable, "-m", "ruff", "check", f"chapters/{stem}.ipynb", *written]
    assert subprocess.run(ruff, cwd=copy_of_course, capture_output=True).returncode == 0


@pytest.mark.long
def test_new_chapter_is_built(copy_of_course, built_site):
    notebook = new_chapter.make_chapter("laplace_kernel", copy_of_course)
    (copy_of_course / "node_modules").symlink_to(ROOT / "node_modules")
    shutil.copytree(built_site.parent / "executed", copy_of_course / "_build" / "executed")
    measured = json.loads((built_site.parent / "ledger.json").read_text("utf8"))
    measured |= {label: measured["eq:softmax"] for label in LABEL.findall(notebook.read_text("utf8"))}
    (copy_of_course / "_build" / "ledger.json").write_text(json.dumps(measured), "utf8")
    shutil.copy(built_site.parent / "conclusions.json", copy_of_course / "_build")
    for folder in ("lib", "_ext", "tools", "figures"):  # including the pictures
        shutil.copytree(ROOT / folder, copy_of_course / folder, dirs_exist_ok=True)
    build = [Path(sys.executable).with_name("jupyter-book"), "build", ".", "-W", "-n", "--keep-going"]
    done = run(build, copy_of_course)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    built = copy_of_course / "_build" / "html"
    assert "<summary>Summary</summary>" in (built / "chapters" / f"{notebook.stem}.html").read_text("utf8")
    assert "<strong>Laplace kernel</strong>" in (built / "intro.html").read_text("utf8")


def texts_of(folder):
    return {path: path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def test_make_chapter_handles_ten_removal_and_invalid_names(copy_of_course):
    before = texts_of(copy_of_course)
    made = [new_chapter.make_chapter(name, copy_of_course).stem for name in ("one_more", "and_another")]
    assert all(int(stem[:2]) > 9 for stem in made) and made[1] == f"{int(made[0][:2]) + 1}_and_another"
    with pytest.raises(ValueError, match="expected the name of the last chapter, and_another, got 'one_more'"):
        new_chapter.remove_chapter("one_more", copy_of_course)
    for name in ("and_another", "one_more"):
        new_chapter.remove_chapter(name, copy_of_course)
    assert texts_of(copy_of_course) == before
    for name in ("", "Upper", "two words", "09_number", "attention"):
        with pytest.raises(ValueError, match="expected a n"):
            new_chapter.make_chapter(name, copy_of_course)
