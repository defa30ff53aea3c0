"""What is recorded while a table changes: each change of a field, and each consequence that the rules derive."""

from collections.abc import Mapping
from typing import Any

import msgspec

from tabletape.events.vocabulary import Consequence
from tabletape.projector.model.things import Zone

Change = tuple[Any, str, Any, Any]
"""A recorded change: the thing, the name of its field, the value before, the value after.

For the field `zone` of a card the values are `(zone, index in the zone)`; for the field `made` they are `None` and a
`Made`, which says how to make the card again.
"""


class Derived(msgspec.Struct, frozen=True, gc=False):
    """A consequence that the rules make of the last decision, the rule that says so, and the journal's length then."""

    event: Consequence
    rule: str
    mark: int


class Made(msgspec.Struct, frozen=True):
    """How a card was made: the zone where it appeared, and what was not as usual with it."""

    zone: Zone
    fields: Mapping[str, Any]
