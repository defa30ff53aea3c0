"""The forms of sentences about a whole turn, a hand or a price (`forms.toml`), which no composition of a move says.

What of it the sentence leaves open, a person is asked, and nothing is written before somebody says that it is meant so.
"""

import re
import tomllib
from collections.abc import Callable, Collection, Iterator, Mapping
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Final, NamedTuple

from tabletape.dashboard.own_game import line_rules, turn_rules
from tabletape.dashboard.own_game.cited import CiteSentence
from tabletape.dashboard.own_game.file import LAYS
from tabletape.dashboard.own_game.game import Blanks, FirstRule, OwnGame, both
from tabletape.dashboard.own_game.messages import DETERMINERS, SAID_NUMBER, SAID_RANGE, SAID_SEVERAL, WORD, number_of
from tabletape.dashboard.own_game.wording import denials, is_negative, is_permission
from tabletape.events.importing.maps.counted import COUNTS
from tabletape.events.importing.maps.move_words import forms_of_verb
from tabletape.events.rules_file.cards import UNCOUNTED

BLANKS: Final = {"move": "(a move)", "number": "(a number)"}
"""How the blanks of a form are shown where nothing is filled in."""

OWN_WORDS: Final = "own words"
"""Where a sentence stands that stands in no rulebook."""

BUILDERS: Final[Mapping[str, Callable[[OwnGame, Blanks, CiteSentence], FirstRule | None]]] = {
    "follow": line_rules.follow,
    "draws-first": turn_rules.draw_first,
    "hand-limit": turn_rules.hand_limit,
    "actions": turn_rules.actions,
    "deal": turn_rules.deal,
}
"""How the rules of forms are written; what a move costs is a rule of what everybody owns."""


class SentenceForm(NamedTuple):
    """A form of sentences: what it says in words with its blanks, the words by which it is known.

    `lacks`: why a game may have no rule by it.
    """

    name: str
    words: str
    known_by: tuple[re.Pattern[str], ...]
    holds: re.Pattern[str] | None
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
            table.get("lacks", "the sentence does not say what this looks at"),
        )
        for name, table in tomllib.loads(text).items()
    )


def _pattern(text: str) -> re.Pattern[str]:
    return re.compile(text.replace("SEVERAL", SAID_SEVERAL).replace("NUMBER", SAID_NUMBER), re.IGNORECASE)


def fitting(sentence: CiteSentence, game: OwnGame) -> SentenceForm | None:
    """Return the form that a sentence has by its words; most have none."""
    text = game.plain(sentence.text)
    found = next((form for form in forms() if form.found_in(text)), None)
    if found is None and _lists_a_turn(text, game):
        return next(form for form in forms() if form.name == "actions")
    return found


_TURN: Final = re.compile(r"\b(?:turn|on turn)\b", re.IGNORECASE)
_LIST_END: Final = re.compile(r",? or (?P<last>\w+)", re.IGNORECASE)
_NO_LIST: Final = re.compile(r"\b(?:only|not|never|if|after|before|until|unless|both|then|any number)\b", re.IGNORECASE)


def _lists_a_turn(text: str, game: OwnGame) -> bool:
    """Return whether a sentence lists the moves of a turn: `in your turn stack, topple or signal`."""
    named = [move for move in game.moves if game.is_named(move, text)]
    ends = [match["last"] for match in _LIST_END.finditer(text)]
    is_list = 2 * len(named) > len(game.moves) > 1 and any(game.is_named(move, end) for move in named for end in ends)
    numbers = any(number_of(word) > 1 for word in re.findall(r"\w+", text))
    return is_list and _TURN.search(text) is not None and not numbers and _NO_LIST.search(text) is None


def filled_from(form: SentenceForm, game: OwnGame, sentence: CiteSentence) -> dict[str, str]:
    """Return what of a form's blanks a sentence says; no move where it names several, or has one only as a noun.

    What `it` costs is the move above.
    """
    text = game.plain(sentence.text)
    moves = moves_in(form, game, text)
    if form.name == "costs" and not moves and re.match(r"(?:it|this) ", text, re.IGNORECASE):
        moves = [move for move in game.moves if game.is_named(move, sentence.heading)]
    sure = moves if len(moves) == 1 and _is_verb(game.called(moves[0]), text) else []
    filled = {"move": sure, "number": _numbers(form, text)[:1]}
    return {name: filled[name][0] for name in form.blanks if filled[name]}


