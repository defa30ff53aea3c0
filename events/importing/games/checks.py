"""What is checked in an import: the heads of its games, and at each table who sits there and which cards there are.

Nothing here looks at the rules of a game: a card that may not be played is a finding of the audit, a card that does
not exist cannot be read.
"""

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, Final

from msgspec import UNSET

from tabletape.events.importing.games.known_deck import known_deck
from tabletape.events.importing.games.table import TableNames
from tabletape.events.importing.lines.kinds import Needs
from tabletape.events.importing.maps.values.times import Clock, zone_called
from tabletape.events.importing.quarantine.bad_lines import BadLineError, BrokenGameError, did_you_mean, slip_of
from tabletape.events.importing.report import Known
from tabletape.events.log.rows import CardTexts
from tabletape.events.vocabulary import UnknownGameError, game_problems, known_games
from tabletape.events.vocabulary.shared import GameStarted, overlong
from tabletape.events.workspace_files import GameFileError

UNKNOWN: Final = "unknown"
"""The edition of a game of which nobody says it."""


class Checks:
    """The checks of one import; what is fine in one game is remembered for the next."""

    def __init__(
        self, known: Callable[[str], Known] | None, zone: str = "", titles: Mapping[str, str] | None = None
    ) -> None:
        """Check against what is `known`; `zone` is that of times without one, `titles` lead to the games."""
        self.clock = Clock(zone_called(zone))
        self.titles = titles or {}
        self._known = cache(known) if known else None
        self._fine: dict[tuple[str, frozenset[str]], set[Any]] = {}
        self.needs = Needs(cards=known is not None)
        self._refused: dict[str, None] = {}
        self._said: set[str] = set()

    def table(self, head: GameStarted) -> TableNames:
        """Return the checks of a game that begins.

        Raises `BadLineError` where its head has no id, a name that is too long, seats nobody or the same player twice,
        or names an unknown ruling, or where only the events of the game are known.
        """
        for name in ("id", "edition"):
            if not _is_name(getattr(head, name)):
                raise BadLineError(
                    "wrong-id", (name,), f"`{name}` needs a text of letters and signs that can be printed"
                )
        if long := overlong(head):
            raise BadLineError("too-long", long[:1], long[1])
        seats = [seat.id for seat in head.players]
        if not seats or len(set(seats)) < len(seats) or not all(map(_is_name, seats)):
            sitting = ", ".join(seats) or "nobody"
            raise BadLineError(
                "wrong-players", ("players",), f"each player needs an id of their own; here sit: {sitting}"
            )
        known = self.about(head.game)
        if known:
            _check_rulings(head, known)
            self._refused |= dict.fromkeys(known.refused)
        key = (head.game, frozenset(seats))
        names = {seat.id: seat.name for seat in head.players}
        deck = known_deck(head.game, {name: seat for seat, name in names.items()})
        return TableNames(names, known, self._fine.setdefault(key, {UNSET, None}), deck)

    def card_texts(self, game: str) -> CardTexts | None:
        """Return the card texts that are kept with a game, where they are known."""
        known = self.about(game)
        return known.card_texts if known else None

    def refused_cards(self) -> list[str]:
        """Return what is wrong with cards of the games that were read so far, once an import."""
        new = [text for text in self._refused if text not in self._said]
        self._said.update(new)
        return [f"{text}; until that is mended no file knows it" for text in new]

    def edition(self, head: GameStarted) -> str:
        """Return the problem of a head of unknown edition, which can be read all the same; empty where it is."""
        known = self.about(head.game)
        if not known or not known.editions or head.edition in known.editions:
            return ""
        if head.edition == UNKNOWN:
            return f"the log names no edition of {head.game}; it is read as {known.editions[0]}"
        message = (
            f"the log names the edition {head.edition} of {head.game}, which Tabletape does not know; "
            f"it is read as {known.editions[0]}"
        )
        return "; ".join(filter(None, (message, did_you_mean(head.edition, known.editions))))

    def slug_of(self, called: str) -> str:
        """Return the slug of a game that a log calls by it or by its title, also with one slip of typing.

        Raises `BadLineError` where there is no such game, `BrokenGameError` where its description cannot be used.
        """
        known, title = known_games(), called.strip().casefold()
        slug = self.titles.get(title, called)
        if slug in known:
            return slug
        slugs = {each: each for each in known} | {name: each for name, each in self.titles.items() if each in known}
        if problem := game_problems().get(slug):
            raise BrokenGameError(problem)
        if near := slip_of(title, slugs):
            return slugs[near]
        message = f"there is no game called `{slug}`; the games are {', '.join(known)}"
        raise BadLineError("unknown-game", ("game",), message, did_you_mean(slug, known))

    def is_name_of_game(self, called: str) -> bool:
        """Return whether a game is called so, letter by letter, by its slug or its title."""
        return called in known_games() or called.strip().casefold() in self.titles

    def cards(self, game: str) -> Mapping[str, str] | None:
        """Return the cards of a game by the names that a map may find in a line; None where any name is a card."""
        known = self.about(game)
        return None if known is None else known.ids

    def about(self, game: str) -> Known | None:
        """Return what is known about a game, None where nothing is.

        Raises `BadLineError` where it has no rules, `BrokenGameError` where its cards cannot be read.
        """
        try:
            return self._known(game) if self._known else None
        except UnknownGameError as error:
            slug, known = error.args
            message = f"{slug} has a vocabulary, but no rules here; the games with rules are {', '.join(known)}"
            raise BadLineError("unknown-game", ("game",), message, did_you_mean(slug, known)) from error
        except GameFileError as error:
            raise BrokenGameError(str(error)) from error


def _is_name(text: str) -> bool:
    return bool(text.strip()) and text.isprintable()


def _check_rulings(head: GameStarted, known: Known) -> None:
    for key, option in head.rulings.items():
        options = known.rulings.get(key)
        if options is None:
            message = f"{head.game} has no ruling `{key}`; there are {', '.join(known.rulings) or 'none'}"
            suggestion = did_you_mean(key, known.rulings)
            raise BadLineError("unknown-ruling", ("rulings", key), message, suggestion, at_key=True)
        if option not in options:
            message = f"the ruling `{key}` has no option `{option}`; there are {', '.join(options)}"
            raise BadLineError("unknown-ruling", ("rulings", key), message, did_you_mean(option, options))
