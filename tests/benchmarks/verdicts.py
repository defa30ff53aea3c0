"""Measure in how many right games somebody is accused, however their log is kept.

    PYTHONPATH=. python tests/benchmarks/verdicts.py [--games 40] [--slips 40] [--seed 1] [--game NAME] [--part PART]

*legal*: games of bots in full and sparse, of three and four where the rules allow it; with the consequences of one
line, of one stretch, a tenth or all written late, in any order within the two decisions that follow; with some written
twice, in a row, one keeper's behind the other's, or behind the next decisions; with every line written by two keepers.
Whatever is found but infos counts; where lines in the middle could not be read (*gap*), or hardly anything is written
of what follows, and all of that late (*5%*, *10%*, *20%*), who is accused.

*wrong*: of two wrong numbers not both are found, or another line is. In *breach and slip* a decision is made before its
time and a wrong number stands near it: those games count in which not both are found, or another line is a cause. Then
one line names another player, place, phase or round, first a consequence, then a play or a line of luck: *elsewhere*
counts the games in which another line or several are a cause, *unaccused* those in which none is; the line is said to
be a second one then, or one that tells nothing new. A play with a wrong word may be as legal, and the first later line
that contradicts it may be the wrong one as well: *several* counts the games in which more than one line is a cause, and
*one cause* is said of those that something contradicts.

*mended*: how often, in per cent, the right line is among the first proposals that explain as much, and a duty that was
not done is taken for done with certainty, in sparse logs; *mended-full* in full ones.

*set-up*: how many breaches of five kinds are still named where a line before the first turn could not be read.
"""

import argparse
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from random import Random
from types import UnionType
from typing import Any, Final

import msgspec
from rich.console import Console
from rich.table import Table

from tabletape.events.vocabulary import Chance, Consequence, Decision, Event, tag_of
from tabletape.events.vocabulary.shared import LogGap, PhaseStarted
from tabletape.projector.fold.folding import fold
from tabletape.projector.fold.replay import Replay
from tabletape.projector.games import game, games
from tabletape.projector.mending.edits import bare
from tabletape.projector.model.rules import HARD
from tabletape.projector.selfplay.kinds import Bot
from tabletape.projector.selfplay.simulate import Plan, SimulationError, simulate
from tests.benchmarks.mending_speed import SLIPS, Counts, duty_not_done, one_slip
from tests.projector.test_late_lines import behind_the_next_decision, written_late
from tests.projector.test_several_mistakes import (
    MOST_LOST,
    in_a_row,
    one_behind_decisions,
    one_behind_the_other,
    two_logs,
)
from tests.unreadable import UNREADABLE, opening, unreadable
from tests.written_games import game_of_bots
from tests.wrong_values import FIRST, Slip, accusations, values_of, with_play_too_early, wrong_words

CONSOLE: Final = Console(width=200)
STRETCH: Final = 30
TWICE: Final = 0.3


def one_late(events: tuple[Event, ...], rng: Random) -> tuple[Event, ...]:
    """Return a log in which one consequence stands behind the next decision."""
    places = [here for here, event in enumerate(events) if isinstance(event, Consequence)]
    return behind_the_next_decision(events, rng.choice(places))


def stretch_late(events: tuple[Event, ...], rng: Random) -> tuple[Event, ...]:
    """Return a log in which all consequences of one stretch are late."""
    here = rng.randrange(1, len(events) - STRETCH)
    return (*events[:here], *written_late(events[here : here + STRETCH], 1.0, rng), *events[here + STRETCH :])


WAYS: Final[dict[str, Callable[[tuple[Event, ...], Random], Iterable[Event]]]] = {
    "full": lambda events, _rng: events,
    "one late": one_late,
    "stretch late": stretch_late,
    "tenth late": lambda events, rng: written_late(events, 0.1, rng),
    "all late": lambda events, rng: written_late(events, 1.0, rng),
    "in a row": lambda events, rng: in_a_row(events, TWICE, rng),
    "behind": lambda events, rng: one_behind_the_other(events, TWICE, rng),
    "behind decisions": lambda events, rng: one_behind_decisions(events, TWICE, rng),
    "two logs": lambda events, rng: tuple(events[at] for at in two_logs(events, rng)),
}


def is_accused(slug: str, lines: Iterable[Event]) -> bool:
    """Return whether more than an info is found in a log."""
    replay = fold(game(slug), [*lines])
    return replay.stopped is not None or any(found.kind != "info" for found in replay.findings)


def has_a_cause(slug: str, lines: Iterable[Event]) -> bool:
    """Return whether anybody is accused in a log."""
    replay = fold(game(slug), [*lines])
    return replay.stopped is not None or any(found.kind in HARD for found in replay.findings)


def is_confused(slug: str, seed: int, rng: Random) -> bool:
    """Return whether of a breach and a slip near it not both are found, or another line is a cause."""
    early, both = with_play_too_early(slug, seed, rng)
    found = [each for each in fold(game(slug), both.lines).findings if each.kind in HARD]
    wrong = {early.seq, both.seq}
    return not wrong <= {each.seq for each in found} or not {each.seq for each in found if not each.follows} <= wrong


