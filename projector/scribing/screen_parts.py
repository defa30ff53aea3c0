"""What one viewer is shown of a game that is kept, as data: the screen and its parts."""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from tabletape.projector.model.areas import Area
from tabletape.projector.model.rules import Finding
from tabletape.projector.scribing.asking import KeeperQuestion, NamedCard


class WrittenLine(msgspec.Struct, frozen=True, kw_only=True):
    """A line that was written, in words; `standing` unless it was taken back."""

    seq: int
    words: str
    at: str
    standing: bool


class ScreenOption(msgspec.Struct, frozen=True, kw_only=True):
    """A choice on the screen: a line to be written, or a mark that leaves `count` choices.

    `draws` cards are asked for when it is chosen, each one of `cards` or unseen. A `chip` is a card among several.
    `turn` is the beginning of the turn that the line shows, to be written before it, unless the keeper says otherwise.
    """

    words: str
    line: Mapping[str, Any] | None = None
    turn: Mapping[str, Any] | None = None
    turn_words: str = ""
    mark: str = ""
    count: int = 1
    player: str = ""
    supposed: bool = False
    draws: int = 0
    cards: tuple[NamedCard, ...] = ()
    goes_on: bool = False
    chip: bool = False


class ScreenQuestion(msgspec.Struct, frozen=True, kw_only=True):
    """A question on the screen, by its number, with the lines that answer it."""

    number: int
    question: KeeperQuestion
    lines: tuple[ScreenOption, ...]


class Along(msgspec.Struct, frozen=True, kw_only=True):
    """The end of a turn where nothing else can be done, and what can be written with it: what comes just after it."""

    line: Mapping[str, Any]
    words: str
    asked: tuple[ScreenQuestion, ...]
    options: tuple[ScreenOption, ...]


class ShownFinding(msgspec.Struct, frozen=True, kw_only=True):
    """A finding on the screen; `about` is the line that it is about, in words, unless that is the one written last."""

    finding: Finding
    about: str = ""


class Screen(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that is shown at one moment, as one viewer may see it; `seq` is the number of the last line.

    `anyway` are lines that break a rule and that what was tapped or typed may mean all the same, `unsure` those of
    which the log does not tell whether they break one; with `may_end` the table may say that it is over, `last_play`
    is what was played last and stands, and `judged` says whether any rule of the game is stated; `noted` is what the
    table itself wrote down to be against the rules. `stands` are the last lines that stand, without the end of the
    game, which `result` says; behind them `taken_back` were taken back. `undoes` and `redoes` say in words what an undo
    takes back, and what was undone last; `points` are what was counted of players so far under that name.
    """

    game_id: str
    game: str
    title: str
    seq: int
    stamp: str
    viewer: str
    players: tuple[tuple[str, str], ...]
    viewers: tuple[tuple[str, str], ...]
    turn: str
    over: bool
    result: str
    areas: Sequence[Area]
    asked: tuple[ScreenQuestion, ...]
    options: tuple[ScreenOption, ...]
    total: int
    forms: tuple[tuple[str, str], ...]
    lines: tuple[WrittenLine, ...]
    stands: tuple[WrittenLine, ...]
    taken_back: int
    last_play: WrittenLine | None
    findings: tuple[ShownFinding, ...]
    anyway: tuple[ScreenOption, ...]
    unsure: tuple[ScreenOption, ...]
    undoes: str
    redoes: str
    may_end: bool
    judged: bool
    noted: tuple[str, ...]
    along: Along | None = None
    points: Mapping[str, float] = {}
