"""The questions in words that begin the file of an own game, and what an answer has to be."""

import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Final, NamedTuple

from tabletape.dashboard.first_answers import (
    AT_END,
    NONE,
    WHENS,
    cost_of,
    field_named,
    gained_of,
    is_at_end,
    kinds_of,
    limited,
    moves_of,
    numbers_of,
    place_in,
    places_of,
    seats_of,
    theirs,
    word_of,
)
from tabletape.events.errors import RefusedError
from tabletape.events.rules_file.parser import OVER
from tabletape.events.rules_file.scope import reserved
from tabletape.events.vocabulary import games
from tabletape.events.vocabulary.names import slug_of

NAME: Final = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
"""What a game is called in the log."""

USUAL_ZONES: Final = {"deck": "shared hidden", "hand": "own"}
"""Who has these zones and looks in; of others it is asked whose they are, and all look in."""

MOST: Final = 1000
"""The most of a number that is asked for."""

DRAW: Final = "draw"
"""What the draw of a turn is called: the maps know the word in all languages."""

MOST_DRAWN: Final = 20
"""So many cards a move draws at most: its file says each of them."""

TAKEN_WORDS: Final = frozenset({*OVER, *reserved({}, {}).names, "next", "if", "each", "it"})
"""The words of the language in which a file says what has to be so: no place and no counter is called so."""

SENTENCE: Final = "Which sentence of the rulebook says so? In your own words"
PLACE: Final = "Where does that stand? Such as L12 or p. 3"


YES_NO: Final = ("yes", "no")


class FirstQuestion(NamedTuple):
    """What is asked for a new file: the name of its answer, the question, the usual answer if there is one.

    `choices` are its answers where they are few.
    """

    name: str
    text: str
    usual: str
    choices: tuple[str, ...] = ()


def questions(answers: Mapping[str, str]) -> Iterator[FirstQuestion]:
    """Yield what is asked for a new file; each answer has to be in `answers` before the next question is taken.

    Whoever takes every usual answer has stated no rule: nobody is accused by what was only not answered.
    """
    yield FirstQuestion("title", "What is the game called?", "")
    yield FirstQuestion("players", "How many play, at least and at most?", "2-4")
    yield FirstQuestion(
        "cards", "What kinds of cards are there? Their names with commas, or any where they cannot be listed", "any"
    )
    if answers["cards"].strip() not in NONE:
        yield FirstQuestion("numbers", "Do they also have numbers? From which to which, such as 1 to 9, or no", "no")
        each = "kind" if answers["numbers"].strip() in NONE else "kind with each number"
        text = f"How many are there of each {each}? One number, or one for each with commas"
        yield FirstQuestion("copies", text, "" if each == "kind" else "1")
    yield from _about_turn(answers)
    yield FirstQuestion("deal", "How many cards does everybody hold at the beginning? A number, or any", "any")
    if answers["deal"].strip() not in NONE:
        yield from _stated("deal", f"Everybody begins with {answers['deal'].strip()} cards.")
    placed: list[str] = [*USUAL_ZONES]
    for move in moves_of(answers):
        yield from _about(move, answers, placed)
    for place in limited(answers):
        yield from _about_limit(place, answers)


def _about_turn(answers: Mapping[str, str]) -> Iterator[FirstQuestion]:
    """Yield what is asked about a turn: what it begins with, what one does in it, and how many of that."""
    yield FirstQuestion("first", "Does everybody begin a turn by drawing? How many cards, or no", "no")
    draws = answers["first"].strip() not in NONE
    if draws:
        yield from _stated("first", "A turn begins with a draw.")
    beside = "Besides that draw, what" if draws else "What"
    what = f"{beside} can one do in a turn? A word for each, as the log says it, such as play, trade, pass"
    yield FirstQuestion("moves", what, "play")
    moves = [each.replace("_", " ") for each in moves_of(answers)]
    which = f"{', '.join(moves[:-1])} or {moves[-1]}" if len(moves) > 1 else moves[-1]
    much = f"How often does one {which} until the next player is on turn? A number in all, or any"
    yield FirstQuestion("turn", much, "any")
    if answers["turn"].strip() in NONE:
        return
    if answers["turn"].strip() != "1":
        yield FirstQuestion("fewer", "May one also do fewer? yes or no", "yes", YES_NO)
    yield from _stated("turn", "The players take turns.")
    if DRAW in moves_of(answers):
        what = f"Is a draw one of the {answers['turn'].strip()} that one does? yes or no"
        yield FirstQuestion("draw counts", what, "yes", YES_NO)


