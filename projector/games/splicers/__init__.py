"""Splicers: two players place, evolve and splice strange things to dominate three of four bioms."""

from events.games import splicers as ev
from events.vocabulary import vocabulary
from projector.games.splicers.abilities import words_of
from projector.games.splicers.enforcing import ENFORCE
from projector.games.splicers.legal import actors, legal
from projector.games.splicers.luck import due, fill_in_chance, value
from projector.games.splicers.play import PLAY
from projector.games.splicers.preparing import under_deck
from projector.games.splicers.rounds import settle
from projector.games.splicers.rules import consequences, counting, observed, turns
from projector.games.splicers.rules.doubt import doubt
from projector.games.splicers.rules.rows import MODULES, before, finish, gate, rows
from projector.games.splicers.schema import check_text
from projector.games.splicers.state import SplicersText, opening
from projector.games.splicers.view import TOTALS, areas, dimensions, places, progress, totals
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
    rules=collect_rules(RULEBOOK, *MODULES),
    rows=rows,
    opening=opening,
    play=PLAY,
    settle=settle,
    turn_end=TurnEnd(ev.TurnEnded, turns.alternate, (ev.TurnPassed, ev.EventPlayed)),
    explain_mismatch=consequences.explain_mismatch,
    enforce=ENFORCE,
    consequence_rule=counting.CONSEQUENCE,
    doubt=doubt,
    observe=observed.observe,
    gate=gate,
    before=before,
    finish=finish,
    actors=actors,
    legal=legal,
    due=due,
    fill_in_chance=fill_in_chance,
    under_deck=under_deck,
    value=value,
    progress=progress,
    totals=totals,
    dimensions=dimensions,
    areas=areas,
    places=places,
    keywords=lambda text: words_of(text.abilities),
    dimension_names=("splicer",),
    total_names=TOTALS,
    endings=("domination", "final-round", "final-round-sum", "final-round-draw", "concession", "abandoned"),
)
