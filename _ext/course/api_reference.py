"""What the docstrings of the package need on its pages: autodoc shows them, and napoleon reads their sections.

They are written to be read in the code, where an equation is `eq:softmax` and a paper `doi:10.…`. Without this
file a reader could follow neither. It makes links of both, shows an indented block as it is written, and makes a
list of named results.
"""

import re

EQUATION = re.compile(r"\beq:\w+")
DOI = re.compile(r"\bdoi:(10\.\d+/[^\s,;)]*[^\s,;.)])")
BLOCK = re.compile(r"(?<=\n)\n(?=    \S)")
RESULT = re.compile(r"^(\w[\w, ]*) : ", re.MULTILINE)  # one of several, by its name


def link(app, what, name, described, options, lines):
    text = "\n".join(lines)
    if what == "module":
        text = BLOCK.sub("\n::\n\n", text)
    before, heading, results = text.partition("Returns\n-------\n")
    text = before + heading + RESULT.sub(r"- **\1**: ", results)
    text = DOI.sub(r"`doi:\1 <https://doi.org/\1>`__", EQUATION.sub(r":eq:`\g<0>`", text))
    lines[:] = text.split("\n")


def skip_fields(app, what, name, described, skip, options):
    """The docstring of a named tuple says what its fields are, and Python's says their places."""
    return skip or str(described.__doc__).startswith("Alias for field number")
