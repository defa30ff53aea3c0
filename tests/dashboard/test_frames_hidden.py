"""The frames for one viewer do not depend on cards that this viewer never knows."""

import json
import re
from collections.abc import Iterator

import msgspec
import pytest

from tabletape.dashboard.replay.component import board_json
from tabletape.events.vocabulary import Event
from tabletape.events.vocabulary.names import card_of, is_unseen, owner_of
from tabletape.events.vocabulary.shared import DeckDeclared, GameStarted
from tabletape.projector.archive.frames import frames
from tabletape.projector.archive.view import View
from tabletape.projector.fold.folding import ruleset_of
from tabletape.projector.fold.traced import Traced
from tabletape.projector.games import game, games
from tests.dashboard.keeping import sample_events

PUBLIC = ""
GAMES = [slug for slug in games() if slug != "higher"]


def traced(slug: str, events: list[Event]) -> Traced:
    """Return a traced replay of a game."""
    one, head = game(slug), events[0]
    assert isinstance(head, GameStarted)
    ruleset = ruleset_of(one, head.edition, head.rulings, edition="", rulings={})
    replay = Traced(one, ruleset, one.cards.library)
    replay.run(events).finish()
    return replay


def secrets(replay: Traced, viewer: str) -> list[str]:
    """Return the named cards that a viewer knows at no step."""
    view = View(replay)
    names, known = set[str](), set[str]()
    for step in range(len(view)):
        there = {*replay.at(step).cards}
        names |= there
        known |= there - {*view.hidden(step, viewer)}
    return sorted(name for name in names - known if not is_unseen(name))


@pytest.mark.parametrize("slug", GAMES)
def test_no_name_of_a_hidden_card_is_drawn(slug: str) -> None:
    """The frames have no id of a card that the viewer never knows, and no title unless another card has it."""
    events = sample_events(slug)
    replay = traced(slug, events)
    library = replay.library
    for viewer in (PUBLIC, "A", "B"):
        drawn = board_json(frames(replay, viewer))
        hidden = secrets(replay, viewer)
        assert hidden
        own = {card for each in events if isinstance(each, DeckDeclared) for card in own_cards(each, viewer)}
        for name in hidden:
            assert not re.search(rf"(?<![\w:-]){re.escape(name)}(?![\w#-])", drawn)
        for card in {card_of(name) for name in hidden} - own - shown_cards(replay, viewer):
            assert not re.search(rf"(?<![\w-]){re.escape(library[card].name)}(?![\w-])", drawn)


def own_cards(declared: DeckDeclared, viewer: str) -> Iterator[str]:
    """Yield the cards on the list of a viewer."""
    if declared.player == viewer:
        for name in declared.__struct_fields__:
            value = getattr(declared, name)
            yield from value if isinstance(value, tuple) else ()


def shown_cards(replay: Traced, viewer: str) -> set[str]:
    """Return the ids of the cards that a viewer knows at some step."""
    view = View(replay)
    steps = ({*replay.at(step).cards} - {*view.hidden(step, viewer)} for step in range(len(view)))
    return {card_of(name) for known in steps for name in known}


@pytest.mark.parametrize("slug", ["crystal", "evolve", "duelyst", "phylogenome"])
def test_the_frames_do_not_depend_on_hidden_cards(slug: str) -> None:
    """If the hidden cards of each player change places, in hand and deck, the public sees the same."""
    one, events = game(slug), sample_events(slug)
    replay = traced(slug, events)
    hidden = secrets(replay, PUBLIC)
    other: dict[str, str] = {}
    for player in replay.table.players:
        mine = [name for name in hidden if owner_of(name) == player]
        other |= dict(zip(mine, [*mine[len(mine) // 2 :], *mine[: len(mine) // 2]], strict=True))

    def with_other_cards(event: Event) -> Event:
        if isinstance(event, DeckDeclared | GameStarted):
            return event
        line = one.vocabulary.encode(event).decode()
        return one.vocabulary.decode(re.sub(r'"([^"]+)"', lambda found: f'"{other.get(found[1], found[1])}"', line))

    assert any(msgspec.json.encode(each) != msgspec.json.encode(with_other_cards(each)) for each in events)
    assert board_json(frames(traced(slug, [*map(with_other_cards, events)]), PUBLIC)) == board_json(
        frames(replay, PUBLIC)
    )


def test_the_text_of_a_card_that_was_shown_is_sent_with_the_board() -> None:
    """What is printed on a card is there by its name, and nothing of cards that never came to the table."""
    board = json.loads(board_json(frames(traced("crystal", sample_events("crystal")))))
    assert board["cardTexts"].keys() <= {card["title"] for card in board["cardsDrawn"]}
    assert board["cardTexts"]["Glade Warden"] == "Attack phase: prevent 2 damage to you."
