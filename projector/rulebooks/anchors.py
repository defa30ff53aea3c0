"""The text that a game's rules were written from, known again without holding any of it.

`rulebook-sentences.tsv` beside a game's `rulebook.toml` has a line for each sentence of that text: its places, a hash
of its words, and the set of its words in hashes of eight bits. The first finds the sentence again wherever it stands,
the second measures how much of it is left after a rewording (feature hashing, Weinberger et al. 2009). Neither can be
read back: each of the 256 values stands for a 256th of all words, and their order is not kept.
"""

import hashlib
from collections.abc import Iterable, Iterator
from functools import cache
from importlib.resources import files
from typing import Final

import msgspec

from tabletape.projector.games import package_of
from tabletape.projector.rulebooks.text import RulebookText, Sentence

FILE: Final = "rulebook-sentences.tsv"

_HEAD: Final = "# sha256 "


class Anchor(msgspec.Struct, frozen=True):
    """A sentence without its text: its places (`129.2`: line and piece), the hash of its words, the words as a set."""

    places: tuple[str, ...]
    hash: str
    words: bytes


class Anchors(msgspec.Struct, frozen=True):
    """The sentences of a text, and the SHA-256 of the file that they were taken from."""

    sha256: str
    sentences: tuple[Anchor, ...]


def anchors_of(text: RulebookText) -> Anchors:
    """Return the sentences of a text as anchors."""
    return Anchors(text.sha256, tuple(anchor_of(text, sentence) for sentence in text.sentences))


def anchor_of(text: RulebookText, sentence: Sentence) -> Anchor:
    """Return a sentence of a text as an anchor."""
    words = sentence.words
    return Anchor(
        places=tuple(
            f"{line}.{text.by_line[line].index(sentence.number) + 1}"
            for line in range(sentence.first, sentence.last + 1)
        ),
        hash=hashlib.sha256(" ".join(words).encode()).hexdigest()[:12],
        words=bytes(sorted({hashlib.sha256(word.encode()).digest()[0] for word in words})),
    )


def written(anchors: Anchors) -> Iterator[str]:
    """Return the lines of the file that keeps anchors."""
    yield f"{_HEAD}{anchors.sha256}"
    for each in anchors.sentences:
        yield "\t".join([" ".join(each.places), each.hash, each.words.hex()])


def read_anchors(lines: Iterable[str]) -> Anchors:
    """Read anchors as `written` writes them."""
    head, *rest = lines
    rows = (line.split("\t") for line in rest if line)
    sentences = tuple(Anchor(tuple(places.split()), digest, bytes.fromhex(words)) for places, digest, words in rows)
    return Anchors(head.removeprefix(_HEAD).strip(), sentences)


@cache
def anchors_of_game(slug: str) -> Anchors | None:
    """Return the anchors of the text that a game's rules were written from; None where there are none."""
    try:
        kept = files(package_of(slug)).joinpath(FILE).read_text(encoding="utf-8")
    except (ModuleNotFoundError, FileNotFoundError):
        return None
    return read_anchors(kept.splitlines())
