"""`tabletape import` and `tabletape quarantine`: what is imported, what is not, and what the report says."""

import json
from pathlib import Path

import pytest

from tabletape.events.log import Log
from tabletape.events.log.schema import LogError
from tabletape.projector import games
from tests.cli.conftest import ONE_MISTAKE, Tabletape


def changed(text: str, old: str, new: str) -> bytes:
    """Return a log in which one text is replaced by another."""
    assert old in text
    return text.replace(old, new, 1).encode()


def spoiled(tmp_path: Path) -> Path:
    """Write a log with a misspelt event type in line 6."""
    file = tmp_path / "spoiled.jsonl"
    text = ONE_MISTAKE.read_text(encoding="utf-8")
    file.write_bytes(changed(text, '"type": "card.played"', '"type": "card.plyd"'))
    return file


def test_an_import_says_what_it_stored_and_what_to_do_next(evening: Path, tabletape: Tabletape) -> None:
    """The summary counts games by their title, and the hint names the audit."""
    result = tabletape("import", str(evening), "--db", "other.db")
    assert result.exit_code == 0
    assert f"{evening}: 1 new (12 new events)" in result.stdout
    heading, row = result.stdout.splitlines()[-2:]
    assert heading.split() == ["game", "new", "grown", "revised", "unchanged", "refused", "events", "added"]
    assert row.split() == ["Higher", "1", "0", "0", "0", "0", "12"]
    head, following = result.stderr.splitlines()
    assert head.startswith("Head: ")
    assert following == "Next: `tabletape audit` holds the games against the rulebook."


def test_the_same_file_again_changes_nothing_and_says_so(evening: Path, tabletape: Tabletape) -> None:
    """A second import of a file adds no event."""
    result = tabletape("import", evening.name)
    assert result.exit_code == 0
    assert "1 unchanged (0 new events)" in result.stdout
    assert "Nothing changed" in result.stderr


def test_a_grown_log_adds_its_tail(evening: Path, tabletape: Tabletape) -> None:
    """New lines at the end of a known game are appended."""
    with evening.open("a", encoding="utf-8") as file:
        file.write('{"type": "note.added", "text": "good game"}\n')
    assert "1 grown (1 new event)" in tabletape("import", evening.name).stdout


def test_a_contradicting_log_is_refused_with_the_first_difference(evening: Path, tabletape: Tabletape) -> None:
    """A log that differs from the stored one is an error that names the event, unless `--revise` is given."""
    evening.write_bytes(changed(evening.read_text(encoding="utf-8"), "A:four", "A:six"))
    result = tabletape("import", evening.name)
    assert result.exit_code == 1
    assert "game 'g' contradicts the log: event 4 differs" in result.stderr
    assert "import --revise" in result.stderr
    assert tabletape("import", evening.name, "--revise").exit_code == 0
    assert json.loads(tabletape("games", "--json").stdout)[0]["revision"] == 2


def test_an_unreadable_line_is_reported_with_place_and_suggestion(tabletape: Tabletape, tmp_path: Path) -> None:
    """The rest of the file is imported, the exit code is 1, and the quarantine keeps the line."""
    file = spoiled(tmp_path)
    result = tabletape("import", file.name)
    assert result.exit_code == 1
    assert "spoiled.jsonl: 1 new (12 new events, 1 line in quarantine)" in result.stdout
    assert "spoiled.jsonl:6:10: " in result.stdout
    assert "did you mean `card.played`?" in result.stdout
    shown = tabletape("quarantine")
    assert shown.stdout.startswith("spoiled.jsonl:6:10  unknown-type  ")
    (entry,) = json.loads(tabletape("quarantine", "--json").stdout)
    assert (entry["file"], entry["line"], entry["column"], entry["code"]) == ("spoiled.jsonl", 6, 10, "unknown-type")


def test_lines_mended_in_the_file_become_a_revision(tabletape: Tabletape, tmp_path: Path) -> None:
    """A file that contradicts only its own quarantined lines needs no `--revise`; the list has the lines still open."""
    file = spoiled(tmp_path)
    tabletape("import", file.name)
    file.write_bytes(ONE_MISTAKE.read_bytes() + b"oops\n")
    result = tabletape("import", file.name)
    assert "spoiled.jsonl: 1 revised (12 new events, 1 line in quarantine)\n" in result.stdout
    assert tabletape("quarantine").stdout.startswith("spoiled.jsonl:13:1  not-json  ")


