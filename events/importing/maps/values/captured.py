"""What a captured text means in a field of an event: a player, a card, a number, a list, by the type of the field."""

import re
from collections.abc import Collection, Mapping, Sequence
from functools import cache
from itertools import combinations
from typing import Any, Final, NamedTuple

import msgspec
from rapidfuzz import fuzz, process

from tabletape.events.importing.games.copies import Copies
from tabletape.events.importing.games.known_deck import KnownDeck
from tabletape.events.importing.lines.kinds import KINDS
from tabletape.events.importing.lines.shapes import Holds, Shape, shapes_of
from tabletape.events.importing.lines.words import Words, name_held
from tabletape.events.importing.maps.counted import COUNTS, counted, forms_of, is_unnamed
from tabletape.events.importing.maps.effort import Effort
from tabletape.events.importing.maps.proposing.phrases import tells_more
from tabletape.events.importing.maps.sentence import Hole, Sentence
from tabletape.events.importing.quarantine.bad_lines import SAME_SIMILARITY, taken_for
from tabletape.events.importing.sheets.cells import FieldKind, place
from tabletape.events.importing.sheets.cells import fields as cell_fields
from tabletape.events.vocabulary import Event, tag_of
from tabletape.events.vocabulary.names import is_unseen, slug_of

MOST_LEARNED: Final = 1000
"""How many names of cards are remembered of a game that does not know its own: each is looked for in lists of cards."""

LONGEST_NAME: Final = 200
"""A name of more characters is not remembered as that of a card."""

OWN_MOVE: Final = "move."
"""So begins the type of a move that the game's file names."""

DRAW_EVENT: Final = "cards.drawn"
"""The event with which cards come out of a deck."""

LONGEST_WORD: Final = 60
"""A longer text is none of the few words of a field, misspelt."""

_WORD_SHAPES: Final = frozenset({Holds.CHOICE, Holds.WORD, Holds.TRUTH})

MOST_BEHIND: Final = 6
"""In so many words behind a list of cards more of them are looked for."""

A_CARD: Final = 8
"""How many steps it takes to know which card a short text is."""

_SPLIT: Final = re.compile(r",\s+and\s|[,;]|\s(?:and|und|&|\+)\s")
_MARK: Final = re.compile("\0\\d+\0")


_DURATION: Final = re.compile(
    r"(?=\d)(?:(?P<hours>\d{1,2}) ?(?:h|hrs?|hours?|std\.?|stunden?|heures?|horas?|ore|uur)(?=\W|\d|$) ?)?"
    r"(?:(?P<minutes>\d{1,3})(?: ?(?:m|mins?\.?|minut[eio]s?|minuten|['\u2032]))?)?",
    re.IGNORECASE,
)
"""Hours, minutes or both, in seven languages."""


class ValueFault(Exception):  # noqa: N818 - no error of the program: the line is left over, and this says why
    """A captured text that cannot be what its field needs; the message says why."""


class EventFields(NamedTuple):
    """What the fields of an event type hold: players, cards on the table, card ids, and of what type each is.

    `tag` is the name of the event type, `shapes` say what else they hold: words, places.
    """

    tag: str
    players: frozenset[str]
    cards: frozenset[str]
    ids: frozenset[str]
    types: Mapping[str, FieldKind]
    shapes: Mapping[str, Shape]


@cache
def kind_of(event_type: type[Event]) -> EventFields:
    """Return what the fields of an event type hold, by their names in a log."""
    kind = KINDS[event_type]
    named = {field.name: field.encode_name for field in msgspec.structs.fields(event_type)}
    players = {*kind.players, *(["player"] if "player" in named else [])}
    return EventFields(
        tag_of(event_type),
        frozenset(named[name] for name in players),
        frozenset(named[name] for name in kind.cards),
        frozenset(named[name] for name in kind.ids),
        cell_fields(event_type),
        shapes_of(event_type),
    )


def surplus(event_type: type[Event], given: Sequence[str] | Mapping[str, Any]) -> list[str]:
    """Return the fields that cannot stand beside given ones, where exactly one of several may."""
    one_of: tuple[str, ...] = getattr(event_type, "EXACTLY_ONE", ())
    return [name for name in one_of if name not in given] if any(name in given for name in one_of) else []


