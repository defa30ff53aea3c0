"""What a kind of line of a chat may mean, in words, and what a person says that it means instead."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

import typer
from msgspec import structs

from tabletape.cli.terminal.output import complain, say
from tabletape.events.importing.games.known_deck import drawing_moves
from tabletape.events.importing.maps.counted import MOST
from tabletape.events.importing.maps.map import MapError
from tabletape.events.importing.maps.proposing.spoken import fields_of, line_called
from tabletape.events.importing.maps.proposing.text import LineProposal, gap
from tabletape.events.importing.maps.values.captured import DRAW_EVENT
from tabletape.events.importing.maps.writing import entry_of, entry_text, require_readable
from tabletape.events.vocabulary import Vocabulary, vocabulary
from tabletape.events.vocabulary.fields import PlayerId

_WORDED: Final[Mapping[str, str]] = {
    "cards.drawn": "a draw",
    "card.moved": "a card laid somewhere",
    "first-player.chosen": "who begins",
    "turn.started": "a turn begins",
    "turn.ended": "a turn ends",
    "game.ended": "the game is over",
    "player.conceded": "somebody gives up",
    "counter.changed": "a number of something changes",
    "note.added": "a remark, kept as a note",
    "log.gap": "perhaps a move: not read, and behind it nothing is called illegal",
}
"""What a person chooses among beside the moves of the game's file, and what else is proposed."""

_CHOSEN: Final[Mapping[str, Mapping[str, Any]]] = {
    "cards.drawn": {"event": "cards.drawn", "with": {"count": 1}},
    "first-player.chosen": {"event": "first-player.chosen"},
    "turn.ended": {"event": "turn.ended"},
    "game.ended": {"event": "game.ended", "with": {"winner": "{player}", "reason": "won"}},
}
_JOINS: Final = frozenset({",", ";", ".", "!", "and", "then", "und", "dann"})
BY_HAND: Final = "write it in TOML"


def in_words(entry: Mapping[str, Any]) -> str:
    """Return what an entry of a map says of a line: `the move lay, then the game is over`."""
    if "event" not in entry:
        return (
            "talk: skipped" if "skip" in entry else "it changes nothing" if "harmless" in entry else entry_text(entry)
        )
    return ", then ".join(_event_in_words(each) for each in (entry, *entry.get("also", ())))


def _event_in_words(entry: Mapping[str, Any]) -> str:
    tag = str(entry["event"])
    with_ = ", ".join(f"{key} {value}" for key, value in entry.get("with", {}).items())
    words = f"the move {tag.removeprefix('move.')}" if tag.startswith("move.") else _WORDED.get(tag, tag)
    return f"{words} ({with_})" if with_ else words


def other_meaning(kind: LineProposal, game: str, players: Sequence[str]) -> tuple[str, Mapping[str, Any]]:
    """Ask which moves a line is, by number, and which of its words are the cards and players that they name."""
    own = [tag for tag in vocabulary(game).types if tag.startswith("move.")]
    choices = [*own, *_CHOSEN, BY_HAND]
    for number, each in enumerate(choices, 1):
        say(f"      {number} {in_words({'event': each}) if each != BY_HAND else each}")
    while True:
        answer = str(typer.prompt("    which of these; several in their order, with commas", default=str(len(choices))))
        numbers = answer.replace(",", " ").split()
        if not numbers or not all(
            each.isascii() and each.isdigit() and 0 < int(each) <= len(choices) for each in numbers
        ):
            complain(f"a number from 1 to {len(choices)}, not {answer!r}")
            continue
        chosen = [choices[int(each) - 1] for each in numbers]
        if BY_HAND in chosen:
            return _by_hand(kind, game)
        try:
            sentence, entry = _as(chosen, kind, game, players)
            require_readable(sentence, entry, game)
        except MapError as error:
            complain(f"{error}; choose again")
        else:
            return sentence, entry


def _as(tags: Sequence[str], kind: LineProposal, game: str, players: Sequence[str]) -> tuple[str, Mapping[str, Any]]:
    """Ask which words of a line are what the lines of some types name; return its sentence and entry.

    A line that does not say what a move has to name is a gap that says so.
    """
    sentence = kind.example
    for name in sorted(players, key=len, reverse=True):
        if re.match(rf"{re.escape(name)}(?!\w)", sentence):
            sentence = f"{{player}}{sentence[len(name) :]}"
            break
    entries: list[dict[str, Any]] = []
    known, drawing = vocabulary(game), drawing_moves(game)
    for number, (tag, who) in enumerate(zip(tags, _doers(sentence, tags, players, known), strict=True), 1):
        if who is None:
            entries.append(gap(f"does not say who does this: {in_words({'event': tag})}"))
        elif tag == DRAW_EVENT and not who and entries and entries[-1]["event"] in drawing:
            moves, said = drawing[entries[-1]["event"]], _count()  # That move draws itself.
            if said != moves:
                drawn = f"{moves} as the move" if moves else "what is open in the move"
                return kind.sentence, gap(f"draws {said}, and not {drawn} {str(entries[-1]['event'])[len('move.') :]}")
        else:
            named: dict[str, Any] = {"player": who} if who else {}
            if tag in _CHOSEN:
                named.update({"count": _count()} if tag == DRAW_EVENT else _CHOSEN[tag].get("with", {}))
            elif missing := (asked := _asked_fields(sentence, (tag, number), players, known)).missing:
                return kind.sentence, gap(f"does not say `{missing}` of the move {tag.removeprefix('move.')}")
            else:
                sentence, named = asked.sentence, {**named, **asked.named}
            entries.append({"event": tag, **({"with": named} if named else {})})
    return sentence, {**entries[0], **({"also": entries[1:]} if entries[1:] else {})}


