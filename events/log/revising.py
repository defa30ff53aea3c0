"""A stored game written down in another way: a new revision, whose origin says why; the old one stays."""

from collections.abc import Sequence

from tabletape.events.log import Log
from tabletape.events.log.appending import rows_of
from tabletape.events.log.hashes import opening_hash
from tabletape.events.log.rows import Chain, StoredGame, as_lines
from tabletape.events.log.schema import LogError
from tabletape.events.log.writing import Intake, StaleAppendError
from tabletape.events.vocabulary import Event
from tabletape.events.vocabulary.shared import GameStarted


def store_revision(log: Log, game: StoredGame, events: Sequence[Event], origin: str) -> StoredGame:
    """Store other events of a game as its next revision and return it; `origin` says where they come from.

    They are kept as a file of that name as well, so that each of them has a line; the cards are those that the game was
    recorded under. Raises `StaleAppendError` where `game` is not what the log has last, `LogError` where the events
    cannot be those of the game.
    """
    head = events[0] if events else None
    if not isinstance(head, GameStarted) or head.id != game.game_id:
        raise LogError(f"these are no events of {game.game_id}: they have to begin with its game.started")
    with log.writing() as tape:
        latest = tape.tails(game.game_id)[0]
        if (latest.number, latest.last_seq) != (game.number, game.last_seq):
            raise StaleAppendError(game.game_id, game.last_seq, latest.last_seq)
        rows = rows_of(events, Chain((seat.id for seat in head.players), 0, opening_hash(game.game_id)))
        intake = Intake(tape.keep_whole(as_lines(events), origin), origin, "jsonl", len(events))
        number = tape.start(head, latest.revision + 1)
        tape.append(number, rows, tape.next_intake())
        tape.keep_cards_of(number, latest.number)
        tape.add_intake(intake)
    return log.game(game.game_id)
