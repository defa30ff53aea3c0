"""Keep a sample game with the scribe's page as people do: by tapping on a phone, or by typing on a laptop.

Not a test by itself: `tests/dashboard/test_scribe_browser.py` keeps one game so, and the program keeps all:

    python -m tests.dashboard.keeping [GAME …]
"""

import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

import msgspec

from tabletape.events.log import Log
from tabletape.events.vocabulary import Consequence, Event, Remark, vocabulary
from tabletape.events.vocabulary.shared import DeckDeclared, GameStarted, PlayTakenBack
from tabletape.projector.games import games
from tabletape.projector.model.areas import EVERYTHING
from tabletape.projector.model.deciding import Offer, is_same
from tabletape.projector.model.due import covers
from tabletape.projector.scribing.asking import question_of
from tabletape.projector.scribing.choices import Choice, choices_of, drawn_after, group_in_words
from tabletape.projector.scribing.screen import ViewerScreen, as_line
from tabletape.projector.scribing.scribe import Scribe
from tests.chromium import chromium
from tests.waiting import free_port, until_answered

ROOT: Final = Path(__file__).parents[2]
PHONE: Final = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
LAPTOP: Final = {"viewport": {"width": 1440, "height": 900}}


def sample_events(slug: str) -> list[Event]:
    """Return the decisions and chance events of the first sample of a game, without consequences and remarks."""
    folder = Path(str(files("tabletape.projector.games"))) / slug / "samples"
    found: list[Event] = []
    for line in min(folder.glob("*.jsonl")).read_text(encoding="utf-8").splitlines():
        event = vocabulary(slug).decode(line)
        if isinstance(event, GameStarted) and found:
            break
        found.append(event)
    return [event for event in found if not isinstance(event, Consequence | Remark | PlayTakenBack)]


@contextmanager
def scribe_server(folder: Path, port: int) -> Iterator["subprocess.Popen[bytes]"]:
    """Run the scribe on the log of a folder, and kill it afterwards."""
    hidden = {key: value for key, value in os.environ.items() if key not in {"DISPLAY", "WAYLAND_DISPLAY"}}
    command = [sys.executable, "-m", "tabletape", "scribe", "--db", str(folder / "t.db"), "--port", str(port)]
    server = subprocess.Popen(  # noqa: S603 - our own command
        command, cwd=folder, env={**hidden, "PYTHONPATH": str(ROOT / ".package")}, stdout=subprocess.DEVNULL
    )
    try:
        until_answered(port, server)
        yield server
    finally:
        server.send_signal(signal.SIGKILL)
        server.wait()


