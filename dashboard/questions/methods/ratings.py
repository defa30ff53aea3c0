"""How strong decks are, whomever they met, from who won against all others at the table."""

from collections.abc import Iterator
from typing import Any, Final

import msgspec
import numpy as np
import pyarrow as pa
from scipy.special import expit

from tabletape.dashboard.questions.methods.sides import column, contests, decided, game_starts, groups, indicators
from tabletape.dashboard.statistics.conditional_logit import Floats, Posterior, fit
from tabletape.dashboard.statistics.intervals import CONFIDENCE, z_of

PRIOR: Final = 0.5
"""How far strengths are thought to lie from the average before the first game (standard deviation, logit scale)."""

DRAWS: Final = 4000
SEED: Final = 20

STRENGTHS: Final = pa.schema(
    {
        "game": pa.string(), "ruleset": pa.string(), "dimension": pa.string(), "value": pa.string(),
        "games": pa.int64(), "strength": pa.float64(), "low": pa.float64(), "high": pa.float64(),
        "strongest": pa.float64(), "clear": pa.bool_(), "narrowed": pa.float64(),
    }
)  # fmt: skip


class Rated(msgspec.Struct, frozen=True):
    """The decks of one kind: their names, in how many games each was, and what the games tell of their strengths."""

    kind: tuple[str, str, str]
    names: list[str]
    games: np.ndarray
    posterior: Posterior

    def against(self, own: int, other: int | None = None) -> Floats:
        """Return the sum of terms that says how much stronger a deck is than another (none: than the average one)."""
        weights = np.zeros(len(self.posterior.mean))
        if other is None:
            weights[: len(self.names)] = -1 / len(self.names)
        else:
            weights[other] = -1.0
        weights[own] += 1.0
        return weights

    @property
    def strongest(self) -> np.ndarray:
        """Each deck's chance of being the strongest."""
        size = len(self.names)
        rng = np.random.default_rng(SEED)
        drawn = rng.multivariate_normal(self.posterior.mean[:size], self.posterior.covariance[:size, :size], DRAWS)
        return np.bincount(drawn.argmax(axis=1), minlength=size) / DRAWS


def rated(rows: pa.Table) -> Iterator[Rated]:
    """Fit the strengths of each kind of deck, allowing for the player and for who began.

    `rows` has a row for every side of the games that somebody won: `dimension`, `value`, `ruleset_id`,
    `game_id`, `won`, `name`, `first`. Two sides: Bradley and Terry (Biometrika 39, 1952), more: Plackett and Luce (see
    `conditional_logit`).
    """
    for kind, every in groups(rows, "game", "ruleset", "dimension"):
        sides = decided(every)
        names, value = indicators(sides, "value")
        if len(names) < 2:
            continue
        players, player = indicators(sides, "name")
        first = column(sides, "first")[:, None]
        prior = np.full(len(names) + len(players) + 1, PRIOR)
        games = (np.add.reduceat(value, game_starts(sides)) > 0).sum(axis=0)
        yield Rated(kind, names, games, fit(contests(sides, np.hstack([value, player, first])), prior))


def answer(rows: pa.Table) -> pa.Table:
    """Return the strength of every deck, the strongest first: its chance to beat the average one, with its interval."""
    strengths: list[dict[str, Any]] = []
    for each in rated(rows):
        head = dict(zip(("game", "ruleset", "dimension"), each.kind, strict=True))
        strongest = each.strongest
        mine = []
        for number, name in enumerate(each.names):
            strength = compared("strength", each.posterior, each.against(number))
            counts = {"games": int(each.games[number]), "strongest": float(strongest[number])}
            clear = not strength["low"] <= 0.5 <= strength["high"]
            mine.append({**head, "value": name, **counts, **strength, "clear": clear})
        strengths += sorted(mine, key=lambda row: (-row["strength"], row["value"]))
    return pa.Table.from_pylist(strengths, STRENGTHS)


def compared(name: str, posterior: Posterior, weights: Floats) -> dict[str, float]:
    """Return the chance that goes with a weighted sum of terms, named, with its 95 % interval.

    Beside it stands by how much the games `narrowed` the interval of before the first one.
    """
    mean, deviation = posterior.contrast(weights)
    reach = z_of(CONFIDENCE) * deviation
    narrowed = 1 - deviation / (PRIOR * float(np.linalg.norm(weights)))
    ends = {"low": float(expit(mean - reach)), "high": float(expit(mean + reach))}
    return {name: float(expit(mean)), **ends, "narrowed": max(narrowed, 0.0)}
