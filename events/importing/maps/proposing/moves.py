"""What a line means as a move of the game's own file: the one that is called like what the player does in it."""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any, Final, NamedTuple

from msgspec import structs

from tabletape.events.importing.maps.move_words import move_called
from tabletape.events.importing.maps.proposing.draws import drawing, says_number, with_numbers
from tabletape.events.importing.maps.proposing.endings import over_said
from tabletape.events.importing.maps.proposing.spoken import (
    NUMERAL,
    WORD,
    Spoken,
    fields_of,
    is_number,
    is_player,
    line_called,
)
from tabletape.events.importing.maps.values.captured import DRAW_EVENT, OWN_MOVE
from tabletape.events.vocabulary import Event, Vocabulary
from tabletape.events.vocabulary.fields import PlayerId

TOLD_PREFIX: Final = "{player}: {player} "
"""So begins a message about somebody else, or about its writer by name."""

LONGEST_NAME: Final = 6
"""A name of more words is talk."""

_TALK_WORDS: Final = re.compile(
    r"(?:it|that|this|them|him|her|first|second|last|again|too|so|now|on|with|for|in|at|well|like|me|you|es|das|dich|mich)\b"
)
"""With these no name of a card begins that is written in small letters."""

_MOVE_SENTENCE: Final = re.compile(
    r"(?P<who>\{player\}:?) "
    r"(?P<myself>(?:(?:ok(?:ay)?|so|then|now|and|well|alright|und|dann|also),? ){0,3}"
    r"(?:i|ich|je)(?:'ll|'m)? (?:will )?|(?:(?:ok(?:ay)?|so|then|now|and|und|dann|also),? ){0,3})"
    r"(?P<verb>[^\W\d_][\w'-]*)(?P<rest>(?:[ ,;.!:].*)?)",
    re.IGNORECASE,
)
_NEXT: Final = re.compile(
    r"(?P<joins>(?: ?[,;.!]+ | ?[,;.!]* (?:and|then|und|dann|also|&) )(?:(?:and|then|und|dann|also|i|ich|je|i'll|&) )*)"
    r"(?P<who>\{player\} )?(?P<verb>[^\W\d_][\w'-]*)",
    re.IGNORECASE,
)
"""Behind these words somebody, or who is named there, does the next thing in a line: `draw, then lay a fig`."""

_ASIDE: Final = re.compile(
    r"(?P<act>.*?[^\s,;.!])(?P<sign>[,;.!]+ | [-\u2013] | \(| and (?=that|it|i |we ))(?P<words>[^\W\d_A-Z].*)"
)
_SMALL: Final = frozenset(
    re.findall(
        r"\w+",
        "a an the my his her their your me him them it i you one to with from for at against of in into on onto down "
        "away off out aside about "
        "and give gives giving get gets getting take takes back card cards hand front table deck pile "
        "mit von an für gegen und der die das den auf",
    )
)
"""Words that may stand between the cards and players of a move, and say nothing more."""

_PAUSED: Final = re.compile(r" ?[,;.!]+ [^{]*\{(?:card|n)\}")
"""A card or a number behind a pause: `draw, eel!` draws no eel; it is something else that is done, or said."""

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

_END: Final = re.compile(
    r"(?:[\s.!,\u2026\u2600-\u27bf\ufe0f\U0001f300-\U0001faff]|[:;=][-']?[()DPp]|[xX]D\b"
    r"|\b(?:(?:mu)?ha(?:ha)+|he(?:he)+|hi(?:hi)+|lol|yay|yeah|nice|a+rgh|damn|phew|sorry|finally|wo+"
    r"|too|again|as well|auch|wieder)\b)*",
    re.IGNORECASE,
)
_UNIT: Final = re.compile(r" (?:coins?|points?|gold|dollars?|euros?|chips?|m\u00fcnzen?|punkte?)(?!\w)", re.IGNORECASE)
"""What a number before it counts."""

_OWN_UNIT: Final = re.compile(r" (?!(?:less|more|fewer|extra|each|instead|short)\b)[^\W\d_A-Z]+(?=[\s.!]*$)")
"""What a number counts behind the name of its field, or of a move without cards, at the end of a line: `4 oil`."""

_HOLE_NAMES: Final = re.compile(r"\{(\w+)")
_MARK: Final = re.compile(r"[,;:?!.()]")


class OwnMove(NamedTuple):
    """A line that begins with the name of a move: its sentence and entry, neither where the rest is not understood."""

    sentence: str = ""
    entry: Mapping[str, Any] = {}


