"""What a move may be limited by: one table, whose words tell which sentence may say it and how it is shown."""

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from tabletape.dashboard.own_game.composition import LAST, NEAR, TABLE, Clause, Composition
from tabletape.dashboard.own_game.game import OwnGame
from tabletape.dashboard.own_game.messages import SAID_NUMBER, SAID_SEVERAL
from tabletape.dashboard.own_game.rulebook_words import RulebookWords, words_of
from tabletape.dashboard.own_game.wording import NEXT_TURN

BLANK: Final = re.compile(r"\((a number|a card|a move)\)")
"""What a choice leaves open."""

NUMBER, CARD, MOVE = "(a number)", "(a card)", "(a move)"


class Limit(NamedTuple):
    """A way in which a move is limited: of what, by which conditions, and the words of a sentence that may mean it.

    `kind` is the card of whose lines alone it speaks, the moves `beside` its own are counted with it. A blank,
    `(a number)`, stands for what is filled in. Its cards lie in its `place`, else where the sentence says.
    """

    what: str
    told_by: str
    clauses: tuple[Clause, ...]
    join: str = "and"
    kind: str = ""
    beside: tuple[str, ...] = ()
    place: str = ""

    @property
    def blank(self) -> str:
        """What has to be filled in, empty where that is nothing."""
        said = " ".join((self.kind, *(" ".join(map(str, each)) for each in self.clauses)))
        return match[0] if (match := BLANK.search(said)) else ""

    def of(self, move: str, place: str, value: str = "") -> Composition:
        """Return it as a rule of a move, with its blank filled in where there is a value."""
        clauses, kind = self.clauses, self.kind
        if value:
            kind = BLANK.sub(value, kind)
            clauses = tuple(
                each._replace(
                    relation=BLANK.sub(value, each.relation),
                    object=BLANK.sub(value, each.object),
                    of=BLANK.sub(value, each.of),
                    span=BLANK.sub(value, each.span),
                )
                for each in clauses
            )
        return Composition(move, clauses, self.join, kind, (), self.place or place, self.beside)


_UP: Final = (
    rf"\b(?:(?<!or )more(?! than {SAID_NUMBER}\b)|over|upwards?|beat\w*|rais\w+|outbid\w*|"
    r"(?:high|bigg|larg|great|tall|old|heavi|long|strong|dear)er)\b"
)
_DOWN: Final = r"\b(?:less|downwards?|(?:low|small|few|light|short|young|weak|cheap)er)\b"
_FAR: Final = r"\b(?:differ\w*|away|apart|within|(?:higher|lower|more|less) or)\b"
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

_NOTHING: Final = (
    r"^(?=.*\b(?:unless|until|without|only|if|while|must|needs?|has to|have to|may|can|never|not|cannot|\w+n't|nobody)"
    r"\b).*\b(?:empty|nothing|no cards?)\b"
)
"""So a sentence says when something may be done; `after a throw the ridge is empty` tells what comes of it."""

_LEAST: Final = r"\b(?:at least|fewer|less|only|needs?|or more|minimum|enough|must)\b"
MOST: Final = r"\b(?:at most|more than|up to|over|maximum|no more|holds?|higher than|only|limit|full|room|most)\b"


def limits_of(game: OwnGame, move: str, place: str) -> Iterator[Limit]:
    """Yield what may be limited of a move by what its lines say."""
    cards, named = bool(game.field_of(move, "cards")), bool(game.field_of(move, "to"))
    number, several = bool(game.field_of(move, "number")), len(game.moves) > 1
    columns = game.columns(numbers=True)
    has_number = "number" in game.properties and not number  # Else the number stands beside the card in the line.
    subjects = game.columns(numbers=False) or [""], columns or [""] * has_number
    number = number and not ("number" in game.properties and cards)
    words = words_of(game)
    whose, lying = _where(words, place)
    for limits in (
        _SAID if number else (),
        _NAMED if named else (),
        _CARDS if cards else (),
        _KINDS if cards and game.kinds else (),
        *(
            _last(what.format(place=place), each, subjects, TABLE if each == "all" and place in words.own else "")
            for what, each, is_so in (
                ("the card before it on the own {place}", "own", cards),
                ("the last card of the player who is named", "to", cards and named),
                (
                    f"the card before it {lying}" if len(whose) == 1 else "the last card of anybody",
                    "" if whose == ("",) else "all",
                    cards,
                ),
            )
            if is_so and each in {*whose, "all"}
        ),
        _lying(f"how many cards lie {lying}", "own" if "own" in whose else whose[0], cards=cards),
        _lying("how many cards lie there of the player who is named", "to", cards=False) if named else (),
        _ORDERED if several else (),
        _OFTEN,
    ):
        yield from limits


