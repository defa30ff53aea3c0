"""The rules that a written consequence can break: what the log says follows, against what the rules make of it."""

from collections.abc import Container, Iterable, Mapping
from typing import Any, Final

from events.games import phylogenome as ev
from events.vocabulary import Consequence
from projector.games.phylogenome import turns
from projector.games.phylogenome.blaming import blamed_instead
from projector.games.phylogenome.effects import RULES as RULES_OF_DISCARDS
from projector.games.phylogenome.naming import called, where_is
from projector.games.phylogenome.rules import carried_out
from projector.games.phylogenome.rules.acting import active_player, has_just_begun, one_from_hand
from projector.games.phylogenome.rules.doubt import doubt_of_totals, nameless_species
from projector.games.phylogenome.rules.events import requirement
from projector.games.phylogenome.rules.luck import start_abilities
from projector.games.phylogenome.rules.reasons import WHY_NOT, of_points, resting_on
from projector.games.phylogenome.rules.setup import nothing_after_end, two_players
from projector.games.phylogenome.scoring import CHAIN, lacking
from projector.games.phylogenome.state import BENEATH, TABLEAU, Phylo, PhyloCard, is_species
from projector.games.phylogenome.tableau import CLASHING, FIELDS
from projector.kit.mismatches import Mismatches, RuleOf, rule_behind
from projector.kit.seating import zone_of
from projector.model.game import RuleVerdict
from projector.model.phrases import by_ruling, name_of
from projector.model.rules import Broken, Rule, Undecidable

Ruled = Rule | RuleVerdict

LATE: Final[Mapping[type[Consequence], Rule]] = {
    ev.GenerationChanged: carried_out.AT_ONCE,
    ev.InconsistencyArisen: carried_out.UNTIL_NEXT_TURN,
    ev.InconsistencyFixed: carried_out.UNTIL_NEXT_TURN,
}
"""What the discards that end a turn bring about, which may be written after it although they stand before its end."""


def explain_mismatch(table: Phylo, event: Any, expected: Any) -> RuleVerdict:
    """Return which rule a written consequence breaks; `expected` is what the rules derive in its place, or None."""
    if expected is None and type(event) in LATE and (has_just_begun(table) or table.over) and _is_so(table, event):
        return RuleVerdict(LATE[type(event)], None)
    return MISMATCHES.explain(table, event, expected)


def _because(table: Phylo, event: Any, expected: Any) -> str:
    """Return the derived rule that a line contradicts after an end by points, with cards left to play."""
    kinds = ("hand", "deck")
    left = any(zone_of(table, kind, player).size for player in table.players for kind in kinds)
    return "phylogenome.end.events-ignored" if table.reason == "points" and left and expected is None else ""


def _progress_placed(table: Phylo, event: ev.ProgressPlaced, expected: Any) -> Ruled:
    return carried_out.STARTS_AT_ONE if expected is not None and event.generation != 1 else carried_out.SIDE_BY_SIDE


# -- discards ----------------------------------------------------------------------------------------------------------


def _card_discarded(table: Phylo, event: ev.CardDiscarded, expected: ev.CardDiscarded | None) -> Ruled:
    card = table.find(event.card)
    if expected is not None:
        return _otherwise_discarded(table, event, expected)
    if card is not None and event.reason in FIELDS:
        return _untimely(table, card, event)
    if card is not None and event.reason == "host-left" and card.host:
        host = table.find(card.host)
        if host is not None and host.changed > table.changes - 2:
            message = f"{called(table, card.name)} is discarded although {called(table, host.name)} was only moved"
            broken = Broken(message, "it moves along")
            return RuleVerdict(carried_out.TRAVELS, broken, because="phylogenome.move.carries-events")
    if card is not None and event.reason == "effect" and card.zone.name == TABLEAU and card.text is not None:
        player = table.players.get(card.controller)
        if player is not None and card.text.sequencing_generation > player.generation:
            message = f"{called(table, card.name)} is discarded, but nothing but its lost generation is wrong with it"
            stays = f"it stays in play; {player.name} has generation {player.generation}"
            return RuleVerdict(carried_out.SPECIES_STAY, Broken(message, stays))
    return _by_reason(table, card, event.reason)


def _otherwise_discarded(table: Phylo, event: ev.CardDiscarded, expected: ev.CardDiscarded) -> Ruled:
    """Return the rule about the pile or the reason of a discard; where a paid card goes is a ruling."""
    card = table.find(event.card)
    if event.pile == expected.pile:
        return _by_reason(table, card, expected.reason)
    rule = carried_out.SPECIES_PILE if is_species(card) else carried_out.EVENT_PILE
    is_free = table.options["paid_card_pile"] == "any_pile" and event.pile in table.players
    return RuleVerdict(rule, None) if is_free and expected.reason == event.reason == "paid" else rule


