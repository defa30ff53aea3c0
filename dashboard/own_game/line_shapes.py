"""The shape of a message of a chat: its words without the cards, names and numbers that it names."""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from typing import Final, NamedTuple

from rapidfuzz.distance import OSA

from tabletape.dashboard.own_game.messages import (
    DETERMINERS,
    FILLERS,
    NO_VERB,
    TAKEN_WORDS,
    WORD,
    in_full,
    names_of,
    number_of,
)
from tabletape.dashboard.own_game.word_lists import word_list
from tabletape.events.importing.games.known_deck import names_said
from tabletape.events.importing.maps.counted import plurals_of
from tabletape.events.importing.maps.move_words import MoveWords, move_called
from tabletape.events.importing.maps.proposing.spoken import fields_of, is_number
from tabletape.events.importing.maps.values.captured import DRAW_EVENT
from tabletape.events.vocabulary import vocabulary

CLAUSE: Final = re.compile(r"[.,;!?(]| - | (?:and|und) ")
"""Here a message goes on with something else."""

_PARTS: Final = re.compile(r"(\s*[.,;!+&]+\s*|\s+(?:and|und|then|dann)\s+)")
_LEAD: Final = re.compile(r"\s*(?P<words>[^.!\u2026,?:]+)(?P<sign>[.!\u2026]+|,)\s+(?=\S)")
_CRIES: Final = re.compile(rf"(?:ha)+h?|(?:he)+h?|o+h+|a+h+|h+m+|u+m+|{'|'.join(word_list('cries'))}", re.IGNORECASE)
"""Words that somebody says before he says what he does."""

_MOST_LEADING: Final = 4
_LINKS: Final = rf"(?:(?:{'|'.join(word_list('links'))})[, ]+)*"
_SAYS_I: Final = re.compile(rf"{_LINKS}(?:i|i'll|ich)\b", re.IGNORECASE)
_FACE: Final = re.compile(r"[:;=][-']?[()DPp]+|\b[xX]D+\b")
_LONG: Final = 6
"""A word of so many letters may have two slips of typing, a shorter one has one."""

_SHORTEST: Final = 4


class LineShape(NamedTuple):
    """The words of a message that tell it from others, small ones left out, and what stands in its holes."""

    words: tuple[str, ...]
    said: tuple[str, ...]

    @property
    def is_bare(self) -> bool:
        """Whether nothing stands beside the cards that it names: it may answer a question, too."""
        return "{card}" in self.words and all(word.startswith("{") for word in self.words)

    def apart(self, other: "LineShape") -> list[str]:
        """Return the words in whose place another shape of as many words has other ones."""
        return [one for one, two in zip(self.words, other.words, strict=False) if one != two]


