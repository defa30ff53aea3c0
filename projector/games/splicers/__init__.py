"""Splicers: two players place, evolve and splice strange things to dominate three of four bioms."""

from tabletape.events.games import splicers as ev
from tabletape.projector.games.splicers import rounds, turn, view
from tabletape.projector.games.splicers.abilities import keywords_of
from tabletape.projector.games.splicers.chapters import answering, cards, counting, mulligan, setup, turns
from tabletape.projector.games.splicers.schema import SplicersText, check_text
from tabletape.projector.games.splicers.state import Splicers
from tabletape.projector.kit.consequence import consequences_of
from tabletape.projector.kit.packaged import looked_at, packaged
from tabletape.projector.model.game import BotHints, Game, Slips

GAME = Game(
    **packaged(__name__, SplicersText, check_text, *turn.CHAPTERS, keywords=keywords_of),
    **Splicers.TURN.fields(turn.MOVES, freely={ev.TurnEnded: rounds.end_turn}, legal=turn.legal),
    opening=setup.opening,
    before=turn.before,
    finish=turn.finish,
    consequences=consequences_of(
        *turn.CHAPTERS,
        counted=cards.CONSEQUENCE,
        seats=setup.players_two,
        end=turns.nothing_after_end,
        usual=cards.unlike(),
        first=answering.after_an_answer,
        because=counting.contradicted,
    ),
    slips=Slips(cards.doubt, Splicers.TURN.turn_end),
    bots=BotHints(
        view.value,
        fill_in_chance=mulligan.fill_in_chance,
        under_deck=lambda table, player: table.players[player].bottom,
    ),
    **looked_at(view, "splicer", places=view.places),
    endings=("domination", "final-round", "final-round-sum", "final-round-draw", "concession", "abandoned"),
)
