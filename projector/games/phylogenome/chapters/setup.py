"""Preparation: the players, their deck lists, shuffling, and who begins."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from msgspec import UNSET

from tabletape.events.games import phylogenome as ev
from tabletape.events.vocabulary.names import copies
from tabletape.events.vocabulary.shared import Seat
from tabletape.projector.games.phylogenome.chapters import PREPARATION
from tabletape.projector.games.phylogenome.chapters.cards import known_cards
from tabletape.projector.games.phylogenome.state import BENEATH, EIGHT, FOUR, TABLEAU, Phylo, PhyloPlayer
from tabletape.projector.kit import common_rules
from tabletape.projector.kit.consequence import follows
from tabletape.projector.kit.moves import Move, move
from tabletape.projector.kit.seating import add_zones, seat_players, zone_of
from tabletape.projector.model.amounts import how_many, joined
from tabletape.projector.model.due import Due, option_due
from tabletape.projector.model.phrases import by_ruling, name_of, named
from tabletape.projector.model.rulebook import Ruleset
from tabletape.projector.model.rules import NOT_APPLICABLE, Broken, Undecidable, Verdict, case

HAND: int = 5
"""Cards of the opening hand."""
GENERATION_SIZES = (12, 8, 5)
HAND_LIMITS: Final = {"none": 0, "seven": 7, "ten": 10}

two_players: Final = PREPARATION.rule(
    "phylogenome.setup.two-players",
    "L11.2 L65",
    "Exactly two players take part, each with an own deck.",
    rests_on="nothing",
)(common_rules.two_players)
GAME_STARTED: Final = Move(line=ev.GameStarted, needs=(two_players,))
PLACED_PROGRESS: Final = follows(
    ev.ProgressPlaced,
    rule=lambda _table, event, expected: (
        "phylogenome.generation.starts-at-one"
        if expected is not None and event.generation != 1
        else "phylogenome.setup.progress-side-by-side"
    ),
    why="the progress cards lie there since the beginning",
)
declared_once: Final = PREPARATION.rule(
    "phylogenome.deck.declared-once",
    "L65",
    "Each player has one deck list, known before the first draw.",
    rests_on="nothing",
)(common_rules.declared_once)


def opening(seats: Sequence[Seat], ruleset: Ruleset, library: Mapping[str, Any]) -> Phylo:
    """Lay the table out: the players with their zones and their progress cards side by side."""
    options = ruleset.options
    table = Phylo(
        options=options,
        library=library,
        diagonal=options["geometry"] == "grid8",
        own_only=options["compat_scope"] == "own_only",
        both_blamed=options["incompatible_blame"] == "both",
        own_anchor=options["connect_to"] == "own_progress",
        beside_any=options["play_spot"] == "adjacent_any",
        joined_only=options["generation_counts"] == "connected_only",
        hand_limit=HAND_LIMITS[options["hand_limit"]],
        ends_at_once=options["end_check_time"] == "immediate",
        runs_on=options["repair_undone"] == "runs_on",
    )
    table.add_zone(TABLEAU)
    table.add_zone(BENEATH)
    for player in seat_players(table, seats, PhyloPlayer):
        player.opponent = player.opponent or player.id
        player.cell = (player.seat, 0)
        table.decks[player.id], table.hands[player.id], *_ = add_zones(
            table, player.id, "deck", "hand", "discard", "table"
        )
    table.anchors = frozenset(player.cell for player in table.players.values())
    table.cells = dict.fromkeys(table.anchors)
    around = EIGHT if table.diagonal else FOUR
    table.outskirts = frozenset(cell for anchor in table.anchors for cell in around[anchor])
    for player in table.players.values():
        placed = ev.ProgressPlaced(player=player.id, generation=1, cell=player.cell)
        table.derive(placed, "phylogenome.setup.progress-side-by-side")
        table.applied.append("phylogenome.generation.starts-at-one")
    return table


@case(declared_once)
def listed_before_draw(table: Phylo, event: ev.CardsDrawn) -> Verdict:
    """Nobody draws before the own list is declared."""
    player = table.players[event.player]
    return None if player.listed else f"{player.name} draws from a deck that has not been declared"


@PREPARATION.rule("phylogenome.deck.recommended-size", "L66", rests_on="nothing")
def recommended_size(table: Phylo, event: ev.DeckDeclared) -> Verdict:
    """25 Species and 10 Events are recommended for a deck."""
    asked = table.options["deck_rules"]
    if asked == "free":
        return NOT_APPLICABLE
    by = "" if asked == "recommended" else f" ({by_ruling(table, 'deck_rules')})"
    generations = [table.library[card].sequencing_generation for card in event.cards if card in table.library]
    events = generations.count(0)
    species = len(generations) - events
    name = name_of(table, event.player)
    if len(generations) < len(event.cards) == 35 and species <= 25 and events <= 10:
        return Undecidable(f"the deck of {name} has unknown cards: they may be Species or Events", once=True)
    if (species, events) != (25, 10):
        kind: Any = "info" if asked == "recommended" else "illegal"
        message = f"the deck of {name} has {species} Species and {how_many(events, 'Event')}{by}"
        return Broken(message, "25 Species and 10 Events", kind)
    counts = tuple(map(generations.count, (1, 2, 3))) if asked == "by_generation" else GENERATION_SIZES
    if counts != GENERATION_SIZES:
        first, second, third = counts
        message = f"the deck of {name} has {first}, {second} and {third} Species of the three generations{by}"
        return Broken(message, "12, 8 and 5")
    return None


@PREPARATION.rule("phylogenome.deck.free-choice", "L66", rests_on="nothing")
def free_choice(table: Phylo, event: ev.DeckDeclared) -> Verdict:
    """Which cards those are is the player's choice."""
    if table.options["duplicates"] == "allowed":
        return NOT_APPLICABLE
    twice = sorted({named(table, card) for card in event.cards if event.cards.count(card) > 1})
    if not twice:
        return None
    are = "is" if len(twice) == 1 else "are"
    by = by_ruling(table, "duplicates")
    return f"{joined(twice)} {are} in the deck of {name_of(table, event.player)} more than once ({by})"


