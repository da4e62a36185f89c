"""The written examination: questions with numbers from a key, as Markdown and as accessible HTML.

The text is `teaching/masters/variants/written.md`. Its first block computes the numbers.
"""

import json
import re
import subprocess
from pathlib import Path

import numpy as np
from markdown_it import MarkdownIt
from mdit_py_plugins.dollarmath import dollarmath_plugin

from tools.grading.questions import MASTERS, ROOT

SOURCE = MASTERS / "variants" / "written.md"
SITE_PAGE = ROOT / "teaching" / "written_exam.md"
TYPESET = ROOT / "_ext" / "course" / "typeset.mjs"
DRAWN_VALUE = re.compile(r"«(.*?)(?::([.\w]+))?»")
RULES = """Two hours, sixty points, no computer. You may use a calculator and one sheet of notes. Thirty points
are enough to pass. A correct method with a wrong number still receives points.
"""
SITE_HEAD = f"""# A written examination

{RULES}
This page shows two versions with their solutions, for practice. For a version that no student has seen, run
`make assignments SECRET=key`. This command draws new numbers from a key that only you have, and writes the
questions and the solutions as Markdown and as HTML. It prints the name of the folder.

**Print `written.html` from a browser.** It has headings and landmarks, and its formulas are MathML, which screen
readers read aloud. For large print, set the scale to 150 % or more in the print dialog: the text is
reflowed, and a question that fits on one page is not split. Give the file itself to students who use a screen
reader or their own colours.

The questions are in `teaching/masters/variants/written.md`. If you change a number there, the solutions change
with it, because they are computed.
"""
HTML = """<!DOCTYPE html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>{title}</title>
<style>
body {{ font: 1.1rem/1.5 sans-serif; margin: 1rem auto; max-width: 44rem; padding: 0 1rem }}
ul {{ list-style: none; padding-left: 0 }}
li {{ margin: 0.6em 0; padding-left: 1.7em; text-indent: -1.7em }}
math {{ font-size: 1.1em; text-indent: 0 }}
header p {{ overflow-wrap: anywhere }}
@page {{ margin: 2cm }}
@media (max-width: 30rem) {{ body {{ font-size: 1rem }} math {{ font-size: 1em }} }}
@media print {{
  body {{ font-size: 12pt; margin: 0; max-width: none }}
  section {{ break-inside: avoid }}
}}
</style>
<header>
<h1>{title}</h1>
{head}</header>
<main>
{body}</main>
</html>
"""


def draw_paper(text, generator):
    """Return a written examination and its solutions, as Markdown; the block of numbers replaces each `«…»`."""
    _, code, text = re.split(r"```(?:numbers)?\n", text, maxsplit=2)
    names = {"np": np, "rng": generator}
    exec(code, names)
    text = DRAWN_VALUE.sub(lambda each: format(eval(each[1], names), each[2] or ""), text)
    questions, solutions = [], []
    for question in re.split(r"^(?=## )", text, flags=re.MULTILINE)[1:]:
        asked, solution = question.split("### Solution\n")
        questions.append(asked)
        solutions.append(asked.splitlines()[0] + "\n" + solution)
    return "".join(questions).strip() + "\n", "".join(solutions).strip() + "\n"


def site_page(drawn):
    """Return the site's public page with some versions of the examination, each as `draw_paper` returns it."""
    parts = [SITE_HEAD]
    for name, papers in drawn.items():
        for title, part in zip((name, f"{name}, solutions"), papers, strict=True):
            parts.append(f"## {title}\n\n" + re.sub(r"^## ", "### ", part, flags=re.MULTILINE))
    return "\n".join(parts)


def write_papers(folder, version, papers):
    """Write an examination and its solutions into a folder, as Markdown and as HTML."""
    titles = "Written examination", "Written examination: solutions"
    heads = f"{RULES}\nName and number:\n", "Give points for a correct method with a wrong number.\n"
    pages = as_html([text for pair in zip(heads, papers, strict=True) for text in pair])
    for i, name in enumerate(("written", "written_solutions")):
        Path(folder, f"{name}.md").write_text(papers[i], "utf8")
        head, body = pages[2 * i], in_sections(pages[2 * i + 1])
        page = HTML.format(title=titles[i], head=f"{head}<p>Version {version}</p>\n", body=body)
        Path(folder, f"{name}.html").write_text(page, "utf8")


def in_sections(page):
    """Return a page with each question in a section, which a printer keeps on one page."""
    return re.sub(r"(<h2>.*?)(?=<h2>|\Z)", r"<section>\n\1</section>\n", page, flags=re.DOTALL)


def as_html(texts):
    """Return Markdown texts as HTML, with formulas as MathML."""
    formulas = {}
    keep = lambda tex, options: formulas.setdefault((tex, options["display_mode"]), f"\0{len(formulas)}\0")
    markdown = MarkdownIt("commonmark", {"html": False}).use(dollarmath_plugin, renderer=keep)
    pages = [markdown.render(text) for text in texts]
    typeset = mathml(formulas)
    return [re.sub("\0(\\d+)\0", lambda each: typeset[int(each[1])], page) for page in pages]


def mathml(formulas):
    """Return the MathML of formulas, given as (TeX, whether it has a line of its own)."""
    asked = [{"tex": tex, "display": display, "mathml": True} for tex, display in formulas]
    lines = "".join(f"{json.dumps(each)}\n" for each in [{"macros": {}}, *asked])
    done = subprocess.run(["node", TYPESET], input=lines, capture_output=True, encoding="utf8", check=True)
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    for answer, (tex, _) in zip(answers, formulas, strict=True):
        if answer["error"]:
            raise ValueError(f"{SOURCE.name}: expected a formula, got {tex!r} ({answer['error']})")
    return [re.sub(r"\n\s*", "", answer["html"]) for answer in answers]
