"""How well the shipped maps read folders of public files: `python -m tests.benchmarks.foreign_files FOLDER…`."""

import sys
from pathlib import Path

from tabletape.events.importing.maps.finding import fitting_map
from tabletape.events.importing.maps.proposing.preview import Preview, preview

UNKNOWN = ("nobody is said", "no winner", "; 0 turns")


def read(folder: Path) -> tuple[list[Preview], list[str]]:
    """Return what becomes of each file of a folder, and the names of those that no map fits."""
    found, refused = [], []
    for file in sorted(folder.iterdir()):
        content = file.read_bytes()
        used = fitting_map(file, content, None)
        if used is None:
            refused.append(file.name)
        else:
            found.append(preview(used, content, None, file.stem))
    return found, refused


def row(folder: Path) -> str:
    """Return the line of the table in docs/how-to/bring-any-log.md for a folder."""
    found, refused = read(folder)
    games = [game for each in found for game in each.games]
    told = sum(" turn" in game and not any(words in game for words in UNKNOWN) for game in games)
    lines, skipped, unread, left = (
        sum(getattr(each, name) for each in found) for name in ("lines", "passed_over", "unread", "left_over")
    )
    understood = 100 * (1 - (unread + left) / max(lines - skipped, 1))
    figures = f"{len(games)} | {told} | {lines:,}, {skipped:,} | {unread:,}, {left:,} | {understood:.1f} %"
    return f"| {folder.name}, {len(found)} of {len(found) + len(refused)} files | {figures} |"


if __name__ == "__main__":
    for name in sys.argv[1:]:
        sys.stdout.write(f"{row(Path(name))}\n")
