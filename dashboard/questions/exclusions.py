"""Who is counted is said: how many of the chosen games a question counts, and why it leaves out the others."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, Unpack

import msgspec

from tabletape.dashboard.questions import Filters, Question, ask, select
from tabletape.dashboard.questions.bots_apart import LADDER, ask_apart, luck_of
from tabletape.dashboard.questions.by_luck import luck_in_words
from tabletape.dashboard.questions.share_columns import Share
from tabletape.projector.datasets.manifest import Folder
from tabletape.projector.model.amounts import counted

_DIFFERENT_DECKS: Final = """(game_id, ruleset_id) IN (
  SELECT game_id, ruleset_id FROM dimensions
  GROUP BY game_id, ruleset_id, dimension HAVING count(DISTINCT value) > 1
)"""
_EQUAL: Final = """(game_id, ruleset_id) IN (
  SELECT game_id, ruleset_id FROM seats
  GROUP BY game_id, ruleset_id HAVING count(*) > 1 AND count(deck) = count(*) AND count(DISTINCT deck) = 1
)"""
_SCORED_GAMES: Final = "(game_id, ruleset_id) IN (SELECT game_id, ruleset_id FROM seats WHERE score IS NOT NULL)"
_PLACED_GAMES: Final = "(game_id, ruleset_id) IN (SELECT game_id, ruleset_id FROM seats WHERE place IS NOT NULL)"
_TEAM_GAMES: Final = "(game_id, ruleset_id) IN (SELECT game_id, ruleset_id FROM seats WHERE team IS NOT NULL)"
_ONE_SIDE: Final = """(game_id, ruleset_id) IN (
  SELECT game_id, ruleset_id FROM seats WHERE won
  GROUP BY game_id, ruleset_id HAVING count(DISTINCT coalesce('team ' || team, player)) = 1
)"""
_APART: Final = """(game_id, ruleset_id) IN (
  SELECT game_id, ruleset_id FROM seats
  GROUP BY game_id, ruleset_id HAVING count(score) = count(*)
    AND count(DISTINCT coalesce('team ' || team, player)) > 1
    AND count(DISTINCT coalesce('team ' || team, player)) = count(DISTINCT (coalesce('team ' || team, player), score))
    AND (max(score) FILTER (WHERE won) >= max(score) FILTER (WHERE NOT won)
      OR max(score) FILTER (WHERE won) <= min(score) FILTER (WHERE NOT won))
)"""

_RESULT_ONLY: Final = ("detail = 'results'", "known by their result only")

CONDITIONS: Final[dict[str, tuple[tuple[str, str], ...]]] = {
    "finished": (("NOT over", "did not finish"),),
    "decisive": (
        ("winner IS NULL AND NOT over", "did not finish"),
        ("winner IS NULL AND cooperative", "were played together, not against each other"),
        ("winner IS NULL AND winners > 1", "with several winners"),
        ("winner IS NULL", "ended without a winner"),
    ),
    "cooperative": (("NOT cooperative", "were played against each other"),),
    "scores": ((f"score IS NULL AND NOT ({_SCORED_GAMES})", "without points"),),
    "margins": (
        ("winners = 0 AND NOT over", "did not finish"),
        ("winner IS NULL AND cooperative", "were played together, not against each other"),
        ("winners = 0", "ended without a winner"),
        (f"NOT ({_ONE_SIDE})", "with several winners"),
        (f"NOT ({_APART})", "whose points are not all known, or do not say who won"),
    ),
    "places": ((f"NOT ({_PLACED_GAMES})", "whose places are not known"),),
    "variants": (("(game_id, ruleset_id) NOT IN (SELECT game_id, ruleset_id FROM variants)", "without a choice"),),
    "teams": ((f"NOT ({_TEAM_GAMES})", "without teams"), ("winners = 0", "ended without a winner")),
    "actions": (_RESULT_ONLY,),
    "beginner": (("first_player IS NULL", "do not say who began"),),
    "leader": (_RESULT_ONLY, ("half_time_leader IS NULL", "without a sole leader at half time")),
    "lead": (_RESULT_ONLY, ("lead_changes IS NULL", "in which nobody ever led alone")),
    "minutes": (("minutes IS NULL", "without times"),),
    "dated": (("started_at IS NULL", "that do not say when they began"),),
    "times": (
        _RESULT_ONLY,
        ("(game_id, ruleset_id) NOT IN (SELECT game_id, ruleset_id FROM turns WHERE seconds > 0)", "without times"),
    ),
    "hands": (
        _RESULT_ONLY,
        (
            "(game_id, ruleset_id) NOT IN (SELECT game_id, ruleset_id FROM seats WHERE hand_known)",
            "without a known hand",
        ),
    ),
    "opponents": ((f"NOT ({_DIFFERENT_DECKS})", "between decks of one kind, or of none"),),
    "decks": ((_EQUAL, "between equal decks"),),
    "load": (_RESULT_ONLY, ("NOT decision_load", "whose legal decisions were not counted")),
}
"""What a game may need in order to count: the conditions (SQL over `games`) that leave it out, each with its words."""

_FROM: Final = """
FROM games
WHERE ($game IS NULL OR game = $game)
  AND ($ruleset IS NULL OR $ruleset IN (ruleset, ruleset_id))
  AND ($source IS NULL OR source = $source)
  AND (clean OR NOT $clean)
