"""The stories of the recorded games: what happens in each, in one sentence for people to read."""

from collections import Counter
from pathlib import Path

import pytest

from tabletape.projector.archive.recordings import STORIES, read_stories, recordings
from tabletape.projector.games import games

RECORDINGS = Path(__file__).parents[1] / "recordings"
MAX_LENGTH = 200


@pytest.mark.parametrize("slug", [slug for slug in games() if (RECORDINGS / slug / STORIES).exists()])
def test_each_recorded_game_has_a_story(slug: str) -> None:
    """If a game has stories, each recording has a different one, a short sentence, and no story lacks its recording."""
    stories = read_stories(RECORDINGS / slug)
    names = {path.stem for path in recordings(RECORDINGS / slug)}
    assert not names - stories.keys(), f"say in {slug}/{STORIES} what happens in these"
    assert not stories.keys() - names, f"there are no such recordings of {slug}"
    assert [name for name, story in stories.items() if not story.endswith(".") or len(story) > MAX_LENGTH] == []
    assert [story for story, times in Counter(stories.values()).items() if times > 1] == []
