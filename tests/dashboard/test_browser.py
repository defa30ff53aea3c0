"""The replay in a real browser, against a real server: what a reader sees, presses and copies."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from tabletape.events.log import Log
from tabletape.projector.games import game
from tests.chromium import in_browser
from tests.conftest import sixth_game
from tests.dashboard.hostile_evening import hostile_lines
from tests.dashboard.serving import serving_page
from tests.waiting import PATIENCE, free_port

pytestmark = [pytest.mark.browser, in_browser]

ROOT = Path(__file__).parents[2]
PAGE = f"""
import tabletape.events.games, tabletape.projector.games
for package, folder in ((tabletape.events.games, "events"), (tabletape.projector.games, "projector")):
    place = {str(ROOT / "tests" / "sixth_game")!r} + "/" + folder
    if place not in package.__path__:
        package.__path__.append(place)
import streamlit as st
from tabletape.dashboard.pages.replay import replay_page
st.set_page_config(layout="wide")
from tabletape.dashboard.site import site_of
replay_page(site_of())
"""

SAMPLES = ROOT / "projector/games/splicers/samples/autumn-evenings.jsonl"
HOSTILE = "<img src=x onerror=\"document.title='broken in'\">"
LINES = [*hostile_lines(HOSTILE), {"type": "question.raised", "player": "B", "text": HOSTILE}]
FIRST_FINDING = 7
A_STEP = 125
"""Milliseconds that an event is shown at eightfold speed."""


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Serve the replay page on a log with the same game twice, one to be commented on, and yield its address."""
    place = tmp_path_factory.mktemp("replay") / "evening.db"
    with sixth_game() as higher, Log.open(place, create=True) as log:
        for game_id in ("evening", "commented"):
            lines = [LINES[0] | {"id": game_id}, *LINES[1:]]
            log.append(game_id, [higher.vocabulary.decode(json.dumps(line)) for line in lines], expected_last_seq=0)
    with Log.open(place) as log:
        log.append("full", [game("splicers").vocabulary.decode(line) for line in _full_table()], expected_last_seq=0)
    with serving_page(PAGE, place, free_port()) as served:
        yield f"{served}/"


def _full_table() -> list[str]:
    """Return the lines of the sample game whose mistake is made on a table of more cards than a screen holds."""
    lines = SAMPLES.read_text().splitlines()
    begins = [nth for nth, line in enumerate(lines) if json.loads(line)["type"] == "game.started"]
    first = next(nth for nth in begins if json.loads(lines[nth])["id"] == "autumn-1-08")
    rest = lines[first + 1 : begins[begins.index(first) + 1]]
    return [json.dumps(json.loads(lines[first]) | {"id": "full"}), *rest]


def open_board(browser: Any, address: str, width: int = 1280) -> Any:
    """Open the page and wait for the board."""
    page = browser.new_page(viewport={"width": width, "height": 800})
    page.goto(address)
    page.wait_for_selector(".event[aria-current]")
    page.wait_for_selector("[data-testid=stApp][data-test-script-state=notRunning]")
    page.evaluate("document.fonts.ready.then(() => null)")  # what is drawn in other letters has another height
    return page


def current_step(page: Any) -> int:
    """Return the number of the event that the board shows."""
    return int(page.locator(".event[aria-current]").get_attribute("data-seq"))


def area_text(page: Any, name: str) -> str:
    """Return the text of an area of the table."""
    return str(page.locator(f"[data-area='{name}']").inner_text())


def query_of(page: Any) -> dict[str, list[str]]:
    """Return the query of the page's address."""
    return parse_qs(urlsplit(page.url).query)