def cards_said(shapes: Iterable[str], known: Vocabulary, often: Collection[str]) -> frozenset[str]:
    """Return the words in small letters that stand alone behind the name of a move in several lines, as cards do."""
    by_move: dict[str, list[str]] = {}
    for shape in shapes:
        said = _MOVE_SENTENCE.fullmatch(shape)
        tag = move_called(said["verb"], known) if said else ""
        if said and tag.startswith(OWN_MOVE):
            act = _with_aside(said["rest"])[0][0].strip(" .!")
            act = (placed["act"] if (placed := _PLACE.fullmatch(act)) else act).removeprefix(" ")
            word = act[len(_before(act)) :].casefold()
            if WORD.fullmatch(word) and not _TALK_WORDS.match(word):
                by_move.setdefault(tag, []).append(word)
    sure = [words for words in by_move.values() if len(words) >= ALIKE or any(word in often for word in words)]
    return frozenset(word for words in sure for word in words)


class _Clause(NamedTuple):
    """One thing that somebody does in a line: what stands behind its verb, its entry, and what is remarked then.

    `is_part`: it says what the thing before it does anyway, and is none of its own. `says_number`: it is a draw of so
    many cards.
    """

    text: str
    entry: Mapping[str, Any]
    remarked: Sequence[Mapping[str, Any]] = ()
    is_part: bool = False
    says_number: bool = False


def own_move(shape: str, known: Vocabulary, spoken: Spoken) -> OwnMove | None:
    """Return what a line with its names taken out means as moves of the game; None where none is named in it.

    A card that is written in small letters is one if its words are among those that are said often.
    """
    said = _said(shape, known, spoken)
    if said is None:
        return None
    told = shape.startswith(TOLD_PREFIX)
    parts = _parts(said["verb"], said["rest"], known)
    clauses = [
        _clause(each.verb, each.rest, known, spoken, is_last=at == len(parts)) for at, each in enumerate(parts, 1)
    ]
    read = _done([each for each in clauses if each is not None], parts, spoken)
    if len(read) < len(clauses):
        return OwnMove()
    who = "{speaker:player}: {player}" if told else said["who"]
    joins = (said["myself"] or "", *(each.joins for each in parts[1:]))
    texts, entries = _apart(read, known)
    sentence = "".join(
        f"{before}{f'{{who{at}:player}} ' * part.is_named}{part.verb}{text}"
        for at, (before, part, text) in enumerate(zip(joins, parts, texts, strict=True))
    )
    also = [*entries[1:], *read[-1].remarked]
    return OwnMove(f"{who} {sentence}", {**entries[0], **({"also": also} if also else {})})


def _said(shape: str, known: Vocabulary, spoken: Spoken) -> re.Match[str] | None:
    """Return who does what in a line that begins with the name of a move; None for any other line."""
    told = shape.startswith(TOLD_PREFIX)
    line = shape.removeprefix("{player}: ") if told else shape
    said = _MOVE_SENTENCE.fullmatch(line if told else spoken.with_doers(spoken.shape(line), known))
    return said if said is not None and line_called(said["verb"], said["rest"], known) else None


def with_drawn_number(line: str, shape: str, known: Vocabulary, spoken: Spoken) -> str:
    """Return the shape of a line with its own numbers where a move draws itself: `waiting, drawing 2`, and no other."""
    said = _said(shape, known, spoken) if spoken.draws and "{n}" in shape else None
    parts = _parts(said["verb"], said["rest"], known) if said is not None else []
    tags = [line_called(each.verb, each.rest, known) for each in parts]
    is_part = any(one in spoken.draws and two == DRAW_EVENT for one, two in pairwise(tags))
    return with_numbers(line, shape) if is_part else shape


def move_of_row(shape: str, cells: Mapping[str, Sequence[str]], known: Vocabulary, spoken: Spoken) -> OwnMove | None:
    """Return what a row means whose text is no more than the name of a move: its cards and players are other `cells`.

    A cell is looked at where each of these rows has it, and names a player, or no number.
    """
    who, _, verb = shape.partition(" ")
    tag = move_called(verb, known)
    if who != "{player}" or not tag.startswith(OWN_MOVE):
        return None
    names = [name for name, said in cells.items() if all(spoken.is_name(each) for each in said)]
    others = [name for name, said in cells.items() if name not in names and not any(map(NUMERAL.fullmatch, said))]
    named: dict[str, str] = {}
    for field in fields_of(known.types[tag]):
        columns = names if field.type == PlayerId else others
        if columns:
            named[field.name] = f"{{{columns.pop(0)}}}"
        elif field.required:
            return OwnMove()
    return OwnMove(shape, {"event": tag, **({"with": named} if named else {})})


