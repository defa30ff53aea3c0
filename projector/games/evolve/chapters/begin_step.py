"""The begin step: the draw, unstressing organisms, ordering abilities; also draws of cards (L112, L213 to L222)."""

from collections.abc import Callable, Iterator
from itertools import permutations, takewhile
from typing import Any, Final

from tabletape.events.games import evolve as ev
from tabletape.events.vocabulary import Event
from tabletape.projector.games.evolve import changes, steps
from tabletape.projector.games.evolve.chapters import BEGIN_STEP, RESPONSES, WINNING, setup
from tabletape.projector.games.evolve.chapters.cards import affordable, card_location
from tabletape.projector.games.evolve.chapters.mulligans import free_bottom
from tabletape.projector.games.evolve.effects import deck_out, go_on_after
from tabletape.projector.games.evolve.naming import called, short_of
from tabletape.projector.games.evolve.orders import is_order_allowed, start_of_turn, take_order_said
from tabletape.projector.games.evolve.state import BEGIN, DRAW, MAIN, SETUP, Evolve, Owed, organisms
from tabletape.projector.kit.card_verdicts import does, unless_unknown
from tabletape.projector.kit.moves import move
from tabletape.projector.kit.owed import OwedLine, missing, what_is_owed
from tabletape.projector.model.amounts import how_many
from tabletape.projector.model.due import number_of_cards
from tabletape.projector.model.phrases import name_of
from tabletape.projector.model.rules import NOT_APPLICABLE, Broken, Case, Rule, Verdict, case, select_rule, stop
from tabletape.projector.model.sentences import in_words


@WINNING.rule("evolve.turn.alternate", "L8.1 L210.1", rests_on="nothing")
def turn_alternate(table: Evolve, event: ev.TurnEnded | ev.CardsDrawn) -> Verdict:
    """The players' turns alternate (inferred)."""
    if event.player == table.active:
        return None
    if table.phase == DRAW and type(event) is ev.TurnEnded:
        return Broken(f"the turn of {name_of(table, event.player)} has ended already", "", "info")
    what = "ends a turn" if type(event) is ev.TurnEnded else "draws for the turn"
    return f"{name_of(table, event.player)} {what} in the turn of {name_of(table, table.active)}"


@BEGIN_STEP.rule("evolve.begin.draw", "L216.1", rests_on="nothing")
def begin_draw(table: Evolve, event: ev.CardsDrawn) -> Verdict:
    """Draw one card."""
    name = name_of(table, event.player)
    number = number_of_cards(event)
    if number != 1:
        return Broken(f"{name} draws {how_many(number, 'card')} at the start of the turn instead of 1", "1 card")
    if table.phase == DRAW or table.late == event.player:
        return None
    return f"{name} draws again for the start of the turn"


def owed_now(table: Evolve) -> OwedLine | None:
    """Return the draw that has to come before anything else: that of the turn, or one that a card has ordered."""
    if table.phase != DRAW:
        return table.owed
    words = "draws {cards} at the start of the turn"
    return OwedLine(line=ev.CardsDrawn, player=table.active, rule=begin_draw.id, words=words, count=1)


@case(begin_draw)
def drawn_before(table: Evolve, event: Event) -> Verdict:
    """Nothing of a turn comes before its draw."""
    owed = owed_now(table) if table.phase == DRAW else None
    return None if owed is None else missing(table, owed, event)


def once_begun(then: Rule | Case) -> Callable[[Evolve, Any], Rule | Case]:
    """Return what says which rule decides: what the set-up lacks, the draw of the own turn, or `then`."""

    def choose(table: Evolve, event: Any) -> Rule | Case:
        phase = table.phase
        if phase == SETUP:
            return setup.missing_in_setup(table, event)
        return drawn_before if phase == DRAW and event.player == table.active else then

    return choose


begun: Final = once_begun(drawn_before)
"""Says which rule decides whether the game has got as far as a line."""


@RESPONSES.rule("evolve.event.normal-if-none", "L112.1", "Without a response the event resolves normally.")
def normal_if_none(table: Evolve, event: ev.CardsDrawn) -> Verdict:
    """A draw by an effect is one that a card has ordered, of as many cards as it says."""
    owed, number = table.owed, number_of_cards(event)
    name = name_of(table, event.player)
    if not number and owed is None and not table.zones[table.players[event.player].deck_zone].size:
        return NOT_APPLICABLE
    if owed is None or owed.player != event.player:
        return f"{name} draws for an effect, and no card has told {name} to"
    if number == owed.count:
        return None
    return Broken(f"{name} {what_is_owed(table, owed, number)}, not {owed.count}", how_many(owed.count, "card"))


