"""The results sheet: a filled-in sheet can be imported as it is, and no empty cell becomes a number."""

from pathlib import Path

import msgspec
import pytest
from python_calamine import CalamineWorkbook

from tabletape.events.importing import Options, import_paths
from tabletape.events.importing.maps.documents.foreign import sheet_of
from tabletape.events.importing.maps.finding import shipped_maps
from tabletape.events.importing.sheets.headings import languages, results_languages
from tabletape.events.log import Log
from tabletape.events.templates.results_sheet import COLUMNS, write_results_template
from tabletape.events.vocabulary import tag_of
from tabletape.events.vocabulary.names import slug_of


def _csv_of(path: Path) -> str:
    return sheet_of(path.read_bytes()).decode()


def test_the_results_sheet_imports_as_it_is(tmp_path: Path) -> None:
    """A filled-in row is a game of which only the result is known: it has a winner and no length."""
    write_results_template(tmp_path / "results.xlsx", "splicers", "0.2a")
    sheet = _csv_of(tmp_path / "results.xlsx")
    (tmp_path / "results.csv").write_text(sheet + "splicers,0.2a,2026-05-02,Ann; Ben,,,Ann\n", encoding="utf-8")
    with Log.open(tmp_path / "tabletape.db", create=True) as log:
        report = import_paths(log, [tmp_path / "results.csv"], Options())
        assert [(game.game, game.status) for game in report.games] == [("splicers", "new")]
        assert "1 row that is the example of the sheet passed over" in report.files[0].remarks
        head, result = log.events(log.game("results-1"))
    assert [seat.name for seat in head.players] == ["Ann", "Ben"]  # type: ignore[attr-defined]  # a game.started
    assert tag_of(type(result)) == "result.recorded"
    assert result.winners == ("A",)  # type: ignore[attr-defined]  # a result.recorded
    assert not result.turns  # type: ignore[attr-defined]  # the same


FILLED = {
    "game": "splicers", "version": "0.2a", "date": "2026-05-02", "players": "Ann; Ben; Cem; Dora",
    "decks": "a; b; c; d", "first player": "Ben", "winner": "Ann; Cem", "teams": "Red; Blue; Red; Blue",
    "together": "", "ended by": "points", "rounds": "4", "turns": "16", "minutes": "35", "score": "9; 7; 9; 7",
    "places": "1; 2; 1; 2", "notes": "a good one",
}  # fmt: skip
"""A row of the sheet with something in each column."""


def test_a_sheet_with_headings_in_another_language_gives_the_same_results(tmp_path: Path) -> None:
    """Every column comes back in every language, whatever the capitals; with two of them the sheet is asked about."""
    read = []
    for language, words in {"": {}, **results_languages()}.items():
        path = tmp_path / f"results{language}.csv"
        write_results_template(tmp_path / "results.xlsx", "splicers", "0.2a", language)
        head, example = CalamineWorkbook.from_path(tmp_path / "results.xlsx").get_sheet_by_name("results").to_python()
        assert head == [words.get(name, name) for name in FILLED]
        rows = [map(str.upper if language else str, map(str, head)), map(str, example), FILLED.values()]
        path.write_text("\n".join(map(",".join, rows)), encoding="utf-8")
        with Log.open(tmp_path / f"{language or 'en'}.db", create=True) as log:
            report = import_paths(log, [path], Options(zone="Europe/Berlin"))
            (only,) = log.games()
            read.append(msgspec.to_builtins(log.events(only)[1:]))
        assert report.files[0].remarks == ["1 row that is the example of the sheet passed over"]
    assert all(each == read[0] for each in read)
    *_, result, note = read[0]
    assert (result["winners"], result["minutes"], note["text"]) == (("A", "C"), 35, "a good one")
    path.write_text(f"{words['players']},{words['winner']}\nAnn; Ben,Ann\n", encoding="utf-8")
    with Log.open(tmp_path / "fewer.db", create=True) as log:
        assert not import_paths(log, [path], Options()).games


