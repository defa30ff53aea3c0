"""Everything that may be written, as forms: the event types of a game with their fields and what may stand in them."""

from collections.abc import Mapping
from typing import Annotated, Any, Final, get_args, get_origin

import msgspec
from msgspec import NODEFAULT, UNSET

from tabletape.events.errors import TabletapeError
from tabletape.events.importing.lines.diagnosis import explain
from tabletape.events.vocabulary import (
    CardId,
    CardName,
    CardNames,
    Event,
    Place,
    PlayerId,
    Seq,
    Vocabulary,
    choices_of,
    fields_of,
)
from tabletape.events.vocabulary.names import is_unseen
from tabletape.events.vocabulary.tabletop import ZoneName
from tabletape.projector.model.phrases import name_in_words, zone_in_words
from tabletape.projector.model.table import NOWHERE, Table

UNNAMED: Final = ("elsewhere", "somewhere")
"""Zones for what lies in none that has a name."""

CLASSES: Final = {"decision": 0, "chance": 1, "remark": 2, "consequence": 3}
"""The order of the event types: what people do comes first."""


EVENT_WORDS: Final[Mapping[str, str]] = {
    "deck.declared": "A deck list",
    "turn.started": "A turn begins",
    "turn.ended": "A turn ends",
    "round.started": "A round begins",
    "phase.started": "A phase begins",
    "player.conceded": "Somebody gives up",
    "player.eliminated": "Somebody is out of the game",
    "game.abandoned": "The game is broken off",
    "game.ended": "The game is over",
    "first-player.chosen": "Who begins",
    "deck.shuffled": "A deck is shuffled",
    "cards.drawn": "Cards are drawn",
    "card.shown": "An unseen card becomes known",
    "card.moved": "A card goes from one place to another",
    "card.used": "A card is used",
    "choice.made": "Somebody chooses",
    "counter.changed": "A number changes",
    "die.rolled": "A die or a coin",
    "question.raised": "A question",
    "moment.marked": "How a moment felt",
    "note.added": "A note",
    "state.observed": "What somebody has counted",
}
"""What happens at a table, in its words, where the name of an event has others."""

NOT_AT_TABLE: Final = frozenset({"game.started", "log.gap", "result.recorded", "play.taken-back", "feedback.given"})
"""What no table writes by a form: what a file is marked with, and what the scribe has a way of its own for."""


class FormField(msgspec.Struct, frozen=True, kw_only=True):
    """A field of a form: its name in a log, what kind of thing it is, and the values to choose from, in words.

    `nullable`: it may be known to be none, which is something else than left out.
    """

    name: str
    kind: str
    about: str
    optional: bool
    nullable: bool = False
    options: tuple[tuple[str, str], ...] = ()


class Form(msgspec.Struct, frozen=True, kw_only=True):
    """An event type to be filled in: its name in a log, in words, what it says, and whether it may come at any time."""

    type: str
    words: str
    about: str
    kind: str
    any_time: bool
    fields: tuple[FormField, ...]


class FormError(TabletapeError, ValueError):
    """What was filled in is no line of a log; the message says why."""


def forms(vocabulary: Vocabulary, table: Table[Any, Any]) -> list[Form]:
    """Return a form for each event type that a table may write, in the order in which people look for them."""
    every = [_form(tag, kind, table) for tag, kind in vocabulary.types.items() if tag not in NOT_AT_TABLE]
    return sorted(every, key=lambda form: (CLASSES[form.kind], not form.fields))


def words_of_event(tag: str) -> str:
    """Return what people call an event of a type: `A turn ends`, `Damage dealt`."""
    return EVENT_WORDS.get(tag) or tag.replace(".", " ").replace("-", " ").capitalize()


def _form(tag: str, kind: type[Event], table: Table[Any, Any]) -> Form:
    return Form(
        type=tag,
        words=words_of_event(tag),
        about="" if tag in EVENT_WORDS else (kind.__doc__ or "").partition("\n")[0].replace("`", ""),
        kind=kind.CLASS,
        any_time=kind.ANY_TIME,
        fields=tuple(_field(field, table) for field in fields_of(kind)),
    )


