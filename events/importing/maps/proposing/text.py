"""Proposing a map for a text that nobody has described: the kinds of its lines, and an event for each kind.

Nothing is proposed as certain: a person accepts, changes or skips each kind, and sees how much is understood then.
"""

import contextlib
import re
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from tabletape.events.importing.maps.map import MapError
from tabletape.events.importing.maps.proposing.bare_cards import BareCards
from tabletape.events.importing.maps.proposing.meant import DECISIVE, meant, named
from tabletape.events.importing.maps.proposing.moves import as_move
from tabletape.events.importing.maps.proposing.several_games import games_in
from tabletape.events.importing.maps.proposing.shapes import TALK, Shapes, shapes_in
from tabletape.events.importing.maps.proposing.survey import Survey
from tabletape.events.importing.maps.writing import require_readable
from tabletape.events.vocabulary import vocabulary
from tabletape.events.vocabulary.open_games import open_games

_CLOCK: Final = re.compile(r"\d{1,2}:\d\d(?::\d\d)?(?: ?[AaPp][Mm])?")
_SKIPPED: Final[Mapping[str, Any]] = {"skip": True}
_BY_A_PLAYER: Final = re.compile(r"(?:\{speaker:player\}: )?\{player\}:? (?=\S)")

TAKEN_BACK: Final = "may be taken back by the next line"
"""Why a line is left open that another one behind it seems to correct."""


class LineProposal(NamedTuple):
    """A kind of line: its sentence, what it is proposed to mean, how many there are, the first of them.

    `is_unsure`: it names a move or, in talk, a card of the game, and what is said of that is not understood; or it
    tells of a victory again and again, and nothing says of what. `meant` is what it means if a person says that it is a
    move of the card that it names; `is_slip`: it does not spell that card rightly.
    """

    sentence: str
    entry: Mapping[str, Any]
    lines: int
    first: int
    example: str
    is_unsure: bool = False
    meant: Mapping[str, Any] = {}
    is_slip: bool = False


def proposals(seen: Survey, game: str, cards: Sequence[str] = ()) -> list[LineProposal]:
    """Return the kinds of lines, each with what it may mean: beginnings and ends first, then the most frequent.

    The phrases are those of any table: what has no event in the vocabulary of the game is proposed to change nothing.
    Talk in which a move or one of the `cards` of the game is named may be a move, and is not proposed to be skipped.
    Of a game whose rules are written as code only who began and who won is read; what players do and say stays open.
    """
    told, known = shapes_in(seen, game, cards), vocabulary(game)
    kinds: dict[str, LineProposal] = {}
    for number, line, shape in told.lines:
        if shape in told.unsure:
            kind = _unsure(number, line, shape, told.bare)
        else:
            sentence, entry = as_move(*_said(line, shape, told), known)
            if len(seen.players) != 2 and "{other}" in entry.get("with", {}).get("scores", {}):
                entry = _without_scores(entry)
            kind = LineProposal(sentence, entry, 0, number, line.strip())
        kind = kind if game in open_games() else _left_open(kind)
        before = kinds.get(kind.sentence, kind)
        kinds[kind.sentence] = before._replace(lines=before.lines + 1)
    games = games_in(seen.lines, str(seen.head.get("starts", "")))
    usable = [each for kind in kinds.values() if (each := _usable(kind, game, games, seen.head)) is not None]
    return sorted(usable, key=lambda kind: (kind.entry.get("event") not in DECISIVE, -kind.lines, kind.first))


def _said(line: str, shape: str, told: Shapes) -> tuple[str, Mapping[str, Any]]:
    """Return the sentence of a line that is not unsure, and what it may mean."""
    if _CLOCK.fullmatch(line.strip()):
        return "{at:time}", _SKIPPED
    if shape in told.moves and told.moves[shape].entry:
        return told.moves[shape]
    if shape in told.phrases:
        return named(shape), _SKIPPED
    if shape in told.talk:
        speaker = TALK.match(shape)
        return f"{speaker[0] if speaker else ''}{{words}}", _SKIPPED
    if shape in told.begun:
        return shape.replace("{n}", "{round:number}"), {"event": told.begun[shape]}
    sign, act, words = told.remarks.get(shape, ("", shape, ""))
    sentence, entry = meant(told.sentences.get(act, act))
    remark = {"also": [{"event": "note.added", "with": {"text": words}}]} if words else {}
    return f"{sentence}{sign}{words}", {**entry, **remark}


def _left_open(kind: LineProposal) -> LineProposal:
    """Return a kind of line of a game that asks more of a move than people say of it: from where, at what cost.

    Judged by those words a legal play would be called illegal, so the line is a gap that says what was written.
    """
    fields, event = kind.entry.get("with", {}), kind.entry.get("event")
    if event == "game.ended":
        scores = {"scores": fields["scores"]} if "scores" in fields else {}
        winners = [fields["winner"]] if "winner" in fields else []
        return kind._replace(entry={"event": "result.recorded", "with": {"winners": winners, **scores}})
    who = _BY_A_PLAYER.match(kind.sentence)
    if event == "first-player.chosen" or who is None or (kind.entry == _SKIPPED and "{words}" not in kind.sentence):
        return kind
    return kind._replace(sentence=f"{who[0]}{{words}}", entry=gap("{words}"), is_unsure=True)


def _unsure(number: int, line: str, shape: str, bare: BareCards) -> LineProposal:
    """Return the kind of a message that may be a move, and of which only a person knows whether it is one."""
    if number in bare.withdrawn:
        sentence = f"{{player}}:{line.partition(':')[2]}"
        return LineProposal(sentence, gap(TAKEN_BACK), 0, number, line.strip(), is_unsure=True)
    likely, is_right = bare.meant(shape)
    return LineProposal(named(shape), gap("may be a move"), 0, number, line.strip(), True, likely, not is_right)


def _usable(kind: LineProposal, game: str, games: int, head: Mapping[str, Any]) -> LineProposal | None:
    """Return a proposal that a map of a game can hold: without a meaning that it lacks, None for no sentence."""
    ends = kind.lines > games and kind.entry.get("event") == "game.ended"
    if ends and (":text}" in kind.sentence or ":player}" in kind.sentence):
        # Who `wins {text}` again and again wins tricks, or games that nothing parts: a person knows which.
        return kind._replace(entry=gap("may be the end of a game"), is_unsure=True)
    for entry in (kind.entry, _without_scores(kind.entry), {"harmless": True}):
        with contextlib.suppress(MapError):
            require_readable(kind.sentence, entry, game, head if "player" in head else {})
            return kind._replace(entry=entry)
    return None


def _without_scores(entry: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return an entry without the scores that not every game has at its end."""
    fields = {name: value for name, value in entry.get("with", {}).items() if name != "scores"}
    return {**entry, "with": fields} if fields else entry


def gap(why: str) -> dict[str, Any]:
    """Return the entry of a line of which nobody knows so far what it says: behind it nothing is called illegal."""
    return {"event": "log.gap", "with": {"lines": 1, "text": why}}
