"""What each event does at the table, also when it was not allowed."""

from collections.abc import Callable
from typing import Final

import msgspec
from msgspec import UNSET

from events.games import evolve as ev
from events.vocabulary import Event
from projector.games.evolve import changes
from projector.games.evolve.effects import carry_on
from projector.games.evolve.opening import PLAY as OPENING
from projector.games.evolve.paying import SUPPLY, pay_action, pay_for
from projector.games.evolve.resolving import end_status, swap
from projector.games.evolve.schema import organism_kind
from projector.games.evolve.selecting import action_called, can_pay, evolve_cost, mp_cost, printed_action
from projector.games.evolve.state import (
    MAIN,
    SETUP,
    Evolve,
    EvolveCard,
    EvolvePlayer,
    Opened,
    Pending,
    PlayKind,
    in_play,
    is_organism,
)
from projector.games.evolve.turns import end_turn, engage
from projector.games.evolve.windows import ends_at_once, note_decline, note_event, note_response_decline, window_of
from projector.kit.ending import early_ends

Acting = ev.FoodConsumed | ev.OrganismDuplicated | ev.OrganismPhotosynthesized | ev.OrganismAttacked | ev.ActionTaken


# -- declaring ---------------------------------------------------------------------------------------------------------


def _from_hand(table: Evolve, player: EvolvePlayer, name: str) -> EvolveCard:
    """Lay a card of the hand open on the stack."""
    card = table.take(name, table.zones[player.hand])
    table.move(card, table.zones["stack"])
    if not card.face_up:
        table.journal.append((card, "face_up", False, True))
        card.face_up = True
    return card


def _declare(table: Evolve, pending: Pending) -> None:
    """Put a play or action up, and open its window."""
    table.journal.append((table, "pending", table.pending, pending))
    table.pending = pending
    if table.played:
        table.set(table, "played", ())
    if table.declined:
        table.set(table, "declined", ())
    if table.manual:
        table.set(table, "manual", "")


# -- plays -------------------------------------------------------------------------------------------------------------


def _play(
    table: Evolve, kind: PlayKind, event: ev.OrganismPlayed | ev.MutationPlayed | ev.StatusPlayed, target: str
) -> None:
    """Lay a card of the hand open, pay for it and name its host."""
    if table.phase != MAIN:
        engage(table, event.player)
    player = table.players[event.player]
    card = _from_hand(table, player, event.card)
    pay_for(table, player, card.text)
    _declare(table, Pending(kind=kind, player=event.player, card=card.name, target=target))


def organism_played(table: Evolve, event: ev.OrganismPlayed) -> None:
    """Lay an organism open and pay for it."""
    _play(table, "organism", event, "")
    if table.options["play_tier1_free"] == "one_each":
        text = table.card(event.card).text
        table.set(table, "arrived", (*table.arrived, "" if text is None else organism_kind(text)))


def mutation_played(table: Evolve, event: ev.MutationPlayed) -> None:
    """Lay a mutation open, pay for it and name its host."""
    changes.found_in_play(table, event.host)
    _play(table, "mutation", event, event.host)


def status_ended(table: Evolve, event: ev.StatusEnded) -> None:
    """Discard a status of the hand and pay for the one that is to end."""
    at_once = ends_at_once(table, event.player)
    if table.phase == SETUP or not at_once:
        engage(table, event.player)
    player = table.players[event.player]
    card = table.take(event.card, table.zones[player.hand])
    changes.to_discard(table, card)
    table.applied.append("evolve.status.hand-discard")
    target = table.find(event.target)
    if target is not None and target.text is not None:
        changes.change_mp(table, player, -mp_cost(table, target.text), "evolve.status.hand-cost")
        if table.options["status_hand_cost"] == "mp_and_dna":
            changes.change_dna(table, player, -target.text.dna, "evolve.status.hand-cost")
    pending = Pending(kind="status ended", player=event.player, card=card.name, target=event.target)
    if not at_once:
        _declare(table, pending)
        return
    if table.options["status_hand_timing"] == "like_events":
        note_event(table, window_of(table), event.player)
    end_status(table, pending)


