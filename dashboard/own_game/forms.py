"""The forms of sentences that rule files know (`forms.toml`): what a sentence may say, filled in by its own words.

What of it the sentence leaves open, a person is asked, and nothing is written before somebody says that it is meant so.
"""

import re
import tomllib
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from tabletape.dashboard.own_game import line_rules, turn_rules
from tabletape.dashboard.own_game.file import LAYS
from tabletape.dashboard.own_game.game import Blanks, FirstRule, OwnGame, both
from tabletape.dashboard.own_game.look import WORD, CiteSentence, number_of
from tabletape.dashboard.own_game.wording import denials, is_negative, is_permission, left_over, literals, unnumbered
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
    r"(?:one|two|three|four|\d) players|in a game (?:of|for|with))\b[^.;]*",
    re.IGNORECASE,
)
"""With these words a sentence says when something holds, and when not."""

ALLOWS: Final = "This sentence allows something: nothing to watch."
"""What is said of a permission."""

OWN_WORDS: Final = "own words"
"""Where a sentence stands that stands in no rulebook."""

_COUNTS: Final = frozenset({"at-least", "at-most"})
_BESIDE_COUNTS: Final = frozenset({"at-least", "at-most", "same-kind", "other-kind", "other-player"})
"""Sentences that say how many cards often say as well which: two or more of the same kind."""

_KINDS: Final = frozenset({"kind", "kinds", "color", "colour", "colours", "suit", "suits", "type", "sort", "fruit"})
"""What a kind of cards may be called."""

_DETERMINERS: Final = frozenset(
    {"a", "an", "the", "this", "each", "every", "any", "his", "her", "their", "your", "own"}
)
"""Behind one of these stands a noun: `in this auction` says no move."""

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
    known_by: tuple[re.Pattern[str], ...]
    holds: re.Pattern[str] | None
    line: line_rules.LinePattern | None

    @property
    def blanks(self) -> list[str]:
        """What has to be filled in, in its order."""
        return re.findall(r"\{(\w+)\}", self.words)

    def found_in(self, text: str) -> re.Match[str] | None:
        """Return where a sentence has the form; None too where it denies what the form says, or only allows it."""
        if is_permission(text, counts=self.name == "actions"):
            return None
        denied = denials(text)
        fits = (each.search(text) for each in self.known_by if is_negative(each.pattern) * 1 == denied)
        return next((match for match in fits if match), None)

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
            tuple(re.compile(each, re.IGNORECASE) for each in table["known_by"]),
            re.compile(table["holds"], re.IGNORECASE) if "holds" in table else None,
            _line(table),
        )
        for name, table in tomllib.loads(text).items()
    )


def _line(table: Mapping[str, Any]) -> line_rules.LinePattern | None:
    if "that" not in table:
        return None
    return line_rules.LinePattern(table["name"], tuple(table["fields"]), table["that"])


def fitting(sentence: CiteSentence, game: OwnGame) -> tuple[SentenceForm, ...]:
    """Return the forms that a sentence has by its words, and of whose cards it speaks: most often one, or none.

    One that says how many cards, and that they are of one kind, has two.
    """
    text = unnumbered(sentence.text)
    fits = [form for form in forms() if form.found_in(text)]
    full = (form for form in fits if {"kind", "other"} & {*form.blanks} <= {*filled_from(form, game, text)})
    rest = (form for form in fits if form.name != "never")  # Much cannot be that is no move.
    form = next(full, next(rest, None))
    if form is not None and form.name == "never" and not _denies_a_move(form, game, text):
        form = next(rest, None)
    if form is None or form.name not in _BESIDE_COUNTS or _COUNTS.isdisjoint(each.name for each in fits):
        return () if form is None else (form,)
    return tuple(each for each in fits if each.name in _BESIDE_COUNTS)


def _denies_a_move(form: SentenceForm, game: OwnGame, text: str) -> bool:
    """Return whether it is a move that is denied, as in `cannot be sold`; `but not teas` denies none."""
    denied = form.found_in(text)
    return denied is not None and bool(_moves_in(form, game, denied[0]))


def left_of(sentence: CiteSentence, game: OwnGame) -> tuple[SentenceForm, ...]:
    """Return the forms of a sentence that its game's file does not have yet; none of one form that is cited there."""
    return fitting(sentence, game)[_times_cited(game.raw, sentence) :]


def _times_cited(raw: object, sentence: CiteSentence) -> int:
    """Return how many tables cite the place of a sentence; where it stands nowhere, how many say it."""
    if not isinstance(raw, Mapping):
        return 0
    key, said = ("says", sentence.text) if sentence.cite == OWN_WORDS else ("cite", sentence.cite)
    return (raw.get(key) == said) + sum(_times_cited(value, sentence) for value in raw.values())


