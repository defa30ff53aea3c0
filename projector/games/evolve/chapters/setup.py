"""Starting a game: the players, who begins, opening hands, the first turn, and the decks (L2, L205 to L208)."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from copy import copy
from typing import Any, Final

import msgspec

from tabletape.events.games import evolve as ev
from tabletape.events.vocabulary import Event
from tabletape.events.vocabulary.names import is_unseen
from tabletape.events.vocabulary.shared import Seat
from tabletape.projector.games.evolve.abilities import has_other_names, parsed_text
from tabletape.projector.games.evolve.chapters import INTRODUCTION, STARTING
from tabletape.projector.games.evolve.naming import called, where
from tabletape.projector.games.evolve.state import BEGIN, DRAW, SETUP, Evolve, EvolvePlayer
from tabletape.projector.kit import common_rules
from tabletape.projector.kit.card_verdicts import unless_unknown
from tabletape.projector.kit.moves import Move, move
from tabletape.projector.kit.seating import add_zones, seat_players
from tabletape.projector.model.due import Due, draw_due, number_of_cards, option_due
from tabletape.projector.model.phrases import name_of
from tabletape.projector.model.rulebook import Ruleset
from tabletape.projector.model.rules import NOT_APPLICABLE, Broken, Case, Verdict, case

players_two: Final = INTRODUCTION.rule(
    "evolve.players.two",
    "L2.3 L210.1 L213.1",
    "Two players, called current player and opponent by whose turn it is.",
    rests_on="nothing",
)(common_rules.two_players)


@STARTING.rule("evolve.setup.first-player", "L205.1 L205.2", rests_on="nothing")
def first_player(table: Evolve, event: ev.FirstPlayerChosen) -> Verdict:
    """The first player is decided by an agreed method."""
    if table.phase == SETUP and event.player == table.first:
        return Broken(f"{name_of(table, table.first)} is the first player already", kind="info")
    return common_rules.chosen_once(table, event)


first_player_chosen: Final = case(first_player)(common_rules.first_is_chosen)


@STARTING.rule("evolve.setup.hand-five", "L206.1", rests_on="nothing")
def hand_five(table: Evolve, event: ev.CardsDrawn) -> Verdict:
    """Each player draws five cards."""
    player = table.players[event.player]
    is_due = player.listed and not player.opened and table.phase == SETUP
    loses = is_due and table.options["deckout_mulligan"] == "loses"
    if loses and number_of_cards(event) == table.zones[player.deck_zone].size < 5:
        return NOT_APPLICABLE
    return common_rules.opening_hand(table, event, 5)


@case(players_two)
def declared_once(table: Evolve, event: ev.DeckDeclared) -> Verdict:
    """A player plays with one list; the same one may be written down again at any time."""
    player = table.players[event.player]
    second = f"{player.name} declares a second list"
    return (common_rules.said_again(table, event) or second) if player.listed else None


@case(hand_five)
def list_before_hand(table: Evolve, event: ev.DeckDeclared) -> Verdict:
    """A list comes before the own opening hand."""
    player = table.players[event.player]
    late = not player.listed and (player.opened or table.phase != SETUP)
    return f"the list of {player.name} comes after the opening hand" if late else None


LISTS: Final = common_rules.lacking(players_two, "listed", "declared a list", "deck.declared")
HANDS: Final = common_rules.lacking(hand_five, "opened", "drawn the opening hand", "cards.drawn")


def missing_in_setup(table: Evolve, _event: Event) -> Case:
    """Return what the set-up lacks first: a list, the first player or a hand."""
    return common_rules.first_lacking(table, (LISTS, first_player_chosen)) or HANDS


def due_in_setup(table: Evolve) -> Iterator[Due]:
    """Yield the lines that luck writes in the set-up, once there are lists: first player, shuffles and hands."""
    players = table.players.values()
    if not all(player.listed for player in players):
        return
    if not table.first:
        yield option_due(ev.FirstPlayerChosen, "player", tuple(table.players), first_player.id, method="die")
    for each in players:
        if not each.opened:
            drawn = {"player": each.id, "reason": "opening-hand"}
            yield draw_due(table, ev.CardsDrawn, each.deck_zone, 5, hand_five.id, **drawn)
        if not each.opened and not each.shuffled:
            known = {"player": each.id, "reason": "setup"}
            yield Due(line=ev.DeckShuffled, known=known, rule=hand_five.id, optional=True)


@case(hand_five)
def shuffle_before_hand(table: Evolve, event: ev.DeckShuffled) -> Verdict:
    """The shuffle of the set-up comes between the list and the opening hand; without a list there is no deck."""
    player = table.players[event.player]
    if event.reason != "setup" and (player.listed or player.opened):
        return NOT_APPLICABLE
    return common_rules.shuffled_in_time(table, event)


@move(ev.DeckShuffled, shuffle_before_hand)
def shuffle_deck(table: Evolve, event: ev.DeckShuffled) -> None:
    """Forget what was known of the order of a deck, and note that it is shuffled."""
    player = table.players[event.player]
    table.set(player, "shuffled", True)
    forget_bottom(table, player)


@STARTING.rule("evolve.setup.first-turn-no-draw", "L208.1", rests_on="nothing")
def first_turn_no_draw(table: Evolve, event: ev.CardsDrawn) -> Verdict:
    """The first player draws no card in the first begin step."""
    return f"{name_of(table, event.player)} draws at the start of the first turn of the game"


@STARTING.rule("evolve.setup.first-turn-no-dna", "L208.1")
def first_turn_no_dna(table: Evolve, _event: Event) -> Verdict:
    """Nor gains 1 DNA there."""
    return Broken(f"{name_of(table, table.first)} gains 1 DNA at the start of the first turn of the game", "no DNA")


def is_first_begin_step(table: Evolve) -> bool:
    """Return whether the first turn has begun and nothing has been done in it."""
    return table.turn == 1 and table.phase in {BEGIN, DRAW}


def drawn_from_deck(table: Evolve, player: EvolvePlayer, cards: Iterable[str], returned: Iterable[str] = ()) -> Verdict:
    """Drawn cards are different ones of the own deck; `returned` have just been put there."""
    deck, back = table.zones[player.deck_zone], set(returned)
    seen: set[str] = set()
    for name in cards:
        if name in seen:
            return f"{name} is drawn twice at once"
        seen.add(name)
        if name not in back and not table.may_be_in(name, deck) and not is_unseen(name):
            there = where(table, table.find(name))
            message = f"{called(table, name, player.id)} is {there} and not in the deck of {player.name}"
            return unless_unknown(table, name, message)
    return None


def bottom_in_order(
    table: Evolve, player: EvolvePlayer, cards: tuple[str, ...], bottom: tuple[str, ...], loose: Collection[str]
) -> Verdict:
    """Cards that are known to lie at the bottom come only in their order and when nothing lies above them.

    Those of `loose` were shuffled among themselves and come in any order of theirs.
    """
    if not bottom or not cards:
        return NOT_APPLICABLE
    above = table.zones[player.deck_zone].size - len(player.bottom)
    left = list(bottom)
    for name in cards:
        if name not in left:
            above -= 1
        elif above > 0 or not (left[0] == name or (left[0] in loose and name in loose)):
            title = called(table, name, player.id)
            return f"{title} lies under other cards of the deck of {player.name} and is drawn all the same"
        else:
            left.remove(name)
    return None


def forget_bottom(table: Evolve, player: EvolvePlayer) -> None:
    """Forget what was known of the order of a deck: it is shuffled."""
    table.update(player, bottom=(), loose=frozenset())
    for card in table.zones[player.deck_zone].cards:
        if card.known_to:
            table.set(card, "known_to", frozenset())


def opening(seats: Sequence[Seat], ruleset: Ruleset, library: Mapping[str, Any]) -> Evolve:
    """Lay the table out: the players with their zones, and the places between them."""
    if ruleset.options["divide_duplicate"] == "two_actions":
        divided = {name: copy(text) for name, text in library.items() if has_other_names(text.abilities)}
        for text in divided.values():  # dividing is an action of its own on them
            msgspec.structs.force_setattr(text, "says", parsed_text(text.abilities, apart=True))
        library = {**library, **divided}
    table = Evolve(options=ruleset.options, library=library)
    for player in seat_players(table, seats, EvolvePlayer):
        zones = add_zones(table, player.id, "deck", "hand", "discard", "play")
        player.deck_zone, player.hand, player.discard, player.play = [zone.name for zone in zones]
    for zone in ("attached", "status", "stack"):
        table.add_zone(zone)
    return table


MOVES: Final = (
    Move(line=ev.GameStarted, needs=(players_two,)),
    Move(
        line=ev.FirstPlayerChosen,
        needs=(first_player,),
        does=lambda table, event: table.set(table, "first", event.player),
    ),
)
