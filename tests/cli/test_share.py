"""`tabletape share`: one file that opens without a network, and holds nothing that its viewer may not know."""

import base64
import json
import re
import zlib
from pathlib import Path
from typing import Any

import pytest

from tabletape.events.log import Log
from tabletape.projector.model.game import Game
from tests.chromium import chromium, in_browser
from tests.cli.conftest import Tabletape

HOSTILE = "</script><img src=x onerror=alert(1)>"
LINES: list[dict[str, Any]] = [
    {"type": "game.started", "game": "higher", "edition": "first", "id": "evening", "rulings": {},
     "players": [{"id": "A", "name": "Annabel"}, {"id": "B", "name": HOSTILE}]},
    {"type": "deck.declared", "player": "A", "cards": ["one", "four", "six"]},
    {"type": "deck.declared", "player": "B", "cards": ["two", "three", "five"]},
    {"type": "cards.drawn", "player": "A", "cards": ["A:one", "A:four", "A:six"]},
    {"type": "cards.drawn", "player": "B", "cards": ["B:two", "B:three", "B:five"]},
    {"type": "card.played", "player": "A", "card": "A:four"},
    {"type": "card.played", "player": "A", "card": "A:four"},
    {"type": "note.added", "text": "annabel was late"},
]  # fmt: skip


@pytest.fixture
def evening(higher: Game, tabletape: Tabletape, tmp_path: Path) -> Path:  # noqa: ARG001 - the commands run where it is
    """Return a folder whose log has one game with hidden hands, a hostile name and a note."""
    with Log.open(tmp_path / "tabletape.db", create=True) as log:
        log.append("evening", [higher.vocabulary.decode(json.dumps(line)) for line in LINES], expected_last_seq=0)
    return tmp_path


def boards(file: Path) -> str:
    """Return the unpacked data of a shared file."""
    (data,) = re.findall(r'<script type="application/json" id="data">(.*?)</script>', file.read_text(encoding="utf-8"))
    games = json.loads(data)["games"]
    return "".join(title + zlib.decompress(base64.b64decode(packed)).decode() for title, packed, _ in games)


def test_the_file_fetches_nothing(evening: Path, tabletape: Tabletape) -> None:
    """The file has no address in it, and its content policy allows only what is in the file."""
    assert tabletape("share", "evening").exit_code == 0
    text = (evening / "evening.html").read_text(encoding="utf-8")
    assert "http://" not in text
    assert "https://" not in text
    assert "default-src 'none'" in text
    assert HOSTILE not in text
    assert text.count("</script>") == 2


def test_what_the_public_may_not_know_is_not_in_the_file(evening: Path, tabletape: Tabletape) -> None:
    """Cards that stayed in a hand are nowhere in a file for the public, neither by id nor by name."""
    assert tabletape("share", "evening", "--as", "public").exit_code == 0
    public = boards(evening / "evening.html")
    assert "A:four" in public
    for hidden in ("A:one", "A:six", "B:two", "B:three", "B:five", "Three", "Five"):
        assert hidden not in public
    tabletape("share", "evening")
    assert "A:six" in boards(evening / "evening.html")


def test_no_game_and_no_such_viewer_are_refused(evening: Path, tabletape: Tabletape) -> None:
    """An unknown game or viewer is an error, and no file is written."""
    assert tabletape("share", "evenin").exit_code != 0
    assert "its events are 1 to 8" in tabletape("share", "evening", "--step", "9").stderr
    refused = tabletape("share", "evening", "--as", "zoe")
    assert refused.exit_code != 0
    assert "nobody called 'zoe'" in refused.stderr
    assert not list(evening.glob("*.html*"))


@pytest.mark.browser
@in_browser
def test_it_opens_from_the_disk_without_a_network(evening: Path, tabletape: Tabletape) -> None:
    """A browser shows the board and steps by keys; nothing is requested, and no text of the log becomes markup."""
    tabletape("share", "evening", "--step", "3")
    with chromium() as browser:
        page = browser.new_page()
        urls: list[str] = []
        page.on("request", lambda request: urls.append(request.url))
        refused: list[str] = []
        page.on("console", lambda message: refused.append(message.text) if message.type == "error" else None)
        address = (evening / "evening.html").as_uri()
        page.goto(address)
        page.get_by_text("Step 3 of 8").wait_for()
        page.goto(f"{address}#game=evening&step=7")
        page.get_by_text("Step 7 of 8").wait_for()
        page.keyboard.press("Home")
        page.get_by_text("Step 1 of 8").wait_for()
        page.wait_for_url("**/evening.html#game=evening&step=1")
        with page.expect_download() as picture:
            page.keyboard.press("i")
        assert picture.value.suggested_filename == "evening-1.png"
        assert picture.value.path().read_bytes()[:4] == b"\x89PNG"
        assert page.locator("img").count() == 0
        tick = page.locator(".timeline .tick").first
        assert tick.evaluate("tick => tick.style.left") != ""  # the file's own policy allows the styles of the board
        assert refused == []
        assert all(url.startswith(("file:", "data:", "blob:")) for url in urls)
