"""Duelyst-style tactics game: two generals lead minions, artifacts and spells on a board; whose general dies loses."""

from tabletape.projector.games.duelyst import looks, owed, turn, view
from tabletape.projector.games.duelyst.abilities import keywords_of
from tabletape.projector.games.duelyst.chapters import cards, mulligan, setup
from tabletape.projector.games.duelyst.schema import DuelystText, check_text
from tabletape.projector.games.duelyst.state import Duelyst
from tabletape.projector.kit.consequence import consequences_of
from tabletape.projector.kit.packaged import looked_at, packaged
from tabletape.projector.model.game import BotHints, Game, Slips

GAME = Game(
    **packaged(__name__, DuelystText, check_text, *turn.CHAPTERS, makes=("token", "token-spell"), keywords=keywords_of),
    **Duelyst.TURN.fields(turn.MOVES, settle=owed.settle, legal=turn.legal),
    opening=setup.opening,
    before=turn.before,
    finish=turn.finish,
    consequences=consequences_of(
        *turn.CHAPTERS,
        seats=setup.two_players,
        end=setup.nothing_after_end,
        rules=turn.RULES_BY_ID,
        usual=cards.AS_A_CARD_SAYS,
        first=turn.too_early,
        may_adopt=cards.may_adopt,
    ),
    slips=Slips(cards.doubt, Duelyst.TURN.turn_end),
    bots=BotHints(view.value, look=looks.DuelystGlance, fill_in_chance=mulligan.fill_in_chance),
    **looked_at(view, "faction", "general"),
    endings=("general-killed", "both-generals-killed", "concession", "abandoned", "empty-deck"),
)
