"""The words in which a line may say a move of the game's own file: what the move is called, and the cards."""

import re
from collections.abc import Iterable, Mapping
from typing import Final

from tabletape.events.importing.maps.matching import Fit
from tabletape.events.vocabulary import Vocabulary

_ENDS: Final = (
    *(("", ""), ("s", ""), ("es", ""), ("ies", "y"), ("ed", ""), ("d", ""), ("ied", "y")),
    *(("ing", ""), ("ing", "e")),
)
"""What stands for what at the end of a verb: plays, passes, carries, traded, drawing, trading."""

_PAST: Final[Mapping[str, str]] = {
    "bought": "buy",
    "built": "build",
    "drew": "draw",
    "gave": "give",
    "laid": "lay",
    "sold": "sell",
    "took": "take",
}
"""Verbs of the table whose past is a word of its own."""

MOVE_REASON: Final = (
    "it names `{}` and may be a move, so it is not skipped with the talk: behind it nothing is called illegal; a "
    "sentence of its own in the map says what it is, with `skip = true` where it is talk"
)
"""Why a line is left over that a sentence for any talk fits."""

_WORD: Final = re.compile(r"[\w'\u2019-]+")


def move_called(verb: str, known: Vocabulary) -> str:
    """Return the line of the move that a verb names, in any person, now or in the past; empty where there is none."""
    word = verb.casefold()
    named = [f"move.{each}" for each in (_PAST.get(word, word), *_without_ends(word))]
    tag = next((tag for tag in named if tag in known.types or tag in known.written_as), "")
    return known.written_as.get(tag, tag)


def _without_ends(word: str) -> list[str]:
    return [f"{word.removesuffix(end)}{instead}" for end, instead in _ENDS if word.endswith(end)]


class MoveWords:
    """The names of the moves and of the cards of one game."""

    def __init__(self, known: Vocabulary, cards: Iterable[str]) -> None:
        """Know the moves of a vocabulary, and the names of cards as they are printed."""
        self._known = known
        self._cards: dict[str, set[tuple[str, ...]]] = {}
        for name in cards:
            words = tuple(_WORD.findall(name.casefold()))
            if words:
                self._cards.setdefault(words[0], set()).add(words)

    def first_in(self, text: str) -> str:
        """Return the first words of a text that name a move or a card, one or several of it; empty where none do."""
        words: list[str] = _WORD.findall(text)
        forms = [{*_without_ends(word.casefold())} for word in words]
        for place, word in enumerate(words):
            named = (card for form in forms[place] for card in self._cards.get(form, ()))
            card_words = next((card for card in named if _begins(forms[place:], card)), None)
            if card_words is not None:
                return " ".join(words[place : place + len(card_words)])
            if move_called(word, self._known):
                return word
        return ""

    def passed_over_by(self, fit: Fit, text: str) -> str:
        """Return why a text is not passed over with what an entry skips: it may be a move; empty where it is none.

        A sentence that says the words itself, and a row that is known by its columns, are passed over on purpose.
        """
        entry = fit.line.entry
        if not entry.skip or entry.event or entry.when:
            return ""
        if fit.sentence is not None:
            named = self.first_in(" ".join(fit.captured.get(name, "") for name in fit.sentence.texts))
        else:
            meant = {*_WORD.findall(str(entry.matches))}
            named = self.first_in(" ".join(word for word in _WORD.findall(text) if word not in meant))
        return MOVE_REASON.format(named) if named else ""


def _begins(forms: list[set[str]], name: tuple[str, ...]) -> bool:
    """Return whether words, each in its forms, begin with a name."""
    return len(forms) >= len(name) and all(word in form for word, form in zip(name, forms, strict=False))
