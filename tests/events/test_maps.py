"""Maps: files of other programs become events; lines that are not read are reported, and nothing is guessed."""

import contextlib
import io
import json
import tomllib
import zipfile
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tabletape.events.importing.maps.documents.foreign import vassal_lines
from tabletape.events.importing.maps.documents.trees import ForeignError
from tabletape.events.importing.maps.finding import fitting_map, map_of_file, shipped_maps
from tabletape.events.importing.maps.map import Map, MapError, read_map
from tabletape.events.importing.maps.notation import FileReading, MappedLog
from tabletape.events.importing.maps.proposing.surveying import survey
from tabletape.events.importing.maps.proposing.text import proposals
from tabletape.events.importing.maps.sentence import Matcher, SentenceError, read_sentence
from tabletape.events.importing.maps.writing import entries_in, map_text
from tabletape.events.vocabulary import Event, tag_of, vocabulary
from tabletape.events.vocabulary.names import slug_of
from tabletape.events.vocabulary.tabletop import CardMoved

RECORDED = Path(__file__).parents[1] / "recordings" / "maps"
NAMES = sorted(path.parent.name for path in RECORDED.glob("*/expected.json"))

CHAT = """
map = 1
game = "tabletop"
shape = "lines"
[[line]]
is = "{player} sits down"
seats = true
[[line]]
is = "{player} plays {card}"
event = "card.moved"
with = { from = "hand", to = "table" }
[[line]]
is = "{player} wins"
event = "game.ended"
with = { winner = "{player}", reason = "won" }
"""


def chat(more: str = "") -> Map:
    """Return a map of a small chat, with more lines of TOML at its end."""
    return read_map(CHAT + more, "chat.map.toml", vocabulary)


def mapped(used: Map, text: str, **reading: Any) -> tuple[list[Event], MappedLog]:
    """Return the events of a text that is read through a map, and the log with its entries."""
    log = MappedLog("chat.txt", used, text.encode(), FileReading(lambda _: None, **reading))
    return [event for batch in log.events() for _, event in batch], log


def tags(events: list[Event]) -> list[str]:
    """Return the types of events."""
    return [tag_of(type(event)) for event in events]


@pytest.mark.parametrize("name", NAMES)
def test_a_recorded_file_gives_exactly_its_events(name: str) -> None:
    """Each event comes from the line that is recorded beside it, and the unread lines are the recorded ones."""
    folder = RECORDED / name
    (file,) = folder.glob("input.*")
    expected = json.loads((folder / "expected.json").read_text(encoding="utf-8"))
    own = folder / "own.map.toml"
    used = map_of_file(own) if own.exists() else fitting_map(file, file.read_bytes(), None)
    assert used is not None
    assert Path(used.name).name == expected["map"]
    log = MappedLog(name, used, file.read_bytes(), FileReading(lambda _: None, "", name))
    found = [[line, json.loads(msgspec.json.encode(event))] for batch in log.events() for line, event in batch]
    assert found == expected["events"]
    assert [[each.line, each.code, each.message] for each in log.entries] == expected["left_over"]


def test_every_shipped_map_has_a_recorded_file() -> None:
    """Every map that comes with Tabletape is tested on a recorded file."""
    tried = {json.loads((RECORDED / name / "expected.json").read_text(encoding="utf-8"))["map"] for name in NAMES}
    assert {each.name for each in shipped_maps()} <= tried


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (
            '[[line]]\nis = "{player} plants {card}"\nevent = "card.mvoed"\n',
            "chat.map.toml:16: tabletop has no event type",
        ),
        (
            '[[line]]\nis = "{player} plants"\nevent = "card.moved"\nwith = { to = "table" }\n',
            ":16: card.moved needs card",
        ),
        ('[[line]]\nis = "{player} plants {card}"\nevent = "card.moved"\nwith = { too = "x" }\n', "did you mean `to`?"),
        ('[[line]]\nis = "{player} {what}{card}"\nskip = true\n', "nothing stands between {what} and {card}"),
        ('[[line]]\nis = "{player}"\nskip = true\n', "fits every line"),
        ('[[line]]\nis = "{player} nods"\n', "needs an `event`"),
        ('[[line]]\nis = "{player} nods"\nskipp = true\n', "did you mean `skip`?"),
        ("[expect]\nunderstood = 120\n", "chat.map.toml:"),
        ("[[line]]\nis = x\n", "chat.map.toml:17:"),
    ],
)
def test_a_map_that_cannot_work_is_refused_with_its_line(more: str, message: str) -> None:
    """A mistake in a map is reported when the map is read, not when a game is."""
    with pytest.raises(MapError) as error:
        chat(more)
    assert message in str(error.value)