@move(ev.DeckDeclared, declared_once, known_cards, recommended_size, free_choice)
def deck_declared(table: Phylo, event: ev.DeckDeclared) -> None:
    """Make the cards of a list, in its order."""
    table.set(table.players[event.player], "listed", True)
    deck = zone_of(table, "deck", event.player)
    table.make_all(copies(event.player, event.cards), deck)


@PREPARATION.rule("phylogenome.setup.shuffle-decks", "L68", rests_on="nothing")
def shuffled_in_time(table: Phylo, event: ev.DeckShuffled) -> Verdict:
    """Both decks are shuffled before cards are drawn."""
    player = table.players[event.player]
    is_reshuffle = event.reason == "reshuffle" or (event.reason is UNSET and player.opened)
    if is_reshuffle and player.listed:
        why = f"the discard pile has not become the deck ({by_ruling(table, 'deck_out')})"
        return f"{player.name} shuffles the deck, but {why}" if player.shuffled else None
    return common_rules.shuffled_in_time(table, event)


shuffled_before_draw: Final = case(shuffled_in_time)(common_rules.drawn_from_shuffled)


@move(ev.DeckShuffled, shuffled_in_time)
def deck_shuffled(table: Phylo, event: ev.DeckShuffled) -> None:
    """Note that a deck is shuffled: nothing of its order is known any more."""
    table.set(table.players[event.player], "shuffled", True)
    for name in under_deck(table, event.player):
        table.set(table.cards[name], "known_to", frozenset())


def under_deck(table: Phylo, player: str) -> list[str]:
    """Return the cards that are known to lie under a player's deck: those that were looked at and not kept."""
    looked_at = {name for due in table.owed if due.player == player for name in due.cards or ()}
    return [card.name for card in table.decks[player].cards if card.known_to and card.name not in looked_at]


@PREPARATION.rule("phylogenome.setup.opening-five", "L69", rests_on="nothing")
def opening_five(table: Phylo, event: ev.CardsDrawn) -> Verdict:
    """The opening hand is five cards of the own deck."""
    return common_rules.opening_hand(table, event, min(HAND, table.decks[event.player].size))


@PREPARATION.rule("phylogenome.setup.first-player-recorded", "", rests_on="nothing")
def first_player(table: Phylo, event: ev.FirstPlayerChosen) -> Verdict:
    """Who begins is not said anywhere; the log has to."""
    wrong = common_rules.chosen_once(table, event)
    if wrong is None and table.options["first_player"] == "first_seat" and table.players[event.player].seat:
        message = f"{name_of(table, event.player)} begins, not the first seat ({by_ruling(table, 'first_player')})"
        return Broken(message, next(iter(table.players.values())).name)
    return wrong


first_is_chosen: Final = case(first_player)(common_rules.first_is_chosen)
STEPS: Final = (
    common_rules.lacking(declared_once, "listed", "declared a deck list", "deck.declared"),
    common_rules.lacking(opening_five, "opened", "drawn the opening hand", "cards.drawn"),
    first_is_chosen,
)


FIRST_PLAYER_CHOSEN: Final = Move(line=ev.FirstPlayerChosen, needs=(first_player,), does=common_rules.note_first)


def is_done(table: Phylo) -> bool:
    """Return whether the set-up is complete."""
    return bool(table.first) and all(player.listed and player.opened for player in table.players.values())


def due_in_setup(table: Phylo) -> list[Due]:
    """Return the lines that luck has to write now, in any order."""
    seats = [*table.players][: 1 if table.options["first_player"] == "first_seat" else None]
    begins = option_due(ev.FirstPlayerChosen, "player", seats, first_player.id, method="coin")
    shuffle, draw = (ev.DeckShuffled, shuffled_in_time), (ev.CardsDrawn, opening_five)
    return [*common_rules.due_in_setup(table, shuffle, draw, HAND, *(() if table.first else (begins,)))]
