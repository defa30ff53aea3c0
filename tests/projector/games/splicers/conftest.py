"""A shorthand for logs of Splicers: `Story` writes one line after the other, `folded` folds them."""

from collections.abc import Mapping
from typing import Any, Self

import pytest

from events.vocabulary import Event, vocabulary
from projector.fold.folding import fold
from projector.fold.replay import Replay
from projector.games import game
from projector.model.game import Game

ROW = ("saltglass-shore", "thunder-shelf", "moss-parish", "cinder-steppe")


class Story:
    """A log with its set-up done: Ann (A) has tidal-archive, Ben (B) vat-parish, Ann begins unless said otherwise.

    Every method writes lines and gives the story itself; cards are named without their owner.
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
        instead: Mapping[str, str] | None = None,
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
        swap = instead or {}
        decks = game("splicers").cards.decks
        for player, name in (("A", "tidal-archive"), ("B", "vat-parish")):
            cards = [swap.get(card, card) for card in decks[name].cards]
            extra = decks[name].extra
            bioms = [swap.get(biom, biom) for biom in extra["bioms"]]
            self.add("deck.declared", player, splicer=extra["splicer"], bioms=bioms, cards=cards)
        self.add("bioms.placed", row=[swap.get(place, place) for place in ROW])
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
        """Draw for both at the start of a round; an empty name draws nothing."""
        for player, card in (("A", ann), ("B", ben)):
            self.add("cards.drawn", player, cards=[f"{player}:{card}"] if card else [], reason="round-start")
        return self

    @property
    def events(self) -> list[Event]:
        """The lines as events."""
        return [vocabulary("splicers").convert(line) for line in self.lines]

    def folded(self) -> Replay:
        """Fold the log; nothing may stop it."""
        replay = fold(game("splicers"), self.events, library=self.library)
        assert replay.stopped is None
        return replay

    def clean(self) -> Replay:
        """Fold a log in which nobody breaks a rule."""
        replay = self.folded()
        assert [(each.seq, each.rule, each.message) for each in replay.findings] == []
        return replay

    def broken(self) -> list[str]:
        """Fold the log and give the rules that are broken, without the name of the game."""
        return [each.rule.removeprefix("splicers.") for each in self.folded().findings]


@pytest.fixture
def story() -> type[Story]:
    """Return the shorthand for logs."""
    return Story


@pytest.fixture(scope="session")
def splicers() -> Game:
    """Return the game."""
    return game("splicers")
