"""Splicers: two players place, evolve and splice strange things to dominate three of four bioms."""

from tabletape.events.games import splicers as ev
from tabletape.projector.games.splicers import gate, legal, luck, moves, opening, rounds, view
from tabletape.projector.games.splicers.abilities import keywords_of
from tabletape.projector.games.splicers.chapters import consequences, counting, doubt, mulligan, observed, turns
from tabletape.projector.games.splicers.schema import SplicersText, check_text
from tabletape.projector.games.splicers.turns import end_turn
from tabletape.projector.kit.adopting import by_type
from tabletape.projector.kit.packaged import packaged
from tabletape.projector.model.game import BotHints, Consequences, Game, Scoreboard, Slips, TurnEnd

GAME = Game(
    **packaged(__name__, SplicersText, check_text, *moves.CHAPTERS, keywords=keywords_of),
    rows=moves.ROWS,
    gate=gate.gate,
    opening=opening.opening,
    play=moves.PLAY,
    freely={ev.TurnEnded: end_turn},
    before=gate.before,
    settle=rounds.settle,
    finish=gate.finish,
    consequences=Consequences(consequences.explain_mismatch, by_type(consequences.ENFORCE), counting.CONSEQUENCE),
    slips=Slips(doubt.doubt, TurnEnd(ev.TurnEnded, turns.alternate, (ev.TurnPassed, ev.EventPlayed))),
    observe=observed.observe,
    actors=legal.actors,
    legal=legal.legal,
    due=luck.due,
    bots=BotHints(luck.value, fill_in_chance=luck.fill_in_chance, under_deck=mulligan.under_deck),
    scoreboard=Scoreboard(
        progress=view.progress,
        totals=view.totals,
        dimensions=view.dimensions,
        places=view.places,
        dimension_names=("splicer",),
        total_names=view.TOTALS,
    ),
    areas=view.areas,
    endings=("domination", "final-round", "final-round-sum", "final-round-draw", "concession", "abandoned"),
)
