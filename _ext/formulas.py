r"""Sets the formulas while pages are written: a page needs no script to show them, and no text moves.

Sphinx writes a formula's TeX between `\(` and `\)`, or `\[` and `\]`. In the place of these comes what MathJax
sets in a process of node beside the build: the HTML that it would make in a browser, with MathML for screen
readers. The style sheet keeps only the signs that pages use. What a reader copies is the TeX, in `data-tex`.
"""

import json
import re
import shutil
import subprocess
from functools import cache
from hashlib import sha256
from html import escape, unescape
from io import BytesIO
from pathlib import Path

from docutils import nodes
from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont
from page_files import read_pages, write_whole
from sphinx.ext import mathjax
from sphinx.util import logging

FORMULA = re.compile(r"\\([(\[])(.*)\\[)\]](?=</)", re.DOTALL)  # in what Sphinx writes for one node
SIGN = re.compile(r"mjx-c[0-9A-F]+\b")
LARGE_FONTS = ("Main-Regular", "Main-Bold", "Math-Italic", "AMS-Regular")
CONTENT, CODE = re.compile(r'content: "([^"]*)"'), re.compile(r"\\([0-9A-F]+)")
RULE = re.compile(r"(?<=\n)mjx-[^{}]*?\.(mjx-c[0-9A-F]+)[^{}]*\{[^{}]*\}\n*")

logger = logging.getLogger(__name__)


class Typesetter:
    """MathJax in a process of node, which answers line by line."""

    def __init__(self, macros):
        command = ["node", str(Path(__file__).with_name("typeset.js"))]
        self.node = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf8")
        self.tell({"macros": macros})
        self.typeset = cache(self.typeset)  # most formulas stand in a chapter and on its slide

    def tell(self, message):
        self.node.stdin.write(json.dumps(message) + "\n")
        self.node.stdin.flush()

    def ask(self, message):
        self.tell(message)
        answer = self.node.stdout.readline()
        if not answer:
            raise RuntimeError(f"expected MathJax to answer {message}, but node ended: see above")
        return json.loads(answer)

    def typeset(self, tex, display):
        """The HTML of a formula."""
        answer = self.ask({"tex": tex, "display": display})
        if answer["error"]:
            raise ValueError(f"{unescape(answer['error'])} in the formula {tex}")
        return answer["html"]

    def sheet(self):
        """The style sheet with the rules of all signs."""
        return self.ask({})["sheet"]

    def close(self):
        self.node.communicate()


def start(app):
    """Node needs a second to load MathJax: it begins while Sphinx still reads."""
    app.typesetter = Typesetter(app.config.mathjax3_config["tex"]["macros"])


def set_formula(written, tex, typeset):
    """What Sphinx writes for one formula, with the formula set, and its TeX as the source has it."""
    place = FORMULA.search(written)
    if not place:
        raise ValueError(rf"expected a formula between \( and \) or \[ and \], got {written}")
    html = typeset(unescape(place[2]), place[1] == "[")
    whole = written[: place.start()] + html + written[place.end() :]
    return whole.replace(">", f' data-tex="{escape(tex)}">', 1)


def write_formula(app, visit):
    """A visitor that writes what Sphinx's own would, with the formula set."""

    def visit_and_set(translator, node):
        first = len(translator.body)
        try:
            visit(translator, node)
        except nodes.SkipNode:
            written = "".join(translator.body[first:])
            tex = node.get("tex", node.astext()).strip()
            try:
                translator.body[first:] = [set_formula(written, tex, app.typesetter.typeset)]
            except ValueError as error:  # the page keeps the TeX, so that the build finds every wrong formula
                logger.warning("%s", error, location=node)
            raise

    return visit_and_set


def finish(app, exception):
    """Write the style sheet and the fonts that the pages of the site need, and end the process."""
    if not exception and app.builder.format == "html":
        static = Path(app.outdir) / "_static"
        sheet = sheet_of(read_pages(Path(app.outdir)).values(), app.typesetter.sheet())
        (static / "formulas.css").write_text(sheet, "utf8")
        cut_fonts(static / "mathjax", sheet, Path(app.outdir).parent / "fonts")
    app.typesetter.close()


def sheet_of(pages, sheet):
    """The style sheet with the signs that pages use."""
    used = {sign for page in pages for sign in SIGN.findall(page)}
    return RULE.sub(lambda rule: rule[0] if rule[1] in used else "", sheet)


def cut_fonts(folder, sheet, kept):
    """Leave in MathJax's large fonts the letters that the style sheet sets: half of their weight.

    What was cut is kept, because it takes seconds, and an edited sentence seldom brings a new sign.
    """
    kept.mkdir(parents=True, exist_ok=True)
    letters = {CODE.sub(lambda code: chr(int(code[1], 16)), content) for content in CONTENT.findall(sheet)}
    for name in LARGE_FONTS:
        path = folder / f"MathJax_{name}.woff"
        whole, text = path.read_bytes(), "".join(sorted(letters))
        cut = kept / f"{sha256(whole + text.encode()).hexdigest()[:16]}.woff"
        if not cut.exists():
            write_whole(cut, cut_font(whole, text))
        shutil.copyfile(cut, path)


def cut_font(font, letters):
    """The font, as the bytes of its file, with these letters only."""
    cut, subsetter = TTFont(BytesIO(font)), Subsetter(Options(drop_tables=["FFTM"], bidi_closure=False))
    subsetter.populate(text=letters)
    subsetter.subset(cut)
    cut.save(written := BytesIO())
    return written.getvalue()


def setup(app):
    inline, display = (
        write_formula(app, visit) for visit in (mathjax.html_visit_math, mathjax.html_visit_displaymath)
    )
    app.add_html_math_renderer("built", (inline, None), (display, None))
    app.connect("config-inited", lambda app, config: setattr(config, "html_math_renderer", "built"))
    app.connect("builder-inited", start)
    app.add_css_file("formulas.css")  # on every page: a preview may show a formula of another
    app.connect("build-finished", finish)
    return {"parallel_read_safe": True, "parallel_write_safe": False}
