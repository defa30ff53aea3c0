"""Card text is read by patterns: what a pattern accepts, and how the rest is refused."""

import re
from typing import Any

import pytest

from tabletape.projector.kit.card_text import CardSelection, Condition, Conditions, Patterns, Verbs
from tabletape.projector.kit.card_text_tokens import Tokens

KINDS: dict[str, Any] = {"player": ("self", "opponent"), "n": range(1, 9)}


class Stone(CardSelection, frozen=True, kw_only=True):
    """A selection with every kind of adjective."""

    NOUNS = ("stone", "self")
    GIVEN = ("self",)
    ADJECTIVES = {"whose": ("friendly", "enemy"), "size": Tokens.number}  # noqa: RUF012 - as the games write it
    CAPITAL = "colour"

    size: int = 0
    colour: str = ""


def read(pattern: str, line: str) -> tuple[str, dict[str, Any]]:
    """Return a line's verb and values, read by a single pattern."""
    words = Tokens(line)
    found = Patterns("verb", {"player": ("self", "opponent"), "stones": Stone.read}, pattern).read(words)
    words.end()
    return found


@pytest.mark.parametrize(
    ("pattern", "line", "values"),
    [
        ("hunt", "Hunt", {}),
        ("lose {n} crystals {who:player}", "lose 3 crystals opponent", {"n": 3, "who": "opponent"}),
        ("lay {n or 1}", "lay", {"n": 1}),
        ("lay {n or 1}", "lay 4", {"n": 4}),
        ("gain {n} [actions]", "gain 2", {"n": 2}),
        ("gain {n} [actions]", "gain 2 actions", {"n": 2}),
        ("attack {n:change} [{who:player}]", "attack -1", {"n": -1}),
        ("attack {n:change} [{who:player}]", "attack +1 self", {"n": 1, "who": "self"}),
        (
            "keep {stones} from {who:player}",
            "keep all stone from self",
            {"stones": Stone(noun="stone", quantity=0), "who": "self"},
        ),
    ],
)
def test_a_line_is_read_by_its_pattern(pattern: str, line: str, values: dict[str, Any]) -> None:
    """Words are matched literally, fields in braces give the values, and parts in brackets are optional."""
    assert read(pattern, line) == (pattern.partition(" ")[0], values)


@pytest.mark.parametrize(
    ("pattern", "line", "message"),
    [
        ("lose {n} crystals", "loose 3 crystals", "there is no verb called 'loose'; did you mean 'lose'?"),
        ("lose {n} crystals", "lose 3 crystal", "expected 'crystals', found 'crystal'"),
        ("lose {n} crystals", "lose 3", "ends too early"),
        ("lose {who:player}", "lose oponent", "there is no player called 'oponent'; did you mean 'opponent'?"),
        ("lay {n or 1}", "lay many", "expected a number, found 'many'"),
        ("hunt", "hunt 3", "'3' has no meaning here"),
        ("keep {stones}", "keep 2 large stone", "there is no card called 'large'; there are: stone, self"),
    ],
)
def test_a_line_that_does_not_match_is_refused(pattern: str, line: str, message: str) -> None:
    """The message quotes the line, and says which word is wrong and what was expected."""
    with pytest.raises(ValueError, match=re.escape(message)) as refused:
        read(pattern, line)
    assert repr(line) in str(refused.value)


def test_a_selection_has_a_quantity_adjectives_and_a_noun() -> None:
    """Adjectives may be in any order; `self` and `all` leave the player no choice."""
    found = Stone.read(Tokens("upto 2 Red size 3 enemy stone"))
    assert found == Stone(noun="stone", quantity=2, upto=True, whose="enemy", size=3, colour="Red")
    assert found.is_chosen
    assert not Stone.read(Tokens("self")).is_chosen
    assert not Stone.read(Tokens("all stone")).is_chosen


@pytest.mark.parametrize(("sign", "fits"), [("<", [1]), ("<=", [1, 2]), ("=", [2]), (">=", [2, 3]), (">", [3])])
def test_a_condition_compares(sign: str, fits: list[int]) -> None:
    """A condition holds for exactly the numbers that satisfy its comparison."""
    found = Conditions({}, "hand {sign:comparison} {n}").guard(Tokens(f"if hand {sign} 2 ->"))
    assert found == Condition(what="hand", sign=sign, n=2)
    assert [number for number in (1, 2, 3) if found.compares(number)] == fits


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ({"op": "lose", "n": 2}, "lose needs who"),
        ({"op": "lose", "n": 0, "who": "self"}, "n of lose has to be a number from 1, not 0"),
        ({"op": "lose", "n": True, "who": "self"}, "n of lose has to be a number from 1, not True"),
        ({"op": "lose", "n": 2, "who": "slef"}, "there is no who called 'slef'; did you mean self?"),
        ({"op": "lose", "m": 2, "who": "self"}, "there is no word of lose called 'm'"),
        ({"n": 2}, "there is no verb called ''; there are: lose"),
    ],
)
def test_a_table_is_read_by_the_same_patterns(table: dict[str, Any], message: str) -> None:
    """A table has its values by field, in any order; what does not match is refused with the reason."""
    patterns = Patterns("verb", KINDS, "lose {n} {who:player}")
    assert patterns.read_table({"who": "self", "op": "lose", "n": 2}, "op") == ("lose", {"who": "self", "n": 2})
    with pytest.raises(ValueError, match=re.escape(message)):
        patterns.read_table(table, "op")


def test_a_verb_decorates_the_function_that_carries_it_out() -> None:
    """One function may carry out several patterns."""
    verb = Verbs({})

    @verb("hunt", "graze {n}")
    def act() -> str:
        return "done"

    assert {word: does() for word, does in verb.does.items()} == {"hunt": "done", "graze": "done"}
    assert verb.read(Tokens("graze 2")) == ("graze", {"n": 2})
