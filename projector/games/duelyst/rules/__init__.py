"""The rules of the Duelyst-style game, by section, and which of them are looked at for each line (`rows`)."""

from typing import Final

from events.games import duelyst as ev
from projector.games.duelyst.rules import cards, luck, pets, setup, units
from projector.rulebook import Ruleset
from projector.rules import Rows, first_of, judged, whichever

ROWS: Final[Rows] = {
    ev.GameStarted: (setup.two_players,),
    ev.DeckDeclared: (setup.declared_once, setup.known_cards, setup.general_on_board, setup.agreed_rules),
    ev.FirstPlayerChosen: (setup.first_seat_begins,),
    ev.MulliganTaken: (
        setup.one_mulligan,
        setup.known_drawn,
        setup.returned_from_hand,
        setup.from_own_deck,
    ),
    ev.CardsDrawn: (judged(luck.judge_draw),),
    ev.CardReplaced: (judged(luck.judge_replacement),),
    ev.MinionSummoned: (judged(cards.judge_minion),),
    ev.SpellCast: (judged(cards.judge_spell),),
    ev.ArtifactEquipped: (judged(cards.judge_artifact),),
    ev.BloodboundSpellCast: (judged(cards.judge_bloodbound),),
    ev.MechSummoned: (
        cards.active_player,
        cards.free_after_five,
        cards.known_mech,
        first_of(cards.tile_on_board, cards.free_tile),
    ),
    ev.UnitMoved: (judged(units.judge_move),),
    ev.UnitAttacked: (judged(units.judge_attack),),
    ev.TurnEnded: (judged(cards.judge_end),),
    ev.PetActed: (judged(pets.judge_pet),),
    ev.TokenSummoned: (judged(luck.judge_token),),
    ev.TargetPicked: (whichever(luck.target_at_stake),),
}


def rows(_ruleset: Ruleset) -> Rows:
    """Give the tests of every event type, in order; each test reads the rulings from the table."""
    return ROWS