def test_lines_are_mended_by_keys_where_they_are_shown(tabletape: Tabletape, tmp_path: Path) -> None:
    """One key takes the suggestion, one corrects the line, one passes it over; the file stays as it was."""
    file = spoiled(tmp_path)
    head, *rest = file.read_text(encoding="utf-8").splitlines(keepends=True)
    file.write_text(head + '{"type": "pizza"}\n{"type": "note.added", "txt": "late"}\n' + "".join(rest))
    tabletape("import", file.name)
    result = tabletape("quarantine", "--mend", stdin=b"p\nw\nB\nw\ntxt = | text = late\nt\n")
    assert result.exit_code == 0
    assert "write what changes as" in result.stderr
    assert "t takes: type = card.played" in result.stdout
    assert "1 revised (13 new events)" in result.stdout
    assert result.stderr.endswith("0 lines in quarantine\n")
    assert tabletape("quarantine").stdout == ""


def test_a_line_that_is_left_stays_in_quarantine(tabletape: Tabletape, tmp_path: Path) -> None:
    """Enter leaves a line, q and the end of the answers stop; what was answered before counts."""
    tabletape("import", spoiled(tmp_path).name)
    shown = tabletape("quarantine").stdout
    for answers in (b"\n", b"q\n", b""):
        result = tabletape("quarantine", "--mend", stdin=answers)
        assert (result.exit_code, tabletape("quarantine").stdout) == (0, shown)


def test_what_comes_next_after_results_is_a_question(tabletape: Tabletape, tmp_path: Path) -> None:
    """Games of which only the result is known are not audited: the hint names what can be asked."""
    (tmp_path / "fridays.csv").write_text("players,winner\nAnn; Ben,Ann\n", encoding="utf-8")
    result = tabletape("import", "fridays.csv")
    assert "tabletape stats" in result.stderr
    assert "audit" not in result.stderr


LOCAL = """\
type,game,edition,id,players,player,card,at
game.started,higher,first,late,Ann; Ben,,,2025-05-01 19:02
note.added,,,,,,,
"""


