"""Sets the formulas while pages are written: a page needs no script to show them, and no text moves.

Sphinx offers pictures of formulas, or TeX for a script that sets it in the browser after the page is there. Here
MathJax sets each formula in a process of node beside the build: the HTML that it would make in a browser, with
MathML for screen readers. The style sheet keeps only the signs that pages use. What a reader copies is the TeX, in
`data-tex`.
"""

import json
import re
import shutil
import subprocess
from functools import cache
from hashlib import sha256
from html import escape, unescape
from pathlib import Path

from docutils import nodes
from sphinx.locale import _
from sphinx.util import logging
from sphinx.util.math import get_node_equation_number

from tools.build.page_files import read_pages

SIGN = re.compile(r"mjx-c[0-9A-F]+\b")
LARGE_FONTS = ("Main-Regular", "Main-Bold", "Math-Italic", "AMS-Regular")
CONTENT, CODE = re.compile(r'content: "([^"]*)"'), re.compile(r"\\([0-9A-F]+)")
RULE = re.compile(r"(?<=\n)mjx-[^{}]*?\.(mjx-c[0-9A-F]+)[^{}]*\{[^{}]*\}\n*")

logger = logging.getLogger(__name__)


class Typesetter:
    """MathJax in a process of node, which answers line by line."""

    def __init__(self, macros):
        command = ["node", str(Path(__file__).with_name("typeset.mjs"))]
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


def add_renderer(app):
    app.add_html_math_renderer("built", (write_inline, None), (write_display, None))
    app.add_css_file("formulas.css")  # on every page: a preview may show a formula of another


def use_renderer(app, config):
    config.html_math_renderer = "built"  # here: Jupyter Book sets MathJax's after it has read `_config.yml`


def start(app):
    """Node needs a second to load MathJax: it begins while Sphinx still reads."""
    app.typesetter = Typesetter(app.config.mathjax3_config["tex"]["macros"])


def write_inline(translator, node):
    translator.body += [tag(translator, node, "span"), formula(translator, node, display=False), "</span>"]
    raise nodes.SkipNode


def write_display(translator, node):
    translator.body.append(tag(translator, node, "div"))
    if node["number"]:
        translator.body.append(f'<span class="eqno">({get_node_equation_number(translator, node)})')
        translator.add_permalink_ref(node, _("Link to this equation"))
        translator.body.append("</span>")
    translator.body += [formula(translator, node, display=True), "</div>\n"]
    raise nodes.SkipNode


def tag(translator, node, name):
    """The opening tag of a formula, as Sphinx writes it, with the TeX as the source has it."""
    tex = escape(node.get("tex", node.astext()).strip())
    written = translator.starttag(node, name, "", CLASS="math notranslate nohighlight")
    return written.replace(">", f' data-tex="{tex}">', 1)


def formula(translator, node, display):
    """The formula set, or its TeX where it is wrong: so the build finds every wrong formula."""
    tex = node.astext()
    if display and r"\\" in tex:
        tex = rf"\begin{{split}}{tex}\end{{split}}"
    try:
        return translator.builder.app.typesetter.typeset(tex, display)
    except ValueError as error:
        logger.warning("%s", error, location=node)
        return escape(tex)


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
    letters = {CODE.sub(lambda code: chr(int(code[1], 16)), content) for content in CONTENT.findall(sheet)}
    text, names = "".join(sorted(letters)), [f"MathJax_{name}.woff" for name in LARGE_FONTS]
    key = sha256(text.encode() + b"".join((folder / name).read_bytes() for name in names))
    cut = kept / key.hexdigest()[:16]
    if not (cut / "complete").exists():
        from fontTools import subset  # here: most builds cut nothing

        cut.mkdir(parents=True, exist_ok=True)
        for name in names:
            options = [f"--text={text}", f"--output-file={cut / name}", "--drop-tables+=FFTM", "--no-bidi-closure"]
            subset.main([str(folder / name), *options])
        (cut / "complete").touch()
    for name in names:
        shutil.copyfile(cut / name, folder / name)
