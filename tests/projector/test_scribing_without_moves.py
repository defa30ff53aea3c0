"""Keeping a log of a game without moves: cards and counters are those that somebody names in a sentence."""

from pathlib import Path

import pytest

from tabletape.events.log import Log
from tabletape.events.vocabulary.open_games import look_in
from tabletape.events.vocabulary.shared import NoteAdded
from tabletape.projector.fold.detail import AGAINST
from tabletape.projector.model.areas import EVERYTHING
from tabletape.projector.scribing.beginning import Beginning, NewSeat, begin, last_table
from tabletape.projector.scribing.forms import line_of
from tabletape.projector.scribing.judged import rules_at
from tabletape.projector.scribing.screen import MAX_LINES, ViewerScreen
from tabletape.projector.scribing.scribe import Scribe
from tests.projector.test_scribing import new_scribe


def test_a_game_without_rules_offers_its_cards_counters_and_turns(tmp_path: Path) -> None:
    """At a table without rules cards are moved between its zones, counters change, and turns begin and end."""
    with Log.open(tmp_path / "t.db", create=True) as log:
        scribe = new_scribe(log, "tabletop")
        words = {choice.words for choice in ViewerScreen(scribe, EVERYTHING).choices}
        assert {"Ann draws 1 card", "The turn of Ben begins", "Round 1 begins"} <= words
        line = {"type": "cards.drawn", "player": "A", "cards": ["A:ace"]}
        scribe.write([line_of(scribe.replay.game.vocabulary, line)], scribe.last_seq)
        counter = {"type": "counter.changed", "player": "A", "counter": "life", "to": 20}
        scribe.write([line_of(scribe.replay.game.vocabulary, counter)], scribe.last_seq)
        words = {choice.words for choice in ViewerScreen(scribe, EVERYTHING).choices}
        assert {"Ann plays Ace", "Ann loses 1 life"} <= words


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ("Ann plays fog", ["Ann plays Fog"]),
        ("an pl the misty harbour", ["Ann plays Misty Harbour"]),
        ("Ann scores 2", ["Ann gains 2 points"]),
        ("Ann loses 3 coins", ["Ann loses 3 coins"]),
        ("Ann has 12 points", ["Ann sets points to 12"]),
        ("Ann has 2 coins", ["Ann sets coins to 2"]),
        ("Ann has 3 cards", []),
        ("Ben draws 3 cards", ["Ben draws 3 cards"]),
        ("Ben starts", ["The turn of Ben begins"]),
        ("Ben wins", ["Ben has won (agreed)"]),
        ("a plays fog", ["Ann plays Fog"]),
        ("Ann draws a card", ["Ann draws 1 card"]),
        ("Ann draws fog", ["Ann draws Fog"]),
        ("Ann draws cards", []),
        ("Ann draws two cards", []),
        ("Ann draws 2 coins", []),
        ("Ann plays a card", []),
        ("plays fog", []),
        ("Ann plays 2 fogs", []),
        ("Ann wins by a mile", []),
        ("Ann tells a story", []),
        ("Carl plays fog", []),
        ("Ann draws fog from the deck", ["Ann draws Fog"]),
        ("Ann draws fog from the weather deck", ["Ann draws Fog from weather deck"]),
        ("Ann draws 2 from Weather", ["Ann draws 2 cards from weather"]),
        ("Ann draws 2 cards from the orchard", ["Ann draws 2 cards from orchard"]),
        ("Ann draws fog from home", []),
        ("Ann draws a weather card", []),
        ("Ann plays letter from home", ["Ann plays Letter From Home"]),
    ],
)
def test_a_sentence_about_a_game_without_moves_is_the_line_that_it_says(
    typed: str, words: list[str], tmp_path: Path
) -> None:
    """Cards and counters are those that somebody names; what is not understood wholly is no line."""
    with Log.open(tmp_path / "t.db", create=True) as log:
        shown = ViewerScreen(new_scribe(log, "tabletop"), EVERYTHING).screen(typed=typed)
        assert [each.words for each in shown.options] == words


