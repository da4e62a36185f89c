"""Keeps room in the line for formulas that are not set yet, so that a text does not move when they are."""

import re
from html import unescape

from course_site import course_pages

INLINE = re.compile(r'<span class="math notranslate nohighlight">(?=\\\((.*?)\\\)</span>)', re.DOTALL)
SILENT = re.compile(
    r"\\(?:query|key|val|weight|estimate|left|right|big|mathbf|mathrm|mathcal|operatorname|text|bar|hat|tilde|,|;)"
    r"(?![a-z])"
)
RELATION = re.compile(r"\\(?:to|le|ge|in|approx|sim|neq|ll|propto|cdot|times|pm)\b")
FUNCTION = re.compile(r"\\(?=(?:cos|sin|exp|log|max|min|det)\b)")
COMMAND = re.compile(r"\\[A-Za-z]+|\\.")
SCRIPT = re.compile(r"[_^](?:\{([^{}]*)\}|(.))")


def width(tex):
    """About how wide MathJax sets an inline formula, in em: its letters, the small ones, and the signs with space.

    The three factors are a least-squares fit to the course's formulas; half of them are within a third of an em.
    """
    line, small = FUNCTION.sub("", SILENT.sub("", tex)), ""
    line = COMMAND.sub("m", RELATION.sub("=", line))
    while script := SCRIPT.search(line):
        small += script[1] or script[2] or ""
        line = line[: script.start()] + line[script.end() :]
    line, small = (re.sub(r"[{}\s~]", "", part) for part in (line, small))
    return 0.6 * len(line) + 0.38 * len(small) + 0.5 * len(re.findall(r"[=<>+\-]", line))


def keep_room(app, exception):
    """Write the width of each inline formula into the pages."""
    if exception or app.builder.format != "html":
        return
    for path in course_pages(app):
        page = path.read_text("utf8")
        roomy = INLINE.sub(
            lambda match: f'{match[0][:-1]} style="--room: {width(unescape(match[1])):.1f}em">', page
        )
        if roomy != page:
            path.write_text(roomy, "utf8")


def setup(app):
    app.connect("build-finished", keep_room)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
