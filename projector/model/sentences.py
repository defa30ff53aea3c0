"""Events as sentences: the template that stands beside an event type's fields, filled in with the words of a table.

A template is plain text. `{card}` is a field in words, `{count:card}` a number (or the length of a list) with its noun
(`1 card`, `3 cards`; `{count:copy|copies}` where the plural is another word), `{to:tile}` a position as `b9`,
`{paid:for 1 DNA|for free}` what a yes or a no means, `{by:gains/loses}` a change (`gains 2`, `loses 2`), `{counter:by}`
what is counted behind a number that another field has (`2 coins`, `1 coin`),
`{dominated:dominates}` what each player has (`Ann dominates Shore, Ben dominates nothing`).
What stands in `[…]` is left out unless every field in it is written down and not empty, with `{special:nonzero}` also
where it is 0; `[…|…]` then says what stands behind the bar. A comma that such a part leaves at the end falls away.
Of several templates the first counts whose fields are all there. A part of an event (a Species and where it is moved
to) may have a template of its own. In another language that is `spoken` a template is what the catalogue has for it.
"""

import re
from collections.abc import Collection, Iterator, Mapping
from functools import cache
from itertools import count, takewhile
from typing import Any, Final, NamedTuple

import msgspec
from msgspec import UNSET

from tabletape.events.vocabulary import Event
from tabletape.events.vocabulary.names import card_of, is_unseen, owner_of
from tabletape.events.vocabulary.plugins import PluginFailedError
from tabletape.events.vocabulary.shared import Seat
from tabletape.projector.model.amounts import one_of
from tabletape.projector.model.languages import say
from tabletape.projector.model.phrases import (
    NOTHING_HIDDEN,
    fields_in_words,
    is_position,
    name_in_words,
    tile_in_words,
    unlisted_in_words,
)
from tabletape.projector.model.table import Table

_FIELD: Final = re.compile(r"\{(\w+)(?::([^}]+))?\}")
_PART: Final = re.compile(r"\[([^\]]*)\]")
_GAPS: Final = re.compile(r"…(?: …)+")
_ELSE: Final = re.compile(r"\|(?![^{]*\})")
TILE: Final = "tile"
NONZERO: Final = "nonzero"
ALOUD: Final = "aloud"
"""How a line of a card's text is written: as it is read aloud."""

HIDDEN_CARD: Final = "a hidden card"


class Field(NamedTuple):
    """A field of an event within a template, and how it is written: as it is, with a noun, as a tile."""

    name: str
    form: str


class Part(NamedTuple):
    """Text and fields of a template; an optional part is left out, or said `otherwise`, where a field is missing."""

    words: tuple[str | Field, ...]
    optional: bool
    otherwise: str = ""

    @property
    def fields(self) -> Iterator[Field]:
        """The fields in the part."""
        return (word for word in self.words if isinstance(word, Field))


def sentence(table: Table[Any, Any], event: Event, hidden: frozenset[str] = NOTHING_HIDDEN) -> str:
    """Return what an event says, as a sentence without its full stop; empty where its type has no template.

    `hidden` are the names of cards that the reader may not know.
    """
    text = unlisted_in_words(table, clause(table, event, hidden))
    return text[:1].upper() + text[1:]


def clause(table: Table[Any, Any], event: Event, hidden: frozenset[str] = NOTHING_HIDDEN) -> str:
    """Return the sentence of an event as it stands within a longer one; empty where its type has no template."""
    plain = next((text for text, values in event.PLAIN.items() if _says(event, values)), "")
    templates = _taken_apart(type(event), (say(plain),)) if plain else templates_of(type(event))
    if not templates:
        return ""
    fitting = (each for missing in ((UNSET, None), (UNSET,)) for each in templates if _fits(each, event, missing))
    parts = next(fitting, templates[-1])
    player = getattr(event, "player", UNSET)
    return "".join(_filled(part, table, event, hidden, player) for part in parts).rstrip(",")


def _says(event: Event, values: Mapping[str, Collection[str]]) -> bool:
    """Return whether each of some fields of an event has one of its values."""
    return all(getattr(event, name) in some for name, some in values.items())


