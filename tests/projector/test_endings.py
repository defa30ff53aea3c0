"""Games end in many ways: several win, all win or lose together, points and places count, nobody wins."""

import json
from pathlib import Path
from typing import Any

import pytest

from tabletape.dashboard.questions import ask, question, questions
from tabletape.dashboard.questions.exclusions import exclusions_in_words
from tabletape.events.importing import Options, import_paths
from tabletape.events.log import Log
from tabletape.events.vocabulary import vocabulary
from tabletape.events.vocabulary.open_games import game_file_problems, look_in
from tabletape.projector.archive.stored import replay
from tabletape.projector.archive.view import ending_in_words, result_in_words
from tabletape.projector.datasets.build import build
from tabletape.projector.datasets.columns import OWN_SCHEMAS
from tabletape.projector.datasets.freshness import folder_of
from tabletape.projector.datasets.plans import Request
from tabletape.projector.datasets.rows.game_rows import rows_of_game
from tabletape.projector.exporting.exports import bgstats, in_json
from tabletape.projector.fold.folding import fold
from tabletape.projector.fold.replay import Replay
from tabletape.projector.games import game

NAMES = {"A": "Ann", "B": "Ben", "C": "Cem"}


def head(game_id: str = "one", players: str = "ABC") -> dict[str, Any]:
    """Return the first line of a game."""
    seats = [{"id": each, "name": NAMES[each]} for each in players]
    return {"type": "game.started", "game": "tabletop", "edition": "v1", "id": game_id, "players": seats}


def turns(players: str = "ABC") -> list[dict[str, Any]]:
    """Return a turn of each player."""
    return [{"type": "turn.started", "player": each} for each in players]


def ended(**fields: Any) -> dict[str, Any]:
    """Return the line that ends a game."""
    return {"type": "game.ended", "reason": "points", **fields}


def folded(*lines: dict[str, Any]) -> Replay:
    """Fold lines behind a `game.started`."""
    decode = vocabulary("tabletop").decode
    return fold(game("tabletop"), [decode(json.dumps(each)) for each in (head(), *lines)])


def rows(replay: Replay, dataset: str) -> list[dict[str, Any]]:
    """Return the rows of a dataset of one game."""
    return [dict(zip(OWN_SCHEMAS[dataset].names, row, strict=True)) for row in rows_of_game(replay).rows[dataset]]


def test_several_winners_are_all_winners_and_no_game_is_decided() -> None:
    """Each of them won, nobody won alone, and the words name both."""
    replay = folded(*turns(), ended(winners=["A", "C"], scores={"A": 9, "B": 4, "C": 9}))
    (one,) = rows(replay, "games")
    assert (one["winner"], one["winners"], one["cooperative"], one["over"]) == (None, 2, False, True)
    seats = rows(replay, "seats")
    assert [(each["won"], each["decisive"], each["score"], each["place"]) for each in seats] == [
        (True, False, 9, 1),
        (False, False, 4, 3),
        (True, False, 9, 1),
    ]
    assert result_in_words(replay) == "Ann and Cem won (points): Ann 9, Ben 4, Cem 9"


@pytest.mark.parametrize(("winners", "words"), [(["A", "B", "C"], "Ann and Ben and Cem won"), ([], "no winner")])
def test_a_game_that_is_played_together_is_won_or_lost_by_all(winners: list[str], words: str) -> None:
    """It has points of the table, no places, and no single winner."""
    replay = folded(*turns(), ended(winners=winners, cooperative=True, score=23))
    (one,) = rows(replay, "games")
    assert (one["winner"], one["winners"], one["cooperative"], one["score"]) == (None, len(winners), True, 23)
    assert {(each["won"], each["place"]) for each in rows(replay, "seats")} == {(bool(winners), None)}
    assert result_in_words(replay) == f"{words}, 23 points (points)"


def test_all_of_a_winning_team_have_won() -> None:
    """The log names one winner; nobody of the same team is a loser, and the others are."""
    replay = folded(*turns(), ended(winner="A", teams={"A": "Red", "B": "Blue", "C": "Red"}))
    (one,) = rows(replay, "games")
    assert (one["winner"], one["winners"]) == (None, 2)
    assert [(each["won"], each["team"]) for each in rows(replay, "seats")] == [
        (True, "Red"), (False, "Blue"), (True, "Red"),
    ]  # fmt: skip
    assert result_in_words(replay) == "Ann and Cem won (points)"


def test_places_follow_from_points_only_where_these_say_who_won() -> None:
    """The fewest points may win; a winner between the others has won by something else."""
    points = {"A": 1, "B": 4, "C": 2}
    for winner, places in (("A", [1, 3, 2]), ("B", [3, 1, 2]), ("C", [None, None, None])):
        found = rows(folded(*turns(), ended(winner=winner, scores=points)), "seats")
        assert [each["place"] for each in found] == places
    written = rows(folded(*turns(), ended(winner="C", places={"A": 2, "B": 3, "C": 1})), "seats")
    assert [each["place"] for each in written] == [2, 3, 1]


