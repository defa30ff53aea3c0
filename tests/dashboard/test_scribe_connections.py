"""Who is in the network but has no code can neither lock others out of the scribe nor fill its terminal."""

import http.client
import resource
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Final

import pytest

from tabletape.dashboard.service import connections
from tabletape.dashboard.service.connections import MAX_OF_ONE, most_connections
from tabletape.dashboard.service.desk import Desk
from tabletape.dashboard.service.lock import new_code
from tabletape.dashboard.service.server import on_the_network, server
from tabletape.events.log import Log
from tests.waiting import PATIENCE, until, until_answered

ROOT: Final = Path(__file__).parents[2]
CODE: Final = new_code()
FILES: Final = 128
"""The files that the scribe under attack may have open."""

SERVE: Final = """
import resource, sys
from tabletape.dashboard.service.desk import Desk
from tabletape.dashboard.service.server import on_the_network, server
from tabletape.events.log import Log
resource.setrlimit(resource.RLIMIT_NOFILE, (int(sys.argv[4]), int(sys.argv[4])))
with Log.open(sys.argv[1], create=True) as log:
    server(on_the_network(Desk(log, []), sys.argv[2], "127.0.0.1"), "127.0.0.1", int(sys.argv[3])).run()
"""

UNFINISHED: Final = b"GET / HTTP/1.1\r\nHost: x\r\n"
WITHOUT_BODY: Final = f"POST /{CODE}/v1/games HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 900\r\n\r\n".encode()
needs_many_addresses = pytest.mark.skipif(sys.platform != "linux", reason="only 127.0.0.1 is ours here")


@contextmanager
def scribe(folder: Path, port: int) -> Iterator[Path]:
    """Run a scribe on the network with few files in a process of its own; yield the file of what it says."""
    said = folder / "said.txt"
    with said.open("wb") as output:
        command = [sys.executable, "-c", SERVE, str(folder / "t.db"), CODE, str(port), str(FILES)]
        process = subprocess.Popen(command, cwd=ROOT, stdout=output, stderr=output)  # noqa: S603 - our own
        try:
            until_answered(port, process)
            yield said
        finally:
            process.kill()
            process.wait()


@contextmanager
def attack(port: int, addresses: list[str], each: int, sent: bytes = UNFINISHED) -> Iterator[list[socket.socket]]:
    """Open connections from each of some addresses that send something, and nothing more."""
    with ExitStack() as opened:
        found = []
        for number in range(each * len(addresses)):
            source = (addresses[number % len(addresses)], 0)
            made = opened.enter_context(socket.create_connection(("127.0.0.1", port), PATIENCE, source))
            try:
                made.sendall(sent)
            except OSError:  # It was refused meanwhile.
                continue
            found.append(made)
        yield found