def _where(words: RulebookWords, place: str) -> tuple[Sequence[str], str]:
    """Return whose a place may be, and where that is in words: a common one is nobody's own."""
    if place in words.unclear:
        return ("",), f"on the {place}"
    if place in words.common - words.own - words.numbered:
        return ("all",), f"on the {place}"
    return ("own", "to"), f"on the own {place}"


_HOW_OFTEN, _WHICH_MOVE = "how often it is done", "which move comes before or after it"
_OFTEN: Final = (
    Limit(
        _HOW_OFTEN, rf"in a row|running|twice|{_BAN}.*\bagain|repeat|success", (Clause("done", "<=", "1", span="row"),)
    ),
    Limit(_HOW_OFTEN, r"turns? (?:in a row|running)|twice|success", (Clause("done", "<=", "1", span="turns"),)),
    Limit(_HOW_OFTEN, r"\bturn", (Clause("done", "<=", NUMBER, span="turn"),)),
    Limit(_HOW_OFTEN, r"\bround", (Clause("done", "<=", NUMBER, span="round"),)),
    Limit(_HOW_OFTEN, r"\b(?:game|ever|(?<!at )once|times)\b", (Clause("done", "<=", NUMBER, span="game"),)),
    Limit(_HOW_OFTEN, r"\bgame\b", (Clause("done", "<=", NUMBER, whose="all", span="game"),)),
    Limit(_HOW_OFTEN, r"\brounds?\b", (Clause("round", ">", NUMBER),)),
)


def together(moves: Sequence[str]) -> tuple[Limit, ...]:
    """Return how often several moves together may be done."""
    return (Limit(_HOW_OFTEN, r"\bturn", (Clause("done", "<=", NUMBER, span="turn"),), beside=tuple(moves[1:])),)


_OTHERS: Final = (
    r"\b(?:some(?:body|one)|any(?:body|one)) else|\b(?:another|any other|the next) \w+ (?:has|have|may|can)\b|"
    r"\b(?:of|by) another\b"
)
_ORDERED: Final = (
    *(
        Limit(
            _WHICH_MOVE,
            rf"(?:{_OTHERS}).*{_BAN}|{_BAN}.*(?:{_OTHERS})",
            (Clause("after", "!=", MOVE, whose="others", span=each),),
        )
        for each in ("just", "since", "round")
    ),
    Limit(_WHICH_MOVE, rf"\bonly\b.*(?:{_OTHERS})", (Clause("after", "=", MOVE, whose="others", span="since"),)),
    Limit(_WHICH_MOVE, rf"^(?!.*(?:{_OTHERS})).*{_ORDER}", (Clause("after", "=", MOVE),)),
    Limit(_WHICH_MOVE, r"right|direct|immediate", (Clause("after", "=", MOVE, span="just"),)),
    Limit(_WHICH_MOVE, rf"^(?!.*(?:{NEXT_TURN}|{_OTHERS})).*{_BAN}", (Clause("after", "!=", MOVE, span="just"),)),
    Limit(
        _WHICH_MOVE,
        rf"^(?!.*(?:{NEXT_TURN}|{_OTHERS})).*(?:{_BAN}.*\bturn|\bturn\b.*{_BAN})",
        (Clause("after", "!=", MOVE, span="turn"),),
    ),
    Limit(_WHICH_MOVE, rf"{_BAN}.*{NEXT_TURN}|{NEXT_TURN}.*{_BAN}", (Clause("after", "!=", MOVE, span="next"),)),
    Limit(_WHICH_MOVE, rf"^(?!.*(?:{_OTHERS})).*{_ORDER}", (Clause("after", "=", MOVE, whose="all"),)),
    Limit(
        _WHICH_MOVE,
        rf"^(?!.*{NEXT_TURN}).*\b(?:then|next|follow\w*|must|has to|have to)\b",
        (Clause("then", "=", MOVE),),
    ),
    Limit(
        _WHICH_MOVE,
        rf"at a time|already|{_BAN}.*\bagain|more than one|until|twice|between",
        (Clause("done", "<=", "1", span=f"since:{MOVE}"),),
    ),
)
_NUMBER_SAID: Final = "the number that the line says"
_SAID: Final = (
    Limit(_NUMBER_SAID, _UP, (Clause("said", ">", "before", whose="all", span="row"),)),
    Limit(_NUMBER_SAID, _UP, (Clause("said", ">", "before", whose="all", span=f"since:{MOVE}"),)),
    Limit(_NUMBER_SAID, _UP, (Clause("said", ">", "before", span="row"),)),
    Limit(_NUMBER_SAID, _LEAST, (Clause("said", ">=", NUMBER),)),
    Limit(_NUMBER_SAID, MOST, (Clause("said", "<=", NUMBER),)),
    Limit(_NUMBER_SAID, r"as many|exactly|all", (Clause("said", "=", "lying"),)),
)
_WHO: Final = "who is named"
_NAMED: Final = (
    Limit(_WHO, r"\b(?:an?other|other|else|self|\w+self|own)\b", (Clause("to", "=", "other"),)),
    Limit(_WHO, r"left|next(?! turn)|neighbour", (Clause("to", "=", "left"),)),
    Limit(_WHO, r"right|before|neighbour", (Clause("to", "=", "right"),)),
    Limit(_WHO, r"\bsame\b", (Clause("done", "<=", NUMBER, whose="to", span="game"),)),
)
_AT_ONCE: Final = "how many cards at once, and which"
_CARDS: Final = (
    Limit(_AT_ONCE, MOST, (Clause("cards", "<=", NUMBER),)),
    Limit(_AT_ONCE, _LEAST, (Clause("cards", ">=", NUMBER),)),
    Limit(
        _AT_ONCE,
        rf"^(?:when(?:ever)? you|to) \w+,? .*\b{SAID_SEVERAL} \w+|exactly|always|must|only|"
        r"\bin (?:pairs|twos|threes|fours|groups|\d|two|three|four)",
        (Clause("cards", "=", NUMBER),),
    ),
    Limit(_AT_ONCE, _SAME, (Clause("kinds", "=", "1"),)),
)
_KINDS: Final = (
    Limit(_AT_ONCE, rf"^(?!.*{_UNDER}).*{_BAN}", (Clause("kind", "!=", CARD),)),
    Limit(_AT_ONCE, rf"^(?!.*{_UNDER}).*\bonly\b", (Clause("kind", "=", CARD),)),
    Limit(_AT_ONCE, r"\b(?:alone|single|one)\b", (Clause("cards", "<=", "1"),), kind=CARD),
)


