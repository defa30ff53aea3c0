"""What has been declared happens: last in, first out - response, event, answering attack, play or action."""

from collections.abc import Callable
from typing import Final

import msgspec

from events.games import evolve as ev
from projector.games.evolve import changes
from projector.games.evolve.effects import carry_on, carry_out
from projector.games.evolve.selecting import limit_of, printed_action, shared_subtypes
from projector.games.evolve.state import Doing, Evolve, EvolveCard, Opened, Pending, is_organism
from projector.model.table import NOWHERE

FIZZLED: Final = "evolve.event.invalid-choice"


def resolve_next(table: Evolve) -> bool:
    """Resolve the last thing that was declared; return whether there was one that could."""
    if table.owed is not None or table.over:
        return False
    event = table.event
    if table.agenda:
        carry_on(table)
    elif event is not None and not (table.pending is not None and table.options["event_resolution"] == "after"):
        _resolve_event(table, event)
    elif table.answer is not None:
        _resolve_answer(table, table.answer)
    elif table.pending is not None:
        _resolve_pending(table, table.pending)
    else:
        return False
    if table.agenda:
        carry_on(table)
    return True


def resolve_all(table: Evolve) -> None:
    """Resolve everything that was declared, as far as the next draw."""
    while resolve_next(table):
        pass


def resolve_event(table: Evolve) -> None:
    """Resolve the open event, and what abilities have put on the agenda."""
    while (table.event is not None or table.agenda) and resolve_next(table):
        pass


# -- events ------------------------------------------------------------------------------------------------------------


def _resolve_event(table: Evolve, event: Opened) -> None:
    """Carry out an event, or the response to it, and put the card away first."""
    card = table.find(event.response or event.card)
    if event.response:
        table.applied += ["evolve.response.timing", "evolve.response.not-to-response"]
        table.set(table, "event", msgspec.structs.replace(event, response=""))
        player, target = event.responder, event.response_target
    else:
        table.set(table, "event", None)
        player, target = event.player, event.target
    if card is None:
        return
    text = card.text
    if text is not None and text.manual:
        table.set(table, "manual", card.name)
    _put_away(table, card, event)
    if text is not None and (event.response or not event.cancelled):
        doing = Doing(
            source=card.name,
            player=player,
            means="response" if text.response else "event",
            effects=text.says.effects,
            target=target,
            shielded=() if event.response else event.shielded,
        )
        carry_out(table, doing)


def _put_away(table: Evolve, card: EvolveCard, event: Opened) -> None:
    """Put an event or response that has resolved into the discard pile."""
    if event.cancelled and not event.response:
        table.derive(ev.EventCancelled(card=card.name), "evolve.response.resolves-first")
        if table.options["cancelled_event"] == "back_to_hand":
            changes.hand_back(table, card)
            return
    changes.to_discard(table, card)
    table.applied.append("evolve.event.to-discard")


# -- attacks and other actions -----------------------------------------------------------------------------------------


def _resolve_answer(table: Evolve, answer: Pending) -> None:
    table.update(table, answer=None, played=(), declined=())
    _resolve_action(table, answer)


def _still_acts(table: Evolve, name: str, action: str) -> bool:
    """Return whether an action still happens: its organism is in play, or the ruling does not mind."""
    card = table.find(name)
    if (card is None or not is_organism(card)) and table.options["action_source_gone"] == "no_effect":
        return False
    if card is not None and _is_held_up(table, card, action):
        return False
    if card is not None and card.text is not None and card.text.manual:
        table.set(table, "manual", name)
    if action == "attack" and table.options["attack_undefined"] == "table_rules":
        table.set(table, "manual", name)
    return True


def _is_held_up(table: Evolve, card: EvolveCard, name: str) -> bool:
    """Return whether an organism has become stressed in the window of its action and so does not carry it out."""
    if not card.stressed or name == "consume" or table.options["action_source_stressed"] == "still_acts":
        return False
    action = printed_action(card, name)
    return action is None or not action.stress


