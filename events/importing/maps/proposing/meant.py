"""What a sentence of a text may mean at any table, by its phrase: an event with what its holes say."""

import re
from collections import Counter
from collections.abc import Collection, Mapping
from functools import cache
from typing import Any, Final

from rapidfuzz import fuzz

from tabletape.events.importing.maps.proposing.moves import TOLD_PREFIX, OwnMove
from tabletape.events.importing.maps.proposing.phrases import SCORE, Meaning, counter_of, meaning_of, meanings, words_of
from tabletape.events.importing.maps.proposing.templates import HOLE

DECISIVE: Final = frozenset(
    {"first-player.chosen", "game.ended", "game.abandoned", "player.conceded", "result.recorded"}
)
"""Events that few lines say and most questions are about: who began, and how it ended."""

EXACT: Final = 90
"""A sentence is a phrase, not one that begins so, if it is at least this similar to it (rapidfuzz, 0-100)."""

_CHEER: Final = re.compile(r"(?:(?:gg|ggs|ok|okay|well|so|good game)[,.!]* )*(?=\{player\} )", re.IGNORECASE)
_CHEER_BEHIND: Final = re.compile(
    r"(?:[,.!]* (?:ggs?|good games?|well played|congrats|thanks|thx))+[.!]*$", re.IGNORECASE
)
_COUNTED_HOLE: Final = re.compile(r"(\{n\} )\{(?:card|text)\}")
"""A number with different things behind it, each of which is counted by itself."""

_DIGITS: Final = str.maketrans("", "", "0123456789")


def is_fixed(shape: str) -> bool:
    """Return whether a line without its player is a phrase: nothing is named in it."""
    plain = SCORE.sub("", shape)
    return re.sub(r"\{player\}", "", plain).count("{") == 0 and _is_phrase(plain)


def is_decisive(message: str) -> bool:
    """Return whether a message says who began or how the game ended, and nothing more."""
    meaning = meaning_of(message)
    return meaning is not None and meaning.entry.get("event") in DECISIVE and is_fixed(message)


def end_told(shape: str, writers: Collection[str]) -> OwnMove | None:
    """Return what a message means that says how the game ended, with a cheer or not: `gg, Ben wins`; None for others.

    It may be that of a player or of one of the other `writers`.
    """
    who, _, message = shape.partition(": ")
    cheer, behind = _CHEER.match(message), _CHEER_BEHIND.search(message)
    end = behind.start() if behind else len(message)
    if who not in {"{player}", *writers} or cheer is None or not is_decisive(message[cheer.end() : end]):
        return None
    told, entry = meant(message[cheer.end() : end])
    return OwnMove(f"{'{speaker:player}' if who == '{player}' else who}: {cheer[0]}{told}{message[end:]}", entry)


def _is_phrase(shape: str) -> bool:
    """Return whether a sentence is a phrase of which the meaning is known, and nothing more."""
    meaning, words = meaning_of(shape), words_of(shape)
    return meaning is not None and any(fuzz.ratio(words, phrase) >= EXACT for phrase in meaning.phrases)


def endings_of(head: str) -> Collection[tuple[str, ...]] | None:
    """Return what may stand behind the card that a beginning names (`wirft {card} ab`); None where it names none."""
    meaning, words = meaning_of(head), words_of(head)
    begun = (phrase for phrase in _card_phrases() if phrase.startswith(f"{words} "))
    endings = {tuple(phrase[len(words) + 1 :].split(" ")) for phrase in begun}
    names = bool(endings) or (meaning is not None and meaning.card and _is_phrase(head))
    return endings if names else None


@cache
def _card_phrases() -> frozenset[str]:
    return frozenset(phrase for each in meanings() if each.card for phrase in each.phrases)


