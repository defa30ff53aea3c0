"""How strong decks are, from who beat whom: Bradley-Terry strengths, where the decks can be compared at all."""

from collections.abc import Iterator, Mapping, Sequence

import msgspec
import numpy as np
import pyarrow as pa
from scipy.optimize import minimize
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components
from scipy.special import expit, log_expit

from dashboard.intervals import CONFIDENCE, z_of


class Strength(msgspec.Struct, frozen=True):
    """How strong a deck is: its chance to beat the average deck, with its 95 % interval, and its games."""

    name: str
    share: float
    low: float
    high: float
    games: int


class Ratings(msgspec.Struct, frozen=True):
    """Strengths, the strongest first; empty where the decks fall into `groups` that cannot be compared."""

    strengths: tuple[Strength, ...]
    groups: tuple[tuple[str, ...], ...]


Kind = tuple[str, str, str]
"""A game, a ruleset and what decks are told by."""


def rated(answer: pa.Table) -> Iterator[tuple[Kind, Ratings]]:
    """Return the ratings of every kind of deck from the answer to the question `ratings`."""
    wins: dict[Kind, dict[tuple[str, str], float]] = {}
    for row in answer.to_pylist():
        kind = row["game"], row["ruleset"], row["dimension"]
        wins.setdefault(kind, {})[row["winner"], row["loser"]] = row["wins"]
    for kind, won in wins.items():
        yield kind, bradley_terry(won)


def bradley_terry(wins: Mapping[tuple[str, str], float]) -> Ratings:
    """Return the strength of every deck from `wins[a, b]`, the games that a has won against b.

    Strengths exist only where every deck can be reached from every other along won games; else the decks are given in
    the groups that can. Source: R. A. Bradley, M. E. Terry, Rank analysis, Biometrika 39 (1952).
    """
    names = sorted({name for pair in wins for name in pair})
    counts = {pair: won for pair, won in wins.items() if won > 0 and pair[0] != pair[1]}
    groups = _groups(names, counts)
    if len(groups) != 1 or len(names) < 2:
        return Ratings((), groups)
    return Ratings(_strengths(names, counts), groups)


def _groups(names: Sequence[str], wins: Mapping[tuple[str, str], float]) -> tuple[tuple[str, ...], ...]:
    place = {name: number for number, name in enumerate(names)}
    rows, columns = [place[a] for a, _ in wins], [place[b] for _, b in wins]
    graph = coo_array(([1] * len(rows), (rows, columns)), shape=(len(names), len(names)))
    _, labels = connected_components(graph, directed=True, connection="strong")
    found: dict[int, list[str]] = {}
    for name, label in zip(names, labels, strict=True):
        found.setdefault(int(label), []).append(name)
    return tuple(sorted((tuple(group) for group in found.values()), key=lambda group: (-len(group), group)))


def _strengths(names: Sequence[str], wins: Mapping[tuple[str, str], float]) -> tuple[Strength, ...]:
    """Fit the strengths by maximum likelihood; their mean is 0 on the logarithmic scale."""
    size = len(names)
    place = {name: number for number, name in enumerate(names)}
    won = np.zeros((size, size))
    for (a, b), count in wins.items():
        won[place[a], place[b]] = count
    played = won + won.T

    def unlikely(theta: np.ndarray) -> tuple[float, np.ndarray]:
        gap = theta[:, None] - theta[None, :]
        slope = (won - played * expit(gap)).sum(axis=1)
        return float(-(won * log_expit(gap)).sum()), -slope

    fitted = minimize(unlikely, np.zeros(size), jac=True, method="L-BFGS-B", options={"ftol": 1e-13, "gtol": 1e-9})
    theta = fitted.x - fitted.x.mean()
    gap = expit(theta[:, None] - theta[None, :])
    weight = played * gap * (1 - gap)
    information = np.diag(weight.sum(axis=1)) - weight
    error = np.sqrt(np.diag(np.linalg.pinv(information)).clip(0)) * z_of(CONFIDENCE)
    found = [
        Strength(name, float(expit(t)), float(expit(t - e)), float(expit(t + e)), int(n))
        for name, t, e, n in zip(names, theta, error, played.sum(axis=1), strict=True)
    ]
    return tuple(sorted(found, key=lambda each: (-each.share, each.name)))
