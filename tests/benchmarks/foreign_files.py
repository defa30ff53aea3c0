"""How well maps and readers read folders of public files: `python -m tests.benchmarks.foreign_files FOLDER…`.

Right is what another reading finds too, which knows no map: by the buttons of DuelingBook, by the headings of turns and
the last line of a log, by the tags of Hearthstone and the results of 18xx.games. What neither can tell (a name that the
program left out) is not said, and not right.
"""

import json
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple
from xml.etree import ElementTree as ET

from tabletape.events.importing.maps.documents.trees import ForeignError
from tabletape.events.importing.maps.fates import SKIPPED_FATE, LineFate
from tabletape.events.importing.maps.finding import fitting_map
from tabletape.events.importing.maps.map import map_name
from tabletape.events.importing.maps.proposing.preview import preview
from tabletape.events.importing.programs import shipped_readers


class Course(NamedTuple):
    """Who began, how many turns there were, who won; nothing of what is not said. `game` is what the file calls it."""

    began: str
    turns: int
    won: str
    game: str = ""


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
    """Return the games of a log of The Crucible, or of its events, by their key phases, one in each turn."""
    if text.lstrip().startswith("["):
        rows = json.loads(text)
        for events in [game["events"] for game in rows if "events" in game] or [rows]:
            yield from crucible("\n".join(_spoken(event["message"]) for event in events if "message" in event))
        return
    phases = re.findall(r"^Key phase - (.+?)\s*$", text, re.MULTILINE)
    won = re.findall(r"^\s*(.+) has won the game", text, re.MULTILINE)
    yield Course(phases[0] if phases else "", len(phases), won[-1] if won else "")


def tcg_live(text: str) -> Iterator[Course]:
    """Return the game of a log of PTCG Live by the headings of its turns and its last line."""
    turns = re.findall(
        r"^(?:Turn # ?\d+ - )?(?:(?:Zug von|Turno d[ei]|Tour de) (.+)|(.+)['\u2019]s Turn)\s*$", text, re.MULTILINE
    )
    players = [one or other for one, other in turns]
    won = re.search(r"(\w+) (?:wins|hat gewonnen|gan\u00f3|venceu|ha vinto|gagne)\.?\s*\Z", text)
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


def power_log(text: str) -> Iterator[Course]:
    """Return the games of a `Power.log` by the tags of its first channel; a number of a player says nobody."""
    lines = [
        found.groups()
        for line in text.splitlines()
        if (found := re.match(r".{0,40}?(GameState|PowerTaskList)\.DebugPrintPower\(\) - *(.*)", line))
    ]
    created = [channel for channel, said in lines if said.strip() == "CREATE_GAME"]
    channel = "GameState" if "GameState" in created else "PowerTaskList"
    games = "\n".join(said for each, said in lines if each == channel).split("CREATE_GAME")[1:]
    again = [bool(re.search(r"tag=TURN value=(?!1\b)\d", each.partition("Player EntityID")[0])) for each in games]
    for game in _joined(games, again):
        won = re.findall(r"TAG_CHANGE Entity=(\D.*?) tag=PLAYSTATE value=WON", game)
        order = re.findall(r"TAG_CHANGE Entity=(\D.*?) tag=CURRENT_PLAYER value=([01])", game)
        first = re.findall(r"TAG_CHANGE Entity=(\D.*?) tag=FIRST_PLAYER value=1", game)
        # Without a name beside it: who is first to lose the turn has had it.
        entered = re.search(r"tag=TURN value=(?!1\b)\d", game.partition("Player EntityID")[0])
        began = first[0] if first else next((name for name, value in order if value == "0" and not entered), "")
        turns = len(re.findall(r"TAG_CHANGE Entity=(?:GameEntity|1) tag=STEP value=MAIN_READY", game))
        yield Course(began, turns, " and ".join(dict.fromkeys(won)))


def _joined(games: Sequence[str], again: Sequence[bool]) -> list[str]:
    """Return games, with each that goes on after a lost connection joined to the one before it."""
    found: list[str] = []
    for game, goes_on in zip(games, again, strict=True):
        if goes_on and found and not re.search("PLAYSTATE value=(?:WON|LOST|CONCEDED)", found[-1]):
            found[-1] += game
        else:
            found.append(game)
    return found


