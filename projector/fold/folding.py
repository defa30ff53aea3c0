"""A whole game folded: under the ruleset of its log or another one, in the reading that its later lines bear out.

A consequence that differs from the derived one, or a total that differs from the fold's, can be a slip of the hand (the
table had it so) or of the pen (the table had what the rules say). So can a line that ends a turn, or one that would be
right if the turn had ended before it, or in an earlier place. Later lines decide: of the two folds the one with fewer
findings at the first line where they differ is what the table went on with.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from tabletape.events.vocabulary import Decision, Event
from tabletape.events.vocabulary.shared import GameStarted
from tabletape.projector.fold.gc_pause import GcPause
from tabletape.projector.fold.misread import Misread
from tabletape.projector.fold.replay import Replay
from tabletape.projector.fold.traced import Traced
from tabletape.projector.model.game import Game
from tabletape.projector.model.rulebook import Ruleset
from tabletape.projector.model.rules import WentOn
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
    with GcPause():  # to the end: a replay that is thrown away at once is then looked at once, not twice
        replay, went_on = _choose_readings(lambda misread: Replay(game, ruleset, library, misread).run(events).finish())
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


def _choose_readings(refold: Callable[[frozenset[Misread]], Replay]) -> tuple[Replay, Mapping[int, WentOn]]:
    """Return the fold of a game in the reading that its later lines bear out, and what was decided for which line.

    `refold` folds the game with the given lines taken as written down wrongly.
    """
    replay = refold(frozenset())
    decided: dict[int, WentOn] = {}
    seen: set[Misread] = set()
    while replay.open_to_doubt and len(seen) < MAX_READINGS and (doubted := _next(replay, seen)):
        seen.update(doubted)
        best, early = replay, None
        for misread in doubted:
            other, doubt = refold(replay.misread | _alike(replay, misread)), replay.open_to_doubt[misread]
            if misread.how == "early" and _found(other, misread.seq)[doubt.line]:
                continue  # what has put that end of a turn in doubt is wrong without it as well
            has_begun = misread.how == "part" and misread.seq < doubt.line  # so all may be right, the line in doubt too
            after, but = (misread.seq - 1, 0) if has_begun else (misread.seq, doubt.line)
            if misread.how == "late" and misread.seq < doubt.line:
                after = _end_of_turn(replay, doubt.line)
                if sum(number for seq, number in _found(other, misread.seq - 1).items() if seq <= after) > 1:
                    continue  # with the end that is missing nothing else is wrong in the turn
            surplus = _surplus(best, other, after=after, but=but)
            if surplus and misread.how == "wrong":
                decided[misread.seq] = "derived" if surplus > 0 else "written"
            is_gone_on_from = best is replay and _is_gone_on_from(replay, doubt.line)
            is_likelier = doubt.is_likelier and (is_gone_on_from or misread.how == "behind")
            if early is not None and misread.how == "late" and not surplus:
                best = _of_two(refold, best, other, (early.seq, doubt.line))
            elif surplus > 0 or (not surplus and is_likelier):
                best, early = other, misread if misread.how == "early" else None
        replay = best
    return replay, decided


def _next(replay: Replay, seen: set[Misread]) -> list[Misread]:
    """Return the readings that have not been looked at yet of the first line for which there are any."""
    left = {misread: doubt.line for misread, doubt in replay.open_to_doubt.items() if misread not in seen}
    return [misread for misread, line in left.items() if line == next(iter(left.values()))]


def _alike(replay: Replay, misread: Misread) -> frozenset[Misread]:
    """Return what is misread together: who writes one draw in several lines writes others so as well.

    A draw goes on behind the line that is found wrong, or it has begun before it.
    """
    if misread.how != "part":
        return frozenset((misread,))
    doubts = replay.open_to_doubt
    begins = doubts[misread].line == misread.seq
    return frozenset(each for each in doubts if each.how == "part" and begins == (doubts[each].line == each.seq))


def _of_two(
    refold: Callable[[frozenset[Misread]], Replay], early: Replay, late: Replay, lines: tuple[int, int]
) -> Replay:
    """Return the better one of two folds that later lines bear out alike: a turn had not ended, or two have.

    What is wrong is found at the two `lines`; where both have one finding there, nobody can tell which of them it is.
    """
    one, two = ([each for each in replay.raw_findings if each.seq in lines] for replay in (early, late))
    if len(one) != len(two):
        return early if len(one) < len(two) else late
    return refold(early.misread | {Misread(lines[0], "open")}) if len(one) == 1 else early


def _end_of_turn(replay: Replay, seq: int) -> int:
    """Return the number of the line that ends the turn of the line `seq`; that of the last line where none does."""
    turn_end, lines = replay.game.turn_end, zip(replay.seqs, replay.events, strict=True)
    ends = (number for number, event in lines if turn_end and number >= seq and type(event) is turn_end.by)
    return next(ends, replay.seqs[-1])


def _is_gone_on_from(replay: Replay, seq: int) -> bool:
    """Return whether decisions follow on a line; that nothing is wrong with them speaks for the end of a turn."""
    later = zip(replay.seqs, replay.events, strict=True)
    return any(number > seq and isinstance(event, Decision) for number, event in later)


def _surplus(one: Replay, other: Replay, *, after: int, but: int) -> int:
    """Return how many more findings one fold has than the other at the first line after `after` where they differ.

    The line `but` is the one in doubt, where something is wrong with it in either reading.
    """
    mine, theirs = (_found(each, after) for each in (one, other))
    first = min((seq for seq in {*mine, *theirs} if mine[seq] != theirs[seq] and seq != but), default=0)
    return mine[first] - theirs[first]


def _found(replay: Replay, after: int) -> Counter[int]:
    found = Counter(each.seq for each in replay.raw_findings if each.kind != "unverifiable" and each.seq > after)
    if replay.stopped is not None:
        found[replay.stopped.seq] += 1
    return found
