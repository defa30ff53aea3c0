"""A game as its file says it, and the tables by which a sentence becomes a rule of it."""

import re
from collections.abc import Mapping, Sequence
from itertools import accumulate
from typing import Any, Final, NamedTuple

from tabletape.dashboard.own_game.cited import CiteSentence, listed_moves
from tabletape.dashboard.own_game.composition import CardGroup
from tabletape.dashboard.own_game.file import AWAY, DRAWN, GIVES, LAYS, SWAPS
from tabletape.dashboard.own_game.messages import WORD
from tabletape.dashboard.own_game.wording import unnumbered
from tabletape.events.importing.maps.counted import forms_of, plurals_of
from tabletape.events.importing.maps.move_words import forms_of_verb
from tabletape.events.rules_file.cards import properties_in

Blanks = Mapping[str, str]
"""What is filled into a form: a move, a kind of card, another one, a number."""

PLACES: Final = {"laid": "shared", "discards": "shared"}
"""Where cards go that are laid, each by its player, or away."""


_PASSIVE: Final = re.compile(r"\b(?:an?|the|every|each|no) (\w+(?:ed|en)) \w+ (?:may|can|must|cannot)\b", re.IGNORECASE)
_PLAY_GOES: Final = re.compile(
    r"\b(?:the )?play(?= (?:goes|passes|continues|proceeds|moves|rotates|begins|starts|ends))", re.IGNORECASE
)
"""The turns are meant, and no move that is called so: `play goes clockwise`."""

_DUTY: Final = re.compile(
    r"(?:if|when|whenever|while|as long as) (?P<case>[^,;]+), (?:you|they|he|she|the player) "
    r"(?:must|has to|have to) (?!not)",
    re.IGNORECASE,
)


class OwnGame(NamedTuple):
    """A game as its file says it, and what the sentences of its rulebook say by their forms: blanks and sentence.

    `draws`: cards are drawn in its stored games. `people` is what its rulebook calls each of the players, and
    `card_word` each of the cards, where it has a word of its own for them. `groups` are the kinds that it calls
    together by a word, and `numbers` what it says is printed on each kind. `order` is that of the players in all of its
    stored games, empty where these differ; `has_turns`: they mostly follow each other so in these, else nobody knows
    whose turn it is. `beside` is what lines of its stored games say beside a move, with that move and its cards.
    """

    raw: Mapping[str, Any]
    said: Mapping[str, tuple[Blanks, CiteSentence]]
    draws: bool
    sentences: tuple[CiteSentence, ...] = ()
    people: str = ""
    card_word: str = ""
    groups: Mapping[str, CardGroup] = {}
    numbers: Mapping[str, int] = {}
    order: tuple[str, ...] = ()
    has_turns: bool = True
    beside: tuple[tuple[str, tuple[str, ...], str], ...] = ()

    def plain(self, text: str) -> str:
        """Return a sentence without the number before it, with its rulebook's own words for players and cards."""
        plain = unnumbered(text)
        for word, usual in ((self.people, "player"), (self.card_word, "card")):
            if word:
                plain = re.sub(rf"\b{word}(?P<s>s?)\b", rf"{usual}\g<s>", plain, flags=re.IGNORECASE)
        return plain

    @property
    def moves(self) -> list[str]:
        """The names of its moves."""
        return [*self.raw.get("move", {})]

    @property
    def draw(self) -> str:
        """The move that is a draw, `draw` where the file has none."""
        fields = {move: self.raw["move"][move].get("fields", {}).values() for move in self.moves}
        return next((move for move, said in fields.items() if any(map(_is_drawn, said))), "draw")

    def with_draw(self) -> "OwnGame":
        """Return it with the draws of its stored games as a move, where its file has none."""
        if not self.draws or self.draw in self.moves:
            return self
        return self._replace(raw=both(self.raw, {"move": {self.draw: {"owed": True, **DRAWN}}}))

    @property
    def limitable(self) -> list[str]:
        """The moves that a rule may limit and count: all but a draw that is one for each of the cards of a line."""
        return [move for move in self.moves if move != self.draw or self.field_of(move, "cards")]

    @property
    def properties(self) -> Mapping[str, Any]:
        """What is printed on its cards, with the values of each: kind, number."""
        return properties_in(self.raw.get("cards", {}))

    @property
    def kinds(self) -> list[str]:
        """The kinds of its cards."""
        return [str(each) for each in self.properties.get("kind", ())]

    def columns(self, *, numbers: bool) -> list[str]:
        """The columns of the list of its cards that have `numbers`, or types; none where there is no list."""
        listed = bool(self.raw.get("cards", {}).get("list"))
        return [
            name
            for name, values in self.properties.items()
            if listed and name not in {"kind", "number"} and all(isinstance(each, int) for each in values) is numbers
        ]

    def kinds_in(self, words: Sequence[str]) -> list[str]:
        """Return the kinds of cards, and the groups of these, that some words name, in their order."""
        return kinds_named(words, (*self.kinds, *self.groups))

    def called(self, move: str) -> set[str]:
        """Return the words for a move."""
        return {move, *self.raw["move"][move].get("called", ())}

    def is_named(self, move: str, text: str) -> bool:
        """Return whether a sentence names a move by one of its words."""
        called = self.called(move)
        words = WORD.findall(_PLAY_GOES.sub("", text))
        return any(not called.isdisjoint(forms_of_verb(word)) for word in words)

    def unsuffered(self, text: str) -> str:
        """Return a sentence without the move that was done to whom it limits: `a hushed player may not borrow`."""
        passive = _PASSIVE.search(text)
        to = passive and any(self.field_of(move, "to") and self.is_named(move, passive[1]) for move in self.moves)
        return text.replace(passive[1], " ") if passive and to else text

    def case_of_duty(self, text: str) -> str:
        """Return the case in which a move has to be done by a sentence, which may be done else, too; else empty."""
        said = _DUTY.match(text)
        is_move = said is not None and any(self.is_named(move, said["case"]) for move in self.moves)
        return said["case"] if said is not None and not is_move else ""

    def is_told_of(self, text: str) -> bool:
        """Return whether a sentence names a move or a kind of cards of the game."""
        return bool(self.kinds_in(WORD.findall(text))) or any(self.is_named(move, text) for move in self.moves)

    def field_of(self, move: str, *names: str) -> str:
        """Return the first of some fields that a move has; empty where it has none of them."""
        fields = self.raw.get("move", {}).get(move, {}).get("fields", {})
        return next((name for name in names if name in fields), "")

    @property
    def labels(self) -> list[str]:
        """What stands before numbers of their own in the lines of its moves: `table` of `at table 2`."""
        fields = (self.raw["move"][move].get("fields", {}).items() for move in self.moves)
        return [*dict.fromkeys(name for said in fields for name, what in said if name != "number" and _is_number(what))]

    @property
    def actions(self) -> list[str]:
        """The moves that a rulebook lists as the actions of a turn: `the actions are: serve, invite or beg`."""
        listed = listed_moves(self.sentences)
        return [move for move in self.moves if not self.called(move).isdisjoint(listed)]

    def is_always_said(self, move: str, field: str) -> bool:
        """Return whether every line of a move says a field."""
        return not _said(self.raw["move"][move].get("fields", {}).get(field, "?")).rstrip().endswith("?")


