"""Colour the letters of a chapter's formulas by the role that they play.

A notebook's metadata says which letter is a query, a key, a value, a weight or an estimate:

    "roles": {"query": ["q"], "key": ["k", "k_i"], "estimate": ["\\\\hat y"]}

On the site these letters become `\\query{q}` and so on, which `_config.yml` defines and `course.css` colours. The
notebook itself keeps plain TeX, so its formulas read well, and render, wherever a notebook is opened.
"""

import json
import re

from docutils import nodes

# Never touched: words in a formula, and the names of commands.
PLAIN = r"\\(?:text|operatorname\*?|mathrm|mathcal|begin|end)\s*\{[^}]*\}|\\[a-zA-Z]+"
MACROS = {"value": "val"}  # \value is taken


def color(formula, roles):
    r"""Wrap each letter that plays a role in that role's macro.

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
    source = app.env.doc2path(app.env.docname)
    if not source.endswith(".ipynb"):
        return
    with open(source, encoding="utf8") as notebook:
        roles = json.load(notebook)["metadata"].get("roles")
    if roles:
        for kind in (nodes.math, nodes.math_block):
            for node in doctree.findall(kind):
                node.children = [nodes.Text(color(node.astext(), roles))]


def setup(app):
    app.connect("doctree-read", color_formulas)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
