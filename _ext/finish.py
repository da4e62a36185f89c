"""From what Sphinx writes to what readers get: `finish` says what happens to the pages, in order.

Each page is read once and written once. Three things look further than one page and stand in `finish` itself: the
decks made of chapters, the figures of today, and what a page fetches ahead for the page that follows. All else is
in the list `STEPS`, each of them from the text of a page to its text. A page that bears its name in `<body>` went
through `STEPS` in an earlier build. It gets the figures and fetches ahead what is needed today, which
`figure_parts` can do again and again.
"""

import re
import shutil
from pathlib import Path

import figure_parts
import formulas
import pydata_sphinx_theme
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

# This measures all code of a page when it has loaded and after each change. It lays out the whole page before the
# first figure is drawn, and again 300 ms after each move of a figure. `course.js` has another way to tab stops.
TAB_STOPS = re.compile(
    r'function (\w)\(\)\{const e=\(\)=>\{document\.querySelectorAll\(\["pre",.*?childList:!0\}\),e\(\)\}'
)


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
    formulas.cut_fonts(static / "mathjax", sheet)
    cut_theme(static, pages.values())


def cut_theme(static, pages):
    """The theme's own files without what no page needs."""
    cut(static, "styles/pydata-sphinx-theme.css", ICON_FONTS)
    cut(static, "scripts/pydata-sphinx-theme.js", TAB_STOPS, r"function \1(){}")
    cut(static, "scripts/fontawesome.js", ICON, used_icons(static, pages))
    shutil.rmtree(static / "vendor", ignore_errors=True)
    for source_map in static.rglob("*.map"):
        source_map.unlink()


def cut(static, name, pattern, replacement=""):
    """Write a file of the theme with something else in the place of each match, of which there is one at least."""
    text, found = pattern.subn(replacement, (THEME / name).read_text("utf8"))
    if not found:
        raise ValueError(f"expected a match of {pattern.pattern[:40]}… in the theme's {name}")
    (static / name).write_text(text, "utf8")


def used_icons(static, pages):
    """A function that keeps an icon's drawing if a page or the theme's script names the icon, and drops others."""
    readers = [*pages, (static / "scripts" / "pydata-sphinx-theme.js").read_text("utf8")]
    used = {name for text in readers for form in ICONS_IN_USE for name in form.findall(text)}

    def keep(match):
        names = {match["name"], *re.findall(r'"([\w-]+)"', match["aliases"])}
        return match[0] if names & used else ""

    return keep


def setup(app):
    app.connect("build-finished", finish)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
