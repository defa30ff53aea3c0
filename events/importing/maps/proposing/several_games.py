"""Where a text of several games begins a new one: a heading that counts them, or who begins behind the end of one."""

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from tabletape.events.importing.maps.effort import Effort
from tabletape.events.importing.maps.proposing.leftover import shape_of
from tabletape.events.importing.maps.proposing.phrases import meaning_of

_HEADING: Final = re.compile(
    r"\W*(?:(?:new|neues?|nouvelle|nuevo|nueva|nuova|novo|nieuw) )?(?:games?|match|spiel|partie|partida|partita|jeu"
    r"|juego|jogo|gioco|potje|wedstrijd)\W{0,3}(?:(?:no|nr)\.? ?)?(\d{1,3})\W*",
    re.IGNORECASE,
)

Lines = Sequence[tuple[int, str]]


def start_of(lines: Lines, players: Sequence[str]) -> str:
    """Return the sentence that the lines are of that begin a game; nothing where there is one game, or none is sure."""
    return _counted(lines) or _behind_ends(lines, players)


def games_in(lines: Lines, start: str) -> int:
    """Return how many games there are in some lines, each of which begins with a line of the sentence `start`.

    Of a document that says who acts beside the text, the player stands before it in the line.
    """
    begins = re.compile("(?:[^ ]+ )?" + ".+".join(map(re.escape, re.split(r"\{[^{}]*\}", start))))
    return sum(begins.fullmatch(line.strip()) is not None for _, line in lines) if start else 1


def _counted(lines: Lines) -> str:
    """Return the heading that counts the games: `Game 1`, `Game 2`."""
    numbers: dict[str, list[int]] = {}
    for _, line in lines:
        if (found := _HEADING.fullmatch(line.strip())) is not None:
            text = line.strip()
            heading = f"{text[: found.start(1)]}{{n:number}}{text[found.end(1) :]}"
            numbers.setdefault(heading, []).append(int(found[1]))
    (heading, counted), *others = numbers.items() or [("", [])]
    rises = len(counted) > 1 and all(one < other for one, other in pairwise(counted))
    return heading if rises and not others else ""


def _behind_ends(lines: Lines, players: Sequence[str]) -> str:
    """Return what says who begins, where that stands at the top and behind the end of each game but the last."""
    shapes = [shape_of(line, players, (), Effort()) for _, line in lines]
    # `wins gladly`: how somebody has won may be said as one likes.
    means = [_event(shape) or _event(" ".join(shape.split(" ")[:2])) for shape in shapes]
    begins = [place for place, event in enumerate(means) if event == "first-player.chosen"]
    ends = [place for place, event in enumerate(means) if event == "game.ended"]
    sure = len(begins) > 1 and begins == [0, *(place + 1 for place in ends if place + 1 < len(lines))]
    said = {shapes[place] for place in begins} if sure else set()
    return said.pop().replace("{player}", "{who}") if len(said) == 1 else ""


def _event(shape: str) -> str:
    meaning = meaning_of(shape) if "{player}" in shape else None
    return str(meaning.entry.get("event", "")) if meaning is not None else ""
