"""What the chat of an evening and the rulebook tell of a game that nobody has described: who plays, the moves, the cards.

All of it is a guess that a person confirms: nothing of it states a rule.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from tabletape.events.importing.maps.counted import COUNTS, forms_of, plurals_of
from tabletape.events.importing.maps.move_words import forms_of_verb
from tabletape.events.importing.maps.proposing.phrases import meanings
from tabletape.events.importing.maps.proposing.surveying import Survey
from tabletape.events.rules_file.parser import OVER
from tabletape.events.rules_file.scope import reserved
from tabletape.projector.rulebooks.text import RulebookText

TAKEN_WORDS: Final = frozenset({*OVER, *reserved({}, {}).names, "next", "if", "each", "it"})
"""The words of the language in which a file says what has to be so: no move, card and place is called so."""

ACTS: Final = ("plays", "draws", "discards", "uses", "turn-ends")
"""What happens at every table, by the names of the phrases that say so: their verbs are moves without a rulebook."""

MORE_ACTS: Final = frozenset(
    re.findall(
        r"\w+",
        "ask bet bid build buy call challenge choose claim climb collect dig donate fetch fill fish flip fold follow "
        "gather give guess harvest hide hire keep knock lay lead lend lock move offer open order pay pick place plant "
        "put raise repair reroll reveal roll sell send share shift show sow spend steal store swap take throw trade "
        "trump turn unlock upgrade vote water tausche gebe nehme lege kaufe verkaufe biete setze baue",
    )
)
"""Further verbs of the table."""

MOST_TIMES_UNKNOWN: Final = 3
"""A word that so many lines begin with, and two players say, may be a move that nobody has called so yet."""

_JOINS: Final = re.compile(r"\s*[,;:.!?&+()]+\s*|\s+(?:and|then|und|dann|also|but|aber)\s+", re.IGNORECASE)
_FILLERS: Final = frozenset(
    re.findall(
        r"[\w']+",
        "i i'll i'm ill im i've ive will would just ok okay so then now and well alright hm hmm um right going to gonna "
        "wanna want let's lets me first yes yeah yep no haha lol oh ah here ich ja also dann jetzt und je dann we must have",
    )
)
_NO_VERB: Final = frozenset(
    re.findall(
        r"[\w']+",
        "a an the my his her their your our its this that these those it he she they you who what when where why how "
        "not for from with at on in of to by as is are was were be been do does did can could may might should has had "
        "all any each every some more most less fewer least only always never again back next last own other another "
        "card cards hand hands deck turn turns round rounds game games player players point points table one once "
        "twice both none nobody everybody everyone there if or but because than too very good nice great sorry please "
        "thanks wait which time now get got think know like love hate mean see look say said lucky bad new old "
        "win wins won der die das ein eine einen mein dein karte karten zug runde spiel",
    )
)
_DETERMINERS: Final = frozenset(re.findall(r"\w+", "a an the each every his her their your its no any this that own of"))
_WORD: Final = re.compile(r"[^\W\d_][\w'-]*")
_LIST: Final = re.compile(
    r"(?:(?:\d+|[^\W\d_]+) )?[^\W\d_][\w'-]*(?:, (?:\w+ ){0,2}[^\W\d_][\w'-]*)*,? (?:and|or|und|oder) (?:\w+ ){0,2}[^\W\d_][\w'-]*",
    re.IGNORECASE,
)
_OF_EACH: Final = re.compile(r"(?P<number>\w+) (?:cards? |copies )?(?:of each|each of|of every)", re.IGNORECASE)
_FROM_TO: Final = re.compile(r"(?P<low>\w+) (?:to|bis|through|-|\u2013) (?P<high>\w+)", re.IGNORECASE)


class CiteSentence(NamedTuple):
    """A sentence of the rulebook, and where it stands: L4, or L4.2 for the second sentence of a line."""

    text: str
    cite: str


class FirstLook(NamedTuple):
    """What is seen of a game: its players in the order of their first moves, how often each move is said, its cards.

    `called` are the words of the chat for each move, `perhaps` are others that are said often. `numbers` are the least
    and the most that stand on the cards, `copies` how many there are of each as the rulebook says it, none if unsaid.
    """

    players: tuple[str, ...]
    moves: Mapping[str, int]
    called: Mapping[str, tuple[str, ...]]
    perhaps: Mapping[str, int]
    cards: tuple[str, ...]
    numbers: tuple[int, ...] = ()
    copies: int = 0


def number_of(word: str) -> int:
    """Return the number that a word says, 0 where it says none; an article says none."""
    if word.isascii() and word.isdigit():
        return int(word)
    low = word.casefold()
    return {"one": 1, "once": 1, "twice": 2, "single": 1}.get(low, COUNTS.get(low, 0) if COUNTS.get(low, 0) > 1 else 0)


def sentences_of(book: RulebookText | None) -> list[CiteSentence]:
    """Return the sentences of a rulebook that are no headings, each with its place."""
    if book is None:
        return []
    headings = {number for block in book.blocks if block.kind == "heading" for number in block.sentences}
    cited = []
    for each in book.sentences:
        beside = book.at(each.first)
        place = f"L{each.first}" if each.first == each.last else f"L{each.first}-{each.last}"
        piece = f".{beside.index(each.number) + 1}" if len(beside) > 1 and each.first == each.last else ""
        if each.number not in headings:
            cited.append(CiteSentence(each.text, f"{place}{piece}"))
    return cited


def first_look(seen: Survey, sentences: Sequence[CiteSentence]) -> FirstLook:
    """Return what a chat that is surveyed, and the sentences of a rulebook, tell of a game."""
    acts = [(who, verb) for who, message in messages_of(seen) for verb in _verbs_in(message, seen.players)]
    text = " ".join(each.text for each in sentences)
    cards = cards_in(text, [message for _, message in messages_of(seen)])
    nouns = {form for card in cards for form in (card, *plurals_of(card))}
    said = {verb: [who for who, each in acts if each == verb] for _, verb in acts}
    bases = {verb: _base_of(verb, text, said) for verb in said if verb not in nouns}
    called: dict[str, list[str]] = {}
    for verb, base in bases.items():
        if base and base not in nouns | TAKEN_WORDS:
            called.setdefault(base, []).append(verb)
    moves = {base: sum(len(said[verb]) for verb in verbs) for base, verbs in called.items()}
    perhaps = {
        verb: len(who)
        for verb, who in said.items()
        if not bases.get(verb) and verb not in nouns and len(who) >= MOST_TIMES_UNKNOWN and len({*who}) > 1
    }
    doing = [who for who, verb in acts if bases.get(verb)]
    players = tuple(dict.fromkeys((*doing, *seen.players)))
    numbers = _numbers(text, cards, [message for _, message in messages_of(seen)])
    match = _OF_EACH.search(text)
    copies = number_of(match["number"]) if match and not numbers else 0
    return FirstLook(players, moves, {base: tuple(each) for base, each in called.items()}, perhaps, cards, numbers, copies)


def messages_of(seen: Survey) -> Iterator[tuple[str, str]]:
    """Yield what each player says or does in the lines of a chat: the player, and the rest of the line."""
    for _, line in seen.lines:
        who = next((each for each in sorted(seen.players, key=len, reverse=True) if line.startswith(each)), "")
        rest = line[len(who) :]
        if who and (not rest or not rest[0].isalnum()):
            yield who, rest.lstrip(":> ").strip()


def _verbs_in(message: str, players: Collection[str]) -> Iterator[str]:
    """Yield the words with which the parts of a message begin, but for words that no move is called."""
    names = {each.casefold() for each in players}
    for part in _JOINS.split(message):
        words = [word.casefold() for word in _WORD.findall(part)]
        while words and (words[0] in _FILLERS or words[0] in names):
            words.pop(0)
        if words and words[0] not in _NO_VERB and not number_of(words[0]) and len(words[0]) > 1:
            yield words[0]


def _base_of(verb: str, rulebook: str, said: Iterable[str]) -> str:
    """Return what a move is called that a chat says with a verb; empty where it may be none.

    The rulebook knows it, elsewhere than behind an article, or it is a verb of every table.
    """
    mine = forms_of_verb(verb)
    words = [word.casefold() for word in _WORD.findall(rulebook)]
    after = {word for before, word in zip(["", *words], words, strict=False) if before not in _DETERMINERS}
    known = {form for word in after - _NO_VERB for form in forms_of_verb(word)}
    usual = table_verbs()
    fitting = [form for form in mine if form in known or form in usual]
    literal = [form for form in fitting if form in usual or form in words or form in said]
    return min(literal or fitting, key=lambda form: (form not in usual, form not in words, len(form)), default="")


def table_verbs() -> frozenset[str]:
    """Return the verbs of every table, as they are called."""
    phrases = (phrase for each in meanings() if each.name in ACTS for phrase in each.phrases if " " not in phrase)
    return frozenset(form for phrase in phrases for form in forms_of_verb(phrase)) | MORE_ACTS


# -- the cards ---------------------------------------------------------------------------------------------------------


def cards_in(rulebook: str, messages: Sequence[str]) -> tuple[str, ...]:
    """Return the kinds of cards: what a list in the rulebook names, if the chat names at least half of it."""
    said = {word.casefold() for message in messages for word in _WORD.findall(message)}
    best: tuple[int, tuple[str, ...]] = (1, ())
    for match in _LIST.finditer(rulebook):
        items = re.split(r",? (?:and|or|und|oder) |, ", match[0])
        names = [_singular(_WORD.findall(item)[-1].casefold(), said) for item in items if _WORD.findall(item)]
        names = [name for name in dict.fromkeys(names) if name not in _NO_VERB | TAKEN_WORDS | table_verbs()]
        times = sum(not said.isdisjoint((name, *plurals_of(name))) for name in names)
        if times > best[0] and 2 * times >= len(names):
            best = times, tuple(names)
    return best[1]


def _singular(word: str, said: Collection[str]) -> str:
    """Return what one of several is called: as the chat calls it, else without its end."""
    forms = forms_of(word)
    return next((form for form in reversed(forms) if form in said), forms[1] if len(forms) > 1 else word)


def _numbers(rulebook: str, cards: Sequence[str], messages: Sequence[str]) -> tuple[int, ...]:
    """Return the least and the most of the numbers on cards, where the rulebook says them and the chat has some."""
    names = "|".join(map(re.escape, (form for card in cards for form in (card, *plurals_of(card)))))
    numbered = re.compile(rf"\b(?:{names})[ -]?\d+\b|\b\d+ of (?:{names})\b", re.IGNORECASE) if names else None
    if numbered is None or sum(numbered.search(message) is not None for message in messages) < 2:
        return ()
    ranges = ((number_of(match["low"]), number_of(match["high"])) for match in _FROM_TO.finditer(rulebook))
    return next(((low, high) for low, high in ranges if 0 < low < high <= 100), ())
