"""The rules that a written consequence can break: what the log says follows, against what the rules make of it."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from events.games import phylogenome as ev
from events.vocabulary import Consequence, fields_of
from projector.games.phylogenome.rules.acting import active_player, one_from_hand
from projector.games.phylogenome.rules.events import only_people_can_tell, requirement
from projector.games.phylogenome.rules.luck import AS_DECLARED, START_ABILITIES
from projector.games.phylogenome.rules.preparing import nothing_after_end
from projector.games.phylogenome.scoring import AWARDS
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


def _declare(id: str, section: str, lines: str, text: str) -> Rule:  # noqa: A002 - the rulebook's word for it
    return Rule(id=f"phylogenome.{id}", section=section, lines=lines, text=text)


SIDE_BY_SIDE: Final = _declare(
    "setup.progress-side-by-side",
    "Preparation",
    "L34 L67",
    "Each player starts with a first-generation progress card in play; the two cards lie next to each other.",
)
STARTS_AT_ONE: Final = _declare(
    "generation.starts-at-one", "Generation progress", "L34", "Everybody starts at sequencing generation 1."
)
SPECIES_PILE: Final = _declare(
    "discard.species-pile",
    "Species card",
    "L19",
    "A discarded Species goes to the pile of the player it was facing.",
)
EVENT_PILE: Final = _declare(
    "discard.event-pile",
    "Event card",
    "L30",
    "A discarded Event goes to the pile of whoever played it, wherever it lay.",
)
BENEATH_STAYS: Final = _declare(
    "event.beneath-stays",
    "Event card",
    "L25",
    "An Event beneath a Species acts until that Species is discarded; then it is discarded too.",
)
TRAVELS: Final = _declare("event.travels-with-host", "Event card", "L25", "An Event beneath a Species moves with it.")
ON_TOP_ONCE: Final = _declare(
    "event.on-top-once", "Event card", "L26", "An Event on top of a Species acts at once and is discarded."
)
TABLE_STAYS: Final = _declare(
    "event.table-stays", "Event card", "L27", "An Event on the table acts all the time until it is discarded."
)
MOMENTARY: Final = _declare("event.momentary", "Event card", "L28", "Other Events act once and are discarded.")
FOUR_OF_PREVIOUS: Final = _declare(
    "generation.four-of-previous",
    "Generation progress",
    "L34 L40",
    "The next generation is reached with at least four Species of the one before facing you.",
)
AT_ONCE: Final = _declare(
    "generation.at-once", "Generation progress", "L34 L40", "The progress card is added at the very moment."
)
LOST_BELOW_FOUR: Final = _declare(
    "generation.lost-below-four",
    "Sequencing generations",
    "L34 L42",
    "With three or fewer Species of the lower generation the advancement is lost.",
)
SPECIES_STAY: Final = _declare(
    "generation.species-stay",
    "Sequencing generations",
    "L42",
    "Species of a generation that was lost stay in play.",
)
FALLS_TO_FIRST: Final = _declare(
    "generation.falls-to-first",
    "Sequencing generations",
    "L44",
    "Whoever has generation 3 and drops below four first-generation Species falls back to generation 1.",
)
REGAINED: Final = _declare(
    "generation.regained-at-once",
    "Sequencing generations",
    "L44",
    "With four first-generation Species again and still four of the second, generation 3 is reached at once.",
)
END_DISCARDS: Final = _declare(
    "turn.end-discards",
    "The game begins",
    "L82",
    "At the end of the turn Species in bad spots are discarded (after the time to repair, ruling grace).",
)
UNTIL_NEXT_TURN: Final = _declare(
    "fix.until-end-of-next-turn",
    "Addressing inconsistencies",
    "L57",
    "There is time to repair until the end of the next own turn.",
)
DISCARD_UNFIXED: Final = _declare(
    "fix.discard-unfixed",
    "Addressing inconsistencies",
    "L57 L82",
    "What is still cut off or incompatible then is discarded.",
)
DEPLETED: Final = _declare(
    "end.species-depleted",
    "The game ends",
    "L86",
    "The game ends when both players have used up their Species.",
)
POINTS_SPECIES: Final = _declare(
    "points.species", "Counting points", "L92", "Add up the points of all Species facing you."
)
POINTS_BENEATH: Final = _declare(
    "points.events-beneath", "Counting points", "L92", "Events beneath a Species change its points."
)
POINTS_TECHNOLOGY: Final = _declare(
    "points.technology", "Counting points", "L93", "Species of generation 1, 2, 3 give 1, 2, 3 points."
)
COMPARISON: Final = _declare(
    "points.special-by-comparison",
    "Counting points",
    "L94",
    "Special points go to the better one of the two players.",
)
LONGEST_CHAIN: Final = _declare(
    "points.longest-chain",
    "Counting points",
    "L95",
    "15 points: the longest chain of Species in order of publication, longer than five.",
)
INTEREST_AREAS: Final = _declare(
    "points.interest-areas", "Counting points", "L96", "8 points: the most genomic interest areas."
)
OLDEST: Final = _declare(
    "points.oldest-publication", "Counting points", "L97", "2 points: the oldest publication date."
)
LARGEST: Final = _declare("points.largest-genome", "Counting points", "L98", "2 points: the largest genome.")
MOST_GENES: Final = _declare("points.most-genes", "Counting points", "L99", "2 points: the most protein-coding genes.")
MOST_CHROMOSOMES: Final = _declare(
    "points.most-chromosomes", "Counting points", "L100", "2 points: the most different chromosomes."
)
MOST_POINTS: Final = _declare("win.most-points", "Counting points", "L11 L90", "The most points win.")
EQUAL_POINTS: Final = _declare(
    "win.equal-points", "Outside the rulebook", "", "Equal totals are not covered: ruling final_tie."
)
CONCESSION: Final = _declare(
    "end.concession", "Outside the rulebook", "", "A player may give up; the other one wins (outside the rulebook)."
)
ABANDONED: Final = _declare(
    "end.abandoned", "Outside the rulebook", "", "A game that the table stops has no winner (outside the rulebook)."
)

AWARD_RULES: Final[Mapping[str, Rule]] = dict(
    zip(AWARDS, (LONGEST_CHAIN, INTEREST_AREAS, OLDEST, LARGEST, MOST_GENES, MOST_CHROMOSOMES), strict=True)
)
ENDS: Final[Mapping[str, Rule]] = {"points": DEPLETED, "concession": CONCESSION, "abandoned": ABANDONED}


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
