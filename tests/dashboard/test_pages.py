"""The pages of the dashboard, each as a user opens it: with nothing recorded, with one game, with many."""

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

from tabletape.dashboard.markdown_escape import JOINER, escaped
from tabletape.dashboard.questions import ask, question
from tabletape.dashboard.statistics.intervals import NO_BREAK
from tabletape.dashboard.workspace import VARIABLE
from tabletape.events.log import Log
from tabletape.events.vocabulary.shared import GameStarted
from tabletape.projector.archive.stored import RulesetOverride
from tabletape.projector.datasets.build import build
from tabletape.projector.datasets.freshness import folder_of
from tabletape.projector.datasets.manifest import FILE
from tabletape.projector.datasets.plans import Request
from tabletape.projector.games import game
from tabletape.projector.selfplay.simulate import Plan, simulate
from tests.waiting import PATIENCE
from tests.written_games import played

APP = Path(__file__).parents[2] / "dashboard" / "entry" / "app.py"
COUNTING = ("overview", "balance", "pace", "cards", "rules", "rulebook", "games")
PAGES = (*COUNTING, "evening", "replay", "keep", "import")
PEOPLE, BOTS = 10, 4
OTHER = "domination_threshold=more_than"
OTHER_SAID = "\u201cthe value has to be exceeded\u201d"
CODE_WORD = re.compile(r"\b[a-z]+(?:_[a-z]+)+\b|(?<![\w/.-])[a-z]{2,}\.[a-z]{2,}(?:-[a-z]+)*\b")
HOSTILE = ("<b>x</b>", "[a](javascript:alert(1))", "**x**", ":red[x]", "![i](http://x.org/y.png)", "$x^2$")

Store = Callable[..., Path]


ILLEGAL = [played("A", "one"), played("A", "four")]


def open_page(page: str, **query: Any) -> AppTest:
    """Open a page of the dashboard at an address."""
    app = AppTest.from_file(str(APP), default_timeout=PATIENCE)
    app._page_hash = "" if page == "overview" else calc_hash(page)
    app.query_params.update(query)
    return app.run()


def page_text(app: AppTest) -> str:
    """Return all texts and headings of a page, one a line."""
    parts = [app.title, app.header, app.subheader, app.text, app.caption, app.markdown]
    parts += [app.info, app.warning, app.success, app.error]
    return "\n".join(str(element.value) for part in parts for element in part).replace(NO_BREAK, " ")


def links(app: AppTest) -> list[Any]:
    """Return the links of a page to other pages."""
    return [element.proto for element in app.get("page_link")]


def chart_texts(app: AppTest) -> list[str]:
    """Return all texts in the charts of a page."""
    found: list[str] = []
    for element in app.get("vega_lite_chart"):
        for dataset in element.proto.datasets:
            table = pa.ipc.open_stream(dataset.data.data).read_all()
            found += [str(row["words"]) for row in table.to_pylist() if "words" in row]
    for element in app.get("html"):
        found += map(unescape, re.findall(r'<div class="words">(.*?)</div>', element.proto.body))
    return [each.replace(NO_BREAK, " ") for each in found]


def click(app: AppTest, label: str) -> AppTest:
    """Press a button of a page by what stands on it, and return the page as it is then."""
    (button,) = [each for each in app.button if each.label == label]
    return button.click().run()


def without_errors(app: AppTest) -> AppTest:
    """Return a page after asserting that it has neither an exception nor an error."""
    assert not app.exception, [each.value for each in app.exception]
    assert not app.error, [each.value for each in app.error] + [each.value for each in app.text]
    return app


@pytest.fixture
def empty_workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Point the dashboard to the log of an empty folder; return the folder."""
    monkeypatch.setenv(VARIABLE, str(tmp_path / "tabletape.db"))
    return tmp_path


@pytest.fixture
def one_game(store: Store, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Point the dashboard to a log with one game of Higher, in which a card is played out of turn."""
    place = store("evening", *ILLEGAL)
    with Log.open(place) as log:
        build(log)
    monkeypatch.setenv(VARIABLE, str(place))
    return place


