"""`build`, `stats` and `sql`: from the log to answers, and plain messages where there are none."""

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tabletape.dashboard.questions import questions

Tabletape = Callable[..., Any]


def imported(tabletape: Tabletape, folder: Path, *ids: str) -> None:
    """Import finished games in which Ann wins."""
    cards = ["one", "two", "three", "four", "five", "six"]
    lines = []
    for game_id in ids:
        players = [{"id": "A", "name": "Ann", "deck": "=low"}, {"id": "B", "name": "Ben", "deck": "high"}]
        head = {"type": "game.started", "game": "higher", "edition": "first", "id": game_id, "players": players}
        lines += [
            head | {"rulings": {}},
            *({"type": "deck.declared", "player": player, "cards": cards} for player in "AB"),
            {"type": "cards.drawn", "player": "A", "cards": ["A:one", "A:four", "A:six"]},
            {"type": "cards.drawn", "player": "B", "cards": ["B:two", "B:three", "B:six"]},
            *(
                {"type": "card.played", "player": card[0], "card": card}
                for card in ("A:four", "B:two", "A:six", "B:three")
            ),
        ]
    file = folder / f"{ids[0]}.jsonl"
    file.write_text("\n".join(map(json.dumps, lines)))
    assert tabletape("import", file.name).exit_code == 0


@pytest.fixture
def built(tabletape: Tabletape, tmp_path: Path) -> Tabletape:
    """Import three games of people and one of bots and build the datasets."""
    imported(tabletape, tmp_path, "g1", "g2", "g3")
    imported(tabletape, tmp_path, "bot-1")
    assert "4 games projected (36 events), 0 unchanged" in tabletape("build").output
    return tabletape


def test_a_second_build_says_that_nothing_changed(built: Tabletape) -> None:
    """The second build projects nothing; --json says the same to a program."""
    assert "0 games projected, 4 unchanged" in built("build").output
    assert json.loads(built("build", "--json").stdout)["unchanged"] == 4


def test_questions_about_mistakes_refuse_clean_games_only(built: Tabletape) -> None:
    """A question that counts all games refuses --clean instead of answering as without it."""
    for name in ("findings", "house-rules", "rules-confusion"):
        result = built("stats", name, "--clean")
        assert result.exit_code == 1
        assert "leave out --clean" in " ".join(result.output.split())
    assert built("stats", "never-seen", "--clean").exit_code == 0


def test_a_share_is_shown_with_count_and_interval(built: Tabletape) -> None:
    """The answer also says how many games it takes to know the share more exactly."""
    result = built("stats", "first-player")
    assert "100 % (3 of 3; 44-100 %)" in result.output
    assert "93 games" in result.output
    assert "Left out: 1 game of bots." in result.output


def test_bots_are_counted_only_on_request(built: Tabletape) -> None:
    """With --bots only the games of bots are counted."""
    result = built("stats", "first-player", "--bots")
    assert "100 % (1 of 1; 21-100 %)" in result.output
    assert "Left out: 3 games of people." in result.output


@pytest.mark.parametrize("name", ["games", "overview", "cards", "dead-cards", "matchups", "never-seen"])
def test_a_question_is_answered_at_the_command_line(built: Tabletape, name: str) -> None:
    """A question prints its title, rows as JSON, and as CSV with a line of headings."""
    assert built("stats", name).exit_code == 0
    as_json = json.loads(built("stats", name, "--json").stdout)
    as_csv = list(csv.DictReader(io.StringIO(built("stats", name, "--csv").stdout)))
    assert len(as_json) == len(as_csv)
    assert all(set(left) == set(right) for left, right in zip(as_json, as_csv, strict=True))


def test_a_text_that_a_spreadsheet_would_run_is_made_harmless(built: Tabletape) -> None:
    """A deck whose name is a formula comes out of --csv as text."""
    (row,) = (row for row in csv.DictReader(io.StringIO(built("stats", "decks", "--csv").stdout)) if row["wins"] == "3")
    assert row["value"] == "'=low"


