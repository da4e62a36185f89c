"""The notebooks that people run: plain Markdown with the site's text and collapsed cells, and unchanged code."""

import asyncio
import json
import re
from base64 import b64decode
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace
from urllib.parse import unquote

import nbformat
import pytest
from docutils import nodes
from markdown_it import MarkdownIt
from mdit_py_plugins.dollarmath import dollarmath_plugin
from nbclient import NotebookClient

from _ext.course.notebook_edition import BRANCH, Edition
from _ext.course.warning_locations import CellAndLine
from tests.conftest import ROOT
from tools.build.addresses import pages_address, repository_address
from tools.edition import set_url

FOLDERS = ("", "chapters/", "pages/", "assignments/")
SOURCES = sorted(path for folder in FOLDERS for path in ROOT.glob(f"{folder}*.ipynb"))
PAGES = [path for path in SOURCES if path.parent.name != "assignments"]
STATED = set_url.configured_address()
REPOSITORY = repository_address(STATED)
SITE = pages_address(REPOSITORY)
FILES = REPOSITORY.replace("github.com", "raw.githubusercontent.com") + f"/{BRANCH}/"
READER = MarkdownIt("commonmark").enable("table").use(dollarmath_plugin, allow_labels=False)


def each(paths):
    return pytest.mark.parametrize(
        "source", paths, ids=lambda path: path.stem + "-" * (path.parent.name[0] == "a")
    )


@pytest.fixture(scope="module")
def edition(built_site):
    folder = built_site.parent / "notebooks"
    return lambda source: nbformat.read(folder / source.relative_to(ROOT), as_version=4)


def texts(notebook):
    return [(cell.id, cell.source) for cell in notebook.cells if cell.cell_type == "markdown"]


def tokens(text):
    """Return all tokens of a Markdown text, parsed without MyST."""
    for token in READER.parse(text):
        yield token
        yield from token.children or []


@each(SOURCES)
def test_notebooks_contain_no_myst(edition, source):
    notebook = edition(source)
    nbformat.validate(notebook)
    assert len({cell.id for cell in notebook.cells}) == len(notebook.cells)
    for cell, text in texts(notebook):
        for token in tokens(text):
            words = token.content if token.type in ("text", "html_inline", "html_block") else ""
            assert not re.search(r"\{[\w:-]+\}?$|\{\{|^:::|^\(\S+\)=|\(eq:", words, re.MULTILINE), (
                f"{cell}: {words}"
            )
            assert not (token.type == "fence" and token.info.startswith("{")), cell
            if token.type.startswith("math"):
                assert not re.search(r"\\(?:query|key|val|weight|estimate|label|eqref|class)\b", token.content)


@each(SOURCES)
def test_images_are_embedded_and_links_resolve(edition, source, built_site):
    for cell, text in texts(edition(source)):
        found = [
            str(token.attrs.get("href") or token.attrs.get("src", "")) for token in tokens(text) if token.attrs
        ]
        found += re.findall(r'(?:href|src)="([^"]*)"', text)
        for address in filter(None, found):
            if address.startswith("data:image/svg+xml;base64,"):
                assert b"<svg" in b64decode(address.partition(",")[2], validate=True), cell
                continue
            assert address.startswith("https://"), f"{cell}: {address}"
            assert not re.search(r"\.(?:svg|png|jpg)$", address), f"{cell}: not available offline"
            if address.startswith(FILES):
                assert (ROOT / address.removeprefix(FILES)).is_file(), f"{cell}: {address}"
            if address.startswith(SITE):
                page, _, anchor = address.removeprefix(SITE).partition("#")
                place = anchor.split("=")[0] if "=" in anchor else f'id="{unquote(anchor)}"' if anchor else ""
                assert place in (built_site / page).read_text("utf8"), f"{cell}: {address}"


@each(SOURCES)
def test_cells_are_collapsed_and_code_is_unchanged(edition, source):
    for cell in edition(source).cells:
        tags = set(cell.metadata.get("tags", []))
        jupyter = cell.metadata.get("jupyter", {})
        folded = bool(tags & {"hide-input", "hide-cell", "remove-input", "solution"})
        assert jupyter.get("source_hidden", False) == folded, cell.id
        assert (cell.metadata.get("cellView") == "form") == folded, cell.id
        assert jupyter.get("outputs_hidden", False) == bool(tags & {"hide-cell", "hide-output", "solution"}), (
            cell.id
        )
        if cell.cell_type == "markdown":
            assert "<details open" not in cell.source, cell.id
            if "solution" in cell.id:
                assert cell.source.lstrip().startswith("<details>"), cell.id
    kept, written = (
        [
            (cell.id, cell.source.replace(STATED, REPOSITORY), cell.metadata.get("tags"))
            for cell in notebook.cells
            if cell.cell_type == "code"
        ]
        for notebook in (edition(source), nbformat.read(source, as_version=4))
    )
    assert kept == written


def said(html):
    return re.sub(r"<[^>]*>", "", html).replace("\xa0", " ").strip()


