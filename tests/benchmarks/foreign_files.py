"""How well the shipped maps read folders of public files: `python -m tests.benchmarks.foreign_files FOLDER…`.

Right is what another reading finds too, which knows no map: by the buttons of DuelingBook, by the headings of turns and
the last line of a log. What neither can tell (a name that the program left out) is not said, and not right.
"""

import json
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from tabletape.events.importing.maps.finding import fitting_map
from tabletape.events.importing.maps.map import map_name
from tabletape.events.importing.maps.proposing.preview import Preview, preview


class Course(NamedTuple):
    """Who began, how many turns there were, who won; nothing of what is not said."""

    began: str
    turns: int
    won: str


def duels(text: str) -> Iterator[Course]:
    """Return the duels of a replay by the buttons that were pressed: each begins with the choice of who goes first."""
    document = json.loads(text)
    names = [document[seat]["username"] for seat in ("player1", "player2")]
    first, turns, lost = "", 0, ""
    for play in (*document["plays"], {"play": "Pick first"}):
        logs = play.get("log") or {}
        log = logs[0] if isinstance(logs, list) else logs
        who, said = log.get("username", ""), log.get("public_log", "")
        if play["play"] == "Pick first":
            if first:
                yield Course(first, turns, _other(names, lost))
            first, turns, lost = who if said.endswith("first") else _other(names, who), 1, ""
        elif play["play"] == "Start turn" and not lost:
            turns += 1
        elif play["play"] in {"Admit defeat", "Quit duel"}:
            lost = lost or who


def crucible(text: str) -> Iterator[Course]:
    """Return the game of a log of The Crucible by its key phases, one in each turn."""
    phases = re.findall(r"^Key phase - (.+?)\s*$", text, re.MULTILINE)
    won = re.findall(r"^\s*(.+) has won the game", text, re.MULTILINE)
    yield Course(phases[0] if phases else "", len(phases), won[-1] if won else "")


def tcg_live(text: str) -> Iterator[Course]:
    """Return the game of a log of PTCG Live by the headings of its turns and its last line."""
    turns = re.findall(
        r"^(?:Turn # ?\d+ - )?(?:(?:Zug von|Turno d[ei]|Tour de) (.+)|(.+)['\u2019]s Turn)\s*$", text, re.MULTILINE
    )
    players = [one or other for one, other in turns]
    won = re.search(r"(\w+) (?:wins|hat gewonnen|gan\u00f3|venceu|ha vinto|a gagn\u00e9)\.?\s*\Z", text)
    began = "" if not players or "[" in players[0] else players[0]
    yield Course(began, len(players), won[1] if won else "")


def tcg_online(text: str) -> Iterator[Course]:
    """Return the game of a log of PTCGO by its numbered turns and its last line; P1 is who saved it."""
    players = re.findall(r"\d+\. It is now (.+)'s turn \(Turn", text)
    last = re.findall(r"\d+\. (You(?:r opponent)?\b.*)$", text, re.MULTILINE)[-1]
    yield Course(
        players[0], len(players), _other([*dict.fromkeys(players)], "P1") if last.startswith("You con") else "P1"
    )


def hanabi(text: str) -> Iterator[Course]:
    """Return the game of an export of Hanabi Live: who begins, and how many actions there are, each of them a turn."""
    game = json.loads(text)
    turns = [each for each in game["actions"] if each["type"] < 4]
    yield Course(game["players"][game.get("options", {}).get("startingPlayer", 0)], len(turns), "")


def _other(names: list[str], name: str) -> str:
    return next(each for each in names if each != name) if name in names else ""


COURSES: Mapping[str, Callable[[str], Iterator[Course]]] = {
    "duelingbook": duels,
    "keyforge-crucible": crucible,
    "hanabi-live": hanabi,
    "ptcgo": tcg_online,
    **{f"ptcg-live{language}": tcg_live for language in ("", "-de", "-es", "-fr", "-it", "-pt")},
}
"""The other reading of a file, by the map that reads it."""


class Reading(NamedTuple):
    """What becomes of a file, and the games of it as another reading finds them, none where there is none."""

    found: Preview
    courses: tuple[Course, ...]


def read(folder: Path) -> tuple[list[Reading], list[str]]:
    """Return what becomes of each file of a folder, and the names of those that no map fits."""
    found, refused = [], []
    for file in sorted(folder.iterdir()):
        content = file.read_bytes()
        used = fitting_map(file, content, None)
        if used is None:
            refused.append(file.name)
        else:
            other = COURSES.get(map_name(Path(used.name)))
            courses = tuple(other(content.decode("utf-8", errors="replace"))) if other else ()
            found.append(Reading(preview(used, content, None, file.stem), courses))
    return found, refused


def said(game: str) -> Course:
    """Return the course of a game as a preview tells it in words."""
    began, turns, won = (
        re.search(pattern, game) for pattern in (r"; (.+?) began[;,]", r"; (\d+) turns?\b", r"; ([^;]+) won;")
    )
    return Course(began[1] if began else "", int(turns[1]) if turns else 0, won[1] if won else "")


def right(readings: list[Reading]) -> dict[str, int]:
    """Return in how many games beginner, turns and winner are what another reading finds, which has to find them."""
    counts = dict.fromkeys(Course._fields, 0)
    for each in readings:
        for game, course in zip(map(said, each.found.games), each.courses, strict=False):
            for name in counts:
                counts[name] += bool(getattr(course, name)) and getattr(game, name) == getattr(course, name)
    return counts


def row(folder: Path) -> str:
    """Return the line of the table in docs/how-to/bring-any-log.md for a folder."""
    found, refused = read(folder)
    games = sum(len(each.found.games) for each in found)
    counts = right(found) if any(each.courses for each in found) else {}
    total: dict[str, Any] = {
        name: sum(getattr(each.found, name) for each in found)
        for name in ("lines", "passed_over", "unread", "left_over")
    }
    understood = 100 * (1 - (total["unread"] + total["left_over"]) / max(total["lines"] - total["passed_over"], 1))
    lines = f"{total['lines']:,}, {total['passed_over']:,} | {total['unread']:,}, {total['left_over']:,}"
    told = ", ".join(map(str, counts.values())) or "-"
    taken = f"{len(found)} of {len(found) + len(refused)} files"
    return f"| {folder.name}, {taken} | {games} | {told} | {lines} | {understood:.1f} % |"


if __name__ == "__main__":
    for name in sys.argv[1:]:
        sys.stdout.write(f"{row(Path(name))}\n")
