"""Games for other programs: results as BG Stats keeps them, events as process mining reads them (OCEL 2.0)."""

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any, Final

import msgspec

from tabletape.events.log.rows import StoredGame
from tabletape.events.vocabulary import Event, fields_of, tag_of
from tabletape.events.vocabulary.shared import ResultRecorded
from tabletape.projector.datasets.columns import OWN_SCHEMAS
from tabletape.projector.datasets.rows.game_rows import rows_of_game
from tabletape.projector.fold.detail import detail_of
from tabletape.projector.fold.replay import Replay
from tabletape.projector.model.outcome import all_winners

DRAW: Final = "draw"
"""The comment on a play that nobody has won, which the map of BG Stats reads back."""

STEP: Final = timedelta(microseconds=1)
"""By how much an event whose time nobody wrote down stands behind the one before it."""

Played = Iterable[tuple[StoredGame, Replay]]

Games = dict[tuple[str, bool], int]
"""The numbers of the games, by their name and whether they were played together."""

NEVER: Final = datetime(1970, 1, 1, tzinfo=UTC)
"""The time of what was never dated, where a format asks for a time."""


def times_in_order(events: Iterable[Any]) -> list[datetime]:
    """Return a time for each event of a game, as formats ask for it that are read in the order of times.

    An event whose time nobody wrote down stands a millionth of a second behind the one before it, and those before the
    first known time just before that; in a game without any time they begin with 1970.
    """
    written = [event.at if isinstance(event.at, datetime) else None for event in events]
    known = next((number for number, at in enumerate(written) if at is not None), None)
    latest = NEVER - STEP if known is None else (written[known] or NEVER) - (known + 1) * STEP
    times = []
    for at in written:
        latest = at if at is not None else latest + STEP
        times.append(latest)
    return times


def in_json(document: dict[str, Any]) -> bytes:
    """Return a document as JSON that a person can read."""
    return msgspec.json.format(msgspec.json.encode(document), indent=1)


def bgstats(played: Played) -> dict[str, Any]:
    """Return games as an export of BG Stats: plays with players, winner, score, deck as role, minutes where known.

    The edition is the board or variant of the play.

    There a game is cooperative and not a play of it: one that was played both ways stands twice among the games.
    A log in which nobody has made a move is no play.
    BG Stats marks nobody in a draw, nor in a game that all have lost or that went to no end: a comment says which.

    Source of the form: the JSON export of the app BG Stats.
    """
    games: Games = {}
    players: dict[str, int] = {}
    games_played = (each for each in played if detail_of(each[1].events) != "begun")
    plays = [_play(stored, replay, games, players) for stored, replay in games_played]
    return {
        "games": [{"id": number, "name": slug, "cooperative": together} for (slug, together), number in games.items()],
        "players": [{"id": number, "name": name} for name, number in players.items()],
        "plays": plays,
    }


def _play(stored: StoredGame, replay: Replay, games: Games, players: dict[str, int]) -> dict[str, Any]:
    """Return one play; games and players get the next number when they are named first."""
    rows = rows_of_game(replay).rows
    (one,) = (dict(zip(OWN_SCHEMAS["games"].names, row, strict=True)) for row in rows["games"])
    seats = [dict(zip(OWN_SCHEMAS["seats"].names, row, strict=True)) for row in rows["seats"]]
    result = next((each for each in reversed(replay.events) if isinstance(each, ResultRecorded)), None)
    winners = replay.table.winners if result is None else all_winners(result)
    has_teams = any(seat["team"] for seat in seats)
    is_draw = replay.table.over and not winners and one["reason"] != "abandoned" and not one["cooperative"]
    return {
        "uuid": stored.game_id,
        "playDate": one["began"].strftime("%Y-%m-%d %H:%M:%S") if one["began"] else "",
        "durationMin": round(one["minutes"]) if one["minutes"] else 0,
        "rounds": one["rounds"] or 0,
        "comments": DRAW if is_draw else "",
        "board": "" if stored.edition == "unknown" else stored.edition,
        "gameRefId": games.setdefault((stored.game, bool(one["cooperative"])), len(games) + 1),
        "playerScores": [
            {
                "playerRefId": players.setdefault(seat["name"], len(players) + 1),
                "winner": seat["player"] in winners,
                "startPlayer": bool(seat["first"]),
                "role": seat["deck"] or "",
                "score": "" if (score := _score(one, seat)) is None else f"{score:g}",
                "rank": replay.table.outcome.places.get(seat["player"], 0),
            }
            | ({"team": seat["team"] or ""} if has_teams else {})
            for seat in seats
        ],
    } | ({"usesTeams": True} if has_teams else {})


