"""Lines in quarantine are mended by suggestion or by hand, without another import of their file."""

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any, Final

import pytest
import xlsxwriter

from tabletape.events.importing import FileReport, Options, import_paths
from tabletape.events.importing.lines.text import LineTextError, changed, written
from tabletape.events.importing.quarantine.mending import OpenLine, mend, open_lines
from tabletape.events.log import Log
from tabletape.events.log.integrity import verify
from tabletape.events.vocabulary import tag_of
from tabletape.projector.archive.stored import known_of, titles
from tests.events.conftest import game, head, import_file, line, write_lines

COLUMNS: Final[tuple[str, ...]] = (
    "type",
    "player",
    "game",
    "edition",
    "id",
    "players",
    "card",
    "cards",
    "count",
    "biom",
    "reason",
    "splicer",
    "bioms",
    "winner",
    "notes",
)

SLIPS: list[dict[str, Any]] = [
    {"type": "Game started", "game": "Splicers", "edition": "0.2a", "id": "friday", "players": "Ann; Ben"},
    {"type": "deck declared", "player": "Ann", "splicer": "Ilse Quandt", "bioms": "Saltglass Shore; Thunder Shelf",
     "cards": "Reed Heron; Kelp Choir; Glas Moth; Lichen Page"},
    {"type": "deck declared", "player": "Bn", "splicer": "brother-oskar", "bioms": "Moss Parish; Cinder Steppe",
     "cards": "mire-calf; tithe-barn; kelp-choir; lichen-page"},
    {"type": "first player chosen", "player": "Anne"},
    {"type": "card drawn", "player": "Ann", "count": "two", "reason": "Opening hand"},
    {"type": "cards drawn", "player": "Ben", "count": "2,0", "reason": "oppening hand"},
    {"type": "------"},
    {"type": "seed plaid", "player": "Ann", "card": "Reed Heron", "biom": "Thunder Shelf"},
    {"notes": "Ben went to fetch tea"},
    {"type": "turn endd", "player": "Ann"},
    {"type": "seed.played", "player": "Benn", "card": "Kelp Quire", "biom": "Moss Parish"},
    {"type": "turn ended", "player": "Ben", "card": "Kelp Choir"},
    {"type": "break", "notes": "pizza"},
    {"type": "cards drawn", "player": "A", "cards": "Lichen Pge; Glas Mth", "reason": "ability"},
    {"type": "turn ended"},
    {"type": "player conceded", "player": "Ben", "notes": "no time"},
]  # fmt: skip
"""A sheet as it is typed at a table: most rows are read as meant, the others have to be asked about."""

RIGHT = [
    ("game.started", ""),
    ("deck.declared", "A"),
    ("deck.declared", "B"),
    ("first-player.chosen", "A"),
    ("cards.drawn", "A"),
    ("cards.drawn", "B"),
    ("seed.played", "A"),
    ("note.added", ""),
    ("turn.ended", "A"),
    ("seed.played", "B"),
    ("turn.ended", "B"),
    ("cards.drawn", "A"),
    ("turn.ended", "A"),
    ("player.conceded", "B"),
]

BY_HAND = {4: "method = die", 5: "count = 2 | type = cards.drawn", 12: "card =", 15: "player = Ann"}
"""The answers of a person for the rows (by line number minus one) that no suggestion mends."""


def csv_sheet(path: Path) -> None:
    """Write the sheet as CSV."""
    cell = [[str(row.get(name, "")) for name in COLUMNS] for row in SLIPS]
    path.write_text("\n".join(",".join(f'"{text}"' for text in row) for row in [COLUMNS, *cell]), encoding="utf-8")


def workbook(path: Path) -> None:
    """Write the sheet as a workbook."""
    with xlsxwriter.Workbook(str(path)) as book:
        sheet = book.add_worksheet("log")
        sheet.write_row(0, 0, COLUMNS)
        for number, row in enumerate(SLIPS, 1):
            sheet.write_row(number, 0, [row.get(name, "") for name in COLUMNS])


def answer_to(one: OpenLine) -> Mapping[str, Any] | None:
    """Return the answer of a person about a line: the suggestion if it is right, otherwise a few words by hand."""
    number = one.entry.line - 1
    if one.fields["type"] == "break":
        return None
    meant = dict(one.suggestion or one.fields)
    return changed(meant, BY_HAND[number], one.place) if number in BY_HAND else meant


