"""What is asked about a sentence before it becomes a rule, the same in the terminal and on the page."""

import re
from collections.abc import Mapping, Sequence
from typing import Final

from tabletape.dashboard.own_game.besides import NOT_AMONG, says_more
from tabletape.dashboard.own_game.composed_tables import composed_rule, is_laid_out
from tabletape.dashboard.own_game.composing import composed_by
from tabletape.dashboard.own_game.composition import Composition
from tabletape.dashboard.own_game.forms import (
    BLANKS,
    SentenceForm,
    filled_from,
    lacks_turns,
    open_questions,
    rule_of,
)
from tabletape.dashboard.own_game.game import FirstRule, OwnGame, both
from tabletape.dashboard.own_game.line_rules import PAID
from tabletape.dashboard.own_game.look import CiteSentence
from tabletape.dashboard.own_game.messages import SAID_SEVERAL, WORD
from tabletape.dashboard.own_game.place_effects import EFFECTS, guessed_effects
from tabletape.dashboard.own_game.questions import YES, Ask, RuleQuestion
from tabletape.dashboard.own_game.rulebook_words import words_of
from tabletape.dashboard.own_game.sentence_reader import ReadSentence, read_sentence
from tabletape.dashboard.own_game.stocks import (
    STOCK_EFFECTS,
    StockLimit,
    guessed_stock_effects,
    stock_limit,
    stock_rule,
    stocks_of,
    written_effects,
)
from tabletape.dashboard.own_game.turn_rules import quiet_for_hands
from tabletape.dashboard.own_game.wording import is_permission, told_by
from tabletape.events.importing.maps.counted import forms_of

NOBODY: Final = "nobody is accused"
NAMES_NO_MOVE: Final = "a rule looks at moves of the game\u2019s own, such as play or sell, and its file names none yet"
_NO_LINE: Final = f"the lines of that move do not say each time what this looks at; {NOBODY}"
_EFFECT: Final = re.compile(
    rf"(?P<move>[\w-]+(?: with [\w-]+)?)[ :=]+(?P<effect>{'|'.join(map(re.escape, sorted(EFFECTS, key=len)[::-1]))})"
)
_NARROWS: Final = re.compile(rf"\b(?:\d+|{SAID_SEVERAL}|same|next|over|or|than)\b", re.IGNORECASE)
HALF: Final = "that half"
_WHICH: Final = "Which move is it about"
COMPOSE: Final = "another rule: compose it"


def rule_said(game: OwnGame, sentence: CiteSentence, known: SentenceForm | None, ask: Ask) -> FirstRule | str:
    """Return the rule of a sentence by its form, as it is read, or as somebody composes it; else why there is none."""
    if (limit := stock_limit(sentence, game)) is not None:
        return _rule_of_stock(game, sentence, limit, ask)
    if known is not None and (limit := stock_paid(sentence, known, game)) is not None:
        return _rule_of_stock(game, sentence, limit, ask)
    return _rule_of_form(game, sentence, known, ask) if known is not None else _rule_of_moves(game, sentence, ask)


def stock_paid(sentence: CiteSentence, form: SentenceForm, game: OwnGame) -> StockLimit | None:
    """Return what a sentence says that a move costs, where it is known with how much of that everybody begins."""
    paid, blanks = PAID.search(sentence.text), filled_from(form, game, sentence.text)
    if form.name != "costs" or paid is None or "move" not in blanks or says_more(form, sentence, game):
        return None
    name = forms_of(paid["thing"].casefold())[-1]
    return StockLimit(name, move=blanks["move"]) if stocks_of(game).get(name) is not None else None


