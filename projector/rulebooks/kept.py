"""The rulebook that a designer keeps in the workspace (`rulebooks/<game>.<md|txt|pdf>`), and what it says of a rule.

The file stays the designer's: Tabletape ships none, and shows a sentence only where the workspace has the text.
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from pathlib import Path, PurePath
from typing import Final

import msgspec

from tabletape.events.vocabulary.open_games import OpenGame, open_games
from tabletape.events.whole_files import made_folder, write_whole
from tabletape.events.workspace_files import content_of, stamp_of
from tabletape.projector.games import game, games
from tabletape.projector.rulebooks.placing import IN_PART_MARK, Cited, How, PlacedRulebook, citations, placed
from tabletape.projector.rulebooks.text import (
    MOST_BYTES,
    RulebookFileError,
    RulebookSentence,
    RulebookText,
    read_rulebook_text,
)

FOLDER: Final = "rulebooks"
"""Where the rulebooks lie in a workspace."""

SUFFIXES: Final = (".md", ".markdown", ".txt", ".pdf")


DOUBTS: Final[Mapping[How, str]] = {
    "by wording": "found by our wording of the rule",
    "reworded": "reworded since the rule was written",
    "altered": "the rule was written from another sentence: a number, a negation, or a word like half or only",
}
"""What is said of sentences that are not the cited ones word by word, by how they were found."""


class Passage(msgspec.Struct, frozen=True, kw_only=True):
    """Cited sentences that stand together, with the sentence before and the one after.

    `place` are their lines in the designer's file (`line 48`, `lines 101-113`); `doubt` says in words how certain it is
    that these are the cited ones; empty where they are the same. Where they may say something else than the rule they
    are no `ground` for it.
    """

    place: str
    before: str
    text: str
    after: str
    doubt: str = ""
    ground: bool = True

    @property
    def in_context(self) -> str:
        """The cited sentences in quotation marks, with the one before and the one after."""
        return " ".join(filter(None, (self.before, f"\u201c{self.text}\u201d", self.after)))


def read_file(file: Path) -> RulebookText:
    """Read a rulebook. Raises `RulebookFileError` where it is none, or cannot be read at all."""
    return read_rulebook_text(str(file), _content(file))


def _content(file: Path) -> bytes:
    try:
        return content_of(file, MOST_BYTES)
    except OSError as error:
        raise RulebookFileError(f"{file}: {error.strerror}") from None


def add(folder: Path, slug: str, file: Path) -> PlacedRulebook:
    """Keep a copy of a rulebook's file in a workspace, as `keep` does. Raises `RulebookFileError` as it does."""
    return keep(folder, slug, str(file), _content(file))


def keep(folder: Path, slug: str, name: str, content: bytes) -> PlacedRulebook:
    """Keep a rulebook in a workspace, in place of an older one, and find what is cited in it.

    Raises `RulebookFileError` for a file that is no rulebook; nothing is changed then.
    """
    suffix = PurePath(name).suffix.lower()
    if suffix not in SUFFIXES:
        raise RulebookFileError(
            f"{name} is not a kind of file that is read as a rulebook; expected {', '.join(SUFFIXES)}"
        )
    book = placed(game(slug), read_rulebook_text(name, content))
    target = folder / FOLDER / f"{slug}{suffix}"
    with made_folder(target.parent):
        write_whole(target, content)
    for other in _files(folder, slug):
        if other != target:
            other.unlink()
    return book


def keep_our_wording(folder: Path, slug: str) -> PlacedRulebook:
    """Keep what the rules of a game say in our own words as its rulebook, section by section in the order of theirs.

    That shows what the games tell of each rule where nobody has brought the text. Raises as `keep` does.
    """
    one = game(slug)
    sections: dict[str, list[str]] = {}
    for rule in sorted((each for each in one.rules if each.lines), key=lambda each: citations(each.lines)[:1]):
        sections.setdefault(rule.section, []).append(rule.text)
    parts = (f"## {section}\n\n" + "\n\n".join(dict.fromkeys(said)) for section, said in sections.items())
    text = "\n\n".join((f"# {one.title}: the rules in our own words", *parts))
    return keep(folder, slug, f"{slug}.md", f"{text}\n".encode())


def remove(folder: Path, slug: str) -> bool:
    """Take a game's rulebook out of a workspace; return whether there was one."""
    files = list(_files(folder, slug))
    for file in files:
        file.unlink()
    return bool(files)


def kept_file(folder: Path, slug: str) -> Path | None:
    """Return the rulebook of a game in a workspace; None where there is none."""
    return next(_files(folder, slug), None)


def kept_rulebook(folder: Path, slug: str) -> PlacedRulebook | None:
    """Return the rulebook of a game in a workspace with what is cited in it; None where there is none.

    Raises `RulebookFileError` where the file that lies there cannot be read as a rulebook.
    """
    file = kept_file(folder, slug)
    if file is None:
        return None
    return _read(file, slug, stamp_of(file), open_games().get(slug))


