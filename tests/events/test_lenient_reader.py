"""Lines as people write them are read as they were meant, if they can mean only one thing."""

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tabletape.events.importing import ImportReport, Known, Options, import_paths
from tabletape.events.log import Log
from tabletape.events.log.rows import QuarantinedLine
from tabletape.events.vocabulary import tag_of

KNOWN = Known(frozenset({"reed-heron", "tin-wasp"}), {}, ("0.2a",))

SHEET = """\
Type,Player,Game,Edition,Id,Players,Cards,Count,Reason,At,Comments,Splicer,Bioms
Game Started,,Splicers,0.2a,friday,Ann; Ben,,,,,,,
Deck Declared,Ann,,,,,Reed Heron; Tin Wasp,,,,,REED heron,Tin Wasp; Tin Wasp
-----,,,,,,,,,,,,
,,,,,,,,,,Ben came late,,
cards drawn,ben,,,,,,"2,0",ability,2025-05-01 19:04,,,
Cards.Drawn,A,,,,,Ann: Reed Heron,,ability,,first card,,
"""


@pytest.fixture
def imported(tmp_path: Path) -> Any:
    """Return a function that imports a text as a file and returns the report and the stored events."""

    def take(name: str, text: str, **options: Any) -> tuple[ImportReport, list[Any]]:
        (tmp_path / name).write_text(text, encoding="utf-8")
        with Log.open(tmp_path / "tabletape.db", create=True) as log:
            asked = Options(known=lambda _: KNOWN, titles={"splicers": "splicers"}, **options)
            report = import_paths(log, [tmp_path / name], asked)
            return report, [event for game in log.games() for event in log.events(game)]

    return take


def test_a_sheet_that_people_have_filled_in_is_imported(imported: Any) -> None:
    """Titles, names, printed cards, headings, comments, separators, decimal commas and local times are understood."""
    report, events = imported("friday.csv", SHEET, zone="Europe/Berlin")
    assert [entry.message for entry in report.files[0].entries] == []
    assert [tag_of(type(event)) for event in events] == [
        "game.started",
        "deck.declared",
        "note.added",
        "cards.drawn",
        "cards.drawn",
    ]
    started, declared, note, drawn, named = events
    assert [(seat.id, seat.name) for seat in started.players] == [("A", "Ann"), ("B", "Ben")]
    assert (declared.player, declared.cards) == ("A", ("reed-heron", "tin-wasp"))
    assert (declared.splicer, declared.bioms) == ("reed-heron", ("tin-wasp", "tin-wasp"))
    assert note.text == "Ben came late"
    assert (drawn.player, drawn.count, str(drawn.at)) == ("B", 2, "2025-05-01 19:04:00+02:00")
    assert (named.cards, named.note) == (("A:reed-heron",), "first card")
    assert any("taken as meant" in remark for remark in report.files[0].remarks)
    assert any("passed over" in remark for remark in report.files[0].remarks)


def test_json_lines_are_read_as_meant_too(imported: Any) -> None:
    """The same holds in a log of JSON lines, for a printed name of a card and a player's name."""
    head = '{"type": "game.started", "game": "Splicers", "edition": "0.2a", "id": "x", "players": ["Ann", "Ben"]}\n'
    lines = '{"type": "cards.drawn", "player": "Ann", "cards": ["Tin Wasp"], "reason": "ability"}\n'
    report, events = imported("x.jsonl", head + lines)
    assert report.quarantined == 0
    assert (events[1].player, events[1].cards) == ("A", ("A:tin-wasp",))


def test_a_name_that_is_only_similar_is_asked_about(imported: Any) -> None:
    """A misspelt card is not guessed."""
    head = '{"type": "game.started", "game": "splicers", "edition": "0.2a", "id": "x", "players": ["Ann", "Ben"]}\n'
    lines = '{"type": "cards.drawn", "player": "A", "cards": ["A:tin-vasp"], "reason": "ability"}\n'
    report, _ = imported("x.jsonl", head + lines)
    (entry,) = report.files[0].entries
    assert (entry.code, entry.suggestion) == ("unknown-card", "did you mean `A:tin-wasp`?")


def test_a_close_miss_of_one_name_is_corrected_and_reported(imported: Any) -> None:
    """A card or player written almost like exactly one known name is read as that; the report says where and how."""
    head = '{"type": "game.started", "game": "splicers", "edition": "0.2a", "id": "x", '
    head += '"players": [{"id": "A", "name": "Alexandra"}, {"id": "B", "name": "Ben"}]}\n'
    line = '{"type": "cards.drawn", "player": "Alexandr", "cards": ["A:reed-herron"], "reason": "ability"}\n'
    report, events = imported("x.jsonl", head + line + line)
    assert report.quarantined == 0
    assert [(each.player, each.cards) for each in events[1:]] == [("A", ("A:reed-heron",))] * 2
    remarks = [text for text in report.files[0].remarks if text.startswith("info: line 2 and 1 more")]
    assert [("alexandra" in text, "`reed-herron` was taken for `reed-heron`" in text) for text in remarks] == [
        (True, False),
        (False, True),
    ]


@pytest.mark.parametrize("cards", [("guardian-of-light-1",), ("guardian-of-lights", "guardians-of-light")])
def test_a_close_miss_of_another_number_or_of_two_names_is_asked_about(
    imported: Any, monkeypatch: pytest.MonkeyPatch, cards: tuple[str, ...]
) -> None:
    """A number in a name is never guessed, nor one of two names that are equally near."""
    monkeypatch.setitem(globals(), "KNOWN", KNOWN._replace(cards=frozenset(cards)))
    written = "guardian-of-light-2" if len(cards) == 1 else "guardian-of-light"
    head = '{"type": "game.started", "game": "splicers", "edition": "0.2a", "id": "x", "players": ["Ann", "Ben"]}\n'
    line = f'{{"type": "cards.drawn", "player": "A", "cards": ["A:{written}"], "reason": "ability"}}\n'
    report, _ = imported("x.jsonl", head + line)
    assert [entry.code for entry in report.files[0].entries] == ["unknown-card"]


