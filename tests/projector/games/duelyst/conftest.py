"""Tables with the units that a test needs, and test logs that are written line by line."""

from collections.abc import Callable
from typing import Any

import pytest

from tabletape.events.vocabulary import Event, vocabulary
from tabletape.events.vocabulary.names import copies
from tabletape.projector.fold.folding import fold
from tabletape.projector.fold.replay import Replay
from tabletape.projector.games import game
from tabletape.projector.games.duelyst.board import create
from tabletape.projector.games.duelyst.state import Duelyst, Tile


@pytest.fixture
def table_with() -> Callable[..., Duelyst]:
    """Return a function that returns a table in Ann's main phase with units on given tiles, under some rulings."""

    def place_units(units: dict[str, Tile], **rulings: str) -> Duelyst:
        replay = begin_log([], rulings=rulings).replay()
        table: Any = replay.table
        assert isinstance(table, Duelyst)
        for name, tile in units.items():
            unit = table.find(name)
            if unit is None or unit.zone.name != "board":
                unit = create(table, name, tile)
            if unit.place != tile:
                table.step_on(unit, tile)
            table.set(unit, "exhausted", False)
        return table

    return place_units


class LogBuilder:
    """A log with its set-up done; the first five cards of each deck are the opening hand."""

    def __init__(self, decks: dict[str, list[str]], generals: dict[str, str], **head: Any) -> None:
        self.lines: list[dict[str, Any]] = []
        players = [{"id": "A", "name": "Ann"}, {"id": "B", "name": "Ben"}]
        head = {"edition": "rulebook", "rulings": {}} | head
        self.add("game.started", game="duelyst", id="due-test", players=players, **head)
        named = {player: list(copies(player, tuple(cards))) for player, cards in decks.items()}
        for player, cards in decks.items():
            self.add("deck.declared", player=player, general=generals[player], cards=cards)
        for player in decks:
            self.add("deck.shuffled", player=player, reason="setup")
        for player in decks:
            self.add("cards.drawn", player=player, cards=named[player][:5])
        if head["rulings"].get("mulligan") != "none":
            for player in decks:
                self.add("mulligan.taken", player=player, returned=[], drawn=[])

    def add(self, kind: str, **fields: Any) -> "LogBuilder":
        """Write any line."""
        self.lines.append({"type": kind, **fields})
        return self

    def turns(self, count: int) -> "LogBuilder":
        """End this many turns in the order of play; the decks have to be empty."""
        ended = sum(line["type"] == "turn.ended" for line in self.lines)
        for number in range(ended, ended + count):
            self.add("turn.ended", player="AB"[number % 2])
        return self

    @property
    def events(self) -> list[Event]:
        """The events written so far."""
        return [vocabulary("duelyst").convert(line) for line in self.lines]

    def replay(self) -> Replay:
        """Return the replay of the log."""
        return fold(game("duelyst"), self.events)

    def broken(self) -> list[str]:
        """Return the rules that the last line breaks, without `duelyst.`; no other line may have a finding."""
        replay = self.replay()
        assert replay.stopped is None
        assert all(finding.seq == len(self.lines) for finding in replay.findings), replay.findings
        return [finding.rule.removeprefix("duelyst.") for finding in replay.findings]


def begin_log(
    hand: list[str],
    other: list[str] | None = None,
    *,
    generals: tuple[str, str] = ("argeon-highmayne", "zirix-starstrider"),
    **head: Any,
) -> LogBuilder:
    """Return a log in which Ann holds `hand` and Ben `other`; both hands are filled up to five with Komodo Chargers."""
    hands = {"A": hand, "B": other or []}
    decks = {player: cards + ["komodo-charger"] * (5 - len(cards)) for player, cards in hands.items()}
    return LogBuilder(decks, dict(zip("AB", generals, strict=True)), **head)


@pytest.fixture
def begin() -> Callable[..., LogBuilder]:
    """Return a function that begins a log (see `begin_log`)."""
    return begin_log
