"""Count what an evening takes at its pages, in a real browser: taps, clicks, wrong lines, and the seconds of a form.

    python -m tests.benchmarks.evening [--typed 300]

Taps and clicks are those that the browser has seen. Typed is what somebody means and does not type to its end: the
first letters of some words of the next line, then Enter, once. The seconds of a form are those of a person by the model
of Card, Moran and Newell (1.35 s to make up one's mind and 1.1 s to hit the button, for each), and the page's own.
"""

import argparse
import random
import re
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from importlib.resources import files
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec
from msgspec import UNSET

from tabletape.events.log import Log
from tabletape.events.vocabulary import Chance, Decision, Event
from tabletape.events.vocabulary.shared import DeckDeclared, GameStarted, Seat, TurnEnded
from tabletape.projector.games import game, games
from tabletape.projector.model.areas import EVERYTHING
from tabletape.projector.model.deciding import is_same
from tabletape.projector.scribing.box import LITTLE_WORDS, words_of
from tabletape.projector.scribing.choices import Choice
from tabletape.projector.scribing.screen import ViewerScreen
from tabletape.projector.scribing.scribe import Scribe
from tabletape.projector.selfplay.kinds import Bot
from tabletape.projector.selfplay.simulate import Plan, simulate
from tests.chromium import chromium
from tests.dashboard import keeping
from tests.dashboard.serving import serving
from tests.waiting import free_port

WITHOUT_RULES: Final = "tabletop"
WRITTEN_ELSEWHERE: Final = keeping.ROOT / "tests" / "recordings" / "maps" / "keyforge-events" / "input.json"
"""A log that another program wrote, with its day, of a game that there are no rules of."""

PATIENCE: Final = 60_000
"""Milliseconds after which a page that does not come is a fault."""

A_TAP: Final = 1.35 + 1.1
"""Seconds to make up one's mind, and to hit a button."""

COUNT: Final = """addEventListener("click", (event) => event.isTrusted
    && sessionStorage.setItem("clicks", Number(sessionStorage.getItem("clicks")) + 1), true)"""
CLICKS: Final = 'Number(sessionStorage.getItem("clicks"))'

DONE: Final = """() => !document.querySelector(".busy") && (document.querySelector(".said").textContent
    || !document.querySelector(".box").value || document.querySelector("dialog[open], .choosing > .taps .tap")
    || !document.querySelector(".choosing .option, .choosing .chip"))"""
"""Whether the page has done what Enter means: said what fits, written, taken it as a tap, or found nothing."""


class Measure(NamedTuple):
    """What was counted, how much of it, and how much it may be."""

    words: str
    found: str
    most: str


def opening_hand(browser: Any, folder: Path) -> Measure:
    """Count the taps for the opening hand of a player of Crystal."""
    events = keeping.sample_events("crystal")
    port = free_port()
    with Log.open(folder / "t.db", create=True) as log, keeping.scribe_server(folder, port):
        keeper = keeping.Keeper(
            browser.new_page(**keeping.PHONE), log, keeping.begin_game(log, events), by_keyboard=False
        )
        keeper.page.add_init_script(COUNT)
        keeper.open(f"http://localhost:{port}")
        for event in (each for each in events[1:] if not isinstance(each, DeckDeclared)):
            before = keeper.page.evaluate(CLICKS)
            keeper.keep(event)
            if len(getattr(event, "cards", None) or ()) > 1:
                return Measure("an opening hand of Crystal", f"{keeper.page.evaluate(CLICKS) - before} taps", "8 taps")
    raise AssertionError("no hand was drawn")


def beginning(slug: str) -> list[Event]:
    """Return how a game begins: the first sample, or of a game without rules who plays."""
    if slug != WITHOUT_RULES:
        return keeping.sample_events(slug)
    seats = (Seat(id="A", name="Ann"), Seat(id="B", name="Ben"))
    return [GameStarted(game=slug, edition="", id="friday", players=seats)]


def taken_back(browser: Any, folder: Path) -> Measure:
    """Count the taps for "that was wrong", in a game without rules."""
    port = free_port()
    with Log.open(folder / "t.db", create=True) as log, keeping.scribe_server(folder, port):
        game_id = keeping.begin_game(log, beginning(WITHOUT_RULES))
        page = browser.new_page(**keeping.PHONE)
        page.goto(f"http://localhost:{port}/?game={game_id}")
        page.locator(".option", has_text="The turn of Ann begins").click()
        page.wait_for_selector(".lines[data-seq='2']")
        page.add_init_script(COUNT)
        page.reload()
        page.get_by_role("button", name="Takes back: The turn of Ann begins").click()
        page.wait_for_selector(".lines[data-seq='3']")
        return Measure("a wrong line of a game without rules taken back", f"{page.evaluate(CLICKS)} taps", "3 taps")


