"""Maps that are written to be slow on dates, JSON, rows and results; `hostile_maps` measures them."""

import json
import random
from typing import Any, Final

from tabletape.events.importing.maps.documents.foreign import MOST_COLUMNS
from tabletape.events.importing.maps.map import MOST_FORMS
from tests.benchmarks.hostile import FileLayout, Hostile

JSON: Final = FileLayout('[{"t": "a sits"},\n', ",\n", "]")
ROWS: Final = 'map = 1\ngame = "tabletop"\nshape = "rows"\ntext = "t"\n'
PATHS: Final = 'map = 1\ngame = "tabletop"\nshape = "json"\nrows = "."\n'
RESULTS: Final = 'map = 1\ngame = "tabletop"\nshape = "results"\n'
SEATS: Final = '[[line]]\nis = "{player} sits"\nseats = true\n'
WAITS: Final = '[[line]]\nis = "a waits"\nevent = "turn.ended"\nwith = { player = "a" }\n'
DEEP: Final = ".".join("a" * 60)


def _sheet(*columns: str) -> FileLayout:
    return FileLayout(",".join(columns) + "\n")


def _array(*texts: str) -> str:
    return f"[{', '.join(json.dumps(each) for each in texts)}]"


def _nested(depth: int, inner: Any) -> Any:
    for _ in range(depth):
        inner = {"a": inner}
    return inner


def _date_formats(count: int) -> str:
    return f"dates = {_array(*(f'%d/%m/%Y {n} %H:%M' for n in range(count)))}\n"


def _day(dice: random.Random) -> str:
    return f"{dice.randrange(10, 32)}/{dice.randrange(10, 99)}/2026 {dice.randrange(0, 6)} 19:02"


def _result(dice: random.Random) -> str:
    return f"a; b,a,{_day(dice)}"


COLUMNS: Final = [f"column {n}" for n in range(MOST_COLUMNS - 8)]
NAMES: Final = [f"name {n}" for n in range(1000)]

