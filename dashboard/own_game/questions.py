"""A question about a sentence, as the terminal and the page ask it."""

from collections.abc import Callable
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


Ask = Callable[[RuleQuestion], str]
"""Asks somebody; an empty answer leaves it open."""
