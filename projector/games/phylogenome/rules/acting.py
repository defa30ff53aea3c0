"""The rules of a turn and of its actions: whose turn it is, how many actions, what may be played, moved, exchanged."""

from typing import Any, Final

import msgspec

from events.games import phylogenome as ev
from projector.games.phylogenome.play import licence_for, moving
from projector.games.phylogenome.rules.in_order import Judgements, check_in_order
from projector.games.phylogenome.rules.luck import deck_has_three
from projector.games.phylogenome.rules.preparing import known_card, known_moved
from projector.games.phylogenome.rules.spots import (
    GOOD_SPOT,
    GOOD_SPOTS,
    nobody_knows,
    spot_of,
    spot_of_move,
    spots_of_moves,
)
from projector.games.phylogenome.state import (
    EVENT,
    IN_A_TURN,
    SPECIES,
    TABLEAU,
    Phylo,
    name_of,
    named,
    title_of,
    zone_of,
)
from projector.games.phylogenome.tableau import NONE
from projector.model.rules import NOT_APPLICABLE, AllPassed, Broken, Verdict, all_passed, case, judgement_of, rule, stop

# -- the turn ----------------------------------------------------------------------------------------------------------


@rule(
    "phylogenome.turn.active-player",
    "What is PhyloGenome?",
    "L11",
    "The players take turns; only the one on turn acts.",
)
def active_player(table: Phylo, event: Any) -> Verdict:
    """The player is on turn."""
    if table.active == event.player:
        return None
    due = name_of(table, table.active)
    return Broken(f"{name_of(table, event.player)} acts in the turn of {due}", due)


ON_TURN: Final = all_passed(active_player)


def judge_end(table: Phylo, event: ev.TurnEnded) -> Judgements:
    """Judge the end of a turn: the player on turn ends it."""
    return ON_TURN if table.active == event.player else (judgement_of(active_player, table, event),)


@rule(
    "phylogenome.turn.three-actions",
    "The game begins",
    "L77",
    "Up to three actions, repeated as you like.",
)
def three_actions(table: Phylo, event: Any) -> Verdict:
    """The player on turn has an action left."""
    if table.active != event.player:
        return NOT_APPLICABLE
    if table.players[event.player].actions > 0:
        return None
    return Broken(f"{name_of(table, event.player)} has no action left in this turn", f"{IN_A_TURN} actions a turn")


@case(three_actions)
def action_for_species(table: Phylo, event: ev.SpeciesPlayed) -> Verdict:
    """An action is left for the Species."""
    verdict: Verdict = three_actions(table, event)
    if isinstance(verdict, Broken):
        return msgspec.structs.replace(verdict, because="phylogenome.compat.action-left")
    return verdict


@rule("phylogenome.turn.one-event", "The game begins", "L77", "One Event a turn at most.")
def one_event(table: Phylo, event: ev.EventPlayed) -> Verdict:
    """No Event was played in this turn yet."""
    if table.active != event.player:
        return NOT_APPLICABLE
    return f"{name_of(table, event.player)} plays a second Event in this turn" if table.event_played else None


# -- the card that is played -------------------------------------------------------------------------------------------


@rule(
    "phylogenome.card.three-types",
    "Types of cards",
    "L15",
    "A card is a Species, an Event or a Generation progress card; each kind has its own way of being played.",
)
def plays_species(table: Phylo, event: ev.SpeciesPlayed) -> Verdict:
    """What is laid into the tableau is a Species."""
    card = table.find(event.card)
    if card is None or card.text is None:
        return NOT_APPLICABLE
    return f"{card.text.name} is an Event; only Species are laid on a cell" if card.text.kind == EVENT else None


@case(plays_species)
def plays_event(table: Phylo, event: ev.EventPlayed) -> Verdict:
    """What is played as an Event is one."""
    card = table.find(event.card)
    if card is None or card.text is None:
        return NOT_APPLICABLE
    return f"{card.text.name} is a Species; it is laid on a cell" if card.text.kind == SPECIES else None


