"""The kinds of cards of a game that nobody has described, from its rulebook, else from what the chat says of them."""

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import chain
from typing import Final, NamedTuple

from tabletape.dashboard.own_game.composition import CardGroup
from tabletape.dashboard.own_game.messages import (
    FILLERS,
    IN_SHORT,
    NO_VERB,
    TAKEN_WORDS,
    WORD,
    begun_in,
    letters_in_short,
    messages_of,
    number_of,
    rests_of,
    table_verbs,
)
from tabletape.dashboard.own_game.word_lists import word_list
from tabletape.events.importing.maps.counted import COUNTS, forms_of, plurals_of
from tabletape.events.importing.maps.proposing.survey import Survey

_LIST: Final = re.compile(
    r"(?:\w+ )?[^\W\d_][\w'-]*(?:, (?:[\w-]+ ){0,2}[^\W\d_][\w'-]*)*,? (?:and|or|und|oder) "
    r"(?:[\w-]+ ){0,2}[^\W\d_][\w'-]*",
    re.IGNORECASE,
)
_LIST_OF: Final = re.compile(
    r"[(:]\s*(?P<items>[^\W\d_][\w'-]*(?: \d+(?:-\d+)?)?(?:, [^\W\d_][\w'-]*(?: \d+(?:-\d+)?)?)+)\s*[).;]"
)
"""A list in brackets or behind a colon, each perhaps with its numbers: `(Tea, Silk)`, `wares: Tea 1-7, Silk 1-7.`"""

_NUMBER_BEHIND: Final = re.compile(r" \((\d+)\)")
_NAMED_LIST: Final = re.compile(
    rf"\b(?P<name>[^\W\d_]+)(?: cards?)?(?: are| sind|:)(?: called| named)? (?:the |die )?(?P<items>{_LIST.pattern})",
    re.IGNORECASE,
)
_CALLED_TOGETHER: Final = re.compile(
    rf"(?P<items>{_LIST.pattern}) (?:cards )?(?:together )?are (?:together )?called (?P<name>[^\W\d_]+)", re.IGNORECASE
)
"""So it stands behind them: `breads, cakes and pies together are called bakes`."""

_ALONE: Final = re.compile(rf"\bthere (?:are|is) (?:{'|'.join(COUNTS)}|\d+) ([A-Z][\w'-]+)(?: cards?)?(?=[.,;])")
"""One kind of cards that no list names: `there are four Keepers`."""

_ALSO: Final = re.compile(rf"\b(?:also|and) (?:{'|'.join(COUNTS)}|\d+) ([^\W\d_]+) cards\b", re.IGNORECASE)
"""One kind of cards beside those of a list: `there are also 6 lantern cards`."""

_ALSO_NAMED: Final = re.compile(
    rf"\b(?i:also|plus) (?i:{'|'.join(COUNTS)}|\d+) ([A-Z][\w'-]+)(?: and (?i:{'|'.join(COUNTS)}|\d+) ([A-Z][\w'-]+))?"
)
"""One or two with names: `there are also two Crows and one Owl`."""

_OF_EACH: Final = re.compile(r"(?P<number>\w+) (?:cards? |copies )?(?:of each|each of|of every)", re.IGNORECASE)
_GENERIC: Final = re.compile(r" (?:cards?|ones)\b.*$", re.IGNORECASE)
_CARDS: Final = re.compile(rf"(?<!\w)(?:{'|'.join(COUNTS)}|\d+) cards(?=$|,| and\b)")
_BETWEEN_CARDS: Final = re.compile(
    r"[,;.!+&:]|(?<!\w)(?:and|for|plus|then|und|to|with|from|on|in|into|onto|at|by|behind|over)(?!\w)", re.IGNORECASE
)
_SAID_CARD: Final = re.compile(
    rf"(?:(?:a|an|the|my|his|her|their|one|{'|'.join(COUNTS)}) )*"
    r"(?:(?P<of>\d{1,3}) of (?:the )?(?P<suit>[^\W\d_]{2,})|(?:\d{1,2}x? )?"
    r"(?P<kind>[^\W\d_]{2,})(?: (?P<number>\d{1,3}))?)",
    re.IGNORECASE,
)
"""A card as a message says it: one or several of a kind, with its number before or behind it."""

