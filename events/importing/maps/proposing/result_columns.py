"""Which columns of an unknown sheet, or keys of a document, say how games ended: none where that is not sure."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from tabletape.events.importing.maps.documents.chats import date_formats
from tabletape.events.importing.maps.documents.paths import value_at
from tabletape.events.importing.maps.proposing.column_names import (
    REFERENCE,
    is_seat,
    named,
    place_in,
    seats_in,
    sides_in,
)
from tabletape.events.importing.maps.proposing.score_columns import (
    is_pad,
    keys_of,
    left_out,
    listed_scores,
    marks_of_each,
    mostly,
    score_columns,
    scores_named,
    tell_games,
    texts_of,
)
from tabletape.events.importing.maps.proposing.survey import Survey
from tabletape.events.importing.maps.results.columns import NO, YES
from tabletape.events.importing.maps.results.ratings import question_of, rated_columns
from tabletape.events.importing.maps.results.sheet_rows import COLUMN, HEADING, SheetRows
from tabletape.events.importing.maps.values.times import FIGURES

_DAY: Final = re.compile(r"\d{1,4}[./ -]{1,2}(?:\d|[^\W\d_]{3})")

SAMPLE: Final = 300
"""How many rows are looked at."""

AGAINST: Final = (" vs. ", " vs ", " v. ", " v ", " versus ", " against ", " gegen ", " contre ", " contra ", " x ")
SIGNS: Final = (";", ",", "/", "&", " - ", " \u2013 ", "+")
ANDS: Final = (", and ", " and ", " und ", " et ", " y ", " e ")
"""What parts names in a cell; a word, or a stroke that names may have too, only between blanks."""

_AGAINST: Final = re.compile(f".+(?:{'|'.join(map(re.escape, AGAINST))}).+", re.IGNORECASE)
_TWO_SCORES: Final = re.compile(r"\d{1,4}\s*([-:\u2013])\s*\d{1,4}")


def lists_in(value: Any, path: str, depth: int = 0) -> Iterator[tuple[str, list[Mapping[str, Any]]]]:
    """Return the lists of objects in a document, at most three keys deep, by their paths."""
    if isinstance(value, list) and value and all(isinstance(each, Mapping) for each in value):
        yield path, value
        if len(value) == 1:
            yield from lists_in(value[0], f"{path}[0]", depth + 1)
    elif isinstance(value, Mapping) and depth < 3:
        for key, inner in value.items():
            yield from lists_in(inner, f"{path}.{key}".lstrip("."), depth + 1)


def results_in(
    shape: str, path: str, rows: Sequence[Mapping[str, Any]], root: Any, players: Sequence[str] = ()
) -> Survey | None:
    """Return the columns of results; None where nothing says who won. `players` somebody has named."""
    sample = [row for _, _, row in SheetRows(()).games((0, "", row) for row in rows[:SAMPLE])]
    outer = _grouped(sample, _meant(sample, named([key for key in keys_of(sample) if key not in {HEADING, COLUMN}])))
    pad = shape == "rows" and "date" not in outer and COLUMN not in rows[0] and is_pad(rows[:SAMPLE])
    columns = (
        _seats(sample)
        or _who_won(sample, outer)
        or (shape == "rows" and (_ranked(sample) or _sides(sample, outer) or _with_scores(sample)))
        or ((players or "player" not in outer) and _scored(shape, sample, outer, players, pad=pad))
        or (shape == "rows" and _together(sample, outer))
    )
    if not columns:
        return None
    lookup = _lookup(root, [str(value) for value in (*columns.values(), *outer.values())])
    for name in ("date", "game", "edition", "first_player", "turns", "rounds", "minutes", "reason", "note"):
        if name in outer and outer[name] not in columns.values():
            columns[name] = _counted(sample, outer[name]) if name in {"turns", "rounds", "minutes"} else outer[name]
    columns |= _above(sample, columns)
    if "cooperative" in outer and _words_in(sample, outer["cooperative"]) <= YES | NO:
        columns["cooperative"] = outer["cooperative"]
    if "expansion" in outer:
        columns.setdefault("edition", outer["expansion"])  # Without a version it is what was played.
    columns |= _said(sample, columns, outer) if shape == "rows" else {}
    if columns.get("feedback", {}).get("text") in {columns.get("note"), ""}:
        columns.pop("note", None)
    head: dict[str, Any] = {"shape": "results", "id": "{file}-{n}"}
    head |= {"rows": path} if shape != "rows" else {}
    dated = COLUMN if columns.get("date") == COLUMN else outer.get("date", "")
    days = [str(row.get(dated, "")) for row in sample] if dated else []
    formats = date_formats(days)
    head |= {"dates": formats[0]} if formats else {}
    open_day = "" if formats else next((day for day in days if FIGURES.fullmatch(day)), "")
    head |= ({"lookup": lookup} if lookup else {}) | {"columns": columns}
    played = tuple(dict.fromkeys(texts_of(sample, columns["game"]))) if isinstance(columns.get("game"), str) else ()
    alike = shape == "rows" and {"score_of", "best"} <= columns.keys() and not {COLUMN, "sums"} & {*rows[0], *columns}
    open_rows = alike and not tell_games(sample, outer)
    why = left_out(_apart(sample, outer), columns, scores_named(outer))
    return Survey(head=head, open_day=open_day, games=played, open_rows=open_rows, left_out=why)


def _who_won(rows: Sequence[Mapping[str, Any]], outer: Mapping[str, str]) -> dict[str, Any]:
    """Return the columns that say who played and who won: a row for each player, or names."""
    if "won" in outer and "group" in outer and "player" in outer:
        own = ("group", "player", "deck", "score", "first", "team", "place")
        is_place = outer["won"] == outer.get("place")
        won = {"column": outer["won"], "is": "1"} if is_place else _won(rows, outer["won"])
        return {name: outer[name] for name in own if name in outer} | {"won": won}
    if "winner" in outer and "loser" in outer:
        return {"players": [outer["winner"], outer["loser"]], "winner": outer["winner"]}
    if "winner" not in outer or not (several := _several(rows, outer)):
        return {}
    outer = {"decks": outer["deck"]} | dict(outer) if "deck" in outer else outer  # `Role` over those of all players.
    columns: dict[str, Any] = {name: outer[name] for name in ("winner", "decks", "first_player") if name in outer}
    columns |= {name: parted(rows, columns[name]) for name in ("winner", "decks") if name in columns}
    if key := scores_named(outer):
        apart = _apart(rows, outer)
        columns |= listed_scores(apart, key, several, outer["winner"]) if apart else {"scores": key}
    keys = [key for key in keys_of(rows) if key != HEADING]
    for name, pairs in (("scores", seats_in(keys)), ("decks", seats_in(keys, "deck"))):
        if pairs and [seat for seat, _ in pairs] == several:
            columns[name] = [own for _, own in pairs]
    return {"players": several, **columns}


def _apart(rows: Sequence[Mapping[str, Any]], outer: Mapping[str, str]) -> list[Mapping[str, Any]]:
    """Return the rows that do not say that all played together, with one score for all."""
    return [row for row in rows if str(row.get(outer.get("cooperative", ""), "")).strip().casefold() not in YES]


def _scored(
    shape: str, rows: Sequence[Mapping[str, Any]], outer: Mapping[str, str], players: Sequence[str], *, pad: bool
) -> dict[str, Any]:
    """Return the columns that hold the scores of a player each; the totals of a `pad` are the games."""
    scored = score_columns(shape, rows, outer, players)
    said = {"winner": outer["winner"]} if "winner" in outer else {"best": "highest"}
    return {"score_of": scored, **said, **({"sums": True} if pad else {})} if scored else {}


def _together(rows: Sequence[Mapping[str, Any]], outer: Mapping[str, str]) -> dict[str, Any]:
    """Return the column that says won or lost of a whole row beside one that names several players."""
    if not {"players", "won"} <= outer.keys():
        return {}
    players = parted(rows, outer["players"])
    return {"players": players, "won": _won(rows, outer["won"])} if isinstance(players, Mapping) else {}


def _said(rows: Sequence[Mapping[str, Any]], columns: Mapping[str, Any], outer: Mapping[str, str]) -> dict[str, Any]:
    """Return the columns of a form in which players rate the game, and who does, where that is not who played."""
    listed = [each for column in columns.values() for each in (column if isinstance(column, list) else [column])]
    taken = {str(each["column"] if isinstance(each, Mapping) else each) for each in listed}
    asking = {key: asked for key in keys_of(rows) if key not in {*taken, HEADING} and (asked := question_of(key))}
    marks = marks_of_each(rows, {key: asked for key, asked in asking.items() if asked != "again"}, columns)
    of_each = {key for each in marks.values() for key in (each if isinstance(each, list) else [each["column"]])}
    ratings = rated_columns(rows, {*taken, HEADING, *of_each} - {columns.get("note", "")})
    if marks or not ratings:
        return {"feedback": marks | ratings} if marks else {}
    if "note" in columns:
        ratings.setdefault("text", columns["note"])  # What one of several says of a game is not the note of all.
    by = {"by": outer["player"]} if "player" in outer and outer["player"] not in taken else {}
    return {"feedback": ratings} | by


def _ranked(rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return the columns that are headed by places and name who took them: 1. Platz, 2nd, 3e place."""
    places = sorted((place, key) for key in keys_of(rows) if (place := place_in(key)))
    names = [key for _, key in places]
    if len(names) < 2 or [place for place, _ in places] != [*range(1, len(names) + 1)]:
        return {}
    return {"players": names, "winner": names[0], "ranked": True}