def feedback(browser: Any, folder: Path, slug: str) -> Iterator[Measure]:
    """Count the taps of a player who says how the game was, and the seconds."""
    port = free_port()
    with Log.open(folder / "t.db", create=True) as log, keeping.scribe_server(folder, port):
        game_id = keeping.begin_game(log, beginning(slug))
        keeper = browser.new_page(**keeping.PHONE)
        keeper.goto(f"http://localhost:{port}/?game={game_id}")
        keeper.get_by_role("button", name="More …").click()
        keeper.get_by_role("button", name="How was it? A form for the players' phones").click()
        address = keeper.get_by_role("link", name="Open the form here").get_attribute("href")
        phone = browser.new_page(**keeping.PHONE)
        phone.add_init_script(COUNT)
        start = time.monotonic()
        phone.goto(address)
        phone.get_by_role("button", name=log.games()[0].players[0].name, exact=True).click()
        phone.get_by_role("group", name="How much fun was it?").get_by_role("button", name="4").click()
        phone.get_by_role("button", name="right", exact=True).click()
        phone.get_by_role("button", name="yes", exact=True).click()
        phone.get_by_role("button", name="Send").click()
        phone.get_by_text("Thank you!").wait_for()
        own = time.monotonic() - start
        taps = phone.evaluate(CLICKS)
    yield Measure(f"how a player of {slug} says how it was", f"{taps} taps", "5 taps")
    yield Measure("the same, a person's time and the page's", f"{taps * A_TAP:.1f} s and {own:.1f} s", "20 s together")


BETWEEN: Final = {
    "crystal": (),
    WITHOUT_RULES: (),
    "a game that does not say its day": ("The evening, whose day the log does not say",),
    "another program, with a line left over": ("Import these games", "This evening: what it came to"),
}
"""The logs that are sent, and what is clicked between the upload and *Send*: it is counted from there where there is
something."""


def log_of(kind: str, folder: Path) -> Path:
    """Return a log of BETWEEN: a sample, a recording, or one of a game without rules that is written here."""
    if kind == "crystal":
        return min(Path(str(files("tabletape.projector.games") / kind / "samples")).glob("*.jsonl"))
    if kind.startswith("another program"):
        return WRITTEN_ELSEWHERE
    (head,) = beginning(WITHOUT_RULES)
    at = datetime(2026, 5, 1, 19, tzinfo=UTC) if kind == WITHOUT_RULES else UNSET
    lines = [msgspec.structs.replace(head, edition="v1", at=at), TurnEnded(player="A"), TurnEnded(player="B")]
    log = folder / "friday.jsonl"
    log.write_bytes(b"".join(msgspec.json.encode(each) + b"\n" for each in lines))
    return log


def sent(browser: Any, folder: Path, kind: str) -> Measure:
    """Count the clicks from a game's log, and an open page or the end of the import, to the file that is sent."""
    between, port, before = BETWEEN[kind], free_port(), 0
    with Log.open(folder / "t.db", create=True):
        pass
    with serving(["tabletape", "serve", "--port", str(port)], folder / "t.db", port) as address:
        page = browser.new_page(viewport={"width": 1440, "height": 900}, accept_downloads=True)
        page.set_default_timeout(PATIENCE)
        page.add_init_script(COUNT)
        page.goto(address)
        page.get_by_role("link", name="Import", exact=True).click()
        with page.expect_file_chooser() as chooser:
            page.get_by_role("button", name="Upload", exact=True).click()
        chooser.value.set_files(log_of(kind, folder))
        for place, name in enumerate(between):
            way = page.get_by_role("link", name=name).or_(page.get_by_role("button", name=name))
            way.wait_for()
            before = before if place else page.evaluate(CLICKS)
            way.click()
        with page.expect_download() as download:
            page.get_by_role("button", name="Send", exact=True).click()
        size = Path(download.value.path()).stat().st_size
        clicks = page.evaluate(CLICKS) - before
    since = "the end of the import of a log" if between else "an evening's log"
    return Measure(f"from {since} of {kind} to a file of {size // 1000} kB", f"{clicks} clicks", "3 clicks")


