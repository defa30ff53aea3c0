"""The page of commands: each verb as its own help describes it."""

import enum
import inspect
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Literal, get_args, get_origin

from docs.generator.markdown import code, codes, fenced, page, table
from tabletape.cli.main import Verb, found_verbs

INTRODUCTION = """\
Every command explains itself: `tabletape audit --help`. Results go to standard output, everything else (progress,
hints, errors) to standard error, so that a result can be piped on. For another program there is `--json`.

The exit code is 0 where all is well, 1 where something could not be done or is wrong, 2 for a mistyped command,
70 for a mistake of Tabletape itself, 130 after Ctrl-C.

`--db` says where the log is; without it the environment variable `TABLETAPE_DB` does, and without that it is
`tabletape.db` in the working folder. The folder of the log is the *workspace*: the datasets, a designer's own cards
(`cards/<game>.toml`) and rulebooks (`rulebooks/`) lie there too. `--datasets` names datasets by themselves,
which are asked without their log."""


def commands_page() -> str:
    """Return the page `generated/commands.md`."""
    verbs = list(found_verbs())
    listed = table(
        ["command", "what it does"],
        ([f"[`{verb.name}`](#tabletape-{verb.name})", _first_sentence(verb)] for verb in verbs),
    )
    return page("Commands", INTRODUCTION, listed, *(block for verb in verbs for block in _verb(verb)))


def _first_sentence(verb: Verb) -> str:
    return _paragraphs(verb)[0].partition(". ")[0].rstrip(".") + "."


def _verb(verb: Verb) -> Iterable[str]:
    parameters = verb.loaded().params
    arguments = [each for each in parameters if each.param_type_name == "argument"]
    options = [each for each in parameters if each.param_type_name == "option"]
    yield f"## tabletape {verb.name}"
    words = [_argument(each) for each in arguments]
    yield code(" ".join(["tabletape", str(verb.name), *words, "[OPTIONS]" if options else ""]).strip())
    for paragraph in _paragraphs(verb):
        if paragraph.startswith("Example:"):
            yield fenced(line.strip() for line in paragraph.splitlines()[1:])
        else:
            yield " ".join(paragraph.split())
    rows = [[code(_argument(each)), each.help, _default(each)] for each in arguments]
    rows += [[_option(each), each.help, _default(each)] for each in options]
    yield table(["", "meaning", "default"], rows)


def _paragraphs(verb: Verb) -> list[str]:
    return inspect.cleandoc(verb.docstring).split("\n\n")


def _argument(argument: Any) -> str:
    name = str(argument.metavar or argument.name.upper())
    if argument.required or name.startswith("["):
        return name + ("…" if argument.nargs == -1 else "")
    return f"[{name}{'…' if argument.nargs == -1 else ''}]"


def _option(option: Any) -> str:
    """Return how an option is written: `--format` with its words, a flag alone."""
    names = codes([*option.opts, *option.secondary_opts])
    if option.is_flag:
        return names
    choices = _choices(option.type_descriptor.annotation)
    return f"{names} {code('|'.join(choices) or option.metavar or _kind(option.type_descriptor.annotation))}"


def _choices(annotation: Any) -> list[str]:
    """Return the words that an option takes, or nothing where it is free."""
    if get_origin(annotation) is Literal:
        return [str(each) for each in get_args(annotation)]
    if get_origin(annotation) is not None:
        return [word for each in get_args(annotation) for word in _choices(each)]
    if isinstance(annotation, type) and issubclass(annotation, enum.Enum):
        return [str(each.value) for each in annotation]
    return []


def _kind(annotation: Any) -> str:
    inner = get_args(annotation)[0] if get_args(annotation) else annotation
    return {int: "NUMBER", float: "NUMBER", Path: "PATH"}.get(inner, "TEXT")


def _default(parameter: Any) -> str:
    """Return what holds where nothing is given."""
    if parameter.required:
        return "has to be given"
    if isinstance(parameter.show_default, str):
        return parameter.show_default
    if parameter.default in (None, "", False):
        return ""
    values = parameter.default if isinstance(parameter.default, list) else [parameter.default]
    if values == [True]:
        return code(parameter.opts[0])
    return codes(str(each.value if isinstance(each, enum.Enum) else each) for each in values)
