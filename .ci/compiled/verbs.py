"""The table's verbs written out where they are used, so that mypyc sees which field of what is changed.

`table.set(card, "exhausted", True)` reads and writes a field by its name. As machine code that costs as much as in
Python; written out, it is a comparison and two moves in memory.
"""

import ast
from collections.abc import Iterator
from typing import Final

from edits import Edits

VERBS: Final = {"set": 3, "count": 3, "update": 1}
"""The verbs of `projector.model.recorded` that change fields by their names, each with its positional arguments."""


def written_out(source: str) -> str:
    """Return a source in which each change of a field that is named there stands as the verb carries it out."""
    edits = Edits(source)
    for number, (statement, call, verb) in enumerate(_calls(edits.tree)):
        lines = _lines(edits, call, verb, number)
        edits.replace(statement, f"\n{' ' * statement.col_offset}".join(lines))
    return edits.result()


def _calls(tree: ast.Module) -> Iterator[tuple[ast.Expr, ast.Call, ast.Attribute]]:
    """Yield the statements that call a verb with the names of fields, each with the call and the verb."""
    for statement in ast.walk(tree):
        call = statement.value if isinstance(statement, ast.Expr) else None
        if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute):
            continue
        if not isinstance(call.func.value, ast.Name) or len(call.args) != VERBS.get(call.func.attr, -1):
            continue
        if call.func.attr == "update":
            if call.keywords and all(each.arg for each in call.keywords):
                yield statement, call, call.func
        elif isinstance(call.args[1], ast.Constant) and not call.keywords:
            yield statement, call, call.func


def _lines(edits: Edits, call: ast.Call, verb: ast.Attribute, number: int) -> Iterator[str]:
    """Yield the lines that a verb stands for; each call has variables of its own, which have one type each."""
    values = {each.arg or "": each.value for each in call.keywords} or {call.args[1].value: call.args[2]}
    thing = f"thing_{number}"  # always: mypy would believe that the field of another name stays what is written here
    yield f"{thing} = {edits.text(call.args[0])}"
    named: dict[str, str] = {}
    for place, (field, value) in enumerate(values.items()):
        named[field], bound = _bound(edits, value, f"value_{number}_{place}")
        yield from bound
    for place, (field, value) in enumerate(named.items()):
        before = f"before_{number}_{place}"
        if verb.attr == "count":
            yield f"if {value}:"
            yield f"    {before} = {thing}.{field}"
            after = f"{before} + {value}"
        else:
            yield f"{before} = {thing}.{field}"
            yield f"if {before} != {value}:"
            after = value
        yield f"    {thing}.{field} = {after}"
        yield f'    {edits.text(verb.value)}.journal.append(({thing}, "{field}", {before}, {after}))'


def _bound(edits: Edits, node: ast.expr, name: str) -> tuple[str, list[str]]:
    """Return how to call a value, and the line that binds it where it is worked out: it is to be worked out once."""
    text = edits.text(node)
    if isinstance(node, ast.Name | ast.Constant):
        return text, []
    return name, [f"{name} = ({text})" if "\n" in text else f"{name} = {text}"]
