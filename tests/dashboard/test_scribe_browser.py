"""The scribe in a real browser: sample games, two devices, a finding, a game without rules."""

from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tabletape.events.log import Log
from tabletape.events.vocabulary.open_games import begun_text
from tabletape.events.vocabulary.shared import (
    DeckDeclared,
    FeedbackGiven,
    GameStarted,
    NoteAdded,
    ResultRecorded,
    Seat,
)
from tabletape.events.vocabulary.tabletop import GameEnded
from tabletape.projector.model.sentences import event_in_words
from tabletape.projector.scribing.scribe import Scribe
from tests.chromium import in_browser
from tests.dashboard import keeping
from tests.dashboard.breaking import break_rules, breaks
from tests.waiting import free_port, until

pytestmark = [pytest.mark.browser, in_browser]


@pytest.mark.parametrize("by_keyboard", [False, True], ids=["tapped on a phone", "typed on a laptop"])
def test_a_sample_game_is_kept_line_by_line(browser: Any, tmp_path: Path, by_keyboard: bool) -> None:
    """The stored log equals the sample game, with a reload and a killed server in the middle."""
    assert keeping.keep_worked(browser, tmp_path, "crystal", by_keyboard=by_keyboard) > 40


def test_two_devices_keep_one_game_and_a_finding_has_three_buttons(browser: Any, tmp_path: Path) -> None:
    """Each device shows what the other writes; for an illegal line the finding appears, and it can be undone."""
    events = keeping.sample_events("crystal")
    port = free_port()
    with Log.open(tmp_path / "t.db", create=True) as log, keeping.scribe_server(tmp_path, port):
        game_id = keeping.begin_game(log, events)
        phone = browser.new_page(**keeping.PHONE)
        laptop = browser.new_page(**keeping.LAPTOP)
        errors: list[str] = []
        for page in (phone, laptop):
            page.on("pageerror", lambda error: errors.append(str(error)))
            page.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
            page.goto(f"http://localhost:{port}/?game={game_id}")
            page.wait_for_selector(".asked")
        keeper = keeping.Keeper(phone, log, game_id, by_keyboard=False)
        for event in [each for each in events[1:] if not isinstance(each, DeckDeclared)][:3]:
            keeper.keep(event)
        last = keeper.scribe.last_seq
        laptop.wait_for_selector(f".lines[data-seq='{last}']")
        laptop.get_by_role("button", name="More …").click()
        laptop.get_by_role("button", name="Anything that the game knows").click()
        laptop.locator(".filling .option").filter(has_text="Deploy ended").first.click()
        laptop.locator(".filling [aria-label='player']").select_option("A")
        laptop.locator(".filling .main-button").click()
        laptop.wait_for_selector(f".lines[data-seq='{last + 1}']")
        finding = laptop.locator(".finding").first
        finding.wait_for()
        assert finding.get_attribute("data-rule").startswith("crystal.")
        assert "Setup, lines 23.1" in finding.inner_text()
        assert [each.inner_text() for each in finding.get_by_role("button").all()] == [
            "That is what happened",
            "Undo",
            "We play it so …",
        ]
        finding.get_by_role("button", name="Take the line back").click()
        phone.wait_for_selector(f".lines[data-seq='{last + 2}']")
        laptop.locator(".finding").wait_for(state="detached")
        assert [*Scribe(log, game_id).standing_lines()][-1] == last
        *_, of_phone, of_laptop, undo = log.events(log.game(game_id))
        assert (str(of_phone.writer)[:7], of_laptop.writer) == ("scribe ", undo.writer)
        assert of_phone.writer != of_laptop.writer
        assert not errors


@pytest.mark.parametrize(
    ("slug", "by_keyboard"), [("crystal", False), ("splicers", True)], ids=["tapped on a phone", "typed on a laptop"]
)
def test_broken_rules_are_found_at_once_with_three_buttons(
    browser: Any, tmp_path: Path, slug: str, by_keyboard: bool
) -> None:
    """A line against the rules is logged as it happened; it can be kept, taken back, or accepted from then on."""
    some = list(islice(breaks(slug), 2))
    assert len(some) == 2
    assert break_rules(browser, tmp_path, slug, some, by_keyboard=by_keyboard) == []


