"""A game of a package that fails while it is asked something: it is named, and the other games go on."""

import asyncio
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tabletape.dashboard.service.access import PairedDevices
from tabletape.dashboard.service.application import application
from tabletape.dashboard.service.desk import Desk
from tabletape.dashboard.service.stream import Feeds
from tabletape.dashboard.workspace import VARIABLE
from tabletape.events.importing import Options, import_paths
from tabletape.events.log import Log
from tabletape.events.log.rows import StoredGame
from tabletape.events.vocabulary.plugins import PluginFailedError
from tabletape.projector.archive.audit import audit
from tabletape.projector.archive.stored import replay
from tabletape.projector.datasets.build import build
from tabletape.projector.datasets.plans import Request
from tabletape.projector.games import game
from tabletape.projector.model.sentences import templates_of
from tests.dashboard.service_client import ServiceClient
from tests.dashboard.test_pages import open_page, page_text
from tests.dashboard.test_scribe_lock import request
from tests.installed import installed
from tests.waiting import PATIENCE

PACKAGES = Path(__file__).parents[1] / "small_games"
SABOTAGE = """

BROKEN: set[str] = set()


class Mute(BaseException):
    def __str__(self) -> str:
        raise SystemExit(4)


def breaking(name, sound):
    def either(*arguments):
        if name in BROKEN:
            raise Mute
        return sound(*arguments)

    return either


import msgspec

FIELDS = ("areas", "legal", "due", "actors", "finish", "settle", "gate", "opening", "observe")
GAME = msgspec.structs.replace(GAME, finish=lambda table: None)
GAME = msgspec.structs.replace(GAME, **{name: breaking(name, getattr(GAME, name)) for name in FIELDS})
GAME = msgspec.structs.replace(GAME, cards=msgspec.structs.replace(GAME.cards, read=breaking("read", GAME.cards.read)))
"""


@pytest.fixture
def sabotaged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """Install a game whose functions break when they are told to, with two games of it and one of Crystal in a log."""
    package = tmp_path / "site" / "sabotaged"
    shutil.copytree(PACKAGES / "lanterns", package)
    for file in package.glob("*"):
        if file.is_file():
            file.write_text(file.read_text().replace("lanterns", "sabotaged"))
    with (package / "__init__.py").open("a") as module:
        module.write(SABOTAGE)
    logs = tmp_path / "logs"
    logs.mkdir()
    text = (PACKAGES / "recordings" / "lanterns" / "all-laid.jsonl").read_text()
    (logs / "s.jsonl").write_text("".join(text.replace("lanterns", "sabotaged").splitlines(keepends=True)[:-2]))
    shutil.copy(PACKAGES.parent / "recordings" / "crystal" / "ability-against-oneself.jsonl", logs / "c.jsonl")
    monkeypatch.setenv(VARIABLE, str(tmp_path / "tabletape.db"))
    with installed("sabotaged", tmp_path / "site", tmp_path / "site"):
        with Log.open(tmp_path / "tabletape.db", create=True) as log:
            import_paths(log, [logs], Options())
            build(log, Request())
        import sabotaged  # type: ignore[import-not-found] # noqa: PLC0415 - it is there since it is installed

        yield sabotaged


