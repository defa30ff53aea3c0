"""The rules of playing an Event: what it needs, what it costs, whom it means."""

from typing import Final

from msgspec import UNSET

from events.games import phylogenome as ev
from projector.games.phylogenome.rules.acting import (
    active_player,
    from_hand,
    one_event,
    plays_event,
    three_actions,
    used_once,
)
from projector.games.phylogenome.rules.in_order import Judgements, check_in_order
from projector.games.phylogenome.rules.preparing import known_card
from projector.games.phylogenome.rules.spots import fits_spot
from projector.games.phylogenome.state import (
    BENEATH,
    TABLEAU,
    Phylo,
    PhyloCard,
    is_event,
    is_species,
    name_of,
    named,
    title_of,
    zone_of,
)
from projector.model.rules import NOT_APPLICABLE, AllPassed, Broken, Undecidable, Verdict, all_passed, rule, stop


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
    if len(paid) != says.pays or len(set(paid)) != len(paid):
        return Broken(f"{card.text.name} is paid with {len(paid)} card(s)", f"{says.pays} different hand card(s)")
    if not paid:
        return None
    hand = zone_of(table, "hand", event.player)
    for name in paid:
        if name == event.card or not table.may_be_in(name, hand):
            return f"{named(table, name)}, which is paid, is not in the hand of {player.name}"
    return None


@rule("phylogenome.event.target", "Event card", "L30 L81", "Targets satisfy the card.")
def target(table: Phylo, event: ev.EventPlayed) -> Verdict:
    """Target and cell are what the card asks for; without a target both are absent."""
    card = table.find(event.card)
    if card is None or card.text is None:
        return NOT_APPLICABLE
    says = card.text.says
    moves = says.moves
    if (event.cell is UNSET) == moves:
        return f"{card.text.name} {'needs a cell' if moves else 'has no cell'}"
    if says.target == "none":
        return None if event.target is UNSET else f"{card.text.name} has no target"
    if event.target is UNSET:
        return f"{card.text.name} needs a target"
    wrong = _wrong_target(table, event, card)
    if wrong or not moves or event.cell is UNSET:
        return wrong or None
    wrong = fits_spot(table, table.card(event.target), event.cell)
    return f"{named(table, event.target)} is moved to no compatible spot: {wrong}" if wrong else None


PLAYED: Final = all_passed(active_player, known_card, plays_event, three_actions, one_event, used_once, from_hand)
"""What there is to say about most Events that are played, before one looks at what they need."""
WELL_PLAYED: Final = AllPassed((*PLAYED, (requirement, None), (target, None)))
OF_AN_EVENT: Final = (active_player, stop(known_card), stop(plays_event), three_actions, one_event)


def judge_event(table: Phylo, event: ev.EventPlayed) -> Judgements:
    """Judge an Event that is played; where nothing can be wrong with the card that takes one look."""
    card = table.cards.get(event.card)
    player = table.players[event.player]
    found: Judgements = PLAYED
    if (
        card is None
        or table.active != player.id
        or player.actions <= 0
        or table.event_played
        or card.zone is not table.hands[player.id]
        or not is_event(card)
    ):
        found, goes_on = check_in_order(OF_AN_EVENT, table, event)
        if not goes_on:
            return found
        used = used_once(table, event)
        found = *found, (used_once, used)
        if used is None:
            found = *found, (from_hand, from_hand(table, event))
    needs, aim = requirement(table, event), target(table, event)
    if found is PLAYED and needs is None and aim is None:
        return WELL_PLAYED
    return *found, (requirement, needs), (target, aim)


def _wrong_target(table: Phylo, event: ev.EventPlayed, card: PhyloCard) -> str:
    """Return what is wrong with a target, or nothing."""
    says = card.text.says
    name = str(event.target)
    found = table.find(name)
    if found is None:
        return f"{named(table, name)} is not at this table"
    if says.target == "event_in_play":
        lies = found.zone.name == BENEATH or found.zone.name[:6] == "table:"
        return "" if lies and is_event(found) else f"{title_of(found)} is no Event in play"
    if says.target == "card":
        own = found.zone is zone_of(table, "discard", event.player)
        whose = name_of(table, event.player)
        return "" if own and is_species(found) else f"{title_of(found)} is no Species in the discard pile of {whose}"
    if found.zone.name != TABLEAU:
        return f"{title_of(found)} is no Species in play"
    if says.facing != "any" and (found.controller == event.player) != (says.facing == "self"):
        whom = "its player" if says.facing == "self" else "the opponent"
        return f"{card.text.name} needs a Species that faces {whom}; {title_of(found)} does not"
    return ""


def only_people_can_tell(table: Phylo, card: str) -> Undecidable:
    """Return the verdict on what follows from an Event whose text is written for people only."""
    return Undecidable(f"{named(table, card)} does what only people can tell, so nobody can check what follows")
