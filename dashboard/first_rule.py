"""The file of an own game begun: a few questions in words, and the file with first rules that the answers make."""

import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Final, NamedTuple
from unicodedata import normalize

import tomlkit

from tabletape.events.errors import RefusedError
from tabletape.events.rules_file.parser import OVER
from tabletape.events.rules_file.scope import reserved
from tabletape.events.vocabulary import games
from tabletape.events.vocabulary.names import slug_of
from tabletape.events.vocabulary.open_games import games_of
from tabletape.events.whole_files import made_folder, write_whole

NAME: Final = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
"""What a game is called in the log."""

NAMED: Final = {"another": "other player", "other": "other player", "any": "player", "a": "player", "nobody": ""}
"""The fields that are meant by the first word of whom one names."""

USUAL_ZONES: Final = {"deck": "shared hidden", "hand": "own"}
"""Who has these zones and looks in; of others it is asked whose they are, and all look in."""

PLAYERS: Final = re.compile(r"(\d{1,3})\s*(?:(?:-|\u2013|to)\s*(\d{1,3}))?")
COST: Final = re.compile(r"(\d{1,6})\s+(.+)")
MOST: Final = 1000
"""The most of a number that is asked for."""

UNSAID: Final = "something"
"""What a move changes of which the file does not say it: what rests on that is not judged."""

NONE: Final = frozenset({"", "nothing", "any", "none", "no"})
"""Answers by which nothing is stated."""

TAKEN: Final = frozenset({*OVER, *reserved({}, {}).names, "next", "if", "each", "it"})
"""The words of the language in which a file says what has to be so: no place and no counter is called so."""

SENTENCE: Final = "Which sentence of the rulebook says so? In your own words"
PLACE: Final = "Where does that stand? Such as L12 or p. 3"


class FirstQuestion(NamedTuple):
    """What is asked for a new file: the name of its answer, the question, and the usual answer if there is one."""

    name: str
    text: str
    usual: str


def questions(answers: Mapping[str, str]) -> Iterator[FirstQuestion]:
    """Yield what is asked for a new file; each answer has to be in `answers` before the next question is taken.

    Whoever takes every usual answer has stated no rule: nobody is accused by what was only not answered.
    """
    yield FirstQuestion("title", "What is the game called?", "")
    yield FirstQuestion("players", "How many play, at least and at most?", "2-4")
    yield FirstQuestion(
        "moves", "What can one do in a turn? A word for each, as the log says it, such as play, draw, pass", "play"
    )
    yield FirstQuestion(
        "turn", "How many of these does one do until the next player is on turn? A number, or any", "any"
    )
    if answers["turn"].strip() not in NONE:
        yield from _stated("turn", "The players take turns.")
    yield FirstQuestion("deal", "How many cards does everybody hold at the beginning? A number, or any", "any")
    if answers["deal"].strip() not in NONE:
        yield from _stated("deal", f"Everybody begins with {answers['deal'].strip()} cards.")
    placed: set[str] = {*USUAL_ZONES}
    for move in moves_of(answers):
        yield from _about(move, answers, placed)


def _about(move: str, answers: Mapping[str, str], placed: set[str]) -> Iterator[FirstQuestion]:
    """Yield what is asked about a move; `placed` are the places of cards and the counters that are known already."""
    yield from _about_card(move, answers, placed)
    yield FirstQuestion(
        f"{move} named", f"To {move}: whom does one name? another player, any player, or nobody", "nobody"
    )
    source, target = _place(answers, f"{move} from"), _place(answers, f"{move} to")
    if source or _named(answers[f"{move} named"]):
        says = f"To {move}, a card is taken from the {source}." if source else f"To {move}, a player is named."
        yield from _stated(f"{move} field", says)
    if target:
        yield FirstQuestion(f"{move} most", f"How many cards may lie in {target} at most? A number, or any", "any")
        if answers[f"{move} most"].strip() not in NONE:
            yield from _stated(f"{move} most", f"At most {answers[f'{move} most'].strip()} cards lie in {target}.")
    yield from _about_counters(move, answers, placed)


def _about_card(move: str, answers: Mapping[str, str], placed: set[str]) -> Iterator[FirstQuestion]:
    """Yield from where to where a move takes a card, and whose a new place is."""
    where = "from where does one take a card? hand, deck, another place, or nothing"
    yield FirstQuestion(f"{move} from", f"To {move}: {where}", "nothing")
    source = _place(answers, f"{move} from")
    if not source:
        return
    yield FirstQuestion(f"{move} to", f"To {move}: where does that card go?", "hand" if source != "hand" else "table")
    for place in (source, _place(answers, f"{move} to")):
        if place and place not in placed:
            placed.add(place)
            yield FirstQuestion(
                f"whose {place}", f"Is there one {place} for all, or one of each player? all or each", "all"
            )


