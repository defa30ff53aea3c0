"""The end step: surplus cards, and the end of the turn (L253 to L258)."""

from collections.abc import Iterator
from typing import Any, Final

from tabletape.events.games import evolve as ev
from tabletape.events.vocabulary import Event
from tabletape.projector.games.evolve import changes, steps
from tabletape.projector.games.evolve.chapters import END_TURN_STEP, WRITTEN
from tabletape.projector.games.evolve.chapters.begin_step import begun, once_begun, turn_alternate
from tabletape.projector.games.evolve.chapters.cards import card_location, state_consequence
from tabletape.projector.games.evolve.chapters.setup import first_turn_no_dna, is_first_begin_step
from tabletape.projector.games.evolve.state import BEGIN, DRAW, END, MAIN, SETUP, Evolve, both_discard
from tabletape.projector.kit.adopting import adopt_total, as_written
from tabletape.projector.kit.card_verdicts import does
from tabletape.projector.kit.consequence import consequence, follows
from tabletape.projector.kit.moves import move
from tabletape.projector.model.amounts import how_many
from tabletape.projector.model.phrases import as_ruled, name_of
from tabletape.projector.model.rules import NOT_APPLICABLE, Broken, Rule, Verdict, case, select_rule, stop


def surplus(table: Evolve, player: str) -> int:
    """Return how many cards a player still has to discard at the end of the turn.

    Rulings: `hand_limit`, `end_step_triggers` for what is drawn after the discard, and `starvation_moment` for a game
    that ends before it.
    """
    beyond = table.zones[table.players[player].hand].size - 5
    if beyond <= 0 or table.end_triggers == "done" or steps.wins_before_discard(table):
        return 0
    return beyond if table.options["hand_limit"] != "discard_one" else int(player not in table.discarded)


def holding_surplus(table: Evolve) -> str:
    """Return who has to discard before the turn can end, the player on turn first; empty where nobody has to."""
    if surplus(table, table.active):
        return table.active
    other = table.players[table.active].opponent if both_discard(table) else ""
    return other if other and surplus(table, other) else ""


@END_TURN_STEP.rule("evolve.end.hand-limit", "L257.1")
def hand_limit(table: Evolve, event: ev.SurplusDiscarded) -> Verdict:
    """With more than five cards in hand the current player discards one card."""
    player = event.player
    if player != table.active and not both_discard(table):
        return does(table, event, f"discards a surplus card in the turn of {name_of(table, table.active)}")
    if table.phase not in {MAIN, END}:
        return does(table, event, "discards a surplus card before the end step")
    if surplus(table, player):
        return None
    size = table.zones[table.players[player].hand].size
    once = " once more" if player in table.discarded else ""
    held = f"with {how_many(size, 'card')} in hand, and need not"
    return does(table, event, f"discards{once} {held}", "hand_limit" if size > 5 else "")


def possible_discards(table: Evolve, player: str) -> Iterator[Event]:
    """Yield the surplus cards that a player might discard."""
    if surplus(table, player):
        for card in table.zones[table.players[player].hand].cards:
            yield ev.SurplusDiscarded(player=player, card=card.name)


@move(ev.SurplusDiscarded, *(stop(select_rule(begun)), stop(hand_limit), card_location), offers=possible_discards)
def discard_surplus(table: Evolve, event: ev.SurplusDiscarded) -> None:
    """Discard a card of the hand."""
    steps.engage(table, event.player)
    player = table.players[event.player]
    changes.to_discard(table, table.take(event.card, table.zones[player.hand]))
    table.set(table, "discarded", (*table.discarded, event.player))


