"""Games of which only the result is known, and logs with gaps: nothing is judged that the log does not say."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tabletape.dashboard.questions import ask, question
from tabletape.dashboard.questions.exclusions import exclusions_in_words
from tabletape.events.log import Log
from tabletape.projector.datasets.build import build
from tabletape.projector.datasets.freshness import folder_of
from tabletape.projector.datasets.manifest import FOLDER
from tabletape.projector.datasets.plans import Request
from tabletape.projector.fold.folding import fold
from tabletape.projector.fold.replay import Replay
from tabletape.projector.model.game import Game

PLAYERS = [{"id": "A", "name": "Ann", "deck": "low"}, {"id": "B", "name": "Ben", "deck": "high"}]
STARTED = {
    "type": "game.started",
    "game": "higher",
    "edition": "first",
    "id": "friday",
    "players": PLAYERS,
    "rulings": {},
}
RESULT = {"type": "result.recorded", "winners": ["B"], "turns": 7, "minutes": 25, "cards": {"B": ["six", "six"]}}


@pytest.fixture
def folded(higher: Game) -> Callable[..., Replay]:
    """Return a function that folds lines behind a `game.started`."""
    return lambda *lines: fold(higher, [higher.vocabulary.decode(json.dumps(each)) for each in (STARTED, *lines)])


@pytest.fixture
def answer(higher: Game, tmp_path: Path) -> Callable[..., dict[str, Any]]:
    """Return a function that stores a game, builds the datasets and answers a question with the first row."""

    def row(question: str, *lines: dict[str, Any], **filters: Any) -> dict[str, Any]:
        with Log.open(tmp_path / "tabletape.db", create=True) as log:
            events = [higher.vocabulary.decode(json.dumps(each)) for each in (STARTED, *lines)]
            log.append("friday", events, expected_last_seq=0)
            build(log, Request())
            found = ask(question, folder_of(log), **filters).to_pylist()
        return found[0] if found else {}

    return row


def test_a_result_ends_the_game_and_nothing_is_judged(folded: Callable[..., Replay]) -> None:
    """A log that has only a result has its winner, no finding, and no rule that was kept or broken."""
    replay = folded(RESULT)
    assert (replay.table.over, replay.table.winner) == (True, "B")
    assert replay.findings == []
    assert not any(replay.kept)
    assert not any(replay.broken)


def test_a_result_that_contradicts_the_actions_is_a_mismatch(higher: Game) -> None:
    """Where the actions make Ann the winner, a result that names Ben is found to be wrong; Ann stays the winner."""
    game = msgspec.structs.replace(
        higher,
        consequences=msgspec.structs.replace(higher.consequences, rule=higher.by_id["higher.state.consequence"]),
    )
    decks = [{"type": "deck.declared", "player": each, "cards": ["one", "two", "five", "six"]} for each in "AB"]
    drawn = [{"type": "cards.drawn", "player": "A", "cards": ["A:five", "A:six"]}]
    drawn += [{"type": "cards.drawn", "player": "B", "cards": ["B:one", "B:two"]}]
    played = [
        {"type": "card.played", "player": player, "card": f"{player}:{card}"}
        for player, card in (("A", "five"), ("B", "one"), ("A", "six"), ("B", "two"))
    ]
    lines = [STARTED, *decks, *drawn, *played, RESULT]
    replay = fold(game, [game.vocabulary.decode(json.dumps(each)) for each in lines])
    assert replay.table.winner == "A"
    assert [(each.kind, each.rule) for each in replay.findings] == [("mismatch", "higher.state.consequence")]


def test_several_winners_are_no_winner(folded: Callable[..., Replay]) -> None:
    """Where two share the win the game is over and nobody has won it alone."""
    replay = folded(RESULT | {"winners": ["A", "B"]})
    assert (replay.table.over, replay.table.winner) == (True, "")


def test_what_a_result_does_not_say_is_null(answer: Callable[..., dict[str, Any]]) -> None:
    """Rounds, decisions and lead changes of a results game are not 0 but unknown; turns and minutes are as written."""
    row = answer("games", RESULT)
    assert (row["turns"], row["minutes"], row["winner"], row["detail"]) == (7, 25.0, "B", "results")
    assert [row[name] for name in ("rounds", "decisions", "lead_changes", "deepest_deficit", "clean")] == [None] * 5


def test_when_a_result_was_typed_says_nothing_of_how_long_the_game_took(answer: Callable[..., dict[str, Any]]) -> None:
    """A head and a result that were written within a minute of each other are no game of a minute."""
    head, result = ({"at": f"2026-05-01T21:00:{seconds}Z"} for seconds in ("00", "40"))
    deck = {"type": "deck.declared", "player": "A", "cards": ["one", "two"]}
    assert answer("games", deck | head, RESULT | result)["minutes"] == 25.0


def test_a_result_without_minutes_has_none_of_the_clock(answer: Callable[..., dict[str, Any]]) -> None:
    """Where nobody said how long a game took, nobody knows it."""
    head, result = ({"at": f"2026-05-01T21:00:{seconds}Z"} for seconds in ("00", "40"))
    deck = {"type": "deck.declared", "player": "A", "cards": ["one", "two"]}
    unsaid = {field: value for field, value in RESULT.items() if field != "minutes"}
    assert answer("games", deck | head, unsaid | result)["minutes"] is None


def test_a_results_game_is_counted_as_one(answer: Callable[..., dict[str, Any]]) -> None:
    """The overview says how many games are known by result only, and none of them is called clean."""
    row = answer("overview", RESULT)
    assert (row["games"], row["by_result"], row["clean_games"], row["decisive"]) == (1, 1, 0, 1)


def test_of_a_result_alone_nothing_is_said_of_leads_times_and_hands(
    answer: Callable[..., dict[str, Any]], tmp_path: Path
) -> None:
    """It is left out because no more of it is known, not because nobody led or no time was written down."""
    answer("overview", RESULT)
    for name in ("lock-in", "snowball", "downtime", "dead-cards", "decision-load"):
        said = exclusions_in_words(question(name), tmp_path / FOLDER)
        assert "1 known by their result only" in said, name


def test_a_results_game_is_left_out_of_clean_games(answer: Callable[..., dict[str, Any]]) -> None:
    """Nobody knows whether a results game was clean, so it is not among the clean ones."""
    assert answer("overview", RESULT, clean=True) == {}


def test_nobody_has_a_seat_in_a_results_game(answer: Callable[..., dict[str, Any]]) -> None:
    """A sheet that names the winner first must not make the first seat win."""
    assert answer("seats", RESULT) == {}


def test_a_finding_after_a_gap_is_unverifiable(folded: Callable[..., Replay]) -> None:
    """A card that is played twice may have come back in the lines that nobody could read."""
    decks = [{"type": "deck.declared", "player": each, "cards": ["one", "two", "four", "six"]} for each in "AB"]
    drawn = [{"type": "cards.drawn", "player": each, "cards": [f"{each}:four", f"{each}:six"]} for each in "AB"]
    wrong = {"type": "card.played", "player": "A", "card": "A:two"}
    without = folded(*decks, *drawn, wrong)
    with_gap = folded(*decks, *drawn, {"type": "log.gap", "lines": 3, "text": "??"}, wrong)
    assert [each.kind for each in without.findings] == ["illegal"]
    assert [each.kind for each in with_gap.findings] == ["unverifiable"]
    assert not any(with_gap.broken)
    assert with_gap.tainted_from == 0


def test_a_log_with_a_gap_is_partial(answer: Callable[..., dict[str, Any]]) -> None:
    """A game with lines that nobody could read is called partial, and is neither clean nor not."""
    row = answer("games", {"type": "log.gap", "lines": 1, "text": "??"})
    assert (row["detail"], row["clean"]) == ("partial", None)
