"""Tuples that stay whole.

mypyc takes a tuple of a fixed length apart wherever one goes, and makes a new one for each look into a dictionary; a
cell of a board is looked up all the time. One of any length stays the object that it is.
"""

import ast

from edits import Edits


def with_whole_tuples(source: str) -> str:
    """Return a source whose names for tuples of equal parts, as `Cell = tuple[int, int]`, mean those of any length."""
    edits = Edits(source)
    for node in edits.tree.body:
        match node:
            case ast.Assign(value=ast.Subscript(value=ast.Name(id="tuple"), slice=ast.Tuple(elts=parts))):
                kinds = {ast.unparse(part) for part in parts}
                if len(kinds) == 1:
                    edits.replace(node.value, f"tuple[{kinds.pop()}, ...]")
    return edits.result()
