"""The end: when the game is over, how points are counted, and who has won."""

from collections.abc import Container, Iterable
from typing import Any, Final

from tabletape.events.games import phylogenome as ev
from tabletape.events.vocabulary import Event
from tabletape.projector.games.phylogenome.chapters import GAME_ENDS, WRITTEN, drawing
from tabletape.projector.games.phylogenome.chapters.cards import doubt_of_totals
from tabletape.projector.games.phylogenome.naming import by_other_rulings, called
from tabletape.projector.games.phylogenome.scoring import AWARDS, CHAIN, compared, lacking
from tabletape.projector.games.phylogenome.state import TABLEAU, Phylo, is_species
from tabletape.projector.games.phylogenome.steps import end_game
from tabletape.projector.kit import common_rules
from tabletape.projector.kit.consequence import follows
from tabletape.projector.kit.ending import NOT_ENDED_REASONS, adopt_end, early_end_rules, early_ends
from tabletape.projector.kit.seating import zone_of
from tabletape.projector.model.amounts import how_many, joined
from tabletape.projector.model.game import RuleVerdict
from tabletape.projector.model.phrases import by_ruling, name_of
from tabletape.projector.model.rules import Broken, Rule, Undecidable, Verdict

DEPLETED: Final = WRITTEN["phylogenome.end.species-depleted"]
CONCESSION, ABANDONED = early_end_rules("phylogenome")
MOST_POINTS: Final = WRITTEN["phylogenome.win.most-points"]
ENDS: Final = {"points": DEPLETED, "concession": CONCESSION, "deck-out": drawing.DECK_OUT, "abandoned": ABANDONED}
ENDINGS = {"points": ("end_trigger", "end_check_time", "stall_guard"), "deck-out": ("deck_out",)}
"""The rulings on which an end rests, by its reason."""


@GAME_ENDS.rule("phylogenome.end.nothing-after-end", "L86", rests_on="nothing")
def nothing_after_end(table: Phylo, event: Event) -> Verdict:
    """After the end nothing more is played (implied)."""
    over = common_rules.nothing_after(ev.GameEnded)(table, event)
    return f"{over}{by_other_rulings(table, ENDINGS.get(table.reason, ()))}" if isinstance(over, str) else over


# -- counting points ---------------------------------------------------------------------------------------------------


POINTS_SPECIES: Final = WRITTEN["phylogenome.points.species"]
COMPARISON: Final = WRITTEN["phylogenome.points.special-by-comparison"]
AWARD_RULES: Final = {award: WRITTEN[f"phylogenome.points.{award}"] for award in AWARDS}


# -- points and ends that are written otherwise ------------------------------------------------------------------------


Ruled = Rule | str | RuleVerdict


def points_counted(table: Phylo, event: ev.PointsCounted, expected: ev.PointsCounted | None) -> Ruled:
    """Return the rule about the first number that is counted otherwise; awards may stand in any order."""
    if expected is None:
        return _not_over(table, event)
    doubt = doubt_of_totals(table)
    if doubt is not None:
        return RuleVerdict(POINTS_SPECIES, doubt)
    beneath = WRITTEN["phylogenome.points.events-beneath"]
    of_species = beneath if event.species == _printed(table, event.player) else POINTS_SPECIES
    doubtful = lacking(table)
    differing = (set(event.awards) ^ set(expected.awards)) - doubtful.keys()
    of_awards = next((rule for award, rule in AWARD_RULES.items() if award in differing), COMPARISON)
    counted = (
        (AWARD_RULES[CHAIN], event.chain == expected.chain or CHAIN in doubtful),
        (of_awards, _without(event.awards, doubtful) == _without(expected.awards, doubtful)),
        (of_species, event.species == expected.species),
        (WRITTEN["phylogenome.points.technology"], event.technology == expected.technology),
        (COMPARISON, event.special == expected.special or doubtful),
        (MOST_POINTS, event.total == expected.total or doubtful),
    )
    wrong = next((rule for rule, same in counted if not same), None)
    if wrong is not None:
        return RuleVerdict(wrong, of_points(table, event, expected))
    return _of_awards_in_doubt(table, COMPARISON) or RuleVerdict(POINTS_SPECIES, None)


def _without(awards: Iterable[ev.Award], doubtful: Container[ev.Award]) -> list[ev.Award]:
    return sorted([each for each in awards if each not in doubtful])


def _of_awards_in_doubt(table: Phylo, rule: Rule) -> RuleVerdict | None:
    """Return the doubt of a line that rests on an award that cannot be judged (ruling `unknown_values`), or None."""
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