def _about_counters(move: str, answers: Mapping[str, str], placed: set[str]) -> Iterator[FirstQuestion]:
    """Yield what a move costs and changes, and how much of a new counter there is at the beginning."""
    yield FirstQuestion(f"{move} cost", f"To {move}: what does it cost? Such as 2 mana, or nothing", "nothing")
    if answers[f"{move} cost"].strip() not in NONE:
        yield from _stated(f"{move} cost", f"It costs {answers[f'{move} cost'].strip()} to {move}.")
    what = "what else does it change? nothing, something, or what one gets, such as 2 water"
    yield FirstQuestion(f"{move} else", f"To {move}: {what}", "")
    for counter in (_cost(answers[f"{move} cost"])[1], _gained(answers[f"{move} else"])[1]):
        if counter and counter not in placed:
            placed.add(counter)
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
    check = CHECKED.get(name) or CHECKED.get(f"{first} ") or CHECKED.get(last)
    if check is not None:
        check(said, answers)


def _require_seats(said: str, _answers: Mapping[str, str]) -> None:
    low, high = _seats(said)
    if not 0 < low <= high:
        raise RefusedError(f"how many play is the fewest and then the most, such as 2-4, not {said!r}")


def _require_number(said: str, _answers: Mapping[str, str]) -> None:
    if said not in NONE and not (said.isascii() and said.isdigit() and int(said) <= MOST):
        raise RefusedError(f"that is a number to {MOST}, or any, not {said!r}")


def _require_whose(said: str, _answers: Mapping[str, str]) -> None:
    if said not in {"all", "each"}:
        raise RefusedError(f"write all or each, not {said!r}")


def _require_moves(said: str, answers: Mapping[str, str]) -> None:
    moves = moves_of(answers)
    if not moves:
        raise RefusedError(f"what one does is a word, such as play, not {said!r}")
    long = next((each for each in moves if each.count("_") > 1), "")
    if long or len(moves) > 20:
        such = long.replace("_", " ") or said
        raise RefusedError(f"a word for each, with commas between them, such as play, draw, pass; not {such!r}")


def _require_place(said: str, answers: Mapping[str, str]) -> None:
    if said in NONE:
        return
    place = word_of(said)
    if not place or place.count("_") > 1 or place in {*moves_of(answers), *TAKEN}:
        raise RefusedError(f"a place of cards is a word that is no move, such as hand, or table; not {said!r}")


def _require_counter(counter: str, answers: Mapping[str, str]) -> None:
    if counter in {*moves_of(answers), *_places(answers), *TAKEN}:
        raise RefusedError(f"what is counted has a name of its own, such as 2 mana; {counter} means something else")


CHECKED: Final[Mapping[str, Callable[[str, Mapping[str, str]], object]]] = {
    "players": _require_seats,
    "moves": _require_moves,
    "turn": _require_number,
    "deal": _require_number,
    "start ": _require_number,
    "whose ": _require_whose,
    "from": _require_place,
    "to": _require_place,
    "most": _require_number,
    "named": lambda said, _answers: _named(said),
    "cost": lambda said, answers: _require_counter(_cost(said)[1], answers),
    "else": lambda said, answers: _require_counter(_gained(said)[1], answers),
}
"""What an answer has to be: by its name, by how that begins, or by what of a move it says."""


def begin_file(file: Path, answers: Mapping[str, str]) -> None:
    """Write the file that answers make, which is read before it is there.

    Raises `GameFileError` where the answers make none that can be read.
    """
    text = written(answers)
    games_of(file.name, file.stem, text)
    with made_folder(file.parent):
        write_whole(file, text)


# -- the file ----------------------------------------------------------------------------------------------------------


def written(answers: Mapping[str, str]) -> str:
    """Return the file that answers make. Raises `RefusedError` for an answer that may mean something else."""
    for name in answers:
        require_answer(name, answers)
    low, high = _seats(answers["players"])
    lines = [f"title = {_quoted(answers['title'])}", f"players = [{low}, {high}]", "", "[zones]"]
    lines += [f'{_key(zone)} = "{seen}"' for zone, seen in USUAL_ZONES.items()]
    lines += [
        f'{_key(place)} = "{"shared" if answers.get(f"whose {place}", "all") == "all" else "open"}"'
        for place in _places(answers)
        if place not in USUAL_ZONES
    ]
    if counters := _counters(answers):
        lines += ["", "[counters]", *(f"{_key(name)} = {{ {start}each = true }}" for name, start in counters.items())]
    if answers["deal"].strip() not in NONE:
        lines += ["", "[deal]", 'zone = "hand"', f"count = {answers['deal'].strip()}", *_sentence(answers, "deal")]
    if answers["turn"].strip() not in NONE:
        lines += ["", "[turn]", 'order = "left"', f"actions = {answers['turn'].strip()}", *_sentence(answers, "turn")]
    for move in moves_of(answers):
        lines += ["", f"[move.{_key(move)}]", *_move(move, answers)]
    return "\n".join([*lines, ""])


