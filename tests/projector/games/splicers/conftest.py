"""Test logs of Splicers that are written line by line."""

from collections.abc import Mapping
from typing import Any, Self

import pytest

from tabletape.events.vocabulary import Event, vocabulary
from tabletape.projector.fold.folding import fold
from tabletape.projector.fold.replay import Replay
from tabletape.projector.games import game
from tabletape.projector.model.game import Game

ROW = ("saltglass-shore", "thunder-shelf", "moss-parish", "cinder-steppe")


class LogBuilder:
    """A log with its set-up done: Ann (A) has tidal-archive, Ben (B) vat-parish, Ann begins unless said otherwise.

    Every method writes lines and returns the log itself; most name cards without their owner. `replacing` maps cards of
    the two sample decks and of the row of bioms to the cards that take their places.
    """

    def __init__(  # noqa: PLR0913 - a log begins with all of this
        self,
        ann: tuple[str, ...] = ("reed-heron", "kelp-choir", "undertow-eel", "first-frost", "weather-kite"),
        ben: tuple[str, ...] = ("mire-calf", "kelp-choir", "twin-root-alder", "long-drought"),
        *,
        first: str = "A",
        rulings: Mapping[str, str] | None = None,
        edition: str = "0.2a",
        library: Mapping[str, Any] | None = None,
        replacing: Mapping[str, str] | None = None,
    ) -> None:
        self.library = library
        self.lines: list[dict[str, Any]] = []
        self.add(
            "game.started",
            game="splicers",
            edition=edition,
            id="story",
            players=[{"id": "A", "name": "Ann"}, {"id": "B", "name": "Ben"}],
            rulings=dict(rulings or {}),
        )
        replacing = replacing or {}
        decks = game("splicers").cards.decks
        for player, name in (("A", "tidal-archive"), ("B", "vat-parish")):
            cards = [replacing.get(card, card) for card in decks[name].cards]
            extra = decks[name].extra
            bioms = [replacing.get(biom, biom) for biom in extra["bioms"]]
            self.add("deck.declared", player, splicer=extra["splicer"], bioms=bioms, cards=cards)
        self.add("bioms.placed", row=[replacing.get(place, place) for place in ROW])
        for player, hand in (("A", ann), ("B", ben)):
            self.add("deck.shuffled", player, reason="setup")
            self.add("cards.drawn", player, cards=[f"{player}:{card}" for card in hand], reason="opening-hand")
        self.add("first-player.chosen", first, method="coin")
        for player in (first, "B" if first == "A" else "A"):
            self.add("mulligan.taken", player, returned=[], drawn=[])

    def add(self, kind: str, player: str = "", **fields: Any) -> Self:
        """Write any line."""
        self.lines.append({"type": kind, **({"player": player} if player else {}), **fields})
        return self

    def ends(self, player: str) -> Self:
        """End the turn."""
        return self.add("turn.ended", player)

    def seeds(self, player: str, card: str, biom: str, *, end: bool = True) -> Self:
        """Play a seed, and end the turn."""
        self.add("seed.played", player, card=f"{player}:{card}", biom=biom)
        return self.ends(player) if end else self

    def evolves(self, player: str, card: str, *, end: bool = True, **fields: Any) -> Self:
        """Evolve a ting, and end the turn."""
        self.add("ting.evolved", player, card=f"{player}:{card}", **fields)
        return self.ends(player) if end else self

    def uses(self, player: str, card: str, ability: str, **fields: Any) -> Self:
        """Use an ability."""
        return self.add("ability.used", player, card=f"{player}:{card}", ability=ability, **fields)

    def passes(self, *players: str) -> Self:
        """Pass, one player after the other."""
        for player in players:
            self.add("turn.passed", player)
        return self

    def draws(self, ann: str, ben: str) -> Self:
        """Draw a card for each player at the start of a round; an empty name draws nothing."""
        for player, card in (("A", ann), ("B", ben)):
            self.add("cards.drawn", player, cards=[f"{player}:{card}"] if card else [], reason="round-start")
        return self

    @property
    def events(self) -> list[Event]:
        """The lines as events."""
        return [vocabulary("splicers").convert(line) for line in self.lines]

    def replay(self) -> Replay:
        """Return the replay of the log, which nothing may stop."""
        replay = fold(game("splicers"), self.events, library=self.library)
        assert replay.stopped is None
        return replay

    def clean(self) -> Replay:
        """Return the replay of the log, which must have no findings."""
        replay = self.replay()
        assert [(each.seq, each.rule, each.message) for each in replay.findings] == []
        return replay

    def broken(self) -> list[str]:
        """Return the rules of all findings, without `splicers.`."""
        return [each.rule.removeprefix("splicers.") for each in self.replay().findings]


@pytest.fixture
def begin() -> type[LogBuilder]:
    """Return the class that begins a log (see `LogBuilder`)."""
    return LogBuilder


@pytest.fixture(scope="session")
def splicers() -> Game:
    """Return the game Splicers."""
    return game("splicers")
