"""What a viewer reads of a game that is kept: its lines, findings, table, what is due and what may be decided.

Who may not know everything reads each line as it could be known when it happened, and nothing of what others are asked.
"""

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import islice
from typing import Any, Final

import msgspec

from tabletape.dashboard.service.desk import Desk, GameAtDesk
from tabletape.events.errors import TabletapeError
from tabletape.events.plans import planned
from tabletape.events.vocabulary.names import owner_of
from tabletape.events.vocabulary.plugins import PluginFailedError
from tabletape.projector.archive.frames import concealed
from tabletape.projector.archive.view import View, viewers
from tabletape.projector.model.areas import EVERYTHING, Area
from tabletape.projector.model.deciding import decisions
from tabletape.projector.model.due import Due
from tabletape.projector.model.rules import Finding
from tabletape.projector.scribing.asking import KeeperQuestion, question_of
from tabletape.projector.scribing.screen import as_line

MAX_LINES: Final = 1_000
"""Lines of a game that are read at once."""

MAX_LEGAL: Final = 200
"""Decisions that are listed at most."""


class NoViewerError(TabletapeError):
    """Nobody of that name sits at the table."""


class ReadLine(msgspec.Struct, frozen=True, kw_only=True):
    """A line of a game: its number, the line as it stands in the log, or as much of it as a viewer may know."""

    seq: int
    line: msgspec.Raw


class DueLine(msgspec.Struct, frozen=True, kw_only=True):
    """A line that is due: its type, whose it is, the rule that says so, and, for who may know it, what is asked."""

    type: str
    player: str
    rule: str
    optional: bool
    question: KeeperQuestion | None = None


@planned
class LegalLine(msgspec.Struct, frozen=True, kw_only=True):
    """A decision that may be taken now, as its line; `supposed` where a card is not known to be there."""

    player: str
    line: Mapping[str, Any]
    supposed: bool


_LEGAL_LINE: Final = msgspec.json.Decoder(LegalLine)


def require_viewer(held: GameAtDesk, viewer: str) -> None:
    """Raise `NoViewerError` for a viewer who is neither at the table nor the public."""
    known = viewers(held.scribe.replay)
    if viewer not in known:
        raise NoViewerError(f"nobody called {viewer!r} sits at this table: {', '.join(filter(None, known))}, public")


def lines(desk: Desk, held: GameAtDesk, viewer: str, after: int = 0, limit: int = MAX_LINES) -> list[ReadLine]:
    """Return the lines behind the line `after`, at most so many.

    Where the game cannot be followed, nobody knows of the lines from there on who may see what: they are for those who
    see everything.
    """
    replay = held.scribe.replay
    if viewer == EVERYTHING:
        encode = replay.game.vocabulary.encode
        stored: Sequence[Any] = held.scribe.lines() if replay.stopped else replay.events
        seqs = [each.seq for each in stored] if replay.stopped else replay.seqs
        behind = [(seq, event) for seq, event in zip(seqs, stored, strict=True) if seq > after][:limit]
        return [ReadLine(seq=seq, line=msgspec.Raw(encode(event))) for seq, event in behind]
    places = [place for place, seq in enumerate(replay.seqs) if seq > after][:limit]
    view = desk.view(held)
    return [
        ReadLine(seq=replay.seqs[each], line=msgspec.Raw(view.step(each, viewer).source.encode()))
        for each in places
        if each < len(view)
    ]


def findings(desk: Desk, held: GameAtDesk, viewer: str, among: Sequence[Finding] | None = None) -> list[Finding]:
    """Return the findings of a game, or those of some of them that are there, as a viewer may read them."""
    among_these = held.scribe.replay.findings if among is None else among
    if viewer == EVERYTHING or not among_these:
        return [*among_these]
    view = desk.view(held)
    return [view.finding(number, viewer) for number, each in enumerate(view.findings) if each in among_these]


