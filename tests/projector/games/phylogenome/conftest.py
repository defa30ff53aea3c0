"""Test logs of PhyloGenome that are written line by line."""

from collections.abc import Callable
from typing import Any

import pytest

from tabletape.events.vocabulary import Event, vocabulary
from tabletape.events.vocabulary.names import copies
from tabletape.projector.fold.folding import fold
from tabletape.projector.fold.replay import Replay
from tabletape.projector.games import game

ANN = ("roundworm", "fruit-fly", "thale-cress", "rice", "human")
BEN = ("malaria-mosquito", "tiger-pufferfish", "honey-bee", "grapevine", "house-mouse")


class LogBuilder:
    """A log with its set-up done: the opening hands are the first five cards of the decks, and Ann begins."""

    def __init__(self, ann: tuple[str, ...] = ANN, ben: tuple[str, ...] = BEN, **rulings: str) -> None:
        self.lines: list[dict[str, Any]] = []
        players = [{"id": "A", "name": "Ann"}, {"id": "B", "name": "Ben"}]
        rulings = {"deck_rules": "free"} | rulings
        self.add("game.started", game="phylogenome", edition="basic", id="phy-test", players=players, rulings=rulings)
        decks = {"A": ann, "B": ben}
        for player, cards in decks.items():
            self.add("deck.declared", player=player, cards=cards)
            self.add("deck.shuffled", player=player, reason="setup")
        for player, cards in decks.items():
            self.add("cards.drawn", player=player, cards=list(copies(player, cards)[:5]))
        self.add("first-player.chosen", player="A", method="coin")

    def add(self, kind: str, **fields: Any) -> "LogBuilder":
        """Write any line."""
        self.lines.append({"type": kind, **fields})
        return self

    def play(self, card: str, x: int, y: int) -> "LogBuilder":
        """Play a Species on a cell, by its owner."""
        return self.add("species.played", player=card[0], card=card, cell=[x, y])

    def column(self, *cards: str) -> "LogBuilder":
        """Play Species in a column below Ann's progress card or above Ben's, and end the turn."""
        player = cards[0][0]
        played = sum(line["type"] == "species.played" and line["player"] == player for line in self.lines)
        for number, card in enumerate(cards, start=played + 1):
            self.play(card, 0, number) if player == "A" else self.play(card, 1, -number)
        return self.end(player)

    def end(self, *players: str) -> "LogBuilder":
        """End the turns of these players, one after the other."""
        for player in players:
            self.add("turn.ended", player=player)
        return self

    @property
    def events(self) -> list[Event]:
        """The events written so far."""
        return [vocabulary("phylogenome").convert(line) for line in self.lines]

    def replay(self, **rulings: str) -> Replay:
        """Return the replay of the log under further rulings; nothing may stop it."""
        replay = fold(game("phylogenome"), self.events, rulings=rulings)
        assert replay.stopped is None
        return replay

    def broken(self) -> list[str]:
        """Return the rules that the last line breaks, without `phylogenome.`; no other line may have a finding."""
        findings = self.replay().findings
        assert all(finding.seq == len(self.lines) for finding in findings), findings
        return [finding.rule.removeprefix("phylogenome.") for finding in findings]


@pytest.fixture
def begin() -> Callable[..., LogBuilder]:
    """Return the class that begins a log (see `LogBuilder`)."""
    return LogBuilder
