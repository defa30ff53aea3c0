"""A question about a sentence, as the terminal and the page ask it."""

import re
from collections.abc import Callable, Iterable
from typing import Final, NamedTuple

YES: Final = ("y",)
"""The only answer to a question of yes or no beside none."""


class RuleQuestion(NamedTuple):
    """A question about a sentence: the name of what is asked, its words, what may be answered, if not anything.

    `usual` is what the sentence itself says. `told` is said before it, and `unsaid` is what no answer means. A choice
    with a blank in brackets, `at most (a number) cards`, is answered with what is filled in behind a tab. Of choices of
    which `several` may be meant the answer is a list with commas. What moves do is `among` some effects.
    """

    name: str
    text: str
    choices: tuple[str, ...] = ()
    usual: str = ""
    told: tuple[str, ...] = ()
    unsaid: str = "left open"
    several: bool = False
    among: tuple[str, ...] = ()


def effects_said(answer: str, moves: Iterable[str]) -> dict[str, str]:
    """Return what an answer says that some moves do: `play: adds, crown = empties`; empty where it says no move."""
    named = "|".join(map(re.escape, sorted(moves, key=len, reverse=True)))
    begun = [*re.finditer(rf"(?:^|[,;] *)(?P<move>{named}) *[:=] *", answer, re.IGNORECASE)]
    ends = [*(each.start() for each in begun[1:]), len(answer)]
    said = zip(begun, ends, strict=False)
    return {each["move"].casefold(): answer[each.end() : end].strip(" ,;").casefold() for each, end in said}


Ask = Callable[[RuleQuestion], str]
"""Asks somebody; an empty answer leaves it open."""
