"""Run the examples of the hand-written pages, and put their output below them.

    python docs/examples.py            every page with examples, and the README
    python docs/examples.py README.md  one page

A page's examples are its ```` ```console ```` blocks: lines that begin with `$ ` are commands, what follows is their
output. A block whose fence names a file (```` ```jsonl friday.jsonl ````) is written to that file before the commands
that come after it; one that says `append` is added to its end. All examples of a page run one after the other in an
empty folder. How long something took, and the head of a log, differ from run to run and are not compared.
"""

# ruff: noqa: INP001 - a script beside the pages
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
BLOCK = re.compile(r"^```(?P<language>\w+)(?P<file>[^\n`]*)\n(?P<body>.*?)^```$", re.MULTILINE | re.DOTALL)
VARYING = re.compile(r"\d+\.\d+ ?s\b|(?<=^Head: )[0-9a-f]{64}$", re.MULTILINE)
COMMAND = "$ "
PROGRAMS = {"tabletape": "-m tabletape", "python": ""}
"""The commands of the examples, and what this Python is called with for each."""
DEMO = "tabletape demo --no-serve"
"""Many pages begin with it, and it makes the same workspace each time: it runs once, and each page has a copy."""
PIP = """#!/bin/sh
for folder; do true; done
exec "{python}" -m pip install --quiet --no-build-isolation --no-deps --disable-pip-version-check \\
    --upgrade --target "{site}" "$folder" 2>&1
"""
"""`pip install -e FOLDER`, into a place of the page's own; its modules are those of the folder, as with `-e`."""


def pages() -> Iterator[Path]:
    """Yield the pages that have examples."""
    for page in (ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))):
        if page.exists() and f"```console\n{COMMAND}" in page.read_text(encoding="utf-8"):
            yield page


def refreshed(text: str) -> str:
    """Return the text of a page with the output of its examples as it is today."""
    with tempfile.TemporaryDirectory() as folder:
        return BLOCK.sub(Stage(Path(folder)).play, text)


class Stage:
    """The folder in which the examples of a page run."""

    def __init__(self, folder: Path) -> None:
        self.work = folder / "work"
        self.work.mkdir()
        self.place = folder / "place"
        self.place.write_text(str(self.work), encoding="utf-8")
        commands = folder / "bin"
        commands.mkdir()
        (commands / "pip").write_text(PIP.format(python=sys.executable, site=folder / "site"), encoding="utf-8")
        (commands / "pip").chmod(0o755)
        for name, what in PROGRAMS.items():
            command = commands / name
            command.write_text(f'#!/bin/sh\nexec "{sys.executable}" {what} "$@"\n', encoding="utf-8")
            command.chmod(0o755)
        self.environment = {**surroundings(), "PATH": f"{commands}:{os.environ['PATH']}"}

    def play(self, block: re.Match[str]) -> str:
        """Write the file of a block, or run its commands; return the block as it stands now."""
        name, _, how = block["file"].strip().partition(" ")
        if name:
            file = self.work / name
            file.parent.mkdir(parents=True, exist_ok=True)
            with file.open("a" if how == "append" else "w", encoding="utf-8") as stream:
                stream.write(block["body"])
            return block[0]
        if block["language"] != "console":
            return block[0]
        commands = re.findall(r"^\$ (.*(?:\\\n.*)*)", block["body"], re.MULTILINE)
        body = "".join(f"{COMMAND}{command}\n{self.run(command)}" for command in commands)
        return block[0] if VARYING.sub("", body) == VARYING.sub("", block["body"]) else f"```console\n{body}```"

    def _packages(self) -> list[Path]:
        """Return where Python looks: Tabletape, the packages that the page has written, and what it has installed."""
        written = sorted(file.parent for file in self.work.glob("*/pyproject.toml"))
        return [ROOT / ".package", *written, self.work.parent / "site"]

    def run(self, command: str) -> str:
        """Run a command in the folder where the last one ended; return what it prints.

        Remarks (standard error) stand where they were made; behind a pipe nobody can tell where, so they come last.
        """
        here = Path(self.place.read_text(encoding="utf-8").strip())
        environment = {**self.environment, "PYTHONPATH": os.pathsep.join(map(str, self._packages()))}
        if command.startswith(DEMO):
            made = Path(demo().name)
            shutil.copytree(made / "demo", here / "demo")
            command = command.replace(DEMO, f"cat '{made / 'said'}'", 1)
        done = subprocess.run(  # noqa: S603 - our own examples
            ["/bin/bash", "-c", f"trap 'pwd > \"{self.place}\"' EXIT\n{command}"],
            cwd=here,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE if " | " in command else subprocess.STDOUT,
            text=True,
            check=False,
        )
        lines = (done.stdout + (done.stderr or "")).replace(str(self.work), ".").splitlines()
        return "".join(f"{line.rstrip()}\n" for line in lines)


def surroundings() -> dict[str, str]:
    """Return the variables of the environment under which examples run."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith(("TABLETAPE_", "PYTEST_"))}
    return {**kept, "PYTHONUNBUFFERED": "1", "TERM": "dumb"}


@cache
def demo() -> tempfile.TemporaryDirectory[str]:
    """Return a folder with the workspace that `DEMO` makes, `demo`, and with what it prints, `said`."""
    folder = tempfile.TemporaryDirectory()
    with (Path(folder.name) / "said").open("wb") as said:
        words = [sys.executable, "-m", "tabletape", *DEMO.split()[1:]]
        environment = {**surroundings(), "PYTHONPATH": str(ROOT / ".package")}
        subprocess.run(words, cwd=folder.name, env=environment, stdout=said, stderr=said, check=True)  # noqa: S603 - our own
    return folder


def main() -> None:
    """Bring the pages that were named, or all, up to date."""
    for page in map(Path, sys.argv[1:]) if sys.argv[1:] else pages():
        old = page.read_text(encoding="utf-8")
        new = refreshed(old)
        page.write_text(new, encoding="utf-8", newline="\n")
        sys.stdout.write(f"{page}: {'as it was' if new == old else 'brought up to date'}\n")


if __name__ == "__main__":
    main()
