"""The sentences that lines are made from: where lines that begin alike differ, something is named, and a hole stands.

Nothing of it knows a language or a game: "Anna wirft Feuerball ab" and "Bernd wirft Nebel ab" are one sentence, because
they begin with a name and the same word, go on differently and end alike.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Final

VARIETY: Final = 3
"""Where lines go on in at least this many different ways, they name something."""

MIN_SHARE_ALIKE: Final = 0.6
"""The share of lines that begin alike and must end in the same words for these to belong to the sentence."""

LONGEST_TAIL: Final = 6
"""How many words at the end of a line are looked at."""

HOLE: Final = "{card}"
"""What stands where something is named."""

Words = tuple[str, ...]

Endings = Callable[[str], Collection[Words] | None]
"""Says of a beginning what may end its sentence; None where nothing is known to be named behind it."""


def sentences_of(shapes: Iterable[str], endings_of: Endings) -> dict[str, str]:
    """Return the sentence of each shape: a line with its players and numbers taken out, `{player} spielt Feuerball`.

    `endings_of` says of a beginning (`{player} wirft`) that something is named behind it, however few lines there are,
    and what may stand behind that (`ab`).
    """
    groups: dict[Words, Counter[Words]] = {}
    sentences: dict[str, str] = {}
    for shape in shapes:
        words = tuple(shape.split(" "))
        head = _head(words)
        groups.setdefault(head, Counter())[words[len(head) :]] += 1
    everywhere = {rest[place:] for rests in groups.values() for rest in rests for place in range(len(rest))}
    for head, rests in groups.items():
        for rest, sentence in _divided(head, list(rests), endings_of, everywhere).items():
            sentences[" ".join((*head, *rest))] = " ".join(sentence)
    return sentences


def _head(words: Words) -> Words:
    """Return with what a line begins: up to the word behind the player, or its first word."""
    place = next((number for number, word in enumerate(words) if "{player}" in word), 0)
    return words[: place + 2] if place < 2 else words[: place + 1]


def _divided(
    head: Words, rests: Collection[Words], endings_of: Endings, everywhere: Collection[Words]
) -> dict[Words, Words]:
    """Return the sentence of each way in which lines with the same beginning go on."""
    sentences: dict[Words, Words] = {}
    differing = []
    for word, behind in _by_first(rests).items():
        if not word:
            sentences[()] = head
        elif _belongs(head, word, behind, endings_of):
            inner = _divided((*head, word), behind, endings_of, everywhere)
            sentences |= {(word, *rest): sentence for rest, sentence in inner.items()}
        else:
            differing += [(word, *rest) for rest in behind]
    endings = endings_of(" ".join(head))
    if len(differing) < VARIETY and endings is None:
        return sentences | {rest: (*head, *rest) for rest in differing}
    tails = sorted({*_tails(differing, everywhere), *(endings or ())}, key=len, reverse=True)
    for rest in differing:
        tail = next((rest[-len(each) :] for each in tails if len(each) < len(rest) and _ends(rest, each)), ())
        sentences[rest] = (*head, *_named(rest[: len(rest) - len(tail)]), *tail)
    return sentences


def _by_first(rests: Collection[Words]) -> dict[str, list[Words]]:
    """Return what follows each first word; the empty one is that of a line that is over."""
    by_first: dict[str, list[Words]] = {}
    for rest in rests:
        by_first.setdefault(rest[0] if rest else "", []).append(rest[1:])
    return by_first


def _belongs(head: Words, word: str, behind: Sequence[Words], endings_of: Endings) -> bool:
    """Return whether a word belongs to the sentence: a hole, or a small word behind which lines differ again."""
    if is_hole(word):
        return True
    follow = {rest[0] for rest in behind if rest}
    differs = (
        len(follow) >= VARIETY
        or any(map(is_hole, follow))
        or (follow and endings_of(" ".join((*head, word))) is not None)
    )
    return word.islower() and bool(differs)


def _ends(words: Words, tail: Words) -> bool:
    """Return whether words end with others, a full stop aside."""
    return words[-len(tail) :] == tail or (*words[-len(tail) : -1], words[-1].rstrip(".!")) == tail


def _named(words: Words) -> Words:
    """Return what is named as a hole; a player behind it stays, and so does the full stop at its end."""
    place = next((number for number, word in enumerate(words) if number and "{player}" in word), len(words))
    end = words[-1][-1] if words[-1].endswith((".", "!")) else ""
    return (HOLE + end,) if place == len(words) else (HOLE, *words[place:])


def is_hole(word: str) -> bool:
    """Return whether a word is a hole already, maybe with a mark behind it."""
    return word.startswith("{")


def _tails(rests: Sequence[Words], everywhere: Collection[Words]) -> list[Words]:
    """Return what stands behind the names in several lines, `from their hand`.

    Words are no part of a name if most lines have them, or if what stands before them is a name elsewhere.
    """
    heads: dict[Words, set[Words]] = {}
    for rest in set(rests):
        for place in range(max(1, len(rest) - LONGEST_TAIL), len(rest)):
            if not (rest[place][:1].islower() or is_hole(rest[place])):
                continue
            heads.setdefault(rest[place:], set()).add(rest[:place])
    many = max(VARIETY, MIN_SHARE_ALIKE * len({*rests}))
    return [
        tail
        for tail, named in heads.items()
        if len(named) >= many or (len(named) > 1 and sum(each in everywhere for each in named) > 1)
    ]
