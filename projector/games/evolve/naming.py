"""How messages name cards and say where they are; verdicts on a card by that, left open where nobody can tell."""

from collections.abc import Callable
from typing import Any

from tabletape.events.vocabulary.names import card_of
from tabletape.projector.games.evolve.abilities import Selection
from tabletape.projector.games.evolve.selecting import card_in_words, cards_in_words, fits
from tabletape.projector.games.evolve.state import DRAW, Evolve, EvolveCard, has_dna
from tabletape.projector.kit.card_verdicts import known, unless_unknown
from tabletape.projector.model.phrases import name_of
from tabletape.projector.model.rules import Verdict
from tabletape.projector.model.sentences import in_words


def called(table: Evolve, name: str, player: str = "") -> str:
    """Return what a card is called, with its owner where both sides have one: `Ben's Escherichia coli`.

    Of their own cards it goes without saying whose they are; `player` is who does something.
    """
    card = table.find(name)
    return in_words(table, name if card is None else card.name, player)


def short_of(table: Evolve, player: str, mp: int, dna: int) -> str:
    """Return what a player lacks to pay, or nothing; before the draw of a turn nobody has yet what the turn brings."""
    payer = table.players[player]
    if table.phase == DRAW and player == table.active:
        return ""
    if payer.mp < mp:
        return f"it costs {mp} MP, {payer.name} has {payer.mp}"
    if not has_dna(table, payer, dna):
        return f"it costs {dna} DNA, {payer.name} has {payer.dna}"
    return ""


def where(table: Evolve, card: EvolveCard | None) -> str:
    """Return where a card is."""
    if card is None:
        return "on no list"
    zone = card.zone.name.partition(":")[0]
    places = {"play": "in play", "attached": "under an organism", "status": "in play", "stack": "being played"}
    owner = card.zone.owner
    kind = "discard pile" if zone == "discard" else zone
    return places.get(zone, f"in the {kind} of {name_of(table, owner)}" if owner else "nowhere")


def elsewhere(table: Evolve, event: Any, name: str, only: str, expected: str = "") -> Verdict:
    """Return where a card of a line is, which is not where `only` says that it has to be."""
    message = f"{called(table, name, event.player)} is {where(table, table.find(name))}{only}"
    return unless_unknown(table, name, message, expected)


def in_hand(table: Evolve, event: Any, name: str) -> Verdict:
    """Return whether a card may be in the hand of a line's player, also by a draw that the log has left out.

    If not, it is said where it is, and which copy of it the player holds.
    """
    player = table.players[event.player]
    if table.may_be_in(name, table.zones[player.hand]):
        return None
    if table.phase == DRAW and event.player == table.active and table.may_be_in(name, table.zones[player.deck_zone]):
        return None
    card = table.find(name)
    hand = "the hand" if card is not None and card.zone.owner == player.id else f"the hand of {player.name}"
    copies = (each.name for each in table.zones[player.hand].cards if card_of(each.name) == card_of(name))
    held = next(copies, "")
    instead = f"; {player.name} holds {held}" if held else ""
    message = f"{called(table, name, player.id)} is {where(table, card)} and not in {hand}{instead}"
    return unless_unknown(table, name, message)


def reaches(table: Evolve, cards: Selection, event: Any, chooses: Callable[[], str]) -> Verdict:
    """Return whether the card that a line chooses is one that a text reaches; `chooses` returns who does what to it."""
    target = table.find(event.target)
    if target is not None and fits(cards, target, event.player):
        return None
    if target is not None and target.text is None:
        return known(table, event.target, lambda _: None)
    what, reached = f"which is {where(table, target)}", cards_in_words(cards)
    if target is not None and target.in_play:
        what = card_in_words(cards, target, event.player)
    message = f"{chooses()} {called(table, event.target, event.player)}, {what}; it reaches {reached}"
    return unless_unknown(table, event.target, message, reached)
