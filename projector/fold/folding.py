"""A whole game folded: under the ruleset of its log or another one, in the reading that its later lines bear out."""

from collections.abc import Mapping, Sequence
from typing import Any

from events.shared import GameStarted
from events.vocabulary import Event
from projector.fold.gc_pause import GcPause
from projector.fold.readings import choose_readings
from projector.fold.replay import Replay
from projector.fold.traced import Traced
from projector.model.game import Game
from projector.model.rulebook import Ruleset
from projector.model.table import CannotFoldError


def fold(  # noqa: PLR0913 - what to fold and under which rules
    game: Game,
    events: Sequence[Event],
    *,
    edition: str = "",
    rulings: Mapping[str, str] | None = None,
    library: Mapping[str, Any] | None = None,
    traced: bool = False,
) -> Replay:
    """Fold a whole game under the edition and rulings of its own `game.started`, or others laid over them.

    Raises `RulesetError` for an edition, ruling or option that the game does not have.
    """
    started = events[0] if events else None
    if not isinstance(started, GameStarted):
        raise CannotFoldError("the log does not begin with game.started")
    ruleset = ruleset_of(game, started.edition, started.rulings, edition=edition, rulings=rulings or {})
    return fold_under(game, ruleset, events, library, traced=traced)


def fold_under(
    game: Game,
    ruleset: Ruleset,
    events: Sequence[Event],
    library: Mapping[str, Any] | None = None,
    *,
    traced: bool = False,
) -> Replay:
    """Fold a whole game under a ruleset, in the reading of its wrong lines that the later ones bear out."""
    with GcPause():  # to the end: a replay that is thrown away at once is then looked at once, not twice
        replay, went_on = choose_readings(lambda misread: Replay(game, ruleset, library, misread).run(events).finish())
        if traced:
            replay = Traced(game, ruleset, library, replay.misread).run(events).finish()
        if went_on:
            replay.went_on = went_on
        return replay


def ruleset_of(
    game: Game, written: str, table: Mapping[str, str], *, edition: str = "", rulings: Mapping[str, str]
) -> Ruleset:
    """Return the ruleset of a game whose log says edition `written` and rulings `table`, with others laid over them.

    An edition that the rulebook does not have is read as its usual one. Raises `RulesetError` as `fold` does.
    """
    rulebook = game.rulebook
    return rulebook.ruleset(edition, table, rulings) if edition else rulebook.ruleset_of_log(written, table, rulings)