@case(hand_limit)
def surplus_is_discarded(table: Evolve, event: ev.TurnEnded) -> Verdict:
    """A turn ends only after the surplus cards are gone."""
    if event.player != table.active:
        return NOT_APPLICABLE
    holder = holding_surplus(table)
    if not holder:
        return None
    player, name = table.players[holder], name_of(table, event.player)
    held = f"{table.zones[player.hand].size} cards in hand and has not discarded"
    message = f"{name} ends the turn with {held}"
    if holder != event.player:
        message = f"{name} ends the turn, and {player.name} has {held}{as_ruled(table, 'hand_limit_opponent')}"
    return Broken(message, "surplus.discarded", "missing")


@move(
    ev.TurnEnded,
    *(select_rule(once_begun(turn_alternate)), surplus_is_discarded),
    is_usual=lambda table, event: (
        event.player == table.active and table.phase in {MAIN, END} and not holding_surplus(table)
    ),
    keeps=(turn_alternate, hand_limit),
    offers=lambda _table, player: (ev.TurnEnded(player=player),),
)
def end_own_turn(table: Evolve, event: ev.TurnEnded) -> None:
    """End the turn; nobody can end the turn of somebody else."""
    steps.engage(table, event.player)
    if event.player == table.active:
        steps.end_turn(table)


def _no_turn(table: Evolve, event: ev.TurnStarted) -> str:
    if event.player == table.active:
        return f"it is the turn of {name_of(table, event.player)} already"
    return f"the turn of {name_of(table, table.active)} has not ended" if table.active else "the set-up is not complete"


@consequence(ev.TurnStarted, rule=turn_alternate, why=_no_turn)
def turn_started(table: Evolve, event: ev.TurnStarted, _expected: object) -> None:
    """Begin the turn."""
    if event.player != table.active and not table.over:
        with as_written(table, event):
            steps.hand_over(table, event.player)


def _no_step(table: Evolve, event: ev.PhaseStarted) -> str:
    if table.phase == event.phase:
        return f"the {event.phase} step has begun already"
    return f"this is the {table.phase} step of the turn" if table.active else "the set-up is not complete"


@consequence(ev.PhaseStarted, rule=WRITTEN["evolve.turn.steps"], why=_no_step)
def phase_started(table: Evolve, event: ev.PhaseStarted, _expected: object) -> None:
    """Begin the step."""
    if table.active:
        with as_written(table, event):
            steps.start_step(table, event)


def _gained(table: Evolve, event: ev.MpChanged | ev.DnaChanged, _expected: Any) -> Rule:
    """Return the rule about what is gained for the turn, and by nothing else; by any other line something else is."""
    begins = is_first_begin_step(table) or (table.phase == SETUP and steps.is_set_up(table))
    is_dna, is_free = isinstance(event, ev.DnaChanged), table.event is None
    if is_dna and event.by == 1 and event.player == table.first and begins and is_free:
        return first_turn_no_dna
    gains = WRITTEN["evolve.begin.dna" if is_dna else "evolve.begin.mp"]
    return gains if table.phase in {DRAW, BEGIN} and is_free else state_consequence


def _no_total(table: Evolve, event: ev.MpChanged | ev.DnaChanged) -> str:
    player = table.players[event.player]
    if table.phase == DRAW and event.by > 0 and event.player == table.active:
        return f"{player.name} has not drawn for the turn yet, and gains DNA and MP after that"
    if isinstance(event, ev.DnaChanged) and table.turn <= 1 and event.player == table.first and table.phase != MAIN:
        return f"{player.name} as the first player gains none at the start of the first turn"
    unit, has = ("MP", player.mp) if isinstance(event, ev.MpChanged) else ("DNA", player.dna)
    return f"nothing else since the last decision gives or takes {unit}, of which {player.name} has {has}"


MP: Final = follows(ev.MpChanged, rule=_gained, why=_no_total, adopt=adopt_total("mp", "to"))
DNA: Final = follows(
    ev.DnaChanged,
    rule=_gained,
    why=_no_total,
    adopt=adopt_total("dna", "to"),
    because=lambda table, _event, expected: (
        "evolve.begin.order" if expected is None and table.phase == DRAW and not table.over else ""
    ),
)
