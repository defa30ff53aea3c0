"""How messages name cards and players, say where cards are and on which reading they rest."""

from events.names import card_of
from projector.games.evolve.abilities import Selection
from projector.games.evolve.selecting import card_in_words, cards_in_words
from projector.games.evolve.state import DRAW, Evolve, EvolveCard, EvolvePlayer, has_dna, in_play
from projector.model.phrases import name_of
from projector.model.sentences import in_words


def called(table: Evolve, name: str, player: str = "") -> str:
    """Return what a card is called, with its owner where both sides have one: `Ben's Escherichia coli`.

    Of their own cards it goes without saying whose they are; `player` is who does something.
    """
    card = table.find(name)
    return in_words(table, name if card is None else card.name, player)


def short_of(table: Evolve, player: str, mp: int, dna: int) -> str:
    """Return what a player lacks to pay, or nothing; before the draw of a turn nobody has yet what the turn brings."""
    found = table.players[player]
    if table.phase == DRAW and player == table.active:
        return ""
    if found.mp < mp:
        return f"it costs {mp} MP, {found.name} has {found.mp}"
    if not has_dna(table, found, dna):
        return f"it costs {dna} DNA, {found.name} has {found.dna}"
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


def misfit_in_words(table: Evolve, cards: Selection, name: str, player: str) -> str:
    """Return what a card chosen by a player is, and what can be chosen: `X, a mutation; it reaches a status`."""
    card = table.find(name)
    what = (
        card_in_words(cards, card, player) if card is not None and in_play(card) else f"which is {where(table, card)}"
    )
    return f"{called(table, name, player)}, {what}; it reaches {cards_in_words(cards)}"


def not_in_hand(table: Evolve, player: EvolvePlayer, name: str) -> str:
    """Return where a card is that a player uses from the hand, and which copy of it the player holds."""
    card = table.find(name)
    place = where(table, card)
    hand = "the hand" if card is not None and card.zone.owner == player.id else f"the hand of {player.name}"
    copies = (card.name for card in table.zones[player.hand].cards if card_of(card.name) == card_of(name))
    held = next(copies, "")
    instead = f"; {player.name} holds {held}" if held else ""
    return f"{called(table, name, player.id)} is {place} and not in {hand}{instead}"
