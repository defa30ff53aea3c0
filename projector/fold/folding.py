"""A whole game folded: under the ruleset of its log or another one, in the reading that its later lines bear out."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from tabletape.events.vocabulary import Event
from tabletape.events.vocabulary.shared import GameStarted
from tabletape.projector.fold.hypotheses import KINDS_BY_HOW
from tabletape.projector.fold.hypotheses.hypothesis import ReadingChoice
from tabletape.projector.fold.misread import Misread
from tabletape.projector.fold.refolding import Refolding, TooMuchFoldedError
from tabletape.projector.fold.replay import Replay
from tabletape.projector.fold.second_records import each_line_once
from tabletape.projector.fold.traced import Traced
from tabletape.projector.model.game import Game
from tabletape.projector.model.rulebook import Ruleset
from tabletape.projector.model.rules import HARD, WentOn
from tabletape.projector.model.table import CannotFoldError

MAX_READINGS: Final = 32
"""Lines of one game of which both readings are followed; in a log with more nearly every line is out of step."""


def fold(  # noqa: PLR0913 - what to fold and under which rules
    game: Game,
    events: Sequence[Event],
    *,
    edition: str = "",
    rulings: Mapping[str, str] | None = None,
    library: Mapping[str, Any] | None = None,
    traced: bool = False,
) -> Replay:
    """Fold a whole game under the edition and rulings of its own `game.started`, or others laid over them.

    Raises `RulesetError` for an edition, ruling or option that the game does not have.
    """
    started = events[0] if events else None
    if not isinstance(started, GameStarted):
        raise CannotFoldError("the log does not begin with game.started")
    ruleset = ruleset_of(game, started.edition, started.rulings, edition=edition, rulings=rulings or {})
    return fold_under(game, ruleset, events, library, traced=traced)


def fold_under(
    game: Game,
    ruleset: Ruleset,
    events: Sequence[Event],
    library: Mapping[str, Any] | None = None,
    *,
    traced: bool = False,
) -> Replay:
    """Fold a whole game under a ruleset, in the reading of its wrong lines that the later ones bear out."""
    replay, went_on = _choose_readings(
        events, lambda misread: Replay(game, ruleset, library, misread).run(events).finish()
    )
    if traced:
        replay = Traced(game, ruleset, library, replay.misread).run(events).finish()
    if went_on:
        replay.went_on = went_on
    return replay


def ruleset_of(
    game: Game, written: str, table: Mapping[str, str], *, edition: str = "", rulings: Mapping[str, str]
) -> Ruleset:
    """Return the ruleset of a game whose log says edition `written` and rulings `table`, with others laid over them.

    An edition that the rulebook does not have is read as its usual one. Raises `RulesetError` as `fold` does.
    """
    rulebook = game.rulebook
    return rulebook.ruleset(edition, table, rulings) if edition else rulebook.ruleset_of_log(written, table, rulings)


# -- two readings of a line --------------------------------------------------------------------------------------------


def _choose_readings(
    events: Sequence[Event], fold: Callable[[frozenset[Misread]], Replay]
) -> tuple[Replay, Mapping[int, WentOn]]:
    """Return the fold of a game in the reading that its later lines bear out, and what was decided for which line.

    `fold` folds the game with the given lines taken as written down wrongly. Where that has been done for too many
    lines, the ones that are left are taken as they stand.
    """
    replay = fold(frozenset())
    if replay.stopped is None and replay.table.took_too_long:
        return replay, {}
    replay = each_line_once(replay, events, fold)
    if not replay.open_to_doubt:
        return replay, {}
    refold = Refolding(replay, fold)
    decided: dict[int, WentOn] = {}
    seen: set[Misread] = set()
    while replay.open_to_doubt and len(seen) < MAX_READINGS and (doubted := _next(replay, seen)):
        seen.update(doubted)
        try:
            replay, went_on = _choose_reading(replay, doubted, refold)
        except TooMuchFoldedError:
            break
        decided |= went_on
    return replay, decided


def _choose_reading(now: Replay, doubted: Sequence[Misread], refold: Refolding) -> tuple[Replay, Mapping[int, WentOn]]:
    """Return the same for the readings of one line."""
    best = now
    decided: dict[int, WentOn] = {}
    for misread in doubted:
        hypothesis = KINDS_BY_HOW[misread.how]
        other = hypothesis.fold(now, misread, refold)
        choice = ReadingChoice(now, best, other, misread, now.open_to_doubt[misread], refold)
        best = hypothesis.choose(choice)
        if went_on := hypothesis.went_on(choice):
            decided[misread.seq] = went_on
    return best, decided


def _next(replay: Replay, seen: set[Misread]) -> list[Misread]:
    """Return the readings that have not been looked at yet of the first line for which there are any.

    Where there are more than are followed, it is the last one before what is found wrong first: what is misread shows
    soon.
    """
    left = {each: doubt.line for each, doubt in replay.open_to_doubt.items() if each not in seen}
    left = {each: line for each, line in left.items() if KINDS_BY_HOW[each.how].is_worth_a_fold(replay, each)}
    line = min(left.values(), default=0)
    if len(left) > MAX_READINGS - len(seen):
        wrong = min((each.seq for each in replay.raw_findings if each.kind in HARD), default=0)
        line = max((each for each in left.values() if each <= wrong), default=line)
    return [misread for misread, doubted in left.items() if doubted == line]
