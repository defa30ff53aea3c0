"""Break each rule that a line of a recorded game breaks on the scribe's page, and press the buttons of the finding.

Not a test by itself: `tests/dashboard/test_scribe_browser.py` does this with two rules of two games, and the program
with all rules:

    python -m tests.dashboard.breaking [GAME …]

The game up to that line is in the log already. The line is written on the page; the page has to show the finding at
once, with its citation and three buttons (keep the line, take it back, play it so), and each of these is pressed.
"""

import re
import sys
import tempfile
import time
import traceback
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec
from msgspec import UNSET

from tabletape.events.log import Log
from tabletape.events.vocabulary import Event, vocabulary
from tabletape.events.vocabulary.shared import GameStarted, NoteAdded
from tabletape.projector.archive.recordings import recorded_lines
from tabletape.projector.fold.folding import fold
from tabletape.projector.games import game, games
from tabletape.projector.model.phrases import with_rulings_said
from tests.chromium import chromium
from tests.dashboard.keeping import LAPTOP, PHONE, Keeper, scribe_server, without_copies
from tests.waiting import free_port

RECORDINGS: Final = Path(__file__).parents[1] / "recordings"


class Break(NamedTuple):
    """A line that breaks a rule, and the lines before it; `game_id` is the name of the recording."""

    game_id: str
    before: list[Event]
    line: Event
    rule: str


def breaks(slug: str) -> Iterator[Break]:
    """Yield for each rule of a game the first recorded line that breaks only this rule and is found at once."""
    seen: set[str] = set()
    for path in sorted((RECORDINGS / slug).glob("*.jsonl")):
        if path.with_suffix(".cards.toml").exists():
            continue
        found = _first_break(slug, path)
        if found is not None and found.rule not in seen:
            seen.add(found.rule)
            yield found


def _first_break(slug: str, path: Path) -> Break | None:
    events = [vocabulary(slug).decode(line) for line in recorded_lines(path)]
    head = events[0]
    if not isinstance(head, GameStarted) or sum(isinstance(each, GameStarted) for each in events) > 1:
        return None
    events[0] = msgspec.structs.replace(head, id=path.stem)
    events = [msgspec.structs.replace(each, seq=number) for number, each in enumerate(events, start=1)]
    judged = [each for each in fold(game(slug), events).findings if each.kind in {"illegal", "mismatch", "drift"}]
    if not judged or judged[0].seq < 2:
        return None
    first = judged[0]
    line = msgspec.structs.replace(events[first.seq - 1], cause=UNSET, note=UNSET)
    findings = [each for each in fold(game(slug), [*events[: first.seq - 1], line]).findings if each.kind != "info"]
    if [(each.seq, each.rule) for each in findings] != [(first.seq, first.rule)]:
        return None
    # The form offers only the players of the table; a line of any other player comes from another program.
    if getattr(line, "player", UNSET) not in {UNSET, "", *(seat.id for seat in head.players)}:
        return None
    return Break(path.stem, events[: first.seq - 1], line, first.rule)


class Breaker:
    """A user of the page who writes a line that breaks a rule, and presses each of the finding's buttons."""

    def __init__(self, page: Any, log: Log, broken: Break, *, by_keyboard: bool) -> None:
        bare = [msgspec.structs.replace(each, seq=UNSET) for each in broken.before]
        log.append(broken.game_id, bare, expected_last_seq=0)
        self.page = page
        self.log = log
        self.broken = broken
        self.of_rule = f"[data-rule='{broken.rule}']"
        self.keeper = Keeper(page, log, broken.game_id, by_keyboard=by_keyboard)

    def go(self, address: str) -> None:
        """Break the rule, keep the line, reload, take it back, break the rule again, and play it so.

        At the end of a game the findings are a list, in which a line can only be taken back.
        """
        self.keeper.open(address)
        self.write()
        is_over = self.keeper.scribe.replay.table.over
        if not is_over:
            self.finding().get_by_role("button", name="Leave the line as it is").click()
            self.page.wait_for_function("!document.querySelector('.finding')")
        self.page.reload()
        self.finding().get_by_role("button", name=re.compile("Take the (last )?line back")).click()
        self.keeper.shown(len(self.broken.before) + 2)
        assert not self.page.locator(self.of_rule).count()
        self.write()
        if not is_over:
            self.play_it_so()

    def write(self) -> None:
        """Write the line by its form, and assert that the log holds it unchanged."""
        before = self.keeper.scribe.last_seq
        self.keeper.fill(self.broken.line)
        self.keeper.shown(before + 1)
        last = self.keeper.scribe.replay.events[-1]
        assert without_copies([last]) == without_copies([self.broken.line])
        self.finding()

    def finding(self) -> Any:
        """Return the finding on the page, with its rule, message and citation."""
        self.keeper.scribe.catch_up()
        found = next(each for each in self.keeper.scribe.replay.findings if each.rule == self.broken.rule)
        shown = self.page.locator(f".finding:is({self.of_rule}, :has({self.of_rule}))")
        message = with_rulings_said(self.keeper.scribe.replay.game.rulebook, found.message)
        for words in (message, found.section, found.lines.replace("L", "").replace(" ", ", ")):
            shown = shown.filter(has_text=words)
        shown.first.wait_for()
        return shown.first

    def play_it_so(self) -> None:
        """Choose the first ruling under which the line is right, or note a house rule."""
        self.finding().get_by_role("button", name="A ruling or a house rule of this table").click()
        self.finding().get_by_role("button", name="Noted with the rule").wait_for()
        self.finding().locator(".options button").first.click()
        self.keeper.shown(len(self.broken.before) + 4)
        last = self.keeper.scribe.replay.events[-1]
        assert isinstance(last, NoteAdded)
        assert last.rule == self.broken.rule
        assert not self.page.locator(self.of_rule).count()


def break_rules(browser: Any, folder: Path, slug: str, some: Sequence[Break], *, by_keyboard: bool) -> list[str]:
    """Break rules of a game one after the other on the page; return the failures."""
    problems = []
    port = free_port()
    with Log.open(folder / "t.db", create=True) as log, scribe_server(folder, port):
        page = browser.new_page(**(LAPTOP if by_keyboard else PHONE))
        for broken in some:
            try:
                Breaker(page, log, broken, by_keyboard=by_keyboard).go(f"http://localhost:{port}")
            except Exception as error:  # noqa: BLE001 - failures are reported after all rules
                place = (
                    traceback.extract_tb(error.__traceback__)[-1].lineno if isinstance(error, AssertionError) else ""
                )
                problems.append(f"{slug} {broken.game_id} ({broken.rule}): {type(error).__name__} {place}: {error}")
        page.close()
    return problems


def main() -> None:
    """Break the rules of some games, or of all, alternately on a phone and on a laptop."""
    with chromium() as browser:
        for slug in sys.argv[1:] or games():
            some, start = list(breaks(slug)), time.monotonic()
            for by_keyboard in (False, True):
                with tempfile.TemporaryDirectory() as folder:
                    mine = some[int(by_keyboard) :: 2]
                    problems = break_rules(browser, Path(folder), slug, mine, by_keyboard=by_keyboard)
                    how = "typed" if by_keyboard else "tapped"
                    seconds = time.monotonic() - start
                    sys.stdout.write(f"{slug} {how}: {len(mine)} rules, {len(problems)} wrong, {seconds:.0f} s\n")
                    sys.stdout.write("".join(f"    {each}\n" for each in problems))
                    sys.stdout.flush()


if __name__ == "__main__":
    main()
