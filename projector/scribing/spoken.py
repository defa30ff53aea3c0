"""What a person types of a table whose cards nobody has listed: `Tom plays fog`, `Tom scores 2`, `Tom wins`.

The cards and counters of such a game are those that somebody names. The phrases are those in which people tell games
in chats; each sentence is a line that every table has, or none: what is not understood wholly is left to a note.
"""

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from itertools import takewhile
from typing import Any, Final, NamedTuple

from msgspec import UNSET
from msgspec.structs import replace

from tabletape.events.importing.maps.proposing.phrases import Meaning, meanings
from tabletape.events.vocabulary import Event, vocabulary
from tabletape.events.vocabulary import tabletop as ev
from tabletape.events.vocabulary.open_games import open_games
from tabletape.events.vocabulary.shared import DeckShuffled, PlayerConceded, TurnEnded
from tabletape.projector.model.deciding import Offer, as_it_was, is_same
from tabletape.projector.model.game import Game
from tabletape.projector.scribing.box import ENDINGS, words_of
from tabletape.projector.scribing.choices import Choice, choices_of
from tabletape.projector.scribing.copies import lines_meant
from tabletape.projector.tabletop.as_moves import as_move
from tabletape.projector.tabletop.state import ELSEWHERE, Tabletop, copies_of, zone_called
from tabletape.projector.tabletop.view import POINTS

LEAST: Final = 2
"""So many letters of a word say which is meant."""

OF_MOVES: Final = frozenset(("wins", "begins", "concedes"))
"""What is said of every game, also of one whose moves a file describes: they have words of their own."""

_CARDS: Final = frozenset(("plays", "discards", "uses", "draws"))
_POINTS: Final = frozenset(("point", "points", "vp", "punkt", "punkte", "puntos", "punti", "pontos", "punten"))
_ARTICLES: Final = frozenset(words_of("the a an den die das ein eine le la un une el una il de het"))
_CARD: Final = frozenset(words_of("card karte carte carta kaart"))
_SEVERAL_CARDS: Final = frozenset(words_of("cards karten cartes cartas kaarten"))
_OUT_OF: Final = frozenset(words_of("from aus vom uit"))
_PILES: Final = frozenset(words_of("deck pile stack bag supply market row stapel pioche mazo mazzo"))
"""What people call a place that cards are drawn from; each may have a name before it that nobody has listed."""
_NUMBER: Final = re.compile(r"\d{1,6}")
_AND: Final = re.compile(r" *(?:,| (?:and|und|et|y|e|en)(?= )) *")

_BARE: Final[Mapping[str, Callable[[str], Event]]] = {
    "shuffles": lambda player: DeckShuffled(player=player),
    "turn": lambda player: ev.TurnStarted(player=player),
    "begins": lambda player: ev.TurnStarted(player=player),
    "turn-ends": lambda player: TurnEnded(player=player),
    "concedes": lambda player: PlayerConceded(player=player),
    "wins": lambda player: ev.GameEnded(winner=player, reason="agreed"),
}
"""What says all with the name of who does it."""


class SpokenSentence(NamedTuple):
    """A sentence: who does it, what is meant, the number in it and the word behind that, and what else is said."""

    player: str
    meaning: Meaning
    number: str
    noun: str
    said: tuple[str, ...]


def spoken(game: Game, table: Any, typed: str, legal: Sequence[Choice] = ()) -> list[Choice]:
    """Return the lines that a sentence about a player may say, in a game that a file describes without its moves.

    Whoever is on turn is meant where no name is said; names and verbs may be shortened. Beside `legal` decisions that
    the same words mean only other copies of cards are named that are at the table.
    """
    if game.slug not in open_games() or table.over:
        return []
    lines: dict[Event, None] = {}
    for told in (each for some in _told(table, typed.casefold().split()) for each in _apart(table, some)):
        is_of_moves = not game.rulebook.open and told.meaning.name in OF_MOVES
        line = _line_of_moves(told) if is_of_moves else _line(table, told)
        lines |= {as_move(game.slug, line): None} if line is not None else {}
    lines = lines or dict.fromkeys(_moves_of_file(game.slug, table, typed.casefold().split()))
    choices = []
    for way in (each for line in lines for each in lines_meant(table, line)):
        if legal and (not way.is_known or any(is_same(table, way.line, each.event) for each in legal)):
            continue
        with as_it_was(table):  # Once it has happened the card has its name.
            game.play[type(way.line)](table, way.line)
            said = choices_of(table, [Offer(event=way.line)])
        choices += [replace(each, words=f"{each.words}{way.doubt}", stands=way.stands) for each in said]
    return choices


