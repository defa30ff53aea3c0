"""What branches of a game say: who wins from a step on, as the game was recorded and under changed rules."""

from collections.abc import Iterator, Mapping, Sequence
from statistics import median
from typing import Final

import msgspec
from msgspec import structs

from tabletape.dashboard.statistics.intervals import share_in_words
from tabletape.dashboard.statistics.paired import paired
from tabletape.dashboard.what_if import bounded, signed
from tabletape.projector.fold.replay import Replay
from tabletape.projector.model.amounts import counted
from tabletape.projector.selfplay.branch import Stem, branches, stem_of
from tabletape.projector.selfplay.simulate import Plan

RECORDED_BRANCH: Final = "as recorded"
CHANGED_BRANCH: Final = "changed"


class Summary(msgspec.Struct, frozen=True, kw_only=True):
    """What was played from a step on: a headline, a table of rows by column, and sentences below it."""

    headline: str
    rows: tuple[Mapping[str, str], ...]
    sentences: tuple[str, ...]


class Ended(msgspec.Struct, frozen=True):
    """How a branch ended: who won, its lines behind the step, and why it was abandoned (or empty)."""

    winners: tuple[str, ...]
    lines: int
    abandoned: str


class Branches(msgspec.Struct, kw_only=True):
    """The rest of a game from a step on, as far as it was played.

    `stems` are what is played, by name; `found` holds the branches of each, of which the n-th have the same dice.
    """

    played: Replay
    step: int
    stems: dict[str, Stem]
    found: dict[str, list[Ended]]

    @property
    def number(self) -> int:
        """How often the rest was played."""
        return len(self.found[RECORDED_BRANCH])


def side_by_side(played: Replay, step: int, plan: Plan) -> Branches:
    """Return what is to be played: the game by its own rules, and beside it by those of the plan where they differ.

    Raises `BranchError` where nobody can go on from the step, `RulesetError` for an impossible ruling.
    """
    stems = {RECORDED_BRANCH: stem_of(played, step, structs.replace(plan, edition="", rulings={}))}
    changed = stem_of(played, step, plan)
    if changed != stems[RECORDED_BRANCH]:
        stems[CHANGED_BRANCH] = changed
    return Branches(played=played, step=step, stems=stems, found={name: [] for name in stems})


def play(asked: Branches, number: int, *, processes: int = 0) -> Iterator[int]:
    """Play the rest `number` times and yield how often it has been played; a caller may stop early."""
    for each in branches(tuple(asked.stems.values()), number, processes=processes):
        for name, match in zip(asked.found, each, strict=True):
            lines = len(match.events) - asked.step
            asked.found[name].append(Ended(match.winners, lines, match.abandoned))
        yield asked.number


def summary_of(asked: Branches) -> Summary:
    """Return what the branches say. Raises `ValueError` where none was played."""
    if not asked.number:
        raise ValueError("no branch was played")
    bot = asked.stems[RECORDED_BRANCH].plan.bots[0]
    times = counted(asked.number, "time")
    game_id = getattr(asked.played.events[0], "id", "")
    return Summary(
        headline=f"Branch of {game_id} from step {asked.step}: the rest played {times} by {bot} bots",
        rows=tuple(_rows(asked)),
        sentences=tuple(_sentences(asked)),
    )


def _rows(asked: Branches) -> Iterator[dict[str, str]]:
    matches, number = asked.found, asked.number
    for seat in asked.played.table.players.values():
        won = {name: [float(seat.id in match.winners) for match in each] for name, each in matches.items()}
        yield _row(f"{seat.name} won", {name: share_in_words(sum(each), number) for name, each in won.items()}, won)
    lines = {name: f"{median(match.lines for match in each):g} (median)" for name, each in matches.items()}
    yield _row("lines from there on", lines, {})


def _row(measure: str, cells: Mapping[str, str], won: Mapping[str, Sequence[float]]) -> dict[str, str]:
    row = {"measure": measure, **cells}
    if CHANGED_BRANCH in cells:
        row["difference"] = _difference(won) if won else ""
    return row


def _difference(won: Mapping[str, Sequence[float]]) -> str:
    pairs = zip(won[RECORDED_BRANCH], won[CHANGED_BRANCH], strict=True)
    effect = paired([after - before for before, after in pairs])
    mean, low, high = (signed(bounded(100, each)) for each in (effect.mean, effect.low, effect.high))
    return f"{mean} points ({low} to {high})"


def _sentences(asked: Branches) -> Iterator[str]:
    for name, matches in asked.found.items():
        where = f", {name}" if len(asked.stems) > 1 else ""
        nobody = sum(not match.winners and not match.abandoned for match in matches)
        if nobody:
            yield f"Nobody won {nobody} of {len(matches)}{where}."
        unfinished = [match.abandoned for match in matches if match.abandoned]
        if unfinished:
            yield f"{len(unfinished)} of {len(matches)} did not end{where}, the first one so: {unfinished[0]}."
    if len(asked.stems) > 1:
        yield "Both have the same dice, branch by branch; the difference is that of pairs, with its 95 % interval."
    yield "A branch is no game: it is shown and not kept, and counts in no statistics."
