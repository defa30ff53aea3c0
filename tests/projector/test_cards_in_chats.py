"""A chat about a game whose file names its cards: what a line calls a card is what the table calls it."""

import json
from pathlib import Path
from typing import Any

import pytest

from tabletape.events.importing import Options, import_paths
from tabletape.events.importing.maps.map import read_map
from tabletape.events.importing.maps.notation import FileReading, MappedLog
from tabletape.events.log import Log
from tabletape.events.vocabulary import Event, tag_of, vocabulary
from tabletape.events.vocabulary.open_games import look_in
from tabletape.projector.archive.stored import known_of
from tabletape.projector.fold.folding import fold
from tabletape.projector.games import game
from tabletape.projector.selfplay.kinds import Bot
from tabletape.projector.selfplay.simulate import Plan, simulate

pytestmark = pytest.mark.usefixtures("own_games")

SEATS = {"fireworks": 3, "whist": 4, "expeditions": 2, "battler": 2, "market": 3, "climbing": 4}
MOST = 120
UNSAID = {"seq", "method"}


def as_said(value: Any) -> Any:
    """Return a value as a chat says it: a card as it is printed, without whose it is."""
    if isinstance(value, list):
        return ", ".join(map(as_said, value))
    return value.rpartition(":")[2].replace("-", " ").title() if isinstance(value, str) and len(value) > 1 else value


def chat_of(slug: str, head: Event, events: list[Event]) -> list[Event]:
    """Return the events of a game as a map reads them from a chat that says the same."""
    lines, sentences = [], {}
    for event in events:
        said = {name: each for name, each in json.loads(vocabulary(slug).encode(event)).items() if name not in UNSAID}
        tag, player = said.pop("type"), said.pop("player")
        lines.append(" ".join((player, tag, *(f"{name} is {as_said(each)}." for name, each in said.items()))))
        sentences[f"{{player}} {tag}" + "".join(f" {name} is {{{name}}}." for name in said)] = tag
    entries = "".join(f'[[line]]\nis = "{sentence}"\nevent = "{tag}"\n' for sentence, tag in sentences.items())
    players = "".join(f"{each.id} = {{}}\n" for each in head.players)  # type: ignore[attr-defined]  # it is a `game.started`
    text = f'map = 1\ngame = "{slug}"\nshape = "lines"\n[players]\n{players}{entries}'
    used = read_map(text, "chat.map.toml", vocabulary)
    log = MappedLog("chat.txt", used, "\n".join(lines).encode(), FileReading(lambda _: None))
    found = [event for batch in log.batches() for _, event in batch]
    assert log.entries == []
    return [event for event in found[1:] if isinstance(event, Event)]


@pytest.mark.parametrize("slug", SEATS)
def test_a_chat_has_no_finding_that_the_same_lines_have_not_in_a_log(slug: str) -> None:
    """Bots play each example; told in a chat, with the cards as they are printed, nobody is accused of anything."""
    one = game(slug)
    plan = Plan(seed=5, bots=(Bot.RANDOM,) * SEATS[slug], limit=MOST)
    (match,) = simulate(one, one.cards, plan, 1)
    head, *played = [event for event in match.events if tag_of(type(event)) not in {"game.ended", "game.abandoned"}]
    written = [event for event in played if isinstance(getattr(event, "player", None), str)]
    told = fold(one, [head, *chat_of(slug, head, written)])
    in_log = {(each.seq, each.rule, each.kind) for each in fold(one, [head, *written]).findings}
    assert {(each.seq, each.rule, each.kind) for each in told.findings} <= in_log
    assert told.stopped is None