@pytest.fixture(scope="session")
def evenings(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Store games of Splicers, some as if people had played them, and read them by a second ruling as well."""
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
        build(log, Request(reading=RulesetOverride("", dict([OTHER.split("=")])), game="splicers"))
    return place


@pytest.fixture
def many(evenings: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Point the dashboard to the log with many games."""
    monkeypatch.setenv(VARIABLE, str(evenings))
    return evenings


@pytest.fixture(scope="module")
def filled(request: pytest.FixtureRequest, evenings: Path) -> tuple[str, AppTest]:
    """Return the name of a page, and the page with many games as several tests look at it; none of them changes it."""
    page: str = request.param
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv(VARIABLE, str(evenings))
        return page, open_page(page, **({"game": "evening-0"} if page == "replay" else {}))


@pytest.fixture
def usual(many: Path) -> str:
    """Return the ruleset by which the many games were played."""
    with Log.open(many) as log:
        rows = ask("overview", folder_of(log)).to_pylist()
    return str(min((row["ruleset"] for row in rows), key=len))


@pytest.mark.usefixtures("one_game")
@pytest.mark.parametrize("page", PAGES)
def test_one_game_is_enough_for_every_page(page: str) -> None:
    """With one unfinished game every page opens; a share without data is shown as unknown, not as zero."""
    app = without_errors(open_page(page))
    if page in COUNTING:
        assert app.title[0].value == f"{page.capitalize()}: Higher"
        assert "1 game, version first." in page_text(app)
    if page == "overview":
        assert "its log has no end; 1 of 1 game had a mistake." in page_text(app).replace("\\", "").lower()


def assert_filled(page: str, app: AppTest, usual: str, *, beside: bool) -> None:
    """Assert that a page has many games, alone or with a second ruleset beside the first one."""
    without_errors(app)
    if page in COUNTING:
        assert f"{PEOPLE} games of people, version {usual}. Left out: {BOTS} games of bots." in page_text(app)
        assert (f"B: {PEOPLE} games of people, version {usual}, played so: {OTHER_SAID}" in page_text(app)) == beside
    if page == "overview":
        assert ("B: " in page_text(app)) == beside
        told = str(app.table[0].value.to_dict("records")) if beside else page_text(app).replace("\\", "")
        assert re.search(r"(no mistake in \d+ games|of \d+ games had a mistake|With a mistake)", told)


@pytest.mark.parametrize("filled", PAGES, indirect=True)
def test_many_games_fill_every_page(filled: tuple[str, AppTest], usual: str) -> None:
    """With many games every page opens."""
    assert_filled(*filled, usual, beside=False)


@pytest.mark.parametrize("page", PAGES)
def test_many_games_fill_every_page_beside_a_second_ruleset(page: str, usual: str) -> None:
    """With many games every page opens with a second ruleset beside the first one."""
    assert_filled(page, open_page(page, beside=f"{usual} {OTHER}"), usual, beside=True)


@pytest.mark.parametrize("filled", COUNTING, indirect=True)
def test_no_percentage_is_without_its_count_and_interval(filled: tuple[str, AppTest]) -> None:
    """Every share on a page, in its texts and in its charts, stands between its n and its 95 % interval."""
    page, app = filled
    text = "\n".join([page_text(app).replace("\\", ""), *chart_texts(app)])
    said = re.compile(
        r"\d+ of \d+, [<>]?\d+ % \(likely \d+ to \d+ %\)|\d+ % \(likely \d+ to \d+ %\), \d+ games?"
        r"|\d+ %\n\d+ of \d+|which is 100 %|even would be \d+ %|Grey mark: what would be even[^.]*"
    )
    assert page in {"rules", "rulebook", "games"} or said.search(text)
    bare = re.search(r".{0,40}(?<![-\d])\d+ %(?! of the turns).{0,40}", said.sub("", text))
    assert bare is None, bare[0]


@pytest.mark.parametrize("filled", PAGES, indirect=True)
def test_no_page_speaks_in_code_words(filled: tuple[str, AppTest]) -> None:
    """No text, link or chart shows an id with `_` or `.` between letters, but in code, where somebody types it."""
    _, app = filled
    texts = [
        page_text(app),
        *chart_texts(app),
        *(each.label for each in links(app)),
        *(each.label for each in app.button),
    ]
    for text in texts:
        plain = re.sub(r"`[^`]*`|\S*tabletape\.db|\w+\.(?:toml|md)", "", text.replace("\\", "").replace(JOINER, ""))
        assert not CODE_WORD.search(plain), plain


def test_the_address_opens_the_same_view(many: Path, usual: str) -> None:
    """The filters are part of the address, and an address sets the filters."""
    app = without_errors(open_page("balance"))
    assert app.query_params == {"of": "Splicers", "ruleset": usual}
    assert "Tidal Archive" in app.multiselect(key="decks").options
    tables = [each.value.drop(columns="more", errors="ignore") for each in app.dataframe]
    cells = {str(cell) for table in tables for cell in table.to_numpy().ravel()}
    assert "Tidal Archive" in cells
    assert "tidal-archive" not in cells  # its id leads on, and is no name
    deck = "tidal-archive"
    address = {"of": "Splicers", "ruleset": f"{usual} {OTHER}", "source": "both", "clean": "true", "decks": deck}
    app = without_errors(open_page("balance", **address))
    assert app.query_params == address
    assert app.selectbox(key="ruleset").value == f"{usual} {OTHER}"
    assert app.toggle(key="clean").value
    with Log.open(many) as log:
        filters: dict[str, Any] = {"ruleset": f"{usual} {OTHER}", "source": "all", "clean": True, "decks": [deck]}
        games = sum(ask("overview", folder_of(log), **filters)["games"].to_pylist())
    assert f"{games} games of people and bots, version {usual}, played so: {OTHER_SAID}" in page_text(app)


@pytest.mark.usefixtures("one_game")
def test_the_page_on_rules_counts_the_games_with_mistakes() -> None:
    """On a page about mistakes the switch for clean games is disabled, and the address keeps it for other pages."""
    app = without_errors(open_page("rules", clean="true"))
    assert app.toggle(key="clean").disabled
    assert app.query_params["clean"] == "true"
    assert "1 game, version" in page_text(app)
    assert "Left out" not in page_text(app)
    app = without_errors(open_page("balance", clean="true"))
    assert not app.toggle(key="clean").disabled
    assert "Left out: 1 game with a mistake" in page_text(app)


@pytest.mark.usefixtures("many")
def test_unknown_names_in_an_address_are_ignored() -> None:
    """An unknown game, ruleset, rule or card is left out of the view, without an error."""
    for page in COUNTING:
        app = without_errors(
            open_page(page, of="Chess", ruleset="9.9", beside="8.8", rule="no.such.rule", card="no-card")
        )
        assert app.title[0].value.endswith("Splicers")


@pytest.mark.parametrize("filled", PAGES, indirect=True)
def test_names_from_a_log_are_shown_as_they_are_written(filled: tuple[str, AppTest]) -> None:
    """A name that looks like markup is in no text that is rendered as Markdown, unless all its signs are escaped."""
    app = without_errors(filled[1])
    rendered = [
        each.value for part in (app.markdown, app.caption, app.title, app.header, app.subheader) for each in part
    ]
    rendered += [link.label for link in links(app)] + [each.label for each in app.expander]
    for text in rendered:
        assert not any(name in text for name in HOSTILE), text
    assert not any("<b>x" in each.proto.body for each in app.get("html"))


def test_a_name_in_a_link_is_escaped(many: Path) -> None:
    """The list of new games names players, as text."""
    with Log.open(many) as log:
        first = log.games()[0].players[0].name
    labels = [link.label for link in links(open_page("overview"))]
    assert any(escaped(first) in label for label in labels)


@pytest.mark.usefixtures("many")
def test_two_rulesets_are_compared_in_words(usual: str) -> None:
    """With a second ruleset, what differs has its interval, and what does not is said not to."""
    app = without_errors(open_page("balance", beside=f"{usual} {OTHER}"))
    said = [str(element.value) for element in app.text if element.value.startswith("A against B: ")]
    assert said
    share = r"\d+ of \d+ \(\d+ %\)"
    pattern = (
        rf".+, {share} against {share}: [-+]\d+ percentage points \(likely [-+]\d+ to [-+]\d+\)"
        r"(, which may still be luck)?"
        r"|the others are not shown to differ"
        r"|nothing is shown to differ"
        rf"|farthest apart, and yet no more than luck may do: .+, {share} against {share}"
    )
    lines = [line for text in said for line in text.removeprefix("A against B: ").removesuffix(".").splitlines()]
    assert all(re.fullmatch(pattern, line) for line in lines)
    assert "Both are the same games, read twice." in page_text(app)


@pytest.mark.usefixtures("one_game")
def test_a_rule_has_a_view_of_its_own() -> None:
    """`?rule=` shows a rule's sentence, its citation, how often it was broken, and links to every case."""
    app = without_errors(open_page("rules", rule="higher.turn.alternate"))
    assert app.title[0].value == "Players play in turn"
    said = "It gave trouble in 1 of 2 plays that it is about, 50 % (likely 5 to 95 %): it was broken once."
    assert said in page_text(app).replace("\\", "")
    cases = [link for link in links(app) if link.page == "replay"]
    assert [link.query_string for link in cases] == ["game=evening&step=7&edition=first"]


@pytest.mark.usefixtures("many")
def test_a_card_has_a_view_of_its_own() -> None:
    """`?card=` shows the numbers of one card and its games."""
    app = without_errors(open_page("cards", card="kelp-choir"))
    assert app.title[0].value == "Kelp Choir"
    assert "##### It is not shown to be too strong or too weak yet" in page_text(app)
    newest = [link.label.replace("\\", "") for link in links(app) if link.page == "replay"]
    assert len(newest) > 1
    assert all(re.search(r" (?:played|held) it(?: and|; .+) won$", each) for each in newest)
    assert any("Won, of the sides with it in hand" in str(each.proto.body) for each in app.get("html"))
    assert "Grey mark: what would be even, by how many play (50 %)." in page_text(app).replace("\\", "")
    assert any("card=kelp-choir" in link.query_string for link in links(app) if link.page == "games")
    assert any("card=kelp-choir" in link.query_string for link in links(app) if link.page == "what-if")
    assert any(each.value.startswith("Ting, ") and "dominance" in each.value for each in app.text)


@pytest.mark.usefixtures("many")
def test_a_card_says_what_its_keywords_mean() -> None:
    """The rulebook's sentences stand below what is printed."""
    app = without_errors(open_page("cards", card="nightjar-oracle"))
    assert "Farsight: +1 for the rest of the round once an event is played." in page_text(app).replace("\\", "")


@pytest.mark.usefixtures("many")
def test_words_in_backticks_of_how_it_is_counted_are_shown_as_code() -> None:
    """What is no code is escaped."""
    text = page_text(without_errors(open_page("cards")))
    assert "below a fifth the interval is not shown" in text
    assert "large effects mostly are: one in fifty may be large" in text.replace("\\", "").replace(JOINER, "")
    assert "`whatif --without` plays without the card" in text
    assert "\\`" not in text


def test_bots_are_shown_beside_people(many: Path, usual: str) -> None:
    """With either source a card's page says how both use it, and Pace how often both had no alternative."""
    for source, others in (("people", "bots"), ("bots", "people")):
        text = page_text(without_errors(open_page("cards", card="kelp-choir", source=source)))
        for word in ("played", "dead"):
            assert re.search(rf"{word}, in games of {others}: \d+ of \d+, \d+ % \(likely \d+ to \d+ %\)", text)
    with Log.open(many) as log:
        rows = ask("forced", folder_of(log), ruleset=usual, source="all").to_pylist()
        by_round = ask("decision-load", folder_of(log), ruleset=usual).to_pylist()
    assert [row["source"] for row in rows] == ["people", "bots"]
    assert rows[0]["forced"] == sum(row["forced"] for row in by_round) > 0
    words = chart_texts(without_errors(open_page("pace")))
    for row, who in zip(rows, ("people", "mixed bots"), strict=True):
        assert f"{who}: {question('forced').shares[0].said(row)}".replace(NO_BREAK, " ") in words


def test_games_are_filtered_by_the_address(many: Path) -> None:
    """An ending in the address selects the games that have it; the list says how many."""
    with Log.open(many) as log:
        endings = [row["reason"] for row in ask("games", folder_of(log)).to_pylist() if row["reason"]]
        filters = {"reason": endings[0], "ruleset": min(r["ruleset"] for r in ask("games", folder_of(log)).to_pylist())}
        expected = ask("games", folder_of(log), **filters).num_rows
    app = without_errors(open_page("games", reason=endings[0]))
    assert 0 < expected < PEOPLE
    assert f"##### {expected} game{'' if expected == 1 else 's'}" in page_text(app)


def test_findings_lead_to_their_steps(one_game: Path) -> None:
    """The page Games lists every game with a link to its replay, and every finding with one to its event."""
    assert one_game.exists()
    app = without_errors(open_page("games"))
    (link,) = [each for each in links(app) if each.page == "replay"]
    assert "game=evening&amp;edition=first" in "".join(each.proto.body for each in app.get("html"))
    assert link.query_string == "game=evening&step=7&edition=first"
    assert escaped("it is B's turn") in link.label
    assert escaped("Turns, line 2") in link.label


def test_datasets_that_cannot_be_read_can_be_built_anew(one_game: Path) -> None:
    """For a damaged manifest the page shows a message with the file and a button that rebuilds, never a traceback."""
    manifest = one_game.parent / ".tabletape" / "datasets" / FILE
    manifest.write_text("{", encoding="utf-8")
    app = open_page("balance")
    assert not app.exception
    assert f"{manifest} cannot be read" in page_text(app)
    app = click(app, "Build them anew from the log")
    assert without_errors(app).title[0].value == "Balance: Higher"


@pytest.mark.usefixtures("one_game")
def test_another_ruling_can_be_tried_from_the_page() -> None:
    """The page Rules reads the games by another option; then that reading can be compared with the first."""
    app = without_errors(open_page("rules", unclear="ties"))
    assert "(the usual one); games are read so" in page_text(app)
    app = without_errors(click(app, escaped("Read all games by “who played second” too").replace("\\ ", " ")))
    assert app.selectbox(key="beside").options == ["first “who played second”"]
