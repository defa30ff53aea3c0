"""What is asked about a sentence, in the terminal: choices by their numbers, yes or no, what the moves do.

What somebody says of a line of the chat in place of an answer is taken first.
"""

import re
from collections.abc import Mapping
from typing import Final

from tabletape.cli.terminal.answers import OR_BACK, answer_to
from tabletape.cli.terminal.output import complain, say
from tabletape.dashboard.own_game.limits import BLANK
from tabletape.dashboard.own_game.place_effects import EFFECTS_IN_SHORT, UNKNOWN
from tabletape.dashboard.own_game.questions import WITH, YES, EffectsSaid, RuleQuestion, effects_in_short, effects_said
from tabletape.events.errors import TabletapeError

SAYS_LINE: Final = re.compile(r"\d+ [^\d\s]")
"""The number of a line, and what it says."""

_SAYS_TALK: Final = re.compile(r"\d+ (?:t|talk|comes out|out)", re.IGNORECASE)
"""What is said of a line, and answers no question."""


class AskedAgainError(TabletapeError):
    """The questions about a sentence are asked again, but for those that are answered."""


class LineSaidError(AskedAgainError):
    """What somebody says of a line of the chat in place of an answer to a question about a sentence."""


class SentenceAnswers:
    """What somebody answers to the questions about a sentence; what it says itself is not asked.

    The same choices are asked about once, and what moves do once in a session: that is `effects`, also by Enter.
    """

    def __init__(self, effects: EffectsSaid) -> None:
        """Know no answer of this sentence yet."""
        self.is_composed = False
        self._effects = effects
        self._given: dict[RuleQuestion, str] = {}
        self._as_read: dict[RuleQuestion, str] = {}

    def to(self, question: RuleQuestion) -> str:
        """Return what somebody answers, or has answered."""
        key = question._replace(told=())
        if question.name == "effects":
            if not self._effects.knows(question):
                asked = self._effects.proposing(question)
                self._effects.keep(asked, self._told(asked))
            elif key not in self._given:
                say(f"  {' '.join((*question.told[-1:], 'as said before'))}")
            self._given[key] = self._effects.answer(question)
        elif key not in self._given:
            self._given[key] = self._told(question)
        return self._given[key]

    def compose(self) -> None:
        """Begin anew: the sentence says something else than it is read as."""
        self._as_read = self._as_read if self.is_composed else self._given
        self._given, self.is_composed = {}, True

    def take_back(self) -> bool:
        """Take the last answer back that somebody has given; return whether there was one."""
        while self._given:
            question, _ = self._given.popitem()
            if question.name == "effects":
                self._effects.ask_again(question)
            if not question.usual:
                return True
        was_composed, self.is_composed = self.is_composed, False
        self._given = self._as_read
        return was_composed

    def reply(self, asked: str, most: int | None = None) -> str:
        """Return an answer to a question, of `most` choices by their numbers where that is said.

        Raises `LineSaidError` for what is said of a line, by a number above these, `AskedAgainError` where it says
        anew what a move does, and `TakenBackError`.
        """
        answer = answer_to(f"{asked}{OR_BACK}")
        if _SAYS_TALK.fullmatch(answer) or (
            SAYS_LINE.match(answer) and most is not None and int(answer.split()[0]) > most
        ):
            raise LineSaidError(answer)
        for question in (each for each in self._given if each.name == "effects"):
            said = effects_said(answer, (each.partition(":")[0] for each in question.choices))
            if _are_among(said, question):
                self._effects.keep(self._effects.proposing(question), answer)
                raise AskedAgainError(answer)
        return answer

    def _told(self, question: RuleQuestion) -> str:
        for line in question.told:
            say(f"  {line}")
        return question.usual or self._asked(question)

    def _asked(self, question: RuleQuestion) -> str:
        if question.choices == YES:
            return "y" if self._is_yes(f"{question.text}? y; Enter: {question.unsaid}") else ""
        if question.name == "effects":
            return self._effects_of(question)
        if question.choices and question.name != "draws":
            return self._by_number(question)
        which = f": {', '.join(question.choices)}" if question.choices else ""
        return self.reply(f"  {question.text}{which}? Enter: {question.unsaid}").casefold()

    def _effects_of(self, question: RuleQuestion) -> str:
        """Ask whether it is right what moves do; what says no move with one of the effects is asked again."""
        for each in effects_in_short(question.choices):
            say(f"    {each}")
        stock = ["gains 2", "pays 1", "pays 2 for a fox and 3 for a witch"] if "pays" in question.among else []
        told = [f"{each} ({said})" for each, said in EFFECTS_IN_SHORT.items() if each in question.among]
        with_card = next((each for each in question.among if WITH in each), "")
        meant = told or stock or [*(each for each in question.among[1:3]), *filter(None, [with_card])]
        first = next((each for each in question.choices if each.endswith(f": {UNKNOWN}")), question.choices[0])
        first = first.partition(WITH)[0].partition(":")[0]
        asked = f"Enter if right; else such as `{first}: nothing`: nothing, {', '.join(meant)}, ? (nobody knows)"
        moves = [each.partition(":")[0] for each in question.choices]
        while (answer := self.reply(asked)).casefold() not in {"", "y", "yes"}:
            if _are_among(effects_said(answer, moves), question):
                break
            complain(f"one of {', '.join(moves)}, a colon, and one of {', '.join(question.among)}, not {answer!r}")
        return answer

    def _by_number(self, question: RuleQuestion) -> str:
        """Return one of many choices by number or words; what fills its blank stands behind the number: `2 3`."""
        say(f"  {question.text}?")
        for number, each in enumerate(question.choices, 1):
            say(f"  {number:>2}  {each}")
        blank = any(BLANK.search(each) for each in question.choices)
        how = "A number, and what belongs into the brackets behind it, such as `2 3`" if blank else "A number"
        how = "A number, or several with commas, or `all`" if question.several else how
        while True:
            answer = self.reply(f"{how}; Enter: none of them, {question.unsaid}", len(question.choices)).casefold()
            at, _, filled = answer.partition(" ")
            if not answer or answer in question.choices:
                return answer
            chosen = re.split(r"[,\s]+", answer)
            named = {
                **dict(zip(map(str, range(1, len(question.choices) + 1)), question.choices, strict=True)),
                **{each: each for each in question.choices},
            }
            if question.several and (answer == "all" or named.keys() >= {*chosen}):
                return ", ".join(question.choices if answer == "all" else (named[each] for each in chosen))
            if at.isascii() and at.isdigit() and 0 < int(at) <= len(question.choices):
                break
            complain(f"a number from 1 to {len(question.choices)}, or Enter, not {answer!r}")
        return f"{question.choices[int(at) - 1]}\t{filled.strip()}" if filled else question.choices[int(at) - 1]

    def _is_yes(self, question: str) -> bool:
        """Return whether somebody says yes; what is neither is asked about again."""
        while (answer := self.reply(question).casefold()) and answer[0] not in "yn":
            complain(f"y or Enter, not {answer!r}")
        return answer[:1] == "y"


def _are_among(said: Mapping[str, str], question: RuleQuestion) -> bool:
    """Return whether something is said of what moves do, and all of it may be: a price is said with its number."""
    is_of_stock = "pays" in question.among
    priced = (each for each in said.values() if is_of_stock and re.match(r"pays (?:\d+|\w+) for ", each))
    return bool(said) and {*said.values()}.difference(priced) <= {*question.among}
