"""The course on paper: pages in the order of the contents, formulas and figures set, no fold and no button."""

import make_pdf
import pytest
from pypdf import PdfReader


@pytest.fixture(scope="module")
def printed(browser, built_site, tmp_path_factory):
    target = tmp_path_factory.mktemp("pdf") / "two pages.pdf"
    make_pdf.print_course(browser, built_site, ["chapters/01_nadaraya_watson", "notation"], target)
    return PdfReader(target)


def words(printed):
    return " ".join(page.extract_text() for page in printed.pages)


def test_every_page_of_the_course_is_printed(built_site):
    names = make_pdf.pages_of_the_course()
    assert "chapters/07_performer" in names and len(set(names)) == len(names)
    assert all((built_site / f"{name}.html").exists() for name in names)


def test_bookmarks_lead_to_the_pages(printed):
    first, second = printed.outline
    assert (first["/Title"], second["/Title"]) == ("1. Nadaraya–Watson regression", "Notation")
    start = printed.get_destination_page_number(second)
    assert printed.get_destination_page_number(first) == 0 < start < len(printed.pages)
    assert "Notation" in printed.pages[start].extract_text()


def test_formulas_and_the_live_figure_are_set(printed):
    text = words(printed)
    assert "\\frac" not in text and "\\lVert" not in text
    assert "Query 1.50" in text  # the sentence of the figure's default state


def test_folds_and_controls_stay_out(printed):
    text = words(printed)
    for word in ("Show the code", "Show the solution", "Reset", "Copy link"):
        assert word not in text, word


def test_the_list_of_headings_stays_out(printed):
    assert words(printed).count("Predict, then see") == 1


@pytest.mark.parametrize("name", ["chapters/06_attention", "methods", "ledger", "notation"])
def test_nothing_is_cut_off_on_paper(built_site, new_page, name):
    page = new_page(viewport={"width": 628, "height": 900})  # A4 within its margins
    page.goto((built_site / f"{name}.html").as_uri())
    page.emulate_media(media="print")
    cut = page.evaluate("""() => [...document.querySelectorAll("article pre, .pst-scrollable-table-container")]
      .filter((one) => one.checkVisibility() && one.scrollWidth > one.clientWidth + 1)
      .map((one) => [one.textContent.trim().slice(0, 60), one.scrollWidth, one.clientWidth])""")
    assert cut == []