def kinds_named(words: Sequence[str], kinds: Sequence[str]) -> list[str]:
    """Return those of some kinds of cards that words name, in the order of the words: `sir bramble` by both of his."""
    low = [word.casefold() for word in words]
    text, named = f" {' '.join(low)} ", dict[str, int]()
    for at, word in zip(accumulate((len(word) + 1 for word in low), initial=0), low, strict=False):
        for form in (*forms_of(word), *plurals_of(word)):
            named.setdefault(form, at)
    named |= {kind: text.index(f" {kind} ") for kind in kinds if " " in kind and f" {kind} " in text}
    return sorted((kind for kind in kinds if kind in named), key=named.__getitem__)


def _said(field: Any) -> str:
    return str(field["is"] if isinstance(field, Mapping) else field)


def _is_drawn(field: Any) -> bool:
    """Return whether a field of a move names cards that come from the deck."""
    return _said(field).rstrip("? ") in {"card of deck", "cards of deck"}


def _is_number(field: Any) -> bool:
    return _said(field).startswith("number ")


class FirstRule(NamedTuple):
    """A sentence as a form says it: the tables that say it, what is taken for granted beside it, how it is read."""

    changes: Mapping[str, Any]
    taken: tuple[str, ...] = ()
    words: str = ""


def stated(sentence: CiteSentence, **more: Any) -> dict[str, Any]:
    """Return a table of a file with its sentence and citation."""
    return {**more, "says": sentence.own, "cite": sentence.cite}


def need(move: str, name: str, that: str, sentence: CiteSentence, of: str = "") -> dict[str, Any]:
    """Return the tables of a rule of a move, with what has to be so in the lines `of` which that holds; empty: all."""
    return {"move": {move: {"needs": {name: stated(sentence, **({"if": of} if of else {}), that=that)}}}}


def several(game: OwnGame, move: str) -> str:
    """Return the field with the cards of a move, empty where a line names one at most."""
    return game.field_of(move, "cards")


def doing(move: str, effects: Sequence[str]) -> dict[str, Any]:
    """Return the tables by which a move has effects, with the places that these need."""
    places = {place: seen for place, seen in PLACES.items() if any(each.endswith(f"-> {place}") for each in effects)}
    return {"move": {move: {"does": [*effects]}}, **({"zones": places} if places else {})}


def usual_effects(game: OwnGame, move: str) -> list[str]:
    """Return what a move does to cards by what it is called; nothing where not all of that is said in each line."""
    field, to, back = game.field_of(move, "cards"), game.field_of(move, "to"), game.field_of(move, "back")
    if not all(game.is_always_said(move, each) for each in (field, to, back) if each) or not field:
        return []
    if move in LAYS | AWAY and not to:
        return [f"{field} -> {'laid' if move in LAYS else 'discards'}"]
    if to and (back or move in GIVES | SWAPS):
        return [f"{field} -> hand(to)", *(["back -> hand"] if back else [])]
    return []


def doing_more(game: OwnGame, changes: Mapping[str, Any], more: Mapping[str, Sequence[str]]) -> dict[str, Any]:
    """Return the tables of what each move does: what it did before, by the file or its `changes`, and `more`."""
    tables: dict[str, Any] = {}
    for move, effects in more.items():
        does = changes.get("move", {}).get(move, game.raw["move"][move]).get("does")
        if does is None:
            does = [] if any(each.startswith("cards -> ") for each in effects) else usual_effects(game, move)
            zones = {each.partition(" -> ")[2]: "shared" for each in does if each.endswith(("laid", "discards"))}
            tables = both(tables, {"zones": zones} if zones else {})
        tables = both(tables, {"move": {move: {"does": [*does, *(each for each in effects if each not in does)]}}})
    return tables


def both(one: Mapping[str, Any], other: Mapping[str, Any]) -> dict[str, Any]:
    """Return tables laid over others."""
    laid = dict(one)
    for key, value in other.items():
        laid[key] = (
            both(laid[key], value) if isinstance(laid.get(key), Mapping) and isinstance(value, Mapping) else value
        )
    return laid
