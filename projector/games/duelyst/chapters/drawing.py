"""Player's turn overview: drawing cards, where a rule or a card says so."""

from collections.abc import Iterable
from typing import Any, Final

import msgspec

from tabletape.events.games import duelyst as ev
from tabletape.events.vocabulary.names import is_unseen
from tabletape.projector.games.duelyst import board, overdue
from tabletape.projector.games.duelyst.chapters import TURN_OVERVIEW, UNCOVERED, mulligan
from tabletape.projector.games.duelyst.chapters.cards import as_declared
from tabletape.projector.games.duelyst.chapters.setup import declared_once, known_cards, shuffle_decks
from tabletape.projector.games.duelyst.chapters.turns import ANOTHER_CARD, END_DRAW
from tabletape.projector.games.duelyst.owed import first, is_again, owed_as, owed_now
from tabletape.projector.games.duelyst.state import HAND, Duelyst, DuelystPlayer
from tabletape.projector.games.duelyst.tasks import Owed
from tabletape.projector.kit import common_rules
from tabletape.projector.kit.moves import move
from tabletape.projector.kit.owed import make_up, missed_draw, what_is_owed
from tabletape.projector.model.amounts import counted
from tabletape.projector.model.due import Due, draw_due, number_of_cards
from tabletape.projector.model.phrases import as_ruled, name_of
from tabletape.projector.model.rules import Judgement, all_passed, check_in_order, group_check, judgement_of, stop
from tabletape.projector.model.verdicts import NOT_APPLICABLE, AllPassed, Broken, Undecidable, Verdict


@TURN_OVERVIEW.rule("duelyst.draw.only-when-due", "L76 L77 L84 L90")
def only_when_due(table: Duelyst, event: ev.CardsDrawn) -> Verdict:
    """Cards are drawn only where a rule or a card says so."""
    due, why = owed_now(table), ""
    if not table.turn:
        why = ": the opening hand has been drawn"
    elif due is not None and due.line is ev.CardsDrawn:
        why = f" to anybody but {name_of(table, due.player)}"
    return f"{name_of(table, event.player)} draws {counted(number_of_cards(event), 'card')}, but no draw is due{why}"


@UNCOVERED.rule("duelyst.hand.limit", "", "A limit of the hand is not covered: a ruling says it.")
def hand_limit(table: Duelyst, event: ev.CardsDrawn) -> Verdict:
    """Nobody draws with six cards in the hand (ruling `hand_limit`)."""
    hand = table.hands[event.player].size
    if hand < HAND or table.options["hand_limit"] != "six_no_draw":
        return NOT_APPLICABLE
    message = f"{name_of(table, event.player)} draws with {hand} cards in the hand{as_ruled(table, 'hand_limit')}"
    return Broken(message, f"no draw from {HAND} on")


@UNCOVERED.rule("duelyst.deck.empty-draw", "", "Drawing from an empty deck is not covered: a ruling says what happens.")
def empty_draw(table: Duelyst, event: ev.CardsDrawn) -> Verdict:
    """Nothing is drawn from an empty deck."""
    if table.decks[event.player].size > 0:
        return NOT_APPLICABLE
    return f"{name_of(table, event.player)} draws {counted(number_of_cards(event), 'card')} from an empty deck"


UNOWED_TESTS: Final = tuple(map(stop, (hand_limit, empty_draw, only_when_due)))
OWING_RULES: Final = {owing.id: owing for owing in (END_DRAW, ANOTHER_CARD, as_declared)}
"""The rules that owe a draw; whatever has triggered a card text, it is the text that does."""
LIST_KEPT: Final = all_passed(declared_once)
OPENING_KEPT: Final = all_passed(shuffle_decks, only_when_due, mulligan.draw_five)
OWED_KEPT: Final = {owing.id: all_passed(only_when_due, owing) for owing in OWING_RULES.values()}
NO_DRAW: Final = all_passed(empty_draw)
"""What a player keeps to who writes down that nothing was drawn, as the deck is empty."""
DRAW_KEPT: Final = {
    owing.id: all_passed(declared_once, only_when_due, owing, known_cards, mulligan.from_own_deck)
    for owing in OWING_RULES.values()
}
"""What a player keeps to who draws cards of the own deck that are owed, by the rule that owes them."""


def draws_well(table: Duelyst, event: ev.CardsDrawn) -> AllPassed | None:
    """Return what is kept where a player draws the cards that are owed, and they lie in the deck under their names."""
    due, names = owed_as(table, event), event.cards
    if due is None or not names or len(names) != due.count or not table.players[event.player].listed:
        return None
    deck, cards = table.decks[event.player], table.cards
    for name in names:
        card = cards.get(name)
        if card is None or card.zone is not deck or card.text is None:
            return None
    if len(deck.cards) + deck.unseen < due.count or (due.besides and _other_card(table, event, due) is not None):
        return None
    return DRAW_KEPT.get(due.rule) or DRAW_KEPT[as_declared.id]