def _numbers(form: SentenceForm, text: str) -> list[str]:
    """Return the numbers that a sentence says: one of the form comes before others of the sentence."""
    if form.name == "costs":
        return [str(number_of(paid["number"])) for paid in line_rules.PAID.finditer(text)]
    if form.name == "deal" and (cards := re.search(rf"\b({SAID_NUMBER}) (?:\w+ )?cards?\b", text, re.IGNORECASE)):
        return [str(number_of(cards[1]))]
    if form.name == "actions" and (most := SAID_RANGE.search(text)):
        return [str(number_of(most["most"]))]
    numbers = [str(number) for word in re.findall(r"\w+", text) if (number := number_of(word))]
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
    moves = [move for move in moves if move != game.draw]
    return [move for move in moves if move not in {"pay", "cost"}] if form.name == "costs" else moves


_DRAWS_ITSELF: Final = re.compile(
    r"\b(?:or|either|:) (?:\w+ )?(?:draws?|take|takes|picks?)\b.*\bcards?\b|\bdraws?\b[^.]*\bor\b", re.IGNORECASE
)


class OpenQuestion(NamedTuple):
    """What a sentence does not say, and more can be judged if it is known: the name of its blank, the question."""

    name: str
    text: str
    choices: tuple[str, ...] = ()
    usual: str = ""


def open_questions(form: SentenceForm, game: OwnGame, text: str, number: str) -> Iterator[OpenQuestion]:
    """Yield what may be asked beside the blanks of a form, `number` filled in; every one of these may be left open.

    A sentence that lists a draw among the moves of a turn says so itself.
    """
    if form.name == "actions" and game.draws and "draws-first" not in game.said:
        plain = game.plain(text)
        is_listed = game.draw in game.moves and game.is_named(game.draw, plain) and len(moves_in(form, game, plain)) > 1
        usual = "y" if re.search(r"\bor\b", text) and (is_listed or _DRAWS_ITSELF.search(plain)) else ""
        usual = usual or ("n" if not is_listed and _is_part_of_move(form, game, plain) else "")
        many = next((word for word, count in COUNTS.items() if str(count) == number), number)
        among = f"one of the {many} actions" if number != "1" else "the one action"
        yield OpenQuestion("draws", f"Is `{game.draw}` {among} of a turn", ("y", "n"), usual)
    if form.name in {"follow", "draws-first"} and game.raw.get("cards", {}).get("copies") == UNCOUNTED:
        yield OpenQuestion("copies", "How many times is the same card there: 1 if every card is another one? A number")


def _is_part_of_move(form: SentenceForm, game: OwnGame, plain: str) -> bool:
    """Return whether a draw is what one of the moves does that a sentence lists: `Rest. Draw two cards`."""
    listed = moves_in(form, game, plain)
    draws = (each.heading for each in game.sentences if re.match(r"(?:\w+: )?draw\b", each.text, re.IGNORECASE))
    return len(listed) > 1 and any(game.is_named(move, heading) for heading in draws for move in listed)


def lacks_turns(form: SentenceForm, game: OwnGame) -> str:
    """Return what nobody knows of the turns of a game without which it has no rule of a form; empty if nothing."""
    if form.name == "hand-limit":
        return turn_rules.hand_lacks(game)
    return turn_rules.NO_ORDER if form.name in {"draws-first", "actions"} and not game.has_turns else ""


def rule_of(form: SentenceForm, game: OwnGame, blanks: Blanks, sentence: CiteSentence) -> FirstRule | None:
    """Return the rule of a form that is filled in; None where the game does not have what it speaks of."""
    rule = BUILDERS[form.name](game, blanks, sentence) if form.name in BUILDERS else None
    if rule is None:
        return None
    spoken = moves_in(form, game, game.plain(sentence.text)) if "move" in form.blanks else []
    others = tuple(f"{move} is named too, and not watched" for move in spoken if move not in blanks.values())
    rule = rule._replace(words=form.shown(blanks), taken=(*rule.taken, *others))
    copies = blanks.get("copies", "")
    if not (copies.isascii() and copies.isdigit() and int(copies)):
        return rule
    changes = both(rule.changes, {"cards": {"copies": int(copies)}})
    return rule._replace(changes=changes, taken=(*rule.taken, f"there are {copies} of each card"))