def _about(move: str, answers: Mapping[str, str], placed: list[str]) -> Iterator[FirstQuestion]:
    """Yield what is asked about a move; `placed` are the places of cards and the counters that are known already."""
    yield from _about_card(move, answers, placed)
    if not (theirs(answers.get(f"{move} to", "")) or theirs(answers[f"{move} from"])):
        whom = f"To {move}: whom does one name? another player, any player, or nobody"
        yield FirstQuestion(f"{move} named", whom, "nobody", ("nobody", "another player", "any player"))
    elif not theirs(answers[f"{move} from"]):
        back = f"To {move}: does that player give a card back? yes or no"
        yield FirstQuestion(f"{move} back", back, "no", YES_NO)
    source = place_in(answers, f"{move} from")
    if source or field_named(answers.get(f"{move} named", "nobody")):
        says = f"To {move}, a card is taken from the {source}." if source else f"To {move}, a player is named."
        yield from _stated(f"{move} field", says)
    yield from _about_counters(move, answers, placed)


def _about_card(move: str, answers: Mapping[str, str], placed: list[str]) -> Iterator[FirstQuestion]:
    """Yield from where to where a move takes a card, how many, and whose a new place is."""
    known = ", ".join(place for place in placed if place in places_of(answers) or place in USUAL_ZONES)
    where = f"from where does one take a card? {known}, their hand (whose, one names), another place, or nothing"
    yield FirstQuestion(f"{move} from", f"To {move}: {where}", "deck" if move == DRAW else "nothing")
    source = place_in(answers, f"{move} from")
    if not source:
        return
    taken = theirs(answers[f"{move} from"])
    if source == "deck":
        yield FirstQuestion(f"{move} drawn", f"To {move}: how many cards are drawn? A number", "1")
    elif not taken:
        many = f"To {move}: one card, or several of them at once? one or several"
        yield FirstQuestion(f"{move} many", many, "one", ("one", "several"))
    goes = f"where does that card go? {known}, {'' if taken else 'their hand (whose, one names), '}or another place"
    yield FirstQuestion(f"{move} to", f"To {move}: {goes}", "table" if source == "hand" and not taken else "hand")
    target = place_in(answers, f"{move} to")
    for place in ("" if taken else source, "" if theirs(answers[f"{move} to"]) else target):
        if place and place not in placed:
            placed.append(place)
            whose = f"Is there one {place} for all, or one of each player? all or each"
            yield FirstQuestion(f"whose {place}", whose, "all", ("all", "each"))


def _about_limit(place: str, answers: Mapping[str, str]) -> Iterator[FirstQuestion]:
    """Yield how many cards may lie in a place, and when that is looked at."""
    most = f"limit: {place}"
    yield FirstQuestion(most, f"How many cards may lie in {place} at most? A number, or any", "any")
    if answers[most].strip() in NONE:
        return
    yield from _stated(most, f"At most {answers[most].strip()} cards lie in {place}.")
    if place != "hand":
        return
    yield FirstQuestion(f"when: {place}", f"When is that looked at? 1: {WHENS[0]}, 2: {AT_END}", "2")
    if is_at_end(place, answers):
        yield FirstQuestion(f"rest: {place}", "  What does one do with the rest? A word, as the log says it", "discard")


def _about_counters(move: str, answers: Mapping[str, str], placed: list[str]) -> Iterator[FirstQuestion]:
    """Yield what a move costs and changes, and how much of a new counter there is at the beginning."""
    yield FirstQuestion(f"{move} cost", f"To {move}: what does it cost? Such as 2 mana, or nothing", "nothing")
    if answers[f"{move} cost"].strip() not in NONE:
        yield from _stated(f"{move} cost", f"It costs {answers[f'{move} cost'].strip()} to {move}.")
    what = "what else does it change? nothing, something, or what one gets, such as 2 water"
    yield FirstQuestion(f"{move} else", f"To {move}: {what}", "")
    for counter in (cost_of(answers[f"{move} cost"])[1], gained_of(answers[f"{move} else"])[1]):
        if counter and counter not in placed:
            placed.append(counter)
            much = f"How many {counter} has everybody at the beginning? A number, or any"
            yield FirstQuestion(f"start {counter}", much, "any")


def _stated(name: str, usual: str) -> Iterator[FirstQuestion]:
    """Yield the questions for the sentence of a rule; where it stands nobody knows but who has the rulebook."""
    yield FirstQuestion(f"{name} says", f"  {SENTENCE}", usual)
    yield FirstQuestion(f"{name} cite", f"  {PLACE}", "")


def file_of_new(folder: Path, slug: str) -> Path:
    """Return where the file of a new game goes.

    Raises `RefusedError` where there is one, or the name is none of a new game.
    """
    if not NAME.fullmatch(slug) or slug in games():
        meant = slug_of(slug)
        such = f": `tabletape rules new {meant}`" if meant != slug and NAME.fullmatch(meant) else ""
        raise RefusedError(
            f"{slug} is no name for a new game: small letters, digits and hyphens, and none that there is{such}"
        )
    file = folder / "games" / f"{slug}.toml"
    if file.exists():
        raise RefusedError(f"{file} is there already: add a rule to it, and see `tabletape rules check {slug}`")
    return file