@pytest.mark.parametrize(("name", "write"), [("friday.csv", csv_sheet), ("friday.xlsx", workbook)])
def test_a_sheet_with_a_dozen_slips_is_a_clean_game_after_two_rounds(
    tmp_path: Path, name: str, write: Callable[[Path], None]
) -> None:
    """Suggestions and a few answers by hand give the complete game, and the file is imported only once."""
    write(tmp_path / name)
    options = Options(known=partial(known_of, tmp_path), titles=titles(), workspace=tmp_path)
    with Log.open(tmp_path / "tabletape.db", create=True) as log:
        report = import_paths(log, [tmp_path / name], options)
        assert report.quarantined >= 9
        (tmp_path / name).unlink()
        rounds = 0
        while (lines := open_lines(log)[0]) and rounds < 2:
            rounds += 1
            mend(log, [(one.name, each) for one in lines for each in one.mends(answer_to(one))], options)
        assert [(entry.place, entry.message) for entry in log.quarantine()] == []
        events: list[Any] = log.events(log.game("friday"))
        assert [(tag_of(type(event)), getattr(event, "player", None) or "") for event in events] == RIGHT
        assert events[9].card == "B:kelp-choir"
        assert events[11].cards == ("A:lichen-page", "A:glass-moth")
        assert list(verify(log)) == []


# -- one line ----------------------------------------------------------------------------------------------------------

BAD = line("seed.plyd", player="A", card="A:reed-heron", biom="moss-parish")


def import_spoilt(log: Log, tmp_path: Path, *bad: str) -> FileReport:
    """Import a game with bad lines in it."""
    return import_file(log, write_lines(tmp_path / "g.jsonl", [*game()[:2], *bad, *game()[2:]]))


def mend_open_lines(log: Log, *answers: Mapping[str, Any] | None) -> FileReport:
    """Mend the open lines, one after the other, with the given fields."""
    lines, _ = open_lines(log)
    found = mend(
        log,
        [(one.name, each) for one, answer in zip(lines, answers, strict=True) for each in one.mends(answer)],
        Options(),
    )
    (report,) = found.files
    return report


def test_a_mended_line_is_put_into_its_game_where_it_belongs(log: Log, tmp_path: Path) -> None:
    """The next revision of the game has the event at the place of its line, and the quarantine is empty."""
    import_spoilt(log, tmp_path, BAD)
    (one,) = open_lines(log)[0]
    assert one.suggestion == {**one.fields, "type": "seed.played"}
    report = mend_open_lines(log, one.suggestion)
    assert [(taken.status, taken.revision) for taken in report.games] == [("revised", 2)]
    assert "1 line was read as mended in the quarantine" in report.remarks
    assert [event.type for event in log.stored(log.game("g"))][2:4] == ["seed.played", "seed.played"]
    assert log.quarantine() == []


def test_the_file_of_a_mended_line_may_be_imported_again_and_grow(log: Log, tmp_path: Path) -> None:
    """The same file changes nothing, and new lines at its end are appended to the mended game."""
    import_spoilt(log, tmp_path, BAD)
    mend_open_lines(log, open_lines(log)[0][0].suggestion)
    assert import_spoilt(log, tmp_path, BAD).unchanged
    grown = write_lines(tmp_path / "g.jsonl", [*game()[:2], BAD, *game()[2:], line("note.added", text="and more")])
    assert [(taken.status, taken.events) for taken in import_file(log, grown).games] == [("grown", 1)]
    assert log.quarantine() == []


def test_a_line_without_meaning_is_passed_over(log: Log, tmp_path: Path) -> None:
    """A line that does not belong to the game is no gap any more, and is not in quarantine any more."""
    import_spoilt(log, tmp_path, '{"type": "pizza"}')
    assert [taken.status for taken in mend_open_lines(log, None).games] == ["revised"]
    assert "log.gap" not in [event.type for event in log.stored(log.game("g"))]
    assert log.quarantine() == []
    assert import_spoilt(log, tmp_path, '{"type": "pizza"}').unchanged
    assert log.quarantine() == []


def test_a_line_that_is_mended_wrongly_stays_open(log: Log, tmp_path: Path) -> None:
    """The quarantine says what is wrong now, and the line can be mended once more."""
    import_spoilt(log, tmp_path, BAD)
    mend_open_lines(log, {"type": "seed.played", "player": "A"})
    (entry,) = log.quarantine()
    assert (entry.line, entry.message) == (3, "`seed.played` needs the field `card`")
    (one,) = open_lines(log)[0]
    assert one.fields == {"type": "seed.played", "player": "A"}
    mend_open_lines(log, changed(one.fields, "card = A:reed-heron | biom = moss-parish"))
    assert log.quarantine() == []


