"""Print the built course to one PDF, a bookmark a page: _build/course.pdf. Run by `make pdf`.

The browser's own print engine does it, with the site's print styles: live figures show their still pictures, and
what is folded, code and solutions, stays out.
"""

import sys
from io import BytesIO
from pathlib import Path

import yaml
from find_browser import ARGUMENTS, MISSING, find_browser
from playwright.sync_api import sync_playwright
from pypdf import PdfWriter

ROOT = Path(__file__).resolve().parents[1]
ALL_IMAGES = """() => Promise.all([...document.images].filter((image) => image.checkVisibility())
  .map((image) => Object.assign(image, { loading: "eager" }).decode()))"""
FOOTER = """<div style="width: 100%; padding: 0 2cm; font: 8pt serif; display: flex;
justify-content: space-between">
<span class="title"></span><span class="pageNumber"></span></div>"""
PAPER = {
    "format": "A4",
    "margin": {"top": "18mm", "bottom": "20mm", "left": "22mm", "right": "22mm"},
    "display_header_footer": True,
    "header_template": "<span></span>",
    "footer_template": FOOTER,
}


def pages_of_the_course():
    """Names of the pages in the order of the contents."""
    contents = yaml.safe_load((ROOT / "_toc.yml").read_text("utf8"))
    return [contents["root"], *(page["file"] for part in contents["parts"] for page in part["chapters"])]


def print_page(browser, path):
    """One built page as its title and the bytes of a PDF."""
    page = browser.new_page(viewport={"width": 900, "height": 1200})
    page.goto(path.as_uri(), wait_until="load")
    page.evaluate(ALL_IMAGES)  # they wait for a reader to come near
    title, printed = page.locator("h1").first.evaluate("(h1) => h1.firstChild.textContent"), page.pdf(**PAPER)
    page.close()
    return title, printed


def print_course(browser, built, names, target):
    """Print the named pages of a built site one after the other into one file."""
    book = PdfWriter()
    for name in names:
        title, printed = print_page(browser, built / f"{name}.html")
        book.append(BytesIO(printed), outline_item=title)
        print(f"{name}: {len(book.pages)} pages so far", flush=True)
    book.add_metadata({"/Title": "From kernel regression to attention"})
    book.write(target)


def main():
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_browser() or sys.exit(MISSING), args=ARGUMENTS)
        print_course(browser, ROOT / "_build" / "html", pages_of_the_course(), ROOT / "_build" / "course.pdf")
    print("_build/course.pdf")


if __name__ == "__main__":
    main()
