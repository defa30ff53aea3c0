"""How the fields of things are stored, and which of them only the fold needs."""

from inspect import get_annotations
from typing import Annotated, Any, Final, TypeVar, get_origin

import msgspec

AnyType = TypeVar("AnyType")
INTERNAL: Final = "only the fold needs it"
Internal = Annotated[AnyType, INTERNAL]
"""The type of a field that only the fold needs: its changes are not shown."""

STORES: Final = ("__setattr__", "__delattr__")
COMPARISONS: Final = ("__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__", "__hash__")
"""All of them, and the hash: Python looks at them together."""


class Slotted(msgspec.StructMeta):
    """The kind of class of things: their fields are set as Python sets slots, three times as fast as msgspec does.

    All that msgspec does besides is to tell the search for garbage of a struct that held nothing but words and numbers
    until then. A thing that refers to others does so from the beginning. A thing is equal to itself alone, which Python
    also tells faster.
    """

    def __init__(cls, name: str, bases: tuple[type, ...], fields: dict[str, Any], **options: Any) -> None:  # noqa: N805 - the instance of a metaclass is a class
        super().__init__(name, bases, fields, **options)
        inherited: list[frozenset[str]] = [getattr(base, "INTERNAL_FIELDS", frozenset()) for base in bases]
        own = {name for name, kind in get_annotations(cls).items() if _is_internal(kind)}
        type.__setattr__(cls, "INTERNAL_FIELDS", frozenset(own).union(*inherited))
        for method in (*STORES, *COMPARISONS):
            type.__setattr__(cls, method, getattr(object, method))


def _is_internal(kind: Any) -> bool:
    return get_origin(kind) is Annotated and INTERNAL in kind.__metadata__
