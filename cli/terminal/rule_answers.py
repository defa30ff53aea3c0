"""What is asked about a sentence, in the terminal: choices by their numbers, yes or no, what the moves do.

What somebody says of a line of the chat in place of an answer is taken first.
"""

import re
from collections.abc import MutableMapping
from typing import Final

from tabletape.cli.terminal.first_chat import answer_to
from tabletape.cli.terminal.output import complain, say
from tabletape.dashboard.own_game.limits import BLANK
from tabletape.dashboard.own_game.place_effects import EFFECTS_IN_SHORT
from tabletape.dashboard.own_game.questions import WITH, YES, EffectsSaid, RuleQuestion, effects_in_short, effects_said
from tabletape.events.errors import TabletapeError

SAYS_LINE: Final = re.compile(r"\d+ [^\d\s]")
"""The number of a line, and what it says."""

_SAYS_TALK: Final = re.compile(r"\d+ (?:t|talk|comes out|out)", re.IGNORECASE)
"""What is said of a line, and answers no question."""


class LineSaidError(TabletapeError):
    """What somebody says of a line of the chat in place of an answer to a question about a sentence."""


def answer_of(question: RuleQuestion, answers: MutableMapping[RuleQuestion, str], effects: EffectsSaid) -> str:
    """Return what somebody answers, or has answered to the same choices; what the sentence says itself is not asked.

    What moves do is asked once: `effects` holds what was said of them, also by Enter.
    """
    if question.name == "effects":
        if effects.knows(question):
            say(f"  {' '.join((*question.told, 'as said before'))}")
        else:
            asked = effects.proposing(question)
            effects.keep(asked, _told(asked))
        return effects.answer(question)
    key = question._replace(told=())
    if key not in answers:
        answers[key] = _told(question)
    return answers[key]


def _told(question: RuleQuestion) -> str:
    for line in question.told:
        say(f"  {line}")
    return question.usual or _asked(question)


def _reply(asked: str, most: int = 0) -> str:
    """Return an answer; what is said of a line is raised, also where the number is above those that may be chosen."""
    answer = answer_to(asked)
    if _SAYS_TALK.fullmatch(answer) or (SAYS_LINE.match(answer) and int(answer.split()[0]) > most > 0):
        raise LineSaidError(answer)
    return answer


def _asked(question: RuleQuestion) -> str:
    if question.choices == YES:
        return "y" if _is_yes(f"{question.text}? y; Enter: {question.unsaid}") else ""
    if question.name == "effects":
        return _effects(question)
    if question.choices and question.name != "draws":
        return _by_number(question)
    which = f": {', '.join(question.choices)}" if question.choices else ""
    return _reply(f"  {question.text}{which}? Enter: {question.unsaid}").casefold()


def _effects(question: RuleQuestion) -> str:
    """Ask whether it is right what moves do; what says no move with one of the effects is asked again."""
    for each in effects_in_short(question.choices):
        say(f"    {each}")
    stock = ["gains 2", "pays 1", "pays 2 for a fox and 3 for a witch"] if "pays" in question.among else []
    told = [f"{each} ({said})" for each, said in EFFECTS_IN_SHORT.items() if each in question.among]
    with_card = next((each for each in question.among if WITH in each), "")
    meant = told or stock or [*(each for each in question.among[1:3]), *filter(None, [with_card])]
    first = question.choices[0].partition(WITH)[0].partition(":")[0]
    asked = f"Enter if right; else such as `{first}: nothing`: nothing, {', '.join(meant)}, ? (nobody knows)"
    moves = [each.partition(":")[0] for each in question.choices]
    while (answer := _reply(asked)).casefold() not in {"", "y", "yes"}:
        said = effects_said(answer, moves)
        priced = () if told else [each for each in said.values() if re.match(r"pays (?:\d+|\w+) for ", each)]
        if said and {*said.values()}.difference(priced) <= {*question.among}:
            break
        complain(f"one of {', '.join(moves)}, a colon, and one of {', '.join(question.among)}, not {answer!r}")
    return answer


def _by_number(question: RuleQuestion) -> str:
    """Return one of many choices by its number or its words; what fills its blank stands behind the number: `2 3`."""
    say(f"  {question.text}?")
    for number, each in enumerate(question.choices, 1):
        say(f"  {number:>2}  {each}")
    blank = any(BLANK.search(each) for each in question.choices)
    how = "A number, and what belongs into the brackets behind it, such as `2 3`" if blank else "A number"
    how = "A number, or several with commas, or `all`" if question.several else how
    while True:
        answer = _reply(f"{how}; Enter: none of them, {question.unsaid}", len(question.choices)).casefold()
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


def _is_yes(question: str) -> bool:
    """Return whether somebody says yes; what is neither is asked about again."""
    while (answer := _reply(question).casefold()) and answer[0] not in "yn":
        complain(f"y or Enter, not {answer!r}")
    return answer[:1] == "y"
