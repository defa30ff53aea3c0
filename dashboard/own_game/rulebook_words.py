"""What a rulebook calls its places, its cards, their numbers and kinds, and its players."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from tabletape.dashboard.own_game.composition import FRONT
from tabletape.dashboard.own_game.game import OwnGame
from tabletape.dashboard.own_game.messages import SAID_NUMBER
from tabletape.dashboard.own_game.word_lists import word_list
from tabletape.dashboard.own_game.wording import unnumbered
from tabletape.events.importing.maps.counted import forms_of, plurals_of
from tabletape.events.importing.maps.move_words import forms_of_verb

TOKEN: Final = re.compile(r"[^\W\d_][\w'\u2019-]*|\d+|[.,;:()]")
_NO_PLACE: Final = word_list("no_place")
_PERHAPS_PLACE: Final = frozenset(["line", "lines"])
"""What is a place where each player has an own one."""

_IN_FRONT: Final = re.compile(
    r"\b(?:has|have|hold|holds|than|most|is|are|lies?)\b[^.;]*\bin front of (?:you|them|him|her|the same player|any "
    r"player)\b"
)
"""So a sentence limits what lies in front of a player, as in a place."""

RUNNING: Final = "in a row"
"""How often running, and no place where cards lie."""
_NO_QUALITY: Final = word_list("no_quality")
_OWNER: Final = r"(?:your|his|her|their|its|one's|my|own|each|every|same|an empty|empty|no|\w+['\u2019]s?)"
_NO_OWNER: Final = frozenset(["same", "no", "an empty", "empty"])
"""Before a place these leave open whose it is."""

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
_HANDLED: Final = re.compile(
    rf"\b(?:put|lay|play|place|take|give|discard|draw|turn up)s? (?:an?|another|{SAID_NUMBER}) (?:of your )?"
    r"(?P<thing>[a-z]+) (?:from|in|on|onto|into|back)\b"
)
"""What is laid, or taken from somewhere, is no player: `take another cheese from the counter`."""
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

    There is one for each kind of cards where they are `by_kind`; of `several` nobody knows how many.
    Those that are `numbered` are told apart in the lines of the chat: `at table 2`. Whose the `unclear` ones are no
    sentence says.
    What is laid at once is `made` of its cards: `two tulips as a bouquet`. The `objects` stand behind a move again and
    again, and say no more than that: `call market day`.
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
    objects: frozenset[str] = frozenset()

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
    listed = "|".join(map(re.escape, sorted(kinds))) or "(?!)"
    of_kinds = {form for each in re.findall(rf"(?<!of )\b([a-z]+) \((?:{listed})\b", text) for form in _all_forms(each)}
    no_person = of_kinds | {form for match in _HANDLED.finditer(text) for form in _all_forms(match["thing"])}
    surely = {word for each in surely for word in _all_forms(each)} - kinds - _NO_PLACE - no_person
    perhaps = {word for match in _PERHAPS_PERSON.finditer(text) for word in _all_forms(match["who"])} - no_person
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
    qualities |= {name for name, is_number in columns if not is_number} | (of_kinds - cards)
    qualities |= {match["quality"] for match in _SAME.finditer(text)} - _NO_QUALITY - _paid_in(text)
    qualities = {word for each in qualities for word in _all_forms(each)}
    qualities -= kinds | people | values | cards | {*places} | moves | (word_list("untelling") - word_list("wares"))
    by_kind, several = _places_apart(text, common - {*numbered}, kinds, qualities)
    own_by_kind, own_several = _own_apart(text, own - {*numbered}, qualities)
    by_kind, several = by_kind | own_by_kind, several | own_several
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
        _objects_in(texts, moves) - kinds - cards - people - {*places},
    )
    return RulebookWords(*map(frozenset, bare))


def _objects_in(texts: Sequence[str], moves: set[str]) -> set[str]:
    """Return the words that stand behind a move in most sentences that name it, and in two at least."""
    named, behind = Counter[str](), Counter[tuple[str, str]]()
    for text in texts:
        words = TOKEN.findall(text)
        for at, word in enumerate(words):
            if move := next((form for form in forms_of_verb(word) if form in moves), ""):
                named[move] += 1
                rest = [each for each in words[at + 1 : at + 4] if each not in {"a", "an", "the"}]
                behind.update({(move, rest[0]), (move, " ".join(rest[:2]))} if rest else ())
    said = {each for (move, each), times in behind.items() if times > 1 and 2 * times > named[move]}
    no_object = _NO_PLACE | word_list("untelling") | word_list("joining") | word_list("quiet") | word_list("governing")
    no_object |= word_list("grave") | moves | word_list("no_quality")
    said = {each for each in said if all(word.isalpha() and word not in no_object for word in each.split())}
    return said - {each.split()[0] for each in said if " " in each}


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


def _own_apart(text: str, own: Iterable[str], qualities: Iterable[str]) -> tuple[set[str], set[str]]:
    """Return the places of which a player may have several, one for each kind of cards, or nobody knows how many.

    `Start a new wheel`, `one of your wheels`; `all cheeses in a wheel are of the same kind`.
    """
    quality = rf"(?:{'|'.join(map(re.escape, sorted(qualities))) or '(?!)'})"
    by_kind, several = set[str](), set[str]()
    for place in own:
        forms = "|".join(map(re.escape, sorted(_all_forms(place))))
        if re.search(
            rf"\b(?:one|any|each) of (?:your|his|her|their) (?:{forms})\b|\bor (?:start|begin)s? an? new {place}\b",
            text,
        ):
            alike = (
                rf"\ball (?:the )?\w+ (?:in|on) an? {place} (?:are|must be|have to be) of (?:the same|one) {quality}\b"
            )
            (by_kind if re.search(alike, text) else several).update(_all_forms(place))
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
    text = text.replace(RUNNING, "")
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
    patterns = [rf"\b(?:{verbs}|put|lay|place|deal|add|move|take)s?\s+(?:{_COUNTED}\s+)+(?<!or )(?P<card>[a-z]+)"]
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
