"""The clients of the service, against a real one: JavaScript in Node, Python, and the page that shows a game live."""

import os
import shutil
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from typing import Any

import msgspec
import pytest

import tabletape
from tabletape.dashboard.service.access import Holders
from tabletape.dashboard.service.application import application
from tabletape.dashboard.service.connection import ServiceError
from tabletape.dashboard.service.desk import Desk
from tabletape.dashboard.service.server import server
from tabletape.dashboard.service.tokens import AccessTokens
from tabletape.dashboard.service.watching import OtherService, Watching
from tabletape.events.errors import RefusedError
from tabletape.events.log import Log
from tabletape.projector.archive.stored import workspace
from tests.chromium import chromium, in_browser
from tests.waiting import PATIENCE, until

CLIENTS = Path(__file__).parents[2] / "dashboard" / "service" / "clients"
LUA = shutil.which("lua5.2") if not os.system("lua5.2 -e 'require(\"cjson\")' 2>/dev/null") else None  # noqa: S605, S607 - no input
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
await tape.send(game, Array.from({ length: 1000 }, (_, number) => ({ type: "note.added", text: `${number}` })));
const read = (await tape.events(game, { after: 1 })).map((each) => each.seq);
const late_ = [late instanceof Refused, late.status, late.answer.events.length];
console.log(JSON.stringify({ game, heard, late: late_, read: [read.length, read[0], read.at(-1)] }));
process.exit(0);
"""

BOARDGAME = """
import { Client } from "BOARDGAMEIO";
import { Tabletape } from "TABLETAPE";
import { follow } from "FOLLOW";
const tape = new Tabletape(process.argv[2], process.argv[3]);
const game = await tape.begin({ game: "tabletop", players: [{ name: "Ann" }, { name: "Ben" }] });
const rules = { setup: () => ({ drawn: 0 }), moves: { draw: ({ G }, n) => { G.drawn += n; }, think: () => {} } };
const client = Client({ game: rules, numPlayers: 2, debug: false });
client.start();
const moves = { draw: (player, count) => ({ type: "cards.drawn", player, count }) };
const told = await follow(client, tape, game, { seats: { 0: "A", 1: "B" }, moves });
client.moves.draw(2);
client.moves.think();
client.undo();
client.undo();
client.redo();
client.events.endTurn();
client.moves.draw(1);
await told.written();
const short = ({ type, player, count, to }) => [type, player ?? count ?? to].join(" ");
console.log((await tape.events(game)).map((each) => short(each.line)).join(", "));
process.exit(0);
"""

TABLE = """
JSON = require("cjson")
WebRequest = {custom = function(address, method, _, data, headers, done)
  local words = {}
  for name, value in pairs(headers) do words[#words + 1] = "-H '" .. name .. ": " .. value .. "'" end
  failing = not failing
  if failing then return done({response_code = 0, is_error = true}) end
  local file = os.tmpname()
  local body = io.open(file, "w"); body:write(data); body:close()
  local asked = "curl -s -w '\\n%{http_code}' -X " .. method .. " --data-binary @" .. file .. " "
  local pipe = io.popen(asked .. table.concat(words, " ") .. " '" .. address .. "'")
  local text, code = pipe:read("*a"):match("^(.*)\\n(%d+)$")
  pipe:close(); os.remove(file)
  done({response_code = tonumber(code), text = text, is_error = tonumber(code) >= 400})
end}
Wait = {time = function(act) act() end}
function broadcastToAll(words) print(words) end
function getSeatedPlayers() return {"White", "Red"} end
Player = {White = {steam_name = "Ann"}, Red = {steam_name = "Ben"}}
dofile(arg[1])
Tabletape.address, Tabletape.token = arg[2], arg[3]
local function card(name, zones)
  return {type = "Card", guid = name, is_face_down = true, getName = function() return name end,
          getZones = function() return zones or {} end}
end
local hand = {type = "Hand", getValue = function() return "White" end, getName = function() return "" end}
onObjectDrop("White", card("Too Early"))
onChat("!begin")
onPlayerTurn({color = "White"})
onObjectRandomize({type = "Deck"}, "White")
local owl = card("Owl")
onObjectLeaveContainer({}, owl)
onObjectEnterZone(hand, owl)
onObjectEnterZone(hand, owl)
onObjectDrop("White", card("Owl", {{type = "Scripting", getName = function() return "market" end}}))
onObjectDrop("White", card("Owl", {hand}))
onObjectRotate(card("Owl"), 0, 180, "White", 0, 0)
onObjectRotate(card("Owl"), 0, 0, "White", 0, 0)
onObjectDrop("Grey", card("Owl"))
Tabletape.lines.shuffle = function() return {type = "deck.shufled"} end
onObjectRandomize({type = "Deck"}, "Red")
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
        running = server(
            application(Desk(log), Holders(workspace(log))), "localhost", listening.getsockname()[1], **settings
        )
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
    """A game is begun, two lines are heard in order, a late one is refused with them, and all 1,003 are read."""
    program = tmp_path / "evening.mjs"
    module = tmp_path / "tabletape.mjs"
    shutil.copy(CLIENTS / "tabletape.js", module)
    program.write_text(EVENING.replace("TABLETAPE", module.as_uri()))
    said = _program(tmp_path, str(shutil.which("node")), str(program), log=log)
    (stored,) = log.games()
    assert said.strip() == (
        f'{{"game":"{stored.game_id}","heard":[[1,"game.started"],[2,"note.added"],[3,"note.added"]],'
        '"late":[true,409,2],"read":[1002,2,1003]}'
    )


def _program(tmp_path: Path, *command: str, log: Log) -> str:
    """Run a program with the address of a service and a designer's token behind it; return what it says."""
    with served(log) as (address, token, _):
        done = subprocess.run(  # noqa: S603 - our own
            [*command, address, token], cwd=tmp_path, capture_output=True, text=True, check=False, timeout=PATIENCE
        )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


@pytest.mark.skipif(LUA is None or shutil.which("curl") is None, reason="Lua 5.2 with cjson, or curl, is missing")
def test_tabletop_simulator_tells_what_happens_with_cards(log: Log, tmp_path: Path) -> None:
    """A game begins by a word in the chat; every request fails once and is sent again, and a refusal is shown."""
    program = tmp_path / "table.lua"
    program.write_text(TABLE)
    said = _program(tmp_path, str(LUA), str(program), str(CLIENTS / "tabletape.lua"), log=log)
    (stored,) = log.games()
    lines = [msgspec.to_builtins(each) for each in log.events(stored)]
    assert [player.name for player in stored.players] == ["Ann", "Ben"]
    assert [(each["type"], each.get("card", each.get("cards"))) for each in lines[1:]] == [
        ("turn.started", None), ("deck.shuffled", None), ("cards.drawn", ("Owl",)), ("card.moved", "Owl"),
        ("card.used", "Owl"),
    ]  # fmt: skip
    assert (lines[4]["to"], lines[4]["player"]) == ("market", "A")
    assert f"/watch/{stored.game_id}" in said
    assert "the game has no zone called market (tabletop.zone.named)" in said
    assert 'no event type `"deck.shufled"`' in said


@pytest.mark.skipif("TABLETAPE_TEST_BOARDGAMEIO" not in os.environ, reason="boardgame.io is in no folder that is named")
def test_boardgame_io_tells_its_moves(log: Log, tmp_path: Path) -> None:
    """Moves become lines by their names, turns by themselves; undo takes back to the line before, redo writes again."""
    program, names = tmp_path / "match.mjs", {"TABLETAPE": "tabletape", "FOLLOW": "boardgame"}
    text = BOARDGAME.replace("BOARDGAMEIO", f"{os.environ['TABLETAPE_TEST_BOARDGAMEIO']}/dist/cjs/client.js")
    for said, name in names.items():
        shutil.copy(CLIENTS / f"{name}.js", tmp_path / f"{name}.mjs")
        text = text.replace(said, f"./{name}.mjs")
    program.write_text(
        text.replace("import { Client } from", "import boardgame from").replace(
            "const tape", "const { Client } = boardgame; const tape", 1
        )
    )
    assert _program(tmp_path, str(shutil.which("node")), str(program), log=log).strip() == (
        "game.started , turn.started A, cards.drawn A, play.taken-back 2, cards.drawn A, turn.ended A, turn.started B, "
        "cards.drawn B"
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
        tape.send(game_id, [{"type": "note.added", "text": f"{each}"} for each in range(1_000)])
        assert [each["seq"] for each in tape.events(game_id)] == [*range(1, 1_003)]
        assert next(tape.stream(game_id, after=1_001))["text"] == "999"
        with tabletape.open(tmp_path / "own.db") as own:
            own.import_files(tape.save(game_id, tmp_path / "saved.jsonl"))
            assert own.log.game(game_id).fingerprint == log.game(game_id).fingerprint
        assert tape.legal(game_id)
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
@in_browser
def test_a_browser_shows_a_line_as_it_comes(log: Log) -> None:
    """The page to watch shows the game to the public, and goes on with a line that is written meanwhile."""
    with served(log) as (address, token, eve), chromium() as browser:
        tape = tabletape.connect(address, token=token)
        game_id = tape.begin("tabletop", PLAYERS)
        page = browser.new_page()
        errors: list[str] = []
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.goto(f"{address}/watch/{game_id}?viewer=public#{eve}")
        page.get_by_text("The public").first.wait_for(state="attached")
        tape.send(game_id, {"type": "note.added", "text": "just now"})
        page.get_by_text("just now").first.wait_for(state="attached")
    assert errors == []
