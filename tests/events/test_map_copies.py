"""A line that names a card of which its owner has several copies: the copy that must be meant, or a gap."""

from typing import Any

import pytest

from tabletape.events.importing.maps.map import read_map
from tabletape.events.importing.maps.notation import FileReading, MappedLog
from tabletape.events.vocabulary import tag_of, vocabulary

DECK = """
map = 1
game = "tabletop"
shape = "lines"
[[line]]
is = "{player} brings {cards}"
seats = true
event = "deck.declared"
[[line]]
is = "{player} draws {count:number}"
event = "cards.drawn"
[[line]]
is = "{player} draws {cards}"
event = "cards.drawn"
[[line]]
is = "{player} uses {card}"
event = "card.used"
"""


def read(text: str) -> tuple[list[Any], MappedLog]:
    """Return the events of a text that is read through the map, and the log with its entries."""
    log = MappedLog("chat.txt", read_map(DECK, "deck.map.toml", vocabulary), text.encode(), FileReading(lambda _: None))
    return [event for batch in log.batches() for _, event in batch], log


def test_of_several_copies_the_one_that_can_be_meant_has_its_number() -> None:
    """Copies are numbered as they appear; a single card has no number, and a known copy keeps its number."""
    text = "Ann brings Lamp, Lamp, Tea\nAnn draws Lamp and Tea\nAnn uses Lamp\nAnn uses Lamp\nAnn draws Lamp\n"
    events, _ = read(text)
    named = [getattr(event, "cards", None) or event.card for event in events[2:]]
    assert named == [("A:lamp#1", "A:tea"), "A:lamp#1", "A:lamp#1", ("A:lamp#2",)]


@pytest.mark.parametrize("drawn", ["Ann draws Lamp and Lamp", "Ann draws 3"])
def test_where_the_line_does_not_say_which_copy_there_is_a_gap(drawn: str) -> None:
    """With two copies in hand, or an unknown one, a single gap says so; after a gap nothing is called illegal."""
    text = f"Ann brings Lamp, Lamp, Tea\n{drawn}\nAnn uses Lamp\nAnn uses Lamp\nAnn uses Lamp\n"
    events, log = read(text)
    gaps = [event for event in events if tag_of(type(event)) == "log.gap"]
    assert [gap.text for gap in gaps] == ["which of the 2 copies of lamp is meant is not written"]
    assert log.entries == []
