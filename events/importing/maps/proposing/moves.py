"""What a line means as a move of the game's own file: the one that is called like what the player does in it."""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from typing import Any, Final, NamedTuple

from msgspec import structs

from tabletape.events.importing.maps.move_words import move_called
from tabletape.events.vocabulary import Event, Vocabulary
from tabletape.events.vocabulary.fields import PlayerId

TOLD: Final = "{player}: {player} "
"""So begins a message about somebody else, or about its writer by name."""

LONGEST_NAME: Final = 6
"""A name of more words is talk."""

_TALKED: Final = re.compile(
    r"(?:it|that|this|them|him|her|first|second|last|again|too|so|now|on|with|for|in|at|well|like|me|you|es|das|dich|mich)\b"
)
"""With these no name of a card begins that is written in small letters."""

_SAID: Final = re.compile(
    r"(?P<who>\{player\}:?) "
    r"(?P<myself>(?:(?:[Oo]k(?:ay)?|[Ss]o|[Tt]hen|[Nn]ow|[Aa]nd|[Ww]ell|[Aa]lright),? ){0,2}(?:I|i|[Ii]ch|[Jj]e) )?"
    r"(?P<verb>[^\W\d_][\w'-]*)(?P<rest>(?: .*)?)"
)
_ASIDE: Final = re.compile(r"(?P<act>.*?[^\s,;.!])(?P<sign>[,;.!] | [-\u2013] | \()(?P<words>[^\W\d_A-Z].*)")
_HOLES: Final = re.compile(r"(\{(?:player|n|card|text)\})")
_BEFORE: Final = re.compile(
    r"(?:(?:a|an|the|my|one|ein|eine|einen|der|die|das|den|un|une|le|la|el|una|il|lo) )?", re.IGNORECASE
)
_JOINS: Final = re.compile(r" (?:to|with|from|for|at|against|an|mit|von|gegen|avec|contre|de|pour|con|contra|para|per)")
"""Between these and the verb stands what is given to a player, or taken from one, whatever it is called."""

_PLACE: Final = re.compile(
    r"(?P<act>.*\S)(?P<where> (?:from|to|into|onto|in|on|aus|von|auf) "
    r"(?:(?:the|my|his|her|their|der|dem|die|den|meine[mrn]?) )?[^\W\dA-Z_][^\WA-Z]*)(?P<end>[\s.!]*)"
)
"""Words behind a card that say from where it comes or where it goes."""

ALIKE: Final = 3
"""So many lines that say one move, each with one word behind it, name cards by these words."""

_END: Final = re.compile(r"(?:[\s.!\u2026\u2600-\u27bf\ufe0f\U0001f300-\U0001faff]|[:;=][-']?[()DPp]|[xX]D\b)*")
_WORD: Final = re.compile(r"[\w'-]+")
_MARK: Final = re.compile(r"[,;:?!.()]")


class OwnMove(NamedTuple):
    """A line that begins with the name of a move: its sentence and entry, neither where the rest is not understood."""

    sentence: str = ""
    entry: Mapping[str, Any] = {}


def words_said(lines: Iterable[str]) -> frozenset[str]:
    """Return the words, in small letters, that more than one line has."""
    times = Counter(word for line in lines for word in {*_WORD.findall(line.casefold())})
    return frozenset(word for word, count in times.items() if count > 1)


def cards_said(shapes: Iterable[str], known: Vocabulary, often: Collection[str]) -> frozenset[str]:
    """Return the words in small letters that stand alone behind the name of a move in several lines, as cards do."""
    found: dict[str, list[str]] = {}
    for shape in shapes:
        said = _SAID.fullmatch(shape)
        tag = move_called(said["verb"], known) if said else ""
        if said and tag:
            act = _with_aside(said["rest"])[0][0].strip(" .!")
            act = (placed["act"] if (placed := _PLACE.fullmatch(act)) else act).removeprefix(" ")
            word = act[len(_before(act)) :].casefold()
            if _WORD.fullmatch(word) and not _TALKED.match(word):
                found.setdefault(tag, []).append(word)
    sure = [words for words in found.values() if len(words) >= ALIKE or any(word in often for word in words)]
    return frozenset(word for words in sure for word in words)


def own_move(shape: str, known: Vocabulary, often: Collection[str]) -> OwnMove | None:
    """Return what a line with its names taken out means as a move of the game; None where none is named in it.

    A card that is written in small letters is one if its words are among those that are said `often`.
    """
    told = shape.startswith(TOLD)
    said = _SAID.fullmatch(shape.removeprefix("{player}: ") if told else shape)
    tag = move_called(said["verb"], known) if said else ""
    if said is None or not tag:
        return None
    who = "{speaker:player}: {player}" if told else said["who"]
    head = f"{who} {said['myself'] or ''}{said['verb']}"
    for rest, behind, entry in _with_aside(said["rest"]):
        filled = _filled(rest, known.types[tag], often)
        if filled is not None:
            return OwnMove(f"{head}{filled}{behind}", {"event": tag, **entry})
    return OwnMove()


