"""`b` takes an answer back at every question of `rules new`; what a rulebook leaves unclear accuses nobody."""

from pathlib import Path

import pytest

from tests.cli.conftest import Tabletape
from tests.cli.test_first_rule import GAMES, accused, begun

WOLF = "A Wolf may not be shouted directly after a Goat (the herd would bolt).", "1"
VOICE = "A shout may never have the same voice as the shout before it."
NUMBER = "The number of a shout may be at most three higher or three lower than the number of the shout before it."
TWICE = "You may not listen on two of your turns in a row."
SILENT = "The canyon falls silent."
FREED = f"{SILENT[:-1]}: the next shout may be any card at all, and it cannot be an echo."


def file_of(folder: Path) -> str:
    """Return the file of the game."""
    return (folder / "games" / "canyon.toml").read_text(encoding="utf-8")


def silent(tabletape: Tabletape, folder: Path, *answers: str) -> str:
    """Begin the game by a rulebook that says only in a picture what a throw does; return what is said."""
    (folder / "evening.txt").write_text((GAMES / "canyon-evening.txt").read_text())
    (folder / "rulebook.txt").write_text((GAMES / "canyon-rulebook.txt").read_text().replace(FREED, SILENT))
    lines = "\n".join(("", "", *answers, *[""] * 4)).encode()
    made = tabletape("rules", "new", "canyon", "evening.txt", "rulebook.txt", stdin=lines)
    assert made.exit_code == 0, made.output
    return made.stdout


def test_enter_leaves_open_what_the_rulebook_says_in_words_that_are_not_understood(
    tabletape: Tabletape, tmp_path: Path
) -> None:
    """Behind a throw any card may come: whoever has not said what it does sees nobody accused of it."""
    said = silent(tabletape, tmp_path, *WOLF, "", "y")
    assert f"is not clear: \u201c{SILENT}\u201d" in said
    assert "    throw: ?\n" in said
    assert "    listen: nothing\n" in said
    assert "1 line cannot be judged: line 43" in said
    assert accused(said) == []
    assert "illegal" not in tabletape("audit", "--format", "concise").stdout


def test_what_was_left_open_of_a_move_is_asked_again_with_the_next_sentence(
    tabletape: Tabletape, tmp_path: Path
) -> None:
    """In a new session, too; what is said then stands in the file in place of what nobody knew."""
    silent(tabletape, tmp_path, *WOLF, "", "y")
    answers = f"{VOICE}\nthrow: empties\ny\n\n".encode()
    said = tabletape("rules", "new", "canyon", "evening.txt", stdin=answers).stdout
    assert "Nobody has said what becomes of the table:\n    throw: ?" in said
    assert accused(said) == [(11, "illegal", "L18")]
    assert "cannot be judged" not in said
    assert "-> discards" in file_of(tmp_path)
    assert "unsaid > 0" not in file_of(tmp_path)


def test_mistakes_that_read_nothing_of_each_other_are_not_said_to_follow(tabletape: Tabletape, tmp_path: Path) -> None:
    """Neither a second listen of Pim nor a shout on a later card can come of a card that Nora shouted."""
    begun(tabletape, tmp_path, "canyon", "", "", *WOLF, "", "y", TWICE, "y", VOICE, "y", NUMBER, "y")
    audited = tabletape("audit").stdout
    assert "3 illegal;" in audited
    assert "may follow" not in audited
    assert "wolf-top-goat 2 of 3" in audited, "of the shouts that have nothing to compare with one is a wolf"


@pytest.mark.parametrize("again", [("b", "throw: empties"), ("throw: empties",)])
def test_what_a_move_does_is_said_anew_at_the_next_question(
    tabletape: Tabletape, tmp_path: Path, again: tuple[str, ...]
) -> None:
    """`b` asks what was answered last again; an effect in place of another answer corrects what was said of it."""
    said = begun(tabletape, tmp_path, "canyon", "", "", *WOLF, "throw: nothing", *again, "y")
    _, _, after = said.partition("it accuses 1 line")
    assert "line 43  Nora: shouts Wolf 8" in after
    assert "throw empties the table" in after
    assert "it accuses nobody" in after
    assert "illegal" not in tabletape("audit", "--format", "concise").stdout


def test_sentences_and_lines_that_were_written_are_taken_back_one_after_another(
    tabletape: Tabletape, tmp_path: Path
) -> None:
    """The files say what they did before; what is accused no longer is said."""
    begun(tabletape, tmp_path, "canyon", "", "")
    files = [tmp_path / "games" / "canyon.toml", tmp_path / "evening.map.toml"]
    before = [each.read_text(encoding="utf-8") for each in files]
    said = begun(tabletape, tmp_path, "canyon", "y", "30 talk", "b", "b", "b")
    assert "no longer accused: evening, line 30  Pim: listens, draws 2" in said
    assert "Taken back: line 30 talk" in said
    assert "Taken back: 1 sentence" in said
    assert [each.read_text(encoding="utf-8") for each in files] == before
    assert "illegal" not in tabletape("audit", "--format", "concise").stdout


def test_the_moves_are_asked_again_where_the_answer_to_the_cards_is_b(tabletape: Tabletape, tmp_path: Path) -> None:
    """At the first question there is nothing to take back, and it is asked again."""
    said = begun(tabletape, tmp_path, "canyon", "b", "shout", "b", "shout, listen")
    assert said.count("Moves: shout") == 3
    assert 'kind = ["wolf", "owl", "goat", "crow"]' in file_of(tmp_path)
    assert "[move.listen]" in file_of(tmp_path)


def test_a_choice_of_a_sentence_that_is_composed_is_taken_back(tabletape: Tabletape, tmp_path: Path) -> None:
    """Also that it says something else than it is read as; before the first question the sentence is left open."""
    said = begun(tabletape, tmp_path, "canyon", "", "", TWICE, "o", "b", "o", "b", "b")
    assert said.count("Is it meant so?") == 3
    assert "Left open: nobody is accused." in said
    assert "needs" not in file_of(tmp_path)


def test_a_move_that_an_answer_began_goes_with_the_last_line_that_says_it(tabletape: Tabletape, tmp_path: Path) -> None:
    """`echo` is a move as long as a line says it; a draw in any person is the draw that there is."""
    said = begun(tabletape, tmp_path, "canyon", "shout, listen, throw, discard", "", "13 echo", "35 listens, draws 2")
    assert "read as echo; read so too: lines 6, 20, 34, 39" in said
    assert "read as listen, draw (count 2)" in said
    assert "draws" not in file_of(tmp_path)
    assert "[move.echo]" in file_of(tmp_path)
    begun(tabletape, tmp_path, "canyon", "13 t")
    assert "[move.echo]" not in file_of(tmp_path)
    assert "[move.throw]" in file_of(tmp_path)


def test_the_lines_of_all_players_are_counted_and_draws_are_moves(tabletape: Tabletape, tmp_path: Path) -> None:
    """Also of whom only a line tells that is none of his own: `Nora is youngest`."""
    said = begun(tabletape, tmp_path, "canyon")
    assert "51 lines of Nora, Pim, Axel" in said
    assert "Moves: shout (20 x), listen (8 x), throw (3 x), discard (4 x), draw (8 x)" in said
