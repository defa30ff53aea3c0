"""The beginning of the game: the opening hand and the mulligan, and what may be in a hand and in a deck."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from typing import Final

import msgspec

from tabletape.events.games import duelyst as ev
from tabletape.events.vocabulary import Event
from tabletape.events.vocabulary.names import card_of, is_unseen, unseen_cards
from tabletape.projector.games.duelyst import board
from tabletape.projector.games.duelyst.chapters import BEGINNING, TURN_OVERVIEW, setup
from tabletape.projector.games.duelyst.state import Duelyst, DuelystPlayer
from tabletape.projector.kit import common_rules
from tabletape.projector.kit.moves import move
from tabletape.projector.model.amounts import counted
from tabletape.projector.model.dice import Dice
from tabletape.projector.model.due import Due, option_due
from tabletape.projector.model.phrases import as_ruled, name_of, zone_in_words
from tabletape.projector.model.rules import NOT_APPLICABLE, Broken, Case, Verdict, case
from tabletape.projector.model.things import Zone

OPENING_HAND: Final = 5


@BEGINNING.rule("duelyst.setup.draw-five", "L76", rests_on="nothing")
def draw_five(table: Duelyst, event: ev.CardsDrawn) -> Verdict:
    """Each player draws five cards."""
    player = table.players[event.player]
    size = min(OPENING_HAND, table.decks[player.id].size) if player.listed else OPENING_HAND
    return common_rules.opening_hand(table, event, size)


# -- what is in the hand and in the deck -------------------------------------------------------------------------------


@TURN_OVERVIEW.rule("duelyst.play.from-hand", "L84 L86", "Cards are played and replaced from the hand.")
def from_hand(
    table: Duelyst, event: ev.ArtifactEquipped | ev.CardReplaced | ev.MinionSummoned | ev.SpellCast
) -> Verdict:
    """The card is in the hand, or may be one of the unseen cards there."""
    return in_hand(table, event.player, (event.card,))


def in_hand(table: Duelyst, player: str, cards: tuple[str, ...]) -> Verdict:
    """Return whether all cards are in a hand, or may be unseen ones there."""
    return _lying_in(table, table.hands[player], cards)


@TURN_OVERVIEW.rule("duelyst.draw.from-own-deck", "L76 L90")
def from_own_deck(table: Duelyst, event: ev.MulliganTaken) -> Verdict:
    """Cards are drawn from the own deck."""
    if not event.drawn:
        return NOT_APPLICABLE
    again = event.returned if table.options["mulligan_order"] == "either" else ()
    verdict = in_deck(table, event.player, tuple(name for name in event.drawn if name not in again))
    if isinstance(verdict, Broken) and not set(event.returned).isdisjoint(event.drawn):
        return msgspec.structs.replace(verdict, message=verdict.message + as_ruled(table, "mulligan_order"))
    return verdict


def in_deck(table: Duelyst, player: str, cards: tuple[str, ...]) -> Verdict:
    """Return whether all cards are in a deck, or may be unseen ones there."""
    return _lying_in(table, table.decks[player], [card for card in cards if not is_unseen(card)])


def _lying_in(table: Duelyst, zone: Zone, names: Sequence[str]) -> Verdict:
    """Return whether all cards lie in a zone or may be unseen ones there; of an unknown one it is open."""
    for name in names:
        card = table.cards.get(name)
        is_there = card is not None and card.zone is zone
        if not (is_there or table.may_be_in(name, zone) or setup.is_unknown(table, name)):
            copies = [table.called(other.name) for other in zone.cards if card_of(other.name) == card_of(name)]
            return Broken(f"{table.called(name)} is not in {zone_in_words(table, zone)}", " or ".join(copies))
    return None


# -- the mulligan ------------------------------------------------------------------------------------------------------


@BEGINNING.rule("duelyst.setup.one-mulligan", "L77", rests_on="nothing")
def one_mulligan(table: Duelyst, event: ev.MulliganTaken) -> Verdict:
    """Each player may take a mulligan, once, before the first turn."""
    player, returned, drawn = table.players[event.player], len(event.returned), len(event.drawn)
    is_kept = not returned and not drawn
    if table.options["mulligan"] == "none":
        return None if is_kept else _within_ruling(table, event)
    if is_kept and player.mulliganed and not table.turn:
        return Broken(f"{player.name} keeps the hand; that was settled before", kind="info")
    if table.turn or player.mulliganed:
        return f"{player.name} takes a mulligan {'after the game has begun' if table.turn else 'a second time'}"
    wrong = Broken(f"{player.name} puts {counted(returned, 'card')} back and draws {drawn}", f"{returned} drawn")
    return wrong if drawn != returned else _within_ruling(table, event)


def _within_ruling(table: Duelyst, event: ev.MulliganTaken) -> Verdict:
    ruling, why, hand = table.options["mulligan"], as_ruled(table, "mulligan"), table.hands[event.player].size
    returned, puts = len(event.returned), f"{name_of(table, event.player)} puts"
    if ruling == "none":
        return f"{puts} {counted(returned, 'card')} back, but there is no mulligan{why}"
    if ruling == "up_to_two" and returned > 2:
        return Broken(f"{puts} {returned} cards back in the mulligan, at most 2 are allowed{why}", "at most 2")
    if ruling != "whole_hand" or returned in {0, hand}:
        return None
    all_or_none = "the whole hand or nothing"
    return Broken(f"{puts} {returned} of {hand} cards back in the mulligan, not {all_or_none}{why}", all_or_none)


@case(setup.known_cards)
def known_drawn(table: Duelyst, event: ev.MulliganTaken) -> Verdict:
    """The cards that are drawn are in the card file."""
    return common_rules.unknown_among(table, event.drawn) if event.drawn else NOT_APPLICABLE


@case(from_hand)
def returned_from_hand(table: Duelyst, event: ev.MulliganTaken) -> Verdict:
    """The cards that are put back in the mulligan are in the hand."""
    return in_hand(table, event.player, event.returned) if event.returned else NOT_APPLICABLE


def _have_mulligans(table: Duelyst) -> Iterable[DuelystPlayer]:
    return () if table.options["mulligan"] == "none" else table.players.values()


STEPS: Final = (
    common_rules.lacking(setup.declared_once, "listed", "declared a deck list", "deck.declared"),
    common_rules.lacking(draw_five, "opened", "drawn the opening hand", "cards.drawn"),
    common_rules.lacking(
        one_mulligan, "mulliganed", "taken or declined the mulligan", "mulligan.taken", _have_mulligans
    ),
)
"""What the first turn needs, in order."""


def needs_hand(table: Duelyst, event: ev.MulliganTaken) -> Sequence[Case]:
    """Return what a mulligan needs, of a player without an opening hand: all that comes before it."""
    return () if table.players[event.player].opened else STEPS[:-1]


def who_decides(table: Duelyst) -> tuple[str, ...]:
    """Return who may still decide on the mulligan, once all opening hands are drawn."""
    players = table.players.values()
    is_time = all(player.opened for player in players)
    return tuple(player.id for player in players if not player.mulliganed) if is_time else ()


def _mulligans(table: Duelyst, player: str) -> Iterator[Event]:
    held = table.hands[player]
    hand = [*(card.name for card in held.cards), *unseen_cards(player, held.unseen)]
    sizes = {"up_to_two": range(min(len(hand), 2) + 1), "whole_hand": {0, len(hand)}, "none": {0}}
    for size in sizes.get(table.options["mulligan"], range(len(hand) + 1)):
        for returned in combinations(hand, size):
            yield ev.MulliganTaken(player=player, returned=returned, drawn=unseen_cards(player, size))


@move(ev.MulliganTaken, one_mulligan, known_drawn, returned_from_hand, from_own_deck, offers=_mulligans)
def mulligan_taken(table: Duelyst, event: ev.MulliganTaken) -> None:
    """Put hand cards back and draw as many others; after both mulligans the first turn begins."""
    player = table.players[event.player]
    board.draw(table, player.id, (name for name in event.drawn if name not in event.returned), 0)
    for name in (each for each in event.returned if each not in event.drawn):
        board.put_back(table, player.id, name)
    table.set(player, "mulliganed", True)
    if not table.turn and all(each.mulliganed for each in table.players.values()):
        table.TURN.begin(table, event.player)


def due_in_setup(table: Duelyst) -> Iterator[Due]:
    """Yield what luck writes in the set-up; who begins may be left out."""
    seats = [*table.players][: 1 if table.options["first_player"] == "first_seat" else None]
    begins = option_due(ev.FirstPlayerChosen, "player", seats, setup.first_seat_begins.id, method="seat")
    others = () if table.chosen else (msgspec.structs.replace(begins, optional=True),)
    shuffle, draw_hand = (ev.DeckShuffled, setup.shuffle_decks), (ev.CardsDrawn, draw_five)
    return common_rules.due_in_setup(table, shuffle, draw_hand, OPENING_HAND, *others)


def fill_in_chance(_table: Duelyst, event: Event, dice: Dice) -> Event:
    """Return a mulligan with the cards that are drawn for it; the cards put back are shuffled in after that."""
    if not isinstance(event, ev.MulliganTaken) or not event.returned:
        return event
    drawn = dice.draw(event.player, len(event.returned))
    dice.shuffle(event.player, add=event.returned)
    return msgspec.structs.replace(event, drawn=drawn)
