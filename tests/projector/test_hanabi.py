"""Hanabi as a package of its own: one deck for all, hands that only the others see, clues, one end for all."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import fmean
from typing import Any

import pytest

from tabletape.dashboard.questions import ask
from tabletape.dashboard.tape.checking import checked
from tabletape.events.log import Log
from tabletape.projector.archive.stored import RulesetOverride
from tabletape.projector.comparing.every_reading import readings_of
from tabletape.projector.datasets.build import build
from tabletape.projector.datasets.freshness import folder_of
from tabletape.projector.datasets.plans import Request
from tabletape.projector.fold.folding import fold
from tabletape.projector.fold.replay import Replay
from tabletape.projector.model.game import Game
from tabletape.projector.model.rulebook import RulesetError
from tabletape.projector.selfplay.kinds import Bot
from tabletape.projector.selfplay.simulate import Plan, simulate
from tests.installed import installed

PACKAGE = Path(__file__).parents[1] / "hanabi_game"
SEATS = [{"id": "A", "name": "Ann"}, {"id": "B", "name": "Ben"}]
HEAD = {"type": "game.started", "game": "hanabi", "edition": "2010", "id": "one", "players": SEATS}
HANDS = {
    "A": ["red-1#1", "red-2#1", "blue-1#1", "blue-4#1", "white-5#1"],
    "B": ["red-1#2", "green-2#1", "green-3#1", "blue-1#2", "yellow-4#1"],
}


@pytest.fixture(scope="module")
def hanabi(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Game]:
    """Install the package, and yield its game."""
    with installed("hanabi", PACKAGE, tmp_path_factory.mktemp("site")) as game:
        yield game


def dealt(**hands: Any) -> list[dict[str, Any]]:
    """Return the lines that deal the hands: names, or how many."""
    return [
        {"type": "cards.drawn", "player": player, **({"count": cards} if isinstance(cards, int) else {"cards": cards})}
        for player, cards in hands.items()
    ]


def clue(to: str, **says: Any) -> dict[str, Any]:
    """Return the line of a clue."""
    return {"type": "clue.given", "player": "B" if to == "A" else "A", "to": to, **says}


@pytest.fixture
def folded(hanabi: Game) -> Callable[..., Replay]:
    """Return a function that folds lines behind a `game.started`."""

    def fold_lines(*lines: dict[str, Any], **head: Any) -> Replay:
        return fold(hanabi, [hanabi.vocabulary.decode(json.dumps(each)) for each in (HEAD | head, *lines)])

    return fold_lines


def test_all_that_must_hold_for_every_game_holds(hanabi: Game) -> None:
    """Nothing is found by `check`, on games of bots and on the recorded ones."""
    found = checked(hanabi.slug, [PACKAGE / "recordings"], games=2, players=3)
    assert [problem for each in found for problem in each.problems] == []
    assert len(found) == 11


def test_a_bot_that_does_not_see_its_hand_gets_what_fair_players_get(hanabi: Game) -> None:
    """Greedy bots lay about 15 of 25 cards; with their own hands before their eyes they laid 23."""
    matches = simulate(hanabi, hanabi.cards, Plan(seed=3, bots=(Bot.GREEDY, Bot.GREEDY)), 4)
    points = [len(fold(hanabi, match.events).table.zones["fireworks"].cards) for match in matches]
    assert 12 <= fmean(points) <= 20


def test_a_clue_makes_known_what_it_says(hanabi: Game, folded: Callable[..., Replay]) -> None:
    """Ann sees of her own cards which are red and which are not, and nothing else."""
    table = folded(*dealt(**HANDS), {"type": "card.played", "player": "A", "card": "red-1#1"}).table
    assert {card.told for card in table.cards.values()} == {frozenset()}
    table = folded(*dealt(**HANDS), clue("B", colour="red"), clue("A", colour="red")).table
    (mine,) = [area for area in hanabi.areas(table, "A") if area.name == "hand:A"]
    assert [(card.title, card.marks) for card in mine.cards] == [
        ("card", ("red",)), ("card", ("red",)), *[("card", ("not red",))] * 3,
    ]  # fmt: skip
    (theirs,) = [area for area in hanabi.areas(table, "B") if area.name == "hand:A"]
    assert [card.title for card in theirs.cards][:2] == ["Red 1", "Red 2"]


@pytest.mark.parametrize(
    ("line", "rule"),
    [
        (clue("B", colour="red", cards=["red-1#2"]), ""),
        (clue("B", colour="red", cards=["green-2#1"]), "hanabi.clue.cards"),
        (clue("B", colour="white"), "hanabi.clue.cards"),
        (clue("A", rank=1) | {"player": "A"}, "hanabi.clue.another"),
        (clue("A", rank=1), "hanabi.turn.own"),
        ({"type": "card.discarded", "player": "A", "card": "red-1#1"}, "hanabi.discard.not-at-eight"),
        ({"type": "card.played", "player": "A", "card": "red-1#2"}, "hanabi.card.from-hand"),
    ],
)
def test_each_rule_is_kept_and_broken(folded: Callable[..., Replay], line: dict[str, Any], rule: str) -> None:
    """A line that keeps the rules has no finding, one that breaks a rule has that."""
    assert [finding.rule for finding in folded(*dealt(**HANDS), line).findings] == [rule] * bool(rule)


def test_what_nobody_has_seen_is_no_accusation(folded: Callable[..., Replay]) -> None:
    """Where hands are only counted, or not even dealt, any card may be in them, and a clue cannot be judged."""
    play = {"type": "card.played", "player": "A", "card": "red-1#1"}
    for opening in (dealt(A=5, B=5), []):
        assert folded(*opening, play).findings == []
        (finding,) = folded(*opening, clue("B", rank=1)).findings
        assert (finding.rule, finding.kind) == ("hanabi.clue.cards", "unverifiable")


def test_a_draw_that_was_forgotten_is_missing(folded: Callable[..., Replay]) -> None:
    """Whoever goes on without it is told so once, and nobody is accused later."""
    play = {"type": "card.played", "player": "A", "card": "red-1#1"}
    (finding,) = folded(*dealt(**HANDS), play, clue("A", rank=5), clue("B", rank=1)).findings
    assert (finding.seq, finding.rule, finding.kind) == (5, "hanabi.turn.draw", "missing")


def test_what_a_table_chooses_is_no_reading(hanabi: Game, tmp_path: Path) -> None:
    """Six colours make a deck of sixty cards; no game is read by five then, and the number of colours is a factor."""
    with Log.open(tmp_path / "tabletape.db", create=True) as log:
        for colours in ("five", "six"):
            plan = Plan(seed=1 if colours == "six" else 2, rulings={"colours": colours}, bots=(Bot.RANDOM,) * 2)
            for match in simulate(hanabi, hanabi.cards, plan, 2):
                log.append(match.game_id, match.events, expected_last_seq=0)
                deck = fold(hanabi, match.events).table.cards
                assert len(deck) == (60 if colours == "six" else 50)
                tried = readings_of(log, log.game(match.game_id), match.events).tried
                assert [each.partition("=")[0] for each in tried] == ["empty_clues", "third_mistake"]
        build(log, Request())
        rows = ask("variants", folder_of(log), source="bots").to_pylist()
        assert [(row["variant"], row["choice"], row["games"], row["together"]) for row in rows] == [
            ("colours", "five", 2, 2), ("colours", "six", 2, 2),
        ]  # fmt: skip
        (label,) = {row["ruleset"] for row in ask("together", folder_of(log), source="bots").to_pylist()} - {"2010"}
        assert label == "2010 colours=six"
    with pytest.raises(RulesetError, match="colours is a variant of Hanabi: a table chooses that before a game"):
        RulesetOverride("", {"colours": "six"}).require([hanabi])
