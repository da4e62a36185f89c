"""Estimate the reading time of a chapter in minutes: its core path, and everything except the exercises.

    .venv/bin/python -m tools.build.reading_time [chapters/01_nadaraya_watson.ipynb …]

words/200 + ¾ per displayed equation + 1/20 per inline formula + ¾ per figure + visible lines of code/20

The core path is every cell before the first section whose heading begins with "Further:", without the exercises
and collapsed content. A cell with the tag `further` is further reading regardless of its position. A live figure
and its still picture count as one figure.
"""

import re
import sys
from pathlib import Path

import nbformat

FENCE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
FOLD = re.compile(r"<details>.*?</details>", re.DOTALL)
DISPLAY = re.compile(r"\$\$.*?\$\$(?:\s*\([^)\s]+\))?", re.DOTALL)
INLINE = re.compile(r"\$[^$]+\$")
IMAGE = re.compile(r"!\[[^\]]*\]\([^)]*\)|<img\b[^>]*>")
STAND_IN = re.compile(r"!\[[^\]]*\]\([^)]*/live-[^)]*\)")  # a live figure's still picture is not counted
ROLE = re.compile(r"\{[\w:]+\}`([^`<]*)(?:<[^`]*)?`")
LINK = re.compile(r"\[([^\]]*)\]\([^)]*\)")
HIDDEN = {"hide-input", "hide-cell", "remove-cell", "remove-input"}
WORD = re.compile(r"[^\W_][\w’'–.-]*")
NUMERAL = re.compile(r"(?<![\w.,])\d[\d.,]*")
LABEL = re.compile(  # a year, or the number of a chapter, an exercise or an item of a list
    r"\b(?:1[5-9]|20)\d\d\b|\b(?:[Cc]hapters?|[Ee]xercise) \d[\d.]*(?:(?:,| and| to) \d)*|^#* ?\d+\.",
    re.MULTILINE,
)
TABLE_ROW = re.compile(r"^\|.*$", re.MULTILINE)
CODE = re.compile(r"`[^`]+`")
LIVE = re.compile(r"^\w+_figure\(", re.MULTILINE)


def minutes_of_text(text):
    """Return the minutes for a piece of Markdown."""
    figures = len(IMAGE.findall(STAND_IN.sub(" ", text)))
    code = sum(len([line for line in block.splitlines()[1:-1] if line.strip()]) for block in FENCE.findall(text))
    text = IMAGE.sub(" ", FENCE.sub(" ", text))
    displays = len(DISPLAY.findall(text))
    text = DISPLAY.sub(" ", text)
    formulas = len(INLINE.findall(text))
    text = LINK.sub(r"\1", ROLE.sub(r"\1", re.sub(r"<[^>]+>", " ", INLINE.sub(" ", text))))
    words = len(WORD.findall(text))
    return words / 200 + 0.75 * displays + formulas / 20 + 0.75 * figures + code / 20


def minutes_of_code(cell):
    """Return the minutes for a code cell: its figure, if it shows one, and its visible lines."""
    tags = set(cell.metadata.get("tags", []))
    if tags & {"hide-cell", "remove-cell"}:
        return 0.0
    shows = "image" in cell.metadata.get("mystnb", {}) or LIVE.search(cell.source)
    lines = 0 if tags & HIDDEN else sum(bool(line.strip()) for line in cell.source.splitlines())
    return 0.75 * bool(shows) + lines / 20


def cells_by_part(notebook):
    """Yield (part of the chapter, cell) for each cell except the card."""
    part = "core"
    for cell in notebook.cells[1:]:
        titles = re.findall(r"^## (.*)$", cell.source, re.MULTILINE) if cell.cell_type == "markdown" else []
        if titles:
            further = titles[0].startswith("Further:")
            part = "exercises" if titles[0] == "Exercises" else "further" if further else "core"
        is_aside = part == "core" and "further" in cell.metadata.get("tags", [])
        yield "further" if is_aside else part, cell


def cell_minutes(notebook):
    """Yield (minutes, minutes on the core path) for each cell except the card and the exercises."""
    for part, cell in cells_by_part(notebook):
        if part == "exercises":
            continue
        if cell.cell_type == "code":
            whole = open_part = minutes_of_code(cell)
        else:
            whole, open_part = minutes_of_text(cell.source), minutes_of_text(FOLD.sub(" ", cell.source))
        yield whole, open_part if part == "core" else 0


def numerals_per_100_words(notebook):
    """Return the density of numbers in the core's prose, not counting formulas, tables, years and labels."""
    core = (cell for part, cell in cells_by_part(notebook) if part == "core")
    prose = "\n\n".join(cell.source for cell in core if cell.cell_type == "markdown")
    for aside in (FOLD, FENCE, DISPLAY, INLINE, IMAGE, TABLE_ROW, CODE):
        prose = aside.sub(" ", prose)
    prose = LINK.sub(r"\1", ROLE.sub(r"\1", re.sub(r"<[^>]+>", " ", prose)))
    return 100 * len(NUMERAL.findall(LABEL.sub(" ", prose))) / len(WORD.findall(prose))


def reading_time(notebook):
    """Return (core, everything) in minutes, both without the exercises and the card."""
    minutes = list(cell_minutes(notebook))
    return sum(core for _, core in minutes), sum(whole for whole, _ in minutes)


def main(paths):
    for path in paths or sorted(Path("chapters").glob("[0-9]*.ipynb")):
        core, everything = reading_time(nbformat.read(path, as_version=4))
        print(f"{Path(path).stem:24} core {core:5.1f}   everything {everything:5.1f}")


if __name__ == "__main__":
    main(sys.argv[1:])