def test_without_moves_the_next_player_comes_first_behind_the_end_of_a_turn(tmp_path: Path) -> None:
    """Nobody is on turn then; while somebody is, the others are only offered the beginning of their turns."""
    with Log.open(tmp_path / "t.db", create=True) as log:
        scribe = new_scribe(log, "tabletop")
        for line, turn, options in (
            ("turn.started", "Round 1, Ann", ["Ann draws 1 card", "Ann ends the turn", "The turn of Ben begins"]),
            ("turn.ended", "Round 1", ["Ben draws 1 card", "The turn of Ben begins", "Ann draws 1 card"]),
        ):
            event = line_of(scribe.replay.game.vocabulary, {"type": line, "player": "A"})
            scribe.write([event], scribe.last_seq)
            shown = ViewerScreen(scribe, EVERYTHING).screen()
            assert shown.turn == turn
            assert [each.words for each in shown.options][:3] == options


def test_a_role_of_ones_own_game_is_any_word_and_kept_for_the_next_table(tmp_path: Path) -> None:
    """The board shows it, and the same table has it again; in a game with lists it has to be one of them."""
    with Log.open(tmp_path / "t.db", create=True) as log:
        players = (NewSeat(name="Ann", deck="Smuggler"), NewSeat(name="Ben"))
        scribe = Scribe(log, begin(log, Beginning(game="tabletop", players=players)))
        captions = {each.title: each.caption for each in ViewerScreen(scribe, EVERYTHING).screen().areas}
        assert captions["Ann's hand"] == "Smuggler"
        last = last_table(log)
        assert last is not None
        assert last.players == players


def test_a_card_that_is_drawn_in_a_game_without_a_table_is_offered_to_be_played_first(own_games: Path) -> None:
    """No file names where it goes to; that it goes back to the deck comes last."""
    (own_games / "games" / "nights.toml").write_text(
        'title = "Nights"\n[zones]\ndeck = "shared hidden"\nhand = "own"\ndiscard = "shared"\n'
    )
    look_in(own_games)
    with Log.open(own_games / "nights.db", create=True) as log:
        scribe = new_scribe(log, "nights")
        for line in (
            {"type": "turn.started", "player": "A"},
            {"type": "cards.drawn", "player": "A", "cards": ["A:rum"]},
        ):
            scribe.write([line_of(scribe.replay.game.vocabulary, line)], scribe.last_seq)
        words = [each.words for each in ViewerScreen(scribe, EVERYTHING).screen().options]
        of_rum = [each for each in words if "Rum" in each]
        assert of_rum == ["Ann plays Rum", "Ann discards Rum", "Ann moves Rum from hand to deck"]


def test_a_sentence_about_several_cards_that_are_known_offers_each_and_no_card_that_is_called_so(
    tmp_path: Path,
) -> None:
    """`Ann plays salt and rum` are two plays where both are known; a card may be called Bread and Butter."""
    with Log.open(tmp_path / "t.db", create=True) as log:
        scribe = new_scribe(log, "tabletop")
        for card in ("A:salt", "A:rum"):
            line = {"type": "cards.drawn", "player": "A", "cards": [card]}
            scribe.write([line_of(scribe.replay.game.vocabulary, line)], scribe.last_seq)
        view = ViewerScreen(scribe, EVERYTHING)
        for typed in ("Ann plays salt and rum", "Ann plays salt, rum"):
            assert [each.words for each in view.screen(typed=typed).options] == ["Ann plays Salt", "Ann plays Rum"]
        said = [each.words for each in view.screen(typed="Ann plays bread and butter").unsure]
        assert said == ["Ann plays Bread And Butter, which nobody has written into Ann's hand"]


def _type(view: ViewerScreen, scribe: Scribe, typed: str) -> str:
    """Write what a sentence says, with the turn that begins with it, and return where the game stands then."""
    (first, *_) = view.screen(typed=typed).options
    lines = [scribe.replay.game.vocabulary.convert(dict(each)) for each in (first.turn, first.line) if each is not None]
    scribe.write(lines, scribe.last_seq)
    return view.screen().turn


