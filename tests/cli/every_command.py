"""Run the commands whose output should always be the same, and keep what each prints: `every_command.py FOLDER`."""

import os
import re
import sys
from pathlib import Path

from typer.testing import CliRunner

from tabletape.cli.main import app
from tabletape.dashboard.questions import questions
from tabletape.projector.games import built_in_games

OF_THIS_RUN = re.compile(r"Head: |[\d.]+ s, in ")
"""Lines that say when something was done, or how long it took."""

SECONDS = re.compile(r"(?<= events in )[\d.]+ s")
"""How long the audit of some events took, in a line that says more than that."""

SEED = 5
GAMES = 2


def commands() -> list[str]:
    """Return the commands, in an order in which they find what they need."""
    games = built_in_games()
    ids = [f"bot-{game}-{SEED}-{number}" for game in games for number in range(1, GAMES + 1)]
    made = [f"simulate {game} --games {GAMES} --seed {SEED} --out {game}.jsonl" for game in games]
    shown = [f"replay {each} {form}" for each in ids for form in ("--plain", "--json")]
    return [
        *made,
        *(f"import {game}.jsonl" for game in games),
        "audit",
        "audit --format sarif",
        "build",
        f"share {' '.join(ids)} --out shared.html",
        f"report {' '.join(ids)} --out report.html",
        "export --bgstats plays.json --ocel ocel.json --xes events.xes --text transcript.txt",
        *(f"stats {each.name} --bots --json" for each in questions() if each.name != "versions"),
        *shown,
        *(f"rules --game {game}" for game in games),
        *(f"schema {game}" for game in games),
        "coverage",
    ]


def run_all(folder: Path) -> None:
    """Run every command in a new folder, and write what it prints there."""
    folder.mkdir()
    os.chdir(folder)
    for number, command in enumerate(commands()):
        result = CliRunner().invoke(app, command.split())
        said = [SECONDS.sub("", line) for line in result.output.splitlines() if not OF_THIS_RUN.match(line)]
        text = "\n".join([command, f"exit code {result.exit_code}", *said])
        Path(f"{number:03}.txt").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    run_all(Path(sys.argv[1]))
