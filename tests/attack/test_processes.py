"""A small part of the standing attack: kills and writers at once."""

import os
from pathlib import Path

import pytest

from tests.attack.kills import ATTACKS, problems_after
from tests.attack.schema import empty_schema
from tests.attack.scribe import kill_scribe
from tests.attack.uploads import uploads
from tests.attack.writers import writers
from tests.chromium import in_browser


@pytest.mark.parametrize("what", ATTACKS)
def test_what_was_acknowledged_survives_a_kill(what: str, tmp_path: Path) -> None:
    """After SIGKILL the log is intact, nothing that was acknowledged is lost and nothing is stored in part."""
    assert problems_after(ATTACKS[what], range(2), tmp_path) == []


def test_what_the_scribe_showed_survives_a_kill(tmp_path: Path) -> None:
    """After SIGKILL while a game is recorded every line that was shown is in the log, which can be continued."""
    assert problems_after(kill_scribe, range(5), tmp_path) == []


@pytest.mark.browser
@in_browser
def test_what_the_page_acknowledged_survives_a_kill(tmp_path: Path) -> None:
    """After SIGKILL in the middle of an upload the log has the whole file or nothing of it, and is intact."""
    pytest.importorskip("playwright.sync_api")
    with uploads() as kill_upload:
        assert problems_after(kill_upload, range(2), tmp_path) == []


def test_writers_wait_for_each_other(tmp_path: Path) -> None:
    """Of four writers at once on SQLite none gives up, and nothing is lost."""
    assert writers(str(tmp_path / "log.db"), 4, 3, tmp_path) == []


@pytest.mark.skipif("TABLETAPE_TEST_POSTGRESQL" not in os.environ, reason="TABLETAPE_TEST_POSTGRESQL names no database")
def test_writers_wait_for_each_other_on_postgresql(tmp_path: Path) -> None:
    """Of four writers at once on PostgreSQL none gives up, and nothing is lost."""
    with empty_schema(os.environ["TABLETAPE_TEST_POSTGRESQL"], "tabletape_writers") as place:
        assert writers(place, 4, 3, tmp_path) == []
