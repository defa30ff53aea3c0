"""The sentences of a rulebook, each with its place, and the moves of a turn that they list."""

import re
from collections.abc import Iterable, Sequence
from itertools import takewhile
from typing import Final, NamedTuple

from tabletape.dashboard.own_game.german import in_english_words
from tabletape.dashboard.own_game.messages import NO_VERB, SAID_NUMBER, WORD
from tabletape.projector.rulebooks.text import RulebookText

_ACTS: Final = re.compile(
    rf"\btak(?:e|es|ing)\b(?= (?:(?:{SAID_NUMBER}|or|more|fewer|less|than|at|most|least|up|to|only|an?|"
    r"exactly|another|your|his|her|their|the|any|further|extra|last|next|other) )*(?:actions?|turns?)\b)",
    re.IGNORECASE,
)
"""Whoever takes two actions, or a turn, takes no card: no move is said so."""

_TO: Final = r"(?P<to>to|into|onto|from|at|on|in|with|for|by)"
_NOT_BUT: Final = re.compile(rf"\b(?:not|never) {_TO} [^,.;:]{{1,40}}?,? but (?:rather )?(?=(?P=to) )", re.IGNORECASE)
_AND_NOT: Final = re.compile(
    rf"^(?P<kept>(?:(?!\b(?:may|can)\b)[^.;:])*?\b{_TO} [^.;:]*?),? (?:(?:and|but) )?(?:not|never) (?P=to) "
    r"[\w' -]{1,30}(?=[.;!]|$)",
    re.IGNORECASE,
)
"""What a sentence says not to be the other of two, `to the player on your left, not to the jar`, limits no more."""

ONE_OF: Final = re.compile(
    rf"\b(?:one of|{SAID_NUMBER} of (?:these|the following)|{SAID_NUMBER} (?:of (?:these|the) )?(?:things?|actions?|"
    r"moves?)|either|following)\b",
    re.IGNORECASE,
)
_LIST: Final = re.compile(r": (?:(?:you|they|one) )?((?:[a-z]+, )+[a-z]+,? or [a-z]+)\s*[.;]", re.IGNORECASE)
_YOUS: Final = re.compile(r": (?P<items>(?:(?:or )?(?:you|they) [^,;.:]+,? ?){2,})[.;]", re.IGNORECASE)
"""A list of what one does: `you load a pot, you stoke the fire, or you gather wood.`"""

_ACTIONS: Final = re.compile(
    r"\b(?:(?:actions|moves) (?:of a turn )?are|an (?:action|move) is)(?: one of(?: these| the following)?)?:? "
    r"(?P<items>[^.;:]+)",
    re.IGNORECASE,
)
ITEM: Final = re.compile(r"\W*(?P<word>[^\W\d_]+)(?: [a-z]+)?\W{0,2}:")
"""An item of a list of moves: `Call: take one card`."""


class CiteSentence(NamedTuple):
    """A sentence of the rulebook, where it stands, L4 or L4.2 for the second sentence of a line, and below what."""

    text: str
    cite: str
    heading: str = ""
    said: str = ""

    @property
    def first(self) -> int:
        """The line of the rulebook in which it begins; 0 where it stands in none."""
        return int(line[0]) if (line := re.findall(r"^L(\d+)", self.cite)) else 0

    @property
    def own(self) -> str:
        """The sentence as the rulebook has it: a German one is read in the words of English ones."""
        return self.said or self.text


def cite_sentence(text: str, cite: str, heading: str = "") -> CiteSentence:
    """Return a sentence as it is read, with its own text."""
    read = _ACTS.sub("do", in_english_words(text))
    read = _AND_NOT.sub(r"\g<kept>", _NOT_BUT.sub("", read))
    return CiteSentence(read, cite, heading, text if read != text else "")


def sentences_of(book: RulebookText | None) -> list[CiteSentence]:
    """Return the sentences of a rulebook that are no headings or names, each with its place."""
    if book is None:
        return []
    heading, item = "", (0, "")
    cited = []
    for each in book.sentences:
        beside = book.at(each.first)
        place = f"L{each.first}" if each.first == each.last else f"L{each.first}-{each.last}"
        piece = f".{beside.index(each.number) + 1}" if len(beside) > 1 and each.first == each.last else ""
        if each.number in book.titles:
            heading = each.text
        elif len(each.words) > 2:
            above = item[1] if item[0] == each.first else heading
            cited.append(cite_sentence(each.text, f"{place}{piece}", above))
        if begun := ITEM.match(f"{each.text.rstrip('.')}:" if len(each.words) < 3 else each.text):
            item = (each.first, begun["word"])  # What stands behind it in its line is about it, too: `It costs one.`
    return cited


def listed_moves(sentences: Iterable[CiteSentence]) -> frozenset[str]:
    """Return the words that a rulebook lists as the moves of a turn: `one of these: load, shunt or wait`.

    Such a list may say more of a move: `the actions are plant, open a hive and draw`.
    """
    sentences = [*sentences]
    said = filter(None, (_ACTIONS.search(each.text) for each in sentences))
    items = [re.split(r",? (?:and|or) |, ", match["items"].casefold()) for match in said]
    named = {word[0] for some in items if len(some) > 1 for each in some if (word := WORD.search(each))}
    lists = (_LIST.search(each.text) for each in sentences if ONE_OF.search(each.text))
    words = {word.casefold() for match in lists if match for word in WORD.findall(match[1]) if word != "or"}
    done = (_YOUS.search(each.text) for each in sentences if ONE_OF.search(each.text))
    words |= {verb for match in done if match for verb in re.findall(r"\b(?:you|they) ([a-z]+)", match["items"])}
    return frozenset(words | named - NO_VERB)


def listing(sentence: CiteSentence, sentences: Sequence[CiteSentence]) -> list[str]:
    """Return the words of a sentence, and those with which the items begin that are listed below it."""
    words = WORD.findall(sentence.text.partition(":")[2] or sentence.text)
    if not sentence.text.rstrip().endswith(":") or sentence not in sentences:
        return words
    behind = (ITEM.match(each.text) for each in sentences[sentences.index(sentence) + 1 :])
    return [*words, *(item["word"] for item in takewhile(bool, behind) if item)]