def _files(folder: Path, slug: str) -> Iterator[Path]:
    return (file for suffix in SUFFIXES if (file := folder / FOLDER / f"{slug}{suffix}").exists())


@lru_cache(maxsize=16)
def _read(file: Path, slug: str, _changed_at: int, _described: OpenGame | None) -> PlacedRulebook:
    """Return a rulebook with what a game cites in it, anew where it or the file that states its rules has changed."""
    return placed(game(slug), read_file(file))


def quotes(folder: Path) -> dict[str, tuple[Passage, ...]]:
    """Return what the rulebooks of a workspace say in support of each rule, by its id.

    There is nothing of a rulebook that cannot be read, and none of the sentences that may say something else.
    """
    passages_by_rule: dict[str, tuple[Passage, ...]] = {}
    for slug in games():
        book = _readable(folder, slug)
        passages_by_rule |= (
            {rule: _grounds(passages(book.text, cited)) for rule, cited in book.rules.items()} if book else {}
        )
    return passages_by_rule


def passages_of(folder: Path, slug: str, names: Iterable[str]) -> tuple[Passage, ...]:
    """Return what the workspace's rulebook says where the first of some rules or rulings that cites anything does.

    Nothing where the workspace has no rulebook of the game, none that can be read, or none of their sentences.
    """
    book = _readable(folder, slug) if slug else None
    if book is None:
        return ()
    cited = {**book.rulings, **book.rules}
    return next((said_there for name in names if (said_there := passages(book.text, cited.get(name, Cited())))), ())


def _readable(folder: Path, slug: str) -> PlacedRulebook | None:
    try:
        return kept_rulebook(folder, slug)
    except RulebookFileError:
        return None  # `tabletape rulebook list` says what is wrong with it.


def passages(text: RulebookText, cited: Cited) -> tuple[Passage, ...]:
    """Return cited sentences as they stand in a text, those that follow each other as one passage."""
    runs: list[list[int]] = []
    for number in cited.sentences:
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    doubt = doubt_of(cited)
    altered = {each.sentence for each in cited.placements if each.how in {"altered", "ours"}}
    return tuple(_passage(text, run, doubt, ground=altered.isdisjoint(run)) for run in runs)


def _grounds(said_there: tuple[Passage, ...]) -> tuple[Passage, ...]:
    return tuple(each for each in said_there if each.ground)


def _passage(text: RulebookText, run: list[int], doubt: str, *, ground: bool) -> Passage:
    every = text.sentences
    first, last = every[run[0]].first, every[run[-1]].last
    return Passage(
        place=f"line {first}" if first == last else f"lines {first}-{last}",
        before=every[run[0] - 1].text if run[0] else "",
        text=" ".join(every[number].text for number in run),
        after=every[run[-1] + 1].text if run[-1] + 1 < len(every) else "",
        doubt=doubt,
        ground=ground,
    )


def doubt_of(cited: Cited) -> str:
    """Return how far the sentences may not be the cited ones; nothing where they are the same, and all are there."""
    said = []
    worst = min(cited.placements, key=lambda each: (each.how != "altered", each.certainty), default=None)
    if worst is not None and worst.how in DOUBTS:
        said.append(f"{DOUBTS[worst.how]}, {round(worst.certainty * 100)} % alike")
    if worst is not None and cited.missing:
        said.append(f"in part: {', '.join(name.removesuffix(IN_PART_MARK) for name in cited.missing)} not found here")
    return "; ".join(said)


class Quote(msgspec.Struct, frozen=True):
    """What the rulebook of a game says of rules, where a workspace keeps one; nothing where no game is named."""

    folder: Path = Path()
    slug: str = ""

    def __call__(self, *rules: str) -> tuple[Passage, ...]:
        """Return what it says where the first of some rules that cites anything does, if it says what the rule says."""
        return _grounds(passages_of(self.folder, self.slug, rules))

    def place(self, section: str, lines: str, *rules: str) -> str:
        """Return where rules stand: a text that is kept has lines of its own, which are said in place of `lines`."""
        found = cited_in(self.folder, self.slug, *rules)
        return ", ".join(filter(None, (section, f"line {found[1].first}" if found else lines)))


no_quote: Final = Quote()
"""There is no rulebook to quote from."""


def cited_in(folder: Path, slug: str, *rules: str) -> tuple[PlacedRulebook, RulebookSentence] | None:
    """Return the rulebook that is kept of a game and the sentence that the first of some rules cites; None for none."""
    book = _readable(folder, slug) if slug else None
    if book is None:
        return None
    cited = (book.rules.get(rule, Cited()).sentences for rule in rules)
    return next(((book, book.text.sentences[number]) for number, *_ in filter(None, cited)), None)
