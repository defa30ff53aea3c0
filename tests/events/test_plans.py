"""msgspec makes the plan of no type in several threads at once: whatever is read from outside is planned."""

import ast
import importlib
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any, Final, get_args

import pytest

import tabletape.events
from tabletape.events.plans import PLANNED_TYPES
from tabletape.events.vocabulary import known_games
from tabletape.projector.games import game

FLOORS: Final = ("events", "projector", "cli", "dashboard")
ROOT: Final = Path(tabletape.events.__file__).parent.parent
SEVERAL: Final = {
    "union": "the plan of a vocabulary is made with its decoder",
    "template.event_type": "an event type of a vocabulary",
    "PARTS[part]": "each of them stands in the file of the tables",
    "kind": "one of two tables of a move, or what `planned` itself was given",
    "planned(text_type)": "the card text of a game, planned where a card file is read",
}
"""What is read by a type that is known only then, and why its plan is made."""


def _read(tree: ast.AST) -> Iterator[ast.expr]:
    """Yield the types by which a module has msgspec read something."""
    for each in ast.walk(tree):
        if isinstance(each, ast.Call) and isinstance(each.func, ast.Attribute):
            owner = ast.unparse(each.func.value)
            if (owner, each.func.attr) == ("msgspec", "convert"):
                yield each.args[1]
            elif owner in {"msgspec.json", "msgspec.toml", "msgspec.msgpack"}:
                yield from (named.value for named in each.keywords if named.arg == "type")
                yield from each.args[:1] if each.func.attr == "Decoder" else ()


def _types(kind: Any) -> Iterator[type]:
    """Yield the types of which msgspec makes a plan, in a type that may be a list or a table of them."""
    if isinstance(kind, type) and kind.__module__.startswith("tabletape"):
        yield kind
    for part in get_args(kind):
        yield from _types(part)


def _modules() -> Iterator[tuple[Path, ModuleType, ast.Module]]:
    for floor in FLOORS:
        for file in sorted((ROOT / floor).rglob("*.py")):
            tree = ast.parse(file.read_text(encoding="utf-8"))
            if any(_read(tree)):
                name = ".".join(file.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
                yield file, importlib.import_module(f"tabletape.{name}"), tree


def test_each_type_that_is_read_is_planned() -> None:
    """The types stand in the source: those that a module names are planned when it is loaded."""
    found = 0
    for file, module, tree in _modules():
        for each in _read(tree):
            text = ast.unparse(each).removeprefix("self.")
            if text in SEVERAL:
                continue
            for kind in _types(eval(text, vars(module))):  # noqa: S307 - our own source
                found += 1
                assert kind in PLANNED_TYPES, f"{file}: {kind.__name__} is read, and not planned"
    assert found > 25


@pytest.mark.parametrize("slug", known_games())
def test_the_cards_of_each_game_are_planned(slug: str) -> None:
    """Card texts are planned when the cards of a game are read."""
    assert {type(each) for each in game(slug).cards.library.values()} <= PLANNED_TYPES
