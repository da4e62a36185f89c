"""Adapt the package's docstrings for its reference pages, which autodoc and napoleon generate.

Docstrings are written to be read in the source, where an equation is `eq:softmax`, a paper is `doi:10.…` and a
page is `pages/elsewhere`. On the pages these become links, an indented block becomes a literal block, and named
results become a list.
"""

import re

EQUATION = re.compile(r"\beq:\w+")
DOI = re.compile(r"\bdoi:(10\.\d+/[^\s,;)]*[^\s,;.)])")
PAGE = re.compile(r"\bpages/\w+")
BLOCK = re.compile(r"(?<=\n)\n(?=    \S)")
RESULT = re.compile(r"^(\w[\w, ]*) : ", re.MULTILINE)  # one of several named results


def link(app, what, name, described, options, lines):
    text = "\n".join(lines)
    if what == "module":
        text = BLOCK.sub("\n::\n\n", text)
    before, heading, results = text.partition("Returns\n-------\n")
    text = before + heading + RESULT.sub(r"- **\1**: ", results)
    text = DOI.sub(r"`doi:\1 <https://doi.org/\1>`__", EQUATION.sub(r":eq:`\g<0>`", text))
    text = PAGE.sub(r":doc:`/\g<0>`", text)
    lines[:] = text.split("\n")


def skip_fields(app, what, name, described, skip, options):
    """Skip the fields of named tuples, which the class's docstring describes; the default is only an index."""
    return skip or str(described.__doc__).startswith("Alias for field number")
