"""The names of our packages are unique: no installed distribution has one, and no module hides another."""

import ast
import re
import sys
import tomllib
from importlib.metadata import PackageNotFoundError, packages_distributions, version
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
OURS = tuple(PYPROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"])


def plain(distribution: str) -> str:
    """Return the normalized name of a distribution."""
    return re.sub(r"[-_.]+", "-", distribution).lower()


def modules(folder: Path) -> set[str]:
    """Return the names of the modules and packages in a folder, at any depth, without the folder's own."""
    files = {path for path in folder.rglob("*.py") if path != folder / "__init__.py"}
    return {path.parent.name if path.stem == "__init__" else path.stem for path in files}


def test_our_top_level_packages_are_the_four_layers_and_the_migrations() -> None:
    """The wheel holds these packages and no other."""
    assert sorted(OURS) == ["cli", "dashboard", "events", "migrations", "projector"]
    assert all((ROOT / name / "__init__.py").is_file() for name in OURS)


def test_our_top_level_names_belong_to_us_alone() -> None:
    """No other distribution has a package of the same name, which would hide ours or be hidden by it."""
    try:
        version("tabletape")
    except PackageNotFoundError:
        pytest.skip("tabletape is not installed here")
    owners = packages_distributions()
    # An editable installation lists a path in place of packages: then no distribution owns the names.
    assert {name: set(owners.get(name, ["tabletape"])) for name in OURS} == {name: {"tabletape"} for name in OURS}


@pytest.mark.parametrize("floor", ["dashboard", "cli"])
def test_no_module_is_called_like_a_top_level_package(floor: str) -> None:
    """Streamlit puts the folder of its script first on the path, so a module there would hide a package."""
    pinned = (ROOT / "constraints.txt").read_text(encoding="utf-8").split()
    needed = {plain(line.partition("==")[0]) for line in pinned}
    brought = {name for name, by in packages_distributions().items() if needed & set(map(plain, by))}
    assert {"streamlit", "duckdb"} <= brought
    assert modules(ROOT / floor) & {*brought, *OURS} == set()


def test_the_script_of_the_dashboard_hides_nothing_of_python() -> None:
    """The folder that Streamlit puts first on the path has no module named like one of the standard library."""
    beside_the_script = modules(ROOT / "dashboard" / "entry")
    assert "app" in beside_the_script
    assert beside_the_script & {*sys.stdlib_module_names, *OURS} == set()


def imported(file: Path) -> set[str]:
    """Return the top-level packages that a module imports."""
    found = set()
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
    ours = {name for floor in OURS for file in (ROOT / floor).rglob("*.py") for name in imported(file)}
    owners = packages_distributions()
    foreign = {name for name in ours if name in owners} - set(OURS)
    assert "duckdb" in foreign
    assert {name for name in foreign if not named & set(map(plain, owners[name]))} == set()
