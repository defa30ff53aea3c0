"""`tabletape audit`: findings with their citation, in five forms, under any reading of the rulebook."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import ONE_MISTAKE, Tabletape


def test_a_finding_is_shown_with_event_player_rule_and_citation(evening: Path, tabletape: Tabletape) -> None:
    """The full form groups findings by game and says what is wrong, what was expected, and which rule says so."""
    assert evening.exists()
    result = tabletape("audit")
    assert result.exit_code == 0
    assert result.stdout.splitlines()[:5] == [
        "g  higher first, Ann, Ben",
        "    10  Ann: card played - Five",
        "        illegal  A:five is not in the hand",
        "          expected: a hand card",
        "          higher.card.from-hand - Turns, L2.2",
    ]
    assert "1 game, 12 events in" in result.stdout.splitlines()[-1]
    assert result.stdout.splitlines()[-1].endswith(": 1 illegal; 0 games without findings")


def test_a_concise_finding_is_one_line(evening: Path, tabletape: Tabletape) -> None:
    """The concise form is for searching: game, event, kind, rule, message."""
    assert evening.exists()
    result = tabletape("audit", "--format", "concise")
    assert result.stdout == "g:10: illegal higher.card.from-hand A:five is not in the hand\n"
    assert "1 illegal" in result.stderr


def test_a_concise_finding_names_the_earlier_one_from_which_it_may_follow(evening: Path, tabletape: Tabletape) -> None:
    """A finding that may only follow from an earlier mistake names the event of that mistake at the end of the line."""
    assert evening.exists()
    first, second = tabletape("audit", "--format", "concise", "--edition", "second").stdout.splitlines()
    assert first == "g:10: illegal higher.card.from-hand A:five is not in the hand"
    assert second == "g:11: illegal higher.card.no-one the One was played (may follow from 10)"
    assert '"follows"' in tabletape("audit", "--help").stdout


def test_a_finding_as_json_line_holds_everything(evening: Path, tabletape: Tabletape) -> None:
    """The jsonl form has one finding a line with all its fields."""
    assert evening.exists()
    (line,) = tabletape("audit", "--format", "jsonl").stdout.splitlines()
    assert json.loads(line) == {
        "game_id": "g",
        "game": "higher",
        "seq": 10,
        "rule": "higher.card.from-hand",
        "kind": "illegal",
        "player": "A",
        "player_name": "Ann",
        "message": "A:five is not in the hand",
        "expected": "a hand card",
        "section": "Turns",
        "lines": "L2.2",
        "because": "",
        "tainted": False,
        "follows": 0,
        "outcome": "",
        "type": "card.played",
        "event": "Ann: card played - Five",
    }


def test_the_audit_as_json_holds_every_game(evening: Path, tabletape: Tabletape) -> None:
    """The json form lists all games, also those without findings."""
    assert evening.exists()
    (game,) = json.loads(tabletape("audit", "--format", "json").stdout)
    assert (game["game_id"], game["events"], game["stopped"], len(game["findings"])) == ("g", 12, "", 1)


def test_sarif_names_the_rule_the_level_and_the_imported_line(evening: Path, tabletape: Tabletape) -> None:
    """The sarif form is a SARIF 2.1.0 log whose result points at the line of the imported file."""
    assert evening.exists()
    log: dict[str, Any] = json.loads(tabletape("audit", "--format", "sarif").stdout)
    assert log["version"] == "2.1.0"
    (run,) = log["runs"]
    (result,) = run["results"]
    rule = run["tool"]["driver"]["rules"][result["ruleIndex"]]
    assert rule["id"] == result["ruleId"] == "higher.card.from-hand"
    assert rule["shortDescription"]["text"] == "A card is played from the hand."
    assert result["level"] == "error"
    place = result["locations"][0]["physicalLocation"]
    assert place == {"artifactLocation": {"uri": "evening.jsonl"}, "region": {"startLine": 10}}


def test_the_exit_code_is_zero_unless_asked_for(evening: Path, tabletape: Tabletape) -> None:
    """Only --fail-on makes findings an error, and only those of its kinds."""
    assert evening.exists()
    codes = {kind: tabletape("audit", "--fail-on", kind).exit_code for kind in ("illegal", "missing", "any", "never")}
    assert codes == {"illegal": 1, "missing": 0, "any": 1, "never": 0}
    assert tabletape("audit", "--fail-on", "missing", "--fail-on", "illegal").exit_code == 1


def test_another_edition_finds_other_things(evening: Path, tabletape: Tabletape) -> None:
    """Under the second edition the One may not be played, and an unseen card is judged when it is shown."""
    assert evening.exists()
    rules = [
        json.loads(line)["rule"]
        for line in tabletape("audit", "--edition", "second", "--format", "jsonl").stdout.splitlines()
    ]
    assert "higher.card.no-one" in rules


def test_an_impossible_reading_is_refused_before_anything_is_read(evening: Path, tabletape: Tabletape) -> None:
    """An unknown edition, ruling or option, and one that is not built, are errors that say what there is."""
    assert evening.exists()
    for arguments, message in (
        (("--edition", "secnd"), "did you mean second?"),
        (("--ruling", "tis=first_card"), "did you mean ties?"),
        (("--ruling", "ties=first"), "did you mean first_card?"),
        (("--ruling", "ties=nobody"), "declared but not built"),
        (("--ruling", "ties"), "written KEY=OPTION"),
        (("--game", "hgher"), "did you mean higher?"),
    ):
        result = tabletape("audit", *arguments)
        assert (result.exit_code, result.stdout) == (1, "")
        assert message in result.stderr


def test_a_file_in_place_of_a_game_is_answered_with_the_import_command(evening: Path, tabletape: Tabletape) -> None:
    """For a log file the error names the import that has to come first; an unknown id is an error, too."""
    result = tabletape("audit", evening.name)
    assert result.exit_code == 1
    assert f"`tabletape import {evening.name}` first" in result.stderr
    assert "no game in" in tabletape("audit", "h").stderr


@pytest.mark.usefixtures("as_older_logs")
def test_a_game_that_stops_says_why_and_the_others_go_on(evening: Path, tabletape: Tabletape) -> None:
    """A replay that cannot go on shows its reason; the other games are audited all the same."""
    broken = ONE_MISTAKE.read_text(encoding="utf-8").replace('"id": "g"', '"id": "broken"')
    broken += '{"type": "play.taken-back", "player": "A", "to": 99}\n'
    evening.write_text(broken, encoding="utf-8")
    tabletape("import", evening.name)
    result = tabletape("audit")
    assert "replay stopped at event 13: play.taken-back names event 99" in result.stdout
    assert "g  higher first, Ann, Ben" in result.stdout
    assert "1 game could not be replayed to the end" in result.stdout
    assert tabletape("audit", "broken", "--fail-on", "drift").exit_code == 0
    assert tabletape("audit", "broken", "--fail-on", "any").exit_code == 1


def test_the_output_does_not_depend_on_the_number_of_processes(evening: Path, tabletape: Tabletape) -> None:
    """One process and two print the same, in every form."""
    assert evening.exists()
    for form in ("concise", "json", "sarif"):
        alone, shared = (tabletape("audit", "--format", form, "--processes", number) for number in "12")
        assert alone.exit_code == shared.exit_code == 0
        assert alone.stdout == shared.stdout
    refused = tabletape("audit", "--processes", "-1")
    assert refused.exit_code != 0
    assert "--processes" in refused.stderr


def test_without_a_log_the_audit_says_how_to_begin(tabletape: Tabletape) -> None:
    """In an empty folder every verb that needs a log names the command that begins one."""
    for verb in (
        ("audit",),
        ("games",),
        ("log", "g"),
        ("quarantine",),
        ("coverage",),
        ("compare", "--edition", "first"),
    ):
        result = tabletape(*verb)
        assert result.exit_code == 1
        assert "`tabletape import` begins one" in result.stderr


def test_the_log_may_be_named_by_the_environment(
    evening: Path, tabletape: Tabletape, monkeypatch: Any, tmp_path: Path
) -> None:
    """TABLETAPE_DB names the log from any folder."""
    assert evening.exists()
    monkeypatch.setenv("TABLETAPE_DB", str(tmp_path / "tabletape.db"))
    monkeypatch.chdir(tmp_path.parent)
    assert "g:10: illegal" in tabletape("audit", "--format", "concise").stdout


def test_the_findings_are_printed_as_a_recording_expects_them(evening: Path, tabletape: Tabletape) -> None:
    """`--as-expected` prints the expected.json of one recorded game, which nobody has to write by hand."""
    assert evening.exists()
    first, second = json.loads(tabletape("audit", "g", "--as-expected", "--edition", "second").stdout)["findings"]
    assert first == {"seq": 10, "rule": "higher.card.from-hand", "kind": "illegal"}
    assert second == {"seq": 11, "rule": "higher.card.no-one", "kind": "illegal", "follows": 10}
    whole = json.loads(tabletape("audit", "g", "--as-expected").stdout)
    assert (whole["winner"], whole["reason"], len(whole["findings"])) == ("A", "tricks", 1)
    assert tabletape("audit", "no-such-game", "--as-expected").exit_code != 0
