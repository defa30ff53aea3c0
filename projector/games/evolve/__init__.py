"""Evolve: single-celled organisms become more complex, or leave the other player with nothing but food."""

from functools import partial

from tabletape.events.games import evolve as ev
from tabletape.projector.games.evolve import gate, legal, luck, moves, opening, resolving, sampling, view
from tabletape.projector.games.evolve.abilities import keywords_of
from tabletape.projector.games.evolve.chapters import (
    begin_step,
    consequences,
    doubt,
    end_step,
    mulligans,
    observed,
    winning,
)
from tabletape.projector.games.evolve.schema import EvolveText, check_text
from tabletape.projector.kit.adopting import by_type
from tabletape.projector.kit.packaged import packaged
from tabletape.projector.model.game import BotHints, Consequences, Game, Scoreboard, Slips, TurnEnd

GAME = Game(
    **packaged(__name__, EvolveText, check_text, *moves.CHAPTERS, consequences, observed, keywords=keywords_of),
    rows=moves.ROWS,
    gate=gate.gate,
    opening=opening.opening,
    play=moves.PLAY,
    before=gate.before,
    settle=resolving.settle,
    finish=gate.finish,
    consequences=Consequences(
        consequences.explain_mismatch, by_type(consequences.ENFORCE), consequences.state_consequence
    ),
    slips=Slips(
        partial(doubt.doubt, moves.ROWS),
        TurnEnd(ev.TurnEnded, begin_step.turn_alternate, lost_with_it=(begin_step.begin_draw, end_step.hand_limit)),
        begin_step.unsaid_unstress,
    ),
    observe=observed.observe,
    actors=legal.actors,
    legal=legal.legal,
    due=luck.due,
    bots=BotHints(
        luck.value,
        sample=sampling.sample,
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
