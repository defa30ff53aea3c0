"""Cards that a file says as a product: every colour with every rank, each with as many copies as the rank has."""

import re
from collections.abc import Iterator, Mapping
from itertools import product
from math import prod
from typing import Any, Final

MOST: Final = 10_000
"""How many cards one product may be."""

PATTERNS: Final = ("id", "name", "kind")

_FIELD: Final = re.compile(r"\{(\w+)\}")


def cards_of_product(entry: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the cards of a `[[product]]`: one for each choice of a value from each of its lists.

    All other values are those of every card. `id`, `name` and `kind` may name values, as in `{rank} of {suit}`; by
    default the values make up the id and the name, and the first one is the kind. `copies` is a number, or a list with
    one for each value of the last list. Raises `ValueError` where no cards can be made of it.
    """
    lists = {field: value for field, value in entry.items() if isinstance(value, list) and field != "copies"}
    if not lists or not all(lists.values()):
        raise ValueError("a product needs lists with values, as in rank = [1, 2, 3]")
    if prod(map(len, lists.values())) > MOST:
        raise ValueError(f"a product has at most {MOST:,} cards")
    copies = _copies(entry.get("copies"), *reversed(lists.items()))
    rest = {field: value for field, value in entry.items() if field not in {*lists, *PATTERNS, "copies"}}
    for values in product(*lists.values()):
        chosen = dict(zip(lists, values, strict=True))
        words = [str(value) for value in values]
        card = {
            **rest,
            **chosen,
            "id": "-".join(words).lower().replace(" ", "-"),
            "name": " ".join(words).capitalize(),
            "kind": words[0],
        }
        card |= {field: _filled(entry[field], chosen) for field in PATTERNS if field in entry}
        yield card | ({"copies": copies[values[-1]]} if copies else {})


def _copies(written: Any, last: tuple[str, list[Any]], *_others: Any) -> dict[Any, Any]:
    """Return how many copies there are, by the values of the last list; nothing where the file does not say."""
    field, values = last
    if written is None:
        return {}
    if not isinstance(written, list):
        return dict.fromkeys(values, written)
    if len(written) != len(values):
        raise ValueError(f"`copies` has {len(written)} numbers for {len(values)} values of `{field}`")
    return dict(zip(values, written, strict=True))


def _filled(pattern: Any, chosen: Mapping[str, Any]) -> str:
    unknown = [field for field in _FIELD.findall(str(pattern)) if field not in chosen]
    if unknown:
        raise ValueError(f"{pattern!r} names {unknown[0]!r}, which is none of its lists: {', '.join(chosen)}")
    return _FIELD.sub(lambda match: str(chosen[match[1]]), str(pattern))
