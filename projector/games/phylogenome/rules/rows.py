"""Which rules are looked at for each line, and what may come before them all."""

from typing import Any, Final

from events.games import phylogenome as ev
from projector.games.phylogenome.rules import acting, carried_out, doubt, events, luck, observed, setup, spots
from projector.games.phylogenome.rules.carried_out import END_DISCARDS, UNTIL_NEXT_TURN
from projector.games.phylogenome.state import ACTIONS, CLEARED, SETUP, Phylo
from projector.kit.common_rules import first_lacking, out_of_game
from projector.model.game import RuleVerdict
from projector.model.phrases import name_of
from projector.model.rules import Broken, Rows, group_check, usually

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
    ev.SpeciesPlayed: (usually(acting.plays_well, *acting.OF_A_PLAY, group_check(acting.judge_cell)),),
    ev.SpeciesMoved: (usually(acting.moves_well, *acting.OF_A_MOVE, group_check(acting.judge_cells)),),
    ev.CardsCycled: (usually(acting.exchanges_well, *acting.OF_AN_EXCHANGE),),
    ev.EventPlayed: (usually(events.plays_well, *events.OF_AN_EVENT),),
    ev.CardsLookedAt: (doubt.known_card, luck.from_own_deck, luck.looks_when_due),
    ev.CardKept: (doubt.known_card, luck.keeps_what_was_seen),
    ev.TurnEnded: (group_check(acting.judge_end, acting.ends_own_turn),),
}


# -- what comes before the rows ----------------------------------------------------------------------------------------

ACTING: Final = frozenset(
    {ev.SpeciesPlayed, ev.SpeciesMoved, ev.CardsCycled, ev.EventPlayed, ev.CardKept, ev.TurnEnded}
)


def gate(table: Phylo, event: Any) -> RuleVerdict | None:
    """Return the one finding that takes the place of a row: game over, nobody at this table, another line is due."""
    if table.phase == ACTIONS and not table.owed and getattr(event, "player", "") in table.players:
        return None
    outside = out_of_game(table, event, setup.two_players, setup.nothing_after_end)
    return _out_of_step(table, event) if outside is None and type(event) in ACTING else outside


def _out_of_step(table: Phylo, event: Any) -> RuleVerdict | None:
    """Return the finding that an action comes too early or too late in the game or in the turn."""
    if table.phase == SETUP:
        missing = first_lacking(table, setup.STEPS)
        return None if missing is None else RuleVerdict(missing.rule, missing(table, event))
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
