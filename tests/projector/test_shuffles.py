"""What a deck is shuffled for need not be written down: the moment says it."""

import json
from pathlib import Path

import pytest

from tabletape.events.vocabulary import vocabulary
from tabletape.projector.archive.recordings import recorded_lines
from tabletape.projector.fold.folding import fold
from tabletape.projector.games import game

RECORDINGS = Path(__file__).parents[1] / "recordings"
NAMES = [
    "splicers/worked-game",
    "splicers/splice-shuffle",
    "splicers/kw-diminish-shuffle",
    "splicers/setup-shuffle-forgotten",
    "evolve/worked-game",
    "evolve/ordinary-mulligan-unshuffled",
    "phylogenome/worked-game",
    "phylogenome/shuffled-after-the-draw",
    "duelyst/worked-game",
    "duelyst/deck-shuffled-before-declared",
    "crystal/worked-game",
]


@pytest.mark.parametrize("name", NAMES)
def test_a_shuffle_need_not_say_what_for(name: str) -> None:
    """Without the reasons of its shuffles a game can be read, and nothing else is found in it than with them."""
    slug = name.partition("/")[0]
    lines = recorded_lines(RECORDINGS / f"{name}.jsonl")
    bare = [_without_reason(json.loads(line)) for line in lines]
    one, words = game(slug), vocabulary(slug)
    as_written = fold(one, [words.decode(line) for line in lines])
    without = fold(one, [words.decode(json.dumps(line)) for line in bare])
    assert without.stopped is None
    assert [(each.seq, each.rule) for each in without.findings if each.kind != "info"] == [
        (each.seq, each.rule) for each in as_written.findings if each.kind != "info"
    ]


def _without_reason(line: dict[str, object]) -> dict[str, object]:
    return {key: value for key, value in line.items() if line["type"] != "deck.shuffled" or key != "reason"}
