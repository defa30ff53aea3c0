"""The pages of the dashboard, each as a reader opens it: with nothing recorded, with one game, with many."""

import re
from collections.abc import Callable
from html import unescape
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from msgspec.structs import replace
from streamlit.testing.v1 import AppTest
from streamlit.util import calc_hash

from dashboard.markdown_escape import JOINER, escaped
from dashboard.questions import ask, question
from dashboard.workspace import VARIABLE
from events.log import Log
from events.shared import GameStarted
from projector.datasets.build import build
from projector.datasets.freshness import folder_of
from projector.datasets.manifest import FILE
from projector.datasets.plans import Request
from projector.games import game
from projector.reading.archive import Reading
from projector.selfplay.simulate import Plan, simulate
from tests.waiting import PATIENCE
from tests.written_games import played

APP = Path(__file__).parents[2] / "dashboard" / "entry" / "app.py"
COUNTING = ("overview", "balance", "pace", "cards", "rules", "rulebook", "games")
PAGES = (*COUNTING, "replay", "keep", "import")
PEOPLE, BOTS = 10, 4
OTHER = "domination_threshold=more_than"
HOSTILE = ("<b>x</b>", "[a](javascript:alert(1))", "**x**", ":red[x]", "![i](http://x.org/y.png)", "$x^2$")

Store = Callable[..., Path]


WON = [played("A", "four"), played("B", "two"), played("A", "six"), played("B", "three")]
ILLEGAL = [played("A", "one"), played("A", "four")]


def opened(page: str, **query: Any) -> AppTest:
    """Open a page of the dashboard at an address."""
    app = AppTest.from_file(str(APP), default_timeout=PATIENCE)
    app._page_hash = "" if page == "overview" else calc_hash(page)
    app.query_params.update(query)
    return app.run()


def said(app: AppTest) -> str:
    """Return all plain words and headings of a page, a line each."""
    parts = [app.title, app.header, app.subheader, app.text, app.caption, app.markdown]
    parts += [app.info, app.warning, app.success, app.error]
    return "\n".join(str(element.value) for part in parts for element in part)


def links(app: AppTest) -> list[Any]:
    """Return the links of a page to other pages."""
    return [element.proto for element in app.get("page_link")]


def drawn(app: AppTest) -> list[str]:
    """Return all words in the charts of a page."""
    found: list[str] = []
    for element in app.get("vega_lite_chart"):
        for dataset in element.proto.datasets:
            table = pa.ipc.open_stream(dataset.data.data).read_all()
            found += [str(row["words"]) for row in table.to_pylist() if "words" in row]
    for element in app.get("html"):
        found += map(unescape, re.findall(r'<div class="words">(.*?)</div>', element.proto.body))
    return found


def sound(app: AppTest) -> AppTest:
    """Make sure that a page has neither an exception nor an error."""
    assert not app.exception, [each.value for each in app.exception]
    assert not app.error, [each.value for each in app.error] + [each.value for each in app.text]
    return app


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Show the dashboard on the log of an empty folder."""
    monkeypatch.setenv(VARIABLE, str(tmp_path / "tabletape.db"))
    return tmp_path


@pytest.fixture
def one_game(store: Store, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Show the dashboard on a log with one game of Higher, in which somebody plays out of turn."""
    place = store("evening", *ILLEGAL)
    with Log.open(place) as log:
        build(log)
    monkeypatch.setenv(VARIABLE, str(place))
    return place