def event_in_words(table: Table[Any, Any], event: Event, hidden: frozenset[str] = NOTHING_HIDDEN) -> str:
    """Return one line about an event: its sentence, or where its type has none its fields."""
    return sentence(table, event, hidden) or fields_in_words(table, event, hidden)


def outline(table: Table[Any, Any], event: Event) -> str:
    """Return what all events of a type say that one player does: `Ann plays … as a seed at …`."""
    templates = templates_of(type(event))
    if not templates:
        return str(type(event).__struct_config__.tag).replace(".", " ").replace("-", " ").capitalize()
    text = "".join(_outlined(part, table, event) for part in templates[0])
    text = _GAPS.sub("…", text)
    return text[:1].upper() + text[1:]


def _outlined(part: Part, table: Table[Any, Any], event: Any) -> str:
    if part.optional and not part.otherwise:
        return ""
    text = "".join(
        each if isinstance(each, str) else name_in_words(table, event.player) if each.name == "player" else "…"
        for each in part.words
    )
    return say("{some} or {last}", some=text, last=part.otherwise) if part.optional else text


def templates_of(kind: Any) -> tuple[tuple[Part, ...], ...]:
    """Return the templates of an event type, or of a part of one, taken apart, in the language that is spoken.

    Raises `PluginFailedError` for what is no text, and for a field that the type has not.
    """
    written = (kind.SENTENCE,) if isinstance(kind.SENTENCE, str) else kind.SENTENCE
    is_text = isinstance(written, tuple) and all(isinstance(each, str) for each in written)
    return _taken_apart(kind, tuple(map(say, written)) if is_text else written)


@cache
def _taken_apart(kind: Any, written: Any) -> tuple[tuple[Part, ...], ...]:
    whose = f"the sentence of {kind.__name__} in the package {kind.__module__.partition('.')[0]}"
    if not isinstance(written, tuple) or not all(isinstance(each, str) for each in written):
        raise PluginFailedError(f"{whose} is no text; mend or uninstall it")
    templates = tuple(tuple(_parts(text)) for text in written if text)
    unknown = {field.name for parts in templates for part in parts for field in part.fields} - {*kind.__struct_fields__}
    if unknown:
        raise PluginFailedError(f"{whose} names {', '.join(sorted(unknown))}, no fields of it; mend or uninstall it")
    return templates


def _parts(text: str) -> Iterator[Part]:
    for number, piece in enumerate(_PART.split(text)):
        if number % 2:
            text, *otherwise = _ELSE.split(piece, 1)
            yield Part(tuple(_words(text)), optional=True, otherwise="".join(otherwise))
        elif piece:
            yield Part(tuple(_words(piece)), optional=False)


def _words(text: str) -> Iterator[str | Field]:
    end = 0
    for match in _FIELD.finditer(text):
        yield text[end : match.start()]
        yield Field(match[1], match[2] or "")
        end = match.end()
    yield text[end:]


def _fits(parts: tuple[Part, ...], event: Event, missing: tuple[Any, ...]) -> bool:
    """Return whether no field of what is not optional is one of the values that count as missing."""
    fields = (field for part in parts if not part.optional for field in part.fields)
    return not any(getattr(event, field.name) is each for field in fields for each in missing)


def _filled(part: Part, table: Table[Any, Any], event: Any, hidden: frozenset[str], player: Any) -> str:
    if part.optional and any(_is_missing(field, getattr(event, field.name)) for field in part.fields):
        return part.otherwise
    return "".join(each if isinstance(each, str) else _value(each, table, event, hidden, player) for each in part.words)


def _is_missing(field: Field, value: Any) -> bool:
    return value in (UNSET, None, (), {}, "") or (field.form == NONZERO and value == 0)


