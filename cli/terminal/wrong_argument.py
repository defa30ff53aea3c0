"""What is said of an argument that cannot be read: in the words of this program, not of the library that reads it."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import typer

_EXPECTED_WORDS: Final[Mapping[str, Callable[[Mapping[str, Any]], str]]] = {
    "int_parsing": lambda _: "a whole number",
    "int_from_float": lambda _: "a whole number",
    "float_parsing": lambda _: "a number",
    "bool_parsing": lambda _: "yes or no",
    "greater_than_equal": lambda bounds: f"{bounds['ge']:g} or more",
    "less_than_equal": lambda bounds: f"{bounds['le']:g} or less",
}
"""What was expected, by the kind of mistake that Typer's reader of arguments names, with what it says of it."""

_LIBRARY: Final = "Value error, "
"""What that reader puts before a message that is ours or Typer's own."""


def in_plain_words(error: typer.BadParameter) -> str:
    """Return what is wrong with an argument: what was expected in its place, and what was written."""
    mistakes: Sequence[Mapping[str, Any]] = getattr(error.__cause__, "errors", list)()
    if not mistakes:
        return str(error.message).removeprefix(_LIBRARY)
    first = mistakes[0]
    if first["type"] in _EXPECTED_WORDS:
        expected = _EXPECTED_WORDS[first["type"]](first.get("ctx", {}))
    elif getattr(error.param, "metavar", "") == "DAY":
        expected = "a day, as in 2026-05-01,"
    else:
        return str(error.message).removeprefix(_LIBRARY)
    return f"{expected} was expected, not {first['input']!r}"
