"""Which rules are looked at for each line, and what may come before them all."""

from typing import Any, Final

from events.games import phylogenome as ev
from projector.games.phylogenome.rules import acting, carried_out, doubt, events, luck, observed, setup, spots
from projector.games.phylogenome.rules.carried_out import END_DISCARDS, UNTIL_NEXT_TURN
from projector.games.phylogenome.state import ACTIONS, CLEARED, SETUP, Phylo
from projector.kit.common_rules import out_of_game
from projector.model.game import RuleVerdict
from projector.model.phrases import name_of
from projector.model.rules import Broken, Rows, group_check

MODULES: Final = (setup, doubt, acting, spots, events, luck, carried_out, observed)
"""The modules that declare the rules."""

ROWS: Final[Rows] = {
    ev.GameStarted: (setup.two_players,),
    ev.DeckDeclared: (
        setup.declared_once,
        doubt.known_cards,
        setup.recommended_size,
        setup.free_choice,
    ),
    ev.DeckShuffled: (setup.shuffled_in_time,),
    ev.CardShown: (doubt.known_card, doubt.one_identity),
    ev.CardsDrawn: (group_check(luck.judge_draw, luck.draws_well),),
    ev.FirstPlayerChosen: (setup.first_player,),
    ev.SpeciesPlayed: (group_check(acting.judge_play, acting.plays_well),),
    ev.SpeciesMoved: (group_check(acting.judge_move, acting.moves_well),),
    ev.CardsCycled: (group_check(acting.judge_exchange, acting.exchanges_well),),
    ev.EventPlayed: (group_check(events.judge_event, events.plays_well),),
    ev.CardsLookedAt: (group_check(luck.judge_look, luck.looks_well),),
    ev.CardKept: (group_check(luck.judge_keep, luck.keeps_well),),
    ev.TurnEnded: (group_check(acting.judge_end, acting.ends_own_turn),),
}


# -- what comes before the rows ----------------------------------------------------------------------------------------

ACTING: Final = frozenset(
    {ev.SpeciesPlayed, ev.SpeciesMoved, ev.CardsCycled, ev.EventPlayed, ev.CardKept, ev.TurnEnded}
)


def gate(table: Phylo, event: Any) -> RuleVerdict | None:
    """Return the one finding that takes the place of a row: game over, nobody at this table, another line is due."""
    try:
        player = event.player
    except AttributeError:
        player = ""
    if table.phase == ACTIONS and not table.owed and player in table.players:
        return None
    outside = out_of_game(table, event, setup.two_players, setup.nothing_after_end)
    if outside is not None:
        return outside
    return _out_of_step(table, event) if type(event) in ACTING else None


def _out_of_step(table: Phylo, event: Any) -> RuleVerdict | None:
    """Return the finding that an action comes too early or too late in the game or in the turn."""
    if table.phase == SETUP:
        missing = setup.first_missing(table)
        return RuleVerdict(missing.rule, missing(table, event))
    if table.phase == CLEARED:
        return None if isinstance(event, ev.TurnEnded) else _goes_on(table, event)
    owed = luck.owed_first(table, event) if table.owed and table.active == event.player else None
    return RuleVerdict(*owed) if owed else None


def _goes_on(table: Phylo, event: Any) -> RuleVerdict:
    """Return that a turn goes on although the discards of its end are written down."""
    who, whose = name_of(table, event.player), name_of(table, table.active)
    if acting.has_just_begun(table):
        message = f"Species of {whose} were discarded before this turn, in which {whose} has time to repair them"
        return RuleVerdict(UNTIL_NEXT_TURN, Broken(message, "no discard before the end of this turn", "mismatch"))
    message = f"{who} acts although the discards that end the turn of {whose} are written down already"
    return RuleVerdict(END_DISCARDS, Broken(message, f"turn.ended by {whose}", "mismatch"))
