"""Compatibility: which cell a Species fits, how what breaks is repaired, and which generation may be played."""

from collections.abc import Callable, Iterable, Sequence
from collections.abc import Set as AbstractSet
from itertools import chain
from typing import Any, Final

import msgspec

from tabletape.events.games import phylogenome as ev
from tabletape.events.vocabulary.names import is_unseen
from tabletape.projector.games.phylogenome.chapters import COMPATIBILITY, GAME_BEGINS, INCONSISTENCIES, WRITTEN
from tabletape.projector.games.phylogenome.chapters.cards import nameless_species
from tabletape.projector.games.phylogenome.naming import by_other_rulings, called, counts_in_words, generation_in_words
from tabletape.projector.games.phylogenome.playable import is_of_generation
from tabletape.projector.games.phylogenome.state import SPECIES, Cell, Occupied, Phylo, PhyloCard
from tabletape.projector.games.phylogenome.tableau import misfits
from tabletape.projector.games.phylogenome.ways import NONE, disconnected_by, is_joined, leads_on
from tabletape.projector.kit import mismatches
from tabletape.projector.kit.adopting import adopt_total
from tabletape.projector.kit.consequence import follows
from tabletape.projector.kit.seating import zone_of
from tabletape.projector.model.amounts import joined
from tabletape.projector.model.game import RuleVerdict
from tabletape.projector.model.phrases import by_ruling, name_of
from tabletape.projector.model.rules import Judgement, Rule, all_passed
from tabletape.projector.model.verdicts import NOT_APPLICABLE, AllPassed, Broken, Undecidable, Verdict

Judgements = Sequence[Judgement]
Astray = AbstractSet[PhyloCard]
Where = tuple[str, str, Cell]
"""The name of the Species that is laid or moved, the player whom it faces, and the cell."""


@GAME_BEGINS.rule("phylogenome.play.free-cell", "L79")
def free_cell(table: Phylo, where: Where, card: PhyloCard | None, cells: Occupied) -> Verdict:
    """One Species a cell; the progress cards keep theirs."""
    cell = where[2]
    if cell not in cells or (card is not None and cells[cell] is card):
        return None
    lying = cells[cell]
    taken = "a progress card" if lying is None else called(table, lying.name)
    return Broken(f"{_at(cell)} is not free: {taken} lies there", "a free cell")


@GAME_BEGINS.rule("phylogenome.play.adjacent", "L79")
def adjacent(table: Phylo, where: Where, near: Sequence[PhyloCard]) -> Verdict:
    """It is laid next to something in play."""
    return None if near or where[2] in table.outskirts else f"nothing lies next to {_at(where[2])}"


@COMPATIBILITY.rule("phylogenome.compat.genome-scale", "L48.1 L48.2 L50.1 L50.2")
def genome_scale(table: Phylo, where: Where, card: PhyloCard | None, near: Sequence[PhyloCard]) -> Verdict:
    """The genome scale of the Species that is laid and of each neighbour differ by one at most."""
    if card is None or card.text is None:
        return nobody_knows(where[0], _fits_later(table, where, near))
    wrong = misfits(table, card, where[1], near)
    if not wrong:
        return None
    others = joined([f"{called(table, other.name)} beside it has {other.scale}" for other in wrong])
    by = f" ({by_ruling(table, 'geometry')})" if table.diagonal else ""
    message = f"{called(table, card.name)} has genome scale {card.scale}, {others}{by}"
    return Broken(message, "a difference of one at most")


@INCONSISTENCIES.rule("phylogenome.play.connected", "L57.1 L79", "The cell hangs together with the progress cards.")
def connected(table: Phylo, where: Where, card: PhyloCard | None, cells: Occupied) -> Verdict:
    """A way leads from the cell, beside no Species known to be joined, to a progress card (or to the own one, ruling).

    Among others than the cells of the table there may be that of a Species that has been moved to a good spot before.
    """
    _, player, cell = where
    if (table.own_anchor or cells is not table.cells) and is_joined(table, cells, cell, player, card):
        return None
    if not table.own_anchor:
        return f"what lies next to {_at(cell)} is cut off from the progress cards ({by_ruling(table, 'play_spot')})"
    own = f"the progress card of {name_of(table, player)}"
    return f"no way leads from {_at(cell)} to {own} ({by_ruling(table, 'connect_to')})"