_NUMBERED: Final = re.compile(r"([^\W\d_]{2,}) \d{1,3}(?!\w)")
_NUMBERED_THERE: Final = re.compile(rf"(?<!\w)((?:at|in|auf|an|bei) (?:\w+ )?)?{_NUMBERED.pattern}", re.IGNORECASE)
_BEHIND_VERBS: Final = word_list("small") | word_list("turning")
"""Words that belong to a verb before them, and name no card: `drops out`."""

_PIECE: Final = re.compile(r"[^\W\d_][\w'\u2019-]*|\d+|[^\w\s]")
_WITHIN: Final = frozenset(["of", "the", "in", "de", "la", "von", "der", "des", "du"])
"""Small words that stand within names."""

_AS_A_NAME: Final = re.compile(r"(?:^\W*|(?<!\w)(?:the|a|an|his|her|my|their) )([A-Z][\w'\u2019-]+)")
"""`the Fox`, `plays Fox`: in English a capital right behind an article or a verb is that of a name."""

_GERMAN: Final = frozenset(["und", "der", "das", "den", "zieht", "spielt"])
"""Words of a chat in which every noun has a capital."""

_DIGITS: Final = re.compile(r"\d+")

OFTEN: Final = 3
"""A word with a number behind it so often is a card with a number on it."""

_ALSO_CARDS: Final = frozenset({"coin", "coins"})
"""What may be a suit as well, in a list with others."""

_FROM_TO: Final = re.compile(
    r"(?P<low>\w+)(?: (?:to|bis|through) | ?[-\u2013] ?)(?P<high>\w+)\b"
    r"(?! (?:players?|people|persons?|minutes?|min|hours?|years?|rounds?|turns?|cards?|spieler\w*|minuten))",
    re.IGNORECASE,
)


def cards_in(rulebook: str, messages: Sequence[str]) -> tuple[str, ...]:
    """Return the kinds of cards: what a list in the rulebook names, if the chat names at least half of it.

    The chat may name them in short, `C8`. Several lists that each say what their cards are called together, `the storms
    are ...`, name them all.
    """
    text, said = _NUMBER_BEHIND.sub("", rulebook), {word.casefold() for each in messages for word in WORD.findall(each)}
    lists = [match[0] for match in _LIST.finditer(text)] + [each["items"] for each in _LIST_OF.finditer(text)]
    apart = [_named_in(names, said) for names in _lists_with_names(text).values()]
    found = [_named_in(each, said) for each in lists]
    if len(apart) > 1:
        alone = (_singular(word.casefold(), said) for word in _ALONE.findall(text))
        found.append([*dict.fromkeys([*chain(*apart), *(each for each in alone if each in said)])])
    short = letters_in_short(messages)
    times = [sum(name in _in_short(names, short) or _is_said(name, said) for name in names) for names in found]
    enough = [2 * many >= len(names) for many, names in zip(times, found, strict=True)]
    enough = [*enough[: len(lists)], *(len(apart) > 1 for _ in found[len(lists) :])]
    usual = [(many, -at) for at, (many, is_so) in enumerate(zip(times, enough, strict=True)) if is_so]
    most, at = max(usual, default=(0, 0))
    return tuple(found[-at]) if most > 1 else ()


def _is_said(name: str, said: Collection[str]) -> bool:
    return not {name, *plurals_of(name)}.isdisjoint(said)


def _in_short(names: Collection[str], letters: Collection[str]) -> set[str]:
    """Return those of some names of which the first letter says which one is meant, where cards are said in short."""
    first = Counter(name[0] for name in names)
    return {name for name in names if name[0] in letters and first[name[0]] == 1}


