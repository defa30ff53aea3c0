"""The event types that a rules file makes: a line `move.NAME` for each of its moves, with the fields that it names."""

from typing import Annotated, Any, Final

import msgspec
from msgspec import UNSET, UnsetType

from tabletape.events.rules_file.stated import FieldRule, MoveRules, Rules
from tabletape.events.vocabulary.event import Decision, Event, tag_of
from tabletape.events.vocabulary.fields import AnyCard, CardNames, PlayerId, usual_numbers, usual_words

NEXT_PHASE: Final = "move.next-phase"
"""The line by which a player goes on to the next phase, where the turns of a game have some."""


def is_luck(rules: Rules, field: FieldRule) -> bool:
    """Return whether a field names a card that nobody chooses: of the hidden zone in which the cards begin."""
    zone = rules.zones.get(rules.begin)
    return (
        field.source is not None and zone is not None and zone.seen_by == "nobody" and rules.begin in field.source.reads
    )


def is_draw(rules: Rules, move: MoveRules) -> bool:
    """Return whether a move is luck alone: its lines are the `cards.drawn` of all games."""
    return move.owed and len(move.fields) == 1 and is_luck(rules, move.fields[0])


def draws_of(rules: Rules) -> tuple[str, ...]:
    """Return the moves, as lines would be called, that are draws and have no line of their own."""
    return tuple(f"move.{name}" for name, move in rules.moves.items() if is_draw(rules, move))


def lines_of(rules: Rules) -> tuple[type[Event], ...]:
    """Return the event types of a file's moves."""
    lines = [_line_of(rules, move) for move in rules.moves.values() if not is_draw(rules, move)]
    if rules.phases:
        lines.append(_defined(rules, "next-phase", [], "{player} goes on to the next phase", {}))
    return tuple(lines)


def _line_of(rules: Rules, move: MoveRules) -> type[Event]:
    fields = [_field(rules, field) for field in move.fields]
    luck = tuple(field.name for field in move.fields if is_luck(rules, field))
    cards = tuple(field.name for field in move.fields if field.kind == "card")
    said = "".join(f"[ {{{field.name}}}]" for field in move.fields)
    sentence = move.sentence or f"{{player}}: {move.name.replace('-', ' ')}{said}"
    return _defined(rules, move.name, fields, sentence, {"ASKED_AFTER": luck, "MAY_BE_UNSEEN": cards})


def _field(rules: Rules, field: FieldRule) -> tuple[Any, ...]:
    kind: Any = {"card": AnyCard, "cards": CardNames, "player": PlayerId, "other player": PlayerId, "number": int}.get(
        field.kind
    )
    if kind is None:
        is_text = isinstance(field.values[0], str)
        usual = usual_words(*map(str, field.values)) if is_text else usual_numbers(*map(int, field.values))
        kind = Annotated[str if is_text else int, usual]
    if field.optional or is_luck(rules, field):
        return field.name, kind | UnsetType, UNSET
    return field.name, kind


def _defined(rules: Rules, name: str, fields: list[Any], sentence: str, more: dict[str, Any]) -> type[Event]:
    about = f"The move {name.replace('-', ' ')} of the game's file."
    line: Any = msgspec.defstruct(
        f"{rules.slug}-{name}".title().replace("-", ""),
        [("player", PlayerId), *fields],
        bases=(Decision,),
        namespace={"SENTENCE": sentence, "__doc__": about, "__reduce__": _reduced(rules.slug), **more},
        module=__name__,
        frozen=True,
        kw_only=True,
        gc=False,
        tag=f"move.{name}",
        forbid_unknown_fields=True,
    )
    return line  # type: ignore[no-any-return]  # its base is an event


def _reduced(slug: str) -> Any:
    """Return how such a line goes from one process to another: as it stands in a log."""

    def reduce(event: Event) -> tuple[Any, tuple[str, bytes]]:
        return read_line, (slug, msgspec.json.encode(event))

    return reduce


def read_line(slug: str, line: bytes) -> Event:
    """Return a line of a game as an event."""
    from tabletape.events.vocabulary import vocabulary  # noqa: PLC0415 - the vocabulary is made of this module

    return vocabulary(slug).decode(line)


def name_of(event: Event | type[Event]) -> str:
    """Return the name of the move that a line is, empty where it is none."""
    tag = tag_of(event if isinstance(event, type) else type(event))
    return tag.removeprefix("move.") if tag.startswith("move.") else ""
