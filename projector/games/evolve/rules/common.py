"""What the rules of all sections ask of a table: who may act now, where a card is, what it costs."""

from collections.abc import Callable
from typing import Any

from events.names import card_of, is_unseen
from projector.games.evolve.state import DRAW, MAIN, Evolve, EvolveText
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


def may_be_in_hand(table: Evolve, player: str, name: str) -> bool:
    """Return whether a card may be in a player's hand, also by a draw for the turn that the log has left out."""
    mine = table.players[player]
    if table.may_be_in(name, table.zones[mine.hand]):
        return True
    return table.phase == DRAW and player == table.active and table.may_be_in(name, table.zones[mine.deck_zone])
