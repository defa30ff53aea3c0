"""The rules of a turn and of its actions: whose turn it is, how many actions, what may be played, moved, exchanged."""

from collections.abc import Iterable, Sequence
from typing import Any, Final

import msgspec

from events.games import phylogenome as ev
from events.names import is_unseen
from projector.games.phylogenome.grid import Cell
from projector.games.phylogenome.play import licence_for
from projector.games.phylogenome.state import (
    EVENT,
    IN_A_TURN,
    SPECIES,
    TABLEAU,
    Phylo,
    PhyloCard,
    name_of,
    named,
    title_of,
    zone_of,
)
from projector.games.phylogenome.tableau import Occupied, beside, carries_ways, is_joined, misfits
from projector.rules import NOT_AT_STAKE, Broken, CannotTell, Rule, Verdict, case, rule

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


@rule(
    "phylogenome.turn.three-actions",
    "The game begins",
    "L77",
    "Up to three actions, repeated as you like.",
)
def three_actions(table: Phylo, event: Any) -> Verdict:
    """The player on turn has an action left."""
    if table.active != event.player:
        return NOT_AT_STAKE
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
        return NOT_AT_STAKE
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
        return NOT_AT_STAKE
    return f"{card.text.name} is an Event; only Species are laid on a cell" if card.text.kind == EVENT else None


@case(plays_species)
def plays_event(table: Phylo, event: ev.EventPlayed) -> Verdict:
    """What is played as an Event is one."""
    card = table.find(event.card)
    if card is None or card.text is None:
        return NOT_AT_STAKE
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
        return NOT_AT_STAKE
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
        return _nobody_knows(event.card)
    player = table.players[event.player]
    generation = card.text.sequencing_generation
    if generation <= player.generation or licence_for(table, card, event.player) is not None:
        return None
    message = f"{card.text.name} needs generation {generation}, {player.name} has generation {player.generation}"
    because = "phylogenome.generation.limit-after-loss" if player.highest > player.generation else ""
    return Broken(message, f"at most generation {player.generation}", because=because)


def _nobody_knows(card: str) -> Verdict:
    """Give the verdict on a card that is not at this table: it is unseen, or some other rule says what is wrong."""
    return CannotTell(f"nobody has written down which card {card} is") if is_unseen(card) else NOT_AT_STAKE


# -- the cell ----------------------------------------------------------------------------------------------------------


def _declare(id: str, section: str, lines: str, text: str) -> Rule:  # noqa: A002 - the rulebook's word for it
    return Rule(id=f"phylogenome.{id}", section=section, lines=lines, text=text)


FREE_CELL: Final = _declare(
    "play.free-cell", "The game begins", "L79", "One Species a cell; the progress cards keep theirs."
)
ADJACENT: Final = _declare("play.adjacent", "The game begins", "L79", "It is laid next to something in play.")
GENOME_SCALE: Final = _declare(
    "compat.genome-scale",
    "Compatibility",
    "L48 L50",
    "The genome scale of the Species that is laid and of each neighbour differ by one at most.",
)
CONNECTED: Final = _declare(
    "play.connected",
    "Addressing inconsistencies",
    "L57 L79",
    "The cell hangs together with the progress cards.",
)
Verdicts = Sequence[tuple[Rule, Verdict]]
Where = tuple[str, str, Cell]
"""The name of the Species that is laid or moved, the player whom it faces, and the cell."""

GOOD_SPOT: Final[Verdicts] = ((FREE_CELL, None), (ADJACENT, None), (GENOME_SCALE, None), (CONNECTED, None))
"""What there is to say about most spots."""


def spot_of_play(table: Phylo, event: ev.SpeciesPlayed) -> Verdicts:
    """Judge the cell on which a Species is laid."""
    card = table.find(event.card)
    if card is not None and card.zone.name == TABLEAU:
        return ()
    return _spot(table, card, (event.card, event.player, event.cell), table.cells, lifted=False)


def _spot(table: Phylo, card: PhyloCard | None, where: Where, cells: Occupied, *, lifted: bool) -> Verdicts:
    """Judge a cell for a Species; `cells` are those that are occupied, `lifted` says that ways may have been lost.

    The Species itself may still lie on one of the cells, if no way leads over it.
    """
    cell = where[2]
    if cell in table.anchors or cells.get(cell, card) is not card:
        taken = named(table, cells[cell].name) if cell in cells else "a progress card"
        return ((FREE_CELL, Broken(f"{_at(cell)} is not free: {taken} lies there", "a free cell")),)
    near = [each for each in beside(table, cell, cells) if each is not card]
    if not near and cell not in table.outskirts:
        return (FREE_CELL, None), (ADJACENT, f"nothing lies next to {_at(cell)}")
    fits = _fits(table, card, where, near)
    if table.options["play_spot"] == "adjacent_any":
        return (FREE_CELL, None), (ADJACENT, None), (GENOME_SCALE, fits)
    joined = _joined(table, where, near, cells, lifted=lifted)
    if fits is None and joined is None:
        return GOOD_SPOT
    return (FREE_CELL, None), (ADJACENT, None), (GENOME_SCALE, fits), (CONNECTED, joined)


