"""What pairs of games say about a change, in numbers and sentences, for the terminal and the page."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import combinations
from math import hypot, isinf
from operator import attrgetter
from statistics import fmean, median
from typing import Final

import msgspec

from tabletape.dashboard.questions.by_luck import luck_in_words
from tabletape.dashboard.statistics.clusters import clumps, clustered
from tabletape.dashboard.statistics.intervals import CONFIDENCE, STRICTER, share_in_words, z_of
from tabletape.dashboard.statistics.paired import Counts, Paired, Shift, mean_shift, paired, share_shift
from tabletape.dashboard.statistics.stopping import REJECT
from tabletape.projector.model.amounts import counted
from tabletape.projector.selfplay.kinds import Bot
from tabletape.projector.selfplay.outcomes import Played
from tabletape.projector.selfplay.what_if import Experiment, Pair

MAX_SHOWN: Final = 3
"""How many pairs whose winner changed are shown."""

MEASURES: Final = {
    "copies played of those in a hand": "played",
    "copies dead in a hand": "dead",
    "copies that could never be played": "unplayable",
}
"""What is shown of the copies of a card, by the field that counts them."""

NOT_AT_PLAY_WORDS: Final = (
    "It was never at play in these games, so they say nothing about it: that is not the same as no effect."
)
NO_CHOICE: Final = (
    "The side that does without never came to choose it, or nothing else was legal there: these games say nothing of "
    "it: that is not the same as no effect."
)

ONLY_WHERE: Final = (
    "One side does it only where nothing else is legal, by the same rules. What it loses is what it is worth."
)

OF_BOTS: Final = "This speaks of bots: it says how the rules pull, not how people will play them."

PER_CENT: Final = 100
"""So many games say of themselves what they are of a hundred."""

WHOLE: Final = 1
"""From here on a difference is said in whole games or points: the interval is wider than what is behind the point."""

MIN_PAIRS: Final = 20
"""No interval by the deviation of fewer pairs is stopped at."""

RUNGS: Final = tuple(Bot)
"""The kinds of bots, the weakest first."""

Reach = tuple[float, float, float]
"""A mean difference, and the ends of its 95 % interval."""


class MeasureRow(msgspec.Struct, frozen=True):
    """A measure as it is, with the change, and in the games of people (empty where there are none).

    `has_interval`: the difference is told with one.
    """

    measure: str
    before: str
    after: str
    difference: str = ""
    people: str = ""
    has_interval: bool = False


class BotOutcome(msgspec.Struct, frozen=True, kw_only=True):
    """What one bot's pairs say: headline, sentences, measures side by side, and pairs that came out otherwise.

    Where one side may not play one card and nothing else differs, `without` is that card, and `at_play` what the pairs
    say in which that altered a step: `stats card-effects --lab` can begin with it. `altered`
    counts the pairs in which anything differs. Differences are of games won by a `side`, or of the score that all reach
    together.
    """

    game: str
    bot: Bot
    without: str
    at_play: Paired | None
    found: Paired
    altered: int
    unit: int
    side: str
    by_how_many: str
    headline: str
    sentences: tuple[str, ...]
    rows: tuple[MeasureRow, ...]
    parted: tuple[Pair, ...]

    @property
    def reach(self) -> Reach | None:
        """The mean difference and the ends of its 95 % interval, in points; None where the change was never at play."""
        if not self.altered:
            return None
        return self.unit * self.found.mean, self.unit * self.found.low, self.unit * self.found.high


def outcome_of(experiment: Experiment, pairs: Sequence[Pair], people: Sequence[Played] = ()) -> BotOutcome:
    """Return what some pairs say about a change; `people` are games of people, to set beside those of bots."""
    effect = paired([pair.difference for pair in pairs])
    before, after = [pair.before for pair in pairs], [pair.after for pair in pairs]
    at_play = [pair.difference for pair in pairs if pair.altered]
    without = experiment.restriction.cards if not experiment.restriction.never else ()
    rows = tuple(_rows(experiment, before, after, people))
    return BotOutcome(
        game=experiment.game,
        bot=experiment.bot,
        without=without[0] if len(without) == 1 else "",
        at_play=paired(at_play) if len(without) == 1 and at_play else None,
        found=effect,
        altered=sum(pair.altered for pair in pairs),
        unit=_unit(pairs),
        side=_side(experiment, pairs),
        by_how_many=_by_how_many(effect, pairs),
        headline=_headline(experiment, effect, pairs),
        sentences=(*_sentences(experiment, pairs, effect), *_by_luck(pairs, rows)),
        rows=rows,
        parted=tuple(pair for pair in pairs if pair.parting)[:MAX_SHOWN],
    )


def is_narrow(pairs: Sequence[Pair], until: float) -> bool:
    """Return whether the interval that always holds is as narrow as `until` points on either side of the mean."""
    if len(pairs) < MIN_PAIRS or not until:
        return False
    return 0 < _unit(pairs) * paired([pair.difference for pair in pairs]).always <= until


def kinds_in_words(kinds: Iterable[tuple[Bot, Reach | None]]) -> str:
    """Return the sentence that kinds of bots agree, that it depends on play, or that it is open; empty for one kind.

    Of each kind its mean difference is given with the ends of its interval, or None where the change was not at play.

    They *agree* where the interval of each lies on the same side of 0. Else it *depends on play* where two of them
    clearly differ: the 99 % interval of their difference leaves out 0.
    """
    told = [(bot, reach) for bot, reach in kinds if reach is not None]
    if len(told) < 2:
        return ""
    sides = {int(low > 0) - int(high < 0) for _, (_, low, high) in told}
    trend = _trend_in_words([(RUNGS.index(bot), *reach) for bot, reach in told])
    if sides in ({-1}, {1}):
        return f"Kinds of bots agree: the change {'helps' if sides == {1} else 'harms'} each of them{trend}."
    if any(_is_clear(one, other) for (_, one), (_, other) in combinations(told, 2)):
        most, least = (bot for bot, _ in (max(told, key=_mean), min(told, key=_mean)))
        return f"It depends on play: the change is better for {most} bots than for {least} bots{trend}."
    return f"What kinds of bots say is open: they neither agree nor clearly differ{trend}."


def _mean(told: tuple[Bot, Reach]) -> float:
    return told[1][0]


def _is_clear(one: Reach, other: Reach) -> bool:
    """Return whether two means with their 95 % intervals differ by more than the 99 % interval of their difference."""
    error = hypot(*((high - low) / 2 for _, low, high in (one, other))) / z_of(CONFIDENCE)
    return abs(one[0] - other[0]) > z_of(STRICTER) * error


def _trend_in_words(rungs: Sequence[tuple[int, float, float, float]]) -> str:
    """Return how much the effect changes from one rung of the ladder of bots to the next, by least squares."""
    middle = fmean(place for place, *_ in rungs)
    square = sum((place - middle) ** 2 for place, *_ in rungs)
    each = sum((place - middle) * mean for place, mean, _, _ in rungs) / square
    half = hypot(*((place - middle) * (high - low) / 2 / square for place, _, low, high in rungs))
    return f" ({signed(each)} \N{PLUS-MINUS SIGN} {half:.1f} from one kind to the next stronger one)"


def _unit(pairs: Sequence[Pair]) -> int:
    """Return how many points a difference of 1 is: 100 of a game won, 1 of the score that all reach together."""
    return 1 if _is_together(pairs) else 100


def _is_together(pairs: Sequence[Pair]) -> bool:
    return any(pair.is_together for pair in pairs)


def bounded(unit: int, difference: float) -> float:
    """Return a difference in points; of games won it is at most all of them."""
    return unit * difference if unit == 1 else max(-100.0, min(unit * difference, 100.0))


def signed(value: float) -> str:
    """Return a number of points with its sign: `-0.7`."""
    words = f"{value:+.1f}"
    return "0.0" if words in {"-0.0", "+0.0"} else words.replace("-", "\N{MINUS SIGN}")


def change_in_words(experiment: Experiment) -> str:
    """Return what is different in the second game of each pair."""
    may_not = experiment.restriction
    if may_not:
        return " and ".join(
            [*(f"without {card}" for card in may_not.cards), *(f"never {each.words}" for each in may_not.never)]
        )
    changes = [f"{card} with {_numbers(experiment, card)}" for card in experiment.cards]
    changes += [each.words for each in experiment.numbers]
    changes += [f"{key}={option}" for key, option in experiment.changed_rulings.items()]
    return " and ".join(changes) or "no change"


def _numbers(experiment: Experiment, card: str) -> str:
    return ", ".join(change.words for change in experiment.changes if change.card == card)


def _headline(experiment: Experiment, effect: Paired, pairs: Sequence[Pair]) -> str:
    if _is_change(experiment) and not any(pair.altered for pair in pairs):
        return f"{_begun(experiment)}: in 0 of {counted(effect.n, 'game')} of {experiment.bot} bots did it alter a step"
    side, games = _side(experiment, pairs), f"{counted(effect.n, 'game')} of {experiment.bot} bots"
    is_together = _is_together(pairs)
    more, less, verb = ("higher", "lower", "is") if is_together else ("more often", "less often", "wins")
    # An interval around 0 is no proof that nothing differs: it says how large a difference may have stayed hidden.
    is_open = effect.low <= 0 <= effect.high
    found = "no difference is shown" if is_open else f"{side} {verb} {more if effect.mean > 0 else less}"
    told = f"{_begun(experiment)}: {found}. In {games}, each played twice, {side if is_open else 'it'}"
    reach = _by_how_many(effect, pairs)
    if is_together:
        return f"{told} is {reach}"
    before, after = (sum(getattr(pair, each).won for pair in pairs) for each in ("before", "after"))
    return f"{told} won {before:,} without the change and {after:,} with it: {reach}"


def _by_how_many(effect: Paired, pairs: Sequence[Pair]) -> str:
    """Return a difference with its interval as people say it: `5 of a hundred fewer (likely 12 fewer to 2.0 more)`."""
    is_together = _is_together(pairs)
    more, fewer, alike = ("points higher", "points lower", "as high") if is_together else ("more", "fewer", "as many")
    of = "" if is_together or effect.n == PER_CENT else " of a hundred"
    # Few pairs have an interval whose middle is not their mean: `mean ± half` would be another one.
    (mean, way), (low, below), (high, above) = (
        (_near(bounded(_unit(pairs), each)), more if each > 0 else fewer)
        for each in (effect.mean, effect.low, effect.high)
    )
    first = f"{mean}{of} {way}" if effect.mean else alike
    return f"{first} (likely {low}{'' if below == above else f' {below}'} to {high} {above})"


def _near(value: float) -> str:
    """Return the size of a difference, with a digit behind the point only where it is small."""
    return f"{abs(value):.{int(abs(value) < WHOLE)}f}"


def _begun(experiment: Experiment) -> str:
    """Return a change as the beginning of a sentence; the key of a ruling stays as it is written."""
    change = change_in_words(experiment)
    return change if change.partition(" ")[0].count("=") else f"{change[0].upper()}{change[1:]}"


def _side(experiment: Experiment, pairs: Sequence[Pair]) -> str:
    """Return whose wins are looked at."""
    if _is_together(pairs):
        return "the score that all reach together"
    if experiment.restriction:
        return "the side that does without"
    return f"the side that holds {experiment.cards[0]}" if pairs[0].side else "whoever begins"


def _is_change(experiment: Experiment) -> bool:
    return bool(experiment.changes or experiment.numbers or experiment.changed_rulings or experiment.restriction)


def _sentences(experiment: Experiment, pairs: Sequence[Pair], effect: Paired) -> Iterator[str]:
    altered = sum(pair.altered for pair in pairs)
    if _is_change(experiment) and not altered:
        yield NO_CHOICE if experiment.restriction else NOT_AT_PLAY_WORDS
        return
    if altered < effect.n and _is_change(experiment):
        yield f"It altered a step in {altered:,} of {counted(effect.n, 'game')}; the others went as they are."
    differing = effect.more + effect.fewer
    yield (
        f"{differing:,} of {counted(effect.n, 'game')} came out otherwise: {effect.more} for the change, "
        f"{effect.fewer} against it (luck alone does that with probability {effect.p:.2g})."
    )
    unit = _unit(pairs)
    low, high = (signed(bounded(unit, effect.mean + side * effect.always)) for side in (-1, 1))
    e_value = f"evidence against luck {effect.e_value:.2g} (an e-value: {REJECT:g} is enough, however often one looks)"
    unit_said = "points" if unit == 1 else "games of a hundred"
    yield f"Whenever one stops: {low} to {high} {unit_said}, {e_value}."
    open_games = sum(not each.finished for pair in pairs for each in (pair.before, pair.after))
    if open_games:
        yield f"{counted(open_games, 'game')} did not finish: no side has won them."
    nobody = sum(each.finished and not each.decisive for pair in pairs for each in (pair.before, pair.after))
    if nobody and not _is_together(pairs):
        games = 2 * len(pairs)
        said = _no_win(is_every=nobody == games)
        yield f"{nobody:,} of these {games:,} games, as they are and changed, had no winner: {said}."
    if experiment.restriction:
        yield ONLY_WHERE
    yield OF_BOTS
    if experiment.cards and not pairs[0].side:
        shown = "what is shown is how often the first player wins"
        yield f"Every deck list holds {experiment.cards[0]}, so both sides have the change: {shown}."
    if len(experiment.cards) > 1 and pairs[0].side and not experiment.restriction:
        yield f"The other side has a deck without {experiment.cards[0]}; it may hold the other changed cards."


def _by_luck(pairs: Sequence[Pair], rows: Sequence[MeasureRow]) -> Iterator[str]:
    """Say how many differences of the measures leave out 0 by luck; nothing where the two games are always the same."""
    told = sum(row.has_interval for row in rows)
    if any(pair.altered for pair in pairs):
        luck = luck_in_words(told * (1 - CONFIDENCE))
        measures = counted(told, "difference")
        yield f"If nothing mattered, {luck} of {measures} of measures would still seem clear (without 0), on average."


def _no_win(*, is_every: bool) -> str:
    """Return what games without a winner mean for the difference."""
    return "nothing above speaks of this game" if is_every else "they are no side's win, and not half a win"


def _rows(
    experiment: Experiment, before: Sequence[Played], after: Sequence[Played], people: Sequence[Played]
) -> Iterator[MeasureRow]:
    finished = [each for each in people if each.finished]
    is_together = any(each.score is not None for each in before)
    if (experiment.cards or experiment.restriction) and not is_together:
        whose = "that does without" if experiment.restriction else f"with {experiment.cards[0]}"
        yield _wins(f"wins of the side {whose}", "won", (before, after, ()))
    if not is_together:
        yield _wins("wins of who begins", "first_won", (before, after, finished))
    for what in ("turns", "decisions", *(("score",) if is_together else ())):
        asked = attrgetter(what)
        told = [pair for pair in zip(map(asked, before), map(asked, after), strict=True) if None not in pair]
        if told:  # a game that was not finished has no score
            here, there = zip(*told, strict=True)
            of_people = _median([each for each in map(asked, finished) if each is not None])
            yield _row(what, (_median(here), _median(there), of_people), mean_shift(here, there), 1, " on average")
    yield _things("decisions without an alternative", (before, after, people), lambda each: (each.forced, each.choices))
    for place, card in enumerate(experiment.cards):
        of = f" of {card}" if len(experiment.cards) > 1 else ""
        for measure, field in MEASURES.items():
            label = measure.replace("copies", f"copies{of}", 1)
            yield _things(label, (before, after, people), partial(_use, place=place, field=field))


def _use(played: Played, *, place: int, field: str) -> Counts:
    """Return how many copies of a card something became of in a game, and how many there were."""
    use = played.uses[place]
    return getattr(use, field), use.seen


def _wins(measure: str, field: str, played: Sequence[Sequence[Played]]) -> MeasureRow:
    """Return a share of the games that somebody won: as it is, with the change, and (if there are any) of people."""
    won = [[getattr(each, field) for each in games if each.decisive] for games in played]
    cells = [share_in_words(sum(each), len(each)) if each else "" for each in won]
    counts = [[(float(getattr(each, field)), float(each.decisive)) for each in games] for games in played[:2]]
    shift = share_shift(counts[0], counts[1])
    return _row(measure, cells, shift, 100)


def _things(measure: str, played: Sequence[Sequence[Played]], counts_of: Callable[[Played], Counts]) -> MeasureRow:
    """Return a share of things that come in clumps, game by game: as it is, with the change, and of people."""
    counts = [[counts_of(each) for each in games] for games in played]
    shift = share_shift(counts[0], counts[1])
    cells = [_share_of_things(each) for each in counts]
    return _row(measure, cells, shift, 100)


def _row(measure: str, cells: Sequence[str], shift: Shift | None, unit: int, behind: str = "") -> MeasureRow:
    """Return a measure as it is, with the change and of people, with how far it shifts."""
    before, after, people = cells
    moved = f"{_shift_in_words(shift, unit)}{behind}" if shift else ""
    return MeasureRow(measure, before, after, moved, people, has_interval=shift is not None and not isinf(shift.low))


def _share_of_things(counts: Sequence[Counts]) -> str:
    hits, n = sum(h for h, _ in counts), sum(n for _, n in counts)
    return share_in_words(hits, n, clustered(hits, n, clumps(counts))) if n else ""


def _median(numbers: Sequence[float]) -> str:
    return f"{median(numbers):g} (median)" if numbers else ""


def _shift_in_words(shift: Shift, unit: float) -> str:
    """Return a shift with its interval: `-3.0 ± 3.5`, or with its ends where one of them is all that is possible."""
    value = signed(unit * shift.value)
    if isinf(shift.low):
        return value
    below, above = (f"{unit * reach:.1f}" for reach in (shift.value - shift.low, shift.high - shift.value))
    if below == above:
        return f"{value} \N{PLUS-MINUS SIGN} {above}"
    return f"{value} ({signed(unit * shift.low)} to {signed(unit * shift.high)})"
