"""The file with first rules that the answers about a new game make."""

from collections.abc import Iterator, Mapping
from pathlib import Path

import tomlkit

from tabletape.dashboard.first_answers import (
    NONE,
    UNSAID_EFFECT,
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
from tabletape.dashboard.first_rule import DRAW, USUAL_ZONES, require_answer
from tabletape.events.vocabulary.open_games import games_of
from tabletape.events.whole_files import made_folder, write_whole


def begin_file(file: Path, answers: Mapping[str, str]) -> None:
    """Write the file that answers make, which is read before it is there.

    Raises `GameFileError` where the answers make none that can be read.
    """
    text = written(answers)
    games_of(file.name, file.stem, text)
    with made_folder(file.parent):
        write_whole(file, text)


def written(answers: Mapping[str, str]) -> str:
    """Return the file that answers make. Raises `RefusedError` for an answer that may mean something else."""
    for name in answers:
        require_answer(name, answers)
    low, high = seats_of(answers["players"])
    lines = [f"title = {_quoted(answers['title'])}", f"players = [{low}, {high}]", "", "[zones]", *_zones(answers)]
    if kinds := kinds_of(answers):
        copies = ", ".join(answers["copies"].replace(",", " ").split())
        lines += ["", "[cards]", f"kind = [{', '.join(map(_quoted, kinds))}]"]
        lines += [f"number = {numbers}"] if (numbers := numbers_of(answers["numbers"])) else []
        lines += [f"copies = {f'[{copies}]' if ',' in copies else copies}"]
    if counters := _counters(answers):
        lines += ["", "[counters]", *(f"{_key(name)} = {{ {start}each = true }}" for name, start in counters.items())]
    if _is_said(answers, "deal"):
        lines += ["", "[deal]", 'zone = "hand"', f"count = {answers['deal'].strip()}", *_sentence(answers, "deal")]
    lines += _turn(answers)
    for move in moves_of(answers):
        lines += ["", f"[move.{_key(move)}]", *_move(move, answers)]
    return "\n".join([*lines, *_owed(answers), ""])


def _is_said(answers: Mapping[str, str], name: str) -> bool:
    return answers.get(name, "").strip() not in NONE


def _zones(answers: Mapping[str, str]) -> Iterator[str]:
    for zone, seen in USUAL_ZONES.items():
        yield f'{_key(zone)} = "{seen}"'
    given = {theirs(answers.get(f"{move} {way}", "")) for move in moves_of(answers) for way in ("from", "to")}
    for place in places_of(answers):
        if place not in USUAL_ZONES:
            own = place in given or answers.get(f"whose {place}", "all") == "each"
            yield f'{_key(place)} = "{"open" if own else "shared"}"'
    if _rest(answers):
        yield f'{_away(answers)} = "shared"'


def _rest(answers: Mapping[str, str]) -> str:
    """Return what one does at the end of a turn with cards that are too many; empty where nobody has said so."""
    return word_of(answers.get("rest: hand", "")) if is_at_end("hand", answers) else ""


def _away(answers: Mapping[str, str]) -> str:
    """Return the place of cards that are laid away."""
    return next(name for name in ("discards", "laid_away") if name not in places_of(answers))


def _counters(answers: Mapping[str, str]) -> dict[str, str]:
    """Return the counters that answers name, with what everybody has at the beginning where they say that."""
    counters: dict[str, str] = {}
    for move in moves_of(answers):
        for counter in (cost_of(answers[f"{move} cost"])[1], gained_of(answers[f"{move} else"])[1]):
            start = answers.get(f"start {counter}", "any").strip()
            counters |= {counter: "" if start in NONE else f"start = {start}, "} if counter else {}
    return counters


def _turn(answers: Mapping[str, str]) -> list[str]:
    """Return what a turn is; its sentence is that of a part of it where nobody has said another."""
    first, rest = _is_said(answers, "first"), _rest(answers)
    lines = []
    if _is_said(answers, "turn"):
        lines += [f"actions = {answers['turn'].strip()}", *["fewer = true"] * (answers.get("fewer", "no") == "yes")]
    if first:
        number = answers["first"].strip()
        times = "" if number == "1" else f"times = {number}, "
        lines += [f'first = {{ move = "{DRAW}", {times}unless = "no(deck)"{_inline(answers, "first")} }}']
    if rest:
        limit = f"size(hand) <= {answers['limit: hand'].strip()}"
        lines += [f'last = {{ move = "{rest}", unless = "{limit}"{_inline(answers, "limit: hand")} }}']
    if not lines:
        return []
    sentence = "turn" if _is_said(answers, "turn") else "first" if first else "limit: hand"
    return ["", "[turn]", 'order = "left"', *lines, *_sentence(answers, sentence)]


def _owed(answers: Mapping[str, str]) -> Iterator[str]:
    """Yield the moves that a turn begins and ends with."""
    if _is_said(answers, "first"):
        yield from ("", f"[move.{DRAW}]", "owed = true", 'fields.card = "card of deck"', 'does = ["card -> hand"]')
    if rest := _rest(answers):
        away = f'does = ["card -> {_away(answers)}"]'
        yield from ("", f"[move.{_key(rest)}]", "owed = true", 'fields.card = "card of hand"', away)


def _move(move: str, answers: Mapping[str, str]) -> Iterator[str]:
    source, given = place_in(answers, f"{move} from"), theirs(answers.get(f"{move} to", ""))
    taken = theirs(answers[f"{move} from"])
    named = "other player" if given or taken else field_named(answers[f"{move} named"])
    cards = "cards" if answers.get(f"{move} many", "one").strip() == "several" else "card"
    if taken:
        yield f'fields.to = {{ is = "{named}" }}'
    if source:
        place = f"{taken}(to)" if taken else source
        yield f'fields.{cards} = {{ is = "{cards} of {place}"{_inline(answers, f"{move} field")} }}'
    if named and not taken:
        stated = "" if source else _inline(answers, f"{move} field")
        yield f'fields.to = {{ is = "{named}"{stated} }}'
    back = answers.get(f"{move} back", "no").strip() == "yes"
    if back:
        yield f'fields.back = {{ is = "card of {given}(to)" }}'
    yield from _needs(move, cards, answers)
    if source == "deck" and _is_said(answers, "turn"):
        # Whoever names another word for it among so many things that one does has said that it counts.
        counts = move != DRAW or answers["draw counts"].strip() == "yes"
        yield f"free = {'false' if counts else 'true'}"
    more, gained = gained_of(answers[f"{move} else"])
    target = f"{given}(to)" if given else place_in(answers, f"{move} to")
    does = [f"{cards} -> {target}"] * bool(target) + [f"top(deck) -> {target}"] * (_drawn(move, answers) - 1)
    does += ["back -> hand"] * back + [f"{gained} + {more}"] * bool(gained)
    said = ", ".join(f'"{each}"' for each in does)
    if answers[f"{move} else"].strip() == UNSAID_EFFECT:
        # Nothing may rest on a part of it: whoever knows the rest writes it behind what is said here.
        known = f"{said}, " if said else ""
        yield f"# what else it changes is not said: `does = [{known}...]` says it, and more can be judged"
    else:
        yield f"does = [{said}]"


def _drawn(move: str, answers: Mapping[str, str]) -> int:
    """Return how many cards a move takes from the deck; 1 where it takes others."""
    return int(answers.get(f"{move} drawn", "1"))


def _needs(move: str, cards: str, answers: Mapping[str, str]) -> Iterator[str]:
    """Yield what a move needs and costs: room where its cards go, and what is paid."""
    target = place_in(answers, f"{move} to")
    if target in limited(answers) and _is_said(answers, f"limit: {target}") and not is_at_end(target, answers):
        more = "size(cards)" if cards == "cards" else str(_drawn(move, answers))
        place = f"{target}(to)" if theirs(answers.get(f"{move} to", "")) else target
        most = answers[f"limit: {target}"].strip()
        yield f'needs.room = {{ that = "size({place}) + {more} <= {most}"{_inline(answers, f"limit: {target}")} }}'
    amount, counter = cost_of(answers[f"{move} cost"])
    if counter and answers[f"{move} else"].strip() == UNSAID_EFFECT:
        yield f'needs.{counter} = {{ that = "{counter} >= {amount}"{_inline(answers, f"{move} cost")} }}'
    elif counter:
        yield f"costs = {{ {_key(counter)} = {amount}{_inline(answers, f'{move} cost')} }}"


def _sentence(answers: Mapping[str, str], name: str) -> tuple[str, str]:
    return f"says = {_quoted(answers[f'{name} says'])}", f"cite = {_quoted(answers[f'{name} cite'])}"


def _inline(answers: Mapping[str, str], name: str) -> str:
    return ", " + ", ".join(_sentence(answers, name))


def _key(word: str) -> str:
    return tomlkit.key(word).as_string()


def _quoted(said: str) -> str:
    return tomlkit.item(" ".join(said.split())).as_string()
