"""A replay in one reading only, for folds of which nothing but the findings is wanted."""

from collections.abc import Callable

from tabletape.events.vocabulary import Event
from tabletape.projector.fold.misread import Doubt
from tabletape.projector.fold.replay import Replay
from tabletape.projector.model.game import TurnEnd


class SingleReading(Replay):
    """A replay that notes no second reading of its lines: to look for one takes as long as the fold of many lines.

    Its findings are those of a `Replay` with the same lines misread.
    """

    def _doubt_after_end(self, look: Callable[[], bool], event: Event) -> Doubt | None:  # noqa: ARG002 - as a replay
        return None

    def _doubt_earlier(self, turn_end: TurnEnd, event: Event) -> None:
        """Note nothing."""
