"""The packets of Board Game Arena: what was sent to a table, notification by notification, with its sentence filled in.

They come as the site answers them, as programs save them, or in the page of a replay.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from itertools import groupby
from typing import Any, Final, NamedTuple

from tabletape.events.importing.maps.documents.records import cleaned, filled_in
from tabletape.events.importing.maps.effort import Effort

STATE: Final = "gameStateChange"
"""The notification of who is asked next, and at the end of who has won."""

_WORDS: Final = ("tags", "entities", "blanks")
_COUNT: Final = re.compile(r"[1-9]\d{0,9}", re.ASCII)
_PAGE: Final = re.compile(r"\bg_gamelogs\s*=\s*(?=[{\[])")


class Notice(NamedTuple):
    """A notification: where it stands, its move, its time as a field of a line, whether all at the table were sent it.

    `kind` is what the game or the site calls it, `text` its sentence, `beside` what stands beside that.
    """

    place: str
    move: int
    at: Mapping[str, str]
    is_public: bool
    kind: str
    text: str
    beside: Any

    @property
    def fields(self) -> Mapping[str, Any]:
        """What stands beside the sentence by name; empty where it is a list."""
        return self.beside if isinstance(self.beside, dict) else {}

    @property
    def state(self) -> Mapping[str, Any]:
        """The state into which the table goes; empty where it is no such notification, or one player's alone."""
        return self.fields if self.kind == STATE and self.is_public else {}

    @property
    def result(self) -> Mapping[str, Any]:
        """The result of the game, empty where it says none."""
        inner = self.state.get("args")
        return inner if isinstance(inner, dict) and isinstance(inner.get("result"), list) else {}

    @property
    def who(self) -> str:
        """The id of the player whom it is about, empty where it says none."""
        return str(self.fields.get("player_id") or self.fields.get("playerId") or "")

    @property
    def name(self) -> str:
        """The name of the player whom it is about, empty where it says none."""
        return plain(self.fields.get("player_name"))


def plain(text: Any) -> str:
    """Return a text of the site without its tags; empty for what is none."""
    return cleaned(text, _WORDS).strip() if isinstance(text, str) else ""


def tables(content: bytes) -> tuple[Mapping[str, Sequence[Notice]], Mapping[str, str]] | None:
    """Return what was sent to each table of a file, by its id, and the players that the file lists, id → name.

    None for a file of another kind.
    """
    document = _document(content)
    packets = _packets(document)
    effort = Effort()
    sent = [notice for place, packet in packets for notice in _notices(place, packet, effort)]
    if not sent:
        return None
    tables_of = {place: str(packet.get("table_id") or "") for place, packet in packets}
    by_table: dict[str, list[Notice]] = {}
    for place, notices in groupby(sent, key=lambda each: each.place):
        by_table.setdefault(tables_of[place], []).extend(notices)
    return by_table, dict(_listed(document))


def _document(content: bytes) -> Any:
    """Return the JSON that a file is, or that stands in the page of a replay; None for any other file."""
    if b'"move_id"' not in content:
        return None
    text = content.decode("utf-8", errors="replace").lstrip("\ufeff \t\r\n")
    page = _PAGE.search(text) if text.startswith("<") else None
    try:
        return json.JSONDecoder().raw_decode(text, page.end() if page is not None else 0)[0]
    except (ValueError, RecursionError):
        return None


def _packets(document: Any) -> list[tuple[str, Mapping[str, Any]]]:
    """Return the packets of a document with their places, wherever the program that saved it has put them."""
    path = ""
    while isinstance(document, dict):
        key = next((key for key in ("logs", "packets", "data") if key in document), "")
        path, document = f"{path}.{key}" if path else key, document.get(key)
    rows = document if isinstance(document, list) else []
    return [(f"{path}[{n}]", each) for n, each in enumerate(rows) if isinstance(each, dict) and "move_id" in each]


def _notices(place: str, packet: Mapping[str, Any], effort: Effort) -> Iterator[Notice]:
    """Return the notifications of a packet.

    What the others at the table are told of something that one player sees has its sentence within what stands beside.
    """
    data, time, move = packet.get("data"), str(packet.get("time")), str(packet.get("move_id"))
    at = {}
    if _COUNT.fullmatch(time) and int(time) < 1 << 32:
        at["at"] = datetime.fromtimestamp(int(time), UTC).isoformat().replace("+00:00", "Z")
    is_public = not str(packet.get("channel", "")).startswith("/player")
    for each in data if isinstance(data, list) else ():
        if isinstance(each, dict) and isinstance(each.get("type"), str):
            effort.begin_line()
            beside = each.get("args")
            sentence = each.get("log") or (beside.get("log") if isinstance(beside, dict) else "")
            text = plain(filled_in(sentence, beside, effort)) if isinstance(sentence, str) else ""
            yield Notice(place, int(move) if _COUNT.fullmatch(move) else 0, at, is_public, each["type"], text, beside)


def _listed(document: Any) -> Iterator[tuple[str, str]]:
    """Return the players whom a document lists beside its packets, each with the name."""
    while isinstance(document, dict) and "players" not in document:
        document = document.get("data")
    players = document.get("players") if isinstance(document, dict) else None
    rows: Iterable[Any] = enumerate(players) if isinstance(players, list) else ()
    for key, player in players.items() if isinstance(players, dict) else rows:
        if isinstance(player, dict):
            yield str(player.get("id", key)), plain(player.get("name"))
        else:
            yield str(key), plain(player)