DOCUMENTS: Final = {
    "invalid dates": Hostile(
        f'map = 1\ngame = "tabletop"\nshape = "lines"\nprefix = "[{{at:time}}] "\n{SEATS}{WAITS}',
        lambda dice: f"[{dice.randrange(40, 99)}.{dice.randrange(13, 99)}.{dice.randrange(1000, 9999)} 10:10] a waits",
    ),
    "five date formats": Hostile(
        f'map = 1\ngame = "tabletop"\nshape = "lines"\nprefix = "[{{at}}] "\n{_date_formats(MOST_FORMS)}{SEATS}{WAITS}',
        lambda dice: f"[{_day(dice)}] a waits",
    ),
    "five date formats, and gaps": Hostile(
        'map = 1\ngame = "tabletop"\nshape = "lines"\nprefix = "[{at}] "\ngap = "1 min"\n'
        f"{_date_formats(MOST_FORMS)}{SEATS}{WAITS}",
        lambda dice: f"[{_day(dice)}] a waits",
    ),
    "JSON: deep paths": Hostile(
        PATHS + f"text = {_array(*(f'{DEEP}.{n}' for n in range(50)), 't')}\n" + SEATS + WAITS,
        lambda _: json.dumps({**_nested(60, "x"), "t": "a waits"}),
        JSON,
    ),
    "JSON: conditions on deep paths": Hostile(
        PATHS
        + 'text = "t"\n'
        + SEATS
        + "".join(f'[[line]]\nwhen = {{ "{DEEP}.{n}" = 1 }}\nskip = true\n' for n in range(160)),
        lambda _: json.dumps({**_nested(60, "x"), "t": "a waits"}),
        JSON,
    ),
    "JSON: many keys beside an unfolded list": Hostile(
        PATHS + 'text = "l.t"\nunfold = "l"\n' + SEATS + WAITS,
        lambda _: json.dumps({**dict.fromkeys(NAMES[:100], 1), "l": [{"t": "a waits"}]}),
        JSON,
    ),
    "JSON: an unfolded list, and a long one as the player": Hostile(
        PATHS + 'text = "l"\nunfold = "l"\nplayer = "p"\nat = "p"\n' + SEATS + WAITS,
        lambda dice: json.dumps({"l": ["a waits"] * 100, "p": NAMES} if dice.random() < 0.01 else {}),
        JSON,
    ),
    "JSON: looked up by a long list": Hostile(
        PATHS
        + 'text = "l"\nunfold = "l"\nplayer = "p"\n[lookup]\np = "x[id].name"\n[[line]]\n'
        + 'when = { "p" = 1 }\nskip = true\n'
        + SEATS,
        lambda dice: json.dumps({"l": ["a waits"] * 100, "p": NAMES} if dice.random() < 0.01 else {}),
        JSON,
    ),
    "rows: hundreds of columns": Hostile(
        ROWS + SEATS + WAITS,
        lambda _: "a waits," + ",".join("x" * len(COLUMNS)),
        FileLayout(_sheet("t", *COLUMNS).before + "a sits\n"),
    ),
    "rows: hundreds of conditions": Hostile(
        ROWS + SEATS + "".join(f'[[line]]\nwhen = {{ "{name}" = 1 }}\nskip = true\n' for name in COLUMNS),
        lambda _: "a waits," + ",".join("x" * len(COLUMNS)),
        FileLayout(_sheet("t", *COLUMNS).before + "a sits\n"),
    ),
    "results: five date formats": Hostile(
        RESULTS + _date_formats(MOST_FORMS) + '[columns]\nplayers = "p (split ;)"\nwinner = "w"\ndate = "d"\n',
        _result,
        _sheet("p", "w", "d"),
    ),
    "results: a thousand separators": Hostile(
        RESULTS + f'[columns]\nwinner = "w"\nplayers = {{ column = "p", split = {_array(*NAMES)} }}\n',
        lambda _: f"{'na ' * 1000},a",
        _sheet("p", "w"),
    ),
    "results: a thousand words for an empty cell": Hostile(
        RESULTS
        + "[columns]\n"
        + "".join(
            f'{name} = {{ column = "{name}", split = ";", none = {_array(*NAMES)} }}\n'
            for name in ("players", "winner", "scores", "cards", "note", "reason", "minutes", "turns")
        ),
        lambda _: "a;b,a,1;2,x,x,x,1,1",
        _sheet("players", "winner", "scores", "cards", "note", "reason", "minutes", "turns"),
    ),
    "results: a thousand words for a win": Hostile(
        RESULTS
        + f'[columns]\ngroup = "g"\nplayer = "p"\nwon = {{ column = "w", is = {_array(*NAMES)} }}\n'
        + f'first = {{ column = "w", is = {_array(*NAMES)} }}\n',
        lambda dice: f"{dice.randrange(3000)},{dice.randrange(9)},name 1",
        _sheet("g", "p", "w"),
    ),
    "results: hundreds of columns of scores": Hostile(
        RESULTS + f'[columns]\nbest = "highest"\nscore_of = {_array(*COLUMNS)}\n',
        lambda _: ",".join("1" * len(COLUMNS)),
        _sheet(*COLUMNS),
    ),
    "results: hundreds of columns filled down": Hostile(
        RESULTS + f'[columns]\nplayers = "p (split ;)"\nwinner = "w"\nfill_down = {_array(*COLUMNS)}\n',
        lambda dice: f"a;b,a,{','.join('x' * 1000) if dice.random() < 0.01 else ''}",
        _sheet("p", "w", *COLUMNS),
    ),
    "results: hundreds of columns of winners": Hostile(
        RESULTS + f'[columns]\nplayers = "p (split ;)"\nwinner = {_array(*COLUMNS)}\ndate = {_array(*COLUMNS)}\n',
        lambda _: f"a;b,{','.join('x' * 1000)}",
        _sheet("p", *COLUMNS),
    ),
    "results: thousands of names in a cell": Hostile(
        RESULTS + '[columns]\nplayers = "p (split ;)"\nwinner = "w"\ndecks = "p (split ;)"\n',
        lambda dice: f"{';'.join(str(dice.randrange(10**6)) for _ in range(1000))},a",
        _sheet("p", "w"),
    ),
    "results: a long sum as the score": Hostile(
        RESULTS + '[columns]\nplayers = "p (split ;)"\nwinner = "w"\nscores = "s (split ;)"\n',
        lambda _: f"a;b,a,{'1+' * 1000};1+2",
        _sheet("p", "w", "s"),
    ),
    "results: many rows of one game": Hostile(
        RESULTS + '[columns]\ngroup = "g"\nplayer = "p"\nwon = "w"\n', lambda _: "1,a,1", _sheet("g", "p", "w")
    ),
    "results: cards of each player": Hostile(
        PATHS.replace("json", "results") + '[columns]\neach = "s"\nplayer = "p"\nwon = "w"\ncards = "c"\n',
        lambda dice: json.dumps(
            {"s": [{"p": "a", "w": 1, "c": [f"card {dice.randrange(10**6)}" for _ in range(200)]}, {"p": "b", "w": 0}]}
        ),
        JSON,
    ),
}
