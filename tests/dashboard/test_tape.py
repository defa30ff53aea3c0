"""The Python interface: a workspace as one object, with typed results that become Arrow and show themselves."""

import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import tabletape
from tabletape.dashboard.tape import records
from tests.written_games import ANN_WINS, BEN_WINS, played

Store = Callable[..., Path]
ROOT = Path(__file__).parents[2]
MISTAKE = ROOT / "tests" / "sixth_game" / "one-mistake.jsonl"


@pytest.fixture
def tape(store: Store) -> Iterator[tabletape.Tape]:
    """Open a log of four games of people: Ann wins two, Ben wins one, and one with a mistake is unfinished."""
    store("g1", *ANN_WINS)
    store("g2", *ANN_WINS)
    store("g3", *BEN_WINS)
    with tabletape.open(store("g4", played("B", "two"))) as found:
        yield found


def test_an_import_begins_the_log_and_says_what_became_of_the_file(higher: Any, tmp_path: Path) -> None:
    """No file is made before there is something to store; the report is the one of the command."""
    assert higher.slug == "higher"
    with tabletape.open(tmp_path / "new.db") as tape:
        with pytest.raises(tabletape.TabletapeError, match="there is no log at"):
            tape.games()
        assert not tape.import_files(tmp_path / "nothing.jsonl").clean
        assert tape.import_files(MISTAKE, dry_run=True).events
        assert not (tmp_path / "new.db").exists()
        assert [taken.status for taken in tape.import_files(MISTAKE).games] == ["new"]
        assert [taken.status for taken in tape.import_files(MISTAKE).games] == ["unchanged"]
        assert len(tape.games()) == 1


def test_games_are_a_list_and_a_table(tape: tabletape.Tape) -> None:
    """A game says who played what; all of them are one Arrow table with a row each."""
    games = tape.games(game="higher")
    assert [game.game_id for game in games] == ["g1", "g2", "g3", "g4"]
    assert games[0].players == ("Ann", "Ben")
    assert len(games[0].events) == games[0].event_count
    table = games.to_arrow()
    assert table["game_id"].to_pylist() == ["g1", "g2", "g3", "g4"]
    assert table["players"].to_pylist()[0] == ["Ann", "Ben"]
    assert games[:0].to_arrow().schema == table.schema
    assert "g3" in games._repr_html_()
    assert [game.game_id for game in tape.games(["g3", games[0]])] == ["g3", "g1"]
    assert len(tape.games([])) == 0


def test_a_step_says_what_it_changed_and_keeps_its_table(tape: tabletape.Tape) -> None:
    """Tables of several steps stand beside each other: a later step does not change an earlier one."""
    replay = tape.game("g1").replay()
    tables = [step.table for step in replay]
    assert len(replay) == len(tables) == tape.game("g1").event_count
    sizes = [sum(zone.size for name, zone in table.zones.items() if "hand" in name) for table in tables]
    assert len(set(sizes)) > 1
    assert sizes == [sum(z.size for n, z in step.table.zones.items() if "hand" in n) for step in replay]
    step = replay[-1]
    assert step.event is tape_events(replay)[-1]
    assert any(each.changes for each in replay)
    assert replay.at(step.seq).text == step.text
    assert "won" in replay.result


def tape_events(replay: tabletape.TapeReplay) -> list[Any]:
    """Return the events of a replay."""
    return list(replay.view.replay.events)


def test_a_board_shows_itself_without_markup_from_the_log(tape: tabletape.Tape) -> None:
    """A step is drawn as HTML that stands alone: no script, no address, and names are text."""
    html = tape.game("g1").replay()[-1]._repr_html_()
    assert "<figure>" in html
    assert "<script" not in html
    assert "http" not in html


def test_a_viewer_does_not_see_the_cards_of_others(tape: tabletape.Tape) -> None:
    """What another player holds stands neither in the words nor on the board that a player sees."""
    everything, bens = (tape.game("g1").replay(viewer=each) for each in ("everything", "Ben"))
    drawn = next(step for step in everything if type(step.event).__name__ == "CardsDrawn")
    assert "Four" in drawn.text
    assert "Four" not in bens.at(drawn.seq).text
    with pytest.raises(tabletape.TabletapeError, match="nobody called 'Zoe'"):
        tape.game("g1").replay(viewer="Zoe")


