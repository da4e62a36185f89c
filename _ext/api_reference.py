"""The pages of the package: what its modules offer, from their docstrings, read as text and never imported.

Without it a reader who writes code would have to open the package to learn what a function takes. Sphinx's autodoc
imports what it describes, and so every figure's dependencies; it keeps no equation's label as a link.

`pages/api.md` lists the modules, with a line `<!-- lib.weights -->` for each; `pages/api/weights.md` is its page.
Of a module its public functions and classes are shown, of a package those that it imports.
"""

import ast
import re
from pathlib import Path

PAGE = "pages/api"
PLACE = re.compile(r"^<!-- (lib[\w.]*) -->$", re.MULTILINE)
SECTION = re.compile(r"^(\w+)\n-{3,}\n", re.MULTILINE)
ENTRY = re.compile(r"^(\S.*?)(?: : (.+))?$((?:\n(?: +.*)?)*)", re.MULTILINE)  # a name, its type, what it means
EXAMPLE = re.compile(r"^>>> (?:.+\n?)+", re.MULTILINE)
EQUATION = re.compile(r"\beq:\w+")
DOI = re.compile(r"\bdoi:(10\.\d+/[^\s,;)]*[^\s,;.)])")


def module_path(root, module):
    path = root / Path(*module.split("."))
    return path / "__init__.py" if path.is_dir() else path.with_suffix(".py")


def definitions(root, module):
    """The public functions and classes of a module, or those that a package imports, in their order."""
    tree = ast.parse(module_path(root, module).read_text("utf8"))
    kinds = (ast.FunctionDef, ast.ClassDef)
    own = {node.name: node for node in tree.body if isinstance(node, kinds) and not node.name.startswith("_")}
    if own:
        return list(own.values())
    found = []
    for statement in tree.body:
        if isinstance(statement, ast.ImportFrom):
            names = {alias.name for alias in statement.names}
            found += [node for node in definitions(root, statement.module) if node.name in names]
    return found


def files(root, module):
    """The files that a module's part of the page is made of."""
    path = module_path(root, module)
    return sorted(path.parent.glob("*.py")) if path.name == "__init__.py" else [path]


def signature(node):
    if isinstance(node, ast.ClassDef):
        return node.name
    return f"{node.name}({ast.unparse(node.args)})"


def links(text):
    """Link equations and sources, and keep what Markdown would take for HTML or formulas as it is written."""
    text = re.sub(r"(?<!`)<(?=[a-zA-Z/!])", r"\\<", text).replace("$", r"\$")
    return DOI.sub(r"[doi:\1](https://doi.org/\1)", EQUATION.sub(r"{eq}`\g<0>`", text))


def entries(text):
    """Parameters, results or errors as a list."""
    lines = []
    for name, kind, meaning in ENTRY.findall(text.strip()):
        about = " ".join(meaning.split())
        shown = f"**`{name}`**" if kind or about else links(name)
        lines.append(f"- {shown}{': ' + links(kind) if kind else ''}{'. ' + links(about) if about else ''}")
    return "\n".join(lines)


def examples(text):
    return EXAMPLE.sub(lambda example: f"```pycon\n{example[0].rstrip()}\n```\n", text)


def markdown(docstring):
    """A docstring as Markdown."""
    summary, *rest = SECTION.split(docstring)
    parts = [links(summary.strip())]
    for title, text in zip(rest[::2], rest[1::2], strict=True):
        if title == "Examples":
            parts += ["**Examples**", examples(text)]
        elif title == "Notes":
            parts += [links(text.strip())]
        else:
            parts += [f"**{title}**", entries(text)]
    return "\n\n".join(parts)


def describe(node, module):
    """A heading with an anchor, the signature and the docstring of a function, or of a class with its methods."""
    parts = [f"({f'{module}.{node.name}'.replace('.', '-').replace('_', '-').lower()})=", f"## {node.name}"]
    parts += [f"```python\n{signature(node)}\n```", markdown(ast.get_docstring(node))]
    for method in node.body if isinstance(node, ast.ClassDef) else ():
        if isinstance(method, ast.FunctionDef) and not method.name.startswith("_") and ast.get_docstring(method):
            parts += [f"```python\n.{signature(method)}\n```", markdown(ast.get_docstring(method))]
    return "\n\n".join(parts)


def docstring_of(root, module):
    return ast.get_docstring(ast.parse(module_path(root, module).read_text("utf8")))


def describe_module(root, module):
    described = (describe(node, module) for node in definitions(root, module))
    return "\n\n".join([markdown(docstring_of(root, module)), *described])


def listed(root, module):
    """A line of the list of modules: its name, which leads to its page, and the first line of its docstring."""
    first = links(docstring_of(root, module).partition("\n")[0])
    return f"- {{doc}}`{module} </{PAGE}/{module.removeprefix('lib.')}>`: {first}"


def fill_page(app, docname, source):
    if docname != PAGE and not docname.startswith(f"{PAGE}/"):
        return
    fill = listed if docname == PAGE else describe_module
    root = Path(app.confdir)
    for module in PLACE.findall(source[0]):
        for path in files(root, module):
            app.env.note_dependency(str(path))
    source[0] = PLACE.sub(lambda place: fill(root, place[1]), source[0])


def setup(app):
    app.connect("source-read", fill_page)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
