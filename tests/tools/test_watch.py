"""`make serve` rebuilds after a change, and open pages reload; a failed build changes nothing."""

import threading
import time
from types import SimpleNamespace
from urllib.request import urlopen

import pytest

from tools.build import watch

HEAD = '<!doctype html><html lang="en"><head><title>One</title><link rel="icon" href="data:,"></head>'
PAGE = HEAD + "<body><p>{}</p></body></html>"


def copy(root):
    text = (root / "one.md").read_text("utf8")
    (root / "_build/html/index.html").write_text(text, "utf8")
    (root / "_build/html/.built").touch()
    return "wrong" not in text


@pytest.fixture
def course(tmp_path):
    built = tmp_path / "_build" / "html"
    (built / "_static").mkdir(parents=True)
    (built / "_static" / "some.txt").write_text("some", "utf8")
    for path in (tmp_path / "one.md", built / "index.html", built / "one.html", built / ".built"):
        path.write_text(PAGE.format("old"), "utf8")
    return tmp_path


@pytest.fixture
def kept(tmp_path_factory):
    return tmp_path_factory.mktemp("kept").resolve()


@pytest.fixture
def server(course, kept):
    with watch.make_watching_server(course, kept, range(8100, 8200)) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server
        server.shutdown()


def get(server, address=""):
    with urlopen(f"http://127.0.0.1:{server.server_port}/{address}") as answer:
        return answer.read().decode()


def change(course, text):
    time.sleep(0.01)  # so that its modification time differs
    (course / "one.md").write_text(PAGE.format(text), "utf8")


def test_only_served_pages_have_reload_script(course, server):
    for address in ("", "index.html", "one.html"):
        text = get(server, address)
        assert text.count('<script src="/reload/script.js">') == 1
    assert "script" not in (course / "_build/html/index.html").read_text("utf8")
    assert get(server, "_static/some.txt") == "some"


@pytest.mark.parametrize("make", [copy, watch.build_figures])
def test_failed_build_is_reported_and_changes_nothing(make, course, server, kept, monkeypatch, capsys):
    monkeypatch.setattr(watch.subprocess, "run", lambda command, cwd: SimpleNamespace(returncode=1))
    build = get(server, "reload/build")
    change(course, "wrong")
    watch.build_again(course, server, kept, make)
    assert "The build failed" in capsys.readouterr().out
    assert "<p>old</p>" in get(server) and get(server, "reload/build") == build


def test_edit_builds_only_what_it_needs(course):
    before = watch.modified(course)
    for name in ("lib/__pycache__/a.pyc", "chapters/.ipynb_checkpoints/a.ipynb", "chapters/.a.ipynb.swp"):
        (course / name).parent.mkdir(parents=True, exist_ok=True)
        (course / name).touch()
    assert watch.modified(course) == before
    for name in ("lib/figures/a/a.js", "lib/a.py", "chapters/a.ipynb", "notation.md", "assignments/a.ipynb"):
        (course / name).parent.mkdir(parents=True, exist_ok=True)
        (course / name).touch()
        assert course / name in watch.modified(course)
    (course / "lib/a.py").unlink()
    assert course / "lib/a.py" not in watch.modified(course)
    script, python, text = (course / name for name in ("lib/figures/a/a.js", "lib/figures/a/a.py", "notation.md"))
    for edited, builds in [({script}, ["figures"]), ({python}, ["book"]), ({text, script}, ["figures", "book"])]:
        assert watch.needed(edited, "book", "figures") == builds


def test_open_page_reloads_after_change(course, server, kept, new_page):
    threading.Thread(target=watch.watch, args=(course, server, kept, copy), daemon=True).start()
    page = new_page()
    with page.expect_response("**/reload/build"):
        page.goto(f"http://127.0.0.1:{server.server_port}/index.html")
    page.get_by_text("old").wait_for()
    change(course, "new")
    page.get_by_text("new").wait_for()


def test_failed_book_is_detected(tmp_path):
    (tmp_path / "Makefile").write_text("_build/html/.built: one.md\n\tgrep right one.md\n")
    for text, good in (("wrong", False), ("right", True)):
        (tmp_path / "one.md").write_text(text)
        assert watch.build_book(tmp_path) == good
