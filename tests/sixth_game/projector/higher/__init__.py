"""Higher: two players lay numbered cards, the higher one takes the trick, two tricks win."""

from tabletape.events.games.higher import GameEnded
from tabletape.events.vocabulary import vocabulary
from tabletape.projector.games.higher import play, rules, state
from tabletape.projector.model.cards import parse_cards, read_cards
from tabletape.projector.model.game import Game, collect_rules
from tabletape.projector.model.rulebook import read_rulebook

RULEBOOK = read_rulebook(__name__)

GAME = Game(
    slug="higher",
    title="Higher",
    vocabulary=vocabulary("higher"),
    rulebook=RULEBOOK,
    cards=read_cards(__name__, state.Number, state.check),
    read_cards=lambda source, name: parse_cards(source, name, state.Number, state.check),
    rules=collect_rules(RULEBOOK, rules),
    rows=rules.ROWS,
    opening=state.opening,
    play=play.PLAY,
    settle=play.settle,
    explain_mismatch=rules.explain_mismatch,
    observe=rules.observe,
    gate=rules.gate,
    enforce={GameEnded: play.ended},
    actors=state.actors,
    legal=state.legal,
    due=state.due,
    value=lambda table, player: float(table.players[player].tricks),
    progress=lambda table, player: table.players[player].tricks / 2,
    totals=lambda table, player: {"tricks": table.players[player].tricks},
    dimensions=lambda _table, _player: {},
    areas=state.areas,
    places=lambda table: {"trick": {player.id: player.tricks for player in table.players.values()}},
    total_names=("tricks",),
    endings=("tricks", "abandoned"),
)
