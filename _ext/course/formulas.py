"""Typeset formulas at build time: pages need no script to show them, and the text does not move.

Sphinx offers images of formulas, or TeX that a script typesets in the browser after the page has loaded. Here
MathJax runs in a Node process during the build and produces the same HTML as in a browser, with MathML for screen
readers. The style sheet keeps only the symbols that pages use. Copied formulas become TeX, which is stored in
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
    """MathJax in a Node process, which answers line by line."""

    def __init__(self, macros):
        command = ["node", str(Path(__file__).with_name("typeset.mjs"))]
        self.node = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf8")
        self.tell({"macros": macros})
        self.typeset = cache(self.typeset)  # most formulas occur in a chapter and on its slide

    def tell(self, message):
        self.node.stdin.write(json.dumps(message) + "\n")
        self.node.stdin.flush()

    def ask(self, message):
        self.tell(message)
        answer = self.node.stdout.readline()
        if not answer:
            raise RuntimeError(f"expected MathJax to answer {message}, but Node exited: see above")
        return json.loads(answer)

    def typeset(self, tex, display):
        """Return the HTML of a formula."""
        answer = self.ask({"tex": tex, "display": display})
        if answer["error"]:
            raise ValueError(f"{unescape(answer['error'])} in the formula {tex}")
        return answer["html"]

    def sheet(self):
        """Return the style sheet with the rules of all symbols."""
        return self.ask({})["sheet"]

    def close(self):
        self.node.communicate()


def add_renderer(app):
    app.add_html_math_renderer("built", (write_inline, None), (write_display, None))
    app.add_css_file("formulas.css")  # on every page: a preview may show a formula of a different page


def use_renderer(app, config):
    config.html_math_renderer = "built"  # here, because Jupyter Book overwrites the value in `_config.yml`


def start(app):
    """Start Node early: it needs a second to load MathJax, while Sphinx still reads."""
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
    """Return the opening tag of a formula as Sphinx writes it, with the TeX source."""
    tex = escape(node.get("tex", node.astext()).strip())
    written = translator.starttag(node, name, "", CLASS="math notranslate nohighlight")
    return written.replace(">", f' data-tex="{tex}">', 1)


def formula(translator, node, display):
    """Return the typeset formula, or its TeX if it is invalid, so that one build reports every invalid formula."""
    tex = node.astext()
    if display and r"\\" in tex:
        tex = rf"\begin{{split}}{tex}\end{{split}}"
    try:
        return translator.builder.app.typesetter.typeset(tex, display)
    except ValueError as error:
        logger.warning("%s", error, location=node)
        return escape(tex)


def finish(app, exception):
    """Write the style sheet and the fonts that the site's pages need, and end the process."""
    if not exception and app.builder.format == "html":
        static = Path(app.outdir) / "_static"
        sheet = sheet_of(read_pages(Path(app.outdir)).values(), app.typesetter.sheet())
        (static / "formulas.css").write_text(sheet, "utf8")
        cut_fonts(static / "mathjax", sheet, Path(app.outdir).parent / "fonts")
    app.typesetter.close()


def sheet_of(pages, sheet):
    """Return the style sheet with the symbols that pages use."""
    used = {sign for page in pages for sign in SIGN.findall(page)}
    return RULE.sub(lambda rule: rule[0] if rule[1] in used else "", sheet)


def cut_fonts(folder, sheet, kept):
    """Remove the glyphs that no page uses from MathJax's large fonts, which halves their size.

    The result is cached, because subsetting takes seconds and an edit rarely adds a new symbol.
    """
    letters = {CODE.sub(lambda code: chr(int(code[1], 16)), content) for content in CONTENT.findall(sheet)}
    text, names = "".join(sorted(letters)), [f"MathJax_{name}.woff" for name in LARGE_FONTS]
    key = sha256(text.encode() + b"".join((folder / name).read_bytes() for name in names))
    cut = kept / key.hexdigest()[:16]
    if not (cut / "complete").exists():
        from fontTools import subset  # imported here because most builds find the result in the cache

        cut.mkdir(parents=True, exist_ok=True)
        for name in names:
            options = [f"--text={text}", f"--output-file={cut / name}", "--drop-tables+=FFTM", "--no-bidi-closure"]
            subset.main([str(folder / name), *options])
        (cut / "complete").touch()
    for name in names:
        shutil.copyfile(cut / name, folder / name)
