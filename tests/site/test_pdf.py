"""The course on paper: one book with correct page numbers, typeset formulas and figures, and no controls.

Printing takes long: `make test` lists the pages of the book and looks at some, `make test-all` prints them.
"""

import re
from io import BytesIO

import pytest
from pypdf import PdfReader

from tools.build import pdf

SOME = "intro chapters/01_nadaraya_watson pages/notation pages/glossary teaching/guide_01 genindex".split()
SIZES = """() => [...new Set([...document.querySelectorAll("section.page :is(p, li)")]
  .filter((one) => one.checkVisibility() && one.textContent.trim()
    && !one.closest("table, figcaption, nav, .admonition, .roles, .addresses, .addresses + ol, #genindex li"))
  .map((one) => getComputedStyle(one).fontSize))]"""


@pytest.fixture(scope="module")
def book(browser, built_site, made_once):
    pages = {name: part for name, part in pdf.pages_of_the_course(teacher=True).items() if name in SOME}
    return made_once("pdf/some.pdf", lambda target: pdf.print_course(browser, built_site, pages, target))


@pytest.fixture(scope="module")
def sheets(book):
    return [page.extract_text() for page in PdfReader(book).pages]


def sheet_of(sheets, title):
    """Return the number of the first sheet with this heading on a line of its own."""
    return next(i for i, text in enumerate(sheets, 1) if re.search(rf"^{title}$", text, re.MULTILINE))


def test_every_page_is_printed(built_site):
    pages = pdf.pages_of_the_course(teacher=True)
    assert {"chapters/07_performer", "chapters/08_language_model", "teaching/guide_08"} <= pages.keys()
    assert all((built_site / f"{name}.html").exists() for name in pages)
    assert "pages/progress" not in pages and list(pages)[-1] == "genindex"
    assert [part for part in pages.values() if part] == ["The course", "To look up", "To learn and to teach"]
    students = {name: part for name, part in pages.items() if not name.startswith("teaching/")}
    assert pdf.pages_of_the_course(teacher=False) == students != pages


@pytest.mark.long
def test_running_heads_have_numbers_and_titles(sheets):
    heads = [text.strip().splitlines()[0] for text in sheets]
    for number, head in enumerate(heads[1:], 2):
        assert re.search(rf"^{number}\b|\b{number}$", head), (number, head)
    assert not re.match(r"1\b", sheets[0])
    start = sheet_of(sheets, "The equation")
    for number in range(start, start + 4):
        assert ("1. Nadaraya–Watson regression" if number % 2 else pdf.TITLE) in heads[number - 1]


@pytest.mark.long
def test_contents_index_and_bookmarks_have_correct_pages(book, sheets):
    contents = "\n".join(sheets[sheet_of(sheets, "Contents") - 1 :])
    for title in ("The idea", "Real data: the Nile", "Recap", "Notation", "Index"):
        named = re.search(rf"^{title}\s*(\d+)$", contents, re.MULTILINE)
        assert re.search(rf"^{title}$", sheets[int(named[1]) - 1], re.MULTILINE), title
    entry = re.search(r"^leave-one-out error((?:,\s\d+)+)$", "\n".join(sheets[-3:]), re.MULTILINE)
    for number in re.findall(r"\d+", entry[1]):
        assert "leave-one-out" in sheets[int(number) - 1].lower()
    printed = PdfReader(book)
    assert [entry["/Title"] for entry in printed.outline][1:3] == ["1. Nadaraya–Watson regression", "Notation"]
    for entry in printed.outline:
        sheet = printed.pages[printed.get_destination_page_number(entry)].extract_text()
        title = re.escape(entry["/Title"].replace("\xa0", " "))  # a title may contain non-breaking spaces
        assert re.search(rf"^{title}$", sheet.replace("\xa0", " "), re.MULTILINE)


