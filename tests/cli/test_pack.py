"""`tabletape pack` and `build --packs`: from log, files and bots to datasets without a log."""

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Tabletape


@pytest.mark.usefixtures("evening")
def test_the_games_of_the_log_are_packed_and_built(tabletape: Tabletape) -> None:
    """Packs of the log's games become the datasets of another workspace, on which questions are answered."""
    packed = tabletape("pack", "packs")
    assert packed.exit_code == 0
    assert packed.stdout.startswith("1 game (")
    assert tabletape("build", "--packs", "packs", "--db", "other/tabletape.db").exit_code == 1
    Path("other").mkdir()
    assert tabletape("build", "--packs", "packs", "--db", "other/tabletape.db").exit_code == 0
    rows = json.loads(tabletape("stats", "games", "--json", "--db", "other/tabletape.db").stdout)
    assert [row["game_id"] for row in rows] == ["g"]


def test_files_are_packed_without_a_log(tabletape: Tabletape, evening: Path) -> None:
    """Log files are read as an import reads them, unreadable lines are reported, and no log is made."""
    bad = Path("bad.jsonl")
    bad.write_bytes(evening.read_bytes() + b"\n{")
    packed = tabletape("pack", "packs", "bad.jsonl", "--db", "new.db")
    assert packed.exit_code == 1
    assert "1 game (" in packed.stdout
    assert "bad.jsonl" in packed.stdout + packed.stderr
    assert not Path("new.db").exists()


def test_bots_play_into_packs(tabletape: Tabletape) -> None:
    """Games of bots are packed without a log; the same seed plays the same games."""
    for name in ("one", "two"):
        assert tabletape("pack", name, "--game", "crystal", "--bots", "3", "--seed", "4").exit_code == 0
    heads = [json.loads(Path(name, "packs.json").read_bytes())["content"]["head"] for name in ("one", "two")]
    assert heads[0] == heads[1]
    assert tabletape("pack", "three", "--bots", "3").exit_code == 1
    assert tabletape("pack", "three", "--bots", "3", "--game", "tabletop").exit_code == 1
    assert not Path("three").exists()


@pytest.mark.usefixtures("evening")
def test_packs_and_a_log_with_games_do_not_mix(tabletape: Tabletape) -> None:
    """Packs do not replace the datasets of a log with games, and missing packs are reported."""
    tabletape("pack", "packs")
    mixed = tabletape("build", "--packs", "packs")
    assert mixed.exit_code == 1
    assert "has games of its own" in mixed.stderr
    assert "no game packs at" in tabletape("build", "--packs", "nowhere", "--db", "new.db").stderr
