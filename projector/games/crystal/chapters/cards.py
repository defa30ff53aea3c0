"""Cards that a log names: the card file knows them, and whoever could not name one shows it later."""

from typing import Final

from tabletape.events.games import crystal as ev
from tabletape.events.vocabulary import Event
from tabletape.events.vocabulary.names import owner_of
from tabletape.projector.games.crystal import board
from tabletape.projector.games.crystal.chapters.setup import known_list
from tabletape.projector.games.crystal.state import Crystal
from tabletape.projector.kit.common_rules import SINGLE_IDENTITY, names_in, shown_as_one_card, unknown_among
from tabletape.projector.kit.moves import move
from tabletape.projector.kit.seating import zone_of
from tabletape.projector.model.rules import OUTSIDE, Verdict, case
from tabletape.projector.model.showing import show


@case(known_list)
def known_cards(table: Crystal, event: Event) -> Verdict:
    """The cards that are drawn, played or shown are in the card file, or were declared and reported then."""
    return unknown_among(table, names_in(event, ("card", "cards")))


one_identity: Final = OUTSIDE.rule("crystal.state.single-identity", "", SINGLE_IDENTITY, rests_on="nothing")(
    shown_as_one_card
)


@move(ev.CardShown, known_cards, one_identity)
def card_shown(table: Crystal, event: ev.CardShown) -> None:
    """Name an unnamed card; one that is deployed counts in its lane from now on.

    What it cost and did as it was played is not made up for: nobody knew it then, so totals since are not judged.
    """
    owner, unnamed = owner_of(event.card), table.cards.get(event.was)
    if owner not in table.players or table.cards.get(event.card) is unnamed is not None:
        return
    hand = table.hand_of(owner)
    card = show(table, event.was, event.card, hand if hand.unseen > 0 else zone_of(table, "out", owner))
    if unnamed is not None and unnamed is not card and card.lane:
        board.count_card(table, card, card.lane)
