"""The map and the description of a large XML document are found from its beginning."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabletape.events.importing.maps.documents.foreign import document_of
from tabletape.events.importing.maps.documents.trees import XML_BEGINNING, ForeignError, Tree, read_xml
from tabletape.events.importing.maps.finding import fitting_map
from tabletape.events.importing.maps.proposing.describing import describe

PLAY = """ <play id="{n}" date="2025-02-03" quantity="1" length="30" incomplete="0" nowinstats="0">
  <item name="Wyldwood" objecttype="thing" objectid="77"/>
  <players>
   <player name="Ann" startposition="1" color="red" score="9" win="0"/>
   <player name="Ben" startposition="" color="blue" score="11" win="1"/>
  </players>
 </play>
"""
PLAYS = 4 * XML_BEGINNING // len(PLAY)
WHOLE = '<?xml version="1.0" encoding="{code}"?>\n<plays page="1">\n' + "".join(PLAY.format(n=n) for n in range(PLAYS))
WHOLE += "</plays>\n"
SMALL = '<?xml version="1.0"?>\n<plays page="\u00e9">\n' + "".join(PLAY.format(n=n) for n in range(6)) + "</plays>\n"


@pytest.mark.parametrize("code", ["utf-8", "utf-16"])
def test_the_map_of_a_large_document_is_found_by_its_beginning(code: str) -> None:
    """Only a part of the plays is read to find the map; the map then reads all of them."""
    content = WHOLE.replace("{code}", code).encode(code)
    looked_at = Tree(content, whole=False).root["play"]
    assert 0 < len(looked_at) < PLAYS / 2
    used = fitting_map(Path("plays.xml"), content, None)
    assert used is not None
    assert used.name == "boardgamegeek.map.toml"
    assert len([*document_of(used, content).rows("play")]) == PLAYS


def test_a_large_document_is_described_by_its_beginning() -> None:
    """A proposed map of results names the columns that the first plays have."""
    described = describe(WHOLE.replace("{code}", "utf-8").encode())
    assert described is not None
    assert described.head["columns"]["won"] == "win"


@given(st.integers(0, len(SMALL)))
def test_a_document_that_breaks_off_begins_as_the_whole_one(end: int) -> None:
    """Wherever a document is cut, the part gives the first elements of the whole, or is too short to be XML."""
    try:
        found = read_xml(SMALL[:end], is_cut=True)
    except ForeignError:
        assert end <= SMALL.index(">", SMALL.index("<plays")) + 1
        return
    plays, whole = found.get("play", []), read_xml(SMALL)["play"]
    last = len(plays) - 1 if len(plays) == 1 else len(plays)
    assert plays[:last] == whole[:last]
    assert found["page"] == "\u00e9"


def test_entities_are_refused_in_a_beginning_too() -> None:
    """Entities, which could expand without bounds, are not read."""
    with pytest.raises(ForeignError):
        read_xml('<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>', is_cut=True)
