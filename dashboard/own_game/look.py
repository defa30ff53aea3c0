"""What a chat and a rulebook tell of a game that nobody has described: who plays, the moves, the cards.

All of it is a guess that a person confirms: nothing of it states a rule.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import islice, takewhile
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
        "ask attack bet bid build buy call cast challenge choose claim climb collect deploy dig discard donate draw "
        "equip exchange fetch fill fish flip fold follow gather give guess harvest hide hire keep knock lay lead lend "
        "lock move offer open order pass pay pick place plant play "
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
        "i i'll i'm ill im i've ive will would just ok okay so then now and well alright hm hmm um right going to "
        "gonna wanna want let's lets me first yes yeah yep no haha lol oh ah here ich ja also dann jetzt und je we "
        "must have",
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
        "coin coins win wins won der die das ein eine einen mein dein karte karten zug runde spiel",
    )
)
_DETERMINERS: Final = frozenset(
    re.findall(r"\w+", "a an the each every his her their your its no any this that own of")
)
SMALL_WORDS: Final = _DETERMINERS | _NO_VERB | frozenset(re.findall(r"\w+", "not never always may must all only"))
"""Words before a card that do not tell which of its kind are meant."""

WORD: Final = re.compile(r"[^\W\d_][\w'-]*")
"""A word of a sentence."""

_LIST: Final = re.compile(
    r"(?:\w+ )?[^\W\d_][\w'-]*(?:, (?:\w+ ){0,2}[^\W\d_][\w'-]*)*,? (?:and|or|und|oder) "
    r"(?:\w+ ){0,2}[^\W\d_][\w'-]*",
    re.IGNORECASE,
)
_LIST_OF: Final = re.compile(
    r"[(:]\s*(?P<items>[^\W\d_][\w'-]*(?: \d+(?:-\d+)?)?(?:, [^\W\d_][\w'-]*(?: \d+(?:-\d+)?)?)+)\s*[).;]"
)
"""A list in brackets or behind a colon, each perhaps with its numbers: `(Tea, Silk)`, `wares: Tea 1-7, Silk 1-7.`"""

_NAMED_KIND: Final = re.compile(r"(?P<name>[^\W_][\w '-]*?)(?:\s+(?P<low>\d+)\s*(?:-|\u2013|to|bis)\s*(?P<high>\d+))?")
_SPEAKER: Final = re.compile(r"(?P<who>[^\W\d_][^:{}<>]{0,39}): ")
"""Who says a message of a chat."""

_ONE_OF: Final = re.compile(
    r"\b(?:one of|(?:one|two|three|\d) (?:things?|actions?|moves?)|either|following)\b", re.IGNORECASE
)
_ITEM: Final = re.compile(r"\W*(?P<word>[^\W\d_]+)\W{0,2}:")
"""An item of a list of moves: `Call: take one card`."""

_AS_VERB: Final = re.compile(r"\b(?:may|can|must|cannot|not|to|never) ([^\W\d_]+)")
_OF_EACH: Final = re.compile(r"(?P<number>\w+) (?:cards? |copies )?(?:of each|each of|of every)", re.IGNORECASE)
_GENERIC: Final = re.compile(r" (?:cards?|ones)\b.*$", re.IGNORECASE)
_ALSO_CARDS: Final = frozenset({"coin", "coins"})
"""What may be a suit as well, in a list with others."""

_FROM_TO: Final = re.compile(r"(?P<low>\w+)(?: (?:to|bis|through) | ?[-\u2013] ?)(?P<high>\w+)", re.IGNORECASE)


class CiteSentence(NamedTuple):
    """A sentence of the rulebook, and where it stands: L4, or L4.2 for the second sentence of a line."""

    text: str
    cite: str


class FirstLook(NamedTuple):
    """What is seen of a game: its players in the order of their first moves, how often each move is said, its cards.

    `called` are the words of the chat for each move, `perhaps` are others that are said often. `numbers` are the least
    and the most that stand on the cards, `copies` how many there are of each where the
    rulebook says it.
    """

    players: tuple[str, ...]
    moves: Mapping[str, int]
    called: Mapping[str, tuple[str, ...]]
    perhaps: Mapping[str, int]
    cards: tuple[str, ...]
    numbers: tuple[int, ...] = ()
    copies: tuple[int, ...] = ()


def number_of(word: str) -> int:
    """Return the number that a word says, 0 where it says none; an article says none."""
    if word.isascii() and word.isdigit():
        return int(word)
    low = word.casefold()
    return {"one": 1, "once": 1, "twice": 2, "single": 1}.get(low, COUNTS.get(low, 0) if COUNTS.get(low, 0) > 1 else 0)


def sentences_of(book: RulebookText | None) -> list[CiteSentence]:
    """Return the sentences of a rulebook that are no headings or names, each with its place."""
    if book is None:
        return []
    headings = {number for block in book.blocks if block.kind == "heading" for number in block.sentences}
    cited = []
    for each in book.sentences:
        beside = book.at(each.first)
        place = f"L{each.first}" if each.first == each.last else f"L{each.first}-{each.last}"
        piece = f".{beside.index(each.number) + 1}" if len(beside) > 1 and each.first == each.last else ""
        if each.number not in headings and len(each.words) > 2:
            cited.append(CiteSentence(each.text, f"{place}{piece}"))
    return cited


def first_look(seen: Survey, sentences: Sequence[CiteSentence]) -> FirstLook:
    """Return what a chat that is surveyed, and the sentences of a rulebook, tell of a game."""
    acts = [(who, verb) for who, message in messages_of(seen) for verb, _, _ in _begun(message, seen.players)]
    text = " ".join(each.text for each in sentences)
    cards = cards_in(text, [message for _, message in messages_of(seen)])
    nouns = {form for card in cards for form in (card, *plurals_of(card))}
    said = {verb: [who for who, each in acts if each == verb] for _, verb in acts}
    bases = {verb: _base_of(verb, text, said) for verb in said if verb not in nouns}
    doers: dict[str, list[str]] = {}
    for verb, base in bases.items():
        doers.setdefault(base or verb, []).extend(said[verb])
    taken = nouns | TAKEN_WORDS
    known = {base for base in bases.values() if base and base not in taken}
    sure = {base for base in known if base in MORE_ACTS or _is_often(doers[base], base, text)}
    sure &= _named_first(sentences, seen, bases, sure)
    called = {base: tuple(verb for verb in said if bases.get(verb) == base) for base in doers if base in sure}
    moves = {base: len(doers[base]) for base in called}
    perhaps = {
        verb: len(who)
        for verb, who in doers.items()
        if verb not in sure | taken and ((verb in known and len(who) > 1) or _is_often(who, verb, ""))
    }
    doing = [who for who, verb in acts if bases.get(verb) in sure]
    players = tuple(dict.fromkeys((*doing, *seen.players)))
    numbers = _numbers(text, cards, [message for _, message in messages_of(seen)])
    copies = () if numbers else _copies(sentences, cards)
    return FirstLook(players, moves, called, perhaps, cards, numbers, copies)


def _named_first(
    sentences: Sequence[CiteSentence], seen: Survey, bases: Mapping[str, str], sure: Collection[str]
) -> set[str]:
    """Return the moves that a list of the rulebook names, and those with which a message begins; all without a list.

    What only stands behind a move, `take tea, pay 1`, is what that costs.
    """
    listed: set[str] = set()
    for sentence in sentences:
        words = {form for word in listing(sentence, sentences) for form in forms_of_verb(word)}
        named = {base for base in sure if base in words}
        if _ONE_OF.search(sentence.text) and len(named) > 1:
            listed |= named
    if not listed:
        return {*sure}
    text = " ".join(each.text for each in sentences)
    may = {form for word in _AS_VERB.findall(text.casefold()) for form in forms_of_verb(word)} | MORE_ACTS
    begun = (next(iter(_begun(message, seen.players)), ("", 0, 0)) for _, message in messages_of(seen))
    return listed | ({bases.get(verb, "") for verb, _, _ in begun} & may)


def listing(sentence: CiteSentence, sentences: Sequence[CiteSentence]) -> list[str]:
    """Return the words of a sentence, and those with which the items begin that are listed below it."""
    words = WORD.findall(sentence.text)
    if not sentence.text.rstrip().endswith(":") or sentence not in sentences:
        return words
    behind = (_ITEM.match(each.text) for each in sentences[sentences.index(sentence) + 1 :])
    return [*words, *(item["word"] for item in takewhile(bool, behind) if item)]


def _is_often(who: Sequence[str], word: str, rulebook: str) -> bool:
    """Return whether a word is said often enough to be a move; less will do where the rulebook has it as a verb."""
    as_verb = word in {form for each in _verbs_of(rulebook) for form in forms_of_verb(each)}
    return len(who) > 1 if as_verb else len(who) >= MOST_TIMES_UNKNOWN and len({*who}) > 1


def _verbs_of(rulebook: str) -> set[str]:
    """Return the words of a rulebook that stand elsewhere than behind an article: its verbs are among them."""
    words = [word.casefold() for word in WORD.findall(rulebook)]
    return {word for before, word in zip(["", *words], words, strict=False) if before not in _DETERMINERS} - _NO_VERB


def with_moves(look: FirstLook, answer: str) -> FirstLook | None:
    """Return a look with the moves that a person names, `draw, play = put`; None where these are no words of moves.

    Nothing that is said is left out: words in which the chat says a move that is named here stay with it.
    """
    called: dict[str, tuple[str, ...]] = {}
    for part in answer.casefold().split(","):
        words = [word.strip() for word in part.split("=")]
        if not all(re.fullmatch(r"[^\W\d_][\w'-]*", word) and word not in TAKEN_WORDS for word in words):
            return None
        also = (each for word in words for each in look.called.get(word, ()))
        called[words[0]] = tuple(dict.fromkeys([*words, *also]))
    return look._replace(called=called, moves={move: look.moves.get(move, 0) for move in called})


def with_cards(look: FirstLook, answer: str) -> FirstLook:
    """Return a look with the kinds of cards that a person names; how many of others there are nobody has said.

    `tea 1-7, silk 1-7` are kinds with numbers on them.
    """
    named = [match for part in answer.casefold().split(",") if (match := _NAMED_KIND.fullmatch(part.strip()))]
    cards = tuple(dict.fromkeys(match["name"] for match in named))
    ends = [int(match[end]) for match in named for end in ("low", "high") if match[end]]
    numbers = (min(ends), max(ends)) if ends else look.numbers
    return (
        look
        if (cards, numbers) == (look.cards, look.numbers)
        else look._replace(cards=cards, numbers=numbers, copies=())
    )


def with_doers(seen: Survey) -> Survey:
    """Return a chat with those among its players, too, who say a move of every table several times and are not yet."""
    acting = Counter(
        who
        for _, line in seen.lines
        if seen.spoken and (match := _SPEAKER.match(line)) and (who := match["who"]) not in seen.players
        for verb, _, _ in islice(_begun(line[match.end() :], seen.players), 1)
        if not table_verbs().isdisjoint(forms_of_verb(verb))
    )
    return seen._replace(players=(*seen.players, *(who for who, times in acting.items() if times > 1)))


def messages_of(seen: Survey) -> Iterator[tuple[str, str]]:
    """Yield what each player says or does in the lines of a chat: the player, and the rest of the line."""
    for _, line in seen.lines:
        who = next((each for each in sorted(seen.players, key=len, reverse=True) if line.startswith(each)), "")
        rest = line[len(who) :]
        if who and (not rest or not rest[0].isalnum()):
            yield who, rest.lstrip(":> ").strip()


def rests_of(look: FirstLook, seen: Survey) -> dict[str, list[str]]:
    """Return what stands behind each move in the lines of a chat, up to the next move there."""
    by_word = {word: move for move, words in look.called.items() for word in words}
    rests: dict[str, list[str]] = {move: [] for move in look.moves}
    for _, message in messages_of(seen):
        begun = [(by_word[verb], at, end) for verb, at, end in _begun(message, seen.players) if verb in by_word]
        ends = [*(at for _, at, _ in begun[1:]), len(message)]
        for (move, _, behind), end in zip(begun, ends, strict=False):
            rests[move].append(message[behind:end])
    return rests


def _begun(message: str, players: Collection[str]) -> Iterator[tuple[str, int, int]]:
    """Yield the words with which the parts of a message begin, and where, but for words that no move is called."""
    passed = _FILLERS | {each.casefold() for each in players}
    starts = [0, *(match.end() for match in _JOINS.finditer(message))]
    for start, end in zip(starts, [*starts[1:], len(message)], strict=True):
        words = ((match[0].casefold(), match) for match in WORD.finditer(message, start, end))
        word, match = next(((word, match) for word, match in words if word not in passed), ("", None))
        if match and word not in _NO_VERB and not number_of(word) and len(word) > 1:
            yield word, match.start(), match.end()


def _base_of(verb: str, rulebook: str, said: Iterable[str]) -> str:
    """Return what a move is called that a chat says with a verb; empty where neither rulebook nor any table has it."""
    words = {word.casefold() for word in WORD.findall(rulebook)} - _NO_VERB
    known = {form for word in words for form in forms_of_verb(word)}
    fitting = [form for form in forms_of_verb(verb) if form in known or form in MORE_ACTS]
    literal = [form for form in fitting if form in MORE_ACTS or form in words or form in said]
    return min(literal or fitting, key=lambda form: (form not in MORE_ACTS, form not in said, len(form)), default="")


def table_verbs() -> frozenset[str]:
    """Return the verbs of every table, as they are called."""
    phrases = (phrase for each in meanings() if each.name in ACTS for phrase in each.phrases if " " not in phrase)
    return frozenset(form for phrase in phrases for form in forms_of_verb(phrase)) | MORE_ACTS


# -- the cards ---------------------------------------------------------------------------------------------------------


def cards_in(rulebook: str, messages: Sequence[str]) -> tuple[str, ...]:
    """Return the kinds of cards: what a list in the rulebook names, if the chat names at least half of it."""
    said = {word.casefold() for message in messages for word in WORD.findall(message)}
    best: tuple[int, tuple[str, ...]] = (1, ())
    lists = [match[0] for match in _LIST.finditer(rulebook)] + [each["items"] for each in _LIST_OF.finditer(rulebook)]
    for listed in lists:
        items = (_GENERIC.sub("", item) for item in re.split(r",? (?:and|or|und|oder) |, ", listed))
        words = (WORD.findall(item) for item in items)
        names = [*dict.fromkeys(_singular(each[-1].casefold(), said) for each in words if each)]
        if 2 * sum(name in table_verbs() for name in names) >= len(names):
            continue  # It lists moves.
        names = [name for name in names if name not in (_NO_VERB | TAKEN_WORDS) - _ALSO_CARDS]
        times = sum(not said.isdisjoint((name, *plurals_of(name))) for name in names)
        if times > best[0] and 2 * times >= len(names):
            best = times, tuple(names)
    return best[1]


def _singular(word: str, said: Collection[str]) -> str:
    """Return what one of several is called: as the chat calls it, else without its end."""
    forms = forms_of(word)
    return next((form for form in reversed(forms) if form in said), forms[1] if len(forms) > 1 else word)


def _copies(sentences: Sequence[CiteSentence], cards: Sequence[str]) -> tuple[int, ...]:
    """Return how many cards there are of each kind, by the sentence that names all of them: six of each, ten apples."""
    names = ["|".join(map(re.escape, (card, *plurals_of(card)))) for card in cards]
    for sentence in sentences:
        said = [re.search(rf"(?:(\w+) )?\b(?:{each})\b", sentence.text, re.IGNORECASE) for each in names]
        if not (said and all(said)):
            continue
        if match := _OF_EACH.search(sentence.text):
            return (number_of(match["number"]),) * len(cards)
        numbers = tuple(number_of(each[1] or "") for each in said if each)
        return numbers if all(numbers) else ()
    return ()


def _numbers(rulebook: str, cards: Sequence[str], messages: Sequence[str]) -> tuple[int, ...]:
    """Return the least and the most of the numbers on cards, where the rulebook says them and the chat has some."""
    names = "|".join(map(re.escape, (form for card in cards for form in (card, *plurals_of(card)))))
    numbered = re.compile(rf"\b(?:{names})[ -]?\d+\b|\b\d+ of (?:{names})\b", re.IGNORECASE) if names else None
    if numbered is None or sum(numbered.search(message) is not None for message in messages) < 2:
        return ()
    ranges = ((number_of(match["low"]), number_of(match["high"])) for match in _FROM_TO.finditer(rulebook))
    return next(((low, high) for low, high in ranges if 0 < low < high <= 100), ())
