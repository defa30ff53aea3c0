"""A whole replay at once, for a screen that steps by itself: what every step was and looked like to every viewer."""

from collections.abc import Collection, Sequence
from typing import TypeVar

import msgspec

from tabletape.projector.archive.view import Step, View, Why, result_in_words, viewers
from tabletape.projector.fold.traced import Traced
from tabletape.projector.model.areas import EVERYTHING, Area, Shown
from tabletape.projector.model.phrases import expected_in_words, with_rulings_said
from tabletape.projector.model.rules import Finding

Told = TypeVar("Told", Finding, Why)


class Seen(msgspec.Struct, frozen=True, kw_only=True):
    """What a viewer reads otherwise than one who sees everything: steps by their index, findings by their number."""

    steps: dict[int, Step]
    findings: dict[int, Finding]


class Frames(msgspec.Struct, frozen=True, kw_only=True):
    """A whole replay for a screen that steps by itself.

    `drawings[viewer]` has an entry for every step: the areas that look different from the step before, by name, and
    None for those that are gone; `order` is the order of the areas' names. `totals` has for every step the numbers of
    each player, `rule_texts` what the rules say that a finding names, `card_texts` what is printed on cards by their
    names, `has_tiles` whether a position is called `b9`,
    `has_rules` whether any are stated that a line could break.
    `steps` and `findings` are those of the first viewer (who sees everything, unless they are for one viewer alone),
    `seen[viewer]` has what the others read in their place.
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
    rule_texts: dict[str, str]
    card_texts: dict[str, str]
    has_tiles: bool
    has_rules: bool
    drawings: dict[str, tuple[dict[str, Area | None], ...]]
    totals: tuple[dict[str, dict[str, int]], ...]
    seen: dict[str, Seen] = msgspec.field(default_factory=dict)


def frames(replay: Traced, only: str | None = None) -> Frames:
    """Return a whole replay for a screen that steps by itself; with `only`, as one viewer sees it and nothing else.

    Raises `CannotFoldError` for a replay that stopped before its first event.
    """
    view = View(replay)
    eyes = viewers(replay) if only is None else {only: viewers(replay)[only]}
    first = EVERYTHING if only is None else only
    steps = tuple(view.step(index, first) for index in range(len(view)))
    aliases: dict[str, str] | None = None if only is None else {}
    drawings = {viewer: _drawings(view, viewer, aliases) for viewer in eyes}
    rules, named = replay.game.by_id, {rule for each in view.findings for rule in (each.rule, each.because)}
    return Frames(
        game_id=view.started.id,
        game=replay.game.slug,
        title=replay.game.title,
        ruleset=replay.ruleset.label(replay.game.rulebook),
        players=view.players,
        result=result_in_words(replay),
        stopped=f"event {replay.stopped.seq}: {replay.stopped.reason}" if replay.stopped else "",
        steps=tuple(_said_of_step(view, step) for step in steps),
        findings=tuple(_said(view, view.finding(number, first)) for number in range(len(view.findings))),
        viewers=eyes,
        order=tuple(dict.fromkeys(name for each in drawings.values() for changed in each for name in changed)),
        drawings=drawings,
        card_texts={card.name: text for card in replay.library.values() if (text := card.words)},
        rule_texts={rule: rules[rule].text for rule in named if rule in rules},
        has_tiles=replay.table.HAS_TILES,
        has_rules=replay.game.rulebook.stated,
        totals=_totals(view),
        seen={viewer: _concealed(view, steps, viewer) for viewer in eyes if viewer != first},
    )


def _totals(view: View) -> tuple[dict[str, dict[str, int]], ...]:
    """Return the numbers of each player after every step."""
    ends = view.replay.journal_ends
    totals: list[dict[str, dict[str, int]]] = []
    for index in range(len(view)):
        same = bool(index) and ends[index] == ends[index - 1]
        totals.append(totals[-1] if same else view.totals(index))
    return tuple(totals)


def _drawings(view: View, viewer: str, aliases: dict[str, str] | None) -> tuple[dict[str, Area | None], ...]:
    """Return for every step the areas that look different from the step before, and None for those that are gone.

    With `aliases`, cards that the viewer may not know go by other names, which are added there.
    """
    drawings: list[dict[str, Area | None]] = []
    drawn: dict[str, Area] = {}
    ends = view.replay.journal_ends
    for index in range(len(view)):
        if index and ends[index] == ends[index - 1]:
            drawings.append({})  # nothing on the table has changed
            continue
        areas = view.areas(index, viewer)
        if aliases is not None:
            hidden = view.hidden(index, viewer)
            areas = concealed(areas, hidden, aliases)
        new = {area.name: area for area in areas}
        changed = {name: area for name, area in new.items() if drawn.get(name) != area}
        drawings.append({**dict.fromkeys(drawn.keys() - new.keys()), **changed})
        drawn = new
    return tuple(drawings)


def concealed(areas: Sequence[Area], hidden: Collection[str], aliases: dict[str, str]) -> Sequence[Area]:
    """Return areas in which hidden cards go by other names, which are added to `aliases`."""
    return [_concealing(area, hidden, aliases) for area in areas]


def _concealing(area: Area, hidden: Collection[str], aliases: dict[str, str]) -> Area:
    cards = tuple(_nameless(card, hidden, aliases) for card in area.cards)
    cells = tuple(
        msgspec.structs.replace(cell, card=_nameless(cell.card, hidden, aliases)) if cell.card else cell
        for cell in area.cells
    )
    return msgspec.structs.replace(area, cards=cards, cells=cells)


def _nameless(card: Shown, hidden: Collection[str], aliases: dict[str, str]) -> Shown:
    """Return a card on the screen without its name where it is hidden; the same one has the same alias throughout."""
    under = tuple(_nameless(each, hidden, aliases) for each in card.under)
    name = (
        aliases.setdefault(card.name, f"{card.owner}:hidden-{len(aliases) + 1}") if card.name in hidden else card.name
    )
    return msgspec.structs.replace(card, name=name, under=under)


def _concealed(view: View, steps: Sequence[Step], viewer: str) -> Seen:
    """Return what a viewer reads otherwise than one who sees everything."""
    mine = (view.step(index, viewer) for index in range(len(view)))
    findings = (view.finding(number, viewer) for number in range(len(view.findings)))
    return Seen(
        steps={step.index: _said_of_step(view, step) for step, whole in zip(mine, steps, strict=True) if step != whole},
        findings={
            number: _said(view, each) for number, each in enumerate(findings) if each is not view.findings[number]
        },
    )


def _said(view: View, told: Told) -> Told:
    """Return a finding or a rule that was looked at in words: the option that is in force, the line that is missing."""
    message = with_rulings_said(view.replay.game.rulebook, told.message)
    told = told if message == told.message else msgspec.structs.replace(told, message=message)
    return msgspec.structs.replace(told, expected=expected_in_words(told)) if isinstance(told, Finding) else told


def _said_of_step(view: View, step: Step) -> Step:
    why = tuple(_said(view, each) for each in step.why)
    return step if why == step.why else msgspec.structs.replace(step, why=why)