def more_cards(rulebook: str, cards: Collection[str], messages: Sequence[str]) -> tuple[str, ...]:
    """Return the kinds of cards beside those of a list, `also 6 lantern cards`, of which the chat says `a lantern`."""
    text = "\n".join(messages)
    also = (_singular(word.casefold(), ()) for each in _ALSO_NAMED.findall(rulebook) for word in each if word)
    sure = [word for word in also if word not in cards and len(re.findall(rf"\b{word}s?\b", text, re.IGNORECASE)) > 1]
    named = dict.fromkeys(word.casefold() for word in _ALSO.findall(rulebook) if word.casefold() not in cards)
    return tuple(
        word
        for word in dict.fromkeys((*sure, *named))
        if word in sure
        or (not number_of(word) and len(re.findall(rf"\b(?:an?|one|\d+) {word}s?\b", text, re.IGNORECASE)) > 1)
    )


def _named_in(listed: str, said: Collection[str]) -> list[str]:
    """Return the names of cards in a list; none where it lists moves, or what somebody has beside his cards."""
    if _CARDS.search(listed):
        return []
    no_kind = word_list("carrying") | (word_list("kinds") - {*said})
    items = [_GENERIC.sub("", item) for item in re.split(r",? (?:and|or|und|oder) |, ", listed)]
    words = [each for item in items if (each := WORD.findall(item.casefold()))]
    names = [*dict.fromkeys(_singular(each[-1], said) for each in words if each[-1] not in no_kind)]
    is_of_moves = 2 * sum(name in table_verbs() for name in names) >= len(names)
    is_of_moves |= 2 * sum(len(each) > 1 and each[0] in table_verbs() for each in words) >= len(words) > 0
    no_name = (NO_VERB | TAKEN_WORDS) - _ALSO_CARDS
    return [] if is_of_moves else [name for name in names if name not in no_name and not number_of(name)]


def _lists_with_names(text: str) -> dict[str, str]:
    """Return the lists of a rulebook by what it calls their cards together: `the storms are Gale and Squall`."""
    lists = (*_NAMED_LIST.finditer(text), *_CALLED_TOGETHER.finditer(text))
    return {match["name"].casefold(): re.sub(r" together$", "", match["items"]) for match in lists}


def groups_of(texts: Sequence[str], kinds: Sequence[str], types: Mapping[str, CardGroup]) -> dict[str, CardGroup]:
    """Return the kinds of cards, but not all of them, that a rulebook calls together by a name of their own: `storm`.

    A name that is said of other kinds as well is none. It may call several `types` of a list of the cards together.
    """
    named = _lists_with_names(_NUMBER_BEHIND.sub("", "\n".join(texts)))
    listed = {name: _group_of(_named_in(items, (*kinds, *types)), kinds, types) for name, items in named.items()}
    return {
        _singular(name, ()): group
        for name, group in listed.items()
        if 1 < len(group.kinds) < len(kinds)
        and name not in word_list("carrying") | word_list("kinds") | NO_VERB
        and {name, *forms_of(name)}.isdisjoint((*kinds, *types))
    }


def _group_of(named: Sequence[str], kinds: Sequence[str], types: Mapping[str, CardGroup]) -> CardGroup:
    """Return the kinds that a list names, or those of the types that it names."""
    of_types = [each for each in named if each in types]
    if not of_types:
        return CardGroup(tuple(each for each in named if each in kinds))
    together = tuple(kind for each in of_types for kind in types[each].kinds)
    return CardGroup(together, types[of_types[0]].printed, tuple(of_types))


def printed_numbers(texts: Sequence[str], kinds: Sequence[str]) -> dict[str, int]:
    """Return the number of each kind of cards that a rulebook has in brackets behind its name: `Sloop (2)`."""
    found = re.findall(rf"([^\W\d_][\w'-]*){_NUMBER_BEHIND.pattern}", "\n".join(texts))
    said = {form: int(number) for name, number in found for form in forms_of(name.casefold())}
    return {kind: said[kind] for kind in kinds if kind in said}


