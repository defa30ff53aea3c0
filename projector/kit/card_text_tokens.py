"""The words of a line of card text, taken one after the other, for the vocabularies of the games."""

import re
from collections.abc import Callable, Sequence
from typing import TypeVar

from tabletape.projector.model.suggestions import nearest

Read = TypeVar("Read")

_WORD = re.compile(r'"[^"]*"|->|[;,:()]|[<>]=?|=|[^\s;,:()<>="]+|"')


class Tokens:
    """A line of card text that is read from left to right; every complaint is a `ValueError` that quotes the line."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._words = _WORD.findall(text)
        self._next = 0

    def peek(self) -> str:
        """Return the next word in lower case without taking it; empty at the end."""
        return self._words[self._next].lower() if self._next < len(self._words) else ""

    def has(self, word: str) -> bool:
        """Return whether a word stands anywhere in the line, quotations left aside."""
        return word in self._words

    def goes_on(self) -> bool:
        """Return whether the effect goes on."""
        return self.peek() not in {"", ";", "if"}

    def separated(self, read: Callable[["Tokens"], Read], mark: str = ";") -> tuple[Read, ...]:
        """Read one thing or several that a mark separates."""
        things = [read(self)]
        while self.accept(mark):
            things.append(read(self))
        return tuple(things)

    def take_kept(self) -> str:
        """Take the next word as it is spelled."""
        if self._next >= len(self._words):
            raise ValueError(f"{self.text!r} ends too early")
        word: str = self._words[self._next]
        self._next += 1
        return word

    def take(self) -> str:
        """Take the next word in lower case."""
        return self.take_kept().lower()

    def accept(self, word: str) -> bool:
        """Take the next word if it is this one."""
        is_next = self.peek() == word
        self._next += is_next
        return is_next

    def expect(self, word: str) -> None:
        """Take this word."""
        taken = self.take_kept()
        if taken.lower() != word:
            raise ValueError(f"{self.text!r}: expected {word!r}, found {taken!r}")

    def end(self) -> None:
        """Make sure that the line is at its end."""
        if self._next < len(self._words):
            raise ValueError(f"{self.text!r}: {self._words[self._next]!r} has no meaning here")

    def one_of(self, known: Sequence[str], what: str) -> str:
        """Take one of the known words."""
        word = self.take_kept()
        if word.lower() not in known:
            raise self.unknown(word, what, known)
        return word.lower()

    def unknown(self, word: str, what: str, known: Sequence[str]) -> ValueError:
        """Return the complaint about an unknown word, with what it may have been meant to be."""
        best = nearest(word, known)
        hint = f"did you mean {best!r}?" if best else f"there are: {', '.join(known)}"
        return ValueError(f"{self.text!r}: there is no {what} called {word!r}; {hint}")

    def is_number(self) -> bool:
        """Return whether the next word is a number."""
        return self.peek().isdecimal()

    def number(self) -> int:
        """Take a number."""
        word = self.take_kept()
        if not word.isdecimal():
            raise ValueError(f"{self.text!r}: expected a number, found {word!r}")
        return int(word)

    def change(self) -> int:
        """Take a number with its sign."""
        word = self.take_kept()
        if not re.fullmatch(r"[+-]\d+", word):
            raise ValueError(f"{self.text!r}: expected a change such as +1 or -2, found {word!r}")
        return int(word)

    def name(self, what: str) -> str:
        """Take a name, which begins with a capital; `what` says of what kind it is."""
        word = self.take_kept()
        if not word[:1].isupper():
            raise ValueError(f"{self.text!r}: expected a {what} with a capital, found {word!r}")
        return word

    def quoted(self) -> str:
        """Take a line in quotation marks."""
        word = self.take_kept()
        if len(word) < 2 or not (word.startswith('"') and word.endswith('"')):
            raise ValueError(f"{self.text!r}: expected an ability line in quotation marks, found {word!r}")
        return word[1:-1]
