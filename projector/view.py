"""A replay in words and drawings, for people: what each step was, what it changed, why, and what the table looks like.

The terminal and the browser draw from the same values; nothing here knows about either.
"""

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec
from msgspec import UNSET

from events.names import card_of, is_unseen, owner_of
from events.shared import GameStarted, PlayTakenBack, QuestionRaised
from events.vocabulary import Event, fields_of, tag_of
from projector.fold import Replay, Traced
from projector.game import Area
from projector.rules import Broken, CannotTell, Finding, Rule, Verdict
from projector.table import Card, Change, Player, Table, Zone

EVERYTHING = "*"
"""The viewer who sees all cards that the log names."""


class Why(msgspec.Struct, frozen=True, kw_only=True):
    """A rule that was looked at in a step: `verdict` is `kept`, `broken`, `cannot tell` or `derived`."""

    rule: str
    citation: str
    text: str
    verdict: str
    message: str = ""


class Step(msgspec.Struct, frozen=True, kw_only=True):
    """One step of a replay; `index` counts from 0, `findings` are numbers in the replay's list of findings."""

    index: int
    seq: int
    type: str
    kind: str
    player: str
    text: str
    at: str
    source: str
    round: int
    turn: int
    findings: tuple[int, ...]
    changed: tuple[str, ...]
    why: tuple[Why, ...]


class Frames(msgspec.Struct, frozen=True, kw_only=True):
    """A whole replay for a screen that steps by itself.

    `drawings[viewer]` has an entry for every step: the areas that look different from the step before, by name;
    `order` is the order of the areas' names. `totals` has for every step the numbers of each player.
    """

    game_id: str
    game: str
    title: str
    ruleset: str
    players: dict[str, str]
    result: str
    stopped: str
    steps: tuple[Step, ...]
    findings: tuple[Finding, ...]
    viewers: dict[str, str]
    order: tuple[str, ...]
    drawings: dict[str, tuple[dict[str, Area], ...]]
    totals: tuple[dict[str, dict[str, int]], ...]


def name_in_words(table: Table[Any, Any], value: Any) -> str:
    """Give a value of a log as people say it: the printed name of a card, the name of a player, a plain number."""
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple | list | frozenset):
        return ", ".join(name_in_words(table, each) for each in value) or "nothing"
    if isinstance(value, dict):
        return ", ".join(f"{name_in_words(table, key)} {name_in_words(table, each)}" for key, each in value.items())
    if isinstance(value, msgspec.Struct):
        return name_in_words(table, tuple(msgspec.structs.astuple(value)))
    return _text_in_words(table, str(value))


def _text_in_words(table: Table[Any, Any], value: str) -> str:
    if value in table.players:
        return str(table.players[value].name)
    if is_unseen(value):
        owner = owner_of(value)
        return f"unseen card {value.partition('?')[2]} of {_text_in_words(table, owner)}"
    printed = table.library.get(card_of(value))
    number = value.partition("#")[2]
    if printed is None:
        return value
    return f"{printed.name} {number}" if number else str(printed.name)


def event_in_words(table: Table[Any, Any], event: Event) -> str:
    """Give one line about an event: who, what, with which cards."""
    player = getattr(event, "player", UNSET)
    who = f"{name_in_words(table, player)}: " if player is not UNSET else ""
    what = tag_of(type(event)).replace(".", " ").replace("-", " ")
    details = [
        f"{field.name.rstrip('_').replace('_', ' ')} {name_in_words(table, value)}"
        if isinstance(value, int | None) and not isinstance(value, str)
        else name_in_words(table, value)
        for field, value in _written(event)
        if field.name not in {"player", "game", "edition", "id", "players", "rulings"}
    ]
    return f"{who}{what}" + (f" - {', '.join(details)}" if details else "")


def _written(event: Event) -> Iterator[tuple[msgspec.structs.FieldInfo, Any]]:
    for field in fields_of(type(event)):
        value = getattr(event, field.name)
        if value is not UNSET:
            yield field, value


def zone_in_words(table: Table[Any, Any], zone: Zone) -> str:
    """Give a zone as people say it: `Ann's hand`, `Thunder Shelf`."""
    parts = [part for part in zone.name.replace("/", ":").replace(".", ":").split(":") if part != zone.owner]
    name = " ".join(_text_in_words(table, part).replace("-", " ") for part in parts)
    return f"{_text_in_words(table, zone.owner)}'s {name}" if zone.owner else name


def change_in_words(table: Table[Any, Any], change: Change) -> str:
    """Give one line about a recorded change, or nothing where it means nothing to a person."""
    thing, field, before, after = change
    if field in {"known_to", "is_now"}:
        return ""
    name = _thing_in_words(table, thing)
    if field == "made":
        return f"{name} appears" if after is not None else f"{name} is gone again"
    if field == "zone":
        (old, _), (new, _) = before, after
        return "" if old is new else f"{name}: {zone_in_words(table, old)} to {zone_in_words(table, new)}"
    if field == "face_up":
        return f"{name} is turned face {'up' if after else 'down'}"
    words = field.replace("_", " ")
    if isinstance(after, bool):
        return f"{name}: {words}" if after else f"{name}: no longer {words}"
    return f"{name}: {words} {_plain(table, before)} to {_plain(table, after)}"


def _plain(table: Table[Any, Any], value: Any) -> str:
    return name_in_words(table, value) if value != "" else "none"


