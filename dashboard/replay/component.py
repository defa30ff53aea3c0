"""The replay as a component of a page: a table that steps by itself, without asking the server for each step.

Its screen is written in plain JavaScript and CSS (`dashboard/replay/`); nothing is built or fetched from elsewhere.
"""

import re
from functools import cache
from hashlib import sha256
from typing import Annotated, Any, Final

import msgspec
import streamlit as st

from tabletape.dashboard.html import own_text
from tabletape.events.plans import planned
from tabletape.projector.archive.frames import Frames
from tabletape.projector.archive.view import Step, Why
from tabletape.projector.model.areas import Area, Cell, Shown
from tabletape.projector.model.rules import Finding
from tabletape.projector.rulebooks.kept import Quote, no_quote

MODULES: Final = ("making", "motion", "picture", "tape", "drawing", "controls", "events", "findings", "panel", "board")
"""The scripts of the board; each imports only from those before it."""

_IMPORT: Final = re.compile(r"^import .* from .*;\n", re.MULTILINE)
_EXPORT: Final = re.compile(r"^export (?!default)", re.MULTILINE)


def board_json(frames: Frames, quote: Quote = no_quote) -> str:
    """Return a replay as the JSON that the board draws from; `quote` says what the rulebook has about a rule.

    What comes again stands in it once and is named by its number: areas, their cards and cells, totals, and rules that
    are looked at. Most areas look alike to every viewer, and of a board with many cells a step changes two.
    """
    areas: dict[Area, int] = {}
    cards: dict[Shown, int] = {}
    cells: dict[Cell, int] = {}
    rules: dict[tuple[str, str, str, str], int] = {}
    drawings = {viewer: [_numbered(changed, areas) for changed in frames.drawings[viewer]] for viewer in frames.viewers}
    seen = {
        viewer: {
            "steps": {index: _step(step, rules) for index, step in each.steps.items()},
            "findings": {number: _finding(finding, quote) for number, finding in each.findings.items()},
        }
        for viewer, each in frames.seen.items()
    }
    board = {
        "game_id": frames.game_id,
        "title": frames.title,
        "ruleset": frames.ruleset,
        "result": frames.result,
        "stopped": frames.stopped,
        "players": list(frames.players.items()),
        "viewers": list(frames.viewers.items()),
        "steps": [_step(step, rules) for step in frames.steps],
        "findings": [_finding(finding, quote) for finding in frames.findings],
        "seen": seen,
        "ruleTexts": frames.rule_texts,
        "tiles": frames.has_tiles,
        "hasRules": frames.has_rules,
        **_totals(frames),
        "drawings": drawings,
        "areasDrawn": [_area(each, cards, cells) for each in areas],
        "cardsDrawn": list(cards),
        "cardTexts": {card.title: frames.card_texts[card.title] for card in cards if card.title in frames.card_texts},
        "cellsDrawn": list(cells),
        "rules": [
            {"rule": rule, "citation": quote.place(section, lines, rule), "text": text, "passages": quote(rule)}
            for rule, section, lines, text in rules
        ],
    }
    return msgspec.json.encode(board).decode()


def _numbered(changed: dict[str, Area | None], areas: dict[Area, int]) -> dict[str, int | None]:
    """Return the areas that a step changed by their numbers, those that are gone as they are: none."""
    return {name: None if area is None else areas.setdefault(area, len(areas)) for name, area in changed.items()}


def _area(area: Area, cards: dict[Shown, int], cells: dict[Cell, int]) -> dict[str, Any]:
    """Return an area as plain values, its cards and cells as numbers."""
    numbered = {
        "cards": [cards.setdefault(card, len(cards)) for card in area.cards],
        "cells": [cells.setdefault(cell, len(cells)) for cell in area.cells],
    }
    return {**msgspec.structs.asdict(area), **numbered}


def _totals(frames: Frames) -> dict[str, Any]:
    """Return the totals that there ever were, and for every step the number of its own."""
    known: dict[bytes, int] = {}
    numbers = [known.setdefault(msgspec.json.encode(each), len(known)) for each in frames.totals]
    return {"totals": numbers, "totalsSeen": [msgspec.Raw(each) for each in known]}


def _finding(finding: Finding, quote: Quote) -> dict[str, Any]:
    """Return a finding as plain values, with what later lines and the rulebook say about it."""
    rules = finding.rule, finding.because
    said = {"outcome": finding.outcome, "passages": quote(*rules), "place": quote.place("", "", *rules)}
    return {**msgspec.structs.asdict(finding), **said}


def _step(step: Step, rules: dict[tuple[str, str, str, str], int]) -> dict[str, Any]:
    """Return a step as plain values, its rules as `[number, verdict, message]`."""

    def numbered(why: Why) -> tuple[int, str, str]:
        return rules.setdefault((why.rule, why.section, why.lines, why.text), len(rules)), why.verdict, why.message

    return {**msgspec.structs.asdict(step), "why": [numbered(why) for why in step.why]}


@cache
def script() -> str:
    """Return the board's scripts as the one module that the browser loads: joined, without their own imports."""
    texts = (own_text("replay", f"{name}.js") for name in MODULES)
    return "\n".join(_EXPORT.sub("", _IMPORT.sub("", text)) for text in texts)


def stylesheet() -> str:
    """Return the board's CSS."""
    return own_text("replay", "board.css")


_board = st.components.v2.component("tabletape_replay", css=stylesheet(), js=script())


@planned
class Comment(msgspec.Struct, frozen=True):
    """A comment that somebody has written at the board: on which event, and whether it settles what was said there."""

    on: Annotated[int, msgspec.Meta(ge=1)]
    text: Annotated[str, msgspec.Meta(min_length=1, max_length=2000)]
    settled: bool = False


def replay_board(  # noqa: PLR0913 - what the board is given
    frames_json: str,
    *,
    step: int | None = None,
    viewer: str = "*",
    aside: bool = False,
    comments: bool = False,
    key: str,
) -> Comment | None:
    """Show the board on the page; return the comment just written on a step, where it takes `comments`.

    `frames_json` is what `board_json` gives, `step` the number (`seq`) of the event to open at, none for the first
    finding or the last turn, `viewer` whose eyes see the table: `*`, a player id, or empty for the public. The board
    writes both into the page's address (`?step=…&viewer=…`) as it steps, unless it stands `aside` of the page's own
    board.
    """
    # Streamlit takes no `__` in a key, and a game may be called anything.
    data = {"frames": frames_json, "step": step, "viewer": viewer, "aside": aside, "comments": comments}
    board = _board(key=sha256(key.encode()).hexdigest(), data=data, on_comment_change=_take_note)
    comment = getattr(board, "comment", None)
    return msgspec.convert(comment, Comment) if comments and comment else None


def _take_note() -> None:
    """Do nothing: that the page runs again is enough, it asks by itself for the new comments."""
