"""Lanterns: all lay the cards of two colours in order, and nobody sees the own hand."""

from lanterns import happenings, rules, table
from tabletape.events.vocabulary import vocabulary_of
from tabletape.projector.model.cards import read_cards
from tabletape.projector.model.game import BotHints, Consequences, Game, Scoreboard, collect_rules
from tabletape.projector.model.rulebook import read_rulebook

RULEBOOK = read_rulebook(__name__)

GAME = Game(
    slug="lanterns",
    vocabulary=vocabulary_of(happenings),
    rulebook=RULEBOOK,
    cards=read_cards(__name__, table.Lantern),
    rules=collect_rules(RULEBOOK, rules),
    rows=rules.ROWS,
    opening=table.opening,
    play=table.PLAY,
    settle=table.settle,
    consequences=Consequences(rules.explain_mismatch, {happenings.GameEnded: table.ended}),
    actors=table.actors,
    due=table.due,
    bots=BotHints(table.value),
    scoreboard=Scoreboard(progress=lambda table_, _player: table.points(table_) / len(table_.library)),
    endings=("laid", "mistakes", "out-of-cards", "abandoned"),
)
