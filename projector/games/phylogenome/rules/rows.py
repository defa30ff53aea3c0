"""Which rules are looked at for each line, and what may come before them all."""

from typing import Any, Final

from events.games import phylogenome as ev
from events.vocabulary import Event, tag_of
from projector.games.phylogenome.rules import acting, carried_out, events, luck, observed, preparing, spots
from projector.games.phylogenome.state import ACTIONS, OVER, SETUP, Due, Phylo, name_of
from projector.model.game import RuleVerdict
from projector.model.rulebook import Ruleset
from projector.model.rules import Broken, Case, Rows, group_check, stop

MODULES: Final = (preparing, acting, spots, events, luck, carried_out, observed)
"""The modules that declare the rules."""

ROWS: Final[Rows] = {
    ev.GameStarted: (preparing.two_players,),
    ev.DeckDeclared: (
        preparing.declared_once,
        stop(preparing.known_cards),
        preparing.recommended_size,
        preparing.free_choice,
    ),
    ev.DeckShuffled: (preparing.shuffled_in_time,),
    ev.CardsDrawn: (group_check(luck.judge_draw),),
    ev.FirstPlayerChosen: (preparing.first_player,),
    ev.SpeciesPlayed: (group_check(acting.judge_play),),
    ev.SpeciesMoved: (group_check(acting.judge_move),),
    ev.CardsCycled: (group_check(acting.judge_exchange),),
    ev.EventPlayed: (group_check(events.judge_event),),
    ev.CardsLookedAt: (luck.from_own_deck, luck.looks_when_due),
    ev.CardKept: (luck.keeps_what_was_seen,),
    ev.TurnEnded: (group_check(acting.judge_end),),
}


def rows(ruleset: Ruleset) -> Rows:
    """Return the tests of every line."""
    return ROWS


# -- what comes before the rows ----------------------------------------------------------------------------------------

OF_THE_TURN: Final = frozenset({luck.START_ABILITIES.id, luck.DRAW_ONE.id})
ACTING: Final = frozenset(
    {ev.SpeciesPlayed, ev.SpeciesMoved, ev.CardsCycled, ev.EventPlayed, ev.CardKept, ev.TurnEnded}
)
LINES: Final[dict[str, type[Event]]] = {"draw": ev.CardsDrawn, "look": ev.CardsLookedAt, "keep": ev.CardKept}


def gate(table: Phylo, event: Any) -> RuleVerdict | None:
    """Return the one finding that takes the place of a row: game over, nobody at this table, another line is due."""
    try:
        player = event.player
    except AttributeError:
        player = ""
    if table.phase == ACTIONS and not table.due and player in table.players:
        return None
    if player and player not in table.players:
        return RuleVerdict(preparing.two_players, preparing.known_player(table, event), played=False)
    if table.phase == OVER:
        return RuleVerdict(preparing.nothing_after_end, preparing.nothing_after_end(table, event), played=False)
    if type(event) not in ACTING:
        return None
    if table.phase == SETUP:
        missing = preparing.first_missing(table)
        return RuleVerdict(missing.rule, missing(table, event))
    return _owed(table, event, table.due) if table.due and table.active == player else None


def _owed(table: Phylo, event: Any, owed: tuple[Due, ...]) -> RuleVerdict | None:
    """Return the finding that luck owes something first, unless this is the line or it may be left out (ruling)."""
    due = owed[0]
    if due.what == "keep" and isinstance(event, ev.CardKept):
        return None
    if table.options["skip_draw"] == "optional":
        due = next((each for each in owed if each.rule != luck.DRAW_ONE.id), due)
        if due.rule == luck.DRAW_ONE.id:
            return None
    rule: Case = luck.OWED[due.rule]
    line = f"{tag_of(LINES[due.what])} by {name_of(table, due.player)}"
    because = "phylogenome.turn.step-order" if due.rule in OF_THE_TURN else ""
    message = f"{luck.owed_in_words(table, due)}, but the log goes on"
    return RuleVerdict(rule.rule, Broken(message, line, "missing", because))
