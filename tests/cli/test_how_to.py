"""The pages that show how to add a game, whose examples run in a copy of the repository, and the notebooks."""

import importlib.util
import json
import sys
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[2]


def script(name: str) -> ModuleType:
    """Return a program that brings pages up to date."""
    spec = importlib.util.spec_from_file_location(name, ROOT / "docs" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


EXAMPLES = script("examples")
NOTEBOOKS = script("notebooks")
PAGES = [page for page in EXAMPLES.pages() if EXAMPLES.IN_A_COPY in page.read_text(encoding="utf-8")]


def test_a_page_adds_a_bigger_game() -> None:
    """It works in a copy of the repository; the small game is a package of its own."""
    assert {page.stem for page in PAGES} == {"add-a-bigger-game"}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_game_that_is_added_as_the_page_says_does_what_the_page_shows(page: Path) -> None:
    """With each file written as on the page, each command prints what the page shows below it."""
    text = page.read_text(encoding="utf-8")
    assert EXAMPLES.refreshed(text) == text


@pytest.mark.parametrize("file", list(NOTEBOOKS.notebooks()), ids=lambda file: file.stem)
def test_the_cells_of_a_notebook_give_what_stands_below_them(file: Path) -> None:
    """Run in order, each cell prints and gives what the notebook has; `docs/notebooks.py` brings it up to date."""
    kept = json.loads(file.read_text(encoding="utf-8"))
    assert NOTEBOOKS.said(kept)
    assert NOTEBOOKS.said(NOTEBOOKS.refreshed(kept)) == NOTEBOOKS.said(kept)
