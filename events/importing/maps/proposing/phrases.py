"""What a sentence of a chat may mean, by the phrases in which people tell it in several languages (`phrases.toml`)."""

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any, Final, NamedTuple

from rapidfuzz import fuzz

from tabletape.events.importing.maps.counted import NUMBER

MIN_LIKENESS: Final = 80
"""A phrase proposes its meaning if a sentence is at least this similar to it (rapidfuzz, 0-100)."""

OPENING: Final = 95
"""So similar counts a sentence that begins with a whole phrase; what is as similar in all its words counts more."""

SCORE: Final = re.compile(r"[(\[]?\{n\} ?(?:[:\u2013-]|(?:zu|to|\u00e0|a|tegen) )? ?\{n\}[)\]]?(?!\w)")
"""Two numbers of a result: 12:9, 12-9, 12 zu 9, (12:9)."""

_HOLE: Final = re.compile(r"\{\w+\}")
_BLANKS: Final = re.compile(r"\s+")
_AND: Final = re.compile(r" (?:and|und|et|y|e) ")
_COUNTED_NOUN: Final = re.compile(r"\{n\} (?:(?:points? de|puntos de|punti di) )?([^\W\d_]\w*)")


class Meaning(NamedTuple):
    """A kind of line: its name, what a map says of it, its phrases; whether a card or a number belongs to it.

    `counts` says how a number changes something: `to`, or by how much. `whole`: more behind it is another thing.
    `table`: nobody does it, the line is about the table.
    """

    name: str
    entry: Mapping[str, Any]
    phrases: tuple[str, ...]
    card: bool
    number: bool
    counts: str
    whole: bool
    table: bool


@cache
def meanings() -> tuple[Meaning, ...]:
    """Return all kinds of lines."""
    text = files("tabletape.events.importing.maps.proposing").joinpath("phrases.toml").read_text(encoding="utf-8")
    return tuple(_meaning(name, table) for name, table in tomllib.loads(text).items())


@cache
def verbs_of_phrases() -> frozenset[str]:
    """Return the words with which phrases begin, in small letters: a name is not written so."""
    return frozenset(phrase.partition(" ")[0] for each in meanings() for phrase in each.phrases)


def _meaning(name: str, table: Mapping[str, Any]) -> Meaning:
    own = {name for name, _ in _DEFAULTS}
    entry = {key: value for key, value in table.items() if key not in own and not isinstance(value, list)}
    phrases = tuple(words_of(phrase) for listed in table.values() if isinstance(listed, list) for phrase in listed)
    return Meaning(name, entry, phrases, *(table.get(key, default) for key, default in _DEFAULTS))


_DEFAULTS: Final = (("card", False), ("number", False), ("counts", ""), ("whole", False), ("table", False))


def words_of(shape: str) -> str:
    """Return the words of a sentence without its holes and marks, as phrases are compared."""
    return _BLANKS.sub(" ", _HOLE.sub(" ", shape)).strip(" .!:*-=#~\u2013\u2014()").casefold()


@cache
def meaning_of(shape: str) -> Meaning | None:
    """Return what a sentence may mean, whose names and numbers are holes; None where no phrase is like it.

    Behind its phrase a card, a number or talk may follow; a turn, a beginning and an end are the whole sentence. A
    question says nothing that has happened, but a card may be called so.
    """
    if shape.rstrip().endswith("?") and "{text}" not in shape and "{card}" not in shape:
        return None
    shape = SCORE.sub("", shape)
    words, is_told = words_of(shape), "{player}" in shape.removeprefix("{player}: ")
    best: tuple[float, int] = (MIN_LIKENESS - 0.1, 0)
    likeliest: Meaning | None = None
    for meaning in meanings():
        if (meaning.number and "{n}" not in shape) or (meaning.table and is_told):
            continue
        for phrase in meaning.phrases:
            whole = meaning.whole or not (meaning.card or meaning.number or "skip" in meaning.entry)
            score = _likeness(words, phrase, whole=whole), len(phrase) + meaning.number
            if score > best:
                best, likeliest = score, meaning
    return likeliest


def event_begun_in(part: str) -> str:
    """Return the event that a phrase says with which a part of a line begins, letter by letter; empty for others."""
    words = f"{words_of(part)} ".replace(",", "").replace(";", "")
    acts = (each for each in meanings() if "event" in each.entry and not each.table)
    said = (each for each in acts if any(words.startswith(f"{phrase} ") for phrase in each.phrases))
    return next((str(each.entry["event"]) for each in said if "{n}" in part or not each.number), "")


def _likeness(words: str, phrase: str, *, whole: bool) -> float:
    """Return how much some words are like a phrase; more behind it is fine unless the phrase has to say it `whole`.

    Of two things that are said (`wins the toss and begins`) either may be the whole.
    """
    if words.startswith(f"{phrase} ") if not whole else phrase in _AND.split(words)[1:]:
        return float(OPENING)
    return fuzz.ratio(words, phrase) if abs(len(words) - len(phrase)) < len(phrase) else 0.0


def counter_of(shape: str) -> str:
    """Return what a number in a sentence counts: the word behind it, `points` where there is none."""
    counted = _COUNTED_NOUN.search(shape)
    return counted[1].casefold() if counted else "points"


_THING: Final = rf"(?:\d|(?:{NUMBER}|the|an?|her|his|their|den|die|das|der|les?|la|el|los|las|il|lo)\b)"
_JOINED: Final = re.compile(
    rf"(?<!\w)(?:and|then|und|dann|et|puis|y|luego|e|poi|en) (?!{_THING})(?P<verb>[^\W\d_A-Z]+)\b(?P<thing> {_THING})?"
)
"""What joins a name to what is done behind it, a verb perhaps, and the beginning of what that is done with."""

_BEGUN: Final = re.compile(r".+ (?:on|onto|from|to|into|with|for|at|by|auf|von|mit|an|sur|avec|con|su)")


def tells_more(text: str) -> bool:
    """Return whether a text begins with the name of a card and goes on with something that is done, or done with it.

    `Fox and took 2 coins` and `Badger on` do; `Fox and Hound`, `Sword and shield` are names.
    """
    done = (
        each
        for each in _JOINED.finditer(text)
        if each["thing"] or each["verb"] in verbs_of_phrases() or each["verb"].endswith("ed")
    )
    first = next(done, None)
    is_named = first is not None and any(map(str.isupper, text[: first.start()]))
    return is_named or _BEGUN.fullmatch(text) is not None