def test_without_rules_of_turns_whoever_plays_behind_the_plays_of_another_has_the_next_turn(tmp_path: Path) -> None:
    """A deal, points, and what a card makes others discard belong to the turn that runs."""
    with Log.open(tmp_path / "t.db", create=True) as log:
        scribe = new_scribe(log, "tabletop")
        view = ViewerScreen(scribe, EVERYTHING)
        for typed, turn in (
            ("Ann draws 4", "Set-up"),
            ("Ben draws 4", "Set-up"),
            ("Ann plays fog", "Round 1, Ann"),
            ("Ben discards rope", "Round 1, Ann"),
            ("Ben scores 1", "Round 1, Ann"),
            ("Ben draws 1", "Round 1, Ben"),
            ("Ann draws 1", "Round 1, Ben"),
            ("Ben plays gull", "Round 1, Ben"),
            ("Ben ends the turn", "Round 1"),
            ("Ann draws 1", "Round 2, Ann"),
            ("Ann discards rope", "Round 2, Ann"),
            ("Ben draws 1", "Round 2, Ann"),  # Whoever ends turns by a line does so again.
            ("The turn of Ben begins", "Round 2, Ben"),
            ("Ben plays moor", "Round 2, Ben"),
            ("Ann draws 1", "Round 3, Ann"),
        ):
            assert _type(view, scribe, typed) == turn, typed


def test_an_undo_takes_back_the_turn_that_a_line_began(tmp_path: Path) -> None:
    """What it takes back is said before; what was written by itself stays."""
    with Log.open(tmp_path / "t.db", create=True) as log:
        scribe = new_scribe(log, "tabletop")
        view = ViewerScreen(scribe, EVERYTHING)
        for number, typed in enumerate(("Ann plays fog", "Ben plays gull")):
            (first, *_) = view.screen(typed=typed).options
            lines = [scribe.replay.game.vocabulary.convert(dict(each or {})) for each in (first.turn, first.line)]
            scribe.write(lines, scribe.last_seq, {"writer": "phone", "request": str(number)})
        assert view.screen().undoes == "The turn of Ben begins; Ben plays Gull"
        scribe.write(scribe.undone(), scribe.last_seq)
        assert (view.screen().turn, view.screen().undoes) == ("Round 1, Ann", "The turn of Ann begins; Ann plays Fog")
        scribe.write(scribe.redone(), scribe.last_seq)
        assert view.screen().turn == "Round 1, Ben"


def test_no_second_copy_of_a_card_is_written_without_a_word(tmp_path: Path) -> None:
    """A card that lies on the table is taken from there; with somebody else's, or in no written hand, that is said."""
    with Log.open(tmp_path / "t.db", create=True) as log:
        scribe = new_scribe(log, "tabletop")
        view = ViewerScreen(scribe, EVERYTHING)

        def offered(typed: str) -> list[str]:
            shown = view.screen(typed=typed)
            return [each.words for each in (*shown.options, *shown.unsure)]

        for typed in ("Ann draws 2", "Ann plays fog", "Ben draws 1", "Ben draws gull"):
            _type(view, scribe, typed)
        assert offered("Ann discards fog") == [
            "Ann discards Fog from the table",
            "Ann discards Fog 2, another than the one in Ann's table",
        ]
        assert offered("Ann plays gull") == [
            "Ann plays Gull, another than the one in Ben's hand",
            "Ann moves Gull to table, out of Ben's hand",
        ]
        assert offered("Ben draws fog") == ["Ben draws Fog, another than the one in Ann's table"]
        _type(view, scribe, "Ann draws rope")
        _type(view, scribe, "Ann plays moor")
        unwritten = "Ann plays Moss, which nobody has written into Ann's hand"
        assert offered("Ann plays moss") == [unwritten]
        assert not view.screen(typed="Ann plays moss").options
        scribe.write(
            [scribe.replay.game.vocabulary.convert(dict(view.screen(typed="Ann plays moss").unsure[0].line or {}))],
            scribe.last_seq,
        )
        (found,) = scribe.replay.findings
        assert (found.kind, found.message) == ("unverifiable", "By the log Ann's hand has Rope, not Moss")


