"""`tabletape serve`: the dashboard as a process of its own, in a real browser where there is one."""

import errno
import os
import signal
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urljoin, urlsplit

import pytest
from msgspec.structs import replace
from typer.testing import CliRunner

from tabletape.cli import serve
from tabletape.cli.main import app
from tabletape.cli.terminal.serving import require_free
from tabletape.events.errors import RefusedError
from tabletape.events.log import Log
from tabletape.events.vocabulary.shared import GameStarted
from tabletape.projector.datasets.build import build
from tabletape.projector.games import game
from tabletape.projector.selfplay.simulate import Plan, simulate
from tests.chromium import chromium, in_browser
from tests.dashboard.serving import READY
from tests.waiting import PATIENCE, free_port, until_answered

ROOT = Path(__file__).parents[2]
PAGES = ("", "balance", "pace", "cards", "rules", "games", "replay", "keep", "import")
HOSTILE = "<img src=x onerror=\"document.title='broken in'\"> **x** [a](javascript:alert(1))"


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a log with a few games of Splicers with hostile names and ids that are hard to put in a key."""
    one = game("splicers")
    place = tmp_path_factory.mktemp("served") / "tabletape.db"
    with Log.open(place, create=True) as log:
        for number, match in enumerate(simulate(one, one.cards, Plan(seed=5), 3)):
            started, *more = match.events
            assert isinstance(started, GameStarted)
            seats = tuple(replace(seat, name=HOSTILE) for seat in started.players)
            opening = replace(started, id=f"evening__{number}", players=seats)
            log.append(opening.id, [opening, *more], expected_last_seq=0)
        build(log)
    return place


@pytest.fixture(scope="module")
def address(recorded: Path) -> Iterator[str]:
    """Run `serve` on the log, yield the address that the command prints, and stop it with Ctrl-C."""
    port = free_port()
    place = f"http://localhost:{port}"
    command = [sys.executable, "-m", "tabletape", "serve", "--db", str(recorded), "--port", str(port)]
    hidden = {key: value for key, value in os.environ.items() if key not in {"DISPLAY", "WAYLAND_DISPLAY"}}
    server = subprocess.Popen(  # noqa: S603 - our own command
        command,
        cwd=recorded.parent,
        env={**hidden, "PYTHONPATH": str(ROOT / ".package")},
        stdout=subprocess.PIPE,
        text=True,
    )
    assert server.stdout is not None
    try:
        first = server.stdout.readline()
        assert place in first
        until_answered(port, server)
        yield place
    finally:
        server.send_signal(signal.SIGINT)
        server.communicate(timeout=PATIENCE)


def test_a_port_that_is_taken_is_refused_with_another_one(recorded: Path) -> None:
    """If another program listens at the port, the error says so in one line and names another port."""
    with socket.socket() as other:
        other.bind(("localhost", 0))
        other.listen()
        port = other.getsockname()[1]
        ran = CliRunner().invoke(app, ["serve", "--db", str(recorded), "--port", str(port)])
    assert ran.exit_code == 1
    assert f"cannot answer at port {port}" in ran.output
    assert f"--port {port + 1}" in ran.output


def test_if_the_last_port_is_taken_the_one_before_it_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """No port above 65535 is suggested."""

    def refuse(*_: object) -> None:
        raise OSError(errno.EADDRINUSE, "Address already in use")

    monkeypatch.setattr(socket.socket, "bind", refuse)
    with pytest.raises(RefusedError, match=r"--port 65534` may be free"):
        require_free(65535)


def test_the_command_serves_the_page_and_stops_when_asked(address: str) -> None:
    """The printed address answers with the page; the fixture makes sure that Ctrl+C ends the command."""
    with urllib.request.urlopen(address, timeout=PATIENCE) as answer:  # noqa: S310 - our own address
        assert answer.status == 200
        assert b"<html" in answer.read().lower()


@pytest.mark.browser
@in_browser
def test_every_page_shows_names_as_text_and_contacts_no_other_host(address: str) -> None:
    """No page shows an error, treats a name as markup, loses the filters or fetches anything from another host."""
    with chromium() as browser:
        page = browser.new_page(viewport={"width": 1280, "height": 900})
        hosts: set[str] = set()
        errors: list[str] = []
        page.on("request", lambda request: hosts.add(request.url.split("/")[2]))
        page.on("pageerror", lambda error: errors.append(str(error)))
        for name in PAGES:
            page.goto(f"{address}/{name}?clean=true")
            page.wait_for_function(READY)
            assert page.locator("[data-testid=stException], [data-testid=stAlertContentError]").count() == 0, name
            assert page.locator("[data-testid=stMain] img[src=x]").count() == 0, name
            assert "clean=true" in page.url, name
            if name in {"replay", "keep", "import"}:  # A page that counts no games has no filters.
                assert "of=Splicers" not in page.url
            else:
                page.wait_for_url("**of=Splicers*")
        page.goto(f"{address}/balance?clean=true")
        page.wait_for_url("**of=Splicers*")
        for title, place in (("Keep a log", "keep"), ("Import", "import"), ("Overview", "?")):
            page.wait_for_function(READY)
            page.get_by_role("link", name=title).first.click()
            page.wait_for_url(lambda url, place=place: url.startswith(f"{address}/{place}"))
        page.wait_for_selector("text=Newest games")
        page.get_by_text("<img src=x").first.wait_for()
        assert "clean=true" in page.url
        assert page.title() != "broken in"
    assert hosts == {address.removeprefix("http://")}
    assert not errors


@pytest.mark.browser
@in_browser
def test_a_log_is_uploaded_and_its_finding_opened_on_the_board(address: str) -> None:
    """From a dropped file to its finding, and from there by key to other steps, without the command line."""
    with chromium() as browser:
        page = browser.new_page(viewport={"width": 1280, "height": 1000})
        page.goto(f"{address}/import")
        page.locator("input[type=file]").set_input_files(ROOT / "tests/recordings/splicers/illegal-mulligan-once.jsonl")
        link = page.locator("a[href*='step=']").locator("visible=true").first
        link.wait_for()
        page.goto(urljoin(address, str(link.get_attribute("href"))))
        finding = page.locator(".finding").first
        finding.wait_for()
        assert "One mulligan per player." in finding.inner_text()
        assert "line 45.1" in finding.inner_text()
        step = int(parse_qs(urlsplit(page.url).query)["step"][0])
        page.locator(".event[data-seq='1']").wait_for(state="attached")
        page.keyboard.press("ArrowLeft")
        page.wait_for_url(f"**step={step - 1}*")
        assert "Glass Moth" in page.locator("[data-area='hand:A']").inner_text()


@pytest.mark.browser
@in_browser
def test_a_game_is_replayed_whatever_it_is_called(address: str) -> None:
    """A game whose id has `__` in it, which Streamlit accepts in no key, is drawn and can be stepped through."""
    with chromium() as browser:
        page = browser.new_page(viewport={"width": 1280, "height": 1000})
        page.goto(f"{address}/replay?game=evening__1&step=5")
        page.locator(".event[aria-current][data-seq='5']").wait_for()
        page.keyboard.press("ArrowRight")
        page.wait_for_url("**step=6*")
        assert "game=evening__1" in page.url


def status(address: str, request: str, host: str, *more: str) -> int:
    """Send a request with a host name to the server; return the status of the response."""
    place = urlsplit(address)
    assert place.hostname
    assert place.port
    with socket.create_connection((place.hostname, place.port), timeout=PATIENCE) as connection:
        ending = more or ("Content-Length: 0", "Connection: close")
        lines = [f"{request} HTTP/1.1", f"Host: {host}", *ending, "", ""]
        connection.sendall("\r\n".join(lines).encode())
        return int(connection.recv(64).split()[1])


def test_a_foreign_host_name_is_refused_everywhere(address: str) -> None:
    """Pages, files, uploads and the socket answer 403 under another host name, and never under the own one."""
    own = address.removeprefix("http://")
    upgrade = (
        "Upgrade: websocket",
        "Connection: Upgrade",
        "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
    )
    for request in ("GET /", "GET /games", "GET /_stcore/health", "PUT /_stcore/upload_file/x/y", "GET /static/x.js"):
        assert status(address, request, "evil.example") == 403, request
        assert status(address, request, own) != 403 or request.startswith("PUT"), request
    assert status(address, "GET /_stcore/stream", "evil.example", "Origin: http://evil.example", *upgrade) == 403
    assert status(address, "GET /_stcore/stream", own, "Origin: http://evil.example", *upgrade) == 403
    assert status(address, "GET /_stcore/stream", own, f"Origin: {address}", *upgrade) == 101


@pytest.mark.browser
@in_browser
def test_dns_rebinding_gets_no_page(address: str) -> None:
    """In a real browser a foreign name that resolves to this computer gets a refusal in place of the dashboard."""
    port = urlsplit(address).port
    with chromium("--host-resolver-rules=MAP evil.example 127.0.0.1") as browser:
        page = browser.new_page()
        answer = page.goto(f"http://evil.example:{port}/")
        assert answer.status == 403
        assert "does not answer under this name" in page.content()
        opened = page.evaluate(
            """port => new Promise(done => {
                const socket = new WebSocket(`ws://evil.example:${port}/_stcore/stream`);
                socket.onopen = () => done("open");
                socket.onerror = () => done("refused");
            })""",
            port,
        )
        assert opened == "refused"
        page.goto(address)
        page.wait_for_selector("[data-testid=stMain] h1")


def test_a_log_that_cannot_be_begun_leaves_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The disk is full when the scribe of the dashboard begins the log: nothing is there afterwards, as before."""

    def full(place: str, **_: Any) -> Log:
        Path(place).write_bytes(b"")
        raise OSError(errno.ENOSPC, "No space left on device", place)

    monkeypatch.setattr(Log, "open", full)
    with pytest.raises(OSError, match="No space left"):
        serve._opened(str(tmp_path / "new.db"))
    assert [*tmp_path.iterdir()] == []