def _by_reason(table: Phylo, card: PhyloCard | None, reason: str) -> Rule:
    """Return the rule about discarding a card for a reason."""
    zone = card.zone.name if card is not None else ""
    if reason in {"effect", "used", "resolved"} and zone == BENEATH:
        return carried_out.BENEATH_STAYS
    if reason in {"effect", "used", "resolved"} and zone[:6] == "table:":
        return carried_out.TABLE_STAYS
    if reason == "resolved":
        mode = card.text.says.mode if card is not None and card.text is not None else ""
        return carried_out.ON_TOP_ONCE if mode == "on_top" else carried_out.MOMENTARY
    return BY_ID[RULES_OF_DISCARDS[reason]]


BY_ID: Final[Mapping[str, Rule]] = {
    rule.id: rule for rule in (one_from_hand, requirement, *vars(carried_out).values()) if isinstance(rule, Rule)
}


def _untimely(table: Phylo, card: PhyloCard, event: ev.CardDiscarded) -> Ruled:
    """Return the rule against discarding a Species that is not broken or has time; one in time is discarded rightly.

    Step 4 of the turn may be written down before the line that says that the turn has ended.
    """
    name, by = called(table, event.card), by_ruling(table, "grace")
    others = blamed_instead(table, card) if event.reason == CLASHING else []
    if any(turns.is_timely(table, each, event) for each in others):
        return RuleVerdict(carried_out.END_DISCARDS, None)
    if not others and _is_written_too_late(table, event):
        message = f"nobody has written down before the end of the turn that {name} is the one to be discarded"
        by_blame = by_ruling(table, "incompatible_blame")
        return RuleVerdict(carried_out.DISCARD_UNFIXED, Undecidable(f"{message} ({by_blame})"))
    if not (card.cut_off or card.clashing or others):
        sound = "connected" if event.reason == "disconnected" else "compatible with its neighbours"
        why = f"although it is {sound}" if card.zone.name == TABLEAU else f"but {where_is(table, card.name)}"
        return RuleVerdict(carried_out.DISCARD_UNFIXED, f"{name} is discarded, {why}")
    if turns.is_timely(table, card, event):
        return RuleVerdict(carried_out.END_DISCARDS, None)
    whose = name_of(table, card.controller)
    message = f"{name} is discarded although {whose} still has time to repair ({by})"
    deadline = DEADLINES[table.options["grace"]].format(whose)
    return RuleVerdict(carried_out.UNTIL_NEXT_TURN, Broken(message, deadline))


def _is_written_too_late(table: Phylo, event: ev.CardDiscarded) -> bool:
    """Return whether another Species has just been discarded in whose place this one may have been chosen (ruling)."""
    if table.options["incompatible_blame"] != "owner_chooses" or event.reason != CLASHING:
        return False
    discards = (each.event for each in table.derived if isinstance(each.event, ev.CardDiscarded))
    return any(each.reason == CLASHING and each.pile == event.pile for each in discards)


DEADLINES: Final = {
    "owner_next_turn": "no discard before the end of the next turn of {}",
    "strict_end_of_turn": "no discard before the end of this turn",
    "both_players_next_turn": "no discard before both players have had their next turn",
}


# -- repairs and generations -------------------------------------------------------------------------------------------


def _inconsistency(table: Phylo, event: Any, expected: Any) -> Ruled:
    """A Species that has been broken for a while may be said to be so later."""
    is_late = isinstance(event, ev.InconsistencyArisen) and _is_so(table, event)
    rule = carried_out.UNTIL_NEXT_TURN
    return RuleVerdict(rule, None) if is_late or _is_chosen(table, event) else rule


def _is_chosen(table: Phylo, event: Any) -> bool:
    """Return whether a line says which of two incompatible Species their player gives up (ruling)."""
    card = table.find(event.card)
    clashes = isinstance(event, ev.InconsistencyArisen) and event.kind == CLASHING
    return clashes and card is not None and bool(blamed_instead(table, card))


def _is_so(table: Phylo, event: Any) -> bool:
    """Return whether a line about a Species or a generation says what is so now."""
    if isinstance(event, ev.GenerationChanged):
        player = table.players.get(event.player)
        return player is not None and event.to == player.generation
    card = table.find(event.card)
    return card is not None and (getattr(card, FIELDS[event.kind]) > 0) == isinstance(event, ev.InconsistencyArisen)


def _generation_changed(table: Phylo, event: ev.GenerationChanged, expected: ev.GenerationChanged | None) -> Ruled:
    player = table.players.get(event.player)
    if player is not None and (nameless := nameless_species(table, player.id)):
        message = f"nobody has written down of which generation {nameless} is, which faces {player.name}"
        return RuleVerdict(carried_out.FOUR_OF_PREVIOUS, Undecidable(message))
    if expected is not None:
        return BY_ID[rule_behind(table, expected)]
    if player is not None and event.to == player.generation:
        message = f"{player.name} has had generation {event.to} since an earlier line"
        broken = Broken(message, "generation.changed directly after the line that brought it about")
        return RuleVerdict(carried_out.AT_ONCE, broken)
    return carried_out.FOUR_OF_PREVIOUS if event.to > event.from_ else carried_out.LOST_BELOW_FOUR