def answered(port: int, path: str = f"/{CODE}/v1/games") -> int:
    """Return the status of the answer to a phone with the code."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE, source_address=("127.0.0.1", 0))
    try:
        connection.request("GET", path)
        return connection.getresponse().status
    finally:
        connection.close()


@needs_many_addresses
@pytest.mark.parametrize(
    ("addresses", "each"),
    [(["127.0.0.2"], 160), ([f"127.0.0.{last}" for last in range(2, 42)], 4)],
    ids=["one address", "forty addresses"],
)
def test_unfinished_requests_keep_nobody_out(tmp_path: Path, free_port: int, addresses: list[str], each: int) -> None:
    """Beside more unfinished requests than the scribe may open files, a phone is answered, and the terminal is quiet.

    They come from one address, or from forty.
    """
    with scribe(tmp_path, free_port) as said:
        for sent in (UNFINISHED, b"", WITHOUT_BODY + b"{", b"nonsense\r\n\r\n"):
            with attack(free_port, addresses, each, sent):
                for _ in range(5):
                    assert answered(free_port) == 200
        assert said.read_text() == ""


@contextmanager
def served(folder: Path, port: int) -> Iterator[None]:
    """Serve a scribe in a thread of this process."""
    with Log.open(folder / "t.db", create=True) as log:
        running = server(on_the_network(Desk(log, []), CODE, "127.0.0.1"), "127.0.0.1", port)
        thread = threading.Thread(target=running.run)
        thread.start()
        until_answered(port)
        try:
            yield
        finally:
            running.should_exit = running.force_exit = True
            thread.join()


def everything(connection: socket.socket) -> bytes:
    """Return everything that comes until the other side closes, also where something was still on its way to it."""
    received = b""
    with suppress(ConnectionResetError):
        while part := connection.recv(65_536):
            received += part
    return received


@pytest.mark.parametrize(
    "sent",
    [UNFINISHED, b"", WITHOUT_BODY, WITHOUT_BODY + b"{", b"POST /x HTTP/1.1\r\nHost: 127.0.0.1"],
    ids=["head", "nothing", "no body", "part of a body", "part of a line"],
)
def test_an_unfinished_request_ends_at_its_deadline(
    tmp_path: Path, free_port: int, monkeypatch: pytest.MonkeyPatch, sent: bytes, capfd: pytest.CaptureFixture[str]
) -> None:
    """Who does not finish the head or the body of a request is told so, and the connection is closed."""
    monkeypatch.setattr(connections, "HEAD_SECONDS", 0.2)
    monkeypatch.setattr(connections, "BODY_SECONDS", 0.2)
    with served(tmp_path, free_port), attack(free_port, ["127.0.0.1"], 1, sent) as (connection,):
        received = everything(connection)
        assert received.startswith(b"HTTP/1.1 408 ")
        assert received.endswith(b"The request did not come to its end.")
        monkeypatch.undo()  # a phone on a busy computer has more time
        assert answered(free_port) == 200
    assert capfd.readouterr().err == ""


def test_an_answer_that_nobody_reads_ends_at_its_deadline(
    tmp_path: Path, free_port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who asks again and again and reads nothing does not keep the connection."""
    monkeypatch.setattr(connections, "READING_SECONDS", 0.2)
    request = f"GET /{CODE}/parts/scribe.js HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode()
    with served(tmp_path, free_port), attack(free_port, ["127.0.0.1"], 1, b"") as (connection,):

        def is_closed() -> bool:
            try:
                connection.send(request * 50, socket.MSG_DONTWAIT)
            except BlockingIOError:
                return False
            except OSError:
                return True
            return False

        until(is_closed, "the end of the connection")
        monkeypatch.undo()
        assert answered(free_port) == 200


def test_who_sends_no_request_behind_an_answer_fills_no_terminal(
    tmp_path: Path, free_port: int, capfd: pytest.CaptureFixture[str]
) -> None:
    """What is no request, or no body, behind one that was answered, ends the connection without a traceback."""
    head = b"POST /wrong HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\n"
    with served(tmp_path, free_port), attack(free_port, ["127.0.0.1"], 1, head) as (connection,):
        assert connection.recv(65_536).startswith(b"HTTP/1.1 404 ")
        connection.sendall(b"zz\r\nzz\r\n")
        everything(connection)
        with attack(free_port, ["127.0.0.1"], 1, b"GET /x HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\nzz\r\n\r\n") as (other,):
            everything(other)
        assert answered(free_port) == 200
    assert capfd.readouterr().err == ""


def test_a_head_without_an_end_is_refused(tmp_path: Path, free_port: int) -> None:
    """A head of more than 16 KB gets 400 before it ends."""
    with served(tmp_path, free_port), attack(free_port, ["127.0.0.1"], 1, UNFINISHED) as (connection,):
        connection.sendall(b"x: " + b"y" * 40_000)
        assert connection.recv(65_536).startswith(b"HTTP/1.1 400 ")


def test_one_computer_has_at_most_twenty_connections(tmp_path: Path, free_port: int) -> None:
    """The next one is refused in words, until one of them is closed; a finished one counts as long as it is open."""
    with served(tmp_path, free_port), attack(free_port, ["127.0.0.1"], MAX_OF_ONE + 1, b"") as opened:
        refused = everything(opened[-1])
        assert refused.startswith(b"HTTP/1.1 503 ")
        assert refused.endswith(b"close some pages.")
        opened[0].close()
        until(lambda: answered(free_port) == 200, "an answer")


@pytest.mark.parametrize(("files", "most"), [(60, 20), (256, 85), (1024, 200), (resource.RLIM_INFINITY, 200)])
def test_where_few_files_may_be_open_there_are_fewer_connections(
    monkeypatch: pytest.MonkeyPatch, files: int, most: int
) -> None:
    """Two thirds of the files are left for the log, and for what is accepted before it is refused."""
    monkeypatch.setattr(resource, "getrlimit", lambda _: (files, files))
    assert most_connections() == most
