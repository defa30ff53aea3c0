"""The steps of a turn: begin, unstressing, triggers, end (L209 to L228, L257)."""

from collections.abc import Callable
from typing import Any, Final

from events.games import evolve as ev
from projector.games.evolve.naming import called
from projector.games.evolve.rules.common import unless_unknown
from projector.games.evolve.rules.setup import drawn_number, missing_in_setup
from projector.games.evolve.selecting import is_nonfood
from projector.games.evolve.state import BEGIN, DRAW, END, MAIN, SETUP, Evolve, both_discard
from projector.games.evolve.trigger_order import is_order_allowed, start_of_turn
from projector.games.evolve.turns import owed_now, wins_before_discard
from projector.kit.common_rules import nothing_after
from projector.kit.owed import missing, what_is_owed
from projector.model.amounts import how_many
from projector.model.phrases import as_ruled, name_of
from projector.model.rules import NOT_APPLICABLE, Broken, Case, Rule, Verdict, case, rule
from projector.model.sentences import in_words

nothing_after_end: Final = rule(
    "evolve.end.nothing-after-end",
    "Winning the Game",
    "L7.1",
    "Nothing happens after the game has been won (inferred).",
)(nothing_after(ev.GameEnded))


# -- whose turn it is --------------------------------------------------------------------------------------------------


@rule("evolve.turn.alternate", "Winning the Game", "L8.1 L210.1", "The players' turns alternate (inferred).")
def turn_alternate(table: Evolve, event: ev.TurnEnded | ev.CardsDrawn) -> Verdict:
    """The player is the one on turn."""
    if event.player == table.active:
        return None
    if table.phase == DRAW and type(event) is ev.TurnEnded:
        return Broken(f"the turn of {name_of(table, event.player)} has ended already", "", "info")
    what = "ends a turn" if type(event) is ev.TurnEnded else "draws for the turn"
    return f"{name_of(table, event.player)} {what} in the turn of {name_of(table, table.active)}"


@rule(
    "evolve.main.own-turn",
    "Main Turn Step",
    "L229.1 L233.1",
    "Only the current player plays cards and takes actions, in the main step.",
)
def own_turn(table: Evolve, event: Any) -> Verdict:
    """The player is on turn, and the main step has not ended."""
    if event.player != table.active:
        return f"{name_of(table, event.player)} plays or acts in the turn of {name_of(table, table.active)}"
    return None if table.phase == MAIN else f"{name_of(table, event.player)} plays or acts in the end step"


@rule("evolve.begin.draw", "Begin Turn Step", "L216.1", "Draw one card.")
def begin_draw(table: Evolve, event: ev.CardsDrawn) -> Verdict:
    """The draw of a turn is owed and is one card."""
    name = name_of(table, event.player)
    number = drawn_number(event)
    if number != 1:
        return Broken(f"{name} draws {how_many(number, 'card')} at the start of the turn instead of 1", "1 card")
    if table.phase == DRAW or table.late == event.player:
        return None
    return f"{name} draws again for the start of the turn"


@case(begin_draw)
def drawn_before(table: Evolve, event: Any) -> Verdict:
    """Nothing of a turn comes before its draw."""
    owed = owed_now(table) if table.phase == DRAW else None
    return None if owed is None else missing(table, owed, event)


def once_begun(then: Rule) -> Callable[[Evolve, Any], Rule | Case]:
    """Return what says which rule decides: what the set-up lacks, the draw of the own turn, or `then`."""

    def choose(table: Evolve, event: Any) -> Rule | Case:
        phase = table.phase
        if phase == SETUP:
            return missing_in_setup(table, event)
        return drawn_before if phase == DRAW and event.player == table.active else then

    return choose


own_main_step: Final = once_begun(own_turn)
"""Says which rule decides whether a player may play cards and take actions now."""


@rule(
    "evolve.event.normal-if-none", "Event Response Cards", "L112.1", "Without a response the event resolves normally."
)
def normal_if_none(table: Evolve, event: ev.CardsDrawn) -> Verdict:
    """A draw by an effect is one that a card has ordered, of as many cards as it says."""
    owed = table.owed
    name = name_of(table, event.player)
    number = drawn_number(event)
    if not number and owed is None and not table.zones[table.players[event.player].deck_zone].size:
        return NOT_APPLICABLE
    if owed is None or owed.player != event.player:
        return f"{name} draws for an effect, and no card has told {name} to"
    if number == owed.count:
        return None
    return Broken(f"{name} {what_is_owed(table, owed, number)}, not {owed.count}", how_many(owed.count, "card"))


# -- the begin step ----------------------------------------------------------------------------------------------------


def _too_late(table: Evolve, player: str) -> str:
    """Return how a line misses the part of a begin step that comes before its abilities, or nothing."""
    if player != table.active:
        return f"in the turn of {name_of(table, table.active)}"
    if table.phase != BEGIN:
        return "after the begin step"
    return "" if table.triggers_due else "after the abilities of the start of the turn have happened"


def _stands_ready(table: Evolve, event: ev.OrganismUnstressed) -> Verdict:
    """Return why an organism cannot be unstressed now, or nothing."""
    name = name_of(table, event.player)
    late = _too_late(table, event.player)
    if late:
        return f"{name} unstresses an organism {late}"
    card = table.find(event.card)
    if card is None or not is_nonfood(card) or card.controller != event.player:
        return unless_unknown(
            table, event.card, f"{called(table, event.card, event.player)} is no non-food organism of {name} in play"
        )
    return (
        None if card.stressed else f"{called(table, event.card, event.player)} is not stressed and cannot be unstressed"
    )