GOOD_SPOT: Final = all_passed(free_cell, adjacent, genome_scale, connected)
"""What there is to say about most spots."""
GOOD_SPOTS: Final = AllPassed((*GOOD_SPOT, *GOOD_SPOT))
"""The same about the spots of two Species that are moved."""


def is_good_spot(table: Phylo, card: PhyloCard, where: Where, cells: Occupied, excluded: Astray) -> bool:
    """Return whether a known Species fits a cell: whether `spot_of` finds nothing wrong with it, and without a word."""
    _, player, cell = where
    if cell in cells and cells[cell] is not card:
        return False
    near = table.beside(cell, cells, lifted=card)
    if misfits(table, card, player, near):
        return False
    if table.beside_any or table.own_anchor:
        is_beside = bool(near) or cell in table.outskirts
        return is_beside and (table.beside_any or is_joined(table, cells, cell, player, card))
    if cell in table.outskirts or leads_on(near, excluded):
        return True
    return cells is not table.cells and is_joined(table, cells, cell, player, card)


def spot_of(table: Phylo, card: PhyloCard | None, where: Where, cells: Occupied, excluded: Astray) -> Judgements:
    """Judge a cell for a Species; `cells` are those that are occupied, `excluded` Species that have lost their ways.

    The Species itself may still lie on one of the cells; no way leads over it. What is found out about a good spot
    need not be found out again where the Species is laid there.
    """
    cell = where[2]
    if cell in cells and (taken := free_cell.check(table, where, card, cells)) is not None:
        return ((free_cell, taken),)
    near = table.beside(cell, cells, lifted=card)
    if not near and (alone := adjacent.check(table, where, near)) is not None:
        return (free_cell, None), (adjacent, alone)
    fits: Verdict = None
    if card is None or card.text is None or misfits(table, card, where[1], near):
        fits = genome_scale.check(table, where, card, near)
    if table.beside_any:
        return (free_cell, None), (adjacent, None), (genome_scale, fits)
    joined: Verdict = None
    if table.own_anchor or (
        (excluded or table.cut_off) and cell not in table.outskirts and not leads_on(near, excluded)
    ):
        joined = connected.check(table, where, card, cells)
    if fits is None and joined is None:
        if card is not None and not table.own_anchor and not table.stacked:
            table.foreseen[card] = cell, near, excluded
        return GOOD_SPOT
    return (free_cell, None), (adjacent, None), (genome_scale, fits), (connected, joined)


def _at(cell: Cell) -> str:
    return f"[{cell[0]}, {cell[1]}]"


def nobody_knows(card: str, later: Callable[[Any], Broken | None]) -> Verdict:
    """Return the verdict on a card that is not at this table: it is unseen, or some other rule says what is wrong.

    `later` judges what an unseen one turns out to be.
    """
    if not is_unseen(card):
        return NOT_APPLICABLE
    return Undecidable(f"nobody has written down which card {card} is", card=card, later=later)


def _fits_later(table: Phylo, where: Where, near: Iterable[PhyloCard]) -> Callable[[Any], Broken | None]:
    """Return a function that judges the genome scale of a card when it is shown, beside what lies there now."""
    beside_it = [each for each in near if not table.own_only or each.controller == where[1]]
    scales = [(called(table, each.name), scale) for each in beside_it if (scale := each.scale) is not None]

    def judge(text: Any) -> Broken | None:
        mine = text.genome_scale if text is not None else None
        wrong = [] if mine is None else [(name, scale) for name, scale in scales if abs(scale - mine) > 1]
        if not wrong:
            return None
        others = joined([f"{name} beside it has {scale}" for name, scale in wrong])
        return Broken(f"{where[0]} is {text.name} with genome scale {mine}, {others}", "a difference of one at most")

    return judge


# -- a Species that is moved -------------------------------------------------------------------------------------------


Moves = Sequence[tuple[PhyloCard, Cell]]


def fits_spot(table: Phylo, card: PhyloCard, cell: Cell) -> str:
    """Return what is wrong with a cell for a Species in play that is moved there, or nothing."""
    wrong = next((verdict for _, verdict in spot_of_move(table, card, cell) if verdict is not None), "")
    return wrong.message if isinstance(wrong, Broken | Undecidable) else str(wrong)