def hsreplay(text: str) -> Iterator[Course]:
    """Return the games of an HSReplay by the numbers of its tags."""
    for game in ET.fromstring(text).iter("Game"):  # noqa: S314 - a file that somebody has put there
        seats = {each.get("id"): f"Player {'AB'[each.get('playerID') == '2']}" for each in game.iter("Player")}
        names = {each.get("id"): each.get("name") or seats[each.get("id")] for each in game.iter("Player")}
        changes = [each.attrib for each in game.iter("TagChange")]
        for player in game.iter("Player"):
            changes += [{"entity": player.get("id", ""), **tag.attrib} for tag in player.iter("Tag")]
        said = [(each["entity"], each["tag"], each["value"]) for each in changes]
        first = [names[who] for who, *rest in said if rest == ["24", "1"] and who in names]
        won = [names[who] for who, *rest in said if rest == ["17", "4"] and who in names]
        yield Course(first[0] if first else "", sum(rest == ["19", "6"] for _, *rest in said), " and ".join(won))


def eighteen_xx(text: str) -> Iterator[Course]:
    """Return a game of 18xx.games by its results, and by the first action of a player; a turn has no sign there."""
    game = json.loads(text)
    names = {str(each.get("id", each["name"])): each["name"] for each in game["players"]}
    acts = [str(each["entity"]) for each in game["actions"] if each["type"] not in {"message", "undo", "redo", "log"}]
    began = next((names[who] for who in acts if who in names), "")
    best = max(game["result"].values())
    won = "" if game["game_end_reason"] in {"manually_ended", "dnf"} else best
    yield Course(began, 0, " and ".join(name for who, name in names.items() if game["result"][who] == won))


def isotropic(text: str) -> Iterator[Course]:
    """Return the game of a page of isotropic.org by the headings of its turns and its title."""
    plain = re.sub(r"<[^<>]*>", "", text.replace("</title>", "\n").replace("&mdash;", "---"))
    turns = re.findall(r"^\s*--- (.+)'s (?:extra )?turn\b.*---\s*$", plain, re.MULTILINE)
    won = re.search(r"^(.+) wins!$", plain, re.MULTILINE)
    yield Course(turns[0], len(turns), won[1] if won else "")


def councilroom(text: str) -> Iterator[Course]:
    """Return the games of a list of CouncilRoom, or the only one, by their points for winning."""
    games = json.loads(text)
    for game in games if isinstance(games, list) else [games]:
        first = next(deck["name"] for deck in game["decks"] if deck["order"] == 1)
        won = [deck["name"] for deck in game["decks"] if deck["win_points"] > 0]
        yield Course(first, 0, " and ".join(won))


def bg_stats(text: str) -> Iterator[Course]:
    """Return the plays of an export of BG Stats that count, by the marks of their players; turns it does not know."""
    export = json.loads(text)
    names = {each["id"]: " ".join(each["name"].split()) for each in export["players"]}
    together = {each["id"] for each in export["games"] if each.get("cooperative")}
    for play in export["plays"]:
        seats = play["playerScores"]
        said = any(seat.get("winner") or seat.get("score") for seat in seats) or play["gameRefId"] in together
        if said and not play.get("ignored"):
            called = [names[seat["playerRefId"]] for seat in seats]
            called = [
                name if called.count(name) == 1 else f"{name} {called[: place + 1].count(name)}"
                for place, name in enumerate(called)
            ]
            began = [name for name, seat in zip(called, seats, strict=True) if seat.get("startPlayer")]
            won = " and ".join(name for name, seat in zip(called, seats, strict=True) if seat.get("winner"))
            yield Course(began[0] if len(began) == 1 else "", 0, won, play["uuid"].lower())


def boardgamegeek(text: str) -> Iterator[Course]:
    """Return the plays of a page of BoardGameGeek that count, by the marks of their players."""
    for play in ET.fromstring(text).iter("play"):  # noqa: S314 - a file that somebody has put there
        seats = [each.attrib for each in play.iter("player")]
        if seats and "1" not in {play.get("nowinstats"), play.get("incomplete")}:
            names = [each.get("name") or each.get("username", "") for each in seats]
            began = [name for name, seat in zip(names, seats, strict=True) if seat.get("startposition") == "1"]
            won = [name for name, seat in zip(names, seats, strict=True) if seat.get("win") == "1"]
            yield Course(began[0] if len(began) == 1 else "", 0, " and ".join(won), play.get("id", ""))