def test_a_game_without_rules_is_kept_from_the_first_page(browser: Any, tmp_path: Path) -> None:
    """It begins on the first page; its turns and cards are tapped, and no tap is lost while the page draws itself."""
    port = free_port()
    with Log.open(tmp_path / "t.db", create=True) as log, keeping.scribe_server(tmp_path, port):
        page = browser.new_page(**keeping.PHONE)
        page.goto(f"http://localhost:{port}/?new=tabletop")
        page.get_by_label("Player 1", exact=True).fill("Ann <b>")
        page.get_by_label("Player 2", exact=True).fill("Ben")
        page.get_by_role("button", name="Begin the game").click()
        page.locator(".option", has_text="The turn of Ann <b> begins").click()
        page.wait_for_selector(".lines[data-seq='2']")
        page.locator(".option", has_text="Ann <b> draws 1 card").hover()
        page.mouse.down()
        with page.expect_response(lambda answer: "/screen?" in answer.url):
            page.get_by_label("What happened").dispatch_event("input")  # The page is to draw itself anew now.
        page.evaluate("() => new Promise((done) => setTimeout(done, 50))")
        page.mouse.up()
        page.wait_for_selector(".lines[data-seq='3']")
        page.get_by_role("button", name="A question about the rules").click()
        page.get_by_role("textbox", name="The question").fill("May I?")
        page.get_by_role("button", name="Write the question down").click()
        page.wait_for_selector(".lines[data-seq='4']")
        page.get_by_role("button", name="They did something that no rule allows").click()
        page.get_by_label("Which rule? (may be left out)").fill("two draws a turn")
        page.get_by_role("button", name="Write it down").click()
        page.wait_for_selector(".lines[data-seq='5']")
        (stored,) = log.games()
        told = ["turn.started", "cards.drawn", "question.raised", "note.added"]
        assert [event.type for event in log.stored(stored)][1:] == told
        note: Any = log.events(stored)[-1]
        assert (note.on, note.text) == (3, "Ann <b> draws 1 card (Against the rules: two draws a turn)")
        assert page.locator("b", has_text="Ann").count() == 0


def test_a_card_that_no_hand_can_hold_is_asked_about_before_it_is_written(browser: Any, tmp_path: Path) -> None:
    """Enter says what it would write, and again writes it; the finding is left open and says what the hand has."""
    port = free_port()
    with Log.open(tmp_path / "t.db", create=True) as log, keeping.scribe_server(tmp_path, port):
        page = browser.new_page(**keeping.PHONE)
        page.goto(f"http://localhost:{port}/?new=tabletop")
        page.get_by_label("Player 1", exact=True).fill("Ann")
        page.get_by_label("Player 2", exact=True).fill("Ben")
        page.get_by_role("button", name="Begin the game").click()
        box = page.get_by_label("What happened")
        for number, typed in enumerate(("Ann starts", "Ann draws rope"), 2):
            box.fill(typed)
            box.press("Enter")
            page.wait_for_selector(f".lines[data-seq='{number}']")
        box.fill("Ann plays moss")
        box.press("Enter")
        asked = "Enter again writes it down: Ann plays Moss, which nobody has written into Ann's hand"
        page.locator(".said", has_text=asked).wait_for()
        (stored,) = log.games()
        assert stored.last_seq == 3
        box.press("Enter")
        page.wait_for_selector(".lines[data-seq='4']")
        page.locator(".finding", has_text="By the log Ann's hand has Rope, not Moss").wait_for()


def test_a_line_can_be_commented_on(browser: Any, tmp_path: Path) -> None:
    """The comment is in the log with the number of the line, and is shown on the page."""
    port = free_port()
    with Log.open(tmp_path / "t.db", create=True) as log, keeping.scribe_server(tmp_path, port):
        game_id = keeping.begin_game(log, keeping.sample_events("crystal"))
        page = browser.new_page(**keeping.PHONE)
        page.goto(f"http://localhost:{port}/?game={game_id}")
        page.wait_for_selector(".asked")
        (stored,) = log.games()
        commented = stored.last_seq - 1
        page.get_by_role("button", name=f"Event {commented}: ").click()
        page.get_by_role("button", name="Comment on this line").click()
        page.locator(".filling [aria-label='text']").fill("A <b>strange</b> deck")
        page.locator(".filling .main-button").click()
        page.wait_for_selector(f".lines[data-seq='{stored.last_seq + 1}']")
        assert f"on event {commented}: A <b>strange</b> deck" in page.locator(".lines").inner_text()
        (stored,) = log.games()
        note = log.events(stored)[-1]
        assert isinstance(note, NoteAdded)
        assert note.on == commented