def test_more_than_somebody_has_is_not_taken_without_a_word(tmp_path: Path) -> None:
    """What is left is said before it is written, and beside the hand after; points may be fewer than none."""
    with Log.open(tmp_path / "t.db", create=True) as log:
        scribe = new_scribe(log, "tabletop")
        view = ViewerScreen(scribe, EVERYTHING)
        _type(view, scribe, "Ann has 2 coins")
        assert [each.words for each in view.screen(typed="Ann loses 2 coins").options] == ["Ann loses 2 coins"]
        (left,) = view.screen(typed="Ann loses 3 coins").unsure
        assert left.words == "Ann loses 3 coins, with 2 by the log: -1"
        scribe.write([scribe.replay.game.vocabulary.convert(dict(left.line or {}))], scribe.last_seq)
        captions = [each.caption for each in view.screen().areas]
        assert "coins -1 (more went than was written down)" in captions
        _type(view, scribe, "Ben has 2 points")
        assert [each.words for each in view.screen(typed="Ben loses 3 points").options] == ["Ben loses 3 points"]


def test_a_card_of_another_hand_is_a_play_and_a_discard_may_be_drawn_again(own_games: Path) -> None:
    """Who plays out of somebody's hand has the next turn; what was shuffled back need not be another copy."""
    (own_games / "games" / "nights.toml").write_text(
        'title = "Nights"\n[zones]\ndeck = "shared hidden"\nhand = "own"\ntable = "shared"\ndiscard = "shared"\n'
    )
    look_in(own_games)
    with Log.open(own_games / "nights.db", create=True) as log:
        scribe = new_scribe(log, "nights")
        view = ViewerScreen(scribe, EVERYTHING)
        for typed in ("Ann draws 3", "Ben draws 3", "Ann draws gull", "Ann plays fog", "Ann discards fog"):
            _type(view, scribe, typed)
        taken = next(each for each in view.screen(typed="Ben plays gull").options if "out of" in each.words)
        assert taken.words == "Ben moves Gull to table, out of Ann's hand"
        assert taken.turn_words == "The turn of Ben begins"
        assert [each.words for each in view.screen(typed="Ann draws fog").options] == [
            "Ann draws Fog 2, another than the one in the discard",
            "Ann draws Fog from discard",
        ]


def test_a_question_at_a_table_without_rules_is_not_about_how_books_are_kept(tmp_path: Path) -> None:
    """What holds at every table stands in no rulebook, so nobody asks about it."""
    with Log.open(tmp_path / "t.db", create=True) as log:
        scribe = new_scribe(log, "tabletop")
        _type(ViewerScreen(scribe, EVERYTHING), scribe, "Ann plays fog")
        assert scribe.replay.game.by_id
        assert not rules_at(scribe)


def test_in_a_game_without_rules_of_turns_its_own_verbs_are_its_moves(own_games: Path) -> None:
    """A verb may have the ending of a sentence; a card that the game does not have is none of its moves."""
    (own_games / "games" / "bells.toml").write_text(
        'title = "Bells"\n[zones]\ndeck = "shared hidden"\nhand = "own"\n[cards]\nkind = ["fog", "sea gull"]\n'
        'copies = "any"\n[move.ring]\nsentence = "{player} rings {cards}"\n'
        '[move.ring.fields]\ncards = "cards of hand"\n'
    )
    look_in(own_games)
    with Log.open(own_games / "bells.db", create=True) as log:
        scribe = new_scribe(log, "bells")
        view = ViewerScreen(scribe, EVERYTHING)
        assert _type(view, scribe, "Ann rings the fog") == "Round 1, Ann"
        assert _type(view, scribe, "ben ring sea gull and fog") == "Round 1, Ben"
        assert [each.words for each in view.screen().lines][-1] == "Ben rings Sea Gull and Fog"
        assert not view.screen(typed="Ann rings rum").options


