"""Running the service on a server: the unit is one that systemd takes, and everything passes through TLS."""

import re
import shutil
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Final

import pytest

import tabletape
from tabletape.events.log import Log
from tests.dashboard.serving import ROOT
from tests.dashboard.test_service_clients import PLAYERS, served
from tests.waiting import PATIENCE, free_port, until_answered

DEPLOY: Final = ROOT / "docs" / "deploy"


def _run(*command: str) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603 - tools of this computer
    assert done.returncode == 0, done.stderr


@pytest.fixture
def certificate(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[str, str]:
    """Return the files of a certificate for localhost and of its key; this process trusts it."""
    files = str(tmp_path / "cert.pem"), str(tmp_path / "key.pem")
    names = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"]
    _run(
        "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
        *names, "-out", files[0], "-keyout", files[1],
    )  # fmt: skip
    monkeypatch.setenv("SSL_CERT_FILE", files[0])
    monkeypatch.setattr(urllib.request, "_opener", None)
    return files


@contextmanager
def nginx(place: Path, service: str, certificate: tuple[str, str]) -> Iterator[str]:
    """Run nginx as it is described in front of a service; yield its address."""
    port = free_port()
    text = (DEPLOY / "nginx.conf").read_text(encoding="utf-8")
    for said, meant in (
        ("listen 443 ssl", f"listen {port} ssl"),
        ("/etc/tabletape/cert.pem", certificate[0]),
        ("/etc/tabletape/key.pem", certificate[1]),
        ("http://127.0.0.1:8521", service),
        ("/etc/tabletape/passwords", str(place / "passwords")),
    ):
        assert said in text
        text = text.replace(said, meant)
    (place / "passwords").write_text("")
    folders = "".join(
        f"{each}_temp_path {place}/{each};" for each in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    own = f"pid {place}/pid; error_log {place}/error.log; worker_processes 1; daemon off; events {{}}"
    conf = place / "nginx.conf"
    conf.write_text(f"{own} http {{ access_log off; {folders} {text} }}")
    server = subprocess.Popen(["/usr/sbin/nginx", "-p", str(place), "-c", str(conf)])  # noqa: S603 - a tool of this computer
    try:
        until_answered(port, server)
        yield f"https://localhost:{port}"
    finally:
        server.terminate()
        server.wait()


@pytest.mark.skipif(shutil.which("openssl") is None, reason="OpenSSL is not installed")
@pytest.mark.parametrize("behind", ["own", "nginx"])
def test_a_client_a_stream_and_a_page_pass_through_tls(
    tmp_path: Path, behind: str, certificate: tuple[str, str]
) -> None:
    """Lines are written and heard, and the pages come, by TLS of the service's own or of nginx."""
    if behind == "nginx" and not Path("/usr/sbin/nginx").exists():
        pytest.skip("nginx is not installed")
    own = dict(zip(("ssl_certfile", "ssl_keyfile"), certificate, strict=True)) if behind == "own" else {}
    with ExitStack() as running, Log.open(tmp_path / "t.db", create=True) as log:
        address, token, _ = running.enter_context(served(log, **own))
        if behind == "nginx":
            address = running.enter_context(nginx(tmp_path, address, certificate))
            with pytest.raises(urllib.error.HTTPError, match="401"):
                urllib.request.urlopen(f"{address}/", timeout=PATIENCE)  # noqa: S310 - our own
        tape = tabletape.connect(address, token=token)
        game_id = tape.begin("tabletop", PLAYERS)
        heard = tape.stream(game_id)
        assert next(heard)["type"] == "game.started"
        tape.send(game_id, {"type": "note.added", "text": "a"}, expected=1)
        assert next(heard)["text"] == "a"
        scribe = "/scribe/" if behind == "nginx" else "/"
        assert [each["game_id"] for each in tabletape.connect(f"{address}{scribe}", token=token).games()] == [game_id]
        for path in (f"/watch/{game_id}", "/v1/", "/healthz", scribe, f"{scribe}parts/scribe.js"):
            with urllib.request.urlopen(f"{address}{path}", timeout=PATIENCE) as answer:  # noqa: S310 - our own
                assert answer.status == 200


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd is not installed")
def test_systemd_takes_the_unit(tmp_path: Path) -> None:
    """Each setting is one that systemd knows."""
    text = (DEPLOY / "tabletape.service").read_text(encoding="utf-8")
    unit = tmp_path / "tabletape.service"
    here = re.sub(r"/srv/playtests/\.venv/bin/tabletape", sys.executable, text).replace("/srv/playtests", str(tmp_path))
    unit.write_text(here)
    _run("systemd-analyze", "verify", str(unit))
