"""What a person types of a table whose cards nobody has listed: `Tom plays fog`, `Tom scores 2`, `Tom wins`.

The cards and counters of such a game are those that somebody names. Each sentence becomes a line that every table
has, or none: what it does not understand wholly it leaves to a note.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import takewhile
from typing import Any, Final

from tabletape.events.vocabulary import Event
from tabletape.events.vocabulary import tabletop as ev
from tabletape.events.vocabulary.open_games import open_games
from tabletape.projector.model.deciding import Offer, as_it_was
from tabletape.projector.model.game import Game
from tabletape.projector.model.table import Table
from tabletape.projector.scribing.box import words_of
from tabletape.projector.scribing.choices import Choice, choices_of
from tabletape.projector.tabletop.state import Tabletop, zone_called

POINTS: Final = "points"
"""The counter that is meant where only a number is said."""

LEAST: Final = 2
"""So many letters of a verb say which is meant."""

_AMOUNT: Final = re.compile(r"(\d{1,6})(?: (\D+))?")
_CARD: Final = re.compile(r"(?:the |a |an |den |die |das |eine? |le |la |une? |el )?([^\W\d_].*)")
_POINTS: Final = frozenset(("point", "points", "vp", "punkt", "punkte", "puntos"))

Line = Callable[[Tabletop, str, str], Event | None]


def _card(player: str, said: str) -> str:
    """Return the name of a card as a log writes it; empty for what is none."""
    found = _CARD.fullmatch(said)
    return f"{player}:{'-'.join(words_of(found[1]))}" if found else ""


def _played(table: Tabletop, player: str, said: str) -> Event | None:
    card = _card(player, said)
    if card and zone_called(table, "table", player) is not None:
        return ev.CardMoved(player=player, card=card, from_="hand", to="table")
    return ev.CardUsed(player=player, card=card) if card else None


def _discarded(table: Tabletop, player: str, said: str) -> Event | None:
    card = _card(player, said)
    if not card or zone_called(table, "discard", player) is None:
        return None
    return ev.CardMoved(player=player, card=card, from_="hand", to="discard")


def _drawn(_table: Tabletop, player: str, said: str) -> Event | None:
    number = re.fullmatch(r"(\d{1,2})(?: \w+)?", said)
    if number or not said:
        return ev.CardsDrawn(player=player, count=int(number[1]) if number else 1)
    card = _card(player, said)
    return ev.CardsDrawn(player=player, cards=(card,)) if card else None


def _counted(field: str, factor: int = 1) -> Line:
    def line(_table: Tabletop, player: str, said: str) -> Event | None:
        found = _AMOUNT.fullmatch(said)
        if found is None:
            return None
        counter = POINTS if (found[2] or POINTS) in _POINTS else "-".join(words_of(found[2]))
        change: dict[str, Any] = {field: factor * int(found[1])}
        return ev.CounterChanged(player=player, counter=counter, **change)

    return line


def _rolled(_table: Tabletop, player: str, said: str) -> Event | None:
    return ev.DieRolled(player=player, result=said) if said else None


def _began(_table: Tabletop, player: str, said: str) -> Event | None:
    return None if said else ev.TurnStarted(player=player)


def _won(_table: Tabletop, player: str, said: str) -> Event | None:
    return None if said else ev.GameEnded(winner=player, reason="agreed")


def _first(_table: Tabletop, player: str, said: str) -> Event | None:
    return None if said else ev.FirstPlayerChosen(player=player)


_STARTS: Final = "starts started beginnt commence empieza"
_WINS: Final = "wins won gewinnt gagne gana"

OF_MOVES: Final[tuple[tuple[str, Line], ...]] = ((_WINS, _won), (_STARTS, _first))
"""What is said of every game, also of one whose moves a file describes: they have words of their own."""

VERBS: Final[tuple[tuple[str, Line], ...]] = (
    (_WINS, _won),
    ("plays played lays uses spielt legt joue juega", _played),
    ("discards discarded wirft", _discarded),
    ("draws drew zieht pioche roba", _drawn),
    ("scores scored gets gains earns bekommt punktet marque", _counted("by")),
    ("loses lost pays verliert perd pierde", _counted("by", -1)),
    ("has hat tiene", _counted("to")),
    ("rolls rolled würfelt", _rolled),
    (_STARTS, _began),
)
"""What people say that a player does, in the words of several languages, and the line that it is."""


def spoken(game: Game, table: Any, typed: str) -> list[Choice]:
    """Return the lines that a sentence about a player may say, in a game that a file describes without its moves.

    Whoever is on turn is meant where no name is said; names and verbs may be shortened.
    """
    if game.slug not in open_games() or table.over:
        return []
    verbs = VERBS if game.rulebook.open else OF_MOVES
    choices = []
    for player, line, said in _readings(table, verbs, typed.casefold().split()):
        event = line(table, player, said)
        if event is not None:
            with as_it_was(table):  # Once it has happened the card has its name.
                game.play[type(event)](table, event)
                choices += choices_of(table, [Offer(event=event)])
    return choices


def _readings(table: Tabletop, verbs: Sequence[tuple[str, Line]], words: list[str]) -> Iterator[tuple[str, Line, str]]:
    """Yield who does what with what else, as a sentence may say it."""
    names = {player.id: player.name.casefold().split() for player in table.players.values()}
    said_of = {player: _words_of_name(words, name) for player, name in names.items()}
    whose = [(player, words[number:]) for player, number in said_of.items() if number]
    for player, rest in whose or [(table.active, words)]:
        verb, said = rest[0] if rest else "", " ".join(rest[1:]).rstrip(".!")
        for full, line in verbs:
            if player and len(verb) >= LEAST and any(each.startswith(verb) for each in full.split()):
                yield player, line, said


def _words_of_name(words: Sequence[str], name: Sequence[str]) -> int:
    """Return how many words at the beginning are a name, or shorten it."""
    pairs = zip(words, name, strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[1].startswith(pair[0]), pairs))


def points_of(table: Table[Any, Any]) -> Mapping[str, float]:
    """Return the points that were counted of players so far, where somebody has counted them."""
    counters = {player: getattr(each, "counters", {}) for player, each in table.players.items()}
    return {player: counted[POINTS] for player, counted in counters.items() if POINTS in counted}