def _value(field: Field, table: Table[Any, Any], event: Any, hidden: frozenset[str], player: Any) -> str:
    value = getattr(event, field.name)
    if value is UNSET:
        return say("something")
    if isinstance(value, tuple) and field.form == TILE:
        return tile_in_words(value)
    if field.form == ALOUD and (text := next(iter(table.library.values()), None)) is not None:
        value = text.aloud(value)
    if field.form and isinstance(value, dict):
        each = ((name_in_words(table, who), in_words(table, what, player, hidden)) for who, what in value.items())
        return ", ".join(f"{who} {field.form} {what}" for who, what in each)
    if field.form not in {"", NONZERO} and isinstance(value, int | float | tuple):
        return _with_form(field.form, value)
    if phrases := getattr(event, "PHRASES", {}).get(field.name):
        several = value if isinstance(value, tuple) else (value,)
        fixed = {each: say(words) for each, words in phrases.items()}
        return _listed([fixed.get(each) or in_words(table, each, player, hidden) for each in several])
    is_one = isinstance(value, str) and field.form and getattr(event, field.form, None) in (1, -1)
    return one_of(value) if is_one else in_words(table, value, player, hidden)


def _with_form(form: str, value: bool | float | tuple[Any, ...]) -> str:  # noqa: FBT001 - the value of a field
    """Return what a yes or no means, how much more or less, or a number with its noun."""
    if isinstance(value, bool):
        yes, _, no = form.partition("|")
        return yes if value else no
    number = value if isinstance(value, int | float) else len(value)
    more, is_change, less = form.partition("/")
    if is_change:
        return f"{more if number >= 0 else less} {abs(number):.10g}"
    one, _, many = form.partition("|")
    return f"{number} {one if number == 1 else many or one + 's'}"


def in_words(table: Table[Any, Any], value: Any, player: Any, hidden: frozenset[str] = NOTHING_HIDDEN) -> str:
    """Return a value as people say it; a card of which another player has a namesake gets its owner.

    `player` is who does something: of their own cards it goes without saying whose they are.
    """
    if value is None:
        return say("nothing")
    if isinstance(value, Seat):
        return value.name
    if isinstance(value, msgspec.Struct) and hasattr(value, "SENTENCE"):
        return "".join(_filled(part, table, value, hidden, player) for part in templates_of(type(value))[0])
    if isinstance(value, tuple) and not is_position(value):
        return _listed([in_words(table, each, player, hidden) for each in value])
    return _named(table, value, player, hidden) if isinstance(value, str) else name_in_words(table, value, hidden)


def _named(table: Table[Any, Any], name: str, player: Any, hidden: frozenset[str]) -> str:
    """Return a name with its owner where somebody may ask whose it is: of their own cards nobody does."""
    text, owner = name_in_words(table, name, hidden), owner_of(name)
    is_nameless = name in hidden or is_unseen(name)
    if player and owner == player:
        whose = say("{card} of {name}", card="", name=name_in_words(table, owner))
        return text.removesuffix(whose) if is_nameless else text
    if is_nameless or not _has_namesake(table, name, hidden):
        return text
    return say("{name}'s {card}", name=table.players[owner].name, card=text)


def _listed(words: list[str]) -> str:
    """Return words as a list in a sentence; of cards that all look alike, how many."""
    if len(words) > 1 and len({*words}) == 1 and words[0].startswith(one := say(HIDDEN_CARD)):
        return say("{number} hidden cards", number=len(words)) + words[0].removeprefix(one)
    if len(words) < 2:
        return words[0] if words else say("nothing")
    return say("{some} and {last}", some=", ".join(words[:-1]), last=words[-1])


def _has_namesake(table: Table[Any, Any], name: str, hidden: frozenset[str]) -> bool:
    """Return whether another player has a card of the same name, as far as the reader may know."""
    owner, card = owner_of(name), card_of(name)
    if owner not in table.players or is_unseen(name):
        return False
    others = (f"{player}:{card}" for player in table.players if player != owner)
    return any(copy not in hidden for other in others for copy in _copies(table, other))


def _copies(table: Table[Any, Any], name: str) -> Iterator[str]:
    """Yield the copies of a player's card that there are: `A:one` or `A:one#1`, `A:one#2` and so on."""
    if name in table.cards:
        yield name
    yield from takewhile(table.cards.__contains__, (f"{name}#{number}" for number in count(1)))
