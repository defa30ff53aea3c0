"""A board that is laid as a test needs it, and a game that is written line by line."""

from collections.abc import Callable
from typing import Any

import pytest

from events.names import copies
from events.vocabulary import Event, vocabulary
from projector.fold.folding import fold
from projector.fold.replay import Replay
from projector.games import game
from projector.games.duelyst.board import create, step_on
from projector.games.duelyst.state import Duelyst, Tile


@pytest.fixture
def lay() -> Callable[..., Duelyst]:
    """Return a function that lays units on their tiles under some rulings; it is Ann's main phase."""

    def laid(units: dict[str, Tile], **rulings: str) -> Duelyst:
        replay = written([], rulings=rulings).replay()
        found: Any = replay.table
        assert isinstance(found, Duelyst)
        for name, tile in units.items():
            unit = found.find(name)
            if unit is None or unit.zone.name != "board":
                unit = create(found, name, tile)
            if unit.place != tile:
                step_on(found, unit, tile)
            found.set(unit, "exhausted", False)
        return found

    return laid


class Written:
    """A game as a log; hands and decks are what a test needs, all five cards of a deck are in the hand at once."""

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

    def add(self, kind: str, **fields: Any) -> "Written":
        """Write a line."""
        self.lines.append({"type": kind, **fields})
        return self

    def turns(self, count: int) -> "Written":
        """End as many turns, whoever's they are; for games with empty decks."""
        ended = sum(line["type"] == "turn.ended" for line in self.lines)
        for number in range(ended, ended + count):
            self.add("turn.ended", player="AB"[number % 2])
        return self

    @property
    def events(self) -> list[Event]:
        """The events written so far."""
        return [vocabulary("duelyst").convert(line) for line in self.lines]

    def replay(self) -> Replay:
        """Fold what was written so far."""
        return fold(game("duelyst"), self.events)

    def broken(self) -> list[str]:
        """Return the rules that the last line breaks, without `duelyst.`; no other line may break one."""
        replay = self.replay()
        assert replay.stopped is None
        assert all(finding.seq == len(self.lines) for finding in replay.findings), replay.findings
        return [finding.rule.removeprefix("duelyst.") for finding in replay.findings]


def written(
    hand: list[str],
    other: list[str] | None = None,
    *,
    generals: tuple[str, str] = ("argeon-highmayne", "zirix-starstrider"),
    **head: Any,
) -> Written:
    """Begin a game in which Ann has a hand and Ben another; both are filled up to five with Komodo Chargers."""
    hands = {"A": hand, "B": other or []}
    decks = {player: cards + ["komodo-charger"] * (5 - len(cards)) for player, cards in hands.items()}
    return Written(decks, dict(zip("AB", generals, strict=True)), **head)


@pytest.fixture
def begin() -> Callable[..., Written]:
    """Return a function that begins a game (see `written`)."""
    return written
