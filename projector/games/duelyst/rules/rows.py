"""Which rules are looked at for each line, and what comes before them: lines that come too early or too late."""

from typing import Any, Final

from events.games import duelyst as ev
from projector.games.duelyst.overdue import ANY_TIME, SET_UP, missed_before, overdue, unreported
from projector.games.duelyst.owed import owed_as
from projector.games.duelyst.rulebook import BY_ID
from projector.games.duelyst.rules import bloodbound, cards, luck, pets, setup, units
from projector.games.duelyst.state import Duelyst
from projector.kit.common_rules import first_lacking, out_of_game
from projector.kit.owed import missing
from projector.model.due import number_of_cards
from projector.model.game import RuleVerdict
from projector.model.rules import Rows, first_of, group_check, select_rule, usually

ROWS: Final[Rows] = {
    ev.GameStarted: (setup.two_players,),
    ev.DeckDeclared: (setup.declared_once, setup.known_cards, setup.general_on_board, setup.agreed_rules),
    ev.DeckShuffled: (setup.declared_before_shuffling, setup.shuffle_decks),
    ev.FirstPlayerChosen: (setup.first_seat_begins,),
    ev.MulliganTaken: (
        setup.one_mulligan,
        setup.known_drawn,
        setup.returned_from_hand,
        setup.from_own_deck,
    ),
    ev.CardShown: (setup.known_shown, setup.one_identity),
    ev.CardsDrawn: (group_check(luck.judge_draw, luck.draws_well),),
    ev.CardReplaced: (usually(luck.replaces_well, *luck.REPLACING),),
    ev.MinionSummoned: (usually(cards.summons_well, *cards.OF_A_MINION),),
    ev.SpellCast: cards.OF_A_SPELL,
    ev.ArtifactEquipped: cards.OF_AN_ARTIFACT,
    ev.BloodboundSpellCast: (usually(bloodbound.casts_well, *bloodbound.OF_A_BLOODBOUND_SPELL),),
    ev.MechSummoned: (
        cards.active_player,
        cards.free_after_five,
        cards.known_mech,
        first_of(cards.tile_on_board, cards.free_tile),
    ),
    ev.UnitMoved: (usually(units.moves_well, *units.OF_A_MOVE),),
    ev.UnitAttacked: (usually(units.attacks_well, *units.OF_AN_ATTACK),),
    ev.TurnEnded: (usually(cards.ends_own_turn, cards.active_player),),
    ev.PetActed: (group_check(pets.judge_pet),),
    ev.TokenSummoned: (group_check(luck.judge_token),),
    ev.TargetPicked: (select_rule(luck.target_at_stake),),
}


LUCK: Final = frozenset({ev.CardsDrawn, ev.PetActed, ev.TokenSummoned, ev.TargetPicked})


# -- what comes before the rows ---------------------------------------------------------------------------------------


def gate(table: Duelyst, event: Any) -> RuleVerdict | None:
    """Return whether a decision or chance line may come now at all."""
    if table.over or getattr(event, "player", "") not in table.players:
        outside = out_of_game(table, event, setup.two_players, setup.nothing_after_end)
        if outside is not None or table.over:
            return None if _found_no_card(table, event) else outside
    if (
        (table.turn and not table.owed and not table.missed)
        or (kind := type(event)) in ANY_TIME
        or (kind in LUCK and not table.missed and owed_as(table, event) is not None)
    ):
        return None
    if not table.turn:
        return _in_set_up(table, event)
    missed = missed_before(table, event) if table.missed else None
    due = missed or (overdue(table, event) if kind in LUCK else unreported(table))
    return None if due is None else RuleVerdict(BY_ID[due.rule], missing(table, due, event))


def _found_no_card(table: Duelyst, event: Any) -> bool:
    """Return whether a line says that nothing was drawn where the game has ended by that."""
    is_draw = isinstance(event, ev.CardsDrawn) and table.reason == "empty-deck"
    return is_draw and not number_of_cards(event)


def _in_set_up(table: Duelyst, event: Any) -> RuleVerdict | None:
    """Return what the set-up lacks before a line that begins the game, or before a mulligan without a hand."""
    is_mulligan = isinstance(event, ev.MulliganTaken)
    if type(event) in SET_UP and not (is_mulligan and not table.players[event.player].opened):
        return None
    has_mulligans = not is_mulligan and table.options["mulligan"] != "none"
    missing = first_lacking(table, setup.STEPS if has_mulligans else setup.STEPS[:-1])
    return None if missing is None else RuleVerdict(missing.rule, missing(table, event))
