"""The game whose lines are being read: its table, its gaps, and what a line means that is written as people write."""

import contextlib
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

import msgspec

from tabletape.events.importing.files.sources import unforeseen
from tabletape.events.importing.games.gaps import Gaps
from tabletape.events.importing.games.notation import ReadGame
from tabletape.events.importing.games.table import TableNames
from tabletape.events.importing.lines.diagnosis import explain
from tabletape.events.importing.lines.lenient_reader import LenientReader, type_or_slip, typed
from tabletape.events.importing.lines.pipeline import UNREADABLE
from tabletape.events.importing.lines.text import Fields, written
from tabletape.events.importing.maps.values.times import Clock
from tabletape.events.importing.quarantine.bad_lines import BadLineError, DoubtError
from tabletape.events.log.rows import UnfitError
from tabletape.events.vocabulary import ENVELOPE, Chance, Decision, Event, Vocabulary, fields_of, vocabulary
from tabletape.events.vocabulary.shared import DeckDeclared

WHICH_COPY: Final = "which-copy"
"""The code of an entry for a line that does not say which copy of a card it means."""


class GameBeingRead:
    """A game that goes on; `note_taken` gets what of a line was taken for a name that is almost written like it."""

    def __init__(self, game: ReadGame, table: TableNames, clock: Clock, note_taken: Callable[[str, int], None]) -> None:
        self.game = game
        self.table = table
        self.words = vocabulary(game.head.game)
        self.gaps = Gaps(game.chain)
        seats = {seat.id: seat.name for seat in game.head.players}
        self._lenient = LenientReader(self.words, seats, table, clock)
        self._note_taken = note_taken
        self._has_open_copies = False

    def type_of(self, fields: Fields) -> type[Event] | None:
        """Return the type of an event that cannot be read, None where not even that can."""
        tag = type_or_slip(str(fields.get("type", "")), self.words)
        return self.words.types[tag] if tag else None

    def completed(self, fields: Fields) -> str:
        """Return what a line that lacks something was probably meant to say, as a suggestion."""

        def try_it(each: Fields) -> None:
            self.table.check(self.words.convert(self._lenient.meant(each) or each))

        with contextlib.suppress(*UNREADABLE), self.table.copies.tried(keep=False):
            return completed(fields, self.words, try_it) if fields else ""
        return ""

    def take_as_meant(self, line: int, fields: Fields, error: Exception) -> Exception | None:
        """Take a line that is written as people write; return what is wrong with it, None where it was taken.

        `error` is what was wrong with the line as it is written.
        """
        meant = None
        try:
            with self.table.copies.tried(keep=True):
                meant = self._meant(fields)
                if meant is None:
                    return error
                self._add(line, meant)
        except (BadLineError, UnfitError) as wrong:
            # What is wrong is what is wrong behind the way in which the line is written.
            return wrong
        except msgspec.ValidationError as wrong:
            return error if meant == fields else explain(wrong, meant, self.words)
        except Exception:  # noqa: BLE001 - then the line is what it was
            return error
        return None

    def take_mended(self, line: int, mend: Fields) -> BadLineError | None:
        """Take a line as it was mended; return why that cannot be read either, None where it was taken."""
        try:
            fields = typed(mend, self.words)
            with contextlib.suppress(DoubtError):  # Whoever mended the line has been asked.
                self._add(line, self._meant(fields) or fields)
        except Exception as wrong:  # noqa: BLE001 - whatever it is, it costs this line and no other
            return self._explained(wrong, mend)
        return None

    def _explained(self, wrong: Exception, fields: Fields) -> BadLineError:
        if isinstance(wrong, UnfitError):
            return self.table.misfit(wrong)
        if isinstance(wrong, BadLineError):
            return wrong
        if isinstance(wrong, msgspec.ValidationError):
            return explain(wrong, fields, self.words)
        defect = unforeseen("line", wrong)
        return BadLineError(defect.code, (), str(defect), defect.suggestion)

    def _meant(self, fields: Fields) -> dict[str, Any] | None:
        """Return the fields of a line as they were meant behind the lines so far, None for an unknown type."""
        self.table.copies.note_all(self.game.chain.rows)
        return self._lenient.meant(fields)

    def _add(self, line: int, meant: Mapping[str, Any]) -> None:
        """Add the event of fields that were read as they were meant. Raises whatever is wrong with it.

        Raises `DoubtError` where the event was added, and somebody is to be asked about it.
        """
        event = self.words.convert(meant)
        doubt = self._lenient.doubt
        try:
            self.table.check(event)
        except DoubtError as found:
            doubt = found
            if isinstance(event, DeckDeclared):
                self.table.declare(event)
        self._require_copies()
        self.gaps.add(event)
        for text in self._lenient.close:
            self._note_taken(text, line)
        if doubt is not None:
            raise doubt

    def _require_copies(self) -> None:
        """Raise `BadLineError` for the first line of a game that does not say which of several copies it means.

        Behind the gap that it leaves nobody is accused: there one is taken in the order of the lines.
        """
        copies = self.table.copies
        question, copies.open = copies.open, ""
        if question and not self._has_open_copies:
            self._has_open_copies = True
            raise BadLineError(WHICH_COPY, (), question, copies.way_out)


# -- a line that lacks something ---------------------------------------------------------------------------------------

Try = Callable[[Fields], None]
_FIXED_FIELDS: Final = frozenset({"type", "player", *ENVELOPE})


def completed(fields: Mapping[str, Any], vocabulary: Vocabulary, try_it: Try) -> str:
    """Return the suggestion of what has to change for a line to be read: `type = seed.played`, `card = A:x | target =`.

    `fields` are those of the line; `try_it` raises where fields cannot be read. Empty where nothing, or more than one
    thing, would do. Whose line it is cannot be said: after a line of Ann another of hers may follow, or one of Ben.
    """
    changes = [change for change in _changes(fields, vocabulary) if _fits({**fields, **change}, try_it)]
    return f"did you mean `{written(changes[0]).rstrip()}`?" if len(changes) == 1 else ""


def _fits(fields: Fields, try_it: Try) -> bool:
    try:
        try_it({name: value for name, value in fields.items() if value != ""})
    except (msgspec.MsgspecError, BadLineError):
        return False
    return True


def _changes(fields: Mapping[str, Any], vocabulary: Vocabulary) -> Iterator[dict[str, Any]]:
    """Return what may be written differently; a field that becomes empty is left out."""
    if "type" not in fields:
        types = vocabulary.types.items()
        yield from ({"type": tag} for tag, each in types if issubclass(each, Decision | Chance))
        return
    tag = type_or_slip(str(fields["type"]), vocabulary)
    needed = [field.encode_name for field in fields_of(vocabulary.types[tag]) if field.required] if tag else []
    lacking = [name for name in needed if name not in fields]
    if len(lacking) == 1:
        yield from ({lacking[0]: fields[name], name: ""} for name in fields if name not in _FIXED_FIELDS)