@pytest.mark.parametrize("written", ["1.000", "1,000"])
def test_a_number_that_may_be_a_thousand_is_asked_about(imported: Any, written: str) -> None:
    """Some write one so and others a thousand, so it is neither; `2,0` and `2.0` are two for everybody."""
    head = '{"type": "game.started", "game": "splicers", "edition": "0.2a", "id": "x", "players": ["Ann", "Ben"]}\n'
    line = '{"type": "cards.drawn", "player": "A", "count": "%s", "reason": "ability"}\n'
    report, events = imported("x.jsonl", head + line % written + line % "2,0" + line % "2.0")
    (entry,) = report.files[0].entries
    assert f'a whole number is expected, not `"{written} (a thousand, or a decimal?)"`' in entry.message
    assert [each.count for each in events if tag_of(type(each)) == "cards.drawn"] == [2, 2]


def deck(*cards: str) -> str:
    """Return the head of a game and a deck list."""
    head = '{"type": "game.started", "game": "splicers", "edition": "0.2a", "id": "x", "players": ["Ann", "Ben"]}\n'
    fields = {"type": "deck.declared", "player": "A", "splicer": "tin-wasp", "bioms": [], "cards": cards}
    return head + json.dumps(fields) + "\n"


def test_a_declared_card_is_no_misspelling_of_another(imported: Any) -> None:
    """The name of a card of a declared deck is kept, even in a line in which something else is corrected."""
    line = '{"type": "cards.drawn", "player": "Ann", "cards": ["A:reed-heron-2"], "reason": "ability"}\n'
    _, events = imported("x.jsonl", deck("reed-heron-2") + line)
    assert events[2].cards == ("A:reed-heron-2",)


def test_a_close_miss_in_a_deck_list_is_corrected_and_reported(imported: Any) -> None:
    """A card of a list that is written almost like one known card is read as that card."""
    report, events = imported("x.jsonl", deck("reed-herron", "Tin Wasp"))
    assert events[1].cards == ("reed-heron", "tin-wasp")
    assert report.quarantined == 0
    assert "`reed-herron` was taken for `reed-heron`" in " ".join(report.files[0].remarks)


def test_an_unknown_card_in_a_deck_list_is_asked_about(imported: Any) -> None:
    """The list is imported as it is, so that its cards can be played; every unknown name in it is reported."""
    report, events = imported("x.jsonl", deck("red-hern", "tinwas", "moon"))
    (entry,) = report.files[0].entries
    assert (entry.code, entry.suggestion) == (
        "new-card",
        "did you mean `reed-heron` for `red-hern`, `tin-wasp` for `tinwas`?",
    )
    assert events[1].cards == ("red-hern", "tinwas", "moon")


def test_a_time_without_a_zone_costs_no_event(imported: Any) -> None:
    """Without a zone a local time is not guessed: the line is imported without it, and a remark says what to give."""
    report, events = imported("friday.csv", SHEET)
    assert report.quarantined == 0
    assert all(event.at is msgspec.UNSET for event in events)
    assert "times that say no time zone were left out: `--zone Europe/Berlin` says it" in report.files[0].remarks


def test_a_time_that_cannot_be_read_is_asked_about(imported: Any) -> None:
    """The order of day and month is not guessed: the line is imported without its time, and an entry asks for it."""
    head = deck().splitlines()[0].replace('["Ann", "Ben"]', '"Ann & Ben", "at": "1/5/2026"')
    lines = [
        '{"type": "turn.ended", "player": "A", "at": "Friday"}',
        '{"type": "turn.ended", "player": "B", "at": 46143}',
    ]
    report, events = imported("x.jsonl", "\n".join([head, *lines]))
    assert [(entry.line, entry.code) for entry in report.files[0].entries] == [
        (number, "unread-time") for number in (1, 2, 3)
    ]
    assert [seat.name for seat in events[0].players] == ["Ann", "Ben"]
    assert [event.at for event in events] == [msgspec.UNSET] * 3


def test_a_zone_that_is_given_later_adds_the_times(tmp_path: Path) -> None:
    """The same file, read with a zone, does not contradict what was read without it."""
    (tmp_path / "friday.csv").write_text(SHEET, encoding="utf-8")
    with Log.open(tmp_path / "tabletape.db", create=True) as log:
        statuses = []
        for zone in ("", "Europe/Berlin"):
            options = Options(known=lambda _: KNOWN, titles={"splicers": "splicers"}, zone=zone)
            (report,) = import_paths(log, [tmp_path / "friday.csv"], options).files
            statuses += [each.status for each in report.games]
        assert statuses == ["new", "revised"]


def test_a_place_in_a_workbook_is_a_cell() -> None:
    """The place of an unreadable line is the cell of a sheet, and elsewhere file, line and column."""
    in_sheet = QuarantinedLine("friday.xlsx [log]", 15, 48, "x", "", "", "")
    assert in_sheet.place == 'friday.xlsx: cell AV15 of sheet "log"'
    assert in_sheet._replace(column=0).place == 'friday.xlsx: row 15 of sheet "log"'
    assert in_sheet._replace(file="friday.csv").place == "friday.csv:15:48"
    assert in_sheet._replace(file="friday.csv", line=0, column=0).place == "friday.csv"
