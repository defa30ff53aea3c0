"""The recorded games that the rules of a page rest on: how many keep and break each, and what happens in them."""

from collections import Counter, defaultdict
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from docs.generator.markdown import literal, page
from tabletape.projector.archive.recordings import read_recording, read_stories, recordings
from tabletape.projector.games import game

STORIES = """\
Each is a log that Tabletape's tests replay, summed up in one sentence, with what the audit finds in it. A game
stands under each rule that is broken in it, or that a line contradicts; those in which nothing is found come last."""


class RecordedGames(NamedTuple):
    """The recorded games of a game: how many keep each rule (by id), the names of those that break it, their stories.

    A rule that no recording breaks or contradicts has no names; those in which nothing is found stand under "".
    """

    kept: Counter[str]
    broken: Mapping[str, list[str]]
    stories: Mapping[str, str]


def recorded_rules(folder: Path, slug: str) -> RecordedGames:
    """Read the recorded games of a game in `folder`, which has a folder for each game."""
    kept: Counter[str] = Counter()
    broken: defaultdict[str, list[str]] = defaultdict(list)
    for path in recordings(folder / slug):
        replay = read_recording(path, slug).replay
        kept.update(rule.id for rule in game(slug).rules if replay.kept[rule.number])
        named = {each for finding in replay.findings for each in (finding.rule, finding.because) if each}
        for rule in named or {""}:
            broken[rule].append(path.stem)
    return RecordedGames(kept, broken, read_stories(folder / slug))


def stories_page(slug: str, recorded: RecordedGames) -> str:
    """Return the page `generated/games/<slug>-stories.md`."""
    one = game(slug)
    return page(
        f"{one.title}: the recorded games",
        STORIES,
        *(
            block
            for rule in one.rules
            if rule.id in recorded.broken
            for block in (f"## `{rule.id}`", literal(rule.text), _stories(slug, recorded, rule.id))
        ),
        "## Nothing is found",
        _stories(slug, recorded, ""),
    )


def _stories(slug: str, recorded: RecordedGames, rule: str) -> str:
    folder = f"../../../tests/recordings/{slug}"
    lines = (f"* {literal(recorded.stories[name])} ([{name}]({folder}/{name}.jsonl))" for name in recorded.broken[rule])
    return "\n".join(lines)