def test_scores_alone_do_not_say_who_won() -> None:
    """Whether the highest or the lowest wins is never guessed."""
    text = 'map = 1\ngame = "tabletop"\nshape = "results"\n[columns]\nscore_of = ["Ann", "Ben"]\n'
    with pytest.raises(MapError, match=r'scores\.map\.toml:5: scores alone .* `best = "highest"`'):
        read_map(text, "scores.map.toml", vocabulary)
    assert read_map(f'{text}best = "lowest"\n', "scores.map.toml", vocabulary)


def test_the_longest_name_is_the_player() -> None:
    """Of two names of which one begins the other, the longest that matches the line is meant."""
    matcher = Matcher(read_sentence("{player} plays {card}", {}), ["Mar", "Mar plays"], {})
    assert matcher.match("Mar plays plays Lamp") == {"player": "Mar plays", "card": "Lamp"}
    assert matcher.match("Mar plays Lamp") == {"player": "Mar", "card": "Lamp"}
    assert matcher.match("Max plays Lamp") is None


@given(st.text(alphabet="ab {}:", max_size=30), st.text(alphabet="ab ", max_size=4000))
def test_no_sentence_and_no_line_takes_long(written: str, line: str) -> None:
    """For any sentence and any line the result is a match, no match, or a refused sentence."""
    try:
        sentence = read_sentence(written, {"b": ["a", "aa"]})
    except SentenceError:
        return
    Matcher(sentence, ["a", "a a"], {"b": ["a", "aa"]}).match(line)


def test_a_sentence_of_many_placeholders_is_matched_in_one_pass() -> None:
    """Four placeholders over a line of two thousand blanks are matched without trying every way to divide it."""
    matcher = Matcher(read_sentence("{a} a {b} a {c} a {d} z", {}), [], {})
    assert matcher.match("a " * 2000 + "y") is None
    assert matcher.match("a " * 2000 + "z") is not None


@settings(deadline=None, max_examples=60)
@given(st.text(alphabet="Anne plays sitdowvn\n:[]0123456789'\"", max_size=400))
def test_any_chat_is_read_or_reported(text: str) -> None:
    """No text raises an error, and every entry has a message."""
    events, log = mapped(chat(), "Ann sits down\nBen sits down\n" + text)
    assert tags(events)[:1] in ([], ["game.started"])
    assert all(entry.message for entry in log.entries)


@settings(deadline=None, max_examples=60)
@given(st.text(max_size=300))
def test_any_text_is_a_map_or_refused(text: str) -> None:
    """A map that cannot be read raises `MapError`."""
    with contextlib.suppress(MapError):
        read_map(text, "x.map.toml", vocabulary)


def test_unmapped_lines_are_gaps_and_one_entry_a_kind() -> None:
    """Lines that differ only in names and numbers are one entry, with their count and the place of the first."""
    text = "Ann sits down\nBen sits down\nAnn plays Lamp\nBen trips over 3 cats\nAnn trips over 4 cats\nBen plays Tea\n"
    events, log = mapped(chat(), text)
    assert tags(events) == ["game.started", "card.moved", "log.gap", "card.moved"]
    (entry,) = log.entries
    assert (entry.line, entry.code) == (4, "unmapped")
    assert "2 lines like `{player} trips over {n} cats`" in entry.message


def test_a_game_that_is_not_as_expected_is_not_imported() -> None:
    """If a game does not meet the expectations of its map, the map is wrong and its events are dropped."""
    more = '[[line]]\nis = "{player} starts"\nevent = "turn.started"\n'
    more += '[[line]]\nis = "{player} was first"\nevent = "first-player.chosen"\n'
    more += '[expect]\nfirst_turn = "first-player.chosen"\n'
    text = "Ann sits down\nBen sits down\nBen was first\nAnn starts\nBen starts\n"
    events, log = mapped(chat(more), text)
    assert events == []
    assert [entry.code for entry in log.entries] == ["expectation"]
    assert "B begins (first-player.chosen), but the first turn is A's" in log.entries[0].message