class KnownCards:
    """The cards that a game knows, ready to be looked up: made once for a file, however many games stand in it.

    `joined` are the printed names that look like a list (`Tea, Cake and Rain`), the longest first.
    """

    def __init__(self, names: Mapping[str, str]) -> None:
        """Know the cards by their printed names and by their ids (printed name → id)."""
        self.joined = sorted((name for name in names if _SPLIT.search(name)), key=len, reverse=True)
        self._by_slug = {slug_of(name): card for name, card in names.items()} | {card: card for card in names.values()}
        self._slugs = list(self._by_slug)
        self._longest = max(map(len, self._slugs), default=0)
        self._near: dict[str, frozenset[str]] = {}

    def called(self, slug: str) -> str | None:
        """Return the id of the card whose name has this slug, None where there is none."""
        return self._by_slug.get(slug)

    def near(self, slug: str, effort: Effort) -> frozenset[str]:
        """Return the cards whose names are nearly this slug, two at most; the same name is looked for once.

        Every card is compared, long ones character by character. Raises `EffortError` where no steps are left for it.
        """
        nearest = self._near.get(slug)
        if nearest is None:
            compared = min(len(slug), self._longest)
            effort.take(len(self._slugs) * (1 + (compared * compared >> 12)) >> 1)
            near = process.extract(slug, self._slugs, scorer=fuzz.ratio, score_cutoff=SAME_SIMILARITY, limit=2)
            self._near[slug] = nearest = frozenset(self._by_slug[each[0]] for each in near)
        return nearest


