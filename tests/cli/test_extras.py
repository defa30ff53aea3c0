"""The parts of an install: what each rests on, and what is said where a library is missing."""

import importlib.metadata
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tabletape.cli.terminal.output import EXTRAS

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
LOG = ROOT / "tests" / "recordings" / "crystal" / "ability-against-oneself.jsonl"

WITHOUT = f"""
import sys
sys.modules.update(dict.fromkeys({sorted(EXTRAS)!r}))
from tabletape.cli.start import run
sys.argv[0] = "tabletape"
run()
"""


def without_extras(folder: Path, *verb: str) -> "subprocess.CompletedProcess[str]":
    """Run a verb where no library of an extra is installed."""
    return subprocess.run(  # noqa: S603 - our own command
        [sys.executable, "-c", WITHOUT, *verb], cwd=folder, capture_output=True, text=True, check=False
    )


def test_a_plain_install_brings_every_extra_that_a_command_names() -> None:
    """What an extra of the product names is installed anyway, in the same versions, and brings its libraries."""
    distributions = importlib.metadata.packages_distributions()
    for library, extra in EXTRAS.items():
        needed = PROJECT["optional-dependencies"][extra]
        assert set(needed) <= set(PROJECT["dependencies"])
        assert {name.lower() for name in distributions[library]} & {each.partition(">")[0] for each in needed}


def test_importing_auditing_and_counting_need_no_extra(tmp_path: Path) -> None:
    """A log is imported, shown, audited and counted where no library of an extra is installed."""
    for verb in (["import", str(LOG)], ["replay", "cry-recorded", "--plain"], ["audit"], ["build"], ["stats", "games"]):
        ended = without_extras(tmp_path, *verb)
        assert ended.returncode == 0, ended.stderr


@pytest.mark.parametrize(
    ("verb", "library"), [(["serve"], "segno"), (["template", "crystal", "--out", "s.xlsx"], "xlsxwriter")]
)
def test_a_missing_library_is_named_with_what_brings_it(verb: list[str], library: str, tmp_path: Path) -> None:
    """Where a library is missing the command says what to install, and ends with an error."""
    ended = without_extras(tmp_path, *verb)
    said = f"this needs {library}, which is not installed: pip install 'tabletape[{EXTRAS[library]}]'"
    assert (ended.returncode, ended.stdout, said in ended.stderr) == (1, "", True)


def test_a_workbook_without_its_reader_is_refused_with_a_way_on(tmp_path: Path) -> None:
    """A workbook that nothing installed can read is left alone, with what would read it."""
    (tmp_path / "evening.xlsx").write_bytes(b"PK\x03\x04")
    ended = without_extras(tmp_path, "import", "evening.xlsx")
    assert ended.returncode != 0
    assert "tabletape[sheets]" in ended.stdout + ended.stderr
