"""`tabletape scribe`: the page as a process of its own, on this computer and on the network."""

import os
import re
import signal
import subprocess
import sys
import urllib.error
import urllib.request
from pathlib import Path

from typer.testing import CliRunner

from tabletape.cli.main import app
from tests.waiting import PATIENCE, until_answered

ROOT = Path(__file__).parents[2]


def started(folder: Path, *arguments: str) -> "subprocess.Popen[str]":
    """Start the command as a person does, without a screen."""
    hidden = {key: value for key, value in os.environ.items() if key not in {"DISPLAY", "WAYLAND_DISPLAY"}}
    return subprocess.Popen(  # noqa: S603 - our own command
        [sys.executable, "-m", "tabletape", "scribe", *arguments, "--db", str(folder / "t.db")],
        cwd=folder,
        env={**hidden, "PYTHONPATH": str(ROOT / ".package")},
        stdout=subprocess.PIPE,
        text=True,
    )


def status(address: str, **headers: str) -> int:
    """Return the HTTP status of an address."""
    try:
        with urllib.request.urlopen(urllib.request.Request(address, headers=headers), timeout=PATIENCE) as answer:  # noqa: S310 - our own address
            return int(answer.status)
    except urllib.error.HTTPError as error:
        return error.code


def test_the_page_answers_here_and_stops_when_asked(tmp_path: Path, free_port: int) -> None:
    """The printed address opens the page of the named game; requests under another host name are refused."""
    server = started(tmp_path, "splicers", "--port", str(free_port))
    try:
        assert server.stdout is not None
        assert "There is no log at" in server.stdout.readline()
        assert f"http://localhost:{free_port}/?new=splicers" in server.stdout.readline()
        place = f"http://localhost:{free_port}"
        until_answered(free_port, server)
        assert status(f"{place}/v1/beginnings") == 200
        assert status(f"{place}/v1/beginnings", host="evil.example") == 403
    finally:
        server.send_signal(signal.SIGINT)
        server.communicate(timeout=PATIENCE)


def test_on_the_network_it_answers_only_with_the_printed_code(tmp_path: Path, free_port: int) -> None:
    """With --lan the printed address, also shown as a QR code, opens the page; without its code there is nothing."""
    server = started(tmp_path, "--lan", "--port", str(free_port))
    try:
        assert server.stdout is not None
        assert "There is no log at" in server.stdout.readline()
        first = server.stdout.readline()
        found = re.search(r"http://[\d.]+:(\d+)/([\w-]{22})/", first)
        assert found is not None, first
        shown = "".join(server.stdout.readline() for _ in range(16))
        assert "█" in shown
        until_answered(free_port, server)
        place = f"http://localhost:{free_port}"
        assert status(f"{place}/{found[2]}/v1/games") == 200
        assert status(f"{place}/v1/games") == 404
        assert status(f"{place}/{found[2]}/v1/games", host="evil.example") == 403
    finally:
        server.send_signal(signal.SIGINT)
        server.communicate(timeout=PATIENCE)


def test_an_unknown_game_is_refused_in_words(tmp_path: Path) -> None:
    """A name that is neither a game nor the id of a stored one is an error that lists the games."""
    ran = CliRunner().invoke(app, ["scribe", "spliters", "--db", str(tmp_path / "t.db")])
    assert ran.exit_code == 1
    assert "'spliters' is neither a game" in ran.output
    assert "splicers" in ran.output


def test_a_log_that_is_not_there_is_named_and_not_begun(tmp_path: Path) -> None:
    """Neither an unknown game nor a dashboard begins one; the error says where none is."""
    place = tmp_path / "t.db"
    for command in (["scribe", "nonsense"], ["serve"]):
        answer = CliRunner().invoke(app, [*command, "--db", str(place)])
        assert answer.exit_code == 1
        assert f"there is no log at {place}" in " ".join(answer.output.split())
        assert not place.exists()
