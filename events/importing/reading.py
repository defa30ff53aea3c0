"""From lines to games: what every notation (JSON Lines, a sheet) has in common.

Good lines take the short way through `Reader.read`; everything that is slow happens only for lines that are not good.
"""

import contextlib
from collections.abc import Callable, Mapping
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

import msgspec

from events.hashes import opening_hash
from events.importing.bad_lines import DOUBTS, BadLineError, DoubtError
from events.importing.checks import Checks
from events.importing.completing import completed
from events.importing.copies import Copies
from events.importing.diagnosis import explain
from events.importing.forgiving import Forgiving, head_meant, time_doubt, type_or_slip, typed
from events.importing.gaps import NO_HEAD, Gaps, OrphanLines
from events.importing.line_text import Fields, MendsOfFile
from events.importing.notation import Notation, ReadGame
from events.importing.pipeline import OUTSIDE_GAME, UNREADABLE, LinePipeline, may_be_meant
from events.importing.runs import LineRun
from events.importing.sources import unforeseen
from events.importing.words import plain
from events.log_rows import Chain, QuarantinedLine, UnfitError
from events.shared import DeckDeclared, GameStarted, NoteAdded, QuestionRaised
from events.vocabulary import Event, Vocabulary, games, vocabulary

if TYPE_CHECKING:
    from events.importing.table import Table

TRUNCATED: Final = "truncated"
"""The code of an entry for a line in the middle of which the file breaks off: there is no line behind it."""

MAX_COMPLETIONS: Final = 1000
"""For so many lines of a file it is tried out what they lack."""

WHICH_COPY: Final = "which-copy"
"""The code of an entry for a line that does not say which copy of a card it means."""

