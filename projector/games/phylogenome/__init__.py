"""PhyloGenome: two players lay sequencing projects into one tableau; the most points win."""

from events.games import phylogenome as ev
from projector.games.phylogenome import enforcing, legal, luck, opening, play, sampling, turns, view
from projector.games.phylogenome.abilities import keywords_of
from projector.games.phylogenome.rules import acting, carried_out, consequences, doubt, observed, rows
from projector.games.phylogenome.rules import luck as from_luck
from projector.games.phylogenome.schema import PhyloText, check_text
from projector.kit.packaged import packaged
from projector.model.game import Game, TurnEnd

GAME = Game(
    **packaged(__name__, PhyloText, check_text, *rows.MODULES),
    rows=rows.ROWS,
    gate=rows.gate,
    opening=opening.opening,
    play=play.PLAY,
    settle=turns.settle,
    turn_end=TurnEnd(ev.TurnEnded, acting.active_player, lost_with_it=(from_luck.start_abilities, from_luck.draw_one)),
    explain_mismatch=consequences.explain_mismatch,
    enforce=enforcing.ENFORCE,
    doubt=doubt.doubt,
    observe=observed.observe,
    actors=legal.actors,
    legal=legal.legal,
    offers=legal.offers,
    more=legal.more,
    sample=sampling.sample,
    due=luck.due,
    fill_in_chance=luck.fill_in_chance,
    under_deck=opening.under_deck,
    value=luck.value,
    progress=view.progress,
    points=view.points,
    totals=view.totals,
    dimensions=view.dimensions,
    areas=view.areas,
    keywords=keywords_of,
    dimension_names=("kingdom",),
    total_names=view.TOTALS,
    endings=tuple(carried_out.ENDS),
)
