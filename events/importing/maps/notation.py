"""A foreign file read through a map, as the import sees it: games whose events have the lines they came from."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Final, NamedTuple

import msgspec

from tabletape.events.importing.files.sources import NotALogError
from tabletape.events.importing.games.checks import UNKNOWN
from tabletape.events.importing.games.known_deck import names_said
from tabletape.events.importing.games.notation import Notation
from tabletape.events.importing.lines.text import MendsOfFile
from tabletape.events.importing.maps.derive import Frame, GameDerivation
from tabletape.events.importing.maps.documents.foreign import (
    document_of,
    for_content,
    games_of,
    lines_of,
    records_of,
)
from tabletape.events.importing.maps.documents.prose import numbered_lines, places_of
from tabletape.events.importing.maps.documents.records import Record
from tabletape.events.importing.maps.documents.trees import Tree, in_utf8
from tabletape.events.importing.maps.effort import Effort, EffortError
from tabletape.events.importing.maps.expectations import broken_expectations
from tabletape.events.importing.maps.fates import DerivedGame, LeftOver, LineFate, remarks_on, together
from tabletape.events.importing.maps.map import Map, holes_of
from tabletape.events.importing.maps.matching import Entries
from tabletape.events.importing.maps.move_words import MoveWords
from tabletape.events.importing.maps.proposing.leftover import OpenRecord, kinds_of
from tabletape.events.importing.maps.remembering import remember
from tabletape.events.importing.maps.results.reading import ResultsReader
from tabletape.events.importing.maps.results.rows import GameResult, new_titles
from tabletape.events.importing.maps.schema import Entry
from tabletape.events.importing.maps.seating import SeatedPlayer, players_of, seating_of
from tabletape.events.importing.maps.sentence import Matcher
from tabletape.events.importing.maps.values.captured import KnownCards
from tabletape.events.importing.maps.values.days import day_of_heading
from tabletape.events.importing.maps.values.times import Clock, zone_called
from tabletape.events.importing.quarantine.bad_lines import BadLineError, TakenWordsError
from tabletape.events.log.rows import QuarantinedLine
from tabletape.events.vocabulary import Event, Vocabulary, known_games, vocabulary
from tabletape.events.vocabulary.names import slug_of
from tabletape.events.vocabulary.open_games import TABLETOP, begin, begun, begun_text, open_games
from tabletape.events.vocabulary.shared import GameStarted, NoteAdded, ResultRecorded
from tabletape.events.whole_files import made_folder, write_whole
from tabletape.events.workspace_files import GameFileError

WAY_OUT: Final = "`tabletape map FILE` shows every kind of line and proposes what it means"


class GuessedEvent(NamedTuple):
    """An event of which words were taken for others: what was taken for what."""

    event: Event
    taken: Sequence[str]


NEW_GAME: Final = "{} is new here: its import begins the game, in games/{}.toml"
"""What is said of a game that a sheet names and nobody knew."""

Item = Event | GuessedEvent


class FileReading(NamedTuple):
    """How a file is read: the cards of a game (None: any name is one), the zone of its times, its name, its mends.

    `titles` lead to the games that results may name.
    """

    cards: Callable[[str], Mapping[str, str] | None]
    zone: str = ""
    file: str = "log"
    mends: MendsOfFile = MappingProxyType({})
    titles: Mapping[str, str] = MappingProxyType({})


class MappedLog(Notation):
    """The notation of a foreign file: an item is an event that the map made of a line.

    `entries` are what is left over, by kind, and the games that are not as the map expects; `open` is what of it can be
    mended line by line, `fates` are those of each kind of line, `remarks` what is worth knowing. All are complete when
    every batch was read.
    """

    def __init__(self, name: str, used: Map, content: bytes, reading: FileReading) -> None:
        """Read the records of a file. Raises `ForeignError`, `ZoneError`."""
        self._name = name
        self._reading = reading
        content = in_utf8(content, used.written.encoding)
        self.used = used = for_content(used, Tree(content))
        written = used.written
        formats = [written.dates] if isinstance(written.dates, str) else written.dates
        self._effort = effort = Effort()
        self._records, self._document = ([], None) if written.columns is not None else records_of(used, content, effort)
        # Above times that say no day a heading may say it, of this file more surely than its map does.
        heading = next((each.text for each in self._records[:1] if each.at is None and written.shape == "lines"), "")
        self._day_above = day_of_heading(heading)
        day = self._day_above.isoformat() if self._day_above else written.date
        zone = zone_called(reading.zone or written.zone)
        self._clock = Clock(zone, formats, day, days=written.shape == "results")
        self._content = content
        self._starts = [Matcher(each, None, written.words, effort) for each in used.starts]
        self._entries_for = cache(lambda names: Entries(used, names, effort))
        self.entries: list[QuarantinedLine] = []
        self.open: list[OpenRecord] = []
        self.remarks: list[str] = []
        self.games: list[DerivedGame] = []
        self.begun: dict[str, str] = {}
        self.fates: list[LineFate] = []

    @property
    def format(self) -> str:
        """What is said of how the file was read: by which map, and in which zone."""
        return " ".join(filter(None, ("map", self.used.id, self._reading.zone)))

    def places(self) -> dict[int, str]:
        """Return the place of each row or sentence by its line, as people and programs name it; empty for lines."""
        if self.used.written.prose:
            return places_of(lines_of(self._content))
        rows = self._document.rows(self.used.written.rows) if self._document is not None else ()
        return {line: place for line, place, _ in rows}

    def lines(self) -> dict[int, str]:
        """Return the lines of a text by their numbers, its sentences where it is told in paragraphs; none of rows."""
        if self._document is not None or self.used.written.columns is not None:
            return {}
        return numbered_lines(lines_of(self._content), prose=self.used.written.prose)

    def remember(self, workspace: Path | None) -> None:
        """Keep a copy of the map in the workspace, if there is one, and the files of the games that were begun."""
        if workspace is None:
            return
        remember(workspace, self.used)
        for slug, title in self.begun.items():
            file = workspace / "games" / f"{slug}.toml"
            with made_folder(file.parent):
                write_whole(file, begun_text(title))

    @property
    def steps_left(self) -> int:
        """How many steps are left of those that the lines have brought so far."""
        return self._effort.left

    @property
    def is_without_zone(self) -> bool:
        """Whether a time was left out because nothing says its zone."""
        return self._clock.without_zone

    def events(self) -> Iterator[list[tuple[int, Event]]]:
        """Return the events of one game after the other, each with its line."""
        for batch in self.batches():
            yield [(line, item.event if isinstance(item, GuessedEvent) else item) for line, item in batch]

    def batches(self) -> Iterator[list[tuple[int, Item]]]:
        """Return the same, with what was taken for other words, as the import reads it."""
        if self.used.written.columns is not None:
            yield from self._results()
        else:
            yield from self._games()
        self.remarks += self._clock.left_out()
        if self._clock.of_given_day:
            whose = "first line" if self._day_above else "map"
            self.remarks.append(f"the day is that of the {whose}: {self._day_above or self.used.written.date}")

    # -- actions ---------------------------------------------------------------------------------------------------

    def _games(self) -> Iterator[list[tuple[int, Item]]]:
        written = self.used.written
        words = vocabulary(written.game)
        cards = self._reading.cards(written.game)
        frame = Frame(
            self.used,
            words,
            None if cards is None else KnownCards(cards),
            self._clock,
            self._begins(),
            MoveWords(words, names_said(written.game)),
            self._reading.file,
            self._reading.mends,
            self._effort,
        )
        seated, seating = self._seated(), seating_of(self.used, self._effort)
        left: list[LeftOver] = []
        for number, records in enumerate(games_of(self.used, self._records, self._clock, self._effort), 1):
            opening = self._opening(records)
            game = opening.get("game", written.game)
            used, has_rules = self.used, game != written.game and game not in open_games()
            if has_rules and game in known_games():
                # What the sentences of the map say is of its own game: of another one only what is written exactly.
                used = used._replace(lines=tuple(line for line in used.lines if _fits_every_game(line.entry)))
            if has_rules and not (game in known_games() and any(line.entry.exact for line in used.lines)):
                known = "" if game in known_games() else f", and no file games/{game}.toml says what {game} is"
                message = f"here begins a game of {game}, and this map reads games of {written.game}{known}"
                self._refuse(records, "other-game", message, WAY_OUT)
                continue
            players = players_of(self.used, seated, seating, records, self._effort)
            if not players and number > 1 and written.after_end:
                continue  # What is said behind the last end is no game.
            if not players:
                self._refuse(
                    records, "no-players", "no line says who plays", "mark the sentence that does: seats = true"
                )
                continue
            names = tuple(called for player in players for called in (player.name, *player.aliases))
            own = frame._replace(vocabulary=vocabulary(game))
            entries = Entries(used, names, self._effort) if has_rules else self._entries_for(names)
            derived = GameDerivation(own, players, entries).derive(records)
            self.games.append(derived)
            left += derived.left_over
            if wrong := "; ".join(broken_expectations(written.expect, derived)):
                self._refuse(records, "expectation", f"the game is not as the map expects: {wrong}", WAY_OUT)
                continue
            head = derived.head or self._head(number, players, derived, opening)
            taken = derived.taken
            events = [
                (line, GuessedEvent(event, taken[place]) if place in taken else event)
                for place, (line, event) in enumerate(derived.events)
            ]
            yield [(records[0].line, head), *events]
        self._report(left)
        self.fates = together(game.fates for game in self.games)
        self.remarks += remarks_on(self.fates)

    def _begins(self) -> datetime | None:
        path = self.used.written.begins
        return self._clock.read(self._document.get(self._document.root, path)) if path and self._document else None

    def _seated(self) -> tuple[str, ...]:
        if self._document is None:
            return ()
        document = self._document
        seats = (document.get(document.root, path) for path in self.used.written.seats)
        return tuple(str(name) for name in seats if name)

    def _opening(self, records: Sequence[Record]) -> Mapping[str, str]:
        """Return what the line that a game `starts` with says of it: names that `id` and `edition` may use."""
        captured = (matcher.match(each.text.strip()) for each in records for matcher in self._starts)
        try:
            return next(filter(None, captured), {})
        except EffortError:
            return {}

    def _head(
        self, number: int, players: Sequence[SeatedPlayer], derived: DerivedGame, opening: Mapping[str, str]
    ) -> GameStarted:
        written = self.used.written
        times = [event.at for _, event in derived.events if isinstance(event.at, datetime)]
        edition = _named(written.edition, opening)
        game = opening.get("game", written.game)
        return _started(game, edition, self._id(number, opening), players, times[0] if times else None)

    def _id(self, number: int, opening: Mapping[str, str] = MappingProxyType({})) -> str:
        template = self.used.written.id
        values = {"file": self._reading.file, "n": str(number), **opening}
        of_its_own = {*holes_of(template)} & {"n", *opening}
        named = _named(template, values)
        return named if number == 1 or of_its_own else f"{named}-{number}"

    def _refuse(self, records: Sequence[Record], code: str, message: str, way_out: str) -> None:
        self.entries.append(
            QuarantinedLine(self._name, records[0].line, 0, code, message, way_out, records[0].text.strip())
        )

    def _report(self, left: Sequence[LeftOver]) -> None:
        """Put what is left over into entries, one a kind."""
        players = sorted({player.name for game in self.games for player in game.players})
        cards = sorted({name for game in self.games for name in game.names.learned if len(name) > 2})
        # Of sentences and of the cells of players the number is none that one sees in the file.
        places = self.places() if self.used.written.prose or self.used.written.beside else {}
        for kind in kinds_of(left, players, cards, self._effort):
            lines = "1 line" if len(kind.left) == 1 else f"{len(kind.left)} lines"
            where = f"{places[kind.left[0].record.line]}: " if places else ""
            message = f"{where}{lines} like `{kind.shape}`: {kind.reason or 'no entry of the map fits'}"
            alike = tuple(each.record.key for each in kind.left)
            self.entries.append(QuarantinedLine(self._name, alike[0][0], 0, "unmapped", message, WAY_OUT, alike[0][1]))
            self.open.append(OpenRecord(*alike[0], dict(kind.left[0].fields), alike))

    # -- results ---------------------------------------------------------------------------------------------------

    def _results(self) -> Iterator[list[tuple[int, Item]]]:
        written = self.used.written
        self._document = document_of(self.used, self._content)
        rows = ResultsReader(self._document, written, self._reading.mends, self._effort)
        seen: dict[str, int] = {}
        results = [*rows.games()]
        games = self._games_named(results)
        for result in results:
            known = result.game in games
            slug = games.get(result.game, written.game)
            labels = [result.edition] if known else [result.game, result.edition]
            edition = " ".join(filter(None, labels)) or written.edition
            name = slug_of(result.id) if result.id else self._id(result.number)
            seen[name] = seen.get(name, 0) + 1
            game_id = name if seen[name] == 1 else f"{name}-{seen[name]}"
            try:
                yield [(result.line, event) for event in self._result_events((slug, edition, game_id), result)]
            except msgspec.ValidationError as error:
                rows.leave(result.rows, re.sub(r" - at `\$\.?(.*)`", r" (\1)", str(error)))
        self.remarks += rows.passed_over()
        self.fates = rows.fates()
        for fault in rows.faults:
            self.entries.append(fault.entry(self._name))
            self.open.append(fault.record())

    def _games_named(self, results: Sequence[GameResult]) -> Mapping[str, str]:
        """Return what the log calls the games that results may name; one that a sheet names is begun where it is new.

        Raises `NotALogError` where it cannot be.
        """
        games = {slug: slug for slug in known_games()}
        games |= {slug_of(title): slug for title, slug in self._reading.titles.items() if slug in games}
        if self.used.written.game == TABLETOP.slug and self._document is not None and self._document.is_sheet:
            for title in new_titles(results, games.keys() - begun()).values():
                try:
                    slug = begin(title)
                except GameFileError as error:
                    raise NotALogError("game", str(error), "give it another name, or mend that") from error
                self.begun[slug] = title
                self.remarks.append(NEW_GAME.format(title, slug))
        return games | {slug: slug for slug in self.begun}

    def _result_events(self, what: tuple[str, str, str], result: GameResult) -> Iterator[Event]:
        """Return the events of a result; `what` are game, edition and id."""
        slug = what[0]
        yield _started(*what, result.players, self._clock.read(result.at))
        if result.first:
            yield vocabulary(slug).convert({"type": "first-player.chosen", "player": result.first, "method": "unknown"})
        yield msgspec.convert({"type": "result.recorded", **result.fields}, ResultRecorded, strict=False)
        for said in result.feedback:
            yield vocabulary(slug).convert({"type": "feedback.given", **said})
        if result.note:
            yield NoteAdded(text=result.note)

    # -- what the import asks of a notation ------------------------------------------------------------------------

    @staticmethod
    def decoder(_vocabulary: Vocabulary) -> Callable[[Item], Event]:
        """Return what an item is: an event already. Raises `TakenWordsError` where words of it were guessed."""
        return _decoded

    @staticmethod
    def slug(item: Item) -> str | None:
        """Return the game that an event begins, None for another event."""
        return item.game if isinstance(item, GameStarted) else None

    @staticmethod
    def raw(item: Item) -> str:
        """Return an event as text, for the quarantine."""
        return msgspec.json.encode(item.event if isinstance(item, GuessedEvent) else item).decode()

    @staticmethod
    def diagnose(_item: Item, error: Exception, _vocabulary: Vocabulary) -> tuple[BadLineError, int]:
        """Return why an event cannot be taken."""
        if isinstance(error, BadLineError):
            return error, 0
        return BadLineError("map", (), f"the map makes an event of this line that cannot be taken: {error}"), 0


def _decoded(item: Item) -> Event:
    if isinstance(item, GuessedEvent):
        raise TakenWordsError(item.event, item.taken)
    return item


def _fits_every_game(entry: Entry) -> bool:
    """Return whether an entry says what holds in a game of any kind: who plays, what is no event, what is exact."""
    return entry.exact or ((entry.skip or entry.seats) and not entry.event)


def _named(template: str, known: Mapping[str, str]) -> str:
    """Return a text of the map with the holes filled that something is known for."""
    for name, text in known.items():
        template = template.replace(f"{{{name}}}", text)
    return template


def _started(
    game: str, edition: str, game_id: str, players: Sequence[SeatedPlayer], at: datetime | None
) -> GameStarted:
    """Return the `game.started` of a game."""
    seats = [{"id": each.id, "name": each.name} | ({"deck": each.deck} if each.deck else {}) for each in players]
    fields = {"type": "game.started", "game": game, "edition": edition or UNKNOWN, "id": game_id, "players": seats}
    return msgspec.convert(fields if at is None else fields | {"at": at}, GameStarted)