def a_wrong_word(slug: str, seed: int, rng: Random, of: type[Event] | UnionType) -> Slip:
    """Return the game of a seed with a wrong word in a line of a kind; each type of a line is as likely."""
    found = list(wrong_words(game_of_bots(slug, seed), of))
    kind = rng.choice(sorted({type(each.right).__name__ for each in found}))
    return rng.choice([each for each in found if type(each.right).__name__ == kind])


def misplaced(slug: str, seed: int, rng: Random, of: type[Event] | UnionType) -> str:
    """Return whether one wrong word in a line of a kind accuses several lines, another one or none; else empty."""
    slip = a_wrong_word(slug, seed, rng, of)
    accused, _ = accusations(slug, slip)
    said = [slip.lines[seq - 1] for seq in accused]  # a line that says the same may as well be the wrong one
    return "" if said == [slip.wrong] else "several" if len(said) > 1 else "elsewhere" if said else "unaccused"


def contradicted(slug: str, seed: int, rng: Random, of: type[Event] | UnionType) -> str:
    """Return in how many lines one wrong word in a line of a kind is found: `none` where nothing contradicts it."""
    slip = a_wrong_word(slug, seed, rng, of)
    accused, _ = accusations(slug, slip)
    ruleset = fold(game(slug), slip.lines).ruleset
    plain = Replay(game(slug), ruleset, settled=True).run(slip.lines).finish().raw_findings
    return "none" if not any(each.kind in HARD for each in plain) else "one" if len(accused) == 1 else "missed"


def two_slips(slug: str, seed: int, rng: Random) -> bool:
    """Return whether of two wrong numbers in a game not both are found, or another line is."""
    events = game_of_bots(slug, seed)
    places = [here for here, each in enumerate(events) if values_of(each) and not isinstance(each, PhaseStarted)]
    wrong = {here: rng.choice(values_of(events[here])) for here in rng.sample(places, 2)}
    found = fold(game(slug), [wrong.get(here, each) for here, each in enumerate(events)]).findings
    return {each.seq for each in found if each.kind in HARD} != {here + 1 for here in wrong}