@rule(
    "evolve.begin.unstress-one",
    "Begin Turn Step",
    "L217.1",
    "One stressed non-food organism may be unstressed for free.",
)
def unstress_one(table: Evolve, event: ev.OrganismUnstressed) -> Verdict:
    """One own stressed non-food organism a turn, before the triggers."""
    if event.paid:
        return NOT_APPLICABLE
    why = _stands_ready(table, event)
    if why is not None:
        return why
    if table.paid_unstress and table.options["unstress_order"] == "free_first":
        ruling = as_ruled(table, "unstress_order")
        return f"{name_of(table, event.player)} unstresses an organism for free after having paid for one{ruling}"
    return f"{name_of(table, event.player)} unstresses a second organism for free" if table.unstressed else None


@rule(
    "evolve.begin.paid-unstress",
    "Begin Turn Step",
    "L220.1",
    "For 1 DNA a stressed non-food organism may be unstressed.",
)
def paid_unstress(table: Evolve, event: ev.OrganismUnstressed) -> Verdict:
    """The same for 1 DNA (rulings `paid_unstress_count` and `unstress_order`)."""
    if not event.paid:
        return NOT_APPLICABLE
    why = _stands_ready(table, event)
    if why is not None:
        return why
    if not table.paid_unstress or table.options["paid_unstress_count"] != "one_per_turn":
        return None
    ruling = as_ruled(table, "paid_unstress_count")
    return f"{name_of(table, event.player)} pays a second time in this turn to unstress an organism{ruling}"


@rule("evolve.begin.trigger-order", "Begin Turn Step", "L222.2", "The current player orders simultaneous triggers.")
def trigger_order(table: Evolve, event: ev.TriggersOrdered) -> Verdict:
    """The current player names each card with such an ability once, before they happen."""
    name = name_of(table, event.player)
    late = _too_late(table, event.player)
    if late:
        return f"{name} orders the abilities of the start of the turn {late}"
    if table.ordered is not None:
        return f"{name} orders the abilities of this turn twice"
    due = due_triggers(table)
    if sorted(event.cards) != sorted(due):
        cards = in_words(table, due, event.player) if due else "none"
        return Broken(f"{name} orders other cards than those with an ability of the start of this turn: {cards}", cards)
    if is_order_allowed(table, event.cards):
        return None
    ruling = as_ruled(table, "trigger_scope")
    message = f"{name} orders an ability of the other player's before an own one{ruling}"
    return Broken(message, "the own abilities first")


def due_triggers(table: Evolve) -> tuple[str, ...]:
    """Return the cards in play with an ability of the start of this turn, in the order of arrival."""
    return tuple(dict.fromkeys(doing.source for doing in start_of_turn(table)))


# -- the end step ------------------------------------------------------------------------------------------------------


def surplus(table: Evolve, player: str) -> int:
    """Return how many cards a player still has to discard at the end of the turn.

    Rulings: `hand_limit`, `end_step_triggers` for what is drawn after the discard, and `starvation_moment` for a game
    that ends before it.
    """
    if table.end_triggers == "done":
        return 0
    beyond = table.zones[table.players[player].hand].size - 5
    if beyond > 0 and wins_before_discard(table):
        return 0
    if table.options["hand_limit"] == "discard_one":
        return 1 if beyond > 0 and player not in table.discarded else 0
    return max(beyond, 0)


def holding_surplus(table: Evolve) -> str:
    """Return who has to discard before the turn can end, the player on turn first; empty where nobody has to."""
    if surplus(table, table.active):
        return table.active
    other = table.players[table.active].opponent if both_discard(table) else ""
    return other if other and surplus(table, other) else ""


@rule(
    "evolve.end.hand-limit",
    "End Turn Step",
    "L257.1",
    "With more than five cards in hand the current player discards one card.",
)
def hand_limit(table: Evolve, event: ev.SurplusDiscarded) -> Verdict:
    """A surplus card is discarded in the end step, if there is one (rulings `hand_limit`, `hand_limit_opponent`)."""
    name = name_of(table, event.player)
    if event.player != table.active and not both_discard(table):
        return f"{name} discards a surplus card in the turn of {name_of(table, table.active)}"
    if table.phase not in {MAIN, END}:
        return f"{name} discards a surplus card before the end step"
    size = table.zones[table.players[event.player].hand].size
    if surplus(table, event.player):
        return None
    once = " once more" if event.player in table.discarded else ""
    ruling = as_ruled(table, "hand_limit") if size > 5 else ""
    return f"{name} discards{once} with {how_many(size, 'card')} in hand, and need not{ruling}"


@case(hand_limit)
def surplus_discarded(table: Evolve, event: ev.TurnEnded) -> Verdict:
    """A turn ends only after the surplus cards are gone."""
    if event.player != table.active:
        return NOT_APPLICABLE
    holder = holding_surplus(table)
    if not holder:
        return None
    player = table.players[holder]
    size = table.zones[player.hand].size
    if holder == event.player:
        message = f"{player.name} ends the turn with {size} cards in hand and has not discarded"
    else:
        ruling = as_ruled(table, "hand_limit_opponent")
        name = name_of(table, event.player)
        message = f"{name} ends the turn, and {player.name} has {size} cards in hand and has not discarded{ruling}"
    return Broken(message, "surplus.discarded", "missing")
