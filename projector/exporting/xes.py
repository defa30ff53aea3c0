"""Games as an event stream for process mining (XES): a trace a game, its events in their order.

Source: IEEE Std 1849, XES, with the extensions Concept, Time and Organizational (www.xes-standard.org).
"""

import re
from collections.abc import Iterable
from datetime import datetime
from typing import Any, Final
from xml.etree import ElementTree as ET

from msgspec import UNSET

from tabletape.events.log.rows import StoredGame
from tabletape.events.vocabulary import fields_of, tag_of
from tabletape.projector.exporting.exports import times_in_order
from tabletape.projector.fold.replay import Replay

EXTENSIONS: Final = (("Concept", "concept"), ("Time", "time"), ("Organizational", "org"))

_NO_XML: Final = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Letters that no XML document may have, not even escaped."""

_TAGS: Final = {bool: "boolean", int: "int", float: "float"}


def xes(played: Iterable[tuple[StoredGame, Replay]]) -> bytes:
    """Return games as XES; where nobody wrote down a time, one in order stands there, and `time:written` is false."""
    root = ET.Element("log", {"xes.version": "1849-2016", "xmlns": "http://www.xes-standard.org/"})
    for name, prefix in EXTENSIONS:
        uri = f"http://www.xes-standard.org/{prefix}.xesext"
        ET.SubElement(root, "extension", {"name": name, "prefix": prefix, "uri": uri})
    for scope in ("trace", "event"):
        _put(ET.SubElement(root, "global", {"scope": scope}), "concept:name", "unknown")
    ET.SubElement(root, "classifier", {"name": "event type", "keys": "concept:name"})
    for stored, replay in played:
        _add_trace(root, stored, replay)
    ET.indent(root, " ")
    return bytes(ET.tostring(root, encoding="utf-8", xml_declaration=True))


def _add_trace(root: ET.Element, stored: StoredGame, replay: Replay) -> None:
    trace = ET.SubElement(root, "trace")
    for key, value in (("concept:name", stored.game_id), ("game", stored.game), ("edition", stored.edition)):
        _put(trace, key, value)
    names = {player.id: player.name for player in stored.players}
    for seq, event, at in zip(replay.seqs, replay.events, times_in_order(replay.events), strict=True):
        element = ET.SubElement(trace, "event")
        _put(element, "concept:name", tag_of(type(event)))
        _put(element, "seq", seq)
        _put(element, "time:timestamp", at)
        if not isinstance(event.at, datetime):
            _put(element, "time:written", value=False)
        player = getattr(event, "player", UNSET)
        if player in names:
            _put(element, "org:resource", names[player])
        for field in fields_of(type(event)):
            _put(element, field.encode_name, getattr(event, field.name))


def _put(parent: ET.Element, key: str, value: Any) -> None:
    """Add an attribute: a text, a number, a time, or a list of such; anything else has no place in XES."""
    if isinstance(value, tuple):
        values = ET.SubElement(ET.SubElement(parent, "list", {"key": key}), "values")
        for each in value:
            _put(values, key, each)
    elif isinstance(value, datetime):
        ET.SubElement(parent, "date", {"key": key, "value": value.isoformat()})
    elif isinstance(value, str | int | float):
        text = _NO_XML.sub("\ufffd", str(value).lower() if isinstance(value, bool) else str(value))
        ET.SubElement(parent, _TAGS.get(type(value), "string"), {"key": key, "value": text})
