"""What comes before the rules of a line: the end of the game, a line that is due, and steps that it needs first."""

from typing import Any, Final

from tabletape.events.games import phylogenome as ev
from tabletape.projector.games.phylogenome.chapters.discarding import END_DISCARDS, UNTIL_NEXT_TURN
from tabletape.projector.games.phylogenome.chapters.setup import STEPS, two_players
from tabletape.projector.games.phylogenome.chapters.turns import has_just_begun, owed_first
from tabletape.projector.games.phylogenome.chapters.winning import nothing_after_end
from tabletape.projector.games.phylogenome.state import ACTIONS, CLEARED, SETUP, Phylo
from tabletape.projector.kit.common_rules import first_lacking, out_of_game
from tabletape.projector.model.game import RuleVerdict
from tabletape.projector.model.phrases import name_of
from tabletape.projector.model.rules import Broken

ACTING: Final = frozenset(
    {ev.SpeciesPlayed, ev.SpeciesMoved, ev.CardsCycled, ev.EventPlayed, ev.CardKept, ev.TurnEnded}
)


def gate(table: Phylo, event: Any) -> RuleVerdict | None:
    """Return the one finding that takes the place of a row: game over, nobody at this table, another line is due."""
    if table.phase == ACTIONS and not table.owed and getattr(event, "player", "") in table.players:
        return None
    outside = out_of_game(table, event, two_players, nothing_after_end)
    return _out_of_step(table, event) if outside is None and type(event) in ACTING else outside


def _out_of_step(table: Phylo, event: Any) -> RuleVerdict | None:
    """Return the finding that an action comes too early or too late in the game or in the turn."""
    if table.phase == SETUP:
        missing = first_lacking(table, STEPS)
        return None if missing is None else RuleVerdict(missing.rule, missing(table, event))
    if table.phase == CLEARED:
        return None if isinstance(event, ev.TurnEnded) else _goes_on(table, event)
    owed = owed_first(table, event) if table.owed and table.active == event.player else None
    return RuleVerdict(*owed) if owed else None


def _goes_on(table: Phylo, event: Any) -> RuleVerdict:
    """Return the verdict that a turn goes on although the discards of its end are written down."""
    who, whose = name_of(table, event.player), name_of(table, table.active)
    if has_just_begun(table):
        message = f"Species of {whose} were discarded before this turn, in which {whose} has time to repair them"
        return RuleVerdict(UNTIL_NEXT_TURN, Broken(message, "no discard before the end of this turn", "mismatch"))
    message = f"{who} acts although the discards that end the turn of {whose} are written down already"
    return RuleVerdict(END_DISCARDS, Broken(message, f"turn.ended by {whose}", "mismatch"))