def _resolve_action(table: Evolve, pending: Pending) -> None:
    action = pending.action
    if _still_acts(table, pending.card, pending.name) and action is not None:
        if pending.name == "duplicate" and table.options["duplicate_new_card"] == "second_organism":
            _enter_second(table, pending)
        doing = Doing(
            source=pending.card,
            player=pending.player,
            means=action.name,
            effects=action.effects,
            target=pending.target,
        )
        carry_out(table, doing)


def _resolve_consume(table: Evolve, pending: Pending) -> None:
    """Carry out a consumption: gain the food's energy, stress the food, then what its mutations add (part 3.1)."""
    card = changes.is_there(table, pending.card)
    food = changes.is_there(table, pending.target)
    if card is None:
        return
    if food is None and table.options["food_gone"] == "no_energy":
        return
    if printed_action(card, "consume") is not None:
        _resolve_action(table, pending)
    elif food is not None:
        _eat(table, pending, card, food)
    else:
        gone = table.find(pending.target)
        if gone is not None and gone.text is not None:
            changes.gain_energy(table, card, "consume", gone.text.food_energy, "evolve.consume.gain")
    if card.mutations or card.name in table.watching:
        changes.fire(table, "self.consume", (card.name,))
        changes.fire(table, "host.consume", card.mutations)


def _eat(table: Evolve, pending: Pending, card: EvolveCard, food: EvolveCard) -> None:
    starves = food.stressed and table.options["food_conflict"] == "dies_without_gain"
    if food.text is not None and not starves:
        changes.gain_energy(table, card, "consume", food.text.food_energy, "evolve.consume.gain")
    rule = "evolve.consume.completes" if pending.answered else "evolve.consume.stresses-food"
    changes.stress(table, food, card.name, rule)
    table.applied.append("evolve.consume.food-stays" if is_organism(food) else "evolve.main.implicit-consume")
    if table.options["consumer_stress"] == "becomes_stressed" and is_organism(card):
        changes.stress(table, card, card.name, "evolve.consume.stresses-food")


# -- plays -------------------------------------------------------------------------------------------------------------


def _enter_new(table: Evolve, card: EvolveCard, player: str, rule: str = changes.PLAYED) -> None:
    """Put an organism into play that may be too young to act in this turn (ruling `play_sick`)."""
    changes.enter(table, card, table.zones[table.players[player].play], player, rule)
    table.set(card, "since", table.turn)


def _enter_second(table: Evolve, pending: Pending) -> None:
    """Put a second organism like the one that duplicates into play (ruling `duplicate_new_card`)."""
    first = table.card(pending.card)
    second = table.make(_next_copy(table, first.name), table.zones[NOWHERE], face_up=True)
    _enter_new(table, second, pending.player, "evolve.duplicate.extra")


def _next_copy(table: Evolve, name: str) -> str:
    """Return the name of the next copy of a card, after all that there are."""
    like, number = name.partition("#")[0], 2
    while f"{like}#{number}" in table.cards:
        number += 1
    return f"{like}#{number}"


def _enter_mutation(table: Evolve, pending: Pending) -> None:
    card = table.card(pending.card)
    host = changes.is_there(table, pending.target)
    if host is not None:
        changes.attach(table, card, host, pending.player)
    elif table.options["mutation_gone_host"] == "back_to_hand":
        changes.hand_back(table, card)
    else:
        changes.leave(table, card, "fizzled", FIZZLED)


def _enter_status(table: Evolve, pending: Pending) -> None:
    card = table.card(pending.card)
    if table.options["status_conflict"] == "replaces" and card.text is not None:
        for other in list(table.zones["status"].cards):
            if other.text is not None and shared_subtypes(table, card.text, other.text):
                changes.leave(table, other, "status-ended", "evolve.status.one-per-subtype")
    changes.enter(table, card, table.zones["status"], pending.player)


