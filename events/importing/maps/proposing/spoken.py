"""How players speak of the moves and cards of a game: the verbs, the names, the cards with their numbers."""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from functools import cache
from typing import Final, NamedTuple, get_args

from msgspec import structs

from tabletape.events.importing.games.known_deck import drawing_moves, names_said
from tabletape.events.importing.maps.counted import COUNTS, NUMBER, cards_pattern, forms_of
from tabletape.events.importing.maps.move_words import MoveWords, move_called
from tabletape.events.importing.maps.proposing.phrases import meanings
from tabletape.events.importing.maps.values.captured import DRAW_EVENT, OWN_MOVE
from tabletape.events.vocabulary import Event, Vocabulary, vocabulary
from tabletape.events.vocabulary.fields import PlayerId

_DRAW_WORDS: Final = frozenset(("draw", "draws", "drew", "drawing", "ziehe", "zieh", "zieht", "zog"))
_TAKE_WORDS: Final = frozenset(("take", "takes", "took", "taking", "pick", "picks", "picked", "picking"))
_TAKEN: Final = re.compile(
    rf" (?:(?:\{{n\}}|{NUMBER})(?: new| more)?(?: cards?)?|cards?)(?= ?(?:$|[,.;!(]| and | then | from ))",
    re.IGNORECASE,
)
"""Whoever takes so many cards, and does not say which, draws them."""

_SEVERAL: Final = re.compile(
    rf"(?<![\w{{])(?:\{{n\}}|{'|'.join(word for word, count in COUNTS.items() if count > 1)}) "
    r"(?!cards?\b|points?\b|turns?\b|times?\b)[^\W\d_]+s(?![\w-])",
    re.IGNORECASE,
)
"""A number and several of something, where nobody has said what the cards are called."""

_COUNTED: Final = re.compile(rf"(?<![\w{{])(?:\{{n\}}|{NUMBER}) ([^\W\d_]{{3,}})", re.IGNORECASE)
_NO_CARD: Final = re.compile(
    r"(?:card|point|turn|time|round|game|bit|lot|few|move|moment|minute|second|more|new|one)s?"
)

_TO: Final = "to|with|from|for|at|against|and|mit|von|an|gegen|avec|contre|con|contra"
_THEN: Final = "and|then|und|dann|also"
NUMERAL: Final = re.compile(r"\d+")
WORD: Final = re.compile(r"[\w'-]+")


class Spoken(NamedTuple):
    """What is known of how the players speak: their names, the cards of the game, words that are said `often`.

    `is_sure`: there are no other cards; else nobody has said what they are called. `doers` are names before a
    verb, `behind` those after one, `draws` how many cards moves take from the deck themselves, `named` finds moves and
    cards.
    """

    players: re.Pattern[str] | None
    cards: re.Pattern[str] | None
    often: Collection[str]
    is_sure: bool
    doers: re.Pattern[str] | None
    behind: re.Pattern[str] | None
    draws: Mapping[str, int]
    named: MoveWords

    def is_name(self, text: str) -> bool:
        """Return whether a text is the name of a player."""
        return self.players is not None and self.players.fullmatch(f"to {text}") is not None

    def with_doers(self, shape: str, known: Vocabulary) -> str:
        """Return a line with holes also for names in small letters that stand before or behind the verb of a move."""
        if self.doers is None or self.behind is None:
            return shape
        shape = self.behind.sub(
            lambda said: f"{said[1]} {{player}}" if line_called(said[1], "", known) else said[0], shape
        )
        return self.doers.sub(lambda said: f"{said[1]}{{player}}" if move_called(said[2], known) else said[0], shape)

    def shape(self, shape: str) -> str:
        """Return a line with holes also for names in small letters, and for cards with their numbers."""
        if self.players is not None:
            shape = self.players.sub(lambda match: f"{match[1]}{{player}}", shape)
        shape = self.cards.sub("{card}", shape) if self.cards is not None else shape
        return shape if self.is_sure else _SEVERAL.sub("{card}", shape)


def words_said(lines: Iterable[str]) -> frozenset[str]:
    """Return the words, in small letters, that more than one line has."""
    times = Counter(word for line in lines for word in {*WORD.findall(line.casefold())})
    return frozenset(word for word, count in times.items() if count > 1)