class Keeper:
    """A user of the page who writes the lines of a sample game.

    The copies of a card may get other numbers than in the sample, so `names` maps the sample's names to those here.
    """

    def __init__(self, page: Any, log: Log, game_id: str, *, by_keyboard: bool) -> None:
        self.page = page
        self.by_keyboard = by_keyboard
        self.scribe = Scribe(log, game_id)
        self.names: dict[str, str] = {}
        self.milliseconds: list[float] = []

    def open(self, address: str) -> None:
        """Open the page of the game."""
        self.page.goto(f"{address}/?game={self.scribe.stored.game_id}")
        self.page.wait_for_selector(".lines[data-seq]")

    def keep(self, event: Event) -> None:
        """Write one line as it happened, and wait until the page shows it."""
        self.scribe.catch_up()
        table = self.scribe.replay.table
        mine = self.translated(event)
        before = self.scribe.last_seq
        due = next((each for each in self.scribe.replay.game.due(table) if covers(each, mine)), None)
        if due is not None:
            self.answer(question_of(table, due), mine)
        else:
            choices = ViewerScreen(self.scribe, EVERYTHING).choices
            alike = [choice for choice in choices if is_same(table, choice.event, mine)]
            (line,) = without_copies([mine])
            meant = next((each for each in alike if without_copies([each.event]) == [line]), next(iter(alike), None))
            begins = meant or next((each for each in choices if self.leads_to(each, mine)), None)
            if meant is not None:
                self.choose(meant, mine)
            elif begins is not None:
                self.go_on(begins, mine)
            else:
                self.fill(mine)
        self.shown(before + 1)
        self.follow(event)

    def shown(self, seq: int) -> None:
        """Wait until the page shows a line, and look it up in the log."""
        self.page.wait_for_selector(f".lines[data-seq='{seq}']")
        self.scribe.catch_up()

    # -- names -----------------------------------------------------------------------------------------------------

    def translated(self, event: Event) -> Event:
        """Return a line of the sample with the names that its cards have here."""
        text = msgspec.json.encode(as_line(event)).decode()
        text = re.sub(r'"([^"\\]+:[^"\\]+)"', lambda found: f'"{self.names.get(found[1], found[1])}"', text)
        return self.scribe.replay.game.vocabulary.decode(text)

    def follow(self, event: Event) -> None:
        """Note which copies here stand for those of the sample."""
        last = self.scribe.replay.events[-1]
        theirs, ours = (
            re.findall(r'"([^"\\]+:[^"\\]+)"', str(msgspec.json.encode(as_line(e)).decode())) for e in (event, last)
        )
        left = list(ours)
        for name in theirs:
            mine = next((each for each in left if each == self.names.get(name, name)), None)
            mine = mine or next((each for each in left if each.partition("#")[0] == name.partition("#")[0]), None)
            if mine is not None:
                left.remove(mine)
                self.swap(name, mine)

    def swap(self, name: str, mine: str) -> None:
        """Map a card of the sample to `mine`; the card that was mapped to it gets the old name."""
        old = self.names.get(name, name)
        other = next((each for each, called in self.names.items() if called == mine), mine)
        self.names[other] = old
        self.names[name] = mine

    # -- what is due -------------------------------------------------------------------------------------------------

    def answer(self, question: Any, event: Any) -> None:
        """Answer a question about a line that is due."""
        if question.lines:
            table, lines = self.scribe.replay.table, question.lines
            fitting = (text for text, line in lines if len(lines) == 1 or is_same(table, line, event))
            words = next(fitting)
            self.press(".asked .due", words)
        elif question.ordered:
            words = dict(question.ordered)
            for name in event.row[:-1]:
                self.press(".asked .chip", words[name])
        else:
            self.take(question.words, question.cards, getattr(event, "cards", ()) or (), question.most)

    def take(self, head: str, cards: Sequence[Any], names: Sequence[str], most: int) -> None:
        """Name drawn cards."""
        asked = self.page.locator(".asked", has_text=head) if head else self.page.locator(".choosing")
        words = {each.card: each.words for each in cards}
        for name in names:
            text = words[name.partition(":")[2].partition("#")[0]]
            self.press_in(asked, ".chip", text)
        if most > 1:
            self.page.locator(".enough").first.click()

    # -- decisions -----------------------------------------------------------------------------------------------------

    def choose(self, meant: Choice, event: Any) -> None:
        """Take a decision by typing it, or by tapping the cards and places that it is about."""
        if self.by_keyboard:
            self.type(meant.words)
        else:
            self.tap(meant)
        if drawn_after(meant.event):
            self.page.locator(".chip").first.wait_for()
            self.take("", self.cards_of(meant), event.drawn or (), drawn_after(meant.event))

    def cards_of(self, meant: Choice) -> Any:
        """Return the cards that the page offers after a decision."""
        shown = ViewerScreen(self.scribe, EVERYTHING).screen(typed=meant.words).options
        return next(option.cards for option in shown if option.words == meant.words)

    def leads_to(self, choice: Choice, event: Event) -> bool:
        """Return whether a decision extends a choice."""
        replay = self.scribe.replay
        longer = replay.game.shortlist.more(replay.table, choice.event) if type(choice.event) is type(event) else ()
        return any(is_same(replay.table, each, event) for each in longer)

    def go_on(self, begins: Choice, event: Event) -> None:
        """Take a decision that extends a choice: the choice first, then `and another`, then the whole decision."""
        if self.by_keyboard:
            self.page.locator(".box").fill(begins.words)
        else:
            self.tap(begins, press=False)
        more = self.page.get_by_role("button", name=f"{begins.words}, and another", exact=True)
        is_only = self.page.locator(".options .option").count() == 1
        if self.by_keyboard:
            more.focus()
            more.press("Enter")
        elif not is_only:
            more.click()
        replay = self.scribe.replay
        longer = choices_of(
            replay.table, (Offer(event=each) for each in replay.game.shortlist.more(replay.table, begins.event))
        )
        meant = next(each for each in longer if is_same(replay.table, each.event, event))
        if self.by_keyboard or not is_only:
            self.page.locator(".choosing > .taps .tap").first.wait_for()
        if self.by_keyboard:
            self.type(meant.words)
        else:
            self.tap(meant, begun=begins.marks)

    def tap(self, meant: Choice, *, press: bool = True, begun: Sequence[str] = ()) -> None:
        """Tap cards and places, or groups, until the decision is in the list; then tap it."""
        tapped: list[str] = []
        for _ in range(6):
            option = self.page.locator(".options .option").filter(has_text=exactly(meant.words))
            if option.count() and (press or tapped):
                if press:
                    option.first.click()
                return
            mark = next((m for m in meant.marks[1:] if m not in {*tapped, *begun} and self.on_board(m) is not None), "")
            if mark:
                self.on_board(mark).click()
            else:
                groups = self.page.locator(".options .option")
                rows = [f"{mark.partition(',')[0]}," for mark in meant.marks if "," in mark and mark not in begun]
                table = self.scribe.replay.table
                words = [group_in_words(table, mark, meant.event) for mark in (*meant.marks, *rows)]
                groups.filter(has_text=re.compile(rf"^({'|'.join(map(re.escape, words))}) \d+ \u203a$")).first.click()
            tapped.append(mark)
            if self.is_written(chips=len(tapped) + bool(begun), begun=bool(begun)):
                return
        raise AssertionError(f"{meant.words} is not reached by tapping")

    def is_written(self, *, chips: int, begun: bool) -> bool:
        """Wait until the page shows what was tapped; return whether a tap on a free cell has written the line."""
        taps = self.page.locator(".choosing > .taps .tap")
        line = self.page.locator(f".lines[data-seq='{self.scribe.last_seq + 1}']")
        if begun:
            taps.filter(has_text=", and … \u00d7").or_(line).first.wait_for()
        taps.nth(chips - 1).or_(line).first.wait_for()
        self.page.locator("#scribe:not(.busy)").wait_for()  # what ends with this tap is written now
        return bool(line.count())

    def on_board(self, mark: str) -> Any:
        """Return the card or cell of the board that is meant by a mark, or None."""
        for attribute in ("data-name", "data-place"):
            found = self.page.locator(f".board [{attribute}={mark!r}]".replace("'", '"'))
            if found.count():
                return found.first
        return None

    def type(self, words: str) -> None:
        """Type into the one box, and press Enter."""
        self.page.locator(".box").fill(words)
        self.page.locator(".box").press("Enter")

    def press(self, selector: str, words: str) -> None:
        """Press a button by its words, or type its words."""
        self.press_in(self.page.locator(".choosing"), selector, words)

    def press_in(self, place: Any, selector: str, words: str) -> None:
        """Press a button within a part of the page."""
        if self.by_keyboard:
            self.type(words)
            self.page.locator(".box:placeholder-shown").wait_for()
        else:
            place.locator(selector).filter(has_text=re.compile(rf"^{re.escape(words)}( \u00d7\d+)?$")).first.click()

    # -- anything else -------------------------------------------------------------------------------------------------

    def fill(self, event: Event) -> None:
        """Write a line that is not offered, with its form."""
        line = as_line(event)
        self.page.get_by_role("button", name="More …").click()
        self.page.get_by_role("button", name="Anything that the game knows").click()
        words = line.pop("type").replace(".", " ").replace("-", " ").capitalize()
        self.page.locator(".filling .option").filter(has=self.page.get_by_text(words, exact=True)).first.click()
        for name, value in line.items():
            field = self.page.locator(f".filling [aria-label='{name}']")
            if field.evaluate("each => each.tagName") == "SELECT":
                field.select_option(as_text(value))
            elif isinstance(value, bool):
                field.set_checked(value)
            else:
                field.fill(as_text(value))
        self.page.locator(".filling .main-button").click()


