"""Splicers: two players place, evolve and splice strange things to dominate three of four bioms."""

from tabletape.events.games import splicers as ev
from tabletape.projector.games.splicers import gate, legal, luck, moves, opening, rounds, view
from tabletape.projector.games.splicers.abilities import keywords_of
from tabletape.projector.games.splicers.chapters import consequences, counting, doubt, mulligan, observed, turns
from tabletape.projector.games.splicers.schema import SplicersText, check_text
from tabletape.projector.games.splicers.turns import end_turn
from tabletape.projector.kit.packaged import packaged
from tabletape.projector.model.game import Game, TurnEnd

GAME = Game(
    **packaged(__name__, SplicersText, check_text, *moves.CHAPTERS),
    rows=moves.ROWS,
    gate=gate.gate,
    opening=opening.opening,
    play=moves.PLAY,
    freely={ev.TurnEnded: end_turn},
    before=gate.before,
    settle=rounds.settle,
    finish=gate.finish,
    turn_end=TurnEnd(ev.TurnEnded, turns.alternate, (ev.TurnPassed, ev.EventPlayed)),
    explain_mismatch=consequences.explain_mismatch,
    enforce=consequences.ENFORCE,
    consequence_rule=counting.CONSEQUENCE,
    doubt=doubt.doubt,
    observe=observed.observe,
    actors=legal.actors,
    legal=legal.legal,
    due=luck.due,
    fill_in_chance=luck.fill_in_chance,
    under_deck=mulligan.under_deck,
    value=luck.value,
    progress=view.progress,
    totals=view.totals,
    dimensions=view.dimensions,
    areas=view.areas,
    places=view.places,
    keywords=keywords_of,
    dimension_names=("splicer",),
    total_names=view.TOTALS,
    endings=("domination", "final-round", "final-round-sum", "final-round-draw", "concession", "abandoned"),
)
