"""A card with several copies, written without a copy number, causes no false accusation about the other copy."""

import json
import re
from functools import partial

import pytest

from tabletape.events.importing.games.open_game import WHICH_COPY
from tabletape.events.importing.quarantine.bad_lines import DOUBTS
from tabletape.events.vocabulary import vocabulary
from tabletape.projector.archive.stored import known_of
from tabletape.projector.games import games
from tests.projector.test_quarantine_gaps import ACCUSING, RECORDINGS, Lines, clean, folded, lines_of, read

KNOWN = partial(known_of, RECORDINGS)
NUMBER = re.compile(r'("[A-D]:([a-z][^"#]*))#\d+"')
START = (
    '{"type":"game.started","game":"crystal","edition":"2025","id":"evening",'
    '"players":[{"id":"A","name":"Ann"},{"id":"B","name":"Ben"}]}'
)
DECK = (
    '{"type":"deck.declared","player":"A","faction":"emberforge-syndicate",'
    '"cards":["scrap-runner","scrap-runner","blast-sapper"],"basic":[]}'
)
DEPLOYED = '{"type":"card.deployed","player":"A","card":"A:scrap-runner","lane":"tech"}'
"""A line that does not say which of two copies is played."""


def drawn(*cards: str) -> str:
    """Return the line of an opening hand."""
    named = ",".join(f'"A:{card}"' for card in cards)
    return f'{{"type":"starting-hand.drawn","player":"A","cards":[{named}]}}'


def named_in(*lines: str) -> list[str]:
    """Return the cards that the lines after the deck list name once they are imported."""
    (one,), entries = read([START, DECK, *lines], known=KNOWN)
    assert entries == []
    events = [vocabulary("crystal").decode(body) for body in one.chain.rows.bodies[2:]]
    return [getattr(event, "card", None) or ",".join(getattr(event, "cards", ())) for event in events]


def without_numbers(lines: Lines) -> Lines:
    """Return the lines of a log without the numbers of copies."""
    return [NUMBER.sub(r'\1"', line) for line in lines]


def is_imported_completely(lines: Lines) -> bool:
    """Return whether the import accepts every line without a correction."""
    return all(entry.code in DOUBTS for entry in read(lines, known=KNOWN)[1])


@pytest.mark.parametrize("slug", games())
def test_a_recording_without_copy_numbers_accuses_nobody(slug: str) -> None:
    """Each clean recording is imported without copy numbers, except for at most one line, and accuses nobody."""
    for path in clean(slug):
        lines = lines_of(path)
        bare = without_numbers(lines)
        if bare == lines or path.with_suffix(".cards.toml").exists() or not is_imported_completely(lines):
            continue
        (one,), entries = read(bare, known=KNOWN)
        assert [each.code for each in entries if each.code not in DOUBTS] in ([], [WHICH_COPY]), path.stem
        replay = folded(path, one)
        assert replay.stopped is None, path.stem
        assert [each for each in replay.findings if each.kind in ACCUSING] == [], path.stem


def test_a_bare_name_means_the_copy_that_is_known() -> None:
    """Copies are numbered as they are drawn; if one was drawn by its number, later lines mean that one."""
    both = drawn("scrap-runner", "blast-sapper")
    assert named_in(both, DEPLOYED) == [
        "A:scrap-runner#1,A:blast-sapper",
        "A:scrap-runner#1",
    ]
    assert named_in(drawn("scrap-runner#2"), DEPLOYED) == ["A:scrap-runner#2", "A:scrap-runner#2"]


def test_an_ambiguous_copy_is_asked_about_once() -> None:
    """With both copies in hand, only the first line without a number is put into quarantine, and leaves a gap."""
    lines = [START, DECK, drawn("scrap-runner", "scrap-runner"), DEPLOYED, DEPLOYED]
    (one,), (entry,) = read(lines, known=KNOWN)
    assert (entry.line, entry.code, entry.suggestion) == (4, WHICH_COPY, "write its number behind it: #1, #2 …")
    assert one.chain.rows.types[-2:] == ["log.gap", "card.deployed"]
    (one,), entries = read(lines, {(4, DEPLOYED): {**json.loads(DEPLOYED), "card": "A:scrap-runner#2"}}, known=KNOWN)
    assert [each.line for each in entries] == [5]
