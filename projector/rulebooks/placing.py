"""Where in a designer's text the sentences stand that the rules cite.

Two texts are aligned sentence by sentence: those that are the same in both, in order (`same`) or elsewhere (`moved`);
of the others those whose words are mostly the same (`reworded`, with the share as certainty; `altered` where a number,
a negation or a word of that kind differs, so that it may say something else). A sentence that is like none is not
placed. Where a game does not know the text that its rules were written from, our own wording of a rule is
held against every sentence (`by wording`; `same` where it is that sentence). Where the text is that wording itself, as
in a demo, it is `ours`.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from typing import Final, Literal

import msgspec
from rapidfuzz import fuzz
from rapidfuzz.distance import Indel

from tabletape.projector.model.game import Game
from tabletape.projector.model.rulebook import Ruling
from tabletape.projector.model.rules import Rule
from tabletape.projector.rulebooks.anchors import Anchor, Anchors, anchors_of, anchors_of_game
from tabletape.projector.rulebooks.text import RulebookSentence, RulebookText, words_of

How = Literal["same", "moved", "reworded", "altered", "by wording", "ours"]

REWORDED_SHARE: Final = 0.6
"""The share of words two sentences have in common (Dice) from which one is taken for the other, between neighbours."""

REWORDED_ELSEWHERE: Final = 0.75
"""The same where it does not stand between the sentences that stood around it."""

WORDING: Final = 75.0
"""How like our own wording of a rule a sentence has to be (rapidfuzz, 0 to 100), where nothing else is known."""

FEW_WORDS: Final = 3
"""Sentences with fewer words are found again only where they are the same: `name`, `type(s)`."""

IN_PART_MARK: Final = " (in part)"
"""What stands behind a citation of which only some sentences were found."""

_CITATION: Final = re.compile(r"L(\d+)(?:\.(\d+))?(?:\s*-\s*L?(\d+)(?![\d.]))?")


class Placement(msgspec.Struct, frozen=True):
    """A sentence of a text by its number, how it was found, and how certain that is (0 to 1)."""

    sentence: int
    how: How
    certainty: float


class Cited(msgspec.Struct, frozen=True, kw_only=True):
    """The sentences that a rule or ruling cites, in the order of the text, and the citations that were not placed.

    `whole`: the citation names a line or several, and which sentence there is meant is unknown.
    """

    placements: tuple[Placement, ...] = ()
    missing: tuple[str, ...] = ()
    whole: bool = False

    @property
    def sentences(self) -> tuple[int, ...]:
        """The numbers of the sentences."""
        return tuple(each.sentence for each in self.placements)

    @property
    def certainty(self) -> float:
        """How certain the least certain of them is; 0 where there is none."""
        return min((each.certainty for each in self.placements), default=0.0)


class PlacedRulebook(msgspec.Struct, frozen=True, kw_only=True):
    """A text with what a game's rules and rulings cite in it, by rule id and ruling key.

    `written_from`: the file is the very one that the rules were written from.
    """

    text: RulebookText
    rules: Mapping[str, Cited]
    rulings: Mapping[str, Cited]
    written_from: bool = False

    @property
    def missing(self) -> dict[str, tuple[str, ...]]:
        """The citations that were not placed, by rule id or ruling key."""
        return {name: each.missing for name, each in {**self.rules, **self.rulings}.items() if each.missing}


def citations(text: str) -> list[tuple[str, int, int, int]]:
    """Return what a text cites, each once: as written, first line, last line, piece (0: the whole line)."""
    cited = {}
    for match in _CITATION.finditer(text):
        first, piece, last = (int(each or 0) for each in match.groups())
        cited[match[0]] = (match[0], first, max(first, last), piece)
    return list(cited.values())


def cited_by(ruling: Ruling) -> str:
    """Return what names a ruling's sentences: its question, or its reason where the question names none."""
    return ruling.question if citations(ruling.question) else ruling.reason


def placed(game: Game, text: RulebookText) -> PlacedRulebook:
    """Find the sentences that a game's rules and rulings cite in a text."""
    anchors = anchors_of_game(game.slug)
    if anchors is None:
        rules = {rule.id: _by_wording(rule, text) for rule in game.rules if rule.lines}
        rulings = {each.key: citations(cited_by(each)) for each in game.rulebook.rulings}
        lost = {key: Cited(missing=tuple(name for name, *_ in names)) for key, names in rulings.items() if names}
        return PlacedRulebook(text=text, rules=rules, rulings=lost)
    by_place, by_text = _by_place(anchors, align(anchors, text)), {each.text: each.number for each in text.sentences}
    cited = [rule for rule in game.rules if rule.lines]
    ours = {rule: Placement(by_text[rule.text], "ours", 1.0) for rule in cited if rule.text in by_text}
    for rule, placement in ours.items():  # What else cites these lines, a ruling, is about the same sentence.
        for _, first, last, piece in citations(rule.lines):
            for pieces in (by_place.get(line, {}) for line in range(first, last + 1)):
                pieces.update(dict.fromkeys([piece] if piece else pieces, placement))
    return PlacedRulebook(
        text=text,
        rules={
            rule.id: Cited(placements=(ours[rule],)) if rule in ours else _cited(rule.lines, by_place) for rule in cited
        },
        rulings={
            each.key: _cited(cited_by(each), by_place) for each in game.rulebook.rulings if citations(cited_by(each))
        },
        written_from=anchors.sha256 == text.sha256,
    )


