"""A line that was taken back did not happen: consequences of the lines before it may be recorded again."""

from collections.abc import Iterator
from itertools import islice, takewhile
from pathlib import Path

import msgspec
import pytest
from msgspec import UNSET

from tabletape.events.games.crystal import CardsDrawn
from tabletape.events.games.splicers import EventRevealed
from tabletape.events.vocabulary import Consequence, Event
from tabletape.events.vocabulary.shared import CardShown, GameStarted, NoteAdded, PlayTakenBack
from tabletape.projector.archive.recordings import recorded_lines
from tabletape.projector.fold.folding import fold
from tabletape.projector.fold.taken_back import standing
from tabletape.projector.games import game, games

RECORDINGS = Path(__file__).parents[1] / "recordings"
ENOUGH_VARIANTS = 8


def recorded_events(slug: str, name: str) -> list[Event]:
    """Return the events of a recording, without their numbers."""
    lines = recorded_lines(RECORDINGS / slug / f"{name}.jsonl")
    return [msgspec.structs.replace(game(slug).vocabulary.decode(line), seq=UNSET) for line in lines]


def clean_games(slug: str) -> Iterator[list[Event]]:
    """Yield recorded games in which nothing is wrong, and nothing was taken back."""
    for path in sorted((RECORDINGS / slug).glob("*.jsonl")):
        events = [game(slug).vocabulary.decode(line) for line in recorded_lines(path)]
        several = sum(isinstance(each, GameStarted) for each in events) != 1
        if several or any(isinstance(each, PlayTakenBack) for each in events):
            continue
        if path.with_suffix(".cards.toml").exists() or fold(game(slug), events).findings:
            continue
        yield [msgspec.structs.replace(each, seq=UNSET) for each in events]


def recorded_again(events: list[Event]) -> Iterator[list[Event]]:
    """Yield variants of a game in which the consequences of a line are taken back and recorded again.

    There are two for each line with recorded consequences: one takes back these alone, one also the line after them.
    """
    for number in range(2, len(events)):
        if isinstance(events[number], Consequence) and not isinstance(events[number - 1], Consequence):
            follows = len([*takewhile(lambda each: isinstance(each, Consequence), events[number:])])
            for end in (number + follows, number + follows + 1):
                yield [*events[:end], PlayTakenBack(to=number), *events[number:]]


@pytest.mark.parametrize("slug", games())
def test_consequences_may_be_recorded_again_after_they_were_taken_back(slug: str) -> None:
    """Consequences recorded again are at most unverifiable, whether or not the next line was taken back too."""
    variants = [again for events in islice(clean_games(slug), 60) for again in islice(recorded_again(events), 4)]
    assert len(variants) >= ENOUGH_VARIANTS
    for again in variants:
        assert [each for each in fold(game(slug), again).findings if each.kind != "unverifiable"] == []


@pytest.mark.parametrize("name", ["catalogue-attack-difference", "ability-once-start"])
def test_the_same_mistake_is_found_again_after_it_was_taken_back(name: str) -> None:
    """Consequences are compared after a take-back as before it: the mistake is found in both lines."""
    events = recorded_events("crystal", name)
    (first,) = fold(game("crystal"), events).findings
    end = first.seq
    again = fold(game("crystal"), [*events[:end], PlayTakenBack(to=end - 1), events[end - 1]])
    found = [(each.seq, each.rule, each.kind) for each in again.findings]
    assert found == [(end, first.rule, first.kind), (end + 2, first.rule, first.kind)]


def test_a_late_consequence_recorded_again_is_no_mistake() -> None:
    """A consequence recorded late, after the next decision, and again after a take-back is only unverifiable."""
    events = recorded_events("crystal", "consequence-written-late")
    assert fold(game("crystal"), events).findings == []
    drawn = next(number for number, each in enumerate(events) if isinstance(each, CardsDrawn))
    again = fold(game("crystal"), [*events[: drawn + 1], PlayTakenBack(to=drawn), *events[drawn:]])
    assert {each.kind for each in again.findings} == {"unverifiable"}


def test_lines_stand_unless_they_are_taken_back() -> None:
    """A take-back removes all lines after the one it names; a later one may go back further."""
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
def test_taking_back_the_showing_of_a_card_withdraws_its_findings(slug: str, name: str) -> None:
    """The earlier line is unverifiable again; when the card is shown once more, the findings are the same as before."""
    events = recorded_events(slug, name)
    end = max(number for number, each in enumerate(events, start=1) if isinstance(each, CardShown | EventRevealed))
    shown = fold(game(slug), events[:end])
    assert [each for each in shown.findings if each.kind == "illegal" and each.seq < end]
    back = fold(game(slug), [*events[:end], PlayTakenBack(to=end - 1)])
    assert {each.kind for each in back.findings} == {"unverifiable"}
    assert (back.tainted_from, sum(back.broken)) == (0, 0)
    again = fold(game(slug), [*events[:end], PlayTakenBack(to=end - 1), events[end - 1]])
    assert again.findings == shown.findings
    assert (again.tainted_from, again.broken) == (shown.tainted_from, shown.broken)
