"""Join a plot's drawings in one SVG document, each under its name, to pass them from the kernel to the page.

The document is well-formed and contains each drawing as a nested `<svg data-drawing="dark-narrow" …>`.
"""

import re

PAGE = 1120  # pixels: the width of the page in `course.css`
OPEN, CLOSE = '<svg xmlns="http://www.w3.org/2000/svg">', "</svg>"
START = re.compile(r'(?=<svg data-drawing=")')
NAME = re.compile(r'<svg data-drawing="([\w-]+)" ')


def join(drawings):
    """Return the document that contains the named drawings.

    >>> document = join({"light": '<svg width="1"></svg>', "dark": '<svg width="2"></svg>'})
    >>> split(document)["dark"]
    '<svg width="2"></svg>'
    """
    named = (svg.replace("<svg ", f'<svg data-drawing="{name}" ', 1) for name, svg in drawings.items())
    return "\n".join([OPEN, *named, CLOSE])


def split(document):
    """Return the drawings of a document by their names."""
    parts = START.split(document.removesuffix(CLOSE))[1:]
    return {NAME.match(part)[1]: NAME.sub("<svg ", part, count=1).strip() for part in parts}