@pytest.mark.long
def test_formulas_and_figures_print_without_screen_controls(sheets):
    text = " ".join(sheets)
    assert "query 1.50" in text and "Live at https://" in text  # the figure's default state
    folded = ("Show the code", "Show the solution", "The answer, after you have tried")
    controls = ("Reset", "Copy embed code", "Nothing chosen yet", "Nothing drawn yet", "no formula yet")
    wrong = ("\\frac", "\\lVert", "Your progress", "undefined", "(p. 000)", "(p. )")
    assert [words for words in (*folded, *controls, *wrong) if words in text] == []
    assert any(re.search(r"^Addresses$", text, re.MULTILINE) and "1. https://" in text for text in sheets)
    assert "01_nadaraya_watson.html#regression=query:1.5,bandwidth:0.7" in "".join("".join(sheets).split())


# A scrollable box would move to the next sheet as a whole and leave its frame behind.
FRAMES = """() => [...document.querySelectorAll(".cell_input")].filter((box) => {
  const goesOn = getComputedStyle(box).breakInside === "auto";
  const scrolls = [box, ...box.querySelectorAll("*")].some((one) => getComputedStyle(one).overflowY !== "visible");
  return goesOn && scrolls;
}).map((box) => box.textContent.slice(0, 60))"""


@pytest.mark.long
def test_text_has_one_size_and_fits_sheets(book, new_page):
    page = new_page(viewport={"width": 605, "height": 900})
    page.emulate_media(media="print")
    page.goto(book.with_suffix(".html").as_uri())
    assert page.evaluate(SIZES) == ["14px"]  # 10.5 points
    # A browser shrinks everything if something is wider than the paper.
    assert page.evaluate("document.documentElement.scrollWidth") <= 605
    page.add_script_tag(path=pdf.HERE / "book.js")
    page.evaluate("finishBook()")
    assert page.locator(".cell_input").count() > 5 and page.evaluate(FRAMES) == []


@pytest.mark.long
def test_book_has_no_empty_sheet(browser, built_site, tmp_path):
    target = tmp_path / "course.pdf"
    pdf.print_course(browser, built_site, pdf.pages_of_the_course(), target)
    texts = [page.extract_text() for page in PdfReader(target).pages]
    words = {number: len(text.split()) for number, text in enumerate(texts, 1)}
    del words[sheet_of(texts, "The idea") - 1]  # the table of contents may end with a short sheet
    assert {number: count for number, count in words.items() if count < 60} == {}


CUT_OFF = """() => [...document.querySelectorAll("article pre, .pst-scrollable-table-container")]
  .filter((one) => one.checkVisibility() && one.scrollWidth > one.clientWidth + 1)
  .map((one) => [one.textContent.trim().slice(0, 60), one.scrollWidth, one.clientWidth])"""


NUMBERS = "() => [...document.querySelectorAll('article .eqno')].map((one) => one.textContent.match(/[\\d.]+/)[0])"


@pytest.mark.long
def test_numbered_equations_in_folds_are_printed(built_site, new_page):
    page = new_page(viewport={"width": 628, "height": 900})
    page.goto((built_site / "chapters/01_nadaraya_watson.html").as_uri())
    page.wait_for_selector("html.all-laid-out", state="attached")
    numbers = page.evaluate(NUMBERS)
    assert numbers == [f"1.{i}" for i in range(1, len(numbers) + 1)]
    printed = " ".join(sheet.extract_text() for sheet in PdfReader(BytesIO(page.pdf(format="A4"))).pages)
    assert [number for number in numbers if f"({number})" not in printed] == []
    page.add_script_tag(path=pdf.HERE / "book.js")
    taken = page.evaluate("takePage('chapters/01_nadaraya_watson', [], '', '').text")
    assert [number for number in numbers if f"({number})" not in taken] == []


def test_nothing_is_cut_off_in_print(built_site, new_page):
    page = new_page(viewport={"width": 628, "height": 900})  # A4 within its margins
    page.emulate_media(media="print")
    for name in ("chapters/06_attention", "pages/methods", "pages/ledger", "pages/notation", "pages/elsewhere"):
        page.goto((built_site / f"{name}.html").as_uri())
        assert page.evaluate(CUT_OFF) == [], name
