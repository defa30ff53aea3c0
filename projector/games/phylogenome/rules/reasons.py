"""Why the rules make no line like a written consequence, and on what those that they make rest."""

from collections.abc import Mapping
from typing import Any, Final

from events.games import phylogenome as ev
from events.vocabulary import Consequence
from projector.games.phylogenome.naming import by_other_rulings, counts_in_words, generation_in_words, where_is
from projector.games.phylogenome.scoring import AWARDS, compared
from projector.games.phylogenome.state import TABLEAU, Phylo, is_species
from projector.games.phylogenome.tableau import FIELDS
from projector.kit.ending import NOT_ENDED
from projector.kit.mismatches import Reason
from projector.kit.seating import zone_of
from projector.model.amounts import how_many, joined
from projector.model.phrases import as_ruled, by_ruling, name_of
from projector.model.rules import Broken

MAX_EXACT: Final = 1e6
"""Smaller fractions are said without an exponent."""


OF_POINTS: Final = (
    *("geometry", "chain_shape", "chain_order", "chain_minimum"),
    *("areas_count", "special_tie", "unfixed_at_end", "modifier_order"),
)
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


def of_points(table: Phylo, event: ev.PointsCounted, expected: Any) -> Broken:
    """Return what is counted otherwise, field by field."""
    who = name_of(table, event.player)
    says, due = [], []
    for name in ("chain", "species", "technology", "special", "total"):
        mine, theirs = getattr(event, name), getattr(expected, name)
        if mine != theirs:
            says.append(NUMBERS[name].format(mine))
            due.append(NUMBERS[name].format(theirs))
    for award in AWARDS:
        mine, theirs = event.awards.count(award), expected.awards.count(award)
        if mine != theirs:
            times = "without" if not mine else "with" if mine == 1 else f"{mine} times with"
            says.append(f"{times} the award for {CALLED[award]}")
            due.append(f"{'with' if theirs else 'without'} it: {_compared(table, award)}")
    by = by_other_rulings(table, RULINGS[ev.PointsCounted])
    counted, right = ", ".join(says), ", ".join(due)
    return Broken(f"the log counts for {who} {counted}; the rules say {right}{by}", right)


NUMBERS: Final = {
    "chain": "a chain of {}",
    "species": "{} for Species",
    "technology": "{} for technology",
    "special": "{} special points",
    "total": "a total of {}",
}


CALLED: Final = ev.PointsCounted.PHRASES["awards"]
"""What the awards are called."""


def _compared(table: Phylo, award: ev.Award) -> str:
    """Return what the players have that an award compares."""
    values = compared(table, award)
    return joined([f"{name_of(table, player)} has {_value(value)}" for player, value in values.items()])


def _value(value: Any) -> str:
    return f"{value:g}" if isinstance(value, float) and value < MAX_EXACT else str(value or "none")


# -- why the rules make no such line -----------------------------------------------------------------------------------


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


def _not_over(table: Phylo, event: Any) -> str:
    """Return how many Species are left, or that the turn goes on."""
    cards = {who: [*zone_of(table, "hand", who).cards, *zone_of(table, "deck", who).cards] for who in table.players}
    left = {name_of(table, who): sum(map(is_species, lying)) for who, lying in cards.items()}
    if not any(left.values()):
        return f"the turn of {name_of(table, table.active)} has not ended ({by_ruling(table, 'end_check_time')})"
    counts = [f"{name} has {how_many(number, 'Species card')}" for name, number in left.items()]
    return f"the Species are not used up: {joined(counts)} in hand and deck"


def _no_end(table: Phylo, event: ev.GameEnded) -> str:
    if event.reason == "points":
        return _not_over(table, event)
    if event.reason == "deck-out":
        return f"nobody has lost by having to draw from an empty deck ({by_ruling(table, 'deck_out')})"
    return NOT_ENDED[event.reason]


WHY_NOT: Final[Mapping[type[Consequence], Reason]] = {
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
    ev.PointsCounted: _not_over,
    ev.GameEnded: _no_end,
}
"""Why the rules bring about nothing like a written consequence of each type."""
