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


def with_binary_files(folder):
    """Add the pictures and data sets, which are no text."""
    for name in ("lib", "_ext", "tools", "figures"):
        shutil.copytree(ROOT / name, folder / name, dirs_exist_ok=True)


def with_built_parts(folder, built_site, notebook):
    """Give a copy what `make` would compute: executed notebooks, the two parts of the ledger, and packages."""
    (folder / "node_modules").symlink_to(ROOT / "node_modules")
    shutil.copytree(built_site.parent / "executed", folder / "_build" / "executed")
    measured = json.loads((built_site.parent / "ledger.json").read_text("utf8"))
    measured |= {label: measured["eq:softmax"] for label in LABEL.findall(notebook.read_text("utf8"))}
    (folder / "_build" / "ledger.json").write_text(json.dumps(measured), "utf8")
    shutil.copy(built_site.parent / "conclusions.json", folder / "_build")


def must_succeed(command, folder):
    done = run(command, folder)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]


def python(*module):
    return [sys.executable, "-m", *module]


BUILD = [Path(sys.executable).with_name("jupyter-book"), "build", "."]


@pytest.mark.long
def test_new_chapter_is_built(copy_of_course, built_site):
    with_binary_files(copy_of_course)
    notebook = new_chapter.make_chapter("laplace_kernel", copy_of_course)
    with_built_parts(copy_of_course, built_site, notebook)
    must_succeed([*BUILD, "-W", "-n", "--keep-going"], copy_of_course)
    built = copy_of_course / "_build" / "html"
    assert "<summary>Summary</summary>" in (built / "chapters" / f"{notebook.stem}.html").read_text("utf8")
    assert "<strong>Laplace kernel</strong>" in (built / "intro.html").read_text("utf8")


def add_decay(course, notebook):
    """Follow "Add a figure" of CONTRIBUTING: copy the example, export it, list it, and call it in a chapter."""
    shutil.copytree(course / "tests/figures/example/decay", course / "lib/figures/decay")
    package = course / "lib/figures/__init__.py"
    exported = package.read_text("utf8").replace("__all__ = [", '__all__ = [\n    "decay_figure",')
    package.write_text(exported, "utf8")
    cells = [
        {"cell_type": "markdown", "id": "decay-still", "source": ["![A bar.](../figures/live-decay.svg)"]},
        {"cell_type": "code", "id": "decay", "outputs": [], "execution_count": None},
    ]
    cells[1]["source"] = ["from lib.figures import decay_figure\n", "\n", "decay_figure()"]
    content = json.loads(notebook.read_text("utf8"))
    content["cells"] += [cell | {"metadata": {}} for cell in cells]
    notebook.write_text(json.dumps(content), "utf8")


def complete_card(course, notebook):
    """Follow step 4 of "Add a chapter": give the chapter's card a year, a meaning of *alike* and an image."""
    number = int(notebook.stem[:2])
    shutil.copy(course / "figures/chapter-1.svg", course / f"figures/chapter-{number}.svg")
    intro = course / "intro.ipynb"
    text = intro.read_text("utf8").replace(
        f"[*{number} · year*", f"[![](figures/chapter-{number}.svg) *{number} · 2030*"
    )
    intro.write_text(text.replace("Alike means …", "Alike means near."), "utf8")


@pytest.mark.long
def test_recipes_of_contributing_build_a_page(copy_of_course, built_site):
    """A chapter with a new figure: neither its still picture nor its preview card exists at first."""
    with_binary_files(copy_of_course)
    notebook = new_chapter.make_chapter("laplace_kernel", copy_of_course)
    add_decay(copy_of_course, notebook)
    complete_card(copy_of_course, notebook)
    with_built_parts(copy_of_course, built_site, notebook)
    before = texts_of(copy_of_course / "figures")
    must_succeed(python("tools.build.bundle_figures"), copy_of_course)
    must_succeed([*BUILD, "--quiet"], copy_of_course)  # as `make pictures`
    must_succeed(python("tools.build.pictures", "decay"), copy_of_course)
    after = texts_of(copy_of_course / "figures")
    changed = {path.name for path in after if after[path] != before.get(path)}
    assert changed == {"live-decay.svg", "heights.json"}
    assert (copy_of_course / f"_ext/course/assets/card-{notebook.stem}.png").exists()
    must_succeed([*BUILD, "-W", "-n", "--keep-going"], copy_of_course)
    page = (copy_of_course / f"_build/html/chapters/{notebook.stem}.html").read_text("utf8")
    assert "_images/live-decay.svg" in page and "figures/decay" in page


def texts_of(folder):
    return {path: path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def test_make_chapter_numbers_removes_and_rejects_chapters(copy_of_course):
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
