"""Replays of Board Game Arena: each game has sentences of its own, but the frame around them is the same in all.

Read are the sentences that the whole table was told, whose turn it is, and the result. The first sentence of a move,
about a player who was asked, is what that player has chosen; the others are what followed, as notes. What a sentence
means for cards and points the frame does not say. Nor does it say whether somebody who is asked again has another turn
or goes on with the same one: turns are left open where both may be.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from typing import Any, Final

from tabletape.events.importing.games.heads import SEATS
from tabletape.events.importing.maps.documents.trees import ForeignError
from tabletape.events.importing.maps.fates import NOT_READ_FATE, SKIPPED_FATE, LineFate
from tabletape.events.importing.programs import ReadLine
from tabletape.events.importing.programs.board_game_arena_packets import STATE, Notice, tables
from tabletape.events.vocabulary.names import slug_of

WHO_IS_ASKED: Final = "gameStateMultipleActiveUpdate"

FRAME: Final = frozenset({STATE, WHO_IS_ASKED, "updateReflexionTime", "chatmessage"})
"""Notifications that tell nothing of the game: its states, whose time runs, what people write."""

SPECTATOR: Final = "_spectator"
"""How a game names what the others at the table see of something that one player is told otherwise."""

CONCESSION: Final = "playerConcedeGame"

OVER: Final = "End of game"
"""How the last sentence of the site begins; who has won stands behind it, or `TIE`."""

TIE: Final = "(tie)"

MOST_UNDONE: Final = 30
"""The most moves in a row that are taken for undone where they are not there; of more of them the file was cut."""

RANKS: Final = frozenset(map(str, range(1, len(SEATS) + 1)))
"""The ranks of a result, in digits."""

TURNS_ARE_OPEN: Final = (
    "where turns begin is left open: whoever has just been asked is asked again in the same way as the next player is,"
    " for another turn or for more of the same one; only the rules of the game say which"
)

OPEN_TURN: Final = f"{STATE}, another turn or more of the same one"
"""What is not read where turns are left open."""

_CAPITAL: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


def read(content: bytes) -> Iterator[ReadLine | LineFate] | None:
    """Return the lines of the games of a replay, and what is not read; None for a file of another kind.

    Raises `ForeignError` for packets without a sentence and a result, or of which nobody can say who plays.
    """
    found = tables(content)
    if found is None:
        return None
    by_table, listed = found
    games = []
    for table, notices in by_table.items():
        players = _players(notices, listed if len(by_table) == 1 else {})
        if not 0 < len(players) <= len(SEATS):
            raise ForeignError(f"its packets name {len(players)} players: of 1 to {len(SEATS)} they can be read")
        if not any(each.result or (each.text and each.is_public) for each in notices):
            raise ForeignError("its packets hold no sentence that the table was told, and no result")
        games.append(_Game(f"bga-{slug_of(table) or sha256(content).hexdigest()[:8]}", players, notices))
    return (line for game in games for line in game.lines())


def _players(notices: Sequence[Notice], listed: Mapping[str, str]) -> dict[str, str]:
    """Return who plays, id → name: who is listed, whose time runs or who has a result; else whom sentences name."""
    at_table, names = dict.fromkeys(listed), {who: name for who, name in listed.items() if name}
    for each in notices:
        if each.who and each.name:
            names.setdefault(each.who, each.name)
        time = each.state.get("reflexion")
        total = time.get("total") if isinstance(time, dict) and not listed else None
        at_table |= dict.fromkeys(total if isinstance(total, dict) else ())
        for place in _places(each.result):
            names.setdefault(place["player"], str(place.get("name", "")))
            at_table.setdefault(place["player"])
    spoken = dict.fromkeys(each.name for each in notices if each.name and each.is_public)
    return {who: names.get(who) or f"player {who}" for who in at_table} or {name: name for name in spoken}


def _places(result: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return what a result says of each player, whose id is a text in all of them."""
    rows = [each for each in result.get("result", ()) if isinstance(each, dict)]
    return [{**each, "player": str(each.get("player", each.get("id", "")))} for each in rows]


