"""A sentence in the words of all rulebooks: what a rulebook has its own words for stands as a sign of one letter.

`K1` is a kind of card, `M1` a move, `N1` a number, `P1` a place where cards lie; `C` is a card, `V` what its number is
called, `Q` what its kind is called, `W` a player.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import accumulate
from typing import Final, NamedTuple

from tabletape.dashboard.own_game.composition import FRONT
from tabletape.dashboard.own_game.game import OwnGame, kinds_named
from tabletape.dashboard.own_game.messages import SAID_NUMBER, number_of
from tabletape.dashboard.own_game.word_lists import word_list
from tabletape.dashboard.own_game.wording import unnumbered
from tabletape.events.importing.maps.counted import forms_of, plurals_of
from tabletape.events.importing.maps.move_words import forms_of_verb

_WORD: Final = re.compile(r"[^\W\d_][\w'\u2019-]*|\d+|[.,;:()]")
_NO_PLACE: Final = word_list("no_place")
_PERHAPS_PLACE: Final = frozenset(["line", "lines"])
"""What is a place where each player has an own one."""

_IN_FRONT: Final = re.compile(
    r"\b(?:has|have|hold|holds|than|most|is|are|lies?)\b[^.;]*\bin front of (?:you|them|him|her|the same player|any "
    r"player)\b"
)
"""So a sentence limits what lies in front of a player, as in a place."""

_LIKE_TABLE: Final = frozenset(["table", "row", "line", "pile", "area", "zone"])
"""Behind what a place is called these say no more: `the long table`."""

_RUNNING: Final = "in a row"
"""How often running, and no place where cards lie."""
_NO_QUALITY: Final = word_list("no_quality")
_OWNER: Final = r"(?:your|his|her|their|its|one's|my|own|each|every|same|an empty|empty|no|\w+['\u2019]s?)"
_NO_OWNER: Final = frozenset(["same", "no", "an empty", "empty"])
"""Before a place these leave open whose it is."""

_LINK: Final = re.compile(r"^(?:after that|then|also|in addition|now),? ", re.IGNORECASE)
"""What joins a sentence to the one before it says nothing of when."""

_REASON: Final = re.compile(r",? because\b[^.;]*", re.IGNORECASE)
"""Why something is so says no more of what is."""

_BEFORE_ONE: Final = frozenset(["last", "previous", "top", "uppermost", "that", "the"])
"""Behind these `one` is a card."""

_BEFORE_PLACES: Final = frozenset(["your", "his", "her", "their", "its", "own", "empty", "the", "each", "every", "an"])
_PLACED: Final = re.compile(
    r"\b(?:(?:in|into|on|onto|inside|on top of|(?:at|to) the (?:end|front|back) of)\s+"
    rf"(?P<whose>{_OWNER}|the|a|that|another)|"
    rf"to\s+(?:your|his|her|their))\s+"
    rf"(?:(?P<more>own|same|empty|other|{_OWNER})\s+)*(?P<place>[a-z]+)\b"
)
_OWNED: Final = re.compile(r"\b(?P<whose>your|his|her|their|own|\w+['\u2019]s?)\s+(?:own\s+)?(?P<place>[a-z]+)\b")
_OF_ANOTHER: Final = re.compile(
    r"\b(?P<place>[a-z]+) (?:(?:of|in front of) (?:another|the other|each|every) (?:player|opponent|person|rival)\b|"
    r"in front of (?:you|them|him|her|one)\b)|"
    r"\b(?:each|every) \w+ (?:has|gets|keeps|owns|lays out) (?:an?|one|(?:his|her|their)) (?:own )?(?P<has>[a-z]+)\b"
)
_VALUED: Final = re.compile(
    rf"\b(?P<value>[a-z]+)\s+(?:from|of|between)\s+{SAID_NUMBER}\s*(?:to|and|through|-|\u2013)\s*{SAID_NUMBER}\b"
)
_SAME: Final = re.compile(
    r"\b(?:same|of one|different|another|which|what|(?:of )?(?:two|three|four|five)) (?P<quality>[a-z]+?)s?\b"
)
_PERSON: Final = re.compile(
    r"\b(?:another|the other|an opponent|name the|fellow|deals? (?:\w+ ){1,4}to (?:each|every)) (?P<who>[a-z]+)\b"
)
_PERHAPS_PERSON: Final = re.compile(
    r"\b(?:each|every|no|name an?|the) (?P<who>[a-z]+)(?=['\u2019]s\b| (?:may|must|can|cannot|has|have|holds|begins|"
    r"gets|starts|is dealt|on your|on the left|before you|who|whose|in turn|takes|draws|plays)\b)"
)
_MADE: Final = re.compile(r"\b(?:lay|put|play|place|bind|set)s?\b[^.;]* as (?:an?|one) (?P<made>[a-z]+)\b")
_PAID: Final = re.compile(
    rf"\b(?:(?:cards?(?: in (?:\w+ )?hand)? and|(?:pay|cost|spend)(?:s|ing)?) (?:an?|{SAID_NUMBER})|(?:cost|price) in|"
    rf"{SAID_NUMBER}(?= [a-z]+ from the (?:bank|jar|pot|purse|treasury)\b)) ([a-z]+)\b"
)
"""What somebody owns beside cards, and pays."""

_COUNTED: Final = rf"(?:an?|one|two|or|to|up|exactly|at|most|least|another|{SAID_NUMBER}|the|your|more|than|each)"


class RulebookWords(NamedTuple):
    """What a rulebook calls its places (own, or common to all), cards, their numbers and kinds, and its players.

    Of the common ones there is one for each kind of cards where they are `by_kind`; of `several` nobody knows how many.
    Those that are `numbered` are told apart in the lines of the chat: `at table 2`. Whose the `unclear` ones are no
    sentence says.
    What is laid at once is `made` of its cards: `two tulips as a bouquet`.
    """

    own: frozenset[str]
    common: frozenset[str]
    cards: frozenset[str]
    values: frozenset[str]
    qualities: frozenset[str]
    people: frozenset[str]
    by_kind: frozenset[str] = frozenset()
    several: frozenset[str] = frozenset()
    made: frozenset[str] = frozenset()
    numbered: frozenset[str] = frozenset()
    unclear: frozenset[str] = frozenset()

    @property
    def places(self) -> frozenset[str]:
        """What it calls the places where cards lie."""
        return self.own | self.common | self.unclear


def words_of(game: OwnGame) -> RulebookWords:
    """Return the words that the rulebook of a game has for what all games have; its file says whose a place is."""
    moves = tuple(sorted({word for move in game.moves for word in game.called(move)}))
    texts = tuple(unnumbered(each.text).casefold() for each in game.sentences)
    zones = tuple((name, not str(seen).startswith("shared")) for name, seen in game.raw.get("zones", {}).items())
    columns = tuple((name, is_number) for is_number in (True, False) for name in game.columns(numbers=is_number))
    return _words_in(texts, (*game.kinds, *game.groups), moves, (tuple(game.labels), zones, columns, game.card_word))


@lru_cache(maxsize=16)
def _words_in(
    texts: tuple[str, ...],
    named: tuple[str, ...],
    called: tuple[str, ...],
    written: tuple[tuple[str, ...], tuple[tuple[str, bool], ...], tuple[tuple[str, bool], ...], str],
) -> RulebookWords:
    labels, zones, columns, card_word = written
    text, moves = "\n".join(texts), {*called}
    kinds = {form for kind in named for form in _all_forms(kind)}
    mine = {match["place"] for match in _PLACED.finditer(text) if match["whose"] in {"your", "his", "her", "their"}}
    surely = {match["who"] for match in _PERSON.finditer(text)} - mine | {"player", "opponent", "person", "rival"}
    surely = {word for each in surely for word in _all_forms(each)} - kinds - _NO_PLACE
    perhaps = {word for match in _PERHAPS_PERSON.finditer(text) for word in _all_forms(match["who"])}
    values = {"number", "value", "rank"} | {match["value"] for match in _VALUED.finditer(text)}
    values |= {name for name, is_number in columns if is_number}
    values = {word for each in values for word in _all_forms(each)} - kinds - {"card", "cards", "turn"}
    often = _cards_in(text, (named, called), kinds | surely | values)
    laid = Counter(match["place"] for match in _PLACED.finditer(text))
    cards = {word for word in often if often[word] > sum(laid[form] for form in _all_forms(word)) and word not in mine}
    numbered = _numbered_in(text, labels)
    called_so = {card_word, *plurals_of(card_word)} if card_word else set()
    if not re.search(rf"\bof (?:the )?(?:same|different|one) (?:{'|'.join(called_so) or '(?!)'})\b", text):
        cards |= called_so  # Else it is what their kinds are called: `cards of the same goods`.
    cards -= {*numbered} | _paid_in(text)
    places: dict[str, bool | None] = {**_places_in(text, kinds | surely | values | cards, moves), **numbered}
    places |= {FRONT: True} if _IN_FRONT.search(text) else {}
    known = {form: is_own for zone, is_own in zones for form in _all_forms(zone)}
    places |= {word: known[word] for word in places if word in known and word not in numbered}
    people = (surely - cards) | (perhaps - cards - kinds - values - _NO_PLACE - moves - {*places})
    cards |= {"card", "cards", "one", "ones"}
    own, common, unclear = (
        frozenset(word for word, is_own in places.items() if is_own is whose and word not in cards)
        for whose in (True, False, None)
    )
    qualities = {"kind", "colour", "color", "suit", "type", "sort", "symbol", "alike"}
    qualities |= {name for name, is_number in columns if not is_number}
    qualities |= {match["quality"] for match in _SAME.finditer(text)} - _NO_QUALITY - _paid_in(text)
    qualities = {word for each in qualities for word in _all_forms(each)}
    qualities -= kinds | people | values | cards | {*places} | moves | (word_list("untelling") - word_list("wares"))
    by_kind, several = _places_apart(text, common - {*numbered}, kinds, qualities)
    made = {form for match in _MADE.finditer(text) for form in _all_forms(match["made"])}
    made -= kinds | people | values | cards | qualities | moves | _NO_PLACE
    bare = (
        own,
        common | (made - own),
        cards,
        values,
        qualities,
        people - {*places},
        by_kind,
        several,
        made,
        numbered,
        unclear,
    )
    return RulebookWords(*map(frozenset, bare))


def _paid_in(text: str) -> set[str]:
    return {form for each in _PAID.findall(text) for form in _all_forms(each)}


def _places_apart(
    text: str, common: Iterable[str], kinds: Iterable[str], qualities: Iterable[str]
) -> tuple[set[str], set[str]]:
    """Return the common places of which each kind of cards has one of its own, and others of which there are several.

    `a kiln of the same colour`, `the red, the blue or the green boat`; `each boat`.
    """
    kind, quality = (rf"(?:{'|'.join(map(re.escape, sorted(words))) or '(?!)'})" for words in (kinds, qualities))
    by_kind, several = set[str](), set[str]()
    for place in common:
        one = re.escape(place)
        of_kind = rf"\b{one} of (?:the same|its|their|that|each|every|one) (?:own )?{quality}\b"
        has_one = rf"\b(?:each|every) {quality} has (?:its|a|an)(?: own)? {one}\b"
        listed = (
            rf"\b{kind}(?:,|,? (?:and|or)) (?:(?:the|and|or) )*(?:{kind}(?:,|,? (?:and|or)) (?:the )?)*{kind} {one}\b"
        )
        if re.search(rf"{of_kind}|{has_one}|{listed}", text):
            by_kind |= _all_forms(place)
        elif re.search(
            rf"\b(?:(?<!\blays )(?<!\bis )(?<!\bhas )one|each|any|every|another|which|same|whole) {one}\b|"
            rf"\b{one} of your choice\b",
            text,
        ):
            several |= _all_forms(place)
    return by_kind, several - by_kind


def _numbered_in(text: str, labels: Iterable[str]) -> dict[str, bool]:
    """Return the places that lines tell apart by numbers, as far as cards lie there, and whether each player has some.

    A rulebook may say so: `every player has three tables`, `at one of your tables`.
    """
    places: dict[str, bool] = {}
    for label in labels:
        word = rf"(?:{'|'.join(map(re.escape, sorted(_all_forms(label))))})\b"
        if re.search(rf"\b(?:in|into|on|onto|at|to) (?:[\w']+ ){{0,4}}{word}", text):
            own = rf"\b(?:your|his|her|their|own|whose) (?:[\w']+ )?{word}"
            owned = rf"{own}|\b(?:each|every) \w+ (?:has|have|gets|owns|builds) (?:\w+ )?{word}"
            places |= dict.fromkeys(_all_forms(label), re.search(owned, text) is not None)
    return places


def _all_forms(word: str) -> set[str]:
    return {word, *forms_of(word), *plurals_of(word)}


def _places_in(text: str, others: set[str], moves: set[str]) -> dict[str, bool | None]:
    """Return the places of a rulebook, and whether each player has one; None where it leaves that open.

    `The shelf` of which no sentence says whose it is is that of all.
    """
    text = text.replace(_RUNNING, "")
    said = Counter(match["place"] for match in _PLACED.finditer(text))
    owned = {match["place"] for match in _OWNED.finditer(text)}
    owned |= {match["place"] or match["has"] for match in _OF_ANOTHER.finditer(text)}
    by_whom = {(match["place"], match["whose"] or "your") for match in _PLACED.finditer(text)}
    owned |= {place for place, whose in by_whom if re.fullmatch(_OWNER, whose) and whose not in _NO_OWNER}
    perhaps = {place for place, whose in by_whom if whose in {"an empty", "empty"}}
    names = [word for word, times in said.items() if times > 1 or word in owned | perhaps]
    places: dict[str, bool | None] = {}
    for word in names:
        if (
            (word in _NO_PLACE and word not in _PERHAPS_PLACE & owned)
            or word in others
            or len(word) < 3
            or (word in moves and word not in owned)
        ):
            continue
        forms = {*_all_forms(word)}
        is_common = forms.isdisjoint(perhaps) or any(re.search(rf"\bthe {form}\b", text) for form in forms)
        places |= dict.fromkeys(forms, not forms.isdisjoint(owned) or (False if is_common else None))
    return places


def _cards_in(text: str, said: tuple[Sequence[str], Sequence[str]], others: set[str]) -> dict[str, int]:
    """Return what a rulebook may call its cards, and how often: what is laid, dealt, stands behind their kinds."""
    kinds = "|".join(map(re.escape, (form for kind in said[0] for form in (kind, *plurals_of(kind)))))
    verbs = "|".join(re.escape(word) + r"(?:s|es|ing|ed)?" for word in said[1])
    patterns = [rf"\b(?:{verbs}|put|lay|place|deal|add|move|take)s?\s+(?:{_COUNTED}\s+)+(?P<card>[a-z]+)"]
    patterns.append(rf"\b{SAID_NUMBER}\s+(?P<card>[a-z]+)\s+(?:for|to|are dealt|each|from your)")
    patterns.append(rf"\b(?:put|lay|place|add|move|take) {_COUNTED} (?P<card>[a-z]+) (?:from|into|in|on)\b")
    patterns.append(r"\b(?:last|top|uppermost|next|previous)\s+(?P<card>[a-z]+)\s+(?:in|on|of|from)\b")
    if kinds:
        patterns.append(rf"\b(?:{kinds})\s+(?P<card>[a-z]+)\b")
    found = Counter(
        match["card"] for each in patterns for match in re.finditer(each, text) if match["card"] not in _NO_PLACE
    )
    no_card = word_list("untelling") | word_list("joining") | word_list("governing") | _paid_in(text)
    words = {
        word: times
        for word, times in found.items()
        if (times > 1 or text.count(word) > 2) and len(word) > 2 and word not in no_card
    }
    return {form: words[word] for word in words for form in _all_forms(word) if form not in others | _NO_PLACE}


# -- a sentence in signs -----------------------------------------------------------------------------------------------

_Called = tuple[tuple[str, frozenset[str]], ...]
"""The moves of a game, each with the words for it."""


class SignSentence(NamedTuple):
    """A sentence in signs: `text` is it, `words` are its own words, and `values` is what each sign of it stands for."""

    text: str
    words: tuple[str, ...]
    spans: tuple[tuple[int, int], ...]
    values: dict[str, str]

    @property
    def each(self) -> list[str]:
        """Its signs, one a word."""
        return [self.text[start:end] for start, end in self.spans]

    @property
    def head(self) -> str:
        """The move that it explains, as an item of a list: `Haul: discard a donkey`; empty where it is none."""
        said = re.match(r"(M\d+)(?: [a-z]+)? :", self.text)
        return self.values[said[1]] if said else ""

    def covered(self, spans: Iterable[tuple[int, int]]) -> set[int]:
        """Return which words stand in some parts of the text."""
        return {
            at
            for at, (start, end) in enumerate(self.spans)
            if any(one <= start and end <= other for one, other in spans)
        }


def in_signs(text: str, game: OwnGame, words: RulebookWords) -> SignSentence:
    """Return a sentence in signs."""
    called = tuple((move, frozenset(game.called(move))) for move in game.moves)
    return _in_signs(text, (*game.kinds, *game.groups), called, words)


@lru_cache(maxsize=1 << 12)  # each of the sentences is asked about with each move and each place
def _in_signs(text: str, kinds: tuple[str, ...], moves: _Called, words: RulebookWords) -> SignSentence:
    found = _WORD.findall(_joined(_REASON.sub("", _LINK.sub("", unnumbered(text))), kinds))
    before = ["", *(word.casefold() for word in found)]
    tokens = [
        word for at, word in enumerate(found) if not (word.casefold() in _LIKE_TABLE and before[at] in words.places)
    ]
    low = ["", *(token.casefold().replace("\u2019", "'") for token in tokens), ""]
    counts, values, signs = Counter[str](), {}, []
    for at, word in enumerate(low[1:-1], 1):
        is_running = " ".join(low[max(at - 2, 0) : at + 1]) == _RUNNING
        sign, value = (word, "") if is_running else _sign_of(word, low[at - 1], (kinds, moves), words)
        is_before = low[at - 1] in _BEFORE_ONE and low[at + 1] != "card"
        if word == "one" and (is_before or kinds_named([low[at - 1]], kinds)):
            sign, value = "C", ""
        elif word == "one" and (at == 1 or low[at + 1] in {"may", "must", "can", "cannot"}):
            sign, value = "W", ""
        if value:
            counts[sign] += 1
            sign = f"{sign}{counts[sign]}"
            values[sign] = value
        signs.append(sign)
    ends = [*accumulate(len(sign) + 1 for sign in signs)]
    spans = tuple((end - len(sign) - 1, end - 1) for end, sign in zip(ends, signs, strict=True))
    return SignSentence(" ".join(signs), tuple(tokens), spans, values)


def _joined(text: str, kinds: Iterable[str]) -> str:
    """Return a text with the names of cards that are several words as one word each: `sir_bramble`."""
    for kind in sorted((each for each in kinds if " " in each), key=len, reverse=True):
        text = re.sub(rf"\b{re.escape(kind)}\b", kind.replace(" ", "_"), text, flags=re.IGNORECASE)
    return text


def _sign_of(word: str, before: str, named: tuple[tuple[str, ...], _Called], words: RulebookWords) -> tuple[str, str]:
    """Return the sign of a word, and what it stands for where that has to be known."""
    kinds, moves = named
    bare = word.removesuffix("'s").removesuffix("'")
    kind = next(iter(kinds_named([bare.replace("_", " ")], kinds)), "")
    number = number_of(word) * (word not in {"once", "twice", "single"})
    number = number or {"pair": 2, "pairs": 2, "threes": 3, "fours": 4}.get(word, 0)
    if kind or number:
        return ("K", kind) if kind else ("N", str(number))
    forms = forms_of_verb(bare)
    is_place = bare == "play" and before in {"in", "into", "from"}  # What is in play lies there, and is not played.
    move = "" if is_place else next((move for move, called in moves if not called.isdisjoint(forms)), "")
    if bare in words.places and (not move or before in _BEFORE_PLACES or before.endswith(("'s", "s'"))):
        return "P", bare
    if bare in words.people:
        return ("W's" if word.endswith(("'s", "'")) else "W"), ""
    if move and not (before in {"an", "a", "the", "of", "same"} and bare in words.cards):
        return "M", move
    signs = (("C", words.cards), ("V", words.values), ("Q", words.qualities))
    return next((sign for sign, names in signs if bare in names), word), ""
