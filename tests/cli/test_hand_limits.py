"""Lines of a chat by which a hand is too large behind one move alone: how many cards it holds is counted."""

import re
from pathlib import Path

from tests.cli.conftest import Tabletape

TURN = "On your turn you do exactly one of these: play, rest or hoot."
LIMIT = "If you have more than five cards in your hand after resting, discard down to five."
BOOK = (
    "Barn has owls, bats and mice.",
    "Deal four cards to each player.",
    TURN,
    "Play one card onto the beam.",
    "Rest: draw two cards.",
    LIMIT,
    "Hoot: everybody listens.",
)
EVENING = (
    *("Ann: plays owl", "Ben: rests, draws 2", "Ann: rests, draws 2", "Ben: hoots", "Ann: hoots"),
    *("Ben: rests, draws 2, discards bat, owl, mouse", "Ann: rests, draws 2, discards owl, mouse", "Ben: plays bat"),
    *("Ann: plays mouse", "Ben: rests, draws 1", "Ann: hoots", "Ben: plays owl"),
)


def said(tabletape: Tabletape, folder: Path, *answers: str, evening: tuple[str, ...] = EVENING) -> str:
    """Return what `rules new` says of the evening by some answers."""
    (folder / "evening.txt").write_text("\n".join(evening), encoding="utf-8")
    (folder / "rulebook.txt").write_text("\n".join(BOOK), encoding="utf-8")
    given = "\n".join((*answers, "", "")).encode()
    return tabletape("rules", "new", "barn", "evening.txt", "rulebook.txt", stdin=given).stdout


def test_a_hand_that_is_too_large_behind_one_move_is_found_before_its_player_moves_again(
    tabletape: Tabletape, tmp_path: Path
) -> None:
    """Ben held six cards behind his first rest; who throws enough away behind the one move of a turn is right."""
    told = said(tabletape, tmp_path, "play, rest, hoot, discard", "", TURN, "n", "y", LIMIT, "y", "y")
    assert "it is looked at before the same player moves again" in told
    audit = tabletape("audit", "--all").stdout
    assert re.findall(r"\(evening\.txt:(\d+)\)\n +(\w+)", audit) == [("4", "illegal")]
    assert "Here Ben's hand has 6 cards; at most 5 are allowed" in audit


def test_a_hand_is_not_counted_where_a_remark_beside_a_move_changes_it(tabletape: Tabletape, tmp_path: Path) -> None:
    """What is thrown away there is in no line that is a move: the hand would seem too large."""
    evening = ("Ann: plays owl", "Ben: rests, draws 2, discards bat", "Ann: hoots", "Ben: rests, draws 1", "Ann: hoots")
    told = said(tabletape, tmp_path, "", "", "y", LIMIT, evening=evening)
    assert "beside a move, which changes a hand: say it again as several moves" in told
    assert "illegal" not in tabletape("audit", "--all").stdout
