"""From what Sphinx writes to what readers get: each step on a page of three lines, and all of them together."""

import re
from pathlib import Path
from types import SimpleNamespace

import figure_parts
import finish
import pytest
from conftest import ROOT
from page_files import exchange

PAGE = "<html><head>{}\n</head>\n<body class='x'>{}\n<!-- as the last in <body> --></body></html>"
STATE = '<script type="application/vnd.jupyter.widget-state+json">{}</script>'
RUNTIME = '<script defer="defer" src="_static/widgets/widgets.js"></script>'
WRITTEN = {  # what the theme writes, and what becomes of it
    'dataset.theme = localStorage.getItem("theme") || "auto";': 'matchMedia("(prefers-color-scheme: dark)")',
    '<script src="_static/fontawesome.js">': '<script defer data-auto-add-css="false" src=',
    '<script src="_static/other.js">': '<script defer src="_static/other.js">',
    '<button class="btn search-button-field" aria-label="Search">': '<button class="btn search-button-field">',
    '<i class="theme-switch fa" title="Light">': '<i class="theme-switch fa">',
    '<summary aria-label="Toggle hidden content">': "<summary>",
    '<summary><span class="toctree-toggle">': '<summary aria-label="Show the pages below"><span',
    '<title>One</title>\n<script src="../searchindex.js"></script></head>': "<title>One</title></head>",
    'role="doc-biblioentry"': 'role="listitem"',
    '<span class="n">keys</span><span class="p">,</span>': "keys,",
}


@pytest.fixture
def app(tmp_path, monkeypatch):
    """An application that has written no page yet, as far as the steps look at it."""
    monkeypatch.setattr(finish.formulas, "LARGE_FONTS", ())
    for name in ("scripts", "styles", "figures"):
        (tmp_path / "_static" / name).mkdir(parents=True)
    (tmp_path / "_static/scripts/pydata-sphinx-theme.js").write_text('"fa-sun"', "utf8")
    (tmp_path / "node_modules/reveal.js/dist").mkdir(parents=True)
    for name in finish.slides.REVEAL:
        (tmp_path / "node_modules/reveal.js" / name).write_text("", "utf8")
    return SimpleNamespace(
        outdir=str(tmp_path),
        confdir=str(tmp_path),
        builder=SimpleNamespace(format="html"),
        env=SimpleNamespace(found_docs={"one", "two"}),
        typesetter=SimpleNamespace(sheet=lambda: "\nmjx-c.mjx-c41 { }\nmjx-c.mjx-c42 { }\n"),
    )


def write(app, **bodies):
    for name, body in bodies.items():
        path_of(app, name).write_text(PAGE.format("", body), "utf8")


def path_of(app, name):
    return Path(app.outdir) / f"{name}.html"


def read(app, name):
    return path_of(app, name).read_text("utf8")


def test_what_is_exchanged_is_there_once():
    assert exchange("a place", "place", "word", "a text") == "a word"
    for text in ("nothing", "place and place"):
        with pytest.raises(ValueError, match=r"expected 'place' once in a text, got it [02] times"):
            exchange(text, "place", "word", "a text")


def test_a_page_bears_its_name_once():
    page = finish.with_name(PAGE.format("", ""), "chapters/one")
    assert "<body data-page=\"chapters/one\" class='x'>" in page
    with pytest.raises(ValueError, match="chapters/one: expected a page with a body that has no name"):
        finish.with_name(page, "chapters/one")


@pytest.mark.parametrize("written", WRITTEN)
def test_each_repair_repairs_and_does_so_once(written):
    page = finish.repaired(written, "one")
    assert WRITTEN[written] in page
    assert finish.repaired(page, "one") == page


def test_scripts_that_others_need_at_once_are_left():
    page = (
        '<script src="_static/documentation_options.js"></script><script>now()</script><script defer src="x.js">'
    )
    assert finish.repaired(page, "one") == page


def test_a_repair_that_matches_nowhere_stops_the_build():
    finish.refuse_idle_repairs([PAGE, "\n".join(WRITTEN)])
    fewer = "\n".join(line for line in WRITTEN if "biblioentry" not in line)
    with pytest.raises(ValueError, match="got none for: a list of sources has the role that lists have$"):
        finish.refuse_idle_repairs([PAGE, fewer])


def test_long_values_move_to_files_that_the_page_loads(tmp_path):
    (tmp_path / "_static").mkdir()
    state = '{"state": {"a": {"state": {"_esm": "' + "x;" * 1000 + '", "size": 3}}}}'
    pages = {"chapters/one": PAGE.format(RUNTIME, STATE.format(state))}
    page = figure_parts.of_today(pages, ROOT, tmp_path)["chapters/one"]
    script = re.search(r'<script defer src="\.\./_static/(figures/\w+\.js)"></script>\n<script defer=', page)
    assert (tmp_path / "_static" / script[1]).exists()
    assert '"size": 3' in page and "x;x;" not in page
    assert figure_parts.of_today({"chapters/one": page}, ROOT, tmp_path) == {"chapters/one": page}
    with pytest.raises(ValueError, match="expected the state of a page's figures once, got it 2 times"):
        figure_parts.of_today({"one": PAGE.format(RUNTIME, 2 * STATE.format(state))}, ROOT, tmp_path)
    with pytest.raises(ValueError, match="expected a page with live figures to load widgets/widgets.js"):
        figure_parts.of_today({"one": PAGE.format("", STATE.format(state))}, ROOT, tmp_path)


def test_a_page_is_finished_once(app):
    write(app, one="\n".join(WRITTEN) + '<mjx-c class="mjx-c41">', two="")
    finish.finish(app, None)
    first = {path: path.stat().st_mtime_ns for path in Path(app.outdir).glob("*.html")}
    assert 'data-page="one"' in read(app, "one") and "doc-biblioentry" not in read(app, "one")
    assert (Path(app.outdir) / "_static/formulas.css").read_text() == "\nmjx-c.mjx-c41 { }\n"
    write(app, two="new")
    finish.finish(app, None)
    first.pop(path_of(app, "two"))
    after = {path: path.stat().st_mtime_ns for path in Path(app.outdir).glob("*.html")}
    assert first.items() <= after.items() and 'data-page="two"' in read(app, "two")


def test_a_page_names_what_the_next_one_loads_today(app):
    write(app, one="\n".join(WRITTEN) + '<a class="right-next" href="two.html">', two="")
    finish.finish(app, None)
    assert "next-scripts" not in read(app, "one")
    path_of(app, "two").write_text(PAGE.format('<script src="_static/other2.js"></script>', ""), "utf8")
    finish.finish(app, None)
    assert read(app, "one").count('<meta name="next-scripts" content="_static/other2.js">') == 1


def test_pages_of_which_none_needs_a_repair_stop_the_build(app):
    write(app, one="", two="")
    with pytest.raises(ValueError, match="expected each repair to match on some page, got none for: by day"):
        finish.finish(app, None)
    assert "data-page" not in read(app, "one")