def _score(one: dict[str, Any], seat: dict[str, Any]) -> float | None:
    """Return a player's points: where all play together those of the table."""
    score: float | None = one["score"] if one["cooperative"] and seat["score"] is None else seat["score"]
    return score


def ocel(played: Played) -> dict[str, Any]:
    """Return games as an object-centric event log: events with the game, the player and the cards that they are about.

    Source: OCEL 2.0 specification, JSON form (www.ocel-standard.org).
    """
    objects: dict[str, dict[str, Any]] = {}
    types: dict[str, dict[str, None]] = {}
    events = [each for stored, replay in played for each in _events(stored, replay, objects, types)]
    kinds = {"game": ("game", "edition"), "player": ("name", "deck"), "card": ("card",)}
    return {
        "objectTypes": [{"name": kind, "attributes": _attributes(names)} for kind, names in kinds.items()],
        "eventTypes": [{"name": tag, "attributes": _attributes(names)} for tag, names in types.items()],
        "objects": list(objects.values()),
        "events": events,
    }


def _events(
    stored: StoredGame, replay: Replay, objects: dict[str, dict[str, Any]], types: dict[str, dict[str, None]]
) -> Iterator[dict[str, Any]]:
    """Return the events of one game; the objects that they name and the attributes of their types are noted."""
    match = stored.game_id
    _object(objects, match, "game", {"game": stored.game, "edition": stored.edition})
    for player in stored.players:
        _object(
            objects, f"{match}/{player.id}", "player", {"name": player.name, "deck": player.deck or ""}, match, "of"
        )
    seats = {player.id for player in stored.players}
    for seq, event, at in zip(replay.seqs, replay.events, times_in_order(replay.events), strict=True):
        about = _about(event, seats)
        for name in about["card"]:
            owner = f"{match}/{name.partition(':')[0]}"
            _object(objects, f"{match}/{name}", "card", {"card": name}, owner, "owned by")
        values = {field.encode_name: getattr(event, field.name) for field in fields_of(type(event))}
        attributes = {name: str(value) for name, value in values.items() if isinstance(value, str | int | float)}
        types.setdefault(tag_of(type(event)), {}).update(dict.fromkeys(attributes))
        related = [(match, "game"), *((f"{match}/{name}", kind) for kind in about for name in about[kind])]
        yield {
            "id": f"{match}#{seq}",
            "type": tag_of(type(event)),
            "time": at.isoformat(),
            "attributes": [{"name": name, "value": value} for name, value in attributes.items()],
            "relationships": [{"objectId": name, "qualifier": kind} for name, kind in dict.fromkeys(related)],
        }


def _attributes(names: Iterable[str]) -> list[dict[str, str]]:
    return [{"name": name, "type": "string"} for name in names]


def _object(  # noqa: PLR0913, PLR0917 - an object, and what it belongs to
    objects: dict[str, dict[str, Any]], name: str, kind: str, values: dict[str, str], to: str = "", how: str = ""
) -> None:
    attributes = [{"name": key, "time": NEVER.isoformat(), "value": value} for key, value in values.items()]
    related = [{"objectId": to, "qualifier": how}] if to else []
    objects.setdefault(name, {"id": name, "type": kind, "attributes": attributes, "relationships": related})


def _about(event: Event, players: set[str]) -> dict[str, list[str]]:
    """Return the players and the cards on the table that an event names."""
    named: dict[str, list[str]] = {"player": [], "card": []}
    for value in msgspec.structs.asdict(event).values():
        for each in value if isinstance(value, tuple) else (value,):
            if isinstance(each, str) and each in players:
                named["player"].append(each)
            elif isinstance(each, str) and each.partition(":")[0] in players and ":" in each:
                named["card"].append(each)
    return named
