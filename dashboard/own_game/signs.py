"""A sentence of a rulebook in signs: what it has its own words for stands as a sign of one letter.

`K1` is a kind of card, `M1` a move, `N1` a number, `P1` a place where cards lie; `C` is a card, `V` what its number is
called, `Q` what its kind is called, `W` a player.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterable
from functools import lru_cache
from itertools import accumulate
from typing import Final, NamedTuple

from tabletape.dashboard.own_game.game import OwnGame, kinds_named
from tabletape.dashboard.own_game.messages import number_of
from tabletape.dashboard.own_game.rulebook_words import RUNNING, TOKEN, RulebookWords
from tabletape.dashboard.own_game.wording import unnumbered
from tabletape.events.importing.maps.move_words import forms_of_verb

_LINK: Final = re.compile(r"^(?:after that|then|also|in addition|now),? ", re.IGNORECASE)
"""What joins a sentence to the one before it says nothing of when."""

_REASON: Final = re.compile(r",? because\b[^.;]*", re.IGNORECASE)
"""Why something is so says no more of what is."""

_BEFORE_ONE: Final = frozenset(["last", "previous", "top", "uppermost", "that", "the"])
"""Behind these `one` is a card."""

_BEFORE_PLACES: Final = frozenset(["your", "his", "her", "their", "its", "own", "empty", "the", "each", "every", "an"])

_LIKE_TABLE: Final = frozenset(["table", "row", "line", "pile", "area", "zone"])
"""Behind what a place is called these say no more: `the long table`."""


_Called = tuple[tuple[str, frozenset[str]], ...]
"""The moves of a game, each with the words for it."""


class SignSentence(NamedTuple):
    """A sentence in signs: `text` is it, `words` are its own words, and `values` is what each sign of it stands for."""

    text: str
    words: tuple[str, ...]
    spans: tuple[tuple[int, int], ...]
    values: dict[str, str]

    @property
    def each(self) -> list[str]:
        """Its signs, one a word."""
        return [self.text[start:end] for start, end in self.spans]

    @property
    def head(self) -> str:
        """The move that it explains, as an item of a list: `Haul: discard a donkey`; empty where it is none."""
        said = re.match(r"(M\d+)(?: [a-z]+)? :", self.text)
        return self.values[said[1]] if said else ""

    def covered(self, spans: Iterable[tuple[int, int]]) -> set[int]:
        """Return which words stand in some parts of the text."""
        return {
            at
            for at, (start, end) in enumerate(self.spans)
            if any(one <= start and end <= other for one, other in spans)
        }


def in_signs(text: str, game: OwnGame, words: RulebookWords) -> SignSentence:
    """Return a sentence in signs."""
    called = tuple((move, frozenset(game.called(move))) for move in game.moves)
    return _in_signs(text, (*game.kinds, *game.groups), called, words)


@lru_cache(maxsize=1 << 12)  # each of the sentences is asked about with each move and each place
def _in_signs(text: str, kinds: tuple[str, ...], moves: _Called, words: RulebookWords) -> SignSentence:
    found = TOKEN.findall(_joined(_REASON.sub("", _LINK.sub("", unnumbered(text))), kinds))
    before = ["", *(word.casefold() for word in found)]
    tokens = [
        word for at, word in enumerate(found) if not (word.casefold() in _LIKE_TABLE and before[at] in words.places)
    ]
    tokens = _without_objects(tokens, moves, words.objects)
    low = ["", *(token.casefold().replace("\u2019", "'") for token in tokens), ""]
    counts, values, signs = Counter[str](), {}, []
    for at, word in enumerate(low[1:-1], 1):
        is_running = " ".join(low[max(at - 2, 0) : at + 1]) == RUNNING
        sign, value = (word, "") if is_running else _sign_of(word, low[at - 1], (kinds, moves), words)
        is_before = low[at - 1] in _BEFORE_ONE and low[at + 1] != "card"
        if word == "one" and (is_before or kinds_named([low[at - 1]], kinds)):
            sign, value = "C", ""
        elif word == "one" and (at == 1 or low[at + 1] in {"may", "must", "can", "cannot"}):
            sign, value = "W", ""
        if value:
            counts[sign] += 1
            sign = f"{sign}{counts[sign]}"
            values[sign] = value
        signs.append(sign)
    ends = [*accumulate(len(sign) + 1 for sign in signs)]
    spans = tuple((end - len(sign) - 1, end - 1) for end, sign in zip(ends, signs, strict=True))
    return SignSentence(" ".join(signs), tuple(tokens), spans, values)


def _without_objects(tokens: list[str], moves: _Called, objects: Collection[str]) -> list[str]:
    """Return the words of a sentence without those that belong to its moves: `call the market day`."""
    kept: list[str] = []
    for word in tokens if objects else ():
        kept.append(word)
        for many in (3, 2, 1):
            said = [each for each in map(str.casefold, kept[-many:]) if each not in {"a", "an", "the"}]
            before = kept[-many - 1 : -many]
            is_move = before and any(not called.isdisjoint(forms_of_verb(before[0])) for _, called in moves)
            if is_move and " ".join(said) in objects:
                del kept[-many:]
                break
    return kept if objects else tokens


def _joined(text: str, kinds: Iterable[str]) -> str:
    """Return a text with the names of cards that are several words as one word each: `sir_bramble`."""
    for kind in sorted((each for each in kinds if " " in each), key=len, reverse=True):
        text = re.sub(rf"\b{re.escape(kind)}\b", kind.replace(" ", "_"), text, flags=re.IGNORECASE)
    return text


def _sign_of(word: str, before: str, named: tuple[tuple[str, ...], _Called], words: RulebookWords) -> tuple[str, str]:
    """Return the sign of a word, and what it stands for where that has to be known."""
    kinds, moves = named
    bare = word.removesuffix("'s").removesuffix("'")
    kind = next(iter(kinds_named([bare.replace("_", " ")], kinds)), "")
    number = number_of(word) * (word not in {"once", "twice", "single"})
    number = number or {"pair": 2, "pairs": 2, "threes": 3, "fours": 4}.get(word, 0)
    if kind or number:
        return ("K", kind) if kind else ("N", str(number))
    forms = forms_of_verb(bare)
    is_place = bare == "play" and before in {"in", "into", "from"}  # What is in play lies there, and is not played.
    move = "" if is_place else next((move for move, called in moves if not called.isdisjoint(forms)), "")
    if bare in words.places and (not move or before in _BEFORE_PLACES or before.endswith(("'s", "s'"))):
        return "P", bare
    if bare in words.people:
        return ("W's" if word.endswith(("'s", "'")) else "W"), ""
    if move and not (before in {"an", "a", "the", "of", "same"} and bare in words.cards):
        return "M", move
    signs = (("C", words.cards), ("V", words.values), ("Q", words.qualities))
    return next((sign for sign, names in signs if bare in names), word), ""