def test_one_coin_and_three_coins_are_of_one_counter(tmp_path: Path) -> None:
    """Of one there is one, and what one player counts singly is what another counts several of."""
    with Log.open(tmp_path / "t.db", create=True) as log:
        scribe = new_scribe(log, "tabletop")
        view = ViewerScreen(scribe, EVERYTHING)
        for typed in ("Ann gains 1 coin", "Ben gains 3 coins", "Ben loses 1 coin", "Ann scores 1"):
            _type(view, scribe, typed)
        said = [each.words for each in view.screen().lines]
        assert said[-4:] == ["Ann gains 1 coin", "Ben gains 3 coins", "Ben loses 1 coin", "Ann gains 1 point"]
        players = scribe.replay.table.players.values()
        assert [dict(each.counters) for each in players] == [{"coin": 1, "points": 1}, {"coin": 2}]


def test_the_last_play_is_known_whatever_was_noted_since(tmp_path: Path) -> None:
    """What the table says of it, that it was against the rules, is said of that and not of a note or an undo."""
    with Log.open(tmp_path / "t.db", create=True) as log:
        scribe = new_scribe(log, "tabletop")
        view = ViewerScreen(scribe, EVERYTHING)
        _type(view, scribe, "Ann gains 1 coin")
        _type(view, scribe, "Ben gains 3 coins")
        scribe.write(scribe.undone(), scribe.last_seq)
        for number in range(MAX_LINES):
            scribe.write([NoteAdded(text=f"note {number}")], scribe.last_seq)
        last = view.screen().last_play
        assert last
        assert last.words == "Ann gains 1 coin"
        assert [each.words for each in view.screen().lines] == [f"Note: note {number}" for number in range(MAX_LINES)]


def test_after_an_undo_the_last_lines_that_stand_are_shown_and_what_was_taken_back_is_counted(tmp_path: Path) -> None:
    """A redo is called by the play, not by the turn that began with it; of several it is said that there are more."""
    with Log.open(tmp_path / "t.db", create=True) as log:
        scribe = new_scribe(log, "tabletop")
        view = ViewerScreen(scribe, EVERYTHING)
        for typed in ("Ann plays Kelp", "Ben plays Fog", "Ben scores 1"):
            _type(view, scribe, typed)
        scribe.write(scribe.undone(), scribe.last_seq)
        scribe.write(scribe.undone(), scribe.last_seq)
        shown = view.screen()
        assert (shown.stands[-1].words, shown.taken_back) == ("The turn of Ben begins", 2)
        assert shown.redoes == "Ben plays Fog"
        scribe.write(scribe.redone(), scribe.last_seq)
        scribe.write(scribe.undone(1), scribe.last_seq)
        assert view.screen().redoes == "Ann plays Kelp \u2026"


def test_what_the_table_itself_calls_against_the_rules_is_known_where_none_is_stated(tmp_path: Path) -> None:
    """An undo takes it back with everything else."""
    with Log.open(tmp_path / "t.db", create=True) as log:
        scribe = new_scribe(log, "tabletop")
        view = ViewerScreen(scribe, EVERYTHING)
        _type(view, scribe, "Ann plays Kelp")
        scribe.write([NoteAdded(text="one card in a turn", on=3, note=AGAINST)], scribe.last_seq)
        assert (view.screen().judged, view.screen().noted) == (False, ("one card in a turn",))
        scribe.write(scribe.undone(), scribe.last_seq)
        assert view.screen().noted == ()


def test_a_deck_that_only_draws_name_lies_on_the_table_with_how_many_were_drawn(tmp_path: Path) -> None:
    """How many are left nobody has said."""
    with Log.open(tmp_path / "t.db", create=True) as log:
        scribe = new_scribe(log, "tabletop")
        view = ViewerScreen(scribe, EVERYTHING)
        for typed in (
            "Ann draws Gull from reef deck",
            "Ben draws 2 cards from reef deck",
            "Ben draws 1 card from storm deck",
        ):
            _type(view, scribe, typed)
        captions = {each.title: each.caption for each in view.screen().areas}
        assert captions["Reef deck"] == "3 drawn, the rest is not known"
        assert captions["Storm deck"] == "1 drawn, the rest is not known"
        scribe.write(scribe.undone(), scribe.last_seq)
        assert "Storm deck" not in {each.title for each in view.screen().areas}
