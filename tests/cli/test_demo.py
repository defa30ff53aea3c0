"""`tabletape demo`: a workspace made from the packaged samples, once, in any folder."""

import contextlib
import hashlib
import re
from pathlib import Path
from typing import NamedTuple

import pytest
from typer.testing import CliRunner, Result

from tabletape.cli.main import app
from tabletape.events.log import Log
from tabletape.events.log.rows import StoredGame
from tabletape.events.vocabulary import vocabulary
from tabletape.projector.games import game, games

SAMPLES = sorted(Path(__file__).parents[2].glob("projector/games/*/samples/*"))
CITATION = re.compile(r"^✗ (?P<kind>\w+) (?P<rule>\S+)  .*\bL\d+")


class Demo(NamedTuple):
    """A demo that was made with `--no-serve` alone: the folder in which it was called, and what it printed."""

    place: Path
    result: Result

    @property
    def workspace(self) -> Path:
        """The folder that the command made."""
        return self.place / "demo"

    def stored(self) -> list[StoredGame]:
        """Return the games in its log."""
        with Log.open(self.workspace / "tabletape.db") as log:
            return log.games()


def made(place: Path, *options: str) -> Result:
    """Call the command in a folder."""
    with contextlib.chdir(place):
        return CliRunner().invoke(app, ["demo", *options])


def contents(folder: Path) -> dict[str, str]:
    """Return a hash of every file in a folder."""
    files = (path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Demo:
    """Make the demo in an empty folder that is not the repository."""
    place = tmp_path_factory.mktemp("elsewhere")
    return Demo(place, made(place, "--no-serve"))


def test_the_workspace_holds_the_samples_of_every_game(demo: Demo) -> None:
    """Every sample log is imported completely and becomes datasets, and nothing else is left in the folder."""
    assert demo.result.exit_code == 0, demo.result.output
    assert [path.name for path in demo.place.iterdir()] == ["demo"]
    stored = demo.stored()
    assert {each.game for each in stored} == set(games())
    lines = [line for path in SAMPLES for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
    assert sum(each.events for each in stored) == len(lines)
    assert f"demo: {len(stored)} new\n" in demo.result.stdout
    assert list(demo.workspace.rglob("*.parquet"))


def test_three_findings_are_cited(demo: Demo) -> None:
    """Three illegal or missing events of different games and rules are shown, each with its rule and citation."""
    lines = demo.result.stdout.splitlines()
    cited = [(lines[number - 1], found) for number, line in enumerate(lines) if (found := CITATION.match(line))]
    assert len(cited) == len({found["rule"] for _, found in cited}) == 3
    assert {found["kind"] for _, found in cited} <= {"illegal", "missing"}
    stored = {each.game_id: each for each in demo.stored()}
    titles = [title.partition(", event ") for title, _ in cited]
    assert len({name for name, _, _ in titles}) == 3
    for (name, _, event), (_, found) in zip(titles, cited, strict=True):
        assert found["rule"] in game(stored[name].game).by_id
        assert 1 <= int(event.partition(":")[0]) <= stored[name].last_seq


def test_the_table_of_games_counts_what_is_stored(demo: Demo) -> None:
    """Each game has a row with its title, its games and its events."""
    rows = demo.result.stdout.splitlines()
    stored = demo.stored()
    for slug in games():
        mine = [each for each in stored if each.game == slug]
        (row,) = [line for line in rows if line.startswith(game(slug).title)]
        numbers = row.removeprefix(game(slug).title).split()
        assert numbers[:2] == [str(len(mine)), str(sum(each.events for each in mine))]


def test_the_next_command_can_be_typed_as_printed(demo: Demo) -> None:
    """The command in the last line runs in the same folder."""
    (command,) = [line for line in demo.result.stdout.splitlines() if line.startswith("Next: tabletape ")]
    with contextlib.chdir(demo.place):
        result = CliRunner().invoke(app, command.removeprefix("Next: tabletape ").split())
    assert result.exit_code == 0, result.output


def test_a_second_demo_changes_nothing_and_serves_the_first(demo: Demo, monkeypatch: pytest.MonkeyPatch) -> None:
    """The second run leaves every file as it is; without --no-serve the dashboard opens on the demo."""
    served = []
    monkeypatch.setattr("tabletape.cli.serve.open_dashboard", lambda *arguments: served.append(arguments))
    before = contents(demo.workspace)
    again = made(demo.place, "--port", "8600")
    assert again.exit_code == 0, again.output
    assert f"demo: {len(demo.stored())} unchanged\n" in again.stdout
    assert again.stdout.splitlines()[1:] == demo.result.stdout.splitlines()[1:]
    assert contents(demo.workspace) == before
    assert served == [(str(Path("demo") / "tabletape.db"), 8600)]


@pytest.mark.parametrize("sample", SAMPLES, ids=[path.name for path in SAMPLES])
def test_a_sample_has_a_line_for_every_event(sample: Path) -> None:
    """Every line of a sample can be read by the vocabulary of its game, so that none goes to quarantine."""
    known = vocabulary(sample.parents[1].name)
    for line in sample.read_text(encoding="utf-8").splitlines():
        known.decode(line)
