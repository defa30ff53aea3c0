"""When playtesting of a share can stop: fair, not fair, or about how many games more.

The baseline is what the share would be if nothing mattered: one half for two players, a third for three.
"""

from typing import Final, Literal

import msgspec
import numpy as np
from scipy.special import betaln
from scipy.stats import beta, binom

from tabletape.dashboard.statistics.intervals import wilson

PSEUDO_GAMES: Final = 10
"""What is thought before the first game weighs as much as ten: Beta(5, 5) around one half."""

MARGIN: Final = 0.1
FAIR: Final = 0.9
NOT_FAIR: Final = 0.05
"""Fair: within ten points of the baseline with at least the first probability; not fair: with less than the second."""

REJECT: Final = 20.0
"""An e-value from here on rejects the baseline at 5 %, however often one has looked."""

FURTHEST: Final = 4000
"""The most games that a plan looks ahead."""

Verdict = Literal["fair", "not fair", "keep testing"]


class Outlook(msgspec.Struct, frozen=True, kw_only=True):
    """What the games so far say of a share, and what is still missing.

    `fair` is the probability that it lies within ten points of its baseline, `e_value` the evidence against the
    baseline, `power` the chance that so many games tell a share ten points above it, `more` about how many games are
    missing until it can be decided if they go on like this (none where it is decided, or too far away).
    """

    verdict: Verdict
    fair: float
    e_value: float
    power: float
    more: int | None


def outlook(hits: int, n: int, baseline: float) -> Outlook:
    """Return what `hits` of `n` games say of a share with a baseline. Raises `ValueError` unless 0 <= hits <= n."""
    if not 0 <= hits <= n:
        raise ValueError(f"a share is some of all, not {hits} of {n}")
    fair = float(_fair(hits, n, baseline))
    verdict = _verdict(fair)
    more = _more(hits / n if n else baseline, n, baseline) if verdict == "keep testing" else None
    return Outlook(verdict=verdict, fair=fair, e_value=e_value(hits, n, baseline), power=power(n, baseline), more=more)


def _verdict(fair: float) -> Verdict:
    """Return what a probability of being fair decides."""
    if fair > FAIR:
        return "fair"
    return "not fair" if fair < NOT_FAIR else "keep testing"


def _fair(hits: "np.ndarray | float", n: "np.ndarray | float", baseline: float) -> "np.ndarray | float":
    """Return the probability that a share lies within ten points of its baseline."""
    a, b = PSEUDO_GAMES * baseline, PSEUDO_GAMES * (1 - baseline)
    after = beta(a + hits, b + n - hits)
    return after.cdf(baseline + MARGIN) - after.cdf(baseline - MARGIN)  # type: ignore[no-any-return]


def e_value(hits: int, n: int, baseline: float) -> float:
    """Return the evidence against a share that is exactly its baseline: the ratio of two chances of these games.

    Above, the share is drawn from a Beta distribution around the baseline that weighs ten games; below, it is the
    baseline. If the baseline is true the ratio ever reaches 20 with a chance of 5 % at most, so one may look after
    every game. Source: J. Ville, Étude critique de la notion de collectif (1939); A. Ramdas and others, Game-theoretic
    statistics and safe anytime-valid inference, Statistical Science 38 (2023).
    """
    a, b = PSEUDO_GAMES * baseline, PSEUDO_GAMES * (1 - baseline)
    mixture = betaln(a + hits, b + n - hits) - betaln(a, b)
    plain = hits * np.log(baseline) + (n - hits) * np.log1p(-baseline)
    return float(np.exp(min(mixture - plain, 700.0)))


def power(n: int, baseline: float, margin: float = MARGIN) -> float:
    """Return the chance that n games tell a share `margin` above its baseline: Wilson's interval leaves it out."""
    counts = np.arange(n + 1)
    is_detected = (
        [not (found := wilson(int(hits), n)).low <= baseline <= found.high for hits in counts] if n else [False]
    )
    return float(binom.pmf(counts, n, min(baseline + margin, 1.0)) @ np.array(is_detected))


def _more(share: float, n: int, baseline: float) -> int | None:
    """Return about how many games more decide a share that stays as it is; None where that is too far away."""
    more = np.arange(1, FURTHEST + 1)
    fair = _fair(share * (n + more), n + more, baseline)
    decided = np.flatnonzero((fair > FAIR) | (fair < NOT_FAIR))
    return int(more[decided[0]]) if len(decided) else None