@pytest.fixture(scope="session")
def evenings(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Store games of Splicers, some as if people had played them, and read the latter a second way."""
    place = tmp_path_factory.mktemp("evenings") / "tabletape.db"
    one = game("splicers")
    with Log.open(place, create=True) as log:
        for number, match in enumerate(simulate(one, one.cards, Plan(seed=11), PEOPLE + BOTS)):
            started, *more = match.events
            assert isinstance(started, GameStarted)
            game_id = match.game_id if number >= PEOPLE else f"evening-{number}"
            seats = tuple(replace(seat, name=HOSTILE[number % len(HOSTILE)] + seat.id) for seat in started.players)
            log.append(game_id, [replace(started, id=game_id, players=seats), *more], expected_last_seq=0)
        build(log, Request(decision_load=True))
        build(log, Request(reading=Reading("", dict([OTHER.split("=")])), game="splicers"))
    return place


@pytest.fixture
def many(evenings: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Show the dashboard on the log with many games."""
    monkeypatch.setenv(VARIABLE, str(evenings))
    return evenings


@pytest.fixture
def usual(many: Path) -> str:
    """Return the ruleset by which the many games were played."""
    with Log.open(many) as log:
        rows = ask("overview", folder_of(log)).to_pylist()
    return str(min((row["ruleset"] for row in rows), key=len))


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize("page", PAGES)
def test_an_empty_workspace_says_how_to_begin(page: str) -> None:
    """Where nothing is recorded every page opens, and those that count say what to do."""
    app = opened(page)
    assert not app.exception
    if page in COUNTING:
        assert "Nothing has been recorded yet" in said(app)
        ways = ["**Import logs**: drop files into the page", "**Keep a log now**, while you play"]
        assert [link.label for link in links(app)] == ways
        assert not app.code
        assert "Try samples" in [each.label for each in app.button]


@pytest.mark.usefixtures("one_game")
@pytest.mark.parametrize("page", PAGES)
def test_one_game_is_enough_for_every_page(page: str) -> None:
    """With one unfinished game every page opens; what cannot be told yet is said to be unknown, not zero."""
    app = sound(opened(page))
    if page in COUNTING:
        assert app.title[0].value == f"{page.capitalize()}: Higher"
        assert "1 game of people under first." in said(app)
    if page == "overview":
        assert "No game has the answer yet. About 93 more games to know it within ±10 points." in said(app)
        assert {each.label: each.value for each in app.metric}["Illegal"] == "1"


@pytest.mark.usefixtures("many")
@pytest.mark.parametrize("beside", [False, True])
@pytest.mark.parametrize("page", PAGES)
def test_many_games_fill_every_page(page: str, usual: str, *, beside: bool) -> None:
    """With many games every page opens, alone and with a second ruleset beside the first one."""
    app = sound(opened(page, **({"beside": f"{usual} {OTHER}"} if beside else {})))
    if page in COUNTING:
        assert f"{PEOPLE} games of people under {usual}. Left out: {BOTS} games of bots." in said(app)
        assert (f"B: {PEOPLE} games of people under {usual} {OTHER}" in said(app)) == beside
    if page == "overview":
        assert ("B: 2 players: " if beside else "2 players: ") in said(app)


@pytest.mark.usefixtures("many")
@pytest.mark.parametrize("page", COUNTING)
def test_no_percentage_stands_without_its_count_and_interval(page: str) -> None:
    """Every share on a page, in its words and in its charts, is followed by its n and its 95 % interval."""
    app = opened(page)
    told = "\n".join([said(app).replace("\\", ""), *drawn(app)]).replace("Grey mark: 50 %, if it did not matter.", "")
    shares = re.findall(r"(?<![-\d])(\d+) %(?! of the turns)((?s:.{0,40}))", told)
    assert page in {"rules", "rulebook", "games"} or shares
    for share, rest in shares:
        assert re.match(r" \(\d+ (of \d+|games?); \d+-\d+ %\)|\n\d+ of \d+", rest), f"{share} %{rest}"


def test_the_address_opens_the_same_view(many: Path, usual: str) -> None:
    """What the filters say stands in the address, and an address sets the filters."""
    app = sound(opened("balance"))
    assert app.query_params == {"of": "Splicers", "ruleset": usual}
    deck = app.multiselect(key="decks").options[0]
    address = {"of": "Splicers", "ruleset": f"{usual} {OTHER}", "source": "both", "clean": "true", "decks": deck}
    app = sound(opened("balance", **address))
    assert app.query_params == address
    assert app.selectbox(key="ruleset").value == f"{usual} {OTHER}"
    assert app.toggle(key="clean").value
    with Log.open(many) as log:
        filters = {"ruleset": f"{usual} {OTHER}", "source": "all", "clean": True, "decks": [deck]}
        games = sum(ask("overview", folder_of(log), **filters)["games"].to_pylist())  # type: ignore[arg-type] # the values are right
    assert f"{games} games of people and bots under {usual} {OTHER}" in said(app)


@pytest.mark.usefixtures("one_game")
def test_the_page_on_rules_counts_the_games_with_mistakes() -> None:
    """Where mistakes are asked for, the switch for clean games is off duty, and the address keeps it for the others."""
    app = sound(opened("rules", clean="true"))
    assert app.toggle(key="clean").disabled
    assert app.query_params["clean"] == "true"
    assert "1 game of people under" in said(app)
    assert "Left out" not in said(app)
    app = sound(opened("balance", clean="true"))
    assert not app.toggle(key="clean").disabled
    assert "Left out: 1 game in which somebody did something illegal" in said(app)


@pytest.mark.usefixtures("many")
def test_an_address_that_names_what_is_not_there_shows_what_is() -> None:
    """A ruleset, a rule or a card that nobody has is left out of the view, without an error."""
    for page in COUNTING:
        app = sound(opened(page, of="Chess", ruleset="9.9", beside="8.8", rule="no.such.rule", card="no-card"))
        assert app.title[0].value.endswith("Splicers")


@pytest.mark.usefixtures("many")
@pytest.mark.parametrize("page", PAGES)
def test_names_from_a_log_are_shown_as_they_are_written(page: str) -> None:
    """Nothing that is rendered as Markdown holds a name that looks like markup, unless every sign of it is escaped."""
    app = sound(opened(page, **({"game": "evening-0"} if page == "replay" else {})))
    rendered = [
        each.value for part in (app.markdown, app.caption, app.title, app.header, app.subheader) for each in part
    ]
    rendered += [link.label for link in links(app)] + [each.label for each in app.expander]
    for text in rendered:
        assert not any(name in text for name in HOSTILE), text
    assert not any("<b>x" in each.proto.body for each in app.get("html"))


def test_a_name_is_told_in_a_link_with_every_sign_escaped(many: Path) -> None:
    """The list of new games tells players by their names, as text."""
    with Log.open(many) as log:
        first = log.games()[0].players[0].name
    labels = [link.label for link in links(opened("overview"))]
    assert any(escaped(first) in label for label in labels)


@pytest.mark.parametrize(
    "name", [*HOSTILE, "a_b*c", "1. x", "# x", "- x", "`x`", "~~x~~", "&lt;", "back\\slash", "|a|"]
)
def test_escaping_keeps_every_letter_and_escapes_every_sign(name: str) -> None:
    """Without backslashes and joiners the escaped text is the text; every sign has its backslash."""
    text = escaped(name)
    assert re.sub(r"\\(.)", r"\1", text).replace(JOINER, "") == name
    assert not re.search(r"(?<!\\)[!-/:-@\[\]-`{-~]", re.sub(r"\\\\", "", text).replace(JOINER, ""))


@pytest.mark.parametrize("text", ["www.x.org", "http://x.org", "a@x.org", ":smile:", "a -> b", "a -- b", "wait..."])
def test_what_renderers_look_for_behind_markdowns_back_is_parted(text: str) -> None:
    """Addresses, emoji and arrows have an invisible joiner between their signs; names of games and rules have none."""
    assert JOINER in escaped(text)
    assert JOINER not in escaped("splicers-3-x00001 splicers.evolve.ting-only")


@pytest.mark.usefixtures("many")
def test_two_rulesets_are_compared_in_words(usual: str) -> None:
    """Beside each other, the difference of two shares has its interval and says what it is worth."""
    app = sound(opened("balance", beside=f"{usual} {OTHER}"))
    lines = [line for element in app.text for line in str(element.value).splitlines() if " points (" in line]
    assert lines
    pattern = r".+: [-+]\d+ points \([-+]\d+ to [-+]\d+; (no evidence|weak|clear)\)"
    assert all(re.fullmatch(pattern, line) for line in lines)
    assert "A and B are the same games, read twice." in said(app)


@pytest.mark.usefixtures("one_game")
def test_a_rule_has_a_view_of_its_own() -> None:
    """`?rule=` shows what a rule says, where it stands, how often it was broken, and links to every case."""
    app = sound(opened("rules", rule="higher.turn.alternate"))
    assert app.header[0].value == "Players play in turn\\."
    assert "trouble: 50 % (1 of 2; 5-95 %); 1 time broken, 0 times asked about, 0 times taken back" in said(app)
    cases = [link for link in links(app) if link.page == "replay"]
    assert [link.query_string for link in cases] == ["game=evening&step=7&edition=first"]


@pytest.mark.usefixtures("many")
def test_a_card_has_a_view_of_its_own() -> None:
    """`?card=` shows the numbers of one card and its games."""
    app = sound(opened("cards", card="kelp-choir"))
    assert app.header[0].value == "Kelp Choir"
    assert "won by a side that had it in hand: " in said(app)
    assert any("card=kelp-choir" in link.query_string for link in links(app) if link.page == "games")
    assert any("card=kelp-choir" in link.query_string for link in links(app) if link.page == "what-if")
    assert any(each.value.startswith("Today (") and "dominance" in each.value for each in app.text)


def test_bots_stand_beside_people(many: Path, usual: str) -> None:
    """Whichever are chosen, a card's page says how both use it, and Pace how often both had no alternative."""
    for source, others in (("people", "bots"), ("bots", "people")):
        told = said(sound(opened("cards", card="kelp-choir", source=source)))
        for word in ("played", "dead"):
            assert re.search(rf"{word}, in games of {others}: \d+ % \(\d+ of \d+; \d+-\d+ %\)", told)
    with Log.open(many) as log:
        rows = ask("forced", folder_of(log), ruleset=usual, source="all").to_pylist()
        by_round = ask("decision-load", folder_of(log), ruleset=usual).to_pylist()
    assert [row["source"] for row in rows] == ["people", "bots"]
    assert rows[0]["forced"] == sum(row["forced"] for row in by_round) > 0
    words = drawn(sound(opened("pace")))
    assert all(question("forced").shares[0].in_words(row) in words for row in rows)


def test_games_are_narrowed_by_the_address(many: Path) -> None:
    """An ending, a card or a player in the address leaves the games that have it; the list says how many."""
    with Log.open(many) as log:
        endings = [row["reason"] for row in ask("games", folder_of(log)).to_pylist() if row["reason"]]
        filters = {"reason": endings[0], "ruleset": min(r["ruleset"] for r in ask("games", folder_of(log)).to_pylist())}
        expected = ask("games", folder_of(log), **filters).num_rows  # type: ignore[arg-type] # the values are right
    app = sound(opened("games", reason=endings[0]))
    assert 0 < expected < PEOPLE
    assert app.tabs[0].label == f"{expected} game{'' if expected == 1 else 's'}"


def test_findings_lead_to_their_steps(one_game: Path) -> None:
    """The page of games lists every finding with a link to its event."""
    assert one_game.exists()
    app = sound(opened("games"))
    (link,) = [each for each in links(app) if each.page == "replay"]
    assert link.query_string == "game=evening&step=7&edition=first"
    assert escaped("higher.turn.alternate") in link.label


def test_datasets_that_are_behind_the_log_are_brought_up_to_date(one_game: Path, store: Store) -> None:
    """After something new in the log a page says that its numbers are old; a button makes them new."""
    store("another", *WON)
    app = sound(opened("games"))
    assert "of 1 game the log, the rules or the cards have changed" in said(app)
    next(button for button in app.button if button.label == "Bring up to date").click().run()
    sound(app)
    assert "2 games of people under first." in said(app)
    assert not app.warning
    with Log.open(one_game) as log:
        assert ask("overview", folder_of(log))["games"].to_pylist() == [2]


def test_games_that_are_not_counted_yet_are_counted_on_demand(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """A log that was imported in the terminal is no empty workspace: a button counts its games."""
    monkeypatch.setenv(VARIABLE, str(store("evening", *WON)))
    app = sound(opened("pace"))
    assert said(app) == "1 game in the log, not counted yet."
    app.button[0].click().run()
    assert sound(app).title[0].value == "Pace: Higher"


def test_datasets_that_cannot_be_read_can_be_built_anew(one_game: Path) -> None:
    """A manifest that is no manifest is a message with its file and a button that mends it, never a traceback."""
    manifest = one_game.parent / ".tabletape" / "datasets" / FILE
    manifest.write_text("{", encoding="utf-8")
    app = opened("balance")
    assert not app.exception
    assert f"{manifest} cannot be read" in said(app)
    app.button[0].click().run()
    assert sound(app).title[0].value == "Balance: Higher"


@pytest.mark.usefixtures("one_game")
def test_another_ruling_can_be_tried_from_the_page() -> None:
    """The page of rules reads the games by another option; then it can be compared with."""
    app = sound(opened("rules", unclear="ties"))
    button = next(
        each for each in app.button if each.label == escaped("Read all games by second_card too").replace("\\ ", " ")
    )
    sound(button.click().run())
    assert app.selectbox(key="beside").options == ["first ties=second_card"]
