"""Names from modules that stay Python, as constants of the modules that are compiled.

mypyc looks an imported name up in the module's dictionary each time; a constant has a place in memory.
"""

import ast
from collections.abc import Container, Iterable, Iterator

from edits import Edits
from native_classes import names_of


def with_constants(source: str, compiled: Container[str], modules: Container[str]) -> str:
    """Return a source whose functions use constants for what comes from modules that stay Python.

    `compiled` are the full names of the modules that are compiled and of all that they define, which mypyc finds by
    itself; `modules` the names of all modules of the project.
    """
    edits = Edits(source)
    imports = [node for node in edits.tree.body if isinstance(node, ast.Import | ast.ImportFrom)]
    imported = {name: full for name, full in names_of(imports) if full not in compiled}
    whole = {name for name, full in imported.items() if full in modules or "." not in full}
    constants: dict[str, str] = {}
    for function in _functions(edits.tree.body):
        own = _own_names(function)
        for node in _values(function):
            name = edits.text(node)
            first, _, rest = name.partition(".")
            if first in imported and first not in own and (first in whole) == bool(rest):
                constants[name] = f"_{name.replace('.', '_')}_here"
                edits.replace(node, constants[name])
    if constants:
        edits.insert(imports[0].lineno, "from typing import Final\n")
        lines = [f"{constant}: Final = {name}\n" for name, constant in sorted(constants.items())]
        edits.insert((imports[-1].end_lineno or 0) + 1, "".join(lines))
    return edits.result()


def _functions(body: list[ast.stmt]) -> Iterator[ast.FunctionDef]:
    """Yield the functions of a module and the methods of its classes; what lies in a function belongs to it."""
    for node in body:
        if isinstance(node, ast.FunctionDef):
            yield node
        elif isinstance(node, ast.ClassDef):
            yield from _functions(node.body)


def _own_names(function: ast.FunctionDef) -> set[str]:
    """Return the names that a function, or one in it, gives to something of its own."""
    own: set[str] = set()
    for node in ast.walk(function):
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            own.add(node.id)
        elif isinstance(node, ast.arg):
            own.add(node.arg)
        elif isinstance(node, ast.alias):
            own.add(node.asname or node.name)
    return own


def _values(node: ast.AST) -> Iterator[ast.Name | ast.Attribute]:
    """Yield the names, and attributes of names, that stand for values in a function; types stay as they are written."""
    if isinstance(node, ast.Name):
        yield node
    elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
        yield node.value
        if isinstance(node.ctx, ast.Load):
            yield node
    else:
        for each in _parts(node):
            yield from _values(each)


def _parts(node: ast.AST) -> Iterable[ast.AST]:
    """Return the parts of a node that are not types."""
    match node:
        case ast.FunctionDef():
            return node.body
        case ast.Lambda():
            return [node.body]
        case ast.AnnAssign():
            return [node.value] if node.value is not None else []
        case ast.MatchClass():
            return [*node.patterns, *node.kwd_patterns]
        case ast.Call(func=ast.Name(id="cast")):
            return node.args[1:]
        case _:
            return ast.iter_child_nodes(node)