def _not_over(table: Phylo, event: Event) -> Ruled:
    """Return what is wrong with an end that the rules do not derive: it is none, or hidden cards decide."""
    kinds = ("discard", "hand", "deck")
    cards = (card for player in table.players for kind in kinds for card in zone_of(table, kind, player).cards)
    if any(card.text is None for card in cards) or not all(player.listed for player in table.players.values()):
        hidden = "cards that nobody has named decide whether both players have used up their Species"
        return RuleVerdict(DEPLETED, Undecidable(hidden))
    return DEPLETED


def game_ended(table: Phylo, event: ev.GameEnded, expected: ev.GameEnded | None) -> Ruled:
    """Return the rule about the reason or the winner of an end that the log writes otherwise."""
    if expected is None:
        return _not_over(table, event) if event.reason == "points" else ENDS[event.reason]
    doubt = doubt_of_totals(table) if expected.reason == event.reason == "points" else None
    if doubt is not None:
        return RuleVerdict(MOST_POINTS, doubt)
    if event.reason != expected.reason or expected.reason != "points":
        return ENDS[expected.reason]
    in_doubt = _of_awards_in_doubt(table, MOST_POINTS)
    if in_doubt is not None:
        return in_doubt
    return MOST_POINTS if expected.winner is not None else "phylogenome.win.equal-points"


POINTS_RULINGS: Final = (
    *("geometry", "chain_shape", "chain_order", "chain_minimum"),
    *("areas_count", "special_tie", "unfixed_at_end", "modifier_order"),
)


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
            says.append(f"{times} the award for {AWARD_WORDS[award]}")
            due.append(f"{'with' if theirs else 'without'} it: {_compared(table, award)}")
    by = by_other_rulings(table, POINTS_RULINGS)
    counted, right = ", ".join(says), ", ".join(due)
    return Broken(f"the log counts for {who} {counted}; the rules say {right}{by}", right)


MAX_EXACT: Final = 1e6
"""Smaller fractions are said without an exponent."""
NUMBERS: Final = {
    "chain": "a chain of {}",
    "species": "{} for Species",
    "technology": "{} for technology",
    "special": "{} special points",
    "total": "a total of {}",
}
AWARD_WORDS: Final = ev.PointsCounted.PHRASES["awards"]
"""What the awards are called."""


def _compared(table: Phylo, award: ev.Award) -> str:
    """Return what the players have that an award compares."""
    values = compared(table, award)
    return joined([f"{name_of(table, player)} has {_value(value)}" for player, value in values.items()])


def _value(value: Any) -> str:
    return f"{value:g}" if isinstance(value, float) and value < MAX_EXACT else str(value or "none")


def _why_not_over(table: Phylo, event: Event) -> str:
    """Return how many Species are left, or that the turn goes on."""
    cards = {who: [*zone_of(table, "hand", who).cards, *zone_of(table, "deck", who).cards] for who in table.players}
    left = {name_of(table, who): sum(map(is_species, lying)) for who, lying in cards.items()}
    if not any(left.values()):
        return f"the turn of {name_of(table, table.active)} has not ended ({by_ruling(table, 'end_check_time')})"
    counts = [f"{name} has {how_many(number, 'Species card')}" for name, number in left.items()]
    return f"the Species are not used up: {joined(counts)} in hand and deck"


def _why_no_end(table: Phylo, event: ev.GameEnded) -> str:
    if event.reason == "deck-out":
        return f"nobody has lost by having to draw from an empty deck ({by_ruling(table, 'deck_out')})"
    return _why_not_over(table, event) if event.reason == "points" else NOT_ENDED_REASONS[event.reason]


COUNTED_POINTS: Final = follows(
    ev.PointsCounted,
    rule=points_counted,
    why=_why_not_over,
    behind=lambda table, _event, _expected: by_other_rulings(table, POINTS_RULINGS),
)
GAME_ENDED: Final = follows(
    ev.GameEnded,
    rule=game_ended,
    why=_why_no_end,
    adopt=adopt_end(end_game),
    behind=lambda table, _event, _expected: by_other_rulings(
        table, ("end_trigger", "stall_guard", "final_tie", *POINTS_RULINGS)
    ),
)


def contradicted(table: Phylo, _event: object, expected: object) -> str:
    """Return the id of the derived rule that a line contradicts after an end by points, with cards left to play."""
    left = any(zone_of(table, kind, player).size for player in table.players for kind in ("hand", "deck"))
    return "phylogenome.end.events-ignored" if table.reason == "points" and left and expected is None else ""


MOVES: Final = early_ends(end_game, "phylogenome")
