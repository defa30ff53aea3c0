"""Regular expressions of a map (`matches`), run by RE2, which no expression and no line can make slow.

Python's own engine needs exponential time for some expressions. Without the package `google-re2` (the extra `maps`) it
runs only expressions that cannot, which repeat nothing but single characters, and looks only at lines that are short
enough for what is left: k repetitions divide a line of n characters in about n^k / k! ways, and each choice doubles
them.
"""

import math
import re
from typing import Any, Final, NamedTuple

from tabletape.events.errors import TabletapeError

try:
    import re2
except ImportError:  # pragma: no cover - depends on what is installed
    re2 = None

STEPS: Final = 100_000
"""How many steps a line may take at worst: ten thousand lines come to two seconds or so."""

ENGINE_STEPS: Final = 200
"""How many steps of a regular expression engine take about as long as one of ours."""

SHORTEST: Final = 20
"""An expression for which even lines of this length are too long is refused."""

LONGEST: Final = 4000

_PARTS: Final = re.compile(
    r"(?P<other>\\[1-9]|\(\?P=|\(\?(?:[=!]|<[=!]))"
    r"|(?P<group>\)(?:[*+]|\{))"
    r"|(?P<repeat>(?:\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|[^\\()\[\]{}*+?])(?:[*+]|\{\d*,?\d*\}))"
    r"|\(\?(?:P<\w+>|:)"
    r"|(?P<choice>[?|])"
    r"|\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|.",
    re.DOTALL,
)
"""The parts of an expression, read from left to right: what a back reference or a look around is, a group that is
repeated, a character that is repeated, a choice of two, any other character."""

NEEDS_RE2: Final = "pip install 'tabletape[maps]' brings the package google-re2, which runs any expression"


class PatternError(TabletapeError):
    """A regular expression that cannot be used; the message says why."""


class Pattern(NamedTuple):
    """A regular expression with the names of its groups; lines that are longer than `longest` are not looked at.

    `repeats` and `choices` are counted where Python's own engine runs it.
    """

    compiled: Any
    captures: tuple[str, ...]
    longest: int = LONGEST
    repeats: int = 0
    choices: int = 0

    def steps(self, line: str) -> int:
        """Return how many steps (of `effort`) a line takes at the worst."""
        if len(line) > self.longest:
            return 1
        ways = len(line) ** self.repeats / math.factorial(self.repeats) * 2.0**self.choices
        return 1 + len(line) // 10 + int(ways / ENGINE_STEPS)

    def match(self, line: str) -> dict[str, str] | None:
        """Return what the named groups capture if the whole line matches, else None."""
        match = self.compiled.fullmatch(line) if len(line) <= self.longest else None
        return {name: text for name, text in match.groupdict().items() if text is not None} if match else None


def read_pattern(written: str) -> Pattern:
    """Read a regular expression. Raises `PatternError` where it is none, or one that needs RE2."""
    if re2 is None:
        return _capped(written)
    options = re2.Options()
    options.log_errors = False
    try:
        compiled = re2.compile(written, options)
    except re2.error as error:
        raise PatternError(f"{written!r} is no regular expression (of RE2): {error}") from None
    return Pattern(compiled, tuple(compiled.groupindex))


def _capped(written: str) -> Pattern:
    """Return an expression for Python's own engine, if it is one that cannot take exponential time."""
    try:
        compiled = re.compile(written)
    except (re.error, RecursionError, OverflowError) as error:
        raise PatternError(f"{written!r} is no regular expression: {error}") from None
    kinds = [part.lastgroup for part in _PARTS.finditer(written)]
    if "other" in kinds or "group" in kinds:
        what = "refers back or looks around" if "other" in kinds else "repeats a group"
        raise PatternError(f"{written!r} {what}; {NEEDS_RE2}")
    repeats, choices = kinds.count("repeat"), kinds.count("choice")
    steps = STEPS * math.factorial(repeats) / 2.0**choices
    longest = int(steps ** (1 / repeats)) if repeats else LONGEST * (steps >= 1)
    if longest < SHORTEST:
        raise PatternError(f"{written!r} divides a line in too many ways; {NEEDS_RE2}")
    return Pattern(compiled, tuple(compiled.groupindex), min(longest, LONGEST), repeats, choices)