def _moves_of_file(slug: str, table: Tabletop, words: list[str]) -> Iterator[Event]:
    """Yield the moves of the game's file that words say, with the cards of its kinds that are named behind them."""
    rules = open_games()[slug].rules
    for player, rest in _whose(table, words) if rules is not None else ():
        for move in (each for each in rules.moves.values() if [field.name for field in each.fields] == ["cards"]):
            length = max(_begun(rest, words_of(called), ENDINGS) for called in (move.name, *move.called))
            named = " ".join(word for word in rest[length:] if word not in _ARTICLES)
            cards = ["-".join(words_of(part)) for part in _AND.split(named)]
            if player and length and {*cards} <= rules.cards.keys():
                yield vocabulary(slug).convert({"type": f"move.{move.name}", "player": player, "cards": cards})


def _whose(table: Tabletop, words: list[str]) -> list[tuple[str, list[str]]]:
    """Return who is named where words begin, or is on turn, with the words behind the name."""
    names = {player.id: player.name.casefold().split() for player in table.players.values()}
    numbers = {player: _words_of_name(words, name) for player, name in names.items()}
    return [(player, words[number:]) for player, number in numbers.items() if number] or [(table.active, words)]


def _told(table: Tabletop, words: list[str]) -> Iterator[SpokenSentence]:
    """Yield what words may tell, by the phrases that the words behind a name begin with."""
    for player, rest in _whose(table, words):
        place = next((place for place, word in enumerate(rest) if _NUMBER.fullmatch(word.rstrip(".!"))), None)
        number, noun = ("", "") if place is None else (rest[place].rstrip(".!"), "".join(rest[place + 1 : place + 2]))
        told = rest if place is None else [*rest[:place], *rest[place + 1 :]]
        # In a chat somebody has cards and much else; with a number of what is no card it is a counter.
        told = ["now", *told] if told[:1] == ["has"] and number and noun not in _CARD | _SEVERAL_CARDS else told
        is_open = not number and not _SEVERAL_CARDS.isdisjoint(told)  # Nobody says how many cards these are.
        for meaning in meanings() if player and told and not is_open else ():
            begun = [length for each in meaning.phrases if (length := _begun(told, each.split()))]
            if begun:
                yield SpokenSentence(player, meaning, number, noun.rstrip(".!"), tuple(told[max(begun) :]))


def _apart(table: Tabletop, told: SpokenSentence) -> Iterator[SpokenSentence]:
    """Yield a sentence of each card by itself where it names several that are known: a line says one of them."""
    parts = [tuple(part.split()) for part in _AND.split(" ".join(told.said))]
    cards = [[word for word in part if word not in _ARTICLES] for part in parts]
    are_known = all(each and copies_of(table, _card_called(told.player, each)) for each in cards)
    are_several = told.meaning.name in _CARDS and len(parts) > 1 and are_known
    yield from (told._replace(said=part) for part in parts) if are_several else (told,)


def _card_called(player: str, said: Sequence[str]) -> str:
    return f"{player}:{'-'.join(words_of(' '.join(said)))}"


def _words_of_name(words: Sequence[str], name: Sequence[str]) -> int:
    """Return how many words at the beginning are a name, or shorten it."""
    pairs = zip(words, name, strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[1].startswith(pair[0].removesuffix("'s")), pairs))


def _begun(words: Sequence[str], phrase: Sequence[str], endings: Collection[str] = ()) -> int:
    """Return how many words a phrase has with which others begin, shortened perhaps; 0 where they do not.

    The words may have one of the `endings` of a verb.
    """
    pairs = zip(words, phrase, strict=False)
    is_begun = len(words) >= len(phrase) and all(
        len(each) >= LEAST and (full.startswith(each) or each.removeprefix(full) in endings) for each, full in pairs
    )
    return len(phrase) if is_begun else 0