class _Part(NamedTuple):
    """One thing of a line as it stands there: what joins it to the one before, its verb, the rest.

    `is_named`: before its verb stands who does it.
    """

    joins: str
    is_named: bool
    verb: str
    rest: str


def _done(read: Sequence[_Clause], parts: Sequence[_Part], spoken: Spoken) -> list[_Clause]:
    """Return things with who does them; a draw behind a move that draws is a part of that: `resting, drawing 2`.

    A number that contradicts it, or that nobody can hold against it, and cards named there end what is understood.
    """
    done: list[_Clause] = []
    for at, (each, part) in enumerate(zip(read, parts, strict=False)):
        who = {"player": f"{{who{at}}}"} if part.is_named else {}
        entry = {**each.entry, "with": {**each.entry.get("with", {}), **who}} if who else each.entry
        before = done[-1].entry["event"] if done and not who else ""
        is_part = entry["event"] == DRAW_EVENT and before in spoken.draws
        number = spoken.draws[before] if is_part else 0
        said = entry.get("with", {}).get("count", 0)
        if is_part and ("{cards}" in each.text or (each.says_number and not said == number > 0)):
            break
        done.append(each._replace(entry=entry, is_part=is_part))
    return done


def _parts(verb: str, rest: str, known: Vocabulary) -> list[_Part]:
    """Return what is done in a line, one thing after another."""
    verbs = [each for each in _NEXT.finditer(rest) if line_called(each["verb"], rest[each.end() :], known)]
    heads = [("", False, verb, 0), *((each["joins"], bool(each["who"]), each["verb"], each.end()) for each in verbs)]
    ends = [*(each.start() for each in verbs), len(rest)]
    return [
        _Part(joins, named, word, rest[begin:end]) for (joins, named, word, begin), end in zip(heads, ends, strict=True)
    ]


def _clause(verb: str, rest: str, known: Vocabulary, spoken: Spoken, *, is_last: bool) -> _Clause | None:
    """Return one thing that is done as a map says it; None where it is not understood."""
    tag = line_called(verb, rest, known)
    if _PAUSED.match(rest):
        return None
    for act, behind, more in _with_aside(rest, spoken) if is_last else [(rest, "", ())]:
        read = drawing(act, tag, known)
        if read is None and tag != DRAW_EVENT:
            filled = _filled(act, known.types[tag], spoken)
            read = None if filled is None else (filled, {"event": tag})
        if read is not None:
            return _Clause(f"{read[0]}{behind}", read[1], more, says_number=says_number(act))
    return None


def _apart(read: Sequence[_Clause], known: Vocabulary) -> tuple[list[str], list[dict[str, Any]]]:
    """Return clauses whose holes have names of their own: no event takes what another one names."""
    texts, entries = [], []
    for at, (text, entry, _, is_part, _) in enumerate(read):
        others = (known.types[each.entry["event"]] for each in read if each.entry is not entry)
        taken = {field.name for kind in others for field in structs.fields(kind)}
        taken |= {"cards"} if "card" in taken else set()  # a list of cards is also an event for each of them
        renamed = {name: f"{name}{at + 1}" for name in _HOLE_NAMES.findall(text) if name in taken}
        texts.append(_with_names(text, renamed))
        filled = {**entry.get("with", {}), **{name: f"{{{other}}}" for name, other in renamed.items()}}
        entries += [] if is_part else [{**entry, **({"with": filled} if filled else {})}]
    return texts, entries


def _with_names(text: str, names: Mapping[str, str]) -> str:
    """Return a sentence with other names for some of its holes."""
    return _HOLE_NAMES.sub(lambda hole: f"{{{names.get(hole[1], hole[1])}", text)


def _with_aside(rest: str, spoken: Spoken | None = None) -> list[tuple[str, str, Sequence[Mapping[str, Any]]]]:
    """Return the ways to take what stands behind a verb: without what somebody remarks at its end, and as it is.

    A remark that the game is over is its end, any other a note; words in which a move or a card is named are none.
    """
    ways: list[tuple[str, str, Sequence[Mapping[str, Any]]]] = []
    if placed := _PLACE.fullmatch(rest):
        ways.append((placed["act"], f"{placed['where']}{placed['end']}", ()))
    if (match := _ASIDE.fullmatch(rest)) and "{card}" not in match["words"]:
        if over := over_said(match["words"]):
            ways.append((match["act"], f"{match['sign']}{match['words']}", [over]))
        elif spoken is None or not spoken.named.first_in(match["words"]):
            note = {"event": "note.added", "with": {"text": "{words}"}}
            ways.append((match["act"], f"{match['sign']}{{words}}", [note]))
    return [(rest, "", ()), *ways] if "{" in rest else [*ways, (rest, "", ())]


