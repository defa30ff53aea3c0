"""The rules of a turn and of its actions: whose turn it is, how many actions, what may be played, moved, exchanged."""

from collections.abc import Callable, Iterable
from typing import Any, Final

import msgspec

from events.games import phylogenome as ev
from projector.games.phylogenome.naming import called, generation_in_words, not_in_hand, where_is
from projector.games.phylogenome.play import moving
from projector.games.phylogenome.playable import is_of_generation
from projector.games.phylogenome.rules.doubt import known_card, may_lie_in, nameless_species
from projector.games.phylogenome.rules.luck import deck_has_three, owed_first
from projector.games.phylogenome.rules.spots import (
    GOOD_SPOT,
    GOOD_SPOTS,
    nobody_knows,
    spot_of,
    spot_of_move,
    spots_of_moves,
)
from projector.games.phylogenome.state import DRAW, EVENT, IN_A_TURN, SPECIES, TABLEAU, Phylo
from projector.games.phylogenome.ways import NONE
from projector.kit.common_rules import is_unknown
from projector.kit.seating import zone_of
from projector.model.phrases import by_ruling, name_of
from projector.model.rules import (
    NOT_APPLICABLE,
    AllPassed,
    Broken,
    Judgement,
    Undecidable,
    Verdict,
    all_passed,
    case,
    group_check,
    rule,
    stop,
)

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


def judge_turn(table: Phylo, event: Any) -> Iterable[Judgement]:
    """Judge whose turn it is; in the turn of the other player it may also be that luck owes something first."""
    verdict: Verdict = active_player(table, event)
    owed = owed_first(table, event) if verdict is not None and table.owed else None
    return ((active_player, verdict), owed) if owed else ((active_player, verdict),)


TURN: Final = group_check(judge_turn)
"""Whose turn it is, where one look could not tell that it is the player's own."""


def ends_own_turn(table: Phylo, event: ev.TurnEnded) -> AllPassed | None:
    """Return what is kept where the player on turn ends it."""
    return ON_TURN if table.active == event.player else None


def judge_end(table: Phylo, event: ev.TurnEnded) -> Iterable[Judgement]:
    """Judge the end of a turn: the player on turn ends it; that an ended turn is ended is said twice, and no more."""
    if table.active != event.player and has_just_begun(table):
        message = f"the turn of {name_of(table, event.player)} has ended already; this line says it again"
        return ((active_player, Broken(message, "", "info")),)
    return judge_turn(table, event)


def has_just_begun(table: Phylo) -> bool:
    """Return whether nothing has happened yet in a turn that followed another one."""
    if not table.active:
        return False
    player = table.players[table.active]
    drawn = table.phase != DRAW and table.decks[player.id].size > 0
    return table.turn > 1 and player.actions == IN_A_TURN and not table.event_played and not drawn


@rule("phylogenome.turn.three-actions", "The game begins", "L77", "Up to three actions, repeated as you like.")
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


@rule("phylogenome.play.from-hand", "The game begins", "L76 L79 L81", "The card comes from the player's hand.")
def from_hand(table: Phylo, event: Any) -> Verdict:
    """The card is in the hand, or may be one of the unseen cards there."""
    if may_lie_in(table, event.card, table.hands[event.player]):
        return None
    return not_in_hand(table, event.card, event.player)


@rule("phylogenome.event.used-once", "Event card", "L23", "An Event is used once.")
def used_once(table: Phylo, event: ev.EventPlayed) -> Verdict:
    """The Event does not lie in a discard pile."""
    card = table.find(event.card)
    if card is not None and card.zone.name[:8] == "discard:":
        return f"{called(table, card.name)} has been used; {where_is(table, card.name)}"
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
    player = table.players[event.player]
    if card is None or card.text is None:
        return nobody_knows(event.card, _generation_later(table, event))
    if is_of_generation(table, card, event.player):
        return None
    nameless = nameless_species(table, player.id)
    if nameless:
        return Undecidable(f"nobody has written down of which generation {nameless} is, which faces {player.name}")
    needed = card.text.sequencing_generation
    message = f"{card.text.name} needs generation {needed}; {generation_in_words(table, player)}"
    because = "phylogenome.generation.limit-after-loss" if player.highest > player.generation else ""
    return Broken(message, f"at most generation {player.generation}", because=because)