# -- typing ------------------------------------------------------------------------------------------------------------


def typed(browser: Any, folder: Path, number: int) -> Iterator[Measure]:
    """Count what Enter does where a line was meant of which the first letters were typed."""
    port, dice = free_port(), random.Random(number)  # noqa: S311 - no secret
    came: Counter[str] = Counter()
    with Log.open(folder / "t.db", create=True) as log, keeping.scribe_server(folder, port):
        page = browser.new_page(**keeping.LAPTOP)
        for place, events in enumerate(positions(number, dice)):
            first, *rest = [msgspec.structs.replace(each, seq=UNSET) for each in events]
            first = msgspec.structs.replace(first, id=f"typed-{place}")
            *before, meant = [first, *rest]
            log.append(f"typed-{place}", before, expected_last_seq=0)
            came[what_comes(page, f"http://localhost:{port}", Scribe(log, f"typed-{place}"), meant, dice)] += 1
    yield Measure(f"lines typed to a part, of {number}: another was written", f"{came['wrong']}", "0")
    words = ("written", "shown first", "taken as a tap or a form", "nothing fits")
    yield Measure("the rest of them", ", ".join(f"{came[each]} {each}" for each in words), "")


def positions(number: int, dice: random.Random) -> Iterator[list[Event]]:
    """Yield beginnings of games of bots in each game, each up to a decision that the scribe offers in words."""
    slugs = games()
    for place in range(number):
        one = game(slugs[place % len(slugs)])
        (match,) = simulate(one, one.cards, Plan(seed=place, bots=(Bot.GREEDY, Bot.RANDOM), limit=60), 1)
        decided = [
            at
            for at, each in enumerate(match.events)
            if isinstance(each, Decision)
            and not isinstance(each, Chance | DeckDeclared | GameStarted)
            and not each.ANY_TIME
        ]
        yield match.events[: dice.choice(decided) + 1]


def what_comes(page: Any, address: str, scribe: Scribe, meant: Event, dice: random.Random) -> str:
    """Type a part of what is meant, press Enter once, and return what came of it."""
    table = scribe.replay.table
    offered = ViewerScreen(scribe, EVERYTHING).choices
    choice = next((each for each in offered if is_same(table, each.event, meant)), None) or dice.choice(offered)
    page.goto(f"{address}/?game={scribe.stored.game_id}")
    page.wait_for_selector(".lines[data-seq]")
    last = scribe.last_seq
    page.locator(".box").fill(letters_of(choice, dice))
    page.locator(".box").press("Enter")
    page.wait_for_function(DONE)
    scribe.catch_up()
    if scribe.last_seq > last:
        return "written" if is_same(table, scribe.replay.events[-1], choice.event) else "wrong"
    if re.search("Enter again takes the first", page.locator(".said").inner_text()):
        return "shown first"
    return "nothing fits" if page.locator(".note").count() else "taken as a tap or a form"


def letters_of(choice: Choice, dice: random.Random) -> str:
    """Return the first letters, one to four, of one to three words of a line, in their order."""
    words = [(at, each) for at, each in enumerate(words_of(choice.words)) if each not in LITTLE_WORDS]
    some = sorted(dice.sample(words, min(dice.randint(1, 3), len(words))))
    return " ".join(word[: dice.randint(1, 4)] for _, word in some)


def main() -> None:
    """Print a row for each measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--typed", type=int, default=300)
    number = parser.parse_args().typed
    sys.stdout.write("| | counted | at most |\n| --- | --- | --- |\n")
    with chromium() as browser:
        measures: list[tuple[Callable[..., Measure | Iterator[Measure]], tuple[Any, ...]]] = [
            (opening_hand, ()), (taken_back, ()), (feedback, ("crystal",)), (feedback, (WITHOUT_RULES,)),
            *((sent, (kind,)) for kind in BETWEEN), (typed, (number,)),
        ]  # fmt: skip
        for measure, more in measures:
            with tempfile.TemporaryDirectory() as folder:
                found = measure(browser, Path(folder), *more)
                for each in [found] if isinstance(found, Measure) else found:
                    sys.stdout.write(f"| {' | '.join(each)} |\n")
                    sys.stdout.flush()


if __name__ == "__main__":
    main()
