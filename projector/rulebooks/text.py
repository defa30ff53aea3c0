"""A rulebook's file as blocks of sentences: Markdown, plain text or PDF.

Citations count as an editor does: `L129.2` is the second sentence (or piece of one) on line 129, `L48` is whatever
stands on line 48.
"""

import hashlib
import io
import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import chain, islice, pairwise
from pathlib import PurePath
from statistics import median
from typing import TYPE_CHECKING, Final, Literal

import msgspec

from tabletape.events.errors import TabletapeError
from tabletape.events.workspace_files import in_bytes

if TYPE_CHECKING:
    from pypdf import PageObject, PdfReader

MOST_BYTES: Final = 20_000_000
"""The largest file that is taken for a rulebook."""

MOST_LINES: Final = 20_000

MOST_SENTENCES: Final = 5_000

MOST_PAGES: Final = 2_000
"""A PDF may name one page any number of times."""

LONGEST_SENTENCE: Final = 10_000

MORE_ROOM: Final = 1.3
"""Between paragraphs of a PDF lies more than so many times the room between most lines."""

Kind = Literal["heading", "item", "text", "verbatim"]

_HEADING: Final = re.compile(r"(#{1,6})\s+(.*)")
_ITEM: Final = re.compile(r"([-*+•]|\d+(?:\.\d+)*[.)])(?:\s+|$)")
_RULE: Final = re.compile(r"[-*_=\s]{3,}")
_FENCE: Final = re.compile(r"```|~~~")
_END: Final = re.compile(r"[.!?\u2026][\"\u201d\u2019)\]]*(?:\s+|(?<=[a-z][.!?])(?=[A-Z][a-z]))")
_BOLD_TEXT: Final = re.compile(r"\*\*([^*]+)\*\*")
_LINK: Final = re.compile(r"\[([^\]]+)\]\([^)\s]*\)")
_SIGN_AT_END: Final = re.compile(r"[#|=+*/]$")
"""A line that ends so, as `Tier #`, was not broken by the width."""

_NO_END: Final = re.compile(r"\b(?:e\.g|i\.e|vs|cf|approx|misc|no|nr|fig|p)\.$", re.IGNORECASE)
_OPENING: Final = "\"'(*_@\u201c\u2018"
"""What a sentence may begin with besides a letter or a digit."""

_WORD: Final = re.compile(r"\w+")
_APOSTROPHE: Final = re.compile(r"['`\u2019\u00b4]")

_TITLE_WORDS: Final = 6
"""A title of plain text has no more words."""

_WRAPPED_SHARE: Final = 0.8
"""A line of plain text with this share of the long lines, the next word counted, was broken by the width."""


class RulebookFileError(TabletapeError):
    """A rulebook's file that cannot be read; the message says why and what is taken."""


class RulebookSentence(msgspec.Struct, frozen=True, kw_only=True):
    """A sentence as its author wrote it, without Markdown's marks for bold.

    `number` counts from 0, `first` and `last` are its lines.
    """

    number: int
    first: int
    last: int
    section: str
    text: str

    @property
    def words(self) -> tuple[str, ...]:
        """Its words in small letters, without marks: what makes two sentences the same."""
        return words_of(self.text)


class Block(msgspec.Struct, frozen=True, kw_only=True):
    """What stands together: a heading of a `level`, an item with its `marker`, a paragraph, or lines as they are."""

    kind: Kind
    level: int = 0
    marker: str = ""
    sentences: tuple[int, ...]


