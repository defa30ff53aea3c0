"""The rulebook in a real browser: the page, the replay's quotation and the file for its author."""

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tabletape.dashboard.questions import ask
from tabletape.dashboard.rulebook.margins import facts_of, margins_of
from tabletape.dashboard.rulebook.markup import rulebook_file
from tabletape.events.log import Log
from tabletape.projector.datasets.build import build
from tabletape.projector.datasets.freshness import folder_of
from tabletape.projector.model.game import Game
from tabletape.projector.rulebooks.kept import add, kept_rulebook
from tests.chromium import in_browser, press
from tests.dashboard.serving import READY, serving_page

pytestmark = [pytest.mark.browser, in_browser]

ROOT = Path(__file__).parents[2]
RULES = ROOT / "tests" / "sixth_game" / "rulebook.md"
HOSTILE = "\n\n<img src=x onerror=\"document.title='broken in'\"> </p><script>document.title='broken in'</script>\n"
SENTENCE = "A card is always played from the hand."
PAGE = f"""
import tabletape.events.games, tabletape.projector.games
for package, folder in ((tabletape.events.games, "events"), (tabletape.projector.games, "projector")):
    place = {str(ROOT / "tests" / "sixth_game")!r} + "/" + folder
    if place not in package.__path__:
        package.__path__.append(place)
from tabletape.dashboard.frame import show
show()
"""


@pytest.fixture
def place(higher: Game, store: Callable[..., Path]) -> Path:
    """Store a game with a play of a card that is not in the hand, and a rulebook with hostile lines."""
    place = store("evening", {"type": "card.played", "player": "A", "card": "A:five"})
    file = place.with_name("mine.md")
    file.write_text(RULES.read_text(encoding="utf-8") + HOSTILE, encoding="utf-8")
    add(place.parent, higher.slug, file)
    with Log.open(place) as log:
        build(log)
    return place


@pytest.fixture
def address(place: Path, free_port: int) -> Iterator[str]:
    """Serve the dashboard of the stored game, and yield its address."""
    with serving_page(PAGE, place, free_port) as served:
        yield served


def test_the_text_has_its_margin_and_leads_to_the_step(address: str, browser: Any) -> None:
    """Hostile lines are text; a link leads to a sentence, and from there to the step, where it is quoted."""
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    page.goto(f"{address}/rulebook?show=all")
    text = page.locator(".rulebook-text").last
    text.wait_for()
    page.wait_for_function(READY)
    assert text.locator(".sentence").count() == 11
    assert text.locator("img, script").count() == 0
    assert "document.title='broken in'" in text.inner_text()
    assert page.title() != "broken in"
    row = text.locator(".sentence", has_text=SENTENCE)
    assert "came up once, with trouble, 100 % (likely " in row.locator(".margin").inner_text()
    press(row.locator("a.place"), comes=page.get_by_text("Where it was broken (1)"))
    assert "sentence=2.2" in page.url
    quotation = page.locator(".finding blockquote.rulebook")
    press(text.locator(".sentence", has_text=SENTENCE).get_by_role("link", name="case 1"), comes=quotation)
    assert SENTENCE in quotation.inner_text()
    assert "rulebook, line 2" in quotation.inner_text()


@pytest.mark.parametrize("width", [390, 768, 1440])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_file_for_the_author_opens_from_disk(place: Path, browser: Any, width: int, scheme: str) -> None:
    """No script runs, nothing is requested, nothing is wider than the screen, and every link stays in the file."""
    with Log.open(place) as log:
        folder = folder_of(log)
    book = kept_rulebook(place.parent, "higher")
    assert book
    facts = facts_of(lambda name: ask(name, folder, game="higher").to_pylist(), {}, "first")
    game = sys.modules["tabletape.projector.games.higher"].GAME
    file = place.with_name("author.html")
    file.write_text(rulebook_file(margins_of(game, book, facts), ["About it."]), encoding="utf-8")
    page = browser.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme)
    requests: list[str] = []
    messages: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    page.on("console", lambda message: messages.append(message.text))
    page.goto(file.as_uri())
    assert requests == [file.as_uri()]
    assert messages == []
    assert page.title() == "Higher: the rulebook and its margin"
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    heat = page.locator(".said", has_text=SENTENCE).evaluate("each => getComputedStyle(each).backgroundColor")
    assert heat != "rgba(0, 0, 0, 0)"
    page.locator("ol a").first.click()
    assert page.url.endswith("#s2.2")