def star_realms(text: str) -> Iterator[Course]:
    """Return the game of a log of Star Realms by the ends of its turns, the last of which the winner does not end."""
    plain = re.sub(r"<[^<>]*>", "", text)
    ended = re.findall(r"^(.+) ends turn \d+", plain, re.MULTILINE)
    won = re.findall(r"=== (.+) has won the game", plain)
    yield Course(ended[0], len(ended) + 1, won[-1] if won else "")


def showdown(text: str) -> Iterator[Course]:
    """Return the battle of a replay of Showdown by its last line; all choose at once, in rounds that nobody begins."""
    won = re.search(r"^\|win\|(.+)$", text, re.MULTILINE)
    yield Course("", len(re.findall(r"^\|turn\|", text, re.MULTILINE)), won[1].strip() if won else "")


def board_game_arena(text: str) -> Iterator[Course]:
    """Return the game of a replay by what the games say themselves: who plays first, the turns that they count.

    Ark Nova has both among its statistics, Gaia Project an order of play and a state before each turn, Innovation says
    who plays first, and who rolls the dice first has begun. Who has won has the highest score.
    """
    packets = json.loads(text)
    while isinstance(packets, dict):
        packets = packets.get("logs", packets.get("packets", packets.get("data")))
    notes = [note for packet in packets for note in packet["data"] if isinstance(note["args"], Mapping)]
    inner = [note["args"].get("args") for note in notes if note["type"] == "gameStateChange"]
    results = [row for each in inner if isinstance(each, Mapping) for row in each.get("result", ())]
    names = {str(note["args"].get("player_id", note["args"].get("playerId"))): note["args"] for note in notes}
    began = [row["name"] for row in results if row["stats"].get("11") == "1"] if '"chooseActionCard"' in text else []
    began += [note["args"]["player_name"] for note in notes if note["type"] == "rollingDice"]
    began += [note["args"]["player_name"] for note in notes if "he plays first" in str(note["args"].get("log"))]
    order = [note["args"]["playerList"][0] for note in notes if note["type"] == "notifyPlayerOrder"]
    began += [names[str(who)]["player_name"] for who in order]
    states = [note["args"].get("id") for note in notes if note["type"] == "gameStateChange"]
    turns = sum(pair == (20, 21) for pair in pairwise(states)) if order else 0
    turns += sum(int(row["stats"].get("12", 0)) for row in results) if '"chooseActionCard"' in text else 0
    best = max((float(row["score"]) for row in results), default=0)
    won = [row["name"] for row in results if float(row["score"]) == best]
    yield Course(began[0] if began else "", turns, won[0] if len(won) == 1 else "")


def _spoken(message: Any) -> str:
    """Return what a message in pieces says."""
    if isinstance(message, list):
        return "".join(map(_spoken, message))
    if isinstance(message, Mapping):
        return str(message.get("label") or message.get("name") or _spoken(message.get("alert", message.get("message"))))
    return str(message)


def _other(names: list[str], name: str) -> str:
    return next(each for each in names if each != name) if name in names else ""


COURSES: Mapping[str, Callable[[str], Iterator[Course]]] = {
    "duelingbook": duels,
    "keyforge-crucible": crucible,
    "hanabi-live": hanabi,
    "ptcgo": tcg_online,
    **{f"ptcg-live{language}": tcg_live for language in ("", "-de", "-es", "-fr", "-it", "-pt")},
    "hearthstone": lambda text: (hsreplay if "<HSReplay" in text[:1000] else power_log)(text),
    "eighteen-xx": eighteen_xx,
    "dominion-isotropic": isotropic,
    "dominion-councilroom": councilroom,
    "pokemon-showdown": showdown,
    "boardgamegeek": boardgamegeek,
    "star-realms": star_realms,
    "bg-stats": bg_stats,
    "board-game-arena": board_game_arena,
}
"""The other reading of a file, by the map or the reader that reads it."""


class Reading(NamedTuple):
    """What becomes of a file: its games and lines, and the games as another reading finds them, if there is one."""

    games: Sequence[Course]
    courses: Sequence[Course]
    lines: int
    passed_over: int
    unread: int
    left_over: int


def read(folder: Path) -> tuple[list[Reading], list[str]]:
    """Return what becomes of each file of a folder, and the names of those of which no game is read."""
    found, refused = [], []
    for file in sorted(folder.iterdir()):
        try:
            reading = by_reader(file.read_bytes()) or by_map(file)
        except ForeignError:
            reading = None  # A reader knows it, and says that it holds no game.
        if reading is None or not reading.games:
            refused.append(file.name)
        else:
            found.append(reading)
    return found, refused