def test_an_end_without_the_new_fields_is_written_as_it_was() -> None:
    """A line of an old log keeps its bytes, so that its hash still holds."""
    old = b'{"reason":"points","type":"game.ended","winner":"A"}'
    assert vocabulary("tabletop").encode(vocabulary("tabletop").decode(old)) == old
    result = b'{"cards":{},"scores":{},"type":"result.recorded","winners":["A"]}'
    assert vocabulary("tabletop").encode(vocabulary("tabletop").decode(result)) == result


def test_a_counter_is_the_score_where_the_file_of_the_game_says_so(tmp_path: Path) -> None:
    """The number of the counter at the end is what a player has scored; a name that is no counter is refused."""
    (tmp_path / "games").mkdir()
    file = tmp_path / "games" / "berries.toml"
    file.write_text('title = "Berries"\ncounters = ["berries"]\nscore = "berries"\n')
    look_in(tmp_path)
    try:
        points = {"A": 5, "B": 2, "C": 7}
        picked = [
            {"type": "counter.changed", "player": who, "counter": "berries", "to": to} for who, to in points.items()
        ]
        lines = [head() | {"game": "berries"}, *turns(), *picked, ended(winner="C")]
        replay = fold(game("berries"), [vocabulary("berries").decode(json.dumps(each)) for each in lines])
        assert [(each["score"], each["place"]) for each in rows(replay, "seats")] == [(5, 2), (2, 3), (7, 1)]
        file.write_text('title = "Berries"\ncounters = ["berries"]\nscore = "points"\n')
        (tmp_path / "log.jsonl").write_text("\n".join(json.dumps(each) for each in lines))
        look_in(tmp_path.parent)
        look_in(tmp_path)
        assert "`score` is the counter points, which is none of the `counters`" in game_file_problems()["berries"]
    finally:
        look_in(Path(__file__).parent)


@pytest.fixture
def teams() -> list[Any]:
    """Return games of teams: none."""
    return []


@pytest.fixture
def asked(tmp_path: Path, teams: list[Any]) -> Any:
    """Return a function that asks a question about games of every kind of end."""
    games = [
        ("won", [ended(winner="A", scores={"A": 10, "B": 7, "C": 9})]),
        ("low", [ended(winner="B", scores={"A": 30, "B": 20, "C": 25})]),
        ("shared", [ended(winners=["A", "C"], scores={"A": 9, "B": 4, "C": 9})]),
        ("together", [ended(winners=["A", "B", "C"], cooperative=True, score=20)]),
        ("lost", [ended(winners=[], cooperative=True, score=12)]),
        ("drawn", [ended(winner=None)]),
        *teams,
    ]
    lines = [each for name, end in games for each in (head(name), *turns(), *end)]
    (tmp_path / "log.jsonl").write_text("".join(json.dumps(each) + "\n" for each in lines))
    with Log.open(tmp_path / "tabletape.db", create=True) as log:
        assert import_paths(log, [tmp_path / "log.jsonl"], Options()).clean
        build(log, Request())
        folder = folder_of(log)
    return lambda name: (ask(name, folder).to_pylist(), exclusions_in_words(question(name), folder))


def test_questions_about_winning_leave_out_games_without_one_winner(asked: Any) -> None:
    """Of six games two have one winner; why the others do not count is said in one line."""
    found, words = asked("first-player")
    assert [(row["wins"], row["games"]) for row in found] == [(1, 2)]
    left_out = "2 were played together, not against each other, 1 ended without a winner, 1 with several winners"
    assert words == f"2 of 6 games: {left_out}."
    players, _ = asked("players")
    assert {row["name"]: (row["wins"], row["decisive"]) for row in players} == {
        "Ann": (1, 2), "Ben": (1, 2), "Cem": (0, 2),
    }  # fmt: skip


def test_scores_are_those_of_each_player_and_of_the_table(asked: Any) -> None:
    """Nine points of players and two of tables are known."""
    found, words = asked("scores")
    each, table = found
    assert (each["whose"], each["scores"], each["lowest"], each["median"], each["highest"]) == (
        "each player",
        9,
        4,
        9,
        30,
    )
    assert (table["whose"], table["scores"], table["lowest"], table["highest"]) == ("the table", 2, 12, 20)
    assert words == "5 of 6 games: 1 without points."


def test_a_margin_is_that_to_the_best_of_the_others(asked: Any) -> None:
    """By one point where the most win, by five where the fewest do."""
    ((found,), words) = asked("margins")
    assert (found["games"], found["close"], found["highest"]) == (2, 1, 5)
    assert words.startswith("2 of 6 games: ")


