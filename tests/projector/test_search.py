"""The bot that searches: it deals only unknown cards anew, decides what is legal, and leaves the table unchanged."""

from collections import Counter
from functools import partial
from itertools import count, islice
from random import Random
from typing import Any

import msgspec
import pytest

from tabletape.projector.games import game, games
from tabletape.projector.model.game import BotHints, Game
from tabletape.projector.selfplay.dealing import dealt_anew
from tabletape.projector.selfplay.dice import SeededDice
from tabletape.projector.selfplay.kinds import Bot
from tabletape.projector.selfplay.search import DealtDice, Scale, SearchEffort, _Search, search, spread
from tabletape.projector.selfplay.simulate import Plan, simulate
from tests.projector.decisions import tables_before_decisions


@pytest.mark.parametrize("slug", games())
@pytest.mark.parametrize("seed", [1, 2])
def test_a_deal_agrees_with_all_that_the_player_knows(slug: str, seed: int) -> None:
    """Known cards, the cards of each zone and the texts of each owner stay the same; afterwards all is as before."""
    rng = Random(seed)  # noqa: S311 - the same deals for the same seed
    changed_deals = 0
    for table, player in tables_before_decisions(game(slug), Plan(seed=seed, limit=120)):
        before, texts = table.state(), {name: card.text for name, card in table.cards.items()}
        known = {name for name, card in table.cards.items() if table.knows(player, card) or card.owner == player}
        with dealt_anew(table, player, rng):
            after = {name: card.text for name, card in table.cards.items()}
            assert all(after[name] is texts[name] for name in known)
            for owner in table.players:
                owned = [name for name, card in table.cards.items() if card.owner == owner]
                assert Counter(id(after[each]) for each in owned) == Counter(id(texts[each]) for each in owned)
            assert table.state() == before  # zones, places and counters; texts are no part of it
            changed_deals += after != texts
        assert {name: card.text for name, card in table.cards.items()} == texts
    assert changed_deals


@pytest.mark.parametrize("slug", games())
def test_a_search_decides_what_is_legal_and_leaves_no_trace(slug: str) -> None:
    """The decision is legal, the table is unchanged, and a second search with the same dice decides the same."""
    one = game(slug)
    decisions = 0
    for table, player in tables_before_decisions(one, Plan(seed=4, limit=60)):
        decisions += 1
        if decisions % 6:
            continue
        before, length = table.state(), len(table.journal)
        found = [search(one, table, player, SeededDice("a"), SearchEffort(iterations=6)) for _ in range(2)]
        assert found[0] in one.legal(table, player)
        assert found[0] == found[1]
        assert (table.state(), len(table.journal)) == (before, length)
    assert decisions


def test_dealt_dice_draw_the_cards_of_the_deck() -> None:
    """Each iteration draws the cards of the deck on the table, each once and in another order."""
    one = game("crystal")
    for table, player in tables_before_decisions(one, Plan(seed=2, limit=30)):
        zones = [zone for zone in table.zones.values() if zone.role == "deck" and zone.owner == player]
        in_deck = {card.name for zone in zones if zone.seen_by == "nobody" for card in zone.cards}
        orders = [DealtDice(one, table, Random(seed)).draw(player, 99) for seed in (1, 2)]  # noqa: S311
        assert sorted(orders[0]) == sorted(orders[1])
        assert len(set(orders[0])) == len(orders[0])
        assert set(orders[0]) == in_deck
        assert orders[0] != orders[1] or len(orders[0]) < 5


def test_the_same_seed_gives_the_same_game_of_the_searching_bot() -> None:
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


def always(worth: float, _table: Any, _player: str) -> float:
    """Return the same worth of any table."""
    return worth


def test_a_search_decides_also_if_every_decision_wins_or_loses() -> None:
    """If every legal decision looks won, or lost, there is no scale of values, and the search still decides."""
    for end in (1000.0, -1000.0):
        one = msgspec.structs.replace(game("crystal"), bots=BotHints(partial(always, end)))
        table, player = next(
            (table, player)
            for table, player in tables_before_decisions(one, Plan(seed=4, limit=60))
            if len(one.legal(table, player)) > 1
        )
        assert search(one, table, player, SeededDice("a"), SearchEffort(iterations=3)) in one.legal(table, player)


def test_the_effort_of_a_search_is_limited_by_iterations_or_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """A search has the given number of iterations; a limit of time may end it earlier, but not before the first."""
    monkeypatch.setattr("tabletape.projector.selfplay.search.monotonic", count().__next__)
    assert list(SearchEffort(iterations=7).left(60)) == [7, 6, 5, 4, 3, 2, 1]
    assert len(list(SearchEffort(iterations=7, seconds=0.5).left(60))) == 1
    assert len(list(SearchEffort(seconds=3.5).left(60))) == 4
    assert len(list(SearchEffort().left(5))) == 5


def test_a_search_that_is_settled_decides_as_if_it_went_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """Iterations that could change nothing any more are not made, and the decisions are the same without them."""
    iterate, made, one = _Search._iterate, Counter[bool](), game("crystal")
    for table, player in islice(tables_before_decisions(one, Plan(seed=4, limit=60)), 12):
        found = []
        for stops in (True, False):
            with monkeypatch.context() as patched:
                patched.setattr(_Search, "_iterate", lambda it, s=stops: (made.update([s]), iterate(it)))
                if not stops:
                    patched.setattr(_Search, "_is_settled", lambda *_: False)
                found.append(search(one, table, player, SeededDice("a"), SearchEffort(iterations=20)))
        assert found[0] == found[1]
    assert made[True] < made[False]


@pytest.mark.parametrize("middle", [0.0, -60.0, 400.0])
def test_rewards_differ_however_large_the_values_of_tables_are(middle: float) -> None:
    """The middle value is rewarded with a half, also if it is far from 0; only a win is 1, and only a loss 0."""
    values = [middle - 8, middle - 3, middle, middle + 4, middle + 7, 1000.0, -1000.0]
    scale = Scale(middle, spread(values))
    rewards = [scale.reward(value) for value in values]
    assert rewards[2] == 0.5
    assert sorted(rewards[:5]) == rewards[:5]
    assert 0.1 < rewards[0] < rewards[4] < 0.9
    assert rewards[5:] == [1, 0]


def test_a_search_with_foresight_beats_choosing_at_random(higher: Game) -> None:
    """A search that looks ahead over later turns also wins clearly more than half of its games."""
    one = msgspec.structs.replace(higher, bots=msgspec.structs.replace(higher.bots, foresight=2))
    winners = [match.winner for match in simulate(one, one.cards, Plan(bots=(Bot.RANDOM, Bot.SEARCH)), 30)]
    assert winners.count("B") > 20
