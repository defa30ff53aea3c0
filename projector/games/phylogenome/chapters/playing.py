"""Playing a Species: from the hand to a cell, facing its player."""

from collections.abc import Iterator
from typing import Final

import msgspec

from tabletape.events.games import phylogenome as ev
from tabletape.events.vocabulary import Event
from tabletape.projector.games.phylogenome import effects, tableau
from tabletape.projector.games.phylogenome.chapters import COMPATIBILITY, compatibility
from tabletape.projector.games.phylogenome.chapters.cards import from_hand, known_card, named_hand, plays_species
from tabletape.projector.games.phylogenome.chapters.turns import TURN, act, active_player, three_actions
from tabletape.projector.games.phylogenome.playable import is_of_generation, licence_for, playable, spots_now
from tabletape.projector.games.phylogenome.state import EVENT, SPECIES, TABLEAU, Phylo
from tabletape.projector.games.phylogenome.ways import NONE
from tabletape.projector.kit.moves import move
from tabletape.projector.model.rules import all_passed, case, group_check, stop, usually
from tabletape.projector.model.verdicts import NOT_APPLICABLE, AllPassed, Broken, Verdict


@case(three_actions)
def action_for_species(table: Phylo, event: ev.SpeciesPlayed) -> Verdict:
    """An action is left for the Species."""
    verdict: Verdict = three_actions(table, event)
    if isinstance(verdict, Broken):
        return msgspec.structs.replace(verdict, because="phylogenome.compat.action-left")
    return verdict


@COMPATIBILITY.rule("phylogenome.compat.event-forbids", "L53")
def not_forbidden(table: Phylo, event: ev.SpeciesPlayed) -> Verdict:
    """No Event may be forbidding it."""
    player = table.players[event.player]
    if not player.forbidden_until or table.active != event.player:
        return NOT_APPLICABLE
    if table.turn <= player.forbidden_until:
        return f"an Event forbids {player.name} to play Species in this turn"
    return None


PLAY_KEPT: Final = all_passed(
    active_player, known_card, plays_species, three_actions, from_hand, compatibility.generation_limit
)
"""What there is to say about most Species that are played, before one looks at the cell."""
PLAYED_AGAIN: Final = AllPassed((*PLAY_KEPT[:-1], (not_forbidden, None), PLAY_KEPT[-1]))
"""The same of a player who was forbidden to play Species in an earlier turn."""
WELL_PLAYED: Final = {each: AllPassed((*each, *compatibility.GOOD_SPOT)) for each in (PLAY_KEPT, PLAYED_AGAIN)}


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
        and compatibility.spot_of(table, card, where, table.cells, NONE) is compatibility.GOOD_SPOT
    ):
        return WELL_PLAYED[PLAYED_AGAIN if player.forbidden_until else PLAY_KEPT]
    return None


def judge_cell(table: Phylo, event: ev.SpeciesPlayed) -> compatibility.Judgements:
    """Judge the cell on which a Species is played."""
    table.foreseen.clear()
    card = table.find(event.card)
    spot = compatibility.spot_of(table, card, (event.card, event.player, event.cell), table.cells, NONE)
    if card is not None and card.zone.name == TABLEAU:
        table.foreseen.clear()  # It is not lifted from its cell to be laid on this one.
    return spot


def offer_plays(table: Phylo, player: str) -> Iterator[Event]:
    """Yield each Species of the hand on each cell that fits."""
    spots = spots_now(table, player)
    for card in playable(table, player, named_hand(table, player)):
        for cell in spots[card.scale]:
            yield ev.SpeciesPlayed(player=player, card=card.name, cell=cell)


@move(
    ev.SpeciesPlayed,
    usually(
        plays_well,
        *(TURN, known_card, stop(plays_species), action_for_species, from_hand),
        *(not_forbidden, compatibility.generation_limit, group_check(judge_cell)),
    ),
    offers=offer_plays,
)
def species_played(table: Phylo, event: ev.SpeciesPlayed) -> None:
    """Lay a Species on a cell, facing its player; one generation too high uses a licence up."""
    player = event.player
    act(table, player)
    hand = table.hands[player]
    card = table.cards.get(event.card)
    if card is None or card.zone is not hand:
        card = table.take(event.card, hand)
    if card.text is not None and card.text.kind == EVENT:
        return
    if card.zone is not hand and card.in_play:
        tableau.relocate(table, card, event.cell)
        return
    mine = table.players[player]
    licence = licence_for(table, card, player)
    tableau.lay(table, card, player, event.cell)
    table.applied += "phylogenome.play.faces-player", "phylogenome.compat.action-left"
    if mine.highest > mine.generation:
        table.applied.append("phylogenome.generation.limit-after-loss")
    if licence is not None:
        table.count(licence, "used", 1)
        if licence.used >= licence.text.says.bonus.uses:
            effects.discard(table, licence, player, "used")
