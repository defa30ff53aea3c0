"""The forms of sentences that rule files know (`forms.toml`): what a sentence may say, filled in by its own words.

What of it the sentence leaves open, a person is asked, and nothing is written before somebody says that it is meant so.
"""

import re
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from itertools import pairwise
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from tabletape.dashboard.own_game import line_rules, turn_rules
from tabletape.dashboard.own_game.file import LAYS
from tabletape.dashboard.own_game.game import Blanks, FirstRule, OwnGame, both
from tabletape.dashboard.own_game.look import SMALL_WORDS, WORD, CiteSentence, number_of
from tabletape.events.importing.maps.counted import forms_of
from tabletape.events.importing.maps.move_words import forms_of_verb
from tabletape.events.rules_file.reading import UNCOUNTED

BLANKS: Final = {"move": "(a move)", "kind": "(a card)", "other": "(another card)", "number": "(a number)"}
"""How the blanks of a form are shown where nothing is filled in."""

_QUALIFIED: Final = re.compile(
    r"\b(?:unless|except\w*|if|when(?:ever)?|while|until|before|after|as (?:long|soon|often) as|instead|otherwise|but|"
    r"however|only|(?<!at )once|twice|during|without|in the (?:first|second|last|next|same|following) \w+|"
    r"at the (?:end|beginning|start)|from the \w+ (?:round|turn)|on top|the (?:dealer|winner|loser|leader)|"
    r"(?:first|last|starting|youngest|oldest|second|next|losing|winning) player|with \w+ players|"
    r"in a game (?:of|for|with))\b[^.;]*",
    re.IGNORECASE,
)
"""With these words a sentence says when something holds, and when not."""

BUILDERS: Final[Mapping[str, Callable[[OwnGame, Blanks, CiteSentence], FirstRule | None]]] = {
    "follow": line_rules.follow,
    "draws-first": turn_rules.draw_first,
    "hand-limit": turn_rules.hand_limit,
    "actions": turn_rules.actions,
    "once": line_rules.once,
    "lies": line_rules.lies,
    "no-second": line_rules.no_second,
    "other-player": line_rules.other_player,
    "not-in-a-row": line_rules.in_a_row,
    "not-first-round": line_rules.first_round,
    "kind-not-first-round": line_rules.first_round,
    "deal": turn_rules.deal,
    "costs": line_rules.costs,
}
"""How the rules of forms are written that look at more than their line."""


class SentenceForm(NamedTuple):
    """A form of sentences: what it says in words with its blanks, the words by which it is known.

    `line`: what it says of a line, where it looks at no more than that.
    """

    name: str
    words: str
    known_by: re.Pattern[str]
    holds: re.Pattern[str] | None
    line: line_rules.LinePattern | None

    @property
    def blanks(self) -> list[str]:
        """What has to be filled in, in its order."""
        return re.findall(r"\{(\w+)\}", self.words)

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
            re.compile("|".join(table["known_by"]), re.IGNORECASE),
            re.compile(table["holds"], re.IGNORECASE) if "holds" in table else None,
            _line(table),
        )
        for name, table in tomllib.loads(text).items()
    )


def _line(table: Mapping[str, Any]) -> line_rules.LinePattern | None:
    if "that" not in table:
        return None
    return line_rules.LinePattern(table["name"], tuple(table["fields"]), table["that"])


def fitting(sentence: CiteSentence, game: OwnGame) -> SentenceForm | None:
    """Return the form that a sentence has by its words, and of whose cards it speaks; None where it has none."""
    fits = [form for form in forms() if form.known_by.search(sentence.text)]
    full = (form for form in fits if {"kind", "other"} & {*form.blanks} <= {*filled_from(form, game, sentence.text)})
    rest = (form for form in fits if form.name != "never")  # Much cannot be that is no move.
    form = next(full, next(rest, None))
    is_open = form is not None and form.name == "never" and "move" not in filled_from(form, game, sentence.text)
    return next(rest, None) if is_open else form