def by_map(file: Path) -> Reading | None:
    """Return what the map that fits a file makes of it, None where none does."""
    content = file.read_bytes()
    used = fitting_map(file, content, None)
    if used is None:
        return None
    found = preview(used, content, None, file.stem)
    courses = _courses(map_name(Path(used.name)), content)
    counts = found.lines, found.passed_over, found.unread, found.left_over
    return Reading([*map(said, found.games)], courses, *counts)


def by_reader(content: bytes) -> Reading | None:
    """Return what the reader that knows a file makes of it, None where none does."""
    for name, reader in shipped_readers().items():
        lines = reader(content)
        if lines is not None:
            found = [*lines]
            fates = [each for each in found if isinstance(each, LineFate)]
            games: list[list[Mapping[str, Any]]] = []
            for each in found:
                if not isinstance(each, LineFate):
                    games += [[]] if each[1]["type"] == "game.started" else []
                    games[-1].append(each[1])
            skipped = sum(each.lines for each in fates if each.fate == SKIPPED_FATE)
            unread = sum(each.lines for each in fates) - skipped
            told = sum(map(len, games)) + skipped + unread
            return Reading([*map(course, games)], _courses(name, content), told, skipped, unread, 0)
    return None


def _courses(name: str, content: bytes) -> list[Course]:
    return [*COURSES[name](content.decode("utf-8", errors="replace"))] if name in COURSES else []


def course(game: Sequence[Mapping[str, Any]]) -> Course:
    """Return the course of a game whose lines a reader has read."""
    names = {seat["id"]: seat["name"] for seat in game[0]["players"]}
    began = [names[line["player"]] for line in game if line["type"] == "first-player.chosen"]
    ended = [line for line in game if line["type"] == "game.ended"]
    won = [names[who] for line in ended for who in line.get("winners", [line.get("winner")]) if who]
    return Course(began[0] if began else "", sum(line["type"] == "turn.started" for line in game), " and ".join(won))


def said(game: str) -> Course:
    """Return the course of a game as a preview tells it in words."""
    began, turns, won = (
        re.search(pattern, game)
        for pattern in (r"; (.+?) began[;,]", r"; (\d+) (?:turns?|rounds?)\b", r"; ([^;]+) won;")
    )
    called = game.partition(":")[0]
    return Course(began[1] if began else "", int(turns[1]) if turns else 0, won[1] if won else "", called)


def right(readings: Sequence[Reading]) -> dict[str, str]:
    """Return in how many games beginner, turns and winner are what another reading finds, of those where it does."""
    pairs = [pair for each in readings for pair in _pairs(each)]
    told = {}
    for name in ("began", "turns", "won"):
        known = [(getattr(game, name), getattr(course, name)) for game, course in pairs if getattr(course, name)]
        told[name] = f"{sum(one == other for one, other in known)} of {len(known)}" if known else "-"
    return told


def _pairs(reading: Reading) -> list[tuple[Course, Course]]:
    """Return each game with what the other reading finds of it: by its name, if it has one, else in its order."""
    named = {each.game: each for each in reading.courses if each.game}
    if named:
        return [(game, named[game.game]) for game in reading.games if game.game in named]
    return [*zip(reading.games, reading.courses, strict=False)]


def row(folder: Path) -> str:
    """Return the line of the table in docs/how-to/bring-any-log.md for a folder."""
    found, refused = read(folder)
    games = sum(len(each.games) for each in found)
    lines, skipped = sum(each.lines for each in found), sum(each.passed_over for each in found)
    unread, left = sum(each.unread for each in found), sum(each.left_over for each in found)
    understood = f"{100 * (1 - (unread + left) / (lines - skipped)):.1f} %" if lines > skipped else "-"
    taken = f"{len(found)} of {len(found) + len(refused)} files"
    told = ", ".join(right(found).values())
    counts = f"{lines:,}, {skipped:,} | {unread:,}, {left:,}" if lines else "- | -"
    named = f"\n  not taken: {', '.join(refused)}" if refused else ""
    return f"| {folder.name}, {taken} | {games} | {told} | {counts} | {understood} |{named}"


if __name__ == "__main__":
    for name in sys.argv[1:]:
        sys.stdout.write(f"{row(Path(name))}\n")
