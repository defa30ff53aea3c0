"""Games of several kinds of bots are no pool: where bots disagree, a share of both says nothing of either."""

from typing import Final, Unpack

import pyarrow as pa

from tabletape.dashboard.questions import Filters, ask, question, select
from tabletape.dashboard.questions.filtering import KINDS
from tabletape.projector.datasets.manifest import Folder
from tabletape.projector.selfplay.kinds import Bot

OF_PLAY: Final = frozenset({"decisive", "finished"})
"""What a question counts whose answer says how somebody plays: who wins, and how long it takes."""

LADDER: Final = "bots-ladder"
"""The question that asks each kind of bots for itself."""


def ask_apart(name: str, datasets: Folder, **filters: Unpack[Filters]) -> pa.Table:
    """Answer a question like `ask`; for games of several kinds of bots with a row each, `bots` says of which kind.

    That is so for what depends on play (who wins, how long games take), where bots alone are asked about. Games of
    several kinds at one table are `mixed`. Raises `QuestionError` where there is no such question.
    """
    kinds = _kinds(name, datasets, filters)
    if len(kinds) < 2:
        return ask(name, datasets, **filters)
    found = []
    for kind in kinds:
        mine: Filters = {**filters, "bots": kind}
        answer = ask(name, datasets, **mine)
        place = 1 + max(answer.column_names.index(key) for key in ("game", "ruleset") if key in answer.column_names)
        found.append(answer.add_column(place, "bots", pa.array([kind] * answer.num_rows, pa.string())))
    return pa.concat_tables(found)


def _kinds(name: str, datasets: Folder, filters: Filters) -> list[str]:
    """Return the kinds of bots whose games are asked about, the weakest first; none where kinds do not matter."""
    if filters.get("source") != "bots" or filters.get("bots") or name == LADDER:
        return []
    if OF_PLAY.isdisjoint(question(name).counts):
        return []
    sql = (
        f"SELECT DISTINCT bots FROM ({KINDS}) JOIN games USING (game_id, ruleset_id) "  # noqa: S608 - our own text
        "WHERE ($game IS NULL OR game = $game) AND ($ruleset IS NULL OR $ruleset IN (ruleset, ruleset_id))"
    )
    found: list[str] = select(sql, datasets, ("game", "ruleset"), **filters)["bots"].to_pylist()
    ladder = [*Bot]
    return sorted(found, key=lambda kind: (ladder.index(Bot(kind)) if kind in ladder else len(ladder), kind))