def test_what_no_rule_allows_is_tapped_typed_undone_and_redone(browser: Any, tmp_path: Path) -> None:
    """A unit that moves too far takes three taps, its finding comes at once, and undo says what it takes back."""
    broken = next(each for each in breaks("duelyst") if each.rule == "duelyst.move.range")
    port = free_port()
    with Log.open(tmp_path / "t.db", create=True) as log, keeping.scribe_server(tmp_path, port):
        bare = [msgspec.structs.replace(each, seq=msgspec.UNSET) for each in broken.before]
        log.append(broken.game_id, bare, expected_last_seq=0)
        page = browser.new_page(**keeping.PHONE)
        page.goto(f"http://localhost:{port}/?game={broken.game_id}")
        page.wait_for_selector(".lines[data-seq]")
        line: Any = broken.line
        page.locator(f".board [data-name='{line.unit}']").first.click()
        page.locator(".taps .tap").first.wait_for()
        page.locator(f".board [data-place='{line.to[0]},{line.to[1]}']").first.click()
        words = event_in_words(Scribe(log, broken.game_id).replay.table, line)
        page.locator(".anyway .option").filter(has_text=words).first.click()
        last = len(bare) + 1
        page.wait_for_selector(f".lines[data-seq='{last}']")
        assert "Movement, line 101-113" in page.locator(".finding").first.inner_text()
        page.get_by_role("button", name=f"Takes back: {words}").click()
        page.wait_for_selector(f".lines[data-seq='{last + 1}']")
        page.get_by_role("button", name=f"Writes again: {words}").click()
        page.wait_for_selector(f".lines[data-seq='{last + 2}']")
        (stored,) = log.games()
        assert keeping.without_copies([log.events(stored)[-1]]) == keeping.without_copies([line])


def test_a_tap_and_letters_while_a_line_is_written_are_not_lost_in_silence(browser: Any, tmp_path: Path) -> None:
    """A second tap meanwhile is refused in words, and writes nothing; letters that are typed meanwhile stay."""
    port = free_port()
    with Log.open(tmp_path / "t.db", create=True) as log, keeping.scribe_server(tmp_path, port):
        seats = (Seat(id="A", name="Ann"), Seat(id="B", name="Ben"))
        log.append(
            "friday", [GameStarted(game="tabletop", edition="", id="friday", players=seats)], expected_last_seq=0
        )
        page = browser.new_page(**keeping.PHONE)
        page.goto(f"http://localhost:{port}/?game=friday")
        held: list[Any] = []

        def hold(route: Any) -> None:
            held.append(route)

        page.route("**/events?*", hold, times=1)
        page.locator(".option", has_text="The turn of Ann begins").click()
        page.locator("#scribe.busy").wait_for()
        page.locator(".option", has_text="The turn of Ben begins").click()
        page.get_by_text("this tap does not count, tap again").wait_for()
        page.locator(".box").fill("dra")
        until(lambda: page.evaluate("true") and held, "the request")
        held[0].continue_()
        page.wait_for_selector(".lines[data-seq='2']")
        page.locator(".option.first", has_text="draws").wait_for()
        assert page.locator(".box").input_value() == "dra"
        assert [event.type for event in log.stored(log.game("friday"))][1:] == ["turn.started"]