@each(PAGES)
def test_notebook_numbering_matches_site(edition, source, built_site):
    page = (built_site / source.relative_to(ROOT)).with_suffix(".html").read_text("utf8")
    notebook = texts(edition(source))
    text = "\n".join(text for _, text in notebook)
    assert re.findall(r"\\tag\{([\d.]+)\} \$\$", text) == re.findall(r'class="eqno">\(([\d.]+)\)', page)
    for number, target in re.findall(rf"\[\(([\d.]+)\)\]\({re.escape(SITE)}(\S+?)\)", text):
        name, anchor = target.split("#")
        html = (built_site / name).read_text("utf8")
        assert re.search(rf'id="{anchor}"[^>]*>\s*<span class="eqno">\({number}\)', html), target
    captions = [text for cell, text in notebook if cell.endswith("-caption")]
    numbers = re.findall(r'class="caption-number">(Fig\. [\d.]+) <', page)
    assert [re.match(r"\*\*(Fig\. [\d.]+)\.\*\* \w", text)[1] for text in captions] == numbers
    named = re.findall(r'<span class="bibtex-citation" id="id\d+">(.*?)</span>', page, re.DOTALL)
    links = rf"\[([^\[\]]+)\]\({re.escape(SITE)}pages/references\.html#id\d+\)"
    plain, n_links = re.subn(links, r"\1", text.replace("*", ""))
    assert n_links or not named
    assert [words for words in map(said, named) if words not in plain.replace("\xa0", " ")] == []


def test_page_downloads_plain_notebook(built_site):
    for name in (source.relative_to(ROOT) for source in PAGES):
        written = (built_site.parent / "notebooks" / name).read_bytes()
        assert (built_site / "_sources" / name).read_bytes() == written


@pytest.fixture
def converter(tmp_path):
    env = SimpleNamespace(
        toc_fignumbers={"chapters/one": {"displaymath": {nodes.make_id("equation-eq:law"): (7,)}}},
        get_domain=lambda name: SimpleNamespace(equations={"eq:law": ("chapters/one", 7)}),
    )
    config = SimpleNamespace(
        html_theme_options={"repository_url": "https://github.com/owner/name"}, html_baseurl=""
    )
    edition = Edition(SimpleNamespace(builder=None, env=env, config=config, confdir=tmp_path))
    edition.shown[":eq:`eq:law`"] = "[(7)](…)"
    return edition


@pytest.mark.parametrize(
    "myst, markdown",
    [
        ("$$ a = b. $$ (eq:law)", r"$$ a = b. \tag{7} $$"),
        ("$$ a $$\n\n{eq}`eq:law`", "$$ a $$\n\n[(7)](…)"),
        ("`{eq}` and `` {eq}`eq:law` ``", "`{eq}` and `` {eq}`eq:law` ``"),
        ("```python\nx[0](y) # {eq}\n```", "```python\nx[0](y) # {eq}\n```"),
        ("$f[0](x)$ and [a](https://b.c)", "$f[0](x)$ and [a](https://b.c)"),
    ],
)
def test_myst_becomes_plain_markdown(converter, myst, markdown):
    assert converter.markdown(myst, "chapters/one") == markdown


def test_fork_may_configure_its_site():
    repository = "https://github.com/owner/name"
    assert pages_address(repository) == "https://owner.github.io/name/"
    assert pages_address(repository, "https://school.org/course") == "https://school.org/course/"


@pytest.mark.parametrize(
    "myst", ["{sub}`x`", "```{note}\nx\n```", ":::{tip}\nx\n:::", "(here)=\n# A", "% a comment"]
)
def test_unknown_syntax_is_a_warning(converter, myst, monkeypatch):
    warnings = []
    monkeypatch.setattr(
        "_ext.course.notebook_edition.logger.warning", lambda *words, location: warnings.append(words[0])
    )
    assert converter.markdown(myst, "chapters/one") == myst
    (warning,) = warnings
    assert "plain Markdown" in warning


@pytest.mark.parametrize(
    "location, told",
    [("a/b.ipynb:60004", "a/b.ipynb, cell 6, line 4"), ("a/b.ipynb:120000", "a/b.ipynb, cell 12, line 1")]
    + [(place, place) for place in ("a/b.md:60004", "a/b.ipynb", "a/b.ipynb:7", None)],
)
def test_warning_has_cell_and_line(location, told):
    record = SimpleNamespace(location=location)
    assert CellAndLine().filter(record) and record.location == told


CHAPTERS = [path for path in PAGES if path.parent.name == "chapters"]


@pytest.mark.long
@each(CHAPTERS)
def test_plain_notebook_runs(edition, source):
    notebook = edition(source)
    client = NotebookClient(notebook, timeout=1200, resources={"metadata": {"path": source.parent}})
    with ThreadPoolExecutor(1) as thread:  # a browser fixture may own this thread's event loop
        thread.submit(asyncio.run, client.async_execute()).result()
    outputs = json.dumps([cell.get("outputs", []) for cell in notebook.cells])
    assert '"output_type": "error"' not in outputs and '"image/svg+xml"' in outputs
