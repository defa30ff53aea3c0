"""What a cell of a sheet means: by the type of the field that its column is, not by how it looks."""

import json
import re
from collections.abc import Mapping
from datetime import date, datetime
from functools import cache
from string import ascii_lowercase
from typing import Any, Final, NamedTuple

import msgspec
from msgspec import inspect

from tabletape.events.importing.lines.places import half_letter
from tabletape.events.importing.quarantine.bad_lines import BadLineError, half_a_letter
from tabletape.events.vocabulary import Event

_SEPARATOR: Final = re.compile(r"\s*[,;]\s*|\s+/\s+")
_PLACE: Final = re.compile(
    r"(?:tile\b|cell\b)?\s*[\[(]?\s*(?:row\b|r|x)?\s*=?\s*(-?\d{1,9})"
    r"\s*[;,/| ]\s*(?:and\b\s*)?(?:col(?:umn)?\b|c|y)?\s*=?\s*(-?\d{1,9})\s*[\])]?",
    re.ASCII | re.IGNORECASE,
)
_TILE: Final = re.compile(r"(?:tile\b)?\s*([a-z])\s*[-,;/]?\s*(\d{1,3})", re.ASCII | re.IGNORECASE)


class FieldKind(NamedTuple):
    """What a field takes: text, numbers, true or false, null, a list, an object.

    A `plain_list` is one of single values, `a_place` one of two whole numbers.
    """

    text: bool
    number: bool
    truth: bool
    null: bool
    a_list: bool
    plain_list: bool
    a_place: bool
    an_object: bool


@cache
def fields(event_type: type[Event]) -> Mapping[str, FieldKind]:
    """Return the fields of an event type by the name that they have in a log."""
    return {field.encode_name: _field(field.type) for field in msgspec.structs.fields(event_type)}


def _field(annotation: Any) -> FieldKind:
    kinds = list(_kinds(inspect.type_info(annotation)))
    lists = [kind for kind in kinds if isinstance(kind, _LISTS)]
    return FieldKind(
        text=any(isinstance(kind, inspect.StrType | inspect.LiteralType) for kind in kinds),
        number=any(isinstance(kind, inspect.IntType | inspect.FloatType) for kind in kinds),
        truth=any(isinstance(kind, inspect.BoolType) for kind in kinds),
        null=any(isinstance(kind, inspect.NoneType) for kind in kinds),
        a_list=bool(lists),
        plain_list=any(_is_plain(kind) for kind in lists),
        a_place=any(_is_place(kind) for kind in lists),
        an_object=any(isinstance(kind, inspect.DictType | inspect.StructType) for kind in kinds),
    )


_LISTS: Final = (inspect.ListType, inspect.VarTupleType, inspect.TupleType)


def _kinds(of_field: inspect.Type) -> list[inspect.Type]:
    """Return the options of a type."""
    if isinstance(of_field, inspect.Metadata):
        return _kinds(of_field.type)
    if isinstance(of_field, inspect.UnionType):
        return [kind for each in of_field.types for kind in _kinds(each)]
    return [of_field]


def _is_plain(of_field: inspect.Type) -> bool:
    """Return whether the elements of a list are single values, so that `A:x; A:y` can be one."""
    elements = (
        list(of_field.item_types)
        if isinstance(of_field, inspect.TupleType)
        else [getattr(of_field, "item_type", of_field)]
    )
    inner = [kind for each in elements for kind in _kinds(each)]
    return not any(isinstance(kind, (*_LISTS, inspect.DictType, inspect.StructType)) for kind in inner)


def _is_place(of_field: inspect.Type) -> bool:
    """Return whether a list is two whole numbers: a row and a column."""
    items = of_field.item_types if isinstance(of_field, inspect.TupleType) else ()
    return len(items) == 2 and all(isinstance(kind, inspect.IntType) for each in items for kind in _kinds(each))


def value(cell: Any, name: str, field: FieldKind | None) -> Any:
    """Return the value in a filled cell of the column `name`, for a field that takes `field` (`None`: unknown).

    What a line of JSON says (a list, an object, null) stays as it is.

    Raises `BadLineError` where a list or an object is not written as JSON.
    """
    if field is None:
        return cell if isinstance(cell, str | int | float | bool | list | dict | None) else str(cell)
    if isinstance(cell, str):
        return _of_text(cell.strip(), name, field)
    if cell is None or isinstance(cell, list | dict):
        return cell
    if isinstance(cell, datetime | date):
        return _time(cell)
    if isinstance(cell, float) and cell.is_integer():
        cell = int(cell)
    if field.plain_list:
        return [cell]
    return str(cell) if field.text and not field.number and not isinstance(cell, bool) else cell


def place(text: str, *, a_tile: bool = False) -> list[int] | None:
    """Return the two numbers of a place, None for no place: `(3, 7)`, `3/7`, `row 3, column 7`; `c7` is `a_tile`."""
    if a_tile and (tile := _TILE.fullmatch(text.strip())):
        return [ascii_lowercase.index(tile[1].lower()) + 1, int(tile[2])]
    match = _PLACE.fullmatch(text.strip())
    return [int(number) for number in match.groups()] if match else None


def _of_text(text: str, name: str, field: FieldKind) -> Any:
    if text == "null" and field.null:
        return None
    if field.a_place and (found_place := place(text)):
        return found_place
    if (field.a_list and text.startswith("[")) or (field.an_object and text.startswith("{")):
        try:
            document = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise BadLineError("not-json", (name,), f"`{name}`: the cell is no JSON: {error}") from error
        if half := half_letter(document):
            raise half_a_letter((name,), half)
        return document
    if field.plain_list:
        return _SEPARATOR.split(text)
    return text


def _time(moment: date) -> str:
    """Write a spreadsheet's date as a log has it; one without a zone (spreadsheets know none) counts as UTC."""
    if isinstance(moment, datetime) and moment.tzinfo is not None:
        return moment.isoformat()
    return moment.isoformat() + ("" if isinstance(moment, datetime) else "T00:00:00") + "Z"
