"""The rules that a written consequence can break: what the log says follows, against what the rules make of it."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from events.games import phylogenome as ev
from events.vocabulary import Consequence, fields_of
from projector.games.phylogenome.rules.acting import active_player, one_from_hand
from projector.games.phylogenome.rules.carried_out import (
    AT_ONCE,
    AWARD_RULES,
    BENEATH_STAYS,
    COMPARISON,
    DEPLETED,
    DISCARD_UNFIXED,
    END_DISCARDS,
    ENDS,
    EQUAL_POINTS,
    EVENT_PILE,
    FALLS_TO_FIRST,
    FOUR_OF_PREVIOUS,
    LONGEST_CHAIN,
    LOST_BELOW_FOUR,
    MOMENTARY,
    MOST_POINTS,
    ON_TOP_ONCE,
    POINTS_BENEATH,
    POINTS_SPECIES,
    POINTS_TECHNOLOGY,
    REGAINED,
    SIDE_BY_SIDE,
    SPECIES_PILE,
    SPECIES_STAY,
    STARTS_AT_ONE,
    TABLE_STAYS,
    TRAVELS,
    UNTIL_NEXT_TURN,
)
from projector.games.phylogenome.rules.events import only_people_can_tell, requirement
from projector.games.phylogenome.rules.luck import AS_DECLARED, START_ABILITIES
from projector.games.phylogenome.rules.preparing import nothing_after_end
from projector.games.phylogenome.state import (
    BENEATH,
    OVER,
    TABLEAU,
    Phylo,
    PhyloCard,
    is_species,
    name_of,
    named,
    zone_of,
)
from projector.model.game import RuleVerdict
from projector.model.phrases import event_in_words, name_in_words
from projector.model.rules import Broken, Rule, Undecidable


def explain_mismatch(table: Phylo, event: Any, expected: Any) -> RuleVerdict:
    """Say which rule a written consequence breaks; `expected` is what the rules derive in its place, or None."""
    if expected is None:
        if table.phase == OVER:
            because = "phylogenome.end.events-ignored" if table.reason == "points" and _cards_left(table) else ""
            return RuleVerdict(nothing_after_end, nothing_after_end(table, event), because=because)
        if table.manual:
            return RuleVerdict(AS_DECLARED, only_people_can_tell(table, table.manual))
    ruled = JUDGES[type(event)](table, event, expected)
    return RuleVerdict(*ruled) if isinstance(ruled, tuple) else RuleVerdict(ruled, _broken(table, event, expected))


def _cards_left(table: Phylo) -> bool:
    return any(zone_of(table, kind, player).size for player in table.players for kind in ("hand", "deck"))


def _broken(table: Phylo, event: Consequence, expected: Consequence | None) -> Broken:
    """Return what the log says beside what the rules derive: of a line with many fields only what differs."""
    if expected is None:
        return Broken(f"the log says {event_in_words(table, event)}; nothing brings it about", "no such line")
    if not isinstance(event, ev.PointsCounted):
        return Broken(f"the log says {event_in_words(table, event)}", event_in_words(table, expected))
    names = [
        field.name for field in fields_of(type(event)) if getattr(event, field.name) != getattr(expected, field.name)
    ]
    says, due = (
        ", ".join(f"{name} {name_in_words(table, getattr(each, name))}" for name in names) for each in (event, expected)
    )
    return Broken(f"the points of {name_of(table, event.player)} are counted with {says}", due)


GroupCheck = Rule | tuple[Any, ...]


# -- the set-up and the turn -------------------------------------------------------------------------------------------


def _progress_placed(table: Phylo, event: ev.ProgressPlaced, expected: Any) -> GroupCheck:
    return STARTS_AT_ONE if expected is not None and event.generation != 1 else SIDE_BY_SIDE


def _turn_started(table: Phylo, event: ev.TurnStarted, expected: Any) -> GroupCheck:
    return active_player


def _ability_triggered(table: Phylo, event: ev.AbilityTriggered, expected: Any) -> GroupCheck:
    return START_ABILITIES


def _as_declared(table: Phylo, event: Any, expected: Any) -> GroupCheck:
    return AS_DECLARED


# -- discards ----------------------------------------------------------------------------------------------------------


def _card_discarded(table: Phylo, event: ev.CardDiscarded, expected: ev.CardDiscarded | None) -> GroupCheck:
    card = table.find(event.card)
    if expected is not None:
        if event.pile != expected.pile:
            return SPECIES_PILE if is_species(card) else EVENT_PILE
        return _by_reason(table, card, expected.reason)
    if card is not None and event.reason in {"disconnected", "incompatible"}:
        return _untimely(table, card, event)
    if card is not None and event.reason == "host-left" and card.host:
        host = table.find(card.host)
        moved = host is not None and host.changed > table.changes - 2
        if moved:
            return TRAVELS, _broken(table, event, None), True, "phylogenome.move.carries-events"
    if card is not None and event.reason == "effect" and card.zone.name == TABLEAU and card.text is not None:
        player = table.players.get(card.controller)
        if player is not None and card.text.sequencing_generation > player.generation:
            return SPECIES_STAY
    return _by_reason(table, card, event.reason)


def _by_reason(table: Phylo, card: PhyloCard | None, reason: str) -> Rule:
    """Return the rule about discarding a card for a reason."""
    if reason in BY_REASON:
        return BY_REASON[reason]
    zone = card.zone.name if card is not None else ""
    if zone == BENEATH or reason == "host-left":
        return BENEATH_STAYS
    if zone[:6] == "table:":
        return TABLE_STAYS
    if reason == "resolved":
        mode = card.text.says.mode if card is not None and card.text is not None else ""
        return ON_TOP_ONCE if mode == "on_top" else MOMENTARY
    return AS_DECLARED


BY_REASON: Final[Mapping[str, Rule]] = {
    "cycled": one_from_hand,
    "paid": requirement,
    "disconnected": DISCARD_UNFIXED,
    "incompatible": DISCARD_UNFIXED,
}


def _untimely(table: Phylo, card: PhyloCard, event: ev.CardDiscarded) -> GroupCheck:
    """Return the rule against discarding a Species that is not broken, still has time, or not at the end of a turn."""
    if not (card.cut_off or card.clashing):
        return DISCARD_UNFIXED, f"{named(table, event.card)} is discarded although it is {_sound(event.reason)}"
    at_the_end = any(isinstance(each.event, ev.TurnStarted) for each in table.derived)
    if not at_the_end:
        return END_DISCARDS, f"{named(table, event.card)} is discarded in the middle of a turn"
    whose = name_of(table, card.controller)
    return UNTIL_NEXT_TURN, f"{named(table, event.card)} is discarded although {whose} still has time to repair"


def _sound(reason: str) -> str:
    return "connected" if reason == "disconnected" else "compatible with its neighbours"


# -- repairs and generations -------------------------------------------------------------------------------------------


def _inconsistency(table: Phylo, event: Any, expected: Any) -> GroupCheck:
    return UNTIL_NEXT_TURN


def _generation_changed(table: Phylo, event: ev.GenerationChanged, expected: ev.GenerationChanged | None) -> GroupCheck:
    player = table.players.get(event.player)
    if expected is not None:
        rule = next(each.rule for each in table.derived if each.event is expected)
        return next(each for each in CHANGES if each.id == rule)
    if player is not None and event.to == player.generation:
        message = f"{player.name} has had generation {event.to} since an earlier line"
        return AT_ONCE, Broken(message, "generation.changed directly after the line that brought it about")
    return FOUR_OF_PREVIOUS if event.to > event.from_ else LOST_BELOW_FOUR


CHANGES: Final = (FOUR_OF_PREVIOUS, LOST_BELOW_FOUR, FALLS_TO_FIRST, REGAINED)


# -- points and the end ------------------------------------------------------------------------------------------------


def _points_counted(table: Phylo, event: ev.PointsCounted, expected: ev.PointsCounted | None) -> GroupCheck:
    if expected is None:
        return _not_over(table, event)
    if event.chain != expected.chain:
        return LONGEST_CHAIN
    if event.awards != expected.awards:
        differing = set(event.awards) ^ set(expected.awards)
        return next((rule for award, rule in AWARD_RULES.items() if award in differing), COMPARISON)
    if event.species != expected.species:
        return POINTS_BENEATH if event.species == _printed(table, event.player) else POINTS_SPECIES
    if event.technology != expected.technology:
        return POINTS_TECHNOLOGY
    return COMPARISON if event.special != expected.special else MOST_POINTS


def _printed(table: Phylo, player: str) -> int:
    """Return the printed points of the Species facing a player, without what lies beneath them."""
    cards = table.zones[TABLEAU].cards
    return sum(card.text.points for card in cards if card.controller == player and is_species(card))


def _not_over(table: Phylo, event: Any) -> GroupCheck:
    """Return what is wrong with an end that the rules do not derive: it is none, or hidden cards decide."""
    discarded = (card for player in table.players for card in zone_of(table, "discard", player).cards)
    if any(card.text is None for card in discarded) or not all(player.listed for player in table.players.values()):
        hidden = "cards that nobody has named decide whether both players have used up their Species"
        return DEPLETED, Undecidable(hidden)
    return DEPLETED


def _game_ended(table: Phylo, event: ev.GameEnded, expected: ev.GameEnded | None) -> GroupCheck:
    if expected is None:
        return _not_over(table, event) if event.reason == "points" else ENDS[event.reason]
    if event.reason != expected.reason or expected.reason != "points":
        return ENDS[expected.reason]
    return MOST_POINTS if expected.winner is not None else EQUAL_POINTS


JUDGES: Final[Mapping[type[Consequence], Callable[[Phylo, Any, Any], GroupCheck]]] = {
    ev.ProgressPlaced: _progress_placed,
    ev.TurnStarted: _turn_started,
    ev.AbilityTriggered: _ability_triggered,
    ev.CardDiscarded: _card_discarded,
    ev.CardRecovered: _as_declared,
    ev.SpeciesRelocated: _as_declared,
    ev.PlayForbidden: _as_declared,
    ev.InconsistencyArisen: _inconsistency,
    ev.InconsistencyFixed: _inconsistency,
    ev.GenerationChanged: _generation_changed,
    ev.PointsCounted: _points_counted,
    ev.GameEnded: _game_ended,
}
