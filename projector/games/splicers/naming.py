"""What messages call cards, and what several rules say of them alike."""

from collections.abc import Callable
from typing import Any

from tabletape.events.vocabulary.names import card_of, is_unseen
from tabletape.projector.games.splicers.state import Splicers, SplicersCard
from tabletape.projector.model.phrases import name_of, title_of
from tabletape.projector.model.rules import NOT_APPLICABLE, Broken, Undecidable, Verdict
from tabletape.projector.model.things import Zone


def called(table: Splicers, card: str) -> str:
    """Return the printed name of a card id or of a card on the table, or what the log calls it."""
    text = table.library.get(card)
    if text is not None:
        return str(text.name)
    thing = table.find(card)
    if thing is not None:
        return title(table, thing)
    text = table.library.get(card_of(card))
    return card if text is None else str(text.name)


def title(table: Splicers, card: SplicersCard) -> str:
    """Return what a card is called, with its owner where both players have brought the same card."""
    name = title_of(card)
    owner = table.players.get(card.owner)
    if card.text is None or owner is None or table.find(f"{owner.opponent}:{card.text.id}") is None:
        return name
    return f"{owner.name}'s {name}"


def not_named(card: str, later: Callable[[Any], str | Broken | None] | None = None) -> Verdict:
    """Return the verdict on a card that the log does not name; `later` judges it when it is shown.

    A card with a name that no file knows is reported where it is named first, once.
    """
    message = f"the log does not say which card {card} is"
    return Undecidable(message, card if later else "", later) if is_unseen(card) else NOT_APPLICABLE


def not_in(table: Splicers, name: str, zone: Zone) -> Broken:
    """Return the verdict that a card is not in a hand, a deck or a discard pile."""
    kind = zone.name.partition(":")[0]
    where = f"the {'discard pile' if kind == 'discard' else kind} of {name_of(table, zone.owner)}"
    return Broken(f"{called(table, name)} is not in {where}", f"a card in {where}")


def all_in(table: Splicers, names: tuple[str, ...], zone: Zone) -> Verdict:
    """Return whether all cards can be in a zone, none is there twice, and there are no more than it holds."""
    for name in names:
        if not table.may_be_in(name, zone):
            return not_in(table, name, zone)
    if len(names) > 1 and len(set(names)) < len(names):
        return f"{called(table, max(names, key=names.count))} is named twice"
    if len(names) > zone.size:
        return f"{called(table, names[-1])} is one card too many: there are {zone.size}"
    return None
