"""Which columns of a sheet hold the scores of players: those headed by their names, or one of all that fits who won."""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, pairwise
from typing import Any, Final

from tabletape.events.importing.lines.words import plain
from tabletape.events.importing.maps.results.columns import in_order_of, named_in, parting, score_in, whom_names
from tabletape.events.importing.maps.results.ratings import scale_of
from tabletape.events.importing.maps.results.sheet_rows import AVERAGES, COLUMN, HEADING, SUMS
from tabletape.events.importing.maps.values.days import plain_day
from tabletape.events.importing.maps.values.times import FIGURES

TABLE: Final = 0.8
"""A column holds scores if at least this share of its cells does, and a table is one if as many rows have two."""

TOTALS: Final = SUMS - AVERAGES | {"total points"}
"""Labels of a row that adds up those above it."""

NO_NAMES: Final = frozenset(
    plain(
        "score scores point points vp total id ids number nr no time date type target value price cost age rank place "
        "seat team rating ratings fun clarity balance difficulty complexity length luck theme enjoyment weight minutes "
        "hours seconds rounds round turns turn game games player players plays move moves index order count version "
        "year day month row rotation size level mana life gold cards deck spieler punkte dauer runden spass joueur "
        "durée manches jugador puntos duración"
    ).split()
)
"""Words that say what a column of numbers holds, so that nobody is called by them."""

NUMBER_HEADINGS: Final = frozenset({"#", "nr", "no", "id", "number"})
"""How the column is called that numbers the rows."""

SAID_OF_PARTS: Final = frozenset({"note", "player", "players", "score", "scores", "place", "team"})
"""What columns may say of the rows of a score pad as well as of games."""

LISTED: Final = (";", "/", "|", "&", ":", "-", "\u2013", ", ")
"""What parts the scores in a cell."""

_NAME: Final = re.compile(r"[^\W\d_a-z][^\W\d_]*(?:[ .'\u2019-]+[^\W\d_]+){0,2}\.?(?: ?\d{1,2})?")
"""A name: it begins with a capital, has at most three words, and may be numbered at its end (`Player 2`)."""

_GAME: Final = re.compile(
    r"(?:games?|spiel|partie|partida|partita|match|jeu|juego|jogo|gioco|potje|wedstrijd|g|#)\W*\d+|\d{1,2}\.\d{1,2}\.",
    re.IGNORECASE,
)
_NUMBER: Final = re.compile(r"-?\d+(?:[.,]\d+)?(?:\s*[+-]\s*\d+)*")


def score_columns(
    shape: str, rows: Sequence[Mapping[str, Any]], outer: Mapping[str, str], players: Sequence[str] = ()
) -> list[str]:
    """Return the columns that are called like players and hold their scores; none where that is not sure.

    It is where winners are called so. Else, in a sheet that people keep, columns are headed by names, two of them at
    least are filled in nearly every row that has any, and the numbers are neither counted up (times, ids) nor all
    marks from 1 to 5. The keys of a document say what stands there, so none is a player without that. `players` are
    those that somebody has named.
    """
    columns = numeric_columns(rows, outer)
    if players:
        # Somebody says that these are players, whatever they are called.
        return [*players] if {*players} <= {*keys_of(rows)} else []
    winners = set(texts_of(rows, outer["winner"])) if "winner" in outer else set()
    named = [key for key in columns if key in winners]
    if len(named) > 1:
        return [key for key in columns if key in winners or _is_name(key)]
    if shape != "rows":
        return []
    like_players = [key for key, texts in columns.items() if _is_name(key) and not _counts_up(texts)]
    scores = [sum(_is_number(row.get(key)) for key in like_players) for row in rows]
    played = sum(number > 0 for number in scores)  # A row without any is a remark, or a game that was not finished.
    is_table = sum(number > 1 for number in scores) >= TABLE * played and 2 * played >= len(rows)
    marks = all(text in {"1", "2", "3", "4", "5"} for key in like_players for text in columns[key])
    return like_players if len(like_players) > 1 and is_table and not marks else []


def texts_of(rows: Sequence[Mapping[str, Any]], key: str) -> list[str]:
    """Return what stands in a column, without the cells that say nothing."""
    return [str(row[key]) for row in rows if row.get(key) not in (None, "", "-")]


