"""Installed, everything is `tabletape.*`: no name of ours meets another, whatever else is installed."""

import ast
import os
import re
import subprocess
import sys
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path
from zipfile import ZipFile

import pytest

ROOT = Path(__file__).parents[2]
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
FOLDERS = ("cli", "dashboard", "events", "migrations", "projector")


def plain(distribution: str) -> str:
    """Return the normalized name of a distribution."""
    return re.sub(r"[-_.]+", "-", distribution).lower()


def modules(folder: Path) -> set[str]:
    """Return the names of the modules and packages in a folder, at any depth, without the folder's own."""
    files = {path for path in folder.rglob("*.py") if path != folder / "__init__.py"}
    return {path.parent.name if path.stem == "__init__" else path.stem for path in files}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the wheel of this repository."""
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)  # noqa: S603 - our own build
    (built,) = folder.glob("*.whl")
    return built


def test_the_wheel_holds_one_package_and_all_that_belongs_to_it(wheel: Path) -> None:
    """Everything lies in `tabletape`: each module, and each file that a module reads; nothing that builds it."""
    with ZipFile(wheel) as archive:
        held = {name for name in archive.namelist() if ".dist-info/" not in name}
    tracked = subprocess.run(  # noqa: S603 - git lists our own files
        ["git", "ls-files", *FOLDERS],  # noqa: S607 - wherever git is
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    if tracked.returncode:
        pytest.skip("this is no git checkout")
    there = {f"tabletape/{name}" for name in tracked.stdout.split()}
    assert held == there | {"tabletape/__init__.py", "tabletape/__main__.py", "tabletape/py.typed"}


def test_the_wheel_works_beside_a_package_called_events(wheel: Path, tmp_path: Path) -> None:
    """The README's first example runs from another folder, where other packages have the names of our folders."""
    place, work = tmp_path / "site", tmp_path / "work"
    with ZipFile(wheel) as archive:
        archive.extractall(place)
    for name in FOLDERS:
        (place / f"{name}.py").write_text("raise ImportError('this is somebody else')", encoding="utf-8")
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    sheet = re.search(r"^```csv fridays\.csv\n(.*?)^```$", readme, re.MULTILINE | re.DOTALL)
    assert sheet is not None
    work.mkdir()
    (work / "fridays.csv").write_text(sheet[1], encoding="utf-8")
    program = "from tabletape.cli.start import run; run()"
    printed = ""
    for verb in (["import", "fridays.csv", "--zone", "Europe/Berlin"], ["build"], ["stats", "first-player"]):
        done = subprocess.run(  # noqa: S603 - our own command
            [sys.executable, "-c", program, *verb],
            cwd=work,
            env={**os.environ, "PYTHONPATH": str(place)},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        printed = done.stdout
    assert "60 % (3 of 5; 23-88 %)" in printed


def test_nobody_else_is_called_tabletape() -> None:
    """No other distribution has a package of this name, which would hide ours or be hidden by it."""
    # An editable installation lists a path in place of packages: then no distribution owns the name.
    assert set(packages_distributions().get("tabletape", ["tabletape"])) == {"tabletape"}


@pytest.mark.parametrize("floor", ["dashboard", "cli"])
def test_no_module_is_called_like_a_top_level_package(floor: str) -> None:
    """Streamlit puts the folder of its script first on the path, so a module there would hide a package."""
    pinned = (ROOT / "constraints.txt").read_text(encoding="utf-8").split()
    needed = {plain(line.partition("==")[0]) for line in pinned}
    brought = {name for name, by in packages_distributions().items() if needed & set(map(plain, by))}
    assert {"streamlit", "duckdb"} <= brought
    assert modules(ROOT / floor) & {*brought, "tabletape"} == set()


def test_the_script_of_the_dashboard_hides_nothing_of_python() -> None:
    """The folder that Streamlit puts first on the path has no module named like one of the standard library."""
    beside_the_script = modules(ROOT / "dashboard" / "entry")
    assert "app" in beside_the_script
    assert beside_the_script & {*sys.stdlib_module_names, "tabletape"} == set()


def imported(file: Path) -> set[str]:
    """Return the top-level packages that a module imports."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found.update(each.name.partition(".")[0] for each in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module.partition(".")[0])
    return found


def test_every_imported_library_is_a_declared_dependency() -> None:
    """A library that is only installed because another one needs it may be missing tomorrow."""
    # Libraries of the extras for users are imported if they are installed, and otherwise reported as missing.
    extras = PYPROJECT["project"]["optional-dependencies"]
    chosen = [each for name, brought in extras.items() if name not in {"test", "bench"} for each in brought]
    declared = [*PYPROJECT["project"]["dependencies"], *chosen]
    named = {plain(re.split(r"[<>=\[]", each)[0]) for each in declared}
    ours = {name for floor in FOLDERS for file in (ROOT / floor).rglob("*.py") for name in imported(file)}
    owners = packages_distributions()
    foreign = {name for name in ours if name in owners} - {"tabletape"}
    assert "duckdb" in foreign
    assert {name for name in foreign if not named & set(map(plain, owners[name]))} == set()


def room(path: Path) -> str:
    """Return the room that gives a class its meaning: the rooms of games are one, as each speaks of the same."""
    name = path.relative_to(ROOT).as_posix()
    return "games" if name.startswith(("events/games/", "projector/games/", "events/vocabulary/")) else name


def test_no_two_public_classes_have_the_same_name() -> None:
    """A name means one thing, wherever it is read; only what every game has of its own is called the same in each."""
    places: dict[str, set[str]] = {}
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*.py")):
            for node in ast.parse(path.read_text(encoding="utf-8")).body:
                if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                    places.setdefault(node.name, set()).add(room(path))
    assert {name: sorted(rooms) for name, rooms in places.items() if len(rooms) > 1} == {}