def test_a_time_without_a_zone_is_left_out_and_reported() -> None:
    """A zone is never guessed: the times are read as soon as one is given."""
    used = read_map(CHAT.replace("[[line]]", 'prefix = "{at:time} | "\n[[line]]', 1), "chat.map.toml", vocabulary)
    text = "2025-05-01 19:02 | Ann sits down\n2025-05-01 19:03 | Ann plays Lamp\n"
    events, log = mapped(used, text)
    assert not any(hasattr(event, "at") and event.at for event in events)
    assert any("--zone" in remark for remark in log.remarks)
    events, log = mapped(used, text, zone="Europe/Berlin")
    assert str(events[1].at) == "2025-05-01 19:03:00+02:00"


def test_a_card_of_a_known_game_is_found_by_its_name_or_nearly() -> None:
    """A name with one wrong letter is corrected with a remark; one that is far from every card is an entry."""
    cards = {"reed-heron": "reed-heron", "tin-wasp": "tin-wasp"}
    log = MappedLog(
        "chat.txt",
        chat(),
        b"Ann sits down\nAnn plays Reed Heron\nAnn plays Reed Herron\nAnn plays Moon\nAnn plays Tin Wasp\n",
        FileReading(lambda _: cards),
    )
    events: list[Any] = [event for batch in log.events() for _, event in batch]
    assert [event.card for event in events if tag_of(type(event)) == "card.moved"] == [
        "A:reed-heron",
        "A:reed-heron",
        "A:tin-wasp",
    ]
    taken = "`Reed Herron` was taken for `reed-heron`, the only known name that is written almost so"
    assert [log.games[0].taken[place] for place in log.games[0].taken] == [[taken]]
    assert "the game has no card called 'Moon'" in log.entries[0].message


def test_a_slug_keeps_every_script() -> None:
    """Accents and apostrophes are removed, letters of other scripts are kept."""
    assert slug_of("Sagittarii\u2019s Gaze") == "sagittariis-gaze"
    assert slug_of("Crème brûlée (II)") == "creme-brulee-ii"
    assert slug_of("麋鹿皇帝") == "麋鹿皇帝"


def vassal(text: str, *, is_new: bool = False) -> bytes:
    """Return a Vassal log that holds a text, as the program writes it, or as it does since Vassal 3.8."""
    coded = b"!VCSK5a" + "".join(f"{byte ^ 0x5A:02x}" for byte in text.encode()).encode()
    if is_new:
        coded = b"VOBS\x5a" + bytes(byte ^ 0x5A for byte in text.encode())
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("moduledata", "<data/>")
        archive.writestr("savedGame", coded)
    return packed.getvalue()


def test_the_chat_of_a_vassal_log_is_read() -> None:
    """The chat messages of the log are the lines; other commands are ignored."""
    saved = "begin_save\x1bLOG\tCHAT<Ann> - plays Lamp\x1bLOG\tundo\x1bLOG\tCHAT* Ben wins\x1bend_save"
    content = vassal(saved)
    assert vassal_lines(content) == vassal_lines(vassal(saved, is_new=True)) == ["<Ann> - plays Lamp", "Ben wins"]
    with pytest.raises(ForeignError, match="damaged"):
        vassal_lines(content[:40])


# -- the import --------------------------------------------------------------------------------------------------------


def test_a_proposed_map_reads_the_chat_from_which_it_was_made() -> None:
    """Names, turns, cards and counters of a chat are found without any answer."""
    text = (RECORDED / "own-chat" / "input.txt").read_text()
    seen = survey(text)
    assert (seen.head["prefix"], set(seen.players)) == ("[{at:time}] ", {"Ann", "Ben"})
    written = map_text(
        seen, [(kind.sentence, kind.entry) for kind in proposals(seen, "tabletop")], game="tabletop", edition="x"
    )
    events, log = mapped(read_map(written, "proposed.map.toml", vocabulary), text)
    assert {"card.moved", "counter.changed", "game.ended", "first-player.chosen"} <= set(tags(events))
    assert [entry.code for entry in log.entries] == []


def test_a_map_written_again_from_what_it_says_is_the_same() -> None:
    """Also where one of two sentences with one meaning is new: it was called changed by hand, and stayed locked."""
    seen, moved = survey("Ann: plant heather\nBen: heathr + plant"), {"event": "card.moved"}
    accepted = [
        ("{player}: heathr + plant", moved | {"with": {"to": "table", "cards": ("heather",)}}),
        ("{player}: plant heather!", moved | {"with": {"to": "table", "cards": ["heather"]}}),
    ]
    written = map_text(seen, accepted, game="tabletop", edition="x")
    assert map_text(seen, entries_in(tomllib.loads(written)["line"]), game="tabletop", edition="x") == written


