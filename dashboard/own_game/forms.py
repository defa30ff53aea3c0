"""The forms of sentences that rule files know (`forms.toml`): what a sentence may say, filled in by its own words.

What of it the sentence leaves open, a person is asked, and nothing is written before somebody says that it is meant so.
"""

import re
import tomllib
from collections.abc import Callable, Collection, Iterator, Mapping
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from tabletape.dashboard.own_game import line_rules, turn_rules
from tabletape.dashboard.own_game.file import LAYS
from tabletape.dashboard.own_game.game import Blanks, FirstRule, OwnGame, both
from tabletape.dashboard.own_game.line_rules import RulePattern
from tabletape.dashboard.own_game.look import CiteSentence
from tabletape.dashboard.own_game.messages import DETERMINERS, SAID_NUMBER, SAID_SEVERAL, WORD, number_of
from tabletape.dashboard.own_game.wording import UNTELLING, denials, is_negative, is_permission, literals
from tabletape.events.importing.maps.move_words import forms_of_verb
from tabletape.events.rules_file.cards import UNCOUNTED

BLANKS: Final = {
    "move": "(a move)",
    "kind": "(a card)",
    "other": "(another card)",
    "first": "(another move)",
    "number": "(a number)",
}
"""How the blanks of a form are shown where nothing is filled in."""

_NOT_SAID: Final = "the lines of that move do not say each time what this looks at"
_NO_ROUND: Final = "nobody knows when a round is over: watch the sentence first that says what a turn is"

ALLOWS: Final = "This sentence allows something: nothing to watch."
"""What is said of a permission."""

OWN_WORDS: Final = "own words"
"""Where a sentence stands that stands in no rulebook."""

_COUNTS: Final = frozenset({"at-least", "at-most", "kind-at-most"})
BESIDE_COUNTS: Final = _COUNTS | {"same-kind", "other-kind", "other-player"}
"""Sentences that say how many cards often say as well which: two or more of the same kind."""

_PARTS: Final = frozenset({"kind", "other", "first"})
"""Blanks without which a sentence does not have its form."""

BUILDERS: Final[Mapping[str, Callable[[OwnGame, Blanks, CiteSentence], FirstRule | None]]] = {
    "follow": line_rules.follow,
    "draws-first": turn_rules.draw_first,
    "hand-limit": turn_rules.hand_limit,
    "actions": turn_rules.actions,
    "other-player": line_rules.other_player,
    "deal": turn_rules.deal,
    "costs": line_rules.costs,
}
"""How the rules of forms are written that are more than the condition of a move."""


_FIELDS: Final = re.compile(r"(?<![.{\w])(?:cards|back|number)\b")
"""Fields of a line that a condition reads; `it.number` is printed on a card, `{number}` a blank."""


class SentenceForm(NamedTuple):
    """A form of sentences: what it says in words with its blanks, the words by which it is known.

    `rule`: the rule of its move, where it is one. `lacks`: why a game may have no rule by it.
    """

    name: str
    words: str
    known_by: tuple[re.Pattern[str], ...]
    holds: re.Pattern[str] | None
    rule: RulePattern | None
    lacks: str

    @property
    def blanks(self) -> list[str]:
        """What has to be filled in, in its order."""
        return re.findall(r"\{(\w+)\}", self.words)

    def found_in(self, text: str) -> list[re.Match[str]]:
        """Return where a sentence has the form; nowhere where it denies what the form says, or only allows it."""
        if is_permission(text, counts=self.name == "actions"):
            return []
        denied = denials(text)
        patterns = (each for each in self.known_by if is_negative(each.pattern) * 1 == denied)
        return [match for each in patterns for match in each.finditer(text)]

    def words_in(self, text: str) -> set[str]:
        """Return the words of a sentence that the form has itself."""
        said = {*re.findall(r"\w+", text.casefold())} - UNTELLING
        return said & literals(" ".join((*(each.pattern for each in self.known_by), self.words.partition(":")[2])))

    def shown(self, blanks: Blanks = MappingProxyType({})) -> str:
        """Return what it says, with what is filled in, and what is left to fill in in brackets."""
        return self.words.format(**{**BLANKS, **{name: blanks[name] for name in self.blanks if blanks.get(name)}})


