"""The form on the players' phones: what its code opens, what is written, in which language, in how few taps."""

import re
from collections.abc import Iterator
from pathlib import Path
from time import monotonic
from typing import Any, get_args
from urllib.parse import urlsplit

import pytest

from tabletape.dashboard.hosts import Application
from tabletape.dashboard.scribe.catalogue import TOLD_SENTENCES, language_for, languages
from tabletape.dashboard.service.access import PairedDevices
from tabletape.dashboard.service.application import application
from tabletape.dashboard.service.desk import Desk, Look
from tabletape.dashboard.service.limits import A_FORM
from tabletape.dashboard.service.lock import new_code
from tabletape.dashboard.service.server import on_the_network
from tabletape.events.log import Log
from tabletape.events.vocabulary import Event, fields_of, shared, tag_of, vocabulary
from tabletape.events.vocabulary.shared import FeedbackGiven
from tabletape.projector.fold.folding import fold
from tabletape.projector.games import game, games
from tabletape.projector.model.sentences import HIDDEN_CARD
from tabletape.projector.scribing.asking import question_of
from tabletape.projector.scribing.forms import EVENT_WORDS, NOT_AT_TABLE, words_of_event
from tests.chromium import in_browser
from tests.dashboard import keeping
from tests.dashboard.test_scribe_lock import HOST, request
from tests.waiting import free_port

CODE = new_code()
REFUSED = "nobody called 'Z' sat at this table"
OWN = '[[question]]\nid = "theme"\nask = "How well did the theme fit?"\nkind = "scale"\n'


@pytest.fixture
def log(tmp_path: Path) -> Iterator[Log]:
    """Yield a log with a game that is kept, and a question of the designer's own beside it."""
    (tmp_path / "feedback.toml").write_text(OWN)
    with Log.open(tmp_path / "t.db", create=True) as opened:
        keeping.begin_game(opened, keeping.sample_events("crystal"))
        yield opened


@pytest.fixture
def app(log: Log) -> Application:
    """Return the scribe as it is served on the network."""
    return on_the_network(Desk(log), CODE, "192.168.1.5")


def form_path(app: Application, log: Log) -> str:
    """Return the path of the form of the only game."""
    (stored,) = log.games()
    asked = request(
        app, f"/{CODE}/v1/games/{stored.game_id}/form", {"place": f"http://{HOST}/{CODE}/?game={stored.game_id}"}
    )
    assert asked.status == 200
    assert asked.json()["picture"].startswith("data:image/svg+xml")
    return urlsplit(str(asked.json()["address"])).path


def test_the_code_of_a_form_opens_the_form_and_nothing_else(app: Application, log: Log) -> None:
    """With it nobody sees the table, the games or the scribe's page, and it is not the scribe's own code."""
    path = form_path(app, log)
    assert CODE not in path
    assert form_path(app, log) == path
    assert b"form.js" in request(app, path).body
    shown = request(app, f"{path}feedback").json()
    assert {*shown} == {"title", "players", "fun", "questions", "cards", "rules"}
    assert shown["fun"] == 5
    assert request(app, f"{path}words", **{"accept-language": "de"}).json()["words"]["Send"] == "Absenden"
    for other in (
        "v1/games",
        "v1/beginnings",
        "index.html",
        f"v1/games/{log.games()[0].game_id}/screen",
        "../v1/games",
    ):
        assert request(app, f"{path}{other}").status == 404
    assert request(app, f"/{new_code()}/feedback", client="192.168.1.9").status == 404


def test_a_form_is_open_at_every_server_of_the_log_and_after_a_restart(log: Log, tmp_path: Path) -> None:
    """Its code is the same there; one that was altered, of another game or another log opens nothing."""
    (stored,) = log.games()
    code = Desk(log).form_code(stored.game_id)
    with Log.open(tmp_path / "t.db") as again:
        other = Desk(again)
        assert (other.form_code(stored.game_id), other.game_of_form(code)) == (code, stored.game_id)
        app = application(other, PairedDevices())
        assert request(app, f"/form/{code}/feedback", {"fun": 4}).status == 200
        named, _, signature = code.partition(".")
        for wrong in (f"{named}.", f"{named}.{signature}A", f"!{code}", f"{named[:-2]}.{signature}", named, "", "."):
            assert not other.is_form(wrong), wrong
            assert request(app, f"/form/{wrong}/feedback").status == 404
        assert not Desk(again, []).is_form(code)
    assert log.game(stored.game_id).last_seq == stored.last_seq + 1
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    with Log.open(elsewhere / "t.db", create=True) as another:
        keeping.begin_game(another, keeping.sample_events("crystal"))
        assert Desk(another).form_code(stored.game_id) != code
        assert not Desk(another).is_form(code)


