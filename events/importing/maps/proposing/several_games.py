"""Where a text of several games begins a new one: a heading that counts them, or who begins behind the end of one."""

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from tabletape.events.importing.maps.effort import Effort
from tabletape.events.importing.maps.proposing.leftover import shape_of
from tabletape.events.importing.maps.proposing.phrases import meaning_of

_HEADING: Final = re.compile(
    r"[^\w{}]*(?:(?:new|neues?|nouvelle|nuevo|nueva|nuova|novo|nieuw) )?(?:games?|match|spiel|partie|partida|partita"
    r"|jeu|juego|jogo|gioco|potje|wedstrijd)\W{0,3}(?:(?:no|nr)\.? ?)?(\d{1,3})[^\w{}]*",
    re.IGNORECASE,
)

_BEGAN: Final = "first-player.chosen"
_END: Final = "game.ended"

Lines = Sequence[tuple[int, str]]


class Start(NamedTuple):
    """The sentence of the lines that begin a game, nothing where there is one game; whether they are sure to do so."""

    sentence: str = ""
    is_sure: bool = True


def start_of(lines: Lines, players: Sequence[str]) -> Start:
    """Return what begins each of several games."""
    shapes = [shape_of(line, players, (), Effort()) for _, line in lines]
    means = [*map(_event, shapes)]
    return _counted(lines, means) or _behind_ends(shapes, means)


def games_in(lines: Lines, start: str) -> int:
    """Return how many games there are in some lines, each of which begins with a line of the sentence `start`.

    Of a document that says who acts beside the text, the player stands before it in the line.
    """
    begins = re.compile("(?:[^ ]+ )?" + ".+".join(map(re.escape, re.split(r"\{[^{}]*\}", start))))
    return sum(begins.fullmatch(line.strip()) is not None for _, line in lines) if start else 1


def _counted(lines: Lines, means: Sequence[str]) -> Start | None:
    """Return the heading that counts the games: `Game 1`, `Game 2`.

    It may count what a game has several of: that it begins games is sure where nothing happens before the first one,
    and where each but the last comes to an end, or each says who begins, or no end is told at all.
    """
    headings: dict[str, list[tuple[int, int]]] = {}
    for place, (_, line) in enumerate(lines):
        if (match := _HEADING.fullmatch(line.strip())) is not None:
            text = line.strip()
            heading = f"{text[: match.start(1)]}{{n:number}}{text[match.end(1) :]}"
            headings.setdefault(heading, []).append((int(match[1]), place))
    (heading, counted), *others = headings.items() or [("", [])]
    if others or len(counted) < 2 or any(one >= other for (one, _), (other, _) in pairwise(counted)):
        return None
    places = [place for _, place in counted]
    games = [means[place:behind] for place, behind in pairwise([*places, len(means)])]
    tells_all = all(_END in game for game in games[:-1]) or all(_BEGAN in game for game in games)
    return Start(heading, not any(means[: places[0]]) and (tells_all or _END not in means))


def _behind_ends(shapes: Sequence[str], means: Sequence[str]) -> Start:
    """Return what says who begins, where that stands at the top and behind the end of each game but the last."""
    begins = [place for place, event in enumerate(means) if event == _BEGAN]
    ends = [place for place, event in enumerate(means) if event == _END]
    sure = len(begins) > 1 and begins == [0, *(place + 1 for place in ends if place + 1 < len(shapes))]
    said = {shapes[place] for place in begins} if sure else set()
    return Start(said.pop().replace("{player}", "{who}")) if len(said) == 1 else Start()


def _event(shape: str) -> str:
    """Return the event that a line may mean; `wins gladly`: how somebody has won may be said as one likes."""
    if "{player}" not in shape:
        return ""
    meaning = meaning_of(shape) or meaning_of(" ".join(shape.split(" ")[:2]))
    return str(meaning.entry.get("event", "")) if meaning is not None else ""