def _counters(answers: Mapping[str, str]) -> dict[str, str]:
    """Return the counters that answers name, with what everybody has at the beginning where they say that."""
    found: dict[str, str] = {}
    for move in moves_of(answers):
        for counter in (_cost(answers[f"{move} cost"])[1], _gained(answers[f"{move} else"])[1]):
            start = answers.get(f"start {counter}", "any").strip()
            found |= {counter: "" if start in NONE else f"start = {start}, "} if counter else {}
    return found


def _move(move: str, answers: Mapping[str, str]) -> Iterator[str]:
    source, target = _place(answers, f"{move} from"), _place(answers, f"{move} to")
    named, most = _named(answers[f"{move} named"]), answers.get(f"{move} most", "any").strip()
    if source:
        yield f'fields.card = {{ is = "card of {source}"{_inline(answers, f"{move} field")} }}'
    if named:
        stated = "" if source else _inline(answers, f"{move} field")
        yield f'fields.to = {{ is = "{named}"{stated} }}'
    if most not in NONE:
        yield f'needs.room = {{ that = "size({target}) < {most}"{_inline(answers, f"{move} most")} }}'
    amount, counter = _cost(answers[f"{move} cost"])
    is_unsaid = answers[f"{move} else"].strip() == UNSAID
    if counter and is_unsaid:
        yield f'needs.{counter} = {{ that = "{counter} >= {amount}"{_inline(answers, f"{move} cost")} }}'
    elif counter:
        yield f"costs = {{ {_key(counter)} = {amount}{_inline(answers, f'{move} cost')} }}"
    more, gained = _gained(answers[f"{move} else"])
    if is_unsaid:
        yield "# what it changes is not said: `does = [...]` says it, and more can be judged"
        return
    does = [f"card -> {target}"] * bool(target) + [f"{gained} + {more}"] * bool(gained)
    yield "does = [" + ", ".join(f'"{each}"' for each in does) + "]"


def _sentence(answers: Mapping[str, str], name: str) -> tuple[str, str]:
    return f"says = {_quoted(answers[f'{name} says'])}", f"cite = {_quoted(answers[f'{name} cite'])}"


def _inline(answers: Mapping[str, str], name: str) -> str:
    return ", " + ", ".join(_sentence(answers, name))


def _places(answers: Mapping[str, str]) -> list[str]:
    """Return the places of cards that answers name."""
    named = [_place(answers, f"{move} {way}") for move in moves_of(answers) for way in ("from", "to")]
    return [*dict.fromkeys(filter(None, named))]


def _place(answers: Mapping[str, str], name: str) -> str:
    """Return the place of cards that an answer is, as the file calls it; empty for nothing."""
    said = answers.get(name, "").strip()
    return "" if said in NONE else word_of(said)


def _seats(said: str) -> tuple[int, int]:
    """Return how many play, at least and at most."""
    met = PLAYERS.fullmatch(said.strip())
    if met is None:
        raise RefusedError(f"how many play is a number or two, such as 2-4, not {said!r}")
    return int(met[1]), int(met[2] or met[1])


def _named(said: str) -> str:
    """Return the field for whom one names; empty for nobody."""
    word = (said.split() or ["nobody"])[0]
    if word not in NAMED:
        raise RefusedError(f"one names another player, any player or nobody, not {said!r}")
    return NAMED[word]


def _cost(said: str) -> tuple[int, str]:
    """Return how much of which counter `2 mana` is; no counter for nothing."""
    if said.strip() in NONE:
        return 0, ""
    met = COST.fullmatch(said.strip())
    if met is None or not word_of(met[2]):
        raise RefusedError(f"a cost is a number and what it is of, such as 2 mana, or nothing; not {said!r}")
    return int(met[1]), word_of(met[2])


def _gained(said: str) -> tuple[int, str]:
    """Return how much of which counter one gets, as `_cost` does; none where it is not said."""
    return (0, "") if said.strip() == UNSAID else _cost(said)


def word_of(said: str) -> str:
    """Return a word as a file names things: small letters, and lines between them; empty where it has no letter."""
    kept = "".join(each if each.isalnum() else " " for each in normalize("NFC", said.lower()))
    found = "_".join(word for word in kept.split() if word not in {"the", "a", "an"})
    return found if found.isidentifier() else ""


def _key(word: str) -> str:
    return tomlkit.key(word).as_string()


def _quoted(said: str) -> str:
    return tomlkit.item(" ".join(said.split())).as_string()
