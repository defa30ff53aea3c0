"""The sources of the compiled wheel, with native classes in place of structs, run here as Python."""

import importlib
import os
import subprocess
import sys
from copy import copy
from pathlib import Path
from types import ModuleType
from typing import Any, Final

import msgspec
import pytest

from projector.model.table import Table
from projector.model.things import Card, Player

ROOT: Final = Path(__file__).parents[2]
COMPILED: Final = ROOT / ".ci" / "compiled"

STRUCTS: Final = '''
"""A card and what it has to do."""

from typing import ClassVar

import msgspec

from projector.model.slots import Internal


class Thing(msgspec.Struct, eq=False, kw_only=True):
    """Whatever has state."""

    INTERNAL_FIELDS: ClassVar[frozenset[str]] = frozenset()

    n: int = -1


class Card(Thing, eq=False, kw_only=True):
    """A card."""

    name: str
    marks: list[str] = msgspec.field(default_factory=list)
    shown_to: Internal[str] = ""

    def __post_init__(self) -> None:
        """Mark it."""
        self.marks.append("made")

    @property
    def title(self) -> str:
        """Its name, as a title."""
        return self.name.title()


class Task(msgspec.Struct, frozen=True):
    """Something to do."""

    card: str
    count: int = 1


def twice(task: Task) -> Task:
    """Return a task with twice the count."""
    return msgspec.structs.replace(task, count=task.count * 2)
'''


def load(name: str) -> ModuleType:
    """Load a module of the folder that compiles, which is not on the path."""
    sys.path.insert(0, str(COMPILED))
    try:
        return importlib.import_module(name)
    finally:
        sys.path.remove(str(COMPILED))


