"""A word that the import took for another one is seen beside its line, and what hangs on it is in doubt."""

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Tabletape

TAKEN = "`minning` was taken for `mining`, the only known name that is written almost so"
RECORDING = Path(__file__).parents[1] / "recordings/crystal/ruling-lane-with-value.jsonl"


@pytest.fixture
def guessed(tabletape: Tabletape, tmp_path: Path) -> str:
    """Import a game in which a deployed card goes into the lane `minning`; return the number of that event."""
    lines = RECORDING.read_text(encoding="utf-8").splitlines()
    place = next(index for index, line in enumerate(lines) if '"card.deployed"' in line)
    lines[place] = json.dumps(json.loads(lines[place]) | {"lane": "minning"})
    (tmp_path / "g.jsonl").write_text("\n".join(lines), encoding="utf-8")
    assert tabletape("import", "g.jsonl").exit_code == 0
    return str(place + 1)


def test_a_guessed_word_is_seen_in_audit_replay_and_log(guessed: str, tabletape: Tabletape) -> None:
    """Each of them says beside the line what was taken for what."""
    game_id = json.loads(RECORDING.read_text(encoding="utf-8").splitlines()[0])["id"]
    assert TAKEN in " ".join(tabletape("audit").stdout.split())
    assert f"{game_id}:{guessed}: read at import: {TAKEN}" in tabletape("audit", "--format", "concise").stdout
    (game,) = json.loads(tabletape("audit", "--format", "json").stdout)
    assert game["read_as"] == {guessed: TAKEN}
    assert f"read at import: {TAKEN}" in tabletape("replay", game_id).stdout
    assert TAKEN in " ".join(tabletape("replay", game_id, "--step", guessed).stdout.split())
    assert json.loads(tabletape("replay", game_id, "--step", guessed, "--json").stdout)["read_as"] == TAKEN
    assert TAKEN in " ".join(tabletape("log", game_id).stdout.split())
    rows = json.loads(tabletape("log", game_id, "--json").stdout)
    assert {row["seq"]: row["read_as"] for row in rows if "read_as" in row} == {int(guessed): TAKEN}


def test_what_hangs_on_a_guessed_word_is_no_accusation(guessed: str, tabletape: Tabletape) -> None:
    """The card has no value for the lane that was guessed: the audit says so, and that the log cannot tell."""
    (game,) = json.loads(tabletape("audit", "--format", "json").stdout)
    found = [(each["kind"], each["message"]) for each in game["findings"] if each["seq"] == int(guessed)]
    assert [kind for kind, _ in found] == ["unverifiable"]
    assert TAKEN in found[0][1]


def wrong_lines_of(tabletape: Tabletape, tmp_path: Path, changed: dict[int, tuple[str, str]]) -> set[int]:
    """Import the worked game with words of some lines changed; return the lines that break a rule or a number."""
    lines = RECORDING.with_name("worked-game.jsonl").read_text(encoding="utf-8").splitlines()
    for number, (word, instead) in changed.items():
        assert word in lines[number - 1]
        lines[number - 1] = lines[number - 1].replace(word, instead)
    (tmp_path / "g.jsonl").write_text("\n".join(lines), encoding="utf-8")
    tabletape("import", "g.jsonl")
    (game,) = json.loads(tabletape("audit", "--format", "json").stdout)
    return {each["seq"] for each in game["findings"] if each["kind"] in {"illegal", "missing", "mismatch", "drift"}}


def test_what_another_word_in_the_guessed_place_would_explain_is_no_accusation(
    tabletape: Tabletape, tmp_path: Path
) -> None:
    """What is paid for the card that was really laid does not fit the one that was guessed: nobody has paid wrongly."""
    assert not wrong_lines_of(tabletape, tmp_path, {18: ("scrap-runner", "salvage-crw")})


def test_what_no_other_word_in_the_guessed_place_explains_is_found(tabletape: Tabletape, tmp_path: Path) -> None:
    """A card that is misspelt, and read rightly, excuses no wrong number behind it."""
    changed = {18: ("scrap-runner", "scrap-runer"), 40: ('"crystals": 5', '"crystals": 6')}
    assert wrong_lines_of(tabletape, tmp_path, changed) == {40}


def test_a_file_that_grows_keeps_what_was_guessed(guessed: str, tabletape: Tabletape, tmp_path: Path) -> None:
    """A line more in the file, one that cannot be read, or the same file again change nothing about it."""
    file = tmp_path / "g.jsonl"
    for more in ("", '\n{"type":"note.added","text":"late"}', "\nnothing", ""):
        file.write_text(file.read_text(encoding="utf-8") + more, encoding="utf-8")
        tabletape("import", "g.jsonl")
        (game,) = json.loads(tabletape("audit", "--format", "json").stdout)
        assert game["read_as"] == {guessed: TAKEN}


MAP = """
map = 1
game = "crystal"
edition = "2025"
shape = "lines"

[[line]]
is = "{player} sits down"
seats = true

[[line]]
is = "{player} lays {card} into {lane}"
event = "card.deployed"
"""
CHAT = "Ann sits down\nBen sits down\nAnn lays Scrap Runer into mining\nBen lays Sporeling into attack\n"


def test_a_word_that_a_map_guessed_is_seen_beside_its_line(tabletape: Tabletape, tmp_path: Path) -> None:
    """A misspelt card in the chat of another program is no other thing than one in a log of the table itself."""
    (tmp_path / "chat.map.toml").write_text(MAP, encoding="utf-8")
    (tmp_path / "chat.txt").write_text(CHAT, encoding="utf-8")
    said = tabletape("import", "chat.txt", "--map", "chat.map.toml").output
    taken = "`Scrap Runer` was taken for `scrap-runner`, the only known name that is written almost so"
    assert f"line 3: {taken}" in " ".join(said.split())
    (game,) = json.loads(tabletape("audit", "--format", "json").stdout)
    assert game["read_as"] == {"2": taken}
    of_line = [each for each in game["findings"] if each["seq"] == 2]
    assert of_line
    assert all(each["kind"] == "unverifiable" and taken in each["message"] for each in of_line)