@case(card_location)
def drawn_in_deck(table: Evolve, event: ev.CardsDrawn) -> Verdict:
    """Drawn cards come from the own deck."""
    if not event.cards:
        return NOT_APPLICABLE
    return setup.drawn_from_deck(table, table.players[event.player], event.cards)


@case(free_bottom)
def draw_leaves_bottom(table: Evolve, event: ev.CardsDrawn) -> Verdict:
    """A draw does not reach the bottom before its time."""
    if not event.cards:
        return NOT_APPLICABLE
    player = table.players[event.player]
    return setup.bottom_in_order(table, player, event.cards, player.bottom, player.loose)


def _may_draw(table: Evolve, event: ev.CardsDrawn) -> Rule | Case:
    """Return which rule decides about a draw, by what it is for."""
    if event.reason != "turn-start":
        return setup.hand_five if event.reason == "opening-hand" else normal_if_none
    if table.phase == SETUP:
        return setup.missing_in_setup(table, event)
    if event.player != table.active:
        return turn_alternate
    return setup.first_turn_no_draw if setup.is_first_begin_step(table) else begin_draw


def draws_for_turn(table: Evolve, event: ev.CardsDrawn) -> bool:
    """Return whether the one card that a turn begins with comes from a deck of which nobody knows the bottom."""
    is_due = event.reason == "turn-start" and table.phase == DRAW and event.player == table.active and table.turn != 1
    cards = event.cards
    if not is_due or not cards or len(cards) != 1:
        return False
    player, card = table.players[event.player], table.cards.get(cards[0])
    return card is not None and card.zone.name == player.deck_zone and not player.bottom


@move(
    ev.CardsDrawn,
    *(select_rule(_may_draw), stop(drawn_in_deck), draw_leaves_bottom),
    is_usual=draws_for_turn,
    keeps=(begin_draw, card_location),
)
def draw_cards(table: Evolve, event: ev.CardsDrawn) -> None:
    """Draw, and let follow what waits for this draw."""
    player, reason = table.players[event.player], event.reason
    if reason == "turn-start" and table.phase == SETUP:
        steps.hand_over(table, event.player)
    changes.draw(table, player, event.cards or (), event.count or 0)
    if reason == "opening-hand":
        table.set(player, "opened", True)
        took_all = player.listed and table.zones[player.hand].size < 5 and table.zones[player.deck_zone].size <= 0
        if took_all and table.options["deckout_mulligan"] == "loses":
            deck_out(table, event.player, is_begin_step=False)
    elif reason != "turn-start":
        _end_awaiting(table, table.owed)
    elif event.player == table.active and table.phase == DRAW:
        steps.begin_step(table)
    elif event.player == table.active:
        table.set(table, "late", "")


def _end_awaiting(table: Evolve, owed: Owed | None) -> None:
    table.set(table, "owed", None)
    if owed is not None and owed.beyond:
        deck_out(table, owed.player, is_begin_step=False)
    if owed is not None:
        go_on_after(table, owed)


def _too_late(table: Evolve, player: str) -> str:
    """Return how a line misses the part of a begin step that comes before its abilities, or nothing."""
    if player != table.active:
        return f"in the turn of {name_of(table, table.active)}"
    if table.phase != BEGIN:
        return "after the begin step"
    return "" if table.triggers_due else "after the abilities of the start of the turn have happened"


def _stands_ready(table: Evolve, event: ev.OrganismUnstressed) -> Verdict:
    """Return why an organism cannot be unstressed now, or nothing."""
    late, card = _too_late(table, event.player), table.find(event.card)
    if late:
        return does(table, event, f"unstresses an organism {late}")
    if card is not None and card.is_nonfood and card.controller == event.player and card.stressed:
        return None
    title = called(table, event.card, event.player)
    if card is None or not card.is_nonfood or card.controller != event.player:
        message = f"{title} is no non-food organism of {name_of(table, event.player)} in play"
        return unless_unknown(table, event.card, message)
    return f"{title} is not stressed and cannot be unstressed"


@BEGIN_STEP.rule("evolve.begin.unstress-one", "L217.1")
def unstress_one(table: Evolve, event: ev.OrganismUnstressed) -> Verdict:
    """One stressed non-food organism may be unstressed for free."""
    if event.paid:
        return NOT_APPLICABLE
    why = _stands_ready(table, event)
    if why is not None:
        return why
    if table.paid_unstress and table.options["unstress_order"] == "free_first":
        return does(table, event, "unstresses an organism for free after having paid for one", "unstress_order")
    return does(table, event, "unstresses a second organism for free") if table.unstressed else None


