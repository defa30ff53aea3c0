"""What must hold for every game, checked on games of bots and on recorded ones, and said in words where it does not.

Rules are judged by functions that nobody else has read: what can go wrong with them is known beforehand. A check is a
sentence about what holds, and a function that says of a played game where it does not.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from random import Random
from traceback import extract_tb
from typing import Any, Final, NamedTuple

import msgspec
from msgspec import UNSET

from tabletape.events.errors import said_by
from tabletape.events.vocabulary import Consequence, Decision, Event
from tabletape.events.vocabulary.plugins import PluginFailedError
from tabletape.projector.fold.folding import fold, ruleset_of
from tabletape.projector.fold.replay import Replay
from tabletape.projector.model.game import Game
from tabletape.projector.model.sentences import templates_of
from tabletape.projector.selfplay.bots import Decider, decide
from tabletape.projector.selfplay.dealing import dealt_anew
from tabletape.projector.selfplay.dice import SeededDice
from tabletape.projector.selfplay.kinds import Bot
from tabletape.projector.selfplay.simulate import Plan, simulate, usual_seats

PLACES: Final = (0.1, 0.35, 0.6, 0.95)
"""How far into a game it is looked at."""

MAX_OFFERED: Final = 12
"""How many decisions that are offered at a place are tried."""

MIXED_LOGS: Final = 12
"""How many logs with lines in a wrong order are folded."""


class CheckedGame(NamedTuple):
    """A game that checks look at: what to call it, its lines, whether bots have played it, and why they stopped."""

    name: str
    events: tuple[Event, ...]
    by_bots: bool = True
    stopped: str = ""


class CheckProblem(NamedTuple):
    """What does not hold: the sentence, the game in which, and what is there instead."""

    holds: str
    where: str
    instead: str


Check = Callable[[Game, CheckedGame], Iterator[str]]


def problems(game: Game, played: Sequence[CheckedGame]) -> Iterator[tuple[str, list[CheckProblem]]]:
    """Yield each sentence that must hold of a game, with where it does not; a function that fails is a problem, too."""
    yield SAYS, [CheckProblem(SAYS, "the event types", each) for each in unsaid(game)]
    for holds, check in CHECKS.items():
        wrong = []
        for each in played:
            try:
                wrong += [CheckProblem(holds, each.name, instead) for instead in check(game, each)]
            except KeyboardInterrupt:
                raise
            except BaseException as error:  # noqa: BLE001 - whatever the code of a game raises, even an exit
                wrong.append(CheckProblem(holds, each.name, where_raised(error)))
        yield holds, wrong


def of_bots(game: Game, number: int, players: int = 0) -> list[CheckedGame]:
    """Return games of bots, of the usual number where none is named: random ones, and one of greedy bots.

    Raises `SimulationError` as `simulate` does.
    """
    players = players or usual_seats(game)
    plans = [(Bot.RANDOM, number), (Bot.GREEDY, 1)]
    return [
        CheckedGame(
            match.game_id + (f" ({bot} bots)" if bot is not Bot.RANDOM else ""),
            bare(match.events),
            stopped=match.abandoned,
        )
        for bot, games in plans
        for match in simulate(game, game.cards, Plan(seed=7, bots=(bot,) * players, full=True, limit=1500), games)
    ]


def bare(events: Sequence[Event]) -> tuple[Event, ...]:
    """Return lines without their numbers and causes."""
    return tuple(msgspec.structs.replace(event, seq=UNSET, cause=UNSET) for event in events)


def where_raised(error: BaseException) -> str:
    """Return what the code of a game has raised, and where."""
    place = next(reversed(extract_tb(error.__traceback__)), None)
    at = f" in {place.filename}, line {place.lineno}" if place is not None else ""
    return f"{said_by(error)}{at}"


def folded(game: Game, events: Sequence[Event]) -> Replay:
    """Fold lines under their own ruleset, without the steps that belong to the end of a log."""
    head: Any = events[0]
    return Replay(game, ruleset_of(game, head.edition, head.rulings, rulings={}), game.cards.library).run(events)


def _whole(game: Game, events: Sequence[Event]) -> Replay:
    return fold(game, events, library=game.cards.library)


# -- what must hold ----------------------------------------------------------------------------------------------------

SAYS: Final = "Every event type has a sentence that names only fields that it has."


def unsaid(game: Game) -> Iterator[str]:
    """Yield the event types without a sentence, and those whose sentence names what they have not."""
    for tag, kind in game.vocabulary.types.items():
        try:
            if not templates_of(kind) and tag != "state.observed":
                yield f"{tag} has no SENTENCE"
        except PluginFailedError as error:
            yield str(error)


def without_findings(game: Game, played: CheckedGame) -> Iterator[str]:
    """Yield what is found in a game of bots, who play by the rules, and why its replay stopped or nobody ended it."""
    if not played.by_bots:
        return
    replay = _whole(game, played.events)
    yield from (f"event {each.seq}: {each.rule}, {each.message}" for each in replay.findings[:3])
    if played.stopped:
        yield f"the game came to no end: {played.stopped}"


def to_its_end(game: Game, played: CheckedGame) -> Iterator[str]:
    """Yield why the replay of a game stopped."""
    stopped = _whole(game, played.events).stopped
    if stopped is not None:
        yield f"event {stopped.seq}: {stopped.reason}"


def without_consequences(game: Game, played: CheckedGame) -> Iterator[str]:
    """Yield a difference that it makes whether the consequences of a game of bots are written down."""
    sparse = [event for event in played.events if not isinstance(event, Consequence)]
    if played.by_bots:
        yield from _differences(_whole(game, played.events), _whole(game, sparse), "with all consequences, without")


def in_two_parts(game: Game, played: CheckedGame) -> Iterator[str]:
    """Yield a difference between a fold that was stopped and went on, and one at once."""
    whole = folded(game, played.events)
    for here in _places(played):
        parts = folded(game, played.events[:here]).run(played.events[here:])
        yield from _differences(whole, parts, f"at once, in two parts after event {here}")


def steps_back(game: Game, played: CheckedGame) -> Iterator[str]:
    """Yield a difference between the table that was stepped back to, and that of a log that ends there."""
    for here in reversed(_places(played)):
        replay = folded(game, played.events)
        replay.table.undo(replay.journal_ends[here - 1])
        yield from _differences(folded(game, played.events[:here]), replay, f"a log of {here} events, stepped back")


def starts_anew(game: Game, played: CheckedGame) -> Iterator[str]:
    """Yield a difference between two tables before the first move: something outside the table has changed."""
    first = folded(game, played.events[:1]).table.state()
    folded(game, played.events)
    if folded(game, played.events[:1]).table.state() != first:
        yield "the next table begins otherwise: something that all tables share was changed"


def offers_are_legal(game: Game, played: CheckedGame) -> Iterator[str]:
    """Yield decisions that are offered and break a rule, and what looking at a table changes on it."""
    events = tuple(event for event in played.events if not isinstance(event, Consequence))
    luck = Random(played.name)  # noqa: S311 - the same choice for the same game
    for here in _places(played._replace(events=events)):
        table: Any = folded(game, events[:here]).table
        before = table.state()
        offered = [each for player in game.actors(table) for each in game.legal(table, player)]
        yield from _looked_at(game, table)
        if table.state() != before:
            yield f"after event {here}, looking at the table changes it"
        for decision in luck.sample(offered, min(len(offered), MAX_OFFERED)):
            findings = folded(game, (*events[:here], decision)).findings
            wrong = [each for each in findings if each.seq > here and each.kind != "unverifiable"]
            yield from (f"after event {here}, {decision} is offered: {each.rule}, {each.message}" for each in wrong[:1])


def _looked_at(game: Game, table: Any) -> Iterator[str]:
    for player in table.players:
        game.bots.value(table, player)
        game.areas(table, player)
        share = game.scoreboard.progress(table, player)
        if share is not None and not 0 <= share <= 1:
            yield f"the progress of {player} is {share}, which is not between 0 and 1"
        unnamed = set(game.scoreboard.totals(table, player)) - {*game.scoreboard.total_names}
        if unnamed:
            yield f"the totals {', '.join(sorted(unnamed))} are not among `total_names`"


def chosen_by_what_is_known(game: Game, played: CheckedGame) -> Iterator[str]:
    """Yield decisions of a greedy bot that hang on cards which its player cannot see."""
    decisions = [here for here, each in enumerate(played.events) if isinstance(each, Decision) and here]
    for here in decisions[:: max(len(decisions) // 6, 1)] if played.by_bots else ():
        table: Any = folded(game, played.events[:here]).table
        for player in game.actors(table)[:1]:
            # On copies: what a game does to a table when it is looked at is another sentence's.
            mine, other = decide(game, table.copy(), player, Decider(Bot.GREEDY), SeededDice("same")), table.copy()
            with dealt_anew(other, player, Random("other")):  # noqa: S311 - the same deal each time
                theirs = decide(game, other, player, Decider(Bot.GREEDY), SeededDice("same"))
            if mine != theirs:
                yield f"after event {here}, {player} decides {mine}, and {theirs} with other cards where nobody looks"


def in_any_order(game: Game, played: CheckedGame) -> Iterator[str]:
    """Yield why lines in a wrong order, repeated or lost, stop a fold by an error of the program."""
    luck = Random(played.name)  # noqa: S311 - the same mix for the same game
    for _ in range(MIXED_LOGS):
        head = luck.randint(1, len(played.events))
        mixed = luck.choices(played.events[1:] or played.events, k=30)
        replay = _whole(game, [*played.events[:head], *(each for each in mixed if each is not played.events[0])])
        if replay.stopped is not None and "could not be folded" in replay.stopped.reason:
            yield f"behind event {head}: {replay.stopped.reason}"
            return


def _places(played: CheckedGame) -> list[int]:
    return sorted({max(1, int(len(played.events) * part)) for part in PLACES})


def _differences(one: Replay, other: Replay, which: str) -> Iterator[str]:
    """Yield the first field of a table that differs from that of another."""
    mine, theirs = one.table.state(), other.table.state()
    for number, fields in mine.items():
        for name, value in fields.items():
            if (else_ := theirs.get(number, {}).get(name)) != value:
                thing: Any = one.table.things[int(number)]
                called = getattr(thing, "name", "") or "the table"
                yield f"{name} of {called} ({which}): {value!r}, {else_!r}"
                return
    if mine.keys() != theirs.keys():
        yield f"other things lie on the table ({which})"


CHECKS: Final[Mapping[str, Check]] = {
    "Nothing stops the replay of a game.": to_its_end,
    "Games of bots break no rule and come to an end.": without_findings,
    "Consequences may be left out of a log: the table is the same.": without_consequences,
    "A replay may stop anywhere and go on: the table is the same.": in_two_parts,
    "Stepping back leads to the table as it was.": steps_back,
    "The next table begins as the first one did.": starts_anew,
    "What is offered breaks no rule, and looking at a table changes nothing.": offers_are_legal,
    "A bot decides by what its player may know.": chosen_by_what_is_known,
    "Lines in a wrong order are judged, and stop no replay by an error.": in_any_order,
}
"""What must hold, in the order in which it is checked."""
