"""Duelyst-style tactics game: two generals lead minions, artifacts and spells on a board; whose general dies loses."""

from functools import partial

from events.vocabulary import vocabulary
from projector.cards import parse_cards, read_cards
from projector.game import Game
from projector.games.duelyst.agenda import settle
from projector.games.duelyst.book import RULEBOOK, RULES
from projector.games.duelyst.drawing import TOTAL_NAMES, areas, dimensions, keywords, progress, totals
from projector.games.duelyst.judging import gate, observe, wrong
from projector.games.duelyst.legal import actors, chance, complete, legal, value
from projector.games.duelyst.play import PLAY
from projector.games.duelyst.rules import rows
from projector.games.duelyst.state import DuelystText, check_text, opening

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
    wrong=wrong,
    observe=observe,
    gate=gate,
    actors=actors,
    legal=legal,
    chance=chance,
    complete=complete,
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
