"""How messages name cards and players, say where cards are and on which reading they rest."""

from events.games.evolve import GameEnded
from events.names import card_of
from projector.games.evolve.state import Evolve, EvolveCard, EvolvePlayer, has_dna, name_of
from projector.model.sentences import in_words


def called(table: Evolve, name: str, player: str = "") -> str:
    """Return what a card is called, with its owner where both sides have one: `Ben's Escherichia coli`.

    Of their own cards it goes without saying whose they are; `player` is who does something.
    """
    card = table.find(name)
    return in_words(table, name if card is None else card.name, player)


def ending_in_words(reason: str) -> str:
    """Return the reason of a game's end in words: `tier 3`, `empty deck`."""
    return GameEnded.PHRASES["reason"].get(reason, reason)


def short_of(table: Evolve, player: str, mp: int, dna: int) -> str:
    """Say what a player lacks to pay, or nothing."""
    found = table.players[player]
    if found.mp < mp:
        return f"it costs {mp} MP, {found.name} has {found.mp}"
    if not has_dna(table, found, dna):
        return f"it costs {dna} DNA, {found.name} has {found.dna}"
    return ""


def where(table: Evolve, card: EvolveCard | None) -> str:
    """Say where a card is."""
    if card is None:
        return "on no list"
    zone = card.zone.name.partition(":")[0]
    places = {"play": "in play", "attached": "under an organism", "status": "in play", "stack": "being played"}
    owner = card.zone.owner
    kind = "discard pile" if zone == "discard" else zone
    return places.get(zone, f"in the {kind} of {name_of(table, owner)}" if owner else "nowhere")


def held_instead(table: Evolve, player: EvolvePlayer, name: str) -> str:
    """Name the copy of a card that is in the hand where another one was written: `; Ann holds A:nostoc#1`."""
    copies = (card.name for card in table.zones[player.hand].cards if card_of(card.name) == card_of(name))
    held = next(copies, "")
    return f"; {player.name} holds {held}" if held else ""
