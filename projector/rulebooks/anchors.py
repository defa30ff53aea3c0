"""The text that a game's rules were written from, known again without holding any of it.

`rulebook-sentences.tsv` beside a game's `rulebook.toml` has a line for each sentence of that text: its places, a hash
of its words, the set of its words in hashes of eight bits, and a hash of those on which its meaning turns. The first
finds the sentence again wherever it stands, the second measures how much of it is left after a rewording (feature
hashing, Weinberger et al. 2009), the third tells whether it may say something else now. None can be read back: each of
the 256 values stands for a 256th of all words, and their order is not kept.
"""

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import Final

import msgspec

from tabletape.projector.games import package_of
from tabletape.projector.rulebooks.text import RulebookSentence, RulebookText

FILE: Final = "rulebook-sentences.tsv"

NUMBERS: Final = "one two three four five six seven eight nine ten eleven twelve"

ALIKE: Final = {
    "may": "can could might",
    "must": "shall should",
    "not": "dont doesnt didnt isnt arent wasnt wont mustnt cant cannot",
    "no": "none nobody nothing neither nor",
    "all": "each every",
    "start": "starts begin begins beginning",
    "end": "ends",
    "win": "wins",
    "lose": "loses",
    "2x": "double twice",
    "1x": "once",
    **{str(number): word for number, word in enumerate(NUMBERS.split(), 1)},
}
"""Words that turn the meaning of a sentence in the same way, after the one that stands for them."""

ALONE: Final = (
    "may must not no all never without except unless only always exactly least most up more less fewer than equal "
    "instead half both either any first second third last before after higher highest lower lowest bigger biggest "
    "smaller smallest own other opponent opponents or left right above below start end diagonal straight win lose"
)

TURNING_WORDS: Final[Mapping[str, str]] = {word: word for word in ALONE.split()} | {
    word: meaning for meaning, words in ALIKE.items() for word in words.split()
}
"""Words on which the meaning of a rule turns, however like the rest of its sentence is; every number is one, too."""

_HEAD: Final = "# sha256 "


class Anchor(msgspec.Struct, frozen=True):
    """A sentence without its text: its places (`129.2`: line and piece), the hash of its words, the words as a set.

    `turning` is a hash of the words on which its meaning turns; empty where a file of an older version lacks it.
    """

    places: tuple[str, ...]
    hash: str
    words: bytes
    turning: str = ""

    def may_mean_the_same(self, other: "Anchor") -> bool:
        """Return whether no number, no negation and no word of that kind tells two sentences apart."""
        return not (self.turning and other.turning) or self.turning == other.turning


class Anchors(msgspec.Struct, frozen=True):
    """The sentences of a text, and the SHA-256 of the file that they were taken from."""

    sha256: str
    sentences: tuple[Anchor, ...]


def anchors_of(text: RulebookText) -> Anchors:
    """Return the sentences of a text as anchors."""
    return Anchors(text.sha256, tuple(anchor_of(text, sentence) for sentence in text.sentences))


def anchor_of(text: RulebookText, sentence: RulebookSentence) -> Anchor:
    """Return a sentence of a text as an anchor."""
    words = sentence.words
    return Anchor(
        places=tuple(
            f"{line}.{text.by_line[line].index(sentence.number) + 1}"
            for line in range(sentence.first, sentence.last + 1)
        ),
        hash=_digest(words)[:12],
        words=bytes(sorted({hashlib.sha256(word.encode()).digest()[0] for word in words})),
        turning=_digest(
            sorted(TURNING_WORDS.get(word, word) for word in words if word in TURNING_WORDS or word.isdecimal())
        )[:6],
    )


def _digest(words: Iterable[str]) -> str:
    return hashlib.sha256(" ".join(words).encode()).hexdigest()


def written(anchors: Anchors) -> Iterator[str]:
    """Return the lines of the file that keeps anchors."""
    yield f"{_HEAD}{anchors.sha256}"
    for each in anchors.sentences:
        yield "\t".join([" ".join(each.places), each.hash, each.words.hex(), each.turning])


def read_anchors(lines: Iterable[str]) -> Anchors:
    """Read anchors as `written` writes them."""
    head, *rest = lines
    rows = (line.split("\t") for line in rest if line)
    sentences = tuple(
        Anchor(tuple(places.split()), digest, bytes.fromhex(words), *turning)
        for places, digest, words, *turning in rows
    )
    return Anchors(head.removeprefix(_HEAD).strip(), sentences)


@cache
def anchors_of_game(slug: str) -> Anchors | None:
    """Return the anchors of the text that a game's rules were written from; None where there are none."""
    try:
        text = files(package_of(slug)).joinpath(FILE).read_text(encoding="utf-8")
    except (ModuleNotFoundError, FileNotFoundError):
        return None
    return read_anchors(text.splitlines())
