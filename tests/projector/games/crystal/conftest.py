"""Test logs of Crystal Factions that are written line by line, with the cards that a test needs."""

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from tabletape.events.vocabulary import Event, vocabulary
from tabletape.events.vocabulary.names import copies
from tabletape.projector.fold.folding import fold
from tabletape.projector.fold.replay import Replay
from tabletape.projector.games import game

NAMES = {"A": "Ann", "B": "Ben", "C": "Cyd", "D": "Dev"}


class LogBuilder:
    """A log with its set-up done. Each player holds the cards in `hands`; all decks are empty, so no card is drawn.

    `own` is the TOML of a designer's own cards.
    """

    def __init__(self, hands: Mapping[str, list[str]], own: str, rulings: dict[str, str]) -> None:
        self.game = game("crystal")
        own_cards = self.game.read_cards(own, "own.toml").library if own else {}
        self.library = {**self.game.cards.library, **own_cards}
        self.lines: list[dict[str, Any]] = []
        players = [{"id": player, "name": NAMES[player]} for player in hands]
        self.add("game.started", game="crystal", edition="2025", id="test", players=players, rulings=rulings)
        for player, cards in hands.items():
            basic = [card for card in cards if self.library[card].faction == "basic"]
            others = [card for card in cards if card not in basic]
            faction = self.library[others[0]].faction if others else "emberforge-syndicate"
            self.add("deck.declared", player=player, faction=faction, cards=others, basic=basic)
        for player in hands:
            self.add("deck.shuffled", player=player, deck="faction", reason="setup")
            self.add("deck.cut", player=player, deck="faction", by=next(other for other in hands if other != player))
        self.add("first-player.chosen", player="A", method="token")
        for player, cards in hands.items():
            ordered = sorted(cards, key=lambda card: self.library[card].faction == "basic")
            names = list(copies(player, tuple(ordered)))
            self.add("starting-hand.drawn", player=player, cards=names)

    def add(self, kind: str, **fields: Any) -> "LogBuilder":
        """Write any line."""
        self.lines.append({"type": kind, **fields})
        return self

    def deploy(self, card: str, lane: str, **fields: Any) -> "LogBuilder":
        """Play a card into a lane, by its owner."""
        return self.add("card.deployed", player=card[0], card=card, lane=lane, **fields)

    def end(self, players: str) -> "LogBuilder":
        """End the deploy turns of these players, one after the other."""
        for player in players:
            self.add("deploy.ended", player=player)
        return self

    @property
    def events(self) -> list[Event]:
        """The events written so far."""
        return [vocabulary("crystal").convert(line) for line in self.lines]

    def replay(self) -> Replay:
        """Return the replay of the log, which nothing may stop."""
        replay = fold(self.game, self.events, library=self.library)
        assert replay.stopped is None, replay.stopped
        return replay

    def table(self) -> Any:
        """Return the table at the end of the log, which must have no findings."""
        replay = self.replay()
        assert replay.findings == []
        return replay.table


Begin = Callable[..., LogBuilder]


@pytest.fixture
def begin() -> Begin:
    """Return a function that begins a log: `begin(A=[cards], B=[cards], own="...", rulings={...})`."""

    def begin_log(own: str = "", rulings: dict[str, str] | None = None, **hands: list[str]) -> LogBuilder:
        return LogBuilder(hands or {"A": [], "B": []}, own, rulings or {})

    return begin_log