def test_findings_are_objects_a_table_and_html_with_citation(tape: tabletape.Tape) -> None:
    """The audit names event, rule and place; games without findings have their report too."""
    findings = tape.audit(game="higher")
    assert {each.game_id for each in findings} == {"g4"}
    table = findings.to_arrow()
    assert table["rule"].to_pylist() == [each.rule for each in findings]
    assert table.schema.field("tainted").type == pa.bool_()
    assert findings[0].rule in findings._repr_html_()
    assert [each.stored.game_id for each in findings.reports] == ["g1", "g2", "g3", "g4"]
    clean = tape.audit(["g1"])
    assert len(clean) == 0
    assert clean.to_arrow().schema == table.schema


def test_findings_are_those_of_the_replays_steps(tape: tabletape.Tape) -> None:
    """Both ways to look at a game say the same."""
    of_steps = [(step.seq, each.rule) for step in tape.game("g4").replay() for each in step.findings]
    assert of_steps == [(each.seq, each.rule) for each in tape.audit(["g4"])]


def test_an_answer_has_share_interval_baseline_and_sentence(tape: tabletape.Tape) -> None:
    """The datasets are built by themselves, and the numbers are those of the question."""
    answer = tape.ask("first-player", game="higher")
    assert answer.rows[0]["games"] == 3
    assert answer.value == pytest.approx(2 / 3)
    assert answer.interval[0] < answer.value < answer.interval[1]
    assert answer.baseline == 0.5
    assert "67 % (2 of 3; 21-94 %), against 50 % if it did not matter" in answer.sentence
    assert "1 did not finish" in answer.sentence


def test_an_answer_shows_its_chart_and_one_without_shows_its_rows(tape: tabletape.Tape) -> None:
    """A share has a chart with its numbers; a list of games has none, says so, and is shown as a table."""
    answer = tape.ask("first-player")
    drawn = answer.chart().to_dict()
    (rows,) = drawn["datasets"].values()
    assert [(row["value"], row["baseline"]) for row in rows] == [(pytest.approx(2 / 3), 0.5)]
    assert answer._repr_mimebundle_()["text/plain"] == answer.sentence
    games = tape.ask("games")
    with pytest.raises(tabletape.TabletapeError, match="is a table, not a chart"):
        games.chart()
    assert "<table>" in games._repr_mimebundle_()["text/html"]
    with pytest.raises(tabletape.TabletapeError, match="no share"):
        _ = games.value


def test_sql_gives_an_arrow_table_of_what_the_log_says_now(tape: tabletape.Tape) -> None:
    """SQL asks the datasets, which are brought up to date first."""
    assert tape.sql("SELECT count(*) AS n FROM games").to_pylist() == [{"n": 4}]
    with pytest.raises(tabletape.TabletapeError):
        tape.sql("SELECT * FROM read_csv('/etc/passwd')")