def _rule_of_moves(game: OwnGame, sentence: CiteSentence, ask: Ask) -> FirstRule | str:
    """Return the rule of a sentence about moves as it is read or composed; else why there is none."""
    read = read_sentence(sentence, game)
    if not read and is_permission(sentence.text):
        return f"it allows something, which no line can break; {NOBODY}"
    names_move = any(game.is_named(move, sentence.text) for move in game.moves)
    if not (read or names_move) and (told := told_by(sentence.text)):
        return f"it tells {told}, and no move, so no line can break it; {NOBODY}"
    if not game.limitable:
        return f"{NAMES_NO_MOVE}; {NOBODY}"
    compositions = _accepted(read, game, ask) if read else None
    left = ""
    if compositions:
        left = " ... ".join(filter(None, (each.left for each in read)))
    elif compositions is None:
        compositions = composed_by(game, sentence, ask)
    rule = FirstRule({})
    for each in compositions or ():
        made = composed_rule(game, each, sentence, _effects_of(game, each, ask))
        if made is None:
            return _NO_LINE
        game = game._replace(raw=both(game.raw, made.changes))  # What a move does is added to what it did.
        words = "; ".join(filter(None, (rule.words, made.words)))
        rule = FirstRule(both(rule.changes, made.changes), tuple(dict.fromkeys((*rule.taken, *made.taken))), words)
    if not rule.words:
        return ""
    return rule._replace(taken=(*rule.taken, f"not in the rule: \u201c{left}\u201d")) if left else rule


def _accepted(read: Sequence[ReadSentence], game: OwnGame, ask: Ask) -> tuple[Composition, ...] | None:
    """Return what a sentence is read as, with its move and whose place it is; nothing where one of these is left open.

    None if it is composed.
    """
    shown = "; ".join(each.composition.shown for each in read)
    is_sure = all(each.is_sure for each in read)
    if any(each.is_part for each in read):
        left = " ... ".join(filter(None, (each.left for each in read)))
        if _NARROWS.search(left) or game.kinds_in(WORD.findall(left)):
            return None  # That half would be a rule for lines of which the sentence says nothing.
        told = (f"Half of it is understood: {shown}", f"Not in the rule: \u201c{left}\u201d")
        answer = ask(RuleQuestion("half", "Go on with", (HALF, COMPOSE), told=told))
        if answer != HALF:
            return None if answer == COMPOSE else ()
        is_sure = True  # That half names the move.
    found = [each.composition for each in read]
    if not is_sure:
        moves = _moves_of(RuleQuestion("move", _WHICH, tuple(game.moves), told=(f"Read as: {shown}",)), ask)
        found = [each._replace(move=move) for each in found for move in moves]
        if not found:
            return ()
    owned = [_owned(each, ask) for each in found]
    return tuple(each for each in owned if each is not None) if all(owned) else ()


def _moves_of(question: RuleQuestion, ask: Ask) -> list[str]:
    """Return the moves that somebody says, one or several."""
    answer = ask(question._replace(several=True))
    return [move for move in question.choices if move in answer.split(", ")]


def _owned(composition: Composition, ask: Ask) -> Composition | None:
    """Return a composition with whose place it looks at, which somebody is asked; None where that is left open."""
    if all(each.whose or not each.needs_place for each in composition.clauses):
        return composition
    place = composition.place
    choices = {f"the own {place} of each player": "own", f"one {place} of all players": "all"}
    told = (f"Read as: {composition.shown}",)
    whose = choices.get(ask(RuleQuestion("whose", f"Which {place} is meant", (*choices,), told=told)))
    clauses = (each._replace(whose=each.whose or whose or "") for each in composition.clauses)
    return composition._replace(clauses=tuple(clauses)) if whose else None


def _effects_of(game: OwnGame, composition: Composition, ask: Ask) -> Mapping[str, str]:
    """Return what each move does to the place of a rule, by the rulebook and by who is asked; once a place."""
    if not composition.needs_place or is_laid_out(game, composition):
        return {}
    effects = guessed_effects(game, words_of(game), composition)
    shown = tuple(f"{move}: {effect}" for move, effect in effects.items())
    place = composition.place
    told = (f"What the moves do to the cards of the {place}:",)
    answer = ask(RuleQuestion("effects", f"The {place}", shown, told=told, unsaid="it is so", among=(*EFFECTS,)))
    said = {match["move"]: match["effect"] for match in _EFFECT.finditer(answer)}
    return {**effects, **{move: effect for move, effect in said.items() if move in effects}}


