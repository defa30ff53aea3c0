"""`tabletape simulate`: games of bots, to a file, into the log, or on standard output."""

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Tabletape


def test_the_same_seed_gives_the_same_bytes(tabletape: Tabletape, tmp_path: Path) -> None:
    """A simulation can be repeated byte by byte; another seed gives other games."""
    for name, seed in (("a", "5"), ("b", "5"), ("c", "6")):
        assert tabletape("simulate", "higher", "--games", "3", "--seed", seed, "--out", f"{name}.jsonl").exit_code == 0
    one, two, other = ((tmp_path / f"{name}.jsonl").read_bytes() for name in "abc")
    assert one == two
    assert one != other.replace(b"bot-higher-6", b"bot-higher-5")


def test_standard_output_is_the_log_and_nothing_else(tabletape: Tabletape) -> None:
    """The summary goes to standard error, so that the log can go through a pipe into the import."""
    result = tabletape("simulate", "higher", "--games", "2", "--seed", "3")
    heads = [json.loads(line) for line in result.stdout.splitlines() if '"game.started"' in line]
    assert [head["id"] for head in heads] == ["bot-higher-3-1", "bot-higher-3-2"]
    assert "at" not in heads[0]
    assert result.stderr.startswith("2 games, ")
    assert tabletape("import", "-", stdin=result.stdout_bytes).exit_code == 0
    assert "2 games without findings" in tabletape("audit").stdout


def test_games_go_straight_into_the_log_once(tabletape: Tabletape) -> None:
    """--import appends the games; again it changes nothing; other games under the same ids are refused."""
    assert "In the log: 2 new" in tabletape("simulate", "higher", "--games", "2", "--import").stderr
    again = tabletape("simulate", "higher", "--games", "3", "--import")
    assert "In the log: 2 unchanged, 1 new" in again.stderr
    other = tabletape("simulate", "higher", "--games", "1", "--bot", "greedy", "--import")
    assert other.exit_code == 1
    assert "choose another --seed" in other.stderr


def test_a_full_log_holds_what_follows_and_agrees_with_the_sparse_one(tabletape: Tabletape, tmp_path: Path) -> None:
    """--full writes the consequences too, each with its cause; both logs have the same decisions."""
    tabletape("simulate", "higher", "--games", "2", "--out", "sparse.jsonl")
    tabletape("simulate", "higher", "--games", "2", "--full", "--out", "full.jsonl")
    sparse, full = (
        [json.loads(line) for line in (tmp_path / f"{name}.jsonl").read_text().splitlines()]
        for name in ("sparse", "full")
    )
    followed = [event for event in full if "cause" in event]
    assert {event["type"] for event in followed} == {"trick.taken", "game.ended"}
    without = [{key: value for key, value in event.items() if key != "seq"} for event in full if "cause" not in event]
    assert without == [{key: value for key, value in event.items() if key != "seq"} for event in sparse]
    assert tabletape("import", "full.jsonl").exit_code == 0
    assert "2 games without findings" in tabletape("audit").stdout


def test_a_game_that_does_not_end_is_abandoned_and_reported(tabletape: Tabletape) -> None:
    """The limit ends a game by `game.abandoned`, and the summary says so."""
    result = tabletape("simulate", "higher", "--games", "8", "--limit", "10")
    assert result.exit_code == 0
    abandoned = [line for line in result.stdout.splitlines() if "game.abandoned" in line]
    assert abandoned
    assert result.stderr.count("was abandoned: not over after 10 events") == len(abandoned)


def test_bots_sit_where_they_are_asked_to(tabletape: Tabletape) -> None:
    """--bot is given seat by seat, the last one for all further seats, and the names say which bot is which."""
    result = tabletape("simulate", "higher", "--games", "1", "--bot", "greedy", "--bot", "random")
    players = json.loads(result.stdout.splitlines()[0])["players"]
    assert [player["name"] for player in players] == ["Greedy bot A", "Random bot B"]


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (("hgher",), 1, "did you mean higher?"),
        (("",), 1, "there is no game called ''"),
        (("higher", "--deck", "al"), 1, "did you mean all?"),
        (("higher", "--edition", "third"), 1, "there is no edition called 'third'"),
        (("higher", "--games", "0"), 2, "1 or more was expected"),
        (("higher", "--bot", "clever"), 2, "'clever' is not one of"),
        (("higher", "--out", "a", "--import"), 1, "give one of them"),
        (("higher", "--out", "none/a.jsonl"), 1, "No such file or directory"),
    ],
)
def test_an_impossible_simulation_is_refused(
    tabletape: Tabletape, tmp_path: Path, arguments: tuple[str, ...], code: int, message: str
) -> None:
    """What cannot be played is an error with a suggestion, and leaves no file behind."""
    result = tabletape("simulate", *arguments)
    assert result.exit_code == code
    assert message in " ".join(result.stderr.split())
    assert list(tmp_path.iterdir()) == []


def test_two_processes_play_the_same_games_as_one(tabletape: Tabletape, tmp_path: Path) -> None:
    """The number of processes changes no byte of the log."""
    for name, processes in (("one", "1"), ("two", "2")):
        asked = ("--games", "25", "--processes", processes, "--out", f"{name}.jsonl")
        assert tabletape("simulate", "crystal", *asked).exit_code == 0
    assert (tmp_path / "one.jsonl").read_bytes() == (tmp_path / "two.jsonl").read_bytes()
