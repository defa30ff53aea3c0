"""What Events do, and how cards come to a discard pile."""

from collections.abc import Mapping
from typing import Any, Final

import msgspec

from tabletape.events.games import phylogenome as ev
from tabletape.projector.games.phylogenome import tableau
from tabletape.projector.games.phylogenome.abilities import Effect, verb
from tabletape.projector.games.phylogenome.state import BENEATH, TABLEAU, Owed, Phylo, PhyloCard, is_species
from tabletape.projector.kit.seating import zone_of

AS_DECLARED: Final = "phylogenome.event.as-declared"
STAYS: Final = "phylogenome.event.beneath-stays"
RULES: Final[Mapping[str, str]] = {
    "cycled": "phylogenome.cycle.one-from-hand",
    "paid": "phylogenome.event.requirement",
    "effect": AS_DECLARED,
    "used": AS_DECLARED,
    "host-left": STAYS,
    "disconnected": "phylogenome.fix.discard-unfixed",
    "incompatible": "phylogenome.fix.discard-unfixed",
}
"""The rule that brings a card to a discard pile, by the reason; an Event that is done has the rule of its mode."""
DONE: Final = {"on_top": "phylogenome.event.on-top-once", "instant": "phylogenome.event.momentary"}


# -- discarding --------------------------------------------------------------------------------------------------------


def discard(table: Phylo, card: PhyloCard, pile: str, reason: Any, rule: str = "") -> None:
    """Move a card to a player's discard pile from wherever it is; Events beneath a Species follow it."""
    beneath = card.beneath
    put_on_pile(table, card, pile)
    table.derive(ev.CardDiscarded(card=card.name, pile=pile, reason=reason), rule or RULES[reason])
    table.applied.append(f"phylogenome.discard.{'species' if is_species(card) else 'event'}-pile")
    for name in beneath:
        event = table.cards[name]
        discard(table, event, event.controller, "host-left")


def put_on_pile(table: Phylo, card: PhyloCard, pile: str) -> None:
    """Move a card to a discard pile; a Species leaves its cell, an Event its host."""
    detach(table, card)
    table.move(card, zone_of(table, "discard", pile))


def detach(table: Phylo, card: PhyloCard) -> None:
    """Take a card out of play, without saying where it goes."""
    if card.zone.name == TABLEAU:
        tableau.leave(table, card)
    if card.host:
        host = table.find(card.host)
        table.set(card, "host", "")
        if host is not None and card.name in host.beneath:
            table.set(host, "beneath", tuple(name for name in host.beneath if name != card.name))
            tableau.raise_scale(table, host, -_scale(card))
    if card.used:
        table.set(card, "used", 0)


def _scale(card: PhyloCard) -> int:
    return 0 if card.text is None else int(card.text.says.scale)


# -- playing an Event --------------------------------------------------------------------------------------------------


def carry_out(table: Phylo, card: PhyloCard, event: ev.EventPlayed) -> None:
    """Do what an Event says: pay for it, then its effects in order, then it goes where its mode says."""
    says = card.text.says
    for name in () if event.paid is msgspec.UNSET else event.paid:
        paid = table.take(name, zone_of(table, "hand", event.player))
        if not paid.in_play:
            discard(table, paid, event.player, "paid")
    target = None if event.target is msgspec.UNSET else table.find(event.target)
    table.set(card, "controller", event.player)
    table.applied.append("phylogenome.event.faces-player")
    if says.trigger == "on_play":
        for effect in says.effects:
            verb.does[effect.verb](table, event, effect, target)
    if says.mode in DONE:
        detach(table, card)
        discard(table, card, event.player, "resolved", DONE[says.mode])
    elif says.mode == BENEATH and target is not None and target.zone.name == TABLEAU:
        detach(table, card)
        table.move(card, table.zones[BENEATH])
        table.set(card, "host", target.name)
        table.set(target, "beneath", (*target.beneath, card.name))
        tableau.raise_scale(table, target, _scale(card))
    else:
        detach(table, card)
        table.move(card, zone_of(table, "table", event.player))
        table.applied.append("phylogenome.event.table-stays")


@verb("draw {n}", "look_at_deck {n} {keep:n}")
def _owe(table: Phylo, event: ev.EventPlayed, effect: Effect, target: PhyloCard | None) -> None:
    """Draw from the deck; of cards that are looked at, some are kept and the others go under the deck."""
    due = Owed(line=ev.CardsDrawn, player=event.player, rule=AS_DECLARED, count=effect.n, source=event.card)
    if effect.verb != "draw":
        words = "looks at {cards} for {source}"
        due = msgspec.structs.replace(due, line=ev.CardsLookedAt, words=words, keep=effect.keep)
    table.set(table, "owed", (*table.owed, due))


@verb("discard {what}", "discard_event {what}")
def _discard(table: Phylo, event: ev.EventPlayed, effect: Effect, target: PhyloCard | None) -> None:
    """Discard a Species, or an Event in play."""
    if target is not None and target.in_play:
        discard(table, target, target.controller, "effect")


@verb("forbid {action} {player} {turns:n}")
def _forbid(table: Phylo, event: ev.EventPlayed, effect: Effect, target: PhyloCard | None) -> None:
    """Forbid the opponent to play Species in the next turns of that player."""
    forbid(table, ev.PlayForbidden(player=table.players[event.player].opponent), effect.turns)


@verb("recover_from_discard {what}")
def _recover(table: Phylo, event: ev.EventPlayed, effect: Effect, target: PhyloCard | None) -> None:
    """Take a Species from the own discard pile to the hand."""
    if target is not None:
        recover(table, ev.CardRecovered(player=event.player, card=target.name))


@verb("move {what} {to}")
def _move(table: Phylo, event: ev.EventPlayed, effect: Effect, target: PhyloCard | None) -> None:
    """Move a Species to another cell that fits."""
    if target is not None and event.cell is not msgspec.UNSET:
        relocate(table, ev.SpeciesRelocated(card=target.name, cell=event.cell))


def forbid(table: Phylo, event: ev.PlayForbidden, turns: int = 1) -> None:
    """Keep a player from playing Species in so many own turns from the next one on."""
    player = table.players[event.player]
    last = table.turn + (0 if table.active == player.id else -1) + 2 * turns
    table.set(player, "forbidden_until", max(last, player.forbidden_until))
    table.derive(event, AS_DECLARED)


def recover(table: Phylo, event: ev.CardRecovered) -> None:
    """Take a card of a discard pile to the hand of a player."""
    card = table.find(event.card)
    if card is not None and card.zone.name[:8] == "discard:":
        table.move(card, zone_of(table, "hand", event.player))
        table.derive(event, AS_DECLARED)


def relocate(table: Phylo, event: ev.SpeciesRelocated) -> None:
    """Move a Species in play to a cell."""
    card = table.find(event.card)
    if card is not None and card.zone.name == TABLEAU:
        tableau.relocate(table, card, event.cell)
        table.derive(event, AS_DECLARED)


# what counts as long as an Event lies there, and at scoring, is read off its text
verb.add(["points_add {n:points}", "points_set {n:points}", "scale_add {n}", "generation_bonus {n} {uses:n}"])
