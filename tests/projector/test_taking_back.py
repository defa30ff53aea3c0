"""What was taken back has not happened: what follows from the lines before it may be written down once more."""

from collections.abc import Iterator
from itertools import islice, takewhile
from pathlib import Path

import msgspec
import pytest
from msgspec import UNSET

from events.games.crystal import CardsDrawn
from events.games.splicers import EventRevealed
from events.shared import CardShown, GameStarted, NoteAdded, PlayTakenBack
from events.vocabulary import Consequence, Event
from projector.fold.folding import fold
from projector.fold.taken_back import standing
from projector.games import game, games

RECORDINGS = Path(__file__).parents[1] / "recordings"
SOME = 8


def clean_games(slug: str) -> Iterator[list[Event]]:
    """Yield recorded games in which nothing is wrong, and nothing was taken back."""
    for path in sorted((RECORDINGS / slug).glob("*.jsonl")):
        lines = path.read_text(encoding="utf-8").splitlines()
        events = [game(slug).vocabulary.decode(line) for line in lines if line.strip()]
        several = sum(isinstance(each, GameStarted) for each in events) != 1
        if several or any(isinstance(each, PlayTakenBack) for each in events):
            continue
        if path.with_suffix(".cards.toml").exists() or fold(game(slug), events).findings:
            continue
        yield [msgspec.structs.replace(each, seq=UNSET) for each in events]


def written_again(events: list[Event]) -> Iterator[list[Event]]:
    """Yield a game in which all that follows from a line is taken back and written anew, with the next line or without.

    After each line that something written follows from.
    """
    for number in range(2, len(events)):
        if isinstance(events[number], Consequence) and not isinstance(events[number - 1], Consequence):
            follows = len([*takewhile(lambda each: isinstance(each, Consequence), events[number:])])
            for end in (number + follows, number + follows + 1):
                yield [*events[:end], PlayTakenBack(to=number), *events[number:]]


@pytest.mark.parametrize("slug", games())
def test_what_follows_may_be_written_again_after_it_was_taken_back(slug: str) -> None:
    """Nobody is accused for writing down once more what was taken back, with the line after it or alone."""
    tried = [again for events in islice(clean_games(slug), 60) for again in islice(written_again(events), 4)]
    assert len(tried) >= SOME
    for again in tried:
        assert [each for each in fold(game(slug), again).findings if each.kind != "unverifiable"] == []


@pytest.mark.parametrize("name", ["catalogue-attack-difference", "ability-once-start"])
def test_the_same_mistake_is_found_again_after_it_was_taken_back(name: str) -> None:
    """What follows is compared after a take-back as before it: the mistake is found in both lines."""
    path = RECORDINGS / "crystal" / f"{name}.jsonl"
    events = [game("crystal").vocabulary.decode(line) for line in path.read_text(encoding="utf-8").splitlines()]
    events = [msgspec.structs.replace(each, seq=UNSET) for each in events]
    (first,) = fold(game("crystal"), events).findings
    end = first.seq
    again = fold(game("crystal"), [*events[:end], PlayTakenBack(to=end - 1), events[end - 1]])
    found = [(each.seq, each.rule, each.kind) for each in again.findings]
    assert found == [(end, first.rule, first.kind), (end + 2, first.rule, first.kind)]


def test_what_may_have_been_left_to_be_written_is_no_mistake() -> None:
    """A line that was still to be written before a take-back, and stands behind the next decision, accuses nobody."""
    path = RECORDINGS / "crystal" / "consequence-written-late.jsonl"
    events = [game("crystal").vocabulary.decode(line) for line in path.read_text(encoding="utf-8").splitlines()]
    events = [msgspec.structs.replace(each, seq=UNSET) for each in events]
    assert fold(game("crystal"), events).findings == []
    drawn = next(number for number, each in enumerate(events) if isinstance(each, CardsDrawn))
    again = fold(game("crystal"), [*events[: drawn + 1], PlayTakenBack(to=drawn), *events[drawn:]])
    assert {each.kind for each in again.findings} == {"unverifiable"}


def test_lines_stand_unless_they_are_taken_back() -> None:
    """A take-back takes what stands behind its line, also a second one that goes back further."""
    notes = {seq: NoteAdded(text=str(seq)) for seq in (1, 2, 3, 4, 6, 7, 9)}
    lines = {**notes, 5: PlayTakenBack(to=3), 8: PlayTakenBack(to=2)}
    seqs = sorted(lines)
    assert [*standing([lines[seq] for seq in seqs], seqs)] == [1, 2, 9]


@pytest.mark.parametrize(
    ("slug", "name"),
    [
        ("crystal", "card-shown-was-too-dear"),
        ("phylogenome", "card-shown-does-not-fit"),
        ("splicers", "hidden-event-is-none"),
    ],
)
def test_a_card_whose_showing_was_taken_back_accuses_nobody(slug: str, name: str) -> None:
    """What a shown card says about an earlier line is open again without it, and said again when it is shown anew."""
    path = RECORDINGS / slug / f"{name}.jsonl"
    events = [game(slug).vocabulary.decode(line) for line in path.read_text(encoding="utf-8").splitlines()]
    events = [msgspec.structs.replace(each, seq=UNSET) for each in events]
    end = max(number for number, each in enumerate(events, start=1) if isinstance(each, CardShown | EventRevealed))
    shown = fold(game(slug), events[:end])
    assert [each for each in shown.findings if each.kind == "illegal" and each.seq < end]
    back = fold(game(slug), [*events[:end], PlayTakenBack(to=end - 1)])
    assert {each.kind for each in back.findings} == {"unverifiable"}
    assert (back.tainted_from, sum(back.broken)) == (0, 0)
    again = fold(game(slug), [*events[:end], PlayTakenBack(to=end - 1), events[end - 1]])
    assert again.findings == shown.findings
    assert (again.tainted_from, again.broken) == (shown.tainted_from, shown.broken)
