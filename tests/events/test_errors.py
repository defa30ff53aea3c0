"""Whatever goes wrong for a reason that a person can do something about has one error above it."""

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[2]
FLOORS: Final = ("events", "projector", "dashboard", "cli", "migrations")
NEVER_LEAVE_THEIR_CALLER: Final = {"ResultFault", "ValueFault", "NewGame", "TakenWordsError", "Refused"}
"""No errors of the program: they say that a line or a workbook is left over, or lead out of a loop."""


def bases_of_classes() -> Iterator[tuple[str, set[str]]]:
    """Yield each class of ours with the names of its bases."""
    for floor in FLOORS:
        for file in sorted((ROOT / floor).rglob("*.py")):
            for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
                if isinstance(node, ast.ClassDef):
                    yield node.name, {ast.unparse(base).rpartition(".")[2] for base in node.bases}


def below(name: str, classes: list[tuple[str, set[str]]]) -> set[str]:
    """Return the names of the classes that descend from one of ours."""
    found = {name}
    while more := {each for each, bases in classes if bases & found} - found:
        found |= more
    return found


def test_every_error_of_ours_is_a_tabletape_error() -> None:
    """Each class that descends from an exception of Python descends from `TabletapeError` too."""
    classes = list(bases_of_classes())
    ours = below("TabletapeError", classes)
    raised = set().union(*(below(each, classes) for each in ("Exception", "BaseException", "ValueError", "TypeError")))
    raised |= {name for name, bases in classes if any(base.endswith("Error") for base in bases)}
    assert {"LogError", "QuestionError", "CardError", "RulesetError", "RefusedError", "AnswerError"} <= ours
    assert raised - ours - NEVER_LEAVE_THEIR_CALLER == {"Exception", "BaseException", "ValueError", "TypeError"}
