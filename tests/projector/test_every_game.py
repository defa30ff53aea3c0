"""What must hold for every game: games of bots, folded in whole and in part, sparse, undone and shuffled."""

import gc
import random
from functools import cache
from importlib.util import find_spec
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import UNSET

from tabletape.events.vocabulary import Consequence, Event, plugins
from tabletape.events.vocabulary import games as vocabularies
from tabletape.projector.archive.view import View
from tabletape.projector.fold.folding import fold
from tabletape.projector.fold.replay import Replay
from tabletape.projector.fold.traced import Traced
from tabletape.projector.games import game, games, package_of, title_of
from tabletape.projector.selfplay.checking import of_bots, problems
from tabletape.projector.selfplay.kinds import Bot
from tabletape.projector.selfplay.simulate import Plan, simulate
from tests.written_games import game_of_bots

SEEDS = st.integers(1, 6)
PARTS = st.floats(0.02, 1)
MODULES = ("state", "abilities", "schema", "effects", "view", "chapters.setup")
WITHOUT_OUTLINE = ("moves", "gate")
"""The modules of a game whose turn is not declared as an outline, in `turn`."""
every_game = pytest.mark.parametrize("slug", games())


@every_game
def test_a_title_is_known_before_the_game_is_loaded(slug: str) -> None:
    """The title at the beginning of the rulebook's file is that of the game."""
    assert title_of(slug) == game(slug).title


@every_game
def test_a_line_of_a_player_without_a_name_is_a_finding_and_stops_nothing(slug: str) -> None:
    """The first line of each type that names a player names an empty one: it is found, and the game is folded on."""
    one = game(slug)
    lines = game_of_bots(slug, 1)
    first = {type(line): here for here, line in reversed([*enumerate(lines)]) if getattr(line, "player", "")}
    for here in first.values():
        replay = fold(one, [*lines[:here], msgspec.structs.replace(lines[here], player=""), *lines[here + 1 :]])
        assert replay.stopped is None
        assert here + 1 in {each.seq for each in replay.findings}


@pytest.mark.parametrize("slug", [slug for slug in games() if slug not in plugins()])
def test_every_game_has_the_same_modules(slug: str) -> None:
    """Each built-in game has the same modules under the same names; an outline takes the place of some of them."""
    package = package_of(slug)
    others = [module for module in WITHOUT_OUTLINE if find_spec(f"{package}.{module}") is not None]
    assert [module for module in MODULES if find_spec(f"{package}.{module}") is None] == []
    assert others == ([] if find_spec(f"{package}.turn") is not None else [*WITHOUT_OUTLINE])


@cache
def played(slug: str, seed: int) -> tuple[Event, ...]:
    """Return a whole game of two random bots, with all consequences written down."""
    one = game(slug)
    (found,) = simulate(one, one.cards, Plan(seed=seed, bots=(Bot.RANDOM, Bot.RANDOM), full=True), 1)
    assert found.findings == []
    return tuple(msgspec.structs.replace(event, seq=UNSET) for event in found.events)


def cut(events: tuple[Event, ...], part: float) -> int:
    """Return the length of a part of a game, at least one event."""
    return max(1, int(len(events) * part))


def folded(slug: str, events: tuple[Event, ...]) -> Replay:
    """Fold events without the steps that belong to the end of a log."""
    one = game(slug)
    return Replay(one, one.rulebook.ruleset(one.rulebook.editions[0].label)).run(events)


def test_every_vocabulary_has_its_game() -> None:
    """Each module of event types has a game with the same name."""
    assert vocabularies() == games()


@every_game
def test_all_that_is_checked_of_anybodys_game_holds(slug: str) -> None:
    """What `check` says of a game of somebody else holds for those that come with Tabletape."""
    one = game(slug)
    assert [problem for _, wrong in problems(one, of_bots(one, 1)) for problem in wrong] == []


@every_game
@settings(deadline=None, max_examples=10)
@given(seed=SEEDS, part=PARTS)
def test_folding_in_two_parts_is_folding_at_once(slug: str, seed: int, part: float) -> None:
    """Folding may stop anywhere and continue later, with the same table and counts."""
    events = played(slug, seed)
    here = cut(events, part)
    parts = folded(slug, events[:here]).run(events[here:])
    whole = folded(slug, events)
    assert parts.table.state() == whole.table.state()
    assert parts.kept == whole.kept


@every_game
@settings(deadline=None, max_examples=10)
@given(seed=SEEDS, part=PARTS)
def test_an_earlier_step_is_a_shorter_fold(slug: str, seed: int, part: float) -> None:
    """The table at any step, reached by `at` or by `undo`, is the fold of the log that ends there."""
    events = played(slug, seed)
    step = cut(events, part) - 1
    replay = folded(slug, events)
    shorter = folded(slug, events[: step + 1]).table.state()
    assert replay.at(step).state() == shorter
    replay.table.undo(replay.journal_ends[step])
    assert replay.table.state() == shorter