def test_an_answer_that_is_cut_off_is_refused(tape: tabletape.Tape, monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows that are missing unseen would be a wrong answer."""
    monkeypatch.setattr("tabletape.dashboard.tape.answers.MAX_ROWS", 3)
    with pytest.raises(tabletape.TabletapeError, match="more than 3 rows"):
        tape.sql("SELECT * FROM games")


def test_bots_games_are_stored_once_and_counted_apart(tape: tabletape.Tape) -> None:
    """The same seed gives the same games, which are in the log already the second time."""
    assert len(tape.simulate("higher", 2, seed=3)) == 2
    again = tape.simulate("higher", 2, seed=3)
    assert again.to_arrow()["finding_count"].to_pylist() == [0, 0]
    assert len(tape.games()) == 6
    assert sum(row["games"] for row in tape.ask("overview", source="bots").rows) == 2


def test_games_are_shared_and_exported(tape: tabletape.Tape, tmp_path: Path) -> None:
    """The page has the board in it; a form of export that there is none of is refused with the nearest."""
    page = tape.share(["g1"], tmp_path / "g.html", anonymous=True).read_text(encoding="utf-8")
    assert "Ann" not in page.partition('id="data"')[0].partition("<title>")[2].partition("</title>")[0]
    assert tape.export(["g1"], tmp_path / "g.txt", "text").stat().st_size
    with pytest.raises(tabletape.TabletapeError, match="text"):
        tape.export(["g1"], tmp_path / "g.txt", "txt")
    with pytest.raises(tabletape.TabletapeError, match="at least one game"):
        tape.share([], tmp_path / "none.html")


@pytest.mark.parametrize(
    ("ask", "said"),
    [
        (lambda tape: tape.games(game="hihger"), "did you mean|higher"),
        (lambda tape: tape.game("g11"), "g1"),
        (lambda tape: tape.games(["g11"]), "g1"),
        (lambda tape: tape.audit(rulings=["x"]), "KEY=OPTION"),
        (lambda tape: tape.ask("first-plyer"), "first-player"),
        (lambda tape: tape.ask("first-player", game="hihger"), "higher"),
        (lambda tape: tape.ask("findings", clean=True), "leave out"),
        (lambda tape: tape.simulate("hihger"), "higher"),
        (lambda tape: tape.simulate("higher", bots=["clever"]), "random, greedy, search"),
        (lambda tape: tape.import_files(), "name the files"),
        (lambda tape: tape.import_files("x", dryrun=True), "dry_run"),
    ],
)
def test_what_makes_no_sense_is_refused_with_a_suggestion(
    tape: tabletape.Tape, ask: Callable[[tabletape.Tape], Any], said: str
) -> None:
    """Every refusal is a `TabletapeError` that says what there is instead."""
    with pytest.raises(tabletape.TabletapeError, match=said):
        ask(tape)


def test_a_closed_tape_and_a_path_without_a_log_are_refused(tape: tabletape.Tape, tmp_path: Path) -> None:
    """Who goes on after closing hears how to open it again; a file that is no log is left as it is."""
    tape.close()
    with pytest.raises(tabletape.TabletapeError, match=r"closed: tabletape\.open"):
        tape.games()
    with pytest.raises(tabletape.TabletapeError, match="closed"):
        tape.import_files(MISTAKE)
    file = tmp_path / "letter.txt"
    file.write_text("Dear Ann", encoding="utf-8")
    with pytest.raises(tabletape.TabletapeError, match="is no log"):
        tabletape.open(file)
    assert file.read_text(encoding="utf-8") == "Dear Ann"
    with pytest.raises(tabletape.TabletapeError, match="no folder"):
        tabletape.open(tmp_path / "nowhere" / "x.db")


def test_a_library_that_is_not_installed_is_named(tape: tabletape.Tape, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without pandas or Polars the error says how to get it, and what works without."""
    monkeypatch.setattr(records, "find_spec", lambda _name: None)
    for convert in (tape.games().to_pandas, tape.audit().to_polars, tape.ask("games").to_pandas):
        with pytest.raises(tabletape.TabletapeError, match=r"pip install p.*\.to_arrow"):
            convert()


def test_importing_tabletape_loads_nothing_else() -> None:
    """The command imports the package first, and waits for none of it."""
    code = "import sys; before = set(sys.modules); import tabletape; print(*sorted(set(sys.modules) - before))"
    ended = subprocess.run(  # noqa: S603 - our own code
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT / ".package"
    )
    loaded = set(ended.stdout.split())
    assert {name for name in loaded if not name.startswith(("importlib", "warnings"))} == {"tabletape"}


def test_every_name_of_the_interface_is_there() -> None:
    """What the module lists can be had and has a docstring; anything else is an `AttributeError` with the list."""
    for name in tabletape.__all__:
        assert getattr(tabletape, name).__doc__
    assert set(tabletape.__all__) <= set(dir(tabletape))
    with pytest.raises(AttributeError, match="Tape"):
        _ = tabletape.tapes