def test_a_reader_steps_through_a_game_and_shares_what_is_seen(browser: Any, address: str) -> None:
    """The page opens at the first finding, steps by key without a request, and a copied address opens the same view."""
    page = open_board(browser, f"{address}?game=evening")
    assert current_step(page) == FIRST_FINDING
    assert page.locator(".finding .citation").get_attribute("title") == "higher.turn.alternate"
    assert "Turns, line 2" in page.locator(".finding").inner_text()
    assert "higher." not in page.locator(".finding").inner_text()
    assert "One" not in area_text(page, "trick")

    page.wait_for_load_state("networkidle")  # the page may still be loading, which is no request of a step
    requests: list[Any] = []
    # A busy browser may still request scripts of the page and its icon, or connect anew, which has nothing to do with a
    # step.
    of_the_page = re.compile(r"/static/|/favicon\.png$|/_stcore/")
    page.on("request", lambda request: None if of_the_page.search(request.url) else requests.append(request))
    page.keyboard.press("ArrowLeft")
    assert current_step(page) == FIRST_FINDING - 1
    assert "One" in area_text(page, "trick")
    assert "Four" in area_text(page, "A/hand")
    page.keyboard.press("Home")
    page.keyboard.press("n")
    assert current_step(page) == FIRST_FINDING
    page.keyboard.press("v")
    page.keyboard.press("ArrowLeft")
    page.wait_for_url("**step=6&viewer=public")
    assert query_of(page) == {"game": ["evening"], "step": ["6"], "viewer": ["public"]}
    assert requests == []

    other = open_board(browser, page.url)
    assert current_step(other) == FIRST_FINDING - 1
    assert other.get_by_label("Whose eyes").input_value() == ""
    assert "One" in area_text(other, "trick")
    assert "Four" not in area_text(other, "A/hand")
    assert "hidden cards" in other.locator(".event[data-seq='4']").inner_text()

    phone = open_board(browser, f"{address}?game=evening", width=390)
    phone.locator(".tabs").scroll_into_view_if_needed()
    phone.locator("[data-testid=stMain]").evaluate("page => page.scrollBy(0, 200)")
    told, buttons = (phone.locator(each).bounding_box() for each in (".finding .message", ".controls"))
    assert min(told["y"], buttons["y"]) > 0
    assert buttons["y"] + buttons["height"] <= 800, "what is wrong and the buttons stay in sight"


def test_a_phone_shows_all_cards_of_a_full_table_and_the_mistake_in_its_first_screen(
    browser: Any, address: str
) -> None:
    """Each place is as wide as a phone, what lies opposite one another together; a wide screen has columns."""
    narrow, wide = (open_board(browser, f"{address}?game=full", width=width) for width in (390, 1440))
    assert [page.locator(".cards .card:visible").count() for page in (narrow, wide)] == [35, 35]
    wrong, place = (narrow.locator(each).first.bounding_box() for each in (".card[data-wrong]", ".column .area"))
    assert wrong["y"] + wrong["height"] <= 844
    assert place["width"] > 340
    assert not narrow.locator("[data-wider]").count()
    assert narrow.locator(".place").inner_text() == "162 of 228 · round 6"
    assert narrow.locator(".place").bounding_box()["height"] < 20, "where a step is stands in one line"
    assert wide.locator(".place").inner_text() == "Step 162 of 228 · round 6, turn 70"


def test_a_wide_screen_opens_where_the_card_of_the_mistake_is_in_sight(browser: Any, address: str) -> None:
    """The page goes down to the card that the mistake names, with the words on it beside the table."""
    page = open_board(browser, f"{address}?game=full", width=1440)
    for each in (".card[data-wrong]", ".finding .message"):
        box = page.locator(each).first.bounding_box()
        assert box["y"] >= 0
        assert box["y"] + box["height"] <= 800


