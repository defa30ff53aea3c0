"""A rule that a person chooses among those that a sentence may say of its move, or puts together in two steps.

What a move may be limited by is one table; its words, numbers, cards and moves of a sentence fill it in.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from tabletape.dashboard.own_game.cited import CiteSentence
from tabletape.dashboard.own_game.composed_tables import is_sayable
from tabletape.dashboard.own_game.composition import LAST, Clause, Composition
from tabletape.dashboard.own_game.game import OwnGame
from tabletape.dashboard.own_game.messages import SAID_NUMBER, WORD, number_of
from tabletape.dashboard.own_game.place_effects import guessed_effect
from tabletape.dashboard.own_game.questions import Ask, RuleQuestion
from tabletape.dashboard.own_game.rulebook_words import words_of
from tabletape.dashboard.own_game.stocks import StockLimit, stocks_of
from tabletape.dashboard.own_game.wording import NEXT_TURN
from tabletape.events.importing.maps.counted import forms_of, plurals_of

BLANK: Final = re.compile(r"\((a number|a card|a move)\)")
"""What a choice leaves open."""

_NUMBER, _CARD, _MOVE = "(a number)", "(a card)", "(a move)"
_OTHER: Final = "something else"
_MOST_LIKELY: Final = 8
_MOST_UNNAMED: Final = 2
_NO_COUNT: Final = re.compile(rf"\bat once\b|\b{SAID_NUMBER} (?:\w+ )?(?:in|on) (?:\w+ )?hands?\b", re.IGNORECASE)
_TWICE: Final = re.compile(r"\b(?:not|never|no|nobody|\w+n't|cannot|without)\b", re.IGNORECASE)


class _Limit(NamedTuple):
    """A way in which a move is limited: of what, by which conditions, and the words of a sentence that may mean it.

    `kind` is the card of whose lines alone it speaks. A blank, `(a number)`, stands for what is filled in.
    """

    what: str
    told_by: str
    clauses: tuple[Clause, ...]
    join: str = "and"
    kind: str = ""

    @property
    def blank(self) -> str:
        """What has to be filled in, empty where that is nothing."""
        said = " ".join((self.kind, *(f"{each.object} {each.of} {each.span}" for each in self.clauses)))
        return match[0] if (match := BLANK.search(said)) else ""

    def of(self, move: str, place: str, value: str = "") -> Composition:
        """Return it as a rule of a move, with its blank filled in where there is a value."""
        clauses, kind = self.clauses, self.kind
        if value:
            kind = BLANK.sub(value, kind)
            clauses = tuple(
                each._replace(
                    object=BLANK.sub(value, each.object), of=BLANK.sub(value, each.of), span=BLANK.sub(value, each.span)
                )
                for each in clauses
            )
        return Composition(move, clauses, self.join, kind, (), place)


def composed_by(
    game: OwnGame, sentence: CiteSentence, ask: Ask, half: Sequence[Composition] = (), left: str = ""
) -> tuple[Composition | StockLimit, ...]:
    """Return the rule that somebody chooses or composes, of one move or the same of several; nothing if left open.

    `half` is what the sentence is read as without what is `left` of it: it may be meant so.
    """
    named = [move for move in game.limitable if game.is_named(move, game.unsuffered(sentence.text))]
    named = named or [each.move for each in half]
    place, meant = _place_of(game, sentence), named if len(named) == 1 else []
    likely: dict[str, Composition | StockLimit] = {
        each.shown(game): each for each in _stock_limits(game, sentence, named)
    }
    for move in named or _laying(game, place):
        told = [each for each in _likely(game, move, sentence, place) if _can_be(game, each, sentence)]
        first = next(iter(_named_in(game, move, sentence.text)[_CARD]), "")
        told.sort(key=lambda each: (not (each.kind and any(one.of for one in each.clauses)), each.kind != first))
        likely |= {each.shown: each for each in told}
    without = f"{'; '.join(each.shown for each in half)}, without \u201c{left}\u201d" if half else ""
    choices = [*filter(None, [without]), *[*likely][:_MOST_LIKELY]]
    if choices:
        answer = ask(RuleQuestion("which", "Which of these does it say", (*choices, _OTHER)))
        chosen, _, filled = answer.partition("\t")
        if half and chosen == without:
            return tuple(half)
        if chosen != _OTHER:
            return _chosen(likely.get(chosen), filled, game, ask)
    meant = meant or _moves_meant(game, ask)
    return _of_moves(_in_steps(game, meant[0], place, ask), meant) if meant else ()


def _can_be(game: OwnGame, made: Composition, sentence: CiteSentence) -> bool:
    """Return whether the lines say what a rule looks at, with any move in its blank, and a sentence where that is."""
    if made.needs_place and (places := words_of(game).places) and made.place not in places:
        return False  # Of several places the sentence names none.
    limit = _Limit("", "", made.clauses, made.join, made.kind)
    values = _values(limit.blank, game, made.move) if limit.blank else ("",)
    return any(is_sayable(game, limit.of(made.move, made.place, value), sentence) for value in values[:1])


def _chosen(
    found: Composition | StockLimit | None, filled: str, game: OwnGame, ask: Ask
) -> tuple[Composition | StockLimit, ...]:
    if isinstance(found, Composition):
        return _of_moves(_filled_in(found, filled, game, ask), [])
    return (found,) if found is not None else ()


def _laying(game: OwnGame, place: str) -> list[str]:
    """Return the moves that a sentence may be about which names none: those that lay cards, where these are few."""
    laying = [move for move in game.limitable if game.field_of(move, "cards")]
    there = [move for move in laying if guessed_effect(game, words_of(game), move, place).startswith("adds")]
    return there or (laying if len(laying) <= _MOST_UNNAMED else [])


def _stock_limits(game: OwnGame, sentence: CiteSentence, moves: Sequence[str]) -> Iterator[StockLimit]:
    """Yield what a sentence may say of what players own: that it is there for a move, or how much it may be."""
    words = {form for word in WORD.findall(sentence.text.casefold()) for form in forms_of(word)}
    pays = {"pay", "afford"} & words
    named = [name for name, start in stocks_of(game).items() if start is not None and (name in words or pays)]
    for name in named:
        yield from (StockLimit(name, move=move) for move in moves)
        if re.search(_MOST, sentence.text, re.IGNORECASE):
            yield from (StockLimit(name, int(number)) for number in _named_in(game, "", sentence.text)[_NUMBER])


def _moves_meant(game: OwnGame, ask: Ask) -> list[str]:
    moves = game.limitable
    told = ("By its words alone it is not understood: say what it limits, beginning with the move.",)
    answer = ask(RuleQuestion("move", "Which move is it about", tuple(moves), told=told, several=True))
    return [each for each in moves if each in answer.split(", ")]


def _of_moves(made: Composition | None, moves: Sequence[str]) -> tuple[Composition, ...]:
    return () if made is None else tuple(made._replace(move=each) for each in dict.fromkeys((made.move, *moves)))


def _in_steps(game: OwnGame, move: str, place: str, ask: Ask) -> Composition | None:
    """Ask what of a move is limited, and then how."""
    limits = [*_limits(game, move, place)]
    what = ask(RuleQuestion("what", f"What has to be so of {move}", (*dict.fromkeys(each.what for each in limits),)))
    made = {each.of(move, place).shown: each.of(move, place) for each in limits if each.what == what}
    chosen, _, filled = (
        ask(RuleQuestion("detail", f"{move}: {what}", (*made,))).partition("\t") if made else ("", "", "")
    )
    return _filled_in(made[chosen], filled, game, ask) if chosen in made else None


def _filled_in(made: Composition, filled: str, game: OwnGame, ask: Ask) -> Composition | None:
    """Return a composition with its blank filled in, which is asked for where it is not said yet."""
    limit = _Limit("", "", made.clauses, made.join, made.kind)
    if not limit.blank:
        return made
    if not _fits(filled, limit.blank, game, made.move):
        filled = ask(RuleQuestion("value", made.shown, _values(limit.blank, game, made.move)))
    return limit.of(made.move, made.place, filled) if _fits(filled, limit.blank, game, made.move) else None


def _values(blank: str, game: OwnGame, move: str) -> tuple[str, ...]:
    moves = tuple(each for each in game.moves if each != move)
    return {_NUMBER: (), _CARD: (*game.kinds, *game.groups), _MOVE: moves}[blank]


def _fits(value: str, blank: str, game: OwnGame, move: str) -> bool:
    return value.isdecimal() if blank == _NUMBER else value in _values(blank, game, move)


def _place_of(game: OwnGame, sentence: CiteSentence) -> str:
    """Return the place that a sentence names; else the only own one of the rulebook, the only one, or `row`."""
    words = words_of(game)
    said = words.places & {*re.findall(r"\w+", sentence.text.casefold())}
    known = words.own - {"hand", "hands"} or words.common - words.numbered or words.unclear
    place = min(said or known, key=len, default="row")
    return place if said or known <= {place, *forms_of(place), *plurals_of(place)} else "row"


# -- what a sentence may say -------------------------------------------------------------------------------------------


def _likely(game: OwnGame, move: str, sentence: CiteSentence, place: str) -> Iterator[Composition]:
    """Yield what a sentence may say of a move by its words, filled in with what it names.

    Where it names a kind of cards, it may be said of those alone: of a child, that a nurse lies there.
    """
    text = sentence.text
    said, freed = _named_in(game, move, text), _freed_in(game, text)
    kinds = [each for each in said[_CARD] if each not in freed] if game.field_of(move, "cards") else []
    for limit in _limits(game, move, place):
        if not re.search(limit.told_by, text, re.IGNORECASE):
            continue
        is_open = limit.blank == _MOVE and limit.clauses[0].subject in {"done", "said"}
        made = [limit.of(move, place)] if not limit.blank or is_open else []
        made += [limit.of(move, place, value) for value in said[limit.blank]] if limit.blank else []
        for each in made:
            of_it = [one.of for one in each.clauses] + [one.object for one in each.clauses]
            is_of_kinds = "same" in of_it or any(one.subject in {"kind", "kinds"} for one in each.clauses)
            if freed and any(one.is_of_cards for one in each.clauses):
                yield each._replace(freed=freed)
            if not (is_of_kinds or each.kind):
                yield from (each._replace(kind=kind) for kind in kinds if kind not in of_it)
            if len(kinds) < 2 or limit.blank != _CARD or is_of_kinds:
                yield each


def _named_in(game: OwnGame, move: str, text: str) -> dict[str, list[str]]:
    """Return the numbers, cards and other moves that a sentence names; `not twice` is once at most."""
    text = _NO_COUNT.sub(" ", text)
    words = WORD.findall(text.casefold())
    is_denied = _TWICE.search(text) is not None
    times = {"once": 1, "twice": 1 if is_denied else 2}
    numbers = [*re.findall(r"\d+", text), *(str(times.get(word) or number_of(word)) for word in words)]
    others = [each for each in game.moves if each != move and game.is_named(each, game.unsuffered(text))]
    either = [word for word in words if word == "or" or any(game.is_named(each, word) for each in game.moves)]
    if re.fullmatch(r"\w+ or \w+", " ".join(either)):
        others = []  # `You may not borrow or lend then`: one is no condition of the other.
    said = {_NUMBER: [each for each in numbers if each != "0"], _CARD: game.kinds_in(words), _MOVE: others}
    return {blank: [*dict.fromkeys(values)] for blank, values in said.items()}


def _freed_in(game: OwnGame, text: str) -> tuple[str, ...]:
    """Return the kinds of cards that a sentence names as an exception: `but clouds may lie on anything`."""
    words = r"\b(?:but|except\w*|unless|other than|apart from)\b"
    behind = re.split(words, text, maxsplit=1, flags=re.IGNORECASE)[1:]
    return tuple(game.kinds_in(WORD.findall(" ".join(behind))))


_UP: Final = (
    rf"\b(?:more(?! than {SAID_NUMBER}\b)|over|upwards?|beat\w*|rais\w+|outbid\w*|"
    r"(?:high|bigg|larg|great|tall|old|heavi|long|strong|dear)er)\b"
)
_DOWN: Final = r"\b(?:less|downwards?|(?:low|small|few|light|short|young|weak|cheap)er)\b"
_SAME: Final = r"\b(?:same|match\w*|follow\w*|alike|one (?:kind|colour|color|suit|sort))\b"
_ANOTHER: Final = rf"\b(?:different|differ\w*|other|another)\b|(?:never|not|n't|no|cannot)\b.*{_SAME}"
_ORDER: Final = r"\b(?:after|before|until|unless|first|only|needs?|must|without|to be allowed|if|when|has to|have to)\b"
_BAN: Final = r"\b(?:never|not|no|nobody|cannot|\w+n't|forbidden)\b"
_UNLESS: Final = r"\b(?:unless|until|before|without|except)\b"
_UNDER: Final = rf"(?:{_UNLESS}|\b(?:if|when|while|after|own|else(?:'s)?|another|others?)\b)"
"""With these a sentence says more of a kind than that it is banned, or alone allowed."""

_ONLY_OF: Final = (
    r"\bonly\b.*\b(?:own|has|have|lies?|that is|which is)\b|"
    r"\b(?:which|that|what|as) (?:(?:one|you|he|she|they) )?(?:has|have|owns?)\b"
)
"""What lies there already may be all that is done."""

_LEAST: Final = r"\b(?:at least|fewer|less|only|needs?|or more|minimum|enough|must)\b"
_MOST: Final = r"\b(?:at most|more than|up to|over|maximum|no more|holds?|higher than|only|limit|full|room|most)\b"


def _limits(game: OwnGame, move: str, place: str) -> Iterator[_Limit]:
    """Yield what may be limited of a move by what its lines say."""
    cards, named = bool(game.field_of(move, "cards")), bool(game.field_of(move, "to"))
    number, several = bool(game.field_of(move, "number")), len(game.moves) > 1
    has_number = "number" in game.properties and not number  # Else the number stands beside the card in the line.
    number = number and not ("number" in game.properties and cards)
    whose, lying = _where(game, place)
    for limits in (
        _SAID if number else (),
        _NAMED if named else (),
        _CARDS if cards else (),
        _KINDS if cards and game.kinds else (),
        *(
            _last(what.format(place=place), each, numbered=has_number)
            for what, each, is_so in (
                ("the card before it on the own {place}", "own", cards),
                ("the last card of the player who is named", "to", cards and named),
                (
                    f"the card before it {lying}" if len(whose) == 1 else "the card before it on a common pile",
                    "all" if "all" in whose else "",
                    cards,
                ),
            )
            if is_so and each in whose
        ),
        _lying(f"how many cards lie {lying}", "own" if "own" in whose else whose[0], cards=cards),
        _lying("how many cards lie there of the player who is named", "to", cards=False) if named else (),
        _ORDERED if several else (),
        _OFTEN,
    ):
        yield from limits


def _where(game: OwnGame, place: str) -> tuple[Sequence[str], str]:
    """Return whose a place may be, and where that is in words: a common one is nobody's own."""
    words = words_of(game)
    if place in words.unclear:
        return ("",), f"on the {place}"
    if place in words.common - words.own - words.numbered:
        return ("all",), f"on the {place}"
    return ("own", "to", *(["all"] if place not in words.own else [])), f"on the own {place}"