def test_what_is_sent_twice_is_written_twice_and_what_is_no_answer_never(app: Application, log: Log) -> None:
    """Only feedback of those at the table is taken, with the questions that are asked; a refusal writes nothing."""
    path = f"{form_path(app, log)}feedback"
    before = log.games()[0].last_seq
    for bad in (
        {"player": "Z", "fun": 3},
        {"fun": 6},
        {"type": "game.abandoned"},
        {"fun": 3, "note": "x"},
        {"answers": {"unknown": "1"}},
        {"answers": {"fun-of-10": "11"}},
        {"text": "x" * 5_001},
        b"{",
    ):
        assert request(app, path, bad).status == (400 if bad == b"{" else 422), bad
    assert log.games()[0].last_seq == before
    player = log.games()[0].players[0].id
    for fun in (2, 4):
        answer = request(app, path, {"player": player, "fun": fun, "again": True, "answers": {"theme": "5"}})
        assert answer.status == 200, answer.body
    given = [each for each in log.events(log.games()[0]) if isinstance(each, FeedbackGiven)][-2:]
    assert [(each.player, each.fun, each.again, each.answers) for each in given] == [
        (player, 2, True, {"theme": "5"}),
        (player, 4, True, {"theme": "5"}),
    ]
    assert request(app, path, {"answers": {"fun-of-10": "10"}}).status == 200
    assert request(app, path).json()["fun"] == 5
    for _ in range(2):
        assert request(app, path, {"answers": {"fun-of-10": "9"}}).status == 200
    assert request(app, path).json()["fun"] == 10


def test_a_form_takes_some_answers_at_once_and_no_flood(app: Application, log: Log) -> None:
    """A table answers together; who goes on is asked to wait, and what was taken is written."""
    path = f"{form_path(app, log)}feedback"
    before = log.games()[0].last_seq
    start = monotonic()
    answers = [request(app, path, {"fun": 3}) for _ in range(40)]
    grown = A_FORM[0] * (monotonic() - start)
    taken = [each.status for each in answers].index(429)
    assert A_FORM[1] <= taken <= A_FORM[1] + grown
    assert int(answers[taken].headers["retry-after"]) >= 1
    assert log.games()[0].last_seq == before + [each.status for each in answers].count(200)


def sentences_of_events() -> set[str]:
    """Return the templates of all events of all games and of their parts, and the words for fixed values in them."""
    kinds = {kind for slug in (*games(), "tabletop") for kind in vocabulary(slug).types.values()}
    kinds |= {part for kind in kinds for field in fields_of(kind) for part in parts_in(field.type)}
    written = [(each.SENTENCE,) if isinstance(each.SENTENCE, str) else each.SENTENCE for each in kinds]
    phrases = [words.values() for each in kinds for words in getattr(each, "PHRASES", {}).values()]
    plain = [getattr(each, "PLAIN", ()) for each in kinds]
    return {text for texts in (*written, *phrases, *plain) for text in texts if text}


def parts_in(annotation: Any) -> Iterator[Any]:
    """Yield the structs with a sentence of their own in the type of a field."""
    if hasattr(annotation, "SENTENCE"):
        yield annotation
    for each in get_args(annotation):
        yield from parts_in(each)


def test_what_happened_is_said_in_the_language_of_the_phone(tmp_path: Path) -> None:
    """A screen has its lines, choices and undo in the language that was asked for; names of cards stay as printed."""
    with Log.open(tmp_path / "t.db", create=True) as log:
        game_id = keeping.begin_game(log, keeping.sample_events("crystal")[:12])
        desk = Desk(log)
        with desk.kept(game_id) as kept:
            said = {each: desk.screen_of(kept, "*", Look(language=each)) for each in ("en", *sorted(languages()))}
    lines = {language: screen.lines[-1].words for language, screen in said.items()}
    assert len({*lines.values()}) == len({each.undoes for each in said.values()}) == 4, lines
    assert [each.seq for each in said.values()] == [said["en"].seq] * 4
    assert [[each.line for each in screen.options] for screen in said.values()] == [
        [each.line for each in said["en"].options]
    ] * 4


