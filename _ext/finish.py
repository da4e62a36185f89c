"""From what Sphinx writes to what readers get: an ordered list of steps, each from the text of a page to its text.

When Sphinx has written the pages, each is read once, goes through all steps, and is written once. A page that
bears its name in `<body>` went through `STEPS` in an earlier build. It gets the figures of today and fetches ahead
what the page that follows needs today, which `figure_parts` can do again and again.
"""

import re
import shutil
from pathlib import Path

import figure_parts
import formulas
import pydata_sphinx_theme
import site_headers
import slides
from page_files import read_pages, write_pages

THEME = Path(pydata_sphinx_theme.__file__).parent / "theme" / "pydata_sphinx_theme" / "static"
BODY = re.compile(r"<body\b")  # the first one: the theme has a comment that names the tag
NAMED = re.compile(r"<body data-page=")

# What the theme writes, and what readers get. A build of all pages in which one of them matches nowhere stops.
REPAIRS = {
    "by day or by night is known before the first picture; the theme finds out after half a second": (
        r'(dataset\.theme = )localStorage\.getItem\("theme"\) \|\| "auto";',
        r'\1{ dark: "dark", light: "light" }[localStorage.getItem("mode")]'
        r' ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");',
    ),
    "the style of icons stands in course.css: put in by a script, it has each element of the page styled again": (
        r'<script (?=[^>]*src="[^"]*fontawesome\.js)(?![^>]*auto-add)',
        '<script data-auto-add-css="false" ',
    ),
    "scripts hold up no page; only the options are needed at once, by inline scripts": (
        r'<script (?=[^>]*src=")(?![^>]*(?:documentation_options|defer))',
        "<script defer ",
    ),
    "the button of the search says what others see": (
        r'(<button class="btn search-button-field[^>]*?) aria-label="Search"',
        r"\1",
    ),
    "the switch of the theme says what others see": (r'(<i class="theme-switch [^>]*?) title="[^"]*"', r"\1"),
    "a fold says what others see": (r'<summary aria-label="Toggle hidden content">', "<summary>"),
    "a fold of the contents says what it shows": (
        r'<summary>(?=<span class="toctree-toggle")',
        '<summary aria-label="Show the pages below">',
    ),
    "no page loads the index of Sphinx's search: the search reads the sections of `search_sections`": (
        r'\s*<script [^>]*src="[^"]*(?:_static/(?:searchtools|language_data)|searchindex)\.js"></script>',
        "",
    ),
    "a list of sources has the role that lists have": (r'role="doc-biblioentry"', 'role="listitem"'),
    "names and signs in code look like text: elements of their own would be a fifth of those of a page": (
        r'<span class="(?:n|p|w)">([^<]*)</span>',
        r"\1",
    ),
}

# Icons come as drawings, cut to those in use. As fonts the theme would bring them once more.
ICON_FONTS = re.compile(
    r"@font-face\{[^}]*\}"
    r'|\.fa(?:-[\w-]+|[brsl])?(?:\.[\w-]+)*:(?:before|after)\{content:"[^"]*"\}'
)
# The theme's icons: name: [width, height, [aliases], "code point", "path"]. Widgets name theirs without `fa-`.
ICON = re.compile(r'"?(?P<name>[\w-]+)"?:\[\d+,\d+,\[(?P<aliases>[^\]]*)\],"[0-9a-f]+","[^"]*"\],?')
# Two expressions that begin with letters are ten times as quick as one with a choice.
ICONS_IN_USE = re.compile(r"fa-([a-z0-9-]+)"), re.compile(r'"icon": ?"([a-z0-9-]+)"')


def is_new(page):
    return bool(BODY.search(page)) and not NAMED.search(page)


def with_name(page, name):
    """The page with its name, for the style sheet, and as the mark of a finished page."""
    if not is_new(page):
        raise ValueError(f"{name}: expected a page with a body that has no name yet")
    return BODY.sub(f'<body data-page="{name}"', page, count=1)


def repaired(page, name):
    for wrong, right in REPAIRS.values():
        page = re.sub(wrong, right, page)
    return page


STEPS = (with_name, repaired)


def finished(page, name):
    for step in STEPS:
        page = step(page, name)
    return page


def refuse_idle_repairs(pages):
    """A repair that matches nowhere repairs nothing: the theme has changed."""
    idle = [words for words, (wrong, _) in REPAIRS.items() if not any(re.search(wrong, page) for page in pages)]
    if idle:
        raise ValueError(f"expected each repair to match on some page, got none for: {'; '.join(idle)}")


def finish(app, exception):
    """Take the pages that Sphinx wrote through all steps, and write what they need beside them."""
    if exception or app.builder.format != "html":
        return
    out = Path(app.outdir)
    before = read_pages(out)
    new = {name: page for name, page in before.items() if is_new(page)}
    if new.keys() >= app.env.found_docs:
        refuse_idle_repairs(new.values())
    new |= slides.decks(app, new)
    pages = figure_parts.of_today(before | new, Path(app.confdir), out)
    pages |= {name: finished(pages[name], name) for name in new}
    pages = figure_parts.with_names_ahead(dict(sorted(pages.items())))
    write_pages(out, pages, before)
    write_beside(app, pages)


def write_beside(app, pages):
    """The files that depend on all pages, and the theme's own files as this site needs them."""
    static = Path(app.outdir) / "_static"
    sheet = formulas.sheet_of(pages.values(), app.typesetter.sheet())
    (static / "formulas.css").write_text(sheet, "utf8")
    formulas.cut_fonts(app, static / "mathjax", sheet)
    (static / "scripts" / "fontawesome.js").write_text(used_icons(static, pages.values()), "utf8")
    drop_icon_fonts(static)
    headers = site_headers.headers(pages)
    (static.parent / "_headers").write_text(headers, "utf8")


def drop_icon_fonts(static):
    """Cut the theme's icon fonts out of its style sheet."""
    sheet = "styles/pydata-sphinx-theme.css"
    text, found = ICON_FONTS.subn("", (THEME / sheet).read_text("utf8"))
    if not found:
        raise ValueError(f"expected the fonts of icons in the theme's {sheet}")
    (static / sheet).write_text(text, "utf8")
    shutil.rmtree(static / "vendor", ignore_errors=True)
    for source_map in static.rglob("*.map"):
        source_map.unlink()


def used_icons(static, pages):
    """The theme's script of 2,000 icons, cut down to those that a page or the theme's script names."""
    readers = [*pages, (static / "scripts" / "pydata-sphinx-theme.js").read_text("utf8")]
    used = {name for text in readers for form in ICONS_IN_USE for name in form.findall(text)}

    def keep(match):
        names = {match["name"], *re.findall(r'"([\w-]+)"', match["aliases"])}
        return match[0] if names & used else ""

    text, found = ICON.subn(keep, (THEME / "scripts" / "fontawesome.js").read_text("utf8"))
    if not found:
        raise ValueError("expected drawings in the theme's script of icons")
    return text


def setup(app):
    app.connect("build-finished", finish)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
