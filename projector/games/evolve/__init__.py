"""Evolve: single-celled organisms become more complex, or leave the other player with nothing but food."""

from events.games import evolve as ev
from projector.games.evolve import enforcing, legal, luck, opening, play, sampling, steps, view
from projector.games.evolve.abilities import keywords_of
from projector.games.evolve.rules import consequences, doubt, forgetting, observed, rows, turn
from projector.games.evolve.schema import EvolveText, check_text
from projector.kit.packaged import packaged
from projector.model.game import Game, TurnEnd

GAME = Game(
    **packaged(__name__, EvolveText, check_text, *rows.MODULES),
    rows=rows.ROWS,
    gate=rows.gate,
    opening=opening.opening,
    play=play.PLAY,
    before=steps.before,
    settle=play.settle,
    finish=steps.finish,
    turn_end=TurnEnd(ev.TurnEnded, turn.turn_alternate, lost_with_it=(turn.begin_draw, turn.hand_limit)),
    forgotten=forgetting.unsaid_unstress,
    explain_mismatch=consequences.explain_mismatch,
    enforce=enforcing.ENFORCE,
    consequence_rule=consequences.state_consequence,
    doubt=doubt.doubt,
    observe=observed.observe,
    actors=legal.actors,
    legal=legal.legal,
    sample=sampling.sample,
    due=luck.due,
    fill_in_chance=luck.fill_in_chance,
    under_deck=lambda table, player: table.players[player].bottom,
    value=luck.value,
    progress=view.progress,
    totals=view.totals,
    dimensions=lambda table, player: {"phylum": table.players[player].phylum},
    areas=view.areas,
    keywords=keywords_of,
    dimension_names=("phylum",),
    total_names=view.TOTALS,
    endings=tuple(consequences.ENDINGS),
)
