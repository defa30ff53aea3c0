"""The rules of what luck writes: draws, tokens and targets."""

from typing import Any, Final

from events.games import duelyst as ev
from events.names import card_of, is_unseen, owner_of
from projector.games.duelyst.board import next_name
from projector.games.duelyst.naming import called
from projector.games.duelyst.overdue import late_draw
from projector.games.duelyst.owed import enemy_minions, is_again, owed_as, owed_now
from projector.games.duelyst.rules import setup
from projector.games.duelyst.rules.answers import Judgements, misnamed
from projector.games.duelyst.rules.cards import active_player, as_declared, replace_once
from projector.games.duelyst.state import (
    HAND,
    Duelyst,
    DuelystPlayer,
    Owed,
    Tile,
    UnitBegins,
)
from projector.games.duelyst.tiles import NO_TILES, free_beside, is_surrounded, unit_called
from projector.kit.common_rules import unknown_among
from projector.kit.owed import comes_first, what_is_owed
from projector.model.amounts import counted
from projector.model.due import number_of_cards
from projector.model.phrases import as_ruled, name_of, tile_in_words
from projector.model.rules import (
    NOT_APPLICABLE,
    AllPassed,
    Broken,
    Kept,
    Undecidable,
    Verdict,
    all_passed,
    case,
    check_in_order,
    declare,
    judgement_of,
    rule,
    stop,
)

# -- draws -------------------------------------------------------------------------------------------------------------


ANOTHER_CARD: Final = declare(
    "duelyst.replace.another-card",
    "Player's turn overview",
    "L84",
    "The card goes back to the deck and another one is drawn.",
)
END_DRAW: Final = declare(
    "duelyst.turn.end-draw", "Player's turn overview", "L89 L90", "One card is drawn in the end phase."
)


@rule(
    "duelyst.draw.only-when-due",
    "Player's turn overview",
    "L76 L77 L84 L90",
    "Cards are drawn only where a rule or a card says so.",
)
def only_when_due(table: Duelyst, event: ev.CardsDrawn) -> Verdict:
    """No draw is due to this player, where another rule does not say why there is none."""
    due = owed_now(table)
    message = f"{name_of(table, event.player)} draws {counted(number_of_cards(event), 'card')}, but no draw is due"
    if not table.turn:
        return f"{message}: the opening hand has been drawn"
    if due is not None and due.line is ev.CardsDrawn:
        return f"{message} to anybody but {name_of(table, due.player)}"
    return message


@rule("duelyst.hand.limit", "", "", "A limit of the hand is not covered: ruling `hand_limit`.")
def hand_limit(table: Duelyst, event: ev.CardsDrawn) -> Verdict:
    """Nobody draws with six cards in the hand (ruling `hand_limit`)."""
    hand = table.hands[event.player].size
    if hand < HAND or table.options["hand_limit"] != "six_no_draw":
        return NOT_APPLICABLE
    message = f"{name_of(table, event.player)} draws with {hand} cards in the hand{as_ruled(table, 'hand_limit')}"
    return Broken(message, f"no draw from {HAND} on")


@rule("duelyst.deck.empty-draw", "", "", "Drawing from an empty deck is not covered: ruling `empty_deck`.")
def empty_draw(table: Duelyst, event: ev.CardsDrawn) -> Verdict:
    """Nothing is drawn from an empty deck."""
    if table.decks[event.player].size > 0:
        return NOT_APPLICABLE
    return f"{name_of(table, event.player)} draws {counted(number_of_cards(event), 'card')} from an empty deck"


