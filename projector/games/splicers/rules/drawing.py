"""The rules of drawing: from the own deck, one card at the start of a round, nothing only from an empty deck."""

from typing import Any

from msgspec import UNSET

from events.games import splicers as ev
from projector.games.splicers.state import START, Splicers
from projector.kit.seating import zone_of
from projector.model.amounts import how_many, with_article
from projector.model.due import number_of_cards
from projector.model.phrases import by_ruling, name_of
from projector.model.rules import NOT_APPLICABLE, Broken, Verdict, case, rule


@rule("splicers.setup.exclude-splicer-bioms", "Set-up", "L40.1", "Splicer and bioms are not part of the shuffled deck.")
def no_splicer_or_biom(table: Splicers, event: ev.CardsDrawn) -> Verdict:
    """Neither splicer nor biom is drawn."""
    if event.cards is UNSET:
        return NOT_APPLICABLE
    for name in event.cards or ():
        card = table.find(name)
        if card is not None and card.text is not None and card.text.kind in {"splicer", "biom"}:
            return f"{card.text.name} is drawn, {with_article(card.text.kind)} is never in the deck"
    return None


@rule(
    "splicers.setup.first-round-no-start",
    "Set-up",
    "L45.2",
    "Round 1 begins directly in the action phase: no unexhaust and no draw.",
)
def no_start_in_round_one(table: Splicers, event: ev.CardsDrawn) -> Verdict:
    """Nobody draws for the start of round 1."""
    return "there is no draw at the start of round 1" if table.round <= 1 else None


@rule("splicers.round.draw-one", "Turn Structure", "L108.2", "At the start of a round each player draws one card.")
def draw_one(table: Splicers, event: ev.CardsDrawn) -> Verdict:
    """Each player draws one card, once, at the start of a round."""
    number = number_of_cards(event)
    if table.phase == START and event.player not in table.drew and number <= 1:
        return None
    name = name_of(table, event.player)
    if table.last_round and table.phase != START and table.options["deck_out_other_draw"] == "does_not_draw":
        ruling = by_ruling(table, "deck_out_other_draw")
        return f"{name} draws for the last round although the other player could not {ruling}"
    if table.phase != START:
        return f"{name} draws for the start of a round in the middle of round {table.round}"
    if event.player in table.drew:
        return f"{name} draws a second time at the start of round {table.round}"
    return Broken(f"{name} draws {number} cards at the start of round {table.round}, not 1", "1")


@case(draw_one)
def both_drew(table: Splicers, event: Any) -> Verdict:
    """Nobody acts before both players have drawn."""
    (missing,) = (player.name for player in table.players.values() if player.id not in table.drew)
    return f"{missing} has not drawn for round {table.round} yet"


@rule(
    "splicers.end.no-draw-last-round",
    "End of game",
    "L36.1",
    "If somebody is unable to draw at the start of a round, the round just starting is the final one.",
)
def unable_to_draw(table: Splicers, event: ev.CardsDrawn) -> Verdict:
    """Only from an empty deck nothing is drawn."""
    if number_of_cards(event):
        return None
    deck = zone_of(table, "deck", event.player)
    if deck.size <= 0:
        return None
    return Broken(
        f"{name_of(table, event.player)} draws nothing although the deck has {how_many(deck.size, 'card')}", "1 card"
    )
