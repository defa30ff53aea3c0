"""How the columns of results are called, in seven languages, and which row of a sheet has their names."""

import re
import tomllib
from collections.abc import Mapping, Sequence
from importlib.resources import files
from itertools import islice
from typing import Final, Literal

from rapidfuzz import fuzz

from tabletape.events.importing.lines.words import plain
from tabletape.events.importing.maps.documents.tables import table_rows
from tabletape.events.importing.maps.documents.trees import ForeignError
from tabletape.events.importing.sheets.joined_sheets import SHEET

MIN_LIKENESS: Final = 85
"""A column is taken for what one of these words says if it is at least this similar (rapidfuzz, 0-100)."""

_ANSWER_TIMES: Final = re.compile(
    r"time ?stamp|start time|zeitstempel|horodateur|marca temporal|cronologiche|data hora|tijdstempel", re.IGNORECASE
)
"""How forms call the column with the time at which an answer came."""

LOOKED_AT: Final = 15
"""How many rows are looked at for the one with the headings."""

WORDS: Final[Mapping[str, tuple[str, ...]]] = {
    name: tuple(map(plain, words))
    for name, words in tomllib.loads(
        files("tabletape.events.importing.maps.proposing").joinpath("column_names.toml").read_text(encoding="utf-8")
    ).items()
}
"""How the columns of results are called."""

_TELLING: Final = ("winner", "loser", "won", "players", "first_player")

REFERENCE: Final = re.compile(r"(\w+?)(?:RefId|_ref_id)")

_PLAYER_WORDS: Final = "player|spieler|joueur|jugador|giocatore|jogador|speler"
_SEAT: Final = re.compile(rf"(?:{_PLAYER_WORDS}|p|j|g) ?(\d)")
_POINTS: Final = "score|points|vp|punkte|puntos|punti|pontos|punten"
_DECKS: Final = "|".join(WORDS["deck"])
_SCORE: Final = re.compile(
    rf"(?:{_PLAYER_WORDS}|p|j|g) ?(\d) (?:{_POINTS})|(?:{_POINTS}) (?:(?:{_PLAYER_WORDS}|p|j|g) ?)?(\d)"
)
_DECK: Final = re.compile(
    rf"(?:{_PLAYER_WORDS}|p|j|g) ?(\d) (?:{_DECKS})|(?:{_DECKS}) (?:(?:{_PLAYER_WORDS}|p|j|g) ?)?(\d)"
)
_PLACE: Final = re.compile(
    r"(\d)(?:st|nd|rd|th|er|re|e|\xba|\xaa|o|a)? ?(?:platz|place|rang|puesto|lugar|posto|plaats)|(\d)(?:st|nd|rd|th)"
)
_SIDE: Final = re.compile(r"(?:team|side|mannschaft|seite|equipe|équipe|equipo|squadra|ploeg) ?(\w{1,12})")
_SIDE_SCORE: Final = re.compile(
    rf"(?:{_POINTS}) (?:of )?(?:team|side|mannschaft|seite|equipe|équipe|equipo|squadra|ploeg)? ?(\w{{1,12}})"
    rf"|(?:team|side|mannschaft|seite|equipe|équipe|equipo|squadra|ploeg) ?(\w{{1,12}}) (?:{_POINTS})"
)
_FIGURES: Final = re.compile(r"[\d\s.,:/+-]+")


def named(keys: Sequence[str]) -> dict[str, str]:
    """Return which key says what of a result; when a form was answered says only last when the game was played."""
    by_meaning: dict[str, str] = {}
    pairs = [(likeness(key, words), name, key) for name, words in WORDS.items() for key in keys]
    for like, name, key in sorted(pairs, key=lambda pair: (bool(_ANSWER_TIMES.search(pair[2])), -pair[0])):
        if like >= MIN_LIKENESS and name not in by_meaning and key not in by_meaning.values():
            by_meaning[name] = key
    return by_meaning


def likeness(key: str, words: Sequence[str]) -> float:
    """Return how much a key is like one of some words: `playerName` is `player name`, `playerRefId` is `player`."""
    reference = REFERENCE.fullmatch(key)
    text = plain(reference[1] if reference else re.sub(r"(?<=[a-z])(?=[A-Z])", " ", key))
    return max(fuzz.ratio(text, word) for word in words)


def is_seat(key: str) -> bool:
    """Return whether a column names a player by the seat: `Player 2`, `P2`, `Spieler 2`."""
    return _SEAT.fullmatch(plain(key)) is not None


def seats_in(keys: Sequence[str], what: Literal["score", "deck"] = "score") -> list[tuple[str, str]]:
    """Return the columns that name players by their seats, each with that of the score or deck: `P1` and `P1 score`."""
    of = _SCORE if what == "score" else _DECK
    names = {match[1]: key for key in keys if (match := _SEAT.fullmatch(plain(key)))}
    own = {match[1] or match[2]: key for key in keys if (match := of.fullmatch(plain(key)))}
    return [(names[seat], own[seat]) for seat in names if seat in own] if len(names) == len(own) else []


def sides_in(keys: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return the columns headed by teams (`Team A`, `Mannschaft 2`), and those with the score of each, in its order."""
    scores = {match[1] or match[2]: key for key in keys if (match := _SIDE_SCORE.fullmatch(plain(key)))}
    sides = {match[1]: key for key in keys if key not in scores.values() and (match := _SIDE.fullmatch(plain(key)))}
    return [*sides.values()], [scores[side] for side in sides if side in scores]


def place_in(key: str) -> int:
    """Return the place by which a column is headed, as `2. Platz`; 0 for another one."""
    match = _PLACE.fullmatch(plain(key))
    return int(match[1] or match[2]) if match else 0


def tells_results(headings: Sequence[str]) -> bool:
    """Return whether one of some headings says who played, began or won."""
    return any(likeness(each, WORDS[name]) >= MIN_LIKENESS for name in _TELLING for each in headings)


def heading_row_of(text: str) -> int:
    """Return the row of a sheet that names its columns, where it is plain that the first with several cells does not.

    It is wider than that one and its cells are words, more of them known as headings; 0 where there is no such row.
    """
    rows: list[tuple[int, list[str]]] = []
    above = 0
    try:
        for line, cells in islice(table_rows(text), LOOKED_AT):
            filled = [cell for cell in cells if cell]
            if filled[0].startswith(SHEET):
                if rows:
                    break
                above = line
            elif len(filled) > 1:
                rows.append((line - above, cells[: max(place for place, cell in enumerate(cells, 1) if cell)]))
    except ForeignError:
        return 0
    above = _known_in(rows[0][1]) if rows else 0
    return next((row for row, cells in rows if len(cells) > len(rows[0][1]) and _known_in(cells) > above), 0)


def is_headed(text: str) -> bool:
    """Return whether a text is plainly a sheet: its first row names columns, and the rows below have as many cells."""
    try:
        rows = [row for _, row in islice(table_rows(text), LOOKED_AT)]
    except ForeignError:
        return False
    head, *others = rows or [[]]
    return len(head) > 2 and bool(others) and all(len(row) == len(head) for row in others) and _known_in(head) > 0


def _known_in(cells: Sequence[str]) -> int:
    """Return how many of some cells are known to head columns: none where one is a figure, or stands there twice."""
    cells = [cell for cell in cells if cell]
    if len({*cells}) < len(cells) or any(_FIGURES.fullmatch(cell) for cell in cells):
        return 0
    return sum(any(likeness(cell, words) >= MIN_LIKENESS for words in WORDS.values()) for cell in cells)
