"""The legal decisions of a player, from what that player may see, and the lines that luck has to write.

Whatever a player may do is proposed and then put to the same tests that the audit makes, on the table as it is when
what is open has happened: there is one judge of what is legal.
"""

from collections.abc import Iterable, Sequence
from functools import partial
from itertools import chain
from typing import Final

import msgspec

from tabletape.events.games import evolve as ev
from tabletape.events.vocabulary import Event
from tabletape.projector.games.evolve import steps
from tabletape.projector.games.evolve.chapters import consuming, end_step, events, evolving, statuses
from tabletape.projector.games.evolve.chapters.begin_step import owed_now
from tabletape.projector.games.evolve.chapters.setup import due_in_setup
from tabletape.projector.games.evolve.chapters.windows import ends_at_once, first_in, window_of
from tabletape.projector.games.evolve.state import BEGIN, DRAW, END, MAIN, SETUP, Evolve, both_discard, opponent_of
from tabletape.projector.games.evolve.turn import BEGIN_STEP_MOVES, MAIN_STEP_MOVES, MULLIGANS, ROWS
from tabletape.projector.kit.moves import offered
from tabletape.projector.model import deciding, legality
from tabletape.projector.model.dice import Dice
from tabletape.projector.model.due import Due, draw_due

_kept: Final = partial(legality.legal_among, ROWS)
"""Returns those of the events proposed for a table that break no rule."""


def is_legal(table: Evolve, event: Event) -> bool:
    """Return whether an event keeps all rules that its tests look at, on the table as it is."""
    return legality.keeps_all(ROWS[type(event)], table, event)


def past_event(table: Evolve) -> None:
    """Resolve the open event, and in the begin step the abilities of the start of the turn."""
    steps.resolve_event(table)
    steps.run_triggers(table)


def past_all(table: Evolve) -> None:
    """Resolve everything open, and begin the main step."""
    if table.phase == SETUP:
        steps.open_game(table)
    steps.resolve_all(table)
    steps.enter_main(table)


def actors(table: Evolve) -> tuple[str, ...]:
    """Return the players who may decide something now, those with an earlier chance first."""
    waits = table.phase == DRAW or (table.phase == SETUP and not steps.is_set_up(table))
    if table.over or table.owed is not None or waits:
        return ()
    if table.phase == SETUP:
        order: tuple[str, ...] = (opponent_of(table, table.first), table.first)
    elif _may_unstress(table, table.active):
        order = (table.active, opponent_of(table, table.active))
    else:
        opened = table.event
        first = opponent_of(table, opened.player) if opened is not None else first_in(table, window_of(table))
        if both_discard(table) and not _has_chance(table, first):
            first = table.active  # the other one may discard, but the main step is over when the player on turn is done
        order = (first, opponent_of(table, first), table.active)
    return tuple(player for player in dict.fromkeys(order) if _can_decide(table, player))


def legal(table: Evolve, player: str) -> list[Event]:
    """Return the decisions of a player that break no rule; the cards that others hide are not looked at."""
    if table.over or player not in table.players:
        return []
    if table.phase == SETUP:
        return [*_kept(table, offered(MULLIGANS, table, player)), *_in_main_step(table, player)]
    if order_is_due(table):
        return _kept(table, _before_triggers(table, player))
    return [*decisions_now(table, player), *_in_main_step(table, player)]


def decisions_now(table: Evolve, player: str) -> list[Event]:
    """Return the decisions of a player that let no chance pass."""
    return [
        *responding(table, player),
        *answering(table, player),
        *_kept(table, _before_triggers(table, player)),
        *_ending_at_once(table, player),
    ]


def _can_decide(table: Evolve, player: str) -> bool:
    """Return whether a player has a legal decision, without making them all: mostly it is the end of the turn."""
    if table.phase == SETUP or order_is_due(table):
        return bool(legal(table, player))
    waits = player != table.active and (not both_discard(table) or _has_chance(table, player))
    if not waits:
        with deciding.as_it_was(table, past_all):
            decisions = chain((ev.TurnEnded(player=player),), proposed_in_main_step(table, player))
            if any(is_legal(table, each) for each in decisions):
                return True
    return _may_unstress(table, player) or _has_chance(table, player)


def _has_chance(table: Evolve, player: str) -> bool:
    """Return whether a player may answer what is open."""
    return bool(responding(table, player) or answering(table, player))


def responding(table: Evolve, player: str) -> list[Event]:
    """Return the responses to the open event, and letting the chance pass where there is one to take.

    To let it pass also means that no attack answers a consuming whose window the open event has used.
    """
    if table.event is None:
        return []
    responses = _kept(table, events.events_of(table, player, are_responses=True))
    decline = ev.EventDeclined(player=player, chance="response")
    passes = bool(responses) or (is_legal(table, decline) and bool(_attacks(table, player)))
    return [*responses, decline] if passes else []


def answering(table: Evolve, player: str) -> list[Event]:
    """Return the events and answering attacks of the open window, and letting the chance pass where there is one."""
    if table.phase != BEGIN and not steps.is_open(table):
        return []
    decline = ev.EventDeclined(player=player, chance="event")
    with deciding.as_it_was(table, past_event):
        if table.over or table.owed is not None:
            return []
        has_chance = is_legal(table, decline)
        if has_chance:
            ends = table.options["status_hand_timing"] == "like_events"
            endings = statuses.possible_endings(table, player) if ends else ()
            answers = _kept(
                table, [*events.events_of(table, player), *consuming.possible_answers(table, player), *endings]
            )
    if has_chance:
        return [*answers, decline] if answers else []
    is_passed = table.event is not None and not is_legal(table, ev.EventDeclined(player=player, chance="response"))
    return [] if is_passed else _attacks(table, player)