def end_status(table: Evolve, pending: Pending) -> None:
    """End the status in play for which another one has been given up, if it is still there."""
    target = table.find(pending.target)
    if target is not None and target.zone.name == "status":
        changes.leave(table, target, "status-ended", "evolve.status.ended-to-owner")


# -- evolving ----------------------------------------------------------------------------------------------------------


def _resolve_evolve(table: Evolve, pending: Pending) -> None:
    old = table.find(pending.card)
    stays = old is not None and is_organism(old)
    if not pending.target:
        if old is not None and _wins(table, old, stays=stays):
            changes.end_game(table, pending.player, "tier3", "evolve.win.tier3")
        return
    new = table.card(pending.target)
    if old is None or not stays:
        if table.options["evolve_interrupted"] == "card_back_to_hand":
            changes.hand_back(table, new)
        else:
            changes.leave(table, new, "fizzled", FIZZLED)
        return
    swap(table, pending.player, old, new, pending.unpaid)


def _wins(table: Evolve, card: EvolveCard, *, stays: bool) -> bool:
    """Return whether an organism that evolves without being swapped wins the game for its player."""
    if card.text is None or card.text.tier != 3 or not _pays_for_win(table):
        return False
    if card.stressed and table.options["tier3_stressed_in_window"] == "fails":
        return False
    return stays or table.options["tier3_removed_in_window"] == "wins_anyway"


def _pays_for_win(table: Evolve) -> bool:
    return table.options["tier3_win"] == "pay_evolve_cost"


def swap(table: Evolve, player: str, old: EvolveCard, new: EvolveCard, unpaid: int) -> None:
    """Swap an organism for one of the next tier; its mutations and then its energy move along (L171.1).

    Out of that energy the new one pays what is still `unpaid` of the evolve cost.
    """
    energy, mutations = old.energy, old.mutations
    inherits = table.options["evolve_new_object"]
    actions, stressed, stressed_by = old.actions, old.stressed, old.stressed_by
    table.set(old, "mutations", ())
    changes.leave(table, old, "evolved", "evolve.evolve.old-to-discard")
    changes.enter(table, new, table.zones[table.players[player].play], player)
    for name in mutations:
        mutation = table.find(name)
        if mutation is not None:
            table.set(mutation, "host", new.name)
    table.set(new, "mutations", mutations)
    if inherits != "new_object":
        table.set(new, "actions", actions)
        if stressed and inherits == "inherits_all":
            table.update(new, stressed=True, stressed_by=stressed_by)
    _move_energy(table, new, energy)
    if unpaid:
        changes.change_energy(table, new, -unpaid, "evolve.energy.own-supply")
    if new.text is not None and new.text.tier == 3 and not _pays_for_win(table):
        changes.end_game(table, player, "tier3", "evolve.win.tier3")


def _move_energy(table: Evolve, new: EvolveCard, energy: int) -> None:
    limit = limit_of(table, new)
    if limit is not None and energy > limit and table.options["energy_cap_transfer"] == "kept":
        changes.change_energy(table, new, limit, "evolve.evolve.transfer")
        table.count(new, "energy", energy - limit)
    elif energy:
        changes.change_energy(table, new, energy, "evolve.evolve.transfer")


RESOLVE: Final[dict[str, Callable[[Evolve, Pending], None]]] = {
    "organism": lambda table, pending: _enter_new(table, table.card(pending.card), pending.player),
    "mutation": _enter_mutation,
    "status": _enter_status,
    "status ended": end_status,
    "consume": _resolve_consume,
    "action": _resolve_action,
    "evolve": _resolve_evolve,
    "evolved": lambda _table, _pending: None,
}


def _resolve_pending(table: Evolve, pending: Pending) -> None:
    table.journal.append((table, "pending", pending, None))
    table.pending = None
    RESOLVE[pending.kind](table, pending)
