"""The messages of a chat as one looks at them first: the words with which their parts begin, and what stands behind."""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cache
from typing import Final

from tabletape.dashboard.own_game.word_lists import word_list
from tabletape.events.importing.maps.counted import COUNTS, SEVERAL
from tabletape.events.importing.maps.move_words import forms_of_verb
from tabletape.events.importing.maps.proposing.phrases import meanings
from tabletape.events.importing.maps.proposing.survey import Survey
from tabletape.events.rules_file.parser import OVER
from tabletape.events.rules_file.scope import reserved
from tabletape.projector.archive.pseudonyms import first_name

TAKEN_WORDS: Final = frozenset({*OVER, *reserved({}, {}).names, "next", "if", "each", "it"})
"""The words of the language in which a file says what has to be so: no move, card and place is called so."""

ACTS: Final = ("plays", "draws", "discards", "uses", "turn-ends")
"""What happens at every table, by the names of the phrases that say so: their verbs are moves without a rulebook."""

MORE_ACTS: Final = word_list("acts")
"""Further verbs of the table."""

DRAWN_BY: Final = frozenset({"draw", "ziehe"})
"""Who does this draws cards: of `take` and `collect` that is not sure."""

_JOINS: Final = re.compile(r"\s*[,;:.!?&+()]+\s*|\s+(?:and|then|und|dann|also|but|aber)\s+", re.IGNORECASE)
_PRAISE: Final = re.compile(r"\b(?:well|nicely) +$", re.IGNORECASE)
_COUNTED: Final = re.compile(r"(?:^|\s)[+-]?\d+ $")
_NOUN: Final = re.compile(r" (?:is|are|was|were|ist|sind|war)\b|(?<=give|gave|gibt|gebe) (?:up|auf)\b", re.IGNORECASE)
"""Around a word that tells of no move of who says it: `well played`, `3 jars`, `order is me, Joel`, `I give up`."""

FILLERS: Final = word_list("fillers")
NO_VERB: Final = word_list("no_verb")
DETERMINERS: Final = word_list("determiners")
SAID_SEVERAL: Final = rf"(?:{SEVERAL}|\d+)"
SAID_NUMBER: Final = rf"(?:one|{SEVERAL}|\d+)"
SAID_RANGE: Final = re.compile(
    rf"\b{SAID_NUMBER},? (?:or|to|and(?: at most)?) (?P<most>{SAID_NUMBER}) (?:\w+ )?(?:things?|actions?|moves?)\b",
    re.IGNORECASE,
)
"""Patterns for the numbers of a rulebook, and for so many or so many actions."""

