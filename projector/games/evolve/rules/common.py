"""What the rules of all sections ask of a table: who may act now, where a card is, what it costs."""

from collections.abc import Callable
from typing import Any

from events.games.evolve import GameEnded
from events.names import card_of, is_unseen
from projector.games.evolve.state import (
    MAIN,
    Evolve,
    EvolveCard,
    EvolvePlayer,
    EvolveText,
    is_organism,
    name_of,
    title_of,
)
from projector.model.cards import unknown_cards
from projector.model.rules import NOT_APPLICABLE, Broken, Undecidable, Verdict


def is_own_main_step(table: Evolve, event: Any) -> bool:
    """Return whether it is the main step of the event's player; only then are costs looked at."""
    return table.phase == MAIN and event.player == table.active


def known(table: Evolve, name: str, judge: Callable[[EvolveText], Verdict]) -> Verdict:
    """Return the verdict on a card's text, or wait for the text where the card is not shown.

    A card that is in no card file has no text; the line on which it first came up says so.
    """
    card = table.find(name)
    if card is None:
        return None
    if card.text is not None:
        return judge(card.text)
    if not is_unseen(card.name):
        return NOT_APPLICABLE
    return Undecidable(f"nobody knows which card {name} is", name, judge)  # type: ignore[arg-type]  # judge never waits


def unless_unknown(table: Evolve, name: str, message: str, expected: str = "") -> Verdict:
    """Say what is wrong with a card, unless it is in no card file: then nobody can tell, which is said once a game."""
    card = table.find(name)
    if card is not None:
        return Broken(message, expected) if card.text is not None or is_unseen(card.name) else NOT_APPLICABLE
    return unknown_card(table, name) or Broken(message, expected)


def unknown_card(table: Evolve, name: str) -> Undecidable | None:
    """Return that a name means a card of no card file, and which one was probably meant; None where it is in one."""
    if is_unseen(name):
        return None
    sentence = unknown_cards((card_of(name) or name,), table.library)
    return Undecidable(sentence, once=True) if sentence else None


def ending_in_words(reason: str) -> str:
    """Return the reason of a game's end in words: `tier 3`, `empty deck`."""
    return GameEnded.PHRASES["reason"].get(reason, reason)


def counted(number: int, noun: str) -> str:
    """Return a number of things in words: `1 card`, `2 cards`."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def by_ruling(table: Evolve, key: str) -> str:
    """Return on which reading of the rulebook a message rests: ` (by the ruling play_sick=may_not_act)`."""
    return f" (by the ruling {key}={table.options[key]})"


def short_of(table: Evolve, player: str, mp: int, dna: int) -> str:
    """Say what a player lacks to pay, or nothing."""
    found = table.players[player]
    if found.mp < mp:
        return f"it costs {mp} MP, {found.name} has {found.mp}"
    if found.dna < dna:
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


def whose(table: Evolve, card: EvolveCard | None, name: str) -> str:
    """Return a card with whose it is, so that those of both sides are told apart: `Ben's Escherichia coli`."""
    player = "" if card is None else card.controller or card.owner
    title = title_of(card, name)
    return f"{name_of(table, player)}'s {title}" if player else title


def organism_in_play(table: Evolve, name: str) -> EvolveCard | None:
    """Return an organism in play by its name, or None."""
    card = table.find(name)
    return card if card is not None and is_organism(card) else None
