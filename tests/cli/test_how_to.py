"""The pages that show how to add a game: their examples run in a copy of the repository."""

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[2]


def examples() -> ModuleType:
    """Return the program that runs the examples of a page."""
    spec = importlib.util.spec_from_file_location("examples", ROOT / "docs" / "examples.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["examples"] = module
    spec.loader.exec_module(module)
    return module


EXAMPLES = examples()
PAGES = [page for page in EXAMPLES.pages() if EXAMPLES.IN_A_COPY in page.read_text(encoding="utf-8")]


def test_two_pages_add_a_game() -> None:
    """There is a small game and a bigger one."""
    assert {page.stem for page in PAGES} == {"add-your-own-game", "add-a-bigger-game"}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_game_that_is_added_as_the_page_says_does_what_the_page_shows(page: Path) -> None:
    """With each file written as on the page, each command prints what the page shows below it."""
    text = page.read_text(encoding="utf-8")
    assert EXAMPLES.refreshed(text) == text
