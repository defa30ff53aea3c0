"""What is made once for all processes of a test run, however many of them need it."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from filelock import FileLock


def made_once(factory: pytest.TempPathFactory, name: str, make: Callable[[Path], object]) -> Path:
    """Return a folder that `make` has filled for one of the tests' processes; nobody writes into it afterwards."""
    root = factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        root = root.parent  # of the folders of all processes
    folder, is_made = root / name, root / f"{name}.made"
    with FileLock(root / f"{name}.lock"):
        if not is_made.exists():
            shutil.rmtree(folder, ignore_errors=True)  # where it was not made to its end
            folder.mkdir()
            make(folder)
            is_made.touch()
    return folder
