"""What is asked about a sentence before it becomes a rule, the same in the terminal and on the page."""

from collections.abc import Callable
from typing import Final, NamedTuple

from tabletape.dashboard.own_game.besides import known_forms, says_more, with_exceptions
from tabletape.dashboard.own_game.forms import (
    ALLOWS,
    BLANKS,
    SentenceForm,
    filled_from,
    forms,
    open_questions,
    rule_of,
)
from tabletape.dashboard.own_game.game import FirstRule, OwnGame
from tabletape.dashboard.own_game.look import CiteSentence
from tabletape.dashboard.own_game.wording import is_permission

NOBODY: Final = "nobody is accused"

YES: Final = ("y",)
"""The only answer to a question of yes or no beside none."""

_NOTHING: Final = "nothing of the sentence itself is understood: somebody has chosen this form for it"


class RuleQuestion(NamedTuple):
    """A question about a sentence: the name of what is asked, its words, what may be answered, if not anything.

    `usual` is what the sentence itself says. `told` is said before it, and `unsaid` is what no answer means.
    """

    name: str
    text: str
    choices: tuple[str, ...] = ()
    usual: str = ""
    told: tuple[str, ...] = ()
    unsaid: str = "left open"


Ask = Callable[[RuleQuestion], str]
"""Asks somebody; an empty answer leaves it open."""


def rule_said(game: OwnGame, sentence: CiteSentence, known: SentenceForm | None, ask: Ask) -> FirstRule | str:
    """Return the rule of a sentence by the form that it has, or that somebody chooses; else why there is none.

    The forms stand in the order in which they share words with the sentence.
    """
    near = sorted(forms(), key=lambda form: -len(form.words_in(sentence.text)))
    able = {each.shown(): each for each in near if each == known or _is_of(each, game)}
    told: tuple[str, ...] = (ALLOWS,) if known is None and is_permission(sentence.text) else ()
    usual = known.shown() if known else ""
    form = able.get(ask(RuleQuestion("form", "What does it say?", tuple(able), usual, told)))
    if form is None:
        return ""
    blanks, more = filled_from(form, game, sentence.text), says_more(form, sentence, game)
    if more and form == known:
        told = (f"It would be read as: {form.shown(blanks)}", f"It says more, which no form holds: \u201c{more}\u201d")
        if ask(RuleQuestion("more", "Read it without that", YES, told=told)) not in YES:
            return ""
    if not _fill_in(blanks, form, game, ask):
        return ""
    rule = rule_of(form, game, blanks, sentence)
    if rule is None:
        return f"{form.lacks}; {NOBODY}"
    rule = with_exceptions(rule, form, game, sentence)
    if not more:
        return rule
    left = f"what is left out: \u201c{more}\u201d" if form in known_forms(sentence, game) else _NOTHING
    return rule._replace(taken=(*rule.taken, left))


def _fill_in(blanks: dict[str, str], form: SentenceForm, game: OwnGame, ask: Ask) -> bool:
    """Fill in what a sentence leaves open of its form, and return whether nothing stays open that has to be said."""
    options = {"move": game.moves, "first": game.moves, "kind": game.kinds, "other": game.kinds}
    for name in form.blanks:
        choices = tuple(each for each in options.get(name, ()) if name != "first" or each != blanks["move"])
        text = f"{form.shown(blanks)}: {BLANKS[name].strip('()')}"
        answer = ask(RuleQuestion(name, text, choices, blanks.get(name, "")))
        if not answer or answer not in (choices or (answer,)) or (name == "number" and not answer.isdecimal()):
            return False
        blanks[name] = answer
    for each in open_questions(form, game):
        blanks[each.name] = ask(RuleQuestion(each.name, each.text, each.choices, unsaid="nobody knows"))
    return True


def _is_of(form: SentenceForm, game: OwnGame) -> bool:
    """Return whether a form may be one of a game: some move has what it looks at."""
    return form.rule is None or any(form.rule.suits(game, move) for move in game.moves)