class RulebookText(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """A rulebook's text: `name` and `sha256` of its file, its sentences in order and the blocks that they stand in."""

    name: str
    sha256: str
    sentences: tuple[RulebookSentence, ...]
    blocks: tuple[Block, ...]

    @cached_property
    def by_line(self) -> dict[int, tuple[int, ...]]:
        """The numbers of the sentences that have a piece on each line, in their order."""
        numbers_by_line: dict[int, list[int]] = {}
        for sentence in self.sentences:
            for line in range(sentence.first, sentence.last + 1):
                numbers_by_line.setdefault(line, []).append(sentence.number)
        return {line: tuple(numbers) for line, numbers in numbers_by_line.items()}

    @cached_property
    def titles(self) -> frozenset[int]:
        """The numbers of headings; where none has a mark, of short lines without an end, if most others have one.

        The lines of a PDF are those of its pages, and tell nothing.
        """
        marked = frozenset(number for block in self.blocks if block.kind == "heading" for number in block.sentences)
        bare = frozenset(block.sentences[0] for block in self.blocks if block.kind == "text" and self._is_bare(block))
        is_pdf = self.name.lower().endswith(".pdf")
        return marked if marked or is_pdf or 2 * len(bare) > len(self.sentences) else bare

    def _is_bare(self, block: Block) -> bool:
        text = self.sentences[block.sentences[0]].text
        return len(block.sentences) == 1 and len(words_of(text)) <= _TITLE_WORDS and text[-1].isalnum()

    def at(self, line: int, piece: int = 0) -> tuple[int, ...]:
        """Return the sentences on a line, or the one that a `piece` (from 1) belongs to; empty where there is none."""
        numbers = self.by_line.get(line, ())
        return numbers[piece - 1 : piece] if piece else numbers


def words_of(text: str) -> tuple[str, ...]:
    """Return the words of a text in small letters, without marks and apostrophes."""
    plain = unicodedata.normalize("NFKC", _APOSTROPHE.sub("", text)).casefold().replace("_", " ")
    return tuple(_WORD.findall(plain))


def read_rulebook_text(name: str, content: bytes) -> RulebookText:
    """Return a rulebook's file as text: Markdown, plain text, or a PDF that has text in it.

    Raises `RulebookFileError` for anything else, and for a file without a sentence.
    """
    if len(content) > MOST_BYTES:
        raise RulebookFileError(f"{name} is larger than {in_bytes(MOST_BYTES)}; a rulebook's text is much smaller")
    is_pdf = content.startswith(b"%PDF")
    lines = _pdf_lines(name, content) if is_pdf else _text_lines(name, content)
    if len(lines) > MOST_LINES:
        raise RulebookFileError(f"{name} has more than {MOST_LINES:,} lines; expected the text of one rulebook")
    marked = PurePath(name).suffix.lower() in {".md", ".markdown"}
    blocks, sentences = _blocks(name, lines, marked=marked)
    if not sentences:
        raise RulebookFileError(f"{name} has no sentence in it" + ("; is it a scan? Expected text" if is_pdf else ""))
    return RulebookText(
        name=PurePath(name).name,
        sha256=hashlib.sha256(content).hexdigest(),
        sentences=tuple(sentences),
        blocks=tuple(blocks),
    )


def _text_lines(name: str, content: bytes) -> list[str]:
    from tabletape.events.importing.maps.documents import trees  # noqa: PLC0415 - a rule is shown without the readers of foreign files

    try:
        text = trees.text_of(content)
    except trees.ForeignError:
        raise RulebookFileError(f"{name} is neither text nor PDF; expected .md, .txt or .pdf") from None
    return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")


def _pdf_lines(name: str, content: bytes) -> list[str]:
    from pypdf import PdfReader  # noqa: PLC0415 - only who has a PDF waits for the library
    from pypdf.errors import PyPdfError  # noqa: PLC0415 - the same

    try:
        pages = _pages(name, PdfReader(io.BytesIO(content)))
    except (PyPdfError, ValueError, KeyError, TypeError, AttributeError, IndexError, RecursionError, OSError) as error:
        # A damaged PDF makes the library stumble in many ways.
        raise RulebookFileError(f"{name} cannot be read as PDF ({error}); save it anew, or as text") from None
    return "\n".join(pages).replace("\N{SOFT HYPHEN}\n", "").split("\n")


def _pages(name: str, pdf: "PdfReader") -> list[str]:
    """Return the text of each page. Raises `RulebookFileError` where there are too many, or they say too much."""
    if len(pdf.pages) > MOST_PAGES:
        raise RulebookFileError(f"{name} has more than {MOST_PAGES:,} pages; expected the text of one rulebook")
    pages: list[str] = []
    size = 0
    for page in pdf.pages:
        pages.append(_paragraphs(page))
        size += len(pages[-1])
        if size > MOST_BYTES:
            raise RulebookFileError(f"{name} has more than {in_bytes(MOST_BYTES)} of text; expected one rulebook")
    return pages


def _paragraphs(page: "PageObject") -> str:
    """Return the text of a page, with an empty line where more room is left than between most lines.

    What a page breaks off goes on at the top of the next one, so there is no empty line at its ends.
    """
    parts: list[tuple[float, str]] = []

    def seen(text: str, matrix: Sequence[float], of_text: Sequence[float], *_font: object) -> None:
        height = of_text[5] * matrix[3] + matrix[5]
        parts.append((height if text.strip() or not parts else parts[-1][0], text))

    page.extract_text(visitor_text=seen)
    rooms = [above - here for (above, _), (here, _) in pairwise(parts)]
    usual = median([room for room in rooms if room > 0] or [0])
    spaced = ("\n" * (room > MORE_ROOM * usual > 0) + text for room, (_, text) in zip([0, *rooms], parts, strict=True))
    return "".join(spaced).strip("\n")


# -- blocks and sentences ----------------------------------------------------------------------------------------------

Line = tuple[int, str]
"""A line by its number, without the spaces around it."""


def _blocks(name: str, lines: Sequence[str], *, marked: bool) -> tuple[list[Block], list[RulebookSentence]]:
    """Return what stands in lines. Raises `RulebookFileError` for too many sentences, and for one that is too long."""
    blocks: list[Block] = []
    sentences: list[RulebookSentence] = []
    section, left = "", MOST_SENTENCES
    for kind, level, marker, content in _grouped(lines, marked=marked):
        split = [(line, line, text) for line, text in content] if kind == "verbatim" else _sentences(content)
        pieces = list(islice(split, left + 1))
        left -= len(pieces)
        _require_few(name, pieces, left)
        worded = [(first, last, _BOLD_TEXT.sub(r"\1", text)) for first, last, text in pieces if words_of(text)]
        if not worded:
            continue
        if kind == "heading":
            section = " ".join(text for *_, text in worded)
        numbers = range(len(sentences), len(sentences) + len(worded))
        for number, (first, last, text) in zip(numbers, worded, strict=True):
            sentences.append(RulebookSentence(number=number, first=first, last=last, section=section, text=text))
        blocks.append(Block(kind=kind, level=level, marker=marker, sentences=tuple(numbers)))
    return blocks, sentences


def _require_few(name: str, pieces: Sequence[tuple[int, int, str]], left: int) -> None:
    if left < 0:
        raise RulebookFileError(f"{name} has more than {MOST_SENTENCES:,} sentences; expected the text of one rulebook")
    for first, _, text in pieces:
        if len(text) > LONGEST_SENTENCE:
            message = f"a sentence with more than {LONGEST_SENTENCE:,} characters; expected the text of a rulebook"
            raise RulebookFileError(f"{name}:{first}: {message}")


def _grouped(lines: Sequence[str], *, marked: bool) -> Iterator[tuple[Kind, int, str, list[Line]]]:
    """Group lines into blocks; in plain text a line goes on in the next one only where its width broke it.

    A heading with Markdown's marks is one in any file, and so is a fence: a PDF may show them as they were typed.
    """
    wrapped = 0.0 if marked else _WRAPPED_SHARE * _long(lines)
    kind, marker = "text", ""
    open_block: list[Line] = []
    fenced = False
    for number, whole in enumerate(lines, 1):
        line = _LINK.sub(r"\1", whole.strip())
        heading, item = _HEADING.fullmatch(line), _ITEM.match(line)
        fence = _FENCE.match(line) if marked else line.startswith("```")
        own_line = fenced or fence or heading or _RULE.fullmatch(line) or not line
        if open_block and (own_line or item or not _goes_on(open_block[-1][1], line, wrapped)):
            yield kind, 0, marker, open_block  # type: ignore[misc]  # one of the kinds
            open_block = []
        if fence:
            fenced = not fenced
        elif fenced:
            yield "verbatim", 0, "", [(number, whole.rstrip())]
        elif heading:
            yield "heading", len(heading[1]), "", [(number, heading[2].rstrip("# "))]
        elif not own_line:
            if not open_block:
                kind, marker = ("item", item[1]) if item else ("text", "")
            open_block.append((number, line[item.end() :] if item else line))
    if open_block:
        yield kind, 0, marker, open_block  # type: ignore[misc]  # one of the kinds


def _long(lines: Sequence[str]) -> int:
    """Return how long the longer lines are: nine of ten are shorter."""
    lengths = sorted(len(line) for line in lines if line.strip())
    return lengths[len(lengths) * 9 // 10] if lengths else 0


def _goes_on(line: str, following: str, wrapped: float) -> bool:
    """Return whether a line is continued by the next: not after an end of its own before a new beginning."""
    if following[:1].isupper() and _SIGN_AT_END.search(line):
        return False
    if following[:1].islower() or len(f"{line} {following.partition(' ')[0]}") >= wrapped:
        return True
    return line[-1:] in ",;-(\N{EN DASH}"


def _sentences(content: Sequence[Line]) -> Iterator[tuple[int, int, str]]:
    """Split the lines of a block into sentences, each with its first and last line."""
    starts, text = [], ""
    for number, line in content:
        starts.append((len(text), number))
        text += line + " "
    begin = 0
    for end in chain(_ends(text), [len(text)]):
        piece = text[begin:end]
        if piece.strip():
            reach = begin + len(piece.rstrip()) - 1
            yield _line_at(starts, begin), _line_at(starts, reach), piece.strip()
        begin = end


def _ends(text: str) -> Iterator[int]:
    for match in _END.finditer(text):
        following = text[match.end() : match.end() + 1]
        begins = (following.isalnum() and not following.islower()) or following in _OPENING
        if following and begins and not _NO_END.search(text[max(0, match.start() - 9) : match.start() + 1]):
            yield match.end()


def _line_at(starts: Sequence[tuple[int, int]], offset: int) -> int:
    return starts[bisect_right(starts, offset, key=lambda start: start[0]) - 1][1]
