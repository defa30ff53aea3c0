"""The page Rulebook: the designer's own text with its margin, and hostile text in it that stays text."""

import re
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest
from streamlit.util import calc_hash

from tabletape.dashboard.rulebook.margins import Facts, margins_of
from tabletape.dashboard.rulebook.markup import emphasized, in_quotes, to_do
from tabletape.dashboard.workspace import VARIABLE
from tabletape.events.log import Log
from tabletape.events.vocabulary.shared import GameStarted, ResultRecorded, Seat
from tabletape.projector.datasets.build import build
from tabletape.projector.games import game
from tabletape.projector.rulebooks.drafts import drafts_of
from tabletape.projector.rulebooks.kept import add
from tabletape.projector.rulebooks.placing import placed
from tabletape.projector.rulebooks.text import read_rulebook_text
from tests.waiting import PATIENCE

APP = Path(__file__).parents[2] / "dashboard" / "entry" / "app.py"
RULES = Path(__file__).parents[1] / "sixth_game" / "rulebook.md"
HOSTILE = "\n\n<img src=x onerror=alert(1)> </p><script>alert(2)</script> [a](javascript:alert(1))\n"
SENTENCE = "A card is always played from the hand."


@pytest.fixture
def place(store: Callable[..., Path], monkeypatch: pytest.MonkeyPatch) -> Path:
    """Point the dashboard to a log with one game in which a card is played that is not in the hand."""
    place = store("evening", {"type": "card.played", "player": "A", "card": "A:five"})
    with Log.open(place) as log:
        build(log)
    monkeypatch.setenv(VARIABLE, str(place))
    return place


@pytest.fixture
def rules(place: Path) -> Path:
    """Add the made-up rulebook of Higher, with hostile lines below it, to the workspace."""
    file = place.with_name("mine.md")
    file.write_text(RULES.read_text(encoding="utf-8") + HOSTILE, encoding="utf-8")
    add(place.parent, "higher", file)
    return file


def open_page(page: str = "rulebook", **query: Any) -> AppTest:
    """Open a page of the dashboard at an address."""
    app = AppTest.from_file(str(APP), default_timeout=PATIENCE)
    app._page_hash = calc_hash(page)
    app.query_params.update(query)
    app.run()
    assert not app.exception, [each.value for each in app.exception]
    return app


def text_of(app: AppTest) -> str:
    """Return the HTML of the text with its margin: the last of the page, below the picture and the most trouble."""
    return [str(each.proto.body) for each in app.get("html") if 'class="rulebook-text"' in str(each.proto.body)][-1]


def page_text(app: AppTest) -> str:
    """Return the plain texts of a page."""
    parts = [app.title, app.subheader, app.text, app.caption, app.info, app.error]
    return "\n".join(str(element.value) for part in parts for element in part)


def test_a_rulebook_is_taken_from_the_page(place: Path) -> None:
    """Without one the page says what to do; a file that is none changes nothing; one that is shows its verdict."""
    app = open_page()
    assert "No rulebook of this game is here yet" in page_text(app)
    assert "Drop it here: Markdown, text or PDF." in page_text(app)
    assert not app.code
    assert "What would every other reading change?" in page_text(app)
    (box,) = app.file_uploader
    box.upload("mine.md", b"\0\0", "text/markdown").run()
    assert "neither text nor PDF" in page_text(app)
    assert not (place.parent / "rulebooks").exists()
    (box,) = app.file_uploader
    box.upload("mine.md", RULES.read_bytes(), "text/markdown").run()
    assert not app.exception
    assert place.parent.joinpath("rulebooks", "higher.md").read_bytes() == RULES.read_bytes()
    verdicts = "\n".join(each.value for each in app.markdown).replace("\\", "")
    assert re.search(rf"1 of \d+ sentences gave trouble; most, once, line 2 of this text: {SENTENCE}", verdicts)


