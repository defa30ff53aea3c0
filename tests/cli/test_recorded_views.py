"""Recorded games of every kind, as each viewer sees them."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from rich.console import Console

from tabletape.cli.terminal.board import DrawnBoard
from tabletape.cli.terminal.drawing import BoardLook
from tabletape.events.vocabulary import vocabulary
from tabletape.events.vocabulary.names import card_of
from tabletape.projector.archive.recordings import recorded_lines
from tabletape.projector.archive.view import View
from tabletape.projector.fold.folding import fold
from tabletape.projector.fold.traced import Traced
from tabletape.projector.games import game
from tabletape.projector.model.areas import EVERYTHING, Shown

RECORDINGS = Path(__file__).parents[1] / "recordings"
EACH = 2
"""How many recordings of each game are tested, the longest ones."""

STRIDE = 7
"""Every seventh step is drawn."""


def recorded() -> Iterator[Path]:
    """Return the longest recordings of each game."""
    for folder in sorted(RECORDINGS.iterdir()):
        yield from sorted(folder.glob("*.jsonl"), key=lambda file: (-len(recorded_lines(file)), file.name))[:EACH]


def view_of(file: Path) -> View:
    """Fold a recording."""
    types = vocabulary(file.parent.name)
    lines = recorded_lines(file)
    replay = fold(game(file.parent.name), list(map(types.decode, lines)), traced=True)
    assert isinstance(replay, Traced)
    return View(replay)


def all_cards(cards: tuple[Shown, ...]) -> Iterator[Shown]:
    """Return cards and those beneath them."""
    for card in cards:
        yield card
        yield from all_cards(card.under)


@pytest.mark.parametrize("file", tuple(recorded()), ids=lambda file: f"{file.parent.name}-{file.stem}")
def test_nobody_is_shown_a_card_that_lies_hidden(file: Path) -> None:
    """In no step do the areas or the source line name a card that the viewer may not know."""
    view = view_of(file)
    for viewer in ("", *view.players):
        for index in range(len(view)):
            hidden = {
                name for name, card in view.table(index).cards.items() if not view.table(index).knows(viewer, card)
            }
            for area in view.areas(index, viewer):
                cells = tuple(cell.card for cell in area.cells if cell.card)
                for shown in all_cards((*area.cards, *cells)):
                    printed = view.replay.library.get(card_of(shown.name))
                    if shown.name in hidden and printed is not None:
                        assert printed.name not in shown.title, (viewer, index, area.name)
            step = view.step(index, viewer)
            for name in view.hidden(index, viewer):
                assert f'"{name}"' not in step.source, (viewer, index, name)


@pytest.mark.parametrize("file", tuple(recorded()), ids=lambda file: f"{file.parent.name}-{file.stem}")
def test_every_step_can_be_drawn_in_a_small_terminal(file: Path) -> None:
    """The tables of a recorded game fit the width of a small terminal, and show something once the game goes on."""
    view = view_of(file)
    console = Console(width=80, color_system=None)
    for index in range(0, len(view), STRIDE):
        for look in (BoardLook(view.players), BoardLook(view.players, "tight")):
            lines = console.render_lines(DrawnBoard(view.areas(index, EVERYTHING), look), pad=False)
            assert all(sum(segment.cell_length for segment in line) <= 80 for line in lines)
    assert any(segment.text.strip() for line in lines for segment in line)
