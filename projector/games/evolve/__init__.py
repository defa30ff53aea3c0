"""Evolve: single-celled organisms become more complex, or leave the other player with nothing but food."""

from events.vocabulary import vocabulary
from projector.cards import parse_cards, read_cards
from projector.game import Game, collect_rules
from projector.games.evolve import play, rules, state, turns
from projector.games.evolve.abilities import keywords_of
from projector.games.evolve.rules import actions, cards, events, results, setup, turn
from projector.rulebook import read_rulebook

RULEBOOK = read_rulebook(__name__)

GAME = Game(
    slug="evolve",
    title="Evolve",
    vocabulary=vocabulary("evolve"),
    rulebook=RULEBOOK,
    cards=read_cards(__name__, state.EvolveText, state.check),
    read_cards=lambda source, name: parse_cards(source, name, state.EvolveText, state.check),
    rules=collect_rules(RULEBOOK, setup, turn, cards, actions, events, results),
    rows=lambda _ruleset: rules.ROWS,
    opening=state.opening,
    play=play.PLAY,
    settle=play.settle,
    before=turns.before,
    finish=turns.finish,
    gate=results.gate,
    wrong=results.wrong,
    observe=results.observe,
    actors=lambda t: (),
    legal=lambda t, p: [],
    chance=lambda t, d: None,
    value=lambda t, p: 0.0,
    progress=lambda t, p: 0.0,
    totals=lambda t, p: {},
    dimensions=lambda t, p: {},
    areas=lambda t, v: [],
    keywords=lambda text: keywords_of(text.says),
    endings=tuple(results.ENDINGS),
)
