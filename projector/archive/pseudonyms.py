"""Games without the names of their players: whoever shares an evening need not say who played.

The same person has the same pseudonym in all games that are shared together.
"""

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from itertools import count
from typing import Any, Final
from unicodedata import normalize

import msgspec

from tabletape.events.importing.lines.words import as_own_words
from tabletape.events.log.rows import StoredGame
from tabletape.events.vocabulary import Event, vocabulary
from tabletape.events.vocabulary.names import slug_of
from tabletape.events.vocabulary.shared import GameStarted
from tabletape.projector.fold.folding import fold_under
from tabletape.projector.fold.replay import Replay
from tabletape.projector.fold.traced import Traced

Names = Mapping[str, str]
"""Pseudonyms by the names that they stand for."""

FREE: Final = frozenset({"name", "text", "note", "answers"})
SEATS_TOO: Final = FREE | {"deck"}
"""The fields of events, and of their parts, in which people write what they like: elsewhere `deck` says which pile."""

SHORTEST: Final = 3
"""A first name of so many letters is replaced by itself, too."""

NO_NAMES: Final = {
    "the", "der", "die", "lady", "lord", "sir", "mrs", "miss", "doctor", "prof", "professor", "herr", "frau", "madame",
    "monsieur", "señor", "señora",
}  # fmt: skip
"""What stands before a name and is none: of `The Ann` nobody is called `The`, which stands in every other sentence."""


def pseudonyms(games: Iterable[StoredGame]) -> dict[str, str]:
    """Return `Player 1`, `Player 2` … for the names of the players of some games, in the order in which they come.

    Nobody is called so as another one really is.
    """
    names = dict.fromkeys(player.name for stored in games for player in stored.players)
    real = {name.casefold() for name in names}
    free = (called for number in count(1) if (called := f"Player {number}").casefold() not in real)
    return dict(zip(names, free, strict=False))


def renamed(text: str, names: Names) -> str:
    """Return a text with pseudonyms in place of names, in large or small letters; of `Ann Lee` also of `Ann`.

    A text that has been renamed already stays as it is.
    """
    if text in names:
        return names[text]
    every, others = _finder(tuple(names.items()))
    return every.sub(lambda met: others[(met.lastindex or 1) - 1], text) if others else text


@lru_cache(maxsize=8)
def _finder(names: tuple[tuple[str, str], ...]) -> tuple[re.Pattern[str], list[str]]:
    """Return what finds every name in its forms, a group for each, and what stands for each group."""
    known = {other: other for _, other in names}
    meant: dict[str, dict[str, None]] = {}
    for name, other in names:
        for form in _forms(name):
            meant.setdefault(form.casefold(), {})[other] = None
    known |= {form: " or ".join(meant[form.casefold()]) for name, _ in names for form in _forms(name)}
    firsts: dict[str, list[str]] = {}
    for name, other in names:
        firsts.setdefault(first_name(name), []).append(other)
    for first, of_all in firsts.items():
        known = dict.fromkeys(_forms(first) if len(first) >= SHORTEST else (), " or ".join(of_all)) | known
    longest_first = sorted(filter(None, known), key=len, reverse=True)
    every = "|".join(f"({as_own_words(form)})" for form in longest_first)
    return re.compile(every, re.IGNORECASE), [known[form] for form in longest_first]


def first_name(name: str) -> str:
    """Return what people call somebody: the first word of the name that is a name; empty where none is."""
    words = (word for word in name.split(" ") if word.strip(".").casefold() not in NO_NAMES)
    return next(words, "")


def _forms(name: str) -> set[str]:
    """Return a name as it may be written: `Weiß` is `WEISS`, accents may be signs of their own, or gone in ids."""
    cased = (name, name.casefold(), name.upper(), name.lower())
    return {name, slug_of(name), *(normalize(form, each) for each in cased for form in ("NFC", "NFD", "NFKC"))}


def renamed_in(value: Any, names: Names) -> Any:
    """Return whatever texts are in with pseudonyms in place of names: structs, mappings, sequences."""
    if isinstance(value, str):
        return renamed(value, names)
    if isinstance(value, msgspec.Struct):
        parts = {field: renamed_in(getattr(value, field), names) for field in value.__struct_fields__}
        return msgspec.structs.replace(value, **parts)
    if isinstance(value, Mapping):
        return {renamed_in(key, names): renamed_in(each, names) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return type(value)(renamed_in(each, names) for each in value)
    return value


def without_names(stored: StoredGame, replayed: Replay, names: Names) -> tuple[StoredGame, Replay]:
    """Return a stored game and its replay, folded anew, with pseudonyms for names, in ids and in free text too."""
    # An id that is a name; one like `A` may mean something else as well.
    told = [seat.id for seat in stored.players if renamed(seat.id, names) != seat.id]
    ids_there = {seat.id for seat in stored.players}
    ids = dict(zip(told, (each for number in count(1) if (each := f"p{number}") not in ids_there), strict=False))
    events = [_renamed(event, stored.game, names, ids) for event in replayed.events]
    players = tuple(
        seat._replace(
            id=ids.get(seat.id, seat.id),
            name=names.get(seat.name, seat.name),
            deck=renamed(seat.deck or "", names) or None,
        )
        for seat in stored.players
    )
    hidden = stored._replace(game_id=renamed(stored.game_id, names), players=players, file=None)
    traced = isinstance(replayed, Traced)
    return hidden, fold_under(replayed.game, replayed.ruleset, events, replayed.library, traced=traced)


def _renamed(event: Event, slug: str, names: Names, ids: Names) -> Event:
    values = {key: _walked(value, names, ids, key in FREE) for key, value in msgspec.to_builtins(event).items()}
    if isinstance(event, GameStarted):
        values["id"] = renamed(event.id, names)
    values.pop("writer", None)  # A token is called after its owner, more often than not.
    return vocabulary(slug).convert(values)


def _walked(value: Any, names: Names, ids: Names, free: bool) -> Any:  # noqa: FBT001 - whether it is anybody's words
    """Return a value of an event with pseudonyms; a single word is an id unless the field has words of people."""
    if isinstance(value, str):
        owner, colon, card = value.partition(":")
        if owner in ids and " " not in owner:
            return f"{ids[owner]}{colon}{card}"
        return renamed(value, names) if free or " " in value else value
    if isinstance(value, dict):
        return {ids.get(key, key): _walked(each, names, ids, free or key in SEATS_TOO) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_walked(each, names, ids, free) for each in value]
    return value