@rule(
    "phylogenome.play.from-hand",
    "The game begins",
    "L76 L79 L81",
    "The card comes from the player's hand.",
)
def from_hand(table: Phylo, event: Any) -> Verdict:
    """The card is in the hand, or may be one of the unseen cards there."""
    if table.may_be_in(event.card, zone_of(table, "hand", event.player)):
        return None
    return f"{named(table, event.card)} is not in the hand of {name_of(table, event.player)}"


@rule("phylogenome.event.used-once", "Event card", "L23", "An Event is used once.")
def used_once(table: Phylo, event: ev.EventPlayed) -> Verdict:
    """The Event does not lie in a discard pile."""
    card = table.find(event.card)
    if card is not None and card.zone.name[:8] == "discard:":
        return f"{title_of(card)} has been used; it lies in the discard pile of {name_of(table, card.zone.owner)}"
    return None


@rule("phylogenome.compat.event-forbids", "Compatibility", "L53", "No Event may be forbidding it.")
def not_forbidden(table: Phylo, event: ev.SpeciesPlayed) -> Verdict:
    """No Event forbids this player to play Species in this turn."""
    player = table.players[event.player]
    if not player.forbidden_until or table.active != event.player:
        return NOT_APPLICABLE
    if table.turn <= player.forbidden_until:
        return f"an Event forbids {player.name} to play Species in this turn"
    return None


@rule(
    "phylogenome.compat.generation-limit",
    "Compatibility",
    "L51",
    "A Species may be played up to the generation its player has reached.",
)
def generation_limit(table: Phylo, event: ev.SpeciesPlayed) -> Verdict:
    """The generation of the Species is reached, or an Event in play lets it be played."""
    card = table.find(event.card)
    if card is None or card.text is None:
        return nobody_knows(event.card)
    player = table.players[event.player]
    generation = card.text.sequencing_generation
    if generation <= player.generation or licence_for(table, card, event.player) is not None:
        return None
    message = f"{card.text.name} needs generation {generation}, {player.name} has generation {player.generation}"
    because = "phylogenome.generation.limit-after-loss" if player.highest > player.generation else ""
    return Broken(message, f"at most generation {player.generation}", because=because)


# -- a Species that is played -----------------------------------------------------------------------------------------

PLAYED: Final = all_passed(active_player, known_card, plays_species, three_actions, from_hand, generation_limit)
"""What there is to say about most Species that are played, before one looks at the cell."""
PLAYED_AGAIN: Final = AllPassed((*PLAYED[:-1], (not_forbidden, None), PLAYED[-1]))
"""The same of a player who was forbidden to play Species in an earlier turn."""
WELL_PLAYED: Final = {each: AllPassed((*each, *GOOD_SPOT)) for each in (PLAYED, PLAYED_AGAIN)}
OF_A_PLAY: Final = (
    active_player,
    stop(known_card),
    stop(plays_species),
    action_for_species,
    from_hand,
    not_forbidden,
    generation_limit,
)


def judge_play(table: Phylo, event: ev.SpeciesPlayed) -> Judgements:
    """Judge a Species that is played, and its cell; where nothing can be wrong with the card that takes one look."""
    table.foreseen.clear()
    card = table.cards.get(event.card)
    player = table.players[event.player]
    where = (event.card, player.id, event.cell)
    if (
        card is not None
        and card.zone is table.hands[player.id]
        and card.text is not None
        and card.text.kind == SPECIES
        and (card.text.sequencing_generation <= player.generation or licence_for(table, card, player.id) is not None)
        and table.active == player.id
        and player.actions > 0
        and player.forbidden_until < table.turn
    ):
        kept = PLAYED_AGAIN if player.forbidden_until else PLAYED
        spot = spot_of(table, card, where, table.cells, NONE)
        return WELL_PLAYED[kept] if spot is GOOD_SPOT else (*kept, *spot)
    found, goes_on = check_in_order(OF_A_PLAY, table, event)
    card = table.find(event.card)
    if not goes_on or (card is not None and card.zone.name == TABLEAU):
        return found
    return *found, *spot_of(table, card, where, table.cells, NONE)


# -- moving ------------------------------------------------------------------------------------------------------------


@rule("phylogenome.move.at-most-two", "The game begins", "L80", "One action moves at most two Species.")
def at_most_two(table: Phylo, event: ev.SpeciesMoved) -> Verdict:
    """One or two different Species are moved."""
    number = len(event.moves)
    if not 1 <= number <= 2:
        return Broken(f"{number} Species are moved with one action", "one or two")
    if number == 2 and event.moves[0].card == event.moves[1].card:
        return f"{named(table, event.moves[0].card)} is moved twice with one action"
    return None