def test_a_game_of_ones_own_is_begun_by_its_newest_version_and_ends_with_points(browser: Any, tmp_path: Path) -> None:
    """The versions that were played are offered, and another may be named; a place of which nobody knows is hidden."""
    (tmp_path / "games").mkdir()
    (tmp_path / "games" / "tea.toml").write_text(begun_text("Tea Market"), encoding="utf-8")
    seats = (Seat(id="A", name="Ann"), Seat(id="B", name="Ben"))
    port = free_port()
    with Log.open(tmp_path / "t.db", create=True) as log, keeping.scribe_server(tmp_path, port):
        for game_id, edition, month in (("old", "v3", 9), ("new", "v4", 10), ("older", "v2", 8)):
            at = datetime(2026, month, 2, tzinfo=UTC)
            head = GameStarted(game="tea", edition=edition, id=game_id, players=seats, at=at)
            log.append(game_id, [head], expected_last_seq=0)
        page = browser.new_page(**keeping.PHONE)
        page.goto(f"http://localhost:{port}/?new=tea")
        edition = page.get_by_label("Version", exact=True)
        edition.wait_for()
        assert edition.locator("option").all_inner_texts() == ["v4", "v3", "v2", "another …"]
        page.get_by_label("Player 1", exact=True).fill("Ann")
        page.get_by_label("Player 2", exact=True).fill("Ben")
        edition.select_option(label="another …")
        page.get_by_label("Another version").fill("v5")
        page.get_by_role("button", name="Begin the game").click()
        page.get_by_role("button", name="A note", exact=True).click()
        page.get_by_role("textbox", name="A note").fill("the fog card decided it")
        page.get_by_role("textbox", name="A note").press("Enter")
        page.wait_for_selector(".lines[data-seq='2']")
        page.get_by_role("button", name="The game is over: who won, and the points").click()
        assert page.get_by_text("Somewhere").count() == 0
        dialog = page.get_by_role("dialog")
        dialog.get_by_role("button", name="The game is over").click()
        dialog.get_by_text("Say who won, or that nobody has.").wait_for()
        dialog.get_by_label("Ben won").check()
        dialog.get_by_label("Points of Ann").fill("21")
        dialog.get_by_label("Points of Ben").fill("30.5")
        dialog.get_by_label("Fun of Ann, 1 to 5").fill("4")
        dialog.get_by_label("A note").fill("Too long.")
        dialog.get_by_role("button", name="The game is over").click()
        page.wait_for_selector(".lines[data-seq='5']")
        stored = next(each for each in log.games() if each.edition == "v5")
        _, note, felt, said, end = log.events(stored)
        assert isinstance(felt, FeedbackGiven)
        assert (felt.player, felt.fun) == ("A", 4)
        assert isinstance(said, NoteAdded)
        assert said.text == "Too long."
        assert isinstance(note, NoteAdded)
        assert note.text == "the fog card decided it"
        assert isinstance(end, GameEnded)
        assert (end.winner, end.scores, end.reason) == ("B", {"A": 21, "B": 30.5}, "points")
        page.get_by_text("The game is over: Ben won (points): Ann 21, Ben 30.5.").wait_for()
        page.get_by_text("No rule of this game is stated yet").wait_for()
        assert page.get_by_text("Nothing in it is against the rules.").count() == 0
        assert "Ben has won" not in page.locator(".lines").inner_text()


def test_a_game_of_which_results_are_kept_is_written_down_by_its_result(browser: Any, tmp_path: Path) -> None:
    """Who won, the points, the fun and the minutes are one form, which comes first; before it nothing is begun.

    The fun is asked to ten, as all games of this table have it.
    """
    (tmp_path / "games").mkdir()
    (tmp_path / "games" / "tea.toml").write_text(begun_text("Tea Market"), encoding="utf-8")
    seats = (Seat(id="A", name="Ann"), Seat(id="B", name="Ben"))
    port = free_port()
    with Log.open(tmp_path / "t.db", create=True) as log, keeping.scribe_server(tmp_path, port):
        head = GameStarted(game="tea", edition="v3", id="old", players=seats)
        log.append(
            "old",
            [head, ResultRecorded(winners=("A",)), FeedbackGiven(answers={"fun-of-10": "7"})],
            expected_last_seq=0,
        )
        page = browser.new_page(**keeping.PHONE)
        page.goto(f"http://localhost:{port}/?new=tea")
        page.get_by_role("button", name="Write down who won").wait_for()
        assert page.locator(".main-button").inner_text() == "Write down only the result"
        page.get_by_role("button", name="Write down who won").click()
        page.get_by_role("button", name="Log the result").click()
        page.get_by_text("Say who won, or that nobody has.").wait_for()
        page.get_by_label("Ben won").check()
        page.get_by_label("Points of Ben").fill("30.5")
        page.get_by_label("Fun of Ann, 1 to 10").fill("8")
        page.get_by_label("A note").fill("Too many cards.")
        page.get_by_label("How many minutes it took").fill("50")
        assert len(log.games()) == 1
        page.get_by_role("button", name="Log the result").click()
        page.get_by_text("The result is written down.").wait_for()
        new = next(each for each in log.games() if each.game_id != "old")
        _, result, felt, noted = log.events(new)
        assert isinstance(result, ResultRecorded)
        assert isinstance(felt, FeedbackGiven)
        assert (result.winners, result.scores, result.minutes) == (("B",), {"B": 30.5}, 50)
        assert (felt.player, felt.answers) == ("A", {"fun-of-10": "8"})
        assert isinstance(noted, NoteAdded)
        assert noted.text == "Too many cards."
        page.get_by_role("button", name="Write down who won").click()
        page.get_by_label("A draw: nobody has won").check()
        page.get_by_role("button", name="Log the result").click()
        page.get_by_role("button", name="Write down who won").wait_for()
        drawn = [log.events(each) for each in log.games() if each.game_id not in {"old", new.game_id}]
        assert [each.winners for events in drawn for each in events if isinstance(each, ResultRecorded)] == [()]
