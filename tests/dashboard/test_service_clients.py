"""The clients of the service, against a real one: JavaScript in Node, Python, and the page that shows a game live."""

import shutil
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from playwright.sync_api import sync_playwright

import tabletape
from tabletape.dashboard.scribe.server import server
from tabletape.dashboard.service.application import application
from tabletape.dashboard.service.connection import ServiceError
from tabletape.dashboard.service.tokens import AccessTokens
from tabletape.dashboard.service.watching import OtherService, Watching
from tabletape.events.errors import RefusedError
from tabletape.events.log import Log
from tabletape.projector.archive.stored import workspace
from tests.chromium import CHROMIUM
from tests.waiting import PATIENCE, until

CLIENTS = Path(__file__).parents[2] / "dashboard" / "service" / "clients"
PLAYERS = [{"name": "Ann"}, {"name": "Ben"}]

EVENING = """
import { Refused, Tabletape } from "TABLETAPE";
const tape = new Tabletape(process.argv[2], process.argv[3]);
const game = await tape.begin({ game: "tabletop", players: [{ name: "Ann" }, { name: "Ben" }] });
const heard = [];
for await (const { seq, line } of tape.stream(game)) {
  if (line) heard.push([seq, line.type]);
  const notes = ["a", "b"].map((text) => ({ type: "note.added", text }));
  if (seq === 1) await tape.send(game, notes, { expected: 1 });
  if (seq === 3) break;
}
const late = await tape.send(game, { type: "note.added", text: "c" }, { expected: 1 }).catch((error) => error);
console.log(JSON.stringify({ game, heard, late: [late instanceof Refused, late.status, late.answer.events.length] }));
process.exit(0);
"""


@pytest.fixture
def log(tmp_path: Path) -> Iterator[Log]:
    """Yield an empty log."""
    with Log.open(tmp_path / "t.db", create=True) as opened:
        yield opened


@contextmanager
def served(log: Log, **settings: Any) -> Iterator[tuple[str, str, str]]:
    """Have a service of a log run with some settings; yield its address, and a designer's and a viewer's token."""
    tokens = AccessTokens(workspace(log))
    secrets = tokens.add("root", "designer"), tokens.add("eve", "viewer")
    with socket.create_server(("localhost", 0)) as listening:
        running = server(application(log), "localhost", listening.getsockname()[1], **settings)
        running.config.timeout_graceful_shutdown = 1
        thread = Thread(target=running.run, kwargs={"sockets": [listening]})
        thread.start()
        try:
            until(lambda: running.started, "the service")
            yield (f"{'https' if settings else 'http'}://localhost:{listening.getsockname()[1]}", *secrets)
        finally:
            running.should_exit = True
            thread.join(PATIENCE)


@pytest.mark.skipif(shutil.which("node") is None, reason="Node is not installed")
def test_javascript_writes_and_hears_lines(log: Log, tmp_path: Path) -> None:
    """A game is begun, two lines are written together and heard in order, and a late line is refused with them."""
    program = tmp_path / "evening.mjs"
    module = tmp_path / "tabletape.mjs"
    shutil.copy(CLIENTS / "tabletape.js", module)
    program.write_text(EVENING.replace("TABLETAPE", module.as_uri()))
    with served(log) as (address, token, _):
        done = subprocess.run(  # noqa: S603 - our own
            [str(shutil.which("node")), str(program), address, token],
            capture_output=True, text=True, check=False, timeout=PATIENCE,
        )  # fmt: skip
    assert done.stderr == ""
    (stored,) = log.games()
    assert done.stdout.strip() == (
        f'{{"game":"{stored.game_id}","heard":[[1,"game.started"],[2,"note.added"],[3,"note.added"]],'
        '"late":[true,409,2]}'
    )


def test_python_writes_and_hears_lines(log: Log, tmp_path: Path) -> None:
    """What is written through a connection is read through it, audited, imported and heard."""
    with served(log) as (address, token, eve):
        tape = tabletape.connect(address, token=token)
        game_id = tape.begin("tabletop", PLAYERS)
        assert tape.send(game_id, {"type": "note.added", "text": "a"}, expected=1)["seq"] == 2
        with pytest.raises(ServiceError, match="somebody else has written first") as late:
            tape.send(game_id, {"type": "note.added", "text": "b"}, expected=1)
        assert (late.value.status, late.value.answer["events"][0]["line"]["text"]) == (409, "a")
        heard = tape.stream(game_id)
        assert [next(heard)["type"], next(heard)["type"]] == ["game.started", "note.added"]
        assert [each["seq"] for each in tape.events(game_id)] == [1, 2]
        assert (tape.audit(game_id), [each["game_id"] for each in tape.games()]) == ([], [game_id])
        file = tmp_path / "empty.jsonl"
        file.write_text("nothing\n")
        assert tape.import_files(file)[0]["quarantined"] == 1
        watched = tmp_path / "battle.txt"
        shutil.copy(CLIENTS.parents[2] / "tests" / "recordings" / "maps" / "ptcg-live" / "input.txt", watched)
        found = Watching(watched, OtherService(tape)).look()
        assert found is not None
        assert [(each["game_id"], each["status"]) for each in found.report["games"]] == [("ptcg-battle", "new")]
        with pytest.raises(ServiceError, match="may not do this"):
            tabletape.connect(address, token=eve).begin("tabletop", PLAYERS)
    with pytest.raises(RefusedError, match="no address of a service"):
        tabletape.connect("tabletape.db", token=token)


@pytest.mark.browser
@pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed")
def test_a_browser_shows_a_line_as_it_comes(log: Log) -> None:
    """The page to watch shows the game to the public, and goes on with a line that is written meanwhile."""
    with served(log) as (address, token, eve), sync_playwright() as playwright:
        tape = tabletape.connect(address, token=token)
        game_id = tape.begin("tabletop", PLAYERS)
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        page = browser.new_page()
        errors: list[str] = []
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.goto(f"{address}/watch/{game_id}?viewer=public#{eve}")
        page.get_by_text("The public").first.wait_for(state="attached", timeout=PATIENCE * 1000)
        tape.send(game_id, {"type": "note.added", "text": "just now"})
        page.get_by_text("just now").first.wait_for(state="attached", timeout=PATIENCE * 1000)
        browser.close()
    assert errors == []
