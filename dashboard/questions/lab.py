"""What bots say of cards, as a declared prior for what games of people say: the JSON of `whatif --without CARD --json`.

Bots that may not play a card, against bots that may: what the first lose in the games in which it was at play is what
the card is worth to bots. People are no bots, so it is taken for right within `DISAGREE` only, and by one half at all.
"""

from collections.abc import Iterable, Sequence
from typing import Final

import msgspec
import numpy as np

from tabletape.dashboard.questions.database import QuestionError
from tabletape.dashboard.statistics.intervals import CONFIDENCE, z_of
from tabletape.events.plans import planned
from tabletape.projector.model.amounts import counted

DISAGREE: Final = 0.3
"""How far people and bots who play alike are thought to differ in what a card is worth: a deviation (logit scale)."""

LOGITS: Final = 4.0
"""How many logits a share of one is, at one half."""


class AtPlay(msgspec.Struct, frozen=True):
    """The mean difference of `n` pairs, with its interval."""

    n: int
    mean: float
    low: float
    high: float


@planned
class LabOutcome(msgspec.Struct, frozen=True):
    """What one kind of bots says: of which game, without which card, and of the pairs in which it was at play."""

    game: str
    bot: str
    without: str
    at_play: AtPlay | None


class LabEffect(msgspec.Struct, frozen=True):
    """What a card is worth to bots, in shares won at one half, with its standard error, in so many pairs."""

    game: str
    card: str
    effect: float
    error: float
    pairs: int
    bots: tuple[str, ...]

    @property
    def in_words(self) -> str:
        """The effect in points with its 95 % interval, the pairs and the bots."""
        half = 100 * z_of(CONFIDENCE) * self.error
        of = f"{counted(self.pairs, 'pair')} of {' and '.join(self.bots)} bots"
        return f"{self.card} {100 * self.effect:+.1f} points \N{PLUS-MINUS SIGN} {half:.1f} ({of})"


def read_lab(files: Iterable[tuple[str, bytes]]) -> tuple[LabEffect, ...]:
    """Return what bots say of cards by files (names and content), a card once.

    Raises `QuestionError` for a file that does not say it.
    """
    outcomes: dict[tuple[str, str], list[LabOutcome]] = {}
    for file, content in files:
        for each in _outcomes(file, content):
            outcomes.setdefault((each.game, each.without), []).append(each)
    return tuple(_pooled(each) for each in outcomes.values())


def _outcomes(file: str, content: bytes) -> list[LabOutcome]:
    wanted = "it should be what `tabletape whatif GAME --without CARD --json` prints"
    try:
        outcomes = msgspec.json.decode(content, type=list[LabOutcome])
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise QuestionError(f"{file}: {error}; {wanted}") from None
    if not outcomes or not all(each.without for each in outcomes):
        raise QuestionError(f"{file} says of no single card what it is worth to bots: {wanted}")
    for each in outcomes:
        if each.at_play is None:
            raise QuestionError(f"{file}: in no pair of {each.bot} bots was {each.without} at play: play more --pairs")
    return outcomes


def _pooled(outcomes: Sequence[LabOutcome]) -> LabEffect:
    """Return what several kinds of bots say together: their mean, the less sure the more they differ."""
    told = [each.at_play for each in outcomes if each.at_play is not None]
    effects = [-each.mean for each in told]
    errors = [(each.high - each.low) / (2 * z_of(CONFIDENCE)) for each in told]
    variance = float(np.mean(np.square(errors)) / len(told) + np.var(effects))
    bots = tuple(dict.fromkeys(each.bot for each in outcomes))
    pairs, first = sum(each.n for each in told), outcomes[0]
    return LabEffect(first.game, first.without, float(np.mean(effects)), variance**0.5, pairs, bots)


def lab_in_words(lab: Sequence[LabEffect], cards: Iterable[str]) -> tuple[str, ...]:
    """Return the sentences that say that a prior was used, from which bots, and what it is not used for."""
    known = set(cards)
    used = [each for each in lab if each.card in known]
    others = [each.card for each in lab if each.card not in known]
    said = (
        f"Before the first game bots were asked: {'; '.join(each.in_words for each in used)}. With a chance of one "
        f"half this is right within {100 * DISAGREE / LOGITS:.1f} points (a deviation), else it says nothing. It goes "
        'into the effect, the chance that it helps, its rank and its chance to be among the top 3; "unaided" is the '
        "effect without it. The interval, what these games say alone and what stands out are of these games alone."
    )
    lost = f"Of {', '.join(others)} these games say nothing, so what bots say of it is not used."
    return tuple(words for words, is_needed in ((said, used), (lost, others)) if is_needed)