def _rule_of_stock(game: OwnGame, sentence: CiteSentence, limit: StockLimit, ask: Ask) -> FirstRule | str:
    """Return the rule of what players own, with what each move does to that, which is asked; else why there is none."""
    is_known = limit.name in game.raw.get("counters", {})
    effects = written_effects(game, limit.name) if is_known else guessed_stock_effects(game, limit.name)
    if not is_known:
        shown = tuple(f"{move}: {effect}" for move, effect in effects.items())
        told = (f"What the moves do to the {limit.name} of their player:",)
        question = RuleQuestion("effects", f"The {limit.name}", shown, told=told, unsaid="it is so")
        answer = ask(question._replace(among=STOCK_EFFECTS))
        said = dict(re.findall(r"([\w-]+) *[:=] *([a-z?]+(?: \d+)?)", answer))
        effects |= {move: effect for move, effect in said.items() if move in effects}
    rule = stock_rule(game, limit, sentence, effects)
    lacks = f"nobody knows how much {limit.name} everybody begins with, or which move it limits"
    return rule if rule is not None else f"{lacks}; {NOBODY}"


# -- forms -------------------------------------------------------------------------------------------------------------


def _rule_of_form(game: OwnGame, sentence: CiteSentence, form: SentenceForm, ask: Ask) -> FirstRule | str:
    """Return the rule of a sentence by its form, with what that leaves open filled in; else why there is none."""
    if lacks := lacks_turns(form, game):
        return f"{lacks}; {NOBODY}"
    blanks, more = filled_from(form, game, sentence.text), says_more(form, sentence, game)
    if more:
        quoted = f"It says more, which no form holds: \u201c{more}\u201d"
        unlisted = more.removesuffix(NOT_AMONG).strip() if more.endswith(NOT_AMONG) else ""
        counts = f"It does not list {unlisted}: each line of that would count as one of these moves, too"
        told = (f"It would be read as: {form.shown(blanks)}", counts if unlisted else quoted)
        if ask(RuleQuestion("more", "Read it so" if unlisted else "Read it without that", YES, told=told)) not in YES:
            return ""
    if not _fill_in(blanks, (form, sentence.text), game, ask):
        return ""
    if form.name == "hand-limit" and (quiet := quiet_for_hands(game)):
        asked = f"Does each of these leave all hands as they are: {', '.join(quiet)}"
        if ask(RuleQuestion("hands", asked, YES)) not in YES:
            return f"nobody knows what {', '.join(quiet)} {'do' if len(quiet) > 1 else 'does'} to a hand; {NOBODY}"
    rule = rule_of(form, game, blanks, sentence)
    if rule is None:
        return f"{form.lacks}; {NOBODY}"
    return rule._replace(taken=(*rule.taken, f"what is left out: \u201c{more}\u201d")) if more else rule


def _fill_in(blanks: dict[str, str], said: tuple[SentenceForm, str], game: OwnGame, ask: Ask) -> bool:
    """Fill in what a sentence leaves open of its form, and return whether nothing stays open that has to be said."""
    form, text = said
    for name in form.blanks:
        choices = tuple(game.moves) if name == "move" else ()
        asked = form.shown(blanks) + ("" if name in blanks else f": {BLANKS[name].strip('()')}")
        answer = ask(RuleQuestion(name, asked, choices, blanks.get(name, "")))
        if not answer or answer not in (choices or (answer,)) or (name == "number" and not answer.isdecimal()):
            return False
        blanks[name] = answer
    for each in open_questions(form, game, text, blanks.get("number", "")):
        blanks[each.name] = ask(RuleQuestion(each.name, each.text, each.choices, each.usual, unsaid="nobody knows"))
    return True