def _is_name(key: str) -> bool:
    """Return whether a column may be headed by the name of a player: no word for something else, and no question."""
    words = plain(key).split()
    return _NAME.fullmatch(key.strip()) is not None and not (NO_NAMES | TOTALS).intersection(words)


def _counts_up(texts: Sequence[str]) -> bool:
    """Return whether numbers are those of rows, ids or times: each greater than the one before."""
    numbers = [float(text) for text in texts if text.isdecimal()]
    return len(numbers) == len(texts) > 3 and all(one < other for one, other in pairwise(numbers))


def is_pad(rows: Sequence[Mapping[str, Any]]) -> bool:
    """Return whether the rows are the categories of one game, and their total, and not games."""
    labels = {plain(str(value)) for row in rows for value in row.values() if isinstance(value, str)}
    return bool(TOTALS & labels)


def tell_games(rows: Sequence[Mapping[str, Any]], outer: Mapping[str, str]) -> bool:
    """Return whether something says that each row is a game and no part of one: a day, a number, how long it took.

    What counts the rows themselves are the rounds of a game rather than how many it had. One row under a heading is not
    a part of anything.
    """
    counts = [str(number) for number in range(1, len(rows) + 1)]
    counting = {name for name in ("rounds", "turns") if texts_of(rows, outer.get(name, "")) == counts}
    told = outer.keys() - SAID_OF_PARTS - counting
    own = len({str(row.get(HEADING, "")) for row in rows}) == len(rows)
    return own or bool(told) or any(plain(key) in NUMBER_HEADINGS for key in keys_of(rows))


def are_games(rows: Sequence[Mapping[str, Any]]) -> bool:
    """Return whether the columns of a turned sheet are games: numbered as such, or days; only then with a sum.

    `1, 2, 3` may be games, and with a sum behind them they may as well be the rounds of one: that is not sure.
    """
    heads = [str(row.get(COLUMN, "")).strip() for row in rows]
    games = [head for head in heads if plain(head) not in TOTALS]
    sure = bool(games) and all(_GAME.fullmatch(each) or FIGURES.fullmatch(each) or plain_day(each) for each in games)
    return len({*games}) == len(games) and (sure or (bool(games) and all(head.isdecimal() for head in heads)))


def numeric_columns(rows: Sequence[Mapping[str, Any]], outer: Mapping[str, str]) -> dict[str, list[str]]:
    """Return what stands in the columns that hold nothing but numbers and say nothing else.

    A row without any number is a remark: `not finished`, below one of the players.
    """
    others = {*outer.values(), HEADING}
    keys = [
        key for key in keys_of(rows) if key not in others and not key.isdigit() and plain(key) not in NUMBER_HEADINGS
    ]
    counted = [row for row in rows if any(_is_number(row.get(key)) for key in keys)]
    texts = {key: texts_of(counted, key) for key in keys}
    return {key: numbers for key, numbers in texts.items() if mostly(_NUMBER, numbers)}


def _is_number(value: Any) -> bool:
    return _NUMBER.fullmatch(str(value).strip()) is not None


def mostly(pattern: re.Pattern[str], texts: Sequence[str]) -> bool:
    """Return whether nearly all texts look so."""
    return bool(texts) and sum(pattern.fullmatch(text.strip()) is not None for text in texts) >= TABLE * len(texts)


