"""Splicers: two players place, evolve and splice strange things to dominate three of four bioms."""

from events.games import splicers as ev
from events.vocabulary import vocabulary
from projector.games.splicers import enforcing, legal, luck, opening, play, rounds, view
from projector.games.splicers.abilities import keywords_of
from projector.games.splicers.rules import consequences, counting, doubt, observed, rows, turns
from projector.games.splicers.schema import check_text
from projector.games.splicers.state import SplicersText
from projector.model.cards import parse_cards, read_cards
from projector.model.game import Game, TurnEnd, collect_rules
from projector.model.rulebook import read_rulebook

RULEBOOK = read_rulebook(__name__)

GAME = Game(
    slug="splicers",
    title="Splicers",
    vocabulary=vocabulary("splicers"),
    rulebook=RULEBOOK,
    cards=read_cards(__name__, SplicersText, check_text),
    read_cards=lambda source, name: parse_cards(source, name, SplicersText, check_text),
    rules=collect_rules(RULEBOOK, *rows.MODULES),
    rows=rows.ROWS,
    gate=rows.gate,
    opening=opening.opening,
    play=play.PLAY,
    before=rows.before,
    settle=rounds.settle,
    finish=rows.finish,
    turn_end=TurnEnd(ev.TurnEnded, turns.alternate, (ev.TurnPassed, ev.EventPlayed)),
    explain_mismatch=consequences.explain_mismatch,
    enforce=enforcing.ENFORCE,
    consequence_rule=counting.CONSEQUENCE,
    doubt=doubt.doubt,
    observe=observed.observe,
    actors=legal.actors,
    legal=legal.legal,
    due=luck.due,
    fill_in_chance=luck.fill_in_chance,
    under_deck=opening.under_deck,
    value=luck.value,
    progress=view.progress,
    totals=view.totals,
    dimensions=view.dimensions,
    areas=view.areas,
    places=view.places,
    keywords=keywords_of,
    dimension_names=("splicer",),
    total_names=view.TOTALS,
    endings=("domination", "final-round", "final-round-sum", "final-round-draw", "concession", "abandoned"),
)