def _generation_later(table: Phylo, event: ev.SpeciesPlayed) -> Callable[[Any], Broken | None]:
    """Return a function that judges the generation of a card when it is shown, by what its player has reached now."""
    player = table.players[event.player]
    lying = [card.text.says.bonus for card in zone_of(table, "table", player.id).cards if card.text is not None]
    most = player.generation + max([bonus.n for bonus in lying if bonus is not None], default=0)
    reached = generation_in_words(table, player)

    def judge(text: Any) -> Broken | None:
        if text is None or text.kind != SPECIES or text.sequencing_generation <= most:
            return None
        message = f"{event.card} is {text.name}, which needs generation {text.sequencing_generation}; {reached}"
        return Broken(message, f"at most generation {most}")

    return judge


# -- a Species that is played -----------------------------------------------------------------------------------------

PLAYED: Final = all_passed(active_player, known_card, plays_species, three_actions, from_hand, generation_limit)
"""What there is to say about most Species that are played, before one looks at the cell."""
PLAYED_AGAIN: Final = AllPassed((*PLAYED[:-1], (not_forbidden, None), PLAYED[-1]))
"""The same of a player who was forbidden to play Species in an earlier turn."""
WELL_PLAYED: Final = {each: AllPassed((*each, *GOOD_SPOT)) for each in (PLAYED, PLAYED_AGAIN)}
OF_A_PLAY: Final = (
    TURN,
    known_card,
    stop(plays_species),
    action_for_species,
    from_hand,
    not_forbidden,
    generation_limit,
)


def plays_well(table: Phylo, event: ev.SpeciesPlayed) -> AllPassed | None:
    """Return what is kept where nothing is wrong with a Species that is played, nor with its cell."""
    table.foreseen.clear()
    card = table.cards.get(event.card)
    player = table.players[event.player]
    where = (event.card, player.id, event.cell)
    if (
        card is not None
        and card.zone is table.hands[player.id]
        and card.text is not None
        and card.text.kind == SPECIES
        and (card.text.sequencing_generation <= player.generation or is_of_generation(table, card, player.id))
        and table.active == player.id
        and player.actions > 0
        and player.forbidden_until < table.turn
        and spot_of(table, card, where, table.cells, NONE) is GOOD_SPOT
    ):
        return WELL_PLAYED[PLAYED_AGAIN if player.forbidden_until else PLAYED]
    return None


def judge_cell(table: Phylo, event: ev.SpeciesPlayed) -> Iterable[Judgement]:
    """Judge the cell on which a Species is played."""
    table.foreseen.clear()
    card = table.find(event.card)
    found = spot_of(table, card, (event.card, event.player, event.cell), table.cells, NONE)
    if card is not None and card.zone.name == TABLEAU:
        table.foreseen.clear()  # It is not lifted from its cell to be laid on this one.
    return found


# -- moving ------------------------------------------------------------------------------------------------------------


@rule("phylogenome.move.at-most-two", "The game begins", "L80", "One action moves at most two Species.")
def at_most_two(table: Phylo, event: ev.SpeciesMoved) -> Verdict:
    """One or two different Species are moved."""
    number = len(event.moves)
    if number > 2:
        return Broken(f"{number} Species are moved with one action", "at most two")
    if number == 2 and event.moves[0].card == event.moves[1].card:
        return f"{called(table, event.moves[0].card)} is moved twice with one action"
    if table.options["empty_move"] == "allowed":
        return None
    if not number:
        return Broken(f"no Species is moved with one action ({by_ruling(table, 'empty_move')})", "one or two")
    lying = ((move, table.find(move.card)) for move in event.moves)
    stays = next((move.card for move, card in lying if card is not None and card.place == move.to), "")
    message = f"{called(table, stays)} is moved to the cell on which it lies ({by_ruling(table, 'empty_move')})"
    return Broken(message, "another cell") if stays else None


