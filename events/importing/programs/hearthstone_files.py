"""The two kinds of files of Hearthstone, line by line or element by element, as the same steps."""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import Final, NamedTuple
from xml.etree import ElementTree as ET

from tabletape.events.importing.maps.documents.records import LONGEST_LINE
from tabletape.events.importing.maps.documents.trees import ForeignError, text_of

CHANNELS: Final = ("GameState", "PowerTaskList")
"""What a log is written by; both say the same, the second later: it is read where the first is missing."""

TAGS: Final[Mapping[str, str]] = {
    "49": "ZONE",
    "50": "CONTROLLER",
    "17": "PLAYSTATE",
    "23": "CURRENT_PLAYER",
    "24": "FIRST_PLAYER",
    "19": "STEP",
}
"""The tags that are read, by the numbers that HSReplay writes for them."""

VALUES: Final[Mapping[str, Mapping[str, str]]] = {
    "ZONE": {"1": "PLAY", "2": "DECK", "3": "HAND"},
    "PLAYSTATE": {"4": "WON", "5": "LOST", "6": "TIED", "8": "CONCEDED"},
    "STEP": {"6": "MAIN_READY"},
}
"""What the numbers mean that stand in HSReplay as the values of these tags."""

PLAY_BLOCK: Final = "7"
"""The number of a block in which a card is played."""

MOST_CREATED: Final = 200
"""How many lines behind the creation of a game are looked at for who plays it."""

KINDS: Final[Mapping[str, str]] = {"23": "BATTLEGROUNDS", "24": "BATTLEGROUNDS"} | {
    str(number): "MERCENARIES" if number < 35 else "BATTLEGROUNDS" for number in range(30, 42)
}
"""The kinds of games that are no duels, by the numbers that HSReplay writes for them."""


class LogStep(NamedTuple):
    """What a line or an element says: `what`, of which `entity`, with a `name` and a `value`.

    `kind` is what the file calls such a line, `seat` is A or B where the line itself says whose the entity is.
    """

    place: int | str
    kind: str
    what: str = ""
    entity: str = ""
    name: str = ""
    value: str = ""
    seat: str = ""


# -- Power.log ---------------------------------------------------------------------------------------------------------

_LINE: Final = re.compile(r"(?:\[Power\] |.{0,4}[A-Z] ([\d:.]{8,20}) )?(\w+)\.(\w+)\(\) - *(.*)")
_READ_CHANNELS: Final = ("DebugPrintPower", "DebugPrintGame")
_NUMBER: Final = re.compile(r"\bid=(\d+) ")
_SEAT: Final = re.compile(r"\bplayer=([12])\]")
_ZONE: Final = re.compile(r"\bzone=(\w+)")
_CARD: Final = re.compile(r"\bcardId=(\w*)")
_LINE_SENTENCES: Final[Mapping[str, re.Pattern[str]]] = {
    "tag": re.compile(r"TAG_CHANGE Entity=(?P<entity>.+?) tag=(?P<name>\w+) value=(?P<value>\w+)"),
    "card": re.compile(r"[A-Z]+_ENTITY - (?:Creating|Updating) (?:ID=|Entity=)?(?P<entity>.+?) CardID=(?P<name>\w*)"),
    "play": re.compile(
        r"(?:BLOCK|ACTION)_START (?:(?:Block|Sub)Type=PLAY Entity=(?P<entity>.+?) (?:EffectCardId|Index)=.*"
        r"|Entity=(?P<older>.+?) (?:Block|Sub)Type=PLAY .*)"
    ),
    "table": re.compile(r"GameEntity EntityID=(?P<entity>\d+)"),
    "player": re.compile(r"Player EntityID=(?P<entity>\d+) PlayerID=(?P<name>\d+)\b.*"),
    "name": re.compile(r"PlayerID=(?P<name>\d+), PlayerName=(?P<value>.+)"),
    "mode": re.compile(r"GameType=(?P<value>\w+)"),
}
"""The lines that are read, by what they say."""

_OWN_TAG: Final = re.compile(r"tag=(\w+) value=(\w+)")
_WORD: Final = re.compile(r"\w+(?: (?:Block|Sub)Type=\w+)?")


def power_log(content: bytes) -> Iterator[LogStep] | None:
    """Return the steps of a `Power.log`; None for another file."""
    if b".DebugPrintPower() -" not in content:
        return None
    try:
        lines = enumerate(text_of(content).splitlines(), 1)
    except ForeignError:
        return None
    said = [(number, _LINE.match(line[:LONGEST_LINE])) for number, line in lines if line.strip()]
    created = {match[2] for _, match in said if match is not None and match[4] == "CREATE_GAME"}
    channel = next((each for each in CHANNELS if each in created), "")
    told = [(number, match) for number, match in said if match is not None and match[2] == channel]
    read = [(number, match[1] or "", match[4]) for number, match in told if match[3] in _READ_CHANNELS]
    return chain(_steps(read), _beside(channel, said))