def test_a_mended_head_begins_its_game(log: Log, tmp_path: Path) -> None:
    """Lines that had no game belong to the game that the mended line begins."""
    lines = [head().replace("splicers", "splcer"), *game()[1:]]
    assert import_file(log, write_lines(tmp_path / "g.jsonl", lines)).quarantined == 1
    (one,) = open_lines(log)[0]
    assert one.suggestion is not None
    assert one.suggestion["game"] == "splicers"
    assert [(taken.status, taken.events) for taken in mend_open_lines(log, one.suggestion).games] == [
        ("new", len(game()))
    ]


@pytest.mark.parametrize(
    "raw",
    [
        '{"type": "turn.ended", "player": "A"',
        '{"type": "turn.ended", "player": "A',
        '{"type": "turn.ended", "player": "A",}',
        "{'type': 'turn.ended', 'player': 'A'}",
        "{\u201ctype\u201d: \u201cturn.ended\u201d, \u201cplayer\u201d: \u201cA\u201d}",
    ],
)
def test_a_line_that_is_almost_json_gets_a_suggestion(log: Log, tmp_path: Path, raw: str) -> None:
    """The suggestion corrects missing and superfluous quotes, commas and brackets."""
    import_spoilt(log, tmp_path, raw)
    (one,) = open_lines(log)[0]
    assert one.suggestion == {"type": "turn.ended", "player": "A"}


def test_a_contradiction_is_not_a_line_to_be_mended(log: Log, tmp_path: Path) -> None:
    """An entry about a whole game is listed, but is not an open line."""
    import_spoilt(log, tmp_path)
    lines = [*game(turns=1), *game("two")]
    import_file(log, write_lines(tmp_path / "g.jsonl", lines))
    found, others = open_lines(log)
    assert (found, [entry.code for entry in others]) == ([], ["contradicts"])


def test_a_line_is_written_as_names_and_values() -> None:
    """Such a text can be read back; an answer may have the whole line, only changed fields, or only the wrong value."""
    fields = {"type": "cards.drawn", "player": "A", "count": 2, "note": "a = b | c"}
    assert written(fields) == "type = cards.drawn | player = A | count = 2 | note = a = b | c"
    assert changed({}, "type = cards.drawn | player = A") == {"type": "cards.drawn", "player": "A"}
    assert changed(fields, "count = 3 | note =") == {"type": "cards.drawn", "player": "A", "count": "3"}
    assert changed(fields, "B", "player")["player"] == "B"
    assert changed(fields, '{"type": "turn.ended"}') == {"type": "turn.ended"}
    for wrong in ("B", "", "{oops", "[1]"):
        with pytest.raises(LineTextError):
            changed(fields, wrong)


def test_what_is_typed_behind_the_line_in_the_box_says_what_changes() -> None:
    """Nothing of it becomes a part of the last value, which a box with the line in it invites."""
    fields = {"type": "mulligan.taken", "player": "B", "drawn": "Weather Kite"}
    for typed in ("card = A:moss", " | card = A:moss", "card=A:moss", ", card = A:moss", "\tcard = A:moss"):
        assert changed(fields, f"{written(fields)}{typed}") == {**fields, "card": "A:moss"}
    for typed in (" = Moss Oracle", "= Moss Oracle", " Weather Kite = Moss Oracle", " | Weather Kite = Moss Oracle"):
        assert changed(fields, f"{written(fields)}{typed}", "drawn") == {**fields, "drawn": "Moss Oracle"}
    assert changed(fields, "Weather Kite = Moss Oracle") == {**fields, "drawn": "Moss Oracle"}
    for place in ("", "drawn", "card"):
        assert changed(fields, f"{written(fields)}s", place)["drawn"] == "Weather Kites"
        assert changed(fields, f"{written(fields)}s | card = x", place) == {
            **fields,
            "drawn": "Weather Kites",
            "card": "x",
        }
    for typed, place in (("Moss Oracle", "drawn"), (" = Moss", ""), (" Moss Oracle", "player")):
        with pytest.raises(LineTextError):
            changed(fields, f"{written(fields)}{typed}", place)