def as_text(value: Any) -> str:
    """Return a value as it is typed into a field: one text a line, numbers side by side, other values as JSON."""
    if value is None or value == ():
        return "none" if value is None else "nothing"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list | tuple) and all(isinstance(each, str | int) for each in value):
        return ("\n" if value and isinstance(value[0], str) else ", ").join(map(str, value))
    return str(value) if isinstance(value, str | int | float) else msgspec.json.encode(value).decode()


def exactly(words: str) -> "re.Pattern[str]":
    """Return a pattern for an option of these words, certain or supposed."""
    return re.compile(rf"^{re.escape(words)}( if held)?$")


def begin_game(log: Log, events: Sequence[Event]) -> str:
    """Begin a sample game in a log, with its head and deck lists; return its id."""
    head = events[0]
    if not isinstance(head, GameStarted):
        raise TypeError("a game begins with game.started")
    opening = [
        msgspec.structs.replace(event, seq=msgspec.UNSET)
        for event in events
        if isinstance(event, GameStarted | DeckDeclared)
    ]
    log.append(head.id, opening, expected_last_seq=0)
    return head.id


def without_copies(events: Sequence[Event]) -> list[str]:
    """Return lines as text, without the numbers of copies and lines, and without times."""
    return [
        re.sub(r"#\d+", "", msgspec.json.encode(as_line(event), order="deterministic").decode()) for event in events
    ]


