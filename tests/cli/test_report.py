"""`tabletape report`: the summary of an evening as HTML and as Markdown, in which no text of a log is markup."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tabletape.projector.model.game import Game
from tests.cli.conftest import Tabletape
from tests.written_games import ANN_WINS, BEN_WINS, played

Store = Callable[..., Path]
HOSTILE = "</td><script>alert(1)</script>"


FELT = [
    {"type": "moment.marked", "player": "A", "felt": "confused", "text": HOSTILE},
    {"type": "feedback.given", "player": "A", "fun": 2, "length": "too long", "again": False, "text": "too dry"},
    {"type": "feedback.given", "fun": 5},
]
QUESTION = {"type": "question.raised", "text": "whose turn is it?", "rule": "higher.turn.alternate"}


@pytest.fixture
def evenings(store: Store, higher: Game, tabletape: Tabletape) -> Path:  # noqa: ARG001 - the commands run where it is
    """Store two evenings: on the first Ann wins; on the second Ben wins, and in another game he plays out of turn."""
    assert higher
    store("first", *ANN_WINS, at="2026-05-01T19:00:00Z")
    store("second", *BEN_WINS, at="2026-05-08T19:00:00Z")
    players = [{"id": "A", "name": "Ann", "deck": "low"}, {"id": "B", "name": HOSTILE, "deck": "high"}]
    return store("third", QUESTION, played("B", "two"), at="2026-05-08T20:00:00Z", players=players)


@pytest.mark.usefixtures("evenings")
def test_the_report_is_about_the_newest_evening(tabletape: Tabletape) -> None:
    """It has results, the mistake with rule and step, the question, the evening before, and what to test next."""
    report = tabletape("report").stdout
    assert report.startswith("# Playtests of 2026-05-08\n\n2 games of Higher, 1 of them finished, played by 3 people.")
    assert "| second | Ann, Ben | Ben | tricks | 2 |" in report
    assert "### What went wrong" in report
    assert "(third), event 7, turn 1:" in report
    assert report.count("\n> ") == 1, "the table of a mistake is drawn once"
    assert "whose turn is it?" in report
    assert "tabletape stats" not in report
    assert "| games with a mistake | 0 of 1 | 1 of 2 |" in report
    assert "### What to try next" in report
    assert "| first |" not in report
    assert "1 of 2 had a mistake" in report
    assert "Broken most, once: " in report


def test_texts_of_a_log_are_no_markup(evenings: Path, tabletape: Tabletape) -> None:
    """A name that looks like markup is escaped in HTML and in Markdown; the page has no script and no address."""
    out = evenings.parent / "evening.html"
    assert tabletape("report", "--out", str(out)).exit_code == 0
    page = out.read_text(encoding="utf-8")
    assert "<script" not in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page
    assert "http" not in page.replace("http-equiv", "")
    assert "default-src 'none'" in page
    assert "<figure>" in page
    assert page.count(' marked">') == page.count("<figure>"), "each board marks the card that it is about"
    assert r"\<script\>" in tabletape("report").stdout


@pytest.mark.usefixtures("evenings")
def test_each_game_is_listed_once_however_often_it_was_read(tabletape: Tabletape) -> None:
    """Another reading in the datasets, under which more is wrong, changes nothing in the report."""
    before = tabletape("report").stdout
    assert tabletape("build", "--edition", "second").exit_code == 0
    assert tabletape("report").stdout == before
    assert before.count("| second | Ann, Ben |") == 1


@pytest.mark.usefixtures("evenings")
def test_days_and_ids_select_games(tabletape: Tabletape) -> None:
    """A report is about a day, everything since a day, or games named by their ids."""
    assert tabletape("report", "--evening", "2026-05-01").stdout.startswith(
        "# Playtests of 2026-05-01\n\n1 game of Higher,"
    )
    assert tabletape("report", "--since", "2026-05-01").stdout.startswith(
        "# Playtests since 2026-05-01\n\n3 games of Higher,"
    )
    assert tabletape("report", "first", "third").stdout.startswith("# Playtests: first, third\n\n2 games of Higher,")


@pytest.mark.usefixtures("higher")
def test_an_evening_has_the_date_of_its_own_clock(store: Store, tabletape: Tabletape) -> None:
    """Neither a game early in Berlin nor one late in New York goes to another day because it is that in Greenwich."""
    store("berlin", *ANN_WINS, at="2026-05-08T00:00:00+02:00")
    store("new-york", *ANN_WINS, at="2026-05-08T21:30:00-04:00")
    report = tabletape("report").stdout
    assert report.startswith("# Playtests of 2026-05-08\n\n2 games of Higher,")
    for more in (("--since", "2026-05-08"), ("--since", "2026-05-01", "--before", "2026-05-09")):
        assert [row["game_id"] for row in json.loads(tabletape("stats", "games", *more, "--json").stdout)] == [
            "berlin",
            "new-york",
        ]
    assert "berlin" not in tabletape("stats", "games", "--before", "2026-05-08", "--json").stdout


def test_nothing_is_said_of_moves_that_nobody_wrote_down(tmp_path: Path, tabletape: Tabletape) -> None:
    """A report about results does not say that each line keeps the rules; the replay names who won, and no reason."""
    sheet = tmp_path / "fridays.csv"
    sheet.write_text("date,players,winner\n2026-05-08,Ann; Ben,Ann\n", encoding="utf-8")
    assert tabletape("import", str(sheet), "--zone", "Europe/Berlin").exit_code == 0
    assert tabletape("build").exit_code == 0
    report = tabletape("report").stdout
    assert report.startswith("# Playtests of 2026-05-08\n")
    assert "No move of these games was written down, so nobody can tell whether the rules were kept." in report
    assert "keeps the rules" not in report
    assert "Ann won; no findings" in tabletape("replay", "fridays-1").stdout


@pytest.mark.usefixtures("evenings")
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--evening", "2026-05-02"), "no game began then; games began on 2026-05-01 and 2026-05-08"),
        (("secnd",), "there is no game secnd; did you mean second?"),
        (("first", "--since", "2026-05-01"), "give one of them"),
        (("--out", "evening.pdf"), "a report is written as .html or .md, not as '.pdf'"),
        (("--evening", "yesterday"), "yesterday"),
    ],
)
def test_an_impossible_report_is_refused(tabletape: Tabletape, arguments: tuple[str, ...], message: str) -> None:
    """A day without games, an unknown game, two selections at once, another kind of file: each is an error."""
    result = tabletape("report", *arguments)
    assert result.exit_code != 0
    assert message in " ".join(result.stderr.split())


def test_without_games_there_is_nothing_to_report(tabletape: Tabletape, store: Store) -> None:
    """For a log with games of bots only the error says that there are none of people."""
    store("bot-1", *ANN_WINS)
    result = tabletape("report")
    assert result.exit_code != 0
    assert "no games of people" in result.stderr


def test_what_people_said_stands_with_who_said_it(store: Store, higher: Game, tabletape: Tabletape) -> None:
    """Each number has a name or is somebody's, and no average stands in their place; a marked moment has its board."""
    assert higher
    place = store("felt", *ANN_WINS, *FELT, at="2026-05-08T19:00:00Z")
    report = tabletape("report").stdout
    assert "* Fun, 1 to 5, said by 2 of 2 people: somebody 5, Ann 2." in report
    assert "* Length: 1 too long." in report
    assert "* Would play again: 0 of 1 who said so." in report
    assert "* Ann: “too dry”" in report
    assert "Ann felt confused: “" in report.partition("### Moments")[2]
    out = place.parent / "evening.html"
    assert tabletape("report", "--out", str(out)).exit_code == 0
    assert "<script" not in out.read_text(encoding="utf-8")