@rule(
    "phylogenome.move.own-species",
    "The game begins",
    "L80",
    "Only Species that face the mover are moved.",
)
def own_species(table: Phylo, event: ev.SpeciesMoved) -> Verdict:
    """What is moved lies in the tableau and faces the mover (ruling `move_whose`)."""
    for move in event.moves:
        card = table.find(move.card)
        if card is None or card.zone.name != TABLEAU:
            return f"{named(table, move.card)} does not lie in the tableau"
        if card.controller != event.player and table.options["move_whose"] == "facing_you":
            return f"{title_of(card)} faces {name_of(table, card.controller)}, not {name_of(table, event.player)}"
    return None


MOVED: Final = all_passed(active_player, known_moved, three_actions, at_most_two, own_species)
"""What there is to say about most moves, before one looks at the cell."""
WELL_MOVED: Final = AllPassed((*MOVED, *GOOD_SPOT))
BOTH_WELL_MOVED: Final = AllPassed((*MOVED, *GOOD_SPOTS))
OF_A_MOVE: Final = (active_player, stop(known_moved), three_actions, stop(at_most_two), stop(own_species))


def judge_move(table: Phylo, event: ev.SpeciesMoved) -> Judgements:
    """Judge a move, and the cells; where nothing can be wrong with the Species that takes one look."""
    player, moves = event.player, event.moves
    if len(moves) == 1 and table.active == player and table.players[player].actions > 0:
        # Nearly always it is one Species that is moved, and nothing is wrong.
        move = moves[0]
        card = table.cards.get(move.card)
        if (
            card is not None
            and card.zone.name == TABLEAU
            and card.controller == player
            and card.text is not None
            and spot_of_move(table, card, move.to) is GOOD_SPOT
        ):
            return WELL_MOVED
    moved = moving(table, event)
    number = len(moved)
    usual = 0 < number == len(moves) and table.active == player and table.players[player].actions > 0
    for card, _ in moved:
        usual = usual and card.controller == player and card.text is not None
    if usual and (number == 1 or (number == 2 and moved[0][0] is not moved[1][0])):
        spots = spots_of_moves(table, moved)
        if spots is GOOD_SPOT:
            return WELL_MOVED
        return BOTH_WELL_MOVED if spots is GOOD_SPOTS else (*MOVED, *spots)
    found, goes_on = check_in_order(OF_A_MOVE, table, event)
    return (*found, *spots_of_moves(table, moved)) if goes_on else found


# -- exchanging --------------------------------------------------------------------------------------------------------


@rule("phylogenome.cycle.one-from-hand", "The game begins", "L78", "The exchange discards one card of the hand.")
def one_from_hand(table: Phylo, event: ev.CardsCycled) -> Verdict:
    """What is exchanged is in the hand, and a Species if the ruling `cycle_card` says so."""
    if not table.may_be_in(event.discarded, zone_of(table, "hand", event.player)):
        return f"{named(table, event.discarded)} is not in the hand of {name_of(table, event.player)}"
    if table.options["cycle_card"] == "species_only":
        card = table.find(event.discarded)
        if card is not None and card.text is not None and card.text.kind == EVENT:
            return Broken(f"{card.text.name} is exchanged, which is an Event", "a Species")
    return None


CYCLED: Final = all_passed(active_player, three_actions, one_from_hand)
OF_AN_EXCHANGE: Final = (active_player, three_actions, one_from_hand, deck_has_three)


def judge_exchange(table: Phylo, event: ev.CardsCycled) -> Judgements:
    """Judge an exchange of cards; where nothing can be wrong that takes one look."""
    card = table.cards.get(event.discarded)
    player = table.players[event.player]
    if (
        card is not None
        and card.zone is table.hands[player.id]
        and table.active == player.id
        and player.actions > 0
        and table.options["cycle_card"] == "any"
        and table.options["short_draw"] != "forbidden"
    ):
        return CYCLED
    return check_in_order(OF_AN_EXCHANGE, table, event)[0]