@rule("phylogenome.move.own-species", "The game begins", "L80", "Only Species that face the mover are moved.")
def own_species(table: Phylo, event: ev.SpeciesMoved) -> Verdict:
    """What is moved lies in the tableau and faces the mover (ruling `move_whose`)."""
    for move in event.moves:
        card = table.find(move.card)
        if is_unknown(table, move.card):
            continue
        if card is None or card.zone.name != TABLEAU:
            return f"{called(table, move.card)} does not lie in the tableau: {where_is(table, move.card)}"
        if card.controller != event.player and table.options["move_whose"] == "facing_you":
            whose, who = name_of(table, card.controller), name_of(table, event.player)
            return f"{called(table, card.name)} faces {whose}, not {who} ({by_ruling(table, 'move_whose')})"
    return None


MOVED: Final = all_passed(active_player, known_card, three_actions, at_most_two, own_species)
"""What there is to say about most moves, before one looks at the cell."""
WELL_MOVED: Final = AllPassed((*MOVED, *GOOD_SPOT))
BOTH_WELL_MOVED: Final = AllPassed((*MOVED, *GOOD_SPOTS))
OF_A_MOVE: Final = (TURN, known_card, three_actions, stop(at_most_two), stop(own_species))


def moves_well(table: Phylo, event: ev.SpeciesMoved) -> AllPassed | None:
    """Return what is kept where nothing is wrong with the Species that are moved, nor with their cells."""
    player, moves = event.player, event.moves
    if table.active != player or table.players[player].actions <= 0:
        return None
    for move in moves:
        card = table.cards.get(move.card)
        if (
            card is None
            or card.zone.name != TABLEAU
            or card.controller != player
            or card.text is None
            or card.place == move.to
        ):
            return None
        if len(moves) == 1:
            return WELL_MOVED if spot_of_move(table, card, move.to) is GOOD_SPOT else None
    if len(moves) != 2 or moves[0].card == moves[1].card:
        return None
    return BOTH_WELL_MOVED if spots_of_moves(table, moving(table, event)) is GOOD_SPOTS else None


def judge_cells(table: Phylo, event: ev.SpeciesMoved) -> Iterable[Judgement]:
    """Judge the cells of a move."""
    return spots_of_moves(table, moving(table, event))


# -- exchanging --------------------------------------------------------------------------------------------------------


@rule("phylogenome.cycle.one-from-hand", "The game begins", "L78", "The exchange discards one card of the hand.")
def one_from_hand(table: Phylo, event: ev.CardsCycled) -> Verdict:
    """What is exchanged is in the hand, and a Species if the ruling `cycle_card` says so."""
    if not may_lie_in(table, event.discarded, table.hands[event.player]):
        return not_in_hand(table, event.discarded, event.player)
    if table.options["cycle_card"] == "species_only":
        card = table.find(event.discarded)
        if card is not None and card.text is not None and card.text.kind == EVENT:
            message = f"{card.text.name} is exchanged, which is an Event ({by_ruling(table, 'cycle_card')})"
            return Broken(message, "a Species")
    return None


CYCLED: Final = all_passed(active_player, known_card, three_actions, one_from_hand)
OF_AN_EXCHANGE: Final = (TURN, known_card, three_actions, one_from_hand, deck_has_three)


def exchanges_well(table: Phylo, event: ev.CardsCycled) -> AllPassed | None:
    """Return what is kept where nothing is wrong with an exchange of cards."""
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
    return None
