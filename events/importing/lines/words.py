"""The words of a field also as they are printed: `the Mining Lane` is the lane mining, `Face up` is up.

Nothing here is a list of one game: the words stand at the field in the vocabulary, and what stands around them on paper
in the sentence of the event (`into the {lane} lane`) and in its phrases.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Any, Final

import msgspec

from tabletape.events.importing.quarantine.bad_lines import almost
from tabletape.events.vocabulary import choices_of
from tabletape.events.vocabulary.names import slug_of

TRUE: Final = ("yes", "y", "x", "true", "ja", "j", "oui")
FALSE: Final = ("no", "n", "false", "nein", "non")

_SMALL_WORDS: Final = frozenset(
    ["a", "an", "as", "at", "by", "for", "from", "in", "into", "of", "on", "the", "to", "with"]
)
"""What may stand in front of a word without changing it."""

_SIGN: Final = {"+": " plus ", "-": " minus ", "\u2212": " minus "}
_PLUS_OR_MINUS: Final = re.compile(r"(?<!\w)[+\u2212-](?=\d)")
_WORD: Final = re.compile(r"[^\W_]+")
_NO_LETTER: Final = re.compile(r"[^a-z0-9]+")
_SHORTEST_NOUN: Final = 3

WITHOUT_BLANKS: Final = (
    *("CJK ", "HIRAGANA ", "KATAKANA", "HALFWIDTH KATAKANA ", "BOPOMOFO ", "HANGUL "),
    *("THAI ", "LAO ", "KHMER ", "MYANMAR ", "TIBETAN "),
)
"""How the names of letters begin that have no blanks before or behind the words they are in."""


def plain(text: str) -> str:
    """Return a word as it is compared: small letters and digits, everything else a single blank."""
    return _NO_LETTER.sub(" ", text.casefold()).strip()


def name_held(text: str, meant: str, names: Iterable[str]) -> str:
    """Return the name, of a player or a card, that stands in a text and not in what that is taken for; empty for none.

    Such a text is no slip of typing: `B.attack` says whose lane it is. An id that is a small word, as `A`, counts only
    as it is written.
    """
    bare, other = f" {plain(text)} ", f" {plain(meant)} "
    for name in names:
        key = plain(name)
        held = bool(key) and f" {key} " in bare and f" {key} " not in other
        if held and (key not in _SMALL_WORDS or name in _WORD.findall(text)):
            return name
    return ""


class Words:
    """The words of one field by their printed forms; `nouns` are what each of them is called."""

    def __init__(
        self, words: Mapping[str, Any], forms: Iterable[tuple[str, Any]] = (), nouns: Iterable[str] = ()
    ) -> None:
        """Know the words as they are written in a log, and other forms; one that two words share stands for none."""
        self.exact = frozenset(words.values())
        self.nouns = frozenset(noun for each in nouns if len(noun := _key(each)) >= _SHORTEST_NOUN)
        own = _meanings(words.items())
        self._words = _meanings(each for each in forms if _key(each[0]) not in own) | own

    def called(self, text: str) -> Any:
        """Return the word that is printed so, in any case, with blanks, an article, its noun, as a plural; or None."""
        return next((self._words[key] for key in self._keys(text) if key in self._words), None)

    def near(self, text: str) -> list[Any]:
        """Return the words that a text is almost written like."""
        return list(dict.fromkeys(self._words[near] for key in self._keys(text) for near in almost(key, self._words)))

    def _keys(self, text: str) -> Iterator[str]:
        """Return the keys that a text may stand under, also without its noun."""
        key = _key(text)
        yield key
        for noun in self.nouns:
            if len(key) > len(noun):
                yield from (rest for rest in (key.removesuffix(noun), key.removeprefix(noun)) if rest != key)


@cache
def printed_words(texts: frozenset[str]) -> Words:
    """Return the words that are printed on the cards of a game."""
    return Words({text: text for text in texts})


def words_of_field(struct: type[msgspec.Struct], field: msgspec.structs.FieldInfo) -> Words:
    """Return the words of a field of an event type: its choices, or yes and no as they are written there."""
    text = _sentences(struct)
    choices = {word: word for word in choices_of(field.type)}
    phrases: Mapping[str, str] = getattr(struct, "PHRASES", {}).get(field.name, {})
    behind = re.findall(rf"\{{{field.name}(?::[^}}]*)?\}}\s+(\w+)", text)
    return Words(
        choices or {**dict.fromkeys(TRUE, True), **dict.fromkeys(FALSE, False)},
        ((phrase, word) for word, phrase in phrases.items()) if choices else _truths(field.name, text),
        (plain(field.encode_name).rpartition(" ")[2], *behind),
    )


def is_tile(struct: type[msgspec.Struct], field: msgspec.structs.FieldInfo) -> bool:
    """Return whether a place is written as a tile: `c7`."""
    return f"{{{field.name}:tile}}" in _sentences(struct)


def _sentences(struct: type[msgspec.Struct]) -> str:
    sentences = getattr(struct, "SENTENCE", "")
    return sentences if isinstance(sentences, str) else "\n".join(sentences)


def _truths(name: str, sentence: str) -> Iterator[tuple[str, bool]]:
    """Return how yes and no are written in a field in the words of the event's sentence."""
    for yes, no in re.findall(rf"\{{{name}:([^}}|]*)\|([^}}]*)\}}", sentence):
        yield from ((each, truth) for each, truth in ((yes, True), (no, False)) if _key(each))


def _meanings(forms: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    """Return the words by how their forms are compared; a form that stands for two words is left out."""
    by_form: dict[str, list[Any]] = {}
    for form, word in forms:
        meanings = by_form.setdefault(_key(form), [])
        meanings += [] if word in meanings else [word]
    return {key: meanings[0] for key, meanings in by_form.items() if len(meanings) == 1}


def _key(text: str) -> str:
    """Return a text without what may be written in one way or another: case, blanks, accents, articles, plurals."""
    words = slug_of(_PLUS_OR_MINUS.sub(lambda sign: _SIGN[sign[0]], text)).split("-")
    while len(words) > 1 and words[0] in _SMALL_WORDS:
        words = words[1:]
    return "".join(word.removesuffix("s") if len(word) > _SHORTEST_NOUN else word for word in words)


def as_own_words(text: str) -> str:
    """Return a regular expression that finds a text as words of its own, in a script without blanks anywhere."""
    before, behind = (r"" if _has_no_blanks(each) else r"\w" for each in (text[:1], text[-1:]))
    return f"{f'(?<!{before})' if before else ''}{re.escape(text)}{f'(?!{behind})' if behind else ''}"


def _has_no_blanks(letter: str) -> bool:
    """Return whether a letter is of a script that puts no blanks between words, or, as Korean, none before endings."""
    return bool(letter) and unicodedata.name(letter, "").removeprefix("COMBINING ").startswith(WITHOUT_BLANKS)
