"""A sentence as its parts are read one after the other: what is left of it, and the conditions that it has so far."""

import re
from collections.abc import Sequence
from typing import Final

from tabletape.dashboard.own_game.cited import CiteSentence
from tabletape.dashboard.own_game.composition import LAST, Clause
from tabletape.dashboard.own_game.game import OwnGame
from tabletape.dashboard.own_game.place_effects import guessed_effect
from tabletape.dashboard.own_game.rulebook_words import RulebookWords
from tabletape.dashboard.own_game.signs import in_signs
from tabletape.events.importing.maps.counted import forms_of

NEGATION: Final = re.compile(
    r"\b(?:not|never|cannot|nobody|none|mustn't|forbidden|neither|illegal|prohibited|can't|\w+n't)\b|"
    r"(?<!\S)no (?=[CKMPW])"
)
_BINDS: Final = re.compile(
    r"\b(?:only|must|has to|have to|needs?|required?|if|when|as long as|allowed|always|unless|until|whole|all)\b"
)
_TOLD_HOW: Final = re.compile(
    r"(?:to M\d+ ,? ?|M\d+ : |M\d+ means (?:that )?|if (?:you|W) M\d+ ,? ?)(?:you |W )?[a-z]+ (?:exactly )?"
)
"""What tells how a move is done stands before its count so."""

Clauses = Sequence[Clause] | None
"""The conditions of a part; None where it does not say what its words may say."""

_STATE: Final = re.compile(r"\b(?:if|when|whenever|while|as long as)\b(?: (?!M\d)[\w']+){0,5} ?$")
"""Behind these a sentence says how something lies before the move: that is no limit of what lies there then."""

APART: Final = re.compile(
    r"\bonly (?:an? |the )?[KC]|\b(?:except\w*|unless|but|other than|if|when|while|as long as|after|before|until)\b"
)
"""With these a sentence bans what it does not name, or says when it holds."""

_ANY_TYPE: Final = frozenset(["kind", "type", "sort"])
"""What the only column of types may be called."""

_SAID_OF: Final = {
    "weight": r"weigh|heav|lighte",
    **dict.fromkeys(("cost", "price"), r"cheap|dear|expensive"),
    **dict.fromkeys(("strength", "power"), r"strong|weak"),
    **dict.fromkeys(("age", "year"), r"old|young|earl|late"),
    "speed": r"fast|slow|quick",
}
"""How words begin that speak of what stands in a column of numbers."""

_CLEARS: Final = frozenset({"empties", "takes"})

_RELATIONS: Final = {
    **dict.fromkeys(("at least", "no fewer than", "no less than", "a minimum of", "or more"), ">="),
    **dict.fromkeys(("at most", "no more than", "not more than", "up to", "at the most", "a maximum of"), "<="),
    **dict.fromkeys(("or fewer", "or less", "only"), "<="),
    **dict.fromkeys(("more than", "over"), ">"),
    **dict.fromkeys(("fewer than", "less than", "under"), "<"),
    "exactly": "=",
}