def test_every_language_has_every_word_of_the_pages() -> None:
    """What scribe, form and the sentences of events say stands in each catalogue, with its holes, and nothing else."""
    scripts = (keeping.ROOT / "dashboard" / "scribe" / "page").glob("*.js")
    said = {words for each in scripts for words in re.findall(r'\bt\("([^"]+)"', each.read_text(encoding="utf-8"))}
    said |= {"too short", "right", "too long", "Round", "Turn", "Set-up", *TOLD_SENTENCES}
    types = (each for each in vars(shared).values() if isinstance(each, type) and issubclass(each, Event))
    tags = {tag_of(each) for each in types if each.__module__ == shared.__name__ and not each.__name__.startswith("_")}
    said |= {words_of_event(tag) for tag in tags - NOT_AT_TABLE} | {*EVENT_WORDS.values()}
    said |= sentences_of_events()
    sources = (keeping.ROOT / "projector").glob("*/*.py")
    spoken = (re.findall(r'\bsay\("([^"]+)"', each.read_text(encoding="utf-8")) for each in sources)
    said |= {HIDDEN_CARD, "{names} won{points} ({reason})", "no winner{points} ({reason})"}.union(*spoken)
    assert len(said) > 400
    for language, words in languages().items():
        assert said == words.keys(), language
        for one, other in words.items():
            assert sorted(re.findall(r"{\w+", one)) == sorted(re.findall(r"{\w+", other)), (language, one)
            assert re.findall(r"[\[\]|]", re.sub(r"{[^}]*}", "", one)) == re.findall(
                r"[\[\]|]", re.sub(r"{[^}]*}", "", other)
            ), (language, one)
    assert {*languages()} == {"de", "fr", "es"}


def test_each_sentence_of_the_server_that_is_translated_is_said_somewhere() -> None:
    """Refusals stand in the source of what a phone talks to; what is asked about cards in a game is among them."""
    folders = [keeping.ROOT / each for each in ("projector/scribing", "dashboard/service", "dashboard/scribe/page")]
    folders.append(keeping.ROOT / "events" / "vocabulary")
    source = "".join(each.read_text(encoding="utf-8") for folder in folders for each in folder.glob("*.[jp]*"))
    for sentence in (each for each in TOLD_SENTENCES if not each.endswith(": which?")):
        for part in re.split(r"{\w+}|other ", sentence):
            assert part.strip() in source, sentence
    one, asked = game("crystal"), set()
    head, *events = keeping.sample_events("crystal")
    replay = fold(one, [head])
    for event in events:
        replay.run([event])
        asked |= {question_of(replay.table, due).words for due in one.due(replay.table)}
    patterns = ["(.+)".join(map(re.escape, re.split(r"{\w+}", each))) for each in TOLD_SENTENCES]
    cards = [words for words in asked if words.endswith(": which?")]
    assert cards
    assert all(any(re.fullmatch(each, words) for each in patterns) for words in cards)


@pytest.mark.parametrize(
    ("accepted", "language"),
    [
        ("de-AT,de;q=0.9,en;q=0.5", "de"),
        ("en;q=0.5,fr;q=0.9", "fr"),
        ("it,en;q=0.1", "en"),
        ("", "en"),
        ("es;q=x", "en"),
    ],
)
def test_the_language_is_the_one_that_the_browser_likes_best(accepted: str, language: str) -> None:
    """Of the languages that there are the best liked one is taken, and English where there is none."""
    assert language_for(accepted) == language


@pytest.mark.browser
@in_browser
def test_four_phones_say_how_it_was_in_five_taps(browser: Any, tmp_path: Path) -> None:
    """Each player taps a name, four answers at most and Send; all of it is in the log, each once."""
    port = free_port()
    with Log.open(tmp_path / "t.db", create=True) as log, keeping.scribe_server(tmp_path, port):
        game_id = keeping.begin_game(log, keeping.sample_events("crystal"))
        keeper = browser.new_page(**keeping.PHONE)
        keeper.goto(f"http://localhost:{port}/?game={game_id}")
        keeper.get_by_role("button", name="More …").click()
        keeper.get_by_role("button", name="How was it? A form for the players' phones").click()
        form = keeper.get_by_role("link", name="Open the form here")
        address = form.get_attribute("href")
        names = [player.name for player in log.games()[0].players]
        for number in range(4):
            phone = browser.new_page(**keeping.PHONE, locale="de-DE")
            phone.goto(address)
            taps = [names[number % len(names)]] if number < len(names) else []
            for words in taps:
                phone.get_by_role("button", name=words, exact=True).click()
            phone.get_by_role("group", name="Wie viel Spaß").get_by_role("button", name="4").click()
            phone.get_by_role("button", name="genau richtig").click()
            phone.get_by_role("button", name="ja", exact=True).click()
            if not number:
                phone.route("**/feedback", lambda route: route.fulfill(status=422, json={"error": REFUSED}), times=1)
                phone.get_by_role("button", name="Absenden").click()
                phone.get_by_text("An diesem Tisch saß niemand namens 'Z'.").wait_for()
            phone.get_by_role("button", name="Absenden").click()
            phone.get_by_text("Es ist aufgeschrieben").wait_for()
            phone.close()
        given = [each for each in log.events(log.games()[0]) if isinstance(each, FeedbackGiven)]
        assert [(each.fun, each.length, each.again) for each in given] == [(4, "right", True)] * 4
        assert len({each.player for each in given if isinstance(each.player, str)}) == min(4, len(names))
