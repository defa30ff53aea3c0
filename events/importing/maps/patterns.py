"""Regular expressions of a map (`matches`), run by RE2, which no expression and no line can make slow.

Python's own engine needs exponential time for some expressions, so without the package `google-re2` (the extra `maps`)
a map that uses `matches` is refused; sentences need no package.
"""

from typing import Any, NamedTuple

try:
    import re2
except ImportError:  # pragma: no cover - depends on what is installed
    re2 = None


class PatternError(Exception):
    """A regular expression that cannot be used; the message says why."""


class Pattern(NamedTuple):
    """A regular expression with the names of its groups."""

    compiled: Any
    captures: tuple[str, ...]

    def match(self, line: str) -> dict[str, str] | None:
        """Return what the named groups capture if the whole line matches, else None."""
        found = self.compiled.fullmatch(line)
        return {name: text for name, text in found.groupdict().items() if text is not None} if found else None


def read_pattern(written: str) -> Pattern:
    """Read a regular expression. Raises `PatternError` where it is none, or where RE2 is not installed."""
    if re2 is None:
        raise PatternError("`matches` needs the package google-re2: pip install 'tabletape[maps]'; sentences do not")
    options = re2.Options()
    options.log_errors = False
    try:
        compiled = re2.compile(written, options)
    except re2.error as error:
        raise PatternError(f"{written!r} is no regular expression (of RE2): {error}") from None
    return Pattern(compiled, tuple(compiled.groupindex))
