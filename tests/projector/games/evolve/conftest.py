"""Test logs of Evolve that are written line by line, with the cards that a test needs."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import pytest

from tabletape.events.vocabulary import Event, vocabulary
from tabletape.events.vocabulary.names import copies
from tabletape.projector.fold.folding import fold
from tabletape.projector.fold.replay import Replay
from tabletape.projector.games import game

CARD_FIELDS = frozenset({"card", "target", "host", "food", "into"})
FILLER = "epulopiscium"


class LogBuilder:
    """A log with its set-up done: both hands are drawn, six Epulopiscium are left in each deck, and Ann (A) begins."""

    def __init__(self, hands: Mapping[str, list[str]], own: str, rulings: dict[str, str]) -> None:
        self.game = game("evolve")
        self.library = {**self.game.cards.library, **self.game.read_cards(own, "own.toml").library}
        self.lines: list[dict[str, Any]] = []
        players = [{"id": "A", "name": "Ann"}, {"id": "B", "name": "Ben"}]
        self.add(
            "game.started", None, game="evolve", edition="forum-draft", id="test", players=players, rulings=rulings
        )
        decks = {player: (*hand, *[FILLER] * 6) for player, hand in hands.items()}
        for player, cards in decks.items():
            self.add("deck.declared", player, cards=list(cards))
        self.add("first-player.chosen", "A", method="coin")
        for player, hand in hands.items():
            names = list(copies(player, decks[player])[: len(hand)])
            self.add("cards.drawn", player, cards=names, reason="opening-hand")

    def add(self, kind: str, player: str | None = None, **fields: Any) -> "LogBuilder":
        """Write any line; a card without an owner is one of the player of the line."""
        line: dict[str, Any] = {"type": kind} | ({"player": player} if player else {})
        for name, value in fields.items():
            lacks_owner = name in CARD_FIELDS and ":" not in value
            line[name] = f"{player}:{value}" if lacks_owner else value
        self.lines.append(line)
        return self

    def turn(self, player: str, number: int, *, reason: str = "turn-start") -> "LogBuilder":
        """Draw the Epulopiscium with this number, by default for the start of the turn."""
        return self.add("cards.drawn", player, cards=[f"{player}:{FILLER}#{number}"], reason=reason)

    def to_second_turn(self) -> "LogBuilder":
        """End Ann's first turn, let Ben draw, discard and end his, and draw for Ann's second turn."""
        self.add("turn.ended", "A").turn("B", 1).add("surplus.discarded", "B", card="nostoc#1")
        return self.add("turn.ended", "B").turn("A", 1)

    @property
    def events(self) -> list[Event]:
        """The events written so far."""
        return [vocabulary("evolve").convert(line) for line in self.lines]

    def replay(self) -> Replay:
        """Return the replay of the log, which nothing may stop."""
        replay = fold(self.game, self.events, library=self.library)
        assert replay.stopped is None, replay.stopped
        return replay

    def table(self) -> Any:
        """Return the table at the end of the log, which must have no findings."""
        replay = self.replay()
        assert not replay.findings, replay.findings
        return replay.table

    def card(self, name: str) -> Any:
        """Return a card of the table at the end of the log."""
        return self.table().find(name)

    def broken(self) -> list[str]:
        """Return the rules that the last line breaks, without `evolve.`; no other line may have a finding."""
        replay = self.replay()
        assert all(finding.seq == len(self.lines) for finding in replay.findings), replay.findings
        return [finding.rule.removeprefix("evolve.") for finding in replay.findings]


@pytest.fixture
def begin() -> Callable[..., LogBuilder]:
    """Return a function that begins a log in which Ann and Ben hold some cards; `own` is the TOML of further cards."""

    def begin_log(ann: Iterable[str] = (), ben: Iterable[str] = (), *, own: str = "", **rulings: str) -> LogBuilder:
        hands = {"A": list(ann), "B": list(ben)}
        filled = {player: cards + ["nostoc"] * (5 - len(cards)) for player, cards in hands.items()}
        return LogBuilder(filled, own, rulings)

    return begin_log