@BEGIN_STEP.rule("evolve.begin.paid-unstress", "L220.1")
def paid_unstress(table: Evolve, event: ev.OrganismUnstressed) -> Verdict:
    """For 1 DNA a stressed non-food organism may be unstressed."""
    if not event.paid:
        return NOT_APPLICABLE
    why = _stands_ready(table, event)
    if why is not None:
        return why
    if not table.paid_unstress or table.options["paid_unstress_count"] != "one_per_turn":
        return None
    return does(table, event, "pays a second time in this turn to unstress an organism", "paid_unstress_count")


@case(affordable)
def unstress_affordable(table: Evolve, event: ev.OrganismUnstressed) -> Verdict:
    """1 DNA for the paid unstress."""
    if not event.paid:
        return NOT_APPLICABLE
    short = short_of(table, event.player, 0, 1)
    return f"the unstressing cannot be paid: {short}" if short else None


def possible_unstressings(table: Evolve, player: str) -> Iterator[Event]:
    """Yield the organisms a player might unstress in the begin step."""
    for card in organisms(table):
        if card.stressed and card.controller == player:
            yield from (ev.OrganismUnstressed(player=player, card=card.name, paid=paid) for paid in (False, True))


@move(
    ev.OrganismUnstressed,
    *(stop(select_rule(begun)), stop(unstress_one), stop(paid_unstress), unstress_affordable),
    offers=possible_unstressings,
)
def unstress(table: Evolve, event: ev.OrganismUnstressed) -> None:
    """Turn an organism straight, for nothing or for 1 DNA."""
    steps.engage(table, event.player)
    card = table.card(event.card)
    changes.set_stressed(table, card, stressed=False)
    if event.paid:
        table.count(table, "paid_unstress", 1)
        changes.change_dna(table, table.players[event.player], -1, "evolve.begin.paid-unstress")
    else:
        table.count(table, "unstressed", 1)


def unsaid_unstress(table: Evolve, event: Event) -> tuple[Rule, ev.OrganismUnstressed] | None:
    """Return the unsaid unstressing of a line's organism in the begin step of this turn, where it may have been.

    For nothing if no other one was, else for 1 DNA if there is one. None where it was stressed later in the turn.
    """
    card, player = table.find(getattr(event, "card", "") or ""), table.active
    if card is None or not (card.stressed and card.is_nonfood and card.controller == player):
        return None
    in_turn = takewhile(lambda change: not (change[0] is table and change[1] == "active"), reversed(table.journal))
    is_stressed_since = any(thing is card and field in {"stressed", "made"} for thing, field, *_ in in_turn)
    if getattr(event, "player", "") != player or table.phase not in {BEGIN, MAIN} or is_stressed_since:
        return None
    if not table.unstressed:
        return unstress_one, ev.OrganismUnstressed(player=player, card=card.name, paid=False)
    is_second = table.paid_unstress and table.options["paid_unstress_count"] == "one_per_turn"
    if table.players[player].dna < 1 or is_second:
        return None
    return paid_unstress, ev.OrganismUnstressed(player=player, card=card.name, paid=True)


@BEGIN_STEP.rule("evolve.begin.trigger-order", "L222.2")
def trigger_order(table: Evolve, event: ev.TriggersOrdered) -> Verdict:
    """The current player orders simultaneous triggers."""
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
    orders = does(table, event, "orders an ability of the other player's before an own one", "trigger_scope")
    return Broken(orders, "the own abilities first")


def due_triggers(table: Evolve) -> tuple[str, ...]:
    """Return the cards in play with an ability of the start of this turn, in the order of arrival."""
    return tuple(dict.fromkeys(doing.source for doing in start_of_turn(table)))


def possible_orders(table: Evolve, player: str) -> list[Event]:
    """Return the orders in which the abilities of the start of the turn might happen; of many, only the reverse one."""
    due = due_triggers(table)
    orders = [] if len(due) < 2 else permutations(due) if len(due) <= 3 else [due[::-1]]
    return [ev.TriggersOrdered(player=player, cards=cards) for cards in orders]


@move(ev.TriggersOrdered, stop(select_rule(begun)), trigger_order, offers=possible_orders)
def order_triggers(table: Evolve, event: ev.TriggersOrdered) -> None:
    """Note the order in which the abilities of the start of the turn happen."""
    take_order_said(table, event.cards)
    steps.engage(table, event.player)
    table.set(table, "ordered", event.cards)