def _with_aside(rest: str) -> list[tuple[str, str, Mapping[str, Any]]]:
    """Return the ways to take what stands behind a verb: without what somebody remarks at its end, and as it is."""
    ways: list[tuple[str, str, Mapping[str, Any]]] = []
    if placed := _PLACE.fullmatch(rest):
        ways.append((placed["act"], f"{placed['where']}{placed['end']}", {}))
    if found := _ASIDE.fullmatch(rest):
        note = {"also": [{"event": "note.added", "with": {"text": "{words}"}}]}
        ways.append((found["act"], f"{found['sign']}{{words}}", note))
    return [(rest, "", {}), *ways] if "{" in rest else [*ways, (rest, "", {})]


def _fields(kind: type[Event]) -> list[structs.FieldInfo]:
    return [each for each in structs.fields(kind) if each.name not in {*Event.__struct_fields__, "player"}]


def _filled(rest: str, kind: type[Event], often: Collection[str]) -> str | None:
    """Return what stands behind the verb with a hole for each field that has to be said; None where it does not fit."""
    fields = _fields(kind)
    players = [each.name for each in fields if each.type == PlayerId]
    numbers = [each.name for each in fields if each.type in {int, float, bool}]
    texts = [each.name for each in fields if each.name not in {*players, *numbers}]
    done = []
    for place, piece in enumerate(parts := _HOLES.split(rest)):
        of = {"{player}": players, "{n}": numbers, "{card}": texts, "{text}": texts}.get(piece)
        if of is not None:
            if not of:
                return None
            done.append(_hole(piece, of.pop(0)))
            continue
        named = _named(piece, texts, often, last=place == len(parts) - 1)
        if named is None:
            return None
        done.append(named)
    left = {*players, *numbers, *texts}
    return None if any(each.required and each.name in left for each in fields) else "".join(done)


def _hole(piece: str, field: str) -> str:
    kind = {"{player}": ":player", "{n}": ":number"}.get(piece, "")
    return f"{{{field}{kind}}}"


def _named(piece: str, texts: list[str], often: Collection[str], *, last: bool) -> str | None:
    """Return words between holes, the card that they name as a hole; None where they say something else.

    Before a hole the last word belongs to the sentence: `gives Pike to {player}`.
    """
    if _END.fullmatch(piece):
        return piece
    words, joins = piece.strip(" "), ""
    if not last and (found := re.fullmatch(r"(?P<name>(?:.* )?)(?P<joins>[^\sA-Z]+)", words)):
        words, joins = found["name"].rstrip(" "), f" {found['joins']}"
    if not words:
        return f"{joins}{' ' * piece.endswith(' ')}"
    if not texts:
        return None
    article = _before(words)
    name = words[len(article) :].rstrip(" .!")
    end = words[len(article) + len(name) :]
    is_given = bool(_JOINS.fullmatch(joins) and _WORD.fullmatch(name)) and not _TALKED.match(name)
    if not (is_given or _is_card(name, often)):
        return None
    return f" {article}{{{texts.pop(0)}}}{end}{joins}{' ' * piece.endswith(' ')}"


def _before(words: str) -> str:
    """Return the article with which words begin."""
    before = _BEFORE.match(words)
    return before[0] if before else ""


def _is_card(name: str, often: Collection[str]) -> bool:
    """Return whether words may be the name of a card, and are not talk."""
    words = name.split(" ")
    small = not name[:1].isupper()
    unlikely = small and bool(_TALKED.match(name) or not {*_WORD.findall(name.casefold())} <= {*often})
    return bool(name) and not unlikely and len(words) <= LONGEST_NAME and not _MARK.search(name)


def as_move(sentence: str, entry: Mapping[str, Any], known: Vocabulary) -> tuple[str, Mapping[str, Any]]:
    """Return what a sentence means as the move of the game's own file that is called like what the player does.

    The move has to have one field for what the line names, or none where it names nothing, or fields for the players
    that it names and no others: what else the line says is left as it is.
    """
    who, _, does = sentence.partition(" ")
    tag = move_called(does.partition(" ")[0], known)
    holes = dict(re.findall(r"\{(\w+)(?::(\w+))?\}", does))
    if who != "{player}" or not tag:
        return sentence, entry
    fields = _fields(known.types[tag])
    named = [hole for hole, kind in holes.items() if kind == "player"]
    if named and len(fields) == len(named) and all(each.type == PlayerId for each in fields):
        meant = dict(zip(named, fields, strict=True))
    elif len(fields) == len(holes) < 2:
        meant = dict(zip(holes, fields, strict=True))
    else:
        return sentence, entry
    called = {hole: field.name for hole, field in meant.items()}
    does = re.sub(r"\{(\w+)", lambda hole: f"{{{called.get(hole[1], hole[1])}", does)
    return f"{who} {does}", {"event": tag, **({"also": entry["also"]} if "also" in entry else {})}
