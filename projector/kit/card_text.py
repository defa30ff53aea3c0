"""How card text is read in every game: patterns of words, the verbs with what they do, selections and conditions.

A pattern is a piece of a line as a designer writes it. `{field:kind}` is a value, `[…]` may be left out:

    lose {n} crystals {who:player}
    token {word:token} {who:player} {lane:aimed lane} {n or 1}

Only `{n}` is written where field and kind have one name, and `or` before what is read where nothing stands. A kind is a
function that takes its words, or the words that there are; the kinds of `KINDS` are known in every game. In a table of
a card file the values stand under their fields, in any order; a kind is the words or numbers that there are.
"""

import operator
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any, ClassVar, Final, Self, TypeVar

import msgspec

from tabletape.events.vocabulary import Consequence
from tabletape.projector.kit.card_text_tokens import Tokens
from tabletape.projector.model.suggestions import unknown

Reader = Callable[[Tokens], Any]
Kinds = Mapping[str, Reader | Sequence[str] | range]
Line = TypeVar("Line")
Does = TypeVar("Does", bound=Callable[..., Any])

SIGNS: Final[Mapping[str, Callable[[int, int], bool]]] = {
    "<": operator.lt,
    "<=": operator.le,
    "=": operator.eq,
    ">=": operator.ge,
    ">": operator.gt,
}
KINDS: Final[Kinds] = {"n": Tokens.number, "change": Tokens.change, "comparison": tuple(SIGNS)}

_PIECE: Final = re.compile(r"\[([^\]]*)\]|\{(\w+)(?::([^}]+?))?(?: or (\w+))?\}|([^\s\[{]+)")


@cache
def _pieces(pattern: str) -> list[tuple[str, ...]]:
    """Return the pieces of a pattern: what may be left out, or field, kind and default of a value, or a word."""
    return _PIECE.findall(pattern)


def kinds_of(pattern: str) -> dict[str, str]:
    """Return the kinds of the values of a pattern, by their fields."""
    kinds_by_field: dict[str, str] = {}
    for optional, field, kind, _, _ in _pieces(pattern):
        kinds_by_field |= kinds_of(optional) if optional else {field: kind or field} if field else {}
    return kinds_by_field


def read(words: Tokens, pattern: str, kinds: Kinds) -> dict[str, Any]:
    """Take the words of a pattern; return the values by their fields. Raises `ValueError` as `Tokens` does."""
    values: dict[str, Any] = {}
    for optional, field, kind, default, word in _pieces(pattern):
        if optional:
            begins = optional.partition(" ")[0]
            if words.peek() == begins or (begins[0] == "{" and words.goes_on()):
                values |= read(words, optional, kinds)
        elif word:
            words.expect(word)
        else:
            source = words if not default or words.goes_on() else Tokens(default)
            known: Any = kinds[kind or field]
            values[field] = known(source) if callable(known) else source.one_of(known, kind or field)
    return values


def read_line(text: str, begins: Mapping[str, Callable[[Tokens], Line]], otherwise: Callable[[Tokens], Line]) -> Line:
    """Read a whole line by the word that it begins with, or as any other; `ValueError` for what is left over."""
    words = Tokens(text)
    read_rest = begins.get(words.peek())
    if read_rest is not None:
        words.take()
    line = (read_rest or otherwise)(words)
    words.end()
    return line


class Patterns:
    """Patterns of one sort (verbs, costs, conditions …); `rest` is what stands behind the word that one begins with.

    `kinds` are the kinds of values that may stand in them.
    """

    def __init__(self, sort: str, kinds: Kinds, *patterns: str) -> None:
        """Take the patterns, the kinds that the game adds, and what to call a word that none of them begins with."""
        self.sort, self.kinds = sort, {**KINDS, **kinds}
        self.rest: dict[str, str] = {}
        self.add(patterns)

    def add(self, patterns: Iterable[str]) -> list[str]:
        """Take more patterns; return the words that they begin with."""
        parted = [pattern.partition(" ") for pattern in patterns]
        self.rest.update((word, rest) for word, _, rest in parted)
        return [word for word, _, _ in parted]

    def __iter__(self) -> Iterator[str]:
        """Return the patterns as they are written."""
        return (f"{word} {rest}".rstrip() for word, rest in self.rest.items())

    def require(self, word: Any) -> str:
        """Return a word that a pattern begins with. Raises `ValueError` that names any other."""
        if word not in self.rest:
            raise ValueError(unknown(self.sort, str(word or ""), self.rest))
        return str(word)

    def read(self, words: Tokens) -> tuple[str, dict[str, Any]]:
        """Return the word that comes next and the values behind it, by their fields.

        Raises `ValueError` that quotes the line and names the word which does not fit.
        """
        word = words.one_of(tuple(self.rest), self.sort)
        return word, read(words, self.rest[word], self.kinds)

    def read_all(self, words: Tokens, mark: str) -> dict[str, Any]:
        """Read several that a mark separates; return their values, True under the word of one that has no value."""
        values_by_word = words.separated(self.read, mark)
        return {field: value for word, values in values_by_word for field, value in (values or {word: True}).items()}

    def read_table(self, table: Mapping[str, Any], key: str) -> tuple[str, dict[str, Any]]:
        """Return the word under a key of a table of a card file, and the values under the fields of its pattern.

        Raises `ValueError` that names the word or the value which does not fit, or what is missing.
        """
        word = self.require(table.get(key))
        kinds = kinds_of(self.rest[word])
        values = {field: value for field, value in table.items() if field != key}
        for field, value in values.items():
            if field not in kinds:
                raise ValueError(unknown(f"word of {word}", field, kinds))
            _require_known(value, self.kinds[kinds[field]], field, word)
        missing = [field for field in kinds if field not in values]
        if missing:
            raise ValueError(f"{word} needs {' and '.join(missing)}")
        return word, values


