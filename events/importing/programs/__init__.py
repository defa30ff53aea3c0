"""The readers of files of other programs that come with Tabletape, found by scanning: a module with `read` is one."""

import json
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import Any

ReadLine = tuple[int | str, Mapping[str, Any]]
"""A line of a log that a reader has made: its place in the file, and its fields."""


def document(content: bytes, mark: bytes) -> Mapping[str, Any] | None:
    """Return the JSON object that a file is in which a mark stands; None for any other file."""
    try:
        read = json.loads(content) if mark in content else None
    except (ValueError, RecursionError):
        return None
    return read if isinstance(read, dict) else None


@cache
def shipped_readers() -> Mapping[str, Callable[[bytes], Iterator[Any] | None]]:
    """Return the readers by the names of their programs, such as `tabletop-simulator`."""
    modules = (import_module(f"{__name__}.{each.name}") for each in iter_modules(__path__))
    return {each.__name__.rpartition(".")[2].replace("_", "-"): each.read for each in modules if hasattr(each, "read")}