class _Game:
    """Makes the lines of a game; `_asked` are the players who are asked at the moment, none where nothing says who."""

    def __init__(self, game_id: str, players: Mapping[str, str], notices: Sequence[Notice]) -> None:
        self._id, self._players, self._notices = game_id, players, notices
        self._seats = dict(zip(players, SEATS, strict=False)) | dict(zip(players.values(), SEATS, strict=False))
        self._counts = Counter[tuple[str, str]]()
        self._asked: frozenset[str] = frozenset()
        self._turn_of = ""
        self._is_from_start = False
        self._state_of_turns = _state_of_turns(notices)
        self._turns_are_open = _are_open(notices, self._state_of_turns)

    def lines(self) -> Iterator[ReadLine | LineFate]:
        """Return the lines of the game with their places, and behind them what is not read."""
        players = [{"id": self._seats[who], "name": name} for who, name in self._players.items()]
        head = {"type": "game.started", "game": "tabletop", "edition": "unknown", "id": self._id, "players": players}
        yield "players", head
        if self._turns_are_open:
            yield "players", {"type": "note.added", "text": TURNS_ARE_OPEN}
        move, is_first = 0, True
        for each in self._notices:
            if each.move not in {0, move}:
                missing = each.move - move - 1
                if missing > MOST_UNDONE:
                    self._is_from_start = False
                    text = f"moves {move + 1} to {each.move - 1} are not in the file"
                    yield each.place, {"type": "log.gap", "lines": missing, "text": text, **each.at}
                move, is_first = each.move, True
            for line in self._read(each, is_first=is_first):
                is_first = is_first and "choice" not in line
                yield each.place, {**line, **each.at}
        yield from self._end()
        for (kind, fate), lines in self._counts.most_common():
            yield LineFate(lines, kind, fate, 0, kind)

    def _read(self, each: Notice, *, is_first: bool) -> Iterator[dict[str, Any]]:
        """Return the lines of a notification."""
        seat = self._seats.get(each.who or each.name, "")
        if each.kind in FRAME:
            is_open = self._turns_are_open and _asks_for_turn(each.state, self._state_of_turns)
            self._counts[(OPEN_TURN, NOT_READ_FATE) if is_open else (each.kind, SKIPPED_FATE)] += 1
            yield from self._turn(each)
        elif not each.is_public:
            self._counts[f"{each.kind}, to one player", NOT_READ_FATE] += 1
        elif not each.text:
            self._counts[f"{each.kind}, without a sentence", NOT_READ_FATE] += 1
        elif each.kind == CONCESSION and seat:
            yield {"type": "player.conceded", "player": seat}
        elif seat and is_first and (not self._asked or seat in self._asked):
            what = _CAPITAL.sub(" ", each.kind.removesuffix(SPECTATOR)).lower()
            yield {"type": "choice.made", "player": seat, "what": what, "choice": each.text}
        else:
            yield {"type": "note.added", "text": each.text}

    def _turn(self, each: Notice) -> Iterator[dict[str, Any]]:
        """Note who is asked now, and return the turn that begins; the first one of a whole game is the beginner's."""
        state, seat = each.state, self._seats.get(str(each.state.get("active_player")), "")
        self._is_from_start = self._is_from_start or state.get("name") == "gameSetup"
        if each.kind == WHO_IS_ASKED or state.get("type") == "multipleactiveplayer":
            asked = each.beside if isinstance(each.beside, list) else state.get("multiactive")
            named = asked if isinstance(asked, list) and asked else self._players
            self._asked = frozenset(self._seats.get(str(who), "") for who in named)
        elif state.get("type") == "activeplayer" and seat:
            self._asked = frozenset({seat})
            if _asks_for_turn(state, self._state_of_turns) and seat != self._turn_of:
                if not self._turn_of and self._is_from_start:
                    yield {"type": "first-player.chosen", "player": seat, "method": "has the first turn"}
                self._turn_of = seat
                if not self._turns_are_open:
                    yield {"type": "turn.started", "player": seat}

    def _end(self) -> Iterator[ReadLine]:
        """Return how the game ended: by its result, or by the last sentence of the site where there is none."""
        last = next((each for each in reversed(self._notices) if each.result), None)
        over = next((each for each in reversed(self._notices) if each.is_public and each.text.startswith(OVER)), None)
        is_tie = over is not None and over.text.endswith(TIE)
        if last is not None:
            yield last.place, _ending(last.result, self._seats, is_tie=is_tie) | {**last.at}
        elif over is not None and (is_tie or over.name in self._seats):
            line = {
                "type": "game.ended",
                "winner": self._seats.get(over.name),
                "reason": "tie" if is_tie else "finished",
            }
            yield over.place, line | over.at