def _filled(rest: str, kind: type[Event], spoken: Spoken) -> str | None:
    """Return what stands behind the verb with a hole for each field that has to be said; None where it does not fit."""
    fields = fields_of(kind)
    players = [each.name for each in fields if is_player(each)]
    numbers = [each.name for each in fields if is_number(each)]
    texts = [each.name for each in fields if each.name not in {*players, *numbers}]
    done, label, is_of_numbers = list[str](), "", bool(numbers) and not texts
    for place, piece in enumerate(parts := _HOLES.split(rest)):
        of = {"{player}": players, "{n}": numbers, "{card}": texts, "{text}": texts}.get(piece)
        if of is not None:
            if piece == "{n}":
                _put_first(numbers, parts[place - 1])
            if not of:
                return None
            done.append(_hole(piece, of.pop(0)))
            continue
        units = _OWN_UNIT if label or is_of_numbers else _UNIT
        unit = said[0] if place and parts[place - 1] == "{n}" and (said := units.match(piece)) else ""
        label = _label(piece, numbers) if parts[place + 1 : place + 2] == ["{n}"] else ""
        named = _named(piece[len(unit) : len(piece) - len(label)], texts, spoken, last=place == len(parts) - 1)
        if named is None:
            return None
        done.append(f"{unit}{named}{label}")
    left = {*players, *numbers, *texts}
    return None if any(each.required and each.name in left for each in fields) else "".join(done)


def _label(before: str, numbers: Collection[str]) -> str:
    """Return the end of the words before a number that is the name of a field for one: `table ` of `at table `."""
    *_, word = WORD.findall(before) or [""]
    return before[before.rindex(word) :] if word.casefold() in numbers else ""


def _put_first(numbers: list[str], before: str) -> None:
    """Put the field first which takes the next number: the one named before it, else that of any `number`."""
    named = _label(before, numbers).strip().casefold()
    numbers.sort(key=lambda each: each != (named or "number"))


def _hole(piece: str, field: str) -> str:
    kind = {"{player}": ":player", "{n}": ":number"}.get(piece, "")
    return f"{{{field}{kind}}}"


def _named(piece: str, texts: list[str], spoken: Spoken, *, last: bool) -> str | None:
    """Return words between holes, the card that they name as a hole; None where they say something else.

    Before a hole the last word belongs to the sentence: `gives Pike to {player}`. Where all cards are known, no other
    word is one.
    """
    if _END.fullmatch(piece) or {*WORD.findall(piece.casefold())} <= _SMALL:
        return piece
    if spoken.is_sure:
        return None
    words, joins = piece.strip(" "), ""
    if not last and (match := re.fullmatch(r"(?P<name>(?:.* )?)(?P<joins>[^\sA-Z]+)", words)):
        words, joins = match["name"].rstrip(" "), f" {match['joins']}"
    if not words:
        return f"{joins}{' ' * piece.endswith(' ')}"
    if not texts:
        return None
    article = _before(words)
    name = words[len(article) :].rstrip(" .!")
    end = words[len(article) + len(name) :]
    is_given = bool(_JOINS.fullmatch(joins) and WORD.fullmatch(name)) and not _TALK_WORDS.match(name)
    if not (is_given or _is_card(name, spoken.often)):
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
    unlikely = small and bool(_TALK_WORDS.match(name) or not {*WORD.findall(name.casefold())} <= {*often})
    return bool(name) and not unlikely and len(words) <= LONGEST_NAME and not _MARK.search(name)


def as_move(sentence: str, entry: Mapping[str, Any], known: Vocabulary) -> tuple[str, Mapping[str, Any]]:
    """Return what a sentence means as the move of the game's own file that is called like what the player does.

    The move has to have one field for what the line names, or none where it names nothing, or fields for the players
    that it names and no others: what else the line says is left as it is.
    """
    who, _, does = sentence.partition(" ")
    tag = move_called(does.partition(" ")[0], known)
    holes = dict(re.findall(r"\{(\w+)(?::(\w+))?\}", does))
    if who != "{player}" or not tag.startswith(OWN_MOVE):
        return sentence, entry
    fields = fields_of(known.types[tag])
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