def _field(field: msgspec.structs.FieldInfo, table: Table[Any, Any]) -> FormField:
    parts = [each for each in parts_of(field.type) if each is not type(UNSET)]
    kinds = [kind_of(each) for each in parts]
    choices = tuple((choice, choice.replace("-", " ")) for part in parts for choice in choices_of(_bare(part)))
    kind = next((each for each in kinds if each != "text"), "option" if choices else "text")
    item = next((kind_of(get_args(_bare(part))[0]) for part in parts if kind_of(part) == "list"), kind)
    return FormField(
        name=field.encode_name,
        kind=kind,
        about=_about(field.type),
        optional=field.default is not NODEFAULT or field.default_factory is not NODEFAULT,
        nullable=type(None) in parts,
        options=choices or _options(item, table),
    )


def parts_of(kind: Any) -> list[Any]:
    """Return the parts of a union, each as it was declared; a description around the whole is taken off."""
    if _known(kind):
        return [kind]
    inner = _bare(kind)
    if get_origin(inner) in {None, tuple, dict} or choices_of(inner):
        return [kind]
    return [part for member in get_args(inner) for part in parts_of(member)]


def kind_of(kind: Any) -> str:
    """Return what kind of thing a type is: known, a `list` of texts, `counts` by name, `json` for what is nested."""
    known, inner = _known(kind), _bare(kind)
    if known or inner is str:
        return known or "text"
    if get_origin(inner) is tuple and (_bare(get_args(inner)[0]) is str or choices_of(inner)):
        return "list"
    return {tuple: "json", dict: "counts"}.get(get_origin(inner), "text")


def _known(kind: Any) -> str:
    """Return the kind of a type of the vocabulary, also where a field describes it in its own words."""
    for known, word in KINDS.items():
        if known in {kind, _bare(kind)}:
            return word
        if get_origin(kind) is get_origin(known) is Annotated and _bare(kind) == _bare(known):
            described = get_args(known)[1:]
            if get_args(kind)[1 : 1 + len(described)] == described:
                return word
    return ""


def _bare(kind: Any) -> Any:
    return get_args(kind)[0] if get_origin(kind) is Annotated else kind


def _about(kind: Any) -> str:
    metas = [each for each in get_args(kind) if isinstance(each, msgspec.Meta)] if get_origin(kind) is Annotated else []
    own = [str(meta.description) for meta in metas if meta.description and str(meta.description) not in _USUAL]
    return own[-1] if own else ""


KINDS: Final[Mapping[Any, str]] = {
    PlayerId: "player",
    CardName: "card",
    CardNames: "cards",
    CardId: "text",
    Place: "place",
    ZoneName: "zone",
    bool: "flag",
    int: "number",
    float: "number",
}


_USUAL: Final = frozenset(
    str(meta.description)
    for kind in (PlayerId, CardName, CardId, ZoneName, Seq)
    for meta in get_args(kind)
    if isinstance(meta, msgspec.Meta) and meta.description
)
"""What all fields of a kind have in common: who writes a log by hand needs it, who fills in a form has a list."""


def _options(kind: str, table: Table[Any, Any]) -> tuple[tuple[str, str], ...]:
    if kind in {"player", "counts"}:
        return tuple((player.id, player.name) for player in table.players.values())
    if kind in {"card", "cards"}:
        names = [name for name, card in table.cards.items() if not card.renamed_to and card.zone.name != NOWHERE]
        return tuple((name, _card(table, name)) for name in names)
    if kind == "zone":
        return tuple(_zones(table).items())
    return ()


def _card(table: Table[Any, Any], name: str) -> str:
    owner = name.partition(":")[0]
    words = name_in_words(table, name)
    return words if is_unseen(name) or owner not in table.players else f"{words} ({table.players[owner].name})"


def _zones(table: Table[Any, Any]) -> dict[str, str]:
    """Return the zones of a table in words, those of whoever acts before those of each player, by their names."""
    zones = [zone for zone in table.zones.values() if zone.name != NOWHERE and not zone.name.endswith(UNNAMED)]
    words = {zone.name: zone_in_words(table, zone) for zone in zones}
    whose = {zone.name: f"{name_in_words(table, zone.owner)}'s " for zone in zones if zone.owner}
    own = {name.rpartition("/")[2]: f"the own {words[name].removeprefix(owner)}" for name, owner in whose.items()}
    return {**own, **{name: said if "/" in name else f"the {said}" for name, said in words.items()}}


def line_of(vocabulary: Vocabulary, fields: Mapping[str, Any]) -> Event:
    """Return the line that a form's fields make. Raises `FormError` with the field that is wrong, in plain words."""
    try:
        return vocabulary.convert(dict(fields))
    except msgspec.ValidationError as error:
        explained = explain(error, fields, vocabulary)
        raise FormError("; ".join(filter(None, (explained.message, explained.suggestion)))) from None
