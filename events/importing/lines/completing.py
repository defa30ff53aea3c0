"""What a line that lacks something was probably meant to say: its type, or a value in another column."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

import msgspec

from tabletape.events.importing.lines.lenient_reader import type_or_slip
from tabletape.events.importing.lines.text import Fields, written
from tabletape.events.importing.quarantine.bad_lines import BadLineError
from tabletape.events.vocabulary import ENVELOPE, Chance, Decision, Vocabulary, fields_of

Try = Callable[[Fields], None]

_FIXED_FIELDS: Final = frozenset({"type", "player", *ENVELOPE})


def completed(fields: Mapping[str, Any], vocabulary: Vocabulary, try_it: Try) -> str:
    """Return the suggestion of what has to change for a line to be read: `type = seed.played`, `card = A:x | target =`.

    `fields` are those of the line; `try_it` raises where fields cannot be read. Empty where nothing, or more than one
    thing, would do. Whose line it is cannot be said: after a line of Ann another of hers may follow, or one of Ben.
    """
    changes = [change for change in _changes(fields, vocabulary) if _fits({**fields, **change}, try_it)]
    return f"did you mean `{written(changes[0]).rstrip()}`?" if len(changes) == 1 else ""


def _fits(fields: Fields, try_it: Try) -> bool:
    try:
        try_it({name: value for name, value in fields.items() if value != ""})
    except (msgspec.MsgspecError, BadLineError):
        return False
    return True


def _changes(fields: Mapping[str, Any], vocabulary: Vocabulary) -> Iterator[dict[str, Any]]:
    """Return what may be written differently; a field that becomes empty is left out."""
    if "type" not in fields:
        types = vocabulary.types.items()
        yield from ({"type": tag} for tag, each in types if issubclass(each, Decision | Chance))
        return
    tag = type_or_slip(str(fields["type"]), vocabulary)
    needed = [field.encode_name for field in fields_of(vocabulary.types[tag]) if field.required] if tag else []
    lacking = [name for name in needed if name not in fields]
    if len(lacking) == 1:
        yield from ({lacking[0]: fields[name], name: ""} for name in fields if name not in _FIXED_FIELDS)
