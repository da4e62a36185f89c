"""Print the built course as one book: `make pdf`. For the teacher's edition: `make pdf TEACHER=1`.

The pages become one document, which the browser prints at least twice. The first print shows on which sheet each
link target is; the next has these numbers in its contents, its index and beside its links. Live figures show their
still pictures. Collapsed code and solutions are omitted.
"""

import sys
from collections import Counter
from html import escape
from io import BytesIO
from pathlib import Path
from urllib.parse import unquote, urlsplit

import yaml
from playwright.sync_api import sync_playwright
from pypdf import PdfReader, PdfWriter

from tools.build.addresses import site_address
from tools.build.find_browser import ARGUMENTS, MISSING, find_browser

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]

TITLE = "From kernel regression to attention"
# Checkboxes, and elements that are useful only on a screen
NOT_ON_PAPER = {"pages/progress", "pages/api", "pages/windows", "teaching/assigning", "teaching/own_question"}
FEW_WORDS = 150  # a last sheet with fewer words is not worth turning the page
TIGHTEST = 4  # how often a page's spacing is reduced to save such a sheet
ALL_IMAGES = "() => Promise.all([...document.images].map((image) => image.decode()))"


def pages_of_the_course(teacher=False):
    """Return the pages of the book in order, each with the part that it begins or None; the index is last.

    The pages for teachers, which have the answers, are only in the teacher's book.
    """
    contents = yaml.safe_load((ROOT / "_toc.yml").read_text("utf8"))
    pages = {contents["root"]: None}
    for part in contents["parts"]:
        listed = [entry["file"] for page in part["chapters"] for entry in (page, *page.get("sections", []))]
        for_all = [name for name in listed if name not in NOT_ON_PAPER and not name.startswith("pages/api/")]
        kept = [name for name in for_all if teacher or not name.startswith("teaching/")]
        pages |= dict.fromkeys(kept) | {name: part["caption"] for name in kept[:1]}
    pages["genindex"] = pages.pop("genindex")
    return pages


def take_pages(browser, built, names):
    """Return what `takePage` of book.js extracts from each page of a built site."""
    page = browser.new_page()
    # without their scripts, figures keep their still pictures
    page.route(lambda address: urlsplit(address).path.endswith(".js"), lambda route: route.abort())
    given = [list(names), f"{built.as_uri()}/", site_address()]
    for name in names:
        page.goto((built / f"{name}.html").as_uri())
        page.add_script_tag(path=HERE / "book.js")
        yield page.evaluate("(given) => takePage(...given)", [name, *given])
    page.close()


def book_html(pages, taken):
    """Return one document of all pages, with each title at the head of the page's right-hand sheets."""
    sheets = dict.fromkeys(sheet for page in taken for sheet in page["sheets"])
    rules, texts = [(HERE / "book.css").read_text("utf8")], []
    for number, ((name, part), page) in enumerate(zip(pages.items(), taken, strict=True)):
        begins = f' data-part="{escape(part)}"' if part else ""
        texts.append(f'<section class="page" id="{name}"{begins} style="page: p{number}">{page["text"]}</section>')
        title = page["title"].replace('"', r"\"")
        if number:  # the first page's title is the book's
            rules.append(f'@page p{number}:right {{ @top-left {{ content: "{title}"; }} }}')
    contents = '<h1><a href="#contents">Contents</a></h1>'  # the link makes the browser record its sheet
    texts.insert(1, f'<nav class="page" id="contents" style="page: contents">{contents}</nav>')
    links = "".join(f'<link rel="stylesheet" href="{sheet}">' for sheet in sheets)
    return f"""<!doctype html><html lang="en" data-theme="light" data-mode="light"><head><meta charset="utf-8">
<title>{TITLE}</title>{links}<style>{chr(10).join(rules)}</style></head><body>
<main class="bd-main bd-content"><article class="bd-article">{"".join(texts)}</article></main></body></html>"""


def page_numbers(printed):
    """Return the sheet, counted from 1, of each target of a link in the book."""
    return {
        unquote(name.removeprefix("/")): printed.get_destination_page_number(place) + 1
        for name, place in printed.named_destinations.items()
    }


def last_sheets(pages, numbers, count):
    """Return the last sheet of each page of the course and of the contents, in a book of `count` sheets."""
    first, *others = pages
    begins = [(first, 1), ("contents", numbers["contents"]), *((name, numbers[name]) for name in others)]
    ends = [number - 1 for _, number in begins[1:]] + [count]
    return {name: end for (name, _), end in zip(begins, ends, strict=True)}


def print_book(browser, path, pages):
    """Print the document at `path` until its page numbers are correct and no page wastes a sheet."""
    page = browser.new_page(viewport={"width": 605, "height": 900})  # A4 within its margins
    page.set_default_timeout(0)  # printing a whole book is slow
    page.emulate_media(media="print")
    page.goto(path.as_uri())
    page.evaluate(ALL_IMAGES)
    page.add_script_tag(path=HERE / "book.js")
    page.evaluate("finishBook()")
    numbers, tightened = None, Counter()
    for _ in range(2 * TIGHTEST):
        printed = PdfReader(BytesIO(page.pdf(prefer_css_page_size=True)))
        before, numbers = numbers, page_numbers(printed)
        ends = last_sheets(pages, numbers, len(printed.pages))
        words = {name: len(printed.pages[end - 1].extract_text().split()) for name, end in ends.items()}
        loose = [name for name in words if words[name] < FEW_WORDS and tightened[name] < TIGHTEST]
        if numbers == before and not loose:
            page.close()
            return printed, numbers
        print(f"{len(printed.pages)} sheets; printing again with their numbers", flush=True)
        tightened.update(loose)
        page.evaluate("loose => loose.forEach(tighten)", loose)
        page.evaluate("numbers => setPageNumbers(numbers)", numbers)
    raise RuntimeError(f"expected the page numbers to settle, got new ones in print {2 * TIGHTEST}")


def print_course(browser, built, pages, target):
    """Print the given pages of a built site as one book."""
    taken = list(take_pages(browser, built, pages))
    document = target.with_suffix(".html")
    document.write_text(book_html(pages, taken), "utf8")
    printed, numbers = print_book(browser, document, pages)
    book = PdfWriter(clone_from=printed)
    for name, page in zip(pages, taken, strict=True):
        book.add_outline_item(title=page["title"], page_number=numbers.get(name, 1) - 1)
    book.write(target)


def main(teacher):
    target = ROOT / "_build" / ("course-teacher.pdf" if teacher else "course.pdf")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_browser() or sys.exit(MISSING), args=ARGUMENTS)
        print_course(browser, ROOT / "_build" / "html", pages_of_the_course(teacher), target)
    print(target.relative_to(ROOT))


if __name__ == "__main__":
    main(teacher="--teacher" in sys.argv[1:])
