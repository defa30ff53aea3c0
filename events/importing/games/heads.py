"""The head of a game: the line `game.started`, also as people write it."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final

import msgspec
from msgspec import structs

from tabletape.events.importing.games.checks import UNKNOWN, Checks
from tabletape.events.importing.games.notation import Notation
from tabletape.events.importing.lines.diagnosis import explain
from tabletape.events.importing.lines.lenient_reader import typed
from tabletape.events.importing.lines.text import Fields
from tabletape.events.importing.lines.words import Words, plain
from tabletape.events.importing.maps.values.times import Clock, time_meant
from tabletape.events.importing.quarantine.bad_lines import slip_of, taken_for
from tabletape.events.vocabulary import Event, tag_of, vocabulary
from tabletape.events.vocabulary.open_games import open_games
from tabletape.events.vocabulary.shared import GameStarted

HEAD: Final = "game started"
"""The event type that begins a game, as words are compared."""

SEATS: Final = "ABCDEFGHIJKL"
"""The ids of players whose log gives them none, in the order of their seats."""

_SEPARATOR: Final = re.compile(r"\s*[,;]\s*")
_OPPONENTS: Final = re.compile(r"\s*[&+/\n]\s*|\s+(?:and|vs\.?|und|gegen|et|y)\s+", re.IGNORECASE)


def is_head(text: str) -> bool:
    """Return whether an event type, as it is written, begins a game."""
    return plain(text) == HEAD or slip_of(plain(text), [HEAD]) == HEAD


class GameHeads:
    """Reads the heads of the games of one file; `meant` counts those that are written as people write."""

    def __init__(self, notation: Notation, checks: Checks) -> None:
        self._notation = notation
        self._checks = checks
        self.meant = 0

    def as_mended(self, mend: Fields, slug: str) -> Any:
        """Return the `game.started` of the game `slug` that a line was mended to. Raises as `as_written` does."""
        words = vocabulary(slug)
        return self._as_known(words.convert(head_meant(typed(mend, words), slug, self._checks.clock)), slug)

    def as_written(self, item: Any, slug: str, decode: Callable[[Any], Event]) -> Any:
        """Return the `game.started` of the game `slug` that an item is, or that it means.

        Its edition and rulings are named as the game names them, however they are printed. Raises what `decode`
        raises, and `BadLineError`, where it is none.
        """
        return self._as_known(self._read(item, slug, decode), slug)

    def _read(self, item: Any, slug: str, decode: Callable[[Any], Event]) -> Any:
        try:
            head = decode(item)
        except msgspec.ValidationError:
            fields = self._notation.plain(item, vocabulary(slug))
            if fields is None:
                raise
            meant = head_meant(fields, slug, self._checks.clock)
            try:
                head = vocabulary(slug).convert(meant)
            except msgspec.ValidationError as wrong:
                raise explain(wrong, meant, vocabulary(slug)) from wrong
            self.meant += 1
            return head
        if not isinstance(head, GameStarted):
            return head
        edition = _edition_meant(head.edition, slug)
        self.meant += edition != head.edition
        if (edition, slug) == (head.edition, head.game):
            return head
        return structs.replace(head, game=slug, edition=edition)

    def _as_known(self, head: Any, slug: str) -> Any:
        known = self._checks.about(slug)
        if not known or not isinstance(head, GameStarted):
            return head
        edition = head.edition if head.edition in known.editions else _called(head.edition, known.editions)
        rulings = {_called(key, known.rulings): option for key, option in head.rulings.items()}
        options = {key: _called(option, known.rulings.get(key, ())) for key, option in rulings.items()}
        if (edition, options) == (head.edition, head.rulings) or len(options) < len(head.rulings):
            return head
        return structs.replace(head, edition=edition, rulings=options)

    def misspelled(self, fields: Fields, slug: str, called: str) -> Iterator[str]:
        """Yield what of a head was taken although one letter of it is wrong: its type, what the game is `called`."""
        written = str(fields.get("type", HEAD))
        if plain(written) != HEAD:
            yield taken_for(written, tag_of(GameStarted))
        if not self._checks.is_name_of_game(called):
            yield taken_for(called, slug)


def head_meant(fields: Mapping[str, Any], slug: str, clock: Clock) -> dict[str, Any]:
    """Return the fields of a `game.started` as they were meant: `Ann; Ben` are two players."""
    players = fields.get("players")
    if isinstance(players, str):
        between = _SEPARATOR if _SEPARATOR.search(players) else _OPPONENTS
        names = [each for each in between.split(players.strip()) if each]
        players = names if len(names) > 1 else players
    if isinstance(players, list) and players and all(isinstance(each, str) for each in players):
        players = [{"id": seat, "name": name} for seat, name in zip(SEATS, players, strict=False)]
    rest = {name: value for name, value in fields.items() if name != "at"}
    at = time_meant(fields["at"], clock) if "at" in fields else {}
    if edition := _edition_meant(fields.get("edition") or "", slug):
        rest["edition"] = edition
    return {**rest, "type": "game.started", "game": slug, "players": players, **at}


def _edition_meant(edition: Any, slug: str) -> Any:
    """Return the edition that is said; of a game whose editions are as one likes it is unknown where nobody says it."""
    said = str(edition).strip()
    return UNKNOWN if not said and slug in open_games() else edition


def _called(text: str, names: Iterable[str]) -> str:
    """Return the name that a text is in another form, `At Least` for at_least; the text itself where it is none."""
    called = Words({name: name for name in names}, nouns=("edition", "version")).called(text)
    return str(called) if called is not None else text