@every_game
@settings(deadline=None, max_examples=6)
@given(seed=SEEDS, parts=st.lists(PARTS, max_size=8))
def test_a_view_shows_every_step_as_it_was(slug: str, seed: int, parts: list[float]) -> None:
    """In whatever order steps are viewed, near or far from each other, the table is the one of that step."""
    replay = fold(game(slug), played(slug, seed), traced=True)
    assert isinstance(replay, Traced)
    seen = View(replay)
    for part in parts:
        step = cut(played(slug, seed), part) - 1
        assert seen.table(step).state() == replay.at(step).state()


@every_game
def test_a_cleared_table_leaves_no_garbage(slug: str) -> None:
    """A cleared table is freed with its last reference, without the garbage collector."""
    replay = folded(slug, played(slug, 1))
    table: Any = replay.at(len(replay.events) // 2)
    gc.collect()
    gc.disable()
    try:
        table.clear_away()
        del table
        assert gc.collect() == 0
    finally:
        gc.enable()


@every_game
def test_every_player_has_a_hand_and_a_deck(slug: str) -> None:
    """The opening marks zones as hands and decks, because the statistics of the cards depend on these roles."""
    table: Any = folded(slug, played(slug, 1)).table
    for player in table.players:
        assert {"hand", "deck"} <= {zone.role for zone in table.zones.values() if zone.owner == player}


@every_game
@settings(deadline=None, max_examples=8)
@given(seed=SEEDS, part=PARTS)
def test_every_legal_decision_breaks_no_rule(slug: str, seed: int, part: float) -> None:
    """Any offered decision is legal as the next line, and computing offers does not change the table."""
    one = game(slug)
    events = tuple(event for event in played(slug, seed) if not isinstance(event, Consequence))
    here = cut(events, part * 0.97)
    table: Any = folded(slug, events[:here]).table
    before = table.state()
    offered = [decision for player in one.actors(table) for decision in one.legal(table, player)]
    for player in table.players:
        one.bots.value(table, player)
        one.areas(table, player)
        share = one.scoreboard.progress(table, player)
        assert share is not None
        assert 0 <= share <= 1
        assert set(one.scoreboard.totals(table, player)) <= set(one.scoreboard.total_names)
    assert table.state() == before
    for decision in random.Random(seed).sample(offered, min(len(offered), 25)):  # noqa: S311 - not for security
        if all(
            getattr(decision, field.name) is not UNSET for field in msgspec.structs.fields(decision) if field.required
        ):
            findings = folded(slug, (*events[:here], decision)).findings
            assert [found for found in findings if found.kind != "unverifiable"] == [], decision


@every_game
@settings(deadline=None, max_examples=20)
@given(seed=SEEDS, part=PARTS, data=st.data())
def test_no_card_loses_its_name(slug: str, seed: int, part: float, data: st.DataObject) -> None:
    """A card that the log has named keeps its name and zone when a line shows it as an unnamed card."""
    one, events = game(slug), played(slug, seed)
    here = cut(events, part * 0.97)
    table: Any = folded(slug, events[:here]).table
    known = [name for name, card in table.cards.items() if "?" not in name and card.text is not None]
    if not known or "card.shown" not in one.vocabulary.types:
        return
    name = data.draw(st.sampled_from(known))
    line = one.vocabulary.convert({"type": "card.shown", "was": name, "card": f"{name.partition(':')[0]}:?99"})
    after: Any = folded(slug, (*events[:here], line)).table
    assert after.find(name).name == name
    assert after.find(name).zone.name == table.find(name).zone.name
    one.areas(after, "*")


@every_game
@settings(deadline=None, max_examples=40)
@given(seed=SEEDS, data=st.data())
def test_lines_in_any_order_never_crash_the_fold(slug: str, seed: int, data: st.DataObject) -> None:
    """Lines of two games, mixed, repeated or lost, are folded or stop the fold with a proper reason."""
    events = played(slug, seed)
    others = played(slug, seed % 6 + 1)
    head = data.draw(st.integers(1, len(events)))
    mixed = data.draw(st.lists(st.sampled_from([*events[1:], *others[1:]]), max_size=50))
    replay = fold(game(slug), [*events[:head], *mixed])
    if replay.stopped is not None:
        assert "could not be folded" not in replay.stopped.reason, replay.stopped
    before = replay.table.state()
    replay.table.redo(replay.table.undo(replay.journal_ends[0]))
    assert replay.table.state() == before
    names = [card.name for zone in replay.table.zones.values() for card in zone.cards]
    assert len(names) == len(set(names))