_TAKEN: Final = Exception("the line was taken")
"""Stands for an error that is none any more."""


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
        self._game: ReadGame | None = None
        self._lost: OrphanLines | None = None
        self._way = OUTSIDE_GAME
        self._forgiving: Forgiving | None = None
        self._table: Table | None = None
        self._gaps: Gaps | None = None
        self.lines = 0
        self.meant = 0
        self.mended = 0
        self._mends: MendsOfFile = {}
        self.close: dict[str, list[int]] = {}
        self.separators = 0
        self._completions = 0
        self._has_open_copies = False

    def read(self, mends: MendsOfFile = MappingProxyType({})) -> None:
        """Read the whole file; of the lines that cannot be read those in `mends` are read as they were mended."""
        self._mends = mends
        for batch in self._notation.batches():
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
        if self._game is None or self._table is None or self._gaps:
            return False
        words = vocabulary(self._game.head.game)
        events = run.events(words)
        if events is None:
            return False
        try:
            self._table.check_all(events, self._checks.needs)
        except Exception:  # noqa: BLE001 - which line it is, and what is wrong with it, is found out one by one
            return False
        if not self._game.chain.extend(events, partial(run.is_kept_by, words, events)):
            return False
        self.lines += len(events)
        return True

    @property
    def game(self) -> ReadGame | None:
        """The game that is being read."""
        return self._game

    def stop(self) -> None:
        """End the game that is being read: the file goes no further."""
        self._end(self.lines + 1)

    def _look_again(self, line: int, item: Any, error: Exception) -> None:
        """Find out what a line is that could not be taken."""
        notation = self._notation
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
        elif self._game is None:
            self._outside(line, item, error)
        elif notation.may_be_head(item):
            # What follows belongs to the game that this line was to begin, not to the one before.
            self._lose(line, item, *self._diagnosed(item, error))
        elif (wrong := self._take_as_meant(line, item, error)) is not _TAKEN:
            self._leave_out(line, item, *self._diagnosed(item, wrong))

    def _leave_out(self, line: int, item: Any, bad: BadLineError, column: int) -> None:
        """Put a line of the game into quarantine, and know in the game that it is missing."""
        kind, gaps = self._type_of(item), self._gaps
        if gaps is None or bad.code == NO_HEAD or (kind is None and gaps.is_over()):
            self._lose(line, item, bad, column)
            return
        if bad.code in {"missing-field", "unknown-field"} and not bad.suggestion.startswith("did you mean"):
            bad.suggestion = self._completed(item) or bad.suggestion
        if bad.code not in {*DOUBTS, TRUNCATED}:
            raw = self._raw(item)
            # What is only said has changed nothing at the table; but a line with two types may be two lines.
            if kind is not None and issubclass(kind, NoteAdded | QuestionRaised) and raw.count('"type"') < 2:
                gaps.pass_over()
            else:
                gaps.leave(line, raw)
            self._way = self._way._replace(add=gaps.add)
        self._reject(self._entry(line, item, bad, column))

    def _completed(self, item: Any) -> str:
        """Return what a line that lacks something was probably meant to say, as a suggestion."""
        self._completions += 1
        if self._game is None or self._forgiving is None or self._completions > MAX_COMPLETIONS:
            return ""
        words, check, meant = vocabulary(self._game.head.game), self._way.check, self._forgiving.meant
        with contextlib.suppress(*UNREADABLE):
            fields = self._notation.plain(item, words)
            with self._copies.tried(keep=False):
                return completed(fields, words, lambda one: check(words.convert(meant(one) or one))) if fields else ""
        return ""

    def _type_of(self, item: Any) -> type[Event] | None:
        """Return the type of an event that cannot be read, None where not even that can."""
        if self._game is None:
            return None
        words = vocabulary(self._game.head.game)
        with contextlib.suppress(BadLineError):
            tag = type_or_slip(str((self._notation.plain(item, words) or {}).get("type", "")), words)
            return words.types[tag] if tag else None
        return None

    def _take_as_meant(self, line: int, item: Any, error: Exception) -> Exception:
        """Take a line that is written as people write; return what is wrong with it, `_TAKEN` where nothing is."""
        if self._game is None or self._forgiving is None or not may_be_meant(error):
            return error
        words = vocabulary(self._game.head.game)
        fields = self._notation.plain(item, words) or {}
        meant = None
        try:
            with self._copies.tried(keep=True):
                meant = self._meant(fields, self._forgiving)
                if meant is None:
                    return error
                self._add_meant(line, meant, words, self._forgiving)
        except (BadLineError, UnfitError) as wrong:
            # What is wrong is what is wrong behind the way in which the line is written.
            return wrong
        except msgspec.ValidationError as wrong:
            return error if meant == fields else explain(wrong, meant, words)
        except Exception:  # noqa: BLE001 - then the line is what it was
            return error
        self.meant += 1
        return _TAKEN

    @property
    def _copies(self) -> Copies:
        return self._table.copies if self._table is not None else Copies()

    def _meant(self, fields: Mapping[str, Any], reader: Forgiving) -> dict[str, Any] | None:
        """Return the fields of a line as they were meant behind the lines so far, None for an unknown type."""
        if self._game is not None:
            self._copies.note_all(self._game.chain.rows)
        return reader.meant(fields)

    def _require_copies(self) -> None:
        """Raise `BadLineError` for the first line of a game that does not say which of several copies it means.

        Behind the gap that it leaves nobody is accused: there one is taken in the order of the lines.
        """
        question, self._copies.open = self._copies.open, ""
        if question and not self._has_open_copies:
            self._has_open_copies = True
            raise BadLineError(WHICH_COPY, (), question, self._copies.way_out)

    def _add_meant(self, line: int, meant: Mapping[str, Any], words: Vocabulary, reader: Forgiving) -> None:
        """Add the event of fields that `reader` has read as they were meant. Raises whatever is wrong with it.

        Raises `DoubtError` where the event was added, and somebody is to be asked about it.
        """
        event = words.convert(meant)
        doubt = reader.doubt
        try:
            self._way.check(event)
        except DoubtError as found:
            doubt = found
            self._declare(event)
        self._require_copies()
        self._way.add(event)
        for text in reader.close:
            self.close.setdefault(text, []).append(line)
        if doubt is not None:
            raise doubt

    def _declare(self, event: Event) -> None:
        if self._table is not None and isinstance(event, DeckDeclared):
            self._table.declare(event)

    def _take_mended(self, line: int, item: Any, error: Exception) -> None:
        """Take a line as it was mended; it stays in quarantine where that cannot be read either."""
        mend = self._mends[line, self._raw(item)]
        self.mended += 1
        if mend is None:
            return
        if plain(str(mend.get("type", ""))) == "game started":
            self._begin(line, item, str(mend.get("game", "")), mend)
        elif self._game is None or self._forgiving is None:
            self._outside(line, item, error)
        else:
            words = vocabulary(self._game.head.game)
            try:
                fields = typed(mend, words)
                with contextlib.suppress(DoubtError):  # Whoever mended the line has been asked.
                    self._add_meant(line, self._meant(fields, self._forgiving) or fields, words, self._forgiving)
            except Exception as wrong:  # noqa: BLE001 - see `read`
                self._leave_out(line, item, self._explained(wrong, mend), 0)

    def _explained(self, wrong: Exception, fields: Mapping[str, Any]) -> BadLineError:
        """Return why a mended line cannot be read either."""
        if isinstance(wrong, UnfitError) and self._table is not None:
            return self._table.misfit(wrong)
        if isinstance(wrong, BadLineError):
            return wrong
        if isinstance(wrong, msgspec.ValidationError) and self._game is not None:
            return explain(wrong, fields, vocabulary(self._game.head.game))
        defect = unforeseen("line", wrong)
        return BadLineError(defect.code, (), str(defect), defect.suggestion)

    def _take_repaired(self, line: int, item: Any) -> None:
        """Take a line once more, in the encoding that it was meant in."""
        try:
            event = self._way.decode(item)
            self._way.check(event)
            self._way.add(event)
        except Exception as error:  # noqa: BLE001 - see `read`
            self._look_again(line, item, error)

    def _outside(self, line: int, item: Any, error: Exception) -> None:
        """Count a line that no game has."""
        if self._lost is not None and not self._notation.may_be_head(item):
            self._lost.more += 1
        else:
            self._lose(line, item, *self._diagnosed(item, error))

    def _diagnosed(self, item: Any, error: Exception, game: str = "") -> tuple[BadLineError, int]:
        """Return why an item cannot be taken, and in which column."""
        if isinstance(error, UnfitError) and self._table is not None:
            error = self._table.misfit(error)
        if not game:
            game = self._game.head.game if self._game else games()[0]
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
        try:
            slug = self._checks.slug_of(called)
        except BadLineError as unknown:
            self._lose(line, item, *self._diagnosed(item, unknown))
            return
        try:
            decode = self._notation.decoder(vocabulary(slug))
            head = self._head(slug, decode, item) if mend is None else self._mended_head(slug, mend)
            head = self._checks.as_known(head)
            table = self._table = self._checks.table(head)
            chain = Chain((seat.id for seat in head.players), 0, opening_hash(head.id))
            chain.add(head)
        except Exception as error:  # noqa: BLE001 - see `read`
            self._lose(line, item, *self._diagnosed(item, error, slug))
        else:
            self._game = ReadGame(head, self._name, line, chain)
            for text in self._checks.taken_in_head(self._notation.plain(item, vocabulary(slug)) or {}, called):
                self.close.setdefault(text, []).append(line)
            self._way = LinePipeline(decode, table.check, chain.add)
            if mend is None and head.at is msgspec.UNSET:
                self._doubt_time(line, item, slug)
            self._gaps = Gaps(chain)
            self._has_open_copies = False
            seats = {seat.id: seat.name for seat in head.players}
            self._forgiving = Forgiving(vocabulary(slug), seats, table, self._checks.clock)

    def _doubt_time(self, line: int, item: Any, slug: str) -> None:
        """Ask about the time of a head that was taken without it, if it says one."""
        if doubt := time_doubt(self._notation.plain(item, vocabulary(slug)) or {}):
            self._reject(self._entry(line, item, *self._notation.diagnose(item, doubt, vocabulary(slug))))

    def _mended_head(self, slug: str, mend: Fields) -> Any:
        """Return the `game.started` that a line was mended to."""
        fields = typed(mend, vocabulary(slug))
        return vocabulary(slug).convert(head_meant(fields, slug, self._checks.clock))

    def _head(self, slug: str, decode: Callable[[Any], Event], item: Any) -> Any:
        """Return the `game.started` that an item is, or that it means."""
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
        if isinstance(head, GameStarted) and head.game != slug:
            return msgspec.structs.replace(head, game=slug)
        return head

    def _lose(self, line: int, item: Any, bad: BadLineError, column: int) -> None:
        """Go on without a game."""
        self._end(line)
        self._lost = OrphanLines(self._entry(line, item, bad, column))

    def _end(self, line: int) -> None:
        """Hand over the game, or the lost lines, that end before a line."""
        game, self._game = self._game, None
        gaps, self._gaps = self._gaps, None
        lost, self._lost = self._lost, None
        self._way = OUTSIDE_GAME
        if game is not None and gaps is not None:
            gaps.close()
            self._finish(game._replace(end=line, gaps=gaps.lines))
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
