"""Games without rules: any table with zones, cards, counters and turns; the audit keeps books and no more."""

from functools import partial

from tabletape.events.vocabulary import vocabulary
from tabletape.events.vocabulary.open_games import OpenGame
from tabletape.projector.model.cards import Cards, parse_cards
from tabletape.projector.model.game import Game, collect_rules
from tabletape.projector.model.rulebook import Edition, Rulebook
from tabletape.projector.model.things import CardText
from tabletape.projector.tabletop import offers, play, rules, state, view

ENDINGS = ("concession", "abandoned")
"""Ways to end that every table knows; a game's file adds its own."""


def game_of(described: OpenGame) -> Game:
    """Return the game of a table that a file (or nobody) describes."""
    return Game(
        slug=described.slug,
        title=described.title,
        vocabulary=vocabulary(described.slug),
        rulebook=Rulebook(title=described.title, source="", editions=(Edition(label="unknown"),), open=True),
        cards=Cards({}, {}),
        read_cards=lambda source, name: parse_cards(source, name, CardText, lambda _: None),
        rules=collect_rules(Rulebook(title="", source="", editions=()), rules),
        rows=rules.ROWS,
        opening=partial(state.opening, described),
        play=play.PLAY,
        settle=lambda _: None,
        explain_mismatch=rules.explain_mismatch,
        observe=rules.observe,
        gate=rules.gate,
        actors=lambda _: (),
        legal=lambda _table, _player: (),
        offers=offers.offers,
        due=lambda _table: (),
        value=lambda _table, _player: 0.0,
        progress=partial(view.progress, described),
        totals=view.totals,
        points=partial(view.points, described),
        dimensions=lambda _table, _player: {},
        areas=view.areas,
        total_names=(*(name.removesuffix(" shared") for name in described.counters), "hand"),
        endings=tuple(dict.fromkeys((*described.endings, *ENDINGS))),
    )
