"""What is asked about a sentence before it becomes a rule, the same in the terminal and on the page."""

import re
from collections.abc import Mapping
from typing import Final

from tabletape.dashboard.own_game.besides import known_forms, says_more, with_exceptions
from tabletape.dashboard.own_game.composed_tables import EFFECTS, composed_rule, is_laid_out
from tabletape.dashboard.own_game.composing import composed_by
from tabletape.dashboard.own_game.composition import Composition
from tabletape.dashboard.own_game.forms import (
    ALLOWS,
    BLANKS,
    SentenceForm,
    filled_from,
    open_questions,
    rule_of,
)
from tabletape.dashboard.own_game.game import FirstRule, OwnGame
from tabletape.dashboard.own_game.look import CiteSentence
from tabletape.dashboard.own_game.questions import YES, Ask, RuleQuestion
from tabletape.dashboard.own_game.rulebook_words import words_of
from tabletape.dashboard.own_game.sentence_reader import ReadSentence, guessed_effects, read_sentence
from tabletape.dashboard.own_game.wording import is_permission

NOBODY: Final = "nobody is accused"
_NO_LINE: Final = f"the lines of that move do not say each time what this looks at; {NOBODY}"
_EFFECT: Final = re.compile(
    rf"(?P<move>[\w-]+)[ :=]+(?P<effect>{'|'.join(map(re.escape, sorted(EFFECTS, key=len)[::-1]))})"
)
COMPOSE: Final = "another: compose it"


def rule_said(game: OwnGame, sentence: CiteSentence, known: SentenceForm | None, ask: Ask) -> FirstRule | str:
    """Return the rule of a sentence by the form that it has, as it is read, or as somebody composes it; else why none."""
    if known is not None:
        return _rule_of_form(game, sentence, known, ask)
    read = read_sentence(sentence, game)
    composition = _accepted(read, game, ask) if read else None
    if composition is None and (read is None or read.is_part):
        told: tuple[str, ...] = (ALLOWS,) if is_permission(sentence.text) else ()
        composition = composed_by(game, sentence, ask, told)
    if composition is None:
        return ""
    effects = _effects_of(game, composition, ask)
    rule = composed_rule(game, composition, sentence, effects)
    if rule is None:
        return _NO_LINE
    left = f"not in the rule: \u201c{read.left}\u201d" if read and read.left and composition == read.composition else ""
    return rule._replace(taken=(*rule.taken, *filter(None, (left,))))


def _accepted(read: ReadSentence, game: OwnGame, ask: Ask) -> Composition | None:
    """Return what a sentence is read as, with its move; None where it holds only a part that nobody wants."""
    composition = read.composition
    if read.is_part:
        told = (f"Half of it is understood: {composition.shown}", f"Not in the rule: \u201c{read.left}\u201d")
        if ask(RuleQuestion("half", "Go on with", ("that half", COMPOSE), told=told)) != "that half":
            return None
    if read.is_sure:
        return composition
    told = (f"Read as: {composition.shown}",)
    move = ask(RuleQuestion("move", "Which move is it about", tuple(game.moves), told=told))
    return composition._replace(move=move) if move in game.moves else None


def _effects_of(game: OwnGame, composition: Composition, ask: Ask) -> Mapping[str, str]:
    """Return what each move does to the place of a rule, by the rulebook and by who is asked; once a place."""
    if not composition.needs_place or is_laid_out(game, composition):
        return {}
    effects = guessed_effects(game, words_of(game), composition)
    shown = tuple(f"{move}: {effect}" for move, effect in effects.items())
    place = composition.place
    told = (f"What the moves do to the cards of the {place}:", *(f"  {each}" for each in shown))
    answer = ask(RuleQuestion("effects", f"The {place}", shown, told=told, unsaid="it is so"))
    said = {match["move"]: match["effect"] for match in _EFFECT.finditer(answer)}
    return {**effects, **{move: effect for move, effect in said.items() if move in effects}}


# -- forms -------------------------------------------------------------------------------------------------------------


def _rule_of_form(game: OwnGame, sentence: CiteSentence, form: SentenceForm, ask: Ask) -> FirstRule | str:
    """Return the rule of a sentence by its form, with what that leaves open filled in; else why there is none."""
    blanks, more = filled_from(form, game, sentence.text), says_more(form, sentence, game)
    if more:
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
    left = f"what is left out: \u201c{more}\u201d" if form in known_forms(sentence, game) else "half of the sentence"
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
