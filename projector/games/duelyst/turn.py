"""The game line by line: its moves, who may decide and what is due, and what stands against a line before its rules."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from tabletape.events.games import duelyst as ev
from tabletape.events.vocabulary import Consequence, Decision, Event, vocabulary
from tabletape.projector.games.duelyst import overdue
from tabletape.projector.games.duelyst.board import end_game
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
from tabletape.projector.games.duelyst.chapters.mulligan import STEPS
from tabletape.projector.games.duelyst.chapters.setup import nothing_after_end, two_players
from tabletape.projector.games.duelyst.overdue import BEFORE_THE_GAME, acting
from tabletape.projector.games.duelyst.owed import owed_as, owed_now, settle
from tabletape.projector.games.duelyst.state import BEGIN, Duelyst, DuelystCard
from tabletape.projector.games.duelyst.tasks import Owed, PetsBegin, Task, UnitBegins
from tabletape.projector.kit.common_rules import first_lacking, out_of_game
from tabletape.projector.kit.ending import early_ends
from tabletape.projector.kit.moves import moves_of, play_of, rows_of
from tabletape.projector.kit.owed import comes_first, missing
from tabletape.projector.kit.packaged import rules_by_id
from tabletape.projector.model.due import Due, number_of_cards
from tabletape.projector.model.game import RuleVerdict
from tabletape.projector.model.phrases import as_ruled
from tabletape.projector.model.rules import NOT_APPLICABLE, Broken
from tabletape.projector.model.sentences import clause

CHAPTERS: Final = (setup, mulligan, turns, cards, minions, bloodbound, movement, combat, drawing, pets, tribes)
"""The chapters, each of which builds on earlier ones: in the rulebook's order, its card types where they are played."""

MOVES: Final = moves_of(*CHAPTERS)
ROWS: Final = rows_of(MOVES)
FREE_PLAY: Final = play_of(
    move for move in MOVES if issubclass(move.line, Decision) and move.line not in BEFORE_THE_GAME
)
"""What the decisions of the main phase do, of a player on turn whom luck owes nothing."""
PLAY: Final = {
    **early_ends(end_game, "duelyst"),
    **play_of(MOVES),
    **{line: acting(play) for line, play in FREE_PLAY.items()},
}
RULES_BY_ID: Final = rules_by_id("tabletape.projector.games.duelyst", *CHAPTERS)
"""All rules by their ids, those with a function and those without."""

OFFERS: Final = {move.line: move.offers for move in MOVES if move.offers is not None}


def actors(table: Duelyst) -> tuple[str, ...]:
    """Return the players who may decide something now."""
    players = table.players.values()
    if table.turn or table.over or not all(player.opened for player in players):
        return (table.active,) if table.turn and not (table.owed or table.over) else ()
    return tuple(player.id for player in players if not player.mulliganed)


def legal(table: Duelyst, player: str) -> list[Event]:
    """Return the legal decisions of a player: card by card, then unit by unit.

    A mulligan draws cards that are still unseen; which ones these are is luck (see `mulligan.fill_in_chance`).
    """
    if player not in actors(table):
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


DUE: Final[Mapping[type[Event], Callable[[Duelyst, Owed], list[Due]]]] = {
    ev.CardsDrawn: drawing.due_draw,
    ev.TokenSummoned: tribes.due_token,
    ev.TargetPicked: tribes.due_target,
    ev.PetActed: pets.due_act,
}


def due(table: Duelyst) -> list[Due]:
    """Return the lines that luck has to write now; those of the set-up in any order."""
    if table.over:
        return []
    if not table.turn:
        return list(mulligan.due_in_setup(table))
    owed = owed_now(table)
    return [] if owed is None else DUE[owed.line](table, owed)


# -- lines that come too early or too late -----------------------------------------------------------------------------

LUCK: Final = frozenset({ev.CardsDrawn, ev.PetActed, ev.TokenSummoned, ev.TargetPicked})
NAMELESS: Final = frozenset(
    line for line in vocabulary("duelyst").types.values() if "player" not in line.__struct_fields__
)
"""The lines that name no player."""


def gate(table: Duelyst, event: Any) -> RuleVerdict | None:
    """Return whether a decision or chance line may come now at all."""
    kind = type(event)
    if table.over or (kind not in NAMELESS and event.player not in table.players):
        outside = out_of_game(table, event, two_players, nothing_after_end)
        is_lost = kind is ev.CardsDrawn and table.reason == "empty-deck"
        if is_lost and not number_of_cards(event):
            return None  # the draw that has ended the game found no card
        if outside is not None or table.over:
            return outside
    if (
        (table.turn and not table.owed and not table.missed)
        or (kind in LUCK and not table.missed and owed_as(table, event) is not None)
        or kind in overdue.ANY_TIME
    ):
        return None
    if not table.turn:
        return _in_set_up(table, event)
    missed = overdue.missed_before(table, event) if table.missed else None
    due = missed or (overdue.overdue(table, event) if kind in LUCK else overdue.unreported(table))
    return None if due is None else RuleVerdict(RULES_BY_ID[due.rule], missing(table, due, event))


def _in_set_up(table: Duelyst, event: Any) -> RuleVerdict | None:
    """Return what the set-up lacks before a line that begins the game, or before a mulligan without a hand."""
    is_mulligan = isinstance(event, ev.MulliganTaken)
    if type(event) in overdue.SET_UP and not (is_mulligan and not table.players[event.player].opened):
        return None
    has_mulligans = not is_mulligan and table.options["mulligan"] != "none"
    missing = first_lacking(table, STEPS if has_mulligans else STEPS[:-1])
    return None if missing is None else RuleVerdict(missing.rule, missing(table, event))


# -- in which order ----------------------------------------------------------------------------------------------------


def before(table: Duelyst, event: Event) -> None:
    """Take the steps that a line needs first: the game begins without a mulligan, a unit is first that is named first.

    No rule orders what several units do when the turn begins (ruling `trigger_order`).
    """
    if table.phase == BEGIN:
        if table.owed:
            _in_the_order_written(table, event)
    elif not table.turn and type(event) not in overdue.BEFORE_THE_GAME:
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
        overdue.start(table)
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
