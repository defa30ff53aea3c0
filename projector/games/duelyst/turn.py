"""The game in the order of its rulebook: the set-up (L52 to L77) and a turn (L79 to L90).

What follows from a line is a list of tasks (`owed`), each of which may put others before it; where luck has to write a
line it stops. No rule orders what several units do, so a line may be about a later task than the first (rulings).
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from tabletape.events.games import duelyst as ev
from tabletape.events.vocabulary import Consequence, Event
from tabletape.projector.games.duelyst import overdue
from tabletape.projector.games.duelyst.chapters import (
    bloodbound,
    cards,
    combat,
    drawing,
    minions,
    movement,
    mulligan,
    pets,
    setup,
    tribes,
    turns,
)
from tabletape.projector.games.duelyst.owed import owed_as, owed_now, settle
from tabletape.projector.games.duelyst.state import BEGIN, END, MAIN, Duelyst, DuelystCard
from tabletape.projector.games.duelyst.tasks import Owed, PetsBegin, Task, TurnBegins, UnitBegins
from tabletape.projector.kit.moves import moves_of
from tabletape.projector.kit.outline import EachPlayer, Outline, PlaceRules, Setup
from tabletape.projector.kit.owed import comes_first, missing
from tabletape.projector.kit.packaged import rules_by_id
from tabletape.projector.model.due import Due
from tabletape.projector.model.game import RuleVerdict
from tabletape.projector.model.phrases import as_ruled
from tabletape.projector.model.rules import NOT_APPLICABLE, Broken
from tabletape.projector.model.sentences import clause

CHAPTERS: Final = (setup, mulligan, turns, cards, minions, bloodbound, movement, combat, drawing, pets, tribes)
"""The chapters, each of which builds on earlier ones: in the rulebook's order, its card types where they are played."""

MOVES: Final = moves_of(*CHAPTERS)
RULES_BY_ID: Final = rules_by_id("tabletape.projector.games.duelyst", *CHAPTERS)
"""All rules by their ids, those with a function and those without."""

DUE: Final[Mapping[type[Event], Callable[[Duelyst, Owed], list[Due]]]] = {
    ev.CardsDrawn: drawing.due_draw,
    ev.TokenSummoned: tribes.due_token,
    ev.TargetPicked: tribes.due_target,
    ev.PetActed: pets.due_act,
}
"""The lines of luck in a turn, with what of each is due."""
SET_UP: Final = (ev.DeckDeclared, ev.FirstPlayerChosen, ev.MulliganTaken)
"""The lines that are written in the set-up only."""


def luck_first(table: Duelyst, event: Any) -> RuleVerdict | None:
    """Return what stands against a line: what luck has to write before it, or a draw that it shows to be missing."""
    if not table.missed and owed_as(table, event) is not None:
        return None
    missed = overdue.missed_before(table, event) if table.missed else None
    due = missed or (overdue.overdue(table, event) if type(event) in DUE else overdue.unreported(table))
    return None if due is None else RuleVerdict(RULES_BY_ID[due.rule], missing(table, due, event))


def due_now(table: Duelyst) -> list[Due]:
    """Return the line that luck has to write now."""
    owed = owed_now(table)
    return [] if owed is None else DUE[owed.line](table, owed)


Duelyst.TURN = Outline(
    Setup(
        needs=mulligan.STEPS,
        asks=mulligan.who_decides,
        plays={ev.MulliganTaken: mulligan.needs_hand},
        due=mulligan.due_in_setup,
        deals=ev.CardsDrawn,
        lasts=lambda table: not table.turn,
    ),
    EachPlayer(
        stages=(BEGIN, MAIN, END),
        begins=lambda table, player: table.owe((TurnBegins(player.id),)),
        draws=tuple(DUE),
        due=due_now,
        waits=lambda table: bool(table.owed),
        plays=(
            *(ev.MinionSummoned, ev.SpellCast, ev.ArtifactEquipped, ev.BloodboundSpellCast, ev.MechSummoned),
            *(ev.UnitMoved, ev.UnitAttacked, ev.CardReplaced),
        ),
        acts=overdue.acting,
        in_order=(*DUE, *SET_UP),
        first=luck_first,
        lacks=lambda table: table.missed,
        settles=settle,
        ends=ev.TurnEnded,
        lost_behind=(turns.END_DRAW,),
    ),
    PlaceRules(
        seats=setup.two_players,
        own=turns.active_player,
        end=setup.nothing_after_end,
        follows_end=drawing.has_found_no_card,
    ),
)

OFFERS: Final = {move.line: move.offers for move in MOVES if move.offers is not None}


