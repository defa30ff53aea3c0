"""Every page in a real browser at the width of a phone, a tablet and a desk: all of it is there and can be read."""

import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tabletape.dashboard.report.choosing import choose
from tabletape.dashboard.report.evening import replays_of, report
from tabletape.dashboard.report.writing import as_html
from tabletape.events.importing import import_paths
from tabletape.events.log import Log
from tabletape.events.vocabulary.names import is_by_bots
from tabletape.events.vocabulary.open_games import look_in
from tabletape.projector.archive.samples import import_samples
from tabletape.projector.archive.stored import import_options
from tabletape.projector.datasets.build import build
from tabletape.projector.datasets.manifest import FOLDER
from tests.chromium import in_browser
from tests.dashboard.serving import READY, ROOT, serving
from tests.waiting import PATIENCE

pytestmark = [pytest.mark.browser, in_browser]

PAGES = (
    "evening", "overview", "balance", "pace", "cards", "rules", "rulebook", "games", "what-if", "my-game", "keep",
    "import", "replay", "cards?card=rot-collar", "rules?rule=splicers.splice.shuffle",
    # a game of a rules file, and one of which only the results are known
    "cards?of=Fireworks", "games?of=Fireworks", "balance?of=Tabletop",
    "evening?day=without+a+date",
)  # fmt: skip
WIDTHS = (390, 768, 1440)
RECORDINGS = ROOT / "tests" / "small_games" / "recordings"
RESULTS = ROOT / "tests" / "recordings" / "maps" / "results-sheet" / "input.csv"
CUT, SMALL, CONTRAST = (
    (Path(__file__).parent / f"{each}.js").read_text(encoding="utf-8")
    for each in ("cut_off", "small_letters", "contrast")
)
"""JavaScript functions that name the texts of a page that are cut off, too small, or stand out too little."""

WIDE = """() => document.documentElement.scrollWidth > innerWidth ? ["wider than the window"] : []"""
"""Whether a page has to be pushed sideways."""

OPEN_FOLDS = """() => {
    const folds = document.querySelectorAll('[data-testid="stExpander"] details:not([open]) > summary');
    const closed = [...folds].filter((fold) => fold.textContent.includes("unfold_more"));
    closed.forEach((fold) => fold.click());
    return closed.length;
}"""
"""Open what a page folds below its answer, by its icon, and count it; how a number is counted stays closed."""

SETTLED = """() => new Promise((settled) => {
    const page = document.querySelector("[data-testid=stMain]");
    let [height, alike] = [-1, 0];
    const look = () => {
        alike = page.scrollHeight === height ? alike + 1 : 0;
        height = page.scrollHeight;
        if (alike < 15) requestAnimationFrame(look); else settled();
    };
    look();
})"""
"""Wait until the page has been drawn several times with the same height."""

OPENINGS = 20
"""How often the folds of a page are opened at most."""

LASTING = PATIENCE * 1000
"""Milliseconds after which a page is drawn also on a slow machine: what is wrong with it then is wrong with it."""

