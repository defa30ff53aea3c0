"""The view of a replay: what each viewer reads about each step, in the smallest game."""

import json
from pathlib import Path
from typing import Any

import pytest

from tabletape.events.vocabulary.shared import GameStarted, Seat
from tabletape.projector.archive.frames import frames
from tabletape.projector.archive.view import View, questions, result_in_words
from tabletape.projector.fold.folding import fold
from tabletape.projector.fold.traced import Traced
from tabletape.projector.games import game
from tabletape.projector.model.areas import EVERYTHING
from tabletape.projector.model.game import Game
from tabletape.projector.model.phrases import with_rulings_said
from tabletape.projector.model.table import CannotFoldError

LOG = Path(__file__).parents[1] / "sixth_game" / "one-mistake.jsonl"
LINES: list[dict[str, Any]] = [json.loads(line) for line in LOG.read_text(encoding="utf-8").splitlines()]
"""Ann plays a card at event 10 that is not in her hand, and wins with it."""


def view_of(game: Game, lines: list[dict[str, Any]] = LINES) -> View:
    """Open a replay of log lines."""
    replay = fold(game, [game.vocabulary.decode(json.dumps(line)) for line in lines], traced=True)
    assert isinstance(replay, Traced)
    return View(replay)


def test_a_step_says_who_did_what_with_which_cards(higher: Game) -> None:
    """A line of the event list has the names of players and cards, and of a deck list only its length."""
    view = view_of(higher)
    assert view.text(1, EVERYTHING) == "Ann plays a deck of 6 cards"
    assert view.text(3, EVERYTHING) == "Ann draws One, Four and Six"
    assert view.text(4, EVERYTHING) == "Ben draws 3 cards"
    assert view.text(5, "") == "Ann: card played - Four"


def test_another_player_reads_neither_a_hand_nor_a_deck_list(higher: Game) -> None:
    """Nothing that a viewer may not know is in a step: neither in its text, nor its changes, nor its source."""
    view = view_of(higher)
    for viewer in ("B", ""):
        drawn = view.step(3, viewer)
        assert drawn.text == "Ann draws 3 hidden cards"
        assert drawn.changed == ("a hidden card of Ann: Ann's deck to Ann's hand (3 times)",)
        assert '"cards":["A:?","A:?","A:?"]' in drawn.source
        assert "six" not in view.step(1, viewer).source
    assert view.step(3, "A").source == view.step(3, EVERYTHING).source
    assert "Ann's deck to Ann's hand" in view.step(3, "A").changed[0]


def test_knowing_a_hand_card_does_not_reveal_which_card_was_laid_down(higher: Game) -> None:
    """A card that was known in a hand is hidden again when it may be any of several face-down cards."""
    view = view_of(higher, LINES[:4])
    replay = view.replay
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
    view = view_of(higher, lines)
    hidden = view.hidden(3, "B")
    assert "A:one" in hidden
    concealed = view._conceal("One and A:one are not Ones", 3, hidden)
    assert concealed == "a hidden card and A:? are not Ones"


def test_cards_of_a_deck_list_are_counted_and_not_named(higher: Game) -> None:
    """A declared deck is one line among the changes for every viewer, its owner too."""
    for viewer in (EVERYTHING, "A", "B"):
        assert view_of(higher).step(1, viewer).changed[0] == "a card appears: Ann's deck (6 times)"


def test_every_rule_that_was_checked_is_listed_with_its_verdict(higher: Game) -> None:
    """A step lists the rules that were kept, those that were broken, and what was derived by a rule."""
    view = view_of(higher)
    verdicts = {each.rule: each.verdict for each in view.step(9, EVERYTHING).why}
    assert verdicts == {"higher.turn.alternate": "kept", "higher.card.from-hand": "broken"}
    derived = [each for each in view.step(6, EVERYTHING).why if each.verdict == "derived"]
    assert [(each.rule, each.message) for each in derived] == [("higher.trick.higher-card", "Ann: trick taken")]
    assert view.marked == (9,)
    assert view.finding(0, "").rule == "higher.card.from-hand"


def test_what_ends_a_turn_still_belongs_to_it(higher: Game) -> None:
    """The card that completes a trick, and the trick itself, are in the turn that they end."""
    view = view_of(higher)
    assert view.turns == (1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2)


def test_the_table_is_the_same_in_both_directions(higher: Game) -> None:
    """Stepping forward and backward shows the same tables as the fold."""
    view = view_of(higher)
    forward = [view.table(index).state() for index in range(len(view))]
    backward = [view.table(index).state() for index in reversed(range(len(view)))]
    assert forward == backward[::-1]
    assert forward == [view.replay.at(index).state() for index in range(len(view))]


def test_frames_have_the_steps_of_every_viewer(higher: Game) -> None:
    """The frames of a replay have for each viewer exactly the steps that the view gives for that viewer."""
    view = view_of(higher)
    whole = frames(view.replay)
    for viewer in whole.viewers:
        for index in range(len(view)):
            own_steps = whole.seen[viewer].steps if viewer in whole.seen else {}
            assert own_steps.get(index, whole.steps[index]) == view.step(index, viewer)
    assert set(whole.seen["B"].steps) == {1, 3}
    assert whole.result == result_in_words(view.replay) == "Ann won (tricks)"


def test_questions_are_listed_with_the_number_of_their_event(higher: Game) -> None:
    """Each question has the number of its event, its text and the rule that it names."""
    assert questions(view_of(higher).replay) == [(9, "Ben asks: Is the One allowed?", "")]


def test_a_replay_that_stopped_before_its_first_event_is_refused(higher: Game) -> None:
    """A replay without events cannot be viewed; the error says so."""
    replay = Traced(higher, higher.rulebook.ruleset("first"))
    with pytest.raises(CannotFoldError, match="no events"):
        View(replay)


def test_an_ending_is_written_in_the_words_of_its_game() -> None:
    """The log has a short name for the reason; the result has the words of the game's own sentence."""
    seats = (Seat(id="A", name="Ann"), Seat(id="B", name="Ben"))
    head = GameStarted(game="evolve", edition="forum-draft", id="g", players=seats)
    table = (ended := fold(game("evolve"), [head])).table
    table.over, table.winner, table.reason = True, "A", "deck-out"
    assert result_in_words(ended) == "Ann won (empty deck)"


def test_pages_say_a_ruling_by_its_option() -> None:
    """`key=option` becomes what the rulebook says of the option; what the rulebook does not have stays as it is."""
    said = with_rulings_said(game("crystal").rulebook, "no (by the ruling basic_draw=top), by the ruling other=top")
    assert said == "no (by the ruling: the top card), by the ruling other=top"