def test_games_that_are_played_together_have_a_share_of_their_own(asked: Any) -> None:
    """One of two was won; the games against each other do not count."""
    ((found,), words) = asked("together")
    assert (found["wins"], found["games"], found["win_rate"], found["median_score"]) == (1, 2, 0.5, 16)
    assert words == "2 of 6 games: 4 were played against each other."


def test_places_are_counted_by_seat(asked: Any) -> None:
    """Three games have places; two of them the first seat won, one of these with another."""
    found, words = asked("places")
    assert [(row["seat"], row["first"], row["last"], row["games"]) for row in found] == [
        (1, 2, 1, 3), (2, 1, 2, 3), (3, 1, 0, 3),
    ]  # fmt: skip
    assert round(found[0]["baseline"], 3) == 0.444
    assert words == "3 of 6 games: 3 whose places are not known."


@pytest.mark.parametrize(
    "teams",
    [
        [
            (f"team-{number}", [ended(winner=winner, teams={"A": "Red", "B": "Blue", "C": "Red"})])
            for number, winner in enumerate(["A", "C", "B", None])
        ]
    ],
)
def test_a_team_has_a_share_of_its_own(asked: Any) -> None:
    """Of four games of two teams one has no winner; a team wins with whoever of it is named."""
    found, words = asked("teams")
    assert [(row["team"], row["players"], row["wins"], row["games"], row["baseline"]) for row in found] == [
        ("Blue", 1, 1, 3, 0.5), ("Red", 2, 2, 3, 0.5),
    ]  # fmt: skip
    assert words == "3 of 10 games: 6 without teams, 1 ended without a winner."
    assert [(row["name"], row["wins"], row["decisive"]) for row in asked("players")[0]] == [
        ("Ann", 1, 3), ("Ben", 2, 3), ("Cem", 0, 3),
    ]  # fmt: skip


@pytest.mark.parametrize(
    "teams",
    [
        [
            (name, [ended(winner="A", teams={"A": "Red", "B": "Blue", "C": "Red"}, scores={"A": a, "B": b, "C": c})])
            for name, a, b, c in (("team-won", 12, 8, 12), ("team-low", 3, 10, 3), ("team-open", 12, 8, 11))
        ]
    ],
)
def test_a_margin_between_teams_is_that_of_the_points_that_all_of_them_have(asked: Any) -> None:
    """By four and by seven, beside the two between players; members with different points say none of their team."""
    ((found,), words) = asked("margins")
    assert (found["players"], found["games"], found["highest"], found["median"]) == (3, 4, 7, 4.5)
    assert words.startswith("4 of 9 games: ")
    assert "1 whose points are not all known" in words


def test_a_sheet_and_bg_stats_know_teams(tmp_path: Path) -> None:
    """A winner that is a team is all of it, in a results sheet, in an export for BG Stats and when that comes back."""
    rows = ["date,players,winner,teams", '2026-05-01,"Ann; Ben; Cem; Dora",red,"Red; Blue; Red; Blue"']
    (tmp_path / "results.csv").write_text("\n".join(rows) + "\n")
    won: list[Any] = []
    file = tmp_path / "results.csv"
    for name in ("first", "second"):
        with Log.open(tmp_path / f"{name}.db", create=True) as log:
            assert import_paths(log, [file], Options()).clean
            (stored,) = log.games()
            found = replay(log, stored, log.events(stored))
            won.append((found.table.winners, found.table.outcome.teams))
            file = tmp_path / "plays.json"
            file.write_bytes(in_json(bgstats([(stored, found)])))
    assert won == [(("A", "C"), {"A": "Red", "B": "Blue", "C": "Red", "D": "Blue"})] * 2


def test_no_question_counts_a_game_without_one_winner_as_a_part_of_a_win(asked: Any) -> None:
    """Of whatever is counted the parts are whole numbers; where games have to be decided the two that are count."""
    counted = set()
    for each in questions():
        if "game_id" in each.parameters:
            continue
        found, words = asked(each.name)
        parts = [row[share.hits] for share in each.shares for row in found if row[share.hits] is not None]
        assert all(part == int(part) for part in parts), each.name
        counted |= {each.name} if parts else set()
        if each.counts[:1] == ("decisive",):
            assert words.startswith(("2 of 6 games", "1 of 6 games", "0 of 6 games")), (each.name, words)
    assert {"first-player", "together", "places", "players", "seats"} <= counted


def test_a_way_to_end_is_said_in_the_words_of_its_line() -> None:
    """What a log calls `tier3` people call tier 3; one without words of its own loses its hyphens."""
    words = [ending_in_words(vocabulary("evolve"), each) for each in ("tier3", "not-known", None)]
    assert words == ["tier 3", "not known", ""]