@pytest.mark.usefixtures("rules")
def test_the_whole_text_has_its_margin() -> None:
    """Every sentence is shown; beside the broken one are its rate with interval and a link to the step."""
    html = text_of(open_page())
    assert html.count('class="sentence"') == 11
    margin = html[html.index(SENTENCE) :].partition('class="sentence"')[0]
    assert "came up once, with trouble, 100 % (likely " in margin
    for _, rest in re.findall(r"(?<![-\d])(\d+) %(.{0,40})", html.partition("</style>")[2]):
        assert re.match(r" \(\d+ of \d+; \d+-\d+ %\)", rest)
    assert re.search(r'href="replay\?[^"]*game=evening[^"]*step=6', margin)
    assert "never exercised" in html
    assert "not checked: No log shows whether a shuffle was fair." in html


@pytest.mark.usefixtures("rules")
def test_hostile_text_in_a_rulebook_is_text() -> None:
    """The rulebook's markup creates no element, and every link leads to the dashboard."""
    html = text_of(open_page())
    assert "&lt;script&gt;alert(2)&lt;/script&gt;" in html
    assert set(re.findall(r"<(\w+)", html)) <= {
        "style",
        "div",
        "a",
        "p",
        "h3",
        "pre",
        "b",
        "details",
        "summary",
        "br",
        "span",
    }
    assert all(each.startswith(("rulebook?", "rules?", "replay?")) for each in re.findall(r'href="([^"]*)"', html))


@pytest.mark.usefixtures("rules")
@pytest.mark.parametrize(
    ("query", "sentences"),
    [
        ({"order": "by trouble"}, [SENTENCE]),
        ({"show": "trouble"}, [SENTENCE]),
        ({"show": "not checked"}, ["# Before the game"[2:]]),
        ({"show": "never exercised"}, ["Whoever has two tricks wins"]),
    ],
)
def test_every_view_has_an_address(query: dict[str, str], sentences: list[str]) -> None:
    """The order and the choice of sentences are read from the address."""
    html = text_of(open_page(**query))
    for each in sentences:
        assert each in html
    assert html.count('class="sentence"') < 11
    assert "Ask whenever you like." not in html


@pytest.mark.usefixtures("rules")
def test_one_sentence_leads_to_the_steps() -> None:
    """The address names a sentence by line and number; everything about it is shown above the text."""
    app = open_page(sentence="2.2")
    assert SENTENCE in page_text(app)
    assert "Where it was broken (1)" in "\n".join(each.value for each in app.markdown)
    links = [each.proto for each in app.get("page_link")]
    assert any("Ann, Ben, " in each.label.replace("\\", "") for each in links), [each.label for each in links]
    app.button(key="close sentence").click().run()
    assert "sentence" not in app.query_params
    assert not [each for each in open_page(sentence="99.9").button if each.key == "close sentence"]


@pytest.mark.usefixtures("rules")
def test_findings_and_rules_show_the_sentence_on_their_pages() -> None:
    """The list of findings and the page of one rule quote the rulebook."""
    for page, query in (("games", {}), ("rules", {"rule": "higher.card.from-hand"})):
        assert SENTENCE in page_text(open_page(page, **query)).replace("\\", "")


@pytest.mark.usefixtures("rules")
def test_a_place_has_one_number_and_stands_at_every_mistake(store: Callable[..., Path]) -> None:
    """Each of two mistakes leads to the sentence by its line in the text that is kept, as its rule does."""
    with Log.open(store("again", {"type": "card.played", "player": "A", "card": "A:five"})) as log:
        build(log)
    ways = [each.proto for each in open_page("games").get("page_link")]
    cited = [each for each in ways if "sentence=" in each.query_string]
    assert [each.label.rpartition(", ")[2].strip("]").replace("\\", "") for each in cited] == ["line 2"] * 2
    assert {each.query_string.partition("sentence=")[2] for each in cited} == {"2.2"}
    (of_rule,) = [
        each.proto
        for each in open_page("rules", rule="higher.card.from-hand").get("page_link")
        if "sentence=" in each.proto.query_string
    ]
    assert of_rule.query_string == "sentence=2.2"
    assert of_rule.label == "Read it in the rulebook, line 2"


