"""What happens at a table besides legal play, in a real browser: mistakes, a cut network, an old screen, any light."""

import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec import UNSET

from tabletape.dashboard.tape.sharing import share
from tabletape.events.log import Log
from tabletape.events.vocabulary import Event
from tabletape.events.vocabulary.open_games import look_in
from tabletape.events.vocabulary.shared import MomentMarked
from tabletape.projector.fold.folding import fold
from tabletape.projector.games import game, games
from tabletape.projector.model.areas import EVERYTHING
from tabletape.projector.model.deciding import Offer, hands_of, is_same
from tabletape.projector.scribing.choices import choices_of
from tabletape.projector.scribing.screen import ViewerScreen
from tabletape.projector.scribing.scribe import Scribe
from tabletape.projector.selfplay.kinds import Bot
from tabletape.projector.selfplay.simulate import Plan, simulate
from tests.benchmarks.illegal_taps import ANYTHING, is_play, way_to
from tests.chromium import in_browser
from tests.dashboard import keeping
from tests.dashboard.breaking import breaks
from tests.waiting import free_port

pytestmark = [pytest.mark.browser, in_browser]

OWN = "whist"
CONTRAST = (Path(__file__).parent / "contrast.js").read_text(encoding="utf-8")
"""A JavaScript function that names what stands out too little."""

SMALL = (Path(__file__).parent / "small_letters.js").read_text(encoding="utf-8")
AT_REST = """() => document.getAnimations().every((each) =>
    each.playState !== "running" || each.effect.getComputedTiming().endTime === Infinity)"""
"""Whether what glides has come to rest."""

CUT = (Path(__file__).parent / "cut_off.js").read_text(encoding="utf-8").replace("[data-testid=stApp]", "body")


@pytest.fixture
def own_game(tmp_path: Path) -> Iterator[None]:
    """Have a game of a rules file in the workspace."""
    (tmp_path / "games").mkdir()
    shutil.copy(keeping.ROOT / "docs" / "own-games" / f"{OWN}.toml", tmp_path / "games")
    look_in(tmp_path)
    yield
    look_in(Path(__file__).parent)


def mistakes(log: Log) -> Iterator[tuple[Scribe, Event, list[str]]]:
    """Yield a game of each kind as it stood before a mistake, the line of it, and what is tapped for it before that."""
    for slug in (each for each in games() if each != OWN):
        for broken in filter(lambda each: is_play(each.line), breaks(slug)):
            stored = [msgspec.structs.replace(each, seq=UNSET) for each in broken.before]
            log.append(broken.game_id, stored, expected_last_seq=0)
            scribe = Scribe(log, broken.game_id)
            way = tapped_for(scribe, broken.line)
            if way is not None:
                yield scribe, broken.line, way
                break
    yield revoke(log)


def revoke(log: Log) -> tuple[Scribe, Event, list[str]]:
    """Return a game of the own rules where somebody has to follow suit, and a card of another suit laid instead."""
    one = game(OWN)
    (match,) = simulate(one, one.cards, Plan(seed=3, bots=(Bot.RANDOM,) * 4, limit=80), 1)
    events = [msgspec.structs.replace(each, seq=UNSET) for each in match.events]
    for number in range(2, len(events)):
        table = fold(one, [msgspec.structs.replace(each, seq=n) for n, each in enumerate(events[:number], 1)]).table
        legal: list[Any] = [*one.legal(table, table.active)] if table.active else []
        hand = [card.name for zone in hands_of(table, table.active) for card in zone.cards]
        others = [name for name in hand if name not in {each.card for each in legal if hasattr(each, "card")}]
        if legal and others and hasattr(legal[0], "card"):
            log.append(match.game_id, events[:number], expected_last_seq=0)
            scribe = Scribe(log, match.game_id)
            line = msgspec.structs.replace(legal[0], card=others[0])
            return scribe, line, tapped_for(scribe, line) or []
    raise AssertionError("nobody had to follow suit")


def tapped_for(scribe: Scribe, line: Event) -> list[str] | None:
    """Return what is tapped before a line that is against the rules."""
    replay = scribe.replay
    (choice,) = choices_of(replay.table, [Offer(event=line)])
    return way_to(ViewerScreen(scribe, EVERYTHING).screen, replay.game.vocabulary, replay.table, choice)


def test_what_no_rule_allows_takes_three_taps_at_most(browser: Any, own_game: None, tmp_path: Path) -> None:  # noqa: ARG001
    """In each game and an own one: a card, what else is on the screen, the line; it is logged, and cited at once."""
    port = free_port()
    with Log.open(tmp_path / "t.db", create=True) as log, keeping.scribe_server(tmp_path, port):
        page = browser.new_page(**keeping.PHONE)
        seen = set()
        for scribe, line, way in mistakes(log):
            assert 2 <= len(way) <= 3
            keeper = keeping.Keeper(page, log, scribe.stored.game_id, by_keyboard=False)
            keeper.open(f"http://localhost:{port}")
            before = scribe.last_seq
            for mark in way[:-1]:
                tap(keeper, mark)
            page.locator(".anyway .option").filter(has_text=keeping.exactly(way[-1])).first.click()
            keeper.shown(before + 1)
            assert is_same(scribe.replay.table, keeper.scribe.replay.events[-1], line)
            page.locator(".finding").first.wait_for()
            seen.add(scribe.stored.game)
        assert seen == {*games(), OWN}