@cache
def forms() -> tuple[SentenceForm, ...]:
    """Return all forms, in the order in which a sentence is held against them."""
    text = files("tabletape.dashboard.own_game").joinpath("forms.toml").read_text(encoding="utf-8")
    return tuple(
        SentenceForm(
            name,
            table["words"],
            tuple(map(_pattern, table["known_by"])),
            _pattern(table["holds"]) if "holds" in table else None,
            _rule(table),
            table.get("lacks", _NO_ROUND if "round" in table.get("that", "") else _NOT_SAID),
        )
        for name, table in tomllib.loads(text).items()
    )


def _pattern(text: str) -> re.Pattern[str]:
    return re.compile(text.replace("SEVERAL", SAID_SEVERAL).replace("NUMBER", SAID_NUMBER), re.IGNORECASE)


def _rule(table: Mapping[str, Any]) -> RulePattern | None:
    if "that" not in table:
        return None
    said = {key: table[key] for key in RulePattern._fields if key in table}
    return RulePattern(**said, fields=tuple(dict.fromkeys(_FIELDS.findall(table["that"]))))


def fitting(sentence: CiteSentence, game: OwnGame) -> tuple[SentenceForm, ...]:
    """Return the forms that a sentence has by its words, and of whose cards it speaks: most often one, or none.

    One that says how many cards, and that they are of one kind, has two.
    """
    text = game.plain(sentence.text)
    fits = [form for form in forms() if form.found_in(text) and _suits(form, game, text)]
    if not fits and _lists_a_turn(text, game):
        return tuple(form for form in forms() if form.name == "actions")
    full = (form for form in fits if _PARTS & {*form.blanks} <= {*filled_from(form, game, text)})
    rest = (form for form in fits if {"other", "first"}.isdisjoint(form.blanks) and form.name != "never")
    form = next(full, next(rest, None))
    if form is None or form.name not in BESIDE_COUNTS or _COUNTS.isdisjoint(each.name for each in fits):
        return () if form is None else (form,)
    beside = (each for each in fits if each.name in BESIDE_COUNTS)
    return tuple(
        each for each in beside if (said := filled_from(each, game, text)) and _PARTS & {*each.blanks} <= {*said}
    )


_TURN: Final = re.compile(r"\b(?:turn|on turn)\b", re.IGNORECASE)
_LIST_END: Final = re.compile(r",? or (?P<last>\w+)", re.IGNORECASE)
_NO_LIST: Final = re.compile(r"\b(?:only|not|never|if|after|before|until|unless|both|any number)\b", re.IGNORECASE)


def _lists_a_turn(text: str, game: OwnGame) -> bool:
    """Return whether a sentence lists the moves of a turn: `in your turn stack, topple or signal`."""
    named = [move for move in game.moves if game.is_named(move, text)]
    ends = [match["last"] for match in _LIST_END.finditer(text)]
    is_list = 2 * len(named) > len(game.moves) > 1 and any(game.is_named(move, end) for move in named for end in ends)
    numbers = any(number_of(word) > 1 for word in re.findall(r"\w+", text))
    return is_list and _TURN.search(text) is not None and not numbers and _NO_LIST.search(text) is None


def _suits(form: SentenceForm, game: OwnGame, text: str) -> bool:
    """Return whether a form is one of the move that a sentence names; what cannot be that is no move is no ban."""
    if form.name == "never" and not any(
        moves_in(form, game, match[0]) or match.groupdict().get("these") for match in form.found_in(text)
    ):
        return False
    move = filled_from(form, game, text).get("move")
    return move is None or form.rule is None or form.rule.suits(game, move)


def filled_from(form: SentenceForm, game: OwnGame, text: str) -> dict[str, str]:
    """Return what of a form's blanks a sentence says; no move where it names several, or has one only as a noun.

    Where no move is named, it is the only one that has what the form looks at.
    """
    text = game.plain(text)
    filled = (_filled_by(match, form, game, text) for match in form.found_in(text))
    return max(filled, key=len, default=_filled_by(None, form, game, text))


