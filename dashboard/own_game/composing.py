"""A rule that a person chooses among those that a sentence may say of its move, or puts together in two steps.

What a move may be limited by is one table; its words, numbers, cards and moves of a sentence fill it in.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from tabletape.dashboard.own_game.cited import CiteSentence
from tabletape.dashboard.own_game.composed_tables import is_sayable
from tabletape.dashboard.own_game.composition import LAST, TABLE, Composition
from tabletape.dashboard.own_game.game import OwnGame
from tabletape.dashboard.own_game.limits import CARD, MOST, MOVE, NUMBER, Limit, limits_of, together
from tabletape.dashboard.own_game.messages import SAID_NUMBER, WORD, number_of
from tabletape.dashboard.own_game.place_effects import guessed_effect
from tabletape.dashboard.own_game.questions import Ask, RuleQuestion
from tabletape.dashboard.own_game.rulebook_words import words_of
from tabletape.dashboard.own_game.stocks import StockLimit, stocks_of
from tabletape.dashboard.own_game.word_lists import word_list
from tabletape.dashboard.own_game.wording import limited_part
from tabletape.events.importing.maps.counted import forms_of, plurals_of
from tabletape.events.importing.maps.move_words import forms_of_verb

_OTHER: Final = "something else"
_MOST_LIKELY: Final = 8
_MOST_UNNAMED: Final = 2
_NO_LAYING: Final = word_list("draws") | word_list("away") | word_list("gives") | word_list("swaps")
_BEFORE: Final = re.compile(r"\b(?:before it|previous|last|preceding)\b", re.IGNORECASE)
_OWN: Final = re.compile(r"\b(?:own|your|his|her|their|its|my)\b", re.IGNORECASE)
_NO_COUNT: Final = re.compile(
    rf"\bat once\b|\b{SAID_NUMBER} (?:\w+ )?(?:in|on) (?:\w+ )?hands?\b|"
    rf"\b(?:hold|holds|holding) (?:\w+ ){{0,3}}?{SAID_NUMBER} (?:or \w+ )?cards?\b",
    re.IGNORECASE,
)
_LYING: Final = re.compile(
    rf"\b{SAID_NUMBER} (?:or \w+ )?\w+ (?:(?:are|is|lie|lies|(?:may|can|must) \w+) )?(?:in|on|at) "
    r"(?:it|there|(?:an?|the|any|each|every|one|your|his|her|their) (?P<place>\w+))\b",
    re.IGNORECASE,
)
"""Such a count is that of a place, and no count or number of a line."""
_TWICE: Final = re.compile(r"\b(?:not|never|no|nobody|\w+n't|cannot|without)\b", re.IGNORECASE)


def composed_by(
    game: OwnGame, sentence: CiteSentence, ask: Ask, half: Sequence[Composition] = (), left: str = ""
) -> tuple[Composition | StockLimit, ...]:
    """Return the rule that somebody chooses or composes, of one move or the same of several; nothing if left open.

    `half` is what the sentence is read as without what is `left` of it: it may be meant so.
    """
    drawn = game.with_draw()
    text = limited_part(game.unsuffered(sentence.text))
    named = [move for move in drawn.limitable if drawn.is_named(move, text)]
    named = named or [each.move for each in half]
    place, meant = _place_of(game, sentence), named if len(named) == 1 else []
    likely: dict[str, Composition | StockLimit] = {
        each.shown(game): each for each in _stock_limits(game, sentence, named)
    }
    if numbers := _named_in(game, "", sentence.text)[NUMBER] if len(named) > 1 else ():
        made = [limit.of(named[0], place, numbers[0]) for limit in together(named) if _may_say(limit, sentence.text)]
        likely |= {each.shown: each for each in made}
    for move in named or _laying(game, sentence, place):
        of = game if move in game.moves else drawn
        told = [each for each in _likely(of, move, sentence, place) if _can_be(of, each, sentence)]
        first = next(iter(_named_in(game, move, sentence.text)[CARD]), "")
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
    return _of_moves(_in_steps(game, meant, place, ask), meant) if meant else ()


def _can_be(game: OwnGame, made: Composition, sentence: CiteSentence) -> bool:
    """Return whether the lines say what a rule looks at, with any move in its blank, and a sentence where that is."""
    if made.needs_place and (places := words_of(game).places) and made.place not in {*places, TABLE}:
        return False  # Of several places the sentence names none.
    limit = _limit_of(made)
    values = _values(limit.blank, game, made.move) if limit.blank else ("",)
    return any(is_sayable(game, limit.of(made.move, made.place, value), sentence) for value in values[:1])


def _chosen(
    found: Composition | StockLimit | None, filled: str, game: OwnGame, ask: Ask
) -> tuple[Composition | StockLimit, ...]:
    if isinstance(found, Composition):
        return _of_moves(_filled_in(found, filled, game, ask), [])
    return (found,) if found is not None else ()


def _laying(game: OwnGame, sentence: CiteSentence, place: str) -> list[str]:
    """Return the moves that a sentence may be about which names none: those that lay cards, where these are few.

    One that names what is no move of the game, `a discard is of one card`, is about none of them.
    """
    if not _NO_LAYING.isdisjoint(form for word in WORD.findall(sentence.text) for form in forms_of_verb(word)):
        return []
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
        if re.search(MOST, sentence.text, re.IGNORECASE):
            yield from (StockLimit(name, int(number)) for number in _named_in(game, "", sentence.text)[NUMBER])


def _moves_meant(game: OwnGame, ask: Ask) -> list[str]:
    moves = game.limitable
    told = ("By its words alone it is not understood: say what it limits, beginning with the move.",)
    answer = ask(RuleQuestion("move", "Which move is it about", tuple(moves), told=told, several=True))
    return [each for each in moves if each in answer.split(", ")]


def _of_moves(made: Composition | None, moves: Sequence[str]) -> tuple[Composition, ...]:
    if made is None or made.beside:
        return (made,) if made is not None else ()
    return tuple(made._replace(move=each) for each in dict.fromkeys((made.move, *moves)))


def _in_steps(game: OwnGame, moves: Sequence[str], place: str, ask: Ask) -> Composition | None:
    """Ask what of a move, or of several, is limited, and then how."""
    move, limits = moves[0], [*(together(moves) if len(moves) > 1 else ()), *limits_of(game, moves[0], place)]
    what = ask(RuleQuestion("what", f"What has to be so of {move}", (*dict.fromkeys(each.what for each in limits),)))
    made = {each.of(move, place).shown: each.of(move, place) for each in limits if each.what == what}
    chosen, _, filled = (
        ask(RuleQuestion("detail", f"{move}: {what}", (*made,))).partition("\t") if made else ("", "", "")
    )
    return _filled_in(made[chosen], filled, game, ask) if chosen in made else None


def _filled_in(made: Composition, filled: str, game: OwnGame, ask: Ask) -> Composition | None:
    """Return a composition with its blank filled in, which is asked for where it is not said yet."""
    limit = _limit_of(made)
    if not limit.blank:
        return made
    if not _fits(filled, limit.blank, game, made.move):
        filled = ask(RuleQuestion("value", made.shown, _values(limit.blank, game, made.move)))
    return limit.of(made.move, made.place, filled) if _fits(filled, limit.blank, game, made.move) else None


def _limit_of(made: Composition) -> Limit:
    """Return a composition, which may have a blank, as a way in which a move is limited."""
    return Limit("", "", made.clauses, made.join, made.kind, made.beside)


def _values(blank: str, game: OwnGame, move: str) -> tuple[str, ...]:
    moves = tuple(each for each in game.moves if each != move)
    return {NUMBER: (), CARD: (*game.kinds, *game.groups), MOVE: moves}[blank]


def _fits(value: str, blank: str, game: OwnGame, move: str) -> bool:
    return value.isdecimal() if blank == NUMBER else value in _values(blank, game, move)


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
    kinds = [each for each in said[CARD] if each not in freed] if game.field_of(move, "cards") else []
    places = words_of(game).places
    names_place = not places.isdisjoint(re.findall(r"\w+", text.casefold()))
    is_there = any((each["place"] or "").casefold() in {"", *places} for each in _LYING.finditer(text))
    is_of_anybody = _BEFORE.search(text) is not None and not (names_place or _OWN.search(text))
    for limit in limits_of(game, move, place):
        is_own = {each.whose != "all" for each in limit.clauses if each.object == LAST}
        if not _may_say(limit, text) or (is_own == {True} and is_of_anybody) or (limit.place and not is_of_anybody):
            continue
        if is_there and limit.blank == NUMBER and limit.clauses[0].subject in {"cards", "said"}:
            continue
        is_open = limit.blank == MOVE and limit.clauses[0].subject in {"done", "said"}
        made = [limit.of(move, place)] if not limit.blank or is_open else []
        made += [limit.of(move, place, value) for value in said[limit.blank]] if limit.blank else []
        for each in made:
            of_it = [one.of for one in each.clauses] + [one.object for one in each.clauses]
            is_of_kinds = "same" in of_it or any(one.subject in {"kind", "kinds"} for one in each.clauses)
            if freed and any(one.is_of_cards for one in each.clauses):
                yield each._replace(freed=freed)
            if not (is_of_kinds or each.kind):
                yield from (each._replace(kind=kind) for kind in kinds if kind not in of_it)
            if len(kinds) < 2 or limit.blank != CARD or is_of_kinds:
                yield each


def _may_say(limit: Limit, text: str) -> bool:
    return re.search(limit.told_by, text, re.IGNORECASE) is not None


def _named_in(game: OwnGame, move: str, text: str) -> dict[str, list[str]]:
    """Return the numbers, cards and other moves that a sentence names; `not twice` is once at most."""
    text = _NO_COUNT.sub(" ", text)
    words = WORD.findall(text.casefold())
    is_denied = _TWICE.search(text) is not None
    times = {"once": 1, "twice": 1 if is_denied else 2}
    numbers = [*re.findall(r"\d+", text), *(str(times.get(word) or number_of(word)) for word in words)]
    limited = limited_part(game.unsuffered(text))
    others = [each for each in game.moves if each != move and game.is_named(each, limited)]
    either = [word for word in words if word == "or" or any(game.is_named(each, word) for each in game.moves)]
    if re.fullmatch(r"\w+ or \w+", " ".join(either)):
        others = []  # `You may not borrow or lend then`: one is no condition of the other.
    said = {NUMBER: [each for each in numbers if each != "0"], CARD: game.kinds_in(words), MOVE: others}
    return {blank: [*dict.fromkeys(values)] for blank, values in said.items()}


def _freed_in(game: OwnGame, text: str) -> tuple[str, ...]:
    """Return the kinds of cards that a sentence names as an exception: `but clouds may lie on anything`."""
    words = r"\b(?:but|except\w*|unless|other than|apart from)\b"
    behind = re.split(words, text, maxsplit=1, flags=re.IGNORECASE)[1:]
    return tuple(game.kinds_in(WORD.findall(" ".join(behind))))
