"""Values of a command that need no reading: a text, and what its function declares where nothing was said.

Typer reads every value by pydantic, which takes longer to load than Typer itself. Most commands are called with texts
alone, and need not wait for it.
"""

from collections.abc import Callable, Iterable
from typing import Any, Final

import typer

TEXTS: Final = (str, list[str])
"""What is declared as one of these comes from the command line as it is."""

DEFAULT: Final = "DEFAULT"
"""What Typer calls the source of a value that nobody said."""


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
