"""Cards that the log could not name so far and that are shown: what they can be, and where they then lie.

Such a card has a name of its own on the table where it was played under that name (`A:?1`); otherwise it is one of the
unseen cards of its owner's hand or deck.
"""

from typing import Any

from tabletape.events.vocabulary.names import card_of, is_unseen, owner_of
from tabletape.projector.model.phrases import name_in_words, zone_in_words
from tabletape.projector.model.rules import Broken, Verdict
from tabletape.projector.model.table import NOWHERE, Table
from tabletape.projector.model.things import Card, Zone


def why_not_shown(table: Table[Any, Any], was: str, name: str) -> Verdict:
    """Return why the card `was`, which had no name, cannot turn out to be `name`; None where it can.

    It is one card, which lies nowhere else: in the hidden hand or deck of its owner, or where it was played.
    """
    if not is_unseen(was) or is_unseen(name):
        return Broken(f"{was} is said to be {name}, but only a card without a name gets one", "a name such as A:?1")
    owner, shown = name_in_words(table, owner_of(was)), name_in_words(table, name)
    if owner_of(was) != owner_of(name):
        return f"{was} is a card of {owner}, but {shown} is one of {name_in_words(table, owner_of(name))}"
    before = table.cards.get(was)
    if before is not None and before.renamed_to:
        known = name_in_words(table, before.renamed_to)
        is_same = card_of(before.renamed_to) == card_of(name)
        return None if is_same else Broken(f"{was} has turned out to be {known}, not {shown}", known)
    card = table.find(name)
    if card is None or card.zone.role == "nowhere":
        return f"{was} is said to be {shown}, which is not in the deck list of {owner}"
    if may_be_unseen(card) or (before is None and card.zone.role == "deck"):
        return None
    copies = [name_in_words(table, each) for each, other in table.cards.items() if _is_copy(each, name, other)]
    place = zone_in_words(table, card.zone) if card.zone.owner else f"the {card.zone.name}"
    return Broken(f"the log knows {shown} by its name already ({place}), so it is not {was}", " or ".join(copies))


def may_be_unseen(card: Card) -> bool:
    """Return whether a card may be one that was seen only as some card: fewer lie where it does than are named."""
    return card.zone.unseen < 0


def _is_copy(name: str, other: str, card: Card) -> bool:
    is_alike = owner_of(name) == owner_of(other) and card_of(name) == card_of(other)
    return is_alike and name != other and may_be_unseen(card)


def show(table: Table[Any, Any], was: str, name: str, hand: Zone) -> Any:
    """Name an unnamed card as what it turns out to be; return it.

    One that is on the table under its unnamed name takes the new one. Otherwise it is one of the unseen cards of the
    hand; where it cannot be one of these it lies where it lies.
    """
    if table.find(was) is not None:
        return table.recognise(was, name)
    card = table.take(name, hand)
    if card.name != was:
        unnamed = table.make(was, table.zones[NOWHERE])
        table.set(unnamed, "renamed_to", card.name)
        table.recognised.append((was, card))
    return card
