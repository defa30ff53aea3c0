"""Games without rules: `tabletop`, and the designer's own, each a file `games/<slug>.toml` in the workspace.

Their cards and editions are open: a name that nobody has declared is a name, not an error. Their events are those of
`events.vocabulary.tabletop`; `projector.tabletop` keeps books for them.
"""

import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import msgspec

FLAGS: Final = ("hidden", "own", "shared")
"""What may stand behind the name of a zone: nobody, or only its owner, may look in; one for the whole table."""

_SLUG: Final = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")


class OpenGameError(Exception):
    """A file of a game that cannot be used; the message begins with its name and line."""


class ZoneKind(msgspec.Struct, frozen=True):
    """A zone that every player has, or the table (`shared`), and who may look in: `all`, `owner` or `nobody`."""

    name: str
    shared: bool
    seen_by: str


class Progress(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A player's progress between 0 and 1: how much of `of` the counter has reached."""

    counter: str
    of: float


class OpenGame(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A game without rules, as its file says it; `players` are the fewest and the most."""

    title: str
    slug: str = ""
    players: tuple[int, int] = (1, 12)
    zones: tuple[str, ...] = ("deck hidden", "hand own", "table", "discard")
    counters: tuple[str, ...] = ()
    progress: Progress | None = None
    endings: tuple[str, ...] = ()

    @property
    def zone_kinds(self) -> tuple[ZoneKind, ...]:
        """The zones, read."""
        return tuple(map(_zone, self.zones))


TABLETOP: Final = OpenGame(slug="tabletop", title="Tabletop")
"""The game of a table of which nothing is known."""


def _zone(written: str) -> ZoneKind:
    """Read `hand own`. Raises `ValueError` for a zone without a name."""
    words = written.split()
    flags = set()
    while words and words[-1] in FLAGS:
        flags.add(words.pop())
    if not words:
        raise ValueError(f"a zone is a name and then {', '.join(FLAGS)}: {written!r} has no name")
    seen_by = "nobody" if "hidden" in flags else "owner" if "own" in flags else "all"
    return ZoneKind("-".join(words), "shared" in flags, seen_by)


class _Folder:
    """The folder whose `games/` are looked at, and what was found there when it last changed."""

    def __init__(self) -> None:
        self.path: Path | None = None
        self.stamp: tuple[tuple[str, int], ...] = ()
        self.games: Mapping[str, OpenGame] = {TABLETOP.slug: TABLETOP}


_LOOKED_IN: Final = _Folder()


def look_in(workspace: Path) -> None:
    """Take the games of a workspace, beside `tabletop`, until another workspace is looked at.

    Raises `OpenGameError` for a file that cannot be used.
    """
    files = sorted((workspace / "games").glob("*.toml"))
    stamp = tuple((str(file), file.stat().st_mtime_ns) for file in files)
    if workspace == _LOOKED_IN.path and stamp == _LOOKED_IN.stamp:
        return
    found = {TABLETOP.slug: TABLETOP}
    for file in files:
        one = read_game(file)
        found[one.slug] = one
    _LOOKED_IN.path, _LOOKED_IN.stamp, _LOOKED_IN.games = workspace, stamp, found


def open_games() -> Mapping[str, OpenGame]:
    """Return the games without rules by their slugs: `tabletop` and those of the workspace that is open."""
    return _LOOKED_IN.games


def read_game(file: Path) -> OpenGame:
    """Read a file `<slug>.toml`. Raises `OpenGameError` with its line for whatever is wrong with it."""
    slug = file.stem
    if not _SLUG.fullmatch(slug):
        raise OpenGameError(f"{file}: the file is called by the game's short name: small letters, digits and hyphens")
    try:
        text = file.read_text(encoding="utf-8-sig")
        found = msgspec.convert(tomllib.loads(text), OpenGame)
        _require_sense(found)
    except tomllib.TOMLDecodeError as error:
        reason, _, place = str(error).partition(" (at line ")
        raise OpenGameError(f"{file}:{place.partition(',')[0].rstrip(')') or 1}: {reason}") from None
    except UnicodeDecodeError as error:
        raise OpenGameError(f"{file}: this is not UTF-8 text (byte {error.start}); save it as UTF-8") from None
    except (msgspec.ValidationError, ValueError) as error:
        raise OpenGameError(f"{file}:{_line(text, str(error))}: {_reason(error)}") from None
    return msgspec.structs.replace(found, slug=slug)


def _require_sense(found: OpenGame) -> None:
    names = [kind.name for kind in found.zone_kinds]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice:
        raise ValueError(f"`zones` has the zone {twice} twice")
    if not 1 <= found.players[0] <= found.players[1]:
        raise ValueError("`players` are the fewest and the most, as in [2, 4]")
    if found.progress is not None and found.progress.counter not in found.counters:
        raise ValueError(f"`progress` counts {found.progress.counter}, which is none of the `counters`")
    if found.progress is not None and found.progress.of <= 0:
        raise ValueError("`progress` is measured against a number above 0: { counter = …, of = 12 }")


def _reason(error: Exception) -> str:
    unknown = re.search(r"unknown field `(.*?)`", str(error))
    if unknown is None:
        return str(error).replace("Object missing required field", "it needs")
    known: Any = [field.name for field in msgspec.structs.fields(OpenGame) if field.name != "slug"]
    return f"there is no `{unknown[1]}` in the file of a game; there are {', '.join(known)}"


def _line(text: str, message: str) -> int:
    """Return the line of the first key that a message names."""
    for key in re.findall(r"`\$?\.?(\w+)", message):
        found = re.search(rf"^[ \t]*{re.escape(key)}\b", text, re.MULTILINE)
        if found:
            return text.count("\n", 0, found.start()) + 1
    return 1