def table(desk: Desk, held: GameAtDesk, viewer: str, at: int | None = None) -> Sequence[Area]:
    """Return the table after the line `at`, or as it is now, as it is drawn for a viewer."""
    if viewer == EVERYTHING and at is None:
        return held.scribe.replay.game.areas(held.scribe.replay.table, viewer)
    view = desk.view(held)
    index = len(view) - 1 if at is None else _step_at(view, at)
    areas = view.areas(index, viewer)
    return areas if viewer == EVERYTHING else concealed(areas, view.hidden(index, viewer), {})


def _step_at(view: View, seq: int) -> int:
    """Return the last step up to a line."""
    return max((index for index, each in enumerate(view.replay.seqs[: len(view)]) if each <= seq), default=0)


def due(held: GameAtDesk, viewer: str) -> list[DueLine]:
    """Return what is owed now; what is asked only to who may know all that stands in it."""
    replay = held.scribe.replay
    if replay.table.over or replay.stopped:
        return []
    hidden = _hidden(held, viewer)
    return [_due(held, each, viewer, hidden) for each in replay.game.due(replay.table)]


def state(
    desk: Desk, held: GameAtDesk, viewer: str, among: Callable[[], Sequence[Finding]] | None = None
) -> dict[str, Any]:
    """Return the `findings` and what is `due` behind lines that are on the disk, and a `problem` where there is one.

    Where the game cannot be followed, or its package fails, the lines stand all the same: what is not known is left
    out. `among` asks for the findings that are wanted.
    """
    said: dict[str, Any] = {"findings": [], "due": []}
    try:
        said["findings"] = findings(desk, held, viewer, None if among is None else among())
        said["due"] = due(held, viewer)
    except TabletapeError as error:
        said["problem"] = told(error, viewer)
    else:
        stopped = held.scribe.replay.stopped
        if stopped is not None:
            why = f": {stopped.reason}" if viewer == EVERYTHING else ""
            said["problem"] = f"the game cannot be followed from line {stopped.seq} on{why}"
    return said


def told(error: TabletapeError, viewer: str) -> str:
    """Return in words what is wrong with a game: what its package says itself, to nobody who may not know all hands."""
    is_hidden = isinstance(error, PluginFailedError) and viewer != EVERYTHING
    return "the game's package has failed" if is_hidden else f"{error}"


def _due(held: GameAtDesk, each: Due, viewer: str, hidden: Collection[str]) -> DueLine:
    question = None
    if viewer in {EVERYTHING, each.player} and viewer != "":
        question = question_of(held.scribe.replay.table, each)
        if hidden and _concealed(question, hidden) != msgspec.json.encode(question).decode():
            question = None
    return DueLine(
        type=str(each.line.__struct_config__.tag),
        player=each.player,
        rule=each.rule,
        optional=each.optional or each.later,
        question=question,
    )


def _hidden(held: GameAtDesk, viewer: str) -> frozenset[str]:
    """Return the names of the cards that a viewer may not know now."""
    if viewer == EVERYTHING:
        return frozenset()
    table = held.scribe.replay.table
    return frozenset(name for name, card in table.cards.items() if not table.knows(viewer, card))


def _concealed(value: Any, hidden: Collection[str]) -> str:
    """Return a value as JSON in which hidden cards have no names."""
    text = msgspec.json.encode(value).decode()
    return re.sub(r'"([^"\\]+)"', lambda name: f'"{owner_of(name[1])}:?"' if name[1] in hidden else name[0], text)


def legal(held: GameAtDesk, viewer: str) -> list[LegalLine]:
    """Return what may be decided now: by everybody, or for a player by the player; for the public nothing.

    A card that lies hidden from the player is `B:?` in it: whoever turns it up says which it is.
    """
    replay = held.scribe.replay
    if replay.table.over or replay.stopped or viewer == "":
        return []
    offers_of_all = decisions(replay.game, replay.table, None if viewer == EVERYTHING else viewer)
    hidden = _hidden(held, viewer)
    offered = [
        _concealed(LegalLine(player=player, line=as_line(offer.event), supposed=offer.supposed), hidden)
        for player, offers in offers_of_all.items()
        if viewer in {EVERYTHING, player}
        for offer in offers
    ]
    different = dict.fromkeys(offered)
    return [_LEGAL_LINE.decode(each) for each in islice(different, MAX_LEGAL)]