_HOW_OFTEN, _WHICH_MOVE = "how often it is done", "which move comes before or after it"
_OFTEN: Final = (
    _Limit(
        _HOW_OFTEN, rf"in a row|running|twice|{_BAN}.*\bagain|repeat|success", (Clause("done", "<=", "1", span="row"),)
    ),
    _Limit(_HOW_OFTEN, r"turns? (?:in a row|running)|twice|success", (Clause("done", "<=", "1", span="turns"),)),
    _Limit(_HOW_OFTEN, r"\bturn", (Clause("done", "<=", _NUMBER, span="turn"),)),
    _Limit(_HOW_OFTEN, r"\bround", (Clause("done", "<=", _NUMBER, span="round"),)),
    _Limit(_HOW_OFTEN, r"\b(?:game|ever|(?<!at )once|times)\b", (Clause("done", "<=", _NUMBER, span="game"),)),
    _Limit(_HOW_OFTEN, r"\bgame\b", (Clause("done", "<=", _NUMBER, whose="all", span="game"),)),
    _Limit(_HOW_OFTEN, r"\brounds?\b", (Clause("round", ">", _NUMBER),)),
)
_ORDERED: Final = (
    _Limit(_WHICH_MOVE, _ORDER, (Clause("after", "=", _MOVE),)),
    _Limit(_WHICH_MOVE, r"right|direct|immediate", (Clause("after", "=", _MOVE, span="just"),)),
    _Limit(_WHICH_MOVE, rf"^(?!.*{NEXT_TURN}).*{_BAN}", (Clause("after", "!=", _MOVE, span="just"),)),
    _Limit(
        _WHICH_MOVE,
        rf"^(?!.*{NEXT_TURN}).*(?:{_BAN}.*\bturn|\bturn\b.*{_BAN})",
        (Clause("after", "!=", _MOVE, span="turn"),),
    ),
    _Limit(_WHICH_MOVE, rf"{_BAN}.*{NEXT_TURN}|{NEXT_TURN}.*{_BAN}", (Clause("after", "!=", _MOVE, span="next"),)),
    _Limit(_WHICH_MOVE, _ORDER, (Clause("after", "=", _MOVE, whose="all"),)),
    _Limit(
        _WHICH_MOVE,
        rf"^(?!.*{NEXT_TURN}).*\b(?:then|next|follow\w*|must|has to|have to)\b",
        (Clause("then", "=", _MOVE),),
    ),
    _Limit(
        _WHICH_MOVE,
        rf"at a time|already|{_BAN}.*\bagain|more than one|until|twice|between",
        (Clause("done", "<=", "1", span=f"since:{_MOVE}"),),
    ),
)
_NUMBER_SAID: Final = "the number that the line says"
_SAID: Final = (
    _Limit(_NUMBER_SAID, _UP, (Clause("said", ">", "before", whose="all", span="row"),)),
    _Limit(_NUMBER_SAID, _UP, (Clause("said", ">", "before", whose="all", span=f"since:{_MOVE}"),)),
    _Limit(_NUMBER_SAID, _UP, (Clause("said", ">", "before", span="row"),)),
    _Limit(_NUMBER_SAID, _LEAST, (Clause("said", ">=", _NUMBER),)),
    _Limit(_NUMBER_SAID, _MOST, (Clause("said", "<=", _NUMBER),)),
    _Limit(_NUMBER_SAID, r"as many|exactly|all", (Clause("said", "=", "lying"),)),
)
_WHO: Final = "who is named"
_NAMED: Final = (
    _Limit(_WHO, r"\b(?:an?other|other|else|self|\w+self|own)\b", (Clause("to", "=", "other"),)),
    _Limit(_WHO, r"left|next(?! turn)|neighbour", (Clause("to", "=", "left"),)),
    _Limit(_WHO, r"right|before|neighbour", (Clause("to", "=", "right"),)),
    _Limit(_WHO, r"\bsame\b", (Clause("done", "<=", _NUMBER, whose="to", span="game"),)),
)
_AT_ONCE: Final = "how many cards at once, and which"
_CARDS: Final = (
    _Limit(_AT_ONCE, _MOST, (Clause("cards", "<=", _NUMBER),)),
    _Limit(_AT_ONCE, _LEAST, (Clause("cards", ">=", _NUMBER),)),
    _Limit(
        _AT_ONCE,
        r"exactly|always|must|only|\bin (?:pairs|twos|threes|fours|groups|\d|two|three|four)",
        (Clause("cards", "=", _NUMBER),),
    ),
    _Limit(_AT_ONCE, _SAME, (Clause("kinds", "=", "1"),)),
)
_KINDS: Final = (
    _Limit(_AT_ONCE, rf"^(?!.*{_UNDER}).*{_BAN}", (Clause("kind", "!=", _CARD),)),
    _Limit(_AT_ONCE, rf"^(?!.*{_UNDER}).*\bonly\b", (Clause("kind", "=", _CARD),)),
    _Limit(_AT_ONCE, r"\b(?:alone|single|one)\b", (Clause("cards", "<=", "1"),), kind=_CARD),
)


