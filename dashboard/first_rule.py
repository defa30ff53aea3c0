"""The questions in words that begin the file of an own game, and what an answer has to be."""

import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Final, NamedTuple
from unicodedata import normalize

from tabletape.events.errors import RefusedError
from tabletape.events.rules_file.parser import OVER
from tabletape.events.rules_file.scope import reserved
from tabletape.events.vocabulary import games
from tabletape.events.vocabulary.names import slug_of

NAME: Final = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
"""What a game is called in the log."""

NAMED_FIELDS: Final = {"another": "other player", "other": "other player", "any": "player", "a": "player", "nobody": ""}
"""The fields that are meant by the first word of whom one names."""

USUAL_ZONES: Final = {"deck": "shared hidden", "hand": "own"}
"""Who has these zones and looks in; of others it is asked whose they are, and all look in."""

_THEIRS: Final = re.compile(
    r"(?:their|his|her|that player['\u2019]?s|the (?:other|named)(?: player)?['\u2019]?s) (.+)|"
    r"(.+) of (?:the other|that|the named)(?: player)?"
)

SPAN: Final = re.compile(r"(\d{1,3})\s*(?:(?:-|\u2013|to)\s*(\d{1,3}))?")
COST: Final = re.compile(r"(\d{1,6})\s+(.+)")
MOST: Final = 1000
"""The most of a number that is asked for."""

DRAW: Final = "draw"
"""What the draw of a turn is called: the maps know the word in all languages."""

WHENS: Final = ("whenever a card goes there", "at the end of a turn")
AT_END: Final = WHENS[1]

UNSAID_EFFECT: Final = "something"
"""What a move changes of which the file does not say it: what rests on that is not judged."""

MOST_DRAWN: Final = 20
"""So many cards a move draws at most: its file says each of them."""

NONE: Final = frozenset({"", "nothing", "any", "none", "no"})
"""Answers by which nothing is stated."""

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


def moves_of(answers: Mapping[str, str]) -> list[str]:
    """Return the moves of a new game as its file calls them."""
    return [
        *dict.fromkeys(word_of(each) for each in re.split(r"[,;/]|\b(?:or|and)\b", answers["moves"]) if word_of(each))
    ]


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


def limited(answers: Mapping[str, str]) -> list[str]:
    """Return the places to which cards go, each of which may hold no more than so many."""
    drawn = [] if answers["first"].strip() in NONE else ["hand"]
    filled = [*drawn, *(place_in(answers, f"{move} to") for move in moves_of(answers))]
    return [place for place in dict.fromkeys(filled) if place not in {"", "deck"}]


def is_at_end(place: str, answers: Mapping[str, str]) -> bool:
    """Return whether a place is looked at only at the end of a turn."""
    return answers.get(f"when: {place}", "").strip() in {"2", AT_END}


def places_of(answers: Mapping[str, str]) -> list[str]:
    """Return the places of cards that answers name."""
    named = [place_in(answers, f"{move} {way}") for move in moves_of(answers) for way in ("from", "to")]
    return [*dict.fromkeys(filter(None, named))]


def place_in(answers: Mapping[str, str], name: str) -> str:
    """Return the place of cards that an answer is, as the file calls it; empty for nothing."""
    said = answers.get(name, "").strip()
    return "" if said in NONE else theirs(said) or word_of(said)


def theirs(said: str) -> str:
    """Return the place, of the player whom one names, that an answer is: `their hand` is hand; else empty."""
    match = _THEIRS.fullmatch(said.strip().casefold())
    return word_of(match[1] or match[2]) if match is not None else ""


def kinds_of(answers: Mapping[str, str]) -> list[str]:
    """Return the kinds of cards that answers name; none where they are not listed, or nobody knows how many."""
    said = answers.get("cards", "any").strip()
    named = [] if said in NONE else [" ".join(each.lower().split()) for each in re.split(r"[,;]|\band\b", said)]
    return [] if answers.get("copies", "1").strip() in NONE else [*dict.fromkeys(filter(None, named))]


def numbers_of(said: str) -> list[int]:
    """Return the numbers that cards have, from low to high; none where they have none."""
    if said.strip() in NONE:
        return []
    met = SPAN.fullmatch(said.strip())
    if met is None or not met[2] or int(met[1]) >= int(met[2]):
        raise RefusedError(f"numbers are from the lowest to the highest, such as 1 to 9, or no; not {said!r}")
    return [*range(int(met[1]), int(met[2]) + 1)]


def seats_of(said: str) -> tuple[int, int]:
    """Return how many play, at least and at most."""
    met = SPAN.fullmatch(said.strip())
    if met is None:
        raise RefusedError(f"how many play is a number or two, such as 2-4, not {said!r}")
    low, high = int(met[1]), int(met[2] or met[1])
    if not 0 < low <= high:
        raise RefusedError(f"how many play is the fewest and then the most, such as 2-4, not {said!r}")
    return low, high


def field_named(said: str) -> str:
    """Return the field for whom one names; empty for nobody."""
    word = (said.split() or ["nobody"])[0]
    if word not in NAMED_FIELDS:
        raise RefusedError(f"one names another player, any player or nobody, not {said!r}")
    return NAMED_FIELDS[word]


def cost_of(said: str) -> tuple[int, str]:
    """Return how much of which counter `2 mana` is; no counter for nothing."""
    if said.strip() in NONE:
        return 0, ""
    met = COST.fullmatch(said.strip())
    if met is None or not word_of(met[2]):
        raise RefusedError(f"a cost is a number and what it is of, such as 2 mana, or nothing; not {said!r}")
    return int(met[1]), word_of(met[2])


def gained_of(said: str) -> tuple[int, str]:
    """Return how much of which counter one gets, as `_cost` does; none where it is not said."""
    return (0, "") if said.strip() == UNSAID_EFFECT else cost_of(said)


def word_of(said: str) -> str:
    """Return a word as a file names things: small letters, and lines between them; empty where it has no letter."""
    letters = "".join(each if each.isalnum() else " " for each in normalize("NFC", said.lower()))
    joined = "_".join(word for word in letters.split() if word not in {"the", "a", "an"})
    return joined if joined.isidentifier() else ""