# -- actions -----------------------------------------------------------------------------------------------------------


def _act(table: Evolve, event: Acting, name: str, target: str) -> None:
    """Pay for a printed action and name its target."""
    if table.phase != MAIN:
        engage(table, event.player)
    card = changes.found_in_play(table, event.card)
    if target:
        changes.found_in_play(table, target)
    action = printed_action(card, name)
    table.journal.append((card, "actions", card.actions, card.actions + 1))
    card.actions += 1
    pay_action(table, table.players[event.player], card, action)
    kind: PlayKind = "consume" if name == "consume" else "action"
    pending = Pending(kind=kind, player=event.player, card=card.name, target=target, name=name, action=action)
    _declare(table, pending)


def evolved(table: Evolve, event: ev.OrganismEvolved) -> None:
    """Pay the evolve cost, and lay the card of the next tier open and pay for it (ruling `evolve_card_cost`)."""
    engage(table, event.player)
    player = table.players[event.player]
    card = changes.found_in_play(table, event.card)
    cost = evolve_cost(table, card)
    dna = 0 if cost is None else cost.dna
    kind: PlayKind = "evolve"
    target = ""
    if event.into is not UNSET:
        new = _from_hand(table, player, event.into)
        target = new.name
        reading = table.options["evolve_card_cost"]
        if new.text is not None and reading != "evolve_cost_only":
            changes.change_mp(table, player, -mp_cost(table, new.text), "evolve.mp.primary")
            dna += new.text.dna if reading == "all_costs" else 0
    table.count(card, "actions", 1)
    changes.change_dna(table, player, -dna, "evolve.dna.evolve-cost")
    energy = 0 if cost is None else cost.energy
    unpaid = energy if target and table.options["evolve_energy_paid_first"] == "before_payment" else 0
    changes.change_energy(table, card, unpaid - energy, SUPPLY)
    if target and is_organism(card) and table.options["evolve_timing_card"] == "enters_at_once":
        swap(table, event.player, card, table.card(target), unpaid)
        card, target, kind = table.card(target), "", "evolved"
    if not table.over:
        _declare(table, Pending(kind=kind, player=event.player, card=card.name, target=target, unpaid=unpaid))


def attack_declared(table: Evolve, event: ev.AttackDeclared) -> None:
    """Answer a consuming with an attack and pay for it."""
    card = changes.found_in_play(table, event.card)
    action = printed_action(card, "attack")
    if table.options["reaction_counts"] == "counts":
        table.count(card, "actions", 1)
    pay_action(table, table.players[event.player], card, action)
    if table.pending is not None:
        table.set(table, "pending", msgspec.structs.replace(table.pending, answered=True))
    attack = Pending(
        kind="action",
        player=event.player,
        card=card.name,
        target=event.target,
        name="attack",
        action=action,
    )
    table.update(table, answer=attack, played=(), declined=())


# -- events ------------------------------------------------------------------------------------------------------------


def _is_withdrawn(table: Evolve, event: ev.EventPlayed | ev.ResponsePlayed) -> bool:
    """Return whether an event that cannot be paid is taken back at once (ruling `event_pay_fail`)."""
    card = table.find(event.card)
    if table.options["event_pay_fail"] != "withdrawn" or card is None or card.text is None:
        return False
    return not can_pay(table, event.player, card.text)


def event_played(table: Evolve, event: ev.EventPlayed) -> None:
    """Lay an event open, pay for it and make its choice."""
    engage(table, table.active or event.player)
    player = table.players[event.player]
    if _is_withdrawn(table, event):
        return
    card = _from_hand(table, player, event.card)
    pay_for(table, player, card.text)
    note_event(table, window_of(table), event.player)
    table.set(table, "manual", "")
    table.set(table, "event", Opened(player=event.player, card=card.name, target=event.target or ""))
    if table.watching:
        changes.fire(table, "event.played", table.watching)


