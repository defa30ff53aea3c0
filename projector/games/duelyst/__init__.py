"""Duelyst-style tactics game: two generals lead minions, artifacts and spells on a board; whose general dies loses."""

from functools import partial

from events.games import duelyst as ev
from events.vocabulary import vocabulary
from projector.games.duelyst.book import RULEBOOK, RULES
from projector.games.duelyst.doubt import doubt
from projector.games.duelyst.judging import gate
from projector.games.duelyst.legal import actors, due, fill_in_chance, legal, value
from projector.games.duelyst.opening import opening
from projector.games.duelyst.overdue import before, finish
from projector.games.duelyst.owed import settle
from projector.games.duelyst.play import PLAY
from projector.games.duelyst.rules import cards, rows
from projector.games.duelyst.rules.consequences import ENFORCE, explain_mismatch
from projector.games.duelyst.rules.observed import observe
from projector.games.duelyst.schema import check_text
from projector.games.duelyst.state import DuelystText
from projector.games.duelyst.view import TOTAL_NAMES, areas, dimensions, keywords, progress, totals
from projector.model.cards import parse_cards, read_cards
from projector.model.game import Game, TurnEnd

GAME = Game(
    slug="duelyst",
    title=RULEBOOK.title,
    vocabulary=vocabulary("duelyst"),
    rulebook=RULEBOOK,
    cards=read_cards("projector.games.duelyst", DuelystText, check_text),
    read_cards=partial(parse_cards, text_type=DuelystText, check=check_text),
    rules=RULES,
    rows=rows,
    opening=opening,
    play=PLAY,
    settle=settle,
    turn_end=TurnEnd(ev.TurnEnded, cards.active_player),
    explain_mismatch=explain_mismatch,
    doubt=doubt,
    enforce=ENFORCE,
    observe=observe,
    gate=gate,
    finish=finish,
    before=before,
    actors=actors,
    legal=legal,
    due=due,
    fill_in_chance=fill_in_chance,
    value=value,
    progress=progress,
    totals=totals,
    dimensions=dimensions,
    areas=areas,
    keywords=keywords,
    dimension_names=("faction", "general"),
    total_names=TOTAL_NAMES,
    endings=("general-killed", "both-generals-killed", "concession", "abandoned", "empty-deck"),
)
