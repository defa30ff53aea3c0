"""What the parts of a sentence say of what cards cost, and of the numbers that a list of the cards has of them."""

import re
from typing import Final

from tabletape.dashboard.own_game.composition import Clause, kinds_of
from tabletape.dashboard.own_game.part_reading import APART, Clauses, PartReading

_WHEN_DONE: Final = re.compile(
    r"(?:when|whenever|if|to) (?:(?:you|W) )?M\d+(?: (?:an?|the) [CK]\d*)?(?: or M\d+(?: (?:an?|the) [CK]\d*)?)?,? ?"
)
"""So a sentence begins that says what has to be done with a move."""

_WHEN: Final = re.compile(r"\b(?:until|before|unless|except\w*|if|when|while|after|during|as long as|round|turn)\b")


def price(reading: PartReading, match: re.Match[str]) -> Clauses:
    """Return what a card of a kind costs; several of these are one list."""
    if not re.search(r"\b(?:costs?|prices?)\b", reading.text) or reading.is_denied(match):
        return None
    said = [each for each in reading.clauses if each.subject == "price"]
    objects = [*(each.object for each in said), f"{reading.value(match['k'])} {reading.value(match['n'])}"]
    reading.clauses = [each for each in reading.clauses if each not in said]
    return [Clause("price", "=", "|".join(objects))]


def own_price(reading: PartReading, match: re.Match[str]) -> Clauses:
    """Return the clause: a card costs the number that a list of the cards, or the rulebook behind its name, has."""
    if by := _price_column(reading, match):
        return (
            None if reading.is_denied() or APART.search(reading.rest[match.end() :]) else _paid_by(reading, match, by)
        )
    numbers, groups = reading.game.numbers, reading.game.groups
    named = [reading.value(sign) for sign in re.findall(r"K\d+", reading.text)] or [*numbers]
    kinds = [kind for name in named for kind in kinds_of(name, groups) if kind in numbers]
    if not kinds or reading.is_denied():
        return None
    return [Clause("price", "=", "|".join(f"{kind} {numbers[kind]}" for kind in kinds))]


def _price_column(reading: PartReading, match: re.Match[str]) -> str:
    """Return the column of the list of the cards that a part names as what is paid; empty where it names none."""
    columns = [each for each in reading.game.columns(numbers=True) if each in {"cost", "price", "value"}]
    named = [each for each in columns if re.search(rf"\b{each}s?\b", reading.own_words(match))]
    return (named or columns)[0] if len(named or columns) == 1 else ""


def _paid_by(reading: PartReading, match: re.Match[str], by: str) -> Clauses:
    """Return what has to be paid: by the line with the card itself, or by a move of its own right behind that."""
    paying = reading.value(match["pay"])
    if not paying:
        return [Clause("price", "=", "", by=by)]
    before = _WHEN_DONE.match(reading.rest)
    moves = [reading.value(sign) for sign in re.findall(r"M\d+", before[0])] if before else []
    if before is None or not moves or paying in moves or reading.game.field_of(paying, "cards"):
        return None
    reading.takes(before)
    reading.moves_before |= {*moves}
    return [Clause("price", "=", "|".join(moves), by=by)]


def valued(reading: PartReading, match: re.Match[str]) -> Clauses:
    """Return which cards a move may not, or may only, be done with, by a number that a list has of them."""
    by, relation = reading.column("number"), reading.relation(match, "=")
    is_only = re.search(r"\bonly (?:an? )?~*$", reading.rest[: match.start()]) is not None
    if not by or reading.clauses or is_only is reading.is_denied(match) or _WHEN.search(reading.rest):
        return None
    clause = Clause("number", relation, reading.value(match["n"]), by=by)
    return [clause if is_only else clause.opposite]
