"""Classes of other people that extend compiled ones, in Python: their annotated fields become fields.

A game that is not compiled declares its things as it does everywhere: `class Hero(Card, eq=False, kw_only=True)` with
annotated fields. msgspec makes fields of these where nothing is compiled; here it is done when the class is made.
"""

from collections.abc import Callable
from inspect import get_annotations
from typing import Any, Final

MISSING: Final = object()
MADE_BY_MYPYC: Final = "__internal_mypyc_setup"
"""The name that mypyc gives to a method of every class that it has compiled."""


def add_fields(root: type[Any], kind: Any) -> None:
    """Make fields of what a class annotates, with a constructor and copies, as in a struct. Compiled ones have theirs.

    `root` is the compiled class at the root of all that it extends. A thing that is made without a value for a field
    that has no default, or with one that it lacks, raises `TypeError`.
    """
    super(root, kind).__init_subclass__()
    if MADE_BY_MYPYC in vars(kind) or "__struct_fields__" in vars(kind):
        return
    extended: Any = next(each for each in kind.__mro__[1:] if "__struct_fields__" in vars(each))
    written = {name: each for name, each in get_annotations(kind).items() if "ClassVar" not in str(each)}
    defaults = {name: _default(vars(kind).get(name, MISSING)) for name in written}
    for name in defaults.keys() & vars(kind).keys():
        delattr(kind, name)
    inherited: tuple[str, ...] = extended.__struct_fields__
    kind.__struct_fields__ = (*inherited, *(name for name in written if name not in inherited))
    internal = {name for name, each in written.items() if "only the fold needs it" in str(each)}
    kind.INTERNAL_FIELDS = extended.INTERNAL_FIELDS | internal
    own = {name: default for name, default in defaults.items() if name not in inherited}
    changed = {name: default for name, default in defaults.items() if name in inherited}

    def make(self: Any, *values: Any, **fields: Any) -> None:
        fields |= zip(kind.__struct_fields__, values, strict=False)
        for name, default in own.items():
            value = fields.pop(name, MISSING)
            if value is MISSING:
                if default is None:
                    raise TypeError(f"Missing required argument '{name}'")
                value = default()
            setattr(self, name, value)
        for name, default in changed.items():
            if name not in fields and default is not None:
                fields[name] = default()
        extended.__init__(self, **fields)

    if "__init__" not in vars(kind):
        kind.__init__ = make
    kind.__copy__ = _copy
    kind.__replace__ = _replace


def _default(value: Any) -> Callable[[], Any] | None:
    """Return what makes a default value, None where there is none."""
    if value is MISSING:
        return None
    factory: Any = getattr(value, "default_factory", MISSING)  # of `msgspec.field(default_factory=…)`
    return (lambda: value) if factory is MISSING else factory


def _copy(thing: Any) -> Any:
    return type(thing)(**{name: getattr(thing, name) for name in thing.__struct_fields__})


def _replace(thing: Any, **changes: Any) -> Any:
    return type(thing)(**{name: getattr(thing, name) for name in thing.__struct_fields__} | changes)