def names_said(called: Mapping[str, Collection[str]], seen: Survey) -> tuple[str, ...]:
    """Return the names of cards that a chat says with capitals behind its verbs: `Moon Priest`, `Hall of Bone`.

    A name is of several words, or stands among others that are, or behind an article or a verb, as most; none where
    there are fewer than three. Who plays has no card's name, nor has a word that the chat says without a capital as
    well; `the` before a name is no part of it.
    """
    rests = [rest for each in rests_of(called, seen).values() for rest in each]
    players = {word.casefold() for each in seen.players for word in WORD.findall(each)}
    small = {word for _, message in messages_of(seen) for word in WORD.findall(message) if word.islower()}
    found = (words for rest in rests for words in _capitals(rest))
    bare = [[word.casefold() for word in words[words[0].casefold() == "the" :]] for words in found]
    no_name = players | small | NO_VERB | TAKEN_WORDS | FILLERS
    named = dict.fromkeys(" ".join(words) for words in bare if words and (len(words) > 1 or words[0] not in no_name))
    long = {name for name in named if " " in name and players.isdisjoint(WORD.findall(name.replace("'s", "")))}
    parts = {word for name in long for word in name.split()}
    short = {name for name in named if " " not in name and name not in parts and len(name) > 2}
    names = tuple(name for name in named if name in long | short)
    called_so = {name.casefold() for rest in rests for name in _AS_A_NAME.findall(rest)}
    are_names = len(long) > 1 or (2 * len(called_so & short) > len(short) and small.isdisjoint(_GERMAN))
    return names if are_names and len(names) > 2 else ()


def _capitals(rest: str) -> Iterator[list[str]]:
    """Yield the words with capitals that stand together, with the small ones between them: `Hall of Bone`."""
    run: list[str] = []
    for piece in (*_PIECE.findall(rest), "."):
        if (piece[0].isupper() and len(piece) > 1) or (run and piece in _WITHIN):
            run.append(piece)
        else:
            while run and run[-1] in _WITHIN:
                run.pop()
            if run:
                yield run
            run = []


class SaidKinds(NamedTuple):
    """The kinds of cards that a chat says, the least and the most of their numbers, and which of its verbs are none."""

    kinds: tuple[str, ...]
    numbers: tuple[int, ...]
    verbs: Collection[str]


def letters_said(called: Mapping[str, Collection[str]], seen: Survey) -> SaidKinds | None:
    """Return the kinds of cards of which a chat says the first letter and the number only, `C8`; None without such."""
    messages = [message for _, message in messages_of(seen)]
    letters = sorted(letters_in_short(messages))
    numbers = [
        int(match[2]) for text in messages for match in IN_SHORT.finditer(text) if match[1].casefold() in letters
    ]
    return SaidKinds(tuple(letters), (min(1, *numbers), max(numbers)), called.keys()) if letters else None


def kinds_said(called: Mapping[str, Collection[str]], seen: Survey) -> SaidKinds:
    """Return the kinds of cards that a chat itself says behind its verbs: `pike`, `red 4`, `7 of cups`.

    What stands right behind a verb again and again and begins no message, or has a number behind it again and again, is
    no verb, though a part of a line may begin with it.
    """
    no_card = NO_VERB | TAKEN_WORDS | FILLERS | _BEHIND_VERBS | _said_with_numbers(seen)
    messages = [message for _, message in messages_of(seen)]
    first = Counter(each[0].kind for each in _cards_behind(called, seen) if each)
    begun = {next(begun_in(message, seen.players), ("", 0, 0))[0] for message in messages}
    numbered = Counter(word.casefold() for message in messages for word in _NUMBERED.findall(message))
    numbered -= Counter({word: numbered[word] for word in _places_in(messages) if word in numbered})
    often = {word for word, times in numbered.items() if times >= OFTEN and word not in table_verbs() | no_card}
    often = often if len(often) > 1 else set()
    sure = ({word for word, times in first.items() if times > 1 and word not in begun} | often) - no_card
    verbs = {move: words for move, words in called.items() if not sure & {move, *words}}
    said = [each for cards in _cards_behind(verbs, seen) for each in cards]
    no_card |= {*verbs} | (table_verbs() - sure)
    words = {each.kind for each in said}
    suits = Counter(_singular(each.kind, words) for each in said if each.is_suit or each.kind not in no_card)
    kinds = [name for name, times in suits.most_common() if times > 1]
    numbers = [each.number for each in said if each.number]
    has_numbers = bool(kinds) and 2 * len(numbers) > sum(suits[kind] for kind in kinds)
    if has_numbers and often:  # What has no number is no kind then.
        plainly = (word for word, times in numbered.most_common() if times > 1 and word not in no_card)
        kinds = [*dict.fromkeys(_singular(word, words) for word in plainly)]
    return SaidKinds(tuple(kinds), (min(1, *numbers), max(numbers)) if has_numbers else (), verbs)