def _thing_in_words(table: Table[Any, Any], thing: Any) -> str:
    if isinstance(thing, Card):
        return name_in_words(table, thing.name)
    if isinstance(thing, Player):
        return thing.name
    return zone_in_words(table, thing) if isinstance(thing, Zone) else "Table"


def changes_in_words(replay: Replay, step: int) -> tuple[str, ...]:
    """Give what the event at `step` (from 0) changed, a line each."""
    table = replay.table
    lines = (change_in_words(table, change) for change in replay.changes(step))
    return tuple(dict.fromkeys(line for line in lines if line))


def why(replay: Traced, seq: int) -> tuple[Why, ...]:
    """Give the rules that were looked at for an event and those that the fold carried out after it."""
    looked_at = [_why(rule, verdict) for rule, verdict in replay.verdicts.get(seq, [])]
    for derived in replay.follows.get(seq, []):
        rule = replay.game.by_id[derived.rule]
        message = event_in_words(replay.table, derived.event)
        looked_at.append(Why(rule=rule.id, citation=rule.citation, text=rule.text, verdict="derived", message=message))
    return tuple(looked_at)


def _why(rule: Rule, verdict: Verdict) -> Why:
    if verdict is None:
        return Why(rule=rule.id, citation=rule.citation, text=rule.text, verdict="kept")
    word = "cannot tell" if isinstance(verdict, CannotTell) else "broken"
    message = verdict.message if isinstance(verdict, Broken | CannotTell) else str(verdict)
    return Why(rule=rule.id, citation=rule.citation, text=rule.text, verdict=word, message=message)


def viewers(replay: Replay) -> dict[str, str]:
    """Give whose eyes a replay can be seen through: everything, the public, each player; id to words."""
    players = {player.id: player.name for player in replay.table.players.values()}
    return {EVERYTHING: "Everything", "": "The public", **players}


def areas_of(replay: Replay, table: Table[Any, Any], viewer: str) -> Sequence[Area]:
    """Give the table as it is drawn for a viewer."""
    return replay.game.areas(table, viewer)


def result_in_words(replay: Replay) -> str:
    """Give one line about how the game ended, or that it did not."""
    table = replay.table
    if not table.over:
        return "not finished"
    reason = table.reason.replace("-", " ")
    return f"{name_in_words(table, table.winner)} won ({reason})" if table.winner else f"no winner ({reason})"


def steps_of(replay: Traced) -> tuple[Step, ...]:
    """Give all steps of a replay in words."""
    at_seq: dict[int, list[int]] = {}
    for number, finding in enumerate(replay.findings):
        at_seq.setdefault(finding.seq, []).append(number)
    walked = replay.at(0) if replay.events else replay.table
    steps = []
    for index, event in enumerate(replay.events):
        walked = replay.forward(walked, index)
        steps.append(_step(replay, walked, index, event, at_seq))
    return tuple(steps)


def _step(replay: Traced, table: Table[Any, Any], index: int, event: Event, at_seq: dict[int, list[int]]) -> Step:
    seq = replay.seqs[index]
    player = getattr(event, "player", UNSET)
    return Step(
        index=index,
        seq=seq,
        type=tag_of(type(event)),
        kind=event.CLASS,
        player="" if player is UNSET else player,
        text=event_in_words(replay.table, event),
        at="" if event.at is UNSET else event.at.isoformat(),
        source=replay.game.vocabulary.encode(event).decode(),
        round=table.round,
        turn=table.turn,
        findings=tuple(at_seq.get(seq, ())),
        changed=changes_in_words(replay, index),
        why=why(replay, seq),
    )


def frames(replay: Traced) -> Frames:
    """Give a whole replay for a screen that steps by itself."""
    started = replay.events[0]
    if not isinstance(started, GameStarted):
        raise TypeError("a replay begins with game.started")
    eyes = viewers(replay)
    drawings: dict[str, list[dict[str, Area]]] = {viewer: [] for viewer in eyes}
    drawn: dict[str, dict[str, Area]] = {viewer: {} for viewer in eyes}
    order: dict[str, None] = {}
    totals = []
    table = replay.at(0)
    for index in range(len(replay.events)):
        table = replay.forward(table, index)
        for viewer in eyes:
            new = {area.name: area for area in replay.game.areas(table, viewer)}
            order.update(dict.fromkeys(new))
            drawings[viewer].append({name: area for name, area in new.items() if drawn[viewer].get(name) != area})
            drawn[viewer] = new
        totals.append({player: replay.game.totals(table, player) for player in table.players})
    return Frames(
        game_id=started.id,
        game=replay.game.slug,
        title=replay.game.title,
        ruleset=replay.ruleset.label(replay.game.rulebook),
        players={player.id: player.name for player in replay.table.players.values()},
        result=result_in_words(replay),
        stopped=f"event {replay.stopped.seq}: {replay.stopped.reason}" if replay.stopped else "",
        steps=steps_of(replay),
        findings=tuple(replay.findings),
        viewers=eyes,
        order=tuple(order),
        drawings={viewer: tuple(each) for viewer, each in drawings.items()},
        totals=tuple(totals),
    )


def questions(replay: Replay) -> list[tuple[int, str, str]]:
    """Give the questions and take-backs of a game: number, words, the rule that was named or an empty string."""
    found = []
    for seq, event in zip(replay.seqs, replay.events, strict=True):
        if isinstance(event, QuestionRaised | PlayTakenBack):
            rule = "" if event.rule is UNSET else event.rule
            found.append((seq, event_in_words(replay.table, event), rule))
    return found