def test_without_a_question_they_are_listed(tabletape: Tabletape) -> None:
    """All questions are listed with what they ask, also before there is a log."""
    listed = tabletape("stats")
    assert listed.exit_code == 0
    assert all(each.name in listed.output and each.title in listed.output for each in questions())
    assert len(json.loads(tabletape("stats", "--json").stdout)) == len(questions())


def test_few_games_say_little_about_the_strength_of_a_deck(built: Tabletape) -> None:
    """A deck that never lost is estimated only a little stronger than the average, with a wide interval."""
    (best, *_) = json.loads(built("stats", "ratings", "--json").stdout)
    assert best["low"] < 0.5 < best["strength"] < 0.7


def test_games_that_changed_since_the_build_are_remarked(built: Tabletape, tmp_path: Path) -> None:
    """An answer from datasets that lag behind the log says so and names the command."""
    imported(built, tmp_path, "g4")
    result = built("stats", "overview")
    assert "1 new or changed game since the last build" in result.output
    assert "tabletape build" in result.output


def test_another_reading_is_set_beside_the_tables_own(built: Tabletape) -> None:
    """A build by another edition puts a second row beside the first, and `rulesets` compares them."""
    assert built("build", "--edition", "second").exit_code == 0
    assert len(json.loads(built("stats", "first-player", "--json").stdout)) == 2
    assert json.loads(built("stats", "rulesets", "--json").stdout)[0]["games"] == 3
    only = json.loads(built("stats", "first-player", "--ruleset", "first", "--json").stdout)
    assert [row["ruleset"] for row in only] == ["first"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("stats", "frist-player"), "did you mean 'first-player'"),
        (("stats", "first-player", "--game", "hihger"), "did you mean higher"),
        (("stats", "first-player", "--ruleset", "frst"), "did you mean first"),
        (("build", "--edition", "secnd"), "did you mean second"),
        (("build", "--ruling", "ties"), "KEY=OPTION"),
        (("sql", "SELECT * FROM gmaes"), "The datasets are: games"),
        (("sql", "COPY games TO 'games.csv'"), "only one SELECT"),
        (("sql", "SELECT * FROM read_text('/etc/passwd')"), "only the datasets can be read"),
    ],
)
def test_an_impossible_request_is_refused_in_one_line(
    built: Tabletape, arguments: tuple[str, ...], message: str
) -> None:
    """A wrong name or a forbidden query is a plain message with a suggestion and exit code 1."""
    refused = built(*arguments)
    assert refused.exit_code == 1
    assert message in " ".join(refused.output.split())


@pytest.mark.parametrize("arguments", [("build",), ("stats", "overview"), ("sql", "SELECT 1")])
def test_without_a_log_the_import_is_named(tabletape: Tabletape, arguments: tuple[str, ...]) -> None:
    """In an empty folder the message names `tabletape import`, and nothing is made."""
    refused = tabletape(*arguments)
    assert refused.exit_code == 1
    assert "tabletape import" in refused.output
    assert list(Path.cwd().iterdir()) == []


def test_before_the_first_build_there_is_no_answer_and_no_error(evening: Path, tabletape: Tabletape) -> None:
    """A log without datasets gives no rows and names `tabletape build`."""
    assert evening.exists()
    result = tabletape("stats", "first-player")
    assert result.exit_code == 0
    assert "tabletape build" in result.output


def test_the_users_own_sql_is_answered(built: Tabletape) -> None:
    """A SELECT is printed as a table, JSON or CSV, and the output says when it leaves out rows."""
    query = "SELECT game_id, events FROM games ORDER BY game_id"
    assert json.loads(built("sql", query, "--json").stdout)[0] == {"game_id": "bot-1", "events": 9}
    assert built("sql", query, "--csv").stdout.splitlines()[0] == "game_id,events"
    assert "more rows than the 2 shown" in built("sql", query, "--rows", "2").output
    listed = built("sql").output
    assert "opportunities" in listed
    assert "take-backs that name it" in listed
