"""Crystal Factions: two or more players deploy cards into three lanes, to mine 50 crystals or to outlast the others."""

from tabletape.projector.games.crystal import turn, view
from tabletape.projector.games.crystal.abilities import keywords_of
from tabletape.projector.games.crystal.chapters import choosing, setup, winning
from tabletape.projector.games.crystal.schema import CrystalText, check_text
from tabletape.projector.games.crystal.state import Crystal
from tabletape.projector.kit.consequence import consequences_of
from tabletape.projector.kit.packaged import looked_at, packaged
from tabletape.projector.model.game import BotHints, Game, Slips

GAME = Game(
    **packaged(__name__, CrystalText, check_text, *turn.CHAPTERS, keywords=keywords_of),
    **Crystal.TURN.fields(turn.MOVES),
    consequences=consequences_of(
        *turn.CHAPTERS, also=Crystal.TURN.follows, seats=setup.two_or_more, end=winning.nothing_after_end
    ),
    opening=setup.opening,
    before=turn.before,
    slips=Slips(choosing.doubt, Crystal.TURN.turn_end, bring_forward=Crystal.TURN.bring_forward),
    bots=BotHints(view.value, foresight=5),
    **looked_at(view, "faction", places=view.places),
    endings=("last-standing", "all-eliminated", "crystals", "abandoned"),
)