def _require_known(value: Any, known: Any, field: str, word: str) -> None:
    """Raise `ValueError` for a value of a table that is none of the known words or numbers."""
    if not isinstance(known, range):
        if value not in known:
            raise ValueError(unknown(field, str(value or ""), known))
    elif type(value) is not int or value not in known:
        least = f" from {known.start}" if known.start > 0 else ""
        raise ValueError(f"{field} of {word} has to be a number{least}, not {value!r}")


class Verbs(Patterns):
    """The verbs of a game: `does` holds the function that carries one out, `made_by` the verb that a line comes from.

    As a decorator it stands above that function, with the pattern of its words: `@verb("lose {n} crystals {who}")`.
    """

    def __init__(self, kinds: Kinds, sort: str = "verb") -> None:
        """Take the kinds of values that the game adds, and what to call a word that is none of the verbs."""
        super().__init__(sort, kinds)
        self.does: dict[str, Callable[..., Any]] = {}
        self.made_by: dict[type[Consequence], str] = {}

    def __call__(self, *patterns: str, makes: type[Consequence] | None = None) -> Callable[[Does], Does]:
        """Return the decorator of a function that carries out what these patterns say, and the line that it makes."""

        def does(function: Does) -> Does:
            for word in self.add(patterns):
                self.does[word] = function
                if makes is not None:
                    self.made_by[makes] = word
            return function

        return does


class CardSelection(msgspec.Struct, frozen=True, kw_only=True):
    """Which cards: `quantity` of them (0: all), whose, how turned, and the noun; a game adds fields and words.

    `NOUNS` are the words that end a selection, `GIVEN` those of them that name a card by themselves, so that nobody has
    to choose. `ADJECTIVES` are the words that fill a field in, or what reads the value after the name of the field; a
    word with a capital that is none of these goes into the field `CAPITAL`.
    """

    NOUNS: ClassVar[Collection[str]] = ()
    GIVEN: ClassVar[Collection[str]] = ()
    ADJECTIVES: ClassVar[Kinds] = {}
    CAPITAL: ClassVar[str] = ""

    noun: str
    quantity: int = 1
    upto: bool = False
    whose: str = ""
    turned: str = ""

    @property
    def is_chosen(self) -> bool:
        """Return whether somebody has to choose."""
        return self.quantity > 0 and self.noun not in self.GIVEN

    @classmethod
    def read(cls, words: Tokens) -> Self:
        """Read `[quantity] {adjective} noun`. Raises `ValueError` for a word that is none of these."""
        values: dict[str, Any] = {}
        if words.accept("all"):
            values["quantity"] = 0
        elif words.accept("upto"):
            values.update(quantity=words.number(), upto=True)
        elif words.is_number():
            values["quantity"] = words.number()
        while words.peek() not in cls.NOUNS:
            values.update(cls._adjective(words))
        return cls(noun=words.take(), **values)

    @classmethod
    def _adjective(cls, words: Tokens) -> dict[str, Any]:
        word = words.take_kept()
        for field, known in cls.ADJECTIVES.items():
            if callable(known) and word.lower() == field:
                return {field: known(words)}
            if not callable(known) and word.lower() in known:
                return {field: word.lower()}
        if cls.CAPITAL and word[:1].isupper():
            return {cls.CAPITAL: word}
        raise words.unknown(word, "card", tuple(cls.NOUNS))


class Condition(msgspec.Struct, frozen=True, kw_only=True):
    """What has to hold: `what`, compared with a number or of a name where it needs one."""

    what: str
    sign: str = ">="
    n: int = 0
    name: str = ""

    def compares(self, number: int) -> bool:
        """Return whether a number is as the condition asks."""
        return SIGNS[self.sign](number, self.n)


class Conditions(Patterns):
    """The conditions of a game."""

    def __init__(self, kinds: Kinds, *patterns: str) -> None:
        """Take the kinds of values that the game adds, and the patterns."""
        super().__init__("condition", kinds, *patterns)

    def guard(self, words: Tokens) -> Condition | None:
        """Read `[if condition] ->`; return the condition, or None."""
        condition = self._condition(words) if words.accept("if") else None
        words.expect("->")
        return condition

    def prefix(self, words: Tokens) -> Condition | None:
        """Read `[if condition ->]` before an effect; return the condition, or None."""
        return self.guard(words) if words.peek() == "if" else None

    def _condition(self, words: Tokens) -> Condition:
        what, values = self.read(words)
        return Condition(what=what, **values)


def refuse_choices(words: Tokens, effects: Iterable[Any], nouns: str) -> None:
    """Raise `ValueError` where an effect of a line that acts by itself asks for a choice; `nouns` ask for none."""
    for effect in effects:
        if effect.is_chosen:
            raise ValueError(
                f"{words.text!r}: nobody can choose when an ability happens by itself; write {nouns} in "
                f"{effect.verb!r}, or describe the ability in `manual`"
            )
