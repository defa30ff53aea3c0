"""What no stored game has exercised yet: rules, events, cards, keywords and endings, so that a table can test them."""

from collections.abc import Iterable, Iterator, Mapping

import msgspec

from events.vocabulary import tag_of
from projector.fold import Replay, Traced
from projector.game import Game
from projector.table import Card, CardText

WHAT = ("rules", "events", "cards", "keywords", "endings")


class Covered(msgspec.Struct, kw_only=True):
    """What there is of one kind (in the game's order) and what stored games have exercised of it."""

    there_are: tuple[str, ...]
    seen: set[str] = msgspec.field(default_factory=set)

    @property
    def missing(self) -> tuple[str, ...]:
        """What no game has exercised."""
        return tuple(each for each in self.there_are if each not in self.seen)


class Coverage:
    """What the games of one game have exercised, counted game by game with `take`; `library` are its printed cards.

    A rule is exercised when it was at stake, an event type when it was written down or followed from what was, a card
    when a copy left its deck, a keyword when a card that has it did, an ending when a game ended so. Rules that no log
    can show are left out; rules of editions that were not played count as not exercised.
    """

    def __init__(self, game: Game, library: Mapping[str, CardText]) -> None:
        self.game = game
        self.games = 0
        keywords = dict.fromkeys(word for text in library.values() for word in game.keywords(text))
        self.rules = Covered(there_are=tuple(rule.id for rule in game.rules if rule.how != "unchecked"))
        self.events = Covered(there_are=tuple(game.vocabulary.types))
        self.cards = Covered(there_are=tuple(library))
        self.keywords = Covered(there_are=tuple(keywords))
        self.endings = Covered(there_are=game.endings)

    def take(self, replay: Traced) -> None:
        """Count one more game."""
        self.games += 1
        at_stake = zip(self.game.rules, replay.kept, replay.broken, strict=True)
        self.rules.seen.update(rule.id for rule, kept, broken in at_stake if kept or broken)
        derived = (each.event for following in replay.follows.values() for each in following)
        self.events.seen.update(tag_of(kind) for kind in {type(event) for event in (*replay.events, *derived)})
        for text in moved_cards(replay):
            self.cards.seen.add(text.id)
            self.keywords.seen.update(self.game.keywords(text))
        if replay.events and replay.table.over:
            self.endings.seen.add(replay.table.reason)

    def parts(self) -> Iterator[tuple[str, Covered]]:
        """Give each kind of thing with its coverage."""
        return ((name, getattr(self, name)) for name in WHAT)


def moved_cards(replay: Replay) -> Iterable[CardText]:
    """Give the printed cards of which a copy moved from one place to another, once each."""
    if not replay.events:
        return ()
    moved = {
        thing.text.id: thing.text
        for thing, field, before, after in replay.table.journal
        if field == "zone" and isinstance(thing, Card) and thing.text is not None and before[0] is not after[0]
    }
    return moved.values()
