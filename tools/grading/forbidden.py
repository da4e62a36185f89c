"""A stand-in for `lib`, for answers that must be written without it.

A submission whose question forbids `lib` runs beside a copy of the package without its code: each name in each
module is a stand-in. It can be imported and passed on, and using it is refused. So what is forbidden is decided at
the call, and there is nothing to find in memory, on the disk, or in another process. `lib.assignments`, which
draws the data, is there as it is, with what it imports.
"""

import ast
import shutil
import sys
from pathlib import Path

ALLOWED = "lib.assignments"
left_out, missing = [], []  # rejected calls and errors of skipped statements; missing modules


class NotAllowed(PermissionError):
    """The answer used something that the question asks the student to write."""


class StandIn:
    """A function, class or number of `lib` that may not be used here."""

    def __init__(self, name):
        self.__dict__["name"] = name

    def refuse(self, *_, **__):
        left_out.append(self.__dict__["name"])
        raise NotAllowed(f"{self.__dict__['name']} may not be used in this answer: write it yourself")

    __call__ = __getitem__ = __iter__ = __len__ = __enter__ = __array__ = refuse

    def __getattr__(self, attribute):
        if attribute.startswith("__"):  # Python asks for these itself
            raise AttributeError(attribute)
        self.refuse()

    def __repr__(self):
        return f"<{self.__dict__['name']}, which may not be used here>"


def leave_out():
    """Called where a statement failed and the rest of its cell goes on."""
    left_out.append(sys.exc_info()[1])


def leave_out_import():
    """Record a failed import; the error is raised after the cell has run."""
    missing.append(sys.exc_info()[1])


class StatementByStatement(ast.NodeTransformer):
    """Run the rest of a cell after a failed import and, if `lib` is forbidden, after any error."""

    def __init__(self, forbids_lib):
        self.forbids_lib = forbids_lib

    def visit_Module(self, module):
        module.body = [self.wrapped(statement) for statement in module.body]
        return ast.fix_missing_locations(module)

    def wrapped(self, statement):
        is_import = isinstance(statement, (ast.Import, ast.ImportFrom))
        if is_import and getattr(statement, "module", None) != "__future__":
            error, handler = "ImportError", "leave_out_import"
        elif is_import or not self.forbids_lib or isinstance(statement, (ast.FunctionDef, ast.ClassDef)):
            return statement
        else:
            error, handler = "Exception", "leave_out"
        (wrapped,) = ast.parse(f"try: pass\nexcept {error}: __import__('forbidden').{handler}()").body
        wrapped.body = [statement]
        return ast.copy_location(wrapped, statement)


# ---- Making the copy -------------------------------------------------------------------------------------------


def module_file(root, name):
    """The file of a module of `lib`, or None."""
    path = Path(root, *name.split("."))
    return next((each for each in (path / "__init__.py", path.with_suffix(".py")) if each.is_file()), None)


def imported(root, name):
    """The modules of `lib` that a module imports, itself among them."""
    found, waiting = set(), [name, name.partition(".")[0]]
    while waiting:
        name = waiting.pop()
        path = module_file(root, name)
        if path is None or name in found:
            continue
        found.add(name)
        for node in ast.walk(ast.parse(path.read_text("utf8"))):
            if isinstance(node, ast.Import):
                waiting += [each.name for each in node.names]
            elif isinstance(node, ast.ImportFrom) and node.module:
                waiting += [node.module, *(f"{node.module}.{each.name}" for each in node.names)]
    return found


# Python itself calls these functions of a module, so they are not refused; a name imported lazily is a stand-in.
HOOKS = {
    "__dir__": "",
    "__getattr__": """def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    return StandIn("{}." + name)""",
}


def stand_ins(path, module):
    """The lines of a module with the names of another one: its outside imports, and stand-ins for the rest."""
    for node in ast.parse(path.read_text("utf8")).body:
        names = []
        if isinstance(node, ast.FunctionDef) and node.name in HOOKS:
            yield HOOKS[node.name].format(module)
        elif isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            names = [node.name]
        elif isinstance(node, ast.ImportFrom) and (node.level or f"{node.module}.".startswith("lib.")):
            names = [each.asname or each.name for each in node.names]
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            yield "" if getattr(node, "module", "") == "__future__" else ast.unparse(node)
        elif isinstance(node, (ast.Assign, ast.AnnAssign)):
            stored = (each for each in ast.walk(node) if isinstance(each, ast.Name))
            names = [each.id for each in stored if isinstance(each.ctx, ast.Store)]
        yield from (f"{name} = StandIn('{module}.{name}')" for name in names if name != "*")


def copy_without_code(root, target):
    """Copy `lib` below `root` to `target`, with stand-ins for everything except the functions that draw data."""
    source, kept = Path(root, "lib"), {module_file(root, name) for name in imported(root, ALLOWED)}
    for path in source.rglob("*"):
        copy = Path(target, path.relative_to(root))
        if path.suffix == ".py" and path not in kept:
            copy.parent.mkdir(parents=True, exist_ok=True)
            module = ".".join(path.relative_to(root).with_suffix("").parts).removesuffix(".__init__")
            lines = ["from forbidden import StandIn", *stand_ins(path, module)]
            copy.write_text("\n".join(lines) + "\n", "utf8")
        elif path in kept or (path.is_file() and path.parent.name == "datasets"):
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, copy)