class Names:
    """The names at one table: players and their ids, cards and their ids; `taken` says what was taken for what."""

    def __init__(
        self,
        players: Mapping[str, str],
        cards: KnownCards | None,
        values: Mapping[str, Any],
        effort: Effort | None = None,
        deck: KnownDeck | None = None,
    ) -> None:
        """Know the players (name → id) and the cards (None: any name is a card); `effort` is that of the file.

        `deck` are the cards of a game whose file names them all.
        """
        self.players = players
        self._called = {name.casefold(): player for name, player in players.items()}
        self._cards = cards
        self._effort = effort or Effort()
        self._values = values
        self._deck = deck
        self.taken: list[str] = []
        self.copies = Copies()
        self.learned: set[str] = set()
        self._joined: set[str] = set()

    def meaning(self, field: str, given: Any) -> Any:
        """Return what the map's `[values]` say for a text in a field, else what is given; cards are looked up later."""
        meanings = self._values.get(field, {}) if field != "card" and isinstance(given, str) else {}
        return meanings.get(given, given) if meanings else given

    def player(self, text: str) -> str:
        """Return the id of a player. Raises `ValueFault` where nobody at the table is called so."""
        player = self.players.get(text) or (
            text if text in self.players.values() else self._called.get(text.casefold())
        )
        if player is None:
            raise ValueFault(f"nobody called {text!r} sits at the table")
        return player

    def card(self, text: str) -> str:
        """Return the id of a card. Raises `ValueFault` where the game has none that is called so, or nearly so.

        Raises `EffortError` where no steps are left for looking.
        """
        self._effort.take(A_CARD + (len(text) >> 3))
        given = self._values.get("card", {}).get(text)
        if given is not None:
            return str(given)
        slug = slug_of(text)
        if self._cards is None and is_unnamed(text):
            raise ValueFault(f"{text!r} does not say which card it is")
        if self._cards is None and tells_more(text):
            raise ValueFault(f"{text!r} says more than which card it is")
        if self._cards is None:
            self.learn(text)
            return slug
        known = self._cards.called(slug)
        if known is not None:
            return known
        near = self._cards.near(slug, self._effort)
        if len(near) == 1:
            (card,) = near
            if whose := name_held(slug, card, (*self.players, *self.players.values())):
                raise ValueFault(f"the game has no card called {text!r}, and it names the player {whose}")
            self.taken.append(taken_for(text, card))
            return card
        raise ValueFault(f"the game has no card called {text!r}")

    def copy(self, text: str, owner: str, event: str) -> str:
        """Return the name of a card on the table, of a player where the text does not say whose it is.

        Of several copies it is the one that a line about `event` means, see `Copies`.
        """
        if self._deck is not None:
            given = str(self._values.get("card", {}).get(text, text))
            if not self._deck.has(given):
                near = self._deck.near(given)
                raise ValueFault(f"the game has no card called {given!r}{f'; did you mean {near}?' if near else ''}")
            return self._deck.called(given, owner)
        if is_unseen(text) or (":" in text and text.partition(":")[0] in self.players.values()):
            return text
        for name, player in self.players.items():
            for ending in ("'s ", "\u2019s "):
                if text.startswith(name + ending):
                    card = self.card(text[len(name + ending) :])
                    return self.copies.name(player, card, event, brings=event == DRAW_EVENT)
        if event == DRAW_EVENT and text in COUNTS:
            raise ValueFault(f"{text!r} says how many cards, and not which")
        card = self.card(text)
        return self.copies.name(owner, card, event, brings=event == DRAW_EVENT) if owner else card

    def several(self, text: str) -> list[str]:
        """Return the cards that a text of a game's own move says, `2 figs` two of them: each by its name."""
        number, name = counted(text)
        if self._deck is not None:
            given = str(self._values.get("card", {}).get(text, text))
            if self._deck.has(given):
                return [text]
            card = next((each for each in forms_of(name) if self._deck.has(each)), "")
            return [card] * max(number, 1) if card else [text]
        forms = forms_of(name)[1:]
        if number > 1 and forms:
            return [next((each for each in forms if each in self.learned), forms[0])] * number
        return [name] if number == 1 else [text]

    def split(self, text: str) -> list[str]:
        """Return the names in a list, `A, B and C`; known names that contain a comma or an "and" stay whole.

        Raises `EffortError` where no steps are left for looking for them.
        """
        joined: Collection[str] = self._joined if self._cards is None else self._cards.joined
        self._effort.take((len(text) >> 4) + (len(joined) * (1 + (len(text) >> 7)) >> 1))
        marks: dict[str, str] = {}
        for name in sorted((name for name in joined if name in text), key=len, reverse=True):
            mark = f"\0{len(marks)}\0"
            marks[mark] = name
            text = text.replace(name, mark)
        parts = [part.strip() for part in _SPLIT.split(text) if part.strip()]
        return [_MARK.sub(lambda mark: marks.get(mark[0], mark[0]), part) for part in parts] if marks else parts

    def with_whole_lists(self, captured: Mapping[str, str], sentence: Sentence | None) -> Mapping[str, str]:
        """Return what a sentence captured, with all the cards of a list: `{cards}, {words}` takes as few as it can.

        Raises `ValueFault` where more cards are named behind them than the list has.
        """
        if self._deck is None or sentence is None or len(sentence.parts) < 3:
            return captured
        match sentence.parts[-3:]:
            case Hole(name=list_name), str(sign), Hole(kind="text", name=name) if _ends(sign):
                pass
            case _:
                return captured
        if not list_name.startswith("card"):
            return captured
        cards, rest = captured[list_name], captured[name]
        self._effort.take((len(rest) >> 4) + 1)
        while rest and list_name.startswith("cards"):
            piece, end, after = _first_of(rest)
            if not self._are_cards(piece):
                break
            cards, sign, rest = f"{cards}{sign}{piece}", end, after
        words = _first_of(rest)[0].split()[:MOST_BEHIND]
        if any(self._are_cards(" ".join(words[at:to])) for at, to in combinations(range(len(words) + 1), 2)):
            raise ValueFault(f"{rest.strip()!r} behind {cards!r} may be more cards")
        return {**captured, list_name: cards, name: rest.strip()}

    def _are_cards(self, text: str) -> bool:
        """Return whether a text names cards of the deck: `tart 1`, `2 figs`."""
        named = self.several(text.strip())
        return all(self._deck is not None and self._deck.has(each) and not is_unseen(each) for each in named)

    def learn(self, text: str) -> None:
        """Remember the name of a card that a line has named alone, where the game does not know its cards."""
        if len(self.learned) < MOST_LEARNED and len(text) <= LONGEST_NAME and text not in self.learned:
            self.learned.add(text)
            if _SPLIT.search(text):
                self._joined.add(text)


def _ends(sign: str) -> bool:
    """Return whether a text stands between the parts of a list."""
    return bool(_SPLIT.fullmatch(sign) or _SPLIT.fullmatch(sign.strip()))


def _first_of(text: str) -> tuple[str, str, str]:
    """Return the first part of a list, what stands behind it, and the other parts."""
    end = _SPLIT.search(text)
    return (text[: end.start()], end[0], text[end.end() :]) if end else (text, "", "")


