"""Games of 18xx.games as the site exports them: a list of actions, some of them undone and done again.

Read is what a player does and the program has not undone, and the end. Which player acts for a corporation its shares
say and no action does, and where a turn ends no action says either: what corporations do is counted, and no turns are.
"""

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Final

from tabletape.events.importing.games.heads import SEATS
from tabletape.events.importing.maps.fates import NOT_READ_FATE, SKIPPED_FATE, LineFate
from tabletape.events.importing.programs import ReadLine, document
from tabletape.events.vocabulary.names import slug_of

TALK: Final = frozenset({"message", "log"})
"""Actions that are no part of the game: what people write, and what the program notes of them."""

UNKNOWN_UNDO: Final = "undo: back to an action that is not there"

BROKEN_OFF: Final = frozenset({"manually_ended", "dnf"})
"""Why games are over that were not played to the end: nobody has won them, whatever their numbers say."""

SAID_OF: Final = frozenset({"type", "entity", "entity_type", "id", "user", "created_at", "original_id", "auto_actions"})
"""The keys of an action that do not say what is done."""


def read(content: bytes) -> Iterator[ReadLine | LineFate] | None:
    """Return the lines of a game, each with its place, and what is not read; None for a file of another kind."""
    game = document(content, b'"entity_type"')
    if game is None or not isinstance(game.get("title"), str):
        return None
    actions, players = game.get("actions"), game.get("players")
    if not isinstance(actions, list) or not isinstance(players, list):
        return None
    seats = {_key(each): seat for seat, each in zip(SEATS, players, strict=False) if _key(each)}
    return _lines(game, seats) if 0 < len(seats) == len(players) else None


def _key(player: Any) -> str:
    """Return what actions and results call a player: a number, or the name where the game was played at one screen."""
    return str(player.get("id", player.get("name", ""))) if isinstance(player, dict) else ""


def _lines(game: Mapping[str, Any], seats: Mapping[str, str]) -> Iterator[ReadLine | LineFate]:
    named = zip(SEATS, game["players"], strict=False)
    players = [{"id": seat, "name": str(each.get("name", ""))} for seat, each in named]
    head = {"type": "game.started", "game": "tabletop", "edition": slug_of(game["title"]) or "unknown"}
    yield "players", {**head, "id": f"18xx-{slug_of(str(game.get('id', ''))) or 'game'}", "players": players}
    counts, begun = Counter[tuple[str, str]](), False
    actions = [each for each in game["actions"] if isinstance(each, dict)]
    counts["no action", NOT_READ_FATE] += len(game["actions"]) - len(actions)
    for number, action in enumerate(standing(actions)):
        if action is None:
            counts["undone", SKIPPED_FATE] += 1
            continue
        at = _time(action)
        for each in (action, *_beside(action)):
            seat, kind = seats.get(str(each.get("entity")), ""), str(each.get("type"))
            if kind in TALK:
                counts[kind, SKIPPED_FATE] += 1
            elif kind == "undo":
                counts[UNKNOWN_UNDO, NOT_READ_FATE] += 1
            elif not seat or each.get("entity_type") != "player" or kind.startswith("program_"):
                counts[f"{each.get('entity_type')}: {kind}", NOT_READ_FATE] += 1
            else:
                if not begun:
                    begun = True
                    yield f"actions[{number}]", {"type": "first-player.chosen", "player": seat, "method": "acts first"}
                what = kind.replace("_", " ")
                line = {"type": "choice.made", "player": seat, "what": what, "choice": _details(each) or what}
                yield f"actions[{number}]", line | at
    yield from _end(game, seats)
    for (kind, fate), lines in (+counts).most_common():
        yield LineFate(lines, kind, fate, 0, kind)


def _beside(action: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Return what the program does by itself after an action."""
    beside = action.get("auto_actions")
    return [each for each in beside if isinstance(each, dict)] if isinstance(beside, list) else []


def standing(actions: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any] | None]:
    """Return the actions with None for those that were undone, and for what undid them.

    An undoing takes back the last action that still stands, or all behind the `action_id` that it names, 0 being the
    beginning; talk stays. It can be done again until there is another action. One that names no action of these is
    left as it is: nothing says what it took back.
    """
    standing_actions: list[Mapping[str, Any] | None] = []
    stand: list[int] = []
    undone: list[list[int]] = []
    places = {"0": -1}
    for place, action in enumerate(actions):
        kind = action.get("type")
        places.setdefault(str(action.get("id")), place)
        back_to = action.get("action_id")
        is_known = back_to is None or str(back_to) in places
        if kind == "undo" and is_known:
            first = max(0, len(stand) - 1) if back_to is None else bisect_right(stand, places[str(back_to)])
            undone.append(stand[first:])
            del stand[first:]
        elif kind == "redo":
            stand += undone.pop() if undone else []
        elif kind not in {"message", "undo"}:
            undone.clear()
            stand.append(place)
        standing_actions.append(action if kind == "message" or (kind == "undo" and not is_known) else None)
    for place in stand:
        standing_actions[place] = actions[place]
    return standing_actions


def _details(action: Mapping[str, Any]) -> str:
    """Return what an action says beside who acts and how: the company and the price, the shares."""
    said = [value for key, value in action.items() if key not in SAID_OF and value not in (None, False, "")]
    texts = [", ".join(map(str, each)) if isinstance(each, list) else str(each) for each in said]
    return " ".join(text for each, text in zip(said, texts, strict=True) if not isinstance(each, dict))


def _time(action: Mapping[str, Any]) -> dict[str, str]:
    """Return when an action was done, in seconds since 1970; nothing where it does not say."""
    at = action.get("created_at")
    if isinstance(at, int) and 0 < at < 1 << 32:
        return {"at": datetime.fromtimestamp(at, UTC).isoformat().replace("+00:00", "Z")}
    return {}


def _end(game: Mapping[str, Any], seats: Mapping[str, str]) -> Iterator[ReadLine]:
    """Return how a finished game ended: the highest of its results has won, several may."""
    result, reason = game.get("result"), str(game.get("game_end_reason") or "finished")
    numbers = result.items() if isinstance(result, dict) else ()
    scores = {seats[who]: score for who, score in numbers if who in seats and isinstance(score, int | float)}
    if game.get("status") != "finished" or len(scores) < len(seats):
        return
    if reason in BROKEN_OFF:
        yield "game_end_reason", {"type": "game.abandoned"}
        return
    won = [seat for seat, score in scores.items() if score == max(scores.values())]
    winner = {"winner": won[0]} if len(won) == 1 else {"winners": won}
    yield "result", {"type": "game.ended", **winner, "scores": scores, "reason": reason.replace("_", " ")}
