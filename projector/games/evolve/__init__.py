"""Evolve: single-celled organisms become more complex, or leave the other player with nothing but food."""

from functools import partial

from tabletape.projector.games.evolve import looks, offers, steps, turn, view
from tabletape.projector.games.evolve.abilities import keywords_of
from tabletape.projector.games.evolve.chapters import begin_step, cards, consuming, mulligans, setup, winning
from tabletape.projector.games.evolve.schema import EvolveText, check_text
from tabletape.projector.kit.consequence import Follows, consequences_of
from tabletape.projector.kit.moves import play_of
from tabletape.projector.kit.packaged import looked_at, packaged
from tabletape.projector.model.game import BotHints, Game, Slips

GAME = Game(
    **packaged(__name__, EvolveText, check_text, *turn.CHAPTERS, view, keywords=keywords_of),
    rows=turn.ROWS,
    play=play_of(turn.MOVES),
    gate=turn.gate,
    before=turn.before,
    settle=steps.settle,
    finish=turn.finish,
    opening=setup.opening,
    consequences=consequences_of(
        *turn.CHAPTERS,
        counted=cards.state_consequence,
        seats=setup.players_two,
        end=winning.nothing_after_end,
        usual=Follows(rule=cards.state_consequence),
        first=cards.may_come_of_a_card,
        because=consuming.same_fate,
    ),
    slips=Slips(partial(cards.doubt, turn.ROWS), turn.TURN_END, begin_step.unsaid_unstress),
    actors=offers.actors,
    legal=offers.legal,
    due=offers.due,
    bots=BotHints(
        view.value,
        settled=(steps.resolve_all,),
        looked_at=120,  # it plays on as the greedy bot does, which takes longer and tells more
        iterations=100,
        look=looks.EvolveGlance,
        sample=offers.sample,
        fill_in_chance=mulligans.fill_in_chance,
        under_deck=lambda table, player: table.players[player].bottom,
    ),
    **looked_at(view, "phylum"),
    endings=tuple(winning.ENDINGS),
)