def _last(what: str, whose: str, subjects: tuple[Sequence[str], Sequence[str]], place: str) -> Iterator[Limit]:
    """Yield how a card may be compared with the last one: by each column of types, and of numbers."""
    return (each._replace(place=place) for each in _compared(what, whose, *subjects))


def _compared(what: str, whose: str, kinds: Sequence[str], numbers: Sequence[str]) -> Iterator[Limit]:
    for by in kinds:
        yield Limit(what, _SAME, (Clause("kind", "=", LAST, whose=whose, by=by),))
        yield Limit(what, _ANOTHER, (Clause("kind", "!=", LAST, whose=whose, by=by),))
    for by in numbers:
        kind = Clause("kind", "=", LAST, whose=whose, by=kinds[0])
        number = Clause("number", "=", LAST, whose=whose, by=by)
        yield Limit(what, _UP, (number._replace(relation=">"),))
        yield Limit(what, _DOWN, (number._replace(relation="<"),))
        yield Limit(what, rf"{_SAME}.*{_UP}|{_UP}.*{_SAME}", (kind, number._replace(relation=">")), "or")
        yield Limit(what, rf"{_SAME}.*{_DOWN}|{_DOWN}.*{_SAME}", (kind, number._replace(relation="<")), "or")
        yield Limit(what, rf"{_SAME}.*\bor\b", (kind, number), "or")
        yield Limit(what, _SAME, (number,))
        yield Limit(what, _ANOTHER, (number._replace(relation="!="),))
        yield Limit(what, r"one (?:more|less|higher|lower)|consecutive|neighbour", (number._replace(relation="next"),))
        yield Limit(what, _FAR, (number._replace(relation=f"{NEAR} {NUMBER}"),))


def _lying(what: str, whose: str, *, cards: bool) -> Iterator[Limit]:
    def clause(relation: str, number: str, of: str = "", *, after: bool = False) -> tuple[Clause, ...]:
        return (Clause("lying", relation, number, of, whose, after=after),)

    if cards:
        yield Limit(what, _ONLY_OF, clause(">=", "1", "same"))
        yield Limit(what, MOST, clause("<=", NUMBER, after=True))
        yield Limit(what, rf"{_SAME}|already|twice", clause("=", "0", "same"))
        yield Limit(what, _SAME, clause("<=", NUMBER, "same", after=True))
    yield Limit(what, _LEAST, clause(">=", NUMBER))
    yield Limit(what, MOST, clause("<=", NUMBER))
    yield Limit(what, _NOTHING, clause("=", "0"))
    yield Limit(what, _NOTHING, clause(">=", "1"))
    yield Limit(
        what, rf"^(?!.*{_BAN}).*\b(?:if|when|only|lies?|already|there|needs?)\b|{_UNLESS}", clause(">=", "1", CARD)
    )
    yield Limit(what, rf"^(?!.*{_UNLESS}).*{_BAN}", clause("=", "0", CARD))