def tap(keeper: keeping.Keeper, mark: str) -> None:
    """Tap a card or place, the button for what no rule allows, or a group of lines."""
    group = keeper.page.locator(f".option[data-mark='{mark}']")
    if mark == ANYTHING:
        keeper.page.get_by_role("button", name="They did something that no rule allows").click()
    elif mark.endswith(":?"):
        keeper.page.locator(f".board [data-area='hand:{mark[0]}'] .card.back").last.click()
    else:
        (keeper.on_board(mark) or group.first).click()


def feel(page: Any) -> None:
    """Mark the moment as confused."""
    page.get_by_role("button", name="How this moment felt").click()
    page.get_by_role("button", name="This felt … Confused").click()


def test_a_cut_network_keeps_one_tap_and_an_old_screen_writes_nothing(browser: Any, tmp_path: Path) -> None:
    """What is tapped while nobody answers is not shown as written, and written once; never into what others changed."""
    events = keeping.sample_events("splicers")
    port = free_port()
    with Log.open(tmp_path / "t.db", create=True) as log, keeping.scribe_server(tmp_path, port):
        game_id = keeping.begin_game(log, events)
        phone, other = browser.new_page(**keeping.PHONE), browser.new_page(**keeping.LAPTOP)
        for page in (phone, other):
            page.goto(f"http://localhost:{port}/?game={game_id}")
            page.wait_for_selector(".lines[data-seq='3']")
        phone.context.set_offline(True)
        feel(phone)
        phone.get_by_text("Your last tap is kept").wait_for()
        assert log.game(game_id).last_seq == 3
        assert phone.locator(".lines[data-seq='3']").count() == 1
        phone.context.set_offline(False)
        phone.locator(".away").wait_for(state="hidden")  # it may hear of its line before it hears that it is written
        phone.wait_for_selector(".lines[data-seq='4']")
        other.wait_for_selector(".lines[data-seq='4']")
        phone.context.set_offline(True)
        feel(phone)
        phone.get_by_text("Your last tap is kept").wait_for()
        feel(other)
        other.wait_for_selector(".lines[data-seq='5']")
        phone.context.set_offline(False)
        phone.get_by_text("somebody else has written meanwhile").wait_for()
        phone.wait_for_selector(".lines[data-seq='5']")
        stored = [*log.events(log.game(game_id))][3:]
        assert [type(each) for each in stored] == [MomentMarked, MomentMarked]


def test_everything_stands_out_and_nothing_is_cut_off(browser: Any, tmp_path: Path) -> None:
    """Scribe, form and shared file, in light and dark: letters of 12 px and 4.5 to 1, signs 3 to 1, in French."""
    port = free_port()
    wrong: list[str] = []

    def look(page: Any, name: str) -> None:
        page.wait_for_function(AT_REST)
        wrong.extend(f"{name}: {each}" for script in (CONTRAST, SMALL) for each in page.evaluate(script))
        for width in (390, 768, 1440):
            page.set_viewport_size({"width": width, "height": 844})
            wrong.extend(f"{name} at {width}: {each}" for each in page.evaluate(CUT))

    with Log.open(tmp_path / "t.db", create=True) as log, keeping.scribe_server(tmp_path, port):
        broken = next(each for each in breaks("splicers") if is_play(each.line))
        stored = [msgspec.structs.replace(each, seq=UNSET) for each in (*broken.before, broken.line)]
        log.append(broken.game_id, stored, expected_last_seq=0)
        share(log, log.games(), tmp_path / "shared.html")
        for scheme in ("light", "dark"):
            page = browser.new_page(**keeping.PHONE, locale="fr-FR", color_scheme=scheme)
            page.goto(f"http://localhost:{port}/")
            page.get_by_text("Tenir le journal").wait_for()
            look(page, f"beginning, {scheme}")
            page.goto(f"http://localhost:{port}/?game={broken.game_id}")
            page.locator(".finding").first.wait_for()
            look(page, f"scribe, {scheme}")
            page.get_by_role("button", name="Plus …").click()
            page.get_by_role("button", name=re.compile("comment")).click()
            form = page.locator("dialog a").get_attribute("href")
            look(page, f"code, {scheme}")
            page.goto(form)
            page.get_by_text("Qui es-tu ?").wait_for()
            look(page, f"form, {scheme}")
            page.goto((tmp_path / "shared.html").as_uri())
            page.locator(".board, .table").first.wait_for()
            look(page, f"shared file, {scheme}")
            page.close()
    assert wrong == []


def test_what_stands_out_too_little_is_found(browser: Any) -> None:
    """The check finds grey letters on white, also through opacity; large ones may be lighter."""
    page = browser.new_page()
    page.set_content("""<p style="color: #888">1 grey</p><p style="color: #555">2 darker</p>
        <p style="opacity: .4">3 faint</p><p style="color: #888; font-size: 24px">4 large</p><p hidden>5</p>""")
    assert [each.partition("\u201c")[2][:1] for each in page.evaluate(CONTRAST)] == ["1", "3"]