@pytest.fixture(params=["as it is written", "rewritten"])
def made(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """Return the names of a small module: with structs, and with native classes in their place."""
    source = STRUCTS
    if request.param == "rewritten":
        monkeypatch.setitem(sys.modules, "projector.model.open_classes", load("open_classes"))
        source = load("native_classes").Structs({"projector.model.small": STRUCTS}).rewritten("projector.model.small")
        assert "msgspec.Struct" not in source
    names: dict[str, Any] = {"__name__": "small"}
    exec(compile(source, "small", "exec"), names)  # noqa: S102 - the text stands above
    return names


def test_a_native_class_is_made_and_copied_as_the_struct_is(made: dict[str, Any]) -> None:
    """Defaults, factories, what is done behind the constructor, properties and copies are the same."""
    card, other = made["Card"](name="lamp"), made["Card"](name="lamp", marks=["old"], n=3)
    assert (card.n, card.title, card.marks, other.marks, other.n) == (-1, "Lamp", ["made"], ["old", "made"], 3)
    assert card.marks is not made["Card"](name="lamp").marks
    twin = copy(other)
    assert (twin.name, twin.n, twin.marks is other.marks) == ("lamp", 3, True)
    assert card.__struct_fields__ == ("n", "name", "marks", "shown_to")
    with pytest.raises(TypeError):
        made["Card"]()
    with pytest.raises(TypeError):
        made["Card"](name="lamp", colour="red")


def test_it_is_compared_and_shown_as_the_struct_is(made: dict[str, Any]) -> None:
    """A value is equal to one with the same fields and has their hash; a thing is equal to itself alone."""
    task = made["Task"]("lamp", 2)
    assert task == made["Task"](card="lamp", count=2)
    assert task != made["Task"]("lamp")
    assert len({task, made["Task"]("lamp", 2)}) == 1
    assert repr(task) == "Task(card='lamp', count=2)"
    assert made["twice"](task) == made["Task"]("lamp", 4)
    assert made["Card"](name="lamp") != made["Card"](name="lamp")


def test_classes_of_other_people_extend_it_as_they_extend_the_struct(made: dict[str, Any]) -> None:
    """Fields that an ordinary class annotates are fields, with defaults, factories, copies and internal ones."""
    card: Any = made["Card"]

    class Hero(card, eq=False, kw_only=True):  # type: ignore[misc]  # it is made at run time
        power: int
        names: list[str] = msgspec.field(default_factory=list)
        n: int = 7

    hero = Hero(name="ann", power=2)
    assert (hero.power, hero.names, hero.n, hero.title, hero.marks) == (2, [], 7, "Ann", ["made"])
    hero.power = 5
    assert copy(hero).power == 5
    assert hero.names is not Hero(name="ann", power=2).names
    assert Hero.__struct_fields__ == ("n", "name", "marks", "shown_to", "power", "names")
    with pytest.raises(TypeError):
        Hero(name="ann")


VERBS: Final = """
def play(table, lamp, calls):
    table.set(lamp, "exhausted", True)
    table.set(lamp, "exhausted", bool(calls.append("set") or 1))
    table.count(lamp, "place", len(calls))
    table.count(lamp, "place", 0)
    if calls:
        table.update(lamp, controller=lamp.name, host=lamp.controller + "!", face_up=True, n=lamp.n)
        calls.update(
            more=1,
        )
    table.set(lamp, *("name", "Lantern"))
"""


class Calls(list[str]):
    """Calls that were made; it has an `update` of its own, as dictionaries have."""

    def update(self, **more: int) -> None:
        """Add the values that are passed."""
        self += map(str, more)


def changes(source: str) -> tuple[list[tuple[str, Any, Any]], list[str], list[int]]:
    """Return what `play` of a source writes in a table's journal, what it calls, and the number of the thing."""
    table = Table[Card, Player](options={}, library={})
    lamp = table.make("A:lamp", table.add_zone("play"), place=0)
    names: dict[str, Any] = {}
    exec(compile(source, "verbs", "exec"), names)  # noqa: S102 - the text stands above
    calls = Calls()
    names["play"](table, lamp, calls)
    return [(field, before, after) for _, field, before, after in table.journal[1:]], calls, [lamp.n]


def test_a_verb_that_is_written_out_changes_and_records_what_the_verb_does() -> None:
    """Values are worked out once and before any change; a field that has its value already is not recorded."""
    written_out = load("verbs").written_out(VERBS)
    assert written_out.count("table.set(") == 1, "only the field without a literal name is left to the table"
    assert "table.count(" not in written_out
    assert "calls.update(" in written_out
    assert changes(written_out) == changes(VERBS)
    fields = ["exhausted", "place", "controller", "host", "face_up", "name"]
    assert [field for field, _, _ in changes(VERBS)[0]] == fields


CONSTANTS: Final = """
from math import floor, pi
from typing import cast

import operator
import small
from small import inside


def outer(number: pi, floor=floor) -> "pi":
    found: pi = cast(pi, pi)
    def inner(each):
        return operator.add(each, pi)
    match found:
        case small.Thing():
            return floor(pi) + inside
    return inner(sum(pi for _ in range(2)))
"""


def test_names_from_elsewhere_become_constants_only_where_they_are_values() -> None:
    """Types, patterns, parameters of the same name and what is compiled itself stay as they are written."""
    rewritten = load("constants").with_constants(CONSTANTS, {"small.inside"}, {"small", "operator"})
    head, _, body = rewritten.partition("def outer")
    assert head.splitlines()[-4:] == ["_operator_add_here: Final = operator.add", "_pi_here: Final = pi", "", ""]
    assert "(number: pi, floor=floor) ->" in body
    assert "found: pi = cast(pi, _pi_here)" in body
    assert "return _operator_add_here(each, _pi_here)" in body
    assert "case small.Thing():" in body
    assert "return floor(_pi_here) + inside" in body
    assert "sum(_pi_here for _ in range(2))" in body


def test_only_names_for_tuples_of_equal_parts_mean_whole_tuples() -> None:
    """What a tuple of different things holds stays known by its place; annotations stay as they are."""
    source = "Cell = tuple[int, int]\nRow = tuple[str, int]\nAny = tuple[int, ...]\nhere: tuple[int, int] = (1, 2)\n"
    rewritten = load("tuples").with_whole_tuples(source)
    assert rewritten == source.replace("Cell = tuple[int, int]", "Cell = tuple[int, ...]")


def test_the_whole_fold_is_the_same_with_native_classes(tmp_path: Path) -> None:
    """The sources as they are compiled, run as Python, fold every recorded game to the digest that is on record."""
    compiled = load("building").prepare(ROOT, tmp_path)
    assert Path("projector/model/table.py") in compiled
    digests = ROOT / "tests" / "projector" / "test_digests.py"
    run = "import sys, pytest, projector; assert sys.argv[1] in projector.__file__; sys.exit(pytest.main(sys.argv[2:]))"
    options = ["-p", "no:cacheprovider", "--import-mode=importlib", "-o", "pythonpath=", "-o", "addopts="]
    tests = ["-q", "-k", "recordings", "--rootdir", str(tmp_path), str(digests)]
    command = [sys.executable, "-P", "-c", run, str(tmp_path), *tests, *options]
    paths = {**os.environ, "PYTHONPATH": str(tmp_path)}
    done = subprocess.run(command, env=paths, cwd=tmp_path, capture_output=True, text=True, check=False)  # noqa: S603 - this Python
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-4000:]
