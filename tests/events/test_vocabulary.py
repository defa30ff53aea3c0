"""The vocabulary of each game: the event types of its lines, and how they are written."""

import json
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabletape.events.vocabulary import CLASSES, UnknownGameError, Vocabulary, choices_of, fields_of, games, vocabulary
from tabletape.events.vocabulary.names import card_of, copies, is_unseen, owner_of
from tests.events.conftest import head, line


@pytest.mark.parametrize("game", games())
def test_every_game_can_begin_and_end(game: str) -> None:
    """Each vocabulary has a head, an end, and the ways to stop early that every game has."""
    assert {"game.started", "game.ended", "player.conceded", "game.abandoned"} <= set(vocabulary(game).types)


@pytest.mark.parametrize("game", games())
def test_every_event_type_says_what_it_is(game: str) -> None:
    """Each event type belongs to one of four classes, has a sentence, and every field of its own has a type."""
    for event_type in vocabulary(game).types.values():
        assert event_type.CLASS in CLASSES
        assert (event_type.__doc__ or "").strip().endswith(".")
        names = {field.name for field in fields_of(event_type)}
        assert set(getattr(event_type, "EXACTLY_ONE", ())) <= names
        assert set(getattr(event_type, "SUBJECT", ())) <= names


@pytest.mark.parametrize("game", games())
def test_the_schema_names_every_event_type(game: str) -> None:
    """The JSON Schema of a line has each type by its name."""
    text = json.dumps(vocabulary(game).schema())
    assert all(json.dumps(tag) in text for tag in vocabulary(game).types)


def test_an_unknown_game_names_those_that_there_are() -> None:
    """The error lists the known games."""
    with pytest.raises(UnknownGameError, match=r"no game called 'chess'.*splicers"):
        vocabulary("chess")


def test_absent_and_null_are_not_the_same() -> None:
    """A field that was left out is not in the canonical line; one that is null is."""
    types = vocabulary("splicers")
    absent = line("ability.used", player="A", card="A:x", ability="@: draw 1")
    none = line("ability.used", player="A", card="A:x", ability="@: draw 1", target=None)
    assert "target" not in json.loads(types.encode(types.decode(absent)))
    assert json.loads(types.encode(types.decode(none)))["target"] is None


@pytest.mark.parametrize("fields", [{}, {"cards": [], "count": 0}])
def test_exactly_one_of_two_fields_is_required(fields: dict[str, object]) -> None:
    """Cards are given by name or by number: neither and both are refused."""
    with pytest.raises(msgspec.ValidationError, match="exactly one"):
        vocabulary("splicers").decode(line("cards.drawn", player="A", reason="ability", **fields))


def test_a_row_of_text_is_an_event() -> None:
    """Numbers and booleans of a sheet may be text."""
    row = {"type": "state.observed", "player": "A", "hand": "3", "exhausted": "true"}
    event = vocabulary("splicers").convert(row)
    assert (event.hand, event.exhausted) == (3, True)  # type: ignore[attr-defined]


def test_the_canonical_line_does_not_depend_on_the_form_of_the_input() -> None:
    """The order of keys and blanks make no difference."""
    types = vocabulary("splicers")
    turned = json.dumps(dict(reversed(json.loads(head()).items())), indent=1)
    assert types.encode(types.decode(head())) == types.encode(types.decode(turned))


def test_the_words_of_a_field_are_found() -> None:
    """A field with fixed words has choices, another one none."""
    fields = {field.name: choices_of(field.type) for field in fields_of(vocabulary("splicers").types["card.returned"])}
    assert fields == {"card": (), "reason": ("backup", "bounce", "host-gone")}


@pytest.mark.parametrize(
    ("name", "owner", "card", "unseen"),
    [
        ("A:reed-heron", "A", "reed-heron", False),
        ("A:reed-heron#2", "A", "reed-heron", False),
        ("A:?1", "A", "", True),
        ("reed-heron", "", "reed-heron", False),
    ],
)
def test_a_card_name_says_owner_and_card(name: str, owner: str, card: str, unseen: bool) -> None:
    """The name of a copy consists of owner, card and number; an unseen one has no card yet."""
    assert (owner_of(name), card_of(name), is_unseen(name)) == (owner, card, unseen)


@given(st.lists(st.sampled_from(["a", "b", "c"])))
def test_copies_have_names_of_their_own(cards: list[str]) -> None:
    """Copies are named in the order of the list, each differently, with numbers if there are several."""
    named = copies("A", tuple(cards))
    assert [card_of(name) for name in named] == cards
    assert len({*named}) == len(cards)
    assert all(("#" in name) == (cards.count(card) > 1) for name, card in zip(named, cards, strict=True))


def test_one_decoder_is_made_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two threads that load games make their decoders one after the other: msgspec crashes where they overlap."""
    making: list[Any] = []
    most: list[int] = []

    def made(union: Any) -> Any:
        making.append(union)
        most.append(len(making))
        time.sleep(0.05)
        making.remove(union)

    types = tuple(vocabulary("crystal").types.values())
    monkeypatch.setattr(msgspec.json, "Decoder", made)
    with ThreadPoolExecutor(3) as threads:
        list(threads.map(lambda _: Vocabulary("crystal", types), range(3)))
    assert most == [1, 1, 1]