def require_answer(name: str, answers: Mapping[str, str]) -> None:
    """Raise `RefusedError` where the answer called `name` cannot be used, with what it has to be.

    `answers` are those so far, this one among them.
    """
    said = answers[name].strip()
    if not said:
        raise RefusedError("an answer is needed here")
    first, _, last = name.partition(" ")
    if name.endswith((" says", " cite")):
        return
    check = ANSWER_CHECKS.get(name) or ANSWER_CHECKS.get(f"{first} ") or ANSWER_CHECKS.get(last)
    if check is not None:
        check(said, answers)


def _require_number(said: str, _answers: Mapping[str, str]) -> None:
    if said not in NONE and not (said.isascii() and said.isdigit() and int(said) <= MOST):
        raise RefusedError(f"that is a number to {MOST}, or any, not {said!r}")


def _one_of(*words: str) -> Callable[[str, Mapping[str, str]], None]:
    """Return the check of a question that has these answers."""

    def check(said: str, _answers: Mapping[str, str]) -> None:
        if said not in words:
            raise RefusedError(f"write {' or '.join(words)}, not {said!r}")

    return check


def _require_copies(said: str, answers: Mapping[str, str]) -> None:
    last, copies = numbers_of(answers.get("numbers", "no")) or kinds_of(answers), said.replace(",", " ").split()
    if said in NONE:
        return
    if not all(each.isascii() and each.isdigit() for each in copies) or len(copies) not in {1, len(last)}:
        raise RefusedError(f"that is one number, or {len(last)} of them with commas, or any; not {said!r}")


def _require_drawn(said: str, _answers: Mapping[str, str]) -> None:
    if not (said.isascii() and said.isdigit() and 0 < int(said) <= MOST_DRAWN):
        raise RefusedError(f"that is a number from 1 to {MOST_DRAWN}, not {said!r}")


def _require_rest(said: str, answers: Mapping[str, str]) -> None:
    if not word_of(said) or word_of(said) in {*moves_of(answers), *places_of(answers), *TAKEN_WORDS}:
        raise RefusedError(f"that is a word for laying cards away, and for nothing else, such as discard; not {said!r}")


def _require_moves(said: str, answers: Mapping[str, str]) -> None:
    moves = moves_of(answers)
    if not moves:
        raise RefusedError(f"what one does is a word, such as play, not {said!r}")
    if DRAW in moves and answers["first"].strip() not in NONE:
        raise RefusedError("each turn begins with a draw: name only what one does besides it, such as lay, trade")
    long = next((each for each in moves if each.count("_") > 1), "")
    if long or len(moves) > 20:
        such = long.replace("_", " ") or said
        raise RefusedError(f"a word for each, with commas between them, such as play, draw, pass; not {such!r}")


def _require_place(said: str, answers: Mapping[str, str]) -> None:
    if said in NONE:
        return
    place = theirs(said) or word_of(said)
    if not place or place.count("_") > 1 or place in {*moves_of(answers), *TAKEN_WORDS, "one", "several", "yes"}:
        raise RefusedError(
            "a place of cards is a word that is no move, such as hand, table, or their hand for that of the player "
            f"whom one names; not {said!r}"
        )


def _require_counter(counter: str, answers: Mapping[str, str]) -> None:
    if counter in {*moves_of(answers), *places_of(answers), *TAKEN_WORDS}:
        raise RefusedError(f"what is counted has a name of its own, such as 2 mana; {counter} means something else")


ANSWER_CHECKS: Final[Mapping[str, Callable[[str, Mapping[str, str]], object]]] = {
    "players": lambda said, _answers: seats_of(said),
    "moves": _require_moves,
    "turn": _require_number,
    "deal": _require_number,
    "start ": _require_number,
    "whose ": _one_of("all", "each"),
    "copies": _require_copies,
    "numbers": lambda said, _answers: numbers_of(said),
    "drawn": _require_drawn,
    "first": _require_number,
    **dict.fromkeys(("fewer", "draw counts", "back"), _one_of("yes", "no")),
    "many": _one_of("one", "several"),
    "when: ": _one_of(*WHENS, "1", "2"),
    "rest: ": _require_rest,
    "limit: ": _require_number,
    "from": _require_place,
    "to": _require_place,
    "named": lambda said, _answers: field_named(said),
    "cost": lambda said, answers: _require_counter(cost_of(said)[1], answers),
    "else": lambda said, answers: _require_counter(gained_of(said)[1], answers),
}
"""What an answer has to be: by its name, by how that begins, or by what of a move it says."""