def _last(what: str, whose: str, *, numbered: bool) -> Iterator[_Limit]:
    def clause(subject: str, relation: str) -> Clause:
        return Clause(subject, relation, LAST, whose=whose)

    kind, number = clause("kind", "="), clause("number", "=")
    yield _Limit(what, _SAME, (kind,))
    yield _Limit(what, _ANOTHER, (clause("kind", "!="),))
    if numbered:
        yield _Limit(what, _UP, (clause("number", ">"),))
        yield _Limit(what, _DOWN, (clause("number", "<"),))
        yield _Limit(what, rf"{_SAME}.*{_UP}|{_UP}.*{_SAME}", (kind, clause("number", ">")), "or")
        yield _Limit(what, rf"{_SAME}.*{_DOWN}|{_DOWN}.*{_SAME}", (kind, clause("number", "<")), "or")
        yield _Limit(what, rf"{_SAME}.*\bor\b", (kind, number), "or")
        yield _Limit(what, _SAME, (number,))
        yield _Limit(what, _ANOTHER, (clause("number", "!="),))
        yield _Limit(what, r"one (?:more|less|higher|lower)|consecutive|neighbour", (clause("number", "next"),))


def _lying(what: str, whose: str, *, cards: bool) -> Iterator[_Limit]:
    def clause(relation: str, number: str, of: str = "", *, after: bool = False) -> tuple[Clause, ...]:
        return (Clause("lying", relation, number, of, whose, after=after),)

    if cards:
        yield _Limit(what, _ONLY_OF, clause(">=", "1", "same"))
        yield _Limit(what, _MOST, clause("<=", _NUMBER, after=True))
        yield _Limit(what, rf"{_SAME}|already|twice", clause("=", "0", "same"))
        yield _Limit(what, _SAME, clause("<=", _NUMBER, "same", after=True))
    yield _Limit(what, _LEAST, clause(">=", _NUMBER))
    yield _Limit(what, _MOST, clause("<=", _NUMBER))
    yield _Limit(what, r"empty|nothing|no cards?", clause("=", "0"))
    yield _Limit(what, r"empty|nothing|no cards?", clause(">=", "1"))
    yield _Limit(
        what, rf"^(?!.*{_BAN}).*\b(?:if|when|only|lies?|already|there|needs?)\b|{_UNLESS}", clause(">=", "1", _CARD)
    )
    yield _Limit(what, rf"^(?!.*{_UNLESS}).*{_BAN}", clause("=", "0", _CARD))
