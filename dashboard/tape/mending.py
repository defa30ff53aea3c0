"""The slips behind what is found wrong in a game, and a proposal carried out as its next revision."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from tabletape.events.errors import RefusedError
from tabletape.events.log.revising import store_revision
from tabletape.projector.mending.proposals import Mending, mend, mend_all, mended, numbered_events
from tabletape.projector.model.amounts import counted

if TYPE_CHECKING:
    from tabletape.dashboard.tape.games import TapeGame
    from tabletape.events.log import Log
    from tabletape.events.log.rows import StoredGame
    from tabletape.projector.fold.replay import Replay

__all__ = ["GameMending", "Mending", "Revised"]


class Revised(NamedTuple):
    """A game that was stored with a proposal carried out, and what that was, in words."""

    stored: "StoredGame"
    text: str


class GameMending:
    """What explains the things that are wrong in a stored game; nothing is searched for before it is asked."""

    def __init__(self, log: "Log", game: "TapeGame", replay: "Replay") -> None:
        self.game = game
        self._log = log
        self._replay = replay

    def __repr__(self) -> str:
        return f"<mending of {self.game.game_id}>"

    def first(self) -> Mending | None:
        """Return what explains the first thing that is wrong; None where nothing is."""
        return mend(self.game.game_id, self._replay)

    def rounds(self) -> Iterator[Mending]:
        """Yield what explains the first thing that is wrong, then the next one with that mended, and so on."""
        yield from mend_all(self.game.game_id, self._replay)

    def accept(self, number: int = 1, way: int = 1) -> Revised:
        """Store the game with a proposal for its first finding carried out, as a new revision that says so.

        What was imported stays, and so does the revision before. Raises `RefusedError` for a proposal, or a way to read
        it, that there is not.
        """
        mending = self.first()
        name, stored = self.game.game_id, self.game.stored
        if mending is None or not 0 < number <= len(mending.proposals):
            there = counted(len(mending.proposals), "proposal") if mending else "nothing wrong"
            raise RefusedError(f"{name} has no proposal {number}: there is {there}; `tabletape mend` lists them")
        proposal = mending.proposals[number - 1]
        if not 0 < way <= len(proposal.texts):
            ways = counted(len(proposal.texts), "way")
            raise RefusedError(f"proposal {number} can be read in {ways}: there is no {way}")
        text = proposal.texts[way - 1]
        events = numbered_events(mended(self._replay, proposal, way - 1))
        return Revised(store_revision(self._log, stored, events, f"{stored.file or name} (mended: {text})"), text)
