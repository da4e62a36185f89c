"""Consistency across the chapters and pages: one table of methods, one glossary, one bibliography."""

import json
import re

from tests.conftest import CHAPTERS, ROOT, each_chapter


def markdown(path):
    """Return the text of a page, or of a notebook's Markdown cells."""
    text = path.read_text("utf8")
    if path.suffix == ".md":
        return text
    cells = (cell for cell in json.loads(text)["cells"] if cell["cell_type"] == "markdown")
    return "\n\n".join("".join(cell["source"]) for cell in cells)


def table_of_methods(path):
    table = r"^\| chapter \| query .*\n\|[:|-]+\|\n((?:\|.*\n?)+)"
    return re.search(table, markdown(path), re.MULTILINE)[0].splitlines()


@each_chapter
def test_methods_table_grows_and_agrees_with_chapter_cards(path):
    """methods.md has the table; each chapter repeats its first rows, so that it can be read on its own."""
    number = int(path.stem[:2])
    whole, part = table_of_methods(ROOT / "pages" / "methods.md"), table_of_methods(path)
    assert part == whole[: 2 + number]
    assert part[-1].startswith(f"| {number}. ")
    # The card, the front page and the teacher's guide must agree on year and prerequisites.
    card, link = markdown(path).split("\n\n")[1], re.escape(f"](chapters/{path.name})")
    year = re.search(rf"\*{number} · (\w+)\* \*\*[^*]+\*\*{link}", markdown(ROOT / "intro.ipynb"))[1]
    assert year in part[-1].split("|")[1]
    assert year in card.splitlines()[0], "the card states a different year"
    needs = re.search(r"^\| \*\*You need\*\* \| (.*) \|$", card, re.MULTILINE)[1]
    guide = markdown(ROOT / "teaching" / f"guide_{number:02}.md")
    taught = re.search(r"^\| \*\*They need\*\* \| (.*) \|$", guide, re.MULTILINE)[1]
    before = lambda text: set(re.findall(r"\b[1-9]\b", re.sub(r"\b(\d) to (\d)\b|\d × \d", up_to, text)))
    assert before(taught) == before(needs)


def up_to(match):
    """Compare the numbers in the text, with `1 to 3` written out; ignore its form."""
    return " ".join(map(str, range(int(match[1]), int(match[2]) + 1))) if match[1] else ""


TERM = re.compile(r"\{term\}`(?:[^`<]*<)?([^`<>]+)>?`")


def test_every_glossary_term_is_linked_once_per_chapter():
    by_page = [TERM.findall(markdown(path)) for path in [*CHAPTERS, ROOT / "pages" / "notation.md"]]
    assert [words for words in by_page[:-1] if len(words) < 6 or len(words) > len(set(words))] == []
    body = re.search(r"```\{glossary\}\n(.*?)\n```", markdown(ROOT / "pages" / "glossary.md"), re.DOTALL)[1]
    entries = [set(re.findall(r"^\S.*$", entry, re.MULTILINE)) for entry in body.split("\n\n")]
    linked = {*sum(by_page, []), *TERM.findall(body)}
    assert linked <= set().union(*entries) and [words for words in entries if words and not linked & words] == []


def test_index_lists_terms_with_their_chapters(site, page):
    page.goto(f"{site}/genindex.html")
    for word, chapters in {"bandwidth": 4, "structure tensor": 1, "key": 5, "query": 5}.items():
        entry = page.locator(".genindextable li", has=page.locator(f'strong:text-is("{word}")')).first
        links = entry.locator("a").evaluate_all("(links) => links.map((link) => link.getAttribute('href'))")
        assert any("glossary.html#term-" in link for link in links), word
        assert len({link.split("#")[0] for link in links if link.startswith("chapters/")}) >= chapters, word


ENTRY = re.compile(r"@(\w+)\{(\w+),\n(.*?)\n\}", re.DOTALL)
ENTRIES = {key: body for _, key, body in ENTRY.findall((ROOT / "references.bib").read_text("utf8"))}
CITED = {
    key.strip()
    for path in [
        *ROOT.glob("*.md"),
        *ROOT.glob("*.ipynb"),
        *ROOT.glob("pages/*.md"),
        *ROOT.glob("pages/*.ipynb"),
        *ROOT.glob("chapters/*.ipynb"),
    ]
    for keys in re.findall(r"\{cite(?::\w+)?\}`([^`]+)`", markdown(path))
    for key in keys.split(",")
}


def test_every_source_is_cited_and_has_doi():
    assert CITED == ENTRIES.keys()
    known = []
    for key, body in ENTRIES.items():
        for field in ("author", "title"):
            assert re.search(rf"^  {field} = \{{.+\}},?$", body, re.MULTILINE), f"{key}: {field}"
        dois = re.findall(r"^  doi = \{(.*)\}", body, re.MULTILINE)
        reasons = re.findall(r"^  without_doi = \{(.+)\}", body, re.MULTILINE)
        assert len(dois) + len(reasons) == 1, key
        assert all(re.fullmatch(r"10\.\d{4,9}/[^\s{}]+", doi) for doi in dois), key
        known += [doi.lower() for doi in dois]
    assert len(known) == len(set(known)), "entered twice"