UNOWED: Final = tuple(map(stop, (hand_limit, empty_draw, only_when_due)))
OWED: Final = {owing.id: owing for owing in (END_DRAW, ANOTHER_CARD, as_declared)}
"""The rules that owe a draw; whatever has triggered a card text, it is the text that does."""
LISTED: Final = all_passed(setup.declared_once)
OPENED: Final = all_passed(setup.shuffle_decks, only_when_due, setup.draw_five)
AS_OWED: Final = {owing.id: all_passed(only_when_due, owing) for owing in OWED.values()}
NO_DRAW: Final = all_passed(empty_draw)
"""What a player keeps to who writes down that nothing was drawn, as the deck is empty."""
DRAWN: Final = {
    owing.id: all_passed(setup.declared_once, only_when_due, owing, setup.known_cards, setup.from_own_deck)
    for owing in OWED.values()
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
    return DRAWN.get(due.rule) or DRAWN[as_declared.id]


def judge_draw(table: Duelyst, event: ev.CardsDrawn) -> Judgements:
    """Check a draw: whether it may come now, whether it is owed, and which cards."""
    player = table.players[event.player]
    if not event.cards and table.turn and not number_of_cards(event) and owed_as(table, event) is None:
        return NO_DRAW if table.decks[event.player].size <= 0 else ()
    listed: Judgements = LISTED
    if not player.listed:
        listed = ((setup.declared_once, f"{player.name} draws before the deck list was declared"),)
    due = _judge_owed(table, event) if table.turn else _judge_opening(table, event, player)
    return *listed, *due, *(_judge_names(table, event) if event.cards else ())


def _judge_opening(table: Duelyst, event: ev.CardsDrawn, player: DuelystPlayer) -> Judgements:
    """Check a draw before the first turn: once, five cards of a shuffled deck."""
    if player.opened:
        return (judgement_of(only_when_due, table, event),)
    five = setup.draw_five(table, event)
    if player.shuffled and five is None:
        return OPENED
    message = f"{player.name} draws from a deck that has not been shuffled"
    return (setup.shuffle_decks, None if player.shuffled else message), (only_when_due, None), (setup.draw_five, five)


def _judge_names(table: Duelyst, event: ev.CardsDrawn) -> Judgements:
    """Check the cards that are drawn: whether they are known, and lie in the deck."""
    names: Any = event.cards
    return (setup.known_cards, unknown_among(table, names)), (
        setup.from_own_deck,
        setup.in_deck(table, event.player, names),
    )


def _judge_owed(table: Duelyst, event: ev.CardsDrawn) -> Judgements:
    """Check the rule that owes a draw; one that nobody owes breaks only the nearest rule."""
    due = owed_as(table, event)
    late = late_draw(table, event) if table.missed and due is None else None
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
        owing = OWED.get(due.rule, as_declared)
        return AS_OWED[owing.id] if verdict is None else ((only_when_due, None), (owing, verdict))
    return (*check_in_order(UNOWED, table, event),)


def _other_card(table: Duelyst, event: ev.CardsDrawn, due: Owed) -> Verdict:
    """Return whether another card is drawn than the one that was put back (ruling `replace`)."""
    if is_again(table):
        return None
    drawn = event.cards or ()
    if not drawn or any(map(is_unseen, (*drawn, due.besides))):
        return Undecidable(f"the log does not say which card {name_of(table, event.player)} drew")
    if due.besides in drawn:
        name = called(table, due.besides)
        return f"{name_of(table, event.player)} draws {name}, which was just put back{as_ruled(table, 'replace')}"
    return None


@case(ANOTHER_CARD)
def card_to_draw(table: Duelyst, event: ev.CardReplaced) -> Verdict:
    """There is another card in the deck."""
    if table.decks[event.player].size > 0:
        return NOT_APPLICABLE
    return f"the deck of {name_of(table, event.player)} is empty, so there is no other card to draw"


REPLACED: Final = all_passed(active_player, setup.from_hand, replace_once)
"""What a player keeps to who puts one card of the hand back for another one."""
REPLACING: Final = (active_player, setup.from_hand, replace_once, card_to_draw)


def replaces_well(table: Duelyst, event: ev.CardReplaced) -> AllPassed | None:
    """Return what is kept where it is the first of the own turn, out of the hand, and the deck holds another card."""
    player = event.player
    is_first = player == table.active and not table.players[player].replaced
    is_right = is_first and table.decks[player].size > 0 and setup.in_hand(table, player, (event.card,)) is None
    return REPLACED if is_right else None


# -- tokens and targets ------------------------------------------------------------------------------------------------


@rule(
    "duelyst.dervish.obelysk-spawns",
    "Dervish",
    "L227",
    "An Obelysk brings a token at the start of its player's turn, unless it is surrounded.",
)
def obelysk_spawns(table: Duelyst, event: ev.TokenSummoned) -> Verdict:
    """One token, on a free tile beside the Obelysk."""
    return _token(table, event)


@rule(
    "duelyst.structure.dispelled",
    "Structure",
    "L254-L256",
    "A dispelled Structure summons nothing any more, but still cannot move or attack and keeps its tile.",
)
def dispelled_structure(table: Duelyst, event: ev.TokenSummoned) -> Verdict:
    """A dispelled Structure brings nothing."""
    return f"{called(table, event.source)} is dispelled and summons nothing any more"


@rule("duelyst.vespyr.tokens-count", "Vespyr", "L262", "Vespyr tokens trigger Vespyr effects too.")
def token_counts(table: Duelyst, event: ev.TargetPicked) -> Verdict:
    """Luck picks a target because of a token."""
    return target_fits(table, event)


@case(as_declared)
def token_fits(table: Duelyst, event: ev.TokenSummoned) -> Verdict:
    """The token is due, and lands where the card text says."""
    return _token(table, event)


@case(as_declared)
def target_fits(table: Duelyst, event: ev.TargetPicked) -> Verdict:
    """A target is due, and is one of those that the card text allows."""
    due = owed_as(table, event)
    if due is None:
        first, message = owed_now(table), f"{called(table, event.source)} picks a target, but none is due from it"
        return Broken(message, comes_first(table, first) if first is not None else "")
    names = [unit.name for unit in enemy_minions(table, due.player)]

    def words() -> str:
        return ", ".join(called(table, name) for name in names)

    if event.target in names:
        return Kept(lambda: f"luck could pick one of {words()}")
    one_of = "one of " if len(names) > 1 else ""
    return Broken(f"{called(table, event.target)} is no enemy minion on the board", one_of + words())


def judge_token(table: Duelyst, event: ev.TokenSummoned) -> Judgements:
    """Check a token that luck brings: its name, and whether one is due there."""
    at_stake = token_at_stake(table, event)
    return judgement_of(known_token, table, event), judgement_of(at_stake, table, event)


def token_at_stake(table: Duelyst, event: ev.TokenSummoned) -> Any:
    """Return the rule that a token is judged by."""
    source = unit_called(table, event.source)
    if source is not None and source.dispelled and source.text.tribe == "structure":
        return dispelled_structure
    is_obelysk = source is not None and "obelysk" in source.text.says.keywords
    return obelysk_spawns if is_obelysk else token_fits


def target_at_stake(table: Duelyst, _event: ev.TargetPicked) -> Any:
    """Return the rule that a picked target is judged by."""
    due = owed_now(table)
    is_by_token = due is not None and due.line is ev.TargetPicked and due.rule == token_counts.id
    return token_counts if is_by_token else target_fits


def _token(table: Duelyst, event: ev.TokenSummoned) -> Verdict:
    """Return whether a token is due and where it may appear; of an unknown one it is open."""
    due = owed_as(table, event)
    if setup.is_unknown(table, event.unit):
        return NOT_APPLICABLE
    if due is None:
        return _unowed_token(table, event)
    if card_of(event.unit) != due.card or owner_of(event.unit) != due.player:
        message = f"{called(table, event.source)} brings {called(table, event.unit)}"
        return Broken(message, next_name(table, due.player, due.card))
    unit = unit_called(table, due.beside)
    tiles = free_beside(table, unit.place) if unit is not None else NO_TILES
    if event.tile in tiles:
        return Kept(lambda: f"the token could appear on {_one_of(tiles)}")
    return Broken(f"the token of {called(table, event.source)} appears on {tile_in_words(event.tile)}", _one_of(tiles))


def _unowed_token(table: Duelyst, event: ev.TokenSummoned) -> Verdict:
    """Return why a token may not come now: its turn comes later, its Obelysk is surrounded, or nothing brings it."""
    first = owed_now(table)
    due = first if first is not None and first.line is ev.TokenSummoned else None
    source = unit_called(table, event.source)
    who = called(table, event.source)
    if due is not None and _token_before(table, event) is not None:
        other, why = called(table, due.source), as_ruled(table, "trigger_order")
        return Broken(
            f"{who} brings its token, but {other} entered before it and has not brought its own{why}", f"{other} first"
        )
    if source is not None and "obelysk" in source.text.says.keywords and is_surrounded(table, source):
        return f"{who} brings a token although it is surrounded{as_ruled(table, 'surrounded')}"
    message = f"{who} brings a token, but none is due from it"
    return Broken(message, f"a token of {called(table, due.source)}") if due is not None else message


def _token_before(table: Duelyst, event: ev.TokenSummoned) -> Any:
    """Return the token that is due before that of a line, whose source has its turn later; None where there is none."""
    first = owed_now(table)
    is_later = UnitBegins(event.source) in table.owed
    return first if is_later and first is not None and first.line is ev.TokenSummoned else None


def _one_of(tiles: frozenset[Tile]) -> str:
    words = ", ".join(tile_in_words(tile) for tile in sorted(tiles))
    return f"one of {words}" if len(tiles) > 1 else words


@case(setup.known_cards)
def known_token(table: Duelyst, event: ev.TokenSummoned) -> Verdict:
    """It has the next free number; one that comes before its turn may leave that to the token that is due first."""
    if setup.is_unknown(table, event.unit):
        return unknown_among(table, (event.unit,))
    name = next_name(table, owner_of(event.unit), card_of(event.unit))
    if event.unit == name:
        return None
    due = _token_before(table, event)
    is_left = due is not None and (due.player, due.card) == (owner_of(event.unit), card_of(event.unit))
    return NOT_APPLICABLE if is_left else misnamed(event.unit, name)