def keys_of(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return the keys of some rows, in the order in which they come."""
    return list(dict.fromkeys(key for row in rows for key in row))


def scores_named(outer: Mapping[str, str]) -> str:
    """Return the column that may have the scores of all players, by what the columns mean; empty for none."""
    return outer.get("scores") or outer.get("score", "")


def listed_scores(rows: Sequence[Mapping[str, Any]], key: str, players: Any, winner: str) -> dict[str, Any]:
    """Return the column with the scores of all players of a row, in their order; nothing where that is not sure."""
    for sign, against in _scores_against_winners(rows, key, players, winner):
        if against is None:
            return {"scores": {"column": key, "split": sign}}
    return {}


def _scores_against_winners(
    rows: Sequence[Mapping[str, Any]], key: str, players: Any, winner: str
) -> Iterator[tuple[str, Mapping[str, Any] | None]]:
    """Return each sign that parts the cells of a column into a score for each player of every row where some have won.

    With it the first row whose winner has not the most of all, or the fewest, as those of most other rows; None where
    there is no such row.
    """
    played = [(row, _players_in(row, players)) for row in rows]
    told = [(row, names) for row, names in played if row.get(key) and any(names)]
    for sign in LISTED:
        games = [(row, _by_name(names, str(row[key]).split(sign))) for row, names in told]
        won = [(row, game, who) for row, game in games if (who := str(row.get(winner))) in game]
        if all(game for _, game in games) and won:
            most = [row for row, game, who in won if game[who] != max(game.values())]
            fewest = [row for row, game, who in won if game[who] != min(game.values())]
            against = min(most, fewest, key=len)
            yield sign, against[0] if against else None


def _players_in(row: Mapping[str, Any], players: Any) -> list[str]:
    """Return who played a row: what stands in a column, parted by its signs, or in several columns."""
    if isinstance(players, Mapping):
        between = parting([players["split"]] if isinstance(players["split"], str) else players["split"])
        return between.split(str(row.get(players["column"]) or ""))
    return [str(row[seat]) for seat in players if row.get(seat)] if isinstance(players, list) else []


def marks_of_each(
    rows: Sequence[Mapping[str, Any]], asking: Mapping[str, str], columns: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the columns with a mark of each of the players, by what they ask; `asking` says what each key does.

    It is one column, `3; 2` or `Ann 3; Ben 2` in most of its cells, or one for each of whom they name: `fun Ann`.
    """
    listed: dict[str, Any] = {}
    played = [_names_in(row, columns) for row in rows]
    everybody = {*chain.from_iterable(played)}
    for key, about in asking.items():
        told = [(text, names) for row, names in zip(rows, played, strict=True) if (text := _text(row, key))]
        for sign in LISTED:
            cells = [([part.strip() for part in text.split(sign)], names) for text, names in told]
            marks = [
                named_in(names, parts) or (parts if len(parts) == len(names) > 1 else []) for parts, names in cells
            ]
            asked = scale_of(about, [*filter(None, chain.from_iterable(marks))])
            if 2 * sum(map(bool, marks)) > len(cells) and asked:
                listed.setdefault(asked, {"column": key, "split": sign})
    for about in dict.fromkeys(asking.values()):
        own = [key for key, asks in asking.items() if asks == about and whom_names(key, everybody)]
        asked = scale_of(about, [text for row in rows for key in own if (text := _text(row, key))])
        if own and asked:
            listed[asked] = own
    return listed


def _text(row: Mapping[str, Any], key: str) -> str:
    return str(row.get(key) or "").strip()


def _names_in(row: Mapping[str, Any], columns: Mapping[str, Any]) -> list[str]:
    """Return who played a row of results: whom the columns of players name, or who has a score under the own name."""
    if "score_of" in columns:
        return [name for name in columns["score_of"] if _text(row, name)]
    return [*map(str.strip, _players_in(row, columns.get("players")))]


def left_out(rows: Sequence[Mapping[str, Any]], columns: Mapping[str, Any], key: str) -> str:
    """Return why the column with the scores of all players is not read: a row contradicts who won; else nothing."""
    if not key or "scores" in columns or not isinstance(columns.get("winner"), str):
        return ""
    _, row = next(_scores_against_winners(rows, key, columns.get("players"), columns["winner"]), ("", None))
    shown = ", ".join(map(str, row.values())) if row is not None else ""
    return f"{key} is not read, because at least one row contradicts the winner: {shown}" if shown else ""


def _by_name(names: Sequence[str], texts: Sequence[str]) -> dict[str, float]:
    """Return the scores of the players of a row; nothing where they are not one number for each."""
    listed = in_order_of([*map(str.strip, names)], texts)
    scores = [score for text in listed if (score := score_in(text.strip())) is not None]
    is_for_each = len(scores) == len(texts) == len(names)
    return dict(zip(map(str.strip, names), scores, strict=True)) if is_for_each else {}