def spots_of_moves(table: Phylo, moves: Moves) -> Judgements:
    """Judge the cells to which Species are moved: one after the other, or all at the end (ruling `move_check`)."""
    if len(moves) == 1:
        spots = spot_of_move(table, *moves[0])
    elif table.options["move_check"] == "end_state":
        spots = _spots_at_the_end(table, moves)
    else:
        spots = _spots_in_order(table, moves)
    return spots if type(spots) is AllPassed else [(each, _no_spot(verdict)) for each, verdict in spots]


def spot_of_move(table: Phylo, card: PhyloCard, cell: Cell) -> Judgements:
    """Judge the cell to which one Species is moved."""
    if table.foreseen:
        table.foreseen.clear()
    return spot_of(table, card, (card.name, card.controller, cell), table.cells, disconnected_by(card, NONE))


def _spots_in_order(table: Phylo, moves: Moves) -> Judgements:
    spots: list[Judgements] = []
    cells = dict(table.cells)
    excluded: set[PhyloCard] = set()
    table.foreseen.clear()
    for card, cell in moves:
        _take_away(cells, card)
        excluded = {*excluded, *disconnected_by(card, excluded)}
        spots.append(spot_of(table, card, (card.name, card.controller, cell), cells, excluded))
        cells.setdefault(cell, card)
        excluded.add(card)
    if spots == [GOOD_SPOT, GOOD_SPOT]:
        return GOOD_SPOTS
    table.foreseen.clear()
    return [*chain.from_iterable(spots)]


def _spots_at_the_end(table: Phylo, moves: Moves) -> Judgements:
    cells = dict(table.cells)
    excluded: set[PhyloCard] = set()
    for card, _ in moves:
        excluded |= disconnected_by(card, excluded)
        excluded.add(card)
        _take_away(cells, card)
    spots: list[Judgement] = []
    for card, cell in moves:
        others = {to: other for other, to in moves if other is not card}
        spots += spot_of(table, card, (card.name, card.controller, cell), {**cells, **others}, excluded)
    table.foreseen.clear()
    return spots


def _take_away(cells: dict[Cell, PhyloCard | None], card: PhyloCard) -> None:
    if card.place is not None and cells.get(card.place) is card:
        del cells[card.place]


def _no_spot(verdict: Verdict) -> Verdict:
    """Report a wrong spot of a move as the rule that a move needs a compatible spot."""
    wrong = Broken(verdict) if isinstance(verdict, str) else verdict
    if not isinstance(wrong, Broken):
        return wrong
    return msgspec.structs.replace(wrong, because="phylogenome.move.compatible-spot")


# -- sequencing generations --------------------------------------------------------------------------------------------


FOUR_OF_PREVIOUS: Final = WRITTEN["phylogenome.generation.four-of-previous"]


@COMPATIBILITY.rule("phylogenome.compat.generation-limit", "L51")
def generation_limit(table: Phylo, event: ev.SpeciesPlayed) -> Verdict:
    """A Species may be played up to the generation its player has reached."""
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


def _rule_of_generation(
    table: Phylo, event: ev.GenerationChanged, expected: ev.GenerationChanged | None
) -> Rule | str | RuleVerdict:
    player = table.players.get(event.player)
    if player is not None and (nameless := nameless_species(table, player.id)):
        message = f"nobody has written down of which generation {nameless} is, which faces {player.name}"
        return RuleVerdict(FOUR_OF_PREVIOUS, Undecidable(message))
    if expected is not None:
        return mismatches.rule_behind(table, expected)
    if player is not None and event.to == player.generation:
        message = f"{player.name} has had generation {event.to} since an earlier line"
        broken = Broken(message, "generation.changed directly after the line that brought it about")
        return RuleVerdict(WRITTEN["phylogenome.generation.at-once"], broken)
    return FOUR_OF_PREVIOUS if event.to > event.from_ else "phylogenome.generation.lost-below-four"


def _behind_generation(table: Phylo, event: ev.GenerationChanged, expected: object) -> str:
    counts = "" if expected is None else f": {counts_in_words(table, table.players[event.player])}"
    return counts + by_other_rulings(table, ("generation_counts",))


CHANGED_GENERATION: Final = follows(
    ev.GenerationChanged,
    rule=_rule_of_generation,
    why=lambda table, event: generation_in_words(table, table.players[event.player]),
    behind=_behind_generation,
    adopt=adopt_total("generation", "to"),
)
