"""What a chat and a rulebook tell of a game that nobody has described: who plays, the moves, the cards.

All of it is a guess that a person confirms: nothing of it states a rule.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Final, NamedTuple

from tabletape.dashboard.own_game.card_list import CardList
from tabletape.dashboard.own_game.cited import ITEM, ONE_OF, CiteSentence, listed_moves, listing
from tabletape.dashboard.own_game.kinds import (
    SaidKinds,
    cards_in,
    copies_of,
    kinds_said,
    letters_said,
    more_cards,
    names_said,
    numbers_of,
)
from tabletape.dashboard.own_game.messages import (
    DETERMINERS,
    DRAWN_BY,
    MORE_ACTS,
    NO_VERB,
    SAID_NUMBER,
    TAKEN_WORDS,
    WORD,
    begun_in,
    in_full,
    messages_of,
    number_of,
    said_by,
    table_verbs,
)
from tabletape.dashboard.own_game.silent_lines import SilentLine, silent_lines
from tabletape.events.importing.maps.counted import COUNTS, plurals_of
from tabletape.events.importing.maps.map import Map
from tabletape.events.importing.maps.move_words import forms_of_verb
from tabletape.events.importing.maps.proposing.survey import Survey

MOST_TIMES_UNKNOWN: Final = 3
"""A word that so many lines begin with, and two players say, may be a move that nobody has called so yet."""

_NAMED_KIND: Final = re.compile(
    r"(?P<copies>\d+)(?P<all> of each)?|(?:(?P<each>each(?: with| of)?)|(?P<name>(?!each\b)[^\W\d_][\w '-]*?))"
    r"(?:\s*(?P<low>\d+)\s*(?:-|\u2013|to|bis)\s*(?P<high>\d+)|(?P<bare> without a number))?"
)
"""A part of an answer about the kinds of cards: `tea`, `tea 1-7`, `each with 1 to 7`, `6 of each`."""

_THING: Final = re.compile(rf"\b(?:{'|'.join((*DETERMINERS, *COUNTS))}|\d+) ([^\W\d_]+)", re.IGNORECASE)
"""What a rulebook calls by a noun, `a lantern`, `four ghosts`, is not done."""

_SPEAKER: Final = re.compile(r"(?P<who>[^\W\d_][^:{}<>]{0,39}): ")
"""Who says a message of a chat."""

_LIST_END: Final = re.compile(r"\bor ([a-z]+)")
_NO_ACT: Final = frozenset({"begin", "choose", "end", "hold", "keep", "need", "start", "use", "win"})
"""What may be done in a rulebook, and is said in a chat of other things."""

_AS_VERB: Final = re.compile(r"\b(?:may|can|must|cannot|not|to|never) ([^\W\d_]+)")


_DRAWS: Final = tuple(
    re.compile(rf"\b(?:{verbs})\b[^.;]*?\b(?P<number>an?|{SAID_NUMBER}) cards?\b", re.IGNORECASE)
    for verbs in ("draw(?:s|n|ing)?", "(?:take|pick|grab)(?:s|ing)?")
)
"""How many cards a sentence lets somebody draw: in this word; where a rulebook has it nowhere, in others."""


_DEALS: Final = re.compile(
    r"^(?!.*\b(?:turn|round)s?\b)(?:(?=.*\b(?:(?:each|every|all) (?:\w+ )?players?|every(?:body|one))\b)"
    r".*\b(?:start|begin|deal|set[ -]?up|shuffle)|(?:set[ -]?up|at the (?:start|beginning) of the game)\b)",
    re.IGNORECASE,
)
"""A sentence that says what everybody has at first, and not what is drawn in a turn."""


class FirstLook(NamedTuple):
    """What is seen of a game: its players in the order of their first moves, how often each move is said, its cards.

    `called` are the words of the chat for each move, `perhaps` are others that are said often. `numbers` are the least
    and the most that stand on the cards but for those that are `bare`, `copies` how many there are of each where the
    rulebook says it. What else one `may` do by the rulebook may be a move, too, as seldom as it is said. `drawn`:
    so many cards are drawn at once by the rulebook, as far as it says that. `printed`: what a list of the cards, where
    somebody has one, says of each. The `silent` lines name a card and no move; `silent_move` is that which they are.
    """

    players: tuple[str, ...]
    moves: Mapping[str, int]
    called: Mapping[str, tuple[str, ...]]
    perhaps: Mapping[str, int]
    cards: tuple[str, ...]
    numbers: tuple[int, ...] = ()
    copies: tuple[int, ...] = ()
    bare: tuple[str, ...] = ()
    may: frozenset[str] = frozenset()
    drawn: frozenset[int] = frozenset()
    printed: Mapping[str, Mapping[str, str | int]] = {}
    silent: tuple[SilentLine, ...] = ()
    silent_move: str = ""

    @property
    def silent_asked(self) -> str:
        """The question which move the lines are that name a card and none; empty where there are none."""
        if not self.silent:
            return ""
        such = f"such as `{self.silent[0].shown}`"
        return f"{len(self.silent)} lines name a card and no move, {such}. Which move is that, in a word"

    @property
    def cards_in_words(self) -> str:
        """The kinds of cards, with how many there are of each, and what stands on them."""
        counts = {*self.copies}
        many = (
            f", {min(counts)} of each"
            if len(counts) == 1
            else f", {', '.join(map(str, self.copies))}"
            if counts
            else ""
        )
        numbered = [card for card in self.cards if card not in self.bare]
        numbers = f", each with {self.numbers[0]} to {self.numbers[1]}" if self.numbers else ""
        without = f"; {', '.join(self.bare)} without a number" if self.bare else ""
        return f"{', '.join(numbered) or 'none found'}{many}{numbers}{without}"


def first_look(
    seen: Survey, sentences: Sequence[CiteSentence], earlier: Sequence[Map] = (), card_list: CardList | None = None
) -> FirstLook:
    """Return what a chat that is surveyed, the sentences of a rulebook and a list of the cards tell of a game.

    Who speaks, and plays in one of its `earlier` chats by the maps of these, plays here as well.
    """
    if card_list is not None and card_list.numbered:  # `Brie 1`, `Brie 2`: the names say kinds and numbers.
        plain = first_look(seen, sentences, earlier)
        return with_cards(plain, card_list.numbered) or plain
    messages = [*messages_of(seen)]
    listed = listed_moves(sentences)
    acts = [(who, verb) for who, message in messages for verb, _, _ in begun_in(message, seen.players, listed)]
    text = " ".join(each.text for each in sentences)
    told = (each.text for each in sentences if not listed_moves([each]))
    said_there = [message for _, message in messages]
    cards = card_list.names if card_list else cards_in(" ".join(told), said_there)
    more = more_cards(text, cards, said_there) if cards and not card_list else ()
    numbers = () if card_list else numbers_of(text, cards, [in_full(message, cards) for message in said_there])
    cards = (*cards, *more)
    nouns = {form for card in cards for form in (card, *plurals_of(card))}
    said = {verb: [who for who, each in acts if each == verb] for _, verb in acts}
    bases = {verb: _base_of(verb, text, said, listed) for verb in said if verb not in nouns}
    doers: dict[str, list[str]] = {}
    for verb, base in bases.items():
        doers.setdefault(base or verb, []).extend(said[verb])
    taken = nouns | {word for card in cards if " " in card for word in card.split()} - MORE_ACTS | TAKEN_WORDS
    known = {base for base in bases.values() if base and base not in taken}
    sure = {base for base in known if base in MORE_ACTS | listed or _is_often(doers[base], base, text)}
    sure &= listed | _named_first(sentences, seen, bases, sure)
    called = {base: tuple(verb for verb in said if bases.get(verb) == base) for base in doers if base in sure}
    called |= {base: (*called[base], other) for other, base in _said_otherwise(sentences, listed, called)}
    moves = {base: len(doers[base]) for base in called}
    things = {word.casefold() for word in _THING.findall(text)}
    perhaps = {
        verb: len(who)
        for verb, who in doers.items()
        if verb not in sure | taken | things and ((verb in known and len(who) > 1) or _is_often(who, verb, ""))
    }
    doing = [who for who, verb in acts if bases.get(verb) in sure]
    known = {name for each in earlier for name in each.written.players}
    players = tuple(dict.fromkeys((*doing, *seen.players, *_doing_beside(seen, called, nouns, known))))
    if {*players}.difference(seen.players):  # Their lines count as well.
        return first_look(seen._replace(players=players), sentences, earlier, card_list)
    copies = () if numbers or card_list else copies_of([each.text for each in sentences], cards)
    may = frozenset(_AS_VERB.findall(text.casefold())) - sure - NO_VERB - _NO_ACT
    played = " ".join(each.text for each in sentences if not _DEALS.search(each.text))
    drawn = (frozenset(number_of(each["number"]) or 1 for each in said.finditer(played)) for said in _DRAWS)
    said_drawn = next(filter(None, drawn), frozenset[int]())
    bare = more if numbers else ()
    printed = card_list.printed if card_list else {}
    for draw in (DRAWN_BY & perhaps.keys()) if said_drawn else ():  # It stands behind other moves, and is one.
        called[draw], moves[draw] = (tuple(verb for verb in said if bases.get(verb) == draw), perhaps.pop(draw))
    look = FirstLook(players, moves, called, perhaps, cards, numbers, copies, bare, may, said_drawn, printed)
    look = look if cards else _with_kinds_said(look, seen)
    said_by_all = ((number, *said_by(line, seen.players)) for number, line in seen.lines)
    return look._replace(silent=silent_lines(said_by_all, look.cards))


def _with_kinds_said(look: FirstLook, seen: Survey) -> FirstLook:
    """Return a look with the kinds of cards that the chat itself says; none of them is a move."""
    called = {**{word: (word,) for word in look.perhaps}, **look.called}
    names = names_said(called, seen)
    parts = {word for name in names for word in name.split()}
    verbs = called.keys() - parts
    said = SaidKinds(names, (), verbs) if names else letters_said(called, seen) or kinds_said(called, seen)
    return look._replace(
        cards=said.kinds,
        numbers=said.numbers,
        called={move: words for move, words in look.called.items() if move in said.verbs},
        moves={move: times for move, times in look.moves.items() if move in said.verbs},
        perhaps={word: times for word, times in look.perhaps.items() if word in said.verbs},
    )


def _said_otherwise(
    sentences: Sequence[CiteSentence], listed: frozenset[str], called: Mapping[str, Sequence[str]]
) -> Iterator[tuple[str, str]]:
    """Yield what a rulebook lists and no line says, with what all lines say of it: `Serve: play a card`."""
    said = {word for base, words in called.items() for word in (base, *words)}
    for other in sorted(listed - said):
        behind = rf"\bto {re.escape(other)}\b[,:]?|^{re.escape(other)}(?: [a-z]+)?:"
        told = re.compile(rf"(?:{behind}) (?:you (?:must |have to )?)?(?P<verb>[a-z]+)\b", re.IGNORECASE)
        texts = (each.text if ITEM.match(each.text) else f"{each.heading}: {each.text}" for each in sentences)
        verbs = (match["verb"].casefold() for each in texts for match in told.finditer(each))
        base = next((base for verb in islice(verbs, 1) for base in called if base in forms_of_verb(verb)), "")
        if base and base not in listed:
            yield other, base


def _named_first(
    sentences: Sequence[CiteSentence], seen: Survey, bases: Mapping[str, str], sure: Collection[str]
) -> set[str]:
    """Return the moves that a list of the rulebook names, and those that begin a message; else all but one said once.

    What only stands behind a move, `take tea, pay 1`, is what that costs.
    """
    listed: set[str] = set()
    text = " ".join(each.text for each in sentences)
    said = [[verb for verb, _, _ in begun_in(message, seen.players)] for _, message in messages_of(seen)]
    begun = {bases.get(verb, "") for verbs in said for verb in verbs[:1]}
    for sentence in sentences:
        words = {form for word in listing(sentence, sentences) for form in _said_as(word)}
        named = {base for base in sure if base in words}
        if ONE_OF.search(sentence.text) and len(named) > 1:
            listed |= named
    if not listed:
        times = Counter(bases.get(verb, "") for verbs in said for verb in verbs)
        ends = {form for word in _LIST_END.findall(text.casefold()) for form in forms_of_verb(word)}
        return {base for base in sure if base in begun | ends or times[base] > 1}
    may = {form for word in _AS_VERB.findall(text.casefold()) for form in forms_of_verb(word)} | MORE_ACTS
    return listed | (begun & may)


def _said_as(verb: str) -> list[str]:
    """Return how a verb of a rulebook may be said in a chat: of `Pflanzen` somebody says `ich pflanze`."""
    word = verb.casefold()
    return [*forms_of_verb(word), *([word.removesuffix("n")] if word.endswith("en") else [])]


def _is_often(who: Sequence[str], word: str, rulebook: str) -> bool:
    """Return whether a word is said often enough to be a move; less will do where the rulebook has it as a verb."""
    as_verb = word in {form for each in _verbs_of(rulebook) for form in _said_as(each)}
    return len(who) > 1 if as_verb else len(who) >= MOST_TIMES_UNKNOWN and len({*who}) > 1


def _verbs_of(rulebook: str) -> set[str]:
    """Return the words of a rulebook that stand elsewhere than behind an article: its verbs are among them."""
    words = [word.casefold() for word in WORD.findall(rulebook)]
    return {word for before, word in zip(["", *words], words, strict=False) if before not in DETERMINERS} - NO_VERB


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


def with_silent(look: FirstLook, answer: str) -> FirstLook | None:
    """Return a look with the move that its silent lines are; None where an answer is no word for one."""
    moves = with_moves(look, ", ".join((*look.moves, answer)))
    if moves is None or not WORD.fullmatch(answer):
        return None
    times = look.moves.get(answer.casefold(), 0) + len(look.silent)
    return moves._replace(moves={**moves.moves, answer.casefold(): times}, silent_move=answer.casefold())


def with_cards(look: FirstLook, answer: str) -> FirstLook | None:
    """Return a look with the kinds of cards that a person names, `-` for none; None where some part says no kind.

    `tea 1-7, silk 1-7, lantern` are two kinds with numbers on them and one without, as are `tea, silk, each with 1 to
    7; lantern without a number`. How many of others there are nobody has said.
    """
    parts = [part.strip().removeprefix("and ") for part in re.split("[,;]", answer.casefold())]
    said = [_NAMED_KIND.fullmatch(part) for part in parts if part not in {"", "-"}]
    numbered: dict[str, bool] = {}
    for match in said:
        if match is None:
            return None
        if match["each"]:
            numbered = dict.fromkeys(numbered, True)
        elif match["name"]:
            if match["low"]:  # `white, red 1 to 6`: it is said of those before it, too, that have numbers.
                numbered |= {card: True for card in numbered if card in look.cards and card not in look.bare}
            numbered[match["name"]] = bool(match["low"])
    found = [match for match in said if match is not None]
    ends = [int(match[end]) for match in found for end in ("low", "high") if match[end]]
    cards, numbers = tuple(numbered), (min(ends), max(ends)) if ends else look.numbers
    without = {match["name"] for match in found if match["bare"]}
    if not (ends or without):
        without = {*look.bare}  # Nothing is said of numbers: it stays as it was seen.
    bare = tuple(card for card, has_number in numbered.items() if card in without or (ends and not has_number))
    copies = [int(match["copies"]) for match in found if match["copies"]]
    copies *= len(cards) if any(match["all"] for match in found) else 1
    if copies and (len(copies) != len(cards) or (numbers and len({*copies}) > 1)):
        return None
    is_so = (cards, numbers, bare) == (look.cards, look.numbers, look.bare)
    return look._replace(cards=cards, numbers=numbers, copies=tuple(copies) or look.copies * is_so, bare=bare)


def with_doers(seen: Survey) -> Survey:
    """Return a chat with those among its players, too, who say a move of every table several times and are not yet."""
    acting = Counter(
        who
        for who, message in _said_by_others(seen)
        for verb, _, _ in islice(begun_in(message, seen.players), 1)
        if not table_verbs().isdisjoint(forms_of_verb(verb))
    )
    return seen._replace(players=(*seen.players, *(who for who, times in acting.items() if times > 1)))


def _doing_beside(
    seen: Survey, called: Mapping[str, Sequence[str]], cards: Collection[str], known: Collection[str]
) -> Iterator[str]:
    """Yield who else plays: known so, or tells several times of a move with a card: `goat boards`."""
    moves = {word for base, words in called.items() for word in (base, *words)}
    # What is asked is done by nobody.
    words = ((who, WORD.findall(message.casefold() * ("?" not in message))) for who, message in _said_by_others(seen))
    said = [(who, {form for each in some for form in forms_of_verb(each)}) for who, some in words]
    acting = Counter(who for who, forms in said if not (forms.isdisjoint(moves) or forms.isdisjoint(cards)))
    yield from (who for who in dict.fromkeys(who for who, _ in said) if who in known or acting[who] > 1)


def _said_by_others(seen: Survey) -> Iterator[tuple[str, str]]:
    """Yield who is no player as far as one sees, and what he says in a chat."""
    for _, line in seen.lines:
        match = _SPEAKER.match(line) if seen.spoken else None
        if match and match["who"] not in seen.players:
            yield match["who"], line[match.end() :]


def _base_of(verb: str, rulebook: str, said: Iterable[str], listed: frozenset[str]) -> str:
    """Return what a move is called that a chat says with a verb; empty where neither rulebook nor any table has it."""
    words = {word.casefold() for word in WORD.findall(rulebook)} - NO_VERB | listed
    known = {form for word in words for form in _said_as(word)}
    fitting = [form for form in forms_of_verb(verb) if form in known or form in MORE_ACTS]
    literal = [form for form in fitting if form in MORE_ACTS or form in words or form in said]
    best = literal or fitting
    return min(
        best, key=lambda form: (form not in listed, form not in MORE_ACTS, form not in said, len(form)), default=""
    )
