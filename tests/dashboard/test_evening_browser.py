"""From a game's log to a file that is sent, in a real browser: every click is counted."""

import re
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from tabletape.events.log import Log
from tests.chromium import downloaded, in_browser, press
from tests.cli.test_share import boards
from tests.dashboard.serving import READY, serving

pytestmark = [pytest.mark.browser, in_browser]


@pytest.fixture
def address(tmp_path: Path, free_port: int) -> Iterator[str]:
    """Serve the dashboard of an empty log, and yield its address."""
    place = tmp_path / "tabletape.db"
    with Log.open(place, create=True):
        pass
    with serving(["tabletape", "serve", "--port", str(free_port)], place, free_port) as served:
        yield served


def test_an_evening_is_sent_with_three_clicks(browser: Any, address: str, tmp_path: Path) -> None:
    """Import, the file, Send, which begins with the evening in short; without names the file has none."""
    sample = min(Path(str(files("tabletape.projector.games") / "crystal" / "samples")).glob("*.jsonl"))
    log = tmp_path / "friday.jsonl"
    log.write_bytes(sample.read_bytes())
    names = re.findall(r'"name": ?"([^"]+)"', log.read_text(encoding="utf-8").splitlines()[0])
    page = browser.new_page(viewport={"width": 1440, "height": 900}, accept_downloads=True)
    page.add_init_script("window.print = () => { top.printed = document.body.textContent; }")
    page.goto(address)
    clicks = 0

    def clicked(role: str, name: str) -> Any:
        nonlocal clicks
        clicks += 1
        page.wait_for_function(READY)
        return page.get_by_role(role, name=name, exact=True).first

    press(clicked("link", "Import"), comes=page.get_by_test_id("stFileUploaderDropzone"))
    button = clicked("button", "Upload")
    with page.expect_file_chooser() as chooser:
        button.click()
    chooser.value.set_files(log)
    page.get_by_role("heading", name=re.compile("^This evening")).wait_for()
    downloaded(page, clicked("button", "Send")).save_as(tmp_path / "sent.html")
    assert clicks <= 3
    assert all(name in boards(tmp_path / "sent.html") for name in names)
    of_sent = browser.new_page()
    of_sent.goto((tmp_path / "sent.html").as_uri())
    of_sent.get_by_role("heading", name=re.compile("^Playtests of ")).wait_for()
    of_sent.locator("header").get_by_text(re.compile(r"\bwon\b")).first.wait_for()
    press(clicked("button", "Copy"), comes=page.get_by_test_id("stCode").get_by_text(re.compile(r"\bwon\b")))
    page.keyboard.press("Escape")
    page.get_by_text("Without names", exact=True).click()
    page.wait_for_url("**anonymous=true**")
    page.get_by_text(re.compile(r"Player [1-9].*\bwon\b")).first.wait_for()
    downloaded(page, clicked("button", "Send")).save_as(tmp_path / "hidden.html")
    hidden = (
        boards(tmp_path / "hidden.html") + (tmp_path / "hidden.html").read_text(encoding="utf-8").partition("<nav")[0]
    )
    assert not [name for name in names if re.search(rf"(?<!\w){name}(?!\w)", hidden)]
    clicked("button", "Print").click()
    page.wait_for_function("window.printed?.includes('Playtests of ')")
