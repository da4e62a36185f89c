"""Prevent bad line breaks: keep punctuation and units with their formula or number, and mark margin notes.

Browsers may break a line at every space and before and after a formula, whatever follows it, but nowhere inside a
name. On narrow pages this would happen in every chapter.
"""

import re
from html import escape

from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform

MARK = '<sup class="note-mark" aria-hidden="true">*</sup>'
# between a number and its unit, between thousands, or between the dots of an exercise's level
TORN = re.compile(r"(?<=\d) (?=%|dB\b|σ|×|\d{3}(?!\d))|(?<=\d ×) (?=\d)|(?<=min) (?=·)")
TUPLE = re.compile(r"\([-−\d½, ]+\)")  # a short vector
PAIR = re.compile(r"\d+, \d+")  # a head, by block and head
AS_IT_IS = (nodes.literal, nodes.literal_block, nodes.doctest_block, nodes.math, nodes.math_block, nodes.raw)
NAME = '<code class="docutils literal notranslate"><span class="pre">{}</span></code>'


class LineBreaks(SphinxPostTransform):
    formats = ("html",)

    def run(self, **kwargs):
        for element in self.document.findall(nodes.TextElement):
            for place, child in enumerate(element):
                if isinstance(child, nodes.Text) and not isinstance(element, AS_IT_IS):
                    element[place] = nodes.Text(unbroken(child))
        for formula in list(self.document.findall(nodes.math)):
            hold(formula)
        for entry in self.document.findall(nodes.entry):
            for name in [name for name in entry.findall(nodes.literal) if not name["classes"]]:
                breaking = NAME.format(escape(name.astext()).replace("_", "_<wbr>"))
                name.replace_self(nodes.raw("", breaking, format="html"))
        for name in self.document.findall(nodes.literal):
            if PAIR.fullmatch(name.astext()):
                name["classes"].append("unbroken")
        for note in self.document.findall(nodes.raw):
            if note.astext() == "<small>":
                note.children = [nodes.Text(MARK + "<small>")]


def unbroken(text):
    """Return a text whose numbers keep their units, and whose short vectors stay on one line.

    >>> unbroken("90 % of (1, 0, 0)").count("\N{NO-BREAK SPACE}")
    3
    """
    text = TUPLE.sub(lambda vector: vector[0].replace(" ", "\N{NO-BREAK SPACE}"), text)
    return TORN.sub("\N{NO-BREAK SPACE}", text)


def hold(formula):
    """Keep a formula and adjacent text without a space on one line."""
    parent, place = formula.parent, formula.parent.index(formula)
    left, right = words_at(parent, place - 1), words_at(parent, place + 1)
    apart, before = re.fullmatch(r"(.*?)(\S*)", left, re.DOTALL).groups()
    after, rest = re.fullmatch(r"(\S*)(.*)", right, re.DOTALL).groups()
    if before or after:
        held = nodes.inline("", "", *in_nodes(before), formula.deepcopy(), *in_nodes(after), classes=["unbroken"])
        parent[place - bool(left) : place + 1 + bool(right)] = [*in_nodes(apart), held, *in_nodes(rest)]


def words_at(parent, place):
    """Return the text at a position of a paragraph, or an empty string if something else is there."""
    return str(parent[place]) if 0 <= place < len(parent) and isinstance(parent[place], nodes.Text) else ""


def in_nodes(words):
    return [nodes.Text(words)] if words else []