def test_scribe_and_service_name_it_and_go_on(sabotaged: Any, tmp_path: Path) -> None:
    """Whatever function breaks, each answer has the table or names the package, and the other game is served."""
    thrown = {"type": "card.thrown", "player": "B", "card": "blue-3#1"}
    named, told = set(), set()
    with Log.open(tmp_path / "tabletape.db") as log:
        service = ServiceClient(log)
        service.add("keeper", "keeper")
        service.add("ben", "player", seat="B", game="sabotaged-2")
        for field in ("", *sabotaged.FIELDS):
            sabotaged.BROKEN = {field}
            answers = [
                request(application(Desk(log), PairedDevices()), "/v1/games/sabotaged-2/screen"),
                *(service.ask("keeper", f"/v1/games/sabotaged-2/{what}") for what in ("table", "due", "findings")),
            ]
            said = [each for each in answers if each.status != 200]
            assert all(
                "the package sabotaged 1.0 has failed (Mute: it does not say why)" in each.body.decode()
                for each in said
            )
            named |= {field} if said else set()
            for who, show in (("keeper", "?show=screen"), ("ben", "")):
                written = service.ask(who, f"/v1/games/sabotaged-2/events{show}", thrown)
                assert (written.status, written.json()["seq"]) == (200, log.game("sabotaged-2").last_seq)
                told |= {field} if "problem" in written.json() else set()
                assert "screen" in written.json() or "problem" in written.json() or who == "ben"
                assert who == "keeper" or "Mute" not in written.body.decode()
            assert request(application(Desk(log), PairedDevices()), "/v1/games/cry-recorded/screen").status == 200
            assert request(application(Desk(log), PairedDevices()), "/v1/beginnings").status == 200
            sabotaged.BROKEN = {field}
            seen = service.ask("ben", "/v1/games/sabotaged-2/due")
            assert seen.status == 200 or seen.json() == {"error": "the game's package has failed"}
            heard = asyncio.run(_heard(service, "sabotaged-2"))
            assert b"event: state" in heard or (field and b'{"error":"the game\'s package has failed"}' in heard)
    assert {"areas", "legal", "due", "actors", "finish"} <= named & told
    assert "" not in named | told


async def _heard(service: ServiceClient, game_id: str) -> bytes:
    """Return what a player who listens hears behind the lines: their state, or what has failed."""
    listening = Feeds(service.desk).stream(game_id, "B", 0, lambda: True)
    await anext(listening)
    async with asyncio.timeout(PATIENCE):
        while b"event: line" in (heard := await anext(listening)) and b"event: state" not in heard:
            pass
        return heard


def test_pages_name_it_and_go_on(sabotaged: Any) -> None:
    """The page that draws the table says which package has failed; the others are shown."""
    sabotaged.BROKEN = {"areas"}
    assert "the package sabotaged 1.0 has failed (Mute: it does not say why)" in page_text(
        open_page("replay", game="sabotaged-2")
    )
    for page in ("overview", "games", "keep"):
        shown = open_page(page)
        assert not shown.exception
        assert "mistake of its own" not in page_text(shown)


def test_its_reader_of_cards_is_named_and_the_others_audited(
    sabotaged: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A package that cannot read cards ends no command in silence, and keeps no other game from the audit."""
    sabotaged.BROKEN.add("read")

    def reading(log: Log, stored: StoredGame, *events: Any, **how: Any) -> Any:
        if stored.game == "sabotaged":
            game("sabotaged").read_cards("", "cards/sabotaged.toml")
        return replay(log, stored, *events, **how)

    monkeypatch.setattr("tabletape.projector.archive.audit.replay", reading)
    with Log.open(tmp_path / "tabletape.db") as log:
        found = {each.stored.game: each.stopped for each in audit(log, log.games())}
    assert found["crystal"] == ""
    assert "sabotaged 1.0 has failed (Mute" in found["sabotaged"]


@pytest.mark.parametrize(
    ("wrong", "why"), [("{nobody} throws {card}", "names nobody, no fields of it"), (3, "is no text")]
)
def test_a_sentence_that_cannot_be_filled_in_is_named(
    sabotaged: Any, monkeypatch: pytest.MonkeyPatch, wrong: object, why: str
) -> None:
    """Whatever stands in the sentence of an event type, it is the package that is named and no mistake of ours."""
    kind = sabotaged.GAME.vocabulary.types["card.thrown"]
    monkeypatch.setattr(kind, "SENTENCE", wrong)
    with pytest.raises(PluginFailedError, match=f"CardThrown in the package sabotaged {why}"):
        templates_of(kind)