# -- points and the end ------------------------------------------------------------------------------------------------


def _points_counted(table: Phylo, event: ev.PointsCounted, expected: ev.PointsCounted | None) -> Ruled:
    """Return the rule about the first number that is counted otherwise; awards may stand in any order."""
    if expected is None:
        return _not_over(table, event)
    doubt = doubt_of_totals(table)
    if doubt is not None:
        return RuleVerdict(carried_out.POINTS_SPECIES, doubt)
    of_species = (
        carried_out.POINTS_BENEATH if event.species == _printed(table, event.player) else carried_out.POINTS_SPECIES
    )
    doubtful = lacking(table)
    differing = (set(event.awards) ^ set(expected.awards)) - doubtful.keys()
    of_awards = next(
        (rule for award, rule in carried_out.AWARD_RULES.items() if award in differing), carried_out.COMPARISON
    )
    counted = (
        (carried_out.LONGEST_CHAIN, event.chain == expected.chain or CHAIN in doubtful),
        (of_awards, _without(event.awards, doubtful) == _without(expected.awards, doubtful)),
        (of_species, event.species == expected.species),
        (carried_out.POINTS_TECHNOLOGY, event.technology == expected.technology),
        (carried_out.COMPARISON, event.special == expected.special or doubtful),
        (carried_out.MOST_POINTS, event.total == expected.total or doubtful),
    )
    wrong = next((rule for rule, same in counted if not same), None)
    if wrong is not None:
        return RuleVerdict(wrong, of_points(table, event, expected))
    return _of_awards_in_doubt(table, carried_out.COMPARISON) or RuleVerdict(carried_out.POINTS_SPECIES, None)


def _without(awards: Iterable[ev.Award], doubtful: Container[ev.Award]) -> list[ev.Award]:
    return sorted([each for each in awards if each not in doubtful])


def _of_awards_in_doubt(table: Phylo, rule: Rule) -> RuleVerdict | None:
    """Return that a line rests on an award that cannot be judged (ruling `unknown_values`), or None."""
    card = next(iter(lacking(table).values()), None)
    if card is None:
        return None
    award = next(iter(lacking(table)))
    by = by_ruling(table, "unknown_values")
    message = f"nobody can judge the award {award}: {called(table, card.name)} lacks what it compares ({by})"
    return RuleVerdict(rule, Undecidable(message, once=True))


def _printed(table: Phylo, player: str) -> int:
    """Return the printed points of the Species facing a player, without what lies beneath them."""
    cards = table.zones[TABLEAU].cards
    return sum(card.text.points for card in cards if card.controller == player and is_species(card))


def _not_over(table: Phylo, event: Any) -> Ruled:
    """Return what is wrong with an end that the rules do not derive: it is none, or hidden cards decide."""
    kinds = ("discard", "hand", "deck")
    cards = (card for player in table.players for kind in kinds for card in zone_of(table, kind, player).cards)
    if any(card.text is None for card in cards) or not all(player.listed for player in table.players.values()):
        hidden = "cards that nobody has named decide whether both players have used up their Species"
        return RuleVerdict(carried_out.DEPLETED, Undecidable(hidden))
    return carried_out.DEPLETED


def _game_ended(table: Phylo, event: ev.GameEnded, expected: ev.GameEnded | None) -> Ruled:
    if expected is None:
        return _not_over(table, event) if event.reason == "points" else carried_out.ENDS[event.reason]
    doubt = doubt_of_totals(table) if expected.reason == event.reason == "points" else None
    if doubt is not None:
        return RuleVerdict(carried_out.MOST_POINTS, doubt)
    if event.reason != expected.reason or expected.reason != "points":
        return carried_out.ENDS[expected.reason]
    in_doubt = _of_awards_in_doubt(table, carried_out.MOST_POINTS)
    if in_doubt is not None:
        return in_doubt
    return carried_out.MOST_POINTS if expected.winner is not None else carried_out.EQUAL_POINTS


RULES: Final[Mapping[type[Consequence], RuleOf]] = {
    ev.ProgressPlaced: _progress_placed,
    ev.TurnStarted: active_player,
    ev.AbilityTriggered: start_abilities,
    ev.CardDiscarded: _card_discarded,
    ev.InconsistencyArisen: _inconsistency,
    ev.InconsistencyFixed: _inconsistency,
    ev.GenerationChanged: _generation_changed,
    ev.PointsCounted: _points_counted,
    ev.GameEnded: _game_ended,
}
MISMATCHES: Final = Mismatches(
    seats=two_players,
    end=nothing_after_end,
    rules=RULES,
    usual=carried_out.AS_DECLARED,
    reasons=WHY_NOT,
    because=_because,
    resting_on=resting_on,
)
