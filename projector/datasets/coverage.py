"""What no stored game has exercised yet: rules, events, cards, keywords and endings, so that a table can test them."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import msgspec

from tabletape.events.rules_file.lines import name_of
from tabletape.events.vocabulary import Event, tag_of
from tabletape.events.vocabulary.names import card_of
from tabletape.events.vocabulary.open_games import open_games
from tabletape.projector.datasets.rows.card_history import sources
from tabletape.projector.fold.replay import Replay
from tabletape.projector.fold.traced import Traced
from tabletape.projector.model.game import Game
from tabletape.projector.model.table import Table
from tabletape.projector.model.things import Card, CardText, Role, Zone

WHAT = ("rules", "events", "cards", "keywords", "endings")

UNTRIED_ROLES: frozenset[Role] = frozenset({"deck", "nowhere"})
"""The roles of the places where a card is in nobody's way."""


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
    when a copy was drawn, played, used, or laid out from the beginning (as a general is), a keyword when a card that
    has it was, an ending when a game ended so. Rules that no log can show are left out, and of a game with a file of
    its own what every table has; rules of editions that were not played count as not exercised.
    """

    def __init__(self, game: Game, library: Mapping[str, CardText]) -> None:
        self.game = game
        self.games = 0
        keywords = dict.fromkeys(word for text in library.values() for word in game.cards.keywords(text))
        own = f"{game.slug}."
        rules = [each.id for each in game.rules if each.how != "unchecked" and each.id.startswith(own)]
        every, is_own = game.vocabulary.types, game.slug in open_games()
        types = [tag for tag, line in every.items() if not is_own or name_of(line)]
        self.rules, self.events = Covered(there_are=tuple(rules)), Covered(there_are=tuple(types))
        self.cards = Covered(there_are=tuple(library))
        self.keywords = Covered(there_are=tuple(keywords))
        self.endings = Covered(there_are=game.endings)

    def take(self, replay: Traced) -> None:
        """Count one more game."""
        self.games += 1
        at_stake = zip(self.game.rules, replay.kept, replay.broken, strict=True)
        self.rules.seen.update(rule.id for rule, times_kept, broken in at_stake if times_kept or broken)
        derived = (each.event for following in replay.follows.values() for each in following)
        happened = (*replay.events, *derived)
        self.events.seen.update(tag_of(kind) for kind in {type(event) for event in happened})
        for text in exercised_cards(replay, happened):
            self.cards.seen.add(text.id)
            self.keywords.seen.update(self.game.cards.keywords(text))
        if replay.events and replay.table.over:
            self.endings.seen.add(replay.table.reason)

    def parts(self) -> Iterator[tuple[str, Covered]]:
        """Return each kind of thing with its coverage."""
        return ((name, getattr(self, name)) for name in WHAT)


def exercised_cards(replay: Replay, events: Iterable[Event]) -> Iterable[CardText]:
    """Return the printed cards of which a copy was ever anywhere but in a deck, or did something in `events`."""
    if not replay.events:
        return ()
    printed = [thing.text for thing, zone in _stays(replay.table) if zone.role not in UNTRIED_ROLES]
    printed += [replay.library.get(card_of(source)) for source in sources(events)]
    return {text.id: text for text in printed if text is not None}.values()


def _stays(table: Table[Any, Any]) -> Iterator[tuple[Card, Zone]]:
    """Return every place where a card of a table has been since the game began, in no order."""
    yield from ((card, card.zone) for card in table.cards.values())
    for thing, field, before, after in table.journal:
        if field == "zone" and isinstance(thing, Card):
            yield from ((thing, zone) for zone, _ in (before, after))
