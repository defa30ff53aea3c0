"""What the rules of all sections ask of a table: who may act now, where a card is, what it costs."""

from collections.abc import Callable
from typing import Any

from events.names import is_unseen
from projector.games.evolve.abilities import Selection
from projector.games.evolve.naming import called, misfit_in_words, not_in_hand, where
from projector.games.evolve.schema import EvolveText
from projector.games.evolve.selecting import cards_in_words, fits
from projector.games.evolve.state import DRAW, MAIN, Evolve
from projector.kit.common_rules import unknown_among
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
    """Return what is wrong with a card; of one that is in no card file it is open, which is said once a game."""
    card = table.find(name)
    if card is not None:
        return Broken(message, expected) if card.text is not None or is_unseen(card.name) else NOT_APPLICABLE
    return unknown_among(table, (name,)) or Broken(message, expected)


def elsewhere(table: Evolve, event: Any, name: str, only: str, expected: str = "") -> Verdict:
    """Return where a card of a line is, which is not where `only` says that it has to be."""
    message = f"{called(table, name, event.player)} is {where(table, table.find(name))}{only}"
    return unless_unknown(table, name, message, expected)


def in_hand(table: Evolve, event: Any, name: str) -> Verdict:
    """Return whether a card may be in the hand of a line's player, also by a draw that the log has left out."""
    player = table.players[event.player]
    if table.may_be_in(name, table.zones[player.hand]):
        return None
    if table.phase == DRAW and event.player == table.active and table.may_be_in(name, table.zones[player.deck_zone]):
        return None
    return unless_unknown(table, name, not_in_hand(table, player, name))


def reaches(table: Evolve, cards: Selection, event: Any, chooses: Callable[[], str]) -> Verdict:
    """Return whether the card that a line chooses is one that a text reaches; `chooses` returns who does what to it."""
    target = table.find(event.target)
    if target is not None and fits(cards, target, event.player):
        return None
    if target is not None and target.text is None:
        return known(table, event.target, lambda _: None)
    message = f"{chooses()} {misfit_in_words(table, cards, event.target, event.player)}"
    return unless_unknown(table, event.target, message, cards_in_words(cards))
