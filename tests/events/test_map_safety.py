"""Maps and lines are untrusted: no expression is slow, and no map and no line raises an unexpected error."""

from datetime import date, datetime
from typing import Any

import pytest
import tomlkit
from hypothesis import given, settings
from hypothesis import strategies as st

from tabletape.events.importing.maps import effort, patterns
from tabletape.events.importing.maps.documents.trees import ForeignError
from tabletape.events.importing.maps.map import MapError, read_map
from tabletape.events.importing.maps.notation import FileReading, MappedLog
from tabletape.events.importing.maps.values.captured import KnownCards, Names, ValueFault
from tabletape.events.importing.maps.values.days import plain_day
from tabletape.events.vocabulary import Event, tag_of, vocabulary
from tests.benchmarks.hostile_maps import HOSTILE, content, read
from tests.benchmarks.map_speed import chat, the_map


@pytest.mark.parametrize("engine", ["re2", "re"])
def test_regular_expressions_are_read_with_and_without_re2(engine: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """An expression that repeats single characters works with both engines: it matches whole lines and captures."""
    if engine == "re":
        monkeypatch.setattr(patterns, "re2", None)
    pattern = patterns.read_pattern(r"(?P<player>\w+) (?:now )?plays (?P<card>.+)")
    assert set(pattern.captures) == {"player", "card"}
    assert pattern.match("Ann now plays Lamp") == {"player": "Ann", "card": "Lamp"}
    assert pattern.match("so Ann plays Lamp") is None
    with pytest.raises(patterns.PatternError):
        patterns.read_pattern("(")


@pytest.mark.parametrize(
    "written", ["(a+)+b", "(a|aa)*b", r"(a)\1", "(?=a)a", "a?" * 40 + "a" * 40, "a*" * 9, "(?:a|a)" * 40, "(" * 5000]
)
def test_an_expression_that_could_take_for_ever_needs_re2(written: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without RE2, expressions that repeat groups, refer back or can match in too many ways are refused."""
    monkeypatch.setattr(patterns, "re2", None)
    with pytest.raises(patterns.PatternError):
        patterns.read_pattern(written)


def test_a_line_that_is_too_long_for_python_s_engine_is_not_matched(monkeypatch: pytest.MonkeyPatch) -> None:
    """The more repetitions an expression has, the shorter are the lines that it is tried on."""
    monkeypatch.setattr(patterns, "re2", None)
    lengths = [patterns.read_pattern(" ".join([".*"] * holes)).longest for holes in (1, 2, 3, 4)]
    assert lengths == sorted(lengths, reverse=True)
    assert patterns.read_pattern(".*x.*").match("x" * 4000) is None


PIECES = [
    "{player}",
    "{card}",
    "{cards}",
    "{n:number}",
    "{count:number}",
    "{x}",
    "{w}",
    " ",
    " plays ",
    "a",
    "aa",
    ": ",
]
EVENTS = ["card.moved", "cards.drawn", "turn.started", "deck.declared", "log.gap", "nonsense", ""]


@st.composite
def written_maps(draw: st.DrawFn) -> dict[str, Any]:
    """Return a map as TOML would give it: any sentences, expressions, fields and expectations, sensible or not."""
    sentence = st.lists(st.sampled_from(PIECES), min_size=1, max_size=6).map("".join)
    fields = st.dictionaries(st.sampled_from(["to", "from", "count", "cards", "player", "by"]), st.sampled_from(PIECES))
    entry = st.fixed_dictionaries(
        {},
        optional={
            "is": sentence | st.lists(sentence, max_size=3),
            "under": sentence,
            "matches": st.sampled_from(["a+b", "(?P<card>a+) .*", "(a|b)", "(", ".*a.*a.*a.*"]),
            "event": st.sampled_from(EVENTS),
            "with": fields,
            "sets": st.dictionaries(st.sampled_from(["turn_of", "x"]), st.sampled_from(PIECES), max_size=1),
            "seats": st.booleans(),
            "skip": st.booleans(),
            "ends": st.booleans(),
        },
    )
    return {
        "map": 1,
        "game": draw(st.sampled_from(["tabletop", "splicers"])),
        "shape": "lines",
        "clean": draw(st.lists(st.sampled_from(["blanks", "quotes", "tags"]), max_size=3)),
        "prefix": draw(st.sampled_from([[], "[{at:time}] ", "{x}: "])),
        "starts": draw(st.sampled_from([[], "a", "{player} plays"])),
        "newest_first": draw(st.booleans()),
        "words": {"w": ["a", "aa", "aaa"]},
        "players": {"a": {}} if draw(st.booleans()) else {},
        "line": [{"is": "{player} sits", "seats": True}, *draw(st.lists(entry, max_size=6))],
        "expect": draw(st.sampled_from([{}, {"understood": 50}, {"ends": "all"}, {"turns": [1, 2]}])),
    }


@settings(deadline=None, max_examples=150)
@given(written_maps(), st.lists(st.text(alphabet="a plays:[]0-<>'\"é", max_size=60), max_size=30), st.booleans())
def test_no_map_and_no_line_raises_an_unexpected_error(
    written: dict[str, Any], lines: list[str], python_engine: bool
) -> None:
    """A map is refused in words, or any lines give events and entries, with RE2 and with Python's own engine."""
    engines: Any = patterns
    before, engines.re2 = engines.re2, None if python_engine else engines.re2
    try:
        used = read_map(tomlkit.dumps(written), "any.map.toml", vocabulary)
    except MapError as error:
        message = str(error)
    else:
        message = ""
    finally:
        engines.re2 = before
    if message:
        assert message.startswith("any.map.toml:")
        return
    log = MappedLog(
        "chat.txt", used, "\n".join(["a sits", "aa plays sits", *lines]).encode(), FileReading(lambda _: None)
    )
    events = [event for batch in log.events() for _, event in batch]
    assert all(isinstance(event, Event) for event in events)
    assert all(entry.message and entry.line for entry in log.entries)


# -- steps -------------------------------------------------------------------------------------------------------------


def test_every_hostile_map_is_read_within_the_steps_of_its_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    """A map that is made to be slow is refused, or stays within the steps of its lines, and some are left unread."""
    monkeypatch.setattr(effort, "FIRST_STEPS", 10_000)
    spent = 0
    for hostile in HOSTILE.values():
        for python_engine in (False, True):
            try:
                used = read(hostile.map, own=python_engine)
            except MapError:
                continue
            log = MappedLog("chat.txt", used, content(hostile, 40), FileReading(lambda _: None))
            for _ in log.events():
                pass
            assert log.steps_left >= 0
            spent += any("take too long" in entry.message for entry in log.entries)
    assert spent >= 3


def test_a_line_that_takes_too_long_costs_no_other_line(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each line adds steps of its own: after any number of difficult lines a usual one is still read."""
    monkeypatch.setattr(effort, "FIRST_STEPS", 10_000)
    hostile = HOSTILE["200 entries of eight holes, all but fitting"]
    used = read(hostile.map + '[[line]]\nis = "{player} waits"\nevent = "turn.ended"\n', own=False)
    text = content(hostile, 60).decode() + "\na waits"
    log = MappedLog("chat.txt", used, text.encode(), FileReading(lambda _: None))
    events = [event for batch in log.events() for _, event in batch]
    assert [tag_of(type(event)) for event in events] == ["game.started", "log.gap", "turn.ended"]
    assert any("take too long" in entry.message for entry in log.entries)


def test_a_usual_chat_leaves_steps_over() -> None:
    """With twenty entries and five thousand usual lines, no line needs as many steps as it adds."""
    log = MappedLog("chat.txt", the_map(), "\n".join(chat(5000)).encode(), FileReading(lambda _: None, "", "chat"))
    for _ in log.events():
        pass
    assert log.steps_left > effort.FIRST_STEPS
    assert not any("take too long" in entry.message for entry in log.entries)


def test_comparing_a_name_with_all_cards_takes_steps_once() -> None:
    """A misspelt name is compared with every card of the game, which takes steps, but only once for the same name."""
    cards = {f"Moss Golem {number:04}": f"moss-golem-{number:04}" for number in range(2000)}
    names, spent = Names({}, KnownCards(cards), {}, counted := effort.Effort()), []
    for _ in range(2):
        before = counted.left
        with pytest.raises(ValueFault):
            names.card("a wholly different thing")
        spent.append(before - counted.left)
    assert spent[0] > 500
    assert spent[1] < 20


def test_every_event_of_a_line_takes_steps() -> None:
    """A line that gives a hundred further events costs more than a hundred times what one event costs at least."""
    hostile = HOSTILE["many further events"]
    log = MappedLog("chat.txt", read(hostile.map, own=False), content(hostile, 100), FileReading(lambda _: None))
    for _ in log.events():
        pass
    assert log.steps_left < effort.FIRST_STEPS + 100 * effort.A_LINE - 100 * 300


def test_the_text_that_a_line_sets_is_limited() -> None:
    """A line that doubles a text each time is not read once that text is longer than the limit."""
    hostile = HOSTILE["what a line sets grows with every line"]
    used = read(hostile.map.replace("a begins", "a draws"), own=False)
    log = MappedLog("chat.txt", used, ("a sits\na draws\n" + "a waits\n" * 40).encode(), FileReading(lambda _: None))
    for _ in log.events():
        pass
    assert any("more than 4000 characters" in entry.message for entry in log.entries)


@pytest.mark.parametrize(
    ("written", "message"),
    [
        ('shape = "lines"\ndates = ["%d", "%m", "%Y", "%H", "%M", "%S"]', "any.map.toml:4: `dates` has 6 forms"),
        (f'shape = "json"\nrows = "."\ntext = "{"a." * 600}"', "any.map.toml:5: `text`, `player` and `at` have 1,200"),
    ],
)
def test_a_map_that_could_make_every_row_slow_is_refused(written: str, message: str) -> None:
    """Date formats and paths are tried on every row, so a map with too many of them is refused."""
    with pytest.raises(MapError, match=message):
        read_map(f'map = 1\ngame = "tabletop"\n{written}\n[[line]]\nis = "x"\nskip = true', "any.map.toml", vocabulary)


def test_a_row_of_results_for_which_no_steps_are_left_is_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a sheet whose columns take too long, the difficult rows get entries, and the others are read."""
    monkeypatch.setattr(effort, "FIRST_STEPS", 0)
    columns = '[columns]\nplayers = "p (split ;)"\nwinner = "w"\nnote = "n (split ;)"'
    used = read_map(f'map = 1\ngame = "tabletop"\nshape = "results"\n{columns}\n', "any.map.toml", vocabulary)
    sheet = f"p,w,n\na; b,a,x\na; b,a,{'x;' * 4000}\na; b,b,x\n"
    log = MappedLog("r.csv", used, sheet.encode(), FileReading(lambda _: None))
    assert sum(1 for _ in log.events()) == 2
    assert [(entry.line, entry.message) for entry in log.entries] == [
        (3, "row 3: the columns of the map take too long over it")
    ]


def test_a_table_of_hundreds_of_columns_is_refused() -> None:
    """Every cell of a table is read, so a table that is too wide is refused, with its number of columns."""
    wide = ",".join(f"c{n}" for n in range(301))
    used = read_map(
        'map = 1\ngame = "tabletop"\nshape = "results"\n[columns]\nplayers = "c1"\nwinner = "c2"', "m", vocabulary
    )
    log = MappedLog("r.csv", used, f"{wide}\n{wide}\n".encode(), FileReading(lambda _: None))
    with pytest.raises(ForeignError, match="301 columns, and 300 at most"):
        list(log.events())


@given(
    st.dates(date(1000, 1, 1)),
    st.sampled_from(["%d.%m.%Y", "%Y-%m-%d", "%Y/%m/%d", "%d %B %Y", "%b %d, %Y", "%d-%b-%Y", "%A, %d %B %Y"]),
)
def test_a_plain_day_is_read_as_strptime_reads_it(day: date, form: str) -> None:
    """Unambiguous dates are read without a given format, with the same result as `strptime`."""
    text = day.strftime(form)
    assert plain_day(text) == datetime.strptime(text, form).date()  # noqa: DTZ007 - a day has no zone
