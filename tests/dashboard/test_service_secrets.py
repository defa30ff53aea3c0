"""No token sees a hidden card in any way that the service has: lines, findings, tables, streams, refusals."""

import asyncio
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import make_url
from sqlalchemy.exc import OperationalError

from tabletape.dashboard.service.operations import OPERATIONS
from tabletape.dashboard.service.refusals import words
from tabletape.dashboard.service.stream import Feeds
from tabletape.events.log import Log
from tabletape.events.log.schema import LogError, plainly
from tabletape.events.vocabulary.names import card_of
from tabletape.projector.archive.stored import replay_of
from tabletape.projector.archive.view import View
from tabletape.projector.fold.traced import Traced
from tabletape.projector.games import built_in_games, game
from tabletape.projector.selfplay.simulate import Plan, simulate
from tests.dashboard.service_client import ServiceClient

LINES = 90
"""Lines of a game that are sent, so that hands are full and things have happened."""

EYES = {"eve": "", "ann": "A"}
"""Tokens that may not see all, and through whose eyes they see."""


@pytest.fixture(params=built_in_games())
def played(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[ServiceClient, str, View]]:
    """Yield a client, a game that bots play, with the tokens of a viewer and of its first player, and its steps."""
    one = game(request.param)
    (match,) = simulate(one, one.cards, Plan(full=True), 1)
    with Log.open(tmp_path / "t.db", create=True) as log:
        log.append(match.game_id, match.events[:LINES], expected_last_seq=0)
        client = ServiceClient(log)
        client.add("eve", "viewer")
        client.add("ann", "player", seat="A", game=match.game_id)
        replayed = replay_of(log, match.game_id, traced=True)
        assert isinstance(replayed, Traced)
        yield client, match.game_id, View(replayed)


def _names(text: str) -> set[str]:
    """Return everything in quotation marks, without what stands behind a card's number."""
    return set(re.findall(r'"([^"\\]+)"', text))


@pytest.mark.parametrize("who", EYES)
def test_no_hidden_card_is_in_any_answer(played: tuple[ServiceClient, str, View], who: str) -> None:
    """Each line names what could be known when it happened; tables, findings, due and legal lines what is known now."""
    client, game_id, view = played
    viewer = EYES[who]
    last = len(view) - 1
    lines = client.ask(who, f"/v1/games/{game_id}/events").json()
    assert len(lines) == len(view)
    for index, each in enumerate(lines):
        assert not _names(json.dumps(each)) & view.hidden(index, viewer), each
    now = view.hidden(last, viewer)
    assert now, "something has to be hidden"
    for name in ("table", "findings", "due", "legal"):
        answer = client.ask(who, f"/v1/games/{game_id}/{name}")
        assert answer.status == 200
        assert not _names(answer.body.decode()) & now, name
    for index in range(0, len(view), 7):
        table = client.ask(who, f"/v1/games/{game_id}/table?at={view.replay.seqs[index]}")
        assert not _names(table.body.decode()) & view.hidden(index, viewer)


@pytest.mark.parametrize("who", EYES)
def test_no_hidden_card_is_in_a_stream_or_a_refusal(played: tuple[ServiceClient, str, View], who: str) -> None:
    """What comes live, and what others wrote before a late line, is concealed as the rest is."""
    client, game_id, view = played
    viewer = EYES[who]
    feeds = Feeds(client.desk)
    parts = [part for part in asyncio.run(_first(feeds, game_id, viewer)).split(b"\n\n") if b"event: line" in part]
    assert len(parts) == len(view)
    for index, part in enumerate(parts):
        assert not _names(part.decode()) & view.hidden(index, viewer)
    note = {"type": "note.added", "text": "x"}
    late = client.ask("ann", f"/v1/games/{game_id}/events", note, if_match='"1"')
    assert late.status == 409
    for index, each in enumerate(late.json()["events"], start=1):
        assert not _names(json.dumps(each)) & view.hidden(index, "A")


async def _first(feeds: Feeds, game_id: str, viewer: str) -> bytes:
    """Return the first part of a stream that has lines."""
    stream: Any = feeds.stream(game_id, viewer, 0, lambda: True)
    async for part in stream:
        if b"event: line" in part:
            await stream.aclose()
            return bytes(part)
    raise AssertionError("the stream has ended")


@pytest.mark.parametrize("who", EYES)
def test_no_way_of_asking_leads_to_a_hidden_hand(played: tuple[ServiceClient, str, View], who: str) -> None:
    """Whatever is asked, with whatever viewer, place, form or line: a card that lies hidden is in no answer."""
    client, game_id, view = played
    now = view.hidden(len(view) - 1, EYES[who])
    card = min(now)
    line = {"type": "note.added", "text": "x"}
    bodies = {"begin": {"game": view.replay.game.slug, "players": []}, "import": b"{}", "write": line}
    for one in OPERATIONS:
        path = one.path.replace("{id}", game_id).replace("{name}", "overview")
        for viewer in ("*", "B", "A", "public", "", "?", card, "%2A", "A&viewer=*"):
            may = viewer in {"public", "", EYES[who]}
            if one.name == "stream" and may:
                continue  # This stream goes on for ever; what is in it is looked at above.
            answer = client.ask(
                who, f"{path}?viewer={viewer}&after=0&name=a.jsonl&game={game_id}", bodies.get(one.name)
            )
            assert answer.status < 500, (one.name, viewer)
            if one.name not in {"events", "board"}:  # These say what was known step by step.
                assert not _names(answer.body.decode()) & (now - {card}), (one.name, viewer)
            if one.name in {"table", "board", "events", "findings", "due", "legal", "stream"}:
                assert (answer.status == 200) == may, (one.name, viewer, answer.status)


def test_the_hand_of_the_other_is_not_in_the_table(played: tuple[ServiceClient, str, View]) -> None:
    """A player sees the own cards and only the backs of the other's."""
    client, game_id, view = played
    hidden = view.hidden(len(view) - 1, "A")
    hand = {card_of(name) for name in hidden if name.startswith("B:")}
    shown = client.ask("ann", f"/v1/games/{game_id}/table").json()
    seen = {card_of(card["name"]) for area in shown if area.get("owner") == "B" for card in area.get("cards", [])}
    mine = {card_of(name) for name in view.table(len(view) - 1).cards if name not in hidden}
    assert not seen & (hand - mine)


@pytest.mark.parametrize("viewer", ["*", "A", "public"])
def test_only_who_sees_everything_is_told_where_the_log_lies(viewer: str) -> None:
    """What the database complains about names the file: players and the public read that it cannot be used now."""
    for reason in ("database is locked", "disk I/O error", "unable to open database file"):
        with pytest.raises(LogError) as refused, plainly(make_url("sqlite:////home/ann/evenings.db")):
            raise OperationalError("", {}, RuntimeError(reason))
        assert ("evenings.db" in words(refused.value, viewer)) == (viewer == "*")
    assert words(LogError("line 3 begins the game again"), viewer) == "line 3 begins the game again"
