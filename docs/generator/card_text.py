"""The page on card text: the patterns by which each game reads what its cards say, with what they do."""

import importlib
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from importlib.util import find_spec
from types import ModuleType
from typing import Any

import msgspec

from docs.generator.markdown import code, codes, fenced, page, table
from docs.generator.printed import table_in_line
from tabletape.projector.games import game, games, package_of
from tabletape.projector.kit.card_text import CardSelection, Kinds, Patterns, Verbs, kinds_of
from tabletape.projector.model.game import Game

INTRODUCTION = """\
What a card does stands in its card file in words that Tabletape knows, so that the rules can use it. Each game has its
own vocabulary, in its rulebook's words. A word that is not known is refused with the file, the card and the nearest
known word ([example](../how-to/add-your-own-cards.md#when-a-card-cannot-be-read))."""

PATTERNS = """\
How lines are built: `|` stands between alternatives, `[ ]` around what may be left out, `{ }` around what may be
repeated, quotation marks around words that are written as they are. In the patterns of verbs and of the other parts
`{n}` is a value of the kind `n`, `{who:player}` one of the kind `player` (where a card has tables in place of
lines, it stands there under `who`), and `{n or 1}` may be left out, which means 1."""

MANUAL = """\
What a card does beyond its game's vocabulary is written as `manual = "…"`. What the log says about such a card is
accepted as written, and marked `unverifiable`."""


def card_text_page() -> str:
    """Return the page `generated/card-text.md`: a chapter for each game that reads card text."""
    read = [(one, found) for one in map(game, games()) if (found := _abilities(one))]
    return page("Card text", INTRODUCTION, PATTERNS, MANUAL, *(block for each in read for block in _chapter(*each)))


def _abilities(one: Game) -> ModuleType | None:
    """Return the module of a game that reads its card text, if it has one."""
    name = f"{package_of(one.slug)}.abilities"
    return importlib.import_module(name) if find_spec(name) else None


def _chapter(one: Game, abilities: ModuleType) -> Iterator[str]:
    yield f"## {one.title}"
    yield f"Cards: [{one.title}](games/{one.slug}.md#cards)."
    yield from _about(abilities)
    every = list(_patterns(vars(abilities).values()))
    uses = [text for card in one.cards.library.values() for text in _texts(card)]
    for verbs in every:
        if isinstance(verbs, Verbs):
            rows = ([code(each), _does(verbs, each), code(_example(each, verbs.kinds, uses))] for each in verbs)
            yield table([verbs.sort, "does", "for example"], rows)
    yield table(["other parts", "one of"], ([each.sort, codes(each)] for each in every if not isinstance(each, Verbs)))
    yield table(["kind of value", "one of"], _kinds(every))


def _about(abilities: ModuleType) -> Iterator[str]:
    """Return what a module says about its lines: the paragraphs after the first, an indented one as a block of code."""
    for paragraph in (abilities.__doc__ or "").strip().split("\n\n")[1:]:
        lines = [line for line in paragraph.splitlines() if not line.startswith("Source: ")]
        is_code = lines[:1] != [] and lines[0].startswith("    ")
        yield fenced((line[4:] for line in lines), "text") if is_code else "\n".join(lines)


def _patterns(values: Iterable[object]) -> Iterator[Patterns]:
    for value in values:
        if isinstance(value, Patterns):
            yield value
        elif isinstance(value, Mapping):
            yield from _patterns(value.values())


def _does(verbs: Verbs, pattern: str) -> str:
    """Return what the function says that carries a verb out; nothing where its name says it all."""
    text = getattr(verbs.does.get(pattern.partition(" ")[0]), "__doc__", None) or ""
    return re.split(r"; returns? |(?<=\.)\s", " ".join(text.split()), maxsplit=1)[0].rstrip(".")


def _texts(card: Any) -> Iterator[str]:
    """Return the lines and tables of card text of a printed card."""
    for value in msgspec.structs.astuple(card):
        for each in value if isinstance(value, tuple) else ():
            yield table_in_line(each) if isinstance(each, dict) else str(each)


def _example(pattern: str, kinds: Kinds, texts: Sequence[str]) -> str:
    """Return the shortest printed line in which a verb does something."""
    word, _, rest = pattern.partition(" ")
    first = next(iter(kinds_of(rest).values()), "")
    known = kinds.get(first, ()) if rest.startswith("{") else tuple(rest.split()[:1])
    words = "" if callable(known) or isinstance(known, range) else "|".join(map(re.escape, known))
    begins = re.compile(rf"(?:^|-> |; |: |may ){re.escape(word)}{f' (?:{words})' if words else ''}(?![\w-])|\"{word}\"")
    return min((text for text in texts if begins.search(text)), key=len, default="")


def _kinds(every: Iterable[Patterns]) -> Iterable[list[str]]:
    """Return the kinds of values that stand in patterns, each with what it may be."""
    known = {kind: each.kinds[kind] for each in every for text in each for kind in kinds_of(text).values()}
    return ([code(name), _values(kind)] for name, kind in known.items() if kind != (name,))


def _values(kind: Any) -> str:
    """Return what a value of a kind may be: some words, a number, or what the function that reads it takes."""
    if isinstance(kind, range):
        return f"a number from {kind.start}" if kind.start > 0 else "a number, also below 0"
    if isinstance(kind, Sequence):
        return codes(kind)
    if isinstance(kind, partial):
        return f"a {kind.keywords['what']}, with a capital"
    selection = getattr(kind, "__self__", None)
    if isinstance(selection, type) and issubclass(selection, CardSelection):
        return _selection(selection)
    return str(kind.__doc__).partition(" ")[2].split(". ")[0].rstrip(".")


def _selection(selection: type[CardSelection]) -> str:
    adjectives = [
        f"{code(name)} and {_values(known)}" if callable(known) else _values(known)
        for name, known in selection.ADJECTIVES.items()
    ]
    if selection.CAPITAL:
        adjectives.append(f"a {selection.CAPITAL} with a capital")
    return (
        f"how many (a number, `upto` and a number, or `all`), which ({', '.join(adjectives)}) and what: "
        f"{codes(selection.NOUNS)}"
    )