FOLDED = {"balance", "pace", "cards", "rules", "rulebook", "games", "what-if", "my-game", "import"}
"""Pages that fold something below their answers."""


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Yield the log of a workspace with the sample games and two others, with its datasets built."""
    place = tmp_path_factory.mktemp("samples") / "tabletape.db"
    with Log.open(place, create=True) as log:
        import_samples(log, place.parent)
        (place.parent / "games").mkdir()
        shutil.copy(ROOT / "docs" / "own-games" / "fireworks.toml", place.parent / "games")
        look_in(place.parent)
        files = (RECORDINGS / "files" / "fireworks" / "discard-at-eight.jsonl", RESULTS)
        assert all(each.events for each in import_paths(log, files, import_options(place.parent)).files)
        build(log)
    yield place
    look_in(ROOT)


@pytest.fixture
def address(workspace: Path, free_port: int) -> Iterator[str]:
    """Serve the dashboard, and yield its address."""
    with serving(["tabletape", "serve", "--port", str(free_port)], workspace, free_port) as served:
        yield f"{served}/"


def open_folds(page: Any) -> int:
    """Open the folds of a page, which has them closed again where it is drawn anew; return how many there are."""
    opened = 0
    for _ in range(OPENINGS):
        now = page.evaluate(OPEN_FOLDS)
        if not now:
            return opened
        opened = max(opened, now)
        page.evaluate(SETTLED)
        page.wait_for_function(READY)
    raise AssertionError(f"after {OPENINGS} times there are still closed folds at {page.url}")


def lasting(page: Any, script: str) -> list[str]:
    """Return what a script finds on a page and goes on finding: a chart that is just being drawn is looked at again."""
    found: list[str] = page.evaluate(f"""async () => {{
        const look = {script};
        const end = performance.now() + {LASTING};
        let found = look();
        while (found.length && performance.now() < end) {{
            await new Promise(requestAnimationFrame);
            found = look();
        }}
        return found;
    }}""")
    return found


def test_nothing_is_cut_off_on_any_page(browser: Any, address: str) -> None:
    """No text is outside the window, its box or its chart, and no page is wider than the window.

    On a phone none is smaller than 12 px; in the light and in the dark none is paler than 4.5 to 1.
    """
    page = browser.new_page()
    cut_off: list[str] = []
    folds: dict[str, int] = {}
    for name in PAGES:
        page.set_viewport_size({"width": WIDTHS[0], "height": 900})
        page.goto(address + ("" if name == "overview" else name))
        page.wait_for_function(READY)
        folds[name] = open_folds(page)
        page.evaluate(SETTLED)
        cut_off += [f"{name}: {what}" for script in (SMALL, CONTRAST) for what in lasting(page, script)]
        for width in WIDTHS:
            page.set_viewport_size({"width": width, "height": 900})
            page.evaluate(SETTLED)
            cut_off += [f"{name} at {width}: {what}" for script in (CUT, WIDE) for what in lasting(page, script)]
        page.emulate_media(color_scheme="dark")
        page.reload()  # A chart that is there keeps the colours that it was drawn with.
        page.wait_for_function(READY)
        page.evaluate(SETTLED)
        cut_off += [f"{name} in the dark: {what}" for what in lasting(page, CONTRAST)]
        page.emulate_media(color_scheme="light")
    assert not cut_off, "\n".join(cut_off)
    assert {name.partition("?")[0] for name, opened in folds.items() if opened} == FOLDED


def test_a_report_on_26_games_prints_on_six_pages_and_reads_on_a_phone(browser: Any, workspace: Path) -> None:
    """It is printed by the browser; on a phone its letters are large enough, and nothing is wider than the window."""
    with Log.open(workspace) as log:
        ids = [each.game_id for each in log.games() if each.game == "splicers" and not is_by_bots(each.game_id)][:26]
        chosen = choose(workspace.parent / FOLDER, names=ids)
        document = report(chosen, replays_of(log, chosen, str), workspace.parent / FOLDER)
    assert len(ids) == 26
    file = workspace.with_name("report.html")
    file.write_text(as_html(document), encoding="utf-8")
    page = browser.new_page(viewport={"width": 390, "height": 844})
    page.goto(file.as_uri())
    assert len(re.findall(rb"/Type\s*/Page\b", page.pdf(format="A4"))) <= 6
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    boxes = "[...document.querySelectorAll('.wide, figure')]"
    assert page.evaluate(f"{boxes}.filter((each) => each.scrollWidth > each.clientWidth + 1).length") == 0
    lines = "[...document.querySelectorAll('figure .line')].map((each) => each.checkVisibility())"
    assert not any(page.evaluate(lines))  # a phone shows the tables of cards on demand, paper all of them
    page.emulate_media(media="print")
    assert all(page.evaluate(lines))
    page.emulate_media(media="screen")
    assert [*page.evaluate(SMALL), *page.evaluate(CONTRAST)] == []


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
