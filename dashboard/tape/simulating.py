"""Games of bots for a workspace: how they are planned, played, and kept in its log."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal, TypedDict, Unpack

from tabletape.dashboard.tape.choosing import Rulings, chosen_game, reading, require_bots
from tabletape.events.errors import RefusedError
from tabletape.events.log import Log
from tabletape.events.log.rows import CardTexts
from tabletape.projector.selfplay.kinds import Bot
from tabletape.projector.selfplay.search import SearchEffort
from tabletape.projector.selfplay.simulate import Plan, Simulated, usual_seats

Status = Literal["new", "unchanged", "refused"]

COLUMNS: Final[Mapping[str, type]] = {
    "game_id": str, "event_count": int, "winner": str, "reason": str, "abandoned": str, "finding_count": int
}  # fmt: skip


def row_of(match: Simulated) -> dict[str, Any]:
    """Return a simulated game as a row of a table."""
    own = {name: getattr(match, name) for name in ("game_id", "winner", "reason", "abandoned")}
    return {**own, "event_count": len(match.events), "finding_count": len(match.findings)}


class Planned(TypedDict, total=False):
    """What can be said of how bots play: see `planned`."""

    seed: int
    players: int
    bots: Sequence[str]
    decks: Sequence[str]
    effort: SearchEffort
    edition: str
    rulings: Rulings
    full: bool
    limit: int


def planned(game: str, **asked: Unpack[Planned]) -> Plan:
    """Return how bots play a game; the last of `bots` sits at the remaining seats too, of `players` or as usual.

    Raises `RefusedError` for a game or a bot that there is none of, `RulesetError` for an impossible reading.
    """
    one = chosen_game(game)
    require_bots(one)
    others: dict[str, Any] = {**asked}
    how = reading(others.pop("edition", ""), others.pop("rulings", None), [one], new=True)
    seats = others.pop("players", 0) or usual_seats(one)
    kinds = [_bot(each) for each in others.pop("bots", ())] or [Bot.RANDOM]
    bots, decks = (*kinds, *kinds[-1:] * seats)[:seats], tuple(others.pop("decks", ()))
    return Plan(bots=bots, decks=decks, edition=how.edition, rulings=how.rulings, **others)


def _bot(name: str) -> Bot:
    try:
        return Bot(name)
    except ValueError:
        raise RefusedError(f"there is no bot {name!r}: {', '.join(Bot)}") from None


def keep(log: Log, match: Simulated, cards: CardTexts | None) -> Status:
    """Append a game to the log, unless it is there already; `refused` where the log has another one of its id.

    `cards` are the card texts that it was played with (`texts_of`).
    """
    stored = log.games(ids=[match.game_id])
    if stored:
        return "unchanged" if log.events(stored[0]) == match.events else "refused"
    log.append(match.game_id, match.events, expected_last_seq=0, cards=cards)
    return "new"