def _line_of_moves(told: SpokenSentence) -> Event | None:
    """Return what is said of a game whose moves are known: who begins, who wins, who gives up."""
    if told.meaning.name not in OF_MOVES or told.said or told.number:
        return None
    begins = told.meaning.name == "begins"
    line: Event = ev.FirstPlayerChosen(player=told.player) if begins else _BARE[told.meaning.name](told.player)
    return line


def _line(table: Tabletop, told: SpokenSentence) -> Event | None:
    """Return the line that a sentence says; None where it says more, or less."""
    player, name, number = told.player, told.meaning.name, told.number
    said = [word.strip(".!,") for word in told.said if word not in _ARTICLES]
    if told.meaning.counts:
        return _counted(told) if number and {*said} <= {told.noun} else None
    if name == "rolls":
        return ev.DieRolled(player=player, result=number) if number and not said else None
    if name in _CARDS:
        several = _CARD | (_SEVERAL_CARDS if number else frozenset())
        if name == "draws" and {*_parted(said)[0]} <= several:
            return _drawn(table, told, _parted(said)[1])
        if number or not said or {*said} <= _CARD:
            return None  # `two cards` are no card that is called so.
        return _of_card(table, told, said)
    return None if said or number or name not in _BARE else _BARE[name](player)


def _drawn(table: Tabletop, told: SpokenSentence, place: str) -> Event | None:
    """Return how many cards are drawn, from a place where one is named: another deck than the one that all know."""
    zone = zone_called(table, place, told.player) if place else None
    origin = "" if zone is not None and zone.role == "deck" else place if zone is None else zone.name.rpartition("/")[2]
    return ev.CardsDrawn(player=told.player, count=int(told.number or 1), from_=origin or UNSET)


def _counted(told: SpokenSentence) -> Event:
    """Return by how much a counter changes, or to what: the one that is named behind the number, or the points."""
    counter = POINTS if told.noun in _POINTS or not told.noun else told.noun
    how: dict[str, Any] = {"to": int(told.number)}
    if told.meaning.counts != "to":
        how = {"by": -int(told.number) if told.meaning.counts.startswith("-") else int(told.number)}
    return ev.CounterChanged(player=told.player, counter=counter, **how)


def _of_card(table: Tabletop, told: SpokenSentence, said: Sequence[str]) -> Event | None:
    """Return what is done with a card that is named; None where the words are hardly the name of a card.

    `Sun from the weather deck` is a card and where it comes from, `a weather card` any card of its kind.
    """
    player, card, origin = told.player, _card_called(told.player, said), "hand"
    if not copies_of(table, card):
        named, place = _parted(said)
        zone = zone_called(table, place, player) if place else None
        if place and (
            zone is not None or told.meaning.name == "draws" or copies_of(table, _card_called(player, named))
        ):
            is_pile = told.meaning.name == "draws" and not _PILES.isdisjoint(words_of(place))
            if not named or (zone is None and not is_pile):
                return None
            card, origin = _card_called(player, named), zone.name.rpartition("/")[2] if zone is not None else place
        elif said[-1] in _CARD:
            return None
    if told.meaning.name == "draws":
        return ev.CardsDrawn(player=player, cards=(card,), from_=UNSET if origin in {"deck", "hand"} else origin)
    if told.meaning.name == "uses":
        return ev.CardUsed(player=player, card=card)
    to = "discard" if told.meaning.name == "discards" else "table"
    place = to if zone_called(table, to, player) is not None else ELSEWHERE if to == "table" else ""
    return ev.CardMoved(player=player, card=card, from_=origin, to=place) if place else None


def _parted(said: Sequence[str]) -> tuple[Sequence[str], str]:
    """Return the words before the last one that says out of what something comes, and the place behind it."""
    at = max((number for number, word in enumerate(said) if word in _OUT_OF), default=len(said))
    return said[:at], " ".join(said[at + 1 :])
