"""What an import was asked to do, and what it says afterwards."""

import json
import shlex
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, Literal, NamedTuple

from tabletape.events.log.rows import CardTexts, QuarantinedLine

Format = Literal["jsonl", "csv", "xlsx"]
Status = Literal["new", "grown", "unchanged", "revised", "refused"]

STANDARD_INPUT: Final = "-"
"""The path that stands for standard input."""

STANDARD_INPUT_TOLD: Final = "standard input"
"""How standard input is called in what is said about it."""

ENTRIES_SHOWN: Final = 1000
"""How many quarantined lines of a file are in the report; all of them are in the log's quarantine."""


class Known(NamedTuple):
    """What is known about a game besides its vocabulary: its card ids, each ruling's options, its editions.

    A game without rules knows no cards (None): any name is one. The first edition is the usual one, as which a game of
    an unknown edition is read; without any they are not checked. `card_texts` are kept with the games. `names` are
    the ids of cards by the names that are printed on them, `printed` what else stands there: the texts for fields of
    the vocabulary, by the mark of these (`actions`). `made` are the cards that come into being in a game, each with a
    number. `refused` says of cards, with their file and line, why they cannot be read: those count as unknown.
    """

    cards: AbstractSet[str] | None
    rulings: Mapping[str, tuple[str, ...]]
    editions: tuple[str, ...] = ()
    card_texts: CardTexts | None = None
    names: Mapping[str, str] = MappingProxyType({})
    printed: Mapping[str, frozenset[str]] = MappingProxyType({})
    made: frozenset[str] = frozenset()
    refused: tuple[str, ...] = ()

    @property
    def ids(self) -> Mapping[str, str] | None:
        """The cards by the names that a map may find in a line, and by their ids; None where any name is a card."""
        return None if self.cards is None else {**self.names, **{card: card for card in self.cards}}


@dataclass(frozen=True, slots=True)
class Options:
    """How to import.

    * `dry_run` writes nothing; `strict` takes nothing of a file that has a bad line.
    * `revise` takes a log that contradicts the stored one as the next revision of its game.
    * `format` is recognised from the content where it is not given.
    * `known` returns the cards, rulings and editions of a game; without it they are not checked. `sources` names the
      files that it reads a game's from, none where that is unknown.
    * `progress` is called with the bytes read.
    * `folder`: files in it are named by their place in it, because it holds only copies of what was uploaded.
    * `any_size` lifts the limits on what a packed file unpacks to and on what comes through a pipe; a named pipe is
      waited for `wait` seconds.
    * `map` reads every file, and `maps` those at its paths; without them the maps beside a file, those in `workspace`
      and those that come with Tabletape are tried on what is no log.
    * `zone` is the zone of times that name none; with `needs_zone` a file with such times is refused (`no-zone`)
      where there is none, so that the user can be asked. With `needs_look` so is one with something new that a map
      reads (`not-looked-at`): its `fates` say what would become of it.
    """

    dry_run: bool = False
    strict: bool = False
    revise: bool = False
    format: Format | None = None
    known: Callable[[str], Known] | None = None
    sources: Callable[[str], Sequence[Path]] | None = None
    progress: Callable[[int], object] | None = None
    folder: Path | None = None
    any_size: bool = False
    wait: float = 60
    map: Any = None
    maps: Mapping[str, Any] = field(default_factory=dict)
    workspace: Path | None = None
    zone: str = ""
    needs_zone: bool = False
    needs_look: bool = False
    names: Mapping[str, str] = field(default_factory=dict)
    titles: Mapping[str, str] = field(default_factory=dict)

    def name_of(self, path: str) -> str:
        """Return the name by which a file is called in what is said about it, and in the log."""
        if path == STANDARD_INPUT:
            return STANDARD_INPUT_TOLD
        if path in self.names:
            return self.names[path]
        inside = self.folder is not None and Path(path).is_relative_to(self.folder)
        name = path[len(str(self.folder)) + 1 :] if inside else path
        # A file name need not be text; what is said of it has to be.
        return name.encode(errors="replace").decode()


class LogDifference(NamedTuple):
    """The first event in which a file contradicts the log: its `seq` and both bodies, `None` where it is missing."""

    seq: int
    stored: str | None
    file: str | None

    def __str__(self) -> str:
        stored, file = _as_differing(self.stored, self.file), _as_differing(self.file, self.stored)
        return f"event {self.seq} differs: the log has {stored}, the file has {file}"


