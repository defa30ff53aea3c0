"""Crystal Factions: two or more players deploy cards into three lanes, to mine 50 crystals or to outlast the others."""

# In the rulebook's order: `opening` is the set-up with the starting hands, `rounds` a round from its start to its
# end, `deploy_phase` (with `drawing`), `attack_phase` and `mining_phase` are its phases, `ending` says who is out
# and who has won; `abilities` and `effects` are what is printed on a card. `play` says what each line of a log
# does, `rules` what it may break, `enforcing` what a written consequence changes where it differs.

from events.games import crystal as ev
from events.vocabulary import vocabulary
from projector.games.crystal import legal, opening, play, rounds, view
from projector.games.crystal.abilities import keywords_of
from projector.games.crystal.enforcing import ENFORCE
from projector.games.crystal.rules import consequences, deploying, observed, rows
from projector.games.crystal.rules.doubt import doubt
from projector.games.crystal.state import CrystalText, check_text
from projector.model.cards import parse_cards, read_cards
from projector.model.game import Game, TurnEnd, collect_rules
from projector.model.rulebook import read_rulebook

RULEBOOK = read_rulebook(__name__)

GAME = Game(
    slug="crystal",
    title="Crystal Factions",
    vocabulary=vocabulary("crystal"),
    rulebook=RULEBOOK,
    cards=read_cards(__name__, CrystalText, check_text),
    read_cards=lambda source, name: parse_cards(source, name, CrystalText, check_text),
    rules=collect_rules(RULEBOOK, *rows.MODULES),
    rows=rows.rows,
    opening=opening.opening,
    play=play.PLAY,
    settle=rounds.settle,
    turn_end=TurnEnd(ev.DeployEnded, deploying.own_turn),
    explain_mismatch=consequences.explain_mismatch,
    doubt=doubt,
    enforce=ENFORCE,
    observe=observed.observe,
    gate=rows.gate,
    before=rows.before,
    actors=legal.actors,
    legal=legal.legal,
    due=legal.due,
    value=legal.value,
    foresight=5,
    progress=view.progress,
    totals=view.totals,
    dimensions=view.dimensions,
    areas=view.areas,
    places=view.places,
    keywords=lambda text: keywords_of(text.says),
    dimension_names=("faction",),
    total_names=view.TOTALS,
    endings=("last-standing", "all-eliminated", "crystals", "abandoned"),
)
