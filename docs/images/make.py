"""Take the pictures of the documentation anew: `python docs/images/make.py`.

It needs Chromium and what `pip install '.[test]'` installs. The pictures show the sample logs that come with Tabletape.
"""

# ruff: noqa: INP001 - a script beside the pictures
import asyncio
import io
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from msgspec import UNSET
from msgspec.structs import replace
from PIL import Image
from playwright.sync_api import sync_playwright

from tabletape.cli.screen.app import ReplayApp
from tabletape.events.log import Log
from tabletape.events.vocabulary.shared import GameStarted
from tabletape.projector.archive.stored import replay_of
from tabletape.projector.archive.view import View
from tabletape.projector.fold.traced import Traced
from tabletape.projector.model.areas import EVERYTHING

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"]
TERMINAL = (118, 40)
PAGE = {"width": 1440, "height": 980}
PHONE = {"width": 390, "height": 844}
HALF = 64
COLOURS = 128
SECONDS = 90


def tabletape(*arguments: str) -> str:
    """Call the command; return what it prints."""
    done = subprocess.run(  # noqa: S603 - our own program
        [sys.executable, "-m", "tabletape", *arguments], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return done.stdout


def worst(database: str) -> tuple[str, int]:
    """Return game and event of the first illegal event of the sample logs that comes after no other mistake."""
    found = map(json.loads, tabletape("audit", "--db", database, "--format", "jsonl").splitlines())
    first = next(each for each in found if each["kind"] == "illegal" and not each["tainted"])
    return first["game_id"], first["seq"]


def terminal(database: str, game_id: str, seq: int) -> str:
    """Return the screen of `tabletape replay` at an event, as SVG."""
    with Log.open(database) as log:
        replay = replay_of(log, game_id, traced=True)
    if not isinstance(replay, Traced):
        raise TypeError("a traced replay was asked for")
    view = View(replay)

    async def shot() -> str:
        app = ReplayApp(view, view.index_of(seq), EVERYTHING)
        async with app.run_test(size=TERMINAL) as pilot:
            await pilot.pause()
            return app.export_screenshot(title=f"tabletape replay {game_id}")

    svg = asyncio.run(shot())
    return re.sub(r"@font-face \{.*?\}", "", svg, flags=re.DOTALL).replace("Fira Code", "DejaVu Sans Mono")


@contextmanager
def served(database: str) -> Iterator[str]:
    """Serve the dashboard of a log; return its address."""
    with socket.socket() as probe:
        probe.bind(("localhost", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "tabletape", "serve", "--db", database, "--port", str(port)]
    kept = {key: value for key, value in os.environ.items() if key not in {"DISPLAY", "WAYLAND_DISPLAY"}}
    with subprocess.Popen(command, cwd=ROOT, env=kept, stdout=subprocess.DEVNULL) as server:  # noqa: S603 - our own program
        try:
            address = f"http://localhost:{port}"
            wait_for(f"{address}/_stcore/health", server)
            yield address
        finally:
            server.terminate()


def wait_for(address: str, server: "subprocess.Popen[bytes]") -> None:
    """Wait until a server answers. Raises `TimeoutError`, also where it has ended."""
    for _ in range(SECONDS * 10):
        if server.poll() is not None:
            break
        try:
            with urllib.request.urlopen(address, timeout=2):  # noqa: S310 - our own address
                return
        except OSError:
            time.sleep(0.1)
    raise TimeoutError(address)


def keep(name: str, picture: bytes, folder: Path = HERE) -> None:
    """Write a picture with few colours, so that it stays small."""
    image = Image.open(io.BytesIO(picture)).convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE)
    file = folder / f"{name}.png"
    image.save(file, optimize=True)
    sys.stdout.write(f"{file}: {file.stat().st_size // 1024} KB\n")


def take(browser: Any, address: str, wait: str) -> bytes:
    """Take a picture of a page of the dashboard once `wait` is on it and nothing is at work any more."""
    page = browser.new_page(viewport=PAGE, color_scheme="light")
    page.goto(address)
    page.wait_for_selector(wait, timeout=SECONDS * 1000)
    page.wait_for_function("!document.querySelector('[data-testid=stStatusWidget]')", timeout=SECONDS * 1000)
    page.wait_for_timeout(1500)
    picture: bytes = page.screenshot()
    page.close()
    return picture


def half_a_game(database: str, slug: str) -> str:
    """Store the first half of a sample game as one that is still being kept; return its id."""
    with Log.open(database) as log:
        events = log.events(log.games(game=slug)[0])[:HALF]
        head, *rest = (replace(event, seq=UNSET, cause=UNSET) for event in events)
        if not isinstance(head, GameStarted):
            raise TypeError("a game begins with game.started")
        kept = replace(head, id="friday")
        log.append(kept.id, [kept, *rest], expected_last_seq=0)
    return kept.id


def phone(browser: Any, address: str) -> bytes:
    """Take a picture of the scribe on a phone once it shows what can be done."""
    page = browser.new_page(viewport=PHONE, color_scheme="light", has_touch=True, is_mobile=True, device_scale_factor=2)
    page.goto(address)
    page.wait_for_selector(".options .option", timeout=SECONDS * 1000)
    page.locator(".board .hand [data-name]").last.click()
    page.wait_for_selector(".tapped")
    picture: bytes = page.screenshot()
    page.close()
    return picture


def main() -> None:
    """Take all pictures."""
    with tempfile.TemporaryDirectory() as folder:
        database = str(Path(folder) / "tabletape.db")
        tabletape("demo", "--folder", folder, "--no-serve")
        game_id, seq = worst(database)
        screen = terminal(database, game_id, seq)
        with sync_playwright() as playwright, served(database) as address:
            browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
            page = browser.new_page(viewport={"width": 1500, "height": 1100})
            page.set_content(screen)
            keep("finding", page.locator("svg").first.screenshot())
            keep("rules", take(browser, f"{address}/rules", "canvas, svg.marks"))
            asked = urlencode({"game": game_id, "step": seq})
            keep("replay", take(browser, f"{address}/replay?{asked}", ".event[aria-current]"))
            kept = urlencode({"game": half_a_game(database, "splicers")})
            keep("scribe", phone(browser, f"{address}/scribe/?{kept}"), ROOT / "dashboard" / "scribe")
            browser.close()


if __name__ == "__main__":
    main()
