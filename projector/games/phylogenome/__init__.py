"""PhyloGenome: two players lay sequencing projects into one tableau; the most points win."""

from tabletape.projector.games.phylogenome import looks, offers, turn, view
from tabletape.projector.games.phylogenome.abilities import keywords_of
from tabletape.projector.games.phylogenome.chapters import cards, discarding, setup, winning
from tabletape.projector.games.phylogenome.schema import PhyloText, check_text
from tabletape.projector.games.phylogenome.state import Phylo
from tabletape.projector.kit.consequence import consequences_of
from tabletape.projector.kit.packaged import looked_at, packaged, rules_by_id
from tabletape.projector.model.game import BotHints, Game, Shortlist, Slips

GAME = Game(
    **packaged(__name__, PhyloText, check_text, *turn.CHAPTERS, keywords=keywords_of),
    **Phylo.TURN.fields(turn.MOVES, legal=offers.legal),
    opening=setup.opening,
    consequences=consequences_of(
        *turn.CHAPTERS,
        seats=setup.two_players,
        end=winning.nothing_after_end,
        rules=rules_by_id(__name__, *turn.CHAPTERS),
        usual=discarding.EVENT_LINES,
        because=winning.contradicted,
    ),
    slips=Slips(cards.doubt, Phylo.TURN.turn_end),
    shortlist=Shortlist(offers.offers, offers.more),
    bots=BotHints(
        looks.value,
        look=looks.PhyloGlance,
        sample=offers.sample,
        fill_in_chance=looks.fill_in_chance,
        under_deck=setup.under_deck,
    ),
    **looked_at(view, "kingdom", points_and_totals=view.points_and_totals),
    endings=tuple(winning.ENDS),
)
