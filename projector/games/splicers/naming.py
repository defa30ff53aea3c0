"""How messages name cards and count things."""

from collections.abc import Callable
from typing import Any

from events.names import card_of, is_unseen
from projector.games.splicers.state import Splicers, SplicersCard
from projector.model.phrases import title_of
from projector.model.rules import NOT_APPLICABLE, Broken, Undecidable, Verdict


def called(table: Splicers, card: str) -> str:
    """Return the printed name of a card id or of a card on the table, or what the log calls it."""
    text = table.library.get(card)
    if text is not None:
        return str(text.name)
    found = table.find(card)
    if found is not None:
        return title(table, found)
    text = table.library.get(card_of(card))
    return card if text is None else str(text.name)


def title(table: Splicers, card: SplicersCard) -> str:
    """Return what a card is called, with its owner where both players have brought the same card."""
    name = title_of(card)
    owner = table.players.get(card.owner)
    if card.text is None or owner is None or table.find(f"{owner.opponent}:{card.text.id}") is None:
        return name
    return f"{owner.name}'s {name}"


def not_named(card: str, message: str, later: Callable[[Any], str | Broken | None] | None = None) -> Verdict:
    """Return the verdict on a card that the log does not name; `later` judges it when it is shown.

    A card with a name that no file knows is reported where it is named first, once.
    """
    return Undecidable(message, card if later else "", later) if is_unseen(card) else NOT_APPLICABLE
