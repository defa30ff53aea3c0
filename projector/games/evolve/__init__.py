"""Evolve: single-celled organisms become more complex, or leave the other player with nothing but food."""

from events.games import evolve as ev
from events.vocabulary import vocabulary
from projector.games.evolve import decks, enforcing, legal, opening, play, rules, sampling, state, steps, view
from projector.games.evolve.abilities import keywords_of
from projector.games.evolve.rules import (
    actions,
    cards,
    consequences,
    events,
    evolving,
    lists,
    mulligans,
    observed,
    setup,
    turn,
    unsaid_order,
)
from projector.model.cards import parse_cards, read_cards
from projector.model.game import Game, TurnEnd, collect_rules
from projector.model.rulebook import read_rulebook

RULEBOOK = read_rulebook(__name__)

GAME = Game(
    slug="evolve",
    title="Evolve",
    vocabulary=vocabulary("evolve"),
    rulebook=RULEBOOK,
    cards=read_cards(__name__, state.EvolveText, state.check),
    read_cards=lambda source, name: parse_cards(source, name, state.EvolveText, state.check),
    rules=collect_rules(
        RULEBOOK, setup, lists, mulligans, turn, cards, actions, evolving, events, consequences, observed
    ),
    rows=lambda _ruleset: rules.ROWS,
    opening=opening.opening,
    play=play.PLAY,
    settle=play.settle,
    before=steps.before,
    finish=steps.finish,
    enforce=enforcing.ENFORCE,
    gate=consequences.gate,
    turn_end=TurnEnd(ev.TurnEnded, turn.turn_alternate, lost_with_it=(turn.hand_limit,)),
    explain_mismatch=consequences.explain_mismatch,
    consequence_rule=consequences.state_consequence,
    observe=observed.observe,
    doubt=unsaid_order.doubt,
    actors=legal.actors,
    legal=legal.legal,
    sample=sampling.sample,
    due=legal.due,
    fill_in_chance=legal.fill_in_chance,
    under_deck=decks.under_deck,
    value=legal.value,
    progress=view.progress,
    totals=view.totals,
    dimensions=view.dimensions,
    areas=view.areas,
    keywords=lambda text: keywords_of(text.says),
    dimension_names=("phylum",),
    total_names=view.TOTALS,
    endings=tuple(consequences.ENDINGS),
)
