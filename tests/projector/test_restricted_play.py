"""Restricted play in every game: those of the program, those of files, and those of packages."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec import UNSET

from tabletape.dashboard.what_if import outcome_of
from tabletape.events.vocabulary import Decision, Event, fields_of, tag_of
from tabletape.events.vocabulary.names import card_of
from tabletape.events.vocabulary.open_games import look_in
from tabletape.projector.games import game, games
from tabletape.projector.model.game import Game
from tabletape.projector.selfplay.kinds import Bot
from tabletape.projector.selfplay.restriction import NOTHING, Never, Restriction, parse_never
from tabletape.projector.selfplay.simulate import Match, Plan, usual_seats
from tabletape.projector.selfplay.what_if import Experiment, play_pair
from tests.installed import installed

TESTS = Path(__file__).parents[1]
FILES = sorted((TESTS.parent / "docs" / "own-games").glob("*.toml"))
PACKAGES = {"hanabi": "hanabi_game", "lanterns": "small_games", "market": "small_games", "tricks": "small_games"}
LOOKED_AT = 40
"""Decisions with an alternative, the first ones of a game: what is forbidden is chosen among these."""


@contextmanager
def known(slug: str, kind: str, place: Path) -> Iterator[Game]:
    """Make a game known, by its file or its package where it has one."""
    if kind == "package":
        with installed(slug, TESTS / PACKAGES[slug], place) as one:
            yield one
    elif kind == "file":
        (place / "games").mkdir()
        (place / "games" / f"{slug}.toml").write_bytes((FILES[0].parent / f"{slug}.toml").read_bytes())
        look_in(place)
        yield game(slug)
        look_in(TESTS)
    else:
        yield game(slug)


def played(one: Game, may_not: Restriction = NOTHING) -> Match:
    """Return a game of random bots in which the first seat may not do something."""
    bots = (Bot.RANDOM,) * usual_seats(one)
    match = Match(one, one.cards, Plan(seed=4, bots=bots, limit=150, restrictions={"A": may_not}), 1)
    match.play()
    return match


def decided(match: Match) -> Iterator[tuple[Any, Event]]:
    """Yield the decisions of the first seat that it had before luck filled them in, each with its table."""
    for step, event in enumerate(match.replay.events):
        if isinstance(event, Decision) and getattr(event, "player", "") == "A" and step:
            table, offer = match.replay.at(step - 1), msgspec.structs.replace(event, seq=UNSET)
            if "A" in match.replay.game.actors(table) and offer in match.replay.game.legal(table, "A"):
                yield table, offer


def forbidden(one: Game) -> dict[str, Restriction]:
    """Return what to forbid of what the first seat did and need not have done: a card, a decision, one by its card."""
    cards, tags, fields, rules = Counter[str](), Counter[str](), Counter[Never](), dict[str, None]()
    left = LOOKED_AT
    for table, event in decided(played(one)):
        others = [each for each in one.legal(table, "A") if each != event]
        left -= bool(others)
        if not others or left < 0:
            continue
        tags.update({tag_of(type(event))} if any(type(each) is not type(event) for each in others) else ())
        in_hand = {card.name for zone in table.zones.values() if zone.role == "hand" for card in zone.cards}
        mine = in_hand & {*named(event)}
        cards.update({card_of(name) for name in mine if any(name not in named(each) for each in others)})
        mine = {name for name in named(event) if any(name not in named(each) for each in others)}
        fields.update(
            Never(tag_of(type(event)), field, card_of(name))
            for field in event.__struct_fields__
            if isinstance(name := getattr(event, field), str) and name in mine and card_of(name) in one.cards.library
        )
        if not rules:
            checked = [Never(rule.id, by_rule=True) for rule in one.rules if rule.how == "checked"]
            stake = [rule for rule in checked if rule.is_of(one, table, event)]
            rules |= {rule.tag: None for rule in stake if not all(rule.is_of(one, table, each) for each in others)}
    found = {f"card {card}": Restriction((card,)) for card, _ in cards.most_common(1)}
    found |= {f"decision {tag}": Restriction(never=(Never(tag),)) for tag, _ in tags.most_common(1)}
    found |= {f"decision {never.words}": Restriction(never=(never,)) for never, _ in fields.most_common(1)}
    return found | {f"rule {rule}": Restriction(never=(Never(rule, by_rule=True),)) for rule in [*rules][:1]}


def named(event: Event) -> Iterator[str]:
    """Yield the words of a decision, those in its lists too."""
    for field in event.__struct_fields__:
        value = getattr(event, field)
        yield from (each for each in (value if isinstance(value, tuple) else (value,)) if isinstance(each, str))


def written(event: Event) -> Iterator[str]:
    """Yield a decision as it can be written for `--never`, by each of its fields that holds one word."""
    for field in fields_of(type(event)):
        value = getattr(event, field.name)
        if isinstance(value, str | bool):
            word = str(value).lower() if isinstance(value, bool) else value
            yield f"{tag_of(type(event))}:{field.encode_name}={word}"


EVERY = [(slug, "program") for slug in games()] + [(file.stem, "file") for file in FILES]
EVERY += [(slug, "package") for slug in PACKAGES] + [("higher", "program")]


@pytest.mark.parametrize(("slug", "kind"), EVERY)
def test_what_is_forbidden_is_done_only_where_nothing_else_is_legal(
    slug: str, kind: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    """What the first seat had a choice about changes its game: a card, a kind of decision, a rule, in every game.

    Whatever bots decide can be written down as what is never done.
    """
    if slug == "higher":
        request.getfixturevalue("higher")
    with known(slug, kind, tmp_path) as one:
        free = played(one).replay.events
        for decision in {each for event in free[1:] if isinstance(event, Decision) for each in written(event)}:
            assert parse_never(decision, one, one.cards.library).words == decision
        tried = forbidden(one)
        assert tried
        for what, may_not in tried.items():
            asked = Experiment(folder=tmp_path, game=slug, restriction=may_not, bot=Bot.RANDOM, limit=20)
            assert outcome_of(asked, [play_pair(asked, 0)]).headline
            match = played(one, may_not)
            assert match.replay.events != free, what
            for table, event in decided(match):
                if may_not.forbids(one, table, event):
                    legal = one.legal(table, "A")
                    assert all(may_not.forbids(one, table, each) for each in legal), (what, event)
