"""Questions counted a second time by another program: from the lines of the logs alone, without the datasets."""

from collections import Counter
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from statistics import median
from typing import Any, Final

import msgspec
import pytest

from tabletape.dashboard.questions import ask
from tabletape.events.log import Log
from tabletape.events.vocabulary import Event, tag_of
from tabletape.events.vocabulary.names import card_of
from tabletape.projector.datasets.build import build
from tabletape.projector.games import game
from tabletape.projector.selfplay.bots import Bot
from tabletape.projector.selfplay.simulate import Plan, Simulated, simulate
from tests.dashboard.asking import ANN_WINS, BEN_WINS

TABLES: Final = (2, 3, 4)
GAMES: Final = 5
"""How many games each number of players plays."""


@cache
def evenings() -> tuple[tuple[int, Simulated], ...]:
    """Return full logs of Crystal Factions among two, three and four players, each with their number."""
    one = game("crystal")
    return tuple(
        (players, msgspec.structs.replace(each, game_id=f"{each.game_id}-of-{players}"))
        for players in TABLES
        for each in simulate(one, one.cards, Plan(seed=32, bots=(Bot.RANDOM,) * players, full=True), GAMES)
    )


@pytest.fixture(params=["full", "sparse"])
def answered(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """Return the datasets of these games, with and without the consequences in their logs."""
    with Log.open(tmp_path / "tabletape.db", create=True) as log:
        for _, each in evenings():
            head = msgspec.structs.replace(each.events[0], id=each.game_id)
            events = [head, *each.events[1:]]
            kept = events if request.param == "full" else [event for event in events if event.CLASS != "consequence"]
            log.append(each.game_id, kept, expected_last_seq=0)
        return build(log).folder


def rows(name: str, folder: Path) -> list[dict[str, Any]]:
    """Return the answer to a question about these games."""
    found: list[dict[str, Any]] = ask(name, folder, source="bots").to_pylist()
    return found


def lines(events: Iterable[Event], tag: str) -> list[Any]:
    """Return the lines of a type."""
    return [event for event in events if tag_of(type(event)) == tag]


def test_what_was_played_is_what_the_log_says_was_played(answered: Path) -> None:
    """Every play has its line: the hand of a player who is put out was not played, among three and four players too."""
    written = Counter(card_of(event.card) for _, each in evenings() for event in lines(each.events, "card.deployed"))
    counted = {row["card"]: row["played"] for row in rows("play-rate", answered)}
    assert any(lines(each.events, "player.eliminated") for players, each in evenings() if players > 2)
    assert {card: counted[card] for card in written} == dict(written)
    assert sum(counted.values()) == sum(written.values())


def test_copies_that_were_never_played_are_dead(answered: Path) -> None:
    """What is left of the copies seen is dead: nothing in this game takes a card from the hand but its play."""
    for row in rows("dead-cards", answered):
        played = {each["card"]: each for each in rows("play-rate", answered)}[row["card"]]
        assert row["dead"] == played["seen"] - played["played"]


def test_lengths_are_those_of_equal_numbers_of_players(answered: Path) -> None:
    """The median of the decisions after start and decks is that of the lines, for each number of players by itself."""
    found = {(row["measure"], row["players"]): row for row in rows("game-length", answered)}
    for players in TABLES:
        mine = [each for size, each in evenings() if size == players]
        decided = [sum(event.CLASS == "decision" for event in each.events) - 1 - players for each in mine]
        assert found["decisions", players]["median"] == median(decided)
        assert found["decisions", players]["games"] == len(mine) == GAMES
    histogram = Counter(row["players"] for row in rows("game-length-histogram", answered) if row["measure"] == "turns")
    assert set(histogram) == set(TABLES)
    for name in ("comeback", "lock-in", "tension", "length-unfinished"):
        assert {row["players"] for row in rows(name, answered)} == set(TABLES)


def test_wins_are_those_that_the_last_lines_name(answered: Path) -> None:
    """Seats and beginners won as often as the lines say, by number of players."""
    won: Counter[tuple[int, int]] = Counter()
    for players, each in evenings():
        seats = [seat.id for seat in each.events[0].players]  # type: ignore[attr-defined]  # it is a start
        if each.winner:
            won[players, seats.index(each.winner) + 1] += 1
    found = {(row["players"], row["seat"]): row["wins"] for row in rows("seats", answered)}
    assert {key: found[key] for key in won} == dict(won)
    assert sum(found.values()) == sum(won.values())


def test_kinds_of_bots_that_disagree_are_not_pooled(store: Callable[..., Path]) -> None:
    """Random bots that begin win all games and greedy ones none: it depends on play; a mixed game is of no kind."""
    begins = {"random": "A", "greedy": "B"}
    for number in range(12):
        for kind, winner in begins.items():
            seats = [{"id": each, "name": f"{kind.capitalize()} bot {each}", "deck": each} for each in "AB"]
            store(f"bot-{kind}-{number}", *(ANN_WINS if winner == "A" else BEN_WINS), players=seats)
    mixed = [{"id": "A", "name": "Random bot A"}, {"id": "B", "name": "Greedy bot B"}]
    with Log.open(store("bot-mixed", *ANN_WINS, players=mixed)) as log:
        folder = build(log).folder
    found = [row for row in rows("bots-ladder", folder) if row["measure"] == "first player"]
    assert [(row["bots"], row["wins"], row["games"], row["verdict"]) for row in found] == [
        ("random", 12, 12, "depends on play"),
        ("greedy", 0, 12, "depends on play"),
    ]
    assert ask("bots-ladder", folder).num_rows == 0