def page_of_a_result(folder: Path) -> AppTest:
    """Return the page of a game of which only the result is known."""
    seats = (Seat(id="A", name="Ann"), Seat(id="B", name="Ben"))
    head = GameStarted(game="tabletop", id="won", edition="v1", players=seats)
    with Log.open(folder / "evening.db", create=True) as log:
        log.append("won", [head, ResultRecorded(winners=("A",))], expected_last_seq=0)
        build(log)
    return open_page()


def test_of_results_alone_no_sentence_is_said_to_give_no_trouble(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where no move was written nobody can tell; headings are not counted, and empty choices are not offered."""
    monkeypatch.setenv(VARIABLE, str(tmp_path / "evening.db"))
    (tmp_path / "rulebooks").mkdir()
    (tmp_path / "rulebooks" / "tabletop.md").write_text("# Harbour\n\n## Turn\n\nDraw a card. Pass or play.\n")
    app = page_of_a_result(tmp_path)
    said = "\n".join(each.value for each in app.markdown).replace("\\", "")
    assert "No move was written down, so nobody can tell which sentence gives trouble." in said
    assert "None of the 2 sentences is watched yet." in said
    assert "any trouble yet" not in said
    assert "".join(str(each.proto.body) for each in app.get("html")).count('class="mark ') == 2
    assert not app.get("button_group") or all(each.proto.label != "Sentences" for each in app.get("button_group"))
    assert "my-game" in {each.proto.page for each in app.get("page_link")}


def test_titles_of_plain_text_are_no_sentences(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """They stand as headings, and the legend explains no mark that no sentence bears."""
    monkeypatch.setenv(VARIABLE, str(tmp_path / "evening.db"))
    (tmp_path / "rulebooks").mkdir()
    book = (
        "Harbour, rules v0.4\nOn your turn\nDraw a card from the deck, then play one of yours.\n"
        "A fog hides a boat.\nEnd\nWho is last wins.\n"
    )
    (tmp_path / "rulebooks" / "tabletop.txt").write_text(book)
    app = page_of_a_result(tmp_path)
    assert "None of the 3 sentences is watched yet" in "\n".join(each.value for each in app.markdown)
    shown = "".join(str(each.proto.body) for each in app.get("html"))
    assert re.findall(r'<h3 class="said [^"]*">([^<]*)', shown) == ["Harbour, rules v0.4", "On your turn", "End"]
    said = "\n".join(each.value for each in app.caption)
    assert "The number is the line" in said
    assert not [mark for mark in ("redder", "○", "●", "not checked") if mark in said]


@pytest.mark.usefixtures("rules")
def test_every_reading_can_be_tried_from_the_page() -> None:
    """The button reads the games by each option; afterwards it is gone."""
    app = open_page()
    app.button(key="every way").click().run()
    assert not app.exception
    assert "1 of 1 game read by each option" in page_text(app)
    assert not [each for each in app.button if each.key == "every way"]


def test_an_unreadable_rulebook_is_reported(rules: Path) -> None:
    """For a damaged file there is a message and no traceback, and findings are shown without its sentences."""
    rules.with_name("rulebooks").joinpath("higher.md").write_bytes(b"\0\0")
    assert "neither text nor PDF" in page_text(open_page())
    assert SENTENCE not in page_text(open_page("games"))


def test_the_margin_says_by_which_option_the_games_were_read(place: Path) -> None:
    """The margin names the option of the shown ruleset, which need not be the default."""
    text = read_rulebook_text("rules.md", RULES.read_bytes())
    one = game("higher")
    assert place.exists()
    for ruleset, option in (("first", "first_card"), ("second ties=second_card", "second_card")):
        (note,) = margins_of(one, placed(one, text), Facts(ruleset=ruleset)).silent
        assert note.read_as.name == option


def asked_about(store: Callable[..., Path], rules: Path) -> None:
    """Store a second evening on which Ann asks about the rule that the sentence states."""
    asked = {"type": "question.raised", "player": "A", "text": "*Any* card?", "rule": "higher.card.from-hand"}
    with Log.open(store("again", asked)) as log:
        build(log)
    assert rules.exists()


def test_the_players_words_stand_beside_the_sentence(store: Callable[..., Path], rules: Path) -> None:
    """A question that names a rule is quoted at its sentence, with who asked; the sentences asked about are a view."""
    asked_about(store, rules)
    html = text_of(open_page(show="asked about"))
    assert html.count('class="sentence"') == 1
    assert SENTENCE in html
    assert "\u201c*Any* card?\u201d (Ann in again)" in html


def test_a_quote_names_the_day_of_its_game() -> None:
    """The id of a game, which is that of a file, says less."""
    said = {"text": "Any card?", "who": None, "began": datetime(2026, 5, 1, 20, tzinfo=UTC), "game_id": "tuesdays-1"}
    assert in_quotes([said]) == ["“Any card?” (1\u00a0May\u00a02026)"]


@pytest.mark.usefixtures("rules")
def test_sentences_without_a_rule_are_a_view() -> None:
    """They are those to which no rule and no ruling leads; headings are none."""
    html = text_of(open_page(show="without a rule"))
    assert "Ask whenever you like." in html
    assert "Before the game" not in html
    assert 'class="note' not in html


def test_drafts_and_decisions_are_kept_and_exported(store: Callable[..., Path], rules: Path) -> None:
    """What is written beside a sentence is there again, also where it moved, and stands in the Markdown."""
    asked_about(store, rules)
    app = open_page(sentence="2.2")
    draft, decision = app.text_area
    draft.set_value("Cards come from the hand.")
    decision.set_value("Ben: shorter.")
    next(each for each in app.button if each.label == "Keep").click()
    app.run()
    assert not app.exception
    kept = rules.with_name("rulebooks")
    kept.joinpath("higher.md").write_text("A line before.\n\n" + rules.read_text(encoding="utf-8"), encoding="utf-8")
    (row,) = [each for table in open_page().dataframe for each in table.value.to_dict("records") if "draft" in each]
    assert (row["line"], row["sentence"], row["draft"]) == (4, SENTENCE, "Cards come from the hand.")
    one = game("higher")
    book = placed(one, read_rulebook_text("rules.md", kept.joinpath("higher.md").read_bytes()))
    text = to_do(margins_of(one, book, Facts()), drafts_of(rules.parent, "higher"))
    assert f"line 4\n\n> {SENTENCE}\n\n* Draft: Cards come from the hand.\n* Decision: Ben: shorter." in text
    kept.joinpath("higher.drafts.jsonl").open("a").write("{}\n")
    assert "higher.drafts.jsonl:2: " in page_text(open_page())


@pytest.mark.usefixtures("rules")
def test_two_texts_stand_beside_each_other() -> None:
    """Of another text the sentences that differ are shown, word by word, with the trouble that the old ones gave."""
    app = open_page()
    box = next(each for each in app.file_uploader if each.label == "Another text")
    other = RULES.read_text(encoding="utf-8").replace(SENTENCE, "A card is played from the hand or the <b>pile</b>.")
    box.upload("new.md", other.encode(), "text/markdown").run()
    assert not app.exception
    (html,) = [str(each.proto.body) for each in app.get("html") if 'class="rulebook-texts"' in str(each.proto.body)]
    assert "<del>always</del>" in html
    assert "&lt;b&gt;pile&lt;/b&gt;." in html
    assert "reworded; gave trouble 1 time so far; rests on it: higher.turn.alternate, higher.card.from-hand" in html


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("a *b* _c_ `d`", "a <em>b</em> <em>c</em> <code>d</code>"),
        ("2 * 3 * 4 snake_case_word", "2 * 3 * 4 snake_case_word"),
        ("`<b>` *<i>*", "<code>&lt;b&gt;</code> <em>&lt;i&gt;</em>"),
    ],
)
def test_markdown_inside_a_sentence_is_shown_as_such(written: str, shown: str) -> None:
    """Slanted words and code are; signs that only look like them, and HTML, stay text."""
    assert emphasized(written) == shown
