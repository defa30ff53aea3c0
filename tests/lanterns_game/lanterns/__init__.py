"""Lanterns: all lay the cards of two colours in order, and nobody sees the own hand."""

from lanterns import happenings, rules, table
from tabletape.events.vocabulary import vocabulary_of
from tabletape.projector.model.cards import parse_cards, read_cards
from tabletape.projector.model.game import Game, collect_rules
from tabletape.projector.model.rulebook import read_rulebook

RULEBOOK = read_rulebook(__name__)

GAME = Game(
    slug="lanterns",
    title="Lanterns",
    vocabulary=vocabulary_of(happenings),
    rulebook=RULEBOOK,
    cards=read_cards(__name__, table.Lantern, lambda _card: None),
    read_cards=lambda source, name: parse_cards(source, name, table.Lantern, lambda _card: None),
    rules=collect_rules(RULEBOOK, rules),
    rows=rules.ROWS,
    opening=table.opening,
    play=table.PLAY,
    settle=table.settle,
    explain_mismatch=rules.explain_mismatch,
    observe=lambda _table, _event: (),
    gate=rules.gate,
    enforce={happenings.GameEnded: table.ended},
    actors=table.actors,
    legal=table.legal,
    due=table.due,
    value=table.value,
    progress=lambda table_, _player: table.points(table_) / len(table_.library),
    totals=lambda _table, _player: {},
    dimensions=lambda _table, _player: {},
    areas=table.areas,
    endings=("laid", "mistakes", "out-of-cards", "abandoned"),
)
