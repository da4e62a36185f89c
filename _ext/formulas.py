r"""Sets the formulas when the site is built: a page needs no script to show them, and no text moves.

Sphinx writes a formula's TeX between `\(` and `\)`, or `\[` and `\]`. When all pages are written, MathJax sets
every formula in one run of node, as the HTML that it would make in a browser, with MathML for screen readers. The
style sheet keeps only the signs that the pages use. What a reader copies is the TeX, which stands in `data-tex`.
"""

import json
import re
import subprocess
from html import escape, unescape
from pathlib import Path

from course_site import course_pages
from sphinx.ext import mathjax

FORMULA = re.compile(
    r'(<(span|div) class="math notranslate nohighlight"[^>]*>(?:\s*<span class="eqno">.*?</a></span>)?\s*)'
    r"\\([(\[])(.*?)\\[)\]]</\2>",
    re.DOTALL,
)
SIGN = re.compile(r"mjx-c[0-9A-F]+\b")
RULE = re.compile(r"(?<=\n)mjx-[^{}]*?\.(mjx-c[0-9A-F]+)[^{}]*\{[^{}]*\}\n*")


def write_formula(visit):
    """A visitor that writes what Sphinx's own would, with the formula's TeX as the source has it."""

    def visit_with_tex(translator, node):
        first = len(translator.body)
        try:
            visit(translator, node)
        finally:
            tex = escape(node.get("tex", node.astext()).strip())
            translator.body[first] = translator.body[first].replace(">", f' data-tex="{tex}">', 1)

    return visit_with_tex


def set_formulas(app, exception):
    """Put what MathJax sets in the place of each formula that a page still holds as TeX."""
    if exception or app.builder.format != "html":
        return
    pages = {path: path.read_text("utf8") for path in course_pages(app)}
    raw = {formula_of(match): path for path, page in pages.items() for match in FORMULA.finditer(page)}
    html, sheet = typeset(app, raw)
    for path, page in pages.items():
        done = FORMULA.sub(lambda match: f"{match[1]}{html[formula_of(match)]}</{match[2]}>", page)
        if (count := done.count('class="math notranslate')) != (set_now := done.count("<mjx-container")):
            raise ValueError(f"{path.name}: expected {count} formulas to be set, got {set_now}")
        if done != page:
            path.write_text(done, "utf8")
        pages[path] = done
    used = {sign for page in pages.values() for sign in SIGN.findall(page)}
    small = RULE.sub(lambda rule: rule[0] if rule[1] in used else "", sheet)
    (Path(app.outdir) / "_static" / "formulas.css").write_text(small, "utf8")


def formula_of(match):
    """A formula as TeX, and whether it stands in a line of its own."""
    return unescape(match[4]), match[3] == "["


def typeset(app, pages):
    """What MathJax makes of each formula, and its style sheet. `pages` names a page for each formula."""
    formulas = [{"tex": tex, "display": display} for tex, display in pages]
    task = json.dumps({"macros": app.config.mathjax3_config["tex"]["macros"], "formulas": formulas})
    command = ["node", str(Path(__file__).with_name("typeset.js"))]
    done = subprocess.run(command, input=task, capture_output=True, encoding="utf8")
    if done.returncode:
        raise RuntimeError(f"expected MathJax to set the formulas, got: {done.stderr}")
    answer = json.loads(done.stdout)
    for error, ((tex, _), path) in zip(answer["errors"], pages.items(), strict=True):
        if error:
            raise ValueError(f"{path.name}: {unescape(error)} in the formula {tex}")
    return dict(zip(pages, answer["html"], strict=True)), answer["sheet"]


def setup(app):
    inline, display = write_formula(mathjax.html_visit_math), write_formula(mathjax.html_visit_displaymath)
    app.add_html_math_renderer("built", (inline, None), (display, None))
    app.connect("config-inited", lambda app, config: setattr(config, "html_math_renderer", "built"))
    app.add_css_file("formulas.css")  # on every page: a preview may show a formula of another
    app.connect("build-finished", set_formulas, priority=450)  # the decks are written, no page is repaired
    return {"parallel_read_safe": True, "parallel_write_safe": True}
