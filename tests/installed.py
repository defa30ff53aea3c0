"""Games of other packages, installed by their entry points as pip does it."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tabletape.events import vocabulary as known
from tabletape.projector.games import game
from tabletape.projector.model.game import Game


@contextmanager
def installed(slug: str, folder: Path, site: Path) -> Iterator[Game]:
    """Install the package of a game that lies in a folder; `site` takes the file that names its entry point."""
    info = site / f"{slug}-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {slug}\nVersion: 1.0\n", encoding="utf-8")
    (info / "entry_points.txt").write_text(f"[tabletape.games]\n{slug} = {slug}:GAME\n", encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(folder)
        patch.syspath_prepend(site)
        known._plugins.cache_clear()
        try:
            yield game(slug)
        finally:
            known._plugins.cache_clear()
