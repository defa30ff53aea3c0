"""A card's versions: its text today, and the texts with which earlier games were played."""

from pathlib import Path

import pytest

from tabletape.dashboard.sections.printed_card import versions
from tabletape.events.log import Log
from tabletape.events.log.rows import CardTexts
from tabletape.projector.archive.card_versions import texts_of
from tabletape.projector.archive.stored import cards_of
from tabletape.projector.games import game
from tabletape.projector.selfplay.simulate import Plan, simulate

OWN = """
[[card]]
id = "sporeling"
name = "Sporeling"
kind = "card"
faction = "verdant-choir"
cost = 4
attack = 0
mining = 2
tech = 0
tech_requirement = 0
"""


def test_a_changed_card_has_two_versions_each_with_its_games(tmp_path: Path) -> None:
    """Today's text comes first; the earlier one has the games that were played with it."""
    one = game("crystal")
    with Log.open(tmp_path / "log.db", create=True) as log:
        texts = texts_of(tmp_path, "crystal")
        assert isinstance(texts, CardTexts)
        for match in simulate(one, one.cards, Plan(seed=3), 2):
            log.append(match.game_id, match.events, expected_last_seq=0, cards=texts)
        (tmp_path / "cards").mkdir()
        (tmp_path / "cards" / "crystal.toml").write_text(OWN, encoding="utf-8")
        assert cards_of(tmp_path, "crystal").library["sporeling"].cost == 4
        now, before = versions(log, tmp_path, "crystal", "sporeling")
    assert (now.today, now.bots, "cost 4" in now.printed) == (True, 0, True)
    assert (before.today, before.bots, before.people, "cost 1" in before.printed) == (False, 2, 0, True)


@pytest.mark.parametrize(
    ("slug", "card", "printed", "left_out"),
    [
        ("crystal", "sporeling", "cost 1", ("hitpoints", "crystals")),
        ("crystal", "verdant-choir", "hitpoints", ("cost",)),
        ("duelyst", "silverguard-squire", "health 4", ("durability", "source", "evidence")),
        ("evolve", "prochlorococcus", "tier 1", ("response",)),
    ],
)
def test_numbers_that_no_card_of_the_kind_has_are_left_out(
    tmp_path: Path, slug: str, card: str, printed: str, left_out: tuple[str, ...]
) -> None:
    """A card shows the numbers that apply to its kind, and no others."""
    with Log.open(tmp_path / "log.db", create=True) as log:
        (version,) = versions(log, tmp_path, slug, card)
    assert printed in version.printed
    assert not [word for word in left_out if word in version.printed]
