"""The results sheet: what is written imports as it is, and nothing that was left empty becomes a number."""

from pathlib import Path

from events.importing import Options, import_paths
from events.importing.maps.finding import shipped_maps
from events.log import Log
from events.results_template import COLUMNS, write_results_template
from events.vocabulary import tag_of


def test_the_results_sheet_imports_as_it_is(tmp_path: Path) -> None:
    """The example is a game by result only: its winner is known, its length is not."""
    write_results_template(tmp_path / "results.xlsx", "splicers", "0.2a")
    with Log.open(tmp_path / "tabletape.db", create=True) as log:
        report = import_paths(log, [tmp_path / "results.xlsx"], Options())
        assert [(game.game, game.status) for game in report.games] == [("splicers", "new")]
        head, result = log.events(log.game("results-1"))
    assert [seat.name for seat in head.players] == ["Ann", "Ben"]  # type: ignore[attr-defined]  # a game.started
    assert tag_of(type(result)) == "result.recorded"
    assert result.winners == ("A",)  # type: ignore[attr-defined]  # a result.recorded
    assert not result.turns  # type: ignore[attr-defined]  # the same


def test_the_map_knows_every_column_of_the_sheet() -> None:
    """No column can be filled in that nobody reads."""
    (used,) = [each for each in shipped_maps() if each.name.startswith("results-sheet")]
    read = {path for column in used.written.columns.__struct_fields__ for path in _paths(used, column)}  # type: ignore[union-attr]  # it has columns
    assert {name for name, _ in COLUMNS} == read


def _paths(used: object, column: str) -> list[str]:
    found = getattr(used.written.columns, column)  # type: ignore[attr-defined]  # a map
    path = getattr(found, "column", found)
    return [path] if isinstance(path, str) and path else []
