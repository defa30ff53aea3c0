"""Sentences about what players own that is no card, oil or coins: how much they may own, and that they have to own it.

What each move does to it is told by the rulebook as far as that goes, and a person is asked.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

from tabletape.dashboard.own_game.cited import CiteSentence
from tabletape.dashboard.own_game.composition import group_words, kinds_of, of_kind
from tabletape.dashboard.own_game.file import PAYING
from tabletape.dashboard.own_game.game import FirstRule, OwnGame, both, doing_more, need
from tabletape.dashboard.own_game.messages import SAID_NUMBER, WORD, number_of
from tabletape.dashboard.own_game.word_lists import word_list
from tabletape.dashboard.own_game.wording import denials
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
    rf"\bcards?(?: in hand)? and (?P<start>{SAID_NUMBER}) (?P<with_cards>[a-z]+)\b"
)
_AT_FIRST: Final = rf"(?:an?|no|{SAID_NUMBER}) [a-z]+(?: in (?:\w+ )?hand)?"
BEGINS_WITH: Final = re.compile(
    rf"\b(?:starts?|begins?) with (?P<all>{_AT_FIRST}(?:,? and {_AT_FIRST}|, {_AT_FIRST})*)"
)
_OF_THESE: Final = re.compile(rf"\b(?P<number>an?|no|{SAID_NUMBER}) (?P<name>[a-z]+)")
"""What everybody begins with: `starts with one hive, five cards and three jars`."""

_CANNOT_PAY: Final = re.compile(r"\b(?:can ?not|can't|can\u2019t|not able to|unable to) (?:pay|afford)\b")
_CAN_PAY: Final = re.compile(r"\bonly\b.*\b(?:can|able to) (?:pay|afford)\b")
_MOST: Final = re.compile(
    rf"(?:\b(?:never|not|nobody|no \w+|cannot|can't)\b.*\b(?:more than|over)|\b(?:at most|up to|a maximum of)) "
    rf"(?P<most>{SAID_NUMBER}) (?P<name>[a-z]+)"
)
_OWNS: Final = re.compile(r"\b(?:own|owns|hold|holds|have|has|keep|keeps|possess|carry|carries|store|stores)\b")
_LACKS: Final = re.compile(
    rf"\b{_PAY} (?:with )?(?:any |more )?(?P<name>[a-z]+) (?:that |which |than )?(?:you|they|he or she|one) "
    r"(?:do not|don't|does not|doesn't|have|has|own)\b"
)


PRICED: Final = re.compile(r"pays \d+ for \w+(?:, \d+ for \w+)*")
"""What a move pays by the kind of its cards: `pays 2 for fox, 3 for baker`."""

_FOR_KIND: Final = re.compile(
    rf"\b(?P<number>{SAID_NUMBER}) (?:[a-z]+ )?for (?:an? |the |each |every )?(?P<kind>[\w-]+)"
)
_DENIED: Final = re.compile(r"\b(?:never|not|nobody|cannot)\b|n't\b")
_OF_OTHERS: Final = re.compile(r"\b(?:another|the other|an opponent)\b")
"""So a sentence tells of somebody else than who moves."""


class StockLimit(NamedTuple):
    """What a sentence says of a stock: how much a player may own at `most`; else that it is owned which is paid.

    That is said of one `move` alone, or of all. Where that always costs the same, that is its `price`.
    """

    name: str
    most: int = 0
    move: str = ""
    price: int = 0

    def shown(self, game: OwnGame) -> str:
        """Return the rule in words."""
        several = several_of(self.name, game)
        if self.price:
            return f"{self.move}: costs {self.price} {several}, which have to be there"
        if self.move:
            return f"{self.move}: the {several} for it have to be there"
        return (
            f"nobody owns more than {self.most} {several}" if self.most else f"nobody pays {several} they do not have"
        )


def several_of(name: str, game: OwnGame) -> str:
    """Return what its rulebook calls several things that a player owns: buttons; oil stays oil."""
    text = " ".join(each.text for each in game.sentences).casefold()
    return next((each for each in plurals_of(name) if re.search(rf"\b{each}\b", text)), name)


def counter_of(name: str, game: OwnGame) -> str:
    """Return what the counter of a stock is called in a file, apart from the fields of its moves and its places."""
    several = re.sub(r"\W", "_", several_of(name, game))
    fields = {field for move in game.moves for field in game.raw["move"][move].get("fields", {})}
    return f"owned_{several}" if several in fields | {*game.raw.get("zones", {})} else several


def stocks_of(game: OwnGame) -> dict[str, int | None]:
    """Return what a rulebook lets players own beside cards, with how much each begins with; None where it is silent."""
    text = "\n".join(each.text for each in game.sentences).casefold()
    found: dict[str, int | None] = {}
    for match in _MENTION.finditer(text):
        said = match["name"] or match["with_cards"]
        name = called_singly(said)
        if not _is_stock(name, game, is_sure=bool(match["start"])) or (
            match["name"] and not match["n"] and len(re.findall(rf"\b{said}\b", text)) < 2
        ):
            continue
        start = number_of(match["start"] or "")
        found[name] = start or found.get(name)
    for each in (pair for match in BEGINS_WITH.finditer(text) for pair in _OF_THESE.finditer(match["all"])):
        name = called_singly(each["name"])
        if name not in {"card", "cards"} and _is_stock(name, game, is_sure=True):
            found[name] = number_of(each["number"]) or (each["number"] in {"a", "an"}) * 1
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
    named = [move for move in game.moves if game.is_named(move, text)]
    known = [name for name, start in stocks.items() if start is not None]
    cannot = (_CANNOT_PAY.search(text) and denials(text) > 1) or _CAN_PAY.search(text)
    if cannot and len(named) == 1:
        told = {each: _told(game, named[0], each) for each in known}
        paid = [each for each in known if told[each].startswith("pays")] or [*told] * (UNKNOWN in told.values())
        return StockLimit(paid[0], move=named[0]) if len(paid) == 1 else None
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
    counter = counter_of(name, game)
    for move in game.moves:
        text = "; ".join(map(str, game.raw["move"][move].get("does", ())))
        match = re.search(rf"\b{counter} (?P<sign>[+-]) (?P<by>\w+)", text)
        prices = game.raw.get("tables", {}).get(f"{move}_{counter}", {}) if match else {}
        number = f" {match['by']}" if match and match["by"].isdecimal() else ""
        number = f" {', '.join(f'{many} for {kind}' for kind, many in prices.items())}" if prices else number
        is_open = re.search(rf"\b{counter} = 0 when unsaid > 0", text) and not prices
        found[move] = (
            f"{'gains' if match['sign'] == '+' else 'pays'}{number}" if match else UNKNOWN if is_open else "nothing"
        )
    return found


def _told(game: OwnGame, move: str, name: str) -> str:
    """Return what a move does to a stock: `gains`, `pays 1`; in a list of moves its own word has to say it."""
    said = [each for each in game.sentences if game.is_named(move, each.text) and _names(name, each.text)]
    if priced := _prices(game, move, name):
        return priced
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
    name, start = counter_of(limit.name, game), stocks_of(game).get(limit.name)
    if start is None:
        return None
    unsaid = {"says": "what nobody has said"}
    changes: dict[str, Any] = {"counters": {name: {"start": start, "each": True}, "unsaid": unsaid}}
    taken = [f"everybody begins with {start or 'no'} {limit.name if start == 1 else several_of(limit.name, game)}"]
    more: dict[str, list[str]] = {}
    rules: dict[str, Any] = {}
    for move, effect in effects.items():
        word, amount = effect.partition(" ")[0], _amount(game, (move, effect), name)
        if word in {"gains", "pays"}:
            taken.append(f"{move} {effect if ' ' in effect else f'{effect} as much as its line says'}")
        changes = both(changes, {"tables": {f"{move}_{name}": amount.prices}} if amount.prices else {})
        more[move] = [*_done(game, (move, word), amount, name)]
        if word == ("gains" if limit.most else "pays") and amount.what and limit.move in {"", move}:
            that = f"{name} + {amount.what} <= {limit.most}" if limit.most else f"{name} >= {amount.what}"
            rule = f"{'most' if limit.most else 'enough'}-{name}"
            rules = both(rules, need(move, rule, that, sentence, amount.known))
    if (field := paid_field(game, limit.move) if limit.price else "") and rules:
        said = "" if game.is_always_said(limit.move, field) else f"{field} != nothing"
        rules = both(rules, need(limit.move, f"price-{name}", f"{field} = {limit.price}", sentence, said))
    if not rules:
        return None
    changes = both(both(changes, doing_more(game, changes, more)), rules)
    words = group_words(game.groups, str(changes))
    return FirstRule(both({"words": words}, changes) if words else changes, tuple(taken), limit.shown(game))


class _Amount(NamedTuple):
    """How much a move gains or pays, as an expression, in which lines that is `known`, and its price by each kind."""

    what: str
    known: str = ""
    prices: Mapping[str, int] = {}


def _amount(game: OwnGame, what: tuple[str, str], name: str) -> _Amount:
    """Return how much a move gains or pays by an effect: a number, what its line says, the prices of its cards."""
    (move, effect), field = what, paid_field(game, what[0])
    said = "" if not field or game.is_always_said(move, field) else f"{field} != nothing"
    if not PRICED.fullmatch(effect):
        number = effect.partition(" ")[2]
        return _Amount(number or field, "" if number else said)
    listed = (each.split(" for ") for each in effect.removeprefix("pays ").split(", "))
    prices = {kind: int(many) for many, each in listed for kind in kinds_of(each, game.groups)}
    free = [kind for kind in game.kinds if kind not in prices]
    known = [] if game.is_always_said(move, "cards") else ["any(cards)"]
    known += [f"no(cards where {' or '.join(of_kind(kind, {}) for kind in free)})"] if free else []
    by_kind = f"sum(cards, {move}_{name}(it.kind))"
    return _Amount(f"if({said}, {field}, {by_kind})" if said else by_kind, " and ".join(known), prices)


def _done(game: OwnGame, what: tuple[str, str], amount: _Amount, name: str) -> Iterator[str]:
    """Yield what a move does to a stock as a file says it; a line that leaves out how much makes it unknown."""
    move, word = what
    if word == UNKNOWN or (word in {"gains", "pays"} and not amount.what):
        yield f"{name} = 0 when unsaid > 0"
    elif word in {"gains", "pays"}:
        yield f"{name} {'+' if word == 'gains' else '-'} {amount.what}" + f" when {amount.known}" * bool(amount.known)
        if amount.known:
            cards = _paying_cards(game, move) if word == "pays" and not amount.prices else ""
            yield f"{name} = 0 when not ({amount.known}) and {cards}unsaid > 0"


def effect_said(game: OwnGame, said: str) -> str:
    """Return an effect on a stock as it is written: `pays 2 for a fox and 3 for a baker` names the kinds of cards."""
    listed = [(each["number"], game.kinds_in([each["kind"]])) for each in _FOR_KIND.finditer(said)]
    if not listed:
        return said.strip()
    is_known = said.startswith("pays") and all(len(kinds) == 1 for _, kinds in listed)
    prices = ", ".join(f"{number_of(number)} for {kinds[0]}" for number, kinds in listed) if is_known else ""
    return f"pays {prices}" if prices else UNKNOWN


def _prices(game: OwnGame, move: str, name: str) -> str:
    """Return what a move pays by the kinds of its cards, as the rulebook lists that; empty where it does not."""
    kinds = "|".join(re.escape(form) for kind in (*game.kinds, *game.groups) for form in (kind, *plurals_of(kind)))
    if not kinds or not game.field_of(move, "cards"):
        return ""
    price = re.compile(
        rf"\b(?P<kind>{kinds})(?: cards?)?(?: costs?| for)? (?P<number>{SAID_NUMBER})\b(?: (?P<of>[a-z]+))?"
    )
    for each in game.sentences:
        text, named = game.plain(each.text).casefold(), [one for one in game.moves if game.is_named(one, each.text)]
        found = [(game.kinds_in([match["kind"]])[0], match) for match in price.finditer(text)]
        is_of_it = any(_names(name, match["of"] or "") for _, match in found)
        is_list = 1 < len(found) == len({kind for kind, _ in found}) and re.search(r"\bcosts?\b", text)
        if is_list and is_of_it and (named or _paying(game)) == [move]:
            return "pays " + ", ".join(f"{number_of(match['number'])} for {kind}" for kind, match in found)
    return ""


def _paying(game: OwnGame) -> list[str]:
    """Return the moves with cards of which the rulebook says that one pays for them."""
    told = [each.text for each in game.sentences if re.search(rf"\b{_PAY}\b", each.text, re.IGNORECASE)]
    able = (move for move in game.moves if game.field_of(move, "cards"))
    return [move for move in able if any(game.is_named(move, text) for text in told)]


def _paying_cards(game: OwnGame, move: str) -> str:
    """Return which cards a move pays for by the rulebook, as the beginning of a condition; empty where for all."""
    told = [
        each.text for each in game.sentences if game.is_named(move, each.text) and re.search(rf"\b{_PAY}\b", each.text)
    ]
    groups = [group for text in told for group in game.kinds_in(WORD.findall(text)) if group in game.groups]
    if not groups or not game.field_of(move, "cards"):
        return ""
    return f"any(cards where {' or '.join(of_kind(each, game.groups) for each in dict.fromkeys(groups))}) and "
