"""A game of Evolve that is written line by line, with the cards that a test needs."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import pytest

from events.names import copies
from events.vocabulary import Event, vocabulary
from projector.fold.folding import fold
from projector.fold.replay import Replay
from projector.games import game

CARD_FIELDS = frozenset({"card", "target", "host", "food", "into"})
FILLER = "epulopiscium"


class Written:
    """A game as a log. Ann (A) begins; both hold their hands, and six Epulopiscium lie in each deck."""

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

    def add(self, kind: str, player: str | None = None, **fields: Any) -> "Written":
        """Write a line; a card without an owner belongs to the player of the line."""
        line: dict[str, Any] = {"type": kind} | ({"player": player} if player else {})
        for name, value in fields.items():
            own = name in CARD_FIELDS and ":" not in value
            line[name] = f"{player}:{value}" if own else value
        self.lines.append(line)
        return self

    def turn(self, player: str, number: int, *, reason: str = "turn-start") -> "Written":
        """Draw the next Epulopiscium for a player."""
        return self.add("cards.drawn", player, cards=[f"{player}:{FILLER}#{number}"], reason=reason)

    @property
    def events(self) -> list[Event]:
        """The events written so far."""
        return [vocabulary("evolve").convert(line) for line in self.lines]

    def replay(self) -> Replay:
        """Fold what was written so far; nothing may stop it."""
        replay = fold(self.game, self.events, library=self.library)
        assert replay.stopped is None, replay.stopped
        return replay

    def table(self) -> Any:
        """Return the table in the end; no line may break a rule."""
        replay = self.replay()
        assert not replay.findings, replay.findings
        return replay.table

    def card(self, name: str) -> Any:
        """Return a card on the table in the end."""
        return self.table().find(name)

    def broken(self) -> list[str]:
        """Return the rules that the last line breaks, without `evolve.`; no other line may break one."""
        replay = self.replay()
        assert all(finding.seq == len(self.lines) for finding in replay.findings), replay.findings
        return [finding.rule.removeprefix("evolve.") for finding in replay.findings]


@pytest.fixture
def begin() -> Callable[..., Written]:
    """Return a function that begins a game in which Ann and Ben hold the given cards; `own` is TOML of more cards."""

    def began(ann: Iterable[str] = (), ben: Iterable[str] = (), *, own: str = "", **rulings: str) -> Written:
        hands = {"A": list(ann), "B": list(ben)}
        filled = {player: cards + ["nostoc"] * (5 - len(cards)) for player, cards in hands.items()}
        return Written(filled, own, rulings)

    return began
