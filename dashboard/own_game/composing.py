"""A rule composed by a person in three steps: the move, what of it is limited, and how, in words of the game's log."""

import re
from collections.abc import Mapping
from typing import Final

from tabletape.dashboard.own_game.composition import LAST, Clause, Composition
from tabletape.dashboard.own_game.game import OwnGame
from tabletape.dashboard.own_game.look import CiteSentence
from tabletape.dashboard.own_game.questions import Ask, RuleQuestion
from tabletape.dashboard.own_game.rulebook_words import words_of
from tabletape.events.importing.maps.counted import forms_of, plurals_of

BLANK: Final = re.compile(r"\((a number|a card|a move)\)")
"""What a choice leaves open."""

_OF_KIND: Final = "="
"""What a clause counts that speaks only of lines with the card which is filled in."""

Details = Mapping[str, tuple[Clause, ...]]
"""The choices of one thing that is limited, in words, with the conditions that they are; `?` stands for the blank."""


def composed_by(game: OwnGame, sentence: CiteSentence, ask: Ask) -> tuple[Composition, ...]:
    """Return the rule that somebody composes, of one move or the same of several; nothing where a step is left open."""
    moves = game.limitable
    named = [move for move in game.moves if game.is_named(move, sentence.text)]
    usual = named[0] if len(named) == 1 and named[0] in moves else ""
    told = ("By its words alone it is not understood: say what it limits, beginning with the move.",)
    answer = ask(RuleQuestion("move", "Which move is it about", tuple(moves), usual, told=told, several=True))
    meant = [each for each in moves if each in answer.split(", ")]
    if not meant:
        return ()
    move = meant[0]
    place = _place_of(game, sentence)
    limits = limits_of(game, move, place)
    likely = [what for what in limits if _is_told(what, sentence.text)]
    is_narrow = bool(likely) and len(likely) < len(limits) // 2
    choices = (*likely, _OTHER) if is_narrow else tuple(limits)
    what = ask(RuleQuestion("what", f"What has to be so of {move}", choices))
    if is_narrow and what == _OTHER:
        what = ask(RuleQuestion("what", f"What else may it be of {move}", tuple(limits)))
    if what not in limits:
        return ()
    chosen, _, filled = ask(RuleQuestion("detail", f"{move}: {what}", tuple(limits[what]))).partition("\t")
    clauses = limits[what].get(chosen)
    if clauses is None:
        return ()
    if (blank := BLANK.search(chosen)) and not _fits(filled, blank[1], game, move):
        filled = ask(RuleQuestion("value", f"{move}: {chosen}", _values(blank[1], game, move)))
        if not _fits(filled, blank[1], game, move):
            return ()
    join = "or" if " or " in chosen and len(clauses) > 1 else "and"
    kind = filled if any(each.of == _OF_KIND for each in clauses) else ""
    made = tuple(_filled(each, filled) for each in clauses)
    return tuple(Composition(each, made, join, kind, (), place) for each in meant)


def _place_of(game: OwnGame, sentence: CiteSentence) -> str:
    """Return the place that a sentence names; else the only own one of the rulebook, or `row` if there is none."""
    words = words_of(game)
    said = words.places & {*re.findall(r"\w+", sentence.text.casefold())}
    own = words.own - {"hand", "hands"}
    place = min(said or own, key=len, default="row")
    return place if said or own <= {place, *forms_of(place), *plurals_of(place)} else "row"


_OTHER: Final = "something else"
_TOLD_BY: Final = {
    "how often": r"once|twice|times|rounds?|game|in a row|(?:per|a|each|every|one) turn",
    "which move": r"after|before|until|unless|first|then|next|followed?|turn in which",
    "how many cards at once": r"together|alone|at once|kinds?|colou?rs?|suits?|different|pairs?|cards? of",
    "the card before it": r"last|top|previous|higher|lower|bigger|smaller|less than|before it|below it|on top of",
    "the last card of": r"last (?:\w+ )?of another|(?:his|her|their) (?:last|top)",
    "how many cards lie": r"empty|full|room|space|lies?|lying|holds?|on the table|in front of",
    "the number that": r"number|bids?|at least|at most|higher than",
    "who is named": r"another player|the other player|opponent|yourself|on (?:the|your) (?:left|right)|same player",
}
"""The words of a sentence by which it may be about one of the things that are limited, by how that begins."""


def _is_told(what: str, text: str) -> bool:
    """Return whether a sentence has a word by which it may be about one of the things that are limited."""
    words = next((words for begun, words in _TOLD_BY.items() if what.startswith(begun)), "(?!)")
    return re.search(rf"\b(?:{words})\b", text, re.IGNORECASE) is not None


def _filled(clause: Clause, value: str) -> Clause:
    of = "" if clause.of == _OF_KIND else clause.of.replace("?", value)
    return clause._replace(object=clause.object.replace("?", value), of=of, span=clause.span.replace("?", value))


def _values(blank: str, game: OwnGame, move: str) -> tuple[str, ...]:
    moves = tuple(each for each in game.moves if each != move)
    return {"a number": (), "a card": (*game.kinds, *game.groups), "a move": moves}[blank]


def _fits(value: str, blank: str, game: OwnGame, move: str) -> bool:
    return value.isdecimal() if blank == "a number" else value in _values(blank, game, move)


