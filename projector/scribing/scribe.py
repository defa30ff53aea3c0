"""A game that is being kept: its table, which grows with the log, and every line on disk before it is acknowledged."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec
from msgspec import UNSET

from tabletape.events.errors import TabletapeError
from tabletape.events.log import Log
from tabletape.events.log.revising import store_revision
from tabletape.events.log.rows import StoredGame
from tabletape.events.log.writing import StaleAppendError
from tabletape.events.vocabulary import Consequence, Event, Remark
from tabletape.events.vocabulary.open_games import look_in
from tabletape.events.vocabulary.shared import FeedbackGiven, GameStarted, PlayTakenBack
from tabletape.events.vocabulary.tabletop import TurnStarted
from tabletape.projector.archive.card_versions import kept_cards
from tabletape.projector.archive.stored import cards_of, workspace
from tabletape.projector.fold.folding import ruleset_of
from tabletape.projector.fold.replay import Replay
from tabletape.projector.fold.taken_back import UNDONE, standing
from tabletape.projector.games import game
from tabletape.projector.model.rules import Finding
from tabletape.projector.model.table import CannotFoldError


class NothingToUndoError(TabletapeError):
    """Only the beginning of the game is left."""


class Scribe:
    """A stored game as it is kept; one object is used by one caller at a time.

    `replay` is the fold of its lines so far, `stored` the game as the log has it.
    """

    def __init__(self, log: Log, game_id: str) -> None:
        """Fold a stored game. Raises `UnknownGameIdError` where there is none, `RulesetError` as a fold does."""
        self._log = log
        self.stored: StoredGame
        self.replay: Replay
        self._known: set[Any] = set()
        self._before: set[Any] = set()
        self._sent: dict[tuple[str, str], list[int]] = {}
        self._load(game_id)

    def _load(self, game_id: str) -> None:
        look_in(self._folder)  # The file of a game may have got its moves since.
        stored = self._log.game(game_id)
        one = game(stored.game)
        events = self._log.events(stored)
        if game(stored.game) is not one:
            self._load(game_id)  # Its file was changed meanwhile: lines and rules have to be of one file.
            return
        started = events[0]
        if not isinstance(started, GameStarted):
            raise TypeError("a stored game begins with game.started")
        ruleset = ruleset_of(one, started.edition, started.rulings, edition="", rulings={})
        cards = kept_cards(self._log, stored) or cards_of(self._folder, stored.game)
        replay = Replay(one, ruleset, cards.library)
        # Folded in two parts, to know what the last line brings to light.
        last = last_play(standing(events, range(len(events))))
        known = _found_in(replay.run(events[:last]))
        replay.run(events[last:])
        # Only what was folded to its end is taken in: what has failed is folded again for whoever asks next.
        self.stored, self.replay, self._known, self._sent = stored, replay, known, {}
        self._remember(events)

    def _remember(self, lines: Sequence[Event]) -> None:
        """Remember with which requests lines came."""
        for each in lines:
            if isinstance(each.request, str) and isinstance(each.seq, int):
                writer = each.writer if isinstance(each.writer, str) else ""
                self._sent.setdefault((writer, each.request), []).append(each.seq)

    def sent(self, writer: str, request: str) -> Sequence[int]:
        """Return the numbers of the lines that came with a request of somebody; none for one without a key."""
        return self._sent.get((writer, request), ()) if request else ()

    @property
    def _folder(self) -> Path:
        return workspace(self._log)

    @property
    def last_seq(self) -> int:
        """The number of the last line."""
        return self.stored.last_seq

    def catch_up(self) -> bool:
        """Take in what others have written meanwhile; return whether there was anything."""
        game_id = self.stored.game_id
        if self._log.fingerprints([game_id]).get(game_id) == self.stored.fingerprint:
            return False
        self._load(self.stored.game_id)
        return True

    def require_last(self, expected: int) -> None:
        """Raise `StaleAppendError` where the last line is not the one that is `expected`."""
        if expected != self.last_seq:
            raise StaleAppendError(self.stored.game_id, expected, self.last_seq)

    def write(
        self,
        lines: Sequence[Event],
        expected: int,
        served: Mapping[str, str] | None = None,
        rulings: Mapping[str, str] | None = None,
    ) -> None:
        """Write lines behind the line `expected`, with the time; `brought` returns what they bring to light.

        `served` is what a service adds to them: who writes, and the key of the request. With `rulings`, by key, the
        game is played by them from its beginning on, beside its own. They stand in the head of a log, so the game
        becomes a new revision with the lines at its end.

        They are on disk when this returns. Raises `StaleAppendError` where somebody else was first: nothing is written,
        and what the others wrote is taken in; `LogError` where the lines cannot follow, `NothingToUndoError` where one
        goes back to a line that there is not, and `CannotFoldError` for rulings in a game that cannot be followed.
        """
        now = datetime.now(UTC).astimezone().replace(microsecond=0)
        before, known = _found_in(self.replay), self.last_seq
        numbered = [
            msgspec.structs.replace(each, seq=number, at=now if each.at is UNSET else each.at, **(served or {}))
            for number, each in enumerate(lines, start=expected + 1)
        ]
        self._require_named(numbered, expected)
        try:
            stored = self._store(numbered, expected, {**self.own_rulings, **(rulings or {})})
        except Exception:
            self.catch_up()
            raise
        # Before these lines, and behind them, another server may have written since we looked.
        is_alone = known == expected and stored.last_seq == expected + len(numbered)
        is_revised = stored.revision != self.stored.revision
        self._before = before
        if is_revised or not is_alone or any(isinstance(each, PlayTakenBack) for each in numbered):
            with suppress(TabletapeError):  # The lines are written: whoever looks at the game next is told.
                self._load(self.stored.game_id)
        else:
            self.stored = stored
            self._known = before if any(map(_is_play, numbered)) else self._known
            self.replay.run(numbered)
            self._remember(numbered)

    def brought(self) -> list[Finding]:
        """Return what is found now and was not before the lines that were written last.

        Raises what a fold raises where the game could not be taken in behind them, `PluginFailedError` where its
        package fails.
        """
        self.catch_up()
        return [finding for finding in self.replay.findings if _key(finding) not in self._before]

    def _require_named(self, numbered: Sequence[Event], expected: int) -> None:
        """Raise `NothingToUndoError` for a take-back to a line that there is not, behind which no game could go on."""
        if expected != self.last_seq:
            return  # Others were first, which is what the log answers.
        there = {*self.replay.seqs}
        for each in numbered:
            if isinstance(each, PlayTakenBack) and each.to not in there:
                raise NothingToUndoError(f"the game cannot go back to line {each.to}: it has no such line")
            there |= {each.seq} if isinstance(each.seq, int) else set()

    def _store(self, numbered: Sequence[Event], expected: int, rulings: Mapping[str, str]) -> StoredGame:
        """Store lines at the end of the game, or with other rulings of a revision of it; return it."""
        head = self.replay.events[0]
        if rulings == self.own_rulings or not isinstance(head, GameStarted):
            return self._log.append(
                self.stored.game_id, numbered, expected_last_seq=expected, revision=self.stored.revision
            )
        self.require_last(expected)
        if self.replay.stopped is not None:
            stop = self.replay.stopped
            raise CannotFoldError(f"no ruling mends this game: it stops before line {stop.seq}: {stop.reason}")
        said = ", ".join(f"{key}={option}" for key, option in rulings.items() if self.own_rulings.get(key) != option)
        origin = f"{self.stored.game_id} (kept: we play it so: {said})"
        events = [msgspec.structs.replace(head, rulings=rulings), *self.lines()[1:], *numbered]
        return store_revision(self._log, self.stored, events, origin)

    def lines(self) -> list[Event]:
        """Return all lines of the game as they are stored: where a fold stops there are more than it has."""
        return self._log.events(self.stored)

    @property
    def own_rulings(self) -> Mapping[str, str]:
        """The rulings that the table itself has written down, by their keys."""
        head = self.replay.events[0]
        return dict(head.rulings) if isinstance(head, GameStarted) else {}

    def undoable(self) -> int:
        """Return the number of the line that an undo takes back, 0 where there is none: players' feedback stays."""
        lines = [*self.standing_lines().items()]
        return next((seq for seq, event in reversed(lines[1:]) if not isinstance(event, FeedbackGiven)), 0)

    def undoes(self) -> list[Event]:
        """Return the lines that an undo takes back: the last that counts, with the turn that it began."""
        last, lines = self.undoable(), self.standing_lines()
        before = [event for seq, event in lines.items() if seq < last][-1:]
        is_beginning = [isinstance(each, TurnStarted) and _is_sent_with(each, lines[last]) for each in before]
        return [*(before if any(is_beginning) else []), lines[last]] if last else []

    def undone(self, to: int = 0) -> list[Event]:
        """Return the line that takes back what an undo does, or all behind the line `to`.

        Raises `NothingToUndoError` where there is no such line.
        """
        lines, last = [*self.standing_lines()], self.undoable()
        if not last:
            raise NothingToUndoError("nothing has been written since the game was set up")
        if to and (to not in lines or to >= last):
            raise NothingToUndoError(
                f"the game cannot go back to line {to}: it does not count any more, or is the last"
            )
        return [PlayTakenBack(to=to or lines[lines.index(last) - len(self.undoes())], note=UNDONE)]

    def redoable(self) -> list[Event]:
        """Return the lines that the undo took back which was written last, as they were; none where it was no undo."""
        events, seqs = self.replay.events, self.replay.seqs
        undo = events[-1]
        if not isinstance(undo, PlayTakenBack) or undo.note != UNDONE:
            return []
        return [event for seq, event in standing(events[:-1], seqs[:-1]).items() if seq > undo.to]

    def redone(self) -> list[Event]:
        """Return as new lines what the last undo took back. Raises `NothingToUndoError` for none."""
        lines = self.redoable()
        if not lines:
            raise NothingToUndoError("nothing was undone last")
        number = {event.seq: place for place, event in enumerate(lines, self.last_seq + 1)}
        return [_anew(each, number) for each in lines]

    def standing_lines(self) -> dict[int, Event]:
        """Return the lines that were not taken back, by their numbers, in order."""
        return standing(self.replay.events, self.replay.seqs)

    def latest_findings(self) -> list[Finding]:
        """Return what the last line that people played has brought to light: about itself, and about earlier lines."""
        lines = self.standing_lines()
        last = last_play(lines)
        latest = (finding for finding in self.replay.findings if finding.seq in lines)
        return [finding for finding in latest if finding.seq >= last or _key(finding) not in self._known]


def _is_sent_with(event: Event, other: Event) -> bool:
    """Return whether two lines came with one request of somebody."""
    return event.request is not UNSET and (event.writer, event.request) == (other.writer, other.request)


def last_play(lines: Mapping[int, Event]) -> int:
    """Return the number of the last line that people played; 0 where there is none."""
    return max((number for number, event in lines.items() if _is_play(event)), default=0)


def _anew(event: Event, number: Mapping[Any, int]) -> Event:
    """Return a line without its number, time and writer; lines that it names by numbers are those written with it."""
    names = [name for name in ("cause", "on") if getattr(event, name, None) in number]
    anew: Event = msgspec.structs.replace(
        event,
        seq=UNSET,
        at=UNSET,
        writer=UNSET,
        request=UNSET,
        **{name: number[getattr(event, name)] for name in names},
    )
    return anew


def _is_play(event: Event) -> bool:
    return not isinstance(event, Remark | Consequence)


def _found_in(replay: Replay) -> set[Any]:
    """Return the keys of what is found, without asking which finding follows from which: a package may fail at that."""
    return set(map(_key, replay.raw_findings))


def _key(finding: Finding) -> tuple[Any, ...]:
    return finding.seq, finding.rule, finding.kind, finding.message
