"""The pages of events: every event type of every game, with its fields."""

import types
from collections.abc import Iterable
from datetime import datetime
from typing import Annotated, Any, Literal, Union, get_args, get_origin

import msgspec
from msgspec import UnsetType

from docs.generator.markdown import code, codes, literal, page, table
from tabletape.events import vocabulary as known
from tabletape.events.vocabulary import CLASSES, ENVELOPE, Event, fields_of, games, tag_of, vocabulary
from tabletape.projector.games import game
from tabletape.projector.games import games as built_games

INTRODUCTION = """\
A log is a file with one event a line: see [the log format](../reference/log-format.md). These are the keys that every
event may have, and the four classes of events. Each game has its own event types."""

CLASS_TITLES = {
    "decision": "Decisions",
    "chance": "Chance",
    "consequence": "Consequences",
    "remark": "Remarks",
}

ALIASES = {
    get_args(known.PlayerId)[1]: "player",
    get_args(known.CardId)[1]: "card id",
    get_args(known.CardName)[1]: "card on the table",
    get_args(known.Time)[1]: "time",
    get_args(known.Seq)[1]: "event number",
    get_args(known.Count)[1]: "number, 0 or more",
    get_args(known.Total)[1]: "whole number",
}
"""What is called by a name of its own in the vocabularies, by the note that marks it."""

PLURALS = {
    "card id": "card ids",
    "card on the table": "cards on the table",
    "player": "players",
    "text": "texts",
    "whole number": "whole numbers",
}

WORDS = {str: "text", int: "whole number", float: "number", bool: "true or false", datetime: "time", type(None): "null"}


def events_page() -> str:
    """Return the page `generated/events.md`."""
    envelope = [each for each in msgspec.structs.fields(Event) if each.name in ENVELOPE]
    meanings = {
        "cause": "the number of the event that this one is a consequence of",
        "note": "what the keeper wrote beside it",
    }
    rows = [
        [code(each.encode_name), type_in_words(each.type), meanings.get(each.name, _meaning(each.type))]
        for each in envelope
    ]
    bases = {base.CLASS: base for base in Event.__subclasses__()}
    listed = [[f"[{slug}](events/{slug}.md)", len(vocabulary(slug).types)] for slug in games()]
    return page(
        "Events",
        INTRODUCTION,
        "## The envelope",
        table(["key", "type", "meaning"], [["`type`", "text", "the event type, `seed.played`; has to stand"], *rows]),
        "## Classes",
        table(["class", "meaning"], ([each, bases[each].__doc__] for each in CLASSES)),
        "## Games",
        table(["game", "event types"], listed),
        "`tabletape schema GAME` prints the same as JSON Schema, `tabletape template GAME OUT.xlsx` as a spreadsheet.",
    )


def game_events_page(slug: str) -> str:
    """Return the page of a game's event types, `generated/events/<slug>.md`."""
    mine = vocabulary(slug).types.values()
    title, rules = slug, ""
    if slug in built_games():
        title, rules = game(slug).title, f", the rules of the game on [its own page](../games/{slug}.md)"
    blocks = [f"The keys that every event may have stand on [the page of events](../events.md){rules}."]
    for each in CLASSES:
        of_class = sorted((one for one in mine if each == one.CLASS), key=tag_of)
        if of_class:
            blocks += [f"## {CLASS_TITLES[each]}", *(block for one in of_class for block in _event(one))]
    return page(f"Events of {title}", *blocks)


def _event(event: type[Event]) -> Iterable[str]:
    yield f"### `{tag_of(event)}`"
    yield literal(" ".join((event.__doc__ or "").split()))
    one_of: tuple[str, ...] = getattr(event, "EXACTLY_ONE", ())
    if one_of:
        yield f"Exactly one of {codes(one_of)} stands."
    subject: tuple[str, ...] = getattr(event, "SUBJECT", ())
    if subject:
        yield f"Compared with the derived one of the same {codes(subject)}."
    rows = (
        [code(each.encode_name), type_in_words(each.type), _need(each, one_of), _meaning(each.type)]
        for each in fields_of(event)
    )
    yield table(["field", "type", "", "meaning"], rows)


def _need(field: Any, one_of: tuple[str, ...]) -> str:
    if field.name in one_of:
        return "one of these"
    return "" if field.required else "may be left out"


def _meaning(annotation: Any) -> str:
    """Return the description nearest to a field; a description that only says what the type is, is left to its name."""
    if get_origin(annotation) is not Annotated:
        return ""
    own = [meta for meta in get_args(annotation)[1:] if meta not in ALIASES]
    return literal(next((str(meta.description) for meta in reversed(own) if meta.description), ""))


def type_in_words(annotation: Any) -> str:
    """Return the type of a field in plain words: `list of cards on the table`, `text or null`."""
    origin, inner = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        return next((ALIASES[meta] for meta in inner[1:] if meta in ALIASES), "") or type_in_words(inner[0])
    if origin in {Union, types.UnionType}:
        return " or ".join(type_in_words(each) for each in inner if each is not UnsetType)
    if origin is Literal:
        return " or ".join(code(str(each)) for each in inner)
    if isinstance(annotation, type) and issubclass(annotation, msgspec.Struct):
        return f"{{{', '.join(field.encode_name for field in msgspec.structs.fields(annotation))}}}"
    return _collection(origin, inner) if inner else WORDS[annotation]


def _collection(origin: Any, inner: tuple[Any, ...]) -> str:
    """Return a list, a row of fixed length or an object in words."""
    words = [type_in_words(each) for each in inner if each is not ...]
    if origin is dict:
        return f"{{{words[0]}: {words[1]}}}"
    return f"[{', '.join(words)}]" if inner[-1] is not ... else f"list of {PLURALS.get(words[0], words[0])}"