def _filled_by(match: re.Match[str] | None, form: SentenceForm, game: OwnGame, text: str) -> dict[str, str]:
    """Return what a sentence says of a form's blanks in the parts where its words stand."""
    parts = {name: part for name, part in match.groupdict().items() if part} if match else {}
    main, rest = parts.get("main", text), parts.get("rest", text)
    kinds = game.kinds_in(WORD.findall(parts.get("these", main)))
    others = game.kinds_in(WORD.findall(rest)) if "rest" in parts else kinds[1:]
    if "these" in parts and kinds and "kind" not in form.blanks:
        return {}  # It is said of some cards only.
    moves = moves_in(form, game, main)
    firsts = [move for move in moves_in(form, game, rest) if move not in moves] if "rest" in parts else []
    sure = moves if len(moves) == 1 and _is_verb(game.called(moves[0]), main) else []
    if form.rule is not None and not any(game.called(move) & _verb_forms(text) for move in game.moves):
        able = [move for move in game.moves if form.rule.suits(game, move) and game.field_of(move, "cards")]
        sure = able if len(able) == 1 else []
    numbers = _numbers(form, text, parts.get("these") or (match[0] if match else ""))
    filled = {"move": sure, "kind": kinds[:1], "other": others[:1], "number": numbers[:1], "first": firsts[:1]}
    return {name: filled[name][0] for name in form.blanks if filled[name]}


def _numbers(form: SentenceForm, text: str, said: str) -> list[str]:
    """Return the numbers that a sentence says: one of the form comes before others of the sentence."""
    if form.name == "costs":
        return [str(number_of(paid["number"])) for paid in line_rules.PAID.finditer(text)]
    if several := re.search(r"\b(?:one|1) (?:to|or) (\w+)", text, re.IGNORECASE):
        said = several[1]
    numbers = [str(number) for word in re.findall(r"\w+", f"{said} {text}") if (number := number_of(word))]
    single = re.search(r"\b(?:a|an|eine) (?:new )?(?:card|karte)\b", text, re.IGNORECASE) or form.name == "actions"
    return [*numbers, *(["1"] if single else [])]


def _is_verb(called: Collection[str], text: str) -> bool:
    """Return whether a move stands in a sentence elsewhere than behind an article, or does not stand there."""
    words = [word.casefold() for word in WORD.findall(text)]
    before = [one for one, word in zip(["", *words], words, strict=False) if {*called} & {*forms_of_verb(word)}]
    return not before or not DETERMINERS.issuperset(before)


def _verb_forms(text: str) -> set[str]:
    return {each for word in WORD.findall(text) for each in forms_of_verb(word)}


def moves_in(form: SentenceForm, game: OwnGame, text: str) -> list[str]:
    """Return the moves that a sentence speaks of, in the order of the file."""
    said = _verb_forms(text)
    moves = [move for move in game.moves if game.called(move) & said]
    if form.name == "follow":  # Whoever leads follows nobody.
        return [move for move in moves if move != "lead"] or [move for move in game.moves if move in LAYS - {"lead"}]
    moves = [move for move in moves if move != game.draw or form.blanks == ["move"]]
    return [move for move in moves if move not in {"pay", "cost"}] if form.name == "costs" else moves


class OpenQuestion(NamedTuple):
    """What a sentence does not say, and more can be judged if it is known: the name of its blank, the question."""

    name: str
    text: str
    choices: tuple[str, ...] = ()


def open_questions(form: SentenceForm, game: OwnGame) -> Iterator[OpenQuestion]:
    """Yield what may be asked beside the blanks of a form; every one of these may be left open."""
    if form.name == "actions" and game.draws and "draws-first" not in game.said:
        yield OpenQuestion("draws", "Is a draw one of these?", ("y", "n"))
    if form.name in {"follow", "draws-first"} and game.raw.get("cards", {}).get("copies") == UNCOUNTED:
        yield OpenQuestion("copies", "How many cards are there of each? A number")


def rule_of(form: SentenceForm, game: OwnGame, blanks: Blanks, sentence: CiteSentence) -> FirstRule | None:
    """Return the rule of a form that is filled in; None where the game does not have what it speaks of."""
    if form.rule is not None:
        rule = line_rules.of_pattern(form.rule, game, blanks, sentence)
    else:
        rule = BUILDERS[form.name](game, blanks, sentence)
    if rule is None:
        return None
    spoken = moves_in(form, game, game.plain(sentence.text)) if "move" in form.blanks else []
    others = tuple(f"`{move}` is named too, and not watched" for move in spoken if move not in blanks.values())
    rule = rule._replace(words=form.shown(blanks), taken=(*rule.taken, *others))
    copies = blanks.get("copies", "")
    if not (copies.isascii() and copies.isdigit() and int(copies)):
        return rule
    changes = both(rule.changes, {"cards": {"copies": int(copies)}})
    return rule._replace(changes=changes, taken=(*rule.taken, f"there are {copies} of each card"))
