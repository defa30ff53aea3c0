"""A replay as people look at it, shown on the smallest game."""

import json
from pathlib import Path
from typing import Any

import pytest

from events.shared import GameStarted, Seat
from projector.fold.folding import fold
from projector.fold.traced import Traced
from projector.games import game
from projector.kit.areas import EVERYTHING
from projector.model.game import Game
from projector.model.table import CannotFoldError
from projector.reading.frames import frames
from projector.reading.view import View, questions, result_in_words

LOG = Path(__file__).parents[1] / "sixth_game" / "one-mistake.jsonl"
LINES: list[dict[str, Any]] = [json.loads(line) for line in LOG.read_text(encoding="utf-8").splitlines()]
"""Ann plays a card at event 10 that is not in her hand, and wins with it."""


def view(game: Game, lines: list[dict[str, Any]] = LINES) -> View:
    """Open a replay of log lines."""
    replay = fold(game, [game.vocabulary.decode(json.dumps(line)) for line in lines], traced=True)
    assert isinstance(replay, Traced)
    return View(replay)


def test_a_step_says_who_did_what_with_which_cards(higher: Game) -> None:
    """A line of the event list names players and cards as people do, and a deck list only by its length."""
    seen = view(higher)
    assert seen.text(1, EVERYTHING) == "Ann plays a deck of 6 cards"
    assert seen.text(3, EVERYTHING) == "Ann draws One, Four and Six"
    assert seen.text(4, EVERYTHING) == "Ben draws 3 cards"
    assert seen.text(5, "") == "Ann: card played - Four"


def test_another_player_reads_neither_a_hand_nor_a_deck_list(higher: Game) -> None:
    """What a viewer may not know is in no word about a step: not in the line, the changes, nor the source."""
    seen = view(higher)
    for viewer in ("B", ""):
        drawn = seen.step(3, viewer)
        assert drawn.text == "Ann draws 3 hidden cards"
        assert drawn.changed == ("a hidden card of Ann: Ann's deck to Ann's hand (3 times)",)
        assert '"cards":["A:?","A:?","A:?"]' in drawn.source
        assert "six" not in seen.step(1, viewer).source
    assert seen.step(3, "A").source == seen.step(3, EVERYTHING).source
    assert "Ann's deck to Ann's hand" in seen.step(3, "A").changed[0]


def test_knowing_a_hand_card_does_not_reveal_which_card_was_laid_down(higher: Game) -> None:
    """A card that everybody knows to be in a hand is one of several once it lies face down among others."""
    seen = view(higher, LINES[:4])
    replay = seen.replay
    card = replay.table.card("A:four")
    replay.table.set(card, "known_to", frozenset({"A", "B"}))
    replay.journal_ends[-1] = len(replay.table.journal)
    replay.run([higher.vocabulary.decode('{"type":"note.added","text":"x"}')])
    replay.table.set(card, "known_to", frozenset())
    replay.journal_ends[-1] = len(replay.table.journal)
    assert "A:four" not in View(replay).hidden(3, "B")
    assert "A:four" in View(replay).hidden(4, "B")


def test_a_message_about_a_hidden_card_does_not_name_it(higher: Game) -> None:
    """A finding is shown to every viewer, but not the name of a card that the viewer does not know."""
    lines = [*LINES[:3], {"type": "cards.drawn", "player": "A", "cards": ["A:one", "A:four", "A:six"]}]
    seen = view(higher, lines)
    hidden = seen.hidden(3, "B")
    assert "A:one" in hidden
    concealed = seen._conceal("One and A:one are not Ones", 3, hidden)
    assert concealed == "a hidden card and A:? are not Ones"


def test_cards_of_a_deck_list_are_counted_and_not_named(higher: Game) -> None:
    """Laying out a deck is one line, for its owner too: nobody looks into it."""
    for viewer in (EVERYTHING, "A", "B"):
        assert view(higher).step(1, viewer).changed[0] == "a card appears: Ann's deck (6 times)"


def test_every_rule_that_was_checked_is_listed_with_its_verdict(higher: Game) -> None:
    """A step says which rules were kept, which were broken and what the rules made of it."""
    seen = view(higher)
    verdicts = {each.rule: each.verdict for each in seen.step(9, EVERYTHING).why}
    assert verdicts == {"higher.turn.alternate": "kept", "higher.card.from-hand": "broken"}
    derived = [each for each in seen.step(6, EVERYTHING).why if each.verdict == "derived"]
    assert [(each.rule, each.message) for each in derived] == [("higher.trick.higher-card", "Ann: trick taken")]
    assert seen.marked == (9,)
    assert seen.finding(0, "").rule == "higher.card.from-hand"


def test_what_ends_a_turn_still_belongs_to_it(higher: Game) -> None:
    """The card that completes a trick, and the trick itself, are in the turn that they end."""
    seen = view(higher)
    assert seen.turns == (1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2)


def test_the_table_is_the_same_forth_and_back(higher: Game) -> None:
    """Stepping to and fro and jumping show the same table as the fold."""
    seen = view(higher)
    forth = [seen.table(index).state() for index in range(len(seen))]
    back = [seen.table(index).state() for index in reversed(range(len(seen)))]
    assert forth == back[::-1]
    assert forth == [seen.replay.at(index).state() for index in range(len(seen))]


def test_frames_hold_for_every_viewer_what_the_view_says(higher: Game) -> None:
    """A screen that steps by itself reads for each viewer exactly what the view gives for that viewer."""
    seen = view(higher)
    whole = frames(seen.replay)
    for viewer in whole.viewers:
        for index in range(len(seen)):
            own = whole.seen[viewer].steps if viewer in whole.seen else {}
            assert own.get(index, whole.steps[index]) == seen.step(index, viewer)
    assert set(whole.seen["B"].steps) == {1, 3}
    assert whole.result == result_in_words(seen.replay) == "Ann won (tricks)"


def test_questions_are_listed_with_their_number(higher: Game) -> None:
    """The questions of a table are found by the number of their event."""
    assert questions(view(higher).replay) == [(9, "Ben asks: Is the One allowed?", "")]


def test_a_replay_that_stopped_before_its_first_event_is_refused(higher: Game) -> None:
    """Nothing to look at is an error that says why."""
    replay = Traced(higher, higher.rulebook.ruleset("first"))
    with pytest.raises(CannotFoldError, match="no events"):
        View(replay)


def test_an_ending_is_written_in_the_words_of_its_game() -> None:
    """A reason is a name in the log; the title of a game says it as the game's own sentence does."""
    seats = (Seat(id="A", name="Ann"), Seat(id="B", name="Ben"))
    head = GameStarted(game="evolve", edition="forum-draft", id="g", players=seats)
    table = (ended := fold(game("evolve"), [head])).table
    table.over, table.winner, table.reason = True, "A", "deck-out"
    assert result_in_words(ended) == "Ann won (empty deck)"
