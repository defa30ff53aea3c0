"""Files of a workspace that cannot be used: each is named itself, with its line, and what does not need it goes on."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tabletape.events.importing.maps.finding import map_of_file
from tabletape.events.importing.maps.map import MapError
from tabletape.events.log import Log
from tabletape.events.toml_text import TomlError, toml_of
from tabletape.projector.datasets.manifest import DatasetError, read_manifest
from tabletape.projector.rulebooks.kept import read_file
from tabletape.projector.rulebooks.text import RulebookFileError
from tests.cli.conftest import Tabletape

RECORDINGS = Path(__file__).parents[1] / "recordings"
SPLICERS = RECORDINGS / "splicers" / "abandoned.jsonl"
CRYSTAL = RECORDINGS / "crystal" / "ability-against-oneself.jsonl"
NESTED = f'title = "W"\na = {"[" * 3000}\n'
NO_CARD = '[[card]]\nid = "x"\nnam = 3\n'

Make = Callable[[Path], object]


def text(content: str) -> Make:
    """Return what makes a file with a content."""
    return lambda file: file.write_text(content, encoding="utf-8")


HOSTILE: dict[str, tuple[Make, str]] = {
    "nested": (text(NESTED), ":2: lists or tables are nested too deeply"),
    "dotted": (text(f"title = 'W'\n{'a.' * 60}a = 1\n"), ":2: lists or tables are nested too deeply"),
    "dots": (text(f"\n{'a.' * 50_000}a = 1\n"), ":2: a line with more than 1,000 dots"),
    "digits": (text(f"title = 'W'\na = {'9' * 5000}\n"), ":2: a number has too many digits"),
    "unfinished": (text("title = 'W'\nzones = ["), ":2: "),
    "zones": (
        text(f"title = 'W'\nzones = {[f'z{each}' for each in range(50_000)]}\n"),
        ":2: expected a list of length <= 200",
    ),
    "large": (text("#" * 1_000_001), ": the file is larger than 1 MB"),
    "endless": (lambda file: file.symlink_to("/dev/zero"), ": this is no file that can be read"),
    "pipe": (os.mkfifo, ": this is no file that can be read"),
    "folder": (Path.mkdir, ": "),
    "nowhere": (lambda file: file.symlink_to("nowhere"), ": No such file or directory"),
    "letters": (lambda file: file.write_bytes(b"title = '\xff'"), ": this is not UTF-8 text (byte 9)"),
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_a_hostile_description_of_a_game_stops_no_command(tabletape: Tabletape, tmp_path: Path, kind: str) -> None:
    """Import, audit and questions go on, each names the file and what is wrong with it, and that game is unknown."""
    make, message = HOSTILE[kind]
    (tmp_path / "games").mkdir()
    file = tmp_path / "games" / "wy.toml"
    make(file)
    for command in (f"import {SPLICERS}", "audit", "build", "stats overview", "coverage"):
        result = tabletape(*command.split())
        assert result.exit_code == 0, result.output
        assert f"Left out: {file}{message}" in result.output
    refused = tabletape("audit", "--game", "wy")
    assert refused.exit_code == 1
    assert f"Error: {file}{message}" in refused.output


def test_games_with_a_broken_description_are_read_when_it_is_mended(tabletape: Tabletape, tmp_path: Path) -> None:
    """None of their lines goes to quarantine, the other games of the same file are taken, and they are later on."""
    (tmp_path / "games").mkdir()
    file = tmp_path / "games" / "wy.toml"
    file.write_text("titel = 'W'\n", encoding="utf-8")
    head = '{"type":"game.started","game":"wy","edition":"1","id":"w","players":[{"id":"A","name":"Ann"}]}\n'
    log = tmp_path / "two.jsonl"
    log.write_text(head + '{"type":"note.added","text":"x"}\n' + SPLICERS.read_text(encoding="utf-8"), encoding="utf-8")
    result = tabletape("import", "two.jsonl")
    assert result.exit_code == 1
    assert "two.jsonl: 1 new (13 new events, 1 game not read)" in result.output
    assert f"Error: {file}:1: there is no `titel`" in result.output
    with Log.open(tmp_path / "tabletape.db") as stored:
        assert stored.quarantine() == []
    file.write_text("title = 'W'\n", encoding="utf-8")
    assert "1 new, 1 unchanged (2 new events)" in tabletape("import", "two.jsonl").output


@pytest.mark.parametrize("make", [text(NESTED), os.mkfifo, lambda file: file.symlink_to("/dev/zero")])
def test_broken_cards_are_named_once_and_touch_no_other_game(tabletape: Tabletape, tmp_path: Path, make: Make) -> None:
    """No line of a log is blamed for the cards of its game; what has to be mended is said once for all files."""
    (tmp_path / "cards").mkdir()
    file = tmp_path / "cards" / "crystal.toml"
    make(file)
    crystal = CRYSTAL.read_text(encoding="utf-8")
    for name in "one", "two":
        (tmp_path / f"{name}.jsonl").write_text(crystal.replace("cry-recorded", name), encoding="utf-8")
    result = tabletape("import", "one.jsonl", "two.jsonl", str(SPLICERS))
    assert result.exit_code == 1
    assert result.output.count(str(file)) == 1
    assert f"Error: {file}:" in result.output
    assert "2 games of these files not read" in result.output
    assert "abandoned.jsonl: 1 new (13 new events)" in result.output
    assert "quarantine" not in result.output
    file.unlink()
    assert "1 new" in tabletape("import", "one.jsonl").output


def test_a_card_that_is_refused_is_named_once_and_touches_no_game(tabletape: Tabletape, tmp_path: Path) -> None:
    """Games that do not need it are read, and those of other games; what has to be mended is said with its line."""
    (tmp_path / "cards").mkdir()
    file = tmp_path / "cards" / "crystal.toml"
    file.write_text(NO_CARD, encoding="utf-8")
    crystal = CRYSTAL.read_text(encoding="utf-8")
    for name in "one", "two":
        (tmp_path / f"{name}.jsonl").write_text(crystal.replace("cry-recorded", name), encoding="utf-8")
    result = tabletape("import", "one.jsonl", "two.jsonl", str(SPLICERS))
    assert result.exit_code == 0, result.output
    assert result.output.count(f"{file}:2: card 'x': there is no field called 'nam'") == 1
    assert result.output.count(": 1 new (") == 3
    assert "3 games projected" in tabletape("build").output


def test_the_datasets_of_a_game_with_broken_cards_say_which_file_is_broken(
    tabletape: Tabletape, tmp_path: Path
) -> None:
    """The other games are built; the cards that the log keeps are not blamed."""
    assert tabletape("import", str(CRYSTAL), str(SPLICERS)).exit_code == 0
    (tmp_path / "cards").mkdir()
    file = tmp_path / "cards" / "crystal.toml"
    for command, broken, place in (("build", NESTED, ":"), ("coverage", NO_CARD, ":2: card 'x': there is no field")):
        file.write_text(broken, encoding="utf-8")
        result = tabletape(command)
        assert result.exit_code == 0, result.output
        assert f"{file}{place}" in result.output
        assert "kept cards" not in result.output
    assert tabletape("audit").exit_code == 0


@pytest.mark.parametrize(
    ("written", "message"),
    [
        (f"map = 1\nx = {'[' * 5000}\n", ":2: lists or tables are nested too deeply"),
        ('map = 1\ngame = "tabletop"\nshape = "lines"\ngap = "99999999999999999999 min"\n', ":4: `gap` is a number of"),
        ('map = 1\ngame = "tabletop"\nshape = "lines"\ngap = "3 weeks"\n', ":4: `gap` is a number of"),
        ('map = 1\ngame = "tabletop"\nshape = "lines"\ngap = "soon"\n', ":4: `gap` is a number of"),
    ],
)
def test_a_hostile_map_is_refused_with_its_line(tmp_path: Path, written: str, message: str) -> None:
    """Neither the depth of its lists nor its numbers make a mistake of Tabletape."""
    file = tmp_path / "friday.map.toml"
    file.write_text(written, encoding="utf-8")
    with pytest.raises(MapError) as refused:
        map_of_file(file)
    assert str(refused.value).startswith(f"{file}{message}")


@pytest.mark.parametrize("make", [os.mkfifo, lambda file: file.symlink_to("/dev/zero")])
def test_what_is_no_file_is_never_waited_for(tmp_path: Path, make: Make) -> None:
    """A map, a rulebook, the manifest and the file with the zone are refused where they are a pipe or a device."""
    readers: dict[str, tuple[Callable[[Path], object], type[Exception]]] = {
        "friday.map.toml": (map_of_file, MapError),
        "rules.md": (read_file, RulebookFileError),
        "manifest.json": (lambda file: read_manifest(file.parent), DatasetError),
    }
    for name, (read, error) in readers.items():
        make(tmp_path / name)
        with pytest.raises(error, match="this is no file that can be read"):
            read(tmp_path / name)


def test_a_pipe_in_place_of_the_zone_is_named(tabletape: Tabletape, tmp_path: Path) -> None:
    """The zone decides what times mean, so nothing is imported until somebody has looked."""
    os.mkfifo(tmp_path / "tabletape.toml")
    result = tabletape("import", str(SPLICERS))
    assert result.exit_code == 1
    assert "tabletape.toml: this is no file that can be read" in result.output


@pytest.mark.parametrize("content", [f"a = {'[' * 400}{']' * 400}", "a = 1\na = 2", "a = '", "a = 0000-00-00"])
def test_whatever_is_wrong_with_toml_is_one_error_with_a_line(content: str) -> None:
    """Who reads a file of a workspace has to know a single exception."""
    with pytest.raises(TomlError) as error:
        toml_of(content)
    assert error.value.line in {1, 2}