def says_more(form: SentenceForm, sentence: CiteSentence, game: OwnGame) -> str:
    """Return what a sentence says that its form does not hold: `unless ...`, `ripe apples`; empty if nothing."""
    left = form.holds.sub(" ", sentence.text, count=1) if form.holds is not None else sentence.text
    if more := _QUALIFIED.search(left):
        return " ".join(more[0].split()).rstrip(" .,;")
    words = WORD.findall(sentence.text.casefold())
    kind = filled_from(form, game, sentence.text).get("kind", "")
    return next((f"{one} {two}" for one, two in pairwise(words) if kind in forms_of(two) and _tells(one, game)), "")


def _tells(word: str, game: OwnGame) -> bool:
    """Return whether a word before a card tells which of its kind are meant, as `ripe` does."""
    is_move = any(move in forms_of_verb(word) for move in game.moves)
    is_kind = any(kind in forms_of(word) for kind in game.kinds)
    return not (is_move or is_kind or number_of(word) or word in SMALL_WORDS)


def own_game(raw: Mapping[str, Any], sentences: Sequence[CiteSentence], *, draws: bool) -> OwnGame:
    """Return a game by the tables of its file, with the sentences of its rulebook that say all of a form.

    `draws`: cards are drawn in its stored games.
    """
    bare = OwnGame(raw, {}, draws)
    said: dict[str, tuple[Blanks, CiteSentence]] = {}
    for sentence in sentences:
        form = fitting(sentence, bare)
        if (
            form is not None
            and not says_more(form, sentence, bare)
            and {*form.blanks} <= {*(blanks := filled_from(form, bare, sentence.text))}
        ):
            said.setdefault(form.name, (blanks, sentence))
    return bare._replace(said=said)


def filled_from(form: SentenceForm, game: OwnGame, text: str) -> dict[str, str]:
    """Return what of a form's blanks a sentence says."""
    words = [word.casefold() for word in WORD.findall(text)]
    singular = [each for word in words for each in forms_of(word)]
    kinds = sorted((kind for kind in game.kinds if kind in singular), key=singular.index)
    said = form.known_by.search(text)  # A number of the form comes before others of the sentence.
    counted = re.findall(r"\w+", f"{said[0] if said else ''} {text}")
    numbers = [str(number) for word in counted if (number := number_of(word))]
    if several := re.search(r"\b(?:one|1) (?:to|or) (\w+)", text, re.IGNORECASE):
        numbers = [str(number_of(several[1]))]
    if form.name == "costs":
        numbers = [str(number_of(paid["number"])) for paid in line_rules.PAID.finditer(text)]
    numbers += ["1"] * bool(re.search(r"\b(?:a|an|eine) (?:new )?(?:card|karte)\b", text, re.IGNORECASE))
    filled = {"move": _moves_in(form, game, words)[:1], "kind": kinds[:1], "other": kinds[1:2], "number": numbers[:1]}
    return {name: filled[name][0] for name in form.blanks if filled[name]}


def _moves_in(form: SentenceForm, game: OwnGame, words: Sequence[str]) -> list[str]:
    """Return the moves that a sentence speaks of; the one that lays cards where it names none and there is one."""
    said = {each for word in words for each in forms_of_verb(word)}
    moves = [move for move in game.moves if {move, *game.raw["move"][move].get("called", ())} & said]
    if form.name == "follow":  # Whoever leads follows nobody.
        return [move for move in moves if move != "lead"] or [move for move in game.moves if move in LAYS - {"lead"}]
    moves = [move for move in moves if move != game.draw or form.blanks == ["move"]]
    if form.name == "costs":  # What is paid is not for paying.
        moves = [move for move in moves if move not in {"pay", "cost"}]
    laying = [move for move in game.moves if game.field_of(move, "cards")]
    return moves or (laying if "kind" in form.blanks and len(laying) == 1 else [])


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
    if form.line is not None:
        rule = line_rules.of_line(form.line, game, blanks, sentence)
    else:
        rule = BUILDERS[form.name](game, blanks, sentence)
    if rule is None:
        return None
    rule = rule._replace(words=form.shown(blanks))
    copies = blanks.get("copies", "")
    if not (copies.isascii() and copies.isdigit() and int(copies)):
        return rule
    changes = both(rule.changes, {"cards": {"copies": int(copies)}})
    return rule._replace(changes=changes, taken=(*rule.taken, f"there are {copies} of each card"))
