"""Games without rules: `tabletop`, and the designer's own, each a file `games/<slug>.toml` in the workspace.

Their cards and editions are open: a name that nobody has declared is a name, not an error. Their events are those of
`events.vocabulary.tabletop`; `projector.tabletop` keeps books for them.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache, wraps
from pathlib import Path
from threading import RLock
from typing import Annotated, Any, Final, TypeVar
from unicodedata import normalize

import msgspec

from tabletape.events.plans import planned
from tabletape.events.rules_file.mistakes import Mistakes, in_words
from tabletape.events.rules_file.reading import read_rules
from tabletape.events.rules_file.scope import ZoneRule
from tabletape.events.rules_file.tables import RuleTables
from tabletape.events.rules_file.values import guess
from tabletape.events.toml_text import TomlError, toml_of
from tabletape.events.vocabulary.fields import MAX_NAME
from tabletape.events.vocabulary.names import slug_of
from tabletape.events.workspace_files import GameFileError, stamp_of, text_of

FLAGS: Final = ("hidden", "own", "others", "open", "shared")
"""What may stand behind the name of a zone: nobody, its owner or the others alone, everybody may look; the table's."""

MOST: Final = 200
"""How many zones, counters or endings a game may have: every table has them all, and every step shows them."""

Made = TypeVar("Made")

_SLUG: Final = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")

Names = Annotated[tuple[Annotated[str, msgspec.Meta(max_length=200)], ...], msgspec.Meta(max_length=MOST)]


class ZoneKind(msgspec.Struct, frozen=True):
    """A zone that every player has, or the table (`shared`); who may look in is `all`, `owner`, `others`, `nobody`.

    `per`: there is one for each value of a property of the cards.
    """

    name: str
    shared: bool
    seen_by: str
    per: str = ""


