"""Two workspaces of the same games, in full and without what follows, and the answers of the command about them."""

import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import pytest
from typer.testing import CliRunner

from tabletape.cli.main import app
from tests.conftest import sixth_game
from tests.installed import installed
from tests.made_once import made_once
from tests.recounted.games import evenings
from tests.recounted.lines import Read

ROOT: Final = Path(__file__).parents[2]
HANABI: Final = ROOT / "tests" / "hanabi_game"

NUMBERS: Final = ("seq", "on", "example_seq", "first_illegal_seq", "events", "follows")
"""Columns that name lines by their numbers, or count them: a log without what follows has fewer of them."""

Rows = list[dict[str, Any]]
Asked = Callable[..., Rows]


def command(*arguments: str) -> str:
    """Run the command and return what it prints. Raises `AssertionError` where it fails."""
    result = CliRunner().invoke(app, list(arguments))
    assert result.exit_code == 0, (arguments, result.output)
    return result.stdout


def _keep(folder: Path) -> None:
    """Store all games in full, and in another workspace without what follows, in a folder."""
    site = folder / "site"
    site.mkdir()
    with pytest.MonkeyPatch.context() as patched, sixth_game(), installed("hanabi", HANABI, site):
        games = folder / "full" / "games"
        shutil.copytree(ROOT / "docs" / "own-games", games)
        games.joinpath("berries.toml").write_text('title = "Berries"\ncounters = ["berries"]\n', encoding="utf-8")
        shutil.copytree(games, folder / "sparse" / "games")
        patched.chdir(folder / "full")
        every = [*evenings(command, folder)]
        for place, name in enumerate(("full", "sparse")):
            patched.chdir(folder / name)
            lines = [json.dumps(line) for each in every for line in each[place]]
            Path("log.jsonl").write_text("\n".join([*lines, ""]), encoding="utf-8")
            command("import", "log.jsonl")
            command("build", "--decision-load")
    (folder / "every.json").write_text(json.dumps(every), encoding="utf-8")


@pytest.fixture(scope="session")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of both workspaces."""
    return made_once(tmp_path_factory, "recounted", _keep)


@pytest.fixture(scope="session")
def reads(kept: Path) -> list[Read]:
    """Return all games as their lines tell them."""
    return [Read(*each) for each in json.loads((kept / "every.json").read_text(encoding="utf-8"))]


@pytest.fixture(scope="module")
def asked(kept: Path) -> Iterator[Asked]:
    """Return a function that asks a question: of full and sparse logs, which have to give the same answer."""

    def answer(name: str, *more: str) -> Rows:
        full, sparse = (
            json.loads(command("stats", name, "--json", "--db", str(kept / kind / "tabletape.db"), *more))
            for kind in ("full", "sparse")
        )
        assert [_unnumbered(row) for row in full] == [_unnumbered(row) for row in sparse]
        found: Rows = full
        return found

    with sixth_game():
        yield answer


def _unnumbered(row: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in row.items() if name not in NUMBERS}


Rebuilt = Callable[..., Rows]


@pytest.fixture
def rebuilt(reads: list[Read], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Rebuilt]:
    """Return a function that asks a question of the sparse games of Higher's first edition, built another way too."""

    def answer(name: str, *more: str) -> Rows:
        games = [read.sparse for read in reads if read.game == "higher" and read.edition == "first"]
        Path("log.jsonl").write_text(
            "".join(json.dumps(line) + "\n" for game in games for line in game), encoding="utf-8"
        )
        for asked in (("import", "log.jsonl"), ("build",), ("build", *more)):
            command(*asked)
        found: Rows = json.loads(command("stats", name, "--json"))
        return found

    monkeypatch.chdir(tmp_path)
    with sixth_game():
        yield answer