def response_played(table: Evolve, event: ev.ResponsePlayed) -> None:
    """Lay a response open, pay for it and make its choice."""
    player = table.players[event.player]
    if _is_withdrawn(table, event):
        return
    card = _from_hand(table, player, event.card)
    pay_for(table, player, card.text)
    opened = table.event
    if opened is None:
        changes.to_discard(table, card)
        return
    answered = msgspec.structs.replace(
        opened,
        response=card.name,
        responder=event.player,
        response_target=event.target or "",
        responded=(*opened.responded, event.player),
    )
    table.set(table, "event", answered)


def declined(table: Evolve, event: ev.EventDeclined) -> None:
    """Note that a chance was let pass."""
    engage(table, table.active or event.player)
    if event.chance == "response":
        note_response_decline(table, event.player)
    else:
        note_decline(table, event.player)


# -- the steps of a turn -----------------------------------------------------------------------------------------------


def unstressed(table: Evolve, event: ev.OrganismUnstressed) -> None:
    """Turn an organism straight, for nothing or for 1 DNA."""
    engage(table, event.player)
    card = table.card(event.card)
    table.set(card, "stressed", False)
    if event.paid:
        table.count(table, "paid_unstress", 1)
        changes.change_dna(table, table.players[event.player], -1, "evolve.begin.paid-unstress")
    else:
        table.count(table, "unstressed", 1)


def triggers_ordered(table: Evolve, event: ev.TriggersOrdered) -> None:
    """Note the order in which the abilities of the start of the turn happen."""
    engage(table, event.player)
    table.set(table, "ordered", event.cards)


def surplus_discarded(table: Evolve, event: ev.SurplusDiscarded) -> None:
    """Discard a card of the hand."""
    engage(table, event.player)
    player = table.players[event.player]
    changes.to_discard(table, table.take(event.card, table.zones[player.hand]))
    table.set(table, "discarded", (*table.discarded, event.player))


def turn_ended(table: Evolve, event: ev.TurnEnded) -> None:
    """End the turn; nobody can end the turn of somebody else."""
    engage(table, event.player)
    if event.player == table.active:
        end_turn(table)


def card_shown(table: Evolve, event: ev.CardShown) -> None:
    """Name an unnamed card."""
    card = table.recognise(event.was, event.card)
    if in_play(card) and card.text is not None and card.name not in {*table.watching, *table.reaching}:
        changes.watch(table, card)


def settle(table: Evolve) -> None:
    """Carry out what abilities of cards have put on the agenda, as far as the next draw."""
    if table.agenda and table.event is None:
        carry_on(table)


PLAY: Final[dict[type[Event], Callable[..., None]]] = {
    **early_ends(changes.end_game, "evolve"),
    **OPENING,
    ev.OrganismUnstressed: unstressed,
    ev.TriggersOrdered: triggers_ordered,
    ev.OrganismPlayed: organism_played,
    ev.MutationPlayed: mutation_played,
    ev.StatusPlayed: lambda table, event: _play(table, "status", event, ""),
    ev.StatusEnded: status_ended,
    ev.FoodConsumed: lambda table, event: _act(table, event, "consume", event.food),
    ev.OrganismDuplicated: lambda table, event: _act(table, event, "duplicate", ""),
    ev.OrganismPhotosynthesized: lambda table, event: _act(table, event, "photosynthesize", ""),
    ev.OrganismAttacked: lambda table, event: _act(table, event, "attack", event.target),
    ev.OrganismEvolved: evolved,
    ev.ActionTaken: lambda table, event: _act(table, event, action_called(table, event.action), event.target or ""),
    ev.AttackDeclared: attack_declared,
    ev.EventPlayed: event_played,
    ev.ResponsePlayed: response_played,
    ev.EventDeclined: declined,
    ev.SurplusDiscarded: surplus_discarded,
    ev.TurnEnded: turn_ended,
    ev.CardShown: card_shown,
}