def test_a_zone_is_asked_for_once_and_remembered(
    tabletape: Tabletape, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At a terminal the zone of times without one is asked for; the answer holds for later imports of the workspace."""
    monkeypatch.setattr("tabletape.cli.import_.is_at_terminal", lambda: True)
    (tmp_path / "late.csv").write_text(LOCAL.replace("note.added", "turn.ended"), encoding="utf-8")
    result = tabletape("import", "late.csv", stdin=b"Berlin\nEurope/Berlin\n")
    assert "late.csv: the times say no time zone" in result.stdout
    assert "there is no time zone 'Berlin'" in result.stderr
    assert (tmp_path / "tabletape.toml").read_text() == 'zone = "Europe/Berlin"\n'
    assert json.loads(tabletape("games", "--json").stdout)[0]["started_at"] == "2025-05-01T19:02:00+02:00"
    (tmp_path / "later.csv").write_text(LOCAL.replace("late,", "later,").replace("note.added,,,,,,,\n", ""))
    assert tabletape("import", "later.csv").exit_code == 0
    assert json.loads(tabletape("games", "--json").stdout)[1]["started_at"] == "2025-05-01T19:02:00+02:00"


def test_what_a_map_reads_is_shown_before_it_is_stored(
    tabletape: Tabletape, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At a terminal the fate of each column comes first; nothing is stored until somebody says so, once."""
    (tmp_path / "s.csv").write_text('Players,Winner,Rain\n"Ann, Ben",Ann,4\n"Ann, Ben",Ben,5\n', encoding="utf-8")
    tabletape("map", "s.csv", "--propose")
    monkeypatch.setattr("tabletape.cli.import_.is_at_terminal", lambda: True)
    refused = tabletape("import", "s.csv", stdin=b"n\n")
    assert (
        "not read  Rain" in refused.stdout,
        refused.exit_code,
        tabletape("games").stdout.count("s-1"),
    ) == (
        True,
        1,
        0,
    )
    assert "s.csv: 2 new" in tabletape("import", "s.csv", stdin=b"y\n").stdout
    assert "Store" not in tabletape("import", "s.csv", stdin=b"").stdout


def test_a_zone_given_as_an_option_is_remembered(tabletape: Tabletape, tmp_path: Path) -> None:
    """`--zone` need be given only once, and does not contradict what was read without it."""
    (tmp_path / "late.csv").write_text(LOCAL, encoding="utf-8")
    assert tabletape("import", "late.csv").exit_code == 1
    tabletape("import", "late.csv", "--zone", "Asia/Tokyo")
    assert json.loads(tabletape("games", "--json").stdout)[0]["started_at"] == "2025-05-01T19:02:00+09:00"
    assert (tmp_path / "tabletape.toml").read_text() == 'zone = "Asia/Tokyo"\n'


def test_strict_imports_nothing_of_a_file_with_an_unreadable_line(tabletape: Tabletape, tmp_path: Path) -> None:
    """With --strict the file is refused as a whole."""
    result = tabletape("import", spoiled(tmp_path).name, "--strict")
    assert result.exit_code == 1
    assert result.stderr.startswith("Error: spoiled.jsonl:6:10: ")
    assert tabletape("games").stdout.splitlines() == ["id  game  edition  players  events  played  from"]


def test_a_dry_run_leaves_nothing_behind(tabletape: Tabletape, tmp_path: Path) -> None:
    """--dry-run says what would happen and makes no log."""
    file = spoiled(tmp_path)
    result = tabletape("import", file.name, "--dry-run")
    assert "1 new (12 new events" in result.stdout
    assert "Nothing was written" in result.stderr
    assert list(tmp_path.iterdir()) == [file]


def test_a_mistyped_file_name_is_answered_and_makes_no_log(tabletape: Tabletape, tmp_path: Path) -> None:
    """A file that is not there is an error with the nearest name, and no empty log is left behind."""
    (tmp_path / "friday.jsonl").write_bytes(ONE_MISTAKE.read_bytes())
    result = tabletape("import", "fridy.jsonl")
    assert result.exit_code == 1
    assert "there is no file fridy.jsonl; did you mean `friday.jsonl`?" in result.stderr
    assert not (tmp_path / "tabletape.db").exists()


def test_an_import_that_fails_leaves_the_log_that_was_there(
    tabletape: Tabletape, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A failed import deletes only a log that it has begun itself: an empty log from before stays."""
    Log.open(tmp_path / "tabletape.db", create=True).close()

    def fail(*_: object) -> None:
        raise LogError("the disk is full")

    monkeypatch.setattr("tabletape.dashboard.tape.importing.import_paths", fail)
    assert tabletape("import", spoiled(tmp_path).name).exit_code == 1
    assert (tmp_path / "tabletape.db").exists()


def test_standard_input_is_a_file_like_any_other(tabletape: Tabletape) -> None:
    """`-` reads the log from a pipe."""
    result = tabletape("import", "-", stdin=ONE_MISTAKE.read_bytes())
    assert result.exit_code == 0
    assert "standard input: 1 new" in result.stdout


def test_an_import_can_be_reported_to_another_program(tabletape: Tabletape) -> None:
    """--json gives the whole report as data."""
    report = json.loads(tabletape("import", "-", "--json", stdin=ONE_MISTAKE.read_bytes()).stdout)
    (game,) = report["files"][0]["games"]
    assert (game["game_id"], game["status"], game["events"]) == ("g", "new", 12)


def test_the_designer_s_own_cards_are_known_to_the_import(tabletape: Tabletape, tmp_path: Path) -> None:
    """A log may name a card of `cards/<game>.toml` in the workspace; without the file that card is unknown."""
    log = changed(ONE_MISTAKE.read_text(encoding="utf-8"), '"A:six"', '"A:seven"')
    assert "unknown-card" not in tabletape("import", "-", stdin=ONE_MISTAKE.read_bytes()).output
    refused = tabletape("import", "-", "--dry-run", "--db", "new.db", stdin=log)
    assert "there is no card `seven`" in refused.stdout
    (tmp_path / "cards").mkdir()
    (tmp_path / "cards" / "higher.toml").write_text(
        '[[card]]\nid = "seven"\nname = "Seven"\nkind = "number"\nvalue = 7\n'
    )
    assert tabletape("import", "-", "--dry-run", "--db", "new.db", stdin=log).exit_code == 0


def test_a_mistyped_edition_is_remarked_upon_and_the_game_is_imported(tabletape: Tabletape, tmp_path: Path) -> None:
    """An edition that the rulebook does not have is read as the default one; a remark says so and names the nearest."""
    file = tmp_path / "evening.jsonl"
    file.write_bytes(changed(ONE_MISTAKE.read_text(encoding="utf-8"), '"first"', '"secnd"'))
    result = tabletape("import", file.name)
    assert result.exit_code == 0
    assert "1 new (12 new events)" in result.stdout
    assert result.stderr.splitlines()[0] == (
        "  the log names the edition secnd of higher, which Tabletape does not know; it is read as first; "
        "did you mean `second`?"
    )
    assert "does not know" not in tabletape("import", "-", "--db", "b.db", stdin=ONE_MISTAKE.read_bytes()).output


def test_a_game_without_rules_does_not_keep_the_others_from_being_imported(
    tabletape: Tabletape, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Logs of a game of which only the vocabulary is there go to quarantine, and the rest of the folder is imported."""
    monkeypatch.setattr(games, "__path__", list(games.__path__)[:1])
    for cached in (games.built_in_games, games.built_game):
        cached.cache_clear()
    folder = tmp_path / "evenings"
    folder.mkdir()
    (folder / "a.jsonl").write_bytes(ONE_MISTAKE.read_bytes())
    players = [{"id": "A", "name": "Ann"}, {"id": "B", "name": "Ben"}]
    head = {"type": "game.started", "game": "splicers", "edition": "0.2a", "id": "s", "players": players}
    (folder / "b.jsonl").write_text(json.dumps(head), encoding="utf-8")
    result = tabletape("import", folder.name)
    assert result.exit_code == 1
    assert [each["game_id"] for each in json.loads(tabletape("games", "--json").stdout)] == ["s"]
    (entry,) = json.loads(tabletape("quarantine", "--json").stdout)
    assert (entry["file"], entry["line"], entry["code"]) == (f"{folder.name}/a.jsonl", 1, "unknown-game")
    assert "higher has a vocabulary, but no rules here" in entry["message"]


def test_a_bad_card_file_is_refused_with_file_line_and_card(evening: Path, tabletape: Tabletape) -> None:
    """A mistake in the designer's own cards is reported with its place before anything is folded."""
    folder = evening.parent / "cards"
    folder.mkdir()
    (folder / "higher.toml").write_text('\n[[card]]\nid = "seven"\nname = "Seven"\nkind = "number"\nvalu = 7\n')
    assert tabletape("audit").exit_code == 0, "a stored game is read by the cards that it was recorded under"
    result = tabletape("audit", "--cards", "now")
    assert result.exit_code == 1
    assert f"{folder}/higher.toml:3: card 'seven': " in result.stderr
    assert "did you mean value?" in result.stderr


def test_a_sheet_that_names_a_new_game_begins_it_with_its_versions(tabletape: Tabletape, tmp_path: Path) -> None:
    """A rehearsal begins none; the next file of it is of the same game."""
    heading, games = "date,game,version,players,winner\n", tmp_path / "games"
    first, second = tmp_path / "a.csv", tmp_path / "b.csv"
    first.write_text(f"{heading}2026-10-02,Tea Market,v3,Ann; Ben,Ann\n", encoding="utf-8")
    second.write_text(f"{heading}2026-10-03,Tea Market,v4,Ann; Ben,Ben\n", encoding="utf-8")
    rehearsed = tabletape("import", "a.csv", "--zone", "UTC", "--dry-run")
    assert "Tea Market is new here" in rehearsed.output
    assert not games.exists()
    imported = tabletape("import", "a.csv", "b.csv", "--zone", "UTC")
    assert "is new here" in imported.output
    assert "Tabletop" not in rehearsed.output + imported.output
    assert [each.name for each in games.iterdir()] == ["tea-market.toml"]
    listed = tabletape("games").stdout.splitlines()
    assert [line.split()[1:3] for line in listed if line[:2] in {"a-", "b-"}] == [
        ["tea-market", "v3"], ["tea-market", "v4"]
    ]  # fmt: skip


def test_the_file_of_a_game_is_not_written_over_by_a_sheet(tabletape: Tabletape, tmp_path: Path) -> None:
    """One that cannot be used is told with its line, and nothing of the sheet is taken."""
    file = tmp_path / "games" / "tea-market.toml"
    file.parent.mkdir()
    file.write_text("title = \n", encoding="utf-8")
    sheet = "game,players,winner\nTea Market,Ann; Ben,Ann\n"
    (tmp_path / "a.csv").write_text(sheet, encoding="utf-8")
    result = tabletape("import", "a.csv")
    assert result.exit_code == 1
    assert f"{file}:1:" in result.output
    assert file.read_text(encoding="utf-8") == "title = \n"
