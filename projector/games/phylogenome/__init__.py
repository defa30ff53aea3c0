"""PhyloGenome: two players lay sequencing projects into one tableau; the most points win."""

from tabletape.events.games import phylogenome as ev
from tabletape.projector.games.phylogenome import gate, legal, looks, luck, moves, opening, sampling, view
from tabletape.projector.games.phylogenome.abilities import keywords_of
from tabletape.projector.games.phylogenome.chapters import cards, discarding, drawing, setup, turns, winning
from tabletape.projector.games.phylogenome.schema import PhyloText, check_text
from tabletape.projector.games.phylogenome.turns import settle
from tabletape.projector.kit.consequence import consequences_of
from tabletape.projector.kit.packaged import packaged
from tabletape.projector.model.game import BotHints, Game, Scoreboard, Shortlist, Slips, TurnEnd

GAME = Game(
    **packaged(__name__, PhyloText, check_text, *moves.CHAPTERS, keywords=keywords_of),
    rows=moves.ROWS,
    gate=gate.gate,
    opening=opening.opening,
    play=moves.PLAY,
    settle=settle,
    consequences=consequences_of(
        *moves.CHAPTERS,
        seats=setup.two_players,
        end=winning.nothing_after_end,
        rules=moves.BY_ID,
        usual=discarding.AS_EVENTS_SAY,
        because=winning.contradicted,
    ),
    slips=Slips(
        cards.doubt,
        TurnEnd(ev.TurnEnded, turns.active_player, lost_with_it=(drawing.start_abilities, drawing.draw_one)),
    ),
    observe=view.observe,
    actors=legal.actors,
    legal=legal.legal,
    shortlist=Shortlist(legal.offers, legal.more),
    due=luck.due,
    bots=BotHints(
        luck.value,
        alike=looks.alike,
        at_most=looks.at_most,
        sample=sampling.sample,
        fill_in_chance=luck.fill_in_chance,
        under_deck=setup.under_deck,
    ),
    scoreboard=Scoreboard(
        progress=view.progress,
        points_and_totals=view.points_and_totals,
        totals=view.totals,
        dimensions=view.dimensions,
        dimension_names=("kingdom",),
        total_names=view.TOTALS,
    ),
    areas=view.areas,
    endings=tuple(winning.ENDS),
)