def meant(sentence: str) -> tuple[str, Mapping[str, Any]]:
    """Return a sentence with its holes named, and the entry that it may mean."""
    if sentence.startswith(TOLD_PREFIX):
        # Somebody tells of another: who is named does it, not who writes.
        told, entry = meant(sentence.removeprefix("{player}: "))
        return f"{{speaker:player}}: {told}", entry
    if "{player}" not in sentence:
        known = meaning_of(sentence)
        is_told = known is not None and known.table and is_fixed(sentence)
        return named(sentence), known.entry if known is not None and is_told else {"skip": True}
    meaning = meaning_of(sentence)
    if meaning is None or "skip" in meaning.entry:
        return named(sentence), {"harmless": True} if meaning is None else meaning.entry
    if meaning.counts:
        return _counting(sentence, meaning)
    if meaning.name == "draws":
        return _drawing(sentence, meaning)
    if meaning.card and HOLE not in sentence:
        sentence = sentence.replace("{text}", HOLE, 1)
    return _scored(named(sentence, card=meaning.card), meaning.entry)


def _scored(sentence: str, entry: Mapping[str, Any]) -> tuple[str, Mapping[str, Any]]:
    """Return what the end of a game means; a number behind each of several players is the score of each.

    Of two numbers together the first is that of who is named first: `Anna wins 12:9`.
    """
    holes = re.findall(r"\{(\w+)(?::\w+)?\}", sentence)
    pairs = dict(zip(holes[::2], holes[1::2], strict=False))
    if entry.get("event") == "game.ended" and holes in (["player", "n", "n2"], ["player", "player2", "n", "n2"]):
        if "player" in entry["with"].get("winner", ""):
            other = "{player2}" if len(holes) > 3 else "{other}"
            return sentence, {**entry, "with": {**entry["with"], "scores": {"{player}": "{n}", other: "{n2}"}}}
        return sentence, entry
    every = len(pairs) > 1 and all(f"{who}{n}".translate(_DIGITS) == "playern" for who, n in pairs.items())
    if entry.get("event") != "game.ended" or not every or len(holes) % 2:
        return sentence, entry
    scores = {f"{{{player}}}": f"{{{score}}}" for player, score in pairs.items()}
    return sentence, {**entry, "with": {**entry["with"], "scores": scores}}


def _drawing(sentence: str, meaning: Meaning) -> tuple[str, Mapping[str, Any]]:
    """Return what a line means that says that cards are drawn: how many, or which."""
    if "{n}" in sentence:
        return named(sentence.replace("{n}", "{count:number}", 1)), meaning.entry
    sentence = sentence.replace("{text}", HOLE, 1)
    if HOLE in sentence:
        return named(sentence.replace(HOLE, "{cards}", 1), card=True), meaning.entry
    return named(sentence), {**meaning.entry, "with": {"count": 1}}


def _counting(sentence: str, meaning: Meaning) -> tuple[str, Mapping[str, Any]]:
    """Return what a line means that says a number of something: that it is so many now, or by how much it changes."""
    sentence, varies = _COUNTED_HOLE.subn(r"\1{counter:text}", sentence, count=1)
    fields = {} if varies else {"counter": counter_of(sentence)}
    hole = "by" if meaning.name == "gains" else "to"
    if meaning.name == "loses":
        hole, fields["by"] = "by_number", meaning.counts
    return named(sentence.replace("{n}", f"{{{hole}:number}}", 1)), {**meaning.entry, "with": fields}


def named(sentence: str, *, card: bool = False) -> str:
    """Return a sentence in which each number and text is a hole of its own; what is named is a `card`, or a text."""
    names: Counter[str] = Counter()

    def hole(match: re.Match[str]) -> str:
        name = match[1] if match[1] != "card" or card else "text"
        names[name] += 1
        count = "" if names[name] == 1 else str(names[name])
        kind = {"n": ":number", "text": ":text"}.get(name, "")
        return f"{{{name}{count}{kind or (':player' if count and name == 'player' else '')}}}"

    return re.sub(r"\{(n|text|player|card)\}", hole, sentence)