def judge_draw(table: Duelyst, event: ev.CardsDrawn) -> tuple[Judgement, ...]:
    """Check a draw: whether it may come now, whether it is owed, and which cards."""
    player = table.players[event.player]
    if not event.cards and table.turn and not number_of_cards(event) and owed_as(table, event) is None:
        return NO_DRAW if table.decks[event.player].size <= 0 else ()
    listed: tuple[Judgement, ...] = LIST_KEPT
    if not player.listed:
        listed = ((declared_once, f"{player.name} draws before the deck list was declared"),)
    due = _judge_owed(table, event) if table.turn else _judge_opening(table, event, player)
    names = event.cards or ()
    lie_there = (
        (known_cards, common_rules.unknown_among(table, names)),
        (mulligan.from_own_deck, mulligan.in_deck(table, event.player, names)),
    )
    return *listed, *due, *(lie_there if names else ())


def _judge_opening(table: Duelyst, event: ev.CardsDrawn, player: DuelystPlayer) -> tuple[Judgement, ...]:
    """Check a draw before the first turn: once, five cards of a shuffled deck."""
    if player.opened:
        return (judgement_of(only_when_due, table, event),)
    five = mulligan.draw_five(table, event)
    if player.shuffled and five is None:
        return OPENING_KEPT
    message = f"{player.name} draws from a deck that has not been shuffled"
    return (shuffle_decks, None if player.shuffled else message), (only_when_due, None), (mulligan.draw_five, five)


def _judge_owed(table: Duelyst, event: ev.CardsDrawn) -> tuple[Judgement, ...]:
    """Check the rule that owes a draw; one that nobody owes breaks only the nearest rule."""
    due = owed_as(table, event)
    late = missed_draw(table, event.player) if table.missed and due is None else None
    due = late or due
    if due is not None:
        drawn = number_of_cards(event)
        deck = table.decks[event.player]
        left = len(deck.cards) + deck.unseen + (late.count if late is not None else 0)
        verdict: Verdict = None
        if not drawn == due.count <= left and drawn != (owed := min(due.count, left)):
            message = f"{name_of(table, event.player)} {what_is_owed(table, due, drawn)}, not {owed}"
            verdict = Broken(message, str(owed))
        elif due.besides:
            verdict = _other_card(table, event, due)
        owing = OWING_RULES.get(due.rule, as_declared)
        return OWED_KEPT[owing.id] if verdict is None else ((only_when_due, None), (owing, verdict))
    return (*check_in_order(UNOWED_TESTS, table, event),)


def _other_card(table: Duelyst, event: ev.CardsDrawn, due: Owed) -> Verdict:
    """Return whether another card is drawn than the one that was put back (ruling `replace`)."""
    drawn = event.cards or ()
    if is_again(table):
        return None
    if not drawn or any(map(is_unseen, (*drawn, due.besides))):
        return Undecidable(f"the log does not say which card {name_of(table, event.player)} drew")
    if due.besides not in drawn:
        return None
    again = f"draws {table.called(due.besides)}, which was just put back{as_ruled(table, 'replace')}"
    return f"{name_of(table, event.player)} {again}"


@move(ev.CardsDrawn, group_check(judge_draw, draws_well))
def _cards_drawn(table: Duelyst, event: ev.CardsDrawn) -> None:
    due = owed_as(table, event)
    if table.missed or (table.owed and due is None):
        overdue.go_on_without(table, event)
        if table.over:
            return
        due = owed_as(table, event)
    cards = event.cards or ()
    drawn = len(cards) or number_of_cards(event)
    board.draw(table, event.player, cards, drawn - len(cards))
    if not table.turn:
        table.set(table.players[event.player], "opened", True)
    elif table.options["hand_limit"] == "six_burn":
        _burn(table, event.player, cards)
    if due is not None:
        table.owe(table.owed[1:])
        if drawn < due.count and table.decks[event.player].size <= 0:
            first(table, (msgspec.structs.replace(due, count=due.count - drawn),))
    elif table.missed and (late := missed_draw(table, event.player)) is not None:
        make_up(table, late)


def _burn(table: Duelyst, player: str, drawn: Iterable[str]) -> None:
    """Put what was drawn beyond a full hand into the graveyard, the last card first (ruling `hand_limit`)."""
    hand, graveyard = table.hands[player], table.graveyards[player]
    named = [card for name in drawn if (card := table.cards.get(name)) is not None and card.zone is hand]
    while hand.size > HAND:
        if named:
            table.move(named.pop(), graveyard)
        else:
            table.count(hand, "unseen", -1)
            table.count(graveyard, "unseen", 1)
        table.applied.append("duelyst.hand.limit")


def has_found_no_card(table: Duelyst, event: Any) -> bool:
    """Return whether this is the draw that has ended the game."""
    return type(event) is ev.CardsDrawn and table.reason == "empty-deck" and not number_of_cards(event)


def due_draw(table: Duelyst, owed: Owed) -> list[Due]:
    """Return the draw that is owed; a card that was put back is shuffled in after another one was drawn (ruling)."""
    drawing = draw_due(table, owed.line, table.decks[owed.player].name, owed.count, owed.rule, player=owed.player)
    if not owed.besides or drawing.asked is None:
        return [drawing]
    asked = msgspec.structs.replace(drawing.asked, put_back=(owed.besides,), put_back_first=is_again(table))
    return [msgspec.structs.replace(drawing, asked=asked)]