"""
_NAMED_FILTERS: Final = ("game", "ruleset", "source", "clean")


MAX_IDS: Final = 3
"""How many ids of a game that has several are named."""


class Counted(msgspec.Struct, frozen=True):
    """How many games a question counts: `counted` of `games`, the others by why they are left out.

    `mistaken` of those that count had a mistake; `twice` are the ids of counted games that say
    the same, each group in order.
    """

    games: int
    counted: int
    left_out: dict[str, int]
    mistaken: int
    twice: tuple[tuple[str, ...], ...]

    def in_words(self, without: str = "") -> str:
        """Return it as sentences, as in `29 of 45 games: 14 did not finish, 2 ended without a winner`.

        `without` says what comes out without the games that had a mistake.
        """
        return " ".join(self._sentences(without))

    def _sentences(self, without: str) -> Iterator[str]:
        noun = "game" if self.games == 1 else "games"
        reasons = ", ".join(f"{number:,} {why}" for why, number in self.left_out.items())
        yield f"{self.counted:,} of {self.games:,} {noun}: {reasons}." if reasons else f"{self.games:,} {noun}."
        if self.mistaken:
            rest = f": {without} without these" if without else ""
            these = f"these {self.counted:,}" if reasons else "them"
            yield f"{self.mistaken:,} of {these} had a mistake{rest}."
        if self.twice:
            first = self.twice[0]
            same = " = ".join(
                [*first[:MAX_IDS], *([f"{len(first) - MAX_IDS:,} others"] if len(first) > MAX_IDS else [])]
            )
            others = len(self.twice) - 1
            more = f", and {others:,} more {'game' if others == 1 else 'games'}" if others else ""
            often = "twice" if all(len(each) == 2 for each in self.twice) else "several times"
            yield f"Counted {often}, because the same game has several ids: {same}{more}."


def exclusions_in_words(
    asked: Question,
    datasets: Folder,
    *,
    apart: bool = False,
    also_all: bool = True,
    words: Callable[[Share, Mapping[str, Any]], str] = Share.in_words,
    **filters: Unpack[Filters],
) -> str:
    """Return which games a question counts, as sentences; empty for one that counts all there is.

    Without `also_all` nothing is said either of one that might leave some out, and counts all of them.
    Where the answer is a single share, also what it is without the games that had a mistake, as `words` say a share;
    and where kinds of bots disagree, that they are counted together, or each for itself (`apart`).
    """
    counts = counted_games(asked, datasets, **filters)
    if counts is None or not counts.games:
        return ""
    without = ""
    if counts.mistaken and len(asked.shares) == 1:
        rows = ask(asked.name, datasets, **filters).to_pylist()
        clean: Filters = {**filters, "clean": True}
        fair = ask(asked.name, datasets, **clean).to_pylist()
        if len(rows) == len(fair) == 1 and fair[0][asked.shares[0].n]:
            without = words(asked.shares[0], fair[0])
    how = "each is counted for itself here" if apart else "and are counted together here"
    disagree = _disagreement(asked, datasets, **filters)
    said = counts.in_words(without) if also_all or counts.left_out or counts.twice or without else ""
    return " ".join(filter(None, (said, f"{disagree}, {how}." if disagree else "")))


def _disagreement(asked: Question, datasets: Folder, **filters: Unpack[Filters]) -> str:
    """Say that kinds of bots disagree about who wins, where a question counts the games of several."""
    if filters.get("source", "people") == "people" or "decisive" not in asked.counts or asked.name == LADDER:
        return ""
    rows = ask_apart(LADDER, datasets, **filters).to_pylist()
    judged = [row for row in rows if row.get("bots_say")]
    verdicts = {_of_ladder(row): row["bots_say"] for row in judged}
    apart = sum(verdict == "depends on play" for verdict in verdicts.values())
    if not apart:
        return ""
    luck = luck_in_words(sum(map(luck_of, Counter(map(_of_ladder, judged)).values())))
    return (
        f"It depends on play: kinds of bots disagree about {apart} of {counted(len(verdicts), 'share')} of wins, "
        f"by luck {luck} ({LADDER})"
    )


def _of_ladder(row: Mapping[str, Any]) -> tuple[Any, ...]:
    return tuple(row[key] for key in ("game", "ruleset", "measure", "value", "players"))


def counted_games(asked: Question, datasets: Folder, **filters: Unpack[Filters]) -> Counted | None:
    """Return which games a question counts; None for one that counts all there is."""
    if not asked.counts:
        return None
    cases = " ".join(
        f"WHEN {condition} THEN '{words}'" for name in asked.counts for condition, words in CONDITIONS[name]
    )
    reason = f"SELECT game_id, content, coalesce(clean, true) AS fair, CASE {cases} END AS why {_FROM}"
    rows = select(
        f"WITH every AS ({reason}) SELECT why, count(*) AS games, count(*) FILTER (WHERE NOT fair) AS unfair "  # noqa: S608 - our own conditions
        "FROM every GROUP BY why ORDER BY games DESC, why",
        datasets, _NAMED_FILTERS, **filters,
    ).to_pylist()  # fmt: skip
    twice = select(
        f"WITH every AS ({reason}) SELECT list(DISTINCT game_id ORDER BY game_id) AS ids FROM every "  # noqa: S608 - our own conditions
        "WHERE why IS NULL GROUP BY content HAVING count(DISTINCT game_id) > 1 ORDER BY min(game_id)",
        datasets, _NAMED_FILTERS, **filters,
    )["ids"].to_pylist()  # fmt: skip
    mine = next((row for row in rows if row["why"] is None), {"games": 0, "unfair": 0})
    return Counted(
        games=sum(row["games"] for row in rows),
        counted=mine["games"],
        left_out={row["why"]: row["games"] for row in rows if row["why"] is not None},
        mistaken=mine["unfair"],
        twice=tuple(map(tuple, twice)),
    )
