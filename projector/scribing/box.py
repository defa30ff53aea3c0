"""The one box: the first letters of words rank what was meant, the legal decisions before everything else."""

import re
from collections.abc import Iterable, Sequence
from typing import Final

from tabletape.projector.scribing.choices import Choice

_WORD: Final = re.compile(r"(?<!\w)-\d+|[^\W_]+")
MAX_FOUND: Final = 20


def words_of(text: str) -> tuple[str, ...]:
    """Return the words of a text, in small letters; a number below zero is one."""
    return tuple(_WORD.findall(text.casefold()))


LITTLE_WORDS: Final = frozenset(
    words_of(
        "a an the of into in to on at as is and for from with der die das den dem des ein eine von vom nach auf mit "
        "und zu zum im le la les l un une de du en et avec dans sur par à el los las una del y con por al"
    )
)
"""Words that letters never stand for unless they are typed whole, in the languages of phones: nobody means *the* with
a `t`."""


def place_of(typed: Sequence[str], words: Sequence[str]) -> tuple[int, int] | None:
    """Return how well words are meant by what was typed: the place of the last and of the first word that is.

    Each word that was typed has to begin a later word than the one before; None where one does not.
    """
    here, first = 0, 0
    for number, letters in enumerate(typed):
        place = next((index for index in range(here, len(words)) if _is_meant(letters, words, index)), None)
        if place is None:
            return None
        first = place if not number else first
        here = place + 1
    return here, first


ENDINGS: Final = ("s", "es", "d", "ed")
"""What people put behind the verb of a move: *plays* and *played* are its `play`."""


def _is_meant(letters: str, words: Sequence[str], index: int) -> bool:
    word = words[index]
    if word in LITTLE_WORDS:
        return word == letters
    is_one = index > 0 and words[index - 1] == "1"  # `cards` are not 1 card.
    return word.startswith(letters) or (
        letters.startswith(word) and letters.removeprefix(word) in ENDINGS and not is_one
    )


def ranked(choices: Iterable[Choice], typed: str) -> list[Choice]:
    """Return the choices that are meant by what was typed, the likeliest first.

    A sentence that says no more than what was typed comes before a longer one, what is certain before what is supposed;
    with an empty box what names a card comes before what does not, so that the end of a turn is never first.
    """
    letters = words_of(typed)
    if not letters:
        return sorted(choices, key=lambda choice: (choice.supposed, len(choice.marks) < 2))
    ranks = []
    for choice in choices:
        words = words_of(choice.words)
        place = place_of(letters, words)
        if place is not None:
            ranks.append(((choice.supposed, *place, len(words)), choice))
    return [choice for _, choice in sorted(ranks, key=lambda pair: pair[0])]