def _as_differing(body: str | None, other: str | None) -> str:
    """Return an event as what it has and another one has not, shortened."""
    if body is None:
        return "no such event"
    fields = json.loads(body)
    others = json.loads(other) if other else {}
    if fields["type"] == "log.gap":
        return "a line that could not be read"
    if fields["type"] != others.get("type"):
        return f"`{fields['type']}`" + (f" of {fields['player']}" if "player" in fields else "")
    own = {key: value for key, value in fields.items() if key not in others or others[key] != value}
    text = ", ".join(f"{key} {json.dumps(value, ensure_ascii=False)}" for key, value in own.items())
    return f"`{fields['type']}` with " + (text if len(text) <= 120 else f"{text[:117]}...") if own else "less"


class TakenGame(NamedTuple):
    """A game of a file and what became of it; `events` were appended, `line` is where it begins in the file."""

    game_id: str
    game: str
    status: Status
    revision: int
    events: int
    line: int
    difference: LogDifference | None

    @property
    def contradiction(self) -> str:
        """Say in a sentence why the game was refused; empty where it was not."""
        return f"game {self.game_id!r} contradicts the log: {self.difference}" if self.difference else ""


@dataclass(slots=True)
class FileReport:
    """What became of one file. `problem` says why nothing of it was taken; `remarks` what is worth knowing.

    `set_aside` counts the games that cannot be read for now, by what is wrong with the files that describe their game.
    `fates` are the kinds of lines, or the columns, that a map reads: how many, sentence, fate, the first one, with its
    number.
    `changed` has what of an event was taken for another word: the id of its game, its `seq`, and what was taken.
    """

    name: str
    format: str = ""
    lines: int = 0
    games: list[TakenGame] = field(default_factory=list)
    quarantined: int = 0
    entries: list[QuarantinedLine] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)
    problem: QuarantinedLine | None = None
    set_aside: dict[str, int] = field(default_factory=dict)
    changed: list[tuple[str, int, str]] = field(default_factory=list)
    fates: list[tuple[int, str, str, int, str]] = field(default_factory=list)

    @property
    def events(self) -> int:
        """How many events were appended."""
        return sum(game.events for game in self.games)

    @property
    def refused(self) -> list[TakenGame]:
        """The games that contradict the log."""
        return [game for game in self.games if game.status == "refused"]

    @property
    def kept(self) -> bool:
        """Whether the file belongs to the log now: not where it was refused and had nothing else that was new."""
        return self.problem is None and not (self.refused and not self.events)

    @property
    def revising(self) -> str:
        """Return which command takes the refused games of the file all the same."""
        name = "FILE" if self.name == STANDARD_INPUT_TOLD else shlex.quote(self.name)
        return f"`tabletape import --revise {name}` takes it as the next revision of the game"

    @property
    def unchanged(self) -> bool:
        """Whether the file brought nothing that the log did not have."""
        return self.problem is None and bool(self.games) and all(game.status == "unchanged" for game in self.games)

    def remark(self, text: str) -> None:
        """Say something once."""
        if text not in self.remarks:
            self.remarks.append(text)

    def refuse(self, problem: QuarantinedLine) -> None:
        """Take nothing of the file."""
        self.problem = problem
        self.games.clear()


@dataclass(slots=True)
class ImportReport:
    """What became of all files, in the order of their import; `head` is that of the log afterwards."""

    dry_run: bool = False
    files: list[FileReport] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)
    head: str = ""

    @property
    def games(self) -> list[TakenGame]:
        """Every game of every file."""
        return [game for file in self.files for game in file.games]

    @property
    def events(self) -> int:
        """How many events were appended."""
        return sum(file.events for file in self.files)

    @property
    def quarantined(self) -> int:
        """How many entries went to quarantine."""
        return sum(file.quarantined for file in self.files)

    @property
    def problems(self) -> list[QuarantinedLine]:
        """Why files were not taken at all."""
        return [file.problem for file in self.files if file.problem]

    @property
    def set_aside(self) -> Mapping[str, int]:
        """How many games cannot be read for now, by what is wrong with the files that describe their game."""
        counts: Counter[str] = Counter()
        for file in self.files:
            counts.update(file.set_aside)
        return counts

    @property
    def refused(self) -> list[TakenGame]:
        """The games that contradict the log."""
        return [game for file in self.files for game in file.refused]

    @property
    def clean(self) -> bool:
        """Whether everything was taken: no problem, no refused game, nothing in quarantine, no game set aside."""
        return not (self.problems or self.refused or self.quarantined or self.set_aside)
