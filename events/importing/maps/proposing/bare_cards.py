"""Messages that name a card and say no move, as `white 6 on the bridge`: what they would mean if they are one."""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any, Final

from tabletape.events.importing.games.known_deck import printed_cards
from tabletape.events.importing.maps.move_words import MoveWords, move_called
from tabletape.events.importing.maps.proposing.spoken import NUMERAL, moves_of_a_card, required_of
from tabletape.events.vocabulary import vocabulary

_CARD_FIRST: Final = re.compile(
    r"\{player\}: (?:(?:ok(?:ay)?|so|then|now|and|well|und|dann|also|a|an|the),? )*(?P<words>[^\W\d_].*)",
    re.IGNORECASE,
)
_TAKES_BACK: Final = re.compile(
    r"(?:(?:wait|oh|ah|no|nope|sorry|oops|i mean|nein|halt|warte|quatsch|non|pardon)\b[,.!]* ?)+", re.IGNORECASE
)
_COMPACT: Final = re.compile(
    r"\{player\}: (?P<card>[A-Z][\w'-]*(?: [A-Z][\w'-]*)*)[,;:]? ?\(?\{n\}(?: (?P<counter>[^\W\d_]+))?\)?[.!]*"
)
"""A message that is a name and a number, with what that counts or not: `Fox, +2 coins`, `Owl -1`."""

_SIGNED: Final = re.compile(r"[+\-\u2212\u2013] ?\d")
_OFTEN: Final = 3
"""In so many lines a name with a number is no chance."""

_WORD: Final = re.compile(r"[\w'\u2019-]+")


class BareCards:
    """What messages of a chat would mean that begin with a card: the move that most of those with a verb are."""

    def __init__(
        self,
        game: str,
        named: MoveWords,
        said: Iterable[str],
        withdrawn: Collection[int],
        compact: Collection[str] = (),
    ) -> None:
        """Know the cards of a game and its moves of a card; `said` are the lines that others mean.

        `withdrawn` are the messages that the next ones may take back, the `compact` ones are a name and what it brings.
        """
        counters = {match["counter"].rstrip("s") for each in compact if (match := _COMPACT.match(each)) and match[2]}
        self._compact, self._counter = compact, counters.pop() if len(counters) == 1 else ""
        self.withdrawn, self._named = withdrawn, named
        known = self._known = vocabulary(game)
        printed = (NUMERAL.sub("{n}", name) for name in printed_cards(game).values())
        self._names = {tuple(_WORD.findall(each.casefold())): each for each in printed}
        self._moves = moves_of_a_card(known)
        often = Counter(tag for tag in said if tag in self._moves).most_common(2)
        tied = len(often) > 1 and often[0][1] == often[1][1]
        self._usual = "" if tied else often[0][0] if often else self._moves[0] if len(self._moves) == 1 else ""

    def meant(self, shape: str) -> tuple[Mapping[str, Any], bool]:
        """Return what a message with its names taken out would mean, and whether it spells its card rightly.

        There is nothing for one that does not begin with a card, names several, or says another move.
        """
        if shape in self._compact and (said := _COMPACT.fullmatch(shape)):
            played = {"event": "card.moved", "with": {"card": said["card"], "from": "hand", "to": "table"}}
            by = {"event": "counter.changed", "with": {"counter": self._counter, "by": "{n}"}}
            note = {"event": "note.added", "with": {"text": "{n}"}}
            return {**played, "also": [by if self._counter else note]}, True
        first = _CARD_FIRST.fullmatch(shape)
        if first is None:
            return {}, True
        words = _WORD.findall(first["words"].casefold())
        cards = {name for name in self._names if tuple(words[: len(name)]) == name}
        is_right = bool(cards)
        cards = cards or {*self._named.meant_by(words)} & self._names.keys()
        if len(cards) != 1:
            return {}, True
        (card,) = cards
        behind = words[len(card) :]
        tags = {tag for word in behind if (tag := move_called(word, self._known))} or {self._usual}
        others = (tuple(behind[at : at + len(name)]) == name for at in range(len(behind)) for name in self._names)
        if len(tags) > 1 or not tags <= {*self._moves} or any(others):
            return {}, True
        (tag,) = tags
        field = required_of(self._known.types[tag])[0].name
        return {"event": tag, "with": {field: self._names[card]}}, is_right


def compact_in(lines: Sequence[tuple[int, str, str]]) -> frozenset[str]:
    """Return the shapes of messages that are a name and what it brings, where several players say some of these."""
    found = [(line, shape) for _, line, shape in lines if _COMPACT.fullmatch(shape) and _SIGNED.search(line)]
    is_usual = len(found) >= _OFTEN and len({line.partition(":")[0] for line, _ in found}) > 1
    return frozenset(shape for _, shape in found) if is_usual else frozenset()


def taken_back(lines: Sequence[tuple[int, str, str]], unsure: Collection[str]) -> frozenset[int]:
    """Return the lines behind which the same player at once says another: `brown 8`, then `wait no, brown 1`.

    `lines` have a number, a text and a shape, and `unsure` are the shapes that may be moves.
    """
    return frozenset(
        number
        for (number, line, shape), (_, later, correction) in pairwise(lines)
        if {shape, correction} <= {*unsure}
        and line.partition(": ")[0] == later.partition(": ")[0]
        and _TAKES_BACK.match(correction.removeprefix("{player}: "))
    )
