"""Drawing cards, and which cards can or have to be drawn."""

from collections.abc import Iterable

from events.games import crystal as ev
from events.names import card_of, is_unseen
from projector.games.crystal import board
from projector.games.crystal.schema import FACTION
from projector.games.crystal.state import (
    BASIC,
    DECKS,
    Crystal,
    CrystalCard,
    CrystalPlayer,
    Owed,
    deck_of,
    decks_are_empty,
    room_in_hand,
)
from projector.kit.seating import zone_of
from projector.model.due import number_of_cards


def draw(table: Crystal, player: str, drawn: Iterable[str], unseen: int, deck: str) -> None:
    """Move drawn cards from a deck to the hand, each once; everybody knows what comes from the open basic deck."""
    names = tuple(dict.fromkeys(drawn))
    hand = zone_of(table, "hand", player)
    home = deck_of(table, deck if deck in DECKS else FACTION, player)
    if unseen and deck == BASIC and table.options["basic_draw"] == "top":
        top = [card.name for card in home.cards if card.name not in names][:unseen]
        names, unseen = (*names, *top), unseen - len(top)
    for name in names:
        card = table.find(name)
        if card is not None:
            if card.zone is not home:
                board.withdraw(table, card)
            if card.zone.name.startswith(BASIC):
                table.set(card, "known_to", table.everyone)
    table.draw(names, unseen, home, hand)


def named_and_unseen(event: ev.CardsDrawn | ev.StartingHandDrawn) -> tuple[list[str], int]:
    """Return the cards that a draw names, and the number of those that nobody has seen."""
    names = [name for name in event.cards or () if not is_unseen(name)]
    return names, number_of_cards(event) - len(names)


def can_draw(table: Crystal, player: str, deck: str) -> bool:
    """Return whether a deck has a card; `any` is either of the two."""
    if deck in DECKS:
        return deck_of(table, deck, player).size > 0
    return not decks_are_empty(table, player)


def drop_impossible_draws(table: Crystal, player: str) -> None:
    """Owe no draw from a deck that is empty, and none for which the hand has no room."""
    if table.owed:
        owed = tuple(each for each in table.owed if can_draw(table, player, each.deck))
        table.set(table, "owed", owed[: room_in_hand(table, player)])


def owed_now(table: Crystal) -> Owed | None:
    """Return the draw that comes next in the deploy phase: what a card says, or the card of the turn; or None."""
    if table.owed or table.drawn:
        return table.owed[0] if table.owed else None
    words, rule = "draws the card of the turn", "crystal.draw.one-per-turn"
    return Owed(line=ev.CardsDrawn, player=table.active, rule=rule, words=words, deck="any")


def is_due_from(table: Crystal, card: CrystalCard | None) -> bool:
    """Return whether a card lies where the active player has still to draw a card from, so that it may be that card."""
    owed = owed_now(table)
    if card is None or owed is None or (not table.owed and table.options["draw_mandatory"] == "optional"):
        return False
    decks = DECKS if owed.deck == "any" else (owed.deck,)
    if BASIC in decks and card.zone is deck_of(table, BASIC, table.active):
        return table.options["basic_draw"] == "any" or card_of(card.name) == card_of(card.zone.cards[0].name)
    return FACTION in decks and card.zone is deck_of(table, FACTION, table.active)


def may_have_been_drawn(table: Crystal, player: CrystalPlayer, card: CrystalCard | None) -> bool:
    """Return whether a card that the log leaves in a deck may be one of which the draw was not written down."""
    return bool(player.missed) and card is not None and card.zone in [deck_of(table, deck, player.id) for deck in DECKS]


def forgotten_on_top(table: Crystal, player: CrystalPlayer, name: str) -> list[CrystalCard]:
    """Return the cards that lie on a drawn basic card where their draws may not have been written down."""
    if not player.missed or table.options["basic_draw"] == "any":
        return []
    deck = deck_of(table, BASIC, player.id).cards
    index = next((index for index, card in enumerate(deck) if card_of(card.name) == card_of(name)), 0)
    return deck[:index] if index <= player.missed else []
