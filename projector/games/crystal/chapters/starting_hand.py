"""Starting hand (L27 to L30): up to seven cards from both decks, with which the set-up is done."""

from typing import Final

from tabletape.events.games import crystal as ev
from tabletape.events.vocabulary.names import card_of, is_unseen
from tabletape.projector.games.crystal.board import draw, named_and_unseen
from tabletape.projector.games.crystal.chapters import DEPLOY_PHASE, SET_UP, STARTING_HAND, setup
from tabletape.projector.games.crystal.schema import FACTION
from tabletape.projector.games.crystal.state import BASIC, DECKS, HAND, Crystal, CrystalCard, CrystalPlayer
from tabletape.projector.kit import common_rules
from tabletape.projector.kit.moves import move
from tabletape.projector.kit.outline import SETUP
from tabletape.projector.model.amounts import how_many
from tabletape.projector.model.cards import unknown_cards
from tabletape.projector.model.due import Asked, Due
from tabletape.projector.model.phrases import by_ruling, name_of, named
from tabletape.projector.model.rules import NOT_APPLICABLE, Broken, Undecidable, Verdict, case, stop


@STARTING_HAND.rule("crystal.hand.at-most-seven", "L29.1 L29.2", rests_on="nothing")
def at_most_seven(table: Crystal, event: ev.StartingHandDrawn) -> Verdict:
    """The starting hand: up to seven cards from either deck, one at a time, in any mix."""
    player = table.players[event.player]
    if table.phase != SETUP:
        return f"{player.name} draws a starting hand although the game has begun"
    if not player.listed:
        return f"{player.name} draws from decks that have not been declared"
    if player.opened:
        return f"{player.name} draws a second starting hand"
    number = len(event.cards)
    if number > HAND:
        message = f"the starting hand of {player.name} has {number} cards, at most {HAND} are allowed"
        return Broken(message, "at most 7")
    due = min(HAND, sum(table.deck_of(deck, player.id).size for deck in DECKS))
    if table.options["starting_hand"] != "exactly_seven" or number >= due:
        return None
    message = f"{player.name} draws only {how_many(number, 'card')}, {by_ruling(table, 'starting_hand')}"
    return Broken(message, str(due))


@case(setup.shuffled_in_time)
def shuffled_and_cut(table: Crystal, event: ev.StartingHandDrawn) -> Verdict:
    """Nobody draws from a deck that was not shuffled and cut."""
    player = table.players[event.player]
    if player.opened:
        return NOT_APPLICABLE
    if not player.shuffled:
        return f"{player.name} draws although the faction deck has not been shuffled"
    if player.cut:
        return None
    if player.reshuffled:
        return f"{player.name} draws although the faction deck was shuffled again after the cut and not cut since"
    return f"{player.name} draws although nobody has cut the faction deck"


@DEPLOY_PHASE.rule("crystal.draw.from-own-deck", "L29.1 L44.2")
def hand_from_own_decks(table: Crystal, event: ev.StartingHandDrawn) -> Verdict:
    """Cards are drawn from the own decks."""
    decks = [table.deck_of(deck, event.player) for deck in DECKS]
    for name in event.cards:
        card = table.find(name)
        may_be = card is None and (is_unseen(name) or any(table.may_be_in(name, deck) for deck in decks))
        if not may_be and (card is None or card.zone not in decks):
            return f"{table.called(name)} is in neither deck of {name_of(table, event.player)}"
    return no_card_twice(table, event.cards)


def no_card_twice(table: Crystal, cards: tuple[str, ...]) -> Verdict:
    """Return the verdict on drawn cards, that each is drawn once."""
    if len(set(cards)) == len(cards):
        return None
    twice = max(cards, key=cards.count)
    return f"{named(table, twice)} ({twice}) is drawn twice"


@SET_UP.rule("crystal.draw.basic-top", "L17.1 L44.2")
def hand_from_top(table: Crystal, event: ev.StartingHandDrawn) -> Verdict:
    """From the basic deck the top card is drawn."""
    basic = table.deck_of(BASIC, event.player)
    drawn = [card for name in event.cards if (card := table.find(name)) is not None and card.zone is basic]
    return are_on_top(table, drawn, basic.cards)


def are_on_top(table: Crystal, drawn: list[CrystalCard], deck: list[CrystalCard]) -> Verdict:
    """Return the verdict on cards that are drawn from an open deck (ruling `basic_draw`)."""
    if not drawn or table.options["basic_draw"] == "any":
        return NOT_APPLICABLE
    for card, top in zip(drawn, deck, strict=False):
        if card_of(card.name) != card_of(top.name):
            if top.text is None:
                return Undecidable(unknown_cards([card_of(top.name)], table.library), once=True)
            on_top = named(table, top.name)
            message = f"{named(table, card.name)} is drawn, but {on_top} lies on top, {by_ruling(table, 'basic_draw')}"
            return Broken(message, on_top)
    return None


all_have_hands: Final = common_rules.lacking(
    at_most_seven, "opened", "drawn a starting hand", "starting-hand.drawn", Crystal.living
)


@move(
    ev.StartingHandDrawn,
    stop(setup.known_cards),
    stop(at_most_seven),
    shuffled_and_cut,
    setup.in_listed_order,
    stop(hand_from_own_decks),
    hand_from_top,
)
def starting_hand_drawn(table: Crystal, event: ev.StartingHandDrawn) -> None:
    """Move the starting hand from both decks; the unseen cards come from the faction deck."""
    names, unseen = named_and_unseen(event)
    basic = table.deck_of(BASIC, event.player)
    open_cards = [name for name in names if (card := table.find(name)) is not None and card.zone is basic]
    draw(table, event.player, open_cards, 0, BASIC)
    draw(table, event.player, [name for name in names if name not in open_cards], unseen, FACTION)
    table.set(table.players[event.player], "opened", True)


def is_set_up(table: Crystal) -> bool:
    """Return whether everything is there for round 1."""
    if len(table.flips) < setup.flips_needed(table):
        return False
    players = [player for player in table.players.values() if player.living]
    return len(players) > 1 and all(player.listed and player.opened for player in players)


def due_at_first(table: Crystal) -> list[Due]:
    """Return the lines that luck has to write now, in any order, once all decks are declared."""
    if setup.all_declared.check(table, None) is not None:
        return []
    drawing = () if setup.waits_for(table, ev.StartingHandDrawn) else table.living()
    hands = [_starting_hand(table, player) for player in drawing if player.cut and not player.opened]
    return [*setup.due_in_setup(table), *hands]


def _starting_hand(table: Crystal, player: CrystalPlayer) -> Due:
    """Return the draw of seven cards at most, some of them from the basic deck."""
    zones = tuple(table.deck_of(deck, player.id).name for deck in DECKS)
    most = min(HAND, sum(table.zones[zone].size for zone in zones))
    least = most if table.options["starting_hand"] == "exactly_seven" else 0
    asked = Asked(kind="cards", field="cards", zones=zones, least=least, most=most)
    return Due(line=ev.StartingHandDrawn, known={"player": player.id}, rule=at_most_seven.id, asked=asked)