class _Asked(NamedTuple):
    """A sentence with holes for what a move names, these by field, and the field that it does not say and has to."""

    sentence: str
    named: Mapping[str, Any]
    missing: str = ""


def _asked_fields(sentence: str, what: tuple[str, int], players: Sequence[str], known: Vocabulary) -> _Asked:
    """Ask which words of a sentence are the fields of a move, the first, second or later one of the line."""
    tag, number = what
    kind, named = known.types[tag], {}
    for field in fields_of(kind):
        if field.name in kind.ASKED_AFTER:
            continue
        hole = f"{field.name}_{number}"
        said = _with_hole(sentence, (tag.removeprefix("move."), field, hole), players)
        if said:
            sentence, named[field.name] = said, f"{{{hole}}}"
        elif field.required:
            return _Asked(sentence, named, field.name)
    return _Asked(sentence, named)


def _doers(sentence: str, tags: Sequence[str], players: Sequence[str], known: Vocabulary) -> list[str | None]:
    """Return who does each of some things: who is named before its verb, empty for who writes; None if that is open.

    It is open behind the first where others are named and it has no verb, or they stand before that, not next to it.
    """
    called = {name.casefold(): name for name in players}
    words = re.findall(r"[\w'-]+|[,;.!]", sentence.removeprefix("{player}").casefold())
    doers: list[str | None] = []
    begin = 0
    for number, tag in enumerate(tags):
        if tag in _CHOSEN and tag != DRAW_EVENT:
            doers.append("")  # It is of the table, or of who writes.
            continue
        at = next((at for at in range(begin, len(words)) if line_called(words[at], "", known) == tag), -1)
        start = max([begin, *(place + 1 for place in range(begin, at) if words[place] in _JOINS)])
        others = called.keys() & {*(words[start:at] if at >= 0 else words)}
        before = called.get(words[at - 1], "") if at > 0 else ""
        doers.append(before if before or not (number and others) else None)
        begin = max(begin, at + 1)
    return doers


def _count() -> int:
    while True:
        answer = str(typer.prompt("    how many cards are drawn", default="1")).strip()
        if answer.isascii() and answer.isdigit() and 0 < int(answer) <= MOST:
            return int(answer)
        complain(f"a number from 1 to {MOST}, not {answer!r}")


def _with_hole(sentence: str, what: tuple[str, structs.FieldInfo, str], players: Sequence[str]) -> str:
    """Ask which words of a sentence are a field of a move; return it with a hole there, empty where none are."""
    move, field, hole = what
    names = {name.casefold() for name in players}
    while True:
        asked = f"    {move}: which words are `{field.name}`, as they stand there; Enter where the line does not say it"
        words = str(typer.prompt(asked, default="", show_default=False)).strip()
        if not words:
            return ""
        at = sentence.find(words, sentence.find("}") + 1)
        is_free = at >= 0 and sentence.count("{", 0, at) == sentence.count("}", 0, at) and not {*"{}"} & {*words}
        if not is_free:
            complain(f"the line does not say {words!r}; it says {sentence!r}")
        elif (field.type == PlayerId) != (words.casefold() in names):
            wanted = f"is a player, one of {', '.join(players)}" if field.type == PlayerId else "is no player"
            complain(f"`{field.name}` {wanted}; not {words!r}")
        else:
            kind = ":player" if field.type == PlayerId else ""
            return f"{sentence[:at]}{{{hole}{kind}}}{sentence[at + len(words) :]}"


def _by_hand(kind: LineProposal, game: str) -> tuple[str, Mapping[str, Any]]:
    """Ask for the sentence and its meaning, until both can be read."""
    while True:
        sentence = typer.prompt("sentence", default=kind.sentence)
        entry = typer.prompt("meaning (TOML)", default=entry_text(kind.entry))
        try:
            return sentence, entry_of(sentence, entry, game)
        except MapError as error:
            complain(str(error))
