"""Evolve: single-celled organisms become more complex, or leave the other player with nothing but food."""

from functools import partial

from tabletape.events.games import evolve as ev
from tabletape.projector.games.evolve import gate, legal, looks, moves, resolving, view
from tabletape.projector.games.evolve.abilities import keywords_of
from tabletape.projector.games.evolve.chapters import begin_step, cards, consuming, end_step, mulligans, setup, winning
from tabletape.projector.games.evolve.schema import EvolveText, check_text
from tabletape.projector.kit.consequence import Follows, consequences_of
from tabletape.projector.kit.packaged import packaged
from tabletape.projector.model.game import BotHints, Game, Scoreboard, Slips, TurnEnd

GAME = Game(
    **packaged(__name__, EvolveText, check_text, *moves.CHAPTERS, view, keywords=keywords_of),
    rows=moves.ROWS,
    gate=gate.gate,
    opening=setup.opening,
    play=moves.PLAY,
    before=gate.before,
    settle=resolving.settle,
    finish=gate.finish,
    consequences=consequences_of(
        *moves.CHAPTERS,
        counted=cards.state_consequence,
        seats=setup.players_two,
        end=winning.nothing_after_end,
        usual=Follows(rule=cards.state_consequence),
        first=cards.may_come_of_a_card,
        because=consuming.same_fate,
    ),
    slips=Slips(
        partial(cards.doubt, moves.ROWS),
        TurnEnd(ev.TurnEnded, begin_step.turn_alternate, lost_with_it=(begin_step.begin_draw, end_step.hand_limit)),
        begin_step.unsaid_unstress,
    ),
    observe=view.observe,
    actors=legal.actors,
    legal=legal.legal,
    due=legal.due,
    bots=BotHints(
        view.value,
        settled=(resolving.resolve_all,),
        looked_at=120,  # it plays on as the greedy bot does, which takes longer and tells more
        iterations=100,
        look=looks.EvolveGlance,
        sample=legal.sample,
        fill_in_chance=mulligans.fill_in_chance,
        under_deck=lambda table, player: table.players[player].bottom,
    ),
    scoreboard=Scoreboard(
        progress=view.progress,
        totals=view.totals,
        dimensions=lambda table, player: {"phylum": table.players[player].phylum},
        dimension_names=("phylum",),
        total_names=view.TOTALS,
    ),
    areas=view.areas,
    endings=tuple(winning.ENDINGS),
)
