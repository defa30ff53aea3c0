"""The page of the Python interface, made from its docstrings."""

import inspect
import re
from collections.abc import Iterator
from typing import Any, Final

import tabletape
from docs.generator.markdown import code, page, table
from tabletape.dashboard.questions import Filters
from tabletape.dashboard.tape.choosing import HowRead
from tabletape.dashboard.tape.importing import ImportOptions
from tabletape.dashboard.tape.records import DataFrames
from tabletape.dashboard.tape.simulating import Planned

INTRODUCTION: Final = """\
What `import tabletape` gives a notebook or a script; [how to use it](../how-to/use-from-python.md). Types are part of
it (`py.typed`). Every error that a person can do something about is a `TabletapeError`."""

ORDER: Final = (
    "open", "Tape", "TapeGame", "TapeReplay", "TapeStep", "QuestionAnswer", "AnsweredShare", "DatasetFolder",
    "GameMending", "Records", "GameList", "FindingList", "connect", "RemoteTape", "TabletapeError",
)  # fmt: skip
"""The names as somebody comes upon them."""

OPTIONS: Final = (HowRead, Filters, ImportOptions, Planned)
"""The options that several methods take, by the name that stands behind `**`."""

_MODULE: Final = re.compile(r"\b(?:\w+\.)+(?=[A-Z])")


def python_page() -> str:
    """Return the page `generated/python.md`."""
    if set(ORDER) != set(tabletape.__all__):
        raise ValueError("the page of the Python interface has other names than the interface")
    blocks = [block for name in ORDER for block in _of(name, getattr(tabletape, name))]
    return page("Python", INTRODUCTION, *blocks, "## Options", *map(_options, OPTIONS))


def _of(name: str, thing: Any) -> Iterator[str]:
    """Yield the blocks about a name of the interface."""
    yield f"## {name}"
    if not inspect.isclass(thing):
        yield code(f"tabletape.{name}{_signature(thing)}")
    yield inspect.getdoc(thing) or ""
    if inspect.isclass(thing):
        yield table(["", "what it is"], _properties(thing))
        for method, function in _methods(thing):
            yield f"### {name}.{method}"
            yield code(f"{method}{_signature(function)}")
            yield inspect.getdoc(function) or ""


def _own(thing: type) -> Iterator[tuple[str, Any]]:
    """Yield what a class of ours has of its own, in the order of its source, and the data frames that it becomes."""
    frames = vars(DataFrames) if DataFrames in thing.__bases__ else {}
    own = {**vars(thing), **{name: each for name, each in frames.items() if name not in vars(thing)}}
    return ((name, each) for name, each in own.items() if not name.startswith("_"))


def _properties(thing: type) -> Iterator[list[str]]:
    for name, each in _own(thing):
        if hasattr(each, "__doc__") and not inspect.isfunction(each):
            yield [code(name), (inspect.getdoc(each) or "") if name not in getattr(thing, "_fields", ()) else ""]


def _methods(thing: type) -> Iterator[tuple[str, Any]]:
    return ((name, each) for name, each in _own(thing) if inspect.isfunction(each))


class _Type(str):
    """A type that is written without the quotes of its source."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)


def _signature(function: Any) -> str:
    """Return the signature of a function without `self`, its types without their modules."""
    found = inspect.signature(function)
    kept = [
        each.replace(annotation=_bare(each.annotation)) for name, each in found.parameters.items() if name != "self"
    ]
    return _MODULE.sub("", str(found.replace(parameters=kept, return_annotation=_bare(found.return_annotation))))


def _bare(annotation: Any) -> Any:
    return _Type(annotation) if isinstance(annotation, str) else annotation


def _options(options: Any) -> str:
    rows = (
        [code(name), code(_MODULE.sub("", inspect.formatannotation(kind)))]
        for name, kind in options.__annotations__.items()
    )
    return f"### {options.__name__}\n\n{inspect.getdoc(options)}\n\n{table(['option', 'type'], rows)}"
