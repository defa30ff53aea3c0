"""The bot that searches: it deals only unknown cards anew, decides what is legal, and leaves the table unchanged."""

from collections import Counter
from itertools import count
from random import Random
from typing import Any

import msgspec
import pytest

from events.vocabulary import Decision
from projector.fold.replay import Replay
from projector.games import game, games
from projector.model.game import Game
from projector.selfplay.bots import Bot
from projector.selfplay.dice import SeededDice
from projector.selfplay.search import DealtDice, Effort, Scale, deal_anew, search, spread
from projector.selfplay.simulate import Plan, simulate
from projector.selfplay.trying import Trial


def tables(one: Game, seed: int, limit: int) -> Any:
    """Yield a table before each decision of a game of bots, and who decides."""
    (match,) = simulate(one, one.cards, Plan(seed=seed, limit=limit), 1)
    replay = Replay(one, one.rulebook.ruleset(one.rulebook.editions[0].label), one.cards.library)
    for event in match.events:
        player = getattr(event, "player", "")
        if isinstance(event, Decision) and replay.events and player in one.actors(replay.table):
            yield replay.table, player
        replay.run([event])


@pytest.mark.parametrize("slug", games())
@pytest.mark.parametrize("seed", [1, 2])
def test_a_deal_agrees_with_all_that_the_player_knows(slug: str, seed: int) -> None:
    """What a player knows stays, every zone keeps its cards, every owner's texts are the same ones; undone, all is."""
    rng = Random(seed)  # noqa: S311 - the same deals for the same seed
    changed = 0
    for table, player in tables(game(slug), seed, 120):
        before, texts = table.state(), {name: card.text for name, card in table.cards.items()}
        known = {name for name, card in table.cards.items() if table.knows(player, card) or card.owner == player}
        with Trial(table):
            deal_anew(table, player, rng)
            after = {name: card.text for name, card in table.cards.items()}
            assert all(after[name] is texts[name] for name in known)
            for owner in table.players:
                mine = [name for name, card in table.cards.items() if card.owner == owner]
                assert Counter(id(after[each]) for each in mine) == Counter(id(texts[each]) for each in mine)
            assert table.state() == before  # zones, places and counters; texts are no part of it
            changed += after != texts
        assert {name: card.text for name, card in table.cards.items()} == texts
    assert changed


@pytest.mark.parametrize("slug", games())
def test_a_search_decides_what_is_legal_and_leaves_no_trace(slug: str) -> None:
    """Whatever it tried, the decision is one of the legal ones, the table is as it was, and so is the next search."""
    one = game(slug)
    looked_at = 0
    for table, player in tables(one, 4, 60):
        looked_at += 1
        if looked_at % 6:
            continue
        before, length = table.state(), len(table.journal)
        found = [search(one, table, player, SeededDice("a"), Effort(iterations=6)) for _ in range(2)]
        assert found[0] in one.legal(table, player)
        assert found[0] == found[1]
        assert (table.state(), len(table.journal)) == (before, length)
    assert looked_at


def test_dealt_dice_draw_the_cards_that_lie_in_the_deck() -> None:
    """The deck of an iteration holds what lies in the deck on the table, each card once, in another order each time."""
    one = game("crystal")
    for table, player in tables(one, 2, 30):
        zones = [zone for zone in table.zones.values() if zone.role == "deck" and zone.owner == player]
        in_deck = {card.name for zone in zones if zone.seen_by == "nobody" for card in zone.cards}
        orders = [DealtDice(one, table, Random(seed)).draw(player, 99) for seed in (1, 2)]  # noqa: S311
        assert sorted(orders[0]) == sorted(orders[1])
        assert len(set(orders[0])) == len(orders[0])
        assert set(orders[0]) == in_deck
        assert orders[0] != orders[1] or len(orders[0]) < 5


def test_the_same_seed_gives_the_same_searched_game() -> None:
    """A game of the searching bot can be repeated line by line, and the audit finds nothing in it."""
    one = game("crystal")
    plan = Plan(seed=9, bots=(Bot.SEARCH, Bot.GREEDY), limit=50)
    (first,), (second,) = (list(simulate(one, one.cards, plan, 1)) for _ in range(2))
    assert first.events == second.events
    assert first.findings == []


def test_searching_beats_choosing_at_random(higher: Game) -> None:
    """The search wins clearly more than half of its games against random decisions."""
    plan = Plan(bots=(Bot.RANDOM, Bot.SEARCH))
    winners = [match.winner for match in simulate(higher, higher.cards, plan, 30)]
    assert winners.count("B") > 20


def test_a_search_decides_also_where_every_decision_wins_or_loses() -> None:
    """Where all that is legal looks won or lost there is no scale of worths, and it decides all the same."""
    for end in (1000.0, -1000.0):
        one = msgspec.structs.replace(game("crystal"), value=lambda _table, _player, end=end: end)
        table, player = next(
            (table, player) for table, player in tables(one, 4, 60) if len(one.legal(table, player)) > 1
        )
        assert search(one, table, player, SeededDice("a"), Effort(iterations=3)) in one.legal(table, player)


def test_more_iterations_or_time_may_be_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """A search takes as many iterations as it is reported, and by the clock at least one."""
    monkeypatch.setattr("projector.selfplay.search.monotonic", count().__next__)
    assert len(list(Effort(iterations=7).spent())) == 7
    assert len(list(Effort(iterations=7, seconds=0.5).spent())) == 1
    assert len(list(Effort(seconds=3.5).spent())) == 4


@pytest.mark.parametrize("far", [0.0, -60.0, 400.0])
def test_rewards_differ_wherever_the_worths_of_tables_lie(far: float) -> None:
    """Of worths that lie far from what one step comes to the middle one is a half, and no other one is 0 or 1."""
    worths = [far - 8, far - 3, far, far + 4, far + 7, 1000.0, -1000.0]
    scale = Scale(far, spread(worths))
    rewards = [scale.reward(worth) for worth in worths]
    assert rewards[2] == 0.5
    assert sorted(rewards[:5]) == rewards[:5]
    assert 0.1 < rewards[0] < rewards[4] < 0.9
    assert rewards[5:] == [1, 0]


def test_a_search_over_later_turns_takes_what_wins_later(higher: Game) -> None:
    """A game that plans ahead is searched like others: it beats random decisions."""
    one = msgspec.structs.replace(higher, foresight=2)
    winners = [match.winner for match in simulate(one, one.cards, Plan(bots=(Bot.RANDOM, Bot.SEARCH)), 30)]
    assert winners.count("B") > 20