def _by_place(anchors: Anchors, placements: Sequence[Placement | None]) -> dict[int, dict[int, Placement | None]]:
    """Return where each piece of each line of the source went: line, piece, place in the text."""
    by_place: dict[int, dict[int, Placement | None]] = {}
    for anchor, placement in zip(anchors.sentences, placements, strict=True):
        for place in anchor.places:
            line, piece = map(int, place.split("."))
            by_place.setdefault(line, {})[piece] = placement
    return by_place


def _cited(written: str, by_place: Mapping[int, Mapping[int, Placement | None]]) -> Cited:
    """Find what a citation names: a line is all of its sentences."""
    placements: dict[int, Placement] = {}
    missing: list[str] = []
    whole = False
    for name, first, last, piece in citations(written):
        lines = [by_place[line] for line in range(first, last + 1) if line in by_place]
        hits = [pieces.get(piece) for pieces in lines] if piece else [each for line in lines for each in line.values()]
        named = list({each.sentence: each for each in hits if each}.values())
        whole_there = None not in hits
        placements.update({each.sentence: each for each in named})
        whole = whole or (not piece and len(named) > 1)
        if not named or not whole_there:
            missing.append(f"{name}{IN_PART_MARK}" if named else name)
    return Cited(placements=tuple(placements[each] for each in sorted(placements)), missing=tuple(missing), whole=whole)


def _likeness(wording: str, sentence: RulebookSentence) -> tuple[float, float]:
    """Return how like a sentence is, whatever stands more in one of the two; of equal ones by the whole of both."""
    words = fuzz.token_set_ratio(wording, sentence.text, processor=str.casefold)
    return words, fuzz.ratio(wording, sentence.text, processor=str.casefold)


def _by_wording(rule: Rule, text: RulebookText) -> Cited:
    # All words of a title, `Goat Bridge`, stand in many sentences, which say more.
    sentences = [each for each in text.sentences if len(each.words) > FEW_WORDS]
    if len(words_of(rule.text)) > FEW_WORDS and sentences:
        best = max(sentences, key=lambda each: _likeness(rule.text, each))
        likeness, _ = _likeness(rule.text, best)
        how: How = "same" if best.text == rule.text else "by wording"
        if likeness >= WORDING and (how == "same" or re.search(r"\d", rule.lines)):  # `own words` stand in no rulebook.
            return Cited(placements=(Placement(best.number, how, likeness / 100),))
    return Cited(missing=tuple(name for name, *_ in citations(rule.lines)) or (rule.lines,))


# -- two texts beside each other ---------------------------------------------------------------------------------------


def align(source: Anchors, text: RulebookText) -> list[Placement | None]:
    """Return for each sentence of `source` where it stands in a text; None where it is not there any more."""
    old, new = source.sentences, anchors_of(text).sentences
    placements: list[Placement | None] = [None] * len(old)
    for number, target in _same_in_order(old, new):
        placements[number] = Placement(target, "same", 1.0)
    free = set(range(len(new))) - {each.sentence for each in placements if each}
    for number, target in _moved(old, new, placements, free):
        placements[number] = Placement(target, "moved", 1.0)
        free.discard(target)
    for number, target, share in _reworded(old, new, placements, free):
        how: How = "reworded" if old[number].may_mean_the_same(new[target]) else "altered"
        placements[number] = Placement(target, how, share)
    return placements


def _same_in_order(old: Sequence[Anchor], new: Sequence[Anchor]) -> Iterator[tuple[int, int]]:
    matcher = SequenceMatcher(None, [each.hash for each in old], [each.hash for each in new], autojunk=False)
    for block in matcher.get_matching_blocks():
        yield from zip(range(block.a, block.a + block.size), range(block.b, block.b + block.size), strict=True)


def _moved(
    old: Sequence[Anchor], new: Sequence[Anchor], placements: Sequence[Placement | None], free: set[int]
) -> Iterator[tuple[int, int]]:
    """Find the same sentences elsewhere; of those that stand there several times the first that is free."""
    left: dict[str, list[int]] = {}
    for target in sorted(free):
        left.setdefault(new[target].hash, []).append(target)
    for number, anchor in enumerate(old):
        if placements[number] is None and left.get(anchor.hash):
            yield number, left[anchor.hash].pop(0)


def _reworded(
    old: Sequence[Anchor], new: Sequence[Anchor], placements: Sequence[Placement | None], free: set[int]
) -> Iterator[tuple[int, int, float]]:
    """Pair what is left by the words in common, the most similar first; each sentence is taken once."""
    pairs = []
    for number, anchor in enumerate(old):
        if placements[number] is not None or len(anchor.words) < FEW_WORDS:
            continue
        between = _between(placements, number, len(new))
        for target in free:
            share = Indel.normalized_similarity(anchor.words, new[target].words)  # of sorted sets: Dice
            if share >= (REWORDED_SHARE if target in between else REWORDED_ELSEWHERE):
                pairs.append((share, -abs(target - between.start), number, target))
    taken: set[int] = set()
    done: set[int] = set()
    for share, _, number, target in sorted(pairs, reverse=True):
        if number not in done and target not in taken:
            done.add(number)
            taken.add(target)
            yield number, target, round(share, 3)


def _between(placements: Sequence[Placement | None], number: int, size: int) -> range:
    """Return the places between the nearest sentences before and after one that stand in order as they did."""
    before = next((each.sentence for each in reversed(placements[:number]) if each and each.how == "same"), -1)
    after = next((each.sentence for each in placements[number + 1 :] if each and each.how == "same"), size)
    return range(before + 1, after)
