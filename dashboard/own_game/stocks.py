"""Sentences about what players own that is no card, oil or coins: how much they may own, and that they have to own it.

What each move does to it is told by the rulebook as far as that goes, and a person is asked.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

from tabletape.dashboard.own_game.composition import group_words, of_kind
from tabletape.dashboard.own_game.file import PAYING
from tabletape.dashboard.own_game.game import FirstRule, OwnGame, both, need
from tabletape.dashboard.own_game.look import CiteSentence
from tabletape.dashboard.own_game.messages import SAID_NUMBER, WORD, number_of
from tabletape.dashboard.own_game.word_lists import word_list
from tabletape.events.importing.maps.counted import forms_of, plurals_of

UNKNOWN: Final = "?"
STOCK_EFFECTS: Final = (
    "nothing",
    "gains",
    "pays",
    UNKNOWN,
    *(f"{each} {n}" for each in ("gains", "pays") for n in range(1, 6)),
)
"""What a move does to a stock of its player: with a number always so much, else as much as its line says."""

_PAY: Final = r"(?:pays?|paying|paid|spends?|spending|costs?|loses?|uses?)"
_GAIN: Final = r"(?:gains?|gets?|takes?|gathers?|earns?|receives?|collects?|adds?)"
_MENTION: Final = re.compile(
    rf"\b(?:{_PAY}|{_GAIN}) (?:up to |exactly )?(?:(?P<n>an?|{SAID_NUMBER}) )?(?P<name>[a-z]+)\b|"
    rf"\bcards?(?: in hand)? and (?P<start>{SAID_NUMBER}) (?P<with_cards>[a-z]+)\b|"
    rf"\b(?:starts?|begins?) with (?P<own>{SAID_NUMBER}) (?P<alone>(?!cards?\b)[a-z]+)\b"
)
_MOST: Final = re.compile(
    rf"(?:\b(?:never|not|nobody|no \w+|cannot|can't)\b.*\b(?:more than|over)|\b(?:at most|up to|a maximum of)) "
    rf"(?P<most>{SAID_NUMBER}) (?P<name>[a-z]+)"
)
_OWNS: Final = re.compile(r"\b(?:own|owns|hold|holds|have|has|keep|keeps|possess|carry|carries|store|stores)\b")
_LACKS: Final = re.compile(
    rf"\b{_PAY} (?:with )?(?:any |more )?(?P<name>[a-z]+) (?:that |which |than )?(?:you|they|he or she|one) "
    r"(?:do not|don't|does not|doesn't|have|has|own)\b"
)


_DENIED: Final = re.compile(r"\b(?:never|not|nobody|cannot)\b|n't\b")
_OF_OTHERS: Final = re.compile(r"\b(?:another|the other|an opponent)\b")
"""So a sentence tells of somebody else than who moves."""


class StockLimit(NamedTuple):
    """What a sentence says of a stock: how much a player may own at `most`; else that it is owned which is paid.

    That is said of one `move` alone, or of all.
    """

    name: str
    most: int = 0
    move: str = ""

    @property
    def shown(self) -> str:
        """The rule in words."""
        several = plurals_of(self.name)[0]
        if self.move:
            return f"{self.move}: the {several} for it have to be there"
        return (
            f"nobody owns more than {self.most} {several}" if self.most else f"nobody pays {several} they do not have"
        )


def stocks_of(game: OwnGame) -> dict[str, int | None]:
    """Return what a rulebook lets players own beside cards, with how much each begins with; None where it is silent."""
    text = "\n".join(each.text for each in game.sentences).casefold()
    found: dict[str, int | None] = {}
    for match in _MENTION.finditer(text):
        said = match["name"] or match["with_cards"] or match["alone"]
        name = called_singly(said)
        if not _is_stock(name, game, is_sure=bool(match["start"] or match["own"])) or (
            match["name"] and not match["n"] and len(re.findall(rf"\b{said}\b", text)) < 2
        ):
            continue
        start = number_of(match["start"] or match["own"] or "")
        found[name] = start or found.get(name)
    return found


def called_singly(said: str) -> str:
    """Return what one of several is called, which players own: coin, candle."""
    return forms_of(said)[1] if said.endswith("s") and len(forms_of(said)) > 1 else said


def _is_stock(name: str, game: OwnGame, *, is_sure: bool) -> bool:
    """Return whether a word is none of a card, a move or the table; what everybody begins with may be called as one."""
    no_stock = word_list("no_place") | word_list("joining") | word_list("untelling") | word_list("points")
    no_stock |= word_list("no_quality")
    return not (
        len(name) < 3
        or name in no_stock
        or number_of(name)
        or game.kinds_in([name])
        or (not is_sure and any(game.is_named(each, name) for each in game.moves))
        or name in {game.card_word, game.people, "player"}
    )


def stock_limit(sentence: CiteSentence, game: OwnGame) -> StockLimit | None:
    """Return what a sentence says of a stock; None where it speaks of none, or says more than that."""
    text = game.plain(sentence.text).casefold()
    stocks = stocks_of(game)
    if re.search(r"\b(?:unless|except|if|when|until|before|after)\b", text):
        return None
    for match, most in ((_MOST.search(text), True), (_LACKS.search(text), False)):
        name = next((each for each in forms_of(match["name"]) if each in stocks), "") if match else ""
        if match and name and (not most or _OWNS.search(text)):
            return StockLimit(name, number_of(match["most"]) if most else 0)
    return None


def guessed_stock_effects(game: OwnGame, name: str) -> dict[str, str]:
    """Return what each move does to a stock by the rulebook and by what its lines say."""
    return {move: _told(game, move, name) for move in game.moves}


def written_effects(game: OwnGame, name: str) -> dict[str, str]:
    """Return what each move does to a stock as the file says it already."""
    found = {}
    for move in game.moves:
        text = "; ".join(map(str, game.raw["move"][move].get("does", ())))
        match = re.search(rf"\b{name} (?P<sign>[+-]) (?P<by>\w+)", text)
        number = f" {match['by']}" if match and match["by"].isdecimal() else ""
        is_open = re.search(rf"\b{name} = 0 when unsaid > 0", text)
        found[move] = (
            f"{'gains' if match['sign'] == '+' else 'pays'}{number}" if match else UNKNOWN if is_open else "nothing"
        )
    return found


def _told(game: OwnGame, move: str, name: str) -> str:
    """Return what a move does to a stock: `gains`, `pays 1`; in a list of moves its own word has to say it."""
    said = [each for each in game.sentences if game.is_named(move, each.text) and _names(name, each.text)]
    field, is_open = paid_field(game, move), False
    called = "|".join(f"{re.escape(each)}s?" for each in game.called(move))
    for each in said:
        text, named = game.plain(each.text).casefold(), [one for one in game.moves if game.is_named(one, each.text)]
        if re.search(r"\b(?:start|begin)s?\b", text) or _DENIED.search(text):
            continue
        numbers = [word for word in re.findall(r"\w+", text) if number_of(word)]
        if _OF_OTHERS.search(text) or (len(numbers) > 1 and game.kinds_in(WORD.findall(text))):
            return UNKNOWN  # Of somebody else, or a price of each kind.
        is_list = len(named) > 1
        verbs = {"pays": rf"\b{_PAY}", "gains": rf"\b(?:{called}{'' if is_list else f'|{_GAIN}'})"}
        for effect in ("gains",) if is_list else verbs:
            much = rf"(?: (?:up to|exactly))? (?:(?P<n>an?|{SAID_NUMBER}) )?{name}s?\b(?! for (?:each|every))"
            if match := re.search(verbs[effect] + much, text):
                number = 1 if match["n"] in {"a", "an"} else number_of(match["n"] or "")
                return effect if field else f"{effect} {number}" if number else UNKNOWN
        is_open = is_open or not is_list
    if field and (game.field_of(move, "cards") or field in PAYING):
        return "pays"
    return UNKNOWN if is_open else "nothing"


def _names(name: str, text: str) -> bool:
    return any(name in forms_of(word.casefold()) for word in WORD.findall(text))


def paid_field(game: OwnGame, move: str) -> str:
    """Return the field with which lines of a move say how much; empty where they say no number."""
    fields = game.raw["move"][move].get("fields", {})
    return next((each for each in (*fields,) if each in PAYING or each == "number"), "")


def stock_rule(
    game: OwnGame, limit: StockLimit, sentence: CiteSentence, effects: Mapping[str, str]
) -> FirstRule | None:
    """Return the rule of a stock; None where no move is known to gain, or to pay, what it speaks of."""
    name, start = limit.name, stocks_of(game).get(limit.name)
    if start is None:
        return None
    changes: dict[str, Any] = {
        "counters": {
            name: {"start": start, "each": True, "says": f"{{player}} has {{number}} {plurals_of(name)[0]}"},
            "unsaid": {"says": "what nobody has said"},
        }
    }
    taken = [f"everybody begins with {start} {name}"]
    is_limited = False
    for move, effect in effects.items():
        word, _, number = effect.partition(" ")
        field = number or paid_field(game, move)
        done = [*_done(game, (move, word, field), name)]
        taken += [f"{move} {word} {number or 'as much as its line says'}"] if word in {"gains", "pays"} else []
        if done:
            before = [*game.raw["move"][move].get("does", ())]
            changes = both(
                changes, {"move": {move: {"does": [*before, *(each for each in done if each not in before)]}}}
            )
        if word == ("gains" if limit.most else "pays") and field and limit.move in {"", move}:
            of = "" if number or game.is_always_said(move, field) else f"{field} != nothing"
            that = f"{name} + {field} <= {limit.most}" if limit.most else f"{name} >= {field}"
            rule = f"{'most' if limit.most else 'enough'}-{name}"
            changes = both(changes, need(move, rule, that, sentence, of))
            is_limited = True
    if not is_limited:
        return None
    words = group_words(game.groups, str(changes))
    return FirstRule(both({"words": words}, changes) if words else changes, tuple(taken), limit.shown)


def _done(game: OwnGame, what: tuple[str, str, str], name: str) -> Iterator[str]:
    """Yield what a move does to a stock as a file says it; a line that leaves its number out makes it unknown."""
    move, word, field = what
    if word == UNKNOWN or (word in {"gains", "pays"} and not field):
        yield f"{name} = 0 when unsaid > 0"
    elif word in {"gains", "pays"}:
        sign, is_said = "+" if word == "gains" else "-", field.isdecimal() or game.is_always_said(move, field)
        yield f"{name} {sign} {field}" + ("" if is_said else f" when {field} != nothing")
        if not is_said:
            cards = _paying_cards(game, move) if word == "pays" else ""
            yield f"{name} = 0 when {field} = nothing and {cards}unsaid > 0"


def _paying_cards(game: OwnGame, move: str) -> str:
    """Return which cards a move pays for by the rulebook, as the beginning of a condition; empty where for all."""
    told = [
        each.text for each in game.sentences if game.is_named(move, each.text) and re.search(rf"\b{_PAY}\b", each.text)
    ]
    groups = [group for text in told for group in game.kinds_in(WORD.findall(text)) if group in game.groups]
    if not groups or not game.field_of(move, "cards"):
        return ""
    return f"any(cards where {' or '.join(of_kind(each, game.groups) for each in dict.fromkeys(groups))}) and "