def with_a_gap(events: tuple[Event, ...], rng: Random) -> tuple[Event, ...]:
    """Return a log of which some lines in a row, in its middle, could not be read."""
    here = rng.randrange(len(events) // 4, 3 * len(events) // 4)
    there = min(len(events) - 1, here + rng.randint(1, MOST_LOST))
    return (*events[:here], LogGap(lines=there - here, text="lost"), *events[there:])


def of_more_players(slug: str, seed: int) -> Iterator[tuple[Event, ...]]:
    """Yield a game each of three and of four bots, where the rules allow so many."""
    one = game(slug)
    for number in (3, 4):
        try:
            (match,) = simulate(one, one.cards, Plan(seed=seed, bots=(Bot.RANDOM,) * number), 1)
        except SimulationError:
            continue
        yield tuple(match.events)


def legal(slug: str, seeds: range, _: int) -> Iterator[tuple[str, str]]:
    """Yield the figures of legal games, however their log is kept."""
    more = [lines for seed in seeds for lines in of_more_players(slug, seed)]
    yield "sparse", str(sum(is_accused(slug, game_of_bots(slug, seed, full=False)) for seed in seeds))
    yield "3 and 4", f"{sum(is_accused(slug, lines) for lines in more)} of {len(more)}"
    for name, way in WAYS.items():
        written = (way(game_of_bots(slug, seed), dice(f"{name} {seed}")) for seed in seeds)
        yield name, str(sum(is_accused(slug, lines) for lines in written))
    lost = (with_a_gap(game_of_bots(slug, seed), dice(f"gap {seed}")) for seed in seeds)
    yield "gap", str(sum(map(partial(has_a_cause, slug), lost)))
    for kept in (0.05, 0.1, 0.2):
        left = (written_late(game_of_bots(slug, seed), 1.0, dice(f"left {kept} {seed}"), kept=kept) for seed in seeds)
        yield f"{kept:.0%}, all late", str(sum(map(partial(has_a_cause, slug), left)))


def wrong(slug: str, seeds: range, _: int) -> Iterator[tuple[str, str]]:
    """Yield the figures of games with mistakes."""
    yield "two slips", str(sum(two_slips(slug, seed, dice(f"two {seed}")) for seed in seeds))
    yield "breach and slip", str(sum(is_confused(slug, seed, dice(seed)) for seed in seeds))
    written, done = (
        Counter(misplaced(slug, seed, dice(seed), kind) for seed in seeds) for kind in (Consequence, Decision | Chance)
    )
    yield "elsewhere", str(written["elsewhere"] + written["several"])
    yield "unaccused", str(written["unaccused"])
    for name in ("several", "elsewhere", "unaccused"):
        yield f"play: {name}", str(done[name])
    found = Counter(contradicted(slug, seed, dice(seed), Decision | Chance) for seed in seeds)
    yield "one cause", f"{found['one']} of {found['one'] + found['missed']}"


def mended(slug: str, seeds: range, slips: int, *, full: bool = False) -> Iterator[tuple[str, str]]:
    """Yield the shares of mending: a slip named first, a duty not done that is taken for done."""
    one = game(slug)
    games = [[bare(each) for each in game_of_bots(slug, seed, full=full)] for seed in seeds[:10]]
    for name, slip in SLIPS.items():
        found = Counts()
        for number in range(slips):
            one_slip(one, games[number % len(games)], slip, dice(f"{slug} {name} {number}"), found)
        yield f"{name}, first", f"{found.share('among equals')} of {found.of['shown']}"
    found = Counts()
    for number in range(slips):
        duty_not_done(one, games[number % len(games)], dice(f"{slug} duty {number}"), found)
    yield "duty, certain", f"{found.share('explained')} of {found.of['shown']}"


def breaches(slug: str, seed: int, rng: Random) -> Iterator[tuple[tuple[Event, ...], int]]:
    """Yield games with a breach each, and the number of its line, which is found wrong, of five kinds.

    A decision stands before its time, twice, or under the name of another player; a line of luck is left out; a
    consequence has a wrong number.
    """
    events = game_of_bots(slug, seed)
    head: Any = events[0]
    twice, other, lost, number = (_place(events, kind, rng) for kind in (Decision, Decision, Chance, Consequence))
    played: Any = events[other]
    under = next(seat.id for seat in head.players if seat.id != played.player)
    instead = {
        twice: (events[twice], events[twice]),
        other: (msgspec.structs.replace(played, player=under),),
        lost: (),
        number: (rng.choice(values_of(events[number])),),
    }
    for lines in (
        with_play_too_early(slug, seed, rng)[0].lines,
        *((*events[:at], *new, *events[at + 1 :]) for at, new in instead.items()),
    ):
        if found := [each.seq for each in fold(game(slug), lines).findings if each.kind in HARD]:
            yield lines, found[0]


def _place(events: tuple[Event, ...], kind: type[Event], rng: Random) -> int:
    """Return the index of a line of a kind behind the set-up; that of a consequence with a number or a word."""
    fitting = [at for at, each in enumerate(events) if at > FIRST and isinstance(each, kind)]
    return rng.choice([at for at in fitting if kind is not Consequence or values_of(events[at])])


def set_up(slug: str, seeds: range, _: int) -> Iterator[tuple[str, str]]:
    """Yield by the type of a line of the set-up how many breaches are named although that line could not be read.

    It is the first or the last one of its type.

    Behind that in how many games another line is accused, or one where there is no breach.
    """
    named: dict[str, list[tuple[bool, bool, bool]]] = {}
    for seed in seeds:
        right = game_of_bots(slug, seed)
        for lines, seq in ((right, 0), *breaches(slug, seed, dice(f"breach {seed}"))):
            whole = accusations(slug, Slip(lines, 0, lines[0], lines[0]))[0]
            first = opening(slug, lines)
            last = {type(lines[at]): at for at in range(1, max(first.values()) + 1)}
            for at in sorted({*first.values(), *last.values()}):
                for why in UNREADABLE:
                    findings = fold(game(slug), unreadable(slug, lines, at, why)).findings
                    hard = {each.seq: each.follows for each in findings if each.kind in HARD}
                    others = {each for each, follows in hard.items() if not follows} - {seq, *whole}
                    named.setdefault(f"{tag_of(type(lines[at]))}, {why}", []).append(
                        (seq > 0, seq in hard, bool(others))
                    )
    for tag, each in named.items():
        there, found, wrongly = map(sum, zip(*each, strict=True))
        yield tag, f"{found} of {there}, {wrongly}"


def dice(of: int | str) -> Random:
    """Return the luck of one case."""
    return Random(of)  # noqa: S311 - which lines are wrong or late is no secret


PARTS: Final[dict[str, Callable[[str, range, int], Iterator[tuple[str, str]]]]] = {
    "legal": legal,
    "wrong": wrong,
    "mended": mended,
    "mended-full": partial(mended, full=True),
    "set-up": set_up,
}


def main() -> None:
    """Measure all games, or one, in all that is asked about or a part of it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=40)
    parser.add_argument("--slips", type=int, default=40, help="slips of each kind that are mended")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--game", choices=games())
    parser.add_argument("--part", choices=PARTS)
    arguments = parser.parse_args()
    seeds = range(arguments.seed, arguments.seed + arguments.games)
    slugs = [arguments.game] if arguments.game else list(games())
    for part in [arguments.part] if arguments.part else PARTS:
        rows = {slug: dict(PARTS[part](slug, seeds, arguments.slips)) for slug in slugs}
        table = Table("", *(game(slug).title for slug in slugs), title=f"{part}: {arguments.games} games each")
        for name in dict.fromkeys(name for row in rows.values() for name in row):
            table.add_row(name, *(row.get(name, "") for row in rows.values()))
        CONSOLE.print(table)


if __name__ == "__main__":
    main()