def _at(cell: Cell) -> str:
    return f"[{cell[0]}, {cell[1]}]"


def _fits(table: Phylo, card: PhyloCard | None, where: Where, near: Iterable[PhyloCard]) -> Verdict:
    """Judge whether the genome scale of a Species goes with those beside its cell."""
    if card is None or card.text is None:
        return _nobody_knows(where[0])
    wrong = misfits(table, card, where[1], near)
    if not wrong:
        return None
    scale = card.text.genome_scale + card.raised
    others = " and ".join(
        f"{title_of(other)} beside it has {other.text.genome_scale + other.raised}" for other in wrong
    )
    return Broken(f"{card.text.name} has genome scale {scale}, {others}", "a difference of one at most")


def _joined(table: Phylo, where: Where, near: Iterable[PhyloCard], cells: Occupied, *, lifted: bool) -> Verdict:
    """Judge whether one of the neighbouring cells hangs together with the progress cards."""
    _, player, cell = where
    if lifted or table.own_anchor:
        if is_joined(table, cells, cell, player):
            return None
    elif cell in table.outskirts:
        return None
    else:
        for each in near:
            if not each.cut_off:
                return None
    return "what lies next to the cell is cut off from the progress cards"


def fits_spot(table: Phylo, card: PhyloCard, cell: Cell) -> str:
    """Give what is wrong with a cell for a Species in play that is moved there, or nothing."""
    for _, verdict in _spot_of_move(table, card, cell):
        if verdict is not None:
            return verdict.message if isinstance(verdict, Broken | CannotTell) else str(verdict)
    return ""


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


Moves = Sequence[tuple[PhyloCard, Cell]]


def spots_of_moves(table: Phylo, event: ev.SpeciesMoved) -> Verdicts:
    """Judge the cells to which Species are moved: one after the other, or all at the end (ruling `move_check`)."""
    moves = [(card, move.to) for move in event.moves if (card := table.find(move.card)) is not None]
    moves = [(card, cell) for card, cell in moves if card.zone.name == TABLEAU]
    if len(moves) == 1:
        found = _spot_of_move(table, *moves[0])
    elif table.options["move_check"] == "end_state":
        found = _spots_at_the_end(table, moves)
    else:
        found = _spots_in_order(table, moves)
    return found if found is GOOD_SPOT else [(each, _no_spot(verdict)) for each, verdict in found]


def _spot_of_move(table: Phylo, card: PhyloCard, cell: Cell) -> Verdicts:
    """Judge the cell to which one Species is moved."""
    lifted = table.own_anchor or carries_ways(table, card)
    cells = table.cells
    if lifted:
        cells = dict(cells)
        _take_away(cells, card)
    return _spot(table, card, (card.name, card.controller, cell), cells, lifted=lifted)


def _spots_in_order(table: Phylo, moves: Moves) -> Verdicts:
    found: list[tuple[Rule, Verdict]] = []
    cells = dict(table.cells)
    for number, (card, cell) in enumerate(moves):
        lifted = number > 0 or carries_ways(table, card)
        _take_away(cells, card)
        found += _spot(table, card, (card.name, card.controller, cell), cells, lifted=lifted)
        cells.setdefault(cell, card)
    return found


def _spots_at_the_end(table: Phylo, moves: Moves) -> Verdicts:
    cells = dict(table.cells)
    for card, _ in moves:
        _take_away(cells, card)
    found: list[tuple[Rule, Verdict]] = []
    for card, cell in moves:
        others = {to: other for other, to in moves if other is not card}
        found += _spot(table, card, (card.name, card.controller, cell), {**cells, **others}, lifted=True)
    return found


def _take_away(cells: dict[Cell, PhyloCard], card: PhyloCard) -> None:
    if card.place is not None and cells.get(card.place) is card:
        del cells[card.place]


def _no_spot(verdict: Verdict) -> Verdict:
    """Let a wrong spot of a move say that a move needs a compatible spot."""
    if isinstance(verdict, str):
        verdict = Broken(verdict)
    if isinstance(verdict, Broken):
        return msgspec.structs.replace(verdict, because="phylogenome.move.compatible-spot")
    return verdict


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
