"""What a log says follows, against what the rules make of it: the rule that it breaks, why, and what is done then."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from tabletape.events.games import phylogenome as ev
from tabletape.events.vocabulary import Consequence
from tabletape.projector.games.phylogenome import effects, turns
from tabletape.projector.games.phylogenome.blaming import blamed_instead, take_blame
from tabletape.projector.games.phylogenome.chapters.cards import AS_DECLARED, EVENT_PILE, SPECIES_PILE, nameless_species
from tabletape.projector.games.phylogenome.chapters.compatibility import (
    AT_ONCE,
    DISCARD_UNFIXED,
    FOUR_OF_PREVIOUS,
    LOST_BELOW_FOUR,
    SPECIES_STAY,
    STARTS_AT_ONE,
    UNTIL_NEXT_TURN,
)
from tabletape.projector.games.phylogenome.chapters.drawing import start_abilities
from tabletape.projector.games.phylogenome.chapters.events import (
    BENEATH_STAYS,
    MOMENTARY,
    ON_TOP_ONCE,
    TABLE_STAYS,
    TRAVELS,
)
from tabletape.projector.games.phylogenome.chapters.setup import SIDE_BY_SIDE, two_players
from tabletape.projector.games.phylogenome.chapters.turns import END_DISCARDS, active_player, has_just_begun
from tabletape.projector.games.phylogenome.chapters.winning import (
    OF_POINTS,
    Ruled,
    game_ended,
    nothing_after_end,
    points_counted,
)
from tabletape.projector.games.phylogenome.moves import BY_ID
from tabletape.projector.games.phylogenome.naming import (
    by_other_rulings,
    called,
    counts_in_words,
    generation_in_words,
    where_is,
)
from tabletape.projector.games.phylogenome.state import ACTIONS, BENEATH, DRAW, TABLEAU, Phylo, PhyloCard, is_species
from tabletape.projector.games.phylogenome.tableau import CLASHING, FIELDS
from tabletape.projector.games.phylogenome.turns import is_timely
from tabletape.projector.kit.adopting import as_written
from tabletape.projector.kit.ending import NOT_ENDED, adopt_end
from tabletape.projector.kit.mismatches import Mismatches, Reason, RuleOf, rule_behind
from tabletape.projector.kit.seating import zone_of
from tabletape.projector.model.amounts import how_many, joined
from tabletape.projector.model.game import RuleVerdict
from tabletape.projector.model.phrases import as_ruled, by_ruling, name_of
from tabletape.projector.model.rules import Broken, Rule, Undecidable

LATE: Final[Mapping[type[Consequence], Rule]] = {
    ev.GenerationChanged: AT_ONCE,
    ev.InconsistencyArisen: UNTIL_NEXT_TURN,
    ev.InconsistencyFixed: UNTIL_NEXT_TURN,
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
    return STARTS_AT_ONE if expected is not None and event.generation != 1 else SIDE_BY_SIDE


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
            return RuleVerdict(TRAVELS, broken, because="phylogenome.move.carries-events")
    if card is not None and event.reason == "effect" and card.zone.name == TABLEAU and card.text is not None:
        player = table.players.get(card.controller)
        if player is not None and card.text.sequencing_generation > player.generation:
            message = f"{called(table, card.name)} is discarded, but nothing but its lost generation is wrong with it"
            stays = f"it stays in play; {player.name} has generation {player.generation}"
            return RuleVerdict(SPECIES_STAY, Broken(message, stays))
    return _by_reason(table, card, event.reason)


def _otherwise_discarded(table: Phylo, event: ev.CardDiscarded, expected: ev.CardDiscarded) -> Ruled:
    """Return the rule about the pile or the reason of a discard; where a paid card goes is a ruling."""
    card = table.find(event.card)
    if event.pile == expected.pile:
        if card is not None and {event.reason, expected.reason} == {*FIELDS} and _was_broken(table, card, event.reason):
            return RuleVerdict(END_DISCARDS, None)
        return _by_reason(table, card, expected.reason)
    rule = SPECIES_PILE if is_species(card) else EVENT_PILE
    is_free = table.options["paid_card_pile"] == "any_pile" and event.pile in table.players
    return RuleVerdict(rule, None) if is_free and expected.reason == event.reason == "paid" else rule


def _was_broken(table: Phylo, card: PhyloCard, kind: str) -> bool:
    """Return whether a Species that was just discarded was cut off, or was incompatible, in the tableau."""
    for thing, field, before, after in reversed(table.journal):
        if thing is card and field == FIELDS[kind]:
            return bool(before)
        if thing is card and field == "place" and after is None:
            return False
    return False


def _by_reason(table: Phylo, card: PhyloCard | None, reason: str) -> Rule:
    """Return the rule about discarding a card for a reason."""
    zone = card.zone.name if card is not None else ""
    if reason in {"effect", "used", "resolved"} and zone == BENEATH:
        return BENEATH_STAYS
    if reason in {"effect", "used", "resolved"} and zone[:6] == "table:":
        return TABLE_STAYS
    if reason == "resolved":
        mode = card.text.says.mode if card is not None and card.text is not None else ""
        return ON_TOP_ONCE if mode == "on_top" else MOMENTARY
    return BY_ID[effects.RULES[reason]]


def _untimely(table: Phylo, card: PhyloCard, event: ev.CardDiscarded) -> Ruled:
    """Return the rule against discarding a Species that is not broken or has time; one in time is discarded rightly.

    Step 4 of the turn may be written down before the line that says that the turn has ended.
    """
    name, by = called(table, event.card), by_ruling(table, "grace")
    others = blamed_instead(table, card) if event.reason == CLASHING else []
    if any(is_timely(table, each, event) for each in others):
        return RuleVerdict(END_DISCARDS, None)
    if not others and _is_written_too_late(table, event):
        message = f"nobody has written down before the end of the turn that {name} is the one to be discarded"
        by_blame = by_ruling(table, "incompatible_blame")
        return RuleVerdict(DISCARD_UNFIXED, Undecidable(f"{message} ({by_blame})"))
    if not (card.cut_off or card.clashing or others):
        sound = "connected" if event.reason == "disconnected" else "compatible with its neighbours"
        why = f"although it is {sound}" if card.zone.name == TABLEAU else f"but {where_is(table, card.name)}"
        return RuleVerdict(DISCARD_UNFIXED, f"{name} is discarded, {why}")
    if is_timely(table, card, event):
        return RuleVerdict(END_DISCARDS, None)
    whose = name_of(table, card.controller)
    message = f"{name} is discarded although {whose} still has time to repair ({by})"
    deadline = DEADLINES[table.options["grace"]].format(whose)
    return RuleVerdict(UNTIL_NEXT_TURN, Broken(message, deadline))


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


def _inconsistency(table: Phylo, event: Any, expected: Any) -> Ruled:
    """A Species that has been broken for a while may be said to be so later."""
    is_late = isinstance(event, ev.InconsistencyArisen) and _is_so(table, event)
    rule = UNTIL_NEXT_TURN
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
        return RuleVerdict(FOUR_OF_PREVIOUS, Undecidable(message))
    if expected is not None:
        return BY_ID[rule_behind(table, expected)]
    if player is not None and event.to == player.generation:
        message = f"{player.name} has had generation {event.to} since an earlier line"
        broken = Broken(message, "generation.changed directly after the line that brought it about")
        return RuleVerdict(AT_ONCE, broken)
    return FOUR_OF_PREVIOUS if event.to > event.from_ else LOST_BELOW_FOUR


# -- why the rules make no such line, and on what those that they make rest --------------------------------------------


RULINGS: Final[Mapping[type[Consequence], tuple[str, ...]]] = {
    ev.PointsCounted: OF_POINTS,
    ev.GameEnded: ("end_trigger", "stall_guard", "final_tie", *OF_POINTS),
    ev.GenerationChanged: ("generation_counts",),
    ev.InconsistencyArisen: ("geometry", "compat_scope", "connect_to", "incompatible_blame"),
    ev.InconsistencyFixed: ("geometry", "compat_scope", "connect_to", "incompatible_blame"),
}
"""The readings of the rulebook on which a consequence rests; those that are not the usual ones are named."""


def resting_on(table: Phylo, event: Any, expected: Any) -> str:
    """Return what a derived line rests on, to stand behind what it says: counts, and unusual rulings."""
    why = by_other_rulings(table, RULINGS.get(type(event), ()))
    if expected is not None and isinstance(event, ev.GenerationChanged):
        return f": {counts_in_words(table, table.players[event.player])}{why}"
    is_paid = isinstance(event, ev.CardDiscarded) and expected is not None and expected.reason == event.reason == "paid"
    return as_ruled(table, "paid_card_pile") if is_paid else why


def _where(table: Phylo, event: Any) -> str:
    return where_is(table, event.card)


def _no_turn(table: Phylo, event: ev.TurnStarted) -> str:
    return (
        f"it is the turn of {name_of(table, table.active)}, which nobody has ended" if table.active else "none is due"
    )


def _not_so(table: Phylo, event: ev.InconsistencyArisen | ev.InconsistencyFixed) -> str:
    card = table.find(event.card)
    if card is None or card.zone.name != TABLEAU:
        return where_is(table, event.card)
    if isinstance(event, ev.InconsistencyFixed):
        return "it is so still" if getattr(card, FIELDS[event.kind]) else "it has not been so"
    return {
        "disconnected": "a way leads from it to a progress card",
        "incompatible": "its genome scale goes with those beside it, or another one was changed after it",
    }[event.kind]


def _why_not_over(table: Phylo, event: Any) -> str:
    """Return how many Species are left, or that the turn goes on."""
    cards = {who: [*zone_of(table, "hand", who).cards, *zone_of(table, "deck", who).cards] for who in table.players}
    left = {name_of(table, who): sum(map(is_species, lying)) for who, lying in cards.items()}
    if not any(left.values()):
        return f"the turn of {name_of(table, table.active)} has not ended ({by_ruling(table, 'end_check_time')})"
    counts = [f"{name} has {how_many(number, 'Species card')}" for name, number in left.items()]
    return f"the Species are not used up: {joined(counts)} in hand and deck"


def _no_end(table: Phylo, event: ev.GameEnded) -> str:
    if event.reason == "points":
        return _why_not_over(table, event)
    if event.reason == "deck-out":
        return f"nobody has lost by having to draw from an empty deck ({by_ruling(table, 'deck_out')})"
    return NOT_ENDED[event.reason]


REASONS: Final[Mapping[type[Consequence], Reason]] = {
    ev.ProgressPlaced: lambda _table, _event: "the progress cards lie there since the beginning",
    ev.TurnStarted: _no_turn,
    ev.AbilityTriggered: lambda table, event: f"it does not act now: {where_is(table, event.card)}",
    ev.CardDiscarded: _where,
    ev.CardRecovered: _where,
    ev.SpeciesRelocated: lambda table, event: f"no Event has just done that; {where_is(table, event.card)}",
    ev.PlayForbidden: lambda _table, _event: "no Event has just done that",
    ev.InconsistencyArisen: _not_so,
    ev.InconsistencyFixed: _not_so,
    ev.GenerationChanged: lambda table, event: generation_in_words(table, table.players[event.player]),
    ev.PointsCounted: _why_not_over,
    ev.GameEnded: _no_end,
}
"""Why the rules bring about nothing like a written consequence of each type."""
RULES: Final[Mapping[type[Consequence], RuleOf]] = {
    ev.ProgressPlaced: _progress_placed,
    ev.TurnStarted: active_player,
    ev.AbilityTriggered: start_abilities,
    ev.CardDiscarded: _card_discarded,
    ev.InconsistencyArisen: _inconsistency,
    ev.InconsistencyFixed: _inconsistency,
    ev.GenerationChanged: _generation_changed,
    ev.PointsCounted: points_counted,
    ev.GameEnded: game_ended,
}
MISMATCHES: Final = Mismatches(
    seats=two_players,
    end=nothing_after_end,
    rules=RULES,
    usual=AS_DECLARED,
    reasons=REASONS,
    because=_because,
    resting_on=resting_on,
)


# -- what the table goes on with: it did what the log says; `expected` is what it has done already, or None ------------

Adopt = Callable[[Phylo, Any, Any], None]


def _adopted(apply: Callable[[Phylo, Any], None]) -> Adopt:
    """Return what does a written line as the rules do, and then what follows in the tableau."""

    def adopt(table: Phylo, event: Any, _expected: Any) -> None:
        with as_written(table, event):
            apply(table, event)
        if table.disturbed:
            turns.look_at_tableau(table)

    return adopt


def _blamed(table: Phylo, event: ev.InconsistencyArisen | ev.CardDiscarded, expected: Any) -> None:
    card = table.find(event.card)
    kind = event.kind if isinstance(event, ev.InconsistencyArisen) else event.reason
    if expected is None and card is not None and kind == CLASHING:
        take_blame(table, card)


def _discarded(table: Phylo, event: ev.CardDiscarded, expected: Any) -> None:
    card = table.find(event.card)
    if card is None or event.pile not in table.players:
        return
    _blamed(table, event, expected)
    if expected is None and is_timely(table, card, event):
        turns.clear(table, event)
    else:
        DISCARD(table, event, expected)


DISCARD: Final = _adopted(
    lambda table, event: effects.discard(table, table.card(event.card), event.pile, event.reason, effects.AS_DECLARED)
)


def _turn(table: Phylo, event: ev.TurnStarted, expected: Any) -> None:
    if table.phase in {DRAW, ACTIONS} and table.active != event.player:
        if expected is not None:
            table.count(table, "turn", -1)
        if table.active:
            table.set(table.players[table.active], "actions", 0)
        with as_written(table, event):
            turns.begin_turn(table, event.player)


ENFORCE: Final[Mapping[type[Consequence], Adopt]] = {
    ev.CardDiscarded: _discarded,
    ev.InconsistencyArisen: _blamed,
    ev.CardRecovered: _adopted(effects.recover),
    ev.SpeciesRelocated: _adopted(effects.relocate),
    ev.PlayForbidden: _adopted(effects.forbid),
    ev.TurnStarted: _turn,
    ev.GameEnded: adopt_end(turns.end_game),
}