def value(name: str, given: Any, event_type: type[Event], names: Names, owner: str) -> Any:
    """Return what a text (or a value of the map) means in a field. Raises `ValueFault` where it means nothing."""
    kind = kind_of(event_type)
    field = kind.types.get(name)
    given = names.meaning(name, given)
    if field is not None and isinstance(given, dict) and kind.shapes[name].holds is Holds.PAIRS:
        return dict(_pair(*pair, kind.shapes[name].inside, names) for pair in given.items())
    if field is None or not isinstance(given, str | list):
        return given
    if field.a_place and isinstance(given, str):
        return place(given, a_tile=kind.shapes[name].a_tile) or given
    if field.plain_list:
        listed = names.split(given) if isinstance(given, str) else given
        if kind.tag.startswith(OWN_MOVE) and name in kind.cards:
            listed = [one for each in listed for one in names.several(str(each))]
        return [_single(name, str(each), kind, names, owner) for each in listed]
    return _single(name, given, kind, names, owner) if isinstance(given, str) else given


def _pair(key: str, given: Any, kinds: Sequence[Shape], names: Names) -> tuple[str, Any]:
    """Return what a key means, such as a player, and what is said of it, such as a score."""
    counted = kinds[1].holds is Holds.NUMBER and isinstance(given, str)
    return names.player(key) if kinds[0].holds is Holds.PLAYER else key, number(given) if counted else given


def _single(name: str, text: str, kind: EventFields, names: Names, owner: str) -> Any:
    """Return what one text means."""
    field = kind.types[name]
    if name in kind.players:
        return None if text == "" and field.null else names.player(text)
    if name in kind.cards and kind.tag.startswith(OWN_MOVE):
        one = names.several(text)
        if len(one) > 1:
            move = kind.tag.removeprefix(OWN_MOVE)
            raise ValueFault(
                f"{text!r} are {len(one)} cards, and the game's file says that one names one card to {move}: "
                f'`fields.cards = "cards of hand"` in [{kind.tag}] says that there may be several'
            )
        return names.copy(one[0], owner, kind.tag)
    if name in kind.cards or name in kind.ids:
        return names.copy(text, owner, kind.tag) if name in kind.cards else names.card(text)
    if field.number and not field.text:
        return number(text)
    shape = kind.shapes[name]
    shape = shape.inside[0] if shape.holds is Holds.LIST else shape
    if shape.holds is Holds.PLAYER:
        return names.player(text)
    return _word(text, shape.words, names) if shape.holds in _WORD_SHAPES else text


def _word(text: str, words: Words, names: Names) -> Any:
    """Return the word that is printed so, or nearly so; the text itself where none is."""
    if text in words.exact:
        return text
    meant = words.called(text)
    near = [meant] if meant is not None else words.near(text) if len(text) <= LONGEST_WORD else []
    people = (*names.players, *names.players.values())
    if len(near) != 1 or name_held(text, " ".join(map(str, (near[0], *words.nouns))), people):
        return text
    if meant is None:
        names.taken.append(taken_for(text, near[0]))
    return near[0]


def minutes(text: str) -> float:
    """Return a duration in minutes as people write it: `45`, `45 min`, `1h05`. Raises `ValueFault` for other texts."""
    said = _DURATION.fullmatch(text.strip())
    return int(said["hours"] or 0) * 60 + int(said["minutes"] or 0) if said is not None else float(number(text))


def number(text: str) -> int | float:
    """Return a number as people write it: `1,5`, `1.0` for 1, a real minus.

    Raises `ValueFault` for other texts, and for `1,000` or `1.000`, which is 1 for one writer and 1000 for another.
    """
    plain = text.strip().replace("\u2212", "-").replace("\u00a0", "").removeprefix("+")
    if re.fullmatch(r"-?\d{1,3}(?:[.,']\d{3}){2,}", plain):
        plain = re.sub(r"[.,']", "", plain)
    elif re.fullmatch(r"-?[1-9]\d{0,2}[.,]\d{3}", plain):
        raise ValueFault(f"{text!r} may be a thousand or a decimal: {re.sub('[.,]', '', plain)}, or fewer digits")
    try:
        read = float(plain.replace(",", "."))
    except ValueError:
        raise ValueFault(f"{text!r} is no number") from None
    return int(read) if read.is_integer() else read