def test_a_log_that_says_whose_a_card_of_all_is_means_that_card(own_games: Path) -> None:
    """It is read as the table calls it, and said so; a game that was stored so is read so as well."""
    seats = [{"id": "A", "name": "Ann"}, {"id": "B", "name": "Ben"}]
    head = {"type": "game.started", "game": "market", "edition": "v1", "id": "one", "players": seats}
    lines = [
        {"type": "move.show", "player": player, "card": card}
        for player, card in (("A", "A:cloth"), ("B", "Silver"), ("A", "Ann's Spice 2"), ("B", "cloth"))
    ]
    (own_games / "one.jsonl").write_text("".join(json.dumps(each) + "\n" for each in (head, *lines)))
    with Log.open(own_games / "tabletape.db", create=True) as log:
        options = Options(workspace=own_games, known=lambda slug: known_of(own_games, slug))
        report = import_paths(log, [own_games / "one.jsonl"], options)
        read = [getattr(event, "card", "") for event in log.events(log.game("one"))[1:]]
    assert read == ["cloth", "silver", "spice#2", "cloth"]
    assert report.quarantined == 0
    decode = vocabulary("market").decode
    stored = fold(game("market"), [decode(json.dumps(each)) for each in (head, *lines[:1])])
    assert [each.kind for each in stored.findings] == []


POND = """title = "Пруд"
[cards]
"вид" = ["щука", "цапля", "Brême"]
copies = 4
[zones]
deck = "shared hidden"
hand = "own"
"пруд" = "open"
[move."кладёт"]
fields.card = "card of hand"
needs.once = { that = "no(пруд where it.вид = card.вид)", says = "Each kind only once.", cite = "L7" }
does = ["card -> пруд"]
"""


def test_words_and_cards_of_a_file_are_in_any_script(own_games: Path) -> None:
    """Moves, zones, properties and cards in Cyrillic or with accents are read, judged, and mended when misspelt."""
    (own_games / "games" / "prud.toml").write_text(POND, encoding="utf-8")
    look_in(own_games)
    head = {
        "type": "game.started",
        "game": "prud",
        "edition": "v1",
        "id": "prud",
        "players": [{"id": "A", "name": "Аня"}],
    }
    lines = [{"type": "move.кладёт", "player": "A", "card": card} for card in ("Щука", "Brême", "щука#2", "цаплля")]
    file = own_games / "prud.jsonl"
    file.write_text("".join(json.dumps(each, ensure_ascii=False) + "\n" for each in (head, *lines)), encoding="utf-8")
    with Log.open(own_games / "prud.db", create=True) as log:
        options = Options(workspace=own_games, known=lambda slug: known_of(own_games, slug))
        (read,) = import_paths(log, [file], options).files
        events = [*log.events(log.game("prud"))]
    (entry,) = read.entries
    assert (entry.line, entry.suggestion) == (5, "did you mean `цапля`?")
    assert [getattr(event, "card", "") for event in events[1:4]] == ["щука", "breme", "щука#2"]
    assert [(each.seq, each.rule) for each in fold(game("prud"), events[:4]).findings] == [(4, "prud.кладёт.once")]


ORCHARD = """title = "Orchard"
players = [2, 2]
[zones]
deck = "shared hidden"
hand = "own"
front = "open"
[cards]
fruit = ["plum", "fig"]
copies = 8
[deal]
zone = "hand"
count = 5
says = "Five cards each."
cite = "L1"
[turn]
order = "left"
actions = 1
says = "In turn."
cite = "L2"
[move.lay]
fields.cards = "cards of hand"
does = ["cards -> front"]
[end.three]
that = "size(front) >= 3"
winner = "player"
says = "Three in front are the end."
cite = "L3"
"""


def test_each_copy_that_a_line_names_is_another_card(own_games: Path) -> None:
    """Three plums out of a hand that nobody has seen are three cards, with which the game is over."""
    (own_games / "games" / "orchard.toml").write_text(ORCHARD, encoding="utf-8")
    look_in(own_games)
    decode = vocabulary("orchard").decode
    seats = [{"id": "A", "name": "Ann"}, {"id": "B", "name": "Bo"}]
    head = {"type": "game.started", "game": "orchard", "edition": "unknown", "id": "orchard", "players": seats}
    lay = {"type": "move.lay", "player": "A", "cards": ["plum", "plum", "plum"]}
    table = fold(game("orchard"), [decode(json.dumps(line).encode()) for line in (head, lay)]).table
    assert [card.name for card in table.zones["A/front"].cards] == ["plum#1", "plum#2", "plum#3"]
    assert (table.zones["A/hand"].size, table.over, table.winner) == (2, True, "A")
