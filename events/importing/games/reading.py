"""From lines to games: what every notation (JSON Lines, a sheet) has in common.

Good lines take the fast path through `Reader.read`; everything slow happens only for the others.
"""

import contextlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import chain
from types import MappingProxyType
from typing import Any, Final

import msgspec

from tabletape.events.importing.files.sources import FILE_ERRORS, unforeseen
from tabletape.events.importing.games.checks import Checks
from tabletape.events.importing.games.gaps import NO_HEAD
from tabletape.events.importing.games.heads import HEAD, GameHeads
from tabletape.events.importing.games.notation import Notation, ReadGame
from tabletape.events.importing.games.open_game import GameBeingRead
from tabletape.events.importing.lines.lenient_reader import TAKEN_FOR_COPY
from tabletape.events.importing.lines.pipeline import OUTSIDE_GAME, UNREADABLE, LinePipeline, may_be_meant
from tabletape.events.importing.lines.runs import LineRun
from tabletape.events.importing.lines.text import Fields, MendsOfFile
from tabletape.events.importing.lines.words import plain
from tabletape.events.importing.maps.values.times import time_doubt
from tabletape.events.importing.quarantine.bad_lines import BROKEN_GAME, DOUBTS, BadLineError, TakenWordsError
from tabletape.events.log.hashes import opening_hash
from tabletape.events.log.rows import Chain, QuarantinedLine, UnfitError
from tabletape.events.vocabulary import games, vocabulary
from tabletape.events.vocabulary.shared import FeedbackGiven, MomentMarked, NoteAdded, QuestionRaised

TRUNCATED_CODE: Final = "truncated"
"""The code of an entry for a line in the middle of which the file breaks off: there is no line behind it."""

MAX_COMPLETIONS: Final = 1000
"""For how many lines of a file Tabletape tries out which field they lack."""


class OrphanLines:
    """Lines that belong to no game that can be read: one entry for all of them."""

    def __init__(self, entry: QuarantinedLine) -> None:
        self.entry = entry
        self.more = 0

    def to_entry(self) -> QuarantinedLine:
        """Return the entry, with the count of the lines that were lost with it."""
        if not self.more or self.entry.code == BROKEN_GAME:
            return self.entry
        lines = "line" if self.more == 1 else f"{self.more} lines"
        message = f"{self.entry.message}; the {lines} after it, up to the next game.started, cannot be taken either"
        return self.entry._replace(message=message)


