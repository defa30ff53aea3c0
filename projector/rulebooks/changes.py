"""Two texts of a rulebook beside each other: which sentences changed, and what rests on them."""

from collections.abc import Iterator, Mapping
from typing import Literal

import msgspec

from tabletape.projector.model.game import Game
from tabletape.projector.rulebooks.anchors import anchors_of
from tabletape.projector.rulebooks.placing import Cited, align, placed
from tabletape.projector.rulebooks.text import RulebookText

What = Literal["reworded", "removed", "new", "moved"]


class Change(msgspec.Struct, frozen=True, kw_only=True):
    """A sentence that differs: its lines and words before and after, and the rules and rulings that cite the old one.

    `line` and `other_line` are 0 where the sentence is new or removed.
    """

    what: What
    line: int = 0
    before: str = ""
    other_line: int = 0
    after: str = ""
    rules: tuple[str, ...] = ()
    rulings: tuple[str, ...] = ()


class TextComparison(msgspec.Struct, frozen=True, kw_only=True):
    """Two texts compared: what differs, and how many sentences are the same and in their order."""

    old: str
    new: str
    same: int
    changes: tuple[Change, ...]

    @property
    def rules(self) -> tuple[str, ...]:
        """The rules that cite a sentence whose words changed, each once: they have to be read again."""
        return tuple(dict.fromkeys(rule for each in self.reworded_or_removed for rule in each.rules))

    @property
    def rulings(self) -> tuple[str, ...]:
        """The rulings that cite a sentence whose words changed, each once."""
        return tuple(dict.fromkeys(ruling for each in self.reworded_or_removed for ruling in each.rulings))

    @property
    def reworded_or_removed(self) -> Iterator[Change]:
        """The changes that leave the old sentence with other words, or without any."""
        return (each for each in self.changes if each.what in {"reworded", "removed"})


def text_changes(game: Game, old: RulebookText, new: RulebookText) -> TextComparison:
    """Compare two texts of a game's rulebook, sentence by sentence."""
    book = placed(game, old)
    rules, rulings = _citing(book.rules), _citing(book.rulings)
    placements = align(anchors_of(old), new)
    changes = []
    for sentence, placement in zip(old.sentences, placements, strict=True):
        if placement and placement.how == "same":
            continue
        other = new.sentences[placement.sentence] if placement else None
        what: What = "removed" if placement is None else "moved" if placement.how == "moved" else "reworded"
        changes.append(
            Change(
                what=what,
                line=sentence.first,
                before=sentence.text,
                other_line=other.first if other else 0,
                after=other.text if other else "",
                rules=tuple(rules.get(sentence.number, ())),
                rulings=tuple(rulings.get(sentence.number, ())),
            )
        )
    taken = {placement.sentence for placement in placements if placement}
    changes += [
        Change(what="new", other_line=each.first, after=each.text) for each in new.sentences if each.number not in taken
    ]
    same = sum(bool(placement and placement.how == "same") for placement in placements)
    return TextComparison(old=old.name, new=new.name, same=same, changes=tuple(changes))


def _citing(cited: Mapping[str, Cited]) -> dict[int, list[str]]:
    """Return which rules or rulings cite each sentence."""
    citing: dict[int, list[str]] = {}
    for name, each in cited.items():
        for number in each.sentences:
            citing.setdefault(number, []).append(name)
    return citing
