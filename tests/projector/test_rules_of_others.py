"""What another player has done is a condition of a move: which lines break such a rule."""

from pathlib import Path

import pytest
import tomlkit

from tabletape.dashboard.own_game.file import with_changes
from tabletape.dashboard.own_game.game import FirstRule
from tabletape.events.vocabulary.open_games import look_in
from tests.dashboard.test_cards_before import RAW, asked_of
from tests.projector.test_rules_file import folded, found, move


@pytest.mark.parametrize(
    ("text", "lines", "wrong"),
    [
        ("If another player has thrown since your last turn, you may not shout.",
         "A shout, B throw, C listen, A shout, B shout, C listen, A shout", [4]),
        ("If another player has thrown since your last turn, you may not shout.",
         "A throw, B listen, C listen, A shout, B shout", []),
        ("You may only throw if somebody else has listened since your last turn.",
         "B listen, A throw, A throw, B throw", [4]),
        ("After a throw the next player may not shout on her turn; she has to listen or throw.",
         "A throw, B shout, C throw, A listen, B shout, B throw, B shout", [2]),
    ],
)  # fmt: skip
def test_a_line_breaks_it_whose_player_others_forbid_it(
    text: str, lines: str, wrong: list[int], own_games: Path
) -> None:
    """The own moves neither count nor end it within a turn; whoever moves next ends the turn before."""
    rule, _ = asked_of(text)
    assert isinstance(rule, FirstRule)
    (own_games / "games" / "canyon.toml").write_text(with_changes(tomlkit.dumps(RAW), rule.changes))
    look_in(own_games)
    told = [
        move(verb, who, **({"cards": ["wolf-1#1"]} if verb == "shout" else {}))
        for who, verb in (each.split() for each in lines.split(", "))
    ]
    accused = [seq - 2 for seq, _, kind in found(folded("canyon", *told, players="ABC")) if kind == "illegal"]
    assert accused == wrong
