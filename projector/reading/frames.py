"""A whole replay at once, for a screen that steps by itself: what every step was and looked like to every viewer."""

from collections.abc import Sequence

import msgspec

from projector.fold.replay import Traced
from projector.model.game import Area
from projector.model.rules import Finding
from projector.reading.view import EVERYTHING, Step, View, result_in_words, viewers


class Seen(msgspec.Struct, frozen=True, kw_only=True):
    """What a viewer reads otherwise than one who sees everything: steps by their index, findings by their number."""

    steps: dict[int, Step]
    findings: dict[int, Finding]


class Frames(msgspec.Struct, frozen=True, kw_only=True):
    """A whole replay for a screen that steps by itself.

    `drawings[viewer]` has an entry for every step: the areas that look different from the step before, by name, and
    None for those that are gone; `order` is the order of the areas' names. `totals` has for every step the numbers of
    each player. `steps` and `findings` are those of the viewer who sees everything, `seen[viewer]` has what is
    concealed from the others.
    """

    game_id: str
    game: str
    title: str
    ruleset: str
    players: dict[str, str]
    result: str
    stopped: str
    steps: tuple[Step, ...]
    findings: tuple[Finding, ...]
    viewers: dict[str, str]
    order: tuple[str, ...]
    drawings: dict[str, tuple[dict[str, Area | None], ...]]
    totals: tuple[dict[str, dict[str, int]], ...]
    seen: dict[str, Seen] = msgspec.field(default_factory=dict)


def frames(replay: Traced) -> Frames:
    """Return a whole replay for a screen that steps by itself.

    Raises `CannotFoldError` for a replay that stopped before its first event.
    """
    view = View(replay)
    eyes = viewers(replay)
    steps = tuple(view.step(index, EVERYTHING) for index in range(len(view)))
    drawings = {viewer: _drawings(view, viewer) for viewer in eyes}
    return Frames(
        game_id=view.started.id,
        game=replay.game.slug,
        title=replay.game.title,
        ruleset=replay.ruleset.label(replay.game.rulebook),
        players=view.players,
        result=result_in_words(replay),
        stopped=f"event {replay.stopped.seq}: {replay.stopped.reason}" if replay.stopped else "",
        steps=steps,
        findings=tuple(view.findings),
        viewers=eyes,
        order=tuple(dict.fromkeys(name for each in drawings.values() for changed in each for name in changed)),
        drawings=drawings,
        totals=tuple(view.totals(index) for index in range(len(view))),
        seen={viewer: _concealed(view, steps, viewer) for viewer in eyes if viewer != EVERYTHING},
    )


def _drawings(view: View, viewer: str) -> tuple[dict[str, Area | None], ...]:
    """Return for every step the areas that look different from the step before, and None for those that are gone."""
    found: list[dict[str, Area | None]] = []
    drawn: dict[str, Area] = {}
    for index in range(len(view)):
        new = {area.name: area for area in view.areas(index, viewer)}
        changed = {name: area for name, area in new.items() if drawn.get(name) != area}
        found.append({**dict.fromkeys(drawn.keys() - new.keys()), **changed})
        drawn = new
    return tuple(found)


def _concealed(view: View, steps: Sequence[Step], viewer: str) -> Seen:
    """Return what a viewer reads otherwise than one who sees everything."""
    mine = (view.step(index, viewer) for index in range(len(view)))
    findings = (view.finding(number, viewer) for number in range(len(view.findings)))
    return Seen(
        steps={step.index: step for step, whole in zip(mine, steps, strict=True) if step != whole},
        findings={number: finding for number, finding in enumerate(findings) if finding is not view.findings[number]},
    )
