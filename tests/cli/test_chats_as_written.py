"""A chat as people write it: prices in brackets, what somebody has now, points behind a move, moves run together."""

from pathlib import Path

import pytest

from tabletape.dashboard.own_game.beside import in_plain_words
from tests.cli.conftest import Tabletape
from tests.cli.test_first_rule import accused, begun

CARDS = "white|red|blue|black"
LINES = {
    "hang blue 2 (1 peg), hang blue 5 (2 pegs)": ("hang blue 2 for 1, hang blue 5 for 2", ()),
    "draw, then hang white 3, 1 peg": ("draw, then hang white 3 for 1", ()),
    "hang black 3 (1), hang black 1 (1). yes pls": ("hang black 3 for 1, hang black 1 for 1. yes pls", ()),
    "hang white 6, 2 pegs. then peg": ("hang white 6 for 2. then peg", ()),
    "hang white 1 and pay 1 peg": ("hang white 1 for 1", ()),
    "hang black 4 for 2 pegs, draw": ("hang black 4 for 2, draw", ()),
    "peg (3 now) and draw": ("peg and draw", ("(3 now)",)),
    "peg, so 3 now, then hang blue 1": ("peg, then hang blue 1", ("so 3 now",)),
    "fold black 3, black 1, 3 pts, im at 6": ("fold black 3, black 1", ("3 pts", "im at 6")),
    "fold red 1, blue 3, 3 pts for me, + draw": ("fold red 1, blue 3, draw", ("3 pts for me",)),
    "draw draw": ("draw, draw", ()),
    "hang white 1, 2 cards left": ("hang white 1, 2 cards left", ()),
    "hang white 1, blue 2 and red 3": ("hang white 1, blue 2 and red 3", ()),
}


@pytest.mark.parametrize(("said", "plain"), LINES.items())
def test_what_stands_beside_a_move_is_a_price_or_a_note(said: str, plain: tuple[str, tuple[str, ...]]) -> None:
    """A price may stand in any shape; a number of cards, and another card, are none."""
    assert in_plain_words(said, CARDS, "ann|bo") == plain


def test_an_evening_with_prices_is_read_with_few_answers(tabletape: Tabletape, tmp_path: Path) -> None:
    """Five answers read it wholly, and its breaches are found by what the moves do to a line, as the rulebook says."""
    answers = ("3 t", "12 hang blue 3 for 1", "35 fold, draw", "52 draw, peg")
    said = begun(tabletape, tmp_path, "laundry", "", "", "y", *answers, "9", "y", "6", "", "y", "4", "y")
    assert "Read: 87 moves in 50 lines; 0 lines left open" in said
    assert "    rain: last to\n    fold: empties\n" in said
    assert accused(said) == [(38, "illegal", "L27"), (28, "illegal", "L23"), (24, "illegal", "L20")]
    log = tabletape("log", "evening", "--jsonl").stdout
    assert '"cards":["white-5"],"number":1' in log
    assert '"text":"(3 now)"' in log
