"""Stored games as they are asked for: the query, the reading of its rows, and a hint at a mistyped id."""

import re
from collections.abc import Sequence
from typing import Any, Final

import msgspec
import sqlalchemy as sa
from rapidfuzz import fuzz, process

from tabletape.events.log.rows import StoredGame, seated
from tabletape.events.log.schema import LogError
from tabletape.events.log.tables import EVENT, GAME, GAME_CARDS, INTAKE, RECORDING
from tabletape.events.vocabulary import known_games

SAME_NAME: Final = 85
"""A word is taken for the name of a game if it is at least this similar to it (rapidfuzz ratio, 0 to 100)."""

_WORD: Final = re.compile(r"[^a-z]")
_RULINGS: Final = msgspec.json.Decoder(dict[str, str])


def _games_query() -> sa.Select[Any]:
    """Every game with the count, end and file of its recordings."""
    mine = RECORDING.c.game == GAME.c.number
    last = sa.select(sa.func.max(RECORDING.c.number)).where(mine).correlate(GAME).scalar_subquery()
    count = (
        sa.select(sa.func.sum(RECORDING.c.last - RECORDING.c.first + 1)).where(mine).correlate(GAME).scalar_subquery()
    )
    ending = RECORDING.alias("ending")
    return (
        sa.select(
            *GAME.columns,
            count.label("events"),
            ending.c.last_seq,
            ending.c.hash.label("fingerprint"),
            INTAKE.c.name.label("file"),
            GAME_CARDS.c.built_in,
            GAME_CARDS.c.own,
        )
        .select_from(GAME)
        .join(ending, ending.c.number == last)
        .outerjoin(INTAKE, INTAKE.c.number == ending.c.intake)
        .outerjoin(GAME_CARDS, GAME_CARDS.c.game == GAME.c.number)
        .order_by(GAME.c.number)
    )


GAMES: Final = _games_query()
"""Asks for every stored game."""


def _over_query() -> sa.Select[Any]:
    """The numbers of games whose last line is their end, whatever was remarked on them since."""
    remarks = ("feedback.given", "moment.marked", "note.added", "question.raised")
    mine = (EVENT.c.game == GAME.c.number) & EVENT.c.type.not_in(remarks)
    last = sa.select(EVENT.c.type).where(mine).order_by(EVENT.c.seq.desc()).limit(1).correlate(GAME).scalar_subquery()
    return sa.select(GAME.c.number).where(last.in_(("game.ended", "game.abandoned", "result.recorded")))


OVER: Final = _over_query()
"""Asks for the numbers of all games that are over; an end that was taken back is none."""


def game_of(row: sa.Row[Any]) -> StoredGame:
    """Read a row of `GAMES`. Raises `LogError` where it is not what was written."""
    fields = row._asdict()
    try:
        players, rulings = seated(fields["players"]), _RULINGS.decode(fields["rulings"])
    except msgspec.MsgspecError as error:
        raise LogError(
            f"the row of game {fields['game_id']!r} cannot be read: {error}; `tabletape verify` says what was altered"
        ) from error
    cards = fields.pop("built_in") or 0, fields.pop("own") or 0
    read = {"cards": cards, "players": players, "rulings": rulings, "events": int(fields["events"])}
    return StoredGame(**{**fields, **read, "fingerprint": fields["fingerprint"].hex()})


def hint_at(game_id: str, stored: Sequence[StoredGame]) -> str:
    """Return a hint at the id of a stored game that was probably meant; an id may begin with the name of its game."""
    first = _WORD.split(game_id.lower(), maxsplit=1)[0]
    named = process.extractOne(first, known_games(), scorer=fuzz.ratio, score_cutoff=SAME_NAME)
    meant = [each.game_id for each in stored if named is None or each.game == named[0]]
    nearest = process.extractOne(game_id, meant, score_cutoff=60)
    if nearest:
        return f"; did you mean {nearest[0]!r}?"
    if named and stored:
        return f"; there is no game of {named[0]} in it" if not meant else f"; one of {named[0]} is {meant[0]!r}"
    return ""