def test_every_part_of_the_screen_leads_to_its_step(browser: Any, address: str) -> None:
    """Buttons, timeline, events, findings and questions change the step; the tabs show what, why and the source."""
    page = open_board(browser, f"{address}?game=evening&step=3")
    assert current_step(page) == 3
    page.get_by_role("button", name="Step (→)").click()
    assert current_step(page) == 4
    page.locator(".event[data-seq='6']").click()
    assert current_step(page) == 6
    page.get_by_role("button", name="The next mistake (n)").click()
    assert current_step(page) == FIRST_FINDING
    page.get_by_role("tab", name="Why").click()
    assert "Players play in turn." in page.locator(".why .broken").inner_text()
    page.get_by_role("tab", name="Source line").click()
    assert json.loads(page.locator(".tab pre").inner_text())["card"] == "A:four"
    strip = page.get_by_role("slider")
    strip.click(position={"x": strip.bounding_box()["width"] - 10, "y": 16})
    assert current_step(page) == len(LINES)
    page.keyboard.press("p")
    assert current_step(page) == FIRST_FINDING
    page.keyboard.press("a")
    page.locator(".tab a").click()
    assert current_step(page) == len(LINES)
    page.keyboard.press("h")
    assert "the next mistake" in page.get_by_role("dialog").inner_text()
    page.keyboard.press("Escape")
    assert page.get_by_role("dialog").count() == 0


def test_a_game_plays_by_itself_and_its_table_is_visible(browser: Any, address: str) -> None:
    """Space plays the game until a key is pressed; the whole table is within the window."""
    page = open_board(browser, f"{address}?game=evening&step=1")
    box = page.locator(".replay .table").bounding_box()
    assert box["y"] + box["height"] <= page.viewport_size["height"]
    page.get_by_label("Speed").select_option("8")
    page.clock.install(time=0)
    page.clock.pause_at(PATIENCE * 1000)  # From here on the test controls the clock of the page, which went on so far.
    page.keyboard.press(" ")
    page.clock.run_for((len(LINES) - 1) * A_STEP)
    page.locator(".place", has_text=f"Step {len(LINES)} of").wait_for()
    page.keyboard.press("Home")
    page.keyboard.press(" ")
    page.clock.run_for(2 * A_STEP)
    page.locator(".place", has_text="Step 3 of").wait_for()
    page.keyboard.press("ArrowLeft")
    assert current_step(page) == 2
    page.clock.run_for(len(LINES) * A_STEP)
    assert current_step(page) == 2


def test_a_step_can_be_commented_on_answered_and_settled(browser: Any, address: str) -> None:
    """A comment is stored in the log: with its answer it is there when the page is opened again."""
    page = open_board(browser, f"{address}?game=commented&step={FIRST_FINDING}")
    page.get_by_role("tab", name="Comments (0)").click()
    page.get_by_label("What do you say about this step?").fill("was it <b>really</b> her turn?")
    page.keyboard.press("Enter")
    page.get_by_role("tab", name="Comments (1)").click()
    assert "was it <b>really</b> her turn?" in page.locator(".comments li").first.inner_text()
    page.get_by_label("Answer", exact=True).fill("no")
    page.get_by_role("button", name="Answer and settle").click()
    page.get_by_role("tab", name="Comments (2)").wait_for()
    other = open_board(browser, f"{address}?game=commented&step={FIRST_FINDING}")
    other.get_by_role("tab", name="Comments (2)").click()
    assert "(settled)" in other.locator(".comments li").first.inner_text()
    assert other.locator(".comments b").count() == 0
    elsewhere = open_board(browser, f"{address}?game=commented&step=2")
    elsewhere.get_by_role("tab", name="Comments (2)").click()
    there = elsewhere.locator(".comments p", has_text="Comments on other steps")
    assert there.inner_text().split() == ["Comments", "on", "other", "steps:", str(FIRST_FINDING)]
    there.get_by_role("link", name=str(FIRST_FINDING)).click()
    assert "was it <b>really</b> her turn?" in elsewhere.locator(".comments li").first.inner_text()


def test_a_hostile_name_stays_a_name_on_a_narrow_screen_too(browser: Any, address: str) -> None:
    """Markup in a name is shown as text and has no effect; nothing is wider than a narrow screen."""
    page = open_board(browser, f"{address}?game=evening&step=8", width=400)
    assert HOSTILE in page.locator(".happened").inner_text()
    assert page.locator(".replay img").count() == 0
    assert "broken in" not in page.title()
    assert page.evaluate("document.documentElement.scrollWidth") <= 400