def says_more(form: SentenceForm, sentence: CiteSentence, game: OwnGame) -> str:
    """Return what a sentence says that its forms do not hold: `unless ...`, `ripe`, another card; empty if nothing."""
    left = unnumbered(sentence.text)
    said = {form.name: form, **{each.name: each for each in fitting(sentence, game)}}
    beside = said.values() if form.name in _BESIDE_COUNTS else (form,)
    held = {word for each in beside for word in _held(each, game, left)}
    for each in beside:
        left = each.holds.sub(" ", left, count=1) if each.holds is not None else left
    if len([*beside]) > 1:  # What stands behind `but` is the other form, or is left over.
        left = re.sub(r"\bbut\b", " ", left)
    if more := _QUALIFIED.search(left):
        return " ".join(more[0].split()).rstrip(" .,;")
    return left_over(left, held)


def _held(form: SentenceForm, game: OwnGame, text: str) -> set[str]:
    """Return the words of a sentence that its form holds: its own, what is filled in, and the move."""
    words = [word.casefold() for word in re.findall(r"[\w'-]+", text)]
    blanks = filled_from(form, game, text)
    cards = {blanks[name] for name in ("kind", "other") if name in blanks}
    patterns = (*form.known_by, *([form.holds] if form.holds else []))
    held = {*literals(" ".join(each.pattern for each in patterns)), *literals(form.words.partition(":")[2])}
    held |= _KINDS if form.name in {"same-kind", "other-kind", "no-second", "follow"} else set()
    held |= {word for word in words if not cards.isdisjoint(forms_of(word))}
    held |= {word for word in words if "number" in blanks and str(number_of(word)) == blanks["number"]}
    spoken = _moves_in(form, game, text) if "move" in form.blanks else []
    moves = {called for move in spoken for called in game.called(move)}
    held |= {word for word in words if not moves.isdisjoint(forms_of_verb(word))}
    if form.name == "actions":  # What the moves are stands there too.
        held |= {word for word in words if game.kinds_in([word]) == []}
    if form.name == "costs":
        held |= {word.casefold() for paid in line_rules.PAID.finditer(text) for word in WORD.findall(paid[0])}
    return held


def own_game(raw: Mapping[str, Any], sentences: Sequence[CiteSentence], *, draws: bool) -> OwnGame:
    """Return a game by the tables of its file, with the sentences of its rulebook that say all of a form.

    `draws`: cards are drawn in its stored games.
    """
    bare = OwnGame(raw, {}, draws)
    said: dict[str, tuple[Blanks, CiteSentence]] = {}
    for sentence in sentences:
        for form in fitting(sentence, bare):
            blanks = filled_from(form, bare, sentence.text)
            if {*form.blanks} <= {*blanks} and not says_more(form, sentence, bare):
                said.setdefault(form.name, (blanks, sentence))
    return bare._replace(said=said)


def filled_from(form: SentenceForm, game: OwnGame, text: str) -> dict[str, str]:
    """Return what of a form's blanks a sentence says; no move where it names several, or has one only as a noun."""
    text = unnumbered(text)
    kinds = game.kinds_in(WORD.findall(text))
    said = form.found_in(text)  # A number of the form comes before others of the sentence.
    counted = re.findall(r"\w+", f"{said[0] if said else ''} {text}")
    numbers = [str(number) for word in counted if (number := number_of(word))]
    if several := re.search(r"\b(?:one|1) (?:to|or) (\w+)", text, re.IGNORECASE):
        numbers = [str(number_of(several[1]))]
    if form.name == "costs":
        numbers = [str(number_of(paid["number"])) for paid in line_rules.PAID.finditer(text)]
    numbers += ["1"] * bool(re.search(r"\b(?:a|an|eine) (?:new )?(?:card|karte)\b", text, re.IGNORECASE))
    moves = _moves_in(form, game, text)
    sure = moves if len(moves) == 1 and _is_verb(game.called(moves[0]), text) else []
    filled = {"move": sure, "kind": kinds[:1], "other": kinds[1:2], "number": numbers[:1]}
    return {name: filled[name][0] for name in form.blanks if filled[name]}


def _is_verb(called: Collection[str], text: str) -> bool:
    """Return whether a move stands in a sentence elsewhere than behind an article, or does not stand there."""
    words = [word.casefold() for word in WORD.findall(text)]
    before = [one for one, word in zip(["", *words], words, strict=False) if {*called} & {*forms_of_verb(word)}]
    return not before or not _DETERMINERS.issuperset(before)


def _moves_in(form: SentenceForm, game: OwnGame, text: str) -> list[str]:
    """Return the moves that a sentence speaks of."""
    said = {each for word in WORD.findall(text) for each in forms_of_verb(word)}
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
    if form.line is not None:
        rule = line_rules.of_line(form.line, game, blanks, sentence)
    else:
        rule = BUILDERS[form.name](game, blanks, sentence)
    if rule is None:
        return None
    spoken = _moves_in(form, game, unnumbered(sentence.text)) if "move" in form.blanks else []
    others = tuple(f"`{move}` is named too, and not watched" for move in spoken if move != blanks["move"])
    rule = rule._replace(words=form.shown(blanks), taken=(*rule.taken, *others))
    copies = blanks.get("copies", "")
    if not (copies.isascii() and copies.isdigit() and int(copies)):
        return rule
    changes = both(rule.changes, {"cards": {"copies": int(copies)}})
    return rule._replace(changes=changes, taken=(*rule.taken, f"there are {copies} of each card"))
