"""The notebooks of the documentation give what stands in them."""

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


NOTEBOOKS = script("notebooks")


@pytest.mark.parametrize("file", list(NOTEBOOKS.notebooks()), ids=lambda file: file.stem)
def test_the_cells_of_a_notebook_give_what_stands_below_them(file: Path) -> None:
    """Run in order, each cell prints and gives what the notebook has; `docs/notebooks.py` brings it up to date."""
    kept = json.loads(file.read_text(encoding="utf-8"))
    assert NOTEBOOKS.said(kept)
    assert NOTEBOOKS.said(NOTEBOOKS.refreshed(kept)) == NOTEBOOKS.said(kept)