ORDINALS: Final = {"second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6}

IN_SHORT: Final = re.compile(r"(?<![\w'])([^\W\d_])(\d{1,2})(?!\w)")
"""A numbered place or card in short: `h1`, `C8`."""

_CODE: Final = re.compile(rf"(?<!\w)((?:at|in|on|to|into|onto|from|auf|an|bei|nach|von) )?{IN_SHORT.pattern}")
_OFTEN_IN_SHORT: Final = 8
"""So many cards in short are no chance."""

WORD: Final = re.compile(r"[^\W\d_][\w'-]*")
"""A word of a sentence."""


def number_of(word: str) -> int:
    """Return the number that a word says, 0 where it says none; an article says none."""
    if word.isascii() and word.isdigit():
        return int(word)
    low = word.casefold()
    return {"one": 1, "once": 1, "twice": 2, "single": 1}.get(low, COUNTS.get(low, 0) if COUNTS.get(low, 0) > 1 else 0)


def in_full(message: str, labels: Iterable[str]) -> str:
    """Return a message with its numbered places and cards in full: `plant C5 h1` is `plant clover 5 hive 1`.

    A letter is short for the only one of some `labels` that begins with it.
    """
    named = [*{*labels}]
    full = {each[0]: each for each in named if [other[0] for other in named].count(each[0]) == 1}
    return IN_SHORT.sub(
        lambda said: f"{full[said[1].casefold()]} {said[2]}" if said[1].casefold() in full else said[0], message
    )


def letters_in_short(messages: Iterable[str]) -> frozenset[str]:
    """Return the letters that cards in short begin with, `C8` and `T12`: several, each with several numbers behind it.

    What mostly stands where somebody says at which of several places, `to c3`, is none.
    """
    said = [(each.group(1), each.group(2), each.group(3)) for text in messages for each in _CODE.finditer(text)]
    times = Counter(letter for _, letter, _ in said)
    numbers = Counter(letter for letter, _ in {(letter, number) for _, letter, number in said})
    places = Counter(letter for where, letter, _ in said if where)
    letters = {each for each in times if numbers[each] > 1 and 2 * places[each] < times[each]}
    is_usual = len(letters) > 1 and sum(times[each] for each in letters) >= _OFTEN_IN_SHORT
    return frozenset(each.casefold() for each in letters) if is_usual else frozenset()


def names_of(players: Iterable[str]) -> list[str]:
    """Return what players are called: their names, and the first word of one where that is nobody else's."""
    names = [*players]
    first = Counter(map(first_name, names))
    return [*names, *(word for word, times in first.items() if times == 1 and word not in names and len(word) > 2)]


def messages_of(seen: Survey) -> Iterator[tuple[str, str]]:
    """Yield what each player says or does in the lines of a chat: the player, and the rest of the line."""
    said = (said_by(line, seen.players) for _, line in seen.lines)
    return ((who, message) for who, message in said if who)


def said_by(line: str, players: Iterable[str]) -> tuple[str, str]:
    """Return who of the players says a line, empty where nobody does, and the message."""
    who = next((each for each in sorted(players, key=len, reverse=True) if line.startswith(each)), "")
    rest = line[len(who) :]
    return ("", line) if rest[:1].isalnum() else (who, rest.lstrip(":> ").strip())


def rests_of(called: Mapping[str, Collection[str]], seen: Survey) -> dict[str, list[str]]:
    """Return what stands behind each move in the lines of a chat, up to the next move there.

    `called` are the words of each move, which may be said in any person: `gathers`.
    """
    by_word = {word: move for move, words in called.items() for word in words}
    rests: dict[str, list[str]] = {move: [] for move in called}
    for _, message in messages_of(seen):
        verbs = ((forms_of_verb(verb), verb, at, end) for verb, at, end in begun_in(message, seen.players, by_word))
        words = ((next(filter(by_word.__contains__, (verb, *forms)), ""), at, end) for forms, verb, at, end in verbs)
        begun = [(by_word[word], at, end) for word, at, end in words if word]
        ends = [*(at for _, at, _ in begun[1:]), len(message)]
        for (move, _, behind), end in zip(begun, ends, strict=False):
            rests[move].append(message[behind:end])
    return rests


def begun_in(message: str, players: Collection[str], listed: Collection[str] = ()) -> Iterator[tuple[str, int, int]]:
    """Yield the words with which the parts of a message begin, and where, but for words that no move is called.

    What is `listed` among the moves of a turn is one, whatever the word says else: `wait`.
    """
    passed = FILLERS | {each.casefold() for each in players}
    starts = [0, *(match.end() for match in _JOINS.finditer(message))]
    for start, end in zip(starts, [*starts[1:], len(message)], strict=True):
        words = ((match[0].casefold(), match) for match in WORD.finditer(message, start, end))
        word, match = next(((word, match) for word, match in words if word not in passed), ("", None))
        is_done = match and not (_PRAISE.search(message, start, match.start()) or _NOUN.match(message, match.end()))
        is_done = is_done and match and not _COUNTED.search(message[start : match.start()])
        is_verb = word not in NO_VERB or not {*forms_of_verb(word)}.isdisjoint(listed)
        if match and is_done and is_verb and not number_of(word) and len(word) > 1:
            yield word, match.start(), match.end()


@cache
def table_verbs() -> frozenset[str]:
    """Return the verbs of every table, as they are called."""
    phrases = (phrase for each in meanings() if each.name in ACTS for phrase in each.phrases if " " not in phrase)
    return frozenset(form for phrase in phrases for form in forms_of_verb(phrase)) | MORE_ACTS