def _attacks(table: Evolve, player: str) -> list[Event]:
    """Return the attacks by which a player may answer the consuming that is open, once the open event has happened."""
    if table.pending is None or table.pending.kind != "consume" or table.pending.player == player:
        return []
    with deciding.as_it_was(table, past_event):
        return [] if table.over or table.owed is not None else _kept(table, consuming.possible_answers(table, player))


def _may_unstress(table: Evolve, player: str) -> bool:
    """Return whether the player on turn may do something before those abilities: the first legal thing is enough."""
    return any(is_legal(table, each) for each in _before_triggers(table, player))


def _before_triggers(table: Evolve, player: str) -> Iterable[Event]:
    """Return what the player on turn might do before the abilities of the start of the turn happen."""
    is_due = table.phase == BEGIN and player == table.active and table.event is None
    return offered(BEGIN_STEP_MOVES, table, player) if is_due else ()


def order_is_due(table: Evolve) -> bool:
    """Return whether the order of the abilities of the start of the turn has to be said (`trigger_default_order`)."""
    may_be_said = table.phase == BEGIN and table.triggers_due and table.event is None and table.ordered is None
    if table.options["trigger_default_order"] != "must_be_said" or not may_be_said:
        return False
    with deciding.as_it_was(table, steps.run_triggers):
        return table.unsaid


def _in_main_step(table: Evolve, player: str) -> list[Event]:
    """Return the plays, the actions and the end of the turn; they let every earlier chance pass."""
    now = at_once(table, player)
    with deciding.as_it_was(table, past_all):
        unpaid = evolving.out_of_reach(table, player)
        proposed = proposed_in_main_step(table, player, now)
        return _kept(table, (each for each in proposed if (type(each), getattr(each, "card", "")) not in unpaid))


def at_once(table: Evolve, player: str) -> tuple[type[Event], ...]:
    """Return the kinds of what a player might do in the main step that do not let every earlier chance pass.

    A status that ends another one at once is one, and the other player discards only when no chance is left.
    """
    ends_status = table.options["status_hand_timing"] == "any_time" and ends_at_once(table, player)
    has_chance = player != table.active and both_discard(table) and _has_chance(table, player)
    return (*((ev.StatusEnded,) if ends_status else ()), *((ev.SurplusDiscarded,) if has_chance else ()))


def _ending_at_once(table: Evolve, player: str) -> list[Event]:
    """Return the statuses that may be given up at any time, before what is open happens; none whose ability is due."""
    if table.options["status_hand_timing"] != "any_time" or not ends_at_once(table, player):
        return []
    due = table.watching if table.phase == BEGIN and table.triggers_due else ()
    return _kept(table, (each for each in statuses.possible_endings(table, player) if each.target not in due))


def proposed_in_main_step(table: Evolve, player: str, but: tuple[type[Event], ...] = ()) -> Iterable[Event]:
    """Return what a player might do in the main step but some kinds, on a table where everything open has happened."""
    if table.over or table.owed is not None or table.phase not in {MAIN, END}:
        return ()
    proposed: Iterable[Event] = ()
    if player == table.active:
        proposed = offered(MAIN_STEP_MOVES, table, player)
    elif both_discard(table):
        proposed = end_step.possible_discards(table, player)
    return (event for event in proposed if not isinstance(event, but)) if but else proposed


def due(table: Evolve) -> list[Due]:
    """Return the lines that luck has to write now: who begins, opening hands, the draw of a turn or of a card.

    That of a card has to come once everything open has happened; somebody may still answer it, so decisions may come.
    """
    if table.over:
        return []
    if table.phase == SETUP:
        return list(due_in_setup(table))
    owed, abilities_due = owed_now(table), table.phase == BEGIN and table.triggers_due and table.watching
    if owed is None and (abilities_due or steps.is_open(table)):
        with deciding.as_it_was(table, past_all):
            owed = owed_now(table)
    if owed is None:
        return []
    player, reason = table.players[owed.player], "turn-start" if table.phase == DRAW else "effect"
    drawn = draw_due(table, ev.CardsDrawn, player.deck_zone, owed.count, owed.rule, player=player.id, reason=reason)
    waits = table.phase != DRAW and any(responding(table, each) or answering(table, each) for each in table.players)
    return [msgspec.structs.replace(drawn, later=waits)]


def sample(table: Evolve, player: str, dice: Dice, most: int) -> Sequence[Event]:
    """Return at most `most` of the legal decisions of a player: all, or as many of them, each as likely."""
    if most > 1 or table.over or table.phase == SETUP or order_is_due(table):
        offers = legal(table, player)
        return offers if len(offers) <= most else dice.sample(offers, most)
    sure, now = decisions_now(table, player), at_once(table, player)
    with deciding.as_it_was(table, past_all):
        left = [*sure, *proposed_in_main_step(table, player, now)]
        numbers = [*range(len(left))]
        while numbers:
            number = dice.choose(numbers)
            if number < len(sure) or is_legal(table, left[number]):
                return [left[number]]
            numbers.remove(number)
    return []
