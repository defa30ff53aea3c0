"""The rules of the Duelyst-style game, by section, and which of them are looked at for each line (`rows`)."""

from typing import Final

from events.games import duelyst as ev
from projector.games.duelyst.rules import bloodbound, cards, luck, pets, setup, units
from projector.model.rulebook import Ruleset
from projector.model.rules import Rows, first_of, group_check, select_rule

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
    ev.CardReplaced: (group_check(luck.judge_replacement, luck.replaces_well),),
    ev.MinionSummoned: (group_check(cards.judge_minion, cards.summons_well),),
    ev.SpellCast: (group_check(cards.judge_spell),),
    ev.ArtifactEquipped: (group_check(cards.judge_artifact),),
    ev.BloodboundSpellCast: (group_check(bloodbound.judge_bloodbound),),
    ev.MechSummoned: (
        cards.active_player,
        cards.free_after_five,
        cards.known_mech,
        first_of(cards.tile_on_board, cards.free_tile),
    ),
    ev.UnitMoved: (group_check(units.judge_move, units.moves_well),),
    ev.UnitAttacked: (group_check(units.judge_attack, units.attacks_well),),
    ev.TurnEnded: (group_check(cards.judge_end),),
    ev.PetActed: (group_check(pets.judge_pet),),
    ev.TokenSummoned: (group_check(luck.judge_token),),
    ev.TargetPicked: (select_rule(luck.target_at_stake),),
}


def rows(_ruleset: Ruleset) -> Rows:
    """Return the tests of every event type, in order; each test reads the rulings from the table."""
    return ROWS