def _state_of_turns(notices: Sequence[Notice]) -> str:
    """Return the state in which a player is asked most often behind another one; empty where most ask all at once.

    Setting up and answering have states of their own.
    """
    counts, last, together = Counter[str](), "", 0
    for state in (each.state for each in notices):
        if state.get("type") == "activeplayer":
            counts[str(state.get("id"))] += str(state.get("active_player")) != last
            last = str(state.get("active_player"))
        together += state.get("type") == "multipleactiveplayer"
    name, times = next(iter(counts.most_common(1)), ("", 0))
    return name if times > together else ""


def _asks_for_turn(state: Mapping[str, Any], state_of_turns: str) -> bool:
    """Return whether a player is asked in the state of turns."""
    return state.get("type") == "activeplayer" and str(state.get("id")) == state_of_turns


def _are_open(notices: Sequence[Notice], state_of_turns: str) -> bool:
    """Return whether a player is asked in the state of turns again, out of a state that the next player comes from too.

    What is asked again out of other states belongs to the turn: an action that was taken back, or one that goes on.
    """
    ways: dict[bool, set[str]] = {True: set(), False: set()}
    before = last = ""
    for state in (each.state for each in notices if each.state):
        if _asks_for_turn(state, state_of_turns):
            player = str(state.get("active_player"))
            if last:
                ways[player == last].add(before)
            last = player
        before = str(state.get("id"))
    return bool(ways[True] & ways[False])


def _ending(result: Mapping[str, Any], seats: Mapping[str, str], *, is_tie: bool) -> dict[str, Any]:
    """Return the line that a result is: the first of several has won.

    Where all are first without a tie they have won together, or nobody has: the site does not say which.
    """
    table = result.get("table")
    said = table if isinstance(table, dict) else {}
    places = [each for each in _places(result) if each["player"] in seats]
    if said.get("disagreement"):
        return {"type": "game.abandoned"}
    scores = {seats[each["player"]]: float(each["score"]) for each in places if _is_number(each.get("score"))}
    ranks = {seats[each["player"]]: int(each["rank"]) for each in places if str(each.get("rank")) in RANKS}
    won = [seat for seat, rank in ranks.items() if rank == 1]
    if len(won) == len(places) and not is_tie:
        told = ", ".join(f"{seat} {score:g}" for seat, score in scores.items())
        return {"type": "note.added", "text": f"the site calls all of them first, which may be won or lost: {told}"}
    left = any(str(each.get("zombie")) == "1" for each in places)
    reason = "concession" if said.get("concede") else "somebody left" if left else "tie" if is_tie else "finished"
    winner = (
        {"winner": None if len(won) == len(places) else won[0]} if len(won) in {1, len(places)} else {"winners": won}
    )
    everything = {"scores": scores, "places": ranks} if len(ranks) == len(scores) == len(places) else {}
    return {"type": "game.ended", **winner, **everything, "reason": reason}


def _is_number(score: Any) -> bool:
    """Return whether a score is a number; the site writes it as a text."""
    return re.fullmatch(r"-?\d{1,9}(?:\.\d{1,6})?", str(score)) is not None
