"""The arguments of a command: declared as people write them, read without pydantic where they are texts, said in words.

Typer reads every value by pydantic, which takes longer to load than Typer itself. Most commands are called with texts
alone, and need not wait for it.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

import typer

TEXTS: Final = (str, list[str])
"""What is declared as one of these comes from the command line as it is."""

DEFAULT: Final = "DEFAULT"
"""What Typer calls the source of a value that nobody said."""


def option(written: str, about: str, **more: Any) -> Any:
    """Return an option of a verb as people write it, with what stands behind it: `--out FILE`."""
    name, _, value = written.partition(" ")
    return typer.Option(name, metavar=value or None, help=about, **more)


def take_plainly(parameters: Iterable[Any]) -> None:
    """Have the parameters of a command of Typer take values that need no reading as they are."""
    for parameter in parameters:
        declared = getattr(parameter, "type_descriptor", None)
        if declared is None or declared.parameter_info.parser is not None:
            continue
        if "process_value" not in vars(parameter):
            parameter.process_value = _process(parameter, declared.annotation, parameter.process_value)


def _process(
    parameter: Any, annotation: object, read: Callable[[typer.Context, Any], Any]
) -> Callable[[typer.Context, Any], Any]:
    several = parameter.multiple or parameter.nargs != 1

    def process_value(ctx: typer.Context, value: Any) -> Any:
        source = ctx.get_parameter_source(parameter.name)
        unsaid = source is not None and source.name == DEFAULT and not parameter.required
        if not unsaid and (annotation not in TEXTS or not value):
            return read(ctx, value)
        if several:
            value = list(value or ())
        return parameter.callback(ctx, parameter, value) if parameter.callback else value

    return process_value


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
