"""The file of a new game as its chat is read by it, before it states a rule; and rules added to a file."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import reduce
from itertools import count
from pathlib import Path
from typing import Any, Final, NamedTuple

import tomlkit

from tabletape.dashboard.own_game.beside import come_to
from tabletape.dashboard.own_game.kinds import OFTEN
from tabletape.dashboard.own_game.look import FirstLook
from tabletape.dashboard.own_game.messages import TAKEN_WORDS, in_full, names_of, number_of, rests_of, table_verbs
from tabletape.dashboard.own_game.word_lists import word_list
from tabletape.events.errors import RefusedError
from tabletape.events.importing.lines.words import plain
from tabletape.events.importing.maps.counted import forms_of, plurals_of
from tabletape.events.importing.maps.proposing.survey import Survey
from tabletape.events.rules_file.cards import UNCOUNTED
from tabletape.events.vocabulary import games, known_games
from tabletape.events.vocabulary.names import slug_of
from tabletape.events.vocabulary.open_games import BEGUN_ZONES, SOMEWHERE, begun_text, games_of, look_in
from tabletape.events.whole_files import made_folder, write_whole
from tabletape.events.workspace_files import text_of
from tabletape.projector.games import title_of

NAME: Final = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
"""What a game is called in the log."""

DRAWS: Final = word_list("draws")
SWAPS: Final = word_list("swaps")
GIVES: Final = word_list("gives")
LAYS: Final = word_list("lays")
AWAY: Final = word_list("away")
PAYING: Final = word_list("paying")

_ONE: Final = re.compile(r"^\W*(?:an?|one|the|\d+) ([^\W\d_]+)")
"""What is taken: one of it, or some."""

DRAWN: Final = {"fields": {"cards": "cards of deck"}, "does": ["cards -> hand"]}
"""What a draw is: the cards of a line together, however many these are."""

_LABELLED: Final = re.compile(r"\b([^\W\d_]{3,}) (\d{1,2})\b(?! (?:cards?|points?|coins?)\b)")
_FOR: Final = re.compile(r"\b(?:for|f\u00fcr|costs?|paying|pays?) \d+(?! (?:cards?|points?)\b)", re.IGNORECASE)
"""What a line pays: a number that belongs to no card."""

_CLAUSE_END: Final = re.compile(r"[.,;!?(]")
_BEGINS_WITH_NAME: Final = re.compile(r"\s*(?:(?:and|then|to|from|with|for|against|und|an|von|mit|gegen) )*[^\W\d_]+")
_DRAWN: Final = frozenset({"card", "cards", "from", "more", "again", "new", "karte", "karten"})

_HEADER: Final = re.compile(r"(?<!\n)\n(\[[\w.\"-]+\])$", re.MULTILINE)
"""The header of a table with no blank line before it."""


class SaidMove(NamedTuple):
    """How a chat says a move: its words, whether a player, cards, or another card for them are named, always or not.

    `takes`: what is taken is no card, as in `take a coin`. `kind`: only what a card is called is said, not its number.
    `labels` stand before numbers of their own: `at table 2`.
    """

    name: str
    called: tuple[str, ...]
    to: str = ""
    cards: str = ""
    back: str = ""
    number: str = ""
    takes: str = ""
    kind: str = ""
    labels: tuple[str, ...] = ()


def file_of_new(folder: Path, slug: str, *, fresh: bool = False) -> Path:
    """Return where the file of a game goes.

    Raises `RefusedError` where the name is none of a new game, or there is one and it has to be `fresh`.
    """
    if not NAME.fullmatch(slug) or slug in games():
        meant = slug_of(slug)
        such = f": `tabletape rules new {meant}`" if meant != slug and NAME.fullmatch(meant) else ""
        raise RefusedError(
            f"{slug} is no name for a new game: small letters, digits and hyphens, and none that there is{such}"
        )
    file = folder / "games" / f"{slug}.toml"
    if fresh and is_begun(file):
        raise RefusedError(f"{file.name} is there already: another name begins another game")
    return file


def write_checked(file: Path, text: str) -> None:
    """Write the file of a game, which is read before it is there and known from then on.

    Raises `GameFileError` with its mistakes.
    """
    games_of(file.name, file.stem, text)
    with made_folder(file.parent):
        write_whole(file, text)
    look_in(file.parent.parent)


def begin_file(file: Path, look: FirstLook, seen: Survey) -> None:
    """Write the file by which a chat is read. Raises `GameFileError` as above."""
    title = _title_in(file) if file.exists() else file.stem.replace("-", " ").title()
    write_checked(file, first_text(title, look, seen))


def called(name: str) -> str:
    """Return what the log calls the game of a name or title, nothing where there is none."""
    return next((each for each in known_games() if plain(name) in {plain(each), plain(title_of(each))}), "")


def begin_named(folder: Path, name: str) -> str:
    """Begin the file of a new game of which only the `name` is known, and return what the log calls it.

    Raises `RefusedError` as `file_of_new` does.
    """
    file = file_of_new(folder, slug_of(name), fresh=True)
    write_checked(file, begun_text(" ".join(name.split())))
    return file.stem


def is_begun(file: Path) -> bool:
    """Return whether the file of a game is there, and says more of it than its name."""
    raw = tomlkit.parse(text_of(file)).unwrap() if file.exists() else {}
    return bool(raw.keys() - {"title", "zones"} or raw.get("zones", {}).keys() - BEGUN_ZONES.keys())


def _title_in(file: Path) -> str:
    return str(tomlkit.parse(text_of(file)).get("title", file.stem))


def first_text(title: str, look: FirstLook, seen: Survey) -> str:
    """Return the file of a game by which its chat is read: moves and cards, and no rule.

    A move that draws is owed to nobody, and no action of a turn, as long as no sentence says so. A field that not every
    line says may be left out.
    """
    document = tomlkit.document()
    document.add("title", tomlkit.item(title))
    zones = tomlkit.table()
    zones.update({"deck": "shared hidden", "hand": "own", SOMEWHERE: "shared hidden"})
    document.add("zones", zones)
    if look.cards:
        cards = tomlkit.table()
        if look.printed:
            cards.add("list", _listed(look))
        else:
            cards.update({"kind": [*look.cards]})
        if look.numbers:
            cards.update({"number": [*range(look.numbers[0], look.numbers[1] + 1)]})
        if look.bare:
            cards.update({"bare": [*look.bare]})
        cards.update({"copies": look.copies[0] if len({*look.copies}) == 1 else [*look.copies] or UNCOUNTED})
        document.add("cards", cards)
    moves = tomlkit.table(is_super_table=True)
    for move in said_moves(look, seen):
        moves.add(move.name.replace(" ", "-"), move_table(move))
    document.add("move", moves)
    return _HEADER.sub(r"\n\n\1", tomlkit.dumps(document))


def _listed(look: FirstLook) -> Any:
    """Return the cards of a list, each in a line of its own with what is printed on it."""
    cards = tomlkit.array()
    for name in look.cards:
        card = tomlkit.inline_table()
        card.update({"kind": name, **{key: said[name] for key, said in look.printed.items() if name in said}})
        cards.append(card)
    return cards.multiline(multiline=True)


def move_table(move: SaidMove) -> Any:
    """Return the table of a move in a file."""
    table = tomlkit.table()
    others = [word for word in move.called if word != move.name]
    if others:
        table.add("called", tomlkit.item(others))
    fields = tomlkit.table()
    if move.name in DRAWS and not (move.cards or move.to or move.takes):
        table.update({"owed": True, **DRAWN})
        return table
    from_hand = move.back or move.name in SWAPS | GIVES | LAYS | AWAY
    if move.cards:
        fields.add("cards", f"cards of {'hand' if from_hand else SOMEWHERE}{move.cards}".rstrip("!"))
    if move.to:
        fields.add("to", f"player{move.to}".rstrip("!"))
    if move.back:
        theirs = "hand(to)" if move.to == "!" else SOMEWHERE
        fields.add("back", f"cards of {theirs}{move.back}".rstrip("!"))
    if move.kind:
        fields.add("kind", f"kind{move.kind}")
    for name in (*move.labels, *(["number"] if move.number else [])):
        fields.add(name, "number 0 to 1000?")
    if fields:
        table.add("fields", fields)
    return table


def said_moves(look: FirstLook, seen: Survey) -> Iterator[SaidMove]:
    """Yield how a chat says each move: `!` where every line names it, `?` where some do."""
    spoken = {each.number: f"{each.who}: {look.silent_move} {each.card}{each.amounts}" for each in look.silent}
    lines = tuple((number, spoken.get(number, line) if look.silent_move else line) for number, line in seen.lines)
    seen = seen._replace(players=look.players, lines=lines)
    come = come_to("|".join(map(re.escape, names_of(look.players))) or r"(?!)")
    rests = {move: [come.sub("", rest) for rest in said] for move, said in rests_of(look.called, seen).items()}
    labels = _labels(look, rests)
    short = {*labels, *(look.cards if look.numbers else ())} - word_list("paying")
    rests = {move: [in_full(rest, short) for rest in said] for move, said in rests.items()}
    names = _any_of(look.players)
    cards = _any_of([form for card in look.cards for form in (card, *plurals_of(card))])
    for move in look.moves:
        own = tuple(label for label in labels if any(_of_label(label).search(rest) for rest in rests[move]))
        said = [reduce(lambda rest, label: _of_label(label).sub("", rest), own, rest) for rest in rests[move]]
        if move in DRAWS:  # What is drawn stands right behind it; a card in a later clause is one that is laid.
            said = [_CLAUSE_END.split(rest)[0] for rest in said]
        with_cards = [len(cards.findall(rest)) for rest in said] if cards else [0] * len(said)
        with_to = [bool(names and names.search(_of_whom(rest))) for rest in said]
        two = [rest for rest, number in zip(said, with_cards, strict=True) if number > 1]
        swaps = bool(two) and (move in SWAPS or 2 * len(_exchanges(two, cards, names)) > len(two))
        kind = ""  # A line of a chat says it or not: what it is about may stand in the line before.
        if cards and look.numbers:  # The numbers on cards are theirs.
            of_cards = re.compile(rf"{cards.pattern}[ -]?\d+|\d+ of {cards.pattern}", re.IGNORECASE)
            if 2 * sum(bool(of_cards.search(rest)) for rest in said) < sum(map(bool, with_cards)):
                kind, with_cards = "?", []
            beside = sum(bool(re.search(r"\d", of_cards.sub("", rest))) for rest in said)
            numbers = 6 * beside > len(said)  # Of many lines one may say it in short: `w 1`.
        else:
            without = [rest for rest, number in zip(said, with_cards, strict=True) if not number]
            numbers = not (move in DRAWS and any(with_cards)) and any(
                re.match(r"[^.,;!?(]*\d", rest) for rest in without
            )
            beside = sum(bool(_FOR.search(rest)) for rest in said)
            numbers = numbers or (beside > 1 and 2 * beside > len(said))  # `buys tea for 4`
        yield SaidMove(
            move,
            look.called[move],
            to=_mark(with_to),
            cards=_mark([bool(number) for number in with_cards]),
            back=_mark([number > 1 for number in with_cards]) if swaps else "",
            number="?" * numbers,
            kind=kind,
            labels=own,
            takes=_taken(said) if move in DRAWS else "",
        )


def _exchanges(rests: Sequence[str], cards: re.Pattern[str] | None, names: re.Pattern[str] | None) -> list[str]:
    """Return the lines that give a card for another one of somebody: `barters fan with Ben for robot`."""
    if cards is None or names is None:
        return []
    both = re.compile(rf"{cards.pattern}.* (?:for|für|gegen) (?:\w+ ){{0,2}}{cards.pattern}", re.IGNORECASE)
    return [rest for rest in rests if both.search(rest) and names.search(rest)]


def _labels(look: FirstLook, rests: Mapping[str, Sequence[str]]) -> list[str]:
    """Return the words that stand before a number again and again, whatever that is: `at table 2`, `camel 3`."""
    known = {form for card in look.cards for form in (card, *plurals_of(card))} | {
        *map(str.casefold, names_of(look.players))
    }
    known |= TAKEN_WORDS | word_list("no_label") | table_verbs() | {*look.moves}
    low = [rest.casefold() for some in rests.values() for rest in some]
    if not any(re.search(r"\b(?:draws?|drew)\b", rest) for rest in low) and "draw" not in look.moves:
        known |= {"take", "takes", "took"}  # Whoever takes two cards where nobody draws any draws them.
    full = {word for rest in low for word, _ in _LABELLED.findall(rest) if word not in known}
    said = [each for rest in low for each in _LABELLED.findall(in_full(rest, full))]
    times, numbers = Counter(word for word, _ in said), Counter(word for word, _ in {*said})
    return [word for word in times if times[word] >= OFTEN and numbers[word] > 1 and word not in known]


def _of_label(label: str) -> re.Pattern[str]:
    return re.compile(rf"\b{label} \d+", re.IGNORECASE)


def _taken(rests: Sequence[str]) -> str:
    """Return what most lines of a move name that is no card: `coin`; empty where they say a number or nothing."""
    words = [said[0] for rest in rests if (said := _ONE.findall(rest.casefold()))]
    ((one, times),) = Counter(min(forms_of(word), key=len) for word in words).most_common(1) or [("", 0)]
    word = next((each for each in words if one in forms_of(each)), "")
    return word if 2 * times > len(rests) and not number_of(word) and word not in _DRAWN else ""


def _any_of(words: Sequence[str]) -> re.Pattern[str] | None:
    some = "|".join(map(re.escape, sorted(words, key=len, reverse=True)))
    return re.compile(rf"(?<!\w)(?:{some})(?!\w)", re.IGNORECASE) if some else None


def _of_whom(rest: str) -> str:
    """Return what stands behind a move without its later clauses, unless they begin with whom: `, tip to Jo`."""
    first, *others = _CLAUSE_END.split(rest)
    return " ".join((first, *(begun[0] for each in others if (begun := _BEGINS_WITH_NAME.match(each)))))


def _mark(named: Sequence[bool]) -> str:
    return "!" if named and all(named) else "?" if any(named) else ""


# -- rules added to a file ---------------------------------------------------------------------------------------------


def with_changes(text: str, changes: Mapping[str, Any]) -> str:
    """Return the text of a file with tables laid over it; what else stands there stays as it is written."""
    document = tomlkit.parse(text)
    _lay(document, changes, ())
    return _HEADER.sub(r"\n\n\1", tomlkit.dumps(document))


def _lay(into: Any, changes: Mapping[str, Any], path: tuple[str, ...]) -> None:
    for key, value in changes.items():
        if path[-1:] == ("needs",):
            _lay_need(into, key, value)
        elif not isinstance(value, Mapping):
            into[key] = value
        elif key in into and isinstance(into[key], Mapping):
            _lay(into[key], value, (*path, key))
        elif _is_line(path):
            inline = tomlkit.inline_table()
            inline.update(value)
            into[key] = inline
        else:
            into[key] = tomlkit.table(is_super_table=key in {"move", "needs"})
            _lay(into[key], value, (*path, key))


def _lay_need(needs: Any, name: str, rule: Mapping[str, Any]) -> None:
    """Lay a rule beside those that a move has: one of another sentence stays, and this one has a name of its own."""
    free = next(
        each
        for number in count(1)
        for each in [f"{name}-{number}" if number > 1 else name]
        if each not in needs or needs[each].get("cite") == rule["cite"]
    )
    needs[free] = tomlkit.table()
    needs[free].update(rule)


def _is_line(path: tuple[str, ...]) -> bool:
    """Return whether a table stands in one line: a field, a counter, what comes first or last in a turn."""
    return path[-1:] in (("fields",), ("counters",), ("turn",)) or path[2:] == ("costs",)