def _with_scores(rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return the columns where each player has one beside another with the score, or a cell is `Ann vs Ben`, `2-1`."""
    keys = [key for key in keys_of(rows) if key != HEADING]
    pairs = seats_in(keys)
    if len(pairs) > 1:
        return {"players": [key for key, _ in pairs], "scores": [score for _, score in pairs], "best": "highest"}
    who = next((key for key in keys if mostly(_AGAINST, texts_of(rows, key))), "")
    scores = _two_scores(rows, keys)
    return {"players": parted(rows, who), **scores} if who and scores else {}


def _sides(rows: Sequence[Mapping[str, Any]], outer: Mapping[str, str]) -> dict[str, Any]:
    """Return the columns that name the players of a team each, with what says which team has won."""
    keys = [key for key in keys_of(rows) if key != HEADING]
    teams, scores = sides_in(keys)
    sides = [parted(rows, key) for key in teams]
    if len(sides) < 2 or not any(isinstance(side, Mapping) for side in sides):
        return {}
    if "winner" in outer:
        won: dict[str, Any] = {"winner": outer["winner"]}
    elif len(scores) == len(sides):
        won = {"scores": scores, "best": "highest"}
    else:
        won = _two_scores(rows, keys)
    return {"sides": sides, **won} if won else {}


def _two_scores(rows: Sequence[Mapping[str, Any]], keys: Sequence[str]) -> dict[str, Any]:
    """Return the column that has the scores of both sides, as `2-1`."""
    texts = {key: texts_of(rows, key) for key in keys}
    score = next((key for key in keys if mostly(_TWO_SCORES, texts[key])), "")
    signs = sorted(
        {match[1].strip() for text in texts.get(score, ()) if (match := _TWO_SCORES.fullmatch(text.strip()))}
    )
    split = {"column": score, "split": signs if len(signs) > 1 else signs[0]} if signs else {}
    return {"scores": split, "best": "highest"} if split else {}


def _above(rows: Sequence[Mapping[str, Any]], columns: Mapping[str, Any]) -> dict[str, Any]:
    """Return the columns that are written once for several rows, and the day where it stands in headings."""
    above: dict[str, Any] = {}
    once = [str(columns[name]) for name in ("date", "game", "edition") if isinstance(columns.get(name), str)]
    down = [key for key in once if rows[0].get(key) and any(not row.get(key) for row in rows)]
    for name in (COLUMN, HEADING):
        headings = [str(row[name]) for row in rows if row.get(name)]
        if headings and all(_DAY.search(text) for text in headings):
            above["date"] = [columns["date"], name] if "date" in columns else name
            down = [key for key in down if key != columns.get("date")]
            break
    return above | ({"fill_down": down} if down else {})


def _seats(sample: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return the columns of rows that hold a list of players; nothing where no such list says who won."""
    for path in [key for row in sample[:1] for key, _ in lists_in(row, "")]:
        seats = [seat for row in sample for seat in value_at(row, path) or () if isinstance(seat, Mapping)]
        own = named(keys_of(seats))
        won: Any = own.get("won") or own.get("winner")
        if won and _counts(texts_of(seats, won)):
            won = ""
        games = [value_at(row, path) or () for row in sample]
        if (
            not won
            and {"player", "place"} <= own.keys()
            and all(
                _are_places([seat.get(own["place"]) for seat in game if isinstance(seat, Mapping)]) for game in games
            )
        ):
            won = {"column": own["place"], "is": 1}
        if won:
            columns = {"each": path, "won": won}
            columns |= {
                name: own[name] for name in ("player", "deck", "score", "first", "team", "place") if name in own
            }
            return columns | ({"first": own["first_player"]} if "first_player" in own else {})
    return {}


def _lookup(root: Any, keys: Sequence[str]) -> dict[str, str]:
    """Return what the numbers of some keys stand for: `playerRefId` is the `name` of one of the `players`."""
    lookups = {}
    for key in keys:
        named = REFERENCE.fullmatch(key)
        listed = value_at(root, f"{named[1]}s") if named else None
        if named and isinstance(listed, list) and listed and isinstance(listed[0], Mapping) and "name" in listed[0]:
            lookups[key] = f"{named[1]}s[id].name"
    return lookups


def _won(rows: Sequence[Mapping[str, Any]], key: str) -> Any:
    """Return the column that says who won, with the word that says so where it is none of the usual ones."""
    texts = {str(row.get(key, "")).strip() for row in rows} - {""}
    win = [text for text in texts if text.casefold().startswith(("win", "won", "sieg"))]
    return {"column": key, "is": win[0]} if len(texts) > 1 and len(win) == 1 else key


def _counted(rows: Sequence[Mapping[str, Any]], key: str) -> Any:
    """Return a column of numbers; a game of no minutes or of -1 turns is one of which nobody wrote them down."""
    none = sorted({str(row[key]) for row in rows if str(row.get(key)) in {"0", "-1"}})
    return {"column": key, "none": none} if none else key


def parted(rows: Sequence[Mapping[str, Any]], key: str) -> Any:
    """Return a column with the signs that part its names; there may be several for who played against whom."""
    texts = [str(text).casefold() for row in rows if (text := row.get(key))]
    against, signs, ands = (
        [sign for sign in listed if any(sign in text for text in texts)] for listed in (AGAINST, SIGNS, ANDS)
    )
    # A comma and the "and" before the last name are written together; of other signs one parts names.
    # Whoever parts names by a semicolon in some rows, and by a comma in others, does so in no row by both.
    is_mixed = signs[:2] == [";", ","] and not any(";" in text and "," in text for text in texts)
    either = signs[: 2 if is_mixed else 1]
    signs_between = against or (either + ands if either[-1:] in ([], [","]) else either)
    return (
        {"column": key, "split": signs_between if len(signs_between) > 1 else signs_between[0]}
        if signs_between
        else key
    )


def _meant(rows: Sequence[Mapping[str, Any]], outer: dict[str, str]) -> dict[str, str]:
    """Return the keys as what stands below them means: marks under `Winner` say who won, where nobody is called so."""
    if "won" not in outer and "player" in outer and "winner" in outer:
        marks, players = (_words_in(rows, outer[name]) for name in ("winner", "player"))
        outer |= {"won": outer.pop("winner")} if marks and marks <= YES | NO and not marks & players else {}
    if "won" in outer and _counts(texts_of(rows, outer["won"])):
        outer.pop("won")  # How many rounds or tricks somebody won does not say who won the game.
    if "expansion" in outer and _words_in(rows, outer["expansion"]) & (YES | NO):
        outer.pop("expansion")  # That one was there does not say which.
    return outer


def _counts(texts: Iterable[str]) -> bool:
    """Return whether some texts are numbers of something: marks are no others than 0 and 1."""
    return any(text.strip().isdecimal() and text.strip() not in {"0", "1"} for text in texts)


def _are_places(values: Sequence[Any]) -> bool:
    """Return whether some values are the places of the players of a game: 1, 2, 3, and with ties 1, 2, 2, 4 or 3."""
    texts = [*map(str, values)]
    if not texts or not all(text.isdecimal() and len(text) < 4 for text in texts):
        return False
    places = sorted(map(int, texts))
    steps = zip(range(1, len(places) + 1), [0, *places], places, strict=False)
    return all(place in {number, before, before + 1} for number, before, place in steps) and places[0] == 1


def _words_in(rows: Sequence[Mapping[str, Any]], key: str) -> set[str]:
    return {text.strip().casefold() for text in texts_of(rows, key)}


def _grouped(rows: Sequence[Mapping[str, Any]], outer: dict[str, str]) -> dict[str, str]:
    """Return the keys with `game` as the `group` where it numbers the games, several rows each: 1, 1, 2, 2."""
    together = outer.get("group") or outer.get("game")
    if "place" in outer and together and not {"won", "winner"} & outer.keys():
        games: dict[str, list[Any]] = {}
        for row in rows:
            games.setdefault(str(row.get(together)), []).append(row.get(outer["place"]))
        whole = [*games.values()][: len(games) - (len(rows) == SAMPLE)]  # Where the sample ends, a game breaks off.
        if whole and all(map(_are_places, whole)):
            outer["won"] = outer["place"]
    numbers = [str(row.get(outer.get("game", ""), "")) for row in rows]
    if (
        {"won", "player"} <= set(outer)
        and "group" not in outer
        and all(each.isdigit() and numbers.count(each) > 1 for each in numbers)
    ):
        outer["group"] = outer.pop("game")
    return outer


def _several(rows: Sequence[Mapping[str, Any]], outer: Mapping[str, str]) -> Any:
    """Return the column or columns that say who played: one with several names, or one for each player."""
    numbered = [_name_in(rows, key) for key in keys_of(rows) if is_seat(key)]
    if len(numbered) > 1:
        return numbered
    if "players" in outer:
        return parted(rows, outer["players"])
    split = parted(rows, outer["player"]) if "player" in outer else None
    return split if isinstance(split, dict) else None


def _name_in(rows: Sequence[Mapping[str, Any]], key: str) -> str:
    """Return the path to the name of a player: the key itself, or what is called so in the object that stands there."""
    first: Mapping[str, Any] = next((row[key] for row in rows if isinstance(row.get(key), Mapping)), {})
    inner = named(list(first)).get("player", "")
    return f"{key}.{inner}" if inner else key
