"""From the records of one game to its events: who plays, what each line means, what is left over."""

import contextlib
import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from types import MappingProxyType
from typing import Any, Final, NamedTuple

import msgspec

from tabletape.events.importing.games.gaps import TEXT_KEPT
from tabletape.events.importing.games.known_deck import known_deck
from tabletape.events.importing.lines.lenient_reader import type_meant
from tabletape.events.importing.lines.text import MendsOfFile
from tabletape.events.importing.lines.words import plain
from tabletape.events.importing.maps.documents.paths import as_text
from tabletape.events.importing.maps.documents.records import Record
from tabletape.events.importing.maps.effort import Effort, EffortError
from tabletape.events.importing.maps.fates import DerivedGame, Fates, LeftOver
from tabletape.events.importing.maps.map import Map, Template, filled
from tabletape.events.importing.maps.matching import Entries, Fit
from tabletape.events.importing.maps.move_words import MoveWords
from tabletape.events.importing.maps.seating import SeatedPlayer, owners_of
from tabletape.events.importing.maps.values.captured import (
    DRAW_EVENT,
    KnownCards,
    Names,
    ValueFault,
    kind_of,
    surplus,
    value,
)
from tabletape.events.importing.maps.values.times import Clock
from tabletape.events.importing.quarantine.bad_lines import type_hint
from tabletape.events.vocabulary import Event, Vocabulary, check_exclusive, tag_of
from tabletape.events.vocabulary.shared import GameStarted, LogGap

TOO_LONG: Final = "the sentences of the map take too long over it"
"""Why a line is left over that no steps were left for."""

LONGEST_SET: Final = 4000
"""The most characters of what a line `sets`: it may contain what an earlier one has set."""


class BuiltEvent(NamedTuple):
    """An event as it is made of a record, or what is left over in its place, without a template.

    `taken` is what of its words was taken for others.
    """

    record: Record
    template: Template | None
    fields: dict[str, Any]
    taken: list[str]


class Frame(NamedTuple):
    """What a game is read with: map, event types, cards, clock, the start of the file, the words of its moves.

    `mends` are what people have said of single records, by their line and their text.
    """

    used: Map
    vocabulary: Vocabulary
    cards: KnownCards | None
    clock: Clock
    begins: datetime | None
    moves: MoveWords
    file: str = ""
    mends: MendsOfFile = MappingProxyType({})
    effort: Effort | None = None