class PartReading:
    """A sentence that is read part by part: each part that is understood takes its words away."""

    def __init__(self, sentence: CiteSentence, text: str, game: OwnGame, words: RulebookWords) -> None:
        self.sentence, self.game, self.words = sentence, game, words
        self.signs = in_signs(text, game, words)
        self.text = self.rest = self.signs.text
        self.spans: list[tuple[int, int]] = []
        self.clauses: list[Clause] = []
        self.moves_before: set[str] = set()
        self.states: set[Clause] = set()
        self.place = ""
        self.kind = ""
        self.freed: list[str] = []
        self.join = "and"
        self.together: list[str] = []
        self.also: list[tuple[str, Clause]] = []

    def value(self, sign: str | None) -> str:
        """Return what a sign stands for."""
        return self.signs.values.get(sign or "", "")

    def own_words(self, match: re.Match[str]) -> str:
        """Return the words of a part as the rulebook has them."""
        at = sorted(self.signs.covered([match.span()]))
        return " ".join(self.signs.words[each].casefold() for each in at)

    @property
    def move(self) -> str:
        """The move of the sentence: the one that it names beside those of its conditions; empty if that is unsure."""
        if self.signs.head:
            return self.signs.head
        named = dict.fromkeys(self.value(sign) for sign in re.findall(r"M\d+", self.text))
        mine = [each for each in named if each not in self.moves_before]
        return mine[0] if len(mine) == 1 else ""

    @property
    def says_number(self) -> bool:
        """Whether the lines of its move say a number."""
        return bool(self.move and self.game.field_of(self.move, "number"))

    @property
    def names_cards(self) -> bool:
        """Whether the lines of its move name cards."""
        return bool(self.move and self.game.field_of(self.move, "cards"))

    @property
    def restart(self) -> str:
        """Behind which move numbers begin anew by the rulebook, as a span; behind any other where it is silent."""
        for each in self.game.sentences:
            if re.search(r"\b(?:again|anew|afresh|from nothing|from zero|new)\b", each.text):
                named = [move for move in self.game.moves if self.game.is_named(move, each.text)]
                others = [move for move in named if move != self.move]
                if len(others) == 1:
                    return f"since:{others[0]}"
        return "row"

    def is_denied(self, match: re.Match[str] | None = None) -> bool:
        """Return whether the sentence denies something beside a count, `no more than`, in one of its parts."""
        rest = self.rest
        if match is not None:
            counts = rf"\b(?:{match.groupdict().get('rel') or '~'}|no K\d+|not more(?: often)?)\b"
            within = re.sub(counts, "", match[0])
            rest = f"{rest[: match.start()]} {within} {rest[match.end() :]}"
        return len(NEGATION.findall(rest)) % 2 == 1

    def is_denied_before(self, match: re.Match[str]) -> bool | None:
        """Return whether what denies stands before a part, in its own clause; None where it stands elsewhere."""
        if not self.is_denied(match):
            return False
        clause = re.split(r"[,;:]", self.rest[: match.start()])[-1]
        return True if NEGATION.search(clause) or not NEGATION.search(self.rest[match.end() :]) else None

    def is_behind(self, match: re.Match[str], *words: str) -> bool:
        """Return whether one of some words stands shortly before a part of the sentence."""
        return re.search(rf"\b(?:{'|'.join(words)})\b(?: [\w']+){{0,5}} ?$", self.text[: match.start()]) is not None

    def whose(self, match: re.Match[str]) -> str:
        """Return whose place a part means, and keep what it is called; empty where it names none."""
        if not match.groupdict().get("place"):
            return ""
        place = self.value(match["place"])
        self.place = self.place or self.named_place(place)
        said = f"{match['whose']} {match['of'] or ''}"
        if place in self.words.common - self.words.numbered:
            return "all"
        if place in self.words.common | self.words.unclear:
            return ""  # Of a numbered one each player may have an own side.
        others = re.search(r"\b(?:another|other|W's|that|whose|W|enters)\b", said) and "your" not in said
        has_named = self.move and self.game.field_of(self.move, "to")
        is_any = said.strip() in {"", "a", "an", "any"}
        if said.strip() in {"a", "an"} and not self.move:
            return ""  # Whose it is follows from what the move does that lays cards there.
        return "to" if (others or is_any) and has_named else "own"

    def named_place(self, place: str) -> str:
        """Return what one of several places is called."""
        return next((form for form in forms_of(place)[::-1] if form in self.words.places), place)

    def takes(self, match: re.Match[str]) -> None:
        """Take the words of a part away."""
        self.spans.append(match.span())
        self.rest = self.rest[: match.start()] + "~" * (match.end() - match.start()) + self.rest[match.end() :]

    def relation(self, match: re.Match[str], usual: str) -> str:
        """Return the relation that a count says: `at least`, `or more`."""
        groups = match.groupdict()
        return _RELATIONS.get((groups.get("rel") or groups.get("post") or "").strip(), usual)

    def usual_count(self, match: re.Match[str]) -> str:
        """Return the relation of a count that says none: that of `to sell, put three cards` tells how it is done."""
        before, is_drawn = self.text[: match.start()], self.move in {"", self.game.draw}
        told = _TOLD_HOW.fullmatch(before)
        if told is not None:
            self.spans.append(told.span())
        if match.groupdict().get("most"):
            return "<="
        is_open = is_drawn or before.startswith("if ") or re.search(r"\b(?:some|any|may|can)\b", self.text)
        return "=" if match.groupdict().get("pairs") or not (told is None or is_open) else ""

    def required(self, clause: Clause, match: re.Match[str]) -> Sequence[Clause] | None:
        """Return what lies there as it has to be: the opposite where that is denied; None where it is only told.

        What is made of the cards of one line has no more than that lays; more may be laid to it later.
        """
        if clause.subject == "lying" and not clause.of and self.value(match["place"]) in self.words.made:
            made = self.required(clause._replace(subject="cards", whose="own"), match)
            return made if made and made[0].relation in {"<=", "<"} else None
        if _STATE.search(self.text[: match.start()]):
            self.states |= {clause, clause.opposite}
        if self.is_denied(match):
            return [
                clause if self.is_behind(match, "unless", "until", "before", "except", "without") else clause.opposite
            ]
        beside = self.rest[: match.start()] + self.rest[match.end() :]
        is_so = clause.relation in {"<=", "<"} or _BINDS.search(beside) or re.search(r"\b(?:must|needs?)\b", match[0])
        return [clause] if is_so else None

    def is_printed(self, subject: str) -> bool:
        """Return whether the cards of the game have a kind or number of this name, or of which column it is said."""
        return self.column(subject) is not None

    def column(self, subject: str) -> str | None:
        """Return the column of the list of the cards that is meant by their kind, or number; empty where it is none.

        None where nobody knows which one is meant.
        """
        columns = self.game.columns(numbers=subject == "number")
        words = {word.casefold() for word in self.signs.words}
        forms = {form for word in words for form in (word, *forms_of(word))}
        said = [
            each for each in columns if each in forms or any(re.match(_SAID_OF.get(each, "~"), word) for word in words)
        ]
        if said or (subject in self.game.properties and not columns):
            return said[0] if len(said) == 1 else None if said else ""
        is_any = not words.isdisjoint(_ANY_TYPE) if subject == "kind" else subject not in self.game.properties
        if len(columns) == 1 and is_any:
            return columns[0]
        return "" if subject == "number" and subject in self.game.properties else None

    def by_columns(self) -> bool:
        """Say of the conditions which columns of a list they look at; return whether that is known of all of them."""
        for at, each in enumerate(self.clauses):
            subject = "number" if each.subject == "number" else "kind"
            is_compared = each.object == LAST or each.subject == "kinds" or each.of == "same"
            if is_compared and not each.by:
                if (by := self.column(subject)) is None:
                    return False
                self.clauses[at] = each._replace(by=by)
        return True

    def cleared(self) -> str:
        """Return the own place whose cards the move of the sentence takes away by the rulebook; empty if none."""
        own = sorted(self.words.own - {"hand", "hands"}, key=len)
        done = (place for place in own if guessed_effect(self.game, self.words, self.move, place) in _CLEARS)
        return self.named_place(next(done, ""))

    def laying(self) -> list[str]:
        """Return the moves that lay cards in the place of the sentence."""
        named = [move for move in self.game.moves if self.place and move in forms_of(self.place)]
        return named + [
            move
            for move in self.game.moves
            if guessed_effect(self.game, self.words, move, self.place).startswith("adds") and move not in named
        ]