def main() -> None:
    """Keep the sample games of some games, or of all, by tapping and by typing."""
    with chromium() as browser:
        for slug in sys.argv[1:] or games():
            for by_keyboard in (False, True):
                with tempfile.TemporaryDirectory() as folder:
                    start = time.monotonic()
                    lines = keep_worked(browser, Path(folder), slug, by_keyboard=by_keyboard)
                    how = "typed" if by_keyboard else "tapped"
                    sys.stdout.write(f"{slug} {how}: {lines} lines, {time.monotonic() - start:.0f} s\n")
                    sys.stdout.flush()


def keep_worked(browser: Any, folder: Path, slug: str, *, by_keyboard: bool) -> int:
    """Keep a whole sample game, with a reload and a killed server in the middle; return the number of its lines."""
    events = sample_events(slug)
    port = free_port()
    address = f"http://localhost:{port}"
    with Log.open(folder / "t.db", create=True) as log:
        game_id = begin_game(log, events)
        lines = [event for event in events[1:] if not isinstance(event, DeckDeclared)]
        page = browser.new_page(**(LAPTOP if by_keyboard else PHONE))
        keeper = Keeper(page, log, game_id, by_keyboard=by_keyboard)
        half = len(lines) // 2
        with scribe_server(folder, port):
            keeper.open(address)
            for event in lines[:half]:
                keeper.keep(event)
            page.reload()
            page.wait_for_selector(".choosing > *")
            keeper.keep(lines[half])
        with scribe_server(folder, port):
            keeper.open(address)
            for event in lines[half + 1 :]:
                keeper.keep(event)
        stored = [event for event in log.events(log.game(game_id)) if not isinstance(event, GameStarted | DeckDeclared)]
        page.close()
    assert without_copies(stored) == without_copies(lines)
    return len(stored)


if __name__ == "__main__":
    main()