class GameDerivation:
    """The derivation of the events of one game."""

    def __init__(self, frame: Frame, players: tuple[SeatedPlayer, ...], entries: Entries) -> None:
        self._frame = frame
        self._players = players
        self._entries = entries
        written = frame.used.written
        self._effort = frame.effort or Effort()
        # A name is its owner's, whatever another player is called besides.
        seats = {player.name: player.id for player in players}
        self._called = owners_of({player.name: player.aliases for player in players})
        seats |= {alias: seats[name] for alias, name in self._called.items()}
        deck = known_deck(frame.vocabulary.game, seats)
        self._names = Names(seats, frame.cards, written.values, self._effort, deck)
        self._context: dict[str, Any] = {"file": frame.file}
        self._built: list[BuiltEvent] = []
        self._opening: list[BuiltEvent] = []
        self._taken: dict[int, Sequence[str]] = {}
        self._is_open = False
        self._looked_at = 0
        self._last: tuple[Template, BuiltEvent] | None = None
        self._counted, self._added, self._in_gap = 0, 0, False
        self._head: GameStarted | None = None
        self._timed: tuple[Record, datetime | None] | None = None
        self._left: list[LeftOver] = []
        self._fates = Fates()
        self._afterwards: list[tuple[Record, Template, Mapping[str, Any]]] = []

    def derive(self, records: Sequence[Record]) -> DerivedGame:
        """Return what the records of the game say."""
        fitting = [(record, self._entries.fit(record, below=True)) for record in records]
        # A row that says nothing in words is no line that could not be read.
        records = [record for record, fit in fitting if record.text or fit is not None]
        fits = [fit for record, fit in fitting if record.text or fit is not None]
        for fit in fits:
            if fit is not None and "card" in fit.captured:
                self._names.learn(fit.captured["card"])
        for place, (record, fit) in enumerate(zip(records, fits, strict=True)):
            if record.key in self._frame.mends:
                self._take_mended(record, self._frame.mends[record.key])
                continue
            if _is_exact(fits[place + 1 : place + 2]):
                continue
            if fit is not None and _is_exact([fit]):
                self._take_exactly(record, fit.captured["event"])
                continue
            if self._afterwards and record.line != self._afterwards[0][0].line:
                self._finish_row()
            if fit is None:
                self._leave(record, TOO_LONG if record.key in self._entries.too_long else "")
                continue
            self._judge(record, fit)
            if fit.line.entry.ends:
                records = records[: place + 1]
                break
        self._finish_row()
        events, left = tuple(self._events()), tuple(self._left)
        return DerivedGame(self._players, events, left, len(records), self._names, self._head, self._fates, self._taken)

    def _build(self, record: Record, template: Template, fields: dict[str, Any]) -> BuiltEvent:
        """Return an event with what of its words was taken for others."""
        taken, self._names.taken = self._names.taken, []
        return BuiltEvent(record, template, fields, taken)

    def _take_exactly(self, record: Record, written: str) -> None:
        """Take an event that is written as JSON, in place of what the line above it says."""
        words = self._frame.vocabulary
        try:
            fields = msgspec.json.decode(written, type=dict[str, Any])
            template = Template(words.types[fields["type"]], {})
            if issubclass(template.event_type, GameStarted):
                self._head = msgspec.convert(fields, template.event_type)
            else:
                self._built.append(self._build(record, template, fields))
        except (msgspec.MsgspecError, KeyError) as error:
            self._leave(record, f"this is no event of {words.game}: {error}")

    def _take_mended(self, record: Record, mend: Mapping[str, Any] | None) -> None:
        """Take a record as somebody has mended it; without fields it says nothing."""
        if mend is None:
            return
        words = self._frame.vocabulary
        tag = type_meant(str(mend.get("type", "")), words)
        if tag is None:
            message = f"{words.game} has no event type `{mend.get('type', '')}`"
            nearest = type_hint(str(mend.get("type", "")), words)
            self._leave(record, "; ".join(filter(None, (message, nearest))), mend)
            return
        template = Template(words.types[tag], {name: each for name, each in mend.items() if name != "type"})
        try:
            fields = self._fields(template, {}, record)
            check_exclusive(msgspec.convert(fields, template.event_type, strict=False))
        except (ValueFault, KeyError, msgspec.ValidationError) as fault:
            self._leave(record, _reason(fault), mend)
        except EffortError:
            self._leave(record, TOO_LONG, mend)
        else:
            self._built.append(self._build(record, template, fields))

    def _leave(self, record: Record, reason: str, fields: Mapping[str, Any] = MappingProxyType({})) -> None:
        self._names.taken.clear()
        self._left.append(LeftOver(record, reason, fields))
        self._built.append(BuiltEvent(record, None, {}, []))

    def _finish_row(self) -> None:
        due, self._afterwards = self._afterwards, []
        for record, template, known in due:
            try:
                self._built.append(self._build(record, template, self._fields(template, known, record)))
            except EffortError:
                self._leave(record, TOO_LONG)
            except (ValueFault, KeyError) as fault:
                self._leave(record, str(fault))

    def _judge(self, record: Record, fit: Fit) -> None:
        """Take a record, or leave it where it is passed over with others and may be a move."""
        if reason := self._frame.moves.passed_over_by(fit, record.text):
            self._leave(record, reason)
            return
        self._fates.add(record, fit)
        self._take(record, fit)

    def _take(self, record: Record, fit: Fit) -> None:
        """Take a record as its entry says."""
        line, known = fit.line, {}
        try:
            known = self._known(record, self._names.with_whole_lists(fit.captured, fit.sentence))
            if fit.under and line.event is None:
                self._add_below(fit)
            for template in (line.event, *line.also):
                if template is not None:
                    for each in self._each(template, known):
                        fields = self._fields(template, each, record)
                        if fields.get("text") == "" and template is not line.event:
                            continue  # Beside the cards of a list nothing is said.
                        if fit.under:
                            fields["cause"] = self._last_seq()
                        self._open_copies(record)
                        self._built.append(self._build(record, template, fields))
            if line.entry.sets:
                self._count_filling(line.setting, known)
                self._set(line.entry.sets, known)
            self._afterwards += [(record, template, known) for template in line.afterwards]
            untimed = record._replace(at=None)  # The line says later what was so at the beginning.
            self._opening += [self._build(record, each, self._fields(each, known, untimed)) for each in line.at_start]
            self._open_copies(record)
        except EffortError:
            self._leave(record, TOO_LONG)
        except (ValueFault, KeyError) as fault:
            reason = str(fault) if isinstance(fault, ValueFault) else f"nothing has said so far what {fault} is"
            self._leave(record, reason, _as_far_as_known(line.event, known))

    def _set(self, sets: Mapping[str, str], known: Mapping[str, Any]) -> None:
        """Remember what a line says for later ones. Raises `ValueFault` for what is too long to be remembered."""
        for name, written in sets.items():
            remembered = filled(written, known)
            if len(remembered) > LONGEST_SET:
                raise ValueFault(f"what `{name}` would be set to has more than {LONGEST_SET} characters")
            self._context[name] = remembered

    def _count_filling(self, steps: int, known: Mapping[str, Any]) -> None:
        """Count the steps of filling a template: the longer the texts that may stand in it, the more."""
        longest = max(map(len, known.values()), default=0)
        self._effort.take(steps * (1 + (longest >> 7)) + (len(known) >> 3))

    def _known(self, record: Record, captured: Mapping[str, str]) -> dict[str, Any]:
        """Return everything that a template may name."""
        written = self._frame.used.written
        self._effort.take(len(self._context) + len(record.row) >> 3)
        columns = {name: as_text(cell) for name in written.by_index if (cell := record.row.get(name)) is not None}
        if written.shape == "rows":  # by the names of their columns, as holes are called: `Card Name` is card_name
            columns = {plain(name).replace(" ", "_"): str(cell).strip() for name, cell in record.row.items()}
        known = {**self._context, **columns, **captured}
        names = [player.name for player in self._players]
        if "player" not in captured and (record.player in names or record.player in self._called):
            known["player"] = record.player
        who = self._called.get(known.get("player", ""), known.get("player"))
        if len(names) == 2 and who in names:
            known["other"] = names[1 - names.index(who)]
        return known

    def _each(self, template: Template, known: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
        """Return what is known once for each event: a list of cards gives one event a card where an event has one."""
        fields = kind_of(template.event_type).types
        if "cards" in known and "cards" not in fields and "card" in fields and "card" not in template.fields:
            yield from ({**known, "card": name} for name in self._names.split(str(known["cards"])))
        else:
            yield known

    def _fields(self, template: Template, known: Mapping[str, Any], record: Record) -> dict[str, Any]:
        """Return the fields of an event, each as its type needs it. Raises `ValueFault` where one cannot be that."""
        self._count_filling(template.steps, known)
        event_type = template.event_type
        own = kind_of(event_type).types
        given = {name: known[name] for name in own if name in known and name != "type"}
        given |= {name: filled(each, known) for name, each in template.fields.items()}
        for name in surplus(event_type, template.fields):
            given.pop(name, None)
        player = given.get("player")
        owner = self._names.player(str(player)) if player else ""
        event_fields: dict[str, Any] = {"type": tag_of(event_type)}
        for name, each in given.items():
            event_fields[name] = value(name, each, event_type, self._names, owner)
        self._count(event_fields, owner)
        at = self._time_of(record)
        return event_fields if at is None or "at" in event_fields else {**event_fields, "at": at}

    def _time_of(self, record: Record) -> datetime | None:
        """Return when a record was written; it is read once, however many events it gives."""
        if self._timed is None or self._timed[0] is not record:
            self._timed = record, self._frame.clock.read(record.at, self._frame.begins)
        return self._timed[1]

    def _count(self, event_fields: Mapping[str, Any], owner: str) -> None:
        """Note what a deck list or a draw says of the copies of cards."""
        if event_fields["type"] == "deck.declared":
            self._names.copies.declare(owner, event_fields.get("cards", ()))
        elif event_fields["type"] == DRAW_EVENT and "count" in event_fields:
            self._names.copies.draw_unseen(owner)

    def _open_copies(self, record: Record) -> None:
        """Say before an event, once in a game, that which copies are meant is open: behind a gap nobody is accused."""
        question, self._names.copies.open = self._names.copies.open, ""
        if question and not self._is_open:
            self._is_open = True
            fields = {"type": tag_of(LogGap), "lines": 1, "text": question}
            self._built.append(BuiltEvent(record, Template(LogGap, {}), fields, []))

    def _add_below(self, fit: Fit) -> None:
        """Add what a line below says to the event above; a harmless one says nothing where that has no place for it."""
        try:
            self._add_to_last(fit.captured)
        except ValueFault:
            if not fit.line.entry.harmless:
                raise
            self._names.taken.clear()

    def _add_to_last(self, captured: Mapping[str, str]) -> None:
        """Add what a line below says to the event above. Raises `ValueFault` where that event cannot take it."""
        for above in self._built[self._looked_at :]:
            if above.template is not None:
                self._last = above.template, above
        self._looked_at = len(self._built)
        if self._last is None:
            raise ValueFault("there is no event above this line")
        template, above = self._last
        fields = dict(above.fields)
        owner = str(fields.get("player", ""))
        for name, text in captured.items():
            if name not in kind_of(template.event_type).types:
                raise ValueFault(f"{tag_of(template.event_type)}, the event above, has no `{name}`")
            addition = value(name, text, template.event_type, self._names, owner)
            if isinstance(addition, list) and name in fields:
                fields[name] = [*fields[name], *addition]
            else:
                fields[name] = addition
            for other in surplus(template.event_type, (name,)):
                fields.pop(other, None)
        above.fields.clear()
        above.fields.update(fields)
        above.taken.extend(self._names.taken)
        self._names.taken.clear()

    def _last_seq(self) -> int:
        """Return the number that the last event will have; the `game.started` is the first."""
        for each in self._built[self._counted :]:
            self._added += each.template is not None or not self._in_gap
            self._in_gap = each.template is None
        self._counted = len(self._built)
        return 1 + len(self._opening) + self._added

    def _events(self) -> Iterator[tuple[int, Event]]:
        """Return the events; records that are left over between them become gaps."""
        gap: list[Record] = []
        place = 0
        for record, template, fields, taken in (*self._opening, *self._built):
            event = self._convert(record, template, fields) if template is not None else None
            if event is None:
                gap.append(record)
                continue
            if gap:
                yield gap[0].line, LogGap(lines=len(gap), text=gap[0].text.strip()[:TEXT_KEPT] or gap[0].place)
                gap, place = [], place + 1
            if taken:
                self._taken[place] = taken
            yield record.line, event
            place += 1

    def _convert(self, record: Record, template: Template, fields: dict[str, Any]) -> Event | None:
        """Return the event of some fields; what the vocabulary does not take is left over."""
        try:
            # Its own type: to look for it among all types takes three times as long.
            return check_exclusive(msgspec.convert(fields, template.event_type, strict=False))
        except msgspec.ValidationError as error:
            self._left.append(LeftOver(record, f"{fields['type']}: {_reason(error)}", fields))
            return None


def _reason(error: Exception) -> str:
    """Return what is wrong with the fields of an event."""
    return re.sub(r" - at `\$\.?(.*)`", r" (\1)", str(error))


def _as_far_as_known(template: Template | None, known: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the fields of an event as its line has them, those of the template that can be filled among them."""
    if template is None:
        return {}
    event_fields = {"type": tag_of(template.event_type)}
    event_fields |= {
        name: known[name] for name in kind_of(template.event_type).types if name in known and name != "type"
    }
    for name, written in template.fields.items():
        with contextlib.suppress(KeyError):
            event_fields[name] = filled(written, known)
    return event_fields


def _is_exact(fits: Sequence[Fit | None]) -> bool:
    """Return whether a line is an event as JSON, which stands for the line above it."""
    return any(fit is not None and fit.under and fit.line.entry.exact for fit in fits)
