"""What follows from the moves of a game's chapters: the tests of a line, what it does, and what is offered."""

import ast
from collections.abc import Iterator
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from tabletape.events.games import crystal as ev
from tabletape.events.vocabulary.shared import Seat
from tabletape.projector.games import built_in_games, game, package_of
from tabletape.projector.kit.moves import Move, moves_of, offered, play_of, rows_of
from tabletape.projector.model.legality import keeps_all
from tabletape.projector.model.rules import Rule, Section
from tabletape.projector.model.table import Table

PACKAGE = Path(__file__).parents[2] / ".package"
SEATS = [Seat(id="A", name="Ann"), Seat(id="B", name="Ben")]
DONE = ev.DeployEnded(player="A")
DRAW = ev.CardsDrawn(player="A", from_="basic", cards=("A:spark",))


@pytest.fixture
def table() -> Table[Any, Any]:
    """Return a table of Crystal Factions before its first line."""
    one = game("crystal")
    return one.opening(SEATS, one.rulebook.ruleset("2025", {}), one.cards.library)


def chapter(*moves: Move) -> ModuleType:
    """Return a chapter that declares moves."""
    module = ModuleType("chapter")
    module.MOVES = moves  # type: ignore[attr-defined]  # a module has whatever it declares
    return module


def broken(_table: Any, _event: Any) -> str:
    """Return a verdict that breaks the rule, for any line."""
    return "never"


def may_end(_table: Any, player: str) -> Iterator[ev.DeployEnded]:
    """Yield the end of a player's part."""
    yield ev.DeployEnded(player=player)


def may_draw(_table: Any, player: str) -> Iterator[ev.CardsDrawn]:
    """Yield two draws."""
    for deck in ("basic", "faction"):
        yield ev.CardsDrawn(player=player, from_=deck, count=1)


def drawn(table: Any, _event: ev.CardsDrawn) -> None:
    """Note that a card is drawn."""
    table.drawn = True


NEVER = Rule(id="crystal.never", section="", lines="", text="Never.", check=broken)


def test_what_is_offered_comes_in_the_order_of_the_chapters(table: Table[Any, Any]) -> None:
    """Each chapter offers its moves behind those of earlier ones; one without moves or offers offers nothing."""
    moves = moves_of(
        ModuleType("empty"),
        chapter(Move(line=ev.CardsDrawn, offers=may_draw), Move(line=ev.DeckCut)),
        chapter(Move(line=ev.DeployEnded, offers=may_end)),
    )
    assert [*offered(moves, table, "A")] == [*may_draw(table, "A"), DONE]


def test_a_line_has_the_tests_and_the_effect_of_its_move(table: Any) -> None:
    """A move without tests has no row, one that does nothing is not carried out."""
    moves = (Move(line=ev.CardsDrawn, does=drawn), Move(line=ev.DeployEnded, needs=(NEVER,)))
    assert rows_of(moves) == {ev.DeployEnded: (NEVER,)}
    assert [*play_of(moves)] == [ev.CardsDrawn]
    play_of(moves)[ev.CardsDrawn](table, DRAW)
    assert table.drawn


def test_a_usual_line_keeps_the_rules_of_its_move_without_the_tests(table: Table[Any, Any]) -> None:
    """Only a line that is not usual is put to the tests."""
    kept = Section("").declare("crystal.kept", "", "Kept.")
    move = Move(line=ev.DeployEnded, needs=(NEVER,), is_usual=lambda _table, event: event.player == "A", keeps=(kept,))
    row = rows_of((move,))[ev.DeployEnded]
    assert keeps_all(row, table, DONE)
    assert not keeps_all(row, table, ev.DeployEnded(player="B"))


def test_two_moves_of_one_line_are_refused() -> None:
    """Only one of them would hold, so that the rules of the other would be lost silently."""
    with pytest.raises(ValueError, match=r"^moves declared twice: deploy\.ended$"):
        moves_of(chapter(Move(line=ev.DeployEnded, needs=(NEVER,))), chapter(Move(line=ev.DeployEnded)))


def _is_there(slug: str, name: str) -> bool:
    return find_spec(f"{package_of(slug)}.{name}") is not None


def chapters_used(chapter: ModuleType, home: str) -> set[str]:
    """Return the names of the modules in the folder `home` that a chapter imports, or imports something from."""
    used = set()
    source = PACKAGE.joinpath(*chapter.__name__.split(".")).with_suffix(".py")
    for node in ast.walk(ast.parse(source.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module == home:
            used |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and str(node.module).startswith(f"{home}."):
            used.add(str(node.module).removeprefix(f"{home}."))
    return used


@pytest.mark.parametrize(
    "module",
    [f"{package_of(slug)}.{name}" for slug in built_in_games() for name in ("moves", "turn") if _is_there(slug, name)],
)
def test_a_chapter_needs_no_later_chapter(module: str) -> None:
    """Whoever reads the chapters of a game in their order has read what each of them builds on."""
    chapters = import_module(module).CHAPTERS
    names = [chapter.__name__.rpartition(".")[2] for chapter in chapters]
    for place, one in enumerate(chapters):
        assert not chapters_used(one, f"{module.rpartition('.')[0]}.chapters") & set(names[place:]), names[place]


@pytest.mark.parametrize("slug", built_in_games())
def test_only_tables_write_to_their_journal(slug: str) -> None:
    """Whatever a rule changes it changes by a verb of the table, which stores and records it in one place."""
    modules = [file for file in PACKAGE.joinpath(*package_of(slug).split(".")).rglob("*.py") if file.name != "state.py"]
    assert modules
    assert [file.name for file in modules if "journal.append" in file.read_text(encoding="utf-8")] == []
