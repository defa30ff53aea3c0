"""Fixtures and functions of the tests of the log: small games of Splicers as lines, files of them, and an empty log."""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tabletape.events.importing import FileReport, Known, Options, import_paths
from tabletape.events.log import Log

CARDS = ["reed-heron", "kelp-choir", "tin-wasp", "mire-calf"]
KNOWN = Known(frozenset(CARDS), {"domination_threshold": ("at_least", "more_than")})


def line(tag: str, **fields: Any) -> str:
    """Return an event as a line of a log."""
    return json.dumps({"type": tag, **fields}, ensure_ascii=False)


def head(game_id: str = "g", **fields: Any) -> str:
    """Return the line that begins a game of Ann and Ben."""
    players = [{"id": "A", "name": "Ann"}, {"id": "B", "name": "Ben"}]
    return line("game.started", **{"game": "splicers", "edition": "0.2a", "id": game_id, "players": players, **fields})


def game(game_id: str = "g", turns: int = 2) -> list[str]:
    """Return the lines of a game: its head, a deck, `turns` turns of two lines each, and the end."""
    lines = [head(game_id), line("deck.declared", player="A", cards=CARDS, splicer="tin-wasp", bioms=[])]
    for turn in range(turns):
        player = "AB"[turn % 2]
        lines += [line("seed.played", player=player, card=f"{player}:{CARDS[turn % 4]}", biom="moss-parish")]
        lines += [line("turn.ended", player=player)]
    return [*lines, line("player.conceded", player="B")]


def write_lines(path: Path, lines: Iterable[str], *, encoding: str = "utf-8", end: str = "\n") -> Path:
    """Write lines to a file; return its path."""
    path.write_bytes("".join(each + end for each in lines).encode(encoding))
    return path


def import_file(log: Log, path: Path | str, **options: Any) -> FileReport:
    """Import one file; return its report."""
    (report,) = import_paths(log, [path], Options(**options)).files
    return report


@pytest.fixture
def log() -> Iterator[Log]:
    """Return an empty log in memory."""
    with Log.open("sqlite://", create=True) as opened:
        yield opened
