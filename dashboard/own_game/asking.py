"""What is asked about a sentence before it becomes a rule, the same in the terminal and on the page."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from tabletape.dashboard.own_game.besides import NOT_AMONG, says_more, thrown_away
from tabletape.dashboard.own_game.cited import CiteSentence
from tabletape.dashboard.own_game.composed_places import is_laid_out, leaving_open, place_of
from tabletape.dashboard.own_game.composed_tables import composed_rule, is_sayable
from tabletape.dashboard.own_game.composing import composed_by
from tabletape.dashboard.own_game.composition import TABLE, Composition
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
from tabletape.dashboard.own_game.messages import SAID_SEVERAL, WORD, number_of
from tabletape.dashboard.own_game.place_effects import EFFECTS, NOTHING, UNKNOWN, guessed_effects, not_understood
from tabletape.dashboard.own_game.questions import YES, Ask, RuleQuestion, effects_said
from tabletape.dashboard.own_game.rulebook_words import words_of
from tabletape.dashboard.own_game.sentence_reader import ReadSentence, only_then, read_sentence
from tabletape.dashboard.own_game.states import StateLimit, guessed_changes, said_beside, state_limit, state_rule
from tabletape.dashboard.own_game.stocks import (
    STOCK_EFFECTS,
    StockLimit,
    called_singly,
    counter_of,
    effect_said,
    guessed_stock_effects,
    several_of,
    stock_limit,
    stock_rule,
    stocks_of,
    written_effects,
)
from tabletape.dashboard.own_game.turn_rules import quiet_for_hands
from tabletape.dashboard.own_game.wording import is_binding, is_permission, lacks_form, told_by

NOBODY: Final = "nobody is accused"
NAMES_NO_MOVE: Final = "a rule looks at moves of the game\u2019s own, such as play or sell, and its file names none yet"
_NO_LINE: Final = f"the lines of that move do not say each time what this looks at; {NOBODY}"
_NARROWS: Final = re.compile(
    rf"\b(?:\d+|{SAID_SEVERAL}|same|next|over|or|than|without|else(?:'s)?|own|another|others?|only|not|never|first|last|"
    r"if|when|unless|until|before|after|already|again|somebody|someone|it|them)\b",
    re.IGNORECASE,
)
_ASIDE: Final = re.compile(r"\([^()]*\b(?:if|when|unless|except\w*|or else|otherwise)\b[^()]*\)", re.IGNORECASE)
"""What a sentence says in brackets of some cases says more than the rest of it."""

_EMPTIED: Final = re.compile(
    r"(?:after|when(?:ever)?|if|as soon as|once)\b.*\b(?:is|are) (?:empty|emptied|cleared)\b", re.IGNORECASE
)
"""So a sentence tells what a move does to what lies somewhere."""

_THAT_TURN: Final = re.compile(
    r"^(?!.*\b(?:if|when\w*|after|who\w*|once)\b).*\b(?:on|in|during) that turn\b", re.IGNORECASE
)
"""So a sentence speaks of a turn that the one before it has told of."""

_WITHOUT: Final = RuleQuestion("more", "Read it without that", YES, unsaid="it says something else")
_ONLY_THEN: Final = RuleQuestion("only", "Is it allowed only then", YES, unsaid="it says something else")
_NOTHING_ELSE: Final = _ONLY_THEN._replace(text="Is nothing else allowed then")
_UNLISTED: Final = ("beside these moves, and counts as none of them", "as one of these moves, too")
_WHICH: Final = "Which move is it about"


def rule_said(game: OwnGame, sentence: CiteSentence, known: SentenceForm | None, ask: Ask) -> FirstRule | str:
    """Return the rule of a sentence by its form, as it is read, or as somebody composes it; else why there is none."""
    if (lasting := state_limit(sentence, game)) is not None:
        return _rule_of_state(game, sentence, lasting, ask)
    limit = stock_limit(sentence, game)
    if limit is not None and stocks_of(game).get(limit.name) is not None:
        return _rule_of_stock(game, sentence, limit, ask)
    if known is not None and (paid := stock_paid(sentence, known, game)) is not None:
        if (more := says_more(known, sentence, game)) and not _is_read_without(more, paid.shown(game), ask):
            return rule_composed(game, sentence, ask)
        return _rule_of_stock(game, sentence, paid, ask)
    made = _rule_of_form(game, sentence, known, ask) if known is not None else _rule_of_moves(game, sentence, ask)
    if made or limit is None or re.search(r"\bhand\b", sentence.text, re.IGNORECASE):
        return made
    return f"nobody knows how much {limit.name} everybody begins with; {NOBODY}"


def rule_composed(game: OwnGame, sentence: CiteSentence, ask: Ask) -> FirstRule | str:
    """Return the rule of a sentence as somebody composes it, whatever it is read as; else why there is none."""
    return _made_of(game, sentence, composed_by(game, sentence, ask), ask)


def stock_paid(sentence: CiteSentence, form: SentenceForm, game: OwnGame) -> StockLimit | None:
    """Return what a sentence says that a move costs, where it is known with how much of that everybody begins."""
    paid, blanks = PAID.search(sentence.text), filled_from(form, game, sentence)
    if form.name != "costs" or paid is None or not {"move", "number"} <= {*blanks}:
        return None
    name, price = called_singly(paid["thing"].casefold()), int(blanks["number"])
    return StockLimit(name, move=blanks["move"], price=price) if stocks_of(game).get(name) is not None else None


def _rule_of_moves(game: OwnGame, sentence: CiteSentence, ask: Ask) -> FirstRule | str:
    """Return the rule of a sentence about moves as it is read or composed; else why there is none."""
    read = read_sentence(sentence, game)
    if not read and (only := only_then(sentence, game)):
        shown = "; ".join(each.composition.shown for each in only)
        is_duty = bool(game.case_of_duty(sentence.text))
        told = (f"It {'says what has to be done' if is_duty else 'allows that'}; read as: {shown}",)
        if ask((_NOTHING_ELSE if is_duty else _ONLY_THEN)._replace(told=told)) in YES:
            return _made_of(game, sentence, [each.composition for each in only], ask)
    if why := _why_none(game, sentence, is_read=bool(read)):
        return f"{why}; {NOBODY}"
    read = read if all(is_sayable(game, each.composition, sentence) for each in read) else ()
    left = " ... ".join(filter(None, (each.left for each in read)))
    if read and not any(each.is_part for each in read):
        compositions: Sequence[Composition | StockLimit] = _accepted(read, game, ask)
    else:  # A half that is narrowed by what is left would be a rule for lines of which the sentence says nothing.
        half = (
            ()
            if not all(each.is_sure for each in read) or _NARROWS.search(left) or game.kinds_in(WORD.findall(left))
            else read
        )
        compositions = composed_by(game, sentence, ask, [each.composition for each in half], left)
        left = left if compositions and compositions == tuple(each.composition for each in half) else ""
    made = _made_of(game, sentence, compositions, ask)
    if not left or not isinstance(made, FirstRule):
        return made
    return made._replace(taken=(*made.taken, f"not in the rule: \u201c{left}\u201d"))


def _why_none(game: OwnGame, sentence: CiteSentence, *, is_read: bool) -> str:
    """Return why a sentence has no rule; empty where it may have one."""
    if not is_read and is_permission(sentence.text):
        return "it allows something, which no line can break"
    names_move = any(game.is_named(move, sentence.text) for move in game.moves)
    if not (is_read or names_move) and (told := told_by(sentence.text)):
        return f"it tells {told}, and no move, so no line can break it"
    if not is_read and (lacks := _lacks(game, sentence.text)):
        return f"there is no form for {lacks} yet"
    named = [move for move in game.moves if game.is_named(move, sentence.text)]
    if not is_read and len(named) == 1 and _EMPTIED.match(sentence.text) and not is_binding(sentence.text):
        return f"it tells what {named[0]} does: answer `{named[0]}: empties` where that is asked"
    return "" if game.limitable else NAMES_NO_MOVE


def _lacks(game: OwnGame, text: str) -> str:
    """Return what a sentence that is not read speaks of for which there is no form; empty where that is not sure."""
    if game.case_of_duty(text):
        return "what has to be done when something else is so"
    return "a turn that another sentence speaks of" if _THAT_TURN.search(text) else lacks_form(text)


def _made_of(
    game: OwnGame, sentence: CiteSentence, chosen: Sequence[Composition | StockLimit], ask: Ask
) -> FirstRule | str:
    """Return the rule that the compositions of a sentence are together; else why there is none."""
    rule = FirstRule({})
    if any(isinstance(one, Composition) and one.move not in game.moves for one in chosen):
        game = game.with_draw()
        rule = rule._replace(changes={"move": {game.draw: game.raw["move"][game.draw]}})
    for one in chosen:
        if isinstance(one, StockLimit):
            return _rule_of_stock(game, sentence, one, ask)
        each = _owned(game, one, ask)
        if each is None:
            return ""
        told = _told_now(game, each, ask)
        game = game._replace(raw=both(game.raw, told))
        effects = _effects_of(game, each, ask)
        if silent := leaving_open(game, each, effects):
            return f"the lines of {' and '.join(silent)} do not say which {each.place}; {NOBODY}"
        made = composed_rule(game, each, sentence, effects)
        if made is None:
            return _NO_LINE
        game = game._replace(raw=both(game.raw, made.changes))  # What a move does is added to what it did.
        words = "; ".join(filter(None, (rule.words, made.words)))
        rule = FirstRule(
            both(both(rule.changes, told), made.changes), tuple(dict.fromkeys((*rule.taken, *made.taken))), words
        )
    return _with_aside(rule, chosen, sentence) if rule.words else ""


def _with_aside(rule: FirstRule, chosen: Sequence[Composition | StockLimit], sentence: CiteSentence) -> FirstRule:
    """Return a rule that accuses no line which what its sentence says in brackets may free.

    `(just one if only one is left)` may free lines of one card, what says no number any line.
    """
    if (aside := _ASIDE.search(sentence.text)) is None:
        return rule
    counts = all(isinstance(one, Composition) and {each.subject for each in one.clauses} == {"cards"} for one in chosen)
    numbers = [str(number) for word in WORD.findall(aside[0]) if counts and (number := number_of(word))]
    freed = f"size(cards) = {numbers[0]} and unsaid > 0" if numbers else "unsaid > 0"
    changes = both(rule.changes, {"counters": {"unsaid": {"says": "what nobody has said"}}})
    for move, table in rule.changes.get("move", {}).items():
        for name, said in table.get("needs", {}).items():
            needs = {name: {"that": f"{said['that']} or {freed}"}}
            changes = both(changes, {"move": {move: {"needs": needs}}})
    return rule._replace(
        changes=changes,
        taken=(*rule.taken, f"what is left out: \u201c{aside[0]}\u201d; where that may be so, {NOBODY}"),
    )


def _accepted(read: Sequence[ReadSentence], game: OwnGame, ask: Ask) -> tuple[Composition, ...]:
    """Return what a sentence is read as, with its move, which is asked for where it does not name one."""
    found = [each.composition for each in read]
    if all(each.is_sure for each in read):
        return tuple(found)
    told = (f"Read as: {'; '.join(each.shown for each in found)}",)
    moves = _moves_of(RuleQuestion("move", _WHICH, tuple(game.moves), told=told), ask)
    return tuple(each._replace(move=move) for each in found for move in moves)


def _moves_of(question: RuleQuestion, ask: Ask) -> list[str]:
    """Return the moves that somebody says, one or several."""
    answer = ask(question._replace(several=True))
    return [move for move in question.choices if move in answer.split(", ")]


def _owned(game: OwnGame, composition: Composition, ask: Ask) -> Composition | None:
    """Return a composition with whose place it looks at, which somebody is asked; None where that is left open."""
    if all(each.whose or not each.needs_place for each in composition.clauses):
        return composition
    place = composition.place
    is_own = place in words_of(game).own
    choices = {f"the own {place} of each player": ("own", place), f"one {place} of all players": ("all", place)}
    if is_own:
        choices = {"that of anybody": ("all", TABLE), f"that on the own {place}": ("own", place)}
    text = "Which last card is meant" if is_own else f"Which {place} is meant"
    told = (f"Read as: {composition.shown}",)
    whose, place = choices.get(ask(RuleQuestion("whose", text, (*choices,), told=told)), ("", place))
    clauses = (each._replace(whose=each.whose or whose) for each in composition.clauses)
    return composition._replace(clauses=tuple(clauses), place=place) if whose else None


def _told_now(game: OwnGame, composition: Composition, ask: Ask) -> dict[str, Any]:
    """Return the tables of what moves do to the place of a rule that nobody knew so far, where somebody says it now."""
    zone = place_of(game, composition)
    (unknown,) = (each.format(place=zone) for each in EFFECTS[UNKNOWN])
    does = {move: [*table.get("does", ())] for move, table in game.raw["move"].items()}
    open_moves = [move for move, some in does.items() if unknown in some]
    if not (composition.needs_place and open_moves and zone in game.raw["zones"]):
        return {}
    asked = RuleQuestion(
        "effects",
        f"The {composition.place}",
        tuple(f"{move}: {UNKNOWN}" for move in open_moves),
        told=(f"Nobody has said what becomes of the {composition.place}:",),
        unsaid="nobody knows",
        among=(NOTHING, "empties", "last", UNKNOWN),
    )
    said = {move: EFFECTS[effect] for move, effect in effects_said(ask(asked), open_moves).items() if effect in EFFECTS}
    return {
        "move": {
            move: {"does": [*(each.format(place=zone) for each in effects), *(e for e in does[move] if e != unknown)]}
            for move, effects in said.items()
        }
    }


def _effects_of(game: OwnGame, composition: Composition, ask: Ask) -> Mapping[str, str]:
    """Return what each move does to the place of a rule, by the rulebook and by who is asked; once a place."""
    if not composition.needs_place or is_laid_out(game, composition):
        return {}
    place, effects = composition.place, guessed_effects(game, words_of(game), composition)
    unclear = not_understood(game, words_of(game), effects)
    effects |= dict.fromkeys(unclear, UNKNOWN)
    shown = tuple(f"{move}: {effect}" for move, effect in effects.items())
    told = (
        *(f"What becomes of the {place} is not clear: \u201c{text}\u201d" for text in dict.fromkeys(unclear.values())),
        f"What the moves do to the cards of the {place}:",
    )
    answer = ask(RuleQuestion("effects", f"The {place}", shown, told=told, unsaid="it is so", among=(*EFFECTS,)))
    return {**effects, **{move: said for move, said in effects_said(answer, effects).items() if said in EFFECTS}}


def _rule_of_stock(game: OwnGame, sentence: CiteSentence, limit: StockLimit, ask: Ask) -> FirstRule | str:
    """Return the rule of what players own, with what each move does to that, which is asked; else why there is none."""
    is_known = counter_of(limit.name, game) in game.raw.get("counters", {})
    effects = written_effects(game, limit.name) if is_known else guessed_stock_effects(game, limit.name)
    if not is_known:
        shown = tuple(f"{move}: {effect}" for move, effect in effects.items())
        several = several_of(limit.name, game)
        told = (f"What the moves do to the {several} of their player:",)
        question = RuleQuestion("effects", f"The {several}", shown, told=told, unsaid="it is so")
        answer = ask(question._replace(among=STOCK_EFFECTS))
        effects |= {move: effect_said(game, effect) for move, effect in effects_said(answer, effects).items()}
    rule = stock_rule(game, limit, sentence, effects)
    does = "gain" if limit.most else "pay"
    lacks = f"nobody knows which move {does}s {several_of(limit.name, game)}, and how many"
    return rule if rule is not None else f"{lacks}; {NOBODY}"


def _rule_of_state(game: OwnGame, sentence: CiteSentence, limit: StateLimit, ask: Ask) -> FirstRule | str:
    """Return the rule of what lasts, with what each move does to that, which is asked; else why there is none."""
    state, effects = limit.state, guessed_changes(game, limit.state)
    if state.counter not in game.raw.get("counters", {}):
        shown = tuple(f"{move}: {effect}" for move, effect in effects.items())
        told = (*filter(None, [said_beside(game, state)]), state.asked)
        question = RuleQuestion("effects", f"The {state.thing}", shown, told=told, unsaid="it is so")
        among = state.effects(game)
        said = effects_said(ask(question._replace(among=among)), effects)
        effects |= {move: effect for move, effect in said.items() if effect in among}
    rule = _made_of(game, sentence, limit.rules, ask) if limit.rules else FirstRule({})
    return state_rule(game, limit, sentence, effects, rule) if isinstance(rule, FirstRule) else rule


# -- forms -------------------------------------------------------------------------------------------------------------


def _rule_of_form(game: OwnGame, sentence: CiteSentence, form: SentenceForm, ask: Ask) -> FirstRule | str:
    """Return the rule of a sentence by its form, with what that leaves open filled in; else why there is none."""
    if lacks := lacks_turns(form, game):
        return f"{lacks}; {NOBODY}"
    more, shown = says_more(form, sentence, game), form.shown(filled_from(form, game, sentence))
    if more.endswith(NOT_AMONG):
        unlisted = more.removesuffix(NOT_AMONG).strip()
        told = (f"It would be read as: {shown}",)
        asked = RuleQuestion("unlisted", f"It does not list {unlisted}: is that done", _UNLISTED, told=told)
        answer = ask(asked)
        free = unlisted.split(", ") if answer == _UNLISTED[0] else []
        return _rule_filled_in(game, (sentence, form), ask, free=free) if answer else ""
    if more and not _is_read_without(more, shown, ask):
        return rule_composed(game, sentence, ask)
    return _rule_filled_in(game, (sentence, form), ask, left=more)


def _is_read_without(more: str, shown: str, ask: Ask) -> bool:
    """Return whether somebody reads a sentence without what it says more."""
    told = (f"It would be read as: {shown}", f"It says more, which no form holds: \u201c{more}\u201d")
    return ask(_WITHOUT._replace(told=told)) in YES


def _rule_filled_in(
    game: OwnGame, said: tuple[CiteSentence, SentenceForm], ask: Ask, *, left: str = "", free: Sequence[str] = ()
) -> FirstRule | str:
    """Return the rule of a form without what is left of its sentence; moves that are `free` count as none of a turn."""
    sentence, form = said
    blanks = filled_from(form, game, sentence)
    if not _fill_in(blanks, (form, sentence.text), game, ask):
        return ""
    if form.name == "hand-limit" and (quiet := quiet_for_hands(game, sentence)):
        asked = f"Does each of these leave hands as they are, beside what its line says is drawn: {', '.join(quiet)}"
        if ask(RuleQuestion("hands", asked, YES)) not in YES:
            return f"nobody knows what {', '.join(quiet)} {'do' if len(quiet) > 1 else 'does'} to a hand; {NOBODY}"
    rule = rule_of(form, game, blanks, sentence)
    if rule is None:
        return f"{form.lacks}; {NOBODY}"
    if form.name == "actions":
        free = [*free, *(move for move in thrown_away(game) if not game.is_named(move, sentence.text))]
    # Behind the last move of a turn it is still done: the turn of the next player has begun by then.
    changes = both(rule.changes, {"move": {move: {"owed": True} for move in free}}) if free else rule.changes
    without = [f"what is left out: \u201c{left}\u201d"] if left else [f"{move} is none of these" for move in free]
    return rule._replace(changes=changes, taken=(*rule.taken, *without))


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