def _places_in(messages: Sequence[str]) -> set[str]:
    """Return the words with numbers that mostly stand where somebody says at which of several places: `at hive 2`."""
    said = [(bool(where), word.casefold()) for each in messages for where, word in _NUMBERED_THERE.findall(each)]
    times = Counter(word for _, word in said)
    return {word for word in times if 2 * said.count((True, word)) > times[word]}


def _said_with_numbers(seen: Survey) -> set[str]:
    """Return the verbs of a chat that tells what players do, where several do it with other numbers: `Ben bids 4`."""
    said: dict[str, set[tuple[str, str]]] = {}
    for who, message in () if seen.spoken else messages_of(seen):
        if match := _NUMBERED.match(message):
            said.setdefault(match[1].casefold(), set()).add((who, message[match.end(1) : match.end()]))
    return {
        word
        for word, acts in said.items()
        if word.endswith("s") and all(len({*each}) > 1 for each in zip(*acts, strict=True))
    }


class _SaidCard(NamedTuple):
    kind: str
    number: int
    is_suit: bool


def _cards_behind(called: Mapping[str, Collection[str]], seen: Survey) -> Iterator[list[_SaidCard]]:
    """Yield what may be cards behind each move that a line says; the first stands right behind it."""
    players = "|".join(map(re.escape, seen.players))
    for rests in rests_of(called, seen).values():
        for rest in rests:
            bare = re.sub(rf"(?<!\w)(?:{players})(?!\w)", ",", rest, flags=re.IGNORECASE)
            parts = (_SAID_CARD.fullmatch(part.strip(" .!?:")) for part in _BETWEEN_CARDS.split(bare))
            yield [
                _SaidCard(
                    (match["kind"] or match["suit"]).casefold(),
                    int(match["number"] or match["of"] or 0),
                    bool(match["of"]),
                )
                for match in parts
                if match
            ]


def _singular(word: str, said: Collection[str]) -> str:
    """Return what one of several is called: as the chat calls it, else without its end."""
    forms = forms_of(word)
    bare = forms[1] if len(forms) > 1 and word.endswith(("s", "en")) else word  # One galleon is none galleo.
    return next((form for form in reversed(forms) if form in said), bare)


def copies_of(texts: Sequence[str], cards: Sequence[str]) -> tuple[int, ...]:
    """Return how many cards there are of each kind, by the sentence that names all of them: six of each, ten apples."""
    names = ["|".join(map(re.escape, (card, *plurals_of(card)))) for card in cards]
    for text in texts:
        said = [re.search(rf"(?:(\w+) )?\b(?:{each})\b", text, re.IGNORECASE) for each in names]
        if not (said and all(said)):
            continue
        if match := _OF_EACH.search(text):
            return (number_of(match["number"]),) * len(cards)
        numbers = tuple(number_of(each[1] or "") for each in said if each)
        return numbers if all(numbers) else ()
    return ()


def numbers_of(rulebook: str, cards: Sequence[str], messages: Sequence[str]) -> tuple[int, ...]:
    """Return the least and the most of the numbers on cards, where the rulebook says them and the chat has some."""
    names = "|".join(map(re.escape, (form for card in cards for form in (card, *plurals_of(card)))))
    numbered = re.compile(rf"\b(?:{names})[ -]?\d+\b|\b\d+ of (?:{names})\b", re.IGNORECASE) if names else None
    if numbered is None or sum(numbered.search(message) is not None for message in messages) < 2:
        return ()
    said = {
        int(number) for message in messages for each in numbered.findall(message) for number in _DIGITS.findall(each)
    }
    ranges = ((number_of(match["low"]), number_of(match["high"])) for match in _FROM_TO.finditer(rulebook))
    fitting = (each for each in ranges if 0 < each[0] < each[1] <= 100)
    return next((each for each in fitting if sum(each[0] <= number <= each[1] for number in said) * 2 > len(said)), ())