def spoken_by(players: Iterable[str], game: str, often: Collection[str], shapes: Iterable[str]) -> Spoken:
    """Return how players speak of the cards of a game; without any, they are what several `shapes` of lines count."""
    names = "|".join(map(re.escape, sorted(players, key=len, reverse=True)))
    named = re.compile(rf"\b((?:{_TO}) )(?:{names})(?![\w])", re.IGNORECASE) if names else None
    doers = (
        re.compile(rf"((?:[,;.!&]|\b(?:{_THEN})) )(?:{names})(?= ([^\W\d_][\w'-]*))", re.IGNORECASE) if names else None
    )
    behind = re.compile(rf"(?<![\w{{'-])([^\W\d_][\w'-]*) (?:{names})(?![\w])", re.IGNORECASE) if names else None
    draws, cards = drawing_moves(game), names_said(game)
    names_of = MoveWords(vocabulary(game), (*cards, *(NUMERAL.sub("n", card) for card in cards)))
    if known := cards_pattern(NUMERAL.sub("{n}", name) for name in cards):
        return Spoken(named, known, often, is_sure=True, doers=doers, behind=behind, draws=draws, named=names_of)
    said = Counter(
        (*forms_of(match[1]), "")[1].casefold() or match[1].casefold()
        for shape in shapes
        for match in _COUNTED.finditer(shape)
    )
    often_said = [name for name, times in said.items() if times > 1 and not _NO_CARD.fullmatch(name)]
    said_cards = cards_pattern(often_said)
    return Spoken(named, said_cards, often, is_sure=False, doers=doers, behind=behind, draws=draws, named=names_of)


def line_called(verb: str, rest: str, known: Vocabulary) -> str:
    """Return the line that a verb says: that of a move, or the draw of every game; empty where it says none.

    Who `plays` a card makes the only move that names cards, and no more, where no other one may name them alone.
    """
    tag, word = move_called(verb, known), verb.casefold()
    if tag or not any(name.startswith(OWN_MOVE) for name in known.types):
        return tag
    is_drawn = word in _TAKE_WORDS and _TAKEN.match(rest) and word not in _number_words(known)
    if word in _DRAW_WORDS or is_drawn:
        return DRAW_EVENT
    forms = {word, f"{word.removesuffix('ing')}s", f"{word}s"}
    no_play = _said_of("discards") | _DRAW_WORDS
    own = (tag for tag in known.types if tag.startswith(OWN_MOVE) and tag.removeprefix(OWN_MOVE) not in no_play)
    able = [tag for tag in own if _may_name_cards_alone(known.types[tag])]
    is_one = len(able) == 1 and able[0] in moves_of_a_card(known)
    return able[0] if is_one and rest.startswith(" {card}") and forms & _said_of("plays") else ""


def _number_words(known: Vocabulary) -> set[str]:
    """Return the words that stand before a number of their own in the lines of a move: `gathers, takes 3`."""
    own = (kind for tag, kind in known.types.items() if tag.startswith(OWN_MOVE))
    return {field.name for kind in own for field in fields_of(kind) if is_number(field)}


def _may_name_cards_alone(kind: type[Event]) -> bool:
    """Return whether a line of a move may name cards, and need not name anything else."""
    needed = all("card" in each.name for each in required_of(kind))
    return needed and any("card" in each.name for each in fields_of(kind))


def moves_of_a_card(known: Vocabulary) -> list[str]:
    """Return the lines of the moves that have to name cards and nothing else."""
    own = ((tag, required_of(kind)) for tag, kind in known.types.items() if tag.startswith(OWN_MOVE))
    return [tag for tag, fields in own if len(fields) == 1 and "card" in fields[0].name]


@cache
def _said_of(name: str) -> frozenset[str]:
    """Return the words with which people say that they play a card, or lay one away."""
    return frozenset(phrase for each in meanings() if each.name == name for phrase in each.phrases)


@cache
def fields_of(kind: type[Event]) -> tuple[structs.FieldInfo, ...]:
    """Return what the lines of a type say beside who does it."""
    return tuple(each for each in structs.fields(kind) if each.name not in {*Event.__struct_fields__, "player"})


def is_number(field: structs.FieldInfo) -> bool:
    """Return whether a field holds a number, also one that may be left out."""
    return any(each in {int, float, bool} for each in (field.type, *get_args(field.type)))


def is_player(field: structs.FieldInfo) -> bool:
    """Return whether a field names a player, also one that may be left out."""
    return PlayerId in (field.type, *get_args(field.type))


def required_of(kind: type[Event]) -> list[structs.FieldInfo]:
    """Return what they have to say."""
    return [each for each in fields_of(kind) if each.required]
