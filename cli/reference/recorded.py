"""How many recorded games keep and break each rule: what the rules of a page rest on."""

from collections import Counter
from pathlib import Path
from typing import NamedTuple

from projector.model.game import game
from projector.reading.recordings import read_recording, recordings


class Recorded(NamedTuple):
    """In how many recorded games of a game each rule (by id) is kept, and broken or named as contradicted."""

    kept: Counter[str]
    broken: Counter[str]


def recorded_rules(folder: Path, slug: str) -> Recorded:
    """Count over the recorded games of a game in `folder`, which has a folder for each game."""
    found = Recorded(Counter(), Counter())
    for path in recordings(folder / slug):
        replay = read_recording(path, slug).replay
        kept = replay.kept
        found.kept.update(rule.id for rule in game(slug).rules if kept[rule.number])
        found.broken.update({each for finding in replay.findings for each in (finding.rule, finding.because) if each})
    return found