class ShapeReader:
    """Reads the shapes of the messages of one game, by the names of its moves, cards and players."""

    def __init__(self, slug: str, players: Iterable[str]) -> None:
        """Know the words of a game whose file is known."""
        self._known, cards = vocabulary(slug), names_said(slug)
        self.named = MoveWords(self._known, cards)
        names = {form for card in cards for form in (card, *plurals_of(card))}
        self.cards = "|".join(map(re.escape, sorted(names, key=len, reverse=True))) or r"(?!)"
        self._players = tuple(players)
        self.people = "|".join(map(re.escape, names_of(self._players))) or r"(?!)"
        people = "|".join(map(re.escape, self._players)) or r"(?!)"
        self._piece = re.compile(
            rf"(?<!\w)(?:(?P<card>{self.cards})|(?P<name>{people})|(?P<number>\d+))(?!\w)"
            rf"|(?P<word>{WORD.pattern})|(?P<mark>\?)",
            re.IGNORECASE,
        )
        self._card_first = re.compile(
            rf"(?:(?:the|my|one|an?|der|die|das|mein|meine) )?(?P<card>{self.cards}) (?P<verb>{WORD.pattern})[\s.!]*",
            re.IGNORECASE,
        )
        own = [kind for tag, kind in self._known.types.items() if tag.startswith("move.")]
        self.labels = {field.name for kind in own for field in fields_of(kind) if is_number(field)}
        self._labelled = re.compile(rf"[,;] (?=(?:{'|'.join(self.labels) or '(?!)'}) \d+\b)")
        numbered = {kind for kind, _, number in (name.rpartition(" ") for name in cards) if kind and number.isdecimal()}
        self.is_priced = not self.labels.isdisjoint({"number", *word_list("paying")})
        self._in_short = (self.labels - {"number"} - word_list("paying")) | {kind.casefold() for kind in numbered}
        moves = [tag.removeprefix("move.") for tag in self._known.types if tag.startswith("move.")]
        called = [tag.removeprefix("move.") for tag in self._known.written_as]
        words = Counter(word for name in {each.casefold() for each in cards} for word in {*WORD.findall(name)})
        usual = TAKEN_WORDS | NO_VERB | FILLERS | {*moves, *called}
        self._parts = {
            word: name
            for name in (each.casefold() for each in cards if " " in each)
            for word in WORD.findall(name)
            if words[word] == 1 and word not in usual and len(word) >= _SHORTEST and not move_called(word, self._known)
        }
        self._spelt = {word for each in (*moves, *called, *names) for word in WORD.findall(each.casefold())}

    def in_full(self, message: str) -> str:
        """Return a message with its numbered places and cards in full, `h1` as `hive 1`, places behind their move."""
        return self._labelled.sub(" ", in_full(message, self._in_short))

    def laid_with(self, message: str) -> str:
        """Return a message with `and` for `with` between two cards that a move lays: `plays a fox with a crow`.

        Whoever takes, or swaps, one with another does something else with that.
        """
        called = (move_called(word, self._known).removeprefix("move.") for word in WORD.findall(message))
        if next(filter(None, called), "") not in word_list("lays") | word_list("away"):
            return message
        two = rf"(?<!\w)({self.cards}) with (?=(?:(?:an?|the|my|one|two|three|\d+) )?(?:{self.cards})(?!\w))"
        return re.sub(two, r"\1 and ", message, flags=re.IGNORECASE)

    def shape(self, message: str) -> LineShape:
        """Return the shape of a message, without what is only exclaimed before it."""
        words, said = [], []
        for piece in self._piece.finditer(_FACE.sub("", self.without_lead(self.in_full(message))[1])):
            kind, text = _kind_of(piece), piece[0].casefold()
            if kind:
                words.append(kind)
                said.append(text)
            elif text not in word_list("small"):
                words.append(move_called(text, self._known) or text)
        return LineShape(tuple(words), tuple(said))

    def holes_in(self, text: str) -> Iterator[tuple[int, int, str]]:
        """Yield where a text names cards, players and numbers, and which of these."""
        for piece in self._piece.finditer(text):
            if kind := _kind_of(piece):
                yield piece.start(), piece.end(), kind

    def without_holes(self, text: str) -> str:
        """Return a text without the cards, players and numbers that it names."""
        return self._piece.sub(lambda piece: "" if _kind_of(piece) else piece[0], text)

    def names_card(self, text: str) -> bool:
        """Return whether a text names a card of the game."""
        return any(kind == "{card}" for _, _, kind in self.holes_in(text))

    def names_place_of_other(self, text: str, who: str) -> bool:
        """Return whether a text says to or from whom something goes, who is not who says it: `on mira's ferry`."""
        others = "|".join(re.escape(each) for each in self._players if each != who) or r"(?!)"
        links = r"(?:on|onto|in|into|to|at|from|off|of|out of|leaves?|auf|von|bei)"
        return re.search(rf"\b{links} (?:{others})(?:s|'s|\u2019s)?(?!\w)", text, re.IGNORECASE) is not None

    def names_number(self, text: str) -> bool:
        """Return whether a text has a word that stands before numbers of its own in the game: `at that table`."""
        return not self.labels.isdisjoint(WORD.findall(text.casefold()))

    def is_act(self, word: str) -> bool:
        """Return whether a move of the game is called by a word."""
        return move_called(word, self._known) in self._known.types

    def is_among(self, word: str, events: Collection[str]) -> bool:
        """Return whether a word is a move of the game that is one of some events; a draw may be called as it is."""
        return self.is_act(word) and not {move_called(word, self._known), DRAW_EVENT}.isdisjoint(events)

    def is_done(self, text: str, word: re.Match[str]) -> bool:
        """Return whether a word of a text is a move that is done there; `out of pegs` does none."""
        before = WORD.findall(text[: word.start()].casefold())[-1:]
        return self.is_act(word[0]) and (word_list("turning") | DETERMINERS).isdisjoint(before)

    def apart(self, text: str) -> str:
        """Return a text with a comma between two of its cards, and between a card and the move behind it."""
        behind = re.compile(
            rf"(?<!\w)({self.cards}) (?=(?P<card>(?:{self.cards})(?!\w))|(?P<verb>{WORD.pattern}))", re.IGNORECASE
        )
        begins = next(WORD.finditer(text), None)
        is_done = begins is not None and self.is_act(begins[0])
        return behind.sub(
            lambda said: f"{said[1]}, " if said["card"] or (is_done and self.is_act(said["verb"])) else said[0], text
        )

    def without_lead(self, message: str) -> tuple[str, str]:
        """Return what is only exclaimed before the rest of a message, and that: `hahaha. `, `I board laughing 5`."""
        at = 0
        while (lead := _LEAD.match(message, at)) and self._is_cry(lead["words"], lead["sign"], message[lead.end() :]):
            at = lead.end()
        return message[:at], message[at:]

    def _is_cry(self, lead: str, sign: str, rest: str) -> bool:
        """Return whether words say nothing of a game: `hm no` only where the rest says that it is done `again`."""
        words = [word.casefold() for word in WORD.findall(lead)]
        is_again = not word_list("again").isdisjoint(WORD.findall(rest.casefold()))
        doubts = _doubts(words)
        if (
            len(words) > _MOST_LEADING
            or re.search(r"\d", lead)
            or not doubts <= ({"no", "nope", "nein"} if is_again else set())
        ):
            return False
        if all(_CRIES.fullmatch(word) or word in doubts for word in words):
            return True
        shaped = self._piece.finditer(lead)
        return sign != "," and all(each.lastgroup == "word" for each in shaped) and not self.named.first_in(lead)

    def said_plainly(self, message: str) -> str:
        """Return a message as the move comes first in it, behind cries or with its card first; empty where it is not.

        `oh nice. I whisper` is `I whisper`, `and then silent 3 boards` is `boards silent 3`.
        """
        lead, rest = self.without_lead(message)
        begun = re.sub(rf"^{_LINKS}", "", rest, flags=re.IGNORECASE)
        turned = "".join(map(self._verb_first, _PARTS.split(begun)))
        if turned != begun:
            return turned
        return rest if lead and _SAYS_I.match(rest) else ""

    def _verb_first(self, clause: str) -> str:
        """Return a clause with its move before its card, `attacks wolf` for `wolf attacks`; any other as it is."""
        said = self._card_first.fullmatch(clause)
        return f"{said['verb']} {said['card']}" if said and move_called(said["verb"], self._known) else clause

    def is_doubtful(self, text: str, *, may_name: bool = False) -> bool:
        """Return whether words beside a move say that it is not done, is asked about or is of somebody else.

        Whom they name says nothing where they `may_name` somebody.
        """
        named = not may_name and any(each.lastgroup == "name" for each in self._piece.finditer(text))
        return "?" in text or named or bool(_doubts(WORD.findall(text.casefold())))

    def adds_little(self, taught: LineShape, other: LineShape) -> bool:
        """Return whether another shape is the taught one with words in it that change nothing which is known."""
        if not [word for word in taught.words if not word.startswith("{")] or taught.words == other.words:
            return False
        rest, more = iter(other.words), []
        for word in taught.words:
            for each in rest:
                if each == word:
                    break
                more.append(each)
            else:
                return False
        more += rest
        text = " ".join(more)
        return (
            len(more) <= _MOST_LEADING
            and word_list("turning").isdisjoint(more)
            and not re.search(r"[{?]", text)
            and not (self.is_doubtful(text) or self.named.first_in(text))
        )

    def is_word_apart(self, taught: LineShape, other: LineShape) -> bool:
        """Return whether another shape is the taught one but for a word in whose place it has one of its own."""
        if len(taught.words) != len(other.words) or len(taught.words) < len(taught.said) + 1:
            return False
        words = [*taught.apart(other), *other.apart(taught)]
        text = " ".join(words)
        is_plain = not re.search(r"[{?]", text) and word_list("turning").isdisjoint(words)
        return len(words) == 2 and is_plain and not (self.is_doubtful(text) or self.named.first_in(text))

    def slips(self, message: str) -> Iterator[tuple[str, str, str]]:
        """Yield a message with a word as it was probably meant, that word and what it was meant to be.

        At first all words that are a part of one card's name only stand for it: `wolf` for `old wolf`.
        """
        parts = {each: name for each in WORD.finditer(message) if (name := self._parts.get(each[0].casefold()))}
        cards = [(start, end) for start, end, kind in self.holes_in(message) if kind == "{card}"] if parts else []
        full = {
            each.start(): (each[0], name)
            for each, name in parts.items()
            if not any(start <= each.start() < end for start, end in cards)
        }
        if full:
            text = WORD.sub(lambda each: full.get(each.start(), ("", each[0]))[1], message)
            yield text, ", ".join(said for said, _ in full.values()), ", ".join(meant for _, meant in full.values())
        for piece in WORD.finditer(message):
            word = piece[0].casefold()
            if len(word) < _SHORTEST or word in self._spelt | NO_VERB or move_called(word, self._known):
                continue
            most = 2 if len(word) >= _LONG else 1
            near = (
                (OSA.distance(word, f"{each}{end}", score_cutoff=most), f"{each}{end}")
                for each in self._spelt
                for end in ("", "s")
            )
            meant = [
                each for times, each in sorted(near) if times <= most and each[0] == word[0] and len(each) >= _SHORTEST
            ]
            if meant:
                yield f"{message[: piece.start()]}{meant[0]}{message[piece.end() :]}", piece[0], meant[0]


def _doubts(words: Iterable[str]) -> set[str]:
    """Return the words, in small letters, that say that something is not done, or not by who says it."""
    return {word for word in words if word in word_list("doubts") or word.endswith("n't")}


def _kind_of(piece: re.Match[str]) -> str:
    """Return the hole that a piece of a message is, empty for a word of its own."""
    if piece.lastgroup in {"card", "name", "number"}:
        return f"{{{piece.lastgroup}}}"
    return "{number}" if piece.lastgroup == "word" and number_of(piece[0]) else ""
