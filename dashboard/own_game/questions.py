"""A question about a sentence, as the terminal and the page ask it."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

WITH: Final = " with "
"""Between a move and the cards with which it does something."""

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
    """Return what an answer says that some moves do: `play: adds, crown = empties`; empty where it says no move.

    `play: adds` is said of a play with whatever cards.
    """
    apart: dict[str, list[str]] = {}
    for each in moves:
        apart.setdefault(each.partition(WITH)[0], []).append(each)
        apart.setdefault(each, [each])
    named = "|".join(map(re.escape, sorted(apart, key=len, reverse=True)))
    begun = [*re.finditer(rf"(?:^|[,;] *)(?P<move>{named}) *[:=] *", answer, re.IGNORECASE)]
    ends = [*(each.start() for each in begun[1:]), len(answer)]
    told = {
        each["move"].casefold(): answer[each.end() : end].strip(" ,;").casefold()
        for each, end in zip(begun, ends, strict=False)
    }
    wide = {move: said for each, said in told.items() if each in apart for move in apart[each]}
    return wide | {each: said for each, said in told.items() if apart.get(each) == [each]}


def effects_in_short(choices: Iterable[str]) -> list[str]:
    """Return what is proposed that moves do, a move a line: `play: adds with fish, bird; nothing with others`."""
    by_move: dict[str, dict[str, list[str]]] = {}
    for move, effect in _parts(choices).items():
        name, _, group = move.partition(WITH)
        by_move.setdefault(name, {}).setdefault(effect, []).append(group)
    return [f"{move}: {'; '.join(_with_groups(effects))}" for move, effects in by_move.items()]


def _with_groups(effects: Mapping[str, Sequence[str]]) -> Iterator[str]:
    for effect, groups in effects.items():
        yield f"{effect}{WITH}{', '.join(groups)}" if len(effects) > 1 else effect


class EffectsSaid:
    """What was said of what moves do, to each place or thing: it is asked once, and Enter says that it is so."""

    def __init__(self) -> None:
        """Know nothing yet."""
        self._of: dict[str, dict[str, str]] = {}
        self._doubted: set[str] = set()

    def ask_again(self, question: RuleQuestion) -> None:
        """Ask again what was said in answer to a question, which proposes that."""
        self._doubted.add(question.text)

    def knows(self, question: RuleQuestion) -> bool:
        """Return whether all was said that a question asks."""
        if question.text in self._doubted:
            return False
        return self._of.get(question.text, {}).keys() >= _parts(question.choices).keys()

    def proposing(self, question: RuleQuestion) -> RuleQuestion:
        """Return a question that proposes what was said before."""
        told = {**_parts(question.choices), **self._known(question)}
        return question._replace(choices=tuple(f"{move}: {effect}" for move, effect in told.items()))

    def keep(self, question: RuleQuestion, answer: str) -> None:
        """Keep an answer to what a question proposes, and the rest of that as it was proposed."""
        proposed = _parts(question.choices)
        self._doubted.discard(question.text)
        self._of.setdefault(question.text, {}).update(proposed | effects_said(answer, proposed))

    def answer(self, question: RuleQuestion) -> str:
        """Return what was said otherwise than a question proposes."""
        proposed = _parts(question.choices)
        return ", ".join(f"{move}: {now}" for move, now in self._known(question).items() if now != proposed[move])

    def _known(self, question: RuleQuestion) -> dict[str, str]:
        known = self._of.get(question.text, {})
        return {move: known[move] for move in _parts(question.choices) if move in known}


def _parts(choices: Iterable[str]) -> dict[str, str]:
    return {move: effect for move, _, effect in (each.partition(": ") for each in choices)}


Ask = Callable[[RuleQuestion], str]
"""Asks somebody; an empty answer leaves it open."""