def test_the_columns_have_names_of_their_own_in_every_language() -> None:
    """The languages are those of the sheet for logs; no two columns are called alike."""
    assert {*results_languages()} == {*languages()} == {"de", "es", "fr", "it", "nl", "pt"}
    for words in results_languages().values():
        assert list(words) == [name for name, _ in COLUMNS] == [*FILLED]
        assert len({*map(slug_of, words.values())}) == len(words)


def test_the_example_of_the_results_sheet_is_no_game(tmp_path: Path) -> None:
    """The sheet as it was written holds no game, and the error says what to do."""
    write_results_template(tmp_path / "results.xlsx", "splicers", "0.2a")
    with Log.open(tmp_path / "tabletape.db", create=True) as log:
        report = import_paths(log, [tmp_path / "results.xlsx"], Options())
    assert not report.games
    problem = report.files[0].problem
    assert problem is not None
    assert (problem.message, problem.suggestion) == ("the sheet is still empty", "write on it in place of its example")


@pytest.mark.parametrize(
    ("written", "changed"),
    [
        ("Ann,", "Ben,"),
        ("2026-05-01", "2026-05-02"),
        ("Ann; Ben", "Ann; Cem"),
        ("0.2a", "0.2b"),
        ("(splicers", "(evolve"),
    ],
)
def test_the_example_with_one_value_changed_is_a_game(tmp_path: Path, written: str, changed: str) -> None:
    """The example row counts as a game as soon as any of its values is changed."""
    write_results_template(tmp_path / "results.xlsx", "splicers", "0.2a")
    sheet = _csv_of(tmp_path / "results.xlsx")
    assert written in sheet
    (tmp_path / "results.csv").write_text(sheet.replace(written, changed, 1), encoding="utf-8")
    with Log.open(tmp_path / "tabletape.db", create=True) as log:
        assert [game.status for game in import_paths(log, [tmp_path / "results.csv"], Options()).games] == ["new"]


def test_a_remark_beside_the_example_makes_no_game_of_it(tmp_path: Path) -> None:
    """What stands in a column of one's own changes nothing of the example."""
    write_results_template(tmp_path / "results.xlsx", "splicers", "0.2a")
    head, row = _csv_of(tmp_path / "results.xlsx").splitlines()[:2]
    (tmp_path / "results.csv").write_text(f"{head},mine\n{row},as it was\n", encoding="utf-8")
    with Log.open(tmp_path / "tabletape.db", create=True) as log:
        assert not import_paths(log, [tmp_path / "results.csv"], Options()).games


def test_the_map_knows_every_column_of_the_sheet() -> None:
    """Every column of the sheet is read by the map, and the map reads no other."""
    (used,) = [each for each in shipped_maps() if each.name.startswith("results-sheet")]
    read = {path for column in used.written.columns.__struct_fields__ for path in _paths(used, column)}  # type: ignore[union-attr]  # it has columns
    assert {name for name, _ in COLUMNS} == read


def _paths(used: object, column: str) -> list[str]:
    found = getattr(used.written.columns, column)  # type: ignore[attr-defined]  # a map
    path = getattr(found, "column", found)
    return [path] if isinstance(path, str) and path else []


def test_scores_and_decks_that_are_not_one_for_each_player_are_reported(tmp_path: Path) -> None:
    """They are left out, because it is unclear whose they are; the game counts, and a remark names its row."""
    rows = [
        "game,date,players,decks,winner,score",
        "tabletop,,Ann; Ben; Cem,moss; fern,Ann,4; 9",
        "tabletop,,Ann; Ben,,Ann,1; 2",
    ]
    (tmp_path / "results.csv").write_text("\n".join(rows))
    with Log.open(tmp_path / "one.db", create=True) as log:
        report = import_paths(log, [tmp_path / "results.csv"], Options())
        assert [len(log.events(each)[-1].scores) for each in log.games()] == [0, 2]  # type: ignore[attr-defined]
    assert report.clean
    remark = "left out, because there is not one for each player: "
    remark += "row 2 (2 scores for 3 players), row 2 (2 decks for 3 players)"
    assert remark in report.files[0].remarks
