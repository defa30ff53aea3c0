"""Every page in a real browser at the width of a phone, a tablet and a desk: nothing is cut off."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tabletape.events.log import Log
from tabletape.projector.archive.samples import import_samples
from tabletape.projector.datasets.build import build
from tests.chromium import in_browser
from tests.dashboard.serving import serving

pytestmark = [pytest.mark.browser, in_browser]

PAGES = (
    "evening", "overview", "balance", "pace", "cards", "rules", "rulebook", "games", "what-if", "my-game", "keep",
    "import", "cards?card=rot-collar", "rules?rule=splicers.splice.shuffle",
)  # fmt: skip
WIDTHS = (390, 768, 1440)
CUT = (Path(__file__).parent / "cut_off.js").read_text(encoding="utf-8")
"""A JavaScript function that names the texts of a page that are cut off."""

OPEN_FOLDS = """() => {
    const folds = document.querySelectorAll('[data-testid="stExpander"] details:not([open]) > summary');
    const closed = [...folds].filter((fold) => fold.textContent.includes("unfold_more"));
    closed.forEach((fold) => fold.click());
    return closed.length;
}"""
"""Open what a page folds below its answer, by its icon, and count it; how a number is counted stays closed."""

READY = """() => document.querySelector('[data-testid="stMainBlockContainer"] h1')
    && !document.querySelector('[data-testid="stStatusWidget"], [data-testid="stSkeleton"], [data-stale="true"]')"""


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the log of a workspace with the sample games, with its datasets built."""
    place = tmp_path_factory.mktemp("samples") / "tabletape.db"
    with Log.open(place, create=True) as log:
        import_samples(log, place.parent)
        build(log)
    return place


@pytest.fixture
def address(workspace: Path, free_port: int) -> Iterator[str]:
    """Serve the dashboard, and yield its address."""
    with serving(["tabletape.cli.main", "serve", "--port", str(free_port)], workspace, free_port) as served:
        yield f"{served}/"


def wait_until_settled(page: Any) -> None:
    """Wait until the height of a page does not change any more."""
    height = -1
    while (now := page.evaluate("document.querySelector('[data-testid=stMain]').scrollHeight")) != height:
        height = now
        page.wait_for_timeout(700)


def test_nothing_is_cut_off_on_any_page(browser: Any, address: str) -> None:
    """No text is outside the window, its box or its chart."""
    page = browser.new_page()
    cut_off: list[str] = []
    for name in PAGES:
        page.set_viewport_size({"width": WIDTHS[0], "height": 900})
        page.goto(address + ("" if name == "overview" else name))
        page.wait_for_function(READY)
        while page.evaluate(OPEN_FOLDS):  # a page that is drawn anew has them closed again
            wait_until_settled(page)
        page.wait_for_function(READY)
        for width in WIDTHS:
            page.set_viewport_size({"width": width, "height": 900})
            wait_until_settled(page)
            cut_off += [f"{name} at {width}: {what}" for what in page.evaluate(CUT)]
    assert not cut_off, "\n".join(cut_off)


def test_what_is_cut_off_is_found(browser: Any) -> None:
    """The check finds a line that its box hides and a text outside the window; a box that scrolls hides nothing."""
    page = browser.new_page(viewport={"width": 390, "height": 900})
    long = "a line that is wider than the box it stands in"
    page.set_content(f"""<div data-testid="stApp">
        <p style="width: 100px; overflow: hidden; white-space: nowrap">1 {long}</p>
        <p style="position: absolute; left: 300px; white-space: nowrap">2 {long}</p>
        <p style="width: 100px; overflow: auto; white-space: nowrap">3 {long}</p>
        <p>4 {long}</p></div>""")
    assert [what.rpartition(": ")[2][:1] for what in page.evaluate(CUT)] == ["1", "2"]
