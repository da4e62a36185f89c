"""Colour the symbols in a page's formulas by their role, and add a legend.

Readers can then recognise the query in a formula, a plot and a live figure by its colour. MathJax colours the
argument of a macro, but macros in the source would show as errors in Colab and on GitHub. Instead, a notebook's
metadata, or a Markdown page's front matter, says which symbol is a query, a key, a value, a weight or an estimate:

    "roles": {"query": ["q"], "key": ["k", "k_i"], "estimate": ["\\\\hat y"]}

On the site these symbols become `\\query{q}` and so on, which `_config.yml` defines and `course.css` colours. The
source keeps plain TeX, which renders everywhere. The legend names each role and its symbols, so that the colours
are never the only cue.
"""

import json
import re

from docutils import nodes

# Never changed: text in a formula, and the names of commands
PLAIN = r"\\(?:text|operatorname\*?|mathrm|mathcal|mathbf|begin|end)\s*\{[^}]*\}|\\[a-zA-Z]+"
MACROS = {"value": "val"}  # \value is taken
ROLES = ("query", "key", "value", "weight", "estimate")


def color(formula, roles):
    r"""Wrap each symbol that has a role in that role's macro.

    >>> color(r"\hat y(q) = \sum_i w_i", {"query": ["q"], "weight": ["w_i"], "estimate": [r"\hat y"]})
    '{\\estimate{\\hat y}}({\\query{q}}) = \\sum_i {\\weight{w_i}}'
    """
    role_of = {symbol: role for role, symbols in roles.items() for symbol in symbols}
    longest_first = sorted(role_of, key=len, reverse=True)
    tokens = "|".join(rf"(?<![a-zA-Z]){re.escape(symbol)}(?![a-zA-Z])" for symbol in longest_first)

    def wrap(match):
        role = role_of.get(match[0])
        return f"{{\\{MACROS.get(role, role)}{{{match[0]}}}}}" if role else match[0]

    return re.sub(f"{tokens}|{PLAIN}", wrap, formula)


def color_formulas(app, doctree):
    roles = json.loads(app.env.metadata[app.env.docname].get("roles", "{}"))
    if not roles:
        return
    for kind in (nodes.math, nodes.math_block):
        for node in doctree.findall(kind):
            node["tex"] = node.astext()
            node.children = [nodes.Text(color(node.astext(), roles))]
    title = next(doctree.findall(nodes.title))
    title.parent.insert(2, legend(roles))  # below the title and a chapter's card or first sentence


def legend(roles):
    """Return a line that names the roles in their colours, each with its first symbols."""
    line = nodes.paragraph("", "On this page: ", classes=["roles"])
    for number, role in enumerate(role for role in ROLES if role in roles):
        symbols = roles[role][:3]
        letters = nodes.math("", ", ".join(color(one, roles) for one in symbols), tex=", ".join(symbols))
        name = nodes.inline("", role, classes=["role", role])
        line += [nodes.Text(", " if number else ""), name, nodes.Text(" "), letters]
    line += nodes.Text(".")
    return line
