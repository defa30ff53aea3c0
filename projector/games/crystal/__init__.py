"""Crystal Factions: two or more players deploy cards into three lanes, to mine 50 crystals or to outlast the others."""

from tabletape.events.games import crystal as ev
from tabletape.projector.games.crystal import gate, legal, luck, moves, opening, view
from tabletape.projector.games.crystal.abilities import keywords_of
from tabletape.projector.games.crystal.chapters import consequences, deploy_phase, doubt, drawing, observed, rounds
from tabletape.projector.games.crystal.schema import CrystalText, check_text
from tabletape.projector.kit.packaged import packaged
from tabletape.projector.model.game import Game, TurnEnd

GAME = Game(
    **packaged(__name__, CrystalText, check_text, *moves.CHAPTERS),
    rows=moves.ROWS,
    gate=gate.gate,
    opening=opening.opening,
    play=moves.PLAY,
    before=gate.before,
    settle=rounds.settle,
    turn_end=TurnEnd(
        ev.DeployEnded,
        deploy_phase.own_turn,
        lost_with_it=(drawing.one_per_turn, drawing.resolve_first),
        may_be_followed_by_own=True,
    ),
    explain_mismatch=consequences.MISMATCHES.explain,
    enforce=consequences.ENFORCE,
    doubt=doubt.doubt,
    observe=observed.observe,
    actors=legal.actors,
    legal=legal.legal,
    due=luck.due,
    value=luck.value,
    foresight=5,
    progress=view.progress,
    totals=view.totals,
    dimensions=view.dimensions,
    areas=view.areas,
    places=view.places,
    keywords=keywords_of,
    dimension_names=("faction",),
    total_names=view.TOTALS,
    endings=("last-standing", "all-eliminated", "crystals", "abandoned"),
)