class Progress(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A player's progress between 0 and 1: how much of `of` the counter has reached."""

    counter: str
    of: float


@planned
class OpenGame(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, eq=False):
    """A game as its file says it; `players` are the fewest and the most, `rules` what it says besides, if anything.

    `score` names the counter whose number at the end is a player's points. `text` is the file, `variant` which of its
    variants the game is, if it is one.
    """

    title: Annotated[str, msgspec.Meta(max_length=MAX_NAME)]
    slug: str = ""
    players: tuple[int, int] = (1, 12)
    zones: Names = ("deck hidden", "hand own", "table", "discard")
    counters: Names = ()
    progress: Progress | None = None
    score: Annotated[str, msgspec.Meta(max_length=MAX_NAME)] = ""
    endings: Names = ()
    rules: Any = None
    text: str = ""
    variant: str = ""

    @property
    def zone_kinds(self) -> tuple[ZoneKind, ...]:
        """The zones, read."""
        return zone_kinds_of(self.zones)


SOMEWHERE: Final = "somewhere"
"""A place of which nobody knows what lies there: cards come from it of which nobody has said where they lay."""

BEGUN_ZONES: Final = {"deck": "shared hidden", "hand": "own", "discard": "shared", SOMEWHERE: "shared hidden"}
"""The zones of a game of which only the title is known."""

MADE_FIELDS: Final = frozenset({"slug", "rules", "text", "variant"})
"""Fields of a game that are made from its file, and not said in it."""

TABLETOP: Final = OpenGame(slug="tabletop", title="Tabletop")
"""The game of a table of which nothing is known."""


def zone_kinds_of(written: Iterable[str]) -> tuple[ZoneKind, ...]:
    """Return zones as they are written, read: `hand own`. Raises `ValueError` for one without a name."""
    return tuple(map(_zone, written))


def _zone(written: str) -> ZoneKind:
    """Read `hand own`. Raises `ValueError` for a zone without a name."""
    words, per = written.split(), ""
    if words[-2:-1] == ["per"]:
        per = words[-1]
        del words[-2:]
    flags = set()
    while words and words[-1] in FLAGS:
        flags.add(words.pop())
    if not words:
        raise ValueError(f"a zone is a name and then {', '.join(FLAGS)}: {written!r} has no name")
    named = (("hidden", "nobody"), ("own", "owner"), ("others", "others"))
    seen_by = next((who for flag, who in named if flag in flags), "all")
    return ZoneKind("-".join(words), "shared" in flags, seen_by, per)


class _Folder:
    """The folder whose `games/` are looked at, and what was found there when it last changed."""

    def __init__(self) -> None:
        self.path: Path | None = None
        self.stamp: tuple[tuple[str, int], ...] = ()
        self.games: Mapping[str, OpenGame] = {TABLETOP.slug: TABLETOP}
        self.problems: Mapping[str, str] = {}
        self.begun: frozenset[str] = frozenset()


_LOOKED_IN: Final = _Folder()
_MAKING: Final = RLock()


def made_once(make: Callable[[OpenGame], Made]) -> Callable[[OpenGame], Made]:
    """Return a function that makes something of a game once, whichever threads ask for it.

    Two that make it at the same time would have two of the same, and a line of the one is none of the other.
    """
    cached = lru_cache(maxsize=256)(make)

    @wraps(make)
    def made(described: OpenGame) -> Made:
        with _MAKING:
            return cached(described)

    return made


def look_in(workspace: Path) -> None:
    """Take the games of a workspace, beside `tabletop`, until another workspace is looked at.

    A file that cannot be used is among the `game_file_problems`, and the other games go on.
    """
    files = sorted((workspace / "games").glob("*.toml"))
    with _MAKING:
        stamp = tuple((str(file), stamp_of(file)) for file in files)
        if workspace == _LOOKED_IN.path and stamp == _LOOKED_IN.stamp:
            return
        games, problems = {TABLETOP.slug: TABLETOP}, {}
        for file in files:
            try:
                games |= read_games(file)
            except GameFileError as error:
                games.pop(file.stem, None)
                problems[file.stem] = str(error)
        _LOOKED_IN.games, _LOOKED_IN.problems, _LOOKED_IN.begun = games, problems, frozenset()
        _LOOKED_IN.path, _LOOKED_IN.stamp = workspace, stamp


def begin(title: str) -> str:
    """Know a game of which only the title is known until the folder is looked into again; return what it is called.

    Whoever keeps something of it writes its file, `begun_text`. Raises `GameFileError` where there is one that cannot
    be used, or where the file could not be called so.
    """
    slug = slug_of(title)
    if problem := _LOOKED_IN.problems.get(slug):
        raise GameFileError(problem)
    if not _SLUG.fullmatch(slug):
        raise GameFileError(f"{title} is no name for a new game: letters of English, digits and blanks")
    _LOOKED_IN.games = {**_LOOKED_IN.games, **games_of(f"{slug}.toml", slug, begun_text(title))}
    _LOOKED_IN.begun |= {slug}
    _LOOKED_IN.stamp = (("", 0),)
    return slug


def begun() -> frozenset[str]:
    """Return the games that `begin` has made known, as far as the folder was not looked into since."""
    return _LOOKED_IN.begun


def begun_text(title: str) -> str:
    """Return the file of a game of which only the title is known."""
    zones = "".join(f'{name} = "{seen}"\n' for name, seen in BEGUN_ZONES.items())
    return f"title = {json.dumps(title, ensure_ascii=False)}\n\n[zones]\n{zones}\n"


def looked_in() -> Path | None:
    """Return the workspace whose games are known, None before any was looked into."""
    return _LOOKED_IN.path


def open_games() -> Mapping[str, OpenGame]:
    """Return the games without rules by their slugs: `tabletop` and those of the workspace that is open."""
    return _LOOKED_IN.games


def game_file_problems() -> Mapping[str, str]:
    """Return why files of games in the workspace cannot be used, by the slugs of these games."""
    return _LOOKED_IN.problems


def read_games(file: Path) -> dict[str, OpenGame]:
    """Read a file `<slug>.toml`: its game, and each of its variants as a game of its own, by their slugs.

    Raises `GameFileError` with its line for whatever is wrong with it.
    """
    slug = file.stem
    if not _SLUG.fullmatch(slug):
        raise GameFileError(f"{file}: the file is called by the game's short name: small letters, digits and hyphens")
    try:
        return games_of(str(file), slug, text_of(file))
    except TomlError as error:
        raise GameFileError(f"{file}:{error.line}: {error}") from None
    except OSError as error:
        raise GameFileError(f"{file}: {error.strerror}") from None


def games_of(name: str, slug: str, text: str) -> dict[str, OpenGame]:
    """Read the text of a file called `name` as `read_games` does. Raises `GameFileError` as it does."""
    text = normalize("NFC", text)
    try:
        raw = toml_of(text)
    except TomlError as error:
        raise GameFileError(f"{name}:{error.line}: {error}") from None
    variants = raw.pop("variant", {})
    games = {slug: _game(name, text, raw, slug)}
    for variant, change in variants.items() if isinstance(variants, dict) else ():
        if not isinstance(change, dict) or not _SLUG.fullmatch(variant):
            raise GameFileError(f"{name}:1: [variant.{variant}] has to be a table with a short name: what it changes")
        own = f"{slug}-{variant}"
        changed = laid_over({**raw, "title": _titled(games[slug].title, variant)}, change)
        games[own] = msgspec.structs.replace(_game(name, text, changed, own), variant=variant)
    return games


def _titled(title: str, variant: str) -> str:
    return f"{title} ({variant.replace('-', ' ')})"


def _tables_of(described: OpenGame) -> dict[str, Any]:
    """Return the tables of a game's file, those of its variant laid over them where it is one."""
    raw = toml_of(described.text)
    variants = raw.pop("variant", {})
    if not described.variant:
        return raw
    return laid_over({**raw, "title": _titled(str(raw["title"]), described.variant)}, variants[described.variant])


def with_numbers(described: OpenGame, numbers: Mapping[str, tuple[float, bool]]) -> OpenGame:
    """Return a game with other numbers in its file, each by its path: to a number, or (where true) by it.

    `tables.price.silver` is a number in a table, `cards.copies.0` the first of a list. Raises `GameFileError` where
    there is no such number, or the file with it is wrong.
    """
    raw = _tables_of(described)
    for path, (number, is_relative) in numbers.items():
        inside: Any = None
        last: Any = ""
        before: Any = raw
        try:
            for part in path.split("."):
                inside, last = before, int(part) if isinstance(before, list) and part.isdigit() else part
                before = inside[last]
        except (LookupError, TypeError):
            before = None
        if type(before) is not int:
            such = "one is called as in tables.price.silver"
            raise GameFileError(f"the file of {described.title} has no number at `{path}`; {such}")
        inside[last] = int(before * is_relative + number)
    changed = _game(f"{described.slug}.toml", described.text, raw, described.slug)
    return msgspec.structs.replace(changed, variant=described.variant)


def numbers_in(described: OpenGame) -> dict[str, int]:
    """Return the numbers of a game's file by their paths, as `with_numbers` takes them."""
    return dict(_numbers(_tables_of(described), ()))


def _numbers(inside: Any, path: tuple[str, ...]) -> Iterator[tuple[str, int]]:
    if type(inside) is int:
        yield ".".join(path), inside
    parts = inside.items() if isinstance(inside, dict) else enumerate(inside) if isinstance(inside, list) else ()
    for key, value in parts:
        yield from _numbers(value, (*path, str(key)))


def laid_over(raw: Mapping[str, Any], change: Mapping[str, Any]) -> dict[str, Any]:
    """Return the tables of a file with others laid over them."""
    laid = dict(raw)
    for key, value in change.items():
        before = laid.get(key)
        laid[key] = laid_over(before, value) if isinstance(before, dict) and isinstance(value, dict) else value
    return laid


def _game(name: str, text: str, raw: Mapping[str, Any], slug: str) -> OpenGame:
    """Return the game of the tables of a file, with all its rules. Raises `GameFileError` with every mistake."""
    parts = RuleTables.__struct_fields__
    described = {f"[{key}]" if key in MADE_FIELDS else key: value for key, value in raw.items() if key not in parts}
    try:
        for key, in_words in (("zones", _zone_in_words), ("counters", _counter_in_words)):
            if isinstance(raw.get(key), dict):
                described[key] = [in_words(*each) for each in raw[key].items()]
        game = msgspec.structs.replace(msgspec.convert(described, OpenGame), slug=slug, text=text)
        _require_sense(game)
    except (msgspec.ValidationError, ValueError) as error:
        raise GameFileError(f"{name}:{_line(text, str(error))}: {_reason(error)}") from None
    if not any(part in raw for part in parts) and not isinstance(raw.get("counters"), dict):
        return game
    mistakes = Mistakes(name, text)
    zones = [ZoneRule(kind.name, kind.shared, kind.per, kind.seen_by) for kind in game.zone_kinds]
    rules = read_rules(slug, raw, zones, mistakes)
    if mistakes.found:
        raise GameFileError("\n".join(mistakes.found))
    return msgspec.structs.replace(game, rules=rules)


def _zone_in_words(name: str, said: Any) -> str:
    """Return a zone of a table of zones as it stands in a list of them."""
    words = str(said).split()
    per = words.index("per") if "per" in words[:-1] else len(words)
    for word in (*words[:per], *words[per + 2 :]):
        if word not in FLAGS:
            raise ValueError(f"`{name}`: `{word}` says nothing about a zone{guess(word, {*FLAGS, 'per'})}")
    return " ".join((name, *words[:per], *words[per + 2 :], *words[per : per + 2]))


def _counter_in_words(name: str, said: Any) -> str:
    return name if isinstance(said, dict) and said.get("each") else f"{name} shared"


def _require_sense(game: OpenGame) -> None:
    names = [kind.name for kind in game.zone_kinds]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice:
        raise ValueError(f"`zones` has the zone {twice} twice")
    if not 1 <= game.players[0] <= game.players[1]:
        raise ValueError("`players` are the fewest and the most, as in [2, 4]")
    counters = [name.removesuffix(" shared") for name in game.counters]
    if game.progress is not None and game.progress.counter not in counters:
        raise ValueError(f"`progress` counts {game.progress.counter}, which is none of the `counters`")
    if game.score and game.score not in counters:
        raise ValueError(f"`score` is the counter {game.score}, which is none of the `counters`")
    if game.progress is not None and game.progress.of <= 0:
        raise ValueError("`progress` is measured against a number above 0: { counter = …, of = 12 }")


def _reason(error: Exception) -> str:
    unknown = re.search(r"unknown field `(.*?)`", str(error))
    if unknown is None:
        said, _, place = str(error).partition(" - at `$.")
        words = said.replace("Object missing required field", "it needs")
        return in_words(words, re.sub(r"\W.*", "", place)) if place else words
    own = [field.name for field in msgspec.structs.fields(OpenGame) if field.name not in MADE_FIELDS]
    known = [*own, *RuleTables.__struct_fields__]
    if unknown[1].removesuffix("s") in known:
        return f"there is no `{unknown[1]}` in the file of a game; did you mean `{unknown[1].removesuffix('s')}`?"
    return f"there is no `{unknown[1]}` in the file of a game; there are {', '.join(known)}"


def _line(text: str, message: str) -> int:
    """Return the line of the first key that a message names."""
    for key in re.findall(r"`\$?\.?(\w+)", message):
        match = re.search(rf"^[ \t]*\[*{re.escape(key)}\b", text, re.MULTILINE)
        if match:
            return text.count("\n", 0, match.start()) + 1
    return 1