def legal(table: Duelyst, player: str) -> list[Event]:
    """Return the legal decisions of a player: card by card, then unit by unit.

    A mulligan draws cards that are still unseen; which ones these are is luck (see `mulligan.fill_in_chance`).
    """
    if player not in table.TURN.actors(table):
        return []
    if not table.turn:
        return [*OFFERS[ev.MulliganTaken](table, player)]
    return [
        *_offered(
            table, player, "card", table.hands[player].cards, (ev.MinionSummoned, ev.SpellCast, ev.ArtifactEquipped)
        ),
        *OFFERS[ev.BloodboundSpellCast](table, player),
        *OFFERS[ev.MechSummoned](table, player),
        *_offered(table, player, "unit", table.units, (ev.UnitMoved, ev.UnitAttacked)),
        *OFFERS[ev.CardReplaced](table, player),
        *OFFERS[ev.TurnEnded](table, player),
    ]


def _offered(table: Duelyst, player: str, field: str, cards: list[DuelystCard], lines: Sequence[Any]) -> list[Event]:
    """Return the decisions of some types, in the order of the cards that one of their fields names."""
    offered = [[*OFFERS[line](table, player)] for line in lines]
    every = [event for events in offered for event in events]
    if len(every) in map(len, offered):
        return every
    places = {card.name: place for place, card in enumerate(cards)}
    return sorted(every, key=lambda event: places[getattr(event, field)])


# -- in which order ----------------------------------------------------------------------------------------------------

BEFORE_THE_GAME: Final = frozenset(
    {
        *(*SET_UP, ev.CardsDrawn, ev.GlobePlaced, ev.GeneralPlaced, ev.GameEnded),
        *(ev.PlayerConceded, ev.GameAbandoned, ev.DeckShuffled, ev.CardShown),
    }
)
"""The lines that may stand before the first turn."""


def before(table: Duelyst, event: Event) -> None:
    """Take the steps that a line needs first: the game begins without a mulligan, a unit is first that is named first.

    No rule orders what several units do when the turn begins (ruling `trigger_order`).
    """
    if table.phase == BEGIN:
        if table.owed:
            _in_the_order_written(table, event)
    elif not table.turn and type(event) not in BEFORE_THE_GAME:
        finish(table)


def _in_the_order_written(table: Duelyst, event: Event) -> None:
    """Put first what a line is about at the beginning of a turn, where that is free or has been reported already."""
    if owed_as(table, event) is not None:
        return
    is_reported = overdue.is_passed_over(table.owed[0])
    if is_reported or table.options["trigger_order"] == "any_order":
        overdue.bring_forward(table, event)
    if table.options["begin_order"] == "any_order":
        _bring_to_front(table, event)
    left_out = overdue.left_out_before(table, event) if is_reported else []
    if left_out and all(map(overdue.is_passed_over, left_out)):
        overdue.catch_up(table, event)


def finish(table: Duelyst) -> None:
    """Begin the game where the table plays without a mulligan and both opening hands are drawn."""
    is_about_to_begin = not (table.turn or table.over) and table.options["mulligan"] == "none"
    if is_about_to_begin and all(player.opened for player in table.players.values()):
        table.TURN.begin(table)
        settle(table)


def _bring_to_front(table: Duelyst, event: Event) -> None:
    """Put first what a line is about: pets and other units begin the turn in any order (ruling `begin_order`)."""
    ahead = _asked_for(table, event) if owed_as(table, event) is None else ()
    if ahead:
        table.owe(ahead + tuple(task for task in table.owed if task not in ahead))
        settle(table)


def _is_to_come(task: Any, event: Event) -> bool:
    return type(task) is Owed and task.line is type(event)


def _asked_for(table: Duelyst, event: Event) -> tuple[Task, ...]:
    """Return what is still to be worked off that a line is about: all pets, a token or target, or a unit's text."""
    owed: tuple[Any, ...] = table.owed
    if isinstance(event, ev.PetActed):
        return tuple(task for task in owed if isinstance(task, PetsBegin) or _is_to_come(task, event))
    if isinstance(event, ev.TokenSummoned | ev.TargetPicked):
        due = [task for task in owed if _is_to_come(task, event) and task.source == event.source]
        if due:
            return (due[0],)
    task = overdue.beginning_of(table, event)
    is_next = task is not None and task is next(each for each in owed if isinstance(each, UnitBegins))
    return (task,) if task is not None and is_next else ()


def too_early(table: Duelyst, event: Consequence, expected: Any) -> RuleVerdict | None:
    """Return the finding on a written consequence before which luck has still to write a line, or None."""
    if expected is not None:
        return None
    if (due := overdue.overdue(table, event)) is not None:
        may_come = overdue.are_draws(overdue.left_out_before(table, event))
        return RuleVerdict(RULES_BY_ID[due.rule], NOT_APPLICABLE if may_come else missing(table, due, event))
    if (due := owed_now(table)) is None or overdue.beginning_of(table, event) is None:
        return None
    message = f"the log says that {clause(table, event)} too early{as_ruled(table, 'trigger_order')}"
    return RuleVerdict(RULES_BY_ID[due.rule], Broken(message, comes_first(table, due)))