def _beside(channel: str, said: Sequence[tuple[int, re.Match[str] | None]]) -> Iterator[LogStep]:
    """Return the other lines: those of other channels are skipped, since they say the same or nothing of the game."""
    for number, match in said:
        if match is None:
            yield LogStep(number, "lines of another kind")
        elif match[2] != channel:
            yield LogStep(number, match[2], "skipped")
        elif match[3] not in _READ_CHANNELS:
            yield LogStep(number, match[3])


def _steps(lines: list[tuple[int, str, str]]) -> Iterator[LogStep]:
    """Return the steps of the lines of one channel, each with its number and its time."""
    about = ""
    for at, (number, time, said) in enumerate(lines):
        if said == "CREATE_GAME":
            yield _created(number, time, [each for _, _, each in lines[at + 1 : at + MOST_CREATED]])
        elif own := _OWN_TAG.match(said):
            yield LogStep(number, "tag", "tag", about, own[1], own[2])
        else:
            step = _step(number, said)
            about = step.entity if step.what in {"table", "player", "card"} else about
            yield step


def _created(number: int, time: str, behind: list[str]) -> LogStep:
    """Return the step that begins a game: its players and its time tell it from others, `again` is one that goes on."""
    players = [each for each in behind if each.startswith("Player ")][:2]
    own = behind[: behind.index(players[0])] if players else []
    goes_on = any((tag := _OWN_TAG.match(each)) and tag[1] == "TURN" and tag[2] not in {"0", "1"} for each in own)
    return LogStep(number, "CREATE_GAME", "game", " ".join(players), time, "again" if goes_on else "")


def _step(number: int, said: str) -> LogStep:
    """Return what a line says; a line that is not read has only its kind."""
    word = _WORD.match(said)
    kind = word[0] if word else said[:20]
    for what, pattern in _LINE_SENTENCES.items():
        if match := pattern.fullmatch(said.rstrip()) or (pattern.match(said) if what in {"tag", "card"} else None):
            named = {name: each for name, each in match.groupdict().items() if each is not None}
            entity = named.get("entity") or named.get("older", "")
            inner = _NUMBER.search(entity) if entity.startswith("[") else None
            seat, name, value = _SEAT.search(entity), named.get("name", ""), named.get("value", "")
            if what == "play":
                name, value = (held[1] if (held := each.search(entity)) else "" for each in (_CARD, _ZONE))
            whose = "AB"[int(seat[1] == "2")] if seat else ""
            return LogStep(number, kind, what, inner[1] if inner else entity, name, value, whose)
    return LogStep(number, kind)


# -- HSReplay ----------------------------------------------------------------------------------------------------------


def replay_xml(content: bytes) -> Iterator[LogStep] | None:
    """Return the steps of an HSReplay; None for another file, also for one that declares entities of its own."""
    if b"<HSReplay" not in content[:1000] or b"<!ENTITY" in content:
        return None
    try:
        root = ET.fromstring(content)  # noqa: S314 - entities are refused above
    except ET.ParseError:
        return None
    return (step for game in root.iter("Game") for step in _of_game(game))


def _of_game(game: ET.Element) -> Iterator[LogStep]:
    players = [f"{each.get('playerID')} {each.get('accountLo')}" for each in game.iter("Player")]
    about = ""
    for number, each in enumerate(game.iter()):
        place, kind = f"Game {game.get('ts', '')}, element {number}", each.tag
        entity, card = each.get("id") or each.get("entity") or "", each.get("cardID", "")
        about = entity if kind not in {"Tag", "TagChange", "Block"} and entity else about
        match kind:
            case "Game":
                yield LogStep(place, kind, "game", " ".join(players), game.get("ts", ""))
                yield LogStep(place, kind, "mode", value=KINDS.get(game.get("type", ""), ""))
            case "GameEntity":
                yield LogStep(place, kind, "table", entity)
            case "Player":
                yield LogStep(place, kind, "player", entity, each.get("playerID", ""), each.get("name", ""))
            case "FullEntity" | "ShowEntity" | "ChangeEntity":
                yield LogStep(place, kind, "card", entity, card)
            case "Tag" | "TagChange":
                name = TAGS.get(each.get("tag", ""), each.get("tag", ""))
                value = VALUES.get(name, {}).get(each.get("value", ""), each.get("value", ""))
                yield LogStep(place, kind, "tag", about if kind == "Tag" else entity, name, value)
            case "Block" | "Action" if each.get("type") == PLAY_BLOCK:
                yield LogStep(place, kind, "play", entity)
            case _:
                yield LogStep(place, kind)