class Reader:
    """Reads the games of one file: `finish` gets each whole game, `reject` each entry for the quarantine."""

    def __init__(
        self,
        name: str,
        notation: Notation,
        checks: Checks,
        finish: Callable[[ReadGame], None],
        reject: Callable[[QuarantinedLine], None],
    ) -> None:
        self._name = name
        self._notation = notation
        self._checks = checks
        self._finish = finish
        self._reject = reject
        self._heads = GameHeads(notation, checks)
        self._open: GameBeingRead | None = None
        self._lost: OrphanLines | None = None
        self._way = OUTSIDE_GAME
        self._mends: MendsOfFile = {}
        self._batches: Iterator[Iterable[tuple[int, Any]]] = iter(())
        self._batch: Iterable[tuple[int, Any]] = ()
        self._meant = 0
        self._completions = 0
        self.lines = 0
        self.mended = 0
        self.separators = 0
        self.close: dict[str, list[int]] = {}
        self._changed: dict[int, str] = {}

    def read(self, mends: MendsOfFile = MappingProxyType({})) -> None:
        """Read the whole file; of the lines that cannot be read those in `mends` are read as they were mended."""
        self._mends = mends
        self._batches = self._notation.batches()
        for batch in self._batches:
            self._batch = batch
            if isinstance(batch, LineRun) and self._take_together(batch):
                continue
            decode, check, add = self._way
            line = self.lines
            needs = self._checks.needs
            for line, item in batch:
                try:
                    event = decode(item)
                    if needs[type(event)]:
                        check(event)
                    add(event)
                except Exception as error:  # noqa: BLE001 - whatever it is, it costs this line and no other
                    self._look_again(line, item, error)
                    decode, check, add = self._way
            self.lines = line
        self.stop()

    def _take_together(self, run: LineRun) -> bool:
        """Take lines of the game in one go; return whether they were taken, otherwise nothing has changed."""
        if self._open is None or self._open.gaps:
            return False
        words = self._open.words
        events = run.events(words)
        if events is None:
            return False
        try:
            self._open.table.check_all(events, self._checks.needs)
        except Exception:  # noqa: BLE001 - which line it is, and what is wrong with it, is found out one by one
            return False
        if not self._open.game.chain.extend(events, partial(run.is_kept_by, words, events)):
            return False
        self.lines += len(events)
        return True

    @property
    def game(self) -> ReadGame | None:
        """The game that is being read."""
        return self._open.game if self._open is not None else None

    @property
    def meant(self) -> int:
        """How many lines were taken that are written as people write."""
        return self._meant + self._heads.meant

    def pass_over_rest(self) -> int:
        """End the game that is being read, and count the lines that are left; return the number of the last."""
        with contextlib.suppress(*FILE_ERRORS):
            for batch in chain([self._batch], self._batches):
                for self.lines, _ in batch:
                    pass
        self.stop()
        return self.lines

    def stop(self) -> None:
        """End the game that is being read: the file goes no further."""
        self._end(self.lines + 1)

    def _look_again(self, line: int, item: Any, error: Exception) -> None:
        """Find out what a line is that could not be taken, and do what is left to do with it."""
        notation = self._notation
        if isinstance(error, TakenWordsError):
            self._take_repaired(line, error.event, error.taken)
            return
        if notation.is_blank(item):
            return
        repaired = notation.repaired(item)
        if repaired is not None:
            self._take_repaired(line, repaired)
        elif self._mends and (line, self._raw(item)) in self._mends:
            self._take_mended(line, item, error)
        elif notation.is_separator(item):
            self.separators += 1
        elif (slug := notation.slug(item)) is not None:
            self._begin(line, item, slug)
        elif self._open is None:
            self._outside(line, item, error)
        elif notation.may_be_head(item):
            # What follows belongs to the game that this line was to begin, not to the one before.
            self._lose(line, item, *self._diagnosed(item, error))
        elif (wrong := self._take_as_meant(self._open, line, item, error)) is not None:
            self._leave_out(self._open, line, item, *self._diagnosed(item, wrong))

    def _leave_out(self, game: GameBeingRead, line: int, item: Any, bad: BadLineError, column: int = 0) -> None:
        """Put a line of the game into quarantine, and know in the game that it is missing."""
        fields = self._fields(item, game)
        kind, gaps = game.type_of(fields), game.gaps
        if bad.code == NO_HEAD or (kind is None and gaps.is_over()):
            self._lose(line, item, bad, column)
            return
        if bad.code in {"missing-field", "unknown-field"} and not bad.suggestion.startswith("did you mean"):
            self._completions += 1
            completed = game.completed(fields) if self._completions <= MAX_COMPLETIONS else ""
            bad.suggestion = completed or bad.suggestion
        if bad.code not in {*DOUBTS, TRUNCATED_CODE}:
            raw = self._raw(item)
            # What is only said has changed nothing at the table; but a line with two types may be two lines.
            said = NoteAdded | QuestionRaised | MomentMarked | FeedbackGiven
            if kind is not None and issubclass(kind, said) and raw.count('"type"') < 2:
                gaps.pass_over()
            else:
                gaps.leave(line, raw)
            self._way = self._way._replace(add=gaps.add)
        self._reject(self._entry(line, item, bad, column))

    def _fields(self, item: Any, game: GameBeingRead) -> Fields:
        """Return the fields of an item that may be broken; empty where it has none."""
        with contextlib.suppress(*UNREADABLE):
            return self._notation.plain(item, game.words) or {}
        return {}

    def _take_as_meant(self, game: GameBeingRead, line: int, item: Any, error: Exception) -> Exception | None:
        """Take a line that is written as people write; return what is wrong with it, None where it was taken."""
        if not may_be_meant(error):
            return error
        wrong = game.take_as_meant(line, self._notation.plain(item, game.words) or {}, error)
        self._meant += wrong is None
        return wrong

    def _take_mended(self, line: int, item: Any, error: Exception) -> None:
        """Take a line as it was mended; it stays in quarantine where that cannot be read either."""
        mend = self._mends[line, self._raw(item)]
        self.mended += 1
        if mend is None:
            return
        if plain(str(mend.get("type", ""))) == HEAD:
            self._begin(line, item, str(mend.get("game", "")), mend)
        elif self._open is None:
            self._outside(line, item, error)
        elif bad := self._open.take_mended(line, mend):
            self._leave_out(self._open, line, item, bad)

    def _take_repaired(self, line: int, item: Any, taken: Sequence[str] = ()) -> None:
        """Take a line once more, in the encoding that it was meant in, or knowing what was `taken` for other words."""
        try:
            event = self._way.decode(item)
            self._way.check(event)
            self._way.add(event)
        except Exception as error:  # noqa: BLE001 - see `read`
            self._look_again(line, item, error)
        else:
            for text in taken:
                self._note_taken(text, line)

    def _outside(self, line: int, item: Any, error: Exception) -> None:
        """Count a line that no game has."""
        if self._lost is not None and not self._notation.may_be_head(item):
            self._lost.more += 1
        else:
            self._lose(line, item, *self._diagnosed(item, error))

    def _diagnosed(self, item: Any, error: Exception, game: str = "") -> tuple[BadLineError, int]:
        """Return why an item cannot be taken, and in which column."""
        if isinstance(error, UnfitError) and self._open is not None:
            error = self._open.table.misfit(error)
        if not game:
            game = self._open.game.head.game if self._open else games()[0]
        try:
            if isinstance(error, UNREADABLE):
                return self._notation.diagnose(item, error, vocabulary(game))
        except Exception as stumble:  # noqa: BLE001 - a line that cannot even be explained
            error = stumble
        defect = unforeseen("line", error)
        return BadLineError(defect.code, (), str(defect), defect.suggestion), 0

    def _begin(self, line: int, item: Any, called: str, mend: Fields | None = None) -> None:
        """Begin a game by its slug or title, as the item says it or as it was mended; or lose it."""
        self._end(line)
        slug = ""
        try:
            slug = self._checks.slug_of(called)
            decode = self._notation.decoder(vocabulary(slug))
            heads = self._heads
            head = heads.as_written(item, slug, decode) if mend is None else heads.as_mended(mend, slug)
            table = self._checks.table(head)
            chain = Chain((seat.id for seat in head.players), 0, opening_hash(head.id))
            try:
                chain.add(head)
            except UnfitError as unfit:
                raise table.misfit(unfit) from unfit
        except Exception as error:  # noqa: BLE001 - see `read`
            self._lose(line, item, *self._diagnosed(item, error, slug))
            return
        self._changed = {}
        game = ReadGame(head, self._name, line, chain, changed=self._changed)
        self._open = GameBeingRead(game, table, self._checks.clock, self._note_taken)
        self._way = LinePipeline(decode, table.check, chain.add)
        fields = self._notation.plain(item, vocabulary(slug)) or {}
        for text in heads.misspelled(fields, slug, called):
            self._note_taken(text, line)
        if mend is None and head.at is msgspec.UNSET and (doubt := time_doubt(fields)):
            self._reject(self._entry(line, item, *self._notation.diagnose(item, doubt, vocabulary(slug))))

    def _note_taken(self, text: str, line: int) -> None:
        """Note what of a line was taken although it is not written quite like what it was taken for."""
        self.close.setdefault(text, []).append(line)
        if self._open is not None and text != TAKEN_FOR_COPY:
            seq = self._open.game.chain.last_seq
            self._changed[seq] = "; ".join(filter(None, (self._changed.get(seq), text)))

    def _lose(self, line: int, item: Any, bad: BadLineError, column: int) -> None:
        """End the game: the next lines belong to none."""
        self._end(line)
        self._lost = OrphanLines(self._entry(line, item, bad, column))

    def _end(self, line: int) -> None:
        """Hand over the game, or the lost lines, that end before a line."""
        ended, self._open = self._open, None
        lost, self._lost = self._lost, None
        self._way = OUTSIDE_GAME
        if ended is not None:
            ended.gaps.close()
            self._finish(ended.game._replace(end=line, gaps=ended.gaps.lines))
        if lost is not None:
            self._reject(lost.to_entry())

    def _entry(self, line: int, item: Any, bad: BadLineError, column: int) -> QuarantinedLine:
        texts = _storable(bad.message), _storable(bad.suggestion), self._raw(item)
        return QuarantinedLine(self._name, line, column, bad.code, *texts)

    def _raw(self, item: Any) -> str:
        return _storable(self._notation.raw(item))


def _storable(text: str) -> str:
    """Return a text as every database takes it: without NUL, without halves of letters."""
    return text.replace("\0", "\ufffd").encode(errors="replace").decode()
