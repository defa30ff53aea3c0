"""The rules of playing an Event: what it needs, what it costs, whom it means."""

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from msgspec import UNSET

from events.games import phylogenome as ev
from projector.games.phylogenome.naming import called, not_in_hand, where_is
from projector.games.phylogenome.rules import acting
from projector.games.phylogenome.rules.doubt import known_card, may_lie_in
from projector.games.phylogenome.rules.luck import deck_has_enough
from projector.games.phylogenome.rules.spots import fits_spot
from projector.games.phylogenome.state import TABLEAU, Phylo, PhyloCard, in_play, is_event, is_species
from projector.kit.common_rules import is_unknown
from projector.kit.seating import zone_of
from projector.model.amounts import how_many
from projector.model.phrases import name_of
from projector.model.rules import (
    NOT_APPLICABLE,
    AllPassed,
    Broken,
    Judgement,
    Verdict,
    all_passed,
    group_check,
    judgement_of,
    rule,
    stop,
)


@rule(
    "phylogenome.event.requirement",
    "Event card",
    "L30",
    "What an Event asks for (Species facing you, a card of your hand) must be there and be paid.",
)
def requirement(table: Phylo, event: ev.EventPlayed) -> Verdict:
    """Enough Species face the player, and as many hand cards are paid as the Event asks for."""
    card = table.find(event.card)
    if card is None or card.text is None:
        return NOT_APPLICABLE
    says = card.text.says
    paid = () if event.paid is UNSET else event.paid
    player = table.players[event.player]
    if player.species < says.species:
        message = f"{card.text.name} needs {says.species} Species facing {player.name}, there are {player.species}"
        return Broken(message, f"{says.species} Species")
    if len(paid) != says.pays or (paid and len(set(paid)) != len(paid)):
        number = how_many(len(set(paid)), "card") if paid else "no card"
        return Broken(f"{card.text.name} is paid with {number} of the hand", how_many(says.pays, "card"))
    for name in paid:
        if name == event.card:
            return f"{card.text.name} is paid with itself"
        if not may_lie_in(table, name, table.hands[player.id]):
            return f"a card is paid that cannot be: {not_in_hand(table, name, player.id)}"
    return None


@rule("phylogenome.event.target", "Event card", "L30 L81", "Targets satisfy the card.")
def target(table: Phylo, event: ev.EventPlayed) -> Verdict:
    """Target and cell are what the card asks for; without a target both are absent."""
    card = table.find(event.card)
    if card is None or card.text is None:
        return NOT_APPLICABLE
    moves = card.text.says.moves
    if (event.cell is UNSET) == moves:
        without = "without the cell to which it moves a Species" if moves else "with a cell, but moves no Species"
        return Broken(f"{card.text.name} is played {without}", "a cell" if moves else "no cell")
    wrong = _wrong_target(table, event, card)
    if wrong:
        return Broken(wrong, _wanted(table, event.player, card))
    if event.cell is UNSET or event.target is UNSET or is_unknown(table, event.target):
        return None
    wrong = fits_spot(table, table.card(event.target), event.cell)
    return f"{called(table, event.target)} is moved to no compatible spot: {wrong}" if wrong else None


PLAYED: Final = all_passed(
    acting.active_player,
    known_card,
    acting.plays_event,
    acting.three_actions,
    acting.one_event,
    acting.used_once,
    acting.from_hand,
)
"""What there is to say about most Events that are played, before one looks at what they need."""
WELL_PLAYED: Final = AllPassed((*PLAYED, (requirement, None), (target, None)))


def plays_well(table: Phylo, event: ev.EventPlayed) -> AllPassed | None:
    """Return what is kept where nothing is wrong with an Event that is played, nor with what it needs."""
    card = table.cards.get(event.card)
    player = table.players[event.player]
    if (
        card is None
        or table.active != player.id
        or player.actions <= 0
        or table.event_played
        or card.zone is not table.hands[player.id]
        or not is_event(card)
        or requirement(table, event) is not None
        or target(table, event) is not None
        or deck_has_enough(table, event) is not NOT_APPLICABLE
    ):
        return None
    return WELL_PLAYED


def judge_at_hand(table: Phylo, event: ev.EventPlayed) -> Iterator[Judgement]:
    """Judge where an Event comes from: one that has been used is in no hand."""
    used = judgement_of(acting.used_once, table, event)
    yield used
    if used[1] is None:
        yield judgement_of(acting.from_hand, table, event)


OF_AN_EVENT: Final = (
    acting.TURN,
    known_card,
    stop(acting.plays_event),
    acting.three_actions,
    acting.one_event,
    group_check(judge_at_hand),
    requirement,
    target,
    deck_has_enough,
)


def _wanted(table: Phylo, player: str, card: PhyloCard) -> str:
    """Return which target a card asks for."""
    says = card.text.says
    mine, theirs = name_of(table, player), name_of(table, table.players[player].opponent)
    faces = {"self": f" that faces {mine}", "opponent": f" that faces {theirs}"}.get(says.facing, "")
    kinds = {
        "none": "no target",
        "species": f"a Species in play{faces}",
        "event_in_play": "an Event in play",
        "card": f"a Species in the discard pile of {mine}",
    }
    return kinds[says.target]


FITTING: Final[Mapping[str, Callable[[Phylo, PhyloCard, str], bool]]] = {
    "species": lambda _table, card, _player: card.zone.name == TABLEAU,
    "event_in_play": lambda _table, card, _player: is_event(card) and card.zone.name != TABLEAU and in_play(card),
    "card": lambda table, card, player: is_species(card) and card.zone is zone_of(table, "discard", player),
}
"""Whether a card may be a target of each kind."""


def _wrong_target(table: Phylo, event: ev.EventPlayed, card: PhyloCard) -> str:
    """Return what is wrong with a target, or nothing."""
    says = card.text.says
    if event.target is UNSET or says.target == "none":
        with_or_without = "without" if event.target is UNSET else "with"
        wrong = (event.target is UNSET) == (says.target != "none")
        return f"{card.text.name} is played {with_or_without} a target" if wrong else ""
    name = event.target
    found = table.find(name)
    if found is None:
        return "" if is_unknown(table, name) else f"{called(table, name)} is not at this table"
    if not FITTING[says.target](table, found, event.player):
        kind = "a Species" if is_species(found) else "an Event"
        where = where_is(table, name).removeprefix("it ")
        return f"the target of {card.text.name}, {called(table, name)}, is {kind} and {where}"
    if says.target == "species" and says.facing != "any":
        faces = found.controller == event.player
        if faces != (says.facing == "self"):
            return f"the target of {card.text.name}, {called(table, name)}, faces {name_of(table, found.controller)}"
    return ""