def test_a_result_with_an_impossible_number_is_reported() -> None:
    """A row that cannot be a game is an entry, and the other rows are read."""
    text = 'map = 1\ngame = "tabletop"\nshape = "results"\n[columns]\n'
    text += 'players = "who (split ,)"\nwinner = "won"\nturns = "turns"\n'
    sheet = 'who,won,turns\n"Ann,Ben",Ann,-1\n"Ann,Ben",Ben,7\n'
    events, log = mapped(read_map(text, "x.map.toml", vocabulary), sheet)
    assert tags(events) == ["game.started", "result.recorded"]
    assert [(entry.line, entry.code) for entry in log.entries] == [(2, "no-result")]
    assert "turns" in log.entries[0].message


INDEXED = """
map = 1
game = "tabletop"
shape = "json"
rows = "actions"
seats = ["players[0]", "players[1]"]
player = "player"
[by_index]
player = "players[n mod size]"
suit = "deck[target].suit"
colour = "suits[suit]"
rank = "deck[target].rank"
before = "deck[target - 1].rank"
[[line]]
when = { type = 0 }
event = "card.moved"
with = { card = "{colour} {rank}", from = "hand", to = "table" }
[[line]]
when = { type = 1 }
event = "card.moved"
with = { card = "{before}", from = "hand", to = "discard" }
"""


def test_a_card_is_looked_up_by_its_place_in_a_list() -> None:
    """Each row knows whose it is by its number, and what lies at a place; nothing lies at a place that is not there."""
    deck = [{"suit": 1, "rank": 4}, {"suit": 0, "rank": 2}]
    actions = [{"type": 0, "target": 1}, {"type": 0, "target": "0"}, {"type": 0, "target": 2}, {"type": 1, "target": 1}]
    actions += [{"type": 1, "target": each} for each in (0, -1, None, 1.5, "9" * 5000, "\u00b2", True)]
    table = {"players": ["Ann", "Ben"], "suits": ["red", "blue"], "deck": deck, "actions": actions}
    events, log = mapped(read_map(INDEXED, "indexed.map.toml", vocabulary), json.dumps(table))
    moved = [event.card for event in events if isinstance(event, CardMoved)]
    assert moved == ["A:red-2", "B:blue-4", "B:4"]
    assert sum(len(each.alike) for each in log.open) == len(actions) - len(moved)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("players[n mod size]", "players[n modulo 2]", "9: `players[n modulo 2]` leads to no place in a list"),
        ("suits[suit]", "suits", "11: `suits` leads to no place in a list"),
        ('shape = "json"', 'shape = "lines"', "9: `by_index` belongs to JSON and XML"),
    ],
)
def test_a_place_that_leads_nowhere_is_refused_with_its_line(old: str, new: str, message: str) -> None:
    """The map says what such a place looks like."""
    with pytest.raises(MapError) as refused:
        read_map(INDEXED.replace(old, new), "indexed.map.toml", vocabulary)
    assert message in str(refused.value)


def test_each_kind_of_line_has_its_fate_and_what_is_not_read_is_not_called_understood() -> None:
    """A harmless sentence that takes any text counts as not read; one that names all that it says is understood."""
    more = """
    [[line]]
    is = ["{player} takes {rest}", "{player} shuffles {card}", "{player} waves"]
    harmless = true
    [[line]]
    is = "good luck"
    skip = true
    """
    said = "Ann sits down; Ben sits down; Ann plays Owl; Ann takes one; Ann takes Owl; Ben waves; good luck; Ann wins"
    _, log = mapped(chat(more), said.replace("; ", "\n"))
    fates = {kind.sentence: (kind.lines, kind.fate, kind.line) for kind in log.fates}
    assert fates == {
        "{player} takes {rest}": (2, "not read", 4),
        "good luck": (1, "skipped", 7),
        "{player} sits down": (2, "who plays", 1),
        "{player} plays {card}": (1, "card.moved", 3),
        "{player} waves": (1, "changes nothing", 6),
        "{player} wins": (1, "game.ended", 8),
    }
    assert log.games[0].understood == pytest.approx(100 * 5 / 7)
    assert log.remarks[0] == "2 lines not read, but left without a gap: 2 x `{player} takes {rest}`"