def limits_of(game: OwnGame, move: str, place: str) -> dict[str, Details]:
    """Return what may be limited of a move by what its lines say, each with its choices."""
    cards, named = bool(game.field_of(move, "cards")), bool(game.field_of(move, "to"))
    number, several = bool(game.field_of(move, "number")), len(game.moves) > 1
    has_number = "number" in game.properties and not number  # Else the number stands beside the card in the line.
    number = number and not ("number" in game.properties and cards)
    said: dict[str, Details] = {
        "how often it is done": _OFTEN,
        "which move comes before or after it": _ORDER if several else {},
        "how many cards at once, and which": _cards(game) if cards else {},
        f"the card before it on the own {place}": _last("own", numbered=has_number) if cards else {},
        "the last card of the player who is named": _last("to", numbered=has_number) if cards and named else {},
        "the card before it on a common pile": _last("all", numbered=has_number) if cards else {},
        f"how many cards lie on the own {place}": _lying("own", cards=cards),
        "how many cards lie there of the player who is named": _lying("to", cards=False) if named else {},
        "the number that the line says": _SAID if number else {},
        "who is named": _NAMED if named else {},
    }
    return {what: details for what, details in said.items() if details}


_OFTEN: Final[Details] = {
    "never twice in a row by the same player": (Clause("done", "<=", "1", span="row"),),
    "at most (a number) times in a turn": (Clause("done", "<=", "?", span="turn"),),
    "at most (a number) times in a round": (Clause("done", "<=", "?", span="round"),),
    "at most (a number) times in a game by each player": (Clause("done", "<=", "?", span="game"),),
    "at most (a number) times in a game by all together": (Clause("done", "<=", "?", whose="all", span="game"),),
    "not in the first rounds: (a number)": (Clause("round", ">", "?"),),
}
_ORDER: Final[Details] = {
    "only after the player has done (a move)": (Clause("after", "=", "?"),),
    "only right after the player has done (a move)": (Clause("after", "=", "?", span="just"),),
    "not right after the player has done (a move)": (Clause("after", "!=", "?", span="just"),),
    "only after somebody has done (a move)": (Clause("after", "=", "?", whose="all"),),
    "the player has to do (a move) next": (Clause("then", "=", "?"),),
    "once until the player has done (a move)": (Clause("done", "<=", "1", span="since:?"),),
}
_SAID: Final[Details] = {
    "at least (a number)": (Clause("said", ">=", "?"),),
    "at most (a number)": (Clause("said", "<=", "?"),),
    "higher than the one before": (Clause("said", ">", "before", whose="all", span="row"),),
    "higher than the player's own before": (Clause("said", ">", "before", span="row"),),
    "as many as cards lie in the own row": (Clause("said", "=", "lying"),),
}
_NAMED: Final[Details] = {
    "another player": (Clause("to", "=", "other"),),
    "the next player": (Clause("to", "=", "left"),),
    "the player before": (Clause("to", "=", "right"),),
    "the same player at most (a number) times in a game": (Clause("done", "<=", "?", whose="to", span="game"),),
}


def _cards(game: OwnGame) -> Details:
    of_kinds: Details = {
        "never (a card)": (Clause("kind", "!=", "?"),),
        "only (a card)": (Clause("kind", "=", "?"),),
        "(a card) only alone": (Clause("cards", "<=", "1", _OF_KIND),),
        "all of one kind": (Clause("kinds", "=", "1"),),
    }
    return {
        "at most (a number) cards": (Clause("cards", "<=", "?"),),
        "at least (a number) cards": (Clause("cards", ">=", "?"),),
        "exactly (a number) cards": (Clause("cards", "=", "?"),),
        **(of_kinds if game.kinds else {}),
    }


def _last(whose: str, *, numbered: bool) -> Details:
    def clause(subject: str, relation: str) -> Clause:
        return Clause(subject, relation, LAST, whose=whose)

    kind, number = clause("kind", "="), clause("number", "=")
    of_numbers: Details = {
        "a higher number": (clause("number", ">"),),
        "a lower number": (clause("number", "<"),),
        "the same kind or a higher number": (kind, clause("number", ">")),
        "the same kind or a lower number": (kind, clause("number", "<")),
        "the same kind or the same number": (kind, number),
        "the same number": (number,),
        "another number": (clause("number", "!="),),
        "a number that is one more or one less": (clause("number", "next"),),
    }
    return {"the same kind": (kind,), "another kind": (clause("kind", "!="),), **(of_numbers if numbered else {})}


def _lying(whose: str, *, cards: bool) -> Details:
    def clause(relation: str, number: str, of: str = "", *, after: bool = False) -> tuple[Clause, ...]:
        return (Clause("lying", relation, number, of, whose, after=after),)

    of_cards: Details = {
        "at most (a number) lie there then": clause("<=", "?", after=True),
        "no two of the same kind": clause("=", "0", "same"),
        "at most (a number) of the same kind then": clause("<=", "?", "same", after=True),
    }
    return {
        "at least (a number) lie there": clause(">=", "?"),
        "at most (a number) lie there": clause("<=", "?"),
        "none lies there": clause("=", "0"),
        "(a card) lies there": clause(">=", "1", "?"),
        "(a card) does not lie there": clause("=", "0", "?"),
        **(of_cards if cards else {}),
    }
