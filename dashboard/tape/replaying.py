"""A game looked at step by step: what happened, the table after it, what it changed, what was found."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, overload

from tabletape.events.errors import RefusedError
from tabletape.projector.archive.view import Step, View, Why, result_in_words, viewers
from tabletape.projector.model.areas import EVERYTHING

if TYPE_CHECKING:
    from tabletape.events.vocabulary import Event
    from tabletape.projector.fold.traced import Traced
    from tabletape.projector.model.areas import Area
    from tabletape.projector.model.rules import Finding
    from tabletape.projector.model.table import Table
    from tabletape.projector.rulebooks.kept import Quote


def chosen_viewer(view: View, player: str) -> str:
    """Return the viewer of an id or name. Raises `RefusedError` where there is nobody like that."""
    known = viewers(view.replay)
    names = {"everything": EVERYTHING, "public": "", **{name.casefold(): each for each, name in known.items()}}
    if player and player in known:
        return player
    if player.casefold() in names:
        return names[player.casefold()]
    seats = [f"{each} ({name})" for each, name in known.items() if each not in {EVERYTHING, ""}]
    raise RefusedError(f"nobody called {player!r} sits at this table; --player takes {', '.join(seats)} or public")


def chosen_index(view: View, seq: int) -> int:
    """Return the step of the event with a number (`seq`). Raises `RefusedError` where there is none."""
    index = view.index_of(seq)
    if index is None:
        seqs, stopped = view.replay.seqs, view.replay.stopped
        nearest = min(seqs, key=lambda each: abs(each - seq))
        hint = "" if len(seqs) == seqs[-1] else f"; the nearest is {nearest}"
        after = f" (the replay stops before event {stopped.seq}: {stopped.reason})" if stopped else ""
        raise RefusedError(f"this game has no event {seq}: its events are {seqs[0]} to {seqs[-1]}{hint}{after}")
    return index


class TapeReplay(Sequence["TapeStep"]):
    """A replayed game: a sequence of its steps. In words and drawings it shows what `viewer` may know.

    `view` is what the screens of Tabletape draw from, for whoever needs more than a step says.
    """

    def __init__(self, replay: "Traced", quote: "Quote", viewer: str = EVERYTHING) -> None:
        self.view = View(replay, quote)
        self.viewer = chosen_viewer(self.view, viewer)

    def __len__(self) -> int:
        return len(self.view)

    @overload
    def __getitem__(self, place: int) -> "TapeStep": ...
    @overload
    def __getitem__(self, place: slice) -> "list[TapeStep]": ...
    def __getitem__(self, place: int | slice) -> "TapeStep | list[TapeStep]":
        """Return a step by its place, counted from 0; `at` takes the number of its event."""
        if isinstance(place, slice):
            return [TapeStep(self, index) for index in range(len(self))[place]]
        return TapeStep(self, range(len(self))[place])

    def __iter__(self) -> "Iterator[TapeStep]":
        return (TapeStep(self, index) for index in range(len(self)))

    def __repr__(self) -> str:
        return f"<replay of {self.view.started.id}: {len(self)} steps, {self.result}>"

    def at(self, seq: int) -> "TapeStep":
        """Return the step of the event with a number (`seq`). Raises `RefusedError` where there is none."""
        return TapeStep(self, chosen_index(self.view, seq))

    @property
    def players(self) -> Mapping[str, str]:
        """The players, id to name, in the order of their seats."""
        return self.view.players

    @property
    def result(self) -> str:
        """How the game ended, in words."""
        return result_in_words(self.view.replay)

    @property
    def stopped(self) -> str:
        """Why the replay could not go on before the end of the log; empty where it did."""
        stopped = self.view.replay.stopped
        return f"event {stopped.seq}: {stopped.reason}" if stopped else ""

    @property
    def findings(self) -> "list[Finding]":
        """All that was found in the game, as the viewer may read it."""
        return [self.view.finding(number, self.viewer) for number in range(len(self.view.findings))]


class TapeStep:
    """One step of a replay; `index` counts from 0, `seq` is the number of its event."""

    def __init__(self, replay: TapeReplay, index: int) -> None:
        self._replay = replay
        self.index = index
        self.seq: int = replay.view.replay.seqs[index]

    def __repr__(self) -> str:
        return f"<step {self.seq}: {self.text}>"

    @cached_property
    def _step(self) -> Step:
        return self._replay.view.step(self.index, self._replay.viewer)

    @property
    def event(self) -> "Event":
        """The event as the log has it."""
        return self._replay.view.replay.events[self.index]

    @property
    def text(self) -> str:
        """What happened, in words."""
        return self._replay.view.text(self.index, self._replay.viewer)

    @property
    def round(self) -> int:
        """The round in which it happened; 0 during the set-up and in games without rounds."""
        return self._replay.view.rounds[self.index]

    @property
    def turn(self) -> int:
        """The turn in which it happened; 0 during the set-up."""
        return self._replay.view.turns[self.index]

    @property
    def changes(self) -> tuple[str, ...]:
        """What the step changed on the table, in words."""
        return self._step.changed

    @property
    def why(self) -> tuple[Why, ...]:
        """The rules that were looked at, each with its verdict and its place in the rulebook."""
        return self._step.why

    @property
    def findings(self) -> "tuple[Finding, ...]":
        """What was found at this step, with citation."""
        return self._replay.view.findings_at(self.index, self._replay.viewer)

    @cached_property
    def table(self) -> "Table[Any, Any]":
        """The table after the step, with everything on it; a copy that later steps leave as it is."""
        return self._replay.view.replay.at(self.index)

    @property
    def totals(self) -> dict[str, dict[str, int]]:
        """The numbers that are kept for each player: player → what → number."""
        return self._replay.view.totals(self.index)

    @property
    def areas(self) -> "tuple[Area, ...]":
        """The table as it is drawn for the viewer, area by area."""
        return tuple(self._replay.view.areas(self.index, self._replay.viewer))

    def _repr_html_(self) -> str:
        """Draw the table after the step in a notebook, with what was found below it."""
        from tabletape.dashboard.report.document import Board, Bullets, Paragraph  # noqa: PLC0415 - only a notebook needs it
        from tabletape.dashboard.report.writing import as_fragment  # noqa: PLC0415 - the same

        findings = tuple(finding_in_words(each, self._replay.view.quote) for each in self.findings)
        drawn = Board(f"after event {self.seq}, turn {self.turn}", self.areas)
        return as_fragment(Paragraph(f"{self.seq}  {self.text}"), drawn, *([Bullets(findings)] if findings else []))


def finding_in_words(finding: "Finding", quote: "Quote") -> str:
    """Return a finding with its citation in one line."""
    place = quote.place(finding.section, finding.lines, finding.rule, finding.because)
    text = f"{finding.kind}: {finding.rule}{f' ({place})' if place else ''}: {finding.message}"
    return text + (f"; expected: {finding.expected}" if finding.expected else "")
