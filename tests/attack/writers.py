"""Many writers at once: each waits for its turn, and everything that any of them acknowledged is stored."""

import subprocess
import sys
from pathlib import Path

from tabletape.events.log import Log
from tabletape.events.log.integrity import verify
from tests.attack.kills import IMPORT, ROOT, write_logs


def writers(database: str, number: int, files: int, folder: Path) -> list[str]:
    """Run `number` processes that import `files` files each into one log; return what is wrong."""
    Log.open(database, create=True).close()
    processes = []
    for each in range(number):
        place = folder / f"writer-{each}"
        place.mkdir()
        source = write_logs(place, files)
        for file in source.iterdir():
            text = file.read_text(encoding="utf-8")
            file.write_text(text.replace('"id": "g', f'"id": "w{each}-g'), encoding="utf-8")
        command = [sys.executable, "-c", IMPORT, database, str(source)]
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
        processes.append(subprocess.Popen(command, cwd=ROOT, **pipes))  # type: ignore[call-overload]  # noqa: S603 - our own
    problems = []
    for process in processes:
        output, errors = process.communicate(timeout=600)
        if process.returncode or len(output.split()) != files:
            problems.append(f"a writer took {len(output.split())} of {files} files: {errors[-300:]}")
    with Log.open(database) as log:
        if len(log.games()) != number * files * 20:
            problems.append(f"{len(log.games())} games, {number * files * 20} were written")
        problems += [each.message for each in verify(log)]
    return problems
