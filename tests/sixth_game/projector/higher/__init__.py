"""Higher: two players lay numbered cards, the higher one takes the trick, two tricks win."""

from tabletape.events.vocabulary import vocabulary
from tabletape.projector.games.higher import play, rules, state
from tabletape.projector.model.cards import read_cards
from tabletape.projector.model.game import BotHints, Consequences, Game, Scoreboard, collect_rules
from tabletape.projector.model.rulebook import read_rulebook

RULEBOOK = read_rulebook(__name__)

GAME = Game(
    slug="higher",
    vocabulary=vocabulary("higher"),
    rulebook=RULEBOOK,
    cards=read_cards(__name__, state.Number, state.check),
    rules=collect_rules(RULEBOOK, rules),
    rows=rules.ROWS,
    opening=state.opening,
    play=play.PLAY,
    settle=play.settle,
    observe=rules.observe,
    gate=rules.gate,
    consequences=Consequences(rules.explain_mismatch, play.ended),
    actors=state.actors,
    due=state.due,
    bots=BotHints(lambda table, player: float(table.players[player].tricks)),
    scoreboard=Scoreboard(
        progress=lambda table, player: table.players[player].tricks / 2,
        totals=lambda table, player: {"tricks": table.players[player].tricks},
        places=lambda table: {"trick": {player.id: player.tricks for player in table.players.values()}},
        total_names=("tricks",),
    ),
    areas=state.areas,
    endings=("tricks", "abandoned"),
)
