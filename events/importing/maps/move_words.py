"""The words in which a line may say a move of the game's own file: what the move is called, and the cards."""

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from rapidfuzz.distance import OSA

from tabletape.events.importing.maps.matching import Fit
from tabletape.events.vocabulary import Vocabulary

_ENDS: Final = (
    *(("", ""), ("s", ""), ("es", ""), ("ies", "y"), ("ed", ""), ("d", ""), ("ied", "y")),
    *(("ing", ""), ("ing", "e")),
)
"""What stands for what at the end of a verb: plays, passes, carries, traded, drawing, trading."""

_GERMAN_ENDS: Final = (("t", "e"), ("en", "e"), ("eln", "le"), ("elt", "le"), ("ern", "re"), ("ert", "re"))
"""How somebody who writes it says a German verb himself: kocht and gekocht koche, sammelt sammle."""

_PAST: Final = dict(
    re.findall(
        r"(\w+)=(\w+)",
        "ate=eat beaten=beat bent=bend blew=blow blown=blow bought=buy bound=bind broke=break broken=break "
        "brought=bring built=build "
        "caught=catch chose=choose chosen=choose dealt=deal drank=drink drawn=draw drew=draw driven=drive "
        "drove=drive dug=dig eaten=eat fallen=fall fed=feed fell=fall flew=fly flown=fly fought=fight "
        "found=find froze=freeze frozen=freeze gave=give given=give gone=go grew=grow grown=grow held=hold "
        "hid=hide hidden=hide hung=hang kept=keep laid=lay led=lead lent=lend lit=light lost=lose met=meet "
        "paid=pay ran=run rang=ring rung=ring ridden=ride rode=ride sang=sing sank=sink sent=send shaken=shake "
        "shook=shake shot=shoot shown=show slept=sleep slid=slide sold=sell sown=sow spent=spend spun=spin "
        "stole=steal stolen=steal sung=sing sunk=sink swam=swim swept=sweep swum=swim swung=swing taken=take "
        "threw=throw thrown=throw told=tell took=take tore=tear torn=tear went=go woke=wake won=win "
        "wove=weave woven=weave written=write wrote=write",
    )
)
"""Verbs of the table whose past is a word of its own."""

MOVE_REASON: Final = (
    "it names `{}` and may be a move, so it is not skipped with the talk: behind it nothing is called illegal; a "
    "sentence of its own in the map says what it is, with `skip = true` where it is talk"
)
"""Why a line is left over that a sentence for any talk fits."""

_WORD: Final = re.compile(r"[\w'\u2019-]+")
_BEFORE_A_VERB: Final = frozenset(re.findall(r"\w+", "i ich je ok okay so then now and well und dann also"))
"""Behind these somebody who writes what he does says the verb."""

_SURE: Final = 4
"""A word of fewer letters is another word more often than a slip of typing."""


def move_called(verb: str, known: Vocabulary) -> str:
    """Return the line of the move that a verb names, in any person, now or in the past; empty where there is none."""
    named = [f"move.{each}" for each in forms_of_verb(verb)]
    tag = next((tag for tag in named if tag in known.types or tag in known.written_as), "")
    return known.written_as.get(tag, tag)


@lru_cache(maxsize=1 << 14)  # a rulebook is read again for each of its sentences, always with the same words
def forms_of_verb(verb: str) -> tuple[str, ...]:
    """Return what a verb may be called that stands in any person, now or in the past, in small letters."""
    word = verb.casefold()
    return (_PAST.get(word, word), *_without_ends(word))


def _without_ends(word: str) -> list[str]:
    forms = [f"{word.removesuffix(end)}{instead}" for end, instead in _ENDS if word.endswith(end)]
    halved = [each[:-1] for each in forms[1:] if len(each) > 2 and each[-1] == each[-2]]  # swapped, cutting
    bare = word.removeprefix("ge") if word.endswith(("t", "en")) else word
    german = [f"{form.removesuffix(end)}{instead}" for form in dict.fromkeys((word, bare))
              for end, instead in _GERMAN_ENDS if form.endswith(end) and len(form) > _SURE]  # fmt: skip
    return [*forms, *halved, *german]


class MoveWords:
    """The names of the moves and of the cards of one game; `is_own`: its moves are those of a file."""

    def __init__(self, known: Vocabulary, cards: Iterable[str]) -> None:
        """Know the moves of a vocabulary, and the names of cards as they are printed."""
        self._known = known
        self._moves = [tag.removeprefix("move.") for tag in known.types if tag.startswith("move.")]
        self.is_own = bool(self._moves)
        self._cards: dict[str, set[tuple[str, ...]]] = {}
        for name in cards:
            words = tuple(_WORD.findall(name.casefold()))
            if words:
                self._cards.setdefault(words[0], set()).add(words)

    def first_in(self, text: str) -> str:
        """Return the first words of a text that name a move or a card, one or several of it; empty where none do.

        A slip of typing names what was meant: `blakc 4` a card, `i rst` a move.
        """
        words: list[str] = _WORD.findall(text)
        forms = [{*_without_ends(word.casefold())} for word in words]
        for place, word in enumerate(words):
            named = (card for form in forms[place] for card in self._cards.get(form, ()))
            card_words = next((card for card in named if _begins(forms[place:], card)), None)
            if card_words is not None:
                return " ".join(words[place : place + len(card_words)])
            if move_called(word, self._known):
                return word
        return self._misspelt_in([word.casefold() for word in words]) if self.is_own else ""

    def _misspelt_in(self, words: list[str]) -> str:
        """Return the first words that name a card, or with which somebody says a move, but for one slip of typing."""
        verb = next((place for place, word in enumerate(words) if word not in _BEFORE_A_VERB), 0)
        for place, word in enumerate(words):
            said = (word, *_without_ends(word)) if place == verb else ()
            if any(_is_slip(each, move, _SURE) for each in said for move in self._moves):
                return word
            for card in self.meant_by(words[place:]):
                return " ".join(words[place : place + len(card)])
        return ""

    def meant_by(self, words: list[str]) -> list[tuple[str, ...]]:
        """Return the cards whose names words begin with, but for one slip of typing in the first of them.

        With a number behind it a name may be short, and have another letter in it: `gray 4` is grey 4.
        """
        return [
            card
            for first, cards in self._cards.items()
            if words[0][:1] == first[:1]
            for card in sorted(cards)
            if tuple(words[1 : len(card)]) == card[1:] and _is_slip(words[0], first, _SURE - len(card[1:]))
        ]

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


def _is_slip(word: str, name: str, letters: int) -> bool:
    """Return whether a word of at least so many `letters` is a name with one slip of typing behind its first letter.

    One letter is left out, doubled or swapped with the next; another one in its place only makes a long name, or one
    of which fewer letters are enough.
    """
    if word == name or word[:1] != name[:1] or len(name) < letters or min(len(word), len(name)) < _SURE - 1:
        return False
    is_other = len(word) == len(name) and sorted(word) != sorted(name)
    return OSA.distance(word, name, score_cutoff=1) <= 1 and (not is_other or letters < _SURE or len(name) > _SURE)


def _begins(forms: list[set[str]], name: tuple[str, ...]) -> bool:
    """Return whether words, each in its forms, begin with a name."""
    return len(forms) >= len(name) and all(word in form for word, form in zip(name, forms, strict=False))
